"""Which of the things beside a plan are steps by the names of the task."""

from __future__ import annotations

from eai.abilities.answers.names import LONGEST_NAME, NameIndex, loose, split_id
from eai.abilities.answers.plan import AnswerProblem, Beside, PlanReading, unread

__all__ = ["overlooked"]


def overlooked(reading: PlanReading, names: NameIndex) -> list[AnswerProblem]:
    """Find the steps beside a plan whose names are those of the task.

    Args:
        reading: The plan as it was read.
        names: The names that an answer may use.

    Returns:
        A problem for each: it stands in the answer, but was not read.
    """
    return [
        unread(str(beside.step), beside.step.position)
        for beside in reading.beside
        if _is_step(beside, names)
    ]


def _is_step(beside: Beside, names: NameIndex) -> bool:
    action, _ = names.action(beside.step.name)
    if action is None:
        return False
    if not beside.step.arguments:
        return names.vocabulary.actions[action] == 0
    return not beside.plain or any(_is_object(word, names) for word in beside.step.arguments)


def _is_object(word: str, names: NameIndex) -> bool:
    vocabulary = names.vocabulary
    if word in vocabulary.objects or word in vocabulary.classes:
        return True
    if len(word) > LONGEST_NAME:
        return False
    split = split_id(word)
    joined = names.joined(*split) if split and split[0] else None
    return joined is not None or loose(word) in names.loose_classes
