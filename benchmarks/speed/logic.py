"""How long formulas take: goals of the Embodied Agent Interface's size, and linear temporal logic.

Run by hand: ``python benchmarks/speed/logic.py``. CPU time, median of several rounds. For linear
temporal logic, fetching truth vectors (*ingest*) and evaluation are timed apart, and one evaluation
with plain lists in the same run tells how fast the machine is.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence

from eai.logic import (
    Always,
    And,
    Atom,
    Eventually,
    Formula,
    Implies,
    LogicVocabulary,
    Next,
    Not,
    Or,
    Release,
    Trajectory,
    Until,
    WeakNext,
    atoms,
    evaluate,
    explain,
    parse_formula,
)
from eai.logic.algebra import Timeline, reverse_bits
from eai.logic.nodes import Binding
from eai.logic.positions import Positions
from eai.logic.trace import history_of

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


class Traces:
    """A trajectory of five slowly changing propositions."""

    def __init__(self, seed: int, length: int) -> None:
        chance = random.Random(seed)  # noqa: S311 - not for secrets
        self.length = length
        self._histories = {name: self._slow(chance, length) for name in LETTERS}

    @staticmethod
    def _slow(chance: random.Random, length: int) -> int:
        value = chance.random() < 0.5
        digits = []
        for _ in range(length):
            value ^= chance.random() < 0.1
            digits.append("01"[value])
        return int("".join(digits), 2)

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """No objects."""
        del types
        return ()

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Truth of a proposition at every position."""
        del arguments
        return self._histories[predicate]

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """No actions."""
        del action, arguments
        return 0

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """No actions."""
        del action
        return ()


LETTERS = "abcde"
ONES: list[Callable[[Formula], Formula]] = [Not, Next, WeakNext, Eventually, Always]
TWOS: list[Callable[[Formula, Formula], Formula]] = [
    lambda f, g: And((f, g)),
    lambda f, g: Or((f, g)),
    Implies,
    Until,
    Release,
]


def balanced(chance: random.Random, size: int) -> Formula:
    """A random formula with so many operators and propositions."""
    if size <= 1:
        return Atom(chance.choice(LETTERS))
    if size == 2 or chance.random() < 0.5:
        return chance.choice(ONES)(balanced(chance, size - 1))
    half = (size - 1) // 2
    return chance.choice(TWOS)(balanced(chance, half), balanced(chance, size - 1 - half))


def lists(formula: Formula, trace: Traces) -> list[bool]:
    """Evaluate with a list of truth values for every subformula, the textbook's way."""
    length = trace.length
    known: dict[Formula, list[bool]] = {}
    for node in reversed([*formula.walk()]):
        if node in known:
            continue
        parts = [known[part] for part in node.operands]
        if isinstance(node, Atom):
            digits = f"{trace.history(node.predicate, ()):0{length}b}"
            found = [digit == "1" for digit in reversed(digits)]
        elif isinstance(node, (Next, WeakNext)):
            found = [*parts[0][1:], isinstance(node, WeakNext)]
        elif isinstance(node, Not):
            found = [not value for value in parts[0]]
        elif isinstance(node, (And, Or, Implies)):
            found = [_connected(node, left, right) for left, right in zip(*parts, strict=True)]
        else:
            found = _backwards(node, parts, length)
        known[node] = found
    return known[formula]


def _connected(node: Formula, left: bool, right: bool) -> bool:
    if isinstance(node, And):
        return left and right
    return left or right if isinstance(node, Or) else not left or right


def _backwards(node: Formula, parts: list[list[bool]], length: int) -> list[bool]:
    last = parts[-1]
    value = isinstance(node, (Always, Release))
    found = [False] * length
    for i in reversed(range(length)):
        if isinstance(node, Eventually):
            value = last[i] or value
        elif isinstance(node, Always):
            value = last[i] and value
        elif isinstance(node, Until):
            value = last[i] or (parts[0][i] and value)
        else:
            value = last[i] and (parts[0][i] or value)
        found[i] = value
    return found


def goals() -> None:
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


