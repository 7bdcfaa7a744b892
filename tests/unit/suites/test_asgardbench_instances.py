"""The instances of AsgardBench as they are shipped and as others are written."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from eai.errors import InputError, SchemaError, UnknownNameError
from eai.suites.asgardbench.instances import (
    FAMILIES,
    Instance,
    instance,
    instances,
    read_instances,
    rules,
    write_instances,
)

SMALL = '{"id": "a", "family": "f", "scene": "s", "instruction": "i", "seed": 1'


def test_the_numbers_are_those_of_the_paper() -> None:
    known = instances().values()
    families = Counter(one.family for one in known)
    assert len(known) == 108
    assert len(families) == 12
    assert families["slice_and_distribute"] == 27
    assert len({one.scene for one in known}) == 29
    assert sum(one.reference_steps for one in known) == 3579


def test_the_setups_are_those_of_the_paper() -> None:
    steps = Counter(
        (what, name.split("_")[0]) for one in instances().values() for what, name, *_ in one.setup
    )
    assert steps["dirty", "Plate"] == 25
    assert steps["fill", "Mug"] == 6
    assert sum(bool(one.setup) for one in instances().values()) == 69


def test_half_of_the_sinks_are_blocked() -> None:
    assert sum(one.reference.blocked_sink for one in instances().values()) == 49


def test_one_instance_in_full() -> None:
    one = instance("clean_mirror__FloorPlan406_V1")
    assert one.instruction == "Clean the mirror"
    assert one.goals.action == ("Spray Mirror",)
    assert one.goals.state == (("Mirror", "isDirty", False),)
    assert not one.goals.kitchen_exit
    assert one.setup == (("dirty", "Mirror_20624cac"),)
    assert one.visible == ("Cloth", "SprayBottle")


def test_an_unknown_instance_is_named_with_its_neighbours() -> None:
    with pytest.raises(UnknownNameError, match="FloorPlan4O6") as caught:
        instance("clean_mirror__FloorPlan4O6_V1")
    assert "clean_mirror__FloorPlan406_V1" in str(caught.value)


def test_what_is_written_is_read_back() -> None:
    some = list(instances().values())[::17]
    assert read_instances(write_instances(some)) == some


def test_what_is_left_out_has_its_default() -> None:
    (one,) = read_instances('{"instances": [' + SMALL + ', "reference_steps": 3}]}')
    assert one == Instance("a", "f", "s", "i", 1, 3)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "cannot be read"),
        ("[]", "cannot be read"),
        ('{"tasks": []}', "instances"),
        ('{"instances": [' + SMALL + "}]}", "reference_steps"),
        ('{"instances": [' + SMALL + ', "reference_steps": "many"}]}', "reference_steps"),
    ],
)
def test_bad_instances_say_where(text: str, says: str) -> None:
    with pytest.raises(SchemaError) as caught:
        read_instances(text, where="mine.json")
    assert says in str(caught.value)
    assert "mine.json" in str(caught.value)


@pytest.mark.parametrize(
    ("row", "meant"),
    [
        ({"reference_step": 4}, "reference_steps"),
        ({"goals": {"sate": []}}, "state"),
        ({"pose": {"yow": 1.0}}, "yaw"),
        ({"distractors": [{"typse": ["Egg"]}]}, "types"),
        ({"reference": {"wash": 1}}, "washes"),
        ({"family": "cook_eg"}, "cook_egg"),
    ],
)
def test_unknown_keys_and_misspelt_families_are_refused(row: dict[str, object], meant: str) -> None:
    small = {**json.loads(SMALL + "}"), "reference_steps": 3, **row}
    with pytest.raises(UnknownNameError) as caught:
        read_instances(json.dumps({"instances": [small]}))
    assert meant in caught.value.suggestions
    assert caught.value.where


def test_a_key_that_is_given_twice_is_refused() -> None:
    with pytest.raises(SchemaError):
        read_instances('{"instances": [' + SMALL + ', "family": "cook_egg"}]}')


@pytest.mark.parametrize("row", [{"reference_steps": -4}, {"reference": {"washes": -1}}])
def test_numbers_that_are_too_small_are_refused(row: dict[str, object]) -> None:
    small = {**json.loads(SMALL + "}"), "reference_steps": 3, **row}
    with pytest.raises(InputError) as caught:
        read_instances(json.dumps({"instances": [small]}))
    assert "'a'" in str(caught.value.where)


def test_the_families_are_the_published_ones() -> None:
    assert {one.family for one in instances().values()} == set(FAMILIES)


def test_classes_stand_for_their_types() -> None:
    assert rules().spread(("Silverware", "Egg")) == {
        *("Knife", "Fork", "Ladle", "Spatula", "Spoon", "ButterKnife"),
        "Egg",
    }


def test_the_rules_name_kitchens_as_they_are_left() -> None:
    assert ("Fridge", "isOpen", False) in rules().exit
    assert len(rules().exit) == 6
    assert rules().homes["Mug"] == ("Cabinet",)


def test_what_is_shipped_has_its_origin() -> None:
    from importlib import resources

    folder = resources.files("eai.data.tasks.asgardbench")
    assert "MIT" in folder.joinpath("NOTICE").read_text("utf-8")
    assert "MIT" in json.loads(folder.joinpath("instances.json").read_text("utf-8"))["source"]
