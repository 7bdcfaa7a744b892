"""The tables of a report, and the notes below them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from eai.report.aggregate import Tally
from eai.report.intervals import Interval, intervals
from eai.report.reading import reading_tables
from eai.report.results import Results
from eai.report.rule_counts import rule_tables
from eai.report.scoring import Score
from eai.report.usage import UsageSums, usage_counts, usage_names, usage_tables
from eai.table import UNREAD, Cell, Column, Measured, Table
from eai.table.latex import PREAMBLE, comment, label_of
from eai.text import counted, encodable, markdown, short

if TYPE_CHECKING:
    from rich.console import RenderableType

MAX_NOTES = 20
"""Maximum number of notes below a table."""

_MAX_NAMED = 10
"""Maximum number of models named before a note about them."""

_WILSON = "Ranges are Wilson 95 % intervals over tasks."
_SAMPLED = "Ranges are 95 % intervals over tasks, each with all its samples (linearized)."

PERCENT = " (%)"
"""Suffix of the caption of a table of percentages."""

NO_RECORDS = "There are no records."

_NOT_OF_TASKS = ("conditions", "matches", "categories", "means", "numbers")
"""Units of metrics whose denominator is not the number of tasks, so that cells show it."""

_MODEL = Column("model", "Model")


# Headings and notes.


def heading(report: Results) -> str:
    """Return the title: the setting and the package version."""
    title = f"evaluated by eai {report.package_version}"
    if report.setting.suite:
        title = f"{report.setting}, {title}"
    return title[0].upper() + title[1:]


def interval_note(report: Results) -> str:
    """Return a sentence that says how the ranges in the tables were computed."""
    if any(report.samples(model) > 1 for model in report.models):
        return _SAMPLED
    return _WILSON


def small_print(report: Results) -> list[str]:
    """Return the lines below every table: denominators, then the report's notes.

    Models with equal denominators or notes share a line. Only the first of many notes are listed,
    with the number of the others. ``report.notes`` and a run's ``run.json`` have all of them.
    """
    models_by_sentence: dict[str, list[str]] = {}
    for model in report.models:
        sentence = _denominators(report, model)
        models_by_sentence.setdefault(sentence, []).append(short(model, 200))
    lines = []
    for sentence, models in models_by_sentence.items():
        line = f"{sentence}."
        # A sentence that holds for all models names none.
        if len(models_by_sentence) > 1:
            line = f"{', '.join(models)}: {line}"
        lines.append(line)
    return [*lines, *_first_notes(joined_notes(report, report.notes))]


def joined_notes(report: Results, notes: Iterable[str]) -> list[str]:
    """Return notes of a report, with models that share one joined: ``"first, second: ..."``.

    A note that is about all models names none.
    """
    models_by_note: dict[str, list[str]] = {}
    for note in notes:
        model, text = report.about(note)
        models = models_by_note.setdefault(text, [])
        if model:
            models.append(short(model, 200))
    joined = []
    for text, models in models_by_note.items():
        if not models:
            joined.append(text)
            continue
        # Of very many models the first few are named, so that a note stays a line.
        names = ", ".join(models[:_MAX_NAMED])
        if len(models) > _MAX_NAMED:
            names += f" and {len(models) - _MAX_NAMED} more"
        joined.append(f"{names}: {text}")
    return joined


def _denominators(report: Results, model: str) -> str:
    """Return how many tasks of a model count, are unanswered, and are excluded."""
    counts = report.tally(model)
    samples = report.samples(model)
    # A tally counts every sample as a task.
    tasks = counted(counts.tasks // samples, "task")
    if samples > 1:
        tasks += f" with {samples} samples each"
    sentence = (
        f"n = {tasks} "
        f"({counts.missing} unanswered, counted as failures; {counts.excluded} excluded)"
    )
    basis = report.view.basis(counts)
    if basis:
        sentence += f" and {basis}"
    return sentence


def _first_notes(notes: Sequence[str]) -> list[str]:
    """Return the first notes, and a line with the number of the others."""
    first_notes = [short(note) for note in notes[:MAX_NOTES]]
    omitted_count = len(notes) - len(first_notes)
    if omitted_count:
        first_notes.append(f"{omitted_count:,} more notes, see run.json or report.notes")
    return first_notes


# The tables of an ability.


def _ability_tables(report: Results) -> Iterator[Table]:
    """Yield the tables of the ability with a row for each model."""
    scores = {metric.key: metric for metric in report.view.scores()}
    rows = [_metric_row(report, model) for model in report.models]
    for table_index, table in enumerate(report.view.tables):
        columns = table.columns
        if table_index > 0:
            # The tables after the first show details, and this suite may not measure all of them.
            columns = tuple(column for column in columns if _is_measured(column.key, rows))
        if not columns:
            continue
        caption = table.caption
        if any(scores[column.key].is_share for column in columns):
            caption += PERCENT
        metric_columns = [_with_heading(column, report, scores) for column in columns]
        yield replace(table, rows=rows, columns=(_MODEL, *metric_columns), caption=caption)
    yield from detail_tables(report)


def detail_tables(report: Results) -> Iterator[Table]:
    """Yield the tables that all abilities share: rules, how answers were read, and usage.

    They come after the tables of the ability in the terminal, in LaTeX, in Markdown and on the
    page. A new table is a function that yields nothing if it does not apply, and a line here.
    Tables are computed from records; facts about tasks come from :attr:`Results.suite_at_hand`.
    """
    yield from rule_tables(report)
    yield from reading_tables(report)
    yield from usage_tables(report)


def _metric_row(report: Results, model: str) -> dict[str, Cell]:
    """Return the metrics of a model, by key."""
    row: dict[str, Cell] = {"model": _marked_name(report, model)}
    tasks = report.tally(model).tasks
    for metric in report.metrics(model):
        counts = metric.counts  # "12/40"
        if metric.unit not in _NOT_OF_TASKS and metric.denominator == tasks:
            # The number of tasks stands below the table, not in every cell.
            counts = str(metric.numerator)
        row[metric.key] = metric.cell(counts)
    return row


def _with_heading(column: Column, report: Results, scores: Mapping[str, Score]) -> Column:
    """Return a column with the label of its metric as heading, unless it has one of its own."""
    score = scores[column.key]
    is_score = report.view.is_better_higher(score)
    return column._replace(heading=column.heading or score.label, is_score=is_score)


def _marked_name(report: Results, model: str) -> str:
    """Return the name of a model, marked if some of its answers are unreadable."""
    name = short(model, 200)
    if report.tally(model).unread:
        name += UNREAD
    return name


def _is_measured(key: str, rows: Sequence[Mapping[str, Cell]]) -> bool:
    """Return whether a metric is defined for any model."""
    cells = [row[key] for row in rows]
    return any(isinstance(cell, Measured) and cell.value is not None for cell in cells)


def blocks(
    report: Results, *, encoding: str = "utf-8", width: int = 100
) -> Iterator[RenderableType]:
    """Yield the parts of a report for rich, from top to bottom.

    Args:
        report: The report.
        encoding: Encoding of the output; characters that it lacks are replaced.
        width: Number of characters in a line.
    """
    from rich.text import Text

    def text(line: str, style: str = "") -> Text:
        return Text(encodable(line, encoding), style)

    yield text(heading(report), "bold")
    if report.models:
        for table in _ability_tables(report):
            yield ""
            yield from table.blocks(encoding=encoding, width=width)
        yield ""
        yield text(interval_note(report), "dim")
    else:
        yield ""
        yield NO_RECORDS
    for line in small_print(report):
        yield text(line)


def latex_text(report: Results, *, wide: bool = False) -> str:
    """Return the ability's tables for the LaTeX packages booktabs and graphicx.

    The denominators of each model, and the notes of the report, are comments of the file.

    Args:
        report: The report.
        wide: Whether a table spans both columns of a two-column paper (``table*``).
    """
    return report.remembered_latex(lambda: _made_latex(report, wide=wide), wide=wide)


def _made_latex(report: Results, *, wide: bool) -> str:
    """Make the LaTeX of a report (see :func:`latex_text`)."""
    setting = report.setting
    notes = (f"{heading(report)}.", *_common_denominators(report))
    parts = ["\n".join([PREAMBLE, *map(comment, small_print(report))])]
    for table in _ability_tables(report):
        # "Success (%)" -> "Success on SUITE (%)": the unit stays at the end.
        caption = table.caption.removesuffix(PERCENT)
        label = label_of(f"{setting.suite} {setting.ability} {caption}")
        if setting.suite:
            caption += f" on {setting.suite}"
        if table.caption.endswith(PERCENT):
            caption += PERCENT
        printed = replace(table, caption=caption, notes=notes)
        parts.append(printed.latex(label=label, ranges=interval_note(report), wide=wide))
    return "\n\n".join(parts) + "\n"


def _common_denominators(report: Results) -> Iterator[str]:
    """Yield a sentence on all models' denominators, and one on unread answers.

    Nothing without models. A denominator that differs is a range: ``n = 98 to 100 tasks``.
    """
    if not report.models:
        return
    tallies = {model: report.tally(model) for model in report.models}
    samples = {model: report.samples(model) for model in report.models}
    # A tally counts every sample as a task.
    tasks = [counts.tasks // samples[model] for model, counts in tallies.items()]
    denominator = f"{from_to(tasks)} tasks"
    if set(samples.values()) != {1}:
        denominator += f", with {from_to(samples.values())} samples each"
    missing = from_to(counts.missing for counts in tallies.values())
    excluded = from_to(counts.excluded for counts in tallies.values())
    yield f"n = {denominator} ({missing} unanswered, counted as failures; {excluded} excluded)."
    unread = {model: counts.unread for model, counts in tallies.items() if counts.unread}
    if unread:
        names = ", ".join([short(model, 200) for model in unread])
        yield (
            f"{UNREAD} {counted(sum(unread.values()), 'answer')} of {names} could not be read and "
            "count in no rate."
        )


def from_to(numbers: Iterable[int]) -> str:
    """Return a range of numbers: ``"3 to 5"``, or ``"3"`` if all are equal."""
    ordered = sorted(numbers)
    if ordered[0] == ordered[-1]:
        return str(ordered[0])
    return f"{ordered[0]} to {ordered[-1]}"


def markdown_text(report: Results) -> str:
    """Return the ability's tables as Markdown with notes below."""
    parts = [f"**{markdown(heading(report))}**"]
    notes = [NO_RECORDS]
    if report.models:
        for table in _ability_tables(report):
            parts += [table.caption, table.markdown()]
        notes = [interval_note(report), *small_print(report)]
    parts.append("\n".join(f"- {markdown(note)}" for note in notes))
    return "\n\n".join(parts) + "\n"


