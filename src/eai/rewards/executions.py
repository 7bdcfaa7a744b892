"""Executions of plans for one task, remembered step by step.

In training, almost every step has been taken before: of eleven thousand steps in a batch with 26
answers to each task, 96 % repeat. So an execution is a walk in a graph. Its nodes are situations,
its edges are actions, and an action is worked out in the world only where it is new.

A *situation* is all that further steps and the goal can depend on:

* the state of the world, as what differs from the initial state: one integer with a bit for each
  atom that a step changed, so that two ways to the same state meet;
* how many of the demanded actions were taken, in order;
* the state of the automaton of the goal's formula, if the whole trajectory is evaluated. Where the
  automaton is too large, ways never meet: the situation is the sequence of actions itself.

Equal situations have equal futures, because rules decide by the state and the action alone
(:class:`eai.diagnosis.DomainRules`). Cost: a look-up for each step that is known; a new one costs
what the engine takes. Memory: at most :data:`MAX_SITUATIONS` in a process, two to three kilobytes
each, and :data:`MAX_STATES` states; then everything is forgotten and found again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final
from weakref import WeakSet

from eai.diagnosis import DomainRules, GoalTests
from eai.errors import EaiError
from eai.logic import ActionAtom, Atom, Automaton, Evaluation, automaton
from eai.planning import Distance
from eai.rewards.attempts import Attempt
from eai.task import Task
from eai.world import Action, Change, State, Step, Trajectory

MAX_SITUATIONS = 100_000
"""Maximum number of situations that a process remembers, of all tasks."""
MAX_STATES = 4_000
"""Maximum number of situations whose state is kept; that of others is found by replaying."""
MAX_AUTOMATON = 1_000
"""Maximum number of states of a goal's automaton, before minimisation."""

FAILED: Final = -1
"""The action cannot be done, so the plan stops."""
SKIPPED: Final = -2
"""The action cannot be done, but its effects hold: the plan goes on."""
BLOCKED: Final = -3
"""The action cannot be done; whether it is skipped was not asked."""


class Situation:
    """A node of the graph: what was reached by some steps.

    Attributes:
        edges: For the number of an action the situation that it leads to, :data:`FAILED`,
            :data:`SKIPPED` or :data:`BLOCKED`.
        came_from: The situation before, the action that led here, and what it changed; None at
            the start. Of several ways it is the one that was found first.
        difference: The atoms that differ from the initial state, one bit each.
        matched: Number of demanded actions that were taken.
        tracked: State of the goal's automaton before this position.
        letter: The propositions of the automaton that hold here; None if nobody asked.
        remaining: What :class:`~eai.rewards.progress.Progress` found out about the way from here.
        is_goal: Whether the goal is reached; None if nobody asked.
        attempts: For a number of failed steps, what the answer is worth; None if nobody asked.
        distance: The distance from the goal; None if nobody asked.
    """

    __slots__ = (
        "attempts",
        "came_from",
        "difference",
        "distance",
        "edges",
        "is_goal",
        "letter",
        "matched",
        "remaining",
        "tracked",
    )

    def __init__(
        self,
        came_from: tuple[Situation, Action, list[Change]] | None,
        key: tuple[int, int, int],
    ) -> None:
        self.edges: dict[int, Situation | int] = {}
        self.came_from = came_from
        self.difference, self.matched, self.tracked = key
        self.letter: int | None = None
        self.remaining: int | None = None
        self.is_goal: bool | None = None
        self.attempts: dict[int, Attempt] | None = None
        self.distance: Distance | None = None


class _Memory:
    """The bound on what the graphs of a process remember together."""

    def __init__(self) -> None:
        self.situations = 0
        self.states: dict[Situation, State] = {}
        self._graphs: WeakSet[Executions] = WeakSet()
        self._lock = Lock()

    def add(self, graph: Executions) -> None:
        """Count what a graph remembers."""
        with self._lock:
            self._graphs.add(graph)

    def forget(self) -> None:
        """Let every graph begin anew, also those that nobody uses any more."""
        with self._lock:
            self.situations = 0
            self.states = {}
            for graph in self._graphs:
                graph.begin()


_MEMORY = _Memory()


