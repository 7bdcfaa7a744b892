"""Grounding: what is left of a task."""

from __future__ import annotations

import pytest

from eai.errors import InputError
from eai.logic.formula import And, Atom, Count, Iff, Next, Variable, Xor
from eai.pddl.model import Problem
from eai.planning import Outcome, ground, plan
from planning_examples import lamps, lamps_domain


def names(goal: str) -> set[str]:
    """The actions that are left for a goal."""
    return {str(action.action) for action in ground(lamps_domain(), lamps(goal)).actions}


def test_only_what_the_goal_can_depend_on_is_kept() -> None:
    assert names("(lit desk)") >= {"press(desk)", "flash()", "go(hall, attic)", "go(attic, hall)"}
    assert "press(floor)" not in names("(lit desk)")
    assert names("(at attic)") == {"go(hall, attic)", "go(attic, hall)"}


def test_what_is_out_of_reach_is_left_out() -> None:
    assert not any("cellar" in name or "wall" in name for name in names("(lit desk)"))
    task = ground(lamps_domain(), lamps("(at cellar)"))
    assert not task.reachable
    assert not task.actions


def test_static_facts_are_no_literals() -> None:
    task = ground(lamps_domain(), lamps("(and (lit desk) (door hall attic))"))
    assert {atom.predicate for atom in task.atoms} <= {"lit", "at"}


def test_actions_that_do_the_same_are_one() -> None:
    problem = lamps("(lit desk)")
    pressing = [a for a in names("(and (lit desk) (lit floor))") if a.startswith("press")]
    assert sorted(pressing) == ["press(desk)", "press(floor)"]
    task = ground(lamps_domain(), problem)
    effects = [(a.condition, a.effect, a.conditional) for a in task.actions]
    assert len(effects) == len(set(effects))


def _with_goal(goal: object) -> Problem:
    from dataclasses import replace

    return replace(lamps("(and)"), goal=goal)  # type: ignore[arg-type]


def test_goals_may_count_and_compare() -> None:
    lamp = Variable("l", ("lamp",))
    desk, floor = Atom("lit", ("desk",)), Atom("lit", ("floor",))
    for goal in (
        Count(2, lamp, Atom("lit", (lamp,)), "exactly"),
        Count(2, lamp, Atom("lit", (lamp,)), "at least"),
        And((Xor(desk, floor), Iff(desk, Atom("at", ("hall",))))),
    ):
        assert ground(lamps_domain(), _with_goal(goal)).reachable
    goal = Count(3, lamp, Atom("lit", (lamp,)), "at least")
    assert not ground(lamps_domain(), _with_goal(goal)).reachable


def test_time_cannot_stand_in_a_task() -> None:
    with pytest.raises(InputError, match="Next cannot stand"):
        ground(lamps_domain(), _with_goal(Next(Atom("lit", ("desk",)))))


CROWD = """
(define (domain crowd)
  (:requirements :adl)
  (:predicates (met ?a ?b ?c) (glad ?a))
  (:action greet
    :parameters (?x)
    :effect (and (glad ?x)
      (forall (?a ?b ?c) (when (glad ?a) (met ?a ?b ?c))))))
"""


@pytest.mark.parametrize(
    ("seconds", "megabytes", "outcome"),
    [(0.1, None, Outcome.TIME_LIMIT), (None, 0.2, Outcome.MEMORY_LIMIT)],
)
def test_limits_hold_while_one_action_is_grounded(
    seconds: float | None, megabytes: float | None, outcome: Outcome
) -> None:
    names = " ".join(f"p{i}" for i in range(60))
    problem = f"(define (problem p) (:domain crowd) (:objects {names}) (:goal (met p0 p1 p2)))"
    found = plan(CROWD, problem, time_limit=seconds, memory_limit=megabytes)
    assert found.outcome is outcome
    assert found.seconds < 5
