"""Findings on goals that are not met say what is the case, and why an action does not count."""

from __future__ import annotations

from dataclasses import replace

import pytest

import eai
from eai.contract import execution_of
from eai.diagnosis import Condition, Result, unmet_goals
from eai.logic import parse_formula
from eai.report import Explanation
from eai.suites.household import Household
from eai.task import ActionGoal, Task

SUITE = Household()


def evaluated(task: str, answer: str) -> Result:
    meaning = SUITE.semantics("strict")
    return SUITE.evaluate("action_sequencing", SUITE.task(task), answer, meaning)


def messages(task: str, answer: str) -> list[str]:
    return [finding.message for finding in evaluated(task, answer).findings]


def test_a_failed_step_says_in_words_what_is_in_the_way() -> None:
    assert messages("studio-08", "walk(bathroom_cabinet.79)\ngrab(tooth_paste.77)")[0] == (
        "grab(tooth_paste.77) cannot be done: tooth_paste.77 is inside bathroom_cabinet.79, "
        "which is closed; no step before it changed that [not shut_in(tooth_paste.77)]"
    )


def test_the_step_that_brought_it_about_is_named() -> None:
    answer = "walk(nightstand.13)\nopen(nightstand.13)\nwalk(couch.22)\nclose(nightstand.13)"
    assert messages("studio-18", answer)[0] == (
        "close(nightstand.13) cannot be done: character.5 is not near nightstand.13; "
        "step 3, walk(couch.22), made it so [near(character.5, nightstand.13)]"
    )


def test_an_unmet_condition_says_what_is_the_case_at_the_end() -> None:
    found = messages("studio-09", "walk(washing_machine.80)\nopen(washing_machine.80)")
    assert found == [
        "socks.82 is dirty and is not inside washing_machine.80 at the end "
        "[forall x. (clothes(x) and dirty(x) implies inside(x, washing_machine.80))]",
        "washing_machine.80 is not closed at the end; step 2 made it so "
        "[closed(washing_machine.80)]",
        "washing_machine.80 is not switched on at the end; no step changed that "
        "[on(washing_machine.80)]",
    ]


def test_an_action_that_was_done_too_early_says_after_what_it_counts() -> None:
    early = "walk(bathroom_cabinet.79)\nopen(bathroom_cabinet.79)\nscrub(teeth.8)"
    assert messages("studio-08", early)[-2:] == [
        "SQUEEZE was not done",
        "SCRUB was done in step 3, but not after SQUEEZE, which the goal asks for first",
    ]
    late = f"{early}\ngrab(tooth_paste.77)\nsqueeze(tooth_paste.77)"
    assert messages("studio-08", late)[-1] == (
        "SCRUB was done in step 3, but not after SQUEEZE (step 5)"
    )


def demanded(*names: str) -> Task:
    """A task whose goal demands actions in their order."""
    task = SUITE.task("studio-08")
    actions = tuple(ActionGoal((name,)) for name in names)
    return replace(task, goal=replace(task.goal, final=(), formula=None, actions=actions))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("open", "scrub"), "SCRUB was done in step 2, but not after OPEN (step 3)"),
        (("scrub", "open", "walk"), "WALK was done in step 1, but not after OPEN (step 3)"),
        (("walk", "close", "scrub"), "SCRUB was done in step 2, but not after CLOSE (step 4)"),
        (("walk", "close", "close"), "CLOSE was not done again after step 4"),
        (("walk", "open", "walk"), "WALK was done in step 1, but not after OPEN (step 3)"),
        (("grab", "scrub"), "SCRUB was done in step 2, but not after GRAB, which the goal"),
        (("grab",), "GRAB was not done"),
        (("walk", "grab"), "GRAB was not done"),
        (("grab", "sit"), "SIT was not done"),
    ],
)
def test_a_demanded_action_counts_behind_the_one_before_it(
    names: tuple[str, ...], message: str
) -> None:
    answer = (
        "walk(bathroom_cabinet.79)\nscrub(teeth.8)\nopen(bathroom_cabinet.79)\n"
        "close(bathroom_cabinet.79)"
    )
    result = SUITE.evaluate(
        "action_sequencing", demanded(*names), answer, SUITE.semantics("strict")
    )
    assert result.findings[-1].message.startswith(message)


def test_of_an_action_that_was_done_several_times_the_last_one_is_told() -> None:
    twice = "walk(bathroom_cabinet.79)\nscrub(teeth.8)\nopen(bathroom_cabinet.79)\nscrub(teeth.8)"
    assert messages("studio-08", twice)[-1] == (
        "SCRUB was done in step 4, but not after SQUEEZE, which the goal asks for first"
    )
    late = f"{twice}\ngrab(tooth_paste.77)\nsqueeze(tooth_paste.77)"
    assert messages("studio-08", late)[-1] == (
        "SCRUB was done in step 4, but not after SQUEEZE (step 6)"
    )


