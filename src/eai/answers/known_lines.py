"""Plans of lines that stood in earlier answers to the same task.

Answers to one task repeat their lines. What a line says is remembered, so that most plans are read
by looking their lines up. This is done only for the shapes that :func:`read_common` reads line by
line, and for lines that mean the same in every plan; all others are left to the reader.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar, cast

from eai.answers.binding import MOST_ARGUMENTS, Binder
from eai.answers.cleaning import behind_reasoning, remove_invisible, thoughts_between_lines
from eai.answers.common import MAX_SIZE, MAX_STEPS, call_of, read_common
from eai.answers.surfaces import Surfaces
from eai.task import Vocabulary
from eai.world import Action

MAX_LINES = 20_000
"""Maximum number of lines that are remembered; then all are forgotten."""
MAX_LENGTH = 200
"""Maximum number of characters of a line that is remembered."""

_NUMBERED = re.compile(r"[ \t]*(\d{1,4})[.)][ \t]+(?=\S)", re.ASCII)
_PLAIN = re.compile(r"[\w ,.:\"()\[\]{}\t-]*", re.ASCII)
_PLAIN_ACTION = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_PLAIN_OBJECT = re.compile(r"[A-Za-z][\w.-]*", re.ASCII)


class _ListShape(NamedTuple):
    """How a list in one line begins and ends, and what stands between its items.

    Its first and its last two characters belong to the list, all others to its items.
    """

    begin: str
    end: str
    between: str


_STRINGS: Final = _ListShape('["', '"]', '", "')
_OBJECTS: Final = _ListShape('[{"', "]}]", "}, {")

_Value = TypeVar("_Value")


class _Signature(NamedTuple):
    """The action that a written name means in every plan, and how many objects it takes."""

    action: str
    object_count: int


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
        # Written names of actions; None where a name means no action, or not for certain.
        self._signatures: dict[str, _Signature | None] = {}
        self._plain_objects = frozenset(
            name for name in vocabulary.objects if _PLAIN_OBJECT.fullmatch(name)
        )
        # The actions of lines without numbers. Of numbered lines: a dictionary for each number.
        self._lines: dict[str, int] = {}
        self._numbered_lines: list[dict[str, int]] = []
        self._numbered_line_count = 0
        # Calls: lines without their numbers, and strings of lists; None if they are no step.
        self._calls: dict[str, int | None] = {}
        # Lines of words without their numbers, likewise.
        self._words: dict[str, int | None] = {}
        # Objects of lists, without their brackets.
        self._objects: dict[str, int | None] = {}

    def learn_plan(self, plan: Sequence[Action]) -> None:
        """Read the lines of a plan, in the shapes that models write, so that answers find them.

        Args:
            plan: A plan that many answers follow for a while.
        """
        for number, action in enumerate(plan, start=1):
            name = action.name.upper()
            call = f"{name}({', '.join(action.arguments)})"
            words = " ".join((name, *action.arguments))
            for text in (call, words):
                self._learn_line(text, 0)
                self._learn_line(f"{number}. {text}", number)
            json_object = f'"{name}": {json.dumps(action.arguments)}'
            self._learn_text(json_object, self._objects, self._action_of_object)

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
            plan = self._of_lines(text.strip("\n").split("\n"))
        return plan if plan and len(plan) <= MAX_STEPS else None

    def _of_lines(self, lines: list[str]) -> list[int] | None:
        """Return the numbers of the actions of a plan in lines; None if they are anything else.

        The lines are numbered from 1, or none of them is.
        """
        is_numbered = lines[0].lstrip(" \t")[:1].isdigit()
        plan: list[int | None]
        if is_numbered:
            # The first line is looked up among lines with the number 1, and so on.
            plan = [*map(dict.get, self._numbered_lines, lines)]
            plan += [None] * (len(lines) - len(plan))
        else:
            plan = [*map(self._lines.get, lines)]
        if None not in plan:
            return cast("list[int]", plan)
        return self._learn_lines(lines, plan, is_numbered=is_numbered)

    def _learn_lines(
        self, lines: list[str], plan: list[int | None], *, is_numbered: bool
    ) -> list[int] | None:
        """Return the numbers of the actions of lines, some of which were not read before.

        Args:
            lines: The lines of a plan.
            plan: The action of each line, None where it is not known. It is filled in.
            is_numbered: Whether each line has to begin with its number.
        """
        for index, line in enumerate(lines):
            if plan[index] is not None:
                continue
            if not line.strip(" \t"):
                # A blank line is no step: the numbers of steps go on behind it.
                steps = [step for step in lines if step.strip(" \t")]
                return self._of_lines(steps) if steps else None
            plan[index] = self._learn_line(line, index + 1 if is_numbered else 0)
            if plan[index] is None:
                return None  # the lines behind it need not be read
        return cast("list[int]", plan)

    def _learn_line(self, line: str, number: int) -> int | None:
        """Return the number of the action of a line such as ``2. WALK(hall)``, and remember it.

        Args:
            line: The line.
            number: The number that the line has to begin with; 0 if it must not have one.

        Returns:
            None if the line is no such step, or if its meaning depends on other lines.
        """
        if len(line) > MAX_LENGTH or "[" in line:  # a value among lines is no step
            return None
        text = line
        if number:
            text = _without_number(line, number)
            if not text:
                return None
        elif "(" not in line and len(line.split()) == 1:
            return None  # the name of an action alone may be a heading
        if "(" in text:
            action = self._learn_text(text, self._calls, self._action_of_call)
        else:
            action = self._learn_text(text, self._words, self._action_of_words)
        if action is not None and number:
            self._remember_numbered_line(line, number, action)
        elif action is not None:
            _store_in_cache(self._lines, line, action)
        return action

    def _remember_numbered_line(self, line: str, number: int, action: int) -> None:
        """Remember the action of a line with a number; where there are too many, forget all."""
        if self._numbered_line_count >= MAX_LINES:
            self._numbered_lines = []
            self._numbered_line_count = 0
        numbered_lines = self._numbered_lines  # another thread may begin anew
        while len(numbered_lines) < number:
            numbered_lines.append({})
        numbered_lines[number - 1][line] = action
        self._numbered_line_count += 1

    def _of_list(self, text: str) -> list[int] | None:
        """Return the plan of a JSON list in one line, of strings or of objects with one key."""
        if text.startswith(_STRINGS.begin) and text.endswith(_STRINGS.end):
            shape, known_items, action_of = _STRINGS, self._calls, self._action_of_call
        elif text.startswith(_OBJECTS.begin) and text.endswith(_OBJECTS.end):
            shape, known_items, action_of = _OBJECTS, self._objects, self._action_of_object
        else:
            return None
        items = text[2:-2].split(shape.between)
        plan = [*map(known_items.get, items)]
        if None not in plan:
            return cast("list[int]", plan)
        for index, item in enumerate(items):
            if plan[index] is None:
                plan[index] = self._learn_text(item, known_items, action_of)
                if plan[index] is None:
                    return None
        return cast("list[int]", plan)

    def _learn_text(
        self,
        text: str,
        known_texts: dict[str, int | None],
        action_of: Callable[[str], Action | None],
    ) -> int | None:
        """Return the number of the action of a text, or None, and remember it."""
        number = known_texts.get(text)
        if number is not None or text in known_texts:
            return number
        action = action_of(text) if len(text) <= MAX_LENGTH else None
        number = None if action is None else self._number(action)
        _store_in_cache(known_texts, text, number)
        return number

    def _action_of_call(self, text: str) -> Action | None:
        """Return the action of a text, if it is a call without a number and nothing else."""
        name, _, rest = text.strip(" \t").partition("(")
        if rest.endswith(")"):
            action = self._plain_action(name, rest[:-1].split(", "))
            if action is not None:
                return action
        if _PLAIN.fullmatch(text) is None:
            return None
        step = call_of(text, self._surfaces)
        return None if step is None else self._binder.action_of_step(step)

    def _action_of_words(self, text: str) -> Action | None:
        """Return the action of words: its name and as many objects as it takes.

        Each is written as it is: ``WALK light.34``.
        """
        if _PLAIN.fullmatch(text) is None:
            return None
        name, *objects = text.split()
        return self._plain_action(name, objects)

    def _action_of_object(self, text: str) -> Action | None:
        """Return the action of a JSON object, without its brackets, if it is nothing else."""
        # Its name and its objects, "WALK": ["light.34"], are mostly written as the task has them.
        name, _, rest = text.partition('": ["')
        if name.startswith('"') and rest.endswith('"]'):
            action = self._plain_action(name[1:], rest[:-2].split('", "'))
            if action is not None:
                return action
        if _PLAIN.fullmatch(text) is None:
            return None
        reading = read_common(f"[{{{text}}}]", self._surfaces)
        if reading is None or len(reading.steps) != 1:
            return None
        return self._binder.action_of_step(reading.steps[0])

    def _plain_action(self, written_name: str, objects: list[str]) -> Action | None:
        """Return the action of a step that names it and its objects exactly; else None."""
        signature = self._signatures.get(written_name)
        if signature is None:
            if written_name in self._signatures:
                return None
            signature = self._find_signature(written_name)
            _store_in_cache(self._signatures, written_name, signature)
            if signature is None:
                return None
        if len(objects) != signature.object_count or not self._plain_objects.issuperset(objects):
            return None
        return Action(signature.action, tuple(objects))

    def _find_signature(self, written_name: str) -> _Signature | None:
        """Return the action that a written name means, if reading and binding agree about it."""
        if _PLAIN_ACTION.fullmatch(written_name) is None:
            return None
        form = self._surfaces.action_of_form(written_name)
        action, was_loose = self._binder.names.find_action(written_name)
        if form is None or action is None or form.name != action or was_loose:
            return None
        object_count = self._vocabulary.actions[action]
        return _Signature(action, object_count) if object_count <= MOST_ARGUMENTS else None


def _without_number(line: str, number: int) -> str:
    """Return a line without the number that it has to begin with; empty if it has another one."""
    text = line.removeprefix(f"{number}. ")
    if len(text) < len(line) and text[:1].strip():
        return text
    # The number may also be written in another way.
    written_number = _NUMBERED.match(line)
    if written_number is None or int(written_number[1]) != number:
        return ""
    return line[written_number.end() :]


def _store_in_cache(cache: dict[str, _Value], text: str, value: _Value) -> None:
    """Remember a value of a text that is not long; where there are too many, forget all."""
    if len(text) > MAX_LENGTH:
        return
    if len(cache) >= MAX_LINES:
        cache.clear()
    cache[text] = value
