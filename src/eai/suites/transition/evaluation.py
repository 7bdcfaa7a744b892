"""Evaluating answers to transition modeling: operators that a model wrote (paper, section 2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from eai.contract import marked_as_trivial
from eai.diagnosis import ErrorKind, Finding, Result
from eai.semantics import Semantics
from eai.suites.transition.data import Demand
from eai.suites.transition.environment import OperatorEnvironment, environment
from eai.suites.transition.written import WrittenOperators, read_answer, usable_operators

if TYPE_CHECKING:
    from eai.pddl import Operator
    from eai.task import Task


def evaluate_virtualhome(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer on VirtualHome (see :class:`eai.contract.suite.Ability`)."""
    return evaluate_operators(environment("virtualhome"), task.id, answer, semantics)


def evaluate_behavior(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer on BEHAVIOR (see :class:`eai.contract.suite.Ability`)."""
    return evaluate_operators(environment("behavior"), task.id, answer, semantics)


def evaluate_operators(
    environment: OperatorEnvironment,
    task: str,
    answer: str | None,
    semantics: Semantics,
    *,
    planning: bool = True,
) -> Result:
    """Evaluate the operators of an answer by their form and by planning with them.

    Args:
        environment: The environment of the task, with the annotated operators.
        task: Identifier of the task.
        answer: The answer; None if it is missing.
        semantics: Decides how the answer is read and compared.
        planning: Whether to search a plan with the operators. ``success`` of the result is whether
            it was found, and means nothing without a search.
    """
    demand = environment.model.demands.get(task)
    if demand is None:
        return _NOTHING_ASKED
    result, written = _logic_form(environment, demand, answer, semantics)
    if written is None or not planning:
        return result
    # Operators that the planner cannot read are rejected with a reason, which is a text.
    operators = usable_operators(environment, written, semantics)
    if isinstance(operators, str):
        return _with_planner(result, "rejected", operators, solved=False)
    planned = environment.plan(task, operators, budget=semantics.budget)
    outcome = planned.outcome.value
    if outcome.endswith("limit"):
        # A limit does not show whether there is a plan.
        return Result("excluded", notes=(f"unscorable: the planner reached its {outcome}",))
    plan = "; ".join(map(str, planned.plan or ()))
    result = _with_planner(result, outcome, plan or planned.reason, solved=planned.solved)
    says_nothing = not any(name in written.names for name in demand.operators)
    if result.success and says_nothing and "gold_operators_filled_in" in semantics:
        reason = "the answer has none of the operators, so the planner had the annotated ones"
        return marked_as_trivial(result, reason)
    return result


def _with_planner(result: Result, outcome: str, details: str, *, solved: bool) -> Result:
    """Return a result with the outcome of planning. The details are a plan or a reason."""
    note = f"planner: {outcome}"
    if details:
        note += f", {details}"
    return replace(result, success=solved, outcome=outcome, notes=(*result.notes, note))


_NOTHING_ASKED = Result("excluded", notes=("the task asks for no operators",))


@lru_cache(maxsize=1 << 8)
def _logic_form(
    environment: OperatorEnvironment, demand: Demand, answer: str | None, semantics: Semantics
) -> tuple[Result, WrittenOperators | None]:
    """Return the result without planning, and the operators if a planner is needed.

    It is cached, because a quarter of the answers repeat an earlier answer to a task that asks for
    the same operators.

    Args:
        environment: The environment.
        demand: The operators that the task asks for.
        answer: The answer; None if it is missing.
        semantics: The semantics.
    """
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        result = _compare_operators(environment, demand, WrittenOperators(), semantics)
        return replace(result, status="missing", findings=(finding,)), None
    written = read_answer(environment, answer, semantics)
    if written is None:
        if "broken_answers_left_out" in semantics:
            note = "the answer has no operators in it and is left out (broken_answers_left_out)"
            return Result("excluded", notes=(note,)), None
        finding = Finding(ErrorKind.PARSING, "the answer has no operators in it")
        written = WrittenOperators(findings=(finding,))
    return _compare_operators(environment, demand, written, semantics), written


def _compare_operators(
    environment: OperatorEnvironment,
    demand: Demand,
    written: WrittenOperators,
    semantics: Semantics,
) -> Result:
    """Return the result of comparing operators with the annotated ones.

    Args:
        environment: The environment, which has the annotated operators.
        demand: The operators that the task asks for.
        written: The operators of the answer.
        semantics: The semantics.
    """
    counts = environment.counts(semantics)
    if "clauses_as_written" in semantics and written.texts is not None:
        # The texts themselves are compared, clause by clause.
        annotated_texts = environment.model.operators
        matches, stops = counts.count(written.texts, annotated_texts, demand.operators)
    else:
        # None is an operator that was written and cannot be read: all its clauses are missed.
        predicted: dict[str, Operator | None] = {}
        for name in written.names:
            reading = written.read(name)
            predicted[name] = None if reading is None else reading.operator
        matches, stops = counts.count(predicted, environment.operators, demand.operators)
    return Result(
        "evaluated",
        findings=(*written.findings, *_unasked_operators(demand, written), *stops),
        matches=matches,
        groups=demand.groups,
        notes=tuple(_notes_on_operators(demand, written)),
    )


def _unasked_operators(demand: Demand, written: WrittenOperators) -> Iterator[Finding]:
    """Yield an error for each operator of an answer that the task does not ask for."""
    for name in written.names:
        if name not in demand.operators:
            text = f"the operator {name} was not asked for"
            yield Finding(ErrorKind.ACTION_HALLUCINATION, text)


def _notes_on_operators(demand: Demand, written: WrittenOperators) -> Iterator[str]:
    """Yield the reader's notes, and notes on missing and repeated operators."""
    yield from written.notes
    # Missing operators are counted by the comparison; the note only names them.
    missing = [name for name in demand.operators if name not in written.names]
    if missing:
        yield f"missing: {', '.join(missing)}"
    if written.replaced:
        replaced = ", ".join(written.replaced)
        yield f"written several times, of which the last counts: {replaced}"
