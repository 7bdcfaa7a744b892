"""Plans in the notation of PDDL and in words: what is read, and which of several is meant."""

from __future__ import annotations

import gc
import time

import pytest
from hypothesis import given, strategies as st
from pddl_blocks import DOMAIN, PLAN, PROBLEM, names

from eai.answers import read_steps

NAMES, WORDS = names(), names(words=True)
TWO = ["pick-up(d)", "stack(d, b)"]


def steps(text: str, *, words: bool = False) -> list[str]:
    return [str(step) for step in read_steps(text, WORDS if words else NAMES).steps]


@pytest.mark.parametrize(
    "text",
    [
        PLAN,
        "0.000: (pick-up d) [1]\n1.000: (stack d b) [1]",
        "1. (pick-up d)\n2. (stack d b)",
        "1) (pick-up d)\n2) (stack d b)",
        "- (pick-up d)\n- (stack d b)",
        "Step 1: (pick-up d)\nStep 2: (stack d b)",
        '["(pick-up d)", "(stack d b)"]',
        "['(pick-up d)', '(stack d b)']",
        '[["pick-up", "d"], ["stack", "d", "b"]]',
        '["pick-up d", "stack d b"]',
        '["pick-up_d", "stack_d_b"]',
        "pick-up_d\nstack_d_b",
        "```\n(pick-up d)\n(stack d b)\n```",
        "Here it is:\n```pddl\n(pick-up d)\n(stack d b)\n```\nIt works.",
        "pick-up d\nstack d b",
        "pick-up(d)\nstack(d, b)",
        "1. PickUp(d)\n2. Stack(d, b)",
        "(PICK-UP D)\n(STACK D B)\n; cost = 2 (unit cost)",
        "**(pick-up d)**\n**(stack d b)**",
        "`(pick-up d)`\n`(stack d b)`",
        "(pick-up d) (stack d b)",
        "(pick-up\n  d)\n(stack d\n b)",
        "(\\\npick-up d\\\n)\\\n(\\\nstack d b\\\n)\\",
        "(pick_up d)\n(stack d b)",
        "\ufeff(pick-up d)\r\n(stack d b)\r\n",
        "(pick-up d) ; the yellow one, not (pick-up b)\n; (unstack b a)\n(stack d b)",
        "I think (this is hard).\n[PLAN]\n(pick-up d)\n(stack d b)\n[PLAN END]\nDone.",
        "(plan\n  (pick-up d)\n  (stack d b)\n)",
        "pick-up(d); stack(d, b)",
        '{"plan": "(pick-up d)\\n(stack d b)\\n"}',
    ],
)
def test_a_plan_is_read_however_it_is_written(text: str) -> None:
    reading = read_steps(text, NAMES)
    assert [str(step) for step in reading.steps] == TWO
    assert not reading.problems


@pytest.mark.parametrize(
    "text",
    [
        "pick up the yellow block\nstack the yellow block on top of the blue block",
        "1. Pick up yellow.\n2. Stack yellow on blue.",
        "1. **Pick up the yellow block** (it is clear)\n2. **Stack yellow on the blue block**",
        "picking up the yellow block\nstacking the yellow block on blue",
        "pick the yellow block up\nstack it: stack yellow on blue",
        "stack(yellow, blue)\n\n**Final plan:**\n1. pick_up(yellow)\n2. stack(yellow, blue)",
        "1. Pick up the yellow block. 2. Stack yellow on blue.",
    ],
)
def test_words_are_steps(text: str) -> None:
    assert steps(text, words=True) == TWO


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[PLAN]\n(pick-up a)\n[PLAN END]\n[PLAN]\n(pick-up d)\n(stack d b)\n[PLAN END]", TWO),
        (f"{PLAN}[PLAN END]\n[STATEMENT]\n[PLAN]\n(pick-up a)\n[PLAN END]", TWO),
        ("```\n(pick-up a)\n```\nNo:\n```\n(pick-up d)\n(stack d b)\n```", TWO),
        (
            f"First:\n(pick-up a)\n(put-down a)\n\nFinal answer:\n{PLAN}\nChecked:\n(pick-up b)\n",
            TWO,
        ),
        (f"(pick-up a)\n(put-down a)\nThat fails. Better is\n{PLAN}", TWO),
        ("(pick-up d)\nand after that\n(stack d b)", TWO),
        (
            "1. **(pick-up d)**\n   *Action*: `pick-up(d)`\n2. **(stack d b)**\n   - Adds: on d b",
            TWO,
        ),
        ("(pick-up d)\n(pick-up d)", ["pick-up(d)", "pick-up(d)"]),
    ],
)
def test_the_plan_that_is_meant_is_taken(text: str, expected: list[str]) -> None:
    assert steps(text) == expected


def test_reasoning_is_no_part_of_the_answer() -> None:
    reasoning = "<think>\n[PLAN]\n(pick-up a)\n(put-down a)\n[PLAN END]\n</think>"
    found = read_steps(f"{reasoning}\n{PLAN}", NAMES)
    assert [str(step) for step in found.steps] == TWO
    assert found.steps[0].position == len(reasoning) + 2
    assert len(read_steps("<think>\n(pick-up a)", NAMES).problems) == 1


def test_a_list_may_hold_numbers() -> None:
    [step] = read_steps('[["pick-up", 1]]', NAMES).steps
    assert step.arguments == ("1",)


@pytest.mark.parametrize("text", ["1. Pick up green.\n2. {}", "1. {}\n2. Pick up green."])
def test_an_unknown_object_in_words_is_part_of_its_step(text: str) -> None:
    assert "pick-up(green)" in steps(text.format("Stack yellow on blue."), words=True)


