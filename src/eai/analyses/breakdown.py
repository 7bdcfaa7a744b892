"""What goes wrong how often, with examples (paper, Tables 6 and 10 to 12, Figure 5)."""

from __future__ import annotations

from collections.abc import Iterable

from eai.diagnosis.judgement import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.report.record import Record
from eai.report.report import Report, require_results
from eai.table import Cell, Table

__all__ = ["error_breakdown"]


def error_breakdown(report: Report, model: str | None = None, *, examples: int = 2) -> Table:
    """Count every kind of error, and name items that have it.

    Args:
        report: The judged answers.
        model: One model; by default all together.
        examples: How many items to name for each kind.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    records = report.records if model is None else report.of(model)
    judged = [record for record in records if record.judgement.status != "excluded"]
    rows: list[tuple[int, dict[str, Cell]]] = []
    for kind in ErrorKind:
        found = list(_of_kind(judged, kind))
        if not found:
            continue
        items = list(dict.fromkeys((record.model, record.task) for record, _ in found))
        row: dict[str, Cell] = {
            "kind": kind.value,
            "items": len(items),
            "% of items": 100 * len(items) / len(judged),
            "occurrences": len(found),
            "examples": "; ".join(_examples(found, examples)),
        }
        rows.append((len(items), row))
    rows.sort(key=lambda each: -each[0])
    solved = sum(record.judgement.success for record in judged)
    who = "all models" if model is None else model
    return Table(
        f"Errors of {who}",
        [row for _, row in rows],
        (f"out of {len(judged)} items, {solved} of them solved",),
    )


def _of_kind(records: Iterable[Record], kind: ErrorKind) -> Iterable[tuple[Record, Finding]]:
    for record in records:
        for finding in record.judgement.findings:
            if finding.kind is kind:
                yield record, finding


def _examples(found: list[tuple[Record, Finding]], number: int) -> Iterable[str]:
    seen: set[str] = set()
    for record, finding in found:
        if len(seen) == number:
            return
        if record.task not in seen:
            seen.add(record.task)
            step = f" step {finding.step}" if finding.step is not None else ""
            yield f"{record.task}{step}: {finding.message}"
