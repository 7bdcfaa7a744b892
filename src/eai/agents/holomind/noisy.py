"""Modules that err with a rate, to show what a module is worth without asking a model."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from eai.agents.holomind import lowplanner
from eai.agents.holomind.critic import Critic, Directive
from eai.agents.holomind.executor import Context, SubGoal, translate
from eai.agents.holomind.goals import Goal, Reference
from eai.agents.holomind.highplanner import read_goals
from eai.agents.holomind.spatial import Record, fits
from eai.world import Action


def noisy_modules(
    rate: float, *, names: Sequence[str], seed: int | str = 0
) -> dict[str, Callable[..., Any]]:
    """Return modules for :class:`~eai.agents.holomind.HoloMind` that err now and then.

    The high-level planner leaves goals out; the low-level planner leaves the last step out; the
    executor acts on something else; the Critic says to go on; the memory takes one look-alike for
    another.

    Args:
        rate: How likely each decision is wrong, from 0 to 1.
        names: The modules that err.
        seed: With the same seed they err in the same decisions.
    """
    dice = {name: random.Random(f"{seed}/{name}") for name in names}  # noqa: S311
    critic = Critic()

    def high(task: str, context: Context) -> list[Goal]:
        return [g for g in read_goals(task, context) if dice["highplanner"].random() >= rate]

    def low(goal: Goal, context: Context) -> list[SubGoal]:
        steps = lowplanner.plan(goal, context)
        return steps[:-1] if dice["lowplanner"].random() < rate else steps

    def execute(sub: SubGoal, context: Context) -> list[Action]:
        actions = translate(sub, context)
        if actions and actions[-1].arguments and dice["executor"].random() < rate:
            other = dice["executor"].choice(sorted(context.memory.records))
            wrong = (*actions[-1].arguments[:-1], context.memory.records[other].name)
            return [*actions[:-1], Action(actions[-1].name, wrong)]
        return actions

    def review(sub: SubGoal, context: Context) -> Directive:
        wrong = dice["critic"].random() < rate
        return Directive("Pass", "(noise)") if wrong else critic(sub, context)

    def verify(query: Reference, record: Record) -> bool:
        alike = Reference(query.kinds or record.kinds)
        return fits(alike if dice["memory"].random() < rate else query, record)

    modules: dict[str, Callable[..., Any]] = {
        "highplanner": high,
        "lowplanner": low,
        "executor": execute,
        "critic": review,
        "memory": verify,
    }
    return {name: modules[name] for name in names}
