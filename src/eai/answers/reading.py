"""Plans out of answers: document, items, choice, one after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eai.answers.choice import (
    Candidate,
    breaks,
    choose,
    frames_blocks,
    is_final,
    is_rejected,
    is_remark,
    is_reversed,
    marks_answer,
    names_option,
    removed_items,
    replaced_item,
    says_failure,
    sentences_of,
    takes_back,
)
from eai.answers.cleaning import Cleaned
from eai.answers.document import (
    MAX_LINES,
    Block,
    Document,
    document_of,
    unwrapped,
)
from eai.answers.flow import whole_steps
from eai.answers.grammar import StepGrammar
from eai.answers.items import LineReading, Step, ValueReading
from eai.answers.keys import is_aside_key, is_object_key, key_words
from eai.answers.parts import are_parts, part_of
from eai.answers.phrases import InWords
from eai.answers.plan import (
    EMPTY,
    NO_PLAN,
    AnswerProblem,
    PlanReading,
    ReadStep,
    no_step,
    shorten,
    words_of,
)
from eai.answers.surfaces import Surfaces, squeezed
from eai.answers.unclear import has_number, is_like_call, is_like_step, leaves_out
from eai.answers.values import Group, Pair, Text
from eai.text import counted

MAX_STEPS = 3_000
"""Maximum number of steps of a plan."""
AROUND = "text around the plan"
"""The note on an answer that says more than its plan."""
MAX_PROBLEMS = 100
"""Maximum number of problems that are listed for one answer."""
MAX_NESTING = 4
"""Maximum depth of texts in strings in texts."""
MAX_STRINGS = 200
"""Maximum number of strings of one answer that are read as texts of their own."""


@dataclass(slots=True)
class Plan(Candidate[Step]):
    """A plan that an answer may mean.

    Args:
        unread: What stands where a step is expected and is none.
        notes: What was understood or left out.
        unclear_lines: Lines that may have been meant as steps, each with the steps before it.
        regions: Number of its steps that stand alone, or with other arms', in a value or fence.
        indent: How far its last line is indented.
        ends_with_value: Whether its last step is a value, not a line.
        is_empty: Whether it is a plan without steps.
        numbers: The numbers of its steps, which ``numbered`` of them have.
        last_number: The highest of them; -1 if there is none.
        heading: The last heading above its steps.
        replaces: The number of the step of the plan before that its only step replaces, or 0.
    """

    unread: list[Text] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    unclear_lines: list[tuple[int, Text]] = field(default_factory=list)
    regions: int = 0
    indent: int = 0
    ends_with_value: bool = False
    is_empty: bool = False
    numbers: set[int] = field(default_factory=set)
    numbered: int = 0
    last_number: int = -1
    heading: str = ""
    replaces: int = 0

    def head_with(self, heading: str) -> None:
        """Remember the heading of the steps that follow."""
        if heading:
            self.heading = heading

    def forget_numbers(self) -> None:
        """Let the numbers of its steps begin anew, in its next part."""
        self.numbers = set()
        self.last_number = 0

    def take(self, steps: Sequence[Step]) -> None:
        """Add steps, and remember their numbers."""
        self.items += steps
        for step in steps:
            if step.number is not None:
                self.numbers.add(step.number)
                self.numbered += 1
                self.last_number = max(self.last_number, step.number)

    @property
    def has_known_step(self) -> bool:
        """Whether the task has the action of one of its steps."""
        return any(step.is_known for step in self.items)


def read_document(
    document: Document,
    surfaces: Surfaces | None,
    in_words: Callable[[str], InWords | None] | None = None,
    *,
    grammar: type[StepGrammar] | None = None,
) -> PlanReading:
    """Return the plan in a document; see :func:`eai.answers.read_with`."""
    reader = _Reader(surfaces, 0, [MAX_STRINGS], in_words, grammar or StepGrammar)
    # Plans of planners may be long; an answer in a household is not.
    is_planning = surfaces is not None and surfaces.signature is not None
    max_steps = MAX_LINES if is_planning else MAX_STEPS
    return _finished(document, reader.plan(document), max_steps)


@dataclass(slots=True)
class _Chosen:
    """The candidate that was chosen in a document."""

    plan: Plan | None
    rule: str = ""
    problems: list[AnswerProblem] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    count: int = 0


@dataclass(slots=True)
class _Unclear:
    """A line that may have been meant as a step, and was not read."""

    text: Text
    reading: LineReading

    @property
    def bullet(self) -> str:
        """The bullet before the line; empty if there is none."""
        return _bullet_of(self.text.value)

    def heads(self, section: int) -> bool:
        """Whether it is the heading of the steps of a section."""
        return _heads(self.text.value, section)


def _heads(line: str, section: int) -> bool:
    """Whether a line is the heading of a section: ``2. In the kitchen`` of the steps 2.1, 2.2."""
    found = re.match(r"\W*(\d{1,4})[.):]?\s", line)
    return section > 0 and found is not None and int(found[1]) == section


def _bullet_of(line: str) -> str:
    """Return the bullet before a line; empty if there is none."""
    bare = line.lstrip()
    is_bullet = bare[:1] in ("-", "*", "+", "\u2022") and bare[1:2] in (" ", "\t")
    return bare[0] if is_bullet else ""


class _Reader:
    """Reads the plan of an answer, and of the strings in it that hold answers themselves.

    Args:
        surfaces: The names of the task; None if any name may be that of an action.
        depth: How many strings are around what is read.
        strings: One item: how many more strings are read, counted down by all readers together.
        in_words: Reads a step in words, where the task says what its actions are called.
        grammar: Reads the steps of a line or a value.
    """

    def __init__(
        self,
        surfaces: Surfaces | None,
        depth: int,
        strings: list[int],
        in_words: Callable[[str], InWords | None] | None = None,
        grammar: type[StepGrammar] = StepGrammar,
    ) -> None:
        self.surfaces = surfaces
        self.depth = depth
        self.strings = strings
        self.in_words = in_words
        self.grammar = grammar(surfaces, self.nested, in_words)
        self.without_steps: set[str] = set()
        """Strings that were read already and hold no steps; the reader of values asks again."""

    def nested(self, text: Text) -> list[Step] | None:
        """Return the steps of a string that holds JSON or several lines; None if there are none."""
        value = unwrapped(text.value).strip()  # a string of JSON may hold another
        is_encoded = value[:1] in ("[", "{") and value[-1:] in ("]", "}")
        is_text = "\n" in value or "```" in value or "<answer" in value
        if not (is_encoded or is_text) or self.depth >= MAX_NESTING or self.strings[0] <= 0:
            return None
        if value in self.without_steps:
            return None
        self.strings[0] -= 1
        grammar = type(self.grammar)
        inner = _Reader(self.surfaces, self.depth + 1, self.strings, self.in_words, grammar)
        document = document_of(Cleaned(value, 0, {}, [], [], []))
        chosen = inner.plan(document)
        if chosen.plan is None or chosen.problems or not chosen.plan.items:
            self.without_steps.add(value)
            return None
        for step in chosen.plan.items:
            step.at = text.at
        return chosen.plan.items

    def plan(self, document: Document) -> _Chosen:
        """Choose the plan that a document means."""
        chosen = self._chosen(document)
        plan = chosen.plan
        is_refused = plan is None and chosen.count > 0
        is_read = plan is not None and plan.has_known_step and not chosen.problems
        unread = len(plan.unread) if plan is not None else len(chosen.problems)
        is_more_wrong = len(chosen.problems) > unread
        is_value = plan is not None and (plan.is_cut or plan.ends_with_value)
        if is_refused or is_read or is_more_wrong or is_value:
            return chosen
        steps = whole_steps(document, self.grammar, chosen.problems)
        known = [step for step in plan.items if step.is_known] if plan is not None else []
        if len(steps) < 2 or not _is_part_of(known, steps):
            return chosen
        found = Plan(steps, "", steps[0].at, steps[-1].at + len(steps[-1].written))
        return _Chosen(found, "amid words", count=1)

    def _chosen(self, document: Document) -> _Chosen:
        """Choose the plan that the lines and values of a document mean."""
        collector = _Collector(self.grammar, document)
        candidates = _with_replaced_steps(_joined_actors(collector.plans()))
        for candidate in candidates:
            _settle(candidate, self.surfaces)
        with_steps = [plan for plan in candidates if plan.items]
        of_the_task = self._of_the_task(with_steps)
        empty = [plan for plan in candidates if not plan.items and plan.is_empty]
        pool = of_the_task or empty[-1:]
        if not pool:
            unread = [text for plan in candidates for text in plan.unread]
            return _Chosen(None, problems=[no_step(text.value, text.at) for text in unread[:3]])
        tail = document.text[max(plan.end for plan in pool) :]
        before = document.text[: min(plan.at for plan in pool)]
        decisions = "\n".join((before, *collector.decisions))
        plan, rule = choose(pool, tail, decisions)
        passed_over = [other for other in with_steps if other not in of_the_task]
        if plan is not None and not rule and any(other.ends_with_value for other in passed_over):
            # A value without any action of the task is no other plan, but it was passed over.
            over_all, rule = choose(with_steps, tail, decisions)
            if over_all is not plan:
                rule = "last"
        chosen = _Chosen(plan, rule, count=len(of_the_task))
        if plan is None:
            return chosen
        self._spell(plan, document)
        if takes_back(tail or _behind_last_step(plan, document)) and not is_final(plan.frame):
            return _Chosen(None, "not rejected", count=len(of_the_task))
        _edit(plan, f"{before[-400:]}\n{tail}", chosen)
        written = document.text[plan.at : plan.end]
        if is_reversed(plan.frame) or _BACKWARD_ARROW.search(written):
            message = "the steps are said to be in reverse order"
            chosen.problems.append(AnswerProblem(message, plan.at))
        chosen.problems += [no_step(text.value, text.at) for text in plan.unread]
        _look_beside(plan, with_steps, document, chosen)
        return chosen

    def _of_the_task(self, plans: list[Plan]) -> list[Plan]:
        """Return the plans that have an action of the task, without those that abbreviate others.

        What has no action of the task is a plan only where nothing else is.
        """
        known = [each for each in plans if each.has_known_step or is_final(each.frame)] or plans
        if self.surfaces is None or len(known) < 2:
            return known
        return _without_abbreviated(known, self.surfaces.objects)

    def _spell(self, plan: Plan, document: Document) -> None:
        """Mark the last step of a plan if it is cut; give names of PDDL as the task has them."""
        if self.surfaces is None:
            return
        _mark_cut(plan, document, self.surfaces)
        if self.surfaces.predicates:
            for step in plan.items:
                step.written = ""


def _behind_last_step(plan: Plan, document: Document) -> str:
    """Return the last line of a plan in words from its last step on."""
    last = plan.items[-1] if plan.items else None
    if last is None or last.number is not None or plan.ends_with_value:
        return ""
    return document.text[last.at : plan.end]


@dataclass(frozen=True, slots=True)
class _SkippedPart:
    """The lines below one that says that they are not to be read.

    Args:
        indent: How far that line is indented; the lines below it are indented more.
        has_bullets: Whether bullets that are as deep as it belong to them:
            ``Preconditions:`` and ``- the door is open``.
    """

    indent: int
    has_bullets: bool = False

    def ends_before(self, line: str) -> bool:
        """Whether a line stands no longer below the one whose part is skipped."""
        indent = _indent(line)
        if indent == self.indent and self.has_bullets and _BULLET.match(line):
            return False
        return indent <= self.indent


class _Collector:
    """Puts the steps of a document together to plans."""

    def __init__(self, grammar: StepGrammar, document: Document) -> None:
        self.grammar = grammar
        self.document = document
        self.candidates: list[Plan] = []
        self.current: Plan | None = None
        self.pending: list[str] = []
        self.unclear_lines: list[_Unclear] = []
        self.before: list[_Unclear] = []
        self.listed: tuple[str, int | None] = "", None
        self.place: tuple[tuple[str, int], ...] = ()
        self.defined: set[str] = set()  # functions of the answer
        self.variables: set[str] = set()  # of loops
        self.meanings: dict[str, str] = {}  # names that the answer gives to texts
        self.is_parted = False  # a rule or a fence stands before what follows
        self.is_adjacent = False  # no line stands between the plan and what follows
        self.number: int | None = None
        self.number_at = -1  # place of the line that has the number, if it is a heading
        self.is_extended = False  # "plan.append(" stands before the steps
        self.is_broken = False  # words end the plan, or begin an explanation
        self.is_closed = False  # a block that is marked as a plan is over
        self.decisions: list[str] = []
        self.skipped: _SkippedPart | None = None
        self.left_out = False
        self.element_at = -1  # place of the last element that was read as a step

    def plans(self) -> Iterator[Plan]:
        """Yield the plans in the order of the document."""
        for block in _parted(self.with_empty_elements()):
            if any(
                r.kind == "tag" and is_aside_key(r.name) and r.name not in ("step", "task")
                for r in block.regions
            ):
                continue
            if block.is_in("comment") or block.is_in("struck"):
                self.left_out = True
                continue
            place = tuple((r.kind, r.start) for r in block.regions if frames_blocks(r.kind, r.name))
            if place != self.place:
                self.is_parted = True
                self.is_closed = self.is_closed or any(kind == "block" for kind, _ in self.place)
                self.place = place
            if block.value is not None:
                self.add_value(block)
            else:
                self.add_line(block)
        yield from self.candidates

    def with_empty_elements(self) -> Sequence[Block]:
        """Return the blocks, with a line for each empty element named after an action.

        ``<sleep></sleep>`` beside ``<walk><object>hall</object></walk>`` is a step as well.
        """
        document = self.document
        lines: list[Block] = []
        has_step_with_objects = False
        for region in document.regions:
            action = self.grammar.surfaces.action(region.name) if region.kind == "tag" else None
            if action is None:
                continue
            if action.max_objects != 0:
                has_step_with_objects = True
            elif not document.text[region.start : region.end].strip():
                lines.append(Block(region.start, region.name))
        if not lines or not has_step_with_objects:
            return document.blocks
        return sorted([*document.blocks, *lines], key=lambda block: block.at)

    def carry_on(self, steps: Sequence[Step], *, as_value: bool, heading: str = "") -> bool:
        """Decide whether steps carry on the current plan; let its next part begin if they do so.

        The rules go from the surest sign to the weakest: a next part, numbers, what broke the plan,
        and only then what stands between the plan and the steps.

        Args:
            steps: The steps of a line or of a value.
            as_value: Whether they are a value, such as ``["walk(door)"]``.
            heading: The words above them; by default the last words that frame what follows.
        """
        current = self.current
        if current is None or not current.items:
            return False
        step = steps[0]
        heading = heading or (self.pending[-1] if self.pending else "")
        is_next_section = step.number == 1 and step.section == current.items[-1].section + 1 > 1
        if is_next_section or (
            heading != "" and self.is_next_part(current, steps, heading, as_value=as_value)
        ):
            current.forget_numbers()
            self.is_broken = False
            return True
        if step.number is not None and step.number in current.numbers:
            return self.may_repeat_number(current, step)
        if self.begins_other_list(current, step):
            return False
        is_next = step.number is not None and step.number == current.last_number + 1
        if (self.is_broken or self.is_closed) and not is_next:
            return False
        is_line_below = not self.is_parted and not as_value
        if is_line_below or self.is_extended:
            return True
        if self.pending and _GOES_ON.match(self.pending[-1]) and not is_rejected(self.pending[-1]):
            # "Then:" goes on, unless the plan is told again from its first step.
            return not step.says_same(current.items[0])
        return is_next or self.continues_layout(current, steps, as_value=as_value)

    def may_repeat_number(self, current: Plan, step: Step) -> bool:
        """Return whether a step carries on a plan in which another step has its number.

        Two arms may act at a time: ``3. left: grasp(tray)``, ``3. right: grasp(tray)``. And
        Markdown allows a list in which every line has the same number, ``1.``.
        """
        if step.actor != "" and step.number == current.items[-1].number:
            return True
        return len(current.numbers) == 1 and self.is_adjacent

    def begins_other_list(self, current: Plan, step: Step) -> bool:
        """Return whether only one of a plan and a step is numbered, so that they are two lists."""
        if step.number is not None:
            # ``3. open(door)`` behind two steps without numbers goes on.
            return not current.numbers and step.number != len(current.items) + 1
        if not self.pending or not current.numbered == len(current.items) > 1:
            return False
        # Bullets that are deeper than a numbered list belong to it, whatever words are between.
        indent = int(step.place.partition(" ")[0] or 0)
        return indent <= current.indent

    def continues_layout(self, current: Plan, steps: Sequence[Step], *, as_value: bool) -> bool:
        """Return whether steps behind a rule or a fence are laid out like the plan before it."""
        is_alike = as_value == current.ends_with_value
        has_single_steps = current.regions == len(current.items)
        if is_alike and has_single_steps and _are_at_a_time(steps):
            return True  # each step stands in a fence or a value of its own
        # A heading in words, "1. Walk to the door", and what it means in a fence below it.
        is_below_heading = self.is_parted and current.items[-1].form == "heading"
        if not is_below_heading or len(steps) != 1:
            return False
        return _says_less_or_same(current.items[-1], steps[0])

    @staticmethod
    def is_next_part(current: Plan, steps: Sequence[Step], heading: str, *, as_value: bool) -> bool:
        """Whether a heading makes steps the next part of a plan, though their numbers begin anew.

        ``## Phase 2`` does behind ``## Phase 1``. Other headings of the same rank do for lists of
        lines, if neither says anything about what stands below it.
        """
        above, below = current.heading, heading
        is_other_arm = steps[0].actor != current.items[-1].actor
        if not above or is_other_arm or steps[0].says_same(current.items[0]):
            return False
        is_listed = steps[0].number == 1 and bool(current.numbers) and not as_value
        return (is_listed or part_of(below) > 0) and are_parts(above, below)

    def begin(self, block: Block, frame: str) -> Plan:
        """Begin a candidate at a block."""
        tags = [r.name.replace("_", " ") for r in block.regions if r.kind == "tag"]
        words = [frame, *(name for name in tags if is_final(name) or is_rejected(name))]
        plan = Plan(
            [],
            "\n".join(filter(None, [*self.pending[-4:], *words])),
            block.at,
            block.at,
            is_marked=any(marks_answer(r.kind, r.name) for r in block.regions),
            is_struck=block.is_in("struck") or block.is_in("comment"),
            is_formal=block.value is not None or block.fence is not None,
        )
        plan.head_with(self.pending[-1] if self.pending else "")
        self.candidates.append(plan)
        self.current = plan
        self.is_broken = False
        self.is_closed = False
        self.pending = []
        self.unclear_lines = []
        self.is_parted = False
        return plan

    def add_value(self, block: Block) -> None:
        """Take in a value: a plan, or one step of a plan whose steps are values."""
        assert block.value is not None  # noqa: S101 - the caller looked
        behind = self.document.text[block.end : block.end + 40]
        if self.current is not None and block.text.strip() and _MENTIONED.match(behind):
            self.current.notes[f"not read: {shorten(block.text.strip())}"] = None
            return  # a step in a sentence: "Note that {...} is not needed"
        lead = block.text.strip()
        readings = self.grammar.values(block.value)
        if block.value.kind == "object" and self.grammar.surfaces.action(lead) is not None:
            lead = ""
            if not any(step.is_known for reading in readings for step in reading.steps):
                block = _as_call(block)
                assert block.value is not None  # noqa: S101 - it was just made
                readings = self.grammar.values(block.value)
        defined = _DEFINITION.match(block.text)
        if defined is not None:
            self.defined.add(defined[1])
        if lead and self.add_lead(block):
            lead = ""
        if not any(reading.steps for reading in readings):
            self.add_value_without_steps(block, readings, lead)
            return
        if len(readings) == 1 and self.tells_again(readings[0].steps, lead):
            return
        self.decisions += [each.decision for each in readings[:1] if each.decision]
        self.forget_tool_name(lead)
        for reading in readings:
            self.add_reading(block, reading, lead, is_only=len(readings) == 1)
            lead = ""

    def add_lead(self, block: Block) -> bool:
        """Take in the steps on the line of a value, before it; say whether there are some."""
        begin = block.at - len(block.text)
        before = self.grammar.line(block.text, begin)
        # "root.add_children([" is code around the value.
        is_code = any(step.is_cut and not step.is_known for step in before.steps)
        if not before.steps or is_code:
            return False
        self.add_steps(Block(begin, block.text, None, block.regions), before)
        return True

    def add_value_without_steps(
        self, block: Block, readings: Sequence[ValueReading], lead: str
    ) -> None:
        """Take in a value without steps: objects of the step before it, or a plan without any."""
        assert block.value is not None  # noqa: S101 - the caller looked
        if block.text.strip() and not lead and self.current is not None:
            last = self.current.items[-1]  # an action, and its arguments as a value
            last.arguments = self.grammar.completion_of(last, block.value)
            self.current.end = block.end
            return
        if self.completes(block):
            return
        reading = readings[-1] if readings else None
        is_empty = reading is not None and reading.is_empty and not reading.unread
        if reading is None or not (is_empty or self.current is None):
            self.note_unclear_value(block, lead)
            self.pending.append(lead)
            return
        plan = self.begin(block, lead)
        plan.end = block.end
        plan.is_empty = is_empty
        if is_empty:
            plan.is_cut = block.value.cut
        else:
            plan.unread = reading.unread
        self.current = None

    def tells_again(self, steps: Sequence[Step], lead: str) -> bool:
        """Whether a value tells the step before it again, as its input: ``Action Input: {...}``."""
        current = self.current
        if current is None or not current.items or len(steps) != 1:
            return False
        last = current.items[-1]
        is_addressed = self.document.text[max(last.at - 3, 0) : last.at] == "to="
        is_input = key_words(lead)[-1:] == ("input",)
        return (is_input or is_addressed) and steps[0].says_same(last)

    def forget_tool_name(self, lead: str) -> None:
        """Forget a line such as ``Action: execute``, below which its input is a whole step."""
        if not (is_object_key(lead) or key_words(lead)[-1:] == ("input",)):
            return
        for remembered in (self.unclear_lines, self.before):
            if remembered and _TOOL_NAME.fullmatch(remembered[-1].text.value):
                remembered.pop()

    def note_unclear_value(self, block: Block, lead: str) -> None:
        """Remember words before a value of objects, ``turn it on: [fridge.40]``, amid steps."""
        words = words_of(lead)
        if (
            self.current is None
            or not 0 < len(words) < 6
            or is_object_key(lead)
            or is_aside_key(lead)
        ):
            return
        line = self.document.text[block.at - len(block.text) : block.end]
        if "\n" not in line and is_like_step(lead.rstrip(": "), names_object=len(words) > 1):
            reading = LineReading(is_like_step=True)
            self.add_unclear(
                Block(block.end - len(line), line, None, block.regions), reading, is_code=False
            )

    def completes(self, block: Block) -> bool:
        """Whether a value holds the objects of the step before it, which are added to the step."""
        assert block.value is not None  # noqa: S101 - the caller looked
        last = self.current.items[-1] if self.current is not None and self.current.items else None
        if (
            last is None
            or self.current is None
            or not (last.lacks_objects or last.max_objects == 0)
        ):
            return False
        if block.value.kind == "object" or last.lacks_objects:
            objects = self.grammar.completion_of(last, block.value)
            if last.lacks_objects and objects:
                last.arguments = objects
            self.current.end = block.end
            self.pending = []
            return bool(objects) or last.max_objects == 0
        return False

    def add_reading(self, block: Block, reading: ValueReading, lead: str, *, is_only: bool) -> None:
        """Take in one plan of a value: it carries on the current plan, or begins another one.

        Args:
            block: The value.
            reading: Steps under one key of it.
            lead: The words on the line before it.
            is_only: Whether the value holds no other plan.
        """
        framed = any(map(breaks, [*self.pending, lead]))
        self.is_extended = _EXTENDS.search(lead) is not None
        is_carried_on = is_only and self.carry_on(reading.steps, as_value=True, heading=lead)
        is_carried_on = is_carried_on and (not framed or part_of(lead) > 0)
        replaced = self.replaced_step(lead)
        if not is_carried_on or replaced or self.current is None:
            self.begin(block, _frame_of(lead, reading.key)).replaces = replaced
        current = self.current
        assert current is not None  # noqa: S101 - it was just begun
        current.head_with(self.pending[-1] if self.pending else lead)
        self.pending = []
        self.take_unclear(current)
        self.unclear_lines = []
        current.regions += len(reading.steps) if _are_at_a_time(reading.steps) else 0
        self.is_parted = True
        self.replace_names(reading.steps)
        current.take(reading.steps)
        current.ends_with_value = True
        current.unread += reading.unread
        current.notes |= reading.notes
        if reading.left_out:
            current.notes["not read: " + ", ".join(map(shorten, list(reading.left_out)[:10]))] = (
                None
            )
        for repair in self.document.repairs.get(block.at, ()):
            current.notes[repair] = None
        current.is_cut = current.is_cut or reading.is_cut
        current.end = block.end

    def add_line(self, block: Block) -> None:
        """Take in a line: steps, a part of the step before, or words that frame what follows."""
        is_code = _is_code(block)
        reading = self.grammar.line(block.text, block.at, is_code=is_code)
        text = block.text
        if len(text) > self.grammar.longest_line:
            # A paragraph: what frames a plan stands at its begin or at its end.
            text = f"{text[:200]} {text[-200:]}"
        if self.skip(text) or self.defines(text):
            return
        if is_code and self.is_commented_out(text):
            self.pending = []  # what stands before it framed it
            return
        reading.steps = [step for step in reading.steps if not self.document.is_struck(step.at)]
        if any(map(self.is_call_of_own, reading.steps)):
            return
        if reading.steps:
            self.add_steps(block, reading)
            if _IF_NOT.match(text):
                self.skipped = _SkippedPart(_indent(text))  # what is done should the step fail
        elif self.completes_step(block, reading) or self.add_element(block, text):
            return
        elif reading.is_aside:
            self.add_aside(text)
        elif not reading.is_negated:
            self.add_frame(block, text, reading, is_code=is_code)

    def add_element(self, block: Block, text: str) -> bool:
        """Take in the objects in an element that is named after an action; False if it is none.

        ``<walk>``, ``<object>hall</object>`` and ``</walk>`` on lines of their own are one step.
        """
        surfaces = self.grammar.surfaces
        tags = [region for region in block.regions if region.kind == "tag"]
        element = next((r for r in reversed(tags) if surfaces.action(r.name) is not None), None)
        if element is None or element.start == self.element_at:
            return False
        objects = [mention.name for mention in surfaces.mentions(text) if not mention.is_action]
        is_talk = len(words_of(text)) > len(words_of(" ".join(objects))) + 2
        if not objects or is_talk:
            return False
        reading = self.grammar.line(f"{element.name}({', '.join(objects)})", block.at)
        if len(reading.steps) != 1:
            return False
        self.element_at = element.start
        reading.steps[0].at = block.at
        self.add_steps(block, reading)
        return True

    def replaced_step(self, lead: str) -> int:
        """Return the number of the step of the current plan that words replace; 0 for none."""
        if self.current is None:
            return 0
        number = replaced_item(f"{self.pending[-1] if self.pending else ''} {lead}")
        return number if number <= len(self.current.items) else 0

    def is_commented_out(self, text: str) -> bool:
        """Whether a line of a program is a comment that holds a step."""
        if not text.lstrip().startswith(("#", "//")):
            return False
        return bool(self.grammar.line(text.strip().lstrip("#/ "), 0).steps)

    def skip(self, text: str) -> bool:
        """Skip a line in code that never runs or below ``Preconditions:``; return whether it was.

        Takes every line once and in order: a line that is not deeper ends what is skipped.
        """
        if self.skipped is not None and self.skipped.ends_before(text):
            self.skipped = None
        if self.skipped is None and _NEVER_RUN.match(text):
            self.skipped = _SkippedPart(_indent(text))
        return self.skipped is not None

    def defines(self, text: str) -> bool:
        """Take in the definition of a name; whether a line is nothing else."""
        function = _DEFINITION.match(text)
        if function is not None:
            self.defined.add(function[1])
        loop = _LOOP.match(text)
        if loop is not None:
            self.variables.update(words.strip(" ()") for words in loop[1].split(","))
        assigned = _ASSIGNED.match(text)
        if assigned is None or self.grammar.line(assigned[4], 0, meant=True).steps:
            return False
        if assigned[2] and not self.looks_up(assigned[2], assigned[4]):
            return False
        self.meanings[assigned[1]] = assigned[4]
        return True

    def looks_up(self, function: str, name: str) -> bool:
        """Whether a function of a program looks up an object: ``env.get("light.34")``."""
        surfaces = self.grammar.surfaces
        is_action = surfaces.action(function.rpartition(".")[2].rstrip("(")) is not None
        return squeezed(name) in surfaces.objects and not is_action

    def is_call_of_own(self, step: Step) -> bool:
        """Whether a step is the call of a function of the answer, or has a variable of a loop."""
        if step.written in self.defined and not any(map(has_number, step.arguments)):
            return True
        return step.name in self.variables or not self.variables.isdisjoint(step.arguments)

    def completes_step(self, block: Block, reading: LineReading) -> bool:
        """Add the objects in a line to the step before it, if it lacks some; whether it did."""
        current = self.current
        if current is None or not current.items or not reading.completion or reading.is_aside:
            return False
        last = current.items[-1]
        if not (last.lacks_objects or last.is_cut):
            return False
        missing = reading.completion
        if last.max_objects >= 0:
            missing = missing[: max(last.max_objects - len(last.arguments), 0)]
        last.arguments += missing
        last.is_cut = False
        current.end = block.end
        return True

    def add_aside(self, text: str) -> None:
        """Take in a line that explains: what stands below it may do so, too."""
        current = self.current
        is_bullet = _BULLET.match(text) is not None
        is_below = current is not None and (_indent(text) > current.indent or is_bullet)
        if not _ends_open(text):
            if _LEADS_ON.search(text) and is_rejected(text):
                self.is_broken = True  # "Check: one might think of", and what is thought of
                self.pending = [text.strip()]
        elif is_below:
            self.skipped = _SkippedPart(_indent(text), has_bullets=not is_bullet)
        elif len(text) < 80:
            self.is_broken = True  # a heading: what follows explains
            self.pending = [text.strip()]

    def add_frame(self, block: Block, text: str, reading: LineReading, *, is_code: bool) -> None:
        """Take in a line without a step, which may frame what follows or be an unread step."""
        if text.strip().strip("-*_=") == "":
            self.is_parted = self.is_parted or len(text.strip()) > 2
            return
        current = self.current
        # "Step 6 (otherwise the rest would fail):" goes on, whatever it says.
        is_next = (
            current is not None
            and reading.number == current.last_number + 1
            and _HEADS_STEP.match(text) is not None
        )
        has_break = breaks(text) and not is_next
        is_argument = bool(block.regions) and block.regions[-1].name in _ARGUMENT_TAGS
        self.number = None if has_break or is_argument else reading.number
        is_heading = _HEADS_STEP.match(text) is not None and not is_like_call(text)
        self.number_at = block.at if is_heading else -1
        is_below_rejected = current is not None and is_rejected(current.frame)
        if current is not None and (
            has_break or (is_below_rejected and _ends_open(text) and not is_next)
        ):
            self.is_broken = True
            self.unclear_lines = []
        elif not self.document.is_struck(block.at):
            self.add_unclear(block, reading, is_code=is_code)
        is_numbering = reading.number is not None and not (names_option(text) or part_of(text))
        if is_numbering or not any(map(str.isalnum, text)):
            return
        for sentence in sentences_of(text.strip()):
            if current is not None and not self.pending and is_remark(sentence):
                current.remark += f"{sentence}\n"
            else:
                self.pending.append(sentence)

    def add_unclear(self, block: Block, reading: LineReading, *, is_code: bool) -> None:
        """Remember a line that may have been meant as a step.

        It is a problem where steps follow, or where it visibly belongs to those before it.
        """
        current = self.current
        indent = len(block.text) - len(block.text.lstrip())
        is_below = (
            current is not None and bool(current.items) and current.items[-1].number is not None
        )
        is_listed = reading.looks_listed and (reading.number is not None or not is_below)
        is_meant = is_listed or (reading.is_like_step and not is_code)
        if not (is_meant or reading.leaves_out):
            return
        unclear_line = _Unclear(Text(block.text.strip(), block.at, block.end), reading)
        if current is None or not (current.items or current.is_empty):
            self.before.append(unclear_line)
        elif reading.leaves_out or indent <= current.indent:
            if self.follows(unclear_line):
                current.unclear_lines.append((len(current.items), unclear_line.text))
                current.end = block.end
                self.listed = unclear_line.bullet, reading.number
            else:
                self.unclear_lines.append(unclear_line)

    def take_unclear(self, current: Plan, section: int = 0) -> None:
        """Add the doubtful lines amid the steps of a plan that goes on behind them.

        "2. In the kitchen" is the heading of the steps 2.1 and 2.2.
        """
        current.unclear_lines += [
            (len(current.items), unclear_line.text)
            for unclear_line in self.unclear_lines
            if not unclear_line.heads(section)
        ]
        if not section:
            return  # without this, each of many steps would look at all doubtful lines again
        current.unclear_lines = [
            each for each in current.unclear_lines if not _heads(each[1].value, section)
        ]

    def follows(self, unclear_line: _Unclear) -> bool:
        """Whether a line stands right behind the steps, as one of them would."""
        current = self.current
        assert current is not None  # noqa: S101 - the caller looked
        between = self.document.text[current.end : unclear_line.text.at]
        is_next = between.count("\n") < 2 and not any(map(str.isalnum, between))
        if unclear_line.reading.leaves_out:
            # A list that was closed is whole, whatever dots stand below it: "[...]" and "...".
            is_closed_list = current.ends_with_value and not current.regions
            is_bare = not any(map(str.isalnum, unclear_line.text.value))
            if is_closed_list and is_bare:
                return False
            return not any(map(str.isalnum, between))
        if self.is_parted or self.is_broken:
            return False
        bullet, number = self.listed
        if number is not None and unclear_line.reading.number is not None:
            return unclear_line.reading.number == number + 1 and not any(map(str.isalnum, between))
        if unclear_line.bullet != bullet or unclear_line.reading.number != number:
            return False
        if is_like_call(unclear_line.text.value):
            return not any(map(str.isalnum, between))
        return is_next

    def listed_before(self, block: Block, steps: Sequence[Step]) -> list[Text]:
        """Return the items right before the first step, as whose predecessors they are listed."""
        found: list[Text] = []
        place, number, bullet = block.at, steps[0].number, _bullet_of(block.text)
        for unclear_line in reversed(self.before):
            between = self.document.text[unclear_line.text.end : place]
            is_listed = bool(bullet) or number is not None
            is_before = unclear_line.reading.number == (number - 1 if number is not None else None)
            if any(map(str.isalnum, between)) or unclear_line.bullet != bullet or not is_before:
                break
            if not (is_listed or is_like_call(unclear_line.text.value)):
                break
            found.append(unclear_line.text)
            place, number = unclear_line.text.at, unclear_line.reading.number
        self.before = []
        return found

    @staticmethod
    def explains(current: Plan, steps: Sequence[Step]) -> bool:
        """Whether a sentence below a numbered step speaks of it: "You pick up the cup ..."."""
        last = current.items[-1]
        above = int(last.place.partition(" ")[0] or 0)
        indent = int(steps[0].place.partition(" ")[0] or 0)
        is_prose = steps[0].form == "words" and not any(map(has_number, steps[0].arguments))
        return last.number is not None and steps[0].number is None and indent > above and is_prose

    def forget_heading(self) -> None:
        """Forget that the line above a step, which has its number, may be a step as well."""
        self.unclear_lines = [u for u in self.unclear_lines if u.text.at != self.number_at]
        if self.current is not None:
            lines = self.current.unclear_lines
            self.current.unclear_lines = [line for line in lines if line[1].at != self.number_at]

    def replace_names(self, steps: Sequence[Step]) -> None:
        """Put what the answer's own names stand for in their place: ``lamp = "light.34"``."""
        if self.meanings:
            for step in steps:
                step.arguments = [self.meanings.get(name, name) for name in step.arguments]

    def replace_pronoun(self, current: Plan, block: Block, reading: LineReading) -> None:
        """Put an object of the last step in place of the pronoun in the first step of a line."""
        meant = self.grammar.take_meant(reading.steps[0], current.items[-1])
        if meant:
            current.notes[f"'it' was read as {meant}"] = None
        elif not reading.unread:
            reading.unread = block.text.strip()

    def add_steps(self, block: Block, reading: LineReading) -> None:
        """Take in the steps of a line."""
        steps = reading.steps
        lead = block.text[: max(steps[0].at - block.at, 0)]
        lead = "" if _IF_NOT.match(lead) or _ASSIGNS.fullmatch(lead) else lead
        if steps[0].number is None and len(steps) == 1 and self.number is not None:
            steps[0].number = self.number  # the heading above it has the number
            self.forget_heading()
        self.number = None
        self.replace_names(steps)
        if self.are_told(steps):
            return
        current = self.current
        self.is_extended = _EXTENDS.search(lead) is not None
        self.is_adjacent = current is not None and block.at <= current.end + 1
        as_value = current is not None and current.ends_with_value and _is_bare_list(block, steps)
        is_carried_on = self.carry_on(steps, as_value=as_value)
        if is_carried_on and current is not None and steps[0].pronoun_place >= 0:
            self.replace_pronoun(current, block, reading)
        current = self.plan_of(block, steps, lead, is_carried_on=is_carried_on)
        self.take_line(current, block, reading)

    def are_told(self, steps: Sequence[Step]) -> bool:
        """Whether the current plan has the steps of a line already, or the line explains it."""
        current = self.current
        if current is None or not current.items:
            return False
        are_again = len(steps) > 1 and _say_same(current.items, steps)
        return are_again or self.explains(current, steps)

    def plan_of(
        self, block: Block, steps: Sequence[Step], lead: str, *, is_carried_on: bool
    ) -> Plan:
        """Return the plan that the steps of a line belong to: the current one, or a new one."""
        is_counted = steps[0].number is not None and steps[0].number > 1 and is_carried_on
        is_framed = not (is_counted or _REASON.search(lead))
        is_framed = is_framed and (is_final(lead) or is_rejected(lead))
        replaced = self.replaced_step(lead)
        current = self.current
        if current is None or is_framed or replaced or not is_carried_on:
            plan = self.begin(block, lead if is_framed else "")
            plan.replaces = replaced
            if is_framed and is_rejected(lead) and not is_final(lead):
                plan.frame = lead
            return plan
        self.take_unclear(current, steps[0].section)
        current.head_with(self.pending[-1] if self.pending else "")
        self.pending = []
        return current

    def take_line(self, current: Plan, block: Block, reading: LineReading) -> None:
        """Add the steps of a line to a plan, with what is unread before and beside them."""
        steps = reading.steps
        is_list = _is_bare_list(block, steps)
        self.unclear_lines = []
        self.before = [u for u in self.before if not u.heads(steps[0].section)]
        if not current.items:
            current.unclear_lines += [(0, text) for text in self.listed_before(block, steps)]
        self.listed = _bullet_of(block.text), steps[-1].number
        if reading.unread:
            current.unread.append(Text(reading.unread, block.at, block.end))
        if (self.is_parted or is_list or not current.items) and _are_at_a_time(steps):
            current.regions += len(steps)
        self.is_parted = False
        current.take(steps)
        current.ends_with_value = is_list
        current.indent = _indent(block.text)
        for note in reading.notes:
            current.notes[note] = None
        current.end = block.end


