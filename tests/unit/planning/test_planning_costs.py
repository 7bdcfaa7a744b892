"""What plans cost: costs under conditions, initial values, and terms without a value.

The values of the table are those of VAL and Kairos 1.0.6, except where a comment says otherwise.
"""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from eai.contract import prompt_of
from eai.errors import InputError
from eai.logic import Atom
from eai.pddl import (
    check_problem,
    format_task,
    impossible_actions,
    parse_domain,
    parse_problem,
    read_problem,
)
from eai.planning import Outcome, cost_of, ground, plan, validate, with_values
from eai.planning.costs import guarded_function
from eai.planning.engines.fast_downward import FastDownward
from eai.planning.metrics import executed
from eai.planning.own import BREADTH_FIRST
from eai.suites.pddl import Pddl, Validator, diagnose
from eai.world import Action, World

DOMAIN = """
(define (domain d)
  (:requirements :adl :action-costs)
  (:types o)
  (:predicates (p) (q) (s ?x - o))
  (:functions (total-cost) - number (f ?x - o) - number (g) - number)
  (:action a :parameters () :effect (and (p) {})))
"""
PROBLEM = """
(define (problem x) (:domain d) (:objects o1 o2 - o)
  (:init {}) (:goal (p)) (:metric minimize (total-cost)))
"""
ROAD = """
(define (domain road)
  (:requirements :strips :typing :action-costs)
  (:types place)
  (:predicates (at ?a - place))
  (:functions (total-cost) - number (dist ?a ?b - place) - number)
  (:action go
    :parameters (?a ?b - place)
    :precondition (at ?a)
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (dist ?a ?b)))))
"""
TRIP = """
(define (problem trip) (:domain road) (:objects a b c - place)
  (:init (at a) (= (total-cost) 0) (= (dist a b) 2) (= (dist b c) 1))
  (:goal (at c)) (:metric minimize (total-cost)))
"""
THREE = "(increase (total-cost) 3)"


@pytest.mark.parametrize(
    ("effects", "initial", "cost"),
    [
        (f"{THREE} (when (q) (increase (total-cost) 5))", "(q)", 8),
        (f"{THREE} (when (q) (increase (total-cost) 5))", "", 3),
        (f"{THREE} (when (not (p)) (increase (total-cost) 5))", "", 8),
        (f"{THREE} (forall (?x - o) (increase (total-cost) 5))", "", 13),
        (
            f"{THREE} (forall (?x - o) (increase (total-cost) (f ?x)))",
            "(= (f o1) 4) (= (f o2) 6)",
            13,
        ),
        (
            f"{THREE} (forall (?x - o) (when (s ?x) (increase (total-cost) (f ?x))))",
            "(s o1) (= (f o1) 4) (= (f o2) 6)",
            7,
        ),
        # Kairos reads (f o2) here, VAL does not.
        (
            f"{THREE} (forall (?x - o) (when (s ?x) (increase (total-cost) (f ?x))))",
            "(s o1) (= (f o1) 4)",
            7,
        ),
        (
            f"{THREE} (forall (?x - o) (when (s ?x) (increase (total-cost) (f ?x))))",
            "(s o2) (= (f o1) 4)",
            None,
        ),
        ("(increase (total-cost) (g))", "(= (g) 2)", 2),
        ("(increase (total-cost) (g))", "", None),
        ("(when (q) (increase (total-cost) (g)))", "(q)", None),
        (THREE, "(= (total-cost) 10)", 13),
        (THREE, "", 3),
        (f"{THREE} {THREE}", "", 6),
    ],
)
def test_cost_of_a_step_is_what_other_validators_count(
    effects: str, initial: str, cost: float | None
) -> None:
    domain = parse_domain(DOMAIN.format(effects))
    problem = parse_problem(PROBLEM.format(initial), domain=domain)
    checked = validate(domain, problem, [Action("a", ())])
    assert (checked.valid, checked.cost) == (cost is not None, cost)
    assert diagnose(domain, problem, "(a)").cost == cost
    found = plan(domain, problem, engine="eai-optimal")
    assert (found.solved, found.cost) == (cost is not None, cost)


def test_term_without_value_makes_an_action_impossible_without_a_metric_too() -> None:
    domain = parse_domain(DOMAIN.format("(increase (total-cost) (g))"))
    text = PROBLEM.format("").replace("(:metric minimize (total-cost))", "")
    problem = parse_problem(text, domain=domain)
    assert not validate(domain, problem, [Action("a", ())]).valid
    for engine in ("eai", "eai-optimal", BREADTH_FIRST):
        assert plan(domain, problem, engine=engine).outcome is Outcome.UNSOLVABLE


