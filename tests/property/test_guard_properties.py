"""Decisions of a guard on random rules and calls, against the definition."""

import itertools
import random
from functools import lru_cache
from typing import Any

import pytest

from eai.guard import Guard
from eai.logic import ActionAtom, Atom, Automaton, Formula, automaton, parse_formula

VALUES = ("v", "w")
TOOLS = {"a": ["x"], "b": ["x"]}
LONGEST = 4


def a_rule(dice: random.Random, depth: int) -> tuple[Any, ...]:
    """Return a random formula over a(p) and b(p), as nested tuples."""
    if depth == 0 or dice.random() < 0.15:
        return ("call", dice.choice("ab"), dice.choice(("p", "p", "v")))
    kind = dice.choice(("not", "and", "or", "X", "F", "G", "U", "W"))
    if kind in ("not", "X", "F", "G"):
        return (kind, a_rule(dice, depth - 1))
    return (kind, a_rule(dice, depth - 1), a_rule(dice, depth - 1))


def text_of(rule: tuple[Any, ...]) -> str:
    if rule[0] == "call":
        return f"{rule[1]}({rule[2]})"
    if len(rule) == 2:
        return f"{rule[0]} ({text_of(rule[1])})"
    return f"(({text_of(rule[1])}) {rule[0]} ({text_of(rule[2])}))"


def holds(rule: tuple[Any, ...], calls: tuple[Any, ...], value: str, i: int = 0) -> bool:  # noqa: C901 - a case each
    """Evaluate by the definition at position i of the calls; the last position has no call."""
    kind = rule[0]
    if kind == "call":
        return i < len(calls) and calls[i] == (rule[1], value if rule[2] == "p" else rule[2])
    here: bool = holds(rule[1], calls, value, i)
    if kind == "not":
        return not here
    if kind == "and":
        return here and holds(rule[2], calls, value, i)
    if kind == "or":
        return here or holds(rule[2], calls, value, i)
    rest = range(i, len(calls) + 1)
    if kind == "X":
        return i < len(calls) and holds(rule[1], calls, value, i + 1)
    if kind == "F":
        return any(holds(rule[1], calls, value, j) for j in rest)
    if kind == "G":
        return all(holds(rule[1], calls, value, j) for j in rest)
    for j in rest:
        if holds(rule[2], calls, value, j):
            return True
        if not holds(rule[1], calls, value, j):
            return False
    return bool(kind == "W")


ALPHABET = [*itertools.product("ab", ("v", "w", "other")), ("c", "v")]


def as_call(leaf: Formula) -> Formula:
    return ActionAtom(leaf.name, leaf.terms) if isinstance(leaf, Atom) else leaf


@lru_cache(maxsize=100_000)
def continuations_alive(text: str, value: str) -> tuple[Automaton, frozenset[int]]:
    """Return the automaton of the rule for a value, and its states from which it can be kept."""
    vocabulary = parse_formula(text.replace("(p)", f"({value})"))
    formula = vocabulary.map_leaves(as_call)
    machine = automaton(formula, reading="ltlf")
    letters = [machine.letter([ActionAtom(name, (value_,))]) for name, value_ in ALPHABET]
    alive = {state for state in machine.states if machine.step(state, 0) in machine.accepting}
    while True:
        more = {s for s in machine.states if any(machine.step(s, one) in alive for one in letters)}
        if more <= alive:
            return machine, frozenset(alive)
        alive |= more


def can_be_kept(text: str, calls: tuple[Any, ...], value: str) -> bool:
    machine, alive = continuations_alive(text, value)
    state = 0
    for name, of in calls:
        state = machine.step(state, machine.letter([ActionAtom(name, (of,))]))
    return state in alive


def witness(rule: tuple[Any, ...], calls: tuple[Any, ...], value: str, longest: int) -> bool:
    """Return whether some continuation of so many calls keeps the rule, by trying all."""
    for length in range(longest + 1):
        for rest in itertools.product(ALPHABET, repeat=length):
            if holds(rule, calls + rest, value):
                return True
    return False


def compare(seed: int, traces: int) -> tuple[int, int]:
    """Compare one rule on some traces; return the numbers of decisions and refusals."""
    dice = random.Random(seed)
    rule = ("G", a_rule(dice, 2)) if dice.random() < 0.5 else a_rule(dice, 3)
    text = text_of(rule)
    parsed = parse_formula(text)
    if not parsed.is_temporal:
        rule = ("G", rule)
        text = text_of(rule)
    decisions = refusals = 0
    for _ in range(traces):
        guard = Guard([{"name": "r", "formula": f"forall p. ({text})"}], tools=TOOLS)
        calls: tuple[Any, ...] = ()
        for _ in range(dice.randint(1, 6)):
            call = (dice.choice("ab"), dice.choice(VALUES))
            after = (*calls, call)
            decision = guard.check(call)
            uses = {name for name in "ab" if f"{name}(p)" in text}
            occurred = {value for name, value in after if name in uses}
            before = {value for name, value in calls if name in uses}
            lost = {v for v in occurred if not can_be_kept(text, after, v)}
            lost_before = {v for v in before if not can_be_kept(text, calls, v)}
            assert decision.allowed is not bool(lost - lost_before), (text, after, decision)
            # A way that is found by trying shows that nothing was lost; each way is short here.
            if seed % 10 == 0:
                for value in occurred:
                    found = witness(rule, after, value, 2)
                    assert not (found and value in lost), (text, after, value)
                    if not found and value not in lost:
                        assert witness(rule, after, value, LONGEST), (text, after, value)
            decisions += 1
            if not decision.allowed:
                refusals += 1
                break
            guard.observe(call)
            calls = after
            kept = all(holds(rule, calls, v) for v in occurred)
            assert guard.kept()["r"] is kept, (text, calls)
    return decisions, refusals


def test_decisions_are_those_of_the_definition() -> None:
    counts = [compare(seed, 3) for seed in range(60)]
    assert sum(refused for _, refused in counts) > 10


@pytest.mark.heavy
def test_decisions_are_those_of_the_definition_on_many_pairs() -> None:
    pairs = decisions = refusals = 0
    for seed in range(1_000, 6_000):
        traces = 4 if seed % 10 == 0 else 22
        decided, refused = compare(seed, traces)
        pairs += traces
        decisions += decided
        refusals += refused
    assert pairs >= 100_000
    assert decisions > 200_000
    assert refusals > 10_000
