"""Least repair of a plan: search, and what is known without it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eai.errors import InputError
from eai.logic.formula import objects_of
from eai.planning.repair.alignment import align
from eai.planning.repair.course import follow
from eai.planning.repair.places import Places
from eai.planning.repair.reading import best_repair, repaired_plan
from eai.planning.repair.result import Repair
from eai.planning.repair.search import Found, search
from eai.planning.repair.slots import Slots, edits_of
from eai.planning.repair.stage import Effort, Stage
from eai.planning.repair.target import Target, Tracker
from eai.world.action import Action
from eai.world.state import State
from eai.world.transition import World

__all__ = ["RepairBounds", "least_repair"]


@dataclass(frozen=True, slots=True)
class RepairBounds:
    """How far to search for a repair.

    Args:
        edits: Most edits that are searched for; a repair with more may come from a reference
            plan.
        actions: How many actions may be tried in the world; the default takes a few seconds.
    """

    edits: int = 3
    actions: int = 300_000


def least_repair(
    world: World,
    start: State,
    plan: Sequence[Action],
    target: Target,
    *,
    agent: str,
    references: Iterable[Sequence[Action]] = (),
    bounds: RepairBounds | None = None,
) -> Repair:
    """Find the fewest edits that make a plan executable and its goal true.

    An edit puts an action in, takes a step out, puts an action in the place of a step, or moves
    a step. A step that cannot be done but whose effects hold already is passed over and needs no
    edit, as in the rules that follow from the domain.

    Args:
        world: The world.
        start: The initial state; it is not changed.
        plan: The plan. What the world does not know can only be taken out or replaced.
        target: What has to be reached.
        agent: The object that acts: the first argument of every action.
        references: Plans that are known to work. The edits that lead to the nearest one are
            taken where the search finds no repair within its bounds.
        bounds: How far to search.

    Raises:
        InputError: If the target has free or unknown names, or a bound is negative.
        UnknownNameError: If the agent is not known.
    """
    limits = bounds or RepairBounds()
    for name in ("edits", "actions"):
        if getattr(limits, name) < 0:
            raise InputError(
                f"the bound {name} is {getattr(limits, name)}", expected="a whole number from 0"
            )
    demanded = frozenset(name for names in target.actions for name in names)
    effort = Effort(limits.actions)
    stage = Stage(world, start, plan, agent=agent, demanded=demanded, effort=effort)
    tracker = Tracker(target, world, start)
    known = _nearest(stage, tracker, references)
    far = None if known is None else len(edits_of(known, stage.plan))
    most = limits.edits if far is None else min(limits.edits, far)
    found = search(stage, tracker, edits=most, known=far)
    if not found.repairs and known is not None:
        found = Found((known,), found.bound)
    if not found.repairs:
        return Repair(stage.plan, None, None, found.bound)
    familiar, places = _familiar(stage, target), Places(stage, tracker)
    slots, edits = best_repair(found, stage.plan, familiar, places)
    number = len({repaired_plan(each) for each in found.repairs}) if found.complete else 0
    return Repair(stage.plan, edits, repaired_plan(slots), found.bound, number)


def _familiar(stage: Stage, target: Target) -> set[str]:
    """Objects of the plan and the goal."""
    familiar = {name for step in stage.plan for name in step.arguments}
    for option in target.final:
        familiar.update(*map(objects_of, option))
    return familiar


def _nearest(
    stage: Stage, tracker: Tracker, references: Iterable[Sequence[Action]]
) -> Slots | None:
    """What becomes of the plan when it is turned into the nearest reference plan that works."""
    working = [
        align(stage.slots, slots)
        for slots in map(stage.slots_of, references)
        if follow(stage, tracker, slots).reached
    ]
    return min(working, key=lambda slots: len(edits_of(slots, stage.plan)), default=None)
