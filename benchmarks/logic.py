"""How long goals of the Embodied Agent Interface's size take to parse, judge and explain.

Run by hand: ``python benchmarks/logic.py``. CPU time, median of several rounds.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence

from eai.logic import LogicVocabulary, Trajectory, evaluate, explain, parse_formula

OBJECTS = [f"thing.{number}" for number in range(300)]
STEPS = 49
VOCABULARY = LogicVocabulary(
    predicates={"ON": 1, "CLOSED": 1, "ONTOP": 2, "HOLDS": 2},
    actions={"GRAB": 1, "TOUCH": 1, "PUSH": 1, "POUR": 2},
    objects=OBJECTS,
)

GOALS = {
    "one primitive": "ONTOP(thing.1, thing.2)",
    "5 conjuncts": " and ".join(
        ["CLOSED(thing.1)", "ON(thing.1)", *(f"ONTOP(thing.{i}, thing.1)" for i in (2, 3, 4))]
    ),
    "18 conjuncts": " and ".join(f"ONTOP(thing.{i}, thing.1)" for i in range(2, 20)),
    "alternatives, then state": (
        "exists x0. ((TOUCH(x0) or PUSH(x0))) then (ON(thing.1) and CLOSED(thing.2) and "
        "HOLDS(thing.3, thing.4))"
    ),
    "two variables, then state": "exists x0. (exists x1. (POUR(x0, x1))) then ON(thing.3)",
    "two actions": "exists x0. (GRAB(x0)) then exists x0. ((TOUCH(x0) or PUSH(x0)))",
    "some object, state only": "exists x. (ONTOP(x, thing.1))",
    "every object, state only": "forall x. (ON(x) or not CLOSED(x))",
    "exactly 3 objects": "forn 3. x. (ON(x))",
    "pairs of objects": "exists x. (exists y. (ON(x) and CLOSED(y)))",
    "every object, then": "forall x. (CLOSED(x) then ON(x))",
    "negated then": "not (ON(thing.1) then CLOSED(thing.2)) then ON(thing.3)",
}


class Recorded:
    """A trajectory whose histories are looked up in a dictionary."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)  # noqa: S311 - not for secrets
        self.length = STEPS + 1
        self._objects = tuple(OBJECTS)
        self._facts: dict[tuple[str, ...], int] = {
            (name, each): chance.getrandbits(self.length)
            for name in ("ON", "CLOSED")
            for each in OBJECTS
        }
        self._steps = [
            (chance.choice(["GRAB", "TOUCH", "PUSH"]), (chance.choice(OBJECTS),))
            for _ in range(STEPS)
        ]
        self._occurrences: dict[tuple[str, tuple[str, ...]], int] = {}
        for position, step in enumerate(self._steps):
            self._occurrences[step] = self._occurrences.get(step, 0) | 1 << position

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """All objects, whatever the type."""
        del types
        return self._objects

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Truth of an atom at every position."""
        return self._facts.get((predicate, *arguments), 0)

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """Positions from which a ground action is taken."""
        return self._occurrences.get((action, arguments), 0)

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Every occurrence of an action."""
        return [(i, step[1]) for i, step in enumerate(self._steps) if step[0] == action]


def milliseconds(work: Callable[[], object], *, rounds: int = 7) -> float:
    """Median CPU time of one call, in milliseconds."""
    times = []
    for _ in range(rounds):
        calls = 0
        start = time.process_time()
        while time.process_time() - start < 0.02:
            work()
            calls += 1
        times.append((time.process_time() - start) / calls * 1000)
    return statistics.median(times)


def main() -> None:
    """Print one line for each goal."""
    start = time.process_time()
    parse_formula("ON(thing.1)")
    print(f"first parse, with lark and the grammar: {(time.process_time() - start) * 1000:.0f} ms")
    trajectory: Trajectory = Recorded(seed=1)
    print(f"{len(OBJECTS)} objects, {trajectory.length} positions")
    print(f"{'goal':28}{'parse ms':>10}{'evaluate':>10}{'explain':>10}  holds")
    for name, text in GOALS.items():
        formula = parse_formula(text, vocabulary=VOCABULARY)
        times = [
            milliseconds(lambda text=text: parse_formula(text, vocabulary=VOCABULARY)),  # type: ignore[misc]
            milliseconds(lambda formula=formula: evaluate(formula, trajectory)),  # type: ignore[misc]
            milliseconds(lambda formula=formula: explain(formula, trajectory)),  # type: ignore[misc]
        ]
        columns = "".join(f"{each:10.3f}" for each in times)
        print(f"{name:28}{columns}  {evaluate(formula, trajectory).holds}")


if __name__ == "__main__":
    main()
