"""Parts of an answer that repeat the state before anything is done.

Models repeat the state that they were given: ``Current state: OFF(lamp.2)``, ``## Initial state``
over a list, ``<given>...</given>``. A literal there is not what the answer asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from eai.answers.plan import word_sets
from eai.answers.values import key_words

_WORDS = word_sets("given")
_LABEL = re.compile(r"[\s>#*_\-+\u2022`]{0,12}([A-Za-z][\w ]{0,40}?)[\s*_`]{0,4}(:[\s*_`]{0,4}|$)")
_IS_HEADING = re.compile(r"\s*(?:#|\*\*|__)")
_IS_SENTENCE = re.compile(
    r"\W*(?:currently|initially|at present|at the (?:start|beginning|moment))\b", re.IGNORECASE
)
_GAP = re.compile(r"\n[ \t\r]*\n")


@lru_cache(maxsize=4096)
def is_given_key(key: str) -> bool:
    """Whether a key, a label or the name of an element says that a given state stands there.

    Examples are ``initial_state``, ``given`` and ``current conditions``.
    """
    words = frozenset(key_words(key))
    if len(words) == 1 and words <= _WORDS["alone"]:
        return True
    if words.isdisjoint(_WORDS["when"]) or words.isdisjoint(_WORDS["what"]):
        return False
    return words <= _WORDS["when"] | _WORDS["what"] | _WORDS["beside"]


class GivenParts:
    """Recognises the lines of an answer that only repeat the state that it was given.

    A label, or a word such as "currently", speaks of the rest of its line. A heading speaks of the
    list or the value below it, up to a blank line behind that, or to a line that is no item.

    Args:
        text: The text in which the lines stand.

    Attributes:
        is_open: Whether the last heading speaks of the next line as well.
        has_items: Whether items stand between that heading and the next line.
        end: Where the last line that was given ends.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_open = False
        self.has_items = False
        self.end = 0

    def skip(self, line: str, at: int, end: int, holds_item: Callable[[], bool]) -> bool:
        """Return whether a line or a value is given; each is asked for once, in order.

        Args:
            line: The line; of a value, the words before it on its line.
            at: Where it begins.
            end: Where it ends.
            holds_item: Returns whether it holds what could be an item of the answer.
        """
        may_be_label = ":" in line or _IS_HEADING.match(line) is not None
        label = _LABEL.match(line) if may_be_label else None
        if label is not None and is_given_key(label[1]):
            has_colon = label[2] != ""
            is_label = has_colon and holds_item()
            is_heading = has_colon or _IS_HEADING.match(line) is not None
            self.is_open = is_heading and not is_label and not line[label.end() :].strip()
            self.has_items = False
            self.end = end
            return is_label
        if _IS_SENTENCE.match(line) is not None:
            return holds_item()
        if not self.is_open:
            return False
        is_behind_gap = self.has_items and _GAP.search(self.text, self.end, at) is not None
        self.is_open = not is_behind_gap and holds_item()
        self.has_items = True
        self.end = end
        return self.is_open
