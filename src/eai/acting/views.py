"""Observations as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from eai.simulators import Capabilities, Environment, Observation, SeenObject, StepResult
from eai.world import Action, State


def describe(observation: Observation) -> str:
    """Write an observation, one line for each object.

    Returns:
        Lines such as ``- milk.41 (thing), in fridge.40: open, not dirty``; below them what is
        held, and what the agent looks at.
    """
    lines = []
    for thing in observation.objects:
        kind = "" if thing.type == thing.name else f" ({thing.type})"
        place = f", {thing.relation or 'at'} {thing.inside}" if thing.inside else ""
        words = []
        for name, value in thing.properties.items():
            word = name.replace("_", " ")
            if isinstance(value, bool):
                words.append(word if value else f"not {word}")
            elif isinstance(value, (tuple, list)):
                words.append(f"{word} {' and '.join(map(str, value))}")
            else:
                words.append(f"{word} {value}")
        said = f": {', '.join(words)}" if words else ""
        lines.append(f"- {thing.name}{kind}{place}{said}")
    lines = lines or ["(nothing)"]
    if observation.hands:
        lines.append(f"In your hands: {', '.join(observation.held) or 'nothing'}")
    if observation.focus:
        lines.append(f"You look at: {observation.focus}")
    return "\n".join(lines)


class View(Protocol):
    """A policy of partial observation, for one episode after the other."""

    def begin(self) -> None:
        """Forget what was seen: a new episode begins."""
        ...

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """Say what is seen now.

        Args:
            whole: Everything there is.
            seen: What the policies before this one left of it.
        """
        ...


class _Forgetful:
    def begin(self) -> None:
        """Nothing is remembered."""


class Viewed:
    """An environment of which an agent sees what policies leave, applied in their order."""

    def __init__(self, inner: Environment, views: Sequence[View]) -> None:
        self.inner = inner
        self._views = tuple(views)

    @property
    def capabilities(self) -> Capabilities:
        """Those of the environment, with hidden state."""
        return replace(self.inner.capabilities, hidden_state=True)

    @property
    def actions(self) -> Mapping[str, int]:
        """Those of the environment."""
        return self.inner.actions

    def reset(self) -> Observation:
        """Go back to the start of the task; nothing was seen yet."""
        for view in self._views:
            view.begin()
        return self._seen(self.inner.reset())

    def step(self, action: Action) -> StepResult:
        """Take one action."""
        result = self.inner.step(action)
        return replace(result, observation=self._seen(result.observation))

    def state(self) -> State:
        """The whole state; for the evaluator."""
        return self.inner.state()

    def _seen(self, whole: Observation) -> Observation:
        seen = whole
        for view in self._views:
            seen = view.see(whole, seen)
        return seen


@dataclass(frozen=True, slots=True)
class SameRoom(_Forgetful):
    """Only what is in the room where the agent is, what it holds, and the rooms themselves."""

    agent: str
    kind: str

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """See :meth:`View.see`."""
        tree = _Tree(whole)
        room = tree.room(self.agent, self.kind)
        return _kept(
            seen,
            lambda thing: (
                thing.type == self.kind
                or tree.held(thing)
                or tree.room(thing.name, self.kind) == room
            ),
        )


@dataclass(frozen=True, slots=True)
class Nearby(_Forgetful):
    """Only what is looked at, what is in or on it, what is beside it, and what is held.

    Beside it is what is in or on the same thing. What it is in or on itself is seen too.

    Args:
        always: Types of objects that are always seen (rooms, so that there is somewhere to go).
            To be in the same one of them is not to be beside each other.
    """

    always: frozenset[str] = frozenset()

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """See :meth:`View.see`."""
        tree, near = _Tree(whole), set[str]()
        at = tree.things.get(whole.focus)
        if at is not None:
            around = tree.things.get(at.inside)
            beside = around is not None and around.type not in self.always
            near = {at.name, at.inside} if beside else {at.name}
        return _kept(
            seen,
            lambda thing: (
                thing.type in self.always
                or tree.held(thing)
                or thing.name in near
                or thing.inside in near
            ),
        )


@dataclass(frozen=True, slots=True)
class ClosedHidden(_Forgetful):
    """What is in something closed is not seen, nor what is in or on that.

    Args:
        opened: The property that is False of what is closed.
    """

    opened: str = "open"

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """See :meth:`View.see`."""
        tree = _Tree(whole)
        return _kept(
            seen,
            lambda thing: (
                not any(
                    inner.relation != "on" and around.properties.get(self.opened) is False
                    for inner, around in tree.upwards(thing)
                )
            ),
        )


@dataclass(slots=True)
class HiddenUntilLooked:
    """Some properties are not seen until an object, or what it is in or on, was looked at.

    An object that is held was looked at too.
    """

    names: frozenset[str]
    _looked: set[str] = field(default_factory=set)

    def begin(self) -> None:
        """Forget what was looked at."""
        self._looked = set()

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """See :meth:`View.see`."""
        self._looked.update(seen.held)
        if whole.focus:
            looked = (t.name for t in seen.objects if whole.focus in (t.name, t.inside))
            self._looked.update(looked)
        objects = list(seen.objects)
        for i, thing in enumerate(objects):
            if thing.name not in self._looked:
                shown = {name: v for name, v in thing.properties.items() if name not in self.names}
                objects[i] = replace(thing, properties=shown)
        return replace(seen, objects=tuple(objects))


@dataclass(slots=True)
class Memory:
    """What was seen earlier and is not seen now stays as it was seen last.

    Args:
        mark: The property, with the value True, that remembered objects have in addition.
    """

    mark: str = "remembered"
    _known: dict[str, SeenObject] = field(default_factory=dict)

    def begin(self) -> None:
        """Forget everything."""
        self._known = {}

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """See :meth:`View.see`."""
        now = {thing.name: thing for thing in seen.objects}
        self._known.update(now)
        order = [thing.name for thing in whole.objects]
        gone = [name for name in self._known if name not in order]
        known = (self._known[name] for name in (*order, *gone) if name in self._known)
        objects = tuple(
            now.get(one.name) or replace(one, properties={**one.properties, self.mark: True})
            for one in known
        )
        return replace(seen, objects=objects)


class Blind(_Forgetful):
    """Nothing is seen, not even what is held: an agent goes by its instruction and its feedback."""

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """See :meth:`View.see`."""
        del whole, seen
        return Observation()


class _Tree:
    """What is in or on what."""

    def __init__(self, whole: Observation) -> None:
        self.things = {thing.name: thing for thing in whole.objects}
        self._held = frozenset(whole.held)

    def upwards(self, thing: SeenObject) -> Iterator[tuple[SeenObject, SeenObject]]:
        """Yield an object with what it is in or on, then that with what it is in or on, ..."""
        passed = {thing.name}
        while (around := self.things.get(thing.inside)) and around.name not in passed:
            yield thing, around
            passed.add(around.name)
            thing = around

    def held(self, thing: SeenObject) -> bool:
        """Whether an object is held, or in or on something held."""
        return thing.name in self._held or any(
            around.name in self._held for _, around in self.upwards(thing)
        )

    def room(self, name: str, kind: str) -> str:
        """Name of the room that an object is in, or is; empty if there is none."""
        thing = self.things.get(name)
        if thing is None or thing.type == kind:
            return name if thing else ""
        return next((a.name for _, a in self.upwards(thing) if a.type == kind), "")


def _kept(seen: Observation, wanted: Callable[[SeenObject], bool]) -> Observation:
    return replace(seen, objects=tuple(filter(wanted, seen.objects)))
