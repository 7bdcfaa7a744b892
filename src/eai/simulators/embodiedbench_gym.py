"""Environments with the surface that EmbodiedBench's evaluator uses, and ours behind it.

:class:`FromEmbodiedBench` puts one of the authors' environment objects, for who has its simulator,
behind :class:`~eai.simulators.Environment`. :class:`ForEmbodiedBench` is the other way round:
their evaluator runs on a symbolic world, with what is observed as a text.

It was never run against the authors' program; their surface is that of the published evaluator
(commit b247936): ``reset``, ``step(action, reasoning)``, ``language_skill_set``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eai.errors import InputError
from eai.simulators.environment import Capabilities, Environment, Observation, StepResult
from eai.world import Action, State


class FromEmbodiedBench:
    """Wraps one of the authors' environments, whose actions are the names of skills."""

    def __init__(self, inner: Any) -> None:  # noqa: ANN401  # a class of theirs
        self.inner = inner
        self.info: Mapping[str, Any] = {}
        self.picture: Any = None

    @property
    def capabilities(self) -> Capabilities:
        """A simulator with pictures, in which most is hidden."""
        return Capabilities(physics=True, images=True, hidden_state=True)

    @property
    def actions(self) -> Mapping[str, int]:
        """The words of its skills; they take no arguments."""
        return dict.fromkeys(map(str, self.inner.language_skill_set), 0)

    def reset(self) -> Observation:
        """Begin the next episode."""
        self.picture = self.inner.reset()
        self.info = {}
        return Observation()

    def step(self, action: Action) -> StepResult:
        """Take a skill by its name. An unknown name fails.

        The feedback of the environment becomes the message of the result.
        """
        skills = list(self.actions)
        if action.name not in skills:
            return StepResult(False, Observation(), "action_hallucination", f"no {action.name!r}")
        # Reward and end flag are ignored, because they are computed here.
        self.picture, _, _, self.info = self.inner.step(skills.index(action.name), "")
        feedback = str(self.info.get("env_feedback", ""))
        if self.info.get("last_action_success"):
            return StepResult(True, Observation(), "", feedback, action)
        return StepResult(False, Observation(), "refused", feedback, action)

    def state(self) -> State:
        """Raise an error, as there is no symbolic state.

        Raises:
            InputError: Always.
        """
        raise InputError("this simulator has no symbolic state", expected="a symbolic environment")


_MAX_INVALID = 10
"""Number of invalid actions that end an episode, as in their evaluator."""


class ForEmbodiedBench:
    """Wraps a symbolic world with the interface that the authors' evaluator uses.

    Args:
        skills: The words of its skills, by number, each with its action.
        instruction: Instruction of the agent.
        reached: Returns whether the goal is reached, and the share of its conditions that hold.
        describe: Puts an observation in words.
        steps: Number of steps that end an episode.
    """

    def __init__(
        self,
        environment: Environment,
        skills: Sequence[tuple[str, Action]],
        *,
        instruction: str,
        reached: Callable[[Environment], tuple[bool, float]],
        describe: Callable[[Observation], str] = str,
        steps: int = 30,
    ) -> None:
        """Store the skills and the functions that judge and describe the world."""
        self.environment = environment
        # The evaluator reads these attributes.
        self.episode_language_instruction = instruction
        self.language_skill_set = [words for words, _ in skills]
        self.number_of_episodes = 1
        self._actions = [action for _, action in skills]
        self._reached = reached
        self._describe = describe
        self._max_steps = steps
        self._taken = 0
        self._invalid = 0

    def reset(self) -> str:
        """Go back to the start; return the observation in words."""
        self._taken = 0
        self._invalid = 0
        return self._describe(self.environment.reset())

    def step(self, action: int, reasoning: str = "") -> tuple[str, float, bool, dict[str, Any]]:
        """Take a skill, and return observation, reward, end flag and log row.

        Args:
            action: Number of the skill; a number that no skill has is an invalid action.
            reasoning: The words that the model gave for it; they go into the log.
        """
        # No environment has an action of this name, so the step fails.
        skill = Action("(none)")
        words = ""
        if 0 <= action < len(self._actions):
            skill = self._actions[action]
            words = self.language_skill_set[action]
        result = self.environment.step(skill)
        self._taken += 1
        if not result.success:
            self._invalid += 1
        solved, progress = self._reached(self.environment)
        ended = solved or self._taken >= self._max_steps or self._invalid >= _MAX_INVALID
        info = {
            "instruction": self.episode_language_instruction,
            "env_step": self._taken,
            "env_feedback": result.message,
            "last_action_success": float(result.success),
            "action_id": action,
            "action_description": words,
            "task_success": float(solved),
            "task_progress": progress,
            "reasoning": reasoning,
        }
        return self._describe(result.observation), float(solved), ended, info
