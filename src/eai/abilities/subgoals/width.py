"""Ways to make a condition true: width-limited search (Lipovetzky & Geffner 2012), in parts.

Most conditions are reached by the narrowest search. For the others several ways of searching take
turns of equal work: over few objects and over more, over all conjuncts at once and over one after
the other, with width one and two. Together they take no more than a constant factor of what the
quickest of them takes, whichever that is. There is no limit but the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple, Optional, TypeVar, cast

from eai.budget import BeyondBudgetError, Budget, Meter
from eai.logic import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Implies,
    Or,
    Variable,
    atoms,
    conjuncts,
    objects_of,
)
from eai.planning import Step, Steps, as_plan, related, relevant, without_doubles
from eai.world import Action, State, World, mask_of
from eai.world.bits import bits

_FEW = 3
"""So many objects of each property are taken to be of help."""
_MOST_INSTANCES = 20
""""For all" is taken apart if it is open for no more objects."""


def helpers(world: World, state: State) -> tuple[str, ...]:
    """Objects with a property that some condition asks of an object that it does not name.

    Such as a knife, where to cut something takes one: a subgoal seldom mentions them. Of every
    property the first few objects that have it are taken.
    """
    names, index = state.universe.names, state.layout.index
    found: dict[str, None] = {}
    for predicate in _asked_of_unnamed(world):
        owners = [names[i] for i in bits(state.unary[index[predicate]])]
        found.update(dict.fromkeys(owners[:_FEW]))
    return tuple(found)


@lru_cache(maxsize=64)
def _asked_of_unnamed(world: World) -> tuple[str, ...]:
    """Static predicates of one object that stand below ``exists`` in a condition."""
    domain = world.domain
    conditions = [operator.precondition for operator in domain.operators.values()]
    conditions += [axiom.body for axiom in domain.axioms]
    found: dict[str, None] = {}
    for node in (node for each in conditions for node in each.walk() if isinstance(node, Exists)):
        bound = {variable.name for variable in node.variables}
        for atom in atoms(node):
            if isinstance(atom, Atom) and len(atom.terms) == 1 and domain.is_static(atom):
                (term,) = atom.terms
                if isinstance(term, Variable) and term.name in bound:
                    found[atom.predicate] = None
    return tuple(found)


def unfolded(world: World, state: State, goal: Formula, *, meter: Meter) -> Formula:
    """Replace conjuncts that come to a condition on several objects by that condition.

    These are ``forall``, and derived atoms whose rule has it: something that was cut up is where
    its parts are. Then there is a conjunct for each object, and they can be reached one by one.
    """
    parts: list[Formula] = []
    for part in conjuncts(goal):
        several = _several(world, state, part) if isinstance(part, Atom) else ()
        if isinstance(part, Forall) and len(part.variables) == 1:
            meter.count_instances(world.instances(part, state.universe))
            several = _open_instances(world, state, part)
        parts += several or (part,)
    return goal if parts == list(conjuncts(goal)) else And(tuple(parts))


def _open_instances(world: World, state: State, part: Forall) -> tuple[Formula, ...]:
    """What has to be made true for the objects for which a ``forall`` does not hold."""
    (variable,) = part.variables
    found: list[Formula] = []
    for name in state.universe.of_types(variable.types):
        instance = part.body.substitute({variable.name: name})
        if isinstance(instance, Implies) and world.holds(state, instance.left):
            instance = instance.right
        if not world.holds(state, instance):
            found.append(instance)
            if len(found) > _MOST_INSTANCES:
                return ()
    return tuple(found)


def _several(world: World, state: State, atom: Atom) -> tuple[Formula, ...]:
    if atom.predicate not in world.derived or world.holds(state, atom):
        return ()
    for axiom in world.domain.axioms:
        if axiom.head.predicate != atom.predicate:
            continue
        locations = (term.name for term in axiom.head.terms if isinstance(term, Variable))
        body = axiom.body.substitute(dict(zip(locations, atom.terms, strict=True)))
        for case in body.operands if isinstance(body, Or) else (body,):
            found = _instances(world, state, conjuncts(case))
            if found:
                return found
    return ()


def _instances(world: World, state: State, parts: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """What is left to do of conjuncts with a ``forall``, if the others hold.

    Of an instance that is the cases that static facts do not decide; nothing if one is true.
    """
    found: list[Formula] = []
    for part in parts:
        if isinstance(part, Forall) and len(part.variables) == 1:
            (variable,) = part.variables
            for name in state.universe.of_types(variable.types):
                instance = part.body.substitute({variable.name: name})
                cases = instance.operands if isinstance(instance, Or) else (instance,)
                rest = tuple(case for case in cases if not world.domain.is_static(case))
                if not any(world.holds(state, case) for case in cases if case not in rest):
                    found.append(rest[0] if len(rest) == 1 else Or(rest))
        elif part.free or not world.holds(state, part):
            return ()
    return tuple(found)


_Entry = tuple[int, int, int, int, tuple[Step, ...]]
"""Open conjuncts, a number for the order, the atoms in which the state differs from the first one,
actions since a conjunct was won, and all actions."""

_CONDITION = 2
"""One condition may use the budget of an answer divided by this."""

_FIRST = 16
"""The narrowest search alone may use what there is for a condition divided by this, before other
ways of searching take turns with it."""

_PARTS, _MORE_PARTS, _WHOLE = 1, 2, 4
"""Prices of ways of searching: conjuncts one by one, the same about more objects, and all at once.
What is often quick, and what can do most where it is not, is cheap and so gets more."""


class Reached(NamedTuple):
    """A state that satisfies a subgoal."""

    plan: tuple[Action, ...]  # that leads to it, without the agent
    state: State


class NoWay(NamedTuple):
    """No way was found."""

    bound: str = ""  # what ended the search; empty if it left nothing out
    kept: tuple[Formula, ...] = ()  # what keeps the condition from ever being true, if known


_Found = TypeVar("_Found")
_Search = Generator[None, None, Optional[_Found]]  # noqa: UP045
"""A search that pauses again and again, and returns what it found."""


def _advanced(search: _Search[_Found]) -> tuple[_Found | None, bool]:
    """Let a search go on until it pauses; return what it found, and whether it has ended."""
    try:
        next(search)
    except StopIteration as end:
        return cast("_Found | None", end.value), True
    return None, False


def _finished(search: _Search[_Found]) -> _Found | None:
    """Let a search go on to its end."""
    found, is_over = None, False
    while not is_over:
        found, is_over = _advanced(search)
    return found


class WidthSearch:
    """Searches in one world for one agent, the first argument of every action.

    No way to one more conjunct is longer than ``actions`` (None is no limit), and what the meter
    raises goes to the caller.
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
        self.is_cut = False  # whether the last search left out ways that are too long
        self.meter = meter or Budget.unlimited().meter()
        self._world = world
        self._agent = agent
        self._operators = tuple(operators)
        self._actions = actions
        self._last: tuple[object, Steps] = (None, None)  # type: ignore[assignment]

    def around(self, state: State, condition: Formula, others: Iterable[str] = ()) -> int:
        """A mask of the objects of a condition, others, and what they are closely related to."""
        names = {*objects_of(condition), *others, self._agent}
        mask = mask_of(map(state.universe.number, names))
        return mask | related(state, mask)

    def reach(
        self, state: State, goal: Formula, *, about: int, widths: Sequence[int] = (1, 2)
    ) -> Reached | None:
        """Search with one width after the other; 0 is breadth-first, and leaves nothing out.

        Actions are about no other objects than those of the mask ``about``.
        """
        return _finished(self.reaching(state, goal, about=about, widths=widths))

    def reaching(
        self, state: State, goal: Formula, *, about: int, widths: Sequence[int] = (1, 2)
    ) -> _Search[Reached]:
        """Search likewise, as a generator that pauses before it looks at a state."""
        tests = [self._world.test_of(part, state.universe) for part in conjuncts(goal)]
        cost = self._world.instances(goal, state.universe)
        self.meter.count_instances(cost)
        if all(test(state) for test in tests):
            return Reached((), state)
        names, predicates = _scope(self._world, goal, self._operators)
        agent = state.universe.number(self._agent)
        key = id(state), names, about, predicates
        if self._last[0] == key:
            steps = self._last[1]
        else:
            steps = Steps(
                self._world,
                state,
                agent,
                operators=names,
                mask=about,
                predicates=predicates,
                meter=self.meter,
            )
            self._last = key, steps
        unmet = steps.unmet(conjuncts(goal))
        for width in widths:
            found = yield from self._search(steps, unmet, width, cost)
            if found is not None:
                following = state.copy()
                for name, numbers in found:
                    self._world.apply(following, name, numbers)
                return Reached(as_plan(found, state), following)
        return None

    def _search(
        self, steps: Steps, unmet: Callable[[int], int], width: int, cost: int
    ) -> _Search[tuple[Step, ...]]:
        self.is_cut = False
        novelty, count = _Novelty(width), 0
        is_new = novelty.is_new
        first = unmet(0)
        queue: list[_Entry] = [(first, 0, 0, 0, ())]
        while queue:
            yield
            before, _, differing, depth, path = heappop(queue)
            if self._actions is not None and depth >= self._actions:
                self.is_cut = True
                continue
            for step, changed in novelty.left(before, differing, steps.following(differing)):
                reached = differing ^ changed
                if not is_new(before, reached, changed & ~differing):
                    continue
                longer = (*path, step)
                self.meter.count_instances(cost)
                left = unmet(reached)
                if not left:
                    return longer
                count += 1
                if not width:
                    heappush(queue, (first, count, reached, depth + 1, longer))
                elif left == before or is_new(left, reached, reached):
                    deep = 0 if left < before else depth + 1
                    heappush(queue, (left, count, reached, deep, longer))
        return None


