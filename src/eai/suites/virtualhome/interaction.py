"""Acting in VirtualHome step by step.

Steps are executed and conditions are scored as for whole plans. The quirks of reading whole answers
do not apply.
"""

from __future__ import annotations

from eai.acting import (
    ClosedHidden,
    EpisodeRules,
    HiddenUntilLooked,
    Memory,
    Nearby,
    SameRoom,
    View,
    task_rules,
)
from eai.semantics import Semantics
from eai.simulators import ObservationModel, ShownProperty, SymbolicEnvironment
from eai.suites.virtualhome.plans import VirtualHomePlans, simulator
from eai.task import Task

OBSERVED = ObservationModel(
    properties={
        "open": ShownProperty("open", no="closed"),
        "on": ShownProperty("on", no="off"),
        "plugged_in": ShownProperty("plugged_in", no="plugged_out"),
        "dirty": ShownProperty("dirty", no="clean"),
        "sitting": ShownProperty("sitting"),
        "lying": ShownProperty("lying"),
    },
    locations={"ontop": "on", "inside": "in"},
    room="room",
    held=("holds_rh", "holds_lh"),
    agent={"next_to": "near", "facing": "faced"},
)
"""How agents observe a home: words for its predicates."""


def environment(task: Task, semantics: Semantics) -> SymbolicEnvironment:
    """Set up the environment of a task."""
    return SymbolicEnvironment(task, simulator(semantics), observed=OBSERVED)


def episode_rules(task: Task, semantics: Semantics) -> EpisodeRules:
    """Return the rules of a task's episodes: its score, its names and its views."""
    plans = VirtualHomePlans(semantics)
    excluded = plans.excluded(task)
    if not excluded and task.goal.is_empty:
        excluded = "the task has no goal"
    return task_rules(
        task,
        score=plans.conditions,
        excluded=excluded,
        vocabulary=plans.vocabulary(task),
        views={
            "room": lambda: _views_in_room(task.agent),
            "near": lambda: _views_in_room(task.agent, Nearby(frozenset({"room", "character"}))),
        },
    )


def _views_in_room(agent: str, *others: View) -> tuple[View, ...]:
    """Return the views of an agent that sees its room, and others, before its memory."""
    seen_when_looked_at = HiddenUntilLooked(frozenset({"dirty"}))
    # Memory comes last: it keeps what the other views let through.
    return (SameRoom(agent, "room"), ClosedHidden(), seen_when_looked_at, *others, Memory())
