"""Transition modeling of EB-Habitat: which operators a task asks for, and its problem in PDDL."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, cached_property

from eai.abilities import OperatorText
from eai.data import read_text
from eai.diagnosis import Result
from eai.logic import Formula
from eai.pddl import Problem, format_problem
from eai.semantics import Semantics
from eai.suites.embodiedbench.habitat import domain, load_task, records
from eai.suites.transition.data import ActionModel, Demand
from eai.suites.transition.environment import OperatorEnvironment
from eai.suites.transition.evaluation import evaluate_operators
from eai.suites.transition.operators import Annotated
from eai.suites.transition.prompts import operator_prompt
from eai.task import Task

# An operator of the domain's text: its name, parameters, precondition and effect.
_OPERATOR = re.compile(
    r"\(:action (\S+)\s+:parameters (\(.*?\))\s+(?::precondition (.*?)\s+)?:effect (.*?)\)"
    r"\s*(?=\(:action|;|\)\s*$)",
    re.DOTALL,
)
_SPATIAL = ("robot_at_closest", "robot_at", "robot_at_obj", "on_top", "in")


class HabitatOperators:
    """The domain of EB-Habitat, from which tasks for transition modeling are made."""

    environment = "eb_habitat"

    @cached_property
    def model(self) -> ActionModel:
        """Action model that all tasks share.

        A task asks for the operators of its reference plan.
        """
        head, _, rest = read_text("domains/eb_habitat/domain.pddl").partition("(:action")
        operators = {}
        for match in _OPERATOR.finditer("(:action" + rest):
            name, parameters, precondition, effect = match.groups()
            # Answers write "()" for an operator without a precondition.
            operators[name] = OperatorText(name, parameters, precondition or "()", effect)
        demands = {}
        for task_id, record in records().items():
            operator_names = dict.fromkeys(step.name for step in load_task(record, "").plans[0])
            demands[task_id] = Demand(tuple(operator_names), (record.subset,))
        categories = dict.fromkeys(domain().predicates, "object_states")
        categories |= dict.fromkeys(_SPATIAL, "spatial_relations")
        del categories["one_stop"]  # it is about distances, and belongs to no category
        return ActionModel(head, operators, categories, demands)

    @staticmethod
    def problem(task: Task) -> str:
        """Write a task as a planning problem."""
        start, goal = task.start, task.goal.formula
        objects = start.universe.objects
        assert isinstance(goal, Formula)  # noqa: S101 (every task of the suite has one)
        name = task.id.replace("/", "-")
        return format_problem(Problem(name, domain().name, objects, tuple(start.atoms()), goal))

    def task(self, task_id: str) -> Task:
        """Return a task with its problem, as :class:`OperatorEnvironment` asks for it."""
        task = load_task(records()[task_id], "")
        return replace(task, metadata={"problem": self.problem(task)})


_operators = cache(HabitatOperators)


@cache
def environment() -> OperatorEnvironment:
    """Return EB-Habitat as a planning domain."""
    return OperatorEnvironment(_operators())


def evaluate(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer (see :class:`eai.contract.suite.Ability`)."""
    return evaluate_operators(environment(), task.id, answer, semantics)


def annotated() -> Annotated:
    """Return the operators that predicted ones can take the place of."""
    return Annotated(environment())


def prompt(task: Task) -> str | None:
    """Ask for the operators of a task."""
    return operator_prompt(_operators(), task)
