"""Plans with times: when actions start and end, and what happens at each time.

Semantics of PDDL 2.1 (Fox & Long 2003) and 2.2 (timed literals: Edelkamp & Hoffmann 2004). A
durative action is two instant ones, its start and its end, and an invariant between them. What
happens at one time is a *happening*:

1. the conditions of all its actions are tested in the state before it;
2. no two of them may *interfere*: one must not read, add or delete what the other adds or deletes,
   even if nothing becomes false by that;
3. all their effects happen at once;
4. the invariants of the actions that are going on then are tested in the state after it.

So an effect is there for other actions only *after* its time. The state of each happening is a
position of a trajectory, on which formulas and explanations work as they do elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, groupby
from operator import itemgetter
from typing import NamedTuple

from eai.errors import InputError
from eai.logic import (
    TRUE,
    Atom,
    Formula,
    NumericCondition,
    Quantifier,
    Rational,
    Variable,
    bindings,
    conjuncts,
    function_terms,
    numeric_terms,
    substituted_term,
)
from eai.pddl import (
    DURATION,
    AddEffect,
    Clause,
    DeleteEffect,
    Domain,
    Function,
    NumericClause,
    Operator,
    Problem,
    clauses,
    numeric_clauses,
)
from eai.world.action import Action
from eai.world.numbers import NumberChange, NumericChanges, UndefinedError, numbers_of
from eai.world.state import Change, State
from eai.world.trajectory import Step, Trajectory
from eai.world.transition import World, world_of

TOLERANCE = Fraction(1, 1000)
"""Difference that a duration may have from what is asked: planners write three decimals."""


@dataclass(frozen=True, slots=True)
class TimedStep:
    """A step with a start time and perhaps a duration.

    Args:
        time: When it starts.
        action: The action.
        duration: How long it takes; None if nothing is said.
    """

    time: Rational
    action: Action
    duration: Rational | None = None

    @property
    def end(self) -> Rational:
        """When it ends; a step without duration ends where it begins."""
        return self.time + (self.duration or 0)


class _UnderWay(NamedTuple):
    """A durative action that has started and not ended.

    Args:
        end: When it ends.
        invariant: The condition that has to hold until then.
    """

    end: Rational
    invariant: Formula


@dataclass(frozen=True, slots=True)
class TimedEvent:
    """The start or end of a durative action, or a timed literal.

    Args:
        time: When.
        step: 1-based number of the step in the plan; 0 for a timed literal.
        action: The start or end as an instant action.
        duration: Duration of the step.
    """

    time: Rational
    step: int
    action: Action
    duration: Rational


@dataclass(frozen=True, slots=True)
class TimedFailure:
    """The reason why a temporal plan fails.

    Args:
        time: When.
        step: 1-based number of the step that fails; 0 if none does.
        reason: Why, in one word: ``"condition"``, ``"invariant"``, ``"interference"``,
            ``"duration"``.
        condition: The condition that does not hold; None for interference.
        other: Number of the other step that it interferes with, or that makes the condition true
            at the same time, which is too late; 0 if there is none.
        term: The fact or number about which they interfere.
    """

    time: Rational
    step: int
    reason: str
    condition: Formula | None = None
    other: int = 0
    term: Atom | None = None


@dataclass(frozen=True, slots=True)
class Schedule:
    """The execution of a temporal plan.

    Args:
        trajectory: The happenings so far: a step for each event.
        times: The time of each event.
        end: The end of the last action.
        failure: Why it stops; None if everything could be done.
    """

    trajectory: Trajectory
    times: tuple[Rational, ...]
    end: Rational
    failure: TimedFailure | None = None

    def happenings(self) -> tuple[Trajectory, list[Rational]]:
        """Return a trajectory with one position per time point, and these times.

        Steps at the same time are joined to a single step, since trajectory constraints (such as
        ``always``) see one state for each time. The first time is 0, that of the initial state.
        """
        steps: list[Step] = []
        times: list[Rational] = [0]
        trajectory = self.trajectory
        timed_steps = zip(self.times, trajectory.steps, strict=True)
        for time, group in groupby(timed_steps, key=itemgetter(0)):
            # One position for all that happens at the same time; the first step gives its name.
            simultaneous_steps = [step for _, step in group]
            atom_changes: list[Change] = []
            number_changes: list[NumberChange] = []
            for step in simultaneous_steps:
                atom_changes += step.changes
                number_changes += numbers_of(step.changes)
            joint = NumericChanges(atom_changes, number_changes)
            steps.append(Step(simultaneous_steps[0].action, simultaneous_steps[0].number, joint))
            times.append(time)
        return Trajectory(trajectory.world, trajectory.start, steps, trajectory.final), times


def instant_domain(domain: Domain, problem: Problem) -> Domain:
    """Return the domain in which starts, ends and timed literals are instant actions.

    A plan with durations is executed as a sequence of these. ``?duration`` becomes a function
    without arguments, which is set before each of them.
    """
    operators = dict(domain.operators)
    for durative in domain.durative.values():
        operators[durative.start.name] = durative.start
        operators[durative.end.name] = durative.end
    for literal in problem.timed:
        effect = AddEffect(literal.atom) if literal.value else DeleteEffect(literal.atom)
        name = _timed_name(literal.atom, value=literal.value)
        operators[name] = Operator(name, (), TRUE, effect)
    functions = {**domain.functions, DURATION.predicate: Function(DURATION.predicate)}
    return replace(domain, operators=operators, functions=functions, keeps_numbers=True)


def _timed_name(atom: Atom, *, value: bool) -> str:
    """Return the name of the action that makes a timed literal true: ``not open(shop)``."""
    return str(atom) if value else f"not {atom}"


class Scheduler:
    """Executes temporal plans for one task.

    Args:
        domain: The domain.
        problem: The problem.

    Raises:
        InputError: If the domain cannot be run.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain = domain
        self.problem = problem
        self.world: World = world_of(instant_domain(domain, problem))
        self.start = self.world.state(problem.objects, problem.initial, problem.values)
        self._duration_key = self.start.key_of(DURATION)

    def run(self, plan: Sequence[TimedStep]) -> Schedule:
        """Execute a plan until an action fails.

        Raises:
            UnknownNameError: If the task does not know an action or an object.
            InputError: If arguments are wrong, or a time or duration is negative.
        """
        # The order is stable: events of one moment stay in the order of the plan.
        events = sorted(self._events(plan), key=lambda event: event.time)
        end = max((step.end for step in plan), default=0)
        state = self.start.begin()
        steps: list[Step] = []
        times: list[Rational] = []
        under_way: dict[int, _UnderWay] = {}  # by the number of a step
        failure: TimedFailure | None = None
        for time, simultaneous in groupby(events, key=lambda event: event.time):
            events_now = list(simultaneous)
            # First the tests of all events, in the state before any of them; then all changes.
            failure = self._failing_condition(events_now, state)
            failure = failure or self._interference(events_now, state)
            if failure is not None:
                break
            for event in events_now:
                changes = self._apply(event, state)
                steps.append(Step(event.action, event.step, changes))
                times.append(time)
            # Steps that begin here are watched from now on, and those that end here no more: an
            # invariant need not hold at the end of its step (PDDL 2.1, section 5).
            under_way.update(self._steps_begun_at(time, plan))
            under_way = {number: step for number, step in under_way.items() if step.end > time}
            failure = self._broken_invariant(under_way, state, time)
            if failure is not None:
                break
        trajectory = Trajectory(self.world, self.start, steps, state)
        return Schedule(trajectory, tuple(times), end, failure)

    def _steps_begun_at(
        self, time: Rational, plan: Sequence[TimedStep]
    ) -> Iterator[tuple[int, _UnderWay]]:
        """Yield (number, step) for the durative steps that start at a time."""
        for step_number, step in enumerate(plan, start=1):
            durative = self.domain.durative.get(step.action.name)
            if durative is None or step.time != time:
                continue
            names = [variable.name for variable in durative.parameters]
            binding = dict(zip(names, step.action.arguments, strict=True))
            yield step_number, _UnderWay(step.end, durative.invariant.substitute(binding))

    def check(self, step: TimedStep) -> None:
        """Raise an error for a step with unknown names or negative times.

        Raises:
            UnknownNameError: If the task does not know the action or an object.
            InputError: If arguments are wrong, or a time or duration is negative.
        """
        if step.time < 0 or (step.duration or 0) < 0:
            raise InputError("a time or duration is negative", where=str(step.action))
        durative = self.domain.durative.get(step.action.name)
        name = step.action.name if durative is None else durative.start.name
        self.world.numbers(self.start, name, step.action.arguments)

    def _events(self, plan: Sequence[TimedStep]) -> Iterator[TimedEvent]:
        """Yield the starts and ends of steps and the timed literals, unordered.

        An instant action is one event. A durative one has two, which share the number of their
        step. Steps count from 1; 0 stands for literals that the problem sets at a time.
        """
        for literal in self.problem.timed:
            name = _timed_name(literal.atom, value=literal.value)
            yield TimedEvent(literal.time, 0, Action(name), 0)
        for step_number, step in enumerate(plan, start=1):
            self.check(step)
            durative = self.domain.durative.get(step.action.name)
            if durative is None:
                yield TimedEvent(step.time, step_number, step.action, 0)
                continue
            duration = step.duration or 0
            arguments = step.action.arguments
            yield TimedEvent(
                step.time, step_number, Action(durative.start.name, arguments), duration
            )
            yield TimedEvent(step.end, step_number, Action(durative.end.name, arguments), duration)

    def _set_duration(self, event: TimedEvent, state: State) -> None:
        """Let ``?duration`` stand for the duration of a step."""
        state.set_numbers([NumberChange(self._duration_key, None, event.duration)])

    def _numbers(self, event: TimedEvent) -> tuple[int, ...]:
        """Return the numbers of the objects that an event is about."""
        universe = self.start.universe
        return tuple([universe.number(name) for name in event.action.arguments])

    def _apply(self, event: TimedEvent, state: State) -> list[Change]:
        """Make the changes of an event."""
        self._set_duration(event, state)
        return self.world.apply(state, event.action.name, self._numbers(event))

    def _failing_condition(
        self, happening: Sequence[TimedEvent], state: State
    ) -> TimedFailure | None:
        """Return the first violated condition before a happening, or None.

        Args:
            happening: The events of one moment.
            state: The state before it.

        Returns:
            The failure; None if all conditions hold. Bounds on the duration are compared with a
            tolerance, since plans round their times.
        """
        for event in happening:
            self._set_duration(event, state)
            object_ids = self._numbers(event)
            # All that fail, since a bound on the duration that fails may be nearly met.
            for test_index in self.world.failures(state, event.action.name, object_ids):
                test = self.world.test(event.action.name, test_index, event.action.arguments)
                if isinstance(test, NumericCondition) and test.left == DURATION:
                    if self._is_nearly(test, event, state):
                        continue
                    return TimedFailure(event.time, event.step, "duration", test)
                achiever = self._simultaneous_achiever(happening, test, state)
                return TimedFailure(event.time, event.step, "condition", test, achiever)
        return None

    def _simultaneous_achiever(
        self, happening: Iterable[TimedEvent], test: Formula, state: State
    ) -> int:
        """Return the number of the step that makes a fact true at the same time, or 0.

        A fact that becomes true at the same moment is too late in PDDL. This is a frequent mistake
        in plans that start one step when another ends.

        Args:
            happening: All events at one time.
            test: The fact.
            state: The state before them.
        """
        for event in happening:
            if test in self._access_of(event, state).added:
                return event.step
        return 0

    def _is_nearly(self, test: NumericCondition, event: TimedEvent, state: State) -> bool:
        """Return whether a duration is within the tolerance of the required one."""
        try:
            wanted = self.world.value(state, test.right)
        except UndefinedError:
            return False
        return abs(Fraction(event.duration) - wanted) <= TOLERANCE

    def _broken_invariant(
        self, under_way: Mapping[int, _UnderWay], state: State, time: Rational
    ) -> TimedFailure | None:
        """Return a violated invariant after a happening, or None.

        Args:
            under_way: The durative steps that have begun, by their numbers.
            state: The state after the happening.
            time: Its time.
        """
        for step_number, step in under_way.items():
            # Part by part, so that a report names the part that is broken.
            for condition in conjuncts(step.invariant):
                if not self.world.holds(state, condition):
                    return TimedFailure(time, step_number, "invariant", condition)
        return None

    def _interference(self, happening: Sequence[TimedEvent], state: State) -> TimedFailure | None:
        """Return the failure of two simultaneous events that interfere, or None.

        Two events interfere if one changes what the other reads or changes.

        Args:
            happening: All events at one time.
            state: The state before them.
        """
        if len(happening) < 2:
            return None
        # All events of one time happen at once, so each of them reads the state before.
        accesses = [(event, self._access_of(event, state)) for event in happening]
        for (first, first_access), (second, second_access) in combinations(accesses, 2):
            is_same_step = first.step == second.step and first.step != 0
            if is_same_step:
                continue  # the start and end of one step without duration
            term = first_access.conflict(second_access)
            if term is not None:
                blamed_step = second.step or first.step
                return TimedFailure(
                    second.time, blamed_step, "interference", None, first.step, term
                )
        return None

    def _access_of(self, event: TimedEvent, state: State) -> _Access:
        """Return the facts and numbers that an event reads and changes.

        They decide whether two simultaneous events interfere (PDDL 2.1, "no moving targets"). A
        conditional effect changes something only if its condition holds, but its condition is read
        in any case.

        Args:
            event: The event.
            state: The state before it.
        """
        self._set_duration(event, state)
        operator = self.world.operator(event.action.name).operator
        names = [variable.name for variable in operator.parameters]
        binding = dict(zip(names, event.action.arguments, strict=True))
        access = _Access()
        _add_reads(operator.precondition.substitute(binding), state.universe.of_types, access)
        for clause in clauses(operator.effect, names):
            changed = access.added if clause.added else access.deleted
            for instance in self._instances(clause, binding, state, access):
                changed.add(substituted_term(clause.atom, instance))
        for change in numeric_clauses(operator.effect, names):
            # Two sums of one number may happen at once, since their order does not matter.
            is_sum = change.update in ("increase", "decrease")
            changed = access.summed if is_sum else access.assigned
            for instance in self._instances(change, binding, state, access):
                changed.add(substituted_term(change.target, instance))
                for term in function_terms(change.amount):
                    access.numbers_read.add(substituted_term(term, instance))
        # Each step has a duration of its own, so nobody interferes with it.
        access.numbers_read.discard(DURATION)
        return access

    def _instances(
        self,
        clause: Clause | NumericClause,
        binding: Mapping[str, str],
        state: State,
        use: _Access,
    ) -> Iterator[Mapping[str, str]]:
        """Yield the bindings for which a clause of an effect applies in a state.

        Args:
            clause: The clause.
            binding: Objects of the parameters.
            state: The state.
            use: The record of what the event reads. The clause's condition is added to it for all
                bindings, since another event could make it true for any of them.
        """
        objects = state.universe.of_types
        for instance in bindings(clause.variables, objects, binding):
            condition = clause.condition.substitute(instance)
            _add_reads(condition, objects, use)
            if self.world.holds(state, condition):
                yield instance


