"""Formulas as straight-line programs for a stack of truth vectors.

A program lists the nodes of a formula from the leaves up, so that evaluating it needs neither
recursion nor a search for what comes next, however deep the formula is. Quantifiers are leaves
of a program: their bodies have programs of their own. So is ``then``, which speaks about parts.
"""

from __future__ import annotations

from functools import lru_cache

from eai.logic.nodes import (
    Always,
    And,
    Count,
    Eventually,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Historically,
    Iff,
    Implies,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Then,
    Trigger,
    Truth,
    Until,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    children,
)

__all__ = [
    "AND",
    "BINARY",
    "LEAF",
    "METHODS",
    "NOT",
    "OR",
    "UNARY",
    "Instruction",
    "method_of",
    "program_of",
]

Instruction = tuple[int, int, Formula]
"""What to do, the number of the operator in :data:`METHODS`, and the node that it is about."""

LEAF, AND, OR, NOT, UNARY, BINARY = range(6)

_UNARY: dict[type[Formula], str] = {
    Next: "next",
    WeakNext: "weak_next",
    Eventually: "eventually",
    Always: "always",
    Previous: "previous",
    WeakPrevious: "weak_previous",
    Once: "once",
    Historically: "historically",
}
_BINARY: dict[type[Formula], str] = {
    Implies: "implies",
    Iff: "iff",
    Xor: "xor",
    Until: "until",
    Release: "release",
    WeakUntil: "weak_until",
    StrongRelease: "strong_release",
    Since: "since",
    Trigger: "trigger",
}
METHODS = (*_UNARY.values(), *_BINARY.values())
"""Methods of :class:`~eai.logic.timeline.Timeline`, in the order of their numbers."""

_NUMBERS = {kind: METHODS.index(name) for kind, name in {**_UNARY, **_BINARY}.items()}


@lru_cache(maxsize=4096)
def program_of(formula: Formula) -> tuple[Instruction, ...]:
    """Return the program of a formula; equal formulas share one."""
    code: list[Instruction] = []
    pending = [(formula, False)]
    while pending:
        node, ready = pending.pop()
        parts = () if isinstance(node, (Forall, Exists, Count, ForPairs, Then)) else children(node)
        if ready:
            _finish(node, code)
        elif not parts:
            code.append((LEAF, 0, _leaf(node)))
        elif isinstance(node, (And, Or)):
            _chain(node, pending)
        else:
            pending.append((node, True))
            pending += [(part, False) for part in reversed(parts)]
    return tuple(code)


def method_of(node: Formula) -> int:
    """Return the number of a node's operator in :data:`METHODS`.

    Raises:
        KeyError: If it has none there.
    """
    return _NUMBERS[type(node)]


def _leaf(node: Formula) -> Formula:
    if isinstance(node, (And, Or)):
        return Truth(isinstance(node, And))
    return node


def _chain(node: And | Or, pending: list[tuple[Formula, bool]]) -> None:
    """Fold a chain from the left, so that no more than two vectors of it are on the stack."""
    for operand in reversed(node.operands[1:]):
        pending += [(node, True), (operand, False)]
    pending.append((node.operands[0], False))


def _finish(node: Formula, code: list[Instruction]) -> None:
    if isinstance(node, And):
        code.append((AND, 0, node))
    elif isinstance(node, Or):
        code.append((OR, 0, node))
    elif isinstance(node, Not):
        code.append((NOT, 0, node))
    else:
        kind = UNARY if type(node) in _UNARY else BINARY
        code.append((kind, _NUMBERS[type(node)], node))
