"""Search for actions that make a condition true: iterated width, serialised over conjuncts.

Idea: a search of width *k* prunes a state in which no *k* atoms are true together for the first
time, so it expands at most as many states as there are sets of *k* atoms (Lipovetzky & Geffner
2012). States are put into classes by their number of open conjuncts, and novelty is counted for
each class apart, which makes the search goal-directed (best-first width search, 2017).

Most conditions are reached by the narrowest search. For the others several strategies take turns of
equal work: over few objects and over more, over all conjuncts at once and over one after the other,
with width one and two.

Invariant: together the strategies take no more than a constant factor of the work of the quickest
of them, whichever that is. A state that is returned was reached by actions of the world itself.

Cost: one expansion of a state is cached for all strategies (:class:`eai.planning.Steps`). There is
no limit but the budget.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple, Optional, TypeVar, cast

from eai.abilities.subgoals.means import Means, means
from eai.budget import BeyondBudgetError, Budget, Meter
from eai.logic import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Implies,
    Or,
    Quantifier,
    Variable,
    atoms,
    conjuncts,
    objects_of,
)
from eai.planning import Step, Steps, as_plan, related, relevant, without_doubles
from eai.planning.achievers import effects_of
from eai.world import Action, State, World, mask_of
from eai.world.bits import bits

_MAX_HELPERS = 3
"""Maximum number of objects of each property that are taken to be of help."""
_MAX_INSTANCES = 20
""""For all" is taken apart if it is open for no more objects than this."""


def helpers(world: World, state: State) -> tuple[str, ...]:
    """Return objects with a property that some condition asks of an object that it does not name.

    Such as a knife, where to cut something takes one: a subgoal seldom mentions them. Of every
    property the first few objects that have it are taken.
    """
    names = state.universe.names
    index = state.layout.index
    objects: dict[str, None] = {}
    for predicate in _asked_of_unnamed(world):
        owners = [names[object_number] for object_number in bits(state.unary[index[predicate]])]
        objects.update(dict.fromkeys(owners[:_MAX_HELPERS]))
    return tuple(objects)


@lru_cache(maxsize=64)
def _asked_of_unnamed(world: World) -> tuple[str, ...]:
    """Return the static predicates of one object that occur below ``exists`` in a condition.

    An object with such a property matters to a search, although no subgoal mentions it. The
    precondition ``(exists (?c) (and (is-sink ?c) (near ?c)))`` yields ``is-sink``.
    """
    domain = world.domain
    all_conditions = [operator.precondition for operator in domain.operators.values()]
    all_conditions += [axiom.body for axiom in domain.axioms]
    predicates: dict[str, None] = {}
    for condition in all_conditions:
        for node in condition.walk():
            if isinstance(node, Exists):
                predicates.update(dict.fromkeys(_static_properties(world, node)))
    return tuple(predicates)


def _static_properties(world: World, formula: Exists) -> Iterator[str]:
    """Yield the static predicates that are asked of a quantified object alone.

    Such as ``is_knife`` in ``exists x: is_knife(x) and holds(agent, x)``.
    """
    bound = {variable.name for variable in formula.variables}
    for atom in atoms(formula):
        if isinstance(atom, Atom) and len(atom.terms) == 1 and world.domain.is_static(atom):
            (term,) = atom.terms
            if isinstance(term, Variable) and term.name in bound:
                yield atom.predicate


def unfolded(world: World, state: State, goal: Formula, *, meter: Meter) -> Formula:
    """Replace universal conjuncts by one conjunct for each object, to be reached one by one.

    A universal conjunct is a ``forall``, or a derived atom with a rule that has one: an object that
    was cut is in the bowl if all its parts are.
    """
    unfolded_conjuncts: list[Formula] = []
    for conjunct in conjuncts(goal):
        instances: tuple[Formula, ...] = ()
        if isinstance(conjunct, Atom):
            # Such as "cleaned(table)", if it is derived from "for all parts: not dusty(part)".
            instances = _instances_by_rule(world, state, conjunct)
        elif isinstance(conjunct, Forall) and len(conjunct.variables) == 1:
            meter.count_instances(world.instances(conjunct, state.universe))
            instances = _open_instances(world, state, conjunct)
        unfolded_conjuncts += instances or (conjunct,)
    if unfolded_conjuncts == list(conjuncts(goal)):
        return goal
    return And(tuple(unfolded_conjuncts))


def _open_instances(world: World, state: State, part: Forall) -> tuple[Formula, ...]:
    """Return the instances of a ``forall`` that do not hold; none if there are too many.

    They are conjuncts that a search can reach one after the other.
    """
    (variable,) = part.variables
    instances: list[Formula] = []
    for name in state.universe.of_types(variable.types):
        instance = part.body.substitute({variable.name: name})
        # Where the left side holds, the right side is to be made true, not the left one false.
        if isinstance(instance, Implies) and world.holds(state, instance.left):
            instance = instance.right
        if not world.holds(state, instance):
            instances.append(instance)
            # So many conjuncts one by one would cost more than the search for all at once.
            if len(instances) > _MAX_INSTANCES:
                return ()
    return tuple(instances)


def _instances_by_rule(world: World, state: State, atom: Atom) -> tuple[Formula, ...]:
    """Return the instances of a ``forall`` in a rule by which a derived atom can become true.

    If ``(all-clean)`` is derived by ``(forall (?c - cup) (clean ?c))``, the instances are ``(clean
    cup1)``, ``(clean cup2)`` and so on: parts of a goal that can be reached one after the other.
    The first alternative that has instances is taken.
    """
    if atom.predicate not in world.derived or world.holds(state, atom):
        return ()
    for body in world.domain.bodies_for(atom):
        alternatives = body.operands if isinstance(body, Or) else (body,)
        for alternative in alternatives:
            instances = _instances(world, state, conjuncts(alternative))
            if instances:
                return instances
    return ()


def _instances(world: World, state: State, conditions: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """Return the instances of ``forall`` among conjuncts, if all other conjuncts hold.

    Where one does not hold, the instances would not make the whole true, so there are none.
    """
    instances: list[Formula] = []
    for condition in conditions:
        if isinstance(condition, Forall) and len(condition.variables) == 1:
            instances += _undecided_instances(world, state, condition)
        elif condition.free or not world.holds(state, condition):
            return ()
    return tuple(instances)


def _undecided_instances(world: World, state: State, universal: Forall) -> Iterator[Formula]:
    """Yield the alternatives of each instance that static facts neither decide nor make true.

    For "each part of the box is clean", it yields "clean" for each part, and nothing for other
    objects.
    """
    (variable,) = universal.variables
    for name in state.universe.of_types(variable.types):
        instance = universal.body.substitute({variable.name: name})
        alternatives = instance.operands if isinstance(instance, Or) else (instance,)
        static_alternatives: list[Formula] = []
        fluent_alternatives: list[Formula] = []
        for alternative in alternatives:
            if world.domain.is_static(alternative):
                static_alternatives.append(alternative)
            else:
                fluent_alternatives.append(alternative)
        # For "not a part, or inside the box", nothing has to be done for objects that are no part.
        if not any(world.holds(state, alternative) for alternative in static_alternatives):
            yield (
                fluent_alternatives[0]
                if len(fluent_alternatives) == 1
                else Or(tuple(fluent_alternatives))
            )


_Entry = tuple[int, int, int, int, tuple[Step, ...]]
"""An entry of the queue: number of open conjuncts, running number (so that equals come out in the
order in which they went in), mask of the atoms in which the state differs from the first one,
number of actions since the last conjunct was reached, and all actions."""

_CONDITION_SHARE = 2
"""One condition may use the budget of an answer divided by this."""

_FIRST_SHARE = 16
"""The narrowest search alone may use the budget of a condition divided by this, before other
strategies take turns with it."""

_MAX_HALFWAY = 4
"""Maximum number of halfway conditions in a row: hold a cloth, wet it, switch on a basin, clean."""

_PARTS_PRICE = 1
_MORE_PARTS_PRICE = 2
_WHOLE_PRICE = 4
"""Prices of strategies: conjuncts one by one, the same about more objects, and all at once. A
strategy that is often quick, or that can do most where none is, is cheap and so gets more turns."""


class Reached(NamedTuple):
    """A state that satisfies a subgoal.

    Args:
        plan: The actions that lead to it, without the agent.
        state: The state.
    """

    plan: tuple[Action, ...]
    state: State


class NoWay(NamedTuple):
    """A search that found no actions.

    Args:
        bound: The bound that ended the search; empty if it left nothing out.
        kept: Conditions that keep the goal from ever being true, if known.
    """

    bound: str = ""
    kept: tuple[Formula, ...] = ()


_Found = TypeVar("_Found")
_Search = Generator[None, None, Optional[_Found]]  # noqa: UP045
"""A search that pauses before each state, and returns its result, or None."""


def _advance(search: _Search[_Found]) -> tuple[_Found | None, bool]:
    """Run a search until it pauses; return its result, and whether it has ended."""
    try:
        next(search)
    except StopIteration as end:
        return cast("_Found | None", end.value), True
    return None, False


def _finish(search: _Search[_Found]) -> _Found | None:
    """Run a search to its end and return its result."""
    while True:
        result, is_over = _advance(search)
        if is_over:
            return result


class WidthSearch:
    """Searches in one world for one agent, the first argument of every action.

    Args:
        world: The world.
        agent: Name of the agent.
        operators: Names of the operators.
        actions: Maximum number of actions to reach one more conjunct; None for no limit.
        meter: Counts the work; its exceptions are passed on.
    """

    def __init__(
        self,
        world: World,
        agent: str,
        *,
        operators: Sequence[str],
        actions: int | None = None,
        meter: Meter | None = None,
    ) -> None:
        self.is_cut_off = False
        """Whether the last search left out states that take too many actions."""
        self.meter = meter or Budget.unlimited().meter()
        self.world = world
        self.agent = agent
        self.operators = tuple(operators)
        self._actions = actions
        # The states of the last search, with what they depend on.
        self._last: tuple[object, Steps] = (None, None)  # type: ignore[assignment]

    @property
    def is_limited(self) -> bool:
        """Whether there is a maximum number of actions, which is too few for halfway conditions."""
        return self._actions is not None

    def around(self, state: State, condition: Formula, others: Iterable[str] = ()) -> int:
        """Return the objects of a condition, others, and their close relations, as a mask."""
        names = {*objects_of(condition), *others, self.agent}
        mask = mask_of(map(state.universe.number, names))
        return mask | related(state, mask)

    def reach(
        self, state: State, goal: Formula, *, object_mask: int, widths: Sequence[int]
    ) -> Reached | None:
        """Search with one width after the other.

        Args:
            state: Where the search starts.
            goal: The condition.
            object_mask: Mask of the objects that actions may be about.
            widths: The widths; 0 is breadth-first search, and leaves nothing out.
        """
        return _finish(self.reaching(state, goal, object_mask=object_mask, widths=widths))

    def reaching(
        self,
        state: State,
        goal: Formula,
        *,
        object_mask: int,
        widths: Sequence[int],
        is_strict: bool = True,
    ) -> _Search[Reached]:
        """Search with one width after the other, as a generator that pauses before each state.

        Args:
            state: The state in which the search starts.
            goal: The condition.
            object_mask: Mask of the objects that actions may be about.
            widths: The widths; 0 is breadth-first search, and leaves nothing out.
            is_strict: Whether a state must also show something new in the class of the state
                before it. This prunes many states before the goal is tested in them.
        """
        tests = [self.world.test_of(conjunct, state.universe) for conjunct in conjuncts(goal)]
        # The cost of a state is that of testing the goal, so a goal with quantifiers uses up the
        # budget in fewer states.
        cost = self.world.instances(goal, state.universe)
        self.meter.count_instances(cost)
        if all(test(state) for test in tests):
            return Reached((), state)
        steps = self._steps(state, goal, object_mask)
        unmet = steps.unmet(conjuncts(goal))
        for width in widths:
            steps_to_goal = yield from self._search(steps, unmet, width, cost, is_strict=is_strict)
            if steps_to_goal is not None:
                goal_state = state.copy()
                for name, arguments in steps_to_goal:
                    self.world.apply(goal_state, name, arguments)
                return Reached(as_plan(steps_to_goal, state), goal_state)
        return None

    def means(self, state: State, condition: Formula) -> list[Means]:
        """List the ways in which an action makes a condition true that does not hold.

        See :func:`eai.abilities.subgoals.means.means`, which this calls for the agent of the
        search.
        """
        return means(
            self.world,
            state,
            condition,
            agent=self.agent,
            operators=self.operators,
            meter=self.meter,
        )

    def _steps(self, state: State, goal: Formula, object_mask: int) -> Steps:
        """Return the states around a state, from the last search if that was the same.

        Args:
            state: The state.
            goal: The goal of the search; it decides which actions and predicates matter.
            object_mask: Mask of the objects that actions may be about.
        """
        names, predicates = _scope(self.world, goal, self.operators)
        # By identity: strategies come back to the same state object, and comparing is slow.
        key = id(state), names, object_mask, predicates
        last_key, steps = self._last
        if last_key != key:
            steps = Steps(
                self.world,
                state,
                state.universe.number(self.agent),
                operators=names,
                mask=object_mask,
                predicates=predicates,
                meter=self.meter,
            )
            self._last = key, steps
        return steps

    def _search(
        self,
        steps: Steps,
        unmet: Callable[[int], int],
        width: int,
        test_cost: int,
        *,
        is_strict: bool,
    ) -> _Search[tuple[Step, ...]]:
        """Return the actions that lead to a state in which no conjunct of the goal is open.

        States with the fewest open conjuncts are expanded first, and of these the oldest; with
        width 0 always the oldest. The class of a state is its number of open conjuncts. A successor
        is kept if it is novel: it shows something that no other state of its class has shown. A
        strict search also requires this for the class of the state before it.

        Args:
            steps: The states and the actions between them.
            unmet: Returns the number of open conjuncts of a state.
            width: The size of the sets of atoms that are compared; 0 compares whole states.
            test_cost: Number of instances that are counted for a test of the goal.
            is_strict: Whether a successor has to be novel in both classes.
        """
        self.is_cut_off = False
        novelty = _Novelty(width)
        record = novelty.record
        queue_counter = 0
        # A state is a mask of the atoms in which it differs from the first state, which is 0.
        open_at_start = unmet(0)
        queue: list[_Entry] = [(open_at_start, 0, 0, 0, ())]
        while queue:
            yield
            open_before, _, state_mask, depth, path = heappop(queue)
            if self._actions is not None and depth >= self._actions:
                self.is_cut_off = True
                continue
            following = steps.following(state_mask)
            if is_strict:
                following = novelty.promising(open_before, state_mask, following)
            for step, changed in following:
                successor = state_mask ^ changed
                if is_strict and not record(open_before, successor, changed & ~state_mask):
                    continue
                longer_path = (*path, step)
                self.meter.count_instances(test_cost)
                open_after = unmet(successor)
                if not open_after:
                    return longer_path
                queue_counter += 1
                if not width:  # breadth-first: all states have the same rank
                    entry = (open_at_start, queue_counter, successor, depth + 1, longer_path)
                    heappush(queue, entry)
                    continue
                # If the class is the same, the state was recorded above.
                is_recorded = is_strict and open_after == open_before
                if is_recorded or record(open_after, successor, successor):
                    # The limit of actions is one for each conjunct, so progress resets the depth.
                    new_depth = 0 if open_after < open_before else depth + 1
                    entry = (open_after, queue_counter, successor, new_depth, longer_path)
                    heappush(queue, entry)
        return None


@lru_cache(maxsize=4096)
def _scope(
    world: World, goal: Formula, operators: tuple[str, ...]
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the operators that can help to reach a goal, and the predicates that matter."""
    relevance = relevant(world, goal, operators)
    # Without a parameter an operator is no action of an agent.
    acting = [name for name in relevance.operators if world.domain.operators[name].parameters]
    return without_doubles(world.domain, acting), relevance.predicates


