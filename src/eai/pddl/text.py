"""PDDL text: places in it, its words (``grammars/pddl.lark``), and brackets laid out as text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Union

from eai.data import read_text
from eai.errors import ParseError

_BLANKS = re.compile(r"[ \t]*")


RESERVED = frozenset(
    {"and", "or", "not", "imply", "forall", "exists", "when", "=", "either"}
    | {"increase", "decrease", "assign", "scale-up", "scale-down", "preference"}
    | {"always", "sometime", "within", "at-most-once", "sometime-after", "sometime-before"}
)
"""Words that cannot name a predicate or function, because they build conditions and effects."""


class Lines:
    """Where things stand in the lines of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1."""
        line = bisect_right(self._starts, at)
        return line, at - self._starts[line - 1] + 1

    def edges(self, at: int) -> tuple[int, int]:
        """Return how many characters stand before an offset in its line, and how many blanks."""
        start = self._starts[bisect_right(self._starts, at) - 1]
        blanks = _BLANKS.match(self.text, start, at)
        return at - start, (blanks.end() if blanks else start) - start


@dataclass(frozen=True)
class Source:
    """A text and the name under which messages mention it.

    Its writer may see it with other lines, character for character in the same places; messages are
    about what was written.
    """

    text: str = field(repr=False)
    name: str
    written: str | None = field(default=None, repr=False)

    @cached_property
    def lines(self) -> Lines:
        """The lines of the text."""
        return Lines(self.text)

    @cached_property
    def _written_lines(self) -> Lines:
        return self.lines if self.written is None else Lines(self.written)

    def error(
        self, what: str, at: int, *, expected: str | None = None, mend: str | None = None
    ) -> ParseError:
        """Build the error for a mistake at an offset."""
        text = self.text if self.written is None else self.written
        at = max(0, min(at, len(text)))
        return ParseError(
            what,
            text=text,
            position=at,
            source=self.name,
            expected=expected,
            mend=mend,
            place=self.place(at),
        )

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1."""
        return self._written_lines.place(at)

    def say(self, at: int) -> str:
        """Say in words where an offset is: ``line 3, column 5``."""
        line, column = self.place(at)
        return f"line {line}, column {column}"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text."""

    source: Source
    position: int

    @property
    def line(self) -> int:
        """1-based line."""
        return self.source.place(self.position)[0]

    @property
    def column(self) -> int:
        """1-based column, in characters."""
        return self.source.place(self.position)[1]

    @property
    def caret(self) -> str:
        """The line (at most 79 characters around the place) above a caret."""
        return self.source.error("", self.position).caret


class Word(str):
    """A word of a text, with its terminal in the grammar and the offset of its first character."""

    __slots__ = ("kind", "start")

    kind: str
    start: int

    @classmethod
    def at(cls, text: str, kind: str, start: int) -> Word:
        """Make a word that stands at ``start``."""
        word = cls(text)
        word.kind, word.start = kind, start
        return word


@dataclass(slots=True)
class Form:
    """The items between two brackets, with the offsets of these."""

    opening: int
    items: list[Item] = field(default_factory=list)
    closing: int = -1


Item = Union[Form, Word]


def start_of(item: Item) -> int:
    """Return the offset of an item's first character."""
    return item.opening if isinstance(item, Form) else item.start


def words_of(items: Iterable[Item]) -> Iterator[Word]:
    """Yield the words among items, and inside of them."""
    for item in items:
        if isinstance(item, Form):
            yield from words_of(item.items)
        else:
            yield item


