"""Values that list several plans, of which one is meant: ``{"candidates": [[...], [...]]}``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eai.answers.plan import WORDS
from eai.answers.values import Group, Node, Pair

OVER_CANDIDATES = WORDS["over_candidates"]
"""Keys over a list of plans: ``candidates``, ``options``."""
_RATINGS = WORDS["ratings"]
"""Keys of numbers of which the highest is the best: ``votes``, ``score``."""


_NAMES = frozenset(["id", "name", "label", "option", "plan_id", "candidate_id", "plan_name"])
"""Keys of what a candidate is called."""


def listed_candidates(pair: Pair) -> Sequence[Group]:
    """Return the values of which each may hold a plan, if a key names its list one of candidates.

    Empty if it does not.
    """
    if pair.name not in OVER_CANDIDATES or not isinstance(pair.value, Group):
        return []
    if pair.value.kind != "list" or len(pair.value.items) < 2:
        return []
    candidates = [item for item in pair.value.items if isinstance(item, Group)]
    return candidates if len(candidates) == len(pair.value.items) else []


def position_of_best_rated(candidates: Sequence[Node]) -> int:
    """Return the position from 1 of the candidate with the highest rating; 0 if none is above."""
    ratings: list[float] = []
    for candidate in candidates:
        rating = _rating_of(candidate)
        if rating is None:
            return 0
        ratings.append(rating)
    # Two equal ratings choose nothing.
    highest = max(ratings, default=0.0)
    return ratings.index(highest) + 1 if ratings.count(highest) == 1 else 0


def _rating_of(candidate: Node) -> float | None:
    """Return the rating of a candidate; None if it has none, or one that is no number."""
    if not isinstance(candidate, Group) or candidate.kind != "object":
        return None
    for pair in candidate.pairs:
        if pair.name in _RATINGS:
            try:
                return float(pair.text)
            except ValueError:
                return None
    return None


@dataclass(frozen=True, slots=True)
class ChosenCandidate:
    """The candidate of a list that is chosen, as a key beside the list says it.

    Args:
        position: Its position from 1.
        is_sure: Whether nothing else can be meant. The number ``1`` may be counted from 0 or 1.
    """

    position: int
    is_sure: bool = True

    @classmethod
    def from_pair(cls, pair: Pair, candidates: Sequence[Node]) -> ChosenCandidate | None:
        """Return the candidate that a key and its value choose; None if they choose none.

        Args:
            pair: The key and its value, such as ``"selected": 0``.
            candidates: The candidates; the value may be the name of one of them.
        """
        text = pair.text.strip().lower()
        names = [name_of_candidate(candidate).lower() for candidate in candidates]
        if names.count(text) == 1 and text:
            return cls(names.index(text) + 1)
        if not text.isdecimal():
            return None
        number, count = int(text), len(candidates)
        is_index = "index" in pair.name
        # Counted from 0, the number of all candidates would name none of them.
        if number == count and not is_index:
            return cls(count)
        if number < count:
            return cls(number + 1, is_sure=is_index or number == 0)
        return None


def name_of_candidate(candidate: Node) -> str:
    """Return what a candidate says it is called, ``"id": 2``; empty if it says nothing."""
    if not isinstance(candidate, Group) or candidate.kind != "object":
        return ""
    for pair in candidate.pairs:
        if pair.name in _NAMES and pair.text:
            return pair.text.strip()
    return ""
