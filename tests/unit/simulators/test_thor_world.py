"""The symbolic AI2-THOR as a simulator, and how the domain and the failures hang together."""

from __future__ import annotations

import pytest
from thor_rooms import kitchen, outcome

from eai.errors import InputError
from eai.logic import Atom
from eai.simulators import ThorEngine, ThorFailure, ThorWorld, execute
from eai.simulators.thor.engine import ENGINE_ACTIONS, failure_of
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.simulators.thor.world import AGENT, thor_domain
from eai.simulators.variations import redefined
from eai.world import Action


def test_an_engine_leaves_the_state_that_it_is_given() -> None:
    world = ThorWorld()
    start = world.start(kitchen(), changes={Atom("dirty", ("Mug",)): True})
    before = list(start.atoms())
    engine = ThorEngine(start, world=world)
    assert outcome(engine, "CleanObject", "Mug") is None
    assert list(start.atoms()) == before
    assert engine.state.initial is start


def test_no_object_can_have_the_name_of_the_agent() -> None:
    thing = SceneObject("agent", "Mug|1|2|3", "Mug")
    with pytest.raises(InputError, match="agent"):
        ThorWorld().start(Scene("Room", (thing,)))


def test_a_rule_of_the_domain_can_be_another() -> None:
    world = ThorWorld(domain=redefined(thor_domain(), {"brewed_into": "(or)"}))
    engine = ThorEngine(kitchen(CoffeeMachine="on"), world=world)
    assert outcome(engine, "PickupObject", "Mug") is None
    assert outcome(engine, "PutObject", "CoffeeMachine", force=True) is None
    assert not engine.state.holds("filled", ("Mug",))


def test_plans_run_in_the_world_as_in_any_other() -> None:
    world = ThorWorld()
    plan = [
        Action("pickup_object", ("Mug",)),
        Action("put_object", ("CoffeeMachine",)),
        Action("toggle_object_on", ("CoffeeMachine",)),
    ]
    run = execute(world, world.start(kitchen()), plan, agent=AGENT)
    assert run.completed
    assert run.trajectory.final.holds("contains", ("Mug", "coffee"))
    assert Atom("contains", ("Mug", "coffee")) in list(run.trajectory.added(3))
    failed = execute(world, world.start(kitchen()), plan[1:], agent=AGENT)
    assert [each.kind.value for each in failed.findings] == ["missing_step"]


def test_every_test_of_the_domain_stands_for_a_failure() -> None:
    domain = thor_domain()
    world = ThorWorld().world
    used = {
        test.predicate
        for name in domain.operators
        for test in world.operator(name).tests
        if isinstance(test, Atom)
    }
    assert used == {failure.test for failure in ThorFailure} - {""}
    assert len(domain.operators) == len(ENGINE_ACTIONS) + 1


def test_messages_are_known_again() -> None:
    for failure in ThorFailure:
        for part in failure.messages:
            assert failure_of(f"Mug|1|2|3: {part}, sorry.") is failure
    assert failure_of("the agent sneezed") is ThorFailure.OTHER
