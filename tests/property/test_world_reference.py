"""The compiled engine agrees with the definitions."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from eai.logic import Atom, Formula
from eai.world import State, World
from reference_world import Fact, Reference
from strategies_world import Scene, questions, scenes

thorough = settings(
    max_examples=80,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def facts_of(state: State) -> frozenset[Fact]:
    return frozenset((atom.predicate, tuple(map(str, atom.terms))) for atom in state.atoms())


@thorough
@given(questions())
def test_conditions_are_true_where_the_definitions_say(question: tuple[Scene, Formula]) -> None:
    scene, condition = question
    state = World(scene.domain).state(scene.objects, scene.facts)
    reference = Reference(scene.domain, scene.objects)
    expected = reference.holds(condition, facts_of(state), {})
    assert World(scene.domain).holds(state, condition) == expected


@thorough
@given(scenes())
def test_derived_predicates_have_the_extension_of_their_rules(scene: Scene) -> None:
    world = World(scene.domain)
    state = world.state(scene.objects, scene.facts)
    reference = Reference(scene.domain, scene.objects)
    known = reference.closed(facts_of(state))
    for name in scene.domain.derived:
        parameters = scene.domain.predicates[name].parameters
        for binding in reference.bindings(parameters):
            arguments = tuple(binding.values())
            assert world.holds(state, Atom(name, arguments)) == ((name, arguments) in known)


@thorough
@given(scenes())
def test_actions_lead_where_the_definitions_say(scene: Scene) -> None:
    world = World(scene.domain)
    start = world.state(scene.objects, scene.facts)
    before = facts_of(start)
    reference = Reference(scene.domain, scene.objects)
    for name, operator in scene.domain.operators.items():
        for binding in reference.bindings(operator.parameters):
            numbers = world.numbers(start, name, tuple(binding.values()))
            applicable = reference.holds(operator.precondition, before, binding)
            assert (world.first_failure(start, name, numbers) < 0) == applicable
            assert (not world.failures(start, name, numbers)) == applicable
            expected = reference.successor(operator, before, binding)
            assert world.changes(start, name, numbers) == (expected != before)
            state = start.copy()
            world.apply(state, name, numbers)
            assert facts_of(state) == expected
            assert facts_of(start) == before
