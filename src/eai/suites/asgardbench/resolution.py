"""Which object an action is about: it names a type, the room has instances.

The published benchmark takes the instance that was found or opened last, else the one that was
used last, else the nearest in view (paper, appendix A.3; its code for the order). There are no
distances here: the order of the scene stands for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from eai.suites.asgardbench.instances import Instance
from eai.suites.asgardbench.room import Room

__all__ = ["ALIKE", "Attention", "alike", "employed", "in_order"]

ALIKE = frozenset({"CounterTop", "DiningTable", "SideTable"})
"""Types that the published benchmark takes for each other when something is put down."""

_SHUTTING = ("PUT", "OPEN", "CLOSE")
_PLACES = ("PUT", "OPEN", "FIND")


@dataclass(slots=True)
class Attention:
    """Which instance of each type the agent dealt with last.

    Args:
        found: The one that was found or opened last.
        used: The one that something was done with last.
        opened: The one that was opened last and is not closed.
    """

    found: dict[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)
    opened: dict[str, str] = field(default_factory=dict)

    def note(self, action: str, kind: str, name: str) -> None:
        """Take note of an action that was done."""
        if action in ("FIND", "OPEN"):
            self.found[kind] = name
        elif self.found.get(kind) != name:
            self.found.pop(kind, None)
        self.used[kind] = name
        if action == "OPEN":
            self.opened[kind] = name
        elif action == "CLOSE":
            self.closed(kind, name)

    def closed(self, kind: str, name: str) -> None:
        """Take note that something was closed, by the agent or not."""
        if self.opened.get(kind) == name:
            del self.opened[kind]

    def preferred(self, action: str, kind: str, *, settled: Callable[[str], bool]) -> str | None:
        """The instance that an action is about before all others.

        Args:
            action: The action.
            kind: The type that it names.
            settled: Whether an object satisfies a location goal already.
        """
        if kind in self.found:
            return self.found[kind]
        used = self.used.get(kind)
        return None if used is None or action == "PUT" or settled(used) else used


def employed(room: Room, name: str, instance: Instance) -> bool:
    """Whether an object satisfies a location goal of the instance."""
    container = room.container(name)
    if container is None:
        return False
    return (room.type(name), room.type(container)) in instance.goals.location


def in_order(
    room: Room, action: str, kind: str, *, attention: Attention, instance: Instance
) -> list[str]:
    """Return the instances of a type, those that an action is about first.

    Where something is to be put, what has no place for it comes behind what has: the published
    benchmark knows from earlier runs what fits where. The burner under the Pan is the only one
    that is switched on, if there is one; another one that is on can still be switched off.

    Args:
        room: The room as it is.
        action: The action.
        kind: The type that it names.
        attention: What the agent dealt with last.
        instance: The instance that is played; what satisfies its location goals comes last.
    """
    names = room.instances(kind)
    if kind == "StoveBurner" and action == "TOGGLE_ON":
        names = _under_pan(room, names) or names
    settled = {name for name in names if employed(room, name, instance)}
    preferred = attention.preferred(action, kind, settled=settled.__contains__)
    opened = attention.opened.get(kind) if action in _SHUTTING else None
    held = room.held if action in _PLACES else None

    def rank(name: str) -> tuple[bool, bool, bool, bool, bool, float]:
        return (
            name in settled,
            held is not None and not room.would_take(name, held),
            name != preferred,
            name != opened,
            not room.in_view(name),
            room.volume(name) if room.is_slice(name) else 0.0,
        )

    return sorted(names, key=rank)


def alike(room: Room, kind: str) -> list[str]:
    """Return the objects in view that the published benchmark takes for a surface as well."""
    kinds = sorted(ALIKE - {kind}) if kind in ALIKE else []
    return [name for other in kinds for name in room.instances(other) if room.in_view(name)]


def _under_pan(room: Room, burners: Sequence[str]) -> list[str]:
    return [name for name in burners if _carries_pan(room, room.contents(name))]


def _carries_pan(room: Room, contents: Iterable[str]) -> bool:
    return any(room.type(name) == "Pan" for name in contents)