def _is_bare_list(block: Block, steps: Sequence[Step]) -> bool:
    """Whether a line is the list of an action without objects: ``[sleep]`` after ``[walk, x]``."""
    bare = block.text.strip()
    return bare[:1] + bare[-1:] == "[]" and len(steps) == 1 and not steps[0].arguments


_BACKWARD_ARROW = re.compile(r"[\w)\]`\"'] {0,2}(?:<-{1,2}(?!>)|\u2190) {0,2}[\w(`\"']")
_GOES_ON = re.compile(
    r"\W*(?:and )?(?:then|next|after (?:that|this)|afterwards|finally|(?:to )?continue|continuing"
    r"|(?:second|third|last|next) (?:part|half|phase)|(?:part|phase) [2-9])\b",
    re.IGNORECASE,
)
"""A heading of what goes on with the steps before it."""
_TOOL_NAME = re.compile(r"\W*(?:action|tool|function|call)\W{1,6}\w{1,40}\W*", re.IGNORECASE)
_ARGUMENT_TAGS = frozenset(["arg", "argument", "arg_value", "parameter", "param"])
"""Elements that hold an argument of a call: a number in one counts no step."""
_BULLET = re.compile(r"\s*[-*+]\s")
_MENTIONED = re.compile(
    r"[`\"'*]{0,3}[ \t]{1,3}(?:is|are|was|were|would|will|can|could|should|does|did|has|had)\b"
)
_NEVER_RUN = re.compile(r"\s*(?:if|while)\s*\(?\s*(?:False|false|0)\s*\)?\s*[:{]")
_IF_NOT = re.compile(r"\s*if\s*\(?\s*(?:not\b|!)")
_ASSIGNS = re.compile(r"\s*(?:(?:const|let|var|auto)\s+)?\w+\s*:?=\s*(?:await\s+)?")
_REASON = re.compile(r"\b(?:because|since|otherwise|so that|in order)\b", re.IGNORECASE)
_HEADS_STEP = re.compile(r"\W*(?:step|action)\s+\d", re.IGNORECASE)
_LEADS_ON = re.compile(r"\b(?:of|like|as|try|say|propose|suggest)\W*$", re.IGNORECASE)
"""The end of a line whose sentence goes on with what stands below it."""
_EXTENDS = re.compile(r"\.(?:append|extend|push|add|insert)\s*\(\W*$|\+=\W*$")


