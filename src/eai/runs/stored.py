"""Reports whose records stay on disk."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import overload

from eai.report import Record, Report, Setting, Tally, UsageSums, View, record_from_json

_LINES_PER_POSITION = 8
"""The position of one line in so many is held; the others are found by reading on from it."""


class StoredRecords(Sequence[Record]):
    """The records of a file by model, though the file is sorted by task.

    Record number ``model * tasks + task`` of the sequence is line ``task * models + model`` of the
    file. Reading on costs one line, jumping at most :data:`_LINES_PER_POSITION` lines.

    Args:
        path: The file; it may not change any more.
        tasks: Number of tasks.
        models: Number of models, each counted as often as it has samples.
    """

    def __init__(self, path: Path, *, tasks: int, models: int) -> None:
        """Read the file once, and note the positions of some lines to jump to."""
        self.path = path
        self._tasks = tasks
        self._models = models
        self._indices = range(tasks * models)
        # Positions in the file as bare 64-bit numbers: a list of objects takes five times as much.
        self._positions = array("Q")
        position = 0
        with path.open("rb") as stream:
            for line_index, line in enumerate(stream):
                if line_index % _LINES_PER_POSITION == 0:
                    self._positions.append(position)
                position += len(line)

    def model(self, number: int, samples: int = 1) -> StoredRecords:
        """Return the records of one model, which may have several samples."""
        return self._part(range(number * self._tasks, (number + samples) * self._tasks))

    def in_order(self) -> Iterator[Record]:
        """Yield all records as they lie in the file, task by task."""
        with self.path.open("rb") as stream:
            for line in stream:
                yield record_from_json(line, where=str(self.path))

    def _part(self, indices: range) -> StoredRecords:
        """Return the records with some indices as a sequence of their own."""
        part = copy(self)
        part._indices = indices  # noqa: SLF001  # a copy of this
        return part

    def __len__(self) -> int:
        return len(self._indices)

    def __iter__(self) -> Iterator[Record]:
        return self._read(self._indices)

    @overload
    def __getitem__(self, index: int) -> Record: ...

    @overload
    def __getitem__(self, index: slice) -> StoredRecords: ...

    def __getitem__(self, index: int | slice) -> Record | StoredRecords:
        if isinstance(index, slice):
            return self._part(self._indices[index])
        return next(self._read((self._indices[index],)))

    def _read(self, indices: Iterable[int]) -> Iterator[Record]:
        """Yield the records with some indices."""
        next_line_index: int | None = None  # the line at the current position of the stream
        with self.path.open("rb") as stream:
            for index in indices:
                model_index, task_index = divmod(index, self._tasks)
                line_index = task_index * self._models + model_index
                if line_index != next_line_index:
                    # The nearest position before the line is known; lines from there are skipped.
                    stream.seek(self._positions[line_index // _LINES_PER_POSITION])
                    for _ in range(line_index % _LINES_PER_POSITION):
                        stream.readline()
                yield record_from_json(stream.readline(), where=str(self.path))
                next_line_index = line_index + 1


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over the records of each model, so that these need not be read.

    Args:
        tallies: The counts of every model.
        samples: Number of samples of each model, which stand one after the other.
        usages: The usage of every model.
    """

    tallies: Mapping[str, Tally]
    samples: Mapping[str, int]
    usages: Mapping[str, UsageSums]


class StoredReport(Report):
    """A report whose records stay on disk.

    Args:
        records: The records.
        sums: Sums over them.
        notes: The notes of the report.
        setting: How the records were made.
        view: How the report is shown.

    Attributes:
        path: The file of the records.
    """

    def __init__(
        self,
        records: StoredRecords,
        sums: Sums,
        notes: Iterable[str] = (),
        *,
        setting: Setting,
        view: View | None = None,
    ) -> None:
        """Take the sums as they are: the records are not read."""
        super().__init__((), notes, setting=setting, view=view)
        self._stored = records
        self.records = records
        self.path = records.path
        self._counts = dict(sums.tallies)
        self._samples = dict(sums.samples)
        self._usages = sums.usages

    @cached_property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in their order."""
        return tuple(self._counts)

    def of(self, model: str) -> Sequence[Record]:
        """Return the records of one model.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        model_index = self.models.index(self._checked_model(model))
        samples_before = sum(self._samples[name] for name in self.models[:model_index])
        return self._stored.model(samples_before, self._samples[model])

    def by_task(self) -> Iterator[Sequence[Record]]:
        """Yield the samples of each task and model, in one pass over the file."""
        for _, of_task in groupby(self._stored.in_order(), key=attrgetter("task")):
            samples: dict[str, list[Record]] = {}
            for record in of_task:
                samples.setdefault(record.model, []).append(record)
            yield from samples.values()

    @cached_property
    def _sample_counts(self) -> dict[str, int]:
        return self._samples

    @cached_property
    def _tallies(self) -> dict[str, Tally]:
        return self._counts
