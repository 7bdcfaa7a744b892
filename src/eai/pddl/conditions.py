"""Conditions and effects, read from nested brackets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

from eai.errors import nearest
from eai.logic.formula import (
    FALSE,
    TRUE,
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
    Variable,
)
from eai.pddl.lists import read_variables
from eai.pddl.model import (
    AddEffect,
    AndEffect,
    CostEffect,
    DeleteEffect,
    Effect,
    ForallEffect,
    WhenEffect,
)
from eai.pddl.names import RESERVED
from eai.pddl.reading import Reading, show
from eai.pddl.sources import Form, Item, Word

__all__ = ["ConditionReader", "is_total_cost"]

Scope = Mapping[str, Variable]
_Part = TypeVar("_Part", Formula, Effect)

_CONDITION = "a condition such as (PREDICATE TERM ...) or (and CONDITION ...)"
_EFFECT = "an effect such as (PREDICATE TERM ...), (not (PREDICATE TERM ...)) or (and EFFECT ...)"


@dataclass(frozen=True, slots=True)
class ConditionReader:
    """Reads conditions and effects of one text.

    What cannot be read is noted and is None; it is left out where it is one part of several.

    Args:
        reading: The text.
    """

    reading: Reading

    def condition(self, item: Item, scope: Scope) -> Formula | None:
        """Read a condition; ``()`` and ``(and)`` are true, ``(or)`` is false."""
        form = self._joined(item, _CONDITION)
        if form is None:
            return None
        if not form.items:
            return TRUE
        head = self._head(form, _CONDITION, _CONDITIONS)
        build = _CONDITIONS.get(head or "")
        if build is not None:
            formula = build(self, form, scope)
            return None if formula is None else self.reading.keep(formula, form.items)
        if head in RESERVED:
            message = f"'{head}' cannot be a condition here"
            self.reading.note("no-condition", message, form.items[0], expected=_CONDITION)
            return None
        return self.atom(form, scope) if head else None

    def effect(self, item: Item, scope: Scope) -> Effect | None:
        """Read an effect; ``()`` and ``(and)`` change nothing."""
        form = self._joined(item, _EFFECT)
        if form is None:
            return None
        if not form.items:
            return AndEffect()
        head = self._head(form, _EFFECT, _EFFECTS)
        build = _EFFECTS.get(head or "")
        if build is not None:
            effect = build(self, form, scope)
            return None if effect is None else self.reading.keep(effect, form.items)
        if head in RESERVED:
            self._no_effect(form, head)
            return None
        atom = self.atom(form, scope) if head else None
        return None if atom is None else AddEffect(atom)

    def _joined(self, item: Item, expected: str) -> Form | None:
        """Take brackets; those that begin with brackets are read as a conjunction."""
        form = self.reading.form(item, expected)
        if form is None or not form.items or isinstance(form.items[0], Word):
            return form
        first = form.items[0]
        advice = "write 'and' before it"
        self.reading.note(
            "misplaced-word", f"found {show(first)}", first, expected=expected, advice=advice
        )
        joined = Word.at("and", "NAME", first.opening)
        return Form(form.opening, [joined, *form.items], form.closing)

    def _no_effect(self, form: Form, head: str) -> None:
        advice = "an effect is certain: write one action for each outcome" if head == "or" else None
        message = f"'{head}' cannot be an effect here"
        self.reading.note("no-effect", message, form.items[0], expected=_EFFECT, advice=advice)

    def _head(self, form: Form, expected: str, known: Collection[str]) -> str | None:
        """Take the first word; the nearest known one if it is misspelt before brackets."""
        head = self.reading.head(form, expected)
        if head is None or head in RESERVED or not any(isinstance(i, Form) for i in form.items):
            return head
        close = nearest(head, known, most=1)
        if not close:
            return head
        message = f"'{head}' cannot have brackets inside of it"
        self.reading.note("misspelt-word", message, form.items[0], name=head, known=known)
        return close[0]

    def atom(self, form: Form, scope: Scope) -> Atom | None:
        """Read a predicate or function applied to terms."""
        first, *rest = form.items
        name = self.reading.word(first, "NAME", "the name of a predicate")
        terms = tuple([self.term(item, scope) for item in rest])
        if name is None or None in terms:
            return None
        return self.reading.keep(Atom(name, terms), form.items)  # type: ignore[arg-type]

    def term(self, item: Item, scope: Scope) -> Term | None:
        """Read an object's name or a variable; a variable that nothing binds is kept as it is."""
        if isinstance(item, Word):
            if item.kind == "VARIABLE":
                name = item[1:].lower()
                return scope.get(name) or Variable(name)
            if item.kind == "NAME":
                return item.lower()
        expected = "a ?variable or the name of an object"
        self.reading.note("misplaced-word", f"found {show(item)}", item, expected=expected)
        return None

    def variables(self, item: Item) -> tuple[Variable, ...]:
        """Read a typed list of variables in brackets."""
        form = self.reading.form(item, "variables in brackets: (?x - TYPE ...)")
        return read_variables(self.reading, form.items) if form else ()

    def quantified(
        self, form: Form, scope: Scope
    ) -> tuple[tuple[Variable, ...], Item, Scope] | None:
        """Read the variables of a quantifier; returns them, the body's item and its scope."""
        found = self.reading.count(form, 2, "(?VARIABLE ...) and one body")
        if found is None:
            return None
        variables = self.variables(found[0])
        inner = {**scope, **{variable.name: variable for variable in variables}}
        return variables, found[1], inner