def test_step_whose_cost_is_undefined_fails_and_names_the_term() -> None:
    domain = parse_domain(ROAD)
    problem = parse_problem(TRIP, domain=domain)
    checked = validate(domain, problem, [Action("go", ("a", "c"))])
    assert (checked.valid, checked.step) == (False, 1)
    assert "(dist a c)" in checked.reason
    found = Validator(domain, problem).diagnose("(go a b)\n(go b a)")
    assert (found.failed_step, found.kind) == (2, "affordance")
    assert "(dist b a)" in found.reasons[0]


def test_term_without_value_is_named_inside_of_quantifiers() -> None:
    effect = "(forall (?x - o) (when (s ?x) (increase (total-cost) (f ?x))))"
    domain = parse_domain(DOMAIN.format(effect))
    problem = parse_problem(PROBLEM.format("(s o1) (s o2) (= (f o1) 4)"), domain=domain)
    assert "(f o2)" in validate(domain, problem, [Action("a", ())]).reason
    assert "(f o2)" in diagnose(domain, problem, "(a)").reasons[0]


@pytest.mark.parametrize("objects", ["o1 - o", "o1 - o k - place"])
def test_cost_that_arises_for_no_object_needs_no_value(objects: str) -> None:
    domain = parse_domain("""(define (domain d) (:requirements :adl :action-costs)
      (:types o place) (:predicates (done) (at ?y - place))
      (:functions (total-cost) - number (w ?x - o) - number)
      (:action a :parameters (?x - o) :effect (and (done)
        (forall (?y - place) (when (at ?y) (increase (total-cost) (w ?x)))))))""")
    problem = parse_problem(
        f"(define (problem s) (:domain d) (:objects {objects}) (:init) (:goal (done)))",
        domain=domain,
    )
    assert validate(domain, problem, [Action("a", ("o1",))]).valid
    for engine in ("eai", "eai-optimal"):
        assert plan(domain, problem, engine=engine).outcome is Outcome.SOLVED


def test_cheapest_plan_uses_no_undefined_cost() -> None:
    found = plan(ROAD, TRIP, engine="eai-optimal")
    assert (list(map(str, found.plan or ())), found.cost) == (["go(a, b)", "go(b, c)"], 3)


def test_suite_scores_a_step_whose_cost_is_undefined_as_a_failure() -> None:
    suite = Pddl.from_texts("roads", ROAD, {"trip": TRIP})
    plans = suite.plans(suite.semantics("strict"))
    assert not plans.evaluate(suite.task("trip"), "(go a c)").success
    assert plans.evaluate(suite.task("trip"), "(go a b)\n(go b c)").success


def test_prompt_does_not_tell_which_costs_have_values() -> None:
    suite = Pddl.from_texts("roads", ROAD, {"trip": TRIP})
    told = prompt_of(suite, suite.task("trip"), "applicability") or ""
    assert "(at a)" in told
    assert "has-value" not in told


def test_costs_are_added_up_exactly() -> None:
    domain = parse_domain(DOMAIN.format("(increase (total-cost) 0.1)"))
    problem = parse_problem(PROBLEM.format("(= (total-cost) 0.1)"), domain=domain)
    assert cost_of(domain, problem, [Action("a", ())] * 2) == 0.3


def test_cost_is_the_same_with_the_execution_and_without_it() -> None:
    domain = parse_domain("""(define (domain d) (:requirements :numeric-fluents)
      (:predicates (p)) (:functions (fuel) (used))
      (:action burn :parameters () :precondition (>= (fuel) 2)
        :effect (and (p) (decrease (fuel) 2) (increase (used) 3))))""")
    problem = parse_problem(
        """(define (problem x) (:domain d) (:init (= (fuel) 7) (= (used) 1)) (:goal (p))
          (:metric minimize (+ (used) (fuel))))""",
        domain=domain,
    )
    for number in range(4):
        steps = [Action("burn", ())] * number
        expected = 8 + number
        trajectory = executed(domain, problem, steps)
        assert cost_of(domain, problem, steps) == expected
        assert cost_of(domain, problem, steps, trajectory=trajectory) == expected


def test_cost_of_a_step_without_one_is_refused() -> None:
    domain = parse_domain(ROAD)
    problem = parse_problem(TRIP, domain=domain)
    with pytest.raises(InputError, match="dist a c"):
        cost_of(domain, problem, [Action("go", ("a", "c"))])


