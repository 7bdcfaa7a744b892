"""Operators in any notation are the same, and whatever a model writes is evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count, permutations
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from small_transition import SWITCH, WALK, small_environment

from eai.abilities import match_operators
from eai.logic import And, Atom, Exists, Forall, Formula, Not, Or, Variable
from eai.pddl import AddEffect, AndEffect, DeleteEffect, Effect, Operator, WhenEffect
from eai.semantics import Semantics
from eai.suites.transition.counting import compare_forms
from eai.suites.transition.environment import OperatorEnvironment
from eai.suites.transition.evaluation import evaluate_operators
from eai.suites.transition.quirks import TRANSITION_QUIRKS

X, Y = Variable("x"), Variable("y")
SEMANTICS = [Semantics.of(name, TRANSITION_QUIRKS) for name in ("official", "strict")]


def literals(variables: tuple[Variable, ...]) -> st.SearchStrategy[Formula]:
    atoms = st.builds(
        Atom,
        st.sampled_from(["p", "q"]),
        st.tuples(st.sampled_from(variables)),
    )
    return st.one_of(atoms, atoms.map(Not))


def conditions(variables: tuple[Variable, ...] = (X, Y), depth: int = 2) -> Any:
    if not depth:
        return literals(variables)
    inner = conditions(variables, depth - 1)
    parts = st.lists(inner, min_size=1, max_size=3).map(tuple)
    z = Variable(f"z{depth}")
    quantified = conditions((*variables, z), depth - 1)
    return st.one_of(
        inner,
        parts.map(And),
        parts.map(Or),
        inner.map(Not),
        quantified.map(lambda body: Exists((z,), body)),
        quantified.map(lambda body: Forall((z,), body)),
    )


def effects() -> st.SearchStrategy[Effect]:
    atoms = st.builds(
        lambda name, term: Atom(name, (term,)), st.sampled_from("pq"), st.sampled_from((X, Y))
    )
    literal = st.one_of(atoms.map(AddEffect), atoms.map(DeleteEffect))
    when = st.builds(WhenEffect, literals((X, Y)), literal)
    return st.lists(st.one_of(literal, when), max_size=3).map(lambda parts: AndEffect(tuple(parts)))


OPERATORS = st.builds(
    lambda before, after: Operator("a", (X, Y), before, after), conditions(), effects()
)


def rewritten(formula: Formula, names: dict[Variable, Variable], fresh: Iterator[int]) -> Formula:
    """The same in another notation: reversed, De Morgan's laws, other names."""
    if isinstance(formula, Atom):
        terms = [names[t] if isinstance(t, Variable) else t for t in formula.terms]
        return Atom(formula.predicate, tuple(terms))
    if isinstance(formula, Not):
        return Not(rewritten(formula.operand, names, fresh))
    if isinstance(formula, (And, Or)):
        parts = [rewritten(part, names, fresh) for part in reversed(formula.operands)]
        dual = Or if isinstance(formula, And) else And
        return Not(dual(tuple(Not(part) for part in parts)))
    assert isinstance(formula, (Exists, Forall))
    (old,) = formula.variables
    new = Variable(f"v{next(fresh)}")
    return type(formula)((new,), rewritten(formula.body, {**names, old: new}, fresh))


@given(OPERATORS)
@settings(max_examples=100)
def test_notation_makes_no_difference(operator: Operator) -> None:
    a, b = Variable("a"), Variable("b")
    names = {X: a, Y: b}

    def changed(effect: Effect) -> Effect:
        if isinstance(effect, (AddEffect, DeleteEffect)):
            atom = rewritten(effect.atom, names, count())
            assert isinstance(atom, Atom)
            return type(effect)(atom)
        if isinstance(effect, WhenEffect):
            return WhenEffect(rewritten(effect.condition, names, count()), changed(effect.effect))
        assert isinstance(effect, AndEffect)
        return AndEffect(tuple(changed(part) for part in reversed(effect.parts)))

    other = Operator(
        "a",
        (a, b),
        rewritten(operator.precondition, names, count()),
        changed(operator.effect),
    )
    for part in match_operators(other, operator):
        assert not part.extra
        assert not part.missing


@given(OPERATORS, OPERATORS)
@settings(max_examples=100)
def test_precision_and_recall_change_places(one: Operator, other: Operator) -> None:
    ours, theirs = match_operators(one, other), match_operators(other, one)
    assert sum(sum(part.shared.values()) for part in ours) == sum(
        sum(part.shared.values()) for part in theirs
    )


