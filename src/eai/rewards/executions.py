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
is forgotten and found again. A state is kept when it is needed again after the answer that led to
it, up to :data:`MAX_STATES` of them.
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

A state takes 4 to 17 KB.
"""
MAX_AUTOMATON = 1_000
"""Maximum number of states of a goal's automaton, before minimisation."""

FAILED: Final = "failed"
"""The action cannot be done, so the plan stops."""
SKIPPED: Final = "skipped"
"""The action cannot be done, but its effects hold: the plan goes on."""
BLOCKED: Final = "blocked"
"""The action cannot be done; whether it is skipped was not asked."""

_SituationKey = tuple[int, int, int]
"""The parts that tell situations apart: the difference of the state, the number of demanded actions
that were taken, and the state of the automaton."""


class Situation:
    """A node of the graph: what was reached by some steps.

    Attributes:
        edges: For the number of an action the situation that it leads to, :data:`FAILED`,
            :data:`SKIPPED` or :data:`BLOCKED`.
        predecessor: The situation before the last step, on the way that was found first; None at
            the start.
        action: Number of the action that led here; -1 at the start.
        difference: The atoms that differ from the initial state, one bit each.
        matched_count: Number of demanded actions that were taken.
        automaton_state: State of the goal's automaton before this position.
        propositions: The propositions of the automaton that hold here, as a mask.
        numeric_values: The values of function terms; None where the domain has no numbers.
        remaining: Least number of last steps of a reference plan that lead from here to the goal;
            -1 if no end of one does; None if nobody asked.
        is_goal: Whether the goal is reached; None if nobody asked.
        attempts: For a number of failed steps, what the answer is worth; None if nobody asked.
        distance: The distance from the goal; None if nobody asked.
    """

    # There are many of them, so nothing here is a container that is not needed: each costs the
    # garbage collector time for as long as it lives.
    __slots__ = (
        "action",
        "attempts",
        "automaton_state",
        "difference",
        "distance",
        "edges",
        "is_goal",
        "matched_count",
        "numeric_values",
        "predecessor",
        "propositions",
        "remaining",
    )

    def __init__(
        self,
        predecessor: Situation | None,
        action: int,
        key: _SituationKey,
        propositions: int,
        numeric_values: Values | None,
    ) -> None:
        """Begin without outgoing edges; ``key`` is split into its three parts."""
        self.edges: dict[int, Situation | str] = {}
        self.predecessor = predecessor
        self.action = action
        self.difference, self.matched_count, self.automaton_state = key
        self.propositions = propositions
        self.numeric_values = numeric_values
        self.remaining: int | None = None
        self.is_goal: bool | None = None
        self.attempts: dict[int, Attempt] | None = None
        self.distance: Distance | None = None


class _Memory:
    """The bound on what the graphs of a process remember together."""

    def __init__(self) -> None:
        """Begin with no graph; situations are counted over all graphs that are added."""
        self.situations = 0
        self.states: OrderedDict[Situation, State] = OrderedDict()
        # Where the plan that was run last ended: the same answer is measured next.
        self.last_end: tuple[Situation, State] | None = None
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
            self.last_end = None
            for graph in self._graphs:
                graph.reset()


_MEMORY = _Memory()


class _Operator(NamedTuple):
    """The precondition of an operator.

    Args:
        first_failure: Function of a state and the numbers of arguments: the first failing test, or
            -1.
        static_tests: The numbers of the tests whose truth no action changes.
    """

    first_failure: Callable[..., int]
    static_tests: frozenset[int]


class _NumberedAction(NamedTuple):
    """An action of a task.

    Args:
        action: The action, as a plan names it.
        argument_ids: The numbers of its operator's arguments, the agent's among them.
        propositions: The propositions of the automaton that hold because the action is taken.
        operator: The operator.
    """

    action: Action
    argument_ids: tuple[int, ...]
    propositions: int
    operator: _Operator


