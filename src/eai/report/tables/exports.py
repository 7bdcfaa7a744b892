"""Tables of a report for other programs: CSV, LaTeX, Markdown."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping
from itertools import groupby

from eai.report.aggregate import Tally
from eai.report.files import replacing
from eai.report.intervals import Interval, intervals
from eai.report.metric import Metric
from eai.report.metrics import Column, Table, View
from eai.report.printable import latex, markdown, spreadsheet
from eai.report.results import Results
from eai.report.tables.layout import INTERVAL_NOTE, bounds, heading, notes, percent, small_print

__all__ = ["write_csv", "write_latex", "write_markdown"]


def write_csv(
    report: Results,
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    with_intervals: bool = False,
) -> None:
    """Write the CSV file (see :meth:`eai.report.report.Report.to_csv`)."""

    def row(model: str) -> dict[str, str]:
        found = intervals(report.view, report.of(model)) if with_intervals else None
        return _row(report, model, report.tally(model), found)

    with replacing(path, force=force) as stream:
        head = _row(report, "", Tally(), {} if with_intervals else None)
        writer = csv.DictWriter(stream, head, lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(row, report.models))


def _row(
    report: Results, model: str, counts: Tally, found: Mapping[str, Interval] | None
) -> dict[str, str]:
    row = {
        "model": spreadsheet(model),
        "suite": spreadsheet(report.setting.suite),
        "version": spreadsheet(report.setting.version),
        "ability": spreadsheet(report.setting.ability),
        "semantics": spreadsheet(report.setting.semantics),
        "eai": spreadsheet(report.package_version),
        "tasks": str(counts.tasks),
        "excluded": str(counts.excluded),
        "missing": str(counts.missing),
    }
    for metric in report.view.metrics(counts):
        row |= _cells(metric, found)
    return {**row, "notes": spreadsheet("; ".join(notes(report)))}


def _cells(metric: Metric, found: Mapping[str, Interval] | None) -> dict[str, str]:
    cells = {
        metric.key: _number(metric.value),
        f"{metric.key}.numerator": str(metric.numerator),
        f"{metric.key}.denominator": str(metric.denominator),
    }
    if found is not None or metric.unit == "tasks":
        known = metric.interval or (None, None)
        low, high, *_ = known if found is None else found.get(metric.key, known)
        cells |= {f"{metric.key}.low": _number(low), f"{metric.key}.high": _number(high)}
    return cells


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def write_latex(report: Results, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write the LaTeX file (see :meth:`eai.report.report.Report.to_latex`)."""
    with replacing(path, force=force) as stream:
        stream.write(_latex_text(report))


def _latex_text(report: Results) -> str:
    """Return the tables of the ability as LaTeX."""
    tables = ("\n".join(_latex_table(report, table)) for table in report.view.tables)
    return "% needs \\usepackage{booktabs}\n" + "\n\n".join(tables) + "\n"


def _latex_table(report: Results, table: Table) -> Iterator[str]:
    ranges = [INTERVAL_NOTE] if any(column.ranged for column in table.columns) else []
    remarks = " ".join([f"{heading(report)}.", *ranges, *small_print(report)])
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\caption{{{table.caption} (\%). {latex(remarks)}}}"
    alignment = "".join("rl" if column.ranged else "r" for column in table.columns)
    yield rf"\begin{{tabular}}{{l{alignment}}}"
    yield r"\toprule"
    yield from _latex_head(table.columns, report.view)
    yield r"\midrule"
    for model in report.models:
        found = {metric.key: metric for metric in report.metrics(model)}
        cells = [cell for column in table.columns for cell in _latex_cells(column, found)]
        yield " & ".join([latex(model), *cells]) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{table}"


def _latex_head(columns: tuple[Column, ...], view: View) -> Iterator[str]:
    """The headings: one row, or two and a rule between them if columns share headings."""
    labels = {metric.key: metric.label for metric in view.metrics(Tally())}
    upper, lower, rules = ["Model"], [""], []
    at = 2  # LaTeX counts columns from 1, and the first has the names of the models
    for span, of_span in groupby(columns, key=lambda column: column.span):
        texts = [text for column in of_span for text in _latex_labels(column, labels)]
        if span:
            upper.append(rf"\multicolumn{{{len(texts)}}}{{c}}{{{span}}}")
            rules.append(rf"\cmidrule(lr){{{at}-{at + len(texts) - 1}}}")
        upper += [] if span else texts
        lower += texts if span else [""] * len(texts)
        at += len(texts)
    yield " & ".join(upper).replace("&  &", "& &") + r" \\"
    if rules:
        yield " ".join(rules)
        yield " & ".join(lower).replace("  ", " ") + r" \\"


def _latex_labels(column: Column, labels: Mapping[str, str]) -> list[str]:
    label = column.label or labels[column.key]
    return [label, ""] if column.ranged else [label]


def _latex_cells(column: Column, found: Mapping[str, Metric]) -> list[str]:
    metric = found[column.key]
    value = percent(metric, undefined="--")
    if not column.ranged:
        return [value]
    return [value, rf"{{\scriptsize {bounds(metric).replace('-', '--')}}}"]


def write_markdown(report: Results, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write the Markdown file (see :meth:`eai.report.report.Report.to_markdown`)."""
    with replacing(path, force=force) as stream:
        stream.write(_markdown_text(report))


def _markdown_text(report: Results) -> str:
    """Return the tables of the ability as Markdown, with the small print below."""
    parts = [f"**{markdown(heading(report))}**"]
    labels = {metric.key: metric.label for metric in report.view.metrics(Tally())}
    for table in report.view.tables if report.models else ():
        parts += [f"{table.caption} (%)", "\n".join(_markdown_table(report, table, labels))]
    remarks = [INTERVAL_NOTE, *small_print(report)] if report.models else ["There are no records."]
    parts.append("\n".join(f"- {markdown(remark)}" for remark in remarks))
    return "\n\n".join(parts) + "\n"


def _markdown_table(report: Results, table: Table, labels: Mapping[str, str]) -> Iterator[str]:
    heads = [
        f"{column.span} {column.label or labels[column.key]}".strip() for column in table.columns
    ]
    yield f"| Model | {' | '.join(heads)} |"
    yield f"| --- |{' ---: |' * len(heads)}"
    for model in report.models:
        found = {metric.key: metric for metric in report.metrics(model)}
        cells = (_markdown_cell(column, found[column.key]) for column in table.columns)
        yield f"| {markdown(model)} | {' | '.join(cells)} |"


def _markdown_cell(column: Column, metric: Metric) -> str:
    value = percent(metric, undefined="-")
    interval = bounds(metric) if column.ranged else ""
    return f"{value} ({interval})" if interval else value
