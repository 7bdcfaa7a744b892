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
from eai.answers.keys import (
    fitting_roles,
    is_aside_key,
    is_object_key,
    key_words,
    plain_key,
    texts_of,
)
from eai.answers.phrases import InWords
from eai.answers.plan import (
    ACTION_KEYS,
    ASIDE_KEYS,
    FILLERS,
    HEADINGS,
    NOTHING,
    PARTICLES,
    STATES,
    STATING,
    has_id,
    shorten,
    tokens_of,
    words_of,
)
from eai.answers.sentences import IT, MAX_SENTENCE, PRONOUN, NamedObject, ordered, sentence_end
from eai.answers.surfaces import ActionForm, Mention, Surfaces, squeezed
from eai.answers.unclear import has_number, is_like_step, leaves_out
from eai.answers.value_steps import CollectedSteps, holds_step
from eai.answers.values import Group, Node, Pair, Text, scan_block

LONGEST_ROW = 20_000
"""Maximum number of characters of a line that is a row of calls."""


_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth firstly secondly thirdly"
    " finally lastly last next then afterwards afterward after that now once done subsequently"
    " puis ensuite enfin dann danach zuerst luego despu\u00e9s entonces poi quindi depois"
    " anschlie\u00dfend schlie\u00dflich"
)


_SAID = (
    "step action act move stage task subtask phase command instruction do execute perform call run"
    " please and also i you we he she it robot agent the should must will would ll can need needs"
    " has have to await yield return go ahead let us function functions tool call"
)


_LEADING = frozenset((_ORDINALS + " " + _SAID).split())


_FOREIGN_LETTER = r"\u0370-\u1fff\u3040-\u9fff\uac00-\ud7af"


_NUMBER = re.compile(
    rf"\(?\[?#?(\d{{1,6}})(?:\.(\d{{1,3}}))?(?:/\d{{1,6}})?\u00b0?"
    rf"(?=[\s.):,\]|\-_*{_FOREIGN_LETTER}]|$)[.):\]]*"
)


_TIME = re.compile(
    r"[\[(]?(?:t\s*=\s*)?(\d{1,6}(?::\d\d){1,2}|\d{1,7}\.\d{1,6}(?=\s*:)|\d{1,6}(?:\.\d+)?(?=\s?s\b))(?:\s?s\b)?[\])]?\s*[:|-]?"
)


_LOG = re.compile(
    r"\W{0,2}\d{4}-\d\d-\d\d[T ](\d\d:\d\d:\d\d)(?:[.,]\d{1,6})?Z?\]?\s{1,4}"
    r"(?:\[?[A-Z]{4,8}\]?\b\s{0,4})?"
    r"(?:\[[\w.: -]{1,40}\]\s{0,4}|[\w.]{1,40}\s?[:-]\s{1,4})?[:-]?\s*"
)
"""The part of a log's line before its message."""


_LETTER = re.compile(r"\(?(?:[a-zA-Z]|[ivxIVX]{1,5})[.)](?=\s)")


_BELOW_ZERO = re.compile(r"\s*-(\d{1,6})(?:\.0+)?\s?:\s?(?=\()")


_NAMED_NUMBER = re.compile(
    # "so 3.5" has a measure, "step 3.5" a number of an item.
    r"(?!(?!(?i:step|action|move|task|part|phase|stage|item)s?\b)[^\W\d_]+[ _#-]{0,2}\d{1,6}\.\d)"
    r"[^\W\d_]+(?:[_#-]{0,2}| {0,8}#?)(\d{1,6})\b(?:\s*(?:/|of)\s*\d+)?\s*[.):\-_*]*"
)


_LABEL = re.compile(r"[*_`\"']*([^\W\d][\w '/-]{0,40}?)[*_`\"']*\s*[:=](?!=)[*_`]*\s*")


_FOREIGN = re.compile(rf"[{_FOREIGN_LETTER}]+")


_MARKS = re.compile(
    r"[^\w\s(\[{<\"'#/]|#{1,6}\s|\s|\[[ xX✓✔]\]|\\item\b|[\"'](?=\W)|<\w{1,20}>(?=\s{0,3}\[)"
)


_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")


_CODE = re.compile(
    r"(?:[\w, ]{1,60}=\s*)?(?:(?:await|yield"
    r"|return)\s+)?(?:[A-Za-z_]\w*\s*[.=(+]+\s*)+[\[({\"']*\s*"
)


_OPENING = re.compile(r"[\[({<\"'*`_]*")


_COMMENT = re.compile(r"\s*(?:#|//|--|%|;|/\*|<!--)")


_END_OF_STEP = re.compile(
    r"(?:^|\s)#|//|/\*|\s[-\u2013\u2014]{1,2}\s|;|[.!?](?:\s|$)|\b(?:so that|so (?:i|we|you)"
    r"|because|since|in order|as it)\b",
    re.IGNORECASE,
)


CONNECTING = re.compile(
    rf"(?:[^\w#/]|\d|\b(?:{'|'.join(_ORDINALS.split())}|and|afterwards|which|step|action|"
    r"object|target|name|arguments|args|parameters|input|i|you|we|will|should|go|the|robot|also|to"
    r"|do|it)\b)*",
    re.IGNORECASE,
)


_HEADING = re.compile(r"\s*(?:#{1,6}\s|(?:\d{1,4}[.)]\s*)?(?:\*\*|__))")


_MAX_REMARK = 5


