"""Our planner as an engine of unified-planning: it plans, and validates plans.

The module needs unified-planning; :func:`eai.planning.unified.register` names it there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import unified_planning as up
from unified_planning.engines import (
    Engine,
    FailedValidationReason,
    LogLevel,
    LogMessage,
    PlanGenerationResult,
    PlanGenerationResultStatus as Status,
    ValidationResult,
    ValidationResultStatus,
)
from unified_planning.engines.mixins import OneshotPlannerMixin, PlanValidatorMixin
from unified_planning.plans import ActionInstance, PlanKind, SequentialPlan

from eai.errors import InputError
from eai.planning.planner import plan as find_plan
from eai.planning.results import Outcome
from eai.planning.unified.interchange import write_text
from eai.planning.validation import validate
from eai.world import Action

_STATUS_BY_OUTCOME = {
    Outcome.SOLVED: Status.SOLVED_SATISFICING,
    Outcome.UNSOLVABLE: Status.UNSOLVABLE_PROVEN,
    Outcome.INCOMPLETE: Status.UNSOLVABLE_INCOMPLETELY,
    Outcome.TIME_LIMIT: Status.TIMEOUT,
    Outcome.MEMORY_LIMIT: Status.MEMOUT,
    Outcome.REJECTED: Status.UNSUPPORTED_PROBLEM,
}


class EaiPlanner(Engine, OneshotPlannerMixin, PlanValidatorMixin):  # type: ignore[misc]
    """``OneshotPlanner(name="eai")`` and ``PlanValidator(name="eai")``."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401, ARG002 - there are none
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        PlanValidatorMixin.__init__(self)

    @property
    def name(self) -> str:
        """Its name in unified-planning."""
        return "eai"

    @staticmethod
    def supported_kind() -> up.model.ProblemKind:
        """Return the supported features of problems: ADL with action costs.

        This is how a planner declares to unified-planning which features it can handle.
        """
        problem_kind = up.model.ProblemKind(
            version=up.model.problem_kind.LATEST_PROBLEM_KIND_VERSION
        )
        problem_kind.set_problem_class("ACTION_BASED")
        # Conditions and effects of ADL.
        for feature in ("FLAT", "HIERARCHICAL"):
            problem_kind.set_typing(f"{feature}_TYPING")
        for feature in ("NEGATIVE", "DISJUNCTIVE", "EXISTENTIAL", "UNIVERSAL"):
            problem_kind.set_conditions_kind(f"{feature}_CONDITIONS")
        problem_kind.set_conditions_kind("EQUALITIES")
        for feature in ("CONDITIONAL", "FORALL"):
            problem_kind.set_effects_kind(f"{feature}_EFFECTS")
        # Action costs, which are static numbers or functions.
        for feature in ("ACTIONS_COST", "PLAN_LENGTH"):
            problem_kind.set_quality_metrics(feature)
        for feature in ("STATIC_FLUENTS", "INT_NUMBERS", "REAL_NUMBERS"):
            problem_kind.set_actions_cost_kind(f"{feature}_IN_ACTIONS_COST")
        for feature in ("INT", "REAL"):
            problem_kind.set_fluents_type(f"{feature}_FLUENTS")
        return problem_kind

    @staticmethod
    def supports(problem_kind: up.model.ProblemKind) -> bool:
        """Whether problems of a kind can be said in ADL with action costs."""
        return bool(problem_kind <= EaiPlanner.supported_kind())

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        """Whether plans of a kind are validated: sequences are."""
        return bool(plan_kind is PlanKind.SEQUENTIAL_PLAN)

    def _solve(
        self,
        problem: Any,  # noqa: ANN401
        heuristic: object = None,  # noqa: ARG002 - we have our own
        timeout: float | None = None,
        output_stream: object = None,  # noqa: ARG002 - nothing is printed
    ) -> PlanGenerationResult:
        """Find a plan. unified-planning calls it for ``OneshotPlanner.solve``.

        Args:
            problem: A problem of unified-planning.
            heuristic: Not used.
            timeout: Seconds of processor time; None for no limit.
            output_stream: Not used.
        """
        try:
            text = write_text(problem)
        except InputError as error:
            status = Status.UNSUPPORTED_PROBLEM
            log = _log(error)
            return PlanGenerationResult(status, None, self.name, {}, log)
        result = find_plan(text.domain, text.problem, time_limit=timeout)
        status = _STATUS_BY_OUTCOME.get(result.outcome, Status.INTERNAL_ERROR)
        if result.optimal:
            status = Status.SOLVED_OPTIMALLY
        plan: SequentialPlan | None = None
        if result.solved:
            plan = _unified_plan(result.plan or (), problem, text.writer)
        return PlanGenerationResult(status, plan, self.name, {}, _log(result.reason))

    def validate(self, problem: Any, plan: Any) -> ValidationResult:  # noqa: ANN401
        """Return whether a plan works; UNKNOWN, with a reason, for what cannot be validated."""
        # The inherited method raises for kinds of problems and plans that are not supported.
        return self._validate(problem, plan)

    def _validate(self, problem: Any, plan: Any) -> ValidationResult:  # noqa: ANN401
        """Validate a plan. unified-planning calls it for ``PlanValidator.validate``.

        Returns:
            Valid, or invalid with the action that is not applicable; unknown if the plan or the
            problem cannot be expressed here.
        """
        if not isinstance(plan, SequentialPlan):
            return self._unknown(f"a plan of the class {type(plan).__name__} is not a sequence")
        try:
            text = write_text(problem)
            steps = [_step(instance, problem, text.writer) for instance in plan.actions]
            validation = validate(text.domain, text.problem, steps)
        except InputError as error:
            return self._unknown(error)
        if validation.valid:
            return ValidationResult(ValidationResultStatus.VALID, self.name, [])
        # Without a failed step, the plan was executed but misses the goal.
        failed_action = None
        reason = FailedValidationReason.UNSATISFIED_GOALS
        if validation.step is not None:
            failed_action = plan.actions[validation.step - 1]
            reason = FailedValidationReason.INAPPLICABLE_ACTION
        status = ValidationResultStatus.INVALID
        log = _log(validation.reason)
        return ValidationResult(status, self.name, log, None, reason, failed_action)

    def _unknown(self, reason: object) -> ValidationResult:
        """Return the result of a plan of which nothing is known."""
        return ValidationResult(ValidationResultStatus.UNKNOWN, self.name, _log(reason))


