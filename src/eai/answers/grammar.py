"""The second stage of reading, for plans: the steps in a line or in a value.

A step is an action of the task with the objects behind it. The vocabulary decides what belongs to
it, so that ``1. WALK kitchen - so that I am there``, ``{"do": "walk", "where": "kitchen"}``,
``walk(to=kitchen)`` and a row of a table are the same step. A name that the task does not have is
part of a step only where its form leaves no doubt: in a call, a script, or beside steps of the same
form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from eai.answers.choice import is_rejected
from eai.answers.items import (
    CODE_WORDS,
    LONGEST_LINE,
    SIGNALS,
    TALKING,
    LineReading,
    Step,
    ValueReading,
)
from eai.answers.keys import heads_objects
from eai.answers.languages import CONJUNCTIONS, CONNECTIVES
from eai.answers.line_begin import LABEL, ORDINALS, begin_of
from eai.answers.object_grammar import CALL, ObjectGrammar, closing_bracket
from eai.answers.phrases import InWords
from eai.answers.plan import (
    ACTION_KEYS,
    HEADINGS,
    PARTICLES,
    STATING,
    WORDS,
    shorten,
    tokens_of,
    words_of,
)
from eai.answers.sentences import PRONOUN, sentence_end
from eai.answers.surfaces import Mention, Surfaces, squeezed
from eai.answers.taken_out import TAKEN_OUT
from eai.answers.unclear import has_number, is_like_step, leaves_out
from eai.answers.unknown_steps import UnknownSteps
from eai.answers.value_steps import CollectedSteps, plan_in_thoughts
from eai.answers.values import Group, Text, plain_key

LONGEST_ROW = 20_000
"""Maximum number of characters of a line that is a row of calls."""
_CODE = re.compile(
    r"(?:[\w, ]{1,60}=\s*)?(?:(?:await|yield"
    r"|return|new)\s+)?(?:[A-Za-z_]\w*\s*[.=(+]+\s*)+(?:\d{1,4}\s*,\s*)?[\[({\"']*\s*"
)
_JOINED_CALLS = re.compile(r"\)*\s*(?:and|&&)\s+\(*(?:await\s+)?")
_OPENING = re.compile(r"[\[({<\"'*`_]*")
_SURE_COMMENT = re.compile(r"\s*#\s+[-*]\s|\s{2,}#{1,2}\s")
"""An item of a list in YAML that is commented out, ``#  - OPEN(door)``, or an indented comment."""
_COMMENT = re.compile(r"\s*(?:#|//|--|%|;|/\*|<!--)")
CONNECTING = re.compile(
    rf"(?:[^\w#/]|\d|\b(?:{'|'.join(ORDINALS.split())}|and|afterwards|which|step|action|"
    r"object|target|name|arguments|args|parameters|input|i|you|we|will|should|go|the|robot|also|to"
    rf"|do|it|followed by|s\d{{1,3}})\b|{CONNECTIVES}|{CONJUNCTIONS})*",
    re.IGNORECASE,
)
_HEADING = re.compile(r"\s*(?:#{1,6}\s|(?:\d{1,4}[.)]\s*)?(?:\*\*|__))")
_TIME_BEHIND = re.compile(r",\s?(\d{1,4})\)")
"""The time of a step of a logic program, behind it: ``occurs(walk(hall), 1)``."""
_NEXT_WRAPPER = re.compile(r"[\s,\d).;]*\b(\w+\()")
"""The end of one call around a step, and the begin of the next: ``,1). occurs(``."""
_MAX_REMARK = 5
"""Maximum number of words of a remark behind a step in words."""
_MAX_WORDS_WITH_OBJECTS = 4
"""Maximum number of words of a line with the objects of the step before it."""
_LOOSE = re.compile(
    r"[\s*_,]*(?:results?|leads?|is|are|was|will|would|makes?|achieves?|completes?)\b"
)
_CONDITION = re.compile(r"\b(?:if|unless|in case|suppose|supposing|assuming)\b", re.IGNORECASE)
_EXPLAINED = re.compile(r"[`*_\"')]*(?::|\s[*_]{0,3}[-\u2013\u2014][*_]{0,3}\s)")
"""A sign right behind the step of an item, behind which the step is explained."""
_DASH = re.compile(r"\s[*_]{0,3}[-\u2013\u2014][*_]{0,3}\s")
RESTATES = re.compile(r"[\s*_.]*(?::|->|\u2192|=)[\s*_]*`[\s`*_]*")
_EITHER = re.compile(
    r"[)\w>][\s`*]{0,4}(?:\b(?:and/)?or\b|\s/\s(?:\d{1,4}[.):]\s)?)[\s`*(\[<\"']{0,4}$",
    re.IGNORECASE,
)
_CALL_BEHIND_DASH = re.compile(
    r"\)[`*]{0,3} [-\u2013\u2014] [`*]{0,3}([A-Z][A-Z_]{0,40})\([^()\n]*\)[`*.]{0,4}$"
)
_SURE_CODE = re.compile(
    r"\s*(?:(?:async\s+)?def\s+\w+\s*\(|class\s+\w+\s*[:({]|import\s+[\w.]+|from\s+[\w.]+\s+import\b"
    r"|assert\b|@\w+\s*$|(?:export\s+)?(?:async\s+)?function\s+\w*\s*\(|if\s+__name__"
    r"|(?P<called>(?:asyncio|subprocess|console|logger|logging|time|os|sys|json|print)\b\.?\w*\())"
)
"""Lines of programs that are no step, wherever they stand, unless a step is handed over."""
_CHECK = re.compile(r"\s*(?:if|assert|elif|return)\b\s*\(?\s*(?:not\b|!)?\s*\(?\s*(?=[\w.]+\s*\()")
"""Code before a step whose result a program checks or returns."""
_AROUND_STEP = re.compile(r"\w{0,20}\(\s*[\"'`]\s*\(?|\s?`")
"""Code between the name of a function, or a verb, and the step that is handed to it."""
_CODE_LINE = re.compile(
    r"\s*(?:async\s+)?(?:def|class|for|while|if|elif|else|import|from|return|assert|with|try|except"
    r"|@\w+|raise|pass|print)\b(?!.*\bthen\b)[^.]*[:)]?\s*$"
)
_ATTACHED = re.compile(r"[^\W\d][\w\-]*\(")
_REFUSED = re.compile(
    r"\bis(?: not|n't) (?:allowed|correct|necessary|needed|possible|required|right|valid)\b"
    r"(?:.*?\bso\b[ :,]*(?P<instead>.*))?",
    re.IGNORECASE,
)
"""A step that is taken back, and the one that takes its place."""
_NEXT = re.compile(
    r"(?:;|[,.;]?\s{1,9}(?:and )?then\b|\s(?=\d{1,6}[.)]\s))[\s\d.)*]{0,20}", re.IGNORECASE
)
"""Text between two steps in words."""
_UNKNOWN_CONNECTIVE = re.compile(r"[`*]*[,;]\s+[^\W\d_]+\s+[`*]*")
"""A comma and one word before a call: ``OPEN(door), whereupon CLOSE(door)``."""
_ASIDE = re.compile(r"\([^()]*\)")
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
_MAX_BETWEEN = 120
"""Maximum number of characters between two steps of a sentence."""
DOUBT = re.compile(
    r"\b(?:before|until|unless|if|whether|not|never|without|avoid|skip|instead|rather|cannot"
    r"|(?<!\bi )(?<!\bwe )would|could|might|should have|already|previous(?:ly)?|fails?|failed"
    r"|wrong|incorrect|bad|optional(?:ly)?|(?:no particular|any) order"
    r"|allowed|available|permitted|either|alternative(?:ly)?|or|example|e\.g|suppose|imagine|assum\w+|undo|reverse|backwards?)\b"
    r"|n['\u2019]t\b|\?|<-|\u2190|\s/\s"
    # "not", "never", "before" and "after" in other languages
    r"|\b(?:nicht|nie(?:mals)?|kein\w*|pas|jamais|nunca|jam\u00e1s|n\u00e3o|не|никогда"
    r"|bevor|nachdem|avant|antes|prima (?:di|che)|depois d[aeo]|despu\u00e9s de|перед|прежде)\b"
    r"|[\u4e0d\u522b\u5225]|\u306a\u3044",
    re.IGNORECASE,
)
"""Words beside a step that make it something else than a step to take."""
_REASON_IN_BRACKETS = re.compile(
    r"\(\s*(?:to|so|for|because|in order|after|once|as soon as)\b[^)]*$", re.IGNORECASE
)
"""Words before a verb that gives a reason or a time: "go to the hall (to place the mug)"."""
OPENS_BRACKET = re.compile(r"[\s*_.]*[(\[][\s`*_]*")
"""Signs between a step in words and its call in brackets: ``Walk to the hall (WALK(hall))``."""
_REFERS_BACK = re.compile(r"\b(?:it|this|that|which)\W*$", re.IGNORECASE)
"""Words before a verb that says what a step does: "it opens the fridge"."""
_TAKES_IT = re.compile(
    rf"\w+\s(?:(?:{'|'.join(sorted(PARTICLES))})\s)?(?:it|them)\b", re.IGNORECASE
)
"""A clause whose verb has a pronoun as its object: "take it", "switch on it"."""
_FRAMING_WORDS = HEADINGS | WORDS["framing_words"]
"""Words before a call that make it something else than a step."""
_QUESTION = re.compile(
    r"[\W\d]*(?:should|shall|may|can|could|would|do|does|did|is|are|have|has|must|will)"
    r" (?:i|we|you|the|it|he|she|they|this|that)\b",
    re.IGNORECASE,
)
_NEGATIONS = WORDS["negations"]


