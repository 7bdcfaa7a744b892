"""Checks of a file of rules against a suite, before anybody's answers are evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

from eai.budget import Budget, Meter
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
from eai.pddl import Domain, Problem
from eai.planning import (
    Outcome,
    PlanningResult,
    safe_plan,
    scopes_of,
    smallest_conflict,
    without_agent,
)
from eai.runs.rule_relations import (
    CONTRADICTS,
    FOLLOWS,
    IMPLIES,
    is_proved,
    relation,
    rules_against,
)

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.task import Task
    from eai.world import Action


@dataclass
class TaskCheck:
    """The outcome of checking rules in one task.

    Args:
        outcome: ``"reference"`` if a reference plan keeps all rules, ``"plan"`` if a safe plan was
            found, ``"none"`` if it is proved that there is none, ``"unknown"`` if a limit was
            reached, or why nothing was searched.
        plan: The safe plan.
        conflict: The fewest rules that cannot be kept together with the goal.
        broken: Rules that the last reference plan breaks.
        staked: Rules that some reference plan triggers, whether it keeps or breaks them.
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
        tasks: The findings in each task.
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
        """Whether rules contradict each other, or the goal of some task."""
        proved = [pair for pair in self.pairs if pair not in self.hints]
        if any(word == CONTRADICTS for _, word, _ in proved):
            return True
        return any(task.outcome == "none" for task in self.tasks)

    def __str__(self) -> str:
        lines = [*self._rule_lines(), *self._relation_lines()]
        for task in self.tasks:
            lines += _task_lines(task)
        safe_tasks = [task for task in self.tasks if task.outcome in ("reference", "plan")]
        lines.append(f"safe plans in {len(safe_tasks)} of {len(self.tasks)} tasks")
        return "\n".join(lines)

    def _rule_lines(self) -> Iterator[str]:
        """Yield a line for each rule with the numbers of tasks in which it applies and matters."""
        for name, number_of_tasks in self.applies.items():
            number_staked = self.staked[name]
            line = f"{name}: applies in {number_of_tasks} tasks, at stake in {number_staked}"
            if not number_staked:
                line += " (never at stake in a reference plan)"
            yield line

    def _relation_lines(self) -> Iterator[str]:
        """Yield a line for each related, or not comparable, pair of rules."""
        for pair in self.pairs:
            line = " ".join(pair)
            if pair in self.hints:
                line += " (a hint: compared over one object of each type)"
            yield line
        for first, second, reason in self.uncompared:
            yield f"{first} and {second} were not compared: {reason}"


def _task_lines(task: TaskCheck) -> Iterator[str]:
    """Yield lines on a task with a conflict or with a new safe plan."""
    if task.outcome == "reference":
        return
    broken = ""
    if task.broken:
        broken = f"; the reference plan breaks {', '.join(task.broken)}"
    if task.outcome == "none":
        conflict = ", ".join(task.conflict) or "the goal alone"
        yield f"{task.task}: no safe plan exists: {conflict}{broken}"
    elif task.outcome == "plan":
        yield f"{task.task}: a safe plan of {len(task.plan)} steps{broken}"
        for step in task.plan:
            yield f"  {step}"
    else:
        yield f"{task.task}: {task.outcome}{broken}"


def check_against(
    rules: Sequence[Rule], suite: Suite, task_ids: Sequence[str], budget: Budget
) -> RulesCheck:
    """Check rules against the tasks of a suite.

    Args:
        rules: The rules.
        suite: The suite.
        task_ids: The tasks.
        budget: Limits of the searches for a safe plan in each task, all of them together.
    """
    check = RulesCheck()
    check.applies = {rule.name: 0 for rule in rules}
    check.staked = {rule.name: 0 for rule in rules}
    compared_pairs: set[tuple[str, str]] = set()
    for task_id in task_ids:
        task = suite.task(task_id)
        formulas = dict(formulas_for(task, task_id, rules))
        task_check = _check_in_task(suite, task, formulas, budget)
        check.tasks.append(task_check)
        for name in formulas:
            check.applies[name] += 1
        for name in task_check.staked:
            check.staked[name] += 1
        # Two rules are compared once, in the first task that both apply in.
        new_pairs = [pair for pair in combinations(formulas, 2) if pair not in compared_pairs]
        compared_pairs.update(new_pairs)
        _compare_pairs(new_pairs, formulas, task.logic_names(), check)
    return check


def _compare_pairs(
    pairs: Sequence[tuple[str, str]],
    formulas: Mapping[str, Formula],
    names: LogicVocabulary,
    check: RulesCheck,
) -> None:
    """Add contradictions and implications between pairs of rules to a check.

    They are compared over one object of each type.

    Args:
        pairs: Names of rules.
        formulas: The formula of each rule.
        names: Names that the formulas may use, with the objects of the task.
        check: The check; its ``pairs``, ``hints`` and ``uncompared`` grow.
    """
    representatives = _one_object_of_each_type(names)
    for first, second in pairs:
        try:
            relation_name = relation(formulas[first], formulas[second], representatives)
        except InputError as error:
            check.uncompared.append((first, second, error.what))
            continue
        if not relation_name:
            continue
        # Implications are listed in one direction: premise first.
        related_pair = (first, relation_name, second)
        if relation_name == FOLLOWS:
            related_pair = (second, IMPLIES, first)
        check.pairs.append(related_pair)
        premise, relation_name, conclusion = related_pair
        # A relation over one object of each type need not hold over more objects.
        if not is_proved(relation_name, formulas[premise], formulas[conclusion]):
            check.hints.append(related_pair)


