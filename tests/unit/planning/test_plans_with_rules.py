"""Plans that keep rules: given beside a task, with an agent, and among all objects."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from eai.errors import InputError
from eai.logic import Atom, Formula, automaton, parse_formula
from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning import (
    Outcome,
    PlanningResult,
    Scope,
    names_of,
    plan,
    safe_plan,
    safety,
    smallest_conflict,
)
from eai.planning.safety import with_rules
from eai.world import Action, world_of

DOMAIN = """(define (domain house) (:requirements :adl) (:types robot place)
  (:predicates (at ?r - robot ?p - place) (road ?p ?q - place) (wet ?p - place) (dry ?r - robot))
  (:action go :parameters (?r - robot ?p ?q - place)
    :precondition (and (at ?r ?p) (road ?p ?q))
    :effect (and (not (at ?r ?p)) (at ?r ?q) (when (wet ?q) (not (dry ?r)))))
  (:action wipe :parameters (?r - robot ?p - place)
    :precondition (forall (?o - robot) (or (= ?o ?r) (not (at ?o ?p))))
    :effect (not (wet ?p))))"""
PROBLEM = """(define (problem home) (:domain house)
  (:objects me - robot hall bath yard bed - place)
  (:init (at me hall) (dry me) (wet bath) (road hall bath) (road bath bed)
    (road hall yard) (road yard bed))
  (:goal (at me bed)))"""
DRY = "G dry(me)"


def steps(*texts: str) -> tuple[Action, ...]:
    """Actions of the robot, each as ``go hall bath``."""
    actions = []
    for text in texts:
        name, *arguments = text.split()
        actions.append(Action(name, ("me", *arguments)))
    return tuple(actions)


def task() -> tuple[Domain, Problem]:
    domain = parse_domain(DOMAIN)
    return domain, parse_problem(PROBLEM, domain=domain)


def rule(text: str) -> Formula:
    return parse_formula(text, vocabulary=names_of(*task()))


AROUND = steps("go hall yard", "go yard bed")


@pytest.mark.parametrize("as_texts", list(product([False, True], repeat=2)))
def test_a_plan_keeps_rules_that_are_given_beside_the_task(as_texts: tuple[bool, bool]) -> None:
    parsed = task()
    domain = DOMAIN if as_texts[0] else parsed[0]
    problem = PROBLEM if as_texts[1] else parsed[1]
    never = [{"name": "dry", "formula": DRY}, {"name": "inside", "formula": "G !at(me, bath)"}]
    result = plan(domain, problem, engine="eai-optimal", rules=never)
    assert result.outcome is Outcome.SOLVED
    assert result.plan == AROUND


@pytest.mark.parametrize(("of_task", "way"), [("home", "bath"), ("elsewhere", "yard")])
def test_a_rule_of_another_task_does_not_count(of_task: str, way: str) -> None:
    rules = [
        {"name": "no yard", "formula": "G !at(me, yard)", "tasks": ["home"]},
        {"name": "no bath", "formula": "G !at(me, bath)", "tasks": ["elsewhere"]},
    ]
    problem = PROBLEM.replace("problem home", f"problem {of_task}")
    found = plan(DOMAIN, problem, engine="eai-optimal", rules=rules)
    assert found.plan == steps(f"go hall {way}", f"go {way} bed")


def test_a_rule_that_cannot_be_kept_makes_a_task_unsolvable() -> None:
    rules = [{"name": "stay", "formula": "G at(me, hall)"}]
    assert plan(DOMAIN, PROBLEM, rules=rules).outcome is Outcome.UNSOLVABLE
    with pytest.raises(InputError):
        plan(DOMAIN, PROBLEM, rules=[{"name": "unknown", "formula": "G asleep(me)"}])


@pytest.mark.parametrize("agent", ["", "me"])
def test_rules_leave_the_agent_out_of_actions_if_there_is_one(agent: str) -> None:
    domain, problem = task()
    named = "me, " if agent == "" else ""
    names = names_of(domain, problem)
    if agent:
        names = replace(names, actions={name: n - 1 for name, n in names.actions.items()})
    never = parse_formula(f"G !go({named}hall, yard)", vocabulary=names)
    wiped = parse_formula(f"(! go({named}hall, bath)) U wipe({named}bath)", vocabulary=names)
    found = safe_plan(domain, problem, [never, wiped], agent=agent, engine="eai-optimal")
    assert found.plan == steps("wipe bath", "go hall bath", "go bath bed")
    assert found.optimal


def test_a_plan_within_a_scope_is_run_among_all_objects() -> None:
    domain, _ = task()
    goal = parse_problem(PROBLEM.replace("(at me bed)", "(not (wet bath))"), domain=domain)
    stands = Atom("at", ("you", "bath"))
    objects = {**goal.objects, "you": "robot"}
    crowded = replace(goal, objects=objects, initial=(*goal.initial, stands))
    alone = Scope(frozenset({"me", "bath"}), frozenset({"wipe"}))
    assert safe_plan(domain, goal, [], scope=alone).plan == steps("wipe bath")
    # The other robot is outside the scope, and stands where nobody may.
    found = safe_plan(domain, crowded, [], scope=alone)
    assert (found.outcome, found.plan) == (Outcome.INCOMPLETE, None)
    assert safe_plan(domain, crowded, []).solved


def test_the_smallest_conflict_is_the_fewest_rules() -> None:
    domain, problem = task()
    rules = {
        "dry": rule(DRY),
        "no yard": rule("G !at(me, yard)"),
        "no wiping": rule("G !wipe(me, bath)"),
        "late": rule("X X true"),
    }
    assert smallest_conflict(domain, problem, rules) == ("dry", "no yard", "no wiping")
    assert smallest_conflict(domain, problem, {"dry": rules["dry"]}) is None


class Tiring:
    """An engine that gives up its first searches, and finds shortest plans in later ones."""

    name = "tiring"
    version = "1"

    def __init__(self, given_up: int) -> None:
        self.given_up = given_up
        self.searches = 0

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        *,
        time_limit: float | None,
        memory_limit: float | None,
    ) -> PlanningResult:
        del time_limit, memory_limit
        self.searches += 1
        if self.searches <= self.given_up:
            return PlanningResult(Outcome.INCOMPLETE, engine=self.name)
        return plan(domain, problem, engine="eai-optimal")


WIDE = Scope(frozenset({"me", "hall", "bath", "yard", "bed"}), frozenset({"go", "wipe"}))


@pytest.mark.parametrize(
    ("rules", "scope", "given_up", "searches", "outcome"),
    [
        # A search that gives up without the rules is tried once more with all of them.
        ([DRY, "G !at(me, bath)"], None, 1, 2, Outcome.SOLVED),
        ([DRY, "G !at(me, bath)"], None, 2, 2, Outcome.INCOMPLETE),
        ([DRY, "G !at(me, bath)"], WIDE, 1, 1, Outcome.INCOMPLETE),
        ([], None, 1, 1, Outcome.INCOMPLETE),
    ],
)
def test_rules_may_make_a_search_smaller(
    rules: list[str], scope: Scope | None, given_up: int, searches: int, outcome: Outcome
) -> None:
    engine = Tiring(given_up)
    found = safe_plan(*task(), [rule(text) for text in rules], engine=engine, scope=scope)
    assert (found.outcome, engine.searches) == (outcome, searches)
    assert (found.plan == AROUND) is (outcome is Outcome.SOLVED)


@pytest.mark.parametrize("texts", [[DRY], [DRY, "F at(me, yard)"], ["G not wet(hall)"] * 3])
def test_rules_whose_automata_have_too_many_transitions_are_refused(
    texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    domain, problem = task()
    rules = [rule(text) for text in texts]
    objects = world_of(domain).universe({**domain.constants, **problem.objects})
    # An effect for each case of each transition, in each of the two operators.
    effects = 0
    for each in rules:
        machine = automaton(each, objects=objects.of_types, reading="ltlf")
        effects += 2 * sum(len(transition.cubes) for transition in machine.transitions)
    assert effects > 0
    monkeypatch.setattr(safety, "_MAX_EFFECTS", effects)
    extended, _ = with_rules(domain, problem, rules)
    assert len(extended.predicates) > len(domain.predicates)
    monkeypatch.setattr(safety, "_MAX_EFFECTS", effects - 1)
    with pytest.raises(InputError):
        with_rules(domain, problem, rules)