_LOOSE = re.compile(
    r"[\s*_,]*(?:results?|leads?|is|are|was|will|would|makes?|achieves?|completes?)\b"
)


_CONDITION = re.compile(r"\b(?:if|unless|in case|suppose|supposing|assuming)\b", re.IGNORECASE)
_DASH = re.compile(r"\s[-\u2013\u2014]\s")


RESTATES = re.compile(r"[\s*_.]*(?::|->|\u2192|=)[\s*_]*`[\s`*_]*")


_BETWEEN_OBJECTS = re.compile(r"[^\W\d_]{2,}|\d+")


_MAX_WORDS = 8
"""A step in words with an unknown action has fewer words; longer lines are sentences."""
_MAX_NAMES_BEHIND = 19
"""Maximum number of names behind an action that are no verbs of a new clause."""
_KEYWORD = re.compile(r"\s*[\"']?([A-Za-z_]\w*)[\"']?\s*[=:]\s*(?=\S)")


_CALL = re.compile(
    r"(?:[A-Za-z_]\w*\.)*([^\W\d][\w\-]{0,60})\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)"
)


_BETWEEN_CALLS = re.compile(r"[\s,;.]*(?:->|\u2192|then|and)?\s*(?:\d+[.):]\s*)?")
"""Signs, a word, and the number of the next step: ``WALK(hall), then 2. OPEN(door)``."""


_OWNER = re.compile(r"(?:[A-Za-z_]\w{0,40}\.){1,4}$")


_REST = re.compile(
    r"[\s`*\"'.,;!]*(?:(?:#|//|--|\(|\bbecause\b|\bso that\b|\bto\b|\bin order\b).*)?$",
    re.IGNORECASE,
)


_EITHER = re.compile(r"[)\w>][\s`*]{0,4}\b(?:and/)?or\b[\s`*(\[<\"']{0,4}$", re.IGNORECASE)


_CALL_BEHIND_DASH = re.compile(
    r"\)[`*]{0,3} [-\u2013\u2014] [`*]{0,3}([A-Z][A-Z_]{0,40})\([^()\n]*\)[`*.]{0,4}$"
)


_SPACED_CALL = re.compile(r"([^\W\d][\w\-]{0,40}(?: [^\W\d][\w\-]{0,40}){1,3})\(([^()\n]+)\)")


_OPEN_CALL = re.compile(r"(?:[A-Za-z_]\w*\.)*([^\W\d][\w\-]{0,60})\(([^()\n]*)$")


_SCRIPT = re.compile(r"\[\s*([A-Za-z][\w\- ]{0,40}?)\s*\]((?:\s*(?:<[^<>\n]*>|\(\s*[\w.]+\s*\)))+)")


_SCRIPT_PART = re.compile(r"<([^<>]*)>|\(\s*([\w.]+)\s*\)")


_PDDL = re.compile(r"\(\s*([A-Za-z][\w\-]*)((?:[\s,]+[\w.@#$%&+\-]+)*)\s*\)")


_CAPITALS = re.compile(r"([A-Z][A-Z_\-]+[A-Z])\b:?(?:[ \t]+(.*))?$")


_SURE_CODE = re.compile(
    r"\s*(?:(?:async\s+)?def\s+\w+\s*\(|class\s+\w+\s*[:({]|import\s+[\w.]+|from\s+[\w.]+\s+import\b"
    r"|assert\s|@\w+\s*$|(?:export\s+)?(?:async\s+)?function\s+\w*\s*\(|if\s+__name__"
    r"|(?P<called>(?:asyncio|subprocess|console|logger|logging|time|os|sys|json|print)\b\.?\w*\())"
)
"""Lines of programs that are no step, wherever they stand, unless a step is handed over."""


_CHECK = re.compile(r"\s*(?:if|assert|elif)\b\s*\(?\s*(?:not\b|!)?\s*\(?\s*(?=[\w.]+\s*\()")
"""Code before a step whose result a program checks."""


_AROUND_STEP = re.compile(r"\w{0,20}\(\s*[\"'`]\s*\(?")
"""Code between the name of a function and the step that is handed to it."""


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
    r"|wrong|incorrect|bad|optional(?:ly)?"
    r"|allowed|available|permitted|either|alternative(?:ly)?|or|example|e\.g|suppose|imagine|assum\w+|undo|reverse|backwards?)\b"
    r"|n['\u2019]t\b|\?|<-|\u2190",
    re.IGNORECASE,
)
"""Words beside a step that make it something else than a step to take."""
_REASON_IN_BRACKETS = re.compile(r"\(\s*(?:to|so|for|because|in order)\b[^)]*$", re.IGNORECASE)
"""Words before a verb that gives a reason: "go to the hall (to place the mug)"."""
_REFERS_BACK = re.compile(r"\b(?:it|this|that|which)\W*$", re.IGNORECASE)
"""Words before a verb that says what a step does: "it opens the fridge"."""
_TAKES_IT = re.compile(
    rf"\w+\s(?:(?:{'|'.join(sorted(PARTICLES))})\s)?(?:it|them)\b", re.IGNORECASE
)
"""A clause whose verb has a pronoun as its object: "take it", "switch on it"."""


_FRAMING_WORDS = HEADINGS | frozenset(
    ["after", "repeat", "like", "unlike", "function", "goal", "given", "no", "undo", "forbidden"]
)
"""Words before a call that make it something else than a step."""
_SIDE_WORDS = PARTICLES | frozenset(
    ["a", "an", "the", "at", "by", "from", "of", "top", "with", "using", "inside"]
)


