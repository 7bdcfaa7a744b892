"""What holds where a ``then`` stands below operators of linear temporal logic, or a quantifier."""

import pytest
from list_trajectory import ListTrajectory

from eai.logic import Atom, Exists, Forall, evaluate, parse_formula
from eai.pddl import parse_domain
from eai.world import Action, Step, Trajectory, World

# position     0        1        2                3                        4
STATES = [
    set(),
    {("on", "tv")},
    {("on", "tv"), ("held", "cup")},
    {("held", "cup"), ("closed", "box")},
    {("on", "tv"), ("closed", "box")},
]
STEPS = [("SWITCH", "tv"), ("GRAB", "cup"), ("SWITCH", "tv"), ("GRAB", "box")]
EVENING = ListTrajectory({"tv": "device", "cup": "food", "box": "thing"}, STATES, STEPS)


def holds(text: str) -> bool:
    return evaluate(parse_formula(text), EVENING).holds


@pytest.mark.parametrize(
    ("chain", "starts"),
    [
        ("on(tv) then held(cup)", [0, 1, 2]),
        ("held(cup) then on(tv)", [0, 1, 2, 3]),
        ("on(tv) then on(tv)", [0, 1, 2]),
        ("on(tv) then held(cup) then on(tv)", [0, 1, 2]),
        ("held(cup) then held(cup) then on(tv)", [0, 1, 2]),
        ("closed(box) then held(cup)", []),
    ],
)
def test_a_chain_is_true_where_it_holds_on_the_rest(chain: str, starts: list[int]) -> None:
    """``X`` n times asks whether the chain is true at position n."""
    assert [n for n in range(5) if holds("X " * n + f"({chain})")] == starts
    assert holds(f"F ({chain})") is bool(starts)
    assert holds(f"G (({chain}) or held(cup) or closed(box))") is bool(starts)
    assert holds(f"G not ({chain})") is (not starts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F (on(tv) then held(cup)) then closed(box)", True),
        ("X X (on(tv) then held(cup)) then closed(box)", True),
        # the chain needs position 3, so only position 4 is left for the last link
        ("X X (on(tv) then held(cup)) then held(cup)", False),
        ("X (on(tv) then held(cup)) then held(cup)", True),
        ("on(tv) then X (held(cup) then on(tv))", True),
        ("on(tv) then X X X (held(cup) then on(tv))", False),
        ("not held(cup) U (held(cup) then on(tv))", True),
        ("closed(box) U (closed(box) then held(cup))", False),
    ],
)
def test_every_part_of_a_cut_is_a_trace_of_its_own(text: str, expected: bool) -> None:
    assert holds(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the last part is position 4, where nothing was before
        ("closed(box) then Y (held(cup) then closed(box))", False),
        ("closed(box) then O (held(cup) then closed(box))", False),
        ("closed(box) then H not (held(cup) then closed(box))", True),
        ("closed(box) then not Y (held(cup) then closed(box))", True),
        # the last part may begin at position 3, from which the chain holds
        ("held(cup) then F Y (held(cup) then closed(box))", True),
        ("held(cup) then F O (held(cup) then closed(box))", True),
        ("held(cup) then F Y Y (held(cup) then closed(box))", False),
        ("held(cup) then X Y (held(cup) then closed(box))", True),
    ],
)
def test_a_part_does_not_look_back_before_its_begin(text: str, expected: bool) -> None:
    assert holds(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("forall x. (on(x) and (true then true))", False),
        ("forall x:device. (on(x) and (true then true))", True),
        ("forall x:food|thing. ((held(x) or closed(x)) and (true then true))", True),
        ("exists x. (held(x) and (on(x) then true))", False),
        ("exists x. (held(x) and (not on(x) then true))", True),
    ],
)
def test_every_object_counts_above_a_chain(text: str, expected: bool) -> None:
    assert holds(text) is expected


def test_a_quantifier_without_variables_is_its_body() -> None:
    for chain, expected in (("on(tv) then held(cup)", True), ("on(cup) then on(tv)", False)):
        body = parse_formula(chain)
        assert evaluate(Forall((), body), EVENING).holds is expected
        assert evaluate(Exists((), body), EVENING).holds is expected


def test_objects_of_which_nothing_is_ever_true_count_as_well() -> None:
    """The engine's trajectories can tell which these are."""
    world = World(
        parse_domain("(define (domain d) (:predicates (on ?x)) (:action wait :parameters ()))")
    )
    start = world.state({"tv": "object", "box": "object"}, [Atom("on", ("tv",))])
    waiting = Trajectory(world, start, [Step(Action("wait", ()), 1, [])], start)
    assert not evaluate(parse_formula("forall x. (on(x) and (true then true))"), waiting).holds
    assert evaluate(parse_formula("exists x. (on(x) and (true then true))"), waiting).holds
