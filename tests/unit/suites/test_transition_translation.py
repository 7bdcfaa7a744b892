"""Which operators Fast Downward 24.06's translator takes, and as what."""

from __future__ import annotations

import pytest

from eai.logic import And, Atom, Variable
from eai.pddl import AddEffect, AndEffect, Operator, ReadOperator, parse_domain, read_actions
from eai.suites.transition.translation import STOP, stopping, translate_operator

DOMAIN = parse_domain(
    "(define (domain d) (:requirements :typing) (:types thing) "
    "(:predicates (in ?a - thing ?b - thing) (on ?a - thing)))"
)


def read(precondition: str, effect: str) -> ReadOperator:
    text = f"(:action go :parameters (?a - thing) :precondition {precondition} :effect {effect})"
    (found,), _ = read_actions(text, domain=DOMAIN)
    return found


def taken(precondition: str, effect: str) -> Operator:
    operator = translate_operator("go", read(precondition, effect))
    assert isinstance(operator, Operator)
    return operator


@pytest.mark.parametrize(
    ("precondition", "effect"),
    [
        ("(in ?a table)", "(on ?a)"),  # an object that nobody declared
        ("(in ?a ?b)", "(on ?a)"),  # a variable that nothing binds
        ("(exists (?b - other) (in ?a ?b))", "(on ?a)"),  # a type that nobody declared
        ("()", "()"),
    ],
)
def test_undeclared_names_are_no_fault(precondition: str, effect: str) -> None:
    assert taken(precondition, effect).name == "go"


@pytest.mark.parametrize(
    ("precondition", "effect"),
    [
        ("(flies ?a)", "(on ?a)"),
        ("(on ?a ?a)", "(on ?a)"),
        ("(on ?a)", "(or (on ?a) (in ?a ?a))"),
        ("(on ?a)", "(not (and (on ?a)))"),
        ("(when (on ?a) (on ?a))", "(on ?a)"),
    ],
)
def test_what_is_no_pddl_or_not_of_the_domain_is_refused(precondition: str, effect: str) -> None:
    assert isinstance(translate_operator("go", read(precondition, effect)), str)


def test_nothing_and_escapes_are_refused() -> None:
    assert translate_operator("go", None) == "go is no operator"
    found = translate_operator("go", read("(on ?a)", "(on ?a)"), text=r"(and\n (on ?a))")
    assert isinstance(found, str)
    assert "backslash" in found


def test_what_the_precondition_says_to_exist_is_known_to_the_effect() -> None:
    captured = taken("(and (on ?a) (exists (?b - thing) (in ?a ?b)))", "(on ?b)")
    assert [variable.name for variable in captured.parameters] == ["a", "b"]
    a, b = Variable("a", ("thing",)), Variable("b", ("thing",))
    assert captured.precondition == And((Atom("on", (a,)), Atom("in", (a, b))))
    apart = taken("(exists (?b - thing) (in ?a ?b))", "(on ?a)")
    assert [variable.name for variable in apart.parameters] == ["a"]


def test_making_something_true_of_nothing_stops_the_translator() -> None:
    stopped = stopping(taken("(on ?a)", "(and (on ?a) (when (on ?a) (on ?b)))"))
    assert isinstance(stopped.effect, AndEffect)
    assert AddEffect(STOP) in [getattr(part, "effect", part) for part in stopped.effect.parts]
    bound = taken("(on ?a)", "(forall (?b - thing) (in ?a ?b))")
    assert stopping(bound) is bound
    deleting = taken("(on ?a)", "(not (on ?b))")
    assert stopping(deleting) is deleting
