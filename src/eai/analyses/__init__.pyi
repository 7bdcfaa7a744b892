from .datasets import (
    annotation_faults as annotation_faults,
    dataset_statistics as dataset_statistics,
)
from .operators import mixed_action_spaces as mixed_action_spaces
from .reports import (
    behaviour_rates as behaviour_rates,
    compare_pipeline as compare_pipeline,
    distinctions as distinctions,
    error_breakdown as error_breakdown,
    factor_correlations as factor_correlations,
    factor_rates as factor_rates,
    group_rates as group_rates,
    part_rates as part_rates,
    run_statistics as run_statistics,
)
