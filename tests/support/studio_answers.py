"""Answers to the task of switching on a light in the studio of the suite ``household``."""

from __future__ import annotations

import eai
from eai.answers import bind, read_answer

NAMES = eai.suite("household").task("studio-01").readable
PLAN = ["walk(light.34)", "switchon(light.34)"]


def actions(answer: str) -> list[str]:
    """Return the actions of an answer in which nothing is left unread."""
    reading = read_answer(answer, NAMES)
    assert not reading.problems
    return [str(action) for action in bind(reading, NAMES).actions]
