"""Operators as the planner of the published results takes them (Fast Downward 24.06).

Its translator takes names that nobody declared: an object that is only ever mentioned, a type
without objects, a variable that nothing binds. It refuses what is not PDDL, predicates that are
not declared, and wrong numbers of arguments. A variable that only the effect leaves unbound is the
one that the precondition says to exist, if they have the same name, because such variables become
parameters; else to make something true of it stops the translator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from eai.logic import And, Atom, Exists, Formula, Variable
from eai.pddl import (
    AddEffect,
    AndEffect,
    DeleteEffect,
    Effect,
    ForallEffect,
    Operator,
    ReadOperator,
    WhenEffect,
)

STOP = Atom("translator stops", ())
"""What holds where the translator would have stopped; no PDDL text can have such a name."""

_TAKEN = frozenset(
    {
        "undeclared-object",
        "undeclared-type",
        "unbound-variable",
        "ill-typed",
        "loosely-typed",
        "mistyped-variable",
        "repeated-variable",
        "unused-parameter",
        "missing-blank",
    }
)
"""Kinds of issue that the translator does not mind."""


def translate_operator(name: str, read: ReadOperator | None, *, text: str = "") -> Operator | str:
    """Return an operator as the translator understands it, or why it stops.

    Args:
        name: Its name.
        read: The operator; None if there is none that can be read.
        text: How it is written, if it matters: escapes are no PDDL.
    """
    if read is None:
        return f"{name} is no operator"
    if "\\" in text:
        return f"{name} has a backslash, which is part of a name that is not declared"
    faults = [i for i in read.issues if i.severity == "error" and i.kind not in _TAKEN]
    if faults:
        return f"{name}: {faults[0].message}"
    return _captured(read.operator)


def stopping(operator: Operator) -> Operator:
    """Return an operator that reaches :data:`STOP` where the translator would stop."""
    bound = frozenset(variable.name for variable in operator.parameters)
    effect = _stopping(operator.effect, bound)
    return operator if effect == operator.effect else replace(operator, effect=effect)


def _stopping(effect: Effect, bound: frozenset[str]) -> Effect:
    if isinstance(effect, AddEffect):
        free = {variable.name for variable in effect.atom.free}
        return effect if free <= bound else AddEffect(STOP)
    if isinstance(effect, AndEffect):
        return AndEffect(tuple([_stopping(part, bound) for part in effect.parts]))
    if isinstance(effect, WhenEffect):
        return WhenEffect(effect.condition, _stopping(effect.effect, bound))
    if isinstance(effect, ForallEffect):
        inner = bound | {variable.name for variable in effect.variables}
        return ForallEffect(effect.variables, _stopping(effect.effect, inner))
    return effect


def _mentioned(effect: Effect) -> Iterator[str]:
    """Yield the names of the variables that an effect mentions and does not bind."""
    if isinstance(effect, (AddEffect, DeleteEffect)):
        yield from (variable.name for variable in effect.atom.free)
    elif isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from _mentioned(part)
    elif isinstance(effect, WhenEffect):
        yield from (variable.name for variable in effect.condition.free)
        yield from _mentioned(effect.effect)
    elif isinstance(effect, ForallEffect):
        bound = {variable.name for variable in effect.variables}
        yield from (name for name in _mentioned(effect.effect) if name not in bound)


def _captured(operator: Operator) -> Operator:
    """Make parameters of what the precondition says to exist, where the effect mentions it."""
    own = {variable.name for variable in operator.parameters}
    wanted = {*_mentioned(operator.effect)} - own
    if not wanted:
        return operator
    found: list[Variable] = []
    precondition = _opened(operator.precondition, wanted, found)
    return replace(operator, parameters=(*operator.parameters, *found), precondition=precondition)


def _opened(formula: Formula, wanted: set[str], found: list[Variable]) -> Formula:
    if isinstance(formula, And):
        return And(tuple([_opened(part, wanted, found) for part in formula.operands]))
    if isinstance(formula, Exists) and not wanted.isdisjoint(v.name for v in formula.variables):
        wanted.difference_update(variable.name for variable in formula.variables)
        found.extend(formula.variables)
        return _opened(formula.body, wanted, found)
    return formula
