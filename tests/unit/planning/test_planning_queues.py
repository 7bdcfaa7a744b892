"""What searches remember, in which order they take states, and effects on some objects."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from eai.pddl import parse_domain, parse_problem
from eai.planning import Limits, ground, plan, task as tasks
from eai.planning.conditions import size_of
from eai.planning.portfolio import ExcludedError, exclude_goal
from eai.planning.searches import Novelty, _Queues
from eai.planning.task import finish
from eai.world import Action


def test_novelty_is_that_of_literals_and_pairs_in_each_class() -> None:
    random = Random(1)
    for relevant in (0b111111, 0b101011):
        novelty = Novelty(relevant, Limits())
        seen: dict[int, set[frozenset[int]]] = {}
        found = []
        for _ in range(60):
            kind, state = random.randint(0, 1), random.getrandbits(6)
            members = [bit for bit in range(6) if state & relevant & 1 << bit]
            known = seen.setdefault(kind, set())
            single = {frozenset([bit]) for bit in members}
            pairs = {frozenset(pair) for pair in combinations(members, 2)}
            expected = 1 if single - known else 2 if pairs - known else 3
            assert novelty.measure(kind, state, state) == expected
            known |= single | pairs
            found.append(expected)
        assert {1, 3} <= set(found)


def test_pairs_are_new_if_none_of_their_literals_was_looked_at_beside_the_other() -> None:
    random = Random(2)
    found = set()
    for _ in range(60):
        # Short sequences: the first states are those in which a literal has no pairs yet.
        novelty = Novelty(0b1111, Limits())
        single, pairs = set[int](), set[frozenset[int]]()
        for _ in range(8):
            state = random.getrandbits(4)
            new = state & random.getrandbits(4)
            members = [bit for bit in range(4) if state >> bit & 1]
            looked_at = set[frozenset[int]]()
            for pair in combinations(members, 2):
                if any(new >> literal & 1 for literal in pair):
                    looked_at.add(frozenset(pair))
            is_known = single.issuperset(members)
            expected = 1 if not is_known else 2 if looked_at - pairs else 3
            assert novelty.measure(0, state, new) == expected
            single.update(members)
            pairs |= looked_at
            found.add(expected)
    assert found == {1, 2, 3}


def test_of_pairs_only_those_with_something_new_are_looked_at() -> None:
    novelty = Novelty(0b1111, Limits())
    assert novelty.measure(0, 0b0011, 0b0011) == 1
    assert novelty.measure(0, 0b1100, 0b1100) == 1
    assert novelty.measure(0, 0b0101, 0b0000) == 3
    assert novelty.measure(0, 0b0101, 0b0001) == 2
    assert novelty.measure(0, 0b0101, 0b0101) == 3


def test_states_are_taken_by_both_values_in_turn_and_once() -> None:
    queues = _Queues()
    queues.put((3, 1), 10, preferred=False)
    queues.put((1, 3), 11, preferred=False)
    queues.put((2, 2), 12, preferred=False)
    assert list(queues) == [11, 10, 12]


def test_between_equals_the_other_value_decides_and_then_the_order() -> None:
    queues = _Queues()
    for state, values in ((1, (2, 5)), (2, (2, 4)), (3, (2, 4))):
        queues.put(values, state, preferred=False)
    assert list(queues) == [2, 3, 1]


def test_preferred_states_get_more_turns_when_something_got_better() -> None:
    def taken(*, praised: bool) -> list[int]:
        queues = _Queues()
        for state in range(4):
            queues.put((state, state), state, preferred=False)
        for state in range(4, 8):
            queues.put((9, 9), state, preferred=True)
        if praised:
            queues.boost_preferred((5, 5))
            queues.boost_preferred((5, 5))
        return list(queues)

    assert taken(praised=False)[:2] == [0, 4]  # each queue has its turn
    assert taken(praised=True)[:4] == [4, 5, 6, 7]
    assert sorted(taken(praised=True)) == list(range(8))


DOMAIN = """(define (domain d) (:requirements :adl)
  (:predicates (metal ?x) (hot ?x) (near ?x ?y))
  (:action heat :parameters ()
    :effect (forall (?x) (when (metal ?x) (hot ?x))))
  (:action gather :parameters (?y)
    :effect (forall (?x) (when (and (metal ?x) (hot ?x)) (near ?x ?y)))))"""


def test_an_effect_on_some_objects_leaves_out_the_others_wherever_they_stand() -> None:
    domain = parse_domain(DOMAIN)
    for metal in ("a c", "b", "c a b"):
        facts = " ".join(f"(metal {name})" for name in metal.split())
        goal = " ".join(f"(hot {name}) (near {name} b)" for name in metal.split())
        problem = parse_problem(
            "(define (problem p) (:domain d) (:objects a b c) "
            f"(:init {facts}) (:goal (and {goal})))",
            domain=domain,
        )
        found = plan(domain, problem)
        assert found.solved
        assert found.plan == (Action("heat"), Action("gather", ("b",)))


def test_rules_that_deny_a_recursive_predicate_come_after_it_is_complete() -> None:
    domain = parse_domain(
        """(define (domain d) (:requirements :adl :derived-predicates)
          (:predicates (road ?x ?y) (linked ?x ?y) (apart ?x ?y))
          (:derived (linked ?x ?y)
            (or (road ?x ?y) (exists (?z) (and (road ?x ?z) (linked ?z ?y)))))
          (:derived (apart ?x ?y)
            (or (and (not (= ?x ?y)) (not (linked ?x ?y)) (not (linked ?y ?x)))
                (exists (?z) (and (apart ?x ?z) (linked ?z ?y)))))
          (:action close :parameters (?x ?y) :precondition (road ?x ?y)
            :effect (not (road ?x ?y))))"""
    )
    problem = parse_problem(
        "(define (problem p) (:domain d) (:objects a b c) (:init (road a b) (road b c)) "
        "(:goal (and (apart a c) (linked a b))))",
        domain=domain,
    )
    found = plan(domain, problem)
    assert found.solved
    assert found.plan == (Action("close", ("b", "c")),)


TORCHES = """
(define (domain torches) (:requirements :adl :derived-predicates)
  (:predicates (lit ?a) (needs ?a ?b) (ready ?a) (done))
  (:derived (ready ?a) (forall (?b) (or (lit ?b) (not (needs ?a ?b)) (ready ?b))))
  (:action turn :parameters (?a)
    :effect (and (when (lit ?a) (not (lit ?a))) (when (not (lit ?a)) (lit ?a))))
  (:action cut :parameters (?a ?b) :effect (not (needs ?a ?b)))
  (:action end :parameters (?a) :precondition (ready ?a) :effect (done)))