def _frame_of(lead: str, key: str) -> str:
    """Return the words that frame a value: those before it, and its key if that decides."""
    name = key.replace("_", " ")
    if is_final(name) or is_rejected(name) or names_option(name):
        return f"{lead} {name}".strip()
    return lead  # "plan" says no more than that it is one


def _as_call(block: Block) -> Block:
    """Return an object behind the name of an action, ``walk {"to": "hall"}``, as one value."""
    value = block.value
    assert value is not None  # noqa: S101 - the caller looked
    begin = block.at - len(block.text)
    name = Text(block.text.strip(), begin, block.at, quoted=True)
    pairs = [
        Pair(Text("action", begin, begin), name),
        Pair(Text("arguments", block.at, block.at), value),
    ]
    group = Group("object", block.at, value.end, [*pairs], cut=value.cut, is_open=value.is_open)
    return Block(block.at, "", group, block.regions)


def _ends_open(line: str) -> bool:
    """Whether a line announces what follows."""
    return line.rstrip(" *_").endswith(":")


def _indent(line: str) -> int:
    """Return by how much a line is indented."""
    return len(line) - len(line.lstrip())


def _is_code(block: Block) -> bool:
    """Whether a line stands in a program, where ``#`` begins a comment."""
    fence = block.fence
    if fence is None:
        return False
    return fence.name not in ("text", "markdown", "md", "") or block.text.lstrip().startswith("#")