_QUOTED = re.compile(r"([\"'])([^\"'\n]{1,200})\1")


_QUESTION = re.compile(
    r"[\W\d]*(?:should|shall|may|can|could|would|do|does|did|is|are|have|has|must|will)"
    r" (?:i|we|you|the|it|he|she|they|this|that)\b",
    re.IGNORECASE,
)


_NEGATIONS = frozenset(
    ["not", "never", "no", "without", "avoid", "skip", "cannot", "dont", "nicht", "pas"]
)


class StepGrammar:
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
        self.surfaces = surfaces or Surfaces((), ())
        self.is_free = surfaces is None
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
        reading = LineReading()
        if len(text) > self.longest_line and not self._begins_with_call(text):
            reading.is_like_step = is_like_step(text[:LONGEST_LINE].lstrip(), names_object=False)
            return reading
        lead = self._lead(text, reading)
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
        self._place_steps(text, reading, is_code=is_code)
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
        if is_comment or text.lstrip().startswith(("//", ";")):
            reading.is_aside = True
        return reading.is_aside

    def _is_program(self, text: str, at: int, reading: LineReading, *, is_code: bool) -> bool:
        """Whether a line belongs to a program; a step that is checked or handed over is read."""
        if is_code or text.rstrip().endswith((":", "{")):
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
        reading.steps = self._unknown_steps(text, at, lead, meant=meant)
        if not reading.steps and is_numbered:
            reading.steps = self._behind_reason(text, at)
        if not reading.steps:
            self._add_inflected(text, at, lead, reading)
        return False

    @staticmethod
    def _place_steps(text: str, reading: LineReading, *, is_code: bool) -> None:
        """Give the steps of a line its number, its time and its place."""
        is_heading = not is_code and _HEADING.match(text) is not None
        place = _place_of(text)
        for step in reading.steps:
            step.number, step.section = reading.number, reading.section
            reading.number = None if len(reading.steps) > 1 else reading.number
            step.form = "heading" if is_heading and step.form == "words" else step.form
            step.time = reading.time
            step.place = place

    def _add_inflected(self, text: str, at: int, lead: int, reading: LineReading) -> None:
        """Add the steps of a sentence such as "The robot walks to the hall and opens it"."""
        mentions = self.surfaces.said(text, self.surfaces.mentions(text), is_inflected=True)
        first = self._first_action(text, lead, mentions, is_numbered=False)
        if first is not None and not _REFERS_BACK.search(text[:lead]):
            reading.take(self._known_steps(text, at, mentions, first, is_numbered=False))

    def _checked_steps(self, text: str, at: int, *, is_code: bool) -> list[Step]:
        """Return the step that code takes while it checks the result: ``if not WALK("hall"):``."""
        check = _CHECK.match(text)
        return self._call_in_code(text, at, check.end(), is_code=is_code) if check else []

    def _call_in_code(self, text: str, at: int, start: int, *, is_code: bool) -> list[Step]:
        """Return the step that begins at a place in a line of code, if it is a whole call."""
        if self.in_words is not None:
            call = text[start:].rstrip(" \t:{")
            return self.line(call, at + start, is_code=is_code).steps
        mentions = self.surfaces.mentions(text)
        first = next((n for n, m in enumerate(mentions) if m.is_action and m.start >= start), None)
        if first is None or not may_precede_step(text[start : mentions[first].start]):
            return []
        step, _ = self.step_at(text, at, mentions, first)
        is_call = step.form == "call" or "(" in text[start : mentions[first].start]
        is_taken = is_call and not (step.lacks_objects or step.is_cut)
        return [step] if is_taken else []

    @staticmethod
    def _names_other(text: str, mentions: Sequence[Mention]) -> bool:
        """Whether a line names a step besides those it has: ``WALK(x) or OPEN(y)``."""
        call = _CALL_BEHIND_DASH.search(text)
        if call is not None and all(mention.start != call.start(1) for mention in mentions):
            return True
        if " or " not in text:
            return False
        starts = [mention.start for mention in mentions if mention.is_action]
        starts += [call.start() for call in _CALL.finditer(text)]
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
            place += self._lead(text[place:end], LineReading()) if reading.steps else 0
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
            begin, self._lead(begin, LineReading()), mentions, is_numbered=False
        )
        if first is None or len(text) > LONGEST_ROW:
            return False
        return begin[mentions[first].end :].lstrip("`*\"'")[:1] in ("(", "[")

    def _lead(self, text: str, reading: LineReading) -> int:  # noqa: C901, PLR0912
        """Return where a line begins to say something: behind numbers, bullets and labels."""
        place, size = 0, len(text)
        if found := _LOG.match(text):
            reading.time, place = _seconds(found[1]), found.end()
        elif found := _BELOW_ZERO.match(text):
            # A time, of which only the order counts.
            reading.number, place = -int(found[1]), found.end()
        while place < size:
            if (found := _MARKS.match(text, place) or _FOREIGN.match(text, place)) or (
                found := _LETTER.match(text, place)
            ):
                place = found.end()
            elif reading.time is None and (found := _TIME.match(text, place)):
                reading.time = _seconds(found[1])
                place = found.end()
            elif found := _NUMBER.match(text, place):
                if reading.number is None:
                    reading.section = int(found[1]) if found[2] else 0
                    reading.number = int(found[2] or found[1])
                place = found.end()
            elif (found := _NAMED_NUMBER.match(text, place)) and not self._names(found):
                if not TALKING.isdisjoint(words_of(found[0])):
                    reading.is_aside = True
                    return place
                reading.number = int(found[1]) if reading.number is None else reading.number
                place = found.end()
            elif (found := _LABEL.match(text, place)) and not self._names(found):
                words = words_of(found[1])
                is_assigned = found[0].rstrip().endswith("=") and _CALL.match(text, found.end())
                if not (TALKING.isdisjoint(words) or "action" in words or is_assigned):
                    reading.is_aside = True
                    return place
                place = found.end()
            elif (found := _WORD.match(text, place)) and found[0].lower() in _LEADING:
                if self.surfaces.action(found[0]) is not None:
                    return place
                place = found.end()
            else:
                return place
        return place

    def _names(self, found: re.Match[str]) -> bool:
        """Whether a label holds the name of an action, and so is part of a step."""
        return any(mention.is_action for mention in self.surfaces.mentions(found[0]))

    def _first_action(
        self, text: str, lead: int, mentions: Sequence[Mention], *, is_numbered: bool
    ) -> int | None:
        """Return which mention is the action that a line begins with."""
        for place, mention in enumerate(mentions):
            if not mention.is_action:
                continue
            before = text[lead : mention.start]
            if may_precede_step(before) and _NEGATIONS.isdisjoint(words_of(before)):
                return place if not self._is_around_step(text, mentions, place) else place + 1
            if self._is_only_call(text, lead, mention):
                return place
            followed = place + 1 < len(mentions) and not mentions[place + 1].is_action
            words = words_of(before)
            if not _NEGATIONS.isdisjoint(words) or "n't" in before or "n\u2019t" in before:
                return None
            if (
                is_numbered
                and followed
                and len(words) < 8
                and STATING.isdisjoint(set(words) - {"i", "you", "we", "will"})
            ):
                return place if has_number(text[mention.start :]) else None
            return None
        return None

    def _is_only_call(self, text: str, lead: int, mention: Mention) -> bool:
        """Whether a line is a call behind one word that says nothing of it: ``When WALK(hall)``."""
        before = text[lead : mention.start]
        if text[mention.end : mention.end + 1] != "(" or not before.strip().isalpha():
            return False
        close = _closing(text, mention.end + 1, ")")
        if close < 0 or text[close + 1 :].strip(" \t.;`*"):
            return False
        word = before.strip().lower()
        has_meaning = word in CODE_WORDS | TALKING | _FRAMING_WORDS or DOUBT.search(word)
        return not (has_meaning or is_rejected(word))

    def _is_around_step(self, text: str, mentions: Sequence[Mention], place: int) -> bool:
        """Whether an action is the name of a call around a whole step: ``run("WALK(hall)")``."""
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
        return [step for step in steps if step.is_known and not step.lacks_objects]

    def call_behind_words(self, text: str, mentions: Sequence[Mention]) -> int | None:
        """Return which mention is a call behind words and a colon: ``1. Go there: WALK(hall)``."""
        for place, mention in enumerate(mentions):
            if mention.is_action and text[mention.end : mention.end + 1] == "(":
                before = text[: mention.start].rstrip("`*\"' ")
                if before.endswith((":", "-", "\u2013", "\u2014", "\u2192", ">", "=")):
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
        steps = reading.steps
        place: int | None = first
        while place is not None:
            step, end = self.step_at(text, at, mentions, place)
            self._replace_pronoun(step, reading, text, (mentions[place].end, end + 12), mentions)
            steps.append(step)
            following = (n for n in range(place + 1, len(mentions)) if mentions[n].start >= end)
            place = next((n for n in following if mentions[n].is_action), None)
            if place is None:
                if steps[-1].form == "words" and len(words_of(text[end:])) > _MAX_REMARK:
                    steps[-1].is_loose = _LOOSE.match(text[end:]) is not None
                reading.unread = reading.unread or self.unread_clause(
                    text, end, len(text), mentions, is_numbered=is_numbered
                )
                break
            if _REASON_IN_BRACKETS.search(text, end, mentions[place].start):
                break
            if not CONNECTING.fullmatch(text, end, mentions[place].start):
                if self._is_next_clause(text, end, mentions[place], is_numbered=is_numbered):
                    reading.unread = reading.unread or self.unread_clause(
                        text, end, mentions[place].start, mentions, is_numbered=is_numbered
                    )
                    continue
                steps[-1].is_loose = steps[-1].form == "words" and steps[-1].number is None
                if text[mentions[place].end : mentions[place].end + 1] != "(":
                    stop = mentions[place].start
                    reading.unread = reading.unread or self.unread_clause(
                        text, end, stop, mentions, is_numbered=is_numbered
                    )
                break
            if (
                steps[0].number is None
                and is_numbered
                and _DASH.search(text, end, mentions[place].start)
            ):
                break
            if len(steps) == 1 and RESTATES.fullmatch(text, end, mentions[place].start):
                steps.clear()  # "Find a Mug: find(Mug)" says one step in two ways
        return reading

    def _is_next_clause(self, text: str, end: int, mention: Mention, *, is_numbered: bool) -> bool:
        """Whether a step behind other words begins a clause of the same sentence, or a sentence.

        Behind the sentence of a numbered step others explain it.
        """
        between = text[end : mention.start]
        if len(between) > _MAX_BETWEEN or DOUBT.search(between):
            return False
        end_of_step = min(self._end_of_step(text, end), sentence_end(text, end))
        if is_numbered and end_of_step < mention.start:
            return False
        clauses = self.surfaces.sentences.clauses(text, end, mention.end)
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
        if before is None:
            return  # an object of the line before may be meant
        meant = self.take_meant(step, before)
        if meant:
            reading.notes.append(f"'{pronoun[0].lower()}' was read as {meant}")
        else:
            reading.unread = text[span[0] - len(step.written) : pronoun.end()].strip()

    def take_meant(self, step: Step, before: Step) -> str:
        """Put the object that a pronoun means into a step, and return it; empty if it is unclear.

        It is that object of the step before which the step does not name itself. If there are
        several of a type that it may be, nobody knows which one is meant.
        """
        place = step.pronoun_place
        candidates = [n for n in dict.fromkeys(before.arguments) if n not in step.arguments]
        signature = self.surfaces.signature
        if signature is not None and step.is_known:
            takes = signature.parameters(step.name)[place].takes
            candidates = [name for name in candidates if takes(name)]
        if len(candidates) != 1:
            return ""
        step.arguments.insert(place, candidates[0])
        step.pronoun_place = -1
        return candidates[0]

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
        if is_numbered:
            stop = min(stop, self._end_of_step(text, begin), sentence_end(text, begin))
        for clause in self.surfaces.sentences.clauses(text, begin, stop):
            objects = [m for m in mentions if clause.start <= m.start < clause.stop]
            if any(m.is_action for m in objects):
                continue
            if objects or _TAKES_IT.match(text, clause.start, clause.stop):
                return text[clause.start : clause.stop].strip()
        return ""

    def step_at(
        self, text: str, at: int, mentions: Sequence[Mention], place: int
    ) -> tuple[Step, int]:
        """Return the step whose action is a mention, and where it ends in the text.

        Args:
            text: A line.
            at: Offset of the line in the answer.
            mentions: The actions and objects that the line names, in order.
            place: Place of the action among them.
        """
        mention = mentions[place]
        action = self.surfaces.by_name[mention.name]
        step = Step(action.name, [], at + mention.start, action.max_objects)
        step.written = text[mention.start : mention.end]
        step.style = _style(text[: mention.start], step.written)
        if mention.said is not None:
            step.arguments = [name for name in mention.said.objects if name != IT]
            if IT in mention.said.objects:
                step.pronoun_place = mention.said.objects.index(IT)
            return step, mention.said.end
        brackets = self._bracketed(text, mention)
        following = mentions[place + 1 :]
        if brackets is not None:
            return step, self._complete_call(step, text, following, brackets)
        is_in_brackets = text[: mention.start].endswith("(")
        if is_in_brackets and text[mention.end : mention.end + 1] in (" ", ")"):
            return step, self._complete_pddl(step, text, mention.end)
        return step, self._complete_words(step, text, mention.end, following)

    def _complete_call(
        self,
        step: Step,
        text: str,
        following: Sequence[Mention],
        brackets: tuple[int, int, bool],
    ) -> int:
        """Give ``WALK(light)`` its objects; return where it ends in the text."""
        start, end, is_closed = brackets
        step.form = "call"
        step.is_cut = not is_closed
        step.arguments = self.inside(text[start:end], step.max_objects)
        if step.max_objects == 0 and " " in step.written:
            step.arguments = []  # behind a whole skill in words stands a remark
        if step.lacks_objects and is_closed:
            return self._complete(step, text, following, end + 1)
        return end + 1

    def _complete_pddl(self, step: Step, text: str, name_end: int) -> int:
        """Give ``(walk light)`` its objects; return where it ends in the text."""
        close = _closing(text, name_end, ")")
        end = close if close >= 0 else len(text)
        step.form = "pddl"
        step.is_cut = close < 0
        max_objects = step.max_objects
        if self.surfaces.predicates and plain_key(step.written) != plain_key(step.name):
            # (pickup a) is not pick-up
            step.name = step.written
            step.is_known = False
        words = text[name_end:end].replace(",", " ").split()
        step.arguments = self.inside(", ".join(words), max_objects)
        return end

    def _complete_words(
        self, step: Step, text: str, name_end: int, following: Sequence[Mention]
    ) -> int:
        """Give ``walk to the light`` its objects; return where it ends in the text."""
        names = [m.start for m in following[:_MAX_NAMES_BEHIND] if not m.is_action]
        stop = self._end_of_step(text, name_end)
        stop = min(stop, self.surfaces.sentences.clause_end(text, name_end, names))
        objects: list[Mention] = []
        for mention in following:
            if mention.is_action and mention.start < stop:
                stop = mention.start
            if mention.start < stop:
                objects.append(mention)
        objects = objects[: step.max_objects]
        step.arguments = self._ordered(step.name, objects, text)
        end = objects[-1].end if objects else name_end
        if not step.lacks_objects:
            return end
        written = text[end:stop]
        unknown = self._unknown_objects(written)
        if not unknown:
            return end
        step.arguments += unknown
        return end + len(written.rstrip())

    def _ordered(self, action: str, objects: Sequence[Mention], text: str) -> list[str]:
        """Return the objects of a step in words in the order of the parameters of its action.

        "Put on the table the cup" names them in another order than ``put(cup, table)``.
        """
        names = [mention.name for mention in objects]
        signature = self.surfaces.signature
        if signature is None or len(objects) != self.surfaces.by_name[action].max_objects:
            return names
        named = [NamedObject(m.name, m.start, m.end) for m in objects]
        order = ordered(signature.parameters(action), named, text)
        if order is None:
            return names
        return order[0]

    def by_name(self, mention: Mention) -> ActionForm:
        """Return the action that a mention is."""
        return self.surfaces.by_name[mention.name]

    def _bracketed(self, text: str, mention: Mention) -> tuple[int, int, bool] | None:
        """Return begin and end of what stands in brackets behind an action, and if they close."""
        before = text[: mention.start].rstrip("\"'")
        size = len(text)
        place = mention.end
        quoted = text[place : place + 1] in ("'", '"')
        while place < size and text[place] in "\"'`*]":
            place += 1
        is_list = quoted and before[-1:] in ("(", "[") and text[place : place + 1] in (",", ")")
        if is_list and self.by_name(mention).max_objects == 0:
            return None
        if is_list:
            if text[place] == ")":
                return place, place, True  # append("STANDUP")
            start = place + 1  # ("WALK", "light.34")
            close = _closing(text, start, ")" if before[-1] == "(" else "]")
            return start, close if close >= 0 else size, close >= 0
        if text[place : place + 2] == " (" and self._is_object_in_brackets(text, place + 1):
            place += 1
        if text[place : place + 1] not in ("(", "["):
            return None
        if text[place - 1 : place] == "]":
            return None  # [WALK](light) is a script
        start = place + 1
        close = _closing(text, start, ")" if text[place] == "(" else "]")
        return start, close if close >= 0 else size, close >= 0

    def _complete(self, step: Step, text: str, mentions: Sequence[Mention], place: int) -> int:
        """Add objects behind the brackets of a call, as in ``Feast(d) from c``; return its end."""
        stop = self._end_of_step(text, place)
        for mention in mentions:
            if mention.start < place:
                continue
            if mention.is_action or mention.start >= stop or not step.lacks_objects:
                break
            # Only words such as "from" and "the" may stand between.
            if not _SIDE_WORDS.issuperset(words_of(text[place : mention.start])):
                break
            step.arguments.append(mention.name)
            place = mention.end
        return place

    def _is_object_in_brackets(self, text: str, place: int) -> bool:
        """Whether brackets behind an action and a blank hold an object: ``walk (light.34)``."""
        close = text.find(")", place, place + 100)
        inside = text[place + 1 : close] if close >= 0 else ""
        return 0 < len(inside.split()) <= 2 and self._has_id(inside) and not inside.isdigit()

    def inside(self, inside: str, max_objects: int) -> list[str]:
        """Return the objects between the brackets of a call, as they are written or named.

        Args:
            inside: Text such as ``light, 411`` or ``object="light", to="table"``.
            max_objects: Number of objects that the action takes; -1 if it is unknown.
        """
        parts = [part for part in re.split(r",(?![^(\[]*[)\]])", inside) if part.strip()]
        if parts and all(_KEYWORD.match(part) for part in parts):
            inside = ", ".join(fitting_roles(_named_objects(parts), max_objects))
        mentions = self.surfaces.mentions(inside)
        if len(mentions) == max_objects and not any(m.is_action for m in mentions):
            rest = inside
            for mention in reversed(mentions):
                rest = rest[: mention.start] + " " + rest[mention.end :]
            words = [word for word in words_of(rest) if word not in _SIDE_WORDS]
            if not _BETWEEN_OBJECTS.search(" ".join(words)):
                return [mention.name for mention in mentions]
        bare = inside.strip().strip("[]{}()\"'")
        if bare in NOTHING:
            return []
        return [token.strip("[](){}\"'") for token in tokens_of(bare)]

    @staticmethod
    def _end_of_step(text: str, place: int) -> int:
        """Return where what is said of a step ends: at a comment, a reason, a sentence."""
        searched, limit = place, min(place + MAX_SENTENCE, len(text))
        while found := _END_OF_STEP.search(text, searched, limit):
            between = text[place : found.start()]
            if any(map(str.isalnum, between)) or found[0].strip() in ("#", "//", "/*"):
                return found.start()
            searched = found.end()
        return limit

    @staticmethod
    def _unknown_objects(written: str) -> list[str]:
        """Return the words that stand where an object is missing, if they may be its name."""
        bare = re.sub(r"\([^()]*\)\s*$", "", written).strip(" \t\"'`*.,:;<>()[]{}|-\u2192")
        words = [word for word in bare.split() if word.lower().strip(",") not in _SIDE_WORDS]
        if not 0 < len(words) <= 4 or not STATING.isdisjoint(words_of(bare)):
            return []
        if not FILLERS.isdisjoint(word.lower() for word in words):
            return []
        return tokens_of(" ".join(words))

    def _unknown_steps(self, text: str, at: int, lead: int, *, meant: bool) -> list[Step]:
        """Return the steps of a line in a form that only steps have; their actions are unknown.

        Args:
            text: A line.
            at: Offset of the line in the answer.
            lead: Where the line begins to say something, behind its number.
            meant: Whether it stands where a step is expected.
        """
        rest = text[lead:]
        at += lead
        if found := _SCRIPT.match(rest):
            parts = [(name or number).strip() for name, number in _SCRIPT_PART.findall(found[2])]
            return [Step(found[1], [p for p in parts if p], at, form="script", is_known=False)]
        steps = self._unknown_calls(rest, at, meant=meant) or self._spaced_call(rest, at)
        if steps:
            return steps
        bare = rest.strip(" \t\r`*\"',.;")
        if found := _PDDL.fullmatch(bare):
            return self._unknown_pddl(found[1], found[2].replace(",", " ").split(), at)
        found = _CAPITALS.match(bare)
        if found and found[1].lower() not in HEADINGS and len(bare.split()) < _MAX_WORDS:
            name = found[1]
            objects = found[2] or ""
            particle, _, behind = objects.partition(" ")
            if particle.isupper() and particle.lower() in PARTICLES:
                name = f"{name} {particle}"  # PICK UP cup
                objects = behind
            names_object = any(not m.is_action for m in self.surfaces.mentions(objects))
            if names_object or meant or self._has_id(objects):
                return [Step(name, tokens_of(objects), at, form="words", is_known=False)]
        if self.is_free or meant:
            return self._unknown_words(bare, at)
        return []

    def _unknown_pddl(self, name: str, objects: list[str], at: int) -> list[Step]:
        """Return the step ``(fly hall)``, unless the brackets hold a remark, or an object's id."""
        action = name.lower()
        words = {action, *(each.lower() for each in objects)}
        if not (FILLERS | STATING).isdisjoint(words):
            return []  # a remark in brackets
        if not objects and (action in SIGNALS or action in HEADINGS):
            return []
        if squeezed(action) in self.surfaces.objects and all(map(str.isdigit, objects)):
            return []  # an object and its id: (light 411)
        return [Step(name, objects, at, form="pddl", is_known=False, is_weak=not objects)]

    def _unknown_words(self, bare: str, at: int) -> list[Step]:
        """Return a step of words: its action, perhaps with a particle, then names with ids."""
        words = bare.replace(",", " ").split()
        if not 1 < len(words) < _MAX_WORDS:
            return []
        if not words[0].replace("_", "a").replace("-", "a").isalpha():
            return []
        name_size = 2 if words[1].lower() in PARTICLES and len(words) > 2 else 1
        objects = words[name_size:]
        if words[0].lower() in FILLERS or not FILLERS.isdisjoint(w.lower() for w in objects):
            return []
        if not self._has_id(" ".join(objects)):
            return []
        name = " ".join(words[:name_size])
        return [Step(name, tokens_of(" ".join(objects)), at, form="words", is_known=False)]

    @staticmethod
    def _has_id(objects: str) -> bool:
        """Whether a word is a number or a name with one: ``light.34``, ``(34)``."""
        for word in objects.split():
            if has_id(word.strip("<>()[],;.\"'")) or word.strip("()#").isdigit():
                return True
        return False

    def _unknown_calls(self, rest: str, at: int, *, meant: bool) -> list[Step]:
        """Return the calls that a line consists of: ``FLY(hall) -> LAND(hall)``.

        Args:
            rest: The line from where it begins to say something.
            at: Its offset in the answer.
            meant: Whether it stands where a step is expected.
        """
        steps: list[Step] = []
        place = len(rest) - len(rest.lstrip("\"'`"))
        while call := _CALL.match(rest, place):
            name = call[1]
            inside = call[2]
            is_code = _is_code_or_heading(name)
            if not is_code and (self._holds_action(inside) or self._holds_phrase(name, inside)):
                steps += self._called_around(rest, call.start(), call.end(), at)
                place = call.end()
                continue
            if is_code or squeezed(name) in self.surfaces.predicates:
                return steps
            is_plural = inside in ("s", "es")  # "object(s)"
            if is_plural or (name.lower() in SIGNALS and not inside):
                return steps
            is_sure = meant or name.isupper() or has_number(inside) or self._holds_object(inside)
            if not is_sure and inside.strip() and not _REST.match(rest, call.end()):
                return steps  # a call in a sentence or in code
            steps.append(
                Step(
                    name,
                    self.inside(inside, -1),
                    at + place,
                    form="call",
                    is_known=False,
                    is_weak=not is_sure,
                    style=_style(rest[: call.start(1)], name),
                )
            )
            between = _BETWEEN_CALLS.match(rest, call.end())
            place = between.end() if between else call.end()
        if steps:
            return steps
        cut = _OPEN_CALL.fullmatch(rest)
        if cut is None or cut[1].lower() in CODE_WORDS or not HEADINGS.isdisjoint(words_of(cut[1])):
            return []
        return [Step(cut[1], [], at, form="call", is_known=False, is_cut=True)]

    def _spaced_call(self, rest: str, at: int) -> list[Step]:
        """Return a call whose name is several words: ``turn on(fridge.40)``."""
        call = _SPACED_CALL.fullmatch(rest.strip(" \t\r`*\"',.;"))
        if call is None:
            return []
        name = call[1]
        inside = call[2]
        words = words_of(name)
        if inside in ("s", "es") or words[0] in FILLERS:
            return []
        if not (FILLERS | STATING | STATES).isdisjoint(set(words) - PARTICLES):
            return []  # a remark: "the door is open (fridge.40)"
        is_weak = not (has_number(inside) or self._holds_object(inside))
        return [
            Step(
                name,
                self.inside(inside, -1),
                at,
                form="call",
                is_known=False,
                is_weak=is_weak,
                style=_style("", name),
            )
        ]

    def _holds_phrase(self, name: str, inside: str) -> bool:
        """Whether a call that takes a step has a string that says the step in words."""
        if self.in_words is None or not holds_step(name):
            return False
        found = (self.in_words(quoted[2]) for quoted in _QUOTED.finditer(inside))
        return any(meant is not None and meant.name for meant in found)

    def _holds_action(self, inside: str) -> bool:
        """Whether an action of the task is named between the brackets of a call."""
        return any(mention.is_action for mention in self.surfaces.mentions(inside))

    def _holds_object(self, inside: str) -> bool:
        """Whether an object of the task is named between the brackets of a call."""
        return any(not mention.is_action for mention in self.surfaces.mentions(inside))

    def _called_around(self, text: str, start: int, end: int, at: int) -> list[Step]:
        """Return the steps in a call such as ``Step(id=1, action="WALK", object="cup")``."""
        written = f"[{text[start:end]}]"
        block = scan_block(written, 0, end=len(written), most=2_000)
        collected = CollectedSteps(self)
        collected.read(block.group, 1)
        steps = [step for reading in collected.readings for step in reading.steps]
        for step in steps:
            step.at = at + start
        return steps

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
        label = _LABEL.match(unlisted)
        # "Object: cup" and "Action Input: cup" complete the step before them.
        is_label = label is not None and (
            is_object_key(label[1]) or key_words(label[1])[-1:] == ("input",)
        )
        count = len(words_of(text)) - sum(m.name.count("_") for m in mentions)
        if objects and (is_label or count <= 4 or _are_all(text[lead:], mentions, lead)):
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
        if is_heading or is_label:
            reading.is_like_step = False
            return
        names_action = label is not None and plain_key(label[1]) in ACTION_KEYS and bool(words)
        reading.is_like_step = (
            names_action
            or is_like_step(text[lead:], names_object=bool(objects))
            or is_like_step(bare, names_object=bool(objects))
        )

    # -------------------------------------------------------------- values

    def values(self, group: Group) -> list[ValueReading]:
        """Return the plans in a value: one, or one for each key that holds a plan of its own."""
        collected = CollectedSteps(self)
        collected.read(group, 0)
        return collected.finished(group)

    def completion_of(self, step: Step, node: Node) -> list[str]:
        """Return the objects of a step that stand in a value behind it."""
        return self.objects_of(node, step.max_objects)

    def objects_of(self, node: Node | None, max_objects: int) -> list[str]:
        """Return the objects in the value of a step."""
        if not isinstance(node, Group) or node.kind != "object":
            return self.inside(", ".join(texts_of(node)), max_objects)
        named: list[tuple[str, str]] = []
        for item in node.items:
            if not isinstance(item, Pair):
                continue
            key = item.key.value
            if not is_aside_key(key) or plain_key(key) == "id":
                named.append((key, ", ".join(texts_of(item.value))))
        return self.inside(", ".join(fitting_roles(named, max_objects)), max_objects)


