"""The actions and effects that the objects of a task allow, whatever is done.

A prompt leaves out what can never happen: nobody can be greeted where nobody else is.

Idea: the relaxation without deletions, with each argument of a predicate examined by itself: a
set of objects (a *column*) for every argument of every predicate. An action is possible if its
parameters have objects for which its conditions may hold; the atoms that it makes true are added to
the columns, until nothing is added any more.

Invariant: the columns only grow, and contain every object that the argument ever has. More may seem
possible than is, never less.

Cost: an effect is tested again only if a predicate that its condition reads was added to, so the
cost is little more than one pass over the domain's text.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar, cast
from weakref import WeakKeyDictionary

from eai.abilities.recent import RecentScenes
from eai.logic import (
    FALSE,
    TRUE,
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
)
from eai.pddl import Clause, Domain, Operator, clauses
from eai.world import State, World, world_of

_Ranges = Mapping[str, int]
"""Variable to the objects that it can be, as a mask."""

_RangeKey = tuple[Formula, str, tuple[str, ...]]
"""A condition, and name and types of a variable, which are hashed faster than the variable."""

_ActionKey = tuple[str, Formula]
"""The name of an action, and its precondition or what is left of it."""

_NO_VARIABLE = Variable("")
"""Stands for the variable of a condition that has none.

