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

    def seen(*more: View) -> tuple[View, ...]:
        """Return the views of an agent, with more of them before its memory."""
        # Memory comes last: it keeps what the other views let through.
        in_room = SameRoom(task.agent, "room"), ClosedHidden()
        return (*in_room, HiddenUntilLooked(frozenset({"dirty"})), *more, Memory())

    return task_rules(
        task,
        score=plans.conditions,
        excluded=plans.excluded(task) or ("the task has no goal" if task.goal.is_empty else ""),
        vocabulary=plans.vocabulary(task),
        views={"room": seen, "near": lambda: seen(Nearby(frozenset({"room", "character"})))},
    )
