"""Plans tested with pytest: two fixtures, and an assertion that tells the explanation of a failure.

pytest loads this module in every run, so nothing else of the package is imported before a test
asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

import pytest

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.diagnosis import Result
    from eai.task import Task
    from eai.world import Action

    Plan = str | Iterable[str | Action]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the configuration of pytest name the suite."""
    parser.addini("eai_suite", "suite of the fixtures of eai (name or module:attribute)")


@pytest.fixture(scope="session")
def eai_suite(request: pytest.FixtureRequest) -> Suite:
    """The suite named by the option ``eai_suite``, by default ``household``.

    ``@pytest.mark.parametrize("eai_suite", ["virtualhome"], indirect=True)`` chooses another one.
    """
    from eai.contract.registry import suite
    from eai.suites import SAMPLES

    # A test's own choice comes before that of the configuration.
    ability_name = getattr(request, "param", None) or request.config.getini("eai_suite")
    return suite(cast("str", ability_name or SAMPLES))


@pytest.fixture(scope="session")
def eai_evaluate(eai_suite: Suite) -> Callable[..., Result]:
    """Evaluates an answer: ``eai_evaluate(task, answer, ability=..., semantics=...)``."""
    from eai.contract import chosen_ability

    def evaluate(
        task: str | Task, answer: Plan, *, ability: str | None = None, semantics: str | None = None
    ) -> Result:
        profile = eai_suite.semantics(semantics or eai_suite.default_semantics)
        ability_name = chosen_ability(eai_suite, ability)
        return eai_suite.evaluate(
            ability_name, _find_task(eai_suite, task), _answer_text(answer), profile
        )

    return evaluate


def assert_plan_works(
    task: str | Task, plan: Plan, *, suite: str | Suite | None = None, semantics: str | None = None
) -> Result:
    """Fail unless a plan solves a task. The message explains every step.

    Args:
        task: The task, or its identifier.
        plan: The raw answer of a model, or the steps.
        suite: The suite of the task, or its name; by default the one that needs no data.
        semantics: ``"official"`` or ``"strict"``; by default what the suite prefers.

    Returns:
        The result, for further assertions.

    Raises:
        AssertionError: If the plan does not solve the task.
        UnknownNameError: If there is no such suite, task or semantics.
    """
    __tracebackhide__ = True  # pytest shows the line of the test, not this one
    from eai.contract import PLANS, version_of
    from eai.contract.registry import given_suite
    from eai.suites import SAMPLES

    chosen_suite = given_suite(suite or SAMPLES)
    profile = chosen_suite.semantics(semantics or chosen_suite.default_semantics)
    checked_task = _find_task(chosen_suite, task)
    answer = _answer_text(plan)
    result = chosen_suite.evaluate(PLANS, checked_task, answer, profile)
    if result.success:
        return result
    from eai.report import Record, explain  # takes time, and is needed for failures only

    setting = (chosen_suite.name, version_of(chosen_suite, PLANS), PLANS, str(profile))
    record = Record(*setting, "plan", checked_task.id, checked_task.name, answer, result)
    explanation = explain(record, suite=chosen_suite, semantics=profile)
    raise AssertionError(f"the plan does not solve the task\n{explanation}")


def _find_task(suite: Suite, task: str | Task) -> Task:
    """Return a task, which may be given by its identifier."""
    if isinstance(task, str):
        return suite.task(suite.canonical_id(task))
    return task


def _answer_text(plan: Plan) -> str:
    """Return a plan as a model would answer it: its steps, a line each."""
    if isinstance(plan, str):
        return plan
    return "\n".join(map(str, plan))
