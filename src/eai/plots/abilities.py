"""The abilities of models side by side, as a radar."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from eai.errors import InputError, told
from eai.overview import COLUMNS, Overview
from eai.plots.drawing import colour, empty_figure, plain, title

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_abilities"]


def plot_abilities(overview: Overview, suite: str) -> Figure:
    """Draw the metrics of the paper's Table 3 for one suite, a line a model.

    Args:
        overview: The reports of all abilities (see :func:`eai.evaluate_outputs`).
        suite: Name of the suite.

    Raises:
        InputError: If the overview has fewer than three metrics of the suite.
        MissingExtraError: If matplotlib is not installed.
    """
    if not isinstance(overview, Overview):
        raise InputError(
            f"{told(overview)} is no overview",
            expected="what eai.evaluate_outputs returns: the reports of all abilities",
        )
    axes_of = [
        (ability, key, f"{ability.replace('_', chr(10))}\n{head}")
        for ability, columns in COLUMNS.items()
        for key, head in columns
        if ability in overview.reports.get(suite, {})
    ]
    if len(axes_of) < 3:
        raise InputError(
            f"the overview has {len(axes_of)} metrics of the suite {suite!r}",
            expected="at least three, so that they span an area",
            mend=f"evaluate more abilities of: {', '.join(overview.reports) or 'a suite'}",
        )
    figure, axes = empty_figure(7, 6.5, polar=True)
    angles = [2 * math.pi * place / len(axes_of) for place in range(len(axes_of))]
    for place, model in enumerate(overview.models):
        values = [overview.value(suite, ability, key, model=model) for ability, key, _ in axes_of]
        if all(value is None for value in values):
            continue
        line = [math.nan if value is None else value for value in values]
        axes.plot(
            [*angles, angles[0]],
            [*line, line[0]],
            marker="o",
            color=colour(place),
            label=plain(model),
        )
    axes.set_xticks(angles, [text for _, _, text in axes_of], fontsize="small")
    axes.set_ylim(0, 100)
    title(figure, f"{plain(suite)} (%)")
    figure.legend(loc="outside lower center", ncols=3, fontsize="small", frameon=False)
    return figure