_LOOP = re.compile(r"\s*for\s+\(?((?:\w+\s*,\s*)*\w+)\)?\s+in\b.*:\s*$")
_ASSIGNED = re.compile(
    r"\s*(?:(?:const|let|var|auto|string)\s+)?([^\W\d]\w*)\s*=\s*([\w.]{1,60}\()?"
    r"([\"'])([^\"'\n]{1,100})\3\)?[;\s]*$"
)
"""A name that an answer gives to a text: ``lamp = "light.34"``."""
_DEFINITION = re.compile(r"\s*(?:export\s+)?(?:async\s+)?(?:def|function)\s+(\w+)\s*\(")


def _joined_actors(plans: Iterable[Plan]) -> list[Plan]:
    """Return plans; lists of one actor each, one behind the other, become one plan.

    Their steps are taken in turns, as the actors act at the same time.
    """
    joined: list[Plan] = []
    for plan in plans:
        before = joined[-1] if joined else None
        if before is None or not _are_of_two_actors(before, plan):
            joined.append(plan)
            continue
        in_turns = sorted(
            [*enumerate(before.items), *enumerate(plan.items)], key=lambda item: item[0]
        )
        before.items = [step for _, step in in_turns]
        before.end = plan.end
        before.unread += plan.unread
    return joined


