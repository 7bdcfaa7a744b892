"""Answers of a published format: said before the run, read with one option."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from command_line import call

import eai
from eai.contract import Ability
from eai.diagnosis import ErrorKind, Finding, Result
from eai.errors import UnknownNameError
from eai.plugins import Origin
from eai.semantics import Quirk, Semantics
from eai.suites.household import Household
from eai.task import Task


def evaluate(_task: Task, answer: str | None, semantics: Semantics) -> Result:
    is_plan = "walk" in (answer or "")
    readable = is_plan and ("." in (answer or "") or "ids_required" not in semantics)
    problem = Finding(ErrorKind.PARSING, "an id is missing")
    return Result("evaluated", success=readable, findings=() if readable else (problem,))


class Dated(Household):
    """A suite whose published answers of 1999 have no ids."""

    abilities: Mapping[str, Ability] = {"action_sequencing": Ability(evaluate)}
    quirks: Mapping[str, Quirk] = {"ids_required": Quirk("ids_required", "Ids.", "No ids.")}
    official_version = "dated 0.1"
    default_semantics = "official"

    def task_ids(self) -> Sequence[str]:
        return super().task_ids()[:6]


FORMATS = {"1999": {"action_sequencing": ("ids_required",)}}


@pytest.fixture(autouse=True)
def _announced(monkeypatch: pytest.MonkeyPatch) -> None:
    sys.modules.setdefault(__name__, sys.modules[Dated.__module__])
    formats = {"household": Origin("household", f"{__name__}:FORMATS", "tests")}
    found = {"eai.answer_formats": formats}
    monkeypatch.setattr("eai.contract.extensions.shipped", lambda group: found.get(group, {}))


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    folder = tmp_path / "outputs" / "household" / "action_sequencing"
    folder.mkdir(parents=True)
    for model, answer in (("old", "walk(light)"), ("new", "walk(light.34)")):
        lines = (json.dumps({"id": task, "output": answer}) for task in Dated().task_ids())
        (folder / f"{model}.jsonl").write_text("\n".join(lines))
    return tmp_path / "outputs"


NAME = f"{__name__}:Dated"


def test_the_format_is_named_before_the_run_and_read_with_one_option(outputs: Path) -> None:
    sys.modules.setdefault(__name__, sys.modules[Dated.__module__])
    one = (NAME, *sorted((outputs / "household" / "action_sequencing").iterdir()))
    for words in (one, (NAME, "--model-outputs", outputs)):
        said = call("evaluate", *words, "-q").stderr
        assert said.startswith(
            "eai: household action_sequencing: the answers of old have the format"
        )
        assert "--answers 1999 does" in said
        found = call("evaluate", *words, "--answers", "1999", "--json")
        assert found.stderr == ""
        assert '"semantics": "official -ids_required (dated 0.1)"' in found.stdout


def test_a_run_without_the_format_says_how_only_that_part_is_made_anew(
    outputs: Path, tmp_path: Path
) -> None:
    sys.modules.setdefault(__name__, sys.modules[Dated.__module__])
    words = ("evaluate", NAME, "--model-outputs", outputs, "-o", tmp_path / "run")
    said = " ".join(call(*words).stdout.split())
    assert "--ability action_sequencing --force replaces this part of a run" in said
    said = str(call(*words, "--answers", "1999").exception)
    assert "--ability action_sequencing --force" in said
    call(*words, "--answers", "1999", "--ability", "action_sequencing", "--force")
    said = call(*words, "--answers", "1999").stdout
    assert "12 of 12 records were there already, 0 were evaluated now" in said
    assert "without the quirk ids_required" in " ".join(said.split())


def test_the_format_in_python() -> None:
    answers = dict.fromkeys(Dated().task_ids(), "walk(light)")
    assert "answers='1999'" in eai.evaluate(Dated(), answers).notes[0]
    found = eai.evaluate(Dated(), answers, answers="1999")
    assert found.tally(found.models[0]).success == 6
    assert eai.evaluate(Dated(), answers, answers="1999", semantics="strict").notes == ()
    with pytest.raises(UnknownNameError, match="no format of answers named '2000'"):
        eai.evaluate(Dated(), answers, answers="2000")


def test_progress_names_the_part_and_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    from io import StringIO

    from eai.cli.output import progress

    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with progress("evaluating") as step:
        assert step is not None
        step(1, 6, "household action_sequencing")
        step(2, 4, "household goal_interpretation")
    assert "evaluating household goal_interpretation" in screen.getvalue()
    assert "2/4" in screen.getvalue()
    assert "left" in screen.getvalue()
