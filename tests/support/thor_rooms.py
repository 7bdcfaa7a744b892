"""A small kitchen of AI2-THOR, written by hand."""

from __future__ import annotations

from dataclasses import replace

from eai.simulators import ThorEngine, ThorFailure
from eai.simulators.thor.engine import EngineResult
from eai.simulators.thor.scenes import Scene, SceneObject, object_type

__all__ = ["engine_after", "facts", "kitchen", "outcome"]

_PLACES = {
    "Floor": "",
    "CounterTop": "",
    "SinkBasin": "",
    "Faucet": "",
    "Fridge": "Floor",
    "Microwave": "CounterTop",
    "CoffeeMachine": "CounterTop",
    "Toaster": "CounterTop",
    "StoveBurner": "",
    "StoveKnob": "",
    "Drawer": "",
    "GarbageCan": "Floor",
    "Box": "Floor",
    "Mug": "CounterTop",
    "Bowl": "CounterTop",
    "Plate": "CounterTop",
    "Pan": "CounterTop",
    "Knife": "Drawer",
    "Potato": "CounterTop",
    "Bread": "CounterTop",
    "Egg": "Fridge",
    "Tomato": "CounterTop",
    "ScrubBrush": "Floor",
    "LightSwitch": "",
    "Candle": "CounterTop",
}


def kitchen(*types: str, **flags: str) -> Scene:
    """One object of each type, called like its type; all that there are if none is given.

    Args:
        types: The types that are wanted.
        flags: Type to how it is at the start, in words.
    """
    wanted = types or tuple(_PLACES)
    objects = []
    for kind in wanted:
        place = _PLACES[kind] if _PLACES[kind] in wanted else ""
        can = object_type(kind).affordances
        state = frozenset(flags.get(kind, "open" if kind == "Box" else "").split())
        objects.append(SceneObject(kind, kind, kind, place=place, affordances=can, flags=state))
    knobs = {"StoveKnob": ("StoveBurner",)} if "StoveBurner" in wanted else {}
    objects = [replace(one, controls=knobs.get(one.type, ())) for one in objects]
    return Scene("Kitchen", tuple(objects))


def outcome(engine: ThorEngine, *words: str, force: bool = False) -> ThorFailure | None:
    """Do ``("PutObject", "Mug")``; why it failed, None if it was done."""
    result: EngineResult = engine.perform(words[0], words[1:], force=force)
    assert result.success == (result.failure is None) == (not result.message)
    assert result.success or not result.changes
    return result.failure


def engine_after(*steps: str, force: bool = False, **flags: str) -> ThorEngine:
    """The kitchen after some steps, each an action and its arguments."""
    engine = ThorEngine(kitchen(**flags))
    for step in steps:
        assert outcome(engine, *step.split(), force=force) is None, step
    return engine


def facts(engine: ThorEngine, name: str) -> set[str]:
    """What is so of one object, without its nature: ``{"in CounterTop", "dirty"}``."""
    changing = engine.world.domain.fluents
    found = (atom for atom in engine.state.atoms() if atom.predicate in changing)
    return {
        " ".join((atom.predicate, *map(str, atom.terms[1:])))
        for atom in found
        if atom.terms and atom.terms[0] == name
    }
