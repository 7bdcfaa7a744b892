"""Landmarks: literals that become true in every plan, and how many of them are still to come.

Idea: labels are passed from the initial state along operators (:func:`_labels`), until each literal
knows the literals that come before it in every relaxed plan; those of the goal are the landmarks. A
search counts the landmarks that are open in a state (LAMA: Richter & Westphal 2010).

Invariant: a label is an upper bound that only shrinks, so the result is sound for the relaxation,
and therefore for the task. Cost: a round over the operators whose conditions changed; tasks with
many atoms have only the goals as landmarks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Optional

from eai.planning.conditions import Condition, literals_of, unmet
from eai.planning.limits import Limits
from eai.planning.task import GroundTask, operators_of
from eai.world import union
from eai.world.bits import bits

_MAX_ATOMS = 1 << 13
"""In tasks with more atoms only the goals count: a label may be as long as a state."""

_MAX_ALTERNATIVES = 4
"""Maximum number of literals of a disjunctive landmark (Richter & Westphal 2010, section 4.3)."""


class _LabelledOperator(NamedTuple):
    """An operator of the relaxation.

    Args:
        condition: Its condition.
        effect: The literals that it makes true.
        before: The literals that come before its condition; None if it is never reached.
    """

    condition: Condition
    effect: int
    before: Optional[int]  # noqa: UP045 - evaluated in Python 3.10


class Landmarks:
    """Counts the landmarks that are still open in a state (Richter & Westphal 2010).

    A landmark is a literal that becomes true in every plan, or a few of which one does (a
    disjunctive landmark). It is open until it was true once, and again when it is false although
    the goal asks for it, or although it is a condition of whatever can reach an open landmark for
    the first time.

    The masks have a bit for each literal and, above these, one for each disjunctive landmark. The
    landmarks that were true once depend on the path to a state; the first path counts.

    Args:
        task: The task.
        limits: Limits of time and budget.
    """

    def __init__(self, task: GroundTask, limits: Limits) -> None:
        self._goal = task.goal
        # By number of a disjunctive landmark: its literals. By literal: its disjunctive landmarks.
        self._alternatives: dict[int, int] = {}
        self._disjunctions_of: dict[int, int] = {}
        # By number of a landmark: the literals that all its first achievers ask for.
        self._asked: dict[int, int] = {}
        # All landmarks as a mask; the numbers of disjunctive ones begin behind those of literals.
        self._all = task.goal.every
        self._shared_from = 2 * len(task.atoms)
        if len(task.atoms) <= _MAX_ATOMS:
            self._find(task, limits)
        # Large tasks have the literals of the goal only: to find others would take too long.
        self._in_disjunctions = union(self._alternatives.values())
        # By state: the landmarks that were true on the way to it.
        self._passed = {task.initial: self._all & task.initial}
        # By landmarks still to come: see `look`.
        self._needed_and_hoped: dict[int, tuple[int, int]] = {}

    @property
    def literals(self) -> int:
        """The landmarks that are single literals, as a mask."""
        return self._all & ((1 << self._shared_from) - 1)

    def follow(self, before: int, after: int) -> None:
        """Record how a new state was reached."""
        # Only what became true by the last step can close a landmark now.
        passed = self._passed[before] | self._all & after
        for literal in bits(after & ~before & self._in_disjunctions):
            passed |= self._disjunctions_of[literal]
        self._passed[after] = passed

    def look(self, state: int) -> tuple[int, int]:
        """Return the number of open landmarks, and literals that would achieve some.

        A landmark is open if no plan to this state has achieved it, or if it is false again and
        needed again by the goal or an open landmark.

        Args:
            state: A state whose plan was noted.
        """
        passed = self._passed[state]
        to_come = self._all & ~passed
        needed_and_hoped = self._needed_and_hoped.get(to_come)
        if needed_and_hoped is None:
            # "needed": literals that must hold later. "hoped": literals that an action should make
            # true.
            needed = self._goal.every
            hoped = to_come
            for number in bits(to_come):
                needed |= self._asked.get(number, 0)
                hoped |= self._alternatives.get(number, 0)
            needed_and_hoped = self._needed_and_hoped[to_come] = needed, hoped
        needed, hoped = needed_and_hoped
        needed_again = needed & passed & ~state
        count = to_come.bit_count() + needed_again.bit_count()
        if self._goal.clauses or self._goal.choices:
            count += unmet(self._goal._replace(every=0), state)
        return count, hoped | needed_again

    # ------------------------------------------------------------------ before the search
    def _find(self, task: GroundTask, limits: Limits) -> None:
        """Compute the landmarks, and the literals that their first achievers need.

        Single literals are found by labels that are propagated through the relaxed task. A
        disjunctive landmark is a set of literals of which each first achiever of another landmark
        needs one.
        """
        pairs = [(condition, effect) for condition, effect, _ in operators_of(task) if effect]
        labels = _labels(task, pairs, limits)
        operators = []
        for condition, effect in pairs:
            operators.append(_LabelledOperator(condition, effect, _before(condition, labels)))
        self._all = _before(task.goal, labels) or 0
        disjunctions = self._disjunctions(task, operators)
        limits.count(len(operators) * (1 + len(disjunctions)))
        for number, (literals, later) in enumerate(disjunctions.items(), start=self._shared_from):
            self._all |= 1 << number
            self._alternatives[number] = literals
            for literal in bits(literals):
                others = self._disjunctions_of.get(literal, 0)
                self._disjunctions_of[literal] = others | 1 << number
            needs_of_achievers = []
            for operator in operators:
                if operator.before is None or not operator.effect & literals:
                    continue
                # An operator that can only follow the later landmark is not a first achiever.
                if not operator.before >> later & 1:
                    needs_of_achievers.append(operator.condition.every)
            self._asked[number] = 0
            if needs_of_achievers:
                self._asked[number] = _common(needs_of_achievers)

    def _disjunctions(
        self, task: GroundTask, operators: Sequence[_LabelledOperator]
    ) -> dict[int, int]:
        """Return disjunctive landmarks, each with a landmark that follows it.

        If each first achiever of a landmark asks for a literal of one predicate, one of these
        literals has to become true before.
        """
        # What holds at the start need not become true, so no landmark comes from it.
        facts = self._all
        missing = ~task.initial
        # By landmark, then by predicate and sign: the literals that its first achievers ask for.
        asked_by_all: dict[int, _MaskBySign] = {}
        for condition, effect, before in operators:
            if before is None:
                continue
            # An operator that needs a landmark does not reach it for the first time.
            reached = effect & facts & missing & ~before
            if not reached:
                continue
            asked = _literals_by_sign(task, condition.every & missing)
            for literal in bits(reached):
                self._asked[literal] = self._asked.get(literal, -1) & condition.every
                earlier = asked_by_all.get(literal, asked)
                asked_by_all[literal] = _union_of_shared(asked, earlier)
        disjunctions: dict[int, int] = {}
        for literal, masks in asked_by_all.items():
            for mask in masks.values():
                if 1 < mask.bit_count() <= _MAX_ALTERNATIVES and not mask & facts:
                    disjunctions.setdefault(mask, literal)
        return disjunctions


_MaskBySign = dict[tuple[str, int], int]
"""Literals as masks, by predicate and sign (0: the atom holds, 1: it does not)."""


def _literals_by_sign(task: GroundTask, literals: int) -> _MaskBySign:
    """Group literals by predicate and sign."""
    groups: _MaskBySign = {}
    for literal in bits(literals):
        sign = task.atoms[literal >> 1].predicate, literal & 1
        groups[sign] = groups.get(sign, 0) | 1 << literal
    return groups


def _union_of_shared(first: _MaskBySign, second: _MaskBySign) -> _MaskBySign:
    """Return the literals of two groups for every sign that both contain."""
    shared: _MaskBySign = {}
    for sign, literals in first.items():
        if sign in second:
            shared[sign] = literals | second[sign]
    return shared


def _labels(
    task: GroundTask, operators: Sequence[tuple[Condition, int]], limits: Limits
) -> dict[int, int]:
    """Return for each reachable literal its landmarks, itself included.

    An operator passes on the labels of its condition; a literal keeps the labels on which all
    operators agree that make it true. Labels only shrink, until nothing changes: they are then all
    landmarks of the relaxation without deletions (Zhu & Givan 2003; Keyder et al. 2010).
    """
    # Before a literal of the initial state comes nothing but itself; that derived atoms are false
    # is taken for granted.
    labels = {literal: 1 << literal for literal in bits(task.initial | task.derived << 1)}
    waiting: dict[int, list[int]] = {}
    for number, (condition, _) in enumerate(operators):
        for literal in bits(literals_of(condition)):
            waiting.setdefault(literal, []).append(number)
    pending: Sequence[int] = range(len(operators))
    while pending:
        limits.count(4 * len(pending))
        limits.check()
        waiting_again: set[int] = set()
        for number in pending:
            condition, effect = operators[number]
            label = _before(condition, labels)
            if label is None:
                continue
            for literal in bits(effect):
                earlier_label = labels.get(literal, -1)
                new_label = (label | 1 << literal) & earlier_label
                if new_label != earlier_label:
                    labels[literal] = new_label
                    waiting_again.update(waiting.get(literal, ()))
        pending = sorted(waiting_again)
    return labels


def _before(condition: Condition, labels: Mapping[int, int]) -> int | None:
    """Return the literals that precede a condition in every plan, or None if unreachable.

    All that comes before one of its literals comes before the condition. Of alternatives only the
    literals count that come before all of them that can be reached.

    Args:
        condition: The condition.
        labels: For each literal that was reached, the literals before it.

    Returns:
        A mask of literals; None if the condition cannot be reached yet.
    """
    every, clauses, choices = condition
    before = 0
    for literal in bits(every):
        label = labels.get(literal)
        if label is None:
            return None
        before |= label
    # Of alternatives only those literals come before in any case that come before all of them.
    for clause in clauses:
        reached = [labels[literal] for literal in bits(clause) if literal in labels]
        if not reached:
            return None
        before |= _common(reached)
    for choice in choices:
        options = [_before(option, labels) for option in choice]
        reached = [label for label in options if label is not None]
        if not reached:
            return None
        before |= _common(reached)
    return before


def _common(labels: Sequence[int]) -> int:
    """Return the intersection of all labels."""
    common = -1  # every bit is set
    for label in labels:
        common &= label
    return common
