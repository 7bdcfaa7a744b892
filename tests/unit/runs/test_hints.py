"""What is said about answers of which hardly any can be read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import eai
from eai.budget import BeyondBudgetError, Budget
from eai.contract import SUM_LEFT_OUT, Ability
from eai.diagnosis import ErrorKind, Finding, Result
from eai.evaluation.overview import evaluate_outputs
from eai.report import Leaderboard
from eai.report.tables import counts_table
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
        "without the quirk capitals_required they can be read: the same command with "
        "--without-quirk capitals_required (in Python without='capitals_required')"
    )
    assert notes("small", without=["capitals_required"]) == ""


@pytest.mark.parametrize("is_published", [False, True])
def test_missing_answers_count_as_published_only_where_something_was(is_published: bool) -> None:
    class Scored(Household):
        def __init__(self) -> None:
            super().__init__()
            self.name = "virtualhome" if is_published else "household"

    report = eai.evaluate(Scored(), {"m": {IDS[0]: "[]"}})
    assert ("as published" in report.hints[0]) is is_published


def test_to_look_again_takes_a_small_part_of_the_budget() -> None:
    seen: list[tuple[str, Budget]] = []

    class Watched(Letters):
        def evaluate(
            self, ability: str, task: Task, answer: str | None, semantics: Semantics
        ) -> Result:
            seen.append((str(answer), semantics.budget))
            if semantics.budget != Budget() and len(seen) % 2:
                raise BeyondBudgetError("states", 1)
            return super().evaluate(ability, task, answer, semantics)

    told = eai.evaluate(Watched(), {"m": {name: f"small {name}" for name in IDS}}).notes
    assert len(told) == 1
    assert [budget for _, budget in seen[:6]] == [Budget()] * 6
    assert {budget for _, budget in seen[6:]} == {Budget() / 20}


@pytest.mark.parametrize("without", [(), ("noise",)])
def test_no_quirk_is_blamed_for_what_nobody_could_read(without: Sequence[str]) -> None:
    told = notes("1 2 3", without=without)
    assert told == "m: 6 of 6 answers could not be read as answers to action_sequencing"


def test_the_row_of_all_abilities_has_the_hints_of_each(tmp_path: Path) -> None:
    folder = tmp_path / "household" / "action_sequencing"
    folder.mkdir(parents=True)
    (folder / "m.json").write_text(str(dict.fromkeys(IDS, "small")).replace("'", '"'))
    overview = evaluate_outputs([Letters()], tmp_path)
    assert "without the quirk capitals_required" in overview.notes[0]


THINGS = {"light": "ON", "faucet": "OFF", "curtain": "CLOSED", "kettle": "ON", "alarm_clock": "OFF"}
GOALS = json.dumps(
    {
        "node goals": [{"name": name, "state": state} for name, state in THINGS.items()],
        "edge goals": [],
        "action goals": [],
    }
)


def test_answers_of_another_ability_are_noticed() -> None:
    answers = {"m": dict.fromkeys(IDS, GOALS)}
    [hint] = eai.evaluate("household", answers, tasks="answered").hints
    assert hint.startswith(
        "m: no answer is right as answers to action_sequencing, but they can be read as answers to "
        "goal_interpretation: ability='goal_interpretation' (eai evaluate household FILES "
        "--ability goal_interpretation)"
    )


def solved_by(*words: str) -> Callable[[Task, str | None, Semantics], Result]:
    """Return an evaluation that is solved by some words, in capitals where a quirk asks for it."""

    def evaluate_words(_task: Task, answer: str | None, semantics: Semantics) -> Result:
        text = answer or ""
        if "capitals_required" in semantics and not text.isupper():
            return Result("evaluated", findings=(Finding(ErrorKind.PARSING, "small"),))
        return Result("evaluated", success=text.lower() in words)

    return evaluate_words


class Kinds(Letters):
    """A suite of three abilities whose right answers are partly the same."""

    abilities: Mapping[str, Ability] = {
        "action_sequencing": Ability(solved_by("plan")),
        "goal_interpretation": Ability(solved_by("subgoals", "goals")),
        "subgoal_decomposition": Ability(solved_by("plan", "subgoals")),
    }


def hint_on(ability: str, answers: Sequence[str]) -> str:
    given = {"m": dict(zip(IDS, answers, strict=True))}
    [hint] = eai.evaluate(Kinds(), given, ability=ability).hints
    return hint


def test_right_answers_that_a_quirk_hides_are_not_taken_for_another_ability() -> None:
    hint = hint_on("action_sequencing", ["plan"] * 6)
    assert "--without-quirk capitals_required" in hint
    assert "subgoal_decomposition" not in hint


def test_of_other_abilities_the_one_with_most_right_answers_is_named() -> None:
    mixed = ["subgoals"] * 4 + ["plan"] * 2
    assert "ability='subgoal_decomposition'" in hint_on("action_sequencing", mixed)
    mixed = ["subgoals"] * 4 + ["goals"] * 2
    assert "ability='goal_interpretation'" in hint_on("action_sequencing", mixed)


READER = Quirk("any_reader", "Reads by a pattern.", "Reads lists.", "reading")
NUMBERED = Quirk("ids_required", "Names need numbers.", "They do not.", "reading")
TWICE = Quirk("counted_twice", "An error counts twice.", "It counts once.", "reading")


def read_by_pattern(_task: Task, answer: str | None, semantics: Semantics) -> Result:
    text = answer or ""
    readable = "any_reader" not in semantics or "ids_required" not in semantics
    problem = Finding(
        ErrorKind.PARSING if not readable else ErrorKind.ACTION_HALLUCINATION,
        "what is this?",
        times=2 if "counted_twice" in semantics else 1,
    )
    known = readable and (text == "small" or "any_reader" not in semantics)
    return Result("evaluated", findings=() if known else (problem,))


class Numbered(Letters):
    """A suite of which one quirk is a whole reader, and another matters only in that."""

    abilities: Mapping[str, Ability] = {"action_sequencing": Ability(read_by_pattern)}
    quirks: Mapping[str, Quirk] = {quirk.name: quirk for quirk in (READER, NUMBERED, TWICE)}


def test_the_narrowest_quirk_is_named_and_answers_are_counted_once() -> None:
    answers = {"m": {**dict.fromkeys(IDS, "small"), IDS[1]: "large"}}
    [hint] = eai.evaluate(Numbered(), answers).hints
    assert hint.startswith("m: 6 of 6 answers could not be read")
    assert "without='ids_required'" in hint


def test_a_quirk_is_switched_off_as_the_command_takes_it() -> None:
    answers = {"m": {**dict.fromkeys(IDS, "small"), IDS[1]: "large"}}
    [hint] = eai.evaluate(Numbered(), answers, without=["counted_twice"]).hints
    assert "--without-quirk counted_twice --without-quirk ids_required" in hint
    both = ["any_reader", "ids_required"]
    [hint] = eai.evaluate(Numbered(), answers, semantics="strict", only=both).hints
    assert hint.endswith(
        "without the quirk ids_required they can be read: leave --with-quirk ids_required out"
    )


@pytest.mark.parametrize("answer", ["small", GOALS])
def test_what_a_hint_names_is_not_refused(answer: str, tmp_path: Path) -> None:
    """Hints of all abilities at once name commands of one ability each."""
    folder = tmp_path / "household" / "action_sequencing"
    folder.mkdir(parents=True)
    (folder / "m.json").write_text(json.dumps(dict.fromkeys(IDS, answer)))
    suite = Letters() if answer == "small" else Household()
    notes = evaluate_outputs([suite], tmp_path).notes
    same = "eai evaluate household FILES --ability action_sequencing "
    text = "; ".join(notes).replace("the same command with ", f"({same}").replace(" (in Py", ")")
    commands = re.findall(r"\((eai evaluate .*?)\)", text)
    assert commands
    for command in commands:
        assert "--ability" in command


def test_models_with_the_same_hint_share_it() -> None:
    given = {name: dict.fromkeys(IDS, "small") for name in "abcde"}
    report = eai.evaluate(Letters(), given)
    [hint] = report.hints
    assert hint.startswith("a, b, c and 2 more: 30 of 30 answers could not be read as answers to")
    for name in given:
        # In its own row of a table stands what is about a model, and nothing about others.
        [note] = report.notes_of(name)
        assert note.startswith(f"{name}: 6 of 6 ")


def test_the_row_of_a_model_has_no_hints_of_others() -> None:
    given = {"good": dict.fromkeys(IDS, "SMALL"), **{n: dict.fromkeys(IDS, "small") for n in "abc"}}
    report = eai.evaluate(Letters(), given)
    assert report.hints
    assert report.notes_of("good") == []


def test_what_several_models_left_out_together_is_in_no_row() -> None:
    many = {f"unknown-{number}": "SMALL" for number in range(9)}
    given = {"whole": dict.fromkeys(IDS, "SMALL"), "other": dict.fromkeys(IDS, "SMALL") | many}
    report = eai.evaluate(Letters(), given)
    assert any(note.startswith(SUM_LEFT_OUT) for note in report.notes)
    assert report.notes_of("whole") == []
    [note] = report.notes_of("other")
    assert note.startswith("other: 9 predictions")


LEFT_OUT = Quirk("unread_left_out", "What cannot be read is left out.", "It is a failure.")


def left_out(task: Task, answer: str | None, semantics: Semantics) -> Result:
    result = evaluate(task, answer, semantics)
    if result.findings and "unread_left_out" in semantics:
        return replace(result, status="excluded")
    return replace(result, success=not result.findings)


class Skipping(Letters):
    """The same, but answers that cannot be read count in no rate."""

    abilities: Mapping[str, Ability] = {"action_sequencing": Ability(left_out)}
    quirks: Mapping[str, Quirk] = {each.name: each for each in (CAPITALS, LEFT_OUT)}


def half_read(*, without: Sequence[str] = ()) -> eai.Report:
    texts = dict.fromkeys(IDS[:4], "small") | dict.fromkeys(IDS[4:], "BIG")
    answers = {"thinker": texts, "plain": dict.fromkeys(IDS, "BIG")}
    return eai.evaluate(Skipping(), answers, without=without)


def test_model_whose_unread_answers_are_left_out_is_marked_wherever_it_stands(
    tmp_path: Path,
) -> None:
    report = half_read()
    assert report.tally("thinker").unread == 4
    for name, write in (
        ("table.tex", report.to_latex),
        ("report.html", report.to_html),
        ("report.md", report.to_markdown),
    ):
        write(tmp_path / name)
    written = [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()]
    for text in (str(report), str(Leaderboard([report])), *written):
        assert "‡" in text
        assert "plain‡" not in text
    (note,) = report.notes
    assert note.startswith("thinker: read 2 of 6 answers")
    assert "--without-quirk capitals_required" in note
    notes = {str(row["model"]): str(row["notes"]) for row in counts_table(report).rows}
    assert "read 2 of 6 answers" in notes["thinker"]
    assert not notes["plain"]


def test_nothing_is_marked_where_unread_answers_are_failures() -> None:
    report = half_read(without=["unread_left_out"])
    assert report.tally("thinker").unread == 0
    assert "‡" not in str(report)
