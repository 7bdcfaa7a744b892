"""What the page of a result shows: its tables, row by row."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace

import pytest

from eai.diagnosis import UNMET, Behaviour, Condition, ErrorKind, Evidence, Finding, Match, Result
from eai.logic import Atom
from eai.pddl import parse_domain
from eai.world import Trajectory, World

RESULT = Result(
    "evaluated",
    plan=("walk(a)", "open(a)", "close(a)"),
    executed=("done", "failed", "not reached"),
    findings=(
        Finding(ErrorKind.MISSING_STEP, "it is locked", step=2, action="open(a)"),
        Finding(ErrorKind.PARSING, "odd"),
    ),
    goals=(Condition("state", "open(a)", met=False), Condition("state", "lit(b)", met=True)),
    matches=(Match("state", 3, 1, 2),),
    formula="F open(a)",
    formula_holds=False,
)


def rows(result: Result) -> list[list[str]]:
    """The texts of the cells, row by row, headings included."""
    found = []
    for row in re.findall(r"<tr.*?</tr>", result.to_html(), re.DOTALL):
        cells = re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row, re.DOTALL)
        found.append([re.sub(r"<.*?>", "", cell).strip() for cell in cells])
    return found


def test_steps_findings_goals_and_matches_have_a_row_each() -> None:
    found = rows(RESULT)
    for row in (
        ["1", "walk(a)", "done"],
        ["2", "open(a)", "failed"],
        ["3", "close(a)", "not reached"],
        ["missing_step", "2", "it is locked"],
        ["parsing", "", "odd"],
        ["state", "open(a)", "unmet"],
        ["state", "lit(b)", "met"],
        ["state", "3", "1", "2"],
        ["Formula", "F open(a): false"],
    ):
        assert row in found


def test_an_answer_that_was_not_read_has_no_unmet_conditions() -> None:
    unread = Result("evaluated", findings=(Finding(ErrorKind.PARSING, "odd"),), goals=RESULT.goals)
    assert not unread.tried
    assert ["state", "open(a)", "unmet"] not in rows(unread)
    assert RESULT.tried


def test_the_reason_why_a_formula_is_false_is_shown_where_there_is_one() -> None:
    assert RESULT.formula_reason == ""
    assert "<pre" not in RESULT.to_html()
    with_reason = replace(RESULT, reason="open(a) is never true")
    assert with_reason.formula_reason == "open(a) is never true"
    assert re.search(r"<pre.*>open\(a\) is never true</pre>", with_reason.to_html(), re.DOTALL)
    assert with_reason.to_html() == with_reason._repr_html_()
    held = replace(RESULT, formula_holds=True)
    assert ["Formula", "F open(a): true"] in rows(held)
    assert ["Formula", "F open(a): not evaluated"] in rows(replace(RESULT, formula_holds=None))


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        (Result("missing"), "missing"),
        (Result("excluded", success=True), "excluded"),
        (Result("evaluated"), "not solved"),
        (Result("evaluated", success=True), "solved"),
        (Result("evaluated", success=True, outcome="solved"), "solved (solved)"),
        (Result("evaluated", outcome="max_steps"), "not solved (max_steps)"),
    ],
)
def test_a_verdict_has_the_end_of_the_episode_beside_it(result: Result, verdict: str) -> None:
    assert result.verdict == verdict
    assert ["Verdict", verdict] in rows(result)


def test_findings_are_counted_by_kind() -> None:
    twice = replace(RESULT, findings=(*RESULT.findings, Finding(ErrorKind.PARSING)))
    numbers = {kind: twice.number_of(kind) for kind in ErrorKind}
    assert {kind: number for kind, number in numbers.items() if number} == {
        ErrorKind.MISSING_STEP: 1,
        ErrorKind.PARSING: 2,
    }


@pytest.mark.parametrize(
    ("result", "tried"),
    [
        (Result("missing"), False),
        (Result("excluded"), False),
        (Result("missing", matches=RESULT.matches), True),
        (Result("evaluated"), True),
        (Result("evaluated", findings=(Finding(ErrorKind.OBJECT_HALLUCINATION),)), False),
        (Result("evaluated", findings=(Finding(ErrorKind.AFFORDANCE),)), True),
        *(
            (Result("evaluated", executed=(word,), findings=(Finding(ErrorKind.PARSING),)), ran)
            for word, ran in (
                ("done", True),
                ("skipped", True),
                ("failed", True),
                ("not reached", False),
            )
        ),
    ],
)
def test_a_goal_is_tried_if_something_was_run_or_compared(result: Result, tried: bool) -> None:
    assert result.tried is tried


def test_neither_results_nor_findings_take_evidence_along() -> None:
    world = World(parse_domain("(define (domain d) (:predicates (lit)))"))
    seen = Evidence(Trajectory(world, world.state({}, []), []), Atom("lit"))
    finding = Finding(ErrorKind.STATE_GOAL, conditions=("lit()",), step=3, evidence=seen)
    result = replace(RESULT, findings=(finding,), evidence=seen)
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert (again.evidence, again.findings[0].evidence) == (None, None)
    assert (again.findings[0].step, again.findings[0].conditions) == (3, ("lit()",))
    assert result.evidence is seen


@pytest.mark.parametrize("behaviour", list(Behaviour))
def test_a_behaviour_has_a_word_a_label_a_meaning_and_a_measure(behaviour: Behaviour) -> None:
    assert str(behaviour) == behaviour.value == behaviour.name.lower()
    assert behaviour.measure == f"behaviour_{behaviour.value}"
    assert 0 < len(behaviour.label) < len(behaviour.meaning)
    texts = {text for each in Behaviour for text in (each.label, each.meaning)}
    assert len(texts) == 2 * len(Behaviour)


def test_only_a_step_whose_effects_hold_already_is_harmless() -> None:
    assert [kind for kind in ErrorKind if kind.is_harmless] == [ErrorKind.ADDITIONAL_STEP]
    assert [str(kind) for kind in ErrorKind] == [kind.value for kind in ErrorKind]


def test_every_kind_of_error_has_its_own_colour() -> None:
    colours = {kind.colour for kind in ErrorKind}
    assert len(colours) == len(ErrorKind)
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)


@pytest.mark.parametrize(
    ("kind", "key", "label", "short_label"),
    [
        # The headings of the paper's Table 6.
        ("parsing", "parsing", "Parsing", "Parsing"),
        ("action_hallucination", "hallucination", "Hallucination", "Halluc."),
        ("argument_number", "predicate_argument_number", "Predicate-Arg Num", "Arg.\nNum"),
        ("wrong_order", "wrong_order", "Wrong Order", "Wrong\nOrder"),
        ("missing_step", "missing_step", "Missing Step", "Missing\nStep"),
        ("affordance", "affordance_error", "Affordance", "Afford."),
        ("additional_step", "additional_step", "Additional Step", "Addit.\nStep"),
        # A kind that the published evaluator does not have is counted under its name.
        ("path_goal", "path_goal", "Path Goal", "Path\nGoal"),
    ],
)
def test_a_kind_of_error_is_headed_in_reports(
    kind: str, key: str, label: str, short_label: str
) -> None:
    error = ErrorKind(kind)
    assert (error.key, error.label, error.short_label) == (key, label, short_label)


def test_only_an_unmet_condition_without_a_text_has_a_reason() -> None:
    unmet = Finding(ErrorKind.ACTION_GOAL, conditions=("LOOK",))
    assert unmet.reason
    assert Finding(ErrorKind.ACTION_GOAL, "said", conditions=("LOOK",)).reason == ""
    assert Finding(ErrorKind.STATE_GOAL, conditions=("lit()",)).reason == ""
    for kind in ErrorKind:
        if kind not in UNMET:
            assert Finding(kind, conditions=("LOOK",)).reason == ""


def test_a_finding_counts_once_unless_it_says_otherwise() -> None:
    assert Finding(ErrorKind.PARSING).times == 1
