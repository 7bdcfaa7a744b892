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


class _FirstAchiever(NamedTuple):
    """An operator that can make landmarks true for the first time.

    Args:
        needs: The literals that its condition asks for in any case, as a mask.
        achieved: These landmarks, as a mask.
    """

    needs: int
    achieved: int


class _Disjunction(NamedTuple):
    """A disjunctive landmark.

    Args:
        literals: Literals, one of which becomes true in every plan, as a mask.
        follower: The number of a landmark that becomes true after one of them.
    """

    literals: int
    follower: int


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
        """Find the landmarks of a task, unless it is too large."""
        self._goal = task.goal
        # By number of a disjunctive landmark: its literals. By literal: its disjunctive landmarks.
        self._literals_of: dict[int, int] = {}
        self._disjunctions_of: dict[int, int] = {}
        # By number of a landmark: the literals that all its first achievers need.
        self._needs_of: dict[int, int] = {}
        # All landmarks as a mask; the numbers of disjunctive ones begin behind those of literals.
        self._all = task.goal.every
        self._first_disjunction = 2 * len(task.atoms)
        # Large tasks have the literals of the goal only: to find others would take too long.
        if len(task.atoms) <= _MAX_ATOMS:
            self._find_landmarks(task, limits)
        self._in_disjunctions = union(self._literals_of.values())
        # By state: the landmarks that were achieved by the plan to it.
        self._passed = {task.initial: self._all & task.initial}
        # By landmarks still to come: see `look`.
        self._needed_and_achieving: dict[int, tuple[int, int]] = {}

    @property
    def literals(self) -> int:
        """The landmarks that are single literals, as a mask."""
        return self._all & ((1 << self._first_disjunction) - 1)

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
        not_achieved = self._all & ~passed
        needed_and_achieving = self._needed_and_achieving.get(not_achieved)
        if needed_and_achieving is None:
            # "needed": literals that must hold later. "achieving": literals that achieve a landmark
            # when an action makes them true.
            needed = self._goal.every
            achieving = not_achieved
            for landmark in bits(not_achieved):
                needed |= self._needs_of.get(landmark, 0)
                achieving |= self._literals_of.get(landmark, 0)
            needed_and_achieving = self._needed_and_achieving[not_achieved] = needed, achieving
        needed, achieving = needed_and_achieving
        needed_again = needed & passed & ~state
        number_of_open = not_achieved.bit_count() + needed_again.bit_count()
        if self._goal.clauses or self._goal.choices:
            number_of_open += unmet(self._goal._replace(every=0), state)
        return number_of_open, achieving | needed_again

    # ------------------------------------------------------------------ before the search
    def _find_landmarks(self, task: GroundTask, limits: Limits) -> None:
        """Compute the landmarks, and the literals that their first achievers need.

        Single literals are found by labels that are propagated through the relaxed task. A
        disjunctive landmark is a set of literals of which each first achiever of another landmark
        needs one.

        Args:
            task: The task.
            limits: Limits of time and budget, which the work counts against.
        """
        conditions_and_effects = [
            (condition, effect) for condition, effect, _ in operators_of(task) if effect
        ]
        labels = _labels(task, conditions_and_effects, limits)
        operators = []
        for condition, effect in conditions_and_effects:
            operators.append(_LabelledOperator(condition, effect, _before(condition, labels)))
        self._all = _before(task.goal, labels) or 0
        # Literals that are true at the start need not become true.
        achievers = _first_achievers(operators, self._all & ~task.initial)
        self._needs_of = _common_needs(achievers)
        disjunctions = self._disjunctions(task, achievers)
        limits.count(len(operators) * (1 + len(disjunctions)))
        for landmark, disjunction in enumerate(disjunctions, start=self._first_disjunction):
            self._add_disjunction(landmark, disjunction.literals)
            self._needs_of[landmark] = _needs_of_disjunction(disjunction, operators)

    def _add_disjunction(self, number: int, literals: int) -> None:
        """Add a disjunctive landmark under a number."""
        self._all |= 1 << number
        self._literals_of[number] = literals
        for literal in bits(literals):
            others = self._disjunctions_of.get(literal, 0)
            self._disjunctions_of[literal] = others | 1 << number

    def _disjunctions(
        self, task: GroundTask, achievers: Sequence[_FirstAchiever]
    ) -> list[_Disjunction]:
        """Return the disjunctive landmarks, none of which contains a landmark.

        If each first achiever of a landmark needs a literal of one predicate, one of these
        literals has to become true before.

        Args:
            task: The task.
            achievers: The first achievers of all landmarks that are single literals.
        """
        # By landmark, then by predicate and sign: the literals that its first achievers need.
        needs_by_landmark: dict[int, _MaskBySign] = {}
        for achiever in achievers:
            needs = _literals_by_sign(task, achiever.needs & ~task.initial)
            for landmark in bits(achiever.achieved):
                earlier = needs_by_landmark.get(landmark, needs)
                needs_by_landmark[landmark] = _union_of_shared(needs, earlier)
        # By literals: the first landmark that was found to follow them.
        followers: dict[int, int] = {}
        for landmark, masks in needs_by_landmark.items():
            for mask in masks.values():
                # A literal that all of them need is a landmark, so that no mask has one only.
                if mask.bit_count() <= _MAX_ALTERNATIVES and not mask & self._all:
                    followers.setdefault(mask, landmark)
        return [_Disjunction(literals, follower) for literals, follower in followers.items()]


