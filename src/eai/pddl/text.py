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
    """Converts offsets of a text to lines and columns."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(line_break.end() for line_break in re.finditer("\n", text))]

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1."""
        # The number of lines that begin at the offset or before it is the number of its line.
        line = bisect_right(self._starts, at)
        return line, at - self._starts[line - 1] + 1

    def edges(self, at: int) -> tuple[int, int]:
        """Return the column of an offset and the indentation of its line, both from 0."""
        start = self._starts[bisect_right(self._starts, at) - 1]
        # Only blanks before the offset: behind it the line may go on with anything.
        blanks = _BLANKS.match(self.text, start, at)
        end_of_blanks = blanks.end() if blanks else start
        return at - start, end_of_blanks - start


@dataclass(frozen=True)
class PddlSource:
    """A text and the name under which messages mention it.

    Args:
        text: The text that is read.
        name: Its name in messages.
        written: The text as its author wrote it, character for character in the same places, if
            escapes or other definitions were blanked out before reading. Messages quote it.
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
        """The lines of the text as it was written, in which places are told."""
        return self.lines if self.written is None else Lines(self.written)

    def error(
        self, what: str, at: int, *, expected: str | None = None, mend: str | None = None
    ) -> ParseError:
        """Return the error for a mistake at an offset.

        Args:
            what: What is wrong.
            at: The offset, in the text as it was written; one outside is moved to its nearest end.
            expected: What should stand there.
            mend: What to do about it.
        """
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

    source: PddlSource
    position: int

    @property
    def line(self) -> int:
        """1-based line."""
        line, _ = self.source.place(self.position)
        return line

    @property
    def column(self) -> int:
        """1-based column, in characters."""
        _, column = self.source.place(self.position)
        return column

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
        """Return a word at offset ``start``."""
        word = cls(text)
        word.kind = kind
        word.start = start
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
    """Return the definitions of domains and problems in a text, in order.

    Examples:
        >>> text = "(define (domain d)) (define (problem p))"
        >>> [(definition.kind, definition.start) for definition in definitions_in(text)]
        [('domain', 0), ('problem', 20)]
    """
    if "define" not in text.lower():
        return []
    # Comments become blanks of the same length: definitions in comments do not count, and offsets
    # stay the same.
    uncommented = _COMMENT.sub(_as_blanks, text)
    definition_starts = list(_DEFINITION.finditer(uncommented))
    definitions = []
    # Brackets may be missing, so a definition is taken to end where the next one begins.
    end = len(text)
    for beginning in reversed(definition_starts):
        definitions.append(Definition(beginning[1].lower(), beginning.start(), end))
        end = beginning.start()
    return definitions[::-1]


def _blank(text: str) -> str:
    """Replace everything but line breaks by blanks, so that lines and columns stay the same."""
    return re.sub(r"[^\n]", " ", text)


def _as_blanks(match: re.Match[str]) -> str:
    """Return as many blanks as a match has characters."""
    return " " * len(match[0])


_TERMINAL = re.compile(r"^([A-Z]+)(?:\.(-?\d+))?: (?:/(.+)/|\"(.+)\")$", re.MULTILINE)
"""A terminal in the grammar: its name, its priority, and its pattern or its text."""


@lru_cache(maxsize=1)
def _word_pattern() -> re.Pattern[str]:
    """Return a pattern with one named group for each terminal of the grammar."""
    # Lark needs 50 ms to read its own notation; every command that loads a domain would wait.
    terminals = _TERMINAL.findall(read_text("grammars/pddl.lark"))
    # Python takes the first alternative that matches, Lark the one with the highest priority.
    terminals.sort(key=lambda terminal: -int(terminal[1] or 0))
    groups = []
    for name, _, pattern, text in terminals:
        if name != "BLANK":
            groups.append(f"(?P<{name}>{pattern or re.escape(text)})")
    return re.compile("|".join(groups))


def scan(text: str) -> Iterator[Word]:
    """Yield the words and brackets of a text. Other characters have the kind ``UNKNOWN``.

    The terminals of the grammar are used directly. Lark's own lexer would take four times as long
    as everything else that is done to read a domain.

    Examples:
        >>> [(word, word.kind, word.start) for word in scan("(on ?x) ; a comment")]
        [('(', 'OPEN', 0), ('on', 'NAME', 1), ('?x', 'VARIABLE', 4), (')', 'CLOSE', 6)]
    """
    for match in _word_pattern().finditer(text):
        kind = match.lastgroup
        if kind != "COMMENT":
            # Not Word.at: the call would be half of the time that reading takes.
            word = Word(match[0])
            word.kind = kind or ""
            word.start = match.start()
            yield word


FENCE = re.compile(r"(?:```+|~~~+)[ \t]*[A-Za-z]*(?=\s|\(|$|\W)")
"""A markdown fence with the name of its language."""

_ESCAPE = re.compile(r"\\+(?:u[0-9A-Fa-f]{4}|[A-Za-z\"'/])?")


def is_escaped(text: str) -> bool:
    """Return whether a text has the escapes of a JSON string outside of comments.

    But where a line break is escaped, what looks like a comment may go on with brackets.
    """
    # Most texts have no backslash at all, and are not searched for comments.
    if "\\" not in text:
        return False
    if "\\" in _COMMENT.sub("", text):
        return True
    for comment in _COMMENT.finditer(text):
        _, _, after_line_break = comment[0].partition("\\n")
        if "(" in after_line_break or ")" in after_line_break:
            return True
    return False


def plain_source(text: str, name: str) -> PddlSource:
    r"""Return a text without escapes and byte order mark as a source.

    Escaped line breaks become line breaks, and other escapes become blanks, so that offsets stay
    the same. Places refer to the text as written, unless it is a single line: then the escaped line
    breaks count as line ends.
    """
    text = text.removeprefix("\ufeff")
    if not is_escaped(text):
        return PddlSource(text, name)
    unescaped = _ESCAPE.sub(_without_escape, text)
    has_lines = "\n" in text.strip()
    return PddlSource(unescaped, name, text if has_lines else None)


def _without_escape(match: re.Match[str]) -> str:
    """Return the text for an escape, with as many characters, so that all places stay the same."""
    # "\n" -> a blank and a line break, "\"" -> two blanks
    end = "\n" if match[0][-1] == "n" else " "
    return " " * (len(match[0]) - 1) + end


def unfence(text: str) -> str:
    """Replace markdown fences by blanks."""
    return FENCE.sub(_as_blanks, text)


Tree = Union[str, Sequence["Tree"]]
"""A word, or what stands between two brackets."""

_WIDTH = 96
_TWO_HEADS = {"forall", "exists"}


def lay_out(tree: Tree, indent: int = 0) -> str:
    """Return a tree as text: on one line if it fits, else one operand per line below its head.

    Args:
        tree: Nested lists of words.
        indent: Number of blanks before the text.
    """
    single_line = on_one_line(tree)
    if isinstance(tree, str) or indent + len(single_line) <= _WIDTH:
        return single_line
    # The variables of a quantifier stay on its line.
    head_count = 2 if tree[0] in _TWO_HEADS else 1
    lines = [" ".join(on_one_line(item) for item in tree[:head_count])]
    lines += [lay_out(operand, indent + 2) for operand in tree[head_count:]]
    margin = "\n" + " " * (indent + 2)
    return f"({margin.join(lines)})"


def on_one_line(tree: Tree) -> str:
    """Write a tree on one line.

    Examples:
        >>> on_one_line(["and", ["on", "a", "b"], ["clear", "a"]])
        '(and (on a b) (clear a))'
    """
    if isinstance(tree, str):
        return tree
    return f"({' '.join(on_one_line(operand) for operand in tree)})"
