"""Search for the fewest edits, and which of several repairs of a kind a person would choose."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

from eai.planning.repair.candidates import SingleEdits, first_edits
from eai.planning.repair.edits import Edit, EditKind, Slot, Slots, edits_of
from eai.planning.repair.problem import Effort, OutOfEffortError, Stage
from eai.planning.repair.target import Course, Tracker, follow
from eai.world.action import Action
from eai.world.state import State

__all__ = ["Found", "Places", "best_repair", "repaired_plan", "search"]

_MOST = 40
"""So many repairs are run again to see what is at hand where something is put in."""

_ENOUGH = 1_000_000
"""Actions that may be tried in that; it is never reached, for all these repairs can be done."""


class Places:
    """Compares the places at which repairs put something in.

    Args:
        stage: The plan and its world.
        tracker: What has to be reached.
    """

    def __init__(self, stage: Stage, tracker: Tracker) -> None:
        self._stage = stage
        self._tracker = tracker
        # The search may have used up what it was allowed; what it found is only looked at here.
        stage.effort = Effort(_ENOUGH)
        self._names = {slot.action.name for slot in stage.slots}
        self._fails = follow(stage, tracker, stage.slots).at

    def best(self, repairs: Iterable[Slots]) -> list[Slots]:
        """Return the repairs with the best places, in their order.

        1. What is put in stands beside steps with the same objects;
        2. it is an action that the plan uses elsewhere;
        3. nowhere else can the same be done with its objects and more (as where what they are in
           is not closed);
        4. it is near to where the plan fails.

        Args:
            repairs: Repairs with the same kinds of edits.
        """
        left = list(repairs)
        if len(left) < 2:
            return left
        left = _least(left, [(-self._beside(each), self._unused(each)) for each in left])[:_MOST]
        possible = [self._possible(each) for each in left]
        left = [
            each
            for each, at_hand in zip(left, possible, strict=True)
            if not any(at_hand < other for other in possible)
        ]
        return _least(left, [self._distance(each) for each in left])

    def _beside(self, slots: Slots) -> int:
        """How many steps beside those that are put in have an object in common with them."""
        return sum(
            not set(slots[at].action.arguments).isdisjoint(slots[other].action.arguments)
            for at, _ in _put_in(slots)
            for other in (at - 1, at + 1)
            if 0 <= other < len(slots)
        )

    def _unused(self, slots: Slots) -> int:
        return sum(slot.action.name not in self._names for _, slot in _put_in(slots))

    def _possible(self, slots: Slots) -> frozenset[tuple[int, str, int]]:
        """What can be done with the objects of what is put in, one at a time, where it is done."""
        states = follow(self._stage, self._tracker, slots).states
        return frozenset(
            (which, name, number)
            for which, (at, slot) in enumerate(_put_in(slots))
            for name, number in self._at_hand(states[at], slot.action)
        )

    def _at_hand(self, state: State, action: Action) -> Iterator[tuple[str, int]]:
        stage, universe = self._stage, self._stage.universe
        for name in stage.operators:
            _, *others = stage.world.domain.operators[name].parameters
            fitting = universe.mask(others[0].types) if len(others) == 1 else 0
            for number in map(universe.number, action.arguments):
                if fitting >> number & 1 and stage.is_applicable(
                    state, name, (stage.agent, number)
                ):
                    yield name, number

    def _distance(self, slots: Slots) -> int:
        return sum(abs(at - self._fails) for at, _ in _put_in(slots))


def _put_in(slots: Slots) -> Iterator[tuple[int, Slot]]:
    for at, slot in enumerate(slots):
        if slot.edit in (EditKind.INSERT, EditKind.MOVE):
            yield at, slot


def _least(repairs: list[Slots], costs: list[object]) -> list[Slots]:
    """The repairs with the least cost, in their order."""
    least = min(costs)  # type: ignore[type-var]
    return [each for each, cost in zip(repairs, costs, strict=True) if cost == least]


_Cost = tuple[int, int, int]


def best_repair(
    found: Found, plan: Sequence[Action], familiar: Collection[str], places: Places
) -> tuple[Slots, tuple[Edit, ...]]:
    """Choose one of the repairs that were found, and say what they share.

    The one with the fewest objects that are neither in the plan nor in the goal is chosen; of
    several the one whose edits are in the fewest places, then the one whose replacements are most
    like what they replace. Of those that take the same steps out in the same way, the one is taken
    that puts in what it puts in where it belongs (:class:`~eai.planning.repair.search.Places`), the
    earliest first.

    Args:
        found: What the search found, which is something.
        plan: The plan.
        familiar: Objects of the plan and the goal.
        places: What compares the places.
    """
    scripts = {slots: edits_of(slots, plan) for slots in found.repairs}
    common = set.intersection(
        *({change for edit in edits for change in edit.changes} for edits in scripts.values())
    )
    best = _chosen(scripts, familiar, places)
    return best, tuple(
        replace(edit, necessary=_is_necessary(edit, common, found.complete))
        for edit in scripts[best]
    )


def repaired_plan(slots: Slots) -> tuple[Action, ...]:
    """The plan after its edits."""
    return tuple([slot.action for slot in slots])


def _is_necessary(edit: Edit, common: AbstractSet[object], complete: bool) -> bool | None:
    if not common >= set(edit.changes):
        return False
    return True if complete else None


def _chosen(
    scripts: Mapping[Slots, Sequence[Edit]], familiar: Collection[str], places: Places
) -> Slots:
    costs = {slots: _cost(edits, familiar) for slots, edits in scripts.items()}
    ordered = sorted(scripts, key=lambda slots: (costs[slots], _told(scripts[slots])))
    first = ordered[0]
    kind = _kind(scripts[first])
    alike = [
        slots for slots in ordered if costs[slots] == costs[first] and _kind(scripts[slots]) == kind
    ]
    return places.best(alike)[0]


def _kind(edits: Sequence[Edit]) -> list[tuple[str, int]]:
    """What is done, but for what is put in, and where."""
    return sorted((str(edit.kind), edit.step or 0) for edit in edits)


def _told(edits: Sequence[Edit]) -> list[str]:
    return [f"{edit.place:06} {edit.kind} {edit.new}" for edit in edits]


def _cost(edits: Sequence[Edit], familiar: Collection[str]) -> _Cost:
    strange = sum(
        argument not in familiar
        for edit in edits
        if edit.new is not None and edit.kind is not EditKind.MOVE
        for argument in edit.new.arguments
    )
    places = {edit.before if edit.step is None else edit.step for edit in edits}
    changed = sum(_difference(edit.old, edit.new) for edit in edits if edit.old and edit.new)
    return strange, len(places), changed


def _difference(old: Action, new: Action) -> int:
    """In how many words two actions differ."""
    words = zip_longest(old.arguments, new.arguments)
    return int(old.name != new.name) + sum(int(one != other) for one, other in words)


_PAIRS = 800
"""If there are no more first edits than this, all repairs with two edits are found."""

_KEPT = 1000
"""So many plans are kept while others with the same number of edits are made."""

_WIDTH = 40
"""So many plans with the same number of edits are edited further."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the search found.

    Args:
        repairs: What becomes of the plan, with the fewest edits; empty if no repair was found.
        bound: No repair has fewer edits than this.
        complete: Whether these are all repairs with so few edits.
    """

    repairs: tuple[Slots, ...]
    bound: int
    complete: bool = False


def search(stage: Stage, tracker: Tracker, *, edits: int, known: int | None = None) -> Found:
    """Find repairs with the fewest edits.

    Args:
        stage: The plan and its world.
        tracker: What has to be reached.
        edits: Most edits.
        known: The number of edits of a repair that is there already. If no repair has fewer, a
            third of the effort is enough to look for others like it.
    """
    found = _Search(stage, tracker, known)
    try:
        return found.run(edits)
    except OutOfEffortError:
        return Found(tuple(found.repairs), found.bound)


class _Search:
    """The search, with what it has found so far."""

    def __init__(self, stage: Stage, tracker: Tracker, known: int | None) -> None:
        self._stage = stage
        self._tracker = tracker
        self._known = known
        self._single = SingleEdits(stage, tracker)
        self.repairs: dict[Slots, None] = {}
        self.bound = 0

    def run(self, edits: int) -> Found:
        course = follow(self._stage, self._tracker, self._stage.slots)
        if course.reached:
            return Found((self._stage.slots,), 0, complete=True)
        self.bound = 1
        layer = [course]
        for number in range(1, edits + 1):
            if 1 < number == self.bound == self._known:
                self._stage.effort.shorten()
            after = _Layer()
            for each in layer:
                self._sort(self._single.of(each), after, _left(each))
            complete = number == 1 or (number == 2 and self._all_pairs(course))
            if self.repairs:
                return Found(tuple(self._needed()), self.bound, complete=complete)
            if complete:
                self.bound = number + 1
            for each in layer if number < edits else ():
                self._sort(self._single.enabling(each), after, _left(each))
            layer = after.best()
        return Found((), self.bound)

    def _sort(self, courses: Iterable[Course], layer: _Layer, left: int) -> None:
        """Keep plans that work, and those that get as far as the one before."""
        for course in courses:
            if course.reached:
                self.repairs[course.slots] = None
            elif not self.repairs and _left(course) <= left:
                layer.add(course)

    def _all_pairs(self, course: Course) -> bool:
        """Find all repairs with two edits, if the world is small enough."""
        firsts = list(islice(first_edits(self._stage, course), _PAIRS + 1))
        if len(firsts) > _PAIRS:
            return False
        for slots in firsts:
            first = follow(self._stage, self._tracker, slots)
            found = [other.slots for other in self._single.of(first) if other.reached]
            self.repairs.update(dict.fromkeys(found))
        return True

    def _needed(self) -> Iterator[Slots]:
        """The repairs that put nothing in where taking a step out is enough."""
        for slots in self.repairs:
            if not any(
                slot.edit in (EditKind.REPLACE, EditKind.MOVE)
                and (*slots[:at], *slots[at + 1 :]) in self.repairs
                for at, slot in enumerate(slots)
            ):
                yield slots


class _Layer:
    """Plans with the same number of edits, one of those between which nothing differs any more."""

    def __init__(self) -> None:
        self._courses: list[Course] = []

    def add(self, course: Course) -> None:
        self._courses.append(course)
        if len(self._courses) > _KEPT:
            self._courses = sorted(self._courses, key=_left)[: _KEPT // 2]

    def best(self) -> list[Course]:
        """The plans that get farthest."""
        found: dict[object, Course] = {}
        for course in sorted(self._courses, key=_left):
            rest = tuple((slot.action, slot.edit) for slot in course.slots[course.at :])
            found.setdefault((rest, course.progress[-1], course.cells), course)
            if len(found) == _WIDTH:
                break
        return list(found.values())


def _left(course: Course) -> int:
    """How many steps are not done."""
    return len(course.slots) - course.at
