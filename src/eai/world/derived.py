"""Recursive derived predicates: their extension as a least fixed point, once a state.

Derived predicates that do not depend on themselves are compiled into the conditions that use
them; only the others need a table. Predicates that depend on each other are computed together,
after those whose negation they may use (stratified axioms: Edelkamp & Hoffmann 2004, section 3).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping

from eai.errors import InputError
from eai.logic import Variable
from eai.pddl import Axiom, polarities
from eai.world.bits import bits
from eai.world.state import Extension, Layout, State

Rule = tuple[tuple[Variable, ...], Callable[..., int]]
"""Variables of a rule's head, and a function of the state and the numbers of all but the last of
them that returns the mask of the last one (without variables: 0 or 1)."""


def components(axioms: Iterable[Axiom], *, where: str) -> tuple[tuple[str, ...], ...]:
    """Group the derived predicates that depend on themselves.

    Returns:
        Groups of predicates that depend on each other.

    Raises:
        InputError: If a predicate depends on its own negation (the axioms are not stratified).
    """
    uses: dict[str, set[str]] = {}
    denies: dict[str, set[str]] = {}
    for axiom in axioms:
        name = axiom.head.predicate
        for atom, positive in polarities(axiom.body):
            uses.setdefault(name, set()).add(atom.predicate)
            if not positive:
                denies.setdefault(name, set()).add(atom.predicate)
    reach = {name: _closure(name, uses) for name in uses}
    groups = {
        tuple(sorted(other for other in reach[name] if name in reach.get(other, ())))
        for name in uses
        if name in reach[name]
    }
    for group in groups:
        for name in group:
            for other in sorted(denies.get(name, set()).intersection(group)):
                raise InputError(
                    f"derived predicate {name!r} depends on its own negation through {other!r}",
                    where=where,
                    expected="derived predicates that are recursive only without negation",
                )
    return tuple(sorted(groups))


def _closure(name: str, uses: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    pending = list(uses[name])
    while pending:
        current = pending.pop()
        if current not in reached:
            reached.add(current)
            pending.extend(uses.get(current, ()))
    return reached


class Tables:
    """The extensions of recursive derived predicates, made when a state is first asked.

    Args:
        layout: Layout of the domain.
        groups: Predicates that are computed together, from :func:`components`.
        rules: Function that compiles the rules of a predicate.
    """

    def __init__(
        self,
        layout: Layout,
        groups: Iterable[tuple[str, ...]],
        rules: Callable[[str], list[Rule]],
    ) -> None:
        self._layout = layout
        numbered = [tuple(layout.index[name] for name in group) for group in groups]
        self._groups = {p: group for group in numbered for p in group}
        self._compile = rules
        self._rules: dict[int, list[Rule]] = {}

    def of(self, state: State, predicate: int) -> Extension:
        """Return the extension of a recursive derived predicate; the state keeps it.

        A rule that mentions a predicate of another group asks for its table in turn, and finds
        it finished.
        """
        found = state.memo.get(predicate)
        if found is None:
            self._fixed_point(state, self._groups[predicate])
            found = state.memo[predicate]
        return found

    def _fixed_point(self, state: State, group: tuple[int, ...]) -> None:
        size = len(state.universe)
        for p in group:
            if p not in self._rules:
                self._rules[p] = self._compile(self._layout.names[p])
        rules = [(p, rule) for p in group for rule in self._rules[p]]
        for p, _ in rules:
            lines = size if self._layout.arity[p] == 2 else 0
            state.memo[p] = (0, [0] * lines, [0] * lines, {})
        changed = True
        while changed:
            changed = False
            for p, rule in rules:
                changed |= _extend(state, p, rule)


def _extend(state: State, p: int, rule: Rule) -> bool:
    """Add what a rule says of a predicate; return whether anything is new."""
    head, function = rule
    changed = False
    ranges = [list(bits(state.universe.mask(v.types))) for v in head[:-1]]
    for numbers in itertools.product(*ranges):
        changed |= _learn(state, p, numbers, function(state, *numbers), len(head))
    return changed


def _learn(state: State, p: int, numbers: tuple[int, ...], mask: int, arity: int) -> bool:
    known, rows, cols, wide = state.memo[p]
    if arity < 2:
        state.memo[p] = (known | mask, rows, cols, wide)
        return bool(mask & ~known)
    if arity > 2:
        old = wide.get(numbers, 0)
        wide[numbers] = old | mask
        return bool(mask & ~old)
    new = mask & ~rows[numbers[0]]
    rows[numbers[0]] |= new
    for number in bits(new):
        cols[number] |= 1 << numbers[0]
    return bool(new)
