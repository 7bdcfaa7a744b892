"""Acting in many tasks of a suite: a report, records, and transcripts that can be judged again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from eai.agents.interaction import Interaction
from eai.contract import INTERACTION, Suite
from eai.errors import InputError
from eai.files import writing_to
from eai.interaction.episode import End
from eai.report.record import Record
from eai.report.report import Report, Setting
from eai.runs.folder import RunFolder
from eai.semantics import Semantics

__all__ = ["TRANSCRIPTS", "Episodes", "interact_all"]

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
        report: The report.
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
    run = RunFolder(output, setting, models=[model], quirks=semantics.quirks, force=force)
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
