"""How long automata of goals, of well-known patterns and of random formulas take, and their sizes.

Run by hand: ``python benchmarks/speed/automata.py``. CPU time.
"""

from __future__ import annotations

import operator
import random
import statistics
import time
from collections.abc import Callable, Mapping

from eai.errors import InputError
from eai.logic import (
    LAST,
    Always,
    And,
    Atom,
    Automaton,
    Eventually,
    Formula,
    Historically,
    Iff,
    Implies,
    LogicVocabulary,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    Then,
    Until,
    WeakNext,
    WeakUntil,
    automaton,
    entails,
    parse_formula,
)

OBJECTS = [f"thing.{number}" for number in range(100)]
VOCABULARY = LogicVocabulary(
    predicates={"ON": 1, "CLOSED": 1, "ONTOP": 2, "HOLDS": 2},
    actions={"GRAB": 1, "TOUCH": 1, "PUSH": 1, "POUR": 2},
    objects=OBJECTS,
)

GOALS = {
    "one primitive": "ONTOP(thing.1, thing.2)",
    "18 conjuncts": " and ".join(f"ONTOP(thing.{i}, thing.1)" for i in range(2, 20)),
    "alternatives, then state": (
        "exists x0. ((TOUCH(x0) or PUSH(x0))) then (ON(thing.1) and CLOSED(thing.2) and "
        "HOLDS(thing.3, thing.4))"
    ),
    "two actions": "exists x0. (GRAB(x0)) then exists x0. ((TOUCH(x0) or PUSH(x0)))",
    "8 links": " then ".join(f"ON(thing.{i})" for i in range(8)),
    "every object": "forall x. (ON(x) or not CLOSED(x))",
    "exactly 3 objects": "forn 3. x. (ON(x))",
    "negated then": "not (ON(thing.1) then CLOSED(thing.2)) then ON(thing.3)",
}

P, Q, R, S = (Atom(name) for name in "pqrs")
PATTERNS: Mapping[str, Formula] = {
    "absence": Always(Not(P)),
    "absence before r": Implies(Eventually(R), Until(Not(P), R)),
    "absence between q and r": Always(Implies(And((Q, Not(R), Eventually(R))), Until(Not(P), R))),
    "existence after q": Or((Always(Not(Q)), Eventually(And((Q, Eventually(P)))))),
    "at most twice": WeakUntil(
        Not(P), WeakUntil(P, WeakUntil(Not(P), WeakUntil(P, Always(Not(P)))))
    ),
    "universality after q until r": Always(Implies(And((Q, Not(R))), WeakUntil(P, R))),
    "precedence": WeakUntil(Not(P), S),
    "response between q and r": Always(
        Implies(
            And((Q, Not(R), Eventually(R))),
            Until(Implies(P, Until(Not(R), And((S, Not(R))))), R),
        )
    ),
    "response chain": Always(Implies(P, Eventually(And((S, Next(Eventually(Q))))))),
}

_UNARY = (Not, Next, WeakNext, Eventually, Always)
_BINARY = (Implies, Iff, Until, Release)
_PAST_UNARY = (Previous, Once, Historically)


def some_formula(nodes: int, chance: random.Random, *, past: bool = False) -> Formula:
    """Return a random formula with so many nodes over three propositions."""
    if nodes <= 1:
        return chance.choice((P, Q, R))
    if nodes == 2 or chance.random() < 0.4:
        kinds: list[Callable[[Formula], Formula]] = [*_UNARY, *(_PAST_UNARY if past else ())]
        return chance.choice(kinds)(some_formula(nodes - 1, chance, past=past))
    first = chance.randint(1, nodes - 2)
    left, right = (some_formula(n, chance, past=past) for n in (first, nodes - 1 - first))
    joins: list[Callable[[Formula, Formula], Formula]] = [*_BINARY, *([Since] if past else [])]
    joins += [operator.and_, operator.or_]
    return chance.choice(joins)(left, right)


def milliseconds(work: Callable[[], object], *, rounds: int = 3) -> float:
    """Least CPU time of one call, in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1000


def table(title: str, formulas: Mapping[str, Formula]) -> None:
    """Print a line for each formula."""
    print(f"{title:34}{'ms':>9}{'states':>8}{'letters':>9}")
    for name, formula in formulas.items():
        found = automaton(formula, objects=OBJECTS)
        took = milliseconds(lambda f=formula: automaton(f, objects=OBJECTS))  # type: ignore[misc]
        print(f"{name:34}{took:9.2f}{len(found.states):8}{len(found.letters):9}")


def random_sizes(*, past: bool) -> None:
    """Print a line for each size of random formulas, 50 of each."""
    print(
        f"random, {'future and past' if past else 'future':26}{'ms':>9}{'longest':>9}{'states':>8}"
        f"{'most':>7}{'refused':>9}"
    )
    for nodes in (5, 10, 20, 30, 40, 50, 100):
        chance = random.Random(nodes)  # noqa: S311 - not for secrets
        times, sizes, refused = [], [], 0
        for _ in range(50):
            formula = some_formula(nodes, chance, past=past)
            start = time.process_time()
            try:
                sizes.append(len(automaton(formula, reading="ltlf").states))
            except InputError:
                refused += 1
            times.append((time.process_time() - start) * 1000)
        print(
            f"{nodes:5} nodes{'':24}{statistics.median(times):9.2f}{max(times):9.1f}"
            f"{statistics.median(sizes):8.0f}{max(sizes):7}{refused:9}"
        )


def stepping(found: Automaton) -> None:
    """Print what a step costs."""
    chance = random.Random(1)  # noqa: S311 - not for secrets
    letters = [chance.getrandbits(len(found.letters)) for _ in range(100_000)]

    def walk() -> None:
        state = found.initial
        for letter in letters:
            state = found.step(state, letter)

    print(f"one step: {milliseconds(walk) / len(letters) * 1e6:.0f} ns")


def refusal() -> None:
    """Print how long it takes to refuse what is too large."""
    memory: Formula = LAST
    for _ in range(40):
        memory = Next(memory)
    for name, formula in {
        "the 40th position before the end": Eventually(And((P, memory))),
        "30 things, each at some time": And(tuple(Eventually(Atom(f"p{i}")) for i in range(30))),
    }.items():
        start = time.process_time()
        try:
            automaton(formula)
        except InputError as error:
            print(f"{name}: refused after {time.process_time() - start:.1f} s ({error.what})")


def main() -> None:
    """Print all tables."""
    goals = {name: parse_formula(text, vocabulary=VOCABULARY) for name, text in GOALS.items()}
    table(f"goals, {len(OBJECTS)} objects", goals)
    table("patterns", PATTERNS)
    table("chains", {f"{n} links": Then(tuple(Atom(f"p{i}") for i in range(n))) for n in (10, 50)})
    random_sizes(past=False)
    random_sizes(past=True)
    stepping(automaton(PATTERNS["response between q and r"]))
    question = (goals["two actions"], goals["alternatives, then state"])
    took = milliseconds(lambda: entails(*question, objects=OBJECTS))
    print(f"entailment of two goals over {len(OBJECTS)} objects: {took:.2f} ms")
    refusal()


if __name__ == "__main__":
    main()
