"""What there is at the start of a task, as prompts list it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from eai.abilities.scenes import bullets, facts, objects, scene, states
from eai.logic import Atom
from eai.pddl import parse_domain
from eai.task import Goal, Task, Vocabulary
from eai.world import World

WORLD = World(
    parse_domain("""(define (domain home) (:types room thing - object cup - thing)
  (:predicates (clean ?x) (full ?x) (in ?x ?y) (near ?x ?y) (between ?x ?y ?z)))""")
)
CUPS = tuple(f"cup.{number}" for number in range(1, 7))
OBJECTS = {"hall.0": "room", **dict.fromkeys(CUPS, "cup"), "desk.9": "thing", "me": "object"}


def task(*words: str) -> Task:
    """A task in which these facts hold at the start; plans may name everything but ``me``."""
    atoms = [Atom(name, tuple(terms)) for name, *terms in map(str.split, words)]
    known = frozenset(OBJECTS) - {"me"}
    return Task(
        id="home",
        name="Home",
        instruction="",
        start=WORLD.state(OBJECTS, atoms),
        agent="me",
        goal=Goal(),
        vocabulary=Vocabulary({}, {}, known),
    )


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line not in {f"- {name}" for name in OBJECTS}]


def test_a_list_without_lines_has_a_word() -> None:
    assert bullets(["a", "b"]) == "- a\n- b"
    assert bullets([]) == "(none)"
    assert bullets([], none="nothing") == "nothing"


def test_states_and_facts_are_about_what_plans_may_name() -> None:
    found = task("full cup.1", "clean cup.1", "clean me", "in cup.1 desk.9", "in me hall.0")
    assert list(states(found)) == [name for name in OBJECTS if name != "me"]
    assert {name: held for name, held in states(found).items() if held} == {
        "cup.1": ["clean", "full"]
    }
    assert facts(found) == ["in(cup.1, desk.9)"]
    assert facts(found, hidden=["in"]) == []
    assert facts(found, about=["desk.9"]) == []
    assert facts(found, about=["cup.1"]) == ["in(cup.1, desk.9)"]
    assert lines(objects(found, {"cup.1": "cup", "cup.2": "cup"})) == [
        "- cup.1 (cup): clean, full",
        "- cup.2 (cup)",
    ]


def test_what_many_things_share_stands_above_them() -> None:
    five = task(*(f"in {name} hall.0" for name in CUPS[:5]), "in desk.9 cup.6", "clean cup.2")
    assert scene(five).splitlines() == [
        "- hall.0",
        "- cup.6",
        "- desk.9: in cup.6",
        "in hall.0:",
        "- cup.1",
        "- cup.2: clean",
        "- cup.3",
        "- cup.4",
        "- cup.5",
    ]
    four = task(*(f"in {name} hall.0" for name in CUPS[:4]))
    assert lines(scene(four)) == [f"- {name}: in hall.0" for name in CUPS[:4]]


def test_an_object_stands_below_what_it_shares_with_the_most_others() -> None:
    found = task(
        *(f"in {name} hall.0" for name in CUPS[:5]), *(f"near {name} desk.9" for name in CUPS)
    )
    assert "near desk.9:\n- cup.1: in hall.0\n" in scene(found)


@pytest.mark.parametrize("outer", [("desk.9", "hall.0"), ("hall.0", "desk.9")])
def test_of_what_equally_many_share_the_first_by_name_stands_above(outer: tuple[str, str]) -> None:
    found = task(*(f"near {name} {place}" for place in outer for name in CUPS))
    assert "near desk.9:\n- cup.1: near hall.0\n" in scene(found)


def test_a_relation_that_goes_both_ways_is_said_once() -> None:
    found = task("near cup.1 cup.2", "near cup.2 cup.1", "near cup.2 cup.2")
    assert lines(scene(found)) == [
        "near goes both ways.",
        "- cup.1: near cup.2",
        "- cup.2: near cup.2",
    ]
    one_way = task("near cup.1 cup.2", "near cup.2 cup.1", "near cup.2 cup.3")
    assert lines(scene(one_way)) == ["- cup.1: near cup.2", "- cup.2: near cup.1, cup.3"]


@pytest.mark.parametrize("number", [4, 5])
def test_what_follows_from_another_relation_is_left_out(number: int) -> None:
    inside = list(pairwise(CUPS))[:number]
    both = [*inside, *((second, first) for first, second in inside)]
    found = task(*(f"in {a} {b}" for a, b in inside), *(f"near {a} {b}" for a, b in both))
    said = lines(scene(found))
    if number < 5:  # then each is said
        assert said[0] == "near goes both ways."
        assert said[1:] == [f"- {a}: in {b}; near {b}" for a, b in inside]
    else:
        assert said[0] == ("near goes both ways. What is in something on its line is also near it.")
        assert said[1:] == [f"- {a}: in {b}" for a, b in inside]


def test_objects_and_predicates_can_be_called_otherwise_and_left_out() -> None:
    found = task("in cup.1 desk.9", "clean cup.1", "full desk.9", "near cup.2 cup.1")
    shown = scene(
        found, hidden=["full"], only=["cup.1", "desk.9"], rename=str.upper, show=str.title
    )
    assert shown.splitlines() == ["- CUP.1: Clean; In DESK.9", "- DESK.9"]
    assert scene(found, only=[]) == "(none)"


def test_types_are_written_unless_the_name_says_them() -> None:
    shown = scene(task(), kinds=["thing", "cup"], only=["cup.1", "desk.9", "hall.0"])
    assert shown.splitlines() == ["- hall.0", "- cup.1: thing", "- desk.9: thing"]
