"""The trajectory constraints of PDDL 3 against their definitions, on every short trajectory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from itertools import product

import pytest

from eai.logic import Atom, Trace, evaluate
from eai.logic.constraints import MODES

P, Q = Atom("p"), Atom("q")
Truths = Sequence[bool]


def at(values: Truths, position: int) -> bool:
    """A plan keeps its last state."""
    return values[min(position, len(values) - 1)]


def stretches(values: Truths) -> int:
    return sum(now and not before for before, now in zip((False, *values), values, strict=False))


FAR = 12
"""Beyond every end and bound."""

DEFINITIONS: dict[str, Callable[..., bool]] = {
    "sometime": any,
    "always": all,
    "at-end": lambda p: p[-1],
    "at-most-once": lambda p: stretches(p) <= 1,
    "sometime-after": lambda p, q: all(any(q[i:]) for i, now in enumerate(p) if now),
    "sometime-before": lambda p, q: all(any(q[:i]) for i, now in enumerate(p) if now),
    "within": lambda t, p: any(p[: t + 1]),
    "always-within": lambda t, p, q: all(any(q[i : i + t + 1]) for i, now in enumerate(p) if now),
    "hold-after": lambda t, p: all(at(p, i) for i in range(t + 1, FAR)),
    "hold-during": lambda u, v, p: all(at(p, i) for i in range(u, max(v, u + 1))),
}


def test_every_mode_is_defined_here() -> None:
    assert DEFINITIONS.keys() == MODES.keys()


@pytest.mark.parametrize("mode", DEFINITIONS)
def test_a_mode_has_as_many_bounds_and_conditions_as_its_definition(mode: str) -> None:
    bounds, conditions, _ = MODES[mode]
    names = list(signature(DEFINITIONS[mode]).parameters)
    if mode in ("sometime", "always"):
        names = ["p"]  # any and all call it otherwise
    assert (bounds, conditions) == (len(set(names) & set("tuv")), len(set(names) & set("pq")))
    assert len(names) == bounds + conditions


@pytest.mark.parametrize("mode", DEFINITIONS)
def test_a_mode_means_what_is_defined(mode: str) -> None:
    bounds, conditions, formula_of = MODES[mode]
    for numbers in product(range(4), repeat=bounds):
        if mode == "hold-during" and numbers[0] >= numbers[1]:
            continue  # nothing has to hold, or the end only: see its docstring
        formula = formula_of(*numbers, *(P, Q)[:conditions])
        for length in range(1, 5):
            for p, q in product(product([False, True], repeat=length), repeat=2):
                if conditions == 1 and any(q):
                    continue
                states = [
                    [atom for atom, holds in ((P, here), (Q, there)) if holds]
                    for here, there in zip(p, q, strict=True)
                ]
                expected = DEFINITIONS[mode](*numbers, *(p, q)[:conditions])
                assert evaluate(formula, Trace.of_states(states), reading="ltlf").holds == expected
