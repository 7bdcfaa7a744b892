"""The journal of a run: answers as they were read and records as they come, in an sqlite3 file.

One process reads and writes it: workers get answers and give back records. Records are committed
every moment, so an interruption loses at most those of the last moment. Each has a checksum, so
that a record that was changed is not taken for one that was evaluated. The file is locked as long
as it is open, so two runs cannot write to one folder. It keeps a rollback journal: a write-ahead
log needs memory that processes share, which network file systems lack.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Collection, Iterator, MutableMapping, Sequence
from contextlib import suppress
from pathlib import Path

from eai.acting import Answer
from eai.digests import blake2b
from eai.errors import InputError
from eai.files import FREE_SPACE

_COMMIT_INTERVAL_S = 0.5
"""Seconds for which records wait for others; a commit takes some thousandths of a second."""

_MAX_WAITING_BYTES = 1 << 20
"""Size of the answers that are held in memory; those of most runs are never written."""

_ENTRY_BYTES = 100
"""Size of an answer in memory beside its identifier and its text."""

# The text of the table of records is compared with that in the file, to the letter: a file of
# another version, or one that was changed, is refused. Texts are stored as bytes (see `_encoded`).
_RECORDS = """CREATE TABLE records (
    task BLOB, model BLOB, key BLOB, line BLOB, checksum BLOB,
    UNIQUE (task, model) ON CONFLICT REPLACE
)"""
_ANSWERS = """CREATE TABLE answers (
    number INTEGER PRIMARY KEY, model INTEGER, id BLOB, text BLOB, usage TEXT, UNIQUE (model, id)
)"""
_TABLES = {("table", "records"), ("table", "answers")}


class Journal:
    """An on-disk store of answers and records, used as a context manager.

    Args:
        path: The file; it is made if it is not there. By default a temporary one, which stays in
            memory as long as it is small.
        fresh: Whether the records that are there are deleted.

    Raises:
        InputError: If another run has it open, if it is damaged, or cannot be written.
    """

    def __init__(self, path: Path | None = None, *, fresh: bool = False) -> None:
        """Open and lock the file."""
        self.path = path
        self._models = 0
        self._committed = time.monotonic()
        # Key and line of the records that wait for a commit, by task and model: those of a moment
        # are written by one statement.
        self._pending: dict[tuple[str, str], tuple[bytes, bytes]] = {}
        try:
            self._open(path, fresh=fresh)
            rows = self._file.execute("SELECT 1 FROM records LIMIT 1")
            self._has_written = rows.fetchone() is not None
        except (sqlite3.Error, OSError) as error:
            raise self._as_input_error(error) from error
        self._answer_table = _AnswerTable(self._file)

    def _open(self, path: Path | None, *, fresh: bool) -> None:
        """Open the file. A fresh journal replaces an existing one, even a damaged one."""
        try:
            self._file = _open_database(path)
        except sqlite3.Error as error:
            # A damaged file may be replaced; one that another run writes to may not.
            if not fresh or "locked" in str(error):
                raise
        else:
            if not fresh or path is None:
                return
            self._file.close()
        if path is not None:
            path.unlink(missing_ok=True)  # where nothing may be written, none was made
        self._file = _open_database(path)

    def __enter__(self) -> Journal:  # noqa: PYI034  # typing.Self needs Python 3.11
        return self

    def __exit__(self, _: object, error: BaseException | None, *__: object) -> None:
        if isinstance(error, sqlite3.Error):
            raise self._as_input_error(error) from error

    def _as_input_error(self, error: sqlite3.Error | OSError) -> InputError:
        """Return the error to show for an error of the database."""
        where = "temporary files" if self.path is None else str(self.path.parent)
        # sqlite3 tells these apart by their texts only, in Python 3.10.
        message = str(error)
        if "locked" in message and self.path is not None:
            return InputError(
                "another run is writing to this folder",
                where=where,
                expected="a folder for each run",
                mend="wait until it has ended, or choose another folder",
            )
        if any(words in message for words in ("malformed", "not a database", "changed")):
            return InputError(
                "the files of an interrupted run are damaged",
                where=str(self.path),
                mend="start over (force=True, --force)",
            )
        hint = "choose a folder in which you have write permission"
        if "full" in message:
            hint = FREE_SPACE
        return InputError(f"cannot be written: {message}", where=where, mend=hint)

    @property
    def is_empty(self) -> bool:
        """Whether there are no records."""
        return not (self._pending or self._has_written)

    def answers(self) -> Answers:
        """Return an empty store for the answers of one more model."""
        self._models += 1
        return Answers(self._answer_table, self._models)

    def texts(self, numbers: Collection[int]) -> dict[int, str]:
        """Return the answers with some numbers, at most 999."""
        return self._answer_table.texts(numbers)

    def lines(self, model: str | None = None) -> Iterator[bytes]:
        """Yield the lines of all records, or of one model's, in order of storage."""
        self._write_pending()
        if model is None:
            rows = self._file.execute("SELECT * FROM records ORDER BY rowid")
        else:
            query = "SELECT * FROM records WHERE model = ? ORDER BY rowid"
            rows = self._file.execute(query, (_encoded(model),))
        try:
            for row in rows:
                _, _, _, line = _checked_row(row)
                yield line
        finally:
            # A cursor that is left open would keep the file locked. Where an error ends the
            # reader, the journal is closed before this is.
            with suppress(sqlite3.ProgrammingError):
                rows.close()

    def records_of_task(self, task: str) -> dict[str, tuple[bytes, bytes]]:
        """Return (key, line) of a task's record for each model."""
        self._write_pending()
        rows = self._file.execute("SELECT * FROM records WHERE task = ?", (_encoded(task),))
        records = {}
        for row in rows.fetchall():
            _, model, key, line = _checked_row(row)
            records[_decoded(model)] = (key, line)
        return records

    def lines_of_tasks(self, tasks: Sequence[str]) -> dict[tuple[str, str], bytes]:
        """Return the lines of records by task and label of the model, without checking them again.

        They are of this run, or were checked when it began, and the file is locked since.

        Args:
            tasks: Identifiers of at most 999 tasks.
        """
        if not self._has_written:
            # A run that took a moment: its records are in memory still.
            chosen_tasks = frozenset(tasks)
            return {
                (task, model): line
                for (task, model), (_, line) in self._pending.items()
                if task in chosen_tasks
            }
        self._write_pending()
        placeholders = _placeholders(len(tasks))
        query = f"SELECT task, model, line FROM records WHERE task IN ({placeholders})"  # noqa: S608
        rows = self._file.execute(query, tuple(map(_encoded, tasks)))
        return {(_decoded(task), _decoded(model)): line for task, model, line in rows}

    def put(self, task: str, model: str, key: bytes, line: str, *, wait: bool = True) -> None:
        """Store the line of a record, replacing one of the same task and model.

        Args:
            task: Identifier of the task.
            model: Label of the model, or sample.
            key: Hash of all that the record was made of.
            line: The record as JSON.
            wait: Whether it may be committed a moment later, with others.
        """
        self._pending[task, model] = key, line.encode("ascii")
        now = time.monotonic()
        if not wait or now - self._committed > _COMMIT_INTERVAL_S:
            self._write_pending()
            self._file.commit()
            self._committed = now

    def _write_pending(self) -> None:
        """Write the records that wait for a commit."""
        if not self._pending:
            return
        rows = []
        for (task, model), (key, line) in self._pending.items():
            row = (_encoded(task), _encoded(model), key, line)
            rows.append((*row, _checksum(row)))
        self._file.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?)", rows)
        self._pending.clear()
        self._has_written = True

    def close(self, *, remove: bool = False) -> None:
        """Close the file, or remove it. It may be called twice."""
        with suppress(sqlite3.Error):
            if not remove:
                self._write_pending()
                self._file.commit()
        self._file.close()
        if remove and self.path is not None:
            self.path.unlink(missing_ok=True)
            self.path.with_name(f"{self.path.name}-journal").unlink(missing_ok=True)


