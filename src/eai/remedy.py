"""The least repair of a task's plan: what would have made it work."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from eai.abilities.action_sequencing import Scorer, judge_plan
from eai.abilities.answers import BoundPlan
from eai.diagnosis.runtime import DomainRules, Rules
from eai.errors import SimulationError
from eai.pddl.model import Domain
from eai.planning.repair import Repair, RepairBounds, Target, least_repair
from eai.semantics import Semantics
from eai.simulators.base import Simulator
from eai.steps import PlanLike, checked_task, readable, steps_of
from eai.task import Task
from eai.world.action import Action
from eai.world.transition import World

__all__ = ["readable", "repair", "target_of"]


def repair(
    task: Task,
    plan: PlanLike,
    *,
    simulator: Simulator | None = None,
    bounds: RepairBounds | None = None,
) -> Repair:
    """Find the fewest edits that make a plan executable and its goal true, under ``strict``.

    The repaired plan is run again and judged before it is returned. Of a task from an official
    release the conditions of the goal and its actions count, as they do in judging; of any other
    task the goal formula has to hold on the trajectory, too.

    Args:
        task: The task; its reference plans are used where the search ends at its bounds.
        plan: The steps, their texts, an answer from which they are read, or a record or judgement
            whose plan is meant. Steps with names that do not exist, or with a wrong number of
            objects, are taken out or replaced.
        simulator: Where plans are run; by default the one of the task's domain.
        bounds: How far to search.

    Returns:
        The edits, the repaired plan, and what was proved about them.

    Raises:
        InputError: If there is no task or no plan to be read in what is given, or the goal has
            unknown names or is too large.
        SimulationError: If a repaired plan does not pass the judge.
    """
    task = checked_task(task)
    chosen = simulator or _simulator(task.start.layout.domain)
    found = least_repair(
        chosen.world,
        task.start,
        steps_of(task, plan),
        target_of(task),
        agent=task.agent,
        references=task.plans,
        bounds=bounds,
    )
    if found.repaired is not None:
        _check(found.repaired, task, chosen)
    return found


def target_of(task: Task) -> Target:
    """Return what a plan of a task has to reach.

    Args:
        task: The task.
    """
    goal = task.goal
    return Target(
        tuple(tuple(condition for _, condition in option) for option in goal.final),
        tuple(each.names for each in goal.actions),
        None if "release" in task.metadata else goal.formula,
    )


def _check(plan: tuple[Action, ...], task: Task, simulator: Simulator) -> None:
    judgement = judge_plan(BoundPlan(plan, (), ()), task, simulator, score=_scorer(task))
    missed = "release" not in task.metadata and judgement.formula_holds is False
    if missed or not judgement.success:
        raise SimulationError(
            f"the repair of a plan of task {task.id} does not pass the judge",
            where="; ".join(finding.message for finding in judgement.findings),
            mend="report this, with the task and the plan",
        )


def _scorer(task: Task) -> Scorer | None:
    """How the conditions of a task's goal are judged; None for the usual way."""
    if task.start.layout.domain.name != "behavior":
        return None
    from eai.suites.behavior.scoring import score_goal

    return partial(score_goal, semantics=Semantics("strict"))


def _simulator(domain: Domain) -> Simulator:
    """The simulator of a domain."""
    if domain.name == "virtualhome":
        from eai.simulators.virtualhome import VirtualHomeSimulator

        return VirtualHomeSimulator()
    if domain.name == "behavior":
        from eai.simulators.behavior import BehaviorSimulator

        return BehaviorSimulator()
    return _Symbolic(World(domain), DomainRules())


@dataclass(frozen=True)
class _Symbolic:
    """A world as its domain describes it."""

    world: World
    rules: Rules
