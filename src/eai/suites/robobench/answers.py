"""The other questions: next steps, states, choices, points and trajectories."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from eai.answers import clean
from eai.suites.robobench import names as words
from eai.suites.robobench.names import NameMap, closeness, name_of
from eai.suites.robobench.plans import Step, first_call, read_answer, read_gold
from eai.suites.robobench.world import StepMeaning

_HALVES = {"no": 0, "related": 1, "same": 2}
OBJECT = {"move_to": 1, "press": 1, "transfer": 2}
"""Which argument is the object of a skill, where it is not the first."""
_NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?(?!\w)|\bnan\b", re.IGNORECASE
)


class NextStep(NamedTuple):
    """The score of a next step: skill 0 or 2, object and parameters 0, 1 or 2, in halves.

    ``problem`` says why the answer or the gold step cannot be read.
    """

    skill: int
    object: int
    parameter: int
    problem: str = ""

    @property
    def score(self) -> float:
        """``(skill + object + parameter) / 3`` (paper, NextStep)."""
        return (self.skill + self.object + self.parameter) / 6


def gold_step(text: str, *, cut: bool = False) -> Step | None:
    """Read a gold step; ``cut`` takes it from behind the last hyphen, as published."""
    steps = first_call(text.rpartition("-")[2]) if cut else read_gold(text)
    return steps[0] if steps else None


def score_next_step(gold: Step | None, answer: str, *, halves: bool = False) -> NextStep:
    """Score a next step (paper, NextStep; the zero rule is that of the released program).

    The first step of the answer counts. With ``halves``, a part for the whole and the opposite
    state count half (figure 29).
    """
    reading = read_answer(answer)
    if gold is None or not reading.steps:
        problem = reading.problem or (
            "there is no step in it" if gold else "the gold step is cut off"
        )
        return NextStep(0, 0, 0, problem)
    step = reading.steps[0]
    if step.skill != gold.skill or not step.is_possible:
        return NextStep(0, 0, 0)
    meaning = StepMeaning([gold], NameMap(gold.arguments))
    mine, yours, at = meaning.node(step)[2:], meaning.node(gold)[2:], OBJECT.get(gold.skill, 0)
    values = [
        2 if one == other else _HALVES[closeness(name_of(one), name_of(other))]
        for one, other in zip(mine, yours, strict=True)
    ]
    if not values:
        return NextStep(2, 2, 2)
    parts = [each.arguments[at].rpartition("_")[2] for each in (step, gold)]
    if halves and len({*parts}) == 2 and {*parts} & {*words.table()["drop_after"]}:
        values[at] = min(values[at], 1)
    if halves:
        values = [
            1 if {a, b} == {"yes", "no"} else v for v, a, b in zip(values, mine, yours, strict=True)
        ]
    rest = [value for i, value in enumerate(values) if i != at]
    parameter = (2 if min(rest, default=2) == 2 else 1 if any(rest) else 0) if values[at] else 0
    return NextStep(2, values[at], parameter)


class ImagePoints(NamedTuple):
    """Points that were read, and why they cannot be used (empty if they can)."""

    points: tuple[tuple[float, float], ...]
    problem: str = ""


def read_points(text: str) -> ImagePoints:
    """Read points in normalised coordinates, by their numbers; pixels are told, not guessed."""
    numbers = [float(each) for each in _NUMBER.findall(clean(text).text[:100_000])]
    points = tuple(zip(numbers[::2], numbers[1::2], strict=False))
    if not points or len(numbers) % 2:
        return ImagePoints(
            (), f"there are {len(numbers)} numbers in it, which are not points (x, y)"
        )
    if not all(map(math.isfinite, numbers)):
        return ImagePoints((), "a coordinate is not a number")
    outside = [number for number in numbers if not 0 <= number <= 1]
    if outside:
        return ImagePoints((), f"{outside[0]:g} is outside of 0..1: are these pixels?")
    return ImagePoints(points)


def rmse(one: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]]) -> float:
    """The root mean square of the distances of the first points that both have."""
    pairs = list(zip(one, other, strict=False))
    return math.sqrt(sum(math.dist(a, b) ** 2 for a, b in pairs) / len(pairs))


def hausdorff(one: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]]) -> float:
    """The Hausdorff distance of two sets of points."""
    from scipy.spatial.distance import directed_hausdorff

    return float(max(directed_hausdorff(one, other)[0], directed_hausdorff(other, one)[0]))


def frechet(one: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]]) -> float:
    """The discrete Frechet distance of two trajectories (Eiter & Mannila 1994)."""
    row: list[float] = []
    for i, a in enumerate(one):
        last, row = row, []
        for j, b in enumerate(other):
            before = [last[j]] if i else []
            before += [row[j - 1]] if j else []
            before += [last[j - 1]] if i and j else []
            row.append(max(math.dist(a, b), min(before, default=0.0)))
    return row[-1]


def closeness_score(apart: float) -> float:
    """``(1 - d) ** 2.5`` with d at most 1 (paper, affordance scores)."""
    return float((1 - min(apart, 1.0)) ** 2.5)
