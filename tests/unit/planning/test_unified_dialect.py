"""Tasks as unified-planning reads them: other words, the same plans."""

from __future__ import annotations

import re

import pytest
from needs import extra

from eai.errors import InputError
from eai.logic import And
from eai.pddl import Domain, Problem, format_task, parse_domain, parse_problem
from eai.planning import PlanningResult, plan
from eai.planning.unified import from_unified, to_unified
from eai.planning.unified.dialect import in_dialect

needs_unified = extra("planners", "unified_planning")

DEPOT = """
(define (domain depot) (:requirements :adl)
  (:types box jug lid - thing ghost area)
  (:constants b - box j - jug l - lid here there - area)
  (:predicates (in ?x - (either box jug) ?a - area) (wet ?x - thing) (done) {predicates})
  (:action move :parameters (?x - (either box jug) ?from ?to - area)
    :precondition (in ?x ?from) :effect (and (in ?x ?to) (not (in ?x ?from))))
  (:action splash :parameters (?x - thing) :precondition (not (done)) :effect (wet ?x))
  {action})
"""
STORED = """
(define (problem stored) (:domain depot)
  (:objects {objects}) (:init (in b here) (in j here))
  (:goal {goal}))
"""


def _task(
    goal: str, action: str = "", predicates: str = "", objects: str = ""
) -> tuple[Domain, Problem]:
    domain = parse_domain(DEPOT.format(action=action, predicates=predicates))
    return domain, parse_problem(STORED.format(goal=goal, objects=objects), domain=domain)


def _optimal(domain: Domain, problem: Problem) -> PlanningResult:
    return plan(domain, problem, engine="eai-optimal")


SEVERAL_TYPES = "(forall (?x - (either box jug)) (in ?x there))"
MARK = "(:action mark :parameters ({}) :precondition {} :effect {})"
TASKS = {
    "a condition on all objects of several types": _task(SEVERAL_TYPES),
    "a condition on some object of several types": _task(
        "(exists (?x - (either box jug)) (in ?x there))"
    ),
    "types of which one is below the other": _task(
        "(forall (?x - (either box thing jug)) (wet ?x))"
    ),
    "a parameter of several types": _task(
        "(and (done) (wet l))", MARK.format("?x - (either box jug)", "(wet ?x)", "(done)")
    ),
    "an effect on all objects of several types": _task(
        "(and (wet b) (wet j) (not (wet l)))",
        MARK.format("", "(done)", "(forall (?x - (either box jug)) (wet ?x))")
        + MARK.format("", "(wet b)", "(done)").replace("mark", "finish"),
    ),
    "a quantifier over a type without objects": _task(
        "(done)", MARK.format("", "(exists (?g - ghost) (wet b))", "(done)")
    ),
    "an effect on all objects of a type without objects": _task(
        "(done)", MARK.format("", "(wet b)", "(forall (?g - ghost) (done))")
    ),
    "an effect for all objects that does not mention them": _task(
        "(done)", MARK.format("", "(wet b)", "(forall (?a - area) (done))")
    ),
    "a quantifier without variables": _task("(forall () (wet b))"),
    "conditions inside conditions": _task(
        "(done)", MARK.format("", "(and)", "(when (wet b) (when (wet j) (done)))")
    ),
    "quantifiers inside quantifiers": _task(
        "(and (in b there) (not (in j here)))",
        MARK.format(
            "",
            "(wet l)",
            "(forall (?x - box) (when (wet ?x) (forall (?a - area) (when (in ?x ?a) "
            "(and (in j ?a) (not (in j here)))))))",
        ),
    ),
    "an object that is called like a predicate": _task("(wet wet)", objects="wet done - box"),
    "an object of the root type": _task(
        "(and (wet b) (forall (?x - object) (imply (= ?x moon) (wet b))))", objects="moon - object"
    ),
    "an equality between objects of unrelated types": _task("(and (wet b) (not (= b here)))"),
    "an equality between variables of unrelated types": _task(
        "(and (wet b) (exists (?x - box ?a - area) (not (= ?x ?a))))"
    ),
    "a declaration that names a variable twice": _task(
        "(near b j)",
        MARK.format("?x ?y - thing", "(and (wet ?x) (in ?x there))", "(near ?x ?y)"),
        "(near ?x ?x - thing)",
    ),
}


@pytest.mark.parametrize("name", TASKS)
def test_the_rewritten_task_has_the_same_plans(name: str) -> None:
    domain, problem = TASKS[name]
    rewritten = in_dialect(domain, problem)
    before, after = _optimal(domain, problem), _optimal(*rewritten)
    assert (after.outcome, after.cost) == (before.outcome, before.cost)
    assert rewritten[0].operators.keys() == domain.operators.keys()
    assert rewritten[1].objects.keys() == problem.objects.keys()


@pytest.mark.parametrize("name", TASKS)
def test_the_text_keeps_to_what_is_read(name: str) -> None:
    text = format_task(*in_dialect(*TASKS[name]))
    both = text.domain + text.problem
    assert "either" not in both
    assert not re.search(r"\((forall|exists) \(\)", both)
    assert not re.search(r"\(when \S* *\(when", both)
    for declared in re.findall(r"\((\S+)([^()]*)\)", text.domain.partition("(:action")[0]):
        variables = re.findall(r"\?\S+", declared[1])
        assert len(variables) == len(set(variables))


