"""Recursive derived predicates: their extension as a least fixed point, once a state.

Derived predicates that do not depend on themselves are compiled into the conditions that use
them; only the others need a table (PDDL 2.2, Edelkamp & Hoffmann 2004).
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from eai.errors import InputError
from eai.logic.formula import Atom, Formula, Not, Variable, atoms, children
from eai.pddl.model import Domain
from eai.world.bits import bits

if TYPE_CHECKING:
    from eai.world.compiler import Compiler
    from eai.world.state import State

__all__ = ["Extension", "extension", "recursive_predicates"]

Extension = tuple[int, list[int], list[int], dict[tuple[int, ...], int]]
"""Mask, rows, columns and wide table of a predicate, as a state keeps them."""


def recursive_predicates(domain: Domain) -> frozenset[str]:
    """Names of the derived predicates that depend on themselves.

    Raises:
        InputError: If one depends on its own negation (the axioms are not stratified).
    """
    uses: dict[str, set[str]] = {}
    negative: dict[str, set[str]] = {}
    for axiom in domain.axioms:
        name = axiom.head.predicate
        uses.setdefault(name, set()).update(
            a.predicate for a in atoms(axiom.body) if isinstance(a, Atom)
        )
        negative.setdefault(name, set()).update(_under_negation(axiom.body))
    reach = {name: _closure(name, uses) for name in uses}
    recursive = frozenset(name for name in uses if name in reach[name])
    for name in sorted(recursive):
        for other in sorted(negative[name]):
            if other in recursive and name in reach[other]:
                raise InputError(
                    f"derived predicate {name!r} depends on its own negation through {other!r}",
                    where=f"domain {domain.name!r}",
                    expected="derived predicates that are recursive only without negation",
                )
    return recursive


def _closure(name: str, uses: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    pending = list(uses[name])
    while pending:
        current = pending.pop()
        if current not in reached:
            reached.add(current)
            pending.extend(uses.get(current, ()))
    return reached


def _under_negation(formula: Formula) -> set[str]:
    if isinstance(formula, Not):
        return {a.predicate for a in atoms(formula) if isinstance(a, Atom)}
    return {name for child in children(formula) for name in _under_negation(child)}


def extension(compiler: Compiler, state: State, predicate: int) -> Extension:
    """Return the extension of a recursive derived predicate in a state (kept with the state)."""
    found = state.memo.get(predicate)
    if found is None:
        _fixed_point(compiler, state)
        found = state.memo[predicate]
    return found  # type: ignore[return-value]


def _fixed_point(compiler: Compiler, state: State) -> None:
    layout, size = compiler.layout, len(state.universe)
    names = sorted(compiler.recursive)
    for name in names:
        p = layout.index[name]
        two = size if layout.arity[p] == 2 else 0
        state.memo[p] = (0, [0] * two, [0] * two, {})
    rules = [
        (layout.index[name], head, rule) for name in names for head, rule in compiler.rules(name)
    ]
    changed = True
    while changed:
        changed = False
        for p, head, rule in rules:
            for numbers in itertools.product(*(_range(state, v) for v in head)):
                if not _known(state, p, numbers) and rule(state, *numbers):
                    _learn(state, p, numbers)
                    changed = True


def _range(state: State, variable: Variable) -> list[int]:
    return list(bits(state.universe.mask(variable.types)))


def _known(state: State, p: int, numbers: tuple[int, ...]) -> bool:
    mask, rows, _, wide = state.memo[p]  # type: ignore[misc]
    if len(numbers) == 2:
        return bool(rows[numbers[0]] >> numbers[1] & 1)
    if len(numbers) > 2:
        return bool(wide.get(numbers[:-1], 0) >> numbers[-1] & 1)
    return bool(mask >> numbers[0] & 1) if numbers else bool(mask)


def _learn(state: State, p: int, numbers: tuple[int, ...]) -> None:
    mask, rows, cols, wide = state.memo[p]  # type: ignore[misc]
    if len(numbers) == 2:
        a, b = numbers
        rows[a] |= 1 << b
        cols[b] |= 1 << a
    elif len(numbers) > 2:
        wide[numbers[:-1]] = wide.get(numbers[:-1], 0) | 1 << numbers[-1]
    else:
        state.memo[p] = (mask | (1 << numbers[0] if numbers else 1), rows, cols, wide)
