"""Everything that is wrong with a suite is told at once, with the member that it is about."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import call
from docs_pages import ROOT, blocks

import eai
from eai.contract import Ability, Suite, check_suite
from eai.contract.extensions import GROUPS
from eai.contract.registry import suite as find_suite
from eai.diagnosis import Result
from eai.plugins import Origin, find_object, shipped
from eai.semantics import Quirk, Semantics
from eai.suites.household import Household
from eai.task import Task

RIGHT = Household()
FIRST = tuple(RIGHT.task_ids()[:2])
PLAN = "action_sequencing"


class Small(Household):
    """Two tasks of the shipped suite, as a suite of somebody else."""

    def task_ids(self) -> Sequence[str]:
        return FIRST

    @property
    def content(self) -> str:
        return ""

    def __reduce__(self) -> str | tuple[Any, ...]:
        return Household, ()


def test_the_contract_has_eighteen_members() -> None:
    names = {*Suite.__annotations__, *vars(Suite)}
    assert len([name for name in names if not name.startswith("_")]) == 18


def members(suite: object) -> list[str]:
    return [problem.member for problem in check_suite(suite)]


@pytest.mark.parametrize("name", ["household", "robobench-examples", "longact", "asgardbench"])
def test_nothing_is_wrong_with_suites_that_ship(name: str) -> None:
    assert check_suite(find_suite(name), max_tasks=1) == []


def test_the_suite_on_the_page_has_eighteen_lines_and_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ROOT / "docs" / "how-to" / "add-a-suite.md"
    block = next(each for each in blocks(page) if each.detail == "light.py")
    assert len([line for line in block.text.splitlines() if line.strip()]) == 18
    (tmp_path / "light.py").write_text(block.text, "utf-8")
    monkeypatch.chdir(tmp_path)
    done = call("data", "check", "light:Light")
    assert (done.exit_code, done.stdout) == (0, "light:Light: nothing is wrong\n")


@pytest.mark.parametrize("value", [Household, "household", None])
def test_what_is_no_suite_has_one_problem(value: object) -> None:
    assert members(value) == ["suite"]


def unlisted(_self: Suite, _name: str) -> Task:
    return RIGHT.task(FIRST[0])


def failing(*_: object) -> Any:
    raise ZeroDivisionError


def lucky(_task: Task, _answer: str | None, _semantics: Semantics) -> Result:
    return Result("evaluated", success=True)


def fickle() -> Callable[..., Result]:
    results = iter(range(10**6))
    return lambda *_: Result("evaluated", notes=(str(next(results)),))


def ability(**parts: Any) -> Mapping[str, Ability]:
    return {PLAN: RIGHT.abilities[PLAN]._replace(**parts)}


QUIRK = Quirk("odd", "odd", "even", "world")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"title": ""}, ["title"]),
        ({"version": "1\n2"}, ["version"]),
        ({"quirks": {"even": QUIRK}}, ["quirks"]),
        ({"quirks": {"odd": QUIRK}, "official_version": ""}, ["official_version"]),
        ({"default_semantics": "lax"}, ["default_semantics", "plans", "environment"]),
        ({"task_ids": lambda _: ()}, ["task_ids"]),
        ({"task_ids": lambda _: (FIRST[0], FIRST[0])}, ["task_ids"]),
        ({"task_ids": lambda _: iter(FIRST)}, ["task_ids"]),
        ({"task_ids": lambda _: (FIRST[0], 7)}, ["task_ids"]),
        ({"canonical_id": lambda _, raw: raw.upper()}, ["canonical_id"]),
        ({"task": unlisted}, ["task", "task"]),
        ({"task": failing}, ["task", "task", "task"]),
        ({"groups": lambda _: {"some": ["nowhere"]}}, ["groups"]),
        ({"samples": lambda _: [Path("nowhere.jsonl")]}, ["samples"]),
        ({"content": 7}, ["content"]),
        ({"abilities": {}}, ["abilities"]),
        ({"abilities": ability(prompt="eai.nowhere:prompt")}, ["abilities", "prompt"]),
        ({"abilities": ability(prompt=lambda _: 7)}, ["prompt"]),
        ({"abilities": ability(evaluate=lucky)}, ["evaluate"]),
        ({"abilities": ability(evaluate=lambda *_: "fine")}, ["evaluate"]),
        ({"abilities": ability(evaluate=fickle())}, ["evaluate"]),
        ({"abilities": ability(evaluate=failing)}, ["evaluate"]),
        ({"plans": lambda *_: None}, ["evaluate", "plans"]),
        ({"environment": failing}, ["evaluate", "evaluate", "environment"]),
    ],
)
def test_a_mistake_is_told_with_its_member(wrong: Mapping[str, Any], told: Sequence[str]) -> None:
    suite = type("Wrong", (Small,), dict(wrong))()
    for member in ("title", "version"):
        if member in wrong:
            setattr(suite, member, wrong[member])
    assert members(suite) == told


def changed(**parts: Any) -> Callable[[Suite, str], Task]:
    return lambda _, name: replace(RIGHT.task(name), **parts)


def test_an_action_with_another_number_of_objects_than_in_the_domain_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ROOT / "docs" / "how-to" / "add-a-suite.md"
    block = next(each for each in blocks(page) if each.detail == "light.py")
    wrong = block.text.replace(", has_agent=False", "").replace(", (plan,)", "")
    (tmp_path / "agentless_light.py").write_text(wrong, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    [problem] = check_suite(find_object("agentless_light:Light", what="the suite")())  # type: ignore[operator]
    assert problem.member == "task"
    assert problem.mend == "Vocabulary.of(domain, objects, has_agent=False)"


def test_a_step_that_is_text_is_told_for_its_task() -> None:
    suite = type("Wrong", (Small,), {"task": changed(plans=(("WALK(light.34)",),))})()
    assert members(suite) == ["task", "task"]


def test_a_suite_that_cannot_be_sent_to_other_processes_is_told() -> None:
    class Local(Small):
        def __reduce__(self) -> str | tuple[Any, ...]:
            return Local, ()

    assert members(Local()) == ["suite"]


def test_an_extension_that_cannot_be_imported_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    origin = Origin("household", "eai.nowhere:tables", "tests")
    found = {"eai.analyses": {"household": origin}}
    monkeypatch.setattr("eai.contract.extensions.shipped", lambda group: found.get(group, {}))
    assert members(Small()) == ["extensions"]


def test_what_the_package_announces_for_suites_can_be_imported() -> None:
    for group in GROUPS:
        assert shipped(group)
        for origin in shipped(group).values():
            assert find_object(origin.target, what=group) is not None


def test_the_command_fails_and_prints_the_problems_as_json() -> None:
    sys.modules.setdefault(__name__, sys.modules[Wordless.__module__])
    done = call("data", "check", f"{__name__}:Wordless", "--json")
    assert done.exit_code == 1
    assert [each["member"] for each in json.loads(done.stdout)["problems"]] == ["title"]


class Wordless(Small):
    """A suite without a title."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""


def test_it_is_a_public_name() -> None:
    assert eai.check_suite is check_suite
