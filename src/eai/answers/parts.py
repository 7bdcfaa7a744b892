"""Headings of the parts of one answer: ``## Phase 2`` goes on where ``## Phase 1`` ends.

Models number the steps of each part anew, so that numbers alone cannot tell a part from another
try.
"""

from __future__ import annotations

import re

from eai.answers.choice import begins_new_try, is_final, is_rejected, was_proposed_before
from eai.answers.decisions import names_option
from eai.answers.number_words import NUMBER_WORDS, index_by_word
from eai.text import lazy_pattern

_PART = lazy_pattern(
    r"\W*(?:phase|part|stage|section|chapter|subtask|sub-task|sub-goal|subgoal|milestone|segment|leg"
    r"|state)"
    r"\s*#?(\d{1,3}|[ivx]{1,4}\b|one|two|three|four|five|six|[a-f]\b)"
    r"|\W*(first|second|third|fourth|fifth)\s+(?:phase|part|stage|section|subtask|half)\b",
    re.IGNORECASE,
)
_NUMBERS = NUMBER_WORDS | index_by_word("i ii iii iv v vi") | index_by_word("a b c d e f")
_LABEL = lazy_pattern(r"[^:]{1,60}:\W*$")
_SAYS_WHAT = lazy_pattern(
    r"\b(?:plan|steps?|actions?|sequence|commands?|list|summary|recap|overview|output|response"
    r"|breakdown|outline|checklist|instructions?|subgoals?|subtasks?|goals?|strategy|details?"
    r"|detailed|verification|check|notes?|assumptions?|state|objects?|json|python|code|format"
    r"|explanation|reasoning|thoughts?|analysis)\b",
    re.IGNORECASE,
)
"""Words of headings that say what kind of thing stands below."""


def number_of_part(heading: str) -> int:
    """Return the number of the part that a heading names; 0 if it names none."""
    part = _PART.match(heading)
    if part is None:
        return 0
    number_text = (part[1] or part[2]).lower()
    return int(number_text) if number_text.isdigit() else _NUMBERS.get(number_text, 0)


def are_parts(above: str, below: str) -> bool:
    """Whether two headings are those of parts of a plan that follow each other.

    They are if the number of the second is the next one. Without numbers they are if both are
    written alike and neither says what kind of thing stands below it, such as "**In the kitchen**"
    and "**In the hall**".
    """
    number_above, number_below = number_of_part(above), number_of_part(below)
    if number_above and number_below:
        return number_below == number_above + 1
    # One speaker, "Planner:", twice says two plans.
    if above.strip() == below.strip() or _names_content(above) or _names_content(below):
        return False
    return _rank_of(above) == _rank_of(below) != ""


def _rank_of(heading: str) -> str:
    """Return the marks with which a heading is written, ``##``, ``**``, ``:``; empty if none."""
    stripped_heading = heading.strip()
    hashes = len(stripped_heading) - len(stripped_heading.lstrip("#"))
    if hashes:
        return "#" * hashes
    if stripped_heading.startswith("**") and stripped_heading.rstrip(": ").endswith("**"):
        return "**"
    return ":" if _LABEL.match(stripped_heading) else ""


def _names_content(heading: str) -> bool:
    """Whether a heading says what kind of thing stands below it, or names one of several lists."""
    is_framing = is_final(heading) or is_rejected(heading) or begins_new_try(heading)
    is_of_plan = names_option(heading) or was_proposed_before(heading)
    return is_framing or is_of_plan or _SAYS_WHAT.search(heading) is not None
