"""What is computed beside a cell of the paper's tables to show why its number differs.

A check is a method of :class:`Checks` that a reason in `paper_tables_printed.json` names. It
passes only if something else that is at hand gives the number that is printed, or shows that what
is printed cannot come from the answers at hand.
"""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from eai import evaluate
from eai.predictions import load_predictions
from eai.suites.transition.environment import environment
from eai.suites.virtualhome import goal_interpretation

__all__ = ["Checks", "explain_digit"]

Values = Mapping[str, float | None]
"""Column to percent."""

_SAME = 0.005
_EVALUATED = {
    ("virtualhome", "goal_interpretation"): (9, "real_vh_gi"),
    ("virtualhome", "transition_modeling"): (13, "real_vh_tm_logic"),
    ("behavior", "transition_modeling"): (14, "real_b_tm_logic"),
}
"""Number of the table that has all parts, and the file of the published evaluator's verdicts."""
_GOALS = {"node": "state", "edge": "relation", "action": "action"}
_ENDED = {
    "task_success_rate": r"^\('Correct",
    "execution_success_rate": r"^\('(Correct|GoalUnreachable)",
    "parsing": r"^\('NotParseable",
    "hallucination": r"^\('Hallucination",
    "wrong_order": r"^\('Runtime.*WRONG_TEMPORAL_ORDER",
    "missing_step": r"^\('Runtime.*MISSING_STEP",
    "affordance_error": r"^\('Runtime.*AFFORDANCE_ERROR",
    "additional_step": r"^\('Correct.*ADDITIONAL_STEP|^\('Runtime.*ADDITIONAL_STEP",
}
"""Column to what stands in the stored result of a task that it counts."""


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


class Checks:
    """The checks, over the answers and verdicts of a folder.

    Args:
        facts: The folder.
        tables: The printed tables.
        computed: Gives for a table the values of each model that were computed from its answers.
        files: Gives for a table the file of each model's answers.
    """

    def __init__(
        self,
        facts: Path,
        tables: Sequence[Mapping[str, Any]],
        computed: Callable[[Mapping[str, Any]], Mapping[str, Values]],
        files: Callable[[Mapping[str, Any]], Mapping[str, Path]],
    ) -> None:
        self._facts = facts
        self._tables = tables
        self._computed = computed
        self._files = files

    def passes(
        self, check: str, table: Mapping[str, Any], model: str, column: str, value: float
    ) -> bool:
        """Whether a check passes for a cell, of which `value` was computed."""
        printed = dict(zip(table["columns"], table["rows"][model], strict=True))[column]
        found: bool = getattr(self, check)(table, model, column, value, printed)
        return found

    def missing(self, table: Mapping[str, Any], model: str) -> str:
        """Name the verdicts of the published evaluator that a check lacks; empty if it has them."""
        known = _EVALUATED.get((table["suite"], table["ability"]))
        if known is None:
            return ""
        path = self._verdicts(table)
        name = self._files(table)[model].name.partition(".json")[0]
        if _counted(path, name, table["suite"], table["ability"]):
            return ""
        return f"eai-eval's verdicts on these answers would tell; {path.name} has none of {name}"

    def _verdicts(self, table: Mapping[str, Any]) -> Path:
        """Return the file of the published evaluator's verdicts on answers to an ability."""
        verdicts = _EVALUATED[table["suite"], table["ability"]][1]
        return self._facts / "peer_verdicts" / f"{verdicts}.jsonl.gz"

    def other_object(
        self, table: Mapping[str, Any], model: str, column: str, _: float, printed: float
    ) -> bool:
        """The printed digits come out if a name means its first object instead of the last."""
        found = _with_first_object(self._files(table)[model]).get(column)
        return found is not None and explain_digit(found, printed) is not None

    def other_answers(
        self, table: Mapping[str, Any], model: str, _: str, __: float, ___: float
    ) -> bool:
        """Most numbers of the model are others, and the published evaluator's on these answers.

        The numbers are those of the table that has all parts; a single one proves nothing.
        """
        if not self.same_counts(table, model, "", 0, 0):
            return False
        whole = self._whole(table)
        values = self._computed(whole)[model]
        cells = zip(whole["columns"], whole["rows"][model], strict=True)
        other = [c for c, printed in cells if explain_digit(values[c] or 0, printed) is None]
        return 2 * len(other) > len(whole["columns"])

    def same_counts(
        self, table: Mapping[str, Any], model: str, _: str, __: float, ___: float
    ) -> bool:
        """The published evaluator has all numbers of the model as they are computed here."""
        whole = self._whole(table)
        values = self._computed(whole)[model]
        name = self._files(whole)[model].name.partition(".json")[0]
        theirs = _counted(self._verdicts(table), name, table["suite"], table["ability"])
        return all(
            each in theirs and abs((values[each] or 0) - (theirs[each] or 0)) <= _SAME
            for each in whole["columns"]
        )

    def _whole(self, table: Mapping[str, Any]) -> Mapping[str, Any]:
        """The table that has all parts of which a table prints some."""
        number = _EVALUATED[table["suite"], table["ability"]][0]
        return next(
            each
            for each in self._tables
            if each["table"] == number and each["suite"] == table["suite"]
        )

    def contradicts_overall(
        self, table: Mapping[str, Any], model: str, _: str, __: float, ___: float
    ) -> bool:
        """Table 3's F1, which comes out, is above that of every part that is printed."""
        cells = zip(table["columns"], table["rows"][model], strict=True)
        parts = [printed for column, printed in cells if column.endswith("_f1")]
        overall = dict(self._of_table_3(table, model))
        return all(max(parts) < printed for printed in overall.values()) and self.total(
            table, model, "", 0, 0
        )

    def total(self, table: Mapping[str, Any], model: str, _: str, __: float, ___: float) -> bool:
        """The number of Table 3 about all parts together comes out."""
        values = self._computed(table)[model]
        cells = list(self._of_table_3(table, model))
        return bool(cells) and all(
            explain_digit(values[column] or 0, printed) is not None for column, printed in cells
        )

    def other_row(
        self, table: Mapping[str, Any], model: str, column: str, _: float, printed: float
    ) -> bool:
        """A neighbour's row has the same numbers in all columns of this kind."""
        kind = column.rpartition("_")[0]
        places = [i for i, each in enumerate(table["columns"]) if each.startswith(kind)]
        own = [table["rows"][model][i] for i in places]
        rows = (row for name, row in table["rows"].items() if name != model)
        return printed in own and any([row[i] for i in places] == own for row in rows)

    def older_answers(
        self, table: Mapping[str, Any], model: str, _: str, __: float, ___: float
    ) -> bool:
        """The published evaluator, which wants ids, executes none of the answers."""
        return not _executed(table["suite"], table["ability"], self._files(table)[model])

    def published_run(
        self, table: Mapping[str, Any], model: str, column: str, _: float, printed: float
    ) -> bool:
        """The stored results of the authors' run give the printed number."""
        if table.get("label") not in (None, "modular") or column not in _ENDED:
            return False
        folder = self._facts / "published_runs" / "behavior_subgoal_decomposition_verdicts"
        path = folder / self._files(table)[model].name
        if not path.is_file():
            return False
        infos = [run["info"] for run in json.loads(gzip.decompress(path.read_bytes())).values()]
        count = sum(bool(re.search(_ENDED[column], info, re.DOTALL)) for info in infos)
        return explain_digit(100 * count / len(infos), printed) is not None

    def _of_table_3(self, table: Mapping[str, Any], model: str) -> Iterator[tuple[str, float]]:
        """The cells of Table 3 that speak of the same: F1 of logic, or success of the planner."""
        planner = table["columns"][0].startswith("planner_")
        for each in self._tables:
            if each["table"] == 3 and all(each[k] == table[k] for k in ("suite", "ability")):
                for column, printed in zip(each["columns"], each["rows"][model], strict=True):
                    if column.startswith("planner") == planner:
                        yield column, printed


