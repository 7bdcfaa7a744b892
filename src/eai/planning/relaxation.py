"""The relaxation without deletions: relaxed plans and what is preferred because of them.

The heuristic is the length of a relaxed plan that is extracted backwards from the layers of a
relaxed planning graph; actions that can make its first facts true are preferred (Hoffmann &
Nebel 2001, sections 4 and 6). Conditions are taken as they are: of a disjunction, the
alternative that is reached first is worked on.
"""

from __future__ import annotations

from eai.planning.conditions import Condition, conjoin, holds, size_of
from eai.planning.limits import Limits
from eai.planning.task import Task
from eai.world.bits import bits, mask_of

__all__ = ["Relaxation"]

_Source = tuple[int, int, Condition]
"""Where a literal comes from: number of the action (-1: a rule), layer, and condition."""


class Relaxation:
    """Relaxed plans of one task.

    Args:
        task: The task.
        limits: Counts what is looked at.
    """

    def __init__(self, task: Task, limits: Limits) -> None:
        self._task, self._limits = task, limits
        operators: list[tuple[int, Condition, int]] = []
        for number, action in enumerate(task.actions):
            if action.effect:
                operators.append((number, action.condition, action.effect))
            for condition, literals in action.conditional:
                both = conjoin((action.condition, condition))
                operators.append((number, both, literals))
        operators += [(-1, rule.body, rule.head) for group in task.strata for rule in group]
        self._operators = operators
        self._sizes = [size_of(condition) for _, condition, _ in operators]
        self._missing = [condition.every.bit_count() for _, condition, _ in operators]
        self._at_once = [at for at, missing in enumerate(self._missing) if not missing]
        self._waiting: dict[int, list[int]] = {}
        for at, (_, condition, _) in enumerate(operators):
            for literal in bits(condition.every):
                self._waiting.setdefault(literal, []).append(at)
        self._asked = mask_of(self._waiting)

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
        """Build layers of literals up to the goal; each operator counts what it still misses."""
        goal, waiting = self._task.goal, self._waiting
        reached = fresh = state | self._task.derived << 1
        layers, sources = [reached], dict[int, _Source]()
        missing, ready = self._missing[:], self._at_once[:]
        while not holds(goal, reached):
            looked = 0
            for literal in bits(fresh & self._asked):
                looked += len(waiting[literal])
                for at in waiting[literal]:
                    missing[at] -= 1
                    if not missing[at]:
                        ready.append(at)
            self._limits.count(looked)
            grown, ready = self._grown(ready, reached, sources, len(layers))
            fresh = grown & ~reached
            if not fresh:
                return None
            reached = grown
            layers.append(reached)
        return layers, sources

    def _grown(
        self, ready: list[int], reached: int, sources: dict[int, _Source], layer: int
    ) -> tuple[int, list[int]]:
        """Add what operators make true; returns all literals, and the operators to try again."""
        grown, again = reached, list[int]()
        self._limits.count(sum([self._sizes[at] for at in ready]))
        for at in sorted(ready):
            number, condition, literals = self._operators[at]
            if (condition.clauses or condition.choices) and not holds(condition, reached):
                again.append(at)
                continue
            new = literals & ~grown
            if new:
                grown |= new
                for literal in bits(new):
                    sources[literal] = (number, layer, condition)
        return grown, again

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
            self._limits.count(1 + layer * size_of(condition) if condition.choices else 1)
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
