"""What a grammar error in a formula is called, and how the common ones are mended."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from eai.errors import ParseError

if TYPE_CHECKING:
    from collections.abc import Collection

    from lark.exceptions import UnexpectedInput

__all__ = ["NESTING_LIMIT", "describe", "too_deep"]

NESTING_LIMIT = 100
"""Deepest nesting that is parsed, of parentheses (those of arguments included) and of operators.

Every function over parsed formulas may then walk them by plain recursion.
"""

_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "_RPAR": "')'",
    "_LPAR": "'('",
    "_COMMA": "','",
    "_DOT": "'.'",
    "_COLON": "':' and a type",
    "_BAR": "'|' and another type",
    "_EQUAL": "'='",
    "$END": "the end of the formula",
}
_CONNECTIVES = {"_THEN", "_IMPLIES", "_OR", "_AND"}
_OPENERS = {"_NOT", "_FORALL", "_EXISTS", "_FORN", "_TRUE", "_FALSE", "NAME", "_LPAR"}
_SYMBOLS = {
    "&": "and",
    "∧": "and",
    "|": "or",
    "\N{LOGICAL OR}": "or",
    "!": "not",
    "~": "not",
    "¬": "not",
    "⇒": "implies",
    "→": "implies",
    ";": "then",
    "∀": "forall",
    "∃": "exists",
}
# A quote that is never closed runs to the end, so that no text is scanned twice.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|->|\w+(?:[-.]\w+)*|\S')
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_CONNECTIVE = re.compile(r"then|or|and|implies|->", re.IGNORECASE)


def too_deep(text: str, position: int, source: str) -> ParseError:
    """Build the error for a formula that exceeds :data:`NESTING_LIMIT`.

    Args:
        text: The text that was parsed.
        position: Where the limit was exceeded.
        source: What the text is called.
    """
    return ParseError(
        f"the formula is nested more than {NESTING_LIMIT} levels deep",
        text=text,
        position=position,
        source=source,
        mend="write flat chains: 'a and b and c' is one level, whatever its length",
    )


def describe(error: UnexpectedInput, text: str, source: str) -> ParseError:
    """Turn lark's error into ours.

    Args:
        error: What lark raised.
        text: The text that was parsed.
        source: What the text is called.
    """
    position = _place(error, text)
    accepted = _accepted(error)
    what, mend = _cause(text, position, accepted)
    return ParseError(
        what,
        text=text,
        position=position,
        source=source,
        expected=_in_words(accepted),
        mend=mend,
    )


def _place(error: UnexpectedInput, text: str) -> int:
    # At the end of the text lark names the last token; the place is behind it.
    if getattr(getattr(error, "token", None), "type", "") == "$END":
        return len(text.rstrip())
    return error.pos_in_stream or 0


def _accepted(error: UnexpectedInput) -> set[str]:
    parser = getattr(error, "interactive_parser", None)
    return set(parser.accepts()) if parser is not None else set()


def _in_words(accepted: Collection[str]) -> str:
    """The terminals that could have come, in words, the most general first."""
    rest = set(accepted)
    words = []
    if rest >= _OPENERS:
        words.append("a formula")
        rest -= _OPENERS
    if rest >= _CONNECTIVES:
        words.append("a connective (and, or, implies, then)")
        rest -= _CONNECTIVES
    words += [word for terminal, word in _WORDS.items() if terminal in rest]
    words += sorted(name[1:].lower() for name in rest if name not in _WORDS and name != "_DASH")
    return " or ".join(words)


def _cause(text: str, position: int, accepted: set[str]) -> tuple[str, str | None]:
    """What is wrong at the place, and the usual way to mend it."""
    if not text.strip():
        return "the formula is empty", "write true for a goal that is met everywhere"
    found = _TOKEN.match(text, position)
    if found is None:
        return _at_end(text, accepted)
    return _at_token(text, position, found.group(), accepted)


def _at_end(text: str, accepted: set[str]) -> tuple[str, str | None]:
    what = "the formula ends too early"
    if "_RPAR" in accepted:
        return f"{what}: a parenthesis is not closed", _unclosed(text)
    last = _last_token(text, len(text))
    if "_LPAR" in accepted and "_EQUAL" in accepted:
        return what, f"a primitive has parentheses even without arguments: {last}()"
    if _CONNECTIVE.fullmatch(last):
        return f"{what}: nothing follows {last!r}", f"add a formula or remove {last!r}"
    return what, _unclosed(text)


def _at_token(text: str, position: int, word: str, accepted: set[str]) -> tuple[str, str | None]:
    before = _last_token(text, position)
    what = f"unexpected {_shown(word)}"
    if word in _SYMBOLS and not accepted & {"_BAR"}:
        return what, f"write {_SYMBOLS[word]!r} instead"
    if word.startswith('"') and not _QUOTED.fullmatch(word):
        return "a quoted name is not closed", 'add the closing "'
    if _CONNECTIVE.fullmatch(word) and accepted >= _OPENERS:
        if _CONNECTIVE.fullmatch(before):
            return f"{word!r} follows {before!r}", "remove one of the two"
        return f"nothing stands before {word!r}", f"add a formula or remove {word!r}"
    if word == ")" and not _open_at(text, position):
        return "')' closes nothing", "remove it, or add the '(' that is missing"
    return what, _mend_inside(text, position, word, accepted)


def _mend_inside(text: str, position: int, word: str, accepted: set[str]) -> str | None:
    """Mends for errors inside a primitive or at the head of a quantifier."""
    before = _last_token(text, position)
    if accepted == {"NUMBER"}:
        return "say how many objects: forn 2. x. (...)"
    if "_DOT" in accepted:
        return f"put a full stop behind {before!r} and the body in parentheses"
    if accepted == {"_LPAR"}:
        return "put the body of the quantifier in parentheses"
    if {"_LPAR", "_EQUAL"} <= accepted:
        return f"a primitive has parentheses even without arguments: {before}()"
    if "_COMMA" in accepted:
        if word == "(":
            return f"an argument is a name; {before!r} cannot have arguments of its own here"
        return "separate arguments by ',' and close them by ')'"
    if accepted >= _CONNECTIVES and word[0].isalnum():
        return f"write a connective between {before!r} and {word!r}"
    return None


def _shown(token: str) -> str:
    return repr(token if len(token) <= 40 else token[:37] + "...")


def _last_token(text: str, position: int) -> str:
    """The token that ends before the position, if it is not absurdly long; else empty."""
    tokens = _TOKEN.findall(text, max(0, position - 200), position)
    return tokens[-1] if tokens else ""


def _open_at(text: str, position: int) -> list[int]:
    """The opening parentheses that are not closed before the position."""
    opened: list[int] = []
    for match in _TOKEN.finditer(text, 0, position):
        if match.group() == "(":
            opened.append(match.start())
        elif match.group() == ")" and opened:
            opened.pop()
    return opened


def _unclosed(text: str) -> str | None:
    """Say which opening parenthesis is never closed."""
    opened = _open_at(text, len(text))
    if not opened:
        return None
    place = opened[-1]
    line = text.count("\n", 0, place) + 1
    column = place - (text.rfind("\n", 0, place) + 1) + 1
    where = f"column {column}" if "\n" not in text else f"line {line}, column {column}"
    return f"close the '(' that opens at {where}"
