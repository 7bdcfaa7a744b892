"""Abilities one by one against abilities in a row (paper, section G and Table 16)."""

from __future__ import annotations

from eai.errors import InputError
from eai.report.metrics import view_of
from eai.report.report import Report, require_results
from eai.table import Cell, Table

__all__ = ["compare_pipeline"]


def compare_pipeline(modular: Report, pipeline: Report) -> Table:
    """Set the metrics of answers to given goals beside those of answers to interpreted goals.

    In the modular setting a model plans for the annotated goal; in the pipeline it plans for the
    goal that it interpreted itself, and is still judged by the annotated one. Only tasks that
    both reports judge are counted.

    Args:
        modular: Answers to the annotated goals.
        pipeline: Answers to the goals that the same models interpreted.

    Returns:
        A row for each model and metric: modular (M), pipeline (P), and the difference in points;
        for success also the tasks that only one of the two solves.

    Raises:
        InputError: If the reports are of different suites or abilities, or share no model.
    """
    _check(modular, pipeline)
    rows: list[dict[str, Cell]] = []
    notes: list[str] = []
    view = view_of(modular.setting.ability)
    for model in [name for name in modular.models if name in pipeline.models]:
        one, other = _shared(modular, pipeline, model)
        notes.append(f"{model}: {len(one.records)} tasks judged in both")
        before, after = (report.metrics(model) for report in (one, other))
        keys = {column.key for table in view.tables for column in table.columns}
        for m, p in zip(before, after, strict=True):
            if m.key in keys:
                rows.append({"model": model, "metric": m.label, **_values(m.value, p.value)})
        rows += _only(one, other, model)
    return Table(f"Modular (M) against pipeline (P): {modular.setting}", rows, tuple(notes))


def _check(modular: Report, pipeline: Report) -> None:
    for report in (modular, pipeline):
        require_results(report)
    one, other = modular.setting, pipeline.setting
    if (one.suite, one.ability, one.semantics) != (other.suite, other.ability, other.semantics):
        raise InputError(
            "the reports are of different runs",
            expected=f"both: {one}; found too: {other}",
            mend="judge both with the same suite, ability and semantics",
        )
    if not set(modular.models) & set(pipeline.models):
        raise InputError(
            "the reports have no model in common",
            expected=f"a model of {', '.join(modular.models)}; found: {', '.join(pipeline.models)}",
            mend="give the same models the same names",
        )


def _shared(modular: Report, pipeline: Report, model: str) -> tuple[Report, Report]:
    kept = [
        {r.task for r in report.of(model) if r.judgement.status != "excluded"}
        for report in (modular, pipeline)
    ]
    both = kept[0] & kept[1]
    first, second = (
        Report([r for r in report.of(model) if r.task in both], setting=report.setting)
        for report in (modular, pipeline)
    )
    return first, second


def _values(m: float | None, p: float | None) -> dict[str, Cell]:
    return {"M": m, "P": p, "P - M": None if m is None or p is None else p - m}


def _only(one: Report, other: Report, model: str) -> list[dict[str, Cell]]:
    solved = [{r.task for r in report.records if r.judgement.success} for report in (one, other)]
    m, p = len(solved[0] - solved[1]), len(solved[1] - solved[0])
    label = "Tasks that only this one solves"
    return [{"model": model, "metric": label, "M": m, "P": p, "P - M": p - m}]
