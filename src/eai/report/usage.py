"""Tokens and costs that answers state: their sums by model, in a table where there are any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from eai.report.record import Record
from eai.table import Amount, Cell, Column, Table
from eai.text import short

if TYPE_CHECKING:
    from fractions import Fraction

    from eai.report.results import Results

COST = "cost"
"""Name under which endpoints state what an answer cost."""

_MAX_HEADING = 40
"""Maximum number of characters of a heading: endpoints choose the names."""


class UsageSums:
    """Sums of what the answers of a model used.

    Sums are exact in decimals, so that they do not depend on the order of the answers.

    Attributes:
        answers: Number of answers, whether they state their usage or not.
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        """Add the usage of some records."""
        self.answers = 0
        self._sums: dict[str, Fraction] = {}
        self._stated: Counter[str] = Counter()
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Add the usage of a record, unless the answer is missing."""
        if not record.is_answered:
            return
        self.answers += 1
        if not record.usage:
            return
        from fractions import Fraction  # most answers state no usage

        for name, amount in record.usage.items():
            # By its digits: 0.1 is a tenth, which no binary fraction is.
            self._add_amount(name, Fraction(repr(amount)))
            self._stated[name] += 1

    def _add_amount(self, name: str, amount: Fraction) -> None:
        """Add an amount to the sum with its name."""
        self._sums[name] = self._sums.get(name, 0) + amount

    def include(self, other: UsageSums) -> None:
        """Add the sums of other answers."""
        self.answers += other.answers
        for name, amount in other._sums.items():
            self._add_amount(name, amount)
        self._stated.update(other._stated)

    @property
    def names(self) -> Iterable[str]:
        """Names of the amounts that any answer states."""
        return self._sums.keys()

    def sum(self, name: str) -> int | Amount | None:
        """Return the sum of the amounts with a name; None if no answer states one."""
        if name not in self._sums:
            return None
        amount = self._sums[name]
        if amount.denominator == 1:
            return amount.numerator
        return Amount(amount)

    def stated(self, name: str) -> int:
        """Return the number of answers that state an amount with a name."""
        return self._stated[name]

    def cell(self, name: str) -> Cell:
        """Return a sum for print; if it is partial, with the number of answers behind it."""
        amount = self.sum(name)
        if amount is None or self.stated(name) == self.answers:
            return amount
        return f"{amount} ({self.stated(name)} of {self.answers} answers)"


def usage_names(report: Results) -> list[str]:
    """Return the names of all amounts that any model has, in the order of the columns."""
    names: set[str] = set()
    for model in report.models:
        names.update(report.usage(model).names)
    return sorted(names, key=_column_order)


def _column_order(name: str) -> tuple[bool, str]:
    """Return the key by which amounts are sorted: by name, with the cost at the end."""
    return name == COST, name


def usage_tables(report: Results) -> Iterator[Table]:
    """Yield a table of the tokens and costs of each model, if any answer states some."""
    names = usage_names(report)
    if not names:
        return
    rows: list[dict[str, Cell]] = []
    for model in report.models:
        sums = report.usage(model)
        row: dict[str, Cell] = {"model": short(model, 200), "answers": sums.answers}
        for name in names:
            row[f"usage.{name}"] = sums.cell(name)
        rows.append(row)
    columns = [Column("model", "Model"), Column("answers", "Answers")]
    for name in names:
        columns.append(Column(f"usage.{name}", _heading(name)))
    title = "Tokens and costs (as stated with the answers)"
    yield Table(title, rows=rows, columns=tuple(columns), caption="Tokens and costs")


def _heading(name: str) -> str:
    """Return a name in words, which may stand in several lines (``"Prompt tokens"``)."""
    words = short(name.replace("_", " "), _MAX_HEADING)
    return words[:1].upper() + words[1:]


def usage_counts(sums: UsageSums, names: Iterable[str]) -> dict[str, Cell]:
    """Return the sums of a model for CSV, each with the number of answers that state it.

    Args:
        sums: The sums.
        names: Names of the amounts of all models of the table.
    """
    cells: dict[str, Cell] = {}
    for name in names:
        # Without any usage a table has no column about it.
        cells["answers"] = sums.answers
        cells[f"usage.{name}"] = sums.sum(name)
        cells[f"usage.{name}.answers"] = sums.stated(name)
    return cells
