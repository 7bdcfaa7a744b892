"""The value of a plan: metrics over numbers, and violations of preferences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from eai.errors import InputError
from eai.logic import (
    Arithmetic,
    Atom,
    Evaluation,
    Expression,
    Formula,
    Rational,
    Variable,
    bindings,
    conjuncts,
    function_terms,
)
from eai.pddl import TOTAL_COST, TOTAL_TIME, VIOLATIONS, Domain, Preference, Problem
from eai.planning.timing import Timeline
from eai.world import Action, Step, Trajectory, UndefinedError, said_undefined, world_of


def executed(domain: Domain, problem: Problem, plan: Sequence[Action]) -> Trajectory:
    """Return the trajectory of a plan that must be executable.

    Raises:
        InputError: If the task does not know a step.
    """
    world = world_of(domain)
    start = world.state(problem.objects, problem.initial, problem.values)
    state = start.begin()
    steps = []
    for step_number, action in enumerate(plan, start=1):
        arguments = world.numbers(state, action.name, action.arguments)
        steps.append(Step(action, step_number, world.apply(state, action.name, arguments)))
    return Trajectory(world, start, steps, state)


def cost_of(
    domain: Domain,
    problem: Problem,
    plan: Sequence[Action],
    *,
    trajectory: Trajectory | None = None,
) -> float:
    """Return the cost of a valid plan: the value of the problem's metric, its length without one.

    Args:
        domain: The domain.
        problem: The problem.
        plan: A plan that works.
        trajectory: Its execution, if it is known. The cost is read from its states if these have
            numbers.

    Raises:
        InputError: If a step adds a function term that has no value, or the metric has none.
    """
    if problem.metric is None:
        return float(len(plan))
    # The states of a domain without numbers do not have the cost, so the plan is run again.
    if trajectory is not None and domain.has_numbers:
        return metric_value(domain, problem, trajectory)
    counting = domain.with_numbers
    if domain.has_numbers or not problem.minimize:
        return metric_value(counting, problem, executed(counting, problem, plan))
    return _total_cost(counting, problem, plan, depends_on_facts=domain.has_conditional_costs)


def _total_cost(
    domain: Domain, problem: Problem, plan: Sequence[Action], *, depends_on_facts: bool
) -> float:
    """Return the sum of the action costs of a plan.

    Args:
        domain: The domain, with costs as numbers.
        problem: The problem.
        plan: A plan that works, so that preconditions are not tested again.
        depends_on_facts: Whether costs depend on facts; otherwise facts are not updated.

    Raises:
        InputError: If a step adds a function term that has no value.
    """
    world = world_of(domain)
    # If costs do not depend on facts, which is usual, the facts need not be updated.
    facts: Sequence[Atom] = ()
    if depends_on_facts:
        facts = problem.initial
    state = world.state(problem.objects, facts, problem.values)
    total = world.value(state, TOTAL_COST)
    try:
        # The plan is known to be valid, so preconditions are not tested again.
        for action in plan:
            object_numbers = world.numbers(state, action.name, action.arguments)
            for _, _, amount in world.operator(action.name).numeric_effect(state, *object_numbers):
                total += amount
            if depends_on_facts:
                world.apply(state, action.name, object_numbers)
    except UndefinedError as error:
        raise InputError(said_undefined(state, error), where="(:init ...)") from error
    return float(total)


def metric_value(
    domain: Domain,
    problem: Problem,
    trajectory: Trajectory,
    *,
    total_time: Rational | None = None,
    times: Sequence[Rational] | None = None,
) -> float:
    """Return the metric's value at the end of a plan, or the plan's length without a metric.

    Args:
        domain: The domain, which keeps numbers.
        problem: The problem.
        trajectory: The plan's execution.
        total_time: Value of ``total-time``; the number of steps unless it is given.
        times: The time of each position, in plans with times.

    Raises:
        InputError: If the metric cannot be evaluated.
    """
    if problem.metric is None:
        return float(len(trajectory.steps))
    metric = problem.metric.expression
    if total_time is None:
        total_time = len(trajectory.steps)
    values: dict[Atom, Rational] = {TOTAL_TIME: total_time}
    violations: Mapping[str, int] | None = None
    # Violations are only counted if they are in the metric, because counting takes long.
    for term in function_terms(metric):
        if term.predicate == VIOLATIONS:
            if violations is None:
                violations = violated(domain, problem, trajectory, times)
            values[term] = violations.get(str(term.terms[0]), 0)
    try:
        return float(trajectory.world.value(trajectory.final, _insert_values(metric, values)))
    except UndefinedError as error:
        raise InputError(said_undefined(trajectory.final, error), where="metric") from None
    except OverflowError:
        raise InputError("the value of the metric is too large", where="metric") from None


def _insert_values(expression: Expression, values: Mapping[Atom, Rational]) -> Expression:
    """Return an expression in which some function terms are replaced by values."""
    if isinstance(expression, Atom):
        return values.get(expression, expression)
    if isinstance(expression, Arithmetic):
        operands = [_insert_values(operand, values) for operand in expression.operands]
        return Arithmetic(expression.sign, tuple(operands))
    return expression


def violated(
    domain: Domain,
    problem: Problem,
    trajectory: Trajectory,
    times: Sequence[Rational] | None = None,
) -> Mapping[str, int]:
    """Return how often a plan violates each preference, without those that it satisfies.

    A preference under ``forall`` counts once for each binding, one of a precondition once for each
    step that violates it. Several of one name add up.

    Args:
        domain: The domain.
        problem: The problem.
        trajectory: The plan's execution.
        times: The time of each position, in plans with times.
    """
    counts: Counter[str] = Counter()
    # One test for all formulas: it keeps the histories of atoms that several of them have.
    holds = _make_test(trajectory, times)
    for preference in (*problem.preferences, *domain.preferences):
        for formula in _formulas_of_preference(preference, trajectory, {}):
            if not holds(formula):
                counts[preference.name] += 1
    counts.update(_violated_in_preconditions(trajectory))
    return counts


def _violated_in_preconditions(trajectory: Trajectory) -> Iterator[str]:
    """Yield the name of a preference each time that a step violates it in its precondition.

    Such a preference is tested in the state before the step.
    """
    for position, step in enumerate(trajectory.steps):
        operator = trajectory.world.operator(step.action.name).operator
        # A preference mentions the parameters, whose objects the step gives.
        parameter_names = [parameter.name for parameter in operator.parameters]
        binding = dict(zip(parameter_names, step.action.arguments, strict=True))
        for preference in operator.preferences:
            for formula in _formulas_of_preference(preference, trajectory, binding):
                if not trajectory.condition(formula) >> position & 1:
                    yield preference.name


def _formulas_of_preference(
    preference: Preference, trajectory: Trajectory, binding: Mapping[str, str]
) -> Iterator[Formula]:
    """Yield the formula of a preference for each binding of its variables.

    Each instance that is violated counts once in the metric.

    Args:
        preference: The preference.
        trajectory: The execution, which knows the objects.
        binding: Objects of variables that are bound around it.
    """
    if not preference.variables:
        yield preference.formula.substitute(binding)
        return
    variables: tuple[Variable, ...] = preference.variables
    for full in bindings(variables, trajectory.objects, dict(binding)):
        yield preference.formula.substitute(full)


def broken_constraints(
    domain: Domain,
    problem: Problem,
    trajectory: Trajectory,
    times: Sequence[Rational] | None = None,
) -> list[Formula]:
    """Return the trajectory constraints that a plan violates.

    Args:
        domain: The domain.
        problem: The problem.
        trajectory: Execution of the plan.
        times: Time of each position, for constraints such as ``within``; None if they count steps.
    """
    holds = _make_test(trajectory, times)
    every = [*conjuncts(domain.constraints), *conjuncts(problem.constraints)]
    return [constraint for constraint in every if not holds(constraint)]


def _make_test(
    trajectory: Trajectory, times: Sequence[Rational] | None
) -> Callable[[Formula], bool]:
    """Return a function that tests a formula on a trajectory.

    Args:
        trajectory: The execution of a plan.
        times: Time of each position; None if constraints count steps.
    """
    evaluation = Evaluation(trajectory)
    if times is None:
        return lambda formula: bool(evaluation.verdict(formula, reading="ltlf"))
    timeline = Timeline(trajectory, times)

    def holds(formula: Formula) -> bool:
        """Return whether a formula holds on a plan with times."""
        # Modes that count in time become true or false; all others are temporal logic.
        decided = timeline.decide_timed_modes(formula)
        return bool(evaluation.verdict(decided, reading="ltlf"))

    return holds
