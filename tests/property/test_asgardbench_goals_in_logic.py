"""Goals of AsgardBench: looked up and in temporal logic they are the same."""

from itertools import pairwise

import pytest
from asgard_episodes import OFFICIAL, STRICT, acted
from hypothesis import given, settings, strategies as st

from eai.semantics import Semantics
from eai.suites.asgardbench.instances import Instance, instances
from eai.suites.asgardbench.quirks import QUIRKS

INSTANCES = st.sampled_from(list(instances().values()))
SEMANTICS = st.one_of(
    st.sampled_from([OFFICIAL, STRICT]),
    st.sets(st.sampled_from(sorted(QUIRKS))).map(
        lambda only: Semantics.of("strict", QUIRKS, only=only)
    ),
)


@pytest.mark.heavy
@given(INSTANCES, SEMANTICS, st.integers(0, 1000), st.data())
@settings(max_examples=60)
def test_both_ways_of_evaluating_agree_at_every_position(
    instance: Instance, semantics: Semantics, seed: int, data: st.DataObject
) -> None:
    episode = acted(instance, semantics, noise=0.15, seed=seed)
    last = len(episode.statuses) - 1
    solved = [i for i, status in enumerate(episode.statuses) if status.reached]
    positions = {
        0,
        last,
        data.draw(st.integers(0, last)),
        *solved[:1],
        *(i - 1 for i in solved[:1]),
    }
    for position in positions:
        assert episode.by_logic(position) is episode.statuses[position].reached


@given(INSTANCES, st.integers(0, 1000))
@settings(max_examples=30)
def test_what_sticks_once_met_stays_met(instance: Instance, seed: int) -> None:
    episode = acted(instance, OFFICIAL, noise=0.3, seed=seed)
    places = [
        [c.met for c in status.conditions if " in " in c.text or c.kind == "action"]
        for status in episode.statuses
    ]
    for before, after in pairwise(places):
        assert all(now or not then for then, now in zip(before, after, strict=True))
