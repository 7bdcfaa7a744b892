"""Verdicts on plans with numbers are those of unified-planning's own validator."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from needs import extra

COMMAND = Path(__file__).parents[2] / "benchmarks" / "agreement" / "numeric_plans.py"


@extra("planners", "unified_planning")
def test_verdicts_and_failing_steps_of_random_numeric_plans() -> None:
    spec = importlib.util.spec_from_file_location("numeric_plans", COMMAND)
    assert spec is not None
    assert spec.loader is not None
    command = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = command  # data classes look their module up
    spec.loader.exec_module(command)
    counts, differences = command.compare(5, seed=3)
    assert not differences
    assert counts["valid"] + counts["invalid"] == 5 * command.PLANS
