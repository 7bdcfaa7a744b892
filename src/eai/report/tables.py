"""The tables of a report, and what stands under each of them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from eai.errors import MissingExtraError
from eai.files import replacing
from eai.report.aggregate import Tally, tally
from eai.report.groups import By, grouped, range_text
from eai.report.metric import Score
from eai.report.record import Record
from eai.report.records import record_to_json
from eai.table import Cell, Column, Measured, Table
from eai.text import encodable, markdown, short

if TYPE_CHECKING:
    import pandas as pd
    from rich.box import Box
    from rich.console import RenderableType

    from eai.contract import Suite
    from eai.report.intervals import Interval
    from eai.report.report import Report

__all__ = [
    "blocks",
    "counts_table",
    "frame",
    "heading",
    "latex_text",
    "markdown_text",
    "metrics_table",
    "small_print",
    "write_parquet",
]

MOST_NOTES = 20
"""So many notes stand under a table."""

INTERVAL_NOTE = "Ranges are Wilson 95 % intervals over tasks."
"""What the ranges in the tables mean."""

_IN_PARTS = ("conditions", "matches", "categories", "means")
"""Units of metrics that are not out of all tasks, so their denominators are shown."""

_MODEL = Column("model", "Model")


# What stands above and below every table.


def heading(report: Report) -> str:
    """Return the title line: what was run, under which rules, with which version."""
    title = f"{report.setting}, evaluated by eai {report.package_version}"
    return title[0].upper() + title[1:]


def small_print(report: Report) -> list[str]:
    """Return what has to stand under every table: denominators, then the notes.

    Of many notes the first are shown, and how many more there are. All of them are in
    ``report.notes`` and in the file ``run.json`` of a run.
    """
    return [*_denominators(report), *_notes(report)]


def _notes(report: Report) -> list[str]:
    listed = [short(note) for note in report.notes[:MOST_NOTES]]
    more = len(report.notes) - len(listed)
    return [*listed, f"{more:,} more notes, see run.json or report.notes"] if more else listed


def _denominators(report: Report) -> list[str]:
    """What the rates are out of: one sentence for all models that agree in it."""
    said: dict[str, list[str]] = {}
    for model in report.models:
        said.setdefault(_out_of(report, report.tally(model)), []).append(model)
    if len(said) == 1:
        return [f"All out of {sentence}." for sentence in said]
    return [
        f"{', '.join(short(model, 200) for model in models)}: out of {sentence}."
        for sentence, models in said.items()
    ]


def _out_of(report: Report, counts: Tally) -> str:
    one = counts.tasks == 1
    return (
        f"{counts.tasks} {'task' if one else 'tasks'} "
        f"({counts.missing}{'' if one else ' of them'} missing a prediction, which counts as "
        f"failed; {counts.excluded} more excluded) and {report.view.basis(counts)}"
    )


# The tables of the paper.


def _tables(report: Report) -> Iterator[Table]:
    """The tables of the ability, a row a model."""
    labels = {metric.key: metric.label for metric in report.view.scores()}
    rows = [_row(report, model) for model in report.models]
    for shown in report.view.tables:
        columns = (replace(c, heading=c.heading or labels[c.key]) for c in shown.columns)
        caption = f"{shown.caption} (%)"
        yield replace(shown, rows=rows, columns=(_MODEL, *columns), caption=caption)


def _row(report: Report, model: str) -> dict[str, Cell]:
    tasks = report.tally(model).tasks
    cells = {metric.key: _cell(metric, tasks) for metric in report.metrics(model)}
    return {"model": short(model, 200), **cells}


def _cell(metric: Score, tasks: int) -> Measured:
    """A metric; a denominator that is all tasks is not repeated in every cell."""
    whole = metric.unit in _IN_PARTS or metric.denominator != tasks
    counts = metric.counts if whole else str(metric.numerator)
    return Measured(metric.value, counts, metric.interval)


def blocks(
    report: Report, *, encoding: str = "utf-8", box: Box | None = None, width: int = 100
) -> Iterator[RenderableType]:
    """Yield the parts of a report for rich, top to bottom.

    Args:
        report: The report.
        encoding: What the stream can express; anything else is shown as an escape.
        box: The frame of the tables; by default a line below the headings.
        width: Number of columns.
    """
    from rich.text import Text

    def text(line: str, style: str = "") -> Text:
        return Text(encodable(line, encoding), style)

    yield text(heading(report), "bold")
    for table in _tables(report) if report.models else ():
        yield ""
        yield from table.blocks(encoding=encoding, width=width, box=box)
    yield ""
    yield text(INTERVAL_NOTE, "dim") if report.models else "There are no records."
    for line in small_print(report):
        yield text(line)


def latex_text(report: Report) -> str:
    """Return the tables of the ability for the LaTeX package booktabs."""
    parts = []
    for table in _tables(report):
        ranges = [INTERVAL_NOTE] if any(column.ranged for column in table.columns) else []
        notes = (f"{heading(report)}.", *ranges, *small_print(report))
        parts.append(replace(table, notes=notes).latex())
    return "% needs \\usepackage{booktabs}\n" + "\n\n".join(parts) + "\n"


def markdown_text(report: Report) -> str:
    """Return the tables of the ability as Markdown, with the small print below."""
    parts = [f"**{markdown(heading(report))}**"]
    for table in _tables(report) if report.models else ():
        parts += [table.caption, table.markdown()]
    remarks = [INTERVAL_NOTE, *small_print(report)] if report.models else ["There are no records."]
    parts.append("\n".join(f"- {markdown(remark)}" for remark in remarks))
    return "\n\n".join(parts) + "\n"


# All metrics.


def metrics_table(report: Report) -> Table:
    """Return every metric of every model, with its counts and interval."""
    columns = [
        Column(metric.key, metric.label, span=report.view.groups[metric.group], ranged=True)
        for metric in report.view.scores()
    ]
    rows: list[dict[str, Cell]] = [
        {
            "model": short(model, 200),
            **{
                metric.key: Measured(
                    metric.value, f"{metric.numerator}/{metric.denominator}", metric.interval
                )
                for metric in report.metrics(model)
            },
        }
        for model in report.models
    ]
    legend = (
        f"Percent; below it numerator/denominator. {INTERVAL_NOTE}"
        if rows
        else "There are no records."
    )
    notes = (legend, *small_print(report))
    return Table(heading(report), rows, notes, (_MODEL, *columns))


def counts_table(report: Report, *, with_intervals: bool = False) -> Table:
    """Return one row a model: every metric with numerator, denominator and interval.

    Args:
        report: The report.
        with_intervals: Whether metrics that are no rates over tasks have their intervals, too.
    """
    rows = []
    for model in report.models:
        found = _intervals(report, report.of(model)) if with_intervals else None
        rows.append(_counted(report, model, report.tally(model), report.metrics(model), found))
    empty = _counted(report, "", Tally(), report.view.scores(), {} if with_intervals else None)
    return Table(heading(report), rows, columns=tuple(map(Column, empty)))


def _counted(
    report: Report,
    model: str,
    counts: Tally,
    metrics: Iterable[Score],
    found: Mapping[str, Interval] | None,
) -> dict[str, Cell]:
    row: dict[str, Cell] = {
        "model": model,
        **report.setting._asdict(),
        "eai": report.package_version,
        "tasks": counts.tasks,
        "excluded": counts.excluded,
        "missing": counts.missing,
    }
    for metric in metrics:
        row[metric.key] = metric.value
        row[f"{metric.key}.numerator"] = metric.numerator
        row[f"{metric.key}.denominator"] = metric.denominator
        if found is not None or metric.unit == "tasks":
            known = metric.interval or (None, None)
            low, high, *_ = known if found is None else found.get(metric.key, known)
            row |= {f"{metric.key}.low": low, f"{metric.key}.high": high}
    return {**row, "notes": "; ".join(_notes(report))}


def _intervals(report: Report, records: Sequence[Record]) -> dict[str, Interval]:
    from eai.report.intervals import intervals  # takes numpy

    return intervals(report.view, records)


# Data frames and Parquet.


def frame(
    report: Report,
    *,
    by: By = "model",
    suite: str | Suite | None = None,
    with_intervals: bool = False,
) -> pd.DataFrame:
    """Return the metrics as a data frame (see :meth:`eai.report.report.Report.table`)."""
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtraError("pandas", extra="pandas", purpose="a table") from error
    labels, rows = list[tuple[object, ...]](), list[dict[str, float]]()
    for label, counts, records in _grouped_counts(report, by, suite):
        labels.append(label)
        metrics = report.view.scores(records, counts)
        rows.append(_by_label(metrics, counts))
        if with_intervals:
            found = _intervals(report, records)
            for metric in metrics:
                for side in ("low", "high"):
                    bound = getattr(found.get(metric.key), side, math.nan)
                    rows[-1][f"{metric.label} {side}"] = bound
    names = ["model", by if isinstance(by, str) else "group"]
    index: pd.Index[str] = (
        pd.Index(report.models, name="model", dtype=object)
        if by == "model"
        else pd.MultiIndex.from_tuples(labels, names=names)
    )
    made: pd.DataFrame = pd.DataFrame(rows, index=index)
    made.attrs = {
        **dict(report.setting._asdict().items()),
        "package_version": report.package_version,
        "notes": list(report.notes),
    }
    return made


def _grouped_counts(
    report: Report, by: By, suite: str | Suite | None
) -> Iterator[tuple[tuple[object, ...], Tally, Sequence[Record]]]:
    """Label, counts and records of each row."""
    if by == "model":
        for model in report.models:
            yield (model,), report.tally(model), report.of(model)
        return
    for model, groups in grouped(report, by, suite=suite).items():
        for group, records in groups.items():
            label = range_text(*group) if by == "length" and isinstance(group, tuple) else group
            yield (model, label), tally(record.result for record in records), records


def _by_label(found: Sequence[Score], counts: Tally) -> dict[str, float]:
    """The paper's headings, then the denominators."""
    return {
        **{m.label: math.nan if m.value is None else m.value for m in found},
        "Tasks": counts.tasks,
        "Excluded": counts.excluded,
        "Missing": counts.missing,
        **{f"{m.label}s": m.denominator for m in found if m.unit == "conditions"},
    }


