"""Obstacles: conditions that keep another condition from ever being true.

Idea: a condition that does not hold can only become true by an effect that adds one of its
literals, whose preconditions must be able to hold, and so on (regression over the causal graph). If
every achiever of a literal asks for something that can never hold, the literal can never hold.

Invariant: only reasons that are certain are returned. A chain of more than a few actions, or a
condition that is slow to test, is taken to be possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from eai.abilities.subgoals.exclusion import exclusive
from eai.budget import Budget, Meter
from eai.logic import (
    And,
    Atom,
    Exists,
    Formula,
    Not,
    Or,
    Term,
    Variable,
    atoms,
    conjuncts,
    exists_closure,
)
from eai.planning import Achiever
from eai.planning.achievers import achievers
from eai.world import State, World

_Conditioned = tuple[Achiever, tuple[Formula, ...]]
"""An effect, and all conditions for it."""


@lru_cache(maxsize=1024)
def _achievers(
    world: World, predicate: str, wanted: bool, names: tuple[str, ...]
) -> tuple[_Conditioned, ...]:
    """Return the effects by which some operators make atoms of a predicate true, or false.

    Each comes with the conditions under which it happens: the operator's precondition, and the
    condition of the effect itself if it has one (``when``).

    Args:
        world: The world.
        predicate: The predicate.
        wanted: Whether the atoms have to become true.
        names: Names of the operators.
    """
    conditioned = []
    for achiever in achievers(world, (world.layout.index[predicate], wanted), names):
        precondition = conjuncts(achiever.operator.precondition)
        conditioned.append((achiever, (*precondition, *conjuncts(achiever.condition))))
    return tuple(conditioned)


def conditions_of_achievers(
    world: World, atom: Atom, *, wanted: bool, agent: str, names: tuple[str, ...]
) -> Iterator[Formula]:
    """Yield the condition of each effect that makes a ground atom true, or false.

    Args:
        world: The world.
        atom: The atom, not derived.
        wanted: Whether it has to be true.
        agent: Name of the agent.
        names: Names of the operators.

    Yields:
        Closed conditions: parameters that the atom does not bind are quantified.
    """
    for achiever, conditions in _achievers(world, atom.predicate, wanted, names):
        binding = _unified(achiever, atom, agent)
        if binding is None:
            continue
        condition = And(conditions).substitute(binding)
        free_variables = tuple(
            [variable for variable in achiever.variables if variable.name in condition.free_names]
        )
        yield Exists(free_variables, condition) if free_variables else condition


_MAX_DEPTH = 3
"""Maximum number of actions in a row; a condition that needs more is taken to be possible."""

_MAX_VARIABLES = 2
"""A condition with more variables is not tested as a whole, only its parts are."""

_Reasons = tuple[Formula, ...]
"""Conditions that can never hold, one of which would have to."""


def obstacles(
    world: World,
    state: State,
    condition: Formula,
    *,
    agent: str,
    operators: Iterable[str],
    meter: Meter | None = None,
) -> tuple[Formula, ...]:
    """Find the conditions that keep a closed condition from ever being true.

    Args:
        world: The world.
        state: The state from which actions are taken.
        condition: The condition.
        agent: Name of the agent.
        operators: Names of the operators.
        meter: Counts the instances that are examined.

    Returns:
        Conditions of which one would have to hold, and none ever can; the literal itself if no
        operator is about it at all. Empty if the condition may become true.
    """
    used_meter = meter or Budget.unlimited().meter()
    names = tuple(operators)
    search = _ObstacleSearch(world, state, agent, names, used_meter)
    reasons = search.reasons_against(condition, ())
    if reasons:
        return reasons
    # Each part may become true, and yet two of them never at once.
    return exclusive(
        world,
        state,
        condition,
        agent=agent,
        operators=names,
        is_never_true=lambda atom: bool(search.reasons_against(atom, ())),
        meter=used_meter,
    )


class _ObstacleSearch:
    """Looks for achievers of a condition, of their conditions, and so on.

    Args:
        world: The world.
        state: The state.
        agent: Name of the agent.
        names: Names of the operators.
        meter: Counts the instances that are examined.
    """

    def __init__(
        self, world: World, state: State, agent: str, names: tuple[str, ...], meter: Meter
    ) -> None:
        self._meter = meter
        self._world = world
        self._state = state
        self._agent = agent
        self._names = names
        # The same conditions come up on many paths.
        self._tests: dict[Formula, tuple[int, bool]] = {}
        self._quick: dict[Formula, bool] = {}

    def reasons_against(self, condition: Formula, needed_for: tuple[Formula, ...]) -> _Reasons:
        """Return the reasons why a condition can never be true; none if it may become true.

        Args:
            condition: The condition; its free variables may stand for any objects.
            needed_for: The literals for which it is needed, outermost first.
        """
        is_quick_to_test = self._is_quick(condition)
        # A test of the whole condition comes first: it is exact, and most conditions already hold.
        # The tests of its parts are weaker, because each part is tested on its own.
        if is_quick_to_test:
            if self._holds_for_some_objects(condition):
                return ()
            if self._world.domain.is_static(condition):
                return (condition,)
        if isinstance(condition, And):
            return _first_reasons(
                self.reasons_against(operand, needed_for) for operand in condition.operands
            )
        if isinstance(condition, Or):
            return _reasons_against_all(
                [self.reasons_against(operand, needed_for) for operand in condition.operands]
            )
        if isinstance(condition, Exists):
            return self.reasons_against(condition.body, needed_for)
        if isinstance(condition, Not) and isinstance(condition.operand, (And, Or, Not)):
            return self.reasons_against(condition.operand.negated(), needed_for)
        # What is left is a literal. Of "for all" and of counts nothing certain is known.
        atom = condition.operand if isinstance(condition, Not) else condition
        if isinstance(atom, Atom) and (is_quick_to_test or atom.predicate in self._world.derived):
            return self._reasons_against_literal(atom, condition, needed_for)
        return ()

    def _holds_for_some_objects(self, condition: Formula) -> bool:
        """Return whether a condition holds in the state for some objects of its free variables."""
        tested = self._tests.get(condition)
        if tested is not None:
            instances, holds = tested
            # It counts again: what a budget allows must not depend on what is remembered.
            self._meter.count_instances(instances)
            return holds
        closed = exists_closure(condition)
        instances = self._world.instances(closed, self._state.universe)
        self._meter.count_instances(instances)
        holds = self._world.holds(self._state, closed)
        self._tests[condition] = instances, holds
        return holds

    def _reasons_against_literal(
        self, atom: Atom, literal: Formula, needed_for: tuple[Formula, ...]
    ) -> _Reasons:
        """Return the reasons why a literal can never be true; none if it may become true.

        Args:
            atom: The atom of the literal.
            literal: The atom or its negation.
            needed_for: The literals for which it is needed, outermost first.
        """
        is_positive = literal is atom
        is_derived = atom.predicate in self._world.derived
        if any(_covers(earlier_literal, literal) for earlier_literal in needed_for):
            # A derived atom is false unless rules derive it, so its negation may depend on itself.
            may_need_itself = is_derived and not is_positive
            return () if may_need_itself else (literal,)
        needed_for_literal = (*needed_for, literal)
        # Derived literals are on the path as well, because this ends the recursion of rules.
        if is_derived:
            if is_positive:
                return self._against_derivation(atom, needed_for_literal)
            return self._for_derivation(atom, needed_for_literal)
        if len(needed_for_literal) > _MAX_DEPTH:
            return ()
        # One effect that may happen is enough. Otherwise each effect contributes a reason.
        reasons_by_effect: dict[Formula, None] = {}
        for achiever, conditions in _achievers(
            self._world, atom.predicate, is_positive, self._names
        ):
            binding = _unified(achiever, atom, self._agent)
            if binding is None:
                continue
            failing_condition = self._first_failing(conditions, binding, needed_for_literal)
            if failing_condition is None:
                return ()
            reasons_by_effect[failing_condition] = None
        return tuple(reasons_by_effect) or (literal,)

    def _first_failing(
        self, conditions: Iterable[Formula], binding: Mapping[str, Term], path: tuple[Formula, ...]
    ) -> Formula | None:
        """Return the first condition of an effect that can never hold; None if all may.

        Args:
            conditions: The conditions.
            binding: Terms for the variables of the effect.
            path: The literals for which the effect is needed, outermost first.
        """
        # Conditions are examined one at a time. That no object fulfils two of them together goes
        # unseen, which only makes an effect look possible that is not.
        for condition in conditions:
            bound = condition.substitute(binding)
            if self.reasons_against(bound, path):
                return bound
        return None

    def _against_derivation(self, atom: Atom, path: tuple[Formula, ...]) -> _Reasons:
        """Return the reasons why no rule can ever derive an atom; none if one rule may."""
        bodies = self._rule_bodies(atom)
        return _reasons_against_all([self.reasons_against(body, path) for body in bodies])

    def _for_derivation(self, atom: Atom, path: tuple[Formula, ...]) -> _Reasons:
        """Return the reasons why some rule always derives an atom; none if each may fail.

        They are the negated parts of its body that can never hold.
        """
        bodies = self._rule_bodies(atom)
        return _first_reasons(self.reasons_against(Not(body), path) for body in bodies)

    def _rule_bodies(self, atom: Atom) -> list[Formula]:
        """Return the bodies of the rules for an atom; none if a function decides it.

        Parameters of a rule are replaced by the objects of the atom. A parameter for a variable of
        the atom stays free, because the variable may stand for any object.
        """
        bodies: list[Formula] = []
        if self._world.reads(atom) is None:
            return bodies
        for axiom in self._world.domain.axioms:
            if axiom.head.predicate != atom.predicate:
                continue
            object_by_parameter = {}
            for parameter, term in zip(axiom.parameters, atom.terms, strict=True):
                if isinstance(term, str):
                    object_by_parameter[parameter.name] = term
            bodies.append(axiom.body.substitute(object_by_parameter))
        return bodies

    def _is_quick(self, condition: Formula) -> bool:
        """Return whether objects for its variables are found without a search through many."""
        is_quick = self._quick.get(condition)
        if is_quick is None:
            is_quick = self._quick[condition] = self._has_few_variables(condition)
        return is_quick

    def _has_few_variables(self, condition: Formula) -> bool:
        """Return whether a condition has few variables, and no free one in a derived atom.

        A free variable of a derived atom would take a derivation for every object.
        """
        bound = sum(len(node.variables) for node in condition.walk())
        if len(condition.free) + bound > _MAX_VARIABLES:
            return False
        if not condition.free:
            return True
        predicates = {atom.predicate for atom in atoms(condition) if isinstance(atom, Atom)}
        return predicates.isdisjoint(self._world.derived)


def _first_reasons(reasons: Iterable[_Reasons]) -> _Reasons:
    """Return the reasons against the first of some conjuncts that has any."""
    for against_part in reasons:
        if against_part:
            return against_part
    return ()


def _reasons_against_all(reasons: list[_Reasons]) -> _Reasons:
    """Return the reasons against all of some alternatives; none if one alternative has none."""
    together: dict[Formula, None] = {}
    for against_alternative in reasons:
        if not against_alternative:
            return ()
        together.update(dict.fromkeys(against_alternative))
    return tuple(together)


def _covers(general: Formula, literal: Formula) -> bool:
    """Return whether a literal is another one, or an instance of it.

    ``on(X, table)`` covers ``on(cup, table)``, but not ``on(cup, shelf)``.
    """
    if isinstance(general, Not) and isinstance(literal, Not):
        return _covers(general.operand, literal.operand)
    if not isinstance(general, Atom) or not isinstance(literal, Atom):
        return False
    if general.predicate != literal.predicate:
        return False
    pairs = zip(general.terms, literal.terms, strict=True)
    return all(isinstance(pattern, Variable) or pattern == term for pattern, term in pairs)


def _unified(achiever: Achiever, atom: Atom, agent: str) -> Mapping[str, Term] | None:
    """Return the binding for which an effect is about an atom; None if there is none.

    Variables of the atom may stand for any object, so they bind nothing.
    """
    parameters = achiever.operator.parameters
    # The first parameter of an operator is the agent, of which these worlds have one.
    binding: dict[str, Term] = {parameters[0].name: agent} if parameters else {}
    for pattern, term in zip(achiever.atom.terms, atom.terms, strict=True):
        if isinstance(term, Variable):
            continue
        if isinstance(pattern, str):
            if pattern != term:
                return None
        elif binding.setdefault(pattern.name, term) != term:
            return None
    return binding
