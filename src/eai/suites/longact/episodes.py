"""Episodes of LongAct: a house, an instruction in two wordings, and a checklist of items.

An item names objects and how they have to be at the end. The format is this package's own: none
was published.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from eai.errors import InputError, SchemaError, UnknownNameError, check_name
from eai.logic import Always, And, Atom, Eventually, Formula, Not, Or
from eai.nesting import load_json
from eai.simulators.thor.houses import House, house_of
from eai.simulators.thor.scenes import object_types
from eai.suites.shared.documents import Document, Text, parse_document

Scenario = Literal["tidy", "work", "rest", "dine"]
SCENARIOS = get_args(Scenario)
"""Cleaning and tidying; work and study; rest and entertainment; dining and kitchen."""

WORDINGS = ("detailed", "concise")
"""How an instruction is worded."""

_LASTING = ("sliced", "cooked", "filled")
"""States that no action undoes."""
_TOOLS = {
    "sliced": ("Knife", "ButterKnife"),
    "cooked": ("Microwave", "StoveBurner", "Toaster"),
}
"""Lasting state to the types of objects that it takes one of."""
_NEEDS = {"open": "openable", "sliced": "sliceable", "cooked": "cookable", "filled": "fillable"}


class Wanted(Document):
    """How an object has to be at the end."""

    kind: Literal["position", "on", "open", "sliced", "cooked", "filled"]
    value: str | bool = Field(
        default=True,
        description="Of a position the object, or the type of objects, that it is to be in or on; "
        "otherwise whether it is to be so.",
    )

    @model_validator(mode="after")
    def _of_its_kind(self) -> Wanted:
        if isinstance(self.value, str) != (self.kind == "position"):
            expected = "a name" if self.kind == "position" else "true or false"
            raise ValueError(f"the value of {self.kind} is {self.value!r}, not {expected}")
        return self


class Selector(Document):
    """Which objects an item is about: one, unless it says how many of them will do."""

    id: Text | None = Field(default=None, description="Name of the object.")
    type: Text | None = Field(default=None, description="Their type, if not the name.")
    attribute: Text | None = Field(default=None, description="A property at the start.")
    inside: Text | None = Field(default=None, description="An object or type they are in or on.")
    any: Annotated[int, Field(ge=1)] | None = Field(default=None, description="So many of them.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Selector:
        if (self.id is None) == (self.type is None):
            raise ValueError("a selector has either an id or a type")
        return self

    def __str__(self) -> str:
        return str(self.model_dump(exclude_none=True))


class Item(Document):
    """One entry of a checklist."""

    select: Selector
    conditions: Annotated[tuple[Wanted, ...], Field(strict=False, min_length=1)]

    @model_validator(mode="after")
    def _consistent(self) -> Item:
        kinds = Counter(kind for kind, _ in {(each.kind, each.value) for each in self.conditions})
        for kind, number in kinds.items():
            if number > 1:
                raise ValueError(f"the item contradicts itself about {kind}")
        return self


class LongActEpisode(Document):
    """One episode."""

    id: Text = Field(description='Its name ("tidy-017").')
    scenario: Scenario
    rooms: Annotated[
        tuple[Text, ...],
        Field(strict=False, min_length=1, description="Recorded rooms, from west to east."),
    ]
    detailed: Text = Field(description="The instruction, object by object.")
    concise: Text = Field(description="The same intent in few words.")
    checklist: Annotated[tuple[Item, ...], Field(strict=False, min_length=1)]


@dataclass(frozen=True)
class Bound:
    """An item in the house of its episode.

    Args:
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
        self.items = tuple(
            self._bind(each, f"{episode.id}, item {number}")
            for number, each in enumerate(episode.checklist)
        )
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
                            f"{where} contradicts another item about the {each.kind} of {name}",
                            expected="items that can be met together",
                        )

    def _bind(self, item: Item, where: str) -> Bound:
        select = item.select
        known = self.house.types if select.id else object_types()
        wanted, kind = (select.id, "object") if select.id else (str(select.type), "type")
        check_name(kind, wanted, known, where=where)
        start, holds, found = self.house.start, self.house.holds, list[str]()
        for name, of in self.house.types.items():
            if select.id != name and select.type != of:
                continue
            if select.attribute is not None and not holds(start, (select.attribute, name)):
                continue
            around = [] if select.inside is None else self._named(select.inside, name, where)
            if not select.inside or any(holds(start, ("inside", name, each)) for each in around):
                found.append(name)
        count = select.any or 1
        if len(found) < count or (select.any is None and len(found) > 1):
            raise InputError(
                f"{where}: {select} matches {len(found)} objects",
                expected=f"at least {count}" if select.any else "one object",
                mend='say "any": 1 if any of them will do' if found else None,
            )
        tests: dict[str, Mapping[str, Formula]] = {
            each.kind: {name: self._test(name, each, where) for name in found}
            for each in item.conditions
        }
        obstacles = [self._obstacle(name, item.conditions, where) for name in found]
        if obstacles.count("") < count:
            raise InputError(
                next(filter(None, obstacles)),
                where=where,
                expected="something that can be brought about in this house",
            )
        return Bound(item, tuple(found), count, tests)

    def _named(self, word: str, name: str, where: str) -> Sequence[str]:
        """Objects of a name or a type, other than one."""
        types = self.house.types
        if word in types:
            return (word,)
        found = [each for each, kind in types.items() if kind == word and each != name]
        if not found and types[name] == word:
            raise InputError(f"{name} is the only {word}, and cannot be in itself", where=where)
        if not found:
            known = self._receptacles
            if "_" not in word:
                known = sorted({types[each] for each in known})
            raise UnknownNameError("object or type", word, known, where=where)
        return found

    @cached_property
    def _receptacles(self) -> Sequence[str]:
        holds, start = self.house.holds, self.house.start
        return [name for name in self.house.types if holds(start, ("receptacle", name))]

    def _obstacle(self, name: str, conditions: Iterable[Wanted], where: str) -> str:
        """Say why nothing brings an object into some conditions; empty if something may."""
        for wanted in conditions:
            if wanted.kind == "position":
                receptacles = self._named(str(wanted.value), name, where)
                if not any(self._can_be_in(name, each, frozenset()) for each in receptacles):
                    return f"{name} cannot be put in or on {wanted.value}"
            elif wanted.kind in _LASTING:
                reason = self._obstacle_to_change(name, wanted)
                if reason:
                    return reason
        return ""

    def _obstacle_to_change(self, name: str, wanted: Wanted) -> str:
        """Say why nothing changes a lasting state of an object as it is wanted."""
        start, types = self.house.start, self.house.types
        if self.house.holds(start, (wanted.kind, name)) is wanted.value:
            return ""
        if not wanted.value:
            return f"no action undoes that {name} is {wanted.kind}"
        if wanted.kind == "filled":
            return self._obstacle_to_fill(name)
        tools = _TOOLS[wanted.kind]
        if not set(tools).intersection(types.values()):
            tool = " or ".join(tools)
            return f"{name} cannot become {wanted.kind}: there is no {tool} in the house"
        return ""

    def _obstacle_to_fill(self, name: str) -> str:
        """Say why nothing fills an object: a tap does, and a mug a coffee machine, too."""
        start, types = self.house.start, self.house.types
        fillers = [basin for tap in types for basin in start.related("waters", tap)]
        if types[name] == "Mug":
            fillers += [each for each, kind in types.items() if kind == "CoffeeMachine"]
        if not fillers:
            return f"{name} cannot become filled: there is no basin with a tap in the house"
        if not any(self._can_be_in(name, each, frozenset()) for each in fillers):
            return f"{name} cannot become filled: it cannot be put under a tap"
        return ""

    def _can_be_in(self, name: str, around: str, carried: frozenset[str]) -> bool:
        """Whether an object is in another one, or may be put there, perhaps in something else."""
        start, holds = self.house.start, self.house.holds
        if holds(start, ("inside", name, around)):
            return True
        if name == around or not holds(start, ("pickupable", name)):
            return False
        carried |= {name}
        return any(
            each == around or self._can_be_in(each, around, carried)
            for each in start.related("accepted", name)
            if each not in carried
        )

    def _test(self, name: str, wanted: Wanted, where: str) -> Formula:
        if wanted.kind == "position":
            receptacles = self._named(str(wanted.value), name, where)
            needs, atoms = "pickupable", tuple(Atom("inside", (name, each)) for each in receptacles)
            formula: Formula = atoms[0] if len(atoms) == 1 else Or(atoms)
        else:
            needs = _NEEDS.get(wanted.kind, "has_switch")
            atom = Atom(wanted.kind, (name,))
            formula = atom if wanted.value else Not(atom)
        if not self.house.holds(self.house.start, (needs, name)):
            raise InputError(
                f"{where}: {name} cannot become {wanted.kind}",
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
    return distinct([one for file in files for one in _episodes(file.read_bytes(), str(file))])


def _episodes(data: bytes, where: str) -> list[LongActEpisode]:
    try:
        rows = load_json(gzip.decompress(data) if where.endswith(".gz") else data)
    except (OSError, EOFError, ValueError) as error:
        raise SchemaError(f"{where}: {error}", expected="a list of episodes as JSON") from error
    if not isinstance(rows, list):
        raise SchemaError(f"{where}: {type(rows).__name__}", expected="a list of episodes")
    return [
        parse_document(LongActEpisode, row, where=f"{where}, episode {number}")
        for number, row in enumerate(rows)
    ]


def distinct(episodes: Iterable[LongActEpisode]) -> tuple[LongActEpisode, ...]:
    """Return episodes that have names of their own."""
    found = tuple(episodes)
    for name, times in Counter(each.id for each in found).items():
        if times > 1:
            raise SchemaError(f"{times} episodes are called {name!r}", expected="one")
    return found


def write_episodes(episodes: Iterable[LongActEpisode]) -> bytes:
    """Write episodes as they ship: the same episodes give the same bytes."""
    rows = [
        json.dumps(each.model_dump(mode="json", exclude_none=True), separators=(",", ":"))
        for each in episodes
    ]
    return gzip.compress(("[" + ",\n".join(rows) + "]\n").encode(), mtime=0)


@cache
def shipped_episodes() -> tuple[LongActEpisode, ...]:
    """The 300 episodes that ship (read once)."""
    file = resources.files("eai.data.tasks.longact").joinpath("episodes.json.gz")
    return distinct(_episodes(file.read_bytes(), file.name))
