"""Subgoal decomposition: subgoals become actions, which are evaluated by the goal (section 2.4).

The metrics are those of action sequencing. Of all ways through the subgoals the first one that
solves the task counts, else the one that meets the most goal conditions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from eai.abilities.action_sequencing import Scorer, unread
from eai.abilities.subgoals import BoundSubgoals
from eai.abilities.subgoals.choice import best_result
from eai.abilities.subgoals.search import Branch, Pursuit, pursue
from eai.answers import BoundPlan
from eai.budget import BeyondBudgetError, Budget
from eai.diagnosis.goals import goal_conditions, unmet_goals
from eai.diagnosis.result import Condition, Finding, Result
from eai.diagnosis.runtime import Run
from eai.diagnosis.taxonomy import ErrorKind
from eai.logic import evaluate
from eai.simulators.base import Execution, Simulator
from eai.task import Task

__all__ = ["evaluate_bound_subgoals"]


def evaluate_bound_subgoals(
    subgoals: BoundSubgoals,
    task: Task,
    simulator: Simulator,
    *,
    score: Scorer | None = None,
    budget: Budget | None = None,
) -> Result:
    """Evaluate subgoals that were read out of an answer.

    Args:
        subgoals: The subgoals, with the grammar errors that were found in them.
        task: The task.
        simulator: Where actions are searched and run.
        score: How goal conditions are evaluated; by default on the final state, as the paper says.
        budget: What the search may use.

    Returns:
        The result on the best way through the subgoals. Its outcome is ``"reached"`` if all
        subgoals were, ``"unreachable"`` if one cannot be, ``"bound"`` if the search for one ended
        before that was known, and ``"beyond the budget"`` if the budget was used up before any
        way was followed to its end.
    """
    if subgoals.findings:
        plan = BoundPlan((), subgoals.findings, subgoals.notes, subgoals.written)
        return unread(plan, task)
    demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
    start = Branch(Run(simulator.world, task.start, task.agent, demanded=demanded))
    meter = (budget or Budget()).meter()
    pursuits = pursue(start, subgoals.subgoals, simulator.rules, meter=meter)
    return best_result(_evaluated(pursuits, subgoals, task, score or _final))


def _final(task: Task, execution: Execution) -> tuple[Condition, ...]:
    return goal_conditions(task.goal, execution.trajectory)


def _evaluated(
    pursuits: Iterator[Pursuit], subgoals: BoundSubgoals, task: Task, score: Scorer
) -> Iterator[Result]:
    evaluated = False
    try:
        for pursuit in pursuits:
            yield _result(pursuit, subgoals, task, score)
            evaluated = True
    except BeyondBudgetError as error:
        # What is left are other ways than those that were followed; they count.
        if not evaluated:
            finding = Finding(ErrorKind.BEYOND_BUDGET, f"beyond the budget: {error}")
            plan = BoundPlan((), (finding,), subgoals.notes, subgoals.written)
            yield replace(unread(plan, task), outcome="beyond the budget")


def _result(pursuit: Pursuit, subgoals: BoundSubgoals, task: Task, score: Scorer) -> Result:
    branch = pursuit.branch
    goals = score(task, branch.execution)
    formula = task.goal.formula
    holds = None if formula is None else evaluate(formula, branch.run.trajectory).holds
    stopped = () if pursuit.stopped is None else (pursuit.stopped,)
    return Result(
        "evaluated",
        success=not pursuit.ended and all(goal.met for goal in goals) and holds is not False,
        executable=not pursuit.ended,
        plan=tuple(map(str, branch.actions)),
        executed=tuple(branch.outcomes),
        findings=(
            *branch.findings,
            *stopped,
            *unmet_goals(goals, branch.run.trajectory),
        ),
        goals=goals,
        formula=task.goal.text,
        formula_holds=holds,
        notes=(*subgoals.notes, *_notes(pursuit, subgoals)),
        outcome=_outcome(pursuit),
    )


def _outcome(pursuit: Pursuit) -> str:
    if pursuit.bound:
        return "bound"
    return "unreachable" if pursuit.stopped else "reached"


def _notes(pursuit: Pursuit, subgoals: BoundSubgoals) -> Iterator[str]:
    texts = [subgoal.text for subgoal in subgoals.subgoals]
    if pursuit.bound:
        text = texts[pursuit.reached]
        yield f"the search for {text} ended at its bound of {pursuit.bound}"
    if pursuit.reached < len(texts):
        yield f"{pursuit.reached} of {len(texts)} subgoals were reached"
