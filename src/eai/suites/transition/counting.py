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
"""An empty formula; shorter conjunctions are filled up with it."""

_DEEPEST = 250
"""Maximum depth of brackets; the evaluator reads some more, as many as its Python allows."""

# An innermost bracket, a bracket alone, or the text up to the next bracket.
_WORD = re.compile(r"\([^()]*\)|[()]|[^()\s][^()]*")
_JUNCTIONS = ("and", "or")
_QUANTIFIERS = ("exists", "forall")
# Connective to the number of its parts, itself included.
_LENGTHS = {"not": 2, "exists": 3, "forall": 3, "when": 3}
_CONNECTIVES = frozenset((*_JUNCTIONS, *_LENGTHS))


@lru_cache(maxsize=1 << 8)
def read_form(text: str) -> Form:
    """Read a formula.

    Example:
        >>> read_form("(and (open ?x) (not (locked ?x)))")
        ('and', 'open ?x', ('not', 'locked ?x'))

    Raises:
        ValueError: The evaluator would give up here: unbalanced or too many nested brackets, a
            wrong number of parts after a connective, or a connective where a literal must be.
    """
    enclosing: list[list[Form]] = []  # the unfinished formulas around the current one
    parts: list[Form] = []  # of the current formula
    for word in _WORD.findall(text):
        if word == "(":
            enclosing.append(parts)
            parts = []
            if len(enclosing) > _DEEPEST:
                raise ValueError("the brackets are nested too deeply")
        elif word == ")":
            if not enclosing:
                raise ValueError("a bracket too many")
            form = _formula(tuple(parts))
            parts = enclosing.pop()
            parts.append(form)
        elif word[0] == "(":  # without other brackets in it: mostly a literal
            literal = word[1:-1].strip() or EMPTY
            parts.append(_formula((literal,)) if literal in _CONNECTIVES else literal)
        else:
            parts.append(word.strip())
    if enclosing == [[]] and not parts:
        return "("  # a lone bracket passes for a literal
    if enclosing or len(parts) != 1:
        raise ValueError("the brackets are not balanced")
    return parts[0]


def _formula(parts: tuple[Form, ...]) -> Form:
    """Return a bracketed list as a formula: a connective with its operands, or a literal.

    A literal is one text: ``on ?x ?y``.
    """
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


def align(predicted: Form, gold: Form) -> tuple[Form, Form]:
    """Pad the shorter of two junctions, and give both formulas the same bound variables.

    A variable of ``gold`` is renamed to that of ``predicted`` where a quantifier stands at the
    same place in both, not deeper.

    Raises:
        ValueError: The list of variables of a quantifier is not a text.
    """
    if isinstance(predicted, str) or isinstance(gold, str):
        return predicted, gold
    if predicted[0] == gold[0] and predicted[0] in _QUANTIFIERS:
        old, new = _variable(gold), _variable(predicted)
        return predicted, (gold[0], *(_replace_in_literals(part, old, new) for part in gold[1:]))
    if predicted[0] not in _JUNCTIONS or gold[0] not in _JUNCTIONS:
        return predicted, gold
    length = max(len(predicted), len(gold))
    predicted_parts = _padded(predicted, length)
    gold_parts = _padded(gold, length)
    for index in range(1, length):
        predicted_part, gold_part = predicted_parts[index], gold_parts[index]
        # Pairs with a literal have nothing to align.
        if isinstance(predicted_part, tuple) and isinstance(gold_part, tuple):
            pair = align(predicted_part, gold_part)
            predicted_parts[index], gold_parts[index] = pair
    return tuple(predicted_parts), tuple(gold_parts)


def _padded(junction: tuple[Form, ...], length: int) -> list[Form]:
    """Return the parts of a junction, followed by empty formulas up to a length."""
    return [*junction, *[EMPTY] * (length - len(junction))]


def _replace_in_literals(form: Form, old: str, new: str) -> Form:
    """Return a formula with a text replaced in all literals, even inside of names.

    The published evaluator replaces texts: ``?x`` in ``?x1`` is replaced, too.
    """
    if isinstance(form, str):
        return form.replace(old, new)
    return tuple(_replace_in_literals(part, old, new) for part in form)


def _variable(form: tuple[Form, ...]) -> str:
    """Return the variables of a quantifier up to their first type."""
    variables = form[1]
    if isinstance(variables, str):
        return variables.split("-")[0].strip()
    raise ValueError("the variables of a quantifier are not a list of names")


def literals(form: Form) -> list[str]:
    """Return the literals of a formula, without lists of variables."""
    leaves: list[str] = []
    pending = [form]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            leaves.append(part)
            continue
        # After the connective, and after the variables of a quantifier.
        first_operand = 2 if part[0] in _QUANTIFIERS else 1
        pending += reversed(part[first_operand:])
    return leaves


