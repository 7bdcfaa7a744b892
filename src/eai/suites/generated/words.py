"""Instructions in words for generated goals, in several wordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from eai.contract import Wording
from eai.logic import Atom, Formula, Not
from eai.suites.generated.moves import drawn

_STATES = ("See that {}.", "Bring it about that {}.", "In the end {}.", "Make sure that {}.")
_ORDERS = ("Please {}.", "Your task: {}.", "I want you to {}.")


def in_words(goal: Sequence[Formula], wordings: Mapping[str, Wording], random: Random) -> str:
    """Return an instruction: a random frame with a clause or a command for each literal.

    Args:
        goal: The literals.
        wordings: Wordings of literals; where there are none, clauses have the predicates' names.
        random: What is drawn from.
    """
    # Names of predicates give clauses only ("the lamp is on"), no orders ("switch the lamp on").
    says_states = not wordings or random.random() < 1 / 2
    clauses: list[str] = []
    for literal in goal:
        atom = literal
        key = ""
        if isinstance(literal, Not):
            atom = literal.operand
            key = "not "
        assert isinstance(atom, Atom)  # noqa: S101 - goals are made of literals
        key += atom.predicate
        if key in wordings:
            clause, order = wordings[key]
        else:
            clause = _clause(atom, is_negative=isinstance(literal, Not))
            order = ""
        wording = clause if says_states else order
        clauses.append(wording.format(*atom.terms))
    frame = drawn(random, _STATES if says_states else _ORDERS)
    return frame.format(", and ".join(clauses))


def _clause(atom: Atom, *, is_negative: bool) -> str:
    """Return the clause of a literal. The first argument of the predicate is the subject.

    The arguments are to be filled in: ``{0} is next to {1}``.
    """
    predicate = atom.predicate.replace("_", " ").replace("-", " ")
    verb = "is not" if is_negative else "is"
    if not atom.terms:
        return f"{predicate} {verb} true"
    others = [f"{{{i}}}" for i in range(1, len(atom.terms))]
    return " ".join([f"{{0}} {verb} {predicate}", *others])