def _first_achievers(
    operators: Sequence[_LabelledOperator], landmarks: int
) -> list[_FirstAchiever]:
    """Return the operators that can make a landmark true for the first time.

    An operator that needs a landmark does not reach it for the first time.

    Args:
        operators: The operators of the relaxation.
        landmarks: The landmarks that are false at the start, as a mask.
    """
    achievers = []
    for operator in operators:
        if operator.before is None:
            continue
        achieved = operator.effect & landmarks & ~operator.before
        if achieved:
            achievers.append(_FirstAchiever(operator.condition.every, achieved))
    return achievers


def _common_needs(achievers: Sequence[_FirstAchiever]) -> dict[int, int]:
    """Return for each landmark the literals that all its first achievers need."""
    common: dict[int, int] = {}
    for achiever in achievers:
        for landmark in bits(achiever.achieved):
            common[landmark] = common.get(landmark, -1) & achiever.needs
    return common


def _needs_of_disjunction(disjunction: _Disjunction, operators: Sequence[_LabelledOperator]) -> int:
    """Return the literals that all first achievers of a disjunctive landmark need.

    Returns:
        A mask of literals; 0 if there is no first achiever.
    """
    needs = []
    for operator in operators:
        if operator.before is None or not operator.effect & disjunction.literals:
            continue
        # An operator that can only come after the follower is not a first achiever.
        if not operator.before >> disjunction.follower & 1:
            needs.append(operator.condition.every)
    if not needs:
        return 0
    return _common(needs)


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
    # A literal of the initial state is its only landmark. A derived atom may be false without any
    # action.
    labels = {literal: 1 << literal for literal in bits(task.initial | task.derived << 1)}
    operators_needing: dict[int, list[int]] = {}
    for operator_index, (condition, _) in enumerate(operators):
        for literal in bits(literals_of(condition)):
            operators_needing.setdefault(literal, []).append(operator_index)
    pending: Sequence[int] = range(len(operators))
    while pending:
        limits.count(4 * len(pending))
        limits.check()
        affected_operators: set[int] = set()
        for operator_index in pending:
            condition, effect = operators[operator_index]
            label = _before(condition, labels)
            if label is None:
                continue
            for literal in bits(effect):
                earlier_label = labels.get(literal, -1)
                new_label = (label | 1 << literal) & earlier_label
                if new_label != earlier_label:
                    labels[literal] = new_label
                    affected_operators.update(operators_needing.get(literal, ()))
        # Sorted, so that the work, which is counted, does not depend on the order of a set.
        pending = sorted(affected_operators)
    return labels


def _before(condition: Condition, labels: Mapping[int, int]) -> int | None:
    """Return the literals that precede a condition in every plan, or None if unreachable.

    These are all literals that precede one of its literals. For a disjunction, only the literals
    that precede every reachable disjunct count.

    Args:
        condition: The condition.
        labels: For each literal that was reached, the literals before it.

    Returns:
        A mask of literals; None if the condition cannot be reached yet.
    """
    every, clauses, choices = condition
    predecessors = 0
    for literal in bits(every):
        label = labels.get(literal)
        if label is None:
            return None
        predecessors |= label
    for clause in clauses:
        labels_of_options = [labels[literal] for literal in bits(clause) if literal in labels]
        # A disjunction holds only after one of its literals, and none was reached.
        if not labels_of_options:
            return None
        predecessors |= _common(labels_of_options)
    for choice in choices:
        option_labels = [_before(option, labels) for option in choice]
        labels_of_options = [label for label in option_labels if label is not None]
        if not labels_of_options:
            return None
        predecessors |= _common(labels_of_options)
    return predecessors


def _common(labels: Sequence[int]) -> int:
    """Return the intersection of all labels."""
    common = -1  # every bit is set
    for label in labels:
        common &= label
    return common
