"""Acting in a task of a suite, step by step, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Union

from eai.agents.acting_oracle import ActingOracle
from eai.agents.assignment import Assignment
from eai.agents.random_agent import RandomAgent
from eai.agents.transcripts import episode_value
from eai.contract import INTERACTION, Suite, checked_interactive
from eai.diagnosis.judgement import Judgement
from eai.errors import InputError, UnknownNameError
from eai.interaction.acting import replay, run_episode
from eai.interaction.episode import Episode
from eai.interaction.feedback import Feedback, check_feedback
from eai.interaction.messages import Agent
from eai.interaction.protocol import Environment
from eai.interaction.rules import EpisodeRules
from eai.interaction.verdicts import judge_episode, write_answers
from eai.interaction.views import View
from eai.report.record import Record
from eai.semantics import Semantics
from eai.task import Task

__all__ = ["AGENTS", "AgentChoice", "Interaction", "interact"]

AgentChoice = Union[str, Agent, Sequence[str]]
"""An agent: the name of one that is shipped (:data:`AGENTS`), anything that can be called with
messages and returns text, or its answers, written beforehand."""


AGENTS = ("oracle", "random")
"""Names of the agents that are shipped and need no answers."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """One episode in a task of a suite.

    Args:
        suite: Name of the suite.
        version: Version of its tasks.
        task: Identifier of the task.
        name: Category of the task.
        semantics: Under which semantics it was acted and judged, as reports print it.
        feedback: How much the agent was told.
        view: How much of the world it saw; empty for as much as the suite shows.
        carried: Whether it was told its own plan and notes again.
        episode: What happened.
        judgement: What it amounts to.
    """

    suite: str
    version: str
    task: str
    name: str
    semantics: str
    feedback: Feedback
    view: str
    carried: bool
    episode: Episode
    judgement: Judgement

    @property
    def success(self) -> bool:
        """Whether the task is solved."""
        return self.episode.success

    @property
    def output(self) -> str:
        """All answers as one text, which leads to the same episode when it is judged."""
        return write_answers(turn.answer for turn in self.episode.turns)

    def record(self, model: str = "agent") -> Record:
        """The episode as a record, for the tables of a report.

        Args:
            model: Whose it was.
        """
        return Record(
            self.suite,
            self.version,
            INTERACTION,
            self.semantics,
            model,
            self.task,
            self.name,
            self.output,
            self.judgement,
        )

    def to_json(self, model: str = "agent") -> str:
        """Return everything as one line of ASCII JSON, a prediction that can be judged again.

        The episode is written as :func:`eai.agents.transcripts.episode_value` says.

        Args:
            model: Whose it was.
        """
        head = {"id": self.task, "output": self.output, "model": model}
        kept = ("suite", "version", "name", "semantics", "feedback", "view", "carried")
        setting = {name: getattr(self, name) for name in kept}
        return json.dumps({**head, **setting, "episode": episode_value(self.episode)})

    def __str__(self) -> str:
        lines = [f"{self.suite} {self.task}: {self.name} ({self.semantics})"]
        for turn in self.episode.turns:
            told = "done" if turn.success else f"{turn.code}: {turn.result.message}"
            lines.append(f"{turn.number}. {turn.reply.written or '(no action)'}: {told}")
        lines.append(f"The end: {self.episode.end or self.judgement.status}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from eai.display import preformatted

        return preformatted(str(self))


def interact(
    task: str | Task,
    agent: AgentChoice = "oracle",
    *,
    suite: str | Suite,
    semantics: str | Semantics | None = None,
    feedback: Feedback = "simple",
    view: str = "",
    carried: bool = True,
    seed: int = 0,
) -> Interaction:
    """Let an agent act in a task, step by step, until it is solved or a limit says stop.

    A task that the semantics leaves out of every count is not acted in.

    Args:
        task: The task, or its identifier.
        agent: ``"oracle"``, ``"random"``; anything that can be called with a list of messages
            (``role`` and ``content``) and returns the answer as text, of which the last line is
            ``Action: NAME ARGUMENTS``; or a sequence of such answers. What it raises is passed
            on, but for :class:`~eai.errors.ModelError`, which ends the episode.
        suite: The suite that the task is from, or its name.
        semantics: ``"official"``, ``"strict"`` or a ready one; by default what the suite prefers.
        feedback: How much the agent is told of what came of its actions: ``"none"``,
            ``"simple"`` (whether they were done) or ``"detailed"`` (also why not).
        view: How much of the world it sees: the name of one of the suite's views (``"room"``,
            ``"near"``); by default as much as the suite shows.
        carried: Whether it is told the plan and the notes that it wrote last.
        seed: Seed of the random agent.

    Raises:
        UnknownNameError: If a name is not known.
        InputError: If the suite is none or cannot be acted in, the agent is none, or an answer
            is not text.
        DataMissingError: If the suite's data was not fetched.
    """
    check_feedback(feedback)
    stage = _Stage.of(Assignment.of(task, suite, semantics))
    views = stage.views(view)
    found, rules = stage.assignment.task, stage.rules
    if rules.excluded:
        episode = replay(stage.environment, (), rules=rules, task=found.id)
    elif isinstance(agent, str) or callable(agent):
        episode = run_episode(
            stage.environment,
            stage.agent(agent, seed),
            rules=rules,
            feedback=feedback,
            carried=carried,
            views=views,
            task=found.id,
        )
    elif isinstance(agent, Iterable):
        episode = replay(stage.environment, agent, rules=rules, views=views, task=found.id)
    else:
        raise InputError(
            f"an agent is no {type(agent).__name__}",
            expected=f"one of {', '.join(AGENTS)}, a function of messages, or a list of answers",
        )
    return Interaction(
        stage.assignment.suite.name,
        stage.assignment.suite.version,
        found.id,
        found.name,
        str(stage.assignment.semantics),
        feedback,
        view,
        carried,
        episode,
        judge_episode(episode, rules),
    )


@dataclass(frozen=True, slots=True)
class _Stage:
    """A task with its environment, set up for one episode."""

    assignment: Assignment
    environment: Environment
    rules: EpisodeRules

    @classmethod
    def of(cls, assignment: Assignment) -> _Stage:
        suite = checked_interactive(assignment.suite)
        setting = (assignment.task, assignment.semantics)
        return cls(assignment, suite.environment(*setting), suite.episode_rules(*setting))

    def views(self, name: str) -> tuple[View, ...]:
        """The policies of a view.

        Raises:
            UnknownNameError: If there is no such view.
        """
        if name and name not in self.rules.views:
            raise UnknownNameError("view", name, self.rules.views)
        return self.rules.views[name]() if name else ()

    def agent(self, choice: str | Agent, seed: int) -> Agent:
        """The agent that was chosen.

        Raises:
            UnknownNameError: If there is none of this name.
        """
        if not isinstance(choice, str):
            return choice
        if choice not in AGENTS:
            error = UnknownNameError("agent", choice, AGENTS)
            if not error.suggestions:
                error.mend = f"of a model: eai.integrations.openai_chat.ChatAgent({choice!r})"
            raise error
        if choice == "random":
            seeded = f"{seed}/{self.assignment.task.id}"
            return RandomAgent(self.environment.actions, self.rules.objects, seed=seeded)
        of = self.assignment
        own = of.suite.oracle(of.task, of.semantics, self.environment)
        return ActingOracle(of) if own is None else own
