"""Episodes of LongAct: a house, an instruction in two wordings, and a checklist of items.

An item names objects and how they have to be at the end. The format is this package's own: none
was published.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any

from eai.errors import InputError, SchemaError, UnknownNameError
from eai.logic import Always, And, Atom, Eventually, Formula, Not, Or
from eai.simulators.thor.houses import House, house_of
from eai.simulators.thor.scenes import object_types
from eai.suites.longact.metrics import KINDS

SCENARIOS = ("tidy", "work", "rest", "dine")
"""Cleaning and tidying; work and study; rest and entertainment; dining and kitchen."""

WORDINGS = ("detailed", "concise")
"""How an instruction is worded."""

_NEEDS = {"open": "openable", "sliced": "sliceable", "cooked": "cookable", "filled": "fillable"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """How an object has to be at the end.

    Args:
        kind: One of :data:`~eai.suites.longact.metrics.KINDS`.
        value: Of a position the object, or the type of objects, that it is to be in or on;
            otherwise whether it is to be so.
    """

    kind: str
    value: str | bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a checklist.

    Args:
        select: Which objects: ``id``; or ``type``, with ``attribute`` (a property that they have
            at the start) and ``inside`` (an object or a type that they are in or on then);
            ``any`` for any so many of them, without which there has to be one.
        conditions: How they have to be.
    """

    select: Mapping[str, Any]
    conditions: tuple[Wanted, ...]


@dataclass(frozen=True, slots=True)
class LongActEpisode:
    """One episode.

    Args:
        id: Its name (``"tidy-017"``).
        scenario: One of :data:`SCENARIOS`.
        rooms: The recorded rooms of its house, from west to east.
        detailed: What to do, object by object.
        concise: The same intent in few words.
    """

    id: str
    scenario: str
    rooms: tuple[str, ...]
    detailed: str
    concise: str
    checklist: tuple[Item, ...]

    @classmethod
    def from_json(cls, row: object, *, where: str = "episode") -> LongActEpisode:
        """Read an episode.

        Raises:
            SchemaError: If it has another shape.
        """
        if not isinstance(row, dict):
            raise SchemaError(f"{where}: {type(row).__name__}", expected="an object")
        for key in ("id", "scenario", "detailed", "concise"):
            if not isinstance(row.get(key), str) or not row[key].strip():
                raise SchemaError(f"{where}: there is no text {key!r}", expected=f'"{key}": "..."')
        where = f"{where} {row['id']}"
        if row["scenario"] not in SCENARIOS:
            raise SchemaError(
                f"{where}: the scenario is {row['scenario']!r}", expected=", ".join(SCENARIOS)
            )
        for key in ("rooms", "checklist"):
            if not isinstance(row.get(key), list) or not row[key]:
                raise SchemaError(f"{where}: {key!r} is not a list", expected="a list with entries")
        items = tuple(_item(each, f"{where}, item {n}") for n, each in enumerate(row["checklist"]))
        rooms = tuple(map(str, row["rooms"]))
        return cls(row["id"], row["scenario"], rooms, row["detailed"], row["concise"], items)

    def to_json(self) -> dict[str, Any]:
        """Write it as it is read."""
        return {
            "id": self.id,
            "scenario": self.scenario,
            "rooms": list(self.rooms),
            "detailed": self.detailed,
            "concise": self.concise,
            "checklist": [
                {
                    "select": dict(item.select),
                    "conditions": [{"kind": c.kind, "value": c.value} for c in item.conditions],
                }
                for item in self.checklist
            ],
        }


