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
_COMPLETE_KEYS = _WORDS["alone"]
"""Words that say it alone: ``given``."""
_TIMES = _WORDS["when"]
_STATES = _WORDS["what"]
_LITTLE_WORDS = _WORDS["beside"]
"""Words that may stand beside those for the time and the state."""
_LABEL = re.compile(r"[\s>#*_\-+\u2022`]{0,12}([A-Za-z][\w ]{0,40}?)[\s*_`]{0,4}(:[\s*_`]{0,4}|$)")
_IS_HEADING = re.compile(r"\s*(?:#|\*\*|__)")
_IS_SENTENCE = re.compile(
    r"\W*(?:currently|initially|at present|at the (?:start|beginning|moment))\b", re.IGNORECASE
)
_GAP = re.compile(r"\n[ \t\r]*\n")


@lru_cache(maxsize=4096)
def is_given_key(key: str) -> bool:
    """Whether a key, a label or the name of an element heads a state that was given.

    Such a key is one word like ``given``, or has a word for a time and a word for a state, with
    at most little words beside them: ``initial_state``, "current conditions".
    """
    words = frozenset(key_words(key))
    if len(words) == 1 and words <= _COMPLETE_KEYS:
        return True
    has_time = not words.isdisjoint(_TIMES)
    has_state = not words.isdisjoint(_STATES)
    return has_time and has_state and words <= _TIMES | _STATES | _LITTLE_WORDS


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
        """Begin before the first line of the text, below no heading."""
        self.text = text
        self.is_open = False
        self.has_items = False
        self.end = 0

    def should_skip(self, line: str, offset: int, end: int, holds_item: Callable[[], bool]) -> bool:
        """Return whether a line or a value only repeats the given state.

        It has to be called once for each line and value, in the order of the text.

        Args:
            line: The line; of a value, the words before it on its line.
            offset: Offset at which the line or the value begins.
            end: Offset at which it ends.
            holds_item: Returns whether it holds what could be an item of the answer.
        """
        may_be_label = ":" in line or _IS_HEADING.match(line) is not None
        label = _LABEL.match(line) if may_be_label else None
        if label is not None and is_given_key(label[1]):
            return self._read_label(label, end, holds_item)
        if _IS_SENTENCE.match(line) is not None:
            return holds_item()
        return self.is_open and self._is_below_heading(offset, end, holds_item)

    def _read_label(self, label: re.Match[str], end: int, holds_item: Callable[[], bool]) -> bool:
        """Return whether a given state stands behind its label, on the same line.

        If nothing does, the label is a heading: it speaks of the lines below it.
        """
        line = label.string
        has_colon = label[2] != ""
        self.has_items = False
        self.end = end
        if has_colon and holds_item():
            self.is_open = False
            return True
        is_heading = has_colon or _IS_HEADING.match(line) is not None
        self.is_open = is_heading and not line[label.end() :].strip()
        return False

    def _is_below_heading(self, offset: int, end: int, holds_item: Callable[[], bool]) -> bool:
        """Return whether the last heading speaks of a line; if not, it speaks of no more lines."""
        is_behind_gap = self.has_items and _GAP.search(self.text, self.end, offset) is not None
        self.is_open = not is_behind_gap and holds_item()
        self.has_items = True
        self.end = end
        return self.is_open
