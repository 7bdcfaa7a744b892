"""Lines without any step: objects of the step above, items of lists, or unread steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from eai.answers.cleaning import blank_out
from eai.answers.conditions import begins_with_condition
from eai.answers.items import SIGNALS, TALKING, LineReading
from eai.answers.keys import heads_objects
from eai.answers.line_begin import IN_STATE, LABEL
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
from eai.answers.unclear import DOUBT, INSTEAD_OF, is_like_step, leaves_out
from eai.answers.values import plain_key
from eai.text import has_words, lazy_pattern

_PLURALS = (["plan"], ["steps"], ["actions"])
"""First words of headings without a sign: ``* Plan for the robot``."""
_BULLETS = ("-", "*", "+", "\u2022")
BEGINS_WITH_OTHER = lazy_pattern(
    rf"[\W\d]*{INSTEAD_OF}\b(?:[^,]*,\s(?P<told>(?:i|we|you|it|the (?:robot|agent))\b))?",
    re.IGNORECASE,
)
"""The begin of a line that names first what is not done, and who does something else."""
_MAX_WORDS_WITH_OBJECTS = 4
"""Maximum number of words of a line with the objects of the step before it."""
_ENDING = re.compile(
    r"[\W\d]*(?:return|exit|halt)(?: (?:success|true|done|0|ok))?\W*$"
    r"|\W*(?:the (?:robot|agent) )?return(?:s|ing)? to (?:the |its |an? )?"
    r"(?:idle|initial|start\w*|rest\w*|home)(?: state| position)?\W*$"
    r"|\W*(?:all )?(?:(?:steps?|actions?|tasks?|plan) )?(?:done|finished"
    r"|completed?|end of (?:the )?(?:plan|task))\b"
    r"|\W*(?:the )?(?:goal|task|plan|objective|final state|target)\b[^.\n]{0,40}?\b(?:achieved"
    r"|reached"
    r"|completed?|satisfied|met|done|finished|accomplished|fulfilled)\b",
    re.IGNORECASE,
)
"""An item that only says that the plan is over: "Done", "The goal is now achieved"."""


def says_end(text: str) -> bool:
    """Whether a text only says that the plan is over: "Done", "Returns to the idle state"."""
    return _ENDING.match(text) is not None


def describe_line(
    text: str, words_start: int, mentions: Sequence[Mention], reading: LineReading
) -> None:
    """Note what a line without steps looks like, so that the lines around it can decide.

    Args:
        text: The line.
        words_start: Where its words begin, behind number, bullet and label.
        mentions: The names in it.
        reading: Receives what the line looks like; it has the number of the line.
    """
    line = _Line(text, words_start, mentions)
    reading.completion = line.completing_objects
    reading.label = line.label
    reading.leaves_out = leaves_out(text)
    is_listed = reading.number is not None or text[:words_start].strip().startswith(_BULLETS)
    if _describe_condition(line, reading, is_listed=is_listed):
        return
    reading.looks_listed = is_listed and line.may_be_item
    if line.is_heading or line.has_object_label or squeezed(line.bare) in SIGNALS:
        ends_with_colon = line.bare.rstrip("*_ ").endswith(":")
        reading.heads_command = line.is_heading and line.is_command and not ends_with_colon
        return
    reading.is_command = line.is_command
    reading.is_like_step = line.is_like_step


def _describe_condition(line: _Line, reading: LineReading, *, is_listed: bool) -> bool:
    """Note that the step of a line is only taken in some case; return False if it is not so.

    Args:
        line: The line.
        reading: Receives what it looks like.
        is_listed: Whether it has a number or a bullet.
    """
    condition = begins_with_condition(line.text)
    if condition is None or not (line.names_step or (condition["waiting"] and is_listed)):
        return False
    reading.is_negated = False
    reading.is_like_step = True
    reading.looks_listed = is_listed
    # What is done otherwise belongs to the line above it, and so does an item below a step.
    is_below = is_listed and line.text[:1].isspace()
    reading.leaves_out = reading.leaves_out or is_below or condition["other"] is not None
    return True


class _Line:
    """A line without steps.

    Args:
        text: The line.
        words_start: Where its words begin, behind number, bullet and label.
        mentions: The names in it.

    Attributes:
        bare: The line without any number and bullet.
        words: Its words.
        objects: The objects that it names.
        has_object_label: Whether its label says that objects follow: ``Object:``.
        is_word_and_object: Whether it is one word, perhaps a verb, and objects.
    """

    def __init__(self, text: str, words_start: int, mentions: Sequence[Mention]) -> None:
        """Split the line into its label, its words and the objects that it names."""
        self.text = text
        self.words_start = words_start
        self.mentions = mentions
        self.bare = text.strip().lstrip("-*+\u2022#0123456789.) ")
        self.words = words_of(text[words_start:])
        self.objects = [mention.name for mention in mentions if not mention.is_action]
        self.label, self.value = _label_and_value(text)
        self.has_object_label = self.label != "" and heads_objects(self.label)
        has_objects = bool(self.objects)
        self.is_word_and_object = has_objects and _is_word_and_object(text, words_start, mentions)

    @property
    def completing_objects(self) -> list[str]:
        """The objects that complete the step above: "Object: cup", "Action Input: cup"."""
        if self.has_object_label:
            return self.objects or tokens_of(self.value)
        # "turn_on_light" is a name of its own, not the light.
        if any(self.text[mention.start - 1 : mention.start] == "_" for mention in self.mentions):
            return []
        words_in_names = sum(mention.name.count("_") for mention in self.mentions)
        is_short = len(words_of(self.text)) - words_in_names <= _MAX_WORDS_WITH_OBJECTS
        is_completion = not self.is_word_and_object and (is_short or self.has_only_names)
        return self.objects if is_completion else []

    @property
    def has_only_names(self) -> bool:
        """Whether it has no letters and digits outside of names, behind its begin."""
        spans = [(mention.start, mention.end) for mention in self.mentions]
        return not has_words(blank_out(self.text, spans)[self.words_start :])

    @property
    def names_step(self) -> bool:
        """Whether it names an object and an action, not only a state: "now that it is open"."""
        actions = [mention.start for mention in self.mentions if mention.is_action]
        return bool(self.objects) and not all(
            IN_STATE.search(self.text[:start]) for start in actions
        )

    @cached_property
    def is_heading(self) -> bool:
        """Whether it is a heading: ``Plan:``, ``**Plan**``, ``# Plan``, or by its first word."""
        if self.words[:1] in _PLURALS and not self.objects:
            return True
        if self.bare.rstrip("*_` ").endswith(":") or self.text.rstrip().endswith(("**", "__")):
            return True
        return self.text.lstrip().startswith("#")

    @cached_property
    def is_command(self) -> bool:
        """Whether it begins with a verb, or a word that may be one, and names an object."""
        if not self.objects:
            return False
        return self.is_word_and_object or _is_command(self.text[self.words_start :], self.words)

    @property
    def may_be_item(self) -> bool:
        """Whether it is an item of a list, if it stands in one."""
        if not self.words or self.is_heading:
            return False
        if says_end(self.bare) or says_end(self.text[self.words_start :]):
            return False
        if self.is_command:
            return True  # "Put the cup on the table so that you can sit" states something, too
        is_question = self.text.rstrip("*_ ").endswith("?")
        is_sentence = self.text.rstrip().endswith((".", "!"))
        return not is_question and not (is_sentence and not STATING.isdisjoint(self.words))

    @property
    def is_like_step(self) -> bool:
        """Whether it looks like a step, not like a sentence."""
        if plain_key(self.label) in ACTION_KEYS and self.words:
            return True
        other = BEGINS_WITH_OTHER.match(self.text)
        if self.mentions and other is not None and other["told"] is None:
            return True  # "Rather than open the door, do nothing."
        rests = (self.text[self.words_start :], self.bare)
        return any(is_like_step(rest, names_object=bool(self.objects)) for rest in rests)


