"""Acting in BEHAVIOR step by step.

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
    View,
    task_rules,
)
from eai.semantics import Semantics
from eai.simulators import ObservationModel, ShownProperty, SymbolicEnvironment
from eai.suites.behavior.plans import BehaviorPlans, simulator
from eai.task import Task

OBSERVED = ObservationModel(
    properties={
        "open": ShownProperty("open", having="openable"),
        "toggled_on": ShownProperty("toggled_on", having="toggleable"),
        **{name: ShownProperty(name) for name in ("dusty", "stained", "soaked", "sliced")},
        **{name: ShownProperty(name) for name in ("cooked", "frozen", "burnt")},
    },
    locations={"placed_inside": "in", "placed_ontop": "on", "placed_onfloor": "on"},
    held=("holds_rh", "holds_lh"),
    relations={"placed_under": "under", "placed_nextto": "next_to"},
)
"""How agents observe a scene: words for its predicates."""

_CLOSE_UP = frozenset({"dusty", "stained", "soaked", "cooked", "frozen", "burnt"})
"""Properties that only show when one looks at an object."""


def environment(task: Task, semantics: Semantics) -> SymbolicEnvironment:
    """Set up the environment of a task; parts are present once their whole is sliced."""
    return SymbolicEnvironment(task, simulator(semantics), observed=OBSERVED, present="present")


def episode_rules(task: Task, semantics: Semantics) -> EpisodeRules:
    """Return the rules of a task's episodes: its score and its views."""

    def seen(*more: View) -> tuple[View, ...]:
        """Return the views of an agent, with more of them before its memory."""
        # Memory comes last: it keeps what the other views let through.
        return (ClosedHidden(), HiddenUntilLooked(_CLOSE_UP), *more, Memory())

    views = {"room": seen, "near": lambda: seen(Nearby(frozenset({"floor"})))}
    return task_rules(task, score=BehaviorPlans(semantics).conditions, views=views)
