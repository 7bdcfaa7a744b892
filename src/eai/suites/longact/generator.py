"""Makes episodes: goals over what is in a house, in two wordings, each proved solvable.

How the official episodes were made is published in outline only (a language model proposes, people
write and verify); this is a way of our own. The same seed gives the same episodes.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from eai.acting import run_episode
from eai.data import read_json
from eai.errors import InputError
from eai.simulators import engine_accepts
from eai.simulators.thor.houses import House, HouseEnvironment, house_of
from eai.suites.longact.acting import episode_rules
from eai.suites.longact.episodes import (
    SCENARIOS,
    Checklist,
    Item,
    LongActEpisode,
    Scenario,
    Selector,
    Wanted,
)
from eai.suites.longact.oracle import Oracle
from eai.text import with_article

GOALS = (7, 8, 9, 10, 11)
"""How many items the episodes of a scenario have, in turn: 9 in the mean, as published."""
_SHARED = 2  # so many episodes take place in a house
_TRIES = 60
_ALIKE = 2  # so many items of an episode may be about things of one type


@cache
def _tables() -> Mapping[str, Any]:
    """What scenarios ask for, and how it is worded: ``tasks/longact/goals.json``.

    Of a scenario the opening of its instructions; how often a kind of goal is drawn; types of
    objects with the types that they are put in or on; types that are switched and opened.
    """
    return read_json("tasks/longact/goals.json")


@dataclass(frozen=True, slots=True)
class _Goal:
    item: Item
    objects: frozenset[str]
    verb: str
    what: str
    kind: str
    to: str = ""


def generate_episodes(n: int = 75, *, seed: int = 0) -> Iterator[LongActEpisode]:
    """Make so many episodes of every scenario.

    Args:
        n: How many of each of the four.
        seed: With the same seed they are the same.

    Yields:
        The episodes; the oracle solves each of them.

    Raises:
        InputError: If the number is not positive, or no solvable episode is found.
    """
    if n < 1:
        raise InputError(f"{n} episodes", expected="a whole number from 1")
    for at, scenario in enumerate(SCENARIOS):
        for i in range(n):
            number = at * n + i
            dice = random.Random(f"{seed}/house/{number // _SHARED}")  # noqa: S311
            rooms: list[str] = []
            for base, least in ((0, 1), (200, 1), (300, 1), (400, 1)):
                count = least + (base in (200, 300) and dice.random() < 0.5)
                rooms += (f"FloorPlan{base + k}" for k in dice.sample(range(1, 31), count))
            dice.shuffle(rooms)
            goals = GOALS[i % len(GOALS)]
            yield _episode(f"{scenario}-{i:03d}", scenario, tuple(rooms), goals, seed)


def _episode(
    name: str, scenario: Scenario, rooms: tuple[str, ...], goals: int, seed: int
) -> LongActEpisode:
    house = house_of(rooms)
    for attempt in range(_TRIES):
        dice = random.Random(f"{seed}/{name}/{attempt}")  # noqa: S311
        chosen = _goals(house, scenario, goals, dice)
        if len(chosen) < goals:
            continue
        detailed, concise = _worded(scenario, chosen, dice)
        items = tuple(goal.item for goal in chosen)
        made = LongActEpisode(
            id=name,
            scenario=scenario,
            rooms=rooms,
            detailed=detailed,
            concise=concise,
            checklist=items,
        )
        with suppress(InputError):  # items may ask for what cannot be had together
            if solved(Checklist(made)):
                return made
    raise InputError(f"no solvable episode {name} was found", mend="take another seed")


def solved(checklist: Checklist) -> bool:
    """Whether the oracle solves it."""
    environment = HouseEnvironment(checklist.house)
    environment.observing = False
    rules = episode_rules(checklist, "", briefed=False)
    return run_episode(environment, Oracle(checklist, environment), rules=rules).success


def _goals(house: House, scenario: str, goals: int, dice: random.Random) -> list[_Goal]:
    plan, chosen, taken = _tables()["scenarios"][scenario], list[_Goal](), set[str]()
    types = Counter[str]()
    kinds = ["slice"] if scenario == "dine" else []  # every meal has a step that is not undone
    for _ in range(200):
        if len(chosen) == goals:
            break
        kind = kinds.pop() if kinds else dice.choice(list(Counter(plan["kinds"]).elements()))
        goal = _drawn(house, plan, kind, dice)
        if goal is None or goal.objects & taken or types[goal.kind] == _ALIKE:
            continue
        drawn = LongActEpisode.model_construct(id="", rooms=house.names, checklist=(goal.item,))
        try:
            Checklist(drawn)
        except InputError:  # it cannot be brought about, or holds already
            continue
        taken |= goal.objects
        types[goal.kind] += 1
        chosen.append(goal)
    return chosen


def _drawn(house: House, plan: Mapping[str, Any], kind: str, dice: random.Random) -> _Goal | None:
    to, verb = "", kind
    if kind == "put":
        what, receptacles = dice.choice(plan["puts"])
        name, to = dice.choice(what), dice.choice(receptacles)
        if to not in house.types.values() or not engine_accepts(name, to):
            return None
        conditions: tuple[Wanted, ...] = (Wanted(kind="position", value=to),)
    elif kind in ("switch", "open"):
        name = dice.choice(plan["switched" if kind == "switch" else "opened"])
        conditions = (Wanted(kind="on" if kind == "switch" else "open"),)
    elif kind == "cook":
        name, conditions = "Potato", (Wanted(kind="cooked"),)
    else:
        made: Literal["sliced", "filled"] = "sliced" if kind == "slice" else "filled"
        name, conditions = dice.choice(_tables()[made]), (Wanted(kind=made),)
    if kind == "fill":
        to = dice.choice(_tables()["surfaces"])
        if to in house.types.values() and engine_accepts(name, to) and dice.random() < 0.5:
            conditions = (*conditions, Wanted(kind="position", value=to))
        else:
            to = ""
    alike = [each for each, found in house.types.items() if found == name]
    if not alike:
        return None
    one = dice.choice(alike)
    if kind in ("switch", "open"):
        wanted = conditions[0].kind
        verb = {"on": "turn on", "open": "open"}[wanted]
        if house.holds(house.start, (wanted, one)):
            verb = {"on": "turn off", "open": "close"}[wanted]
            conditions = (Wanted(kind=wanted, value=False),)
    select, objects, words = _selector(house, name, one, alike, dice)
    item = Item(select=select, conditions=conditions)
    return _Goal(item, frozenset(objects), verb, words, name, to)


def _selector(
    house: House, kind: str, one: str, alike: Sequence[str], dice: random.Random
) -> tuple[Selector, Sequence[str], str]:
    """Select objects of a type: the only one, one by where it is, any of them, or any two.

    Also returned: the objects that no other item may be about, and how it is worded.
    """
    word, room = _word(kind), _word(house.spots[one].room)
    if len(alike) == 1:
        return Selector(type=kind), alike, f"the {word}"
    place = next((each.place for each in house.scene.objects if each.name == one), "")
    around = house.types.get(place, "")
    if around and around != "Floor" and dice.random() < 0.6:
        receptacles = [name for name, of in house.types.items() if of == around]
        inside = [
            each
            for each in alike
            if any(house.holds(house.start, ("inside", each, name)) for name in receptacles)
        ]
        if inside == [one]:
            words = f"the {word} from the {_word(around)} in the {room}"
            return Selector(type=kind, inside=around), inside, words
    if dice.random() < 0.5:
        here = [each for each in alike if house.spots[each].room == house.spots[one].room]
        return Selector(id=one), [one], f"the {word} in the {room}" + f" ({one})" * (len(here) > 1)
    number = 1 + (dice.random() < 0.3)
    what = f"two {_plural(word)}" if number > 1 else f"one {word}"
    return Selector(type=kind, any=number), [], what


def _word(name: str) -> str:
    """Words of a type or a room: ``"coffee table"``, ``"bedroom 1"``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).replace("TVStand", "TV stand").lower()


