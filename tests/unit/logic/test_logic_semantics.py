"""What goals mean on a trajectory, and what it costs to find out."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from list_trajectory import ListTrajectory

from eai.errors import InputError
from eai.logic import (
    And,
    Atom,
    Count,
    Evaluation,
    Exists,
    Forall,
    Formula,
    LogicVocabulary,
    Not,
    Or,
    Then,
    Trace,
    Variable,
    evaluate,
    final,
    parse_formula,
    truth,
)

HOME = LogicVocabulary(
    predicates={"on": 1, "held": 1, "closed": 1, "near": 2},
    actions={"GRAB": 1, "SLEEP": 0, "POUR": 2},
)

# position     0        1        2                3                        4
STATES = [
    set(),
    {("on", "tv")},
    {("on", "tv"), ("held", "cup")},
    {("held", "cup"), ("closed", "box")},
    {("on", "tv"), ("closed", "box")},
]
STEPS = [("SWITCH", "tv"), ("GRAB", "cup"), ("SWITCH", "tv"), ("GRAB", "box")]
TYPES = {"tv": "device", "cup": "food", "box": "thing"}
EVENING = ListTrajectory(TYPES, STATES, STEPS)


def goal(text: str) -> Formula:
    return parse_formula(text, vocabulary=HOME)


@pytest.mark.parametrize(
    ("text", "vector"),
    [
        ("true", 0b11111),
        ("false", 0b00000),
        ("on(tv)", 0b10110),
        ("not on(tv)", 0b01001),
        ("on(tv) and held(cup)", 0b00100),
        ("on(tv) or held(cup)", 0b11110),
        ("on(tv) implies held(cup)", 0b01101),
        ("GRAB(cup)", 0b00010),
        ("not GRAB(cup)", 0b11101),
        ("exists x. (GRAB(x))", 0b01010),
        ("exists x. (GRAB(x) and on(tv))", 0b00010),
        ("exists x. (not on(x) and x = tv)", 0b01001),
        ("exists x:food. (on(x) or held(x))", 0b01100),
        ("exists x:device|thing. (on(x) or closed(x))", 0b11110),
        ("exists x:nothing. (true)", 0b00000),
        ("forall x:nothing. (false)", 0b11111),
        ("forall x. (on(x) or held(x) or closed(x))", 0b00000),
        ("forall x:device. (on(x))", 0b10110),
        ("forall x. (GRAB(x) implies x = cup)", 0b10111),
        ("forn 0. x. (on(x) or held(x) or closed(x))", 0b00001),
        ("forn 1. x. (on(x) or held(x) or closed(x))", 0b00010),
        ("forn 2. x. (on(x) or held(x) or closed(x))", 0b11100),
        ("forn 3. x. (true)", 0b11111),
        ("forn 4. x. (true)", 0b00000),
        ("forn 999999999. x. (true)", 0b00000),
        ("exists x, y. (on(x) and held(y))", 0b00100),
        ("exists x. (on(x) and exists x. (held(x)))", 0b00100),
        ("tv = tv and not tv = cup", 0b11111),
    ],
)
def test_truth_of_state_formulas_at_every_position(text: str, vector: int) -> None:
    formula = goal(text)
    assert truth(formula, EVENING) == vector
    assert final(formula, EVENING) == bool(vector & 0b10000)
    assert bool(evaluate(formula, EVENING)) == (vector != 0)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("held(cup) then on(tv)", (True, 4)),
        ("held(cup) then held(cup) then held(cup)", (False, None)),
        ("on(tv) then on(tv) then on(tv)", (True, 4)),
        ("GRAB(cup) then held(cup)", (True, 2)),
        ("held(cup) then GRAB(cup)", (False, None)),
        ("(GRAB(cup) then held(cup)) then on(tv)", (True, 4)),
        ("GRAB(cup) then (held(cup) then on(tv))", (True, 4)),
        ("exists x. (GRAB(x) then held(x))", (True, 2)),
        ("forall x:food. (GRAB(x) then held(x))", (True, 2)),
        ("forall x. (GRAB(x) then held(x))", (False, None)),
        ("forall x:nothing. (GRAB(x) then held(x))", (True, 0)),
        ("forn 1. x. (GRAB(x) then held(x))", (True, None)),
        ("forn 2. x. (GRAB(x) then held(x))", (False, None)),
        ("forn 0. x. (held(x) then GRAB(x))", (True, None)),
        ("(GRAB(cup) then held(cup)) and closed(box)", (True, 3)),
        ("(SLEEP() then on(tv)) or held(cup)", (True, 2)),
        ("not (held(cup) then GRAB(cup))", (True, None)),
        ("not (GRAB(cup) then held(cup))", (False, None)),
        ("(GRAB(cup) then held(cup)) implies closed(cup)", (False, None)),
        # The two parts of the cut may overlap in nothing: one position cannot serve both.
        ("closed(box) and on(tv) then closed(box)", (False, None)),
        # Negated links: the earliest cut is not always the right one.
        ("held(cup) then not (on(tv) then closed(box))", (True, None)),
        ("(not (on(tv) then on(tv))) then closed(box) then on(tv)", (True, None)),
        ("true then not (on(tv) then held(cup))", (True, None)),
    ],
)
def test_temporal_formulas(text: str, verdict: tuple[bool, int | None]) -> None:
    found = evaluate(goal(text), EVENING)
    assert (found.holds, found.position) == verdict


def test_the_empty_plan_is_one_position() -> None:
    still = ListTrajectory(["tv"], [{("on", "tv")}])
    assert evaluate(goal("on(tv)"), still).position == 0
    assert not evaluate(goal("on(tv) then on(tv)"), still)
    assert not evaluate(goal("GRAB(tv)"), still)
    assert final(goal("on(tv)"), still)


def test_on_an_empty_part_no_state_formula_holds_but_a_negated_then_does() -> None:
    evaluation = Evaluation(EVENING)
    nothing = 1 << 5
    for text in ("true", "not on(tv)", "forall x:nothing. (false)", "true then true"):
        assert evaluation.ends(goal(text), 5) == 0
    assert evaluation.ends(goal("not (on(tv) then on(tv))"), 5) == nothing
    assert evaluation.ends(goal("forall x:nothing. (on(x) then on(x))"), 5) == nothing


def test_connectives_without_operands() -> None:
    assert evaluate(And(()), EVENING)
    assert not evaluate(Or(()), EVENING)
    assert not evaluate(Then(()), EVENING)
    assert evaluate(Then((Atom("on", ("tv",)),)), EVENING)
    assert evaluate(Then((Not(Then((Then(()), Atom("held", ("tv",))))), Then(()))), EVENING)
    assert evaluate(Exists((), Atom("on", ("tv",))), EVENING)
    assert not evaluate(Count(-1, Variable("x"), And(())), EVENING)


def test_a_verdict_is_its_answer_and_names_its_reading() -> None:
    assert evaluate(goal("on(tv)"), EVENING).reading == "eai"
    assert not evaluate(goal("false"), EVENING)


def test_then_has_no_truth_at_a_position() -> None:
    for ask in (truth, final):
        with pytest.raises(InputError, match="'then'"):
            ask(goal("not (on(tv) then on(tv))"), EVENING)


def test_an_unbound_variable_is_an_error() -> None:
    loose = Atom("on", (Variable("x"),))
    for formula in (loose, And((Forall((Variable("x"),), loose), loose)), Then((loose, loose))):
        with pytest.raises(InputError, match="'x' is not bound"):
            evaluate(formula, EVENING)
    assert Evaluation(EVENING).truth(loose, {"x": "tv"}) == 0b10110


def test_the_deepest_nesting_that_is_parsed_is_evaluated() -> None:
    text = "exists x. (" * 99 + "on(x)" + ")" * 99
    assert evaluate(goal(text), EVENING)
    assert evaluate(goal("not " * 98 + "(on(tv) then on(tv))"), EVENING)


class CountingTrajectory(ListTrajectory):
    """Counts the questions that are asked."""

    asked = 0

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        self.asked += 1
        return super().history(predicate, arguments)

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        self.asked += 1
        return super().occurrences(action, arguments)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        # Two objects were grabbed, so two objects are tried.
        ("exists x. (GRAB(x))", 2),
        ("exists x. (held(x) and GRAB(x))", 4),
        ("exists x. (GRAB(x) then held(x))", 4),
        ("exists x. (exists y. (POUR(x, y)))", 1),
        ("forall x. (GRAB(x) implies held(x))", 4),
        ("forall x. (not GRAB(x))", 2),
        ("forn 2. x. (GRAB(x))", 2),
        ("exists x. (x = o.7 and held(x))", 1),
        # Parts that do not share variables are searched apart, not in pairs.
        ("exists x, y. (held(x) and on(y))", 600),
        ("exists x. (exists y. (held(x) and on(y)))", 600),
        ("forall x. (forall y. (held(x) or on(y)))", 600),
        ("exists x. (held(x) and exists y. (on(y)))", 600),
    ],
)
def test_quantifiers_try_only_what_can_matter(text: str, most: int) -> None:
    objects: Sequence[str] = [f"o.{number}" for number in range(300)]
    trajectory = CountingTrajectory(objects, [{("held", "o.1")}] * 2 + [{("on", "o.2")}] * 2, [
        ("GRAB", "o.3"), ("GRAB", "o.4"), ("POUR", "o.5", "o.6")])  # fmt: skip
    evaluate(goal(text), trajectory)
    assert 0 < trajectory.asked <= most


def test_a_reading_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="there is no reading 'ltl'"):
        evaluate(Atom("p"), ListTrajectory([], [[]]), reading="ltl")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "exists a, b, c, d. (p(a, b) or p(b, c) and q(c, d) or r(d, a))",
        "forall a, b, c, d. (not p(a, b) and (p(b, c) implies not q(c, d)) and not r(d, a))",
        "exists a, b, c, d. (F (p(a, b) and q(c, d)) and G (p(d, a) or not q(b, c)))",
    ],
)
def test_four_variables_are_not_tried_with_all_objects_at_once(text: str) -> None:
    # 810,000 bindings: they took three seconds and more.
    states = [[Atom("p", (f"o{i}", f"o{j}")) for i in range(9) for j in range(9)]] * 3
    trace = Trace.of_states(states, objects=[f"o{i}" for i in range(30)])
    before = time.process_time()
    evaluate(parse_formula(text), trace)
    assert time.process_time() - before < 1


# Position 0 pours the tv into the cup, 1 the cup into the box, 2 the tv into the box.
POURED = ListTrajectory(
    TYPES, [set()] * 4, [("POUR", "tv", "cup"), ("POUR", "cup", "box"), ("POUR", "tv", "box")]
)


@pytest.mark.parametrize(
    ("text", "vector"),
    [
        ("exists x. (POUR(x, box))", 0b0110),
        ("exists x. (POUR(cup, x))", 0b0010),
        ("exists x. (POUR(box, x))", 0b0000),
        ("exists x. (POUR(x, box) and x = tv)", 0b0100),
        ("forall x. (not POUR(x, box))", 0b1001),
    ],
)
def test_objects_are_those_of_every_taken_action_that_matches(text: str, vector: int) -> None:
    assert truth(goal(text), POURED) == vector
