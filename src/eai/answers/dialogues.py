"""Dialogues of a user and a robot, in which the user asks for steps that the robot takes.

Both may say each step, ``User: Walk to the door.`` and ``Robot: Walking to the door.``, but it is
taken once. What the robot says is the plan; what only the user says counts if the robot says none.
A plan that the user quotes beside that of the robot is no answer, and of several the last counts.
A plan that another speaker rejects, ``Teacher: No. Walk to ...``, is none either.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from eai.answers.choice import says_failure
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
from eai.answers.retractions import without_emphasis
from eai.text import lazy_pattern

_TURN = re.compile(
    r"^[ \t>*_-]{0,8}(?:(?P<user>(?i:user|human|person|owner|customer|dispatch(?:er)?|operator"
    r"|control|base|tower|teacher))|(?i:robot|assistant|agent|bot|ai|executor)"
    r"|(?P<name>[A-Z][a-z]{1,14}))\b[ \t*_]{0,4}:[^\n]*",
    re.MULTILINE,
)
"""A line that begins with who speaks."""
_SENTENCE = re.compile(r":\W*\w+\W+\w.*[.!?]")
"""A sentence of several words behind who speaks."""
_MAX_SENTENCE = 400
"""Number of characters in which it ends."""
_LABELS = frozenset().union(
    ACTION_KEYS, ASIDE_KEYS, CONNECTIVES, EXPLAINING, HEADINGS, OBJECT_KEYS, STATES,
    WORDS["talking"], WORDS["leading"],
)  # fmt: skip
"""Words before a colon that are no names of persons."""
_SPEAKERS = frozenset(
    ["agent", "ai", "assistant", "bot", "he", "human", "i", "me", "robot", "she", "user", "you"]
)
"""Words among these that may say who speaks all the same."""
_ALL = re.compile(r"\b(?:everything|all|something|anything|things)\b", re.IGNORECASE)
"""Words of a wish that names no object: "close everything"."""
_MIN_TURNS = 2
"""So often each of them speaks in a dialogue; a transcript of a prompt has one turn of each."""

_SPEAKER = re.compile(
    r"^[ \t>*_-]{0,8}(?:(?i:the|my) )?(?P<name>[^\W\d_][\w.]{0,19}(?: [\w.]{1,12})?)"
    r"[ \t*_]{0,4}(?:\([^()\n]{1,40}\)[ \t*_]{0,4})?:",
    re.MULTILINE,
)
"""The begin of what any person says: ``Student:``, ``**Agent B:**``."""
_FIRST_CLAUSE = re.compile(
    r"\W{0,12}(\w[^.!:;,\u2013\u2014\n]{0,80}?(?:[.!:;,\u2013\u2014]| - |$))", re.MULTILINE
)
"""The first clause of what somebody says."""
_DISAGREES = lazy_pattern(
    r"(?:(?:well|hm+|oh|sorry|um+|but)\b\W*)?(?:no(?:pe)?(?=\W*[^\w\s]\W*$)|no (?:way|no)\b"
    r"|almost|nearly|not (?:quite|exactly|really|so fast|right|correct|good|like (?:this|that))\b"
    r"|nein\b|non\b|nicht ganz|falsch|(?:try|think|do it|start) (?:it )?(?:again|over)"
    r"|you (?:forgot|missed|overlooked|skipped)\b|i (?:disagree|object|reject|refuse|correct)\b"
    r"|disagreed?\b|rejected\b|objection\b|correction\b|wrong\b|incorrect\b)",
    re.IGNORECASE,
)
"""The begin of what somebody says who rejects the words of another person; not ``Open: no``."""
_FINDS_NOTHING = lazy_pattern(
    r"\b(?:no|not|nothing|none|never|without)\b[^.]*\b(?:fail\w*|wrong|incorrect|mistakes?|errors?)\b",
    re.IGNORECASE,
)
"""Words by which nothing is wrong: "no step fails"."""

_ACCEPTS = lazy_pattern(
    r"[^\n]{0,40}?\b(?:thanks?|thank you|fine|good|great|ok(?:ay)?|perfect|right|correct)\b",
    re.IGNORECASE,
)
"""Words behind a "No" that leave a plan as it is."""


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
        reading = _read_behind_rejection(text, read_plan)
        if reading is not None:
            return reading
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


def _read_behind_rejection(
    text: str, read_plan: Callable[[str], PlanReading]
) -> PlanReading | None:
    """Return the plan behind the last words that reject what another speaker said before.

    None if nobody rejects a plan, or none stands behind. A single step behind may as well replace a
    part of the plan, which is a problem. If the speakers tell a plan step by step, the words only
    reject one step of it.
    """
    rejected, start = _last_rejection(text)
    if start == 0:
        return None
    outside = [(0, rejected[0]), (rejected[1], len(text))]
    rejected_count = len(read_plan(blank_out(text, outside)).steps)
    if rejected_count == 0:
        return None
    if rejected_count == 1 and read_plan(text[: rejected[0]]).steps:
        return None
    reading = read_plan(blank_out(text, [(0, start)]))
    if not reading.steps:
        return _with_rejection(read_plan(text), text, rejected[1], start)
    notes = (*reading.notes, "the plan that another speaker rejects is not read")
    if len(reading.steps) == 1 < rejected_count:
        step = reading.steps[0]
        problem = AnswerProblem(f"'{step}' may replace a part of a plan", step.position, str(step))
        problems = (*reading.problems, problem)
        return replace(reading, notes=notes, problems=problems, status="partial")
    if reading.status != "clean":
        return replace(reading, notes=notes)
    return replace(reading, notes=notes, status="chosen", rule="not rejected")


def _with_rejection(
    reading: PlanReading, text: str, turn_start: int, start: int
) -> PlanReading | None:
    """Return the reading of a plan that another speaker rejects, and replaces by no other plan.

    None if it is not sure that the plan is rejected.

    Args:
        reading: The reading of the whole answer.
        text: The answer.
        turn_start: Where the rejection begins, with the name of its speaker.
        start: Where the words behind the rejection begin.
    """
    speaker = _SPEAKER.match(text, turn_start)
    clause = _FIRST_CLAUSE.match(text, speaker.end()) if speaker is not None else None
    is_sure = clause is not None and _DISAGREES.match(without_emphasis(clause[1])) is not None
    # "No, thanks." rejects no plan.
    if not reading.steps or not is_sure or _ACCEPTS.match(text, start):
        return None
    problem = AnswerProblem("another speaker rejects the plan", start)
    return replace(reading, problems=(*reading.problems, problem), status="partial")


def _last_rejection(text: str) -> tuple[tuple[int, int], int]:
    """Return where the words stand that another speaker rejects last, and where the "No" ends.

    The end is 0 if nobody rejects what another one said.
    """
    last_name, last_begin = "", 0
    rejected, start = (0, 0), 0
    for turn in _SPEAKER.finditer(text):
        name = turn["name"].lower()
        # "Step 2:" and "Reason:" are labels.
        if not (_LABELS - _SPEAKERS).isdisjoint(name.split()):
            continue
        end = _end_of_rejection(text, turn.end()) if last_name not in ("", name) else 0
        if end:
            rejected, start = (last_begin, turn.start()), end
        last_name, last_begin = name, turn.start()
    return rejected, start


def _end_of_rejection(text: str, begin: int) -> int:
    """Return where the clauses that reject something end, "No, that is wrong."; 0 if none does."""
    end = 0
    clause = _FIRST_CLAUSE.match(text, begin)
    while clause is not None and _rejects(clause[1]):
        end = clause.end()
        clause = _FIRST_CLAUSE.match(text, end)
    return end


def _rejects(sentence: str) -> bool:
    """Whether a sentence rejects what was said before it: "No.", "That is wrong."."""
    words = without_emphasis(sentence)
    if _DISAGREES.match(words):
        return True
    return says_failure(words) and _FINDS_NOTHING.search(words) is None


def _turns_of(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return where the turns of the user and of other persons stand, and those of the robot."""
    turns = list(_TURN.finditer(text))
    # "Success: True" is a label; a person says sentences.
    counts = Counter(
        turn["name"]
        for turn in turns
        if turn["name"] and _SENTENCE.search(turn[0][:_MAX_SENTENCE]) is not None
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
