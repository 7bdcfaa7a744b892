"""The trajectory constraints of PDDL 3 as text in brackets: read and written.

``(and (always (not (open fridge))) (sometime-before (served ?x) (washed ?x)))`` and its like
(Gerevini & Long 2005). What each of them means is in :mod:`eai.logic.syntax.sugar`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from eai.errors import ParseError, SchemaError
from eai.logic.bddl.lists import Form, Item, Word, is_name, read_text
from eai.logic.formula import (
    LAST,
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Term,
    Truth,
    Variable,
    is_temporal,
)
from eai.logic.nodes import FALSE, TRUE, Always, Eventually, Next, WeakNext, WeakUntil
from eai.logic.syntax import sugar
from eai.logic.syntax.builder import LARGEST_BOUND

__all__ = ["format_pddl3", "parse_pddl3"]

_MODES: dict[str, tuple[int, int, Callable[..., Formula]]] = {
    "always": (0, 1, Always),
    "sometime": (0, 1, Eventually),
    "at-end": (0, 1, sugar.at_end),
    "at-most-once": (0, 1, sugar.at_most_once),
    "sometime-after": (0, 2, sugar.sometime_after),
    "sometime-before": (0, 2, sugar.sometime_before),
    "within": (1, 1, sugar.within),
    "always-within": (1, 2, sugar.always_within),
    "hold-during": (2, 1, sugar.hold_during),
    "hold-after": (1, 1, sugar.hold_after),
}
"""For each mode the number of its bounds and of its conditions, and what it means."""

_DEPTH = 60
_Scope = dict[str, Variable]


def parse_pddl3(text: str, *, source: str = "constraints") -> Formula:
    """Read trajectory constraints.

    Args:
        text: One constraint or condition, with or without ``(:constraints ...)`` around it. Names
            become lower case; ``(at end f)`` and ``(at-end f)`` are the same.
        source: What to call the text in error messages.

    Raises:
        ParseError: If the text is no constraint of PDDL 3.
    """
    form = read_text(text, source)
    if form.head == ":constraints" and len(form.items) == 2:
        return _Reader(text, source).formula(form.items[1], {})
    return _Reader(text, source).formula(form, {})


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source

    def formula(self, item: Item, scope: _Scope) -> Formula:
        if isinstance(item, Word) or not item.head:
            raise self.error("this is no condition", item, "a condition in brackets")
        head, rest = item.head, item.items[1:]
        if head == "at" and len(rest) == 2 and isinstance(rest[0], Word) and rest[0].text == "end":
            head, rest = "at-end", rest[1:]
        if head in _MODES:
            return self.mode(head, rest, scope, item)
        if head in ("and", "or"):
            return _chained(head, tuple(self.formula(each, scope) for each in rest))
        if head in ("not", "imply"):
            self.expect(item, 1 if head == "not" else 2, rest)
            parts = [self.formula(each, scope) for each in rest]
            return Not(parts[0]) if head == "not" else Implies(*parts)
        if head in ("forall", "exists"):
            return self.quantified(head, rest, scope, item)
        terms = tuple(self.term(each, scope) for each in rest)
        if head == "=":
            self.expect(item, 2, rest)
            return Equal(*terms)
        return Atom(head, terms)

    def mode(self, head: str, rest: Sequence[Item], scope: _Scope, item: Form) -> Formula:
        bounds, conditions, make = _MODES[head]
        self.expect(item, bounds + conditions, rest)
        numbers = [self.number(each) for each in rest[:bounds]]
        return make(*numbers, *[self.formula(each, scope) for each in rest[bounds:]])

    def number(self, item: Item) -> int:
        if isinstance(item, Word) and item.text.isdecimal() and len(item.text) < 10:
            number = int(item.text)
            if number <= LARGEST_BOUND:
                return number
        raise self.error("this is no number of steps", item, f"0 to {LARGEST_BOUND:,}")

    def quantified(self, head: str, rest: Sequence[Item], scope: _Scope, item: Form) -> Formula:
        self.expect(item, 2, rest)
        if isinstance(rest[0], Word):
            raise self.error("the variables stand in brackets", rest[0], "(?x - type)")
        variables = self.variables(rest[0])
        inner = {**scope, **{f"?{variable.name}": variable for variable in variables}}
        return (Forall if head == "forall" else Exists)(variables, self.formula(rest[1], inner))

    def variables(self, form: Form) -> tuple[Variable, ...]:
        found: list[Variable] = []
        names: list[str] = []
        items = iter(form.items)
        for item in items:
            word = self.word(item)
            if word == "-":
                types = self.types(next(items, form))
                found += [Variable(name, types) for name in names]
                names = []
            elif word.startswith("?") and len(word) > 1:
                names.append(word[1:])
            else:
                raise self.error(f"{word!r} is no variable", item, "?name")
        return (*found, *(Variable(name) for name in names))

    def types(self, item: Item) -> tuple[str, ...]:
        if isinstance(item, Form) and item.head == "either":
            return tuple(self.word(each) for each in item.items[1:])
        return (self.word(item),)

    def term(self, item: Item, scope: _Scope) -> Term:
        word = self.word(item)
        if not word.startswith("?"):
            return word
        if word not in scope:
            raise self.error(f"{word} is not bound", item, "a variable of a quantifier around it")
        return scope[word]

    def word(self, item: Item) -> str:
        if isinstance(item, Form):
            raise self.error("this is no name", item, "a name")
        return item.text

    def expect(self, item: Form, number: int, rest: Sequence[Item]) -> None:
        if len(rest) != number:
            raise self.error(f"{item.head} has {len(rest)} arguments", item, str(number))

    def error(self, what: str, item: Item, expected: str) -> ParseError:
        return ParseError(
            what, text=self.text, position=item.start, source=self.source, expected=expected
        )


def _chained(head: str, parts: tuple[Formula, ...]) -> Formula:
    if not parts:
        return TRUE if head == "and" else FALSE
    return And(parts) if head == "and" else Or(parts)


def format_pddl3(formula: Formula) -> str:
    """Write a formula as constraints of PDDL 3.

    Args:
        formula: A formula that PDDL 3 can say: its modes, over conditions without time, joined
            by ``and`` and ``forall``.

    Returns:
        Text that :func:`parse_pddl3` reads back as the same formula (apart from empty
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
    reserved = name in _MODES or name in ("and", "or", "not", "imply", "forall", "exists", "=")
    if not is_name(name) or reserved or name == "at":
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