class Answers(MutableMapping[str, str]):
    """A mapping from identifiers to one model's answers, in order of storage."""

    def __init__(self, table: _AnswerTable, model: int) -> None:
        """Use the table of answers, in which the model has a number."""
        self._table = table
        self._model = model

    def numbers(self) -> Iterator[tuple[str, int]]:
        """Yield (identifier, number of the answer)."""
        return self._table.numbers(self._model)

    def __setitem__(self, name: str, text: str) -> None:
        self._table.put(self._model, name, text)

    def __getitem__(self, name: str) -> str:
        text = self._table.text(self._model, name)
        if text is None:
            raise KeyError(name)
        return text

    def __contains__(self, name: object) -> bool:
        # A mapping would ask for the text, and catch the error if there is none.
        return isinstance(name, str) and self._table.has(self._model, name)

    def __delitem__(self, name: str) -> None:
        if name not in self:  # sqlite3 would say nothing
            raise KeyError(name)
        self._table.delete(self._model, name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.numbers())

    def __len__(self) -> int:
        return self._table.count(self._model)


_StoredAnswer = tuple[bytes, str | None]
"""Text and usage (JSON) of an answer."""


class _AnswerTable:
    """The answers of all models. They stay in memory until they are many, then in a database."""

    def __init__(self, file: sqlite3.Connection) -> None:
        """Use an open database."""
        self._file = file
        self._last_number = 0
        # Of the answers in memory: their numbers by model and identifier, and they by number.
        self._waiting_numbers: dict[int, dict[bytes, int]] = {}
        self._waiting: dict[int, _StoredAnswer] = {}
        self._waiting_bytes = 0
        self._written_models: set[int] = set()

    def put(self, model: int, name: str, text: str) -> None:
        """Store an answer. One that replaces another one takes its number."""
        encoded_name, encoded_text, usage = _encoded(name), _encoded(text), _usage_text(text)
        numbers = self._waiting_numbers.setdefault(model, {})
        if encoded_name not in numbers:
            self._last_number += 1
            numbers[encoded_name] = self._last_number
        self._waiting[numbers[encoded_name]] = encoded_text, usage
        self._waiting_bytes += len(encoded_name) + len(encoded_text) + len(usage or "")
        self._waiting_bytes += _ENTRY_BYTES
        if self._waiting_bytes > _MAX_WAITING_BYTES:
            self._write()

    def _write(self) -> None:
        """Write the answers that are in memory."""
        rows = []
        for model, numbers in self._waiting_numbers.items():
            for name, number in numbers.items():
                rows.append((number, model, name, *self._waiting[number]))
        # An answer that replaces a written one gets the number of that one.
        self._file.executemany(
            "INSERT INTO answers (number, model, id, text, usage) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (model, id) DO UPDATE SET text = excluded.text, usage = excluded.usage",
            rows,
        )
        self._written_models.update(self._waiting_numbers)
        self._waiting_numbers.clear()
        self._waiting.clear()
        self._waiting_bytes = 0

    def has(self, model: int, name: str) -> bool:
        """Return whether a model has an answer to a task."""
        encoded_name = _encoded(name)
        if encoded_name in self._waiting_numbers.get(model, ()):
            return True
        if model not in self._written_models:
            return False
        rows = self._file.execute(
            "SELECT 1 FROM answers WHERE model = ? AND id = ?", (model, encoded_name)
        )
        return rows.fetchone() is not None

    def text(self, model: int, name: str) -> str | None:
        """Return an answer of a model, or None if it has none."""
        encoded_name = _encoded(name)
        number = self._waiting_numbers.get(model, {}).get(encoded_name)
        if number is not None:
            return _answer_of(*self._waiting[number])
        rows = self._file.execute(
            "SELECT text, usage FROM answers WHERE model = ? AND id = ?", (model, encoded_name)
        )
        row = rows.fetchone()
        if row is None:
            return None
        return _answer_of(*row)

    def texts(self, numbers: Collection[int]) -> dict[int, str]:
        """Return the answers with some numbers, at most 999."""
        if self._waiting.keys() >= set(numbers):
            return {number: _answer_of(*self._waiting[number]) for number in numbers}
        self._write()
        placeholders = _placeholders(len(numbers))
        query = f"SELECT number, text, usage FROM answers WHERE number IN ({placeholders})"  # noqa: S608
        rows = self._file.execute(query, tuple(numbers))
        return {number: _answer_of(text, usage) for number, text, usage in rows}

    def numbers(self, model: int) -> Iterator[tuple[str, int]]:
        """Yield (identifier, number of the answer) of a model."""
        if model not in self._written_models:
            waiting_numbers = list(self._waiting_numbers.get(model, {}).items())
            return ((_decoded(name), number) for name, number in waiting_numbers)
        self._write()
        rows = self._file.execute(
            "SELECT id, number FROM answers WHERE model = ? ORDER BY number", (model,)
        )
        return ((_decoded(name), number) for name, number in rows)

    def count(self, model: int) -> int:
        """Return the number of a model's answers."""
        if model not in self._written_models:
            return len(self._waiting_numbers.get(model, ()))
        self._write()
        [[count]] = self._file.execute("SELECT count(*) FROM answers WHERE model = ?", (model,))
        return int(count)

    def delete(self, model: int, name: str) -> None:
        """Delete an answer of a model."""
        if model not in self._written_models:
            number = self._waiting_numbers[model].pop(_encoded(name))
            del self._waiting[number]
            return
        self._write()
        self._file.execute(
            "DELETE FROM answers WHERE model = ? AND id = ?", (model, _encoded(name))
        )


