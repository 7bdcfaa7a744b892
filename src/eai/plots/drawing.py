"""What all pictures share: an empty figure, colours, and text that nothing may steer."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from eai.errors import InputError, MissingExtraError
from eai.report import Report
from eai.text import short

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#f0e442", "#777777")
"""Colours that people with any colour vision tell apart (M. Okabe and K. Ito, 2008)."""

_LONGEST = 40


def colour(place: int) -> str:
    """Return the colour of the model, or kind, at a place; they repeat after eight."""
    return COLOURS[place % len(COLOURS)]


def empty_figure(width: float, height: float, *, polar: bool = False) -> tuple[Figure, Axes]:
    """Return a figure and its axes.

    Raises:
        MissingExtraError: If matplotlib is not installed.
    """
    try:
        import_module("matplotlib.figure")
    except ImportError as error:
        raise MissingExtraError("matplotlib", extra="plot", purpose="a picture") from error
    from eai.logic import ShownFigure  # takes matplotlib

    figure = ShownFigure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot(projection="polar" if polar else None)
    for side in ("top", "right"):
        if not polar:
            axes.spines[side].set_visible(False)
    return figure, axes


def plain(text: str) -> str:
    """Return a text as it is shown: short, on one line; a dollar sign starts no formula."""
    return short(text, _LONGEST).replace("$", r"\$")


def name_bars(axes: Axes, names: Sequence[str]) -> None:
    """Write names beside horizontal bars, the first on top."""
    axes.set_yticks(range(len(names)), [plain(name) for name in names])
    axes.invert_yaxis()


def title(figure: Figure, text: str, about: object = "", *, legend: int = 0) -> None:
    """Write above everything what is seen, and of what; and a legend of columns below."""
    lines = "\n".join(filter(None, (text, str(about)))).replace("$", r"\$")
    figure.suptitle(lines, x=0.01, ha="left", fontsize="small", wrap=True)
    if legend:
        figure.legend(loc="outside lower center", ncols=legend, fontsize="small", frameon=False)


def require_records(report: Report, records: Sequence[Any], what: str) -> None:
    """Refuse to draw nothing.

    Raises:
        InputError: If there are no records.
    """
    if not records:
        raise InputError(
            f"there is nothing to draw: {report.setting} has no {what}",
            expected="a report with at least one evaluated item",
        )
