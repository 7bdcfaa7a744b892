"""Plans of lines that stood in earlier answers to the same task.

Answers to one task repeat their lines. What a line says is remembered, so that most plans are read
by looking their lines up. This is done only for the shapes that :func:`read_common` reads line by
line, and for lines that mean the same in every plan; all others are left to the reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar, cast

from eai.answers.binding import Binder
from eai.answers.cleaning import behind_reasoning, remove_invisible, thoughts_between_lines
from eai.answers.common import MAX_SIZE, MAX_STEPS, call_of, read_common
from eai.answers.plan import ReadStep
from eai.answers.surfaces import Surfaces
from eai.task import Vocabulary
from eai.world import Action

MAX_LINES = 20_000
"""Maximum number of lines that are remembered; then all are forgotten."""
MAX_LENGTH = 200
"""Maximum number of characters of a line that is remembered."""

_NUMBERED = re.compile(r"[ \t]*(\d{1,4})[.)][ \t]+(?=\S)")
_EXACT_CALL = re.compile(r"[ \t]*([A-Za-z_]\w*)\(([\w., -]+)\)[ \t]*")
_PLAIN = re.compile(r"[\w ,.:\"()\[\]{}\t-]*", re.ASCII)


class _ListShape(NamedTuple):
    """How a list in one line begins and ends, and what stands between its items.

    Its first and its last two characters belong to the list, all others to its items.
    """

    begin: str
    end: str
    between: str


_STRINGS: Final = _ListShape('["', '"]', '", "')
_OBJECTS: Final = _ListShape('[{"', "]}]", "}, {")

_Known = TypeVar("_Known")

_Line = tuple[int, int]
"""The number that stands before a step (0: none), and the number of its action."""
_BLANK: Final[_Line] = (-1, -1)
_OTHER: Final[_Line] = (-2, -2)
"""The line is no step, or its meaning depends on other lines."""


class KnownLines:
    """Remembers the steps of lines, which answers to one task often repeat.

    Args:
        vocabulary: The names that an answer may use; it has no reader of its own.
        binder: Looks them up.
        number: Returns the number of an action.
    """

    def __init__(
        self, vocabulary: Vocabulary, binder: Binder, number: Callable[[Action], int]
    ) -> None:
        """Begin with empty caches; they fill with the lines of the answers that are read."""
        self._vocabulary = vocabulary
        self._surfaces = Surfaces.from_vocabulary(vocabulary)
        self._binder = binder
        self._number = number
        # Lines that are steps, and all others.
        self._lines: dict[str, _Line] = {}
        self._no_steps: dict[str, _Line] = {}
        # Calls: lines without their numbers, and strings of lists; None if they are no step.
        self._calls: dict[str, int | None] = {}
        # Lines of words without their numbers, likewise.
        self._words: dict[str, int | None] = {}
        # Objects of lists, without their brackets.
        self._objects: dict[str, int | None] = {}

    def read_plan(self, text: str) -> list[int] | None:
        """Return the numbers of the actions of a plan; None if it has to be read as a whole."""
        answer_start, unfinished_start = behind_reasoning(text)
        if unfinished_start >= 0 or len(text) - answer_start > MAX_SIZE:
            return None
        if answer_start:
            # Characters that nobody sees are noted, wherever they stand.
            if not text.isascii() or remove_invisible(text)[1] or thoughts_between_lines(text):
                return None
            text = text[answer_start:]
        # Behind reasoning an answer mostly begins with a line break, and many end with one.
        without_margins = text.strip(" \n")
        if without_margins.startswith("["):
            plan = self._of_list(without_margins)
        else:
            plan = self._of_lines(text)
        return plan if plan and len(plan) <= MAX_STEPS else None

    def _of_lines(self, text: str) -> list[int] | None:
        """Return the numbers of the actions of a plan in lines; None if the text is anything else.

        The lines are numbered from 1, or none of them is.
        """
        lines = text.split("\n")
        steps: list[_Line | None] = [*map(self._lines.get, lines)]
        if None in steps and not self._learn_lines(lines, steps):
            return None
        if not steps:
            return None
        numbers, plan = zip(*cast("list[_Line]", steps), strict=True)
        if numbers[0]:
            is_list = numbers == tuple(range(1, len(numbers) + 1))
        else:
            is_list = not any(numbers)
        return list(plan) if is_list else None

    def _learn_lines(self, lines: Sequence[str], steps: list[_Line | None]) -> bool:
        """Fill in the steps of lines that were not read before; return whether all lines are steps.

        Args:
            lines: The lines of a plan.
            steps: The step of each line, None where it is not known. Blank lines are taken out.
        """
        has_blanks = False
        for index, line in enumerate(lines):
            if steps[index] is None:
                step = self._learn_line(line)
                if step == _OTHER:
                    return False  # the lines behind it need not be read
                has_blanks = has_blanks or step == _BLANK
                steps[index] = step
        if has_blanks:
            steps[:] = [step for step in steps if step != _BLANK]
        return True

    def _of_list(self, text: str) -> list[int] | None:
        """Return the plan of a JSON list in one line, of strings or of objects with one key."""
        if text.startswith(_STRINGS.begin) and text.endswith(_STRINGS.end):
            shape, known_items, read_item = _STRINGS, self._calls, self._read_call
        elif text.startswith(_OBJECTS.begin) and text.endswith(_OBJECTS.end):
            shape, known_items, read_item = _OBJECTS, self._objects, self._of_object
        else:
            return None
        items = text[2:-2].split(shape.between)
        plan = [*map(known_items.get, items)]
        if None not in plan:
            return cast("list[int]", plan)
        actions: list[int] = []
        for item in items:
            action = self._learn_text(item, known_items, read_item)
            if action is None:
                return None
            actions.append(action)
        return actions

    def _learn_text(
        self,
        text: str,
        known_texts: dict[str, int | None],
        read_text: Callable[[str], ReadStep | None],
    ) -> int | None:
        """Return the number of the action of a text, or None, and remember it."""
        action = known_texts.get(text)
        if action is not None or text in known_texts:
            return action
        step = read_text(text) if len(text) <= MAX_LENGTH else None
        bound_action = None if step is None else self._binder.action_of_step(step)
        action = None if bound_action is None else self._number(bound_action)
        _store_in_cache(known_texts, text, action)
        return action

    def _learn_line(self, line: str) -> _Line:
        """Return the number and action of a line that is no known step, and remember them."""
        known_line = self._no_steps.get(line)
        if known_line is not None:
            return known_line
        line_reading = self._read_line(line) if len(line) <= MAX_LENGTH else _OTHER
        known_lines = self._no_steps if line_reading in (_BLANK, _OTHER) else self._lines
        _store_in_cache(known_lines, line, line_reading)
        return line_reading

    def _read_line(self, line: str) -> _Line:
        """Return the number and step of a line such as ``2. WALK(hall)``; 0 if it has no number."""
        if not line.strip(" \t"):
            return _BLANK
        if "[" in line:  # a value among lines, not a step
            return _OTHER
        numbered = _NUMBERED.match(line)
        text = line[numbered.end() :] if numbered else line
        if numbered is None and len(text.split()) == 1 and "(" not in text:
            return _OTHER  # the name of an action alone may be a heading
        if "(" in text:
            action = self._learn_text(text, self._calls, self._read_call)
        else:
            action = self._learn_text(text, self._words, self._read_words)
        if action is None:
            return _OTHER
        return (int(numbered[1]) if numbered else 0), action

    def _read_call(self, text: str) -> ReadStep | None:
        """Return the step that a text is, if it is a call without a number and nothing else."""
        if "(" not in text or _PLAIN.fullmatch(text) is None:
            return None
        exact = _EXACT_CALL.fullmatch(text)
        if exact is not None and self._surfaces.action_of_form(exact[1]) is not None:
            names = exact[2].split(", ")
            if all(name in self._vocabulary.objects for name in names):
                return ReadStep(exact[1], tuple(names))
        return call_of(text, self._surfaces)

    def _of_object(self, text: str) -> ReadStep | None:
        """Return the step that an object is, without its brackets, if it is nothing else."""
        if _PLAIN.fullmatch(text) is None:
            return None
        reading = read_common(f"[{{{text}}}]", self._surfaces)
        return reading.steps[0] if reading is not None and len(reading.steps) == 1 else None

    def _read_words(self, text: str) -> ReadStep | None:
        """Return the step that words are: an action and as many objects as it takes.

        Each is written as it is: ``WALK light.34``.
        """
        if _PLAIN.fullmatch(text) is None:
            return None
        name, *objects = text.split()
        action = self._surfaces.action_of_form(name)
        if action is None or not name.isidentifier():
            return None
        if len(objects) != self._vocabulary.actions[action.name]:
            return None
        if any(name_of_object not in self._vocabulary.objects for name_of_object in objects):
            return None
        return ReadStep(name, tuple(objects))


def _store_in_cache(cache: dict[str, _Known], text: str, value: _Known) -> None:
    """Remember a value of a text that is not long; where there are too many, forget all."""
    if len(text) > MAX_LENGTH:
        return
    if len(cache) >= MAX_LINES:
        cache.clear()
    cache[text] = value
