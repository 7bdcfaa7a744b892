"""Means-ends analysis: what has to hold so that one action makes a condition true.

Idea: a literal becomes true by an effect of some action, so the precondition of that action has to
be reached before, and so on (Newell & Simon 1961). To clean a floor takes a wet cloth in the hand;
a cloth gets wet in water; water runs into a basin that is switched on. A search that is told of
these halfway conditions looks for each of them over the few objects that it names, where a search
for the clean floor alone looks blindly over all.

The result is a hint: whoever follows it still has to find the actions. Nothing is proved by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from eai.abilities.subgoals.achievers import conditions_of_achievers, obstacles
from eai.budget import Meter
from eai.logic import Atom, Equal, Formula, Not, Quantifier, Truth, Variable
from eai.world import State, World

Means = tuple[Formula, ...]
"""Closed literals that do not hold and that together let one action make a condition true."""

_HOLDS: Sequence[Means] = ((),)
"""The ways to make something true that holds: nothing is left to do."""

_MAX_WAYS = 64
"""Maximum number of ways that are kept for any part of a condition."""
_PARTS_ORDERED_AT_ONCE = 8
"""Number of parts of a conjunction that take as long to order as one to look at."""
_INSTANCES_OF_PART = 20
"""Number of instances of an action that take as long to examine as one part of a condition."""
_MAX_PARTS = 50_000
"""Maximum number of parts of a condition that are taken apart for one list of means."""


class _TooManyPartsError(Exception):
    """Raised where a condition has too many parts to be taken apart."""


def means(
    world: World,
    state: State,
    condition: Formula,
    *,
    agent: str,
    operators: tuple[str, ...],
    meter: Meter,
) -> list[Means]:
    """List the means to a closed condition: literals that one action, or one rule, needs for it.

    Args:
        world: The world.
        state: A state in which the condition does not hold.
        condition: The condition.
        agent: Name of the agent, the first argument of every action.
        operators: Names of the operators.
        meter: Counts the instances that are examined.

    Returns:
        For each means the literals that are still false, the shortest first; none for a condition
        with too many parts. Three kinds of means
        are left out: those without such a literal, since a search over the condition's own objects
        finds them; those with a literal that can never hold; and those with the predicate of the
        condition itself, which might go in circles.
    """
    analysis = _Analysis(world, state, agent, operators, meter)
    own_atom = _atom_of(condition)
    own_predicate = own_atom.predicate if isinstance(own_atom, Atom) else ""
    # Many means share literals, and each literal is tested once.
    can_hold: dict[Formula, bool] = {}
    all_means: list[Means] = []
    try:
        ways = dict.fromkeys(analysis.opened(condition))
    except _TooManyPartsError:
        return []  # a hint is not worth the time
    for literals in ways:
        if not literals or own_predicate in map(_predicate_of, literals):
            continue
        for literal in literals:
            if literal not in can_hold:
                can_hold[literal] = not obstacles(
                    world, state, literal, agent=agent, operators=operators, meter=meter
                )
        if all(can_hold[literal] for literal in literals):
            all_means.append(literals)
    return sorted(all_means, key=len)


def _atom_of(condition: Formula) -> Formula:
    """Return the atom of a literal; other conditions as they are."""
    return condition.operand if isinstance(condition, Not) else condition


def _predicate_of(literal: Formula) -> str:
    """Return the predicate of a literal."""
    return cast("Atom", _atom_of(literal)).predicate


class _Analysis:
    """Takes conditions apart into what is open in one state.

    Args:
        world: The world.
        state: The state.
        agent: Name of the agent.
        operators: Names of the operators.
        meter: Counts the instances that are examined.
    """

    def __init__(
        self, world: World, state: State, agent: str, operators: tuple[str, ...], meter: Meter
    ) -> None:
        self._world = world
        self._state = state
        self._agent = agent
        self._operators = operators
        self._meter = meter
        self._parts_left = _MAX_PARTS

    def opened(self, condition: Formula) -> Iterator[Means]:
        """Yield the ways to make a closed condition true.

        A literal is replaced by its causes once: a derived literal by the bodies of its rules, and
        any other literal by the conditions of actions with this effect. Any other formula has the
        ways of its parts.
        """
        is_positive = not isinstance(condition, Not)
        atom = _atom_of(condition)
        if not isinstance(atom, Atom):
            yield from self._ways(condition, wanted=True)
        elif atom.predicate in self._world.derived:
            for body in self._bodies(atom):
                yield from self._ways(body, wanted=is_positive)
        else:
            for conditions in conditions_of_achievers(
                self._world, atom, wanted=is_positive, agent=self._agent, names=self._operators
            ):
                yield from self._ways(conditions, wanted=True)

    def _bodies(self, atom: Atom) -> Iterator[Formula]:
        """Yield the bodies of the rules that derive an atom; none if a function decides."""
        if self._world.reads(atom) is not None:
            yield from self._world.domain.bodies_for(atom)

    def _ways(self, condition: Formula, *, wanted: bool) -> Sequence[Means]:
        """Return the ways to give a closed condition a truth value.

        Each way is a conjunction of literals that have to be reached; it is empty if the condition
        has the value already. A disjunction has the ways of each of its parts, and a conjunction a
        way for each combination.

        Args:
            condition: The condition.
            wanted: The truth value.
        """
        self._meter.count_instances(_INSTANCES_OF_PART)
        self._parts_left -= 1
        if self._parts_left < 0:
            raise _TooManyPartsError
        if isinstance(condition, Truth):
            return _HOLDS if condition.value is wanted else ()
        if isinstance(condition, Equal):
            return _HOLDS if (condition.left == condition.right) is wanted else ()
        if isinstance(condition, Atom):
            return self._ways_of_literal(condition, wanted=wanted)
        if isinstance(condition, Quantifier):
            # Instances differ in objects only, so all of them can change, or none.
            instances_with_value = ((instance, wanted) for instance in self._instances(condition))
            if condition.wants is wanted:
                return self._alternatives(instances_with_value)
            return self._together(instances_with_value)
        signed = condition.split(wanted)
        if signed is None:
            return ()  # such as "exactly two": no single action is known to help
        if signed.every:
            return self._together(self._ordered(signed.parts))
        return self._alternatives(signed.parts)

    def _ways_of_literal(self, atom: Atom, *, wanted: bool) -> Sequence[Means]:
        """Return the ways to give a literal a value.

        Nothing is needed if the literal has the value already. There is no way if no action changes
        it. Otherwise the literal itself has to be reached.
        """
        parameters = tuple(
            [Variable(f"argument_{position}") for position in range(len(atom.terms))]
        )
        # One compiled test serves all atoms of the predicate.
        test = self._world.function_of(Atom(atom.predicate, parameters), parameters)
        object_numbers = [self._state.universe.number(str(term)) for term in atom.terms]
        if bool(test(self._state, *object_numbers)) is wanted:
            return _HOLDS
        if self._world.domain.is_static(atom):
            return ()
        return ((atom if wanted else Not(atom),),)

    def _instances(self, condition: Quantifier) -> Iterator[Formula]:
        """Yield the instances of a quantified condition for its first variable."""
        first, *others = condition.variables
        for name in self._state.universe.of_types(first.types):
            instance = condition.body.substitute({first.name: name})
            yield type(condition)(tuple(others), instance) if others else instance

    def _alternatives(self, parts: Iterable[tuple[Formula, bool]]) -> Sequence[Means]:
        """Return the ways to make one of several conditions have its wanted truth value.

        The union of the ways for each of them, without doubles and at most ``_MAX_WAYS``.

        Args:
            parts: Conditions, each with the value that it must have.

        Returns:
            The ways; ``_HOLDS`` if one of the conditions has its value already, so that nothing is
            to do.
        """
        all_ways: dict[Means, None] = {}
        for part, wanted in parts:
            further = self._ways(part, wanted=wanted)
            # The empty way: nothing has to be made true for this part.
            if () in further:
                return _HOLDS
            all_ways.update(dict.fromkeys(further))
            if len(all_ways) >= _MAX_WAYS:
                break
        return tuple(all_ways)[:_MAX_WAYS]

    def _ordered(self, parts: Sequence[tuple[Formula, bool]]) -> list[tuple[Formula, bool]]:
        """Return the parts of a conjunction, those first that never change.

        They most often decide that there is no way. Each part has its wanted truth value.
        """
        is_static = self._world.domain.is_static
        # To sort the parts takes time, too, even if the first of them decides.
        self._parts_left -= len(parts) // _PARTS_ORDERED_AT_ONCE
        return sorted(parts, key=lambda part: not is_static(part[0]))

    def _together(self, parts: Iterable[tuple[Formula, bool]]) -> Sequence[Means]:
        """Return the ways to give all of several conditions their truth values.

        Every way for one is combined with every way for the others; the first ``_MAX_WAYS`` are
        kept.

        Args:
            parts: Conditions, each with the value that it must have.
        """
        combined = _HOLDS
        for part, wanted in parts:
            means_of_part = self._ways(part, wanted=wanted)
            if means_of_part == _HOLDS:
                continue
            combinations: dict[Means, None] = {}
            for literals in combined:
                for more_literals in means_of_part:
                    combinations[tuple(dict.fromkeys((*literals, *more_literals)))] = None
            combined = tuple(combinations)[:_MAX_WAYS]
            if not combined:
                break
        return combined
