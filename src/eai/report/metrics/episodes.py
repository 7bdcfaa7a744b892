"""Metrics of acting step by step (AsgardBench, section 4.1 and appendix A.5)."""

from __future__ import annotations

from eai.diagnosis import Behaviour
from eai.report.aggregate import Tally
from eai.report.metric import Score
from eai.report.metrics.view import View, by_group
from eai.table import Column, Table

TURN_ERRORS = {
    "valid": ("Valid turns", "Valid"),
    "undoable": ("Undoable", "Undoable"),
    "invalid_object": ("Invalid object", "Invalid\nobject"),
    "invalid_action": ("Invalid action", "Invalid\naction"),
    "unparsable": ("Unparsable", "Unparsable"),
}
"""What can become of a turn (section 4.1.1): key to label and to a short heading."""

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
"""Why a turn is undoable (appendix A.5): key to label and to a short heading."""

ENDS = {
    "success": ("Success", "Success"),
    "max_repeats": ("Max repeats", "Max\nrepeats"),
    "max_failures": ("Max failures", "Max\nfailures"),
    "max_steps": ("Max steps", "Max\nsteps"),
    "max_calls": ("Max calls", "Max\ncalls"),
    "no_more_answers": ("No more answers", "No more\nanswers"),
}
"""Why an episode ends (section 4.1.2): key to label and to a short heading."""


def _metrics(counts: Tally) -> list[Score]:
    return [
        Score("goal", "task_success_rate", "Task SR", counts.success, counts.tasks, "tasks"),
        Score.mean(counts, "goal", "goals_reached", "Goals reached"),
        Score.mean(counts, "goal", "step_ratio", "Step ratio"),
        *(Score.mean(counts, "turns", key, label) for key, (label, _) in TURN_ERRORS.items()),
        *(
            Score.mean(counts, "turns.undoable", f"undoable_{key}", f"Undoable: {label}")
            for key, (label, _) in REFUSALS.items()
        ),
        *(
            Score("end", f"end_{key}", label, counts.outcomes.get(key, 0), counts.tasks, "tasks")
            for key, (label, _) in ENDS.items()
        ),
        *(Score.mean(counts, "behaviours", b.measure, f"Behaviour: {b.label}") for b in Behaviour),
    ]


def _basis(counts: Tally) -> str:
    """Where the means are from, and the success of every group of tasks."""
    parts = [
        f"{group} {counts.grouped_success.get(group, 0)} of {of}"
        for group, of in counts.grouped.items()
    ]
    solved = f"; solved by family: {', '.join(parts)}" if parts else ""
    return f"means over the episodes that have the ratio (step ratio: solved ones){solved}"


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
"""How acting step by step is reported."""
