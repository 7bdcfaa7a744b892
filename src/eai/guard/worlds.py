"""The world in which a guard tries actions out before they are done."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from eai.budget import BeyondBudgetError, Budget
from eai.errors import InputError
from eai.guard.decisions import PRECONDITION, UNKNOWN, Call, Decision
from eai.guard.monitors import ObjectMonitor
from eai.logic import ActionAtom, Atom, LogicVocabulary
from eai.pddl import Domain, Problem, format_condition
from eai.planning import applicable
from eai.world import Action, State, World

ReportedFacts = Iterable[tuple[tuple[str, tuple[str, ...]], bool]]
"""Facts that were observed, with whether they hold: ``(("open", ("door",)), True)``."""


class GuardWorld:
    """A world with its current state.

    Args:
        world: The world.
        start: The first state.
        names: The names that rules may use.
        agent: The object that acts; empty if plans name all arguments.
        search_states: Maximum number of states that a search looks at.
    """

    def __init__(
        self, world: World, start: State, names: LogicVocabulary, agent: str, search_states: int
    ) -> None:
        """Set the current state to a copy of the first one."""
        self.world = world
        self.start = start
        self.state = start.copy()
        self.names = names
        self.agent = agent
        self.search_states = search_states

    @classmethod
    def of_problem(cls, domain: Domain, problem: Problem, search_states: int) -> GuardWorld:
        """Return the world of a PDDL problem."""
        world = World(domain)
        start = world.state({**domain.constants, **problem.objects}, problem.initial)
        universe = start.universe
        names = LogicVocabulary(
            {name: predicate.arity for name, predicate in domain.predicates.items()},
            {name: len(operator.parameters) for name, operator in domain.operators.items()},
            universe.objects,
            {"object": "object", **domain.types},
        )
        return cls(world, start, names, "", search_states)

    def holds_in(self, state: State) -> Callable[[Atom], bool]:
        """Return a cached function for the truth of atoms in a state."""
        cache: dict[Atom, bool] = {}

        def holds(atom: Atom) -> bool:
            if atom not in cache:
                cache[atom] = self.world.holds(state, atom)
            return cache[atom]

        return holds

    def _arguments(self, call: Call) -> tuple[str, ...]:
        """Return the operator's arguments for a call, with the agent in front if there is one."""
        arguments = tuple(map(str, call.arguments))
        if self.agent:
            return self.agent, *arguments
        return arguments

    def _as_rule_atom(self, action: Action) -> ActionAtom:
        """Return an action as a proposition in rules, without the agent."""
        arguments = action.arguments
        if self.agent:
            arguments = arguments[1:]
        return ActionAtom(action.name, arguments)

    def refusal_of(self, call: Call) -> Decision | None:
        """Return the refusal of an unknown or inapplicable action, or None."""
        arguments = self._arguments(call)
        try:
            object_numbers = self.world.numbers(self.state, call.name, arguments)
        except InputError as error:
            return Decision(False, UNKNOWN, reason=error.what, remedy="use the world's names")
        failed_test = self.world.first_failure(self.state, call.name, object_numbers)
        if failed_test < 0:
            return None
        condition = format_condition(self.world.test(call.name, failed_test, arguments))
        reason = f"{call} needs {condition}"
        return Decision(False, PRECONDITION, reason=reason, remedy=f"first make true: {condition}")

    def state_after(self, call: Call) -> State:
        """Return the state after an action that can be done."""
        return self._apply(self.state, call.name, self._arguments(call))

    def _apply(self, state: State, name: str, arguments: tuple[str, ...]) -> State:
        """Return the state after applying an operator to a state."""
        object_numbers = self.world.numbers(state, name, arguments)
        new_state = state.copy()
        self.world.apply(new_state, name, object_numbers)
        return new_state

    def advance(self, call: Call) -> None:
        """Apply an action to the current state; an inapplicable one changes nothing."""
        if self.refusal_of(call) is None:
            self.state = self.state_after(call)

    def learn(self, told: ReportedFacts, *, is_whole: bool) -> None:
        """Correct the current state by observed facts.

        Args:
            told: Pairs of a fact and whether it holds.
            is_whole: Whether all other facts are false now; else they stay as they were.
        """
        facts = list(told)
        # A copy is changed, so that an unknown name leaves the state as it was.
        new_state = self.state.copy()
        if is_whole:
            true_facts = {fact for fact, is_true in facts if is_true}
            for atom in list(new_state.atoms()):
                fact = atom.predicate, tuple(str(term) for term in atom.terms)
                if fact not in true_facts:
                    new_state.remove(*fact)
        for (predicate, arguments), is_true in facts:
            if is_true:
                new_state.add(predicate, arguments)
            else:
                new_state.remove(predicate, arguments)
        self.state = new_state

    def proves_unkeepable(
        self, monitor: ObjectMonitor, instance: int, automaton_state: int, world_state: State
    ) -> bool:
        """Return whether it is proved that no path from here keeps a part of a rule.

        A breadth-first search over pairs of a state of the world and a state of the automaton. It
        is a proof if the whole product was searched; if a limit is reached nothing is proved.
        Cost: the successors of at most ``search_states`` pairs.

        Args:
            monitor: The monitor of the part.
            instance: Number of one of its instances.
            automaton_state: The state of the instance's automaton.
            world_state: The state of the world.
        """
        machine = monitor.machine
        call_letters = monitor.call_letters[instance]
        visited = {(frozenset(world_state.facts()), automaton_state)}
        queue = deque([(world_state, automaton_state)])
        while queue:
            world_state, automaton_state = queue.popleft()
            holds = self.holds_in(world_state)
            facts = monitor.facts_of(instance, holds)
            if machine.accepts_end(automaton_state, facts):
                return False
            # The automaton alone tells that this branch is lost, so it is not searched.
            if not machine.can_continue(automaton_state, call_letters, facts):
                continue
            try:
                actions = self._applicable_actions_of_agent(world_state)
            except BeyondBudgetError:
                return False
            for action in actions:
                letter = monitor.letter_at(instance, holds, self._as_rule_atom(action))
                next_automaton_state = machine.automaton.step(automaton_state, letter)
                if next_automaton_state not in machine.live_states(call_letters):
                    continue
                next_world_state = self._apply(world_state, action.name, action.arguments)
                pair = (frozenset(next_world_state.facts()), next_automaton_state)
                if pair in visited:
                    continue
                if len(visited) >= self.search_states:
                    return False
                visited.add(pair)
                queue.append((next_world_state, next_automaton_state))
        return True

    def _applicable_actions_of_agent(self, state: State) -> Sequence[Action]:
        """Return the applicable actions of this agent in a state.

        Raises:
            BeyondBudgetError: If there are too many.
        """
        actions = applicable(self.world, state, budget=Budget(actions=10_000))
        if not self.agent:
            return actions
        return [action for action in actions if action.arguments[:1] == (self.agent,)]

    def as_json(self) -> list[list[Any]]:
        """Return the state as a JSON value."""
        return sorted([atom.predicate, *map(str, atom.terms)] for atom in self.state.atoms())

    def restore(self, saved: Iterable[list[str]]) -> None:
        """Set the current state to one that :meth:`as_json` returned."""
        facts = [((name, tuple(arguments)), True) for name, *arguments in saved]
        self.learn(facts, is_whole=True)
