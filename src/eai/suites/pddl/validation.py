"""Validation of a plan for one problem: whether it works, and if not, why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from eai.abilities import Plans
from eai.answers import BoundPlan, Names, Phrases, PlanReading, ReadStep, bind
from eai.budget import Budget
from eai.diagnosis import (
    GRAMMAR,
    Condition,
    DomainRules,
    ErrorKind,
    Finding,
    Result,
    Run,
    leads_to_numbers,
    unmet_conditions,
    values_told,
)
from eai.errors import InputError
from eai.logic import Formula
from eai.nesting import on_own_stack
from eai.pddl import (
    Domain,
    NumericEffect,
    Problem,
    format_condition,
    format_effect,
    format_expression,
    has_times,
    has_trajectory_constraints,
    parse_domain,
    parse_problem,
)
from eai.planning import (
    PlanRuns,
    broken_constraints,
    cost_of,
    missing_term,
    violated,
)
from eai.semantics import Semantics
from eai.suites.pddl.plans import QUIRKS, PddlPlans, step_text
from eai.suites.pddl.tasks import PddlTask, made_task
from eai.text import counted
from eai.world import Action, Step, Trajectory, World, changes_in_conflict

if TYPE_CHECKING:
    from eai.planning.repair import Edit
    from eai.suites.pddl.temporal import TimedValidator

_MAX_LINES = 20_000
"""Maximum number of lines of plans that a validator remembers."""
_MAX_STEPS_OF_LINES = 1_000
"""Maximum number of steps of a plan that is read line by line: other readers take no more."""

_Reason = tuple[str, tuple[str, ...]]
"""A sentence, and the conditions that do not hold."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Whether a plan is valid, and the reason if it is not.

    Args:
        valid: Whether every step can be done and the goal holds at the end.
        steps: Number of steps.
        cost: Cost of a valid plan: its length if the problem does not minimise costs.
        failed_step: 1-based number of the first step that fails; None if all can be done.
        line: 1-based line of that step, or of the text that cannot be read.
        kind: The kind of error (:class:`eai.diagnosis.ErrorKind`); empty if the plan is valid.
        reasons: One sentence for each step that fails; the first is that of ``failed_step``,
            others are looked for only if that was asked.
        action: The step that fails.
        unmet: The conditions of that step that do not hold.
        destroyed_by: 1-based step that made the first of them false; None if none did.
        met: Number of conditions of the goal that hold after the last step that could be done.
        unmet_goal: Those that do not hold.
        notes: Notes on how the plan was read.
        repair: The fewest edits that make it work, where they were asked for and found.
        proved: Whether it is proved that no repair has fewer.
        repair_reason: Why there is no repair, where one was asked for; else empty.
        violated: Names of the preferences that a valid plan violates, with how often.
        measure: What ``cost`` is called: ``"value"`` if the problem has another metric.
    """

    valid: bool
    steps: int
    cost: float | None = None
    failed_step: int | None = None
    line: int | None = None
    kind: str = ""
    reasons: tuple[str, ...] = ()
    action: str = ""
    unmet: tuple[str, ...] = ()
    destroyed_by: int | None = None
    met: int = 0
    unmet_goal: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    repair: tuple[str, ...] | None = None
    proved: bool = False
    repair_reason: str = ""
    measure: str = "cost"
    violated: Mapping[str, int] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return the diagnosis as a JSON object."""
        goal = {"met": self.met, "of": self.met + len(self.unmet_goal), "unmet": self.unmet_goal}
        document: dict[str, Any] = {
            "valid": self.valid,
            "steps": self.steps,
            "cost": self.cost,
            "failed_step": self.failed_step,
            "line": self.line,
            "kind": self.kind,
            "reasons": self.reasons,
            "unmet": self.unmet,
            "destroyed_by": self.destroyed_by,
            "goal": goal,
            "notes": self.notes,
            "repair": self.repair,
            "repair_reason": self.repair_reason or None,
        }
        # Only problems with preferences have this key.
        if self.violated:
            document["violated"] = dict(self.violated)
        return document

    def __str__(self) -> str:
        if self.valid:
            lines = self._lines_if_valid()
        else:
            lines = self._lines_if_not_valid()
        return "\n  ".join(lines)

    def _lines_if_valid(self) -> list[str]:
        """Return the report on a valid plan: ``valid, 3 steps, cost 3``, and further lines."""
        # A metric that cannot be evaluated leaves the plan valid.
        value = "no value"
        if self.cost is not None:
            value = f"{self.measure} {self.cost:.12g}"
        steps = f"{self.steps} steps"
        if self.steps == 1:
            steps = "1 step"
        lines = [f"valid, {steps}, {value}", *self.reasons]
        if self.violated:
            preferences = []
            for name, times in self.violated.items():
                preferences.append(f"{name or 'without a name'} ({times})")
            lines.append(f"violated preferences, and how often: {', '.join(preferences)}")
        return lines

    def _lines_if_not_valid(self) -> list[str]:
        """Return the report on an invalid plan: where and why it fails, and a repair."""
        headline = f"not valid: {self._failure()}"
        if self.line is not None:
            headline += f", line {self.line}"
        lines = [headline, *self.reasons]
        if self.unmet_goal:
            # After a step that fails, those behind it are not done.
            verb = "could be done"
            if self.failed_step is None:
                verb = "were done"
            conditions = self.met + len(self.unmet_goal)
            lines.append(
                f"goal: {self.met} of {conditions} conditions hold "
                f"after the steps that {verb}; unmet: {', '.join(self.unmet_goal)}"
            )
        if self.repair is not None:
            size = counted(len(self.repair), "edit")
            if self.proved:
                size += ", no repair has fewer"
            lines.append(f"repair ({size}): {'; '.join(self.repair)}")
        if self.repair_reason:
            lines.append(f"repair: {self.repair_reason}")
        return lines

    def _failure(self) -> str:
        """Return a sentence about where the plan fails."""
        if self.failed_step is not None:
            return f"step {self.failed_step} of {self.steps}, {self.action}"
        if self.kind == ErrorKind.PARSING:
            return "it cannot be read"
        if self.kind == ErrorKind.PATH_GOAL and not self.unmet_goal:
            return "a constraint on the way is broken"
        return "the goal does not hold at the end"


