"""What a suite says about an episode, apart from the environment itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from eai.diagnosis.goals import GoalStatus
from eai.diagnosis.taxonomy import ErrorKind
from eai.interaction.episode import Turn
from eai.interaction.feedback import Feedback
from eai.interaction.limits import Limit
from eai.interaction.messages import Message
from eai.interaction.protocol import Environment, Observation, StepResult
from eai.interaction.replies import Reply
from eai.interaction.views import View
from eai.world.action import Action

__all__ = ["Brief", "EpisodeRules", "GoalMonitor", "Situation"]


@dataclass(frozen=True, slots=True)
class Situation:
    """What an agent may be told before a turn.

    Args:
        turns: The turns so far. What the environment resolved is not for the agent.
        start: What was observed at the start.
        observation: What is observed now.
        feedback: How much of what came of its actions it is told.
        carried: Whether it is told what plan and what notes it wrote last.
    """

    turns: tuple[Turn, ...]
    start: Observation
    observation: Observation
    feedback: Feedback = "simple"
    carried: bool = True


class Brief(Protocol):
    """Writes what an agent is sent before a turn."""

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """Return the messages."""
        ...


class GoalMonitor(Protocol):
    """Watches one episode and says how far the goal is reached."""

    def update(
        self, environment: Environment, action: Action | None, result: StepResult | None
    ) -> GoalStatus:
        """Say how things stand now.

        Args:
            environment: The environment, after the step.
            action: The action of the step; None at the start and if none could be read.
            result: What came of it; None at the start.
        """
        ...


@dataclass(frozen=True, slots=True)
class EpisodeRules:
    """What a suite says about the episodes of a task.

    Args:
        goal: Makes a monitor of the goal, a new one for every episode.
        read: Reads an answer: the action, or why there is none (see
            :mod:`eai.interaction.replies`).
        brief: Writes what the agent is sent.
        limits: When an episode ends; the first that says so names the reason.
        objects: The names of objects or types that an action may mention, in a fixed order.
        codes: Code of a failure to the kind of error that it is, for records; codes that are
            kinds of error themselves need not be there.
        views: Name to policies of partial observation that make sense for the task; new ones
            at every call.
        groups: Names of the groups in which the task counts, where a report is broken down.
        reference_steps: How many steps the task takes; None if nobody knows.
        refusals: Code of a failure to the reason under which a report counts it (see
            :func:`eai.interaction.measures.episode_measures`).
        excluded: Why the semantics leaves the task out of every count; empty if it counts.
    """

    goal: Callable[[], GoalMonitor]
    read: Callable[[str], Reply]
    brief: Brief
    limits: tuple[Limit, ...] = ()
    objects: tuple[str, ...] = ()
    codes: Mapping[str, ErrorKind] = field(default_factory=dict)
    views: Mapping[str, Callable[[], tuple[View, ...]]] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    reference_steps: int | None = None
    refusals: Mapping[str, str] = field(default_factory=dict)
    excluded: str = ""
