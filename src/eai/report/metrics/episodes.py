"""Metrics of acting step by step (AsgardBench, section 4.1 and appendix A.5)."""

from __future__ import annotations

from eai.diagnosis import Behaviour
from eai.report.aggregate import Tally
from eai.report.metrics.view import View, by_group
from eai.report.scoring import Score
from eai.table import Column, Table

TURN_ERRORS = {
    "valid": ("Valid turns", "Valid"),
    "undoable": ("Undoable", "Undoable"),
    "invalid_object": ("Invalid object", "Invalid\nobject"),
    "invalid_action": ("Invalid action", "Invalid\naction"),
    "unparsable": ("Unparsable", "Unparsable"),
}
"""Outcomes of a turn (section 4.1.1): key to label and to a short heading."""

REFUSALS = {
    "not_visible": ("Not visible", "Not\nvisible"),
    "hand": ("Hand", "Hand"),
    "openable": ("Open or closed", "Open or\nclosed"),
    "dirty": ("Dirty", "Dirty"),
    "sink": ("Sink", "Sink"),
    "state": ("Other state", "Other\nstate"),
    "placement": ("Placement", "Placement"),
    "affordance": ("Not made for it", "Not\nmade\nfor it"),
    "other": ("Other", "Other"),
}
"""Reasons why a turn is undoable (appendix A.5): key to label and to a short heading."""

ENDS = {
    "success": ("Success", "Success"),
    "max_repeats": ("Max repeats", "Max\nrepeats"),
    "max_failures": ("Max failures", "Max\nfailures"),
    "max_steps": ("Max steps", "Max\nsteps"),
    "max_calls": ("Max calls", "Max\ncalls"),
    "no_more_answers": ("No more answers", "No more\nanswers"),
}
"""Reasons why an episode ends (section 4.1.2): key to label and to a short heading."""


def _metrics(counts: Tally) -> list[Score]:
    """Return the metrics of episodes in table order."""
    tasks = counts.tasks
    scores = [
        Score("goal", "task_success_rate", "Task SR", counts.success, tasks, "tasks"),
        Score.mean(counts, "goal", "goals_reached", "Goals reached"),
        Score.mean(counts, "goal", "step_ratio", "Step ratio"),
    ]
    for key, (label, _) in TURN_ERRORS.items():
        scores.append(Score.mean(counts, "turns", key, label))
    # Out of all turns, as the kinds of turns above are.
    for key, (label, _) in REFUSALS.items():
        scores.append(Score.mean(counts, "turns.undoable", f"undoable_{key}", f"Undoable: {label}"))
    for key, (label, _) in ENDS.items():
        ended = counts.outcomes.get(key, 0)
        # Ends are counted by task: every episode has exactly one.
        scores.append(Score("end", f"end_{key}", label, ended, tasks, "tasks"))
    for behaviour in Behaviour:
        label = f"Behaviour: {behaviour.label}"
        scores.append(Score.mean(counts, "behaviours", behaviour.measure, label))
    return scores


def _basis(counts: Tally) -> str:
    """Return over which episodes the means are taken, and the success of each group of tasks."""
    basis = "means over the episodes that have the ratio (step ratio: solved ones)"
    parts = []
    for group, tasks in counts.grouped.items():
        parts.append(f"{group} {counts.grouped_success.get(group, 0)} of {tasks}")
    if parts:
        basis += f"; solved by family: {', '.join(parts)}"
    return basis


EPISODES = View(
    metrics=_metrics,
    tables=(
        Table(
            "Episodes (%, counts below)",
            caption="Episodes",
            columns=(
                Column("task_success_rate", short="Task SR", ranged=True),
                Column("goals_reached", short="Goals\nreached"),
                Column("step_ratio", short="Step\nratio"),
                *(
                    Column(key, heading=label, short=head, span="Turns")
                    for key, (label, head) in TURN_ERRORS.items()
                ),
            ),
        ),
        Table(
            "Why turns are undoable (% of turns)",
            caption="Undoable turns",
            columns=tuple(
                Column(f"undoable_{key}", heading=label, short=head)
                for key, (label, head) in REFUSALS.items()
            ),
        ),
        Table(
            "How episodes end (% of tasks, counts below)",
            caption="Ends of episodes",
            columns=tuple(
                Column(f"end_{key}", heading=label, short=head)
                for key, (label, head) in ENDS.items()
            ),
        ),
        Table(
            "Behaviours (% of episodes)",
            caption="Behaviours",
            columns=tuple(
                Column(b.measure, heading=b.label.capitalize(), short=b.label.replace(" ", "\n"))
                for b in Behaviour
            ),
        ),
    ),
    groups={
        "goal": "Goal",
        "turns": "Turns",
        "turns.undoable": "Undoable turns",
        "end": "End",
        "behaviours": "Behaviours",
    },
    errors=(),
    basis=_basis,
    summary=lambda counts: by_group(_metrics(counts)),
)
"""View of acting step by step."""
