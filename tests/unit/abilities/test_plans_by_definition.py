"""Plans scored by the definitions in a world of one's own: verdicts, links of a goal, prompts."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from causes_worlds import steps, workshop_task

from eai.abilities import Plans
from eai.abilities.action_sequencing import excluded, missing, unread
from eai.abilities.prompts import final_conditions, plan_prompt, section, sheet
from eai.abilities.subgoal_decomposition import Subgoals
from eai.answers import BoundPlan
from eai.diagnosis import Condition, ErrorKind, Finding, Measure, Result
from eai.errors import InputError
from eai.semantics import Quirk, Semantics
from eai.task import Task

STRICT = Semantics("strict")
PLANS = Plans(STRICT)


def evaluated(task: Task, plan: str, *, must_execute: bool = True) -> Result:
    plans = Plans(STRICT)
    plans.must_execute = must_execute
    return plans.evaluate_actions(task, steps(plan))


def test_a_plan_that_is_executed_and_reaches_the_goal_succeeds() -> None:
    task = workshop_task("painted(box)", formula="F lit()")
    found = evaluated(task, "press; open_door; paint box; press")
    assert (found.status, found.success, found.executable) == ("evaluated", True, True)
    assert found.plan == ("press()", "open_door()", "paint(box)", "press()")
    assert found.executed == ("done",) * 4
    assert found.findings == ()
    assert (found.formula, found.formula_holds) == ("F lit()", True)
    assert found.evidence is not None
    assert found.evidence.formula is None
    assert [goal.met for goal in found.goals] == [True]


@pytest.mark.parametrize(("must_execute", "success"), [(True, False), (False, True)])
def test_a_plan_that_stops_behind_the_goal_succeeds_only_if_it_may(
    must_execute: bool, success: bool
) -> None:
    found = evaluated(workshop_task("door_open()"), "open_door; look", must_execute=must_execute)
    assert (found.success, found.executable) == (success, False)
    assert [finding.kind for finding in found.findings] == [ErrorKind.MISSING_STEP]


def broken_link(formula: str, plan: str, **parts: object) -> Finding | None:
    """The finding about a link of the goal, if there is one."""
    task = workshop_task(formula=formula)
    task = replace(task, goal=replace(task.goal, **parts))  # type: ignore[arg-type]
    found = evaluated(task, plan)
    assert not found.success
    assert found.formula_holds is False
    return found.findings[0] if found.findings else None


@pytest.mark.parametrize(
    ("formula", "plan", "link", "kind"),
    [
        ("lit() then painted(box)", "open_door", "lit()", ErrorKind.STATE_GOAL),
        ("lit() then painted(box)", "press", "painted(box)", ErrorKind.STATE_GOAL),
        # It holds, but not after what comes before it.
        ("lit() then painted(box)", "open_door; paint box; press; soak box", "painted(box)", None),
        ("lit() then in(box, can)", "press", "in(box, can)", ErrorKind.RELATION_GOAL),
        ("lit() then LOOK()", "press", "look()", ErrorKind.ACTION_GOAL),
        ("LOOK() then lit()", "press", "look()", ErrorKind.ACTION_GOAL),
        ("lit() then aired() then wet(box)", "press; open_door", "wet(box)", None),
        ("lit() then aired() then wet(box)", "press; soak box", "aired()", None),
        ("wet(box)", "press", "wet(box)", ErrorKind.STATE_GOAL),
        ("G lit()", "press", "G lit()", None),
    ],
)
def test_the_first_link_that_does_not_hold_in_its_place_is_named(
    formula: str, plan: str, link: str, kind: ErrorKind | None
) -> None:
    finding = broken_link(formula, plan)
    assert finding is not None
    assert finding.conditions == (link,)
    if kind is not None:
        assert finding.kind is kind
    # Why it does not hold stands behind the link.
    task = workshop_task(formula=formula)
    evidence = evaluated(task, plan).evidence
    assert evidence is not None
    assert evidence.reason
    assert finding.message.startswith(link)
    assert finding.message.endswith(f": {evidence.reason}")


def test_a_link_behind_others_is_told_from_the_first() -> None:
    first = broken_link("lit() then painted(box)", "open_door")
    later = broken_link("lit() then painted(box)", "press")
    assert first is not None
    assert later is not None
    assert "before it in the goal" in later.message
    assert "before it in the goal" not in first.message


def test_a_goal_about_the_way_is_measured_and_its_own_kind() -> None:
    finding = broken_link("lit() then painted(box)", "press", is_path=True)
    assert finding is not None
    assert finding.kind is ErrorKind.PATH_GOAL
    task = workshop_task(formula="F lit()")
    path = replace(task, goal=replace(task.goal, is_path=True))
    for plan, amount in (("press", 1), ("open_door", 0)):
        assert evaluated(path, plan).measures == (Measure("path_goal", amount, 1),)
        assert evaluated(task, plan).measures == ()
    nothing = unread(BoundPlan((), (Finding(ErrorKind.PARSING),), ()), path)
    assert nothing.measures == (Measure("path_goal", 0, 1),)


def test_a_link_is_named_only_where_nothing_else_says_why() -> None:
    task = workshop_task("wet(can)", "aired()", formula="lit() then aired()")
    both = evaluated(task, "open_door")
    assert [finding.conditions for finding in both.findings] == [("wet(can)",)]
    stopped = evaluated(workshop_task(formula="lit() then aired()"), "look")
    assert [finding.kind for finding in stopped.findings] == [ErrorKind.MISSING_STEP]
    only = evaluated(task, "soak can; open_door")
    assert [finding.conditions for finding in only.findings] == [("lit()",)]
    assert only.evidence is not None
    assert only.evidence.formula is task.goal.formula


def test_a_step_with_a_wrong_type_is_told_by_its_number() -> None:
    task = workshop_task("lit()")
    found = evaluated(task, "press; paint robot; look; take box robot")
    assert [(each.kind, each.step, each.action) for each in found.findings] == [
        (ErrorKind.ARGUMENT_NUMBER, 2, "paint(robot)"),
        (ErrorKind.ARGUMENT_NUMBER, 4, "take(box, robot)"),
    ]
    assert found.executed == ("not reached",) * 4
    assert not found.goals[0].met


def test_answers_are_read_written_and_run_again() -> None:
    task = workshop_task("painted(box)")
    plan = steps("open_door; paint box")
    text = PLANS.write(plan)
    assert json.loads(text) == [{"OPEN_DOOR": []}, {"PAINT": ["box"]}]
    assert PLANS.read(task, text).actions == plan
    assert PLANS.evaluate(task, text).success
    execution = PLANS.execution(task, text)
    assert execution is not None
    assert execution.executed == ("done", "done")
    assert PLANS.execution(task, "FLY(moon)") is None
    bad = PLANS.evaluate(task, "FLY(moon)")
    assert not bad.success
    assert ErrorKind.OBJECT_HALLUCINATION in {finding.kind for finding in bad.findings}
    assert [goal.met for goal in bad.goals] == [False]


def test_a_task_without_an_answer_fails_and_one_without_a_goal_is_ours() -> None:
    task = workshop_task("painted(box)", actions=["press"])
    found = PLANS.evaluate(task, None)
    assert found == missing(task)
    assert found.status == "missing"
    assert [finding.kind for finding in found.findings] == [ErrorKind.NO_ANSWER]
    assert [(goal.text, goal.met) for goal in found.goals] == [
        ("painted(box)", False),
        ("PRESS", False),
    ]
    given = (Condition("state", "x", met=False),)
    assert missing(task, given).goals == given
    with pytest.raises(InputError):
        PLANS.evaluate(replace(task, goal=replace(task.goal, final=(), actions=())), None)


def test_what_is_left_out_says_why() -> None:
    class Picky(Plans):
        def excluded(self, task: Task) -> str:
            return "too easy" if task.goal.actions else ""

    assert Picky(STRICT).evaluate(workshop_task(actions=["press"]), None) == excluded("too easy")
    assert Picky(STRICT).evaluate(workshop_task("lit()"), None).status == "missing"
    assert excluded("x").notes == ("x",)

    class PickySubgoals(Subgoals):
        def excluded(self, task: Task) -> str:
            return "too easy" if task.goal.actions else ""

    found = PickySubgoals(STRICT).evaluate(workshop_task(actions=["press"]), "x")
    assert found == excluded("too easy")


def test_only_the_definitions_themselves_are_by_definition() -> None:
    class Other(Plans):
        pass

    quirk = Quirk("odd", "odd", "here")
    assert Plans(STRICT).by_definition
    assert not Other(STRICT).by_definition
    odd = Semantics.of("official", {"odd": quirk}, version="1")
    assert odd.quirks
    assert not Plans(odd).by_definition


def test_an_unread_answer_keeps_what_was_read() -> None:
    task = workshop_task("lit()")
    finding = Finding(ErrorKind.PARSING, "odd")
    written = unread(BoundPlan(steps("press"), (finding,), ("a note",), ("PRESS", "what?")), task)
    assert written.plan == ("PRESS", "what?")
    assert written.executed == ("not reached", "not reached")
    assert (written.findings, written.notes) == ((finding,), ("a note",))
    bare = unread(BoundPlan(steps("press"), (finding,), ()), task)
    assert bare.plan == ("press()",)


# ---- subgoals by the definitions


def subgoals(*texts: str) -> str:
    return json.dumps(list(texts))


def asked(*conditions: str, formula: str = "") -> Task:
    """A task whose subgoals may speak of its predicates."""
    task = workshop_task(*conditions, formula=formula)
    arities = {name: each.arity for name, each in task.world.domain.predicates.items()}
    return replace(task, vocabulary=replace(task.vocabulary, predicates=arities))


def test_subgoals_are_read_bound_followed_and_scored() -> None:
    task = asked("painted(box)")
    evaluator = Subgoals(STRICT)
    reading = evaluator.read(task, subgoals("aired()", "painted(box)"))
    assert len(reading.subgoals) == 2
    found = evaluator.evaluate_reading(task, reading)
    assert found == evaluator.evaluate(task, subgoals("aired()", "painted(box)"))
    assert (found.success, found.outcome, found.executable) == (True, "reached", True)
    assert found.plan[-1] == "paint(box)"
    assert found.notes == reading.notes


def test_of_all_ways_the_one_that_solves_the_task_counts() -> None:
    task = asked("window_open()")
    found = Subgoals(STRICT).evaluate(task, subgoals("aired()"))
    assert (found.success, found.plan) == (True, ("open_window()",))
    none = Subgoals(STRICT).evaluate(asked("wet(can)"), subgoals("aired()"))
    assert (none.success, none.executable, none.outcome) == (False, True, "reached")
    assert [finding.kind for finding in none.findings] == [ErrorKind.STATE_GOAL]


def test_a_subgoal_out_of_reach_says_how_far_it_went() -> None:
    found = Subgoals(STRICT).evaluate(asked("lit()"), subgoals("lit()", "in(box, box)", "aired()"))
    assert (found.success, found.executable, found.outcome) == (False, False, "unreachable")
    assert found.goals[0].met
    assert "1 of 3 subgoals were reached" in found.notes
    assert found.findings[0].kind is ErrorKind.AFFORDANCE


def test_a_missing_answer_to_subgoals_fails() -> None:
    task = asked("lit()")
    found = Subgoals(STRICT).evaluate(task, None)
    assert (found.status, found.goals[0].met) == ("missing", False)
    unreadable = Subgoals(STRICT).evaluate(task, subgoals("flown(box)"))
    assert (unreadable.status, unreadable.success, unreadable.outcome) == ("evaluated", False, "")
    assert unreadable.findings


def test_the_formula_of_a_goal_decides_on_ways_through_subgoals_too() -> None:
    task = asked("lit()", formula="aired() then lit()")
    assert not Subgoals(STRICT).evaluate(task, subgoals("lit()")).success
    found = Subgoals(STRICT).evaluate(task, subgoals("aired()", "lit()"))
    assert (found.success, found.formula_holds) == (True, True)


# ---- the prompt


def test_the_parts_of_a_prompt_have_headings_and_blank_lines() -> None:
    assert section("Goal", "one", "", "two") == "## Goal\none\ntwo"
    assert section("Goal") == "## Goal"
    assert sheet("a", "b") == "a\n\nb"


def test_final_conditions_are_those_of_the_first_alternative_and_all_actions() -> None:
    task = workshop_task("lit()", "painted(box)", actions=["press"], otherwise=["aired()"])
    lines = final_conditions(task).splitlines()
    assert [line.strip("- ") for line in lines] == ["lit()", "painted(box)", "the action PRESS"]
    nothing = final_conditions(replace(task, goal=replace(task.goal, final=(), actions=())))
    assert "\n" not in nothing


def test_the_prompt_shows_objects_actions_and_goal() -> None:
    task = replace(workshop_task("painted(box)"), instruction="Paint it.")
    text = plan_prompt(task)
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert len(headings) == 4
    goal = text[text.index(headings[2]) : text.index(headings[3])]
    assert "Paint it." in goal
    assert "painted(box)" in goal
    for name in ("PAINT(", "OPEN_DOOR", "box"):
        assert name in text
    formula = plan_prompt(workshop_task("painted(box)", formula="lit() then painted(box)"))
    assert "lit() then painted(box)" in formula
    assert json.loads(text.splitlines()[-1]) == [{"ACTION": ["object_1", "object_2"]}]


def test_the_agent_is_named_only_where_plans_can_name_it() -> None:
    task = workshop_task("lit()")
    assert "The agent is" not in plan_prompt(task)
    objects = task.vocabulary.objects | {"robot"}
    named = replace(task, vocabulary=replace(task.vocabulary, objects=objects))
    assert "The agent is robot." in plan_prompt(named)
