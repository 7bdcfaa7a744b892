"""Scenarios in the manner of Gherkin: Given, When, Then, each with steps or states.

What stands under Then is expected after the steps under When. Where it says all of these steps
once more, they are not to be done twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from eai.answers.cleaning import blank_out
from eai.answers.plan import WORDS
from eai.text import lazy_pattern

_BULLET = r"[ \t]*(?:(?:[-*+\u2022]|\d{1,3}[.)]|#{1,6})[ \t]+)?[*_`]{0,3}"
_KEYWORD = lazy_pattern(
    rf"{_BULLET}(?P<word>Given|When|Then|Scenario|Feature|Background)\b[*_`:,. \t]{{0,6}}",
    re.IGNORECASE,
)
_BEFORE_WORDS = lazy_pattern(rf"{_BULLET}(?:(?:And|But)\b)?[*_`:,. \t]{{0,6}}", re.IGNORECASE)
_STATE = lazy_pattern(r"\b(?:am|is|are|be|has|have|should|must)\b", re.IGNORECASE)
_WORD = lazy_pattern(r"[^\W\d_]+|\d+")
_ENDING = lazy_pattern(r"(?<=[^\W\d_]{2})(?:e[sd]|s|ing|e)$")
_LITTLE_WORDS = WORDS["leading"] | {"a", "an", "performs", "towards"}
"""Words beside the action and the objects of a step."""
_AROUND = " \t*_`.,;:"
_SCENARIO = lazy_pattern(
    r"^[ \t]*(?:[-*+] )?[*_]{0,2}(?:(?:Scenario|Feature)\b[^\n:]{0,20}:"
    r"|(?:Given|When)\b[^\n]*\n[ \t]*(?:(?:[-*+] )?[*_]{0,2}And\b[^\n]*\n[ \t]*)?"
    r"(?:[-*+] )?[*_]{0,2}(?:When|Then)\b)",
    re.MULTILINE,
)
"""A title of a scenario, or a line with Given or When above one with When or Then."""
_GHERKIN = lazy_pattern(
    r"^[ \t]*(?P<bullet>[-*+][ ])?(?P<frame>[*_]{0,2}"
    r"(?:(?:Scenario|Feature)\b[^\n:]{0,20}:[^\n]*|When\b[*_]{0,2}"
    r"|(?:Given|Then)\b[*_]{0,2}(?=[ ](?:I|we|(?:the )?(?:robot|agent))\b)"
    r"(?![^\n]*\b(?:am|is|are|be|has|have)\b)"
    # Behind a bullet, Then may begin a step as well as a state.
    r"|(?(bullet)Given\b[^\n]*|(?:Given|Then)\b[^\n]*)"
    r"|Then\b[^\n]*\b(?:am|is|are|be|has|have)\b[^\n]*))",
    re.MULTILINE | re.IGNORECASE,
)
"""The title of a scenario, the word before a step, and what holds before and behind the steps."""


class _Line(NamedTuple):
    """A line of a scenario.

    Args:
        keyword: The word that it begins with, in small letters; empty if it has none.
        words: What it says, without bullets, keywords and marks; empty for a keyword alone.
        start: Where it begins in the text.
        end: Where it ends.
    """

    keyword: str
    words: str
    start: int
    end: int


def without_scenario_frames(text: str) -> str:
    """Return a text of the same length without the words of scenarios around steps, and outcomes.

    ``When I open the door`` becomes the step ``I open the door``; states under Given and Then go.
    """
    if "\n" not in text:
        return text
    is_scenario = _SCENARIO.search(text) is not None
    text = _without_repeated_steps(text)
    if is_scenario:
        text = blank_out(text, [mark.span("frame") for mark in _GHERKIN.finditer(text)])
    return text


def _without_repeated_steps(text: str) -> str:
    """Return a text of the same length without each Then that repeats all steps of its When."""
    # Most answers are no scenarios, which two words tell.
    if "When" not in text or "Then" not in text:
        return text
    lines = list(_lines(text))
    repeated: list[tuple[int, int]] = []
    steps: list[str] = []
    section = ""
    for index, line in enumerate(lines):
        if line.keyword == "then":
            end = _end_of_repetition(steps, lines[index:])
            if end >= 0:
                repeated.append((line.start, end))
        # "When" in two lines one behind the other are the steps of one section.
        if line.keyword and not line.keyword == section == "when":
            section = line.keyword
            steps = []
        if section == "when" and line.words:
            steps.append(line.words)
    return blank_out(text, repeated)


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines of a text that are not empty."""
    start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line.rstrip())
        head = _KEYWORD.match(line)
        keyword = head["word"].lower() if head else ""
        # "And open the door" goes on with the section, so "And" is none of its words.
        head = head or _BEFORE_WORDS.match(line)
        words = line[head.end() if head else 0 :].strip().strip(_AROUND).lower()
        if keyword or words:
            yield _Line(keyword, words, start, end)
        start += len(line)


def _stems_of(words: str) -> list[str]:
    """Return what a line says: "the robot should walk to the hall" is WALK(hall).

    Words for who acts and endings of verbs are left out.
    """
    stems: list[str] = []
    for word in _WORD.findall(words):
        if word not in _LITTLE_WORDS:
            stem = _ENDING.sub("", word)
            stems.append(stem[:-1] if stem[-1:] == stem[-2:-1] else stem)
    return stems


def _end_of_repetition(steps: Sequence[str], outcome: Sequence[_Line]) -> int:
    """Return where an outcome has said all steps again; -1 if it says more than them and states.

    Args:
        steps: What is to be done, a line each.
        outcome: The lines from Then on.
    """
    repeated = 0
    for index, line in enumerate(outcome):
        if repeated == len(steps) or (index > 0 and line.keyword not in ("", "then")):
            break
        if _stems_of(line.words) == _stems_of(steps[repeated]):
            repeated += 1
            end = line.end
        # A state such as "the door is open" may stand between the steps; another step may not.
        elif line.words and not _STATE.search(line.words):
            return -1
    return end if steps and repeated == len(steps) else -1
