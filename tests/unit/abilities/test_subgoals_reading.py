"""Reading lists of subgoals, and binding them to a task."""

from __future__ import annotations

import pytest

from eai.abilities import BoundSubgoals, bind_subgoals, read_subgoals, ways_of
from eai.errors import InputError
from eai.logic import format_formula, parse_formula
from eai.task import Vocabulary

KNOWN = Vocabulary(
    actions={"drink": 1, "sleep": 0},
    predicates={"on": 1, "holds_rh": 2},
    objects=frozenset({"me.1", "cup.2", "cup.3"}),
    classes={"me": ("me.1",), "cup": ("cup.2", "cup.3")},
)


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
    return bind_subgoals(read_subgoals("\n".join(subgoals)), KNOWN)


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
