"""Subgoals in sentences, for answers in which no list of them is found.

In "First ON(lamp) has to hold. Then OPEN(door) has to hold." each sentence has one subgoal,
and says where it stands in the order. Subgoals are read only if each sentence with a literal
does, and no word denies, doubts or tells a state that is so already.
"""

from __future__ import annotations

import re

from eai.abilities.subgoals.items import Item, SubgoalGrammar
from eai.answers import Document, is_rejected
from eai.answers.unclear import DOUBT

_MAX_TEXT = 20_000
"""Maximum number of characters of an answer whose sentences are looked at."""
_SENTENCE_END = re.compile(r"(?<=[.!;])\s+|\n+|,?\s+(?:and\s)?(?=then\b)|,\s+(?=followed by\b)")
_ONLY_NUMBER = re.compile(r"[\s\d.):*#-]*")
_ORDER = re.compile(
    r"\b(?:first|second|third|then|next|after(?:wards?| that| this)?|finally|lastly?|followed by"
    r"|in the end|sequence|order)\b|^\W*\d{1,3}[.):]",
    re.IGNORECASE,
)
"""Words and numbers that say where a subgoal stands in the order."""
_TALKS = re.compile(
    r"\b(?:goal is|initial(?:ly)?|current(?:ly)?|at the (?:start|beginning)|now holds|only if"
    r"|no longer|example)\b",
    re.IGNORECASE,
)
"""Words of a sentence about a state that is so, or about the goal itself."""
_CONCLUDING = re.compile(r"\b(?:therefore|thus|hence|so|consequently)\W*\Z", re.IGNORECASE)
"""The end of the words before a subgoal that follows from them."""


def find_told_subgoals(document: Document, grammar: SubgoalGrammar) -> list[Item]:
    """Return the subgoals that sentences of an answer tell in order; none if one is in doubt.

    Args:
        document: The answer.
        grammar: Reads the literals.
    """
    if grammar.is_free or len(document.text) > _MAX_TEXT:
        return []
    items: list[Item] = []
    for block in document.blocks:
        if block.value is not None or block.is_struck or block.fence is not None:
            return []
        for begin, sentence in _sentences_of(block.text):
            if "(" not in sentence:
                if is_rejected(sentence):
                    return []
                continue
            told = _subgoals_of_sentence(sentence, block.at + begin, grammar)
            if not told:
                return []
            items += told
    return items if len(items) > 1 else []


def _sentences_of(text: str) -> list[tuple[int, str]]:
    """Return the sentences of a line, and its parts before "then", each with its offset."""
    sentences: list[tuple[int, str]] = []
    begin = 0
    for sentence_end in (*_SENTENCE_END.finditer(text), None):
        end = len(text) if sentence_end is None else sentence_end.start()
        sentence = text[begin:end]
        if _ONLY_NUMBER.fullmatch(sentence):
            continue  # the number of an item stays with its first sentence
        sentences.append((begin, sentence))
        begin = end if sentence_end is None else sentence_end.end()
    return sentences


def _subgoals_of_sentence(sentence: str, offset: int, grammar: SubgoalGrammar) -> list[Item]:
    """Return the subgoal that a sentence tells; none if it is not sure that it is one.

    Args:
        sentence: The sentence.
        offset: Its offset in the answer.
        grammar: Reads the literals.
    """
    runs = list(grammar.literal_runs(sentence))
    if len(runs) != 1:
        return []
    begin, end = runs[0]
    before = sentence[:begin]
    behind = sentence[end:]
    if _ORDER.search(sentence) is None or "(" in before + behind:
        return []
    if _CONCLUDING.search(before) is not None:
        before = ""  # "nothing else is needed, therefore: ON(lamp)"
    around = f"{before} {behind}"
    if DOUBT.search(around) or _TALKS.search(around) or is_rejected(around):
        return []
    items = grammar.read_line(sentence[begin:end], offset + begin)
    return items if len(items) == 1 and items[0].is_known else []
