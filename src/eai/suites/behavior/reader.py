"""Reading an answer as ``eai-eval`` 1.0.5 reads it.

The published evaluator takes the text between the first ``[`` and the first ``]`` for a Python
expression and evaluates it. Here nothing is evaluated: a list of literals is read, which is all
that answers have there; anything else is a parsing error.
"""

from __future__ import annotations

from collections.abc import Sequence

from eai.answers import (
    AnswerProblem,
    BoundPlan,
    PlanReading,
    ReadStep,
    bind,
    clip_text,
    no_action,
    no_object,
    read_answer as read_by_names,
    shorten,
)
from eai.diagnosis import ErrorKind, Finding
from eai.nesting import load_json, load_literal
from eai.semantics import Semantics
from eai.suites.behavior.executors import SceneExecutorRules
from eai.task import Vocabulary
from eai.text import counted
from eai.world import Action

_LONGEST_PYTHON = 200_000
"""Maximum length in characters of a list that is read as Python; JSON may be longer."""

_Written = tuple[object, object]
"""Action and object of a step, as the answer has them."""


def read_answer(answer: str, vocabulary: Vocabulary, semantics: Semantics) -> BoundPlan:
    """Read a plan from an answer under the given semantics.

    Args:
        answer: The answer.
        vocabulary: The names that the plan may use.
        semantics: Decides in which part of the answer the plan is looked for (``first_bracket``),
            and whether names have to be spelled exactly (``exact_names``).
    """
    uses_exact_names = "exact_names" in semantics
    if "first_bracket" in semantics:
        written_steps = _steps_in_first_list(answer)
        if uses_exact_names:
            return _bind_exactly(written_steps, vocabulary, semantics)
        return bind(_as_reading(written_steps), vocabulary)
    reading = read_by_names(answer, vocabulary)
    if uses_exact_names and not reading.problems:
        # The published reader has all objects of a step in one text.
        written_steps = [(step.name, ",".join(step.arguments)) for step in reading.steps]
        return _bind_exactly(written_steps, vocabulary, semantics)
    return bind(reading, vocabulary)


def _as_reading(written_steps: Sequence[_Written]) -> PlanReading:
    """Return steps as the reading of an answer, with a problem if there are none."""
    steps = [ReadStep(str(name), tuple(_names(target))) for name, target in written_steps]
    problems = () if steps else (AnswerProblem(_NOTHING),)
    return PlanReading(tuple(steps), problems)


def _steps_in_first_list(answer: str) -> list[_Written]:
    """Return action and object of the dictionaries in the first list. Other items are ignored."""
    # A bracket inside of a text ends the list too early, as in the published reader.
    start, end = answer.find("["), answer.find("]")
    if not 0 <= start < end:
        return []
    items = _literal(answer[start : end + 1])
    if not isinstance(items, (list, tuple)):
        return []
    return [
        (item["action"], item["object"])
        for item in items
        if isinstance(item, dict) and "action" in item and "object" in item
    ]


def _literal(text: str) -> object:
    """Return the Python literal in a text, or None if it is not one."""
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
    """Return the objects of a step, which are one text: ``"cup_1, sink_2"``."""
    return [name.strip() for name in str(target).strip().split(",")]


def _bind_exactly(
    steps: Sequence[_Written], vocabulary: Vocabulary, semantics: Semantics
) -> BoundPlan:
    """Return the plan of steps whose names are looked up exactly as they are written.

    If a name is unknown or an action has a wrong number of objects, the plan has no actions and one
    finding. The published evaluator looks up the names of all steps before it counts any arguments.

    Args:
        steps: Action and objects of each step, as the answer has them.
        vocabulary: The names that the plan may use.
        semantics: Decides which actions have an executor.
    """
    if not steps:
        return BoundPlan((), (Finding(ErrorKind.PARSING, _NOTHING),))
    known_actions = _known_actions(vocabulary, semantics)
    for step_index, (name, target) in enumerate(steps):
        mistake = _find_unknown_name(name, target, known_actions, vocabulary)
        if mistake is not None:
            return _rejected_plan(steps, step_index, mistake)
    actions: list[Action] = []
    for step_index, (name, target) in enumerate(steps):
        objects = _names(target)
        # All names are known by now, so that each is a text.
        mistake = _wrong_arity(str(name), objects, vocabulary)
        if mistake is not None:
            return _rejected_plan(steps, step_index, mistake)
        actions.append(Action(str(name).lower(), tuple(objects)))
    return BoundPlan(tuple(actions))


def _known_actions(vocabulary: Vocabulary, semantics: Semantics) -> set[str]:
    """Return the names of actions in capitals, with those that only published executors know."""
    names = {name.upper() for name in vocabulary.actions}
    rules = SceneExecutorRules.of(semantics)
    if rules:
        names |= {name.upper() for name in rules.without_executor}
    return names


def _rejected_plan(steps: Sequence[_Written], step_index: int, mistake: _Mistake) -> BoundPlan:
    """Return a plan without actions, with a finding about the step that has a mistake."""
    written = tuple(clip_text(f"{name}({target})") for name, target in steps)
    kind, message = mistake
    finding = Finding(kind, message, step=step_index + 1, action=written[step_index])
    return BoundPlan((), (finding,), written=written)


_Mistake = tuple[ErrorKind, str]
"""Kind of an error in a step, and its message."""


def _find_unknown_name(
    name: object, target: object, actions: set[str], vocabulary: Vocabulary
) -> _Mistake | None:
    """Return the first unknown name in a step as a kind of error and a message, or None.

    Args:
        name: The action of the step, as it was read out of the answer.
        target: Its objects, likewise; in a correct answer both are texts.
        actions: The known names of actions, in capitals.
        vocabulary: Has the known names of objects.
    """
    if not isinstance(name, str):
        kind = ErrorKind.ACTION_HALLUCINATION
        if isinstance(name, dict):
            # A dictionary cannot be hashed, so looking it up stops the published evaluator.
            kind = ErrorKind.UNSCORABLE
        return kind, f"{shorten(str(name))} is not the name of an action"
    if name not in actions:
        return ErrorKind.ACTION_HALLUCINATION, no_action(name, actions)
    if not isinstance(target, str):
        message = "objects must be given as text: the published evaluator stops here"
        return ErrorKind.UNSCORABLE, message
    for object_name in _names(target):
        if object_name not in vocabulary.objects:
            message = no_object(object_name, vocabulary.objects)
            return ErrorKind.OBJECT_HALLUCINATION, message
    return None


def _wrong_arity(name: str, objects: list[str], vocabulary: Vocabulary) -> _Mistake | None:
    """Return an error if a step has a number of objects that its action does not take, or None."""
    arity = vocabulary.actions.get(name.lower(), 1)
    if len(objects) == arity:
        return None
    message = f"{name} takes {counted(arity, 'object')}, not {len(objects)}"
    return ErrorKind.ARGUMENT_NUMBER, message
