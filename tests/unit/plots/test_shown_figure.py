"""Figures show themselves."""

from __future__ import annotations

from eai.logic import ShownFigure
from eai.plots.drawing import empty_figure


def test_a_notebook_gets_a_png() -> None:
    figure, _ = empty_figure(2, 1)
    assert isinstance(figure, ShownFigure)
    assert figure._repr_png_().startswith(b"\x89PNG")
