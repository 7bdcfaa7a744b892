"""Tasks to unified-planning's ``Problem`` and back, by PDDL text.

Our printer and its ``PDDLReader`` lead there, its ``PDDLWriter`` and our reader back. So each
library reads what the other one writes for everybody, and nothing is converted node by node.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from eai.errors import InputError, MissingExtraError
from eai.pddl import Domain, Problem, format_task, parse_domain, parse_problem
from eai.planning.unified.dialect import in_dialect

if TYPE_CHECKING:
    from unified_planning.environment import Environment
    from unified_planning.model import Problem as UnifiedProblem

_EXPECTED = "a classical problem: ADL, with or without action costs"


def to_unified(
    domain: Domain, problem: Problem, *, environment: Environment | None = None
) -> UnifiedProblem:
    """Return a task as a problem of unified-planning.

    Names are written as by :func:`eai.pddl.format_task`, which also maps them back.

    Args:
        domain: The domain, without derived predicates.
        problem: The problem. Everything that it mentions must be declared and well typed.
        environment: The environment of unified-planning for the problem; by default the global one,
            which its own engines use. The reader of unified-planning does not support effects on
            all objects (``forall``) in another environment.

    Raises:
        MissingExtraError: If unified-planning is not installed.
        InputError: If unified-planning does not read the task.
    """
    up = _import_unified()
    chosen_environment = environment or up.environment.get_environment()
    task = format_task(*in_dialect(domain, problem))
    # The reader raises all kinds of errors for input that it does not support.
    with _names_may_be_shared(chosen_environment), _quiet():
        try:
            unified_problem: UnifiedProblem = up.io.PDDLReader(
                chosen_environment
            ).parse_problem_string(task.domain, task.problem)
        except Exception as error:
            message = " ".join(str(error).split()) or type(error).__name__
            raise InputError(
                f"unified-planning does not read the task: {message}",
                where="the task as PDDL",
                expected="no ill-typed facts",
            ) from error
    return unified_problem


@dataclass(frozen=True)
class UnifiedText:
    """A unified-planning problem as PDDL, with the table of its names.

    Args:
        domain: The domain.
        problem: The problem.
        writer: Its ``PDDLWriter``: ``get_item_named`` gives what one of our names stands for,
            ``get_pddl_name`` the name of an action or object.
    """

    domain: Domain
    problem: Problem
    writer: Any


def from_unified(unified: UnifiedProblem) -> tuple[Domain, Problem]:
    """Return a unified-planning problem as a domain and a problem of this package.

    Args:
        unified: A classical problem: actions without duration, fluents that are true or false;
            numbers only as action costs.

    Raises:
        MissingExtraError: If unified-planning is not installed.
        InputError: If it says something that ADL with action costs cannot say.
    """
    text = write_text(unified)
    return text.domain, text.problem


def write_text(unified: UnifiedProblem) -> UnifiedText:
    """Return a unified-planning problem as PDDL, with the table of its names.

    Args:
        unified: As for :func:`from_unified`.

    Raises:
        MissingExtraError: If unified-planning is not installed.
        InputError: As in :func:`from_unified`.
    """
    up = _import_unified()
    if not isinstance(unified, up.model.Problem):
        raise _refusal(f"another class: {type(unified).__name__}")
    _refuse_unknown_values(unified)
    with _quiet():
        # The reader rounds fractions without a finite decimal, which would change the problem.
        warnings.filterwarnings("error", message=".*cannot exactly represent.*")
        try:
            writer = up.io.PDDLWriter(unified, rewrite_bool_assignments=True)
            domain_text = writer.get_domain()
            problem_text = writer.get_problem()
        except Exception as error:
            message = " ".join(str(error).split()) or type(error).__name__
            raise _refusal(f"something that its PDDL writer does not write: {message}") from error
    try:
        domain = parse_domain(domain_text)
        return UnifiedText(domain, parse_problem(problem_text, domain=domain), writer)
    except InputError as error:
        raise _refusal(f"something that is not read here: {error.what}") from error


def _refuse_unknown_values(unified: Any) -> None:  # noqa: ANN401 - untyped library
    """Refuse a fluent without an initial value.

    unified-planning calls such a value unknown, but PDDL would make it false, which is another
    task.

    Raises:
        InputError: If there is one.
    """
    given_values = unified.explicit_initial_values
    for fluent in unified.fluents:
        if unified.fluents_defaults.get(fluent) is not None:
            continue
        if not all(parameter.type.is_user_type() for parameter in fluent.signature):
            continue  # the writer refuses it
        # Every argument may be any object of its type.
        number_of_terms = prod(
            len(list(unified.objects(parameter.type))) for parameter in fluent.signature
        )
        number_of_values = sum(1 for node in given_values if node.fluent() == fluent)
        if number_of_values < number_of_terms:
            raise _refusal(f"the fluent {fluent.name!r}, which has no value at the start")


def register(environment: Environment | None = None) -> None:
    """Register this package's planner in unified-planning: ``OneshotPlanner(name="eai")``.

    Args:
        environment: Where; by default the global environment.

    Raises:
        MissingExtraError: If unified-planning is not installed.
    """
    chosen = environment or _import_unified().environment.get_environment()
    if "eai" not in chosen.factory.engines:
        chosen.factory.add_engine("eai", "eai.planning.unified.planner", "EaiPlanner")


def _import_unified() -> Any:  # noqa: ANN401 - untyped library
    """Import unified-planning.

    Raises:
        MissingExtraError: If it is not installed.
    """
    try:
        import unified_planning
        import unified_planning.io
        import unified_planning.model
    except ImportError:
        raise MissingExtraError(
            "unified-planning", extra="planners", purpose="interchange with other planners"
        ) from None
    return unified_planning


def _refusal(what: str) -> InputError:
    """Return the error for a problem that is not taken over."""
    return InputError(
        f"the problem has {what}", where="unified-planning problem", expected=_EXPECTED
    )


@contextmanager
def _names_may_be_shared(environment: Any) -> Iterator[None]:  # noqa: ANN401 - untyped library
    """Permit predicates, actions, types and objects to share names, as PDDL does."""
    setting_before = environment.error_used_name
    environment.error_used_name = False
    try:
        yield
    finally:
        environment.error_used_name = setting_before


@contextmanager
def _quiet() -> Iterator[None]:
    """Let nothing be printed that unified-planning warns of, such as names that are shared."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
