"""The library's verdicts are those of other tools for linear temporal logic.

``EAI_FLLOAT_PYTHON``, ``EAI_LTLF2DFA_PYTHON`` and ``EAI_RTAMT_PYTHON`` name the Pythons in which
the tools are installed; with fewer than two of them there is nothing to compare.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from needs import LTL_TOOL_PYTHONS, LTL_TOOLS

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "agreement" / "logic_tools.py"

pytestmark = LTL_TOOLS


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    chosen = [part for name, python in LTL_TOOL_PYTHONS.items() for part in (f"--{name}", python)]
    return subprocess.run(
        [sys.executable, str(BENCHMARK), "check", *chosen, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_verdicts_are_those_of_the_tools() -> None:
    done = run("--pairs", "60", "--seed", "7")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = re.findall(r"^(\w+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$", done.stdout, re.MULTILINE)
    assert [row[0] for row in rows] == ["future", "past", "mixed"]
    assert sum(int(row[1]) for row in rows) >= 60
    assert all(row[5] == "0" for row in rows)
