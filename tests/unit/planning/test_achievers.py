"""Effects that are about certain objects, against all instances of the effects."""

from __future__ import annotations

from itertools import product

import pytest

from eai.logic import Atom, Variable
from eai.pddl import parse_domain
from eai.planning.achievers import Achiever, achievers, effects_of
from eai.world import World

WORLD = World(
    parse_domain("""(define (domain home) (:requirements :adl) (:types room cup - object)
      (:constants kitchen - room)
      (:predicates (in ?x ?y) (lit ?r) (dark))
      (:action carry :parameters (?c - cup ?r - room)
        :effect (and (in ?c ?r) (not (in ?c kitchen)) (lit kitchen)))
      (:action shake :parameters (?c - cup) :effect (and (in ?c ?c) (dark)))
      (:action flood :parameters (?r - room)
        :effect (forall (?c - cup) (when (lit ?r) (and (in ?c ?r) (not (lit ?r)))))))""")
)
OBJECTS = {"kitchen": "room", "hall": "room", "mug": "cup", "glass": "cup"}
UNIVERSE = WORLD.state(OBJECTS, []).universe
NUMBERS = range(len(OBJECTS))
EFFECTS = [effect for name in WORLD.domain.operators for effect in effects_of(WORLD, name)]


def number_of(term: Variable | str, values: dict[str, int]) -> int:
    return values[term.name] if isinstance(term, Variable) else UNIVERSE.number(term)


def instances(effect: Achiever) -> list[dict[str, int]]:
    """Return all values of the variables that have the right types."""
    ranges = [
        [number for number in NUMBERS if UNIVERSE.mask(variable.types) >> number & 1]
        for variable in effect.variables
    ]
    names = [variable.name for variable in effect.variables]
    return [dict(zip(names, values, strict=True)) for values in product(*ranges)]


def told(effect: Achiever) -> str:
    return f"{effect.operator.name} {effect.atom} {effect.sign[1]}"


@pytest.mark.parametrize("effect", EFFECTS, ids=told)
def test_a_binding_is_what_all_instances_about_these_objects_have(effect: Achiever) -> None:
    for numbers in product(NUMBERS, repeat=len(effect.atom.terms)):
        about = [
            values
            for values in instances(effect)
            if tuple(number_of(term, values) for term in effect.atom.terms) == numbers
        ]
        found = effect.binding(numbers, UNIVERSE, {})
        assert (found is None) is (not about)
        for name, value in (found or {}).items():
            assert {values[name] for values in about} == {value}


@pytest.mark.parametrize("effect", EFFECTS, ids=told)
def test_values_that_are_given_have_to_fit(effect: Achiever) -> None:
    for values in instances(effect):
        numbers = tuple(number_of(term, values) for term in effect.atom.terms)
        assert effect.binding(numbers, UNIVERSE, values) == values
        for name in values:
            other = {name: (values[name] + 1) % len(NUMBERS)}
            found = effect.binding(numbers, UNIVERSE, other)
            fits = any(
                instance[name] == other[name]
                and tuple(number_of(term, instance) for term in effect.atom.terms) == numbers
                for instance in instances(effect)
            )
            assert (found is not None) is fits


def test_achievers_of_a_sign_are_the_effects_with_it() -> None:
    names = tuple(WORLD.domain.operators)
    found = [
        effect
        for sign in sorted({effect.sign for effect in EFFECTS})
        for effect in achievers(WORLD, sign, names)
    ]
    assert sorted(map(told, found)) == sorted(map(told, EFFECTS))
    assert all(isinstance(effect.atom, Atom) for effect in found)
