"""Checks of a file of rules against a suite, before anybody's answers are evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from eai.budget import Budget
from eai.contract import execution_of, write_plan
from eai.diagnosis import formulas_for
from eai.errors import InputError
from eai.logic import (
    TRUE,
    And,
    Eventually,
    Exists,
    Forall,
    Formula,
    LogicVocabulary,
    Rule,
    Then,
    at_stake,
    contains,
    entails,
    evaluate,
    satisfiable,
)
from eai.pddl import Problem
from eai.planning import Outcome, safe_plan, smallest_conflict

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.task import Task
    from eai.world import Action


@dataclass
class TaskCheck:
    """Outcome of a check of rules in one task.

    Args:
        outcome: ``"reference"`` if a reference plan keeps all rules, ``"plan"`` if a safe plan was
            found, ``"none"`` if it is proved that there is none, ``"unknown"`` if a limit was
            reached, or why nothing was searched.
        plan: The safe plan.
        conflict: The fewest rules that cannot be kept together with the goal.
    """

    task: str
    outcome: str
    plan: tuple[Action, ...] = ()
    conflict: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    staked: tuple[str, ...] = ()


@dataclass
class RulesCheck:
    """Outcome of a check of a file of rules.

    Args:
        tasks: What was found in each task.
        applies: For each rule, the number of tasks that it applies in.
        staked: For each rule, the number of tasks in which a reference plan triggers it.
        pairs: Pairs of rules that contradict or imply each other, with the word for it.
    """

    tasks: list[TaskCheck] = field(default_factory=list)
    applies: dict[str, int] = field(default_factory=dict)
    staked: dict[str, int] = field(default_factory=dict)
    pairs: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def has_conflict(self) -> bool:
        """Whether the rules and the goal of some task, or two rules, cannot be kept together."""
        contradicts = any(word == "contradicts" for _, word, _ in self.pairs)
        return contradicts or any(task.outcome == "none" for task in self.tasks)

    def __str__(self) -> str:
        lines = []
        for name, number in self.applies.items():
            staked = self.staked[name]
            note = "" if staked else " (never at stake in a reference plan)"
            lines.append(f"{name}: applies in {number} tasks, at stake in {staked}{note}")
        lines += [f"{first} {word} {second}" for first, word, second in self.pairs]
        for task in self.tasks:
            if task.outcome == "reference":
                continue
            broken = f"; the reference plan breaks {', '.join(task.broken)}" if task.broken else ""
            if task.outcome == "none":
                with_goal = ", ".join(task.conflict) or "the goal alone"
                lines.append(f"{task.task}: no safe plan exists: {with_goal}{broken}")
            elif task.outcome == "plan":
                lines.append(f"{task.task}: a safe plan of {len(task.plan)} steps{broken}")
                lines += [f"  {step}" for step in task.plan]
            else:
                lines.append(f"{task.task}: {task.outcome}{broken}")
        safe = sum(task.outcome in ("reference", "plan") for task in self.tasks)
        lines.append(f"safe plans in {safe} of {len(self.tasks)} tasks")
        return "\n".join(lines)


def check_against(
    rules: Sequence[Rule], suite: Suite, task_ids: Sequence[str], budget: Budget
) -> RulesCheck:
    """Check rules against the tasks of a suite.

    Args:
        rules: The rules.
        suite: The suite.
        task_ids: The tasks.
        budget: Limits of each search for a safe plan.
    """
    check = RulesCheck()
    check.applies = {rule.name: 0 for rule in rules}
    check.staked = {rule.name: 0 for rule in rules}
    compared: set[tuple[str, str]] = set()
    for task_id in task_ids:
        task = suite.task(task_id)
        formulas = dict(formulas_for(task, task_id, rules))
        found = _in_task(suite, task, formulas, budget)
        check.tasks.append(found)
        for name in formulas:
            check.applies[name] += 1
        for name in found.staked:
            check.staked[name] += 1
        fresh = [pair for pair in combinations(formulas, 2) if pair not in compared]
        compared.update(fresh)
        check.pairs.extend(_related(fresh, formulas, task.logic_names()))
    return check


def _related(
    pairs: Sequence[tuple[str, str]], formulas: Mapping[str, Formula], names: LogicVocabulary
) -> Iterator[tuple[str, str, str]]:
    """Yield pairs of rules that contradict or imply each other, for any two objects of a type."""
    types = dict(names.objects) if isinstance(names.objects, Mapping) else {}
    kinds: dict[str, list[str]] = {}
    for name, kind in types.items():
        kinds.setdefault(kind, []).append(name)
    objects = {name: kind for kind, own in kinds.items() for name in own[:1]}
    for first, second in pairs:
        one, other = formulas[first], formulas[second]
        try:
            if not satisfiable(And.of([one, other]), objects=objects):
                yield first, "contradicts", second
            elif entails(one, other, objects=objects):
                yield first, "implies", second
            elif entails(other, one, objects=objects):
                yield second, "implies", first
        except InputError:
            continue  # too large to compare


def _in_task(
    suite: Suite, task: Task, formulas: Mapping[str, Formula], budget: Budget
) -> TaskCheck:
    """Check rules in one task."""
    broken: list[str] = []
    staked: set[str] = set()
    semantics = suite.semantics(suite.default_semantics)
    for steps in task.plans:
        execution = execution_of(suite, task, write_plan(suite, steps), semantics)
        if execution is None:
            continue
        trajectory = execution.trajectory
        staked.update(name for name, rule in formulas.items() if at_stake(rule, trajectory))
        broken = [name for name, rule in formulas.items() if not evaluate(rule, trajectory)]
        if not broken:
            return TaskCheck(task.id, "reference", steps, staked=tuple(staked))
    found = _searched(task, formulas, budget)
    found.broken, found.staked = tuple(broken), tuple(staked)
    return found


def _searched(task: Task, formulas: Mapping[str, Formula], budget: Budget) -> TaskCheck:
    """Search a safe plan, or the rules that are in its way."""
    goal = task.goal.formula
    if goal is None:
        return TaskCheck(task.id, "there is no goal")
    universe = task.start.universe
    objects = universe.objects
    is_path = goal.is_temporal or contains(goal, Then) or bool(task.goal.actions)
    if not is_path:
        conflict = _contradiction(goal, formulas, objects)
        if conflict:
            return TaskCheck(task.id, "none", conflict=conflict)
    problem = Problem(task.id, "", objects, tuple(task.start.atoms()), TRUE if is_path else goal)
    domain = task.start.layout.domain
    rules = list(formulas.values())
    if is_path:
        rules.append(goal)
    try:
        found = safe_plan(domain, problem, rules, agent=task.agent, budget=budget)
    except InputError as error:
        return TaskCheck(task.id, f"unknown: {error.what}")
    if found.plan is not None:
        return TaskCheck(task.id, "plan", found.plan)
    if found.outcome is Outcome.UNSOLVABLE:
        named = dict(formulas)
        if is_path:
            named["the goal"] = goal
        fewest = smallest_conflict(domain, problem, named, agent=task.agent, budget=budget)
        return TaskCheck(task.id, "none", conflict=tuple(named) if fewest is None else fewest)
    return TaskCheck(task.id, f"unknown: {found.outcome.value}")


def _contradiction(
    goal: Formula, formulas: Mapping[str, Formula], objects: Mapping[str, str]
) -> tuple[str, ...]:
    """Return one rule or two that contradict a goal in any world; empty if there are none."""
    for size in (1, 2):
        for names in combinations(formulas, size):
            together = And.of([*(formulas[name] for name in names), Eventually(goal)])
            # Rules for all objects are not written out here: a search sees what they do.
            if contains(together, Forall) or contains(together, Exists):
                continue
            if not satisfiable(together, objects=objects):
                return names
    return ()
