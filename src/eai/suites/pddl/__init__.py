"""The suite ``pddl:FOLDER``: any planning benchmark whose domains and problems are PDDL files."""

from eai.suites.pddl.suite import Asking, Pddl, PddlTask, read_phrases
from eai.suites.pddl.validation import Diagnosis, Validator, diagnose, published_lines

__all__ = [
    "Asking",
    "Diagnosis",
    "Pddl",
    "PddlTask",
    "Validator",
    "diagnose",
    "published_lines",
    "read_phrases",
]
