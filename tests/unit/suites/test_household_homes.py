"""How a written home becomes the atoms of a state, and which homes are refused."""

from __future__ import annotations

from typing import Any

import pytest

from eai.errors import SchemaError
from eai.logic import Atom, format_formula
from eai.suites.household.homes import OPPOSITES, Home, expand_home
from eai.suites.shared.documents import ChangesDocument, HomesDocument, parse_document

CLASSES: dict[str, Any] = {
    "fridge": {"properties": ["can_open"], "states": ["closed", "clean"]},
    "milk": {"properties": ["grabbable"]},
    "table": {"properties": ["surfaces"]},
    "knife": {"properties": ["grabbable"]},
    "door": {"properties": ["can_open"], "states": ["open"]},
    "face": {"properties": ["body_part"]},
}


def home(
    rooms: dict[str, Any], *, agent: dict[str, Any] | None = None, changes: object = None
) -> Home:
    who = {"id": "character.9", "room": next(iter(rooms)), **(agent or {})}
    written = {"classes": CLASSES, "homes": {"flat": {"title": "T", "agent": who, "rooms": rooms}}}
    document = parse_document(HomesDocument, written, where="homes.json")
    made = parse_document(ChangesDocument, changes or {}, where="changes")
    return expand_home(
        document.homes["flat"], document.classes, changes=made, where="homes.json: flat"
    )


def texts(found: Home) -> set[str]:
    return set(map(format_formula, found.atoms))


def test_everything_is_inside_its_room_whatever_else_it_is_in() -> None:
    found = texts(home({"kitchen.1": {"fridge.2": {}, "milk.3": {"in": "fridge.2"}}}))
    assert {"inside(fridge.2, kitchen.1)", "inside(milk.3, kitchen.1)"} <= found
    assert {"inside(milk.3, fridge.2)", "inside(character.9, kitchen.1)"} <= found
    assert "inside(kitchen.1, kitchen.1)" not in found


def test_support_and_supported_are_next_to_each_other() -> None:
    found = texts(home({"kitchen.1": {"table.2": {}, "milk.3": {"on": "table.2"}}}))
    assert {"ontop(milk.3, table.2)", "next_to(milk.3, table.2)"} <= found
    assert "next_to(table.2, milk.3)" in found
    assert "ontop(table.2, milk.3)" not in found


def test_close_has_two_directions_and_facing_one() -> None:
    things = {"table.2": {"close": ["door.3"], "facing": ["door.3"]}, "door.3": {}}
    found = texts(home({"kitchen.1": things}))
    assert {"next_to(table.2, door.3)", "next_to(door.3, table.2)"} <= found
    assert "facing(table.2, door.3)" in found
    assert "facing(door.3, table.2)" not in found


def test_a_door_is_between_its_rooms() -> None:
    rooms: dict[str, Any] = {
        "kitchen.1": {"door.3": {"between": ["kitchen.1", "hall.2"]}},
        "hall.2": {},
    }
    found = texts(home(rooms))
    assert {"between(door.3, kitchen.1)", "between(door.3, hall.2)"} <= found


def test_properties_come_from_class_object_and_class_name() -> None:
    found = texts(home({"kitchen.1": {"knife.2": {"properties": ["movable"]}}}))
    assert {"grabbable(knife.2)", "movable(knife.2)", "knife(knife.2)"} <= found


@pytest.mark.parametrize(("state", "opposite"), OPPOSITES.items())
def test_a_given_state_replaces_its_opposite(state: str, opposite: str) -> None:
    changes = {"states": {"milk.2": [state]}}
    found = texts(home({"kitchen.1": {"milk.2": {"states": [opposite]}}}, changes=changes))
    assert f"{state}(milk.2)" in found
    assert f"{opposite}(milk.2)" not in found


def test_other_states_of_the_class_stay() -> None:
    found = texts(home({"kitchen.1": {"fridge.2": {"states": ["open"]}}}))
    assert {"open(fridge.2)", "clean(fridge.2)"} <= found
    assert "closed(fridge.2)" not in found


def test_the_body_is_where_the_agent_is() -> None:
    found = home({"kitchen.1": {}}, agent={"body": ["face.8"]})
    assert found.agent == "character.9"
    assert {"inside(face.8, kitchen.1)", "next_to(face.8, character.9)"} <= texts(found)
    assert found.objects == {"kitchen.1": "room", "character.9": "character", "face.8": "thing"}


def test_objects_are_numbered_as_they_are_written() -> None:
    found = home({"kitchen.1": {"milk.5": {}, "fridge.2": {}}, "hall.7": {}})
    assert list(found.objects) == ["kitchen.1", "hall.7", "character.9", "milk.5", "fridge.2"]


