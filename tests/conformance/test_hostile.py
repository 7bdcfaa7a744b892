"""Hostile answers: every reader and ability, each answer with a limit on time and memory.

`benchmarks/speed/hostile.py` evaluates a million of them; here are as many as a minute allows.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from needs import on

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "speed"))

import hostile

ANSWERS = 40
"""Answers for each reader, and for each suite, ability and semantics."""


@pytest.mark.heavy
@on(sys.platform.startswith("linux"))  # limits as Linux has them
@pytest.mark.parametrize("suite", hostile.SUITES)
def test_no_answer_escapes_or_takes_long(suite: str) -> None:
    for target in hostile.targets([suite]):
        for number, outcome in hostile.outcomes(target, 0, range(ANSWERS)):
            shown = f"{target}, answer {number}"
            assert not outcome.verdict.startswith(("ESCAPED", "KILLED")), (outcome.verdict, shown)
            assert outcome.seconds < hostile.KILLED / 2, shown  # what else runs slows it down
            assert outcome.memory < hostile.MEMORY, shown
