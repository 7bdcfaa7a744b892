"""Which parameters of a predicted operator stand for which of the annotated one."""

from collections import Counter

import pytest

from eai.abilities import Overlap, match_operators
from eai.abilities.transition_modeling.matching import MAX_PARAMETERS
from eai.pddl import Operator, read_actions


def operator(parameters: str, precondition: str) -> Operator:
    text = f"(:action a :parameters ({parameters}) :precondition {precondition} :effect ())"
    (found,), _ = read_actions(text)
    return found.operator


def before(predicted: Operator, gold: Operator) -> Overlap:
    return match_operators(predicted, gold)[0]


def ring(names: str) -> Operator:
    """An operator whose parameters are linked in a ring, so that their order can be seen."""
    chain = names.split()
    links = (f"(r{i} {one} {chain[(i + 1) % len(chain)]})" for i, one in enumerate(chain))
    return operator(" ".join(sorted(chain)), f"(and {' '.join(links)})")


def test_conjunctions_are_matched_clause_by_clause() -> None:
    found = before(operator("?x", "(and (p ?x) (q ?x))"), operator("?x", "(and (q ?x) (s ?x))"))
    assert found == Overlap("a", "precondition", Counter(q=1), Counter(p=1), Counter(s=1))
    found = before(operator("?x", "(q ?x)"), operator("?x", "(and (q ?x) (s ?x))"))
    assert found == Overlap("a", "precondition", Counter(q=1), {}, Counter(s=1))


def test_one_disjunct_alone_is_not_the_disjunction() -> None:
    single, either = operator("?x", "(p ?x)"), operator("?x", "(or (p ?x) (q ?x))")
    for predicted, gold in ((single, either), (either, single)):
        assert not before(predicted, gold).shared


def test_of_assignments_that_match_as_much_the_one_by_name_counts() -> None:
    gold = operator("?x ?y", "(and (p ?x) (q ?y))")
    assert before(operator("?x ?y", "(and (p ?x) (q ?x))"), gold).shared == {"p": 1}
    assert before(operator("?y ?x", "(and (p ?y) (q ?y))"), gold).shared == {"q": 1}


def test_up_to_five_parameters_may_be_in_any_order() -> None:
    assert MAX_PARAMETERS == 5
    gold = ring("?a ?b ?c ?d ?e")
    assert sum(before(ring("?v ?z ?w ?y ?x"), gold).shared.values()) == 5


@pytest.mark.parametrize(
    ("names", "shared"),
    [
        ("?u ?v ?w ?x ?y ?z", 6),  # other names, in the same places
        ("?u ?z ?v ?y ?w ?x", 0),  # other names, in other places
    ],
)
def test_more_than_five_are_assigned_by_place(names: str, shared: int) -> None:
    gold = ring("?a ?b ?c ?d ?e ?f")
    assert sum(before(ring(names), gold).shared.values()) == shared


def test_more_than_five_are_assigned_by_name() -> None:
    gold = operator("?a ?b ?c ?d ?e ?f", "(and (p ?a) (q ?f))")
    turned = operator("?f ?e ?d ?c ?b ?a", "(and (p ?a) (q ?f))")
    assert before(turned, gold).shared == {"p": 1, "q": 1}


def test_a_prediction_with_fewer_parameters_is_no_error() -> None:
    gold = operator("?a ?b ?c ?d ?e ?f", "(and (p ?a) (q ?f))")
    assert before(operator("?u ?v ?w", "(and (p ?u) (q ?w))"), gold).shared == {"p": 1}


def test_what_a_prediction_has_too_many_of_stands_for_nothing() -> None:
    gold = operator("?a ?b", "(and (p ?a) (q ?b))")
    found = before(operator("?u ?v ?w ?x", "(and (p ?u) (p ?v) (p ?w) (p ?x))"), gold)
    assert (found.shared, found.extra, found.missing) == ({"p": 1}, {"p": 3}, {"q": 1})
    found = before(operator("?u ?v ?w ?x", "(and (q ?u) (q ?v) (q ?w) (q ?x))"), gold)
    assert (found.shared, found.extra, found.missing) == ({"q": 1}, {"q": 3}, {"p": 1})
    gold_of_one = operator("?a ?b", "(and (q ?b) (s ?b))")
    twice = before(operator("?u ?v ?w ?x", "(and (q ?u) (s ?v))"), gold_of_one)
    assert sum(twice.shared.values()) == 1
    named = before(operator("?a ?b ?c ?d ?e ?f", "(and (p ?c) (p ?d) (q ?e) (q ?f))"), gold)
    assert named.shared == {}
