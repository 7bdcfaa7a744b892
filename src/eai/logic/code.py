"""Formulas as straight-line Python code on truth vectors.

The code has one line for each operator. What cannot be computed from other vectors is a *leaf*,
whose vector is given to the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from eai.logic.algebra import Algebra, Bits
from eai.logic.tree import Formula

Run = Callable[[Sequence[int], int, Bits], int]

_AT_ONCE = 40
_OFTEN = 40
"""Writing and compiling code takes about as long as evaluating a formula so often."""


@dataclass(frozen=True, slots=True)
class Code:
    """A function of the vectors of some leaves, of all positions and of the timeline."""

    leaves: tuple[Formula, ...]
    run: Run


class Writer(Algebra[str]):
    """Writes code: a value is the name of a local variable, or a constant."""

    true: ClassVar[str] = "full"  # type: ignore[misc]
    false: ClassVar[str] = "0"  # type: ignore[misc]

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._leaves: dict[Formula, str] = {}

    def leaf(self, formula: Formula) -> str:
        """Return the vector of a formula that is given to the code."""
        return self._leaves.setdefault(formula, f"v{len(self._leaves)}")

    def code(self, result: str) -> Code:
        """Return the code, given the name of its result."""
        names = ", ".join(self._leaves.values())
        lines = [f"[{names}] = v", *self._lines, f"return {result}"]
        source = "def run(v, full, T):\n    " + "\n    ".join(lines)
        space: dict[str, Run] = {}
        exec(compile(source, "<formula>", "exec"), {}, space)  # noqa: S102
        return Code(tuple(self._leaves), space["run"])

    def _line(self, expression: str) -> str:
        name = f"s{len(self._lines)}"
        self._lines.append(f"{name} = {expression}")
        return name

    def negation(self, value: str) -> str:
        return self._line(f"full ^ {value}")

    def all_of(self, values: Iterable[str]) -> str:
        return self._chain([*values], "&", self.true)

    def any_of(self, values: Iterable[str]) -> str:
        return self._chain([*values], "|", self.false)

    def _chain(self, values: list[str], sign: str, empty: str) -> str:
        # Python's compiler recurses over long expressions.
        while len(values) > 1:
            values[:_AT_ONCE] = [self._line(f" {sign} ".join(values[:_AT_ONCE]))]
        return values[0] if values else empty

    def differ(self, left: str, right: str) -> str:
        return self._line(f"{left} ^ {right}")

    def next(self, value: str, *, weak: bool) -> str:
        return self._line(f"({value} << 1{' | 1' if weak else ''}) & full")

    def lasting(self, keep: str, meet: str, *, weak: bool) -> str:
        """A carry chain, as in :meth:`Timeline.lasting`."""
        either, carry = keep, " + 1" if weak else ""
        if meet == self.false:
            return self._line(f"({either}{carry} ^ {either}) >> 1")
        if keep != self.true:
            either = self._line(f"{keep} | {meet}")
        return self._line(f"({either} + {meet}{carry} ^ {either} ^ {meet}) >> 1")

    def previous(self, value: str, *, weak: bool) -> str:
        return self._line(f"{value} >> 1{' | T.first' if weak else ''}")

    def looking_back(self, keep: str, meet: str, *, weak: bool) -> str:
        """A carry chain on mirrored vectors."""
        return self._line(f"T.looking_back({keep}, {meet}, weak={weak})")


def code_of(formula: Formula) -> Code | None:
    """Return the code of a formula once it was asked for so often that it is worth while."""
    known: Code | int | None = getattr(formula, "_code", 0)
    if isinstance(known, int):
        known = known + 1 if known < _OFTEN else _coded(formula)
        object.__setattr__(formula, "_code", known)
    return known if isinstance(known, Code) else None


def _coded(formula: Formula) -> Code | None:
    """Write code in which propositions, quantifiers and ``then`` are leaves."""
    if not formula.operands:
        return None
    writer = Writer()
    known: dict[Formula, str] = {}

    def written(node: Formula) -> str:
        if node not in known:
            operands = []
            for operand in node.operands if node.is_derived else ():
                operands.append(written(operand))  # noqa: PERF401 - saves a frame
            known[node] = node.combine(writer, operands) if node.is_derived else writer.leaf(node)
        return known[node]

    return writer.code(written(formula))
