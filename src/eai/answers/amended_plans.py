"""Plans that belong together or amend each other: those of two actors, and steps put in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eai.answers.candidate_plan import Plan
from eai.answers.choice import is_final, is_rejected
from eai.answers.surfaces import Surfaces, squeezed


def joined_actors(plans: Iterable[Plan]) -> list[Plan]:
    """Return plans; lists of one actor each, one behind the other, become one plan.

    Their steps are taken in turns, as the actors act at the same time.
    """
    joined: list[Plan] = []
    for plan in plans:
        before = joined[-1] if joined else None
        if before is None or not _are_of_two_actors(before, plan):
            joined.append(plan)
            continue
        in_turns = sorted(
            [*enumerate(before.items), *enumerate(plan.items)], key=lambda item: item[0]
        )
        before.items = [step for _, step in in_turns]
        before.end = plan.end
        before.unread += plan.unread
    return joined


def _are_of_two_actors(before: Plan, plan: Plan) -> bool:
    """Whether two plans are the steps of one actor each, and the second is no other candidate."""
    actors = {step.actor for step in plan.items}
    actors_before = {step.actor for step in before.items}
    if not len(actors) == len(actors_before) == 1 or actors == actors_before:
        return False
    if "" in actors | actors_before:
        return False
    return not (is_final(plan.frame) or is_rejected(plan.frame))


def with_replaced_steps(plans: Sequence[Plan]) -> list[Plan]:
    """Return plans in which the steps stand that the answer puts in the place of others."""
    kept: list[Plan] = []
    for plan in plans:
        before = kept[-1] if kept else None
        place = plan.replaces - 1
        if before is None or len(plan.items) != 1 or not 0 <= place < len(before.items):
            kept.append(plan)
            continue
        new = plan.items[0]
        new.number = before.items[place].number
        before.items[place] = new
        before.notes[f"replaced as the answer says: step {plan.replaces}"] = None
        before.remark, before.end = "", plan.end
    return kept


_AGENTS = frozenset(["agent", "bot", "env", "robot", "self"])
"""Names that a program gives to whoever acts."""


def leave_out_agent(plan: Plan, surfaces: Surfaces | None) -> None:
    """Leave out the first argument of all calls if it says who acts: ``walk(bot, "hall")``.

    It is the same in all of them, no object of the task, and one more than the action takes. Of
    one step alone it has to be a word for an agent.
    """
    if surfaces is None or not plan.items or not plan.items[0].arguments:
        return
    agent = plan.items[0].arguments[0]
    if squeezed(agent) in surfaces.objects or not agent.isidentifier():
        return
    if len(plan.items) < 2 and agent.lower() not in _AGENTS:
        return
    for step in plan.items:
        has_agent = step.is_known and step.form == "call" and step.arguments[:1] == [agent]
        if not has_agent or not 0 <= step.max_objects < len(step.arguments):
            return
    for step in plan.items:
        del step.arguments[0]
    plan.notes[f"'{agent}' was read as the agent"] = None