def _plural(noun: str) -> str:
    """Words of two or more things: ``"light switches"``, ``"butter knives"``."""
    for ending, plural in (("lf", "lves"), ("fe", "ves")):
        if noun.endswith(ending):
            return noun.removesuffix(ending) + plural
    if noun.endswith("s") and not noun.endswith("ss"):
        return noun  # blinds
    if noun.endswith(("ss", "x", "ch", "sh", "o")):
        return f"{noun}es"
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def _worded(scenario: str, goals: Sequence[_Goal], dice: random.Random) -> tuple[str, str]:
    """The instruction object by object; and by what is meant, without saying all of it."""
    tables, lines = _tables(), []
    opening = tables["scenarios"][scenario]["opening"]
    sort_of = {kind: sort for sort, kinds in tables["sorts"].items() for kind in kinds}
    for goal in goals:
        is_pair = goal.what.startswith("two ")
        to = with_article(_word(goal.to)) if goal.to else ""
        is_put = f" and put in or on {to}" if to else ""
        put_it = f" and put {'them' if is_pair else 'it'} in or on {to}" if to else ""
        wordings = tables["wordings"][goal.verb]
        wording = wordings[0] if is_pair else dice.choice(wordings)
        text = wording.format(what=goal.what, to=to, put_it=put_it, is_put=is_put)
        lines.append(text[0].upper() + text[1:])
    groups: dict[tuple[str, str], list[str]] = {}
    for goal in goals:
        sort = sort_of.get(goal.kind, f"the {_word(goal.kind)}")
        groups.setdefault((goal.verb, goal.to), []).append(sort)
    short = []
    for (verb, to), sorts in groups.items():
        where = f" ({_word(to)})" if to else ""
        *first, last = dict.fromkeys(sorts)
        things = f"{', '.join(first)} and {last}" if first else last
        short.append(f"{verb} {things}{where}")
    return f"{opening} {' '.join(lines)}", f"{opening} In short: {'; '.join(short)}."
