"""Reasons: the smallest failing part, when it last held, and what ended it."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st
from list_trajectory import ListTrajectory

from eai.errors import SchemaError
from eai.logic import (
    TRUE,
    Always,
    And,
    Atom,
    Eventually,
    Formula,
    Implies,
    LogicVocabulary,
    Next,
    Not,
    Then,
    explain,
    parse_formula,
)
from eai.logic.evidence import _consecutive_runs

HOME = LogicVocabulary(
    predicates={"on": 1, "held": 1, "closed": 1}, actions={"GRAB": 1, "SLEEP": 0, "SWITCH": 1}
)
STATES = [
    set(),
    {("on", "tv")},
    {("on", "tv"), ("held", "cup")},
    {("held", "cup"), ("closed", "box")},
    {("on", "tv"), ("closed", "box")},
]
STEPS = [("SWITCH", "tv"), ("GRAB", "cup"), ("SWITCH", "tv"), ("SWITCH", "tv")]
PLAN = ["switch on tv", "grab cup", "switch off tv", "switch on tv"]
EVENING = ListTrajectory({"tv": "device", "cup": "food", "box": "thing"}, STATES, STEPS)


def goal(text: str) -> Formula:
    return parse_formula(text, vocabulary=HOME)


def test_an_atom_that_never_held() -> None:
    found = explain(goal("closed(tv)"), EVENING)
    assert not found.holds
    assert found.part == Atom("closed", ("tv",))
    assert (found.position, found.step) == (None, None)
    assert found.text == "'closed(tv)' never held."


def test_of_a_conjunction_the_conjuncts_that_never_hold_are_to_blame() -> None:
    found = explain(goal("on(tv) and (closed(tv) and held(tv))"), EVENING)
    assert found.part == Atom("closed", ("tv",))
    assert found.missing == (Atom("closed", ("tv",)), Atom("held", ("tv",)))
    assert found.text == "'closed(tv)' never held; 1 other condition fails too."


def test_other_conditions_that_fail_are_counted_once() -> None:
    found = explain(goal("(forall x. (closed(x) and held(x))) and closed(tv)"), EVENING)
    assert found.text == "'closed(tv)' never held; 4 other conditions fail too."


def test_conjuncts_that_never_hold_together() -> None:
    found = explain(goal("on(tv) and held(cup) and true and closed(box)"), EVENING, plan=PLAN)
    assert isinstance(found.part, And)
    assert len(found.part.operands) == 3
    assert found.missing == (Atom("held", ("cup",)),)
    assert (found.position, found.step, found.action) == (3, 4, "switch on tv")
    assert found.text == (
        "'on(tv)', 'held(cup)' and 'closed(box)' never held together; after step 4 'on(tv)' and "
        "'closed(box)' held, but not 'held(cup)'; it last held after step 3, until step 4 "
        "(switch on tv)."
    )


def test_conditions_that_do_not_matter_are_left_out() -> None:
    still = ListTrajectory(
        ["tv", "cup", "box"],
        [{("on", "tv"), ("on", "cup")}, {("on", "tv"), ("on", "box")}],
        [("SWITCH", "cup")],
    )
    found = explain(goal("on(tv) and on(cup) and on(box)"), still)
    assert found.part == goal("on(cup) and on(box)")


def test_the_first_link_that_fails_and_how_far_the_others_got() -> None:
    found = explain(goal("GRAB(cup) then closed(box) then held(cup)"), EVENING, plan=PLAN)
    assert (found.link, found.reached) == (3, (1, 3))
    assert found.part == Atom("held", ("cup",))
    assert (found.position, found.step, found.action) == (3, 4, "switch on tv")
    assert found.text == (
        "Link 3 of 3 fails, after link 2 was reached after step 3: 'held(cup)' never held after "
        "step 4 or later; it last held after step 3, until step 4 (switch on tv)."
    )


def test_an_action_that_came_too_early() -> None:
    found = explain(goal("closed(box) then GRAB(cup)"), EVENING, plan=PLAN)
    assert (found.link, found.position, found.step, found.action) == (2, 1, 2, "grab cup")
    assert found.text == (
        "Link 2 of 2 fails, after link 1 was reached after step 3: 'GRAB(cup)' never happened in "
        "step 5 or later; it last happened in step 2 (grab cup)."
    )


def test_steps_have_the_numbers_of_the_reader() -> None:
    numbers = [1, 4, 5, 9]
    found = explain(goal("closed(box) then GRAB(cup)"), EVENING, plan=PLAN, numbers=numbers)
    assert (found.position, found.step) == (1, 4)
    assert found.text == (
        "Link 2 of 2 fails, after link 1 was reached after step 5: 'GRAB(cup)' never happened in "
        "step 10 or later; it last happened in step 4 (grab cup)."
    )
    assert explain(goal("closed(box)"), EVENING, numbers=numbers).text.endswith("after step 5.")
    with pytest.raises(SchemaError, match="3 step numbers"):
        explain(goal("closed(box)"), EVENING, numbers=numbers[:3])


def test_the_first_link_may_be_the_one() -> None:
    found = explain(goal("SLEEP() then on(tv)"), EVENING)
    assert (found.link, found.reached) == (1, ())
    assert found.text == "Link 1 of 2 fails: 'SLEEP()' never happened."


def test_the_trajectory_ends_before_the_last_link() -> None:
    found = explain(goal("on(tv) then on(tv) then on(tv) then on(tv)"), EVENING)
    assert (found.link, found.reached) == (4, (1, 2, 4))
    assert found.text.endswith("the trajectory ends before 'on(tv)' can hold.")


def test_forall_names_the_object() -> None:
    found = explain(goal("forall x. (held(x) or on(x))"), EVENING)
    assert found.binding == (("x", "box"),)
    assert found.part == goal("held(box) or on(box)")
    assert found.text == "'held(box) or on(box)' never held."


def test_forall_over_two_variables() -> None:
    found = explain(goal("forall x, y:device. (held(x) then on(y))"), EVENING)
    assert found.binding == (("x", "tv"), ("y", "tv"))
    assert found.part == Atom("held", ("tv",))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("not true", "'true' held all the time."),
        ("exists x. (held(x) and SLEEP())", "'exists x. (held(x) and SLEEP())' never held."),
        ("not (on(tv) then held(cup))", "'on(tv) then held(cup)' holds."),
        ("exists x. (held(x) then GRAB(x))", "'exists x. (held(x) then GRAB(x))' is not met."),
        (
            "(SLEEP() then on(tv)) or SLEEP()",
            "No alternative holds; the first one because link 1 of 2 fails: 'SLEEP()' never "
            "happened.",
        ),
        ("held(cup) and (SLEEP() then on(tv))", "Link 1 of 2 fails: 'SLEEP()' never happened."),
    ],
)
def test_other_failing_formulas(text: str, sentence: str) -> None:
    found = explain(goal(text), EVENING)
    assert not found.holds
    assert found.text == sentence


@pytest.mark.parametrize(
    ("text", "position", "sentence"),
    [
        ("on(tv)", 1, "'on(tv)' held after step 1."),
        ("not on(tv)", 0, "'not on(tv)' held at the start."),
        ("GRAB(cup)", 1, "'GRAB(cup)' happened in step 2."),
        ("SLEEP() or held(cup)", 2, "'held(cup)' held after step 2."),
        ("exists x. (closed(x))", 3, "'closed(box)' held after step 3."),
        (
            "GRAB(cup) then closed(box)",
            3,
            "'GRAB(cup)' happened in step 2, then 'closed(box)' held after step 3.",
        ),
        ("(on(tv) then held(cup)) and on(tv)", 2, "All of it was met after step 2."),
        ("(SLEEP() then on(tv)) or on(tv)", 1, "'on(tv)' held after step 1."),
        ("not (SLEEP() then on(tv))", None, "Link 1 of 2 fails: 'SLEEP()' never happened."),
    ],
)
def test_witnesses(text: str, position: int | None, sentence: str) -> None:
    found = explain(goal(text), EVENING)
    assert found.holds
    assert found.position == position
    assert found.text == sentence


def test_witnesses_of_a_chain_with_quantifiers() -> None:
    found = explain(goal("exists x. (GRAB(x) then held(x)) then exists y. (closed(y))"), EVENING)
    assert found.binding == (("x", "cup"), ("y", "box"))
    assert found.position == 3


def test_a_chain_of_three_links_is_met_where_the_last_is() -> None:
    found = explain(goal("on(tv) then held(cup) then closed(box)"), EVENING)
    assert (found.holds, found.reached, found.position) == (True, (1, 2, 3), 3)


def test_the_witness_of_a_chain_that_can_be_lost_is_a_cut() -> None:
    found = explain(goal("held(cup) then not (on(tv) then closed(box)) then true"), EVENING)
    assert found.reached == (2, 2, 4)
    assert found.text == (
        "Its links hold on the parts that end after step 2, after step 2, after step 4."
    )
    found = explain(goal("not (on(tv) then on(tv)) then on(tv)"), EVENING)
    assert found.reached == (-1, 4)


def test_a_chain_without_parts_has_words_though_no_notation() -> None:
    found = explain(Then(()), EVENING)
    assert not found.holds
    assert "'then'" in found.text


def test_an_explanation_has_the_facts_that_it_rests_on() -> None:
    found = explain(goal("forall x:food. (GRAB(x) then closed(x))"), EVENING, plan=PLAN)
    assert {(str(each.atom), each.holds) for each in found.blamed} >= {("closed(cup)", False)}
    data = json.loads(json.dumps(found.to_dict()))
    assert data["part"] == "closed(cup)"
    assert data["binding"] == {"x": "cup"}
    assert len(data["blamed"]) == len(found.blamed)
    assert len(found.to_dict(most=1)["blamed"]) == 1
    found = explain(goal("on(tv) then held(cup) then closed(tv)"), EVENING)
    assert [(str(each.atom), each.position, each.holds) for each in found.blamed] == [
        ("on(tv)", 0, False),
        *[("closed(tv)", place, False) for place in (3, 4)],
    ]
    found = explain(goal("on(tv) then closed(box)"), EVENING)
    assert [(str(each.atom), each.position) for each in found.blamed] == [
        ("on(tv)", 1),
        ("closed(box)", 3),
    ]


def test_conditions_that_do_not_meet_are_missed_at_a_position() -> None:
    found = explain(goal("on(tv) and held(cup) and closed(box)"), EVENING)
    assert found.fails_at == 4
    assert explain(goal("on(tv)"), EVENING).fails_at is None


def test_a_final_goal_is_explained_at_the_last_position() -> None:
    found = explain(goal("on(tv) and held(cup)"), EVENING, plan=PLAN, at=-1)
    assert (found.part, found.fails_at) == (Atom("held", ("cup",)), 4)
    assert (found.position, found.step, found.action) == (3, 4, "switch on tv")
    assert found.text == (
        "'held(cup)' is false after step 4; it last held after step 3, until step 4 (switch on tv)."
    )
    found = explain(goal("exists x. (closed(x))"), EVENING, at=-1)
    assert (found.holds, found.position, found.binding) == (True, 4, (("x", "box"),))
    assert found.text == "'closed(box)' held after step 4."


def test_explanations_of_linear_temporal_logic() -> None:
    on, held, closed = goal("on(tv)"), goal("held(cup)"), goal("closed(tv)")
    found = explain(Always(Implies(held, Eventually(closed))), EVENING, at=0)
    assert not found.holds
    assert found.part == Eventually(closed)
    assert found.fails_at == 2
    assert found.text.startswith("'closed(tv)' never held after step 2 or later, and 'held(cup)' ")
    found = explain(Next(goal("GRAB(cup)")), EVENING, plan=PLAN)
    assert (found.holds, found.text) == (True, "'GRAB(cup)' happened in step 2.")
    assert (found.position, found.step, found.action) == (1, 2, "grab cup")
    found = explain(Always(Not(And((on, held)))), EVENING)
    assert found.part == Not(And((on, held)))
    assert found.fails_at == 2
    assert explain(TRUE, EVENING, at=0).text == "'true' holds whatever happens."


def test_a_link_that_needs_no_position_is_reached_before_the_start() -> None:
    grabbed = goal("GRAB(tv)")
    none = ListTrajectory(["tv"], [set()])
    found = explain(Then((Not(Then((grabbed, grabbed))), grabbed)), none)
    assert (found.link, found.reached) == (2, (-1,))
    assert found.text == (
        "Link 2 of 2 fails, after link 1 was reached before the start: 'GRAB(tv)' never happened."
    )


def test_a_formula_that_is_false_whatever_happens_rests_on_no_facts() -> None:
    found = explain(goal("X (true <-> last)"), EVENING)
    assert found.text == "'true iff last' is false after step 1."


@given(st.sets(st.integers(0, 30)))
def test_positions_are_put_together_in_runs(positions: set[int]) -> None:
    runs = _consecutive_runs(sorted(positions))
    assert [n for first, last in runs for n in range(first, last + 1)] == sorted(positions)
    # Between two runs a position is missing.
    assert all(last + 1 < first for (_, last), (first, _) in pairwise(runs))


@pytest.mark.parametrize("text", ["not on(tv)", "not held(cup)", "not (not closed(box))"])
def test_a_negation_that_fails_is_not_said_twice(text: str) -> None:
    found = explain(Always(goal(text)), EVENING)
    assert not found.holds
    (atom,) = [str(node) for node in goal(text).walk() if isinstance(node, Atom)]
    assert found.text.count(atom) == 1


def test_facts_that_break_a_larger_part_are_listed() -> None:
    found = explain(Always(goal("on(tv) iff closed(box)")), EVENING)
    assert found.text.count("on(tv)") == found.text.count("closed(box)") == 2


def test_what_an_explanation_was_made_from_is_no_part_of_it() -> None:
    first, second = [explain(goal("on(tv) and held(tv)"), EVENING) for _ in range(2)]
    assert first == second
    assert repr(first) == repr(second)
    assert "evidence" not in repr(first)


def test_conditions_after_a_link_are_compared_from_there_on() -> None:
    found = explain(
        goal("held(cup) then (on(tv) and held(cup) and not closed(cup))"), EVENING, plan=PLAN
    )
    assert found.part == goal("on(tv) and held(cup)")
    assert found.missing == (Atom("held", ("cup",)),)


@pytest.mark.parametrize(("facts", "told"), [(1, 1), (3, 3), (5, 3)])
def test_of_the_left_side_of_an_implication_three_facts_are_told(facts: int, told: int) -> None:
    state = {("on", "tv"), ("on", "cup"), ("on", "box"), ("held", "tv"), ("held", "cup")}
    objects = {"tv": "device", "cup": "food", "box": "thing"}
    left = " and ".join(f"{name}({thing})" for name, thing in sorted(state)[:facts])
    found = explain(goal(f"G (({left}) -> closed(tv))"), ListTrajectory(objects, [state], []))
    assert found.part == Atom("closed", ("tv",))
    assert found.text.count("held at the start") == told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("G not (on(tv) and held(cup))", [("held(cup)", 2), ("on(tv)", 2)]),
        ("F held(cup)", [("held(cup)", 2)]),
        ("X on(tv)", [("on(tv)", 1)]),
    ],
)
def test_a_verdict_of_temporal_logic_rests_on_few_facts_with_a_position_and_without(
    text: str, expected: list[tuple[str, int]]
) -> None:
    for at in (None, 0):
        blamed = explain(goal(text), EVENING, at=at).blamed
        assert [(str(each.atom), each.position) for each in blamed] == expected