def is_total_cost(item: Item) -> bool:
    """Whether an item is ``(total-cost)``."""
    words = item.items if isinstance(item, Form) else []
    return [isinstance(word, Word) and word.lower() for word in words] == ["total-cost"]


def _parts(
    read: Callable[[Item, Scope], _Part | None], form: Form, scope: Scope
) -> tuple[_Part, ...]:
    found = [read(part, scope) for part in form.items[1:]]
    return tuple([part for part in found if part is not None])


def _and(reader: ConditionReader, form: Form, scope: Scope) -> Formula:
    parts = _parts(reader.condition, form, scope)
    return And(parts) if parts else TRUE


def _or(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
    if len(form.items) == 1:
        return FALSE
    parts = _parts(reader.condition, form, scope)
    return Or(parts) if parts else None


def _not(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
    found = reader.reading.count(form, 1, "one condition")
    part = reader.condition(found[0], scope) if found else None
    return None if part is None else Not(part)


def _imply(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
    found = reader.reading.count(form, 2, "two conditions")
    if found is None:
        return None
    left, right = (reader.condition(part, scope) for part in found)
    return None if left is None or right is None else Implies(left, right)


def _equal(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
    found = reader.reading.count(form, 2, "two terms")
    if found is None:
        return None
    left, right = (reader.term(part, scope) for part in found)
    return None if left is None or right is None else Equal(left, right)


def _forall(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
    found = reader.quantified(form, scope)
    body = found and reader.condition(found[1], found[2])
    return Forall(found[0], body) if found and body is not None else None


def _exists(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
    found = reader.quantified(form, scope)
    body = found and reader.condition(found[1], found[2])
    return Exists(found[0], body) if found and body is not None else None


def _and_effect(reader: ConditionReader, form: Form, scope: Scope) -> Effect:
    return AndEffect(_parts(reader.effect, form, scope))


def _delete(reader: ConditionReader, form: Form, scope: Scope) -> Effect | None:
    wanted = "one (PREDICATE TERM ...)"
    found = reader.reading.count(form, 1, wanted)
    inner = reader.reading.form(found[0], wanted) if found else None
    head = reader.reading.head(inner, wanted) if inner else None
    if inner is None or head is None:
        return None
    if head in RESERVED:
        reader.reading.note(
            "no-effect", f"'(not ({head} ...))' is no effect", inner, expected=wanted
        )
        return None
    atom = reader.atom(inner, scope)
    return None if atom is None else DeleteEffect(atom)


def _when(reader: ConditionReader, form: Form, scope: Scope) -> Effect | None:
    found = reader.reading.count(form, 2, "a condition and an effect")
    if found is None:
        return None
    condition, effect = reader.condition(found[0], scope), reader.effect(found[1], scope)
    return None if condition is None or effect is None else WhenEffect(condition, effect)


def _forall_effect(reader: ConditionReader, form: Form, scope: Scope) -> Effect | None:
    found = reader.quantified(form, scope)
    body = found and reader.effect(found[1], found[2])
    return ForallEffect(found[0], body) if found and body is not None else None


def _increase(reader: ConditionReader, form: Form, scope: Scope) -> Effect | None:
    found = reader.reading.count(form, 2, "(total-cost) and an amount")
    if found is None:
        return None
    target, amount = found
    if not is_total_cost(target):
        message = "only the total cost can be increased"
        reader.reading.note("unsupported-part", message, target, expected="(total-cost)")
        return None
    cost = _amount(reader, amount, scope)
    return None if cost is None else CostEffect(cost)


def _amount(reader: ConditionReader, item: Item, scope: Scope) -> float | Atom | None:
    wanted = "a number or (FUNCTION TERM ...)"
    if isinstance(item, Form):
        return reader.atom(item, scope) if reader.reading.head(item, wanted) else None
    return reader.reading.number(item, wanted)


_CONDITIONS: dict[str, Callable[[ConditionReader, Form, Scope], Formula | None]] = {
    "and": _and,
    "or": _or,
    "not": _not,
    "imply": _imply,
    "=": _equal,
    "forall": _forall,
    "exists": _exists,
}

_EFFECTS: dict[str, Callable[[ConditionReader, Form, Scope], Effect | None]] = {
    "and": _and_effect,
    "not": _delete,
    "when": _when,
    "forall": _forall_effect,
    "increase": _increase,
}
