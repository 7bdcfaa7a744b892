"""Answers that wait on disk: written as they are read, found again by where they stand.

``answers.jsonl`` holds a line ``[identifier, answer]`` for each, in the order in which they come;
``answers.index`` says where: for every model eight bytes a task, in the order of the suite, one
more than the offset of the line, or zero if there is no answer. If only some tasks are judged, the
index has only those, and ``tasks.index`` says which they are: eight bytes each, their numbers.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from eai.files import writing_to

__all__ = ["AnswerFile", "StoredAnswers", "answers_of", "judged_of"]

_LINES = "answers.jsonl"
_INDEX = "answers.index"
_JUDGED = "tasks.index"
_WIDTH = 8


class AnswerFile:
    """The answers of all models, on disk; use it in a ``with`` block.

    Args:
        folder: Where the two files are written; those that are there are replaced.
        tasks: Identifiers of the suite's tasks, in its order.
        canonical: Which task an identifier in a file means.

    Raises:
        InputError: If the files cannot be written.
    """

    def __init__(self, folder: Path, tasks: Sequence[str], canonical: Callable[[str], str]) -> None:
        self._path = folder / _LINES
        self._index = folder / _INDEX
        self._judged = folder / _JUDGED
        self._places = {task: place for place, task in enumerate(tasks)}
        self._canonical = canonical
        self._size = 0
        self._hash = blake2b(digest_size=16)
        with writing_to(self._path):
            self._stream = self._path.open("wb")
            self._again = self._path.open("rb")

    def __enter__(self) -> AnswerFile:  # noqa: PYI034  # typing.Self needs Python 3.11
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._again.close()

    def task(self, raw: str) -> str:
        """Return which task an identifier means."""
        return self._canonical(raw)

    def place(self, raw: str) -> int | None:
        """Return the number of the task that an identifier means; None if there is none."""
        return self._places.get(self._canonical(raw))

    def answers(self) -> StoredAnswers:
        """Return what holds the answers of one more model."""
        return StoredAnswers(self, len(self._places))

    def append(self, raw: str, text: str) -> int:
        """Write an answer and return its mark: one more than where it stands."""
        line = json.dumps((raw, text)).encode("ascii") + b"\n"
        with writing_to(self._path):
            self._stream.write(line)
        self._hash.update(line)
        mark = self._size + 1
        self._size += len(line)
        return mark

    def read(self, mark: int) -> tuple[str, str]:
        """Return identifier and answer that stand at a mark."""
        with writing_to(self._path):
            self._stream.flush()
        return _read(self._again, mark)

    def finish(
        self, models: Mapping[str, StoredAnswers], judged: Sequence[int] | None = None
    ) -> str:
        """Write the index and return a checksum of everything that was written.

        Args:
            models: The answers of each model.
            judged: Numbers of the tasks that are judged; all if None.

        Raises:
            InputError: If the files cannot be written.
        """
        self._hash.update(json.dumps(list(models)).encode("ascii"))
        if judged is not None:
            numbers = array("Q", judged).tobytes()
            self._hash.update(numbers)
            with writing_to(self._judged):
                self._judged.write_bytes(numbers)
        with writing_to(self._index), self._index.open("wb") as stream:
            for of_model in models.values():
                marks = of_model.marks_of(judged).tobytes()
                self._hash.update(marks)
                stream.write(marks)
            self._stream.flush()
        return self._hash.hexdigest()


class StoredAnswers(MutableMapping[str, str]):
    """The answers of one model: a mapping of identifier to text that keeps its texts on disk.

    Args:
        file: Where the texts are.
        tasks: Number of the suite's tasks.

    Attributes:
        marks: For each task the mark of its answer, or 0.
        second: Marks of answers to tasks that have one already, by identifier.
        strange: Marks of answers to no task, by identifier.
    """

    def __init__(self, file: AnswerFile, tasks: int) -> None:
        self._file = file
        self.marks = array("Q", bytes(_WIDTH * tasks))
        self.second: dict[str, int] = {}
        self.strange: dict[str, int] = {}

    @property
    def answered(self) -> int:
        """Number of tasks that have an answer."""
        return len(self.marks) - self.marks.count(0)

    def marks_of(self, tasks: Sequence[int] | None) -> array[int]:
        """Return the marks of tasks with these numbers; of all if None."""
        return self.marks if tasks is None else array("Q", [self.marks[task] for task in tasks])

    def __setitem__(self, raw: str, text: str) -> None:
        place, mark = self._file.place(raw), self._file.append(raw, text)
        if place is None:
            self.strange[raw] = mark
        elif self.marks[place] and self._file.read(self.marks[place])[0] != raw:
            self.second[raw] = mark
        else:
            self.marks[place] = mark

    def __getitem__(self, raw: str) -> str:
        mark = self._mark(raw)
        if mark is None:
            raise KeyError(raw)
        return self._file.read(mark)[1]

    def __contains__(self, raw: object) -> bool:
        return isinstance(raw, str) and self._mark(raw) is not None

    def __delitem__(self, raw: str) -> None:
        if self.strange.pop(raw, None) is None and self.second.pop(raw, None) is None:
            place = self._file.place(raw)
            if place is None or raw not in self:
                raise KeyError(raw)
            self.marks[place] = 0

    def __iter__(self) -> Iterator[str]:
        known = (self._file.read(mark)[0] for mark in self.marks if mark)
        return chain(known, self.second, self.strange)

    def __len__(self) -> int:
        return self.answered + len(self.second) + len(self.strange)

    def _mark(self, raw: str) -> int | None:
        place = self._file.place(raw)
        if place is None:
            return self.strange.get(raw)
        mark = self.marks[place]
        if mark and self._file.read(mark)[0] == raw:
            return mark
        return self.second.get(raw)


def answers_of(
    folder: Path, tasks: range, *, models: int, of: int
) -> Iterator[tuple[int, int, str | None]]:
    """Yield the answers to consecutive tasks: task by task, and for each model by model.

    Args:
        folder: Where the two files are.
        tasks: Numbers of the tasks.
        models: Number of the models.
        of: Number of the tasks that are judged.

    Yields:
        Number of the task, number of the model, and the answer; None if there is none.
    """
    with (folder / _INDEX).open("rb") as index:
        columns = [_column(index, tasks, model * of) for model in range(models)]
    with (folder / _LINES).open("rb") as lines:
        for place, row in zip(tasks, zip(*columns, strict=True), strict=False):
            for model, mark in enumerate(row):
                yield place, model, _read(lines, mark)[1] if mark else None


def judged_of(folder: Path) -> Sequence[int] | None:
    """Return the numbers of the tasks that are judged; None if all are."""
    path = folder / _JUDGED
    return array("Q", path.read_bytes()) if path.exists() else None


def _column(index: BinaryIO, tasks: range, before: int) -> array[int]:
    index.seek(_WIDTH * (before + tasks.start))
    found = array("Q")
    found.fromfile(index, len(tasks))
    return found


def _read(stream: BinaryIO, mark: int) -> tuple[str, str]:
    stream.seek(mark - 1)
    raw, text = json.loads(stream.readline())
    return raw, text
