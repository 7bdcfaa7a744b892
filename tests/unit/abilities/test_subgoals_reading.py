"""Reading lists of subgoals, and binding them to a task."""

from __future__ import annotations

import pytest
from small_subgoals import CUPS

from eai.abilities import BoundSubgoals, bind_subgoals, read_subgoals, ways_of
from eai.errors import InputError
from eai.logic import format_formula, parse_formula
from eai.task import Vocabulary


def texts(answer: str) -> list[str]:
    reading = read_subgoals(answer)
    return [] if reading.problems else [subgoal.text for subgoal in reading.subgoals]


@pytest.mark.parametrize(
    "answer",
    [
        '["on(cup.2)", "drink(cup.2)"]',
        '{"necessity": "no", "output": ["on(cup.2)", "drink(cup.2)"]}',
        'Sure:\n```json\n{"output": ["on(cup.2)", "drink(cup.2)"]}\n```',
        "{'output': ['on(cup.2)', 'drink(cup.2)',]}",
        '["first(try)"] and then ["on(cup.2)", "drink(cup.2)"]',
        "1. on(cup.2)\n2. drink(cup.2)\n",
        "[on(cup.2), drink(cup.2)]",
    ],
)
def test_forms_that_are_read(answer: str) -> None:
    assert texts(answer) == ["on(cup.2)", "drink(cup.2)"]


@pytest.mark.parametrize("answer", ["", "I cannot do that.", '["on(cup.2)", "dri', "{}", "[]"])
def test_what_is_no_list_is_a_problem(answer: str) -> None:
    assert read_subgoals(answer).problems
    assert not read_subgoals(answer).subgoals


def test_positions_point_into_the_answer() -> None:
    answer = 'So: ["on(cup.2)"]'
    assert answer[read_subgoals(answer).subgoals[0].position :].startswith('"on(cup.2)"')


LIST = '["on(cup.2)", "drink(cup.2)"]'


@pytest.mark.parametrize(
    "answer",
    [
        f'{{"output": {LIST}, "then": ["sleep(me.1)"]}}',
        f'{{"output": {LIST}, "then": "not on(cup.3)"}}',
        f'{{"output": {LIST}, "subgoals": ["sleep(me.1)"]}}',
        f'{{"output": {{"subgoals": {LIST}, "next": [[sleep(me.1)]]}}}}',
        f'{{"output": {LIST}, "SLEEP": ["me.1"]}}',
        f"{LIST}\nsleep(me.1)",
        f"```json\n{LIST}\n```\n\nnot on(cup.3) and sleep(me.1)",
        f"sleep(me.1)\n\n{LIST}",
        "1. on(cup.2)\n2. fly to the moon\n3. drink(cup.2)",
        "1. on(cup.2)\n2. drink(cup.2)\n3. fly to the moon",
        "on(cup.2)\nSLEEP me.1\ndrink(cup.2)",
    ],
)
def test_subgoals_beside_the_list_are_a_problem(answer: str) -> None:
    problems = read_subgoals(answer).problems
    assert [
        problem.message.endswith("was not read as one of the subgoals") for problem in problems
    ] == [True]


@pytest.mark.parametrize("bullets", ["1. {}\n2. {}", "- {}\n- {}"])
def test_an_item_above_the_first_subgoal_is_a_problem_if_it_names_an_object(bullets: str) -> None:
    names = Vocabulary({}, {"on": 1}, frozenset({"cup.2"}))
    assert read_subgoals(bullets.format("cup.2 shines", "on(cup.2)"), names).problems
    assert not read_subgoals(bullets.format("Here we go", "on(cup.2)"), names).problems


@pytest.mark.parametrize(
    ("answer", "notes"),
    [
        (
            '{"necessity_to_use_action": "yes, drink(cup.2) is one", '
            f'"actions_to_include": ["drink"], "output": {LIST}}}',
            (),
        ),
        (
            f'{{"thought": ["sleep(me.1)?"], "goals": ["on(cup.3)"], "output": {LIST}}}',
            ("not read: 'thought', 'goals'",),
        ),
        (f"{LIST}\non(cup.2) is the first of them.", ()),
        (f'["sleep(me.1)"]\n{LIST}', ("2 lists in the answer; chosen by: last",)),
        (f'{LIST} and ["sleep(me.1)", "slee', ("2 lists in the answer; chosen by: last",)),
    ],
)
def test_what_stands_beside_the_list_may_explain_it(answer: str, notes: tuple[str, ...]) -> None:
    assert texts(answer) == ["on(cup.2)", "drink(cup.2)"]
    assert read_subgoals(answer).notes == notes


