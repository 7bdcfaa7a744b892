"""The actions that can be done in a state, found without a product over all objects."""

from __future__ import annotations

from eai.budget import Budget
from eai.planning.repair.candidates import Candidates
from eai.planning.repair.task import RepairTask, Target
from eai.world import Action, State, World


def applicable(world: World, state: State) -> list[Action]:
    """Return all actions that can be done in a state, in a fixed order.

    Arguments are bound one by one, each only to objects that the conditions on those bound so far
    leave.

    Args:
        world: A world in which nobody acts: plans name all arguments.
        state: The state.
    """
    meter = Budget.unlimited().meter()
    task = RepairTask(world, state, (), Target(), agent="", skip=False, meter=meter)
    every = Candidates(task).every(state, world.domain.operators)
    return [slot.action for slot in every]
