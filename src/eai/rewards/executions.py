"""Executions of plans for one task, remembered step by step.

In training, almost every step has been taken before: of eleven thousand steps in a batch with 26
answers to each task, 96 % repeat. So an execution is a walk in a graph. Its nodes are situations,
its edges are actions, and an action is worked out in the world only where it is new.

A *situation* is all that further steps and the goal can depend on:

* the state of the world, as its difference from the initial state (:mod:`eai.world.differences`),
  so that two ways to the same state meet;
* how many of the demanded actions were taken, in order;
* the state of the automaton of the goal's formula, if the whole trajectory is evaluated. Where the
  automaton is too large, ways never meet: the situation is the sequence of actions itself.

Equal situations have equal futures, because rules decide by the state and the action alone
(:class:`eai.diagnosis.DomainRules`). Cost: a look-up for each step that is known; a new one costs
what the engine takes. A plan that leaves what is known is executed in one state to its end, which
is changed in place: of the states on the way none is kept. Where one is needed after all, it is the
initial state in which all atoms of the difference are changed.

Memory: at most :data:`MAX_SITUATIONS` in a process, up to three kilobytes each; then everything
is forgotten and found again. The states of the last :data:`MAX_STATES` that were needed are kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final, NamedTuple
from weakref import WeakSet

from eai.diagnosis import DomainRules, GoalTests
from eai.errors import EaiError
from eai.logic import ActionAtom, Atom, Automaton, automaton
from eai.planning import Distance
from eai.rewards.attempts import Attempt
from eai.task import Task
from eai.world import Action, Change, Differences, State, Step, Trajectory, Values, World

MAX_SITUATIONS = 100_000
"""Maximum number of situations that a process remembers, of all tasks."""
MAX_STATES = 4_000
"""Maximum number of situations whose state is kept; that of others is made by its difference.

A state takes 4 to 17 KB. With 1,000 of them new answers to 76 tasks take up to a sixth longer.
"""
MAX_AUTOMATON = 1_000
"""Maximum number of states of a goal's automaton, before minimisation."""

FAILED: Final = -1
"""The action cannot be done, so the plan stops."""
SKIPPED: Final = -2
"""The action cannot be done, but its effects hold: the plan goes on."""
BLOCKED: Final = -3
"""The action cannot be done; whether it is skipped was not asked."""

_Place = tuple[int, int, int]
"""The parts that tell situations apart: the difference of the state, the number of demanded actions
that were taken, and the state of the automaton."""


class Situation:
    """A node of the graph: what was reached by some steps.

    Attributes:
        edges: For the number of an action the situation that it leads to, :data:`FAILED`,
            :data:`SKIPPED` or :data:`BLOCKED`.
        before: The situation before; None at the start. Of several ways it is the one that was
            found first.
        action: Number of the action that led here; -1 at the start.
        difference: The atoms that differ from the initial state, one bit each.
        matched: Number of demanded actions that were taken.
        tracked: State of the goal's automaton before this position.
        letter: The propositions of the automaton that hold here.
        numbers: The values of function terms; None where the domain has no numbers.
        remaining: What :class:`~eai.rewards.progress.Progress` found out about the way from here.
        is_goal: Whether the goal is reached; None if nobody asked.
        attempts: For a number of failed steps, what the answer is worth; None if nobody asked.
        distance: The distance from the goal; None if nobody asked.
    """

    # There are many of them, so nothing here is a container that is not needed: each costs the
    # garbage collector time for as long as it lives.
    __slots__ = (
        "action",
        "attempts",
        "before",
        "difference",
        "distance",
        "edges",
        "is_goal",
        "letter",
        "matched",
        "numbers",
        "remaining",
        "tracked",
    )

    def __init__(
        self,
        before: Situation | None,
        action: int,
        place: _Place,
        letter: int,
        numbers: Values | None,
    ) -> None:
        self.edges: dict[int, Situation | int] = {}
        self.before = before
        self.action = action
        self.difference, self.matched, self.tracked = place
        self.letter = letter
        self.numbers = numbers
        self.remaining: int | None = None
        self.is_goal: bool | None = None
        self.attempts: dict[int, Attempt] | None = None
        self.distance: Distance | None = None


