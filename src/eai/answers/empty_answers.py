"""Answers that say in so many words that nothing has to be done: ``Final answer: []``."""

# ruff: noqa: RUF001 - words of other languages have letters that look like Latin ones

from __future__ import annotations

import re
from collections.abc import Sequence

from eai.answers.keys import is_heading_key
from eai.answers.languages import LANGUAGES
from eai.answers.plan import WORDS
from eai.answers.values import Pair, is_list, key_words, plain_key

_MAX_BEHIND = 1_000
"""Number of characters behind all lists in which an empty answer is looked for, from the end."""

_ANSWER = "|".join(words.labels for words in LANGUAGES.values())
_REST = (
    r"(?:the )?remaining(?: steps?| actions?)?|what (?:remains|is left)(?: to (?:do|be done))?"
    r"|(?:still|left) to do|(?:further|next) steps?"
)
"""Labels of the steps that are left to do, behind those that were done already."""
_NOTHING = "|".join([r"\[\s*\]|\{\s*\}|∅", *(words.nothing for words in LANGUAGES.values())])
_NOTHING = f"(?:{_NOTHING})"
_SAYS_NOTHING = re.compile(_NOTHING)
"""Words of which every answer that is empty has one, in small letters."""
_IS = r"\s*(?:[:：=]\s*|\b(?:is|ist|est|es|è|é)[\s:]+|[是は]\s*)"
_MARK = r"[\s>#*_`\-]*"
_FENCE = r"(?:```\w*\s*)?"


def _pattern_of_labels(labels: str) -> str:
    """Return the pattern of a line with one of several labels and nothing behind it."""
    return rf"^{_MARK}(?:{labels}){_MARK}{_IS}{_MARK}{_FENCE}{_NOTHING}[\s.!。*_`]*$"


_SAID = r"\b(?:answer|plan|solution) (?:is|should be) (?:the |an )?empty(?: plan| list)?\b"
_KEYED = (
    r"\{\s*[\"'](?:final_?)?(?:plan|answer|solution|actions|steps)[\"']\s*:\s*(?:\[\s*\]|null)\s*\}"
)
_TAGGED = r"<(answer|plan|final_answer)>\s*\[\s*\]\s*</\1>"
_IS_EMPTY = re.compile(
    f"{_pattern_of_labels(_ANSWER)}|{_KEYED}|{_TAGGED}|{_SAID}", re.IGNORECASE | re.MULTILINE
)
_NOTHING_LEFT = re.compile(
    rf"{_pattern_of_labels(_REST)}"
    r"|\bnothing (?:remains|is left|more|else|needs|has)\b(?: (?:is|to))?(?: (?:be done|do))?",
    re.IGNORECASE | re.MULTILINE,
)


def says_empty(behind: str, *, are_done: bool) -> bool:
    """Whether the text behind all lists of an answer says that the answer is empty.

    Args:
        behind: The text behind the lists.
        are_done: Whether none of the lists is meant. Then "Remaining steps: none" is the answer;
            behind a list that is meant it only says that the list is complete.
    """
    text = behind[-_MAX_BEHIND:].rstrip()
    if _SAYS_NOTHING.search(text.lower()) is None:
        return False
    if _IS_EMPTY.search(text) is not None:
        return True
    return are_done and _NOTHING_LEFT.search(text) is not None


_ANSWER_KEYS = WORDS["answer_keys"]
_NOT_TO_DO = WORDS["not_to_do"]
"""Words in the keys of lists that are no plan: ``already_executed``, ``available_actions``."""


def is_explicitly_empty(pairs: Sequence[Pair]) -> bool:
    """Whether an object holds an empty plan beside lists of what can be, or was, done.

    ``{"available_actions": ["open", ...], "plan": []}`` is an empty plan.
    """
    has_empty_answer = False
    has_other_list = False
    for pair in pairs:
        if not is_list(pair.value) or pair.value.cut:
            continue
        key = pair.key.value
        if not pair.value.items:
            has_empty_answer |= plain_key(key) in _ANSWER_KEYS
        elif not _NOT_TO_DO.isdisjoint(key_words(key)):
            has_other_list = True
        elif is_heading_key(key):
            return False
    return has_empty_answer and has_other_list
