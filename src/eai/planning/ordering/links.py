"""Causal links: what each step of an executed plan needs, changes, and might have changed.

Idea: an atom is *volatile* if a step of the plan changes it. A *support* of a condition is a set of
volatile literals that hold and suffice, whatever the other volatile atoms are (:class:`Support`).
From the support of a step's precondition and the last step that made each of its literals true
follow the causal links ``producer -> literal -> consumer`` of partial-order planning (McAllester &
Rosenblitt 1991), from these the steps that something rests on, and the order that has to stay
(:class:`Links`).

Conditional effects: the support of an effect that happens (*writes*) is kept apart from that of
effects that do not happen but might (*risks*), since in most plans nobody asks about most of them.

Numbers have causes, too: a comparison rests on bounds of numbers, and these on the steps that
changed the numbers (:mod:`eai.planning.ordering.numbers`).

Cost: one walk over the precondition and the effects of each step.

Example:
    The light is switched on in step 0, and step 1 needs it:

    >>> from eai.pddl import parse_domain
    >>> from eai.planning import Links, Taken
    >>> from eai.world import Action, World
    >>> world = World(parse_domain('''(define (domain lamp) (:predicates (on) (read))
    ...   (:action switch :parameters () :precondition () :effect (on))
    ...   (:action study :parameters () :precondition (on) :effect (read)))'''))
    >>> start, steps = world.state({}, []), []
    >>> state = start.copy()
    >>> for name in ("switch", "study"):
    ...     steps.append(Taken(Action(name, ()), (), world.apply(state, name, ())))
    >>> links = Links(world, start, steps)
    >>> sorted(links.rests_on([(links.needs(1), 1)]))
    [0]
    >>> links.order([])
    {(0, 1)}
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Optional, Union

from eai.logic import And, Formula
from eai.pddl import NumericClause, numeric_clauses
from eai.planning.achievers import effects_of, opposite
from eai.planning.ordering.numbers import NumberHistory, NumberUpdate, value_of
from eai.planning.ordering.supports import Support
from eai.planning.reasons import NOTHING, Bound, Env, Reads, Requirement
from eai.world import Action, Change, Key, Literal, State, UndefinedError, World, changed_literals

Demand = tuple[Reads, int]
"""Literals that have to hold before the step at a position, or at the end."""


class _StepPart(NamedTuple):
    """A part of a step's effects on facts, on which other parts may depend.

    Args:
        step: Position of the step.
        literal: A literal; None for the whole step: that it is done at all.
        is_made: Whether the step is to make the literal true; else it must not make it true.
    """

    step: int
    literal: Optional[Literal] = None  # noqa: UP045 - evaluated in Python 3.10
    is_made: bool = True


class _NumberPart(NamedTuple):
    """The effects of a step on a number, on which other parts may depend.

    Args:
        step: Position of the step.
        term: The function term.
    """

    step: int
    term: Key


_Part = Union[_StepPart, _NumberPart]


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that was executed, or skipped because its effects held already.

    Args:
        action: The step.
        numbers: Object numbers of its operator's arguments.
        changes: The changes that it made; None if it was skipped.
    """

    action: Action
    numbers: tuple[int, ...]
    changes: Sequence[Change] | None


class _Effects(NamedTuple):
    """The literals that a step makes true, and those it would make true in other states.

    Args:
        writes: Literal to the support of making it true.
        risks: Literal to the support of not making it true.
    """

    writes: Mapping[Literal, Reads]
    risks: Mapping[Literal, Reads]


class _StepLinks(NamedTuple):
    """The requirements of one step, by the part of the step that depends on them.

    Args:
        needs: The support of being done at all.
        writes: See :class:`_Effects`.
        risks: See :class:`_Effects`; volatile literals only.
    """

    needs: Reads
    writes: Mapping[Literal, Reads]
    risks: Mapping[Literal, Reads]


