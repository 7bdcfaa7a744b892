"""Generator of episodes: goals about the objects of a house, in two wordings, proved solvable.

How the official episodes were made is published in outline only (a language model proposes, people
write and verify); this is a way of our own. The same seed gives the same episodes, so the order in
which numbers are drawn must stay as it is.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from eai.acting import run_episode
from eai.data import read_json
from eai.errors import InputError
from eai.simulators import engine_accepts
from eai.simulators.thor.houses import House, HouseEnvironment, house_of
from eai.suites.longact.acting import episode_rules
from eai.suites.longact.episodes import (
    SCENARIOS,
    Checklist,
    ChecklistEntry,
    LongActEpisode,
    Scenario,
    Selector,
    Wanted,
)
from eai.suites.longact.oracle import LongActOracle
from eai.text import with_article

GOALS = (7, 8, 9, 10, 11)
"""Numbers of items of the episodes of a scenario, in turn: 9 in the mean, as published."""

_EPISODES_PER_HOUSE = 2

_MAX_ATTEMPTS = 60
"""Maximum number of attempts to find a solvable episode."""

_MAX_DRAWS = 200
"""Maximum number of goals drawn in one attempt."""

_MAX_PER_TYPE = 2
"""Maximum number of items of an episode about objects of one type."""

_TOGGLES = {"switch": ("on", "turn on", "turn off"), "open": ("open", "open", "close")}
"""Kind of goal to the condition, and to the verbs that bring it about and undo it."""


@cache
def _tables() -> Mapping[str, Any]:
    """Return the goals of each scenario and their wordings: ``tasks/longact/goals.json``.

    A scenario has the opening of its instructions; how often a kind of goal is drawn; types of
    objects with the types that they are put in or on; types that are switched and opened.
    """
    return read_json("tasks/longact/goals.json")


@dataclass(frozen=True, slots=True)
class _Goal:
    """One item of an episode, and the parts of its wording.

    Args:
        objects: Objects that no other item may be about.
        verb: Key of its wordings (``"put"``, ``"turn on"``).
        words: The objects in words (``"the mug in the kitchen 1"``).
        kind: Type of the objects.
        to: Type of what they are put in or on, if they are.
    """

    item: ChecklistEntry
    objects: frozenset[str]
    verb: str
    words: str
    kind: str
    to: str = ""


def generate_episodes(n: int = 75, *, seed: int = 0) -> Iterator[LongActEpisode]:
    """Yield new episodes that the oracle solves, equally many for each scenario.

    Args:
        n: Number of episodes of each of the four scenarios.
        seed: Seed of all draws.

    Raises:
        InputError: If the number is not positive, or no solvable episode is found.
    """
    if n < 1:
        raise InputError(f"{n} episodes", expected="a whole number from 1")
    for scenario_index, scenario in enumerate(SCENARIOS):
        for episode_index in range(n):
            # Houses are counted through all scenarios, so two scenarios may share a house.
            house_index = (scenario_index * n + episode_index) // _EPISODES_PER_HOUSE
            rooms = _draw_rooms(random.Random(f"{seed}/house/{house_index}"))  # noqa: S311
            n_goals = GOALS[episode_index % len(GOALS)]
            name = f"{scenario}-{episode_index:03d}"
            yield _solvable_episode(name, scenario, rooms, n_goals, seed)


def _draw_rooms(dice: random.Random) -> tuple[str, ...]:
    """Draw the rooms of a house: a kitchen, a bathroom, and one or two other rooms."""
    rooms: list[str] = []
    # AI2-THOR numbers its rooms by kind, 30 of each: kitchens from 1, living rooms from 201,
    # bedrooms from 301, bathrooms from 401.
    for base in (0, 200, 300, 400):
        count = 1
        if base in (200, 300) and dice.random() < 0.5:
            count = 2
        numbers = dice.sample(range(1, 31), count)
        rooms += [f"FloorPlan{base + number}" for number in numbers]
    dice.shuffle(rooms)
    return tuple(rooms)


def _solvable_episode(
    name: str, scenario: Scenario, rooms: tuple[str, ...], goals: int, seed: int
) -> LongActEpisode:
    """Return a solvable episode with the given number of items.

    Args:
        name: Identifier of the episode.
        scenario: Its scenario.
        rooms: The rooms of its house.
        goals: Number of items.
        seed: Seed of the draw.

    Raises:
        InputError: If none is found.
    """
    # Generate and test: each attempt has its own random numbers, and the oracle must solve it.
    house = house_of(rooms)
    for attempt in range(_MAX_ATTEMPTS):
        dice = random.Random(f"{seed}/{name}/{attempt}")  # noqa: S311
        drawn_goals = _draw_goals(house, scenario, goals, dice)
        if len(drawn_goals) < goals:
            continue
        detailed, concise = _write_instructions(scenario, drawn_goals, dice)
        episode = LongActEpisode(
            id=name,
            scenario=scenario,
            rooms=rooms,
            detailed=detailed,
            concise=concise,
            checklist=tuple(goal.item for goal in drawn_goals),
        )
        with suppress(InputError):  # items may contradict each other
            if solved(Checklist(episode)):
                return episode
    raise InputError(f"no solvable episode {name} was found", mend="take another seed")


def solved(checklist: Checklist) -> bool:
    """Return whether the oracle solves an episode."""
    environment = HouseEnvironment(checklist.house)
    environment.observing = False
    rules = episode_rules(checklist, "", briefed=False)
    return run_episode(environment, LongActOracle(checklist, environment), rules=rules).success


def _draw_goals(house: House, scenario: str, goals: int, dice: random.Random) -> list[_Goal]:
    """Draw the items of an episode. There are fewer than asked for after too many failed draws.

    Args:
        house: The house.
        scenario: Name of the scenario.
        goals: Number of items.
        dice: Source of random numbers.
    """
    plan = _tables()["scenarios"][scenario]
    # Weights become repetitions: {"put": 2, "open": 1} to ["put", "put", "open"].
    weighted_kinds = list(Counter(plan["kinds"]).elements())
    drawn_goals: list[_Goal] = []
    used_objects = set[str]()
    type_counts = Counter[str]()
    # The first goal of a meal is to slice something, which cannot be undone.
    first_kinds = ["slice"] if scenario == "dine" else []
    for _ in range(_MAX_DRAWS):
        if len(drawn_goals) == goals:
            break
        kind = first_kinds.pop() if first_kinds else dice.choice(weighted_kinds)
        goal = _draw_goal(house, plan, kind, dice)
        if goal is None or goal.objects & used_objects:
            continue
        if type_counts[goal.kind] == _MAX_PER_TYPE or not _is_possible(house, goal):
            continue
        used_objects |= goal.objects
        type_counts[goal.kind] += 1
        drawn_goals.append(goal)
    return drawn_goals


def _is_possible(house: House, goal: _Goal) -> bool:
    """Return whether a goal, as the only item of an episode, is neither met nor impossible."""
    episode = LongActEpisode.model_construct(id="", rooms=house.names, checklist=(goal.item,))
    try:
        Checklist(episode)
    except InputError:
        return False
    return True


def _draw_goal(
    house: House, plan: Mapping[str, Any], kind: str, dice: random.Random
) -> _Goal | None:
    """Draw a goal of a kind, or None if the house has no suitable object.

    Args:
        house: The house.
        plan: The objects and kinds of goals of the scenario.
        kind: The kind of goal.
        dice: Source of random numbers.
    """
    draft = _draw_draft(house, plan, kind, dice)
    if draft is None:
        return None
    candidates = [name for name, object_type in house.types.items() if object_type == draft.kind]
    if not candidates:
        return None
    example = dice.choice(candidates)
    # Only toggles have a verb that depends on the state: "open" or "close".
    verb = kind
    conditions = draft.conditions
    if kind in _TOGGLES:
        # The goal is the opposite of the state in which the object is at the start.
        state, verb_on, verb_off = _TOGGLES[kind]
        is_on = house.holds(house.start, (state, example))
        verb = verb_off if is_on else verb_on
        conditions = (Wanted.model_validate({"kind": state, "value": not is_on}),)
    selection = _select_objects(house, draft.kind, example, candidates, dice)
    item = ChecklistEntry(select=selection.selector, conditions=conditions)
    objects = frozenset(selection.objects)
    return _Goal(item, objects, verb, selection.words, draft.kind, draft.to)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A goal whose objects are not chosen yet.

    Args:
        kind: Type of the objects.
        conditions: The conditions; none yet if they depend on the objects.
        to: Type of what they are put in or on, if they are.
    """

    kind: str
    conditions: tuple[Wanted, ...] = ()
    to: str = ""


