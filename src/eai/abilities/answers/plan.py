"""What was read out of an answer, before and after its names are looked up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from eai.diagnosis.judgement import Finding
from eai.world.action import Action

__all__ = [
    "EMPTY",
    "NO_PLAN",
    "AnswerProblem",
    "Beside",
    "BoundPlan",
    "PlanReading",
    "ReadStep",
    "no_step",
    "shorten",
    "unread",
]

NO_PLAN = "there is no plan in the answer; a JSON list of steps is expected"
"""What is said of an answer that is none."""
EMPTY = "the answer is empty"
"""What is said of an answer without a word."""


def shorten(text: str, *, most: int = 60) -> str:
    """Quote a piece of an answer for a message.

    Args:
        text: Anything that a model wrote.
        most: How many of its characters are shown at most.

    Returns:
        The text in quotes, control characters escaped, its end cut off if it is long.
    """
    return repr(text) if len(text) <= most else repr(text[:most])[:-1] + "...'"


@dataclass(frozen=True, slots=True)
class ReadStep:
    """One step of a plan, as the model wrote it.

    Args:
        name: The action's name.
        arguments: What the action is applied to, flat: names, ids, or names with ids.
        position: 0-based offset of the step in the answer.
    """

    name: str
    arguments: tuple[str, ...] = ()
    position: int = 0

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True, slots=True)
class AnswerProblem:
    """One reason why an answer, or a part of it, is not a plan.

    Args:
        message: One sentence that says what is wrong.
        position: 0-based offset of the place in the answer.
        written: What stands there instead of a step, if that is known.
    """

    message: str
    position: int = 0
    written: str = field(default="", compare=False)


def no_step(text: str, position: int) -> AnswerProblem:
    """The problem that something stands where a step is expected, and is none."""
    return AnswerProblem(f"{shorten(text)} is not a step", position, text)


@dataclass(frozen=True, slots=True)
class Beside:
    """What may be a step beside a plan, and was not read.

    Args:
        step: The step that it would be.
        sure: Whether it is one whatever the actions of the task are.
        plain: Whether its objects are one text, which may as well explain something.
        explaining: Whether it stands under a key of explanations, where steps may be told again.
    """

    step: ReadStep
    sure: bool = False
    plain: bool = False
    explaining: bool = False


def unread(written: str, position: int) -> AnswerProblem:
    """The problem that a step stands beside the plan."""
    return AnswerProblem(f"{shorten(written)} is a step beside the plan", position, written)


@dataclass(frozen=True, slots=True)
class PlanReading:
    """A plan as it was read out of an answer.

    Args:
        steps: The steps, in order. If there are problems, the steps that could be read.
        problems: What could not be read; empty if the answer is a plan.
        notes: What was repaired or ignored on the way, one phrase each.
        beside: What was ignored, but is a step if its name is that of an action of the task.
    """

    steps: tuple[ReadStep, ...] = ()
    problems: tuple[AnswerProblem, ...] = ()
    notes: tuple[str, ...] = ()
    beside: tuple[Beside, ...] = ()

    def shifted(self, offset: int) -> PlanReading:
        """The same reading in a text that begins so many characters earlier."""
        return self._with_places(lambda position: position + offset)

    def placed(self, position: int) -> PlanReading:
        """The same reading with everything in it at one place."""
        return self._with_places(lambda _: position)

    def _with_places(self, place: Callable[[int], int]) -> PlanReading:
        def moved(step: ReadStep) -> ReadStep:
            return replace(step, position=place(step.position))

        return PlanReading(
            tuple(map(moved, self.steps)),
            tuple(replace(each, position=place(each.position)) for each in self.problems),
            self.notes,
            tuple(replace(each, step=moved(each.step)) for each in self.beside),
        )


@dataclass(frozen=True, slots=True)
class BoundPlan:
    """A plan whose names were looked up.

    Args:
        actions: The steps, ready to be executed. If there are findings, only the steps about
            which there is none.
        findings: Everything that is wrong: ``PARSING``, ``ACTION_HALLUCINATION``,
            ``OBJECT_HALLUCINATION``, ``ARGUMENT_NUMBER``; by step, 1-based.
        notes: How the answer was read and how names were understood.
        written: If there are findings, all steps as the answer writes them.
    """

    actions: tuple[Action, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
