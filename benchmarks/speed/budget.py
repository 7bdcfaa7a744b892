"""Measure what real answers to transition modeling use of the budget, by hand.

    python benchmarks/speed/budget.py FOLDER [--semantics official]

`FOLDER` has answers of models, `SUITE/transition_modeling/MODEL.json` (also compressed). For each
model it prints how many answers to tasks of the suite there are, for how many a plan was searched
(the others have no operators that can be used), and what these use at most. Answers beyond the
budget, or ended by the clock, are named. At the end come the largest uses of all. The official data
must have been fetched (`eai data fetch eai`). It takes about a minute.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

from eai.budget import Budget, Meter
from eai.evaluation.model_outputs import answers_in
from eai.planning import PlanningResult
from eai.semantics import Semantics
from eai.suites.transition.environment import OperatorEnvironment, environment
from eai.suites.transition.quirks import TRANSITION_QUIRKS
from eai.suites.transition.written import read_answer, usable_operators

ABILITY = "transition_modeling"
LIMITS = [each.name for each in fields(Budget)]


class WatchedBudget(Budget):
    """The default budget; it keeps the meter that was made last."""

    meter_made = Meter(Budget())

    def meter(self) -> Meter:
        """Return a meter on which nothing was used, and keep it."""
        WatchedBudget.meter_made = Meter(self)
        return WatchedBudget.meter_made


class Use(NamedTuple):
    """What the search for a plan found with the operators of an answer, and what it used."""

    answer: str
    result: PlanningResult
    meter: Meter

    @property
    def ended(self) -> bool:
        """Whether the budget or the clock ended it."""
        return self.result.outcome.value.endswith(("limit", "budget"))


class Searches:
    """The searches in an environment; what models answer word for word alike is searched once."""

    def __init__(self, where: OperatorEnvironment, semantics: Semantics) -> None:
        self.where, self.semantics = where, semantics
        self._known: dict[object, tuple[PlanningResult, Meter]] = {}

    def uses(self, model: str, answers: dict[str, str]) -> Iterator[Use]:
        """Yield what each answer with usable operators uses.

        Args:
            model: Whose answers they are.
            answers: Task to answer.
        """
        for task, answer in answers.items():
            written = read_answer(self.where, answer, self.semantics)
            operators = (
                "" if written is None else usable_operators(self.where, written, self.semantics)
            )
            if isinstance(operators, str):
                continue
            if (task, operators) not in self._known:
                result = self.where.plan(task, operators, budget=WatchedBudget())
                self._known[task, operators] = result, WatchedBudget.meter_made
            yield Use(f"{model}: {task}", *self._known[task, operators])


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--semantics", default="official")
    given = parser.parse_args()
    semantics = Semantics.of(given.semantics, TRANSITION_QUIRKS)
    found: list[Use] = []
    for suite in ("behavior", "virtualhome"):
        where = environment(suite)
        searches = Searches(where, semantics)
        for model, answers in answers_in(given.folder, suite, ABILITY).items():
            named = {name.removeprefix("scene_1_"): text for name, text in answers.items.items()}
            items = {task: text for task, text in named.items() if task in where.model.demands}
            uses = list(searches.uses(f"{suite} {model}", items))
            print(f"{suite} {model}: {len(items)} answers, {len(uses)} searched; {most(uses)}")
            for use in uses:
                if use.ended:
                    print(f"  {use.answer}: {use.result.outcome.value}, {use.result.reason}")
            found += uses
    within = [use for use in found if not use.ended]
    print(f"{len(found)} searched, {len(within)} within the budget")
    for limit in LIMITS:
        used = sorted(((getattr(use.meter, limit), use.answer) for use in within), reverse=True)
        print(f"{limit}:", *(f"{number:,} ({answer})" for number, answer in used[:3]), sep="\n  ")
        print(f"  99 % up to {used[len(used) // 100][0]:,}" if used else "  -")


def most(found: list[Use]) -> str:
    """Say what is used at most within the budget."""
    within = [use.meter for use in found if not use.ended]
    largest = (f"{name} {max(getattr(of, name) for of in within):,}" for name in LIMITS)
    return ", ".join(largest) if within else "none within the budget"


if __name__ == "__main__":
    main()
