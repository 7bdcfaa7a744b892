"""What was read out of an answer, before its names are looked up."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AnswerProblem", "PlanReading", "ReadStep", "shorten"]


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
    """

    message: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class PlanReading:
    """A plan as it was read out of an answer.

    Args:
        steps: The steps, in order. If there are problems, the steps that could be read.
        problems: What could not be read; empty if the answer is a plan.
        notes: What was repaired or ignored on the way, one phrase each.
    """

    steps: tuple[ReadStep, ...] = ()
    problems: tuple[AnswerProblem, ...] = ()
    notes: tuple[str, ...] = ()
