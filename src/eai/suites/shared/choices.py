"""Answers to closed questions: yes or no, and the letters of options."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence

from eai.answers import clean
from eai.nesting import load_json

_LETTERS = "ABCDEFGH"
"""Letters of options."""

# A capital letter that stands alone: no letter, digit or apostrophe ("I'm") on either side.
_LETTER = re.compile(r"(?<![^\W_'])([A-Z])(?![^\W_']|')")
_ANNOUNCED = re.compile(
    r"""
    # an announcement: \boxed{, or "the correct answer is", "I choose option", "答案是"
    (?:\\boxed\s?\{ | (?:answers?|options?|choices?|correct|choose|select|pick|选择?|答案)
        (?:\W|is|are|be|would|option|choice|the|letter|answer|是|为){0,40}?)
    # one or more letters, with separators between them: "A, C and D"
    (?<![A-Za-z])
    (?P<letters>[A-Z]
        (?:(?:[\s,&+/]|and\b|[^\w\s,&+/](?=[A-Z]\b))*(?<![A-Za-z])[A-Z](?![A-Za-z]))*)
    # the last of them is not the beginning of a word
    (?![A-Za-z'])""",
    re.VERBOSE | re.IGNORECASE,
)
# A choice that is left open: "A or B", also in Chinese.
_EITHER = re.compile(r"\b[A-Z]\W{0,3}\s*(?:or|或)\s*\W{0,3}[A-Z]\b")
# A letter at the beginning, and a sign behind it: "B) because".
_FIRST_LETTER = re.compile(r"\W*\(?([A-Za-z])\s?[).:,\]*\n-]")
# Several letters: "A, C and D".
_ENUMERATION = re.compile(r"\b[A-H](?:\s*(?:,|and|&|/)\s*[A-H])+\b")
# Words for yes and for no.
_YES_NO = re.compile(
    r"\b(?P<no>no|false|not|isn't|hasn't|wasn't|incomplete|unfinished)\b|\b(?P<yes>yes|true|completed?|finished|done)\b",
    re.IGNORECASE,
)
# An answer that begins with yes or no: "The answer is: Yes".
_BEGIN = re.compile(r"\W*(?:(?:the |final )*answer(?: is)?\W+)?(yes|no)\b", re.IGNORECASE)


def read_yes_no(answer: str) -> bool | None:
    """Return the yes or no in an answer, or None if it has neither or both."""
    text = clean(answer).text.strip()
    first = _BEGIN.match(text) or re.search(r"\banswer\W+(?:is\W+)?(yes|no)\b", text, re.IGNORECASE)
    if first:
        return first[1].casefold() == "yes"
    # Words of the whole answer, not of its first sentence: many reason before they decide.
    words = {match.lastgroup for match in _YES_NO.finditer(text)}
    if not words:
        return None
    if "no" not in words:
        return True
    # "not finished" has words of both kinds and means no; with a literal "yes" it is open.
    if re.search(r"\byes\b", text, re.IGNORECASE):
        return None
    return False


def read_choice(answer: str, options: Sequence[str] = ()) -> frozenset[str] | None:
    """Return the letters of the chosen options, or None if there are none or it is unclear.

    An answer can give its letters in several forms, such as "A, C", "The answer is B" or
    "B) because ...". They are tried from the surest to the weakest, and the first that applies
    decides.

    Args:
        answer: The answer.
        options: The texts of the options A, B, ...; if none are given, letters up to H count.

    Example:
        >>> sorted(read_choice("I weighed A or B, but the answer is C."))
        ['C']
    """
    text = clean(answer).text.strip()
    last_letter = "H"
    if 0 < len(options) <= len(_LETTERS):
        last_letter = _LETTERS[len(options) - 1]
    if text.startswith(("{", "[")):
        with contextlib.suppress(ValueError):  # brackets without JSON in them are words
            text = _value(load_json(text))
    # The text of one option.
    bare_text = _bare(text)
    bare_options = [_bare(option) for option in options]
    if bare_text and bare_options.count(bare_text) == 1:
        return frozenset(_LETTERS[bare_options.index(bare_text)])
    # Only letters: "A, C".
    letters = _letters_alone(text, last_letter)
    if letters is not None:
        return letters
    # "The answer is B."
    if _announcements(text, last_letter) or _EITHER.search(text):
        return _last_announced(text, last_letter)
    # A letter and its reason: "B) because ..."
    first_letter = _FIRST_LETTER.match(text)
    if first_letter is not None:
        letters = _upper(first_letter[1], last_letter)
        if letters:
            return letters
    # A letter, or an enumeration, somewhere in a sentence.
    if _ENUMERATION.search(text) or _mentioned_letters(text, last_letter):
        return _only_mention(text, last_letter)
    return _only_quoted(bare_text, bare_options)


def _only_quoted(bare_text: str, bare_options: Sequence[str]) -> frozenset[str] | None:
    """Return the letter of the only option whose words a text contains, or None."""
    quoted: list[int] = []
    for index, option in enumerate(bare_options):
        if option and option in bare_text:
            quoted.append(index)
    if len(quoted) != 1:
        return None
    return frozenset(_LETTERS[quoted[0]])


def _announcements(text: str, last: str) -> list[re.Match[str]]:
    """Return the matches of all announcements ("the answer is B")."""
    return [match for match in _ANNOUNCED.finditer(text) if _upper(match["letters"], last)]


def _last_announced(text: str, last: str) -> frozenset[str] | None:
    """Return the letters that a text announces last, or None if it then leaves them open."""
    announcements = _announcements(text, last)
    if not announcements:
        return None  # "A or B" is all that it says
    last_announcement = announcements[-1]
    # A model that reasons aloud may weigh "A or B" before it announces one of them.
    if _EITHER.search(text, last_announcement.start()):
        return None
    return _upper(last_announcement["letters"], last)


def _only_mention(text: str, last: str) -> frozenset[str] | None:
    """Return the only enumeration ("A, C") or letter in a text, or None if it has several."""
    enumerations = _ENUMERATION.findall(text)
    if len(enumerations) > 1:
        return None
    if enumerations:
        return _upper(enumerations[0], last)
    mentioned = _mentioned_letters(text, last)
    if len(mentioned) > 1:
        return None
    return mentioned


def is_plain_choice(answer: str) -> bool:
    """Whether an answer is nothing but letters, which the published reader needs no model for."""
    return _letters_alone(clean(answer).text.strip(), "H") is not None


def _mentioned_letters(text: str, last: str) -> frozenset[str]:
    """Return all letters of options that a text mentions."""
    letters = {letter for letter in _LETTER.findall(text) if letter <= last}
    is_article = re.search(r"\bA [a-z]", text) and not re.search(r"\(A\)|\bA[).:]", text)
    if is_article:
        letters.discard("A")
    return frozenset(letters)


def _letters_alone(text: str, last: str) -> frozenset[str] | None:
    """Return the letters of a text that has only letters and separators, else None.

    Args:
        text: The text, such as "A, C and D".
        last: The letter of the last option.
    """
    words = re.sub(r"(?i)\b(?:and|option|choice|options)\b|[^\w]|_", " ", text).split()
    letters = "".join(words)
    if not 0 < len(letters) <= len(_LETTERS):
        return None
    if not letters.isascii() or not letters.isalpha():
        return None
    # "ABD" is three letters, but "bad" is a word.
    if any(len(word) > 1 and not word.isupper() for word in words):
        return None
    has_repeated_letter = len(set(letters.upper())) < len(letters)
    return None if has_repeated_letter else _upper(letters, last)


def _upper(letters: str, last: str) -> frozenset[str] | None:
    """Return letters in upper case without separators, or None if one is not an option."""
    options = frozenset(re.sub(r"(?i)\band\b|[^A-Za-z]", "", letters).upper())
    if not options or max(options) > last:
        return None
    return options


def _value(value: object) -> str:
    """Return the answer in a JSON value as text, or "" if an object has no key for it."""
    if isinstance(value, dict):
        for key in ("answer", "choice", "option", "final_answer"):
            if key in value:
                return _value(value[key])
        return ""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def _bare(text: str) -> str:
    """Return the words of an option in lower case, without its letter and punctuation."""
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"^\W*[A-H][).:]\s", "", text).casefold()))
