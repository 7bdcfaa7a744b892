"""Tasks of suites for verifiers: their prompts, and the rewards of the traces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import verifiers.v1 as vf

from eai.acting import Feedback
from eai.agents.prompts import prompts
from eai.contract import INTERACTION
from eai.contract.registry import suite as find_suite
from eai.rewards import Reward
from eai.suites import SAMPLES


class SuiteTaskConfig(vf.TaskConfig):
    """Options for asking and rewarding tasks, as for :func:`load_environment`."""

    suite: str = SAMPLES
    ability: str | None = None
    reward: str = "binary"
    semantics: str = "strict"
    rules: str | None = None
    view: str = ""
    feedback: Feedback = "simple"


class SuiteTasksetConfig(vf.TasksetConfig):
    """Options for choosing tasks, as for :func:`load_environment`."""

    task: SuiteTaskConfig = SuiteTaskConfig()
    tasks: list[str] | None = None
    official_prompts: bool = False


class SuiteTask(vf.Task[vf.TaskData, vf.State, SuiteTaskConfig]):
    """A task of a suite, whose reward is computed from the trace."""

    rewards: Reward

    def answer(self, trace: vf.Trace) -> str:
        """Return the model's answer, or for an episode all answers as one text."""
        return str(trace.info.get("answers", trace.last_reply))

    @vf.reward
    async def reward(self, trace: vf.Trace) -> float:
        """Return the reward of :class:`eai.Reward`."""
        (value,) = self.rewards.score(str(self.data.id), [self.answer(trace)])
        return value

    @vf.metric
    async def solved(self, trace: vf.Trace) -> float:
        """Return 1 if the task is solved, else 0."""
        return float(self.rewards.attempt(str(self.data.id), self.answer(trace)).solved)


class SuiteTaskset(vf.Taskset[SuiteTask, SuiteTasksetConfig]):
    """The tasks of a suite that can be rewarded, in its order."""

    def load(self) -> Iterable[SuiteTask]:
        """Yield the tasks. A task for acting has no prompt, as it begins with an observation."""
        config = self.config.task
        # One reward for all tasks, as it loads the suite.
        rewards = Reward(
            config.suite,
            config.ability,
            kind=config.reward,
            semantics=config.semantics,
            column="id",
            rules=config.rules,
        )
        for name, prompt in self._prompted(rewards):
            task = SuiteTask(vf.TaskData(id=name, name=name, prompt=prompt), config)
            task.rewards = rewards
            yield task

    def _prompted(self, rewards: Reward) -> Iterator[tuple[str, str | None]]:
        """Yield the identifiers of the tasks with their prompts."""
        names = rewards.tasks() if self.config.tasks is None else self.config.tasks
        suite = find_suite(self.config.task.suite)
        if rewards.ability == INTERACTION:
            for name in names:
                yield suite.canonical_id(name), None
            return
        official = self.config.official_prompts
        for prompt in prompts(suite, rewards.ability, official=official, tasks=names):
            yield prompt.id, prompt.prompt
