"""Episodes as trajectories for the logic."""

import pytest

from eai.acting.traces import EpisodeTrace
from eai.errors import UnknownNameError
from eai.logic import evaluate, explain, parse_formula
from eai.logic.formula import Formula
from eai.logic.vocabulary import LogicVocabulary
from eai.simulators.thor.engine import Engine
from eai.simulators.thor.scenes import load_scene
from eai.simulators.thor.world import ThorWorld
from eai.world.action import Action

SCENE = load_scene("FloorPlan1")
FRIDGE = next(one.name for one in SCENE.objects if one.type == "Fridge")
EGG = next(one.name for one in SCENE.objects if one.type == "Egg")


def trace() -> EpisodeTrace:
    """The fridge is opened, in vain once more, and the egg is taken out of it."""
    engine = Engine(SCENE)
    states, actions = [engine.state.copy()], []
    for name, target in (("OpenObject", FRIDGE), ("nothing", FRIDGE), ("PickupObject", EGG)):
        done = engine.perform(name, (target,)).success
        actions.append(Action(name, (target,)) if done else None)
        states.append(engine.state.copy())
    return EpisodeTrace(ThorWorld().world, states, actions)


def formula(text: str) -> Formula:
    predicates = {name: p.arity for name, p in ThorWorld().world.domain.predicates.items()}
    actions = {"OpenObject": 1, "PickupObject": 1}
    return parse_formula(text, vocabulary=LogicVocabulary(predicates, actions, {FRIDGE, EGG}))


def test_atoms_over_time() -> None:
    found = trace()
    assert found.length == 4
    assert found.history("open", (FRIDGE,)) == 0b1110
    assert found.history("holds", ("agent", EGG)) == 0b1000
    assert found.history("present", (EGG,)) == 0b1111
    assert found.history("shut_in", (EGG,)) == 0b0001


def test_actions_that_were_done() -> None:
    found = trace()
    assert found.taken("OpenObject") == [(0, (FRIDGE,))]
    assert found.taken("nothing") == []
    assert found.occurrences("PickupObject", (EGG,)) == 0b100


def test_formulas_are_evaluated_and_explained() -> None:
    kept = formula(f"G (PickupObject({EGG}) implies open({FRIDGE}))")
    closed = formula(f"F (not open({FRIDGE}) and X G not open({FRIDGE}))")
    assert evaluate(kept, trace())
    assert not evaluate(closed, trace())
    assert FRIDGE in explain(closed, trace()).text


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnknownNameError):
        trace().history("blue", (EGG,))
    with pytest.raises(UnknownNameError):
        trace().history("open", ("Door_1",))
