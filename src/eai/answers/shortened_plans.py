"""Sentences that end a plan before its last step: "I only do the first two steps, then I stop."."""

from __future__ import annotations

import re

from eai.answers.number_words import NUMBER_WORDS

_NUMBER = rf"(?P<number>{'|'.join(NUMBER_WORDS)}|\d{{1,4}})(?:st|nd|rd|th)?"
_STEPS = r"(?:steps?|actions?|moves?|commands?|instructions?|items?|lines?)"
_DO = r"(?:do|execute|perform|run|take|carry out|follow|obey|complete)"
_DONE = r"(?:done|executed|performed|run|taken|carried out|followed|obeyed|completed)"
_ONLY = r"(?:only|just|nothing but|no more than)"
_END_OF_PLAN = rf"(?:the )?(?:first|last)(?: {_NUMBER})? {_STEPS}\b"
_STOP = (
    r"(?:(?:stop|halt|quit|end|finish)(?:e?s)?|(?:is|are) (?:over|done|complete|finished))"
    r" (?:right )?(?:after|behind|once|when|as soon as)"
)
_NO_CONDITION = r"(?![^.\n]{0,40}\b(?:if|when|unless|once|in case)\b)"
_SHORTENING = [
    re.compile(pattern + _NO_CONDITION, re.IGNORECASE)
    for pattern in (
        # "I will only do the first two steps", "execute just the last one"
        rf"\b(?:{_ONLY} {_DO}|{_DO} {_ONLY}) {_END_OF_PLAN}",
        rf"\bonly {_END_OF_PLAN} (?:will|shall|should|must|may|is to|are to|is|are)"
        rf" (?:be )?{_DONE}\b",
        # "and stop after step 3", "we halt behind the third step"
        rf"\b{_STOP} {_STEPS} #?{_NUMBER}\b",
        rf"\b{_STOP} (?:the )?{_NUMBER} {_STEPS}\b",
    )
]


def steps_kept(text: str) -> int | None:
    """Return the number of steps after which a plan is to stop; None if a text names none.

    Args:
        text: The words around the plan, such as "I will only do the first two steps".
    """
    for pattern in _SHORTENING:
        shortening = pattern.search(text)
        if shortening is not None:
            number = shortening["number"] or "one"
            return int(number) if number.isdigit() else NUMBER_WORDS[number.lower()]
    return None
