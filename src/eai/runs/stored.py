"""Reports whose records stay on disk."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import overload

from eai.report import Record, Report, Setting, Tally, View, record_from_json

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
        self.path = path
        self._tasks = tasks
        self._models = models
        self._chosen = range(tasks * models)
        # Positions in the file as bare 64-bit numbers: a list of objects takes five times as much.
        self._positions = array("Q")
        position = 0
        with path.open("rb") as stream:
            for number, line in enumerate(stream):
                if number % _LINES_PER_POSITION == 0:
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

    def _part(self, chosen: range) -> StoredRecords:
        """Return some of the records."""
        part = copy(self)
        part._chosen = chosen  # noqa: SLF001  # a copy of this
        return part

    def __len__(self) -> int:
        return len(self._chosen)

    def __iter__(self) -> Iterator[Record]:
        return self._read(self._chosen)

    @overload
    def __getitem__(self, index: int) -> Record: ...

    @overload
    def __getitem__(self, index: slice) -> StoredRecords: ...

    def __getitem__(self, index: int | slice) -> Record | StoredRecords:
        if isinstance(index, slice):
            return self._part(self._chosen[index])
        return next(self._read((self._chosen[index],)))

    def _read(self, numbers: Iterable[int]) -> Iterator[Record]:
        """Yield the records with some indices."""
        next_line: int | None = None  # where the stream stands
        with self.path.open("rb") as stream:
            for number in numbers:
                model, task = divmod(number, self._tasks)
                line = task * self._models + model
                if line != next_line:
                    # The nearest position before the line is known; lines from there are skipped.
                    stream.seek(self._positions[line // _LINES_PER_POSITION])
                    for _ in range(line % _LINES_PER_POSITION):
                        stream.readline()
                yield record_from_json(stream.readline(), where=str(self.path))
                next_line = line + 1


class StoredReport(Report):
    """A report whose records stay on disk.

    Args:
        tallies: The counts of every model.
        samples: Number of samples of each model, which stand one after the other; 1 by default.

    Attributes:
        path: The file of the records.
    """

    def __init__(
        self,
        records: StoredRecords,
        tallies: Mapping[str, Tally],
        notes: Iterable[str] = (),
        *,
        setting: Setting,
        view: View | None = None,
        samples: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__((), notes, setting=setting, view=view)
        self.records = self._stored = records
        self.path = records.path
        self._counts = dict(tallies)
        self._samples = dict(samples or dict.fromkeys(tallies, 1))

    @cached_property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in their order."""
        return tuple(self._counts)

    def of(self, model: str) -> Sequence[Record]:
        """Return the records of one model.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        index = self.models.index(self._checked_model(model))
        before = sum(self._samples[name] for name in self.models[:index])
        return self._stored.model(before, self._samples[model])

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
