"""A draft and the plan made of it are two candidates, whatever words stand between them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import eai
from eai.abilities import GoalNames, read_goals, read_subgoals
from eai.answers import read_answer
from eai.task import Vocabulary

NAMES = eai.suite("household").task("studio-02").readable
GOAL_NAMES = GoalNames(
    Vocabulary(
        {},
        {"on": 1, "open": 1, "closed": 1, "clean": 1},
        frozenset(["lamp.1", "door.2"]),
        {"lamp": ("lamp.1",), "door": ("door.2",)},
    )
)
PLAN = ["WALK(fridge.40)", "OPEN(fridge.40)", "GRAB(juice.44)", "CLOSE(fridge.40)"]
DRAFT = ["OPEN(fridge.40)", "WALK(fridge.40)", "GRAB(juice.44)"]


def numbered(steps: list[str]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))


def bullets(steps: list[str]) -> str:
    return "\n".join(f"- {step}" for step in steps)


def arrows(steps: list[str]) -> str:
    return " -> ".join(steps)


FORMS = [numbered, bullets, arrows, json.dumps]


def steps(text: str) -> list[str]:
    return [str(step) for step in read_answer(text, NAMES).steps]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "frame",
    [
        "This came to my mind first:\n\n{draft}\n\nHaving thought it over, I offer:\n\n{final}",
        "MUSING\n\n{draft}\n\nDELIVERY\n\n{final}",
        "v3\n\n{draft}\n\nv4 (replaces v3)\n\n{final}",
        "Assistant: {draft}\n\nUser: it does not work.\n\nAssistant: {final}",
        "Second-best plan:\n\n{draft}\n\nBest plan:\n\n{final}",
        "First idea:\n\n{draft}\n\nI considered everything.\n\n{final}",
        "I considered these steps.\n\n{draft}\n\nI take these:\n\n{final}",
    ],
)
def test_the_plan_behind_a_draft_is_read(form: Callable[[list[str]], str], frame: str) -> None:
    assert steps(frame.format(draft=form(DRAFT), final=form(PLAN))) == PLAN


@pytest.mark.parametrize("form", [bullets, arrows, "\n".join])
@pytest.mark.parametrize("draft", [PLAN[:1], PLAN[:2], [*PLAN[:2], PLAN[3]]])
@pytest.mark.parametrize("words", ["What has to be executed:", "Reworked:", "I chose this:"])
def test_a_plan_that_is_told_anew_behind_a_lead_in_is_not_joined(
    form: Callable[[list[str]], str], draft: list[str], words: str
) -> None:
    assert steps(f"{form(draft)}\n\n{words}\n\n{form(PLAN)}") == PLAN


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "frame",
    [
        "Do it this way:\n\n{final}\n\nNot that way:\n\n{draft}",
        "Not like this:\n\n{draft}\n\nBut like this:\n\n{final}",
        "Best option:\n\n{final}\n\nRunner-up:\n\n{draft}",
        "My first choice:\n\n{final}\n\nMy second choice:\n\n{draft}",
        "{final}\n\n(Ignore the rest, these are my notes.)\n\n{draft}",
    ],
)
def test_a_plan_that_is_set_back_is_not_read(form: Callable[[list[str]], str], frame: str) -> None:
    assert steps(frame.format(draft=form(DRAFT), final=form(PLAN))) == PLAN


@pytest.mark.parametrize("form", [numbered, json.dumps])
@pytest.mark.parametrize(
    "words",
    [
        "I crossed this out. Shorter version:",
        "Reworked:",
        "What has to be executed:",
        "Let me begin afresh.",
        "Take three:",
    ],
)
def test_a_plan_of_one_step_counts_if_words_lead_to_it(
    form: Callable[[list[str]], str], words: str
) -> None:
    assert steps(f"{form(PLAN)}\n\n{words}\n\n{form(PLAN[:1])}") == PLAN[:1]


@pytest.mark.parametrize("words", ["Expected result:", "Remember:", "This begins with step 1:"])
def test_a_step_that_is_only_named_again_does_not_count(words: str) -> None:
    reading = read_answer(f"{numbered(PLAN)}\n\n{words}\n\n1. {PLAN[0]}", NAMES)
    assert ([str(step) for step in reading.steps], reading.rule) == (PLAN, "longer")


def test_a_list_that_is_only_denied_is_no_plan() -> None:
    assert steps(f"Not this:\n\n{numbered(PLAN)}") == []


@pytest.mark.parametrize(
    "words",
    [
        "Then:",
        "Phase 2:",
        "The fridge is open now.",
        "With the door open, go on:",
        "## At the table",
    ],
)
def test_words_between_different_steps_part_no_plan(words: str) -> None:
    text = f"{bullets(PLAN[:2])}\n\n{words}\n\n{bullets(PLAN[2:])}"
    assert steps(text) == PLAN


@pytest.mark.parametrize("words", ["Once more:", "Do the same again:", "On the second trip:"])
def test_steps_that_are_taken_again_are_taken_twice(words: str) -> None:
    assert steps(f"{bullets(PLAN)}\n\n{words}\n\n{bullets(PLAN)}") == PLAN + PLAN


def test_tasks_of_their_own_are_parts_of_a_plan_though_each_begins_alike() -> None:
    first, second = ["WALK(fridge.40)", "OPEN(fridge.40)"], ["WALK(fridge.40)", "GRAB(juice.44)"]
    first_text, second_text = "\n".join(first), "\n".join(second)
    text = f"To open the fridge:\n{first_text}\nTo get the juice:\n{second_text}"
    assert steps(text) == first + second


def test_comments_on_single_steps_part_no_plan() -> None:
    walk, press = "WALK(fridge.40)", "OPEN(fridge.40)"
    lines = [walk, "It is near.", press, "It sticks.", walk, "It is far.", press]
    assert steps("\n\n".join(lines)) == [walk, press, walk, press]


def test_a_proposal_that_begins_its_numbers_anew_is_no_part() -> None:
    text = f"You wrote:\n1. SWITCHON(tv.30)\n\nI would do:\n{numbered(PLAN)}"
    reading = read_answer(text, NAMES)
    assert [str(step) for step in reading.steps] == PLAN


@pytest.mark.parametrize("mark", ["- ", "1. "])
def test_subgoals_behind_a_draft_are_read(mark: str) -> None:
    final = ["ON(lamp.2)", "OPEN(door.1)", "CLOSED(door.1)"]
    draft_text = "\n".join(mark + subgoal for subgoal in final[:2])
    final_text = "\n".join(mark + subgoal for subgoal in final)
    text = f"At first sight:\n\n{draft_text}\n\nAfter checking each condition:\n\n{final_text}"
    assert [subgoal.text for subgoal in read_subgoals(text).subgoals] == final


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("At first sight:", "After I looked again:"),
        ("Sketch", "Clean copy"),
        ("What I wrote at first:", "What I answer now:"),
    ],
)
def test_goals_behind_a_draft_are_read(above: str, below: str) -> None:
    draft, final = "ON(lamp)\nOPEN(door)", "CLEAN(lamp)\nON(lamp)\nOPEN(door)"
    reading = read_goals(f"{above}\n\n{draft}\n\n{below}\n\n{final}", GOAL_NAMES)
    assert [str(goal) for goal in reading.goals] == ["CLEAN(lamp)", "ON(lamp)", "OPEN(door)"]


OTHER_LISTS = (
    ["WALK(light.34)", "SWITCHON(light.34)", "TOUCH(light.34)"],
    ["WALK(fridge.40)", "OPEN(fridge.40)"],
)


@pytest.mark.parametrize(
    "words",
    [
        "That leaves the fridge shut.",
        "The fridge would not be open at the end.",
        "I forgot the fridge.",
        "This is not what was asked for.",
        "Sorry, I misread the task.",
        "Or, shorter:",
        "or",
        "So:",
        "A cleverer way:",
        "Take two:",
    ],
)
def test_another_list_in_bullets_is_another_plan(words: str) -> None:
    draft, plan = OTHER_LISTS
    reading = read_answer(f"{bullets(draft)}\n\n{words}\n\n{bullets(plan)}", NAMES)
    assert reading.status != "clean"
    if not reading.problems:
        assert [str(step) for step in reading.steps] == plan


@pytest.mark.parametrize(
    "words",
    ["Next, the fridge.", "In the kitchen:", "The light is on now.", "With that done:", ""],
)
def test_a_list_in_bullets_goes_on_behind_words_that_lead_further(words: str) -> None:
    first, second = OTHER_LISTS
    text = f"{bullets(first)}\n\n{words}\n\n{bullets(second)}"
    assert steps(text) == first + second
    assert read_answer(text, NAMES).status == "clean"


@pytest.mark.parametrize(
    "text",
    [
        "Walk to the light. Scrap that. Walk to the fridge. Open the fridge.",
        "1. WALK(light.34) - no, make that WALK(fridge.40)\n2. OPEN(fridge.40)",
        "1. WALK(light.34) [sorry: WALK(fridge.40)]\n2. OPEN(fridge.40)",
    ],
)
def test_a_step_that_is_corrected_on_the_way_is_a_problem(text: str) -> None:
    assert read_answer(text, NAMES).problems


def test_goals_under_a_heading_that_denies_them_are_not_read() -> None:
    lists = ("Node goals:\n- lamp is ON\n- door is OPEN", "Node goals:\n- door is OPEN")
    reading = read_goals(f"This:\n\n{lists[0]}\n\nNot this:\n\n{lists[1]}", GOAL_NAMES)
    assert [str(goal) for goal in reading.goals] == ["ON(lamp)", "OPEN(door)"]


@pytest.mark.parametrize(
    "value",
    [
        {"candidates": [DRAFT, PLAN], "selected_index": 1},
        {"plans": [PLAN, DRAFT], "selected": 0},
        {"options": [DRAFT, PLAN], "best": 2},
        {"proposals": [{"id": "x", "plan": PLAN}, {"id": "y", "plan": DRAFT}], "choice": "x"},
        {"candidates": [{"plan": PLAN, "votes": 5}, {"plan": DRAFT, "votes": 2}]},
        {"alternatives": [{"steps": DRAFT, "score": 0.2}, {"steps": PLAN, "score": 0.7}]},
    ],
)
def test_listed_candidates_are_a_problem_whatever_chooses_one(value: dict[str, object]) -> None:
    assert read_answer(json.dumps(value), NAMES).status == "partial"


def test_a_final_plan_beside_listed_candidates_is_read() -> None:
    value = {"candidates": [DRAFT, PLAN], "final_plan": PLAN}
    assert steps(json.dumps(value)) == PLAN


def test_a_list_of_steps_is_no_list_of_candidates() -> None:
    rows = [["WALK", "fridge.40"], ["OPEN", "fridge.40"]]
    assert steps(json.dumps({"plans": rows})) == PLAN[:2]


def test_a_summary_in_bullets_counts_before_the_list_that_it_mends() -> None:
    titles = "1. **Open fridge.40**\n\n2. **Walk fridge.40**\n\n3. **Open fridge.40**"
    summary = "- **Walk fridge.40**\n- **Open fridge.40**\n- **Grab juice.44**"
    reading = read_answer(f"{titles}\n\n**Summary of actions**:\n\n{summary}", NAMES)
    assert [step.name.lower() for step in reading.steps] == ["walk", "open", "grab"]


@pytest.mark.parametrize(
    "heading",
    [
        "Yesterday the robot did the following:",
        "In the last run the robot took these steps:",
        "These steps were executed two days ago:",
        "The robot has already done the following:",
    ],
)
def test_what_was_done_in_the_past_is_no_plan(heading: str) -> None:
    text = f"{heading}\n\n1. walk(light.34)\n2. switchon(light.34)"
    assert read_answer(text, NAMES).status == "none"


@pytest.mark.parametrize(
    "sentence", ["What it should do today, I do not know.", "What comes next is unclear."]
)
def test_an_answer_that_does_not_know_what_to_do_is_no_plan(sentence: str) -> None:
    text = f"1. walk(light.34)\n2. switchon(light.34)\n\n{sentence}"
    assert read_answer(text, NAMES).status == "none"


def test_a_plan_that_was_asked_for_yesterday_is_one() -> None:
    text = "Yesterday I was asked for this plan:\n\n1. walk(light.34)\n2. switchon(light.34)"
    assert len(read_answer(text, NAMES).steps) == 2


def test_whole_skills_in_another_order_are_another_plan() -> None:
    suite = eai.suite("eb-alfred")
    skills = ["find a Newspaper", "pick up the Newspaper", "find a Sofa"]
    skills.append("put down the object in hand")
    draft, final = bullets(skills[::-1]), bullets(skills)
    answer = f"Iteration 1:\n{draft}\nResult: fails\n\nIteration 2:\n{final}"
    task = suite.task("base/14")
    result = suite.evaluate("action_sequencing", task, answer, suite.semantics("strict"))
    assert [str(step) for step in result.plan] == [
        "find(Newspaper)",
        "pick(Newspaper)",
        "find(Sofa)",
        "put(Sofa)",
    ]


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("A shorter plan such as", "would not reach the goal."),
        ("Doing only", "would not be enough."),
        ("Another order, as in", "fails at once."),
        ("One more idea is", "but it does not work."),
    ],
)
def test_a_list_amid_a_sentence_that_denies_it_is_no_plan(before: str, behind: str) -> None:
    denied = f"{before}\n{numbered(PLAN[:1])}\n{behind}"
    assert steps(f"{numbered(PLAN)}\n\n{denied}") == PLAN
    assert steps(f"{denied} So:\n{numbered(PLAN)}") == PLAN
    assert not read_answer(denied, NAMES).steps


@pytest.mark.parametrize(
    "words",
    [
        "\n".join(f"- **{step}**: one step closer." for step in PLAN),
        f"First action: {PLAN[0]}",
        f"Final action: {PLAN[-1]}",
        f"* {PLAN[0]} - to get there\n* {PLAN[2]} - to have the juice",
    ],
)
def test_steps_that_are_named_again_below_a_numbered_plan_are_taken_once(words: str) -> None:
    assert steps(f"{numbered(PLAN)}\n\n{words}") == PLAN


@pytest.mark.parametrize(
    "refusal",
    ["I'm sorry, but I can't recommend doing this:", "I won't execute these steps:"],
)
def test_steps_of_which_an_answer_refuses_are_no_plan(refusal: str) -> None:
    assert not read_answer(f"{refusal}\n{numbered(PLAN)}", NAMES).steps


def test_what_the_speaker_cannot_do_may_be_the_plan_of_the_robot() -> None:
    assert steps(f"I can't do this myself, but the robot can:\n{numbered(PLAN)}") == PLAN


@pytest.mark.parametrize(
    "words",
    [
        "I made a mistake in the order. Right:",
        "My mistake, it should be:",
        "I mixed the steps up by mistake. Here it is right:",
    ],
)
def test_words_on_a_mistake_above_a_plan_are_about_the_one_before(words: str) -> None:
    assert steps(f"{numbered(DRAFT)}\n\n{words}\n{numbered(PLAN)}") == PLAN
