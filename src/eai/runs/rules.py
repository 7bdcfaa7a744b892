"""Rules of a run: which tasks each is for, and what became of it where an answer was run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eai.contract import PLANS
from eai.diagnosis import rule_verdict
from eai.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.diagnosis import RuleVerdict
    from eai.logic import Formula, Rule
    from eai.task import Task
    from eai.world import Trajectory


def refuse_rules(suite: Suite, ability: str) -> None:
    """Refuse rules for answers that are no plans: nothing is run, so there is no way.

    Raises:
        InputError: If the ability is another one.
    """
    runs_plans = suite.plans(suite.semantics(suite.default_semantics)) is not None
    if ability == PLANS and runs_plans:
        return
    can = PLANS in suite.abilities and runs_plans
    raise InputError(
        f"rules are about plans that are run, not about {ability}",
        where=f"suite {suite.name}",
        expected=f"the ability {PLANS}",
        mend=f"--ability {PLANS} (in Python ability={PLANS!r})"
        if can
        else "choose a suite whose answers are plans: eai suites",
    )


def formulas_for(task: Task, task_id: str, rules: Sequence[Rule]) -> list[tuple[str, Formula]]:
    """Return the rules that apply to a task, by name.

    A rule that speaks of something that the task does not have is left out;
    :func:`check_rules` counts the tasks.
    """
    found = []
    for rule in rules:
        if rule.tasks and task_id not in rule.tasks:
            continue
        try:
            found.append((rule.name, rule.formula_for(task.logic_names())))
        except InputError:
            continue
    return found


def verdicts(formulas: list[tuple[str, Formula]], trajectory: Trajectory) -> tuple[RuleVerdict, ...]:
    """Return what became of rules on the way that was gone."""
    return tuple(rule_verdict(name, formula, trajectory) for name, formula in formulas)


def check_rules(rules: Sequence[Rule], suite: Suite, task_ids: Sequence[str]) -> list[str]:
    """Check rules against the tasks of a run; return notes about those that apply to some only.

    Args:
        rules: The rules.
        suite: The suite.
        task_ids: The tasks that are evaluated.

    Raises:
        UnknownNameError: If a rule is for a task that the suite does not have.
        InputError: If a rule speaks of something that no task has that it is for: what the first
            one says.
    """
    known = frozenset(suite.task_ids())
    for rule in rules:
        for task in rule.tasks:
            if task not in known:
                raise UnknownNameError("task", task, suite.task_ids(), where=rule.place)
    wanted = {rule.name: 0 for rule in rules}
    applied = {rule.name: 0 for rule in rules}
    refused: dict[str, InputError] = {}
    for task_id in task_ids:
        of_task = [rule for rule in rules if not rule.tasks or task_id in rule.tasks]
        if not of_task:
            continue
        try:
            names = suite.task(task_id).logic_names()
        except InputError:  # a task with a mistake is left out of the run, too
            continue
        for rule in of_task:
            wanted[rule.name] += 1
            try:
                rule.formula_for(names)
            except InputError as error:
                refused.setdefault(rule.name, error)
            else:
                applied[rule.name] += 1
    notes = []
    for rule in rules:
        count, of = applied[rule.name], wanted[rule.name]
        if rule.name in refused and not count:
            error = refused[rule.name]
            if of > 1:
                error.what = f"{error.what} (in none of the {of} tasks that it is for)"
            raise error
        if not of:
            notes.append(f"rule {rule.name!r}: none of the tasks that it is for is evaluated")
        elif count < of:
            notes.append(
                f"rule {rule.name!r} is left out in {of - count} of {of} tasks, which do not have "
                f"what it speaks of; the first: {refused[rule.name].what}"
            )
    return notes
