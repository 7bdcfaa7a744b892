"""What a run is about: which tasks of a suite, and other things that are named one or several."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from eai.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from eai.contract import Suite

__all__ = ["Choice", "chosen_tasks", "several"]


class Choice(NamedTuple):
    """The tasks of a run.

    Args:
        ids: Identifiers, in the suite's order.
        name: What a report prints behind the semantics; empty if all tasks count.
        answered: Whether only those count to which at least one model has an answer.
    """

    ids: Sequence[str]
    name: str = ""
    answered: bool = False

    def places(self, all_ids: Sequence[str], answered: Container[int]) -> list[int]:
        """Return the numbers of the chosen tasks.

        Args:
            all_ids: Identifiers of all tasks of the suite.
            answered: Numbers of the tasks with an answer.

        Raises:
            InputError: If only answered tasks count, and there is none.
        """
        if not self.answered:
            wanted = frozenset(self.ids)
            return [place for place, task in enumerate(all_ids) if task in wanted]
        found = [place for place in range(len(all_ids)) if place in answered]
        if not found:
            raise InputError(
                "no task has an answer, so there is none to judge",
                expected="an answer to at least one task of the suite",
                mend="look at the predictions, or judge all tasks (tasks='all')",
            )
        return found


def chosen_tasks(suite: Suite, tasks: str | Iterable[str]) -> Choice:
    """Return which tasks are meant.

    Args:
        suite: The suite.
        tasks: ``"all"``, ``"answered"``, an identifier, or several.

    Raises:
        UnknownNameError: If the suite has no such task.
        InputError: If no task is named, or if that is none.
    """
    known = suite.task_ids()
    if tasks == "all":
        return Choice(known)
    if tasks == "answered":
        return Choice(known, "answered tasks", answered=True)
    wanted = frozenset(suite.canonical_id(name) for name in _names(tasks))
    for name in sorted(wanted.difference(known)):
        raise UnknownNameError("task", name, known, where=f"suite {suite.name}")
    tasks_word = "task" if len(wanted) == 1 else "tasks"
    found = [task for task in known if task in wanted]
    return Choice(found, f"{len(wanted)} chosen {tasks_word}")


def several(given: object) -> list[Any]:
    """Return what a caller gave as a list: several things, or one (a text is one)."""
    if isinstance(given, Iterable) and not isinstance(given, str):
        return list(given)
    return [given]


def _names(tasks: str | Iterable[str]) -> list[str]:
    names = several(tasks)
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError(
            "no task is chosen"
            if names in ([], [None])
            else f"{names[0]!r:.60} is no identifier of a task",
            where="tasks",
            expected="'all', 'answered', or identifiers of tasks",
            mend="list what there is: eai.suite(...).task_ids()",
        )
    return names