class _Memory:
    """The bound on what the graphs of a process remember together."""

    def __init__(self) -> None:
        self.situations = 0
        self.states: OrderedDict[Situation, State] = OrderedDict()
        self._graphs: WeakSet[Executions] = WeakSet()
        self._lock = Lock()

    def add(self, graph: Executions) -> None:
        """Count what a graph remembers."""
        with self._lock:
            self._graphs.add(graph)

    def keep(self, situation: Situation, state: State) -> None:
        """Keep a state that nobody changes any more, in the place of the oldest one."""
        with self._lock:
            while len(self.states) >= MAX_STATES:
                self.states.popitem(last=False)
            self.states[situation] = state

    def forget(self) -> None:
        """Let every graph begin anew, also those that nobody uses any more."""
        with self._lock:
            self.situations = 0
            self.states = OrderedDict()
            for graph in self._graphs:
                graph.begin()


_MEMORY = _Memory()


class _NumberedAction(NamedTuple):
    """An action of a task.

    Args:
        action: The action, as a plan names it.
        numbers: The numbers of its operator's arguments, the agent's among them.
        letter: The action as a letter of the automaton.
        first_failure: Function of a state and the numbers: the first failing test of the
            precondition, or -1.
    """

    action: Action
    numbers: tuple[int, ...]
    letter: int
    first_failure: Callable[..., int]


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
        self._actions: list[_NumberedAction] = []
        self._number_of: dict[Action, int] = {}
        self._machine = _machine_of(task)
        self._letters = _Letters(self._machine, self._world, task.start)
        # Whether the goal can be told from the place of a situation, not from the way alone.
        self._has_place = self._machine is not None or not _is_path_goal(task)
        # States that differ in numbers only have the same difference, so they are not merged.
        self._merges = self._has_place and task.start.numbers is None
        self._differences = Differences(task.start.begin())
        # Two threads must not give one number to two actions. All else may be worked out twice,
        # with the same result.
        self._numbering = Lock()
        self.begin()
        _MEMORY.add(self)

    def begin(self) -> None:
        """Forget all situations but the start."""
        place = (0, 0, 0)
        initial = self._differences.initial
        self.start = Situation(None, -1, place, self._letters.all(initial), initial.numbers)
        self._situations: dict[_Place, Situation] = {place: self.start}

    def number(self, action: Action) -> int:
        """Return the number of an action, by which edges are labelled.

        Raises:
            UnknownNameError: If the world does not know the action or an object.
            InputError: If the number or a type of the arguments is wrong.
        """
        number = self._number_of.get(action)
        if number is not None:
            return number
        start = self._task.start
        agent = self._task.agent
        numbers = self._world.numbers(start, action.name, action.by(agent))
        letter = self._letters.of_action(action)
        first_failure = self._world.operator(action.name).first_failure
        with self._numbering:
            # Another thread may have numbered it since: two numbers would be two edges.
            number = self._number_of.get(action)
            if number is None:
                number = len(self._actions)
                # Threads read without the lock, so a number is given when its action is there.
                self._actions.append(_NumberedAction(action, numbers, letter, first_failure))
                self._number_of[action] = number
            return number

    def run(self, plan: Sequence[int], situation: Situation | None = None) -> tuple[Situation, int]:
        """Return where a plan leads, and the number of its steps that were not executed.

        Args:
            plan: Numbers of actions.
            situation: Where it begins; the start if None.
        """
        if _MEMORY.situations > MAX_SITUATIONS:
            _MEMORY.forget()
        situation = situation or self.start
        for place, number in enumerate(plan):
            following = situation.edges.get(number)
            if isinstance(following, Situation):
                situation = following
            elif following is None or following == BLOCKED:
                return self._explore(situation, plan[place:])
            elif following == FAILED:
                return situation, len(plan) - place
        return situation, 0

    def follow(self, situation: Situation, number: int) -> Situation | int:
        """Return where a step leads: a situation, :data:`FAILED` or :data:`SKIPPED`."""
        self.run((number,), situation)
        return situation.edges[number]

    def _explore(
        self, situation: Situation, plan: Sequence[int], *, is_trial: bool = False
    ) -> tuple[Situation, int]:
        """Return what :meth:`run` returns, where the first step is new.

        New steps change one state, which is a copy that nobody else has.

        Args:
            situation: Where the plan begins.
            plan: Numbers of actions.
            is_trial: Whether the plan ends with the first step that cannot be done, and it is not
                asked whether the step is skipped.
        """
        own_state: State | None = None
        left = 0
        for place, number in enumerate(plan):
            following = situation.edges.get(number)
            if following is None or (following == BLOCKED and not is_trial):
                state = own_state or self.state(situation)
                taken = self._actions[number]
                if taken.first_failure(state, *taken.numbers) < 0:
                    own_state = own_state or state.copy()
                    following = self._do(situation, number, own_state)
                else:
                    following = BLOCKED if is_trial else self._outcome_of_refused(state, number)
                situation.edges[number] = following
            elif isinstance(following, Situation) and own_state is not None:
                # The step was not done in this state. It leads to what is known, mostly to the end.
                if not is_trial:
                    _MEMORY.keep(situation, own_state)
                own_state = None
            if isinstance(following, Situation):
                situation = following
            elif is_trial or following == FAILED:
                left = len(plan) - place
                break
        if own_state is not None and not (is_trial and left):
            self._note_end(situation, own_state, is_trial=is_trial)
        return situation, left

    def _note_end(self, situation: Situation, state: State, *, is_trial: bool) -> None:
        """Keep the last state of a plan; of a trial keep only whether it fulfils the goal."""
        if not is_trial:
            _MEMORY.keep(situation, state)
        elif situation.is_goal is None:
            situation.is_goal = self._is_goal(situation, state)

    def _outcome_of_refused(self, state: State, number: int) -> int:
        """Return what becomes of an action that cannot be done: it is skipped, or it fails."""
        refused = self._actions[number]
        outcome = self._rules.refused(self._world, state, refused.action.name, refused.numbers)
        return SKIPPED if outcome == "skipped" else FAILED

    def _do(self, before: Situation, number: int, state: State) -> Situation:
        """Do an action that can be done in a state, and return the situation after it."""
        taken = self._actions[number]
        changes = self._world.apply(state, taken.action.name, taken.numbers)
        matched, tracked = self._progress_after(
            number, before.matched, before.tracked, before.letter
        )
        difference = self._differences.after(before.difference, changes)
        place = (difference, matched, tracked)
        known = self._situations.get(place) if self._merges else None
        if known is not None:
            return known
        _MEMORY.situations += 1
        letter = self._letters.after(before.letter, changes, state)
        situation = Situation(before, number, place, letter, state.numbers)
        if self._merges:
            self._situations[place] = situation
        return situation

    def _progress_after(
        self, number: int, matched: int, tracked: int, letter: int
    ) -> tuple[int, int]:
        """Return how many demanded actions are taken after an action, and the automaton's state.

        Args:
            number: Number of the action.
            matched: Number of demanded actions that were taken before.
            tracked: State of the automaton before.
            letter: The propositions that hold before the action.
        """
        taken = self._actions[number]
        if self._goal.actions:
            matched = self._goal.matched_after(matched, taken.action.name)
        if self._machine is not None:
            # The automaton reads what holds before the action, and that it is taken.
            tracked = self._machine.step(tracked, letter | taken.letter)
        return matched, tracked

    def state(self, situation: Situation) -> State:
        """Return the state of a situation; it must not be changed."""
        state = _MEMORY.states.get(situation)
        if state is None:
            state = self._differences.state(situation.difference)
            state.numbers = situation.numbers
            _MEMORY.keep(situation, state)
        return state

    def steps(self, situation: Situation) -> list[Step]:
        """Return steps that lead to a situation."""
        numbers: list[int] = []
        while situation.before is not None:
            numbers.append(situation.action)
            situation = situation.before
        state = self._differences.initial.copy()
        steps = []
        for place, number in enumerate(reversed(numbers), start=1):
            taken = self._actions[number]
            changes = self._world.apply(state, taken.action.name, taken.numbers)
            steps.append(Step(taken.action, place, changes))
        return steps

    def is_goal(self, situation: Situation) -> bool:
        """Return whether everything is so that the goal demands."""
        if situation.is_goal is None:
            situation.is_goal = self._is_goal(situation)
        return situation.is_goal

    def _is_goal(self, situation: Situation, state: State | None = None) -> bool:
        """Return what :meth:`is_goal` returns, worked out anew; the cheap tests come first.

        Args:
            situation: The situation.
            state: Its state, if that is at hand.
        """
        matched, tracked, letter = situation.matched, situation.tracked, situation.letter
        if not self._may_end(matched, tracked, letter):
            return False
        state = state or self.state(situation)
        if not self._goal.holds_at_end(state, matched):
            return False
        if self._has_place:
            return True
        return self._goal.reached(self.steps(situation), state, matched)

    def is_lost(self, situation: Situation) -> bool:
        """Return whether the goal cannot be reached any more, as far as the automaton tells."""
        return self._machine is not None and self._machine.verdict(situation.tracked) is False

    def _may_end(self, matched: int, tracked: int, letter: int) -> bool:
        """Return whether demanded actions and the automaton allow that a plan ends."""
        if matched < len(self._goal.actions):
            return False
        if self._machine is None:
            return True
        return self._machine.step(tracked, letter) in self._machine.accepting

    def reaches_goal(self, situation: Situation, plan: Sequence[int]) -> bool:
        """Return whether the steps of a plan can all be done, and then the goal is reached.

        Args:
            situation: Where the plan begins.
            plan: Numbers of actions.
        """
        for place, number in enumerate(plan):
            following = situation.edges.get(number)
            if following is None:
                end, left = self._explore(situation, plan[place:], is_trial=True)
                return not left and self.is_goal(end)
            if not isinstance(following, Situation):
                return False
            situation = following
        return self.is_goal(situation)