class Validator:
    """Validates any number of plans for one problem, which is read once.

    Args:
        domain: The domain, or its text.
        problem: The problem, or its text.
        phrases: The words for actions and objects.
        official: Whether plans are read as VAL 4 reads them.
        budget: Its instances are the limit of what conditions and effects with quantified variables
            may look at for one plan; None for no limit.

    Raises:
        ParseError: If a text is not what it should be.
        InputError: If the domain cannot be run.
    """

    def __init__(
        self,
        domain: Domain | str,
        problem: Problem | str,
        *,
        phrases: Phrases | None = None,
        official: bool = False,
        budget: Budget | None = None,
    ) -> None:
        """Compile the domain and the problem once for all plans."""
        if isinstance(domain, str):
            domain = parse_domain(domain)
        if isinstance(problem, str):
            # The problem may name another domain; the caller says that the two belong together.
            problem = parse_problem(problem, domain=domain, named=False)
        self._timed: TimedValidator | None = None
        self._runs: PlanRuns | None = None
        self._budget = budget
        self._meter = Budget.unlimited().meter()
        if has_times(domain, problem):
            from eai.suites.pddl.temporal import TimedValidator  # other plans do without it

            self._timed = TimedValidator(domain, problem)
            self._count_work(self._timed.world)
            return
        self._task = made_task(domain, problem, phrases=phrases)
        task = self._task
        self._count_work(task.world)
        task_domain = task.start.layout.domain
        has_only_final_goal = (
            not task_domain.has_numbers
            and task.goal.formula is None
            and not has_trajectory_constraints(task_domain, task.problem)
        )
        if has_only_final_goal:
            # Such plans are valid or not by their last state, which is quick to find.
            start = task.start
            self._runs = PlanRuns.of(
                task.world, start.universe.objects, tuple(start.atoms()), task.problem.goal
            )
        self._phrases = phrases
        # Actions by the lines of plans that were read.
        self._action_of_line: dict[str, Action] = {}
        name = "official" if official else "strict"
        self.plans = PddlPlans(Semantics.of(name, QUIRKS, version="VAL 4"))

    def _count_work(self, world: World) -> None:
        """Count what conditions and effects look at, if there is a budget."""
        if self._budget is not None:
            self._meter = self._budget.meter()
            world.count_loops(self._meter)

    @property
    def task(self) -> PddlTask:
        """The task whose plans are validated.

        Raises:
            InputError: If its plans have times, because they are no sequences of steps.
        """
        if self._timed is not None:
            raise InputError("the plans of this task have times, so it is no task of a suite")
        return self._task

    def diagnose(
        self, plan: str | Sequence[Action], *, every: bool = False, repair: bool = False
    ) -> Diagnosis:
        """Execute a plan, and return whether it is valid or why not.

        Args:
            plan: The text of a plan, or its steps.
            every: Whether to continue after a step that fails, without it.
            repair: Whether to search the fewest edits that make the plan valid.

        Raises:
            BeyondBudgetError: If it takes more than the budget.
        """
        self._meter.instances = 0  # each plan has the whole budget
        if self._timed is not None:
            return self._diagnose_timed(self._timed, plan, repair=repair)
        text = plan if isinstance(plan, str) else None
        bound = self._bound(plan)
        # This test is quick, and a valid plan needs no reasons.
        if self._works(bound):
            return self._valid(bound)
        # Not PddlPlans.evaluate_plan, which would add notes on costs and the shortest plan.
        result = Plans.evaluate_plan(self.plans, self.task, bound)
        grammar_errors = [finding for finding in result.findings if finding.kind in GRAMMAR]
        if result.success:
            diagnosis = self._with_cost(bound, result)
        elif grammar_errors:
            diagnosis = self._diagnose_unread(bound, text, grammar_errors)
            diagnosis = replace(diagnosis, steps=len(result.plan))
        else:
            diagnosis = self._diagnose_failure(bound, text, result, every=every)
        n_met = sum(goal.met for goal in result.goals)
        diagnosis = replace(diagnosis, met=n_met, notes=self._with_note(result.notes))
        if not repair or result.success:
            return diagnosis
        if grammar_errors:
            reason = "none is looked for in a plan with grammar errors"
            return replace(diagnosis, repair_reason=reason)
        edits, is_proved, repair_reason = self._repair(bound)
        return replace(diagnosis, repair=edits, proved=is_proved, repair_reason=repair_reason)

    @staticmethod
    def _diagnose_timed(
        timed: TimedValidator, plan: str | Sequence[Action], *, repair: bool
    ) -> Diagnosis:
        """Run a plan with times.

        Args:
            timed: The validator of plans with times.
            plan: The text of the plan.
            repair: Whether a repair is asked for; there is none for such plans.

        Raises:
            InputError: If it is no text: steps have no times.
        """
        if not isinstance(plan, str):
            raise InputError("steps have no times", expected="the text of a plan: 0.0: (a b) [1.0]")
        diagnosis = timed.diagnose(plan)
        if repair and not diagnosis.valid:
            return replace(diagnosis, repair_reason="plans with times are not repaired")
        return diagnosis

    @on_own_stack
    def is_valid(self, plan: str) -> bool:
        """Return whether a plan is valid, as :meth:`diagnose` finds it, without any reasons.

        Plans that planners write, with a step on each line, take a small part of the time: each
        line is read once.

        Args:
            plan: The text of a plan.
        """
        actions = None if self._runs is None else self._actions_of_lines(plan)
        if self._runs is None or actions is None:
            return self.diagnose(plan).valid
        run = self._runs.run(actions)
        return run.stopped_by is None and self._runs.is_goal(run)

    def _actions_of_lines(self, text: str) -> Sequence[Action] | None:
        """Return the plan in a text of one step a line; None if it has to be read as a whole."""
        lines = text.rstrip(" \t\r\n").split("\n")
        if len(lines) > _MAX_STEPS_OF_LINES:
            return None
        actions = [*map(self._action_of_line.get, lines)]
        if None not in actions:
            return cast("list[Action]", actions)
        # Phrases and the quirks of VAL depend on more than a line.
        if self._phrases is not None or self.plans.semantics.name != "strict":
            return None
        read_actions = []
        for line in lines:
            step = self._names.step_of_line(line)
            if step is None:
                return None
            action = self._action_of_line.get(line) or Action(*step)
            if len(self._action_of_line) < _MAX_LINES:
                self._action_of_line[line] = action
            read_actions.append(action)
        return read_actions

    @cached_property
    def _names(self) -> Names:
        """The names that a line of a plan may have."""
        return Names(self.task.start.layout.domain, self.task.problem, self._phrases)

    @on_own_stack
    def _works(self, bound: BoundPlan) -> bool:
        """Return whether a quick test shows that a plan is valid; False if it does not decide.

        The states of earlier plans are reused, as most plans of a batch begin with the same steps.
        """
        if self._runs is None or bound.findings:
            return False
        run = self._runs.run(bound.actions)
        return run.stopped_by is None and self._runs.is_goal(run)

    def _valid(self, bound: BoundPlan) -> Diagnosis:
        """Return the diagnosis of a plan that works, for a task with a goal in the final state."""
        cost = cost_of(self.task.start.layout.domain, self.task.problem, bound.actions)
        met, notes = len(self._conditions), self._with_note(bound.notes)
        return Diagnosis(True, len(bound.actions), cost, met=met, notes=notes)

    @cached_property
    def _conditions(self) -> tuple[Condition, ...]:
        """The conditions of the goal."""
        return unmet_conditions(self.task.goal)

    def _with_note(self, notes: tuple[str, ...]) -> tuple[str, ...]:
        """Return notes on a plan with that on the task, if it has one."""
        note = self.task.metadata.get("note")
        return (*notes, str(note)) if note else notes

    def _with_cost(self, bound: BoundPlan, result: Result) -> Diagnosis:
        """Return the diagnosis of a valid plan with its cost or metric value."""
        domain = self.task.start.layout.domain
        problem = self.task.problem
        # Only a minimized metric is a cost. A maximized one has a value.
        diagnosis = Diagnosis(True, len(result.plan), measure="value")
        if problem.minimize or problem.metric is None:
            diagnosis = replace(diagnosis, measure="cost")
        trajectory = None if result.evidence is None else result.evidence.trajectory
        if trajectory is not None and has_trajectory_constraints(domain, problem):
            diagnosis = replace(diagnosis, violated=violated(domain, problem, trajectory))
        try:
            cost = cost_of(domain, problem, bound.actions, trajectory=trajectory)
        except InputError as error:
            reason = f"the metric cannot be evaluated: {error.what}"
            return replace(diagnosis, reasons=(reason,))
        return replace(diagnosis, cost=cost)

    def _bound(self, plan: str | Sequence[Action]) -> BoundPlan:
        """Return the plan in a text or list of steps. An empty file is the empty plan."""
        if not isinstance(plan, str):
            steps = tuple(ReadStep(step.name, step.arguments) for step in plan)
            return bind(PlanReading(steps), self.task.vocabulary)
        if not plan.strip("\ufeff \t\r\n"):
            return BoundPlan()
        return self.plans.read(self.task, plan)

    def _diagnose_unread(
        self, bound: BoundPlan, text: str | None, unread: Sequence[Finding]
    ) -> Diagnosis:
        """Return the diagnosis of a plan with syntax errors, which is not executed.

        Args:
            bound: The plan.
            text: Its text, for the line of the first error; None if it was given as steps.
            unread: The errors, at least one.
        """
        first = unread[0]
        return Diagnosis(
            False,
            steps=0,
            failed_step=first.step,
            line=self._line(text, first),
            kind=str(first.kind),
            reasons=tuple(f"{finding.kind}: {finding.message}" for finding in unread),
            action=_written_step(bound, first.step),
            destroyed_by=first.destroyed_by,
        )

    def _diagnose_failure(
        self, bound: BoundPlan, text: str | None, result: Result, *, every: bool
    ) -> Diagnosis:
        """Return the diagnosis of an executed plan that fails or misses the goal.

        Args:
            bound: The plan.
            text: Its text, for the line of the failure; None if it was given as steps.
            result: The result of running it.
            every: Whether to continue after a step that fails.
        """
        missed_goal = _diagnose_missed_goal(result)
        failure = _first_failed_step(result)
        if failure is None:
            return self._with_broken_constraints(missed_goal, result)
        # The failed step is the reason why the goal is missed, so it is reported first.
        executed_steps: Sequence[Step] = ()
        if result.evidence is not None:
            executed_steps = result.evidence.trajectory.steps
        reasons = list(self._failures(bound.actions, executed_steps, every=every))
        unmet: tuple[str, ...] = ()
        if reasons:
            _, unmet = reasons[0]
        return replace(
            missed_goal,
            failed_step=failure.step,
            line=self._line(text, failure),
            kind=str(failure.kind),
            reasons=tuple(sentence for sentence, _ in reasons),
            action=_written_step(bound, failure.step),
            unmet=unmet,
            destroyed_by=failure.destroyed_by,
        )

    def _with_broken_constraints(self, diagnosis: Diagnosis, result: Result) -> Diagnosis:
        """Return the diagnosis of a plan that was executed, with the constraints that it breaks."""
        domain, problem = self.task.start.layout.domain, self.task.problem
        if result.evidence is None or not has_trajectory_constraints(domain, problem):
            return diagnosis
        broken = broken_constraints(domain, problem, result.evidence.trajectory)
        reasons = [breaks(constraint) for constraint in broken]
        return replace(diagnosis, reasons=(*diagnosis.reasons, *reasons))

    def _failures(
        self, plan: Sequence[Action], executed: Sequence[Step], *, every: bool
    ) -> Iterator[_Reason]:
        """Yield the reason why a step fails, with its unmet conditions.

        Args:
            plan: The plan.
            executed: The steps before the first failure, with their recorded changes.
            every: Whether to continue after a failure, and yield the reasons of all failing steps.
        """
        # The recorded changes are applied, which is quicker than to execute the steps again.
        run = Run(self.task.world, self.task.start, "")
        for step in executed:
            run.state.apply(step.changes)
            run.record(step.action, step.number, step.changes)
        rules = DomainRules(skip=False)
        for number, action in enumerate(plan[len(executed) :], start=len(executed) + 1):
            outcome, finding = rules.take(run, action, number)
            if outcome != "failed" or finding is None:
                continue
            reason, unmet = self._explain_failure(run, action, finding, plan)
            sentence = f"{finding.kind}: {reason}"
            if not every:
                yield sentence, unmet
                return
            yield f"step {number}, {sentence}", unmet

    def _explain_failure(
        self, run: Run, action: Action, finding: Finding, plan: Sequence[Action]
    ) -> _Reason:
        """Return why an action fails in the current state, with the unmet conditions.

        Args:
            run: The run up to the step.
            action: The action of the step.
            finding: The error of the step.
            plan: All actions of the plan.
        """
        arguments = run.arguments(action)
        failing = run.world.failures(run.state, action.name, run.numbers(action))
        tests = [run.world.test(action.name, index, arguments) for index in failing]
        unmet = tuple(map(format_condition, tests))
        operator = run.world.operator(action.name)
        changes = changes_in_conflict(operator, failing[0], arguments)
        # The last tests are guards, which fail if an effect cannot be evaluated.
        is_about_effect = failing[0] >= len(operator.tests) - len(operator.guards)
        if is_about_effect and not changes:
            undefined = run.world.why_undefined(run.state, tests[0])
            if undefined:
                return f"an effect of the step cannot be evaluated: {undefined}", unmet
        return self._reason(run, finding, unmet, changes, plan), unmet

    @staticmethod
    def _reason(
        run: Run,
        finding: Finding,
        unmet: Sequence[str],
        changes: Sequence[NumericEffect],
        plan: Sequence[Action],
    ) -> str:
        """Return a sentence with the unmet condition of a step, and since when it is unmet.

        Args:
            run: The run up to the step.
            finding: The error of the step.
            unmet: The conditions that do not hold, as text.
            changes: Two changes of one number that the step would make.
            plan: The plan.
        """
        if changes:
            effects = " and ".join(map(format_effect, changes))
            return f"the step changes a number in two ways: {effects}"
        # The literal that is to blame, if it is known; otherwise the first condition is reported.
        formula = finding.evidence.formula if finding.evidence else None
        if formula is None:
            return f"{unmet[0]} does not hold{_history(finding, plan)}"
        # The condition may require that the cost of the action has a value (see `with_values`).
        term = missing_term(run.world, run.state, formula)
        if term:
            return f"the cost of the step is undefined: {term} has no value in :init"
        text = format_condition(formula)
        if leads_to_numbers(run.world, formula):
            undefined = run.world.why_undefined(run.state, formula)
            if undefined:
                return f"{text} cannot be evaluated: {undefined}"
            return f"{text} {_numbers(run, formula)}{_history(finding, plan)}"
        return f"{text} does not hold{_history(finding, plan)}"

    def _line(self, text: str | None, finding: Finding) -> int | None:
        """Return the line of a finding in the plan's text, counted from 1, or None."""
        if text is None or self.task.vocabulary.reader is None:
            return None
        # Findings of the reader know their place in the text.
        position = finding.position
        if position is None and finding.step is not None:
            # A finding of the execution only knows the number of its step.
            steps = self.task.vocabulary.reader(text).steps
            if finding.step <= len(steps):
                position = steps[finding.step - 1].position
        if position is None:
            return None
        return text.count("\n", 0, position) + 1

    def _repair(self, bound: BoundPlan) -> tuple[tuple[str, ...] | None, bool, str]:
        """Return the fewest edits, whether that number is proved, and why there are none."""
        from eai.abilities.plans import repair  # verdicts do without it
        from eai.planning import RepairBounds

        bounds = RepairBounds()
        result = repair(self.task, bound.actions, bounds=bounds)
        was_searched = result.edits or result.bound
        if not was_searched:
            return None, False, result.untried
        if result.edits:
            edits = tuple([_edit_text(edit, len(bound.actions)) for edit in result.edits])
            return edits, result.optimal, ""
        reason = f"no repair with fewer than {counted(result.bound, 'edit')} exists"
        # If the search ended before the maximum number of edits, it had another reason.
        if result.bound <= bounds.edits:
            reason += f"; {result.untried}"
        return None, False, reason


