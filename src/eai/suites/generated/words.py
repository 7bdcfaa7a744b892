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
        random: The source of randomness.
    """
    # Names of predicates give clauses only ("the lamp is on"), no orders ("switch the lamp on").
    says_states = not wordings or random.random() < 1 / 2
    texts: list[str] = []
    for literal in goal:
        clause, order = _wording_of(literal, wordings)
        texts.append(clause if says_states else order)
    frame = drawn(random, _STATES if says_states else _ORDERS)
    return frame.format(", and ".join(texts))


def _wording_of(literal: Formula, wordings: Mapping[str, Wording]) -> tuple[str, str]:
    """Return a literal as a clause and as an order; the order is empty without a wording."""
    is_negative = isinstance(literal, Not)
    atom = literal.operand if isinstance(literal, Not) else literal
    assert isinstance(atom, Atom)  # noqa: S101 - goals are made of literals
    key = f"not {atom.predicate}" if is_negative else atom.predicate
    if key not in wordings:
        return _clause(atom, is_negative=is_negative).format(*atom.terms), ""
    clause, order = wordings[key]
    return clause.format(*atom.terms), order.format(*atom.terms)


def _clause(atom: Atom, *, is_negative: bool) -> str:
    """Return the template of a clause for a literal: ``{0} is next to {1}``.

    The first argument of the predicate is the subject.
    """
    predicate = atom.predicate.replace("_", " ").replace("-", " ")
    verb = "is not" if is_negative else "is"
    if not atom.terms:
        return f"{predicate} {verb} true"
    other_slots = [f"{{{index}}}" for index in range(1, len(atom.terms))]
    return " ".join([f"{{0}} {verb} {predicate}", *other_slots])
