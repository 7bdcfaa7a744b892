"""Candidate edits of a plan that fails: actions that bring about a landmark, and their runs.

Idea: of all edits only those are tried that can mend the plan (see the invariant of
:mod:`eai.planning.repair.landmarks`): to put in an action that makes a literal of the landmark at
its position true, or to take such a step out, move or replace it.

Cost: arguments of actions are bound one by one, each only to objects that the conditions on those
bound so far leave; the last one is found for all objects at once, as a mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from eai.budget import Budget
from eai.errors import InputError
from eai.logic import TRUE, And, Exists, Formula, Term, Variable, conjuncts
from eai.nesting import NESTING_LIMIT
from eai.planning.achievers import Achiever, opposite
from eai.planning.reasons import Env
from eai.planning.repair.landmarks import LandmarkFinder, LiteralSet, RepairLandmarks
from eai.planning.repair.task import (
    ACTION,
    EditKind,
    PlanRun,
    RepairTask,
    Slot,
    Slots,
    Target,
    depth_of,
)
from eai.world import Action, State, World, changed_literals
from eai.world.bits import bits

_Numbers = tuple[int, ...]

_ALL_OBJECTS = -1
"""Mask of all objects, of any number: every bit of -1 is set."""
_MAX_ONE_BY_ONE = 3
"""Up to this number objects are examined one by one, rather than all at once as a mask."""


class _Instance(NamedTuple):
    """An effect that may make a wanted literal true, with its action.

    Args:
        effect: The effect.
        env: Objects of its variables.
        numbers: Arguments of the action.
        is_applicable: Whether the action can be done in the state.
    """

    effect: Achiever
    env: Env
    numbers: _Numbers
    is_applicable: bool


class Candidates:
    """Finds actions that may repair a plan.

    Args:
        task: The repair task.
    """

    def __init__(self, task: RepairTask) -> None:
        self._task = task
        self._world = task.world
        self._functions: dict[object, Callable[..., int]] = {}

    def at(self, landmarks: RepairLandmarks, position: int, state: State) -> list[Slot]:
        """Return the actions that are useful at a position, in a fixed order."""
        if position in landmarks.pauses:
            return self.every(state)
        return self.bringing(state, landmarks.literals[position], landmarks.names)

    def bringing(self, state: State, wanted: LiteralSet, names: Iterable[str] = ()) -> list[Slot]:
        """Return the applicable actions that make a wanted literal true or are named."""
        slots = self.every(state, self._task.operators.intersection(names))
        for instance in self._instances_with_effect(state, wanted):
            if instance.is_applicable and self._effect_happens(instance, state):
                slots.append(self._slot(instance))
        return list(dict.fromkeys(slots))

    def _effect_happens(self, instance: _Instance, state: State) -> bool:
        """Return whether an effect takes place if its action is executed in a state."""
        effect = instance.effect
        env = instance.env
        if effect.condition == TRUE:
            return True
        return bool(self._compiled_function(effect, None, env)(state, *env.values()))

    def _slot(self, instance: _Instance) -> Slot:
        """Return the ground action that has an effect."""
        return self._task.slot_of(instance.effect.operator.name, instance.numbers)

    def refused(self, state: State, wanted: LiteralSet, names: Iterable[str] = ()) -> list[Slot]:
        """Return inapplicable actions that would make a literal true.

        Actions with an unrestricted argument are left out, unless they are named and have no
        further arguments.
        """
        task = self._task
        slots: dict[Slot, None] = {}
        for instance in self._instances_with_effect(state, wanted):
            if not instance.is_applicable:
                slots[self._slot(instance)] = None
        for name in sorted(task.operators.intersection(names)):
            if len(self._world.domain.operators[name].parameters) == len(task.actor):
                slots[task.slot_of(name, task.actor)] = None
        return list(slots)

    def every(self, state: State, names: Iterable[str] | None = None) -> list[Slot]:
        """Return all applicable actions of some or all operators, in a fixed order."""
        slots: list[Slot] = []
        for name in sorted(self._task.operators if names is None else names):
            slots += self.of_operator(name, state)
        return slots

    def of_operator(self, name: str, state: State) -> Iterator[Slot]:
        """Yield all applicable actions of an operator, in a fixed order."""
        for numbers in self._applicable(name, self._task.actor, state):
            yield self._task.slot_of(name, numbers)

    def _applicable(self, name: str, actor: _Numbers, state: State) -> Iterator[_Numbers]:
        """Yield the arguments of applicable actions, depth first.

        A stack and not recursion, because an action may have any number of parameters.
        """
        count = len(self._world.operator(name).operator.parameters)
        stack = [iter([actor])]
        while stack:
            arguments = next(stack[-1], None)
            if arguments is None:
                stack.pop()
            elif len(arguments) < count:
                stack.append(self._with_next_argument(name, arguments, state))
            elif self._task.is_applicable(state, name, arguments):
                yield arguments

    def _with_next_argument(
        self, name: str, arguments: _Numbers, state: State
    ) -> Iterator[_Numbers]:
        """Yield argument lists extended by one object that all their conditions permit.

        Args:
            name: Name of the action.
            arguments: Its arguments so far.
            state: The state in which it must be applicable.
        """
        # Open parameters are quantified: the tests must hold for some objects.
        compiled = self._world.operator(name)
        parameters = compiled.operator.parameters
        index = len(arguments)
        self._task.meter.count_instances(ACTION)
        tests = compiled.tests if state.numbers is None else _tests_of_facts(self._world, name)
        condition = _shallow_conjuncts(self._world, And(tests))
        quantified = _quantify_others(condition, parameters[index + 1 :])
        members = self._world.members_of(quantified, parameters[index], parameters[:index])
        for object_number in bits(members(state, *arguments)):
            yield (*arguments, object_number)

    # ------------------------------------------------------------------ actions with an effect
    def _instances_with_effect(
        self, state: State, wanted_literals: LiteralSet
    ) -> Iterator[_Instance]:
        """Yield the effects that may make a false literal true.

        Args:
            state: The state.
            wanted_literals: The literals, of which only the false ones count.

        Yields:
            The effect with its binding, and whether its action is applicable in the state.
        """
        task = self._task
        is_applicable: dict[tuple[str, _Numbers], bool] = {}
        for signed_predicate in wanted_literals.tables:
            open_literals = list(wanted_literals.open(signed_predicate, state))
            if not open_literals:
                continue
            for effect in task.achievers(signed_predicate):
                name = effect.operator.name
                parameters = effect.operator.parameters
                for env in self._bindings(effect, open_literals, state):
                    arguments = tuple([env[v.name] for v in parameters])
                    action_key = name, arguments
                    # Several effects of an action share one test of its precondition.
                    if action_key not in is_applicable:
                        is_applicable[action_key] = task.is_applicable(state, name, arguments)
                    yield _Instance(effect, env, arguments, is_applicable[action_key])

    def _bindings(
        self, effect: Achiever, open_literals: Iterable[tuple[_Numbers, int]], state: State
    ) -> Iterator[Env]:
        """Yield bindings of an operator's parameters under which it may have an effect.

        Args:
            effect: The effect.
            open_literals: The literals to make true: all arguments but the last, and the objects
                that the last one may be, as a mask.
            state: The state in which the action is taken.
        """
        universe = self._task.universe
        terms = effect.atom.terms
        agent_arguments = self._task.acting(effect)
        last_term = terms[-1] if terms else None
        # If only the last argument is left open by those before it, all its objects can be tested
        # at once.
        bound = {term.name for term in terms[:-1] if isinstance(term, Variable)}
        parameters = effect.operator.parameters[len(agent_arguments) :]
        unbound_parameters = [variable for variable in parameters if variable.name not in bound]
        is_last_only_unbound = len(unbound_parameters) == 1 and unbound_parameters[0] == last_term
        objects_of_last = self._objects_of_variable(effect, last_term)
        for leading_arguments, object_mask in open_literals:
            env = effect.binding(leading_arguments, universe, agent_arguments)
            if env is None:
                continue
            if is_last_only_unbound and object_mask.bit_count() > _MAX_ONE_BY_ONE:
                yield from self._solve_last_parameter(
                    effect, unbound_parameters[0], env, state, object_mask
                )
            elif isinstance(last_term, Variable) and last_term.name not in env:
                for object_number in bits(object_mask & objects_of_last):
                    yield from self._complete_binding(
                        effect, {**env, last_term.name: object_number}, state
                    )
            elif object_mask >> self._number_of_term(last_term, env) & 1:
                yield from self._complete_binding(effect, env, state)

    def _objects_of_variable(self, effect: Achiever, term: Term | None) -> int:
        """Return the possible objects of a variable as a mask; all for other terms."""
        if not isinstance(term, Variable):
            return _ALL_OBJECTS
        # Types stand with the declaration of a variable, not where it occurs.
        for variable in effect.variables:
            if variable.name == term.name:
                return self._task.universe.mask(variable.types)
        raise ValueError(f"{term} is not a variable of {effect.operator.name}")

    def _number_of_term(self, term: Term | None, env: Env) -> int:
        """Return the number of the object in an atom's last argument.

        Args:
            term: The argument; None if the atom has none: then its only bit has the number 0.
            env: Objects of variables.
        """
        if term is None:
            return 0
        if isinstance(term, Variable):
            return env[term.name]
        return self._task.universe.number(term)

    def _complete_binding(self, effect: Achiever, env: Env, state: State) -> Iterator[Env]:
        """Yield bindings of all parameters that extend a binding of some.

        Parameters are bound one by one. For the last one, the precondition is solved, so that only
        objects with an applicable action are tried.

        Args:
            effect: The effect, with its operator.
            env: Objects of the parameters that are bound.
            state: The state in which the action must be applicable.
        """
        open_parameters = [v for v in effect.operator.parameters if v.name not in env]
        if not open_parameters:
            yield env
        elif len(open_parameters) == 1:
            yield from self._solve_last_parameter(
                effect, open_parameters[0], env, state, _ALL_OBJECTS
            )
        else:
            for object_number in bits(self._task.universe.mask(open_parameters[0].types)):
                yield from self._complete_binding(
                    effect, {**env, open_parameters[0].name: object_number}, state
                )

    def _solve_last_parameter(
        self, effect: Achiever, variable: Variable, env: Env, state: State, allowed_objects: int
    ) -> Iterator[Env]:
        """Yield bindings for all possible objects of the last free parameter.

        Args:
            effect: The effect.
            variable: The last open parameter.
            env: Objects of all other parameters.
            state: The state in which the action is taken.
            allowed_objects: Objects to which the parameter is confined.
        """
        self._task.meter.count_instances(1)
        members = self._compiled_function(effect, variable, env)
        for object_number in bits(members(state, *env.values()) & allowed_objects):
            yield {**env, variable.name: object_number}

    def _compiled_function(
        self, effect: Achiever, variable: Variable | None, env: Mapping[str, int]
    ) -> Callable[..., int]:
        """Return a compiled function of a state and the objects of a binding.

        Args:
            effect: The effect.
            variable: A parameter; the function returns the objects that it may be, as a mask.
                None: the function returns whether the effect happens.
            env: The binding; its variables are the function's arguments, in order.
        """
        # The names of the bound variables are part of the key. Their objects are not, since these
        # are arguments of the function.
        name = effect.operator.name
        condition = effect.condition
        key = name, effect.atom, condition, variable, tuple(env)
        function = self._functions.get(key)
        if function is not None:
            return function
        variables_by_name = {v.name: v for v in effect.variables}
        arguments = tuple([variables_by_name[variable_name] for variable_name in env])
        other_variables = [v for v in effect.variables if v not in arguments and v != variable]
        if variable is None:
            function = self._world.function_of(
                _quantify_others(condition, other_variables), arguments
            )
        else:
            conjunction = And((*self._world.operator(name).tests, condition))
            quantified = _quantify_others(
                _shallow_conjuncts(self._world, conjunction), other_variables
            )
            function = self._world.members_of(quantified, variable, arguments)
        self._functions[key] = function
        return function


@lru_cache(maxsize=1024)
def _tests_of_facts(world: World, name: str) -> tuple[Formula, ...]:
    """Return the tests of an operator that need no number, which may have no value."""
    tests = world.operator(name).tests
    return tuple([test for test in tests if world.reads(test) is not None])


@lru_cache(maxsize=4096)
def _shallow_conjuncts(world: World, condition: Formula) -> And:
    """Return the conjuncts without deeply nested quantifiers, which are slow to solve.

    The rest is tested when all arguments are bound, so nothing wrong comes of leaving it out.
    """
    return And(tuple(part for part in conjuncts(condition) if depth_of(world, part) <= 1))


def _quantify_others(formula: Formula, variables: Iterable[Variable]) -> Formula:
    """Return a condition with some free variables existentially quantified.

    ``(on ?cup ?table)`` and ``?table`` give ``(exists (?table) (on ?cup ?table))``.
    """
    bound = tuple(v for v in variables if v in formula.free)
    if not bound:
        return formula
    return Exists(bound, formula)


class _Removal(NamedTuple):
    """A plan without one of its steps.

    Args:
        run: The run of the other steps.
        landmarks: Literals that another edit has to make true, at each position.
        shift: Difference between positions in the landmarks and in the run.
    """

    run: PlanRun
    landmarks: RepairLandmarks
    shift: int


class SingleEdits:
    """Runs a plan with one additional edit.

    Args:
        task: The repair task.
    """

    def __init__(self, task: RepairTask) -> None:
        self._task = task
        self._finder = LandmarkFinder(task)
        self._candidates = Candidates(task)
        self._last: tuple[PlanRun, RepairLandmarks] | None = None

    def of(self, run: PlanRun) -> Iterator[PlanRun]:
        """Yield the runs of a plan after one additional edit.

        These include all edits that reach the target, except insertions where a deletion would
        suffice.

        Args:
            run: The run of the plan, which may fail at a step.
        """
        landmarks = self._landmarks(run)
        failure_position = run.at
        # All insertions are collected before any is run, since their usefulness depends on the
        # present plan.
        insertions = []
        for position in range(failure_position + 1):
            insertions.append(self._candidates.at(landmarks, position, run.states[position]))
        for position, candidates in enumerate(insertions):
            for slot in candidates:
                yield self._run_with_step(run, position, position, slot)
        yield from self._moves_to_front(run, landmarks)
        # If no earlier edit can help, only the failing step itself can be edited.
        first_editable = failure_position if landmarks.is_hopeless else 0
        for position in range(first_editable, min(failure_position + 1, len(run.slots))):
            if run.slots[position].edit is None:
                yield from self._edits_of_step(run, landmarks, position)

    def _moves_to_front(self, run: PlanRun, landmarks: RepairLandmarks) -> Iterator[PlanRun]:
        """Yield the runs of a plan with one step after the failure moved before it."""
        slots = run.slots
        failure_position = run.at
        for origin in range(failure_position + 1, len(slots)):
            slot = slots[origin]
            # A step is edited at most once, and a step that the world does not know never helps.
            if slot.edit is not None or slot.numbers is None:
                continue
            remaining_slots = (*slots[:origin], *slots[origin + 1 :])
            for position in range(failure_position + 1):
                if self._is_of_use(slot, landmarks, position, run.states[position]):
                    yield self._run_with_move(run, remaining_slots, position, slot)

    def enabling(self, run: PlanRun) -> Iterator[PlanRun]:
        """Yield the runs of a plan after an edit that makes another edit possible.

        If an action would repair the plan at the failure but is not applicable, actions are
        inserted there that make its precondition true.
        """
        landmarks = self._landmarks(run)
        position = run.at
        state = run.states[-1]
        wanted_literals = landmarks.literals[position]
        refused_actions = self._candidates.refused(state, wanted_literals, landmarks.names)
        slots = self._candidates.bringing(state, self._finder.permitting(refused_actions, state))
        if landmarks.timed:
            slots += self._candidates.bringing(
                state, self._finder.permitting_some(wanted_literals, state)
            )
        for slot in dict.fromkeys(slots):
            yield self._run_with_step(run, position, position, slot)

    def _landmarks(self, run: PlanRun) -> RepairLandmarks:
        """Return the landmarks of a run; those of the last one are kept."""
        if self._last is None or self._last[0] is not run:
            self._last = run, self._finder.of(run)
        return self._last[1]

    def _run_with_step(self, run: PlanRun, begin: int, end: int, slot: Slot) -> PlanRun:
        """Run the plan with a step in the place of others."""
        slots = (*run.slots[:begin], slot, *run.slots[end:])
        return self._task.run(slots, after=run, begin=begin)

    def _run_with_move(
        self, run: PlanRun, other_slots: Slots, position: int, slot: Slot
    ) -> PlanRun:
        """Run a plan with a step moved to another position."""
        slots = (
            *other_slots[:position],
            slot._replace(edit=EditKind.MOVE),
            *other_slots[position:],
        )
        return self._task.run(slots, after=run, begin=position)

    def _is_of_use(
        self, slot: Slot, landmarks: RepairLandmarks | None, position: int, state: State
    ) -> bool:
        """Return whether a step is applicable and useful at a position.

        Args:
            slot: The step.
            landmarks: Literals that are useful at each position; None if any step is useful.
            position: The position.
            state: The state there.
        """
        name = slot.action.name
        arguments = slot.numbers
        assert arguments is not None  # noqa: S101 - the world knows the step
        self._task.meter.count_instances(1)
        if not self._task.is_applicable(state, name, arguments):
            return False
        if landmarks is None or name in landmarks.names or position in landmarks.pauses:
            return True
        _, changes = self._task.state_after(state, name, arguments)
        wanted_literals = landmarks.literals[position]
        return any(
            literal in wanted_literals for literal in changed_literals(changes, state.layout)
        )

    def _edits_of_step(
        self, run: PlanRun, landmarks: RepairLandmarks, position: int
    ) -> Iterator[PlanRun]:
        """Yield the runs of a plan with one step deleted, replaced, or moved.

        Args:
            run: The run of the plan, which fails.
            landmarks: The facts that an edit has to bring about, at each position up to the
                failure.
            position: 0-based number of the step.
        """
        slot = run.slots[position]
        other_slots = (*run.slots[:position], *run.slots[position + 1 :])
        run_without_step = self._task.run(other_slots, after=run, begin=position)
        is_at_fault = self._is_at_fault(run, landmarks, position)
        if is_at_fault:
            yield run_without_step
        if run_without_step.reached:
            return
        # Any other step than one at fault leaves the failure as it is, one position earlier.
        removal = _Removal(run_without_step, landmarks, shift=1)
        landmarks_before: RepairLandmarks | None = landmarks
        if is_at_fault:
            # Without a step at fault, the plan fails elsewhere and has other landmarks. The step
            # itself may be moved to any earlier position, because only its old one is wrong.
            removal = _Removal(run_without_step, self._finder.of(run_without_step, position), 0)
            landmarks_before = None
        yield from self._replacements(run, position, removal)
        # A step that is never applicable cannot be moved.
        if slot.numbers is None or self._task.is_hopeless(slot):
            return
        for new_position in range(position):
            if self._is_of_use(slot, landmarks_before, new_position, run.states[new_position]):
                yield self._run_with_move(run, other_slots, new_position, slot)
        yield from self._moves_to_later(slot, position, removal)

    def _replacements(self, run: PlanRun, position: int, removal: _Removal) -> Iterator[PlanRun]:
        """Yield the runs of a plan with one step replaced by another action.

        Args:
            run: The run of the plan.
            position: Position of the step.
            removal: The plan without the step.
        """
        slot = run.slots[position]
        state = run.states[position]
        for candidate in self._candidates.at(removal.landmarks, position + removal.shift, state):
            if candidate.action != slot.action:
                new_slot = candidate._replace(origin=slot.origin, edit=EditKind.REPLACE)
                yield self._run_with_step(run, position, position + 1, new_slot)

    def _moves_to_later(self, slot: Slot, position: int, removal: _Removal) -> Iterator[PlanRun]:
        """Yield the runs of a plan with one step moved to a later position.

        Args:
            slot: The step.
            position: Its old position.
            removal: The plan without the step.
        """
        run = removal.run
        for new_position in range(position + 1, run.at + 1):
            landmark_position = new_position + removal.shift
            state = run.states[new_position]
            if self._is_of_use(slot, removal.landmarks, landmark_position, state):
                yield self._run_with_move(run, run.slots, new_position, slot)

    def _is_at_fault(self, run: PlanRun, landmarks: RepairLandmarks, position: int) -> bool:
        """Return whether a step stops the plan, or destroys something needed later.

        Other steps are not worth changing. If the goal speaks of time, any step may be at fault.

        Args:
            run: Run of the plan.
            landmarks: The facts needed at each position.
            position: Position of the step.
        """
        if position == run.at or landmarks.timed:
            return True
        needed = landmarks.literals[position + 1]
        changes = run.changes[position] or ()
        for literal in changed_literals(changes, run.states[position].layout):
            if opposite(literal) in needed:
                return True
        return False


def first_edits(task: RepairTask, run: PlanRun) -> Iterator[Slots]:
    """Yield the plans after every edit that can be the first of several.

    Up to the failure, every applicable action is inserted, or replaces a step. Every step is
    deleted, or moved to a position at which it is applicable.

    Args:
        task: The task.
        run: Run of the plan, with its states and the position of its failure.
    """
    yield from _insertions_and_replacements(task, run)
    slots = run.slots
    for origin, slot in enumerate(slots):
        remaining_slots = (*slots[:origin], *slots[origin + 1 :])
        if origin <= run.at:
            yield remaining_slots
        if slot.numbers is None:
            continue
        moved = slot._replace(edit=EditKind.MOVE)
        for position in _targets_of_move(task, run, origin, slot):
            yield (*remaining_slots[:position], moved, *remaining_slots[position:])


def _insertions_and_replacements(task: RepairTask, run: PlanRun) -> Iterator[Slots]:
    """Yield the plans with one applicable action inserted, or replacing a step."""
    candidates = Candidates(task)
    slots = run.slots
    # The plan never reaches positions after the failure, so nothing is inserted there.
    for position in range(run.at + 1):
        slots_before = slots[:position]
        slots_after = slots[position:]
        for new_slot in candidates.every(run.states[position]):
            yield (*slots_before, new_slot, *slots_after)
            if slots_after and new_slot.action != slots_after[0].action:
                replacement = new_slot._replace(origin=position, edit=EditKind.REPLACE)
                yield (*slots_before, replacement, *slots_after[1:])


def _targets_of_move(task: RepairTask, run: PlanRun, origin: int, slot: Slot) -> Iterator[int]:
    """Yield the positions to which the first of several edits may move a step.

    The earlier position of a move is at the failure or before it, and the step can be done there.
    """
    assert slot.numbers is not None  # noqa: S101 - the caller looked
    for position in range(min(origin, run.at + 1)):
        if task.is_applicable(run.states[position], slot.action.name, slot.numbers):
            yield position
    if origin <= run.at:
        yield from range(origin + 1, len(run.slots))


def applicable(world: World, state: State, *, budget: Budget | None = None) -> list[Action]:
    """Return all applicable actions in a state, in a fixed order.

    Args:
        world: A world without an agent, in which actions name all their arguments.
        state: The state.
        budget: Maximum number of tested conditions and of actions; unlimited by default.

    Raises:
        BeyondBudgetError: If the budget is used up.
        InputError: If an action has too many parameters.
    """
    for name, operator in world.domain.operators.items():
        if len(operator.parameters) > NESTING_LIMIT:
            raise InputError(
                f"the action {name!r} has {len(operator.parameters):,} parameters",
                expected=f"at most {NESTING_LIMIT}",
            )
    meter = (budget or Budget.unlimited()).meter()
    # The repair of an empty plan enumerates actions in the same way.
    task = RepairTask(world, state, (), Target(), agent="", skip=False, meter=meter)
    candidates = Candidates(task)
    actions = []
    for name in sorted(world.domain.operators):
        for slot in candidates.of_operator(name, state):
            meter.count_actions()
            actions.append(slot.action)
    return actions
