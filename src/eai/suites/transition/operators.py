"""An answer to transition modeling operator by operator, to be mixed with annotated ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Union

from eai.budget import Budget
from eai.pddl import Operator
from eai.planning import Outcome
from eai.semantics import Semantics
from eai.suites.transition.counting import EMPTY, literals, read_form
from eai.suites.transition.data import ActionModel, Demand
from eai.suites.transition.environment import OperatorEnvironment, environment
from eai.suites.transition.written import read_answer, usable

Written = Union[Operator, str]
"""An operator of an answer, or why a planner does not take it."""


@dataclass(frozen=True)
class OperatorsAnswer:
    """An answer to transition modeling, split into its operators."""

    environment: OperatorEnvironment
    model: str  # who wrote it
    task: str
    demand: Demand
    written: Mapping[str, Written]  # by name
    semantics: Semantics

    @property
    def compared(self) -> tuple[str, ...]:
        """Names of the requested operators that can replace annotated ones.

        One that the answer lacks is among them only if the semantics leaves a gap in its place.
        """
        asked = dict.fromkeys(self.demand.operators)
        filled = "gold_operators_filled_in" in self.semantics
        return tuple(name for name in asked if name in self.written or not filled)

    def outcome(self, predicted: Iterable[str], *, budget: Budget | None = None) -> Outcome:
        """Plan with the annotated operators, some of which are replaced by predicted ones.

        With the quirk ``gold_operators_filled_in`` the planner has all annotated operators of the
        environment, without it those that were asked for.
        """
        operators = dict(self.environment.operators)
        if "gold_operators_filled_in" not in self.semantics:
            operators = {name: operators[name] for name in self.demand.operators}
        for name in predicted:
            # An operator, or the reason why it cannot be read.
            operator = self.written.get(name, "the answer does not have it")
            if isinstance(operator, Operator):
                operators[name] = operator
            elif "undeclared_names_accepted" in self.semantics:
                return Outcome.REJECTED
            else:
                del operators[name]
        budget = budget or self.semantics.budget
        return self.environment.plan(self.task, tuple(operators.values()), budget=budget).outcome


class Annotated:
    """The annotated operators of an environment, which predicted ones can replace."""

    def __init__(self, where: OperatorEnvironment) -> None:
        self._where = where

    @property
    def model(self) -> ActionModel:
        """Operators, categories of predicates, and the demand of each task."""
        return self._where.model

    def read(
        self, model: str, task: str, text: str, semantics: Semantics
    ) -> OperatorsAnswer | None:
        """Return an answer's operators, or None if the published evaluator finds none."""
        answer = read_answer(self._where, text, semantics)
        if answer is None:
            return None
        written = dict(usable(self._where, answer, semantics))
        demand = self.model.demands[task]
        return OperatorsAnswer(self._where, model, task, demand, written, semantics)

    @staticmethod
    def predicates(formula: str) -> list[str]:
        """Return the predicates of an annotated condition or effect, in reading order."""
        names = [literal.split()[0] for literal in literals(read_form(formula))]
        return [name for name in names if name != EMPTY]


def virtualhome() -> Annotated:
    """Return the annotated operators of VirtualHome."""
    return Annotated(environment("virtualhome"))


def behavior() -> Annotated:
    """Return the annotated operators of BEHAVIOR."""
    return Annotated(environment("behavior"))