# All metrics.


def metrics_table(report: Results) -> Table:
    """Return a table of every metric of every model, with its counts and interval."""
    columns = [
        Column(metric.key, metric.heading, span=report.view.groups[metric.group], ranged=True)
        for metric in report.view.scores()
    ]
    rows: list[dict[str, Cell]] = []
    for model in report.models:
        row: dict[str, Cell] = {"model": _marked_name(report, model)}
        for metric in report.metrics(model):
            row[metric.key] = metric.cell()
        rows.append(row)
    unit = "Percent, or the mean where stated"
    if all(metric.is_share for metric in report.view.scores()):
        unit = "Percent"
    # Without models there are no counts to explain.
    legend = NO_RECORDS
    if rows:
        legend = f"{unit}; below it numerator/denominator. {interval_note(report)}"
    notes = (legend, *small_print(report))
    return Table(heading(report), rows, notes, (_MODEL, *columns))


def counts_table(report: Results, *, with_intervals: bool = False) -> Table:
    """Return a table with numerator, denominator and interval of every metric."""
    names = usage_names(report)
    rows = []
    for model in report.models:
        rows.append(_counts_row(report, model, names, with_intervals=with_intervals))
    # A report without models has the same columns.
    empty = _counts_row(report, None, names, with_intervals=with_intervals)
    return Table(heading(report), rows, columns=tuple(map(Column, empty)))


