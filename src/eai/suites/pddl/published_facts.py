"""Facts as PlanBench's own evaluator reads them: by the first part of a phrase that occurs.

A clause ends at a comma or " and ", and counts unless " not " stands in it. Its predicate is the
first of a list whose part occurs anywhere. The objects are, of each piece around that part, the
first of the list of objects that occurs. What differs from reading the phrases: "is no longer on
the table" is a fact, "clear and on the table" has no object in its second half, and two objects on
the same side of the part are one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PublishedFacts:
    """How the evaluator reads the facts of a domain.

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
        if not clause or " not " in clause:
            return ""
        predicate = next((name for name, part in self.parts.items() if part in clause), "")
        if not predicate:
            return ""
        pieces: Sequence[str] = clause.split(self.parts[predicate]) if self.splits else [clause]
        named = [self._object(piece) for piece in pieces]
        objects = [name for name in named if name]
        if not self.splits:
            # The evaluator joins them with a "_" even if there is none.
            return f"{predicate}_{'_'.join(objects)}"
        return "_".join((predicate, *objects[: self.arities[predicate]]))

    def _object(self, piece: str) -> str:
        return next((name for name, words in self.objects.items() if words in piece), "")
