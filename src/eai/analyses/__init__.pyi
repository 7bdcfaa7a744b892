from .datasets import (
    annotation_faults as annotation_faults,
    categorize as categorize,
    dataset_statistics as dataset_statistics,
    task_categories as task_categories,
)
from .operators import mixed_action_spaces as mixed_action_spaces, sensitivity as sensitivity
from .reports import (
    compare_pipeline as compare_pipeline,
    error_breakdown as error_breakdown,
    factor_correlations as factor_correlations,
    factor_rates as factor_rates,
    group_rates as group_rates,
    part_rates as part_rates,
    run_statistics as run_statistics,
)
