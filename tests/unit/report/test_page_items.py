"""Items of the page as data: the index, the packed portions, and what is told of an answer."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import replace
from typing import Any

import pytest
from report_samples import EXCLUDED, GARBLED, MISSING, SOLVED, STOPPED, record

from eai.diagnosis import Condition, ErrorKind, Finding, Match, Result
from eai.errors import InputError
from eai.report import Record
from eai.report.explanation import StepChange
from eai.report.page import Details, PartTruth, details_reader
from eai.report.page.items import PORTION, index, packed, portions
from eai.suites.household import Household


def unpacked(text: str) -> Any:
    return json.loads(gzip.decompress(base64.b64decode(text)))


def item(one: Record, details: Details | None = None) -> dict[str, Any]:
    [text] = portions([one], None if details is None else lambda _: details)
    [found] = unpacked(text)
    assert isinstance(found, dict)
    return found


def test_packed_data_are_the_same_again_and_plain_letters() -> None:
    data = {"a": [1, None, "é\u2028"], "b": "x" * 5000}
    assert unpacked(packed(data)) == data
    assert packed(data) == packed(data)
    assert len(packed(data)) < 300
    assert packed(data).isascii()


def test_the_index_lists_names_once_and_rows_by_number() -> None:
    records = [
        record(SOLVED, task="a"),
        replace(record(STOPPED, task="b", model="beta"), name="Cook"),
        replace(record(MISSING, task="c", model="beta"), epoch=2),
        record(EXCLUDED, task="d"),
        record(GARBLED, task="e"),
    ]
    found = index(records)
    assert found["models"] == ["alpha", "beta"]
    assert found["names"] == ["Wash clothes", "Cook"]
    assert found["status"] == ("solved", "failed", "missing", "excluded")
    assert found["portion"] == PORTION
    kinds = found["kinds"]
    assert [row[0] for row in found["items"]] == [0, 1, 1, 0, 0]
    assert [row[1] for row in found["items"]][:2] == ["a", "b"]
    assert "2" in found["items"][2][1]
    assert [row[2] for row in found["items"]] == [0, 1, 0, 0, 0]
    assert [row[3] for row in found["items"]] == [0, 1, 2, 3, 1]
    assert [[kinds[number] for number in row[4]] for row in found["items"]] == [
        [],
        ["additional step", "wrong order"],
        ["no answer"],
        [],
        ["action hallucination", "object hallucination"],
    ]
    assert index([]) == {
        "models": [],
        "names": [],
        "kinds": [],
        "status": found["status"],
        "portion": PORTION,
        "items": [],
    }


@pytest.mark.parametrize(
    ("result", "kinds", "reason"),
    [
        (SOLVED, [], "solved"),
        (MISSING, ["no answer"], "no prediction"),
        (EXCLUDED, [], "left out"),
        (replace(EXCLUDED, notes=("nothing to do", "x")), [], "nothing to do"),
        (Result("evaluated"), ["goal not reached"], "goal not reached"),
        (
            Result("evaluated", goals=STOPPED.goals),
            ["goal not reached"],
            "goal not reached, 2 of 3 goal conditions unmet",
        ),
        (
            replace(STOPPED, findings=STOPPED.findings[:1] * 2),
            ["additional step"],
            "additional step, 2 of 3 goal conditions unmet",
        ),
        (
            replace(GARBLED, findings=GARBLED.findings[:1]),
            ["action hallucination"],
            "action hallucination",
        ),
        (
            Result("evaluated", matches=(Match("a", 1, 0, 2), Match("b", 1, 0, 0))),
            ["left out"],
            "left out",
        ),
        (
            Result("evaluated", matches=(Match("a", 1, 0, 0), Match("b", 1, 3, 0))),
            ["not annotated"],
            "not annotated",
        ),
        (
            Result("evaluated", matches=(Match("a", 1, 1, 1),)),
            ["left out", "not annotated"],
            "left out, not annotated",
        ),
        (Result("evaluated", success=True, matches=(Match("a", 1, 1, 1),)), [], "solved"),
    ],
)
def test_an_item_says_in_words_why_it_failed(result: Result, kinds: list[str], reason: str) -> None:
    found = index([record(result)])
    assert found["kinds"] == kinds
    assert found["items"][0][5] == reason


def test_long_names_are_short_in_the_index() -> None:
    def shown(length: int) -> list[str]:
        one = record(EXCLUDED, model="m" * length, task="t" * length)
        found = index([replace(one, name="n" * length)])
        return [found["models"][0], found["names"][0], found["items"][0][1]]

    assert shown(200) == [letter * 200 for letter in "mnt"]
    for text, letter in zip(shown(201), "mnt", strict=True):
        assert text.startswith(letter * 200)
        assert text[200:].strip(letter)

    def reason(length: int) -> str:
        found = index([record(replace(EXCLUDED, notes=("w" * length,)))])
        return str(found["items"][0][5])

    assert reason(160) == "w" * 160
    assert reason(161).startswith("w" * 160)
    assert reason(161)[160:].strip("w")


def test_portions_hold_all_items_in_order() -> None:
    for number in (0, 1, PORTION, PORTION + 1, 2 * PORTION + 3):
        records = [record(SOLVED, task=f"t{n}", output=f"out {n}") for n in range(number)]
        parts = [unpacked(text) for text in portions(records, None)]
        assert [len(part) for part in parts] == [PORTION] * (number // PORTION) + (
            [number % PORTION] if number % PORTION else []
        )
        assert [each["output"] for part in parts for each in part] == [
            f"out {n}" for n in range(number)
        ]


def test_models_that_answer_alike_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    asked: list[str] = []

    def read(one: Record) -> Details:
        asked.append(one.model)
        return Details(f"for {one.task}")

    records = [record(SOLVED, model=model, task=task) for task in "ab" for model in "xyz"]
    other = replace(record(STOPPED, model="w", task="a"))
    parts = [unpacked(text) for text in portions([*records, other], read)]
    assert asked == ["x", "x", "w"]
    assert [each["instruction"] for each in parts[0]] == ["for a"] * 3 + ["for b"] * 3 + ["for a"]
    # Only so many are kept.
    monkeypatch.setattr(sys.modules[portions.__module__], "_MAX_CACHED", 2)
    asked.clear()
    many = [record(SOLVED, task=task) for task in "ababcab"]
    list(portions(many, read))
    assert len(asked) == 5


@pytest.mark.parametrize(
    ("finding", "lines"),
    [
        (Finding(ErrorKind.PARSING, "x"), []),
        (Finding(ErrorKind.AFFORDANCE, "x", step=3), ["step 3"]),
        (Finding(ErrorKind.AFFORDANCE, "x", step=3, action="go(a)"), ["step 3: go(a)"]),
        (
            Finding(ErrorKind.WRONG_ORDER, "x", conditions=("a", "b"), held_until=0),
            ["needs a", "needs b", "last held at the start"],
        ),
        (
            Finding(ErrorKind.WRONG_ORDER, "x", held_until=2, destroyed_by=3),
            ["last held after step 2", "made false by step 3"],
        ),
        (Finding(ErrorKind.PARSING, "x", position=0), ["at character 1 of the answer"]),
        (Finding(ErrorKind.PARSING, "x", position=1233), ["at character 1,234 of the answer"]),
    ],
)
def test_more_about_a_finding_is_told_line_by_line(finding: Finding, lines: list[str]) -> None:
    found = item(record(replace(STOPPED, findings=(finding,))))
    kind = finding.kind.value.replace("_", " ")
    assert found["findings"] == [[kind, "x", lines, finding.step]]


@pytest.mark.parametrize(
    ("goal", "lines"),
    [
        (Condition("state", "a", met=True, since=0), ["true from the start"]),
        (Condition("state", "a", met=True, since=2), ["true from step 2"]),
        (Condition("state", "a", met=True), []),
        (Condition("state", "a", met=False), ["never held"]),
        (Condition("action", "A", met=False), ["never taken"]),
        (
            Condition("state", "a", met=False, since=0, lost_by=1),
            ["true from the start", "lost by step 1"],
        ),
    ],
)
def test_a_condition_has_its_history(goal: Condition, lines: list[str]) -> None:
    found = item(record(replace(STOPPED, goals=(goal,))))
    row = [goal.kind, goal.text, lines]
    assert (found["met"], found["unmet"]) == (([row], []) if goal.met else ([], [row]))
    # Where nothing was run, an unmet condition has no history; where nothing was tried, none is.
    bare = item(record(Result("evaluated", goals=(goal,))))
    assert bare["unmet"] == ([] if goal.met else [[goal.kind, goal.text, []]])
    unread = item(record(replace(GARBLED, goals=(goal,))))
    assert unread["met"] == unread["unmet"] == []


@pytest.mark.parametrize(
    ("holds", "verdict"), [(True, "holds"), (False, "does not hold"), (None, "was not evaluated")]
)
def test_the_formula_has_its_verdict_and_reason(holds: bool | None, verdict: str) -> None:
    found = item(record(replace(STOPPED, formula_holds=holds)))
    assert found["formula"] == [verdict, STOPPED.formula, [STOPPED.reason]]
    bare = item(record(replace(STOPPED, formula_holds=holds, reason="")))
    assert bare["formula"] == [verdict, STOPPED.formula, []]
    assert item(record(replace(STOPPED, formula="")))["formula"] is None


def test_steps_have_their_outcomes_and_matches_their_numbers() -> None:
    result = replace(STOPPED, executed=STOPPED.executed[:2], matches=(Match("state", 1, 2, 3),))
    found = item(record(result))
    assert found["steps"] == [
        ["walk(sink_3)", "done"],
        ["walk(sink_3)", "skipped"],
        ["putin(cup_2, sink_3)", ""],
        ["sit(chair_4)", ""],
    ]
    assert found["matches"] == [["state", 1, 2, 3]]
    assert found["remarks"] == ["a code fence was removed"]
    assert (found["output"], bool(found["cut"])) == ("{}", False)


@pytest.mark.parametrize(
    ("what", "most"), [("steps", 200), ("findings", 50), ("goal conditions", 50), ("remarks", 50)]
)
def test_long_lists_are_cut_and_it_is_said(what: str, most: int) -> None:
    bare = replace(SOLVED, goals=(), notes=())
    for number in (most, most + 1, 1234):
        parts: dict[str, dict[str, Any]] = {
            "steps": {"plan": tuple(f"s{n}()" for n in range(number)), "executed": ("done",)},
            "findings": {"findings": (Finding(ErrorKind.AFFORDANCE, "x", step=1),) * number},
            "goal conditions": {"goals": (Condition("state", "a", met=True),) * number},
            "remarks": {"notes": tuple(f"n{n}" for n in range(number))},
        }
        found = item(record(replace(bare, **parts[what])))
        key = {"goal conditions": "met"}.get(what, what)
        said = f"the first {most} of {number:,} {what} are shown"
        assert (said in found["remarks"]) is (number > most)
        shown = [each for each in found[key] if not str(each).startswith("the first")]
        assert len(shown) == most


def test_a_long_answer_is_cut() -> None:
    whole = item(record(SOLVED, output="y" * 4096))
    assert (whole["output"], bool(whole["cut"])) == ("y" * 4096, False)
    cut = item(record(SOLVED, output="y" * 4097))
    assert len(cut["output"]) <= 4096
    assert cut["cut"]


def test_details_stand_beside_the_record() -> None:
    steps = (
        StepChange(1, "walk()", "done", tuple(f"a{n}" for n in range(41)), ("b",)),
        StepChange(2, "open()", "done", tuple(f"a{n}" for n in range(40))),
        StepChange(3, "shut()", "done"),
    )
    truth = (PartTruth("lit()", (True, False, True)),)
    details = Details("Do it.", steps, (0, 1, 2), truth, ("insert x",), SOLVED, ("goes round",))
    found = item(record(STOPPED), details)
    assert found["instruction"] == "Do it."
    assert [len(added) for added, _ in found["changes"]] == [41, 40]
    assert found["changes"][0][0][-1] == "... and 1 more"
    assert found["changes"][0][1] == ["b"]
    assert found["positions"] == [0, 1, 2]
    assert found["truth"] == [["lit()", "101"]]
    assert found["repair"] == ["insert x"]
    assert found["remarks"] == ["goes round"]
    # What is told is of the result with its evidence.
    assert found["steps"] == [["walk(light_1)", "done"], ["switchon(light_1)", "done"]]
    assert item(record(SOLVED), Details())["repair"] is None
    assert "repair" not in item(record(SOLVED))


# ---- what the suite knows of an answer

SUITE = Household()
STRICT = SUITE.semantics("strict")
STUCK = '[{"WALK": ["light.34"]}, {"GRAB": ["couch.22"]}]'
SHORT = '[{"WALK": ["light.34"]}]'


def evaluated(answer: str, *, task: str = "studio-01") -> Record:
    result = SUITE.evaluate("action_sequencing", SUITE.task(task), answer, STRICT)
    one = record(result, task=task, output=answer)
    return replace(one, version=SUITE.version, semantics="strict")


def test_the_details_of_a_plan_are_what_it_did() -> None:
    read = details_reader(SUITE, STRICT)
    found = read(evaluated(STUCK))
    assert found is not None
    assert found.instruction == SUITE.task("studio-01").instruction
    assert [step.outcome for step in found.steps] == ["done", "failed"]
    assert found.steps[0].added
    assert found.positions == (0, 1)
    assert [row.truth for row in found.truth] == [(False, False)]
    assert (found.repair, found.behaviours) == (None, ())
    assert read(evaluated("no plan")) == Details(
        found.instruction, result=evaluated("no plan").result
    )


def test_repairs_are_looked_for_of_plans_that_failed() -> None:
    read = details_reader(SUITE, STRICT, repairs=True)
    failed, solved = (
        read(evaluated(SHORT)),
        read(evaluated(f'{SHORT[:-1]}, {{"SWITCHON": ["light.34"]}}]')),
    )
    assert failed is not None
    assert failed.repair is not None
    assert len(failed.repair) == 1
    assert "switchon" in failed.repair[0]
    assert solved is not None
    assert solved.repair is None
    other = replace(evaluated(SHORT), ability="subgoal_decomposition")
    left_out = replace(evaluated(SHORT), result=replace(evaluated(SHORT).result, status="excluded"))
    for one in (other, left_out):
        found = read(one)
        assert found is not None
        assert found.repair is None


def test_a_task_that_is_gone_has_no_details() -> None:
    assert details_reader(SUITE, STRICT)(replace(evaluated(SHORT), task="gone")) is None


def test_a_task_is_loaded_once_for_all_models(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    load = SUITE.task

    def counting(task_id: str) -> object:
        loaded.append(task_id)
        return load(task_id)

    monkeypatch.setattr(SUITE, "task", counting)
    one = evaluated(SHORT)
    loaded.clear()
    read = details_reader(SUITE, STRICT)
    for _ in range(3):
        assert read(one) is not None
    assert loaded == ["studio-01"]


def test_what_is_asked_of_no_suite_is_refused() -> None:
    from eai.report import Report
    from eai.report.page.details import reader_at_hand, reader_of

    here = Report([evaluated(SHORT)])
    assert reader_of(here) is not None
    assert reader_at_hand(here) is not None
    assert here.suite_at_hand is not None
    assert here.suite_at_hand.name == "household"
    assert reader_of(Report([])) is None
    assert Report([]).suite_at_hand is None
    for ability in ("interaction", "recorded"):
        assert reader_of(Report([replace(evaluated(SHORT), ability=ability)])) is not None
    goals = Report([replace(evaluated(SHORT), ability="goal_interpretation")])
    assert reader_of(goals) is None
    assert reader_at_hand(goals) is None
    older = Report([replace(evaluated(SHORT), version="0.1")])
    assert reader_of(older) is not None
    assert reader_at_hand(older) is None
    assert older.suite_at_hand is None
    gone = Report([replace(evaluated(SHORT), suite="gone")])
    assert reader_at_hand(gone) is None
    assert gone.suite_at_hand is None
    path = Report([replace(evaluated(SHORT), suite="pddl:no/such/folder")])
    assert path.suite_at_hand is None
    with pytest.raises(InputError):
        reader_of(gone)


@pytest.mark.parametrize("length", [2000, 2001])
def test_long_sentences_are_cut(length: int) -> None:
    text = "w" * length
    result = replace(
        STOPPED, findings=(Finding(ErrorKind.PARSING, text),), formula=text, reason=text
    )
    found = item(record(result), Details(text, result=result))
    for shown in (
        found["instruction"],
        found["findings"][0][1],
        found["formula"][1],
        found["formula"][2][0],
    ):
        assert (shown == text) is (length == 2000)
        assert shown.startswith("w" * 2000)


@pytest.mark.parametrize(
    ("models", "as_matrix"), [(1, 0), (2, 0), (4, 0), (5, 1), (12, 1), (13, 0)]
)
def test_of_several_models_there_is_a_matrix_unless_they_are_too_many(
    models: int, as_matrix: int
) -> None:
    from eai.report import Report
    from eai.report.page.writer import _differences

    records = [
        record(SOLVED if number else GARBLED, model=f"m{number}", task=f"t{task}")
        for number in range(models)
        for task in range(2)
    ]
    matrix, said = _differences(Report(records))
    assert bool(matrix) is bool(as_matrix)
    assert bool(said) is (models > 1)
    assert any("eai compare" in each for each in said) is (models > 4)


@pytest.mark.parametrize(("limit", "are_compared"), [(3, False), (4, True), (5, True)])
def test_models_are_compared_on_the_page_up_to_a_number_of_records(
    limit: int, are_compared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from eai.report import Report
    from eai.report.page import writer

    monkeypatch.setattr(writer, "_MAX_COMPARED_RECORDS", limit)
    records = [record(SOLVED, model=model, task=task) for model in "ab" for task in ("t1", "t2")]
    _, said = writer._differences(Report(records))
    assert any("eai compare" in each for each in said) is not are_compared
