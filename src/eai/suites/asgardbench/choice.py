"""Which object of a type an action is about: the order in which they are tried, until one will do.

Source: the published benchmark, whose order `official` has as far as it can be known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from eai.simulators import recorded_fits
from eai.suites.asgardbench.instances import Instance
from eai.suites.asgardbench.room import Failed, Room

ALIKE = frozenset({"CounterTop", "DiningTable", "SideTable"})
"""Types that the published benchmark takes for each other."""

_SHUTTING = ("PUT", "OPEN", "CLOSE")
_PLACES = ("PUT", "OPEN", "FIND")
_CLOSETS = frozenset({"Box", "Cabinet", "Drawer", "Fridge", "Microwave", "Safe"})


@dataclass(slots=True)
class Attention:
    """What the agent did last, and with which instance of each type."""

    last: str = ""
    found: dict[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)
    opened: dict[str, str] = field(default_factory=dict)
    put: set[tuple[str, str]] = field(default_factory=set)
    """What was put where."""
    misfits: set[tuple[str, str]] = field(default_factory=set)
    """What had no place in something empty."""

    def note(self, action: str, kind: str, name: str) -> None:
        """Take note of an action that was done, with an object that was taken for a type."""
        if action in ("FIND", "OPEN"):
            self.found[kind] = name
        elif self.found.get(kind) != name:
            self.found.pop(kind, None)
        self.used[kind] = name
        if action == "OPEN":
            self.opened[kind] = name
        elif action == "CLOSE":
            self.closed(kind, name)

    def lose(self, kind: str) -> None:
        """Take note that no object of a type was found."""
        self.found.pop(kind, None)
        self.used.pop(kind, None)

    def closed(self, kind: str, name: str) -> None:
        """Take note that something was closed, by the agent or not."""
        if self.opened.get(kind) == name:
            del self.opened[kind]


def employed(room: Room, name: str, instance: Instance) -> bool:
    """Whether an object satisfies a location goal of the instance."""
    container = room.container(name)
    if container is None:
        return False
    return (room.type(name), room.type(container)) in instance.goals.location


def in_order(
    room: Room, action: str, kind: str, *, attention: Attention, instance: Instance
) -> list[str]:
    """Return the instances of a type, those that an action is about first (``strict``).

    Where something is to be put, what has no place for it comes behind what has. The burner under
    the Pan is the only one that is switched on, if there is one; another one that is on can still
    be switched off.
    """
    names = room.instances(kind)
    if kind == "StoveBurner" and action == "TOGGLE_ON":
        names = [name for name in names if room.has_pan(name)] or names
    settled = {name for name in names if employed(room, name, instance)}
    used = attention.used.get(kind)
    preferred = attention.found.get(kind, None if action == "PUT" or used in settled else used)
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


def in_published_order(
    room: Room, action: str, kind: str, names: Sequence[str], *, attention: Attention
) -> list[str]:
    """Return objects for a type in the order in which the published benchmark tries them.

    What was used last comes first, to be put in only right after ``FIND`` or ``OPEN``. Of what
    something is put in and what can be closed, next come what was opened last, what the held
    object was put in before, what earlier runs recorded to take it. The rest is in the order of
    the scene, what is in view first: where the agent stands is not known here.
    """
    names = sorted(names, key=lambda name: not room.in_view(name))
    if action == "PUT" or (action in _SHUTTING and kind in _CLOSETS):
        held, opened = room.held or "", attention.opened.get(kind)
        before = (name for name in names if (held, name) in attention.put)
        first = opened if opened in names else next(before, None)
        if first is None and held:
            fits, scene, thing = recorded_fits(), room.scene.name, room.type(held)
            known = [name for name in names if (scene, name, thing) in fits.known]
            names = [*reversed(known), *(name for name in names if name not in known)]
            misfits = attention.misfits
            seen = (
                name
                for name in names
                if room.in_view(name)
                and fits.fits(scene, name, thing)
                and (held, name) not in misfits
            )
            first = next(seen, None)
        names.sort(key=lambda name: name != first)
    if room.is_slice(names[0]):
        names.sort(key=room.volume)
    used = attention.used.get(kind)
    if action == "TOGGLE_ON" and kind == "StoveBurner":
        used = next(filter(room.has_pan, names), None)
    elif action == "PUT" and attention.last not in ("FIND", "OPEN"):
        used = None
    if used not in names:
        return names
    # Of burners no other one is tried.
    return [used] if kind == "StoveBurner" else sorted(names, key=lambda name: name != used)


@dataclass(frozen=True, slots=True)
class Tried:
    """The instance with which something was done, or why not with those that were tried."""

    name: str = ""
    failures: tuple[Failed, ...] = ()


def in_turn(
    names: Iterable[str],
    attempt: Callable[[str], Failed | None],
    *,
    before: Callable[[str], None] | None = None,
    after: Callable[[str], None] | None = None,
) -> Tried:
    """Try instances until the action is done."""
    failures: list[Failed] = []
    for name in names:
        if failures and before is not None:
            before(name)
        failed = attempt(name)
        if failed is None:
            return Tried(name)
        if after is not None:
            after(name)
        failures.append(failed)
    return Tried(failures=tuple(failures))
