"""Sayings with the verb of an action that do not tell to take it: "run through the steps".

An idiom is a verb with the words behind it, "watch out", or with a noun for something that is no
object, "drop a hint". If an object of the task stands behind it in its clause, "look into the
fridge", it is a step all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from eai.answers.number_words import NUMBER_WORDS
from eai.answers.plan import FILLERS, PARTICLES, WORDS, answer_words

_CLAUSE_END = re.compile(r"[.,;:!?\n(]")
_BETWEEN = FILLERS | PARTICLES | WORDS["prepositions"] | frozenset(NUMBER_WORDS)
_MORE_BETWEEN = (
    "another best big both but every few following friendly her his important just last little"
    " middle much new once one only other our quick rest same short some step's their these they"
    " thinking this those through two whole"
)
"""Words between a verb and the noun that makes it an idiom, beside articles and prepositions."""


@cache
def _idiom_behind_verb() -> re.Pattern[str]:
    """Return the pattern of what makes the verb before it an idiom: a noun that is no object."""
    between = "|".join(sorted(_BETWEEN | frozenset(_MORE_BETWEEN.split())))
    nouns = "|".join(answer_words("idioms")["nouns"].split())
    return re.compile(
        rf"(?:[ \t]+(?:{between})){{0,8}}[ \t]+(?:{nouns})\b(?![_.]\w)", re.IGNORECASE
    )


@cache
def _idiom_with_verb() -> re.Pattern[str]:
    """Return the pattern of verbs, in any form, with words that make them idioms: "watch out"."""
    forms: list[str] = []
    for phrase in answer_words("idioms")["phrases"].split(","):
        verb, *words = phrase.split()
        # walk, walks, walked, walking; moving, running, putting
        verb_form = rf"{verb.removesuffix('e')}(?:{verb[-1]}?(?:ed|ing)|e?s|e)?"
        forms.append(r"[ \t-]+".join([verb_form, *words]))
    return re.compile(rf"(?:{'|'.join(forms)})(?!\w)", re.IGNORECASE)


def is_idiom(text: str, start: int, end: int, object_starts: Sequence[int]) -> bool:
    """Whether an action that a line names is only part of an idiom.

    Args:
        text: The line.
        start: Where the name of the action begins.
        end: Where it ends.
        object_starts: Where the objects begin that the line names.
    """
    if text[end : end + 1] not in (" ", "\t", "-"):
        return False
    with_noun = _idiom_behind_verb().match(text, end)
    idiom = with_noun or _idiom_with_verb().match(text, start)
    if idiom is None:
        return False
    clause_end = _CLAUSE_END.search(text, idiom.end())
    stop = len(text) if clause_end is None else clause_end.start()
    # The noun itself may be an object of the task; other objects stand behind the idiom.
    begin = end if with_noun is not None else idiom.end()
    return not any(begin <= object_start < stop for object_start in object_starts)
