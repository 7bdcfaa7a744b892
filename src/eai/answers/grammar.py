"""The second stage of reading, for plans: the steps in a line or in a value.

A step is an action of the task with the objects behind it. The vocabulary decides what belongs to
it, so that ``1. WALK kitchen - so that I am there``, ``{"do": "walk", "where": "kitchen"}``,
``walk(to=kitchen)`` and a row of a table are the same step. A name that the task does not have is
part of a step only where its form leaves no doubt: in a call, a script, or beside steps of the same
form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from eai.answers.doubts import has_number, is_like_step, leaves_out
from eai.answers.phrases import InWords
from eai.answers.plan import (
    ACTION_KEYS,
    ASIDE_KEYS,
    CALLING,
    CONNECTIVES,
    EXPLAINING,
    FILLERS,
    HEADINGS,
    NOTHING,
    OBJECT_KEYS,
    PARTICLES,
    STATES,
    STATING,
    ReadStep,
    has_id,
    shorten,
    tokens_of,
    words_of,
)
from eai.answers.surfaces import ActionForm, Mention, Surfaces, squeezed
from eai.answers.values import ELLIPSES, Group, Node, Pair, Text, encoded, scan_block

LONGEST_LINE = 600
"""Maximum number of characters of a line that holds a step."""
LONGEST_ROW = 20_000
"""Maximum number of characters of a line that is a row of calls."""
MAX_DEPTH = 12
"""Maximum nesting of a value in which steps are looked for."""


@dataclass(slots=True)
class Step:
    """A step that was read.

    Args:
        name: Name of the action: the task's, or as it is written if the task has none like it.
        arguments: Names of objects, ids, or names with ids, as they are written or in the task.
        at: Offset of the step.
        max_objects: Maximum number of objects of the action; -1 if it is not known.
        form: How it is written; the steps of one plan mostly have the same form.
        number: The number that stands before it.
        is_known: Whether the task has the action.
        is_cut: Whether the answer ends inside it.
        is_weak: Whether it may as well be code or talk: an unknown name without any object.
        written: The name as the answer writes it, if it differs.
        time: The time that stands before it.
        actor: Who takes it, if the answer says so: an arm of a robot.
        style: Whether a call is in capitals, and what stands before its name: ``robot.``.
        place: Indentation and bullet of its line; steps of one list have the same.
        has_pronoun: Whether a pronoun stands for an object of a step before it.
        is_loose: Whether more is said than the step takes, as in a sentence about several.
    """

    name: str
    arguments: list[str]
    at: int
    max_objects: int = -1
    form: str = "words"
    number: int | None = None
    is_known: bool = True
    is_cut: bool = False
    is_weak: bool = False
    written: str = ""
    time: float | None = None
    actor: str = ""
    style: str = ""
    place: str = ""
    is_loose: bool = False
    has_pronoun: bool = False

    @property
    def lacks_objects(self) -> bool:
        """Whether fewer objects were named than the action takes."""
        return len(self.arguments) < self.max_objects

    def as_read(self) -> ReadStep:
        """Return the step without what only reading needs, if possible as it is written."""
        same = self.written and squeezed(self.written) == squeezed(self.name)
        name = self.written if same else self.name
        return ReadStep(name, tuple(self.arguments), self.at, self.actor, self.number)

    def says_same(self, other: Step) -> bool:
        """Whether it says the same as another step."""
        return (squeezed(self.name), self.actor, _joined(self.arguments)) == (
            squeezed(other.name),
            other.actor,
            _joined(other.arguments),
        )


def _joined(arguments: Iterable[str]) -> str:
    return "".join(map(squeezed, arguments))


@dataclass(slots=True)
class LineReading:
    """The steps of a line, or what else it is.

    Args:
        steps: The steps in it, in order.
        number: The number before it.
        is_aside: Whether it only explains: a reason, a state, a comment.
        looks_listed: Whether it is an item of a list that could not be read.
        completion: Objects that complete the step before it.
        notes: What was understood that is not written.
        time: The time before it, in the unit of the answer.
        is_negated: Whether it says that a step is not to be done.
        is_like_step: Whether it may have been meant as a step, though it could not be read.
        leaves_out: Whether it stands for steps that are left out: ``...``, ``repeat this``.
        unread: Part of a line with steps that may be one as well.
    """

    steps: list[Step] = field(default_factory=list)
    number: int | None = None
    is_aside: bool = False
    looks_listed: bool = False
    completion: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    time: float | None = None
    is_negated: bool = False
    is_like_step: bool = False
    leaves_out: bool = False
    unread: str = ""


@dataclass(slots=True)
class ValueReading:
    """Steps of a value under one key; a value with several plans has several.

    Args:
        key: The key that frames them; empty if there is none.
        at: Offset of the value.
        steps: The steps, in order.
        unread: Texts that stand where a step is expected.
        left_out: Keys whose values were not read.
        notes: What was understood or left out.
        decision: A sentence that decides between several, from a key such as ``choice``.
        is_empty: Whether it is a plan without steps.
        is_cut: Whether the answer ends inside it.
    """

    key: str = ""
    at: int = 0
    steps: list[Step] = field(default_factory=list)
    unread: list[Text] = field(default_factory=list)
    left_out: dict[str, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    decision: str = ""
    is_empty: bool = False
    is_cut: bool = False


# ------------------------------------------------------------------ words and patterns

_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth firstly secondly thirdly"
    " finally lastly last next then afterwards afterward after that now once done subsequently"
)
_SAID = (
    "step action act move stage task subtask phase command instruction do execute perform call run"
    " please and also i you we he she it robot agent the should must will would ll can need needs"
    " has have to await yield return go ahead let us function functions tool call"
)
_LEADING = frozenset((_ORDINALS + " " + _SAID).split())
_FOREIGN_LETTER = r"\u0370-\u1fff\u3040-\u9fff\uac00-\ud7af"
_NUMBER = re.compile(
    rf"\(?\[?(\d{{1,6}})(?:\.\d{{1,3}})?(?=[\s.):,\]|\-_*{_FOREIGN_LETTER}]|$)[.):\]]*"
)
_TIME = re.compile(
    r"[\[(]?(?:t\s*=\s*)?(\d{1,6}(?::\d\d){1,2}|\d{1,7}\.\d{1,6}(?=\s*:)|\d{1,6}(?:\.\d+)?(?=\s?s\b))(?:\s?s\b)?[\])]?\s*[:|-]?"
)
_LETTER = re.compile(r"\(?(?:[a-zA-Z]|[ivxIVX]{1,5})[.)](?=\s)")
_BELOW_ZERO = re.compile(r"\s*-(\d{1,6})(?:\.0+)?\s?:\s?(?=\()")
_NAMED_NUMBER = re.compile(r"[^\W\d_]+[ _#-]{0,2}(\d{1,6})\b(?:\s*(?:/|of)\s*\d+)?\s*[.):\-_*]*")
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
_DASH = re.compile(r"\s[-\u2013\u2014]\s")
RESTATES = re.compile(r"[\s*_.]*(?::|->|\u2192|=)[\s*_]*`[\s`*_]*")
_BETWEEN_OBJECTS = re.compile(r"[^\W\d_]{2,}|\d+")
_KEYWORD = re.compile(r"\s*[\"']?([A-Za-z_]\w*)[\"']?\s*[=:]\s*(?=\S)")
_CALL = re.compile(
    r"(?:[A-Za-z_]\w*\.)*([^\W\d][\w\-]{0,60})\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)"
)
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
_CODE_WORDS = frozenset(
    [
        "echo",
        "print",
        "def",
        "return",
        "import",
        "from",
        "for",
        "while",
        "if",
        "elif",
        "else",
        "assert",
        "class",
        "with",
        "try",
        "except",
        "range",
        "len",
        "list",
        "dict",
        "tuple",
        "set",
        "input",
        "str",
        "int",
        "float",
        "bool",
        "isinstance",
        "enumerate",
        "zip",
        "main",
        "lambda",
        "pass",
        "break",
        "continue",
        "raise",
        "append",
        "extend",
        "sleep",
        "time",
        "json",
        "dumps",
        "loads",
        "super",
        "open_file",
        "format",
        "exec",
        "eval",
    ]
)
_SURE_CODE = re.compile(
    r"\s*(?:(?:async\s+)?def\s+\w+\s*\(|class\s+\w+\s*[:({]|import\s+[\w.]+|from\s+[\w.]+\s+import\b"
    r"|assert\s|@\w+\s*$|(?:export\s+)?(?:async\s+)?function\s+\w*\s*\(|if\s+__name__"
    r"|(?:asyncio|subprocess|console|logger|logging|time|os|sys|json|print)\b\.?\w*\()"
)
"""Lines of programs that are no step, wherever they stand."""
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
"""What stands between two steps in words."""
_ASIDE = re.compile(r"\([^()]*\)")
_PRONOUN = re.compile(r"\b(?:it|them|that|this)\b", re.IGNORECASE)
_TALKING = (
    EXPLAINING
    | STATES
    | frozenset(
        [
            "expected",
            "because",
            "summary",
            "thought",
            "observation",
            "rationale",
            "precondition",
            "preconditions",
            "effect",
            "effects",
            "result",
            "outcome",
            "confidence",
            "check",
            "checked",
            "checks",
            "verified",
            "verification",
            "note",
            "why",
            "purpose",
            "duration",
            "time",
            "cost",
            "assumption",
            "assumptions",
            "initial",
            "current",
            "status",
        ]
    )
)
_FIRST_ROLES = frozenset(
    [
        "object",
        "obj",
        "item",
        "what",
        "entity",
        "thing",
        "source",
        "arg1",
        "object1",
        "objects",
        "from",
    ]
)
_LAST_ROLES = frozenset(
    [
        "target",
        "destination",
        "to",
        "receptacle",
        "location",
        "on",
        "in",
        "into",
        "where",
        "surface",
        "container",
        "with",
        "recipient",
        "place",
        "arg2",
        "object2",
        "onto",
    ]
)
_SCHEMA_KEYS = frozenset(["type", "name", "kind", "role", "format", "class", "title", "id"])
"""Keys of wrappers, which may be names of actions as well."""
_CHOSEN_KEYS = frozenset(
    ["selected", "chosen", "is_final", "final", "accepted", "recommended", "best", "is_best"]
)
_GOING_ON = CONNECTIVES | frozenset(["later", "after", "else", "extra", "more"])
"""Words in keys of steps that come behind others."""
_LABELLED = re.compile(r"(?:(?:option|plan|candidate|alternative|version|variant)_)?([a-z]|\d)")
_DECIDING = re.compile(r"choice|chosen|select|decision|best|preferred|recommended|winner|pick")
_DENYING_KEYS = frozenset(
    ["execute", "do", "enabled", "active", "include", "included", "valid", "performed"]
)
_SKIPPING_KEYS = frozenset(["skip", "skipped", "omit", "omitted", "ignore", "disabled", "removed"])
_SIDE_WORDS = PARTICLES | frozenset(
    ["a", "an", "the", "at", "by", "from", "of", "top", "with", "using", "inside"]
)
_NEGATIONS = frozenset(
    ["not", "never", "no", "without", "avoid", "skip", "cannot", "dont", "nicht", "pas"]
)
_SIGNALS = frozenset(["start", "begin", "end", "done", "finish", "finished", "stop"])
"""Calls without objects that begin or end a plan and are no step, unless the task has them."""


@lru_cache(maxsize=4096)
def plain_key(key: str) -> str:
    """Return a key in small letters, with underscores between its words."""
    bare = key.strip(" \t?!.:*`")
    return re.sub(r"[\s\-]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", bare)).lower()


@lru_cache(maxsize=4096)
def key_words(key: str) -> tuple[str, ...]:
    """Return the words of a key without numbers."""
    return tuple(word for word in plain_key(key).strip("0123456789_").split("_") if word)


@lru_cache(maxsize=4096)
def is_aside_key(key: str) -> bool:
    """Whether a key stands over explanations, states, numbers or other asides."""
    words = key_words(key)
    return any(word in EXPLAINING or word in STATES for word in words) or (
        plain_key(key) in ASIDE_KEYS | {"type", "role", "confidence", "status", "kind", "usage"}
    )


@lru_cache(maxsize=4096)
def is_object_key(key: str) -> bool:
    """Whether a key names the objects of a step: ``object``, ``target_location``, ``arg1``."""
    words = key_words(key)
    return bool(words) and all(word in OBJECT_KEYS for word in words)


def is_heading_key(key: str) -> bool:
    """Whether a key stands over a plan: ``plan``, ``executable_plan``."""
    return plain_key(key) in HEADINGS or key_words(key)[-1:] in (
        ("plan",),
        ("actions",),
        ("steps",),
    )


@lru_cache(maxsize=4096)
def is_numbering(key: str) -> bool:
    """Whether a key only numbers what stands under it: ``step_1``, ``3``."""
    return (
        re.fullmatch(r"(?:(?:step|action|time|t|task|subtask|move)[ _\-]*)?#?\d+", plain_key(key))
        is not None
    )


def _number_of(key: str) -> int | None:
    digits = re.search(r"\d+", key)
    return int(digits[0]) if digits and len(digits[0]) < 7 else None


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

    def line(  # noqa: C901, PLR0912
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
        if reading.is_aside and reading.number is not None:
            mentions = self.surfaces.mentions(text)
            first = self.call_behind_words(text, mentions)
            if first is not None:
                reading.is_aside = False
                reading.steps = self._known_steps(text, at, mentions, first)
                for step in reading.steps:
                    step.number = reading.number
                return reading
        if (
            reading.is_aside
            or (is_code and _COMMENT.match(text))
            or text.lstrip().startswith(("//", ";"))
        ):
            reading.is_aside = True
            return reading
        if _SURE_CODE.match(text):
            reading.is_aside = True
            return reading
        if _CODE_LINE.match(text) and (is_code or text.rstrip().endswith(":")):
            reading.is_aside = not text.lstrip().startswith(("for", "while"))
            return reading
        if self.in_words is not None and self._add_steps_in_words(text, at, lead, reading):
            return reading
        mentions = self.surfaces.with_separated(text, self.surfaces.mentions(text))
        first = self._first_action(text, lead, mentions, is_numbered=reading.number is not None)
        if first is None and reading.number is not None:
            first = self.call_behind_words(text, mentions)
        if first is not None:
            is_numbered = reading.number is not None
            reading.steps = self._known_steps(text, at, mentions, first, is_numbered=is_numbered)
        else:
            reading.steps = self._unknown_steps(text, at, lead, meant=meant)
        is_heading = not is_code and _HEADING.match(text) is not None
        place = f"{len(text) - len(text.lstrip())} {text.lstrip()[:1].strip('0123456789')}"
        if first is None and not reading.steps and any(m.is_action for m in mentions):
            words = set(words_of(text[: next(m.start for m in mentions if m.is_action)]))
            reading.is_negated = not _NEGATIONS.isdisjoint(words) or "don" in words
        for step in reading.steps:
            step.number = reading.number
            reading.number = None if len(reading.steps) > 1 else reading.number
            step.form = "heading" if is_heading and step.form == "words" else step.form
            step.time = reading.time
            step.place = place
        if not reading.steps:
            self._not_a_step(text, lead, mentions, reading)
        elif reading.steps[-1].form == "call" and self._names_other(text, mentions):
            reading.unread = text.strip()
        return reading

    @staticmethod
    def _names_other(text: str, mentions: Sequence[Mention]) -> bool:
        """Whether a line names a step besides those it has: ``WALK(x) or OPEN(y)``."""
        found = _CALL_BEHIND_DASH.search(text)
        if found is not None and all(m.start != found.start(1) for m in mentions):
            return True
        if " or " not in text:
            return False
        starts = [m.start for m in mentions if m.is_action]
        starts += [found.start() for found in _CALL.finditer(text)]
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
            written = text[place : found.start() if found else len(text)]
            meant = self._meant_in_words(written)
            if meant is None or not meant.name:
                reading.looks_listed = meant is not None and not reading.steps
                break
            step = Step(meant.name, list(meant.arguments), at + place, len(meant.arguments))
            step.place = f"{len(text) - len(text.lstrip())} {text.lstrip()[:1].strip('0123456789')}"
            step.number, step.time = reading.number, reading.time
            reading.steps.append(step)
            step.is_loose = "more objects" in meant.note
            if meant.note:
                reading.notes.append(f"{shorten(written.strip())}: {meant.note}")
            place = found.end() if found else len(text)
        return bool(reading.steps) or reading.is_negated

    def _meant_in_words(self, written: str) -> InWords | None:
        """Read words: without what stands in brackets or behind a colon, unless it is needed."""
        assert self.in_words is not None  # noqa: S101 - the caller looked
        begun: InWords | None = None
        for part in (*_ASIDE.sub(" ", written).split(":"), written):
            meant = self.in_words(part)
            if meant is not None and meant.name:
                return meant
            begun = begun or meant
        return begun

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

    def _lead(self, text: str, reading: LineReading) -> int:  # noqa: C901
        """Return where a line begins to say something: behind numbers, bullets and labels."""
        place, size = 0, len(text)
        if found := _BELOW_ZERO.match(text):
            reading.number = -int(found[1])  # a time, of which only the order counts
            place = found.end()
        while place < size:
            if (found := _MARKS.match(text, place) or _FOREIGN.match(text, place)) or (
                found := _LETTER.match(text, place)
            ):
                place = found.end()
            elif reading.time is None and (found := _TIME.match(text, place)):
                reading.time = _seconds(found[1])
                place = found.end()
            elif found := _NUMBER.match(text, place):
                reading.number = int(found[1]) if reading.number is None else reading.number
                place = found.end()
            elif (found := _NAMED_NUMBER.match(text, place)) and not self._names(found):
                if not _TALKING.isdisjoint(words_of(found[0])):
                    reading.is_aside = True
                    return place
                reading.number = int(found[1]) if reading.number is None else reading.number
                place = found.end()
            elif (found := _LABEL.match(text, place)) and not self._names(found):
                words = words_of(found[1])
                is_assigned = found[0].rstrip().endswith("=") and _CALL.match(text, found.end())
                if not (_TALKING.isdisjoint(words) or "action" in words or is_assigned):
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
            if may_precede_step(before):
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
    ) -> list[Step]:
        """Return the steps of a line from its first action on."""
        steps: list[Step] = []
        place: int | None = first
        while place is not None:
            step, end = self._step(text, at, mentions, place)
            if (
                step.lacks_objects
                and steps
                and _PRONOUN.search(text, mentions[place].end, end + 12)
            ):
                previous = next((s.arguments[-1] for s in reversed(steps) if s.arguments), None)
                step.arguments += [previous] if previous is not None else []
            elif step.lacks_objects and _PRONOUN.search(text, mentions[place].end, end + 12):
                step.has_pronoun = True
            steps.append(step)
            following = (n for n in range(place + 1, len(mentions)) if mentions[n].start >= end)
            place = next((n for n in following if mentions[n].is_action), None)
            if place is None:
                if steps[-1].form == "words" and len(words_of(text[end:])) > _MAX_REMARK:
                    steps[-1].is_loose = _LOOSE.match(text[end:]) is not None
                break
            if not CONNECTING.fullmatch(text, end, mentions[place].start):
                steps[-1].is_loose = steps[-1].form == "words" and steps[-1].number is None
                break
            if (
                steps[0].number is None
                and is_numbered
                and _DASH.search(text, end, mentions[place].start)
            ):
                break
            if len(steps) == 1 and RESTATES.fullmatch(text, end, mentions[place].start):
                steps.clear()  # "Find a Mug: find(Mug)" says one step in two ways
        return steps

    def _step(
        self, text: str, at: int, mentions: Sequence[Mention], place: int
    ) -> tuple[Step, int]:
        """Return the step whose action is a mention, and where it ends in the text."""
        mention = mentions[place]
        action = self.surfaces.by_name[mention.name]
        step = Step(action.name, [], at + mention.start, action.max_objects)
        step.written = text[mention.start : mention.end]
        step.style = _style(text[: mention.start], step.written)
        bracketed = self._bracketed(text, mention)
        if bracketed is not None:
            start, end, is_closed = bracketed
            step.form = "call"
            step.is_cut = not is_closed
            step.arguments = self.inside(text[start:end], action.max_objects)
            if step.lacks_objects and is_closed:
                end = self._complete(step, text, mentions[place + 1 :], end + 1) - 1
            return step, end + 1
        if text[: mention.start].endswith("(") and text[mention.end : mention.end + 1] in (
            " ",
            ")",
        ):
            close = _closing(text, mention.end, ")")
            inside = text[mention.end : close if close >= 0 else len(text)]
            step.form, step.is_cut = "pddl", close < 0
            if self.surfaces.predicates and plain_key(step.written) != plain_key(action.name):
                step.name, step.is_known = step.written, False  # (pickup a) is not pick-up
            step.arguments = self.inside(
                ", ".join(inside.replace(",", " ").split()), action.max_objects
            )
            return step, (close if close >= 0 else len(text))
        stop = self._end_of_step(text, mention.end)
        following = [m for m in mentions[place + 1 :] if m.start < stop]
        behind = next((m.start for m in following if m.is_action), stop)
        objects = [m for m in following if not m.is_action and m.start < behind]
        objects = objects[: action.max_objects]
        end = objects[-1].end if objects else mention.end
        step.arguments = [m.name for m in objects]
        if step.lacks_objects:
            written = text[end : min(stop, behind)]
            unknown = self._unknown_objects(written)
            if unknown:
                step.arguments += unknown
                end += len(written.rstrip())
        return step, end

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
            if words_of(text[place : mention.start]) and not _SIDE_WORDS.issuperset(
                words_of(text[place : mention.start])
            ):
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
        """Return the objects between the brackets of a call, as they are written or named."""
        parts = [part for part in re.split(r",(?![^(\[]*[)\]])", inside) if part.strip()]
        keyed = [(_KEYWORD.match(part), part) for part in parts]
        if parts and all(found for found, _ in keyed):
            named = [(found[1], part[found.end() :]) for found, part in keyed if found]
            named = [(key, value) for key, value in named if not is_aside_key(key)]
            inside = ", ".join(fitting_roles(named, max_objects))
        objects = self.surfaces.mentions(inside)
        if len(objects) == max_objects and not any(m.is_action for m in objects):
            rest = inside
            for mention in reversed(objects):
                rest = rest[: mention.start] + " " + rest[mention.end :]
            if not _BETWEEN_OBJECTS.search(
                " ".join(w for w in words_of(rest) if w not in _SIDE_WORDS)
            ):
                return [mention.name for mention in objects]
        bare = inside.strip().strip("[]{}()\"'")
        return [] if bare in NOTHING else [token.strip("[](){}\"'") for token in tokens_of(bare)]

    @staticmethod
    def _end_of_step(text: str, place: int) -> int:
        """Return where what is said of a step ends: at a comment, a reason, a sentence."""
        searched = place
        while found := _END_OF_STEP.search(text, searched):
            between = text[place : found.start()]
            if any(map(str.isalnum, between)) or found[0].strip() in ("#", "//", "/*"):
                return found.start()
            searched = found.end()
        return len(text)

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

    def _unknown_steps(self, text: str, at: int, lead: int, *, meant: bool) -> list[Step]:  # noqa: C901
        """Return the steps of a line in a form that only steps have; their actions are unknown."""
        rest = text[lead:]
        if found := _SCRIPT.match(rest):
            parts = [(name or number).strip() for name, number in _SCRIPT_PART.findall(found[2])]
            return [
                Step(found[1], [p for p in parts if p], at + lead, form="script", is_known=False)
            ]
        steps = self._unknown_calls(rest, at + lead, meant=meant) or self._spaced_call(
            rest, at + lead
        )
        if steps:
            return steps
        bare = rest.strip(" \t\r`*\"',.;")
        if found := _PDDL.fullmatch(bare):
            name, objects = found[1].lower(), found[2].replace(",", " ").split()
            words = {name, *(each.lower() for each in objects)}
            if not (FILLERS | STATING).isdisjoint(words):
                return []  # a remark in brackets
            if not objects and (name in _SIGNALS or name in HEADINGS):
                return []
            if squeezed(name) in self.surfaces.objects and all(map(str.isdigit, objects)):
                return []  # an object and its id
            return [
                Step(found[1], objects, at + lead, form="pddl", is_known=False, is_weak=not objects)
            ]
        found = _CAPITALS.match(bare)
        if found and found[1].lower() not in HEADINGS and len(bare.split()) < 8:
            name, objects = found[1], found[2] or ""
            particle, _, behind = objects.partition(" ")
            if particle.isupper() and particle.lower() in PARTICLES:
                name, objects = f"{name} {particle}", behind
            known = any(not m.is_action for m in self.surfaces.mentions(objects))
            if known or meant or self._has_id(objects):
                return [Step(name, tokens_of(objects), at + lead, form="words", is_known=False)]
        if self.is_free or meant:
            return self._unknown_words(bare, at + lead)
        return []

    def _unknown_words(self, bare: str, at: int) -> list[Step]:
        """Return a step of words: its action, perhaps with a particle, then names with ids."""
        words = bare.replace(",", " ").split()
        if not 1 < len(words) < 8 or not words[0].replace("_", "a").replace("-", "a").isalpha():
            return []
        size = 2 if words[1].lower() in PARTICLES and len(words) > 2 else 1
        objects = words[size:]
        if words[0].lower() in FILLERS or not FILLERS.isdisjoint(w.lower() for w in objects):
            return []
        if not self._has_id(" ".join(objects)):
            return []
        name = " ".join(words[:size])
        return [Step(name, tokens_of(" ".join(objects)), at, form="words", is_known=False)]

    @staticmethod
    def _has_id(objects: str) -> bool:
        return any(
            has_id(word.strip("<>()[],;.\"'")) or word.strip("()#").isdigit()
            for word in objects.split()
        )

    def _unknown_calls(self, rest: str, at: int, *, meant: bool) -> list[Step]:
        """Return the calls that a line consists of."""
        steps: list[Step] = []
        place = len(rest) - len(rest.lstrip("\"'`"))
        while found := _CALL.match(rest, place):
            name, inside = found[1], found[2]
            words = words_of(name)
            is_code = (
                name.lower() in _CODE_WORDS
                or not HEADINGS.isdisjoint(words)
                or (not ASIDE_KEYS.isdisjoint(words))
            )
            if not is_code and self._holds_action(inside):
                steps += self._called_around(rest, found.start(), found.end(), at)
                place = found.end()
                continue
            is_code = is_code or squeezed(name) in self.surfaces.predicates
            if is_code or inside in ("s", "es") or (name.lower() in _SIGNALS and not inside):
                return steps
            weak = not (
                meant
                or name.isupper()
                or has_number(inside)
                or any(not m.is_action for m in self.surfaces.mentions(inside))
            )
            if weak and inside.strip() and not _REST.match(rest, found.end()):
                return steps  # a call in a sentence or in code
            style = _style(rest[: found.start(1)], name)
            steps.append(
                Step(
                    name,
                    self.inside(inside, -1),
                    at + place,
                    form="call",
                    is_known=False,
                    is_weak=weak,
                    style=style,
                )
            )
            between = re.compile(r"[\s,;.]*(?:->|\u2192|then|and)?\s*(?:\d+[.):]\s*)?").match(
                rest, found.end()
            )
            place = between.end() if between else found.end()
        found = None if steps else _OPEN_CALL.fullmatch(rest)
        if (
            found
            and HEADINGS.isdisjoint(words_of(found[1]))
            and found[1].lower() not in _CODE_WORDS
        ):
            return [Step(found[1], [], at, form="call", is_known=False, is_cut=True)]
        return steps

    def _spaced_call(self, rest: str, at: int) -> list[Step]:
        """Return a call whose name is several words: ``turn on(fridge.40)``."""
        found = _SPACED_CALL.fullmatch(rest.strip(" \t\r`*\"',.;"))
        if found is None or found[2] in ("s", "es"):
            return []
        words = words_of(found[1])
        if words[0] in FILLERS or not (FILLERS | STATING | STATES).isdisjoint(
            set(words) - PARTICLES
        ):
            return []
        named = any(not m.is_action for m in self.surfaces.mentions(found[2]))
        weak = not (has_number(found[2]) or named)
        style = _style("", found[1])
        arguments = self.inside(found[2], -1)
        return [
            Step(found[1], arguments, at, form="call", is_known=False, is_weak=weak, style=style)
        ]

    def _holds_action(self, inside: str) -> bool:
        return any(mention.is_action for mention in self.surfaces.mentions(inside))

    def _called_around(self, text: str, start: int, end: int, at: int) -> list[Step]:
        """Return the steps in a call such as ``Step(id=1, action="WALK", object="cup")``."""
        written = f"[{text[start:end]}]"
        block = scan_block(written, 0, end=len(written), most=2_000)
        collected = _Collected(self)
        collected.read(block.group, 1)
        steps = [step for reading in collected.readings for step in reading.steps]
        for step in steps:
            step.at = at + start
        return steps

    def _not_a_step(
        self, text: str, lead: int, mentions: Sequence[Mention], reading: LineReading
    ) -> None:
        """Say what a line is that holds no step: objects of the step before it, or an item."""
        objects = [mention.name for mention in mentions if not mention.is_action]
        label = _LABEL.match(text.strip(" \t-*+\u2022"))
        is_label = label is not None and (
            is_object_key(label[1]) or key_words(label[1])[-1:] == ("input",)
        )
        if objects and (is_label or len(words_of(text)) <= 4):
            reading.completion = objects
        elif is_label and label is not None:
            reading.completion = tokens_of(text.strip(" \t-*+\u2022")[label.end() :].strip())
        begin = text[:lead].strip()
        listed = reading.number is not None or begin[:1] in ("-", "*", "+", "\u2022")
        words = words_of(text[lead:])
        bare = text.strip().lstrip("-*+\u2022#0123456789.) ")
        is_heading = (
            bare.rstrip("*_` ").endswith(":")
            or text.rstrip().endswith(("**", "__"))
            or (text.lstrip().startswith("#"))
        )
        is_sentence = text.rstrip().endswith((".", "!")) and not STATING.isdisjoint(words)
        reading.looks_listed = listed and bool(words) and not (is_sentence or is_heading)
        reading.leaves_out = leaves_out(text)
        is_remark = is_heading or is_label
        names_action = label is not None and plain_key(label[1]) in ACTION_KEYS and bool(words)
        reading.is_like_step = not is_remark and (
            names_action
            or is_like_step(text[lead:], names_object=bool(objects))
            or is_like_step(bare, names_object=bool(objects))
        )

    # -------------------------------------------------------------- values

    def values(self, group: Group) -> list[ValueReading]:
        """Return the plans in a value: one, or one for each key that holds a plan of its own."""
        collected = _Collected(self)
        collected.read(group, 0)
        return collected.finished(group)

    def step_of_texts(self, texts: Sequence[Text], at: int) -> Step | None:
        """Return the step in a list of texts: its action first, then its objects."""
        name = texts[0].value.strip()
        action = self.surfaces.action(name)
        if action is None:
            return None
        inside = ", ".join(text.value for text in texts[1:])
        return Step(
            action.name, self.inside(inside, action.max_objects), at, action.max_objects, "list"
        )

    def objects_of(self, node: Node | None, max_objects: int) -> list[str]:
        """Return the objects in the value of a step."""
        if isinstance(node, Group) and node.kind == "object":
            pairs = [item for item in node.items if isinstance(item, Pair)]
            named = [(p.key.value, ", ".join(texts_of(p.value))) for p in pairs]
            named = [
                (key, value)
                for key, value in named
                if not is_aside_key(key) or plain_key(key) == "id"
            ]
            return self.inside(", ".join(fitting_roles(named, max_objects)), max_objects)
        return self.inside(", ".join(texts_of(node)), max_objects)


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


def in_order_of_roles(named: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return named objects in the order of an action's parameters: what is moved, then where to."""
    are_numbered = all(plain_key(key)[-1:] in "123456789" and plain_key(key) for key, _ in named)

    def rank(pair: tuple[str, str]) -> int:
        words = set(key_words(pair[0])) | {plain_key(pair[0])}
        if are_numbered:
            return int(plain_key(pair[0])[-1])
        if words & _LAST_ROLES:
            return 2
        return 0 if words & _FIRST_ROLES else 1

    return sorted(named, key=rank)


