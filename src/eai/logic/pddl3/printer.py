"""Formulas as trajectory constraints of PDDL 3."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from eai.errors import SchemaError
from eai.logic.bddl.lists import is_name
from eai.logic.formula import (
    LAST,
    Always,
    And,
    Atom,
    Equal,
    Eventually,
    Exists,
    Forall,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Term,
    Truth,
    Variable,
    WeakNext,
    WeakUntil,
    is_temporal,
)
from eai.logic.pddl3.modes import MODES
from eai.logic.syntax import sugar

__all__ = ["format_pddl3"]

_DEPTH = 60
_WORDS = {"and", "or", "not", "imply", "forall", "exists", "=", "at", *MODES}
"""What no predicate, object or variable is called."""


def format_pddl3(formula: Formula) -> str:
    """Write a formula as constraints of PDDL 3.

    Args:
        formula: A formula that PDDL 3 can say: its modes, over conditions without time, joined
            by ``and`` and ``forall``.

    Returns:
        Text that
        :func:`~eai.logic.pddl3.reader.parse_pddl3` reads back as the same formula (apart from empty
        conjunctions and disjunctions, which come back as the constants that they mean).

    Raises:
        SchemaError: If PDDL 3 has no words for it.
    """
    return _constraint(formula, 0)


def _constraint(formula: Formula, depth: int) -> str:
    if not is_temporal(formula):
        return _condition(formula, depth)
    if depth > _DEPTH:
        raise SchemaError(f"PDDL 3 constraints nested more than {_DEPTH} deep are not written")
    found = next(filter(None, (recognise(formula) for recognise in _RECOGNISED)), None)
    if found is not None:
        head, bounds, conditions = found
        inner = [_condition(each, depth + 1) for each in conditions]
        return f"({' '.join([head, *map(str, bounds), *inner])})"
    if isinstance(formula, And):
        return f"(and {' '.join(_constraint(each, depth + 1) for each in formula.operands)})"
    if isinstance(formula, Forall):
        body = _constraint(formula.body, depth + 1)
        return f"(forall ({_binders(formula.variables)}) {body})"
    raise SchemaError(
        f"PDDL 3 has no words for this {type(formula).__name__}",
        expected="always, sometime, at end, within, ... joined by and, forall",
    )


def _condition(formula: Formula, depth: int) -> str:
    if depth > _DEPTH or is_temporal(formula):
        raise SchemaError("PDDL 3 has no words for time inside time, or for such a depth")
    write = partial(_condition, depth=depth + 1)
    if isinstance(formula, Truth):
        return "(and)" if formula.value else "(or)"
    if isinstance(formula, Atom):
        return f"({' '.join([_name(formula.predicate), *map(_term, formula.terms)])})"
    if isinstance(formula, Equal):
        return f"(= {_term(formula.left)} {_term(formula.right)})"
    if isinstance(formula, Not):
        return f"(not {write(formula.operand)})"
    if isinstance(formula, (And, Or)):
        head = "and" if isinstance(formula, And) else "or"
        return f"({' '.join([head, *map(write, formula.operands)])})"
    if isinstance(formula, Implies):
        return f"(imply {write(formula.left)} {write(formula.right)})"
    if isinstance(formula, (Forall, Exists)):
        head = "forall" if isinstance(formula, Forall) else "exists"
        return f"({head} ({_binders(formula.variables)}) {write(formula.body)})"
    raise SchemaError(f"PDDL has no words for {type(formula).__name__}")


def _name(name: str) -> str:
    if not is_name(name) or name in _WORDS:
        raise SchemaError(f"{name!r} cannot be written in PDDL", expected="a word in lower case")
    return name


def _term(term: Term) -> str:
    return f"?{_name(term.name)}" if isinstance(term, Variable) else _name(term)


def _binders(variables: Sequence[Variable]) -> str:
    return " ".join(f"{_term(variable)} - {_types(variable.types)}" for variable in variables)


def _types(types: Sequence[str]) -> str:
    names = [_name(each) for each in types]
    return names[0] if len(names) == 1 else f"(either {' '.join(names)})"


_Found = tuple[str, tuple[int, ...], tuple[Formula, ...]]


def _always(formula: Formula) -> _Found | None:
    if not isinstance(formula, Always):
        return None
    inner = formula.operand
    if isinstance(inner, Implies):
        if formula == sugar.at_most_once(inner.left):
            return "at-most-once", (), (inner.left,)
        if isinstance(inner.right, Eventually):
            return "sometime-after", (), (inner.left, inner.right.operand)
        steps, goal = _steps(inner.right, Or, Next)
        if steps:
            return "always-within", (steps,), (inner.left, goal)
    return "always", (), (inner,)


def _sometime(formula: Formula) -> _Found | None:
    if not isinstance(formula, Eventually):
        return None
    inner = formula.operand
    if isinstance(inner, And) and len(inner.operands) == 2 and inner.operands[0] == LAST:
        return "at-end", (), (inner.operands[1],)
    return "sometime", (), (inner,)


def _sometime_before(formula: Formula) -> _Found | None:
    right = formula.right if isinstance(formula, WeakUntil) else None
    if not (isinstance(right, And) and len(right.operands) == 2):
        return None
    goal, denied = right.operands
    if isinstance(denied, Not) and formula == sugar.sometime_before(denied.operand, goal):
        return "sometime-before", (), (denied.operand, goal)
    return None


def _within(formula: Formula) -> _Found | None:
    steps, goal = _steps(formula, Or, Next)
    return ("within", (steps,), (goal,)) if steps else None


def _hold(formula: Formula) -> _Found | None:
    start, goal, inner = 0, None, formula
    while isinstance(inner, Or) and len(inner.operands) == 2:
        last, later = inner.operands
        if not (isinstance(last, And) and last.operands[:1] == (LAST,)):
            break
        if not (isinstance(later, Next) and len(last.operands) == 2):
            break
        start, goal, inner = start + 1, last.operands[1], later.operand
    if goal is not None and formula == sugar.hold_after(start - 1, goal):
        return "hold-after", (start - 1,), (goal,)
    more, found = _steps(inner, And, WeakNext)
    goal = found if goal is None else goal
    if (more or start) and formula == sugar.hold_during(start, start + more + 1, goal):
        return "hold-during", (start, start + more + 1), (goal,)
    if start and formula == sugar.hold_during(start, start, goal):
        return "hold-during", (start, start), (goal,)
    return None


def _steps(
    formula: Formula, chain: type[And | Or], following: type[Next | WeakNext]
) -> tuple[int, Formula]:
    """How often ``goal and next (goal and next ...)`` goes on, and the goal."""
    steps, inner = 0, formula
    first = formula.operands[0] if isinstance(formula, chain) and formula.operands else None
    while (
        isinstance(inner, chain)
        and len(inner.operands) == 2
        and isinstance(inner.operands[1], following)
        and inner.operands[0] == first
    ):
        steps, inner = steps + 1, inner.operands[1].operand
    return (steps, inner) if inner == first else (0, formula)


_RECOGNISED = (_always, _sometime, _sometime_before, _hold, _within)
