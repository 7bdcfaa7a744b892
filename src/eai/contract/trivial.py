"""Tasks that an answer which says nothing solves: left out under strict semantics, else marked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from eai.budget import BeyondBudgetError
from eai.contract.suite import solved_by_nothing
from eai.diagnosis import Result
from eai.errors import InputError
from eai.task import EMPTY_ANSWER_COUNTS, Task
from eai.text import counted

if TYPE_CHECKING:
    from eai.contract.suite import Suite
    from eai.semantics import Semantics

_TRIVIAL = "solved by saying nothing: "

_MAX_NAMED = 10
"""Maximum number of tasks that a note names."""


def trivial_note(suite: Suite, ability: str, task: Task, semantics: Semantics) -> str:
    """Return a note if an answer without content solves a task, or ""."""
    if task.metadata.get(EMPTY_ANSWER_COUNTS):
        return ""

    def solves(answer: str) -> bool:
        """Return whether an answer solves the task."""
        # A task that cannot be used, or takes too long, is found out by its own answers.
        with suppress(InputError, BeyondBudgetError):
            return suite.evaluate(ability, task, answer, semantics).success
        return False

    empty_answer = solved_by_nothing(solves)
    if not empty_answer:
        return ""
    return f"{_TRIVIAL}{empty_answer} solves the task"


def marked_as_trivial(result: Result, reason: str) -> Result:
    """Return the result of an answer that says nothing of what its task asks for, yet solves it.

    Args:
        result: The result.
        reason: Why it counts as solved.
    """
    return replace(result, notes=(*result.notes, _TRIVIAL + reason))


def is_trivial(result: Result) -> bool:
    """Return whether a result has the note that an answer which says nothing solves its task."""
    return any(note.startswith(_TRIVIAL) for note in result.notes)


def without_trivial(
    result: Result, suite: Suite, ability: str, task: Task, semantics: Semantics
) -> Result:
    """Return a result as it counts: excluded or marked if saying nothing solves the task.

    Args:
        result: The result of an answer, or of an episode.
        suite: The suite.
        ability: The ability that the answer is about.
        task: The task.
        semantics: The semantics of the result.
    """
    # Under other semantics such tasks count, as published, so only a solved one is marked. Finding
    # them takes evaluations, so this is only done where it matters.
    may_matter = result.success or semantics.is_strict
    if result.status == "excluded" or not may_matter:
        return result
    note = trivial_note(suite, ability, task, semantics)
    if not note:
        return result
    return counted_as_trivial(result, note, semantics)


def counted_as_trivial(result: Result, note: str, semantics: Semantics) -> Result:
    """Return the result of a trivial task as it counts under a semantics."""
    if semantics.is_strict:
        return Result("excluded", notes=(note,))
    if result.success:
        return replace(result, notes=(*result.notes, note))
    return result


def note_on_trivial(tasks: Sequence[str], *, left_out: bool) -> str:
    """Return the note of a report on trivial tasks, or "" if there are none.

    Args:
        tasks: Identifiers of the tasks.
        left_out: Whether they are left out of all rates.
    """
    if not tasks:
        return ""
    verdict = "counted as solved, as published"
    if left_out:
        verdict = "left out"
    names = ", ".join(tasks[:_MAX_NAMED])
    if len(tasks) > _MAX_NAMED:
        names += f" and {len(tasks) - _MAX_NAMED} more"
    return f"{counted(len(tasks), 'task')} that can be solved by saying nothing {verdict}: {names}"