class Executions:
    """The graph of all executions of one task that were asked for.

    Args:
        task: The task.
        goal: The tests of its goal.
    """

    def __init__(self, task: Task, goal: GoalTests) -> None:
        """Build the goal's automaton, if it needs one, and a graph with the start alone."""
        self._task = task
        self._world = task.world
        self._rules = DomainRules(described=False, skip=task.skips)
        self._goal = goal
        self._actions: list[_NumberedAction] = []
        self._id_of: dict[Action, int] = {}
        self._operators: dict[str, _Operator] = {}
        self._automaton = _goal_automaton(task)
        self._propositions = _PropositionTests(self._automaton, self._world, task.start)
        # Whether situations with equal keys have reached the goal equally, whatever their paths.
        self._key_decides_goal = self._automaton is not None or not _is_path_goal(task)
        # States that differ in numbers only have the same difference, so they are not merged.
        self._merges_situations = self._key_decides_goal and task.start.numbers is None
        self._differences = Differences(task.start.begin())
        # Two threads must not give one number to two actions. All else may be worked out twice,
        # with the same result.
        self._numbering = Lock()
        self.reset()
        _MEMORY.add(self)

    def reset(self) -> None:
        """Forget all situations but the start."""
        key = (0, 0, 0)
        initial = self._differences.initial
        propositions = self._propositions.holding_in(initial)
        self.start = Situation(None, -1, key, propositions, initial.numbers)
        self._situations: dict[_SituationKey, Situation] = {key: self.start}

    def action_id(self, action: Action) -> int:
        """Return the number of an action, which labels edges; a new action gets the next one.

        Raises:
            UnknownNameError: If the world does not know the action or an object.
            InputError: If the number or a type of the arguments is wrong.
        """
        action_id = self._id_of.get(action)
        if action_id is not None:
            return action_id
        start = self._task.start
        agent = self._task.agent
        argument_ids = self._world.numbers(start, action.name, action.by(agent))
        numbered_action = _NumberedAction(
            action,
            argument_ids,
            self._propositions.of_action(action),
            self._operators.get(action.name) or self._prepare_operator(action.name),
        )
        with self._numbering:
            # Another thread may have numbered it since: two numbers would be two edges.
            action_id = self._id_of.get(action)
            if action_id is None:
                action_id = len(self._actions)
                # Threads read without the lock, so a number is given when its action is there.
                self._actions.append(numbered_action)
                self._id_of[action] = action_id
            return action_id

    def _prepare_operator(self, name: str) -> _Operator:
        """Return the precondition of an operator, and remember it."""
        compiled = self._world.operator(name)
        static_tests = set[int]()
        for number, test in enumerate(compiled.tests):
            if self._world.domain.is_static(test):
                static_tests.add(number)
        operator = _Operator(compiled.first_failure, frozenset(static_tests))
        self._operators[name] = operator
        return operator

    def run(self, plan: Sequence[int], situation: Situation | None = None) -> tuple[Situation, int]:
        """Return where a plan leads, and the number of its steps that were not executed.

        Args:
            plan: Numbers of actions.
            situation: The situation where it begins; the start if None.

        Returns:
            The last situation, and the number of steps from the first failed one on.
        """
        if _MEMORY.situations > MAX_SITUATIONS:
            _MEMORY.forget()
        situation = situation or self.start
        for step_index, action_id in enumerate(plan):
            successor = situation.edges.get(action_id)
            if isinstance(successor, Situation):
                situation = successor
            elif successor is None or successor == BLOCKED:
                return self._run_new_steps(situation, plan[step_index:])
            elif successor == FAILED:
                return situation, len(plan) - step_index
        return situation, 0

    def follow(self, situation: Situation, action_id: int) -> Situation | str:
        """Return where a step leads: a situation, :data:`FAILED` or :data:`SKIPPED`."""
        self.run((action_id,), situation)
        return situation.edges[action_id]

    def _run_new_steps(
        self, situation: Situation, plan: Sequence[int], *, is_trial: bool = False
    ) -> tuple[Situation, int]:
        """Run a plan from its first step without an edge on, and add the new edges to the graph.

        New steps change one state, which is a copy that nobody else has.

        Args:
            situation: The situation where the plan begins.
            plan: Numbers of actions.
            is_trial: Whether a plan ends with the first action that is not applicable, so that
                it is not decided whether that action is skipped or fails.

        Returns:
            The last situation, and the number of steps that were not executed.
        """
        own_state: State | None = None
        steps_left = 0
        for step_index, action_id in enumerate(plan):
            successor = situation.edges.get(action_id)
            if successor is None or (successor == BLOCKED and not is_trial):
                state = own_state or self.state_of(situation)
                ground_action = self._actions[action_id]
                operator = ground_action.operator
                failed_test = operator.first_failure(state, *ground_action.argument_ids)
                if failed_test < 0:
                    own_state = own_state or state.copy()
                    successor = self._execute_action(situation, action_id, own_state)
                elif failed_test in operator.static_tests:
                    successor = FAILED  # nothing helps, not even effects that hold already
                elif is_trial:
                    successor = BLOCKED
                else:
                    successor = self._outcome_of_inapplicable(state, action_id)
                situation.edges[action_id] = successor
            elif isinstance(successor, Situation) and own_state is not None:
                # The step was not done in this state. It leads to what is known, mostly to the end.
                own_state = None
            if isinstance(successor, Situation):
                situation = successor
            elif is_trial or successor == FAILED:
                steps_left = len(plan) - step_index
                break
        if own_state is not None and not (is_trial and steps_left):
            self._remember_end(situation, own_state, is_trial=is_trial)
        return situation, steps_left

    def _remember_end(self, situation: Situation, state: State, *, is_trial: bool) -> None:
        """Have the last state of a plan at hand; of a trial only whether it fulfils the goal."""
        if not is_trial:
            _MEMORY.last_end = situation, state
        elif situation.is_goal is None:
            situation.is_goal = self._check_goal(situation, state)

    def _outcome_of_inapplicable(self, state: State, action_id: int) -> str:
        """Return :data:`SKIPPED` or :data:`FAILED` for an action that is not applicable."""
        ground_action = self._actions[action_id]
        outcome = self._rules.refused(
            self._world, state, ground_action.action.name, ground_action.argument_ids
        )
        return SKIPPED if outcome == "skipped" else FAILED

    def _execute_action(self, before: Situation, action_id: int, state: State) -> Situation:
        """Execute an applicable action and return the situation after it.

        Args:
            before: The situation before the action.
            action_id: Number of the action.
            state: The state of ``before``; it becomes the state after the action.
        """
        ground_action = self._actions[action_id]
        changes = self._world.apply(state, ground_action.action.name, ground_action.argument_ids)
        matched_count, automaton_state = self._advance_goal(
            action_id, before.matched_count, before.automaton_state, before.propositions
        )
        difference = self._differences.after(before.difference, changes)
        key = (difference, matched_count, automaton_state)
        known_situation = self._situations.get(key) if self._merges_situations else None
        if known_situation is not None:
            return known_situation
        _MEMORY.situations += 1
        propositions = self._propositions.holding_after(before.propositions, changes, state)
        situation = Situation(before, action_id, key, propositions, state.numbers)
        if self._merges_situations:
            self._situations[key] = situation
        return situation

    def _advance_goal(
        self, action_id: int, matched_count: int, automaton_state: int, propositions: int
    ) -> tuple[int, int]:
        """Return the number of demanded actions taken and the automaton's state after an action.

        Args:
            action_id: Number of the action.
            matched_count: Number of demanded actions that were taken before.
            automaton_state: State of the automaton before.
            propositions: The propositions that hold before the action.
        """
        ground_action = self._actions[action_id]
        if self._goal.actions:
            matched_count = self._goal.matched_after(matched_count, ground_action.action.name)
        if self._automaton is not None:
            # The automaton reads what holds before the action, and that it is taken.
            automaton_state = self._automaton.step(
                automaton_state, propositions | ground_action.propositions
            )
        return matched_count, automaton_state

    def state_of(self, situation: Situation) -> State:
        """Return the state of a situation; it must not be changed."""
        if situation is self.start:
            return self._differences.initial
        state = _MEMORY.states.get(situation)
        if state is not None:
            return state
        last_end = _MEMORY.last_end
        if last_end is not None and last_end[0] is situation:
            return last_end[1]
        state = self._differences.state(situation.difference)
        state.numbers = situation.numeric_values
        _MEMORY.keep(situation, state)
        return state

    def steps_to(self, situation: Situation) -> list[Step]:
        """Return the steps of the path to a situation that was found first."""
        action_ids: list[int] = []
        while situation.predecessor is not None:
            action_ids.append(situation.action)
            situation = situation.predecessor
        state = self._differences.initial.copy()
        steps = []
        for step_number, action_id in enumerate(reversed(action_ids), start=1):
            ground_action = self._actions[action_id]
            changes = self._world.apply(
                state, ground_action.action.name, ground_action.argument_ids
            )
            steps.append(Step(ground_action.action, step_number, changes))
        return steps

    def is_goal(self, situation: Situation) -> bool:
        """Return whether a plan that ends in a situation reaches the goal."""
        if situation.is_goal is None:
            situation.is_goal = self._check_goal(situation)
        return situation.is_goal

    def _check_goal(self, situation: Situation, state: State | None = None) -> bool:
        """Test whether a plan that ends in a situation reaches the goal; cheap tests come first.

        Args:
            situation: The situation.
            state: Its state, if that is at hand.
        """
        matched_count = situation.matched_count
        automaton_state = situation.automaton_state
        if not self._allows_end(matched_count, automaton_state, situation.propositions):
            return False
        state = state or self.state_of(situation)
        if not self._goal.holds_at_end(state, matched_count):
            return False
        if self._key_decides_goal:
            return True
        return self._goal.reached(self.steps_to(situation), state, matched_count)

    def is_lost(self, situation: Situation) -> bool:
        """Return whether the goal cannot be reached any more, as far as the automaton tells."""
        return (
            self._automaton is not None
            and self._automaton.verdict(situation.automaton_state) is False
        )

    def _allows_end(self, matched_count: int, automaton_state: int, propositions: int) -> bool:
        """Return whether demanded actions and the automaton allow that a plan ends."""
        if matched_count < len(self._goal.actions):
            return False
        if self._automaton is None:
            return True
        return self._automaton.step(automaton_state, propositions) in self._automaton.accepting

    def reaches_goal(self, situation: Situation, plan: Sequence[int]) -> bool:
        """Return whether all steps of a plan are applicable and the plan reaches the goal.

        Args:
            situation: The situation where the plan begins.
            plan: Numbers of actions.
        """
        for step_index, action_id in enumerate(plan):
            successor = situation.edges.get(action_id)
            if successor is None:
                end, steps_left = self._run_new_steps(situation, plan[step_index:], is_trial=True)
                return not steps_left and self.is_goal(end)
            if not isinstance(successor, Situation):
                return False
            situation = successor
        return self.is_goal(situation)


