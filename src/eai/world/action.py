"""Ground actions: the steps of a plan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Action:
    """A ground action: an operator's name applied to objects.

    Args:
        name: Name of the operator, in the spelling of the domain.
        arguments: Object names, one for each parameter that a plan has to give.
    """

    name: str
    arguments: tuple[str, ...] = ()

    def by(self, agent: str) -> tuple[str, ...]:
        """Return the operator's arguments with the acting object in front.

        Args:
            agent: The object; empty if nobody acts, and the plan names all arguments.
        """
        return (agent, *self.arguments) if agent else self.arguments

    @property
    def in_pddl(self) -> str:
        """The action as a step of a plan in PDDL: ``(name a b)``."""
        return f"({' '.join((self.name, *self.arguments))})"

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"


def plan_text(steps: Iterable[Action]) -> str:
    """Return a plan in the notation of PDDL on one line.

    Examples:
        >>> plan_text([Action("pick-up", ("a",)), Action("rest")])
        '(pick-up a) (rest)'
    """
    return " ".join(step.in_pddl for step in steps)
