"""The plans of a document: steps of lines and values, put together where they visibly go on."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain

from eai.answers.candidate_plan import Plan
from eai.answers.candidates import CandidateCollector
from eai.answers.choice import (
    breaks,
    is_final,
    is_rejected,
    names_option,
    replaced_item,
)
from eai.answers.continuation import are_at_a_time, carries_on
from eai.answers.document import Block, Document
from eai.answers.failures import marks_failure, reports_failure
from eai.answers.grammar import StepGrammar
from eai.answers.items import LONGEST_LINE, LineReading, Step, ValueReading
from eai.answers.keys import heads_objects, is_aside_key, is_input_key, is_object_key
from eai.answers.parts import part_of
from eai.answers.plan import shorten, words_of
from eai.answers.program import BULLET, Program, indent_of
from eai.answers.step_remarks import remark_of
from eai.answers.unclear import has_number, is_like_call, is_like_step
from eai.answers.unclear_lines import UnclearLines, bullet_of
from eai.answers.values import Group, Item, Pair, Text

_TOOL_NAME = re.compile(r"\W*(?:action|tool|function|call)\W{1,6}\w{1,40}\W*", re.IGNORECASE)
_ARGUMENT_TAGS = frozenset(["arg", "argument", "arg_value", "parameter", "param"])
"""Elements that hold an argument of a call: a number in one counts no step."""
_MENTIONED = re.compile(
    r"[`\"'*]{0,3}[ \t]{1,3}(?:is|are|was|were|would|will|can|could|should|does|did|has|had)\b"
)
_IF_NOT = re.compile(r"\s*if\s*\(?\s*(?:not\b|!)")
_ASSIGNS = re.compile(r"\s*(?:(?:const|let|var|auto)\s+)?\w+\s*:?=\s*(?:await\s+)?")
_REASON = re.compile(r"\b(?:because|since|otherwise|so that|in order)\b", re.IGNORECASE)
_HEADS_STEP = re.compile(r"\W*(?:step|action)\s+\d", re.IGNORECASE)
_LEADS_ON = re.compile(r"\b(?:of|like|as|try|say|propose|suggest)\W*$", re.IGNORECASE)
"""The end of a line whose sentence goes on with what stands below it."""
_EXTENDS = re.compile(r"\.(?:append|extend|push|add|insert)\s*\(\W*$|\+=\W*$")
_DONE_BEFORE = re.compile(r"\bhaving\W*$", re.IGNORECASE)
_IS_HEADING = re.compile(r"(?:(?:the|my|new) )?(?:plan|steps|actions|sequence)$", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"\b(?:after|with|by|at|in) (?:the|this|that) (?:last|final) (?:step|action)\b", re.IGNORECASE
)
"""Words that point to the last step of a plan that stands above them."""
_NAMES_STEP = re.compile(
    r"\W*(?:the|my|our) (?:very )?(?:first|second|third|fourth|fifth|next to last|last|final)"
    r" (?:step|action|move)\b",
    re.IGNORECASE,
)
_SAYS_WHY = re.compile(
    r"[^\n]*?\)[`*)\],\s]{1,6}(?:is|was|has|makes|ensures|brings|puts|lets|serves|only|may look)\b",
    re.IGNORECASE,
)
"""A step, and words behind it that say what it is good for: ``(WALK(hall)) is needed``."""
_SENTENCE_END = re.compile(r"[.!]\s+(?=[^\W\d])")
_ANNOUNCED = re.compile(r"(?<=[^\s\d][.!?;])\s+(?=([^.!?:;()]{2,60}):)")


class Collector(CandidateCollector[Plan]):
    """Puts the steps of a document together to plans."""

    def __init__(
        self, grammar: StepGrammar, document: Document, *, in_sentences: bool = False
    ) -> None:
        super().__init__(Plan, document)
        self.grammar = grammar
        self.in_sentences = in_sentences
        self.program = Program(grammar)
        self.unclear = UnclearLines(document)
        self.number: int | None = None
        self.number_at = -1  # place of the line that has the number, if it is a heading
        self.decisions: list[str] = []
        self.element_at = -1  # place of the last element that was read as a step

    def plans(self) -> Iterator[Plan]:
        """Yield the plans in the order of the document."""
        blocks = _parted(self.with_empty_elements())
        if self.in_sentences:
            blocks = chain.from_iterable(map(self.with_sentences_apart, blocks))
        for block in blocks:
            if _is_left_out(block):
                continue
            self.enter_regions(block)
            line = self.line_of(block)
            if self.program.is_never_reached(line):
                continue
            if block.value is not None:
                self.add_value(block, block.value)
            else:
                self.add_line(block)
            if block.fence is not None or self.program.defined:
                self.program.end_run(line)
        yield from self.candidates

    def with_sentences_apart(self, block: Block) -> Iterator[Block]:
        """Yield a line in two parts if its steps stand behind sentences without any.

        An example is "Sure, that is easy! Walk to the hall and open the door."
        """
        text = block.text
        is_line = block.value is None and len(text) <= LONGEST_LINE
        if not is_line or self.grammar.line(text, 0).steps:
            yield block
            return
        for found in _SENTENCE_END.finditer(text):
            before, behind = text[: found.end()], text[found.end() :]
            if self.grammar.surfaces.names_action(before):
                break
            if self.grammar.line(behind, 0).steps:
                yield Block(block.at, before.rstrip(), None, block.regions)
                yield Block(block.at + found.end(), behind, None, block.regions)
                return
        yield block

    def line_of(self, block: Block) -> str:
        """Return a line, or what stands before a value on its line."""
        if block.value is None:
            return block.text
        text = self.document.text
        return text[text.rfind("\n", 0, block.at) + 1 : block.at]

    def enter_regions(self, block: Block) -> bool:
        """Part plans where fences or framing elements begin or end; whether they do."""
        is_closed = any(kind == "block" for kind, _ in self.regions)
        if not super().enter_regions(block):
            return False
        self.between.is_closed = self.between.is_closed or is_closed
        self.program.ended = None
        return True

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

    def begin(self, block: Block, *framing: str) -> Plan:
        """Begin a plan at a block."""
        heading = self.between.last_words
        names = [region.name.replace("_", " ") for region in block.tags]
        decisive_names = [name for name in names if is_final(name) or is_rejected(name)]
        plan = super().begin(block, *framing, *decisive_names)
        plan.head_with(heading)
        self.unclear.behind = []
        return plan

    def add_value(self, block: Block, value: Group) -> None:
        """Take in a value: a plan, or one step of a plan whose steps are values."""
        behind = self.document.text[block.end : block.end + 40]
        if self.current is not None and block.text.strip() and _MENTIONED.match(behind):
            self.current.notes[f"not read: {shorten(block.text.strip())}"] = None
            return  # a step in a sentence: "Note that {...} is not needed"
        lead = block.text.strip()
        readings = self.grammar.values(value)
        if value.kind == "object" and self.grammar.surfaces.action(lead) is not None:
            lead = ""
            if not any(step.is_known for reading in readings for step in reading.steps):
                value = _as_call(block, value)
                block = Block(block.at, "", value, block.regions)
                readings = self.grammar.values(value)
        self.program.define_function(block.text)
        if lead and self.add_lead(block):
            lead = ""
        if not any(reading.steps for reading in readings):
            self.add_value_without_steps(block, value, readings, lead)
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
        self, block: Block, value: Group, readings: Sequence[ValueReading], lead: str
    ) -> None:
        """Take in a value without steps: objects of the step before it, or a plan without any."""
        if block.text.strip() and not lead and self.current is not None:
            last = self.current.items[-1]  # an action, and its arguments as a value
            # "WALK(hall) [cost: 2]" names its objects already.
            if last.lacks_objects or self.document.text[block.at] != "[":
                last.arguments = self.grammar.completion_of(last, value)
            self.current.end = block.end
            return
        # {"plan": []} says that nothing has to be done; {} may stand for no objects.
        is_empty_plan = bool(value.items) and any(each.is_empty for each in readings)
        if not is_empty_plan and self.completes(block, value):
            return
        reading = readings[-1] if readings else None
        is_empty = reading is not None and reading.is_empty and not reading.unread
        if reading is None or not (is_empty or self.current is None):
            self.note_unclear_value(block, lead)
            self.between.words.append(lead)
            return
        plan = self.begin(block, lead)
        plan.end = block.end
        plan.is_empty = is_empty
        if is_empty:
            plan.is_cut = value.cut
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
        is_input = is_input_key(lead)
        return (is_input or is_addressed) and steps[0].says_same(last)

    def forget_tool_name(self, lead: str) -> None:
        """Forget a line such as ``Action: execute``, below which its input is a whole step."""
        if not heads_objects(lead):
            return
        for remembered in (self.unclear.behind, self.unclear.before):
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
            unclear_line = Block(block.end - len(line), line, None, block.regions)
            reading = LineReading(is_like_step=True)
            self.unclear.add(unclear_line, reading, self.current, self.between, is_code=False)

    def completes(self, block: Block, value: Group) -> bool:
        """Whether a value holds the objects of the step before it, which are added to the step."""
        current = self.current
        last = current.items[-1] if current is not None and current.items else None
        if current is None or last is None:
            return False
        if not last.lacks_objects and (last.max_objects != 0 or value.kind != "object"):
            return False
        objects = self.grammar.completion_of(last, value)
        if last.lacks_objects and objects:
            last.arguments = objects
        current.end = block.end
        self.between.words = []
        return bool(objects) or last.max_objects == 0

    def add_reading(self, block: Block, reading: ValueReading, lead: str, *, is_only: bool) -> None:
        """Take in one plan of a value: it carries on the current plan, or begins another one.

        Args:
            block: The value.
            reading: Steps under one key of it.
            lead: The words on the line before it.
            is_only: Whether the value holds no other plan.
        """
        framed = any(map(breaks, [*self.between.words, lead]))
        self.between.is_extended = _EXTENDS.search(lead) is not None
        is_carried_on = is_only and carries_on(
            self.current, reading.steps, self.between, as_value=True, heading=lead
        )
        is_carried_on = is_carried_on and (not framed or part_of(lead) > 0)
        replaced = self.replaced_step(lead)
        if not is_carried_on or replaced or self.current is None:
            self.begin(block, _frame_of(lead, reading.key)).replaces = replaced
        current = self.current
        assert current is not None  # noqa: S101 - it was just begun
        current.head_with(self.between.last_words or lead)
        self.between.words = []
        self.unclear.move_to(current)
        self.unclear.behind = []
        current.regions += len(reading.steps) if are_at_a_time(reading.steps) else 0
        self.between.is_parted = True
        self.program.replace_names(reading.steps)
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
        if self.program.skip(text) or self.program.defines(text):
            return
        if is_code and self.program.is_commented_out(text):
            self.between.words = []  # what stands before it framed it
            return
        reading.steps = [step for step in reading.steps if not self.document.is_struck(step.at)]
        if any(map(self.program.is_call_of_own, reading.steps)):
            return
        if reading.steps:
            self.add_told_steps(block, text, reading)
        else:
            self.add_line_without_steps(block, text, reading, is_code=is_code)

    def add_told_steps(self, block: Block, text: str, reading: LineReading) -> None:
        """Take in the steps of a line, unless it only speaks of them."""
        if self.speaks_of_steps(block, reading):
            return
        last = self.current.items[-1] if self.current and self.current.items else None
        is_listed = last is not None and (last.number is not None or last.form != "words")
        is_listed = is_listed and last is not None and not last.is_narrated
        if is_listed and self.current and all(step.is_narrated for step in reading.steps):
            # Behind a list a sentence in the first or third person speaks of it.
            self.current.notes[f"not read: {shorten(text.strip())}"] = None
            return
        reading.steps[-1].is_failed = marks_failure(text)
        self.add_steps(block, reading)
        if _IF_NOT.match(text):
            self.program.skip_below(text)  # what is done should the step fail

    def add_line_without_steps(
        self, block: Block, text: str, reading: LineReading, *, is_code: bool
    ) -> None:
        """Take in a line without steps: a part of the step before, or words around steps."""
        self.note_failure(block, text)
        if self.completes_step(block, reading) or self.add_element(block, text):
            return
        if reading.is_aside:
            self.add_aside(text)
        elif not reading.is_negated:
            self.add_frame(block, text, reading, is_code=is_code)

    def speaks_of_steps(self, block: Block, reading: LineReading) -> bool:
        """Whether a line speaks of its steps instead of telling to take them."""
        if reading.number is not None:
            return False
        if self.current is not None and _POINTS_BACK.search(block.text):
            step = reading.steps[0]
            return len(reading.steps) == 1 and any(map(step.says_same, self.current.items))
        if self.current is not None and self.explains_step(block, reading, self.current):
            return True
        remark = remark_of(block.text, block.at, self.grammar)
        return remark is not None and remark.tells_no_step

    def explains_step(self, block: Block, reading: LineReading, current: Plan) -> bool:
        """Whether a line says why a step above it is taken: ``The first step (...) is needed``.

        A plan that is told in such sentences may take a step twice.
        """
        step = reading.steps[0]
        if len(reading.steps) != 1 or not any(map(step.says_same, current.items)):
            return False
        if not _NAMES_STEP.match(block.text):
            return False
        above = self.document.text.rfind("\n", 0, current.items[-1].at) + 1
        is_told = _NAMES_STEP.match(self.document.text, above) is not None
        return not is_told and _SAYS_WHY.match(block.text, step.at - block.at) is not None

    def note_failure(self, block: Block, text: str) -> None:
        """Mark the step right above a line that says that the step failed."""
        current = self.current
        if current is None or not current.items or _ends_open(text):
            return
        between = self.document.text[current.end : block.at]
        if not any(map(str.isalnum, between)) and reports_failure(text):
            current.items[-1].is_failed = True

    def add_element(self, block: Block, text: str) -> bool:
        """Take in the objects in an element that is named after an action; False if it is none.

        ``<walk>``, ``<object>hall</object>`` and ``</walk>`` on lines of their own are one step.
        """
        surfaces = self.grammar.surfaces
        element = next(
            (r for r in reversed(block.tags) if surfaces.action(r.name) is not None), None
        )
        if element is None or element.start == self.element_at:
            return False
        objects = surfaces.objects_in(text)
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
        number = replaced_item(f"{self.between.last_words} {lead}")
        return number if number <= len(self.current.items) else 0

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
        is_bullet = BULLET.match(text) is not None
        is_below = current is not None and (indent_of(text) > current.indent or is_bullet)
        if not _ends_open(text):
            if _LEADS_ON.search(text) and is_rejected(text):
                self.between.is_broken = True  # "Check: one might think of", and what is thought of
                self.between.words = [text.strip()]
        elif is_below:
            self.program.skip_below(text, has_bullets=not is_bullet)
        elif len(text) < 80:
            self.between.is_broken = True  # a heading: what follows explains
            self.between.words = [text.strip()]

    def add_frame(self, block: Block, text: str, reading: LineReading, *, is_code: bool) -> None:
        """Take in a line without a step, which may frame what follows or be an unread step."""
        if text.strip().strip("-*_=") == "":
            self.between.is_parted = self.between.is_parted or len(text.strip()) > 2
            return
        is_next = self.heads_next_step(text, reading)
        has_break = breaks(text) and not is_next
        self.remember_number(block, text, None if has_break else reading.number)
        ends_plan = has_break or (self.begins_below_rejected(text) and not is_next)
        if self.current is not None and ends_plan:
            self.between.is_broken = True
            self.unclear.behind = []
        elif not self.document.is_struck(block.at):
            self.unclear.add(block, reading, self.current, self.between, is_code=is_code)
        is_numbering = reading.number is not None and not (names_option(text) or part_of(text))
        if not is_numbering and any(map(str.isalnum, text)):
            self.add_words(text.strip())

    def heads_next_step(self, text: str, reading: LineReading) -> bool:
        """Whether a line has the number of the next step, and so goes on, whatever it says.

        An example is "Step 6 (otherwise the rest would fail):".
        """
        if self.current is None or reading.number != self.current.last_number + 1:
            return False
        return _HEADS_STEP.match(text) is not None

    def begins_below_rejected(self, text: str) -> bool:
        """Whether a line announces something behind a plan that is rejected."""
        is_rejected_plan = self.current is not None and is_rejected(self.current.frame)
        return is_rejected_plan and _ends_open(text)

    def remember_number(self, block: Block, text: str, number: int | None) -> None:
        """Remember the number of a heading, for the step below it."""
        is_argument = bool(block.regions) and block.regions[-1].name in _ARGUMENT_TAGS
        self.number = None if is_argument else number
        is_heading = _HEADS_STEP.match(text) is not None and not is_like_call(text)
        self.number_at = block.at if is_heading else -1

    @staticmethod
    def explains(current: Plan, steps: Sequence[Step]) -> bool:
        """Whether a sentence below a numbered step speaks of it: "You pick up the cup ..."."""
        last = current.items[-1]
        above = int(last.place.partition(" ")[0] or 0)
        indent = int(steps[0].place.partition(" ")[0] or 0)
        is_prose = steps[0].form == "words" and not any(map(has_number, steps[0].arguments))
        return last.number is not None and steps[0].number is None and indent > above and is_prose

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
            self.unclear.forget_heading(self.number_at, self.current)
        self.number = None
        self.program.replace_names(steps)
        if self.are_told(steps):
            return
        current = self.current
        if len(steps) > 1 and _DONE_BEFORE.search(lead) and self.has_just_told(steps[0]):
            del steps[0]  # "Having walked to the door, open it" tells the step before again
        self.between.is_extended = _EXTENDS.search(lead) is not None
        self.between.is_adjacent = current is not None and block.at <= current.end + 1
        as_value = current is not None and current.ends_with_value and _is_bare_list(block, steps)
        is_carried_on = carries_on(self.current, steps, self.between, as_value=as_value)
        if is_carried_on and current is not None and steps[0].pronoun_place >= 0:
            self.replace_pronoun(current, block, reading)
        current = self.plan_of(block, steps, lead, is_carried_on=is_carried_on)
        self.take_line(current, block, reading)

    def has_just_told(self, step: Step) -> bool:
        """Whether the last step of the current plan says the same as a step."""
        if self.current is None or not self.current.items:
            return False
        return self.current.items[-1].says_same(step)

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
        self.unclear.move_to(current, steps[0].section)
        current.head_with(self.between.last_words)
        self.between.words = []
        return current

    def take_line(self, current: Plan, block: Block, reading: LineReading) -> None:
        """Add the steps of a line to a plan, with what is unread before and beside them."""
        steps = reading.steps
        is_list = _is_bare_list(block, steps)
        self.unclear.behind = []
        self.unclear.before = [u for u in self.unclear.before if not u.heads(steps[0].section)]
        if not current.items:
            current.unclear_lines += [
                (0, text) for text in self.unclear.listed_before(block, steps)
            ]
        self.unclear.listed = bullet_of(block.text), steps[-1].number
        if reading.unread:
            current.unread.append(Text(reading.unread, block.at, block.end))
        if (self.between.is_parted or is_list or not current.items) and are_at_a_time(steps):
            current.regions += len(steps)
        self.between.is_parted = False
        current.take(steps)
        current.ends_with_value = is_list
        current.indent = indent_of(block.text)
        for note in reading.notes:
            current.notes[note] = None
        current.end = block.end


def _is_left_out(block: Block) -> bool:
    """Whether a block is struck through, a comment, or an aside such as ``<thought>``."""
    names = {region.name for region in block.tags} - {"step", "task"}
    return block.is_struck or any(map(is_aside_key, names))


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


def _is_bare_list(block: Block, steps: Sequence[Step]) -> bool:
    """Whether a line is the list of an action without objects: ``[sleep]`` after ``[walk, x]``."""
    bare = block.text.strip()
    return bare[:1] + bare[-1:] == "[]" and len(steps) == 1 and not steps[0].arguments


def _frame_of(lead: str, key: str) -> str:
    """Return the words that frame a value: those before it, and its key if that decides."""
    name = key.replace("_", " ")
    if is_final(name) or is_rejected(name) or names_option(name):
        return f"{lead} {name}".strip()
    return lead  # "plan" says no more than that it is one


def _as_call(block: Block, value: Group) -> Group:
    """Return an object behind the name of an action, ``walk {"to": "hall"}``, as one value."""
    begin = block.at - len(block.text)
    name = Text(block.text.strip(), begin, block.at, quoted=True)
    pairs: list[Item] = [
        Pair(Text("action", begin, begin), name),
        Pair(Text("arguments", block.at, block.at), value),
    ]
    return Group("object", block.at, value.end, pairs, cut=value.cut, is_open=value.is_open)


def _ends_open(line: str) -> bool:
    """Whether a line announces what follows."""
    return line.rstrip(" *_").endswith(":")


def _is_code(block: Block) -> bool:
    """Whether a line stands in a program, where ``#`` begins a comment."""
    fence = block.fence
    if fence is None:
        return False
    return fence.name not in ("text", "markdown", "md", "") or block.text.lstrip().startswith("#")


def _say_same(steps: Sequence[Step], again: Sequence[Step]) -> bool:
    """Whether steps are told once more, all of them."""
    return len(steps) == len(again) and all(
        one.says_same(other) for one, other in zip(steps, again, strict=True)
    )


def may_be_parted(document: Document, grammar: StepGrammar, places: Sequence[int] = ()) -> bool:
    """Whether a line has several sentences and a verb of an action, so that it may be parted.

    Args:
        document: The answer.
        grammar: Reads the steps of a line.
        places: Where steps were read, in order; lines with one of them are not looked at.
    """
    for block in document.blocks:
        if block.value is not None or _SENTENCE_END.search(block.text) is None:
            continue
        if bisect_left(places, block.at) == bisect_left(places, block.end) and (
            grammar.surfaces.sentences.has_verb(block.text)
        ):
            return True
    return False
