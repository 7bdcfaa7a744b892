"""Reading goals as ``eai-eval`` 1.0.5 reads them: from JSON of one form."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from eai.abilities.answers.plan import shorten
from eai.abilities.goal_interpretation.reader import GoalReading, ReadGoal
from eai.diagnosis.judgement import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.semantics import Semantics

__all__ = ["official_goals"]

_SECTIONS = {
    "node goals": ("state", "state", ("name",)),
    "edge goals": ("relation", "relation", ("from_name", "to_name")),
    "action goals": ("action", "action", ()),
}
_STRANGE = (TypeError, AttributeError, KeyError, RecursionError)
"""What a program meets that takes any JSON for an object of lists of objects."""


def official_goals(text: str, known: Mapping[str, object], semantics: Semantics) -> GoalReading:
    """Read the goals of an answer by the published evaluator's rules.

    Equal entries are one; entries that differ in any key are two.

    Args:
        text: The answer.
        known: Names of objects, as keys.
        semantics: Which quirks are on.
    """
    try:
        content = json.loads(_cleaned(text))
    except (ValueError, RecursionError) as error:
        return _unusable(ErrorKind.PARSING, f"the answer is not JSON: {error}")
    try:
        return GoalReading(tuple(_goals(content, known)))
    except _STRANGE:
        if "unusual_goals_crash" in semantics:
            message = "the JSON has another form: the published evaluator stops here"
            return _unusable(ErrorKind.UNSCORABLE, message)
        return _unusable(ErrorKind.PARSING, "the JSON is no object of lists of goals")


def _unusable(kind: ErrorKind, message: str) -> GoalReading:
    return GoalReading((), Finding(kind, message))


def _cleaned(text: str) -> str:
    text = text.replace("<|eot_id|>", "")
    if text.startswith("```json"):
        text = text.removeprefix("```json").strip("`")
    return text.strip().replace("\n", "").replace("'", '"')


def _goals(content: Any, known: Mapping[str, object]) -> Iterator[ReadGoal]:  # noqa: ANN401
    for section, (kind, key, ends) in _SECTIONS.items():
        for entry in _distinct(content.get(section, [])):
            if len(entry) == 0:
                continue
            if any(wanted not in entry for wanted in (key, *ends)):
                yield ReadGoal(kind, "", text=shorten(json.dumps(entry)))
            else:
                objects = [entry[end] for end in ends]
                all(name in known for name in objects)  # here it may stop, up to the first unknown
                yield _goal(kind, entry[key], objects)


def _distinct(entries: Iterable[Any]) -> Iterable[Any]:
    return {_comparable(entry): entry for entry in entries}.values()


def _comparable(value: Any) -> Hashable:  # noqa: ANN401
    """What is equal for equal values, in Python's sense: true is 1."""
    if isinstance(value, dict):
        return frozenset((key, _comparable(each)) for key, each in value.items())
    return tuple(map(_comparable, value)) if isinstance(value, list) else value


def _goal(kind: str, name: Any, objects: list[Any]) -> ReadGoal:  # noqa: ANN401
    if kind == "action":
        return ReadGoal(kind, name.upper())
    word = name if isinstance(name, str) else json.dumps(name)
    return ReadGoal(kind, word, tuple(map(str, objects)))
