from .items import EXAMPLE as EXAMPLE, NOBODY as NOBODY
from .loading import (
    Predictions as Predictions,
    distinct_names as distinct_names,
    is_prediction_file as is_prediction_file,
    load_all as load_all,
    load_predictions as load_predictions,
)