@lru_cache(maxsize=4096)
def _scope(
    world: World, goal: Formula, operators: tuple[str, ...]
) -> tuple[tuple[str, ...], frozenset[str]]:
    """The operators that can help, and the predicates that matter."""
    found = relevant(world, goal, operators)
    # Without a parameter an operator is no action of an agent.
    acting = [name for name in found.operators if world.domain.operators[name].parameters]
    return without_doubles(world.domain, acting), found.predicates


class _Novelty:
    """Remembers which atoms, pairs of atoms, or states (width 0) were seen.

    Atoms and pairs are remembered apart for each class of states.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._states = {0}
        self._seen: dict[int, int] = {}
        self._beside: dict[int, dict[int, int]] = {}

    def left(
        self, kind: int, atoms: int, following: list[tuple[Step, int]]
    ) -> list[tuple[Step, int]]:
        """Leave out actions of which it is certain that they lead to nothing new."""
        if self._width != 1:
            return following
        known = atoms | self._seen.get(kind, 0)
        return [each for each in following if each[1] & ~known]

    def is_new(self, kind: int, atoms: int, added: int) -> bool:
        """Whether something in a state of a class is seen for the first time; it is remembered.

        The state is a mask of atoms, of which those that were added need a look.
        """
        if not self._width:
            known = len(self._states)
            self._states.add(atoms)
            return len(self._states) > known
        if self._width == 1:
            fresh = added & ~self._seen.get(kind, 0)
            if fresh:
                self._seen[kind] = self._seen.get(kind, 0) | fresh
            return bool(fresh)
        # A pair is remembered with one of its atoms, or with both.
        beside, left, fresh = self._beside.setdefault(kind, {}), added, False
        while left:
            low = left & -left
            left ^= low
            known = beside.get(low, 0)
            missing = 0 if fresh else atoms & ~known
            while missing:
                other = missing & -missing
                missing ^= other
                if not beside.get(other, 0) & low:
                    fresh, missing = True, 0
            beside[low] = known | atoms
        return fresh


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
) -> Reached | NoWay:
    """Find actions that lead from a state to one in which a closed condition holds.

    What is ``blocked``, and so can never be true, is only asked when the narrowest search fails, as
    most conditions are reached by it; ``quick`` makes no other search, which proves nothing. No
    plan has more ``actions`` (for one conjunct, where they are reached one by one).

    One condition may use a part of the budget that the meter has; what it used counts for all.
    """
    share = meter.budget / _CONDITION
    limit = meter.budget.instances
    if limit is not None and share.instances is not None:
        left = min(share.instances, max(1, limit - meter.instances))
        share = replace(share, instances=left)
    own = share.meter()
    search = WidthSearch(world, agent, operators=operators, actions=actions, meter=own)
    try:
        found = _Turns(search, world, state, goal).found(blocked, quick=quick)
    except BeyondBudgetError as error:
        found = NoWay(bound=f"{error}, its part of the budget")
    meter.count_states(own.states)
    meter.count_instances(own.instances)
    return found


class _Turns:
    """Searches for one condition, by ways of searching that take turns."""

    def __init__(self, search: WidthSearch, world: World, state: State, goal: Formula) -> None:
        self._search = search
        self._state = state
        self._goal = goal
        self._target = unfolded(world, state, goal, meter=search.meter)
        self._helpers = helpers(world, state)

    def found(self, blocked: Callable[[], tuple[Formula, ...]], *, quick: bool) -> Reached | NoWay:
        """Search narrowly, then with objects that may be of help, in parts, and over all states.

        Raises:
            BeyondBudgetError: If the budget for the condition ends before.
        """
        near = self._search.around(self._state, self._target)
        narrow, meter = self._whole(near, 1), self._search.meter
        limit, is_over = meter.budget.instances, False
        while not is_over and (limit is None or meter.instances < limit // _FIRST):
            found, is_over = _advanced(narrow)
            if found is not None:
                return found
        kept = blocked()
        if kept:
            return NoWay(kept=kept)
        if quick:
            return NoWay(bound="another way is only looked for narrowly")
        ways = dict(self._others(near))
        if not is_over:
            ways[narrow] = _WHOLE
        found = self._alternately(ways)
        return found or self._exhaustively(near)

    def _others(self, near: int) -> Iterator[tuple[_Search[Reached], int]]:
        """The other ways of searching, each with its price, the likeliest first."""
        wide = self._search.around(self._state, self._target, self._helpers)
        if isinstance(self._target, And):
            yield self._part_by_part(()), _PARTS
            yield self._part_by_part(self._helpers), _MORE_PARTS
            # Where one conjunct is about a tool, others may need it.
            named = objects_of(self._target)
            if not named.issubset(self._helpers):
                yield self._part_by_part((*sorted(named), *self._helpers)), _MORE_PARTS
        if wide != near:
            yield self._whole(wide, 1), _WHOLE
        yield self._whole(near, 2), _WHOLE
        if wide != near:
            yield self._whole(wide, 2), _WHOLE

    def _alternately(self, ways: Mapping[_Search[Reached], int]) -> Reached | None:
        """Let the way of searching go on that did the least, until one finds a plan or all end.

        What it does counts as many times as its price says.
        """
        meter, used = self._search.meter, dict.fromkeys(ways, 0)
        while used:
            way = min(used, key=used.__getitem__)
            before = meter.instances
            found, is_over = _advanced(way)
            if found is not None:
                return found
            if is_over:
                del used[way]
            else:
                used[way] += ways[way] * (1 + meter.instances - before)
        return None

    def _whole(self, about: int, width: int) -> _Search[Reached]:
        return self._search.reaching(self._state, self._target, about=about, widths=(width,))

    def _part_by_part(self, others: Sequence[str]) -> _Search[Reached]:
        """Reach conjuncts in an order, each without losing those before it.

        The first order is that of the goal. A conjunct that cannot be reached behind others is
        reached before them in the next one, until an order comes up again.
        """
        order, tried = conjuncts(self._target), set[tuple[Formula, ...]]()
        while order not in tried:
            tried.add(order)
            reached = Reached((), self._state)
            for number, part in enumerate(order, start=1):
                about = self._search.around(reached.state, part, others)
                together = And(order[:number])
                found = yield from self._search.reaching(reached.state, together, about=about)
                if found is None:
                    order = (part, *order[: number - 1], *order[number:])
                    break
                reached = Reached(reached.plan + found.plan, found.state)
            else:
                return reached
        return None

    def _exhaustively(self, near: int) -> Reached | NoWay:
        """Search over few objects, then over more; over all objects nothing is left out."""
        mask, everything = near, self._state.universe.everything
        while True:
            found = self._search.reach(self._state, self._goal, about=mask, widths=(0,))
            if found is not None:
                return found
            if mask == everything:
                return NoWay(bound="longer ways" if self._search.is_cut else "")
            wider = mask | related(self._state, mask)
            mask = everything if wider == mask else wider