def _first_failed_step(result: Result) -> Finding | None:
    """Return the finding about the first failed step, or None if all succeeded."""
    for finding in result.findings:
        if finding.step and result.executed[finding.step - 1] == "failed":
            return finding
    return None


def _edit_text(edit: Edit, steps: int) -> str:
    """Return an edit of a plan in words."""
    old = f"step {edit.step}, {step_text(edit.old or '')}"
    new = step_text(edit.new or "")
    position = f"before step {edit.before}"
    if edit.before is not None and edit.before > steps:
        position = "at the end"
    # By the names of the kinds of edits, all of which are written: one of them is wanted.
    texts = {
        "insert": f"{position} insert {new}",
        "delete": f"delete {old}",
        "replace": f"replace {old} by {new}",
        "move": f"move {old}, before step {edit.before}",
    }
    return texts[edit.kind.value]


def _written_step(bound: BoundPlan, number: int | None) -> str:
    """Return a step of a plan in PDDL notation, or "" for step 0."""
    if number is None:
        return ""
    steps = bound.written or bound.actions
    return step_text(steps[number - 1])


def _diagnose_missed_goal(result: Result) -> Diagnosis:
    """Return the diagnosis of a plan by the conditions of the goal that it misses."""
    unmet_goals = []
    for goal in result.goals:
        if goal.formula and not goal.met:
            unmet_goals.append(goal.formula)
    diagnosis = Diagnosis(
        False,
        len(result.plan),
        kind=str(result.findings[-1].kind),
        unmet_goal=tuple(format_condition(goal) for goal in unmet_goals),
    )
    if result.evidence is None:
        return diagnosis
    trajectory = result.evidence.trajectory
    # The reasons tell the values of numbers in goals; other goals have none.
    values = [_goal_values(trajectory, goal) for goal in unmet_goals]
    return replace(diagnosis, reasons=tuple(text for text in values if text))