def _named_objects(parts: Sequence[str]) -> list[tuple[str, str]]:
    """Return keyword and value of arguments such as ``object="light"``, without asides."""
    named: list[tuple[str, str]] = []
    for part in parts:
        keyword = _KEYWORD.match(part)
        if keyword is not None and not is_aside_key(keyword[1]):
            named.append((keyword[1], part[keyword.end() :]))
    return named


def _is_code_or_heading(name: str) -> bool:
    """Whether the name of a call is a word of code, or has one of headings: ``print``, ``plan``."""
    words = words_of(name)
    if name.lower() in CODE_WORDS or not HEADINGS.isdisjoint(words):
        return True
    return not ASIDE_KEYS.isdisjoint(words)


def _is_heading(text: str, bare: str) -> bool:
    """Whether a line is a heading: ``Plan:``, ``**Plan**`` or ``# Plan``.

    Args:
        text: The line.
        bare: The line without its number or bullet.
    """
    if bare.rstrip("*_` ").endswith(":") or text.rstrip().endswith(("**", "__")):
        return True
    return text.lstrip().startswith("#")


def _is_sentence(text: str, words: Sequence[str]) -> bool:
    """Whether a line is a question, or a sentence with a word that states something."""
    if text.rstrip("*_ ").endswith("?"):
        return True
    return text.rstrip().endswith((".", "!")) and not STATING.isdisjoint(words)


