"""No step is dropped without a word: it is read, reported as unread, or at least noted."""

from __future__ import annotations

import json

import pytest
from studio_answers import NAMES, PLAN, actions

import eai
from eai.answers import bind, read_answer
from eai.diagnosis import ErrorKind
from eai.task import Vocabulary


@pytest.mark.parametrize(
    "answer",
    [
        "WALK(light.34); DUST(novel.15); SWITCHON(light.34)",
        "WALK(light.34) -> DUST(novel.15) -> SWITCHON(light.34)",
        "1. WALK(light.34) 2. DUST(novel.15) 3. SWITCHON(light.34)",
        "walk(light.34), then dust(novel.15), then switchon(light.34)",
        "I `WALK(light.34)`, then `DUST(novel.15)`, then `SWITCHON(light.34)`.",
        "(walk light.34) (dust novel.15) (switchon light.34)",
        "[WALK] <light> (34) [DUST] <novel> (15) [SWITCHON] <light> (34)",
    ],
)
def test_unknown_action_in_a_row_of_steps_is_a_hallucination(answer: str) -> None:
    bound = bind(read_answer(answer, NAMES), NAMES)
    assert [str(action) for action in bound.actions] == PLAN
    assert [(found.kind, found.step) for found in bound.findings] == [
        (ErrorKind.ACTION_HALLUCINATION, 2)
    ]


def test_unknown_action_at_the_end_of_a_row_of_steps_is_a_hallucination() -> None:
    bound = bind(read_answer("WALK(light.34); DUST(novel.15)", NAMES), NAMES)
    assert [found.kind for found in bound.findings] == [ErrorKind.ACTION_HALLUCINATION]


@pytest.mark.parametrize(
    "program",
    [
        'ok = robot.dust("novel.15")\nok = robot.walk("light.34")\nprint(ok)',
        'done = dust("novel.15")\nwalk("light.34")',
    ],
)
def test_step_whose_result_is_kept_is_no_object_that_is_looked_up(program: str) -> None:
    steps = read_answer(f"```python\n{program}\n```", NAMES).steps
    assert [step.name for step in steps] == ["dust", "walk"]


def test_object_that_is_looked_up_and_used_is_no_step() -> None:
    program = 'lamp = scene.get("light.34")\nwalk(lamp)\nswitchon(lamp)'
    assert actions(f"```python\n{program}\n```") == PLAN


@pytest.mark.parametrize(
    ("answer", "unread"),
    [
        ("walk light.34, dust novel.15, switch on light.34", "dust novel.15"),
        ("Walk to light.34, then dust the novel.15, then switch on light.34.", "dust the novel.15"),
        ("walk light.34;dust novel.15;switch on light.34", "dust novel.15"),
        ("I travel to light.34.\nI switch on light.34.", "I travel to light.34."),
        (
            "I walk to light.34.\nI tinker with novel.15.\nI switch it on.",
            "I tinker with novel.15.",
        ),
        (
            "I walk to light.34. I tinker with novel.15. I switch on light.34.",
            "tinker with novel.15",
        ),
        ("Once you have gone to light.34, switch it on.", "Once you have gone to light.34"),
        ("1. Once we have gone to light.34, switch it on.", "Once we have gone to light.34"),
    ],
)
def test_words_with_an_unknown_verb_and_an_object_are_unread(answer: str, unread: str) -> None:
    problems = read_answer(answer, NAMES).problems
    assert [problem.written for problem in problems] == [unread]


def test_sentences_with_unknown_verbs_before_the_steps_leave_no_plan() -> None:
    assert read_answer("I head for light.34. I switch on light.34.", NAMES).steps == ()


@pytest.mark.parametrize(
    "answer",
    [
        "I see the novel.15. I walk to light.34. I switch on light.34.",
        "Walk to the light, near the novel, and switch on the light.",
        "1. Once you have walked to light.34, switch it on.",
    ],
)
def test_sentences_that_tell_no_step_do_no_harm(answer: str) -> None:
    assert actions(answer) == PLAN


def test_clause_that_takes_the_object_of_a_step_above_for_reached_tells_no_step() -> None:
    assert actions("Walk to light.34.\nOnce you have got to light.34, switch it on.") == PLAN


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ("WALK(light.34) - open novel.15", "not read: 'open novel.15'"),
        ("1. WALK(light.34) - open novel.15", "not read: 'open novel.15'"),
        ("- Walk to light.34: turn to it", "not read: 'turn to it'"),
    ],
)
def test_step_in_an_explanation_is_noted(answer: str, note: str) -> None:
    reading = read_answer(answer, NAMES)
    assert [step.name.lower() for step in reading.steps] == ["walk"]
    assert note in reading.notes


