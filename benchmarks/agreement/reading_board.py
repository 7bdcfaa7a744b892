"""A table of how many texts of each shape are read rightly, by suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from eai.diagnosis import Result


@dataclass
class Board:
    """Counts of one part: rows are shapes, columns are suites."""

    title: str
    shown: str | None
    counts: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)

    def count(self, row: str, column: str, outcomes: Sequence[bool]) -> None:
        """Note how many outcomes of a shape in a suite are right."""
        self.counts.setdefault(row, {})[column] = (sum(outcomes), len(outcomes))

    def print(self) -> None:
        """Print a line for each shape, and a summary for each suite."""
        columns = list(dict.fromkeys(name for row in self.counts.values() for name in row))
        width = max((len(name) for name in self.counts), default=0) + 1
        print(f"\n{self.title}")
        print(" " * width, *(name[:12].rjust(12) for name in columns))
        for name, row in self.counts.items():
            cells = [f"{row[each][0]}/{row[each][1]}" if each in row else "-" for each in columns]
            print(name.ljust(width), *(cell.rjust(12) for cell in cells))
        print("wholly right".ljust(width), *(self._whole(each).rjust(12) for each in columns))
        pairs = [pair for row in self.counts.values() for pair in row.values()]
        whole = sum(right == asked for right, asked in pairs)
        right, asked = (sum(pair[index] for pair in pairs) for index in (0, 1))
        print(
            f"{self.title}: {right} of {asked} texts, {100 * right / max(1, asked):.1f} %; ", end=""
        )
        print(f"{whole} of {len(pairs)} pairs of shape and suite are wholly right")

    def _whole(self, column: str) -> str:
        pairs = [row[column] for row in self.counts.values() if column in row]
        return f"{sum(right == asked for right, asked in pairs)}/{len(pairs)}"

    def show(self, name: str, task_id: str, text: str, result: Result) -> None:
        """Print a misread text, if its shape is asked for."""
        if name != self.shown:
            return
        print(f"--- {task_id}\n{text}\n>> plan: {result.plan}")
        for finding in result.findings[:3]:
            print(f">> {finding.text}")
        print(f">> notes: {result.notes}")