def _open_database(path: Path | None) -> sqlite3.Connection:
    """Open a database, without locks if the file system does not support them.

    Args:
        path: The file; None for a temporary one.
    """
    address = "" if path is None else path.absolute().as_uri()
    try:
        return _connect_and_lock(address)
    except sqlite3.Error as error:
        message = str(error)
        if "disk I/O" not in message and "locking protocol" not in message:
            raise
    return _connect_and_lock(f"{address}?nolock=1")


def _connect_and_lock(address: str) -> sqlite3.Connection:
    """Open a database by address, lock it, and check its tables."""
    # A report may be made in one thread and dropped in another.
    file = sqlite3.connect(address, timeout=0, uri=True, check_same_thread=False)
    try:
        for setting in ("locking_mode=EXCLUSIVE", "journal_mode=DELETE", "synchronous=FULL"):
            file.execute(f"PRAGMA {setting}")
        file.execute("BEGIN EXCLUSIVE")
        rows = file.execute("SELECT type, name, sql FROM sqlite_master WHERE sql != ''")
        statements = {(kind, name): statement for kind, name, statement in rows}
        if not statements:
            file.execute(_RECORDS)
        # Answers are read again in every run, so that their table may be that of another version.
        elif statements.keys() != _TABLES or statements["table", "records"] != _RECORDS:
            raise sqlite3.DatabaseError("its tables were changed")  # triggers and views, too
        file.execute("DROP TABLE IF EXISTS answers")
        file.execute(_ANSWERS)
        file.commit()
    except sqlite3.Error:
        file.close()
        raise
    return file


