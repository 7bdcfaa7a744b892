"""Formulas as conjunctions of parts that are quantified at the outside only.

The automaton of ``forall x. (body)`` has a copy of that of the body for each object. Whoever runs
one automaton for each object instead needs the body with a marker in the place of the variable.
"""

from __future__ import annotations

from eai.logic.formula import Equal, Forall, Then, conjuncts
from eai.logic.nodes import Variable
from eai.logic.tree import Formula

MARK = "\x00"
"""Begins the names of markers, which no object has."""


def parts_of(formula: Formula) -> list[tuple[Formula, tuple[Variable, ...]]]:
    """Return (body, variables) whose conjunction, over all values, equals a formula.

    ``(forall x. f(x)) and g`` has the parts ``f(x)`` with the variable x, and ``g`` without any.
    Each part has a smaller automaton than the whole.
    """
    # A ``then`` divides the trajectory for the whole formula, and cannot be taken apart.
    if contains(formula, Then):
        return [(formula, ())]
    parts: list[tuple[Formula, tuple[Variable, ...]]] = []
    for part in conjuncts(formula):
        body, variables = _without_outer_quantifiers(part)
        # Markers are not objects, so an equality needs the objects themselves.
        if contains(body, Equal):
            parts.append((part, ()))
        else:
            parts.append((body, variables))
    return parts


def _without_outer_quantifiers(formula: Formula) -> tuple[Formula, tuple[Variable, ...]]:
    """Return the body below the outermost ``forall`` of a formula, and their variables."""
    variables: list[Variable] = []
    body = formula
    while isinstance(body, Forall):
        names = {variable.name for variable in variables}
        # ``forall x. forall x. f``: the inner x is another variable, which would be lost.
        if any(variable.name in names for variable in body.variables):
            break
        variables += body.variables
        (body,) = body.operands
    return body, tuple(variables)


def contains(formula: Formula, kind: type[Formula]) -> bool:
    """Return whether a formula has a node of a kind."""
    if isinstance(formula, kind):
        return True
    return any(contains(operand, kind) for operand in formula.operands)
