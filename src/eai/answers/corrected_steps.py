"""Steps of a line that take the place of another one: ``GRAB(cup) -> GRAB(mug) (corrected)``."""

from __future__ import annotations

import re
from collections.abc import Callable

from eai.answers.items import LineReading, Step
from eai.answers.line_begin import BULLET
from eai.text import lazy_pattern

_MENDED = (
    r"(?:(?:now |was |is |has been |to be )?(?:adjusted|amended|changed|corrected|edited|fixed"
    r"|mended|modified|rectified|replaced|revised|rewritten|substituted|updated)"
    r"|correction|erratum|was (?:wrong|incorrect|an? (?:error|mistake|slip|typo))"
    r"|korrigiert|corrig\u00e9e?|corregid[oa]|corrigid[oa]|corrett[oa]"
    r"|\u0438\u0441\u043f\u0440\u0430\u0432\u043b\u0435\u043d\u043e"
    r"|\u5df2?(?:\u66f4\u6b63|\u4fee\u6b63|\u6539\u6b63|\u8a02\u6b63))"
)
"""Words for a step that took the place of another one."""
_MENDED_BEHIND = lazy_pattern(
    r"[(\[{\uff08\u2013\u2014#\u2705\u2714\u2713/,;:-]\s?[*_]{0,2}"
    r"(?:(?:after|an?|been|has|have|i|is|it|my|now|self|the|this|was)[ -]){0,5}"
    rf"(?:{_MENDED}|adjustment|modification|replacement|revision|substitution|typo)"
    # "(changed state)" says something else.
    r"(?=[\s)\]}\uff09.!*_`]*$|[,;:.!]|\s?[(\u2013\u2014-]"
    r"| (?:applied|as|because|by me|due|from|here|in|it|since|step|this)\b)[^\n]{0,80}$",
    re.IGNORECASE,
)
"""A mark behind a step by which it took the place of another one: ``(corrected)``."""
_BETTER_BEHIND = lazy_pattern(
    r"[(\[\uff08](?:the )?(?:better|correct|new|proper|right)(?: one| step)?[)\]\uff09]\W*$",
    re.IGNORECASE,
)
"""A mark behind the second of two steps that leaves open whether it replaces the first one."""
_MAY_MEND = lazy_pattern(
    r"adjust|amend|chang|corr[ei]|edit|errat|error|false|fix|invalid|korrig|mend|mistake|modif|\bold\b"
    r"|rectif|replac|revis|rewrit|substit|typo|updat|wrong|~~|[^\x00-\x7f]|\b(?:new|better|right)\b",
    re.IGNORECASE,
)
_WRONG = r"(?:wrong|incorrect|mistaken?|error|old|invalid|false)"
_WRONG_BEFORE = lazy_pattern(
    rf"(?:\b{_WRONG}\b|~~|[\u274c\u2717\u2718])[^\w\n]{{0,8}}$", re.IGNORECASE
)
"""Words before an arrow that take back the step before it: ``(wrong) ->``."""
_MENDED_BEFORE = lazy_pattern(
    rf"\b(?:{_MENDED}|fix|edit)\b(?: (?:to|into|by|with)| (?:step|action|item) #?\d{{1,4}})?\W*$",
    re.IGNORECASE,
)
"""The same before a step: ``Step 2 (corrected):``."""
_ARROW = r"(?:(?<=[\s)`*~\"'])(?:-{1,3}|={1,2}|>)>|[\u21e8\u2192\u21d2\u2794\u279c\u27a1\u27f6])"
_INTO = lazy_pattern(_ARROW)
"""An arrow between two steps."""
_CORRECTED_TO = lazy_pattern(
    rf"(?:\b{_WRONG}\b[^\w\n]{{0,8}}?{_ARROW}|\b{_MENDED} (?:to|into|by|with)\b)[^\w\n]{{0,4}}",
    re.IGNORECASE,
)
"""Words between a step and the one that took its place."""


