"""Suites as environments of verifiers, the library that trainers of language models share.

``load_environment("household")`` makes one; from the shell, ``vf-eval eai-verifiers
--env.taskset.suite household`` does. Every ability is a question with one answer, but for
``interaction``, which is acted turn by turn. Rewards are those of :class:`eai.Reward`. Needs the
extra ``verifiers``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from eai.acting import Acting, Feedback, write_answers
from eai.agents.prompts import prompts
from eai.contract import INTERACTION, checked_interactive, chosen_ability
from eai.contract.registry import suite as find_suite
from eai.errors import MissingExtraError
from eai.rewards import Reward
from eai.suites import SAMPLES

try:
    import httpx
    import verifiers.v1 as vf
    from verifiers.v1.dialects.chat import message_to_wire
except ImportError as error:
    raise MissingExtraError("verifiers", extra="verifiers", purpose="training with it") from error

PLUGIN = "eai_verifiers"
"""The module by which verifiers finds what is here: it looks for modules without a dot."""


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
        for name, prompt in self._task_prompts(rewards):
            task = SuiteTask(vf.TaskData(id=name, name=name, prompt=prompt), config)
            task.rewards = rewards
            yield task

    def _task_prompts(self, rewards: Reward) -> Iterator[tuple[str, str | None]]:
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
        suite_task = checked_interactive(suite).task(str(task.data.id))
        profile = suite.semantics(config.semantics)
        rules = suite.episode_rules(suite_task, profile)
        acting = Acting(
            suite.environment(suite_task, profile),
            rules,
            feedback=config.feedback,
            views=rules.seen_by(config.view),
            task=suite_task.id,
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


class OneRequest(vf.Harness[vf.HarnessConfig]):
    """A harness that sends one request per turn with only that turn's messages.

    It runs in this process, so nothing is installed and no sandbox is started. While acting, the
    messages of a turn tell what happened before, so earlier ones are not sent again.
    """

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,  # noqa: ARG002  # the signature is that of verifiers
        runtime: vf.Runtime,  # noqa: ARG002
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],  # noqa: ARG002
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Send the prompt to the endpoint, which records the answer."""
        system, prompt = self.resolve_prompt(data)
        messages = []
        if system:
            messages.append({"role": "system", "content": system})
        # A prompt is a text, or messages: those of a turn of an episode.
        if isinstance(prompt, str):
            messages.append({"role": "user", "content": prompt})
        else:
            messages += map(message_to_wire, prompt or ())
        body = {"model": ctx.model, "messages": messages}
        headers = {"Authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113  # agents have limits
            reply = await client.post(f"{endpoint}/chat/completions", json=body, headers=headers)
        return vf.ProgramResult(exit_code=int(reply.is_error), stdout="", stderr=reply.text)

    async def resume(self, *arguments: Any) -> vf.ProgramResult:  # noqa: ANN401
        """Send the messages of the next turn."""
        # The arguments of `launch`, then the messages, and what later versions may add.
        ctx, trace, runtime, endpoint, secret, mcp_urls, data, messages, *_ = arguments
        data = data.model_copy(update={"prompt": messages})
        return await self.launch(ctx, trace, runtime, endpoint, secret, mcp_urls, data)


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
