"""The trajectory constraints of PDDL 3, read from text in brackets.

``(and (always (not (open fridge))) (sometime-before (served ?x) (washed ?x)))`` and its like
(Gerevini & Long 2005). What each of them means is in :mod:`eai.logic.syntax.sugar`.
"""

from __future__ import annotations

from collections.abc import Sequence

from eai.errors import ParseError
from eai.logic.bddl.lists import Form, Item, Word, read_text
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
from eai.logic.pddl3.modes import MODES
from eai.logic.syntax.builder import LARGEST_BOUND

__all__ = ["parse_pddl3"]

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
        if head in MODES:
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
        bounds, conditions, make = MODES[head]
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
