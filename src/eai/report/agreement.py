"""Agreement of two evaluators over the same answers: kappa, correlations and their intervals.

Kappa is 1 where two evaluators always agree, and 0 where they agree as often as chance would have
it. For yes and no it is Cohen's (1960); for scores it is weighted with the squares of the
differences (Cohen 1968), where

    kappa = 1 - mean over items of (a - b)^2 / mean over all pairs of items of (a - b)^2.

Both are the same formula, for verdicts are the scores 0 and 1. Intervals are the percentiles of a
bootstrap over items.
"""

from __future__ import annotations

import contextlib
import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eai.errors import InputError
from eai.nesting import load_json
from eai.report.record import Record
from eai.report.statistics import wilson
from eai.table import Table

IDS = ("unique_id", "request_id", "custom_id", "task_id", "id", "task")
"""Keys under which records of scores name what they are of, in this order."""
_VERDICTS = (
    "task_success",
    "success",
    "correct",
    "is_correct",
    "verdict",
    "passed",
    "label",
    "score",
)
_YES = frozenset({"1", "1.0", "yes", "true", "correct", "success", "pass", "passed", "solved"})
_NO = frozenset({"0", "0.0", "no", "false", "incorrect", "wrong", "failure", "fail", "failed"})
_HALF = 0.5
_DRAWS = 1000


def kappa(ours: Sequence[float], theirs: Sequence[float]) -> float | None:
    """Return Cohen's kappa of two evaluators, weighted by squared differences.

    Returns:
        None where chance alone explains everything: both give the same score to all items.

    Example:
        >>> kappa([1, 1, 0, 0], [1, 0, 0, 0])
        0.5
    """
    [value] = _kappas(np.array(ours, float)[None, :], np.array(theirs, float)[None, :])
    if np.isnan(value):
        return None
    return float(value)


