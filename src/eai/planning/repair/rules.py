"""Rules that a repaired plan keeps: automata of those instances that matter, found as they do.

Idea: a rule ``forall x. (body)`` is as many rules as there are objects, and nearly all of them are
kept whatever is edited. So the search follows the instances that the plan breaks, and every plan
that reaches the target is checked against the whole rules. An instance that such a plan breaks is
followed from then on (lazy constraints, as cutting planes in integer programming).

Invariant: fewer instances leave more plans, so a number of edits that is proved not to be enough
for some of them is not enough for all. A plan that is returned keeps all of them.

Cost: an automaton for each instance that is followed, and one evaluation of the rules for each plan
that reaches the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from eai.logic import (
    ActionAtom,
    Formula,
    Then,
    atoms,
    automaton,
    bindings,
    contains,
    evaluate,
    parts_of,
)
from eai.logic.tree import Reading
from eai.world import Action, State, Trajectory, Universe, World


class Instance(NamedTuple):
    """A closed formula that has to hold along the plan.

    Args:
        formula: The formula.
        reading: How it is read; None takes the reading from its notation.
    """

    formula: Formula
    reading: Reading | None = None


def instances_broken(rules: Sequence[Formula], trajectory: Trajectory) -> list[Instance]:
    """Return the instances of rules that a trajectory violates.

    If "always, for all x: not wet(x)" is broken for one object, the instance is
    ``always not wet(floor.1)``. Its automaton is much smaller than that of the rule.
    """
    broken = []
    for rule in rules:
        if evaluate(rule, trajectory):
            continue
        # Only a formula with ``then`` is evaluated on parts of the trajectory.
        reading: Reading = "eai" if contains(rule, Then) else "ltlf"
        for body, variables in parts_of(rule):
            for binding in bindings(variables, trajectory.objects, {}):
                instance = Instance(body.substitute(binding), reading)
                if not evaluate(instance.formula, trajectory, reading=reading):
                    broken.append(instance)
    return broken


def actions_named(formulas: Sequence[Formula]) -> set[str]:
    """Return the names of the actions in some formulas."""
    names: set[str] = set()
    for formula in formulas:
        names.update(atom.action for atom in atoms(formula) if isinstance(atom, ActionAtom))
    return names


class Track:
    """The automaton of one formula, followed along plans.

    Args:
        instance: The instance.
        world: The world.
        universe: The objects.

    Raises:
        InputError: If its automaton is too large.
    """

    def __init__(self, instance: Instance, world: World, universe: Universe) -> None:
        """Build the automaton of a formula."""
        machine = automaton(instance.formula, objects=universe.of_types, reading=instance.reading)
        self._machine = machine
        # "Eventually p" can always still be fulfilled, so its states need no test.
        self._can_be_violated = any(machine.verdict(state) is False for state in machine.states)
        self.letters: Sequence[Formula] = machine.letters
        # A letter of the automaton is a fact, tested in a state, or an action, looked up by name.
        self._facts = []
        self._actions: dict[tuple[str, tuple[object, ...]], int] = {}
        for proposition_index, proposition in enumerate(machine.letters):
            if isinstance(proposition, ActionAtom):
                self._actions[proposition.action, tuple(proposition.terms)] = 1 << proposition_index
            else:
                self._facts.append((proposition_index, world.test_of(proposition, universe)))

    def step(self, automaton_state: int, state: State, action: Action | None) -> int:
        """Return the state of the automaton after one position of a plan.

        Args:
            automaton_state: The state of the automaton before the position.
            state: The state of the world at the position.
            action: The action there; None at the end.
        """
        true_letters = self._letters_true(state)
        if action is not None:
            true_letters |= self._actions.get((action.name, action.arguments), 0)
        return self._machine.step(automaton_state, true_letters)

    def _letters_true(self, state: State) -> int:
        """Return the letters that are facts of a state, as a mask."""
        word = 0
        for number, test in self._facts:
            word |= test(state) << number
        return word

    def is_violated(self, automaton_state: int, state: State) -> bool:
        """Return whether the formula can no longer become true from an automaton state.

        Args:
            automaton_state: State of the automaton before the position.
            state: The state at the position.
        """
        if not self._can_be_violated:
            return False
        true_facts = self._letters_true(state)
        # The next action makes at most one proposition about actions true (0 for none).
        for true_action in (0, *self._actions.values()):
            next_state = self._machine.step(automaton_state, true_facts | true_action)
            if self._machine.verdict(next_state) is not False:
                return False
        return True

    def holds_at_end(self, number: int, state: State) -> bool:
        """Return whether the formula holds if the plan ends in a state."""
        return self.step(number, state, None) in self._machine.accepting
