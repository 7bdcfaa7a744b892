"""Of repairs with equally few edits the one is shown that a person would choose."""

from __future__ import annotations

import pytest

import eai
from eai.logic import Atom
from eai.pddl import parse_condition, parse_domain
from eai.planning import Target, least_repair
from eai.world import Action, World

SUITE = eai.suite("household")


def shown(task: str, plan: str | list[Action]) -> str:
    found = eai.repair(SUITE.task(task), plan)
    assert found.edits is not None
    assert found.optimal
    (edit,) = found.edits
    return str(edit)


def without(task: str, name: str) -> list[Action]:
    """The reference plan without the steps of a name."""
    return [step for step in SUITE.task(task).plans[0] if step.name != name]


def test_something_is_plugged_in_where_it_stands_when_it_is_switched_on() -> None:
    # Before it is carried to the sink would do as well.
    assert shown("studio-06", without("studio-06", "plugin")) == (
        "insert plugin(kettle.49) before step 7"
    )


def test_something_is_used_while_it_is_in_the_hand() -> None:
    assert shown("studio-08", without("studio-08", "squeeze")) == (
        "insert squeeze(tooth_paste.77) before step 4"
    )


def test_what_is_in_a_container_is_used_while_that_is_open() -> None:
    plan = (
        "walk(bathroom_cabinet.79)\nopen(bathroom_cabinet.79)\ngrab(toothbrush.76)\n"
        "close(bathroom_cabinet.79)\nscrub(teeth.8)"
    )
    assert shown("studio-08", plan) == "insert squeeze(tooth_paste.77) before step 4"


def test_the_agent_goes_to_what_it_acts_on_next_and_as_it_does_elsewhere() -> None:
    plan = list(SUITE.task("studio-02").plans[0])
    gone = plan.pop(3)
    assert gone == Action("walk", ("fridge.40",))
    assert shown("studio-02", plan) == "insert walk(fridge.40) before step 4"


@pytest.mark.parametrize("place", [1, 3, 5])
def test_what_is_needed_late_is_put_in_late(place: int) -> None:
    domain = parse_domain("""(define (domain d) (:requirements :adl)
      (:predicates (rung) (ready))
      (:action wait :parameters (?a))
      (:action set :parameters (?a) :effect (ready))
      (:action ring :parameters (?a) :precondition (ready) :effect (rung)))""")
    world = World(domain)
    start = world.state({"me": "object"}, [])
    plan = [Action("wait")] * place + [Action("ring"), Action("wait")]
    target = Target(((parse_condition("(rung)", domain=domain),),), ())
    found = least_repair(world, start, plan, target, agent="me")
    assert found.edits is not None
    assert found.irredundant > 1
    assert [str(edit) for edit in found.edits] == [f"insert set() before step {place + 1}"]


def test_plans_with_a_needless_action_are_as_near_and_not_counted() -> None:
    domain = parse_domain("""(define (domain d) (:requirements :adl)
      (:predicates (rung) (ready))
      (:action wait :parameters (?a))
      (:action set :parameters (?a) :effect (ready))
      (:action ring :parameters (?a) :precondition (ready) :effect (rung))
      (:action break :parameters (?a) :effect (and (not (rung)) (not (ready)))))""")
    world = World(domain)
    start = world.state({"me": "object"}, [])
    plan = [Action("set"), Action("ring"), Action("break")]
    target = Target(((parse_condition("(rung)", domain=domain),),), ())
    found = least_repair(world, start, plan, target, agent="me")
    assert found.distance == 1
    replaced = least_repair(world, start, [*plan[:2], Action("wait")], target, agent="me")
    assert replaced.distance == 0  # break could be replaced as well as taken out
    assert found.irredundant == 1


@pytest.mark.parametrize("is_in_goal", [False, True])
@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_what_is_put_in_is_about_objects_of_the_plan_or_the_goal_where_any_would_do(
    name: str, is_in_goal: bool
) -> None:
    domain = parse_domain("""(define (domain d) (:requirements :adl)
      (:predicates (rung) (ready) (clean ?x))
      (:action look :parameters (?a ?x))
      (:action set :parameters (?a ?x) :effect (ready))
      (:action ring :parameters (?a) :precondition (ready) :effect (rung)))""")
    world = World(domain)
    names = ("a", "b", "c")
    facts = [Atom("clean", (each,)) for each in names]
    start = world.state(dict.fromkeys(("me", *names), "object"), facts)
    goal = f"(and (rung) (clean {name}))" if is_in_goal else "(rung)"
    plan = [Action("ring")] if is_in_goal else [Action("look", (name,)), Action("ring")]
    target = Target(((parse_condition(goal),),), ())
    found = least_repair(world, start, plan, target, agent="me")
    assert found.edits is not None
    assert [edit.new for edit in found.edits] == [Action("set", (name,))]