def test_explanation_that_says_the_step_again_needs_no_note() -> None:
    assert read_answer("1. WALK(light.34) - walk to light.34", NAMES).notes == ()


def test_call_behind_nor_is_denied() -> None:
    assert read_answer("Do not WALK(light.34)\nnor SWITCHON(light.34)", NAMES).steps == ()


FERRY = Vocabulary({"sail": 2, "board": 2}, {}, frozenset({"north", "south", "c1"}), {})


@pytest.mark.parametrize(
    "answer",
    [
        "First sail from south to north, then wash c1 at north, then board c1 at north.",
        "Q: And now?\nA: sail from south to north.\n\nQ: And now?\nA: wash c1 at north.\n\n"
        "Q: And now?\nA: board c1 at north.",
    ],
)
def test_unknown_verb_may_have_several_objects(answer: str) -> None:
    reading = read_answer(answer, FERRY)
    assert [step.name for step in reading.steps] == ["sail", "board"]
    assert [problem.written for problem in reading.problems] in (
        ["wash c1 at north"],
        ["A: wash c1 at north."],
    )


@pytest.mark.parametrize(
    "answer",
    [
        "find a HandTowel, pick up the HandTowel, put down the object in hand, wring the HandTowel",
        "Start with `wring the HandTowel`, followed by `find a HandTowel`.",
        "1. find a HandTowel\n2. pick up\n3. wring HandTowel\n4. put down the object in hand",
    ],
)
def test_object_of_an_unknown_verb_belongs_to_no_other_step(answer: str) -> None:
    suite = eai.suite("eb-alfred")
    result = suite.evaluate(
        "action_sequencing", suite.task("base/40"), answer, suite.semantics("strict")
    )
    assert result.number_of(ErrorKind.PARSING) > 0


def test_hand_may_stand_before_the_verb_of_a_line() -> None:
    names = Vocabulary({"left_grasp": 1, "left_place_inside": 1}, {}, frozenset({"rag", "box"}), {})
    answer = "grasp the rag with the left hand\nwith the left hand, place it inside the box"
    steps = [str(step) for step in read_answer(answer, names).steps]
    assert steps == ["left_grasp(rag)", "left_place_inside(box)"]


def test_known_action_with_an_unknown_object_in_a_log_of_commits_is_no_gap() -> None:
    log = "a1b2c0d walk to light.34\na1b2c1d open the unicorn\na1b2c2d switch on light.34"
    assert read_answer(log, NAMES).problems or len(read_answer(log, NAMES).steps) == 3


@pytest.mark.parametrize("text", ["_:", "__ = _", "*_*: _"])
def test_a_label_without_words_is_no_plan(text: str) -> None:
    assert read_answer(text, NAMES).steps == ()


@pytest.mark.parametrize(
    "state",
    [
        "The robot is now standing near it.",
        "Now the robot is near the light.",
        "As a result it is near the light.",
        "This ensures that it is near the light.",
    ],
)
def test_a_sentence_about_a_state_ends_no_plan(state: str) -> None:
    answer = f"The robot walks to light.34. {state} It switches on light.34."
    assert actions(answer) == PLAN


def test_it_is_the_robot_behind_what_the_robot_is_doing() -> None:
    answer = "The robot is walking to light.34.\nIt switches on light.34."
    assert actions(answer) == PLAN


@pytest.mark.parametrize("event", ["When it rains", "When the owner comes home", "If it rains"])
@pytest.mark.parametrize(
    "plan",
    [
        "{}, walk(light.34)\nswitch_on(light.34)",
        "walk(light.34)\n{}, switch_on(light.34)",
        "1. walk(light.34)\n2. {}, switch_on(light.34)",
        "Walk to light.34. {}, switch on light.34.",
    ],
)
def test_a_step_that_waits_for_an_event_is_a_problem(plan: str, event: str) -> None:
    assert read_answer(plan.format(event), NAMES).problems


@pytest.mark.parametrize("time", ["When you are there", "When the light is near"])
def test_a_step_behind_what_the_plan_brings_about_is_taken(time: str) -> None:
    assert actions(f"Walk to light.34. {time}, switch on light.34.") == PLAN


