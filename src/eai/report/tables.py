"""The tables of a report, and what stands under each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from eai.report.aggregate import Tally
from eai.report.metric import Score
from eai.report.reading import reading_tables
from eai.report.results import Results
from eai.table import UNREAD, Cell, Column, Measured, Table
from eai.table.latex import PREAMBLE, comment, label_of
from eai.text import counted, encodable, markdown, short

if TYPE_CHECKING:
    from rich.console import RenderableType

    from eai.report.intervals import Interval

MOST_NOTES = 20
"""So many notes stand under a table."""

_MOST_NAMED = 10
"""So many models are named before a note that is about them."""

_WILSON = "Ranges are Wilson 95 % intervals over tasks."
_SAMPLED = "Ranges are 95 % intervals of a bootstrap over tasks, each with all its samples."

PERCENT = " (%)"
"""What stands behind the caption of a table of percentages."""

NO_RECORDS = "There are no records."

_IN_PARTS = ("conditions", "matches", "categories", "means", "numbers")
"""Units of metrics that are not out of all tasks, so their denominators are shown."""

_MODEL = Column("model", "Model")


# What stands above and below every table.


def heading(report: Results) -> str:
    """Return the title line: what was run, under which rules, with which version."""
    setting = f"{report.setting}, " if report.setting.suite else ""
    title = f"{setting}evaluated by eai {report.package_version}"
    return title[0].upper() + title[1:]


def interval_note(report: Results) -> str:
    """Return what the ranges in the tables mean."""
    return _SAMPLED if any(report.samples(model) > 1 for model in report.models) else _WILSON


def small_print(report: Results) -> list[str]:
    """Return what has to stand under every table: denominators, then the notes.

    Models of which the same is to be said share a sentence. Of many notes the first are shown, and
    how many more there are. All of them are in ``report.notes`` and in the file ``run.json`` of a
    run.
    """
    said: dict[str, list[str]] = {}
    for model in report.models:
        counts = report.tally(model)
        samples = report.samples(model)
        tasks = counts.tasks // samples
        each = f" with {samples} samples each" if samples > 1 else ""
        basis = report.view.basis(counts)
        sentence = (
            f"n = {tasks} {'task' if tasks == 1 else 'tasks'}{each} "
            f"({counts.missing} unanswered, counted as failures; {counts.excluded} excluded)"
            f"{' and ' * bool(basis)}{basis}"
        )
        said.setdefault(sentence, []).append(short(model, 200))
    if len(said) == 1:
        lines = [f"{sentence}." for sentence in said]
    else:
        lines = [f"{', '.join(of)}: {sentence}." for sentence, of in said.items()]
    noted: dict[str, list[str]] = {}
    for note in report.notes:
        model, text = report.about(note)
        noted.setdefault(text, []).extend([short(model, 200)] if model else [])
    notes = []
    for text, of in noted.items():
        more = f" and {len(of) - _MOST_NAMED} more" if len(of) > _MOST_NAMED else ""
        notes.append(f"{', '.join(of[:_MOST_NAMED])}{more}: {text}" if of else text)
    return [*lines, *_few(notes)]


def _few(notes: Sequence[str]) -> list[str]:
    """The first notes, and how many more there are."""
    listed = [short(note) for note in notes[:MOST_NOTES]]
    more = len(notes) - len(listed)
    return [*listed, f"{more:,} more notes, see run.json or report.notes"] if more else listed


# The tables of the paper.


def _tables(report: Results) -> Iterator[Table]:
    """The tables of the ability, a row a model."""
    scores = {metric.key: metric for metric in report.view.scores()}
    rows: list[dict[str, Cell]] = []
    for model in report.models:
        row: dict[str, Cell] = {"model": _named(report, model)}
        for metric in report.metrics(model):
            # A denominator that is all tasks is not repeated in every cell.
            apart = metric.unit in _IN_PARTS or metric.denominator != report.tally(model).tasks
            counts = metric.counts if apart else str(metric.numerator)
            row[metric.key] = metric.cell(counts)
        rows.append(row)
    for number, shown in enumerate(report.view.tables):
        kept = shown.columns
        if number:
            # Behind the main table stand details, some of which only other suites have.
            kept = tuple(column for column in kept if _is_measured(column.key, rows))
        if not kept:
            continue
        columns = (
            replace(
                column,
                heading=column.heading or scores[column.key].label,
                is_score=report.view.is_better_higher(scores[column.key]),
            )
            for column in kept
        )
        shares = any(scores[column.key].is_share for column in kept)
        caption = f"{shown.caption}{PERCENT}" if shares else shown.caption
        yield replace(shown, rows=rows, columns=(_MODEL, *columns), caption=caption)
    yield from reading_tables(report)


def _named(report: Results, model: str) -> str:
    """The name of a model, marked if answers of it were not read and count in no rate."""
    mark = UNREAD if report.tally(model).unread else ""
    return f"{short(model, 200)}{mark}"


def _is_measured(key: str, rows: Sequence[Mapping[str, Cell]]) -> bool:
    """Whether a metric is defined for any model."""
    cells = [row[key] for row in rows]
    return any(isinstance(cell, Measured) and cell.value is not None for cell in cells)


def blocks(
    report: Results, *, encoding: str = "utf-8", width: int = 100
) -> Iterator[RenderableType]:
    """Yield the parts of a report for rich, top to bottom."""
    from rich.text import Text

    def text(line: str, style: str = "") -> Text:
        return Text(encodable(line, encoding), style)

    yield text(heading(report), "bold")
    for table in _tables(report) if report.models else ():
        yield ""
        yield from table.blocks(encoding=encoding, width=width)
    yield ""
    yield text(interval_note(report), "dim") if report.models else NO_RECORDS
    for line in small_print(report):
        yield text(line)


def latex_text(report: Results, *, wide: bool = False) -> str:
    """Return the tables of the ability for the LaTeX packages booktabs and graphicx.

    The numbers of each model that stand under other tables, and the notes, are comments.

    Args:
        report: The report.
        wide: Whether a table spans both columns of a two-column paper (``table*``).
    """
    setting = report.setting
    place = f" on {setting.suite}" if setting.suite else ""
    notes = (f"{heading(report)}.", *_common_print(report))
    parts = ["\n".join([PREAMBLE, *map(comment, small_print(report))])]
    for table in _tables(report):
        caption = table.caption.removesuffix(PERCENT)
        percent = PERCENT if table.caption.endswith(PERCENT) else ""
        name = f"{setting.suite} {setting.ability} {caption}"
        printed = replace(table, caption=f"{caption}{place}{percent}", notes=notes)
        parts.append(printed.latex(label=label_of(name), ranges=interval_note(report), wide=wide))
    return "\n\n".join(parts) + "\n"


def _common_print(report: Results) -> Iterator[str]:
    """The denominators of all models in one sentence, if there are models."""
    tallies = [report.tally(model) for model in report.models]
    if not tallies:
        return
    samples = {report.samples(model) for model in report.models}
    tasks = [report.tally(model).tasks // report.samples(model) for model in report.models]
    each = f", with {from_to(samples)} samples each" if samples != {1} else ""
    missing = from_to([counts.missing for counts in tallies])
    excluded = from_to([counts.excluded for counts in tallies])
    yield (
        f"n = {from_to(tasks)} tasks{each} "
        f"({missing} unanswered, counted as failures; {excluded} excluded)."
    )
    marked = [short(model, 200) for model in report.models if report.tally(model).unread]
    if marked:
        left_out = sum(counts.unread for counts in tallies)
        yield (
            f"{UNREAD} {counted(left_out, 'answer')} of {', '.join(marked)} could not be read and "
            "count in no rate."
        )


def from_to(numbers: Iterable[int]) -> str:
    """Return the least and the greatest number, or the one that all are."""
    ordered = sorted(numbers)
    if ordered[0] == ordered[-1]:
        return str(ordered[0])
    return f"{ordered[0]} to {ordered[-1]}"


def markdown_text(report: Results) -> str:
    """Return the tables of the ability as Markdown, with the small print below."""
    parts = [f"**{markdown(heading(report))}**"]
    for table in _tables(report) if report.models else ():
        parts += [table.caption, table.markdown()]
    remarks = [interval_note(report), *small_print(report)] if report.models else [NO_RECORDS]
    parts.append("\n".join(f"- {markdown(remark)}" for remark in remarks))
    return "\n\n".join(parts) + "\n"


# All metrics.


def metrics_table(report: Results) -> Table:
    """Return every metric of every model, with its counts and interval."""
    columns = [
        Column(metric.key, metric.heading, span=report.view.groups[metric.group], ranged=True)
        for metric in report.view.scores()
    ]
    rows: list[dict[str, Cell]] = [
        {"model": _named(report, model), **{m.key: m.cell() for m in report.metrics(model)}}
        for model in report.models
    ]
    shares = all(metric.is_share for metric in report.view.scores())
    percent = "Percent" if shares else "Percent, or the mean where stated"
    legend = (
        f"{percent}; below it numerator/denominator. {interval_note(report)}"
        if rows
        else NO_RECORDS
    )
    notes = (legend, *small_print(report))
    return Table(heading(report), rows, notes, (_MODEL, *columns))


def counts_table(report: Results, *, with_intervals: bool = False) -> Table:
    """Return one row a model: every metric with numerator, denominator and interval."""
    rows = [_counted(report, model, with_intervals=with_intervals) for model in report.models]
    # The columns are the same without any model.
    empty = _counted(report, None, with_intervals=with_intervals)
    return Table(heading(report), rows, columns=tuple(map(Column, empty)))


def _counted(report: Results, model: str | None, *, with_intervals: bool) -> dict[str, Cell]:
    counts = Tally() if model is None else report.tally(model)
    metrics: list[Score] = report.view.scores() if model is None else report.metrics(model)
    found: dict[str, Interval] = {}
    if with_intervals and model is not None:
        from eai.report.intervals import intervals  # takes numpy

        found = intervals(report.view, report.of(model))
    row: dict[str, Cell] = {
        "model": model,
        **report.setting._asdict(),
        "eai": report.package_version,
        "tasks": counts.tasks,
        "excluded": counts.excluded,
        "missing": counts.missing,
    }
    for usual, metric in zip(report.view.scores(), metrics, strict=True):
        row[metric.key] = metric.value
        row[f"{metric.key}.numerator"] = metric.numerator
        row[f"{metric.key}.denominator"] = metric.denominator
        if with_intervals or usual.unit == "tasks":
            low, high, *_ = found.get(metric.key, metric.interval or (None, None))
            row |= {f"{metric.key}.low": low, f"{metric.key}.high": high}
    notes = () if model is None else report.notes_of(model)
    return {**row, "notes": "; ".join(_few(notes))}
