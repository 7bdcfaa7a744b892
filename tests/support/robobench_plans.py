"""Gold plans of RoboBench that are made at random, and what is done to them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from eai.suites.robobench.plans import Step
from eai.suites.robobench.score import Milestone
from eai.world import Trajectory

FRUIT = ("apple", "pear", "lemon", "peach", "grape")
PLACES = ("plate", "tray", "basket")
FIGURE_6 = (
    "1-move_to(none, carrot), 2-pick_up(carrot), 3-place(carrot, plate), "
    "4-move_to(none, strawberry), 5-pick_up(strawberry), 6-place(strawberry, plate)"
)


Call = tuple[str, tuple[str, ...]]


def chains(seed: int) -> list[list[Call]]:
    """What is done with each thing: put somewhere, into a drawer, cut, and a switch pressed."""
    dice = random.Random(seed)
    found = list[list[Call]]()
    for fruit in dice.sample(FRUIT, dice.randint(1, 3)):
        kind, calls = dice.randrange(4), list[Call]()
        if kind == 0:
            calls.append(("move_to", ("none", fruit)))
        if kind == 1:
            drawer = f"{fruit}_drawer"
            calls += [("pull", (drawer, "open")), ("pick_up", (fruit,))]
            calls += [("place", (fruit, drawer)), ("push", (drawer, "close"))]
        else:
            calls += [("pick_up", (fruit,)), ("place", (fruit, dice.choice(PLACES)))]
        if kind == 2:
            calls.append(("press", ("none", f"{fruit}_button")))
        if kind == 3:
            calls += [("pick_up", ("knife",)), ("cut", ("knife", fruit, "board"))]
            calls.append(("place", ("knife", "rack")))
        found.append(calls)
    return found


def gold_plan(seed: int) -> list[Step]:
    """A household plan that works."""
    return numbered([call for chain in chains(seed) for call in chain])


def numbered(calls: Sequence[tuple[str, tuple[str, ...]] | Step]) -> list[Step]:
    parts = [(c.skill, c.arguments) if isinstance(c, Step) else c for c in calls]
    return [Step(i, skill, arguments) for i, (skill, arguments) in enumerate(parts, start=1)]


def disturbed(gold: Sequence[Step], seed: int) -> list[Step]:
    """A plan that does some of it, in some order, and other things."""
    dice = random.Random(seed)
    steps = [step for step in gold if dice.random() < 0.8]
    if dice.random() < 0.5 and steps:
        at, to = dice.randrange(len(steps)), dice.randrange(len(steps))
        steps.insert(to, steps.pop(at))
    if dice.random() < 0.5:
        steps.insert(dice.randint(0, len(steps)), dice.choice(gold))
    return numbered(steps)


def text_of(steps: Sequence[Step]) -> str:
    """A plan as answers have it: a number for each line, which may hold a step of each arm."""
    parts, last = [], 0
    for step in steps:
        parts.append(str(step) if step.number == last else f"{step.number}-{step}")
        last = step.number
    return ", ".join(parts)


def reached_directly(milestone: Milestone, trajectory: Trajectory) -> bool:
    """Whether a milestone is reached, looked up in the states one by one."""
    holds, states = trajectory.world.holds, [state.copy() for state in trajectory.states()]
    truth = [holds(state, milestone.state) for state in states]
    again = milestone.event is not milestone.state  # it has to become true anew
    event = [now and not (again and all(truth[: i + 1])) for i, now in enumerate(truth)]
    if milestone.lasting:
        return event[-1]
    held = milestone.formula.operands[0]
    if held is milestone.event:
        return any(event)
    sign = held.operands[-1].operands[-1]
    for begin in range(len(states)):
        for now, state in zip(event[begin:], states[begin:], strict=True):
            if event[begin] and holds(state, sign):
                return True
            if not now:
                break
        else:
            return True
    return False
