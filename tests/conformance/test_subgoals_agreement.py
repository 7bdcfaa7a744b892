"""Collected verdicts on subgoals: they are ours, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from needs import facts, recordings

pytestmark = pytest.mark.official

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "agreement" / "agreement_subgoals.py"


@recordings("eai")
def test_collected_verdicts_agree() -> None:
    command = [sys.executable, str(BENCHMARK), "--facts", str(facts("eai")), "--at-least", "98"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "vh_sd_gold" in done.stdout