class ClauseComparison(NamedTuple):
    """The number of clauses that a predicted and an annotated formula share."""

    score: float  # share of the clauses that are matched, between 0 and 1
    shared: tuple[Form, ...] = ()  # clauses of the prediction that count as matched
    extra: tuple[Form, ...] = ()  # those that count as unmatched
    missing: tuple[Form, ...] = ()  # clauses of the annotation that count as unmatched
    readable: bool = True  # both; nothing is matched or unmatched if not


def compare_forms(
    predicted: str, gold: str, *, mixed_indices: bool = True, overlapping_credit: bool = True
) -> ClauseComparison:
    """Compare the text of a predicted formula with that of the annotated one.

    Args:
        predicted: The predicted formula.
        gold: The annotated formula.
        mixed_indices: Whether a predicted clause also counts as unmatched if no matched clause of
            the annotation has its number.
        overlapping_credit: Whether equal clauses count as shared even if the matching pairs them
            with different ones.
    """
    try:
        pair = align(read_form(predicted), read_form(gold))
        return _Comparer(mixed_indices, overlapping_credit).compare(*pair)
    except ValueError:
        return ClauseComparison(0.0, readable=False)


_Equals = dict[int, tuple[Form, ...]]
"""Indices of annotated clauses that are equal to a predicted one, with the clauses they share."""


class _Comparer(NamedTuple):
    mixed_indices: bool
    overlapping_credit: bool

    def compare(self, predicted: Form, gold: Form) -> ClauseComparison:
        """Compare two formulas: clause by clause if they are junctions, else as one clause."""
        if isinstance(predicted, str) or isinstance(gold, str) or predicted[0] != gold[0]:
            return _as_one_clause(predicted, gold, float(predicted == gold))
        connective = predicted[0]
        if connective in _JUNCTIONS:
            return self._junction(predicted[1:], gold[1:])
        if connective == "not":
            score = self.compare(predicted[1], gold[1]).score
        elif connective == "when":
            pairs = zip(predicted, gold, strict=True)
            score = float(all(self.compare(*pair).score == 1 for pair in pairs))
        elif predicted[1] == gold[1]:  # a quantifier over the same variables
            score = self.compare(predicted[2], gold[2]).score
        else:
            score = 0.0
        return _as_one_clause(predicted, gold, score)

    def _junction(self, predicted: Sequence[Form], gold: Sequence[Form]) -> ClauseComparison:
        """Compare the clauses of two junctions by a largest matching of equal clauses."""
        equals = self._equal_clauses(predicted, gold)
        # For each predicted clause the index of the annotated one that it is matched to, or -1.
        matched_to = largest_matching([*map(list, equals)], len(gold))
        matched_gold = set(matched_to)
        shared: list[Form] = []
        extra: list[Form] = []
        for index, clause in enumerate(predicted):
            for gold_index, clauses in equals[index].items():
                if self.overlapping_credit or gold_index == matched_to[index]:
                    shared += clauses
            # The published evaluator looks the index of a predicted clause up among those of the
            # annotation (quirk mixed_indices).
            is_mixed_up = self.mixed_indices and index not in matched_gold
            if matched_to[index] < 0 or is_mixed_up:
                extra.append(clause)
        size = min(len(predicted), len(gold))
        score = 0.0
        if size:
            score = (len(matched_to) - matched_to.count(-1)) / size
        missing = [clause for index, clause in enumerate(gold) if index not in matched_gold]
        return ClauseComparison(score, tuple(shared), tuple(extra), tuple(missing))

    def _equal_clauses(self, predicted: Sequence[Form], gold: Sequence[Form]) -> list[_Equals]:
        """Return for each predicted clause the annotated clauses equal to it.

        Only whole matches count: a clause that is half right is wrong. Literals, which most clauses
        are, are looked up; only others are compared pair by pair.
        """
        literal_locations: dict[Form, _Equals] = {}
        compound: list[tuple[int, Form]] = []
        for index, clause in enumerate(gold):
            if _is_literal(clause):
                literal_locations.setdefault(clause, {})[index] = (clause,)
            else:
                compound.append((index, clause))
        equals: list[_Equals] = []
        for clause in predicted:
            if _is_literal(clause):
                equals.append(literal_locations.get(clause, {}))
                continue
            # A conjunction or a quantifier may be equal without being written alike.
            of_clause: _Equals = {}
            for index, gold_clause in compound:
                comparison = self.compare(clause, gold_clause)
                if comparison.score >= 1:
                    of_clause[index] = comparison.shared
            equals.append(of_clause)
        return equals


def _is_literal(form: Form) -> bool:
    return isinstance(form, str) or (form[0] == "not" and isinstance(form[1], str))


def _as_one_clause(predicted: Form, gold: Form, score: float) -> ClauseComparison:
    """Return the comparison of two formulas that count as one clause each."""
    if score > 0:
        return ClauseComparison(score, (predicted,))
    return ClauseComparison(score, (), (predicted,), (gold,))
