"""The oracle solves what can be solved, and says what stands in the way of the rest."""

import time

import pytest
from asgard_episodes import OFFICIAL, STRICT, acted

from eai.acting import run_episode
from eai.errors import InputError
from eai.semantics import Semantics
from eai.suites.asgardbench.instances import instances
from eai.suites.asgardbench.oracle import AsgardOracle
from eai.suites.asgardbench.suite import AsgardBench

SOME = [name for number, name in enumerate(instances()) if number % 9 == 4]
FRY = "cook__PotatoSliced_FloorPlan20_V1"


@pytest.mark.heavy
def test_every_published_instance_is_solved_and_both_ways_of_evaluating_agree() -> None:
    begun = time.process_time()
    for name, each in instances().items():
        episode = acted(each, STRICT)
        solved = next((at for at, now in enumerate(episode.statuses) if now.reached), None)
        assert solved, name
        assert episode.by_logic(solved), name
        assert not episode.by_logic(solved - 1), name
    assert time.process_time() - begun < 20


@pytest.mark.parametrize("semantics", [OFFICIAL, STRICT], ids=str)
@pytest.mark.parametrize("name", SOME)
def test_it_stays_within_the_limits_and_makes_no_mistake(name: str, semantics: Semantics) -> None:
    suite = AsgardBench()
    task = suite.task(name)
    environment, rules = suite.environment(task, semantics), suite.episode_rules(task, semantics)
    episode = run_episode(environment, AsgardOracle(task, semantics, environment), rules=rules)
    assert episode.end == "success"
    assert all(turn.success for turn in episode.turns)


def test_it_acts_in_its_own_world_only() -> None:
    task = AsgardBench().task(FRY)
    with pytest.raises(InputError, match="str"):
        AsgardOracle(task, STRICT, "a room")  # type: ignore[arg-type]