def _denies_action(text: str, mentions: Sequence[Mention]) -> bool:
    """Whether words before the first action of a line say that it is not to be done."""
    start = next((mention.start for mention in mentions if mention.is_action), None)
    if start is None:
        return False
    words = set(words_of(text[:start]))
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


def _style(before: str, name: str) -> str:
    """Return how a call is written: what its name is part of, and whether it is in capitals."""
    owner = _OWNER.search(before[-80:])
    return (owner[0] if owner else "") + ("NAME" if name.isupper() else "name")


def _seconds(written: str) -> float:
    """Return a time as a number: ``"00:56"``, ``"1.500"``."""
    seconds = 0.0
    for part in written.split(":"):
        seconds = seconds * 60 + float(part)
    return seconds


def may_precede_step(text: str) -> bool:
    """Whether a text holds nothing but brackets, quotes, or code such as ``robot.do(``."""
    return _OPENING.fullmatch(text) is not None or _CODE.fullmatch(text) is not None


def _closing(text: str, place: int, closer: str) -> int:
    """Return the offset of the bracket that closes one that was opened before a place; or -1."""
    opener = {")": "(", "]": "["}[closer]
    depth = 1
    for at in range(place, len(text)):
        if text[at] == opener:
            depth += 1
        elif text[at] == closer:
            depth -= 1
            if depth == 0:
                return at
    return -1
