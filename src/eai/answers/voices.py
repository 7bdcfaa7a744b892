"""Sentences in the passive voice as sentences in the active voice: "the door is opened".

A sentence such as "the door is opened" may tell a step or describe a state. So it is read as a step
only where an answer tells a whole plan with such sentences, see :mod:`eai.answers.reading`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from eai.answers.sentences import third_person
from eai.answers.surfaces import Surfaces
from eai.text import line_start

_PASSIVE = re.compile(
    r"\s(?:is|are|was|were|gets?|got|(?:will|must|should|shall|is to|are to) be"
    r"|(?:has|have|had) been)\s"
    r"(?:(?:then|next|now|also|finally|first|afterwards)\s)?(?P<participle>[^\W\d_]+)\b",
    re.IGNORECASE,
)
"""The words behind an object that say that something is done to it: "is then opened"."""
_PRONOUN = re.compile(r"\b(?:it|they)\b", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:the|an?)\s$", re.IGNORECASE)
_AGENT = re.compile(r"\s+by (?:the )?(?:robot|agent|me|us|you)\b", re.IGNORECASE)
_NO_STEP = re.compile(
    r"\b(?:if|when|whenever|once|until|unless|whether|that|because|since|as|while|after|before"
    r"|goal|state|result|not|never|only|make sure|ensure|check)\b[^.;:\n]*$",
    re.IGNORECASE,
)
"""Words before a sentence in the passive that make it a condition, a reason or a state."""
_MAX_BEFORE = 200
"""Number of characters before a subject in which such words are looked for."""
_SECOND_VERB = re.compile(
    r"[^.;:\n]{0,200}?(?:,|\band|\bthen)\s+(?P<participle>[^\W\d_]+)\b(?!\s+the\b)"
)
"""Words behind a sentence in the passive: "is opened and emptied"."""


class _Passive(NamedTuple):
    """A subject and its verb in the passive voice.

    Args:
        start: Where the subject begins, with its article.
        end: Where the verb ends.
        subject: The subject without its article.
        verb: The verb; empty if no action of the task has it.
    """

    start: int
    end: int
    subject: str
    verb: str


def may_be_passive(text: str) -> bool:
    """Whether a text may have a sentence in the passive voice."""
    return _PASSIVE.search(text) is not None


def in_active_voice(text: str, surfaces: Surfaces, *, is_inflected: bool = False) -> str:
    """Return a text of the same length in which passive sentences are in the active voice.

    If one of them has a verb that the task does not have, or two verbs, none is changed.

    Args:
        text: The text.
        surfaces: The names of the task.
        is_inflected: Whether the verbs say who does it, "opens the door", or give an order.
    """
    text_parts: list[str] = []
    last_end = 0
    for passive in _find_passives(text, surfaces):
        if passive.start < last_end:
            continue
        second_verb = _SECOND_VERB.match(text, passive.end)
        has_second = second_verb is not None and surfaces.sentences.verb_of_participle(
            second_verb["participle"]
        )
        if not passive.verb or has_second:
            return text
        verb = third_person(passive.verb) if is_inflected else passive.verb
        words = f"{verb} {passive.subject}".ljust(passive.end - passive.start)
        text_parts += [text[last_end : passive.start], words]
        last_end = passive.end
    active_text = "".join([*text_parts, text[last_end:]])
    return _AGENT.sub(lambda agent: " " * len(agent[0]), active_text) if text_parts else text


def _find_passives(text: str, surfaces: Surfaces) -> Iterator[_Passive]:
    """Yield the sentences of a text in the passive voice with an object as subject."""
    subjects = [(pronoun.start(), pronoun.end()) for pronoun in _PRONOUN.finditer(text)]
    for mention in surfaces.find_mentions(text):
        if not mention.is_action:
            subjects.append((mention.start, mention.end))
    for start, end in sorted(subjects):
        passive = _PASSIVE.match(text, end)
        line_begin = line_start(text, start)
        search_start = max(line_begin, start - _MAX_BEFORE)
        if passive is None or _NO_STEP.search(text, search_start, start):
            continue
        article = _ARTICLE.search(text, search_start, start)
        subject_start = start if article is None else article.start()
        verb = surfaces.sentences.verb_of_participle(passive["participle"])
        yield _Passive(subject_start, passive.end(), text[start:end], verb)
