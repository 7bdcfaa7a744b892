"""Acting in BEHAVIOR step by step.

What becomes of a step and which conditions count is as for whole plans; the quirks of reading
whole answers have no meaning here.
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
from eai.simulators import ObservationModel, Shown, SymbolicEnvironment
from eai.suites.behavior.plans import BehaviorPlans, simulator
from eai.task import Task

OBSERVED = ObservationModel(
    properties={
        "open": Shown("open", having="openable"),
        "toggled_on": Shown("toggled_on", having="toggleable"),
        **{name: Shown(name) for name in ("dusty", "stained", "soaked", "sliced")},
        **{name: Shown(name) for name in ("cooked", "frozen", "burnt")},
    },
    locations={"placed_inside": "in", "placed_ontop": "on", "placed_onfloor": "on"},
    held=("holds_rh", "holds_lh"),
    relations={"placed_under": "under", "placed_nextto": "next_to"},
)
"""How agents observe a scene: words for its predicates."""

_CLOSE_UP = frozenset({"dusty", "stained", "soaked", "cooked", "frozen", "burnt"})
"""Properties that only show when one looks at an object."""


def environment(task: Task, semantics: Semantics) -> SymbolicEnvironment:
    """Set up the environment of a task; the parts of something are there once it is sliced."""
    return SymbolicEnvironment(task, simulator(semantics), observed=OBSERVED, present="present")


def episode_rules(task: Task, semantics: Semantics) -> EpisodeRules:
    """Say what an episode of a task is."""

    def seen(*more: View) -> tuple[View, ...]:
        return (ClosedHidden(), HiddenUntilLooked(_CLOSE_UP), *more, Memory())

    views = {"room": seen, "near": lambda: seen(Nearby(frozenset({"floor"})))}
    return task_rules(task, score=BehaviorPlans(semantics).conditions, views=views)
