"""Plans in answers: what models write, read as steps, and their names looked up."""

from eai.abilities.answers.binding import Binder, bind
from eai.abilities.answers.plan import AnswerProblem, BoundPlan, PlanReading, ReadStep
from eai.abilities.answers.reader import read_plan

__all__ = [
    "AnswerProblem",
    "Binder",
    "BoundPlan",
    "PlanReading",
    "ReadStep",
    "bind",
    "read_plan",
]
