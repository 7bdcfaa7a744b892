"""AI2-THOR acted in with the engine's own actions: the symbolic world, or the real simulator."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from eai.logic import Atom
from eai.simulators.environment import (
    Capabilities,
    Observation,
    ObservationModel,
    ShownProperty,
    StepResult,
)
from eai.simulators.thor.engine import ENGINE_ACTIONS, EngineResult, ThorEngine, ThorFailure
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor.world import AGENT, LIQUIDS, ThorWorld
from eai.simulators.thor_controller.engine import ControllerEngine
from eai.world import Action, State

GO_TO = "GoTo"
"""The action that takes the agent to an object and turns it there."""

OBSERVED = ObservationModel(
    properties={
        "open": ShownProperty("open", having="openable"),
        "on": ShownProperty("on", having="toggleable"),
        "dirty": ShownProperty("dirty", having="dirtyable"),
        "filled": ShownProperty("filled", having="fillable"),
        "cooked": ShownProperty("cooked", having="cookable"),
        "broken": ShownProperty("broken", having="breakable"),
        "sliced": ShownProperty("sliced", having="sliceable"),
        "hot": ShownProperty("hot"),
        "cold": ShownProperty("cold"),
    },
    locations={"in": "in"},
    held=("holds",),
    relations={"contains": "liquid"},
)
"""The observable part of a state."""


class RoomEngine(Protocol):
    """The interface of engines, symbolic or real, that perform actions."""

    world: ThorWorld
    state: State

    def perform(
        self, name: str, arguments: Sequence[str] = (), *, force: bool = False
    ) -> EngineResult:
        """Perform one action, or return the reason why it fails."""
        ...


class ThorEnvironment:
    """A room of AI2-THOR in which an agent acts with the engine's own actions.

    The code of a failed step is one of :class:`~eai.simulators.thor.engine.ThorFailure`. Slices are
    objects of the room from the start, but are observed only once they are there.

    Args:
        sees: Returns the names of what is in view; without, everything that is there is seen:
            wrap the environment in :class:`~eai.acting.views.Viewed` to hide something.
        go_to: Takes the agent to an object; without, it only turns there.
        image: Returns what the camera sees, as a PNG.
    """

    actions: Mapping[str, int] = {GO_TO: 1, **ENGINE_ACTIONS}

    def __init__(
        self,
        scene: Scene,
        begin: Callable[[], RoomEngine],
        *,
        sees: Callable[[], Collection[str]] | None = None,
        go_to: Callable[[str], EngineResult] | None = None,
        image: Callable[[], bytes] = bytes,
        capabilities: Capabilities | None = None,
    ) -> None:
        """Store the functions that make, observe and move in the room, and reset it."""
        self.scene = scene
        self.capabilities = capabilities or Capabilities()
        # ``begin`` makes a room as it is at the start, so that each episode has its own.
        self._begin = begin
        self._sees = sees
        self._image = image
        self._go_to = go_to or self._turn_to
        self._types = {
            scene_object.name: scene_object.type for scene_object in (*scene.objects, *scene.slices)
        }
        self.reset()

    def reset(self) -> Observation:
        """Go back to the room's start."""
        self._engine = self._begin()
        self._focus = ""
        return self._observe()

    def step(self, action: Action) -> StepResult:
        """Take one action. It fails if a name is unknown.

        Returns:
            Whether it succeeded, what is seen afterwards, and why it failed if it did. The first
            object of an action that succeeded is what the agent looks at from then on.
        """
        if action.name == GO_TO and len(action.arguments) == 1:
            result = self._go_to(action.arguments[0])
        else:
            result = self._engine.perform(action.name, action.arguments)
        if result.failure is not None:
            return StepResult(False, self._observe(), result.failure.value, result.message)
        if action.arguments:
            self._focus = action.arguments[0]
        return StepResult(True, self._observe(), resolved=action)

    def state(self) -> State:
        """The whole state, as a copy."""
        return self._engine.state.copy()

    def _turn_to(self, name: str) -> EngineResult:
        """Turn to an object. Everything reachable counts as near, as there are no distances."""
        message = f"{name} cannot be reached"
        if name not in self._types:
            return EngineResult(False, ThorFailure.UNKNOWN_OBJECT, message)
        if not self._holds("in_reach", AGENT, name):
            return EngineResult(False, ThorFailure.NOT_INTERACTABLE, message)
        return EngineResult(True)

    def _holds(self, predicate: str, *arguments: str) -> bool:
        """Return whether an atom holds now."""
        return self._engine.world.world.holds(self._engine.state, Atom(predicate, arguments))

    def _observe(self) -> Observation:
        """Return the current observation with the engine's type names."""
        in_view: Collection[str] = self._types
        if self._sees is not None:
            in_view = frozenset(self._sees())

        # Slices are objects from the start, but they are only present once their whole was sliced.
        def is_observed(name: str) -> bool:
            """Return whether an object is there, and in view."""
            return name in self._types and name in in_view and self._holds("present", name)

        names = frozenset((*self._types, *LIQUIDS))
        observation = OBSERVED.observe(
            self._engine.state, AGENT, names=names, focus=self._focus, there=is_observed
        )
        # The world has types in small letters. Agents see those of the engine: ``CoffeeMachine``.
        objects = []
        for seen_object in observation.objects:
            objects.append(replace(seen_object, type=self._types[seen_object.name]))
        return replace(observation, objects=tuple(objects), image=self._image())


def symbolic_environment(scene: Scene, *, world: ThorWorld | None = None) -> ThorEnvironment:
    """Return a room of the symbolic world as an environment."""
    return ThorEnvironment(scene, lambda: ThorEngine(scene, world=world))


def controller_environment(engine: ControllerEngine, *, images: bool = False) -> ThorEnvironment:
    """Return a room of the real simulator as an environment.

    Args:
        engine: The engine of a player that runs.
        images: Whether observations have the picture of the camera.
    """

    def image() -> bytes:
        """Return the picture of the camera; empty unless pictures are wanted."""
        if not images:
            return b""
        return engine.image

    return ThorEnvironment(
        engine.scene,
        engine.reset,
        sees=lambda: engine.visible,
        go_to=engine.go_to,
        image=image,
        capabilities=Capabilities(physics=True, images=images, hidden_state=True),
    )
