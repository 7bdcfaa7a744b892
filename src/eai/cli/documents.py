"""How results are printed: tables, and with ``--json`` documents with fixed keys."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
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
    """Return the setting, and each model's metrics with what they were computed from."""
    models = {}
    for model in report.models:
        counts = {name: getattr(report.tally(model), name) for name in _COUNTS}
        metrics = {
            metric.key: {name: getattr(metric, name) for name in _METRIC}
            for metric in report.metrics(model)
        }
        models[model] = {**counts, "metrics": metrics}
        tally = report.tally(model)
        if tally.rules:
            counts_by_rule = rule_counts(tally)
            models[model]["rules"] = {
                rule: number._asdict() for rule, number in counts_by_rule.items()
            }
    about = {**report.setting._asdict(), "eai": report.package_version}
    return {**about, "models": models, "notes": list(report.notes)}


def overview_document(overview: Overview) -> dict[str, Any]:
    """Return the rows of the run's table, and the reports behind them."""
    return {
        "overview": {
            model: [
                {"ability": ability, "metric": metric, "suite": suite, "value": value}
                for (ability, metric, suite), value in overview.row(model).items()
            ]
            for model in overview.models
        },
        "reports": {
            suite: {ability: report_document(report) for ability, report in of_suite.items()}
            for suite, of_suite in overview.reports.items()
        },
        "notes": [*overview.notes, *overview.skipped],
    }


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """Return the differences, and what can be concluded from each."""
    pairs = zip(comparison.differences, comparison.conclusions, strict=True)
    return {
        "title": comparison.title,
        "differences": [
            {**asdict(each), "difference": each.difference, "conclusion": conclusion}
            for each, conclusion in pairs
        ],
        "notes": list(comparison.notes),
    }


def explanation_document(explanation: Explanation) -> dict[str, Any]:
    """Return the record, what each step changed, and the explanation as text."""
    return {
        "record": json.loads(record_to_json(explanation.record)),
        "instruction": explanation.instruction,
        "steps": [{name: getattr(step, name) for name in _STEP} for step in explanation.steps],
        "remarks": list(explanation.remarks),
        "text": str(explanation),
    }


@dataclass(frozen=True)
class Shown:
    """How tables are shown: options of all commands that print some."""

    csv: opt.Csv = None
    force: opt.Force = False
    json: opt.Json = False

    def tables(self, tables: Sequence[Table]) -> None:
        """Print tables, or all of them as one JSON document; write the last one to a file."""
        if self.csv is not None:
            tables[-1].to_csv(self.csv, force=self.force)
        if self.json:
            documents = [
                {"title": of.title, "rows": list(map(dict, of.rows)), "notes": list(of.notes)}
                for of in tables
            ]
            print_json({"tables": documents})
            return
        for table in tables:
            show(table)
            if not (table.rows or table.notes):
                warn(f"{table.title}: this run has no data for this analysis")
