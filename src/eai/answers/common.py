"""The commonest clean shapes of plans, read without a document: rewards read millions of them.

These are a JSON list of steps, and lines of calls with or without numbers. Whatever is unusual
about an answer is left to the three stages, from which this never differs
(``tests/property/test_answers_common.py``).
"""

from __future__ import annotations

import json
import re

from eai.answers.cleaning import (
    REASONING,
    behind_reasoning,
    remove_invisible,
    thoughts_between_lines,
)
from eai.answers.plan import PlanReading, ReadStep, tokens_of
from eai.answers.surfaces import Surfaces
from eai.nesting import decoding

MAX_SIZE = 100_000
"""Maximum number of characters of an answer that is read here."""
MAX_STEPS = 1_000
"""Maximum number of its steps."""

_DECODER = json.JSONDecoder(
    object_pairs_hook=tuple, parse_int=str, parse_float=str, parse_constant=str
)
_KEY_OF_VALUE = re.compile(r'"[^"]*"\s*:')
_STRING = re.compile(r'"([^"]*)"')
_FENCED = re.compile(r"\s*```(?:json)?[ \t]*\n(.*)\n```\s*", re.DOTALL)
_CALL = re.compile(r"[ \t]*(?:(\d{1,4})[.)][ \t]+)?([A-Za-z_]\w*)\(([\w., ]*)\)[ \t]*")


def read_common(text: str, surfaces: Surfaces) -> PlanReading | None:
    """Return the plan in an answer of a common shape; None if anything is unusual.

    Args:
        text: What a model wrote.
        surfaces: The names of the task: all actions of the answer are among them.
    """
    answer_start, unfinished_start = behind_reasoning(text)
    answer = text[answer_start:] if answer_start else text
    if unfinished_start >= 0 or len(answer) > MAX_SIZE or not answer.isascii() or "\\" in answer:
        return None
    if answer_start and (remove_invisible(text)[1] or thoughts_between_lines(text)):
        return None
    fenced = _FENCED.fullmatch(answer)
    content_start = answer_start + (fenced.start(1) if fenced else 0)
    content = fenced[1] if fenced else answer
    stripped_content = content.strip()
    if stripped_content[:1] == "[" and stripped_content[-1:] == "]":
        steps = _steps_of_json(content, content_start, surfaces)
    else:
        steps = _steps_of_lines(content, content_start, surfaces)
    if steps is None or not 0 < len(steps) <= MAX_STEPS or remove_invisible(content)[1]:
        return None
    return PlanReading(tuple(steps), (), (REASONING,) if answer_start else ())


def _steps_of_json(text: str, offset: int, surfaces: Surfaces) -> list[ReadStep] | None:
    """Return the steps of a list of objects with an action as their only key, or of calls."""
    start = text.index("[")
    try:
        items, end = decoding(_DECODER, text)(start)
    except ValueError:
        return None
    # Words behind the list may change its meaning, so the general reader has to see them.
    if text[end:].strip() or not isinstance(items, list):
        return None
    if items and all(type(item) is str for item in items):
        return _steps_of_strings(text, start, len(items), offset, surfaces)
    key_offsets = [match.start() for match in _KEY_OF_VALUE.finditer(text, start, end)]
    # More keys than items: an object with several keys, or a key inside a value.
    if len(key_offsets) != len(items):
        return None
    steps: list[ReadStep] = []
    for item, key_offset in zip(items, key_offsets, strict=True):
        if type(item) is not tuple or len(item) != 1:
            return None
        name, values = item[0]
        action = surfaces.action_of_form(name)
        arguments = _tokens_of_strings(values)
        if action is None or arguments is None or not name.isidentifier():
            return None
        steps.append(ReadStep(name, arguments, offset + key_offset))
    return steps


def _steps_of_strings(
    text: str, start: int, item_count: int, offset: int, surfaces: Surfaces
) -> list[ReadStep] | None:
    """Return the steps of a list of strings that are calls without numbers.

    Args:
        text: The list and what stands around it.
        start: Where the list begins.
        item_count: Number of its items.
        offset: Where the text begins in the answer.
        surfaces: The names of the task.
    """
    steps: list[ReadStep] = []
    for string in _STRING.finditer(text, start):
        step = call_of(string[1], surfaces, offset + string.start())
        if step is None:
            return None
        steps.append(step)
    return steps if len(steps) == item_count else None  # a number among them is no string


def call_of(text: str, surfaces: Surfaces, position: int = 0) -> ReadStep | None:
    """Return the step that a text is, if it is a call of an action without a number before it."""
    call = _CALL.fullmatch(text)
    if call is None or call[1] or surfaces.action_of_form(call[2]) is None:
        return None
    return ReadStep(call[2], tuple(tokens_of(call[3])), position)


def _tokens_of_strings(values: object) -> tuple[str, ...] | None:
    """Return the names and ids in a list of strings; None if it has anything else."""
    if type(values) is not list:
        return None
    tokens: list[str] = []
    for text in values:
        if type(text) is not str:
            return None
        tokens += [text] if text.isdigit() else tokens_of(text)
    return tuple(tokens)


def _steps_of_lines(text: str, offset: int, surfaces: Surfaces) -> list[ReadStep] | None:
    """Return the steps of lines that are calls, all of them numbered from 1 or none."""
    steps: list[ReadStep] = []
    numbers: list[str | None] = []
    for line in text.split("\n"):
        match = _CALL.fullmatch(line)
        if match is not None:
            if surfaces.action_of_form(match[2]) is None:
                return None
            numbers.append(match[1])
            steps.append(ReadStep(match[2], tuple(tokens_of(match[3])), offset + match.start(2)))
        elif line.strip():
            return None
        offset += len(line) + 1
    numbers_from_one = [str(number) for number in range(1, len(numbers) + 1)]
    return steps if numbers in (numbers_from_one, [None] * len(numbers)) else None