def fitting_roles(named: Sequence[tuple[str, str]], max_objects: int) -> list[str]:
    """Return named objects in order; where they are too many, without those that say only where."""
    ordered = in_order_of_roles(named)
    if 0 < max_objects < len(ordered):
        kept = [pair for pair in ordered if set(key_words(pair[0])).isdisjoint(_LAST_ROLES)]
        ordered = kept if len(kept) == max_objects else ordered
    return [value for _, value in ordered]


def texts_of(node: Node | None) -> Iterator[str]:
    """Yield the texts in a value in order; of named objects in the order of their roles."""
    if isinstance(node, Text):
        yield node.value
    elif node is not None:
        if node.name is not None:
            yield node.name.value
        pairs = [
            (item.key.value, ", ".join(texts_of(item.value)))
            for item in node.items
            if isinstance(item, Pair)
        ]
        if pairs:
            kept = [
                (key, value)
                for key, value in pairs
                if not is_aside_key(key) or plain_key(key) == "id"
            ]
            for _, value in in_order_of_roles(kept):
                yield value
        for item in node.items:
            if not isinstance(item, Pair):
                yield from texts_of(item)


class _Collected:
    """Collects the plans of one value."""

    def __init__(self, grammar: StepGrammar) -> None:
        self.grammar = grammar
        self.readings: list[ValueReading] = [ValueReading()]
        self.decision = ""

    @property
    def current(self) -> ValueReading:
        return self.readings[-1]

    def finished(self, group: Group) -> list[ValueReading]:
        """Return the plans that hold something."""
        for reading in self.readings:
            reading.at = reading.at or group.at
            reading.is_cut = group.cut and reading is self.readings[-1]
            reading.decision = self.decision
        return [each for each in self.readings if each.steps or each.is_empty or each.unread]

    def read(self, node: Node | None, depth: int) -> None:
        """Read a value that stands where steps are expected."""
        if node is None or depth > MAX_DEPTH:
            return
        if isinstance(node, Text):
            self.read_text(node)
        elif node.kind == "table":
            self.read_table(node, depth)
        elif node.kind == "call" and node.name is not None:
            self.read_call(node, depth)
        elif node.kind == "object":
            self.read_object(node, depth)
        else:
            self.read_list(node, depth)

    def read_text(self, text: Text) -> None:
        """Read a string that stands where a step is expected."""
        inside = self.grammar.nested(text)
        if inside is not None:
            self.current.steps += inside
            return
        reading = self.grammar.line(text.value, text.at, meant=True)
        is_left_out = not text.quoted and text.value.strip() in ELLIPSES
        if squeezed(text.value) in _SIGNALS:
            self.current.left_out[text.value] = None
        elif not reading.steps and (is_left_out or any(map(str.isalnum, text.value))):
            self.current.unread.append(text)
        for step in reading.steps:
            step.at = text.at
            step.is_cut = step.is_cut or text.cut
        self.current.steps += reading.steps

    def read_call(self, node: Group, depth: int) -> None:
        """Read ``WALK(light)``, or a call around a step: ``Action("WALK", "light")``."""
        name = node.name.value if node.name is not None else ""
        action = self.grammar.surfaces.action(name.rpartition(".")[2])
        inner = node.items
        pairs = [item for item in inner if isinstance(item, Pair)]
        if action is None and pairs and len(pairs) == len(inner):
            before = len(self.current.steps)
            self.read_object(replace(node, kind="object", name=None), depth + 1)
            if len(self.current.steps) > before:
                return
        if action is None and inner:
            first = inner[0].value if isinstance(inner[0], Pair) else inner[0]
            if isinstance(first, Text) and self.grammar.surfaces.action(first.value):
                self.read(
                    replace(
                        node, kind="list" if not isinstance(inner[0], Pair) else "object", name=None
                    ),
                    depth + 1,
                )
                return
        objects = replace(node, kind="list", name=None)
        max_objects = action.max_objects if action else -1
        step = Step(
            action.name if action else name.rpartition(".")[2].strip(),
            self.grammar.objects_of(objects, max_objects),
            node.at,
            max_objects,
            "call",
            is_known=action is not None,
            is_cut=node.cut,
            written=name.rpartition(".")[2].strip(),
        )
        if action is None and (name.lower() in _CODE_WORDS or name.lower() in HEADINGS):
            for item in node.items:
                self.read(item.value if isinstance(item, Pair) else item, depth + 1)
            return
        self.current.steps.append(step)

    def read_list(self, node: Group, depth: int) -> None:
        """Read a list: of steps, or one step as a list of words (``["WALK", "light"]``)."""
        if not node.items and not node.cut:
            self.current.is_empty = True
        # Of names that nobody knows a list alone may be any list of words.
        step = None if self.grammar.is_free and depth == 0 else self.list_step(node)
        if step is not None:
            self.current.steps.append(step)
            return
        plans = [item for item in node.items if isinstance(item, Group) and self.is_plan(item)]
        for item in node.items:
            if isinstance(item, Group) and item in plans and len(plans) > 1:
                self.readings.append(ValueReading("alternative", item.at))
            self.read(item.value if isinstance(item, Pair) else item, depth + 1)

    def is_plan(self, group: Group) -> bool:
        """Whether a list in a list is a plan of its own: it holds several whole steps."""
        if group.kind != "list" or self.list_step(group) is not None or len(group.items) < 2:
            return False
        return all(isinstance(item, (Text, Group)) for item in group.items)

    def list_step(self, group: Group) -> Step | None:
        """Return the step of a list whose first item is an action and whose rest are objects."""
        items = group.items
        if not items or not isinstance(items[0], Text):
            return None
        surfaces = self.grammar.surfaces
        first = items[0]
        texts = [item for item in items if isinstance(item, Text)]
        if self.grammar.is_free:
            is_name = first.value.replace("_", "a").replace(" ", "a").isalpha()
            whole = any(self.grammar.line(text.value, 0).steps for text in texts)
            if len(texts) < len(items) or not is_name or whole or len(items) < 2:
                return None
            return Step(
                first.value,
                self.grammar.objects_of(replace(group, items=items[1:]), -1),
                group.at,
                form="list",
                is_known=False,
            )
        action = surfaces.action(first.value)
        if action is None:
            return self.unknown_list_step(group, texts)
        others = [item for item in items[1:] if isinstance(item, Text) and self._is_step_text(item)]
        if others or (len(items) > 1 and action.max_objects == 0):
            return None
        if len(items) == 1 and action.max_objects > 0:
            return None
        rest = replace(group, items=items[1:])
        return Step(
            action.name,
            self.grammar.objects_of(rest, action.max_objects),
            first.at,
            action.max_objects,
            "list",
            is_cut=group.cut,
            written=first.value.strip(),
        )

    def unknown_list_step(self, group: Group, texts: Sequence[Text]) -> Step | None:
        """Return the step of a list whose action is unknown, but whose object the task has."""
        first = texts[0].value
        if len(texts) != len(group.items) or len(texts) < 2 or not first.isidentifier():
            return None
        if any(self._is_step_text(text) for text in texts):
            return None
        objects = ", ".join(text.value for text in texts[1:])
        named = any(not m.is_action for m in self.grammar.surfaces.mentions(objects))
        if not (named or first.isupper()):
            return None
        if self.grammar.surfaces.mentions(first):
            return None
        return Step(
            first,
            self.grammar.objects_of(replace(group, items=group.items[1:]), -1),
            group.at,
            form="list",
            is_known=False,
            is_cut=group.cut,
        )

    def _is_step_text(self, text: Text) -> bool:
        mentions = self.grammar.surfaces.mentions(text.value)
        return (
            bool(mentions)
            and mentions[0].is_action
            and (len(mentions) > 1 or self.grammar.surfaces.action(text.value) is not None)
        )

    def read_table(self, node: Group, depth: int) -> None:
        """Read a table: each row is a step, whatever its columns are called.

        Columns of whole steps are plans of their own.
        """
        rows = [row for row in node.items if isinstance(row, Group)]
        columns = self.columns_of_steps(rows)
        if len(columns) > 1:
            for key, steps in columns.items():
                self.readings.append(ValueReading(key, node.at, steps))
            return
        for row in rows:
            self.read_row(row, depth)

    def columns_of_steps(self, rows: Sequence[Group]) -> dict[str, list[Step]]:
        """Return the columns that hold a whole step in at least half of their rows."""
        columns: dict[str, list[Step]] = {}
        for row in rows:
            for pair in row.items:
                if not isinstance(pair, Pair) or not isinstance(pair.value, Text):
                    continue
                if self._is_remark_column(pair.key.value):
                    continue
                steps = self.grammar.line(pair.value.value, pair.value.at, meant=True).steps
                if len(steps) == 1 and steps[0].is_known and not steps[0].lacks_objects:
                    columns.setdefault(pair.key.value, []).append(steps[0])
        return {key: steps for key, steps in columns.items() if 2 * len(steps) >= len(rows) > 1}

    def read_row(self, row: Group, depth: int) -> None:
        """Read one row of a table."""
        before = len(self.current.steps)
        self.read_object(row, depth + 1)
        if len(self.current.steps) > before:
            return
        cells = [p for p in row.items if isinstance(p, Pair) and isinstance(p.value, Text)]
        if self.is_denied(cells):
            return
        kept = [
            pair.value.value
            for pair in cells
            if isinstance(pair.value, Text) and not self._is_remark_column(pair.key.value)
        ]
        reading = self.grammar.line(" ".join(kept), row.at, meant=True)
        self.current.steps += reading.steps
        if not reading.steps and any(map(str.isalnum, "".join(kept))):
            self.current.unread.append(Text(" | ".join(kept), row.at, row.end, quoted=True))

    @staticmethod
    def _is_remark_column(key: str) -> bool:
        words = key_words(key)
        return any(word in _TALKING for word in words)

    def read_object(self, node: Group, depth: int) -> None:
        """Read an object: a step with named parts, actions as keys, or a wrapper."""
        pairs = [item for item in node.items if isinstance(item, Pair)]
        if not pairs:
            self.current.is_empty = self.current.is_empty or not node.cut
            return
        if self.is_denied(pairs):
            self.current.notes["a step that is not to be executed was left out"] = None
            return
        if self.read_named(pairs, node, depth):
            return
        if self.read_only_text(pairs):
            return
        inside = [self.plans_under(pair, depth) for pair in pairs]
        flag = self.flag_of(pairs)
        if flag:
            for found in inside:
                self.take_in(found, flag, as_own=True) if found else None
            return
        self.read_pairs(pairs, inside, depth)

    def read_pairs(
        self, pairs: Sequence[Pair], inside: Sequence[list[ValueReading]], depth: int
    ) -> None:
        """Read the pairs of an object; what stands beside a plan and may belong to it is unread."""
        plans = [pair for pair, found in zip(pairs, inside, strict=True) if found]
        has_plan = any(self.grammar.surfaces.action(pair.key.value) is None for pair in plans)
        has_heading = any(is_heading_key(pair.key.value) for pair in plans)
        doubts: list[Text] = []
        kept: list[tuple[Pair, list[ValueReading]]] = []
        for pair, found in zip(pairs, inside, strict=True):
            key = plain_key(pair.key.value)
            if found:
                is_own = is_heading_key(key) or frames(key) or _LABELLED.fullmatch(key) is not None
                is_doubt = has_heading and not is_own
            else:
                is_doubt = has_plan and self.is_step_beside(pair)
            if is_doubt:
                doubts.append(_written(pair))
            elif (
                has_heading
                and not found
                and (isinstance(pair.value, Group) or is_object_key(key) or key in ACTION_KEYS)
            ):
                self.current.left_out[pair.key.value] = None
            else:
                kept.append((pair, found))
        before = len(self.readings)
        count = sum(any(r.steps or r.is_empty for r in found) for _, found in kept)
        for pair, found in kept:
            self.read_pair(pair, found, depth, is_alone=count < 2)
        for reading in self.readings[before - 1 :]:
            if reading.steps or reading.is_empty or len(self.readings) == before:
                reading.unread += doubts

    def is_step_beside(self, pair: Pair) -> bool:
        """Whether a key beside one that holds a plan is a step, or holds one in its text."""
        key = plain_key(pair.key.value)
        if is_aside_key(key) or key in HEADINGS or is_object_key(key) or is_rejected_key(key):
            return False
        if self.grammar.surfaces.action(key) is not None:
            return key not in _SCHEMA_KEYS or self._names_object(pair.value)
        if is_numbering(key):
            return True
        if self.holds_call(pair.value):
            return True
        if isinstance(pair.value, Text) and not _GOING_ON.isdisjoint(key_words(key)):
            return bool(self.grammar.line(pair.value.value, 0, meant=True).steps)
        values = [] if pair.value is None else list(texts_of(pair.value))
        is_list = isinstance(pair.value, Group) and pair.value.kind == "list"
        return pair.key.value.isupper() and (
            is_list or not values or self._names_object(pair.value)
        )

    def holds_call(self, node: Node | None, depth: int = 0) -> bool:
        """Whether a text, or one in a value, is written as only steps are."""
        inside = encoded(node) if isinstance(node, Text) else None
        if inside is not None and depth <= MAX_DEPTH:
            return self.holds_call(inside, depth + 1)
        if isinstance(node, Text):
            is_short = node.quoted and len(node.value) <= LONGEST_LINE
            steps = self.grammar.line(node.value, 0, meant=True).steps if is_short else []
            return any(map(self.is_step_form, steps))
        if node is None or depth > MAX_DEPTH:
            return False
        for item in node.items:
            if not isinstance(item, Pair):
                inner: Node | None = item
            elif is_aside_key(item.key.value):
                continue
            else:
                inner = item.value
            if self.holds_call(inner, depth + 1):
                return True
        return False

    def is_step_form(self, step: Step) -> bool:
        """Whether a step is written as only steps are: a call, but not of an object's name."""
        if step.form == "words" and not step.is_known:
            return step.name.isupper()
        is_object = any(m.name == step.name for m in self.grammar.surfaces.mentions(step.name))
        return step.form in ("call", "script", "pddl") and (step.is_known or not is_object)

    @staticmethod
    def flag_of(pairs: Sequence[Pair]) -> str:
        """Return whether an object says that its plan is chosen: ``"final"``, ``"rejected"``."""
        for pair in pairs:
            if plain_key(pair.key.value) in _CHOSEN_KEYS and isinstance(pair.value, Text):
                value = pair.value.value.lower()
                if value in ("true", "yes", "false", "no"):
                    return "final" if value in ("true", "yes") else "rejected"
        return ""

    def read_only_text(self, pairs: Sequence[Pair]) -> bool:
        """Read an object of which one text is a whole step and no other is: ``{"call": ...}``."""
        if len(pairs) < 2 or any(isinstance(pair.value, Group) for pair in pairs):
            return False
        found: list[list[Step]] = []
        for pair in pairs:
            key = plain_key(pair.key.value)
            is_kept = isinstance(pair.value, Text) and pair.value.quoted and not is_aside_key(key)
            if (
                not is_kept
                or key in HEADINGS
                or is_numbering(key)
                or self.grammar.surfaces.action(key)
            ):
                continue
            assert isinstance(pair.value, Text)  # noqa: S101 - just looked
            steps = self.grammar.line(pair.value.value, pair.value.at, meant=True).steps
            if steps and all(step.is_known and not step.lacks_objects for step in steps):
                found.append(steps)
        if len(found) != 1:
            return False
        for step in found[0]:
            step.form = "object"
        self.current.steps += found[0]
        return True

    def plans_under(self, pair: Pair, depth: int) -> list[ValueReading]:
        """Return the plans under a key; none if it is an action, a number or an aside."""
        key = plain_key(pair.key.value)
        is_aside = is_aside_key(pair.key.value) and key not in HEADINGS
        if is_aside or is_numbering(key) or not self._may_hold_steps(pair.value):
            return []
        if self.grammar.is_free and key not in HEADINGS and self._is_flat(pair.value):
            return []  # whatever the key is, these are its objects
        found = self.inside(pair.value, depth + 1)
        if self.grammar.surfaces.action(pair.key.value) is not None:
            # Under an action stand its objects, unless whole steps stand there.
            return [r for r in found if any(s.is_known and not s.lacks_objects for s in r.steps)]
        return [r for r in found if r.steps or (r.is_empty and key in HEADINGS)]

    @staticmethod
    def _is_flat(node: Node | None) -> bool:
        """Whether a value is a list of words without brackets in them."""
        return (
            isinstance(node, Group)
            and node.kind == "list"
            and all(isinstance(item, Text) and "(" not in item.value for item in node.items)
        )

    def _may_hold_steps(self, node: Node | None) -> bool:
        return isinstance(node, Group) or (
            isinstance(node, Text)
            and ("\n" in node.value or node.value.strip(' \t\n"\\')[:1] in ("[", "{"))
        )

    def inside(self, node: Node | None, depth: int) -> list[ValueReading]:
        """Return the plans in a value, read apart."""
        apart = _Collected(self.grammar)
        apart.read(node, depth)
        self.decision = self.decision or apart.decision
        return apart.readings

    def take_in(self, readings: Sequence[ValueReading], key: str, *, as_own: bool) -> None:
        """Add plans that were read apart: to the current plan, or as plans of their own."""
        several = sum(bool(reading.steps) for reading in readings) > 1
        for number, reading in enumerate(readings):
            if as_own or several or number:
                reading.key = f"{key} {reading.key}".strip()
                self.readings.append(reading)
                continue
            current = self.current
            if not current.steps:
                current.key = current.key or key
                current.at = current.at or reading.at
            current.steps += reading.steps
            current.unread += reading.unread
            current.left_out |= reading.left_out
            current.notes |= reading.notes
            current.is_empty = current.is_empty or reading.is_empty
        if as_own or several:
            self.readings.append(ValueReading())

    def is_denied(self, pairs: Sequence[Pair]) -> bool:
        """Whether an object says that its step is not to be executed."""
        for pair in pairs:
            value = pair.value.value.lower() if isinstance(pair.value, Text) else ""
            key = plain_key(pair.key.value)
            if (key in _DENYING_KEYS and value in ("false", "no")) or (
                key in _SKIPPING_KEYS and value in ("true", "yes")
            ):
                return True
        return False

    def read_named(self, pairs: Sequence[Pair], node: Group, depth: int) -> bool:
        """Read ``{"action": "WALK", "objects": ["light", "411"]}``; False if it is none."""
        named = self.action_pairs(pairs)
        if not named:
            return False
        ends = [*named[1:], len(pairs)]
        number = next(
            (
                _number_of(p.value.value)
                for p in pairs
                if isinstance(p.value, Text)
                and plain_key(p.key.value)
                in ("step", "number", "index", "id", "step_number", "order", "#", "no", "nr")
                and p.value.value.isdigit()
            ),
            None,
        )
        for count, (start, end) in enumerate(zip(named, ends, strict=True)):
            own = pairs[start:end] if count else pairs[:end]
            action = pairs[start]
            if not isinstance(action.value, Text):
                self.read(action.value, depth + 1)
                continue
            whole = replace(node, cut=node.cut and end == len(pairs))
            self.named_step(action.value, [p for p in own if p is not action], whole, number)
        return True

    def action_pairs(self, pairs: Sequence[Pair]) -> list[int]:
        """Return which pairs of an object name an action."""
        surfaces = self.grammar.surfaces
        texts = [(n, p) for n, p in enumerate(pairs) if isinstance(p.value, Text)]
        by_key = [n for n, p in texts if plain_key(p.key.value) in ACTION_KEYS]
        if not by_key and any(
            is_object_key(p.key.value) or plain_key(p.key.value) in CALLING for p in pairs
        ):
            by_key = [
                n
                for n, p in texts
                if plain_key(p.key.value) == "name"
                and isinstance(p.value, Text)
                and squeezed(p.value.value) not in surfaces.objects
            ]
        known = [
            n
            for n, p in texts
            if isinstance(p.value, Text)
            and (not is_aside_key(p.key.value) or plain_key(p.key.value) == "type")
            and surfaces.action(p.value.value)
        ]
        if len(known) == 1 and known[0] not in by_key:
            key = pairs[known[0]].key.value
            if surfaces.action(key) is None or plain_key(key) in _SCHEMA_KEYS:
                return known
        groups = [
            n
            for n, p in enumerate(pairs)
            if plain_key(p.key.value) in ("action", "function", "function_call", "functioncall")
            and isinstance(p.value, Group)
        ]
        if groups and not by_key:
            return groups if all(self.holds_name(pairs[n].value) for n in groups) else []
        kept = []
        for n in by_key:
            value = pairs[n].value
            if isinstance(value, Text) and (len(pairs) > 1 or value.quoted):
                kept.append(n)
        return kept

    def holds_name(self, node: Node | None) -> bool:
        """Whether an object holds the name of an action among its texts."""
        return isinstance(node, Group) and node.kind == "object"

    def named_step(  # noqa: C901, PLR0912
        self, name: Text, others: Sequence[Pair], node: Group, number: int | None
    ) -> None:
        """Add the step whose action is named in one part of an object and its objects in others."""
        surfaces = self.grammar.surfaces
        action = surfaces.action(name.value)
        for pair in others:
            if is_aside_key(pair.key.value):
                self.current.left_out[pair.key.value] = None
        parts = [
            p for p in others if not is_aside_key(p.key.value) or plain_key(p.key.value) == "id"
        ]
        if action is None:
            in_text = self.grammar.line(name.value, name.at, meant=True)
            if in_text.steps and in_text.steps[0].is_known:
                step = in_text.steps[0]
                if step.lacks_objects:
                    objects = self._objects(parts, step.max_objects)
                    step.arguments = objects or step.arguments
                for each in in_text.steps:
                    each.at, each.number, each.form = name.at, number, "object"
                self.current.steps += in_text.steps
                return
            submitted = [(p.key.value, self.plans_under(p, 3)) for p in parts]
            submitted = [(key, found) for key, found in submitted if any(r.steps for r in found)]
            for key, found in submitted:
                self.take_in(found, key, as_own=False)
            if submitted:
                return
            inside = self.grammar.nested(name)
            if inside is not None:
                self.current.steps += inside
                return
            if not self.grammar.is_free and in_text.steps and not parts:
                for each in in_text.steps:
                    each.at, each.number, each.form = name.at, number, "object"
                self.current.steps += in_text.steps
                return
            called = [
                p for p in parts if is_object_key(p.key.value) or plain_key(p.key.value) in CALLING
            ]
            if not name.value.strip() or len(name.value) > 60:
                self.current.unread.append(name)
                return
            if in_text.steps and not called:
                self.current.steps += in_text.steps
                return
            objects = self._objects(called, -1)
            self.current.steps.append(
                Step(
                    name.value.strip(),
                    objects,
                    name.at,
                    -1,
                    "object",
                    number,
                    is_known=False,
                    is_cut=node.cut,
                )
            )
            return
        self.doubt_others(parts)
        objects = self._objects(parts, action.max_objects)
        self.current.steps.append(
            Step(
                action.name,
                objects,
                name.at,
                action.max_objects,
                "object",
                number,
                is_cut=node.cut or name.cut,
                written=name.value.strip(),
            )
        )

    def doubt_others(self, parts: Sequence[Pair]) -> None:
        """Report steps under other keys of a step with named parts."""
        called = [
            p for p in parts if is_object_key(p.key.value) or plain_key(p.key.value) in CALLING
        ]
        for pair in parts if called else ():
            if pair in called or is_rejected_key(plain_key(pair.key.value)):
                continue
            if self.plans_under(pair, 3) or self.is_step_beside(pair):
                self.current.unread.append(_written(pair))
            else:
                self.current.left_out[pair.key.value] = None

    def _objects(self, parts: Sequence[Pair], max_objects: int) -> list[str]:
        """Return the objects in the parts of a step."""
        called = [
            p for p in parts if is_object_key(p.key.value) or plain_key(p.key.value) in CALLING
        ]
        plain = [p for p in called if plain_key(p.key.value) != "id"]
        if len(plain) < len(called) and (
            self._id_of_call(called) or self._are_whole(plain, max_objects)
        ):
            called = plain
        chosen = called or list(parts)
        named: list[tuple[str, str]] = []
        for pair in chosen:
            value = pair.value
            if isinstance(value, Text):
                inside = encoded(value)
                texts = texts_of(inside) if inside is not None else iter([value.value])
            else:
                texts = texts_of(value)
            said = ", ".join(texts)
            if said and said not in NOTHING:
                named.append((pair.key.value, said))
        objects = self.grammar.inside(", ".join(fitting_roles(named, max_objects)), max_objects)
        if not called and max_objects >= 0:
            known = self.grammar.surfaces.mentions(
                ", ".join(v for _, v in in_order_of_roles(named))
            )
            return (
                [m.name for m in known if not m.is_action][:max_objects]
                if known
                else objects[:max_objects]
            )
        return objects

    def _are_whole(self, parts: Sequence[Pair], max_objects: int) -> bool:
        """Whether parts name as many objects as a step takes, each with its number."""
        texts = ", ".join(text for pair in parts for text in texts_of(pair.value))
        named = [m.name for m in self.grammar.surfaces.mentions(texts) if not m.is_action]
        return len(named) == max_objects and self.grammar.surfaces.classes.isdisjoint(named)

    @staticmethod
    def _id_of_call(called: Sequence[Pair]) -> bool:
        """Whether a key ``id`` beside the arguments is that of the call, not of an object."""
        for pair in called:
            if plain_key(pair.key.value) == "id" and isinstance(pair.value, Text):
                return not pair.value.value.isdigit() or any(
                    plain_key(p.key.value) in CALLING for p in called
                )
        return False

    def read_pair(  # noqa: C901
        self, pair: Pair, found: Sequence[ValueReading], depth: int, *, is_alone: bool
    ) -> None:
        """Read one pair of an object that is no step with named parts.

        Args:
            pair: The key and its value.
            found: The plans under the key.
            depth: How deep the pair stands.
            is_alone: Whether no other key of the object stands over a plan.
        """
        key = pair.key.value
        plain = plain_key(key)
        if found:
            label = _LABELLED.fullmatch(plain)
            as_own = not is_alone and (plain in HEADINGS or frames(key) or label is not None)
            self.take_in(found, f"option {label[1]}" if label else key, as_own=as_own)
            return
        if isinstance(pair.value, Text) and _DECIDING.search(plain) and len(pair.value.value) < 60:
            self.decision = f"choose option {pair.value.value}"
        action = self.grammar.surfaces.action(key)
        if (
            action is not None
            and plain in _SCHEMA_KEYS
            and isinstance(pair.value, Text)
            and not self._names_object(pair.value)
        ):
            self.current.left_out[key] = None
            return
        if action is not None:
            objects = self.grammar.objects_of(opened(pair.value), action.max_objects)
            is_cut = isinstance(pair.value, (Group, Text)) and pair.value.cut
            step = Step(
                action.name,
                objects,
                pair.key.at,
                action.max_objects,
                "key",
                is_cut=is_cut,
                written=key,
            )
            self.current.steps.append(step)
            return
        if is_numbering(plain):
            before = len(self.current.steps)
            self.read(pair.value, depth + 1)
            for step in self.current.steps[before:]:
                step.number = _number_of(plain) if step.number is None else step.number
            return
        if is_aside_key(key) and plain not in HEADINGS:
            if plain == "step" and isinstance(pair.value, Text) and not pair.value.value.isdigit():
                self.read_text(pair.value)
                if self.current.unread and self.current.unread[-1] is pair.value:
                    self.current.unread.pop()
                return
            if not isinstance(pair.value, Text) and not any(
                w in EXPLAINING or w in STATES for w in key_words(key)
            ):
                self.read(pair.value, depth + 1)
                return
            self.current.left_out[key] = None
            return
        if plain in HEADINGS and isinstance(pair.value, Text):
            self.read_text(pair.value)
            return
        self.unknown_pair(pair)

    def _names_object(self, node: Node | None) -> bool:
        """Whether a value names an object of the task."""
        texts = () if node is None else texts_of(node)
        return any(not m.is_action for text in texts for m in self.grammar.surfaces.mentions(text))

    def unknown_pair(self, pair: Pair) -> None:
        """Read a key that may be an action that the task does not have, over its objects."""
        key = pair.key.value
        if plain_key(key) in _SIGNALS and not self._names_object(pair.value):
            self.current.left_out[key] = None
            return
        values = [] if pair.value is None else list(texts_of(pair.value))
        is_list = isinstance(pair.value, Group) and pair.value.kind == "list"
        named = self._names_object(pair.value)
        if is_object_key(key) or plain_key(key) in ACTION_KEYS:
            if plain_key(key) in ACTION_KEYS or not named:
                self.current.left_out[key] = None
            else:
                self.current.unread.append(_written(pair))
            return
        is_name = key.isidentifier() or self.grammar.line(key, 0).steps
        if (
            is_name
            and (
                (is_list and (values or key.isupper())) or (key.isupper() and (named or not values))
            )
        ) or (self.grammar.is_free and is_name and plain_key(key) not in HEADINGS):
            step = Step(
                key,
                self.grammar.objects_of(opened(pair.value), -1),
                pair.key.at,
                -1,
                "key",
                is_known=False,
                is_weak=not (named or key.isupper()),
            )
            self.current.steps.append(step)
            return
        self.current.left_out[key] = None


def opened(node: Node | None) -> Node | None:
    """Return the value in a string, if the string holds one."""
    if isinstance(node, Text):
        return encoded(node) or node
    return node


def _written(pair: Pair) -> Text:
    """Return a pair as one text, for a message."""
    values = ", ".join(texts_of(pair.value))
    return Text(f"{pair.key.value}: {values}", pair.key.at, pair.key.end, quoted=True)


def is_rejected_key(key: str) -> bool:
    """Whether a key says that what stands under it is not meant."""
    from eai.answers.choice import is_rejected

    return is_rejected(key.replace("_", " "))


def frames(key: str) -> bool:
    """Whether a key says that what stands under it is meant, or is not."""
    from eai.answers.choice import is_final, is_rejected

    words = key.replace("_", " ")
    return is_final(words) or is_rejected(words)
