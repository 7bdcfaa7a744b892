"""The other questions: next steps, states, choices, points and trajectories."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from eai.answers import clean
from eai.nesting import load_json
from eai.suites.robobench import names as words
from eai.suites.robobench.names import Names, closeness, name_of
from eai.suites.robobench.plans import Step, first_call, read_answer, read_gold
from eai.suites.robobench.world import Meaning

_HALVES = {"no": 0, "related": 1, "same": 2}
OBJECT = {"move_to": 1, "press": 1, "transfer": 2}
"""Which argument is the object of a skill, where it is not the first."""
_NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?(?!\w)|\bnan\b", re.IGNORECASE
)
_LETTER = re.compile(r"(?<![^\W_'])([A-Z])(?![^\W_']|')")
_SAID = re.compile(
    r"""(?:\\boxed\s?\{ | (?:answers?|options?|choices?|correct|choose|select|pick|选择?|答案)
        (?:\W|is|are|be|would|option|choice|the|letter|answer|是|为){0,40}?)
        (?<![A-Za-z])
        (?P<letters>[A-Z]
            (?:(?:[\s,&+/]|and\b|[^\w\s,&+/](?=[A-Z]\b))*(?<![A-Za-z])[A-Z](?![A-Za-z]))*)
        (?![A-Za-z'])""",
    re.VERBOSE | re.IGNORECASE,
)
_EITHER = re.compile(r"\b[A-Z]\W{0,3}\s*(?:or|或)\s*\W{0,3}[A-Z]\b")
_YES_NO = re.compile(
    r"\b(?P<no>no|false|not|isn't|hasn't|wasn't|incomplete|unfinished)\b|\b(?P<yes>yes|true|completed?|finished|done)\b",
    re.IGNORECASE,
)
_BEGIN = re.compile(r"\W*(?:(?:the |final )*answer(?: is)?\W+)?(yes|no)\b", re.IGNORECASE)


class NextStep(NamedTuple):
    """What a next step is worth: skill 0 or 2, object and parameters 0, 1 or 2, in halves.

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
    meaning = Meaning([gold], Names(gold.arguments))
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


def read_yes_no(answer: str) -> bool | None:
    """Read yes or no, also out of a sentence; None if it is neither or both."""
    text = clean(answer).text.strip()
    first = _BEGIN.match(text) or re.search(r"\banswer\W+(?:is\W+)?(yes|no)\b", text, re.IGNORECASE)
    if first:
        return first[1].casefold() == "yes"
    said = {match.lastgroup for match in _YES_NO.finditer(text)}
    if "no" in said:
        literal = re.search(r"\byes\b", text, re.IGNORECASE)
        return None if literal else False
    return True if said else None


def read_choice(answer: str, options: Sequence[str] = ()) -> frozenset[str] | None:
    """Read the letters of an answer; None if there are none, or no telling which."""
    text = clean(answer).text.strip()
    most = "ABCDEFGH"[len(options) - 1] if 0 < len(options) <= 8 else "H"
    if text[:1] and text[0] in "{[":
        with contextlib.suppress(ValueError):
            text = _value(load_json(text))
    alike = [i for i, option in enumerate(options) if _bare(option) == _bare(text) != ""]
    if len(alike) == 1:
        return frozenset(("ABCDEFGH"[alike[0]],))
    found = _plain(text, most)
    if found is not None:
        return found
    said = [match for match in _SAID.finditer(text) if _upper(match["letters"], most)]
    if _EITHER.search(text, said[-1].start() if said else 0):
        return None
    first = re.match(r"\W*\(?([A-Za-z])\s?[).:,\]*\n-]", text)
    for letters in (said[-1]["letters"] if said else "", first[1] if first else ""):
        if letters and (found := _upper(letters, most)):
            return found
    # the only letters that a text speaks of, or the only option
    joined = re.findall(r"\b[A-H](?:\s*(?:,|and|&|/)\s*[A-H])+\b", text)
    if joined:
        return _upper(joined[0], most) if len(joined) == 1 else None
    found = frozenset(letter for letter in _LETTER.findall(text) if letter <= most)
    if re.search(r"\bA [a-z]", text) and not re.search(r"\(A\)|\bA[).:]", text):
        found -= {"A"}  # an article
    if found:
        return found if len(found) == 1 else None
    bare = [_bare(option) for option in options]
    inside = [i for i, option in enumerate(bare) if option and option in _bare(text)]
    return frozenset(("ABCDEFGH"[inside[0]],)) if len(inside) == 1 else None


def is_plain_choice(answer: str) -> bool:
    """Whether an answer is nothing but letters, which the published reader needs no model for."""
    return _plain(clean(answer).text.strip(), "H") is not None


def _plain(text: str, most: str) -> frozenset[str] | None:
    """The letters of a text that is nothing but letters and what separates them."""
    rest = re.sub(r"(?i)\b(?:and|option|choice|options)\b|[^\w]|_", " ", text).split()
    letters = "".join(rest)
    if not rest or len(letters) > 8 or not letters.isascii() or not letters.isalpha():
        return None
    if any(len(part) > 1 and not part.isupper() for part in rest):
        return None
    return _upper(letters, most) if len(set(letters.upper())) == len(letters) else None


def _upper(letters: str, most: str) -> frozenset[str] | None:
    found = frozenset(re.sub(r"(?i)\band\b|[^A-Za-z]", "", letters).upper())
    return found if found and max(found) <= most else None


def _value(value: object) -> str:
    if isinstance(value, dict):
        known = [
            value[key] for key in ("answer", "choice", "option", "final_answer") if key in value
        ]
        return _value(known[0]) if known else ""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _bare(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"^\W*[A-H][).:]\s", "", text).casefold()))


class Points(NamedTuple):
    """Points that were read, and why they cannot be used (empty if they can)."""

    points: tuple[tuple[float, float], ...]
    problem: str = ""


def read_points(text: str) -> Points:
    """Read points in normalised coordinates, by their numbers; pixels are told, not guessed."""
    numbers = [float(each) for each in _NUMBER.findall(clean(text).text[:100_000])]
    points = tuple(zip(numbers[::2], numbers[1::2], strict=False))
    if not points or len(numbers) % 2:
        return Points((), f"there are {len(numbers)} numbers in it, which are not points (x, y)")
    if not all(map(math.isfinite, numbers)):
        return Points((), "a coordinate is not a number")
    outside = [number for number in numbers if not 0 <= number <= 1]
    if outside:
        return Points((), f"{outside[0]:g} is outside of 0..1: are these pixels?")
    return Points(points)


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
