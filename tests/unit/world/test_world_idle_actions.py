"""Whether an action would change anything, where relations point one way."""

import pytest

from eai.errors import UnknownNameError
from eai.logic import Atom, Not, Variable
from eai.pddl import parse_domain
from eai.world import State, World

WORLD = World(
    parse_domain("""(define (domain d) (:requirements :adl)
    (:predicates (over ?x ?y) (between ?x ?y ?z))
    (:action lift :parameters (?x ?y) :effect (over ?x ?y))
    (:action drop :parameters (?x ?y) :effect (not (over ?x ?y)))
    (:action cover :parameters (?x) :effect (forall (?y) (over ?x ?y)))
    (:action bury :parameters (?x) :effect (forall (?y) (over ?y ?x)))
    (:action clear :parameters (?x) :effect (forall (?y) (not (over ?y ?x))))
    (:action turn :parameters (?x ?y)
      :effect (and (not (over ?x ?y)) (not (over ?y ?x)) (over ?x ?y)))
    (:action squeeze :parameters (?x ?y ?z) :effect (between ?x ?y ?z)))""")
)


def start(*facts: str) -> State:
    atoms = [Atom(name, tuple(rest)) for name, *rest in map(str.split, facts)]
    return WORLD.state(dict.fromkeys("abc", "object"), atoms)


@pytest.mark.parametrize(
    ("facts", "step", "changes"),
    [
        (["over a b"], "lift a b", False),
        (["over a b"], "lift b a", True),
        (["over a b"], "drop a b", True),
        (["over a b"], "drop b a", False),
        (["over a a", "over a b", "over a c"], "cover a", False),
        (["over a a", "over b a", "over c a"], "cover a", True),
        (["over a a", "over b a", "over c a"], "bury a", False),
        (["over a a", "over a b", "over a c"], "bury a", True),
        (["over a b", "over a c"], "clear a", False),
        (["over b a"], "clear a", True),
        (["over a b"], "turn a b", False),
        (["over a b", "over b a"], "turn a b", True),
        (["over b a"], "turn a b", True),
        (["between a b c"], "squeeze a b c", False),
        (["between a b c"], "squeeze a c b", True),
    ],
)
def test_an_action_changes_what_does_not_hold_already(
    facts: list[str], step: str, changes: bool
) -> None:
    state = start(*facts)
    name, *arguments = step.split()
    numbers = WORLD.numbers(state, name, arguments)
    assert WORLD.changes(state, name, numbers) is changes
    assert bool(WORLD.apply(state.begin(), name, numbers)) is changes


def test_what_a_condition_reads_is_asked_of_known_predicates_only() -> None:
    with pytest.raises(UnknownNameError, match="no predicate named 'ovr'"):
        WORLD.reads(Atom("ovr", ("a", "b")))


def test_the_members_of_a_condition_are_a_mask_of_objects() -> None:
    x, y = Variable("?x"), Variable("?y")
    state = start("over a b", "over a c")
    below = Atom("over", (y, x))
    for _ in range(2):
        assert WORLD.members_of(below, x, (y,))(state, 0) == 0b110
        assert WORLD.members_of(Not(below), x, (y,))(state, 0) == 0b001
        assert WORLD.members_of(below, x, (y,))(state, 1) == 0
