"""BEHAVIOR tasks: states, goals, plans and vocabularies."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from fake_behavior_release import MAIL, SLICE, write_wheel
from small_behavior import OFFICIAL, STRICT, SUITE, evaluated, kitchen, task_in

from eai.errors import UnknownNameError
from eai.logic import format_formula
from eai.semantics import Semantics
from eai.simulators.behavior import AGENT
from eai.suites.behavior.goals import (
    BddlGoal,
    bind_names,
    goal_conditions,
    goal_options,
    read_goal,
    with_tested_goal,
)
from eai.suites.behavior.tasks import BehaviorStore
from eai.world import Action


@pytest.fixture
def library(tmp_path: Path) -> BehaviorStore:
    return BehaviorStore(tmp_path / "stored", wheel=write_wheel(tmp_path / "toy.whl"))


def test_a_task_has_the_names_of_plans(library: BehaviorStore) -> None:
    task = library.load(SLICE)
    assert (task.id, task.name) == (SLICE, "slicing fruit")
    assert task.instruction == "Slice the peach."
    assert task.agent == AGENT
    assert task.goal.text == (
        "(and (sliced peach_7) (forall (?carton.n.02 - carton.n.02) (not (open ?carton.n.02))))"
    )
    assert task.metadata["scene"] == "Rs_int"
    assert library.ids == (SLICE, MAIL)


def test_the_start_has_the_objects_of_the_scene_and_the_robot(library: BehaviorStore) -> None:
    start = library.load(SLICE).start
    assert set(start.universe.names) == {
        *("peach_7", "peach_7_part_0", "peach_7_part_1"),
        *("table_knife_0", "room_floor_kitchen_0", "carton_3", AGENT),
    }
    assert start.universe.of_types(("peach.n.03",)) == ["peach_7"]


def test_plans_are_as_annotated(library: BehaviorStore) -> None:
    (plan,) = library.load(SLICE).plans
    assert plan == (
        Action("right_realease", ("peach_7",)),
        Action("left_place_nextto_ontop", ("carton_3", "peach_7")),
    )


def test_answers_may_name_pieces_and_the_actions_of_the_release(library: BehaviorStore) -> None:
    vocabulary = library.load(SLICE).vocabulary
    assert vocabulary.actions == {"left_grasp": 1, "left_place_nextto_ontop": 2}
    assert vocabulary.objects == {
        *("peach_7", "peach_7_part_0", "peach_7_part_1"),
        *("table_knife_0", "room_floor_kitchen_0", "carton_3"),
    }
    classes = library.load(MAIL).vocabulary.classes
    assert classes["envelope"] == ("envelope_143", "envelope_144")


def test_a_goal_is_one_alternative_of_conditions(library: BehaviorStore) -> None:
    goal = library.load(SLICE).goal
    (conditions,) = goal.final
    assert [(kind, format_formula(condition)) for kind, condition in conditions] == [
        ("state", "sliced(peach_7)"),
        ("state", "forall carton.n.02:carton.n.02. (not open(carton.n.02))"),
    ]
    assert goal.actions == ()
    assert goal == BddlGoal(goal.text)
    assert goal != BddlGoal("(and)")


def test_a_goal_without_and_is_one_condition(library: BehaviorStore) -> None:
    ((kind, condition),) = library.load(MAIL).goal.final[0]
    assert kind == "relation"
    assert goal_conditions(condition) == (condition,)


def test_options_are_those_of_the_scene(library: BehaviorStore) -> None:
    (options,) = goal_options(library.load(MAIL))
    found = {format_formula(literal) for way in options.enumerate().options for literal in way}
    assert found == {
        "ontop(envelope_143, envelope_144)",
        "ontop(envelope_144, envelope_144)",
    }


def test_forn_is_read_in_two_ways() -> None:
    text = "(forn (1) (?carton.n.02 - carton.n.02) (open ?carton.n.02))"
    exactly, least = read_goal(text), read_goal(text, forn="at least")
    assert exactly != least
    assert read_goal(text) is exactly


def test_the_published_goal_of_sorting_mail_is_another(library: BehaviorStore) -> None:
    mail, peach = library.load(MAIL), library.load(SLICE)
    tested = with_tested_goal(mail, OFFICIAL)
    assert tested.goal.text == mail.goal.text.replace("ontop", "nextto") != mail.goal.text
    assert with_tested_goal(peach, OFFICIAL) is peach
    assert with_tested_goal(mail, STRICT) is mail


@pytest.mark.parametrize("ability", ["action_sequencing", "subgoal_decomposition"])
def test_the_goal_that_was_tested_is_the_one_that_is_printed(
    library: BehaviorStore, ability: str
) -> None:
    mail = library.load(MAIL)
    for semantics, word in ((OFFICIAL, "nextto"), (STRICT, "ontop")):
        result = SUITE.evaluate(ability, mail, "[]", semantics)
        assert f"({word} " in result.formula
        assert all(f"{word}(" in each.text for each in result.goals)
        assert result.formula_holds in (None, all(each.met for each in result.goals))


@pytest.mark.parametrize("semantics", [OFFICIAL, STRICT], ids=str)
def test_a_goal_that_was_reached_and_lost_is_not_true(semantics: Semantics) -> None:
    result = evaluated(task_in(kitchen()), "OPEN jar_3", "CLOSE jar_3", semantics=semantics)
    assert result.executed == ("done", "done")
    assert result.formula_holds is False


def test_only_names_of_objects_are_replaced() -> None:
    text = "(inside ?jar.n.01_1 ?jar.n.01) (open jar.n.01_12)"
    assert (
        bind_names(text, {"jar.n.01_1": "jar_0"}) == "(inside jar_0 ?jar.n.01) (open jar.n.01_12)"
    )


def test_tasks_go_to_other_processes(library: BehaviorStore) -> None:
    task = library.load(SLICE)
    again = pickle.loads(pickle.dumps(task))
    assert (again.goal, again.plans) == (task.goal, task.plans)
    assert again.start.universe.names == task.start.universe.names


def test_tasks_are_loaded_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path / "cache"))
    wheel = write_wheel(tmp_path / "toy.whl")
    BehaviorStore(wheel=wheel).fill()
    assert BehaviorStore.opened().ids == (SLICE, MAIL)
    assert BehaviorStore.opened().load(MAIL).id == MAIL
    with pytest.raises(UnknownNameError, match="no task named 'mail'"):
        BehaviorStore.opened().load("mail")
