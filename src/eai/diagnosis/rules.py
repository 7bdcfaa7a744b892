"""Rules beside a task's goal: which apply to it, and which of them a trajectory broke and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eai.diagnosis.parts import RuleVerdict
from eai.errors import InputError, LimitError, SchemaError
from eai.logic import (
    ActionAtom,
    Formula,
    Rule,
    at_stake,
    evaluate,
    explain,
    format_formula,
    load_rules,
)
from eai.logic.evidence import Blame
from eai.logic.explanation import Explanation
from eai.world import Trajectory

if TYPE_CHECKING:
    from eai.task import Task

MAX_FACTS = 5
"""Maximum number of facts that are kept of those that broke a rule."""


@dataclass(frozen=True)
class TaskRules:
    """The rules that plans of one task have to satisfy.

    Args:
        formulas: The rules that apply to the task, each with its name.
        notes: A sentence for each rule that does not.
        words: The rules that apply in words, for prompts; as formulas where they have no words.
    """

    formulas: tuple[tuple[str, Formula], ...] = ()
    notes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def listed(self) -> str:
        """The rules in words, a line each."""
        return "\n".join([f"- {rule}" for rule in self.words])

    def verdicts(self, trajectory: Trajectory) -> tuple[RuleVerdict, ...]:
        """Return the verdict on each rule for a trajectory."""
        return tuple([rule_verdict(name, formula, trajectory) for name, formula in self.formulas])

    def broken(self, trajectory: Trajectory) -> tuple[str, ...]:
        """Return the names of the rules that a trajectory breaks."""
        return tuple([name for name, rule in self.formulas if not evaluate(rule, trajectory)])


def task_rules(task: Task, source: object = None) -> TaskRules:
    """Return a task's own rules, and the rules of a file that apply to the task.

    Args:
        task: The task.
        source: A file of rules, or a list of rules or of objects such as a file has; None for the
            task's own rules alone.

    Raises:
        InputError: If the rules cannot be read, or none of the file applies to the task.
    """
    given_rules: tuple[Rule, ...] = ()
    if source is not None:
        given_rules = load_rules(source)
    formulas = dict(formulas_for(task, task.id, given_rules))
    omitted = [rule for rule in given_rules if rule.name not in formulas]
    # A file of which nothing applies is most likely the wrong file.
    if given_rules and len(omitted) == len(given_rules):
        raise _error_for_inapplicable(given_rules, task)
    notes = [_note_on_omitted(rule, task) for rule in omitted]
    wordings = {}
    for rule in (*task.rules, *given_rules):
        if rule.name in formulas and _is_for_task(rule, task):
            wordings[rule.name] = rule.text or rule.formula
    return TaskRules(tuple(formulas.items()), tuple(notes), tuple(wordings.values()))


def _note_on_omitted(rule: Rule, task: Task) -> str:
    """Return a sentence on why a rule does not apply to a task."""
    if not _is_for_task(rule, task):
        return f"rule {rule.name!r} is for other tasks"
    return f"rule {rule.name!r} is left out: {_unknown_name_error(rule, task).what}"


def _error_for_inapplicable(rules: Sequence[Rule], task: Task) -> InputError:
    """Return the error that none of several rules applies to a task."""
    for rule in rules:
        if _is_for_task(rule, task):
            return _unknown_name_error(rule, task)
    return InputError(
        f"no rule is for the task {task.id!r}",
        where=rules[0].where,
        expected="a rule without 'tasks', or with this task among them",
    )


def _is_for_task(rule: Rule, task: Task) -> bool:
    """Return whether a rule is for all tasks, or names this one."""
    return not rule.tasks or task.id in rule.tasks


def applicable_rules(task: Task, task_id: str, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the rules that apply to a task and use only names that it has."""
    names = {name for name, _ in formulas_for(task, task_id, rules)}
    return tuple([rule for rule in rules if rule.name in names])


def _unknown_name_error(rule: Rule, task: Task) -> InputError:
    """Return the error for a rule with a name that a task does not have."""
    try:
        rule.formula_for(task.logic_names())
    except InputError as error:
        return error
    raise AssertionError(rule)  # only rules with such a name are omitted