def test_task_stays_as_it_is_where_static_facts_keep_actions_from_missing_values() -> None:
    guarded = ROAD.replace("(at ?a - place)", "(at ?a - place) (way ?a ?b - place)").replace(
        ":precondition (at ?a)", ":precondition (and (at ?a) (way ?a ?b))"
    )
    domain = parse_domain(guarded)
    problem = parse_problem(TRIP.replace("(at a)", "(at a) (way a b) (way b c)", 1), domain=domain)
    assert with_values(domain, problem) == (domain, problem)
    assert list(impossible_actions(domain, problem)) == []
    lacking = parse_problem(TRIP.replace("(at a)", "(at a) (way c a)", 1), domain=domain)
    assert [i.kind for i in impossible_actions(domain, lacking)] == ["missing-value"]
    changed, _ = with_values(domain, lacking)
    assert "dist-has-value" in changed.predicates


def test_check_says_beforehand_which_costs_are_missing() -> None:
    domain = parse_domain(ROAD)
    _, issues = read_problem(TRIP, domain=domain, thoroughly=True)
    assert [(i.kind, i.severity) for i in issues] == [("missing-value", "warning")]
    assert check_problem(parse_problem(TRIP, domain=domain), domain) == []


def test_fast_downward_is_not_asked_to_count_costs_that_it_does_not_count() -> None:
    domain = parse_domain(DOMAIN.format("(when (q) (increase (total-cost) 5))"))
    problem = parse_problem(PROBLEM.format(""), domain=domain)
    found = FastDownward().solve(domain, problem, time_limit=None, memory_limit=None)
    assert found.outcome in (Outcome.REJECTED, Outcome.NOT_INSTALLED)
    assert "(when (q) (increase (total-cost) 5))" in " ".join(
        format_task(domain, problem).domain.split()
    )


def _random_task(random: Random) -> tuple[str, str]:
    """A task with three actions on two objects, most of them with costs under conditions."""
    predicates = "pqr"

    def literal() -> str:
        atom = f"({random.choice(predicates)} {random.choice(['?x', '?x', 'o1'])})"
        return atom if random.random() < 0.6 else f"(not {atom})"

    def cost(variable: str) -> str:
        amount = random.choice(["1", "2", "5", f"(f {variable})", "(g)"])
        return f"(increase (total-cost) {amount})"

    actions = []
    for number in range(3):
        effects = [literal() for _ in range(random.randint(1, 2))]
        for _ in range(random.randint(0, 2)):
            condition = f"({random.choice(predicates)} ?y)"
            effects.append(
                random.choice(
                    [
                        cost("?x"),
                        f"(when {literal()} {cost('?x')})",
                        f"(forall (?y - o) (when {condition} {cost('?y')}))",
                    ]
                )
            )
        actions.append(
            f"(:action a{number} :parameters (?x - o) "
            f":precondition {literal()} :effect (and {' '.join(effects)}))"
        )
    facts = [f"({p} {o})" for p, o in product(predicates, ("o1", "o2")) if random.random() < 0.4]
    facts += [f"(= (f {o}) {random.randint(1, 4)})" for o in ("o1", "o2") if random.random() < 0.7]
    facts += ["(= (g) 2)"] if random.random() < 0.7 else []
    goal = f"(and ({random.choice(predicates)} o1) ({random.choice(predicates)} o2))"
    return (
        "(define (domain d) (:requirements :adl :action-costs) (:types o) (:constants o1 - o) "
        "(:predicates (p ?x - o) (q ?x - o) (r ?x - o)) "
        "(:functions (total-cost) - number (f ?x - o) - number (g) - number)"
        f"{' '.join(actions)})",
        f"(define (problem x) (:domain d) (:objects o2 - o) (:init {' '.join(facts)}) "
        f"(:goal {goal}) (:metric minimize (total-cost)))",
    )


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.heavy) for seed in range(3, 12))]
)
def test_no_plan_of_three_steps_is_cheaper_than_the_cheapest(seed: int) -> None:
    domain_text, problem_text = _random_task(Random(seed))
    domain = parse_domain(domain_text)
    problem = parse_problem(problem_text, domain=domain)
    steps = [Action(f"a{i}", (name,)) for i in range(3) for name in ("o1", "o2")]
    every = [s for length in range(4) for s in product(steps, repeat=length)]
    costs = [checked.cost for s in every if (checked := validate(domain, problem, s)).valid]
    found = plan(domain, problem, engine="eai-optimal")
    assert found.outcome in (Outcome.SOLVED, Outcome.UNSOLVABLE)
    if costs:
        assert found.cost is not None
        assert found.cost <= min(cost for cost in costs if cost is not None)
    if found.plan is not None:
        assert found.cost == cost_of(domain, problem, found.plan)