def bound(*subgoals: str) -> BoundSubgoals:
    return bind_subgoals(read_subgoals("\n".join(subgoals)), CUPS)


def printed(found: BoundSubgoals) -> list[str]:
    return [format_formula(each) for s in found.subgoals for way in s.ways for each in way]


def test_letter_case_and_missing_ids() -> None:
    found = bound("ON(Cup)", "HOLDS_RH(me, cup.3)", "on(cup)")
    assert printed(found) == ["on(cup.2)", "holds_rh(me.1, cup.3)", "on(cup.3)"]


def test_each_name_that_is_wrong_is_a_finding() -> None:
    found = bound("fly(cup.2) and on(cup.9)", "on(cup.2, cup.3)", "on(cup.2")
    assert [finding.kind.value for finding in found.findings] == [
        "action_hallucination",
        "object_hallucination",
        "argument_number",
    ]
    assert not found.subgoals


def test_alternatives_are_ways() -> None:
    formula = parse_formula("(a() then b()) or c() then d()")
    assert [list(map(format_formula, way)) for way in ways_of(formula)] == [
        ["a()", "b()", "d()"],
        ["c()", "d()"],
    ]


@pytest.mark.parametrize("text", ["not (a() then b())", "F a()", "a() and (b() then c())"])
def test_what_cannot_be_searched_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        ways_of(parse_formula(text))


NAMED = Vocabulary(
    actions={"drink": 1, "sleep": 0},
    predicates={"on": 1, "next_to": 2},
    objects=frozenset({"me.1", "cup.2", "lamp.3"}),
    classes={"me": ("me.1",), "cup": ("cup.2",), "lamp": ("lamp.3",)},
)
TWO = ["next_to(me.1, lamp.3)", "on(lamp.3) and on(cup.2)"]


def named(answer: str) -> list[str]:
    """Return subgoals that are read by the names of the task, in one spelling."""
    reading = read_subgoals(answer, NAMED)
    return [] if reading.problems else [each.text.lower() for each in reading.subgoals]


@pytest.mark.parametrize(
    "answer",
    [
        "- [x] next_to(me.1, lamp.3)\n- [x] on(lamp.3) and on(cup.2)",
        "a) next_to(me.1, lamp.3)\nb) on(lamp.3) and on(cup.2)",
        "**1.** `NEXT_TO(me.1, lamp.3)`\n**2.** `ON(lamp.3)` and `ON(cup.2)`",
        "Subgoal 1: next_to(me.1, lamp.3)\n---\nSubgoal 2: on(lamp.3) and on(cup.2)",
        "next_to(me.1, lamp.3) \u2192 on(lamp.3) and on(cup.2)",
        "1. next_to(me.1, lamp.3)\n2. on(lamp.3), on(cup.2)",
        "1. Reach this:\n  - next_to(me.1, lamp.3)\n2. Reach this:\n  - on(lamp.3)\n  - on(cup.2)",
        "S1 = {next_to(me.1, lamp.3)}\nS2 = {on(lamp.3), on(cup.2)}",
        "next\\_to(me.1, lamp.3)\non(lamp.3) and on(cup.2)",
        "|#|Subgoal|\n|---|---|\n| 1 | next_to(me 1, lamp 3) |\n| 2 | on(lamp.3) and on(cup.2) |",
        '[["next_to(me.1, lamp.3)"], ["on(lamp.3)", "on(cup.2)"]]',
        '[["NextTo", "me.1", "lamp.3"], [["ON", "lamp.3"], ["ON", "cup.2"]]]',
        '[{"next_to": ["me.1", "lamp.3"]}, {"and": ["on(lamp.3)", "on(cup.2)"]}]',
        '{"subgoal_1": "next_to(me.1, lamp.3)", "subgoal_2": "on(lamp.3) and on(cup.2)"}',
        '[{"state": "next_to(me.1, lamp.3)", "reason": "on(cup.2) is next"},'
        ' {"state": "on(lamp.3) and on(cup.2)", "reason": "last"}]',
        "<plan><goal><next_to><me>1</me><lamp>3</lamp></next_to></goal>"
        "<goal><on><lamp>3</lamp></on><on><cup>2</cup></on></goal></plan>",
        '```python\nplan = []\nplan.append("next_to(me.1, lamp.3)")\n'
        'plan.append("on(lamp.3) and on(cup.2)")\n```',
    ],
)
def test_the_same_subgoals_in_many_forms(answer: str) -> None:
    spelled = [text.replace("nextto", "next_to").replace("me 1", "me.1") for text in named(answer)]
    assert spelled == TWO