class _Gap(NamedTuple):
    """Where a line says something between two steps, or behind the last one.

    Args:
        start: The end of the step before.
        stop: The begin of the next action, or the end of the line.
        is_numbered: Whether the line has a number; then what follows a step's sentence explains it.
    """

    start: int
    stop: int
    is_numbered: bool


class StepGrammar(ObjectGrammar):
    """Reads steps of one task.

    Args:
        surfaces: The names of the task; None if any name may be that of an action.
        nested: Reads the steps of a text in a string; None if there are none.
        in_words: Reads a step in words, where a task says what its actions are called.
    """

    longest_line = LONGEST_LINE

    def __init__(
        self,
        surfaces: Surfaces | None,
        nested: Callable[[Text], list[Step] | None],
        in_words: Callable[[str], InWords | None] | None = None,
    ) -> None:
        super().__init__(surfaces)
        self.unknown = UnknownSteps(self)
        self.nested = nested
        self.in_words = in_words

    # -------------------------------------------------------------- lines

    def line(
        self, text: str, at: int, *, is_code: bool = False, meant: bool = False
    ) -> LineReading:
        """Return the steps of a line.

        Args:
            text: The line.
            at: Its offset.
            is_code: Whether it stands in a code fence, where ``#`` begins a comment.
            meant: Whether it stands where a step is expected, as in a list of JSON.
        """
        if len(text) > self.longest_line and not self._begins_with_call(text):
            may_be_step = is_like_step(text[:LONGEST_LINE].lstrip(), names_object=False)
            return LineReading(is_like_step=may_be_step)
        begin = begin_of(text, self.surfaces)
        lead = begin.end
        reading = LineReading(
            number=begin.number,
            section=begin.section,
            time=begin.time,
            is_aside=begin.is_aside,
        )
        if text.rstrip().endswith("?") and _QUESTION.match(text):
            asked = self.line(text.rstrip(" ?"), at, is_code=is_code, meant=meant)
            if asked.steps:
                reading.is_negated = True  # "Should I open the door?" is no step
                return reading
        if self._explains(text, at, reading, is_code=is_code):
            return reading
        if self._is_program(text, at, reading, is_code=is_code):
            return reading
        if self.in_words is not None and self._add_steps_in_words(text, at, lead, reading):
            return reading
        mentions = self.surfaces.said(text, self.surfaces.mentions(text))
        is_begun = self._add_said_steps(text, at, lead, mentions, reading, meant=meant)
        if not (is_begun or reading.steps):
            reading.is_negated = _denies_action(text, mentions)
        self._place_steps(text, reading, is_code=is_code, is_narrated=begin.subject != "")
        if not reading.steps:
            self._not_a_step(text, lead, mentions, reading)
        elif reading.steps[-1].form == "call" and self._names_other(text, mentions):
            reading.unread = text.strip()
        return reading

    def _explains(self, text: str, at: int, reading: LineReading, *, is_code: bool) -> bool:
        """Whether a line is a comment or a reason; the steps behind a numbered reason are read."""
        if reading.is_aside and reading.number is not None:
            reading.steps = self._behind_reason(text, at)
            for step in reading.steps:
                step.number = reading.number
            reading.is_aside = not reading.steps
            return True
        is_comment = is_code and _COMMENT.match(text) is not None
        is_comment = is_comment or _SURE_COMMENT.match(text) is not None
        if is_comment or text.lstrip().startswith(("//", ";")):
            reading.is_aside = True
        return reading.is_aside

    def _is_program(self, text: str, at: int, reading: LineReading, *, is_code: bool) -> bool:
        """Whether a line belongs to a program; a step that is checked or handed over is read."""
        is_returned = text.lstrip().startswith("return ")
        if is_code or is_returned or text.rstrip().endswith((":", "{")):
            reading.steps = self._checked_steps(text, at, is_code=is_code)
            if reading.steps:
                return True
        if program := _SURE_CODE.match(text):
            if program["called"] and text[program.end() : program.end() + 1].isalpha():
                reading.steps = self._call_in_code(text, at, program.end(), is_code=is_code)
            reading.is_aside = not reading.steps
            return True
        if _CODE_LINE.match(text) and (is_code or text.rstrip().endswith(":")):
            reading.is_aside = not text.lstrip().startswith(("for", "while"))
            return True
        return False

    def _add_said_steps(
        self,
        text: str,
        at: int,
        lead: int,
        mentions: Sequence[Mention],
        reading: LineReading,
        *,
        meant: bool,
    ) -> bool:
        """Add the steps of a line, known ones first; whether it begins with a known action."""
        is_numbered = reading.number is not None
        first = self._first_action(text, lead, mentions, is_numbered=is_numbered)
        if first is None and is_numbered:
            first = self.call_behind_words(text, mentions)
        if first is not None:
            reading.take(self._known_steps(text, at, mentions, first, is_numbered=is_numbered))
            return True
        self._add_inflected(text, at, lead, reading)
        if not reading.steps:
            reading.steps = self.unknown.steps(text, at, lead, meant=meant)
        if not reading.steps and is_numbered:
            reading.steps = self._behind_reason(text, at)
        return False

    @staticmethod
    def _place_steps(text: str, reading: LineReading, *, is_code: bool, is_narrated: bool) -> None:
        """Give the steps of a line its number, its time and its place, or take the only one out."""
        if _is_heading_in_words(text, reading.steps):
            reading.steps.clear()  # "Read this list from right to left:"
        if len(reading.steps) == 1 and TAKEN_OUT.search(text):
            reading.steps.clear()
            reading.is_negated = True
        is_heading = not is_code and _HEADING.match(text) is not None
        place = _place_of(text)
        for step in reading.steps:
            if step.number is None or reading.number is not None:
                step.number, step.section = reading.number, reading.section
            reading.number = None if len(reading.steps) > 1 else reading.number
            step.is_narrated = is_narrated and step.form == "words"
            step.form = "heading" if is_heading and step.form == "words" else step.form
            step.time = reading.time
            step.place = place

    def _add_inflected(self, text: str, at: int, lead: int, reading: LineReading) -> None:
        """Add the steps of a sentence such as "The robot walks to the hall and opened it"."""
        if _REFERS_BACK.search(text[:lead]):
            return
        for tense in dict.fromkeys((text, self.surfaces.sentences.in_present(text))):
            named = self.surfaces.mentions(tense)
            mentions = self.surfaces.said(tense, named, is_inflected=True)
            first = self._first_action(tense, lead, mentions, is_numbered=False)
            if first is not None:
                reading.take(self._known_steps(tense, at, mentions, first, is_numbered=False))
                return

    def _checked_steps(self, text: str, at: int, *, is_code: bool) -> list[Step]:
        """Return the step that code takes while it checks the result: ``if not WALK("hall"):``."""
        check = _CHECK.match(text)
        return self._call_in_code(text, at, check.end(), is_code=is_code) if check else []

    def _call_in_code(self, text: str, at: int, start: int, *, is_code: bool) -> list[Step]:
        """Return the step that begins at a place in a line of code, if it is a whole call.

        Calls that are joined to it, ``walk(hall) and open(door)``, are steps as well.
        """
        if self.in_words is not None:
            call = text[start:].rstrip(" \t:{")
            return self.line(call, at + start, is_code=is_code).steps
        mentions = self.surfaces.mentions(text)
        first = next((n for n, m in enumerate(mentions) if m.is_action and m.start >= start), None)
        if first is None or not may_precede_step(text[start : mentions[first].start]):
            return []
        step, stop = self.step_at(text, at, mentions, first)
        # A whole skill, find("Mug"), is one name that has the bracket in it.
        is_call = step.form == "call" or "(" in text[start : mentions[first].end]
        if not is_call or step.lacks_objects or step.is_cut:
            return []
        joined = _JOINED_CALLS.match(text, stop)
        if joined is None:
            return [step]
        return [step, *self._call_in_code(text, at, joined.end(), is_code=is_code)]

    @staticmethod
    def _names_other(text: str, mentions: Sequence[Mention]) -> bool:
        """Whether a line names a step besides those it has: ``WALK(x) or OPEN(y)``."""
        call = _CALL_BEHIND_DASH.search(text)
        if call is not None and all(mention.start != call.start(1) for mention in mentions):
            return True
        if " or " not in text and " / " not in text:
            return False
        starts = [mention.start for mention in mentions if mention.is_action]
        starts += [call.start() for call in CALL.finditer(text)]
        return any(_EITHER.search(text[max(start - 12, 0) : start]) for start in starts)

    def _add_steps_in_words(self, text: str, at: int, lead: int, reading: LineReading) -> bool:
        """Add the steps of a line in words; False if it has none, or brackets."""
        assert self.in_words is not None  # noqa: S101 - the caller looked
        said = text[lead:]
        if said[:1] in ("(", "[", "{") or _ATTACHED.match(said):
            return False
        refused = _REFUSED.search(_ASIDE.sub("", said))
        if refused is not None and self.in_words(said) is not None:
            reading.is_negated = True  # "pick up b is not possible, so pick up c"
            lead += len(said) - len(refused["instead"] or "")
        place = lead
        for found in (*_NEXT.finditer(text, lead), None):
            end = found.start() if found else len(text)
            place += begin_of(text[place:end], self.surfaces).end if reading.steps else 0
            written = text[place:end]
            meant, begin = self._meant_in_words(written)
            if meant is None or not meant.name:
                reading.looks_listed = meant is not None and not reading.steps
                break
            step = Step(meant.name, list(meant.arguments), at + place + begin, len(meant.arguments))
            step.place = _place_of(text)
            step.number, step.time = reading.number, reading.time
            reading.steps.append(step)
            step.is_loose = "more objects" in meant.note
            if meant.note:
                reading.notes.append(f"{shorten(written.strip())}: {meant.note}")
            place = found.end() if found else len(text)
        return bool(reading.steps) or reading.is_negated

    def _meant_in_words(self, written: str) -> tuple[InWords | None, int]:
        """Read words, if needed only those behind a colon; also return where these begin.

        What stands in brackets is left out first: it mostly explains.
        """
        assert self.in_words is not None  # noqa: S101 - the caller looked
        begun: InWords | None = None
        begin = 0
        for part in _ASIDE.sub(lambda found: " " * len(found[0]), written).split(":"):
            meant = self.in_words(part)
            if meant is not None and meant.name:
                return meant, begin
            begun = begun or meant
            begin += len(part) + 1
        meant = self.in_words(written)
        return (meant, 0) if meant is not None and meant.name else (begun or meant, 0)

    def _begins_with_call(self, text: str) -> bool:
        """Whether a long line is a row of calls, and not too long to be one."""
        begin = text[:LONGEST_LINE]
        mentions = self.surfaces.mentions(begin[:100])
        first = self._first_action(
            begin, begin_of(begin, self.surfaces).end, mentions, is_numbered=False
        )
        if first is None or len(text) > LONGEST_ROW:
            return False
        return begin[mentions[first].end :].lstrip("`*\"'")[:1] in ("(", "[")

    def _first_action(
        self, text: str, lead: int, mentions: Sequence[Mention], *, is_numbered: bool
    ) -> int | None:
        """Return which mention is the action that a line begins with."""
        # What is passed over may name an action, "now that it is open,", and a name may look like
        # what is passed over: "(a)" is a letter of a list, or the action "a".
        actions = [place for place, mention in enumerate(mentions) if mention.is_action]
        behind = [place for place in actions if mentions[place].start >= lead]
        if not actions:
            return None
        place = (behind or actions)[0]
        mention = mentions[place]
        before = text[lead : mention.start]
        words = words_of(before)
        if may_precede_step(before) and _NEGATIONS.isdisjoint(words):
            return place + 1 if self._is_around_step(text, mentions, place) else place
        if self._is_only_call(text, lead, mention):
            return place
        is_denied = not _NEGATIONS.isdisjoint(words) or "n't" in before or "n\u2019t" in before
        is_talk = len(words) > 7 or not STATING.isdisjoint(set(words) - {"i", "you", "we", "will"})
        if not is_numbered or is_denied or is_talk:
            return None
        # "find a Mug" is one name, of which FIND(Mug) is another form.
        if "(" in text[mention.start : mention.end + 1]:
            return place
        is_followed = place + 1 < len(mentions) and not mentions[place + 1].is_action
        return place if is_followed and has_number(text[mention.start :]) else None

    def _is_only_call(self, text: str, lead: int, mention: Mention) -> bool:
        """Whether a line is a call behind one word that says nothing of it: ``When WALK(hall)``."""
        before = text[lead : mention.start]
        if text[mention.end : mention.end + 1] != "(" or not before.strip().isalpha():
            return False
        close = closing_bracket(text, mention.end + 1, ")")
        if close < 0 or text[close + 1 :].strip(" \t.;`*"):
            return False
        word = before.strip().lower()
        has_meaning = word in CODE_WORDS | TALKING | _FRAMING_WORDS or DOUBT.search(word)
        return not (has_meaning or is_rejected(word))

    def _is_around_step(self, text: str, mentions: Sequence[Mention], place: int) -> bool:
        """Whether an action only says to take the whole step behind it.

        Examples are ``run("WALK(hall)")`` and "Run `WALK(hall)`".
        """
        if place + 1 >= len(mentions) or not mentions[place + 1].is_action:
            return False
        outer, inner = mentions[place], mentions[place + 1]
        if not _AROUND_STEP.fullmatch(text, outer.end, inner.start):
            return False
        step, _ = self.step_at(text, 0, mentions, place + 1)
        return not (step.lacks_objects or step.is_cut)

    def _behind_reason(self, text: str, at: int) -> list[Step]:
        """Return the steps behind a reason and a colon: ``1. Because it is dark: find a lamp``."""
        mentions = self.surfaces.mentions(text)
        first = self.call_behind_words(text, mentions)
        if first is not None:
            return self._known_steps(text, at, mentions, first).steps
        start = text.rfind(": ") + 2
        if start < 2 or _CONDITION.search(text[:start]):
            return []
        steps = self.line(text[start:], at + start).steps
        return [step for step in steps if step.is_whole]

    def call_behind_words(self, text: str, mentions: Sequence[Mention]) -> int | None:
        """Return which mention is a call behind words, as in ``1. Go there: WALK(hall)``.

        A colon or an arrow stands before it, or brackets stand around it.
        """
        for place, mention in enumerate(mentions):
            if mention.is_action and text[mention.end : mention.end + 1] == "(":
                before = text[: mention.start].rstrip("`*\"' ")
                if before.endswith((":", "-", "\u2013", "\u2014", "\u2192", ">", "=")):
                    return place
                is_in_brackets = before.endswith(("(", "[")) and DOUBT.search(before) is None
                if is_in_brackets and self._is_call_in_brackets(text, mention):
                    return place
        return None

    def _known_steps(
        self,
        text: str,
        at: int,
        mentions: Sequence[Mention],
        first: int,
        *,
        is_numbered: bool = True,
    ) -> LineReading:
        """Return the steps of a line from its first action on, and what is unread behind them."""
        reading = LineReading()
        place: int | None = first
        while place is not None:
            place += self._is_around_step(text, mentions, place)
            step, end = self.step_at(text, at, mentions, place)
            self._replace_pronoun(step, reading, text, (mentions[place].end, end + 12), mentions)
            time = _TIME_BEHIND.match(text, end)
            if time is not None and text[: mentions[place].start].endswith("("):
                step.number = int(time[1])
            reading.steps.append(step)
            behind = (n for n in range(place + 1, len(mentions)) if mentions[n].start >= end)
            following = next((n for n in behind if mentions[n].is_action), None)
            stop = len(text) if following is None else mentions[following].start
            gap = _Gap(end, stop, is_numbered)
            if following is None:
                self._end_steps(text, gap, mentions, reading)
                break
            if not self._goes_on(text, gap, mentions, following, reading):
                if not is_numbered and len(text) <= LONGEST_LINE:
                    self._add_next_sentence(text, at, end, reading)
                break
            place = following
        return reading

    def _add_next_sentence(self, text: str, at: int, place: int, reading: LineReading) -> None:
        """Add the steps of the next sentence if it begins with one: "Once that is done, ..."."""
        start = sentence_end(text, place) + 1
        behind = text[start:].lstrip()
        start = len(text) - len(behind)
        begin = begin_of(behind, self.surfaces)
        if begin.number is not None or DOUBT.search(behind[: begin.end]):
            return
        following = self.line(behind, at + start)
        if not following.steps or following.steps[0].at > at + start + begin.end:
            return
        first = following.steps[0]
        if first.pronoun_place >= 0 and not self.take_meant(first, reading.steps[-1]):
            reading.unread = reading.unread or behind.strip()
        reading.steps += following.steps
        reading.notes += following.notes
        reading.unread = reading.unread or following.unread

    def _end_steps(
        self, text: str, gap: _Gap, mentions: Sequence[Mention], reading: LineReading
    ) -> None:
        """Look at what stands behind the last action of a line."""
        last = reading.steps[-1]
        if last.form == "words" and len(words_of(text[gap.start :])) > _MAX_REMARK:
            last.is_loose = _LOOSE.match(text[gap.start :]) is not None
        self._note_unread(text, gap, mentions, reading)

    def _goes_on(
        self,
        text: str,
        gap: _Gap,
        mentions: Sequence[Mention],
        following: int,
        reading: LineReading,
    ) -> bool:
        """Whether the next action of a line is its next step; note what is unread before it."""
        if _REASON_IN_BRACKETS.search(text, gap.start, gap.stop):
            return False
        wrapper = _NEXT_WRAPPER.fullmatch(text, gap.start, gap.stop)
        if wrapper is not None and wrapper[1] in text[: gap.start]:
            return True
        if not CONNECTING.fullmatch(text, gap.start, gap.stop):
            mention = mentions[following]
            is_clause = self._is_next_clause(text, gap, mention)
            if not is_clause:
                reading.steps[-1].is_loose = reading.steps[-1].form == "words"
            if is_clause or text[mention.end : mention.end + 1] != "(":
                self._note_unread(text, gap, mentions, reading)
            elif _UNKNOWN_CONNECTIVE.fullmatch(text, gap.start, gap.stop):
                reading.unread = reading.unread or text[gap.start :].strip(" ,;")
            return is_clause
        if gap.is_numbered and _DASH.search(text, gap.start, gap.stop):
            return False
        mention = mentions[following]
        is_in_brackets = OPENS_BRACKET.fullmatch(text, gap.start, gap.stop) is not None
        if is_in_brackets and self._is_call_in_brackets(text, mention):
            self._restate(text, mention, reading)
            return True
        if len(reading.steps) == 1 and RESTATES.fullmatch(text, gap.start, gap.stop):
            reading.steps.clear()  # "Find a Mug: find(Mug)" says one step in two ways
        return True

    @staticmethod
    def _is_call_in_brackets(text: str, mention: Mention) -> bool:
        """Whether an action is the name of a call that fills the brackets around it."""
        if text[mention.end : mention.end + 1] != "(":
            return False
        close = closing_bracket(text, mention.end + 1, ")")
        return close >= 0 and text[close + 1 :].lstrip("`*_ ")[:1] in (")", "]")

    def _restate(self, text: str, mention: Mention, reading: LineReading) -> None:
        """Drop the last step, in words, for the call in brackets behind it.

        A call of another action is another step, and it is not clear which one is meant.
        """
        last = reading.steps[-1]
        if last.form != "words":
            return
        action = self.surfaces.action(text[mention.start : mention.end])
        if action is not None and action.name == last.name:
            reading.steps.pop()
        else:
            reading.unread = reading.unread or text.strip()

    def _note_unread(
        self, text: str, gap: _Gap, mentions: Sequence[Mention], reading: LineReading
    ) -> None:
        """Note the first clause of a line that may say a step which is not known."""
        if not reading.unread:
            reading.unread = self.unread_clause(
                text, gap.start, gap.stop, mentions, is_numbered=gap.is_numbered
            )

    def _is_next_clause(self, text: str, gap: _Gap, mention: Mention) -> bool:
        """Whether a step behind other words begins a clause of the same sentence, or a sentence.

        Behind the sentence of a numbered step others explain it.
        """
        between = text[gap.start : gap.stop]
        if len(between) > _MAX_BETWEEN or DOUBT.search(between):
            return False
        end_of_step = min(self._end_of_step(text, gap.start), sentence_end(text, gap.start))
        is_explained = _EXPLAINED.match(text, gap.start) is not None
        if gap.is_numbered and (is_explained or end_of_step < gap.stop):
            return False
        clauses = self.surfaces.sentences.clauses(text, gap.start, mention.end)
        return any(clause.start == mention.start for clause in clauses)

    def _replace_pronoun(
        self,
        step: Step,
        reading: LineReading,
        text: str,
        span: tuple[int, int],
        mentions: Sequence[Mention],
    ) -> None:
        """Put the object of the step before in place of a pronoun, if there is one."""
        pronoun = PRONOUN.search(text, *span)
        if pronoun is None or not step.lacks_objects:
            return
        if step.pronoun_place < 0:
            behind = [m.start for m in mentions if m.start >= span[0] and not m.is_action]
            is_first = bool(behind) and pronoun.start() < behind[0]
            step.pronoun_place = 0 if is_first else len(step.arguments)
        before = next((each for each in reversed(reading.steps) if each.arguments), None)
        named = {m.name for m in mentions if not m.is_action and m.end <= span[0]}
        if before is None and len(named) == 1:
            before = Step("", [*named], step.at)  # "Once I am near the light, I switch it on."
        if before is None:
            return  # an object of the line before may be meant
        meant = self.take_meant(step, before)
        if meant:
            reading.notes.append(f"'{pronoun[0].lower()}' was read as {meant}")
        else:
            reading.unread = text[span[0] - len(step.written) : pronoun.end()].strip()

    def unread_clause(
        self,
        text: str,
        begin: int,
        stop: int,
        mentions: Sequence[Mention],
        *,
        is_numbered: bool,
    ) -> str:
        """Return the first clause behind a step that says another one which is not known.

        Such a clause begins with a verb, and names an object or "it". Of a numbered line only the
        sentence of the step counts: what follows explains it.
        """
        if is_numbered and _EXPLAINED.match(text, begin):
            return ""
        if is_numbered:
            stop = min(stop, self._end_of_step(text, begin), sentence_end(text, begin))
        for clause in self.surfaces.sentences.clauses(text, begin, stop):
            objects = [m for m in mentions if clause.start <= m.start < clause.stop]
            if any(m.is_action for m in objects):
                continue
            if objects or _TAKES_IT.match(text, clause.start, clause.stop):
                return text[clause.start : clause.stop].strip()
        return ""

    def _not_a_step(
        self, text: str, lead: int, mentions: Sequence[Mention], reading: LineReading
    ) -> None:
        """Say what a line is that holds no step: objects of the step before it, or an item.

        Args:
            text: The line.
            lead: Where it begins to say something, behind its number or bullet.
            mentions: The names in it.
            reading: Receives what the line is.
        """
        objects = [mention.name for mention in mentions if not mention.is_action]
        unlisted = text.strip(" \t-*+\u2022")
        label = LABEL.match(unlisted)
        # "Object: cup" and "Action Input: cup" complete the step before them.
        is_label = label is not None and heads_objects(label[1])
        if objects and (is_label or _is_little_else(text, lead, mentions)):
            reading.completion = objects
        elif is_label and label is not None:
            reading.completion = tokens_of(unlisted[label.end() :].strip())
        words = words_of(text[lead:])
        bare = text.strip().lstrip("-*+\u2022#0123456789.) ")
        is_heading = _is_heading(text, bare)
        is_end = _ENDING.match(bare) is not None or _ENDING.match(text, lead) is not None
        is_other = is_heading or is_end or _is_sentence(text, words)
        bullet = text[:lead].strip()[:1]
        is_listed = reading.number is not None or bullet in ("-", "*", "+", "\u2022")
        reading.looks_listed = is_listed and bool(words) and not is_other
        reading.leaves_out = leaves_out(text)
        if is_heading or is_label or squeezed(bare) in SIGNALS:
            return
        names_action = label is not None and plain_key(label[1]) in ACTION_KEYS and bool(words)
        said = (text[lead:], bare)
        reading.is_like_step = names_action or any(
            is_like_step(each, names_object=bool(objects)) for each in said
        )

    # -------------------------------------------------------------- values

    def values(self, group: Group) -> list[ValueReading]:
        """Return the plans in a value: one, or one for each key that holds a plan of its own."""
        collected = CollectedSteps(self)
        collected.read(group, 0)
        readings = collected.finished(group)
        plan = None if readings else plan_in_thoughts(group)
        if plan is None:
            return readings
        collected.read(plan.value, 1)
        return collected.finished(group)


