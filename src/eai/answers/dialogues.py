"""Dialogues of a user and a robot, in which the user asks for steps that the robot takes.

Both may say each step, ``User: Walk to the door.`` and ``Robot: Walking to the door.``, but it is
taken once. What the robot says is the plan; what only the user says counts if the robot says none.
A plan that the user quotes beside that of the robot is no answer, and of several the last counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from eai.answers.cleaning import blank_out
from eai.answers.items import is_same_step
from eai.answers.plan import (
    ACTION_KEYS,
    ASIDE_KEYS,
    CONNECTIVES,
    EXPLAINING,
    HEADINGS,
    OBJECT_KEYS,
    STATES,
    WORDS,
    AnswerProblem,
    PlanReading,
    ReadStep,
)

_TURN = re.compile(
    r"^[ \t>*_-]{0,8}(?:(?P<user>(?i:user|human|person|owner|customer|dispatch(?:er)?|operator"
    r"|control|base|tower|teacher))|(?i:robot|assistant|agent|bot|ai|executor)"
    r"|(?P<name>[A-Z][a-z]{1,14}))\b[ \t*_]{0,4}:[^\n]*",
    re.MULTILINE,
)
"""A line that begins with who speaks."""
_SENTENCE = re.compile(r":\W*\w+\W+\w.*[.!?]")
"""A sentence of several words behind who speaks."""
_LABELS = frozenset().union(
    ACTION_KEYS, ASIDE_KEYS, CONNECTIVES, EXPLAINING, HEADINGS, OBJECT_KEYS, STATES,
    WORDS["talking"], WORDS["leading"],
)  # fmt: skip
"""Words before a colon that are no names of persons."""
_ALL = re.compile(r"\b(?:everything|all|something|anything|things)\b", re.IGNORECASE)
"""Words of a wish that names no object: "close everything"."""
_MIN_TURNS = 2
"""So often each of them speaks in a dialogue; a transcript of a prompt has one turn of each."""


def read_dialogue(text: str, read_plan: Callable[[str], PlanReading]) -> PlanReading | None:
    """Return the plan in a dialogue; None if the text is none, or nobody names a step.

    A step that the user asks for and the robot does not take is a problem.

    Args:
        text: The answer.
        read_plan: Reads the plan in a text.
    """
    if "\n" not in text or ":" not in text:
        return None
    user_turns, robot_turns = _turns_of(text)
    if min(len(user_turns), len(robot_turns)) < _MIN_TURNS:
        # A plan that the user quotes has lines of its own.
        if not robot_turns or not any("\n" in text[start:end] for start, end in user_turns):
            return None
        reading = read_plan(blank_out(text, user_turns))
        return reading if reading.steps else None
    reading = read_plan(blank_out(text, user_turns))
    requests = read_plan(blank_out(text, robot_turns))
    if not reading.steps:
        return requests if requests.steps else None
    request = _first_not_taken(requests.steps, reading.steps)
    if request is None:
        return reading
    message = f"'{request}' is asked for, but not taken"
    problem = AnswerProblem(message, request.position, str(request))
    return replace(reading, problems=(*reading.problems, problem), status="partial")


def _turns_of(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return where the turns of the user and of other persons stand, and those of the robot."""
    turns = list(_TURN.finditer(text))
    # "Success: True" is a label; a person says sentences.
    counts = Counter(
        turn["name"] for turn in turns if turn["name"] and _SENTENCE.search(turn[0]) is not None
    )
    persons = {name for name, count in counts.items() if count > 1 and name.lower() not in _LABELS}
    user_turns = [
        _paragraph_of_turn(text, turn) for turn in turns if turn["user"] or turn["name"] in persons
    ]
    return user_turns, [turn.span() for turn in turns if not (turn["user"] or turn["name"])]


def _first_not_taken(requests: Sequence[ReadStep], steps: Sequence[ReadStep]) -> ReadStep | None:
    """Return the first step that the user asks for and the robot does not take; None if none."""
    steps_left = iter(steps)
    for request in requests:
        if _ALL.search(str(request)):
            continue
        if not any(is_same_step(request, step) for step in steps_left):
            return request
    return None


def _paragraph_of_turn(text: str, turn: re.Match[str]) -> tuple[int, int]:
    """Return where the lines of a turn begin and end: at a blank line, or at the next turn."""
    next_turn = _TURN.search(text, turn.end())
    end = len(text) if next_turn is None else next_turn.start()
    paragraph_end = text.find("\n\n", turn.end(), end)
    return turn.start(), end if paragraph_end < 0 else paragraph_end
