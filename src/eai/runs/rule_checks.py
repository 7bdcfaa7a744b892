"""Checks of a file of rules against a suite, before anybody's answers are evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from eai.budget import Budget
from eai.contract import execution_of, write_plan
from eai.diagnosis import formulas_for
from eai.errors import InputError
from eai.logic import (
    TRUE,
    Formula,
    LogicVocabulary,
    Rule,
    Then,
    at_stake,
    contains,
    evaluate,
)
from eai.pddl import Problem
from eai.planning import (
    Outcome,
    safe_plan,
    scopes_of,
    smallest_conflict,
    without_agent,
)
from eai.runs.rule_relations import FOLLOWS, IMPLIES, is_proved, relation, rules_against

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
        hints: Those of the pairs that are not proved: with more objects of a type it may be
            otherwise.
        uncompared: Pairs of rules that were not compared, with the reason.
    """

    tasks: list[TaskCheck] = field(default_factory=list)
    applies: dict[str, int] = field(default_factory=dict)
    staked: dict[str, int] = field(default_factory=dict)
    pairs: list[tuple[str, str, str]] = field(default_factory=list)
    hints: list[tuple[str, str, str]] = field(default_factory=list)
    uncompared: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def has_conflict(self) -> bool:
        """Whether the rules and the goal of some task, or two rules, cannot be kept together."""
        proved = [pair for pair in self.pairs if pair not in self.hints]
        contradicts = any(word == "contradicts" for _, word, _ in proved)
        return contradicts or any(task.outcome == "none" for task in self.tasks)

    def __str__(self) -> str:
        lines = []
        for name, number in self.applies.items():
            staked = self.staked[name]
            note = "" if staked else " (never at stake in a reference plan)"
            lines.append(f"{name}: applies in {number} tasks, at stake in {staked}{note}")
        for pair in self.pairs:
            note = " (a hint: compared over one object of each type)" if pair in self.hints else ""
            lines.append(f"{' '.join(pair)}{note}")
        for first, second, reason in self.uncompared:
            lines.append(f"{first} and {second} were not compared: {reason}")
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
        budget: What the searches for a safe plan may use in each task, all of them together.
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
        _compare(fresh, formulas, task.logic_names(), check)
    return check


def _compare(
    pairs: Sequence[tuple[str, str]],
    formulas: Mapping[str, Formula],
    names: LogicVocabulary,
    check: RulesCheck,
) -> None:
    """Add to a check which pairs of rules contradict or imply each other, or cannot be compared.

    They are compared over one object of each type.
    """
    types = dict(names.objects) if isinstance(names.objects, Mapping) else {}
    by_type: dict[str, str] = {}
    for name, kind in types.items():
        by_type.setdefault(kind, name)
    objects = {name: kind for kind, name in by_type.items()}
    for first, second in pairs:
        try:
            word = relation(formulas[first], formulas[second], objects)
        except InputError as error:
            check.uncompared.append((first, second, error.what))
            continue
        if not word:
            continue
        pair = first, word, second
        if word == FOLLOWS:
            pair = second, IMPLIES, first
        check.pairs.append(pair)
        if not is_proved(pair[1], formulas[pair[0]], formulas[pair[2]]):
            check.hints.append(pair)


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
    is_path = goal.is_temporal or contains(goal, Then) or bool(task.goal.actions)
    conflict = rules_against(goal, formulas, universe)
    if conflict:
        return TaskCheck(task.id, "none", conflict=conflict)
    facts = tuple(task.start.atoms())
    problem = Problem(task.id, "", universe.objects, facts, TRUE if is_path else goal)
    # Classes of objects are declared with the objects, not in the domain of all tasks.
    domain = replace(task.start.layout.domain, types=universe.domain.types)
    rules = list(formulas.values())
    if is_path:
        rules.append(goal)
    # All searches in a task share one meter.
    meter = budget.meter()
    search = partial(safe_plan, domain, problem, rules, agent=task.agent, budget=meter)
    # Homes have a hundred objects, and plans use a few. A plan that is found with a few is safe; if
    # there is none, everything counts.
    scopes = scopes_of(domain, problem, rules, list(task.plans), agent=task.agent)
    reason = ""
    for scope in (*scopes, None):
        try:
            found = search(scope=scope)
        except InputError as error:
            reason = error.what
            continue
        if found.plan is not None:
            own = tuple(map(without_agent, found.plan)) if task.agent else found.plan
            return TaskCheck(task.id, "plan", own)
        reason = found.outcome.value
        if found.reason:
            # Errors of a planner go on with what was expected; a task is one line here.
            reason += f": {found.reason.splitlines()[0]}"
        if found.outcome is Outcome.UNSOLVABLE:
            named = dict(formulas)
            if is_path:
                named["the goal"] = goal
            fewest = smallest_conflict(domain, problem, named, agent=task.agent, budget=meter)
            return TaskCheck(task.id, "none", conflict=tuple(named) if fewest is None else fewest)
    return TaskCheck(task.id, f"unknown: {reason}")
