"""The states that an agent reaches by actions over a few of a world's hundreds of objects.

Actions run in the world itself, so a plan that is found here is a plan. The values of conditions
and effects are cached for all searches of an answer (:mod:`eai.planning.space`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import permutations, product
from math import prod
from typing import NamedTuple

from eai.budget import Budget, Meter
from eai.logic import Formula, Term, Variable, conjuncts
from eai.pddl import Clause, Operator, clauses
from eai.planning.space import (
    ActionChanges,
    CachedFunction,
    Condition,
    Schema,
    StateCache,
    Step,
    members_of,
    state_cache_of,
)
from eai.world import Action, State, World, mask_of
from eai.world.bits import bits

_MAX_RELATED = 3
"""A relation in which an object has more partners than this says little about them."""

_MIN_STATES_TO_CACHE = 24
"""From this number of states on it pays to record what effects and conditions read."""

_NOT_TESTED = -1
"""Stands for the mask of objects that pass a condition while it was not tested."""

Change = tuple[Step, int]
"""An action, and the atoms that it changes as a mask."""


def related(state: State, mask: int) -> int:
    """Return the objects that are closely related to objects of a mask, as a mask.

    An object is closely related to its partners in a relation if these are few: a cup to the table
    that it is on, but not a room to everything in it.
    """
    related_objects = 0
    for predicate in state.layout.binary:
        # A row holds the second arguments of a first one as a mask, a column the other way round.
        for masks in (state.rows[predicate], state.cols[predicate]):
            for object_number in bits(mask):
                partners = masks[object_number]
                if partners.bit_count() <= _MAX_RELATED:
                    related_objects |= partners
    return related_objects


# ---------------------------------------------------------------------- superfluous operators
class _Projection(NamedTuple):
    """The preconditions of an operator, and its effects on some predicates."""

    preconditions: frozenset[Formula]
    effects: frozenset[Clause]


@lru_cache(maxsize=1024)
def _superfluous_operators(
    world: World, names: tuple[str, ...], predicates: frozenset[str]
) -> frozenset[str]:
    """Return operators that an earlier, less demanding operator makes superfluous.

    For instance, putting an object on a table and next to a cup does no more than putting it on the
    table, if nothing depends on nextness.
    """
    # Only operators that change the same predicates in the same directions can cover each other.
    operators_by_effects: dict[object, list[Operator]] = {}
    superfluous = set[str]()
    for name in names:
        operator = world.domain.operators[name]
        arguments = tuple(range(len(operator.parameters)))
        projection = _project(operator, arguments, predicates)
        signs = frozenset((clause.added, clause.atom.predicate) for clause in projection.effects)
        earlier_operators = operators_by_effects.setdefault(signs, [])
        if any(
            _replaces(earlier, operator, projection, predicates) for earlier in earlier_operators
        ):
            superfluous.add(name)
        else:
            earlier_operators.append(operator)
    return frozenset(superfluous)


def _replaces(
    operator: Operator, other: Operator, projection: _Projection, predicates: frozenset[str]
) -> bool:
    """Return whether an operator has the effects of another one and needs no more.

    Args:
        operator: The operator.
        other: The other one, which may have more parameters.
        projection: Preconditions and effects of the other one.
        predicates: The predicates that matter.
    """
    types = [parameter.types for parameter in operator.parameters]
    # The agent is the first argument of both. The other arguments may be in any order.
    other_positions = range(1, len(other.parameters))
    for arguments in permutations(other_positions, max(0, len(types) - 1)):
        positions = (0, *arguments)[: len(types)]  # an operator may have no parameter at all
        if types != [other.parameters[position].types for position in positions]:
            continue
        renamed_projection = _project(operator, positions, predicates)
        if (
            renamed_projection.preconditions <= projection.preconditions
            and renamed_projection.effects == projection.effects
        ):
            return True
    return False


def _project(
    operator: Operator, parameter_numbers: tuple[int, ...], predicates: frozenset[str]
) -> _Projection:
    """Return preconditions and effects of an operator, with numbered parameters.

    Args:
        operator: The operator.
        parameter_numbers: The number of each parameter, which becomes its name: ``?0``, ``?1``.
        predicates: Effects on other predicates are left out.
    """
    names = [parameter.name for parameter in operator.parameters]
    numbered_variables: dict[str, Term] = {}
    for name, parameter_number in zip(names, parameter_numbers, strict=True):
        numbered_variables[name] = Variable(f"?{parameter_number}")
    preconditions = []
    for condition in conjuncts(operator.precondition):
        preconditions.append(condition.substitute(numbered_variables))
    effects = []
    for variables, condition, added, atom in clauses(operator.effect, names):
        if atom.predicate in predicates:
            clause_parts = (
                variables,
                condition.substitute(numbered_variables),
                added,
                atom.substitute(numbered_variables),
            )
            effects.append(Clause._make(clause_parts))
    return _Projection(frozenset(preconditions), frozenset(effects))


def as_plan(steps: Iterable[Step], state: State) -> tuple[Action, ...]:
    """Return steps as actions with argument names, without the agent."""
    names = state.universe.names
    actions = []
    for name, arguments in steps:
        argument_names = tuple(names[object_number] for object_number in arguments[1:])
        actions.append(Action(name, argument_names))
    return tuple(actions)


class Steps:
    """The states that an agent can reach by actions on some objects.

    A state is known by the atoms in which it differs from the first one, as a mask, among those
    that matter; the first is 0. The actions of a state, and their effects, depend on nothing else.

    Args:
        world: The world.
        state: Where a search starts; objects keep their static properties from here on.
        agent: Number of the agent, the first argument of every action.
        operators: Names of the operators.
        mask: Numbers of the objects that the other arguments may be, as a mask.
        predicates: Names of the predicates whose changes matter; all if None.
        meter: Counts the states that are examined and, for each action that can be taken in one,
            its effects; its exceptions are passed on.
    """

    def __init__(
        self,
        world: World,
        state: State,
        agent: int,
        *,
        operators: Iterable[str],
        mask: int,
        predicates: frozenset[str] | None = None,
        meter: Meter | None = None,
    ) -> None:
        """Begin a search at a state, and share the cache of states around it."""
        self._meter = meter or Budget.unlimited().meter()
        self._first = state
        self._cache = cache = state_cache_of(world, state, agent)
        self._base = cache.difference(state)
        # Shared by all searches over the same operators and objects.
        key = tuple(operators), mask, predicates
        self._surroundings = cache.shared(key, lambda: _Surroundings(world, cache, *key))
        # By difference of a state: the applicable actions with their changes.
        self._following: dict[int, list[Change]] = {}
        # The last state that was made: a search asks several times in a row about one.
        self._made = 0, state

    def following(self, search_difference: int) -> list[Change]:
        """Return the applicable actions in a state, each with its changes.

        Args:
            search_difference: A state that was seen, as its difference from the first one.

        Returns:
            Actions that change something, each with a mask of the atoms that it changes. Atoms are
            numbered in the order in which they are first needed.
        """
        changes = self._following.get(search_difference)
        if changes is not None:
            return changes
        # The state is counted before the look-up, so the budget does not depend on other searches.
        self._meter.count_states()
        difference = search_difference ^ self._base
        expansion = self._surroundings.expansions.get(difference)
        if expansion is None:
            expansion = self._expand(search_difference, difference)
            self._surroundings.expansions[difference] = expansion
        else:  # another search has expanded the state; the work is counted here, too
            for count in expansion.counts:
                self._meter.count_instances(count)
        self._following[search_difference] = expansion.changes
        return expansion.changes

    def _expand(self, search_difference: int, difference: int) -> _Expansion:
        """Return the applicable actions of a state, and the cost of finding them.

        Args:
            search_difference: Difference of the state from the first one of the search.
            difference: Its difference from the state of the cache.
        """
        surroundings = self._surroundings
        cache = self._cache
        state = partial(self.state, search_difference)
        # Every operator is tested for every object.
        instance_counts = [len(surroundings.candidates) * surroundings.mask.bit_count()]
        self._meter.count_instances(instance_counts[0])
        parts = surroundings.parts(difference)
        # Objects that pass each condition, shared by all operators that have it.
        passing_objects = [_NOT_TESTED] * len(surroundings.conditions)
        changes: list[Change] = []
        for candidate in surroundings.candidates:
            schema = candidate.schema
            agent_part = parts[candidate.agent_part]
            can_act = schema.acting.get(agent_part)
            if can_act is None:
                can_act = schema.test_agent(agent_part, state(), cache.agent)
            if not can_act:
                continue
            argument_masks = self._passing_arguments(candidate, passing_objects, difference, state)
            if argument_masks is None:
                continue
            count = schema.size * prod([objects.bit_count() for objects in argument_masks])
            instance_counts.append(count)
            self._meter.count_instances(count)
            if not candidate.is_superfluous:
                # All that its effects can depend on, as a key for the actions of this operator.
                part = parts[candidate.effects_part]
                changes += self._changes_of_operator(
                    candidate, argument_masks, part, difference, state
                )
        made_for, made_state = self._made
        if made_for == search_difference:
            cache.keep(made_state.memo, difference)
        return _Expansion(instance_counts, changes)

    def _passing_arguments(
        self,
        candidate: _Candidate,
        passing_objects: list[int],
        difference: int,
        state: Callable[[], State],
    ) -> tuple[int, ...] | None:
        """Return the possible objects of each argument as masks, or None if one has none.

        Args:
            candidate: The operator.
            passing_objects: By the number of a condition, the objects that pass it; filled in here.
            difference: The difference of the state from the origin.
            state: Makes the state, where it is needed.
        """
        argument_masks = []
        surroundings = self._surroundings
        for mask, tested in candidate.tested:
            remaining = mask
            for condition_index in tested:
                passing = passing_objects[condition_index]
                # Operators share conditions, so each is evaluated once for a state.
                if passing == _NOT_TESTED:
                    condition = surroundings.conditions[condition_index]
                    part = self._cache.part(condition[2], difference)
                    passing = self._cache.passing(condition, surroundings.mask, part, state)
                    passing_objects[condition_index] = passing
                remaining &= passing
            if not remaining:
                return None
            argument_masks.append(remaining)
        return tuple(argument_masks)

    def state(self, differing: int) -> State:
        """Return the state that differs from the initial one in some atoms.

        Args:
            differing: The atoms, as a mask of their numbers.
        """
        if not differing:
            return self._first
        made_for, made_state = self._made
        if made_for == differing:
            return made_state
        # A search goes from neighbour to neighbour: the state made last is nearer than the first.
        changes = made_for ^ differing
        if changes.bit_count() < differing.bit_count():
            state = self._cache.state(made_state, made_for ^ self._base, changes)
        else:
            state = self._cache.state(self._first, self._base, differing)
        self._made = differing, state
        return state

    def unmet(self, conditions: Iterable[Formula]) -> Callable[[int], int]:
        """Return a function that counts the unmet conditions of a state.

        States are given by their differences. Each condition is tested once for equal cases.
        """
        tests = [self._cache.test(condition) for condition in conditions]
        base = self._base

        def count_unmet(search_difference: int) -> int:
            """Return the number of conditions that do not hold in a state.

            Args:
                search_difference: Difference of the state from the first one of the search.
            """
            # The cache is keyed by the difference from its own origin, not from the search's.
            difference = search_difference ^ base
            number_unmet = 0
            for test in tests:
                value = test.cached_value(difference)
                if value is None:
                    value = self._evaluate(test, difference, self.state(search_difference))
                if not value:
                    number_unmet += 1
            return number_unmet

        return count_unmet

    def _evaluate(self, function: CachedFunction, difference: int, state: State) -> int:
        """Return the value of a function; in a short search it does not pay to cache it."""
        if len(self._following) < _MIN_STATES_TO_CACHE:
            return function.function(state)
        return self._cache.value(function, difference, state)

    def _changes_of_operator(
        self,
        candidate: _Candidate,
        argument_masks: tuple[int, ...],
        part: int,
        difference: int,
        state: Callable[[], State],
    ) -> list[Change]:
        """Return the applicable actions of one operator that change something relevant.

        Args:
            candidate: The operator.
            argument_masks: The objects that pass as each argument, as masks.
            part: The part of the difference that its effects and joint tests depend on.
            difference: The difference of the state from the origin.
            state: Makes the state, where it is needed.
        """
        cache = self._cache
        changes = candidate.changes.get((part, argument_masks))
        if changes is not None:
            return changes
        joint_tests = candidate.schema.joint_tests
        # Actions share parts of their effects: each part is looked up once for this state.
        effect_values: dict[CachedFunction, int] = {}
        all_changes: list[Change] = []
        for step, effects in self._actions_of_operator(candidate, argument_masks):
            if joint_tests and not all(test(state(), *step[1]) for test in joint_tests):
                continue
            changed = 0
            for effect in effects:
                atoms = effect_values.get(effect)
                if atoms is None:
                    atoms = effect.cached_value(difference)
                    if atoms is None:
                        atoms = self._evaluate(effect, difference, state())
                    effect_values[effect] = atoms
                changed |= atoms
            all_changes.append((step, changed))
        # This comes last, because evaluating an effect may number new relevant atoms.
        relevant_atoms = cache.atoms(self._surroundings.predicates)
        changes = []
        for step, changed in all_changes:
            if changed & relevant_atoms:
                changes.append((step, changed & relevant_atoms))
        candidate.changes[part, argument_masks] = changes
        cache.listed += 1 + len(changes)
        return changes

    def _actions_of_operator(
        self, candidate: _Candidate, argument_masks: tuple[int, ...]
    ) -> list[ActionChanges]:
        """Return the actions of one operator, which are cached.

        Args:
            candidate: The operator.
            argument_masks: The objects that pass as each argument, as masks.
        """
        actions = candidate.actions.get(argument_masks)
        if actions is None:
            arguments = product(*map(members_of, argument_masks))
            actions = [
                self._cache.action(candidate.schema, other_arguments)
                for other_arguments in arguments
            ]
            candidate.actions[argument_masks] = actions
        return actions


class _Expansion(NamedTuple):
    """The applicable actions of a state.

    Args:
        counts: The cost of the search for them, as counts for a meter.
        changes: The actions, each with the atoms that it changes.
    """

    counts: list[int]
    changes: list[Change]


class _Surroundings:
    """The operators and tests that searches around the same origin share."""

    def __init__(
        self,
        world: World,
        cache: StateCache,
        operator_names: tuple[str, ...],
        mask: int,
        predicates: frozenset[str] | None,
    ) -> None:
        """Find the operators that can act on some objects.

        Args:
            world: The world.
            cache: The cache of the origin.
            operator_names: Names of the operators.
            mask: The objects that arguments other than the agent may be, as a mask.
            predicates: Names of the predicates whose changes matter; all if None.
        """
        self.mask = mask
        # By difference of a state: the applicable actions, and the cost of finding them.
        self.expansions: dict[int, _Expansion] = {}
        self._cache = cache
        # Sets of predicates on which operators depend, each with a number.
        self._reads: dict[int, int] = {}
        self._condition_numbers: dict[object, int] = {}
        self.conditions: list[Condition] = []
        # The actions of superfluous operators are counted although they are not computed, so that a
        # budget allows the same search with and without them.
        superfluous: frozenset[str] = frozenset()
        if predicates:
            superfluous = _superfluous_operators(world, operator_names, predicates)
        self.candidates: list[_Candidate] = []
        for name in operator_names:
            schema = cache.schema(name)
            if not schema.can_act:
                continue
            argument_masks = cache.ranges(schema, mask)
            if all(argument_masks):
                candidate = self._make_candidate(
                    schema, argument_masks, is_superfluous=name in superfluous
                )
                self.candidates.append(candidate)
        index = world.layout.index
        if predicates is None:
            predicates = frozenset(index)
        self.predicates = mask_of(index[name] for name in predicates.intersection(index))

    def parts(self, difference: int) -> list[int]:
        """Return the parts of a difference that operators depend on, by number."""
        return [self._cache.part(reads, difference) for reads in self._reads]

    def _make_candidate(
        self, schema: Schema, argument_masks: Sequence[int], *, is_superfluous: bool
    ) -> _Candidate:
        """Return an operator with its numbered tests and the predicates it reads.

        A condition that several operators share has one number, so that it is tested once per
        state.

        Args:
            schema: The operator.
            argument_masks: For each argument a mask of the objects that it may be.
            is_superfluous: Whether its actions are counted but not computed.
        """
        tested = []
        for mask, conditions in zip(argument_masks, schema.tests.by_argument, strict=True):
            tested.append(
                (mask, [self._number_of_condition(condition) for condition in conditions])
            )
        agent_part = self._reads.setdefault(schema.tests.agent.reads, len(self._reads))
        effects_part = self._reads.setdefault(schema.reads, len(self._reads))
        return _Candidate(schema, tested, agent_part, effects_part, is_superfluous)

    def _number_of_condition(self, condition: Condition) -> int:
        """Return a number for a condition on one argument, equal for equal conditions."""
        number = self._condition_numbers.setdefault(condition[0], len(self.conditions))
        if number == len(self.conditions):
            self.conditions.append(condition)
        return number


@dataclass(slots=True)
class _Candidate:
    """An operator whose actions may be applicable.

    Args:
        schema: The operator.
        tested: For each argument the objects that it may be, as a mask, and the numbers of the
            conditions on it alone.
        agent_part: Number of the part of a state on which the tests of the agent depend.
        effects_part: Number of the part on which effects and tests of several arguments depend.
        is_superfluous: Whether its actions are counted only.
        actions: Its actions by the objects that pass as arguments.
        changes: Its applicable actions by part of the state and objects that pass.
    """

    schema: Schema
    tested: list[tuple[int, list[int]]]
    agent_part: int
    effects_part: int
    is_superfluous: bool
    actions: dict[tuple[int, ...], list[ActionChanges]] = field(default_factory=dict)
    changes: dict[tuple[int, tuple[int, ...]], list[Change]] = field(default_factory=dict)