def _label_and_value(text: str) -> tuple[str, str]:
    """Return the label of a line, perhaps of a bullet, and the words behind it; "" if none."""
    unlisted = text.strip(" \t-*+\u2022")
    label = LABEL.match(unlisted)
    if label is None:
        return "", ""
    return label[1], unlisted[label.end() :].strip()


_VERB_AND_OBJECT = re.compile(r"[A-Z][a-z]+(?: [a-z]+)? (?:the|a|an) \S")
_NO_VERBS = FILLERS | STATING | STATES | EXPLAINING | TALKING | HEADINGS | ASIDE_KEYS


def _is_command(text: str, words: Sequence[str]) -> bool:
    """Whether a line begins like a step, "Hoist the cup", and has no word of doubt."""
    if not words or text.rstrip().endswith("?"):
        return False
    # A verb that no list has counts if an article follows it: "Hoist the cup".
    is_like_verb = words[0] not in _NO_VERBS and _VERB_AND_OBJECT.match(text) is not None
    return (words[0] in VERBS or is_like_verb) and DOUBT.search(text) is None


def _is_word_and_object(text: str, words_start: int, mentions: Sequence[Mention]) -> bool:
    """Whether a line is one word and objects: "Dust the lamp."; the word may be a verb.

    Args:
        text: The line.
        words_start: Where its words begin, behind number, bullet and label.
        mentions: The names in it, at least one.
    """
    if mentions[0].is_action or mentions[0].start < words_start:
        return False
    word = _WORD_BEFORE_OBJECT.fullmatch(text, words_start, mentions[0].start)
    if word is None or word[1].lower() in _NO_VERBS | _PARTS_OF_STEPS:
        return False
    text_without_names = blank_out(text, [(mention.start, mention.end) for mention in mentions])
    return _PARTS_OF_STEPS.issuperset(words_of(text_without_names[mentions[0].end :]))


_WORD_BEFORE_OBJECT = re.compile(
    r"[\s*`_]*([^\W\d_]{3,20})[*`_]*[\s,]+(?:(?:to|the|an?)\s+){0,2}[*`_]*"
)
_PARTS_OF_STEPS = OBJECT_KEYS | ACTION_KEYS | PARTICLES | WORDS["prepositions"]
