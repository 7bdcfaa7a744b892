"""Which alternative of a goal counts."""

from eai.diagnosis import Condition, ErrorKind, goal_conditions, unmet_conditions, unmet_goals
from eai.logic import Atom, Eventually, Formula
from eai.pddl import parse_domain
from eai.task import ActionGoal, Goal
from eai.world import Trajectory, World

WORLD = World(parse_domain("(define (domain d) (:predicates (lit ?x)))"))
ONE, TWO, THREE, FOUR = (Atom("lit", (name,)) for name in ("one", "two", "three", "four"))


def counted(*alternatives: tuple[Formula, ...]) -> list[str]:
    """The conditions that count where all lamps but the fourth are lit."""
    start = WORLD.state(dict.fromkeys(("one", "two", "three", "four"), "object"), [ONE, TWO, THREE])
    final = tuple(tuple(("state", formula) for formula in option) for option in alternatives)
    found = goal_conditions(Goal(final=final), Trajectory(WORLD, start, [], start))
    return [condition.text for condition in found]


def test_the_largest_share_counts_and_not_the_largest_number() -> None:
    assert counted((TWO, THREE, FOUR), (ONE,)) == ["lit(one)"]
    assert counted((FOUR,), (TWO, FOUR), (ONE, TWO, FOUR)) == ["lit(one)", "lit(two)", "lit(four)"]


def test_an_alternative_that_demands_nothing_is_as_good_as_one_that_is_met() -> None:
    assert counted((ONE,), ()) == ["lit(one)"]
    assert counted((), (ONE,)) == []
    assert counted((ONE, FOUR), ()) == []


def test_where_nothing_was_done_the_shortest_alternative_is_unmet() -> None:
    def unmet(*alternatives: tuple[Formula, ...]) -> list[str]:
        final = tuple(tuple(("state", formula) for formula in option) for option in alternatives)
        found = unmet_conditions(Goal(final=final, actions=(ActionGoal(("look", "see")),)))
        assert not any(condition.met for condition in found)
        assert [condition.kind for condition in found] == ["state"] * (len(found) - 1) + ["action"]
        assert all(condition.formula is not None for condition in found[:-1])
        return [condition.text for condition in found[:-1]]

    assert unmet((ONE, TWO), (THREE,)) == ["lit(three)"]
    assert unmet((ONE,), (TWO, THREE)) == ["lit(one)"]
    assert unmet((ONE,), (TWO,)) == ["lit(one)"]
    assert unmet() == []


def test_a_condition_on_the_whole_trajectory_is_about_the_way() -> None:
    start = WORLD.state({"one": "object"}, [])
    trajectory = Trajectory(WORLD, start, [], start)
    conditions = (
        Condition("action", "F lit(one)", met=False, formula=Eventually(ONE)),
        Condition("action", "LOOK", met=False),
        Condition("state", "lit(one)", met=False, formula=ONE),
        Condition("state", "lit(one)", met=True, formula=ONE),
    )
    found = unmet_goals(conditions, trajectory)
    assert [(each.kind, each.conditions) for each in found] == [
        (ErrorKind.PATH_GOAL, ("F lit(one)",)),
        (ErrorKind.ACTION_GOAL, ("LOOK",)),
        (ErrorKind.STATE_GOAL, ("lit(one)",)),
    ]
    assert found[0].text
    assert [each.evidence is not None and len(each.evidence.goals) for each in found] == [1, 2, 3]
    assert all(each.evidence is None for each in unmet_goals(conditions))
    assert unmet_goals(conditions[-1:], trajectory) == ()
