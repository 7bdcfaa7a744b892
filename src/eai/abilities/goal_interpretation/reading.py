"""Goals out of answers: document, items, choice, one after the other.

The goals of an answer may stand in several pieces: a value, a heading or a fence for the states,
one for the relations, one for the actions. Pieces of different kinds visibly go on; a second piece
of a kind begins another answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter

from eai.abilities.goal_interpretation.grammar import GoalGrammar, unread_goal
from eai.abilities.goal_interpretation.lines import Line
from eai.abilities.goal_interpretation.names import GoalNames, GoalReading, ReadGoal
from eai.abilities.goal_interpretation.values import TRUTH, GoalsInValue, ValueReader
from eai.abilities.goal_interpretation.words import (
    NEGATING,
    is_aside,
    is_head,
    is_plural,
    kind_of,
    role_of,
    says_nothing,
)
from eai.answers import Cleaned, Group, Node, Pair, Text
from eai.answers.candidates import CandidateCollector, choose_in_document
from eai.answers.choice import (
    Candidate,
    begins_new_try,
    frames_blocks,
    is_final,
    is_rejected,
    proposes,
)
from eai.answers.document import (
    MAX_NESTING,
    Block,
    Document,
    Region,
    open_document,
    parse_document,
)
from eai.answers.given import GivenParts, is_given_key
from eai.answers.surfaces import squeezed
from eai.answers.values import plain_key
from eai.diagnosis import ErrorKind, Finding
from eai.task import Vocabulary
from eai.text import counted, has_words

MAX_ACTION_WORDS = 4
"""A longer item among actions is a sentence, not the name of an action."""
MAX_NAME_WORDS = 4
"""A longer text behind the key of a part of a goal is no name."""

_OPENS_CALL = re.compile(r"[\s\w.=]*\(\s*")
"""Code around goals on the lines below: ``goals = Goals(``."""
_ANNOUNCING = re.compile(r"\b(?:this|these|the following)\W*:\W*\Z", re.IGNORECASE)
"""The end of a line that announces other goals than those before it: "use this:"."""


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

    def take_reading(self, reading: GoalsInValue, kinds: set[str]) -> None:
        """Add the goals of a value, which are of some kinds."""
        self.items += reading.goals
        self.kinds |= kinds
        self.is_empty = self.is_empty or reading.is_empty
        self.is_whole = self.is_whole or bool(reading.kinds)


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
    notes = tuple(cleaned.notes)
    if cleaned.problems:
        first = cleaned.problems[0]
        return GoalReading.unusable(first.message, position=first.position, notes=notes)
    reader = _Reader(names or GoalNames(Vocabulary({}, {}, frozenset())), 0)
    chosen, rule, count = reader.choose(document)
    if chosen is None:
        return GoalReading.unusable(_why_no_goals(document, count), notes=notes)
    if chosen.is_cut:
        position = cleaned.place(chosen.end)
        message = "the answer ends before its goals do"
        return GoalReading.unusable(message, position=position, notes=notes)
    rule_note = ""
    if rule:
        rule_note = f"{counted(count, 'set')} of goals in the answer; chosen by: {rule}"
    return replace(_reading_of(document, chosen, rule_note), rule=rule)


def _why_no_goals(document: Document, count: int) -> str:
    """Return why a document means no goals, though it has a number of sets of goals."""
    if document.problems:
        return document.problems[0].message
    if count:
        return "the answer takes its goals back"
    return "there are no goals in the answer"


def _reading_of(document: Document, chosen: GoalCandidate, rule_note: str) -> GoalReading:
    """Return the chosen goals, with positions in the original answer.

    Args:
        document: The document.
        chosen: The goals.
        rule_note: By which rule they were chosen; empty if there was nothing to choose.
    """
    cleaned = document.cleaned
    notes = dict.fromkeys([*cleaned.notes, *chosen.notes])
    # What was read generously is noted; it does not make the answer wrong.
    surrounding_text = document.text[: chosen.at] + document.text[chosen.end :]
    if has_words(surrounding_text):
        notes["text around the goals"] = None
    if rule_note:
        notes[rule_note] = None
    goals: list[ReadGoal] = []
    for goal in chosen.items:
        goals.append(replace(goal, position=cleaned.place(goal.position or 0)))
    problem = _first_problem(document)
    status = "chosen" if rule_note else "clean"
    if problem is not None or not all(goal.name for goal in goals):
        status = "partial"
    return GoalReading(tuple(goals), problem, tuple(notes), status)


def _first_problem(document: Document) -> Finding | None:
    """Return the first problem of a document as a parsing error; None if it has none."""
    if not document.problems:
        return None
    first = document.problems[0]
    position = document.cleaned.place(first.position)
    return Finding(ErrorKind.PARSING, first.message, position=position)


class _Reader:
    """Reads the goals of a document, and of documents in its strings.

    Args:
        names: The names of the task.
        depth: How deep the document stands in strings of others.
    """

    def __init__(self, names: GoalNames, depth: int) -> None:
        self.names = names
        self.depth = depth
        self.grammar = GoalGrammar(names)

    def nested(self, text: str) -> list[ReadGoal]:
        """Return the goals of a text in a string."""
        if self.depth >= MAX_NESTING:
            return []
        document = parse_document(Cleaned(text))
        chosen, _, _ = _Reader(self.names, self.depth + 1).choose(document)
        return [] if chosen is None or chosen.is_cut else chosen.items

    def choose(self, document: Document) -> tuple[GoalCandidate | None, str, int]:
        """Choose the goals that a document means.

        Returns:
            The goals, the rule by which they were chosen, and the number of candidates. None in
            place of goals if there are none, or the document takes them back.
        """
        collector = _Collector(self.grammar, self.nested, document)
        candidates = collector.candidates_in_order()
        starts = collector.offsets_told_again(_said_by_goal, min_items=1)
        if starts:
            collector = _Collector(self.grammar, self.nested, document, starts)
            candidates = collector.candidates_in_order()
        pool = [one for one in candidates if one.is_read or _is_empty_answer(one)]
        if not pool:
            # Goals that cannot be read are better than none: the result names the last ones.
            pool = [one for one in candidates if one.items or one.is_empty][-1:]
        if not pool:
            return None, "", 0
        chosen, rule = choose_in_document(document, pool)
        return chosen, rule, len(pool)


def _is_empty_answer(candidate: GoalCandidate) -> bool:
    """Return whether a candidate says that there are no goals, and that this is the answer.

    An empty example of the format is none: ``{"node goals": []}``.
    """
    if not candidate.is_empty or not candidate.kinds:
        return False
    return candidate.is_marked or is_final(candidate.frame)


@dataclass(slots=True)
class _Record:
    """The parts of a goal that stands on several lines: ``name: tv``, then ``state: ON``.

    Args:
        parts: Key and value of each part.
        line: The last line; None if no goal has begun.
        is_keyed: Whether each line has a key; else the first is an object and the others its
            states.
        is_used: Whether its goals were taken in already.
    """

    parts: list[tuple[str, str]] = field(default_factory=list)
    line: Line | None = None
    is_keyed: bool = False
    is_used: bool = False

    def has(self, role: str) -> bool:
        """Whether there is a part of a role."""
        return any(role_of(key) == role for key, _ in self.parts)

    def parts_of_next_state(self) -> list[tuple[str, str]]:
        """Return the object behind whose state another state stands; nothing if there is none.

        ``name: tv``, ``state: ON``, ``state: CLEAN`` are two states of one object.
        """
        roles = [role_of(key) for key, _ in self.parts]
        return self.parts[:-1] if roles.index("predicate") == len(roles) - 1 else []


def _said_by_goal(goal: ReadGoal) -> tuple[str, ...]:
    """Return the words of a goal, by which goals are compared."""
    return str(goal.negated), squeezed(goal.name), *map(squeezed, goal.arguments)


class _Collector(CandidateCollector[GoalCandidate]):
    """Puts the goals of a document together.

    Attributes:
        record: The goal on several lines that is being read.
        given: Parts of the document that repeat what the task gave.
    """

    sentences_of_frame = 3

    def __init__(
        self,
        grammar: GoalGrammar,
        nested: Callable[[str], list[ReadGoal]],
        document: Document,
        starts: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(GoalCandidate, document, starts)
        self.grammar = grammar
        self.nested = nested
        self.names = grammar.names
        self.kind = ""  # of the section that is open
        # Whether a heading such as "node goals:" was read and still counts.
        self.in_section = False
        self.record = _Record()
        self.given = GivenParts(document.text)
        self.bullet = ""  # of the last line with goals; empty if it was no item of a list
        self.columns: list[str] = []  # of the table in commas whose rows follow
        self.unread_items: list[Line] = []  # with names of the task, above all goals or amid words

    def candidates_in_order(self) -> list[GoalCandidate]:
        """Return all sets of goals that the answer may mean, in order.

        Goes through the blocks (values and lines) once. Blocks inside tags that explain, such as
        ``<think>``, and those that repeat the task are passed over.
        """
        for is_struck, blocks in groupby(self.document.blocks, key=attrgetter("is_struck")):
            if is_struck:
                self.end_record()
                with self.add_struck_item():
                    self.add_blocks(blocks)
                    self.end_record()
            else:
                self.add_blocks(blocks)
        self.end_record()
        return self.candidates

    def add_blocks(self, blocks: Iterable[Block]) -> None:
        """Add blocks, without those that explain or repeat the task."""
        for block in blocks:
            if any(map(_explains_or_is_given, block.regions)):
                continue
            if block.value is not None:
                self.add_value(block, block.value)
            else:
                self.add_line(block)

    # ---------------------------------------------------------- candidates

    def begin_candidate(self, block: Block, *framing: str) -> GoalCandidate:
        """Begin a candidate at a block, framed by the names of answer elements as well."""
        elements = (region for region in block.tags if frames_blocks(region.kind, region.name))
        names = (region.name.replace("_", " ") for region in elements)
        candidate = super().begin_candidate(block, *framing, *names)
        candidate.is_formal = candidate.is_formal or self.in_section
        candidate.is_whole = self.in_section
        return candidate

    def carries_on(self, block: Block, kinds: set[str], *, is_single: bool = False) -> bool:
        """Return whether goals of some kinds in a block belong to the current candidate.

        Edge goals behind node goals do, and so does ``{"name": "lamp"}`` behind other single goals.
        """
        current = self.current
        if current is None or current.is_marked != block.is_marked or block.at in self.starts:
            return False
        # The three kinds of goals of one answer stand in lists of their own.
        if kinds and current.kinds and not kinds & current.kinds:
            return True
        if self.in_section and is_single:
            return True
        if block.value is None:
            is_beside = current.place == block.framing and not current.single_values
            return self.in_section or is_beside
        if is_single and current.single_values:
            return current.single_values == len(current.items)
        return False

    def open_section(self, kind: str, *, restarts: bool) -> None:
        """Begin a section, ``node goals:``; a second one of a kind begins another candidate.

        Args:
            kind: The kind of its goals: ``state``, ``relation``, ``action``, or empty for all.
            restarts: Whether its heading is of the kind that begins an answer anew.
        """
        self.end_record()
        current = self.current
        is_other = not self.in_section or kind != self.kind
        if current is not None and restarts and is_other:
            begins_anew = current.is_prose or kind in current.kinds or not kind
            if begins_anew:
                self.current = None
        self.kind = kind
        self.in_section = True

    def close_section(self) -> None:
        """End the section that is open."""
        self.end_record()
        self.kind = ""
        self.in_section = False

    # ---------------------------------------------------------- values

    def add_value(self, block: Block, group: Group) -> None:
        """Add a value: goals, or a piece of them.

        A table of TOML, ``[node_goals]``, only opens a section. A value without any goal is kept as
        an empty answer, which counts if there is no other.
        """
        self.end_record()
        table = _name_of_table(group)
        kind_of_table = None if table is None else kind_of(table)
        if kind_of_table is not None:
            self.open_section(kind_of_table, restarts=True)
            return
        has_heading = self.read_words_before(block)
        readings = self.readings_of(group)
        if self.given.should_skip(block.text, block.at, block.end, lambda: bool(readings)):
            return
        if not readings:
            self.between.words = []  # what was said before it was said of it
            return
        has_goals = any(reading.goals or reading.kinds for reading in readings)
        if not has_goals and not has_heading:
            self.add_empty_answer(block)
            return
        for reading in readings:
            self.add_reading(block, reading, is_only=len(readings) == 1)

    def read_words_before(self, block: Block) -> bool:
        """Open or close a section, as the words before a value say.

        Returns:
            Whether they are the heading of a section, ``node goals: [...]``.
        """
        section = Line.of(Block(block.at, block.text)).section
        if section is not None:
            self.open_section(section, restarts=True)
        elif begins_new_try(block.text):
            self.current = None
            self.close_section()
        return section is not None

    def readings_of(self, group: Group) -> Sequence[GoalsInValue]:
        """Return the goals of a value, by the keys that frame them.

        What cannot be read is left out if something else in the value can.
        """
        readings = ValueReader(self.grammar, self.nested).values(group, self.kind)
        usable = [reading for reading in readings if reading.is_read or reading.is_empty]
        return usable or readings

    def add_empty_answer(self, block: Block) -> None:
        """Add a list or a table without goals in front: it is the answer only if no other is."""
        frame = "\n".join(self.between.words[-self.sentences_of_frame :])
        empty = GoalCandidate([], frame, block.at, block.end)
        empty.is_empty = True
        self.candidates.insert(0, empty)

    def add_reading(self, block: Block, reading: GoalsInValue, *, is_only: bool) -> None:
        """Add the goals of a value, or those under one of its keys.

        Args:
            block: The block of the value.
            reading: The goals.
            is_only: Whether the value has no others; then they may carry on the current candidate.
        """
        kinds = self.kinds_of(reading)
        is_single = len(reading.goals) == 1 and not reading.kinds
        current = self.current
        if not is_only or current is None or not self.carries_on(block, kinds, is_single=is_single):
            lead = "" if self.in_section else block.text.strip()
            current = self.begin_candidate(block, f"{lead} {reading.key}")
        current.take_reading(reading, kinds)
        current.single_values += is_single
        current.is_cut = current.is_cut or (block.value is not None and block.value.cut)
        current.notes |= dict.fromkeys(self.document.repairs.get(block.at, ()))
        current.end = block.end
        current.place = block.framing
        self.between.words = []

    def kinds_of(self, reading: GoalsInValue) -> set[str]:
        """Return the kinds of the goals of a value.

        In a section the headings say it, first those in the value; elsewhere the goals do.
        """
        if self.in_section:
            kinds_of_headings = reading.kinds or {self.kind} - {""}
            if kinds_of_headings:
                return kinds_of_headings - {""}
        kinds = {goal.kind for goal in reading.goals} | reading.kinds
        return kinds - {""}

    # ---------------------------------------------------------- lines

    def add_line(self, block: Block) -> None:
        """Add a line: a heading, goals, a part of one, or words that frame what follows.

        The order of the questions matters: what repeats the task is dropped before it can be read,
        a row of a table is no sentence, and a label such as ``state:`` may be a part of a goal or
        the heading of a section.
        """
        line = Line.of(block)
        if not has_words(line.text) or line.is_comment:
            return
        if self.given.should_skip(block.text, block.at, block.end, lambda: self.holds_goal(line)):
            self.end_record()
            return
        if self.add_row(line):
            return
        if line.element == "action":
            self.add_content(line, "action", line.text, line.at, is_listed=True)
        elif line.opens_section and not self.names.objects(line.label or ""):
            self.open_section(line.section or "", restarts=is_plural(line.label or ""))
            self.add_behind_label(line, self.kind)
        elif line.label is not None and line.section is None and is_aside(line.label):
            self.add_line_of_words(line)
        elif self.add_part(line):
            return
        elif line.section is not None:
            self.add_behind_label(line, line.section or self.kind)
        else:
            self.add_content(line, self.kind, line.text, line.at, is_listed=line.is_listed)

    def add_behind_label(self, line: Line, kind: str) -> None:
        """Add the goals behind the heading of a section in the same line, if there are any."""
        self.add_content(line, kind, line.rest, line.at + line.label_size, is_listed=True)

    def add_row(self, line: Line) -> bool:
        """Add a row of a table in commas, or read its head: ``negated,predicate,object``.

        Only a head that says what shall be false is remembered: other rows are read as words.

        Returns:
            Whether the line is such a head, or a row from which a goal was read.
        """
        # Cells may be quoted, as in CSV.
        cells = [cell.strip(" \"'") for cell in line.text.split(",")]
        if is_head(line.text):
            self.columns = cells if any(plain_key(cell) in NEGATING for cell in cells) else []
            return bool(self.columns)
        if len(cells) != len(self.columns):
            self.columns = []
            return False
        is_negated = False
        parts: list[tuple[str, str]] = []
        for key, value in zip(self.columns, cells, strict=True):
            if plain_key(key) in NEGATING:
                is_negated = is_negated or TRUTH.get(value.lower()) is True
            else:
                parts.append((key, value))
        goals = self.grammar.goals_of_roles(self.kind, parts, line.at, negated=is_negated)
        if goals:
            self.add_goals(line, goals, is_prose=False)
        return bool(goals)

    def holds_goal(self, line: Line) -> bool:
        """Whether a line holds a goal, or an object of the task as a part of one."""
        text = line.text if line.section is not None else line.rest
        if line.label is not None and role_of(line.label) and text.strip():
            return True
        return bool(self.grammar.text("", text, line.at, meant=line.is_listed))

    def add_content(self, line: Line, kind: str, text: str, at: int, *, is_listed: bool) -> None:
        """Add the goals of a line, or its words if it has none.

        Args:
            line: The line.
            kind: The kind of the section; may be empty.
            text: The line without its label.
            at: Offset of the text.
            is_listed: Whether the line is an item of a list, so that it is meant as a goal even if
                it cannot be read as one.
        """
        if not has_words(text) or _OPENS_CALL.fullmatch(text):
            return
        if self.in_section and says_nothing(text) and not begins_new_try(text):
            self.add_nothing(line.block, kind)
            return
        goals = self.grammar.text(kind, text, at)
        if not (goals or kind) and is_listed:
            goals = self.grammar.action_behind_words(text, at)
        if not line.block.is_struck:
            # Of a line that is not crossed out as a whole, single words may be.
            goals = [goal for goal in goals if not self.document.is_struck(goal.position or at)]
            is_listed = is_listed and not self.document.is_struck(at)
        if not goals and is_listed and (self.in_section or kind or self.goes_on_in_list(line)):
            goals = self.meant_goals(line, kind, text, at)
        if not goals:
            if self.is_item_with_names(line):
                self.unread_items.append(line)
            self.add_line_of_words(line)
            return
        self.end_record()
        is_formal = is_listed or line.block.fence is not None
        is_prose = not is_formal and not self.grammar.has_only_goals(text)
        self.add_goals(line, goals, is_prose=is_prose)

    def meant_goals(self, line: Line, kind: str, text: str, at: int) -> list[ReadGoal]:
        """Return the goal in an item of a section, whose names may be unknown.

        Args:
            line: The line of the item.
            kind: The kind of the section.
            text: The item.
            at: Its offset.

        Returns:
            At least one goal, perhaps an unreadable one; none if the line begins something else.
        """
        goals = self.grammar.text(kind, text, at, meant=True)
        if goals or begins_new_try(line.block.text):
            return goals
        if kind == "action" and len(text.split()) < MAX_ACTION_WORDS:
            return [ReadGoal("action", text.strip(" .`*"), position=at)]
        return [unread_goal(kind, text, at)]

    def add_nothing(self, block: Block, kind: str) -> None:
        """Add a line that says that there are no goals of a kind."""
        current = self.current
        if current is None or not self.carries_on(block, {kind}):
            current = self.begin_candidate(block)
        current.is_empty = True
        current.kinds |= {kind} - {""}
        current.end = block.end

    def add_goals(self, line: Line, goals: Sequence[ReadGoal], *, is_prose: bool) -> None:
        """Add the goals of a line to the current candidate, or begin another with them.

        A list and sentences are different candidates: of both, the list is more likely the answer.
        A sentence below a list is no goal at all, but a remark. If it begins with a term right
        below the list, it may be meant as a goal, and is reported.

        Args:
            line: The line.
            goals: Its goals, at least one.
            is_prose: Whether it is a sentence.
        """
        block = line.block
        current = self.current
        if current is not None and current.items and is_prose and not current.is_prose:
            if self.grammar.begins_with_term(line.text) and self.is_right_below(block, current):
                current.items.append(unread_goal(self.kind, line.text.strip(), block.at))
                current.end = block.end
            else:
                self.add_line_of_words(line)
            return
        kinds = {self.kind} if self.kind else {goal.kind for goal in goals}
        lead = block.text[: max((goals[0].position or block.at) - block.at, 0)]
        is_framed = not self.in_section and (is_final(lead) or is_rejected(lead))
        is_list_below_prose = current is not None and current.is_prose and not is_prose
        if current is None or is_list_below_prose or is_framed or not self.carries_on(block, kinds):
            current = self.begin_candidate(block, lead if is_framed else "")
            current.is_prose = is_prose
            current.items += self.unread_items_above(line)
        else:
            self.add_seam(block)
        current.items += goals
        current.kinds |= kinds
        current.end = block.end
        current.place = block.framing
        self.bullet = line.bullet if line.is_listed else ""
        self.between.words = []

    def goes_on_in_list(self, line: Line) -> bool:
        """Whether a line is an item of a list of goals, and names an object or a predicate."""
        current = self.current
        is_item = current is not None and self.is_right_below(line.block, current)
        return is_item and line.bullet == self.bullet and self.is_item_with_names(line)

    def is_item_with_names(self, line: Line) -> bool:
        """Whether a line is an item of a list, and names an object or a predicate."""
        mentions = self.names.mentions(line.text) if line.is_listed and line.label is None else ()
        return any(not self.names.is_action(mention.name) for mention in mentions)

    def unread_items_above(self, line: Line) -> list[ReadGoal]:
        """Return the items right above the first one with goals in its list as unread goals.

        The list may be meant from its begin on, so that they are not left out in silence.
        """
        items: list[Line] = []
        below = line
        for item in reversed(self.unread_items):
            is_in_list = line.is_listed and item.bullet == line.bullet
            if not is_in_list or not self.is_right_below(below.block, item.block):
                break
            items.append(item)
            below = item
        self.unread_items = []
        return [unread_goal(self.kind, item.text.strip(), item.at) for item in reversed(items)]

    def is_right_below(self, block: Block, current: GoalCandidate | Block) -> bool:
        """Whether no line stands between a candidate, or a line, and a block."""
        between = self.document.text[current.end : block.at]
        return not has_words(between) and between.count("\n") <= 1

    def add_line_of_words(self, line: Line) -> None:
        """Add a line without goals: the heading of something else, or words.

        Words that begin something else ("Alternatively:") end the candidate. Words right behind
        goals are a remark about them, all others frame what follows.
        """
        self.end_record()
        text = line.block.text.strip()
        explains = line.is_heading and line.label is not None and is_aside(line.label)
        is_announcing = _ANNOUNCING.search(text) is not None or proposes(text)
        if explains or begins_new_try(line.block.text) or is_announcing:
            self.current = None
            self.close_section()
        elif line.is_heading:
            self.close_section()
        self.add_words(text)

    # ---------------------------------------------------------- goals on several lines

    def add_part(self, line: Line) -> bool:
        """Add a line that is one part of a goal.

        A goal may stand in several lines, each with a part of it::

            object: tv.1
            state: ON

        or as an object with its states below it.

        Returns:
            Whether the line is a part.
        """
        text = line.text if line.label is None else line.rest
        value = text.strip(" \"',;:`*_")
        key = line.label or ""
        if not key and line.is_in_tag:
            # An element keeps its name: "object tv.1".
            first_word, _, name = value.partition(" ")
            if role_of(first_word) and self.names.is_known(name):
                key = first_word
                value = name.strip()
        if key and value:
            return self.add_keyed(line, key, value) or self.add_below(line, key, value)
        lone_name = key or value
        return self.add_below(line, "", lone_name) or self.begin_record(line, lone_name)

    def add_keyed(self, line: Line, key: str, value: str) -> bool:
        """Add one part of a goal that stands in a line of its own: ``state: ON``.

        A part begins a new goal if the one before has a part in that role already.

        Args:
            line: The line.
            key: The key, ``state``.
            value: The text behind the key, ``ON``.

        Returns:
            Whether the line is such a part.
        """
        role = role_of(key)
        if not role or is_plural(key) or not self.is_name_of_part(role, value, line.at):
            return False
        # The earlier record is remembered, since its object may have another state.
        earlier = self.record
        is_apart = self.is_apart(line)
        if is_apart or earlier.has(role):
            self.end_record()
            if role == "predicate" and not is_apart:
                self.record.parts += earlier.parts_of_next_state()
        self.record.parts.append((key, value))
        self.record.is_keyed = True
        self.record.line = line
        return True

    def is_apart(self, line: Line) -> bool:
        """Return whether a line begins another goal, by its bullet or the elements around it."""
        record = self.record
        # In a list with a bullet for each part, a bullet alone does not begin another goal.
        was_listed = record.line is not None and record.line.is_listed
        has_new_bullet = line.is_listed and record.is_keyed and not was_listed
        return has_new_bullet or not self.is_near(line.block)

    def is_name_of_part(self, role: str, value: str, at: int) -> bool:
        """Return whether a text behind a key is a name, and not a goal of its own.

        Args:
            role: The meaning of the key.
            value: The text.
            at: Its offset.
        """
        # "name=tv, state=ON" is all of a goal, not a part.
        if ":" in value or "=" in value or len(value.split()) > MAX_NAME_WORDS:
            return False
        if role == "act":
            return True
        goals = self.grammar.text(self.kind, value, at)
        # Behind "state:", a word such as OPEN is the state, though it is an action, too.
        if role == "predicate":
            return all(goal.kind == "action" for goal in goals)
        return not goals

    def add_below(self, line: Line, key: str, value: str) -> bool:
        """Add a predicate below its object.

        Below ``cup.1`` the line ``CLEAN`` is the goal ``CLEAN(cup.1)``, ``ON: table.2`` is
        ``ON(cup.1, table.2)``, and ``CLEAN: false`` is ``not CLEAN(cup.1)``.

        Args:
            line: The line.
            key: Its label; empty if it has none.
            value: The text behind the label, or the whole text.

        Returns:
            Whether the line is such a predicate.
        """
        record = self.record
        predicate = key or value
        if not record.parts or record.is_keyed or not self.names.arities(predicate):
            return False
        parts = [*record.parts, ("predicate", predicate)]
        truth = TRUTH.get(value.lower()) if key else True
        if truth is None:
            if not self.names.objects(value):
                return False
            parts.append(("to", value))
        goals = self.grammar.goals_of_roles("", parts, line.at, negated=truth is False)
        if goals:
            self.add_goals(line, goals, is_prose=False)
            record.is_used = True
        return bool(goals)

    def begin_record(self, line: Line, name: str) -> bool:
        """Add an object alone on its line, which others go on with; return False if it is none."""
        is_apart = line.is_listed or line.is_in_tag or line.is_heading
        if not is_apart or not self.names.objects(name):
            return False
        self.end_record()
        self.record = _Record([("object", name)], line, is_keyed=line.is_in_tag)
        return True

    def is_near(self, block: Block) -> bool:
        """Whether a block stands in the same elements as the open record."""
        line = self.record.line
        return line is None or _parents(line.block) == _parents(block)

    def end_record(self) -> None:
        """Add the goal whose parts were collected."""
        record = self.record
        self.record = _Record()
        if record.line is None or record.is_used:
            return
        goals = self.grammar.goals_of_roles(self.kind, record.parts, record.line.at)
        if any(goal.name for goal in goals) or (goals and self.in_section):
            self.add_goals(record.line, goals, is_prose=False)


def _name_of_table(group: Group) -> str | None:
    """Return the text of a list in a list, as TOML begins a table: ``[[node_goals]]``."""
    node: Node | Pair = group
    for _ in range(2):
        if not isinstance(node, Group) or len(node.items) != 1:
            return None
        node = node.items[0]
    return node.value if isinstance(node, Text) else None


def _explains_or_is_given(region: Region) -> bool:
    """Whether a region is an element that explains, or says what is so already."""
    return region.kind == "tag" and (is_aside(region.name) or is_given_key(region.name))


def _parents(block: Block) -> tuple[int, ...]:
    """Return the offsets of the elements around a part of a goal, without those that are parts.

    ``<goal><object>tv</object></goal>`` has the object inside of ``goal`` only. Parts with the same
    parents belong to one goal.
    """
    parents: list[int] = []
    for region in block.regions:
        # "node" and "action" are names of parts, and of elements around a whole goal.
        is_part = role_of(region.name) != "" and region.name not in ("node", "action")
        if region.kind == "tag" and not is_part:
            parents.append(region.start)
    return tuple(parents)
