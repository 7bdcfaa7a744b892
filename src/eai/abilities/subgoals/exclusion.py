"""Conditions that never hold together, proved by regression over pairs of atoms.

Idea: two atoms never hold together if they do not now, and no action makes them do so. An action
that makes one of them true either finds the other one false (its conditions exclude it), or makes
it false as well. "Its conditions exclude it" is the same question about another pair, which is
asked in the same way, so that the pairs that are met support each other: an induction over the
length of plans (invariants by regression; Rintanen 2008). What is in a hand lies nowhere, because
to grasp something takes it from where it lies, and to put it down takes it from the hand.

Pairs are lifted: a variable stands for any object, so that one proof covers all of them. Types of
variables are left out, which only makes more states thinkable.

Invariant: a proof is certain. Where the search for one gives up, nothing is said.

Cost: a step for each effect on an atom of a pair, at most :data:`_MAX_PAIRS` pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, count
from typing import NamedTuple

from eai.budget import Meter
from eai.logic import (
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Not,
    Or,
    Term,
    Truth,
    Variable,
    conjuncts,
    exists_closure,
)
from eai.planning import Achiever
from eai.planning.achievers import effects_of
from eai.planning.reasons import rules_of
from eai.world import State, World

_MAX_PAIRS = 60
"""Maximum number of pairs for one condition."""

_MAX_STEPS = 80
"""Maximum number of situations that are examined with one number of rules in a row."""

_STEP = 1_000
"""Instances that a situation counts, for the time that it takes."""

_ROUNDS = ((0, 0), (1, 1), (2, 1))
"""Maximum numbers of choices in a row, such as between the rules that derive an atom: among the
conditions themselves, and for each pair. Something is inside by what it lies in or on, by whatever
it may be: that takes two, of which each leaves a pair."""

_MAX_TERMS = 12
"""A universal condition is examined for no more objects than this."""

_Pair = tuple[Atom, Atom]


def exclusive(
    world: World,
    state: State,
    condition: Formula,
    *,
    agent: str,
    operators: tuple[str, ...],
    is_never_true: Callable[[Atom], bool],
    meter: Meter,
) -> tuple[Formula, ...]:
    """Find conjuncts of a closed condition that, from this state, never hold together.

    Args:
        world: The world.
        state: The state from which actions are taken.
        condition: The condition.
        agent: Name of the agent, the first argument of every action.
        operators: Names of the operators.
        is_never_true: Returns whether a closed atom can never hold, whatever else does.
        meter: Counts the steps of proofs.

    Returns:
        The conjunction of two conjuncts, or one of them; empty if no proof was found.
    """
    conditions = tuple(dict.fromkeys(conjuncts(condition)))
    proof = _Proof(world, state, agent, operators, is_never_true, meter)
    # Few choices first: most proofs need none, and with many a failing one takes long.
    for choices, choices_for_pair in _ROUNDS:
        # Two choices in a row are worth it only if one of them came to something.
        if choices > 1 and not proof.has_refuted_option:
            break
        proof.begin_round(choices_for_pair)
        for first, second in combinations(conditions, 2):
            if proof.refutes([first, second], choices):
                return (And((first, second)),)
    return ()


class _Situation(NamedTuple):
    """The literals that hold before an action, as far as they are known.

    Args:
        true: Atoms that hold.
        false: Atoms that do not.
        universal: Conditions for all objects.
        choices: Alternatives, one of which holds.
        is_impossible: Whether a static condition excludes it.
    """

    true: dict[Atom, None]
    false: dict[Atom, None]
    universal: list[Forall]
    choices: list[tuple[Formula, ...]]
    is_impossible: bool


class _Proof:
    """A proof that some atoms never hold together, as far as it got."""

    def __init__(
        self,
        world: World,
        state: State,
        agent: str,
        operator_names: tuple[str, ...],
        is_never_true: Callable[[Atom], bool],
        meter: Meter,
    ) -> None:
        """Begin a proof without any assumption.

        Args:
            world: The world.
            state: The state from which actions are taken.
            agent: Name of the agent.
            operator_names: Names of the operators.
            is_never_true: Returns whether a closed atom can never hold.
            meter: Counts the steps.
        """
        self._world = world
        self._state = state
        self._agent = agent
        self._names = operator_names
        self._max_choices_for_pair = 0
        # Whether an option was refuted in a choice among conditions, not only for a pair.
        self.has_refuted_option = False
        self._meter = meter
        self._is_never_true = is_never_true
        # Results of `is_never_true`, and the number of steps of the proof.
        self._out_of_reach: dict[Atom, bool] = {}
        self._steps = 0
        # New variables are written in capitals, so they differ from the variables of the domain.
        self._variable_numbers = count()
        # The hypothesis of the induction: pairs of atoms that never hold together.
        self._hypotheses: set[_Pair] = set()
        self._failed: set[_Pair] = set()

    def begin_round(self, max_choices_for_pair: int) -> None:
        """Begin to count steps anew, perhaps with more choices for each pair.

        Pairs that were proved stay so. Those that were not are tried again only if more choices are
        allowed for them than before.

        Args:
            max_choices_for_pair: Maximum number of choices in a row in the proof for a pair.
        """
        if max_choices_for_pair > self._max_choices_for_pair:
            self._failed.clear()
        self._max_choices_for_pair = max_choices_for_pair
        self._steps = 0

    def refutes(
        self, conditions: Sequence[Formula], max_choices: int, focus: Atom | None = None
    ) -> bool:
        """Return whether conditions are proved never to hold together.

        Args:
            conditions: The conditions, whose free variables may stand for any objects.
            max_choices: Maximum number of rules and disjunctions in a row in which an option is
                chosen.
            focus: An atom; only pairs of atoms with this one are examined. None for all pairs.
        """
        if self._steps >= _MAX_STEPS:
            return False
        self._steps += 1
        self._meter.count_instances(_STEP)
        situation = self._situation(conditions)
        # The cheapest refutation first: a contradiction, then pairs, then single atoms. Choices
        # multiply the work, so they are made last.
        if situation.is_impossible or not situation.true.keys().isdisjoint(situation.false):
            return True
        basic_atoms = [atom for atom in situation.true if atom.predicate not in self._world.derived]
        if any(
            self._never(first, second) for first, second in self._candidates(basic_atoms, focus)
        ):
            return True
        if any(self._is_out_of_reach(atom) for atom in situation.true):
            return True
        if not max_choices:
            return False
        # A choice is refuted if every option is; one refuted choice is enough.
        for choice in [*self._bodies(situation.true, focus), *situation.choices]:
            for option in choice:
                if not self.refutes([*conditions, option], max_choices - 1, focus):
                    break
                self.has_refuted_option = self.has_refuted_option or focus is None
            else:
                return True
        return False

    def _is_out_of_reach(self, atom: Atom) -> bool:
        """Return whether a closed atom can never hold by itself."""
        if atom.free:
            return False
        answer = self._out_of_reach.get(atom)
        if answer is None:
            answer = self._out_of_reach[atom] = self._is_never_true(atom)
        return answer

    def _candidates(self, atoms: Sequence[Atom], focus: Atom | None) -> Iterator[_Pair]:
        """Yield pairs that are worth a proof: about the same object, or of the same predicate."""
        for first, second in combinations(atoms, 2):
            if focus is not None and focus not in (first, second):
                continue
            shared = set(first.terms).intersection(second.terms).difference([self._agent])
            if shared or first.predicate == second.predicate:
                yield first, second

    def _bodies(self, atoms: Iterable[Atom], focus: Atom | None) -> Iterator[tuple[Formula, ...]]:
        """Yield the bodies of the rules for each derived atom, one of which has to hold.

        Args:
            atoms: The atoms.
            focus: If given, only atoms about its objects are examined.
        """
        about = None if focus is None else set(focus.terms).difference([self._agent])
        for atom in atoms:
            if about is not None and about.isdisjoint(atom.terms):
                continue
            bodies = self._rules(atom)
            if bodies:
                yield bodies

    def _rules(self, atom: Atom) -> tuple[Formula, ...]:
        """Return the alternative bodies by which an atom is derived, its terms put into them.

        With the rule ``(inside ?x ?z)`` if ``(or (in ?x ?z) (exists ?y ...))``, the atom ``(inside
        a b)`` has the bodies ``(in a b)`` and ``(exists ?y ...)``. There are none if the atom is
        not derived, or if a function of the simulator and no rule decides it. A function that only
        computes a recursive rule faster agrees with the rule.
        """
        if atom.predicate not in rules_of(self._world):
            return ()
        alternatives: list[Formula] = []
        for body in self._world.domain.bodies_for(atom):
            if isinstance(body, Or):
                alternatives += body.operands
            else:
                alternatives.append(body)
        return tuple(alternatives)

    # ------------------------------------------------------------------ pairs
    def _never(self, first: Atom, second: Atom) -> bool:
        """Return whether two atoms are proved never to hold together, for any objects.

        The proof is an induction over the length of plans: the atoms do not hold together now, and
        no action makes both true. Other pairs that the proof needs are assumed first and proved in
        the same way.
        """
        pair = _canonical(first, second)
        if pair in self._hypotheses:
            return True
        if pair in self._failed or len(self._hypotheses) + len(self._failed) >= _MAX_PAIRS:
            return False
        hypotheses_before = set(self._hypotheses)
        self._hypotheses.add(pair)
        # The base case is the present state, and the induction step is a single action.
        if not self._holds_now(pair) and self._is_preserved(*pair):
            return True
        self._hypotheses = hypotheses_before  # later proofs may depend on this pair
        self._failed.add(pair)
        return False

    def _holds_now(self, pair: _Pair) -> bool:
        """Return whether both atoms of a pair hold in the state, for some objects."""
        closed = exists_closure(And(pair))
        self._meter.count_instances(self._world.instances(closed, self._state.universe))
        return self._world.holds(self._state, closed)

    def _effects_adding(self, predicate: str) -> Iterator[Achiever]:
        """Yield the effects of all actions that make an atom of a predicate true."""
        for name in self._names:
            for effect in effects_of(self._world, name):
                _, is_added = effect.sign
                if is_added and effect.atom.predicate == predicate:
                    yield effect

    def _is_preserved(self, first: Atom, second: Atom) -> bool:
        """Return whether no action makes two atoms true together that are not before it.

        This is the step of the induction: for each effect that adds one of them, the other has to
        be false afterwards.
        """
        # Either of them may come last; for a pair of equal atoms both orders are the same.
        for added, staying in dict.fromkeys([(first, second), (second, first)]):
            for effect in self._effects_adding(added.predicate):
                if not self._is_excluded(effect, added, staying):
                    return False
        return True

    def _is_excluded(self, effect: Achiever, atom: Atom, excluded_atom: Atom) -> bool:
        """Return whether an effect that adds an atom excludes another atom afterwards.

        Args:
            effect: An effect that adds an atom of the same predicate.
            atom: The atom that the effect adds.
            excluded_atom: The atom that must be false after the effect.
        """
        # Its variables get names of their own, except the agent, who is the same in all actions.
        parameters = self._renamed(effect.operator.parameters)
        if effect.operator.parameters:
            parameters[effect.operator.parameters[0].name] = self._agent
        substitution = {**parameters, **self._renamed(effect.variables[len(parameters) :])}
        unifier = _unified(_terms(effect.atom, substitution), atom.terms)
        if unifier is None:
            return True  # the effect never adds this atom
        conditions: list[Formula] = []
        for conjunct in (*conjuncts(effect.operator.precondition), *conjuncts(effect.condition)):
            conditions.append(conjunct.substitute(substitution).substitute(unifier))
        remaining_atom = Atom(excluded_atom.predicate, _terms(excluded_atom, unifier))
        parameter_values = {
            name: unifier.get(_name(term), term) for name, term in parameters.items()
        }
        if not self._is_false_after(effect, parameter_values, conditions, remaining_atom):
            return False
        return not self._may_be_added(effect, parameter_values, conditions, remaining_atom)

    def _is_false_after(
        self,
        effect: Achiever,
        parameter_values: Mapping[str, Term],
        conditions: list[Formula],
        atom: Atom,
    ) -> bool:
        """Return whether an atom that may hold before an action is excluded, or deleted by it.

        Args:
            effect: An effect of the action.
            parameter_values: The values of the action's parameters.
            conditions: The conditions of the effect.
            atom: The atom.
        """
        conditions_before = [*conditions, atom]
        situation = self._situation(conditions_before)
        for deletion in effects_of(self._world, effect.operator.name):
            _, is_added = deletion.sign
            if is_added or deletion.atom.predicate != atom.predicate:
                continue
            quantified = {v.name for v in deletion.variables}.difference(parameter_values)
            binding = _matched(deletion.atom.terms, atom.terms, parameter_values, quantified)
            if binding is None:
                continue
            if not quantified.intersection(deletion.condition.free_names) <= binding.keys():
                continue  # it is deleted for some objects only
            deletion_conditions = [
                part.substitute(binding) for part in conjuncts(deletion.condition)
            ]
            if all(self._is_implied(part, situation) for part in deletion_conditions):
                return True
        return self.refutes(conditions_before, self._max_choices_for_pair, atom)

    def _may_be_added(
        self,
        effect: Achiever,
        parameter_values: Mapping[str, Term],
        conditions: list[Formula],
        atom: Atom,
    ) -> bool:
        """Return whether another effect of the same action may make an atom true.

        Args:
            effect: An effect of the action.
            parameter_values: The values of the action's parameters.
            conditions: The conditions of the effect.
            atom: The atom.
        """
        for addition in effects_of(self._world, effect.operator.name):
            _, is_added = addition.sign
            if not is_added or addition.atom.predicate != atom.predicate:
                continue
            substitution = {
                **parameter_values,
                **self._renamed(addition.variables[len(parameter_values) :]),
            }
            unifier = _unified(_terms(addition.atom, substitution), atom.terms)
            if unifier is None:
                continue
            # It makes the atom true unless its condition contradicts those of the deletion.
            joint_conditions = list(conditions)
            for conjunct in conjuncts(addition.condition):
                joint_conditions.append(conjunct.substitute(substitution))
            joint_conditions = [conjunct.substitute(unifier) for conjunct in joint_conditions]
            if not self.refutes(joint_conditions, self._max_choices_for_pair):
                return True
        return False

    def _is_implied(self, condition: Formula, situation: _Situation) -> bool:
        """Return whether a condition certainly holds in a situation.

        It does if it is known there, or if no action ever changes it and it holds in the present
        state. False means that it is not known, so the proof must do without it.
        """
        if isinstance(condition, Truth):
            return condition.value
        if isinstance(condition, Atom) and condition in situation.true:
            return True
        if isinstance(condition, Not) and condition.operand in situation.false:
            return True
        if condition.free or not self._world.domain.is_static(condition):
            return False
        return self._world.holds(self._state, condition)

    # ------------------------------------------------------------------ situations
    def _situation(self, conditions: Iterable[Formula]) -> _Situation:
        """Return the literals that follow from conditions.

        Conjunctions are split, and universal conditions are instantiated for every known term. The
        instances may contain new terms, so both steps are repeated until nothing new is found.
        """
        situation = _Situation({}, {}, [], [], is_impossible=False)
        visited: set[Formula] = set()
        instances: set[Formula] = set()
        pending = list(conditions)
        while pending:
            # First everything that is known, so that universal conditions see all terms.
            while pending:
                condition = pending.pop()
                if condition in visited:
                    continue
                visited.add(condition)
                if self._contradicts_itself(condition):
                    # One contradiction is enough: no state is like this.
                    return situation._replace(is_impossible=True)
                pending += self._parts(condition, situation)
            for instance in _instances_for_terms(situation):
                if instance not in instances:
                    instances.add(instance)
                    pending.append(instance)
        return situation

    def _parts(self, condition: Formula, situation: _Situation) -> Iterator[Formula]:
        """Enter a condition into a situation, or yield the conditions that it consists of.

        Literals are entered as known. A disjunction is kept as a choice, and a ``forall`` for all
        terms that come up.
        """
        if isinstance(condition, Atom):
            situation.true[condition] = None
        elif isinstance(condition, And):
            yield from condition.operands
        elif isinstance(condition, Or):
            situation.choices.append(condition.operands)
        elif isinstance(condition, Exists):
            yield condition.body.substitute(self._renamed(condition.variables))
        elif isinstance(condition, Forall):
            # One variable of every object: what is said of it is said of each term.
            if len(condition.variables) == 1 and "object" in condition.variables[0].types:
                situation.universal.append(condition)
        elif isinstance(condition, Not):
            yield from self._parts_of_negation(condition.operand, situation)

    def _parts_of_negation(self, operand: Formula, situation: _Situation) -> Iterator[Formula]:
        """Enter a negated atom into a situation, or yield the parts of a negated formula."""
        if isinstance(operand, Atom):
            situation.false[operand] = None
            # What is not derived has no rule whose body holds.
            for body in self._rules(operand):
                yield Not(body)
        elif isinstance(operand, (And, Or, Not, Exists, Forall)):
            yield operand.negated()

    def _contradicts_itself(self, condition: Formula) -> bool:
        """Return whether a condition excludes itself: false, or static and true of no objects."""
        if isinstance(condition, Truth):
            return not condition.value
        if isinstance(condition, (And, Or, Forall)) or not self._world.domain.is_static(condition):
            return False
        # With two variables the test costs the square of the number of objects.
        if len(condition.free) > 1:
            return False
        # That two variables are equal, or a variable and an object, can always be so.
        if isinstance(condition, Equal) and condition.free:
            return False
        closed = exists_closure(condition)
        self._meter.count_instances(self._world.instances(closed, self._state.universe))
        return not self._world.holds(self._state, closed)

    def _renamed(self, variables: Iterable[Variable]) -> dict[str, Term]:
        """Return new variables for some, by name, so that no two conditions share one."""
        return {v.name: Variable(f"NEW{next(self._variable_numbers)}") for v in variables}


@lru_cache(maxsize=4096)
def _canonical(left: Atom, right: Atom) -> _Pair:
    """Return a pair of atoms in a form that is equal for pairs of the same shape.

    Variables are numbered in the order in which they occur, and the smaller atom is the first:
    ``on(?b, x)`` and ``at(?b)`` become ``at(ANY0)`` and ``on(ANY0, x)``. So the hypothesis of the
    induction is found again under other names of variables.
    """
    first, second = sorted((left, right), key=lambda atom: (atom.predicate, str(atom)))
    names: dict[str, Term] = {}
    for term in (*first.terms, *second.terms):
        if isinstance(term, Variable):
            names.setdefault(term.name, Variable(f"ANY{len(names)}"))
    renamed_first = Atom(first.predicate, _terms(first, names))
    return renamed_first, Atom(second.predicate, _terms(second, names))


def _instances_for_terms(situation: _Situation) -> Iterator[Formula]:
    """Yield the instances of a situation's universal conditions for each known term."""
    terms = _terms_of(situation)
    for universal in situation.universal:
        variable = universal.variables[0]
        for term in terms:
            yield universal.body.substitute({variable.name: term})