def _is_heading_in_words(text: str, steps: Sequence[Step]) -> bool:
    """Whether a line announces something with a verb that is the name of an action, too."""
    if len(steps) != 1 or steps[0].form != "words" or not text.rstrip("*_ ").endswith(":"):
        return False
    return not steps[0].arguments and steps[0].max_objects > 0 and len(words_of(text)) > _MAX_REMARK


def _is_little_else(text: str, lead: int, mentions: Sequence[Mention]) -> bool:
    """Whether a line says at most a few words, or nothing but names."""
    words_in_names = sum(mention.name.count("_") for mention in mentions)
    if len(words_of(text)) - words_in_names <= _MAX_WORDS_WITH_OBJECTS:
        return True
    return _are_all(text[lead:], mentions, lead)


def _is_heading(text: str, bare: str) -> bool:
    """Whether a line is a heading: ``Plan:``, ``**Plan**`` or ``# Plan``."""
    if bare.rstrip("*_` ").endswith(":") or text.rstrip().endswith(("**", "__")):
        return True
    return text.lstrip().startswith("#")


def _is_sentence(text: str, words: Sequence[str]) -> bool:
    """Whether a line is a question, or a sentence with a word that states something."""
    if text.rstrip("*_ ").endswith("?"):
        return True
    return text.rstrip().endswith((".", "!")) and not STATING.isdisjoint(words)


