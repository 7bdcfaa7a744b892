"""Distances to the goal: the number of steps of a shortest plan from each state of a task.

Idea: where few states can be reached, all of them are entered once, and one search backward from
the goal states gives every distance. Every state that a plan can meet is among them, so a state
without a distance is a dead end, and that is a proof. Where the states are too many, each state
that is asked for is searched from by itself (landmark cuts and cost in turns), within a counted
budget; the states on the plan that is found are known with it. Beyond the budget there is a lower
bound (LM-cut, Helmert & Domshlak 2009; infinite is a proof there, too).

The task keeps the actions that can only do harm. No shortest plan has one, but without them it
would have no atom for what they destroy, and the states behind them would look as good as before.

Cost: once for each task the time of :data:`MAX_STATES` expansions at most, then a look-up. Where
states are searched from one by one, each takes at most the budget once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

from eai.budget import BeyondBudgetError, Budget
from eai.logic import And, Equal, Formula, Or
from eai.pddl import Domain, Problem
from eai.planning.conditions import holds
from eai.planning.costs import without_costs
from eai.planning.cuts import LandmarkCuts, search_cheapest
from eai.planning.declarations import declared, objection
from eai.planning.grounding import ground, helpful
from eai.planning.limits import Limits
from eai.planning.task import GroundTask, Successors, deductions, finish
from eai.world import State

MAX_STATES = 20_000
"""Maximum number of states that are all entered."""
MAX_REMEMBERED = 200_000
"""Maximum number of distances that are remembered for a task that is too large for that."""
GROUNDING = Budget(states=None)
"""Budget of grounding."""
SEARCH = Budget(states=4_000, actions=None, instances=2_000_000)
"""Budget of the search from one state."""


class Distance(NamedTuple):
    """The distance of a state from the goal.

    Args:
        steps: The number of steps; ``inf`` if the goal cannot be reached any more.
        bound: ``"exact"``, ``"at least"`` or ``"at most"``.
    """

    steps: float
    bound: str = "exact"

    @property
    def is_exact(self) -> bool:
        """Whether the number is the distance itself."""
        return self.bound == "exact"


class Distances:
    """Distances of the states of one ground task.

    Args:
        task: The task; all of its actions count as one step.
        max_states: Maximum number of states that are all entered; the bound on the work that is
            done before the first distance is known.
    """

    def __init__(self, task: GroundTask, *, max_states: int = MAX_STATES) -> None:
        self.task = task
        self._known: dict[int, Distance] = {}
        self._cuts: LandmarkCuts | None = None
        self._searchable = replace(task, actions=helpful(task))
        self.is_exhaustive = task.reachable and self._enter_all(max_states)

    @classmethod
    def of(
        cls, start: State, goal: Formula, agent: str = "", *, max_states: int = MAX_STATES
    ) -> Distances | None:
        """Return the distances to a goal, or None if the task cannot be grounded.

        Args:
            start: The state.
            goal: A formula about the state at the end.
            agent: Name of the object that is the first argument of every action; by default any.
            max_states: As for :class:`Distances`.
        """
        universe = start.universe
        objects = universe.objects
        domain = universe.domain  # with the types of the scene
        problem = Problem("distances", domain.name, objects, tuple(start.atoms()), goal)
        if objection(domain, problem) is not None:
            return None
        try:
            # The state has no values of function terms, and steps are counted, not costs.
            domain, problem = declared(without_costs(domain), problem)
            if agent:
                # Before grounding, which keeps one of several actions that do the same.
                domain = _with_agent_first(domain, agent)
            task = ground(domain, problem, limits=Limits(budget=GROUNDING), harmful=True)
        except BeyondBudgetError:
            return None
        actions = [action._replace(cost=1.0) for action in task.actions]
        return cls(replace(task, actions=tuple(actions)), max_states=max_states)

    def projection(self, start: State) -> Callable[[State], int]:
        """Return a function that maps a state of the world to a state of the ground task.

        Args:
            start: The initial state, which knows the numbers of predicates and objects.
        """
        if not self.task.reachable:
            return lambda _: self.task.initial
        index = start.layout.index
        object_number = start.universe.number
        # The rules decide about derived atoms, so these are not read from the state.
        derived_predicates = {axiom.head.predicate for axiom in start.layout.domain.axioms}
        stored_atoms = []
        for atom_index, atom in enumerate(self.task.atoms):
            if atom.predicate in index and atom.predicate not in derived_predicates:
                arguments = tuple([object_number(str(term)) for term in atom.terms])
                stored_atoms.append((atom_index, index[atom.predicate], arguments))

        def project(state: State) -> int:
            """Return the state of the ground task in which the same atoms are true."""
            projected = self.task.initial
            for atom_index, predicate, arguments in stored_atoms:
                # Both literals of the atom are cleared, and the true one is set.
                projected &= ~(0b11 << 2 * atom_index)
                literal = 2 * atom_index
                if not state.test(predicate, arguments):
                    literal += 1
                projected |= 1 << literal
            if self.task.strata:
                return deductions(self.task, projected)
            return projected

        return project

    def distance(self, state: int) -> Distance:
        """Return the distance of a state: the number of actions in a shortest plan.

        Distances are kept, as plans that are rewarded share most of their states. Infinite if the
        goal cannot be reached, and a lower bound if the search took too long.

        Args:
            state: A state that can be reached from the initial one, as a mask of literals.
        """
        if not self.task.reachable:
            return Distance(inf)
        distance = self._known.get(state)
        if distance is None:
            if len(self._known) > MAX_REMEMBERED:
                self._known = {}
            distance = self._known[state] = self._search_from(state)
        return distance

    def _enter_all(self, max_states: int) -> bool:
        """Compute the distances of all reachable states, and return whether they were few enough.

        A breadth-first search from the start finds the states, and a second one goes backward from
        all goal states at once. The cost is linear in the number of transitions.

        Args:
            max_states: Maximum number of states.
        """
        predecessors = self._predecessors(max_states)
        if predecessors is None:
            return False
        # The first visit of a state is on a shortest path to a goal state.
        steps_to_goal = {state: 0 for state in predecessors if holds(self.task.goal, state)}
        pending = deque(steps_to_goal)
        while pending:
            state = pending.popleft()
            for predecessor in predecessors[state]:
                if predecessor not in steps_to_goal:
                    steps_to_goal[predecessor] = steps_to_goal[state] + 1
                    pending.append(predecessor)
        # A state that the backward search did not visit is a dead end.
        for state in predecessors:
            self._known[state] = Distance(steps_to_goal.get(state, inf))
        return True

    def _predecessors(self, max_states: int) -> dict[int, list[int]] | None:
        """Return the reachable states, each with the states from which one action leads to it.

        None if there are more than ``max_states``.
        """
        # Forward from the start, breadth first; each state is expanded once, when it is met first.
        successors = Successors(self.task)
        predecessors: dict[int, list[int]] = {self.task.initial: []}
        pending = deque([self.task.initial])
        while pending:
            state = pending.popleft()
            for action in successors.applicable(state):
                next_state = self.task.successor(state, action)
                if next_state not in predecessors:
                    if len(predecessors) >= max_states:
                        return None
                    predecessors[next_state] = []
                    pending.append(next_state)
                # Every way to a state counts, as the backward search may need any of them.
                predecessors[next_state].append(state)
        return predecessors

    def _search_from(self, start: int) -> Distance:
        """Return the distance of a state, found by a search for a shortest plan.

        All states on a shortest plan are on shortest plans themselves, so their distances are
        noted, too.
        """
        task = replace(self._searchable, initial=start)
        try:
            plan = finish(search_cheapest(task, Limits(budget=SEARCH)))
        except BeyondBudgetError:
            return self._lower_bound(start)
        if plan is None:
            return Distance(inf)
        state = start
        for steps_done, action in enumerate(plan):
            self._known[state] = Distance(len(plan) - steps_done)
            state = task.successor(state, action)
        return Distance(len(plan))

    def _lower_bound(self, state: int) -> Distance:
        """Return a lower bound on the distance of a state.

        It is that of landmark cuts, which tasks with rules or conditional effects do not have.
        """
        if holds(self.task.goal, state):
            return Distance(0)
        if self.task.strata or any(action.conditional for action in self._searchable.actions):
            return Distance(1, "at least")
        if self._cuts is None:
            self._cuts = LandmarkCuts(self._searchable, Limits())
        bound = self._cuts.bound(state)
        if bound == inf:
            return Distance(inf)  # a proof that no plan leads from here
        return Distance(bound, "at least")


def _with_agent_first(domain: Domain, agent: str) -> Domain:
    """Return the domain in which a given object is the first argument of every action.

    Actions without arguments are left out, since they have no agent.

    Args:
        domain: The domain.
        agent: Name of the object.
    """
    operators = {}
    for name, operator in domain.operators.items():
        if not operator.parameters:
            continue
        is_agent = Equal(operator.parameters[0], agent)
        precondition = And((is_agent, operator.precondition))
        operators[name] = replace(operator, precondition=precondition)
    return replace(domain, operators=operators)


def goal_of(options: Sequence[Sequence[Formula]]) -> Formula:
    """Return one formula of the alternatives of a goal, each a conjunction."""
    return Or.of([And(tuple(option)) for option in options])
