"""Pictures of reports and plans, drawn by matplotlib (extra ``plot``).

Every function returns a figure that belongs to no window: save it with ``savefig``; a notebook
shows it.
"""

from eai.plots.reports import (
    plot_abilities,
    plot_categories,
    plot_comparison,
    plot_errors,
    plot_success_by_length,
    plot_truth,
)

__all__ = [
    "plot_abilities",
    "plot_categories",
    "plot_comparison",
    "plot_errors",
    "plot_success_by_length",
    "plot_truth",
]
