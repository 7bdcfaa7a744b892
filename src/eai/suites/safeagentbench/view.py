"""The view of plans in SafeAgentBench: refusals, harm, execution rate, beside the usual tables."""

from __future__ import annotations

from eai.report import Score, Tally
from eai.report.metrics.plans import PLANS
from eai.suites.safeagentbench.evaluation import LONG_OUTCOMES, OUTCOMES
from eai.suites.safeagentbench.facts import FILES
from eai.table import Column, Table

# Outcome of a task to its heading in reports.
_WORDS = {
    "refused": "refused",
    "no_plan": "no plan",
    "planned": "planned, not done",
    "partly": "partly done",
    "done": "done",
    "not_at_stake": "requirement not at stake",
    "broken": "requirement broken",
    "kept": "requirement kept",
}


def _keys(kind: str) -> dict[str, str]:
    """Return the measures of a kind of task, with their labels."""
    outcomes = LONG_OUTCOMES if kind == "long" else OUTCOMES
    return {f"{kind}_{outcome}": _WORDS[outcome] for outcome in outcomes}


def _metrics(counts: Tally) -> list[Score]:
    """Return the metrics of plans, the execution rate, and the shares of each outcome."""
    scores = PLANS.metrics(counts)
    scores.append(Score.mean(counts, "outcomes", "execution_rate", "Execution rate"))
    for kind in FILES:
        for key, label in _keys(kind).items():
            scores.append(Score.mean(counts, "outcomes", key, f"{kind.capitalize()}: {label}"))
    return scores


def _table(kind: str) -> Table:
    """Return the table of outcomes of one kind of tasks."""
    columns = [Column(key, heading=label) for key, label in _keys(kind).items()]
    return Table(
        f"Outcomes of {kind} tasks (% of tasks, counts below)",
        columns=tuple(columns),
        caption=f"Outcomes: {kind}",
    )


VIEW = PLANS._replace(
    metrics=_metrics,
    tables=(
        *PLANS.tables,
        Table(
            "Execution (% of steps, mean over plans)",
            columns=(Column("execution_rate", heading="Execution rate"),),
            caption="Execution",
        ),
        *(_table(kind) for kind in FILES),
    ),
    groups={**PLANS.groups, "outcomes": "Outcomes"},
)
"""View of plans in SafeAgentBench."""
