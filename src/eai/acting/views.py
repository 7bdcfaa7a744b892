"""Observations as text, and views: policies of partial observation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from eai.simulators import Capabilities, Environment, Observation, SeenObject, StepResult
from eai.world import Action, State


def describe(observation: Observation) -> str:
    """Return an observation as text with a line for each object.

    A line is like ``- milk.41 (thing), in fridge.40: open, not dirty``. The last lines name the
    held objects and the object in focus.
    """
    lines = [_describe_object(seen_object) for seen_object in observation.objects]
    if not lines:
        lines.append("(nothing)")
    if observation.hands:
        lines.append(f"In your hands: {', '.join(observation.held) or 'nothing'}")
    if observation.focus:
        lines.append(f"You look at: {observation.focus}")
    return "\n".join(lines)


def _describe_object(seen_object: SeenObject) -> str:
    """Return the line of one object: ``- mug.3 (mug), on table.1: dirty, not open``."""
    line = f"- {seen_object.name}"
    if seen_object.type != seen_object.name:
        line += f" ({seen_object.type})"
    if seen_object.inside:
        line += f", {seen_object.relation or 'at'} {seen_object.inside}"
    words = [_describe_property(name, value) for name, value in seen_object.properties.items()]
    if words:
        line += f": {', '.join(words)}"
    return line


def _describe_property(name: str, value: object) -> str:
    """Return words for a property: ``dirty``, ``not open``, ``holds cup and jar``."""
    word = name.replace("_", " ")
    if value is True:
        return word
    if value is False:
        return f"not {word}"
    if isinstance(value, (tuple, list)):
        return f"{word} {' and '.join(map(str, value))}"
    return f"{word} {value}"


class View(Protocol):
    """A policy of partial observation."""

    def begin(self) -> None:
        """Forget earlier observations: a new episode begins."""
        ...

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """Return the visible part of an observation.

        Args:
            whole: The whole observation.
            seen: The part of it that earlier policies have kept.
        """
        ...


class _Forgetful:
    """A view without a memory."""

    def begin(self) -> None:
        """Begin an episode; nothing is remembered."""


class Viewed:
    """Wraps an environment, and reduces its observations by policies in order."""

    def __init__(self, inner: Environment, views: Sequence[View]) -> None:
        self.inner = inner
        self._views = tuple(views)

    @property
    def capabilities(self) -> Capabilities:
        """Capabilities of the environment, with hidden state."""
        return replace(self.inner.capabilities, hidden_state=True)

    @property
    def actions(self) -> Mapping[str, int]:
        """Actions of the environment."""
        return self.inner.actions

    def reset(self) -> Observation:
        """Return to the start of the task, and forget earlier observations."""
        for view in self._views:
            view.begin()
        return self._visible_part(self.inner.reset())

    def step(self, action: Action) -> StepResult:
        """Take one action."""
        result = self.inner.step(action)
        return replace(result, observation=self._visible_part(result.observation))

    def state(self) -> State:
        """The whole state; for the evaluator."""
        return self.inner.state()

    def _visible_part(self, whole: Observation) -> Observation:
        """Return the visible part of an observation."""
        seen = whole
        for view in self._views:
            seen = view.see(whole, seen)
        return seen


@dataclass(frozen=True, slots=True)
class SameRoom(_Forgetful):
    """A view of the agent's room, the held objects, and the room names.

    Args:
        agent: Name of the agent.
        kind: Type of rooms.
    """

    agent: str
    kind: str

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """Return the visible part of an observation (see :meth:`View.see`)."""
        # Rooms are looked up in the whole tree, as an earlier policy may have hidden a container.
        tree = _Tree(whole)
        agent_room = tree.room(self.agent, self.kind)

        def is_visible(seen_object: SeenObject) -> bool:
            if seen_object.type == self.kind or tree.held(seen_object):
                return True
            return tree.room(seen_object.name, self.kind) == agent_room

        return _keep_visible(seen, is_visible)


@dataclass(frozen=True, slots=True)
class Nearby(_Forgetful):
    """A view of the object in focus, of objects in, on or beside it, and of held objects.

    Objects in or on the same thing are beside each other; that thing is seen, too.

    Args:
        always: Types of objects that are always seen (rooms, so that there is somewhere to go).
            Objects in the same one of them are not beside each other.
    """

    always: frozenset[str] = frozenset()

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """Return the visible part of an observation (see :meth:`View.see`)."""
        tree = _Tree(whole)
        near_names = set[str]()
        focus = tree.things.get(whole.focus)
        if focus is not None:
            near_names.add(focus.name)
            # Its container or support is near as well, unless that is a room.
            container = tree.things.get(focus.inside)
            if container is not None and container.type not in self.always:
                near_names.add(container.name)

        def is_visible(seen_object: SeenObject) -> bool:
            if seen_object.type in self.always or tree.held(seen_object):
                return True
            return seen_object.name in near_names or seen_object.inside in near_names

        return _keep_visible(seen, is_visible)


@dataclass(frozen=True, slots=True)
class ClosedHidden(_Forgetful):
    """A view without the contents of closed containers.

    Args:
        opened: Name of the property that is False of a closed container.
    """

    opened: str = "open"

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """Return the visible part of an observation (see :meth:`View.see`)."""
        tree = _Tree(whole)

        def is_visible(seen_object: SeenObject) -> bool:
            for contained, container in tree.upwards(seen_object):
                # An object on top of a closed container is visible.
                if contained.relation != "on" and container.properties.get(self.opened) is False:
                    return False
            return True

        return _keep_visible(seen, is_visible)


@dataclass(slots=True)
class HiddenUntilLooked:
    """A view that hides some properties of objects until the agent looks at them.

    To look at a container counts for the objects in or on it; held objects count as looked at.

    Args:
        names: Names of the properties.
    """

    names: frozenset[str]
    _looked: set[str] = field(default_factory=set)

    def begin(self) -> None:
        """Forget which objects the agent has looked at."""
        self._looked = set()

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """Return the visible part of an observation (see :meth:`View.see`)."""
        # Only visible objects count. One that an earlier policy hides cannot be looked at.
        self._looked.update(seen.held)
        if whole.focus:
            for seen_object in seen.objects:
                # An agent that looks at a shelf also looks at the objects on it.
                if whole.focus in (seen_object.name, seen_object.inside):
                    self._looked.add(seen_object.name)
        return replace(seen, objects=tuple(map(self._with_visible_properties, seen.objects)))

    def _with_visible_properties(self, seen_object: SeenObject) -> SeenObject:
        """Return an object with the properties that the agent sees."""
        if seen_object.name in self._looked:
            return seen_object
        shown = {
            name: value for name, value in seen_object.properties.items() if name not in self.names
        }
        return replace(seen_object, properties=shown)


@dataclass(slots=True)
class Memory:
    """A view that also shows objects out of sight as they were last seen.

    Args:
        mark: Name of an additional property of remembered objects, whose value is True.
    """

    mark: str = "remembered"
    _known: dict[str, SeenObject] = field(default_factory=dict)

    def begin(self) -> None:
        """Forget everything."""
        self._known = {}

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """Return the visible and remembered objects (see :meth:`View.see`)."""
        visible = {seen_object.name: seen_object for seen_object in seen.objects}
        self._known.update(visible)
        # Seen and remembered objects are in the order of the whole observation. Remembered objects
        # that are no longer in it, such as a sliced one, come last.
        names_in_order = [seen_object.name for seen_object in whole.objects]
        names_gone = [name for name in self._known if name not in names_in_order]
        objects = []
        for name in (*names_in_order, *names_gone):
            if name in visible:
                objects.append(visible[name])
            elif name in self._known:
                seen_object = self._known[name]
                objects.append(
                    replace(seen_object, properties={**seen_object.properties, self.mark: True})
                )
        return replace(seen, objects=tuple(objects))


class Blind(_Forgetful):
    """A view of nothing. Only the instruction and the feedback remain."""

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """Return an empty observation (see :meth:`View.see`)."""
        del whole, seen
        return Observation()


class _Tree:
    """The tree of objects, in which a parent contains or supports its children."""

    def __init__(self, whole: Observation) -> None:
        self.things = {seen_object.name: seen_object for seen_object in whole.objects}
        self._held = frozenset(whole.held)

    def upwards(self, seen_object: SeenObject) -> Iterator[tuple[SeenObject, SeenObject]]:
        """Yield (object, parent) from an object up to the root."""
        # An environment of somebody else may say that two objects are in each other.
        passed = {seen_object.name}
        parent = self.things.get(seen_object.inside)
        while parent is not None and parent.name not in passed:
            yield seen_object, parent
            passed.add(parent.name)
            seen_object = parent
            parent = self.things.get(seen_object.inside)

    def held(self, seen_object: SeenObject) -> bool:
        """Return whether an object is held, or in or on something held."""
        if seen_object.name in self._held:
            return True
        return any(parent.name in self._held for _, parent in self.upwards(seen_object))

    def room(self, name: str, room_type: str) -> str:
        """Return the room that contains an object, or the object if it is one, or ""."""
        seen_object = self.things.get(name)
        if seen_object is None:
            return ""
        if seen_object.type == room_type:
            return name
        for _, parent in self.upwards(seen_object):
            if parent.type == room_type:
                return parent.name
        return ""


def _keep_visible(seen: Observation, is_visible: Callable[[SeenObject], bool]) -> Observation:
    """Return an observation with only those objects that are visible."""
    return replace(seen, objects=tuple(filter(is_visible, seen.objects)))
