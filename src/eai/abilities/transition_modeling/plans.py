"""Checking two action models by running the plans of each in the other one.

The predicted model is *sound* if its plans are plans of the annotated model, and *complete* if
plans of the annotated model are plans of it (Oswald et al. 2024, heuristic domain equivalence).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eai.pddl.model import Domain, Problem
from eai.planning import validate
from eai.world.action import Action

__all__ = ["PlanCheck", "check_plans"]


@dataclass(frozen=True, slots=True)
class PlanCheck:
    """Which plans of each model work in the other one; ``+`` adds.

    Args:
        own: Plans of the predicted model.
        sound: Those that are plans of the annotated model, too.
        annotated: Plans of the annotated model.
        complete: Those that are plans of the predicted model, too.
    """

    own: int = 0
    sound: int = 0
    annotated: int = 0
    complete: int = 0

    def __add__(self, other: PlanCheck) -> PlanCheck:
        return PlanCheck(
            self.own + other.own,
            self.sound + other.sound,
            self.annotated + other.annotated,
            self.complete + other.complete,
        )

    @property
    def perfect(self) -> bool:
        """Whether there are plans of the predicted model and all plans work in both models."""
        return bool(self.own) and (self.own, self.annotated) == (self.sound, self.complete)


def check_plans(
    gold: Domain,
    predicted: Domain,
    problem: Problem,
    *,
    own: Iterable[Sequence[Action]] = (),
    annotated: Iterable[Sequence[Action]] = (),
) -> PlanCheck:
    """Run the plans of each model in the other one.

    Args:
        gold: The annotated model.
        predicted: The predicted model.
        problem: The task.
        own: Plans of the predicted model.
        annotated: Plans of the annotated model.
    """
    found = [validate(gold, problem, plan).valid for plan in own]
    kept = [validate(predicted, problem, plan).valid for plan in annotated]
    return PlanCheck(len(found), sum(found), len(kept), sum(kept))
