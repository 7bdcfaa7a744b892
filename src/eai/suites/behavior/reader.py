"""Reading an answer as ``eai-eval`` 1.0.5 reads it.

The published evaluator takes what stands between the first ``[`` and the first ``]`` for a Python
expression and evaluates it. Here nothing is evaluated: a list of literals is read, which is what
answers have there; anything else is a parsing error.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from eai.answers import (
    AnswerProblem,
    BoundPlan,
    PlanReading,
    ReadStep,
    bind,
    clipped,
    no_action,
    no_object,
    read_answer as read_by_names,
    shorten,
)
from eai.diagnosis import ErrorKind, Finding
from eai.nesting import load_json, load_literal
from eai.semantics import Semantics
from eai.suites.behavior.executors import ExecutorRules
from eai.task import Vocabulary
from eai.text import counted
from eai.world import Action

_LONGEST_PYTHON = 200_000
"""So many characters are read as Python; what is JSON may be longer."""

_Written = tuple[object, object]
"""Action and object of a step, as the answer has them."""


def read_answer(answer: str, known: Vocabulary, semantics: Semantics) -> BoundPlan:
    """Read a plan out of an answer, as the semantics says."""
    bracket = "first_bracket" in semantics
    if bracket:
        # the dictionaries with an action and an object in the first list; others do not count
        start, end = answer.find("["), answer.find("]")
        found = _literal(answer[start : end + 1]) if 0 <= start < end else None
        items = found if isinstance(found, (list, tuple)) else ()
        steps = [
            (item["action"], item["object"])
            for item in items
            if isinstance(item, dict) and "action" in item and "object" in item
        ]
        read = tuple(ReadStep(str(name), tuple(_names(target))) for name, target in steps)
        reading = PlanReading(read, () if read else (AnswerProblem(_NOTHING),))
    else:
        reading = read_by_names(answer, known)
        steps = [(step.name, ",".join(step.arguments)) for step in reading.steps]
    if "exact_names" in semantics and (bracket or not reading.problems):
        return _exact(steps, known, semantics)
    return bind(reading, known)


def _literal(text: str) -> object:
    """The value of a list of literals; None if it is no such thing."""
    try:
        # Most answers are JSON, which is read faster; Python agrees unless one of these occurs.
        if not any(mark in text for mark in ("\\", "true", "false", "null", "NaN", "Infinity")):
            return load_json(text)
    except ValueError:
        pass
    if len(text) > _LONGEST_PYTHON:
        return None
    try:
        return load_literal(text)
    except ValueError:
        return None


_NOTHING = "there is no list of actions behind the first bracket"


def _names(target: object) -> list[str]:
    return [name.strip() for name in str(target).strip().split(",")]


def _exact(steps: Sequence[_Written], vocabulary: Vocabulary, semantics: Semantics) -> BoundPlan:
    """Look names up as they are written; stop at the first that is wrong."""
    if not steps:
        return BoundPlan((), (Finding(ErrorKind.PARSING, _NOTHING),))
    known = {name.upper() for name in vocabulary.actions}
    # Other rules than the published executors' have no use for names without executor.
    if rules := ExecutorRules.of(semantics):
        known |= {name.upper() for name in rules.without_executor}
    written = tuple(clipped(f"{name}({target})") for name, target in steps)
    wrong = chain(
        (_unknown(name, target, known, vocabulary) for name, target in steps),
        (_unfit(str(name), _names(target), vocabulary) for name, target in steps),
    )
    for place, found in enumerate(wrong):
        if found is not None:
            at = place % len(steps)
            finding = Finding(*found, step=at + 1, action=written[at])
            return BoundPlan((), (finding,), written=written)
    actions = (Action(str(name).lower(), tuple(_names(target))) for name, target in steps)
    return BoundPlan(tuple(actions))


_Wrong = tuple[ErrorKind, str] | None


def _unknown(name: object, target: object, known: set[str], vocabulary: Vocabulary) -> _Wrong:
    if not isinstance(name, str):
        # A dictionary cannot be looked up in a set; anything else is just not in it.
        kind = ErrorKind.UNSCORABLE if isinstance(name, dict) else ErrorKind.ACTION_HALLUCINATION
        return kind, f"{shorten(str(name))} is not the name of an action"
    if name not in known:
        return ErrorKind.ACTION_HALLUCINATION, no_action(name, known)
    if not isinstance(target, str):
        message = "objects must be given as text: the published evaluator stops here"
        return ErrorKind.UNSCORABLE, message
    unknown = next((each for each in _names(target) if each not in vocabulary.objects), None)
    if unknown is None:
        return None
    return ErrorKind.OBJECT_HALLUCINATION, no_object(unknown, vocabulary.objects)


def _unfit(name: str, objects: list[str], vocabulary: Vocabulary) -> _Wrong:
    arity = vocabulary.actions.get(name.lower(), 1)
    if len(objects) == arity:
        return None
    message = f"{name} takes {counted(arity, 'object')}, not {len(objects)}"
    return ErrorKind.ARGUMENT_NUMBER, message