def close_operators(world: World, goal: Formula, names: Sequence[str]) -> tuple[str, ...]:
    """Return operators that make atoms of a goal true, and those that let such an action be taken.

    Only what conditions ask to be true counts, and only one operator before the last one.
    """
    last = _adding(world, _asked(world, goal), names)
    needed_predicates: set[str] = set()
    for name in last:
        needed_predicates |= _asked(world, world.domain.operators[name].precondition)
    operators_before = _adding(world, needed_predicates, names)
    return tuple(name for name in names if name in last or name in operators_before)


def _adding(world: World, predicates: Container[str], names: Iterable[str]) -> set[str]:
    """Return the operators that can make an atom of some predicates true."""
    operators_found: set[str] = set()
    for name in names:
        for effect in effects_of(world, name):
            _, is_added = effect.sign
            if is_added and effect.atom.predicate in predicates:
                operators_found.add(name)
    return operators_found


def _asked(world: World, condition: Formula) -> set[str]:
    """Return the basic predicates that a condition asks to be true, through all rules.

    A negation inverts the wanted value of its operand. Atoms that have to be false are left out.
    """
    basic_predicates: set[str] = set()
    visited_rules: set[str] = set()
    pending = [condition]
    while pending:
        # A derived atom becomes true by its rules, so the predicates in these are needed.
        for predicate in _predicates_wanted(pending.pop()):
            if predicate not in world.derived:
                basic_predicates.add(predicate)
            elif predicate not in visited_rules:
                visited_rules.add(predicate)  # each rule once, as rules may be recursive
                for axiom in world.domain.axioms:
                    if axiom.head.predicate == predicate:
                        pending.append(axiom.body)
    return basic_predicates


