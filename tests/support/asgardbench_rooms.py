"""Environments of AsgardBench for tests, with things where a test wants them."""

from __future__ import annotations

from collections.abc import Mapping

from eai.semantics import Semantics
from eai.simulators import StepResult
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.instances import instance
from eai.suites.asgardbench.placement import place_objects
from eai.suites.asgardbench.room import SIGHT
from eai.world import Action

__all__ = ["COFFEE", "EGG", "MIRROR", "SLICES", "TELEVISION", "acted", "kitchen", "said", "take"]

COFFEE = "coffee__empty_FloorPlan26_V1"
"""A kitchen with an empty Mug."""
EGG = "cook__Egg_FloorPlan13_V1"
"""A kitchen with an Egg; here the Pan is on a burner."""
SLICES = "distribute__Tomato_Plate_FloorPlan12_V1"
"""A kitchen with a Tomato."""
MIRROR = "clean_mirror__FloorPlan408_V1"
TELEVISION = "turn_on_tv__FloorPlan212_V1"

_OUT_OF_THE_WAY = {COFFEE: {"Mug": "DiningTable"}, EGG: {"Pan": "StoveBurner"}}
"""Where things are that lie elsewhere in the instance."""


def kitchen(
    name: str,
    semantics: str | Semantics = "strict",
    *,
    places: Mapping[str, str] | None = None,
    reach: float = SIGHT,
) -> AsgardEnvironment:
    """An instance with the first objects of some types in or on the first of others."""
    one = instance(name)
    places = {**_OUT_OF_THE_WAY.get(name, {}), **(places or {})}
    scene = place_objects(one)
    firsts: dict[str, str] = {}
    for thing in scene.objects:
        firsts.setdefault(thing.type, thing.name)
    where = {firsts[kind]: firsts[place] for kind, place in places.items()}
    return AsgardEnvironment(one, semantics, scene=scene.placed(where), reach=reach)


def take(environment: AsgardEnvironment, text: str) -> StepResult:
    """Take one action, written ``FIND Mug``."""
    name, *arguments = text.split()
    return environment.step(Action(name, tuple(arguments)))


def acted(environment: AsgardEnvironment, text: str) -> AsgardEnvironment:
    """Take actions, written ``FIND Mug; PICKUP Mug``, that all have to be done."""
    for one in text.split("; "):
        result = take(environment, one)
        assert result.success, (one, result.code, result.message)
    return environment


def said(environment: AsgardEnvironment, text: str) -> str:
    """Take actions, all but the last of which have to be done; return the code of the last."""
    *before, last = text.split("; ")
    if before:
        acted(environment, "; ".join(before))
    result = take(environment, last)
    assert result.success == (not result.code)
    assert bool(result.message) == bool(result.code)
    return result.code
