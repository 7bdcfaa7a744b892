"""Instructions in words for generated goals, in several wordings."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from eai.logic import Atom, Formula, Not

_OPENINGS = ("See that {}.", "Bring it about that {}.", "In the end {}.", "Make sure that {}.")


def in_words(goal: Sequence[Formula], random: Random) -> str:
    """Return an instruction: an opening that is drawn, then a clause for each literal."""
    clauses = []
    for literal in goal:
        is_negative = isinstance(literal, Not)
        atom = literal.operand if isinstance(literal, Not) else literal
        assert isinstance(atom, Atom)  # noqa: S101 - goals are made of literals
        predicate = atom.predicate.replace("_", " ").replace("-", " ")
        fact = " ".join([predicate, *map(str, atom.terms[1:])])
        subject = str(atom.terms[0]) if atom.terms else "it"
        clauses.append(f"{subject} {'is not' if is_negative else 'is'} {fact}")
    return random.choice(_OPENINGS).format(", and ".join(clauses))
