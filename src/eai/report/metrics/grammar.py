"""Metrics of answers that cannot be read as they stand (paper, section D.2)."""

from __future__ import annotations

from eai.report.aggregate import Tally
from eai.report.metric import Score
from eai.report.metrics.view import Column

__all__ = ["GRAMMAR_COLUMNS", "grammar_metrics"]

_ERRORS = {
    "parsing": ("Parsing", "Parsing"),
    "hallucination": ("Hallucination", "Halluc."),
    "predicate_argument_number": ("Predicate-Arg Num", "Arg.\nNum"),
}

GRAMMAR_COLUMNS = tuple(Column(key, head) for key, (_, head) in _ERRORS.items())
"""The columns of these metrics."""


def grammar_metrics(counts: Tally, group: str) -> list[Score]:
    """Return the rates of tasks with a grammar error, by kind."""
    return [
        Score(group, key, label, counts.items.get(key, 0), counts.tasks, "tasks")
        for key, (label, _) in _ERRORS.items()
    ]
