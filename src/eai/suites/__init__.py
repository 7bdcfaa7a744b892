"""Benchmarks that come with the package, each in a folder of its own.

``eai/entry_points.ini`` lists them.
"""

from __future__ import annotations

from eai.plugins import announced

__all__ = ["LAYOUTS", "SAMPLES"]

SAMPLES = "household"
"""Name of the suite that needs no data and has sample answers, for examples and as a default."""

LAYOUTS: tuple[str, ...]
"""Modules that read what published evaluators leave: ``holds_runs`` of a path says whether this is
theirs, ``run_episodes`` yields its episodes."""


def __getattr__(name: str) -> object:
    # Entry points of all installed packages are read only where layouts are asked for.
    if name == "LAYOUTS":
        return tuple(origin.target for origin in announced("eai.layouts").values())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
