"""Conditions and effects, read from nested brackets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
from eai.pddl.forms import Form, Item
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
from eai.pddl.reading import Reading

__all__ = ["ConditionReader"]

Scope = Mapping[str, Variable]

_CONDITION = "a condition such as (PREDICATE TERM ...) or (and CONDITION ...)"
_EFFECT = "an effect such as (PREDICATE TERM ...), (not (PREDICATE TERM ...)) or (and EFFECT ...)"


@dataclass(frozen=True, slots=True)
class ConditionReader:
    """Reads conditions and effects of one text.

    Args:
        reading: The text.
    """

    reading: Reading

    def condition(self, item: Item, scope: Scope) -> Formula:
        """Read a condition; ``()`` and ``(and)`` are true, ``(or)`` is false."""
        form = self.reading.form(item, _CONDITION)
        if not form.items:
            return TRUE
        head = self.reading.head(form, _CONDITION)
        build = _CONDITIONS.get(head)
        if build is not None:
            return self.reading.keep(build(self, form, scope), form.items)
        if head in RESERVED:
            raise self._misplaced(form, head, "condition", expected=_CONDITION)
        return self.atom(form, scope)

    def effect(self, item: Item, scope: Scope) -> Effect:
        """Read an effect; ``()`` and ``(and)`` change nothing."""
        form = self.reading.form(item, _EFFECT)
        if not form.items:
            return AndEffect()
        head = self.reading.head(form, _EFFECT)
        build = _EFFECTS.get(head)
        if build is not None:
            return self.reading.keep(build(self, form, scope), form.items)
        if head in RESERVED:
            raise self._misplaced(form, head, "effect", expected=_EFFECT)
        return AddEffect(self.atom(form, scope))

    def atom(self, form: Form, scope: Scope) -> Atom:
        """Read a predicate or function applied to terms."""
        first, *rest = form.items
        name = self.reading.source.word(first, "NAME", "the name of a predicate")
        terms = tuple([self.term(item, scope) for item in rest])
        return self.reading.keep(Atom(name, terms), form.items)

    def term(self, item: Item, scope: Scope) -> Term:
        """Read an object's name or a variable; a variable that nothing binds is kept as it is."""
        if not isinstance(item, Form):
            if item.type == "VARIABLE":
                name = item[1:].lower()
                return scope.get(name) or Variable(name)
            if item.type == "NAME":
                return item.lower()
        raise self.reading.source.unexpected(item, "a ?variable or the name of an object")

    def variables(self, item: Item) -> tuple[Variable, ...]:
        """Read a typed list of variables in brackets."""
        wanted = "variables in brackets: (?x - TYPE ...)"
        return self.reading.variables(self.reading.form(item, wanted).items)

    def quantified(self, form: Form, scope: Scope) -> tuple[tuple[Variable, ...], Item, Scope]:
        """Read the variables of a quantifier; returns them, the body's item and its scope."""
        first, body = self.reading.count(form, 2, "(?VARIABLE ...) and one body")
        variables = self.variables(first)
        return variables, body, {**scope, **{variable.name: variable for variable in variables}}

    def _misplaced(self, form: Form, head: str, what: str, *, expected: str) -> Exception:
        article = "an" if what == "effect" else "a"
        return self.reading.source.error(
            f"'{head}' cannot be {article} {what} here", form.items[0], expected=expected
        )


def _and(reader: ConditionReader, form: Form, scope: Scope) -> Formula:
    parts = form.items[1:]
    return And(tuple([reader.condition(part, scope) for part in parts])) if parts else TRUE


def _or(reader: ConditionReader, form: Form, scope: Scope) -> Formula:
    parts = form.items[1:]
    return Or(tuple([reader.condition(part, scope) for part in parts])) if parts else FALSE


def _not(reader: ConditionReader, form: Form, scope: Scope) -> Formula:
    (part,) = reader.reading.count(form, 1, "one condition")
    return Not(reader.condition(part, scope))


def _imply(reader: ConditionReader, form: Form, scope: Scope) -> Formula:
    left, right = reader.reading.count(form, 2, "two conditions")
    return Implies(reader.condition(left, scope), reader.condition(right, scope))


def _equal(reader: ConditionReader, form: Form, scope: Scope) -> Formula:
    left, right = reader.reading.count(form, 2, "two terms")
    return Equal(reader.term(left, scope), reader.term(right, scope))


def _forall(reader: ConditionReader, form: Form, scope: Scope) -> Formula:
    variables, body, inner = reader.quantified(form, scope)
    return Forall(variables, reader.condition(body, inner))


def _exists(reader: ConditionReader, form: Form, scope: Scope) -> Formula:
    variables, body, inner = reader.quantified(form, scope)
    return Exists(variables, reader.condition(body, inner))


def _and_effect(reader: ConditionReader, form: Form, scope: Scope) -> Effect:
    return AndEffect(tuple([reader.effect(part, scope) for part in form.items[1:]]))


def _delete(reader: ConditionReader, form: Form, scope: Scope) -> Effect:
    wanted = "one (PREDICATE TERM ...)"
    (part,) = reader.reading.count(form, 1, wanted)
    inner = reader.reading.form(part, wanted)
    head = reader.reading.head(inner, wanted)
    if head in RESERVED:
        raise reader.reading.source.error(
            f"'(not ({head} ...))' is no effect", inner, expected=wanted
        )
    return DeleteEffect(reader.atom(inner, scope))


def _when(reader: ConditionReader, form: Form, scope: Scope) -> Effect:
    condition, effect = reader.reading.count(form, 2, "a condition and an effect")
    return WhenEffect(reader.condition(condition, scope), reader.effect(effect, scope))


def _forall_effect(reader: ConditionReader, form: Form, scope: Scope) -> Effect:
    variables, body, inner = reader.quantified(form, scope)
    return ForallEffect(variables, reader.effect(body, inner))


def _increase(reader: ConditionReader, form: Form, scope: Scope) -> Effect:
    target, amount = reader.reading.count(form, 2, "(total-cost) and an amount")
    what = "only the total cost can be increased"
    function = reader.reading.form(target, "(total-cost)")
    if reader.reading.head(function, "(total-cost)") != "total-cost" or len(function.items) != 1:
        raise reader.reading.source.error(what, target, expected="(total-cost)")
    return CostEffect(_amount(reader, amount, scope))


def _amount(reader: ConditionReader, item: Item, scope: Scope) -> float | Atom:
    wanted = "a number or (FUNCTION TERM ...)"
    if isinstance(item, Form):
        reader.reading.head(item, wanted)
        return reader.atom(item, scope)
    return reader.reading.number(item, wanted)


_CONDITIONS: dict[str, Callable[[ConditionReader, Form, Scope], Formula]] = {
    "and": _and,
    "or": _or,
    "not": _not,
    "imply": _imply,
    "=": _equal,
    "forall": _forall,
    "exists": _exists,
}

_EFFECTS: dict[str, Callable[[ConditionReader, Form, Scope], Effect]] = {
    "and": _and_effect,
    "not": _delete,
    "when": _when,
    "forall": _forall_effect,
    "increase": _increase,
}
