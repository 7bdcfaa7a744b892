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

Told = Iterable[tuple[tuple[str, tuple[str, ...]], bool]]
"""Facts that somebody reports: predicate and arguments, and whether the fact holds."""


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
        known: dict[Atom, bool] = {}

        def holds(atom: Atom) -> bool:
            if atom not in known:
                known[atom] = self.world.holds(state, atom)
            return known[atom]

        return holds

    def _arguments(self, call: Call) -> tuple[str, ...]:
        """Return the operator's arguments for a call, with the agent in front if there is one."""
        arguments = tuple(map(str, call.arguments))
        if self.agent:
            return self.agent, *arguments
        return arguments

    def _as_rules_write(self, action: Action) -> ActionAtom:
        """Return an action as a proposition in rules, without the agent."""
        arguments = action.arguments
        if self.agent:
            arguments = arguments[1:]
        return ActionAtom(action.name, arguments)

    def problem_with(self, call: Call) -> Decision | None:
        """Return the refusal of an unknown or inapplicable action, or None."""
        arguments = self._arguments(call)
        try:
            numbers = self.world.numbers(self.state, call.name, arguments)
        except InputError as error:
            return Decision(False, UNKNOWN, reason=error.what, remedy="use the world's names")
        failed = self.world.first_failure(self.state, call.name, numbers)
        if failed < 0:
            return None
        needed = format_condition(self.world.test(call.name, failed, arguments))
        reason = f"{call} needs {needed}"
        return Decision(False, PRECONDITION, reason=reason, remedy=f"first make true: {needed}")

    def after(self, call: Call) -> State:
        """Return the state after an action that can be done."""
        return self._after(self.state, call.name, self._arguments(call))

    def _after(self, state: State, name: str, arguments: tuple[str, ...]) -> State:
        """Return the state after applying an operator to a state."""
        numbers = self.world.numbers(state, name, arguments)
        following = state.copy()
        self.world.apply(following, name, numbers)
        return following

    def do(self, call: Call) -> None:
        """Go on to the state after an action; one that cannot be done changes nothing."""
        if self.problem_with(call) is None:
            self.state = self.after(call)

    def learn(self, told: Told, *, is_whole: bool) -> None:
        """Correct the state by observed facts.

        Args:
            told: The facts.
            is_whole: Whether nothing else holds.
        """
        facts = list(told)
        # A copy is changed, so that an unknown name leaves the state as it was.
        following = self.state.copy()
        if is_whole:
            true_facts = {fact for fact, is_true in facts if is_true}
            for atom in list(following.atoms()):
                fact = atom.predicate, tuple(str(term) for term in atom.terms)
                if fact not in true_facts:
                    following.remove(*fact)
        for (name, arguments), is_true in facts:
            if is_true:
                following.add(name, arguments)
            else:
                following.remove(name, arguments)
        self.state = following

    def proves_lost(self, monitor: ObjectMonitor, instance: int, state: int, start: State) -> bool:
        """Return whether no path from a state keeps a part of a rule.

        A breadth-first search over pairs of a state of the world and a state of the automaton. It
        is a proof if the whole product was searched; if a limit is reached nothing is proved.
        Cost: the successors of at most ``search_states`` pairs.
        """
        machine = monitor.machine
        acts = monitor.acts[instance]
        seen = {(frozenset(start.facts()), state)}
        waiting = deque([(start, state)])
        while waiting:
            current, automaton_state = waiting.popleft()
            holds = self.holds_in(current)
            facts = monitor.facts_of(instance, holds)
            if machine.accepts_end(automaton_state, facts):
                return False
            # The automaton alone tells that this branch is lost, so it is not searched.
            if not machine.can_go_on(automaton_state, acts, facts):
                continue
            try:
                actions = self._own_actions(current)
            except BeyondBudgetError:
                return False
            for action in actions:
                letter = monitor.letter(instance, holds, self._as_rules_write(action))
                following = machine.automaton.step(automaton_state, letter)
                if following not in machine.alive(acts):
                    continue
                after = self._after(current, action.name, action.arguments)
                key = (frozenset(after.facts()), following)
                if key in seen:
                    continue
                if len(seen) >= self.search_states:
                    return False
                seen.add(key)
                waiting.append((after, following))
        return True

    def _own_actions(self, state: State) -> Sequence[Action]:
        """Return the applicable actions of this agent in a state.

        Raises:
            BeyondBudgetError: If there are too many.
        """
        actions = applicable(self.world, state, budget=Budget(actions=10_000))
        if not self.agent:
            return actions
        return [action for action in actions if action.arguments[:1] == (self.agent,)]

    def saved(self) -> list[list[Any]]:
        """Return the state as a JSON value."""
        return sorted([atom.predicate, *map(str, atom.terms)] for atom in self.state.atoms())

    def restore(self, saved: Iterable[list[str]]) -> None:
        """Take over a state that was saved."""
        facts = [((name, tuple(arguments)), True) for name, *arguments in saved]
        self.learn(facts, is_whole=True)