def test_a_plan_reaches_its_goal_though_the_metric_has_no_value() -> None:
    domain = parse_domain("""(define (domain d) (:requirements :numeric-fluents)
      (:predicates (p)) (:functions (f) (g))
      (:action a :parameters () :effect (and (p) (increase (g) 1))))""")
    text = "(define (problem x) (:domain d) (:init (= (g) 0)) (:goal (p)) (:metric minimize ({})))"
    validation = validate(domain, parse_problem(text.format("f"), domain=domain), [Action("a")])
    assert (validation.valid, validation.cost) == (True, None)
    validation = validate(domain, parse_problem(text.format("g"), domain=domain), [Action("a")])
    assert (validation.valid, validation.cost) == (True, 1)


@pytest.mark.parametrize(("initial", "value"), [("1" + 160 * "0", None), ("1" + 100 * "0", 1e200)])
def test_a_metric_that_no_number_can_hold_has_no_value(initial: str, value: float | None) -> None:
    domain = parse_domain("""(define (domain d) (:requirements :numeric-fluents)
      (:predicates (p)) (:functions (f)) (:action a :parameters () :effect (p)))""")
    problem = parse_problem(f"""(define (problem x) (:domain d) (:init (= (f) {initial}))
      (:goal (p)) (:metric minimize (* (f) (f))))""")
    validation = validate(domain, problem, [Action("a")])
    assert (validation.valid, validation.cost) == (True, value)


@pytest.mark.parametrize(
    ("predicate", "function"),
    [
        ("f-has-value", "f"),
        ("f-has-value-", "f"),
        ("f", ""),
        ("p", ""),
        ("h-has-value", ""),
        ("p-has-value", ""),
    ],
)
def test_a_guard_is_a_predicate_about_a_function(predicate: str, function: str) -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (p) (f) (f-has-value)) (:functions (f)))"
    )
    assert guarded_function(domain, predicate) == function


def test_a_task_with_numbers_has_to_declare_what_it_names() -> None:
    domain = parse_domain("""(define (domain d) (:requirements :numeric-fluents)
      (:predicates (p) (q ?x)) (:functions (n))
      (:action a :parameters () :effect (increase (n) 1))
      (:action b :parameters () :precondition (>= (n) 1) :effect (p)))""")
    text = "(define (problem x) (:domain d) (:init (= (n) 0)) (:goal {}))"
    steps = [Action("a"), Action("b")]
    assert validate(domain, parse_problem(text.format("(p)")), steps).valid
    with pytest.raises(InputError):
        validate(domain, parse_problem(text.format("(and (p) (not (q ghost)))")), steps)


@pytest.mark.parametrize(
    ("effect", "applicable"),
    [
        ("(increase (total-cost) (f ?x))", {("o1", False), ("o1", True)}),
        ("(when (q) (increase (total-cost) (f ?x)))", {("o1", False), ("o1", True), ("o2", False)}),
        ("(forall (?y - o) (increase (total-cost) (f ?y)))", set()),
        (
            "(forall (?y - o) (when (q) (increase (total-cost) (f ?y))))",
            {("o1", False), ("o2", False)},
        ),
    ],
)
def test_an_action_needs_the_values_of_its_cost_where_they_count(
    effect: str, applicable: set[tuple[str, bool]]
) -> None:
    """The term (f o1) has a value and (f o2) has none; (q) holds or not."""
    text = DOMAIN.format(effect).replace(":parameters ()", ":parameters (?x - o)")
    domain = parse_domain(text)
    for holds_q in (False, True):
        initial = "(= (f o1) 2) (q)" if holds_q else "(= (f o1) 2)"
        problem = parse_problem(PROBLEM.format(initial), domain=domain)
        guarded_domain, guarded_problem = with_values(domain, problem)
        world = World(guarded_domain)
        facts = [fact for fact in guarded_problem.initial if isinstance(fact, Atom)]
        state = world.state(guarded_problem.objects, facts)
        for name in ("o1", "o2"):
            is_applicable = world.first_failure(state, "a", world.numbers(state, "a", (name,))) < 0
            assert is_applicable is ((name, holds_q) in applicable)


def test_a_cost_counts_for_the_objects_that_may_have_it() -> None:
    effect = "(forall (?x - o) (when (s ?x) (increase (total-cost) 5)))"
    domain = parse_domain(DOMAIN.format(effect))
    for initial, cost in (("", 0), ("(s o1)", 5), ("(s o2)", 5), ("(s o1) (s o2)", 10)):
        (action,) = ground(domain, parse_problem(PROBLEM.format(initial), domain=domain)).actions
        assert action.cost == cost