_AT_ONCE = 10_000
"""So many records are converted at once."""

_TEXTS = ("suite", "version", "ability", "semantics", "model", "task", "name", "output")


def write_parquet(report: Report, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write the records as rows (see :meth:`eai.report.report.Report.to_parquet`)."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtraError("pyarrow", extra="parquet", purpose="a Parquet file") from error
    names = {
        **dict.fromkeys((*_TEXTS, "status"), pa.string()),
        **dict.fromkeys(("success", "executable", "formula_holds"), pa.bool_()),
        **dict.fromkeys(("steps", "goals_met", "goals"), pa.int32()),
        "errors": pa.list_(pa.string()),
        "outcome": pa.string(),
        "seconds": pa.float64(),
        "record": pa.string(),
    }
    schema = pa.schema(list(names.items()))
    with (
        replacing(path, force=force) as stream,
        pq.ParquetWriter(stream.buffer, schema, compression="zstd") as writer,
    ):
        for start in range(0, len(report.records), _AT_ONCE):
            rows = [_flat(record) for record in report.records[start : start + _AT_ONCE]]
            writer.write_batch(pa.RecordBatch.from_pylist(rows, schema=schema))


def _flat(record: Record) -> dict[str, object]:
    result = record.result
    return {
        **{name: _encodable(getattr(record, name)) for name in _TEXTS},
        "status": result.status,
        "success": result.success,
        "executable": result.executable,
        "formula_holds": result.formula_holds,
        "steps": len(result.plan),
        "goals_met": sum(goal.met for goal in result.goals),
        "goals": len(result.goals),
        "errors": [finding.kind.value for finding in result.findings],
        "outcome": result.outcome,
        "seconds": record.seconds,
        "record": record_to_json(record),
    }


def _encodable(text: str) -> str:
    # Parquet holds UTF-8, which has no lone surrogates; the column "record" has them exactly.
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")