def drop_replaced_step(
    text: str, offset: int, reading: LineReading, read_steps: Callable[[str, int], list[Step]]
) -> None:
    """Drop the first of two steps of a line if the second one took its place.

    An example is ``Step 2: GRAB(cup) -> GRAB(mug) (corrected)``. A line that may as well be a chain
    of steps is left unread. The only step of a line that is marked so is a correction itself.

    Args:
        text: The line.
        offset: Its offset in the answer.
        reading: The line with its steps, which are changed.
        read_steps: Reads the steps of a text at an offset.
    """
    if not may_be_corrected(text) or not reading.steps:
        return
    named = _named_steps(text, offset, reading, read_steps)
    starts = [step.at - offset for step in named]
    arrows = [arrow.start() for arrow in _INTO.finditer(text)]
    is_replaced = _is_said_replaced(text, starts, arrows)
    is_marked = is_marked_corrected(text, starts[0]) or is_marked_corrected(text, starts[-1])
    has_arrow = _is_between(arrows, starts)
    if has_arrow and not is_replaced and _BETTER_BEHIND.search(text, starts[-1]):
        reading.unread = text.strip()
    if not (is_replaced or is_marked):
        return
    is_item = reading.number is not None or BULLET.match(text) is not None
    if is_item and has_arrow:
        is_replaced = True
    if len(named) <= 2 and (is_replaced or not (arrows or named[1:])):
        named[-1].is_correction = True
        for step in named[:-1]:
            reading.notes.append(f"replaced as the answer says: {step.as_read()}")
            reading.replaced_at = step.at
        reading.steps[:], reading.steps_beside = named[-1:], []
    elif is_replaced or (arrows and (is_item or len(arrows) == 1)):
        reading.unread = text.strip()


def _named_steps(
    text: str, offset: int, reading: LineReading, read_steps: Callable[[str, int], list[Step]]
) -> list[Step]:
    """Return the steps of a line and those beside them; if it is one, those behind "corrected to".

    For the arguments see :func:`drop_replaced_step`.
    """
    named = sorted([*reading.steps, *reading.steps_beside], key=lambda step: step.at)
    start = correction_start = named[0].at - offset
    for correction in _CORRECTED_TO.finditer(text, start):
        correction_start = correction.end()
    if len(named) > 1 or correction_start == start:
        return named
    return [*named, *read_steps(text[correction_start:], offset + correction_start)]


def _is_said_replaced(text: str, starts: list[int], arrows: list[int]) -> bool:
    """Whether words between the first two steps of a line say that the second one replaces it."""
    if len(starts) < 2:
        return False
    is_wrong = len(arrows) == 1 and _WRONG_BEFORE.search(text, 0, arrows[0]) is not None
    return is_wrong or _MENDED_BEFORE.search(text, starts[0], starts[1]) is not None


def _is_between(arrows: list[int], starts: list[int]) -> bool:
    """Whether the only arrow of a line stands before its last step, and behind the other one."""
    if len(arrows) != 1 or len(starts) > 2 or starts[-1] < arrows[0]:
        return False
    return len(starts) == 1 or starts[0] < arrows[0]


def may_be_corrected(line: str) -> bool:
    """Whether a line has words for a correction, which is quickly seen."""
    return _MAY_MEND.search(line) is not None


def may_replace_another(line: str, starts: list[int]) -> bool:
    """Whether the last step of a line may be a correction, of the step before it or elsewhere.

    Args:
        line: The line.
        starts: Where its steps begin.
    """
    if not may_be_corrected(line):
        return False
    is_better = len(starts) > 1 and _BETTER_BEHIND.search(line, starts[-1]) is not None
    return is_better or is_marked_corrected(line, starts[-1])


def is_marked_corrected(line: str, step_start: int) -> bool:
    """Whether a line marks its step as one that took the place of another one.

    Args:
        line: The line.
        step_start: Where the step begins.
    """
    return (
        _MENDED_BEFORE.search(line, 0, step_start) is not None
        or _MENDED_BEHIND.search(line, step_start) is not None
    )
