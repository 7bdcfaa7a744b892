"""The operators of an answer: what was written, what it means, and what a planner can use."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from eai.abilities.transition_modeling.texts import OperatorText, Overlap
from eai.diagnosis.judgement import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.semantics import Semantics
from eai.suites.transition.environment import Environment
from eai.suites.transition.reader import find_operators

if TYPE_CHECKING:
    from eai.pddl.issues import Issue
    from eai.pddl.model import Operator
    from eai.pddl.reader import ReadOperator

__all__ = ["NO_OPERATORS", "Written", "clause_overlaps", "read_answer", "usable_operators"]

_KINDS = {
    "undeclared-predicate": ErrorKind.PREDICATE_HALLUCINATION,
    "undeclared-object": ErrorKind.OBJECT_HALLUCINATION,
    "undeclared-type": ErrorKind.OBJECT_HALLUCINATION,
    "unbound-variable": ErrorKind.OBJECT_HALLUCINATION,
    "wrong-arity": ErrorKind.ARGUMENT_NUMBER,
    "ill-typed": ErrorKind.ARGUMENT_NUMBER,
}


class Written(NamedTuple):
    """The operators of an answer.

    Args:
        operators: Name to operator as far as it could be read; None if it is no operator.
        texts: The same as text, if they were found by a pattern.
        findings: What is wrong with them.
        replaced: Names of operators that are written again, otherwise: the last one counts.
    """

    operators: Mapping[str, ReadOperator | None]
    texts: Mapping[str, OperatorText] | None = None
    findings: tuple[Finding, ...] = ()
    replaced: tuple[str, ...] = ()

    @property
    def names(self) -> Collection[str]:
        """Names of the operators, in the order of the answer."""
        return self.operators if self.texts is None else self.texts


NO_OPERATORS = Written({})


def read_answer(environment: Environment, answer: str, semantics: Semantics) -> Written | None:
    """Read the operators of an answer; None if the published evaluator calls the format wrong."""
    if "operators_by_pattern" not in semantics:
        return _read_strictly(environment, answer)
    texts = find_operators(answer)
    return None if texts is None else Written(_Lazy(environment, texts), texts)


def _read_strictly(environment: Environment, answer: str) -> Written:
    from eai.pddl.reader import read_actions

    found, outside = read_actions(answer, domain=environment.domain)
    named = {read.operator.name: read for read in found}
    issues = [*outside, *(issue for read in named.values() for issue in read.issues)]
    findings = [_finding(issue) for issue in issues if issue.severity == "error"]
    if not found and not findings:
        findings.append(Finding(ErrorKind.PARSING, "the answer has no operators in it"))
    replaced = [
        read.operator.name for read in found if read.operator != named[read.operator.name].operator
    ]
    return Written(named, findings=tuple(findings), replaced=tuple(dict.fromkeys(replaced)))


def _finding(issue: Issue) -> Finding:
    place = f"line {issue.line}: " if issue.line else ""
    position = issue.place.position if issue.place else None
    kind = _KINDS.get(issue.kind, ErrorKind.PARSING)
    return Finding(kind, f"{place}{issue.where}: {issue.message}", position=position)


class _Lazy(Mapping[str, "ReadOperator | None"]):
    """Operators that are read when they are asked for: the logic form need not read them."""

    def __init__(self, environment: Environment, texts: Mapping[str, OperatorText]) -> None:
        self._environment = environment
        self._texts = texts

    def __getitem__(self, name: str) -> ReadOperator | None:
        return self._environment.read(str(self._texts[name]))

    def __contains__(self, name: object) -> bool:
        return name in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def clause_overlaps(
    written: Written, gold: Mapping[str, Operator], semantics: Semantics
) -> Sequence[Overlap]:
    """Compare operators clause by clause (section D.4).

    Args:
        written: The operators of the answer.
        gold: The annotated operators that were asked for, by name.
        semantics: What counts.
    """
    from eai.abilities.transition_modeling.matching import match_operators, unmatched

    found: list[Overlap] = []
    for name, read in written.operators.items():
        if read is None:
            continue
        if name in gold:
            found += match_operators(read.operator, gold[name])
        elif "unasked_operators_ignored" not in semantics:
            found += unmatched(read.operator, predicted=True)
    for name, operator in gold.items():
        there = name in written.operators
        quirk = "unreadable_parts_vanish" if there else "missing_operators_ignored"
        if written.operators.get(name) is None and quirk not in semantics:
            found += unmatched(operator, predicted=False)
    return found


def usable_operators(
    environment: Environment, written: Written, semantics: Semantics
) -> tuple[Operator, ...] | str:
    """Return the operators that a planner gets, or why it refuses them."""
    from eai.suites.transition.translation import translate_operator

    usable: dict[str, Operator] = {}
    for name, read in written.operators.items():
        if "undeclared_names_accepted" in semantics:
            text = "" if written.texts is None else str(written.texts[name])
            operator = translate_operator(name, read, text=text)
            if isinstance(operator, str):
                return operator
            usable[name] = operator
        elif read is not None and read.sound:
            usable[name] = read.operator
    if "gold_operators_filled_in" in semantics:
        annotated = environment.operators.items()
        usable |= {name: own for name, own in annotated if name not in written.operators}
    return tuple(usable.values())
