"""Compare verdicts on random formulas with all short traces, tried out; print counts, by hand.

    python benchmarks/agreement/formulas.py [--pairs 10000] [--seed 1]

A pair is a random formula over two propositions and a copy of it in which one part was replaced, or
another random formula. Both are evaluated on every infinite trace of at most four positions (a
lasso), or on every finite one of at most four, by the definition of the operators and without the
library. A trace on which they differ has to be found by the library, too; and a trace that the
library gives as a proof has to tell them apart by the definition. Every pair on which the two part
is printed; the exit code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Union

from eai.errors import LimitError
from eai.logic import Comparison, Formula, Traces, equivalent, parse_formula

Tree = Union[str, tuple["Tree", ...]]
"""A proposition, or an operator with its operands."""

UNARY = ("!", "X", "F", "G")
BINARY = ("&", "|", "->", "U")
LENGTH = 4
_Letters = Sequence[frozenset[str]]


def main() -> None:
    """Print how many verdicts are those of the definition."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)  # noqa: S311 - pairs, no secret
    counts: Counter[tuple[str, str]] = Counter()
    wrong = 0
    seconds = 0.0
    for number in range(options.pairs):
        traces: Traces = "finite" if number % 2 else "infinite"
        first = _formula(rng, 3)
        second = _formula(rng, 3) if rng.random() < 0.3 else _altered(rng, first)
        started = time.process_time()
        try:
            found = equivalent(_read(first), _read(second), reading="ltlf", traces=traces)
        except LimitError:
            counts[traces, "undecided"] += 1
            continue
        finally:
            seconds += time.process_time() - started
        counts[traces, "equivalent" if found else "different"] += 1
        if not _is_right(found, first, second, traces):
            wrong += 1
            print(f"{traces}: {_text(first)} | {_text(second)}: {bool(found)}")
    for (traces_said, verdict), number in sorted(counts.items()):
        print(f"{traces_said:>8} traces, {verdict}: {number}")
    print(f"{wrong} of {options.pairs} wrong; {options.pairs / seconds:.0f} pairs a CPU second")
    sys.exit(bool(wrong))


def _is_right(found: Comparison, first: Tree, second: Tree, traces: Traces) -> bool:
    """Return whether a verdict agrees with all short traces, and its proof with the definition."""
    if found:
        return _values(first, traces) == _values(second, traces)
    assert found.word is not None  # noqa: S101 - formulas that differ come with a trace
    letters = [frozenset(str(name).removesuffix("()") for name in true) for true in found.word]
    holds = [_holds(formula, letters, found.loop) for formula in (first, second)]
    return holds[0] != holds[1]


def _formula(rng: random.Random, depth: int) -> Tree:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice("pq")
    if rng.random() < 0.5:
        return rng.choice(UNARY), _formula(rng, depth - 1)
    return rng.choice(BINARY), _formula(rng, depth - 1), _formula(rng, depth - 1)


def _altered(rng: random.Random, formula: Tree) -> Tree:
    """Return a formula with one part written in other words, or replaced."""
    if isinstance(formula, str) or rng.random() < 0.3:
        return _reworded(formula) if rng.random() < 0.6 else _formula(rng, 1)
    place = rng.randrange(1, len(formula))
    return (*formula[:place], _altered(rng, formula[place]), *formula[place + 1 :])


def _reworded(formula: Tree) -> Tree:
    """Return a formula that means the same."""
    operator = formula[0]
    if operator == "F":
        return "!", ("G", ("!", formula[1]))
    if operator == "G":
        return "!", ("F", ("!", formula[1]))
    if operator == "->":
        return "|", ("!", formula[1]), formula[2]
    if operator == "U":
        return "|", formula[2], ("&", formula[1], ("X", formula))
    return "!", ("!", formula)


def _text(formula: Tree) -> str:
    if isinstance(formula, str):
        return formula
    if len(formula) == 2:
        return f"({formula[0]} {_text(formula[1])})"
    return f"({_text(formula[1])} {formula[0]} {_text(formula[2])})"


def _read(formula: Tree) -> Formula:
    return parse_formula(_text(formula))


_TRACES: dict[str, list[tuple[_Letters, int | None]]] = {"finite": [], "infinite": []}
for _length in range(1, LENGTH + 1):
    _alphabet = [frozenset(true) for true in ("", "p", "q", "pq")]
    for _word in product(_alphabet, repeat=_length):
        _TRACES["finite"].append((_word, None))
        for _loop in range(_length):
            _TRACES["infinite"].append((_word, _loop))


def _values(formula: Tree, traces: Traces) -> list[bool]:
    return [_holds(formula, letters, loop) for letters, loop in _TRACES[traces]]


def _holds(formula: Tree, letters: _Letters, loop: int | None) -> bool:
    return _at_positions(formula, letters, loop)[0]


def _at_positions(formula: Tree, letters: _Letters, loop: int | None) -> list[bool]:
    """Return at which positions a formula holds, by the definition of its operator."""
    if isinstance(formula, str):
        return [formula in true for true in letters]
    operator = formula[0]
    parts = [_at_positions(part, letters, loop) for part in formula[1:]]
    if operator == "!":
        return [not value for value in parts[0]]
    if operator == "&":
        return [one and other for one, other in zip(*parts, strict=True)]
    if operator == "|":
        return [one or other for one, other in zip(*parts, strict=True)]
    if operator == "->":
        return [other or not one for one, other in zip(*parts, strict=True)]
    if operator == "X":
        return [*parts[0][1:], loop is not None and parts[0][loop]]
    always = [True] * len(letters)
    if operator == "F":
        return _until(always, parts[0], loop)
    if operator == "G":
        return [not value for value in _until(always, [not value for value in parts[0]], loop)]
    return _until(parts[0], parts[1], loop)


def _until(left: Sequence[bool], right: Sequence[bool], loop: int | None) -> list[bool]:
    """Return where ``left U right`` holds: walk on from each position until it is decided."""
    values = []
    for start in range(len(left)):
        position: int | None = start
        value = False
        # Twice around a loop is enough: then everything was seen.
        for _ in range(2 * len(left)):
            if position is None:
                break
            if right[position]:
                value = True
                break
            if not left[position]:
                break
            position = position + 1 if position + 1 < len(left) else loop
        values.append(value)
    return values


if __name__ == "__main__":
    main()
