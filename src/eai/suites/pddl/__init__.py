"""The suite ``pddl:FOLDER``: any planning benchmark whose domains and problems are PDDL files."""

from eai.suites.pddl.acpbench import known_kind
from eai.suites.pddl.kinds import WORDINGS
from eai.suites.pddl.suite import Pddl, read_phrases
from eai.suites.pddl.tasks import Asking, PddlTask
from eai.suites.pddl.validation import Diagnosis, Validator, diagnose, published_lines

__all__ = [
    "WORDINGS",
    "Asking",
    "Diagnosis",
    "Pddl",
    "PddlTask",
    "Validator",
    "diagnose",
    "known_kind",
    "published_lines",
    "read_phrases",
]
