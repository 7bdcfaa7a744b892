"""Suites as environments of verifiers, the library that trainers of language models share.

``load_environment("household")`` makes one; from the shell, ``vf-eval eai-verifiers
--env.taskset.suite household`` does. Every ability is a question with one answer, but for
``interaction``, which is acted turn by turn. Rewards are those of :class:`eai.Reward`. Needs the
extra ``verifiers``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from eai.acting import Feedback, write_answers
from eai.contract import INTERACTION, chosen_ability
from eai.contract.registry import suite as find_suite
from eai.errors import MissingExtraError
from eai.integrations.conversation import begun_episode
from eai.suites import SAMPLES

try:
    import verifiers.v1 as vf

    from eai.integrations.verifiers_tasks import SuiteTask, SuiteTaskConfig, SuiteTasksetConfig
except ImportError as error:
    raise MissingExtraError("verifiers", extra="verifiers", purpose="training with it") from error

PLUGIN = "eai_verifiers"
"""The module by which verifiers finds what is here: it looks for modules without a dot."""


class SuiteEnvConfig(vf.EnvConfig):
    """Who answers: by default only the model, in this process."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class SuiteEnv(vf.Env[SuiteEnvConfig]):
    """A suite's ability as an environment."""

    async def run(self, task: SuiteTask, agents: vf.Agents) -> None:
        """Ask once, or act until the episode or the trace ends."""
        config = task.config
        suite = find_suite(config.suite)
        if chosen_ability(suite, config.ability) != INTERACTION:
            await agents.agent.run(task)
            return
        acting = begun_episode(
            suite,
            str(task.data.id),
            view=config.view,
            feedback=config.feedback,
            semantics=config.semantics,
        )
        async with agents.agent.interaction(task) as interaction:
            while not acting.finished:
                contents = [message["content"] for message in acting.messages]
                messages = [vf.UserMessage(content=content) for content in contents]
                segment = await interaction.turn(messages)
                if segment.terminated:
                    break
                acting.submit(segment.last_reply)
                # After every turn, as the trace may be ended from outside at any time.
                answers = write_answers(turn.answer for turn in acting.turns)
                interaction.trace.info["answers"] = answers


def load_environment(
    suite: str = SAMPLES,
    ability: str | None = None,
    *,
    tasks: Iterable[str] | None = None,
    official_prompts: bool = False,
    reward: str = "binary",
    semantics: str = "strict",
    rules: str | None = None,
    view: str = "",
    feedback: Feedback = "simple",
) -> vf.Env[Any]:
    """Return an ability of a suite as an environment of verifiers.

    Args:
        suite: Name of the suite, or ``module:attribute``.
        ability: Which ability; by default action sequencing, or the suite's only one.
        tasks: Identifiers of the tasks; by default all that can be rewarded.
        official_prompts: Whether to ask with the prompts of the published release.
        reward: ``"binary"``, ``"graded"`` or ``"repair"`` (see :class:`eai.Reward`).
        semantics: When a task counts as solved.
        rules: A file of rules that answers have to keep on the way.
        view: While acting: how much is seen, the name of one of the suite's views.
        feedback: While acting: ``"none"``, ``"simple"`` or ``"detailed"``.

    Raises:
        UnknownNameError: If the suite or the ability is unknown.
    """
    chosen_ability(find_suite(suite), ability)  # refuses unknown names before anything is loaded
    task_config = SuiteTaskConfig(
        suite=suite,
        ability=ability,
        reward=reward,
        semantics=semantics,
        rules=rules,
        view=view,
        feedback=feedback,
    )
    taskset = SuiteTasksetConfig(
        id=PLUGIN,
        task=task_config,
        tasks=None if tasks is None else list(tasks),
        official_prompts=official_prompts,
    )
    return vf.load_environment(SuiteEnvConfig(taskset=taskset))
