"""Analyses of reports and of datasets, one call each.

Most are those of the Embodied Agent Interface's appendix (sections E, F, G, L, M).

Every analysis returns an :class:`~eai.table.Table`: rows with their
counts, and notes that say what was left out.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eai.analyses.annotations import annotation_faults
    from eai.analyses.breakdown import error_breakdown
    from eai.analyses.categories import categorize, category_counts, task_categories
    from eai.analyses.factors import factor_correlations, factor_rates, part_rates
    from eai.analyses.groups import group_rates
    from eai.analyses.mixed import mixed_action_spaces
    from eai.analyses.operator_sensitivity import sensitivity
    from eai.analyses.pipeline import compare_pipeline
    from eai.analyses.runs import run_statistics
    from eai.analyses.statistics import dataset_statistics
    from eai.table import Table

_HOMES = {
    "Table": "eai.table",
    "annotation_faults": "eai.analyses.annotations",
    "categorize": "eai.analyses.categories",
    "category_counts": "eai.analyses.categories",
    "compare_pipeline": "eai.analyses.pipeline",
    "dataset_statistics": "eai.analyses.statistics",
    "error_breakdown": "eai.analyses.breakdown",
    "factor_correlations": "eai.analyses.factors",
    "factor_rates": "eai.analyses.factors",
    "group_rates": "eai.analyses.groups",
    "mixed_action_spaces": "eai.analyses.mixed",
    "part_rates": "eai.analyses.factors",
    "run_statistics": "eai.analyses.runs",
    "sensitivity": "eai.analyses.operator_sensitivity",
    "task_categories": "eai.analyses.categories",
}

__all__ = [
    "Table",
    "annotation_faults",
    "categorize",
    "category_counts",
    "compare_pipeline",
    "dataset_statistics",
    "error_breakdown",
    "factor_correlations",
    "factor_rates",
    "group_rates",
    "mixed_action_spaces",
    "part_rates",
    "run_statistics",
    "sensitivity",
    "task_categories",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name not in _HOMES:
        raise AttributeError(f"module 'eai.analyses' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
