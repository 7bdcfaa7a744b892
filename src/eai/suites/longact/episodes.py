"""Episodes of LongAct: a house, an instruction in two wordings, and a checklist of items.

An item names objects and the conditions that they have to meet at the end. The format is this
package's own: none was published.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import combinations, product
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from eai.errors import InputError, SchemaError, UnknownNameError, check_name
from eai.logic import Always, And, Atom, Eventually, Formula, Not, Or
from eai.nesting import load_unambiguous_json
from eai.simulators.thor.houses import House, house_of
from eai.simulators.thor.scenes import object_types
from eai.suites.shared.documents import SuiteDocument, Text, parse_document

Scenario = Literal["tidy", "work", "rest", "dine"]
SCENARIOS = get_args(Scenario)
"""Cleaning and tidying; work and study; rest and entertainment; dining and kitchen."""

WORDINGS = ("detailed", "concise")
"""Wordings of an instruction."""

_LASTING = ("sliced", "cooked", "filled")
"""States that no action undoes."""
_TOOLS = {
    "sliced": ("Knife", "ButterKnife"),
    "cooked": ("Microwave", "StoveBurner", "Toaster"),
}
"""Lasting state to the types of objects one of which brings it about."""
_NEEDS = {"open": "openable", "sliced": "sliceable", "cooked": "cookable", "filled": "fillable"}
"""Kind of a condition to the property without which no object can meet it."""


class Wanted(SuiteDocument):
    """A condition that an object has to meet at the end."""

    kind: Literal["position", "on", "open", "sliced", "cooked", "filled"]
    value: str | bool = Field(
        default=True,
        description="Of a position the object, or the type of objects, that it is to be in or on; "
        "otherwise whether it is to be so.",
    )

    @model_validator(mode="after")
    def _of_its_kind(self) -> Wanted:
        """Check that the value is a name for a position, and true or false for a state."""
        if isinstance(self.value, str) != (self.kind == "position"):
            expected = "a name" if self.kind == "position" else "true or false"
            raise ValueError(f"the value of {self.kind} is {self.value!r}, not {expected}")
        return self


class Selector(SuiteDocument):
    """A selection of objects: exactly one, unless ``any`` gives the number of objects to use."""

    id: Text | None = Field(default=None, description="Name of the object.")
    type: Text | None = Field(default=None, description="Their type, if not the name.")
    attribute: Text | None = Field(default=None, description="A property at the start.")
    inside: Text | None = Field(default=None, description="An object or type they are in or on.")
    any: Annotated[int, Field(ge=1)] | None = Field(default=None, description="So many of them.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Selector:
        """Check that objects are selected either by name or by type."""
        if (self.id is None) == (self.type is None):
            raise ValueError("a selector has either an id or a type")
        return self

    def __str__(self) -> str:
        return str(self.model_dump(exclude_none=True))


class ChecklistEntry(SuiteDocument):
    """One entry of a checklist."""

    select: Selector
    conditions: Annotated[tuple[Wanted, ...], Field(strict=False, min_length=1)]

    @model_validator(mode="after")
    def _consistent(self) -> ChecklistEntry:
        """Check that no condition is required with two different values."""
        values: dict[str, str | bool] = {}
        for wanted in self.conditions:
            if values.setdefault(wanted.kind, wanted.value) != wanted.value:
                raise ValueError(f"the item contradicts itself about {wanted.kind}")
        return self


class LongActEpisode(SuiteDocument):
    """One episode."""

    id: Text = Field(description='Its name ("tidy-017").')
    scenario: Scenario
    rooms: Annotated[
        tuple[Text, ...],
        Field(strict=False, min_length=1, description="Recorded rooms, from west to east."),
    ]
    detailed: Text = Field(description="The instruction, object by object.")
    concise: Text = Field(description="The same intent in few words.")
    checklist: Annotated[tuple[ChecklistEntry, ...], Field(strict=False, min_length=1)]


@dataclass(frozen=True)
class Bound:
    """An item of a checklist with the objects of a house that it is about.

    Args:
        objects: Names of the objects that match the selector.
        count: Number of objects that have to meet the conditions.
        tests: Kind of a condition to the formula of each object.
    """

    item: ChecklistEntry
    objects: tuple[str, ...]
    count: int
    tests: Mapping[str, Mapping[str, Formula]]

    def formula(self, *kinds: str) -> Formula:
        """Return the formula that must hold at the end.

        It is the disjunction over all choices of :attr:`count` objects.

        Args:
            kinds: Kinds of conditions that count; by default all.
        """
        counted_kinds = kinds or tuple(self.tests)
        conditions_of_objects: list[Formula] = []
        for name in self.objects:
            conditions_of_objects.append(
                And(tuple(self.tests[kind][name] for kind in counted_kinds))
            )
        choices: list[Formula] = []
        # "Two of three mugs on the table": a and b, a and c, or b and c.
        for choice in combinations(conditions_of_objects, self.count):
            choices.append(And(choice) if len(choice) > 1 else choice[0])
        return _any_of(choices)

    @cached_property
    def whole(self) -> Formula:
        """The formula that has to hold at the end."""
        return self.formula()

    @cached_property
    def by_kind(self) -> Mapping[str, Formula]:
        """Kind of a condition to the formula that has to hold at the end for it alone."""
        return {kind: self.formula(kind) for kind in self.tests}

    def met(self, holds: Callable[[Formula], bool]) -> bool:
        """Return whether the required number of objects satisfies all conditions.

        Args:
            holds: Evaluates a formula.
        """
        # Counted, as the number of object choices is a binomial coefficient.
        fulfilled = 0
        for name in self.objects:
            fulfilled += all(holds(formulas[name]) for formulas in self.tests.values())
        return fulfilled >= self.count


class Checklist:
    """The items of an episode with the objects of its house that they are about.

    Args:
        episode: The episode.

    Raises:
        UnknownNameError: If an item names something that is not in the house.
        InputError: If a selector matches no object or too many, an object cannot meet its
            conditions, items contradict each other, or an item is met at the start.
    """

    def __init__(self, episode: LongActEpisode) -> None:
        """Find the objects of each item, and refuse items that cannot be satisfied."""
        self.episode = episode
        self.house: House = house_of(episode.rooms)
        items = []
        for number, item in enumerate(episode.checklist):
            items.append(self._bind(item, f"{episode.id}, item {number}"))
        self.items = tuple(items)
        self._refuse_done_or_contradictory()

    def _refuse_done_or_contradictory(self) -> None:
        """Refuse items that hold at the start, and pairs of items that exclude each other."""
        # The value that items ask for, by object and kind of condition.
        wanted_values: dict[tuple[str, str], str | bool] = {}
        for item_index, bound in enumerate(self.items):
            where = f"{self.episode.id}, item {item_index}"
            if self.house.holds(self.house.start, bound.whole):
                raise InputError(f"{where} holds at the start", expected="something to do")
            # An item that any of several objects can satisfy excludes no other item.
            if bound.count < len(bound.objects):
                continue
            for name, wanted in product(bound.objects, bound.item.conditions):
                first_value = wanted_values.setdefault((name, wanted.kind), wanted.value)
                if first_value != wanted.value:
                    raise InputError(
                        f"{where} contradicts another item about the {wanted.kind} of {name}",
                        expected="items that can be met together",
                    )

    def _bind(self, item: ChecklistEntry, where: str) -> Bound:
        """Return an item with its objects, all of which are able to satisfy its conditions.

        Raises:
            UnknownNameError: If it names something that is not in the house.
            InputError: If it matches no object or too many, or too few of the objects can meet its
                conditions.
        """
        objects = self._select(item.select, where)
        _refuse_ambiguous(item.select, len(objects), where)
        count = item.select.any or 1
        # The formulas of each kind of condition, one for each object.
        tests: dict[str, Mapping[str, Formula]] = {}
        for wanted in item.conditions:
            tests[wanted.kind] = {name: self._test(name, wanted, where) for name in objects}
        obstacles: list[str] = []
        for name in objects:
            obstacle = self._obstacle(name, item.conditions, where)
            if obstacle:
                obstacles.append(obstacle)
        # If any of several objects will do, only that many have to be able to.
        if len(objects) - len(obstacles) < count:
            raise InputError(
                obstacles[0],
                where=where,
                expected="something that can be brought about in this house",
            )
        return Bound(item, tuple(objects), count, tests)

    def _select(self, select: Selector, where: str) -> list[str]:
        """Return the names of the objects that match a selector, in the order of the house.

        Raises:
            UnknownNameError: If it names something that is not in the house.
        """
        types = self.house.types
        if select.id is not None:
            check_name("object", select.id, types, where=where)
        else:
            check_name("type", str(select.type), object_types(), where=where)
        selected = []
        for name, object_type in types.items():
            # A selector has either an identifier or a type.
            is_named = name == select.id or object_type == select.type
            if is_named and self._is_as_selected(name, select, where):
                selected.append(name)
        return selected

    def _is_as_selected(self, name: str, select: Selector, where: str) -> bool:
        """Return whether an object has the attribute and the location of a selector.

        Args:
            name: The object.
            select: The selector.
            where: Location for error messages.
        """
        # A selector is about the start, not about where an object ends.
        holds = self.house.holds
        start = self.house.start
        if select.attribute is not None and not holds(start, (select.attribute, name)):
            return False
        if select.inside is None:
            return True
        containers = self._objects_named(select.inside, name, where)
        return any(holds(start, ("inside", name, container)) for container in containers)

    def _objects_named(self, word: str, name: str, where: str) -> Sequence[str]:
        """Return the object with a name, or all objects of a type except one.

        Args:
            word: Name of an object, or a type.
            name: The object that is left out: it cannot be in itself.
            where: Location for error messages.

        Raises:
            InputError: If the object that is left out is the only one of its type.
            UnknownNameError: If there is no such object and no such type.
        """
        types = self.house.types
        if word in types:
            return (word,)
        objects = [item for item, kind in types.items() if kind == word and item != name]
        if objects:
            return objects
        if types[name] == word:
            raise InputError(f"{name} is the only {word}, and cannot be in itself", where=where)
        candidates = self._receptacles
        if "_" not in word:  # names of objects have an underscore
            candidates = sorted({types[receptacle] for receptacle in candidates})
        raise UnknownNameError("object or type", word, candidates, where=where)

    @cached_property
    def _receptacles(self) -> Sequence[str]:
        """Names of the objects that others can be in or on."""
        holds, start = self.house.holds, self.house.start
        return [name for name in self.house.types if holds(start, ("receptacle", name))]

    def _obstacle(self, name: str, conditions: Iterable[Wanted], where: str) -> str:
        """Return the reason why an object cannot satisfy some conditions, or "".

        Args:
            name: The object.
            conditions: The conditions.
            where: Location for error messages.
        """
        for condition in conditions:
            if condition.kind == "position":
                receptacles = self._objects_named(str(condition.value), name, where)
                # One receptacle that takes the object is enough.
                if not any(self._can_be_in(name, box, frozenset()) for box in receptacles):
                    return f"{name} cannot be put in or on {condition.value}"
            elif condition.kind in _LASTING:
                reason = self._obstacle_to_change(name, condition)
                if reason:
                    return reason
        return ""

    def _obstacle_to_change(self, name: str, wanted: Wanted) -> str:
        """Return the reason why an object cannot get a lasting state, or ""."""
        start, types = self.house.start, self.house.types
        if self.house.holds(start, (wanted.kind, name)) is wanted.value:
            return ""
        if not wanted.value:
            return f"no action undoes that {name} is {wanted.kind}"
        if wanted.kind == "filled":
            return self._obstacle_to_fill(name)
        # Any one of the tools will do.
        tools = _TOOLS[wanted.kind]
        if not set(tools).intersection(types.values()):
            tool = " or ".join(tools)
            return f"{name} cannot become {wanted.kind}: there is no {tool} in the house"
        return ""

    def _obstacle_to_fill(self, name: str) -> str:
        """Return the reason why an object cannot be filled, or "".

        A tap fills whatever is below it; a coffee machine fills mugs.
        """
        start, types = self.house.start, self.house.types
        fillers: list[str] = []
        for tap in types:
            fillers += start.related("waters", tap)
        # Other objects do not fit into a coffee machine.
        if types[name] == "Mug":
            fillers += [machine for machine, kind in types.items() if kind == "CoffeeMachine"]
        if not fillers:
            return f"{name} cannot become filled: there is no basin with a tap in the house"
        if not any(self._can_be_in(name, filler, frozenset()) for filler in fillers):
            return f"{name} cannot become filled: it cannot be put under a tap"
        return ""

    def _can_be_in(self, name: str, around: str, carried: frozenset[str]) -> bool:
        """Return whether an object is, or can be put, in another one, perhaps inside a third.

        A plate with an apple on it can be put into a fridge, so the apple can. The search goes
        through everything that accepts the object; each object is carried only once.

        Args:
            name: The object.
            around: The other object.
            carried: Objects that are carried with it already.
        """
        start, holds = self.house.start, self.house.holds
        if holds(start, ("inside", name, around)):
            return True
        if name == around or not holds(start, ("pickupable", name)):
            return False
        carried_with_name = carried | {name}
        for container in start.related("accepted", name):
            if container in carried_with_name:
                continue
            if container == around or self._can_be_in(container, around, carried_with_name):
                return True
        return False

    def _test(self, name: str, wanted: Wanted, where: str) -> Formula:
        """Return the formula of a condition on one object.

        Args:
            name: The object.
            wanted: The condition.
            where: Location for error messages.

        Raises:
            InputError: If no object of its type can meet the condition.
        """
        if wanted.kind == "position":
            ability = "pickupable"
            receptacles = self._objects_named(str(wanted.value), name, where)
            formula = _any_of([Atom("inside", (name, receptacle)) for receptacle in receptacles])
        else:
            ability = _NEEDS.get(wanted.kind, "has_switch")
            formula = Atom(wanted.kind, (name,))
            if not wanted.value:
                formula = Not(formula)
        # The abilities of an object never change, so those at the start are tested.
        if not self.house.holds(self.house.start, (ability, name)):
            raise InputError(
                f"{where}: {name} cannot become {wanted.kind}",
                expected=f"an object that is {ability.replace('_', ' ')}",
            )
        return formula

    def goal(self) -> Formula:
        """Return the goal: each item holds from some position on to the end."""
        # Only the end counts, not conditions that are undone again.
        return And(tuple(Eventually(Always(bound.whole)) for bound in self.items))


def _any_of(options: Sequence[Formula]) -> Formula:
    """Return the disjunction of some formulas; a single one stays as it is."""
    if len(options) == 1:
        return options[0]
    return Or(tuple(options))


def _refuse_ambiguous(select: Selector, matches: int, where: str) -> None:
    """Refuse a selector with too few matches, or with several where one is meant.

    Args:
        select: The selector.
        matches: Number of objects that it matches.
        where: Location for error messages.

    Raises:
        InputError: With the number of objects that were expected.
    """
    if select.any is None:
        is_unclear = matches != 1
        expected = "one object"
    else:
        is_unclear = matches < select.any
        expected = f"at least {select.any}"
    if not is_unclear:
        return
    # Without a match, no other number would help.
    hint = None
    if matches:
        hint = 'say "any": 1 if any of them will do'
    raise InputError(f"{where}: {select} matches {matches} objects", expected=expected, mend=hint)


def read_episodes(path: str | Path) -> tuple[LongActEpisode, ...]:
    """Return episodes read from JSON lists in one file or several, compressed or not.

    Args:
        path: A file ``.json`` or ``.json.gz``, or a folder of such files.

    Raises:
        SchemaError: If a file is not JSON, has another shape, or a name stands twice.
        InputError: If there is no such file.
    """
    start = Path(path)
    files = sorted(start.glob("*.json*")) if start.is_dir() else [start]
    if not files or not all(file.is_file() for file in files):
        raise InputError(f"{start}: no episodes", expected="a file or folder of .json or .json.gz")
    episodes: list[LongActEpisode] = []
    for file in files:
        episodes += _episodes(file.read_bytes(), str(file))
    return distinct(episodes)


def _episodes(data: bytes, where: str) -> list[LongActEpisode]:
    """Return the episodes of one file, in its order."""
    try:
        text = gzip.decompress(data) if where.endswith(".gz") else data
        rows = load_unambiguous_json(text)
    except (OSError, EOFError, ValueError) as error:
        raise SchemaError(f"{where}: {error}", expected="a list of episodes as JSON") from error
    if not isinstance(rows, list):
        raise SchemaError(f"{where}: {type(rows).__name__}", expected="a list of episodes")
    episodes = []
    for number, row in enumerate(rows):
        episodes.append(parse_document(LongActEpisode, row, where=f"{where}, episode {number}"))
    return episodes


def distinct(episodes: Iterable[LongActEpisode]) -> tuple[LongActEpisode, ...]:
    """Return the episodes unchanged; raise an error if two have the same name.

    Raises:
        SchemaError: If two have the same name.
    """
    unique = tuple(episodes)
    for name, times in Counter(episode.id for episode in unique).items():
        if times > 1:
            raise SchemaError(f"{times} episodes are called {name!r}", expected="one")
    return unique


def write_episodes(episodes: Iterable[LongActEpisode]) -> bytes:
    """Return the bytes of a file of episodes. Equal episodes give equal bytes."""
    rows = []
    for episode in episodes:
        row = episode.model_dump(mode="json", exclude_none=True)
        rows.append(json.dumps(row, separators=(",", ":")))
    # Without a time of writing, which would make every file another one.
    return gzip.compress(("[" + ",\n".join(rows) + "]\n").encode(), mtime=0)


@cache
def shipped_episodes() -> tuple[LongActEpisode, ...]:
    """Return the 300 episodes that ship; they are read once."""
    file = resources.files("eai.data.tasks.longact").joinpath("episodes.json.gz")
    return distinct(_episodes(file.read_bytes(), file.name))
