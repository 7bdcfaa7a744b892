"""How a plan becomes another one: the fewest edits, and what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from eai.planning.repair.task import EditKind, Slot, Slots, align, edits_of
from eai.world import Action


def actions(letters: str) -> tuple[Action, ...]:
    return tuple(Action(letter, ()) for letter in letters)


def plan(letters: str) -> Slots:
    """The steps of a plan of which nothing was changed yet."""
    return tuple(Slot(step, (), at, None) for at, step in enumerate(actions(letters)))


@cache
def distance(before: str, after: str) -> int:
    """The fewest insertions, deletions and replacements, by their definition."""
    if not before or not after:
        return len(before) + len(after)
    return min(
        distance(before[1:], after) + 1,
        distance(before, after[1:]) + 1,
        distance(before[1:], after[1:]) + (before[0] != after[0]),
    )


def words(letters: str, longest: int) -> Iterator[str]:
    for length in range(longest + 1):
        yield from map("".join, product(letters, repeat=length))


@pytest.mark.parametrize("before", [*words("ab", 4), "abc", "cab", "abcd"])
def test_no_other_edits_are_fewer(before: str) -> None:
    for after in words("abc", 3):
        found = align(plan(before), plan(after))
        assert [slot.action for slot in found] == list(actions(after))
        kinds = Counter(edit.kind for edit in edits_of(found, actions(before)))
        moves = kinds.pop(EditKind.MOVE, 0)  # an insertion and a deletion in one
        assert kinds.total() + 2 * moves == distance(before, after)


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [
        ("abc", "abc", []),
        ("abc", "ac", [(EditKind.DELETE, 2, None, "b", None)]),
        ("ac", "abc", [(EditKind.INSERT, None, 2, None, "b")]),
        ("abc", "axc", [(EditKind.REPLACE, 2, None, "b", "x")]),
        ("abc", "bca", [(EditKind.MOVE, 1, 4, "a", "a")]),
        ("abc", "cab", [(EditKind.MOVE, 3, 1, "c", "c")]),
        ("", "ab", [(EditKind.INSERT, None, 1, None, "a"), (EditKind.INSERT, None, 1, None, "b")]),
        ("ab", "", [(EditKind.DELETE, 1, None, "a", None), (EditKind.DELETE, 2, None, "b", None)]),
    ],
)
def test_edits_say_at_which_step(before: str, after: str, edits: list[object]) -> None:
    found = edits_of(align(plan(before), plan(after)), actions(before))
    assert [
        (edit.kind, edit.step, edit.before, edit.old and edit.old.name, edit.new and edit.new.name)
        for edit in found
    ] == edits
