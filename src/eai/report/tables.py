"""Tables of a report for other programs: columns of a data frame, CSV, LaTeX."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from eai.report.aggregate import Metric, Tally, metrics
from eai.report.files import replacing
from eai.report.layout import (
    GOALS,
    INTERVAL_NOTE,
    RATES,
    TRAJECTORY,
    bounds,
    heading,
    notes,
    percent,
    small_print,
)
from eai.report.printable import latex, printable_line

if TYPE_CHECKING:
    from eai.report.report import Report

__all__ = ["columns", "latex_text", "write_csv", "write_latex"]


def columns(counts: Tally) -> dict[str, float]:
    """Return one row of the data frame: the paper's headings, then the denominators."""
    found = metrics(counts)
    return {
        **{m.label: math.nan if m.value is None else m.value for m in found},
        "Tasks": counts.tasks,
        "Excluded": counts.excluded,
        "Missing": counts.missing,
        **{f"{m.label}s": m.denominator for m in found if m.unit == "conditions"},
    }


def write_csv(report: Report, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write the CSV file (see :meth:`eai.report.report.Report.to_csv`)."""
    with replacing(path, force=force) as stream:
        writer = csv.DictWriter(stream, _row(report, "", Tally()), lineterminator="\n")
        writer.writeheader()
        writer.writerows(_row(report, model, report.tally(model)) for model in report.models)


def _row(report: Report, model: str, counts: Tally) -> dict[str, str]:
    row = {
        "model": _cell(model),
        "suite": _cell(report.setting.suite),
        "version": _cell(report.setting.version),
        "ability": _cell(report.setting.ability),
        "semantics": _cell(report.setting.semantics),
        "eai": _cell(report.package_version),
        "tasks": str(counts.tasks),
        "excluded": str(counts.excluded),
        "missing": str(counts.missing),
    }
    for metric in metrics(counts):
        row |= _cells(metric)
    return {**row, "notes": _cell("; ".join(notes(report)))}


def _cells(metric: Metric) -> dict[str, str]:
    cells = {
        metric.key: _number(metric.value),
        f"{metric.key}.numerator": str(metric.numerator),
        f"{metric.key}.denominator": str(metric.denominator),
    }
    if metric.unit == "tasks":
        low, high = metric.interval or (None, None)
        cells |= {f"{metric.key}.low": _number(low), f"{metric.key}.high": _number(high)}
    return cells


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _cell(text: str) -> str:
    # Spreadsheets run a cell that begins like a formula; an apostrophe makes it text.
    line = printable_line(text)
    return f"'{line}" if line.startswith(("=", "+", "-", "@")) else line


def write_latex(report: Report, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write the LaTeX file (see :meth:`eai.report.report.Report.to_latex`)."""
    with replacing(path, force=force) as stream:
        stream.write(latex_text(report))


def latex_text(report: Report) -> str:
    """Return two tables as LaTeX: trajectories and errors, then goal satisfaction."""
    trajectory = [
        r"Model & Task SR & & Execution SR & & \multicolumn{3}{c}{Grammar Error}"
        r" & \multicolumn{4}{c}{Runtime Error} \\",
        r"\cmidrule(lr){6-8} \cmidrule(lr){9-12}",
        r" & & & & & Parsing & Hallucination & Predicate-Arg Num"
        r" & Wrong Order & Missing Step & Affordance & Additional Step \\",
    ]
    goals = [r"Model & State Goal & Relation Goal & Action Goal & Total \\"]
    lines = [
        r"% needs \usepackage{booktabs}",
        *_latex_table(report, "Trajectory evaluation", trajectory, TRAJECTORY, "lrlrl" + "r" * 7),
        "",
        *_latex_table(report, "Goal satisfaction", goals, GOALS, "lrrrr"),
    ]
    return "\n".join(lines) + "\n"


def _latex_table(
    report: Report, title: str, head: list[str], keys: tuple[str, ...], alignment: str
) -> Iterator[str]:
    ranges = [INTERVAL_NOTE] if keys == TRAJECTORY else []
    remarks = " ".join([f"{heading(report)}.", *ranges, *small_print(report)])
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\caption{{{title} (\%). {latex(remarks)}}}"
    yield rf"\begin{{tabular}}{{{alignment}}}"
    yield r"\toprule"
    yield from head
    yield r"\midrule"
    for model in report.models:
        found = {metric.key: metric for metric in report.metrics(model)}
        cells = [cell for key in keys for cell in _latex_cells(found[key])]
        yield " & ".join([latex(model), *cells]) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{table}"


def _latex_cells(metric: Metric) -> list[str]:
    value = percent(metric, undefined="--")
    if metric.key not in RATES:
        return [value]
    return [value, rf"{{\scriptsize {bounds(metric).replace('-', '--')}}}"]
