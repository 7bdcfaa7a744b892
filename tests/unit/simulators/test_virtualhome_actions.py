"""All actions of the VirtualHome domain: what they need and what they change.

Each case stands in a kitchen and a bath with a person (``me``) and things. A fact is its words,
separated by blanks. A *break* toggles facts of the case so that one test of the precondition is
the first to fail; every test of every action has one.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from eai.logic import Atom
from eai.simulators import VirtualHomeSimulator, virtualhome_domain
from eai.world import State

WORLD = VirtualHomeSimulator().world
THINGS = ("it", "at", "box", "cup", "rag", "tv", "other", "third", "fourth")
OBJECTS = {"kitchen": "room", "bath": "room", "me": "character", **dict.fromkeys(THINGS, "thing")}
BASE = ("inside me kitchen",)


@dataclass(frozen=True)
class Case:
    """An action with what makes it applicable, its changes, and what prevents it."""

    step: str
    facts: str
    added: str = ""
    deleted: str = ""
    breaks: tuple[str, ...] = ()


def _words(facts: str) -> frozenset[str]:
    return frozenset(filter(None, facts.split(", ")))


def state_of(facts: frozenset[str]) -> State:
    split = (fact.split() for fact in sorted(facts))
    return WORLD.state(OBJECTS, [Atom(words[0], tuple(words[1:])) for words in split])


def facts_in(state: State) -> frozenset[str]:
    return frozenset(" ".join([atom.predicate, *map(str, atom.terms)]) for atom in state.atoms())


def first_failure(step: str, facts: frozenset[str]) -> int:
    name, *arguments = step.split()
    state = state_of(facts)
    return WORLD.first_failure(state, name, WORLD.numbers(state, name, ("me", *arguments)))


def done(step: str, facts: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """What a step adds and deletes."""
    name, *arguments = step.split()
    state = state_of(facts)
    WORLD.apply(state, name, WORLD.numbers(state, name, ("me", *arguments)))
    return facts_in(state) - facts, facts - facts_in(state)


BOTH_HANDS = "holds_rh me cup, holds_lh me rag"
SHUT_IN = "inside it box, closed box"
JOURNEY = (
    "inside it bath, next_to me at, next_to at me, facing me at, facing tv me, "
    "holds_rh me cup, inside cup kitchen, next_to cup at, facing cup tv"
)
ARRIVED = (
    "inside me bath, next_to me it, next_to it me, next_to me cup, next_to cup me, inside cup bath"
)
LEFT = (
    "inside me kitchen, next_to me at, next_to at me, facing me at, facing tv me, "
    "inside cup kitchen, next_to cup at, facing cup tv"
)

CASES = [
    *(
        Case(
            f"{verb} it", JOURNEY, ARRIVED, LEFT,
            ("sitting me", "lying me", "inside me kitchen", "inside it bath"),
        )
        for verb in ("walk", "run")
    ),
    Case(
        "find it", JOURNEY, ARRIVED, LEFT,
        ("body_part it", "sitting me", "lying me", "inside me kitchen", "inside it bath"),
    ),
    Case("turnto it", "facing me at, facing me tv", "facing me it", "facing me at, facing me tv"),
    Case(
        "sit it", "next_to me it, sittable it, lying me, facing it tv",
        "sitting me, ontop me it, facing me tv", "lying me",
        ("next_to me it", "sitting me", "sittable it", "ontop other it"),
    ),
    Case(
        "lie it", "next_to me it, lieable it, sitting me", "lying me, ontop me it", "sitting me",
        ("next_to me it", "lying me", "lieable it", "ontop other it"),
    ),
    Case(
        "standup", "sitting me, ontop me it, ontop cup it", "", "sitting me, ontop me it",
        ("sitting me",),
    ),
    Case("sleep", "lying me, ontop me it", breaks=("lying me",)),
    Case("wakeup", "sitting me, ontop me it", breaks=("sitting me",)),
    Case(
        "grab it",
        "grabbable it, next_to me it, inside it kitchen, ontop it at, next_to it at, ontop cup it",
        "holds_rh me it, next_to it me, from_on it at, next_to me at, next_to at me",
        "ontop it at, next_to it at, ontop cup it",
        ("grabbable it", "holds_rh me it", "next_to me it", SHUT_IN, BOTH_HANDS),
    ),
    Case(
        "putback it at", "holds_rh me it, next_to me at, from_on it other",
        "ontop it at, next_to at me, next_to it at, next_to at it",
        "holds_rh me it, from_on it other",
        ("holds_rh me it", "next_to me at"),
    ),
    Case(
        "putin it at", "holds_lh me it, next_to me at, from_inside it other",
        "inside it at, next_to at me, next_to it at, next_to at it",
        "holds_lh me it, from_inside it other",
        ("holds_lh me it", "next_to me at", "can_open at, closed at"),
    ),
    Case(
        "putobjback it", "holds_rh me it, from_on it at, next_to me at",
        "ontop it at, next_to at me, next_to it at, next_to at it",
        "holds_rh me it, from_on it at",
        ("from_on it at", "next_to me at"),
    ),
    *(
        Case(
            f"{verb} it", "holds_lh me it, from_on it at", "inside it kitchen",
            "holds_lh me it, from_on it at", ("holds_lh me it",),
        )
        for verb in ("drop", "release")
    ),
    Case(
        "pour it at", "pourable it, recipient at, holds_rh me it, next_to me at", "inside it at",
        breaks=("pourable it", "recipient at", "holds_rh me it", "next_to me at"),
    ),
    Case(
        "puton it", "holds_rh me it, clothes it", "ontop it me", "holds_rh me it",
        ("holds_rh me it", "clothes it"),
    ),
    Case(
        "putoff it", "ontop it me, clothes it", "", "ontop it me", ("ontop it me", "clothes it")
    ),
    Case(
        "open it", "can_open it, next_to me it, closed it", "open it", "closed it",
        ("can_open it", "next_to me it", BOTH_HANDS, "closed it", "on it"),
    ),
    Case(
        "close it", "can_open it, next_to me it, open it", "closed it", "open it",
        ("can_open it", "next_to me it", "open it"),
    ),
    Case(
        "switchon it", "has_switch it, next_to me it, off it", "on it", "off it",
        ("has_switch it", "next_to me it", "off it", "plugged_out it"),
    ),
    Case(
        "switchoff it", "has_switch it, next_to me it, on it", "off it", "on it",
        ("has_switch it", "next_to me it", "on it"),
    ),
    Case(
        "plugin it", "has_plug it, next_to me it, plugged_out it", "plugged_in it",
        "plugged_out it", ("has_plug it", "next_to me it", BOTH_HANDS, "plugged_out it"),
    ),
    Case(
        "plugout it", "has_plug it, next_to me it, plugged_in it", "plugged_out it",
        "plugged_in it", ("has_plug it", "next_to me it", BOTH_HANDS, "plugged_in it"),
    ),
    *(
        Case(f"{verb} it", "next_to me it, dirty it", "clean it", "dirty it", ("next_to me it",))
        for verb in ("wash", "rinse", "scrub")
    ),
    Case(
        "wipe it", "next_to me it, dirty it, holds_lh me rag", "clean it", "dirty it",
        ("next_to me it", "holds_lh me rag"),
    ),
    Case("drink it", "drinkable it, holds_rh me it", breaks=("drinkable it", "holds_rh me it")),
    Case("eat it", "next_to me it, eatable it", breaks=("next_to me it", "eatable it")),
    Case(
        "cut it", "next_to me it, eatable it, cuttable it, holds_rh me cup, knife cup",
        breaks=("holds_lh me rag", "next_to me it", "eatable it", "cuttable it", "knife cup"),
    ),
    Case("read it", "readable it, holds_lh me it", breaks=("readable it", "holds_lh me it")),
    Case("lookat it", "facing me it", breaks=("facing me it",)),
    Case("pointat it", "facing me it", breaks=("facing me it",)),
    Case(
        "watch it", "lookable it, inside it kitchen, facing me it",
        breaks=(
            "lookable it",
            "inside it kitchen",
            "facing me it",
            "facing me it, facing me at, facing at it, sitting me",
            SHUT_IN,
        ),
    ),
    Case("greet it", "person it", breaks=("person it",)),
    Case("touch it", "next_to me it", breaks=("next_to me it", SHUT_IN)),
    Case("type it", "next_to me it, typeable it", breaks=("next_to me it", "typeable it")),
    Case("push it", "next_to me it", breaks=("next_to me it", SHUT_IN, BOTH_HANDS)),
    *(
        Case(
            f"{verb} it", "movable it, next_to me it",
            breaks=("movable it", "next_to me it", SHUT_IN, BOTH_HANDS),
        )
        for verb in ("pull", "move")
    ),
    Case(
        "squeeze it", "next_to me it, clothes it",
        breaks=(BOTH_HANDS, "next_to me it", "clothes it"),
    ),
]  # fmt: skip


def test_every_action_of_the_domain_has_a_case() -> None:
    assert sorted(case.step.split()[0] for case in CASES) == sorted(virtualhome_domain().operators)
    assert len(CASES) == 42


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.step)
def test_an_applicable_action_changes_what_it_should(case: Case) -> None:
    facts = _words(case.facts).union(BASE)
    assert first_failure(case.step, facts) == -1
    assert done(case.step, facts) == (_words(case.added), _words(case.deleted))


@pytest.mark.parametrize(
    ("case", "test"),
    [(case, test) for case in CASES for test in range(len(case.breaks))],
    ids=[f"{case.step}-{test}" for case in CASES for test in range(len(case.breaks))],
)
def test_each_test_of_a_precondition_can_fail_first(case: Case, test: int) -> None:
    facts = _words(case.facts).union(BASE) ^ _words(case.breaks[test])
    assert first_failure(case.step, facts) == test


def test_no_test_of_a_precondition_is_without_a_break() -> None:
    tests = {case.step: WORLD.operator(case.step.split()[0]).tests for case in CASES}
    assert {step: len(found) for step, found in tests.items()} == {
        case.step: len(case.breaks) for case in CASES
    }


# ---------------------------------------------------------------------- ways to the same end


def applicable(step: str, facts: str) -> bool:
    return first_failure(step, _words(facts).union(BASE)) == -1


@pytest.mark.parametrize(
    ("step", "facts"),
    [
        ("walk bath", ""),
        ("grab it", "liftable it, next_to me it"),
        ("grab it", "grabbable it, next_to me it, inside it box, open box"),
        ("grab it", "grabbable it, next_to me it, inside it kitchen, closed kitchen"),
        ("grab it", "grabbable it, next_to me it, holds_rh me cup"),
        ("touch it", "next_to me at, next_to at it"),
        ("touch it", "next_to me at, ontop it at"),
        ("open it", "openable it, next_to me it, closed it, holds_rh me cup"),
        ("putin it at", "holds_rh me it, next_to me at, can_open at, open at"),
        ("pour it at", "drinkable it, wettable at, holds_rh me it, next_to me at"),
        ("drink it", "recipient it, holds_lh me it"),
        ("eat at", "next_to me at, ontop it at, eatable it"),
        ("watch it", "lookable it, inside it kitchen, facing me at, facing at it"),
        ("watch it", "lookable it, inside it kitchen, facing me it, sitting me"),
        ("watch it", "lookable it, computer it, inside it kitchen, facing me at, facing at it, "
                     "sitting me"),
        ("lookat it", "facing me at, facing at it"),
        ("find it", "next_to me it, sitting me, body_part it"),
        ("type it", "next_to me it, has_switch it"),
        ("pull it", "slidable it, next_to me it"),
        ("squeeze it", "squeezable it, next_to me it"),
        ("sleep", "sitting me"),
        ("standup", "lying me"),
    ],
)  # fmt: skip
def test_other_ways_to_make_an_action_applicable(step: str, facts: str) -> None:
    assert applicable(step, facts)


@pytest.mark.parametrize(
    ("kind", "places"),
    [("", 1), ("seats_two", 2), ("seats_four", 4)],
)
def test_a_seat_has_places(kind: str, places: int) -> None:
    sitting = ["other", "third", "fourth", "cup"]
    base = f"next_to me it, sittable it, {kind} it".replace(",  it", "")
    for taken in range(5):
        facts = ", ".join([base, *(f"ontop {who} it" for who in sitting[:taken])])
        assert applicable("sit it", facts) is (taken < places)


@pytest.mark.parametrize(("kind", "places"), [("", 1), ("beds_two", 2), ("beds_three", 3)])
def test_a_bed_has_places(kind: str, places: int) -> None:
    lying = ["other", "third", "fourth"]
    base = f"next_to me it, lieable it, {kind} it".replace(",  it", "")
    for taken in range(4):
        facts = ", ".join([base, *(f"ontop {who} it" for who in lying[:taken])])
        assert applicable("lie it", facts) is (taken < places)


def test_the_second_thing_goes_into_the_left_hand_and_remembers_its_container() -> None:
    facts = _words("grabbable it, next_to me it, inside it box, holds_rh me cup").union(BASE)
    added, deleted = done("grab it", facts)
    assert {"holds_lh me it", "from_inside it box", "inside it kitchen"} <= added
    assert "inside it box" in deleted


def test_grabbing_from_a_surface_inside_something_remembers_the_surface() -> None:
    facts = _words("grabbable it, next_to me it, inside it box, ontop it at").union(BASE)
    added, _ = done("grab it", facts)
    assert "from_on it at" in added
    assert "from_inside it box" not in added


def test_finding_something_at_hand_moves_nothing() -> None:
    facts = _words("next_to me it, next_to me at, facing me tv, inside it bath").union(BASE)
    added, deleted = done("find it", facts)
    assert added == {"next_to it me"}
    assert deleted == {"facing me tv"}


def test_walking_to_something_reaches_what_is_around_it() -> None:
    facts = _words(
        "inside it bath, inside it box, ontop it at, can_open it, inside cup it, body_part rag"
    ).union(BASE)
    added, _ = done("walk it", facts)
    reached = {fact.split()[2] for fact in added if fact.startswith("next_to me")}
    assert reached == {"it", "box", "at", "cup", "rag"}


def test_walking_to_a_room_reaches_only_what_is_held() -> None:
    facts = _words("holds_lh me cup, body_part rag, inside it bath").union(BASE)
    added, _ = done("walk bath", facts)
    assert added == {"inside me bath", "inside cup bath", "next_to me cup", "next_to cup me"}


def test_poured_water_leaves_the_hand_and_coffee_does_not() -> None:
    facts = _words("pourable it, recipient at, holds_rh me it, next_to me at").union(BASE)
    assert done("pour it at", facts)[1] == frozenset()
    assert done("pour it at", facts | {"water it"})[1] == {"holds_rh me it"}


def test_putting_an_object_back_into_a_container_needs_it_open() -> None:
    facts = "holds_rh me it, from_inside it at, next_to me at, can_open at"
    assert not applicable("putobjback it", facts)
    assert applicable("putobjback it", f"{facts}, open at")
    added, deleted = done("putobjback it", _words(f"{facts}, open at").union(BASE))
    assert "inside it at" in added
    assert deleted == {"holds_rh me it", "from_inside it at"}


def test_what_is_only_in_a_room_is_put_back_into_that_room() -> None:
    added, _ = done("grab it", _words("grabbable it, next_to me it, inside it kitchen").union(BASE))
    assert "from_room it kitchen" in added
    held = "holds_rh me it, from_room it kitchen"
    assert applicable("putobjback it", held)
    assert not applicable("putobjback it", "holds_rh me it, from_room it bath")
    added, deleted = done("putobjback it", _words(held).union(BASE))
    assert "inside it kitchen" in added
    assert deleted == _words(held)


@pytest.mark.parametrize("posture", ["sitting me", "lying me"])
def test_posture_forbids_going_and_nothing_that_is_within_reach(posture: str) -> None:
    beside = f"{posture}, next_to me at, next_to at it, grabbable it, can_open it, closed it"
    for step in ("find it", "open it", "grab it"):
        assert applicable(step, beside)
    away = f"{posture}, inside it kitchen"
    for step in ("walk it", "run it", "find it"):
        assert not applicable(step, away)
        assert applicable(step, "inside it kitchen")
