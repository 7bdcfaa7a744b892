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
        semantics: Says whether JSON of another form is a parsing error, or stops the evaluator.
        goals: Yields the goals of the JSON value; it may raise whatever comes of another form.
        part: The part of the answer that the text is, for messages.
    """
    if len(text) > MOST_CHARACTERS:
        return GoalReading.unusable(f"more than {MOST_CHARACTERS:,} characters are not read")
    try:
        content = load_json(text)
    except ValueError as error:
        return GoalReading.unusable(f"{part} is not JSON: {error}")
    try:
        # As a tuple here: a generator would raise where nobody expects it.
        return GoalReading(tuple(goals(content)))
    except _STRANGE:
        if "unusual_goals_crash" in semantics:
            message = "the JSON has another form: the published evaluator stops here"
            return GoalReading.unusable(message, ErrorKind.UNSCORABLE)
        return GoalReading.unusable("the JSON is not an object of lists of goals")
