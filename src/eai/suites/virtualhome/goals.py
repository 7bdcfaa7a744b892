"""The goals of VirtualHome tasks, as annotated; formulas are parsed when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from eai.logic import Atom, Formula, LogicVocabulary, parse_formula
from eai.simulators import virtualhome_domain
from eai.suites.virtualhome.vocabulary import action_arities, predicate_arities
from eai.task import ActionGoal, Goal

_Final = tuple[tuple[tuple[str, Formula], ...], ...]


class WrittenGoal(Goal):
    """A goal whose formula is parsed when it is first asked for.

    Args:
        text: The formula as text; empty if there is none.
        final: See :class:`eai.task.Goal`.
        actions: See :class:`eai.task.Goal`.
    """

    __slots__ = ()

    def __init__(self, text: str, final: _Final, actions: tuple[ActionGoal, ...]) -> None:
        given = {"text": text, "final": final, "actions": actions, "whole": False}
        for name, value in given.items():
            object.__setattr__(self, name, value)

    @property
    def formula(self) -> Formula | None:
        """The formula as a tree; None if there is none."""
        return _parsed(self.text) if self.text else None

    def __reduce__(self) -> tuple[Any, ...]:
        return WrittenGoal, (self.text, self.final, self.actions)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Formula:
    domain = virtualhome_domain()
    vocabulary = LogicVocabulary(predicate_arities(), action_arities(), None)
    return parse_formula(text, vocabulary=vocabulary, source=f"goal of {domain.name}")


def goal_of(annotated: Mapping[str, Any]) -> Goal:
    """Return a goal; a condition or an action that is annotated twice is one.

    Args:
        annotated: The goal as it is stored (see :class:`eai.suites.store.StoredTask`).
    """
    final = dict.fromkeys(
        ("state" if len(terms) == 1 else "relation", Atom(predicate, tuple(terms)))
        for predicate, *terms in annotated["final"]
    )
    actions = dict.fromkeys(annotated["actions"])
    return WrittenGoal(
        annotated["text"],
        (tuple(final),),
        tuple(ActionGoal(tuple(action.lower().split("|"))) for action in actions),
    )
