"""How answers were read, in a table that is shown where something was not read cleanly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eai.report.scoring import Score
from eai.table import Cell, Column, Table
from eai.text import short

if TYPE_CHECKING:
    from eai.report.results import Results

_STATUSES = {
    "clean": "Clean",
    "chosen": "Chosen",
    "partial": "Partial",
    "none": "Not\nread",
}
"""Status of a reading (:attr:`eai.diagnosis.Result.reading`) to its heading."""


def reading_tables(report: Results) -> Iterator[Table]:
    """Yield a table of how answers were read, unless all were read cleanly."""
    rows: list[dict[str, Cell]] = []
    is_clean = True
    for model in report.models:
        readings = report.tally(model).readings
        total = sum(readings.values())
        row: dict[str, Cell] = {"model": short(model, 200)}
        for status, heading in _STATUSES.items():
            count = readings.get(status, 0)
            score = Score("reading", status, heading, count, total, "answers")
            row[status] = score.cell(str(count))
        is_clean = is_clean and readings.get("clean", 0) == total
        rows.append(row)
    # A table in which every answer is clean would only take space.
    if is_clean:
        return
    columns = (Column("model", "Model"), *(Column(key, head) for key, head in _STATUSES.items()))
    yield Table(
        "Readings (% of answers, counts below)",
        rows=rows,
        columns=columns,
        caption="How answers were read (%)",
    )
