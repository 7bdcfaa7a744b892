"""Critic: why an action failed, what mends it, and who has to think again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from eai.agents.holomind.executor import Context, SubGoal
from eai.agents.holomind.goals import Reference
from eai.agents.holomind.lowplanner import laid_down
from eai.agents.holomind.percepts import knowledge
from eai.agents.holomind.spatial import Record

MOST_REFINED = 3
"""So often a sub-goal is refined before the low-level planner is asked again."""

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
"""What may be the case when a sub-goal of some roles (or any) fails, in the order of asking."""

_STATES = {
    "closed": ("open", False, "open"),
    "ajar": ("open", True, "close"),
    "running": ("on", True, "off"),
    "unplugged": ("plugged in", False, "plugin"),
}
_KNIVES = ("Knife", "ButterKnife")


@dataclass(frozen=True, slots=True)
class Directive:
    """What the Critic says.

    Args:
        kind: ``"Pass"``: go on; ``"Refine"``: do the fixes and try again; ``"Replan"``: let a
            planner decide.
        text: Why, as a sentence.
        cause: What is the case, by which a rule is learned; empty if nobody knows.
        fixes: What is done before it is tried again.
    """

    kind: Literal["Pass", "Refine", "Replan"]
    text: str = ""
    cause: str = ""
    fixes: tuple[SubGoal, ...] = ()


def fix_of(cause: str, sub: SubGoal, context: Context) -> SubGoal | None:
    """What mends a cause for a sub-goal; None if the cause is not the case."""
    roles, target = dict(CAUSES)[cause], context.target(sub)
    if roles and sub.role not in roles:
        return None
    if cause == "no_tool":
        held = context.held
        armed = held is not None and held.kinds[0] in map(str.lower, _KNIVES)
        return None if armed else SubGoal("pick", Reference.of(*_KNIVES), fix=cause)
    if cause == "seated":
        return SubGoal("standup", fix=cause, once=True) if context.skills.of("standup") else None
    if target is None:
        return None
    if cause in ("hand_full", "in_hand"):
        held = context.held
        freed = held is not None and (held is target) == (cause == "in_hand")
        return laid_down(held, context) if held is not None and freed else None
    role, about = _mend(cause, sub, target, context)
    return SubGoal(role, Reference(name=about.name), fix=cause) if role else None


def _mend(cause: str, sub: SubGoal, target: Record, context: Context) -> tuple[str, Record]:
    """What is done with which object; nothing if the cause is not the case."""
    if cause == "shut_in":
        for one, around in pairwise((target, *context.memory.around(target))):
            if around.words.get("open") is False and one.relation != "on":
                return "open", around
        return "", target
    if cause == "hand_empty":
        what = context.bind(sub.what)
        return ("", target) if what is None or what.held else ("pick", what)
    if cause in ("no_surface", "far"):
        free = not target.held and not (target.place and cause == "no_surface")
        return ("pick" if cause == "no_surface" else "goto") * free, target
    word, value, mend = _STATES[cause]
    return mend * (target.words.get(word) is value), target


class Critic:
    """Reviews what failed; it remembers which fix helped (the pool of failures)."""

    def __init__(self) -> None:
        self.pool: dict[str, str] = {}

    def __call__(self, sub: SubGoal, context: Context) -> Directive:
        """Say what to do about a sub-goal whose action failed, or had no effect."""
        if len(context.tried) >= MOST_REFINED:
            return Directive("Replan", f"{sub} was refined {MOST_REFINED} times in vain")
        known = self.pool.get(sub.role)
        for cause, _ in sorted(CAUSES, key=lambda each: each[0] != known):
            fix = None if cause in context.tried else fix_of(cause, sub, context)
            if fix is not None:
                text = f"{sub} failed: {knowledge()['causes'][cause]}; {fix} first"
                return Directive("Refine", text, cause, (fix,))
        return Directive("Replan", f"{sub} failed, and nothing says why")

    def confirm(self, sub: SubGoal, cause: str) -> None:
        """Remember that a fix helped: the action was done after it."""
        self.pool[sub.role] = cause
