from .evaluator import Evaluator as Evaluator
from .folder import RunFolder as RunFolder, refuse_file_name as refuse_file_name
from .matching import (
    chosen_tasks as chosen_tasks,
    fit as fit,
    refuse_others as refuse_others,
    remarks as remarks,
    several as several,
)
from .run import Progress as Progress
from .workers import checked_workers as checked_workers, reference_to as reference_to