class Executions:
    """The graph of all executions of one task that were asked for.

    Args:
        task: The task.
        goal: The tests of its goal.
    """

    def __init__(self, task: Task, goal: GoalTests) -> None:
        self._task = task
        self._world = task.world
        self._rules = DomainRules(described=False, skip=task.skips)
        self._goal = goal
        # Actions with the numbers of their arguments, and as letters of the automaton.
        self._actions: list[tuple[Action, tuple[int, ...], int]] = []
        self._number_of: dict[Action, int] = {}
        self._machine = _machine_of(task)
        self._merges = self._machine is not None or not _is_path_goal(task)
        self._letters: list[tuple[int, Callable[[State], bool]]] = []
        if self._machine is not None:
            universe = task.start.universe
            for bit, proposition in enumerate(self._machine.letters):
                if isinstance(proposition, Atom):
                    test = self._world.test_of(proposition, universe)
                    self._letters.append((1 << bit, test))
        self._bits: dict[tuple[int, int, object], int] = {}
        # Two threads must not give one number to two actions, nor one bit to two atoms. All else
        # may be worked out twice, with the same result.
        self._numbering = Lock()
        self.begin()
        _MEMORY.add(self)

    def begin(self) -> None:
        """Forget all situations but the start."""
        self.start = Situation(None, (0, 0, 0))
        self._situations: dict[tuple[int, int, int], Situation] = {(0, 0, 0): self.start}
        self._initial = self._task.start.begin()

    def number(self, action: Action) -> int:
        """Return the number of an action, by which edges are labelled.

        Raises:
            UnknownNameError: If the world does not know the action or an object.
            InputError: If the number or a type of the arguments is wrong.
        """
        number = self._number_of.get(action)
        if number is not None:
            return number
        start, agent = self._task.start, self._task.agent
        numbers = self._world.numbers(start, action.name, action.by(agent))
        letter = 0
        if self._machine is not None:
            letter = self._machine.letter([ActionAtom(action.name, action.arguments)])
        with self._numbering:
            if action not in self._number_of:
                self._actions.append((action, numbers, letter))
                self._number_of[action] = len(self._actions) - 1
            return self._number_of[action]

    def run(self, plan: Sequence[int]) -> tuple[Situation, int]:
        """Return where a plan leads, and the number of its steps that were not executed.

        Args:
            plan: Numbers of actions.
        """
        if _MEMORY.situations > MAX_SITUATIONS:
            _MEMORY.forget()
        situation = self.start
        for place, number in enumerate(plan):
            following = situation.edges.get(number)
            if following is None or following == BLOCKED:
                following = self._take(situation, number)
            if isinstance(following, Situation):
                situation = following
            elif following == FAILED:
                return situation, len(plan) - place
        return situation, 0

    def follow(self, situation: Situation, number: int) -> Situation | int:
        """Return where a step leads: a situation, :data:`FAILED` or :data:`SKIPPED`."""
        if _MEMORY.situations > MAX_SITUATIONS:
            _MEMORY.forget()
        following = situation.edges.get(number)
        if following is None or following == BLOCKED:
            following = self._take(situation, number)
        return following

    def done(self, situation: Situation, number: int) -> Situation | None:
        """Return the situation after an action; None if it cannot be done."""
        following = situation.edges.get(number)
        if following is None:
            action, numbers, _ = self._actions[number]
            state = self.state(situation)
            following = BLOCKED  # why it cannot be done costs more, and is seldom asked
            if self._world.first_failure(state, action.name, numbers) < 0:
                following = self._do(situation, number, state)
            situation.edges[number] = following
        return following if isinstance(following, Situation) else None

    def _take(self, situation: Situation, number: int) -> Situation | int:
        """Return where an action leads from a situation, :data:`FAILED` or :data:`SKIPPED`."""
        action, numbers, _ = self._actions[number]
        state = self.state(situation)
        outcome = self._rules.outcome(self._world, state, action.name, numbers)
        following: Situation | int = FAILED
        if outcome == "skipped":
            following = SKIPPED
        elif outcome == "done":
            following = self._do(situation, number, state)
        situation.edges[number] = following
        return following

    def _do(self, before: Situation, number: int, state: State) -> Situation:
        """Return the situation after an action that can be done in a state."""
        action, numbers, _ = self._actions[number]
        state = state.copy()
        changes = self._world.apply(state, action.name, numbers)
        following = self._entered(before, number, changes)
        self._keep(following, state)
        return following

    def _entered(self, before: Situation, number: int, changes: list[Change]) -> Situation:
        """Return the situation after a step that was done."""
        action, _, letter = self._actions[number]
        difference = before.difference
        for predicate, column, fixed, mask, _ in changes:
            # Of each row or column of a relation the bits stand side by side. An atom that was
            # changed by its row and then by its column has two bits: the same state may be
            # two situations, never the other way round.
            line = (predicate, column, fixed)
            first = self._bits.get(line)
            if first is None:
                with self._numbering:
                    first = self._bits.setdefault(line, len(self._bits) * self._width)
            difference ^= mask << first
        matched, tracked = before.matched, 0
        if self._goal.actions:
            matched = self._goal.matched((Step(action, 1, changes),), matched)
        if self._machine is not None:
            # The automaton reads what holds before the action, and that it is taken.
            tracked = self._machine.step(before.tracked, self._letter(before) | letter)
        key = (difference, matched, tracked)
        # The key says nothing about numbers, so states that differ in them only are not merged.
        merges = self._merges and self._task.start.numbers is None
        known = self._situations.get(key) if merges else None
        if known is not None:
            return known
        _MEMORY.situations += 1
        situation = Situation((before, action, changes), key)
        if merges:
            self._situations[key] = situation
        return situation

    @property
    def _width(self) -> int:
        # An atom without arguments takes one bit, also where there are no objects at all.
        return max(1, len(self._task.start.universe))

    def state(self, situation: Situation) -> State:
        """Return the state of a situation; it must not be changed."""
        states = _MEMORY.states
        at, missing = situation, list[list[Change]]()
        while at not in states and at.came_from is not None:
            at, _, changes = at.came_from
            missing.append(changes)
        state = states.get(at, self._initial)
        if missing:
            state = state.copy()
            for changes in reversed(missing):
                state.apply(changes)
            self._keep(situation, state)
        return state

    def _keep(self, situation: Situation, state: State) -> None:
        if len(_MEMORY.states) >= MAX_STATES:
            _MEMORY.states = {}
        _MEMORY.states.setdefault(situation, state)

    def steps(self, situation: Situation) -> list[Step]:
        """Return steps that lead to a situation."""
        done: list[tuple[Action, list[Change]]] = []
        while situation.came_from is not None:
            situation, action, changes = situation.came_from
            done.append((action, changes))
        pairs = enumerate(reversed(done), start=1)
        return [Step(action, number, changes) for number, (action, changes) in pairs]

    def is_goal(self, situation: Situation) -> bool:
        """Return whether everything is so that the goal demands."""
        if situation.is_goal is None:
            situation.is_goal = self._is_goal(situation)
        return situation.is_goal

    def _is_goal(self, situation: Situation) -> bool:
        state = self.state(situation)
        if not self._goal.holds_at_end(state, situation.matched):
            return False
        if self._machine is not None:
            end = self._machine.step(situation.tracked, self._letter(situation))
            return end in self._machine.accepting
        formula = self._task.goal.formula
        if self._merges or formula is None:
            return True
        trajectory = Trajectory(self._world, self._task.start, self.steps(situation), state)
        return Evaluation(trajectory).verdict(formula).holds

    def _letter(self, situation: Situation) -> int:
        """Return the propositions of the automaton that hold in a situation, as bits."""
        if situation.letter is None:
            state = self.state(situation)
            situation.letter = sum(bit for bit, test in self._letters if test(state))
        return situation.letter


def _is_path_goal(task: Task) -> bool:
    """Return whether the whole trajectory decides on a task."""
    return task.goal.whole and task.goal.formula is not None


def _machine_of(task: Task) -> Automaton | None:
    """Return the automaton of a goal; None if only the end counts.

    Also None if the automaton is too large, or if the goal compares numbers.
    """
    if not _is_path_goal(task) or task.goal.formula is None:
        return None
    objects = Trajectory(task.world, task.start, ()).objects
    try:
        return automaton(task.goal.formula, objects=objects, limit=MAX_AUTOMATON)
    except EaiError:
        return None
