"""The relaxation without deletions: relaxed plans and what is preferred because of them.

The heuristic is the length of a relaxed plan that is extracted backwards from the layers of a
relaxed planning graph; actions that can make its first facts true are preferred (Hoffmann &
Nebel 2001, sections 4 and 6). Conditions are taken as they are: of a disjunction, the
alternative that is reached first is worked on.
"""

from __future__ import annotations

from eai.planning.conditions import Condition, holds
from eai.planning.task import Task
from eai.world.bits import bits

__all__ = ["Relaxation"]

_Source = tuple[int, int, Condition]
"""Where a literal comes from: number of the action (-1: a rule), layer, and condition."""


class Relaxation:
    """Relaxed plans of one task.

    Args:
        task: The task.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        operators: list[tuple[int, Condition, int]] = []
        for number, action in enumerate(task.actions):
            if action.effect:
                operators.append((number, action.condition, action.effect))
            for condition, literals in action.conditional:
                both = Condition(
                    action.condition.every | condition.every,
                    action.condition.clauses + condition.clauses,
                    action.condition.choices + condition.choices,
                )
                operators.append((number, both, literals))
        operators += [(-1, rule.body, rule.head) for group in task.strata for rule in group]
        self._operators = operators
        self._needed = task.needed

    def plan(self, state: int) -> tuple[set[int], int] | None:
        """Find a relaxed plan.

        Args:
            state: Where it starts.

        Returns:
            Numbers of its actions (in ``task.actions``), and the mask of the literals that it
            asks for and that are not true yet; None if there is none.
        """
        built = self._layers(state)
        return None if built is None else self._extract(*built)

    def _layers(self, state: int) -> tuple[list[int], dict[int, _Source]] | None:
        goal = self._task.goal
        reached = state | self._task.derived << 1
        layers, sources = [reached], dict[int, _Source]()
        waiting = self._operators
        while not holds(goal, reached):
            left, grown = [], reached
            for entry in waiting:
                number, condition, literals = entry
                every, clauses, choices = condition
                if every & ~reached or ((clauses or choices) and not holds(condition, reached)):
                    left.append(entry)
                    continue
                new = literals & ~grown
                if new:
                    grown |= new
                    for literal in bits(new):
                        sources[literal] = (number, len(layers), condition)
            if grown == reached:
                return None
            waiting = left
            reached = grown
            layers.append(reached)
        return layers, sources

    def _extract(self, layers: list[int], sources: dict[int, _Source]) -> tuple[set[int], int]:
        chosen: set[int] = set()
        done, facts = layers[0], 0
        pending = self._wanted(self._task.goal, layers) & ~done
        while pending:
            literal = pending.bit_length() - 1
            pending ^= 1 << literal
            done |= 1 << literal
            facts |= 1 << literal
            number, layer, condition = sources[literal]
            if number >= 0:
                chosen.add(number)
            pending |= self._wanted(condition, layers[:layer]) & ~done
        return chosen, facts

    def _wanted(self, condition: Condition, layers: list[int]) -> int:
        """Literals that make the condition true, of the first layers where there is a choice."""
        every, clauses, choices = condition
        wanted = every
        for clause in clauses:
            if not clause & wanted:
                found = next(clause & layer for layer in layers if clause & layer)
                wanted |= found & -found
        for choice in choices:
            option = next(o for layer in layers for o in choice if holds(o, layer))
            wanted |= self._wanted(option, layers)
        return wanted
