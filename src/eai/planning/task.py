"""Ground tasks: what a search works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from eai.logic.formula import Atom
from eai.planning.conditions import Condition, complement, holds
from eai.world.action import Action

__all__ = ["GroundAction", "Rule", "Task", "deductions"]


class GroundAction(NamedTuple):
    """A ground action over literal masks.

    Args:
        action: Its name and arguments.
        condition: When it is applicable.
        effect: Literals that become true whenever it is done.
        conditional: Literals that become true if their condition holds before.
        cost: What it adds to the total cost.
    """

    action: Action
    condition: Condition
    effect: int
    conditional: tuple[tuple[Condition, int], ...] = ()
    cost: float = 1.0


class Rule(NamedTuple):
    """A ground rule of a derived predicate: the literal (positive) holds if the body does."""

    body: Condition
    head: int


@dataclass(frozen=True)
class Task:
    """A ground planning task.

    Args:
        atoms: The atoms; the literals of atom ``i`` are bits ``2i`` and ``2i + 1``.
        positive: Mask of the positive literals.
        initial: Literals that are true at the start.
        goal: What must hold at the end.
        actions: Ground actions that may matter for the goal, in a fixed order.
        needed: Literals that some condition or the goal asks for.
        strata: Rules of derived predicates, in the order in which they are completed.
        derived: Positive literals of the derived atoms.
        reachable: Whether the goal holds in the relaxation without deletions. If not, no plan
            exists (Bonet & Geffner 2001, section 4).
    """

    atoms: tuple[Atom, ...]
    positive: int
    initial: int
    goal: Condition
    actions: tuple[GroundAction, ...]
    needed: int
    strata: tuple[tuple[Rule, ...], ...] = ()
    derived: int = 0
    reachable: bool = True

    def successor(self, state: int, action: GroundAction) -> int:
        """Return the state after an applicable action (additions win over deletions)."""
        changed = action.effect
        if action.conditional:
            for condition, literals in action.conditional:
                if holds(condition, state):
                    changed |= literals
            positive = self.positive
            changed &= ~((changed & positive) << 1)
        after = state & ~complement(changed, self.positive) | changed
        return deductions(self, after) if self.strata else after


def deductions(task: Task, state: int) -> int:
    """Return the state with the truth of its derived atoms found anew.

    The rules of each stratum are applied until nothing changes; an atom that is not found is
    false (Edelkamp & Hoffmann 2004, section 3).
    """
    state = state & ~(task.derived | task.derived << 1)
    for stratum in task.strata:
        heads = 0
        pending = list(stratum)
        changed = True
        while changed:
            changed, left = False, []
            for rule in pending:
                heads |= rule.head
                if holds(rule.body, state):
                    state |= rule.head
                    changed = True
                else:
                    left.append(rule)
            pending = left
        state |= (heads & ~state) << 1
    return state