def _unified_plan(
    steps: Sequence[Action],
    problem: Any,  # noqa: ANN401 - untyped library
    writer: Any,  # noqa: ANN401
) -> SequentialPlan:
    """Return steps as a plan of unified-planning, in the names of its problem.

    Args:
        steps: The steps.
        problem: The problem of unified-planning.
        writer: Knows what our names stand for (see :class:`UnifiedText`).
    """
    find_item = writer.get_item_named
    make_object = problem.environment.expression_manager.ObjectExp
    instances = []
    for step in steps:
        arguments = [make_object(find_item(name)) for name in step.arguments]
        instances.append(ActionInstance(find_item(step.name), arguments))
    return SequentialPlan(instances, problem.environment)


def _step(instance: Any, problem: Any, writer: Any) -> Action:  # noqa: ANN401 - untyped library
    """Return a step of a plan of unified-planning as an action, in the names of the PDDL text.

    Raises:
        InputError: If the problem has no such action or object.
    """
    # Objects are looked up by name, because the plan may belong to an equal copy of the problem.
    name = instance.action.name
    values = instance.actual_parameters
    if not problem.has_action(name):
        raise InputError(
            f"the problem has no action {name!r}",
            where="plan",
            expected=f"one of {', '.join(action.name for action in problem.actions)}",
        )
    for value in values:
        if not (value.is_object_exp() and problem.has_object(value.object().name)):
            raise InputError(f"the problem has no object {value}", where="plan")
    objects = [problem.object(value.object().name) for value in values]
    arguments = tuple(writer.get_pddl_name(argument) for argument in objects)
    return Action(writer.get_pddl_name(problem.action(name)), arguments)


def _log(message: object) -> list[LogMessage]:
    """Return a message as unified-planning lists messages."""
    return [LogMessage(LogLevel.INFO, str(message))]
