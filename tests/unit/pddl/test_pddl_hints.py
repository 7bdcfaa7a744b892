"""Faults that models make, and what is written in other languages: each finding says what to do."""

from __future__ import annotations

import pytest

from eai.pddl import Issue, parse_domain, parse_problem, read_domain, read_problem

DOMAIN = """\
(define (domain gripper)
  (:requirements :strips :typing :negative-preconditions)
  (:types room ball hand - object)
  (:predicates (at-robby ?r - room) (at ?b - ball ?r - room) (free ?h - hand)
               (carry ?b - ball ?h - hand))
  (:action move
    :parameters (?from ?to - room)
    :precondition (and (at-robby ?from) (not (at-robby ?to)))
    :effect (and (at-robby ?to) (not (at-robby ?from)))))
"""
PROBLEM = """\
(define (problem two-balls)
  (:domain gripper)
  (:objects kitchen hall - room red blue - ball left right - hand)
  (:init (at-robby kitchen) (free left) (free right) (at red kitchen) (at blue kitchen))
  (:goal (and (at red hall) (at blue hall))))
"""
NOT = "(not (at-robby ?to))"
DELETE = "(not (at-robby ?from))"
BOTH = "(and (at-robby ?from) (not (at-robby ?to)))"

DOMAINS = [
    ("?r - room) (at ?b", "?r – room) (at ?b", "write '-'"),  # noqa: RUF001
    ("?from ?to - room", "?from ?to — room", "write '-'"),
    ("?from ?to - room", "?from, ?to - room", "blanks stand between names"),
    ("?from ?to - room", "from to - room", "write '?from'"),
    ("?from ?to - room", "_from _to - room", "write '?from'"),
    ("?from ?to - room", "$from $to - room", "begins with '?'"),
    ("?from ?to - room", "?from ?to: room", "' - '"),
    ("(?from ?to - room)", "[?from ?to - room]", "round brackets"),
    ("(?from ?to - room)", "?from ?to - room", "brackets after ':parameters'"),
    ("  (:types", "  # the types\n  (:types", "begins with ';'"),
    ("  (:types", "  // the types\n  (:types", "begins with ';'"),
    ("  (:types", "  /* the types */\n  (:types", "begins with ';'"),
    ("(:types room ball hand - object)", "(:types room - ball ball - hand hand - room)", "cycle"),
    ("(:types room ball", "(:types object - room ball", "another name"),
    ("(at-robby ?from) (not", "at-robby(?from) (not", "(at-robby ...)"),
    ("(at-robby ?from) (not", "(at-robby from) (not", "write ?from"),
    ("(at-robby ?from) (not", '(at-robby "kitchen") (not', "write (at-robby ?r)"),
    ("(at-robby ?from) (not", "(at-robby ?from ?to) (not", "write (at-robby ?r)"),
    (BOTH, "(at-robby ?from) (not (at-robby ?to))", "(and ... ...)"),
    (BOTH, "((at-robby ?from) and (not (at-robby ?to)))", "'and'"),
    (BOTH, "(&& (at-robby ?from) (not (at-robby ?to)))", "'and'"),
    (BOTH, "{and (at-robby ?from) (not (at-robby ?to))}", "round brackets"),
    (NOT, "(not at-robby ?to)", "(at-robby ...)"),
    (NOT, "!(at-robby ?to)", "(not CONDITION)"),
    (NOT, "(!= ?from ?to)", "(not (= TERM TERM))"),
    (NOT, "(neq ?from ?to)", "(not (= TERM TERM))"),
    (NOT, "(== ?from ?to)", "(= TERM TERM)"),
    (NOT, "(implies (at-robby ?from) (at-robby ?to))", "'imply'"),
    (NOT, "(forall ?x (at-robby ?x))", "(?x - TYPE ...)"),
    (NOT, "(forall (?x - room) (at-robby ?x) (at-robby ?to))", "one body"),
    (NOT, "(at-robby ?where)", "add ?where to :parameters"),
    (NOT, "...", "remove it"),
    (NOT, "<condition>", "without '<' and '>'"),
    (NOT, "(>= (fuel ?to) 3)", "add (fuel ...) to :functions"),
    (DELETE, "(delete (at-robby ?from))", "(not (PREDICATE"),
    (DELETE, "(setq free ?from)", "(PREDICATE TERM"),
    (DELETE, "(if (at-robby ?to) (free ?from))", "(when CONDITION EFFECT)"),
    (DELETE, "(when (at-robby ?from))", "a condition and an effect"),
    (":effect", "effect", ":effect"),
    ("(:action move", "(:action move robby", "one word"),
    ("(define (domain gripper)", "(domain gripper)", "(define (domain NAME) ...)"),
]
PROBLEMS = [
    ("(at red kitchen)", "(red at kitchen)", "(at red kitchen)"),
    ("(at red kitchen)", "at(red, kitchen)", "(at ...)"),
    ("(at red kitchen)", "(at ?red kitchen)", "without '?'"),
    ("(at red kitchen)", "(forall (?b - ball) (at ?b kitchen))", "one by one"),
    ("(at red kitchen)", "(at red - ball kitchen)", "NAME - TYPE"),
    ("(at red kitchen)", "(at red kitchen) (not (at red kitchen))", "one of them"),
    ("(and (at red hall) (at blue hall))", "(at red hall) (at blue hall)", "(and CONDITION ...)"),
    ("(and (at red hall) (at blue hall))", "((at red hall) and (at blue hall))", "'and'"),
    ("kitchen hall - room", "kitchen, hall - room", "blanks stand between names"),
    ("kitchen hall - room", "?kitchen ?hall - room", "write 'kitchen'"),
    ("kitchen hall - room", "(kitchen hall - room)", "brackets"),
    ("kitchen hall - room", "kitchen hall - garage", "add garage to :types"),
]
"""What stands in the text, what is put in its place, and what a hint has to say."""


