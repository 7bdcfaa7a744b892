"""What is said about answers of which hardly any can be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import eai
from eai.contract import Ability
from eai.diagnosis import ErrorKind, Finding, Result
from eai.overview import evaluate_outputs
from eai.semantics import Quirk, Semantics
from eai.suites.household import Household
from eai.task import Task

IDS = Household().task_ids()[:6]
NOISE = Quirk("noise", "It makes a noise.", "It is quiet.")
CAPITALS = Quirk("capitals_required", "Small letters cannot be read.", "They can.")


def evaluate(_task: Task, answer: str | None, semantics: Semantics) -> Result:
    text = answer or ""
    readable = text.isupper() if "capitals_required" in semantics else text.isalpha()
    problem = Finding(ErrorKind.PARSING, "what is this?")
    return Result("evaluated", findings=() if readable else (problem,))


class Letters(Household):
    """A suite with two quirks, one of which concerns reading."""

    abilities: Mapping[str, Ability] = {"action_sequencing": Ability(evaluate)}
    quirks: Mapping[str, Quirk] = {quirk.name: quirk for quirk in (NOISE, CAPITALS)}
    official_version = "letters 0.1"
    default_semantics = "official"

    def task_ids(self) -> Sequence[str]:
        return Household().task_ids()[:6]


def notes(answer: str, *, without: Sequence[str] = ()) -> str:
    report = eai.evaluate(Letters(), {"m": dict.fromkeys(IDS, answer)}, without=without)
    return "; ".join(report.notes)


def test_the_quirk_that_keeps_answers_from_being_read_is_named() -> None:
    assert notes("small") == (
        "m: 6 of 6 answers could not be read as answers to action_sequencing, as published; "
        "without the quirk capitals_required they can (without='capitals_required', "
        "--without-quirk capitals_required)"
    )
    assert notes("small", without=["capitals_required"]) == ""


@pytest.mark.parametrize("without", [(), ("noise",)])
def test_no_quirk_is_blamed_for_what_nobody_could_read(without: Sequence[str]) -> None:
    told = notes("1 2 3", without=without)
    assert told.endswith(
        "could not be read as answers to action_sequencing: are they answers to another ability?"
    )


def test_the_row_of_all_abilities_has_the_hints_of_each(tmp_path: Path) -> None:
    folder = tmp_path / "household" / "action_sequencing"
    folder.mkdir(parents=True)
    (folder / "m.json").write_text(str(dict.fromkeys(IDS, "small")).replace("'", '"'))
    overview = evaluate_outputs([Letters()], tmp_path)
    assert "without the quirk capitals_required" in overview.notes[0]
