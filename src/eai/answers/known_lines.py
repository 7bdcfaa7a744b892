"""Plans of lines that stood in earlier answers to the same task.

Answers to one task repeat their lines. What a line says is remembered, so that most plans are read
by looking their lines up. This is done only for the shapes that :func:`read_common` reads line by
line, and for lines that mean the same in every plan; all others are left to the reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from eai.answers.binding import Binder
from eai.answers.cleaning import behind_reasoning, thoughts_between_lines, visible
from eai.answers.common import MAX_SIZE, MAX_STEPS, read_common
from eai.answers.plan import ReadStep
from eai.answers.surfaces import Surfaces
from eai.task import Vocabulary
from eai.world import Action

MAX_LINES = 20_000
"""Maximum number of lines that are remembered; then all are forgotten."""
MAX_LENGTH = 200
"""Maximum number of characters of a line that is remembered."""

_NUMBERED = re.compile(r"[ \t]*(\d{1,4})[.)][ \t]+(?=\S)")
_PLAIN = re.compile(r"[\w ,.:\"()\[\]{}\t-]*", re.ASCII)
_LISTS = (('["', '"]', '", "'), ('[{"', "]}]", "}, {"))
"""How a list in one line begins and ends, and what stands between its items."""

_Line = tuple[int, int]
"""The number that stands before a step (0: none), and the number of its action."""
_BLANK: Final[_Line] = (-1, -1)
_OTHER: Final[_Line] = (-2, -2)
"""The line is no step, or its meaning depends on other lines."""


class KnownLines:
    """The steps of lines, by what they say.

    Args:
        vocabulary: The names that an answer may use; it has no reader of its own.
        binder: Looks them up.
        number: Returns the number of an action.
    """

    def __init__(
        self, vocabulary: Vocabulary, binder: Binder, number: Callable[[Action], int]
    ) -> None:
        self._vocabulary = vocabulary
        self._surfaces = Surfaces.of(vocabulary)
        self._binder = binder
        self._number = number
        self._lines: dict[str, _Line] = {}
        self._items: dict[str, _Line] = {}

    def plan(self, text: str) -> list[int] | None:
        """Return the numbers of the actions of a plan; None if it has to be read as a whole."""
        begin, unfinished = behind_reasoning(text)
        if unfinished >= 0 or len(text) - begin > MAX_SIZE:
            return None
        if begin:
            # Characters that nobody sees are noted, wherever they stand.
            if not text.isascii() or visible(text)[1] or thoughts_between_lines(text):
                return None
            text = text[begin:]
        plan = self._of_list(text) if text[:1] == "[" else self._of_lines(text)
        return plan if plan and len(plan) <= MAX_STEPS else None

    def _of_lines(self, text: str) -> list[int] | None:
        """Return the plan of lines, all of them numbered from 1 or none."""
        plan: list[int] = []
        numbers: list[int] = []
        lines = self._lines
        for line in text.split("\n"):
            number, action = lines.get(line) or self._learned(line, lines)
            if action >= 0:
                plan.append(action)
                numbers.append(number)
            elif number == _OTHER[0]:
                return None
        count = len(plan)
        return plan if numbers in (list(range(1, count + 1)), [0] * count) else None

    def _of_list(self, text: str) -> list[int] | None:
        """Return the plan of a JSON list in one line, of strings or of objects with one key."""
        shape = next((s for s in _LISTS if text.startswith(s[0]) and text.endswith(s[1])), None)
        if shape is None:
            return None
        begin, end, between = shape
        opening, closing = begin[:2], end[-2:]
        plan: list[int] = []
        for item in text[2:-2].split(between):
            # An item is kept as it would stand alone in a list.
            written = f"{opening}{item}{closing}"
            _, action = self._items.get(written) or self._learned(written, self._items)
            if action < 0:
                return None
            plan.append(action)
        return plan

    def _learned(self, line: str, known: dict[str, _Line]) -> _Line:
        """Return what a line or an item says, and remember it."""
        is_list = "[" in line and known is self._lines  # a value among lines, not a step
        found = _OTHER if is_list else self._said(line)
        if len(line) <= MAX_LENGTH:
            if len(known) >= MAX_LINES:
                known.clear()
            known[line] = found
        return found

    def _said(self, line: str) -> _Line:
        if not line.strip(" \t"):
            return _BLANK
        if _PLAIN.fullmatch(line) is None:
            return _OTHER
        numbered = _NUMBERED.match(line)
        step = self._step(line[numbered.end() :] if numbered else line)
        action = None if step is None else self._binder.alone(step)
        if action is None:
            return _OTHER
        return (int(numbered[1]) if numbered else 0), self._number(action)

    def _step(self, line: str) -> ReadStep | None:
        """Return the step that a line is, if it is nothing else."""
        # Without a bracket it is neither a call nor a list, which are all that is read there.
        reading = None
        if "(" in line or "[" in line:
            reading = read_common(line, self._surfaces)
        if reading is not None:
            return reading.steps[0] if len(reading.steps) == 1 else None
        # An action and as many objects as it takes, each written as it is: "WALK light.34".
        name, *objects = line.split()
        known = self._surfaces.named(name)
        if known is None or not name.isidentifier() or not objects:
            return None
        if len(objects) != self._vocabulary.actions[known.name]:
            return None
        if any(each not in self._vocabulary.objects for each in objects):
            return None
        return ReadStep(name, tuple(objects))
