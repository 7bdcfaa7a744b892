"""Repairs that have to find the objects of an action, whether its effect names them or not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import eai
from eai.logic import Atom, Exists, Forall, Formula, Variable
from eai.planning import Target, least_repair
from eai.planning.repair.least import _BEAM_WIDTH, _farthest, _farthest_on_path
from eai.planning.repair.task import EditKind, Slot
from eai.world import Action, World

DOMAIN = """
(define (domain stamps)
  (:requirements :adl)
  (:types robot thing tool)
  (:predicates (stamped ?a ?b - thing) (inked ?t - tool) (clean ?a - thing))
  (:action stamp :parameters (?me - robot {parameters})
    :precondition (inked ?t) :effect {effect}))
"""
B = Variable("b", ("thing",))
EVERY_SECOND = "(forall (?b - thing) (stamped ?a ?b))"


@pytest.mark.parametrize("things", [1, 3, 4, 7])
@pytest.mark.parametrize(
    ("parameters", "effect", "arguments"),
    [
        ("?a - thing ?t - tool", EVERY_SECOND, ("x0", "wet")),
        ("?t - tool ?a - thing", EVERY_SECOND, ("wet", "x0")),
        ("?a - thing ?t - tool", "(stamped ?a ?a)", ("x0", "wet")),
        ("?a ?b - thing ?t - tool", "(stamped ?a ?b)", ("x0", "x0", "wet")),
        ("?t - tool ?a ?b - thing", "(stamped ?a ?b)", ("wet", "x0", "x0")),
    ],
)
@pytest.mark.parametrize("goal", ["some", "itself"])
def test_one_action_with_the_right_tool_is_put_in(
    things: int, parameters: str, effect: str, arguments: tuple[str, ...], goal: str
) -> None:
    goals: dict[str, Formula] = {
        "some": Exists((B,), Atom("stamped", ("x0", B))),
        "itself": Atom("stamped", ("x0", "x0")),
    }
    step = _only_step(parameters, effect, things, goals[goal])
    assert step.name == "stamp"
    assert set(step.arguments) >= {"wet", "x0"}
    assert "dry" not in step.arguments
    if goal == "itself":
        assert step.arguments == arguments


@pytest.mark.parametrize("things", [1, 3, 4, 7])
def test_one_action_brings_about_all_that_it_does(things: int) -> None:
    goal = Forall((B,), Atom("stamped", ("x0", B)))
    step = _only_step("?a - thing ?t - tool", EVERY_SECOND, things, goal)
    assert step == Action("stamp", ("x0", "wet"))


def _only_step(parameters: str, effect: str, things: int, goal: Formula) -> Action:
    """Return the only step of the repair of an empty plan."""
    world = World(eai.parse_domain(DOMAIN.format(parameters=parameters, effect=effect)))
    names = [f"x{number}" for number in range(things)]
    objects = {"me": "robot", "dry": "tool", "wet": "tool", **dict.fromkeys(names, "thing")}
    start = world.state(objects, [Atom("inked", ("wet",))])
    found = least_repair(world, start, (), Target(final=((goal,),)), agent="me")
    assert found.optimal
    assert found.repaired is not None
    [step] = found.repaired
    return step


def run(steps_left: int, state: str, *edits: EditKind | None) -> Any:
    """Return what is asked of the run of a plan that has a step for each of some edits."""
    slots = tuple(Slot(Action(state), (), None, edit) for edit in edits)
    return SimpleNamespace(
        steps_left=steps_left, slots=slots, at=len(slots), progress=(0,), passed=state, differing=0
    )


def test_plans_with_a_detour_are_kept_beside_those_that_get_farther() -> None:
    far = [run(1, f"far {number}", None) for number in range(2 * _BEAM_WIDTH)]
    detours = [run(2, f"detour {number}", None, EditKind.INSERT, None) for number in range(2)]
    chosen = _farthest_on_path([*detours, *far], steps=2)
    assert [str(each.passed) for each in chosen] == [
        *(f"far {number}" for number in range(_BEAM_WIDTH)),
        "detour 0",
        "detour 1",
    ]
    # Where there are not more plans than can be kept, each is kept once.
    few = _farthest_on_path([*detours, *far[:2]], steps=2)
    assert [str(each.passed) for each in few] == ["far 0", "far 1", "detour 0", "detour 1"]


def test_of_plans_between_which_nothing_differs_any_more_the_farthest_is_kept() -> None:
    first, second = run(3, "a"), run(2, "b")
    assert _farthest([first, second]) == [second]
    first.differing = 1
    assert _farthest([first, second]) == [second, first]
