"""Answers to closed questions: yes or no, and the letters of options."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence

from eai.answers import clean
from eai.nesting import load_json

_LETTER = re.compile(r"(?<![^\W_'])([A-Z])(?![^\W_']|')")
_SAID = re.compile(
    r"""(?:\\boxed\s?\{ | (?:answers?|options?|choices?|correct|choose|select|pick|选择?|答案)
        (?:\W|is|are|be|would|option|choice|the|letter|answer|是|为){0,40}?)
        (?<![A-Za-z])
        (?P<letters>[A-Z]
            (?:(?:[\s,&+/]|and\b|[^\w\s,&+/](?=[A-Z]\b))*(?<![A-Za-z])[A-Z](?![A-Za-z]))*)
        (?![A-Za-z'])""",
    re.VERBOSE | re.IGNORECASE,
)
_EITHER = re.compile(r"\b[A-Z]\W{0,3}\s*(?:or|或)\s*\W{0,3}[A-Z]\b")
_YES_NO = re.compile(
    r"\b(?P<no>no|false|not|isn't|hasn't|wasn't|incomplete|unfinished)\b|\b(?P<yes>yes|true|completed?|finished|done)\b",
    re.IGNORECASE,
)
_BEGIN = re.compile(r"\W*(?:(?:the |final )*answer(?: is)?\W+)?(yes|no)\b", re.IGNORECASE)


def read_yes_no(answer: str) -> bool | None:
    """Read yes or no, also out of a sentence; None if it is neither or both."""
    text = clean(answer).text.strip()
    first = _BEGIN.match(text) or re.search(r"\banswer\W+(?:is\W+)?(yes|no)\b", text, re.IGNORECASE)
    if first:
        return first[1].casefold() == "yes"
    said = {match.lastgroup for match in _YES_NO.finditer(text)}
    if "no" in said:
        literal = re.search(r"\byes\b", text, re.IGNORECASE)
        return None if literal else False
    return True if said else None


def read_choice(answer: str, options: Sequence[str] = ()) -> frozenset[str] | None:
    """Read the letters of an answer; None if there are none, or no telling which."""
    text = clean(answer).text.strip()
    most = "ABCDEFGH"[len(options) - 1] if 0 < len(options) <= 8 else "H"
    if text[:1] and text[0] in "{[":
        with contextlib.suppress(ValueError):
            text = _value(load_json(text))
    alike = [i for i, option in enumerate(options) if _bare(option) == _bare(text) != ""]
    if len(alike) == 1:
        return frozenset(("ABCDEFGH"[alike[0]],))
    found = _plain(text, most)
    if found is not None:
        return found
    said = [match for match in _SAID.finditer(text) if _upper(match["letters"], most)]
    if _EITHER.search(text, said[-1].start() if said else 0):
        return None
    first = re.match(r"\W*\(?([A-Za-z])\s?[).:,\]*\n-]", text)
    for letters in (said[-1]["letters"] if said else "", first[1] if first else ""):
        if letters and (found := _upper(letters, most)):
            return found
    # the only letters that a text speaks of, or the only option
    joined = re.findall(r"\b[A-H](?:\s*(?:,|and|&|/)\s*[A-H])+\b", text)
    if joined:
        return _upper(joined[0], most) if len(joined) == 1 else None
    found = frozenset(letter for letter in _LETTER.findall(text) if letter <= most)
    if re.search(r"\bA [a-z]", text) and not re.search(r"\(A\)|\bA[).:]", text):
        found -= {"A"}  # an article
    if found:
        return found if len(found) == 1 else None
    bare = [_bare(option) for option in options]
    inside = [i for i, option in enumerate(bare) if option and option in _bare(text)]
    return frozenset(("ABCDEFGH"[inside[0]],)) if len(inside) == 1 else None


def is_plain_choice(answer: str) -> bool:
    """Whether an answer is nothing but letters, which the published reader needs no model for."""
    return _plain(clean(answer).text.strip(), "H") is not None


def _plain(text: str, most: str) -> frozenset[str] | None:
    """The letters of a text that is nothing but letters and what separates them."""
    rest = re.sub(r"(?i)\b(?:and|option|choice|options)\b|[^\w]|_", " ", text).split()
    letters = "".join(rest)
    if not rest or len(letters) > 8 or not letters.isascii() or not letters.isalpha():
        return None
    if any(len(part) > 1 and not part.isupper() for part in rest):
        return None
    return _upper(letters, most) if len(set(letters.upper())) == len(letters) else None


def _upper(letters: str, most: str) -> frozenset[str] | None:
    found = frozenset(re.sub(r"(?i)\band\b|[^A-Za-z]", "", letters).upper())
    return found if found and max(found) <= most else None


def _value(value: object) -> str:
    if isinstance(value, dict):
        known = [
            value[key] for key in ("answer", "choice", "option", "final_answer") if key in value
        ]
        return _value(known[0]) if known else ""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _bare(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"^\W*[A-H][).:]\s", "", text).casefold()))
