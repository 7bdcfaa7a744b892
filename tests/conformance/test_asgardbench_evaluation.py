"""Recorded executions of AsgardBench reach their goals, looked up and in temporal logic.

The recordings are the actions of reference executions in the real simulator, and the limits and
goals of the instances.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgard_episodes import OFFICIAL, STRICT, Acted
from needs import facts, recordings

from eai.suites.asgardbench.episodes import hard_limit, soft_limit
from eai.suites.asgardbench.goals import goal_conditions
from eai.suites.asgardbench.instances import instance, rules
from eai.world import Action

FACTS = facts("asgardbench_ai2thor")

pytestmark = recordings("asgardbench_ai2thor")


def read(name: str, part: str) -> Any:
    return json.loads((FACTS / name).read_text("utf-8"))[part]


def recorded() -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = read("asgard_oracle_plans.json", "plans")
    return found


@pytest.fixture(scope="module")
def replayed() -> dict[str, Acted]:
    episodes: dict[str, Acted] = {}
    for name, plan in recorded().items():
        episode = episodes[name] = Acted(instance(name), OFFICIAL)
        for action, *_, target in plan:
            episode.take(Action(action, (target,)))
    return episodes


def test_all_goals_are_reached_at_the_end_of_every_recording(replayed: dict[str, Acted]) -> None:
    unmet = {
        name: texts
        for name, episode in replayed.items()
        if (texts := [c.text for c in episode.statuses[-1].conditions if not c.met])
    }
    assert unmet == {}


def test_temporal_logic_agrees_with_looking_up(replayed: dict[str, Acted]) -> None:
    for name, episode in replayed.items():
        last = len(episode.statuses) - 1
        for position in (0, last // 2, last):
            assert episode.by_logic(position) is episode.statuses[position].reached, name


def test_no_goal_is_reached_at_the_start() -> None:
    solved = [name for name in recorded() if Acted(instance(name), STRICT).statuses[0].reached]
    assert solved == []


def test_limits_and_numbers_of_goals_are_those_of_the_benchmark() -> None:
    for row in read("asgard_tasks.json", "instances"):
        one, goals = instance(row["id"]), row["goals"]
        assert soft_limit(one.reference_steps) == row["soft_limit"]
        assert hard_limit(one.reference_steps) == row["hard_limit"]
        kinds = ("state", "location", "put_away", "action", "contents_exact")
        number = sum(len(goals[kind]) for kind in kinds)
        number += len(rules().exit) if goals["kitchen_exit"] else 0
        assert len([*goal_conditions(one, OFFICIAL, first=str)]) == number
