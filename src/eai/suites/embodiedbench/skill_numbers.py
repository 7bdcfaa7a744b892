"""Answers that give skills by their numbers, with or without their words.

``64: find a Ladle`` has the number of a skill, not of a step, and ``[64, 109]`` is a plan.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from eai.answers import Group, LineReading, StepGrammar, ValueReading
from eai.suites.embodiedbench.skills import Skill, skill_named

_NUMBERED_LINE = re.compile(
    r"""
    ^[ \t*\-\[({"'`]{0,20}
    (?:[a-z][a-z_ ]{0,20}\W{1,4})?                             # "id":  execute(  Action ID:
    (?P<number>-?\d{1,3})\W{1,6}
    (?:(?:skill|action|name)(?:[_ ](?:name|words))?["']?\s?:[ "']{0,3})?   # "skill":  Action:
    (?P<words>[a-z][^\n]{3,80}?)\W{0,20}$
    """,
    re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)
"""A number before the words of a skill, on the same line or on the one above."""
_BRACKETED_NUMBER = (
    r"[\[(](?:(?:action|skill)[ _]?)?(?:(?:id|number|no)\b\W{0,3})?(?P<number>-?\d{1,3})[\])]"
)
_NUMBER_IN_BRACKETS = re.compile(_BRACKETED_NUMBER, re.IGNORECASE)
_LONGEST_SKILL = 90
"""Maximum number of characters of the words of a skill before its number."""
_NUMBER_BEHIND = re.compile(
    r"(?<![^\W\d_])(?P<words>[a-z][a-z0-9_ ]{3,80}?)[\"'`*.]{0,3}"
    rf"(?P<brackets>[ \t]{{0,3}}{_BRACKETED_NUMBER})",
    re.IGNORECASE,
)
"""The words of a skill with its number in brackets behind them."""
_NUMBERS = r"(?P<numbers>\s*\d{1,3}(?:\s*,\s*\d{1,3})+\s*)"
_ONLY_NUMBERS = re.compile(rf"(?P<before>)\[{_NUMBERS}\](?P<behind>)")
_KEYED_NUMBERS = re.compile(
    rf"(?P<before>[\"']executable_plan[\"']\s*:\s*)\[{_NUMBERS}\](?P<behind>)"
)
_LABELLED_NUMBERS = re.compile(
    r"(?P<before>^[^\w\n]{0,20}(?:action|skill)[ _]?(?:ids?|numbers?)\W{0,2}:[ \t]{0,4})\[?"
    rf"{_NUMBERS}\]?(?P<behind>[ \t.]*$)",
    re.MULTILINE | re.IGNORECASE,
)
"""A plan that is the numbers of its skills: alone, under its key, or behind a label."""


class SkillNumberGrammar(StepGrammar):
    """Reads lines and values with numbers of skills, which are not taken for numbers of steps."""

    def read_line(
        self, text: str, offset: int, *, is_code: bool = False, is_step_expected: bool = False
    ) -> LineReading:
        """See :meth:`eai.answers.StepGrammar.line`."""
        reading = super().read_line(
            text, offset, is_code=is_code, is_step_expected=is_step_expected
        )
        reading.number = None
        for step in reading.steps:
            step.number = None
        return reading

    def read_plans(self, group: Group) -> list[ValueReading]:
        """See :meth:`eai.answers.StepGrammar.read_plans`."""
        readings = super().read_plans(group)
        for reading in readings:
            for step in reading.steps:
                step.number = None
        return readings


def with_words_of_numbers(text: str, all_skills: Sequence[Skill]) -> str:
    """Return an answer in which lists of bare skill numbers are replaced by skill names.

    Numbers that no skill has stay.

    Example:
        >>> from eai.suites.embodiedbench.skills import skills
        >>> with_words_of_numbers('{"executable_plan": [0, 1]}', skills("eb-alfred"))
        '{"executable_plan": ["find a Cart", "find a Potato"]}'
    """
    # The whole answer may be a list, perhaps in a fence. Other lists need a key or a label.
    without_fence = text.strip().removeprefix("```json").strip("`").strip()
    only_list = _ONLY_NUMBERS.fullmatch(without_fence)
    if only_list is not None:
        return _names_of_numbers(only_list, all_skills)
    for pattern in (_KEYED_NUMBERS, _LABELLED_NUMBERS):
        text = pattern.sub(lambda match: _names_of_numbers(match, all_skills), text)
    return text


def without_numbers_behind(text: str, environment: str) -> str:
    """Return an answer with blanks in place of skill numbers in brackets behind their skills.

    In "find a Faucet (id 2)" the number is not that of a second faucet. What is no number of the
    skill before it stays.

    Example:
        >>> without_numbers_behind("1. find a Cart (0)", "eb-alfred")
        '1. find a Cart    '
    """
    parts: list[str] = []
    end = 0
    for brackets in _NUMBER_IN_BRACKETS.finditer(text):
        start = max(end, brackets.start() - _LONGEST_SKILL)
        behind = _NUMBER_BEHIND.search(text, start, brackets.end())
        if behind is None:
            continue
        skill = skill_named(environment, behind["words"])
        if skill is None or skill.id != int(behind["number"]):
            continue
        parts += [text[end : behind.start("brackets")], " " * len(behind["brackets"])]
        end = brackets.end()
    return "".join([*parts, text[end:]])


def _names_of_numbers(match: re.Match[str], all_skills: Sequence[Skill]) -> str:
    """Return a list of skill numbers as a list of skill names."""
    names: list[str | int] = []
    for digits in match["numbers"].split(","):
        number = int(digits)
        is_known = number < len(all_skills)
        names.append(all_skills[number].words if is_known else number)
    return f"{match['before']}{json.dumps(names)}{match['behind']}"


def numbered_by_skill(environment: str, text: str) -> tuple[bool, list[str]]:
    """Return whether lines begin with skill numbers, and the lines with a wrong number.

    In a line "3: find a Mug" the number may be that of the skill or that of the step. It is taken
    for the skill's if at least half of the lines (and two) have the number of their skill, unless
    the numbers count 1, 2, 3 and so on.
    """
    numbers: list[int] = []
    contradicting: list[str] = []
    for line in _NUMBERED_LINE.finditer(text):
        skill = skill_named(environment, line["words"])
        if skill is None or skill.id < 0:
            continue
        number = int(line["number"])
        numbers.append(number)
        if number != skill.id:
            contradicting.append(line[0].strip())
    # Numbers of steps may agree with skills by chance, as long as they count from 1.
    counts_steps = numbers == list(range(1, len(numbers) + 1))
    n_agreeing = len(numbers) - len(contradicting)
    if counts_steps or n_agreeing < 2 or 2 * n_agreeing < len(numbers):
        return False, []
    return True, contradicting