def kappa_interval(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of :func:`kappa`, or None where it is undefined."""
    count = len(ours)
    if not count:
        return None
    # A row for each draw: the indices of the drawn items. The seed is fixed, so that the same
    # scores have the same interval in every report.
    indices = np.random.default_rng(0).integers(0, count, (_DRAWS, count))
    drawn_kappas = _kappas(np.array(ours, float)[indices], np.array(theirs, float)[indices])
    defined_kappas = drawn_kappas[~np.isnan(drawn_kappas)]
    if not defined_kappas.size:
        return None
    low, high = np.percentile(defined_kappas, (2.5, 97.5))  # the middle 95 %
    return float(low), float(high)


def _kappas(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return kappa for each row of two arrays of the same shape, NaN where undefined."""
    observed_distance = ((ours - theirs) ** 2).mean(axis=1)
    # The distance by chance is the mean of (x - y)^2 over all pairs of items. It is computed
    # without the pairs: the mean of x^2, plus that of y^2, less twice the product of the means.
    mean_squares = (ours**2).mean(axis=1) + (theirs**2).mean(axis=1)
    chance_distance = mean_squares - 2 * ours.mean(axis=1) * theirs.mean(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # 1e-12 stands for 0: for two constant rows rounding may leave a little more than 0.
        return np.where(chance_distance > 1e-12, 1 - observed_distance / chance_distance, np.nan)


def kappa_rows(
    ours: Sequence[float], theirs: Sequence[float]
) -> list[tuple[str, str | int | float]]:
    """Return kappa and its interval as rows of a table, or no rows where undefined."""
    value = kappa(ours, theirs)
    interval = kappa_interval(ours, theirs)
    if value is None or interval is None:
        return []
    low, high = interval
    return [
        ("Kappa", round(value, 3)),
        ("Kappa, 95 % interval (bootstrap)", f"{low:.3f} to {high:.3f}"),
    ]


# ------------------------------------------------------------------ files of scores


def score_records(path: Path) -> list[Mapping[str, Any]]:
    """Return the records of scores in a JSON, JSON Lines or CSV file.

    ``{"task-1": 0.5}`` is the record ``{"id": "task-1", "score": 0.5}``.

    Raises:
        InputError: If the file cannot be read, or is none of these.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if path.suffix == ".csv":
        return list(csv.DictReader(text.splitlines()))
    content: Any
    try:
        content = load_json(text)
    except ValueError:
        # JSON Lines with several objects are not valid JSON, but a file with one line is both.
        content = _values_of_lines(text)
    if isinstance(content, dict):
        return [_named_record(name, value) for name, value in content.items()]
    return [record for record in content if isinstance(record, dict)]


def _values_of_lines(text: str) -> list[Any]:
    """Return the values of JSON Lines; blank lines are skipped."""
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        return [load_json(line) for line in lines]
    except ValueError as error:
        raise InputError(f"these are not records of scores: {error}") from None


def _named_record(name: str, value: object) -> Mapping[str, Any]:
    """Return a record from a pair of a JSON object: the name is the identifier.

    Args:
        name: The key.
        value: The other fields of the record, or its score alone.
    """
    if isinstance(value, dict):
        return {"id": name, **value}
    return {"id": name, "score": value}


def id_of(record: Mapping[str, Any]) -> str:
    """Return the identifier in a record of scores, or "" if there is none."""
    value = _first_value(record, IDS)
    if value is None:
        return ""
    return str(value)


def _first_value(record: Mapping[str, Any], keys: Iterable[str]) -> Any:  # noqa: ANN401
    """Return the value of the first key that has one, or None."""
    for key in keys:
        value = record.get(key)
        if value not in (None, ""):
            return value
    return None


def _find_verdict(record: Mapping[str, Any]) -> float | None:
    """Return the verdict (0 or 1) in a record, or None.

    It may be in the record itself, in a value that is an object, or in an object inside a text,
    such as a model's answer (``"So it is: {'verdict': 'yes'}"`` with the quotes of JSON).
    """
    # {"id": "t1", "verdict": "yes"}, {"id": "t1", "grade": {"verdict": "yes"}}, or such a text.
    candidates: list[object] = [record, *record.values()]
    for text in record.values():
        if isinstance(text, str):
            # A model may write words around its object: it goes from the first bracket to the last.
            with contextlib.suppress(ValueError):
                candidates.append(load_json(text[text.index("{") : text.rindex("}") + 1]))
    for candidate in candidates:
        if isinstance(candidate, dict):
            verdict = _verdict_of_object(candidate)
            if verdict is not None:
                return verdict
    return None


def _verdict_of_object(record: Mapping[str, Any]) -> float | None:
    """Return the verdict under a record's own keys: a word for yes or no, or a score.

    A score from 0 to 1 counts as solved from 0.5 on. Other numbers are not verdicts.
    """
    word = str(_first_value(record, _VERDICTS)).strip().lower()
    if word in _YES:
        return 1.0
    if word in _NO:
        return 0.0
    try:
        score = float(word)
    except ValueError:
        return None
    # NaN fails this comparison, too.
    if not 0 <= score <= 1:
        return None
    return float(score >= _HALF)


def verdict_tables(
    records: Iterable[Record], path: Path, canonical_id: Callable[[str], str] = str
) -> list[Table]:
    """Return tables that compare a run's verdicts with those in a file.

    Args:
        records: Records of one model; of several samples of a task the first counts.
        path: Verdicts (``success``, ``correct``, ``verdict``, ``score`` from 0 to 1) with ids.
        canonical_id: The identifier that one in the file means.

    Raises:
        InputError: If the file has no verdict of a task of the run.
    """
    verdicts_of_run: dict[str, float] = {}
    for record in records:
        if record.result.success is not None and record.result.status != "excluded":
            # Of a task with several samples the first counts: the file has one score for all.
            verdicts_of_run.setdefault(record.task, float(record.result.success))
    verdicts_in_file: dict[str, float] = {}
    without_verdict = 0
    for score_record in score_records(path):
        score_id = id_of(score_record)
        verdict = _find_verdict(score_record)
        if score_id and verdict is not None:
            verdicts_in_file[canonical_id(score_id)] = verdict
        else:
            without_verdict += 1
    pairs: dict[str, tuple[float, float]] = {}
    for task, verdict in verdicts_of_run.items():
        if task in verdicts_in_file:
            pairs[task] = (verdict, verdicts_in_file[task])
    if not pairs:
        raise InputError(
            f"no task of the run has a verdict in {path}",
            expected=f"records with an id ({', '.join(IDS)}) and one of {', '.join(_VERDICTS)}",
        )
    return _make_verdict_tables(
        pairs,
        path.name,
        without_verdict=without_verdict,
        of_other_tasks=len(verdicts_in_file) - len(pairs),
    )


def _make_verdict_tables(
    verdicts: Mapping[str, tuple[float, float]],
    name: str,
    *,
    without_verdict: int,
    of_other_tasks: int,
) -> list[Table]:
    """Return tables on the agreement of two verdicts about the same tasks.

    Args:
        verdicts: Task to our verdict and theirs.
        name: Name of the file of their verdicts.
        without_verdict: Number of records in the file that have no verdict.
        of_other_tasks: Number of records in the file of tasks that the run does not have.
    """
    # (our verdict, their verdict) to the number of tasks that have this pair.
    counts = Counter(verdicts.values())
    equal = counts[1, 1] + counts[0, 0]
    low, high = wilson(equal, len(verdicts))
    disagreements: list[dict[str, str | int | float]] = []
    for task, (ours, theirs) in verdicts.items():
        if ours != theirs:
            disagreements.append({"task": task, "here": int(ours), "theirs": int(theirs)})
    figures: list[tuple[str, str | int | float]] = [
        ("Tasks with both verdicts", len(verdicts)),
        ("Their records without a verdict", without_verdict),
        ("Their records of other tasks", of_other_tasks),
        ("Equal (%)", round(100 * equal / len(verdicts), 1)),
        ("Equal, 95 % interval (Wilson)", f"{low:.1f} to {high:.1f}"),
        *kappa_rows(*zip(*verdicts.values(), strict=True)),
    ]
    cross_table: list[dict[str, str | int | float]] = [
        {"verdict here": "solved", "theirs solved": counts[1, 1], "theirs not": counts[1, 0]},
        {"verdict here": "not", "theirs solved": counts[0, 1], "theirs not": counts[0, 0]},
    ]
    rows = [{"what": label, "value": value} for label, value in figures]
    return [
        Table(f"Verdicts here and {name}", rows),
        Table("Verdicts", cross_table),
        Table("Tasks with another verdict", disagreements),
    ]
