"""Choices of objects for the parts of a goal, and contradictions in goals.

A goal asks for objects by type, so several objects may do. The choices are searched depth first:
an object is given to one part after the other, and a choice is dropped as soon as what is asked of
its objects cannot be true at the same time. If every choice is dropped, no plan can reach the goal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from eai.simulators.thor.scenes import Scene, object_types
from eai.simulators.thor.world import AGENT
from eai.suites.thor.document import STATES, WantedDocument, objects_of
from eai.world import State

_MAX_CHOICES = 20_000
"""Partial choices of objects that are looked at before the search gives up."""

_OPPOSITES = (
    *(("open", "closed"), ("on", "off"), ("dirty", "clean"), ("hot", "cold")),
    ("filled", "empty"),
)
"""States that no object is in at the same time."""


def opposite_states(words: Collection[str]) -> str:
    """Return the first two contradictory words as ``"hot and cold"``, or ""."""
    for one, other in _OPPOSITES:
        if one in words and other in words:
            return f"{one} and {other}"
    return ""


@dataclass(frozen=True, slots=True)
class ObjectGoal:
    """One object that a goal asks for.

    Args:
        candidates: Names of the objects that it can be.
        states: Words for the states that it has to be in.
        container: Position of the part that it has to be in; None if it may be anywhere.
        apart: Positions of parts that have to be other objects.
    """

    candidates: Sequence[str]
    states: Sequence[str]
    container: int | None = None
    apart: Sequence[int] = ()


def parts_of(scene: Scene, goal: Sequence[WantedDocument]) -> list[ObjectGoal]:
    """Return the objects that a goal asks for, each before the one that has to contain it."""
    parts: list[ObjectGoal] = []
    for wanted in goal:
        _add_parts(parts, scene, wanted)
    return parts


def _add_parts(parts: list[ObjectGoal], scene: Scene, wanted: WantedDocument) -> None:
    """Append the objects of a goal's entry, followed by the receptacles that they need.

    The container of the objects is the part behind them; objects of one entry differ.

    Args:
        parts: The objects so far, to which those of the entry are added.
        scene: The room.
        wanted: The entry of the goal.
    """
    candidates = objects_of(scene, wanted.object, "")
    if "sliced" in wanted.states:
        candidates = pieces_of(scene, candidates)
    first = len(parts)
    container: int | None = None
    if wanted.inside is not None:
        # {"object": "Mug", "count": 2, "in": "Sink"}: parts 0 and 1 are mugs in part 2, the sink.
        container = first + wanted.count
    for position in range(first, first + wanted.count):
        # Two mugs of one entry have to be two objects.
        apart = range(first, position)
        parts.append(ObjectGoal(candidates, wanted.states, container, apart))
    if isinstance(wanted.inside, str):
        parts.append(ObjectGoal(objects_of(scene, wanted.inside, ""), ()))
    elif wanted.inside is not None:
        _add_parts(parts, scene, wanted.inside)


def pieces_of(scene: Scene, wholes: Sequence[str]) -> list[str]:
    """Return the pieces of a type of objects, with those of the given objects first.

    Args:
        scene: The room; pieces may lie in it at the start.
        wholes: The whole objects, all of one type.
    """
    object_type = scene.by_name()[wholes[0]].type
    slices = object_types()[object_type].slices
    if slices is None:
        return []
    piece_type = slices[0]
    pieces = [item.name for item in (*scene.objects, *scene.slices) if item.type == piece_type]
    # "Bread_1_BreadSliced_3" is a piece of "Bread_1".
    prefixes = tuple(f"{name}_{piece_type}" for name in wholes)
    return sorted(pieces, key=lambda name: not name.startswith(prefixes))


@dataclass(slots=True)
class Needs:
    """The states and containers that a goal requires of the chosen objects.

    Args:
        states: Name of an object to the words for its states.
        containers: Name of an object to the names of what it has to be in.
    """

    states: dict[str, set[str]] = field(default_factory=dict)
    containers: dict[str, list[str]] = field(default_factory=dict)


def needs_of(parts: Sequence[ObjectGoal], chosen: Sequence[str]) -> Needs:
    """Return the requirements on the objects that were chosen so far.

    Args:
        parts: The objects that a goal speaks of; ``container`` is the index of the part that it
            has to be in or on.
        chosen: Names of objects for the first parts, in the same order. Conditions on a container
            are tested once it is chosen.
    """
    needs = Needs()
    for part, name in zip(parts, chosen, strict=False):
        needs.states.setdefault(name, set()).update(part.states)
        if part.container is not None and part.container < len(chosen):
            around = needs.containers.setdefault(name, [])
            if chosen[part.container] not in around:
                around.append(chosen[part.container])
    return needs


class ObjectQueries:
    """Queries about single objects in a state."""

    def __init__(self, state: State) -> None:
        self.state = state

    def met(self, name: str, word: str) -> bool:
        """Return whether an object is in the state that a goal's word stands for."""
        predicate, value, _ = STATES[word]
        if word == "held":
            return self.held == name
        if word == "sliced":
            return not self.state.holds("dormant", (name,))
        if self.state.holds(predicate, (name,)) is value:
            return True
        # An object that cannot get dirty is clean only once cleaned; others are unless dirty.
        dirtyable = self.state.holds("dirtyable", (name,))
        return word == "clean" and dirtyable and not self.state.holds("dirty", (name,))

    @property
    def held(self) -> str:
        """Name of the held object; empty if none is held."""
        return next(iter(self.state.related("holds", AGENT)), "")

    def around(self, name: str) -> list[str]:
        """Return the receptacles around an object, the innermost first."""
        receptacles: list[str] = []
        while containers := self.state.related("in", name):
            name = containers[0]
            receptacles.append(name)
        return receptacles

    def can(self, name: str, ability: str) -> bool:
        """Whether an object has an affordance."""
        return self.state.holds(ability, (name,))


