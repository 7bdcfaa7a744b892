"""The meaning of goals, word by word as the paper defines it: slow, and obviously right."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

from eai.logic.formula import (
    ActionAtom,
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Term,
    Then,
    Truth,
    Variable,
    is_temporal,
)
from list_trajectory import Fact, ListTrajectory

__all__ = ["holds", "true_at"]

Binding = Mapping[str, str]
Ask = Callable[[Formula, Binding], bool]


def holds(
    formula: Formula, trajectory: ListTrajectory, start: int, end: int, binding: Binding
) -> bool:
    """Whether a formula holds on the positions start <= t < end."""

    def ask(part: Formula, inner: Binding) -> bool:
        return holds(part, trajectory, start, end, inner)

    if not is_temporal(formula):
        return any(true_at(formula, trajectory, t, binding) for t in range(start, end))
    if isinstance(formula, Then):
        return any(
            all(
                holds(link, trajectory, *part, binding)
                for link, part in zip(formula.operands, parts, strict=True)
            )
            for parts in _cuts(start, end, len(formula.operands))
        )
    return _compound(formula, trajectory, binding, ask)


def true_at(formula: Formula, trajectory: ListTrajectory, position: int, binding: Binding) -> bool:
    """Whether a state formula is true at a position."""

    def ask(part: Formula, inner: Binding) -> bool:
        return true_at(part, trajectory, position, inner)

    if isinstance(formula, Truth):
        return formula.value
    if isinstance(formula, Equal):
        left, right = _ground((formula.left, formula.right), binding)
        return left == right
    if isinstance(formula, Atom):
        fact: Fact = (formula.predicate, *_ground(formula.terms, binding))
        return fact in trajectory.states[position]
    if isinstance(formula, ActionAtom):
        step: Fact = (formula.action, *_ground(formula.terms, binding))
        return trajectory.actions[position : position + 1] == [step]
    return _compound(formula, trajectory, binding, ask)


def _compound(formula: Formula, trajectory: ListTrajectory, binding: Binding, ask: Ask) -> bool:
    if isinstance(formula, Not):
        return not ask(formula.operand, binding)
    if isinstance(formula, Implies):
        return not ask(formula.left, binding) or ask(formula.right, binding)
    if isinstance(formula, And):
        return all(ask(part, binding) for part in formula.operands)
    if isinstance(formula, Or):
        return any(ask(part, binding) for part in formula.operands)
    if isinstance(formula, Count):
        inner = _bindings((formula.variable,), trajectory, binding)
        return sum(ask(formula.body, each) for each in inner) == formula.number
    assert isinstance(formula, (Forall, Exists))
    answers = [ask(formula.body, b) for b in _bindings(formula.variables, trajectory, binding)]
    return all(answers) if isinstance(formula, Forall) else any(answers)


def _cuts(start: int, end: int, pieces: int) -> Iterator[list[tuple[int, int]]]:
    """Every way to cut a part into consecutive pieces, empty ones included."""
    if pieces == 0:
        if start == end:
            yield []
        return
    for inner in itertools.combinations_with_replacement(range(start, end + 1), pieces - 1):
        places = [start, *inner, end]
        yield list(itertools.pairwise(places))


def _bindings(
    variables: Sequence[Variable], trajectory: ListTrajectory, binding: Binding
) -> Iterator[Binding]:
    ranges = [trajectory.objects(variable.types) for variable in variables]
    for choice in itertools.product(*ranges):
        yield {**binding, **{v.name: name for v, name in zip(variables, choice, strict=True)}}


def _ground(terms: Sequence[Term], binding: Binding) -> tuple[str, ...]:
    return tuple(binding[term.name] if isinstance(term, Variable) else term for term in terms)
