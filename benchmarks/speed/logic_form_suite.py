"""VirtualHome without the planner: transition modeling evaluated by its logic form only.

    PYTHONPATH=benchmarks eai evaluate logic_form_suite:LogicForm FILE --ability transition_modeling

`vs_eai_eval.py` measures it against the published evaluator with its planner switched off.
"""

from __future__ import annotations

from collections.abc import Mapping

from eai.contract import Ability
from eai.diagnosis import Result
from eai.semantics import Semantics
from eai.suites.transition.environment import environment
from eai.suites.transition.evaluation import evaluate_operators
from eai.suites.virtualhome import VirtualHome
from eai.task import Task


def evaluate_logic_form(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate the operators of an answer; no plan is searched."""
    shared = environment("virtualhome")
    return evaluate_operators(shared, task.id, answer, semantics, planning=False)


class LogicForm(VirtualHome):
    """The tasks of VirtualHome; planner success, which the report shows too, is 0."""

    name = "virtualhome-logic-form"
    title = "Embodied Agent Interface, VirtualHome: logic form only"
    abilities: Mapping[str, Ability] = {"transition_modeling": Ability(evaluate_logic_form)}
