"""Reading goals as ``eai-eval`` 1.0.5 reads them in answers for BEHAVIOR."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from eai.abilities.goal_interpretation.reader import GoalReading, ReadGoal
from eai.diagnosis.judgement import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.semantics import Semantics

__all__ = ["ReadEntry", "official_goals"]

_BRACES = re.compile(r"\{[^{}]*\}")
_STRANGE = (TypeError, IndexError)
"""What a program meets that takes any JSON for an object of lists of lists of words."""


@dataclass(frozen=True, slots=True)
class ReadEntry(ReadGoal):
    """A goal as one entry of a list of the answer.

    Args:
        rest: What stands behind a negated goal. No annotated goal has such a rest, and nobody
            looks whether it is well formed.
    """

    rest: tuple[str, ...] = ()


def official_goals(text: str, semantics: Semantics) -> GoalReading:
    """Read the goals of an answer by the published evaluator's rules."""
    text = text.lower().replace("'", '"').replace("toggledon", "toggled_on")
    braces = _BRACES.search(text)
    if braces is None:
        return _unusable(ErrorKind.PARSING, "there is no pair of braces without braces in it")
    try:
        content = json.loads(braces[0])
    except (ValueError, RecursionError) as error:
        return _unusable(ErrorKind.PARSING, f"the first pair of braces is not JSON: {error}")
    try:
        return GoalReading(tuple(_goal(entry) for part in content.values() for entry in part))
    except _STRANGE:
        if "unusual_goals_crash" in semantics:
            message = "the JSON has another form: the published evaluator stops here"
            return _unusable(ErrorKind.UNSCORABLE, message)
        return _unusable(ErrorKind.PARSING, "the JSON is no object of lists of goals")


def _unusable(kind: ErrorKind, message: str) -> GoalReading:
    return GoalReading((), Finding(kind, message))


def _goal(entry: Any) -> ReadEntry:  # noqa: ANN401
    """Read one entry; a string is a goal of letters here, as any sequence is."""
    negated = entry[0] == "not"
    inner = entry[1] if negated else entry
    word, objects = inner[0], inner[1:]
    name = word if isinstance(inner, list) and isinstance(word, str) else ""
    arguments = [each if isinstance(each, str) else json.dumps(each) for each in objects]
    rest = map(json.dumps, entry[2:]) if negated else ()
    return ReadEntry("", name, tuple(arguments), negated, json.dumps(entry), rest=tuple(rest))
