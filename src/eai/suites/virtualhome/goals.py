"""The goals of VirtualHome tasks, as annotated; formulas are parsed when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from eai import logic, simulators
from eai.suites.virtualhome.vocabulary import action_arities, predicate_arities
from eai.task import ActionGoal, Goal

if TYPE_CHECKING:
    from eai.logic import Formula

_Rows = tuple[tuple[str, ...], ...]
_Final = tuple[tuple[tuple[str, "Formula"], ...], ...]


class WrittenGoal(Goal):
    """A goal whose formula and conditions are made when they are first asked for.

    Args:
        text: The formula as text; empty if there is none.
        conditions: Predicate and objects of each condition on the final state.
        actions: See :class:`eai.task.Goal`.
    """

    __slots__ = ("_conditions",)

    _conditions: _Rows

    def __init__(self, text: str, conditions: _Rows, actions: tuple[ActionGoal, ...]) -> None:
        given = {"text": text, "_conditions": conditions, "actions": actions}
        for name, value in {**given, "whole": False, "is_path": False}.items():
            object.__setattr__(self, name, value)

    @property
    def formula(self) -> Formula | None:
        """The formula as a tree; None if there is none."""
        return _parsed(self.text) if self.text else None

    @property
    def final(self) -> _Final:
        """The conditions on the final state; there are no alternatives."""
        return _final(self._conditions)

    def __reduce__(self) -> tuple[Any, ...]:
        return WrittenGoal, (self.text, self._conditions, self.actions)


@lru_cache(maxsize=1024)
def _final(rows: _Rows) -> _Final:
    atoms = [logic.Atom(predicate, tuple(terms)) for predicate, *terms in rows]
    return (tuple(("state" if len(each.terms) == 1 else "relation", each) for each in atoms),)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Formula:
    domain = simulators.virtualhome_domain()
    vocabulary = logic.LogicVocabulary(predicate_arities(), action_arities(), None)
    return logic.parse_formula(text, vocabulary=vocabulary, source=f"goal of {domain.name}")


def goal_of(annotated: Mapping[str, Any]) -> Goal:
    """Return a goal; a condition or an action that is annotated twice is one."""
    conditions = dict.fromkeys(map(tuple, annotated["final"]))
    actions = dict.fromkeys(annotated["actions"])
    return WrittenGoal(
        annotated["text"],
        tuple(conditions),
        tuple(ActionGoal(tuple(action.lower().split("|"))) for action in actions),
    )
