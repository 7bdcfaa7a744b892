"""Landmarks: what becomes true in every plan, and how much of it is still to come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eai.planning.conditions import Condition, literals_of, unmet
from eai.planning.limits import Limits
from eai.planning.task import Task, operators_of
from eai.world import union
from eai.world.bits import bits

_MOST_ATOMS = 1 << 13
"""In tasks with more atoms only the goals count: a label may be as long as a state."""

_MOST_ALTERNATIVES = 4
"""So many literals may share one landmark (Richter & Westphal 2010, section 4.3)."""


class Landmarks:
    """Counts the landmarks that are open on the way to a state (Richter & Westphal 2010).

    A landmark is a literal that becomes true in every plan, or a few of which one does. It is
    open until it was true once, and again when it is false although the goal asks for it, or
    although it is a condition of whatever can reach an open landmark for the first time.

    The masks have a bit for each literal and, above these, one for each landmark with
    alternatives. What was true once depends on the way to a state; the first way counts.
    """

    def __init__(self, task: Task, limits: Limits) -> None:
        self._goal = task.goal
        self._alternatives: dict[int, int] = {}
        self._given: dict[int, int] = {}
        self._asked: dict[int, int] = {}
        self._all = task.goal.every
        self._shared_from = 2 * len(task.atoms)
        if len(task.atoms) <= _MOST_ATOMS:
            self._find(task, limits)
        self._shared = union(self._alternatives.values())
        self._passed = {task.initial: self._all & task.initial}
        self._known: dict[int, tuple[int, int]] = {}

    @property
    def literals(self) -> int:
        """The landmarks that are single literals, as a mask."""
        return self._all & ((1 << self._shared_from) - 1)

    def follow(self, before: int, after: int) -> None:
        """Take note of the way to a state that was not seen yet."""
        passed = self._passed[before] | self._all & after
        for literal in bits(after & ~before & self._shared):
            passed |= self._given[literal]
        self._passed[after] = passed

    def look(self, state: int) -> tuple[int, int]:
        """Return how much is open in a state, and the literals that would close some of it."""
        passed = self._passed[state]
        to_come = self._all & ~passed
        known = self._known.get(to_come)
        if known is None:
            needed, hoped = self._goal.every, to_come
            for number in bits(to_come):
                needed |= self._asked.get(number, 0)
                hoped |= self._alternatives.get(number, 0)
            known = self._known[to_come] = needed, hoped
        needed, hoped = known
        again = needed & passed & ~state
        rest = unmet(self._goal._replace(every=0), state) if self._goal[1:] != ((), ()) else 0
        return to_come.bit_count() + again.bit_count() + rest, hoped | again

    def _find(self, task: Task, limits: Limits) -> None:
        """Find the landmarks, and what is asked for to reach each of them for the first time."""
        operators = [(c, effect) for c, effect, _ in operators_of(task) if effect]
        labels = _labels(task, operators, limits)
        labelled = [(c, effect, _before(c, labels)) for c, effect in operators]
        self._all = facts = _before(task.goal, labels) or 0
        missing = ~task.initial
        # By open landmark: what each of its first achievers asks for, of one predicate.
        shared: dict[int, dict[object, int]] = {}
        for condition, effect, label in labelled:
            # Whoever needs a landmark does not reach it for the first time.
            reached = 0 if label is None else effect & facts & missing & ~label
            mine: dict[object, int] = {}
            for literal in bits(condition.every & missing if reached else 0):
                sort = task.atoms[literal >> 1].predicate, literal & 1
                mine[sort] = mine.get(sort, 0) | 1 << literal
            for literal in bits(reached):
                self._asked[literal] = self._asked.get(literal, -1) & condition.every
                known = shared.get(literal, mine)
                shared[literal] = {
                    sort: m | known[sort] for sort, m in mine.items() if sort in known
                }
        found: dict[int, int] = {}
        for literal, masks in shared.items():
            for mask in masks.values():
                if 1 < mask.bit_count() <= _MOST_ALTERNATIVES and not mask & facts:
                    found.setdefault(mask, literal)
        limits.count(len(operators) * (1 + len(found)))
        for number, (mask, later) in enumerate(found.items(), start=self._shared_from):
            self._all |= 1 << number
            self._alternatives[number] = mask
            for literal in bits(mask):
                self._given[literal] = self._given.get(literal, 0) | 1 << number
            # The landmark for which it was found comes later.
            asked = [
                condition.every
                for condition, effect, label in labelled
                if effect & mask and label is not None and not label >> later & 1
            ]
            self._asked[number] = _common(asked) if asked else 0


def _labels(
    task: Task, operators: Sequence[tuple[Condition, int]], limits: Limits
) -> dict[int, int]:
    """Label each literal that can be reached with the literals that come before it, and itself.

    An operator passes on what its condition is labelled with; a literal keeps what all operators
    agree on that make it true. Labels only shrink, until nothing changes: they are then all
    landmarks of the relaxation without deletions (Zhu & Givan 2003; Keyder et al. 2010).
    """
    labels = {literal: 1 << literal for literal in bits(task.initial | task.derived << 1)}
    waiting: dict[int, list[int]] = {}
    for at, (condition, _) in enumerate(operators):
        for literal in bits(literals_of(condition)):
            waiting.setdefault(literal, []).append(at)
    pending: Sequence[int] = range(len(operators))
    while pending:
        limits.count(4 * len(pending))
        limits.check()
        again = set[int]()
        for at in pending:
            condition, effect = operators[at]
            label = _before(condition, labels)
            if label is None:
                continue
            for literal in bits(effect):
                known = labels.get(literal, -1)
                new = (label | 1 << literal) & known
                if new != known:
                    labels[literal] = new
                    again.update(waiting.get(literal, ()))
        pending = sorted(again)
    return labels


def _before(condition: Condition, labels: Mapping[int, int]) -> int | None:
    """Return the literals that come before a condition; None if it cannot be reached yet."""
    every, clauses, choices = condition
    found = 0
    for literal in bits(every):
        label = labels.get(literal)
        if label is None:
            return None
        found |= label
    for clause in clauses:
        reached = [labels[literal] for literal in bits(clause) if literal in labels]
        if not reached:
            return None
        found |= _common(reached)
    for choice in choices:
        options = [_before(option, labels) for option in choice]
        reached = [label for label in options if label is not None]
        if not reached:
            return None
        found |= _common(reached)
    return found


def _common(labels: Sequence[int]) -> int:
    common = -1
    for label in labels:
        common &= label
    return common
