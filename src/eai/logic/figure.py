"""A figure that notebooks show (needs matplotlib)."""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure


class ShownFigure(Figure):
    """A figure that notebooks display as the value of a cell.

    By themselves notebooks show figures of ``pyplot`` only, which keeps every figure alive.
    """

    def _repr_png_(self) -> bytes:
        """Return the figure as IPython asks for it."""
        written = BytesIO()
        self.savefig(written, format="png")
        return written.getvalue()
