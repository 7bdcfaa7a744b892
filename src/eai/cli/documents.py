"""How results are printed: tables, and with ``--json`` documents with fixed keys."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from eai.cli import options as opt
from eai.cli.output import print_json, show, warn
from eai.report import record_to_json, rule_counts

if TYPE_CHECKING:
    from eai.evaluation.overview import Overview
    from eai.report import Comparison, Explanation, Report
    from eai.table import Table

_STEP = ("number", "action", "outcome", "added", "deleted")
_COUNTS = ("tasks", "excluded", "missing")
_METRIC = ("label", "value", "interval", "numerator", "denominator", "unit")


def report_document(report: Report) -> dict[str, Any]:
    """Return a report as JSON: its setting, and the metrics of each model with counts."""
    models = {}
    for model in report.models:
        tally = report.tally(model)
        entry: dict[str, Any] = {name: getattr(tally, name) for name in _COUNTS}
        entry["metrics"] = {}
        for metric in report.metrics(model):
            entry["metrics"][metric.key] = {name: getattr(metric, name) for name in _METRIC}
        if tally.rules:
            entry["rules"] = {}
            for rule, counts in rule_counts(tally).items():
                entry["rules"][rule] = counts._asdict()
        usage = report.usage(model)
        if usage.names:
            entry["answers"] = usage.answers
            entry["usage"] = {}
            for name in usage.names:
                amount = {"sum": usage.sum(name), "answers": usage.stated(name)}
                entry["usage"][name] = amount
        models[model] = entry
    setting = {**report.setting._asdict(), "eai": report.package_version}
    return {**setting, "models": models, "notes": list(report.notes)}


def overview_document(overview: Overview) -> dict[str, Any]:
    """Return the overview of a run as JSON: table rows and reports."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for model in overview.models:
        rows[model] = []
        for (ability, metric, suite), value in overview.row(model).items():
            row = {"ability": ability, "metric": metric, "suite": suite, "value": value}
            rows[model].append(row)
    reports: dict[str, dict[str, Any]] = {}
    for suite, suite_reports in overview.reports.items():
        reports[suite] = {}
        for ability, report in suite_reports.items():
            reports[suite][ability] = report_document(report)
    notes = [*overview.notes, *overview.skipped]
    return {"overview": rows, "reports": reports, "notes": notes}


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON: the differences with their conclusions."""
    differences = []
    # Each conclusion is the sentence about the difference at its place.
    pairs = zip(comparison.differences, comparison.conclusions, strict=True)
    for difference, conclusion in pairs:
        fields = asdict(difference)
        fields["difference"] = difference.difference
        fields["conclusion"] = conclusion
        differences.append(fields)
    return {
        "title": comparison.title,
        "differences": differences,
        "notes": list(comparison.notes),
    }


def explanation_document(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON: the record, the steps' changes and the text."""
    steps = []
    for step in explanation.steps:
        steps.append({name: getattr(step, name) for name in _STEP})
    return {
        # As in a file of records, whose empty fields and names of keys are the same.
        "record": json.loads(record_to_json(explanation.record)),
        "instruction": explanation.instruction,
        "steps": steps,
        "remarks": list(explanation.remarks),
        "text": str(explanation),
    }


class Shown(opt.OptionGroup):
    """Options for showing tables, shared by many commands."""

    csv: opt.Csv = None
    force: opt.Force = False
    json: opt.Json = False

    def tables(self, tables: Sequence[Table]) -> None:
        """Print tables as text or as one JSON document, and write the last one to a file."""
        # The last table is the one with the rows; those before it sum it up.
        if self.csv is not None:
            tables[-1].to_csv(self.csv, force=self.force)
        if self.json:
            documents = []
            for table in tables:
                rows = [dict(row) for row in table.rows]
                notes = list(table.notes)
                documents.append({"title": table.title, "rows": rows, "notes": notes})
            print_json({"tables": documents})
            return
        for table in tables:
            show(table)
            if not (table.rows or table.notes):
                warn(f"{table.title}: this run has no data for this analysis")
