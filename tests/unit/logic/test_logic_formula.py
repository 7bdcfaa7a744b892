"""The tree itself: equality, copies and walks."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

import eai.logic
from eai.errors import InputError
from eai.logic import (
    FALSE,
    FIRST,
    LAST,
    TRUE,
    Always,
    And,
    Atom,
    Count,
    Equal,
    Eventually,
    Exists,
    First,
    Forall,
    Formula,
    Historically,
    Iff,
    Last,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Then,
    TimedMode,
    Trace,
    Trigger,
    Truth,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    atoms,
    conjuncts,
    evaluate,
    exists_closure,
    format_formula,
    generalize,
    map_atoms,
    objects_of,
)
from eai.logic.evidence import JustifiedTruth

X, Y = Variable("x"), Variable("y")
P, Q = Atom("p", (X,)), Atom("q", ("cup",))


def test_operators_build_formulas() -> None:
    assert Xor(P, Q) == P ^ Q
    assert (And((P, Q)), Or((P, Q))) == (P & Q, P | Q)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Next(P), WeakNext(P)),
        (Until(P, Q), Until(Q, P)),
        (TRUE, FALSE),
        (LAST, FIRST),
        (And((P,)), And((P, P))),
        (And(()), Or(())),
        (Count(1, X, P), Count(1, X, P, "at least")),
        (Forall((X,), P), Forall((X, Y), P)),
        (Equal("a", "b"), Equal("b", "a")),
        (P, "p(x)"),
    ],
)
def test_different_formulas_are_unequal(left: Formula, right: object) -> None:
    assert left != right


def test_equal_formulas_have_equal_hashes() -> None:
    assert {Since(P, Iff(Q, Last())), Since(P, Iff(Q, Last()))} == {Since(P, Iff(Q, LAST))}
    assert hash(First()) == hash(FIRST)


def test_a_copy_from_another_process_has_its_own_hash() -> None:
    hash(P)
    assert pickle.loads(pickle.dumps(And((P, Q)))) == And((P, Q))


def test_what_is_not_replaced_is_kept() -> None:
    formula = And((Always(P), Once(Q)))
    found = formula.substitute({"x": "cup"})
    assert found.operands[1] is formula.operands[1]
    assert formula.substitute({"y": "cup"}) is formula
    assert formula.rebuild(formula.operands) is formula


def test_a_bound_variable_is_not_replaced() -> None:
    formula = Or((Exists((X,), P), P, Count(2, X, P, "at most")))
    assert formula.substitute({"x": "cup"}) == Or(
        (Exists((X,), P), Atom("p", ("cup",)), Count(2, X, P, "at most"))
    )
    assert formula.free == {X}


def test_names_are_replaced_everywhere() -> None:
    formula = Exists((Y,), Next(Not(P)))
    ground = formula.substitute({"x": "cup"})
    assert objects_of(ground) == {"cup"}
    assert generalize(ground, {"cup": X}) == formula
    assert next(atoms(map_atoms(formula, {"p": "r"}))) == Atom("r", (X,))
    assert conjuncts(P & (TRUE & Q)) == (P, Q)


@pytest.mark.parametrize(
    "formula",
    [
        *(P & Q, P | Q, P >> Q, Xor(P, Q), Iff(P, Q), Not(P), TRUE, FALSE, LAST),
        *(Until(P, Q), Since(P, Q), Next(P), WeakNext(P), Eventually(P), Always(P), Once(P)),
        *(Count(2, X, P, comparison) for comparison in ("at most", "at least", "exactly")),
    ],
)
def test_a_negation_means_the_same(formula: Formula) -> None:
    from eai.logic import equivalent

    left = formula.negated().substitute({"x": "cup"})
    right = Not(formula).substitute({"x": "cup"})
    assert equivalent(left, right, objects=["cup", "tv"], reading="ltlf")


@pytest.mark.parametrize(
    ("formula", "negation"),
    [
        (Next(P), WeakNext(Not(P))),
        (Previous(P), WeakPrevious(Not(P))),
        (Eventually(P), Always(Not(P))),
        (Once(P), Historically(Not(P))),
        (Until(P, Q), Release(Not(P), Not(Q))),
        (WeakUntil(P, Q), StrongRelease(Not(P), Not(Q))),
        (Since(P, Q), Trigger(Not(P), Not(Q))),
        (And((P, Q)), Or((Not(P), Not(Q)))),
        (Exists((X,), P), Forall((X,), Not(P))),
    ],
)
def test_a_negation_is_the_dual_operator_of_negated_operands(
    formula: Formula, negation: Formula
) -> None:
    assert formula.negated() == negation
    assert type(negation.negated()) is type(formula)


def test_kinds_of_time() -> None:
    assert (Then((P, Q)).has_then, Then((P, Q)).has_linear) == (True, False)
    assert (Not(Once(P)).has_then, Not(Once(P)).has_linear) == (False, True)
    assert [each.is_temporal for each in (Then((P,)), LAST, Not(P))] == [True, True, False]


def test_what_is_shared_is_pickled_once() -> None:
    formula: Formula = P
    for _ in range(50):
        formula = And((formula, formula))
    again = pickle.loads(pickle.dumps(formula))
    assert isinstance(again, And)
    assert again.operands[0] is again.operands[1]


def test_a_representation_is_python() -> None:
    formula = Or((Forall((X,), P), Equal("a", "b"), And(()), Not(TRUE), Until(FIRST, Q), LAST))
    assert (
        eval(repr(formula), {name: getattr(eai.logic, name) for name in dir(eai.logic)}) == formula
    )


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_formula_that_is_made_meanwhile_is_the_one(
    is_kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread may make a formula between the look into the table and the entry."""
    settle = Atom.settle
    made_meanwhile: list[Formula] = []

    def interrupted(atom: Atom) -> None:
        settle(atom)
        if atom.predicate == "made_twice" and not made_meanwhile:
            made_meanwhile.append(atom)
            other = Atom("made_twice", atom.terms)
            made_meanwhile[:] = [other if is_kept else TRUE]

    monkeypatch.setattr(Atom, "settle", interrupted)
    found = Atom("made_twice", ("a",))
    assert found is Atom("made_twice", ("a",))
    assert (found is made_meanwhile[0]) is is_kept


