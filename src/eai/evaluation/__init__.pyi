from .evaluation import (
    evaluate as evaluate,
)
from .model_outputs import (
    answers_in as answers_in,
    lines_on_skipped_files as lines_on_skipped_files,
)
from .options import EvaluationOptions as EvaluationOptions
from .overview import (
    Overview as Overview,
    Progress as Progress,
    ability_rank as ability_rank,
    evaluate_outputs as evaluate_outputs,
    evaluate_parts as evaluate_parts,
    published_of as published_of,
    read_run as read_run,
    write_first_page as write_first_page,
)
from .parts import parts_of as parts_of
