"""The engine's actions on a state of the symbolic world."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from eai.logic.formula import Atom
from eai.simulators.thor.containment import work_out_containment
from eai.simulators.thor.failures import MESSAGES, TESTS, Failure
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor.world import AGENT, LIQUIDS, ThorWorld
from eai.world.state import Change, State
from eai.world.transition import World

__all__ = ["ENGINE_ACTIONS", "Engine", "EngineResult"]

ENGINE_ACTIONS: Mapping[str, int] = {
    "PickupObject": 1,
    "PutObject": 1,
    "DropHandObject": 0,
    "ThrowObject": 0,
    "OpenObject": 1,
    "CloseObject": 1,
    "ToggleObjectOn": 1,
    "ToggleObjectOff": 1,
    "SliceObject": 1,
    "BreakObject": 1,
    "DirtyObject": 1,
    "CleanObject": 1,
    "FillObjectWithLiquid": 2,
    "EmptyLiquidFromObject": 1,
    "CookObject": 1,
    "UseUpObject": 1,
}
"""The engine's actions with the number of their arguments: an object, or the receptacle to put
in; to fill, a liquid too."""


@dataclass(frozen=True, slots=True)
class EngineResult:
    """What came of an action of the engine.

    Args:
        success: Whether it was done.
        failure: Why it was not; None if it was.
        message: What the engine says of that; empty if it was done.
        changes: What changed in the state, effects of the surroundings included.
    """

    success: bool
    failure: Failure | None = None
    message: str = ""
    changes: Sequence[Change] = ()


class Engine:
    """Does the engine's actions, and after each lets the surroundings act.

    Args:
        start: A room, or a state of one; a state is not changed.
        world: The world.

    Attributes:
        state: The state now; it is changed by what is done.
    """

    def __init__(self, start: Scene | State, *, world: ThorWorld | None = None) -> None:
        self.world = world or ThorWorld()
        state = self.world.start(start) if isinstance(start, Scene) else start
        self.state: State = state.begin()

    def perform(
        self, name: str, arguments: Sequence[str] = (), *, force: bool = False
    ) -> EngineResult:
        """Do one of :data:`ENGINE_ACTIONS`, or say why not. Nothing that is given raises.

        Args:
            name: The action, as the engine calls it.
            arguments: Names of objects, and for ``FillObjectWithLiquid`` the liquid.
            force: Whether reach and the table of placements are passed over (``forceAction``).
        """
        failure = self._malformed(name, arguments)
        world = self.world.forced if force else self.world.world
        if failure is None:
            failure = self._failure(world, _snake(name), arguments)
        if failure is not None:
            return EngineResult(False, failure, MESSAGES.get(failure, (failure.value,))[0])
        changes = world.apply(self.state, _snake(name), self._numbers(arguments))
        return EngineResult(True, changes=(*changes, *self.world.settle(self.state)))

    def _malformed(self, name: str, arguments: Sequence[str]) -> Failure | None:
        if name not in ENGINE_ACTIONS:
            return Failure.INVALID_ACTION
        if len(arguments) < ENGINE_ACTIONS[name]:
            return Failure.NO_LIQUID if arguments else Failure.MISSING_ARGUMENTS
        if len(arguments) > ENGINE_ACTIONS[name]:
            return Failure.INVALID_ARGUMENT
        constants, index = self.state.universe.constants, self.state.universe.index
        if arguments and (arguments[0] not in index or arguments[0] in constants):
            return Failure.UNKNOWN_OBJECT
        return None

    def _numbers(self, arguments: Sequence[str]) -> tuple[int, ...]:
        """Numbers of the agent and the arguments; no test looks at the liquid, known or not."""
        index = self.state.universe.index
        return tuple(index.get(name, index[AGENT]) for name in (AGENT, *arguments))

    def _failure(self, world: World, operator: str, arguments: Sequence[str]) -> Failure | None:
        work_out_containment(self.state)
        at = world.first_failure(self.state, operator, self._numbers(arguments))
        failure = None if at < 0 else _tests(world, operator)[at]
        # The engine asks whether it knows the liquid right before whether there is one in it.
        unknown = len(arguments) == 2 and arguments[1] not in LIQUIDS
        if unknown and failure in (None, Failure.ALREADY_FILLED):
            return Failure.UNKNOWN_LIQUID
        return failure


def _tests(world: World, operator: str) -> list[Failure]:
    tests = world.operator(operator).tests
    return [TESTS[test.predicate] for test in tests if isinstance(test, Atom)]


@cache
def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()
