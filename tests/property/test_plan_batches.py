"""Plans that are validated with what earlier plans left get the verdicts of their definition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from threading import Thread
from unittest import mock

import pytest
from fixtures_pddl import DOMAINS, PROBLEMS
from hypothesis import given, strategies as st
from plain_validation import validated_plainly
from strategies_planning import planning_tasks, task_of_switches

from eai.errors import InputError
from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning import action_masks, plan, validate, validate_all
from eai.suites.pddl import Validator
from eai.world import Action, world_of

SMALL = ("blocks-and-boxes", "briefcase", "gripper")
REFERENCES = {name: tuple(plan(DOMAINS[name], PROBLEMS[name]).plan or ()) for name in SMALL}

TRUCKS = parse_domain("""
(define (domain trucks) (:requirements :adl :action-costs)
  (:types truck place)
  (:constants depot - place t2 - truck)
  (:predicates (at ?t - truck ?p - place) (road ?a ?b - place) (loaded ?t - truck) (closed))
  (:functions (total-cost) (toll ?a ?b - place))
  (:action drive :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (road ?a ?b) (not (closed)))
    :effect (and (at ?t ?b) (not (at ?t ?a)) (increase (total-cost) (toll ?a ?b))))
  (:action load :parameters (?t - truck)
    :precondition (and (at ?t depot) (not (loaded ?t)) (not (= ?t t2)))
    :effect (and (loaded ?t) (increase (total-cost) 2)))
  (:action stay :parameters (?t - truck ?p - place)
    :precondition (and (at ?t ?p) (not (at ?t depot)))
    :effect (and (at ?t ?p) (not (at ?t ?p))))
  (:action strike :parameters ()
    :effect (and (closed) (when (exists (?t - truck) (loaded ?t)) (increase (total-cost) 5)))))
""")

PUMPS = parse_domain("""
(define (domain pumps) (:requirements :adl :numeric-fluents)
  (:types tank)
  (:predicates (open ?t - tank) (empty ?t - tank))
  (:functions (level ?t - tank) (size ?t - tank) (used))
  (:action turn :parameters (?t - tank)
    :precondition (not (open ?t)) :effect (open ?t))
  (:action pour :parameters (?a ?b - tank)
    :precondition (and (open ?a) (>= (level ?a) 1) (<= (+ (level ?b) 1) (size ?b)))
    :effect (and (decrease (level ?a) 1) (increase (level ?b) 1) (increase (used) 0.5)
                 (when (= (level ?a) 1) (empty ?a))))
  (:action halve :parameters (?t - tank)
    :precondition (open ?t) :effect (and (assign (level ?t) (/ (level ?t) (used))))))
""")

BARRELS = parse_domain("""
(define (domain barrels) (:requirements :adl :numeric-fluents :derived-predicates)
  (:types barrel)
  (:predicates (fits ?b - barrel) (sealed ?b - barrel))
  (:functions (content ?b - barrel) (size ?b - barrel))
  (:derived (fits ?b - barrel) (<= (content ?b) (size ?b)))
  (:action fill :parameters (?b - barrel) :effect (assign (content ?b) 3))
  (:action widen :parameters (?b - barrel) :effect (assign (size ?b) 4))
  (:action seal :parameters (?b - barrel) :precondition (fits ?b) :effect (sealed ?b)))