"""


@pytest.mark.parametrize("room", [50_000, 0])
def test_rules_of_many_parts_hold_where_all_parts_do(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_MAX_REMEMBERED", room)
    random = Random(3)
    names = [f"t{number}" for number in range(16)]
    needs = {(one, other) for one in names for other in names if random.random() < 0.15}
    facts = [f"(needs {one} {other})" for one, other in sorted(needs)]
    facts += [f"(lit {name})" for name in names[6:]]
    problem = parse_problem(f"""(define (problem p) (:domain torches)
      (:objects {" ".join(names)}) (:init {" ".join(facts)}) (:goal (done)))""")
    task = ground(parse_domain(TORCHES), problem)
    assert {size_of(rule.body) for stratum in task.strata for rule in stratum} == {17}
    state = task.initial
    outcomes = set()
    for _ in range(80):
        facts_now = {str(atom) for number, atom in enumerate(task.atoms) if state >> 2 * number & 1}
        ready: set[str] = set()
        for _ in names:
            for name in names:
                if all(
                    f"lit({other})" in facts_now
                    or f"needs({name}, {other})" not in facts_now
                    or other in ready
                    for other in names
                ):
                    ready.add(name)
        assert {fact for fact in facts_now if "ready" in fact} == {f"ready({n})" for n in ready}
        outcomes.add(frozenset(ready))
        name = random.choice(["turn", "turn", "cut"])
        actions = [action for action in task.actions if action.action.name == name]
        state = task.successor(state, random.choice(actions))
    assert len(outcomes) > 5


@pytest.mark.parametrize(
    ("tests", "left"),
    [
        (1, "start make1 make2 make3 finish"),  # the first is tried, and needed
        (5, "start make1 make2 make3 finish"),
        (6, "start make2 make3 finish"),  # with the second five actions and four were tried
        (9, "start make2 make3 finish"),
        (10, "start make3 finish"),
        (100, "start make3 finish"),
    ],
)
def test_actions_are_left_out_until_so_many_were_tried(
    tests: int, left: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain = parse_domain("""(define (domain d) (:requirements :adl)
      (:predicates (on) (has1) (has2) (has3) (done))
      (:action start :parameters () :effect (on))
      (:action make1 :parameters () :precondition (on) :effect (has1))
      (:action make2 :parameters () :precondition (on) :effect (has2))
      (:action make3 :parameters () :precondition (on) :effect (has3))
      (:action finish :parameters () :precondition (or (has1) (has2) (has3)) :effect (done)))""")
    problem = parse_problem("(define (problem p) (:domain d) (:goal (done)))", domain=domain)
    task = ground(domain, problem)
    space, state = tasks.SearchSpace(task, Limits()), task.initial
    for name in ["start", "make1", "make2", "make3", "finish"]:
        state = next(
            after for after, action in space.successors(state) if action.action.name == name
        )
    monkeypatch.setattr(tasks, "_MAX_TESTS_TO_SHORTEN", tests)
    assert [each.action.name for each in space.plan_to(state)] == left.split()


@pytest.mark.parametrize(
    ("goal", "excluded"),
    [
        ("(or (and (up) (left)) (and (down) (right)))", False),
        ("(or (and (up) (down)) (and (left) (right)))", True),
        ("(or (and (up) (down)) (and (left) (up)))", False),
        ("(and (up) (or (and (down) (left)) (and (down) (right))))", True),
        ("(and (up) (or (and (down) (left)) (and (up) (right))))", False),
        (
            "(or (and (up) (or (and (down) (left)) (and (down) (right)))) (and (left) (down)))",
            False,
        ),
    ],
)
def test_a_goal_is_excluded_if_no_alternative_has_pairs_that_are_possible(
    goal: str, excluded: bool
) -> None:
    domain = parse_domain("""(define (domain d) (:requirements :adl)
      (:predicates (up) (down) (left) (right))
      (:action rise :parameters () :effect (and (up) (not (down))))
      (:action fall :parameters () :effect (and (down) (not (up))))
      (:action there :parameters () :effect (and (left) (not (right))))
      (:action back :parameters () :effect (and (right) (not (left)))))""")
    problem = parse_problem(f"(define (problem p) (:domain d) (:goal {goal}))", domain=domain)
    task = ground(domain, problem)
    if excluded:
        with pytest.raises(ExcludedError):
            finish(exclude_goal(task, Limits()))
    else:
        assert finish(exclude_goal(task, Limits())) is None
    assert (plan(domain, problem).plan is None) is excluded
