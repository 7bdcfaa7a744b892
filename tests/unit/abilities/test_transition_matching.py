"""Operators are compared clause by clause, whatever their notation."""

from __future__ import annotations

from collections import Counter

import pytest

from eai.abilities import Overlap, match_operators, unmatched
from eai.pddl import Operator, parse_domain, read_actions

GRAB = """(:action grab
  :parameters (?char - character ?obj - object)
  :precondition (and (grabbable ?obj) (next_to ?char ?obj)
    (not (exists (?box - object) (and (inside ?obj ?box) (closed ?box)))))
  :effect (and (holds ?char ?obj)
    (forall (?o - object) (when (near ?o ?obj) (not (next_to ?char ?o))))))"""


def operator(text: str) -> Operator:
    (found,), _ = read_actions(text)
    return found.operator


def with_precondition(text: str) -> Operator:
    return operator(
        f"(:action a :parameters (?x - object ?y - object) :precondition {text} :effect ())"
    )


def with_effect(text: str) -> Operator:
    return operator(
        f"(:action a :parameters (?x - object ?y - object) :precondition () :effect {text})"
    )


def counts(overlap: Overlap) -> tuple[int, int, int]:
    return (
        sum(overlap.shared.values()),
        sum(overlap.extra.values()),
        sum(overlap.missing.values()),
    )


def test_an_operator_matches_itself() -> None:
    before, after = match_operators(operator(GRAB), operator(GRAB))
    expected = Counter(grabbable=1, next_to=1, inside=1, closed=1)
    assert before == Overlap("grab", "precondition", expected, {}, {})
    assert after == Overlap("grab", "effect", Counter(holds=1, next_to=1), {}, {})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(and (p ?x) (q ?y))", "(and (q ?y) (p ?x))"),
        ("(and (and (p ?x)) (q ?y) (q ?y))", "(and (p ?x) (q ?y))"),
        ("(not (and (p ?x) (q ?y)))", "(or (not (p ?x)) (not (q ?y)))"),
        ("(imply (p ?x) (q ?y))", "(or (not (p ?x)) (q ?y))"),
        ("(not (exists (?z) (p ?z)))", "(forall (?u - object) (not (p ?u)))"),
        ("(forall (?z) (and (p ?z) (q ?z)))", "(and (forall (?u) (p ?u)) (forall (?v) (q ?v)))"),
        ("(exists (?z ?u) (r ?z ?u))", "(exists (?a) (exists (?b) (r ?a ?b)))"),
        ("(= ?x ?y)", "(= ?y ?x)"),
        ("(AND (P ?X))", "(p ?x)"),
    ],
)
def test_notation_makes_no_difference(one: str, other: str) -> None:
    before, _ = match_operators(with_precondition(one), with_precondition(other))
    assert before.shared
    assert counts(before)[1:] == (0, 0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(p ?x)", "(not (p ?x))"),
        ("(and (p ?x) (r ?x ?y))", "(and (p ?x) (r ?y ?x))"),
        ("(exists (?z) (p ?z))", "(forall (?z) (p ?z))"),
        ("(exists (?z - room) (p ?z))", "(exists (?z - box) (p ?z))"),
        ("(exists (?z) (and (p ?z) (q ?z)))", "(and (exists (?z) (p ?z)) (exists (?z) (q ?z)))"),
        ("(exists (?z ?u) (r ?z ?u))", "(exists (?z ?u) (r ?u ?z))"),
        ("(p ?x)", "(p table)"),
        ("(p ?z)", "(p ?x)"),
    ],
)
def test_another_meaning_is_another_clause(one: str, other: str) -> None:
    before, _ = match_operators(with_precondition(one), with_precondition(other))
    assert before.extra
    assert before.missing


def test_two_disjunctions_are_matched_part_by_part() -> None:
    gold = with_precondition("(or (and (p ?x) (q ?x)) (r ?x ?y))")
    before, _ = match_operators(with_precondition("(or (p ?x) (r ?x ?y))"), gold)
    assert before == Overlap("a", "precondition", Counter(r=1), Counter(p=1), Counter(p=1, q=1))
    both, _ = match_operators(with_precondition("(and (p ?x) (r ?x ?y))"), gold)
    assert not both.shared


def test_an_effect_is_one_clause_for_each_change() -> None:
    gold = with_effect("(when (p ?x) (and (q ?x) (not (r ?x ?y))))")
    _, same = match_operators(
        with_effect("(and (when (p ?x) (q ?x)) (when (p ?x) (not (r ?x ?y))))"), gold
    )
    assert counts(same) == (2, 0, 0)
    _, always = match_operators(with_effect("(and (q ?x) (not (r ?x ?y)))"), gold)
    assert counts(always) == (0, 2, 2)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("(forall (?u) (not (r ?x ?u)))", "(forall (?z) (not (r ?x ?z)))", (1, 0, 0)),
        (
            "(forall (?u) (when (p ?u) (q ?u)))",
            "(forall (?z - object) (when (p ?z) (q ?z)))",
            (1, 0, 0),
        ),
        ("(forall (?u ?v) (r ?u ?v))", "(forall (?v) (forall (?z) (r ?v ?z)))", (1, 0, 0)),
        ("(forall (?u ?v) (r ?u ?v))", "(forall (?u ?v) (r ?v ?u))", (0, 1, 1)),
        ("(forall (?u) (r ?u ?u))", "(forall (?u ?v) (r ?u ?v))", (0, 1, 1)),
        ("(forall (?u - room) (p ?u))", "(forall (?u - box) (p ?u))", (0, 1, 1)),
    ],
)
def test_names_of_quantified_variables_make_no_difference_in_effects(
    one: str, other: str, expected: tuple[int, int, int]
) -> None:
    _, effect = match_operators(with_effect(one), with_effect(other))
    assert counts(effect) == expected


