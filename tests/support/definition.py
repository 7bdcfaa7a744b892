"""The meaning of goals, word by word as the paper defines it: slow, and obviously right."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

from list_trajectory import Fact, ListTrajectory

from eai.logic import (
    ActionAtom,
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
    ForPairs,
    Historically,
    Iff,
    Implies,
    Last,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Term,
    Then,
    Trigger,
    Truth,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
)

__all__ = ["holds", "true_at"]

Binding = Mapping[str, str]
Ask = Callable[[Formula, Binding], bool]


def holds(
    formula: Formula, trajectory: ListTrajectory, start: int, end: int, binding: Binding
) -> bool:
    """Whether a formula holds on the positions start <= t < end."""

    def ask(part: Formula, inner: Binding) -> bool:
        return holds(part, trajectory, start, end, inner)

    if not formula.is_temporal:
        return any(true_at(formula, trajectory, t, binding) for t in range(start, end))
    if not formula.has_then or formula.is_linear:
        return start < end and true_at(formula, trajectory, start, binding, (start, end))
    if isinstance(formula, Then):
        return any(
            all(
                holds(link, trajectory, *part, binding)
                for link, part in zip(formula.operands, parts, strict=True)
            )
            for parts in _cuts(start, end, len(formula.operands))
        )
    return _compound(formula, trajectory, binding, ask)


def true_at(
    formula: Formula,
    trajectory: ListTrajectory,
    position: int,
    binding: Binding,
    part: tuple[int, int] | None = None,
) -> bool:
    """Whether a formula is true at a position of a part (without one, of the trajectory)."""
    start, end = part or (0, trajectory.length)

    def ask(inner: Formula, bound: Binding) -> bool:
        return true_at(inner, trajectory, position, bound, (start, end))

    if isinstance(formula, Then):
        return holds(formula, trajectory, position, end, binding)
    if formula.is_linear:

        def at(inner: Formula, place: int) -> bool:
            return true_at(inner, trajectory, place, binding, (start, end))

        return _linear(formula, at, position, start, end)
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


At = Callable[[Formula, int], bool]


def _linear(formula: Formula, at: At, now: int, start: int, end: int) -> bool:
    ahead, back = range(now, end), range(now, start - 1, -1)
    if isinstance(formula, (Last, First)):
        return now == (end - 1 if isinstance(formula, Last) else start)
    if isinstance(formula, (Next, WeakNext, Previous, WeakPrevious)):
        place = now + 1 if isinstance(formula, (Next, WeakNext)) else now - 1
        if start <= place < end:
            return at(formula.operand, place)
        return isinstance(formula, (WeakNext, WeakPrevious))
    if isinstance(formula, (Eventually, Once)):
        places = ahead if isinstance(formula, Eventually) else back
        return any(at(formula.operand, place) for place in places)
    if isinstance(formula, (Always, Historically)):
        places = ahead if isinstance(formula, Always) else back
        return all(at(formula.operand, place) for place in places)
    assert isinstance(formula, (Until, Release, WeakUntil, StrongRelease, Since, Trigger))
    places = back if isinstance(formula, (Since, Trigger)) else ahead
    left = [at(formula.left, place) for place in places]
    right = [at(formula.right, place) for place in places]
    if isinstance(formula, (Until, Since)):
        return any(right[i] and all(left[:i]) for i in range(len(right)))
    if isinstance(formula, WeakUntil):
        return all(left) or any(right[i] and all(left[:i]) for i in range(len(right)))
    released = any(left[i] and all(right[: i + 1]) for i in range(len(right)))
    return released or (not isinstance(formula, StrongRelease) and all(right))


def _compound(formula: Formula, trajectory: ListTrajectory, binding: Binding, ask: Ask) -> bool:
    if isinstance(formula, Not):
        return not ask(formula.operand, binding)
    if isinstance(formula, Implies):
        return not ask(formula.left, binding) or ask(formula.right, binding)
    if isinstance(formula, (Iff, Xor)):
        same = ask(formula.left, binding) == ask(formula.right, binding)
        return same == isinstance(formula, Iff)
    if isinstance(formula, And):
        return all(ask(part, binding) for part in formula.operands)
    if isinstance(formula, Or):
        return any(ask(part, binding) for part in formula.operands)
    if isinstance(formula, Count):
        inner = _bindings((formula.variable,), trajectory, binding)
        number = sum(ask(formula.body, each) for each in inner)
        if formula.comparison == "exactly":
            return number == formula.number
        at_least = formula.comparison == "at least"
        return number >= formula.number if at_least else number <= formula.number
    if isinstance(formula, ForPairs):
        sides = [trajectory.objects(v.types) for v in (formula.first, formula.second)]
        needed = min(map(len, sides)) if formula.number is None else formula.number
        names = (formula.first.name, formula.second.name)
        pairs = [
            pair
            for pair in itertools.product(*sides)
            if pair[0] != pair[1]
            and ask(formula.body, {**binding, **dict(zip(names, pair, strict=True))})
        ]
        return any(
            len(set(itertools.chain(*chosen))) == 2 * needed
            for chosen in itertools.combinations(pairs, needed)
        )
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
