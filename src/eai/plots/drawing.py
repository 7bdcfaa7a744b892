"""Shared parts of all pictures: an empty figure, colours, and safe text."""

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

_MAX_NAME = 40
"""Maximum number of characters of a name."""


def colour(index: int) -> str:
    """Return the colour of a model by its index; colours repeat after eight."""
    return COLOURS[index % len(COLOURS)]


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


def plain_label(text: str) -> str:
    """Return a text as it is shown: short, on one line, with dollar signs that start no formula."""
    return short(text, _MAX_NAME).replace("$", r"\$")


def name_bars(axes: Axes, names: Sequence[str]) -> None:
    """Write names beside horizontal bars, the first on top."""
    axes.set_yticks(range(len(names)), [plain_label(name) for name in names])
    axes.invert_yaxis()  # matplotlib counts rows from below


def add_title(figure: Figure, text: str, subject: object = "", *, legend: int = 0) -> None:
    """Add a title above a figure, and a legend below it.

    Args:
        figure: The figure.
        text: The title.
        subject: Subject of the figure, such as the setting of a report.
        legend: Number of columns of the legend; 0 for no legend.
    """
    title_lines = "\n".join(filter(None, (text, str(subject)))).replace("$", r"\$")
    figure.suptitle(title_lines, x=0.01, ha="left", fontsize="small", wrap=True)
    if legend:
        figure.legend(loc="outside lower center", ncols=legend, fontsize="small", frameon=False)


def require_records(report: Report, records: Sequence[Any], noun: str) -> None:
    """Raise an error if there is nothing to draw.

    Raises:
        InputError: If there are no records.
    """
    if not records:
        raise InputError(
            f"there is nothing to draw: {report.setting} has no {noun}",
            expected="a report with at least one evaluated item",
        )
