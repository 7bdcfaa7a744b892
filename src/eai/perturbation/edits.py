"""The edits by which a plan is made wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from eai.perturbation.faults import Fault
from eai.planning.ordering.dice import Dice
from eai.task import Task
from eai.world.action import Action

__all__ = ["edited", "torn"]

_Plan = tuple[Action, ...]

_VERBS = ("teleport", "vacuum", "photograph", "assemble", "measure", "paint", "juggle", "weld")
_NOUNS = ("hammock", "trampoline", "aquarium", "lawnmower", "harmonica", "telescope", "anvil")
_ID = re.compile(r"(.*[._])(\d+)")


def edited(edit: str, plan: _Plan, task: Task, dice: Dice) -> Fault | None:
    """Make a plan wrong in a random place.

    Args:
        edit: What is done: any key of :data:`~eai.perturbation.faults.EDITS` but
            ``"break_text"``, which is about texts.
        plan: The plan.
        task: What it is for: its vocabulary says what there is to choose from.
        dice: Chooses.

    Returns:
        The wrong plan; None if the edit cannot be made, or changes nothing, where the dice fell.
    """
    if edit != "insert" and not plan:
        return None
    fault = _EDITS[edit](plan, task, dice)
    return None if fault is None or fault.plan == plan else fault


def torn(text: str, dice: Dice) -> str:
    """Cut the end of an answer off, in the middle of the plan."""
    return text[: len(text) // 4 + dice.below(max(len(text) // 2, 1))]


def _drop(plan: _Plan, task: Task, dice: Dice) -> Fault:
    del task
    at = dice.below(len(plan))
    change = f"step {at + 1}, {plan[at]}, left out"
    return Fault("drop", plan[:at] + plan[at + 1 :], change, at + 1)


def _move(plan: _Plan, task: Task, dice: Dice) -> Fault:
    del task
    at, to = dice.below(len(plan)), dice.below(len(plan))
    rest = plan[:at] + plan[at + 1 :]
    change = f"step {at + 1}, {plan[at]}, moved to place {to + 1}"
    return Fault("move", (*rest[:to], plan[at], *rest[to:]), change, at + 1, to + 1)


def _swap(plan: _Plan, task: Task, dice: Dice) -> Fault:
    del task
    one, other = sorted((dice.below(len(plan)), dice.below(len(plan))))
    wrong = list(plan)
    wrong[one], wrong[other] = wrong[other], wrong[one]
    change = f"steps {one + 1}, {plan[one]}, and {other + 1}, {plan[other]}, exchanged"
    return Fault("swap", tuple(wrong), change, one + 1, one + 1)


def _duplicate(plan: _Plan, task: Task, dice: Dice) -> Fault:
    del task
    at = dice.below(len(plan))
    change = f"step {at + 1}, {plan[at]}, done twice"
    return Fault("duplicate", (*plan[: at + 1], *plan[at:]), change, at + 1, at + 2)


def _insert(plan: _Plan, task: Task, dice: Dice) -> Fault:
    at = dice.below(len(plan) + 1)
    name = dice.choice(sorted(task.vocabulary.actions))
    objects = sorted(task.vocabulary.objects)
    count = task.vocabulary.actions[name] if objects else 0
    new = Action(name, tuple([dice.choice(objects) for _ in range(count)]))
    change = f"{new} put in as step {at + 1}"
    return Fault("insert", (*plan[:at], new, *plan[at:]), change, None, at + 1)


def _replace(edit: str, plan: _Plan, at: int, new: Action) -> Fault:
    change = f"step {at + 1}, {plan[at]}, replaced by {new}"
    return Fault(edit, (*plan[:at], new, *plan[at + 1 :]), change, at + 1, at + 1)


def _with_object(plan: _Plan, dice: Dice, names: Sequence[str], edit: str) -> Fault | None:
    """Put another object into a step that has one."""
    having = [at for at, step in enumerate(plan) if step.arguments]
    if not having or not names:
        return None
    at = dice.choice(having)
    which = dice.below(len(plan[at].arguments))
    arguments = list(plan[at].arguments)
    arguments[which] = dice.choice(names)
    return _replace(edit, plan, at, replace(plan[at], arguments=tuple(arguments)))


def _replace_object(plan: _Plan, task: Task, dice: Dice) -> Fault | None:
    used = sorted({name for step in plan for name in step.arguments})
    every = sorted(task.vocabulary.objects)
    # Mixing up what the plan handles is the mistake that is made most and seen least.
    return _with_object(plan, dice, used if dice.below(2) else every, "replace_object")


def _hallucinate_object(plan: _Plan, task: Task, dice: Dice) -> Fault | None:
    known = task.start.universe.index
    numbered = [match for name in sorted(known) if (match := _ID.fullmatch(name))]
    mark = numbered[0][1][-1] if numbered else "_"
    number = max((int(match[2]) for match in numbered), default=0) + 1 + dice.below(9)
    invented = [f"{noun}{mark}{number}" for noun in _NOUNS]
    # An object that there is, under a number that there is not.
    invented += [f"{match[1]}{number}" for match in numbered if dice.below(len(numbered)) < 7]
    names = [name for name in invented if name not in known]
    return _with_object(plan, dice, names, "hallucinate_object")


def _replace_action(plan: _Plan, task: Task, dice: Dice) -> Fault | None:
    at = dice.below(len(plan))
    old, arity = plan[at], task.vocabulary.actions
    names = sorted(n for n in arity if arity[n] == len(old.arguments) and n != old.name)
    if not names:
        return None
    return _replace("replace_action", plan, at, replace(old, name=dice.choice(names)))


def _hallucinate_action(plan: _Plan, task: Task, dice: Dice) -> Fault:
    at = dice.below(len(plan))
    names = [verb for verb in _VERBS if verb not in task.vocabulary.actions]
    return _replace("hallucinate_action", plan, at, replace(plan[at], name=dice.choice(names)))


def _argument_number(plan: _Plan, task: Task, dice: Dice) -> Fault | None:
    at = dice.below(len(plan))
    arguments = plan[at].arguments
    if arguments and dice.below(2):
        wrong = arguments[:-1]
    elif task.vocabulary.objects:
        wrong = (*arguments, dice.choice(sorted(task.vocabulary.objects)))
    else:
        return None
    return _replace("argument_number", plan, at, replace(plan[at], arguments=wrong))


_EDITS: Mapping[str, Callable[[_Plan, Task, Dice], Fault | None]] = {
    "drop": _drop,
    "move": _move,
    "swap": _swap,
    "duplicate": _duplicate,
    "insert": _insert,
    "replace_object": _replace_object,
    "replace_action": _replace_action,
    "hallucinate_action": _hallucinate_action,
    "hallucinate_object": _hallucinate_object,
    "argument_number": _argument_number,
}