@cache
def _with_first_object(path: Path) -> Values:
    """Metrics of goal interpretation where a name means the relevant object of lowest id."""

    def first(self: Any, objects: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ANN401
        relevant = tuple(name for name in objects if name in self._relevant)
        return (relevant or objects)[:1]

    answers = {"model": load_predictions(path).items}
    with patch.object(goal_interpretation.SceneNames, "chosen", first):
        report = evaluate("virtualhome", answers, ability="goal_interpretation")
    return {metric.key: metric.value for metric in report.metrics("model")}


@cache
def _executed(suite: str, ability: str, path: Path) -> float:
    """Percentage of answers that are executed."""
    answers = {"model": load_predictions(path).items}
    report = evaluate(suite, answers, ability=ability, semantics="official")
    found = {metric.key: metric.value for metric in report.metrics("model")}
    return found["execution_success_rate"] or 0.0


@cache
def _counted(path: Path, model: str, suite: str, ability: str) -> Values:
    """Precision, recall and F1 in percent from the published evaluator's counts."""
    if not path.is_file():
        return {}
    counts: dict[str, Counter[int]] = {}
    for line in gzip.decompress(path.read_bytes()).splitlines():
        row = json.loads(line)
        peer = row["peer"]
        if row["model"] != model or peer["status"] != "evaluated":
            continue
        is_of_goals = ability == "goal_interpretation"
        for kind, numbers in _goals_of(peer) if is_of_goals else _predicates_of(peer, suite):
            for each in (kind, "overall"):
                counts.setdefault(each, Counter()).update(dict(enumerate(numbers)))
    return {
        f"{kind}_{measure}": value
        for kind, of in counts.items()
        for measure, value in zip(("precision", "recall", "f1"), _rates(of), strict=True)
    }


def _goals_of(peer: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[int]]]:
    return ((kind, peer[name]) for name, kind in _GOALS.items())


def _predicates_of(peer: Mapping[str, Any], suite: str) -> Iterator[tuple[str, Sequence[int]]]:
    categories = environment(suite).model.categories
    for part in ("pred_precond", "pred_effect"):
        for name, numbers in peer[part].items():
            if name in categories:
                yield categories[name], numbers


def _rates(counts: Mapping[int, int]) -> Iterable[float]:
    right, wrong, missed = (counts[place] for place in range(3))
    precision = right / (right + wrong) if right + wrong else 0.0
    recall = right / (right + missed) if right + missed else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return 100 * precision, 100 * recall, 100 * f1
