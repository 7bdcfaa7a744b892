"""Plans for PDDL tasks out of answers: by the names of the task and by what they are called.

In the notation of PDDL every bracket is a step. Of an answer the three stages read whatever a
model writes, steps in words by the phrases of the task (:mod:`eai.answers.phrases`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from eai.answers.common import MAX_SIZE, MAX_STEPS
from eai.answers.phrases import BareStep, Names
from eai.answers.plan import AnswerProblem, PlanReading, ReadStep
from eai.answers.reading import read_with
from eai.answers.surfaces import ActionForm, Surfaces, squeezed

_BARE = re.compile(r"\(([A-Za-z][\w-]*(?: [A-Za-z][\w-]*)*)\)", re.ASCII)
_MAX_KNOWN = 10_000
"""Maximum number of lines that are remembered with their steps."""
_BRACKET = re.compile(r"\(([^()]*)\)")
_TIME = re.compile(r"(-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*:\s*$", re.IGNORECASE)
_NEAR = 60
"""Maximum number of characters between a time and its step."""
_ONLY_COMMENTS = re.compile(r"(?:[ \t]*(?:;[^\n]*)?(?:\n|$))+")
_EMPTY_PLAN = re.compile(r"\s*(?:\(\s*\)|\[PLAN\]\s*\[PLAN END\])\s*", re.IGNORECASE)
_STATEMENT = re.compile(r"\[\s*STATEMENT\s*\]", re.IGNORECASE)
NO_STEPS = "there is no plan in the answer; one action a line, (action object ...), is expected"
"""The problem of an answer in which no plan is found."""


def surfaces_of_names(names: Names) -> Surfaces:
    """Return the written forms of the actions and objects of a PDDL task."""
    arities = {name: len(each.parameters) for name, each in names.domain.operators.items()}
    actions = [(name, ActionForm(name, count)) for name, count in arities.items()]
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
        return _in_notation(text, names)
    bare = _bare_steps(text, names)
    if bare is not None:
        return PlanReading(bare)
    if (";" in text and _ONLY_COMMENTS.fullmatch(text)) or _EMPTY_PLAN.fullmatch(text):
        return PlanReading((), (), ("the plan has no steps",))
    ended = _STATEMENT.search(text)
    if ended is not None:
        text = text[: ended.start()]  # the model goes on with another task
    in_words = names.read if names.phrases.actions else None
    reading = read_with(text, surfaces or surfaces_of_names(names), in_words)
    steps = tuple(
        replace(
            step,
            name=names.action(step.name) or step.name,
            arguments=tuple(map(names.object, step.arguments)),
        )
        for step in reading.steps
    )
    notes = reading.notes
    if ended is not None:
        notes = (*notes, "the text after [STATEMENT] was left out")
    return replace(reading, steps=steps, notes=notes)


def _bare_steps(text: str, names: Names) -> tuple[ReadStep, ...] | None:
    """Return the steps of a text of nothing but bare steps, one a line; None for any other text.

    Plans come in this shape more often than in all others, and rewards read millions of them. The
    three stages read the same out of it (``tests/property/test_bare_plans.py``).
    """
    if len(text) > MAX_SIZE:
        return None
    known = names.bare_steps
    steps: list[ReadStep] = []
    first = len(text) - len(text.lstrip())
    position = text.rfind("\n", 0, first) + 1
    for line in text[position:].rstrip().split("\n"):
        bare = line.rstrip()
        if bare not in known:
            if len(known) >= _MAX_KNOWN:
                known.clear()
            known[bare] = _bare_step(bare, names)
        step = known[bare]
        if step is None:
            return None
        name, arguments = step
        steps.append(ReadStep(name, arguments, position + 1))
        position += len(line) + 1
    return tuple(steps) if len(steps) <= MAX_STEPS else None


def _bare_step(line: str, names: Names) -> BareStep | None:
    """Return the step that a line writes with the task's own names; None if it is not one."""
    found = _BARE.fullmatch(line)
    if found is None:
        return None
    name, *arguments = found[1].lower().split()
    operator = names.domain.operators.get(name)
    if operator is None or len(arguments) != len(operator.parameters):
        return None
    if name in names.objects:
        return None  # (a) may name an object
    if not all(argument in names.objects for argument in arguments):
        return None
    return name, tuple(arguments)


def _in_notation(text: str, names: Names) -> PlanReading:
    """Read what stands in brackets, and nothing else, in the order of times before them."""
    steps: list[ReadStep] = []
    times: list[float] = []
    before = 0
    for found in _BRACKET.finditer(text):
        words = found[1].replace(",", " ").split()
        if words:
            name = names.action(words[0]) or words[0].lower()
            steps.append(ReadStep(name, tuple(map(names.object, words[1:])), found.start()))
            time = _TIME.search(text, max(before, found.start() - _NEAR), found.start())
            times += [float(time[1])] if time else []
        before = found.end()
    if not steps and text.strip():
        return PlanReading((), (AnswerProblem(NO_STEPS),), status="none")
    if len(times) == len(steps):
        steps = [
            step for _, step in sorted(zip(times, steps, strict=True), key=lambda pair: pair[0])
        ]
    return PlanReading(tuple(steps))