class Choices:
    """The assignments of objects to a goal's parts under which the goal is consistent.

    Args:
        start: The state that the task starts in.
        types: Name of each object to its type in the engine.

    Attributes:
        contradiction: A sentence about the first choice that was dropped; empty if none was.
        complete: Whether all choices were looked at.
    """

    def __init__(self, parts: Sequence[ObjectGoal], start: State, types: Mapping[str, str]) -> None:
        """Keep the parts of a goal; assignments are searched when they are iterated over."""
        self._parts = parts
        self._view = ObjectQueries(start)
        self._types = types
        # Number of choices that may still be tried, and the first contradiction that was found.
        self._choices_left = _MAX_CHOICES
        self.contradiction = ""

    @property
    def complete(self) -> bool:
        """Whether the search did not give up."""
        return self._choices_left > 0

    def __iter__(self) -> Iterator[list[str]]:
        """Yield the choices, what needs the fewest changes first."""
        return self._extend([])

    def _extend(self, chosen: list[str]) -> Iterator[list[str]]:
        """Yield the complete assignments that begin with the objects chosen so far.

        This is a search with backtracking: a partial assignment that contradicts itself is not
        extended.
        """
        if len(chosen) == len(self._parts):
            yield chosen
            return
        part = self._parts[len(chosen)]
        excluded_names = {chosen[index] for index in part.apart}
        for name in self._order_candidates(chosen):
            if self._choices_left == 0:
                return
            if name in excluded_names:
                continue
            # The limit is a count and not a time, so that all machines find the same plan.
            self._choices_left -= 1
            assignment = [*chosen, name]
            problem = self._contradiction_in(needs_of(self._parts, assignment))
            if not problem:
                yield from self._extend(assignment)
            elif not self.contradiction:
                self.contradiction = problem

    def _order_candidates(self, chosen: Sequence[str]) -> list[str]:
        """Return the candidates for the next part, in the order in which they are tried.

        Candidates that need fewer changes come first, then receptacles that have their contents
        already, then objects that no other part uses.
        """
        position = len(chosen)
        part, view = self._parts[position], self._view
        # The present containers of the chosen objects: to choose one of them saves work.
        homes: set[str] = set()
        for content, name in zip(self._parts, chosen, strict=False):
            if content.container == position:
                homes.update(view.around(name))

        def rank(name: str) -> tuple[int, bool, bool]:
            missing = sum(not view.met(name, word) for word in part.states)
            return missing, name not in homes, name in chosen

        return sorted(part.candidates, key=rank)

    def _contradiction_in(self, needs: Needs) -> str:
        """Return the reason why not all needs can be met at once, or "" if none is known."""
        for name, words in needs.states.items():
            problem = self._problem_of_states(name, words, needs)
            if problem:
                return problem
        held_objects = [name for name, words in needs.states.items() if "held" in words]
        if len(held_objects) > 1:
            first, second, *_ = held_objects
            return f"{first} and {second} cannot be held at the same time: there is one hand"
        for name, containers in needs.containers.items():
            for container in containers:
                problem = self._problem_of_place(name, container, needs)
                if problem:
                    return problem
        return ""

    def _problem_of_states(self, name: str, words: Collection[str], needs: Needs) -> str:
        """Return why an object cannot be in all of some states, or "".

        Args:
            name: The object.
            words: The states that it has to be in.
            needs: The requirements on all chosen objects.
        """
        opposites = opposite_states(words)
        if opposites:
            return f"{name} cannot be {opposites} at the same time"
        if self._types[name] == "Microwave" and "open" in words and "on" in words:
            return f"{name} cannot be open and on at the same time"
        if "held" in words and name in needs.containers:
            around = needs.containers[name][0]
            return f"{name} cannot be held and be in or on {around} at the same time"
        return ""

    def _problem_of_place(self, name: str, receptacle: str, needs: Needs) -> str:
        """Return why an object cannot be in or on a receptacle, or "" if it can.

        Args:
            name: The object.
            receptacle: The receptacle.
            needs: The requirements on all chosen objects.
        """
        view = self._view
        if _is_within(receptacle, name, needs):
            return f"{name} cannot be in or on itself"
        if receptacle in view.around(name):
            return ""
        if not view.can(receptacle, "receptacle"):
            return f"nothing can be put in or on {receptacle}"
        # A fixed object stays where it is, unless it lies in something that is carried.
        if not any(view.can(item, "pickupable") for item in [name, *view.around(name)]):
            return f"{name} cannot be carried, so it cannot be put in or on {receptacle}"
        return ""


def _is_within(name: str, outermost: str, needs: Needs) -> bool:
    """Return whether the needs put an object into a given one, at any depth, or both are the same.

    Args:
        name: The object.
        outermost: The object that may contain it.
        needs: The containers that the goal requires.
    """
    containers = [name]
    for container in containers:  # grows while it is gone through
        if container == outermost:
            return True
        for outer in needs.containers.get(container, ()):
            if outer not in containers:
                containers.append(outer)
    return False
