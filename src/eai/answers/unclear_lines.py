"""Lines amid a plan that may have been meant as steps, and were not read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eai.answers.candidate_plan import Plan
from eai.answers.continuation import Between
from eai.answers.document import Block, Document
from eai.answers.items import LineReading, Step
from eai.answers.unclear import is_like_call
from eai.answers.values import Text


@dataclass(slots=True)
class UnclearLine:
    """A line that may have been meant as a step, and was not read."""

    text: Text
    reading: LineReading

    @property
    def bullet(self) -> str:
        """The bullet before the line; empty if there is none."""
        return bullet_of(self.text.value)

    def heads(self, section: int) -> bool:
        """Whether it is the heading of the steps of a section."""
        return _is_heading_of(self.text.value, section)


def _is_heading_of(line: str, section: int) -> bool:
    """Whether a line is the heading of a section: ``2. In the kitchen`` of the steps 2.1, 2.2."""
    found = re.match(r"\W*(\d{1,4})[.):]?\s", line)
    return section > 0 and found is not None and int(found[1]) == section


def bullet_of(line: str) -> str:
    """Return the bullet before a line; empty if there is none."""
    bare = line.lstrip()
    is_bullet = bare[:1] in ("-", "*", "+", "\u2022") and bare[1:2] in (" ", "\t")
    return bare[0] if is_bullet else ""


class UnclearLines:
    """The unclear lines around the plan that is being put together.

    Attributes:
        before: Lines above its first step.
        behind: Lines below its last step.
        listed: The bullet and the number of the last line that belongs to it.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.before: list[UnclearLine] = []
        self.behind: list[UnclearLine] = []
        self.listed: tuple[str, int | None] = "", None

    def add(
        self,
        block: Block,
        reading: LineReading,
        current: Plan | None,
        between: Between,
        *,
        is_code: bool,
    ) -> None:
        """Remember a line that may have been meant as a step.

        It is a problem where steps follow, or where it visibly belongs to those before it.
        """
        indent = len(block.text) - len(block.text.lstrip())
        is_below = (
            current is not None and bool(current.items) and current.items[-1].number is not None
        )
        is_listed = reading.looks_listed and (reading.number is not None or not is_below)
        is_meant = is_listed or (reading.is_like_step and not is_code)
        if not (is_meant or reading.leaves_out):
            return
        unclear_line = UnclearLine(Text(block.text.strip(), block.at, block.end), reading)
        if current is None or not (current.items or current.is_empty):
            self.before.append(unclear_line)
        elif reading.leaves_out or indent <= current.indent:
            if self._follows(unclear_line, current, between):
                current.unclear_lines.append((len(current.items), unclear_line.text))
                current.end = block.end
                self.listed = unclear_line.bullet, reading.number
            else:
                self.behind.append(unclear_line)

    def move_to(self, current: Plan, section: int = 0) -> None:
        """Add the doubtful lines amid the steps of a plan that goes on behind them.

        "2. In the kitchen" is the heading of the steps 2.1 and 2.2.
        """
        current.unclear_lines += [
            (len(current.items), unclear_line.text)
            for unclear_line in self.behind
            if not unclear_line.heads(section)
        ]
        if not section:
            return  # without this, each of many steps would look at all doubtful lines again
        current.unclear_lines = [
            each for each in current.unclear_lines if not _is_heading_of(each[1].value, section)
        ]

    def _follows(self, unclear_line: UnclearLine, current: Plan, between_them: Between) -> bool:
        """Whether a line stands right behind the steps, as one of them would."""
        between = self.document.text[current.end : unclear_line.text.at]
        is_next = between.count("\n") < 2 and not any(map(str.isalnum, between))
        if unclear_line.reading.leaves_out:
            # A list that was closed is whole, whatever dots stand below it: "[...]" and "...".
            is_closed_list = current.ends_with_value and not current.regions
            is_bare = not any(map(str.isalnum, unclear_line.text.value))
            if is_closed_list and is_bare:
                return False
            return not any(map(str.isalnum, between))
        if between_them.is_parted or between_them.is_broken:
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
        place, number, bullet = block.at, steps[0].number, bullet_of(block.text)
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

    def forget_heading(self, at: int, current: Plan | None) -> None:
        """Forget that the line above a step, which has its number, may be a step as well."""
        self.behind = [u for u in self.behind if u.text.at != at]
        if current is not None:
            lines = current.unclear_lines
            current.unclear_lines = [line for line in lines if line[1].at != at]
