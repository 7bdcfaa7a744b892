"""Shared state of reading a text: its findings, and the location of each part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import isfinite
from typing import TypeVar

from typing_extensions import Unpack

from eai.pddl.issues import About, Issue, IssueKind, Severity, hint
from eai.pddl.languages import Language
from eai.pddl.text import Form, Item, Place, Source, Word, start_of
from eai.text import counted

_Value = TypeVar("_Value")

MOST_FINDINGS = 1_000
"""So many errors of one text are listed, and so many warnings; the others are counted."""


def show(item: Item) -> str:
    """Name an item in a message."""
    return "a form in brackets" if isinstance(item, Form) else f"'{item}'"


class Reading:
    """A text that is being read.

    Nothing that is read here raises: what is wrong is noted, and reading goes on after it.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.issues: list[Issue] = []
        self.where = source.name
        """The part that is being read, for messages."""
        self.part = ""
        """The part of an action that is being read."""
        self.locations: dict[object, tuple[object, Sequence[Item]]] = {}
        """Items from which each part of the model was read: the part itself, then its arguments.

        The key is the identity of the part (kept beside the items, so that no other object can
        come to have it) or, for a declared name, ``(kind, name)``."""
        self._read: dict[tuple[int, str], list[tuple[object, Sequence[Item]]]] = {}
        """The same of conditions, which may be read in several places: by identity and part."""
        self._counts: Counter[Severity] = Counter()

    def note(self, kind: IssueKind, message: str, at: Item | int, **about: Unpack[About]) -> None:
        """Note a finding at an item or offset; arguments as for an issue."""
        severity = about.get("severity", "error")
        self._counts[severity] += 1
        if self._counts[severity] > MOST_FINDINGS:
            return
        about["advice"] = about.get("advice") or hint(kind, at, about.get("expected"))
        position = at if isinstance(at, int) else start_of(at)
        place = Place(self.source, position)
        self.issues.append(Issue(kind, message, self.where, place=place, **about))

    def note_foreign(self, what: str, language: Language, at: Item | int) -> None:
        """Note something that belongs to a language that is not read here.

        Args:
            what: What it is, in the plural, with the word by which it is known.
            language: The language.
            at: Where it stands.
        """
        self.note(
            "unsupported-part",
            f"{what} are not read here: this is {language.name}",
            at,
            advice=language.tools,
            language=language.name,
        )

    def keep(self, node: _Value, items: Sequence[Item]) -> _Value:
        """Remember that ``node`` was read from ``items`` and return it."""
        # Equal conditions are one object, so it may have been read in several places.
        for part in (self.where + self.part, ""):
            self._read.setdefault((id(node), part), []).append((node, items))
        return node

    def found(self, checked: Iterable[Issue] = ()) -> list[Issue]:
        """Return all findings in the order of the text; those of a check get their places."""
        placed = []
        seen: Counter[tuple[object, ...]] = Counter()
        for issue in checked:
            # The same finding about the same condition once more is about its next place.
            again = (id(issue.subject), issue.kind, issue.where, issue.argument)
            self._counts[issue.severity] += 1
            if self._counts[issue.severity] <= MOST_FINDINGS:
                if isinstance(issue.subject, tuple):
                    _, items = self.locations.get(issue.subject, (None, ()))
                else:
                    subject = id(issue.subject)
                    read = self._read.get((subject, issue.where)) or self._read.get((subject, ""))
                    items = read[min(seen[again], len(read) - 1)][1] if read else ()
                at = 0 if issue.argument is None else issue.argument + 1
                position = start_of(items[min(at, len(items) - 1)]) if items else 0
                placed.append(replace(issue, place=Place(self.source, position)))
            seen[again] += 1
        for severity, count in self._counts.items():
            if count > MOST_FINDINGS:
                self._counts[severity] = MOST_FINDINGS
                what = f"{counted(count - MOST_FINDINGS, f'more {severity}')} not listed"
                end = Place(self.source, len(self.source.text))
                placed.append(Issue("many-findings", what, self.source.name, severity, place=end))
        every = (*_once_by_language(self.issues), *placed)
        issues = {(i.kind, i.message, i.place and i.place.position): i for i in every}
        return sorted(issues.values(), key=lambda issue: issue.place.position if issue.place else 0)

    def word(self, item: Item, kind: str, expected: str) -> str | None:
        """Take a word of one kind (a terminal of the grammar), in lower case."""
        if isinstance(item, Word) and item.kind == kind:
            return item.lower()
        self.note("misplaced-word", f"found {show(item)}", item, expected=expected)
        return None

    def form(self, item: Item, expected: str) -> Form | None:
        """Take an item that must be in brackets."""
        if isinstance(item, Form):
            return item
        self.note("misplaced-word", f"found {show(item)}", item, expected=expected)
        return None

    def head(self, form: Form, expected: str) -> str | None:
        """Take the first word of a form, in lower case; it may be a name, '=' or a keyword."""
        if not form.items:
            self.note("missing-part", "empty brackets", form, expected=expected)
            return None
        first = form.items[0]
        if isinstance(first, Word) and first.kind in {"NAME", "OPERATOR", "KEYWORD"}:
            return first.lower()
        self.note("misplaced-word", f"found {show(first)}", first, expected=expected)
        return None

    def count(self, form: Form, number: int, what: str) -> list[Item] | None:
        """Take ``number`` items after the head (``what`` names them); None if there are fewer."""
        rest = form.items[1:]
        if len(rest) != number:
            at = start_of(rest[number]) if len(rest) > number else form.closing
            items = "1 item" if len(rest) == 1 else f"{len(rest)} items"
            found = f"'{form.items[0]}' is followed by {items}"
            self.note("wrong-count", found, at, expected=what)
        return rest[:number] if len(rest) >= number else None

    def number(self, item: Item, expected: str) -> float | None:
        """Take a number."""
        word = self.word(item, "NUMBER", expected)
        value = None if word is None else float(word)
        if value is None or isfinite(value):
            return value
        self.note("misplaced-word", "this number is too large", item, expected=expected)
        return None

    def table(self, entries: Iterable[tuple[Item, str, _Value]], what: str) -> dict[str, _Value]:
        """Collect declarations by name; of several with one name, the first counts."""
        found: dict[str, _Value] = {}
        locations: dict[str, Item] = {}
        for item, name, value in entries:
            if name in found:
                first = self.source.say(start_of(locations[name]))
                message = f"the {what} '{name}' is declared twice"
                advice = f"remove or rename one of them; the other is at {first}"
                self.note("repeated-name", message, item, advice=advice)
                continue
            found[name] = value
            locations[name] = item
        return found

    def keywords(self, items: Sequence[Item]) -> tuple[str, ...]:
        """Read a list of keywords; returns them without their colons."""
        words = [self.word(item, "KEYWORD", "a :keyword") for item in items]
        return tuple([word[1:] for word in words if word is not None])


def _once_by_language(issues: Sequence[Issue]) -> Iterator[Issue]:
    """Yield the issues; of those that say the same of one language the first, with their number."""
    counts = Counter(_topic(issue) for issue in issues if issue.language)
    seen = set[tuple[str, str]]()
    for issue in sorted(issues, key=lambda issue: issue.place.position if issue.place else 0):
        if issue.language is None:
            yield issue
            continue
        topic = _topic(issue)
        if topic in seen:
            continue
        seen.add(topic)
        again = counts[topic]
        more = "" if again == 1 else f" ({again} places in this text)"
        yield replace(issue, message=issue.message + more)


def _topic(issue: Issue) -> tuple[str, str]:
    return issue.message, issue.language or ""
