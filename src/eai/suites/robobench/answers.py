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

# Closeness of an argument to its score, in halves.
_HALVES = {"no": 0, "related": 1, "same": 2}
OBJECT = {"move_to": 1, "press": 1, "transfer": 2}
"""Which argument is the object of a skill, where it is not the first."""
# A number in decimal digits, perhaps with an exponent; "nan" is read to be refused.
_NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?(?!\w)|\bnan\b", re.IGNORECASE
)


class NextStep(NamedTuple):
    """The score of a next step in half points: 0 or 2 for the skill, else 0 to 2.

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
    """Score an answer that names the next step (paper, NextStep).

    The first step of the answer counts. With ``halves``, a part for the whole and the opposite
    state count half (figure 29).
    """
    reading = read_answer(answer)
    if gold is None:
        return NextStep(0, 0, 0, reading.problem or "the gold step is cut off")
    if not reading.steps:
        return NextStep(0, 0, 0, reading.problem or "there is no step in it")
    step = reading.steps[0]
    if step.skill != gold.skill or not step.is_possible:
        return NextStep(0, 0, 0)
    scores = _score_arguments(step, gold, halves=halves)
    if not scores:
        return NextStep(2, 2, 2)  # the skill has no arguments that could be wrong
    object_score = scores.pop(OBJECT.get(gold.skill, 0))
    if object_score == 0:
        return NextStep(2, 0, 0)  # the parameters of another object count for nothing
    return NextStep(2, object_score, _score_parameters(scores))


def _score_arguments(step: Step, gold: Step, *, halves: bool) -> list[int]:
    """Return 0, 1 or 2 half points for each argument of a step with the right skill.

    Args:
        step: The step of the answer.
        gold: The gold step.
        halves: Whether an opposite state, and a part in place of a whole, earn one half point.
    """
    meaning = StepMeaning([gold], NameMap(gold.arguments))
    # A node is the skill, the arm and the arguments, of which only these are compared here.
    arguments = meaning.node(step)[2:]
    expected_arguments = meaning.node(gold)[2:]
    scores: list[int] = []
    for argument, expected in zip(arguments, expected_arguments, strict=True):
        if argument == expected:
            scores.append(2)
        elif halves and {argument, expected} == {"yes", "no"}:
            scores.append(1)  # the opposite state
        else:
            scores.append(_HALVES[closeness(name_of(argument), name_of(expected))])
    if scores and halves:
        object_index = OBJECT.get(gold.skill, 0)
        if _is_part_for_whole(step, gold, object_index):
            scores[object_index] = min(scores[object_index], 1)
    return scores


def _is_part_for_whole(step: Step, gold: Step, object_index: int) -> bool:
    """Return whether one step names a part of the other's object: ``table_edge``, ``table``.

    The words for parts are those that names are compared without (``drop_after`` of the table).
    """
    last_words = {named.arguments[object_index].rpartition("_")[2] for named in (step, gold)}
    return len(last_words) == 2 and not last_words.isdisjoint(words.table()["drop_after"])


def _score_parameters(scores: Sequence[int]) -> int:
    """Return 2 if all parameters are right (or there are none), 1 if some is at least near."""
    if all(score == 2 for score in scores):
        return 2
    return int(any(scores))


class ImagePoints(NamedTuple):
    """The points in an answer, and the reason why they are unusable, or ""."""

    points: tuple[tuple[float, float], ...]
    problem: str = ""


def read_points(text: str) -> ImagePoints:
    """Read points in coordinates between 0 and 1: ``(0.25, 0.5), (0.3, 0.7)``.

    Each two numbers of the text are a point. Pixels cannot be read, because the size of the picture
    is not known.
    """
    numbers = [float(number) for number in _NUMBER.findall(clean(text).text[:100_000])]
    points = tuple(zip(numbers[::2], numbers[1::2], strict=False))
    # An odd number of coordinates leaves open which one is missing.
    if not points or len(numbers) % 2:
        return ImagePoints(
            (), f"there are {len(numbers)} numbers in it, which are not points (x, y)"
        )
    if not all(map(math.isfinite, numbers)):
        return ImagePoints((), "a coordinate is not a number")
    for number in numbers:
        if not 0 <= number <= 1:
            return ImagePoints((), f"{number:g} is outside of 0..1: are these pixels?")
    return ImagePoints(points)


def rmse(points: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]]) -> float:
    """Return the root mean square of the distances of the first points that both have."""
    squares = [math.dist(*pair) ** 2 for pair in zip(points, others, strict=False)]
    return math.sqrt(sum(squares) / len(squares))


def hausdorff(
    points: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]]
) -> float:
    """Return the Hausdorff distance of two sets of points."""
    from scipy.spatial.distance import directed_hausdorff

    forth = directed_hausdorff(points, others)[0]
    back = directed_hausdorff(others, points)[0]
    return float(max(forth, back))


def frechet(
    path: Sequence[tuple[float, float]], other_path: Sequence[tuple[float, float]]
) -> float:
    """Return the discrete Fréchet distance of two trajectories (Eiter & Mannila 1994).

    Dynamic programming over pairs of points: the cost of a pair is its distance, or the least
    cost of a pair before it if that is larger. Only the last row of the table is kept. The time
    is proportional to the product of the two lengths.

    Example:
        >>> frechet([(0, 0), (1, 0)], [(0, 1), (1, 1)])
        1.0
    """
    costs: list[float] = []
    for point in path:
        previous_costs, costs = costs, []
        for column, other_point in enumerate(other_path):
            # The pairs before this one: the path, its fellow, or both are one point behind.
            earlier: list[float] = []
            if previous_costs:
                earlier.append(previous_costs[column])
            if column:
                earlier.append(costs[column - 1])
            if previous_costs and column:
                earlier.append(previous_costs[column - 1])
            costs.append(max(math.dist(point, other_point), min(earlier, default=0.0)))
    return costs[-1]


def closeness_score(distance: float) -> float:
    """Return ``(1 - d) ** 2.5`` with d at most 1 (paper, affordance scores)."""
    return float((1 - min(distance, 1.0)) ** 2.5)
