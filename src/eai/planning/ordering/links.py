"""Causal links: what each step of an executed plan needs, changes, and might have changed.

Idea: an atom is *volatile* if a step of the plan changes it. A *support* of a condition is a set of
volatile literals that hold and suffice, whatever the other volatile atoms are (:class:`Support`).
From the support of a step's precondition and the last step that made each of its literals true
follow the causal links ``producer -> literal -> consumer`` of partial-order planning (McAllester &
Rosenblitt 1991), from these the steps that something rests on, and the order that has to stay
(:class:`Links`).

Conditional effects: the support of an effect that happens (*writes*) is kept apart from that of
effects that do not happen but might (*risks*), since in most plans nobody asks about most of them.

Cost: one walk over the precondition and the effects of each step. Quantifiers range over hundreds
of objects, of which the atoms of the condition leave a few: :meth:`Support.objects` finds these
with one ``&`` of masks for each atom.

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
from functools import reduce
from operator import and_, or_
from typing import NamedTuple, Optional

from eai.logic import (
    ActionAtom,
    And,
    Atom,
    Bits,
    Count,
    Equal,
    Formula,
    ForPairs,
    Quantifier,
    Term,
    Variable,
)
from eai.planning.achievers import effects_of, opposite
from eai.planning.reasons import NOTHING, Env, Part, Reads, Reasons
from eai.world import Action, Change, Literal, State, World, changed_literals, locations
from eai.world.bits import bits

_ALL = -1
"""The mask of all objects."""


def _join_masks(masks: Iterable[int], *, every: bool) -> int:
    """Return the objects that are in every mask, or (with ``every`` false) in some mask."""
    if every:
        return reduce(and_, masks, _ALL)
    return reduce(or_, masks, 0)


class Support(Reasons):
    """Finds supports of conditions; what holds from the start is preferred to what steps made so.

    Args:
        world: The world.
        start: The initial state.
        volatile: A state in which exactly the volatile atoms hold.
    """

    def __init__(self, world: World, start: State, volatile: State) -> None:
        super().__init__(world, start)
        self._volatile = volatile
        self._action: Action | None = None
        # Supports of derived atoms at the present position, and those that are being looked for.
        self._cache: dict[tuple[str, tuple[int, ...], bool], Reads | None] = {}
        self._open: set[tuple[str, tuple[int, ...], bool]] = set()
        self._was_cut = False
        self._unfolded: set[str] = set()

    def move(self, state: State, action: Action | None = None) -> None:
        """Go to a position: its state, and the action that is taken from it."""
        self.state = state
        self._action = action
        self._cache = {}

    def is_volatile(self, literal: Literal) -> bool:
        """Return whether a step changes the atom of a literal."""
        return self._volatile.test(*literal[:2])

    def is_true(self, literal: Literal) -> bool:
        """Return whether a literal holds at the present position."""
        p, numbers, value = literal
        return self.state.test(p, numbers) is value

    def cheaper(self, first: Reads | None, second: Reads | None) -> Reads | None:
        """Return the support that rests on fewer changes; the first if there is no difference."""
        if first is None:
            return second
        if second is None:
            return first
        if self._weight(second) < self._weight(first):
            return second
        return first

    def _weight(self, reads: Reads) -> tuple[int, int]:
        """Return the number of literals that steps made so, and of all literals."""
        made = sum(self.start.test(p, numbers) is not value for p, numbers, value in reads)
        return made, len(reads)

    def literal(self, literal: Literal) -> Reads:
        """Return the literal itself if its atom is volatile."""
        if not self.is_volatile(literal):
            return NOTHING
        return frozenset((literal,))

    def choice(self, parts: Iterable[Part]) -> Reads | None:
        """Return the support of the part that rests on the fewest changes."""
        best = None
        for part in parts:
            best = self.cheaper(best, self.of(*part))
            if best is not None and not best:
                break  # nothing is cheaper than what always holds
        return best

    def instances(self, formula: Formula, env: Env) -> Iterator[Env]:
        """Yield the bindings of its variables, but those that can never decide a condition."""
        # "Exists" is decided by an instance that holds, "for all" by one that does not.
        deciding = True
        if isinstance(formula, Quantifier):
            deciding = formula.wants
        return self.bindings(formula.variables, formula.operands[0], env, want=deciding)

    def derived(self, atom: Atom, env: Env, value: bool) -> Reads | None:
        """Return the support of a derivation, or of there being none.

        A derivation does not use what it derives, so a rule that leads back to an atom that is
        being derived fails; a denial of all derivations may lead back to itself.
        """
        key = (atom.predicate, self.numbers(atom.terms, env), value)
        if key in self._cache:
            return self._cache[key]
        if key in self._open:
            self._was_cut = True
            if value:
                return None
            return NOTHING
        was_cut_before = self._was_cut
        self._was_cut = False
        self._open.add(key)
        bodies = self.bodies(*key)
        reads = self.choice(bodies) if value else self.together(bodies)
        self._open.discard(key)
        # A result that was cut short inside a circle holds only where the circle was entered, so
        # it is remembered only when no derivation is open any more.
        if not self._was_cut or not self._open:
            self._cache[key] = reads
        self._was_cut = was_cut_before or (self._was_cut and bool(self._open))
        return reads

    def other(self, formula: Formula, env: Env, value: bool) -> Reads | None:
        """Return the support of the value of a formula that is no connective; see :meth:`of`.

        Args:
            formula: An action, which is compared with the one that is taken here; a quantifier, a
                count, a pairing, or an operator that compares its sides.
            env: Objects of its variables.
            value: The value that it is to have.
        """
        if isinstance(formula, ActionAtom):
            names = tuple([self.universe.names[n] for n in self.numbers(formula.terms, env)])
            is_taken = self._action == Action(formula.action, names)
            if is_taken is not value:
                return None
            return NOTHING
        if isinstance(formula, Count):
            return self._support_of_count(formula, env, value)
        if isinstance(formula, Quantifier):
            bodies = ((formula.body, inner, value) for inner in self.instances(formula, env))
            if formula.wants is value:
                return self.choice(bodies)
            return self.together(bodies)
        return self._support_of_all_parts(formula, env, value)

    def _support_of_all_parts(self, formula: Formula, env: Env, value: bool) -> Reads | None:
        """Return a support in which all parts of a formula stay as they are.

        It is not minimal, but safe for nodes that pair objects off or compare sides, where it is
        left open which pairs are formed and on which side both agree.
        """
        instances = list(self.instances(formula, env))
        values: list[bool] = []
        supports: list[Reads] = []
        for inner in instances:
            for part in formula.operands:
                reads = self.of(part, inner)
                values.append(reads is not None)
                if reads is None:
                    reads = self.of(part, inner, False) or NOTHING
                supports.append(reads)
        if isinstance(formula, ForPairs):
            holds = self._are_paired(formula, instances, values)
        else:
            holds = bool(formula.combine(Bits(1), [int(is_true) for is_true in values]))
        if holds is not value:
            return None
        return NOTHING.union(*supports)

    def _are_paired(
        self, formula: ForPairs, instances: Sequence[Env], values: Sequence[bool]
    ) -> bool:
        """Return whether enough pairs can be formed where these instances hold.

        Args:
            formula: The quantifier over pairs.
            instances: Bindings of its two variables.
            values: Whether the body holds for each of them.
        """
        names = self.universe.names
        left, right = (variable.name for variable in formula.variables)
        edges = {}
        for env, is_true in zip(instances, values, strict=True):
            pair = (names[env[left]], names[env[right]])
            if is_true and pair[0] != pair[1]:  # nothing is paired with itself
                edges[pair] = 1
        first, second = (self.universe.of_types(v.types) for v in formula.variables)
        return bool(formula.paired(Bits(1), edges, (first, second)))

    def _support_of_count(self, formula: Count, env: Env, value: bool) -> Reads | None:
        """Return the support of a number of instances.

        "At least n" rests on the n true instances with the cheapest supports; "at most n" on all
        instances that are false.
        """
        number, body = formula.number, formula.body
        if formula.comparison == "exactly":
            at_least = Count(number, formula.variable, body, "at least")
            at_most = Count(number, formula.variable, body, "at most")
            return self.of(And((at_least, at_most)), env, value)
        if not value:
            return self.of(formula.negated(), env)
        supports_of_true: list[Reads] = []
        supports_of_false: list[Reads] = []
        for inner in self.instances(formula, env):
            reads = self.of(body, inner)
            if reads is None:
                supports_of_false.append(self.of(body, inner, False) or NOTHING)
            else:
                supports_of_true.append(reads)
        if formula.comparison == "at most":
            if len(supports_of_true) > number:
                return None
            return NOTHING.union(*supports_of_false)
        if len(supports_of_true) < number:
            return None
        cheapest = sorted(supports_of_true, key=self._weight)[: max(number, 0)]
        return NOTHING.union(*cheapest)

    # ------------------------------------------------------------------ the objects that matter
    def bindings(
        self, variables: Sequence[Variable], body: Formula, env: Env, *, want: bool
    ) -> Iterator[Env]:
        """Yield the bindings of variables for which a condition may be as wanted, and others.

        Args:
            variables: The variables, which are bound one after the other.
            body: The condition.
            env: Objects of outer variables.
            want: The value that the condition is to have, here or at another position.
        """
        if not variables:
            yield env
            return
        hidden = {variable.name for variable in variables}
        outer = {name: number for name, number in env.items() if name not in hidden}
        first, *rest = variables
        candidates = self.objects(body, first.name, outer, want) & self.universe.mask(first.types)
        for number in bits(candidates):
            yield from self.bindings(rest, body, {**outer, first.name: number}, want=want)

    def objects(self, formula: Formula, name: str, env: Env, want: bool) -> int:
        """Return the objects for which a condition may be as wanted, and perhaps more (-1: all).

        A conjunction leaves those that all of its parts leave, a disjunction those of any part.

        Args:
            formula: The condition.
            name: The variable that the objects stand for.
            env: Objects of other variables; variables that are not there are open.
            want: The value that the condition is to have, here or at another position.
        """
        if isinstance(formula, Atom):
            return self._objects_of_atom(formula, name, env, want)
        if isinstance(formula, Equal) and want:
            return self._object_equal_to(formula, name, env)
        needed = formula.needs(want)
        hidden = {variable.name for variable in formula.variables}
        if needed is None or name in hidden:
            return _ALL
        inner = {key: number for key, number in env.items() if key not in hidden}
        masks = (self.objects(part, name, inner, wish) for part, wish in needed.parts)
        return _join_masks(masks, every=needed.every)

    def _object_equal_to(self, formula: Equal, name: str, env: Env) -> int:
        """Return the one object that makes an equation true, if its other side is bound."""
        for this, other in (formula.terms, formula.terms[::-1]):
            number = self._number_of_term(other, env)
            if isinstance(this, Variable) and this.name == name and number is not None:
                return 1 << number
        return _ALL

    def _number_of_term(self, term: Term, env: Env) -> int | None:
        """Return the number of a term's object; None if it is an open variable."""
        if isinstance(term, Variable):
            return env.get(term.name)
        return self.universe.number(term)

    def _objects_of_atom(self, atom: Atom, name: str, env: Env, want: bool) -> int:
        """Return the objects for which an atom is as wanted now, or is volatile.

        Args:
            atom: The atom.
            name: The variable that the objects stand for.
            env: Objects of other variables.
            want: Whether the atom is to hold.

        Returns:
            The objects as a mask; -1, all objects, if no single row or column of a table says it.
        """
        arguments = locations(atom, name)
        if len(arguments) != 1:
            return _ALL
        argument = arguments[0]
        numbers = [self._number_of_term(term, env) for term in atom.terms]
        if atom.predicate in self.world.derived:
            return self._objects_by_rules(atom.predicate, argument, numbers, want)
        p = self.world.layout.index[atom.predicate]
        if len(numbers) == 1:
            now, changing = self.state.unary[p], self._volatile.unary[p]
        else:
            # A row or a column of a binary relation; wider relations have no such line.
            if len(numbers) != 2:
                return _ALL
            other = numbers[1 - argument]
            if other is None:
                return _ALL
            if argument == 1:
                now, changing = self.state.rows[p][other], self._volatile.rows[p][other]
            else:
                now, changing = self.state.cols[p][other], self._volatile.cols[p][other]
        if want:
            return now | changing
        return ~(now & ~changing)

    def _objects_by_rules(
        self, predicate: str, argument: int, numbers: Sequence[int | None], want: bool
    ) -> int:
        """Return the objects for which some rule may derive an atom, or none does.

        Args:
            predicate: A derived predicate.
            argument: The argument that the objects stand for.
            numbers: The objects of all arguments; None where one is open.
            want: Whether the atom is to be derived.
        """
        rules = self.rules.get(predicate)
        if not rules or predicate in self._unfolded:
            return _ALL
        if not want:
            for head, _ in rules:
                if any("object" not in variable.types for variable in head):
                    return _ALL  # atoms of objects of other types are never derived
        self._unfolded.add(predicate)
        masks = []
        for head, body in rules:
            env = {v.name: n for v, n in zip(head, numbers, strict=True) if n is not None}
            masks.append(self.objects(body, head[argument].name, env, want))
        self._unfolded.discard(predicate)
        return _join_masks(masks, every=not want)


