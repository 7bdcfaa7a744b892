"""Names of goals are looked up loosely, and what is wrong with one is said by its kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eai.abilities import GoalNames, GoalReading, PredictedGoal, ReadGoal
from eai.answers import LONGEST_NAME
from eai.diagnosis import ErrorKind
from eai.logic import Atom, Not
from eai.task import Vocabulary

NAMES = GoalNames(
    Vocabulary(
        actions={"walk_to": 1, "sleep": 0},
        predicates={"plugged_in": 1, "inside": 2, "between": 3, "lit": 0},
        objects=frozenset({"cup.1", "cup.2", "living_room.3", "tv_stand.4"}),
        classes={"cup": ("cup.1", "cup.2"), "living_room": ("living_room.3",)},
    ),
    aliases={("pluggedinto", 1): "plugged_in", ("in", 2): "inside"},
)


@pytest.mark.parametrize(
    ("name", "arities"),
    [
        ("plugged_in", {1}),
        ("Plugged In", {1}),
        ("PLUGGEDIN", {1}),
        ("plugged-into", {1}),
        ("in", {2}),
        ("between", {3}),
        ("lit", {0}),
        ("cup", set()),
        ("", set()),
    ],
)
def test_predicates_are_found_by_their_letters_and_by_aliases(name: str, arities: set[int]) -> None:
    assert NAMES.arities(name) == arities
    for arity in range(4):
        assert NAMES.has_predicate(name, arity) is (arity in arities)


@pytest.mark.parametrize(
    ("name", "objects"),
    [
        ("cup.1", ("cup.1",)),
        ("CUP.1", ("cup.1",)),
        ("cup_2", ("cup.2",)),
        ("cup 2", ("cup.2",)),
        ("cup", ("cup.1", "cup.2")),
        ("Cup", ("cup.1", "cup.2")),
        ("living room", ("living_room.3",)),
        ("LivingRoom", ("living_room.3",)),
        ("LivingRoom 3", ("living_room.3",)),
        ("tv_stand.4", ("tv_stand.4",)),
        ("cup.3", ()),
        ("tv", ()),
        ("inside", ()),
        ("cup" * 200, ()),
    ],
)
def test_an_object_is_named_by_its_id_or_its_class(name: str, objects: tuple[str, ...]) -> None:
    assert NAMES.objects(name) == objects
    assert NAMES.is_known(name) is bool(objects or name == "inside")


def test_loose_spelling_is_understood_up_to_the_longest_name() -> None:
    for length, objects in ((LONGEST_NAME, ("cup.1", "cup.2")), (LONGEST_NAME + 1, ())):
        assert NAMES.objects("Cup".ljust(length, "_")) == objects


def test_actions_are_known_names() -> None:
    assert NAMES.is_action("Walk To")
    assert NAMES.is_known("walkto")
    assert not NAMES.is_action("cup")
    assert not NAMES.is_action("fly")


def test_without_predicates_no_names_are_known() -> None:
    assert not NAMES.is_empty
    assert GoalNames(Vocabulary({"sleep": 0}, {}, frozenset({"cup.1"}))).is_empty


def test_names_in_a_text_are_found_in_their_order() -> None:
    text = "The living room is inside cup 2, plugged in."
    found = [text[mention.start : mention.end] for mention in NAMES.mentions(text)]
    assert found == ["living room", "inside", "cup 2", "plugged in"]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (
            ReadGoal("state", "PluggedInto", ("cup",)),
            PredictedGoal("state", "PluggedInto(cup)", "plugged_in", (("cup.1", "cup.2"),)),
        ),
        (
            ReadGoal("relation", "in", ("cup.1", "living room"), negated=True),
            PredictedGoal(
                "relation",
                "not in(cup.1, living room)",
                "inside",
                (("cup.1",), ("living_room.3",)),
                negated=True,
            ),
        ),
        (
            ReadGoal("state", "between", ("cup.1", "cup.2", "cup.1")),
            PredictedGoal(
                "relation",
                "between(cup.1, cup.2, cup.1)",
                "between",
                (("cup.1",), ("cup.2",), ("cup.1",)),
            ),
        ),
    ],
)
def test_a_goal_means_what_its_names_mean(goal: ReadGoal, expected: PredictedGoal) -> None:
    assert NAMES.look_up(goal) == (expected, ())


@pytest.mark.parametrize(
    ("goal", "kind"),
    [
        (ReadGoal("state", "", ()), ErrorKind.PARSING),
        (ReadGoal("state", "shiny", ("cup",)), ErrorKind.PREDICATE_HALLUCINATION),
        (ReadGoal("state", "shiny", ("unicorn",)), ErrorKind.PREDICATE_HALLUCINATION),
        (ReadGoal("state", "inside", ("cup",)), ErrorKind.ARGUMENT_NUMBER),
        (ReadGoal("state", "lit", ("unicorn",)), ErrorKind.ARGUMENT_NUMBER),
        (ReadGoal("relation", "inside", ("cup", "unicorn")), ErrorKind.OBJECT_HALLUCINATION),
        (ReadGoal("relation", "inside", ("unicorn", "cup")), ErrorKind.OBJECT_HALLUCINATION),
        (ReadGoal("state", "s" * 500, ("cup",)), ErrorKind.PREDICATE_HALLUCINATION),
    ],
)
def test_a_goal_with_a_wrong_name_means_nothing(goal: ReadGoal, kind: ErrorKind) -> None:
    predicted, (finding,) = NAMES.look_up(replace(goal, position=7))
    assert (finding.kind, finding.position) == (kind, 7)
    assert not predicted.usable
    assert predicted.kind == goal.kind
    assert [term for (term,) in predicted.terms] == list(goal.arguments or (str(goal),))


def test_an_action_goal_names_an_action() -> None:
    assert NAMES.action(ReadGoal("action", "Walk-To", ("cup",))) == ("walk_to", ())
    name, (finding,) = NAMES.action(ReadGoal("action", "fly", position=3))
    assert (name, finding.kind, finding.position) == ("fly", ErrorKind.ACTION_HALLUCINATION, 3)
    name, (finding,) = NAMES.action(ReadGoal("action", "", position=4))
    assert (name, finding.kind, finding.position) == ("", ErrorKind.PARSING, 4)


def test_meanings_come_the_most_likely_first_and_not_without_end() -> None:
    goal = PredictedGoal("relation", "", "inside", (("a", "b"), ("c", "d")), negated=True)
    assert not goal.certain
    assert list(goal.literals()) == [
        Not(Atom("inside", terms)) for terms in (("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"))
    ]
    certain = PredictedGoal("state", "", "lit", (("a",),))
    assert certain.certain
    assert list(certain.literals()) == [Atom("lit", ("a",))]
    many = tuple(map(str, range(101)))
    assert len(list(PredictedGoal("relation", "", "inside", (many, many)).literals())) == 10_000


def test_a_goal_of_no_kind_is_of_another() -> None:
    assert PredictedGoal.unusable(ReadGoal("", "", ())).kind == "other"


def test_an_answer_that_cannot_be_used_has_no_goals() -> None:
    reading = GoalReading.unusable("it is cut off", position=4, notes=("a note",))
    assert (reading.goals, reading.status, reading.notes) == ((), "none", ("a note",))
    assert reading.problem is not None
    assert (reading.problem.kind, reading.problem.position) == (ErrorKind.PARSING, 4)
