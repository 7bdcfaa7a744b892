"""The modes of PDDL 3 that count in time, where a plan has times.

Where position *i* has time *i*, they are formulas of temporal logic (:mod:`eai.logic.constraints`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from eai.errors import InputError
from eai.logic.algebra import Algebra
from eai.logic.nodes import unique_node
from eai.logic.numeric import Rational, format_number
from eai.logic.printer import Printer
from eai.logic.tree import Formula

if TYPE_CHECKING:
    from typing_extensions import Self

V = TypeVar("V")


class TimedMode(Formula):
    """A mode with time bounds, ``(within 5.5 f)``, which only timed plans can decide.

    Args:
        mode: Name of the mode.
        bounds: Its bounds.
        conditions: Its conditions.
    """

    __slots__ = ("bounds", "conditions", "mode")
    __match_args__ = ("mode", "bounds", "conditions")
    mode: str
    bounds: tuple[Rational, ...]
    conditions: tuple[Formula, ...]

    def __new__(
        cls, mode: str, bounds: tuple[Rational, ...], conditions: tuple[Formula, ...]
    ) -> Self:
        return unique_node(cls, mode, bounds, conditions)

    @property
    def operands(self) -> tuple[Formula, ...]:
        return self.conditions

    def _over(self, operands: tuple[Formula, ...]) -> Formula:
        return TimedMode(self.mode, self.bounds, operands)

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        raise InputError(
            f"{self} counts in time, which only a plan with times can tell",
            expected="a formula over positions",
        )

    def text(self, to: Printer) -> str:
        bounds = [format_number(bound) for bound in self.bounds]
        conditions = [condition.text(to) for condition in self.conditions]
        return f"{self.mode}({', '.join([*bounds, *conditions])})"
