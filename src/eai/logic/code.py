"""Formulas as straight-line Python code on truth vectors.

The code has one line for each operator. A formula that cannot be computed from other vectors is a
*leaf*, whose vector is given to the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from eai.logic.algebra import Algebra, Bits
from eai.logic.tree import Formula

Run = Callable[[Sequence[int], int, Bits], int]

_MAX_OPERANDS = 40
"""Maximum number of operands in one expression: Python's compiler recurses over long ones."""
_WORTHWHILE = 40
"""Number of evaluations that take about as long as writing and compiling the code of a formula."""


@dataclass(frozen=True, slots=True)
class Code:
    """A formula compiled to a function.

    Args:
        leaves: The formulas whose truth vectors it reads, in this order.
        run: Returns the truth vector of the formula, from those of the leaves, the vector of all
            positions, and the timeline.
    """

    leaves: tuple[Formula, ...]
    run: Run


class CodeWriter(Algebra[str]):
    """An algebra whose values are names of local variables in generated code."""

    true: ClassVar[str] = "full"  # type: ignore[misc]
    false: ClassVar[str] = "0"  # type: ignore[misc]

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._leaves: dict[Formula, str] = {}

    def leaf(self, formula: Formula) -> str:
        """Return the vector of a formula that is given to the code."""
        return self._leaves.setdefault(formula, f"v{len(self._leaves)}")

    def code(self, result: str) -> Code:
        """Return the compiled code, given the name of its result."""
        names = ", ".join(self._leaves.values())
        lines = [f"[{names}] = v", *self._lines, f"return {result}"]
        source = "def run(v, full, T):\n    " + "\n    ".join(lines)
        space: dict[str, Run] = {}
        exec(compile(source, "<formula>", "exec"), {}, space)  # noqa: S102
        return Code(tuple(self._leaves), space["run"])

    def _line(self, expression: str) -> str:
        """Write a line that computes an expression; return the name of its value."""
        name = f"s{len(self._lines)}"
        self._lines.append(f"{name} = {expression}")
        return name

    def negation(self, value: str) -> str:
        return self._line(f"full ^ {value}")

    def all_of(self, values: Iterable[str]) -> str:
        return self._join_values([*values], "&", self.true)

    def any_of(self, values: Iterable[str]) -> str:
        return self._join_values([*values], "|", self.false)

    def _join_values(self, values: list[str], sign: str, empty: str) -> str:
        """Return the name of a variable that gets the values joined by an operator sign.

        Args:
            values: Names of Python variables; the list is used up.
            sign: The operator, ``"&"`` or ``"|"``.
            empty: The result without values.
        """
        # Each pass puts one name in place of up to 40, until one is left.
        while len(values) > 1:
            values[:_MAX_OPERANDS] = [self._line(f" {sign} ".join(values[:_MAX_OPERANDS]))]
        if not values:
            return empty
        return values[0]

    def differ(self, left: str, right: str) -> str:
        return self._line(f"{left} ^ {right}")

    def next(self, value: str, *, weak: bool) -> str:
        """Write the step to the next position: time runs from high bits to low ones."""
        carry = " | 1" if weak else ""
        return self._line(f"({value} << 1{carry}) & full")

    def lasting(self, keep: str, meet: str, *, weak: bool) -> str:
        """Write the line for "``meet``, or ``keep`` and the same at the next position".

        The carry of an addition runs through all positions at which ``keep`` is true (see
        :meth:`Timeline.lasting`).

        Args:
            keep: Name of the Python variable with the left operand of ``until``.
            meet: Name of the variable with its right operand.
            weak: Whether ``keep`` up to the last position is enough.
        """
        carry = " + 1" if weak else ""
        # With constants two of the operations are superfluous.
        if meet == self.false:
            return self._line(f"({keep}{carry} ^ {keep}) >> 1")
        either = keep
        if keep != self.true:
            either = self._line(f"{keep} | {meet}")
        return self._line(f"({either} + {meet}{carry} ^ {either} ^ {meet}) >> 1")

    def previous(self, value: str, *, weak: bool) -> str:
        """Write the step to the previous position."""
        first = " | T.first" if weak else ""
        return self._line(f"{value} >> 1{first}")

    def looking_back(self, keep: str, meet: str, *, weak: bool) -> str:
        """Write a carry chain on mirrored vectors."""
        return self._line(f"T.looking_back({keep}, {meet}, weak={weak})")


def code_of(formula: Formula) -> Code | None:
    """Return the compiled code of a formula, or None until it is requested often enough.

    Returns:
        The code; None before that, and for a formula without operands.
    """
    # The attribute first counts requests, and then holds the code (None if there is none).
    cached: Code | int | None = getattr(formula, "_code", 0)
    if not isinstance(cached, int):
        return cached
    if cached < _WORTHWHILE:
        object.__setattr__(formula, "_code", cached + 1)
        return None
    # Formulas are frozen. The cache is not a part of their value, so it may be set.
    code = _write_code(formula)
    object.__setattr__(formula, "_code", code)
    return code


def _write_code(formula: Formula) -> Code | None:
    """Return code that computes a formula from its leaves, or None for a leaf.

    Leaves are what code cannot compute from bit vectors: propositions, quantifiers and ``then``.
    Every other node adds lines for its connective; a node that occurs twice is computed once.
    """
    if not formula.operands:
        return None
    writer = CodeWriter()
    names: dict[Formula, str] = {}

    def write(node: Formula) -> str:
        """Write the lines for a node, once; return the name of its value."""
        if node in names:
            return names[node]
        if node.is_derived:
            operands = []
            for operand in node.operands:
                operands.append(write(operand))
            names[node] = node.combine(writer, operands)
        else:
            names[node] = writer.leaf(node)
        return names[node]

    return writer.code(write(formula))
