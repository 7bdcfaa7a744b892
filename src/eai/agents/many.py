"""One agent and many prompts or tasks.

Each answer, episode or dialogue is written as soon as it is complete, so an interrupted call
resumes where it stopped. Prompts and tasks for which the agent could not be asked are left out of
the files and of every count; after a few such failures in a row nothing more is asked.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypedDict, TypeVar

from eai.acting import Answer, End, Ending, add_usage, ask_agent, checked_answer
from eai.agents.agents import Agent
from eai.agents.interaction import Interaction
from eai.agents.prompts import Prompt
from eai.agents.replanning import Replanning
from eai.contract import INTERACTION, Suite, is_trivial, note_on_trivial, version_of
from eai.errors import InputError, ModelError, SchemaError
from eai.files import refuse_existing, replacing, writing_to
from eai.nesting import load_json
from eai.report import Record, Report, Setting, record_from_json, record_to_json
from eai.runs import RunFolder, RunTarget
from eai.semantics import Semantics

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from eai.logic import Rule

_MAX_FAILURES = 5
"""Number of failures in a row after which nothing more is asked."""

TRANSCRIPTS = "transcripts.jsonl"
"""Name of the file of transcripts in the folder of a run."""

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

Progress = Callable[[int, int], None]
"""Called with the number of finished answers, episodes or dialogues and the number of all."""


@dataclass(frozen=True, slots=True)
class Collection:
    """A file of collected answers.

    Args:
        asked: Number of new answers.
        kept: Number of answers that were there before.
        failures: Identifier of each prompt without an answer to the reason.
        usage: Sums of the tokens of new answers, by the endpoint's names.
        endings: Identifiers of new answers by how they ended, if not by themselves.
    """

    path: Path
    asked: int
    kept: int
    failures: Mapping[str, str] = field(default_factory=dict)
    usage: Mapping[str, float] = field(default_factory=dict)
    endings: Mapping[Ending, Sequence[str]] = field(default_factory=dict)


class AskingOptions(TypedDict, total=False):
    """Options for asking an agent about many tasks."""

    workers: int
    """Number of tasks that are asked about at the same time, while an agent waits for its
    model."""
    sampling: Mapping[str, object] | None
    """Sampling parameters of the model (``{"temperature": 0.7}``), which are written with every
    answer."""
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

    A line also has the token counts and the finish reason of the answer (``usage``,
    ``finish_reason``), and its details, if the agent provides them (:class:`eai.acting.Answer`).

    Args:
        agent: The agent; it is called from several threads.
        prompts: The prompts; each is one message of the user.
        path: The file. Answers of the same model to the same prompts that are in it are kept,
            and not asked for again.
        model: Name of the model, which is written with every answer.
        epoch: Number of the sample, if the same prompts are asked several times; 0 if each is
            asked once.
        **options: Number of workers, sampling and progress (:class:`AskingOptions`); by default
            four prompts are asked at a time.

    Raises:
        InputError: If the file holds answers of another model, to other prompts or under other
            sampling, and ``force`` is off; if it cannot be written; if ``workers`` is not
            positive; if an answer is not a text; or if the agent cannot be used at all.
        SchemaError: If the file is not a file of answers.
        ModelError: If the model could not be asked several times in a row.
    """
    workers = _number_of_workers(options, usual=4)
    force = options.get("force", False)
    progress = options.get("progress")
    all_prompts = list(prompts)
    answer_file = Path(path)
    refuse_existing(answer_file, force=True)
    # All lines of a file have the same origin.
    origin = {"model": model, "sampling": dict(options.get("sampling") or {})}
    answered_before = frozenset[str]()
    if answer_file.exists() and not force:
        answered_before = _answered_ids(answer_file, origin, all_prompts, epoch)
    open_prompts = [prompt for prompt in all_prompts if prompt.id not in answered_before]
    number_of_answers = 0
    failures: dict[str, str] = {}
    usage: dict[str, float] = {}
    endings: dict[Ending, list[str]] = {}
    mode = "w" if force else "a"
    with writing_to(answer_file), answer_file.open(mode, encoding="utf-8") as stream:
        outcomes = _results_or_errors(partial(_answer_to, agent), open_prompts, workers)
        for prompt, answer, failures_in_row in outcomes:
            if isinstance(answer, ModelError):
                # A single prompt may be refused, but several failures in a row mean that the
                # endpoint is down.
                if failures_in_row == _MAX_FAILURES:
                    raise answer
                failures[prompt.id] = answer.what
                continue
            if isinstance(answer, Answer):
                add_usage(usage, answer.usage)
                for ending in answer.endings:
                    endings.setdefault(ending, []).append(prompt.id)
            stream.write(_answer_line(prompt, answer, {"epoch": epoch, **origin}))
            stream.flush()  # an interrupted call must keep the answers that were paid for
            number_of_answers += 1
            if progress is not None:
                progress(len(answered_before) + number_of_answers, len(all_prompts))
    return Collection(
        answer_file, number_of_answers, len(answered_before), failures, usage, endings
    )


