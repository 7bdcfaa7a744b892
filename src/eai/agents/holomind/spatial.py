"""Spatial memory: what was seen where, and what is likely where."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from heapq import nsmallest
from math import sqrt

from eai.agents.holomind.goals import Reference
from eai.agents.holomind.percepts import Percept, Seen, plain, stem
from eai.simulators import recorded_counts

_SIZE = 1 << 16
_TOP = 8  # so many records are looked at more closely
_AGENTS = ("character", "agent", "robot")
Features = Mapping[int, float]


@lru_cache(8192)
def embed(*words: str) -> Features:
    """Hash words into a vector of length 1, the same on every machine."""
    counts = Counter(zlib.crc32(plain(word).encode()) % _SIZE for word in words if word)
    length = sqrt(sum(n * n for n in counts.values())) or 1.0
    return {at: n / length for at, n in counts.items()}


@dataclass(slots=True)
class Record:
    """What is known of one object.

    Args:
        origin: What it was in or on, and its room, when it was seen first.
        features: Its vector; older views weigh as much as there were of them.
        evidence: How often it was seen.
        stale: Whether it was not there when its place was looked at.
        count: How many there are, where names are types.
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
        """What it may be called."""
        return plain(self.type), stem(self.name)

    def merge(self, seen: Seen) -> None:
        """Take in another view of it."""
        new = embed(*self.kinds, self.name, stem(seen.place), plain(self.origin[1]))
        if new is not self.features:
            share = self.evidence / (self.evidence + 1)
            mixed = {at: share * value for at, value in self.features.items()}
            self.features = mixed | {
                at: mixed.get(at, 0.0) + (1 - share) * value for at, value in new.items()
            }
        self.place, self.relation, self.count = seen.place, seen.relation, seen.count
        self.words = {w: v for w, v in self.words.items() if not v} | dict(seen.words)
        self.evidence, self.stale = self.evidence + 1, False


def fits(query: Reference, record: Record) -> bool:
    """Say whether a record is what a reference means, by its type, name and first place."""
    around, room = record.origin
    return (
        (not query.kinds or bool(set(query.kinds) & set(record.kinds)))
        and (not query.name or plain(query.name) == plain(record.name))
        and (not query.place or plain(query.place) in (plain(around), stem(around)))
        and (not query.room or plain(query.room) == plain(room))
    )


class SpatialMemory:
    """What was seen; if it does not last, no more than is seen now."""

    def __init__(
        self,
        *,
        lasting: bool = True,
        verify: Callable[[Reference, Record], bool] = fits,
        log: Callable[..., None] = lambda *_, **__: None,
    ) -> None:
        self.records: dict[str, Record] = {}
        self.visited: set[str] = set()
        self.shown: set[str] = set()
        self.here = self.at = ""
        self._lasting, self._verify, self._log = lasting, verify, log

    def observe(self, percept: Percept) -> None:
        """Take in what is seen, and mark as stale what should be seen and is not."""
        if not self._lasting:
            self.records, self.visited = {}, set()
        names = Counter(seen.name for seen in percept.objects)
        self.shown = {*names, *percept.held}
        now, new = set[str](), list[Record]()
        unseen = (Seen(name, name) for name in percept.held if name not in names)
        for seen in (*percept.objects, *unseen):
            key = seen.name if names[seen.name] < 2 else f"{seen.name}@{seen.place}"
            now.add(key)
            if key not in self.records:
                self.records[key] = Record(seen.name, seen.type)
                new.append(self.records[key])
            self.records[key].merge(seen)
        self.here = self._room_now()
        self.visited |= {self.here} - {""}
        for key, record in self.records.items():
            held, record.held = record.held, record.name in percept.held
            if key not in now:
                record.stale = record.stale or held or self._missed(record, now)
        for record in new:
            record.origin = (record.place, self.room(record))
            words = (*record.kinds, record.name, stem(record.place), plain(record.origin[1]))
            record.features = embed(*words)

    def _missed(self, record: Record, now: set[str]) -> bool:
        """Whether something was looked for where it should be; in what is closed nothing is."""
        around = self.records.get(record.place)
        if around is None or plain(around.type) == "room":
            return around is not None and around.name == self.here
        return record.place in now and around.words.get("open") is not False

    def _room_now(self) -> str:
        for record in self.records.values():
            if record.words.get("here"):
                return record.name
            if plain(record.type) in _AGENTS and record.place:
                return self.room(record)
        return ""

    def named(self, name: str) -> Record | None:
        """What is known of an object of a name."""
        found = (record for record in self.records.values() if record.name == name)
        return self.records.get(name) or next(found, None)

    def several(self, record: Record) -> bool:
        """Whether more than one thing is known by the name of one."""
        return record.count > 1 or sum(r.name == record.name for r in self.records.values()) > 1

    def around(self, record: Record) -> Iterable[Record]:
        """What an object is in or on, and what that is in or on, ..."""
        for _ in range(9):  # what is seen may be in itself
            outer = self.records.get(record.place)
            if outer is None:
                return
            yield outer
            record = outer

    def room(self, record: Record) -> str:
        """Name of the room that something is in; empty if nothing says it."""
        if record.held:
            return self.here
        chain = (record, *self.around(record))
        return next((each.name for each in chain if plain(each.type) == "room"), "")

    @property
    def rooms(self) -> list[str]:
        """Names of the rooms, in the order in which they are shown."""
        return [r.name for r in self.records.values() if plain(r.type) == "room"]

    def find(self, query: Reference, *, without: Iterable[str] = ()) -> list[Record]:
        """The records that a reference means, the nearest first."""
        asked = embed(*query.kinds, query.name, query.place, plain(query.room))
        known = [r for r in self.records.values() if not r.stale and r.name not in without]

        def similarity(record: Record) -> float:
            return -sum(value * record.features.get(at, 0.0) for at, value in asked.items())

        found = [r for r in nsmallest(_TOP, known, key=similarity) if self._verify(query, r)]
        at = self.records.get(self.at)
        beside = (at.name, at.place) if at is not None else ()
        found.sort(key=lambda r: (self.cost(self.room(r)), r.place not in beside, r.name))
        self._log("query", asked=str(query), found=[r.name for r in found])
        return found

    def cost(self, room: str) -> float:
        """What it may take to go to a room: rooms that are shown side by side are near."""
        rooms = self.rooms
        if not room or room == self.here:
            return 1.0
        if room not in rooms or self.here not in rooms:
            return 4.0
        return 2.0 + 2.0 * abs(rooms.index(room) - rooms.index(self.here))


@cache
def _counts() -> tuple[dict[str, Counter[str]], dict[str, Counter[str]]]:
    """How often a type is in or on another, and in which kind of room, in plain letters."""
    around: dict[str, Counter[str]] = {}
    rooms: dict[str, Counter[str]] = {}
    for table, counts in zip((around, rooms), recorded_counts(), strict=True):
        for (kind, where), number in counts.items():
            table.setdefault(plain(kind), Counter())[plain(where)] += number
    return around, rooms


def may_hold(kind: str) -> bool:
    """Whether a type may hold something: it does in a recorded room, or is in none of them."""
    around, rooms = _counts()
    return kind not in rooms or any(kind in table for table in around.values())


def likely(kinds: Sequence[str], where: str) -> float:
    """How likely something of some types is in or on a type, or in a kind of room.

    It is the share among the 120 recorded rooms of AI2-THOR, one more of each counted.
    """
    tables = (table.get(kind, Counter()) for table in _counts() for kind in kinds or ("",))
    return max((table[where] + 1) / (table.total() + 30) for table in tables)
