"""One agent and many prompts or tasks.

Each answer, episode or dialogue is written as soon as it is there, so that what was interrupted
resumes where it stopped. What an agent could not be asked is left out of the files and of every
count; after a few such failures in a row nothing more is asked.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from eai.acting import Answer, End, add_usage, ask_agent, checked_answer
from eai.agents.agents import Agent
from eai.agents.interaction import Interaction
from eai.agents.prompts import Prompt
from eai.agents.replanning import Replanning
from eai.contract import INTERACTION, Suite, version_of
from eai.errors import InputError, ModelError, SchemaError
from eai.files import refuse_existing, replacing, writing_to
from eai.nesting import load_json
from eai.report import Record, Report, Setting, record_from_json, record_to_json
from eai.runs import RunFolder
from eai.semantics import Semantics

if TYPE_CHECKING:
    from typing_extensions import Unpack

_MOST_FAILURES = 5
"""After so many failures in a row nothing more is asked."""

TRANSCRIPTS = "transcripts.jsonl"
"""Name of the file of transcripts in the folder of a run."""

_Item = TypeVar("_Item")
_Found = TypeVar("_Found")

Progress = Callable[[int, int], None]
"""Called with the number of answers, episodes or dialogues that are there and that of all."""


@dataclass(frozen=True, slots=True)
class Collection:
    """What came of asking.

    Args:
        asked: How many new answers are in it.
        kept: How many were there before.
        failures: Identifier of each prompt without an answer to the reason.
        usage: Sums of what the new answers took, by the endpoint's names.
    """

    path: Path
    asked: int
    kept: int
    failures: Mapping[str, str] = field(default_factory=dict)
    usage: Mapping[str, float] = field(default_factory=dict)


class AskingOptions(TypedDict, total=False):
    """How agents are asked about many tasks; each may be left out."""

    workers: int
    """How many tasks are asked about at the same time, while an agent waits for its model."""
    sampling: Mapping[str, object] | None
    """How the model samples (``{"temperature": 0.7}``), which is written with every answer."""
    force: bool
    """Whether the files of other answers may be replaced."""
    progress: Progress | None
    """Called after every answer, or every episode."""


def collect_answers(
    agent: Agent,
    prompts: Iterable[Prompt],
    *,
    path: str | os.PathLike[str],
    model: str,
    epoch: int = 0,
    **options: Unpack[AskingOptions],
) -> Collection:
    """Ask an agent and write its answers as JSON Lines (``id``, ``output``, ``model``).

    Beside them stand the tokens that an answer took and why it ended (``usage``,
    ``finish_reason``), where the agent says so (:class:`eai.acting.Answer`).

    Args:
        agent: Whom to ask; it is called from several threads.
        prompts: What to ask; each is one message of the user.
        path: The file. Answers of the same model to the same prompts that are in it are kept,
            and not asked for again.
        model: Name of the model, which is written with every answer.
        epoch: Number of the sample, where the same prompts are asked several times; 0 for answers
            that are the only ones.
        **options: How it is asked (:class:`AskingOptions`): by default four prompts at a time.

    Raises:
        InputError: If the file holds answers of another model, to other prompts or under other
            sampling, and ``force`` is off; if it cannot be written; if ``workers`` is not
            positive; if an answer is no text; what the agent raises because it cannot be used at
            all.
        SchemaError: If the file is no file of answers.
        ModelError: If the model could not be asked several times in a row.
    """
    workers, force = options.get("workers", 4), options.get("force", False)
    progress = options.get("progress")
    if workers < 1:
        raise InputError(f"{workers} workers", expected="a whole number from 1")
    waiting, target = list(prompts), Path(path)
    refuse_existing(target, force=True)
    old = target.exists() and not force
    about = {"model": model, "sampling": dict(options.get("sampling") or {})}
    before = _answered(target, about, waiting, epoch) if old else frozenset[str]()
    asked, failures = len(before), dict[str, str]()
    missing = [prompt for prompt in waiting if prompt.id not in before]
    usage: dict[str, float] = {}

    def ask(prompt: Prompt) -> str:
        return checked_answer(ask_agent(agent, [{"role": "user", "content": prompt.prompt}]))

    with writing_to(target), target.open("w" if force else "a", encoding="utf-8") as stream:
        for prompt, answer, row in _outcomes(ask, missing, workers):
            if isinstance(answer, ModelError):
                if row == _MOST_FAILURES:
                    raise answer
                failures[prompt.id] = answer.what
                continue
            line: dict[str, object] = {"id": prompt.id, "output": answer, "epoch": epoch, **about}
            if isinstance(answer, Answer):
                add_usage(usage, answer.usage)
                line |= {"usage": answer.usage, "finish_reason": answer.finish_reason}
            line = {key: value for key, value in line.items() if value or key == "output"}
            stream.write(f"{json.dumps({**line, 'prompt_sha256': _mark(prompt)})}\n")
            stream.flush()
            asked += 1
            if progress is not None:
                progress(asked, len(waiting))
    return Collection(target, asked - len(before), len(before), failures, usage)


def _outcomes(
    call: Callable[[_Item], _Found], items: Iterable[_Item], workers: int
) -> Iterator[tuple[_Item, _Found | ModelError, int]]:
    """Yield what a function returns for each item, or why an agent could not be asked.

    Beside it stands how many failures there were in a row.
    """

    def outcome(item: _Item) -> _Found | ModelError:
        try:
            return call(item)
        except ModelError as error:
            return error

    row = 0
    for item, found in _as_they_come(outcome, items, workers):
        row = row + 1 if isinstance(found, ModelError) else 0
        yield item, found, row


def _as_they_come(
    call: Callable[[_Item], _Found], items: Iterable[_Item], workers: int
) -> Iterator[tuple[_Item, _Found]]:
    """Yield what a function returns for each item as it comes, a few being worked on at a time."""
    left = iter(items)
    if workers == 1:  # in this thread, which may belong to a terminal
        yield from ((item, call(item)) for item in left)
        return
    with ThreadPoolExecutor(workers) as pool:
        running: dict[Future[_Found], _Item] = {}
        try:
            while True:
                for item in islice(left, workers - len(running)):
                    running[pool.submit(call, item)] = item
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(done), done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _mark(prompt: Prompt) -> str:
    return hashlib.sha256(prompt.prompt.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _answered(
    path: Path, about: Mapping[str, object], prompts: Sequence[Prompt], epoch: int
) -> frozenset[str]:
    """Identifiers of the prompts that are answered in a file; a cut last line is removed."""
    marks = {prompt.id: _mark(prompt) for prompt in prompts}
    found: set[str] = set()
    with writing_to(path), path.open("rb+") as stream:
        whole = 0
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            value = _read(line, f"{path}:{number}")
            name, mark = value["id"], value["prompt_sha256"]
            others = {key: value.get(key, {}) for key in about if value.get(key, {}) != about[key]}
            if others or marks.get(name, mark) != mark:
                other = next(iter(others), "prompt")
                raise InputError(
                    f"the answer to {name!r} is from the model {value['model']!r}"
                    if other == "model"
                    else f"the answer to {name!r} was made with another {other}",
                    where=f"{path}:{number}",
                    expected=f"answers of {about['model']!r} to these prompts, with this sampling",
                    mend="choose another file, or replace this one (force=True, --force)",
                )
            if value.get("epoch", 0) == epoch:
                found.add(name)
        stream.truncate(whole)
    return frozenset(found & marks.keys())


def _read(line: bytes, where: str) -> Mapping[str, Any]:
    try:
        value = load_json(line)
        if all(isinstance(value[key], str) for key in ("id", "model", "prompt_sha256")):
            return dict(value)
    except (ValueError, KeyError, TypeError):
        pass
    raise SchemaError(
        "this line is not an answer that was collected",
        where=where,
        expected='{"id", "output", "model", "prompt_sha256"}, as written before',
        mend="choose another file, or replace this one (force=True, --force)",
    )


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
    sampling: Mapping[str, object] | None = None,
    progress: Progress | None = None,
) -> Asked:
    """Replan tasks one after the other; the report has first and last attempts as two models.

    Args:
        tasks: Identifiers of the tasks.
        attempt: Replans one task (see :func:`eai.agents.replanning.replan`).
        output: A file for all attempts as JSON Lines; each task is written at once.
        force: Whether a file there may be replaced.
        sampling: How a model samples, which is written with every task.
        progress: Called after every task.

    Raises:
        InputError: If the file cannot be written, and what ``attempt`` raises.
        OutputExistsError: If it exists and ``force`` is off.
    """
    found, failures = list[Replanning](), dict[str, str]()
    path = Path(os.devnull if output is None else output)
    if output is not None:
        refuse_existing(path, force=force)
    with writing_to(path), path.open("w", encoding="utf-8") as stream:
        for done, (task, each, row) in enumerate(_outcomes(attempt, tasks, 1), start=1):
            if isinstance(each, ModelError):
                failures[task] = each.what
                if row == _MOST_FAILURES:
                    break
            else:
                found.append(each)
                stream.write(f"{each.to_json(sampling)}\n")
                stream.flush()
            if progress is not None:
                progress(done, len(tasks))
    firsts = [each.record("first attempt", attempt=1) for each in found]
    lasts = [each.record("last attempt") for each in found]
    return Asked(Report([*firsts, *lasts]), failures, len(tasks) - len(found) - len(failures))


def _acted(act: Callable[[str], Interaction], task: str) -> Interaction:
    """An episode in a task; an error if the agent could not be asked in it."""
    found = act(task)
    if found.episode.end == End.AGENT_FAILURE:
        raise ModelError(found.episode.note)
    return found


def interact_all(
    suite: Suite,
    tasks: Sequence[str],
    act: Callable[[str], Interaction],
    *,
    semantics: Semantics,
    model: str,
    output: str | os.PathLike[str] | None = None,
    **options: Unpack[AskingOptions],
) -> Asked:
    """Act in tasks of a suite, one after the other or several at the same time.

    The files are the same in both cases, if the agent does the same.

    Args:
        suite: The suite of the tasks.
        tasks: Identifiers of the tasks.
        act: Acts in one task (see :func:`eai.agents.interaction.interact`); with several workers
            it is called from several threads.
        semantics: Under which semantics ``act`` acts.
        model: What the agent is called in the report.
        output: A folder for the records, the tables, the page and the transcripts
            (:data:`TRANSCRIPTS`). A run that was interrupted there, or for which an agent could
            not be asked, resumes where it stopped.
        **options: How it is asked (:class:`AskingOptions`): by default in one task at a time.

    Raises:
        InputError: If there is no task, if ``workers`` is not positive, if the folder cannot be
            written, and what ``act`` raises.
        OutputExistsError: If ``output`` holds another run and ``force`` is off.
    """
    if not tasks:
        raise InputError("there is no task to act in", expected="at least one task")
    workers, force = options.get("workers", 1), options.get("force", False)
    sampling, progress = options.get("sampling"), options.get("progress")
    if workers < 1:
        raise InputError(f"{workers} workers", expected="a whole number from 1")
    setting = Setting(suite.name, version_of(suite, INTERACTION), INTERACTION, str(semantics))
    failures = dict[str, str]()
    with _run(output, setting, model, semantics, suite.content, force=force) as (
        run,
        before,
        write,
    ):
        other = next((task for task in before if task not in tasks), None)
        if other is not None:
            raise InputError(
                f"the run that was interrupted there was also about the task {other!r}",
                where=str(output),
                expected="the same tasks, so that it can go on",
                mend="name the same tasks, or start over (force=True, --force)",
            )
        kept = [before[task] for task in tasks if task in before]
        waiting = [task for task in tasks if task not in before]
        outcomes = _outcomes(partial(_acted, act), waiting, workers)
        for done, (task, found, row) in enumerate(outcomes, len(kept) + 1):
            if isinstance(found, ModelError):
                failures[task] = found.what
            else:
                kept.append(found.record(model))
                write(kept[-1], found.to_json(model, sampling))
            if progress is not None:
                progress(done, len(tasks))
            if row == _MOST_FAILURES:
                break
        order = {task: number for number, task in enumerate(tasks)}
        records = sorted(kept, key=lambda record: order[record.task])
        report = Report(records, setting=setting)
        if run is not None and not failures:
            run.save(record_to_json(record).encode("ascii") for record in records)
            run.finish(report)
    if output is not None and workers > 1:
        path = Path(output) / TRANSCRIPTS
        lines = sorted(_transcripts(path, order), key=lambda line: order[str(_task(line))])
        with replacing(path, force=True) as stream:
            stream.writelines(lines)
    return Asked(report, failures, len(tasks) - len(records) - len(failures))


@contextmanager
def _run(
    output: str | os.PathLike[str] | None,
    setting: Setting,
    model: str,
    semantics: Semantics,
    content: str,
    *,
    force: bool,
) -> Iterator[tuple[RunFolder | None, Mapping[str, Record], Callable[[Record, str], None]]]:
    """The folder of a run, what an interrupted one left there, and what writes an episode there."""
    if output is None:
        yield None, {}, lambda _record, _transcript: None
        return
    with (
        closing(RunFolder(output, setting, semantics, force=force, content=content)) as run,
        run.journal,
    ):
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


def transcript_logs(folder: Path) -> dict[tuple[str, str], Sequence[Mapping[str, object]]]:
    """Return what agents noted of what they decided, by the names of the agent and the task.

    Without transcripts there is no log.
    """
    path, found = folder / TRANSCRIPTS, dict[tuple[str, str], Sequence[Mapping[str, object]]]()
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        with suppress(ValueError):
            value = load_json(line)
            if isinstance(value, dict) and isinstance(value.get("log"), list):
                log = [entry for entry in value["log"] if isinstance(entry, dict)]
                found[str(value.get("model")), str(value.get("id"))] = log
    return found


def _transcripts(path: Path, tasks: Container[str]) -> list[str]:
    """Whole lines of a file of transcripts that are about some of the tasks."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", errors="replace") as stream:
        return [line for line in stream if _task(line) in tasks]


def _task(line: str) -> object:
    try:
        value = load_json(line)
    except ValueError:
        return None
    return value.get("id") if isinstance(value, dict) and line.endswith("\n") else None