def _predicates_wanted(condition: Formula) -> Iterator[str]:
    """Yield the predicates of the atoms that a condition asks to be true."""
    pending = [(condition, True)]
    while pending:
        part, is_wanted = pending.pop()
        if isinstance(part, Quantifier):
            pending.append((part.body, is_wanted))
        elif not isinstance(part, Atom):
            signed = part.split(is_wanted)
            if signed is not None:
                pending += signed.parts
        elif is_wanted:
            yield part.predicate


class _Novelty:
    """Remembers which atoms, pairs of atoms, or states (width 0) were seen.

    Atoms and pairs are remembered apart for each class of states. A state is the mask of its atoms.

    Invariant (width 2): the row of an atom is a mask of atoms that were seen together with it. A
    pair that was seen is in the row of one of its atoms or of both, so a pair is new only if it is
    in neither.

    Args:
        width: The width.

    Attributes:
        record: Remembers a state, called with its class, its atoms, and those of its atoms whose
            pairs need a look (all others were seen before); returns whether something in the state
            was seen for the first time.
    """

    def __init__(self, width: int) -> None:
        """Begin with nothing seen, and choose how states of this width are remembered."""
        self._width = width
        # Chosen once: the search calls it for every successor.
        record_by_width = (self._record_state, self._record_atoms, self._record_pairs)
        self.record: Callable[[int, int, int], bool] = record_by_width[width]
        self._states = {0}
        self._seen_atoms: dict[int, int] = {}
        self._seen_pairs: dict[int, dict[int, int]] = {}

    def promising(
        self, state_class: int, atoms: int, following: list[tuple[Step, int]]
    ) -> list[tuple[Step, int]]:
        """Return the actions that may lead to something new.

        Args:
            state_class: Class of the state.
            atoms: The state.
            following: Actions, and the atoms that they change.
        """
        if self._width != 1:
            return following
        # Atoms of the state itself were seen when it was.
        seen_atoms = atoms | self._seen_atoms.get(state_class, 0)
        return [(step, changed) for step, changed in following if changed & ~seen_atoms]

    def _record_state(self, _state_class: int, atoms: int, _added: int) -> bool:
        """Remember a state; return whether it is new. All classes are one."""
        size_before = len(self._states)
        self._states.add(atoms)
        return len(self._states) > size_before

    def _record_atoms(self, state_class: int, _atoms: int, added: int) -> bool:
        """Remember added atoms of a state; return whether one is new in its class."""
        seen_atoms = self._seen_atoms.get(state_class, 0)
        new_atoms = added & ~seen_atoms
        if new_atoms:
            self._seen_atoms[state_class] = seen_atoms | new_atoms
        return bool(new_atoms)

    def _record_pairs(self, state_class: int, atoms: int, added: int) -> bool:
        """Remember the pairs of added atoms with all atoms; return whether one is new in its class.

        Cost: the number of added atoms, and of pairs up to the first new one.
        """
        # Bits are taken by hand here: a generator would double the time of the innermost loop.
        partners_of = self._seen_pairs.setdefault(state_class, {})
        has_new_pair = False
        remaining = added
        while remaining:
            atom = remaining & -remaining
            remaining ^= atom
            partners = partners_of.get(atom, 0)
            # After the first new pair the others are only remembered.
            candidates = 0 if has_new_pair else atoms & ~partners
            while candidates:
                candidate = candidates & -candidates
                candidates ^= candidate
                if not partners_of.get(candidate, 0) & atom:
                    has_new_pair = True
                    break
            partners_of[atom] = partners | atoms
        return has_new_pair


