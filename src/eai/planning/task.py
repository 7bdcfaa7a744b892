"""Ground tasks, and what all searches share: applicable actions, states seen, the way back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from eai.logic import Atom
from eai.planning.conditions import (
    Condition,
    complement,
    conjoin,
    holds,
    literals_of,
    size_of,
)
from eai.planning.limits import Limits
from eai.world import Action
from eai.world.bits import bits


class GroundAction(NamedTuple):
    """A ground action over literal masks.

    Args:
        action: Its name and arguments.
        condition: When it is applicable.
        effect: Literals that become true whenever it is done.
        conditional: Literals that become true if their condition holds before.
        cost: The cost that it always adds to the total.
        conditional_costs: Costs that it adds if a condition holds before.
    """

    action: Action
    condition: Condition
    effect: int
    conditional: tuple[tuple[Condition, int], ...] = ()
    cost: float = 1.0
    conditional_costs: tuple[tuple[Condition, float], ...] = ()

    def cost_in(self, state: int) -> float:
        """Return the cost of the action in a state."""
        cost = self.cost
        for condition, amount in self.conditional_costs:
            if holds(condition, state):
                cost += amount
        return cost


class GroundRule(NamedTuple):
    """A ground rule for a derived atom: its positive literal holds if the body holds."""

    body: Condition
    head: int


_LARGE_BODY = 16
"""Bodies of rules with more parts are tested once for each state of what they mention."""
_MAX_REMEMBERED = 50_000
"""Maximum number of tests of such bodies that a task remembers, shared by its rules."""


class _RuleTest:
    """A test of a rule's body, which caches its values if the body is large.

    Bodies with quantifiers have thousands of parts, and most actions touch none of them: the value
    is looked up by those literals of a state that the body mentions.

    Args:
        rule: The rule.
        max_known_values: Maximum number of values that are remembered.
    """

    __slots__ = ("_body", "_known", "_literals", "_max_known_values", "head")

    def __init__(self, rule: GroundRule, max_known_values: int) -> None:
        """Prepare the test of a rule, with a cache if its body is large."""
        self.head = rule.head
        self._body = rule.body
        # Values are remembered only for large bodies; small ones are tested as quickly.
        self._max_known_values = 0
        self._literals = 0
        if size_of(rule.body) > _LARGE_BODY:
            self._max_known_values = max_known_values
            self._literals = literals_of(rule.body)
        self._known: dict[int, bool] = {}

    def holds(self, state: int) -> bool:
        """Return whether the body holds in a state.

        Values of large bodies are cached by the literals of the body. The cache is cleared when it
        is full.
        """
        if not self._max_known_values:
            return holds(self._body, state)
        mentioned = state & self._literals
        value = self._known.get(mentioned)
        if value is None:
            if len(self._known) >= self._max_known_values:
                self._known.clear()
            value = self._known[mentioned] = holds(self._body, mentioned)
        return value


@dataclass(frozen=True)
class GroundTask:
    """A ground planning task.

    Args:
        atoms: The atoms; the literals of atom ``i`` are bits ``2i`` and ``2i + 1``.
        positive: Mask of the positive literals.
        initial: Literals that are true at the start.
        goal: The condition that has to hold at the end.
        actions: Ground actions that may matter for the goal, in a fixed order.
        needed: Literals that some condition or the goal asks for.
        strata: Rules of derived predicates, in the order in which they are completed.
        derived: Positive literals of the derived atoms.
        reachable: Whether the goal holds in the relaxation without deletions. If not, no plan
            exists (Bonet & Geffner 2001, section 4).
    """

    atoms: tuple[Atom, ...]
    positive: int
    initial: int
    goal: Condition
    actions: tuple[GroundAction, ...]
    needed: int
    strata: tuple[tuple[GroundRule, ...], ...]
    derived: int
    reachable: bool = True

    @cached_property
    def rule_tests(self) -> tuple[tuple[_RuleTest, ...], ...]:
        """Tests of the rules, by strata."""
        number_of_rules = sum(map(len, self.strata))
        room = 1 + _MAX_REMEMBERED // (1 + number_of_rules)
        tests = []
        for stratum in self.strata:
            tests.append(tuple([_RuleTest(rule, room) for rule in stratum]))
        return tuple(tests)

    def successor(self, state: int, action: GroundAction) -> int:
        """Return the state after an applicable action.

        A state is a mask of literals, two bits for each atom: that it holds and that it does not.
        All conditions are evaluated in the state before; where an atom is both added and deleted,
        adding wins.
        """
        changed = action.effect
        if action.conditional:
            for condition, literals in action.conditional:
                if holds(condition, state):
                    changed |= literals
            # Adding wins: the negative literal of an atom that is added is dropped.
            positive = self.positive
            changed &= ~((changed & positive) << 1)
        # The opposites of changed literals are removed, and the changed literals are added.
        after = state & ~complement(changed, self.positive) | changed
        if self.strata:
            return deductions(self, after)
        return after


def operators_of(task: GroundTask) -> Iterator[tuple[Condition, int, int]]:
    """Yield each condition of an action with the literals that become true under it.

    An action with conditional effects is several operators.

    Yields:
        The condition, the literals as a mask, and the number of the action; -1 for a rule.
    """
    for action_index, action in enumerate(task.actions):
        yield action.condition, action.effect, action_index
        for condition, literals in action.conditional:
            yield conjoin((action.condition, condition)), literals, action_index
    for group in task.strata:
        for rule in group:
            yield rule.body, rule.head, -1


def deductions(task: GroundTask, state: int) -> int:
    """Return the state with the truth of all derived atoms recomputed.

    The rules of each stratum are applied until nothing changes; an atom that is not found is
    false (Edelkamp & Hoffmann 2004, section 3).
    """
    # Both literals of each derived atom are taken out, as neither is known to hold.
    state = state & ~(task.derived | task.derived << 1)
    for stratum in task.rule_tests:
        derivable = 0
        pending = list(stratum)
        has_changed = True
        while has_changed:
            # A rule that has fired is done: within a stratum nothing becomes false again.
            has_changed = False
            open_rules = []
            for rule in pending:
                derivable |= rule.head
                if rule.holds(state):
                    state |= rule.head
                    has_changed = True
                else:
                    open_rules.append(rule)
            pending = open_rules
        # Atoms of the finished stratum that were not derived are false.
        state |= (derivable & ~state) << 1
    return state


class Successors:
    """A decision tree that finds the applicable actions of a state."""

    def __init__(self, task: GroundTask) -> None:
        """Build the decision tree from the preconditions of all actions."""
        self._root = _Node()
        number_of_uses: Counter[int] = Counter()
        for action in task.actions:
            number_of_uses.update(bits(action.condition.every))

        def rank(literal: int) -> tuple[int, int, int, int]:
            """Return the sort key of a literal."""
            # Literals that are seldom true come first, because most paths then end early: these are
            # positive (even numbers) and false at the start. Then those that many actions share.
            return literal & 1, task.initial >> literal & 1, -number_of_uses[literal], literal

        position_in_order = {
            literal: position for position, literal in enumerate(sorted(number_of_uses, key=rank))
        }
        for action in task.actions:
            literals = sorted(bits(action.condition.every), key=position_in_order.__getitem__)
            self._root.enter(action, literals)

    def applicable(self, state: int) -> list[GroundAction]:
        """Return the actions that are applicable in a state, in a fixed order.

        The tree of preconditions is descended along the literals that hold. If a literal does not
        hold, a whole subtree of actions is skipped.
        """
        applicable: list[GroundAction] = []
        pending = [self._root]
        while pending:
            node = pending.pop()
            applicable += node.free
            for remaining_condition, action in node.tested:
                if holds(remaining_condition, state):
                    applicable.append(action)
            # The lowest bit is removed here, because a generator of bits takes longer.
            true_branches = state & node.mask
            while true_branches:
                lowest = true_branches & -true_branches
                pending.append(node.below[lowest])
                true_branches ^= lowest
        return applicable


class _Node:
    """The actions that need only the literals on the way here, and the subtrees for others.

    Attributes:
        mask: The literals of the nodes below.
        below: The nodes below, each by its literal as a mask.
        free: Actions that ask for nothing but the literals on the way.
        tested: Actions that ask for more, each with the rest of its condition.
    """

    __slots__ = ("below", "free", "mask", "tested")

    def __init__(self) -> None:
        self.mask = 0
        self.below: dict[int, _Node] = {}
        self.free: list[GroundAction] = []
        self.tested: list[tuple[Condition, GroundAction]] = []

    def enter(self, action: GroundAction, path: Sequence[int]) -> None:
        """Add an action at the end of a path of literals, creating missing nodes.

        Args:
            action: The action.
            path: The literals of its precondition, in the order of the tree. The rest of the
                precondition is tested when the node is reached.
        """
        node = self
        for literal in path:
            bit = 1 << literal
            node.mask |= bit
            node = node.below.setdefault(bit, _Node())
        if action.condition.clauses or action.condition.choices:
            node.tested.append((action.condition._replace(every=0), action))
        else:
            node.free.append(action)


Plan = list[GroundAction]

Search = Generator[None, None, Plan | None]
"""A search under way: it stops after each expanded state and returns the plan, or None if every
reachable state was seen and none is a goal. Errors of its limits reach the caller."""


class SearchSpace:
    """The states that a search has seen, each with the path to it.

    Args:
        task: The task.
        limits: Limits of the search; what they raise goes to who runs it.
    """

    def __init__(self, task: GroundTask, limits: Limits) -> None:
        self._task = task
        self._limits = limits
        self._successors = Successors(task)
        self._parents: dict[int, tuple[int, GroundAction] | None] = {task.initial: None}

    def __len__(self) -> int:
        return len(self._parents)

    def count(self, state: int) -> None:
        """Count a state that is expanded next."""
        self._limits.expand(state, len(self._parents))

    def successors(self, state: int) -> Iterator[tuple[int, GroundAction]]:
        """Yield the new successors of a state with the actions that lead there.

        A state is new if no state before had it as a successor; its parent is kept, to tell the
        plan.
        """
        applicable = self._successors.applicable(state)
        self._limits.count(len(applicable))
        for action in applicable:
            if self._task.strata:  # to apply the rules may take long
                self._limits.check()
            successor = self._task.successor(state, action)
            if successor not in self._parents:
                self._parents[successor] = (state, action)
                yield successor, action

    def plan_to(self, state: int) -> Plan:
        """Return the actions that lead to a goal state, without superfluous ones."""
        plan: Plan = []
        while (step := self._parents[state]) is not None:
            state, action = step
            plan.append(action)
        return _without_needless_actions(self._task, plan[::-1])


_Result = TypeVar("_Result")


def finish(search: Generator[None, None, _Result]) -> _Result:
    """Run a search to its end and return what it returns."""
    try:
        while True:
            next(search)
    except StopIteration as end:
        result: _Result = end.value
        return result


_MAX_LENGTH_TO_SHORTEN = 500
"""Longer plans are taken as they are: every action is left out once, and the rest tried."""
_MAX_TESTS_TO_SHORTEN = 200_000
"""Maximum number of actions and rules that are tested while a plan is shortened."""


def _without_needless_actions(task: GroundTask, plan: Plan) -> Plan:
    """Remove actions that a plan does not need, with those that only serve them.

    This is action elimination (Nakhost & Müller 2010, section 3): an action is removed together
    with everything that depends on it. If the goal is still reached, they stay removed. The cost is
    quadratic in the length of the plan, so only short plans are shortened.
    """
    state = task.initial
    needed_count = 0  # number of first actions that are known to be needed
    tests = 0
    tests_per_action = 1 + sum(map(len, task.strata))
    while needed_count < len(plan) <= _MAX_LENGTH_TO_SHORTEN and tests < _MAX_TESTS_TO_SHORTEN:
        tests += tests_per_action * (len(plan) - needed_count)
        # Actions that are not applicable without this one are removed, too.
        final_state = state
        shorter = plan[:needed_count]
        for action in plan[needed_count + 1 :]:
            if holds(action.condition, final_state):
                shorter.append(action)
                final_state = task.successor(final_state, action)
        if holds(task.goal, final_state):
            plan = shorter
        else:
            state = task.successor(state, plan[needed_count])
            needed_count += 1
    return plan
