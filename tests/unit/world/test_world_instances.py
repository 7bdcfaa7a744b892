"""How many atoms a condition looks at: what budgets count."""

from __future__ import annotations

import pytest

from eai.logic import And, Atom, Count, Equal, Exists, Forall, Formula, Not, Or, Variable
from eai.pddl import parse_domain
from eai.world import World

WORLD = World(
    parse_domain("""(define (domain d) (:types small - object)
  (:predicates (lit ?x) (on ?x ?y) (near ?x ?y ?z) (seen ?x) (self ?x) (odd ?x))
  (:derived (seen ?x) (lit ?x))
  (:derived (seen ?x) (on ?x a))
  (:derived (self ?x) (on ?x ?x))
  (:derived (odd ?x) (lit ?x))
  (:derived (odd ?x) (on ?x ?x))
  (:constants a))""")
)
OBJECTS = {**dict.fromkeys(["a", "b", "c"], "object"), **dict.fromkeys(["s", "t"], "small")}
X, Y, Z, S = Variable("x"), Variable("y"), Variable("z"), Variable("s", ("small",))


def on(first: Variable | str, second: Variable | str) -> Atom:
    return Atom("on", (first, second))


@pytest.mark.parametrize(
    ("condition", "instances"),
    [
        (on("a", "b"), 1),
        (Or((on("a", "b"), Not(on("b", "c")), Atom("lit", ("a",)))), 3),
        (Exists((X,), on("a", X)), 1),  # a mask stands for the objects
        (Exists((X,), And((on("a", X), Atom("lit", (X,))))), 2),
        (Exists((X,), on(X, X)), 5),
        (Exists((S,), on(S, S)), 2),
        (Forall((X, Y), on(X, Y)), 5),
        (Forall((S, Y), on(S, Y)), 5),
        (Forall((Y, S), on(S, Y)), 2),
        (Forall((X,), Exists((Y,), And((on(X, Y), Equal(X, Y))))), 10),
        (Forall((X,), Exists((Y,), Forall((Z,), on(X, Z)))), 5),
        (Forall((X, Y, Z), Atom("near", (X, Y, Z))), 25),
        # A derived predicate has a mask if each of its rules has one.
        (Exists((X,), Atom("seen", (X,))), 1),
        (Exists((X,), Atom("self", (X,))), 5),
        (Exists((X,), Atom("odd", (X,))), 5),
        (Count(2, X, on("a", X)), 1),
        (Count(2, X, on(X, X)), 5),
        (Count(1, X, Exists((Y,), on(X, Y))), 5),
    ],
)
def test_a_variable_without_a_mask_multiplies_what_is_below_it(
    condition: Formula, instances: int
) -> None:
    assert WORLD.instances(condition, WORLD.state(OBJECTS, []).universe) == instances
