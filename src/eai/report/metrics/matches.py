"""Precision, recall and F1 from counted matches."""

from __future__ import annotations

from collections.abc import Iterable

from eai.report.aggregate import Tally
from eai.report.metric import Score
from eai.report.metrics.view import Column

__all__ = ["match_columns", "match_metrics"]

_MEASURES = {"precision": ("Precision", "Prec."), "recall": ("Recall", "Rec."), "f1": ("F1", "F1")}


def match_metrics(
    counts: Tally, group: str, label: str, *, kinds: Iterable[str] | None = None
) -> list[Score]:
    """Return precision, recall and F1 (paper, section 2.3), micro-averaged over tasks and kinds.

    Args:
        counts: The counts.
        group: Group of the metrics, and the beginning of their keys (``"state"``).
        label: Beginning of their labels.
        kinds: The kinds of match to add up; all if None.
    """
    wanted = {*counts.tp, *counts.fp, *counts.fn} if kinds is None else set(kinds)
    tp, fp, fn = (
        sum(of_kind.get(kind, 0) for kind in wanted)
        for of_kind in (counts.tp, counts.fp, counts.fn)
    )
    parts = {"precision": (tp, tp + fp), "recall": (tp, tp + fn), "f1": (2 * tp, 2 * tp + fp + fn)}
    return [
        Score(group, f"{group}_{key}", f"{label} {name}", *parts[key], "matches")
        for key, (name, _) in _MEASURES.items()
    ]


def match_columns(group: str, label: str, head: str) -> tuple[Column, ...]:
    """Return the columns of these metrics.

    Args:
        group: Group of the metrics.
        label: Heading that the columns share in print.
        head: The same, short, for a terminal.
    """
    return tuple(
        Column(f"{group}_{key}", f"{head}\n{short}", span=label, label=name)
        for key, (name, short) in _MEASURES.items()
    )
