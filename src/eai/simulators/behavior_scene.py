"""What a BEHAVIOR scene is: its objects, how they are, and how they lie."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Scene", "SceneObject"]


@dataclass(frozen=True, slots=True)
class SceneObject:
    """An object of a scene.

    Args:
        name: Its name in the simulator, which plans use (``"fridge_97"``).
        bddl: Its name in the activity's definition, which goals use
            (``"electric_refrigerator.n.01_1"``); the parts of an object share it.
        floor: Whether it is a floor.
        part: Whether it is a piece that comes to be when its whole is sliced.
        abilities: States that it can be in, and tools that it can serve as (``"Open"``,
            ``"Slicer"``), sorted.
        states: Those that hold at the start, sorted.
    """

    name: str
    bddl: str
    floor: bool = False
    part: bool = False
    abilities: tuple[str, ...] = ()
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene as the agent finds it.

    Args:
        objects: Its objects, in the order of the simulator.
        relations: Relation (``"inside"``, ``"ontop"``, ``"onfloor"``, ``"under"``, ``"nextto"``)
            with the names of the two objects.
    """

    objects: tuple[SceneObject, ...]
    relations: tuple[tuple[str, str, str], ...]