Its one value is no object, so such a condition may hold also where there are no objects at all.
"""


class _Gain(NamedTuple):
    """An atom that becomes true for all objects for which a condition may hold.

    Args:
        atom: The atom.
        condition: The condition.
        variables: The variables of both.
    """

    atom: Atom
    condition: Formula
    variables: tuple[Variable, ...]


_MAX_WORDS = 4096
"""Maximum number of results in words that the tasks of a domain share."""


class _Changes:
    """All changes that a domain's actions and rules can make, with the predicates that they read.

    Args:
        domain: The domain.

    Attributes:
        words: What was said of the domain's actions, by all that it depends on.
    """

    def __init__(self, domain: Domain) -> None:
        """Collect the effects of all actions."""
        self.clauses_of_action: dict[str, tuple[Clause, ...]] = {}
        for name, operator in domain.operators.items():
            parameter_names = [parameter.name for parameter in operator.parameters]
            self.clauses_of_action[name] = tuple(clauses(operator.effect, parameter_names))
        self.gains = tuple(self._gains(domain))
        self._predicates_read: dict[Formula, frozenset[str]] = {}
        self.words: dict[Hashable, object] = {}

    def _gains(self, domain: Domain) -> Iterator[_Gain]:
        """Yield the atoms that actions and rules may make true, with their conditions.

        An action that makes ``open(x)`` true under ``closed(x)`` is one gain, and so is a rule with
        the head ``reachable(x)``: both add facts, and so they can be treated alike.
        """
        for operator in domain.operators.values():
            for clause in self.clauses_of_action[operator.name]:
                if clause.added:
                    condition = And((operator.precondition, clause.condition))
                    yield _Gain(clause.atom, condition, (*operator.parameters, *clause.variables))
        for axiom in domain.axioms:
            yield _Gain(axiom.head, axiom.body, axiom.parameters)

    def predicates_read_by(self, condition: Formula) -> frozenset[str]:
        """Return the names of the predicates in a condition."""
        names = self._predicates_read.get(condition)
        if names is None:
            names = frozenset([atom.name for atom in atoms(condition)])
            self._predicates_read[condition] = names
        return names


_CHANGES: WeakKeyDictionary[World, _Changes] = WeakKeyDictionary()
"""The changes of domains by their worlds: all tasks of a benchmark often have one domain."""


def _changes_of(world: World) -> _Changes:
    """Return the changes that the domain of a world can make, worked out once."""
    changes = _CHANGES.get(world)
    if changes is None:
        changes = _CHANGES[world] = _Changes(world.domain)
    return changes


class Reads(NamedTuple):
    """The stored predicates that decide about a possible action.

    Args:
        needed: Predicates that its precondition reads.
        effects: For each effect the predicate that it changes, and those its condition reads.
        changed: All predicates that its effects change.
    """

    needed: frozenset[str]
    effects: tuple[tuple[str, frozenset[str]], ...]
    changed: frozenset[str]


T = TypeVar("T")


class Possible:
    """Facts that may become true from a state, and what may happen because of them.

    Args:
        state: Where everything begins.
    """

    def __init__(self, state: State) -> None:
        """Compute all facts that may become true from the state."""
        self._state = state
        self._domain = state.layout.domain
        self._world = world_of(self._domain)
        self._changes = _changes_of(self._world)
        # By predicate and argument: the objects that may stand there, as a mask.
        self._columns = {name: state.arguments(name) for name in self._domain.predicates}
        # Predicates without arguments have no columns.
        self._true_propositions = set[str]()
        for name, columns in self._columns.items():
            if not columns and state.test(state.layout.index[name], ()):
                self._true_propositions.add(name)
        # A condition is tested for each of its variables, and these have few types.
        self._masks_of_types: dict[tuple[str, ...], int] = {}
        self._rules: dict[str, tuple[tuple[Variable, ...], Formula] | None] = {}
        # Ranges by condition and variable, and for each predicate the ranges that depend on it.
        self._range_cache: dict[_RangeKey, int] = {}
        self._ranges_reading: dict[str, list[_RangeKey]] = {}
        self._is_growing = True
        self._grow()
        # Nothing is added from here on, so ranges and these caches stay valid.
        self._is_growing = False
        self._simple_cache: dict[Formula, Formula] = {}
        self._stored_cache: dict[Formula, frozenset[str]] = {}
        self._effect_cache: dict[_ActionKey, tuple[Clause, ...]] = {}
        # What all tasks that begin here have in common is computed for the first of them.
        self._operators: dict[_ActionKey, Operator | None] = {}
        self._reads: dict[_ActionKey, Reads] = {}
        self._results: dict[Hashable, object] = {}

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return a result that is computed once for all tasks that begin at this state.

        Args:
            key: All that the result depends on besides the state.
            compute: Computes it.
        """
        return _computed_once(self._results, key, compute)

    def once_for_domain(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return a result that is computed once for all states of the domain.

        Args:
            key: All that the result depends on besides the domain.
            compute: Computes it.
        """
        return _computed_once(self._changes.words, key, compute)

    @property
    def derived(self) -> frozenset[str]:
        """Names of the predicates that rules define."""
        return self._domain.derived

    def operator(self, operator: Operator) -> Operator | None:
        """Return an action with the conditions left to test; None if it is never possible."""
        key = operator.name, operator.precondition
        if key not in self._operators:
            possible_operator = None
            if self._allows(operator.precondition, operator.parameters):
                condition = self.simplified(operator.precondition)
                possible_operator = replace(operator, precondition=condition)
            self._operators[key] = possible_operator
        return self._operators[key]

    def reads(self, operator: Operator) -> Reads:
        """Return the stored predicates that a possible action reads and changes."""
        key = operator.name, operator.precondition
        if key not in self._reads:
            effects = []
            for effect in self.effects(operator):
                effects.append((effect.atom.predicate, self.stored(effect.condition)))
            changed = frozenset(predicate for predicate, _ in effects)
            needed = self.stored(operator.precondition)
            self._reads[key] = Reads(needed, tuple(effects), changed)
        return self._reads[key]

    def effects(self, operator: Operator) -> tuple[Clause, ...]:
        """Return the effects of a possible action that may happen and may change something."""
        key = operator.name, operator.precondition
        if key not in self._effect_cache:
            self._effect_cache[key] = tuple(self._effects(operator))
        return self._effect_cache[key]

    def _effects(self, operator: Operator) -> Iterator[Clause]:
        """Yield the possible effects of an action.

        Their conditions are TRUE if the precondition implies them.
        """
        required_conditions = self._demanded(operator.precondition)
        for clause in self._changes.clauses_of_action[operator.name]:
            variables = (*operator.parameters, *clause.variables)
            happens_if = And((operator.precondition, clause.condition))
            if not clause.added:
                # A deletion only matters if the atom may be true.
                happens_if = And((happens_if, clause.atom))
            if not self._allows(happens_if, variables):
                continue
            condition = self.simplified(clause.condition)
            if condition in required_conditions:
                condition = TRUE
            yield clause._replace(condition=condition)

    def _demanded(self, precondition: Formula) -> list[Formula]:
        """Return the conjuncts of a precondition, with the rules of derived ones.

        With the rule "reachable(x) if near(x) and not hidden(x)" a precondition ``reachable(cup)``
        also demands ``near(cup)``, which narrows the objects down further.
        """
        demanded = list(conjuncts(self.simplified(precondition)))
        for conjunct in conjuncts(precondition):
            if not isinstance(conjunct, Atom):
                continue
            rule = self.rule(conjunct.predicate)
            if rule is not None:
                demanded.append(_instance(rule, conjunct))
        return demanded

    def rule(self, predicate: str) -> tuple[tuple[Variable, ...], Formula] | None:
        """Return the simplified rule of a derived predicate: its variables, and when it holds.

        Returns:
            The rule; None if the predicate has no axiom, or if its rule is being simplified.
        """
        if predicate in self._rules:
            return self._rules[predicate]
        if predicate not in self._domain.derived:
            return None
        axioms = [axiom for axiom in self._domain.axioms if axiom.head.predicate == predicate]
        head = axioms[0].head
        variables = axioms[0].parameters
        bodies = [axiom.body_for(head.terms) for axiom in axioms]
        # Rules may be recursive, so a predicate is not replaced inside its own rule. Formulas that
        # are simplified in the meantime are not cached, as they may become simpler later.
        self._rules[predicate] = None
        cache_before = self._simple_cache
        self._simple_cache = {}
        rule = variables, self.simplified(Or.of(bodies))
        self._rules[predicate] = rule
        self._simple_cache = cache_before
        return rule

    def stored(self, formula: Formula) -> frozenset[str]:
        """Return the stored predicates that a condition depends on, through rules too."""
        if formula not in self._stored_cache:
            self._stored_cache[formula] = self._stored(formula)
        return self._stored_cache[formula]

    def _stored(self, formula: Formula) -> frozenset[str]:
        """Compute the stored predicates that a formula depends on, through all rules."""
        predicates: set[str] = set()
        waiting = [formula]
        while waiting:
            for atom in atoms(self.simplified(waiting.pop())):
                assert isinstance(atom, Atom)  # noqa: S101 - rules speak of no actions
                if atom.predicate in predicates:
                    continue
                predicates.add(atom.predicate)
                rule = self.rule(atom.predicate)
                if rule is not None:
                    waiting.append(rule[1])
        return frozenset(predicates - self._domain.derived)

    def simplified(self, formula: Formula) -> Formula:
        """Return a condition without the parts that can never hold, or whose negation cannot.

        A derived predicate that is only another name for a literal is replaced by it.
        """
        if formula not in self._simple_cache:
            self._simple_cache[formula] = self._simplified(formula)
        return self._simple_cache[formula]

    def _simplified(self, formula: Formula) -> Formula:
        """Compute a simpler formula that is equivalent in all states that may be reached.

        Atoms that can never be true become false, and connectives are simplified accordingly.
        """
        if isinstance(formula, Atom):
            if not self._can_be_true(formula, {}):
                return FALSE
            return self._resolved(formula)
        # An atom that can be true may also be false, so its negation is not simplified.
        if isinstance(formula, Not):
            operand = self.simplified(formula.operand)
            return TRUE if operand == FALSE else Not(operand)
        if isinstance(formula, And):
            return self._simplified_operands(formula, neutral=TRUE, decisive=FALSE)
        if isinstance(formula, Or):
            return self._simplified_operands(formula, neutral=FALSE, decisive=TRUE)
        if isinstance(formula, Exists):
            body = self.simplified(formula.body)
            return FALSE if body == FALSE else formula.over(formula.variables, body)
        return formula

    def _simplified_operands(
        self, formula: And | Or, *, neutral: Formula, decisive: Formula
    ) -> Formula:
        """Return a conjunction or disjunction with its parts simplified.

        Args:
            formula: The formula.
            neutral: The truth value of a part that says nothing: ``TRUE`` in a conjunction.
            decisive: The truth value of a part that decides all: ``FALSE`` in a conjunction.
        """
        operands = [self.simplified(operand) for operand in formula.operands]
        if decisive in operands:
            return decisive
        remaining = [operand for operand in operands if operand != neutral]
        return type(formula).of(remaining) if remaining else neutral

    def _resolved(self, atom: Atom) -> Formula:
        """Return the body of an atom's rule if that is a single literal, else the atom.

        With the rule "closed(x) if not open(x)", ``closed(door)`` is ``not open(door)``: one way of
        saying it is enough for a reader.
        """
        rule = self.rule(atom.predicate)
        if rule is None:
            return atom
        _, body = rule
        if body == TRUE:
            return TRUE
        literal = body.operand if isinstance(body, Not) else body
        if not isinstance(literal, Atom):
            return atom
        return _instance(rule, atom)

    def _grow(self) -> None:
        """Add the atoms that actions and rules make true, until nothing is added any more.

        A gain, an atom with the condition under which it becomes true, is only tested again after
        an atom in its condition was added.
        """
        gains = self._changes.gains
        # Predicate to the numbers of the gains whose condition reads it.
        readers: dict[str, set[int]] = {}
        for gain_index, gain in enumerate(gains):
            for predicate in self._changes.predicates_read_by(gain.condition):
                readers.setdefault(predicate, set()).add(gain_index)
        # A dictionary is used as an ordered set, so that no gain is in the queue twice.
        pending = dict.fromkeys(range(len(gains)))
        while pending:
            gain_index = next(iter(pending))
            del pending[gain_index]
            if self._adds(gains[gain_index]):
                pending |= dict.fromkeys(readers.get(gains[gain_index].atom.predicate, ()))

    def _adds(self, gain: _Gain) -> bool:
        """Add an atom for all objects for which it may become true; return whether any is new."""
        ranges: dict[str, int] = {}
        for variable in gain.variables:
            objects = self._range(gain.condition, variable)
            if not objects:
                return False
            ranges[variable.name] = objects
        if not ranges and not self._allows(gain.condition, ()):
            return False
        return self._add(gain.atom, ranges)

    def _add(self, atom: Atom, objects_of_variables: _Ranges) -> bool:
        """Add an atom for all objects of its variables; return whether any is new.

        Args:
            atom: The atom.
            objects_of_variables: The objects of its variables.
        """
        columns = self._columns[atom.predicate]
        columns_before = [*columns]
        for position, term in enumerate(atom.terms):
            columns[position] |= self._mask(term, objects_of_variables)
        is_new = columns != columns_before
        if not columns and atom.predicate not in self._true_propositions:
            self._true_propositions.add(atom.predicate)
            is_new = True
        if is_new:
            # These ranges were worked out from smaller columns.
            for key in self._ranges_reading.pop(atom.predicate, ()):
                self._range_cache.pop(key, None)
        return is_new

    def _allows(self, condition: Formula, variables: tuple[Variable, ...]) -> bool:
        """Return whether each variable has objects for which a condition may hold."""
        return all(self._range(condition, variable) for variable in variables or (_NO_VARIABLE,))

    def _range(self, formula: Formula, variable: Variable) -> int:
        """Return the objects of a variable's types for which a condition may hold, as a mask."""
        key = formula, variable.name, variable.types
        objects = self._range_cache.get(key)
        if objects is None:
            objects = self._range_cache[key] = self._compute_range(formula, variable)
            if self._is_growing:
                for predicate in self._changes.predicates_read_by(formula):
                    self._ranges_reading.setdefault(predicate, []).append(key)
        return objects

    def _compute_range(self, formula: Formula, variable: Variable) -> int:
        """Return the objects that a variable may be if a condition holds, as a mask.

        The mask may also have objects for which the condition is false.
        """
        objects_of_type = self._typed(variable)
        # A static condition on this variable alone is tested exactly, whatever it is made of.
        if formula.free_names == {variable.name} and self._domain.is_static(formula):
            return self._world.members_of(formula, variable, ())(self._state)
        if formula == FALSE:
            return 0
        if isinstance(formula, Atom):
            is_possible = self._can_be_true(formula, {variable.name: objects_of_type})
            return self._column(formula, variable) if is_possible else 0
        if isinstance(formula, And):
            objects = objects_of_type
            for operand in formula.operands:
                objects &= self._range(operand, variable)
                if not objects:
                    break
            return objects
        if isinstance(formula, Or):
            objects = 0
            for operand in formula.operands:
                objects |= self._range(operand, variable)
            return objects
        if isinstance(formula, Exists):
            # Each bound variable needs an object as well, or the body never holds.
            is_possible = all(
                self._range(formula.body, bound_variable) for bound_variable in formula.variables
            )
            return self._range(formula.body, variable) if is_possible else 0
        # Deletions are ignored, so anything else may hold for any object.
        return objects_of_type

    def _can_be_true(self, atom: Atom, ranges: _Ranges) -> bool:
        """Return whether an atom can be true for some objects of its variables."""
        columns = self._columns[atom.predicate]
        if not columns:
            return atom.predicate in self._true_propositions
        pairs = zip(atom.terms, columns, strict=True)
        return all(self._mask(term, ranges) & column for term, column in pairs)

    def _column(self, atom: Atom, variable: Variable) -> int:
        """Return the objects that a variable of an atom can be if the atom is true."""
        objects = self._typed(variable)
        for term, column in zip(atom.terms, self._columns[atom.predicate], strict=True):
            if isinstance(term, Variable) and term.name == variable.name:
                objects &= column
        return objects

    def _typed(self, variable: Variable) -> int:
        """Return the objects of a variable's types, as a mask."""
        if variable is _NO_VARIABLE:
            return 1  # any bit will do for what stands for no object: it only must not be empty
        objects = self._masks_of_types.get(variable.types)
        if objects is None:
            objects = self._masks_of_types[variable.types] = self._state.universe.mask(
                variable.types
            )
        return objects

    def _mask(self, term: Term, ranges: _Ranges) -> int:
        """Return the objects that a term can be."""
        if not isinstance(term, Variable):
            return 1 << self._state.universe.number(term)
        objects = ranges.get(term.name)
        return self._typed(term) if objects is None else objects


_RECENT = RecentScenes(Possible)


def possible_from(state: State) -> Possible:
    """Return what may happen from a state; tasks of one scene share it."""
    return _RECENT.of(state)


def _computed_once(results: dict[Hashable, object], key: Hashable, compute: Callable[[], T]) -> T:
    """Return the result of a key, which is computed if it is not there yet."""
    if key not in results:
        # Only a caller that never asks the same twice fills this.
        if len(results) >= _MAX_WORDS:
            results.clear()
        results[key] = compute()
    return cast("T", results[key])


def _instance(rule: tuple[tuple[Variable, ...], Formula], atom: Atom) -> Formula:
    """Return the body of a rule for the terms of an atom."""
    variables, body = rule
    names = [variable.name for variable in variables]
    return body.substitute(dict(zip(names, atom.terms, strict=True)))
