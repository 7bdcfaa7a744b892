"""PlanBench's own evaluator: its reader of facts, and the published verdicts.

Its reader of facts looks for parts of phrases. A clause ends at a comma, and counts unless " not "
stands in it. Its predicate is the first of a list whose part occurs anywhere. The objects are, of
each piece around that part, the first of the list of objects that occurs. So "is no longer on the
table" is a fact, and of "clear and on the table" only one half is. Commit b008bc4 ends clauses at
" and ", too; the published verdicts were made without that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from eai.diagnosis import Result

VERDICT = "published_verdict"
"""Key of the published verdict on an answer, in the metadata of a task."""


class PublishedVerdict(NamedTuple):
    """Published verdict on an answer.

    Args:
        answer: What the model wrote.
        is_right: Whether it counted as right.
        why_other: Why our verdict may be another one; empty if that is not known.
    """

    answer: str
    is_right: bool
    why_other: str

    def remarks(self, answer: str | None, *, success: bool) -> tuple[str, ...]:
        """Return a remark if this package's verdict differs from the published one."""
        # The verdict is about the published answer, not about any other one.
        if answer != self.answer or success is self.is_right:
            return ()
        remark = "published as right" if self.is_right else "published as wrong"
        if self.why_other:
            remark += f": {self.why_other}"
        return (remark,)


def with_remarks(result: Result, metadata: Mapping[str, object], answer: str | None) -> Result:
    """Return a result with a remark if the published verdict on the answer differs."""
    verdict = metadata.get(VERDICT)
    if not isinstance(verdict, PublishedVerdict):
        return result
    remarks = verdict.remarks(answer, success=result.success)
    return replace(result, notes=(*result.notes, *remarks))


@dataclass(frozen=True)
class PublishedFacts:
    """Reads facts of a domain as the published evaluator does.

    Args:
        parts: Predicate to the part of its phrase that is looked for, in the evaluator's order.
        objects: Object to what is looked for, in the evaluator's order.
        splits: Whether a clause is divided at the part; else it is one piece, with one object.
        arities: Predicate to the number of objects that are kept; all if it is not there.
    """

    parts: Mapping[str, str]
    objects: Mapping[str, str]
    splits: bool
    arities: Mapping[str, int]

    def read(self, text: str) -> list[str]:
        """Return the facts of a text, each as ``predicate_object_object``."""
        facts = []
        for clause in text.split(","):
            fact = self._fact(clause.strip())
            if fact:
                facts.append(fact)
        return facts

    def _fact(self, clause: str) -> str:
        """Return the fact of a clause, or "" if it is not a fact or is denied."""
        if not clause or " not " in clause:
            return ""
        predicate = self._predicate(clause)
        if not predicate:
            return ""
        if not self.splits:
            # The evaluator joins them with "_" even if there is none.
            return f"{predicate}_{self._object(clause)}"
        objects = []
        # "the red block is on top of the blue block" -> "red", "blue"
        for piece in clause.split(self.parts[predicate]):
            name = self._object(piece)
            if name:
                objects.append(name)
        return "_".join((predicate, *objects[: self.arities[predicate]]))

    def _predicate(self, clause: str) -> str:
        """Return the first predicate with part of its phrase in the clause."""
        for name, part in self.parts.items():
            if part in clause:
                return name
        return ""

    def _object(self, piece: str) -> str:
        """Return the first object that a text names."""
        for name, words in self.objects.items():
            if words in piece:
                return name
        return ""
