"""Which operators Fast Downward 24.06's translator takes, and as what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eai.logic import And, Atom, Variable
from eai.pddl import Operator, clauses, parse_domain, parse_problem
from eai.planning import Outcome, plan
from eai.suites.transition.translation import (
    STOP,
    mark_unbound_effects,
    translate_operator,
    with_equality,
)

DOMAIN = parse_domain(
    "(define (domain d) (:requirements :typing) (:types thing) "
    "(:predicates (in ?a - thing ?b - thing) (on ?a - thing)))"
)


def translated(precondition: str, effect: str, parameters: str = "(?a - thing)") -> Operator | str:
    text = f"(:action go :parameters {parameters} :precondition {precondition} :effect {effect})"
    return translate_operator("go", text, DOMAIN.predicates)


def taken(precondition: str, effect: str, parameters: str = "(?a - thing)") -> Operator:
    operator = translated(precondition, effect, parameters)
    assert isinstance(operator, Operator), operator
    return operator


@pytest.mark.parametrize(
    ("precondition", "effect"),
    [
        ("(in ?a table)", "(on ?a)"),  # an object that nobody declared
        ('(in ?a "table")', "(on ?a)"),  # its name in double quotes
        ("(in ?a ?b)", "(on ?a)"),  # a variable that nothing binds
        ("(exists (?b - other) (in ?a ?b))", "(on ?a)"),  # a type that nobody declared
        ("(not(in ?a?a))", "(and)"),  # no blanks
        ("()", "()"),
        ("(on ?a)", "(not (= ?a ?a))"),  # equality is a predicate
        ("(on ?a)", "(and (on ?a) (increase (total-cost) 1))"),
        ("(ON ?A)", "; first\n(Not (On ?a))"),
    ],
)
def test_undeclared_names_are_no_fault(precondition: str, effect: str) -> None:
    assert taken(precondition, effect).name == "go"


@pytest.mark.parametrize(
    ("precondition", "effect"),
    [
        ("(flies ?a)", "(on ?a)"),
        ("(on ?a ?a)", "(on ?a)"),
        ('(on "?a")', "(on ?a)"),  # a quotation mark, and a variable
        ("(thing ?a)", "(on ?a)"),  # a type is no predicate
        ("(on (table))", "(on ?a)"),
        ("(on ?a)", "(or (on ?a) (in ?a ?a))"),
        ("(on ?a)", "(not (and (on ?a)))"),
        ("(on ?a)", r"(and\n (on ?a))"),
        ("(on ?a)", "(and () (on ?a))"),
        ("(on ?a)", "(when () (on ?a))"),
        ("(on ?a)", "(when (on ?a) (and (forall (?b) (in ?a ?b)) (on ?a)))"),
        ("(on ?a)", "(when (on ?a) (increase (total-cost) 1))"),
        ("(when (on ?a) (on ?a))", "(on ?a)"),
        ("(exists () (on ?a))", "(on ?a)"),
        ("(exists (?b - (either thing other)) (on ?b))", "(on ?a)"),
        ("(forall (?b - thing) (in ?b ?c))", "(on ?a)"),  # nothing binds ?c
        ("(not (exists (?b - thing) (in ?b ?c)))", "(on ?a)"),
        ("(on tablé)", "(on ?a)"),
        ("(on ?a) (on ?a)", "(on ?a)"),
        ("(on ?a", "(on ?a)"),
        ("(not " * 101 + "(on ?a)" + ")" * 101, "(on ?a)"),
    ],
)
def test_what_is_no_pddl_or_not_of_the_domain_is_refused(precondition: str, effect: str) -> None:
    assert isinstance(translated(precondition, effect), str)


@pytest.mark.parametrize("parameters", ["(a - thing)", "(?a -thing)", "(?a- thing)", "(?a -)"])
def test_parameters_are_variables_with_types(parameters: str) -> None:
    assert isinstance(translated("(on ?a)", "(on ?a)", parameters), str)


def test_a_quantifier_over_what_is_no_variable_finds_nothing() -> None:
    found = taken("(exists (?b -thing) (in ?a ?b))", "(on ?a)").precondition
    assert [variable.types for variable in found.variables] == [("object",), ("",)]


def test_what_the_precondition_says_to_exist_is_known_to_the_effect() -> None:
    captured = taken("(and (on ?a) (exists (?b - thing) (in ?a ?b)))", "(on ?b)")
    assert [variable.name for variable in captured.parameters] == ["a", "b"]
    a, b = Variable("a", ("thing",)), Variable("b", ("thing",))
    assert captured.precondition == And((Atom("on", (a,)), Atom("in", (a, b))))
    apart = taken("(exists (?b - thing) (in ?a ?b))", "(on ?a)")
    assert [variable.name for variable in apart.parameters] == ["a"]


def test_what_the_condition_of_an_effect_says_to_exist_is_known_to_the_first_literal() -> None:
    both = "(when (exists (?b - thing) (in ?a ?b)) (and (not (on ?b)) (not (in ?a ?b))))"
    first, second = clauses(taken("()", both).effect)
    assert [variable.name for variable in first.variables] == ["b"]
    assert [variable.name for variable in second.variables] == ["b1"]
    assert {variable.name for variable in second.atom.free} == {"a", "b"}


def test_a_variable_that_gets_the_name_of_an_unbound_one_binds_it() -> None:
    (clause,) = clauses(taken("(on ?a)", "(forall (?a - thing) (on ?a1))").effect)
    assert clause.variables == (Variable("a1", ("thing",)),)
    assert not mark_unbound_effects([taken("(on ?a)", "(forall (?a - thing) (on ?a1))")])


def test_a_parameter_that_stands_twice_is_of_both_types() -> None:
    found = taken("(on ?a)", "(not (on ?a))", "(?a - nothing ?a - thing)")
    assert [variable.types for variable in found.parameters] == [("thing",)]
    assert ended(found, "(not (on cup))") is Outcome.UNSOLVABLE


def test_making_something_true_of_nothing_stops_the_translator() -> None:
    stopped, anywhere = mark_unbound_effects(
        [taken("(on ?a)", "(and (on ?a) (when (on ?a) (on ?b)))")]
    )
    assert STOP in [clause.atom for clause in clauses(stopped.effect)]
    assert [len(clause.variables) for clause in clauses(anywhere.effect)] == [0, 1]
    bound = taken("(on ?a)", "(forall (?b - thing) (in ?a ?b))")
    assert not mark_unbound_effects([bound])
    deleting = taken("(on ?a)", "(not (on ?b))")
    assert not mark_unbound_effects([deleting])


def ended(operator: Operator, goal: str) -> Outcome:
    problem = parse_problem(
        f"(define (problem p) (:domain d) (:objects cup - thing) (:init (on cup)) (:goal {goal}))"
    )
    domain = replace(DOMAIN, operators={"go": operator})
    return plan(*with_equality(domain, problem)).outcome


def test_equality_holds_of_what_is_declared_until_an_effect_changes_it() -> None:
    assert ended(taken("(= ?a ?a)", "(not (on ?a))"), "(not (on cup))") is Outcome.SOLVED
    assert ended(taken("(= ghost ghost)", "(not (on ?a))"), "(not (on cup))") is Outcome.UNSOLVABLE
    changing = "(and (not (= ?a ?a)) (when (not (= ?a ?a)) (not (on ?a))))"
    assert ended(taken("()", changing), "(not (on cup))") is Outcome.SOLVED
