"""Names that a task does not declare: what is objected to, and what they are taken for."""

from __future__ import annotations

import pytest

from eai.logic import Atom, Variable
from eai.pddl import Domain, Problem, parse_problem, read_domain
from eai.planning import Outcome, plan
from eai.planning.declarations import declared, objection

DOMAIN = """
(define (domain boxes)
  (:types box lid)
  (:constants shelf)
  (:predicates (open ?b - box) (on ?l - lid ?b - box) (done))
  (:functions (total-cost))
  {axiom}
  (:action shut
    :parameters (?b - box ?l - lid)
    :precondition (and (open ?b) {precondition})
    :effect (and (not (open ?b)) (on ?l ?b) {effect})))
"""
PROBLEM = """
(define (problem one) (:domain boxes)
  (:objects a - box b - {type} l - lid)
  (:init (open a) {fact})
  (:goal (and (not (open a)) {goal})))
"""


def task(
    *,
    axiom: str = "",
    precondition: str = "",
    effect: str = "",
    kind: str = "box",
    fact: str = "",
    goal: str = "",
) -> tuple[Domain, Problem]:
    domain = DOMAIN.format(axiom=axiom, precondition=precondition, effect=effect)
    problem = PROBLEM.format(type=kind, fact=fact, goal=goal)
    return read_domain(domain)[0], parse_problem(problem)  # errors are read, too


def test_a_task_that_declares_everything_stays_as_it_is() -> None:
    domain, problem = task(effect="(when (done) (increase (total-cost) 1))", goal="(on l a)")
    assert objection(domain, problem) is None
    assert declared(domain, problem) == (domain, problem)
    assert declared(domain, problem)[0] is domain


@pytest.mark.parametrize(
    ("where", "text", "says"),
    [
        ("precondition", "(shiny ?b)", ("action 'shut'", "shiny")),
        ("effect", "(shiny ?b)", ("action 'shut'", "shiny")),
        ("effect", "(when (shiny ?b) (done))", ("action 'shut'", "shiny")),
        ("effect", "(when (shiny ?b) (increase (total-cost) 1))", ("action 'shut'", "shiny")),
        ("effect", "(forall (?x - box) (shiny ?x))", ("action 'shut'", "shiny")),
        ("axiom", "(:derived (done) (shiny a))", ("the rule for 'done'", "shiny")),
        ("goal", "(exists (?x - box) (shiny ?x))", ("the goal", "shiny")),
        ("precondition", "(open ?b ?l)", ("action 'shut'", "open", "1 argument", "2")),
        ("goal", "(on l)", ("the goal", "on", "2 arguments", "1")),
        ("goal", "(box a a)", ("the goal", "box", "1 argument", "2")),
        ("kind", "crate", ("'b'", "crate")),
    ],
)
def test_what_is_not_declared_is_objected_to_with_its_place(
    where: str, text: str, says: tuple[str, ...]
) -> None:
    found = objection(*task(**{where: text}))
    assert found is not None
    assert all(part in found for part in says)


@pytest.mark.parametrize("text", ["(box a)", "(not (lid a))", "(forall (?x - box) (box ?x))"])
def test_a_type_is_a_predicate_of_one_argument(text: str) -> None:
    domain, problem = task(goal=text)
    assert objection(domain, problem) is None
    complete, rest = declared(domain, problem)
    assert {"box", "lid"} & {*complete.predicates}
    assert {atom for atom in rest.initial if atom.predicate in ("box", "lid")} <= {
        Atom("box", ("a",)),
        Atom("box", ("b",)),
        Atom("lid", ("l",)),
    }
    assert plan(domain, problem, engine="eai-optimal").outcome is Outcome.SOLVED


def test_objects_that_are_only_mentioned_are_declared() -> None:
    domain, problem = task(goal="(on l ghost)", fact="(open chest)")
    complete, rest = declared(domain, problem)
    assert set(rest.objects) == {"a", "b", "l", "ghost", "chest"}
    assert rest.objects["ghost"] == rest.objects["chest"] == "object"
    assert set(complete.constants) == {"shelf"}


def test_objects_that_are_only_mentioned_are_in_no_range() -> None:
    for goal in ("(forall (?x) (not (open ?x)))", "(not (exists (?x) (open ?x)))"):
        domain, problem = task(goal=goal, fact="(open ghost)")
        assert plan(domain, problem, engine="eai-optimal").outcome is Outcome.SOLVED
    for body in ("(forall (?x) (not (open ?x)))", "(not (exists (?x) (open ?x)))"):
        rule = f"(:derived (done) {body})"
        domain, problem = task(axiom=rule, goal="(done)", fact="(open ghost)")
        assert plan(domain, problem, engine="eai-optimal").outcome is Outcome.SOLVED
    domain, problem = task(goal="(not (open ghost))", fact="(open ghost)")
    assert plan(domain, problem, engine="eai-optimal").outcome is Outcome.UNSOLVABLE


def test_predicates_and_types_that_are_only_mentioned_hold_of_nothing() -> None:
    domain, problem = task(goal="(exists (?x - crate) (shiny ?x))")
    complete, _ = declared(domain, problem)
    assert complete.predicates["shiny"].arity == 1
    assert "crate" in complete.types
    assert not any(complete.is_subtype(own, "crate") for own in problem.objects.values())


def test_facts_with_a_wrong_number_of_arguments_are_left_out() -> None:
    domain, problem = task(fact="(open a b) (on l b) (shiny b)")
    _, rest = declared(domain, problem)
    assert set(rest.initial) == {Atom("open", ("a",)), Atom("on", ("l", "b"))}


def test_variables_that_nothing_binds_are_names_of_objects() -> None:
    domain, problem = task(precondition="(not (open ?z))")
    complete, rest = declared(domain, problem)
    assert "?z" in rest.objects
    precondition = complete.operators["shut"].precondition
    assert {variable.name for variable in precondition.free} == {"b"}
    assert Atom("open", ("?z",)) in set(precondition.walk())


def test_parameters_keep_their_types_in_a_task_that_was_completed() -> None:
    effect = (
        "(forall (?x - lid) (when (on ?x ?b) (not (on ?x ?b))))"
        " (forall (?x - box) (when (open ?x) (increase (total-cost) 1)))"
    )
    domain, problem = task(effect=effect, goal="(not (open ghost))")
    complete, _ = declared(domain, problem)
    operator = complete.operators["shut"]
    assert operator.parameters == (Variable("b", ("box",)), Variable("l", ("lid",)))
    assert plan(domain, problem, engine="eai-optimal").outcome is Outcome.SOLVED
