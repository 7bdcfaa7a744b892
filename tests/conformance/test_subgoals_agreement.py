"""Collected verdicts on subgoals: they are ours, too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from eai.errors import DataMissingError
from eai.suites.behavior.suite import Behavior
from eai.suites.virtualhome import VirtualHome

pytestmark = pytest.mark.official

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "agreement_subgoals.py"
FACTS = Path(os.environ.get("EAI_FACTS", "")) / "eai"


@pytest.mark.skipif(not FACTS.is_dir(), reason="EAI_FACTS names no folder with eai/")
def test_collected_verdicts_agree() -> None:
    try:
        VirtualHome().task_ids()
        Behavior().task_ids()
    except DataMissingError:
        pytest.skip("the official data is not here (eai data fetch eai)")
    command = [sys.executable, str(BENCHMARK), "--facts", str(FACTS), "--at-least", "98"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "vh_sd_gold" in done.stdout