def operators_of_literals(names: str) -> st.SearchStrategy[Operator]:
    """Actions with up to three parameters; condition and effect are sets of literals."""
    variables = st.permutations([Variable(name) for name in names]).flatmap(
        lambda order: st.integers(1, 3).map(lambda count: tuple(order[:count]))
    )

    def literals_of(parameters: tuple[Variable, ...]) -> st.SearchStrategy[dict[Atom, bool]]:
        terms = st.tuples(st.sampled_from(parameters), st.sampled_from((*parameters, "tv")))
        return st.dictionaries(st.builds(Atom, st.sampled_from("pq"), terms), st.booleans())

    def build(
        parameters: tuple[Variable, ...], before: dict[Atom, bool], after: dict[Atom, bool]
    ) -> Operator:
        condition = [atom if value else Not(atom) for atom, value in before.items()]
        changes = [AddEffect(a) if value else DeleteEffect(a) for a, value in after.items()]
        return Operator("a", parameters, And(tuple(condition)), AndEffect(tuple(changes)))

    return variables.flatmap(
        lambda parameters: st.builds(
            build, st.just(parameters), literals_of(parameters), literals_of(parameters)
        )
    )


def literals_of_parts(operator: Operator, names: Mapping[str, object]) -> list[set[object]]:
    """Return the literals of condition and effect, with other names for the parameters."""

    def literal(atom: Formula, value: bool) -> object:
        assert isinstance(atom, Atom)
        named = [names[t.name] if isinstance(t, Variable) else t for t in atom.terms]
        return value, atom.predicate, *named

    assert isinstance(operator.precondition, And)
    assert isinstance(operator.effect, AndEffect)
    before: set[object] = set()
    for part in operator.precondition.operands:
        is_negated = isinstance(part, Not)
        before.add(literal(part.operand if isinstance(part, Not) else part, not is_negated))
    after: set[object] = set()
    for effect in operator.effect.parts:
        assert isinstance(effect, (AddEffect, DeleteEffect))
        after.add(literal(effect.atom, isinstance(effect, AddEffect)))
    return [before, after]


@given(operators_of_literals("xyz"), operators_of_literals("xyuv"))
@settings(max_examples=125)
def test_no_other_assignment_of_parameters_shares_more(predicted: Operator, gold: Operator) -> None:
    # By definition: try every way to call the parameters of one by those of the other, where
    # negative numbers are parameters that the other does not have.
    count = len(gold.parameters)
    annotated = literals_of_parts(gold, {v.name: n for n, v in enumerate(gold.parameters)})
    best = 0
    for chosen in permutations(range(-len(predicted.parameters), count), len(predicted.parameters)):
        called = {v.name: number for v, number in zip(predicted.parameters, chosen, strict=True)}
        ours = literals_of_parts(predicted, called)
        best = max(best, sum(len(a & b) for a, b in zip(ours, annotated, strict=True)))
    overlaps = match_operators(predicted, gold)
    shared = [sum(part.shared.values()) for part in overlaps]
    assert sum(shared) == best
    own = literals_of_parts(predicted, {v.name: v.name for v in predicted.parameters})
    for part, number, written, wanted in zip(overlaps, shared, own, annotated, strict=True):
        assert sum(part.extra.values()) == len(written) - number
        assert sum(part.missing.values()) == len(wanted) - number


@given(st.lists(st.sampled_from(["(", ")", "and", "or", "not", "forall", "when", "p ?x", "?x"])))
@settings(max_examples=200)
def test_any_text_can_be_compared(words: list[str]) -> None:
    found = compare_forms(" ".join(words), "(and (p ?x) (not (q ?x)))")
    assert 0 <= found.score <= 1


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> OperatorEnvironment:
    return small_environment(tmp_path_factory.mktemp("release"))


ANSWER = "".join(
    "(:action {} :parameters {} :precondition {} :effect {})\n".format(*operator.values())
    for operator in (WALK, SWITCH)
)


@given(
    st.integers(0, len(ANSWER)),
    st.integers(0, 30),
    st.sampled_from(["", "(", ")", " ?z", "\\", '"']),
)
@settings(max_examples=60)
def test_whatever_is_written_is_evaluated(
    small: OperatorEnvironment, at: int, gone: int, new: str
) -> None:
    answer = ANSWER[:at] + new + ANSWER[at + gone :]
    for semantics in SEMANTICS:
        result = evaluate_operators(small, "1_1", answer, semantics)
        assert result.status == "evaluated" or (
            result.status == "excluded" and semantics.version == ""
        )
        for match in result.matches:
            assert min(match.tp, match.fp, match.fn) >= 0