@pytest.mark.parametrize(
    ("signs", "is_rule"),
    [
        ("-", False),
        ("--", False),
        ("---", True),
        ("----", True),
        ("***", True),
        ("___", True),
        ("===", True),
    ],
)
def test_three_signs_or_more_are_a_rule_between_two_lists(signs: str, is_rule: bool) -> None:
    reading = read_subgoals(f"on(cup.2)\n\n{signs}\n\non(lamp.3)", NAMED)
    # Nothing says which of two lists is meant.
    assert bool(reading.problems) is is_rule
    if not is_rule:
        assert [subgoal.text for subgoal in reading.subgoals] == ["on(cup.2)", "on(lamp.3)"]


@pytest.mark.parametrize("behind", ["[unused10]", "\nSee [1] and [2].", "\nMissing: []"])
def test_brackets_behind_the_list_never_replace_it(behind: str) -> None:
    assert named(f'{{"output": ["on(lamp.3)", "on(cup.2)"]}}{behind}') == [
        "on(lamp.3)",
        "on(cup.2)",
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "Draft:\n1. on(cup.2)\n\nThat is too short. Final answer:\n1. on(lamp.3)\n2. on(cup.2)",
        '{"initial_subgoals": ["on(cup.2)"], "final_subgoals": ["on(lamp.3)", "on(cup.2)"]}',
        "Answer A:\n1. on(lamp.3)\n2. on(cup.2)\nAnswer B:\n1. on(cup.2)\n\nI choose Answer A.",
        "<think>on(cup.2)</think>\n1. on(lamp.3)\n2. on(cup.2)",
        "~~1. on(cup.2)~~\n\n1. on(lamp.3)\n2. on(cup.2)",
    ],
)
def test_of_two_lists_the_one_that_is_meant_is_read(answer: str) -> None:
    assert named(answer) == ["on(lamp.3)", "on(cup.2)"]


@pytest.mark.parametrize(
    "answer",
    [
        "Do NOT use the following:\n1. on(lamp.3)\n2. on(cup.2)",
        "1. on(lamp.3)\n2. on(cup.2)\n\nNo, forget this. I have no answer.",
        '{"valid": false, "output": ["on(lamp.3)", "on(cup.2)"]}',
        "<!-- on(lamp.3) -->\nI have no answer.",
        "1. on(lamp.3)\n2. on(cu",
    ],
)
def test_what_is_not_meant_is_not_read(answer: str) -> None:
    assert named(answer) == []
    assert read_subgoals(answer, NAMED).problems


def test_quantified_types_have_to_exist() -> None:
    found = bind_subgoals(read_subgoals('["forall x:moon. (on(x))"]'), CUPS, types=("cup",))
    assert [finding.kind.value for finding in found.findings] == ["object_hallucination"]


@pytest.mark.parametrize(
    ("text", "is_refused"),
    [
        (" or ".join(["(a() then b())"] * 100), False),
        (" or ".join(["(a() then b())"] * 101), True),
        (" then ".join(["a()"] * 100), False),
        (" then ".join(["a()"] * 101), True),
        (" then ".join(["((a() then b()) or (c() then d()))"] * 6), False),
        (" then ".join(["((a() then b()) or (c() then d()))"] * 7), True),
    ],
)
def test_a_subgoal_has_so_many_ways_and_steps_at_most(text: str, is_refused: bool) -> None:
    formula = parse_formula(text)
    if is_refused:
        with pytest.raises(InputError):
            ways_of(formula)
    else:
        assert 1 <= len(ways_of(formula)) <= 100


def test_a_way_is_a_choice_of_alternatives_at_each_step() -> None:
    formula = parse_formula("((a() then b()) or c()) then (d() or (e() then f()))")
    found = [" ".join(map(format_formula, way)) for way in ways_of(formula)]
    assert found == ["a() b() d()", "a() b() e() f()", "c() d()", "c() e() f()"]
    assert [list(map(format_formula, way)) for way in ways_of(parse_formula("a() or b()"))] == [
        ["a() or b()"]
    ]


