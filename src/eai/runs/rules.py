"""Rules of a run: which tasks each is for, and what became of it where an answer was run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eai.contract import PLANS, execution_of
from eai.diagnosis import rule_verdict
from eai.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.diagnosis import Result, RuleVerdict
    from eai.logic import Formula, LogicVocabulary, Rule
    from eai.semantics import Semantics
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


def verdicts(
    formulas: Sequence[tuple[str, Formula]], trajectory: Trajectory
) -> tuple[RuleVerdict, ...]:
    """Return what became of rules on the way that was gone."""
    return tuple(rule_verdict(name, formula, trajectory) for name, formula in formulas)


def trajectory_of(
    result: Result, suite: Suite, task: Task, answer: str | None, semantics: Semantics
) -> Trajectory | None:
    """Return what was done; None if the answer cannot be read, or nothing can be run."""
    if result.evidence is not None:
        return result.evidence.trajectory
    # A published evaluator may count steps as done without running them.
    if answer is None or "done" not in result.executed:
        return None
    execution = execution_of(suite, task, answer, semantics)
    return None if execution is None else execution.trajectory


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
    _check_tasks(rules, suite)
    uses = [_Use(rule) for rule in rules]
    for task_id in task_ids:
        of_task = [use for use in uses if not use.rule.tasks or task_id in use.rule.tasks]
        if not of_task:
            continue
        try:
            names = suite.task(task_id).logic_names()
        except InputError:  # a task with a mistake is left out of the run, too
            continue
        for use in of_task:
            use.try_on(names)
    for use in uses:
        use.refuse_unknown()
    return [use.note for use in uses if use.note]


def _check_tasks(rules: Sequence[Rule], suite: Suite) -> None:
    """Refuse rules for tasks that the suite does not have.

    Raises:
        UnknownNameError: If there is one.
    """
    task_ids = suite.task_ids()
    known = frozenset(task_ids)
    for rule in rules:
        for task in rule.tasks:
            if task not in known:
                raise UnknownNameError("task", task, task_ids, where=rule.place)


@dataclass
class _Use:
    """How many of a run's tasks a rule is for, and in how many of them it applies.

    Args:
        error: What it speaks of that the first other one does not have.
    """

    rule: Rule
    tasks: int = 0
    applies: int = 0
    error: InputError | None = None

    def try_on(self, names: LogicVocabulary) -> None:
        """Count a task by its names."""
        self.tasks += 1
        try:
            self.rule.formula_for(names)
            self.applies += 1
        except InputError as error:
            self.error = self.error or error

    def refuse_unknown(self) -> None:
        """Refuse a rule that applies in none of the tasks that it is for.

        Raises:
            InputError: What the first of them does not have.
        """
        if self.error is None or self.applies:
            return
        if self.tasks > 1:
            self.error.what += f" (in none of the {self.tasks} tasks that it is for)"
        raise self.error

    @property
    def note(self) -> str:
        """Note on a rule that does not apply everywhere; empty for others."""
        name = f"rule {self.rule.name!r}"
        if not self.tasks:
            return f"{name}: none of the tasks that it is for is evaluated"
        if self.error is None:
            return ""
        return (
            f"{name} is left out in {self.tasks - self.applies} of {self.tasks} tasks, which do "
            f"not have what it speaks of; the first: {self.error.what}"
        )
