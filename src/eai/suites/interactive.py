"""What a suite has whose tasks are acted in step by step."""

from __future__ import annotations

from typing import Protocol, TypeGuard

from eai.errors import InputError
from eai.interaction.protocol import Environment
from eai.interaction.rules import EpisodeRules
from eai.semantics import Semantics
from eai.suites.base import Suite
from eai.task import Task

__all__ = ["ABILITY", "InteractiveSuite", "checked_interactive", "is_interactive"]

ABILITY = "interaction"
"""The ability under which episodes are judged and reported."""


class InteractiveSuite(Suite, Protocol):
    """A suite whose tasks are acted in step by step.

    Its abilities include :data:`ABILITY`, and :meth:`eai.suites.base.Suite.judge` judges an
    episode again from its answers (see :func:`eai.interaction.acting.replay`). A suite whose
    tasks its own planner can solve also has ``oracle(task, semantics, environment)``, which
    returns an agent (a callable from messages to text) that acts by the state of that
    environment; without it the oracle of whole plans is taken.
    """

    def environment(self, task: Task, semantics: Semantics) -> Environment:
        """Set up the environment of a task."""
        ...

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """Say what an episode of a task is: limits, goal, how answers are read."""
        ...


def checked_interactive(suite: Suite) -> InteractiveSuite:
    """Return a suite that can be acted in.

    Raises:
        InputError: If it cannot.
    """
    if is_interactive(suite):
        return suite
    raise InputError(
        f"the suite {suite.name!r} cannot be acted in step by step",
        expected="a suite with environment() and episode_rules(), "
        "like eai.suites.interactive.InteractiveSuite",
        mend="judge whole plans instead: eai evaluate, eai replan",
    )


def is_interactive(suite: Suite) -> TypeGuard[InteractiveSuite]:
    """Whether a suite can be acted in step by step."""
    return all(hasattr(suite, name) for name in ("environment", "episode_rules"))
