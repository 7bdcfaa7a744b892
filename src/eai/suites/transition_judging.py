"""Judging answers to transition modeling: operators that a model wrote (paper, section 2.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from eai.abilities.operator_matching import Overlap, match_operators, unmatched
from eai.abilities.operator_texts import OperatorText
from eai.diagnosis.judgement import Finding, Judgement
from eai.diagnosis.taxonomy import ErrorKind
from eai.pddl.answers import ReadOperator, read_actions
from eai.pddl.issues import Issue
from eai.pddl.model import Operator
from eai.planning import Outcome, PlanningResult
from eai.semantics import Semantics
from eai.suites.transition_counts import count_matches, overlaps_of_texts
from eai.suites.transition_data import Demand
from eai.suites.transition_environment import Environment, environment
from eai.suites.transition_reader import find_operators
from eai.suites.transition_translation import translate_operator
from eai.task import Task

__all__ = ["judge_behavior", "judge_operators", "judge_virtualhome"]

_KINDS = {
    "undeclared-predicate": ErrorKind.PREDICATE_HALLUCINATION,
    "undeclared-object": ErrorKind.OBJECT_HALLUCINATION,
    "undeclared-type": ErrorKind.OBJECT_HALLUCINATION,
    "unbound-variable": ErrorKind.OBJECT_HALLUCINATION,
    "wrong-arity": ErrorKind.ARGUMENT_NUMBER,
    "ill-typed": ErrorKind.ARGUMENT_NUMBER,
}
_MISSING = "missing_operators_ignored"
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
    judging = _Judging(environment, task, demand, semantics)
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return replace(judging.judged(_NO_OPERATORS), status="missing", findings=(finding,))
    written = judging.read(answer)
    if written is None:
        if "broken_answers_left_out" in semantics:
            note = "the answer has no operators in it and is left out (broken_answers_left_out)"
            return Judgement("excluded", notes=(note,))
        finding = Finding(ErrorKind.PARSING, "the answer has no operators in it")
        written = replace(_NO_OPERATORS, findings=(finding,))
    judgement = judging.judged(written)
    return judging.planned(judgement, written) if planning else judgement


@dataclass(frozen=True)
class _Written:
    """Operators of an answer by name, as they could be read; their texts if found by a pattern."""

    operators: Mapping[str, ReadOperator | None]
    texts: Mapping[str, OperatorText] | None = None
    findings: tuple[Finding, ...] = ()


_NO_OPERATORS = _Written({})


@dataclass(frozen=True)
class _Judging:
    environment: Environment
    task: str
    demand: Demand
    semantics: Semantics

    def read(self, answer: str) -> _Written | None:
        if "operators_by_pattern" not in self.semantics:
            return self._read_strictly(answer)
        texts = find_operators(answer)
        if texts is None:
            return None
        return _Written(_Lazy(self.environment, texts), texts, self._unasked(texts))

    def _read_strictly(self, answer: str) -> _Written:
        found, outside = read_actions(answer, domain=self.environment.domain)
        named = {read.operator.name: read for read in found}
        issues = [*outside, *(issue for read in named.values() for issue in read.issues)]
        findings = [_finding(issue) for issue in issues if issue.severity == "error"]
        if not found and not findings:
            findings.append(Finding(ErrorKind.PARSING, "the answer has no operators in it"))
        return _Written(named, findings=(*findings, *self._unasked(named)))

    def _unasked(self, names: Mapping[str, object]) -> tuple[Finding, ...]:
        return tuple(
            Finding(ErrorKind.ACTION_HALLUCINATION, f"the operator {name} was not asked for")
            for name in names
            if name not in self.demand.operators
        )

    def judged(self, written: _Written) -> Judgement:
        """The judgement without the planner."""
        unknown = "unknown_predicates_ignored" not in self.semantics
        overlaps = self._overlaps(written)
        missing = [name for name in self.demand.operators if name not in written.operators]
        stops = () if unknown else _stops(overlaps, self.environment.model.categories)
        return Judgement(
            "judged",
            findings=(*written.findings, *stops),
            matches=count_matches(overlaps, self.environment.model.categories, unknown=unknown),
            groups=self.demand.groups,
            notes=(f"missing: {', '.join(missing)}",) if missing else (),
        )

    def _overlaps(self, written: _Written) -> Sequence[Overlap]:
        if "clauses_as_written" in self.semantics and written.texts is not None:
            gold = _among(self.demand.operators, self.environment.model.operators)
            return overlaps_of_texts(written.texts, gold, self.semantics)
        annotated = _among(self.demand.operators, self.environment.operators)
        return self._overlaps_of_clauses(written, annotated)

    def _overlaps_of_clauses(
        self, written: _Written, gold: Mapping[str, Operator]
    ) -> Sequence[Overlap]:
        found: list[Overlap] = []
        for name, read in written.operators.items():
            if read is None:
                continue
            if name in gold:
                found += match_operators(read.operator, gold[name])
            elif "unasked_operators_ignored" not in self.semantics:
                found += unmatched(read.operator, predicted=True)
        for name, operator in gold.items():
            quirk = "unreadable_parts_vanish" if name in written.operators else _MISSING
            if written.operators.get(name) is None and quirk not in self.semantics:
                found += unmatched(operator, predicted=False)
        return found

    def planned(self, judgement: Judgement, written: _Written) -> Judgement:
        """The judgement with what the planner finds."""
        operators = self._usable(written)
        if isinstance(operators, str):
            result = PlanningResult(Outcome.REJECTED, reason=operators)
        else:
            result = self.environment.plan(self.task, operators)
        steps = "; ".join(str(action) for action in result.plan or ())
        note = f"planner: {result.outcome.value}, {steps or result.reason}"
        return replace(
            judgement,
            success=result.solved,
            outcome=result.outcome.value,
            notes=(*judgement.notes, note),
        )

    def _usable(self, written: _Written) -> tuple[Operator, ...] | str:
        """The operators for the planner, or why it does not take them."""
        usable: dict[str, Operator] = {}
        for name, read in written.operators.items():
            if "undeclared_names_accepted" in self.semantics:
                text = "" if written.texts is None else str(written.texts[name])
                operator = translate_operator(name, read, text=text)
                if isinstance(operator, str):
                    return operator
                usable[name] = operator
            elif read is not None and read.sound:
                usable[name] = read.operator
        if "gold_operators_filled_in" in self.semantics:
            usable = {**self.environment.operators, **usable}
        return tuple(usable.values())


class _Lazy(Mapping[str, "ReadOperator | None"]):
    """Operators that are read when they are asked for: the logic form need not read them."""

    def __init__(self, environment: Environment, texts: Mapping[str, OperatorText]) -> None:
        self._environment = environment
        self._texts = texts

    def __getitem__(self, name: str) -> ReadOperator | None:
        return self._environment.read(str(self._texts[name]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def _among(names: Sequence[str], operators: Mapping[str, _Value]) -> dict[str, _Value]:
    return {name: operators[name] for name in names}


def _finding(issue: Issue) -> Finding:
    place = f"line {issue.line}: " if issue.line else ""
    position = issue.place.position if issue.place else None
    kind = _KINDS.get(issue.kind, ErrorKind.PARSING)
    return Finding(kind, f"{place}{issue.where}: {issue.message}", position=position)


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
