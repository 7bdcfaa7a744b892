"""One agent and many prompts or tasks.

Each answer, episode or dialogue is written as soon as it is there, so that what was interrupted
goes on where it stopped. What an agent could not be asked is left out of the files and of every
count; after a few such failures in a row nothing more is asked.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from eai.acting import End, checked_answer
from eai.agents.agents import Agent
from eai.agents.interaction import Interaction
from eai.agents.replanning import Replanning
from eai.contract import INTERACTION, Suite
from eai.errors import InputError, ModelError, SchemaError
from eai.files import refuse_existing, writing_to
from eai.prompts import Prompt
from eai.report import Record, Report, Setting, record_from_json, record_to_json
from eai.runs import RunFolder
from eai.semantics import Semantics

_MOST_FAILURES = 5
"""After so many failures in a row nothing more is asked."""

TRANSCRIPTS = "transcripts.jsonl"
"""Name of the file of transcripts in the folder of a run."""

Progress = Callable[[int, int], None]
"""Called with the number of answers, episodes or dialogues that are there and that of all."""


@dataclass(frozen=True, slots=True)
class Collection:
    """What came of asking.

    Args:
        asked: How many new answers are in it.
        kept: How many were there before.
        failures: Identifier of each prompt without an answer to the reason.
    """

    path: Path
    asked: int
    kept: int
    failures: Mapping[str, str] = field(default_factory=dict)


def collect_answers(
    agent: Agent,
    prompts: Iterable[Prompt],
    *,
    path: str | os.PathLike[str],
    model: str,
    workers: int = 4,
    force: bool = False,
    progress: Progress | None = None,
) -> Collection:
    """Ask an agent and write its answers as JSON Lines (``id``, ``output``, ``model``).

    Args:
        agent: Whom to ask; it is called from several threads.
        prompts: What to ask; each is one message of the user.
        path: The file. Answers of the same model to the same prompts that are in it are kept,
            and not asked for again.
        model: Name of the model, which is written with every answer.
        workers: How many prompts are asked at the same time.
        force: Whether another file there may be replaced.
        progress: Called after every answer.

    Raises:
        InputError: If the file holds answers of another model or to other prompts and ``force``
            is off; if it cannot be written; if ``workers`` is not positive; if an answer is no
            text; what the agent raises because it cannot be used at all.
        SchemaError: If the file is no file of answers.
        ModelError: If the model could not be asked several times in a row.
    """
    if workers < 1:
        raise InputError(f"{workers} workers", expected="a whole number from 1")
    waiting, target = list(prompts), Path(path)
    refuse_existing(target, force=True)
    old = target.exists() and not force
    before = _answered(target, model, waiting) if old else frozenset[str]()
    asked, failures = len(before), dict[str, str]()
    missing = [prompt for prompt in waiting if prompt.id not in before]
    with writing_to(target), target.open("w" if force else "a", encoding="utf-8") as stream:
        for prompt, answer in _answers(agent, missing, workers):
            if isinstance(answer, ModelError):
                failures[prompt.id] = answer.what
                continue
            line = {"id": prompt.id, "output": answer, "model": model}
            stream.write(f"{json.dumps({**line, 'prompt_sha256': _mark(prompt)})}\n")
            stream.flush()
            asked += 1
            if progress is not None:
                progress(asked, len(waiting))
    return Collection(target, asked - len(before), len(before), failures)


def _answers(
    agent: Agent, prompts: Sequence[Prompt], workers: int
) -> Iterator[tuple[Prompt, str | ModelError]]:
    """Yield answers as they come, at most a few prompts being asked at a time."""
    row = 0
    left = iter(prompts)
    with ThreadPoolExecutor(workers) as pool:
        running: dict[Future[str | ModelError], Prompt] = {}
        try:
            while True:
                for prompt in islice(left, workers - len(running)):
                    running[pool.submit(_asked, agent, prompt)] = prompt
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    answer = done.result()
                    row = row + 1 if isinstance(answer, ModelError) else 0
                    if row == _MOST_FAILURES and isinstance(answer, ModelError):
                        raise answer
                    yield running.pop(done), answer
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _asked(agent: Agent, prompt: Prompt) -> str | ModelError:
    try:
        return checked_answer(agent([{"role": "user", "content": prompt.prompt}]))
    except ModelError as error:
        return error


def _mark(prompt: Prompt) -> str:
    return hashlib.sha256(prompt.prompt.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _answered(path: Path, model: str, prompts: Sequence[Prompt]) -> frozenset[str]:
    """Identifiers of the prompts that are answered in a file; a cut last line is removed."""
    marks = {prompt.id: _mark(prompt) for prompt in prompts}
    found: set[str] = set()
    with writing_to(path), path.open("rb+") as stream:
        whole = 0
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            name, whose, mark = _read(line, f"{path}:{number}")
            if whose != model or marks.get(name, mark) != mark:
                raise InputError(
                    f"the answer to {name!r} is of the model {whose!r}"
                    + (" to another prompt" if whose == model else ""),
                    where=f"{path}:{number}",
                    expected=f"answers of {model!r} to these prompts",
                    mend="choose another file, or replace this one (force=True, --force)",
                )
            found.add(name)
        stream.truncate(whole)
    return frozenset(found & marks.keys())


def _read(line: bytes, where: str) -> tuple[str, str, str]:
    try:
        value = json.loads(line)
        return value["id"], value["model"], value["prompt_sha256"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SchemaError(
            "this line is no answer that was collected",
            where=where,
            expected='{"id", "output", "model", "prompt_sha256"}, as written before',
            mend="choose another file, or replace this one (force=True, --force)",
        ) from error


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking an agent for many tasks.

    Args:
        failures: Identifier of each task for which the agent could not be asked, to the reason.
            They are not in the report.
        left: How many tasks were not begun.
    """

    report: Report
    failures: Mapping[str, str] = field(default_factory=dict)
    left: int = 0


