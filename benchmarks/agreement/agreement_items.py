"""What is compared, and why two verdicts differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from eai.task import Task

__all__ = ["Disagreement", "Item", "Order", "Row", "Source", "Tasks", "compared", "spaced"]

_Row = TypeVar("_Row")

Tasks = Callable[[str], Task]
"""Loads a task; raises UnknownNameError if there is no such task."""

Row = Mapping[str, object]
"""One verdict, as named parts; both sides use the same names."""

Order = tuple[str, ...]
"""The action goals of a task in one order."""


@dataclass(frozen=True)
class Item:
    """One item that both sides evaluated.

    Args:
        identifier: The task, with the case or the model where one is needed.
        theirs: What the published evaluator said.
        ours: What this library says.
        orders: What this library says for each order of the action goals; empty where there
            are fewer than two or none is scored.
    """

    identifier: str
    theirs: Row
    ours: Row
    orders: Mapping[Order, Row] = field(default_factory=dict)

    @property
    def differing(self) -> list[str]:
        """Names of the parts that differ."""
        names = dict.fromkeys((*self.theirs, *self.ours))
        return [name for name in names if self.theirs.get(name) != self.ours.get(name)]


@dataclass(frozen=True)
class Disagreement:
    """An item on which the two sides differ.

    Args:
        item: The item.
        order: The order of the action goals that accounts for it; None if nothing does.
    """

    item: Item
    order: Order | None

    def __str__(self) -> str:
        item = self.item
        parts = [
            f"{name} {item.theirs.get(name)!r} there, {item.ours.get(name)!r} here"
            for name in item.differing
        ]
        explained = f"hash seed order: {', '.join(self.order)}" if self.order else "unexplained"
        return f"{item.identifier}: {'; '.join(parts)} [{explained}]"


@dataclass(frozen=True)
class Source:
    """The items of one file, or of several of a kind.

    Args:
        name: What it is called in the report.
        items: Number of items that were compared.
        disagreements: Those that differ.
        left_out: Why items were not compared, and how many.
    """

    name: str
    items: int
    disagreements: Sequence[Disagreement]
    left_out: Mapping[str, int]

    @property
    def agreeing(self) -> int:
        """Number of items on which every part is the same."""
        return self.items - len(self.disagreements)

    @property
    def by_order(self) -> int:
        """Number of disagreements that the order of the action goals accounts for."""
        return sum(found.order is not None for found in self.disagreements)

    @property
    def share(self) -> float:
        """Percentage of agreeing items among those whose verdict is not left to chance."""
        determined = self.items - self.by_order
        return 100 * self.agreeing / determined if determined else 100.0


def compared(name: str, items: Iterable[Item], left_out: Counter[str]) -> Source:
    """Compare the items of a source and explain what differs.

    Args:
        name: What the source is called.
        items: The items.
        left_out: Why items were not compared, and how many; read when the items are used up.
    """
    everything = list(items)
    orders = _common_orders(everything)
    disagreements = [
        Disagreement(item, orders.get(_goals(item))) for item in everything if item.differing
    ]
    return Source(name, len(everything), disagreements, dict(left_out))


def spaced(rows: Sequence[_Row], sample: int | None) -> Sequence[_Row]:
    """Return that many of the rows, evenly spaced; all of them for None."""
    if sample is None or sample >= len(rows):
        return rows
    return [rows[number * len(rows) // sample] for number in range(sample)]


def _goals(item: Item) -> Order:
    return min(item.orders, default=())


def _common_orders(items: Iterable[Item]) -> dict[Order, Order]:
    """Action goals to the order of them that accounts for every item of the source.

    A source was made under one hash seed, so all its tasks with the same action goals were
    evaluated in the same order; an order that one of these items contradicts explains none.
    """
    possible: dict[Order, list[Order]] = {}
    for item in items:
        if item.orders:
            before = possible.get(_goals(item), list(item.orders))
            possible[_goals(item)] = [o for o in before if item.orders[o] == item.theirs]
    return {goals: orders[0] for goals, orders in possible.items() if orders}
