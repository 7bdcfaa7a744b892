"""Tables of rates: the published ones, and what cannot be right in a table."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from eai.contract import AuditFinding
from eai.errors import InputError, UnknownNameError
from eai.report import Published, wilson
from eai.suites.embodiedbench.failures import SUBSETS
from eai.suites.embodiedbench.layouts import environment_named
from eai.suites.embodiedbench.skills import (
    ALFRED,
    HABITAT,
    MANIPULATION,
    NAVIGATION,
    OFFICIAL_VERSION,
    shipped,
)

SIZES = {ALFRED: 50, HABITAT: 50, NAVIGATION: 60, MANIPULATION: 48}
"""Tasks of a subset; ``visual_appearance`` of EB-Manipulation has fewer."""
# Tasks of "visual_appearance" of EB-Manipulation.
_SMALL_SUBSET = 36
_ROUNDING = 0.1001
"""So much may a printed average differ: it is rounded, or made of rounded cells."""
_HALF_DIGIT = 0.0501
"""So much may a cell in percent differ, that is rounded to one digit."""
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
    "": "avg",
    "avg": "avg",
    "average": "avg",
    "overall": "avg",
    "mean": "avg",
    "total": "avg",
    "sr": "avg",
    "all": "avg",
    "success": "avg",
    "env": "environment",
    "suite": "environment",
    "benchmark": "environment",
    "common": "common_sense",
    "complex": "complex_instruction",
    "long": "long_horizon",
    "visual": "visual_appearance",
    "spatial_relationship": "spatial",
}
"""How tables head their columns, in small letters, and what the columns are called here."""
# The end of a heading that says that its column has rates: "base_success_rate".
_RATE = re.compile(
    r"_*(?:task_|avg_|average_|overall_)?(?:success_rate|success|sr|score)(?:_avg)?$"
)
# An environment in a heading: "EB-ALFRED", "eb_nav".
_ENVIRONMENT = re.compile(r"eb[ _-]?(alf|hab|nav|man)[a-z]*", re.IGNORECASE)
_SHORT = {"alf": ALFRED, "hab": HABITAT, "nav": NAVIGATION, "man": MANIPULATION}


class _Cell(NamedTuple):
    """A rate in a table.

    Args:
        heading: Its heading as it is written.
        name: The subset, or ``"avg"``.
        percent: The rate in percent.
        within: By how much it may differ from the exact rate, because it is rounded.
    """

    heading: str
    name: str
    percent: float
    within: float


def audit_table(rows: Iterable[Mapping[str, str]], suite: str = "") -> Iterator[AuditFinding]:
    """Yield rates that no count of solved tasks gives, and averages of other numbers.

    The environment of a cell stands in a column of its own, in its heading ("EB-ALFRED Avg", which
    counts for the headings behind it, too), or is the suite. The model stands under ``model``;
    rates, in percent or as shares, under the subsets and ``avg`` or ``success_rate``. A row without
    any of these is refused.
    """
    for number, row in enumerate(rows, start=2):  # the first line has the headings
        model = _model_of(row)
        for environment, cells in _rates_by_environment(row, number, suite).items():
            yield from _check_cells(environment, cells, f"{environment} {model}", number)


def _model_of(row: Mapping[str, str]) -> str:
    """Return the model of a row, or a question mark if it names none."""
    words = {str(key).strip().lower(): str(row[key]) for key in row if key}
    for heading in ("model", "model_name", "name"):
        if heading in words:
            return words[heading]
    return "?"


def _rates_by_environment(
    row: Mapping[str, str], number: int, suite: str
) -> dict[str, list[_Cell]]:
    """Return the rates in a row by environment.

    Args:
        row: Heading to cell.
        number: Line of the row in its file.
        suite: The environment of a row that names none.

    Raises:
        InputError: If no column has rates, or their environment is named nowhere.
    """
    # Heading to the environment that it names ("" for none), and to the name of the column.
    headings = {key: _heading(key) for key in row if key}
    rate_headings = [key for key, (_, name) in headings.items() if _is_rate(name)]
    if not rate_headings:
        raise InputError(
            "no column has rates",
            where=f"line {number}",
            expected=f"headings such as {', '.join(SUBSETS)}, avg, success_rate",
            mend="rename the columns; found: " + ", ".join(map(str, headings)),
        )
    environment = _environment_of(row, headings, number, suite)
    is_share = _are_shares([row[key] for key in rate_headings])
    cells: dict[str, list[_Cell]] = {}
    for key, (named_environment, name) in headings.items():
        if named_environment:
            # It applies to the columns behind this one, too.
            environment = named_environment
        is_unnamed = name == "avg" and not named_environment and not key.strip()
        if key not in rate_headings or is_unnamed:
            continue
        if not environment:
            raise _no_environment(number)
        cell = _read_cell(key, name, row[key], is_share=is_share)
        if cell is not None:
            cells.setdefault(environment, []).append(cell)
    return cells


def _no_environment(number: int) -> InputError:
    """Return the error for a row that names no environment."""
    return InputError(
        "no column names the suite of a row",
        where=f"line {number}",
        expected="a column `environment`, or headings such as `EB-ALFRED Avg`",
        mend="--suite NAME names the suite of all rows",
    )


def _read_cell(heading: str, name: str, text: str, *, is_share: bool) -> _Cell | None:
    """Return a cell with its rate in percent, or None if it has no number.

    Args:
        heading: The heading as it is written.
        name: The subset that it means, or ``"avg"``.
        text: The cell.
        is_share: Whether rates are shares from 0 to 1.
    """
    value = _percent(text)
    if value is None:
        return None
    if is_share:
        # Half a unit of the last digit, in percent, and a little for the binary number.
        return _Cell(heading.strip(), name, 100 * value, 50.0001 / 10 ** _decimals(text))
    within = _ROUNDING if name == "avg" else _HALF_DIGIT
    return _Cell(heading.strip(), name, value, within)


def _heading(text: str) -> tuple[str, str]:
    """Return the environment in a heading, or "", and the column's name in this package.

    Example:
        >>> _heading("EB-ALFRED Avg (%)"), _heading("base_success_rate")
        (('eb-alfred', 'avg'), ('', 'base'))
    """
    match = _ENVIRONMENT.search(text)
    environment = ""
    remaining_text = text
    if match:
        environment = _SHORT[match[1].lower()]
        remaining_text = text.replace(match[0], " ")
    without_units = re.sub(r"\(.*?\)|%|↑", " ", remaining_text.lower())
    # "Avg (%)" -> "avg", "base_success_rate" -> "base"
    letters = re.sub(r"[^a-z]+", "_", without_units).strip("_")
    name = "avg" if letters == "success" else _RATE.sub("", letters)
    is_rate = _RATE.search(text.lower().strip().replace(" ", "_"))
    if not name and not match and not is_rate:
        return "", text  # a heading without letters
    return environment, _HEADINGS.get(name, name)


def _is_rate(name: str) -> bool:
    return name == "avg" or name in SUBSETS


def _are_shares(cells: Iterable[str]) -> bool:
    """Return whether the rates of a row are shares and not percent.

    0.41 is a share; 0.1 may also be a tenth of a percent.
    """
    has_share = False
    for cell in cells:
        value = _percent(cell)
        if value is None:
            continue
        if value > 1:
            return False
        has_share = has_share or (0 < value < 1 and _decimals(cell) > 1)
    return has_share


def _environment_of(
    row: Mapping[str, str], headings: Mapping[str, tuple[str, str]], number: int, suite: str
) -> str:
    """Return the environment in a column of its own, or else that of the suite.

    Of several such columns the first that is filled counts. If none is filled, it is "".

    Args:
        row: Heading to cell.
        headings: Heading to the environment in it and to the name of the column.
        number: Line of the row in its file.
        suite: The environment of a table that names none.
    """
    # "env", "suite" and "benchmark" are other headings for this column.
    cells = [row[key].strip() for key, (_, name) in headings.items() if name == "environment"]
    if not cells:
        return suite
    filled_cells = [cell for cell in cells if cell]
    if not filled_cells:
        return ""
    environment = environment_named(filled_cells[0])
    if not environment:
        raise InputError(
            f"{filled_cells[0]!r} is not an environment",
            where=f"line {number}",
            expected=", ".join(SIZES),
            mend="a column `environment`, or --suite",
        )
    return environment


def _decimals(cell: str) -> int:
    """Return the number of digits behind the point, or comma, of a cell."""
    number = str(cell).strip().rstrip("%").replace(",", ".")
    return len(number.partition(".")[2])


def _check_cells(
    environment: str, cells: Sequence[_Cell], about: str, line: int
) -> Iterator[AuditFinding]:
    """Yield rates that no count of solved tasks gives, and an average of other numbers.

    Args:
        environment: The environment, which says how many tasks a subset has.
        cells: The rates of one row.
        about: Environment and model, for findings.
        line: Line of the row in its file.
    """
    weighted_sum = 0.0  # of the rates in percent, each times the number of its tasks
    n_tasks = 0
    for cell in cells:
        if cell.name == "avg":
            continue
        size = _subset_size(environment, cell.name)
        nearest_rate = _nearest_rate(cell.percent, size)
        n_tasks += size
        is_possible = abs(nearest_rate - cell.percent) <= cell.within
        # The exact rate counts, as the mean of rounded ones may differ from the average.
        weighted_sum += size * (nearest_rate if is_possible else cell.percent)
        if not is_possible:
            text = f"{cell.percent} is not a possible rate of {size} tasks"
            text = f"{text}; the nearest is {nearest_rate:.1f}"
            yield AuditFinding("cell", about, text, f"line {line}: {cell.heading}")
    averages = [cell for cell in cells if cell.name == "avg"]
    if not averages:
        return
    average = averages[0]
    where = f"line {line}: {average.heading}"
    if n_tasks and abs(weighted_sum / n_tasks - average.percent) > average.within:
        text = f"{average.percent:g} is not the mean of its cells, {weighted_sum / n_tasks:.2f}"
        yield AuditFinding("average", about, text, where)
    # Without rates of subsets, the average has to be a rate of all tasks.
    if not n_tasks and not _is_possible_average(average, environment):
        size = max(_possible_totals(environment))
        text = f"{average.percent} is not a possible rate of {size} tasks"
        yield AuditFinding("cell", about, text, where)


def _subset_size(environment: str, subset: str) -> int:
    """Return the number of tasks in a subset of an environment."""
    if environment == MANIPULATION and subset == "visual_appearance":
        return _SMALL_SUBSET
    return SIZES[environment]


def _is_possible_average(average: _Cell, environment: str) -> bool:
    """Return whether a lone average can be the rate over some subsets of an environment."""
    for size in _possible_totals(environment):
        rate = _nearest_rate(average.percent, size)
        if abs(rate - average.percent) <= average.within:
            return True
    return False


def _nearest_rate(percent: float, size: int) -> float:
    """Return the rate in percent, of so many tasks, that is nearest to a number."""
    solved = round(percent * size / 100)
    return 100 * min(max(solved, 0), size) / size


def _possible_totals(environment: str) -> list[int]:
    """Return the numbers of tasks that combinations of subsets have."""
    size = SIZES[environment]
    # A table may give the average of some subsets alone, so that each number of them is tried.
    if environment != MANIPULATION:
        return [size * count for count in range(1, 7)]
    with_small = [_SMALL_SUBSET + size * count for count in range(5)]
    return [*(size * count for count in range(1, 5)), *with_small]


def _percent(cell: object) -> float | None:
    """Return the number in a cell, ``41.7``, ``41,7`` or ``41.7%``, or None."""
    try:
        value = float(str(cell).strip().rstrip("%").replace(",", "."))
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
        The rows. Rows of success rates also have a Wilson confidence interval, and ``faults``:
        the findings of :func:`audit_table`.

    Raises:
        UnknownNameError: If there is no such table.
    """
    stored = shipped("results.json")
    if table not in stored:
        raise UnknownNameError("table", table, stored)
    rows = []
    for source, environments in stored[table].items():
        for environment, models in environments.items():
            for model, cells in models.items():
                row = {"source": source, "environment": environment, "model": model, **cells}
                # Only success rates are shares of a known number of tasks.
                if table == "success_rate":
                    row |= _certainty(row)
                rows.append(row)
    return rows


def _certainty(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the confidence interval of a published success rate, and faults in its row."""
    # All tasks: four subsets of 48 and one of 36, or of other environments 300.
    size = 228 if row["environment"].lower() == MANIPULATION else 300
    solved = round(float(row["avg"]) * size / 100)
    cells = {key: value for key, value in row.items() if key != "source"}
    return {
        "interval": wilson(solved, size),
        "faults": [finding.message for finding in audit_table([cells])],
    }


def published_rows() -> list[Published]:
    """Return the published numbers as rows of a leaderboard of recorded runs."""
    published: list[Published] = []
    for table, cell, metric in _METRICS:
        # A table has only some of the columns for some of the models.
        for row in published_results(table):
            if cell not in row:
                continue
            published.append(
                Published(
                    model=row["model"],
                    suite=str(row["environment"]).lower(),
                    ability="recorded",
                    metric=metric,
                    value=float(row[cell]),
                    semantics=f"official ({OFFICIAL_VERSION})",
                    source=f"EmbodiedBench, {row['source']}",
                )
            )
    return published
