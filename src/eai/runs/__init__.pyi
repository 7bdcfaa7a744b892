from .evaluator import Evaluator as Evaluator
from .folder import (
    RunFolder as RunFolder,
    RunTarget as RunTarget,
    refuse_file_name as refuse_file_name,
)
from .matching import (
    chosen_tasks as chosen_tasks,
    fit as fit,
    formats_of as formats_of,
    knows_task as knows_task,
    refuse_others as refuse_others,
    remarks as remarks,
    several as several,
)
from .omissions import left_out as left_out
from .run import Progress as Progress
from .workers import (
    checked_workers as checked_workers,
    executor_of as executor_of,
    reference_to as reference_to,
)
