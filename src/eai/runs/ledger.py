"""The record file of a run that grows shard by shard, with a journal of what is in it.

A shard counts when its line stands in the journal. What stands behind that in the record file is
from a run that was interrupted: if it is what the next shards have to be, it is kept; else it is
cut off and written again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from eai.files import writing_to
from eai.report.records import record_from_json
from eai.runs.folder import changed_answer
from eai.runs.shards import Summary, Summing

__all__ = ["Expected", "Ledger"]


class Expected(NamedTuple):
    """What a record has to be about.

    Args:
        column: Number of the model.
        model: Its name.
        task: Identifier of the task.
        output: The answer.
    """

    column: int
    model: str
    task: str
    output: str


class Ledger:
    """A record file that grows by whole shards, in their order; use it in a ``with`` block.

    Args:
        records: The record file.
        journal: The journal.
        models: Number of the models.

    Attributes:
        done: Number of the tasks whose records are in the file.

    Raises:
        InputError: If a file cannot be written.
    """

    def __init__(self, records: Path, journal: Path, *, models: int) -> None:
        self.path = records
        self.done = 0
        self._models = models
        self._size = 0
        self._summing = Summing(models)
        with writing_to(records):
            self._stream = records.open("a+b")
        with writing_to(journal):
            self._journal = journal.open("a+b")
            self._journal.truncate(self._read())

    def __enter__(self) -> Ledger:  # noqa: PYI034  # typing.Self needs Python 3.11
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._journal.close()

    @property
    def summary(self) -> Summary:
        """What all records in the file add up to."""
        return self._summing.summary()

    def _read(self) -> int:
        """Take in what the journal says; return how much of it is whole and true."""
        there, whole = self._stream.tell(), 0
        self._journal.seek(0)
        for line in self._journal:
            entry = _entry(line)
            if entry is None or entry["size"] > there:
                break
            self.done, self._size = entry["done"], entry["size"]
            self._summing.include(Summary.from_json(entry["summary"]))
            whole += len(line)
        return whole

    def adopt(self, tasks: range, expected: Iterable[Expected]) -> bool:
        """Keep the records of the next shard if they stand in the file; return whether they do.

        Raises:
            InputError: If there are records of something else.
        """
        summing, size = Summing(self._models), self._size
        self._stream.seek(size)
        for wanted in expected:
            line = self._stream.readline()
            if not line.endswith(b"\n"):
                return False
            record = record_from_json(line, where=str(self.path))
            if (record.model, record.task, record.output) != wanted[1:]:
                raise changed_answer(self.path, wanted.model, wanted.task)
            summing.add(wanted.column, record)
            size += len(line)
        self._note(tasks, size, summing.summary())
        return True

    def cut(self) -> None:
        """Remove what stands behind the last shard that counts."""
        with writing_to(self.path):
            self._stream.truncate(self._size)
            self._stream.seek(self._size)

    def append(self, tasks: range, part: Path) -> None:
        """Put the records of the next shard behind the others, and remove its part.

        Raises:
            InputError: If a file cannot be written.
        """
        beside = part.with_suffix(".json")
        with writing_to(self.path):
            with part.open("rb") as source:
                shutil.copyfileobj(source, self._stream)
            self._stream.flush()
            self._note(tasks, self._stream.tell(), Summary.from_json(beside.read_text("ascii")))
            part.unlink()
            beside.unlink()

    def _note(self, tasks: range, size: int, summary: Summary) -> None:
        entry = {"done": tasks.stop, "size": size, "summary": summary.to_json()}
        with writing_to(self.path):
            self._journal.write(f"{json.dumps(entry)}\n".encode("ascii"))
            self._journal.flush()
        self.done, self._size = tasks.stop, size
        self._summing.include(summary)


def _entry(line: bytes) -> Any:  # noqa: ANN401
    """What a line of the journal says; None if it is cut off or damaged."""
    try:
        return json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None
