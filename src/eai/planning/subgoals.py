"""From a state of a world to a subgoal: breadth-first search over few objects, then over more.

A world has hundreds of objects, a subgoal is about a few. The first round uses the objects that
the subgoal mentions and what they are closely related to; every further round adds what those
are related to. Actions run in the world itself, so a plan that is found is a plan, and the
shortest one over the objects of its round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from eai.budget import Budget, Meter
from eai.errors import InputError
from eai.logic.formula import Formula, objects_of
from eai.planning.relevance import Relevance, relevance
from eai.planning.subgoal_steps import Step, Steps, as_plan, related, without_doubles
from eai.world.action import Action
from eai.world.bits import bits, mask_of
from eai.world.state import State
from eai.world.transition import World

__all__ = ["Bounds", "SubgoalSearch", "reach"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far to search.

    Args:
        actions: Longest plan.
        states: States that may be expanded in all rounds together.
        objects: Objects that actions may be about; a round with more is not begun, except the
            first.
    """

    actions: int = 8
    states: int = 3000
    objects: int = 40


@dataclass(frozen=True, slots=True)
class SubgoalSearch:
    """What came of a search.

    Args:
        plan: The actions, without the agent; None if none was found.
        state: The state that they lead to; None if none was found.
        bound: The bound that ended the search without a plan: ``"actions"``, ``"states"`` or
            ``"objects"``; None if a plan was found, or if there is none at all: every state
            that actions over all objects lead to was seen.
        expanded: States that were expanded.
        objects: Names of the objects that actions of the last round were about.
    """

    plan: tuple[Action, ...] | None
    state: State | None
    bound: Literal["actions", "states", "objects"] | None
    expanded: int
    objects: tuple[str, ...]

    @property
    def found(self) -> bool:
        """Whether there is a plan."""
        return self.plan is not None


def reach(
    world: World,
    state: State,
    formula: Formula,
    *,
    agent: str,
    bounds: Bounds | None = None,
    objects: Iterable[str] = (),
    actions: Iterable[str] | None = None,
    meter: Meter | None = None,
) -> SubgoalSearch:
    """Find a shortest way to make a formula true.

    Args:
        world: The world.
        state: Where to start; it is not changed.
        formula: A closed condition without temporal operators.
        agent: The object that acts: the first argument of every action.
        bounds: How far to search.
        objects: Objects that the first round uses besides those of the formula.
        actions: Names of the operators that may be used; all that can matter if None.
        meter: Counts what is looked at; what it raises goes to the caller.

    Returns:
        The plan, or the bound that ended the search.

    Raises:
        InputError: If the formula has free or unknown names; if a bound is not positive.
        UnknownNameError: If an object or an operator is not known.
    """
    limits = bounds or Bounds()
    for name in ("actions", "states", "objects"):
        if getattr(limits, name) < 1:
            raise InputError(
                f"the bound {name} is {getattr(limits, name)}", expected="a whole number from 1"
            )
    if world.holds(state, formula):
        return SubgoalSearch((), state, None, 0, ())
    names = None if actions is None else tuple(actions)
    search = _Search(world, state, formula, agent=agent, bounds=limits, names=names)
    search.meter = meter or search.meter
    search.meter.count_instances(search.cost)
    mask = _mask(state, {*objects_of(formula), *objects}) | 1 << state.universe.number(agent)
    return search.rounds(mask)


class _OutOfStatesError(Exception):
    """So many states were expanded as are allowed."""


class _Search:
    """The rounds of one search."""

    def __init__(
        self,
        world: World,
        state: State,
        formula: Formula,
        *,
        agent: str,
        bounds: Bounds,
        names: tuple[str, ...] | None,
    ) -> None:
        relevant = _relevance(world, formula, names)
        # Without a parameter an operator is no action of an agent.
        acting = [name for name in relevant.operators if world.domain.operators[name].parameters]
        self.operators = without_doubles(world.domain, acting)
        self.predicates = relevant.predicates
        self.test = world.test_of(formula, state.universe)
        self.world = world
        self.start = state
        self.agent = state.universe.number(agent)
        self.bounds = bounds
        self.expanded = 0
        self.meter = Budget.unlimited().meter()
        self.cost = world.instances(formula, state.universe)

    def rounds(self, mask: int) -> SubgoalSearch:
        """Search over the objects of the mask and what they are related to, then over more."""
        mask |= related(self.start, mask)
        while True:
            try:
                found, deeper = self._round(self._steps(mask))
            except _OutOfStatesError:
                return self._result(None, "states", mask)
            if found is not None:
                return self._result(found, None, mask)
            if mask == self.start.universe.everything:
                return self._result(None, "actions" if deeper else None, mask)
            wider = mask | related(self.start, mask)
            if wider == mask:
                wider = self.start.universe.everything
            if wider.bit_count() > self.bounds.objects:
                return self._result(None, "objects", mask)
            mask = wider

    def _result(
        self,
        found: tuple[tuple[Action, ...], State] | None,
        bound: Literal["actions", "states", "objects"] | None,
        mask: int,
    ) -> SubgoalSearch:
        plan, state = found or (None, None)
        names = self.start.universe.names
        return SubgoalSearch(plan, state, bound, self.expanded, tuple(names[i] for i in bits(mask)))

    def _steps(self, mask: int) -> Steps:
        """Actions of the agent over the objects of the mask."""
        return Steps(
            self.world,
            self.start,
            self.agent,
            operators=self.operators,
            mask=mask,
            predicates=self.predicates,
            meter=self.meter,
        )

    def _round(self, steps: Steps) -> tuple[tuple[tuple[Action, ...], State] | None, bool]:
        """Search breadth-first; returns what was found, and whether longer plans were left out.

        A state stands for all that differ from the first one in the same atoms that matter.
        """
        seen: dict[int, tuple[int, Step] | None] = {0: None}
        queue = deque([(self.start, 0, 0)])
        while queue:
            state, differing, depth = queue.popleft()
            if depth == self.bounds.actions:
                return None, True
            self._count()
            for step, changed in steps.possible(state):
                key = differing ^ changed
                if key in seen:
                    continue
                seen[key] = (differing, step)
                after = steps.after(state, step)
                self.meter.count_instances(self.cost)
                if self.test(after):
                    return (self._plan(key, seen), after), False
                queue.append((after, key, depth + 1))
        return None, False

    def _count(self) -> None:
        if self.expanded >= self.bounds.states:
            raise _OutOfStatesError
        self.expanded += 1

    def _plan(self, key: int, seen: dict[int, tuple[int, Step] | None]) -> tuple[Action, ...]:
        steps: list[Step] = []
        while (before := seen[key]) is not None:
            key, step = before
            steps.append(step)
        return as_plan(reversed(steps), self.start)


@lru_cache(maxsize=4096)
def _relevance(world: World, formula: Formula, names: tuple[str, ...] | None) -> Relevance:
    return relevance(world.domain, [formula], operators=names)


def _mask(state: State, names: Iterable[str]) -> int:
    return mask_of(state.universe.number(name) for name in names)
