"""Shared state of reading a text: its findings, and the location of each part.

Reading never stops at a mistake. A finding of the readers is noted with its position at once. The
check of names and types (:mod:`eai.pddl.check`) knows parts of a model, not positions; so every
part that is read is kept with the items it came from, and :meth:`PddlReading.found` looks them up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from eai.logic import Rational
from eai.pddl.issues import About, Issue, IssueKind, Severity, hint
from eai.pddl.languages import Language
from eai.pddl.text import Form, Item, PddlSource, Place, Word, start_of
from eai.text import counted

if TYPE_CHECKING:
    from typing_extensions import Unpack

_Value = TypeVar("_Value")

MAX_FINDINGS = 1_000
"""Maximum number of errors that are listed for one text, and of warnings; others are counted."""


# A name may begin with digits, so that a number without sign and point is read as a name.
_EXPONENTIAL = re.compile(r"[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+")

_MAX_DIGITS = 400
"""Maximum number of digits of a number: the largest floating point number has 309."""


def is_number(item: Item) -> bool:
    """Return whether an item is a number."""
    if not isinstance(item, Word):
        return False
    return item.kind == "NUMBER" or _EXPONENTIAL.fullmatch(item) is not None


def exact_number(text: str) -> Rational | None:
    """Return a decimal as an exact number, or None if it has too many digits.

    Examples:
        >>> exact_number("0.5"), exact_number("1e3"), exact_number("1e9999")
        (Fraction(1, 2), 1000, None)
    """
    mantissa, _, exponent = text.lower().partition("e")
    # Lengths come first: to make a number of a million digits takes longer than to refuse it.
    if len(mantissa) > _MAX_DIGITS or len(exponent) > len(str(_MAX_DIGITS)) + 1:
        return None
    if abs(int(exponent or 0)) > _MAX_DIGITS:
        return None
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else value


def show(item: Item) -> str:
    """Name an item in a message."""
    return "a form in brackets" if isinstance(item, Form) else f"'{item}'"


class PddlReading:
    """The state of reading one text: its words, and the issues found so far.

    Mistakes in the text raise no errors. They are noted, and reading goes on after them.
    """

    def __init__(self, source: PddlSource) -> None:
        """Begin to read a text, without any issue and before its first section."""
        self.source = source
        self.issues: list[Issue] = []
        self.may_have_preferences = "preference" in source.text.lower()
        self.where = source.name
        """The part that is being read, for messages."""
        self.part = ""
        """The part of an action that is being read."""
        self.has_duration = False
        """Whether ``?duration`` stands for a number: in durative actions."""
        self.has_bare_functions = False
        """Whether functions may stand without brackets: in metrics."""
        self.has_times = False
        """Whether plans have times, in which the modes of constraints count."""
        self.functions: Collection[str] = ()
        """Names of the functions that the text declares, as far as it has been read."""
        self.locations: dict[object, tuple[object, Sequence[Item]]] = {}
        """Items from which each part of the model was read: the part itself, then its arguments.

        The key is the identity of the part (kept beside the items, so that no other object can
        come to have it) or, for a declared name, ``(kind, name)``."""
        self._read: dict[tuple[int, str], list[tuple[object, Sequence[Item]]]] = {}
        """The same of conditions, which may be read in several places: by identity and part."""
        self._counts: Counter[Severity] = Counter()

    def note(self, kind: IssueKind, message: str, at: Item | int, **about: Unpack[About]) -> None:
        """Note an issue at a place.

        Findings beyond the limit are only counted; see :meth:`_about_unlisted`.

        Args:
            kind: Kind of the finding.
            message: What is wrong.
            at: The item or the offset at which it is.
            **about: Further arguments of :class:`Issue`, such as ``severity`` and ``advice``.
        """
        severity = about.get("severity", "error")
        self._counts[severity] += 1
        if self._counts[severity] > MAX_FINDINGS:
            return
        about["advice"] = about.get("advice") or hint(kind, at, about.get("expected"))
        position = at if isinstance(at, int) else start_of(at)
        place = Place(self.source, position)
        self.issues.append(Issue(kind, message, self.where, place=place, **about))

    def note_foreign(self, feature: str, language: Language, place: Item | int) -> None:
        """Note an element of a language that is not supported.

        Args:
            feature: What it is, in the plural, with the word by which it is known.
            language: The language.
            place: Where it stands.
        """
        self.note(
            "unsupported-part",
            f"{feature} are not read here: this is {language.name}",
            place,
            advice=language.tools,
            language=language.name,
        )

    def keep(self, node: _Value, items: Sequence[Item]) -> _Value:
        """Record that ``node`` was read from ``items``, and return it."""
        # Equal conditions are one object, so it may have been read in several places.
        for part in (self.where + self.part, ""):
            self._read.setdefault((id(node), part), []).append((node, items))
        return node

    def found(self, checked: Iterable[Issue] = ()) -> list[Issue]:
        """Return all issues in the order of the text.

        Args:
            checked: Findings of a check of the model, which get their places here.
        """
        placed = self._with_places(checked)
        placed += self._about_unlisted()
        # A part that is read twice (a fallback reads it again) may be noted twice: once is enough.
        issues: dict[tuple[object, ...], Issue] = {}
        for issue in (*_once_by_language(self.issues), *placed):
            position = None if issue.place is None else issue.place.position
            issues[issue.kind, issue.message, position] = issue
        return sorted(issues.values(), key=_position)

    def _with_places(self, checked: Iterable[Issue]) -> list[Issue]:
        """Return the issues of a check with their places in the text, up to the limit.

        A check knows the model and not the text. So the place of each part of the model is looked
        up; it was recorded when the part was read.
        """
        placed = []
        repetitions: Counter[tuple[object, ...]] = Counter()
        for issue in checked:
            self._counts[issue.severity] += 1
            # Equal conditions are one object. The same finding about the same condition once more
            # is therefore about the next place where that condition stands.
            finding = (id(issue.subject), issue.kind, issue.where, issue.argument)
            if self._counts[issue.severity] <= MAX_FINDINGS:
                items = self._items_of(issue, repetitions[finding])
                place = Place(self.source, _start_of_argument(items, issue.argument))
                placed.append(replace(issue, place=place))
            repetitions[finding] += 1
        return placed

    def _items_of(self, issue: Issue, repetition: int) -> Sequence[Item]:
        """Return the items from which the subject of an issue was read.

        Args:
            issue: The finding.
            repetition: How often the same finding was placed already.
        """
        if isinstance(issue.subject, tuple):
            _, items = self.locations.get(issue.subject, (None, ()))
            return items
        subject = id(issue.subject)
        # The part of the action is tried first: the same condition may stand in others, too.
        readings = self._read.get((subject, issue.where)) or self._read.get((subject, ""))
        if not readings:
            return ()
        _, items = readings[min(repetition, len(readings) - 1)]
        return items

    def _about_unlisted(self) -> list[Issue]:
        """Return an issue for each severity with more issues than are listed.

        The counts are reset to the limit, so that nothing is reported twice.
        """
        text_end = Place(self.source, len(self.source.text))
        issues = []
        for severity, count in self._counts.items():
            if count <= MAX_FINDINGS:
                continue
            self._counts[severity] = MAX_FINDINGS
            message = f"{counted(count - MAX_FINDINGS, f'more {severity}')} not listed"
            issues.append(
                Issue("many-findings", message, self.source.name, severity, place=text_end)
            )
        return issues

    def word(self, item: Item, kind: str, expected: str) -> str | None:
        """Return a word of one kind in lower case, or None with a note."""
        if isinstance(item, Word) and item.kind == kind:
            return item.lower()
        self.note("misplaced-word", f"found {show(item)}", item, expected=expected)
        return None

    def form(self, item: Item, expected: str) -> Form | None:
        """Return an item that must be in brackets, or None with a note."""
        if isinstance(item, Form):
            return item
        self.note("misplaced-word", f"found {show(item)}", item, expected=expected)
        return None

    def head(self, form: Form, expected: str) -> str | None:
        """Return the first word of a form in lower case: a name, ``=`` or a keyword.

        None if the form is empty or begins with something else, which is noted.

        Args:
            form: The form.
            expected: What should stand there, for the note.
        """
        if not form.items:
            self.note("missing-part", "empty brackets", form, expected=expected)
            return None
        first = form.items[0]
        if isinstance(first, Word) and first.kind in {"NAME", "OPERATOR", "KEYWORD"}:
            return first.lower()
        self.note("misplaced-word", f"found {show(first)}", first, expected=expected)
        return None

    def operands(self, form: Form, required_count: int, expected: str) -> list[Item] | None:
        """Return the operands of a form if it has enough of them, else None.

        Too many operands are cut off. Either mistake is noted. In ``(not A)`` the only operand is
        A.

        Args:
            form: The form.
            required_count: How many operands there should be.
            expected: The required operands in words, for the note.
        """
        operands = form.items[1:]
        if len(operands) == required_count:
            return operands
        items = counted(len(operands), "item")
        message = f"'{form.items[0]}' is followed by {items}"
        if len(operands) < required_count:
            self.note("wrong-count", message, form.closing, expected=expected)
            return None
        self.note("wrong-count", message, operands[required_count], expected=expected)
        return operands[:required_count]

    def number(self, item: Item, expected: str) -> Rational | None:
        """Return a finite number exactly as written, or None with a note.

        Args:
            item: The number.
            expected: What should stand there, for the note.
        """
        if not isinstance(item, Word) or not is_number(item):
            self.note("misplaced-word", f"found {show(item)}", item, expected=expected)
            return None
        value = exact_number(item)
        if value is None:
            self.note("misplaced-word", "this number is too large", item, expected=expected)
        return value

    def table(
        self, entries: Iterable[tuple[Item, str, _Value]], entry_kind: str
    ) -> dict[str, _Value]:
        """Return declarations by name. Of several with one name, the first counts.

        Args:
            entries: Item, name and value of each declaration.
            entry_kind: Kind of the declarations, for the note about a second one.
        """
        values: dict[str, _Value] = {}
        locations: dict[str, Item] = {}
        for item, name, value in entries:
            if name in values:
                first_place = self.source.say(start_of(locations[name]))
                message = f"the {entry_kind} '{name}' is declared twice"
                advice = f"remove or rename one of them; the other is at {first_place}"
                self.note("repeated-name", message, item, advice=advice)
                continue
            values[name] = value
            locations[name] = item
        return values

    def keywords(self, items: Sequence[Item]) -> tuple[str, ...]:
        """Return a list of keywords without their colons."""
        keywords = []
        for item in items:
            word = self.word(item, "KEYWORD", "a :keyword")
            if word is not None:
                keywords.append(word[1:])
        return tuple(keywords)


def _start_of_argument(items: Sequence[Item], argument: int | None) -> int:
    """Return the offset of an argument, or of the whole part if none is meant."""
    if not items:
        return 0
    if argument is None:
        return start_of(items[0])
    # The first item is the head, so the first argument is the second one. An argument that the
    # text leaves out (a type of a variable without one) has the place of the last item.
    return start_of(items[min(argument + 1, len(items) - 1)])


def _position(issue: Issue) -> int:
    """Return the offset of a finding in the text; 0 if it has none."""
    return 0 if issue.place is None else issue.place.position


def _once_by_language(issues: Sequence[Issue]) -> Iterator[Issue]:
    """Yield the issues in text order, at most one for each foreign language.

    A text in another language has hundreds of places that show it. The first of several equal
    issues represents all, with their number.
    """
    counts = Counter(_topic(issue) for issue in issues if issue.language)
    reported_topics = set[tuple[str, str]]()
    for issue in sorted(issues, key=_position):
        if issue.language is None:
            yield issue
            continue
        topic = _topic(issue)
        if topic in reported_topics:
            continue
        reported_topics.add(topic)
        message = issue.message
        if counts[topic] > 1:
            message += f" ({counts[topic]} places in this text)"
        yield replace(issue, message=message)


def _topic(issue: Issue) -> tuple[str, str]:
    """Return what makes two findings about other languages the same."""
    return issue.message, issue.language or ""
