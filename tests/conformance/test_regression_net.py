"""What the library says means what it meant when `tests/regression_net.py` stored it.

A few items of what is shipped run with the other tests; all of it is heavy. What needs the official
data, or the recordings of others, runs where these are.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from needs import facts, recordings

import regression_net
from regression_meaning import Item
from regression_parts import groups

SAMPLED = {"household": 200, "household tasks": 80, "acting": 300, "random logic": 40}
"""Sources that need no data from elsewhere, and every how many-th item is taken."""

OFFICIAL = ("virtualhome tasks", "behavior tasks", "planning")
RECORDED = ("model outputs", "collected answers", "plans of models", "recorded episodes")


@pytest.mark.parametrize("source", SAMPLED)
def test_a_sample_means_what_it_meant(source: str) -> None:
    assert _differing([source], SAMPLED[source]) == []


@pytest.mark.heavy
@pytest.mark.parametrize("source", SAMPLED)
def test_everything_shipped_means_what_it_meant(source: str) -> None:
    assert _differing([source], 1) == []


@pytest.mark.heavy
@pytest.mark.official
@pytest.mark.parametrize("source", OFFICIAL)
def test_everything_about_official_tasks_means_what_it_meant(source: str) -> None:
    assert _differing([source], 1) == []


@pytest.mark.heavy
@pytest.mark.official
@recordings()
@pytest.mark.parametrize("source", RECORDED)
def test_a_sample_of_recordings_means_what_it_meant(source: str) -> None:
    assert _differing([source], 97) == []


def _differing(sources: Iterable[str], sample: int) -> list[str]:
    """Return the items of some sources that differ from what was stored."""
    found, absent = groups(facts(), sources)
    assert found
    assert absent == []
    parts: dict[str, list[Item]] = {}
    for at, group in enumerate(found):
        parts.setdefault(group.part, []).extend(regression_net.evaluated(group, sample, at))
    return [
        f"{part}: {item}"
        for part, items in parts.items()
        for item in regression_net.differences(part, items, whole=sample == 1)
    ]
