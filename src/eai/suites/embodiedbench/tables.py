"""Tables of rates: the published ones, and what cannot be right in a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from eai.contract import AuditFinding
from eai.errors import InputError, UnknownNameError
from eai.report import Published, wilson
from eai.suites.embodiedbench.failures import SUBSETS
from eai.suites.embodiedbench.skills import (
    ALFRED,
    HABITAT,
    MANIPULATION,
    NAVIGATION,
    OFFICIAL_VERSION,
    shipped,
)

SIZES = {ALFRED: 50, HABITAT: 50, NAVIGATION: 60, MANIPULATION: 48}
"""Tasks of a subset; ``visual_appearance`` of EB-Manipulation has 36."""
_ROUNDING = 0.1001
"""So much may a printed average differ: it is rounded, or made of rounded cells."""
_METRICS = (
    ("success_rate", "avg", "task_success_rate"),
    *(("success_rate", name, f"subset_{name}") for name in SUBSETS),
    ("subgoal_success_rate", "avg", "progress"),
    ("steps", "env", "env_steps"),
    ("steps", "planner", "planner_steps"),
    ("format_errors", "avg", "format_errors"),
)
"""Table and cell of what was published, and which metric of a report it is."""
_HEADINGS = {
    "average": "avg",
    "overall": "avg",
    "env": "environment",
    "suite": "environment",
    "common": "common_sense",
    "complex": "complex_instruction",
    "long": "long_horizon",
    "visual": "visual_appearance",
}


def audit_table(rows: Iterable[Mapping[str, str]], suite: str = "") -> Iterator[AuditFinding]:
    """Yield cells that are no rate of their number of tasks, and averages that are not theirs.

    A row has the name of a model under ``model``, the environment under ``environment`` (by default
    the suite), and rates in percent under the subsets and ``avg``.
    """
    for number, row in enumerate(rows, start=2):
        words = {key.strip().lower().replace(" ", "_"): row[key] for key in row if key}
        cells = {_HEADINGS.get(word, word): cell for word, cell in words.items()}
        named = cells.pop("environment", "") or suite
        environment = named.strip().lower().replace("_", "-")
        about = f"{environment} {cells.pop('model', '?')}"
        average = _percent(cells.pop("avg", ""))
        if environment not in SIZES:
            raise InputError(
                f"{named!r} is not an environment",
                where=f"line {number}",
                expected=", ".join(SIZES),
                mend="a column `environment`, or --suite",
            )
        exact: list[tuple[float, int]] = []
        for key, cell in cells.items():
            value = _percent(cell)
            if value is None:
                continue
            small = environment == MANIPULATION and key == "visual_appearance"
            size = 36 if small else SIZES[environment]
            rate = 100 * min(max(round(value * size / 100), 0), size) / size
            fits = abs(rate - value) <= 0.0501
            exact.append((rate if fits else value, size))
            if not fits:
                text = f"{value} is not a possible rate of {size} tasks; the nearest is {rate:.1f}"
                yield AuditFinding("cell", about, text, f"line {number}: {key}")
        mean = sum(rate * size for rate, size in exact) / (sum(size for _, size in exact) or 1)
        if average is not None and exact and abs(mean - average) > _ROUNDING:
            text = f"{average} is not the mean of its cells, {mean:.2f}"
            yield AuditFinding("average", about, text, f"line {number}: avg")


def _percent(text: object) -> float | None:
    try:
        value = float(str(text).strip().rstrip("%").replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def published_results(table: str = "success_rate") -> list[dict[str, Any]]:
    """Return a published table: one row for a source, an environment and a model.

    Args:
        table: ``"success_rate"`` and ``"subgoal_success_rate"`` (percent), ``"steps"`` (of the
            environment and of the planner, in the mean), ``"format_errors"`` (of one trajectory),
            or ``"failures"``: percent of failed episodes by kind, found by hand in 110 of GPT-4o.

    Returns:
        The rows. Those of success have the Wilson interval of the number of tasks, and as
        ``faults`` what :func:`audit_table` finds.

    Raises:
        UnknownNameError: If there is no such table.
    """
    stored = shipped("results.json")
    if table not in stored:
        raise UnknownNameError("table", table, stored)
    found = []
    for source, environments in stored[table].items():
        for environment, models in environments.items():
            size = 228 if environment.lower() == MANIPULATION else 300
            for model, cells in models.items():
                row = {"environment": environment, "model": model, **cells}
                more: dict[str, Any] = {}
                if table == "success_rate":
                    more["interval"] = wilson(round(float(cells["avg"]) * size / 100), size)
                    more["faults"] = [each.message for each in audit_table([row])]
                found.append({"source": source, **row, **more})
    return found


def published_rows() -> list[Published]:
    """Return the published numbers as rows of a leaderboard of recorded runs."""
    return [
        Published(
            model=row["model"],
            suite=str(row["environment"]).lower(),
            ability="recorded",
            metric=metric,
            value=float(row[cell]),
            semantics=f"official ({OFFICIAL_VERSION})",
            source=f"EmbodiedBench, {row['source']}",
        )
        for table, cell, metric in _METRICS
        for row in published_results(table)
        if cell in row
    ]
