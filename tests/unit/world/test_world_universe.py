from __future__ import annotations

import pytest

from eai.errors import InputError, UnknownNameError
from eai.pddl import Domain
from eai.world import Universe

DOMAIN = Domain(
    "home",
    types={"thing": "object", "cup": "thing", "room": "object"},
    constants={"hall": "room"},
)


def test_objects_are_numbered_as_given_and_constants_come_last() -> None:
    universe = Universe(DOMAIN, {"mug": "cup", "box": "thing"})
    assert universe.names == ("mug", "box", "hall")
    assert universe.types == ("cup", "thing", "room")
    assert [universe.number(name) for name in universe.names] == [0, 1, 2]
    assert len(universe) == 3
    assert universe.everything == 0b111
    assert universe.constants == {"hall": 2}


def test_a_constant_that_the_problem_lists_is_one_object() -> None:
    universe = Universe(DOMAIN, {"hall": "room", "mug": "cup"})
    assert universe.names == ("hall", "mug")
    assert universe.constants == {"hall": 0}


def test_a_type_has_the_objects_of_its_subtypes() -> None:
    universe = Universe(DOMAIN, {"mug": "cup", "box": "thing", "it": "object"})
    assert universe.of_types(("thing",)) == ["mug", "box"]
    assert universe.of_types(("cup", "room")) == ["mug", "hall"]
    assert universe.of_types(("object",)) == ["mug", "box", "it", "hall"]
    assert universe.of_types(()) == []


def test_types_in_a_circle_do_not_hang() -> None:
    circular = Domain("odd", types={"a": "b", "b": "a"})
    assert Universe(circular, {"x": "a"}).of_types(("b",)) == ["x"]


def test_a_supertype_that_is_not_declared_is_still_a_type() -> None:
    assert Universe(Domain("odd", types={"cup": "item"}), {"x": "cup"}).of_types(("item",)) == ["x"]


def test_unknown_names_are_refused_with_the_nearest() -> None:
    universe = Universe(DOMAIN, {"mug": "cup"})
    with pytest.raises(UnknownNameError, match="did you mean 'mug'"):
        universe.number("mugs")
    with pytest.raises(UnknownNameError, match="no type named 'cups'"):
        universe.mask(("room", "cups"))
    with pytest.raises(InputError, match="object 'x' has the type 'fork', which domain 'home'"):
        Universe(DOMAIN, {"x": "fork"})
    with pytest.raises(InputError, match="object 'y' has the type 'fork'"):
        Universe(DOMAIN, {"x": "cup", "y": "fork", "z": "fork"})
