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
    open_formulas: list[list[Form]] = []  # the unfinished formulas around the current one
    parts: list[Form] = []  # of the current formula
    for symbol in _WORD.findall(text):
        if symbol == "(":
            open_formulas.append(parts)
            parts = []
            if len(open_formulas) > _DEEPEST:
                raise ValueError("the brackets are nested too deeply")
        elif symbol == ")":
            if not open_formulas:
                raise ValueError("a bracket too many")
            form = _formula(tuple(parts))
            parts = open_formulas.pop()
            parts.append(form)
        elif symbol[0] == "(":  # a whole bracket without others in it, mostly a literal
            literal = symbol[1:-1].strip() or EMPTY
            parts.append(_formula((literal,)) if literal in _CONNECTIVES else literal)
        else:
            parts.append(symbol.strip())
    if open_formulas == [[]] and not parts:
        return "("  # a single bracket is read as a literal
    if open_formulas or len(parts) != 1:
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

    Where both formulas have a quantifier at the same place, the variable of ``gold`` is renamed to
    that of ``predicted``. Quantifiers inside of these are left as they are.

    Raises:
        ValueError: The list of variables of a quantifier is not a text.
    """
    if isinstance(predicted, str) or isinstance(gold, str):
        return predicted, gold
    if predicted[0] == gold[0] and predicted[0] in _QUANTIFIERS:
        old_name, new_name = _variable(gold), _variable(predicted)
        renamed_parts = [_replace_in_literals(part, old_name, new_name) for part in gold[1:]]
        return predicted, (gold[0], *renamed_parts)
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
            return self._compare_junctions(predicted[1:], gold[1:])
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

    def _compare_junctions(
        self, predicted: Sequence[Form], gold: Sequence[Form]
    ) -> ClauseComparison:
        """Compare the clauses of two junctions by a largest matching of equal clauses."""
        equal_clauses = self._equal_clauses(predicted, gold)
        # For each predicted clause the index of the annotated one that it is matched to, or -1.
        matching = largest_matching([*map(list, equal_clauses)], len(gold))
        matched_gold = set(matching)
        shared: list[Form] = []
        extra: list[Form] = []
        for predicted_index, clause in enumerate(predicted):
            for gold_index, clauses in equal_clauses[predicted_index].items():
                if self.overlapping_credit or gold_index == matching[predicted_index]:
                    shared += clauses
            is_extra = matching[predicted_index] < 0
            # The published evaluator looks the index of a predicted clause up among those of the
            # annotation (quirk mixed_indices).
            if self.mixed_indices and predicted_index not in matched_gold:
                is_extra = True
            if is_extra:
                extra.append(clause)
        max_matches = min(len(predicted), len(gold))
        score = 0.0
        if max_matches:
            n_matches = len(matching) - matching.count(-1)
            score = n_matches / max_matches
        missing = [clause for index, clause in enumerate(gold) if index not in matched_gold]
        return ClauseComparison(score, tuple(shared), tuple(extra), tuple(missing))

    def _equal_clauses(self, predicted: Sequence[Form], gold: Sequence[Form]) -> list[_Equals]:
        """Return for each predicted clause the annotated clauses equal to it, by their index.

        A clause that is partly right is not equal. Most clauses are literals, which are looked up;
        only other clauses are compared pair by pair.
        """
        gold_literals: dict[Form, _Equals] = {}
        other_gold_clauses: list[tuple[int, Form]] = []
        for gold_index, clause in enumerate(gold):
            if _is_literal(clause):
                gold_literals.setdefault(clause, {})[gold_index] = (clause,)
            else:
                other_gold_clauses.append((gold_index, clause))
        equal_clauses: list[_Equals] = []
        for clause in predicted:
            if _is_literal(clause):
                equal_clauses.append(gold_literals.get(clause, {}))
                continue
            # A conjunction or a quantifier may be equal without being written alike.
            equal_to_clause: _Equals = {}
            for gold_index, gold_clause in other_gold_clauses:
                comparison = self.compare(clause, gold_clause)
                if comparison.score >= 1:
                    equal_to_clause[gold_index] = comparison.shared
            equal_clauses.append(equal_to_clause)
        return equal_clauses


def _is_literal(form: Form) -> bool:
    return isinstance(form, str) or (form[0] == "not" and isinstance(form[1], str))


def _as_one_clause(predicted: Form, gold: Form, score: float) -> ClauseComparison:
    """Return the comparison of two formulas that count as one clause each."""
    if score > 0:
        return ClauseComparison(score, (predicted,))
    return ClauseComparison(score, (), (predicted,), (gold,))