_POINTS_TO_PLAN = re.compile(
    r"\W*(?:this|these|that|those|any of|the (?:following|plan|steps?|list|sequence|actions?))\b",
    re.IGNORECASE,
)


def _denies_action(text: str, mentions: Sequence[Mention]) -> bool:
    """Whether words before the first action of a line say that it is not to be done."""
    action = next((mention for mention in mentions if mention.is_action), None)
    if action is None or _POINTS_TO_PLAN.match(text, action.end):
        return False  # "Do not run this." speaks of a plan, though "run" is an action as well
    words = set(words_of(text[: action.start]))
    return not _NEGATIONS.isdisjoint(words) or "don" in words


def _are_all(text: str, mentions: Sequence[Mention], at: int) -> bool:
    """Whether a text consists of names; it begins at an offset of theirs."""
    for mention in reversed(mentions):
        text = text[: max(mention.start - at, 0)] + text[max(mention.end - at, 0) :]
    return not any(map(str.isalnum, text))


def _place_of(line: str) -> str:
    """Return the indentation and the bullet of a line."""
    bare = line.lstrip()
    bullet = "" if bare[:1].isalnum() else bare[:1]
    return f"{len(line) - len(bare)} {bullet}"


def may_precede_step(text: str) -> bool:
    """Whether a text holds nothing but brackets, quotes, or code such as ``robot.do(``."""
    return _OPENING.fullmatch(text) is not None or _CODE.fullmatch(text) is not None
