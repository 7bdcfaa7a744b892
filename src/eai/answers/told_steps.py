"""Sentences that tell a step with a verb that the task does not have: "I fiddle with the lamp"."""

from __future__ import annotations

import re

from eai.answers.plan import FILLERS, STATING, WORDS
from eai.answers.sentences import sentence_end
from eai.answers.surfaces import Surfaces

_SUBJECT_AND_VERB = re.compile(
    r"""
    (?:^|[.!?;,:]\s{1,4}|\b(?:and|then)\s)\s{0,8}
    (?:[\w ]{1,30},\s)?(?:(?:and|then|now|next|first|finally)\s)*
    (?:i|we|you|(?:the[ ])?(?:robot|agent))\s
    (?:(?:will|should|must|can|also|then|now|first|next|just|(?:needs?|has|have|going)[ ]to)\s
      |[a-z]{2,12}ly\s)*
    (?P<verb>[a-z]{2,20})\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The begin of a clause that says who acts, up to its verb."""
_STATIVE = STATING | FILLERS | WORDS["stative"]
"""Verbs behind which no step is told: "I see the lamp"."""


def told_clause(text: str, begin: int, stop: int, surfaces: Surfaces) -> str:
    """Return the first clause that tells a step with an unknown verb and an object; or "".

    Args:
        text: A line.
        begin: Where the clause may begin.
        stop: Where it must end.
        surfaces: The names of the task.
    """
    for told in _SUBJECT_AND_VERB.finditer(text, begin, stop):
        verb = told["verb"].lower()
        if verb in _STATIVE or surfaces.sentences.has_verb(verb):
            continue
        clause = text[told.start("verb") : min(sentence_end(text, told.end()), stop)]
        names = surfaces.mentions(clause)
        if names and not names[0].is_action:
            return clause.strip()
    return ""