def errors(issues: list[Issue]) -> list[Issue]:
    return [issue for issue in issues if issue.severity == "error"]


@pytest.mark.parametrize(("old", "new", "said"), DOMAINS)
def test_every_mistake_in_a_domain_gets_a_hint(old: str, new: str, said: str) -> None:
    assert old in DOMAIN
    found = errors(read_domain(DOMAIN.replace(old, new, 1))[1])
    hints = [issue.mend or "" for issue in found]
    assert hints
    assert all(hints)
    assert any(said in hint for hint in hints), hints


@pytest.mark.parametrize("word", ["set", "setq", "setf"])
@pytest.mark.parametrize("assigned", ["free ?h", "seen ?from", "(free ?h) t", "(seen ?from) true"])
def test_an_assignment_of_lisp_is_told_to_be_the_predicate_alone(word: str, assigned: str) -> None:
    text = DOMAIN.replace(DELETE, f"({word} {assigned})", 1)
    first, *_ = errors(read_domain(text)[1])
    assert first.mend is not None
    assert "(PREDICATE TERM ...)" in first.mend
    assert "not" not in first.mend


@pytest.mark.parametrize(("old", "new", "said"), PROBLEMS)
def test_every_mistake_in_a_problem_gets_a_hint(old: str, new: str, said: str) -> None:
    assert old in PROBLEM
    text = PROBLEM.replace(old, new, 1)
    found = errors(read_problem(text, domain=parse_domain(DOMAIN))[1])
    hints = [issue.mend or "" for issue in found]
    assert hints
    assert all(hints)
    assert any(said in hint for hint in hints), hints


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (NOT, "(or (preference p (at-robby ?to)) (at-robby ?to))", "preferences"),
        (NOT, "(always (at-robby ?to))", "trajectory constraints"),
        (DELETE, "(oneof (at-robby ?to) (at-robby ?from))", "several possible outcomes"),
        ("(:action", "(:process", "processes and events"),
    ],
)
def test_what_is_of_another_kind_of_planning_is_refused_by_its_name(
    old: str, new: str, name: str
) -> None:
    (found,) = errors(read_domain(DOMAIN.replace(old, new, 1))[1])
    assert found.kind == "unsupported-part"
    assert name in found.message


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("(at red kitchen)", "(probabilistic 0.5 (at red kitchen))", "facts with a probability"),
        ("(at red hall)", "(or (preference p (at red hall)))", "preferences"),
    ],
)
def test_what_a_problem_says_of_another_kind_of_planning_is_named(
    old: str, new: str, name: str
) -> None:
    (found,) = errors(read_problem(PROBLEM.replace(old, new, 1))[1])
    assert found.kind == "unsupported-part"
    assert name in found.message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  (:action", "  ; from C:\\temp\\new\n  (:action"),
        ("  (:action", "  ; a comment\\\n  (:action"),
        ("(at ?b - ball ?r - room)", "(at ?b ?b - object)"),
        ("room ball hand - object", "room ball - thing room thing hand - object"),
        ("(define", "\ufeff(define"),
    ],
)
def test_what_fast_downward_reads_is_read(old: str, new: str) -> None:
    domain = parse_domain(DOMAIN.replace(old, new, 1))
    assert parse_problem(PROBLEM, domain=domain)
    assert domain.is_subtype("room", "object")


def test_of_two_types_above_a_type_the_nearest_counts() -> None:
    text = "(define (domain d) (:types a - {} a - {} b - c c))"
    for above in (("b", "c"), ("c", "b"), ("object", "b"), ("b", "object")):
        domain, (_, issue, *_) = read_domain(text.format(*above))
        assert domain.types == {"a": "b", "b": "c", "c": "object"}
        assert (issue.kind, issue.severity) == ("repeated-name", "warning")


@pytest.mark.parametrize(("term", "has_too_many"), [("(?to)", True), ("(room-of ?to)", False)])
def test_no_hint_changes_what_an_argument_means(term: str, *, has_too_many: bool) -> None:
    found = errors(read_domain(DOMAIN.replace(NOT, f"(at-robby {term})", 1))[1])
    assert any("leave out" in (issue.mend or "") for issue in found) is has_too_many
