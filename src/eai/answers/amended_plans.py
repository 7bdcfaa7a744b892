"""Lists of steps that make one plan: one list for each actor, or a plan and its corrections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from eai.answers.candidate_plan import Plan
from eai.answers.choice import is_final, is_rejected
from eai.answers.items import Step
from eai.answers.step_edits import labels_correction, names_step
from eai.answers.surfaces import Surfaces, squeezed
from eai.answers.values import Text


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

    The correction is a plan of one step behind words such as "Step 3 should be:", or steps behind
    "Correction:" with the numbers of those that they replace. If it is not sure which steps are
    replaced, the correction becomes an unread text of the plan.
    """
    remaining_plans: list[Plan] = []
    for plan in plans:
        plan_before = remaining_plans[-1] if remaining_plans else None
        indices = [] if plan_before is None else _indices_replaced(plan, plan_before)
        if plan_before is None or not indices:
            remaining_plans.append(plan)
            continue
        if _UNSURE in indices:
            first_step = plan.items[0]
            plan_before.unread.append(Text(str(first_step.as_read()), first_step.at, plan.end))
        else:
            _replace_steps(plan_before, plan.items, indices)
        if is_rejected(plan_before.frame):
            plan_before.frame = ""  # a draft with its corrections is none
        plan_before.remark = ""
        plan_before.end = plan.end
        plan_before.unread += plan.unread
    return remaining_plans


_UNSURE = -1
"""In place of the index of a step that is replaced, if it is not sure which one is."""


def _indices_replaced(plan: Plan, plan_before: Plan) -> list[int]:
    """Return the index of the step that each step of a plan replaces in the plan before it.

    The list is empty if the plan is no correction of steps. Several steps from the first one on may
    be a whole plan, so these replace none.
    """
    numbers = [step.number for step in plan.items if step.number is not None]
    if len(plan.items) == 1 and 0 < plan.replaces <= len(plan_before.items):
        # A list of corrections may begin with 1; any other number contradicts the words.
        is_consistent = not numbers or numbers[0] in (1, plan.replaces)
        return [plan.replaces - 1 if is_consistent else _UNSURE]
    is_marked = bool(numbers) and plan.items[0].is_correction
    is_correction = is_marked or labels_correction(plan.frame)
    if not is_correction or len(plan_before.items) < 2:
        return []
    if not numbers:
        # A single step may be the whole plan, as a value surely is.
        return [_UNSURE] if len(plan.items) == 1 and not plan.is_formal else []
    is_of_steps = is_marked or names_step(plan.frame)
    if numbers[0] <= 1 < len(numbers):
        is_part = is_of_steps and len(numbers) < len(plan_before.items)
        # Below a draft, they are the whole plan.
        is_part = is_part and not is_rejected(plan_before.frame)
        return [_UNSURE] if is_part else []
    # "Correction:" above a single step with the number 1 may head a whole plan of one step.
    if len(numbers) < len(plan.items) or (numbers == [1] and not is_of_steps):
        return [_UNSURE]
    return _indices_of_numbers(numbers, plan_before)


def _indices_of_numbers(numbers: Sequence[int], plan: Plan) -> list[int]:
    """Return the indices of the steps of a plan with some numbers; :data:`_UNSURE` if it has none.

    Steps without numbers are counted. The number behind the last one is that of a further step.
    """
    numbers_before = [step.number for step in plan.items]
    if not plan.numbers:
        numbers_before = list(range(1, len(plan.items) + 1))
    indices: list[int] = []
    for number in numbers:
        if indices and number == (numbers_before[-1] or 0) + 1:
            numbers_before.append(number)
        # In a plan of several parts, two steps may have one number.
        is_sure = numbers_before.count(number) == 1
        indices.append(numbers_before.index(number) if is_sure else _UNSURE)
    return indices


def _replace_steps(plan: Plan, corrections: Sequence[Step], indices: Sequence[int]) -> None:
    """Put corrections in the places of steps of a plan, or behind its last step; note it."""
    for index, correction in zip(indices, corrections, strict=True):
        if index == len(plan.items):
            plan.add_steps([correction])
            continue
        correction.number = plan.items[index].number
        plan.items[index] = correction
        plan.notes[f"replaced as the answer says: step {index + 1}"] = None


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