_Row = tuple[bytes, bytes, bytes, bytes]
"""Task, model, key and line of a record."""


def _checksum(row: _Row) -> bytes:
    """Return the checksum of a record.

    The lengths are part of it: else text could move from one field into the next.
    """
    lengths = b"%d %d %d " % tuple(map(len, row[:3]))
    return blake2b(lengths + b"".join(row), digest_size=16).digest()


def _checked_row(stored: tuple[object, ...]) -> _Row:
    """Return the fields of a stored record after verifying the checksum.

    Raises:
        sqlite3.DatabaseError: If it was changed since.
    """
    task, model, key, line, checksum = stored
    # Other types than bytes are possible only in a file that was changed.
    if (
        isinstance(task, bytes)
        and isinstance(model, bytes)
        and isinstance(key, bytes)
        and isinstance(line, bytes)
    ):
        row = (task, model, key, line)
        if checksum == _checksum(row):
            return row
    raise sqlite3.DatabaseError("a record was changed")


def _placeholders(count: int) -> str:
    """Return question marks for some values of a statement."""
    return ", ".join("?" * count)


def _encoded(text: str) -> bytes:
    """Return a text as bytes: it may hold lone surrogates, which are no text for a database."""
    return text.encode("utf-8", "surrogatepass")


def _decoded(stored: bytes) -> str:
    """Return the text that :func:`_encoded` made bytes of."""
    return stored.decode("utf-8", "surrogatepass")


def _usage_text(answer: str) -> str | None:
    """Return the usage of an answer as JSON, or None if it states none."""
    if isinstance(answer, Answer) and answer.usage:
        return json.dumps(answer.usage)
    return None


def _answer_of(text: bytes, usage: str | None) -> str:
    """Return a stored answer, with its usage if it has one."""
    if usage is None:
        return _decoded(text)
    return Answer(_decoded(text), json.loads(usage))