def replan_all(
    tasks: Sequence[str],
    attempt: Callable[[str], Replanning],
    *,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Asked:
    """Replan tasks one after the other; the report has first and last attempts as two models.

    Args:
        tasks: Identifiers of the tasks.
        attempt: Replans one task (see :func:`eai.agents.replanning.replan`).
        output: A file for all attempts as JSON Lines; each task is written at once.
        force: Whether a file there may be replaced.
        progress: Called after every task.

    Raises:
        InputError: If the file cannot be written, and what ``attempt`` raises.
        OutputExistsError: If it exists and ``force`` is off.
    """
    found, failures, row = list[Replanning](), dict[str, str](), 0
    path = Path(os.devnull if output is None else output)
    if output is not None:
        refuse_existing(path, force=force)
    with writing_to(path), path.open("w", encoding="utf-8") as stream:
        for done, task in enumerate(tasks, start=1):
            try:
                found.append(attempt(task))
            except ModelError as error:
                failures[task] = error.what
                row += 1
                if row == _MOST_FAILURES:
                    break
            else:
                row = 0
                stream.write(f"{found[-1].to_json()}\n")
                stream.flush()
            if progress is not None:
                progress(done, len(tasks))
    firsts = [each.record("first attempt", attempt=1) for each in found]
    lasts = [each.record("last attempt") for each in found]
    return Asked(Report([*firsts, *lasts]), failures, len(tasks) - len(found) - len(failures))


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
) -> Asked:
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
    with _run(output, setting, model, semantics, force=force) as (run, before, write):
        other = next((task for task in before if task not in tasks), None)
        if other is not None:
            raise InputError(
                f"the run that was interrupted there was also about the task {other!r}",
                where=str(output),
                expected="the same tasks, so that it can go on",
                mend="name the same tasks, or start over (force=True, --force)",
            )
        for done, task in enumerate(tasks, start=1):
            record = before.get(task)
            if record is None:
                found = act(task)
                if found.episode.end == End.AGENT_FAILURE:
                    failures[found.task] = found.episode.note
                else:
                    record = found.record(model)
                    write(record, found.to_json(model))
            row = 0 if record is not None else row + 1
            if record is not None:
                records.append(record)
            if progress is not None:
                progress(done, len(tasks))
            if row == _MOST_FAILURES:
                break
        report = Report(records, setting=setting)
        if run is not None and not failures:
            run.save(run.journal.lines())
            run.finish(report)
    return Asked(report, failures, len(tasks) - len(records) - len(failures))


@contextmanager
def _run(
    output: str | os.PathLike[str] | None,
    setting: Setting,
    model: str,
    semantics: Semantics,
    *,
    force: bool,
) -> Iterator[tuple[RunFolder | None, Mapping[str, Record], Callable[[Record, str], None]]]:
    """The folder of a run, what an interrupted one left there, and what writes an episode there."""
    if output is None:
        yield None, {}, lambda _record, _transcript: None
        return
    with closing(RunFolder(output, setting, semantics, force=force)) as run, run.journal:
        run.begin([model])
        before = {record.task: record for record in map(record_from_json, run.journal.lines())}
        path = run.path / TRANSCRIPTS
        with writing_to(path):
            kept = _transcripts(path, before)
            stream = path.open("w", encoding="ascii", newline="\n")
        with stream:
            stream.writelines(kept)

            def write(record: Record, transcript: str) -> None:
                with writing_to(path):
                    stream.write(f"{transcript}\n")
                    stream.flush()
                line = record_to_json(record)
                run.journal.put(record.task, record.model, b"", line, wait=False)

            yield run, before, write


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