def test_a_new_place_replaces_the_old_one() -> None:
    rooms: dict[str, Any] = {
        "kitchen.1": {"fridge.2": {}, "milk.3": {"in": "fridge.2"}},
        "hall.4": {"table.5": {}},
    }
    changes = {"places": {"milk.3": {"room": "hall.4", "on": "table.5"}}}
    found = texts(home(rooms, changes=changes))
    assert {"ontop(milk.3, table.5)", "inside(milk.3, hall.4)"} <= found
    assert not {"inside(milk.3, fridge.2)", "inside(milk.3, kitchen.1)"} & found


def test_changes_can_move_the_agent_onto_a_new_thing() -> None:
    changes = {
        "add": {"kitchen.1": {"table.2": {}}},
        "places": {"character.9": {"on": "table.2"}},
        "states": {"character.9": ["sitting"]},
    }
    found = texts(home({"kitchen.1": {}}, changes=changes))
    assert {"ontop(character.9, table.2)", "sitting(character.9)"} <= found


def test_no_atom_is_listed_twice() -> None:
    things = {"table.2": {"close": ["milk.3"]}, "milk.3": {"on": "table.2", "close": ["table.2"]}}
    atoms: tuple[Atom, ...] = home({"kitchen.1": things}).atoms
    assert len(atoms) == len(set(atoms))


@pytest.mark.parametrize(
    ("things", "message"),
    [
        ({"sofa.2": {}}, "sofa.2: there is no class 'sofa'"),
        ({"milk.2": {"on": "tabel.3"}, "table.3": {}}, "milk.2: on: there is no object 'tabel.3'"),
        ({"milk.2": {"in": "kitchen.1"}}, "there is no object 'kitchen.1'"),
        ({"milk.2": {"close": ["milk.2"]}}, "close names the object itself"),
        ({"milk.2": {"facing": ["door.7"]}}, "facing: there is no object 'door.7'"),
        ({"door.2": {"between": ["hall.7"]}}, "between: there is no room 'hall.7'"),
        ({"milk.2": {"states": ["opened"]}}, "there is no state 'opened'"),
        ({"milk.2": {"states": ["grabbable"]}}, "there is no state 'grabbable'"),
        ({"milk.2": {"properties": ["clean"]}}, "there is no property 'clean'"),
        ({"milk.2": {"properties": ["near"]}}, "there is no property 'near'"),
        ({"milk.2": {"states": ["open", "closed"]}}, "milk.2 is open and closed"),
        ({"milk.2": {}, "fridge.2": {}}, "milk.2 and fridge.2 have the same id"),
        ({"milk.1": {}}, "kitchen.1 and milk.1 have the same id"),
        ({"kitchen.1": {}}, "kitchen.1 is the name of a room and of an object"),
        ({"character.9": {}}, "character.9 is there twice"),
        ({"character.8": {}}, "there is no class 'character'"),
        ({"milk.2": {"on": "table.3", "in": "fridge.4"}}, "there is no object"),
        (
            {"milk.2": {"on": "table.3", "in": "fridge.4"}, "table.3": {}, "fridge.4": {}},
            "both on table.3 and in fridge.4",
        ),
        ({"milk.2": {"on": "table.3"}, "table.3": {"on": "milk.2"}}, "on or in itself"),
    ],
)
def test_impossible_homes_are_refused(things: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        home({"kitchen.1": things})
    assert message in str(caught.value)
    assert caught.value.where == "homes.json: flat"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"states": {"milk.8": ["clean"]}}, "there is no object 'milk.8'"),
        ({"places": {"milk.8": {}}}, "there is no object 'milk.8'"),
        ({"places": {"milk.2": {"room": "hall.8"}}}, "there is no room 'hall.8'"),
        ({"add": {"hall.8": {"milk.3": {}}}}, "there is no room 'hall.8'"),
        ({"add": {"kitchen.1": {"milk.2": {}}}}, "milk.2 is there twice"),
        ({"places": {"table.4": {"room": "hall.5"}}}, "but table.4 is in hall.5"),
    ],
)
def test_impossible_changes_are_refused(changes: object, message: str) -> None:
    rooms = {"kitchen.1": {"milk.2": {"on": "table.4"}, "table.4": {}}, "hall.5": {}}
    with pytest.raises(SchemaError, match=message):
        home(rooms, changes=changes)


def test_a_spelling_mistake_gets_a_suggestion() -> None:
    with pytest.raises(SchemaError) as caught:
        home({"kitchen.1": {"milk.2": {"in": "frigde.3"}, "fridge.3": {}}})
    assert caught.value.mend == "did you mean fridge.3?"
