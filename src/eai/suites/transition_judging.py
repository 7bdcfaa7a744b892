"""Judging answers to transition modeling: operators that a model wrote (paper, section 2.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from eai.abilities.operator_texts import Overlap
from eai.diagnosis.judgement import Finding, Judgement
from eai.diagnosis.taxonomy import ErrorKind
from eai.semantics import Semantics
from eai.suites.transition_counts import count_matches, overlaps_of_texts
from eai.suites.transition_data import Demand
from eai.suites.transition_environment import Environment, environment
from eai.suites.transition_written import (
    NO_OPERATORS,
    Written,
    clause_overlaps,
    read_answer,
    usable_operators,
)

if TYPE_CHECKING:
    from eai.task import Task

__all__ = ["judge_behavior", "judge_operators", "judge_virtualhome"]

_Value = TypeVar("_Value")


def judge_virtualhome(task: Task, answer: str | None, semantics: Semantics) -> Judgement:
    """Judge an answer on VirtualHome (a :data:`~eai.suites.judges.Judge`)."""
    return judge_operators(environment("virtualhome"), task.id, answer, semantics)


def judge_behavior(task: Task, answer: str | None, semantics: Semantics) -> Judgement:
    """Judge an answer on BEHAVIOR (a :data:`~eai.suites.judges.Judge`)."""
    return judge_operators(environment("behavior"), task.id, answer, semantics)


def judge_operators(
    environment: Environment,
    task: str,
    answer: str | None,
    semantics: Semantics,
    *,
    planning: bool = True,
) -> Judgement:
    """Judge the operators of an answer: their logic form, and whether a plan can be found.

    Args:
        environment: The environment.
        task: The task.
        answer: What the model wrote; None if there is no answer.
        semantics: Which quirks are on.
        planning: Whether to search a plan; without, ``success`` says nothing.
    """
    demand = environment.model.demands.get(task)
    if demand is None:
        return Judgement("excluded", notes=("the task asks for no operators",))
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        judgement = _judged(environment, demand, NO_OPERATORS, semantics)
        return replace(judgement, status="missing", findings=(finding,))
    written = read_answer(environment, answer, semantics)
    if written is None:
        if "broken_answers_left_out" in semantics:
            note = "the answer has no operators in it and is left out (broken_answers_left_out)"
            return Judgement("excluded", notes=(note,))
        finding = Finding(ErrorKind.PARSING, "the answer has no operators in it")
        written = replace(NO_OPERATORS, findings=(finding,))
    judgement = _judged(environment, demand, written, semantics)
    return _planned(environment, task, judgement, written, semantics) if planning else judgement


def _judged(
    environment: Environment, demand: Demand, written: Written, semantics: Semantics
) -> Judgement:
    """The judgement without the planner."""
    unknown = "unknown_predicates_ignored" not in semantics
    categories = environment.model.categories
    overlaps = _overlaps(environment, demand, written, semantics)
    missing = [name for name in demand.operators if name not in written.operators]
    stops = () if unknown else _stops(overlaps, categories)
    return Judgement(
        "judged",
        findings=(*written.findings, *_unasked(demand, written), *stops),
        matches=count_matches(overlaps, categories, unknown=unknown),
        groups=demand.groups,
        notes=(f"missing: {', '.join(missing)}",) if missing else (),
    )


def _unasked(demand: Demand, written: Written) -> tuple[Finding, ...]:
    return tuple(
        Finding(ErrorKind.ACTION_HALLUCINATION, f"the operator {name} was not asked for")
        for name in written.operators
        if name not in demand.operators
    )


def _overlaps(
    environment: Environment, demand: Demand, written: Written, semantics: Semantics
) -> Sequence[Overlap]:
    if "clauses_as_written" in semantics and written.texts is not None:
        gold = _among(demand.operators, environment.model.operators)
        return overlaps_of_texts(written.texts, gold, semantics)
    return clause_overlaps(written, _among(demand.operators, environment.operators), semantics)


def _among(names: Sequence[str], operators: Mapping[str, _Value]) -> dict[str, _Value]:
    return {name: operators[name] for name in names}


def _stops(overlaps: Sequence[Overlap], categories: Mapping[str, str]) -> tuple[Finding, ...]:
    """Where the published evaluator looks up a predicate that has no category."""
    return tuple(
        Finding(
            ErrorKind.UNSCORABLE,
            f"{overlap.operator}, {overlap.part}: {predicate} has no category (a KeyError)",
        )
        for overlap in overlaps
        for predicate in overlap.shared
        if predicate not in categories
    )


def _planned(
    environment: Environment,
    task: str,
    judgement: Judgement,
    written: Written,
    semantics: Semantics,
) -> Judgement:
    """The judgement with what the planner finds."""
    operators = usable_operators(environment, written, semantics)
    if isinstance(operators, str):
        outcome, told, solved = "rejected", operators, False
    else:
        result = environment.plan(task, operators)
        outcome, solved = result.outcome.value, result.solved
        told = "; ".join(map(str, result.plan or ()))
        if not told and not outcome.endswith("limit"):
            told = result.reason  # how far a search got within its limit is chance
    note = f"planner: {outcome}{told and f', {told}'}"
    return replace(judgement, success=solved, outcome=outcome, notes=(*judgement.notes, note))
