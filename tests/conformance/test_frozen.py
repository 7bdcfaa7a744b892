"""A few items of what `benchmarks/frozen.py` stored: the meaning of verdicts has not changed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.append(str(BENCHMARKS))

import frozen  # noqa: E402
from frozen_parts import Group, groups  # noqa: E402

SOURCES = {
    "household": 200,
    "household tasks": 80,
    "acting": 300,
    "random logic": 40,
}
"""Sources that need no data from elsewhere, and every how many-th item is taken."""


@pytest.mark.parametrize("source", SOURCES)
def test_a_sample_means_what_it_meant(source: str) -> None:
    found, _ = groups(None, [source])
    assert found
    assert [item for at, group in enumerate(found) for item in _differing(group, source, at)] == []


def _differing(group: Group, source: str, number: int) -> list[str]:
    items = frozen.evaluated(group, SOURCES[source], number)
    differing = frozen.differences(group.part, items, whole=False)
    return [f"{group.part}: {item}" for item in differing]
