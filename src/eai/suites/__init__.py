"""Benchmarks that come with the package, each in a folder of its own.

``eai/entry_points.ini`` lists them.
"""

from __future__ import annotations

from eai.plugins import announced

__all__ = ["DEFAULT", "LAYOUTS", "ROWS", "SAMPLES"]

SAMPLES = "household"
"""Name of the suite that needs no data and has sample answers, for examples and as a default."""

DEFAULT = "virtualhome"
"""Name of the suite that is meant in Python where none is named."""

LAYOUTS: tuple[str, ...]
"""Modules that read what published evaluators leave: ``holds_runs`` of a path says whether this is
theirs, ``run_episodes`` yields its episodes."""

ROWS: tuple[dict[str, str], ...] = (
    {
        "name": "PlanBench results",
        "marks": "instance_id llm_raw_response|extracted_llm_plan",
        "output": "llm_raw_response",
        "id": "instance_id",
        "kind": "silent",
    },
)
"""Layouts of the rows in files of benchmarks (:class:`eai.predictions.layouts.RowLayout`)."""


def __getattr__(name: str) -> object:
    # The entry points of installed packages are only read if layouts are needed.
    if name == "LAYOUTS":
        return tuple(origin.target for origin in announced("eai.layouts").values())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