def _are_of_two_actors(before: Plan, plan: Plan) -> bool:
    """Whether two plans are the steps of one actor each, and the second is no other candidate."""
    actors = {step.actor for step in plan.items}
    actors_before = {step.actor for step in before.items}
    if not len(actors) == len(actors_before) == 1 or actors == actors_before:
        return False
    if "" in actors | actors_before:
        return False
    return not (is_final(plan.frame) or is_rejected(plan.frame))


def _with_replaced_steps(plans: Sequence[Plan]) -> list[Plan]:
    """Return plans in which the steps stand that the answer puts in the place of others."""
    kept: list[Plan] = []
    for plan in plans:
        before = kept[-1] if kept else None
        place = plan.replaces - 1
        if before is None or len(plan.items) != 1 or not 0 <= place < len(before.items):
            kept.append(plan)
            continue
        new = plan.items[0]
        new.number = before.items[place].number
        before.items[place] = new
        before.notes[f"replaced as the answer says: step {plan.replaces}"] = None
        before.remark, before.end = "", plan.end
    return kept


_IS_HEADING = re.compile(r"(?:(?:the|my|new) )?(?:plan|steps|actions|sequence)$", re.IGNORECASE)
_ANNOUNCED = re.compile(r"(?<=[^\s\d][.!?;])\s+(?=([^.!?:;()]{2,60}):)")


