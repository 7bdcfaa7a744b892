"""Lines that may have been meant as steps, though they could not be read as some."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eai.answers.plan import (
    ACTION_KEYS,
    ASIDE_KEYS,
    CONNECTIVES,
    EXPLAINING,
    FILLERS,
    HEADINGS,
    STATES,
    STATING,
    WORDS,
    has_id,
    words_of,
)

MAX_WORDS = 8
"""Maximum number of words of a line that begins like a step; a sentence has more."""
MAX_WORDS_AROUND = 3
"""Maximum number of words around a call; a call in a sentence has more."""

_CALL = re.compile(r"\b[^\W\d][\w\-]{0,60}\([^()\n]*\)")
_TAG = re.compile(r"<[^<>\n]{0,200}>")
_WORDS_BEFORE_BRACKET = re.compile(r"[^\W\d_][\w\- ]{0,60}[(\[<][^()\[\]<>\n]+[)\]>]+[.,;]?$")
_BRACKETED_NAME = re.compile(r"\[[^\[\]\n]{1,60}\]\s{0,3}[<(]")
_ATTACHED_BRACKET = re.compile(r"\w[\[({<](?!e?s\))\w")
_ATTRIBUTES = re.compile(
    r"(?:[.*]{1,3}\s?)?[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}|\[[^\[\]]{0,60}\])+"
    r"(?:\s*,\s*(?:[.*]{1,3}\s?)?[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}|\[[^\[\]]{0,60}\])*){0,8}"
)
"""Parts of a variable as arguments: ``step.action, ...step.args``."""
_LEAVES_OUT = re.compile(
    # "Repeat these steps if necessary" only offers to.
    r"[\W\d]*(?:etc|(?:and )?so (?:on|forth)|x ?\d+|\d+ ?x"
    r"|repeat\b(?![^\n]*\b(?:if|as|when(?:ever)?) (?:necessary|needed|required|desired)\b)[^\n]*"
    r"|(?:then |and |now |finally,? )?(?:do|run|perform|execute|take) [^\n]{0,30}\b(?:again|twice"
    r"|once more)\b[^\n]*)\W*|\W{0,8}(?:\.\.\."
    r"|\u2026)\W{0,8}",
    re.IGNORECASE,
)
INSTEAD_OF = r"(?:instead of|rather than|in place of|in lieu of|as opposed to)"
"""Words before a step that is not taken."""
_OUTSIDE = "|".join(sorted(WORDS["outside"] | WORDS["others"]))
EVENT = rf"when(?:ever)? [^,.:;()\n]{{0,60}}?\b(?:{_OUTSIDE})s?"
"""The begin of a clause about what no step brings about: "when it rains"."""
DOUBT = re.compile(
    rf"\b(?:{EVENT}|before|until|unless|if|whether|not|never"
    r"|without(?! (?:any |further )?(?:delay|hesitation|ado)\b)|avoid|skip"
    rf"|instead|rather|{INSTEAD_OF}|cannot"
    r"|(?<!\bi )(?<!\bwe )would|could|might|should have|already|previous(?:ly)?|fails?|failed"
    r"|wrong|incorrect|bad|optional(?:ly)?|(?:no particular|any) order"
    r"|(?:several|many) times|perhaps|maybe|possibly|in case|oops"
    r"|scr(?:ap|atch) that|make that|should (?:the|it)\b[^,.]*\bbe"
    r"|allowed|available|permitted|either|alternative(?:ly)?|or|else|otherwise|example|e\.g|suppose|imagine|assum\w+|undo|reverse|backwards?)\b"
    r"|n['\u2019]t\b|\?|<-|\u2190|\s/\s"
    # "not", "never", "before" and "after" in other languages
    r"|\b(?:nicht|nie(?:mals)?|kein\w*|pas|jamais|nunca|jam\u00e1s|n\u00e3o|не|никогда"
    r"|bevor|nachdem|avant|antes|prima (?:di|che)|depois d[aeo]|despu\u00e9s de|перед|прежде)\b"
    r"|[\u4e0d\u522b\u5225]|\u306a\u3044",
    re.IGNORECASE,
)
"""Words beside a step that make it something else than a step to take."""
_TALKS = (FILLERS - CONNECTIVES) | STATING | EXPLAINING | STATES


def leaves_out(line: str) -> bool:
    """Whether a line stands for steps that are left out: ``...``, ``etc.``, ``repeat this``."""
    return len(line) < 200 and _LEAVES_OUT.fullmatch(line) is not None


def is_like_step(line_words: str, *, names_object: bool) -> bool:
    """Whether a line that could not be read looks like a step, not like a sentence.

    Args:
        line_words: The line behind its number or bullet.
        names_object: Whether it names an object of the task.
    """
    stripped_words = line_words.strip(" \t\r`*")
    if _BRACKETED_NAME.match(stripped_words):
        return True
    if is_like_call(stripped_words):
        return True
    label, colon, words_behind_label = stripped_words.partition(":")
    if colon and label.strip().lower() in ACTION_KEYS:
        return bool(words_of(words_behind_label))
    return _begins_like_step(stripped_words, names_object=names_object)


def is_like_call(stripped_line: str) -> bool:
    """Whether a line is a call with a few words around it, or begins with one."""
    calls = _CALL.findall(stripped_line)
    if not calls or calls[0].endswith(("(s)", "(es)")):
        return False
    words_around = words_of(_CALL.sub(" ", _TAG.sub(" ", stripped_line)))
    if len(words_around) <= MAX_WORDS_AROUND and _TALKS.isdisjoint(words_around):
        return True
    # Words behind a call may explain it: ``OPEN(x): ...``, ``OPEN(x) is ...``.
    text_behind = stripped_line.removeprefix(calls[0])
    is_explained = text_behind.lstrip("`* ").startswith(
        (":", "-", "\u2013", "\u2014", "=", "is ", "are ")
    )
    return len(text_behind) < len(stripped_line) and not is_explained


def _begins_like_step(stripped_words: str, *, names_object: bool) -> bool:
    """Whether a few words look like a step: ``SEARCH bathroom``, ``fly to hall.3``."""
    words = stripped_words.split()
    if not 0 < len(words) <= MAX_WORDS or not words[0][0].isalpha():
        return False
    if stripped_words.endswith((".", ":", "?")) or _is_sentence_or_label(words):
        return False
    # A name with its id is an object: ``hall.3``.
    if len(words) > 1 and (names_object or any(has_id(_plain_word(word)) for word in words[1:])):
        return True
    is_first_in_capitals = len(words[0]) > 1 and words[0].isupper() and not stripped_words.isupper()
    if is_first_in_capitals or _ATTACHED_BRACKET.search(stripped_words):
        return True
    return _WORDS_BEFORE_BRACKET.match(stripped_words) is not None and has_number(stripped_words)


def _is_sentence_or_label(words: Sequence[str]) -> bool:
    """Whether words state something, or begin with a label such as "Initial state: ..."."""
    plain_words = [_plain_word(word) for word in words]
    if plain_words[0] in FILLERS | CONNECTIVES or not STATING.isdisjoint(plain_words):
        return True
    # The words up to the last colon are a label; without a colon, the first word may be one.
    numbers_of_words_with_colon = [
        word_number for word_number, word in enumerate(words, 1) if word.endswith(":")
    ]
    label = [
        word.strip(":*") for word in plain_words[: max(numbers_of_words_with_colon, default=1)]
    ]
    return not (HEADINGS | ASIDE_KEYS | {"state"}).isdisjoint(label)


def _plain_word(word: str) -> str:
    """Return a word in small letters without brackets and marks around it."""
    return word.lower().strip("<>()[],;*`")


def has_number(text: str) -> bool:
    """Whether a text has a digit."""
    return any(map(str.isdigit, text))


def names_attributes(arguments: str) -> bool:
    """Whether the arguments of a call are parts of a variable, as in a loop over the steps."""
    return _ATTRIBUTES.fullmatch(arguments.strip()) is not None
