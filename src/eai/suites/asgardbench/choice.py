"""Choice of the object that an action is about: the order in which those of a type are tried.

An action names a type. The objects of the type are tried in an order until the action succeeds
with one. Source: the published benchmark, whose order `official` has as far as it is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from eai.simulators import recorded_fits
from eai.suites.asgardbench.instances import Instance
from eai.suites.asgardbench.room import Failed, Room

ALIKE = frozenset({"CounterTop", "DiningTable", "SideTable"})
"""Types that the published benchmark takes for each other."""

# Actions for which it matters what was opened last, and those for which it matters what fits.
_SHUTTING = ("PUT", "OPEN", "CLOSE")
_PLACES = ("PUT", "OPEN", "FIND")
_CLOSETS = frozenset({"Box", "Cabinet", "Drawer", "Fridge", "Microwave", "Safe"})


@dataclass(slots=True)
class Attention:
    """The last actions of the agent, and the objects that it used for each type.

    Args:
        last: Name of the last action.
        found: Type to the object that was found or opened last.
        used: Type to the object that was used last.
        opened: Type to the object that was opened last, if it is still open.
        put: Pairs of an object and what it was put in or on.
        misfits: Pairs of an object and something empty that had no room for it.
    """

    last: str = ""
    found: dict[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)
    opened: dict[str, str] = field(default_factory=dict)
    put: set[tuple[str, str]] = field(default_factory=set)
    misfits: set[tuple[str, str]] = field(default_factory=set)

    def note(self, action: str, object_type: str, name: str) -> None:
        """Remember that an action succeeded, and with which object of the type.

        Args:
            action: Name of the action.
            object_type: The type that it named.
            name: The object.
        """
        if action in ("FIND", "OPEN"):
            self.found[object_type] = name
        # The agent used another object than the one it had found, so it does not mean that one.
        elif self.found.get(object_type) != name:
            self.found.pop(object_type, None)
        self.used[object_type] = name
        if action == "OPEN":
            self.opened[object_type] = name
        elif action == "CLOSE":
            self.closed(object_type, name)

    def lose(self, object_type: str) -> None:
        """Remember that no object of a type was found."""
        self.found.pop(object_type, None)
        self.used.pop(object_type, None)

    def closed(self, object_type: str, name: str) -> None:
        """Remember that something was closed, by the agent or not."""
        if self.opened.get(object_type) == name:
            del self.opened[object_type]


def fulfils_location_goal(room: Room, name: str, instance: Instance) -> bool:
    """Return whether an object already is where a location goal of the instance wants it."""
    container = room.container(name)
    if container is None:
        return False
    return (room.type(name), room.type(container)) in instance.goals.location


class _Objections(NamedTuple):
    """The reasons against trying an object, the weightiest first.

    False comes before True, so an object that has nothing against it is tried first.
    """

    is_settled: bool  # to undo a goal is worse than anything below
    has_no_room: bool
    is_not_preferred: bool
    is_not_opened: bool
    is_hidden: bool
    volume: float  # of a slice; thin ones are tried first


def order_by_likelihood(
    room: Room, action: str, object_type: str, *, attention: Attention, instance: Instance
) -> list[str]:
    """Return the objects of a type, sorted by how likely the action means them (``strict``).

    Receptacles with room for the held object come first. If a Pan is on a burner, only that burner
    is switched on; another one that is on can still be switched off.
    """
    names = room.instances(object_type)
    if object_type == "StoveBurner" and action == "TOGGLE_ON":
        names = [name for name in names if room.has_pan(name)] or names
    # Objects that are in their final place are touched last.
    settled_names = {name for name in names if fulfils_location_goal(room, name, instance)}
    last_used = attention.used.get(object_type)
    if action == "PUT" or last_used in settled_names:
        last_used = None
    preferred = attention.found.get(object_type, last_used)
    last_opened = attention.opened.get(object_type) if action in _SHUTTING else None
    object_to_put = room.held if action in _PLACES else None

    objections: dict[str, _Objections] = {}
    for name in names:
        objections[name] = _Objections(
            is_settled=name in settled_names,
            has_no_room=object_to_put is not None and not room.would_take(name, object_to_put),
            is_not_preferred=name != preferred,
            is_not_opened=name != last_opened,
            is_hidden=not room.in_view(name),
            volume=room.volume(name) if room.is_slice(name) else 0.0,
        )
    return sorted(names, key=lambda name: objections[name])


def order_as_published(
    room: Room, action: str, object_type: str, names: Sequence[str], *, attention: Attention
) -> list[str]:
    """Return the objects of a type in the order in which the published benchmark tries them.

    The object that was used last comes first; it takes an object only right after ``FIND`` or
    ``OPEN``. Among receptacles, next comes the one that was opened last, then the one that took the
    held object before, then receptacles that took it in recorded runs. All others come in the
    order of the scene, visible ones first: the benchmark sorts them by distance, but the position
    of the agent is not known here.
    """
    # Sorting is stable: the order of the scene stays within visible and hidden ones.
    names = sorted(names, key=lambda name: not room.in_view(name))
    if action == "PUT" or (action in _SHUTTING and object_type in _CLOSETS):
        names = _likeliest_receptacle_first(room, object_type, names, attention)
    if room.is_slice(names[0]):
        names.sort(key=room.volume)
    expected = _expected_object(room, action, object_type, names, attention)
    if expected is None or expected not in names:
        return names
    if object_type == "StoveBurner":
        return [expected]  # of burners only this one is tried
    return _move_to_front(expected, names)


def _expected_object(
    room: Room, action: str, object_type: str, names: Sequence[str], attention: Attention
) -> str | None:
    """Return the object that the published benchmark tries before all others, or None.

    This is the object that was used last, with two exceptions: a burner to be switched on is the
    first with a pan on it, and something is put into the object used last only if that was found or
    opened right before.

    Args:
        room: The room.
        action: Name of the action.
        object_type: The type that it names.
        names: The objects of the type.
        attention: The last actions of the agent.
    """
    if action == "TOGGLE_ON" and object_type == "StoveBurner":
        return next((name for name in names if room.has_pan(name)), None)
    if action == "PUT" and attention.last not in ("FIND", "OPEN"):
        return None
    return attention.used.get(object_type)


def _likeliest_receptacle_first(
    room: Room, object_type: str, names: Sequence[str], attention: Attention
) -> list[str]:
    """Return receptacles, sorted by how likely the held object is to be put there.

    Args:
        room: The room.
        object_type: The type of the receptacles.
        names: The receptacles, visible ones first.
        attention: The last actions of the agent.
    """
    held = room.held or ""
    # The agent opened this container just before, for this purpose.
    last_opened = attention.opened.get(object_type)
    if last_opened is not None and last_opened in names:
        return _move_to_front(last_opened, names)
    for name in names:
        took_object_before = (held, name) in attention.put
        if took_object_before:
            return _move_to_front(name, names)
    if not held:
        return list(names)
    ordered = _recorded_first(room, names, held)
    for name in ordered:
        if not room.in_view(name) or (held, name) in attention.misfits:
            continue
        if recorded_fits().fits(room.scene.name, name, room.type(held)):
            return _move_to_front(name, ordered)
    return ordered


def _recorded_first(room: Room, names: Sequence[str], held: str) -> list[str]:
    """Return receptacles, with those in front that took the held object's type in recorded runs.

    Args:
        room: The room.
        names: The receptacles.
        held: The held object.
    """
    recorded: list[str] = []
    unrecorded: list[str] = []
    for name in names:
        if (room.scene.name, name, room.type(held)) in recorded_fits().known:
            recorded.append(name)
        else:
            unrecorded.append(name)
    return [*reversed(recorded), *unrecorded]


def _move_to_front(first: str, names: Sequence[str]) -> list[str]:
    """Return names in their order, except that one of them comes first."""
    return [first, *(name for name in names if name != first)]


@dataclass(frozen=True, slots=True)
class Tried:
    """The outcome of trying an action on several objects: the one that worked, or failures."""

    name: str = ""
    failures: tuple[Failed, ...] = ()


def try_in_turn(
    names: Iterable[str],
    attempt: Callable[[str], Failed | None],
    *,
    before: Callable[[str], None] | None = None,
    after: Callable[[str], None] | None = None,
) -> Tried:
    """Try an action on one object after another until it succeeds.

    Args:
        names: The objects.
        attempt: Takes the action with an object; returns the failure, or None if it succeeds.
        before: Called with each object but the first, before it is tried.
        after: Called with each object that failed.
    """
    failures: list[Failed] = []
    for name in names:
        # Nothing comes before the first object: it was expected to work.
        if failures and before is not None:
            before(name)
        failed = attempt(name)
        if failed is None:
            return Tried(name)
        if after is not None:
            after(name)
        failures.append(failed)
    return Tried(failures=tuple(failures))
