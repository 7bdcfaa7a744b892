"""Goals as the evaluators of both official suites read them (``eai-eval`` 1.0.5): as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from eai.abilities import GoalReading, ReadGoal
from eai.diagnosis import ErrorKind
from eai.nesting import load_json
from eai.semantics import Semantics

MOST_CHARACTERS = 100_000
"""Maximum length of JSON: where a text stands in place of a list, each letter is a goal."""

_STRANGE = (TypeError, AttributeError, KeyError, IndexError)
"""Exceptions of a program that takes any JSON for lists of goals under keys."""


def read_json_goals(
    text: str, semantics: Semantics, goals: Callable[[Any], Iterable[ReadGoal]], *, part: str
) -> GoalReading:
    """Return the goals in a JSON text.

    Args:
        text: The JSON.
        semantics: Decides whether JSON of another form is a parsing error or a crash.
        goals: Yields the goals of the JSON value. It may raise the errors that JSON of another form
            causes.
        part: Name of the part of the answer from which the text comes, for messages.
    """
    if len(text) > MOST_CHARACTERS:
        return GoalReading.unusable(f"more than {MOST_CHARACTERS:,} characters are not read")
    try:
        content = load_json(text)
    except ValueError as error:
        return GoalReading.unusable(f"{part} is not JSON: {error}")
    try:
        # The generator is consumed here, so that its errors are raised within this statement.
        return GoalReading(tuple(goals(content)))
    except _STRANGE:
        if "unusual_goals_crash" in semantics:
            message = "the JSON has another form: the published evaluator stops here"
            return GoalReading.unusable(message, ErrorKind.UNSCORABLE)
        return GoalReading.unusable("the JSON is not an object of lists of goals")
