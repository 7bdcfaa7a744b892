"""Episodes of AsgardBench for tests: acted by the oracle, disturbed by chance."""

import random
from dataclasses import dataclass, field

from eai.acting.traces import EpisodeTrace
from eai.diagnosis.goals import GoalStatus
from eai.logic import evaluate
from eai.semantics import Semantics
from eai.simulators.thor.world import ThorWorld
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.goals import AsgardGoal, goal_formula
from eai.suites.asgardbench.instances import Instance
from eai.suites.asgardbench.oracle import planned
from eai.suites.asgardbench.quirks import QUIRKS
from eai.world.action import Action
from eai.world.state import State

OFFICIAL = Semantics.of("official", QUIRKS)
STRICT = Semantics.of("strict", QUIRKS)


@dataclass
class Acted:
    """An episode so far, with what both ways of evaluating say."""

    instance: Instance
    semantics: Semantics
    states: list[State] = field(default_factory=list)
    actions: list[Action | None] = field(default_factory=list)
    statuses: list[GoalStatus] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.environment = AsgardEnvironment(self.instance, self.semantics)
        self.goal = AsgardGoal(self.instance, self.semantics)
        self.formula = goal_formula(
            self.instance, self.semantics, first=self.environment.room.first
        )
        self._look(self.goal.update(self.environment, None, None))

    def take(self, action: Action) -> None:
        result = self.environment.step(action)
        self.actions.append(result.resolved if result.success else None)
        self._look(self.goal.update(self.environment, action, result))

    def _look(self, status: GoalStatus) -> None:
        self.states.append(self.environment.state().copy())
        self.statuses.append(status)

    def by_logic(self, position: int) -> bool:
        """What temporal logic says of the episode up to a position."""
        trace = EpisodeTrace(
            ThorWorld().world, self.states[: position + 1], self.actions[:position]
        )
        return bool(evaluate(self.formula, trace, reading="ltlf"))


def acted(instance: Instance, semantics: Semantics, *, noise: float = 0.0, seed: int = 0) -> Acted:
    """Let the oracle act to the end of its plan; some actions are taken by chance instead."""
    episode = Acted(instance, semantics)
    dice = random.Random(seed)
    plan = planned(episode.environment, semantics)
    for _ in range(150):
        astray = dice.random() < noise
        action = _by_chance(episode.environment, dice) if astray else next(plan, None)
        if action is None:
            break
        episode.take(action)
    return episode


def _by_chance(environment: AsgardEnvironment, dice: random.Random) -> Action:
    kind = dice.choice(environment.vocabulary)
    return Action(dice.choice(list(environment.actions)), (kind,))
