"""Preparation of a text before the grammar reads it.

Every change remembers where each character came from, so that an error still points into the text
as it was written:

- look-alike characters that word processors and language models put in are replaced by plain
  ones (full-width letters, typographic quotes and dashes), outside quoted names;
- commands of LaTeX are replaced by the operators that they print;
- other dialects are rewritten to ours.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

Dialect = Literal["default", "spot", "prefix", "lower", "eai"]
"""How a formula is written.

``"default"``: infix; next is strong. ``"spot"``: the same, but next is weak, and operators may be
glued (``GFa``). ``"prefix"``: operators before their operands, without parentheses (``F & a F b``),
with the letters of LBT: ``i`` and ``e`` for implies and iff, ``t`` and ``f`` for true and false.
``"lower"``: as the default, but operators of one letter may be small (``g (a -> f b)``). ``"eai"``:
the published grammar of the Embodied Agent Interface and nothing else.
"""

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
"""All dialects."""

_QUOTES = dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\uff02", '"')
_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-")
_PLAIN = {**_QUOTES, **_DASHES}
"""Typographic quotes and dashes, each with the plain character for it."""
# In all patterns a quote that is never closed runs to the end, so that no text is scanned twice.

# A name, or operators that are glued to each other, or to a name that follows them.
_SPOT = re.compile(r'"(?:[^"\\]|\\.)*"?|[A-Za-z_][\w.]*')
_GLUED = re.compile(r"[FGX]*(?=[A-Za-z_]|$)")
"""Operators of one letter at the beginning of a word: the ``GF`` of ``GFa``."""
_STRONG = re.compile(r"\s*\[\s*!\s*\]")
"""Mark behind a strong next: ``X[!]``."""

_LATEX = re.compile(
    r'"(?:[^"\\]|\\.)*"?'  # a name in quotes stays as it is
    r"|/\\|\\/"  # and, or
    r"|\\(?:mathcal|mathbf|mathrm|mathit|mathsf|mathbb|texttt|textbf|text|operatorname)\s*"
    r"\{(?P<inner>[^{}]*)\}"
    r"|(?<=_)\{(?P<index>\w+)\}"
    r"|\\(?P<command>[A-Za-z]+)|\\(?P<sign>[_&|])|\\[-,;:! ()[\]]|[${}]"
)
"""Parts of LaTeX that the notation has not: commands, font changes, dollars and braces."""
_COMMANDS = {
    **dict.fromkeys(("Box", "square"), "[]"),
    **dict.fromkeys(("Diamond", "diamond", "lozenge"), "<>"),
    **dict.fromkeys(("bigcirc", "circ", "Circle"), "X"),
    **dict.fromkeys(("land", "wedge"), "and"),
    **dict.fromkeys(("lor", "vee"), "or"),
    **dict.fromkeys(("neg", "lnot"), "not"),
    **dict.fromkeys(("to", "rightarrow", "Rightarrow", "longrightarrow", "implies"), "implies"),
    **dict.fromkeys(("leftrightarrow", "Leftrightarrow", "iff"), "iff"),
    **dict.fromkeys(("left", "right", "quad", "qquad", "mathcal", "mathbf", "mathrm"), ""),
    "oplus": "xor",
    "top": "true",
    "bot": "false",
    "forall": "forall",
    "exists": "exists",
}
"""Commands of LaTeX, each with what is written for it."""

_POLISH = re.compile(
    r'"(?:[^"\\]|\\.)*"?(?:\s*\([^()]*\))?'  # a name in quotes
    r"|<--?>|<=>|--?>|=>|&&?|\|\|?|\[\s*\]|<\s*>|[!~^]"
    r"|\w+(?:[-.]\w+)*(?:\([^()]*\))?|\S"
)
"""A word or sign of prefix notation; the arguments of a name belong to it."""
_ONE_OPERAND = re.compile(r"[!~XFG]|\[\]|<>|not|next|always|globally|eventually|finally")
"""Operators with one operand."""
_TWO_OPERANDS = re.compile(
    r"&&?|\|\|?|--?>|=>|<--?>|<=>|\^|[UVRWMie]|and|or|implies|iff|xor|until|release"
)
"""Operators with two operands."""
_LBT = {"i": "implies", "e": "iff", "t": "true", "f": "false"}
"""Letters of the notation of LBT that are no signs elsewhere."""

_LOWER = re.compile(r'"(?:[^"\\]|\\.)*"?|[\w.-]+')
"""A name or an operator of one small letter."""
_LOWER_OPERATORS = frozenset("xfgurwm")
"""Operators that are small letters: ``x`` for next, ``u`` for until, ..."""
_NO_OPERATOR_BEFORE = re.compile(r"\s*(?:[,.:|=)]|$)")
"""Text after a name that is no operator: the end of an argument or of a variable."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text in the grammar's notation, with the original offset of each character.

    Args:
        text: The text.
        origin: For every character, and for the end, its place in the text as it was written;
            nothing if that was not changed.
    """

    text: str
    origin: Sequence[int] = ()

    def place(self, position: int) -> int:
        """Return where a place of this text is in the text as it was written."""
        if not self.origin:
            return position
        return self.origin[min(position, len(self.origin) - 1)]


def prepare(text: str, dialect: Dialect) -> Prepared:
    """Return a text of some dialect in the grammar's notation.

    Examples:
        >>> prepare("GFa", "spot").text
        'G F a'
        >>> prepare("& a F b", "prefix").text
        '(a & (F b)) '
    """
    has_latex = "\\" in text or "$" in text
    is_plain = text.isascii() and not has_latex
    if dialect == "eai" or (is_plain and dialect == "default"):
        return Prepared(text)
    # In this order: plain characters first, since commands and operators are made of them.
    pieces = list(_folded_pieces(text))
    if has_latex:
        pieces = list(_pieces_from_latex(pieces))
    if dialect in _REWRITERS:
        pieces = list(_REWRITERS[dialect](*_join_pieces(pieces)))
    prepared, origin = _join_pieces(pieces)
    return Prepared(prepared, [*origin, len(text)])


def _folded_pieces(text: str) -> _Pieces:
    """Yield the characters with look-alikes replaced, except in quoted names.

    Signs such as typographic quotes become the plain ones that the grammar knows.
    """
    is_quoted = is_escaped = False
    for position, character in enumerate(text):
        folded = character
        if not character.isascii():
            folded = fold(character)
        if not is_escaped and folded == '"':
            is_quoted = not is_quoted
            yield folded, position
            continue
        if is_quoted:
            yield character, position
        else:
            yield folded, position
        # A backslash in quotes escapes one character, unless it is escaped itself.
        is_escaped = is_quoted and not is_escaped and character == "\\"


def fold(character: str) -> str:
    """Return the plain character that the grammar reads in place of one."""
    return _PLAIN.get(character) or unicodedata.normalize("NFKC", character)


_Pieces = Iterator[tuple[str, int]]
"""Pieces of a text, each with the place in the written text that it came from."""


def _join_pieces(pieces: Sequence[tuple[str, int]]) -> tuple[str, list[int]]:
    """Return the joined text of pieces, and the original offset of each character."""
    text = "".join(piece for piece, _ in pieces)
    origin: list[int] = []
    for piece, position in pieces:
        origin += [position] * len(piece)
    return text, origin


def _replace_matches(
    pattern: re.Pattern[str],
    text: str,
    origin: Sequence[int],
    pieces_of: Callable[[re.Match[str]], _Pieces],
) -> _Pieces:
    """Replace each match of a pattern, and keep the text between matches.

    Args:
        pattern: The pattern.
        text: The text.
        origin: For each character, its place in the text as it was written.
        pieces_of: Returns the pieces for a match.
    """
    end = 0
    for match in pattern.finditer(text):
        yield from zip(text[end : match.start()], origin[end : match.start()], strict=True)
        yield from pieces_of(match)
        end = match.end()
    yield from zip(text[end:], origin[end:], strict=True)


def _pieces_from_latex(pieces: Sequence[tuple[str, int]]) -> _Pieces:
    """Replace commands of LaTeX by what they print; unknown ones stay, and are refused later."""
    text, origin = _join_pieces(pieces)
    return _replace_matches(_LATEX, text, origin, partial(_latex_pieces, origin))


def _latex_pieces(origin: Sequence[int], match: re.Match[str]) -> _Pieces:
    r"""Yield the text of a LaTeX command: ``\land`` is ``and``, ``\text{cup}`` is ``cup``.

    Args:
        origin: For each character of the text, its place in the text as it was written.
        match: A match of ``_LATEX``.
    """
    begin = origin[match.start()]
    command = match["command"]
    is_kept = match[0].startswith(('"', "/", "\\/"))
    if is_kept or (command and command not in _COMMANDS):
        yield from _group_pieces(origin, match, 0)
    elif match["inner"] is not None:  # \text{...}
        yield " ", begin
        for letter, position in _group_pieces(origin, match, "inner"):
            if letter != "\\":
                yield letter, position
        yield " ", origin[match.end() - 1]
    elif command:
        yield f" {_COMMANDS[command]} ", begin
    elif match["sign"]:  # \_, \& or \|
        yield from _group_pieces(origin, match, "sign")
    elif match["index"]:  # _{...}
        yield from _group_pieces(origin, match, "index")
    else:  # a space, a group, or a mark of where the formula begins or ends
        yield " ", begin


def _group_pieces(origin: Sequence[int], match: re.Match[str], group: int | str) -> _Pieces:
    """Yield the characters of a group of a match as they are, with their places."""
    return zip(match[group], origin[match.start(group) : match.end(group)], strict=True)


def _pieces_from_prefix(text: str, origin: Sequence[int]) -> _Pieces:
    """Convert prefix notation to infix notation with parentheses.

    Of operands that are missing or left over, the grammar says that it cannot read them.
    """
    # The operators whose operands are not complete yet, innermost last; each is the text to write
    # behind its next operands, that behind the last one first.
    open_operators: list[list[str]] = []
    for match in _POLISH.finditer(text):
        position = origin[match.start()]
        symbol = "".join(match[0].split())
        if _ONE_OPERAND.fullmatch(symbol):
            yield f"({symbol} ", position
            open_operators.append([")"])
        elif _TWO_OPERANDS.fullmatch(symbol):
            yield "(", position
            open_operators.append([")", f" {_LBT.get(symbol, symbol)} "])
        else:
            yield _LBT.get(symbol, match[0]), position
            # An operand is complete, and with it perhaps operators that it is the last operand of.
            while open_operators:
                text_after = open_operators[-1].pop()
                yield text_after, position
                if open_operators[-1]:
                    break
                open_operators.pop()
            if not open_operators:
                yield " ", position


def _pieces_from_lower(text: str, origin: Sequence[int]) -> _Pieces:
    """Capitalise operators of one small letter: ``g (a u b)`` becomes ``G (a U b)``."""

    def capital(match: re.Match[str]) -> _Pieces:
        """Yield a word, in capital letters if it is an operator here."""
        start, end = match.span()
        word = match[0]
        # In "on(x, u)" and "exists x. ..." the small letters are names.
        if word in _LOWER_OPERATORS and not _NO_OPERATOR_BEFORE.match(text, end):
            word = word.upper()
        yield from zip(word, origin[start:end], strict=True)

    return _replace_matches(_LOWER, text, origin, capital)


def _pieces_from_spot(text: str, origin: Sequence[int]) -> _Pieces:
    """Separate the operators that are written in front of a word without spaces.

    Spot allows ``GFa`` without blanks, which is ``G F a``.
    """

    def split_word(match: re.Match[str]) -> _Pieces:
        """Yield the operators of a word and the rest: ``GFa`` is ``G``, ``F`` and ``a``."""
        start = match.start()
        word = match[0]
        number_of_operators = 0
        glued = _GLUED.match(word)  # a name in quotes does not match
        if glued is not None:
            number_of_operators = glued.end()
        for i in range(number_of_operators):
            position = origin[start + i]
            if word[i] != "X":
                yield f"{word[i]} ", position
            elif _STRONG.match(text, start + i + 1):
                yield "X", position  # the [!] behind it stays, and makes it strong
            else:
                yield "WX ", position
        if number_of_operators < len(word):
            yield word[number_of_operators:], origin[start + number_of_operators]

    return _replace_matches(_SPOT, text, origin, split_word)


_REWRITERS = {"spot": _pieces_from_spot, "prefix": _pieces_from_prefix, "lower": _pieces_from_lower}
"""Functions that rewrite a text of another dialect, given where each character came from."""
