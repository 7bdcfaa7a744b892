"""Formulas as translators write them: in any notation that is read in one way, and names alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice, permutations
from typing import NamedTuple

from eai.errors import EaiError
from eai.logic import (
    Atom,
    Comparison,
    Formula,
    Proposition,
    Traces,
    atoms,
    entails,
    parse_formula,
)
from eai.logic.dialects import Dialect

_WORDS = {"imply": "implies", "equal": "iff", "negation": "not"}
"""Words that other data sets have for our operators."""
_WORD = re.compile(r"\b(?:" + "|".join(_WORDS) + r")\b")
_TRIED: tuple[Dialect, ...] = ("default", "spot", "prefix", "lower")
"""Notations in the order in which they are tried."""
_RENAMINGS = 120
"""Maximum number of ways in which names are matched: all of five names."""


def read_formula(text: str, dialect: Dialect | None = None) -> Formula:
    """Return the formula in a text, by the first notation that can read it.

    Args:
        text: The text.
        dialect: The only notation that is tried; None for all.

    Raises:
        ParseError: If it can be read in none; the error is that of the first one.
    """
    # "( a imply b )" -> "( a implies b )"
    worded = _WORD.sub(lambda word: _WORDS[word[0]], text)
    for notation in _TRIED if dialect is None else ():
        with suppress(EaiError):
            return parse_formula(worded, dialect=notation)
    return parse_formula(worded, dialect=dialect or _TRIED[0])


class Judgement(NamedTuple):
    """The logical relation of an answer's formula to the reference.

    Args:
        relation: ``"equivalent"``; ``"weaker"`` (the reference entails the answer, and not the
            other way round); ``"stronger"``; ``"incomparable"``.
        proof: A trajectory that tells them apart; None if they are equivalent.
    """

    relation: str
    proof: Comparison | None = None


def compare_formulas(answer: Formula, reference: Formula, traces: Traces) -> Judgement:
    """Compare an answer with the reference.

    Args:
        answer: The formula of the answer.
        reference: The right formula.
        traces: Whether formulas are compared on finite or on infinite traces.

    Raises:
        InputError: If the formulas need more work than is allowed.
    """
    # Two tests of inclusion decide all four relations.
    answer_entails = entails(answer, reference, reading="ltlf", traces=traces)
    reference_entails = entails(reference, answer, reading="ltlf", traces=traces)
    if answer_entails and reference_entails:
        return Judgement("equivalent")
    if reference_entails:
        return Judgement("weaker", answer_entails)
    if answer_entails:
        return Judgement("stronger", reference_entails)
    return Judgement("incomparable", answer_entails)


def same_names(answer: Formula, reference: Formula, given: Mapping[str, str]) -> Formula:
    """Return an answer's formula with names in the spelling of the reference.

    Letter case, blanks, hyphens, underscores and an empty pair of brackets make no difference.

    Args:
        answer: The formula of the answer.
        reference: The right formula.
        given: Names in answers to names in the reference, as the data set gives them.
    """
    reference_names = {plain_name(name): reference_name for name, reference_name in given.items()}
    propositions: dict[str, Formula] = {}
    for proposition in _propositions_of(reference):
        name = _name(proposition)
        # Names that the data set gives take precedence over equal spellings.
        reference_names.setdefault(plain_name(name), name)
        propositions[name] = proposition

    def rename(leaf: Formula) -> Formula:
        """Return a proposition of the answer as the reference spells it."""
        if not isinstance(leaf, Proposition):
            return leaf
        name = reference_names.get(plain_name(_name(leaf)))
        if name is None:
            return leaf  # an unknown name remains, and counts as a different proposition
        return propositions.get(name, Atom(name))

    return answer.map_leaves(rename)


def renamings(answer: Formula, reference: Formula) -> Iterator[Formula]:
    """Yield the answer's formula under each renaming of its unknown names.

    A name is unknown if the reference does not have it. Unknown names become names of the reference
    that the answer does not use; nothing is yielded if there are too few of these.
    """
    reference_names = _propositions_of(reference)
    answer_names = _propositions_of(answer)
    unknown_names = [name for name in answer_names if name not in reference_names]
    unused_names = [name for name in reference_names if name not in answer_names]
    if not unknown_names:
        return
    choices = permutations(unused_names, len(unknown_names))
    for new_names in islice(choices, _RENAMINGS):
        renaming: dict[Formula, Formula] = dict(zip(unknown_names, new_names, strict=True))
        yield answer.map_leaves(partial(_replace_name, renaming))


def _replace_name(names: Mapping[Formula, Formula], leaf: Formula) -> Formula:
    return names.get(leaf, leaf)


def _propositions_of(formula: Formula) -> list[Proposition]:
    """Return the propositions of a formula, each once, in reading order."""
    return list(dict.fromkeys(atoms(formula)))


def _name(proposition: Formula) -> str:
    return str(proposition).removesuffix("()")


def plain_name(name: str) -> str:
    """Return a name without what makes no difference: case, blanks, hyphens, underscores."""
    return re.sub(r"[\s_\-.()\"']+", "", name).lower()
