"""The cells of the paper's tables: what is printed, what is computed, and why they differ."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paper_tables_checks import Checks, Values, explain_digit

from eai import evaluate
from eai.predictions import load_predictions

__all__ = ["PRINTED", "Block", "Cell", "blocks"]

PRINTED = Path(__file__).with_name("paper_tables_printed.json")

_STORED = {"overall_goal": "total_goal", "affordance": "affordance_error"}


@dataclass(frozen=True)
class Cell:
    """One number.

    Args:
        printed: What the paper has; None if it has nothing.
        computed: What the published answers give.
        reason: Why they differ, or how the printed digit comes about; empty if it is equal.
        known: Whether the difference is explained.
        checked: Whether something was computed that shows the reason; else it is a supposition.
    """

    printed: float | None
    computed: float | None
    reason: str = ""
    known: bool = True
    checked: bool = False


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
        stored: Whether the numbers are results that others stored, so that nothing was computed.
    """

    table: int
    suite: str
    ability: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Cell, ...]]
    label: str = ""
    stored: bool = False


def blocks(
    facts: Path, wanted: Collection[str] = (), *, only: Collection[tuple[str, str]] = ()
) -> Iterator[Block]:
    """Compute every table that the answers of a folder allow.

    Args:
        facts: The folder, with `model_outputs`, `published_runs` and `peer_verdicts`.
        wanted: Names of models as the paper has them; all if empty.
        only: Suites with abilities; all if empty.
    """
    source = _Source(facts, json.loads(PRINTED.read_text(encoding="utf-8")), wanted)
    for table in source.tables:
        what = (table["suite"], table["ability"])
        if only and what not in only:
            continue
        stored = not source.files(table)
        values = source.stored(*what) if stored else source.computed(table)
        rows = {
            model: tuple(source.cells(table, model, printed, values[model], stored=stored))
            for model, printed in table["rows"].items()
            if model in values
        }
        if rows:
            label = table.get("label", "")
            yield Block(table["table"], *what, tuple(table["columns"]), rows, label, stored)


class _Source:
    """Answers and printed numbers.

    Args:
        facts: The folder.
        printed: The content of the file of printed numbers.
        wanted: Names of models as the paper has them; all if empty.
    """

    def __init__(self, facts: Path, printed: Mapping[str, Any], wanted: Collection[str]) -> None:
        self.tables: list[Mapping[str, Any]] = printed["tables"]
        self._facts = facts
        self._models: Mapping[str, list[str]] = printed["models"]
        self._reasons: list[Mapping[str, Any]] = printed["reasons"]
        self._wanted = wanted
        self._known: dict[str, dict[str, Values]] = {}
        self._checks = Checks(facts, self.tables, self.computed, self.files)

    def files(self, table: Mapping[str, Any]) -> dict[str, Path]:
        """The file of each model's answers."""
        return self._named(table.get("outputs") or _usual(table))

    def computed(self, table: Mapping[str, Any]) -> dict[str, Values]:
        """Model, as the paper names it, to its metrics (computed once for a folder)."""
        folder = table.get("outputs") or _usual(table)
        if folder not in self._known:
            self._known[folder] = _computed(self.files(table), table["suite"], table["ability"])
        return self._known[folder]

    def stored(self, suite: str, ability: str) -> dict[str, Values]:
        """The same from results that others stored, where there are no answers."""
        found: dict[str, Values] = {}
        for model, path in self._named(f"published_runs/{suite}_{ability}_summary").items():
            flat = dict(_flat(json.loads(gzip.decompress(path.read_bytes()))))
            found[model] = {_STORED.get(key, key): 100 * share for key, share in flat.items()}
        return found

    def _named(self, folder: str) -> dict[str, Path]:
        named = {
            _named(path, self._models): path
            for path in sorted((self._facts / folder).glob("*.json*"))
        }
        return {
            model: path
            for model, path in named.items()
            if model is not None and (not self._wanted or model in self._wanted)
        }

    def cells(
        self,
        table: Mapping[str, Any],
        model: str,
        row: list[float | None],
        values: Values,
        *,
        stored: bool,
    ) -> Iterator[Cell]:
        """The cells of a row, each with its reason."""
        for column, printed in zip(table["columns"], row, strict=True):
            value = values.get(column)
            if printed is None or value is None:
                yield Cell(printed, value)
                continue
            reason = explain_digit(value, printed)
            if reason is not None or stored:
                yield Cell(printed, value, _OTHER_RUN if reason is None else reason)
                continue
            for each in self._reasons:
                if _fits(each, table, column) and (
                    "check" not in each
                    or self._checks.passes(each["check"], table, model, column, value)
                ):
                    yield Cell(printed, value, each["reason"], checked="check" in each)
                    break
            else:
                missing = self._checks.missing(table, model)
                reason = f"not explained: {missing}" if missing else "not explained"
                yield Cell(printed, value, reason, known=False)


_OTHER_RUN = (
    "stored results of another run of the published evaluator: its version is not known, and an "
    "`or` in an answer is drawn at random"
)


def _usual(table: Mapping[str, Any]) -> str:
    return f"model_outputs/{table['suite']}/{table['ability']}"


def _fits(reason: Mapping[str, Any], table: Mapping[str, Any], column: str) -> bool:
    return (
        table["table"] in reason["tables"]
        and reason.get("suite", table["suite"]) == table["suite"]
        and reason.get("ability", table["ability"]) == table["ability"]
        and reason.get("label") in (None, table.get("label"))
        and any(column.startswith(start) for start in reason.get("columns", [""]))
    )


def _computed(files: Mapping[str, Path], suite: str, ability: str) -> dict[str, Values]:
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
