"""Transcripts: episodes as JSON, one a line, that can be read and evaluated again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TextIO, Union

from eai.acting.environment import Agent, Environment, Observation
from eai.acting.episode import End, Episode, Feedback, Turn, check_feedback
from eai.acting.turns import EpisodeRules, evaluate_episode, replay, run_episode, write_answers
from eai.acting.views import View
from eai.agents.agents import RandomAgent
from eai.agents.oracle import ActingOracle, Assignment
from eai.contract import INTERACTION, Suite, checked_interactive
from eai.diagnosis.result import Result
from eai.errors import InputError, UnknownNameError
from eai.files import writing_to
from eai.report.record import Record
from eai.report.report import Report, Setting
from eai.runs.folder import RunFolder
from eai.semantics import Semantics
from eai.task import Task

__all__ = [
    "AGENTS",
    "TRANSCRIPTS",
    "AgentChoice",
    "Episodes",
    "Interaction",
    "episode_value",
    "interact",
    "interact_all",
]


def episode_value(episode: Episode) -> object:
    """Return an episode as a JSON value.

    What is empty (a code, a message, a list) is left out. The start has all objects that are
    seen; a turn has those that are seen anew or otherwise than before (``objects``), and the
    names of those that are seen no more (``gone``).
    """
    value = {
        "end": str(episode.end),
        "note": episode.note,
        "solved": episode.success,
        "conditions": [
            {each.name: getattr(condition, each.name) for each in fields(condition) if each.compare}
            for condition in episode.goal.conditions
        ],
        "start": asdict(episode.start),
        "turns": list(_turns(episode)),
    }
    return _filled(value)


def _turns(episode: Episode) -> Iterator[dict[str, object]]:
    before = episode.start
    for turn in episode.turns:
        yield _turn(turn, before)
        before = turn.result.observation


def _turn(turn: Turn, before: Observation) -> dict[str, object]:
    reply, result = turn.reply, turn.result
    return {
        "number": turn.number,
        "answer": turn.answer,
        "action": "" if reply.action is None else str(reply.action),
        "plan": reply.plan,
        "memory": reply.memory,
        "success": result.success,
        "code": result.code,
        "message": result.message,
        "resolved": "" if result.resolved is None else str(result.resolved),
        "observation": _seen(result.observation, before),
    }


def _seen(now: Observation, before: Observation) -> dict[str, object]:
    known = {thing.name: thing for thing in before.objects}
    names = {thing.name for thing in now.objects}
    return {
        "objects": [asdict(thing) for thing in now.objects if known.get(thing.name) != thing],
        "gone": [name for name in known if name not in names],
        "held": list(now.held),
        "focus": now.focus,
    }


def _filled(value: object) -> object:
    """A JSON value without its empty parts; False and 0 are none."""
    if isinstance(value, dict):
        filled = {name: _filled(part) for name, part in value.items()}
        return {name: part for name, part in filled.items() if part not in ("", None, {}, [])}
    return list(map(_filled, value)) if isinstance(value, (list, tuple)) else value


AgentChoice = Union[str, Agent, Sequence[str]]
"""An agent: the name of one that is shipped (:data:`AGENTS`), anything that can be called with
messages and returns text, or its answers, written beforehand."""


AGENTS = ("oracle", "random")
"""Names of the agents that are shipped and need no answers."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """One episode in a task of a suite.

    Args:
        semantics: Under which semantics it was acted and evaluated, as reports print it.
        feedback: How much the agent was told.
        view: How much of the world it saw; empty for as much as the suite shows.
        carried: Whether it was told its own plan and notes again.
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
    result: Result

    @property
    def success(self) -> bool:
        """Whether the task is solved."""
        return self.episode.success

    @property
    def output(self) -> str:
        """All answers as one text, which leads to the same episode when it is evaluated."""
        return write_answers(turn.answer for turn in self.episode.turns)

    def record(self, model: str = "agent") -> Record:
        """The episode as a record, for the tables of a report."""
        return Record(
            self.suite,
            self.version,
            INTERACTION,
            self.semantics,
            model,
            self.task,
            self.name,
            self.output,
            self.result,
        )

    def to_json(self, model: str = "agent") -> str:
        """Return everything as one line of ASCII JSON, a prediction that can be evaluated again.

        The episode is written as :func:`eai.agents.interaction.episode_value` says.
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
        lines.append(f"The end: {self.episode.end or self.result.status}")
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
        evaluate_episode(episode, rules),
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


TRANSCRIPTS = "transcripts.jsonl"
"""Name of the file of transcripts in the folder of a run."""

_MOST_FAILURES = 5
"""After so many tasks in a row for which an agent could not be asked no other is begun."""

Progress = Callable[[int, int], None]
"""Called with the number of episodes that have ended and the number of all."""


@dataclass(frozen=True, slots=True)
class Episodes:
    """What came of acting in many tasks.

    Args:
        failures: Identifier of each task for which the agent could not be asked, to the reason.
            They are not in the report.
    """

    report: Report
    failures: Mapping[str, str] = field(default_factory=dict)


def interact_all(
    tasks: Sequence[str],
    act: Callable[[str], Interaction],
    *,
    suite: Suite,
    semantics: Semantics,
    model: str,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Episodes:
    """Act in tasks of a suite, one after the other.

    Args:
        tasks: Identifiers of the tasks.
        act: Acts in one task (see :func:`eai.agents.interaction.interact`).
        suite: The suite that they are from.
        semantics: Under which semantics ``act`` acts.
        model: What the agent is called in the report.
        output: A folder for the records, the tables, the page and the transcripts
            (:data:`TRANSCRIPTS`). A run that was interrupted there, or for which an agent could
            not be asked, goes on where it stopped.
        force: Whether the files of another run there may be replaced.
        progress: Called after every episode.

    Raises:
        InputError: If there is no task, if the folder cannot be written, and what ``act`` raises.
        OutputExistsError: If ``output`` holds another run and ``force`` is off.
    """
    if not tasks:
        raise InputError("there is no task to act in", expected="at least one task")
    setting = Setting(suite.name, suite.version, INTERACTION, str(semantics))
    records, failures, row = list[Record](), dict[str, str](), 0
    with _writing(output, setting, model, semantics, force=force) as folder:
        folder.refuse_others(tasks)
        for done, task in enumerate(tasks, start=1):
            record = folder.record(task) or _ended(act(task), model, folder, failures)
            row = 0 if record is not None else row + 1
            if record is not None:
                records.append(record)
            if progress is not None:
                progress(done, len(tasks))
            if row == _MOST_FAILURES:
                break
        report = Report(records, setting=setting)
        if not failures:
            folder.finish(report)
    return Episodes(report, failures)


def _ended(
    found: Interaction, model: str, folder: _Folder, failures: dict[str, str]
) -> Record | None:
    if found.episode.end == End.AGENT_FAILURE:
        failures[found.task] = found.episode.note
        return None
    record = found.record(model)
    folder.write(record, found.to_json(model))
    return record


class _Folder:
    """Where records and transcripts are written; without a folder they are not."""

    def __init__(self, model: str, run: RunFolder | None, stream: TextIO | None) -> None:
        self._model = model
        self._run = run
        self._stream = stream

    def refuse_others(self, tasks: Sequence[str]) -> None:
        """See that the run that is to go on was about no other tasks.

        Raises:
            InputError: If it was.
        """
        before = () if self._run is None else self._run.before
        other = next((task for _, task in before if task not in tasks), None)
        if other is not None and self._run is not None:
            raise InputError(
                f"the run that was interrupted there was also about the task {other!r}",
                where=str(self._run.path),
                expected="the same tasks, so that it can go on",
                mend="name the same tasks, or start over (force=True, --force)",
            )

    def record(self, task: str) -> Record | None:
        """The record that an interrupted run left."""
        return None if self._run is None else self._run.before.get((self._model, task))

    def write(self, record: Record, transcript: str) -> None:
        """Write an episode, and hand it to the operating system."""
        if self._run is not None and self._stream is not None:
            with writing_to(self._run.path / TRANSCRIPTS):
                self._stream.write(f"{transcript}\n")
                self._stream.flush()
            self._run.write(record)

    def finish(self, report: Report) -> None:
        """Write tables and page."""
        if self._run is not None:
            self._run.finish(report)


@contextmanager
def _writing(
    output: str | os.PathLike[str] | None,
    setting: Setting,
    model: str,
    semantics: Semantics,
    *,
    force: bool,
) -> Iterator[_Folder]:
    if output is None:
        yield _Folder(model, None, None)
        return
    run = RunFolder(output, setting, semantics, models=[model], force=force)
    path = run.path / TRANSCRIPTS
    try:
        with writing_to(path):
            kept = _transcripts(path, {task for _, task in run.before})
            stream = path.open("w", encoding="ascii", newline="\n")
        with stream:
            stream.writelines(kept)
            yield _Folder(model, run, stream)
    finally:
        run.close()


def _transcripts(path: Path, tasks: Container[str]) -> list[str]:
    """Whole lines of a file of transcripts that are about some of the tasks."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", errors="replace") as stream:
        return [line for line in stream if _task(line) in tasks]


def _task(line: str) -> object:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value.get("id") if isinstance(value, dict) and line.endswith("\n") else None