def _number_of_workers(options: AskingOptions, *, usual: int) -> int:
    """Return the number of workers, which must be at least one."""
    workers = options.get("workers", usual)
    if workers < 1:
        raise InputError(f"{workers} workers", expected="a whole number from 1")
    return workers


def _answer_line(prompt: Prompt, answer: str, about: Mapping[str, object]) -> str:
    """Return a collected answer as a line of JSON.

    Args:
        prompt: The prompt that was answered.
        answer: The answer.
        about: The sample, the model and its sampling.
    """
    line: dict[str, object] = {"id": prompt.id, "output": answer}
    entries = dict(about)
    if isinstance(answer, Answer):
        entries["usage"] = answer.usage
        entries["finish_reason"] = answer.finish_reason
        # Last, so that an agent of one's own cannot write over the entries above.
        for key, detail in answer.details.items():
            entries.setdefault(key, detail)
    # An empty answer is written, but other empty entries are omitted.
    for key, value in entries.items():
        if value:
            line.setdefault(key, value)
    line["prompt_sha256"] = _prompt_hash(prompt)
    return f"{json.dumps(line)}\n"


def _results_or_errors(
    call: Callable[[_Item], _Result], items: Iterable[_Item], workers: int
) -> Iterator[tuple[_Item, _Result | ModelError, int]]:
    """Yield each item with its result, or with the error if the agent failed.

    Args:
        call: Asks an agent about an item.
        items: The items.
        workers: Number of items that are worked on at the same time.

    Yields:
        The item, its result, and the number of failures in a row up to this item.
    """

    # The error is returned as a value, so that a failure of one item does not end the others.
    def outcome(item: _Item) -> _Result | ModelError:
        try:
            return call(item)
        except ModelError as error:
            return error

    failures_in_row = 0
    for item, result in _results_as_completed(outcome, items, workers):
        if isinstance(result, ModelError):
            failures_in_row += 1
        else:
            failures_in_row = 0
        yield item, result, failures_in_row


def _results_as_completed(
    call: Callable[[_Item], _Result], items: Iterable[_Item], workers: int
) -> Iterator[tuple[_Item, _Result]]:
    """Yield each item with its result in order of completion, several at a time.

    Args:
        call: Returns the result of an item. An exception that it raises ends the iteration.
        items: The items, taken one by one.
        workers: Number of threads.
    """
    remaining = iter(items)
    if workers == 1:  # in this thread, which may belong to a terminal
        for item in remaining:
            yield item, call(item)
        return
    with ThreadPoolExecutor(workers) as pool:
        running: dict[Future[_Result], _Item] = {}
        try:
            while True:
                # At most as many tasks are submitted as there are workers, so that none is pending
                # if the caller stops.
                for item in islice(remaining, workers - len(running)):
                    running[pool.submit(call, item)] = item
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _answer_to(agent: Agent, prompt: Prompt) -> str:
    """Return the answer of an agent to a prompt, which is one message of the user."""
    return checked_answer(ask_agent(agent, [{"role": "user", "content": prompt.prompt}]))


