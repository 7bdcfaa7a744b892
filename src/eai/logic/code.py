"""Formulas as straight-line Python code on truth vectors with time reversed.

One line for each operator, one local variable for each place on the stack of values. What cannot
be computed from other vectors (propositions, and whatever the caller says) is a *leaf*, whose
vector is given to the code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eai.logic.formula import (
    Always,
    And,
    Count,
    Equal,
    Eventually,
    Exists,
    First,
    Forall,
    Formula,
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
    Trigger,
    Truth,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
)
from eai.logic.timeline import Timeline, counted

__all__ = ["BINARY", "UNARY", "Code", "write_code"]

Parts = Callable[[Formula], "Sequence[Formula] | None"]
Run = Callable[[Sequence[int], int, Timeline], int]
_AT_ONCE = 40

UNARY: dict[type[Formula], str] = {
    Next: "next",
    WeakNext: "weak_next",
    Eventually: "eventually",
    Always: "always",
    Previous: "previous",
    WeakPrevious: "weak_previous",
    Once: "once",
    Historically: "historically",
}
"""Methods of :class:`~eai.logic.timeline.Timeline` for operators with one operand,"""

BINARY: dict[type[Formula], str] = {
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
"""and for those with two."""

_METHODS = {**UNARY, **BINARY}
_INLINE = {
    Not: "full ^ {}",
    Implies: "full ^ {} | {}",
    Iff: "full ^ {} ^ {}",
    Xor: "{} ^ {}",
}


@dataclass(frozen=True, slots=True)
class Code:
    """The code of a formula.

    Args:
        leaves: The formulas whose vectors the code is given.
        source: Python text.
        run: The function: from the leaves' vectors, the vector of all positions and the
            positions to where the formula is true.
    """

    leaves: tuple[Formula, ...]
    source: str
    run: Run


def write_code(formula: Formula, parts: Parts) -> Code:
    """Write a formula as code, leaves first.

    Args:
        formula: The formula.
        parts: The operands of a node (one for each object, if it is a quantifier), or None if
            it is a leaf. Asked once for every occurrence of a node.
    """
    writer = _Writer()
    stack: list[str] = []
    pending: list[tuple[Formula, int]] = [(formula, -1)]
    while pending:
        node, size = pending.pop()
        if size < 0:
            operands = parts(node)
            if operands is None:
                stack.append(writer.leaf(node))
                continue
            pending.append((node, len(operands)))
            pending += [(operand, -1) for operand in reversed(operands)]
        else:
            first = len(stack) - size
            stack[first:] = [writer.value(node, stack[first:], f"s{first}")]
    return writer.code(stack[0])


class _Writer:
    """The lines and the leaves of one formula."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.leaves: dict[Formula, str] = {}

    def leaf(self, node: Formula) -> str:
        return self.leaves.setdefault(node, f"v{len(self.leaves)}")

    def value(self, node: Formula, given: Sequence[str], place: str) -> str:
        if isinstance(node, Equal) and (
            isinstance(node.left, Variable) or isinstance(node.right, Variable)
        ):
            return self.leaf(node)
        if isinstance(node, (Truth, Equal, Last, First)):
            return _constant(node)
        if isinstance(node, (And, Forall)):
            return self.chain(given, "&", "full", place)
        if isinstance(node, (Or, Exists)):
            return self.chain(given, "|", "0", place)
        self.lines.append(f"{place} = {_expression(node, given)}")
        return place

    def chain(self, given: Sequence[str], sign: str, empty: str, place: str) -> str:
        if len(given) < 2:
            return given[0] if given else empty
        for start in range(0, len(given), _AT_ONCE):
            some = [*([place] if start else []), *given[start : start + _AT_ONCE]]
            self.lines.append(f"{place} = {f' {sign} '.join(some)}")
        return place

    def code(self, result: str) -> Code:
        names = ", ".join(self.leaves.values())
        lines = [f"[{names}] = v", *self.lines, f"return {result}"]
        source = "def run(v, full, T):\n    " + "\n    ".join(lines)
        space: dict[str, Run] = {}
        exec(compile(source, "<formula>", "exec"), {"counted": counted}, space)  # noqa: S102
        return Code(tuple(self.leaves), source, space["run"])


def _constant(node: Formula) -> str:
    if isinstance(node, (Last, First)):
        return "T.last" if isinstance(node, Last) else "T.first"
    holds = node.value if isinstance(node, Truth) else _is_equal(node)
    return "full" if holds else "0"


def _is_equal(node: Formula) -> bool:
    return isinstance(node, Equal) and node.left == node.right


def _expression(node: Formula, given: Sequence[str]) -> str:
    inline = _INLINE.get(type(node))
    if inline is not None:
        return inline.format(*given)
    if isinstance(node, Count):
        vectors = "".join(f"{name}, " for name in given)
        return f"counted({node.number}, {node.comparison!r}, ({vectors}), full)"
    return f"T.{_METHODS[type(node)]}({', '.join(given)})"
