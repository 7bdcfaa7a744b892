"""What the operators of an answer do, compared with what the annotated ones do."""

from __future__ import annotations

from eai.abilities.transition_modeling.behaviour import Behaviour, Sampling, compare_behaviour
from eai.abilities.transition_modeling.plans import PlanCheck, check_plans
from eai.semantics import Semantics
from eai.suites.transition.environment import Environment
from eai.suites.transition.written import NO_OPERATORS, read_answer, usable_operators
from eai.world.action import Action

__all__ = ["compare_answer"]


def compare_answer(
    environment: Environment,
    task: str,
    answer: str,
    semantics: Semantics,
    *,
    sampling: Sampling | None = None,
) -> tuple[Behaviour, PlanCheck]:
    """Compare transitions of the operators that a task asks for, and plans of both models.

    Operators that a planner would refuse are never applicable.

    Args:
        environment: The environment.
        task: A task that asks for operators.
        answer: What the model wrote.
        semantics: How it is read, and which operators can be used.
        sampling: How much is looked at.

    Raises:
        UnknownNameError: If there is no such task.
    """
    written = read_answer(environment, answer, semantics) or NO_OPERATORS
    usable = usable_operators(environment, written, semantics)
    operators = () if isinstance(usable, str) else usable
    gold = environment.domain_with(environment.operators.values())
    problem = environment.problem(task)
    annotated = [
        Action(name.lower(), tuple([argument.lower() for argument in arguments]))
        for name, *arguments in environment.gold_plan(task)
    ]
    behaviour = compare_behaviour(
        gold,
        {operator.name: operator for operator in operators},
        problem,
        plans=[annotated],
        names=[name.lower() for name in environment.model.demands[task].operators],
        sampling=sampling,
    )
    own = environment.plan(task, operators).plan
    checks = check_plans(
        gold,
        environment.domain_with(operators),
        problem,
        own=[] if own is None else [own],
        annotated=[annotated],
    )
    return behaviour, checks
