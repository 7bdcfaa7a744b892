"""Compare verdicts on pairs of problems with the definition, tried out; print counts, by hand.

    python benchmarks/agreement/problems.py [--pairs 10000] [--seed 1]

A pair is a random problem of two to four blocks and the same with its blocks renamed and shuffled,
of which a fact of the goal was then perhaps dropped, added or replaced, or the start. The
definition is tried out without the library: every permutation of the blocks, every reachable state.
Every pair on which the two part is printed; the exit code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

from eai.logic import And, Atom
from eai.pddl import Problem, parse_domain
from eai.planning import equivalent_problems

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support"))
from pddl_blocks import DOMAIN

BLOCKS = parse_domain(DOMAIN)

Fact = tuple[str, ...]
Facts = frozenset[Fact]


def main() -> None:
    """Print how many verdicts are those of the definition."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)  # noqa: S311 - pairs, no secret
    counts: Counter[tuple[bool, str]] = Counter()
    wrong = 0
    seconds = 0.0
    for _ in range(options.pairs):
        first, second = _pair(rng)
        expected = _equivalent(first, second)
        started = time.process_time()
        found = equivalent_problems(BLOCKS, _problem(*first), _problem(*second))
        seconds += time.process_time() - started
        counts[expected, found.verdict] += 1
        if found.verdict != ("equivalent" if expected else "different"):
            wrong += 1
            print(f"expected {expected}, found {found.verdict}: {first} | {second}")
    for (expected, verdict), number in sorted(counts.items()):
        said = "equivalent" if expected else "different"
        print(f"{said:>10} by the definition, {verdict} here: {number}")
    print(f"{wrong} of {options.pairs} wrong; {options.pairs / seconds:.0f} pairs a CPU second")
    sys.exit(bool(wrong))


Posed = tuple[tuple[str, ...], Facts, Facts]
"""Blocks, start and goal."""


def _problem(blocks: tuple[str, ...], start: Facts, goal: Facts) -> Problem:
    return Problem(
        "p",
        "blocks",
        dict.fromkeys(blocks, "object"),
        tuple(map(_atom, sorted(start))),
        And.of(list(map(_atom, sorted(goal)))),
    )


def _atom(fact: Fact) -> Atom:
    return Atom(fact[0], fact[1:])


def _towers(rng: random.Random, blocks: list[str]) -> Facts:
    """Return the facts of random towers."""
    rng.shuffle(blocks)
    facts: set[Fact] = {("handempty",)}
    below = ""
    for block in blocks:
        if below and rng.random() < 0.5:
            facts.add(("on", block, below))
        else:
            if below:
                facts.add(("clear", below))
            facts.add(("ontable", block))
        below = block
    return frozenset({*facts, ("clear", below)})


def _pair(rng: random.Random) -> tuple[Posed, Posed]:
    """Return a random problem, and a renamed one that may be altered."""
    names = ["a", "b", "c", "d"][: rng.randint(2, 4)]
    start, whole = _towers(rng, names), _towers(rng, names)
    goal = frozenset(rng.sample(sorted(whole), rng.randint(1, len(whole))))
    renamed = dict(zip(names, rng.sample(["p", "q", "r", "s"], len(names)), strict=True))
    other_start, other_goal = _renamed(start, renamed), _renamed(goal, renamed)
    blocks = list(renamed.values())
    if rng.random() < 0.75:
        spare = sorted(_towers(rng, blocks))
        other_goal = _altered(rng, other_goal, spare)
        if rng.random() < 0.2:
            other_start = _towers(rng, blocks)
    rng.shuffle(blocks)
    return (tuple(names), start, goal), (tuple(blocks), other_start, other_goal)


def _altered(rng: random.Random, goal: Facts, spare: list[Fact]) -> Facts:
    """Drop, add or replace a fact."""
    kind = rng.choice(("drop", "add", "replace"))
    facts = set(goal)
    if kind != "add" and len(facts) > 1:
        facts.discard(rng.choice(sorted(facts)))
    if kind != "drop":
        facts.add(rng.choice(spare))
    return frozenset(facts)


def _renamed(facts: Facts, names: dict[str, str]) -> Facts:
    return frozenset((fact[0], *[names.get(term, term) for term in fact[1:]]) for fact in facts)


def _equivalent(first: Posed, second: Posed) -> bool:
    """Return whether two problems are equivalent, by trying out the definition."""
    blocks, start, goal = first
    states = _reachable(start)
    fulfilled = {state for state in states if goal <= state}
    for order in permutations(second[0]):
        names = dict(zip(order, blocks, strict=True))
        if _renamed(second[1], names) != start:
            continue
        other = _renamed(second[2], names)
        if {state for state in states if other <= state} == fulfilled:
            return True
    return False


def _reachable(start: Facts) -> set[Facts]:
    """Return all states that moves of a hand lead to."""
    seen = {start}
    pending = [start]
    while pending:
        for state in _after(pending.pop()):
            if state not in seen:
                seen.add(state)
                pending.append(state)
    return seen


def _after(state: Facts) -> Iterator[Facts]:
    """Yield the states after one move."""
    held = next((fact[1] for fact in state if fact[0] == "holding"), None)
    clear = [fact[1] for fact in state if fact[0] == "clear"]
    if held is not None:
        free = (state - {("holding", held)}) | {("handempty",), ("clear", held)}
        yield free | {("ontable", held)}
        for below in clear:
            yield (free - {("clear", below)}) | {("on", held, below)}
        return
    for block in clear:
        taken = (state - {("clear", block), ("handempty",)}) | {("holding", block)}
        if ("ontable", block) in state:
            yield taken - {("ontable", block)}
        for fact in state:
            if fact[0] == "on" and fact[1] == block:
                yield (taken - {fact}) | {("clear", fact[2])}


if __name__ == "__main__":
    main()
