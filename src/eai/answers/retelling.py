"""Lists that tell the list before them again, with a change: a draft, and the plan made of it.

Whatever the words between two lists say, two parts of one plan hardly ever have the same items. So
a list that goes on behind words is compared with the items before the words, whatever their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from eai.answers.choice import Candidate

MIN_SHARE_OF_SHORTER = 0.75
"""Smallest part of the shorter list that stands in the longer one, if it tells that again."""
MIN_SHARE_OF_LONGER = 0.5
"""Smallest part of the longer list that stands in the shorter one.

Among the ten items of a plan, a single one may be repeated.
"""


@dataclass(frozen=True, slots=True)
class Seam:
    """A place inside a candidate at which words stand between two of its items.

    Args:
        candidate: The candidate.
        index: Number of its items before the words.
        at: Offset of the block that goes on behind the words.
    """

    candidate: Candidate  # type: ignore[type-arg]
    index: int
    at: int


def offsets_told_again(
    seams: Sequence[Seam], keys: Sequence[Hashable | None], min_items: int
) -> list[int]:
    """Return the offsets of the seams of one candidate behind which it is told again.

    The time is linear in the number of items for each list that is told again.

    Args:
        seams: Places at which words stand between items of the candidate, in order.
        keys: What each item says; None for items that say too little to be compared.
        min_items: Fewest items of a list that tells another one again.
    """
    if not seams or _are_comments(seams, len(keys)):
        return []
    seam = _best_seam(seams, keys, min_items)
    if seam is None:
        return []
    before = [other for other in seams if other.index < seam.index]
    behind = [
        Seam(other.candidate, other.index - seam.index, other.at)
        for other in seams
        if other.index > seam.index
    ]
    return [
        *offsets_told_again(before, keys[: seam.index], min_items),
        seam.at,
        *offsets_told_again(behind, keys[seam.index :], min_items),
    ]


def _are_comments(seams: Sequence[Seam], item_count: int) -> bool:
    """Whether words between items are comments on single items, as in a log, not on lists."""
    if len(seams) == 1:
        return False
    bounds = [0, *(seam.index for seam in seams), item_count]
    sizes = [end - begin for begin, end in pairwise(bounds)]
    return 2 * sizes.count(1) > len(sizes)


def _best_seam(
    seams: Sequence[Seam], keys: Sequence[Hashable | None], min_items: int
) -> Seam | None:
    """Return the seam with the most alike lists before and behind it; None if none are alike."""
    best_seam: Seam | None = None
    best_share = 0.0
    before: Counter[Hashable] = Counter()
    behind = Counter(key for key in keys if key is not None)
    shared_count = 0
    index = 0
    for seam in seams:
        # Items go from the second list to the first one, so that each is compared once.
        for key in keys[index : seam.index]:
            if key is None:
                continue
            shared_count -= min(before[key], behind[key])
            before[key] += 1
            behind[key] -= 1
            shared_count += min(before[key], behind[key])
        index = seam.index
        # Shares are of all items, so that a short end of a long list is no second telling of it.
        count_before, count_behind = before.total(), behind.total()
        shorter, longer = sorted([count_before, count_behind])
        if count_before == 0 or count_behind < min_items:
            continue
        is_alike = shared_count >= MIN_SHARE_OF_SHORTER * shorter
        share = shared_count / longer
        if is_alike and share >= MIN_SHARE_OF_LONGER and share > best_share:
            best_seam, best_share = seam, share
    return best_seam
