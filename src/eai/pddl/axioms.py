"""How derived predicates depend on each other.

Axioms have one meaning only if no derived predicate depends on its own negation
("stratified", Edelkamp & Hoffmann 2004, section 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eai.logic.formula import Atom, Count, Formula, Iff, Implies, Not, Xor
from eai.pddl.issues import Issue
from eai.pddl.model import Axiom

__all__ = ["polarities", "recursion_through_negation"]


def polarities(formula: Formula) -> Iterator[tuple[Atom, bool]]:
    """Yield every atom of a condition and whether it occurs positively, in no fixed order.

    An atom below a counting quantifier, an equivalence or an exclusive or occurs both ways.
    """
    pending = [(formula, True)]
    while pending:
        node, positive = pending.pop()
        if isinstance(node, Atom):
            yield node, positive
        elif isinstance(node, Not):
            pending.append((node.operand, not positive))
        elif isinstance(node, Implies):
            pending += [(node.right, positive), (node.left, not positive)]
        elif isinstance(node, (Count, Iff, Xor)):
            pending += [(child, sign) for child in node.operands for sign in (True, False)]
        else:
            pending += [(child, positive) for child in reversed(node.operands)]


def recursion_through_negation(axioms: Sequence[Axiom]) -> Iterator[Issue]:
    """Find the axioms that make a derived predicate depend on its own negation."""
    uses: dict[str, set[str]] = {axiom.head.predicate: set() for axiom in axioms}
    denied: list[tuple[Axiom, str]] = []
    for axiom in axioms:
        for atom, positive in polarities(axiom.body):
            if atom.predicate in uses:
                uses[axiom.head.predicate].add(atom.predicate)
                if not positive:
                    denied.append((axiom, atom.predicate))
    reached: dict[str, set[str]] = {}
    for axiom, predicate in denied:
        name = axiom.head.predicate
        if name in reached.setdefault(predicate, _reachable(predicate, uses)):
            yield Issue(
                kind="derived-recursion",
                message=f"'{name}' depends on its own negation, through '{predicate}'",
                where=f"derived predicate {name}",
                subject=axiom,
                expected="derived predicates that use only the negation of earlier ones",
            )


def _reachable(start: str, uses: Mapping[str, set[str]]) -> set[str]:
    found = {start}
    pending = [start]
    while pending:
        more = uses[pending.pop()] - found
        found |= more
        pending += more
    return found
