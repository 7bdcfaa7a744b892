"""The explanation of a record, made by hand: what stands where in its text and on its page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from report_samples import EXCLUDED, GARBLED, MISSING, SOLVED, STOPPED, record

import eai
from eai.diagnosis import Behaviour, Condition, ErrorKind, Evidence, Finding, Match, Measure, Result
from eai.errors import InputError, UnknownNameError
from eai.logic import And, Atom, Then, truth_table
from eai.pddl import parse_domain
from eai.report import Record, explain
from eai.report.explanation import (
    Explanation,
    StepChange,
    _draw_truth,
    behaviour_lines,
    behaviours_of,
    steps_of,
    suite_of,
    trajectory_of,
    with_evidence,
)
from eai.suites.household import Household
from eai.world import Action, State, Step, Trajectory, World

SUITE = Household()
STRICT = SUITE.semantics("strict")


def told(result: Result, *, ability: str = "", **parts: object) -> list[str]:
    """The lines of an explanation whose steps changed nothing."""
    one = record(result)
    one = replace(one, ability=ability or one.ability)
    made = Explanation(one, "Do it.", tuple(steps_of(one, None)), **parts)  # type: ignore[arg-type]
    return str(made).splitlines()


def cells(html: str) -> list[list[str]]:
    rows = re.findall(r"<tr.*?</tr>", html, re.DOTALL)
    return [
        [re.sub(r"<.*?>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in rows
    ]


@pytest.mark.parametrize(
    ("result", "ability", "verdict"),
    [
        (SOLVED, "", "solved, executable"),
        (STOPPED, "", "not solved, not executable"),
        (replace(STOPPED, executable=True), "", "not solved, executable"),
        (MISSING, "", "missing"),
        (EXCLUDED, "", "excluded"),
        (Result("evaluated", outcome="timeout"), "", "not solved (search: timeout)"),
        (replace(STOPPED, outcome="max_steps"), "", "not solved, not executable"),
        (Result("evaluated", success=True), "own", "right"),
        (Result("evaluated"), "own", "wrong"),
        (Result("evaluated", plan=("a()",)), "own", "not solved, not executable"),
        (Result("evaluated", goals=STOPPED.goals), "own", "not solved, not executable"),
        (Result("evaluated", matches=(Match("state", 1, 0, 0),)), "", "not all correct"),
        (Result("evaluated", success=True, matches=(Match("state", 1, 0, 0),)), "", "right"),
    ],
)
def test_the_verdict_is_that_of_the_kind_of_answer(
    result: Result, ability: str, verdict: str
) -> None:
    assert f"Verdict: {verdict}" in told(result, ability=ability)


def test_the_head_names_the_item_and_all_remarks() -> None:
    lines = told(STOPPED, remarks=("look out",))
    assert lines[0].startswith("household t1: Wash clothes (alpha, ")
    assert lines[1] == "  Do it."
    assert lines[3:5] == ["  note: look out", "  note: a code fence was removed"]
    assert not any("lists the objects" in line for line in lines)
    assert any("eai tasks household t1" in line for line in told(GARBLED))


def test_findings_stand_at_their_steps_and_those_without_one_above() -> None:
    result = replace(
        STOPPED,
        findings=(
            *STOPPED.findings,
            Finding(ErrorKind.PARSING, "it ends early"),
            Finding(ErrorKind.AFFORDANCE, "there is no such step", step=5),
            Finding(ErrorKind.AFFORDANCE, "the last one", step=4),
            Finding(ErrorKind.STATE_GOAL, "not lit", conditions=("lit()",)),
        ),
    )
    lines = told(result)
    above = lines[: lines.index("  1 walk(sink_3)  [done]")]
    assert "  parsing: it ends early" in above
    assert "  affordance: there is no such step" in above
    assert not any("not lit" in line or "the last one" in line for line in above)
    at = lines.index("  3 putin(cup_2, sink_3)  [failed]")
    assert lines[at + 1] == "      wrong_order: the cup is not held any more"
    assert lines[at + 2 : at + 4] == [
        "  4 sit(chair_4)  [not reached]",
        "      affordance: the last one",
    ]


def test_what_a_step_changed_stands_below_it() -> None:
    step = StepChange(1, "open(a)", "done", ("open(a)", "lit(b)"), ("shut(a)",))
    one = Explanation(record(SOLVED), "", (step, StepChange(2, "wait()", "done")))
    lines = str(one).splitlines()
    at = lines.index("  1 open(a)  [done]")
    assert lines[at + 1 : at + 4] == [
        "      + open(a), lit(b)",
        "      - shut(a)",
        "  2 wait()  [done]",
    ]
    assert ["1", "open(a)", "done", "open(a), lit(b)", "shut(a)", ""] in cells(one._repr_html_())


@pytest.mark.parametrize(
    ("goal", "line"),
    [
        (Condition("state", "a()", met=True, since=0), "  met   a() (from the start)"),
        (Condition("state", "a()", met=True, since=3), "  met   a() (since step 3)"),
        (Condition("state", "a()", met=False, since=1, lost_by=2), "  unmet a() (lost by step 2)"),
        (Condition("state", "a()", met=False), "  unmet a()"),
        (Condition("action", "LOOK", met=True, since=3), "  met   LOOK (in step 3)"),
    ],
)
def test_a_condition_has_its_history_behind_it(goal: Condition, line: str) -> None:
    assert line in told(replace(STOPPED, goals=(goal,)))
    # Of an answer that was not tried no condition is told.
    assert line not in told(replace(GARBLED, goals=(goal,)))
    row = [goal.text, "met" if goal.met else "unmet"]
    shown = cells(Explanation(record(replace(STOPPED, goals=(goal,))), "", ())._repr_html_())
    assert [each[:2] for each in shown if each[:1] == row[:1]] == [row]


def test_why_a_condition_is_not_met_is_told_with_what_the_formula_asks_for() -> None:
    goals = (
        Condition("action", "LOOK", met=False),
        Condition("state", "lit()", met=False),
        Condition("action", "SEE", met=True, since=1),
    )
    findings = (
        Finding(ErrorKind.WRONG_ORDER, "no", step=1, conditions=("LOOK",)),
        Finding(ErrorKind.ACTION_GOAL, conditions=("LOOK",)),
    )
    result = replace(STOPPED, goals=goals, findings=findings)
    lines = told(result, asked={"LOOK": "for the cup", "lit()": "no", "SEE": "no"})
    at = lines.index("  unmet LOOK")
    reason, _, asked = lines[at + 1].strip().partition("; ")
    assert reason == findings[1].reason != ""
    assert asked == "for the cup"
    assert lines[at + 2 : at + 4] == ["  unmet lit()", "  met   SEE (in step 1)"]


def test_a_condition_on_the_way_is_told_with_the_goal() -> None:
    for amount, word in ((1, "met  "), (0, "unmet")):
        result = replace(STOPPED, measures=(Measure("path_goal", amount, 1), Measure("x", 1, 2)))
        lines = told(result)
        assert sum(line.endswith("path condition") for line in lines) == 1
        assert f"  {word} path condition" in lines


@pytest.mark.parametrize(("holds", "said"), [(True, "true"), (False, "false"), (None, "not")])
def test_the_formula_has_its_verdict_and_its_reason(holds: bool | None, said: str) -> None:
    lines = told(replace(STOPPED, formula_holds=holds))
    at = lines.index(f"Formula: {STOPPED.formula}")
    assert lines[at + 1].startswith(f"  {said}")
    assert lines[at + 1].endswith(f": {STOPPED.reason}")
    bare = told(replace(STOPPED, formula_holds=holds, reason=""))
    assert not bare[bare.index(f"Formula: {STOPPED.formula}") + 1].endswith(":")
    html = Explanation(record(STOPPED), "", ())._repr_html_()
    assert STOPPED.reason in html
    assert "<pre" in html


def test_compared_things_are_counted() -> None:
    result = Result("evaluated", matches=(Match("state", 3, 1, 2), Match("action", 0, 0, 1)))
    lines = told(result)
    for kind, numbers in (("state", (3, 1, 2)), ("action", (0, 0, 1))):
        [line] = [each for each in lines if each.startswith(f"  {kind}: ")]
        assert tuple(map(int, re.findall(r"\d+", line))) == numbers


def test_behaviours_are_told_with_their_turns() -> None:
    shown = {Behaviour.OSCILLATES: (3, 4), Behaviour.STOPS_EARLY: (7,)}
    lines = behaviour_lines(shown)
    assert [line.partition(":")[0] for line in lines] == [each.label for each in shown]
    assert lines[0].endswith("turns 3, 4")
    assert lines[1].endswith("turn 7")
    story = told(STOPPED, behaviours=shown)
    assert [line.strip() for line in story[story.index("Behaviours") + 1 :][:2]] == lines
    assert "Behaviours" not in told(STOPPED)
    one = Explanation(record(STOPPED), "", (), behaviours=shown)
    assert [row[1] for row in cells(one._repr_html_()) if row[:1] == ["Behaviour"]] == lines


def test_the_page_has_the_answer_the_remarks_and_what_is_wrong_with_no_step() -> None:
    result = replace(
        STOPPED, findings=(*STOPPED.findings, Finding(ErrorKind.PARSING, "it ends early"))
    )
    one = record(result, output="<b>walk</b>")
    html = Explanation(one, "Do it.", tuple(steps_of(one, None)), ("look out",))._repr_html_()
    rows = cells(html)
    for row in (
        ["Instruction", "Do it."],
        ["Verdict", result.verdict],
        ["Note", "look out"],
        ["Note", "a code fence was removed"],
        ["parsing", "it ends early"],
        ["1", "walk(sink_3)", "done", "", "", ""],
    ):
        assert row in rows
    [last] = [row for row in rows if row[:2] == ["3", "putin(cup_2, sink_3)"]]
    assert last[-1] == "wrong_order: the cup is not held any more"
    assert "&lt;b&gt;walk" in html
    assert "<b>walk" not in html
    assert not [row for row in cells(Explanation(one, "", ())._repr_html_()) if "Instr" in row[0]]


@pytest.mark.parametrize(
    ("conditions", "kind", "word"),
    [
        (("CannotReach",), ErrorKind.UNSCORABLE, "CannotReach"),
        (("it is far", "x"), ErrorKind.UNSCORABLE, "unscorable"),
        ((), ErrorKind.UNSCORABLE, "unscorable"),
        (("lit",), ErrorKind.MISSING_STEP, "missing_step"),
    ],
)
def test_a_step_that_a_world_refused_has_its_word(
    conditions: tuple[str, ...], kind: ErrorKind, word: str
) -> None:
    finding = Finding(kind, "no", step=1, conditions=conditions)
    assert f"      {word}: no" in told(replace(STOPPED, findings=(finding,)))


# ---- what is found out of a record

LAMPS = World(
    parse_domain("""(define (domain d) (:requirements :adl) (:predicates (lit ?x) (near ?x ?y))
      (:action flash :parameters () :effect (forall (?x) (lit ?x)))
      (:action snap :parameters (?x) :effect (not (lit ?x))))""")
)


def run(names: Sequence[str], *plan: str) -> Trajectory:
    start = LAMPS.state(dict.fromkeys(names, "object"), [])
    state, steps = start.begin(), []
    for number, text in enumerate(plan, start=1):
        name, *arguments = text.split()
        changes = LAMPS.apply(state, name, LAMPS.numbers(state, name, arguments))
        steps.append(Step(Action(name, tuple(arguments)), 2 * number, changes))
    return Trajectory(LAMPS, start, steps, state)


def test_many_atoms_of_one_predicate_are_counted() -> None:
    result = replace(SOLVED, plan=("wait()", "flash()"), executed=("skipped", "done"))
    for names, added in (("abcd", [f"lit({n})" for n in "abcd"]), ("abcde", ["lit (5 facts)"])):
        first, second = steps_of(record(result), run(names, "flash"))
        assert (first.number, first.outcome, first.added, first.deleted) == (1, "skipped", (), ())
        assert list(second.added) == added


def test_steps_have_what_they_changed_by_their_numbers() -> None:
    result = Result(
        "evaluated",
        plan=("wait()", "flash()", "wait()", "snap(a)", "snap(b)"),
        executed=("skipped", "done", "skipped", "done"),
        findings=(
            Finding(ErrorKind.ADDITIONAL_STEP, "x", step=1),
            Finding(ErrorKind.ADDITIONAL_STEP, "y", step=3),
            Finding(ErrorKind.AFFORDANCE, "z", step=3),
            Finding(ErrorKind.PARSING, "q"),
        ),
    )
    found = steps_of(record(result), run("ab", "flash", "snap a"))
    assert [step.number for step in found] == [1, 2, 3, 4]
    assert [step.added for step in found] == [(), ("lit(a)", "lit(b)"), (), ()]
    assert [step.deleted for step in found] == [(), (), (), ("lit(a)",)]
    assert [len(step.findings) for step in found] == [1, 0, 2, 0]
    turns = {1: (("seen",), ()), 4: ((), ("gone",))}
    with_turns = steps_of(record(result), None, turns)
    assert [(step.added, step.deleted) for step in with_turns] == [
        (("seen",), ()),
        ((), ()),
        ((), ()),
        ((), ("gone",)),
    ]


METERED = World(
    parse_domain("""(define (domain d) (:requirements :adl :numeric-fluents)
      (:predicates (lit ?x)) (:functions (used ?x) (price))
      (:action light :parameters (?x)
        :effect (and (lit ?x) (increase (used ?x) 2.5) (decrease (price) 1)))
      (:action fix :parameters (?x) :effect (assign (price) 7)))""")
)


def test_numbers_that_a_step_changed_stand_with_their_new_and_old_values() -> None:
    price, used = Atom("price"), Atom("used", ("a",))
    start = METERED.state({"a": "object"}, [], {price: 3, used: 0})
    result = replace(SOLVED, plan=("light(a)", "fix(a)"), executed=("done", "done"))
    lit, fixed = steps_of(record(result), metered_run(start, "light", "fix"))
    assert set(lit.added) == {"lit(a)", "used(a) = 2.5", "price() = 2"}
    assert set(lit.deleted) == {"used(a) = 0", "price() = 3"}
    assert (fixed.added, fixed.deleted) == (("price() = 7",), ("price() = 2",))
    # A number without a value has no old one.
    start = METERED.state({"a": "object"}, [], {used: 0})
    alone = replace(SOLVED, plan=("fix(a)",), executed=("done",))
    [fixed] = steps_of(record(alone), metered_run(start, "fix"))
    assert (fixed.added, fixed.deleted) == (("price() = 7",), ())


def metered_run(start: State, *names: str) -> Trajectory:
    """Do actions on the object ``a``."""
    state, steps = start.begin(), []
    for number, name in enumerate(names, start=1):
        changes = METERED.apply(state, name, METERED.numbers(state, name, ["a"]))
        steps.append(Step(Action(name, ("a",)), number, changes))
    return Trajectory(METERED, start, steps, state)


def household(answer: str, *, task: str = "studio-01") -> Record:
    [found] = eai.evaluate(
        SUITE, {"m": {task: answer}}, semantics="strict", tasks="answered"
    ).records
    return found


STUCK = '[{"WALK": ["light.34"]}, {"GRAB": ["couch.22"]}]'


def test_an_answer_is_run_again_only_if_something_of_it_was_done() -> None:
    task, one = SUITE.task("studio-01"), household(STUCK)
    stored = replace(one, result=replace(one.result, evidence=None))
    again = trajectory_of(stored, task, SUITE, STRICT)
    assert again is not None
    assert [step.action.name for step in again.steps] == ["walk"]
    seen = run("a", "flash")
    known = replace(one, result=replace(one.result, evidence=Evidence(seen)))
    assert trajectory_of(known, task, SUITE, STRICT) is seen
    for other in (
        replace(stored, ability="subgoal_decomposition"),
        replace(stored, result=replace(stored.result, status="excluded")),
        replace(stored, result=replace(stored.result, executed=("failed", "not reached"))),
        household("no plan"),
    ):
        assert trajectory_of(other, task, SUITE, STRICT) is None


def test_a_stored_record_is_evaluated_again_for_the_words() -> None:
    task, one = SUITE.task("studio-01"), household(STUCK)
    bare = replace(
        one,
        result=replace(
            one.result,
            goals=tuple(replace(goal, formula=None) for goal in one.result.goals),
            evidence=None,
        ),
    )
    again = with_evidence(bare, task, SUITE, STRICT)
    assert again == bare
    assert all(goal.formula is not None for goal in again.result.goals)
    for other in (
        one,
        replace(bare, ability="goal_interpretation"),
        replace(bare, result=replace(bare.result, status="missing")),
        replace(bare, result=replace(bare.result, success=True)),  # another verdict than now
    ):
        assert with_evidence(other, task, SUITE, STRICT) is other


def test_a_short_goal_is_drawn_and_other_versions_are_remarked() -> None:
    one = household('[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]')
    found = explain(one, suite=SUITE)
    assert found.picture is not None
    assert found.remarks == ()
    picture = str(found.picture).splitlines()
    assert [f"    {line}" for line in picture] == str(found).splitlines()[-len(picture) :]
    assert found.picture.html() in found._repr_html_()
    older = explain(replace(one, version="0.1"), suite=SUITE)
    assert len(older.remarks) == 1
    assert "0.1" in older.remarks[0]
    assert explain(household("no plan"), suite=SUITE).picture is None


def test_only_short_goals_on_short_trajectories_are_drawn() -> None:
    formula = Then((Atom("lit", ("a",)), Atom("lit", ("b",))))
    assert truth_table(formula, run("ab", "flash")) is not None
    walk = '{"WALK": ["light.34"]}, {"WALK": ["couch.22"]}'
    for steps, drawn in ((22, True), (23, True), (24, False), (26, False)):
        plan = ", ".join([walk] * (steps // 2) + ['{"WALK": ["light.34"]}'] * (steps % 2))
        found = explain(household(f"[{plan}]"), suite=SUITE)
        done = found.record.result.executed.count("done")
        assert done == steps
        assert (found.picture is not None) is drawn


def test_a_suite_is_that_of_the_record() -> None:
    one = household(STUCK)
    assert suite_of(one).name == "household"
    assert suite_of(one, SUITE) is SUITE
    with pytest.raises(InputError) as caught:
        suite_of(replace(one, suite="virtualhome"), SUITE)
    assert "virtualhome" in str(caught.value.expected)
    with pytest.raises(UnknownNameError) as unknown:
        suite_of(replace(one, suite="houshold"))
    assert "--suite" in (unknown.value.mend or "")
    with pytest.raises(InputError):
        explain("studio-01")  # type: ignore[arg-type]


def test_a_suite_of_a_folder_may_have_another_path() -> None:
    one, suite = household(STUCK), Household()
    suite.name = "pddl:here"
    assert suite_of(replace(one, suite="pddl:there"), suite) is suite
    assert suite_of(replace(one, suite="pddl:here"), suite) is suite
    for other in ("bddl:there", "pddl", "household"):
        with pytest.raises(InputError):
            suite_of(replace(one, suite=other), suite)
    with pytest.raises(InputError):
        suite_of(replace(one, suite="pddl"), SUITE)
    with pytest.raises(InputError) as caught:
        suite_of(replace(one, suite="pddl:no such folder"))
    assert "pddl:PATH" in (caught.value.mend or "")


def test_behaviours_are_looked_for_only_where_some_were_counted() -> None:
    acted = eai.interact(SUITE, "studio-01", "oracle", semantics="strict")
    task = SUITE.task("studio-01")
    answers = '["Action: OPEN x", "Action: OPEN x", "Action: OPEN x"]'
    results = SUITE.evaluate("interaction", task, answers, STRICT)
    failed = replace(household(STUCK), ability="interaction", output=answers, result=results)
    shown = behaviours_of(failed, task, SUITE, STRICT)
    assert Behaviour.REPEATS_FAILURE in shown
    assert all(turn <= 3 for turns in shown.values() for turn in turns)
    quiet = replace(failed, result=replace(results, measures=()))
    assert behaviours_of(quiet, task, SUITE, STRICT) == {}
    nothing = replace(failed, result=replace(results, measures=(Measure("other", 1, 1),)))
    assert behaviours_of(nothing, task, SUITE, STRICT) == {}
    zeros = tuple(replace(measure, amount=0) for measure in results.measures)
    uncounted = replace(failed, result=replace(results, measures=zeros))
    assert behaviours_of(uncounted, task, SUITE, STRICT) == {}
    assert acted.episode.success


@pytest.mark.parametrize(("operands", "is_drawn"), [(2, True), (7, True), (8, False)])
def test_a_goal_of_more_than_eight_nodes_is_not_drawn(operands: int, is_drawn: bool) -> None:
    task = SUITE.task("studio-01")
    formula = And(tuple(Atom("lit", (name,)) for name in "abcdefgh"[:operands]))
    trajectory = run("abcdefgh", "flash", "snap a")
    picture = _draw_truth(replace(task, goal=replace(task.goal, formula=formula)), trajectory)
    assert (picture is not None) is is_drawn
    assert _draw_truth(replace(task, goal=replace(task.goal, formula=None)), trajectory) is None
