"""What every environment does that is acted in step by step.

One protocol for symbolic worlds, for recordings that are replayed, and for real simulators: an
agent sees observations, never the state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from eai.diagnosis.taxonomy import ErrorKind
from eai.world.action import Action
from eai.world.state import State

__all__ = ["Capabilities", "Environment", "Observation", "SeenObject", "StepResult"]


@dataclass(frozen=True, slots=True)
class SeenObject:
    """One object as it is seen.

    Args:
        name: Its name in the environment.
        type: Its type.
        properties: What is seen of its state, by name: ``{"dirty": True, "liquid": "coffee"}``.
            What is not seen is not there.
        inside: Name of the object that it is in or on; empty if nothing says so.
        relation: Which of the two it is, ``"in"`` or ``"on"``; empty if nothing says so.
    """

    name: str
    type: str
    properties: Mapping[str, object] = field(default_factory=dict)
    inside: str = ""
    relation: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """What is observed at one moment.

    Args:
        objects: The objects that are seen, in a fixed order.
        held: Names of the objects that the agent holds.
        focus: Name of the object that the agent looks at; empty if there is none.
    """

    objects: tuple[SeenObject, ...] = ()
    held: tuple[str, ...] = ()
    focus: str = ""


@dataclass(frozen=True, slots=True)
class StepResult:
    """What came of one action.

    Args:
        success: Whether it was done.
        observation: What is observed after it.
        code: Why it was not done, as a code of the environment (``"HAND_FULL"``); empty if it was.
        message: The same as a sentence.
        resolved: What the environment did: the action with the objects that it chose where the
            agent named a type. For the evaluator, not for the agent. None if nothing was tried.
        kind: The kind of error that it is, where the code does not say it.
    """

    success: bool
    observation: Observation
    code: str = ""
    message: str = ""
    resolved: Action | None = None
    kind: ErrorKind | None = None


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an environment can do.

    Args:
        physics: Whether objects fall, collide and fit by their shape.
        images: Whether there are images.
        exact_placement: Whether objects can be put in an exact place.
        hidden_state: Whether the agent sees a part of the state only.
    """

    physics: bool = False
    images: bool = False
    exact_placement: bool = False
    hidden_state: bool = False


class Environment(Protocol):
    """A world that is acted in step by step, set up for one task."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        ...

    @property
    def actions(self) -> Mapping[str, int]:
        """The actions that an agent may take, each with its number of arguments."""
        ...

    def reset(self) -> Observation:
        """Go back to the start of the task."""
        ...

    def step(self, action: Action) -> StepResult:
        """Take one action. A name that is not known is a failed step, never an exception."""
        ...

    def state(self) -> State:
        """The whole state; for the evaluator, never shown to the agent."""
        ...
