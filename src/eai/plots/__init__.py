"""Pictures of reports and plans, drawn by matplotlib (extra ``plot``).

Every function returns a figure that belongs to no window: save it with ``savefig``; a notebook
shows it.
"""

from eai.plots.abilities import plot_abilities
from eai.plots.categories import plot_categories
from eai.plots.causal import plot_causes
from eai.plots.errors import plot_errors
from eai.plots.length import plot_success_by_length
from eai.plots.truth import plot_truth

__all__ = [
    "plot_abilities",
    "plot_categories",
    "plot_causes",
    "plot_errors",
    "plot_success_by_length",
    "plot_truth",
]