def find_way(
    world: World,
    state: State,
    goal: Formula,
    *,
    agent: str,
    operators: Sequence[str],
    meter: Meter,
    blocked: Callable[[], tuple[Formula, ...]],
    actions: int | None = None,
    quick: bool = False,
    is_kept: bool = False,
) -> Reached | NoWay:
    """Find actions that lead from a state to one in which a closed condition holds.

    Args:
        world: The world.
        state: The state.
        goal: The condition.
        agent: Name of the agent.
        operators: Names of the operators.
        meter: Counts the work. One condition may use a share of its budget.
        blocked: Returns conditions that keep the goal from ever being true. It is only called when
            the narrowest search fails, since most conditions are reached by that.
        actions: Maximum number of actions; for conjuncts that are reached one by one, of each.
        quick: Whether only the narrowest search is made, which proves nothing.
        is_kept: Whether the condition has parts that hold and must be kept. A way that undoes them
            is known, and a similar one is searched for.
    """
    share = meter.budget / _CONDITION_SHARE
    instance_limit = meter.budget.instances
    if instance_limit is not None and share.instances is not None:
        # At most the rest of the whole budget, but at least one, since a budget must be positive.
        instances_left = min(share.instances, max(1, instance_limit - meter.instances))
        share = replace(share, instances=instances_left)
    # This condition has its own meter. If it runs out, the other conditions are still searched.
    share_meter = share.meter()
    search = WidthSearch(world, agent, operators=operators, actions=actions, meter=share_meter)
    try:
        result = _Turns(search, world, state, goal, is_kept=is_kept).run(blocked, quick=quick)
    except BeyondBudgetError as error:
        result = NoWay(bound=f"{error}, its part of the budget")
    meter.count_states(share_meter.states)
    meter.count_instances(share_meter.instances)
    return result