@pytest.mark.parametrize("name", TASKS)
def test_a_type_above_all_is_added_only_where_the_root_type_is_bound(name: str) -> None:
    domain, problem = TASKS[name]
    is_root_bound = "root type" in name or "unrelated types" in name
    assert (in_dialect(domain, problem)[0].types != domain.types) is is_root_bound


def test_a_type_below_another_one_needs_no_condition_of_its_own() -> None:
    rewritten = in_dialect(*TASKS["types of which one is below the other"])[1]
    assert str(rewritten.goal) == "forall x:thing. (wet(x))"
    several = in_dialect(*TASKS["a condition on all objects of several types"])[1]
    assert isinstance(several.goal, And)


def test_only_parameters_of_several_types_need_a_predicate_for_their_types() -> None:
    domain, problem = _task("(wet b)")
    rewritten = in_dialect(domain, problem)[0]
    [added] = rewritten.predicates.keys() - domain.predicates.keys()
    assert {"box", "jug"} < set(added.split("-"))
    assert added in str(rewritten.operators["move"].precondition)
    assert added not in str(rewritten.operators["splash"].precondition)


def test_an_action_does_not_delete_what_it_adds() -> None:
    """With ENHSP deleting would win."""
    turn = "(and (not (wet b)) (wet b) (not (done)) (when (wet l) (done)))"
    domain, problem = _task("(wet b)", MARK.format("", "(and)", turn))
    text = format_task(*in_dialect(domain, problem)).domain.partition("(:action mark")[2]
    assert "(not (wet b))" not in text
    assert "(not (done))" in text


@needs_unified
@pytest.mark.parametrize("name", TASKS)
def test_unified_planning_reads_the_task(name: str) -> None:
    domain, problem = TASKS[name]
    before = _optimal(domain, problem)
    after = _optimal(*from_unified(to_unified(domain, problem)))
    assert (after.outcome, after.cost) == (before.outcome, before.cost)


def test_costs_that_are_numbers_are_added_up() -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (p)) (:functions (total-cost) - number) (:action a "
        ":parameters () :effect (and (p) (increase (total-cost) 2) (increase (total-cost) 3))))"
    )
    text = "(define (problem p) (:domain d) (:init) (:goal (p)) (:metric minimize (total-cost)))"
    rewritten, problem = in_dialect(domain, parse_problem(text, domain=domain))
    assert _optimal(rewritten, problem).cost == 5
    assert format_task(rewritten, problem).domain.count("increase") == 1


@pytest.mark.parametrize(
    "effect",
    [
        "(forall (?x - object) (increase (total-cost) 1))",
        "(and (increase (total-cost) 1) (increase (total-cost) (price)))",
    ],
)
def test_costs_that_it_cannot_express_are_refused(effect: str) -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (p)) (:functions (total-cost) (price) - number) "
        f"(:action a :parameters () :effect (and (p) {effect})))"
    )
    text = "(define (problem p) (:domain d) (:objects o) (:init (= (price) 1)) (:goal (p)))"
    with pytest.raises(InputError):
        in_dialect(domain, parse_problem(text, domain=domain))


def test_derived_predicates_are_refused_by_name() -> None:
    domain, problem = _task("(wet l)", "(:derived (open) (wet b))", "(open)")
    with pytest.raises(InputError) as refused:
        in_dialect(domain, problem)
    assert "'open'" in refused.value.what


COSTS = {
    "a function": "(increase (total-cost) (price ?x))",
    "a function that is called like an object": "(increase (total-cost) (here ?x))",
    "a function without objects": "(increase (total-cost) (fee))",
    "a number under a condition": "(when (dear ?x) (increase (total-cost) 4))",
    "a function under a condition": "(when (dear ?x) (increase (total-cost) (price ?x)))",
    "a number and a function under a condition": (
        "(increase (total-cost) 2) (when (not (dear ?x)) (increase (total-cost) (price ?x)))"
    ),
    "fractions": "(increase (total-cost) 0.5) (increase (total-cost) 0.25)",
}


def _task_with_costs(effect: str) -> tuple[Domain, Problem]:
    domain = parse_domain(f"""(define (domain shop) (:requirements :adl :action-costs)
        (:predicates (dear ?x) (bought ?x))
        (:functions (total-cost) (fee) (price ?x) (here ?x) - number)
        (:action buy :parameters (?x) :effect (and (bought ?x) {effect})))""")
    text = """(define (problem p) (:domain shop) (:objects here cup)
        (:init (dear cup) (= (fee) 5) (= (price here) 3) (= (price cup) 7) (= (here here) 2)
            (= (here cup) 1)) (:goal (and (bought here) (bought cup)))
        (:metric minimize (total-cost)))"""
    return domain, parse_problem(text, domain=domain)


@pytest.mark.parametrize("kind", COSTS)
def test_the_rewritten_task_has_the_same_costs(kind: str) -> None:
    domain, problem = _task_with_costs(COSTS[kind])
    rewritten = in_dialect(domain, problem)
    expected = _optimal(domain, problem).cost
    assert expected
    assert _optimal(*rewritten).cost == expected
    names = {*rewritten[0].functions, *rewritten[0].predicates}
    assert names.isdisjoint(problem.objects)


@needs_unified
@pytest.mark.parametrize("kind", COSTS)
def test_unified_planning_keeps_costs(kind: str) -> None:
    domain, problem = _task_with_costs(COSTS[kind])
    again = from_unified(to_unified(domain, problem))
    assert _optimal(*again).cost == _optimal(domain, problem).cost