def _item(row: object, where: str) -> Item:
    if not isinstance(row, dict) or not isinstance(row.get("select"), dict):
        raise SchemaError(
            f"{where}: no selector", expected='{"select": {...}, "conditions": [...]}'
        )
    known = {"id": str, "type": str, "attribute": str, "inside": str, "any": int}
    select = row["select"]
    if ("id" in select) == ("type" in select) or any(
        key not in known or type(value) is not known[key] for key, value in select.items()
    ):
        raise SchemaError(
            f"{where}: the selector is {select}",
            expected='"id", or "type" with "attribute", "inside" and "any" (a number)',
        )
    conditions = row.get("conditions")
    if not isinstance(conditions, list) or not conditions:
        raise SchemaError(f"{where}: there is no condition", expected="a list of conditions")
    wanted: dict[str, Wanted] = {}
    for each in conditions:
        kind = each.get("kind") if isinstance(each, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            raise SchemaError(f"{where}: the condition {each}", expected=f"a kind of {[*KINDS]}")
        value = each.get("value", True)
        if type(value) is not (str if kind == "position" else bool):
            raise SchemaError(
                f"{where}: the value of {kind} is {value!r}",
                expected="a name" if kind == "position" else "true or false",
            )
        if kind in wanted and wanted[kind].value != value:
            raise SchemaError(f"{where}: contradicts itself about {kind}", expected="one value")
        wanted[kind] = Wanted(kind, value)
    return Item(select, tuple(wanted.values()))


@dataclass(frozen=True)
class Bound:
    """An item in the house of its episode.

    Args:
        objects: The objects that it selects.
        count: How many of them have to be so.
        tests: Kind of a condition to what has to hold of each object.
    """

    item: Item
    objects: tuple[str, ...]
    count: int
    tests: Mapping[str, Mapping[str, Formula]]

    def formula(self, *kinds: str) -> Formula:
        """What has to hold at the end, of conditions of some kinds or of all."""
        chosen = kinds or tuple(self.tests)
        each = [And(tuple(self.tests[kind][name] for kind in chosen)) for name in self.objects]
        ways = [And(way) if len(way) > 1 else way[0] for way in combinations(each, self.count)]
        return Or(tuple(ways)) if len(ways) > 1 else ways[0]

    @cached_property
    def whole(self) -> Formula:
        """What has to hold at the end."""
        return self.formula()

    @cached_property
    def by_kind(self) -> Mapping[str, Formula]:
        """Kind of a condition to what has to hold at the end for it alone."""
        return {kind: self.formula(kind) for kind in self.tests}

    def met(self, holds: Callable[[Formula], bool]) -> bool:
        """Say whether as many objects as asked for are as they have to be."""
        fulfilled = (
            all(holds(test[name]) for test in self.tests.values()) for name in self.objects
        )
        return sum(fulfilled) >= self.count


class Checklist:
    """What has to be the case at the end of an episode.

    Raises:
        UnknownNameError: If it names something that is not in the house.
        InputError: If a selector matches nothing or too much, an object cannot be as it has to,
            items contradict each other, or an item is met at the start.
    """

    def __init__(self, episode: LongActEpisode) -> None:
        self.episode = episode
        self.house: House = house_of(episode.rooms)
        self.items = tuple(self._bind(each) for each in episode.checklist)
        self._check()

    def _check(self) -> None:
        values: dict[tuple[str, str], str | bool] = {}
        for number, bound in enumerate(self.items):
            where = f"{self.episode.id}, item {number}"
            if self.house.holds(self.house.start, bound.whole):
                raise InputError(f"{where} holds at the start", expected="something to do")
            if bound.count < len(bound.objects):
                continue
            for name in bound.objects:
                for each in bound.item.conditions:
                    if values.setdefault((name, each.kind), each.value) != each.value:
                        raise InputError(
                            f"{where} contradicts another about {each.kind} of {name}",
                            expected="items that can be met together",
                        )

    def _bind(self, item: Item) -> Bound:
        select, where = item.select, self.episode.id
        types = self.house.types
        if "id" in select:
            if select["id"] not in types:
                raise UnknownNameError("object", select["id"], types, where=where)
            found = [select["id"]]
        else:
            if select["type"] not in object_types():
                raise UnknownNameError("type", select["type"], object_types(), where=where)
            found = [name for name in types if self._selected(name, select)]
        count = select.get("any", 1)
        if count < 1 or len(found) < count:
            raise InputError(
                f"{where}: {dict(select)} matches {len(found)} objects",
                expected=f"at least {max(count, 1)}",
            )
        if "any" not in select and len(found) > 1:
            raise InputError(
                f"{where}: {dict(select)} matches {len(found)} objects",
                expected="one object",
                mend='say "any": 1 if any of them will do',
            )
        tests = {c.kind: {name: self._test(name, c) for name in found} for c in item.conditions}
        return Bound(item, tuple(found), count, tests)

    def _selected(self, name: str, select: Mapping[str, Any]) -> bool:
        if self.house.types[name] != select["type"]:
            return False
        start = self.house.start
        if "attribute" in select and not self.house.holds(start, (select["attribute"], name)):
            return False
        around = select.get("inside")
        return around is None or any(
            self.house.holds(start, ("inside", name, other)) for other in self._named(around, name)
        )

    def _named(self, word: str, name: str) -> Sequence[str]:
        """Objects of a name or a type, other than one."""
        if word in self.house.types:
            return (word,)
        found = [each for each, kind in self.house.types.items() if kind == word and each != name]
        if not found:
            raise UnknownNameError("object or type", word, self.house.types, where=self.episode.id)
        return found

    def _test(self, name: str, wanted: Wanted) -> Formula:
        if wanted.kind == "position":
            receptacles = self._named(str(wanted.value), name)
            needs, atoms = "pickupable", tuple(Atom("inside", (name, each)) for each in receptacles)
            formula: Formula = atoms[0] if len(atoms) == 1 else Or(atoms)
        else:
            needs = _NEEDS.get(wanted.kind, "has_switch")
            atom = Atom(wanted.kind, (name,))
            formula = atom if wanted.value else Not(atom)
        if not self.house.holds(self.house.start, (needs, name)):
            raise InputError(
                f"{self.episode.id}: {name} cannot be brought to {wanted.kind}",
                expected=f"an object that is {needs.replace('_', ' ')}",
            )
        return formula

    def goal(self) -> Formula:
        """All items, as what holds from some moment on to the end."""
        return And(tuple(Eventually(Always(bound.whole)) for bound in self.items))


def read_episodes(path: str | Path) -> tuple[LongActEpisode, ...]:
    """Read episodes: a JSON list, in files of their own or one file, compressed or not.

    Args:
        path: A file ``.json`` or ``.json.gz``, or a folder of such files.

    Raises:
        SchemaError: If a file is no JSON, has another shape, or a name stands twice.
        InputError: If there is no such file.
    """
    start = Path(path)
    files = sorted(start.glob("*.json*")) if start.is_dir() else [start]
    if not files or not all(file.is_file() for file in files):
        raise InputError(f"{start}: no episodes", expected="a file or folder of .json or .json.gz")
    found: list[LongActEpisode] = []
    for file in files:
        packed = file.read_bytes()
        try:
            text = gzip.decompress(packed) if file.suffix == ".gz" else packed
            rows = json.loads(text)
        except (OSError, EOFError, ValueError) as error:
            raise SchemaError(f"{file}: {error}", expected="a list of episodes as JSON") from error
        found += _episodes(rows, str(file))
    return _distinct(found)


def _episodes(rows: object, where: str) -> Iterator[LongActEpisode]:
    if not isinstance(rows, list):
        raise SchemaError(f"{where}: {type(rows).__name__}", expected="a list of episodes")
    yield from (LongActEpisode.from_json(row, where=where) for row in rows)


def _distinct(found: Iterable[LongActEpisode]) -> tuple[LongActEpisode, ...]:
    kept = tuple(found)
    for name, times in Counter(each.id for each in kept).items():
        if times > 1:
            raise SchemaError(f"{times} episodes are called {name!r}", expected="one")
    return kept


def write_episodes(episodes: Iterable[LongActEpisode]) -> bytes:
    """Write episodes as they ship: the same episodes give the same bytes."""
    rows = [json.dumps(each.to_json(), separators=(",", ":")) for each in episodes]
    return gzip.compress(("[" + ",\n".join(rows) + "]\n").encode(), mtime=0)


@cache
def shipped_episodes() -> tuple[LongActEpisode, ...]:
    """The 300 episodes that ship (read once)."""
    packed = resources.files("eai.data.tasks.longact").joinpath("episodes.json.gz").read_bytes()
    return _distinct(_episodes(json.loads(gzip.decompress(packed)), "episodes.json.gz"))
