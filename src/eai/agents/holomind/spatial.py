"""Spatial memory: what was seen where, and what is likely where."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from heapq import nlargest
from math import sqrt

from eai.agents.holomind.goals import ObjectReference
from eai.agents.holomind.percepts import Percept, Seen, plain, stem
from eai.simulators import recorded_counts

_SIZE = 1 << 16
"""Dimension of the vectors of objects."""

_MAX_CANDIDATES = 8
"""Maximum number of records that are verified."""

_MAX_DEPTH = 9
"""Maximum depth of containers: what is seen may be in itself."""
_AGENTS = ("character", "agent", "robot")
"""Types that the agent itself may have."""
Features = Mapping[int, float]
"""A vector: numbers by index, without those that are 0."""


@lru_cache(8192)
def embed(*words: str) -> Features:
    """Return a unit vector for some words, by a hash that is the same on every machine."""
    counts: Counter[int] = Counter()
    for word in filter(None, words):
        counts[zlib.crc32(plain(word).encode()) % _SIZE] += 1
    length = sqrt(sum(number * number for number in counts.values())) or 1.0
    return {index: number / length for index, number in counts.items()}


def _similarity(first: Features, second: Features) -> float:
    """Return the product of two vectors: the more words they share, the larger it is."""
    return sum(value * second.get(index, 0.0) for index, value in first.items())


@dataclass(slots=True)
class ObjectRecord:
    """The agent's knowledge about one object.

    Args:
        name: Its name.
        type: Its type.
        place: Name of what it is in or on.
        relation: ``"in"``, ``"on"`` or ``"at"``, if it is known.
        words: State to whether it is in it.
        origin: Name of what it was in or on, and its room, when it was seen first.
        features: Its vector: the mean of those of all views.
        evidence: Number of views.
        stale: Whether the object was missing when the agent looked at its place.
        held: Whether the agent holds it.
        count: Number of such objects, where names are types.
    """

    name: str
    type: str
    place: str = ""
    relation: str = ""
    words: dict[str, bool] = field(default_factory=dict)
    origin: tuple[str, str] = ("", "")
    features: Features = field(default_factory=dict)
    evidence: int = 0
    stale: bool = False
    held: bool = False
    count: int = 1

    @property
    def kinds(self) -> tuple[str, str]:
        """Words that it may be called by, in plain letters."""
        return plain(self.type), stem(self.name)

    def merge(self, seen: Seen) -> None:
        """Update the record with another view of the object."""
        new_features = embed(*self.kinds, self.name, stem(seen.place), plain(self.origin[1]))
        # Equal words give the same cached vector, so most views do not change the mean.
        if new_features is not self.features:
            # This is a running mean: n earlier views have the weight n / (n + 1), the new one
            # 1 / (n + 1).
            weight_of_mean = self.evidence / (self.evidence + 1)
            mean = {index: weight_of_mean * value for index, value in self.features.items()}
            for index, value in new_features.items():
                mean[index] = mean.get(index, 0.0) + (1 - weight_of_mean) * value
            self.features = mean
        self.place = seen.place
        self.relation = seen.relation
        self.count = seen.count
        # A view lists the states that hold. States that were false stay false until they are seen
        # to be true.
        self.words = {word: value for word, value in self.words.items() if not value}
        self.words.update(seen.words)
        self.evidence += 1
        self.stale = False


def fits(query: ObjectReference, record: ObjectRecord) -> bool:
    """Return whether a record matches a reference by type, name and original place."""
    around, room = record.origin
    if query.kinds and not set(query.kinds) & set(record.kinds):
        return False
    if query.name and plain(query.name) != plain(record.name):
        return False
    if query.place and plain(query.place) not in (plain(around), stem(around)):
        return False
    return not query.room or plain(query.room) == plain(room)


class SpatialMemory:
    """The objects that the agent has seen, with their last known places.

    Args:
        lasting: Whether objects are remembered that are not seen now.
        verify: Decides whether a record is what a reference means.
        log: Adds an entry to the log of the agent.

    Attributes:
        records: The records, by name; by name and place where several have the same name.
        visited: Names of the rooms where the agent was.
        shown: Names of the objects that are seen now.
        here: Name of the room of the agent; empty if it is unknown.
        at: Name of the object that the agent is at.
    """

    def __init__(
        self,
        *,
        lasting: bool = True,
        verify: Callable[[ObjectReference, ObjectRecord], bool] = fits,
        log: Callable[..., None] = lambda *_, **__: None,
    ) -> None:
        self.records: dict[str, ObjectRecord] = {}
        self.visited: set[str] = set()
        self.shown: set[str] = set()
        self.here = self.at = ""
        self._lasting, self._verify, self._log = lasting, verify, log

    def observe(self, percept: Percept) -> None:
        """Update the records from the visible objects.

        Records of objects that should be visible but are not are marked as stale.

        Args:
            percept: The objects that are seen, and the names of those in hand.
        """
        if not self._lasting:
            self.records = {}
            self.visited = set()
        number_by_name = Counter(seen.name for seen in percept.objects)
        self.shown = {*number_by_name, *percept.held}
        visible_keys = set[str]()
        new_records: list[ObjectRecord] = []
        unseen_held = [Seen(name, name) for name in percept.held if name not in number_by_name]
        for seen in (*percept.objects, *unseen_held):
            record_key = seen.name
            if number_by_name[seen.name] > 1:
                # Some suites name objects by type only. Then their places distinguish them.
                record_key = f"{seen.name}@{seen.place}"
            visible_keys.add(record_key)
            if record_key not in self.records:
                self.records[record_key] = ObjectRecord(seen.name, seen.type)
                new_records.append(self.records[record_key])
            self.records[record_key].merge(seen)
        self.here = self._current_room()
        if self.here:
            self.visited.add(self.here)
        self._update_held(percept.held, visible_keys)
        # This comes last, because the room depends on all visible objects.
        for record in new_records:
            self._note_origin(record)

    def _note_origin(self, record: ObjectRecord) -> None:
        """Note where an object was first seen; its room is known once all objects are."""
        room = self.room(record)
        record.origin = (record.place, room)
        words = (*record.kinds, record.name, stem(record.place), plain(room))
        record.features = embed(*words)

    def _update_held(self, held: Collection[str], visible: set[str]) -> None:
        """Update which objects are held, and which are no longer where they were seen."""
        for key, record in self.records.items():
            was_held = record.held
            record.held = record.name in held
            # An object that was held and is not seen now was laid down out of sight.
            if key not in visible and (was_held or self._is_missed(record, visible)):
                record.stale = True

    def _is_missed(self, record: ObjectRecord, visible: set[str]) -> bool:
        """Return whether an object is not seen although its place is visible and open."""
        around = self.records.get(record.place)
        if around is None:
            return False
        if plain(around.type) == "room":
            return around.name == self.here
        return record.place in visible and around.words.get("open") is not False

    def _current_room(self) -> str:
        """Return the room where the agent is, or "" if it is unknown."""
        for record in self.records.values():
            if record.words.get("here"):
                return record.name
            if plain(record.type) in _AGENTS and record.place:
                return self.room(record)
        return ""

    def named(self, name: str) -> ObjectRecord | None:
        """Return the record of an object, or None if it is unknown."""
        if name in self.records:
            return self.records[name]
        for record in self.records.values():
            if record.name == name:
                return record
        return None

    def several(self, record: ObjectRecord) -> bool:
        """Return whether more than one object is known by the name of one."""
        if record.count > 1:
            return True
        return sum(other.name == record.name for other in self.records.values()) > 1

    def around(self, record: ObjectRecord) -> Iterable[ObjectRecord]:
        """Yield the receptacles around an object, the innermost first."""
        for _ in range(_MAX_DEPTH):
            container = self.records.get(record.place)
            if container is None:
                return
            yield container
            record = container

    def room(self, record: ObjectRecord) -> str:
        """Return the room of an object, or "" if it is unknown."""
        if record.held:
            return self.here
        for container in (record, *self.around(record)):
            if plain(container.type) == "room":
                return container.name
        return ""

    @property
    def rooms(self) -> list[str]:
        """Names of the rooms, in the order in which they are shown."""
        return [record.name for record in self.records.values() if plain(record.type) == "room"]

    def find(self, query: ObjectReference, *, without: Iterable[str] = ()) -> list[ObjectRecord]:
        """Return the records that match a reference, the nearest first.

        The records with the most similar vectors are candidates. Each candidate is verified, which
        may ask a model.

        Args:
            query: The reference.
            without: Names of records that are left out.
        """
        query_vector = embed(*query.kinds, query.name, query.place, plain(query.room))
        known_records = []
        for record in self.records.values():
            if not record.stale and record.name not in without:
                known_records.append(record)
        # Verification may be expensive, so only the most similar records are verified.
        candidates = nlargest(
            _MAX_CANDIDATES,
            known_records,
            key=lambda record: _similarity(query_vector, record.features),
        )
        matching = [record for record in candidates if self._verify(query, record)]
        matching.sort(key=self._distance)
        self._log("query", asked=str(query), found=[record.name for record in matching])
        return matching

    def _distance(self, record: ObjectRecord) -> tuple[float, bool, str]:
        """Return how far a record is from the agent, as a key to sort by; ties by the name."""
        at = self.records.get(self.at)
        is_at_hand = at is not None and record.place in (at.name, at.place)
        return self.cost(self.room(record)), not is_at_hand, record.name

    def cost(self, room: str) -> float:
        """Return the estimated cost of moving to a room.

        Rooms listed next to each other are near.
        """
        rooms = self.rooms
        if not room or room == self.here:
            return 1.0
        if room not in rooms or self.here not in rooms:
            return 4.0
        return 2.0 + 2.0 * abs(rooms.index(room) - rooms.index(self.here))


@cache
def _counts_by_type() -> tuple[dict[str, Counter[str]], dict[str, Counter[str]]]:
    """Return how often a type occurs in or on another type, and in each kind of room."""
    around: dict[str, Counter[str]] = {}
    rooms: dict[str, Counter[str]] = {}
    for table, counts in zip((around, rooms), recorded_counts(), strict=True):
        for (object_type, where), count in counts.items():
            table.setdefault(plain(object_type), Counter())[plain(where)] += count
    return around, rooms


def may_hold(kind: str) -> bool:
    """Return whether a type may hold something: it does in a recorded room, or is in none."""
    around, rooms = _counts_by_type()
    return kind not in rooms or any(kind in table for table in around.values())


def likely(kinds: Sequence[str], where: str) -> float:
    """Return the likelihood that an object of some types is at a place or in a kind of room.

    It is the share among the objects in the 120 recorded rooms of AI2-THOR, where each place has
    one object more (Laplace's rule).
    """
    shares = []
    for table in _counts_by_type():
        for object_type in kinds or ("",):
            counts = table.get(object_type, Counter[str]())
            # There are about 30 types of places.
            shares.append((counts[where] + 1) / (counts.total() + 30))
    return max(shares)