def test_parameters_are_assigned_so_that_most_matches() -> None:
    gold = operator("(:action a :parameters (?x ?y) :precondition (r ?x ?y) :effect (p ?x))")
    swapped = operator("(:action a :parameters (?y ?x) :precondition (r ?x ?y) :effect (p ?x))")
    renamed = operator("(:action a :parameters (?u ?v) :precondition (r ?v ?u) :effect (p ?v))")
    fewer = operator("(:action a :parameters (?u) :precondition (r ?u ?y) :effect (p ?u))")
    more = operator("(:action a :parameters (?u ?w ?v) :precondition (r ?v ?w) :effect (p ?u))")
    assert [counts(part) for part in match_operators(swapped, gold)] == [(1, 0, 0), (1, 0, 0)]
    assert [counts(part) for part in match_operators(renamed, gold)] == [(1, 0, 0), (1, 0, 0)]
    assert [counts(part) for part in match_operators(fewer, gold)] == [(0, 1, 1), (1, 0, 0)]
    assert sum(counts(part)[0] for part in match_operators(more, gold)) == 1


def test_without_a_counterpart_everything_is_extra_or_missing() -> None:
    before, after = unmatched(operator(GRAB), predicted=True)
    assert (counts(before), counts(after)) == ((0, 4, 0), (0, 2, 0))
    before, after = unmatched(operator(GRAB), predicted=False)
    assert (counts(before), counts(after)) == ((0, 0, 4), (0, 0, 2))


def with_numbers(precondition: str, effect: str, parameters: str = "?x ?y") -> Operator:
    domain = parse_domain(f"""(define (domain tank) (:requirements :adl :fluents)
        (:predicates (p ?x)) (:functions (level ?x) (gap ?x ?y) (total-cost))
        (:action a :parameters ({parameters}) :precondition {precondition} :effect {effect}))""")
    return domain.operators["a"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("(increase (level ?x) 2)", "(increase (level ?x) 2)", (1, 0, 0)),
        ("(increase (level ?x) 2)", "(increase (level ?x) 3)", (0, 1, 1)),
        ("(increase (level ?x) 2)", "(decrease (level ?x) 2)", (0, 1, 1)),
        ("(assign (gap ?x ?y) (level ?y))", "(assign (gap ?x ?y) (level ?y))", (1, 0, 0)),
        ("(assign (gap ?x ?y) (level ?y))", "(assign (gap ?x ?y) (level ?x))", (0, 1, 1)),
        ("(when (p ?x) (assign (level ?x) 0))", "(when (p ?x) (assign (level ?x) 0))", (1, 0, 0)),
        ("(when (p ?x) (assign (level ?x) 0))", "(assign (level ?x) 0)", (0, 1, 1)),
        ("(forall (?u) (assign (level ?u) 0))", "(forall (?v) (assign (level ?v) 0))", (1, 0, 0)),
        (
            "(forall (?u ?v) (assign (gap ?u ?v) 0))",
            "(forall (?v ?u) (assign (gap ?u ?v) 0))",
            (0, 1, 1),
        ),
        # What an action costs is no effect that is compared.
        ("(and (p ?x) (increase (total-cost) 5))", "(p ?x)", (1, 0, 0)),
    ],
)
def test_a_changed_number_is_a_clause(one: str, other: str, expected: tuple[int, int, int]) -> None:
    # The precondition tells the parameters apart, so that they cannot change places.
    named = "(and (p ?x) (not (p ?y)))"
    before, effect = match_operators(with_numbers(named, one), with_numbers(named, other))
    assert counts(before) == (2, 0, 0)
    assert counts(effect) == expected


def test_a_comparison_of_numbers_is_a_clause_about_its_objects() -> None:
    gold = with_numbers("(and (p ?x) (< (level ?x) (level ?y)))", "(p ?y)")
    renamed = with_numbers("(and (p ?u) (< (level ?u) (level ?v)))", "(p ?v)", "?u ?v")
    swapped = with_numbers("(and (p ?x) (< (level ?y) (level ?x)))", "(p ?y)")
    assert [counts(part) for part in match_operators(renamed, gold)] == [(2, 0, 0), (1, 0, 0)]
    assert [counts(part) for part in match_operators(swapped, gold)] == [(1, 1, 1), (1, 0, 0)]
