"""Effects taken apart."""

from __future__ import annotations

from eai.logic import TRUE, And, Atom, Variable
from eai.pddl import Clause, clauses, parse_domain

X, K = Variable("x"), Variable("k")
P, Q = Atom("p", (X,)), Atom("q", (X,))


def taken_apart(effect: str) -> list[Clause]:
    domain = parse_domain(f"""(define (domain d) (:requirements :adl :action-costs)
      (:predicates (p ?x) (q ?x) (r ?x ?y)) (:functions (total-cost) - number)
      (:action act :parameters (?x) :effect {effect}))""")
    return list(clauses(domain.operators["act"].effect, ["x"]))


def test_literals_come_in_reading_order_and_costs_are_left_out() -> None:
    found = taken_apart("(and (p ?x) (increase (total-cost) 2) (not (q ?x)))")
    assert found == [Clause((), TRUE, True, P), Clause((), TRUE, False, Q)]


def test_all_conditions_around_a_literal_are_joined() -> None:
    (found,) = taken_apart("(when (p ?x) (forall (?k) (when (q ?x) (r ?x ?k))))")
    assert found == Clause((K,), And((P, Q)), True, Atom("r", (X, K)))


def test_a_variable_that_hides_another_one_gets_a_new_name() -> None:
    (found,) = taken_apart("(when (p ?x) (forall (?x) (q ?x)))")
    (own,) = found.variables
    assert own.name not in ("x", "k")
    assert (found.condition, found.atom) == (P, Atom("q", (own,)))