def test_an_action_that_has_to_be_done_twice() -> None:
    assert messages("house-06", "greet(man.32)")[-1] == "GREET was not done again after step 1"


def test_without_what_was_done_the_formula_is_said() -> None:
    goals = (
        Condition("state", "on(tv)", met=False),
        Condition("state", "open(box)", met=False, since=1, lost_by=3),
        Condition("action", "GRAB", met=False),
    )
    assert [finding.message for finding in unmet_goals(goals)] == [
        "on(tv) does not hold at the end and never did",
        "open(box) does not hold at the end: step 3 made it false",
        "GRAB was not done (in this order)",
    ]


def test_what_the_goal_does_not_list_has_words_too() -> None:
    task = SUITE.task("studio-06")
    execution = execution_of(SUITE, task, "walk(sink.50)", SUITE.semantics("strict"))
    assert execution is not None
    texts = (
        "on(kettle.49)",
        "not plugged_out(kettle.49)",
        "on(kettle.49) and plugged_out(kettle.49)",
        "odd(kettle.49)",
        "on(moon.1)",
        "x or y",
    )
    goals = [Condition("state", t, met=False, formula=parse_formula(t)) for t in texts[:4]]
    goals += [Condition("state", text, met=False) for text in texts[4:]]
    found = unmet_goals(goals, execution.trajectory)
    assert [finding.message for finding in found] == [
        "kettle.49 is not switched on at the end; no step changed that [on(kettle.49)]",
        "kettle.49 is unplugged at the end; no step changed that [not plugged_out(kettle.49)]",
        "kettle.49 is not switched on at the end; no step changed that "
        "[on(kettle.49) and plugged_out(kettle.49)]",
        *(f"{text} does not hold at the end and never did" for text in texts[3:]),
    ]
    # What holds and does not count all the same is not told as if it did not hold.
    holding = parse_formula("plugged_out(kettle.49)")
    (other,) = unmet_goals(
        [Condition("state", "plugged_out(kettle.49)", met=False, formula=holding)],
        execution.trajectory,
    )
    assert other.message == "plugged_out(kettle.49) does not hold at the end and never did"


def test_the_story_tells_the_words_and_the_step() -> None:
    early = "walk(bathroom_cabinet.79)\nopen(bathroom_cabinet.79)\nscrub(teeth.8)"
    story = str(_story("studio-08", early))
    assert "  unmet SCRUB\n        SCRUB was done in step 3, but not after SQUEEZE" in story
    assert "bathroom_cabinet.79 is not closed at the end; step 2 made it so\n" in story
    squeezed = "walk(bathroom_cabinet.79)\nopen(bathroom_cabinet.79)\nsqueeze(tooth_paste.77)"
    assert "  met   SQUEEZE (in step 3)\n" in str(_story("studio-08", squeezed))


def test_the_story_of_an_unread_answer_has_no_unmet_conditions() -> None:
    for answer in ("hello", "grabb(tooth_paste.77)"):
        story = str(_story("studio-08", answer))
        assert "unmet" not in story
        assert "Formula: SQUEEZE" in story
        assert "unmet" not in _story("studio-08", answer)._repr_html_()
    assert "unmet SQUEEZE" in str(_story("studio-08", "[]"))


def _story(task: str, answer: str) -> Explanation:
    report = eai.evaluate(SUITE, {task: answer})
    (record,) = [each for each in report.records if each.task == task]
    return eai.explain(record, suite=SUITE)


def test_causes_say_in_words_what_is_in_the_way_and_each_thing_once() -> None:
    task = SUITE.task("studio-02")
    found = str(eai.causes(task, "walk(bathroom_cabinet.79)\nopen(fridge.40)"))
    (line,) = [each for each in found.split("\n") if "is not near" in each]
    assert line == (
        "Step 2 fails (missing_step): open(fridge.40) cannot be done: character.5 is not near "
        "fridge.40; no step before it changed that [near(character.5, fridge.40)]"
    )
    held = "walk(bathroom_cabinet.79)\nopen(bathroom_cabinet.79)\ngrab(toothbrush.76)"
    full = f"{held}\ngrab(tooth_paste.77)\nopen(fridge.40)"
    assert (
        "  character.5 has no free hand, holding toothbrush.76 and tooth_paste.77; step 4 "
        "made it so [hand_free(character.5)]\n"
    ) in str(eai.causes(task, full))
