"""BEHAVIOR goal interpretation: each quirk changes one verdict."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from fake_behavior_release import MAIL, SLICE, write_wheel

from eai.diagnosis import ErrorKind, Result
from eai.semantics import Semantics
from eai.suites.behavior import Behavior
from eai.suites.behavior.goal_interpretation import evaluate
from eai.suites.behavior.goals import BddlGoal
from eai.suites.behavior.quirks import GOAL_INTERPRETATION_QUIRKS
from eai.suites.behavior.tasks import BehaviorStore
from eai.task import Task

PREDICATES = {"sliced": 1, "open": 1, "toggled_on": 1, "ontop": 2, "touching": 2}
OFFICIAL = Semantics("official", frozenset(GOAL_INTERPRETATION_QUIRKS))
STRICT = Semantics("strict")


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Task]:
    """Loads tasks of a toy release; what the release says beside them comes from there, too."""
    monkeypatch.setenv("EAI_CACHE", str(tmp_path))
    library = BehaviorStore(wheel=write_wheel(tmp_path / "toy.whl"))
    library.fill()

    def task(name: str) -> Task:
        loaded = library.load(name)
        return replace(loaded, vocabulary=replace(loaded.vocabulary, predicates=PREDICATES))

    return task


def answer(*goals: object) -> str:
    return json.dumps({"node goals": list(goals), "edge goals": []})


def verdict(result: Result) -> str:
    """``"state 1/0/0"``: true positives, false positives, false negatives of what is not zero."""
    return ", ".join(
        f"{m.kind} {m.tp}/{m.fp}/{m.fn}" for m in result.matches if m.tp or m.fp or m.fn
    )


PEACH, SHUT = ["sliced", "peach.n.03_1"], ["not", ["open", "carton.n.02_1"]]
ENVELOPES = ["envelope.n.01_2", "envelope.n.01_1"]


@dataclass(frozen=True)
class Case:
    """An answer whose verdict one quirk changes; ``needs`` are on in both."""

    task: str
    answer: str
    on: str
    off: str
    needs: tuple[str, ...] = ()


CASES = {
    "goals_in_first_braces": Case(
        SLICE, "{'a': [" + json.dumps(PEACH) + "]} and " + answer(PEACH, SHUT),
        "state 1/0/1", "state 2/0/0",
    ),
    "unusual_goals_crash": Case(
        SLICE, '{"a": [5]}', "unscorable", "parsing", needs=("goals_in_first_braces",)
    ),
    "goal_names_exact": Case(
        SLICE, answer(["sliced", "peach_7"], SHUT), "state 1/1/1", "state 2/0/0"
    ),
    "goal_kind_by_word": Case(
        SLICE, answer(PEACH, SHUT, ["shiny", "peach.n.03_1"]),
        "state 2/0/0, other 0/1/0", "state 2/1/0",
    ),
    "published_goal_options": Case(
        MAIL, answer(["touching", *ENVELOPES]), "relation 1/0/0", "relation 0/1/1"
    ),
    "goal_repetitions_counted": Case(
        SLICE, answer(PEACH, SHUT, ["open", "carton.n.02_1"], ["open", "carton.n.02_1"]),
        "state 2/2/0", "state 2/1/0", needs=("goal_options_one_by_one",),
    ),
}  # fmt: skip


def test_every_quirk_has_a_case() -> None:
    assert {*CASES, "goal_options_one_by_one"} == GOAL_INTERPRETATION_QUIRKS.keys()
    for name, quirk in GOAL_INTERPRETATION_QUIRKS.items():
        assert quirk.name == name
        assert quirk.official.endswith(".")
        assert quirk.strict.endswith(".")


@pytest.mark.parametrize("name", sorted(CASES.keys() - {"unusual_goals_crash"}))
def test_a_quirk_alone_changes_the_verdict(load: Callable[[str], Task], name: str) -> None:
    case, off = CASES[name], Semantics("off", frozenset(CASES[name].needs))
    with_it = Semantics("on", off.quirks | {name})
    assert verdict(evaluate(load(case.task), case.answer, with_it)) == case.on
    assert verdict(evaluate(load(case.task), case.answer, off)) == case.off


def test_where_the_published_evaluator_stops(load: Callable[[str], Task]) -> None:
    case = CASES["unusual_goals_crash"]
    read = Semantics("off", frozenset(case.needs))
    crash = Semantics("on", read.quirks | {"unusual_goals_crash"})
    assert evaluate(load(SLICE), case.answer, crash).number_of(ErrorKind.UNSCORABLE) == 1
    assert evaluate(load(SLICE), case.answer, read).number_of(ErrorKind.PARSING) == 1


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        (answer(PEACH, SHUT), "state 2/0/0", []),
        (answer(PEACH, SHUT).upper(), "state 2/0/0", []),
        ("Here: ```" + answer(PEACH, SHUT) + "``` {done}", "state 2/0/0", []),
        (answer(["not", PEACH]), "state 0/1/2", []),
        (answer(["open"]), "state 0/1/2", [ErrorKind.PARSING]),
        (answer("open"), "state 0/0/2, other 0/1/0",
         [ErrorKind.PARSING, ErrorKind.PREDICATE_HALLUCINATION]),
        (answer(["not", "open", "carton.n.02_1"]), "state 0/0/2, other 0/1/0",
         [ErrorKind.PARSING, ErrorKind.PREDICATE_HALLUCINATION]),
        (answer(["sliced", ["peach.n.03_1"]]), "state 0/1/2", [ErrorKind.OBJECT_HALLUCINATION]),
        (answer(["not", ["open", "carton.n.02_1"], "x"]), "state 0/1/2", []),
        (answer(["not", "not", ["open", "carton.n.02_1"]]), "state 0/0/2, other 0/1/0",
         [ErrorKind.PREDICATE_HALLUCINATION, ErrorKind.OBJECT_HALLUCINATION]),
        (answer(["ToggledOn", "peach.n.03_1"]), "state 0/1/2", []),
        ("{}", "state 0/0/2", []),
        ("no goals", "state 0/0/2", [ErrorKind.PARSING]),
        ('{"a": [}', "state 0/0/2", [ErrorKind.PARSING]),
    ],
)  # fmt: skip
def test_official_counts_as_the_published_evaluator(
    load: Callable[[str], Task], text: str, expected: str, found: list[ErrorKind]
) -> None:
    result = evaluate(load(SLICE), text, OFFICIAL)
    assert verdict(result) == expected
    missed = sum(not goal.met for goal in result.goals)
    kinds = [finding.kind for finding in result.findings][: len(result.findings) - missed]
    assert kinds == found


@pytest.mark.parametrize("text", ['{"a": 5}', '{"a": [[]]}', '{"a": [["not"]]}', '{"a": [""]}'])
def test_forms_at_which_the_published_evaluator_stops(
    load: Callable[[str], Task], text: str
) -> None:
    result = evaluate(load(SLICE), text, OFFICIAL)
    assert result.number_of(ErrorKind.UNSCORABLE) == 1
    assert verdict(result) == "state 0/0/2"


def test_strict_takes_the_goal_of_the_definition(load: Callable[[str], Task]) -> None:
    either = answer(["ontop", "envelope.n.01_1", "envelope.n.01_2"])
    result = evaluate(load(MAIL), either, STRICT)
    assert result.success
    assert [goal.text for goal in result.goals] == ["ontop(envelope_143, envelope_144)"]


def test_a_category_means_any_of_its_objects(load: Callable[[str], Task]) -> None:
    text = answer(["ontop", "envelope.n.01", "envelope.n.01_2"])
    assert evaluate(load(MAIL), text, STRICT).success


@pytest.mark.parametrize("semantics", [OFFICIAL, STRICT], ids=str)
def test_a_task_without_an_answer_misses_all(
    load: Callable[[str], Task], semantics: Semantics
) -> None:
    result = evaluate(load(SLICE), None, semantics)
    assert result.status == "missing"
    assert verdict(result) == "state 0/0/2"


def test_options_are_taken_condition_by_condition_or_together(
    load: Callable[[str], Task],
) -> None:
    # Each condition alone is found with its first literal; together they contradict each other.
    text = "(and (or (open carton_3) (sliced peach_7)) (not (open carton_3)))"
    contrary = replace(load(SLICE), goal=BddlGoal(text))
    single = Semantics("single", frozenset({"goal_options_one_by_one"}))
    said = answer(["open", "carton.n.02_1"])
    assert verdict(evaluate(contrary, said, single)) == "state 1/0/1"
    assert verdict(evaluate(contrary, said, STRICT)) == "state 0/1/2"


def test_the_suite_has_the_ability_and_its_quirks() -> None:
    assert "goal_interpretation" in Behavior().abilities
    assert Behavior.quirks.keys() >= GOAL_INTERPRETATION_QUIRKS.keys()


def test_strict_counts_arguments_and_spells_predicates_loosely(
    load: Callable[[str], Task],
) -> None:
    right = ["ontop", "envelope.n.01_1", "envelope.n.01_2"]
    result = evaluate(load(MAIL), answer(right, ["ontop", "envelope.n.01_1"]), STRICT)
    assert result.number_of(ErrorKind.ARGUMENT_NUMBER) == 1
    assert [goal.met for goal in result.goals] == [True]
    loose = evaluate(load(MAIL), answer(["On Top", *right[1:]]), STRICT)
    assert loose.success
