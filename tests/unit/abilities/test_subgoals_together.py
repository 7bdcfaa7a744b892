"""What stands together in an answer is one subgoal, and what only stands beside it is not."""

from __future__ import annotations

import pytest
from small_subgoals import CUPS

from eai.abilities import read_subgoals
from eai.abilities.subgoals.binding import reading_of


def texts(answer: str) -> list[str]:
    reading = read_subgoals(answer, CUPS)
    assert not reading.problems
    return [subgoal.text for subgoal in reading.subgoals]


@pytest.mark.parametrize("tag", ["option", "answer", "steps", "plan"])
def test_elements_that_hold_a_whole_list_are_no_subgoals(tag: str) -> None:
    first, second = "on(cup.2)\ndrink(cup.2)", "on(cup.3)\ndrink(cup.3)\nsleep()"
    answer = f"<{tag}>\n{first}\n</{tag}>\n<{tag}>\n{second}\n</{tag}>"
    reading = read_subgoals(answer, CUPS)
    assert [subgoal.text for subgoal in reading.subgoals][-3:] == second.splitlines()


@pytest.mark.parametrize("tag", ["part", "goal", "subgoal", "item"])
def test_elements_of_other_names_are_a_subgoal_each(tag: str) -> None:
    answer = f"<{tag}>\non(cup.2)\ndrink(cup.2)\n</{tag}>\n<{tag}>\non(cup.3)\n</{tag}>"
    assert texts(answer) == ["on(cup.2) and drink(cup.2)", "on(cup.3)"]


@pytest.mark.parametrize("before", ["", "on ", "first on\n", "then get on\n"])
def test_an_element_names_its_predicate_once(before: str) -> None:
    answer = f"<subgoal>{before}<on>cup.2</on></subgoal><subgoal><drink>cup.2</drink></subgoal>"
    assert texts(f"<subgoals>{answer}</subgoals>") == ["on(cup.2)", "drink(cup.2)"]


@pytest.mark.parametrize("heading", ["Subgoals:", "Then:", "## Goals", "The plan is as follows:"])
@pytest.mark.parametrize("blanks", ["  ", "\t", "    "])
def test_lines_below_a_heading_are_subgoals_of_their_own(heading: str, blanks: str) -> None:
    lines = ["on(cup.2)", "drink(cup.2)", "sleep()"]
    below = "".join(f"\n{blanks}{line}" for line in lines)
    assert texts(heading + below) == lines
    # A numbered heading holds its lines together, until the next heading.
    numbered = f"1. First of all:{below}\n\n{heading}{below}"
    assert texts(numbered) == [" and ".join(lines), *lines]


@pytest.mark.parametrize("remark", ["step(n=3): ", 'check(x="1") ', "a(), "])
def test_calls_before_a_subgoal_do_not_hide_it(remark: str) -> None:
    assert texts(f"1. {remark}on(cup.2)\n2. drink(cup.2)") == ["on(cup.2)", "drink(cup.2)"]


@pytest.mark.parametrize("call", ["f()", 'f(x="1")', "f(the table)", "f([1])"])
@pytest.mark.parametrize("sign", [", ", " and ", " & ", ", then ", " or not "])
@pytest.mark.parametrize("ending", ["", "drink(cup.2)"])
def test_a_call_that_is_no_literal_does_not_end_a_subgoal(
    call: str, sign: str, ending: str
) -> None:
    written = f"on(cup.2){sign}{call}{sign if ending else ''}{ending}"
    for answer in (f"1. {written}\n2. sleep()", f"- {written}\n- sleep()"):
        first, second = texts(answer)
        assert second == "sleep()"
        assert "f(" in first
        assert first.endswith(ending)


@pytest.mark.parametrize("remark", ["(see step(n=3))", "(step(n=3))", "as step(n=3) says"])
def test_a_remark_behind_a_subgoal_is_no_part_of_it(remark: str) -> None:
    assert texts(f"1. on(cup.2) {remark}\n2. drink(cup.2)") == ["on(cup.2)", "drink(cup.2)"]


@pytest.mark.parametrize("brackets", ["(", "( ", "(\t", "(("])
def test_brackets_that_are_closed_later_are_opened_where_they_are_written(brackets: str) -> None:
    closing = ")" * brackets.count("(")
    written = f"{brackets}on(cup.2){closing} or drink(cup.2)"
    for lead in ("", "1. goal", "1. the goal is "):
        [subgoal] = texts(lead + written)
        assert subgoal == written
    # One bracket too many is told as it is written.
    assert texts(f"1. {written})") == [f"{written}"]


@pytest.mark.parametrize(
    ("entry", "alone", "beside_others"),
    [
        ("a: on(cup.2); drink(cup.2)", "on(cup.2) then drink(cup.2)", "on(cup.2); drink(cup.2)"),
        (
            "Step 1: on(cup.2) -> drink(cup.2)",
            "on(cup.2) then drink(cup.2)",
            "on(cup.2) -> drink(cup.2)",
        ),
        ("first on(cup.2)", "on(cup.2)", "on(cup.2)"),
    ],
)
def test_only_the_one_entry_of_a_list_may_be_a_sequence(
    entry: str, alone: str, beside_others: str
) -> None:
    assert texts(f'["{entry}"]') == [alone]
    assert texts(f'["{entry}", "sleep()"]') == [beside_others, "sleep()"]


def test_entries_that_others_read_have_no_place() -> None:
    reading = reading_of(["on(cup.2)", "sleep()"])
    assert [subgoal.position for subgoal in reading.subgoals] == [0, 0]


@pytest.mark.parametrize(
    "tag", ["option", "Option", "my_list", "to-do", "first_option", "plan", "steps", "x"]
)
@pytest.mark.parametrize("number", [2, 3])
def test_lines_may_begin_behind_the_tag_that_holds_them(tag: str, number: int) -> None:
    lines = ["on(cup.2)", "drink(cup.2)", "sleep()"][:number]
    inside = "\n".join(lines)
    assert texts(f"<{tag}>{inside}</{tag}>") == lines
    assert texts(f"<{tag}>\n{inside}\n</{tag}>") == lines


@pytest.mark.parametrize("tag", ["current_state", "precondition", "reason", "given"])
def test_what_an_element_in_one_line_says_is_no_subgoal(tag: str) -> None:
    assert texts(f"<{tag}>on(cup.3)</{tag}>\n1. drink(cup.2)") == ["drink(cup.2)"]
