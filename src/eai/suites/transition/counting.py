"""Comparing two formulas as the published evaluator does (``eai-eval`` 1.0.5, paper, D.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Union

from eai.logic import largest_matching

Form = Union[str, "tuple[Form, ...]"]
"""A literal such as ``"next_to ?char ?obj"``, or ``("and", form, ...)`` and the like."""

EMPTY = "()"
"""An empty formula, and what a shorter conjunction is filled up with."""

_DEEPEST = 250
"""So many brackets may be open; the evaluator reads some more, as many as its Python allows."""

_WORD = re.compile(r"\([^()]*\)|[()]|[^()\s][^()]*")
_JUNCTIONS = ("and", "or")
_QUANTIFIERS = ("exists", "forall")
_LENGTHS = {"not": 2, "exists": 3, "forall": 3, "when": 3}
_CONNECTIVES = frozenset((*_JUNCTIONS, *_LENGTHS))


@lru_cache(maxsize=1 << 8)
def read_form(text: str) -> Form:
    """Read a formula.

    Raises:
        ValueError: The evaluator would give up here: unbalanced or too many nested brackets, a
            wrong number of parts after a connective, or a connective where a literal must be.
    """
    outer: list[list[Form]] = []
    parts: list[Form] = []
    for word in _WORD.findall(text):
        if word == "(":
            outer.append(parts)
            parts = []
            if len(outer) > _DEEPEST:
                raise ValueError("the brackets are nested too deeply")
        elif word == ")":
            if not outer:
                raise ValueError("a bracket too many")
            form = _formula(tuple(parts))
            parts = outer.pop()
            parts.append(form)
        elif word[0] == "(":  # without other brackets in it
            text = word[1:-1].strip()
            parts.append(_formula((text,)) if text in _CONNECTIVES else text or EMPTY)
        else:
            parts.append(word.strip())
    if outer == [[]] and not parts:
        return "("  # a lone bracket passes for a literal
    if outer or len(parts) != 1:
        raise ValueError("the brackets are not balanced")
    return parts[0]


def _formula(parts: tuple[Form, ...]) -> Form:
    if not parts:
        return EMPTY
    head = parts[0]
    if head in _JUNCTIONS:
        return parts
    if isinstance(head, str) and head in _LENGTHS:
        if len(parts) != _LENGTHS[head]:
            raise ValueError(f"{head} with {len(parts) - 1} parts")
        return parts
    if not all(isinstance(part, str) for part in parts):
        raise ValueError("a connective inside of a literal")
    return " ".join(parts)  # type: ignore[arg-type]


def aligned(predicted: Form, gold: Form) -> tuple[Form, Form]:
    """Fill up the shorter of two conjunctions (or disjunctions) and align bound variables.

    A variable of ``gold`` is renamed to that of ``predicted`` where a quantifier stands at the
    same place in both, not deeper.

    Raises:
        ValueError: The list of variables of a quantifier is no text.
    """
    if isinstance(predicted, str) or isinstance(gold, str):
        return predicted, gold
    if predicted[0] == gold[0] and predicted[0] in _QUANTIFIERS:
        old, new = _variable(gold), _variable(predicted)

        def renamed(part: Form) -> Form:
            return part.replace(old, new) if isinstance(part, str) else tuple(map(renamed, part))

        return predicted, (gold[0], *map(renamed, gold[1:]))
    if predicted[0] in _JUNCTIONS and gold[0] in _JUNCTIONS:
        more = len(gold) - len(predicted)
        ones, others = [*predicted, *[EMPTY] * more], [*gold, *[EMPTY] * -more]
        for place in range(1, len(ones)):
            one, other = ones[place], others[place]
            if isinstance(one, tuple) and isinstance(other, tuple):
                ones[place], others[place] = aligned(one, other)
        return tuple(ones), tuple(others)
    return predicted, gold


def _variable(form: tuple[Form, ...]) -> str:
    variables = form[1]
    if isinstance(variables, str):
        return variables.split("-")[0].strip()
    raise ValueError("the variables of a quantifier are not a list of names")


def literals(form: Form) -> list[str]:
    """List the literals of a formula; lists of variables are none."""
    found: list[str] = []
    pending = [form]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            found.append(part)
        else:
            pending += reversed(part[2 if part[0] in _QUANTIFIERS else 1 :])
    return found


class Comparison(NamedTuple):
    """Clauses that a predicted and an annotated formula share."""

    score: float  # share of the clauses that are matched, between 0 and 1
    shared: tuple[Form, ...] = ()  # clauses of the prediction that count as matched
    extra: tuple[Form, ...] = ()  # those that count as unmatched
    missing: tuple[Form, ...] = ()  # clauses of the annotation that count as unmatched
    readable: bool = True  # both; nothing is matched or unmatched if not


def compare_forms(
    predicted: str, gold: str, *, mixed_indices: bool = True, overlapping_credit: bool = True
) -> Comparison:
    """Compare the text of a predicted formula with that of the annotated one.

    ``mixed_indices``: a clause of the prediction is unmatched, too, if its number is not among
    those of the matched clauses of the annotation. ``overlapping_credit``: clauses that are alike
    count as matched even if the matching pairs them with others.
    """
    try:
        pair = aligned(read_form(predicted), read_form(gold))
        return _Comparer(mixed_indices, overlapping_credit).compare(*pair)
    except ValueError:
        return Comparison(0.0, readable=False)


class _Comparer(NamedTuple):
    mixed_indices: bool
    overlapping_credit: bool

    def compare(self, one: Form, other: Form) -> Comparison:
        if isinstance(one, str) or isinstance(other, str) or one[0] != other[0]:
            return _whole(one, other, 1.0 if one == other else 0.0)
        if one[0] in _JUNCTIONS:
            return self._junction(one[1:], other[1:])
        if one[0] == "not":
            score = self.compare(one[1], other[1]).score
        elif one[0] == "when":
            alike = all(self.compare(*pair).score == 1 for pair in zip(one, other, strict=True))
            score = 1.0 if alike else 0.0
        else:
            score = self.compare(one[2], other[2]).score if one[1] == other[1] else 0.0
        return _whole(one, other, score)

    def _junction(self, ones: Sequence[Form], others: Sequence[Form]) -> Comparison:
        found = self._alike(ones, others)
        columns = largest_matching([*map(list, found)], len(others))
        taken = set(columns)
        shared = [
            clauses
            for row, column in zip(found, columns, strict=True)
            for j, clauses in row.items()
            if self.overlapping_credit or j == column
        ]
        unmatched = [
            i for i, j in enumerate(columns) if j < 0 or (self.mixed_indices and i not in taken)
        ]
        size = min(len(ones), len(others))
        return Comparison(
            (len(columns) - columns.count(-1)) / size if size else 0.0,
            tuple([part for clauses in shared for part in clauses]),
            tuple([ones[i] for i in unmatched]),
            tuple([other for j, other in enumerate(others) if j not in taken]),
        )

    def _alike(
        self, ones: Sequence[Form], others: Sequence[Form]
    ) -> list[dict[int, tuple[Form, ...]]]:
        """For each clause the numbers of those that it is like, with what they share.

        Only whole matches count, a clause that is half right is wrong.
        """
        locations: dict[Form, dict[int, tuple[Form, ...]]] = {}
        nested: list[tuple[int, Form]] = []
        for j, other in enumerate(others):
            if _is_literal(other):
                locations.setdefault(other, {})[j] = (other,)
            else:
                nested.append((j, other))
        found: list[dict[int, tuple[Form, ...]]] = []
        for one in ones:
            if _is_literal(one):
                found.append(locations.get(one, {}))
            else:
                compared = [(j, self.compare(one, other)) for j, other in nested]
                found.append({j: c.shared for j, c in compared if c.score >= 1})
        return found


def _is_literal(form: Form) -> bool:
    return isinstance(form, str) or (form[0] == "not" and isinstance(form[1], str))


def _whole(one: Form, other: Form, score: float) -> Comparison:
    """A formula that counts as one clause."""
    return Comparison(score, (one,)) if score > 0 else Comparison(score, (), (one,), (other,))
