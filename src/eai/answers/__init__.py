"""Plans in answers: what models write, read as steps, and their names looked up."""

from eai.answers.binding import Binder, bind
from eai.answers.plan import AnswerProblem, BoundPlan, PlanReading, ReadStep
from eai.answers.reader import read_plan

__all__ = [
    "AnswerProblem",
    "Binder",
    "BoundPlan",
    "PlanReading",
    "ReadStep",
    "bind",
    "read_plan",
]
