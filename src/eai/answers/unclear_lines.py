"""Lines amid a plan that may have been meant as steps, and were not read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eai.answers.candidate_plan import Plan
from eai.answers.conditions import begins_with_condition
from eai.answers.continuation import Between
from eai.answers.document import Block, Document
from eai.answers.items import LineReading, Step
from eai.answers.keys import heads_objects
from eai.answers.line_begin import LABEL
from eai.answers.plan import ACTION_KEYS, shorten
from eai.answers.surfaces import squeezed
from eai.answers.unclear import is_like_call
from eai.answers.values import Text, plain_key
from eai.text import has_words

_MAX_TOLD = 20
"""Maximum number of notes of a plan beside which sentences amid orders are noted."""
_TELLS_STEP = re.compile(r"(?:the |your |my )?(?:robot|agent)\b|it\b", re.IGNORECASE)
"""The begin of an item that says who acts."""
_LETTER_BELOW = re.compile(r"\n[ \t]{2,8}\(?[a-z][.)] ")
"""An indented item with a letter, below the heading with a number of which it is a part."""
_STARTS = re.compile(r"[\W\d]*(?:start|begin)\W*$", re.IGNORECASE)
"""An item above the first step that only says that the plan begins."""
_MAX_NOTES = 3
"""Maximum number of lines above a plan, and of lines below it, that are noted as not read."""


@dataclass(slots=True)
class UnclearLine:
    """A line that may have been meant as a step, and could not be read as one.

    Args:
        text: The line, without blanks around it.
        reading: What the line looks like.
    """

    text: Text
    reading: LineReading

    @property
    def bullet(self) -> str:
        """The bullet before the line; empty if there is none."""
        return bullet_of(self.text.value)

    def is_item_behind(self, plan: Plan) -> bool:
        """Whether the line has a number behind those of a plan, and looks like a step of it."""
        number = self.reading.number
        is_step = self.reading.is_like_step and self.reading.looks_listed
        return is_step and number is not None and number > plan.last_number > 0

    def is_heading_of(self, section: int) -> bool:
        """Whether the line is the heading of a section of numbered steps."""
        return _is_heading_of(self.text.value, section)


def _is_heading_of(line: str, section: int) -> bool:
    """Whether a line is the heading of a section: ``2. In the kitchen`` of the steps 2.1, 2.2."""
    number = re.match(r"\W*(\d{1,4})[.):]?\s", line)
    return section > 0 and number is not None and int(number[1]) == section


def _tells_how(line: str, reading: LineReading, last_step: Step) -> bool:
    """Whether a line below a step only tells how it is done, or names its objects again.

    Examples are "- **Action:** Move towards the table" below "### Step 1: Go to the table", "- The
    robot opens its eyes" below "**Wake up**", and "- Object: cup" below "GRAB(cup)".
    """
    if heads_objects(reading.label) and reading.completion:
        names_above = tuple(map(squeezed, last_step.arguments))
        # The step may name the class of the object.
        return bool(names_above) and all(
            squeezed(name).startswith(names_above) for name in reading.completion
        )
    bullet = bullet_of(line)
    if last_step.form != "heading" or not last_step.is_whole or not bullet:
        return False
    words = line.strip().removeprefix(bullet).strip()
    if _TELLS_STEP.match(words):
        return True
    label = LABEL.match(words)
    return label is not None and last_step.number is not None and plain_key(label[1]) in ACTION_KEYS


def _note_not_read(plan: Plan, lines: Sequence[UnclearLine]) -> None:
    """Note in a plan that some lines around it were not read; at most the three next to it."""
    for line in lines[:_MAX_NOTES]:
        plan.notes[f"not read: {shorten(line.text.value)}"] = None


def bullet_of(line: str) -> str:
    """Return the bullet before a line; empty if there is none."""
    bare = line.lstrip()
    is_bullet = bare[:1] in ("-", "*", "+", "\u2022") and bare[1:2] in (" ", "\t")
    return bare[0] if is_bullet else ""


def _may_be_step(reading: LineReading, last_step: Step | None, *, is_code: bool) -> bool:
    """Whether a line may have been meant as a step.

    Args:
        reading: What the line looks like.
        last_step: The last step of the plan above it; None if there is none.
        is_code: Whether the line stands in a program.
    """
    if reading.looks_listed:
        # Bullets below a numbered step explain it.
        is_below_number = last_step is not None and last_step.number is not None
        if reading.number is not None or not is_below_number:
            return True
    if reading.is_like_step and not is_code:
        return True
    if reading.is_told:
        return last_step is None or last_step.is_narrated
    # Among calls, a command in words only explains the call below it.
    return reading.is_command and (last_step is None or last_step.form == "words")


class UnclearLines:
    """The unclear lines around the plan that is being put together.

    Args:
        document: The answer.

    Attributes:
        lines_above: Lines above the first step of the plan.
        lines_below: Lines below its last step, which belong to it only if more steps follow.
        last_item: Bullet and number of its last line.
    """

    def __init__(self, document: Document) -> None:
        """Begin without unclear lines, before the first line of the answer."""
        self.document = document
        self.lines_above: list[UnclearLine] = []
        self.lines_below: list[UnclearLine] = []
        self.last_item: tuple[str, int | None] = "", None

    def remember_line(
        self,
        block: Block,
        reading: LineReading,
        current: Plan | None,
        between: Between,
        *,
        is_code: bool,
    ) -> None:
        """Remember a line if it may have been meant as a step.

        Right below the steps of a plan, written like them, it is an unclear line of the plan.

        Args:
            block: The line.
            reading: What the line looks like.
            current: The plan above the line; None if there is none.
            between: The text between the plan and the line.
            is_code: Whether the line stands in a program.
        """
        last_step = current.items[-1] if current is not None and current.items else None
        line = UnclearLine(Text(block.text.strip(), block.at, block.end), reading)
        is_item = reading.number is not None
        if is_item and _LETTER_BELOW.match(self.document.text, block.end):
            return  # "2. Clean up" above "   a. Walk to the sink"
        if reading.heads_command and is_item:
            # A heading with a number that begins like a step, among steps with numbers.
            if last_step is None or last_step.number is not None:
                lines = self.lines_above if last_step is None else self.lines_below
                lines.append(line)
            return
        if not reading.leaves_out and not _may_be_step(reading, last_step, is_code=is_code):
            if reading.is_told and current is not None and len(current.notes) < _MAX_TOLD:
                _note_not_read(current, [line])  # among orders it mostly explains one
            return
        if last_step is not None and _tells_how(block.text, reading, last_step):
            return
        # An indented line explains the one above it.
        indent = len(block.text) - len(block.text.lstrip())
        if current is None or not (current.items or current.is_empty):
            if not _STARTS.match(line.text.value):
                self.lines_above.append(line)
        elif indent <= current.indent or reading.leaves_out:
            self._add_below(current, line, between)

    def _add_below(self, current: Plan, line: UnclearLine, between: Between) -> None:
        """Add an unclear line to the plan above it, or remember it until more steps follow."""
        if not self._continues_plan(line, current, between):
            self.lines_below.append(line)
            return
        current.unclear_lines.append((len(current.items), line.text))
        current.end = line.text.end
        self.last_item = line.bullet, line.reading.number

    def add_lines_behind_to(
        self, current: Plan, section: int = 0, number: int | None = None
    ) -> None:
        """Add the lines below the last step to a plan, because more steps follow.

        A heading that begins like a step counts only if the next step has the next number: else it
        may be the heading of the steps below it.

        Args:
            current: The plan.
            section: The section of the steps that follow, 2 of 2.1, whose heading is no step; 0 if
                they have none.
            number: The number of the next step; None if it has none.
        """
        steps_before = len(current.items)
        for line in self.lines_below:
            heading_number = line.reading.number
            fills_gap = (
                heading_number is not None
                and number == heading_number + 1 > current.last_number + 1
            )
            if not line.is_heading_of(section) and (fills_gap or not line.reading.heads_command):
                current.unclear_lines.append((steps_before, line.text))
        if not section:
            return  # without this, each of many steps would look at all unclear lines again
        current.unclear_lines = [
            entry for entry in current.unclear_lines if not _is_heading_of(entry[1].value, section)
        ]

    def _continues_plan(self, line: UnclearLine, current: Plan, between: Between) -> bool:
        """Whether a line stands right below the steps of a plan, and is written like them."""
        text_between = self.document.text[current.end : line.text.at]
        if has_words(text_between):
            return False
        if line.reading.leaves_out:
            # A list that was closed is whole, whatever dots stand below it: "[...]" and "...".
            is_closed_list = current.ends_with_value and not current.regions
            return not is_closed_list or has_words(line.text.value)
        if between.is_parted or between.is_broken:
            return False
        bullet, number = self.last_item
        if number is not None and line.reading.number is not None:
            # Behind step 4, "3.5 metres" is not number 5 of a third section.
            section = current.items[-1].section if current.items else 0
            return line.reading.number == number + 1 and line.reading.section == section
        if line.bullet != bullet or line.reading.number != number:
            return False
        return is_like_call(line.text.value) or text_between.count("\n") < 2

    def texts_listed_before(self, plan: Plan, block: Block, steps: Sequence[Step]) -> list[Text]:
        """Return the unclear lines right above the first line of a plan that are items of its list.

        They have the same bullet, and numbers that lead up to that of the first step. Lines above
        them are noted and forgotten.

        Args:
            plan: The plan.
            block: The first line of the plan.
            steps: The steps in it.
        """
        list_items: list[Text] = []
        next_line_start = block.at
        next_number = steps[0].number
        bullet = bullet_of(block.text)
        for line in reversed(self.lines_above):
            text_between = self.document.text[line.text.end : next_line_start]
            if line.reading.leaves_out and not has_words(text_between):
                list_items.append(line.text)  # what is done otherwise, below an item
                next_line_start = line.text.at
                continue
            number = None if next_number is None else next_number - 1
            if has_words(text_between) or line.bullet != bullet or line.reading.number != number:
                break
            is_in_list = bullet != "" or number is not None
            is_told = line.reading.is_told and steps[0].is_narrated
            # "If it rains, walk(hall)" may be the first step.
            is_conditional = line.reading.is_like_step and begins_with_condition(line.text.value)
            if not (is_in_list or is_told or is_conditional or is_like_call(line.text.value)):
                break
            list_items.append(line.text)
            next_line_start = line.text.at
            next_number = number
        _note_not_read(plan, self.lines_above[: len(self.lines_above) - len(list_items)])
        self.lines_above = []
        return list_items

    def note_below(self, current: Plan | None) -> None:
        """Note the lines below the last step of a plan that no step follows, and forget them."""
        if current is not None:
            items = [line for line in self.lines_below if line.is_item_behind(current)]
            current.unclear_lines += [(len(current.items), line.text) for line in items]
            _note_not_read(current, [line for line in self.lines_below if line not in items])
        self.lines_below = []

    def forget_heading(self, offset: int, current: Plan | None) -> None:
        """Forget the line at an offset: it is the numbered heading of a step, not a step."""
        self.lines_below = [line for line in self.lines_below if line.text.at != offset]
        if current is not None:
            lines = current.unclear_lines
            current.unclear_lines = [line for line in lines if line[1].at != offset]
