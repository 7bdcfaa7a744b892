"""The cells of the paper's tables: what is printed, what is computed, and why they differ."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eai import evaluate
from eai.predictions import load_predictions

__all__ = ["PRINTED", "Block", "Cell", "blocks", "explain_digit"]

PRINTED = Path(__file__).with_name("paper_tables_printed.json")

Values = Mapping[str, float | None]
"""Column to percent."""

_STORED = {"overall_goal": "total_goal", "affordance": "affordance_error"}


@dataclass(frozen=True)
class Cell:
    """One number.

    Args:
        printed: What the paper has; None if it has nothing.
        computed: What the published answers give.
        reason: Why they differ, or how the printed digit comes about; empty if it is equal.
        known: Whether the difference is explained.
    """

    printed: float | None
    computed: float | None
    reason: str = ""
    known: bool = True


@dataclass(frozen=True)
class Block:
    """Rows of one table about one suite and ability.

    Args:
        table: Number of the table.
        suite: The suite.
        ability: The ability.
        columns: Keys of the metrics.
        rows: Model to its cells.
        label: What else there is to say about the answers (``"pipeline"``).
    """

    table: int
    suite: str
    ability: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Cell, ...]]
    label: str = ""


def blocks(
    facts: Path, wanted: Collection[str] = (), *, only: Collection[tuple[str, str]] = ()
) -> Iterator[Block]:
    """Compute every table that the answers of a folder allow.

    Args:
        facts: The folder, with `model_outputs` and `published_runs`.
        wanted: Names of models as the paper has them; all if empty.
        only: Suites with abilities; all if empty.
    """
    data = json.loads(PRINTED.read_text(encoding="utf-8"))
    known: dict[str, dict[str, Values]] = {}
    for table in data["tables"]:
        what = (table["suite"], table["ability"])
        if only and what not in only:
            continue
        outputs = table.get("outputs", "/".join(("model_outputs", *what)))
        if outputs not in known:
            known[outputs] = _computed(facts, outputs, *what, data["models"], wanted)
        values = known[outputs]
        rows = {
            model: tuple(_cells(table, model, printed, values[model], data["reasons"]))
            for model, printed in table["rows"].items()
            if model in values
        }
        if rows:
            label = table.get("label", "")
            yield Block(table["table"], *what, tuple(table["columns"]), rows, label)


def _cells(
    table: Mapping[str, Any],
    model: str,
    row: list[float | None],
    values: Values,
    reasons: list[dict[str, Any]],
) -> Iterator[Cell]:
    for column, printed in zip(table["columns"], row, strict=True):
        value = values.get(column)
        if printed is None or value is None:
            yield Cell(printed, value)
            continue
        reason = explain_digit(value, printed)
        if reason is not None:
            yield Cell(printed, value, reason)
            continue
        fitting = (each["reason"] for each in reasons if _fits(each, table, model, column))
        found = next(fitting, "")
        yield Cell(printed, value, found or "not explained", known=bool(found))


def _fits(reason: Mapping[str, Any], table: Mapping[str, Any], model: str, column: str) -> bool:
    return (
        table["table"] in reason["tables"]
        and reason.get("suite", table["suite"]) == table["suite"]
        and reason.get("ability", table["ability"]) == table["ability"]
        and reason.get("label") in (None, table.get("label"))
        and model in reason.get("models", [model])
        and any(column.startswith(start) for start in reason.get("columns", [""]))
    )


def explain_digit(value: float, printed: float) -> str | None:
    """Say how a printed number comes from a value; empty if it is rounded to one decimal.

    Args:
        value: What was computed.
        printed: What is printed.

    Returns:
        None if the difference is more than a matter of digits.
    """
    if math.isclose(_half_up(value, 1), printed):
        return ""
    if math.isclose(_half_up(_half_up(value, 2), 1), printed):
        return "rounded twice, to two decimals and then to one"
    if math.isclose(math.floor(value * 10) / 10, printed):
        return "cut after one decimal, not rounded"
    if printed == int(printed) and abs(value - printed) < 0.505:
        return "printed in whole percents"
    return None


def _half_up(value: float, digits: int) -> float:
    scale = float(10**digits)
    return math.floor(value * scale + 0.5 + 1e-9) / scale


def _computed(
    facts: Path,
    outputs: str,
    suite: str,
    ability: str,
    models: Mapping[str, list[str]],
    wanted: Collection[str],
) -> dict[str, Values]:
    """Model, as the paper names it, to its metrics."""
    files = {}
    for path in sorted((facts / outputs).glob("*.json*")):
        model = _named(path, models)
        if model is not None and (not wanted or model in wanted):
            files[model] = path
    if not files:
        return _stored(facts, suite, ability, models, wanted)
    answers = {model: load_predictions(path).items for model, path in files.items()}
    # The answers of the paper's models name objects without ids, as its evaluator read them.
    older = ["ids_required"] if (suite, ability) == ("virtualhome", "action_sequencing") else []
    report = evaluate(suite, answers, ability=ability, semantics="official", without=older)
    found: dict[str, Values] = {}
    for model in answers:
        values = {metric.key: metric.value for metric in report.metrics(model)}
        if ability == "subgoal_decomposition":
            # Of the errors of a task, one additional step counts there.
            tally = report.tally(model)
            values["additional_step"] = 100 * tally.items.get("additional_step", 0) / tally.tasks
        found[model] = values
    return found


def _stored(
    facts: Path,
    suite: str,
    ability: str,
    models: Mapping[str, list[str]],
    wanted: Collection[str],
) -> dict[str, Values]:
    """The same from published results, where there are no answers."""
    found: dict[str, Values] = {}
    for path in sorted((facts / "published_runs" / f"{suite}_{ability}_summary").glob("*.json.gz")):
        model = _named(path, models)
        if model is not None and (not wanted or model in wanted):
            flat = dict(_flat(json.loads(gzip.decompress(path.read_bytes()))))
            found[model] = {_STORED.get(key, key): 100 * share for key, share in flat.items()}
    return found


def _flat(content: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for key, value in content.items():
        if isinstance(value, Mapping):
            yield from _flat(value)
        else:
            yield key, value


def _named(path: Path, models: Mapping[str, list[str]]) -> str | None:
    """The model whose name, or the longest beginning of it, is that of a file."""
    stem = re.sub(r"[._]", "-", path.name.lower())
    fitting = [
        (len(s), name) for name, starts in models.items() for s in starts if _begins(stem, s)
    ]
    return max(fitting)[1] if fitting else None


def _begins(stem: str, start: str) -> bool:
    return re.match(rf"{re.escape(start)}(?![a-z0-9])", stem) is not None
