"""Critic: the cause of a failed action, the fix, and which planner has to plan again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from eai.agents.holomind.executor import Context, SubGoal
from eai.agents.holomind.goals import ObjectReference
from eai.agents.holomind.lowplanner import laid_down
from eai.agents.holomind.percepts import knowledge
from eai.agents.holomind.spatial import ObjectRecord

MOST_REFINED = 3
"""Number of refinements of a sub-goal after which the low-level planner is asked again."""

CAUSES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("in_hand", ("slice", "open", "on")),
    ("shut_in", ()),
    ("hand_empty", ("place",)),
    ("no_tool", ("slice",)),
    ("closed", ("place",)),
    ("hand_full", ("pick", "open", "close")),
    ("ajar", ("on",)),
    ("running", ("open",)),
    ("unplugged", ("on",)),
    ("no_surface", ("slice",)),
    ("far", ()),
    ("seated", ("goto",)),
)
"""Causes of a failed sub-goal in the order of asking, each with the roles that it concerns.

Without roles it concerns all.
"""

_STATES = {
    "closed": ("open", False, "open"),
    "ajar": ("open", True, "close"),
    "running": ("on", True, "off"),
    "unplugged": ("plugged in", False, "plugin"),
}
"""Cause to the state of the target that it is, the value of that, and the action that mends it."""

_KNIVES = ("Knife", "ButterKnife")
"""Types of the tools that cut."""


@dataclass(frozen=True, slots=True)
class Directive:
    """A decision of the critic.

    Args:
        kind: ``"Pass"``: go on; ``"Refine"``: do the fixes and try again; ``"Replan"``: let a
            planner decide.
        text: The reason, as a sentence.
        cause: The cause of the failure, by which a rule is learned; empty if it is unknown.
        fixes: Sub-goals to reach before trying again.
    """

    kind: Literal["Pass", "Refine", "Replan"]
    text: str = ""
    cause: str = ""
    fixes: tuple[SubGoal, ...] = ()


def fix_of(cause: str, subgoal: SubGoal, context: Context) -> SubGoal | None:
    """Return the sub-goal that removes a cause of failure, or None if the cause is absent.

    Args:
        cause: One of :data:`CAUSES`.
        subgoal: The sub-goal that failed.
        context: The state of the agent.
    """
    roles = dict(CAUSES)[cause]
    target = context.target(subgoal)
    if roles and subgoal.role not in roles:
        return None
    # Causes that concern only the hand or the agent come first, as they need no target.
    held_object = context.held
    if cause == "no_tool" and not _is_knife(held_object):
        return SubGoal("pick", ObjectReference.of(*_KNIVES), fix=cause)
    if cause == "seated" and context.skills.of("standup"):
        return SubGoal("standup", fix=cause, once=True)
    if cause in ("no_tool", "seated"):
        return None
    if target is None:
        return None
    if cause in ("hand_full", "in_hand"):
        # The hand is full of something else, or the target itself is in it.
        actual_cause = "in_hand" if held_object is target else "hand_full"
        if held_object is None or cause != actual_cause:
            return None
        return laid_down(held_object, context)
    mending_step = _mending_step(cause, subgoal, target, context)
    if mending_step is None:
        return None
    role, object_record = mending_step
    return SubGoal(role, ObjectReference(name=object_record.name), fix=cause)


def _mending_step(
    cause: str, subgoal: SubGoal, target: ObjectRecord, context: Context
) -> tuple[str, ObjectRecord] | None:
    """Return the role and object of the action that removes a cause, or None.

    Args:
        cause: One of :data:`CAUSES` that concerns the target.
        subgoal: The sub-goal that failed.
        target: The object on which the action of the sub-goal was tried.
        context: The state of the agent.
    """
    if cause == "shut_in":
        return _opening_step(target, context)
    if cause == "hand_empty":
        object_record = context.bind(subgoal.what)
        if object_record is None or object_record.held:
            return None
        return "pick", object_record
    if cause == "no_surface":
        if target.held or target.place:
            return None
        return "pick", target
    if cause == "far":
        if target.held:
            return None
        return "goto", target
    state, value, role = _STATES[cause]
    if target.words.get(state) is not value:
        return None  # the state is right already, so it was not the cause
    return role, target


def _opening_step(target: ObjectRecord, context: Context) -> tuple[str, ObjectRecord] | None:
    """Return the role "open" with the innermost closed container, or None."""
    for inner, outer in pairwise((target, *context.memory.around(target))):
        # Objects on top of a closed container can be reached.
        if outer.words.get("open") is False and inner.relation != "on":
            return "open", outer
    return None


def _is_knife(held: ObjectRecord | None) -> bool:
    """Return whether the held object is a knife."""
    return held is not None and held.kinds[0] in map(str.lower, _KNIVES)


class Critic:
    """Reviews failed sub-goals, and remembers which fixes helped.

    Attributes:
        pool: Role of a sub-goal to the cause whose fix helped last (the pool of failures).
    """

    def __init__(self) -> None:
        self.pool: dict[str, str] = {}

    def __call__(self, subgoal: SubGoal, context: Context) -> Directive:
        """Return how to continue after a sub-goal's action failed or had no effect."""
        if len(context.tried) >= MOST_REFINED:
            return Directive("Replan", f"{subgoal} was refined {MOST_REFINED} times in vain")
        # The cause that was right for this role comes first.
        likely_cause = self.pool.get(subgoal.role)
        causes = sorted([cause for cause, _ in CAUSES], key=lambda cause: cause != likely_cause)
        for cause in causes:
            if cause in context.tried:
                continue
            fix = fix_of(cause, subgoal, context)
            if fix is not None:
                text = f"{subgoal} failed: {knowledge()['causes'][cause]}; {fix} first"
                return Directive("Refine", text, cause, (fix,))
        return Directive("Replan", f"{subgoal} failed, and nothing says why")

    def confirm(self, sub: SubGoal, cause: str) -> None:
        """Remember that a fix helped: the action was done after it."""
        self.pool[sub.role] = cause