def formulas_for(task: Task, task_id: str, rules: Sequence[Rule]) -> list[tuple[str, Formula]]:
    """Return (name, formula) of the rules that apply to a task, its own first.

    A rule that speaks of something that the task does not have is left out.

    Args:
        task: The task.
        task_id: Its identifier in the suite.
        rules: Rules beside its own.

    Raises:
        SchemaError: If one of them has the name of one of its own.
    """
    own_names = {rule.name for rule in task.rules}
    formulas = []
    for rule in (*task.rules, *rules):
        if rule.tasks and task_id not in rule.tasks:
            continue
        if rule.name in own_names and rule not in task.rules:
            raise SchemaError(
                f"the task {task_id!r} has a rule of this name of its own",
                where=rule.place,
                expected="another name",
            )
        # Names are looked up in the current task: a rule for kitchens does not apply in a garage.
        try:
            formulas.append((rule.name, rule.formula_for(task.logic_names())))
        except InputError:
            continue
    return formulas


def rule_verdict(name: str, formula: Formula, trajectory: Trajectory) -> RuleVerdict:
    """Return whether a trajectory keeps a rule, or which step breaks it.

    Args:
        name: The rule's name.
        formula: The rule.
        trajectory: The steps, up to the last one that could be executed.
    """
    if evaluate(formula, trajectory):
        return RuleVerdict(name, kept=True, at_stake=at_stake(formula, trajectory))
    step_numbers = [step.number for step in trajectory.steps]
    try:
        explanation = _explain_break(formula, trajectory)
    except LimitError as error:
        # The rule is broken, but the step is unknown; by the last step it has happened.
        return RuleVerdict(name, False, _breaking_step((), step_numbers), (), error.what)
    breaking_step = _breaking_step(explanation.blamed, step_numbers)
    breaking_facts = [
        fact for fact in explanation.blamed if _step_of_fact(fact, step_numbers) == breaking_step
    ]
    # True facts come first: what does not hold may be thousands of facts that say little.
    breaking_facts.sort(key=lambda fact: not fact.holds)
    # An action that did not happen belongs to the step, and to the position after it as well.
    literals = list(dict.fromkeys((fact.atom, fact.holds) for fact in breaking_facts))
    texts = [_literal_text(atom, holds=holds) for atom, holds in literals[:MAX_FACTS]]
    return RuleVerdict(name, False, breaking_step, tuple(texts), explanation.text)


def _breaking_step(blamed: Sequence[Blame], step_numbers: list[int]) -> int:
    """Return the number of the step that broke a rule; 0 if the start did.

    Args:
        blamed: Facts that suffice for the verdict. They are chosen as early as possible, so the
            rule was broken with the last of them.
        step_numbers: Number of each step.
    """
    if blamed:
        return max(_step_of_fact(fact, step_numbers) for fact in blamed)
    # No fact broke it: something that the rule asks for did not come until the last step.
    return step_numbers[-1] if step_numbers else 0


def blamed_facts(formula: Formula, trajectory: Trajectory) -> Sequence[Blame]:
    """Return facts that suffice for a rule to be broken; none if it is kept."""
    if evaluate(formula, trajectory):
        return ()
    return _explain_break(formula, trajectory).blamed


def _explain_break(formula: Formula, trajectory: Trajectory) -> Explanation:
    """Return why a trajectory breaks a rule."""
    actions = [step.action for step in trajectory.steps]
    step_numbers = [step.number for step in trajectory.steps]
    return explain(formula, trajectory, plan=actions, numbers=step_numbers)


def _step_of_fact(fact: Blame, step_numbers: list[int]) -> int:
    """Return the number of the step that is the blamed action, or that led to the blamed fact.

    A fact of the start belongs to step 0.
    """
    if isinstance(fact.atom, ActionAtom) and fact.position < len(step_numbers):
        return step_numbers[fact.position]
    if fact.position == 0:
        return 0
    return step_numbers[fact.position - 1]


def _literal_text(atom: Formula, *, holds: bool) -> str:
    """Return an atom as a literal, by whether it holds."""
    text = format_formula(atom)
    if not holds:
        text = f"not {text}"
    return text
