"""Making any text harmless to show: model answers may hold anything.

Escaping for a language (HTML, LaTeX) comes after this; here go the characters that are unsafe
in every medium, because they are invisible, reorder what is around them, end a line where
there is none, or cannot be encoded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

_UNSAFE = (
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, except tab and line feed
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # invisible, reordering
    "\ud800-\udfff"  # lone surrogates
    "\ufdd0-\ufdef\ufff9-\uffff"  # not characters
    "\U0001fffe\U0001ffff\U000e0000-\U000e0fff"  # not characters; invisible tags
    "]"
)
_CONTROLS = bytes((*range(9), *range(11, 32), 127))
"""The unsafe characters of ASCII."""

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",  # \textquotedbl does not exist in the default font encoding
    "`": r"\char96{}",
    "†": r"$\dagger$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "\u2212": "$-$",
}

_LATEX_LETTERS = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ"
    "ĀāĂăĆćĈĉĊċČčĎďĒēĔĕĖėĚěĜĝĞğĠġĢģĤĥĨĩĪīĬĭİıĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŴŵŶŷŸŹźŻżŽž"
    "°±²³·¹\xd7÷\u2013\u2014\u2018\u2019“”•…€™‡→"
)
"""Characters beyond ASCII that pdflatex sets without a package."""


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a regular expression that is compiled when it is first used.

    The readers of answers have 180 long patterns. To compile all of them takes a tenth of the time
    of a short command, and most answers need a fifth of them.
    """
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))


class _LazyPattern:
    """A regular expression that has the attributes of a compiled one."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        """Return an attribute of the compiled pattern, and keep it: the next use finds it here."""
        value = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, value)
        return value


_Value = TypeVar("_Value")
_MAX_REMEMBERED = 1_000


def remembers_short_texts(function: Callable[..., _Value]) -> Callable[..., _Value]:
    """Let a function of texts remember its last values for texts that are short.

    Answers repeat the sentences around their plans, and a long answer repeats its lines. Long texts
    are not remembered, as a thousand of them would fill the memory.
    """
    remembered = lru_cache(maxsize=1 << 10)(function)

    @wraps(function)
    def call(*texts: str) -> _Value:
        """Return the value that is remembered, or else a new one."""
        is_short = sum(map(len, texts)) <= _MAX_REMEMBERED
        return remembered(*texts) if is_short else function(*texts)

    return call


def has_words(text: str) -> bool:
    """Return whether a text contains a letter or digit.

    >>> has_words("- on"), has_words("---")
    (True, False)
    """
    return any(map(str.isalnum, text))


def line_start(text: str, offset: int) -> int:
    """Return where the line around an offset begins."""
    return text.rfind("\n", 0, offset) + 1


def line_around(text: str, offset: int) -> tuple[int, int]:
    r"""Return where the line around an offset begins and ends.

    >>> line_around("one\ntwo\n", 5)
    (4, 7)
    """
    end = text.find("\n", offset)
    return line_start(text, offset), len(text) if end < 0 else end


def printable(text: str) -> str:
    """Return a text with unsafe characters replaced by names such as ``<U+202E>``.

    Tabs and line feeds stay.
    """
    if text.isascii() and len(text.encode().translate(None, _CONTROLS)) == len(text):
        return text  # nearly every text, and looking through it this way is eight times quicker
    # Line ends first: a carriage return that were left over would be shown as <U+000D>.
    normalised = text.replace("\r\n", "\n").replace("\r", "\n")
    return re.sub(_UNSAFE, lambda match: f"<U+{ord(match[0]):04X}>", normalised)


def printable_line(text: str) -> str:
    """Like :func:`printable`, and on one line: each run of white space becomes a blank."""
    return " ".join(printable(text).split())


def cut(text: str, most: int) -> tuple[str, str]:
    """Return the beginning of a text that is too long, and a note on the rest.

    Returns:
        The beginning, made printable, and a note that says what was cut (empty if nothing).
    """
    if len(text) <= most:
        return printable(text), ""
    return printable(text[:most]), f"cut: the first {most:,} of {len(text):,} characters are shown"


def short(text: str, most: int = 500) -> str:
    """Return the text on one line, with an ellipsis if it is longer than ``most``."""
    # Cut first: a text may be a whole book, and only its beginning need be made printable.
    line = _line(text[:most])
    return f"{line} ..." if len(text) > most else line


_line = lru_cache(maxsize=1 << 10)(printable_line)
"""The same for texts that a report shows again and again."""


def encodable(text: str, encoding: str) -> str:
    """Return the text on one line, with escapes for what ``encoding`` cannot express."""
    line = printable_line(text)
    return line.encode(encoding, errors="backslashreplace").decode(encoding)


def spreadsheet(text: str) -> str:
    """Return the text on one line in a form that spreadsheets do not run as a formula.

    An apostrophe stands before what begins a formula, full-width signs included, and behind a
    semicolon too: where that divides cells, a formula begins there. Options of a command line in
    a sentence are none.

    Examples:
        >>> spreadsheet("=1+1"), spreadsheet("a;=1+1"), spreadsheet("kept; --force replaces it")
        ("'=1+1", "a;'=1+1", 'kept; --force replaces it')
    """
    return _FORMULA.sub(r"\1\2'", printable_line(text))


_FORMULA = re.compile(
    r"""
    (^|;)
    ([\s"]*)   # white space and quotes do not hinder a spreadsheet: `"=1+1"` is a formula, too
    (?=[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])
    # "; --force replaces it" calls nothing and refers to nothing, whatever divides cells.
    (?!(?<=;[ ])--[a-z][a-z-]*(?![^\s;])[^;(|!]*(?:;|$))
    """,
    re.VERBOSE,
)


def latex(text: str) -> str:
    """Return the text on one line, escaped for LaTeX (see :func:`settable`)."""
    return "".join(_LATEX.get(character, character) for character in settable(text))


def settable(text: str) -> str:
    """Return the text on one line, with names for characters that pdflatex cannot set.

    Examples:
        >>> settable("10 ≥ 中")
        '10 ≥ <U+4E2D>'
    """
    line = printable_line(text)
    if line.isascii():
        return line
    characters = []
    for character in line:
        if character.isascii() or character in _LATEX or character in _LATEX_LETTERS:
            characters.append(character)
        else:
            characters.append(f"<U+{ord(character):04X}>")
    return "".join(characters)


def markdown(text: str) -> str:
    """Return the text on one line, escaped for Markdown, its tables and the HTML in it."""
    return re.sub(r"([\\`*_{}\[\]<>|~&#$!])", r"\\\1", printable_line(text))


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, ``"1 step"`` or ``"1,200 steps"``."""
    plural = "" if number == 1 else "s"
    return f"{number:,} {noun}{plural}"


def with_article(noun: str) -> str:
    """Return a noun with its article, ``"a type"`` or ``"an object"``, by its first letter."""
    article = "an" if noun.startswith(tuple("aeiou")) else "a"
    return f"{article} {noun}"


def field_path(location: Iterable[str | int]) -> str:
    """Return the path to a nested value in Python syntax.

    Args:
        location: The fields and numbers that lead to it.

    Examples:
        >>> field_path(("result", "findings", 0, "kind"))
        'result.findings[0].kind'
    """
    path = ""
    for key in location:
        if isinstance(key, int):
            path += f"[{key}]"
        else:
            path += f".{key}"
    return path.lstrip(".")


def sample_label(model: str, epoch: int) -> str:
    """Return how a sample of a model is called: the model, with a number if there are several."""
    return f"{model} #{epoch}" if epoch else model
