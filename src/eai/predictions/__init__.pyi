from .collecting import NOBODY as NOBODY, Predictions as Predictions, Reading as Reading
from .containers import Entry as Entry, zip_entries as zip_entries
from .layouts import EXAMPLE as EXAMPLE
from .loading import (
    distinct_names as distinct_names,
    is_prediction_file as is_prediction_file,
    load_all as load_all,
    load_entry as load_entry,
    load_predictions as load_predictions,
    stem_of as stem_of,
)
