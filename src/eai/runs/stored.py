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

_EVERY = 8
"""The place of every so many-th line is remembered."""


class StoredRecords(Sequence[Record]):
    """Records of a file in which they stand task by task, in the order model by model.

    Args:
        path: The file; it may not change any more.
        tasks: Number of the tasks.
        models: Number of the models, each as often as it has samples.
    """

    def __init__(self, path: Path, *, tasks: int, models: int) -> None:
        self.path = path
        self._tasks = tasks
        self._models = models
        self._chosen = range(tasks * models)
        self._positions = array("Q")
        place = 0
        with path.open("rb") as stream:
            for number, line in enumerate(stream):
                if number % _EVERY == 0:
                    self._positions.append(place)
                place += len(line)

    def model(self, number: int, samples: int = 1) -> StoredRecords:
        """Return the records of one model, which may have several samples."""
        return self._part(range(number * self._tasks, (number + samples) * self._tasks))

    def in_order(self) -> Iterator[Record]:
        """Yield all records as they lie in the file, task by task."""
        with self.path.open("rb") as stream:
            for line in stream:
                yield record_from_json(line, where=str(self.path))

    def _part(self, chosen: range) -> StoredRecords:
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

    def _read(self, locations: Iterable[int]) -> Iterator[Record]:
        following = -1
        with self.path.open("rb") as stream:
            for place in locations:
                model, task = divmod(place, self._tasks)
                number = task * self._models + model
                if number != following:
                    stream.seek(self._positions[number // _EVERY])
                    for _ in range(number % _EVERY):
                        stream.readline()
                yield record_from_json(stream.readline(), where=str(self.path))
                following = number + 1


class StoredReport(Report):
    """A report whose records stay on disk.

    Args:
        tallies: The counts of every model.
        samples: How many samples each model has, one after the other.

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
        place = self.models.index(self._known(model))
        before = sum(self._samples[each] for each in self.models[:place])
        return self._stored.model(before, self._samples[model])

    def _by_task(self) -> Iterator[Sequence[Record]]:
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