Demand = tuple[Reads, int]
"""Literals that have to hold before the step at a position, or at the end."""


class _StepPart(NamedTuple):
    """A part of what a step does, which something else rests on.

    Args:
        step: Position of the step.
        literal: A literal; None for the whole step: that it is done at all.
        is_made: Whether the step is to make the literal true; else it must not make it true.
    """

    step: int
    literal: Optional[Literal] = None  # noqa: UP045 - evaluated in Python 3.10
    is_made: bool = True


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that was done or passed over.

    Args:
        action: The step.
        numbers: Object numbers of its operator's arguments.
        changes: The changes that it made; None if it was passed over.
    """

    action: Action
    numbers: tuple[int, ...]
    changes: Sequence[Change] | None


class _Effects(NamedTuple):
    """The literals that a step makes true, and volatile ones that it might have made true.

    Args:
        writes: Literal to the support of making it true.
        risks: Literal to the support of not making it true.
    """

    writes: Mapping[Literal, Reads]
    risks: Mapping[Literal, Reads]


class _StepLinks(NamedTuple):
    """The literals that one step rests on.

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
        self.steps = steps
        self.end = len(steps)
        self._world = world
        self._states = [start]
        # For every atom that changes, the positions of the steps that change it, in order.
        self._changed_at: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        volatile = State(start.layout, start.universe)
        for position, step in enumerate(steps):
            state = self._states[-1]
            if step.changes is not None:
                state = state.copy()
                state.apply(step.changes)
            self._states.append(state)
            for p, numbers, _ in changed_literals(step.changes or (), start.layout):
                self._changed_at.setdefault((p, numbers), []).append(position)
                volatile.put(p, numbers, True)
        self._support = Support(world, start, volatile)
        self._parts_behind: dict[_StepPart, frozenset[_StepPart]] = {}
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

    def maker(self, literal: Literal, position: int) -> int | None:
        """Return the last step before a position that changed a literal's atom.

        Returns:
            The producer of what holds at the position; None if it holds from the start.
        """
        positions = self._changed_at.get(literal[:2], [])
        index = bisect_left(positions, position)
        if index == 0:
            return None
        return positions[index - 1]

    # ------------------------------------------------------------------ what a step rests on
    def _links_of(self, position: int) -> _StepLinks:
        """Return the literals that the step at a position rests on."""
        step = self.steps[position]
        support = self.support(position)
        needs = self._support_of_precondition(step.action.name, step.numbers)
        effects = self._effects_with_supports(step.action.name, step.numbers)
        risks: dict[Literal, Reads] = {}
        for literal, reads in effects.risks.items():
            if support.is_volatile(literal):
                risks[literal] = reads
            elif not support.is_true(literal):
                # No step ever changes this atom, and this one must not be the first.
                needs |= reads
        if step.changes is not None:
            return _StepLinks(needs, effects.writes, risks)
        # It is passed over because its effects hold already, and only while they do.
        kept = frozenset(filter(support.is_volatile, effects.writes))
        return _StepLinks(needs.union(kept, *risks.values()), {}, {})

    def failed(self, name: str, numbers: Sequence[int]) -> Reads:
        """Return the literals that keep an action from being done or passed over at the end."""
        support = self.support(self.end)
        needs = self._support_of_precondition(name, numbers)
        for literal, reads in self._effects_with_supports(name, numbers).writes.items():
            if not support.is_true(literal):
                return needs | reads | support.literal(opposite(literal))
        return needs

    def _support_of_precondition(self, name: str, numbers: Sequence[int]) -> Reads:
        """Return the support of a precondition's value, up to the first test that fails.

        What comes after that test is never looked at, so the failure does not rest on it.
        """
        compiled = self._world.operator(name)
        env = {v.name: n for v, n in zip(compiled.operator.parameters, numbers, strict=True)}
        needs = NOTHING
        for test in compiled.tests:
            reads = self._support.of(test, env)
            if reads is None:
                return needs | (self._support.of(test, env, False) or NOTHING)
            needs |= reads
        return needs

    def _effects_with_supports(self, name: str, numbers: Sequence[int]) -> _Effects:
        """Return the effects of an action here; adding an atom wins over deleting it."""
        support = self._support
        happening: dict[Literal, Reads] = {}  # with the support of happening
        idle: dict[Literal, Reads] = {}  # with the support of not happening
        for literal, condition, env in self._instances_of_effects(name, numbers):
            reads = support.cheaper(happening.get(literal), support.of(condition, env))
            if reads is not None:
                happening[literal] = reads
            else:
                why_not = support.of(condition, env, False) or NOTHING
                idle[literal] = idle.get(literal, NOTHING) | why_not
        risks = {literal: reads for literal, reads in idle.items() if literal not in happening}
        writes: dict[Literal, Reads] = {}
        for literal, reads in happening.items():
            p, arguments, value = literal
            added = (p, arguments, True)
            if value:
                writes[literal] = reads
            elif added not in happening:
                writes[literal] = reads | risks.get(added, NOTHING)
            elif happening[added]:
                # Overruled by an effect that adds the atom: a risk if that effect might not happen.
                risks[literal] = happening[added]
        return _Effects(writes, risks)

    def _instances_of_effects(
        self, name: str, numbers: Sequence[int]
    ) -> Iterator[tuple[Literal, Formula, Env]]:
        """Yield the literals that an action could make true, each with its condition."""
        support = self._support
        for effect in effects_of(self._world, name):
            arity = len(effect.operator.parameters)
            parameters, quantified = effect.variables[:arity], effect.variables[arity:]
            env = {v.name: number for v, number in zip(parameters, numbers, strict=True)}
            p, is_added = effect.sign
            # To delete what does not hold changes nothing, so such instances are not looked at;
            # to add what holds may overrule a deletion, so these are.
            matters = effect.condition
            if not is_added:
                matters = And((effect.condition, effect.atom))
            for inner in support.bindings(quantified, matters, env, want=True):
                literal = (p, support.numbers(effect.atom.terms, inner), is_added)
                yield literal, effect.condition, inner

    # ------------------------------------------------------------------ what rests on what
    def rests_on(self, demands: Iterable[Demand]) -> frozenset[int]:
        """Return the steps without which some demands might not be met."""
        return frozenset(
            part.step for part in self._parts_behind_demands(demands) if part.literal is None
        )

    def _parts_behind_demands(self, demands: Iterable[Demand]) -> set[_StepPart]:
        """Return the parts of steps on which demands rest, directly and through other parts."""
        pending: list[_StepPart] = []
        for reads, position in demands:
            pending += self._producers_and_protections(reads, position)
        reached = set(pending)
        while pending:
            part = pending.pop()
            behind = self._parts_behind.get(part)
            if behind is None:
                parts = self._producers_and_protections(self._literals_behind(part), part.step)
                behind = self._parts_behind[part] = frozenset(parts)
            new = behind.difference(reached)
            reached |= new
            pending += new
        return reached

    def _literals_behind(self, part: _StepPart) -> Reads:
        """Return the literals on which a part of a step rests."""
        links = self._links[part.step]
        if part.literal is None:
            return links.needs
        if part.is_made:
            return links.writes[part.literal]
        return links.risks[part.literal]

    def _producers_and_protections(self, reads: Reads, position: int) -> Iterator[_StepPart]:
        """Yield the parts of steps to which it is due that literals hold at a position.

        The producer of each literal makes it true; the steps since then, which might have undone
        it, are protections: they do not make its opposite true.
        """
        for literal in reads:
            maker = self.maker(literal, position)
            first_after = 0
            if maker is not None:
                first_after = maker + 1
                yield _StepPart(maker)
                yield _StepPart(maker, literal)
            undone = opposite(literal)
            for between in range(first_after, position):
                if undone in self._links[between].risks:
                    yield _StepPart(between, undone, False)

    # ------------------------------------------------------------------ order
    def order(self, demands: Sequence[Demand]) -> set[tuple[int, int]]:
        """Return pairs of steps whose order has to stay, so that all steps and demands do.

        A producer comes before its consumer. A step that touches the atom in between is a threat:
        it stays before the producer (demotion) or after the consumer (promotion), as it is now.
        """
        roots = [*demands]
        roots += [(links.needs, position) for position, links in enumerate(self._links)]
        # The literals that are asked for, and where.
        asked: set[tuple[Literal, int]] = set()
        for reads, position in roots:
            asked.update((literal, position) for literal in reads)
        for part in self._parts_behind_demands(roots):
            asked.update((literal, part.step) for literal in self._literals_behind(part))
        touching = self._steps_touching()
        pairs: set[tuple[int, int]] = set()
        for literal, position in asked:
            maker = self.maker(literal, position)
            if maker is not None and position < self.end:
                pairs.add((maker, position))
            for threat in touching.get(opposite(literal), ()):
                if maker is not None and threat < maker:
                    pairs.add((threat, maker))
                elif threat > position:
                    pairs.add((position, threat))
        return pairs

    def _steps_touching(self) -> dict[Literal, list[int]]:
        """Return for every literal the steps that make it true, or might do so."""
        touching: dict[Literal, list[int]] = {}
        for position, links in enumerate(self._links):
            for literal in {*links.writes, *links.risks}:
                touching.setdefault(literal, []).append(position)
        return touching
