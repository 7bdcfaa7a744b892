from .evaluator import Evaluator as Evaluator
from .folder import (
    RunFolder as RunFolder,
    RunTarget as RunTarget,
    refuse_file_name as refuse_file_name,
)
from .matching import (
    as_list as as_list,
    chosen_tasks as chosen_tasks,
    formats_of as formats_of,
    knows_task as knows_task,
    match_answers as match_answers,
    notes_on_answers as notes_on_answers,
    refuse_others as refuse_others,
)
from .omissions import left_out as left_out, listed_ids as listed_ids
from .run import Progress as Progress
from .workers import (
    checked_workers as checked_workers,
    executor_of as executor_of,
    reference_to as reference_to,
)
