"""The truth of a goal and its parts while a plan runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eai.contract import Suite
from eai.errors import InputError
from eai.report.explanation import explain
from eai.report.record import Record

if TYPE_CHECKING:
    from eai.logic.picture.plot import Figure

__all__ = ["plot_truth"]


def plot_truth(record: Record, *, suite: str | Suite | None = None) -> Figure:
    """Draw for every step of an answer which parts of the goal are true after it.

    Args:
        record: One judged answer.
        suite: Its suite, if the record's name does not lead to it.

    Raises:
        InputError: If the answer is no plan, or if its goal or its plan is too long to be drawn.
        MissingExtraError: If matplotlib is not installed.
    """
    picture = explain(record, suite=suite).picture
    if picture is None:
        raise InputError(
            f"there is no picture of {record.task}",
            expected="an answer that is a plan, and a goal formula with few parts",
            mend="draw a part: eai.logic.picture.truth_table(formula, trajectory).plot()",
        )
    return picture.plot()