def _terms_of(situation: _Situation) -> list[Term]:
    """Return the terms of the atoms that are known to hold or not to hold."""
    terms: dict[Term, None] = {}
    for atom in (*situation.true, *situation.false):
        terms.update(dict.fromkeys(atom.terms))
    return list(terms)[:_MAX_TERMS]


def _terms(atom: Atom, binding: Mapping[str, Term]) -> tuple[Term, ...]:
    """Return the terms of an atom, with the values of the variables that are bound."""
    return tuple(binding.get(_name(term), term) for term in atom.terms)


def _name(term: Term) -> str:
    """Return the name of a variable; the empty one for an object."""
    return term.name if isinstance(term, Variable) else ""


def _unified(first: Sequence[Term], second: Sequence[Term]) -> dict[str, Term] | None:
    """Return the most general unifier of two rows of terms, or None if there is none.

    The unifier binds variables to terms such that both rows become equal: ``(X, cup)`` and
    ``(Y, Z)`` have the unifier ``{X: Y, Z: cup}`` (Robinson 1965, for terms without functions).
    """
    unifier: dict[str, Term] = {}
    for first_term, second_term in zip(first, second, strict=True):
        first_value = _value(first_term, unifier)
        second_value = _value(second_term, unifier)
        if first_value == second_value:
            continue
        if isinstance(first_value, Variable):
            unifier[first_value.name] = second_value
        elif isinstance(second_value, Variable):
            unifier[second_value.name] = first_value
        else:
            return None
    # A variable may be bound to another one that was bound later.
    return {name: _value(term, unifier) for name, term in unifier.items()}


def _value(term: Term, binding: Mapping[str, Term]) -> Term:
    """Follow the bindings of variables from a term to an object, or to an unbound variable."""
    while isinstance(term, Variable) and term.name in binding:
        term = binding[term.name]
    return term


def _matched(
    pattern: Sequence[Term],
    terms: Sequence[Term],
    bound: Mapping[str, Term],
    quantified: set[str],
) -> dict[str, Term] | None:
    """Return the binding with which a pattern is certainly about some terms; None if it may not be.

    Args:
        pattern: Terms of an effect.
        terms: The terms.
        bound: The values of the action's parameters.
        quantified: Names of the variables that stand for every object.
    """
    binding = dict(bound)
    for pattern_term, term in zip(pattern, terms, strict=True):
        name = _name(pattern_term)
        if name in quantified and name not in binding:
            binding[name] = term
        elif binding.get(name, pattern_term) != term:
            return None
    return binding
