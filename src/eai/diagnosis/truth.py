"""Whether a condition holds in a state, be it one of the domain or one of a goal.

Conditions of a domain have neither numbers of objects nor pairs, and only types of the domain.
Goals have both, and the kinds of objects that their scene has.
"""

from __future__ import annotations

from eai.logic.evaluation import Evaluation
from eai.logic.formula import Count, Formula, ForPairs, Variable
from eai.world.state import State
from eai.world.trajectory import Trajectory
from eai.world.transition import World

__all__ = ["at_rest", "has_types", "is_of_domain", "is_true"]


def is_true(now: Trajectory, condition: Formula) -> bool:
    """Whether a condition holds at the end of a trajectory, also if no domain could state it.

    Args:
        now: The trajectory; what it knows of the past of a proposition is not worked out again.
        condition: A closed condition.

    Raises:
        InputError: If the condition has free or unknown names.
    """
    if is_of_domain(condition, now.world):
        return now.world.holds(now.final, condition)
    return bool(Evaluation(now).truth(condition) >> now.length - 1 & 1)


def at_rest(world: World, state: State) -> Trajectory:
    """The trajectory in which nothing is done.

    Args:
        world: The world.
        state: The state.
    """
    return Trajectory(world, state, (), state)


def is_of_domain(condition: Formula, world: World) -> bool:
    """Whether a condition could stand in the world's domain.

    Args:
        condition: The condition.
        world: The world.
    """
    return all(
        not isinstance(part, (Count, ForPairs))
        and all(has_types(variable, world) for variable in part.variables)
        for part in condition.walk()
    )


def has_types(variable: Variable, world: World) -> bool:
    """Whether the world's domain has the types of a variable.

    Args:
        variable: The variable.
        world: The world.
    """
    types = world.domain.types
    return all(name == "object" or name in types for name in variable.types)