def _draw_draft(
    house: House, plan: Mapping[str, Any], kind: str, dice: random.Random
) -> _Draft | None:
    """Draw the object type and the conditions of a goal, or None if they do not fit the house.

    Args:
        house: The house.
        plan: The objects and kinds of goals of the scenario.
        kind: The kind of goal.
        dice: Source of random numbers.
    """
    if kind == "put":
        types, receptacles = dice.choice(plan["puts"])
        object_type = dice.choice(types)
        destination = dice.choice(receptacles)
        if not _has_receptacle_for(house, object_type, destination):
            return None
        position = Wanted(kind="position", value=destination)
        return _Draft(object_type, (position,), destination)
    if kind == "switch":
        return _Draft(dice.choice(plan["switched"]))
    if kind == "open":
        return _Draft(dice.choice(plan["opened"]))
    if kind == "cook":
        return _Draft("Potato", (Wanted(kind="cooked"),))
    if kind == "slice":
        return _Draft(dice.choice(_tables()["sliced"]), (Wanted(kind="sliced"),))
    # The last kind is to fill something, and in half of the cases to put it somewhere.
    object_type = dice.choice(_tables()["filled"])
    filled = Wanted(kind="filled")
    destination = dice.choice(_tables()["surfaces"])
    if _has_receptacle_for(house, object_type, destination) and dice.random() < 0.5:
        position = Wanted(kind="position", value=destination)
        return _Draft(object_type, (filled, position), destination)
    return _Draft(object_type, (filled,))


