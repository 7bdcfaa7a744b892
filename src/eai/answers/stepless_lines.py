"""Lines without any step: objects of the step above, items of lists, or unread steps."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eai.answers.cleaning import blanked
from eai.answers.items import SIGNALS, TALKING, LineReading
from eai.answers.keys import heads_objects
from eai.answers.line_begin import LABEL
from eai.answers.plan import (
    ACTION_KEYS,
    ASIDE_KEYS,
    EXPLAINING,
    FILLERS,
    HEADINGS,
    OBJECT_KEYS,
    PARTICLES,
    STATES,
    STATING,
    VERBS,
    WORDS,
    tokens_of,
    words_of,
)
from eai.answers.surfaces import Mention, squeezed
from eai.answers.unclear import DOUBT, is_like_step, leaves_out
from eai.answers.values import plain_key
from eai.text import has_words

_PLURALS = (["plan"], ["steps"], ["actions"])
"""First words of headings without a sign: ``* Plan for the robot``."""
_BULLETS = ("-", "*", "+", "\u2022")
_MAX_WORDS_WITH_OBJECTS = 4
"""Maximum number of words of a line with the objects of the step before it."""
_ENDING = re.compile(
    r"[\W\d]*(?:return|exit|halt)(?: (?:success|true|done|0|ok))?\W*$"
    r"|\W*(?:all )?(?:(?:steps?|actions?|tasks?|plan) )?(?:done|finished"
    r"|completed?|end of (?:the )?(?:plan|task))\b"
    r"|\W*(?:the )?(?:goal|task|plan|objective|final state|target)\b[^.\n]{0,40}?\b(?:achieved"
    r"|reached"
    r"|completed?|satisfied|met|done|finished|accomplished|fulfilled)\b",
    re.IGNORECASE,
)
"""An item that only says that the plan is over: "Done", "The goal is now achieved"."""


def describe_line(text: str, lead: int, mentions: Sequence[Mention], reading: LineReading) -> None:
    """Note what a line without steps looks like, so that the lines around it can decide.

    Args:
        text: The line.
        lead: Where its words begin, behind number, bullet and label.
        mentions: The names in it.
        reading: Receives what the line looks like; it has the number of the line.
    """
    objects = [mention.name for mention in mentions if not mention.is_action]
    label, value = _label_and_value(text)
    # "Object: cup" and "Action Input: cup" complete the step above them.
    has_object_label = label != "" and heads_objects(label)
    is_word_and_object = bool(objects) and _is_word_and_object(text, lead, mentions)
    is_little_else = _is_little_else(text, lead, mentions) and not is_word_and_object
    if objects and (has_object_label or is_little_else):
        reading.completion = objects
    elif has_object_label:
        reading.completion = tokens_of(value)
    reading.leaves_out = leaves_out(text)
    words = words_of(text[lead:])
    bare = text.strip().lstrip("-*+\u2022#0123456789.) ")
    is_heading = _is_heading(text, bare) or (words[:1] in _PLURALS and not objects)
    is_command = bool(objects) and (is_word_and_object or _is_command(text[lead:], words))
    if words and not is_heading and not _says_end(text, lead, bare):
        # "Put the cup on the table so that you can sit" has words that state something.
        may_be_item = is_command or not _is_sentence(text, words)
        is_listed = reading.number is not None or text[:lead].strip().startswith(_BULLETS)
        reading.looks_listed = may_be_item and is_listed
    if is_heading or has_object_label or squeezed(bare) in SIGNALS:
        reading.heads_command = is_command and is_heading and not bare.rstrip("*_ ").endswith(":")
        return
    reading.is_command = is_command
    has_action_label = plain_key(label) in ACTION_KEYS and bool(words)
    reading.is_like_step = has_action_label or any(
        is_like_step(rest, names_object=bool(objects)) for rest in (text[lead:], bare)
    )


def _label_and_value(text: str) -> tuple[str, str]:
    """Return the label of a line, perhaps of a bullet, and the words behind it; "" if none."""
    unlisted = text.strip(" \t-*+\u2022")
    label = LABEL.match(unlisted)
    if label is None:
        return "", ""
    return label[1], unlisted[label.end() :].strip()


def _is_little_else(text: str, lead: int, mentions: Sequence[Mention]) -> bool:
    """Whether a line with names has at most a few other words."""
    words_in_names = sum(mention.name.count("_") for mention in mentions)
    if len(words_of(text)) - words_in_names <= _MAX_WORDS_WITH_OBJECTS:
        return True
    return _has_only_names(text, lead, mentions)


def _is_heading(text: str, bare: str) -> bool:
    """Whether a line is a heading: ``Plan:``, ``**Plan**`` or ``# Plan``."""
    if bare.rstrip("*_` ").endswith(":") or text.rstrip().endswith(("**", "__")):
        return True
    return text.lstrip().startswith("#")


_VERB_AND_OBJECT = re.compile(r"[A-Z][a-z]+(?: [a-z]+)? (?:the|a|an) \S")
_NO_VERBS = FILLERS | STATING | STATES | EXPLAINING | TALKING | HEADINGS | ASIDE_KEYS


def _is_command(text: str, words: Sequence[str]) -> bool:
    """Whether a line begins like a step, "Hoist the cup", and has no word of doubt."""
    if not words or text.rstrip().endswith("?"):
        return False
    # A verb that no list has counts if an article follows it: "Hoist the cup".
    is_like_verb = words[0] not in _NO_VERBS and _VERB_AND_OBJECT.match(text) is not None
    return (words[0] in VERBS or is_like_verb) and DOUBT.search(text) is None


def _is_word_and_object(text: str, lead: int, mentions: Sequence[Mention]) -> bool:
    """Whether a line is one word and objects: "Dust the lamp."; the word may be a verb.

    Args:
        text: The line.
        lead: Where its words begin, behind number, bullet and label.
        mentions: The names in it, at least one.
    """
    if mentions[0].is_action or mentions[0].start < lead:
        return False
    word = _WORD_BEFORE_OBJECT.fullmatch(text, lead, mentions[0].start)
    if word is None or word[1].lower() in _NO_VERBS | _PARTS_OF_STEPS:
        return False
    behind = blanked(text, [(mention.start, mention.end) for mention in mentions])
    return _PARTS_OF_STEPS.issuperset(words_of(behind[mentions[0].end :]))


_WORD_BEFORE_OBJECT = re.compile(
    r"[\s*`_]*([^\W\d_]{3,20})[*`_]*[\s,]+(?:(?:to|the|an?)\s+){0,2}[*`_]*"
)
_PARTS_OF_STEPS = OBJECT_KEYS | ACTION_KEYS | PARTICLES | WORDS["prepositions"]


def _says_end(text: str, lead: int, bare: str) -> bool:
    """Whether a line only says that the plan is over: "Done".

    Args:
        text: The line.
        lead: Where its words begin, behind number, bullet and label.
        bare: The line without any number and bullet.
    """
    return _ENDING.match(bare) is not None or _ENDING.match(text, lead) is not None


def _is_sentence(text: str, words: Sequence[str]) -> bool:
    """Whether a line is a question, or a sentence with a word that states something."""
    if text.rstrip("*_ ").endswith("?"):
        return True
    return text.rstrip().endswith((".", "!")) and not STATING.isdisjoint(words)


def _has_only_names(text: str, lead: int, mentions: Sequence[Mention]) -> bool:
    """Whether a line has no letters and digits outside of names, from an offset on."""
    without_names = blanked(text, [(mention.start, mention.end) for mention in mentions])
    return not has_words(without_names[lead:])
