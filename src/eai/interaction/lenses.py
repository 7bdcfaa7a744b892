"""Lenses: what of a symbolic state is observed, and as what.

A domain says which atoms hold; it does not say which predicate means that something lies in a
container or is held. A :class:`Lens` says that for one domain, and makes observations of states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from eai.interaction.protocol import Observation, SeenObject
from eai.world.bits import bits
from eai.world.state import State

__all__ = ["Lens", "Shown"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A property of an object as it is shown.

    It is true if one predicate holds. It is false if another one does, or if it could be true
    and is not. Where neither is said, it is not shown at all.

    Args:
        yes: The predicate that makes it true (``"open"``).
        no: A predicate that makes it false (``"closed"``); empty if there is none.
        having: A predicate of the objects that have the property (``"openable"``); empty if
            there is none.
    """

    yes: str
    no: str = ""
    having: str = ""

    def of(self, state: State, number: int) -> bool | None:
        """Whether the object with a number has it; None if that is not shown."""
        if _holds(state, self.yes, number):
            return True
        refuted = self.no and _holds(state, self.no, number)
        possible = self.having and _holds(state, self.having, number)
        return False if refuted or possible else None


@dataclass(frozen=True, slots=True)
class Lens:
    """What is observed of the states of one domain.

    No predicate may be a derived one.

    Args:
        properties: Name of a property to what it is made of.
        places: Predicate to the word for it, ``"in"`` or ``"on"``: which other object an object
            is in or on. If there are several such objects, the first predicate counts, and
            rooms come last.
        room: The type of rooms; empty if there are none.
        held: Predicates between the agent and what it holds.
        agent: Predicates between the agent and an object, to the name of the property that they
            are shown as (``{"next_to": "near"}``).
        relations: Predicates between objects, to the name of the property that lists the others
            (``{"under": "under"}``).
    """

    properties: Mapping[str, Shown]
    places: Mapping[str, str] = field(default_factory=dict)
    room: str = ""
    held: tuple[str, ...] = ()
    agent: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)

    def observe(
        self,
        state: State,
        agent: str,
        *,
        names: frozenset[str],
        focus: str = "",
        there: Callable[[str], bool] = lambda _: True,
    ) -> Observation:
        """Observe everything.

        Args:
            state: The state.
            agent: The object that acts.
            names: The objects that can be observed.
            focus: The object that the agent looks at.
            there: Whether an object is there at all (what is born later is not yet).
        """
        universe = state.universe
        seen = tuple(
            self._seen(state, number, universe.number(agent), names)
            for number, name in enumerate(universe.names)
            if name in names and there(name)
        )
        return Observation(seen, self.holding(state, agent), focus)

    def around(self, state: State, names: frozenset[str]) -> frozenset[str]:
        """Add to some objects what they are in or on, and the rooms.

        Args:
            state: The state.
            names: The objects.
        """
        universe, index = state.universe, state.layout.index
        pending = [*names, *(universe.of_types((self.room,)) if self.room else ())]
        found = set[str]()
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                rows = (state.rows[index[p]][universe.number(name)] for p in self.places)
                pending += [universe.names[i] for row in rows for i in bits(row)]
        return frozenset(found)

    def holding(self, state: State, agent: str) -> tuple[str, ...]:
        """Names of what the agent holds."""
        index, number = state.layout.index, state.universe.number(agent)
        return tuple(
            state.universe.names[i]
            for predicate in self.held
            for i in bits(state.rows[index[predicate]][number])
        )

    def _seen(self, state: State, number: int, agent: int, names: frozenset[str]) -> SeenObject:
        universe = state.universe
        inside, relation = self._place(state, number, names)
        return SeenObject(
            universe.names[number],
            universe.types[number],
            dict(self._properties(state, number, agent, names)),
            inside,
            relation,
        )

    def _properties(
        self, state: State, number: int, agent: int, names: frozenset[str]
    ) -> Iterator[tuple[str, object]]:
        for name, shown in self.properties.items():
            value = shown.of(state, number)
            if value is not None:
                yield name, value
        rows, index = state.rows, state.layout.index
        for predicate, name in self.agent.items():
            if rows[index[predicate]][agent] >> number & 1:
                yield name, True
        for predicate, name in self.relations.items():
            others = (state.universe.names[i] for i in bits(rows[index[predicate]][number]))
            listed = tuple(other for other in others if other in names)
            if listed:
                yield name, listed

    def _place(self, state: State, number: int, names: frozenset[str]) -> tuple[str, str]:
        """The object that an object is in or on, and which of the two."""
        universe, index = state.universe, state.layout.index
        rooms = universe.type_masks[self.room] if self.room else 0
        for wanted in (~rooms, rooms):
            for predicate, word in self.places.items():
                for i in bits(state.rows[index[predicate]][number] & wanted):
                    if universe.names[i] in names:
                        return universe.names[i], word
        return "", ""


def _holds(state: State, predicate: str, number: int) -> bool:
    return bool(state.unary[state.layout.index[predicate]] >> number & 1)