class Links:
    """The causal links of one execution.

    Args:
        world: A world without computed predicates: what they look at is not known.
        start: The initial state.
        steps: The steps; the position of a step is its 0-based number here, and the position
            after the last one is the end.
    """

    def __init__(self, world: World, start: State, steps: Sequence[Taken]) -> None:
        """Find the requirements of every step of an execution that begins in a state."""
        self.steps = steps
        self.end = len(steps)
        self._world = world
        self._states = [start]
        # For every atom that changes, the positions of the steps that change it, in order.
        self._changed_at: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        # Atoms and terms that some step changes: only these depend on the order of steps.
        volatile_atoms = State(start.layout, start.universe)
        volatile_terms: set[Key] = set()
        for position, step in enumerate(steps):
            state = self._states[-1]
            # A step that was skipped leaves the state as it is, so both positions share it.
            if step.changes is not None:
                volatile_terms.update(_updated_terms(world, state, step))
                state = state.copy()
                state.apply(step.changes)
            self._states.append(state)
            for predicate, arguments, _ in changed_literals(step.changes or (), start.layout):
                self._changed_at.setdefault((predicate, arguments), []).append(position)
                volatile_atoms.put(predicate, arguments, True)
        self._support = Support(world, start, volatile_atoms, frozenset(volatile_terms))
        self._volatile_terms = volatile_terms
        self._numbers = NumberHistory(self._states)
        # By part of a step: the parts on which it rests directly.
        self._parts_behind: dict[_Part, frozenset[_Part]] = {}
        self._links = [self._links_of(position) for position in range(self.end)]

    def support(self, position: int) -> Support:
        """Return the finder of supports, moved to a position."""
        action: Action | None = None
        if position < self.end:
            action = self.steps[position].action
        self._support.move(self._states[position], action)
        return self._support

    def needs(self, position: int) -> Reads:
        """Return the literals that let a step be done."""
        return self._links[position].needs

    def makers(self, requirement: Requirement, position: int) -> Sequence[int | None]:
        """Return the steps due to which a requirement is met at a position; None is the start."""
        if isinstance(requirement, Bound):
            return self._numbers.source(requirement, position).producers
        return (self._maker(requirement, position),)

    def _maker(self, literal: Literal, position: int) -> int | None:
        """Return the last step before a position that changed the atom of a literal.

        Returns:
            The producer of what holds at the position; None if it holds from the start.
        """
        # literal[:2] is its atom: a step that made it false and true again changed it twice.
        positions = self._changed_at.get(literal[:2], [])
        index = bisect_left(positions, position)
        if index == 0:
            return None
        return positions[index - 1]

    # ------------------------------------------------------------------ what a step rests on
    def _links_of(self, position: int) -> _StepLinks:
        """Return the requirements of the step at a position, for each of its parts.

        The result has three parts. ``needs`` are the requirements of the step as a whole,
        ``writes`` those of each effect, and ``risks`` those of effects that do not happen here but
        might in another order of the steps.
        """
        step = self.steps[position]
        support = self.support(position)
        requirements = self._support_of_precondition(step.action.name, step.numbers)
        effects = self._effects_with_supports(step.action.name, step.numbers)
        risks: dict[Literal, Reads] = {}
        for literal, reads in effects.risks.items():
            if support.is_volatile(literal):
                risks[literal] = reads
            elif not support.is_true(literal):
                # No step ever changes this atom, and this one must not be the first.
                requirements |= reads
        updates = self._number_updates(step.action.name, step.numbers)
        if step.changes is None:
            requirements = requirements.union(*risks.values())
            return self._links_of_skipped(requirements, effects.writes, updates)
        changing_updates: dict[Key, NumberUpdate] = {}
        for term, update in updates.items():
            if term in self._volatile_terms:
                changing_updates[term] = update
            else:
                # No step ever changes this number, and this one must not be the first.
                requirements |= update.reads
        self._numbers.note(position, changing_updates)
        return _StepLinks(requirements, effects.writes, risks)

    def _links_of_skipped(
        self, requirements: Reads, writes: Iterable[Literal], updates: Mapping[Key, NumberUpdate]
    ) -> _StepLinks:
        """Return the requirements of a step that is skipped, which has no other part.

        A step is skipped because its effects hold already, and only as long as they do.

        Args:
            requirements: The requirements of its precondition, and of effects not happening.
            writes: The literals that it would make true.
            updates: The changes of numbers that it would make, by function term.
        """
        volatile_writes = frozenset(filter(self._support.is_volatile, writes))
        requirements = requirements.union(volatile_writes)
        for term, update in updates.items():
            requirements |= update.reads.union(self._exactly(term))
        return _StepLinks(requirements, {}, {})

    def _exactly(self, term: Key) -> Reads:
        """Return the requirement that a number keeps its value at the present position."""
        if term not in self._volatile_terms:
            return NOTHING
        return frozenset((Bound(term, "=", value_of(self._support.state, term)),))

    def failed(self, name: str, arguments: Sequence[int]) -> Reads:
        """Return the literals because of which an action fails after the last step.

        An action fails if its precondition is false and not all of its effects hold already. So the
        support of the precondition is a reason, and so is the first effect, or change of a number,
        that would be new.

        Args:
            name: Name of the action.
            arguments: Numbers of its arguments.
        """
        support = self.support(self.end)
        reasons = self._support_of_precondition(name, arguments)
        for literal, reads in self._effects_with_supports(name, arguments).writes.items():
            if not support.is_true(literal):
                return reasons | reads | support.literal(opposite(literal))
        for term, update in self._number_updates(name, arguments).items():
            if update.happens:
                return reasons | update.reads | self._exactly(term)
        return reasons

    def _support_of_precondition(self, name: str, arguments: Sequence[int]) -> Reads:
        """Return the support of a precondition's value, up to the first test that fails.

        Later tests are not evaluated, so the failure does not depend on them.
        """
        compiled = self._world.operator(name)
        env = {
            v.name: object_number
            for v, object_number in zip(compiled.operator.parameters, arguments, strict=True)
        }
        requirements: Reads = NOTHING
        for test in compiled.tests:
            reads = self._support.of(test, env)
            if reads is None:
                return requirements | self._support.why_not(test, env)
            requirements |= reads
        return requirements

    def _effects_with_supports(self, name: str, arguments: Sequence[int]) -> _Effects:
        """Return the effects of an action at this position, each with its requirements.

        Adding an atom wins over deleting it.

        Args:
            name: Name of the action.
            arguments: Numbers of its arguments.

        Returns:
            The effects that happen, and those that might happen under other conditions.
        """
        support = self._support
        support_of_happening: dict[Literal, Reads] = {}
        support_of_not_happening: dict[Literal, Reads] = {}  # with the support of not happening
        for literal, condition, env in self._instances_of_effects(name, arguments):
            reads = support.cheaper(support_of_happening.get(literal), support.of(condition, env))
            if reads is not None:
                support_of_happening[literal] = reads
            else:
                why_not = support.why_not(condition, env)
                support_of_not_happening[literal] = (
                    support_of_not_happening.get(literal, NOTHING) | why_not
                )
        risks = {
            literal: reads
            for literal, reads in support_of_not_happening.items()
            if literal not in support_of_happening
        }
        writes: dict[Literal, Reads] = {}
        for literal, reads in support_of_happening.items():
            # Adding wins: a deletion happens only while no effect adds the same atom.
            predicate, atom_arguments, value = literal
            addition = (predicate, atom_arguments, True)
            if value:
                writes[literal] = reads
            elif addition not in support_of_happening:
                writes[literal] = reads | risks.get(addition, NOTHING)
            elif support_of_happening[addition]:
                # Overruled by an effect that adds the atom: a risk if that effect might not happen.
                risks[literal] = support_of_happening[addition]
        return _Effects(writes, risks)

    def _instances_of_effects(
        self, name: str, arguments: Sequence[int]
    ) -> Iterator[tuple[Literal, Formula, Env]]:
        """Yield the literals that an action could make true, each with its condition.

        Args:
            name: Name of the action.
            arguments: Numbers of its arguments.

        Yields:
            The literal, the condition of the effect, and the objects of the condition's variables.
        """
        support = self._support
        for effect in effects_of(self._world, name):
            arity = len(effect.operator.parameters)
            parameters = effect.variables[:arity]
            quantified = effect.variables[arity:]
            env = {
                v.name: object_number
                for v, object_number in zip(parameters, arguments, strict=True)
            }
            predicate, is_added = effect.sign
            # Deletions of false atoms change nothing and are left out. Additions of true atoms may
            # overrule a deletion, so they are included.
            relevant_condition = effect.condition
            if not is_added:
                relevant_condition = And((effect.condition, effect.atom))
            for effect_env in support.bindings(quantified, relevant_condition, env, want=True):
                literal = (predicate, support.numbers(effect.atom.terms, effect_env), is_added)
                yield literal, effect.condition, effect_env

    def _number_updates(self, name: str, arguments: Sequence[int]) -> dict[Key, NumberUpdate]:
        """Return the possible changes of numbers by an action, each with its requirements.

        Args:
            name: Name of the action.
            arguments: Numbers of its arguments.

        Returns:
            Updates by function term; several updates of one term are taken together.
        """
        support = self._support
        compiled = self._world.operator(name)
        if not compiled.changes_numbers:
            return {}
        parameters = compiled.operator.parameters
        env = {
            v.name: object_number for v, object_number in zip(parameters, arguments, strict=True)
        }
        updates: dict[Key, NumberUpdate] = {}
        for clause in numeric_clauses(compiled.operator.effect, env):
            for clause_env in support.bindings(clause.variables, clause.condition, env, want=True):
                term = support.key_of(clause.target, clause_env)
                update = self._number_update(clause, clause_env, term)
                # An update that neither happens nor depends on anything never happens.
                if update.happens or update.reads:
                    updates[term] = updates.get(term, NumberUpdate()).together(update)
        return updates

    def _number_update(self, clause: NumericClause, env: Env, term: Key) -> NumberUpdate:
        """Return the change of a number by one effect at this position, with its requirements.

        Args:
            clause: The effect.
            env: Objects of its variables.
            term: The function term that it changes.
        """
        support = self._support
        reads = support.of(clause.condition, env)
        if reads is None:
            # The effect does not happen here, as long as its condition remains false.
            return NumberUpdate(reads=support.why_not(clause.condition, env))
        comparisons = support.comparisons(env)
        reads |= comparisons.exact((clause.amount,))
        if clause.update not in ("increase", "decrease"):
            if clause.update != "assign":  # a scaled number depends on its old value
                reads |= self._exactly(term)
            return NumberUpdate(None, reads, happens=True)
        try:
            amount = comparisons.value(clause.amount)
        except UndefinedError:
            return NumberUpdate(0, reads, happens=True)  # the action cannot be done
        return NumberUpdate(amount if clause.update == "increase" else -amount, reads, happens=True)

    # ------------------------------------------------------------------ what rests on what
    def rests_on(self, demands: Iterable[Demand]) -> frozenset[int]:
        """Return the steps without which some demands might not be met."""
        steps = set()
        for part in self._closure(demands):
            # A part without a literal is the step itself. Other parts are single effects of it.
            if isinstance(part, _StepPart) and part.literal is None:
                steps.add(part.step)
        return frozenset(steps)

    def _closure(self, demands: Iterable[Demand]) -> set[_Part]:
        """Return the parts of steps on which demands depend, directly or indirectly.

        A demand depends on the steps that made it true and on those that might have destroyed it.
        The requirements of these steps are demands in turn.

        Args:
            demands: Literals, each with the position at which it has to hold.
        """
        pending: list[_Part] = []
        for reads, position in demands:
            pending += self._producers_and_protections(reads, position)
        reached = set(pending)
        while pending:
            part = pending.pop()
            # The direct requirements of a part do not depend on the demands, so they are cached.
            direct_requirements = self._parts_behind.get(part)
            if direct_requirements is None:
                parts = self._producers_and_protections(self._reads(part), part.step)
                direct_requirements = self._parts_behind[part] = frozenset(parts)
            unvisited = direct_requirements.difference(reached)
            reached |= unvisited
            pending += unvisited
        return reached

    def _reads(self, part: _Part) -> Reads:
        """Return the requirements of one part of a step.

        A part is a number that the step changes, its precondition (no literal), an effect that it
        makes true, or an effect that it might have.
        """
        if isinstance(part, _NumberPart):
            return self._numbers.reads(part.step, part.term)
        links = self._links[part.step]
        if part.literal is None:
            return links.needs
        if part.is_made:
            return links.writes[part.literal]
        return links.risks[part.literal]

    def _producers_and_protections(self, reads: Reads, position: int) -> Iterator[_Part]:
        """Yield the parts of steps that make requirements true, or keep them true until a position.

        The producer of a literal makes it true. A protection is a later step that could make the
        literal false in another state, but does not.
        """
        for literal in reads:
            if isinstance(literal, Bound):
                yield from self._number_parts(literal, position)
                continue
            producer = self._maker(literal, position)
            # Without a producer the literal holds from the start, and any step may undo it.
            first_after = 0
            if producer is not None:
                first_after = producer + 1
                yield _StepPart(producer)
                yield _StepPart(producer, literal)
            opposite_literal = opposite(literal)
            for step in range(first_after, position):
                if opposite_literal in self._links[step].risks:
                    yield _StepPart(step, opposite_literal, False)

    def _number_parts(self, bound: Bound, position: int) -> Iterator[_Part]:
        """Yield the parts of steps that keep a number within a bound at a position."""
        source = self._numbers.source(bound, position)
        needed = source.adders if source.setter is None else (source.setter, *source.adders)
        for step in needed:
            yield _StepPart(step)
        for step in (*needed, *source.others):
            yield _NumberPart(step, bound.term)

    # ------------------------------------------------------------------ order
    def order(self, demands: Sequence[Demand]) -> set[tuple[int, int]]:
        """Return the pairs of steps whose order preserves all steps and demands.

        A producer, which makes a literal true, comes before the consumer, which needs it. Any other
        step that makes the literal false is a threat: it stays before the producer (demotion) or
        after the consumer (promotion), as it is now.

        Args:
            demands: Literals that have to hold at the end, beside the requirements of the steps.

        Returns:
            Pairs of positions, the earlier step first.
        """
        steps_touching = self._steps_touching()
        pairs: set[tuple[int, int]] = set()
        for literal, position in self._all_demanded(demands):
            if isinstance(literal, Bound):
                for earlier, later in self._numbers.order(literal, position):
                    # The end comes after all steps in any order, so it needs no pair.
                    if later < self.end:
                        pairs.add((earlier, later))
                continue
            # Without a producer the literal holds from the start on.
            producer = self._maker(literal, position)
            if producer is not None and position < self.end:
                pairs.add((producer, position))
            for threat in steps_touching.get(opposite(literal), ()):
                if producer is not None and threat < producer:
                    pairs.add((threat, producer))
                elif threat > position:
                    pairs.add((position, threat))
        return pairs

    def _all_demanded(self, demands: Sequence[Demand]) -> set[tuple[Literal | Bound, int]]:
        """Return all direct and indirect requirements of steps and demands, with positions."""
        roots = [*demands]
        for position, links in enumerate(self._links):
            roots.append((links.needs, position))
        demanded: set[tuple[Literal | Bound, int]] = set()
        for reads, position in roots:
            demanded |= {(literal, position) for literal in reads}
        for part in self._closure(roots):
            demanded |= {(literal, part.step) for literal in self._reads(part)}
        return demanded

    def _steps_touching(self) -> dict[Literal, list[int]]:
        """Return for every literal the steps that make it true, or might do so."""
        touching: dict[Literal, list[int]] = {}
        for position, links in enumerate(self._links):
            for literal in {*links.writes, *links.risks}:
                touching.setdefault(literal, []).append(position)
        return touching


def _updated_terms(world: World, state: State, step: Taken) -> Iterator[Key]:
    """Yield the function terms that a step assigns, even without a change of value."""
    compiled = world.operator(step.action.name)
    if compiled.changes_numbers:
        for term, _, _ in compiled.numeric_effect(state, *step.numbers):
            yield term
