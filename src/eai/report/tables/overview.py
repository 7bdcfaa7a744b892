"""The overview of all abilities as a table for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from eai.report.printable import encodable, short

__all__ = ["overview_blocks"]

Row = Mapping[tuple[str, str, str], "float | None"]


def overview_blocks(
    rows: Mapping[str, Row], small_print: Iterable[str], *, encoding: str = "utf-8"
) -> Iterator[RenderableType]:
    """Yield the overview for rich: one line for each ability and metric, one column a suite.

    Args:
        rows: Model to (ability, metric, suite) to percent.
        small_print: What stands below.
        encoding: What the stream can express.
    """
    yield Text("Overview (%): the row of the paper's Table 3 for each model", "bold")
    for model, row in rows.items():
        yield ""
        yield _table(model, row, encoding)
    yield ""
    for line in small_print:
        yield Text(encodable(short(line), encoding), "dim")


def _table(model: str, row: Row, encoding: str) -> Table:
    suites = tuple(dict.fromkeys(suite for _, _, suite in row))
    table = Table(
        title=Text(encodable(short(model, 200), encoding)), title_justify="left", box=SIMPLE_HEAD
    )
    table.add_column("Ability")
    table.add_column("Metric")
    for suite in suites:
        table.add_column(suite, justify="right")
    before = ""
    for ability, head in dict.fromkeys((ability, head) for ability, head, _ in row):
        cells = (_percent(row.get((ability, head, suite))) for suite in suites)
        table.add_row("" if ability == before else ability, head, *cells)
        before = ability
    return table


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
