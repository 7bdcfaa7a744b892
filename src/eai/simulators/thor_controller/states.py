"""From the metadata of the real engine to a state of the symbolic world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from eai.simulators.thor.metadata import STATE_FIELDS, read_scene
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.simulators.thor.world import AGENT, ThorWorld
from eai.world.bits import bits
from eai.world.state import Change, State

__all__ = ["StateReader", "differences"]

_FLAGS = (*STATE_FIELDS.values(), "hot", "cold", "dormant")
_RELATIONS = ("in", "also_in", "holds", "contains")


class StateReader:
    """Reads the states of one room.

    All states are over the same objects: those of the room as it was loaded, and the slices that
    may be cut from them. What else the engine lists later (a slice more than is known of) is
    left out.

    Args:
        metadata: The metadata of the engine when the room was loaded.
        world: The symbolic world.

    Attributes:
        scene: The room as it was loaded.
        start: Its state then.

    Raises:
        SchemaError: If it is not metadata of AI2-THOR.
    """

    def __init__(self, metadata: Mapping[str, Any], *, world: ThorWorld) -> None:
        self.scene: Scene = read_scene(metadata)
        self._blank = world.start(self.scene)
        _forget(self._blank)
        self._slices = {piece.name for piece in self.scene.slices}
        self.start: State = self._read(self.scene)

    def read(self, metadata: Mapping[str, Any], *, before: State, target: str = "") -> State:
        """Read a state.

        The engine lists the receptacles of an object in no order. One that was in one of them
        before still is; what was put down is in the one that it was put into. Nor does the engine
        reliably list what is in a receptacle that is carried: what was in it before and is in
        nothing now still is.

        Args:
            metadata: The metadata of the engine.
            before: The state before.
            target: What was put into, if something was.

        Raises:
            SchemaError: If it is not metadata of AI2-THOR.
        """
        places = _places(before)
        places.update(dict.fromkeys(_related(before, "holds", AGENT), target))
        scene = read_scene(metadata)
        moved = tuple(_put(one, places.get(one.name, "")) for one in scene.objects)
        state = self._read(replace(scene, objects=moved))
        state.began = before.initial
        _keep_carried(state, before)
        return state

    def _read(self, scene: Scene) -> State:
        state = self._blank.copy()
        known = state.universe.index
        there = [one for one in scene.objects if one.name in known]
        for one in there:
            for predicate, arguments in _atoms(one):
                if all(name in known for name in arguments):
                    state.add(predicate, arguments)
        for name in self._slices - {one.name for one in there}:
            state.add("dormant", (name,))
        return state


def _related(state: State, predicate: str, name: str) -> list[str]:
    row = state.rows[state.layout.index[predicate]][state.universe.number(name)]
    return [state.universe.names[i] for i in bits(row)]


def _places(state: State) -> dict[str, str]:
    """What each object is in or on."""
    names = state.universe.names
    rows = state.rows[state.layout.index["in"]]
    return {names[i]: names[j] for i, row in enumerate(rows) for j in bits(row)}


def _put(one: SceneObject, place: str) -> SceneObject:
    """An object with one of the receptacles that are listed for it as its place."""
    if place == one.place or place not in one.also:
        return one
    also = tuple(name for name in one.parents if name != place)
    return replace(one, place=place, also=also)


def _forget(state: State) -> None:
    """Make everything false that an action can change."""
    index = state.layout.index
    for predicate in _FLAGS:
        state.write(index[predicate], 0, None, -1, False)
    for predicate in _RELATIONS:
        for number in range(len(state.universe)):
            state.write(index[predicate], 0, number, -1, False)


def _atoms(one: SceneObject) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield from ((flag, (one.name,)) for flag in one.flags)
    if one.place:
        yield "in", (one.name, one.place)
    yield from (("also_in", (one.name, name)) for name in one.also)
    if one.held:
        yield "holds", (AGENT, one.name)
    if one.liquid:
        yield "contains", (one.name, one.liquid)


def _keep_carried(state: State, before: State) -> None:
    index = state.layout.index
    inside = index["in"]
    pending = list(bits(state.rows[index["holds"]][state.universe.number(AGENT)]))
    while pending:
        carrier = pending.pop()
        for number in bits(before.cols[inside][carrier] & ~state.unary[index["sliced"]]):
            if not (state.rows[inside][number] or state.rows[index["also_in"]][number]):
                state.put(inside, (number, carrier), True)
                pending.append(number)


def differences(before: State, after: State) -> list[Change]:
    """Return the changes that lead from one state of a room to another."""
    index, size = before.layout.index, len(before.universe)
    flags = ((p, None, before.unary[p], after.unary[p]) for p in map(index.__getitem__, _FLAGS))
    rows = (
        (p, number, before.rows[p][number], after.rows[p][number])
        for p in map(index.__getitem__, _RELATIONS)
        for number in range(size)
    )
    return [
        (p, 0, key, mask, value)
        for p, key, old, new in (*flags, *rows)
        for mask, value in ((old & ~new, False), (new & ~old, True))
        if mask
    ]