def test_variables_that_a_quantifier_binds_are_not_replaced() -> None:
    x, y = Variable("x"), Variable("y")
    binding = {"x": "a", "y": "b"}
    inner = Exists((x,), Atom("on", (x, y)) & Atom("red", ("x",)))
    expected = Exists((x,), Atom("on", (x, "b")) & Atom("red", ("x",)))
    assert inner.substitute(binding) == expected
    both = Atom("on", (x, y)) & inner
    assert both.substitute(binding) == Atom("on", ("a", "b")) & expected
    assert Atom("on", (x, y)).substitute({"y": "b"}) == Atom("on", (x, "b"))
    assert inner.substitute({"x": "a"}) is inner


def test_a_formula_cannot_be_changed() -> None:
    formula = P & Q
    with pytest.raises(AttributeError):
        formula.operands = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del formula.operands
    assert formula.operands == (P, Q)


def test_a_mode_with_bounds_in_time_is_a_formula_that_positions_cannot_tell() -> None:
    mode = TimedMode("hold-during", (2, Fraction(11, 2)), (P,))
    assert format_formula(mode) == "hold-during(2, 5.5, p(x))"
    cup = mode.substitute({"x": "cup"})
    assert cup == TimedMode("hold-during", (2, Fraction(11, 2)), (Atom("p", ("cup",)),))
    assert mode.substitute({"y": "cup"}) is mode
    with pytest.raises(InputError):
        evaluate(cup, Trace.of_states([[]]))


@pytest.mark.parametrize("kind", [Exists, Forall])
@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_a_quantifier_is_a_level_for_each_of_its_variables(
    kind: type[Exists | Forall], count: int
) -> None:
    variables = tuple(Variable(f"x{number}") for number in range(count))
    on = Atom("on", variables)
    assert on.depth == 0
    formula = kind(variables, on)
    assert formula.depth == max(count, 1)
    assert kind(variables, Not(on)).depth == max(count, 1) + 1
    assert And((Not(formula), on)).depth == max(count, 1) + 2


def test_free_variables_are_bound_in_the_order_of_their_names() -> None:
    x, y = Variable("x"), Variable("y")
    on = Atom("on", (y, x))
    assert exists_closure(on) == Exists((x, y), on)
    assert exists_closure(Exists((x,), on)) == Exists((y,), Exists((x,), on))
    for closed in (Equal("a", "b"), TRUE, Exists((x, y), on), Forall((y,), Exists((x,), on))):
        assert exists_closure(closed) is closed


@pytest.mark.parametrize(("vector", "value"), [(0, False), (1, True), (0b110, True)])
def test_a_value_without_a_formula_is_a_constant(vector: int, value: bool) -> None:
    assert JustifiedTruth(vector, lambda _: ()).formula == Truth(value)
