"""Episodes of AsgardBench for tests: acted by the oracle, disturbed by chance."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from eai.diagnosis import GoalStatus
from eai.logic import Atom, evaluate
from eai.semantics import Semantics
from eai.simulators import ThorWorld
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.goals import AsgardGoal, goal_formula
from eai.suites.asgardbench.instances import Instance
from eai.suites.asgardbench.oracle import plan_actions
from eai.suites.asgardbench.quirks import QUIRKS
from eai.world import Action, State, World

OFFICIAL = Semantics.of("official", QUIRKS)
STRICT = Semantics.of("strict", QUIRKS)


class EpisodeTrace:
    """An episode as a trajectory for the logic (:class:`eai.logic.Trajectory`).

    Args:
        world: The engine of the world.
        states: The state at every position; they must not be changed any more.
        actions: What was done from each of them, with the objects that were chosen; None for
            a turn that failed.
    """

    def __init__(
        self, world: World, states: Sequence[State], actions: Iterable[Action | None]
    ) -> None:
        self._world = world
        self._states = tuple(states)
        self._actions = tuple(actions)

    @property
    def length(self) -> int:
        """Number of positions."""
        return len(self._states)

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """Names of the objects of any of the types, in order."""
        return self._states[0].universe.of_types(types)

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Truth of a ground atom at every position: bit i of the integer is position i.

        Raises:
            UnknownNameError: If the predicate or an object is not known.
        """
        if predicate in self._world.derived:
            test = self._world.test_of(Atom(predicate, arguments), self._states[0].universe)
            return _vector(map(test, self._states))
        return _vector(state.holds(predicate, arguments) for state in self._states)

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """Positions from which the action is taken, as a bit vector."""
        return _vector(each == Action(action, arguments) for each in self._actions)

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Position and arguments of every occurrence of the action, in order."""
        return [
            (position, each.arguments)
            for position, each in enumerate(self._actions)
            if each is not None and each.name == action
        ]


def _vector(truths: Iterable[bool]) -> int:
    return sum(1 << position for position, true in enumerate(truths) if true)


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
    plan = plan_actions(episode.environment, semantics)
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
