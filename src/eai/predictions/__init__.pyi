from .collecting import NOBODY as NOBODY, Predictions as Predictions, Reading as Reading
from .entries import Entry as Entry, zip_entries as zip_entries
from .folders import is_prediction_file as is_prediction_file, stem_of as stem_of
from .layouts import EXAMPLE as EXAMPLE
from .loading import (
    load_all as load_all,
    load_entry as load_entry,
    load_predictions as load_predictions,
)
from .naming import distinct_names as distinct_names
