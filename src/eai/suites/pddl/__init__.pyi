from .kinds import WORDINGS as WORDINGS, known_kind as known_kind
from .suite import Pddl as Pddl, read_phrases as read_phrases
from .tasks import Asking as Asking, PddlTask as PddlTask
from .validation import (
    Diagnosis as Diagnosis,
    Validator as Validator,
    diagnose as diagnose,
    published_lines as published_lines,
)
