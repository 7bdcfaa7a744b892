"""The size of the smallest proof, by trying every rule: slow, and obviously right."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from eai.logic.formula import (
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
    children,
    has_linear,
    has_then,
    walk,
)
from list_trajectory import ListTrajectory

__all__ = ["NONE", "smallest_at", "smallest_on"]

NONE = float("inf")
"""There is no proof."""

Binding = Mapping[str, str]
Ask = Callable[[Formula, bool, Binding], float]
TIME = (
    Next,
    WeakNext,
    Eventually,
    Always,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    Previous,
    WeakPrevious,
    Once,
    Historically,
    Since,
    Trigger,
)


def smallest_at(
    node: Formula,
    holds: bool,
    trajectory: ListTrajectory,
    window: tuple[int, int],
    position: int,
    binding: Binding,
) -> float:
    """Size of the smallest proof that a formula is true (or false) at a position of a part."""

    def at(part: Formula, wanted: bool, place: int) -> float:
        return smallest_at(part, wanted, trajectory, window, place, binding)

    def ask(part: Formula, wanted: bool, inner: Binding) -> float:
        return smallest_at(part, wanted, trajectory, window, position, inner)

    if isinstance(node, (Truth, Atom, ActionAtom, Equal, First, Last)):
        return 1 if _seen(node, trajectory, window, position, binding) == holds else NONE
    if isinstance(node, Then):
        return 1 + smallest_on(node, holds, trajectory, position, window[1], binding)
    if not isinstance(node, TIME):
        return _compound(node, holds, trajectory, binding, ask)
    back = isinstance(node, (Previous, WeakPrevious, Once, Historically, Since, Trigger))
    places = range(position, window[0] - 1, -1) if back else range(position, window[1])
    return 1 + _in_time(node, holds, list(places), at)


def _in_time(
    node: Formula, holds: bool, places: Sequence[int], at: Callable[[Formula, bool, int], float]
) -> float:
    first, *others = children(node)
    if isinstance(node, (Next, WeakNext, Previous, WeakPrevious)):
        if len(places) > 1:
            return at(first, holds, places[1])
        return 0 if holds == isinstance(node, (WeakNext, WeakPrevious)) else NONE
    if isinstance(node, (Eventually, Once, Always, Historically)):
        costs = [at(first, holds, place) for place in places]
        return sum(costs) if holds == isinstance(node, (Always, Historically)) else min(costs)
    (second,) = others
    if holds == isinstance(node, (Until, WeakUntil, Since)):
        options = [
            sum(at(first, holds, p) for p in places[:stop]) + at(second, holds, places[stop])
            for stop in range(len(places))
        ]
        to_end = sum(at(first, holds, place) for place in places)
    else:
        options = [
            sum(at(second, holds, p) for p in places[: stop + 1]) + at(first, holds, places[stop])
            for stop in range(len(places))
        ]
        to_end = sum(at(second, holds, place) for place in places)
    if holds == isinstance(node, (WeakUntil, Release, Trigger)):
        options.append(to_end)
    return min(options)


def smallest_on(
    node: Formula,
    holds: bool,
    trajectory: ListTrajectory,
    start: int,
    end: int,
    binding: Binding,
) -> float:
    """Size of the smallest proof that a formula holds (or fails) on a part."""

    def ask(part: Formula, wanted: bool, inner: Binding) -> float:
        return smallest_on(part, wanted, trajectory, start, end, inner)

    def piece(part: Formula, begin: int, stop: int) -> float:
        return smallest_on(part, holds, trajectory, begin, stop, binding)

    if isinstance(node, TIME) or not has_then(node):
        if start == end:
            return NONE if holds else 1
        if has_linear(node):
            return 1 + smallest_at(node, holds, trajectory, (start, end), start, binding)
        whole = (0, trajectory.length)
        costs = [smallest_at(node, holds, trajectory, whole, i, binding) for i in range(start, end)]
        return 1 + (min(costs) if holds else sum(costs))
    if not isinstance(node, Then):
        return _compound(node, holds, trajectory, binding, ask)
    return 1 + _chain(_flat(node), holds, start, end, piece)


def _chain(
    links: Sequence[Formula],
    holds: bool,
    start: int,
    end: int,
    piece: Callable[[Formula, int, int], float],
) -> float:
    if holds:
        return min(
            (sum(itertools.starmap(piece, cut)) for cut in _cuts(links, start, end)), default=NONE
        )
    if links and all(map(_lasting, links)):
        options = (
            sum(itertools.starmap(piece, cut))
            for number in range(1, len(links) + 1)
            for used in itertools.combinations(links, number)
            for cut in _segments(used, start, end)
        )
        return min(options, default=NONE)
    if len(links) < 2:
        if links:
            return piece(links[0], start, end)
        return 0 if start < end else NONE
    rest = links[1] if len(links) == 2 else Then(tuple(links[1:]))
    return sum(
        min(piece(links[0], start, cut), piece(rest, cut, end)) for cut in range(start, end + 1)
    )


def _flat(node: Formula) -> list[Formula]:
    if not isinstance(node, Then):
        return [node]
    return [link for operand in node.operands for link in _flat(operand)]


def _lasting(link: Formula) -> bool:
    fickle = (Not, Implies, Iff, Xor, Count, ForPairs)
    return not has_linear(link) and not any(
        has_then(node) and (isinstance(node, fickle) or node == Then(())) for node in walk(link)
    )


def _cuts(
    links: Sequence[Formula], start: int, end: int
) -> Iterator[list[tuple[Formula, int, int]]]:
    if not links:
        if start == end:
            yield []
        return
    for inner in itertools.combinations_with_replacement(range(start, end + 1), len(links) - 1):
        places = [start, *inner, end]
        yield list(zip(links, places, places[1:], strict=False))


def _segments(
    links: Sequence[Formula], start: int, end: int
) -> Iterator[list[tuple[Formula, int, int]]]:
    """All pieces with one position left out between them."""
    for stops in itertools.combinations(range(start, end), len(links) - 1):
        starts = [start, *(stop + 1 for stop in stops)]
        yield list(zip(links, starts, [*stops, end], strict=True))


def _compound(
    node: Formula, holds: bool, trajectory: ListTrajectory, binding: Binding, ask: Ask
) -> float:
    def costs(parts: Sequence[Formula], wanted: bool) -> list[float]:
        return [ask(part, wanted, binding) for part in parts]

    def junction(found: list[float], every: bool) -> float:
        return 1 + (sum(found) if every else min(found, default=NONE))

    if isinstance(node, Not):
        return 1 + ask(node.operand, not holds, binding)
    if isinstance(node, (And, Or)):
        return junction(costs(node.operands, holds), isinstance(node, And) == holds)
    if isinstance(node, Implies):
        found = [ask(node.left, not holds, binding), ask(node.right, holds, binding)]
        return junction(found, not holds)
    if isinstance(node, (Iff, Xor)):
        equal = isinstance(node, Iff) == holds
        return 1 + min(
            ask(node.left, value, binding) + ask(node.right, value == equal, binding)
            for value in (True, False)
        )
    if isinstance(node, Count):
        return 1 + _count(node, holds, trajectory, binding, ask)
    if isinstance(node, ForPairs):
        return 1 + _pairs(node, holds, trajectory, binding, ask)
    assert isinstance(node, (Forall, Exists))
    found = [ask(node.body, holds, b) for b in _bindings(node.variables, trajectory, binding)]
    return junction(found, isinstance(node, Forall) == holds)


def _pairs(
    node: ForPairs, holds: bool, trajectory: ListTrajectory, binding: Binding, ask: Ask
) -> float:
    """Every set of pairs that will do; every set of objects without which there is no pair."""
    sides = [trajectory.objects(variable.types) for variable in (node.first, node.second)]
    needed = max(min(map(len, sides)) if node.number is None else node.number, 0)
    costs = {
        (a, b): ask(node.body, holds, {**binding, node.first.name: a, node.second.name: b})
        for a, b in itertools.product(*sides)
        if a != b
    }
    if holds:
        return min(
            (
                sum(costs[pair] for pair in pairs)
                for pairs in itertools.combinations(costs, needed)
                if len({name for pair in pairs for name in pair}) == 2 * needed
            ),
            default=NONE,
        )
    names = sorted({*sides[0], *sides[1]})
    covers = itertools.combinations(names, min(needed - 1, len(names))) if needed else []
    best = min(
        (
            sum(cost for pair, cost in costs.items() if not set(pair) & set(cover))
            for cover in covers
        ),
        default=NONE,
    )
    if best < NONE:
        return best
    true = {pair for pair, cost in costs.items() if cost == NONE}
    if _pairs_off(true, needed):
        return NONE
    return sum(cost for cost in costs.values() if cost < NONE)


def _pairs_off(pairs: Collection[tuple[str, str]], needed: int) -> bool:
    return any(
        len({name for pair in chosen for name in pair}) == 2 * needed
        for chosen in itertools.combinations(pairs, needed)
    )


def _count(
    node: Count, holds: bool, trajectory: ListTrajectory, binding: Binding, ask: Ask
) -> float:
    """Every way to show some instances true and some false that settles the number."""
    bindings = list(_bindings((node.variable,), trajectory, binding))
    best = NONE
    for values in itertools.product((True, False, None), repeat=len(bindings)):
        least = sum(value is True for value in values)
        most = least + sum(value is None for value in values)
        numbers = range(least, most + 1)
        if all(_fits(node, number) == holds for number in numbers):
            shown = zip(values, bindings, strict=True)
            best = min(best, sum(ask(node.body, v, b) for v, b in shown if v is not None))
    return best


def _fits(node: Count, number: int) -> bool:
    if node.comparison == "exactly":
        return number == node.number
    return number >= node.number if node.comparison == "at least" else number <= node.number


def _bindings(
    variables: Sequence[Variable], trajectory: ListTrajectory, binding: Binding
) -> Iterator[Binding]:
    ranges = [trajectory.objects(variable.types) for variable in variables]
    for choice in itertools.product(*ranges):
        yield {**binding, **{v.name: name for v, name in zip(variables, choice, strict=True)}}


def _seen(
    node: Formula,
    trajectory: ListTrajectory,
    window: tuple[int, int],
    position: int,
    binding: Binding,
) -> bool:
    def ground(*terms: Term) -> tuple[str, ...]:
        return tuple(binding[term.name] if isinstance(term, Variable) else term for term in terms)

    if isinstance(node, Truth):
        return node.value
    if isinstance(node, (First, Last)):
        return position == (window[0] if isinstance(node, First) else window[1] - 1)
    if isinstance(node, Equal):
        left, right = ground(node.left, node.right)
        return left == right
    if isinstance(node, Atom):
        return (node.predicate, *ground(*node.terms)) in trajectory.states[position]
    assert isinstance(node, ActionAtom)
    step = (node.action, *ground(*node.terms))
    return trajectory.actions[position : position + 1] == [step]
