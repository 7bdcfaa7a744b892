"""The compiled engine agrees with the definitions."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings, strategies as st
from reference_world import Fact, Reference
from strategies_world import Scene, questions, scenes

from eai.logic import Atom, Formula
from eai.world import State, World, changed_literals
from eai.world.bits import bits, mask_of
from eai.world.compiler import Updates
from eai.world.state import Literal

thorough = settings(
    max_examples=80,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def facts_of(state: State) -> frozenset[Fact]:
    return frozenset((atom.predicate, tuple(map(str, atom.terms))) for atom in state.atoms())


@thorough
@given(scenes(), st.integers(min_value=0, max_value=31))
def test_facts_among_some_objects_and_arguments_are_those_of_all_facts(
    scene: Scene, objects: int
) -> None:
    state = World(scene.domain).state(scene.objects, scene.facts)
    members = set(bits(objects & state.universe.everything))
    facts = list(state.facts())
    for arity in (1, 2):
        expected = [fact for fact in facts if len(fact[1]) == arity and members.issuperset(fact[1])]
        assert list(state.facts_among(mask_of(members), arity)) == expected
    for name, declaration in scene.domain.predicates.items():
        masks = [0] * declaration.arity
        for predicate, numbers in facts:
            if predicate == name:
                masks = [mask | 1 << number for mask, number in zip(masks, numbers, strict=True)]
        assert state.arguments(name) == masks


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


def changed_by(state: State, updates: Updates, *, adding: bool) -> set[Literal]:
    """The literals that additions, or deletions, of an effect make so."""
    changes = [(p, column, key, mask, adding) for p, column, key, mask in updates]
    return set(changed_literals(changes, state.layout))


@thorough
@given(scenes())
def test_the_parts_of_an_effect_are_the_whole_and_depend_on_what_they_say(scene: Scene) -> None:
    world = World(scene.domain)
    state = world.state(scene.objects, scene.facts)
    reference = Reference(scene.domain, scene.objects)
    for name, operator in scene.domain.operators.items():
        compiled = world.operator(name)
        bindings = [tuple(binding.values()) for binding in reference.bindings(operator.parameters)]
        known: dict[tuple[int, tuple[int, ...]], tuple[set[Literal], set[Literal]]] = {}
        for arguments in bindings:
            numbers = world.numbers(state, name, arguments)
            whole_adds, whole_dels = compiled.effect(state, *numbers)
            adds, dels = set[Literal](), set[Literal]()
            for part, (positions, function) in enumerate(compiled.effects):
                added, deleted = function(state, *numbers)
                own = (
                    changed_by(state, added, adding=True),
                    changed_by(state, deleted, adding=False),
                )
                # The same for all actions with the same arguments at these positions.
                key = part, tuple(numbers[at] for at in positions)
                assert known.setdefault(key, own) == own
                adds |= own[0]
                dels |= own[1]
            assert adds == changed_by(state, whole_adds, adding=True)
            assert dels == changed_by(state, whole_dels, adding=False)
            # Parts can be made one after the other: none adds what another one deletes.
            changed = state.copy()
            for _, function in reversed(compiled.effects):
                added, deleted = function(state, *numbers)
                for updates, value in ((deleted, False), (added, True)):
                    for p, column, line, mask in updates:
                        changed.write(p, column, line, mask, value)
            binding = dict(zip((v.name for v in operator.parameters), arguments, strict=True))
            assert facts_of(changed) == reference.successor(operator, facts_of(state), binding)