def test_a_class_goes_on_to_mean_the_object_that_was_named_last() -> None:
    found = bound("on(cup.3)", "drink(cup)", "on(cup) and on(cup.2)", "drink(cup)")
    assert printed(found) == [
        "on(cup.3)",
        "drink(cup.3)",
        "on(cup.2) and on(cup.2)",
        "drink(cup.2)",
    ]


@pytest.mark.parametrize(
    "text", ["on(", "on(cup.2) and", "and", "on(cup.2)) or (", "\u00e9 \u00e9"]
)
def test_what_is_no_formula_is_a_parsing_error_with_its_place(text: str) -> None:
    found = bind_subgoals(read_subgoals(f'["drink(cup.2)", "{text} on(x"]'), CUPS)
    assert next(finding.kind.value for finding in found.findings) == "parsing"


ELEMENTS = {
    "words": "{}",
    "string": '"{}"',
    "state": '{{"state": "{}"}}',
    "goal": '{{"goal": "{}"}}',
}


@pytest.mark.parametrize("second", ELEMENTS)
@pytest.mark.parametrize("first", ELEMENTS)
@pytest.mark.parametrize("name", ["subgoal", "step"])
def test_each_element_is_a_subgoal_whatever_it_holds(name: str, first: str, second: str) -> None:
    contents = ELEMENTS[first].format("on(cup.2)"), ELEMENTS[second].format("drink(cup.2)")
    answer = "\n".join(f"<{name}>{content}</{name}>" for content in contents)
    assert texts(answer) == ["on(cup.2)", "drink(cup.2)"]


@pytest.mark.parametrize("words", range(1, 8))
def test_a_label_before_subgoals_has_up_to_four_words(words: int) -> None:
    label = " ".join("abcdefgh"[:words]) + ": "
    expected = ["on(cup.2)", "drink(cup.2)"] if words < 5 else []
    assert texts(f"{label}on(cup.2)\n{label}drink(cup.2)") == expected
    assert texts(f"{label}on(cup.2), drink(cup.2)") == expected


@pytest.mark.parametrize("sign", "-*+")
@pytest.mark.parametrize("place", [0, 1])
def test_a_bullet_below_a_numbered_subgoal_may_say_why(place: int, sign: str) -> None:
    lines = ["1. on(cup.2)", "2. drink(cup.2)"]
    lines.insert(place + 1, f"   {sign} because it is there")
    assert texts("\n".join(lines)) == ["on(cup.2)", "drink(cup.2)"]


@pytest.mark.parametrize(
    "lines",
    [
        ["on(cup.2)", "   - because it is there", "2. drink(cup.2)"],
        ["1. on(cup.2)", "   - because the cup.3 is there", "2. drink(cup.2)"],
    ],
)
def test_other_bullets_below_a_subgoal_are_reported(lines: list[str]) -> None:
    reading = read_subgoals("\n".join(lines))
    assert [problem.written for problem in reading.problems] == [lines[1].strip()]


@pytest.mark.parametrize("remark", ["and so on", "and that is all.", "Or something like it."])
def test_a_sentence_that_begins_with_a_connective_is_no_part_of_the_formula_above(
    remark: str,
) -> None:
    assert texts(f"on(cup.2)\ndrink(cup.2)\n\n{remark}") == ["on(cup.2)", "drink(cup.2)"]
    assert texts(f"on(cup.2) then drink(cup.2)\n{remark}") == ["on(cup.2) then drink(cup.2)"]


@pytest.mark.parametrize("literal", ["drink(cup.2)", "(drink(cup.2))", "not drink(cup.2)"])
def test_a_line_with_a_connective_and_a_literal_goes_on_with_the_formula_above(
    literal: str,
) -> None:
    assert texts(f"on(cup.2)\nand {literal}") == [f"on(cup.2) and {literal}"]


def test_a_last_line_that_begins_with_a_literal_and_is_not_read_is_reported() -> None:
    last = "drink(cup.2) would be good"
    reading = read_subgoals(f"on(cup.2)\non(cup.3)\n{last}")
    assert [problem.written for problem in reading.problems] == [last]
    # Below a blank line, or below a whole list, it speaks of what was said.
    assert texts(f"on(cup.2)\non(cup.3)\n\n{last}") == ["on(cup.2)", "on(cup.3)"]
    assert texts(f'["on(cup.2)", "on(cup.3)"]\n{last}') == ["on(cup.2)", "on(cup.3)"]
