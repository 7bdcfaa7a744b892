"""Rules beside the tasks of a suite: which answers they are about, and what became of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from eai.contract.asking import episode_of, execution_of
from eai.contract.suite import INTERACTION, PLANS, RULED, Suite
from eai.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from eai.diagnosis import Result, TaskRules
    from eai.logic import LogicVocabulary, Rule
    from eai.semantics import Semantics
    from eai.task import Task
    from eai.world import Trajectory


def given_rules(source: object, suite: Suite, ability: str) -> tuple[Rule, ...]:
    """Return the rules in a file or list, or none without a source.

    Args:
        source: A file of rules, or a list of them; None for none.
        suite: The suite.
        ability: The ability of the answers that are judged.

    Raises:
        InputError: If they cannot be read, or the answers of the ability are not run.
        UnknownNameError: If a rule is for a task that the suite does not have.
    """
    if source is None:
        return ()
    from eai.logic import load_rules

    refuse_rules(suite, ability)
    rules = load_rules(source)
    check_rule_tasks(rules, suite.task_ids())
    return rules


def suite_rules(source: object, folder: Path, task_ids: Collection[str]) -> tuple[Rule, ...]:
    """Return the rules that a suite's files name or list under the key ``rules``.

    Args:
        source: The value of the key: the path of a file of rules, or a list of rules; None if
            there is no such key.
        folder: The folder that the path is relative to.
        task_ids: Identifiers of the suite's tasks.

    Raises:
        InputError: If they cannot be read.
        UnknownNameError: If a rule is for a task that the suite does not have.
    """
    if source is None:
        return ()
    from eai.logic import load_rules

    if isinstance(source, str):
        source = folder / source
    rules = load_rules(source)
    check_rule_tasks(rules, task_ids)
    return rules


def refuse_rules(suite: Suite, ability: str) -> None:
    """Refuse rules for an ability whose answers are neither plans nor episodes.

    Raises:
        InputError: If the ability is another one.
    """
    runs_plans = suite.plans(suite.semantics(suite.default_semantics)) is not None
    ability_definition = suite.abilities.get(ability)
    # An ability with its own evaluation function is not executed, so there is no trajectory.
    if (
        ability in RULED
        and runs_plans
        and (ability_definition is None or ability_definition.evaluate is None)
    ):
        return
    mend = "choose a suite whose answers are plans: eai suites"
    if PLANS in suite.abilities and runs_plans:
        mend = f"--ability {PLANS} (in Python ability={PLANS!r})"
    raise InputError(
        f"rules are about plans that are run, not about {ability}",
        where=f"suite {suite.name}",
        expected=f"the ability {' or '.join(RULED)}",
        mend=mend,
    )


def judged(
    result: Result,
    rules: TaskRules,
    suite: Suite,
    task: Task,
    answer: str | None,
    semantics: Semantics,
    *,
    ability: str = PLANS,
) -> Result:
    """Return a result with verdicts on rules, if the answer was executed.

    Args:
        result: The result.
        rules: The rules of the task.
        suite: The suite.
        task: The task.
        answer: The answer; None if there is none.
        semantics: The semantics of the result.
        ability: The ability that the answer is about.
    """
    if not rules.formulas or result.status != "evaluated":
        return result
    trajectory = trajectory_of(result, suite, task, answer, semantics, ability=ability)
    if trajectory is None:
        return result
    return replace(result, rules=rules.verdicts(trajectory))


def trajectory_of(
    result: Result,
    suite: Suite,
    task: Task,
    answer: str | None,
    semantics: Semantics,
    *,
    ability: str = PLANS,
) -> Trajectory | None:
    """Return the trajectory of an answer, or None if it cannot be read or executed.

    Args:
        result: The result of the answer.
        suite: The suite.
        task: The task.
        answer: The answer; None if it is missing.
        semantics: The semantics that it was evaluated under.
        ability: The ability that it is for.
    """
    # Running the answer again would lead to the same trajectory.
    if result.evidence is not None:
        return result.evidence.trajectory
    # A published evaluator may count steps as done without running them.
    if answer is None or "done" not in result.executed:
        return None
    if ability == INTERACTION:
        from eai.acting import episode_trajectory

        episode = episode_of(suite, task, answer, ability=ability, semantics=semantics)
        if episode is None:
            return None
        return episode_trajectory(task, suite.environment(task, semantics), episode)
    execution = execution_of(suite, task, answer, semantics)
    if execution is None:
        return None
    return execution.trajectory


def check_rules(rules: Sequence[Rule], suite: Suite, task_ids: Sequence[str]) -> list[str]:
    """Check rules against the tasks of a run, and return notes on partly applicable ones.

    Args:
        rules: The rules.
        suite: The suite.
        task_ids: The tasks that are evaluated.

    Raises:
        UnknownNameError: If a rule is for a task that the suite does not have.
        InputError: If a rule names an object or a predicate that none of its tasks has.
    """
    check_rule_tasks(rules, suite.task_ids())
    uses = [_RuleUse(rule) for rule in rules]
    for task_id in task_ids:
        uses_in_task = [use for use in uses if use.is_for(task_id)]
        if not uses_in_task:
            continue
        try:
            names = suite.task(task_id).logic_names()
        except InputError:  # a task with a mistake is left out of the run, too
            continue
        for use in uses_in_task:
            use.count_task(names)
    for use in uses:
        use.refuse_unknown()
    return [use.note for use in uses if use.note]


def check_rule_tasks(rules: Iterable[Rule], task_ids: Collection[str]) -> None:
    """Raise an error for rules that name unknown tasks.

    Raises:
        UnknownNameError: If there is one.
    """
    known_ids = frozenset(task_ids)
    for rule in rules:
        for task in rule.tasks:
            if task not in known_ids:
                raise UnknownNameError("task", task, task_ids, where=rule.place)


@dataclass
class _RuleUse:
    """Counts the tasks that a rule is meant for, and those among them in which it applies.

    A rule does not apply in a task that lacks an object or a predicate of the rule.

    Args:
        rule: The rule.
        tasks: Number of tasks that it is meant for.
        applies: Number of those in which it applies.
        error: The error for the first task in which it does not apply: the name that is missing.
    """

    rule: Rule
    tasks: int = 0
    applies: int = 0
    error: InputError | None = None

    def is_for(self, task_id: str) -> bool:
        """Return whether the rule is for a task; one that names no tasks is for all."""
        return not self.rule.tasks or task_id in self.rule.tasks

    def count_task(self, names: LogicVocabulary) -> None:
        """Count a task that the rule is meant for, and whether the rule can be applied to it.

        Args:
            names: The names of the task; a rule can be applied if it uses no other names.
        """
        self.tasks += 1
        try:
            self.rule.formula_for(names)
        except InputError as error:
            self.error = self.error or error
        else:
            self.applies += 1

    def refuse_unknown(self) -> None:
        """Raise an error for a rule that applies to no task.

        Raises:
            InputError: The first task for which the rule was read lacks one of its names.
        """
        if self.error is None or self.applies:
            return
        if self.tasks > 1:
            self.error.what += f" (in none of the {self.tasks} tasks that it is for)"
        raise self.error

    @property
    def note(self) -> str:
        """Return a note if the rule does not apply everywhere, or ""."""
        name = f"rule {self.rule.name!r}"
        if not self.tasks:
            return f"{name}: none of the tasks that it is for is evaluated"
        if self.error is None:
            return ""
        return (
            f"{name} is left out in {self.tasks - self.applies} of {self.tasks} tasks, which do "
            f"not have what it speaks of; the first: {self.error.what}"
        )
