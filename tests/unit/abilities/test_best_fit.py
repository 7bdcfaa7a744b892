"""The simple goal that fits an answer best, compared with all simple goals."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from eai.abilities import Fit, PredictedGoal
from eai.logic import And, Atom, Formula, GoalOptions, Or

CUPS = ("cup.1", "cup.2", "cup.3")
ATOMS = [Atom(name, (cup,)) for name in ("clean", "on") for cup in CUPS]


def predicted(name: str, *objects: str) -> PredictedGoal:
    return PredictedGoal("state", f"{name} {objects}", name, (objects,))


def f1(option: frozenset[Formula], said: frozenset[Formula]) -> float:
    return 2 * len(option & said) / (len(option) + len(said))


@pytest.mark.parametrize("seed", range(40))
def test_no_simple_goal_fits_an_answer_better(seed: int) -> None:
    """The answer means one thing, or one of several; of these the best is taken."""
    random = Random(seed)
    options = [
        frozenset[Formula](random.sample(ATOMS, random.randint(1, 3)))
        for _ in range(random.randint(2, 4))
    ]
    goal = Or(tuple(And(tuple(sorted(option, key=str))) for option in options))
    is_open = seed % 2 > 0
    said = [
        predicted(atom.predicate, str(atom.terms[0]))
        for atom in random.sample(ATOMS, random.randint(1, 3))
    ]
    if is_open:
        said.append(predicted(random.choice(("clean", "on")), *random.sample(CUPS, 2)))
    fit = Fit.best(said, (), GoalOptions(goal, lambda _: CUPS))
    meant = frozenset(fit.elements)
    assert meant in {frozenset(each) for each in product(*([*g.literals()] for g in said))}
    assert frozenset(fit.option) in options
    best = max(f1(option, meant) for option in options)
    assert f1(frozenset(fit.option), meant) == pytest.approx(best)
    assert len(fit.wrong) == len(meant - frozenset(fit.option))