def _one_object_of_each_type(names: LogicVocabulary) -> dict[str, str]:
    """Return one object of each type with its type, or nothing if types are unknown."""
    if not isinstance(names.objects, Mapping):
        return {}
    object_by_type: dict[str, str] = {}
    for name, type_name in names.objects.items():
        object_by_type.setdefault(type_name, name)
    return {name: type_name for type_name, name in object_by_type.items()}


def _check_in_task(
    suite: Suite, task: Task, formulas: Mapping[str, Formula], budget: Budget
) -> TaskCheck:
    """Check rules in one task, by its reference plans and then by a search.

    Args:
        suite: The suite.
        task: The task.
        formulas: The rules that apply in it, by name.
        budget: Limits of the searches.

    Returns:
        The check. A rule is at stake if any of the executed reference plans triggers it, and broken
        if the last of them breaks it.
    """
    broken: list[str] = []
    staked: set[str] = set()
    semantics = suite.semantics(suite.default_semantics)
    # A reference plan that keeps all rules is proof enough: nothing has to be searched.
    for steps in task.plans:
        execution = execution_of(suite, task, write_plan(suite, steps), semantics)
        if execution is None:
            continue
        trajectory = execution.trajectory
        for name, formula in formulas.items():
            if at_stake(formula, trajectory):
                staked.add(name)
        broken = [name for name, rule in formulas.items() if not evaluate(rule, trajectory)]
        if not broken:
            return TaskCheck(task.id, "reference", steps, staked=tuple(staked))
    # No reference plan keeps all rules; another plan still may.
    task_check = _search_safe_plan(task, formulas, budget)
    task_check.broken = tuple(broken)
    task_check.staked = tuple(staked)
    return task_check


def _search_safe_plan(task: Task, formulas: Mapping[str, Formula], budget: Budget) -> TaskCheck:
    """Search a plan that reaches the goal and keeps all rules, or the conflicting rules.

    Args:
        task: The task.
        formulas: The rules by name.
        budget: Limits of all searches in the task together.
    """
    goal = task.goal.formula
    if goal is None:
        return TaskCheck(task.id, "there is no goal")
    # Logic alone needs no world and often decides.
    conflict = rules_against(goal, formulas, task.start.universe)
    if conflict:
        return TaskCheck(task.id, "none", conflict=conflict)
    rules = list(formulas.values())
    rules_and_goal = dict(formulas)
    final_goal = goal
    # A goal on the path is one more formula that the trajectory has to satisfy; the state that the
    # search ends in may then be any.
    if goal.is_temporal or contains(goal, Then) or task.goal.actions:
        rules.append(goal)
        rules_and_goal["the goal"] = goal
        final_goal = TRUE
    meter = budget.meter()
    domain, problem = _planning_task(task, final_goal)
    result, failure = _plan_in_scopes(task, domain, problem, rules, meter)
    if result is None:
        return TaskCheck(task.id, f"unknown: {failure}")
    if result.plan is not None:
        plan = result.plan
        if task.agent:
            plan = tuple(without_agent(step) for step in plan)
        return TaskCheck(task.id, "plan", plan)
    conflicting_rules = smallest_conflict(
        domain, problem, rules_and_goal, agent=task.agent, budget=meter
    )
    if conflicting_rules is None:
        # The budget was used up before. All formulas together are a conflict in any case.
        conflicting_rules = tuple(rules_and_goal)
    return TaskCheck(task.id, "none", conflict=conflicting_rules)


def _planning_task(task: Task, goal: Formula) -> tuple[Domain, Problem]:
    """Return the domain and the problem of reaching a goal from the start of a task."""
    universe = task.start.universe
    facts = tuple(task.start.atoms())
    # Classes of objects are declared with the objects, not in the domain of all tasks.
    domain = replace(task.start.layout.domain, types=universe.domain.types)
    return domain, Problem(task.id, "", universe.objects, facts, goal)


def _plan_in_scopes(
    task: Task, domain: Domain, problem: Problem, rules: Sequence[Formula], meter: Meter
) -> tuple[PlanningResult | None, str]:
    """Search a safe plan in growing parts of a world until one search decides.

    Homes have a hundred objects, of which plans use few. A plan over few objects is safe as well,
    but only a search over everything can show that there is none.

    Args:
        task: The task, whose plans and agent help to find the parts.
        domain: The domain.
        problem: The problem.
        rules: The rules, and the goal if it is one on the path.
        meter: Counts the work of all searches.

    Returns:
        The result that has a plan or proves that there is none, or None; and why there is no such
        result.
    """
    reason = ""
    scopes = scopes_of(domain, problem, rules, list(task.plans), agent=task.agent)
    for scope in (*scopes, None):  # None: everything
        try:
            result = safe_plan(domain, problem, rules, agent=task.agent, budget=meter, scope=scope)
        except InputError as error:
            # A larger part has other objects, and may not have what made this one fail.
            reason = error.what
            continue
        if result.plan is not None or result.outcome is Outcome.UNSOLVABLE:
            return result, ""
        reason = _why_unknown(result)
    return None, reason


def _why_unknown(result: PlanningResult) -> str:
    """Return in one line why a search gave no answer."""
    reason = result.outcome.value
    if result.reason:
        # Errors of a planner go on with what was expected; a task is one line here.
        reason += f": {result.reason.splitlines()[0]}"
    return reason