def breaks(constraint: Formula) -> str:
    """Return a reason for a plan that breaks a constraint on its way."""
    return f"{ErrorKind.PATH_GOAL}: the plan breaks {constraint}"


def _goal_values(trajectory: Trajectory, goal: Formula) -> str:
    """Return the values of the numbers in an unmet goal condition, or ""."""
    if not leads_to_numbers(trajectory.world, goal):
        return ""
    undefined = trajectory.world.why_undefined(trajectory.final, goal)
    if undefined:
        return f"goal: {format_condition(goal)} cannot be evaluated: {undefined}"
    values = values_told(trajectory, goal, write=format_expression)
    return f"goal: {format_condition(goal)} does not hold: {values}" if values else ""


def _numbers(run: Run, formula: Formula) -> str:
    """Say that a condition about numbers does not hold, and with which values."""
    values = values_told(run.trajectory, formula, write=format_expression)
    return f"does not hold: {values}" if values else "does not hold"


def _history(finding: Finding, plan: Sequence[Action]) -> str:
    """Return since when a condition is false, or that it never held, as the end of a sentence."""
    if finding.kind is ErrorKind.AFFORDANCE:
        return ", and no action changes that"
    if finding.kind.is_harmless:
        return "; the effects of the step hold already"
    if finding.destroyed_by is not None:
        destroying_step = plan[finding.destroyed_by - 1]
        return f"; it did until step {finding.destroyed_by}, {step_text(destroying_step)}"
    return "; it never did"