def linear() -> list[tuple[int, int, float]]:
    """Print evaluation times of random formulas; return size, length and time of each."""
    print(f"\n{'nodes':>6}{'steps':>8}{'ingest ms':>11}{'evaluate':>10}{'lists':>10}")
    measured = []
    for size in (5, 20, 50, 200):
        for length in (10, 100, 1000, 10_000, 100_000):
            trace = Traces(length, length)
            timeline = Timeline(length)
            rows = []
            for seed in range(5):
                formula = balanced(random.Random(seed), size)  # noqa: S311
                positions = Positions(trace, timeline=timeline)
                letters = set(atoms(formula))
                rows.append(
                    (
                        milliseconds(
                            lambda: [reverse_bits(history_of(a, trace), length) for a in letters],  # noqa: B023
                            rounds=3,
                        ),
                        milliseconds(lambda: positions.truth(formula, Binding()), rounds=3),  # noqa: B023
                    )
                )
            times = [statistics.median(column) for column in zip(*rows, strict=True)]
            start = time.process_time()
            lists(balanced(random.Random(0), size), trace)  # noqa: S311
            times.append((time.process_time() - start) * 1000)
            print(f"{size:6}{length:8}" + "".join(f"{each:10.4f}" for each in times))
            measured.append((size, length, times[1]))
    return measured


def fit(measured: Sequence[tuple[int, int, float]]) -> None:
    """Fit time = a * nodes + b * nodes * steps, and print how well that explains the figures."""
    rows = [(size, size * length, each) for size, length, each in measured]
    # Relative errors count, so every equation is divided by its right side.
    scaled = [(x / t, y / t) for x, y, t in rows]
    xx, xy, yy = (sum(s[i] * s[j] for s in scaled) for i, j in ((0, 0), (0, 1), (1, 1)))
    x1, y1 = (sum(s[i] for s in scaled) for i in (0, 1))
    a = (x1 * yy - y1 * xy) / (xx * yy - xy * xy)
    b = (y1 * xx - x1 * xy) / (xx * yy - xy * xy)
    worst = max(abs(a * x + b * y - t) / t for x, y, t in rows)
    print(
        f"fit: {a * 1e6:.0f} ns a node + {b * 1e9:.2f} ps a node and step; worst error {worst:.0%}"
    )


def new_formulas() -> None:
    """Print what the first evaluation of a new formula takes, beside later ones.

    Each of 25 formulas comes as a text that was never seen before. It is parsed once, evaluated
    for the first time, and then again, until it is compiled. The ratio is the first evaluation to
    the repeated one; it shall stay below 3.
    """
    print("\nnew formulas (ms, median of 25)")
    columns = ("parse", "first", "repeated", "compiled")
    print(f"{'nodes':>6}{'steps':>8}" + "".join(f"{name:>10}" for name in columns) + "  ratio")
    for size in (20, 200):
        for length in (10, 1000, 100_000):
            trace = Traces(length, length)
            rows = [_new_formula(seed, size, trace) for seed in range(1000, 1025)]
            times = [statistics.median(column) * 1000 for column in zip(*rows, strict=True)]
            _, first, repeated, _ = times
            figures = "".join(f"{each:10.4f}" for each in times)
            print(f"{size:6}{length:8}{figures}{first / repeated:7.1f}")


def _new_formula(seed: int, size: int, trace: Traces) -> tuple[float, float, float, float]:
    """Seconds to parse a formula, and to evaluate it first, again, and after it was compiled."""
    text = str(balanced(random.Random(seed), size))  # noqa: S311

    def seconds(work: Callable[[], object]) -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    start = time.process_time()
    formula = parse_formula(text)
    parse = time.process_time() - start
    evaluations = [seconds(lambda: evaluate(formula, trace)) for _ in range(70)]
    repeated = statistics.median(evaluations[1:20])
    compiled = statistics.median(evaluations[50:])
    return parse, evaluations[0], repeated, compiled


def many_trajectories() -> None:
    """Print times of many trajectories."""
    print("\nmany trajectories, 20 nodes (us a trajectory)")
    for count, size in ((100, 50), (10_000, 50), (10_000, 20)):
        formula = balanced(random.Random(1), 20)  # noqa: S311
        some = [Traces(seed, size) for seed in range(100)]
        many = [some[i % 100] for i in range(count)]
        start = time.process_time()
        for each in many:
            evaluate(formula, each)
        spent = (time.process_time() - start) * 1e6 / count
        print(f"{count:8} trajectories x {size:3} steps {spent:10.2f}")


def main() -> None:
    """Print all tables."""
    goals()
    fit(linear())
    new_formulas()
    many_trajectories()


if __name__ == "__main__":
    main()
