"""Goals out of answers: document, items, choice, one after the other.

The goals of an answer may stand in several pieces: a value, a heading or a fence for the states,
one for the relations, one for the actions. Pieces of different kinds visibly go on; a second piece
of a kind begins another answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from eai.abilities.goal_interpretation.grammar import GoalGrammar, unread_goal
from eai.abilities.goal_interpretation.names import GoalNames, GoalReading, ReadGoal
from eai.abilities.goal_interpretation.values import GoalsInValue, ValueReader
from eai.abilities.goal_interpretation.words import (
    is_aside,
    is_plural,
    kind_of,
    role_of,
    says_nothing,
)
from eai.answers import Cleaned, Group, Text
from eai.answers.choice import (
    MARKING_TAGS,
    Candidate,
    breaks,
    choose,
    frames_blocks,
    is_final,
    is_rejected,
    is_remark,
    sentences_of,
    takes_back,
)
from eai.answers.document import Block, Document, document_of, open_document
from eai.diagnosis import ErrorKind, Finding
from eai.task import Vocabulary
from eai.text import counted

MAX_NESTING = 4
"""Maximum depth of texts in strings in texts."""

_LEAD = re.compile(
    r"(?:[\s\-*+>#\u2022\u00b7\u2013\u2014\u2192~|]+|\(?\d{1,4}[.):]+\s*|\[[ xX\u2713\u2714]\]|[\u2022\u25cf\u25e6\u25aa\u2705\u2714])*"
)
_BULLET = re.compile(r"[^\s#~*>|]|(?<!\*)\*\s")
_LABEL = re.compile(
    r"[\"'*_`\[]*([^\W\d][\w /&-]{0,40}?)[\"'*_`\]}]*\s*(?:\([^()\n]*\))?[*_`]*\s*(?:[:=](?!=)|->)[*_`}]*\s*"
)
_BARE_LABEL = re.compile(r"\W*([^\W\d][\w /&-]{0,40}?)(?:\s+\([^()\n]*\))?\W*")
_CODE = frozenset({"text", "markdown", "md", ""})


@dataclass(slots=True)
class GoalCandidate(Candidate[ReadGoal]):
    """The goals that an answer may mean.

    Args:
        kinds: The kinds of goals of which it has a piece.
        notes: What was repaired.
        is_prose: Whether its goals are said in sentences.
        single_values: Number of values of one goal each of which it consists.
        is_empty: Whether it has sections without goals.
        place: The regions in which its last goal stands.
    """

    kinds: set[str] = field(default_factory=set)
    notes: dict[str, None] = field(default_factory=dict)
    is_prose: bool = False
    single_values: int = 0
    is_empty: bool = False
    place: tuple[object, ...] = ()

    @property
    def is_read(self) -> bool:
        """Whether at least one goal was understood, or all stand in sections."""
        return any(goal.name for goal in self.items) or bool(self.items and self.kinds)


def read_goals(text: str, names: GoalNames | None = None) -> GoalReading:
    """Read the goals of an answer.

    Nothing in an answer raises an error. A value that the answer breaks off in is a parsing error,
    for what it says is not known.

    Args:
        text: What the model wrote.
        names: The names of the task; without them only what is clearly a goal is read.
    """
    document = open_document(text)
    cleaned = document.cleaned
    problems = [*cleaned.problems, *document.problems]
    notes = tuple(cleaned.notes)
    if cleaned.problems:
        first = problems[0]
        return GoalReading.unusable(first.message, position=first.position, notes=notes)
    reader = _Reader(names or GoalNames(Vocabulary({}, {}, frozenset())), 0)
    chosen, rule, count = reader.choose(document)
    if chosen is None:
        message = "the answer takes its goals back" if count else "there are no goals in the answer"
        if problems:
            message = problems[0].message
        return GoalReading.unusable(message, notes=notes)
    if chosen.is_cut:
        place = cleaned.place(chosen.end)
        message = "the answer ends before its goals do"
        return GoalReading.unusable(message, position=place, notes=notes)
    found = dict.fromkeys([*notes, *chosen.notes])
    around = document.text[: chosen.at] + document.text[chosen.end :]
    if any(map(str.isalnum, around)):
        found["text around the goals"] = None
    if rule:
        found[f"{counted(count, 'set')} of goals in the answer; chosen by: {rule}"] = None
    goals = (replace(goal, position=cleaned.place(goal.position or 0)) for goal in chosen.items)
    problem = None
    if problems:
        place = cleaned.place(problems[0].position)
        problem = Finding(ErrorKind.PARSING, problems[0].message, position=place)
    return GoalReading(tuple(goals), problem, tuple(found))


class _Reader:
    def __init__(self, names: GoalNames, depth: int) -> None:
        self.names = names
        self.depth = depth
        self.grammar = GoalGrammar(names)

    def nested(self, text: str) -> list[ReadGoal]:
        """Return the goals of a text in a string."""
        if self.depth >= MAX_NESTING:
            return []
        document = document_of(Cleaned(text, 0, {}, [], [], []))
        chosen, _, _ = _Reader(self.names, self.depth + 1).choose(document)
        return [] if chosen is None or chosen.is_cut else chosen.items

    def choose(self, document: Document) -> tuple[GoalCandidate | None, str, int]:
        """Choose the goals that a document means; also the rule, and how many there were."""
        candidates = _Collector(self.grammar, self.nested, document).candidates()
        read = [each for each in candidates if each.is_read]
        # An empty format example is no answer, unless it is said to be the final one.
        said = [
            c for c in candidates if c.is_empty and c.kinds and (c.is_marked or is_final(c.frame))
        ]
        rest = [each for each in candidates if each.items or each.is_empty]
        pool = [each for each in candidates if each in read or each in said] or rest[-1:]
        if not pool:
            return None, "", 0
        tail = document.text[max(each.end for each in pool) :]
        before = document.text[: min(each.at for each in pool)]
        chosen, rule = choose(pool, tail, before)
        if chosen is not None and takes_back(tail) and not is_final(chosen.frame):
            return None, "not rejected", len(pool)
        return chosen, rule, len(pool)


@dataclass(slots=True)
class _Record:
    """The parts of a goal that stands on several lines."""

    parts: list[tuple[str, str]] = field(default_factory=list)
    block: Block | None = None
    is_keyed: bool = False

    def has(self, role: str) -> bool:
        """Whether there is a part of a role."""
        return any(role_of(key) == role for key, _ in self.parts)


class _Collector:
    """Puts the goals of a document together."""

    def __init__(
        self, grammar: GoalGrammar, nested: Callable[[str], list[ReadGoal]], document: Document
    ) -> None:
        self.grammar = grammar
        self.nested = nested
        self.names = grammar.names
        self.document = document
        self.found: list[GoalCandidate] = []
        self.current: GoalCandidate | None = None
        self.pending: list[str] = []
        self.kind = ""  # of the section that is open
        self.in_section = False
        self.record = _Record()

    def candidates(self) -> list[GoalCandidate]:
        """Return all that the answer may mean, in order."""
        for block in self.document.blocks:
            if any(r.kind == "tag" and is_aside(r.name) for r in block.regions):
                continue
            if block.value is not None:
                self.add_value(block, block.value)
            else:
                self.add_line(block)
        self.end_record()
        return self.found

    # ---------------------------------------------------------- candidates

    def begin(self, block: Block, frame: str = "") -> GoalCandidate:
        """Begin a candidate at a block."""
        tags = (r.name.replace("_", " ") for r in block.regions if r.kind == "tag")
        candidate = GoalCandidate(
            [],
            "\n".join(filter(None, [*self.pending[-3:], frame, *tags])),
            block.at,
            block.at,
            is_marked=_is_marked(block),
            is_struck=_is_struck(block),
            is_formal=block.value is not None or block.fence is not None or self.in_section,
            is_whole=self.in_section,
        )
        self.found.append(candidate)
        self.current = candidate
        self.pending = []
        return candidate

    def goes_on(self, block: Block, kinds: set[str], *, is_single: bool = False) -> bool:
        """Whether goals of some kinds in a block belong to the current candidate."""
        current = self.current
        if current is None or current.is_struck != _is_struck(block):
            return False
        if current.is_marked != _is_marked(block):
            return False
        if kinds and current.kinds and not kinds & current.kinds:
            return True
        if self.in_section and is_single:
            return True
        if block.value is None:
            return current.place == _place(block) and not current.single_values or self.in_section
        if is_single and current.single_values:
            return current.single_values == len(current.items)
        return False

    def open_section(self, kind: str, *, restarts: bool) -> None:
        """Begin a section; a second one of a kind begins another candidate."""
        self.end_record()
        current = self.current
        is_other = not self.in_section or kind != self.kind
        if current is not None and restarts and is_other:
            if current.is_prose or kind in current.kinds or not kind:
                self.current = None
        self.kind = kind
        self.in_section = True

    def close_section(self) -> None:
        self.end_record()
        self.kind = ""
        self.in_section = False

    # ---------------------------------------------------------- values

    def add_value(self, block: Block, group: Group) -> None:
        """Take in a value: goals, or a piece of them."""
        self.end_record()
        words = [item for item in group.items[:2] if isinstance(item, Group)]
        inner = words[0].items if len(words) == len(group.items) == 1 else []
        if len(inner) == 1 and isinstance(inner[0], Text) and kind_of(inner[0].value) is not None:
            self.open_section(kind_of(inner[0].value) or "", restarts=True)  # [[node_goals]]
            return
        label = _label_of(block.text)
        section = None if label is None else kind_of(label)
        if section is not None:
            self.open_section(section, restarts=True)
        elif breaks(block.text):
            self.current = None
            self.close_section()
        readings = ValueReader(self.grammar, self.nested).values(group, self.kind)
        readings = [each for each in readings if each.is_read or each.is_empty] or readings
        if self.current is not None and section is None:
            # A list or a table without anything in it is no other answer.
            readings = [each for each in readings if each.goals or each.kinds]
        for reading in readings:
            self.add_reading(block, reading, is_only=len(readings) == 1)
        if not readings:
            self.pending = []  # what was said before it was said of it

    def add_reading(self, block: Block, reading: GoalsInValue, *, is_only: bool) -> None:
        assert block.value is not None  # noqa: S101 - the caller looked
        kinds = {goal.kind for goal in reading.goals} | reading.kinds
        if self.in_section:
            kinds = reading.kinds or {self.kind} - {""} or kinds
        kinds -= {""}
        is_single = len(reading.goals) == 1 and not reading.kinds
        current = self.current
        if not is_only or current is None or not self.goes_on(block, kinds, is_single=is_single):
            lead = "" if self.in_section else block.text.strip()
            current = self.begin(block, f"{lead} {reading.key}")
        current.items += reading.goals
        current.kinds |= kinds
        current.single_values += is_single
        current.is_empty = current.is_empty or reading.is_empty
        current.is_whole = current.is_whole or bool(reading.kinds)
        current.is_cut = current.is_cut or block.value.cut
        current.notes |= dict.fromkeys(self.document.repairs.get(block.at, ()))
        current.end = block.end
        current.place = _place(block)
        self.pending = []

    # ---------------------------------------------------------- lines

    def add_line(self, block: Block) -> None:
        """Take in a line: a heading, goals, a part of one, or words that frame what follows."""
        lead = _LEAD.match(block.text)
        start = 0 if lead is None else lead.end()
        content = block.text[start:].rstrip()
        is_listed = _BULLET.search(block.text, 0, start) is not None
        if not any(map(str.isalnum, content)):
            return
        if _is_comment(block) and kind_of(content.lstrip("#/ ")) is None:
            return
        at = block.at + start
        kind = self.kind
        if _element(block) == "action" and "\n" not in content:
            self.add_content(block, "action", content, at, is_listed=True)
            return
        label, rest_at = _labelled(content, in_tag=_is_in_tag(block))
        section = None if label is None else kind_of(label)
        if label is not None and section is not None and not self.names.objects(label):
            is_heading = is_plural(label) or not content[rest_at:].strip()
            if is_heading:
                self.open_section(section, restarts=is_plural(label))
                is_listed = True
            if is_heading or not self.add_part(
                block, label, content[rest_at:], is_listed=is_listed
            ):
                kind = section or kind
                self.add_content(block, kind, content[rest_at:], at + rest_at, is_listed=True)
            return
        if label is not None and is_aside(label):
            self.add_words(block)
            return
        if self.add_part(
            block, label, content[rest_at:] if label else content, is_listed=is_listed
        ):
            return
        self.add_content(block, kind, content, at, is_listed=is_listed)

    def add_content(
        self, block: Block, kind: str, content: str, at: int, *, is_listed: bool
    ) -> None:
        """Take in what a line says behind its label."""
        if not any(map(str.isalnum, content)):
            return
        if self.in_section and says_nothing(content):
            if self.current is None or not self.goes_on(block, {kind}):
                self.begin(block)
            assert self.current is not None  # noqa: S101 - just begun
            self.current.is_empty = True
            self.current.kinds |= {kind} - {""}
            self.current.end = block.end
            return
        goals = self.grammar.text(kind, content, at)
        if not goals and (self.in_section or kind) and is_listed:
            goals = self.grammar.text(kind, content, at, meant=True)
            if not goals and kind == "action" and len(content.split()) < 4:
                goals = [ReadGoal("action", content.strip(" .`*"), position=at)]
            if not goals and (self.current is None or not breaks(block.text)):
                goals = [unread_goal(kind, content, at)]
        if not goals:
            self.add_words(block)
            return
        self.end_record()
        is_formal = is_listed or block.fence is not None or self.grammar.has_only_goals(content)
        self.add_goals(block, goals, is_prose=not is_formal)

    def add_goals(self, block: Block, goals: Sequence[ReadGoal], *, is_prose: bool) -> None:
        """Take in the goals of a line."""
        kinds = {self.kind} if self.in_section and self.kind else {goal.kind for goal in goals}
        kinds -= {""}
        lead = block.text[: max((goals[0].position or block.at) - block.at, 0)]
        is_framed = not self.in_section and (is_final(lead) or is_rejected(lead))
        current = self.current
        if current is not None and is_prose and not current.is_prose and current.items:
            self.add_words(block)
            return
        if current is not None and current.is_prose and not is_prose:
            current = None
        if current is None or is_framed or not self.goes_on(block, kinds):
            current = self.begin(block, lead if is_framed else "")
            current.is_prose = is_prose
        current.items += goals
        current.kinds |= kinds
        current.end = block.end
        current.place = _place(block)
        self.current = current
        self.pending = []

    def add_words(self, block: Block) -> None:
        """Take in a line without goals: a heading of something else, or words."""
        self.end_record()
        text = block.text.strip()
        is_heading = (
            text.startswith("#")
            or text.rstrip(" *_").endswith(":")
            or (text.startswith("**") and text.endswith("**"))
        )
        if is_heading:
            self.close_section()
        label = _label_of(text)
        if breaks(block.text) or (is_heading and label is not None and is_aside(label)):
            self.close_section()
            self.current = None
        for sentence in sentences_of(text):
            if self.found and not self.pending and is_remark(sentence):
                self.found[-1].remark += f"{sentence}\n"
            else:
                self.pending.append(sentence)

    # ---------------------------------------------------------- goals on several lines

    def add_part(self, block: Block, label: str | None, content: str, *, is_listed: bool) -> bool:
        """Take in a line that is one part of a goal; False if it is none."""
        value = content.strip(" \"',;:`*_")
        key = label or ""
        in_tag = _is_in_tag(block)
        if not key and in_tag and len(value.split(None, 1)) == 2:
            first, second = value.split(None, 1)
            if role_of(first) and self.names.is_known(second):
                key, value = first, second
        role = role_of(key) if key else ""
        if role and value and not is_plural(key) and len(value.split()) < 5:
            if self.grammar.text(self.kind, value, block.at) and role != "act":
                return False
            is_new = self.record.has(role) or (is_listed and self.record.is_keyed)
            if is_new or not self.is_near(block):
                self.end_record()
            self.record.parts.append((key, value))
            self.record.is_keyed = True
            self.record.block = block
            return True
        is_predicate = bool(self.names.arities(key or value))
        if self.record.parts and not self.record.is_keyed and is_predicate:
            if key and not self.names.objects(value):
                return False
            named = [*self.record.parts, ("predicate", key or value)]
            if key:
                named.append(("to", value))
            goals = self.grammar.goals_of_roles("", named, block.at)
            self.add_goals(block, goals, is_prose=False)
            return True
        if not self.names.objects(key or value) or (key and value):
            return False
        if not (is_listed or in_tag or content.rstrip(" *_").endswith(":")):
            return False
        self.end_record()
        self.record = _Record([("object", key or value)], block, is_keyed=in_tag)
        return True

    def is_near(self, block: Block) -> bool:
        """Whether a block stands in the same elements as the open record."""
        before = self.record.block
        return before is None or _parents(before) == _parents(block)

    def end_record(self) -> None:
        """Take in the goal whose parts were collected."""
        record, self.record = self.record, _Record()
        if record.block is None or not record.is_keyed:
            return
        goals = self.grammar.goals_of_roles(self.kind, record.parts, record.block.at)
        if self.in_section or any(goal.name for goal in goals):
            self.add_goals(record.block, goals, is_prose=False)


def _is_struck(block: Block) -> bool:
    return block.is_in("struck") or block.is_in("comment")


def _is_marked(block: Block) -> bool:
    return any(r.kind == "tag" and r.name in MARKING_TAGS for r in block.regions)


def _place(block: Block) -> tuple[object, ...]:
    """Return the fences, and the tags that frame answers, in which a block stands."""
    return tuple(r.start for r in block.regions if frames_blocks(r.kind, r.name))


def _parents(block: Block) -> tuple[int, ...]:
    """Return the elements around a part of a goal, without those that are parts."""
    return tuple(
        r.start
        for r in block.regions
        if r.kind == "tag" and (not role_of(r.name) or r.name in ("node", "action"))
    )


def _is_comment(block: Block) -> bool:
    fence = block.fence
    is_code = fence is not None and fence.name not in _CODE
    return block.text.lstrip().startswith("//") or (is_code and block.text.lstrip().startswith("#"))


def _is_in_tag(block: Block) -> bool:
    return any(region.kind == "tag" for region in block.regions)


def _element(block: Block) -> str:
    """Return the name of the innermost tag around a block."""
    return next((r.name for r in reversed(block.regions) if r.kind == "tag"), "")


def _labelled(content: str, *, in_tag: bool = False) -> tuple[str | None, int]:
    """Return the label of a line and where what it says begins; None if it has no label."""
    element = re.match(r"\w+(\s+)", content)
    is_element = element is not None and (in_tag or len(element[1]) > 1)
    if element is not None and is_element and kind_of(element[0]) is not None:
        return element[0].strip(), element.end()
    found = _LABEL.match(content)
    if found is not None:
        return found[1], found.end()
    bare = _BARE_LABEL.fullmatch(content)
    if bare is not None and kind_of(bare[1]) is not None:
        return bare[1], len(content)
    return None, 0


def _label_of(lead: str) -> str | None:
    """Return the label in the words before a value."""
    found = _LEAD.match(lead)
    content = lead if found is None else lead[found.end() :]
    label, _ = _labelled(content)
    return label
