"""The view of LongAct: the metrics of its episodes (arXiv 2605.14504, section 3)."""

from __future__ import annotations

from eai.report import Score, Tally, View, by_group
from eai.suites.longact.episodes import SCENARIOS, WORDINGS
from eai.suites.longact.metrics import KINDS
from eai.table import Column, Table

MEANS = {
    "gc": ("Goal conditions", "GC"),
    **{f"gc_{kind}": (f"GC of {short}", short) for kind, short in KINDS.items()},
    "nav": ("Counted steps of moving", "Nav"),
    "manip": ("Interactions", "Manip"),
    "atomic": ("Atomic steps", "Atomic\nsteps"),
    "ir": ("Improvement rate (levels 5, fractions, unit time, current score)", "IR"),
}
"""Means over episodes: shares in percent; steps and the improvement rate as they are."""

# Each episode is in two subsets: that of its scenario and that of its wording.
_SUBSETS = (*SCENARIOS, *WORDINGS)


def _metrics(counts: Tally) -> list[Score]:
    """Return success, the means over episodes, and success by subset, in this order."""
    scores = [Score("goal", "task_success_rate", "SR", counts.success, counts.tasks, "tasks")]
    for key, (label, _) in MEANS.items():
        scores.append(Score.mean(counts, "means", key, label))
    for subset in _SUBSETS:
        solved = counts.grouped_success.get(subset, 0)
        tasks = counts.grouped.get(subset, 0)
        scores.append(Score("parts", f"part_{subset}", f"SR {subset}", solved, tasks, "tasks"))
    return scores


def _basis(counts: Tally) -> str:
    """Return which episodes the means are over, and how episodes ended."""
    ends = ", ".join(f"{name} {number}" for name, number in counts.outcomes.items())
    means = "means over episodes, for each kind of goal over those that ask for it"
    return f"{means}; ends: {ends or 'none'}"


VIEW = View(
    metrics=_metrics,
    tables=(
        Table(
            "Episodes (shares in %, numbers in the mean)",
            caption="Episodes",
            columns=(
                Column("task_success_rate", short="SR", ranged=True),
                *(Column(key, heading=label, short=head) for key, (label, head) in MEANS.items()),
            ),
        ),
        Table(
            "Success by scenario and wording (%, counts below)",
            caption="Success by scenario and wording",
            columns=tuple(Column(f"part_{name}", short=name, ranged=True) for name in _SUBSETS),
        ),
    ),
    groups={"goal": "Goal", "means": "Means", "parts": "Scenarios and wordings"},
    errors=(),
    basis=_basis,
    summary=lambda counts: by_group(_metrics(counts)),
)
"""View of acting in LongAct."""