""")


def trucks(toll: str, metric: str = "(:metric minimize (total-cost))") -> Problem:
    return parse_problem(
        f"""(define (problem p) (:domain trucks)
        (:objects t1 - truck x - place)
        (:init (at t1 depot) (at t2 x) (road depot x) (road x depot) (= (toll depot x) 1.5) {toll})
        (:goal (and (at t1 depot) (not (at t2 depot)))) {metric})""",
        domain=TRUCKS,
    )


def pumps(level: str) -> Problem:
    return parse_problem(
        f"""(define (problem p) (:domain pumps) (:objects a b - tank)
        (:init (= (level a) 2) {level} (= (size a) 2) (= (size b) 2) (= (used) 0))
        (:goal (and (open a) (>= (level b) (level a)))) (:metric minimize (used)))""",
        domain=PUMPS,
    )


TASKS = {
    **{name: (DOMAINS[name], PROBLEMS[name]) for name in DOMAINS},
    "costs": (TRUCKS, trucks("(= (toll x depot) 2)")),
    "costs that nothing counts": (TRUCKS, trucks("(= (toll x depot) 2)", "")),
    "a cost without a value": (TRUCKS, trucks("")),
    "numbers": (PUMPS, pumps("(= (level b) 0)")),
    "a number without a value": (PUMPS, pumps("")),
    "numbers that a rule compares": (
        BARRELS,
        parse_problem(
            "(define (problem p) (:domain barrels) (:objects a b - barrel)"
            " (:init (= (size a) 2)) (:goal (and (sealed a) (= (content b) 3))))",
            domain=BARRELS,
        ),
    ),
}


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    """Begin with nothing remembered, so that the order of tests does not matter."""
    with mock.patch.object(action_masks.MEMORY, "_shared", {}):
        yield


def random_plans(domain: Domain, problem: Problem, random: Random) -> list[list[Action]]:
    """Return walks of actions that can mostly be done, some with a step of any kind at the end."""
    objects = sorted({**domain.constants, **problem.objects})
    world = world_of(domain)
    plans: list[list[Action]] = [[], [Action("no-such-action")]]
    for _ in range(12):
        state = world.state(problem.objects, problem.initial, problem.values)
        steps: list[Action] = []
        for _ in range(40):
            operator = random.choice([*domain.operators.values()])
            arguments = tuple(random.choice(objects) for _ in operator.parameters)
            action = Action(operator.name, arguments)
            try:
                numbers = world.numbers(state, action.name, arguments)
            except InputError:
                is_applicable = False
            else:
                is_applicable = world.first_failure(state, action.name, numbers) < 0
            if is_applicable:
                world.apply(state, action.name, numbers)
            if is_applicable or random.random() < 0.02:
                steps.append(action)
        cut = random.randint(0, len(steps))
        plans += [steps, steps[:cut], steps[cut:]]
    return plans


def check(domain: Domain, problem: Problem, random: Random) -> None:
    """Assert that a batch, and the same again one by one, is validated as the definition says."""
    plans = random_plans(domain, problem, random)
    expected = [validated_plainly(domain, problem, steps) for steps in plans]
    assert validate_all(domain, problem, plans) == expected
    assert [validate(domain, problem, steps) for steps in plans] == expected


@pytest.mark.parametrize("name", TASKS)
@given(seed=st.integers(0, 10**6))
def test_plans_are_validated_as_defined(name: str, seed: int) -> None:
    check(*TASKS[name], Random(seed))


@given(planning_tasks(), st.randoms(use_true_random=False))
def test_plans_of_random_domains_are_validated_as_defined(
    task: tuple[Domain, Problem], random: Random
) -> None:
    check(*task, random)


@given(st.randoms(use_true_random=False))
def test_plans_without_objects_are_validated_as_defined(random: Random) -> None:
    check(*task_of_switches(random), random)


@pytest.mark.parametrize("name", ["briefcase", "gripper", "costs"])
@given(seed=st.integers(0, 10**6))
def test_problems_with_the_same_objects_do_not_disturb_each_other(name: str, seed: int) -> None:
    domain, problem = TASKS[name]
    random = Random(seed)
    problems = []
    for _ in range(3):
        facts = tuple(atom for atom in problem.initial if random.random() < 0.8)
        problems.append(replace(problem, initial=facts))
    plans = random_plans(domain, problem, random)
    for steps in plans:
        for each in problems:
            assert validate(domain, each, steps) == validated_plainly(domain, each, steps)


@pytest.mark.parametrize("name", ["briefcase", "gripper", "costs", "numbers"])
def test_verdicts_stay_when_everything_is_forgotten(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain, problem = TASKS[name]
    plans = random_plans(domain, problem, Random(1))
    kept = validate_all(domain, problem, plans)
    monkeypatch.setattr(action_masks, "MAX_REMEMBERED", 1)
    assert validate_all(domain, problem, plans) == kept


def test_not_more_is_remembered_than_the_bound_says(monkeypatch: pytest.MonkeyPatch) -> None:
    domain, problem = TASKS["briefcase"]
    monkeypatch.setattr(action_masks, "MAX_REMEMBERED", 20)
    for seed in range(5):
        validate_all(domain, problem, random_plans(domain, problem, Random(seed)))
        assert action_masks.MEMORY.entries <= 20


@pytest.mark.parametrize("name", ["briefcase", "gripper"])
def test_threads_get_the_same_verdicts(name: str) -> None:
    domain, problem = TASKS[name]
    plans = random_plans(domain, problem, Random(2))
    expected = [validated_plainly(domain, problem, steps) for steps in plans]
    found = []

    def work() -> None:
        found.append([validate(domain, problem, steps) for steps in plans])

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@pytest.mark.parametrize("name", SMALL)
@given(seed=st.integers(0, 10**6))
def test_plan_that_is_known_to_work_has_the_diagnosis_of_an_evaluation(
    name: str, seed: int
) -> None:
    validator = Validator(DOMAINS[name], PROBLEMS[name])
    reference = REFERENCES[name]
    random = Random(seed)
    for steps in random_plans(DOMAINS[name], PROBLEMS[name], random):
        cut = random.randint(0, len(reference))
        variant = [*reference[:cut], *steps[:2], *reference[cut:]]
        quick = validator.diagnose(variant)
        with mock.patch.object(Validator, "_works", return_value=False):
            whole = validator.diagnose(variant)
        assert quick == whole


@pytest.mark.parametrize("name", ["briefcase", "costs", "gripper", "numbers"])
@pytest.mark.parametrize("official", [False, True])
@given(seed=st.integers(0, 10**6))
def test_verdict_on_a_text_is_that_of_its_diagnosis(name: str, official: bool, seed: int) -> None:
    domain, problem = TASKS[name]
    random = Random(seed)
    validator = Validator(domain, problem, official=official)
    plans = [*random_plans(domain, problem, random), REFERENCES.get(name, ())]
    for steps in plans:
        lines = [step.in_pddl for step in steps]
        if random.random() < 0.3:
            other = random.choice(["", "; a comment", "1. (a b)", "Then I wait.", "(MOVE rooma)"])
            lines.insert(random.randint(0, len(lines)), other)
        text = "\n".join(lines) + random.choice(["", "\n", " \n\n"])
        expected = Validator(domain, problem, official=official).diagnose(text).valid
        assert validator.is_valid(text) == expected
        assert validator.is_valid(text) == expected


@pytest.mark.parametrize("name", SMALL)
def test_reference_plan_works_and_beginnings_do_not(name: str) -> None:
    reference = REFERENCES[name]
    domain, problem = DOMAINS[name], PROBLEMS[name]
    plans = [reference, reference[:-1]]
    validations = validate_all(domain, problem, plans)
    assert [each.valid for each in validations] == [True, False]
    assert validations == [validated_plainly(domain, problem, steps) for steps in plans]


def test_action_is_executed_once_in_a_state() -> None:
    domain, problem = DOMAINS["briefcase"], PROBLEMS["briefcase"]
    first_step = REFERENCES["briefcase"][:1]
    world = "eai.world.transition.World.apply"
    with mock.patch(world, autospec=True) as apply:
        validate_all(domain, problem, [first_step] * 5)
    assert apply.call_count == 1


def test_actions_of_literals_are_not_executed_by_the_engine() -> None:
    domain, problem = DOMAINS["gripper"], PROBLEMS["gripper"]
    world = "eai.world.transition.World.apply"
    with mock.patch(world, autospec=True) as apply:
        [validation] = validate_all(domain, problem, [REFERENCES["gripper"]])
    assert validation.valid
    assert not apply.called
