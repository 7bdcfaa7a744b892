"""Judging subgoal decomposition in the VirtualHome world, under any set of quirks."""

from __future__ import annotations

from dataclasses import replace

from eai.abilities.action_sequencing import unread
from eai.abilities.answers import BoundPlan
from eai.abilities.subgoal_decomposition import judge_bound_subgoals
from eai.abilities.subgoals import bind_subgoals
from eai.abilities.subgoals.branch import Branch
from eai.abilities.subgoals.choice import best_judgement, pieces
from eai.abilities.subgoals.reader import SubgoalReading, read_subgoals, reading_of
from eai.diagnosis.goals import condition_of, goal_conditions, unmet_goals
from eai.diagnosis.judgement import Condition, Finding, Judgement
from eai.diagnosis.runtime import Run
from eai.diagnosis.taxonomy import ErrorKind
from eai.semantics import Semantics
from eai.suites.virtualhome.plans import simulator
from eai.suites.virtualhome.subgoal_branches import Branches, UnparseableError
from eai.suites.virtualhome.subgoal_reader import (
    official_entries,
    official_literals,
    subgoal_vocabulary,
)
from eai.task import Task
from eai.world.trajectory import Trajectory

__all__ = ["judge_subgoals"]


def judge_subgoals(task: Task, answer: str | None, semantics: Semantics) -> Judgement:
    """Judge an answer to subgoal decomposition (see :class:`eai.contract.Ability`)."""
    if not task.goal.actions and not any(task.goal.final):
        return Judgement("excluded", notes=("the task has no goal and is left out",))
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return replace(_grammar(finding, task), status="missing")
    reading = _read(answer, semantics)
    if "subgoal_templates" not in semantics:
        bound = bind_subgoals(reading, subgoal_vocabulary(task, semantics))
        return judge_bound_subgoals(bound, task, simulator(semantics), budget=semantics.budget)
    if reading.problems:
        return _grammar(Finding(ErrorKind.PARSING, reading.problems[0].message), task)
    entries = [subgoal.text for subgoal in reading.subgoals]
    drawn = "subgoal_alternative_drawn" in semantics
    choices = pieces(entries, first_only=drawn)
    return best_judgement(_expanded(choice, task, semantics) for choice in choices)


def _read(answer: str, semantics: Semantics) -> SubgoalReading:
    if "subgoal_pattern_reader" not in semantics:
        return read_subgoals(answer)
    return reading_of(official_entries(answer))


def _expanded(entries: tuple[str, ...], task: Task, semantics: Semantics) -> Judgement:
    """The judgement on subgoals that are expanded by templates."""
    literals = official_literals(entries, task, semantics)
    if isinstance(literals, Finding):
        return _grammar(literals, task)
    world = simulator(semantics)
    demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
    start = Run(world.world, task.start, task.agent, demanded=demanded)
    branches = Branches(start, world.rules, task)
    try:
        for literal in literals:
            branches.follow(literal)
    except UnparseableError as error:
        return _grammar(Finding(ErrorKind.PARSING, str(error)), task)
    branch, holds = branches.best()
    return _judged(branch, task, semantics, holds=holds)


def _judged(branch: Branch, task: Task, semantics: Semantics, *, holds: bool) -> Judgement:
    trajectory = branch.run.trajectory
    goals = _conditions(task, trajectory, semantics)
    met = holds if "success_by_formula" in semantics else all(goal.met for goal in goals)
    return Judgement(
        "judged",
        success=met and branch.alive,
        executable=branch.alive,
        plan=tuple(map(str, branch.actions)),
        executed=tuple(branch.outcomes),
        findings=(
            *_counted(branch, semantics, solved=met),
            *unmet_goals(goals, trajectory),
        ),
        goals=goals,
        formula=task.goal.text,
        formula_holds=holds,
    )


def _counted(branch: Branch, semantics: Semantics, *, solved: bool) -> tuple[Finding, ...]:
    if "additional_uncounted_if_unsolved" not in semantics or solved or not branch.alive:
        return tuple(branch.findings)
    return tuple(replace(finding, times=0) for finding in branch.findings)


def _conditions(task: Task, trajectory: Trajectory, semantics: Semantics) -> tuple[Condition, ...]:
    if "action_goals_anywhere" not in semantics:
        return goal_conditions(task.goal, trajectory)
    final = (condition_of(kind, formula, trajectory) for kind, formula in task.goal.final[0])
    conditions, broken = list(final), False
    for goal in task.goal.actions:
        done = [step.number for step in trajectory.steps if step.action.name in goal.names]
        broken = broken or not done
        since = None if broken else done[-1]
        conditions.append(Condition("action", str(goal), not broken, since=since))
    return tuple(conditions)


def _grammar(finding: Finding, task: Task) -> Judgement:
    return unread(BoundPlan((), (finding,), ()), task)
