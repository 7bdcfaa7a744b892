"""Pictures of truth over time, drawn by matplotlib (imported when a picture is drawn)."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

from eai.errors import MissingExtraError
from eai.logic.picture.rows import Picture

__all__ = ["Figure", "plot"]


class Figure(Protocol):
    """A figure of matplotlib (``matplotlib.figure.Figure``)."""

    def savefig(self, fname: object) -> None:
        """Write the figure to a file."""
        ...


def plot(picture: Picture) -> Figure:
    """Draw a picture: dark where a subformula is true.

    The figure belongs to no window: a notebook shows it, ``savefig`` writes it.

    Raises:
        MissingExtraError: If matplotlib is not installed.
    """
    try:
        import_module("matplotlib.figure")
        colors = import_module("matplotlib.colors")
    except ImportError as error:
        purpose = "a picture of truth over time"
        raise MissingExtraError("matplotlib", extra="plot", purpose=purpose) from error
    figures = import_module("eai.logic.picture.figure")
    columns, rows = len(picture.positions), len(picture.rows)
    figure = figures.ShownFigure(figsize=(3 + 0.3 * columns, 1 + 0.3 * rows), layout="constrained")
    axes = figure.subplots()
    values = [[row.truth >> place & 1 for place in picture.positions] for row in picture.rows]
    axes.imshow(
        values, cmap=colors.ListedColormap(["#f2f2f2", "#2a7f62"]), vmin=0, vmax=1, aspect="auto"
    )
    axes.set_xticks(range(columns), picture.labels)
    axes.set_yticks(range(rows), ["  " * row.depth + row.text for row in picture.rows])
    for label in axes.get_yticklabels():
        label.set_parse_math(False)
    axes.set_xlabel("after step")
    for place, (before, after) in enumerate(
        zip(picture.positions, picture.positions[1:], strict=False)
    ):
        if after > before + 1:
            axes.axvline(place + 0.5, color="black", linestyle=":")
    figure.suptitle("\n".join(picture.notes), x=0.01, ha="left", fontsize="small")
    drawn: Figure = figure
    return drawn
