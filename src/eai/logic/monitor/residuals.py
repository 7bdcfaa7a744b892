"""What is left of a formula once the present is known: values, and demands on the next position.

A *residual* is a constant, ``Next(f)``, ``WeakNext(f)``, or made of these by negation,
conjunction and disjunction. Residuals are kept small by what is obvious: constants, repetition,
contradiction and absorption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from eai.logic.nodes import FALSE, TRUE, And, Formula, Next, Not, Or, WeakNext

__all__ = ["all_of", "any_of", "at_the_end", "negated", "replaced"]


def negated(residual: Formula) -> Formula:
    """Return the negation."""
    if residual in (TRUE, FALSE):
        return FALSE if residual == TRUE else TRUE
    return residual.operand if isinstance(residual, Not) else Not(residual)


def all_of(residuals: Iterable[Formula]) -> Formula:
    """Return the conjunction."""
    return _joined(residuals, And)


def any_of(residuals: Iterable[Formula]) -> Formula:
    """Return the disjunction."""
    return _joined(residuals, Or)


def _joined(residuals: Iterable[Formula], kind: type[And | Or]) -> Formula:
    neutral, decisive = (TRUE, FALSE) if kind is And else (FALSE, TRUE)
    parts: dict[Formula, None] = {}
    for residual in residuals:
        if residual == decisive:
            return decisive
        if isinstance(residual, kind):
            parts.update(dict.fromkeys(residual.operands))
        elif residual != neutral:
            parts[residual] = None
    if any(isinstance(part, Not) and part.operand in parts for part in parts):
        return decisive
    other = Or if kind is And else And
    left = [part for part in parts if not _absorbed(part, parts, other)]
    if len(left) < 2:
        return left[0] if left else neutral
    return kind(tuple(left))


def _absorbed(part: Formula, parts: dict[Formula, None], kind: type[And | Or]) -> bool:
    """Whether another part already says it: a or (a and b), a and (a or b)."""
    return isinstance(part, kind) and any(operand in parts for operand in part.operands)


def replaced(residual: Formula, value: Callable[[Formula], Formula]) -> Formula:
    """Return a residual with what it demands of the next position replaced.

    Args:
        residual: The residual.
        value: Gives a residual for every formula below a next.
    """
    return _folded(residual, lambda demand: value(demand.operand))


def at_the_end(residual: Formula) -> bool:
    """Whether a residual is true if no position follows."""
    end = _folded(residual, lambda demand: TRUE if isinstance(demand, WeakNext) else FALSE)
    return end == TRUE


def _folded(residual: Formula, value: Callable[[Next | WeakNext], Formula]) -> Formula:
    known: dict[int, Formula] = {}
    pending = [residual]
    while pending:
        node = pending[-1]
        parts = _parts(node)
        unknown = [part for part in parts if id(part) not in known]
        if unknown:
            pending += unknown
            continue
        pending.pop()
        if id(node) not in known:
            known[id(node)] = _valued(node, [known[id(part)] for part in parts], value)
    return known[id(residual)]


def _parts(node: Formula) -> tuple[Formula, ...]:
    if isinstance(node, (And, Or)):
        return node.operands
    return (node.operand,) if isinstance(node, Not) else ()


def _valued(
    node: Formula, parts: list[Formula], value: Callable[[Next | WeakNext], Formula]
) -> Formula:
    if isinstance(node, (Next, WeakNext)):
        return value(node)
    if isinstance(node, Not):
        return negated(parts[0])
    if isinstance(node, (And, Or)):
        return _joined(parts, type(node))
    return node
