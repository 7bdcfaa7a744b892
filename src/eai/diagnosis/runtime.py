"""Execution of a plan step by step, and the kind of error of a step that fails.

The kinds follow the paper's Figure 19 and section D.2, for any domain:

1. a test of the precondition that no action can ever change fails: *affordance error*;
2. the effects hold already: *additional step* (an action whose effects all depend on conditions
   is none: where no condition holds, nothing was to be reached);
3. a test fails that held earlier in this trajectory: *wrong order*; that never held: *missing
   step*.

The first rule that applies decides: whoever cannot use an object at all is not told about the
order, and whoever has reached an effect is not told how to reach it. A condition that never held
comes before one that did: without it no other order would do.
"""

from __future__ import annotations

from typing import Protocol

from eai.diagnosis.evidence import Evidence
from eai.diagnosis.goals import last_held, text_of
from eai.diagnosis.result import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.logic import Formula
from eai.world import Action, Change, ConditionHistories, State, Step, Trajectory, World


class Run:
    """A plan during its execution.

    Args:
        world: The world.
        start: The initial state; it is not changed.
        agent: The object that acts; it is put before the arguments of every action. Empty if
            nobody acts.
        demanded: Names of the actions that the goal demands for their own sake.
    """

    __slots__ = ("_histories", "agent", "demanded", "start", "state", "steps", "world")

    def __init__(
        self, world: World, start: State, agent: str, *, demanded: frozenset[str] = frozenset()
    ) -> None:
        """Begin an execution in a copy of the initial state."""
        # A run is made for every plan that is rewarded, so nothing is worked out here.
        self.world = world
        self.start = start
        self.state = start.begin()
        self.agent = agent
        self.demanded = demanded
        self.steps: list[Step] = []
        self._histories: ConditionHistories | None = None

    @property
    def trajectory(self) -> Trajectory:
        """The trajectory so far."""
        # Most runs never ask for one, and those that do ask after every failed step.
        if self._histories is None:
            self._histories = ConditionHistories(self.world, self.start, self.steps)
        return Trajectory(self.world, self.start, self.steps, self.state, self._histories)

    def arguments(self, action: Action) -> tuple[str, ...]:
        """Return the arguments of the operator: the agent, then those of the plan."""
        return action.by(self.agent)

    def numbers(self, action: Action) -> tuple[int, ...]:
        """Return the object numbers of the operator's arguments (see :meth:`World.numbers`)."""
        return self.world.numbers(self.state, action.name, self.arguments(action))

    def record(self, action: Action, number: int, changes: list[Change]) -> None:
        """Note that an action was done as step ``number`` of the plan (from 1)."""
        self.steps.append(Step(action, number, changes))


class Rules(Protocol):
    """The rules by which steps are executed and failed steps are classified."""

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """Execute one step, or return why it cannot be executed.

        Args:
            run: The execution so far; it is advanced if the step is done.
            action: The step.
            number: Its 1-based number in the plan.

        Returns:
            ``"done"``, ``"skipped"`` (and the plan goes on) or ``"failed"`` (it stops), with a
            finding unless the step was simply done.

        Raises:
            UnknownNameError: If the action or an object is unknown.
            InputError: If the number or a type of the arguments is wrong.
        """


