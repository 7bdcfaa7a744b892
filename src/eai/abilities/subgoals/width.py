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
        owners = [names[number] for number in bits(state.unary[index[predicate]])]
        objects.update(dict.fromkeys(owners[:_MAX_HELPERS]))
    return tuple(objects)


@lru_cache(maxsize=64)
def _asked_of_unnamed(world: World) -> tuple[str, ...]:
    """Return the static predicates of one object that occur below ``exists`` in a condition.

    With ``(exists (?c) (and (is-sink ?c) (near ?c)))`` as a precondition the list has ``is-sink``:
    an object matters to a search if it has such a property, although nothing names it.
    """
    domain = world.domain
    conditions = [operator.precondition for operator in domain.operators.values()]
    conditions += [axiom.body for axiom in domain.axioms]
    predicates: dict[str, None] = {}
    for condition in conditions:
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

    These are ``forall``, and derived atoms whose rule has one: an object that was cut up is where
    its parts are.
    """
    parts: list[Formula] = []
    for part in conjuncts(goal):
        instances: tuple[Formula, ...] = ()
        if isinstance(part, Atom):
            # Such as "cleaned(table)", if it is derived from "for all parts: not dusty(part)".
            instances = _instances_by_rule(world, state, part)
        elif isinstance(part, Forall) and len(part.variables) == 1:
            meter.count_instances(world.instances(part, state.universe))
            instances = _open_instances(world, state, part)
        parts += instances or (part,)
    return goal if parts == list(conjuncts(goal)) else And(tuple(parts))


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


def _instances(world: World, state: State, parts: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """Return the instances of ``forall`` among conjuncts, if all other conjuncts hold.

    Where one does not hold, the instances would not make the whole true, so there are none.
    """
    instances: list[Formula] = []
    for part in parts:
        if isinstance(part, Forall) and len(part.variables) == 1:
            instances += _undecided_instances(world, state, part)
        elif part.free or not world.holds(state, part):
            return ()
    return tuple(instances)


def _undecided_instances(world: World, state: State, part: Forall) -> Iterator[Formula]:
    """Yield the alternatives of each instance that static facts neither decide nor make true.

    Of "each part of the box is clean", that is "clean" for each part, and nothing for other
    objects.
    """
    (variable,) = part.variables
    for name in state.universe.of_types(variable.types):
        instance = part.body.substitute({variable.name: name})
        alternatives = instance.operands if isinstance(instance, Or) else (instance,)
        static: list[Formula] = []
        fluent: list[Formula] = []
        for alternative in alternatives:
            if world.domain.is_static(alternative):
                static.append(alternative)
            else:
                fluent.append(alternative)
        # "not a part of it, or inside the box": nothing is to be done for what is no part.
        if not any(world.holds(state, alternative) for alternative in static):
            yield fluent[0] if len(fluent) == 1 else Or(tuple(fluent))


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
    """Let a search go on until it pauses; return its result, and whether it has ended."""
    try:
        next(search)
    except StopIteration as end:
        return cast("_Found | None", end.value), True
    return None, False


def _finish(search: _Search[_Found]) -> _Found | None:
    """Let a search go on to its end and return its result."""
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
        meter: Counts the work; what it raises goes to the caller.
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
        self.is_cut = False
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
        self, state: State, goal: Formula, *, about: int, widths: Sequence[int] = (1, 2)
    ) -> Reached | None:
        """Search with one width after the other.

        Args:
            state: Where the search starts.
            goal: The condition.
            about: The objects that actions may be about, as a mask.
            widths: The widths; 0 is breadth-first search, and leaves nothing out.
        """
        return _finish(self.reaching(state, goal, about=about, widths=widths))

    def reaching(
        self,
        state: State,
        goal: Formula,
        *,
        about: int,
        widths: Sequence[int] = (1, 2),
        is_strict: bool = True,
    ) -> _Search[Reached]:
        """Search as :meth:`reach` does, as a generator that pauses before each state.

        Args:
            state: See :meth:`reach`.
            goal: See :meth:`reach`.
            about: See :meth:`reach`.
            widths: See :meth:`reach`.
            is_strict: Whether a state must also show something new in the class of the state
                before it, which prunes many before the goal is tested in them.
        """
        tests = [self.world.test_of(part, state.universe) for part in conjuncts(goal)]
        # Each state costs as much as the test of the goal looks at, so that a goal with quantifiers
        # uses the budget up in fewer states.
        cost = self.world.instances(goal, state.universe)
        self.meter.count_instances(cost)
        if all(test(state) for test in tests):
            return Reached((), state)
        steps = self._steps(state, goal, about)
        unmet = steps.unmet(conjuncts(goal))
        for width in widths:
            path = yield from self._search(steps, unmet, width, cost, is_strict=is_strict)
            if path is not None:
                following = state.copy()
                for name, numbers in path:
                    self.world.apply(following, name, numbers)
                return Reached(as_plan(path, state), following)
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

    def _steps(self, state: State, goal: Formula, about: int) -> Steps:
        """Return the states around a state; those of the last search are kept.

        Args:
            state: The state.
            goal: What is searched, which says which actions and predicates matter.
            about: Mask of the objects that actions may be about.
        """
        names, predicates = _scope(self.world, goal, self.operators)
        # By identity: strategies come back to the same state object, and comparing is slow.
        key = id(state), names, about, predicates
        last_key, steps = self._last
        if last_key != key:
            steps = Steps(
                self.world,
                state,
                state.universe.number(self.agent),
                operators=names,
                mask=about,
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
        cost: int,
        *,
        is_strict: bool,
    ) -> _Search[tuple[Step, ...]]:
        """Return the actions that lead to a state in which no conjunct is open.

        Best-first by the number of open conjuncts, then in the order in which states were seen. A
        successor is novel if it shows something new in the class of the state before it; one in
        another class must show something new there as well.

        Args:
            steps: The states.
            unmet: Returns the number of open conjuncts of a state.
            width: The width.
            cost: The number of instances that a test of the goal counts.
            is_strict: Whether both classes count, or only that of the successor itself.
        """
        self.is_cut = False
        novelty = _Novelty(width)
        record = novelty.record
        last_number = 0
        # A state is the mask of atoms in which it differs from the first state, which itself is 0.
        open_at_first = unmet(0)
        queue: list[_Entry] = [(open_at_first, 0, 0, 0, ())]
        while queue:
            yield
            open_before, _, differing, depth, path = heappop(queue)
            if self._actions is not None and depth >= self._actions:
                self.is_cut = True
                continue
            following = steps.following(differing)
            if is_strict:
                following = novelty.promising(open_before, differing, following)
            for step, changed in following:
                reached = differing ^ changed
                if is_strict and not record(open_before, reached, changed & ~differing):
                    continue
                longer_path = (*path, step)
                self.meter.count_instances(cost)
                open_after = unmet(reached)
                if not open_after:
                    return longer_path
                last_number += 1
                if not width:  # breadth-first: all states have the same rank
                    entry = (open_at_first, last_number, reached, depth + 1, longer_path)
                    heappush(queue, entry)
                    continue
                # In the class of the state before it, it was recorded above.
                is_recorded = is_strict and open_after == open_before
                if is_recorded or record(open_after, reached, reached):
                    # The limit of actions is one for each conjunct, so progress resets the depth.
                    new_depth = 0 if open_after < open_before else depth + 1
                    entry = (open_after, last_number, reached, new_depth, longer_path)
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
    asked: set[str] = set()
    for name in last:
        asked |= _asked(world, world.domain.operators[name].precondition)
    before = _adding(world, asked, names)
    return tuple(name for name in names if name in last or name in before)


def _adding(world: World, predicates: Container[str], names: Iterable[str]) -> set[str]:
    """Return the operators that can make an atom of some predicates true."""
    adding: set[str] = set()
    for name in names:
        for effect in effects_of(world, name):
            _, is_added = effect.sign
            if is_added and effect.atom.predicate in predicates:
                adding.add(name)
    return adding


def _asked(world: World, condition: Formula) -> set[str]:
    """Return the basic predicates that a condition asks to be true, through all rules.

    A negation turns around what is wanted of its operand. Atoms that have to be false are left out.
    """
    asked: set[str] = set()
    derived: set[str] = set()
    pending = [condition]
    while pending:
        # A derived atom is made true through its rules, so what they ask for counts.
        for predicate in _predicates_wanted(pending.pop()):
            if predicate not in world.derived:
                asked.add(predicate)
            elif predicate not in derived:
                derived.add(predicate)  # each rule once, as rules may be recursive
                for axiom in world.domain.axioms:
                    if axiom.head.predicate == predicate:
                        pending.append(axiom.body)
    return asked


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
        self._width = width
        # Chosen once: the search calls it for every successor.
        record_by_width = (self._record_state, self._record_atoms, self._record_pairs)
        self.record: Callable[[int, int, int], bool] = record_by_width[width]
        self._states = {0}
        self._seen: dict[int, int] = {}
        self._rows: dict[int, dict[int, int]] = {}

    def promising(
        self, kind: int, atoms: int, following: list[tuple[Step, int]]
    ) -> list[tuple[Step, int]]:
        """Return the actions that may lead to something new.

        Args:
            kind: Class of the state.
            atoms: The state.
            following: Actions, and the atoms that they change.
        """
        if self._width != 1:
            return following
        # Atoms of the state itself were seen when it was.
        seen_atoms = atoms | self._seen.get(kind, 0)
        return [(step, changed) for step, changed in following if changed & ~seen_atoms]

    def _record_state(self, _kind: int, atoms: int, _added: int) -> bool:
        """Remember a state; return whether it is new. All classes are one."""
        count_before = len(self._states)
        self._states.add(atoms)
        return len(self._states) > count_before

    def _record_atoms(self, kind: int, _atoms: int, added: int) -> bool:
        """Remember added atoms of a state; return whether one is new in its class."""
        seen_atoms = self._seen.get(kind, 0)
        new_atoms = added & ~seen_atoms
        if new_atoms:
            self._seen[kind] = seen_atoms | new_atoms
        return bool(new_atoms)

    def _record_pairs(self, kind: int, atoms: int, added: int) -> bool:
        """Remember the pairs of added atoms with all atoms; return whether one is new in its class.

        Cost: the number of added atoms, and of pairs up to the first new one.
        """
        # Bits are taken by hand here: a generator would double the time of the innermost loop.
        rows = self._rows.setdefault(kind, {})
        has_new_pair = False
        remaining = added
        while remaining:
            atom = remaining & -remaining
            remaining ^= atom
            row = rows.get(atom, 0)
            # After the first new pair the others are only remembered.
            not_in_row = 0 if has_new_pair else atoms & ~row
            while not_in_row:
                other = not_in_row & -not_in_row
                not_in_row ^= other
                if not rows.get(other, 0) & atom:
                    has_new_pair = True
                    break
            rows[atom] = row | atoms
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
        blocked: Returns conditions that keep the goal from ever being true. It is only asked when
            the narrowest search fails, as most conditions are reached by that.
        actions: Maximum number of actions (for one conjunct, where they are reached one by one).
        quick: Whether no other search is made, which proves nothing.
        is_kept: Whether a way to a part of the condition is known, which undoes the rest: another
            one takes actions that are close to it.
    """
    share = meter.budget / _CONDITION_SHARE
    limit = meter.budget.instances
    if limit is not None and share.instances is not None:
        # No more than is left of the whole; one at least, as a budget of 0 instances is none.
        left = min(share.instances, max(1, limit - meter.instances))
        share = replace(share, instances=left)
    # A meter of its own: when it runs out, only this condition is given up, not the answer.
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
            blocked: See :func:`find_way`.
            quick: See :func:`find_way`.

        Raises:
            BeyondBudgetError: If the budget for the condition ends before.
        """
        meter = self._search.meter
        near = self._search.around(self._state, self._target)
        narrow = self._whole(near, 1)
        first_share: float = math.inf
        if meter.budget.instances is not None:
            first_share = meter.budget.instances // _FIRST_SHARE
        # First the narrowest search alone, as it reaches most conditions. If its share is used up
        # before it ends, it goes on as one of the strategies below.
        is_over = False
        while not is_over and meter.instances < first_share:
            reached, is_over = _advance(narrow)
            if reached is not None:
                return reached
        # A proof that no action can help is cheap beside the other strategies, so it comes first.
        kept = blocked()
        if kept:
            return NoWay(kept=kept)
        if quick:
            return NoWay(bound="another way is only looked for narrowly")
        prices = dict(self._other_strategies(near))
        if not is_over:
            prices[narrow] = _WHOLE_PRICE
        reached = self._alternately(prices)
        return reached or self._exhaustively(near)

    def _other_strategies(self, near: int) -> Iterator[tuple[_Search[Reached], int]]:
        """Yield the other strategies, each with its price, the likeliest first.

        The price is that of a unit of work: a strategy with a small one gets more of the turns.

        Args:
            near: Mask of the objects that the first strategy searched.
        """
        wide = self._search.around(self._state, self._target, self._helpers)
        if isinstance(self._target, And):
            yield self._part_by_part(()), _PARTS_PRICE
            yield self._part_by_part(self._helpers), _MORE_PARTS_PRICE
            # Where one conjunct is about a tool, others may need it.
            named = objects_of(self._target)
            if not named.issubset(self._helpers):
                yield self._part_by_part((*sorted(named), *self._helpers)), _MORE_PARTS_PRICE
        if not self._search.is_limited:
            # Conjuncts guide a search; one alone, such as a clean floor, says nothing of the way.
            is_single = not isinstance(self._target, And)
            yield self._by_means(), _PARTS_PRICE if is_single else _WHOLE_PRICE
        if wide != near:
            yield self._whole(wide, 1), _WHOLE_PRICE
        yield self._whole(near, 2), _WHOLE_PRICE
        if wide != near:
            yield self._whole(wide, 2), _WHOLE_PRICE
        if isinstance(self._target, And) and not self._search.is_limited:
            # Last, as it finds odd ways as well: who holds a dishwasher can pour out what is in it.
            yield self._by_few_operators(), self._close_price

    def _alternately(self, prices: Mapping[_Search[Reached], int]) -> Reached | None:
        """Let the strategy go on that paid the least, until one finds a plan or all end.

        Args:
            prices: The strategies, and the price of one unit of work of each.
        """
        meter = self._search.meter
        paid = dict.fromkeys(prices, 0)
        while paid:
            strategy = min(paid, key=paid.__getitem__)
            before = meter.instances
            reached, is_over = _advance(strategy)
            if reached is not None:
                return reached
            if is_over:
                del paid[strategy]
            else:
                # 1 for the turn itself: a strategy that counts nothing must not keep its turn.
                paid[strategy] += prices[strategy] * (1 + meter.instances - before)
        return None

    def _whole(self, about: int, width: int) -> _Search[Reached]:
        """Search for all conjuncts at once."""
        return self._search.reaching(self._state, self._target, about=about, widths=(width,))

    def _by_few_operators(self) -> _Search[Reached]:
        """Search for all conjuncts with the named objects and the operators closest to the goal.

        These are so few that states need not show something new in the class before them, too:
        three things next to each other take two hands and a state that undoes a conjunct.
        """
        search = self._search
        few = close_operators(search.world, self._target, search.operators)
        narrow = WidthSearch(search.world, search.agent, operators=few, meter=search.meter)
        named = mask_of(map(self._state.universe.number, objects_of(self._target)))
        return narrow.reaching(self._state, self._target, about=named, widths=(2,), is_strict=False)

    def _part_by_part(self, others: Sequence[str]) -> _Search[Reached]:
        """Reach conjuncts in an order, each without losing those before it.

        The first order is that of the goal. A conjunct that cannot be reached behind others is
        reached before them in the next one, until an order comes up again.
        """
        order = conjuncts(self._target)
        tried: set[tuple[Formula, ...]] = set()
        while order not in tried:
            tried.add(order)
            # Loop invariant: the conjuncts before ``part`` hold in the state that was reached.
            reached = Reached((), self._state)
            for number, part in enumerate(order, start=1):
                about = self._search.around(reached.state, part, others)
                together = And(order[:number])
                following = yield from self._search.reaching(reached.state, together, about=about)
                if following is None:
                    order = (part, *order[: number - 1], *order[number:])
                    break
                reached = Reached(reached.plan + following.plan, following.state)
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
        """Reach a condition from the start, over halfway conditions if it is not reached directly.

        For a clean floor: a wet cloth first, and for that a basin that is switched on.

        Args:
            goal: The condition.
            depth: Maximum number of halfway conditions in a row.
        """
        search = self._search
        state = self._state
        if goal not in self._unreached:
            about = search.around(state, goal)
            reached = yield from search.reaching(
                state, goal, about=about, widths=(1,), is_strict=False
            )
            if reached is not None:
                return reached
            # The search would end in vain again in the next round, which allows one condition more.
            self._unreached.add(goal)
        if not depth:
            return None
        for needed in self._halfway(goal):
            halfway = yield from self._over_halfway(needed, depth - 1)
            if halfway is None:
                continue
            about = search.around(halfway.state, goal, objects_of(needed))
            rest = yield from search.reaching(
                halfway.state, goal, about=about, widths=(1,), is_strict=False
            )
            if rest is not None:
                return Reached(halfway.plan + rest.plan, rest.state)
        return None

    def _halfway(self, goal: Formula) -> Iterator[Formula]:
        """Yield conditions that let an action make an open conjunct of a goal true."""
        for part in conjuncts(goal):
            ways = self._ways.get(part)
            if ways is None:
                ways = self._ways[part] = self._search.means(self._state, part)
            for way in ways:
                yield way[0] if len(way) == 1 else And(way)

    def _exhaustively(self, near: int) -> Reached | NoWay:
        """Search breadth-first over few objects, then over more, and at last over all.

        Invariant: a search that leaves out neither states (width 0) nor objects ends without a plan
        only if there is none, unless the number of actions is limited.
        """
        mask = near
        everything = self._state.universe.everything
        while True:
            reached = self._search.reach(self._state, self._goal, about=mask, widths=(0,))
            if reached is not None:
                return reached
            if mask == everything:
                return NoWay(bound="longer ways" if self._search.is_cut else "")
            wider = mask | related(self._state, mask)
            # Objects that nothing relates to these come in all at once.
            mask = everything if wider == mask else wider