def _parted(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks, lines parted where a sentence begins that frames: "... Final answer: ..."."""
    for block in blocks:
        text, start = block.text, 0
        if block.value is None and ":" in text:
            for found in _ANNOUNCED.finditer(text):
                if is_final(found[1]) or is_rejected(found[1]) or _IS_HEADING.match(found[1]):
                    part = text[start : found.start()]
                    yield Block(block.at + start, part, None, block.regions)
                    start = found.end()
        yield Block(block.at + start, text[start:], None, block.regions) if start else block


def _without_abbreviated(plans: list[Plan], known: Mapping[str, str]) -> list[Plan]:
    """Return plans without those that tell another one again, with names that nobody knows.

    Models summarise "Unstack the orange block from the blue block" as ``Unstack(O, B)``.

    Args:
        plans: The candidates.
        known: The objects of the task by their names without signs.
    """

    def has_unknown_object(plan: Plan) -> bool:
        names = [name for step in plan.items for name in step.arguments]
        return any(squeezed(name) not in known for name in names)

    clear = [_names_of_actions(plan) for plan in plans if not has_unknown_object(plan)]
    kept: list[Plan] = []
    for plan in plans:
        if not has_unknown_object(plan) or _names_of_actions(plan) not in clear:
            kept.append(plan)
    return kept


def _names_of_actions(plan: Plan) -> list[str]:
    """Return the names of the actions of a plan, in order."""
    return [step.name for step in plan.items]


def _are_at_a_time(steps: Sequence[Step]) -> bool:
    """Whether steps are one, or those of several arms at a time."""
    actors = [step.actor for step in steps]
    return len(steps) == 1 or ("" not in actors and len(set(actors)) == len(actors))


def _mark_cut(plan: Plan, document: Document, surfaces: Surfaces) -> None:
    """Mark the last step as cut if the answer ends with the begin of a longer action's name.

    "place at the counter in the kit" is not "place at the counter", though the task has that, too.
    """
    if not plan.items or plan.items[-1].form != "words":
        return
    last = plan.items[-1]
    written = squeezed(document.text[last.at :]) if len(document.text) - last.at < 200 else ""
    if written and written not in surfaces.actions and written != squeezed(last.name):
        last.is_cut |= any(form.startswith(written) for form in surfaces.actions)


def _settle(plan: Plan, surfaces: Surfaces | None) -> None:
    """Decide about doubtful steps, steps that are told twice, and their order."""
    kept = _kept_steps(plan, surfaces)
    if kept and not any(step.is_known for step in kept):
        # Not one action of the task: only what is nothing but steps is a plan.
        is_plan = surfaces is None or plan.is_formal or len(kept) > 1 or kept[0].form != "words"
        kept = kept if is_plan else []
    kept = _without_headings(kept)
    if not plan.is_formal:
        kept = _without_names_of_steps(kept)
    if not _are_titles(plan):
        plan.unread += [text for _, text in plan.unclear_lines]
    plan.unread.sort(key=lambda text: text.at)
    if not plan.is_formal and all(map(_is_only_a_verb, kept)):
        kept = []  # "I would first walk over and have a look" is no plan
    plan.items = kept
    plan.is_partial = bool(plan.unread) or any(
        step.is_cut or step.lacks_objects or step.is_loose for step in kept
    )
    plan.is_loose = bool(kept) and all(step.is_loose for step in kept)
    _order(plan)


def _kept_steps(plan: Plan, surfaces: Surfaces | None) -> list[Step]:
    """Return the steps of a plan without what is code, or told again.

    A name that the task does not have, in another form than the steps around it, is left out; if it
    may have been meant as a step, it counts as unread.
    """
    is_free = surfaces is None
    known_forms = {step.form for step in plan.items if step.is_known}
    styles = {step.style for step in plan.items if step.is_known and step.form == "call"}
    if known_forms:
        plan.items = _without_weak_ends(plan.items, styles)
    known_positions = [place for place, step in enumerate(plan.items) if step.is_known]
    kept: list[Step] = []
    for place, step in enumerate(plan.items):
        is_sure = step.is_known or is_free or not known_positions or step.form in known_forms
        if step.is_weak and step.arguments and not is_free:
            is_sure = step.style in styles or (not styles and step.style == "NAME")
        if not is_sure:
            is_amid = bool(known_positions) and known_positions[0] < place < known_positions[-1]
            if _may_be_meant(step, kept, styles, is_amid=is_amid):
                plan.unread.append(Text(str(step.as_read()), step.at, step.at))
            continue
        # The step before it counts, even if that only told again what was said before.
        before = plan.items[place - 1]
        is_elsewhere = bool(kept) and (before.form, before.place) != (step.form, step.place)
        if not (is_elsewhere and _tells_again(kept, step, surfaces)):
            kept.append(step)
    return kept


def _may_be_meant(step: Step, kept: Sequence[Step], styles: set[str], *, is_amid: bool) -> bool:
    """Whether a step of an unknown name may belong to the plan around it."""
    number = kept[-1].number if kept else None
    is_next = step.number is not None and bool(kept) and (number or -1) == step.number - 1
    if is_next or (not step.is_weak and step.form in ("script", "words")):
        return True
    is_code = step.is_weak and any("." in style for style in (step.style, *styles))
    return is_amid and (not is_code or step.style.endswith("NAME"))


def _are_titles(plan: Plan) -> bool:
    """Whether the doubtful lines of a plan say in words beside each step what it does."""
    positions = [place for place, _ in plan.unclear_lines]
    count = len(plan.items)
    if count < 2 or any(
        is_like_call(text.value) or leaves_out(text.value) for _, text in plan.unclear_lines
    ):
        return False
    return positions in (list(range(count)), list(range(1, count + 1)))


def _without_names_of_steps(steps: list[Step]) -> list[Step]:
    """Return steps without words such as "Walk" that only name the step beside them."""
    kept: list[Step] = []
    for place, step in enumerate(steps):
        is_bare = step.form == "words" and step.max_objects > 0 and not step.arguments
        beside = [*steps[max(place - 1, 0) : place], *steps[place + 1 : place + 2]]
        if is_bare and any(other.name == step.name and other.arguments for other in beside):
            continue
        kept.append(step)
    return kept


def _without_headings(steps: list[Step]) -> list[Step]:
    """Return steps without headings in words, where each stands above the step that it names."""
    are_headings = [step.form == "heading" for step in steps]
    if are_headings == [True, False] * (len(steps) // 2):
        return steps[1::2]
    return steps


def _is_only_a_verb(step: Step) -> bool:
    """Whether a step may as well be a verb of a sentence: no object and no number is with it."""
    in_words = step.form == "words" and step.number is None
    return in_words and step.is_known and step.max_objects > 0 and not step.arguments


def _without_weak_ends(steps: list[Step], styles: set[str]) -> list[Step]:
    """Return steps without calls such as ``reset()`` before and ``shutdown()`` behind all others.

    A call that is written as those of the task are, with objects or in capitals, is a step.
    """
    sure = [
        place
        for place, step in enumerate(steps)
        if not step.is_weak
        or (step.style in styles and (step.arguments or step.style.endswith("NAME")))
    ]
    return steps[sure[0] : sure[-1] + 1]


def _says_less_or_same(step: Step, again: Step) -> bool:
    """Whether one of two steps says what the other says, perhaps without its objects."""
    if step.name != again.name:
        return False
    return step.says_same(again) or not step.arguments or not again.arguments


def _tells_again(kept: list[Step], step: Step, surfaces: Surfaces | None) -> bool:
    """Whether a step says again what the one before says; the fuller one stays."""
    last = kept[-1]
    if squeezed(last.name) != squeezed(step.name) or last.actor != step.actor:
        return False
    if last.says_same(step) or not step.arguments:
        return True
    if not last.arguments or last.lacks_objects:
        step.number = last.number if step.number is None else step.number
        kept[-1] = step
        return True
    # The heading has the objects' names, the line below letters of its own for them.
    known = surfaces.objects if surfaces is not None else {}
    if surfaces is not None and not known:
        return False  # objects are any words
    return any(squeezed(each) not in known for each in step.arguments)


def _is_part_of(steps: Sequence[Step], others: Sequence[Step]) -> bool:
    """Whether steps stand among others in the same order."""
    rest = iter(others)
    return all(any(step.says_same(other) for other in rest) for step in steps)


def _say_same(steps: Sequence[Step], again: Sequence[Step]) -> bool:
    """Whether steps are told once more, all of them."""
    return len(steps) == len(again) and all(
        one.says_same(other) for one, other in zip(steps, again, strict=True)
    )


def _order(plan: Plan) -> None:
    """Put steps in the order of their numbers or times, if each has one and they are all there."""
    times = [step.time for step in plan.items if step.time is not None]
    if len(times) == len(plan.items) and len(set(times)) == len(times):
        ordered = sorted(plan.items, key=lambda step: step.time or 0.0)
        if ordered != plan.items:
            plan.items = ordered
            plan.notes["the steps were put in the order of their times"] = None
        return
    numbers = [step.number for step in plan.items]
    if None in numbers or len(set(numbers)) < len(numbers) or len(numbers) < 2:
        return
    ordered = sorted(plan.items, key=lambda step: step.number or 0)
    if ordered == plan.items:
        return
    first = ordered[0].number or 0
    if [step.number for step in ordered] == list(range(first, first + len(ordered))):
        plan.items = ordered
        plan.notes["the steps were put in the order of their numbers"] = None


def _edit(plan: Plan, tail: str, chosen: _Chosen) -> None:
    """Take out the steps that the text behind a plan removes."""
    numbers, other = removed_items(tail)
    if other:
        chosen.problems.append(AnswerProblem("the text behind the plan changes it", plan.end))
    wanted = {number for number in numbers if 0 < number <= len(plan.items)}
    if len(wanted) < len(set(numbers)):
        chosen.problems.append(
            AnswerProblem("the text behind the plan removes a step that is not there", plan.end)
        )
    if wanted:
        plan.items = [step for place, step in enumerate(plan.items, start=1) if place not in wanted]
        named = ", ".join(map(str, sorted(wanted)))
        chosen.notes[f"removed as the answer says: step {named}"] = None


def _look_beside(
    plan: Plan, candidates: Sequence[Plan], document: Document, chosen: _Chosen
) -> None:
    """Report steps outside the plan that may belong to it."""
    if is_final(plan.frame) or plan.is_marked:
        return
    for other in candidates:
        is_refused = other.is_struck or is_rejected(other.frame) or says_failure(other.remark)
        if other is plan or is_refused:
            continue
        step = other.items[0]
        if step.is_weak or any(own.says_same(step) for own in plan.items):
            continue
        if _may_belong(other, plan, document):
            text = shorten(str(step.as_read()))
            message = f"{text} is a step outside the plan"
            chosen.problems.append(AnswerProblem(message, step.at, text))


def _may_belong(other: Plan, plan: Plan, document: Document) -> bool:
    """Whether another candidate may be a part of the plan that was chosen."""
    step = other.items[0]
    if len(other.items) > 1:
        # A second plan is a matter of choice, but not one of which no action is known.
        return not other.has_known_step and step.form in ("key", "object", "list")
    if step.form != "words":
        return other.is_formal or step.form in ("call", "script", "pddl")
    # A step in words counts if it is whole and stands right behind the plan.
    if not step.arguments or step.lacks_objects or other.is_partial or other.at <= plan.at:
        return False
    return not any(map(str.isalnum, document.text[plan.end : other.at]))


def _finished(document: Document, chosen: _Chosen, max_steps: int) -> PlanReading:
    """Return what was chosen with the positions of the whole answer."""
    cleaned = document.cleaned
    notes = dict.fromkeys(cleaned.notes)
    problems = [*chosen.problems, *document.problems]
    plan = chosen.plan
    steps: tuple[ReadStep, ...] = ()
    status = "none"
    if plan is not None:
        if plan.is_cut or any(step.is_cut for step in plan.items):
            problems.append(AnswerProblem("the answer ends in the middle of a step", plan.end))
        steps = tuple(step.as_read() for step in plan.items if not step.is_cut)
        status = "chosen" if chosen.rule else "clean"
        notes |= _notes_on_plan(plan, document, chosen)
        if not steps and not problems:
            notes["the plan has no steps"] = None
    elif not problems and not cleaned.problems:
        problems.append(_why_no_plan(document, chosen))
    if len(steps) > max_steps:
        message = f"the plan has more than {max_steps:,} steps"
        problems.append(AnswerProblem(message, steps[max_steps].position))
        steps = steps[:max_steps]
    if problems and plan is not None:
        status = "partial"
    listed = tuple(_listed(problems))
    reading = PlanReading(steps, listed, tuple(notes), status=status, rule=chosen.rule)
    if cleaned.offset or cleaned.gaps:
        reading = reading.moved(cleaned.place)
    if cleaned.problems:
        # Their positions are those of the whole answer already.
        reading = replace(reading, problems=(*reading.problems, *cleaned.problems))
    return reading


def _notes_on_plan(plan: Plan, document: Document, chosen: _Chosen) -> dict[str, None]:
    """Return what is noted of a plan: repairs, whether text is around it, and what chose it."""
    notes = plan.notes | chosen.notes
    around = document.text[: plan.at] + document.text[plan.end :]
    if any(map(str.isalnum, around)):
        notes[AROUND] = None
    if chosen.rule:
        notes[f"{counted(chosen.count, 'plan')} in the answer; chosen by: {chosen.rule}"] = None
    return notes


def _listed(problems: list[AnswerProblem]) -> list[AnswerProblem]:
    """Return the first problems, and how many more there are."""
    if len(problems) <= MAX_PROBLEMS:
        return problems
    more = counted(len(problems) - MAX_PROBLEMS, "more problem")
    return [*problems[:MAX_PROBLEMS], AnswerProblem(f"{more} not listed")]


def _why_no_plan(document: Document, chosen: _Chosen) -> AnswerProblem:
    """Return the problem of an answer without a plan: taken back, empty, or none is in it."""
    if chosen.count:
        return AnswerProblem("the answer takes its plan back", written="")
    text = document.text.strip()
    if not text:
        return AnswerProblem(EMPTY)
    return AnswerProblem(NO_PLAN, written=text.partition("\n")[0])
