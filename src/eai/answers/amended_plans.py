"""Lists of steps that make one plan: one list for each actor, or a plan and its corrections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from eai.answers.candidate_plan import Plan
from eai.answers.choice import is_final, is_rejected
from eai.answers.surfaces import Surfaces, squeezed


def join_lists_of_actors(plans: Iterable[Plan]) -> list[Plan]:
    """Return plans in which two successive lists of one actor each are one plan.

    Their steps are taken in turns, as the actors act at the same time.
    """
    joined_plans: list[Plan] = []
    for plan in plans:
        plan_before = joined_plans[-1] if joined_plans else None
        if plan_before is None or not _are_of_two_actors(plan_before, plan):
            joined_plans.append(plan)
            continue
        numbered_steps = [*enumerate(plan_before.items), *enumerate(plan.items)]
        # One step at a time of each actor, the first actor first.
        numbered_steps.sort(key=lambda item: item[0])
        plan_before.items = [step for _, step in numbered_steps]
        plan_before.end = plan.end
        plan_before.unread += plan.unread
    return joined_plans


def _are_of_two_actors(plan_before: Plan, plan: Plan) -> bool:
    """Whether two plans have one actor each, and not the same one.

    False if the second plan is presented as final or rejected: then it is another candidate.
    """
    actors_before = {step.actor for step in plan_before.items}
    actors = {step.actor for step in plan.items}
    if len(actors) != 1 or len(actors_before) != 1:
        return False
    if actors == actors_before or "" in actors | actors_before:
        return False
    return not (is_final(plan.frame) or is_rejected(plan.frame))


def with_replaced_steps(plans: Sequence[Plan]) -> list[Plan]:
    """Return plans in which a step that the answer corrects is replaced by its correction.

    The correction is a plan of one step behind words such as "Step 3 should be:".
    """
    remaining_plans: list[Plan] = []
    for plan in plans:
        plan_before = remaining_plans[-1] if remaining_plans else None
        index = plan.replaces - 1
        if plan_before is None or len(plan.items) != 1 or not 0 <= index < len(plan_before.items):
            remaining_plans.append(plan)
            continue
        correction = plan.items[0]
        correction.number = plan_before.items[index].number
        plan_before.items[index] = correction
        plan_before.notes[f"replaced as the answer says: step {plan.replaces}"] = None
        plan_before.remark = ""
        plan_before.end = plan.end
    return remaining_plans


_AGENTS = frozenset(["agent", "bot", "env", "robot", "self"])
"""Names that a program gives to whoever acts."""
_NAME_OF_AGENT = re.compile(r"[^\W\d]\w*(?:\[\d{1,3}\])?")
"""The name of a variable, perhaps with an index: ``robots[0]``."""


def leave_out_agent(plan: Plan, surfaces: Surfaces | None) -> None:
    """Leave out the first argument of all calls if it says who acts: ``walk(bot, "hall")``.

    An agent is the same in all calls, is no object of the task, and is one argument more than the
    action takes. In a plan of one step it has to be a word for an agent, such as ``robot``.

    Args:
        plan: The plan, which is changed.
        surfaces: The names of the task; None if any name may be that of an action.
    """
    if surfaces is None or not plan.items or not plan.items[0].arguments:
        return
    agent = plan.items[0].arguments[0]
    if squeezed(agent) in surfaces.objects or not _NAME_OF_AGENT.fullmatch(agent):
        return
    if len(plan.items) < 2 and agent.lower() not in _AGENTS:
        return
    for step in plan.items:
        is_call = step.is_known and step.form in ("call", "pddl") and step.arguments[:1] == [agent]
        if not is_call or not 0 <= step.max_objects < len(step.arguments):
            return
    for step in plan.items:
        del step.arguments[0]
    plan.notes[f"'{agent}' was read as the agent"] = None
