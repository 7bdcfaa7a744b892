"""Derived predicates that do not depend on themselves: their rules stand in for them.

Only recursive ones need literals of their own, which are found anew after every action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from eai.logic.formula import Variable
from eai.pddl.model import Axiom
from eai.planning.conditions import Condition, conjoin, disjoin
from eai.planning.lifting import Binding, Ground, Lifter, Vocabulary

__all__ = ["define"]


def define(axioms: Iterable[Axiom], vocabulary: Vocabulary) -> None:
    """Enter rules into a vocabulary as definitions of their predicates.

    Args:
        axioms: All rules of predicates that do not depend on themselves.
        vocabulary: Where they are entered.
    """
    rules: dict[str, list[Axiom]] = {}
    for axiom in axioms:
        rules.setdefault(axiom.head.predicate, []).append(axiom)
    for name, own in rules.items():
        vocabulary.definitions[name] = _Definition(own, vocabulary).condition


class _Definition:
    """The rules of one predicate, grounded once for every tuple of arguments."""

    def __init__(self, axioms: Iterable[Axiom], vocabulary: Vocabulary) -> None:
        self._axioms = list(axioms)
        self._vocabulary = vocabulary
        self._rules: dict[bool, list[Callable[[tuple[str, ...]], Condition | None]]] = {}
        self._known: dict[tuple[bool, tuple[str, ...]], Condition] = {}

    def condition(self, arguments: tuple[str, ...], wanted: bool) -> Condition:
        """Return when the atom with these arguments holds (or does not)."""
        key = (wanted, arguments)
        found = self._known.get(key)
        if found is None:
            # What the rules need may be defined, too: they are compiled when all are known.
            if wanted not in self._rules:
                self._rules[wanted] = [self._rule(axiom, wanted) for axiom in self._axioms]
            parts = [part for rule in self._rules[wanted] if (part := rule(arguments)) is not None]
            found = self._known[key] = disjoin(parts) if wanted else conjoin(parts)
        return found

    def _rule(self, axiom: Axiom, wanted: bool) -> Callable[[tuple[str, ...]], Condition | None]:
        head = [term for term in axiom.head.terms if isinstance(term, Variable)]
        lifter = Lifter(self._vocabulary)
        places = lifter.bind(head)
        body = lifter.condition(axiom.body, wanted=wanted)
        ranges = [frozenset(self._vocabulary.objects(variable.types)) for variable in head]
        return _applied(lifter.start, places, ranges, body)


def _applied(
    start: Binding, places: list[int], ranges: list[frozenset[str]], body: Ground
) -> Callable[[tuple[str, ...]], Condition | None]:
    def apply(arguments: tuple[str, ...]) -> Condition | None:
        binding = start[:]
        for place, among, name in zip(places, ranges, arguments, strict=True):
            if name not in among:
                return None
            binding[place] = name
        return body(binding)

    return apply