def _prompt_hash(prompt: Prompt) -> str:
    """Return a hash of the text of a prompt."""
    return hashlib.sha256(prompt.prompt.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _answered_ids(
    path: Path, origin: Mapping[str, object], prompts: Sequence[Prompt], epoch: int
) -> frozenset[str]:
    """Return the identifiers of the prompts that a file already answers.

    A last line that was cut off is removed from the file.

    Args:
        path: The file.
        origin: Model and sampling of the answers.
        prompts: The prompts.
        epoch: Number of the sample; answers of other samples may be in the file, too.

    Raises:
        InputError: If an answer is of another model, prompt or sampling.
        SchemaError: If a line is not a collected answer.
    """
    prompt_hashes = {prompt.id: _prompt_hash(prompt) for prompt in prompts}
    answered: set[str] = set()
    with writing_to(path), path.open("rb+") as stream:
        complete_bytes = 0
        for line_number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):  # cut off when the process ended
                break
            complete_bytes += len(line)
            where = f"{path}:{line_number}"
            answer = _read_answer(line, where)
            prompt_id = answer["id"]
            _refuse_other(answer, origin, prompt_hashes.get(prompt_id), where)
            if answer.get("epoch", 0) == epoch:
                answered.add(prompt_id)
        stream.truncate(complete_bytes)
    return frozenset(answered & prompt_hashes.keys())


def _refuse_other(
    answer: Mapping[str, Any],
    expected_origin: Mapping[str, object],
    prompt_hash: str | None,
    where: str,
) -> None:
    """Refuse an answer by another model, or to another prompt or sampling setting.

    Args:
        answer: The answer.
        expected_origin: Model and sampling that it should be of.
        prompt_hash: Hash of its prompt; None if there is no such prompt any more.
        where: Location for error messages.
    """
    # An empty sampling is left out of the line.
    differing = [key for key, value in expected_origin.items() if answer.get(key, {}) != value]
    if prompt_hash not in (None, answer["prompt_sha256"]):
        differing.append("prompt")
    if not differing:
        return
    problem = f"was made with another {differing[0]}"
    if differing[0] == "model":
        problem = f"is from the model {answer['model']!r}"
    raise InputError(
        f"the answer to {answer['id']!r} {problem}",
        where=where,
        expected=f"answers of {expected_origin['model']!r} to these prompts, with this sampling",
        mend="choose another file, or replace this one (force=True, --force)",
    )


def _read_answer(line: bytes, where: str) -> Mapping[str, Any]:
    """Return a collected answer from a line of JSON."""
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
    """The outcome of asking an agent for many tasks.

    Args:
        failures: Identifier of each task for which the agent could not be asked, to the reason.
            They are not in the report.
        left: Number of tasks that were not begun.
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
        force: Whether an existing file may be replaced.
        sampling: Sampling parameters of a model, which are written with every task.
        progress: Called after every task.

    Raises:
        InputError: If the file cannot be written, and what ``attempt`` raises.
        OutputExistsError: If it exists and ``force`` is off.
    """
    dialogues: list[Replanning] = []
    failures: dict[str, str] = {}
    # Without a file, the lines are written to the null device.
    path = Path(os.devnull)
    if output is not None:
        path = Path(output)
        refuse_existing(path, force=force)
    with writing_to(path), path.open("w", encoding="utf-8") as stream:
        outcomes = _results_or_errors(attempt, tasks, 1)
        for tasks_done, (task, outcome, failures_in_row) in enumerate(outcomes, start=1):
            if isinstance(outcome, ModelError):
                failures[task] = outcome.what
                if failures_in_row == _MAX_FAILURES:
                    break
            else:
                dialogues.append(outcome)
                stream.write(f"{outcome.to_json(sampling)}\n")
                # An interrupted process must keep the answers that were paid for.
                stream.flush()
            if progress is not None:
                progress(tasks_done, len(tasks))
    records = [dialogue.record("first attempt", attempt=1) for dialogue in dialogues]
    records += [dialogue.record("last attempt") for dialogue in dialogues]
    number_not_asked = len(tasks) - len(dialogues) - len(failures)
    report = Report(records)
    _add_note_on_trivial(report)
    return Asked(report, failures, number_not_asked)