_Objects = Callable[[tuple[str, ...]], Sequence[str]]
"""A function of types that returns the names of their objects."""


@dataclass(frozen=True, slots=True)
class _Access:
    """The facts and numbers that an instant action reads and changes."""

    read: set[Atom] = field(default_factory=set)
    added: set[Atom] = field(default_factory=set)
    deleted: set[Atom] = field(default_factory=set)
    numbers_read: set[Atom] = field(default_factory=set)
    summed: set[Atom] = field(default_factory=set)
    assigned: set[Atom] = field(default_factory=set)

    def conflict(self, other: _Access) -> Atom | None:
        """Return a fact or number on which two actions interfere, or None.

        Two actions interfere if one reads what the other changes, or if both change it. Only two
        increases or decreases of one number do not interfere.
        """
        for first, second in ((self, other), (other, self)):
            clashes = first.read & (second.added | second.deleted)
            clashes |= first.added & second.deleted
            clashes |= first.numbers_read & (second.summed | second.assigned)
            clashes |= first.assigned & (second.summed | second.assigned)
            # Any clash would do; the smallest is the same in every run.
            if clashes:
                return min(clashes, key=str)
        return None


def _add_reads(formula: Formula, objects: _Objects, use: _Access) -> None:
    """Add the atoms and numbers in a condition to those that an action reads.

    A quantifier is expanded: it reads the atoms of all its instances.

    Args:
        formula: A condition without free variables.
        objects: Returns the names of the objects of some types.
        use: The record that is extended.
    """
    if isinstance(formula, Atom):
        use.read.add(formula)
        return
    if isinstance(formula, NumericCondition):
        use.numbers_read.update(term for term in numeric_terms(formula) if term != DURATION)
        return
    if isinstance(formula, Quantifier):
        variables: tuple[Variable, ...] = formula.variables
        for instance in bindings(variables, objects, {}):
            _add_reads(formula.body.substitute(instance), objects, use)
        return
    for operand in formula.operands:
        _add_reads(operand, objects, use)
