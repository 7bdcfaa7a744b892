"""Formulas as the published evaluator reads them: nested text, names and arguments not taken apart.

A literal is the text between two brackets, every other formula a tuple that begins with its
connective. What is read is what ``eai-eval`` 1.0.5 reads, whether or not it is PDDL.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Union

__all__ = ["EMPTY", "Form", "aligned", "literals", "read_form"]

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

    Args:
        text: PDDL text of a condition or an effect.

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
        else:
            parts.append(_literal(word[1:-1].strip()) if word[0] == "(" else word.strip())
    if outer == [[]] and not parts:
        return "("  # a lone bracket passes for a literal
    if outer or len(parts) != 1:
        raise ValueError("the brackets are not balanced")
    return parts[0]


def _literal(text: str) -> Form:
    """What stands between two brackets without others in it."""
    return _formula((text,)) if text in _CONNECTIVES else text or EMPTY


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
        return predicted, _renamed(gold, _variable(gold), _variable(predicted))
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
    raise ValueError("the variables of a quantifier are no list of names")


def _renamed(form: tuple[Form, ...], old: str, new: str) -> Form:
    def rename(part: Form) -> Form:
        return part.replace(old, new) if isinstance(part, str) else tuple(map(rename, part))

    return (form[0], *map(rename, form[1:]))


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