def _add_note_on_trivial(report: Report) -> None:
    """Add to a report which of its tasks can be solved by saying nothing."""
    trivial = [record for record in report.records if is_trivial(record.result)]
    tasks = list(dict.fromkeys(record.task for record in trivial))
    left_out = any(record.result.status == "excluded" for record in trivial)
    note = note_on_trivial(tasks, left_out=left_out)
    if note:
        report.notes = (*report.notes, note)


def _act_or_raise(act: Callable[[str], Interaction], task: str) -> Interaction:
    """Return the episode of a task.

    Raises:
        ModelError: If the agent could not be asked in it.
    """
    interaction = act(task)
    if interaction.episode.end == End.AGENT_FAILURE:
        raise ModelError(interaction.episode.note)
    return interaction


def interact_all(
    suite: Suite,
    tasks: Sequence[str],
    act: Callable[[str], Interaction],
    *,
    semantics: Semantics,
    model: str,
    output: str | os.PathLike[str] | None = None,
    rules: Sequence[Rule] = (),
    **options: Unpack[AskingOptions],
) -> Asked:
    """Act in tasks of a suite, one after the other or several at the same time.

    The files do not depend on the number of workers, if the agent is deterministic.

    Args:
        suite: The suite of the tasks.
        tasks: Identifiers of the tasks.
        act: Acts in one task (see :func:`eai.agents.interaction.interact`); with several workers
            it is called from several threads.
        semantics: The semantics under which ``act`` acts.
        model: Name of the agent in the report.
        output: A folder for the records, the tables, the page and the transcripts
            (:data:`TRANSCRIPTS`). If the folder holds an interrupted run, or one in which the
            agent could not be asked, this run is resumed.
        rules: The rules by which ``act`` judges episodes.
        **options: Number of workers, sampling and progress (:class:`AskingOptions`); by default
            one task at a time.

    Raises:
        InputError: If there is no task, if ``workers`` is not positive, if the folder cannot be
            written, or if ``act`` raises it.
        OutputExistsError: If ``output`` holds another run and ``force`` is off.
    """
    if not tasks:
        raise InputError("there is no task to act in", expected="at least one task")
    workers = _number_of_workers(options, usual=1)
    force = options.get("force", False)
    sampling = options.get("sampling")
    progress = options.get("progress")
    setting = Setting(suite.name, version_of(suite, INTERACTION), INTERACTION, str(semantics))
    failures: dict[str, str] = {}
    run_target = None
    if output is not None:
        run_target = RunTarget(output, force)
    with _open_run(
        run_target, setting, model, semantics, content=suite.content, rules=rules
    ) as run:
        _refuse_other_tasks(run.before, tasks, where=str(output))
        records = [run.before[task] for task in tasks if task in run.before]
        open_tasks = [task for task in tasks if task not in run.before]
        outcomes = _results_or_errors(partial(_act_or_raise, act), open_tasks, workers)
        # The records of an interrupted run are counted first.
        for tasks_done, (task, outcome, failures_in_row) in enumerate(outcomes, len(records) + 1):
            if isinstance(outcome, ModelError):
                failures[task] = outcome.what
            else:
                record = outcome.record(model)
                records.append(record)
                run.write(record, outcome.to_json(model, sampling))
            if progress is not None:
                progress(tasks_done, len(tasks))
            if failures_in_row == _MAX_FAILURES:
                break
        # Several workers finish in any order; the report has the tasks in the order given.
        task_positions = {task: position for position, task in enumerate(tasks)}
        records.sort(key=lambda record: task_positions[record.task])
        report = Report(records, setting=setting)
        _add_note_on_trivial(report)
        # With failures the run stays incomplete, so that the same command tries these tasks again.
        if not failures:
            run.finish(report)
    if output is not None and workers > 1:
        _sort_transcripts(Path(output) / TRANSCRIPTS, task_positions)
    return Asked(report, failures, len(tasks) - len(records) - len(failures))


def _sort_transcripts(path: Path, order: Mapping[str, int]) -> None:
    """Sort transcripts into task order, as a single worker would have written them."""
    lines = _transcripts_about(path, order)
    lines.sort(key=lambda line: order[str(_task_of_transcript(line))])
    with replacing(path, force=True) as stream:
        stream.writelines(lines)