def diagnose(
    domain: Domain | str,
    problem: Problem | str,
    plan: str | Sequence[Action],
    *,
    phrases: Phrases | None = None,
    repair: bool = False,
) -> Diagnosis:
    """Return whether a plan is valid, and if not why; for several plans keep a :class:`Validator`.

    Args:
        domain: The domain, or its text.
        problem: The problem, or its text.
        plan: The text of a plan, or its steps.
        phrases: The words for actions and objects.
        repair: Whether to search the fewest edits that make the plan valid.

    Raises:
        ParseError: If a text is not a domain, a problem or a plan.
        InputError: If the domain cannot be run.
    """
    return Validator(domain, problem, phrases=phrases).diagnose(plan, repair=repair)


def published_lines(name: str, diagnosis: Diagnosis) -> str:
    """Return the lines that scripts look for in VAL 4's output about a plan.

    Args:
        name: Name of the plan.
        diagnosis: The diagnosis of the plan.
    """
    # Blank lines, and the blanks around the name, are as VAL 4 prints them: scripts match them.
    if diagnosis.valid:
        value = "unknown" if diagnosis.cost is None else f"{diagnosis.cost:g}"
        lines = ["Plan executed successfully - checking goal", "Plan valid"]
        lines += [f"Final value: {value} ", "", "Successful plans:", f"Value: {value}", f" {name} "]
        lines.append(value)
    else:
        lines = [*_failure_lines(diagnosis), "", "Failed plans:", f" {name} "]
    return "\n".join([f"Checking plan: {name}", *lines])


def _failure_lines(diagnosis: Diagnosis) -> list[str]:
    """Return VAL 4's lines on why a plan is invalid: unreadable, goal missed, or a step failed."""
    if diagnosis.kind in (ErrorKind.PARSING, ErrorKind.NO_ANSWER):
        return ["Bad plan description!"]
    if diagnosis.failed_step is None:
        lines = ["Plan executed successfully - checking goal", "Goal not satisfied"]
        lines += ["Plan invalid", "", "Plan Repair Advice:", "", "The goal is not satisfied"]
        return lines + [f"(Set {condition} to true)" for condition in diagnosis.unmet_goal]
    # VAL does not distinguish an unknown action from one with wrong arguments.
    action = diagnosis.action
    if not diagnosis.unmet:
        return ["Error: Bad operator in plan!", action]
    lines = ["Plan failed to execute", "Plan failed because of unsatisfied precondition in:"]
    lines += [action, "", "Plan Repair Advice:", ""]
    lines.append(f"{action} has an unsatisfied precondition at time {diagnosis.failed_step}")
    return lines + [f"(Set {condition} to true)" for condition in diagnosis.unmet]