_LetterTest = tuple[int, Callable[[State], bool]]
"""The bit of a proposition, and its test in a state."""


class _Letters:
    """The propositions of an automaton that hold in a state, as bits.

    Args:
        machine: The automaton; None if there is none, and then there are no propositions.
        world: The world.
        start: The initial state.
    """

    def __init__(self, machine: Automaton | None, world: World, start: State) -> None:
        self._machine = machine
        self._tests: list[_LetterTest] = []
        # Names of the actions that the automaton speaks of; mostly there are none.
        self._action_names: set[str] = set()
        # For the predicates that a step changed, as a mask: the tests that may depend on them.
        self._tests_after: dict[int, list[_LetterTest]] = {}
        self._depends: list[int] = []
        for bit, proposition in enumerate(() if machine is None else machine.letters):
            if isinstance(proposition, ActionAtom):
                self._action_names.add(proposition.action)
            if isinstance(proposition, Atom):
                self._tests.append((1 << bit, world.test_of(proposition, start.universe)))
                # -1, which is every predicate, if it may depend on anything, also on numbers.
                self._depends.append(world.depends(world.layout.index[proposition.predicate]))

    def of_action(self, action: Action) -> int:
        """Return the propositions that hold where an action is taken, beside those of the state."""
        if self._machine is None or action.name not in self._action_names:
            return 0
        return self._machine.letter([ActionAtom(action.name, action.arguments)])

    def all(self, state: State) -> int:
        """Return the propositions that hold in a state."""
        return sum(bit for bit, test in self._tests if test(state))

    def after(self, before: int, changes: Sequence[Change], state: State) -> int:
        """Return the propositions that hold in a state.

        Args:
            before: Those that held in the state before it.
            changes: The changes that led from there to the state.
            state: The state.
        """
        if not self._tests:
            return 0
        changed = 0
        for change in changes:
            changed |= 1 << change[0]
        tests = self._tests_after.get(changed)
        if tests is None:
            tests = self._tests_that_depend_on(changed)
            self._tests_after[changed] = tests
        letter = before
        for bit, test in tests:
            if test(state):
                letter |= bit
            else:
                letter &= ~bit
        return letter

    def _tests_that_depend_on(self, changed: int) -> list[_LetterTest]:
        """Return the tests of propositions that may depend on some predicates, or on anything."""
        tests = []
        for test, depends in zip(self._tests, self._depends, strict=True):
            if depends < 0 or depends & changed:
                tests.append(test)
        return tests


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