def test_a_step_in_each_fence_is_one_plan() -> None:
    reading = read_steps("```\n(pick-up a)\n```\n```\n(pick-up d)\n```", NAMES)
    assert [str(step) for step in reading.steps] == ["pick-up(a)", "pick-up(d)"]
    assert reading.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "1.0: (stack d b) [1]\n0.0: (pick-up d) [1]",
        "-1: (pick-up d)\n0: (stack d b)",
        "5: (pick-up d)\n(stack d b)",
        "0: (pick-up d)\n0: (stack d b)",
    ],
)
def test_times_say_the_order(text: str) -> None:
    assert steps(text) == TWO


def test_a_pronoun_for_one_of_several_objects_is_no_whole_step() -> None:
    found = read_steps("pick-up d\nstack it there\nput-down d", NAMES)
    assert [str(step) for step in found.steps] == ["pick-up(d)", "stack(d)", "put-down(d)"]


def test_places_are_those_in_the_answer() -> None:
    text = f"Plan:\n{PLAN}"
    found = read_steps(text, NAMES)
    assert [text[step.position :][:5] for step in found.steps] == ["pick-", "stack"]


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_answer_is_none(text: str) -> None:
    assert read_steps(text, NAMES).problems


@pytest.mark.parametrize("text", ["; nothing to do\n", "[]", "[PLAN]\n[PLAN END]", "()"])
def test_an_empty_plan_is_a_plan(text: str) -> None:
    found = read_steps(text, NAMES)
    assert (found.steps, found.problems) == ((), ())


@pytest.mark.parametrize("text", ["I do not know.", "(no plan possible)", DOMAIN, PROBLEM])
def test_what_has_no_step_is_no_plan(text: str) -> None:
    found = read_steps(text, NAMES)
    assert found.steps == ()
    assert found.problems


def test_a_plan_behind_the_domain_is_read() -> None:
    assert steps(f"{DOMAIN}\n{PROBLEM}\n{PLAN}") == TWO


def test_unknown_names_stay_as_they_are_written() -> None:
    assert steps("(pickup d)\n(stack d zz)") == ["pickup(d)", "stack(d, zz)"]
    assert steps("(pick-up d a)\n(pick-up)") == ["pick-up(d, a)", "pick-up()"]
    assert steps("(pick-up object_d)", words=True) == ["pick-up(object_d)"]


def test_a_step_that_is_taken_back_is_none() -> None:
    text = "1. Pick up yellow\n2. Stack yellow on red is not possible, so stack yellow on blue"
    assert steps(text, words=True) == TWO


def test_more_objects_than_parameters_are_noted_in_words() -> None:
    found = read_steps("pick up the yellow block from beside the red block", WORDS)
    assert [str(step) for step in found.steps] == ["pick-up(d)"]
    assert any("more objects are named" in note for note in found.notes)


def test_a_list_is_not_passed_over_for_a_step_with_too_many_objects() -> None:
    right = "1. Pick up the yellow block\n2. Stack the yellow block on the blue block"
    wrong = "1. Pick up the red block from beside the blue block\n2. Put down the red block"
    found = read_steps(f"The plan:\n{right}\n\nSequence of actions:\n{wrong}", WORDS)
    assert [str(step) for step in found.steps] == ["pick-up(a)", "put-down(a)"]


@pytest.mark.heavy
def test_long_plans_take_linear_time() -> None:
    def seconds(count: int) -> float:
        gc.collect()
        gc.disable()  # what other tests left behind is not looked through again
        try:
            begin = time.process_time()
            assert len(steps("(pick-up d)\n(put-down d)\n" * count)) == 2 * count
            return time.process_time() - begin
        finally:
            gc.enable()

    # Shorter plans of a planner are read line by line, without the three stages.
    # Longer plans than 2,000 lines are cut, and a problem says so.
    seconds(501)
    assert seconds(1_000) < 3.5 * max(seconds(501), 0.01)


@pytest.mark.heavy
@pytest.mark.parametrize(
    "piece",
    [
        "x",
        "(",
        ")",
        "] ",
        " ",
        "[a_",
        "plan:\n",
        "[PLAN]\n",
        "(pick-up d) ",
        "pick up d; ",
        "1",
        "```\n",
    ],
)
def test_no_answer_takes_more_than_linear_time(piece: str) -> None:
    begin = time.process_time()
    read_steps(piece * (200_000 // len(piece)), WORDS)
    assert time.process_time() - begin < 4


@given(st.text(alphabet="(pick-up d)b;[PLAN]`:1.0\n*", max_size=200))
def test_nothing_in_an_answer_raises(text: str) -> None:
    read_steps(text, WORDS)


@given(st.lists(st.sampled_from(["(pick-up d)", "(stack d b)", "(put-down a)"]), max_size=12))
def test_what_is_written_is_read(lines: list[str]) -> None:
    assert len(steps("\n".join(lines))) == len(lines)


@pytest.mark.parametrize(
    "text",
    ["(\u202apick-up b)", "(pi\u200bck-up b)", "\x1b[1mpick-up b\x1b[0m", "\ud800(pick-up\x00 b)"],
)
def test_what_nobody_sees_does_not_decide(text: str) -> None:
    found = read_steps(text, NAMES)
    assert [str(step) for step in found.steps] == ["pick-up(b)"]
    assert found.notes == ("characters that cannot be seen were dropped",)
    assert text[found.steps[0].position] in "(p"
