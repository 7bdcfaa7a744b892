"""Bounds of comparisons and the steps that reach them, against all values and sets of steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, permutations, product
from random import Random

import pytest

from eai.logic import Atom, ComparisonSign, Formula, NumericCondition, Rational
from eai.pddl import parse_domain, parse_problem
from eai.planning import Bound, Links, PartialOrder, Requirement, Support, Taken
from eai.planning.ordering.numbers import Comparisons, divides, is_within
from eai.planning.reasons import Reads
from eai.world import Action, Key, State, World

DOMAIN = parse_domain("""(define (domain pumps)
  (:requirements :adl :numeric-fluents :derived-predicates)
  (:predicates (on) (wet) (high) (even) (lifted)) (:functions (a) (b) (c))
  (:derived (high) (>= (a) 4))
  (:derived (even) (or (= (/ (a) (b)) 2) (= (b) 1)))
  (:derived (lifted) (or (on) (high)))
  (:action fill :parameters () :effect (increase (a) 2))
  (:action pour :parameters () :effect (increase (a) 5))
  (:action leak :parameters () :effect (decrease (a) 1))
  (:action spill :parameters () :effect (decrease (a) 3))
  (:action reset :parameters () :effect (assign (a) 1))
  (:action press :parameters () :effect (on))
  (:action lift :parameters () :effect (when (on) (increase (a) 4)))
  (:action sink :parameters () :effect (when (not (on)) (decrease (a) 2)))
  (:action double :parameters () :effect (scale-up (a) 2))
  (:action copy :parameters () :effect (assign (b) (a)))
  (:action move :parameters () :effect (and (decrease (a) 1) (increase (b) 1))))""")
WORLD = World(DOMAIN)
VALUES = range(-2, 9)
SIGNS: tuple[ComparisonSign, ...] = ("<", "<=", "=", ">=", ">")


def state_of(a: int, b: int, c: int = 2) -> State:
    values = {Atom("a"): a, Atom("b"): b, Atom("c"): c}
    return WORLD.state({}, (), values)


START = state_of(0, 0)
A: Key = (WORLD.layout.functions["a"],)
B: Key = (WORLD.layout.functions["b"],)


def condition(text: str) -> Formula:
    goal = f"(define (problem p) (:domain pumps) (:init) (:goal {text}))"
    return parse_problem(goal, domain=DOMAIN).goal


def comparison(sign: str, expression: str, limit: Rational) -> NumericCondition:
    compared = condition(f"({sign} {expression} {limit})")
    assert isinstance(compared, NumericCondition)
    return compared


def at(state: State) -> Comparisons:
    return Comparisons(state, START, frozenset((A, B)), START.key_of)


def all_within(bounds: Reads, a: int, b: int) -> bool:
    """Return whether all bounds hold of some values."""
    values: dict[Key, int] = {A: a, B: b}
    for bound in bounds:
        assert isinstance(bound, Bound)
        if not is_within(values[bound.term], bound):
            return False
    return True


OF_ONE = (
    "(a)",
    "(- (* 2 (a)) 6)",
    "(- 3 (a))",
    "(+ (a) (c))",
    "(/ (a) (c))",
    "(* (c) (a))",
    "(- (a))",
)
OF_SEVERAL = (
    "(+ (a) (b))",
    "(- (a) (b))",
    "(- (* 2 (a)) (/ (b) 2))",
    "(- (c) (+ (a) (b)))",
    "(* (a) (b))",
    "(/ (b) (a))",
    "(- (+ (a) (b)) (b))",
)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("expression", [*OF_ONE, *OF_SEVERAL])
def test_where_its_bounds_hold_a_comparison_is_as_it_was(expression: str, sign: str) -> None:
    compared = comparison(sign, expression, 3)
    truths = {}
    for a, b in product(VALUES, repeat=2):
        truths[a, b] = at(state_of(a, b)).truth(compared)
    random = Random(expression + sign)
    for here in random.sample(sorted(truths), 25):
        value = truths[here]
        if value is None:
            continue
        bounds = at(state_of(*here)).bounds(compared, value)
        assert all_within(bounds, *here)
        agreeing = {there for there in truths if all_within(bounds, *there)}
        assert {truths[there] for there in agreeing} == {value}
        if expression in OF_ONE and (sign != "=" or value):
            # Of one number nothing is left out: it has no more room than the bound gives it.
            assert agreeing == {there for there in truths if truths[there] is value}


def test_an_equation_that_fails_rests_on_its_side() -> None:
    for here, sign in ((2, SIGNS[0]), (7, SIGNS[-1])):
        (bound,) = at(state_of(here, 0)).bounds(comparison("=", "(a)", 5), False)
        assert bound == Bound(A, sign, 5)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(> (/ (a) 2) 1)", False),
        ("(> (/ (a) (b)) 1)", True),
        ("(< 1 (+ 3 (/ (a) (+ 2 (b)))))", True),
        ("(> (+ (a) (b)) 1)", False),
        ("(and (on) (> (* (a) (/ 1 (b))) 1))", True),
        ("(or (on) (> (a) 1))", False),
    ],
)
def test_a_division_by_a_number_is_none_by_a_term(text: str, expected: bool) -> None:
    assert divides(condition(text)) is expected


AMOUNTS = {"fill": 2, "pour": 5, "leak": -1, "spill": -3, "move": -1}
"""Actions that always change the number by as much."""


def execution(names: Iterable[str]) -> tuple[State, list[Taken]]:
    state, steps = START.begin(), list[Taken]()
    for name in names:
        steps.append(Taken(Action(name, ()), (), WORLD.apply(state, name, ())))
    return state, steps


def value(state: State, term: Key) -> Rational:
    assert state.numbers is not None
    found = state.numbers.value(term)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(60))
def test_the_fewest_steps_reach_a_bound_whatever_all_others_do(seed: int) -> None:
    random = Random(seed)
    state, steps = execution(random.choices((*AMOUNTS, "reset"), k=6))
    links = Links(WORLD, START, steps)
    sign = random.choice(SIGNS[1::2])
    limit = value(state, A) + random.randint(0, 2) * (1 if sign == "<=" else -1)
    reads = links.support(links.end).of(comparison(sign, "(a)", limit), {})
    assert reads == frozenset((Bound(A, sign, limit),))
    kept = links.rests_on([(reads, links.end)])
    setters = [i for i, step in enumerate(steps) if step.action.name == "reset"]
    setter = setters[-1] if setters else -1
    names = dict(enumerate(step.action.name for step in steps))
    since = {i: AMOUNTS[name] for i, name in names.items() if i > setter and name in AMOUNTS}
    helpful = [i for i in since if (since[i] > 0) is (sign == ">=")]
    # All that leads away from the bound is done, too.
    against = (1 if setters else 0) + sum(since[i] for i in since if i not in helpful)
    bound = Bound(A, sign, limit)
    for size in range(len(helpful) + 1):
        totals = [sum(since[i] for i in chosen) for chosen in combinations(helpful, size)]
        if any(is_within(against + total, bound) for total in totals):
            break
    assert is_within(against + sum(since[i] for i in kept if i in helpful), bound)
    assert len([i for i in kept if i in helpful]) == size
    assert kept <= {*helpful, *setters[-1:]}


@pytest.mark.parametrize("seed", range(60))
def test_in_every_order_that_is_left_open_a_comparison_is_as_it_was(seed: int) -> None:
    random = Random(f"order {seed}")
    names = random.choices(sorted(DOMAIN.operators), k=5)
    state, steps = execution(names)
    links = Links(WORLD, START, steps)
    expression, sign = random.choice((OF_ONE[0], *OF_SEVERAL[:4])), random.choice(SIGNS)
    compared = comparison(sign, expression, random.randint(-3, 9))
    truth = at(state).truth(compared)
    assert truth is not None
    reads = links.support(links.end).of(compared, {}, truth)
    assert reads is not None
    order = PartialOrder(range(len(steps)), sorted(links.order([(reads, links.end)])))
    assert order.permits(range(len(steps)))
    for places in filter(order.permits, permutations(range(len(steps)))):
        other, _ = execution(names[place] for place in places)
        assert at(other).truth(compared) is truth


def test_steps_that_lead_the_same_way_may_change_places() -> None:
    _, steps = execution(["fill", "leak", "pour"])
    links = Links(WORLD, START, steps)
    reads = links.support(links.end).of(comparison(">=", "(a)", 4), {})
    assert reads is not None
    # Pouring is enough; whether it comes first or last is all the same.
    assert links.rests_on([(reads, links.end)]) == {2}
    orders = sorted(links.order([(reads, links.end)]))
    assert all(PartialOrder(range(3), orders).permits(p) for p in permutations(range(3)))


SLOW_PUMPS = parse_domain("""(define (domain slow-pumps) (:requirements :numeric-fluents)
  (:functions (a))
  (:action fill :parameters () :effect (increase (a) 2))
  (:action spill :parameters () :effect (decrease (a) 2))
  (:action drip :parameters () :effect (increase (a) 0.5))
  (:action sweat :parameters () :effect (decrease (a) 0.5))
  (:action listen :parameters () :effect (increase (a) 0)))""")
"""Changes of less than one, and of nothing."""


@pytest.mark.parametrize(
    ("first", "sign", "limit", "second", "has_order"),
    [
        ("fill", ">=", 2, "drip", False),
        ("fill", ">", 1, "drip", False),
        ("fill", ">=", 2, "listen", False),
        ("fill", ">=", 2, "sweat", True),
        ("spill", "<=", -2, "sweat", False),
        ("spill", "<", -1, "sweat", False),
        ("spill", "<=", -2, "listen", False),
        ("spill", "<=", -2, "drip", True),
    ],
)
def test_a_step_need_not_stay_behind_unless_it_leads_away_from_a_bound(
    first: str, sign: ComparisonSign, limit: int, second: str, has_order: bool
) -> None:
    world = World(SLOW_PUMPS)
    start = world.state({}, (), {Atom("a"): 0})
    state, steps = start.begin(), list[Taken]()
    for name in (first, "listen", second):
        steps.append(Taken(Action(name, ()), (), world.apply(state, name, ())))
    links = Links(world, start, steps)
    key = (world.layout.functions["a"],)
    # The step in between asks for the bound, which the first one reached.
    orders = set(links.order([(frozenset((Bound(key, sign, limit),)), 1)]))
    assert (0, 1) in orders
    assert ((1, 2) in orders) is has_order


def test_a_change_that_does_not_happen_brings_nothing_about() -> None:
    _, steps = execution(["lift", "fill", "press", "lift"])
    links = Links(WORLD, START, steps)
    reads = links.support(links.end).of(comparison("=", "(a)", 6), {})
    assert reads == frozenset((Bound(A, "=", 6),))
    # The last one lifts because the button was pressed, the first one does nothing.
    assert links.rests_on([(reads, links.end)]) == {1, 2, 3}
    orders = links.order([(reads, links.end)])
    assert {(0, 2), (2, 3)} <= set(orders)
    assert (0, 1) not in orders


LEAVES = (
    "(on)",
    "(high)",
    "(even)",
    "(lifted)",
    "(> (a) (b))",
    "(= (/ (b) (a)) 1)",
    "(< (+ (a) (c)) 5)",
)


STORED = (Atom("on"), Atom("wet"))


def a_condition(random: Random, depth: int) -> str:
    kind = random.choice(("leaf", "not", "and", "or", "imply")) if depth else "leaf"
    if kind == "leaf":
        return random.choice(LEAVES)
    if kind == "not":
        return f"(not {a_condition(random, depth - 1)})"
    return f"({kind} {a_condition(random, depth - 1)} {a_condition(random, depth - 1)})"


def a_state(random: Random) -> State:
    """Return a state in which some numbers have no value."""
    values = {Atom("c"): 2}
    for name in "ab":
        if random.random() < 0.85:
            values[Atom(name)] = random.randint(0, 5)
    facts = [fact for fact in STORED if random.random() < 0.5]
    return WORLD.state({}, facts, values)


def truth_in(state: State, tested: Formula) -> bool | None:
    """Return whether a condition holds; None if it cannot be evaluated."""
    if WORLD.why_undefined(state, tested):
        return None
    return WORLD.holds(state, tested)


@pytest.mark.parametrize("seed", range(200))
def test_where_its_support_is_given_a_condition_is_evaluated_as_it_was(seed: int) -> None:
    random = Random(f"support {seed}")
    tested = condition(a_condition(random, 3))
    start, state = a_state(random), a_state(random)
    truth = truth_in(state, tested)
    if truth is None:
        return
    support = Support(WORLD, start, WORLD.state({}, STORED), frozenset((A, B)))
    support.move(state)
    reads = support.of(tested, {}, truth)
    assert reads is not None
    assert support.of(tested, {}, not truth) is None
    for _ in range(40):
        other = a_state(random)
        # Steps give values and never take one away.
        is_possible = terms_with_values(start) <= terms_with_values(other)
        if is_possible and all(is_given(each, other) for each in reads):
            assert truth_in(other, tested) is truth


def terms_with_values(state: State) -> set[Key]:
    assert state.numbers is not None
    return {term for term in (A, B) if state.numbers.value(term) is not None}


def is_given(requirement: Requirement, state: State) -> bool:
    if isinstance(requirement, Bound):
        assert state.numbers is not None
        return is_within(state.numbers.value(requirement.term), requirement)
    p, numbers, value = requirement
    return state.test(p, numbers) is value


def test_a_step_that_was_passed_over_needs_the_number_that_it_would_set() -> None:
    _, steps = execution(["fill", "reset", "reset", "leak"])
    links = Links(WORLD, START, [*steps[:2], replace(steps[2], changes=None), steps[3]])
    assert links.needs(2) == frozenset((Bound(A, "=", 1),))
    assert links.rests_on([(links.needs(2), 2)]) == {1}
    assert {(1, 2), (2, 3)} <= set(links.order([]))
