"""The layout of AsgardBench's runs, as :data:`eai.suites.LAYOUTS` has it.

Every path that is evaluated is asked whether it holds such runs. The reader is loaded only if one
does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eai.contract import Raw

RESULTS = "test_results.json"
"""The file with the results of a run."""

PLAN = "plan.json"
"""The file with the plan of an episode, in a folder of its own below ``Plans``."""


def holds_runs(path: Path) -> bool:
    """Return whether a path is a folder or a file of runs."""
    if path.is_dir():
        return any(path.rglob(RESULTS)) or any(path.rglob(f"Plans/*/{PLAN}"))
    return path.name == RESULTS or (path.name == PLAN and path.parent.parent.name == "Plans")


def run_episodes(path: Path) -> Iterator[Raw]:
    """Return the episodes in a folder or file of runs; what is wrong is a problem."""
    from eai.suites.asgardbench.runs import run_episodes as read_episodes

    return read_episodes(path)