@pytest.mark.parametrize(
    "item",
    [
        "The user will switch on light.34.",
        "the owner has to switch_on(light.34)",
        "User: switch_on(light.34)",
        "switch_on(light.34) (by the user)",
        "switch_on(light.34) is done by the owner",
    ],
)
@pytest.mark.parametrize("bullets", ["1. {}\n2. {}", "- {}\n- {}"])
def test_an_item_in_which_somebody_else_acts_is_a_problem(bullets: str, item: str) -> None:
    assert read_answer(bullets.format("walk(light.34)", item), NAMES).problems


def test_an_item_about_facts_is_no_step() -> None:
    facts = "After this step, the facts will be: shine light.34, dark fridge.40."
    assert actions(f"1. Walk to light.34. {facts}\n2. Switch on light.34.") == PLAN


@pytest.mark.parametrize(
    "answer",
    [
        "- WALK(light.34)\n- If it is dark outside:\n  - SWITCHON(light.34)",
        "1. WALK(light.34)\n2. Instead of SWITCHON(light.34), do nothing",
    ],
)
def test_a_step_of_some_case_or_in_whose_place_nothing_is_done_is_a_problem(answer: str) -> None:
    assert read_answer(answer, NAMES).problems


def test_words_amid_a_plan_take_steps_out_of_it() -> None:
    answer = "1. WALK(light.34)\n2. OPEN(door.4)\n\nWait, step 2 is not needed. I go on:\n\n"
    assert actions(f"{answer}3. SWITCHON(light.34)") == PLAN


@pytest.mark.parametrize(
    ("sentence", "is_noted"),
    [
        ("The robot opens the window.", True),
        ("Then the robot opens the window.", True),
        ("The robot walks to the light.", False),  # the step, said again
        ("This brings it near the window.", False),
    ],
)
def test_a_step_told_behind_an_item_is_noted(sentence: str, is_noted: bool) -> None:
    reading = read_answer(f"1. Walk to the light. {sentence}\n2. Switch on the light.", NAMES)
    assert [step.name for step in reading.steps] == ["Walk", "Switch on"]
    assert any("open" in note for note in reading.notes) == is_noted


HALVES = ["WALK(light.34)", "WALK(novel.15)"], ["SWITCHON(light.34)", "WALK(light.34)"]


@pytest.mark.parametrize("key", ["name", "action", "step", "title"])
@pytest.mark.parametrize("steps_key", ["steps", "actions", "commands"])
def test_an_action_as_the_title_of_steps_is_no_step(key: str, steps_key: str) -> None:
    titles = "Walk to the light", "Switch on the light"
    phases = [{key: title, steps_key: steps} for title, steps in zip(titles, HALVES, strict=True)]
    assert actions(json.dumps({"phases": phases})) == [
        step.lower() for steps in HALVES for step in steps
    ]


@pytest.mark.parametrize("key", ["next", "then", "afterwards"])
def test_steps_under_another_key_of_a_step_are_unread(key: str) -> None:
    answer = json.dumps([{"action": "WALK(light.34)", key: {"action": "SWITCHON(light.34)"}}])
    reading = read_answer(answer, NAMES)
    assert [problem.written.startswith(key) for problem in reading.problems] == [True]


@pytest.mark.parametrize(
    ("item", "is_read"),
    [
        ("The robot follows this plan:", True),
        ("The steps are:", True),
        ("This plan must not be executed:", False),
        ("Dust the shelf:", False),
    ],
)
def test_an_item_of_a_list_may_introduce_its_steps(item: str, is_read: bool) -> None:
    reading = read_answer(json.dumps([item, "WALK(light.34)", "SWITCHON(light.34)"]), NAMES)
    assert (not reading.problems) == is_read
    assert any(item in note for note in reading.notes) == is_read


def test_calls_in_square_brackets_are_explained_behind_them() -> None:
    lines = [
        "1. [WALK(light.34)] - Move to the novel.",
        "2. [SWITCHON(light.34)]: Walk to the light and switch it on.",
    ]
    assert actions("\n".join(lines)) == PLAN


@pytest.mark.parametrize(("count", "is_read"), [(2_000, True), (30_000, False)])
def test_a_value_is_read_up_to_a_number_of_words_and_no_further(count: int, is_read: bool) -> None:
    answer = json.dumps({"plan": ["WALK(light.34)", "SWITCHON(light.34)"], "words": ["x"] * count})
    ends = [problem.position for problem in read_answer(answer, NAMES).problems]
    assert ends == [] if is_read else [25_000 < end < len(answer) for end in ends] == [True]
