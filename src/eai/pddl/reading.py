"""Small readers shared by all parts of PDDL text, and the memory of where each part stood."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TypeVar

from eai.errors import ParseError
from eai.logic.formula import Variable
from eai.pddl.forms import Form, Item, Source, start_of
from eai.pddl.issues import Issue, suggestion
from eai.pddl.lists import typed

__all__ = ["Reading"]

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that is being read.

    Args:
        source: The text.
        places: Items from which each part of the model was read: the part itself, then its
            arguments. The key is the identity of the part (kept beside the items, so that no
            other object can come to have it) or, for a declared name, ``(kind, name)``.
    """

    source: Source
    places: dict[object, tuple[object, Sequence[Item]]] = field(default_factory=dict)

    def keep(self, node: _Value, items: Sequence[Item]) -> _Value:
        """Remember that ``node`` was read from ``items`` and return it."""
        self.places[id(node)] = (node, items)
        return node

    def refuse(self, issues: Iterable[Issue]) -> None:
        """Raise the first error among ``issues``, in the order of the text."""
        errors = [(self._position(issue), issue) for issue in issues if issue.severity == "error"]
        if errors:
            position, first = min(errors, key=lambda error: error[0])
            raise self.source.error(
                first.message, position, expected=first.expected, mend=first.mend
            )

    def _position(self, issue: Issue) -> int:
        key = issue.subject if isinstance(issue.subject, tuple) else id(issue.subject)
        _, items = self.places.get(key, (None, ()))
        at = 0 if issue.argument is None else issue.argument + 1
        return start_of(items[min(at, len(items) - 1)]) if items else 0

    def form(self, item: Item, expected: str) -> Form:
        """Take an item that must be in brackets."""
        if isinstance(item, Form):
            return item
        raise self.source.unexpected(item, expected)

    def head(self, form: Form, expected: str) -> str:
        """Take the first word of a form, in lower case; it may be a name, '=' or a keyword."""
        if not form.items:
            raise self.source.error("empty brackets", form, expected=expected)
        first = form.items[0]
        if isinstance(first, Form) or first.type not in {"NAME", "OPERATOR", "KEYWORD"}:
            raise self.source.unexpected(first, expected)
        return first.lower()

    def count(self, form: Form, number: int, what: str) -> list[Item]:
        """Take the items after the head, which must be ``number`` (``what`` names them)."""
        rest = form.items[1:]
        if len(rest) == number:
            return rest
        at = rest[number] if len(rest) > number else form.closing
        items = "1 item" if len(rest) == 1 else f"{len(rest)} items"
        found = f"'{form.items[0]}' is followed by {items}"
        raise self.source.error(found, at, expected=what)

    def number(self, item: Item, expected: str) -> float:
        """Take a number."""
        value = float(self.source.word(item, "NUMBER", expected))
        if isfinite(value):
            return value
        raise self.source.error("this number is too large", item, expected=expected)

    def define(self, form: Form, kind: str) -> tuple[str, list[Item]]:
        """Take ``(define (KIND NAME) REST ...)``; returns the name and the rest."""
        wanted = f"(define ({kind} NAME) ...)"
        if self.head(form, wanted) != "define" or len(form.items) < 2:
            raise self.source.error(f"this is not a {kind}", form, expected=wanted)
        title = self.form(form.items[1], f"({kind} NAME)")
        found = self.head(title, f"({kind} NAME)")
        if found != kind:
            raise self.source.error(f"this is a {found}, not a {kind}", title, expected=wanted)
        (name,) = self.count(title, 1, f"the name of the {kind}")
        return self.source.word(name, "NAME", f"the name of the {kind}"), form.items[2:]

    def sections(
        self, items: Sequence[Item], *, once: Sequence[str], many: Sequence[str] = ()
    ) -> dict[str, list[Item]]:
        """Sort the sections of a text by their keywords.

        Args:
            items: The sections.
            once: Keywords that may come once: they are mapped to the items after the keyword.
            many: Keywords that may come often: they are mapped to the whole sections.
        """
        known = (*once, *many)
        found: dict[str, list[Item]] = {keyword: [] for keyword in known}
        seen: set[str] = set()
        for item in items:
            form = self.form(item, "a section in brackets, such as " + ", ".join(known))
            keyword = self.head(form, "a section such as " + ", ".join(known))
            if keyword not in found:
                raise self._unknown(form.items[0], keyword, known, what="section")
            if keyword in seen and keyword in once:
                raise self.source.error(f"a second section '{keyword}'", form)
            seen.add(keyword)
            found[keyword] += [form] if keyword in many else form.items[1:]
        return found

    def options(self, items: Sequence[Item], known: Sequence[str], owner: str) -> dict[str, Item]:
        """Sort keyword and value pairs: ``:parameters (...) :effect (...)``."""
        found: dict[str, Item] = {}
        for index in range(0, len(items), 2):
            key = items[index]
            name = self.source.word(key, "KEYWORD", ", ".join(known))
            if name not in known:
                raise self._unknown(key, name, known, what=f"part of {owner}")
            if name in found:
                raise self.source.error(f"a second '{name}' in {owner}", key)
            value = items[index + 1] if index + 1 < len(items) else key
            if not isinstance(value, Form):
                expected = f"brackets after '{name}'"
                raise self.source.error(
                    f"'{name}' without brackets after it", value, expected=expected
                )
            found[name] = value
        return found

    def _unknown(self, item: Item, name: str, known: Sequence[str], *, what: str) -> ParseError:
        message = f"there is no {what} named '{name}'"
        mend = suggestion(name, known)
        return self.source.error(message, item, expected=", ".join(known), mend=mend)

    def table(self, entries: Iterable[tuple[Item, str, _Value]], what: str) -> dict[str, _Value]:
        """Collect declarations by name.

        Args:
            entries: Where each name stands, the name, and what is declared for it.
            what: What is declared, for messages.

        Raises:
            ParseError: A name is declared twice.
        """
        found: dict[str, _Value] = {}
        for item, name, value in entries:
            if name in found:
                raise self.source.error(f"the {what} '{name}' is declared twice", item)
            found[name] = value
        return found

    def variables(
        self, items: Sequence[Item], defaults: Sequence[Variable] = ()
    ) -> tuple[Variable, ...]:
        """Read a typed list of variables: ``?x ?y - block ?z - (either a b)``.

        Args:
            items: The list.
            defaults: Variables whose types those without a type get, place by place; objects
                of any type where there is none.
        """
        found: list[Variable] = []
        for entry in typed(self.source, items, "VARIABLE", expected="a ?variable"):
            types = entry.types
            if not types:
                at = len(found)
                types = defaults[at].types if at < len(defaults) else ("object",)
            variable = Variable(entry.name[1:], types)
            found.append(self.keep(variable, (entry.item, *entry.where)))
        return tuple(found)

    def names(self, items: Sequence[Item], what: str) -> dict[str, str]:
        """Read a typed list of names with one type each; ``what`` says what they name."""
        found: list[tuple[Item, str, str]] = []
        for entry in typed(self.source, items, "NAME", expected=f"the name of a {what}"):
            if len(entry.types) > 1:
                several = f"the {what} '{entry.name}' has several types: {', '.join(entry.types)}"
                raise self.source.error(several, entry.where[0], expected="one type")
            self.places[what, entry.name] = (entry.name, (entry.item, *entry.where))
            found.append((entry.item, entry.name, entry.types[0] if entry.types else "object"))
        return self.table(found, what)

    def keywords(self, items: Sequence[Item]) -> tuple[str, ...]:
        """Read a list of keywords; returns them without their colons."""
        return tuple([self.source.word(item, "KEYWORD", "a :keyword")[1:] for item in items])