def _has_receptacle_for(house: House, kind: str, receptacle: str) -> bool:
    """Return whether a house has a type of receptacle, and that takes a type of objects."""
    return receptacle in house.types.values() and engine_accepts(kind, receptacle)


@dataclass(frozen=True, slots=True)
class _Selection:
    """A selector, its wording, and the objects that no other item may use."""

    selector: Selector
    objects: Sequence[str]
    words: str


def _select_objects(
    house: House, kind: str, example: str, candidates: Sequence[str], dice: random.Random
) -> _Selection:
    """Select objects of a type: the only one, one at a place, any one, or any two.

    Args:
        house: The house.
        kind: The type.
        example: Object of the type that was drawn.
        candidates: All objects of the type.
        dice: Source of random numbers.
    """
    noun = _word(kind)
    if len(candidates) == 1:
        return _Selection(Selector(type=kind), candidates, f"the {noun}")
    room = house.spots[example].room
    container = _container_type(house, example)
    if container and container != "Floor" and dice.random() < 0.6:
        objects_inside = _objects_inside(house, candidates, container)
        # The container describes the object only if no similar one is in such a container.
        if objects_inside == [example]:
            words = f"the {noun} from the {_word(container)} in the {_word(room)}"
            return _Selection(Selector(type=kind, inside=container), objects_inside, words)
    if dice.random() < 0.5:
        words = f"the {noun} in the {_word(room)}"
        objects_in_room = [name for name in candidates if house.spots[name].room == room]
        if len(objects_in_room) > 1:
            words += f" ({example})"
        return _Selection(Selector(id=example), [example], words)
    # Any object will do, and other items may be about the same objects: none is reserved.
    if dice.random() < 0.3:
        return _Selection(Selector(type=kind, any=2), [], f"two {_plural(noun)}")
    return _Selection(Selector(type=kind, any=1), [], f"one {noun}")


