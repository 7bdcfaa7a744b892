"""Typed lists (``a b - block c - (either crate pallet) d``), conditions and effects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from eai.errors import InputError, nearest
from eai.logic import (
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
    Quantifier,
    Term,
    Variable,
)
from eai.nesting import NESTING_LIMIT
from eai.pddl.issues import FOREIGN_NAMES
from eai.pddl.languages import HEADS, NUMERIC, PROBABILISTIC, TEMPORAL
from eai.pddl.model import (
    AddEffect,
    AndEffect,
    CostEffect,
    DeleteEffect,
    Effect,
    ForallEffect,
    WhenEffect,
)
from eai.pddl.reading import Reading, show
from eai.pddl.text import RESERVED, Form, Item, Word
from eai.text import with_article

_TYPE = "a type, or (either TYPE ...)"


class Entry(NamedTuple):
    """One entry of a typed list, and where it and its types stand."""

    item: Item
    name: str
    """In lower case; a variable with its question mark."""
    types: tuple[str, ...]
    where: Sequence[Item]


def typed(reading: Reading, items: Sequence[Item], kind: str, *, expected: str) -> Iterator[Entry]:
    """Yield the entries of a typed list.

    Among variables, a name without ``-`` before it is taken for the type that it must be.
    """
    waiting: list[tuple[Item, str]] = []
    rest = iter(items)
    for item in rest:
        types: tuple[str, ...] = ()
        where: Sequence[Item] = ()
        if item == "-":
            if not waiting:
                message = "'-' without anything before it"
                reading.note("misplaced-word", message, item, severity="warning", advice=_LEAVE)
            after = next(rest, None)
            if after is None:
                reading.note("missing-part", "'-' without a type after it", item, expected=_TYPE)
            else:
                types, where = _types(reading, after)
        elif kind == "VARIABLE" and waiting and isinstance(item, Word) and item.kind == "NAME":
            _note_dash(reading, item, waiting)
            types, where = _types(reading, item)
        else:
            word = reading.word(item, kind, expected)
            if word is not None:
                waiting.append((item, word))
            continue
        yield from (Entry(entry, name, types, where) for entry, name in waiting)
        waiting.clear()
    yield from (Entry(entry, name, (), ()) for entry, name in waiting)


def _note_dash(reading: Reading, item: Item, waiting: list[tuple[Item, str]]) -> None:
    last, name = waiting[-1]
    if name.endswith("-"):
        waiting[-1] = last, name[:-1]
        message = f"there is no blank before the '-' of '{name}'"
        reading.note("missing-blank", message, last, severity="warning", advice="write ' - '")
        return
    reading.note(
        "missing-dash",
        f"there is no '-' before the type '{item}'",
        item,
        expected=f"- {item}",
        advice=f"write '- {item}', or '?{item}' if it is a variable",
    )


def _types(reading: Reading, item: Item) -> tuple[tuple[str, ...], Sequence[Item]]:
    if isinstance(item, Word):
        word = reading.word(item, "NAME", _TYPE)
        return ((word,), (item,)) if word is not None else ((), ())
    first = item.items[0] if item.items else None
    if len(item.items) < 2 or not isinstance(first, Word) or first.lower() != "either":
        reading.note("misplaced-word", "these brackets are not a type", item, expected=_TYPE)
        return (), ()
    where = [part for part in item.items[1:] if isinstance(part, Word) and part.kind == "NAME"]
    for part in item.items[1:]:
        reading.word(part, "NAME", "a type")
    return tuple([part.lower() for part in where]), where


def read_variables(
    reading: Reading, items: Sequence[Item], defaults: Sequence[Variable] = ()
) -> tuple[Variable, ...]:
    """Read a typed list of variables: ``?x ?y - block ?z - (either a b)``.

    Those without a type get that of the default at their place, or else that of any object.
    """
    found: list[Variable] = []
    for entry in typed(reading, items, "VARIABLE", expected="a ?variable"):
        types = entry.types
        if not types:
            at = len(found)
            types = defaults[at].types if at < len(defaults) else ("object",)
        variable = Variable(entry.name[1:], types)
        found.append(reading.keep(variable, (entry.item, *entry.where)))
    return tuple(found)


def read_names(reading: Reading, items: Sequence[Item], what: str) -> dict[str, str]:
    """Read a typed list of names with one type each; ``what`` says what they name."""
    reading.where = f"{what}s"
    return reading.table(named(reading, items, what), what)


def named(reading: Reading, items: Sequence[Item], what: str) -> list[tuple[Item, str, str]]:
    """Read the entries of a typed list of names: where they stand, their names and types."""
    found: list[tuple[Item, str, str]] = []
    for entry in typed(reading, items, "NAME", expected=f"the name of {with_article(what)}"):
        if len(entry.types) > 1:
            several = f"the {what} '{entry.name}' has several types: {', '.join(entry.types)}"
            reading.note("several-types", several, entry.where[0], expected="one type")
        reading.locations.setdefault((what, entry.name), (entry.name, (entry.item, *entry.where)))
        found.append((entry.item, entry.name, entry.types[0] if entry.types else "object"))
    return found


_MOST_VARIABLES = f"at most {NESTING_LIMIT} quantified variables inside of each other"
_LEAVE = "leave it out, with the type after it: it types nothing"

Scope = Mapping[str, Variable]
_Part = TypeVar("_Part", Formula, Effect)
_Build = Callable[..., "Formula | None"]
"""Function that reads brackets as a condition: takes the reader, the brackets and the scope."""

_CONDITION = "a condition such as (PREDICATE TERM ...) or (and CONDITION ...)"
_EFFECT = "an effect such as (PREDICATE TERM ...), (not (PREDICATE TERM ...)) or (and EFFECT ...)"


def is_total_cost(item: Item) -> bool:
    """Return whether an item is ``(total-cost)``."""
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


def _made(kind: type[Not | Implies | Equal], number: int, what: str) -> _Build:
    """Read so many conditions, or terms, none of which may be left out."""

    def read(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
        found = reader.reading.count(form, number, what)
        one: Callable[[Item, Scope], Any] = reader.term if kind is Equal else reader.condition
        parts = [one(part, scope) for part in found or ()]
        return None if not parts or None in parts else kind(*parts)

    return read


def _quantifier(kind: type[Quantifier]) -> _Build:
    def read(reader: ConditionReader, form: Form, scope: Scope) -> Formula | None:
        found = reader.quantified(form, scope)
        body = found and reader.condition(found[1], found[2])
        return kind(found[0], body) if found and body is not None else None

    return read


@dataclass(frozen=True, slots=True)
class ConditionReader:
    """Reads conditions and effects of one text.

    What cannot be read is noted and is None; it is left out where it is one part of several.
    """

    reading: Reading

    def condition(self, item: Item, scope: Scope) -> Formula | None:
        """Read a condition; ``()`` and ``(and)`` are true, ``(or)`` is false."""
        form = self.joined(item, _CONDITION)
        if form is None or not form.items:
            return None if form is None else TRUE
        formula: Formula | None = self._built(form, scope, "no-condition", _CONDITION, self.heads)
        return formula

    def _is_foreign(self, form: Form, head: str | None) -> bool:
        """Return whether brackets say something in another language, which is noted."""
        inner = [each for each in form.items[1:] if isinstance(each, Form)]
        numbers = [each for each in form.items[1:] if getattr(each, "kind", "") == "NUMBER"]
        foreign = HEADS.get(head or "")
        if head == "=" and (inner or numbers):
            foreign = "numeric conditions", NUMERIC
        if head in {"at", "over"} and inner and _is_timed(form):
            foreign = "conditions and effects with times", TEMPORAL
        if foreign is not None:
            what, language = foreign
            self.reading.note_foreign(f"{what} ('{head}')", language, form.items[0])
        elif inner and head in FOREIGN_NAMES:
            message, advice = f"'{head}' is written differently in PDDL", FOREIGN_NAMES[head]
            self.reading.note("misspelt-word", message, form.items[0], advice=advice)
        return foreign is not None or bool(inner and head in FOREIGN_NAMES)

    def effect_of_action(self, item: Item, scope: Scope) -> Effect | None:
        """Read the whole effect of an action, which may be as deep as a condition."""
        found = self.effect(item, scope)
        if found is None or depth_of(found) <= NESTING_LIMIT:
            return found
        message = f"the effect is nested more than {NESTING_LIMIT} levels deep"
        self.reading.note("deep-nesting", message, item, expected=_MOST_VARIABLES)
        return None

    def effect(self, item: Item, scope: Scope) -> Effect | None:
        """Read an effect; ``()`` and ``(and)`` change nothing."""
        form = self.joined(item, _EFFECT)
        if form is None or not form.items:
            return None if form is None else AndEffect()
        found = self._built(form, scope, "no-effect", _EFFECT, _EFFECTS)
        return AddEffect(found) if isinstance(found, Atom) else found

    def _built(
        self,
        form: Form,
        scope: Scope,
        otherwise: Literal["no-condition", "no-effect"],
        expected: str,
        heads: Mapping[str, Callable[..., Any]],
    ) -> Any:  # noqa: ANN401 - what the heads build
        """Read brackets by their first word, or as an atom if that may name a predicate."""
        head = self._head(form, expected, heads)
        build = heads.get(head or "")
        if build is not None and not (head == "=" and self._is_foreign(form, head)):
            try:
                built = build(self, form, scope)
            except InputError as error:  # a quantifier is as deep as it has variables
                self.reading.note("deep-nesting", error.what, form, expected=_MOST_VARIABLES)
                return None
            return None if built is None else self.reading.keep(built, form.items)
        if self._is_foreign(form, head):
            return None
        if head in RESERVED:
            what, advice = otherwise[3:], None
            if what == "effect" and head == "or":
                advice = "effects are deterministic: write one action for each outcome"
            message = f"'{head}' cannot be {with_article(what)} here"
            self.reading.note(otherwise, message, form.items[0], expected=expected, advice=advice)
            return None
        return self.atom(form, scope) if head else None

    def joined(self, item: Item, expected: str) -> Form | None:
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

    def _head(self, form: Form, expected: str, known: Collection[str]) -> str | None:
        """Take the first word; the nearest known one if it is misspelt before brackets."""
        head = self.reading.head(form, expected)
        if head is None or head in known or head in RESERVED or head in HEADS:
            return head
        if not any(isinstance(item, Form) for item in form.items):
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

    heads: ClassVar[Mapping[str, _Build]] = {
        "and": _and,
        "or": _or,
        "not": _made(Not, 1, "one condition"),
        "imply": _made(Implies, 2, "two conditions"),
        "=": _made(Equal, 2, "two terms"),
        "forall": _quantifier(Forall),
        "exists": _quantifier(Exists),
    }
    """First word of a condition to its reader; other languages in brackets have more."""


def _is_timed(form: Form) -> bool:
    """Return whether brackets are ``(at start X)``, ``(at end X)`` or ``(over all X)``."""
    word = form.items[1] if len(form.items) == 3 else None
    return isinstance(word, Word) and word.lower() in {"start", "end", "all"}


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
            "no-effect", f"'(not ({head} ...))' is not an effect", inner, expected=wanted
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


def depth_of(effect: Effect) -> int:
    """Return how deep an effect's conditions are, with a level for each variable around them."""
    if isinstance(effect, ForallEffect):
        return len(effect.variables) + depth_of(effect.effect)
    if isinstance(effect, WhenEffect):
        return max(effect.condition.depth, depth_of(effect.effect))
    if isinstance(effect, AndEffect):
        return max(map(depth_of, effect.parts), default=0)
    return 0


