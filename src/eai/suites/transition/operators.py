"""An answer to transition modeling operator by operator, to be mixed with annotated ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Union

from eai.budget import Budget
from eai.pddl.model import Operator
from eai.planning import Outcome
from eai.semantics import Semantics
from eai.suites.transition.data import Demand
from eai.suites.transition.environment import Environment
from eai.suites.transition.written import read_answer, usable

__all__ = ["Answer", "written_operators"]

Written = Union[Operator, str]
"""An operator of an answer, or why a planner does not take it."""


@dataclass(frozen=True)
class Answer:
    """An answer to transition modeling, operator by operator.

    Args:
        environment: The environment of the task.
        model: Who wrote it.
        task: The task.
        demand: What the task asks for.
        written: The operators of the answer by name, or why a planner does not take them.
        semantics: Which quirks are on.
    """

    environment: Environment
    model: str
    task: str
    demand: Demand
    written: Mapping[str, Written]
    semantics: Semantics

    @property
    def compared(self) -> tuple[str, ...]:
        """Names of the operators that were asked for and can take the place of annotated ones.

        One that the answer lacks is among them only if the semantics leaves a gap in its place.
        """
        asked = dict.fromkeys(self.demand.operators)
        filled = "gold_operators_filled_in" in self.semantics
        return tuple(name for name in asked if name in self.written or not filled)

    def outcome(self, predicted: Iterable[str], *, budget: Budget | None = None) -> Outcome:
        """Plan with annotated operators, but for some that are the answer's.

        With the quirk ``gold_operators_filled_in`` the planner has all annotated operators of the
        environment, without it those that were asked for.

        Args:
            predicted: Names of the operators to take from the answer.
            budget: What the search may use; by default what the semantics says.
        """
        annotated = self.environment.operators
        every = "gold_operators_filled_in" in self.semantics
        space = {name: annotated[name] for name in (annotated if every else self.demand.operators)}
        for name in predicted:
            operator = self.written.get(name, "the answer does not have it")
            if isinstance(operator, Operator):
                space[name] = operator
            elif "undeclared_names_accepted" in self.semantics:
                return Outcome.REJECTED
            else:
                del space[name]
        operators = tuple(space.values())
        budget = budget or self.semantics.budget
        return self.environment.plan(self.task, operators, budget=budget).outcome


def written_operators(
    where: Environment, answer: str, semantics: Semantics
) -> dict[str, Written] | None:
    """Return the operators of an answer by name, or why a planner does not take them.

    Returns:
        The operators; None if the published evaluator finds none in the answer.
    """
    written = read_answer(where, answer, semantics)
    return None if written is None else dict(usable(written, semantics))