_COMMENT = re.compile(r";[^\n]*")
_DEFINITION = re.compile(r"(?:\(\s*)?\bdefine\s*\(\s*(domain|problem)\b", re.IGNORECASE)
"""How a definition begins; its first bracket may be missing."""


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a text defines a domain or a problem.

    Args:
        kind: ``"domain"`` or ``"problem"``.
        start: Offset of its first character.
        end: Offset behind its last one: the next definition begins there.
    """

    kind: str
    start: int
    end: int

    def alone(self, text: str) -> str:
        """Return the text with blanks for everything else, so that all places stay the same."""
        return _blank(text[: self.start]) + text[self.start : self.end] + _blank(text[self.end :])


def definitions_in(text: str) -> list[Definition]:
    """Find the definitions of domains and problems in a text, in order."""
    if "define" not in text.lower():
        return []
    plain = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    found = list(_DEFINITION.finditer(plain))
    ends = [each.start() for each in found] + [len(text)]
    return [
        Definition(each[1].lower(), each.start(), end)
        for each, end in zip(found, ends[1:], strict=True)
    ]


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


_TERMINAL = re.compile(r"^([A-Z]+)(?:\.(-?\d+))?: (?:/(.+)/|\"(.+)\")$", re.MULTILINE)
"""A terminal in the grammar: its name, its priority, and its pattern or its text."""


@lru_cache(maxsize=1)
def _words() -> re.Pattern[str]:
    # Lark needs 50 ms to read its own notation; every command that loads a domain would wait.
    terminals = _TERMINAL.findall(read_text("grammars/pddl.lark"))
    ranked = sorted(terminals, key=lambda terminal: -int(terminal[1] or 0))
    kinds = [
        f"(?P<{name}>{pattern or re.escape(text)})"
        for name, _, pattern, text in ranked
        if name != "BLANK"
    ]
    return re.compile("|".join(kinds))


def scan(text: str) -> Iterator[Word]:
    """Yield the words and brackets of a text, and what is neither (of the kind ``UNKNOWN``).

    Lark's own lexer makes an object with six fields of every word, which takes four times as
    long as everything else that is done to read a domain; so the terminals are used directly.
    """
    for found in _words().finditer(text):
        kind = found.lastgroup
        if kind != "COMMENT":
            word = Word(found[0])
            word.kind = kind or ""
            word.start = found.start()
            yield word


FENCE = re.compile(r"(?:```+|~~~+)[ \t]*[A-Za-z]*(?=\s|\(|$|\W)")
"""A markdown fence with the name of its language."""

_ESCAPE = re.compile(r"\\+(?:u[0-9A-Fa-f]{4}|[A-Za-z\"'/])?")


def is_escaped(text: str) -> bool:
    """Return whether a text has the escapes of a JSON string; a backslash in a comment is none.

    But where a line break is escaped, what looks like a comment may go on with brackets.
    """
    if "\\" not in text:
        return False
    after = (found[0].partition("\\n")[2] for found in _COMMENT.finditer(text))
    return "\\" in _COMMENT.sub("", text) or any("(" in each or ")" in each for each in after)


def plain_source(text: str, name: str) -> Source:
    r"""Return a text without escapes and byte order mark as a source.

    Of the escapes of JSON strings ``\n`` becomes a blank and a line break, others blanks. Places
    are told in the text as it was written, unless that is a single line: then its escapes say
    where its lines end.
    """
    text = text.removeprefix("\ufeff")
    if not is_escaped(text):
        return Source(text, name)
    plain = _ESCAPE.sub(
        lambda found: " " * (len(found[0]) - 1) + ("\n" if found[0][-1] == "n" else " "), text
    )
    return Source(plain, name, text if "\n" in text.strip() else None)


def unfence(text: str) -> str:
    """Replace markdown fences by blanks."""
    return FENCE.sub(lambda found: " " * len(found[0]), text)


Tree = Union[str, Sequence["Tree"]]
"""A word, or what stands between two brackets."""

_WIDTH = 96
_TWO_HEADS = {"forall", "exists"}


def lay_out(tree: Tree, indent: int = 0) -> str:
    """Write a tree: on one line if it fits, else one part per line below its head."""
    flat = on_one_line(tree)
    if isinstance(tree, str) or indent + len(flat) <= _WIDTH:
        return flat
    heads = 2 if tree[0] in _TWO_HEADS else 1
    first = " ".join(on_one_line(part) for part in tree[:heads])
    margin = "\n" + " " * (indent + 2)
    parts = [first, *(lay_out(part, indent + 2) for part in tree[heads:])]
    return f"({margin.join(parts)})"


def on_one_line(tree: Tree) -> str:
    """Write a tree on one line."""
    return tree if isinstance(tree, str) else f"({' '.join(on_one_line(part) for part in tree)})"