def _increase(reader: ConditionReader, form: Form, scope: Scope) -> Effect | None:
    found = reader.reading.count(form, 2, "(total-cost) and an amount")
    if found is None:
        return None
    target, amount = found
    if not is_total_cost(target):
        if isinstance(target, Form) and [str(item) for item in target.items] == ["reward"]:
            reader.reading.note_foreign("rewards", PROBABILISTIC, target)
            return None
        what = "numeric effects on anything but the total cost ('increase')"
        reader.reading.note_foreign(what, NUMERIC, target)
        return None
    wanted = "a number or (FUNCTION TERM ...)"
    cost: float | Atom | None = None
    if is_total_cost(amount):
        what = "costs that depend on the total cost"
        reader.reading.note_foreign(what, NUMERIC, amount)
        return None
    if isinstance(amount, Form) and amount.items and str(amount.items[0]) in "+-*/":
        what = f"costs that are calculated ('{amount.items[0]}')"
        reader.reading.note_foreign(what, NUMERIC, amount)
        return None
    if not isinstance(amount, Form):
        cost = reader.reading.number(amount, wanted)
    elif reader.reading.head(amount, wanted):
        cost = reader.atom(amount, scope)
    return None if cost is None else CostEffect(cost)


_EFFECTS: dict[str, Callable[[ConditionReader, Form, Scope], Effect | None]] = {
    "and": _and_effect,
    "not": _delete,
    "when": _when,
    "forall": _forall_effect,
    "increase": _increase,
}