class _Turns:
    """Searches for one condition, by strategies that take turns.

    Args:
        search: The search.
        world: The world.
        state: The state.
        goal: The condition.
        is_kept: See :func:`find_way`.
    """

    def __init__(
        self,
        search: WidthSearch,
        world: World,
        state: State,
        goal: Formula,
        *,
        is_kept: bool = False,
    ) -> None:
        self._close_price = _PARTS_PRICE if is_kept else _WHOLE_PRICE
        self._search = search
        self._state = state
        self._goal = goal
        # Universal conditions become one conjunct for each object, to be reached one by one.
        self._target = unfolded(world, state, goal, meter=search.meter)
        self._helpers = helpers(world, state)
        # By means: what was tried from the start in vain, and the ways to make a condition true.
        self._unreached: set[Formula] = set()
        self._ways: dict[Formula, list[Means]] = {}

    def run(self, blocked: Callable[[], tuple[Formula, ...]], *, quick: bool) -> Reached | NoWay:
        """Search narrowly, then by all strategies in turns, and last over all states.

        Args:
            blocked: Returns conditions that keep the goal from ever being true. It is only called
                if the narrow search fails, since most conditions are reached by that.
            quick: Whether only the narrow search is made, which proves nothing.

        Raises:
            BeyondBudgetError: If the budget for the condition ends before.
        """
        meter = self._search.meter
        near_objects = self._search.around(self._state, self._target)
        narrow_search = self._whole(near_objects, 1)
        first_share: float = math.inf
        if meter.budget.instances is not None:
            first_share = meter.budget.instances // _FIRST_SHARE
        # The narrow search runs alone first, as it reaches most conditions. If its share is used up
        # before it ends, it becomes one of the strategies below.
        has_narrow_ended = False
        while not has_narrow_ended and meter.instances < first_share:
            reached, has_narrow_ended = _advance(narrow_search)
            if reached is not None:
                return reached
        # A proof that no action can help costs less than the other strategies, so it comes first.
        obstacles = blocked()
        if obstacles:
            return NoWay(kept=obstacles)
        if quick:
            return NoWay(bound="another way is only looked for narrowly")
        prices = dict(self._other_strategies(near_objects))
        if not has_narrow_ended:
            prices[narrow_search] = _WHOLE_PRICE
        reached = self._alternately(prices)
        return reached or self._exhaustively(near_objects)

    def _other_strategies(self, near_objects: int) -> Iterator[tuple[_Search[Reached], int]]:
        """Yield the strategies after the narrow search, each with its price, the likeliest first.

        A strategy pays the price for each unit of work, so one with a low price gets more turns.

        Args:
            near_objects: Mask of the objects over which the narrow search went.
        """
        wide_objects = self._search.around(self._state, self._target, self._helpers)
        if isinstance(self._target, And):
            yield self._part_by_part(()), _PARTS_PRICE
            yield self._part_by_part(self._helpers), _MORE_PARTS_PRICE
            # Where one conjunct is about a tool, others may need it.
            named_objects = objects_of(self._target)
            if not named_objects.issubset(self._helpers):
                yield (
                    self._part_by_part((*sorted(named_objects), *self._helpers)),
                    _MORE_PARTS_PRICE,
                )
        if not self._search.is_limited:
            # Conjuncts guide a search, but a single one, such as a clean floor, gives no guidance.
            is_single = not isinstance(self._target, And)
            yield self._by_means(), _PARTS_PRICE if is_single else _WHOLE_PRICE
        if wide_objects != near_objects:
            yield self._whole(wide_objects, 1), _WHOLE_PRICE
        yield self._whole(near_objects, 2), _WHOLE_PRICE
        if wide_objects != near_objects:
            yield self._whole(wide_objects, 2), _WHOLE_PRICE
        if isinstance(self._target, And) and not self._search.is_limited:
            # This comes last because its ways may be odd: lift a dishwasher to empty it.
            yield self._by_few_operators(), self._close_price

    def _alternately(self, prices: Mapping[_Search[Reached], int]) -> Reached | None:
        """Continue the strategy with the lowest cost so far, until one finds a plan or all end.

        Args:
            prices: For each strategy, the price of one unit of work.
        """
        meter = self._search.meter
        cost_so_far = dict.fromkeys(prices, 0)
        while cost_so_far:
            strategy = min(cost_so_far, key=cost_so_far.__getitem__)
            instances_before = meter.instances
            reached, is_over = _advance(strategy)
            if reached is not None:
                return reached
            if is_over:
                del cost_so_far[strategy]
            else:
                # The turn itself costs 1, so that a strategy without counted work loses its turn.
                cost_so_far[strategy] += prices[strategy] * (1 + meter.instances - instances_before)
        return None

    def _whole(self, object_mask: int, width: int) -> _Search[Reached]:
        """Search for all conjuncts at once."""
        return self._search.reaching(
            self._state, self._target, object_mask=object_mask, widths=(width,)
        )

    def _by_few_operators(self) -> _Search[Reached]:
        """Search for all conjuncts with the named objects and the operators closest to the goal.

        These are so few that states need not show something new in the class before them, too:
        three things next to each other take two hands and a state that undoes a conjunct.
        """
        search = self._search
        few = close_operators(search.world, self._target, search.operators)
        narrow = WidthSearch(search.world, search.agent, operators=few, meter=search.meter)
        named = mask_of(map(self._state.universe.number, objects_of(self._target)))
        return narrow.reaching(
            self._state, self._target, object_mask=named, widths=(2,), is_strict=False
        )

    def _part_by_part(self, other_objects: Sequence[str]) -> _Search[Reached]:
        """Reach the conjuncts of the goal one after the other, each without losing those before it.

        The first order is that of the goal. If a conjunct cannot be reached after others, the next
        order begins with it. The search ends when an order was tried before.

        Args:
            other_objects: Names of objects that actions may be about, beside those of a conjunct.
        """
        order = conjuncts(self._target)
        tried_orders: set[tuple[Formula, ...]] = set()
        while order not in tried_orders:
            tried_orders.add(order)
            # Loop invariant: the conjuncts before ``part`` hold in the state that was reached.
            reached = Reached((), self._state)
            for size, conjunct in enumerate(order, start=1):
                object_mask = self._search.around(reached.state, conjunct, other_objects)
                conjunction = And(order[:size])
                extended = yield from self._search.reaching(
                    reached.state, conjunction, object_mask=object_mask, widths=(1, 2)
                )
                if extended is None:
                    order = (conjunct, *order[: size - 1], *order[size:])
                    break
                reached = Reached(reached.plan + extended.plan, extended.state)
            else:
                return reached
        return None

    def _by_means(self) -> _Search[Reached]:
        """Reach halfway conditions that let an action make the goal true, ever more in a row."""
        for depth in range(1, _MAX_HALFWAY + 1):
            reached = yield from self._over_halfway(self._target, depth)
            if reached is not None:
                return reached
        return None

    def _over_halfway(self, goal: Formula, depth: int) -> _Search[Reached]:
        """Reach a condition from the start, directly or by way of other conditions.

        For a clean floor, a wet cloth is halfway, and for that a basin that is switched on.

        Args:
            goal: The condition.
            depth: Maximum number of halfway conditions in a row.
        """
        search = self._search
        state = self._state
        if goal not in self._unreached:
            object_mask = search.around(state, goal)
            reached = yield from search.reaching(
                state, goal, object_mask=object_mask, widths=(1,), is_strict=False
            )
            if reached is not None:
                return reached
            # The next round allows one more condition, but the direct search would fail again.
            self._unreached.add(goal)
        if not depth:
            return None
        for halfway_condition in self._halfway(goal):
            halfway = yield from self._over_halfway(halfway_condition, depth - 1)
            if halfway is None:
                continue
            object_mask = search.around(halfway.state, goal, objects_of(halfway_condition))
            second_half = yield from search.reaching(
                halfway.state, goal, object_mask=object_mask, widths=(1,), is_strict=False
            )
            if second_half is not None:
                return Reached(halfway.plan + second_half.plan, second_half.state)
        return None

    def _halfway(self, goal: Formula) -> Iterator[Formula]:
        """Yield conditions that let an action make an open conjunct of a goal true."""
        for conjunct in conjuncts(goal):
            ways = self._ways.get(conjunct)
            if ways is None:
                ways = self._ways[conjunct] = self._search.means(self._state, conjunct)
            for way in ways:
                yield way[0] if len(way) == 1 else And(way)

    def _exhaustively(self, near_objects: int) -> Reached | NoWay:
        """Search breadth-first over few objects, then over more, and at last over all.

        If the search over all states (width 0) and all objects ends without a plan, there is none,
        unless the number of actions is limited.

        Args:
            near_objects: Mask of the objects to begin with.
        """
        object_mask = near_objects
        everything = self._state.universe.everything
        while True:
            reached = self._search.reach(
                self._state, self._goal, object_mask=object_mask, widths=(0,)
            )
            if reached is not None:
                return reached
            if object_mask == everything:
                return NoWay(bound="longer ways" if self._search.is_cut_off else "")
            wider_mask = object_mask | related(self._state, object_mask)
            # Objects without a relation to these are added all at once.
            object_mask = everything if wider_mask == object_mask else wider_mask
