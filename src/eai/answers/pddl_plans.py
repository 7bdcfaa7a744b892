"""Plans for PDDL tasks out of answers, in the notation of PDDL or in words.

In the notation of PDDL every bracket is a step. Of an answer the three stages read whatever a
model writes, steps in words by the phrases of the task (:mod:`eai.answers.phrases`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from eai.answers.answer_plans import read_with
from eai.answers.phrases import Names
from eai.answers.plan import AnswerProblem, PlanReading, ReadStep
from eai.answers.surfaces import ActionForm, Surfaces, squeezed

_BRACKET = re.compile(r"\(([^()]*)\)")
_TIME = re.compile(r"(-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*:\s*$", re.IGNORECASE)
_BLANK_LINES = re.compile(r"(?:[ \t]*\n)*")
MAX_COMMON_STEPS = 1_000
"""Maximum number of steps of a plan that is read without the three stages."""
_NEAR = 60
"""Maximum number of characters between a time and its step."""
_ONLY_COMMENTS = re.compile(r"(?:[ \t]*(?:;[^\n]*)?(?:\n|$))+")
_EMPTY_PLAN = re.compile(r"\s*(?:\(\s*\)|\[PLAN\]\s*\[PLAN END\])\s*", re.IGNORECASE)
_STATEMENT = re.compile(r"\[\s*STATEMENT\s*\]", re.IGNORECASE)
NO_STEPS = "there is no plan in the answer; one action a line, (action object ...), is expected"
"""The problem of an answer in which no plan is found."""


def surfaces_of_names(names: Names) -> Surfaces:
    """Return the written forms of the actions and objects of a PDDL task."""
    actions: list[tuple[str, ActionForm]] = []
    for name, operator in names.domain.operators.items():
        actions.append((name, ActionForm(name, len(operator.parameters))))
    objects = [*((name, name) for name in names.objects), *names.object_forms()]
    surfaces = Surfaces(actions, objects, names)
    surfaces.predicates = frozenset(map(squeezed, names.domain.predicates))
    return surfaces


def read_steps(
    text: str, names: Names, surfaces: Surfaces | None = None, *, notation: bool = False
) -> PlanReading:
    """Return the plan in an answer to a PDDL task, or in the text of a plan file.

    Args:
        text: The text of a plan file, or what a model wrote.
        names: The names of the task.
        surfaces: Their written forms, if they are known already.
        notation: Whether every bracket is a step, and nothing else is one.

    Returns:
        The steps in the order in which they are meant, with the names of actions and objects as
        the task has them; a name that it does not have stays as it is written.
    """
    if notation:
        return _read_notation(text, names)
    if not names.phrases.actions:
        common = _steps_of_lines(text, names)
        if common is not None:
            return common
    if (";" in text and _ONLY_COMMENTS.fullmatch(text)) or _EMPTY_PLAN.fullmatch(text):
        return PlanReading((), (), ("the plan has no steps",))
    next_statement = _STATEMENT.search(text)
    if next_statement is not None:
        text = text[: next_statement.start()]  # the model goes on with another task
    in_words = names.read_step if names.phrases.actions else None
    reading = read_with(text, surfaces or surfaces_of_names(names), in_words)
    steps = tuple(
        replace(
            step,
            name=names.find_action(step.name) or step.name,
            arguments=tuple(map(names.find_object, step.arguments)),
        )
        for step in reading.steps
    )
    notes = reading.notes
    if next_statement is not None:
        notes = (*notes, "the text after [STATEMENT] was left out")
    return replace(reading, steps=steps, notes=notes)


def _steps_of_lines(text: str, names: Names) -> PlanReading | None:
    """Return the plan that planners write, a step of the task on each line; None of other texts.

    The three stages read the same out of it (``tests/property/test_pddl_plan_lines.py``), but load
    and weigh much that such a text does not have.
    """
    begin = _BLANK_LINES.match(text).end()  # type: ignore[union-attr]  # it matches any text
    steps: list[ReadStep] = []
    for line in text.rstrip(" \t\r\n")[begin:].split("\n"):
        step = names.step_of_line(line)
        if step is None:
            return None
        steps.append(ReadStep(step[0], step[1], begin + len("(")))
        begin += len(line) + 1
    return PlanReading(tuple(steps)) if len(steps) <= MAX_COMMON_STEPS else None


def _read_notation(text: str, names: Names) -> PlanReading:
    """Return the steps in brackets, in the order of the times before them; all else is ignored."""
    steps: list[ReadStep] = []
    times: list[float] = []
    last_end = 0
    for bracket in _BRACKET.finditer(text):
        words = bracket[1].replace(",", " ").split()
        if words:
            name = names.find_action(words[0]) or words[0].lower()
            steps.append(ReadStep(name, tuple(map(names.find_object, words[1:])), bracket.start()))
            time = _TIME.search(text, max(last_end, bracket.start() - _NEAR), bracket.start())
            times += [float(time[1])] if time else []
        last_end = bracket.end()
    if not steps and text.strip():
        return PlanReading((), (AnswerProblem(NO_STEPS),), status="none")
    if len(times) == len(steps):
        steps = [
            step for _, step in sorted(zip(times, steps, strict=True), key=lambda pair: pair[0])
        ]
    return PlanReading(tuple(steps))