def _refuse_other_tasks(tasks_before: Iterable[str], tasks: Container[str], *, where: str) -> None:
    """Refuse to resume a run that includes other tasks.

    Args:
        tasks_before: The tasks that the interrupted run has finished.
        tasks: The tasks of this run.
        where: Location for error messages.
    """
    for task in tasks_before:
        if task not in tasks:
            raise InputError(
                f"the run that was interrupted there was also about the task {task!r}",
                where=where,
                expected="the same tasks, so that it can go on",
                mend="name the same tasks, or start over (force=True, --force)",
            )


@dataclass(frozen=True, slots=True)
class _EpisodeFiles:
    """Writes the episodes of a run, or nothing without a folder.

    Args:
        folder: The folder of the run; None if it has none.
        before: The record of each task that an interrupted run has finished.
        transcripts: The open file of transcripts; None without a folder.
    """

    folder: RunFolder | None = None
    before: Mapping[str, Record] = field(default_factory=dict)
    transcripts: TextIO | None = None

    def write(self, record: Record, transcript: str) -> None:
        """Write the record and the transcript of an episode."""
        if self.folder is None or self.transcripts is None:
            return
        with writing_to(self.folder.path / TRANSCRIPTS):
            self.transcripts.write(f"{transcript}\n")
            self.transcripts.flush()
        # The record comes last, because a task with a record is not acted in again.
        line = record_to_json(record)
        self.folder.journal.put(record.task, record.model, b"", line, wait=False)

    def finish(self, report: Report) -> None:
        """Write the records and the report of the whole run."""
        if self.folder is None:
            return
        self.folder.save(record_to_json(record).encode("ascii") for record in report.records)
        self.folder.finish(report)


@contextmanager
def _open_run(
    target: RunTarget | None,
    setting: Setting,
    model: str,
    semantics: Semantics,
    *,
    content: str,
    rules: Sequence[Rule],
) -> Iterator[_EpisodeFiles]:
    """Open the folder of a run, if there is one, and yield a writer of episodes.

    Args:
        target: The folder; None if nothing is written.
        setting: Suite, ability and semantics of the run.
        model: Name of the agent in the report.
        semantics: The semantics.
        content: Hash of the suite's data.
        rules: The rules by which episodes are judged.
    """
    if target is None:
        yield _EpisodeFiles()
        return
    run_folder = RunFolder(target, setting, semantics, content=content, rules=rules)
    with closing(run_folder) as folder, folder.journal:
        folder.begin([model])
        records_before: dict[str, Record] = {}
        for line in folder.journal.lines():
            record = record_from_json(line)
            records_before[record.task] = record
        path = folder.path / TRANSCRIPTS
        with writing_to(path):
            # A transcript is written before its record, so the last one may have none: its episode
            # is acted again.
            kept = _transcripts_about(path, records_before)
            stream = path.open("w", encoding="ascii", newline="\n")
        with stream:
            stream.writelines(kept)
            yield _EpisodeFiles(folder, records_before, stream)


def transcript_logs(folder: Path) -> dict[tuple[str, str], Sequence[Mapping[str, object]]]:
    """Return the decision logs of agents by (agent, task).

    Empty if the run has no transcripts.
    """
    logs: dict[tuple[str, str], Sequence[Mapping[str, object]]] = {}
    path = folder / TRANSCRIPTS
    if not path.exists():
        return logs
    for line in path.read_text("utf-8").splitlines():
        try:
            transcript = load_json(line)
        except ValueError:  # cut off when the run was killed
            continue
        if isinstance(transcript, dict) and isinstance(transcript.get("log"), list):
            log = [entry for entry in transcript["log"] if isinstance(entry, dict)]
            logs[str(transcript.get("model")), str(transcript.get("id"))] = log
    return logs


def _transcripts_about(path: Path, tasks: Container[str]) -> list[str]:
    """Return the complete lines of a transcript file about some tasks."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", errors="replace") as stream:
        return [line for line in stream if _task_of_transcript(line) in tasks]


def _task_of_transcript(line: str) -> object:
    """Return the task of a transcript line, or None if the line is broken."""
    try:
        transcript = load_json(line)
    except ValueError:
        return None
    if not isinstance(transcript, dict) or not line.endswith("\n"):
        return None
    return transcript.get("id")
