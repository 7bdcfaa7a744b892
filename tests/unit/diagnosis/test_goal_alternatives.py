"""Which alternative of a goal counts."""

from eai.diagnosis import goal_conditions
from eai.logic import Atom, Formula
from eai.pddl import parse_domain
from eai.task import Goal
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