def _counts_row(
    report: Results, model: str | None, amounts: Sequence[str], *, with_intervals: bool
) -> dict[str, Cell]:
    """Return the row of a model, or a row of zeros without a model.

    Args:
        report: The report.
        model: The model; None for a report without records.
        amounts: Names of the tokens and costs that any model of the report states.
        with_intervals: Whether the row has the bounds of all intervals, too.
    """
    counts = Tally()  # all numbers are 0
    usage = UsageSums()
    metrics = report.view.scores()
    notes: Sequence[str] = ()
    interval_of_key: Mapping[str, Interval] = {}
    if model is not None:
        counts = report.tally(model)
        usage = report.usage(model)
        metrics = report.metrics(model)
        notes = report.notes_of(model)
        if with_intervals:
            interval_of_key = intervals(report.view, report.of(model))
    row: dict[str, Cell] = {
        "model": model,
        **report.setting._asdict(),
        "eai": report.package_version,
        "tasks": counts.tasks,
        "excluded": counts.excluded,
        "missing": counts.missing,
    }
    for general_metric, metric in zip(report.view.scores(), metrics, strict=True):
        row[metric.key] = metric.value
        row[f"{metric.key}.numerator"] = metric.numerator
        row[f"{metric.key}.denominator"] = metric.denominator
        # The unit without a model decides, so that models with several samples have equal columns.
        if with_intervals or general_metric.unit == "tasks":
            low, high, *_ = interval_of_key.get(metric.key, metric.interval or (None, None))
            row[f"{metric.key}.low"] = low
            row[f"{metric.key}.high"] = high
    row.update(usage_counts(usage, amounts))
    row["notes"] = "; ".join(_first_notes(notes))
    return row
