"""Tasks with the atoms left out that no condition asks about: states become small integers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from eai.planning.conditions import Condition, complement, even
from eai.planning.task import GroundAction, Rule, Task
from eai.world.bits import bits

__all__ = ["compress"]


def compress(task: Task, *, actions: Iterable[GroundAction]) -> Task:
    """Renumber the atoms that matter and leave the others out.

    Args:
        task: A task whose effects are about atoms that matter only.
        actions: Its actions, one by one.

    Returns:
        The same task over fewer atoms.
    """
    kept = task.needed | complement(task.needed, task.positive)
    numbers = [literal // 2 for literal in bits(kept & task.positive)]
    move = _Move({old: new for new, old in enumerate(numbers)}, kept)
    strata = tuple([tuple([move.rule(r) for r in group if r.head & kept]) for group in task.strata])
    return replace(
        task,
        atoms=tuple([task.atoms[number] for number in numbers]),
        positive=even(len(numbers)),
        initial=move.mask(task.initial),
        goal=move.condition(task.goal),
        actions=tuple([move.action(action) for action in actions]),
        needed=move.mask(task.needed),
        strata=strata,
        derived=move.mask(task.derived),
    )


class _Move:
    """Masks and conditions under new numbers."""

    def __init__(self, places: dict[int, int], kept: int) -> None:
        self._places = places
        self._kept = kept
        self._masks: dict[int, int] = {}

    def mask(self, mask: int) -> int:
        found = self._masks.get(mask)
        if found is None:
            found = 0
            for literal in bits(mask & self._kept):
                found |= 1 << 2 * self._places[literal >> 1] + (literal & 1)
            self._masks[mask] = found
        return found

    def condition(self, condition: Condition) -> Condition:
        every, clauses, choices = condition
        return Condition(
            self.mask(every),
            tuple([self.mask(clause) for clause in clauses]),
            tuple([tuple([self.condition(o) for o in choice]) for choice in choices]),
        )

    def action(self, action: GroundAction) -> GroundAction:
        return action._replace(
            condition=self.condition(action.condition),
            effect=self.mask(action.effect),
            conditional=tuple([(self.condition(c), self.mask(e)) for c, e in action.conditional]),
        )

    def rule(self, rule: Rule) -> Rule:
        return Rule(self.condition(rule.body), self.mask(rule.head))
