"""What formulas cost, counted in calls of functions: the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import pytest

from eai.logic import (
    Atom,
    Automaton,
    Formula,
    Monitor,
    Trace,
    automaton,
    evaluate,
    links,
    parse_formula,
)

OBJECTS = ("a", "b", "c", "d")
CHAIN = "(F q({0})) then (G r({0})) then z({0})"


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called, those written in C included."""
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def trace(length: int) -> Trace:
    histories: dict[Atom, Sequence[int]] = {}
    for number, name in enumerate(OBJECTS, 2):
        histories[Atom("q", (name,))] = range(0, length, number)
        histories[Atom("r", (name,))] = [i for i in range(length) if i % (number + 3)]
    return Trace(length, histories, objects=OBJECTS)


def cost(formula: Formula, length: int) -> int:
    evaluate(formula, trace(length))  # automata are made once
    whole = trace(length)
    return calls(lambda: evaluate(formula, whole))


@pytest.mark.parametrize("length", [40, 400])
@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("connective", [" and ", " or ", " xor "])
def test_joined_chains_cost_the_sum_of_their_parts(
    connective: str, count: int, length: int
) -> None:
    texts = [f"({CHAIN.format(name)})" for name in OBJECTS[:count]]
    parts = sum(cost(parse_formula(text), length) for text in texts)
    assert cost(parse_formula(connective.join(texts)), length) < 1.2 * parts


@pytest.mark.parametrize("length", [40, 400])
@pytest.mark.parametrize("quantifier", ["forall x", "exists x", "exactly 2 x", "atleast 1 x"])
def test_a_quantified_chain_costs_the_sum_over_the_objects(quantifier: str, length: int) -> None:
    parts = sum(cost(parse_formula(CHAIN.format(name)), length) for name in OBJECTS)
    assert cost(parse_formula(f"{quantifier}. ({CHAIN.format('x')})"), length) < 1.4 * parts


@pytest.mark.parametrize(
    "text",
    [
        "forall x. ((F q(x)) then (G r(x)) then z(x))",
        "exists x. ((F (q(x) and O r(x))) then (G r(x)) then z(x))",
        "((F q(a)) then G r(a)) and ((F q(b)) then X r(b)) and not ((G q(c)) then F r(c))",
    ],
)
def test_twice_the_positions_cost_at_most_twice_as_much(text: str) -> None:
    formula = parse_formula(text)
    assert cost(formula, 1600) < 2.2 * cost(formula, 800)


@pytest.mark.parametrize("joined", ["forall x. ({})", "exists x. ({})"])
def test_a_monitor_costs_the_sum_over_the_objects(joined: str) -> None:
    formula = parse_formula(joined.format(CHAIN.format("x")))
    few, many = [f"o{i}" for i in range(4)], [f"o{i}" for i in range(16)]

    def watch(objects: list[str]) -> Monitor:
        monitor = Monitor(formula, objects=objects)
        for position in range(20):
            monitor.push(lambda name, names: name != "z" and (len(name + names[0]) + position) % 2)  # type: ignore[arg-type, return-value]  # noqa: B023
        return monitor

    assert watch(many).status == "open"
    assert calls(lambda: watch(many)) < 6 * calls(lambda: watch(few))


def test_a_conjunction_of_many_chains_can_be_watched_to_its_end() -> None:
    names = [f"o{i}" for i in range(12)]
    monitor = Monitor(parse_formula("forall x. ((F q(x)) then (G r(x)) then z(x))"), objects=names)
    for facts in (["q"], ["r"], ["r"], ["z"]):
        assert monitor.status == "open"
        monitor.push_facts([Atom(fact, (name,)) for fact in facts for name in names])
    assert monitor.holds
    assert monitor.status == "true"


def test_the_first_evaluation_of_a_new_formula_does_little_more_than_a_repeated_one() -> None:
    whole = trace(10)
    text = " and ".join(
        f"(G (q({name}) -> X F r({name})) or z({name}) U q({name}))" for name in OBJECTS
    )
    formula = parse_formula(text)
    first = calls(lambda: evaluate(formula, whole))
    assert first < 1.2 * calls(lambda: evaluate(formula, whole))


def test_the_first_call_of_a_formula_costs_little_more_where_its_links_have_a_known_shape() -> None:
    def first(name: str) -> tuple[int, int]:
        formula = parse_formula(CHAIN.replace("q(", f"q_{name}(").format("a"))
        histories: dict[Atom, Sequence[int]] = {
            Atom(f"q_{name}", ("a",)): range(0, 100, 3),
            Atom("r", ("a",)): range(20, 60),
        }
        whole = [Trace(100, histories, objects=OBJECTS) for _ in range(2)]
        costs = [calls(lambda: evaluate(formula, one)) for one in whole]  # noqa: B023
        return costs[0], costs[1]

    first("learnt")  # the automata of these shapes are made
    new, repeated = first("new")
    assert new < 1.5 * repeated


def test_links_of_one_shape_share_their_automaton(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Formula] = []

    def counted(shape: Formula, *, limit: int) -> Automaton:
        made.append(shape)
        return automaton(shape, limit=limit)

    monkeypatch.setattr(links, "automaton", counted)
    links.automaton_of_link.cache_clear()
    links._machine_of_shape.cache_clear()
    for name in OBJECTS:
        for text in (f"G q({name})", f"F (r({name}) or q({name}))", f"q({name}) U (r(a) and q(b))"):
            machine = links.automaton_of_link(parse_formula(text))
            assert machine is not None
    assert len(made) == 3
