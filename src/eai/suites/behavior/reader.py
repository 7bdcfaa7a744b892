"""Reading an answer as ``eai-eval`` 1.0.5 reads it.

The published evaluator takes what stands between the first ``[`` and the first ``]`` for a Python
expression and evaluates it. Here nothing is evaluated: a list of literals is read, which is what
answers have there; anything else is a parsing error.
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Iterable, Sequence
from itertools import chain

from eai.answers import Binder, BoundPlan, PlanReading, ReadStep, read_plan
from eai.answers.names import LONGEST_NAME, likely_actions
from eai.answers.plan import AnswerProblem, shorten
from eai.diagnosis.result import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import nearest
from eai.semantics import Semantics
from eai.suites.behavior.executors import UNEXECUTABLE
from eai.task import Vocabulary
from eai.world.action import Action

__all__ = ["read_answer"]

_LONGEST_PYTHON = 200_000
"""So many characters are read as Python; what is JSON may be longer."""

_Written = tuple[object, object]
"""Action and object of a step, as the answer has them."""


def read_answer(answer: str, known: Vocabulary, semantics: Semantics) -> BoundPlan:
    """Read a plan out of an answer, as the semantics says.

    Args:
        answer: The answer.
        known: The names that it may use.
        semantics: Which quirks are on.
    """
    if "first_bracket" in semantics:
        steps = _first_list(answer)
        if "exact_names" in semantics:
            return _exact(steps, known, semantics)
        reading = _reading(steps)
    else:
        reading = read_plan(answer)
        if "exact_names" in semantics and not reading.problems:
            steps = [(step.name, ",".join(step.arguments)) for step in reading.steps]
            return _exact(steps, known, semantics)
    return Binder(known).bind(reading)


def _first_list(text: str) -> list[_Written]:
    """The dictionaries with an action and an object in the first list; others do not count."""
    start, end = text.find("["), text.find("]")
    found = _literal(text[start : end + 1]) if 0 <= start < end else None
    items = found if isinstance(found, (list, tuple)) else ()
    return [
        (item["action"], item["object"])
        for item in items
        if isinstance(item, dict) and "action" in item and "object" in item
    ]


def _literal(text: str) -> object:
    """The value of a list of literals; None if it is no such thing."""
    try:
        # Most answers are JSON, which is read faster; Python agrees unless one of these occurs.
        if not any(mark in text for mark in ("\\", "true", "false", "null", "NaN", "Infinity")):
            return json.loads(text)
    except (ValueError, RecursionError):
        pass
    if len(text) > _LONGEST_PYTHON:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _reading(steps: Iterable[_Written]) -> PlanReading:
    read = tuple(ReadStep(str(name), tuple(_names(target))) for name, target in steps)
    problems = () if read else (AnswerProblem(_NOTHING),)
    return PlanReading(read, problems)


_NOTHING = "there is no list of actions behind the first bracket"


def _names(target: object) -> list[str]:
    return [name.strip() for name in str(target).strip().split(",")]


def _exact(steps: Sequence[_Written], vocabulary: Vocabulary, semantics: Semantics) -> BoundPlan:
    """Look names up as they are written; stop at the first that is wrong."""
    if not steps:
        return BoundPlan((), (Finding(ErrorKind.PARSING, _NOTHING),))
    known = {name.upper() for name in vocabulary.actions}
    # Other rules than the published executors' have no use for names without executor.
    if {"no_executor", "executor_order"} <= semantics.quirks:
        known |= {name.upper() for name in UNEXECUTABLE}
    numbered = list(enumerate(steps, start=1))
    findings = chain(
        (_unknown(step, number, known, vocabulary) for number, step in numbered),
        (_unfit(step, number, vocabulary) for number, step in numbered),
    )
    first = next((finding for finding in findings if finding is not None), None)
    written = tuple(_written(step) for step in steps)
    if first is not None:
        return BoundPlan((), (first,), written=written)
    return BoundPlan(
        tuple(Action(str(name).lower(), tuple(_names(target))) for name, target in steps)
    )


def _unknown(
    step: _Written, number: int, known: set[str], vocabulary: Vocabulary
) -> Finding | None:
    name, target = step
    if not isinstance(name, str):
        # A dictionary cannot be looked up in a set; anything else is just not in it.
        kind = ErrorKind.UNSCORABLE if isinstance(name, dict) else ErrorKind.ACTION_HALLUCINATION
        return _finding(kind, f"{shorten(str(name))} is not the name of an action", step, number)
    if name not in known:
        near = likely_actions(name, known) if len(name) <= LONGEST_NAME else ()
        message = f"{shorten(name)} is not an action{_listed(near)}"
        return _finding(ErrorKind.ACTION_HALLUCINATION, message, step, number)
    if not isinstance(target, str):
        message = "objects must be given as text: the published evaluator stops here"
        return _finding(ErrorKind.UNSCORABLE, message, step, number)
    for each in _names(target):
        if each not in vocabulary.objects:
            hint = _hint(each, vocabulary.objects)
            message = f"{shorten(each)} is not an object of this task{hint}"
            return _finding(ErrorKind.OBJECT_HALLUCINATION, message, step, number)
    return None


def _unfit(step: _Written, number: int, vocabulary: Vocabulary) -> Finding | None:
    name, given = str(step[0]), len(_names(step[1]))
    arity = vocabulary.actions.get(name.lower(), 1)
    if given == arity:
        return None
    message = f"{name} takes {arity} object{'s' * (arity != 1)}, not {given}"
    return _finding(ErrorKind.ARGUMENT_NUMBER, message, step, number)


def _finding(kind: ErrorKind, message: str, step: _Written, number: int) -> Finding:
    return Finding(kind, message, step=number, action=_written(step))


def _written(step: _Written) -> str:
    text = f"{step[0]}({step[1]})"
    return text if len(text) <= LONGEST_NAME else text[:LONGEST_NAME] + "..."


def _hint(name: str, known: Iterable[str]) -> str:
    return _listed(nearest(name, known) if len(name) <= LONGEST_NAME else ())


def _listed(near: Sequence[str]) -> str:
    return f"; nearest: {', '.join(near)}" if near else ""