_PropositionTest = tuple[int, Callable[[State], bool]]
"""The bit of a proposition, and its test in a state."""

_Line = tuple[int, int, object]
"""A row or column of a relation: predicate, direction and the fixed argument, as in a change."""


class _PropositionTests:
    """Tests of an automaton's propositions; those that hold are returned as a mask of bits.

    Args:
        goal_automaton: The automaton; None if there is none, and then there are no propositions.
        world: The world.
        start: The initial state.
    """

    def __init__(self, goal_automaton: Automaton | None, world: World, start: State) -> None:
        """Compile a test for each proposition about states."""
        self._automaton = goal_automaton
        self._tests: list[_PropositionTest] = []
        # Names of the actions that the automaton speaks of; mostly there are none.
        self._action_names: set[str] = set()
        # Stored atoms by the lines of the state in which they are: the open argument of each as a
        # mask, and its bit. A change of such a line tells of them without a test.
        self._stored: dict[_Line, list[tuple[int, int]]] = {}
        # Tests of derived atoms, each with the predicates on which it depends.
        self._derived: list[tuple[_PropositionTest, int]] = []
        # For the predicates that a step changed, as a mask: the tests that may depend on them.
        self._tests_for_changes: dict[int, list[_PropositionTest]] = {}
        for index, proposition in enumerate(
            () if goal_automaton is None else goal_automaton.letters
        ):
            if isinstance(proposition, ActionAtom):
                self._action_names.add(proposition.action)
            if isinstance(proposition, Atom):
                self._add_atom(1 << index, proposition, world, start)

    def _add_atom(self, bit: int, atom: Atom, world: World, start: State) -> None:
        """Add the proposition that an atom holds."""
        test = world.test_of(atom, start.universe)
        self._tests.append((bit, test))
        predicate = world.layout.index[atom.predicate]
        if atom.predicate in world.derived:
            # -1, which is every predicate, if it may depend on anything, also on numbers.
            self._derived.append(((bit, test), world.depends(predicate)))
            return
        arguments = [start.universe.number(str(term)) for term in atom.terms]
        for line, mask in _lines_of_atom(predicate, arguments):
            self._stored.setdefault(line, []).append((mask, bit))

    def of_action(self, action: Action) -> int:
        """Return the propositions that hold because an action is taken, whatever the state."""
        if self._automaton is None or action.name not in self._action_names:
            return 0
        return self._automaton.letter([ActionAtom(action.name, action.arguments)])

    def holding_in(self, state: State) -> int:
        """Return the propositions that hold in a state."""
        return sum(bit for bit, test in self._tests if test(state))

    def holding_after(
        self, propositions_before: int, changes: Sequence[Change], state: State
    ) -> int:
        """Return the propositions that hold after changes; only changed atoms are looked at.

        Args:
            propositions_before: The propositions that held in the state before the changes.
            changes: The changes.
            state: The state after the changes.
        """
        propositions = propositions_before
        changed_predicates = 0
        for predicate, column, fixed, changed_mask, value in changes:
            changed_predicates |= 1 << predicate
            for mask, bit in self._stored.get((predicate, column, fixed), ()):
                if not changed_mask & mask:
                    continue
                if value:
                    propositions |= bit
                else:
                    propositions &= ~bit
        # A derived proposition may change with any fact that its rules read, so it is tested again.
        if not self._derived:
            return propositions
        tests = self._tests_for_changes.get(changed_predicates)
        if tests is None:
            tests = self._tests_that_depend_on(changed_predicates)
            self._tests_for_changes[changed_predicates] = tests
        for bit, test in tests:
            if test(state):
                propositions |= bit
            else:
                propositions &= ~bit
        return propositions

    def _tests_that_depend_on(self, changed: int) -> list[_PropositionTest]:
        """Return the tests of propositions that may depend on some predicates, or on anything."""
        tests = []
        for test, depends in self._derived:
            if depends < 0 or depends & changed:
                tests.append(test)
        return tests


def _lines_of_atom(predicate: int, arguments: Sequence[int]) -> list[tuple[_Line, int]]:
    """Return the lines of a state in which an atom is, each with its open argument as a mask.

    Args:
        predicate: The number of its predicate.
        arguments: The numbers of its objects.
    """
    if not arguments:
        return [((predicate, 0, None), 1)]
    if len(arguments) == 1:
        return [((predicate, 0, None), 1 << arguments[0])]
    if len(arguments) == 2:
        first, second = arguments
        return [((predicate, 0, first), 1 << second), ((predicate, 1, second), 1 << first)]
    return [((predicate, 0, tuple(arguments[:-1])), 1 << arguments[-1])]


def _is_path_goal(task: Task) -> bool:
    """Return whether the whole trajectory decides on a task."""
    return task.goal.whole and task.goal.formula is not None


def _goal_automaton(task: Task) -> Automaton | None:
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