def _container_type(house: House, name: str) -> str:
    """Return the type of what an object is in or on, or "" if there is nothing."""
    for scene_object in house.scene.objects:
        if scene_object.name == name:
            return house.types.get(scene_object.place, "")
    return ""


def _objects_inside(house: House, names: Sequence[str], kind: str) -> list[str]:
    """Return the objects among some that are in or on an object of a type.

    Args:
        house: The house.
        names: The objects.
        kind: The type of the container.
    """
    containers = [name for name, type_name in house.types.items() if type_name == kind]
    inside = []
    for name in names:
        if any(house.holds(house.start, ("inside", name, other)) for other in containers):
            inside.append(name)
    return inside


def _word(name: str) -> str:
    """Return the words of a type or a room: ``"coffee table"``, ``"bedroom 1"``."""
    # A space where a small letter meets a capital, and for "_". "TVStand" has no such place.
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).replace("TVStand", "TV stand").lower()


def _plural(noun: str) -> str:
    """Return the plural of a noun: ``"light switches"``, ``"butter knives"``.

    >>> _plural("light switch"), _plural("shelf"), _plural("blinds")
    ('light switches', 'shelves', 'blinds')
    """
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


def _write_instructions(
    scenario: str, goals: Sequence[_Goal], dice: random.Random
) -> tuple[str, str]:
    """Return the detailed instruction, object by object, and the concise one.

    The concise one names sorts of things ("dishes") instead of objects.

    Args:
        scenario: Name of the scenario.
        goals: The items of the episode.
        dice: Source of random numbers.
    """
    tables = _tables()
    opening = tables["scenarios"][scenario]["opening"]
    sentences = [_detailed_sentence(goal, tables["wordings"][goal.verb], dice) for goal in goals]
    # Sort of things to its kinds, turned round.
    sort_of_kind = {}
    for sort, kinds in tables["sorts"].items():
        sort_of_kind.update(dict.fromkeys(kinds, sort))
    phrases = _phrases_by_sort(goals, sort_of_kind)
    detailed = f"{opening} {' '.join(sentences)}"
    concise = f"{opening} In short: {'; '.join(phrases)}."
    return detailed, concise


def _phrases_by_sort(goals: Sequence[_Goal], sort_of_kind: Mapping[str, str]) -> list[str]:
    """Return one phrase for each group of goals with equal verb and destination.

    Args:
        goals: The goals.
        sort_of_kind: Kind of an object to the sort of things it is called; a kind without one is
            called by its own name.
    """
    sorts_of_goals: dict[tuple[str, str], list[str]] = {}
    for goal in goals:
        sort = sort_of_kind.get(goal.kind, f"the {_word(goal.kind)}")
        sorts_of_goals.setdefault((goal.verb, goal.to), []).append(sort)
    phrases = []
    for (verb, destination), sorts in sorts_of_goals.items():
        *first_sorts, last = dict.fromkeys(sorts)  # each once, in order
        things = last
        if first_sorts:
            things = f"{', '.join(first_sorts)} and {last}"
        phrase = f"{verb} {things}"
        if destination:
            phrase += f" ({_word(destination)})"
        phrases.append(phrase)
    return phrases


def _detailed_sentence(goal: _Goal, wordings: Sequence[str], dice: random.Random) -> str:
    """Return the sentence of a goal in the detailed instruction.

    Args:
        goal: The goal.
        wordings: The sentences that say such a goal, with slots.
        dice: Source of random numbers.
    """
    if goal.words.startswith("two "):
        # Only the first wording suits the plural.
        wording = wordings[0]
        pronoun = "them"
    else:
        wording = dice.choice(wordings)
        pronoun = "it"
    # The slots of a wording, such as "Fill {what}{put_it}."
    destination = is_put = put_it = ""
    if goal.to:
        destination = with_article(_word(goal.to))
        is_put = f" and put in or on {destination}"
        put_it = f" and put {pronoun} in or on {destination}"
    sentence: str = wording.format(what=goal.words, to=destination, put_it=put_it, is_put=is_put)
    return sentence[0].upper() + sentence[1:]
