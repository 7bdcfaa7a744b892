"""Formulas as straight-line programs for a stack of truth vectors.

A program lists the nodes of a formula from the leaves up, so that evaluating it needs neither
recursion nor a search for what comes next, however deep the formula is. Quantifiers are leaves
of a program: their bodies have programs of their own. So is ``then``, which speaks about parts.
A program that is run often becomes Python code (:mod:`eai.logic.code`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eai.logic.code import BINARY, UNARY, Code, write_code
from eai.logic.formula import (
    ActionAtom,
    And,
    Atom,
    Count,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Not,
    Or,
    Then,
    Truth,
    children,
    has_linear,
    quantifier_depth,
)

__all__ = ["AND", "LEAF", "NOT", "OR", "Instruction", "Program", "program_of"]

Instruction = tuple[str, int, Formula]
"""What to do, with how many operands, and the node that it is about.

What to do is :data:`LEAF`, :data:`AND`, :data:`OR`, :data:`NOT`, or the method of
:class:`~eai.logic.timeline.Timeline` that is called.
"""

LEAF, AND, OR, NOT = "leaf", "and", "or", "not"

_LEAVES = (Atom, ActionAtom, Forall, Exists, Count, ForPairs, Then)
_METHODS = {**UNARY, **BINARY}
_OFTEN = 40
"""Writing and compiling code takes about as long as running the program so often."""

_LARGEST = 5_000
"""Longer programs stay programs: their steps cost more than finding the next one."""


@dataclass(slots=True)
class Program:
    """How a formula is evaluated.

    Args:
        instructions: What to do, from the leaves up.
        special: Whether there are quantifiers or operators of linear temporal logic.
        runs: How often it was asked for its code so far.
    """

    instructions: tuple[Instruction, ...]
    special: bool
    runs: int = 0
    _code: Code | None = None

    def code(self) -> Code | None:
        """Return the program as code once it has been run so often that this is worth while."""
        if self.runs <= _OFTEN:
            self.runs += 1
            if self.runs > _OFTEN and 1 < len(self.instructions) <= _LARGEST:
                self._code = write_code(self.instructions[-1][2], _parts)
        return self._code


def program_of(formula: Formula) -> Program:
    """Return the program of a formula, which is kept with it."""
    known = getattr(formula, "_program", None)
    if isinstance(known, Program):
        return known
    program = Program(
        tuple(_instructions(formula)), has_linear(formula) or quantifier_depth(formula) > 0
    )
    object.__setattr__(formula, "_program", program)
    return program


def _parts(node: Formula) -> Sequence[Formula] | None:
    return None if isinstance(node, _LEAVES) else children(node)


def _instructions(formula: Formula) -> list[Instruction]:
    code: list[Instruction] = []
    pending = [(formula, False)]
    while pending:
        node, ready = pending.pop()
        parts = _parts(node)
        if ready:
            code.append(_finish(node))
        elif not parts:
            code.append((LEAF, 0, _leaf(node)))
        elif isinstance(node, (And, Or)):
            _chain(node, pending)
        else:
            pending.append((node, True))
            pending += [(part, False) for part in reversed(parts)]
    return code


def _leaf(node: Formula) -> Formula:
    if isinstance(node, (And, Or)):
        return Truth(isinstance(node, And))
    return node


def _chain(node: And | Or, pending: list[tuple[Formula, bool]]) -> None:
    """Fold a chain from the left, so that no more than two vectors of it are on the stack."""
    for operand in reversed(node.operands[1:]):
        pending += [(node, True), (operand, False)]
    pending.append((node.operands[0], False))


def _finish(node: Formula) -> Instruction:
    if isinstance(node, And):
        return AND, 2, node
    if isinstance(node, Or):
        return OR, 2, node
    if isinstance(node, Not):
        return NOT, 1, node
    return _METHODS[type(node)], len(children(node)), node