class DomainRules:
    """The rules of the paper, derived from a domain (semantics ``strict``).

    Args:
        described: Whether findings are made. Without them the outcomes are the same and come
            faster.
        skip: Whether a step that cannot be done, but whose effects hold, is passed over. In PDDL
            it fails.
    """

    def __init__(self, *, described: bool = True, skip: bool = True) -> None:
        self._described = described
        self._skip = skip

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """Execute and classify a step; see :meth:`Rules.take`."""
        # This is called for every step of every plan that is rewarded: the case that a step can be
        # done comes first, and nothing is looked up that it does not need.
        world = run.world
        name = action.name
        numbers = run.numbers(action)
        outcome = self.outcome(world, run.state, name, numbers)
        if outcome == "done":
            changes = world.apply(run.state, name, numbers)
            run.record(action, number, changes)
            if not self._described or changes or name in run.demanded:
                return "done", None
            if world.operator(name).always_acts:
                return "done", _redundant_step(action, number)
            return "done", None
        if not self._described:
            return outcome, None
        if outcome == "skipped":
            return outcome, _redundant_step(action, number)
        return "failed", self._failed_step(run, action, number, numbers)

    def _failed_step(
        self, run: Run, action: Action, step_number: int, object_ids: tuple[int, ...]
    ) -> Finding:
        """Return the finding for a failed step: the kind of error and the violated conditions.

        Args:
            run: The execution up to the step.
            action: The step.
            step_number: Its 1-based number.
            object_ids: Object numbers of the operator's arguments.
        """
        # The order of the questions is that of the rules at the top of this module.
        world = run.world
        name = action.name
        failed_tests, static_tests = _failed_tests(world, run.state, name, object_ids)
        arguments = run.arguments(action)
        # No action can mend a static condition, so the others are not worth naming beside it.
        named_tests = static_tests or failed_tests
        unmet = [world.test(name, test_index, arguments) for test_index in named_tests]
        if static_tests:
            return runtime_finding(run, action, step_number, ErrorKind.AFFORDANCE, unmet)
        if _is_idle(world, run.state, name, object_ids):
            return runtime_finding(run, action, step_number, ErrorKind.ADDITIONAL_STEP, unmet)
        # The history of a condition is computed from the trajectory, so it comes last.
        trajectory = run.trajectory
        never_held = [condition for condition in unmet if not trajectory.condition(condition)]
        if never_held:
            return runtime_finding(run, action, step_number, ErrorKind.MISSING_STEP, never_held)
        return runtime_finding(run, action, step_number, ErrorKind.WRONG_ORDER, unmet)

    def outcome(self, world: World, state: State, name: str, numbers: tuple[int, ...]) -> str:
        """Return the outcome of a step in a state: ``"done"``, ``"skipped"`` or ``"failed"``.

        Args:
            world: The world.
            state: The state; it is not changed.
            name: Name of the operator.
            numbers: Object numbers of its arguments, the agent's among them.
        """
        if world.first_failure(state, name, numbers) < 0:
            return "done"
        return self.refused(world, state, name, numbers)

    def refused(self, world: World, state: State, name: str, numbers: tuple[int, ...]) -> str:
        """Return the outcome of an inapplicable step: ``"skipped"`` or ``"failed"``.

        Args:
            world: The world.
            state: The state; it is not changed.
            name: Name of the operator.
            numbers: Object numbers of its arguments, the agent's among them.
        """
        if not self._skip or not _is_idle(world, state, name, numbers):
            return "failed"
        # An affordance error is one even where the effects hold by chance.
        _, static = _failed_tests(world, state, name, numbers)
        if static:
            return "failed"
        return "skipped"


def _is_idle(world: World, state: State, name: str, numbers: tuple[int, ...]) -> bool:
    """Return whether an action that always has effects would change nothing."""
    return world.operator(name).always_acts and not world.changes(state, name, numbers)


def _failed_tests(
    world: World, state: State, name: str, numbers: tuple[int, ...]
) -> tuple[list[int], list[int]]:
    """Return the failing tests, and those among them that are static."""
    tests = world.operator(name).tests
    failed = world.failures(state, name, numbers)
    return failed, [i for i in failed if world.domain.is_static(tests[i])]


def runtime_finding(
    run: Run,
    action: Action,
    step_number: int,
    error_kind: ErrorKind,
    unmet_conditions: list[Formula],
) -> Finding:
    """Return the finding for a failed step, with the history of its conditions.

    Args:
        run: The execution up to the step.
        action: The step.
        step_number: Its 1-based number.
        error_kind: The kind of error.
        unmet_conditions: The conditions to name, most important first.
    """
    # Only a wrong order has a past: of the other kinds no condition held and was destroyed.
    condition_history = 0
    if unmet_conditions and error_kind is ErrorKind.WRONG_ORDER:
        condition_history = run.trajectory.condition(unmet_conditions[0])
    held_until, destroyed_by = last_held(condition_history, run.steps)
    evidence = None
    if unmet_conditions:
        # The run continues to change its state, which can be restored from the steps so far.
        trajectory = Trajectory(run.world, run.start, tuple(run.steps))
        evidence = Evidence(trajectory, unmet_conditions[0])
    return Finding(
        error_kind,
        step=step_number,
        action=str(action),
        conditions=tuple([text_of(condition) for condition in unmet_conditions]),
        held_until=held_until,
        destroyed_by=destroyed_by,
        evidence=evidence,
    )


def _redundant_step(action: Action, number: int) -> Finding:
    """Return the finding of a step whose effects hold already."""
    return Finding(ErrorKind.ADDITIONAL_STEP, step=number, action=str(action))
