"""The folder of a run: its files, and the rules by which a run may be written there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from eai.acting import Answer
from eai.errors import InputError, OutputExistsError
from eai.files import FILES, given_path, replacing, replacing_file
from eai.nesting import load_json
from eai.report import Record, Report, Setting, record_from_json, records_digest
from eai.runs.journal import Journal
from eai.version import __version__

if TYPE_CHECKING:
    from eai.logic import Rule
    from eai.report import Reader
    from eai.semantics import Semantics

_JOURNAL = ".journal.sqlite3"

_EXPECTED = "the path of a folder, which need not exist"

_FILE_ENDINGS = frozenset(
    ("csv", "htm", "html", "json", "jsonl", "md", "parquet", "pdf", "tex", "txt", "zip")
)
"""Endings of names of files, by which no folder of a run is meant, perhaps with ``.gz``."""


def make_folder(given: str | os.PathLike[str]) -> tuple[Path, bool]:
    """Create a run's folder if it is missing; return its path and whether it was created now.

    Raises:
        InputError: If it is not a path, is empty, has the name of a file, or cannot be made.
    """
    path = given_path(given, what="a folder")
    if not os.fspath(given):
        raise InputError(
            "the name of the output folder is empty",
            expected="the path of a folder",
            mend="check that the variable that holds it is set",
        )
    refuse_file_name(path)
    # The functions of os.path are used here: methods of Path raise where one may not look.
    existed = os.path.isdir(path)  # noqa: PTH112
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise _error_for_folder(path, error) from error
    return path, not existed


def _error_for_folder(path: Path, error: OSError | ValueError) -> InputError:
    """Return the error for a folder that cannot be created."""
    # The folder itself or one above it may be the name of a file.
    for file in (path, *path.parents):
        if os.path.isfile(file):  # noqa: PTH113
            return InputError(
                "this is a file" if file == path else f"{file} is a file",
                where=str(path),
                expected=_EXPECTED,
                mend="output (--output, -o) takes a folder: name a new one, such as "
                f"{file.stem}-run",
            )
    return InputError(
        f"the folder cannot be made: {getattr(error, 'strerror', None) or error}",
        where=str(path),
        expected=_EXPECTED,
        mend="choose a folder in which you have write permission",
    )


def refuse_file_name(path: Path) -> None:
    """Refuse a new folder for results with a name like a file's.

    Raises:
        InputError: If the name is that of a file: a file was meant, or its folder.
    """
    _, dot, ending = path.name.lower().removesuffix(".gz").rpartition(".")
    if not dot or ending not in _FILE_ENDINGS:
        return
    if os.path.exists(path):  # noqa: PTH110  # may not look
        return
    folder = path.parent if path.parent.name else f"{path.stem}-run"
    raise InputError(
        "this is the name of a file",
        where=str(path),
        expected=_EXPECTED,
        mend=f"output (--output, -o) takes a folder, for the page and all else: {folder}",
    )


class RunTarget(NamedTuple):
    """Where a run is written, and whether it may replace or extend another one.

    Args:
        folder: The folder; it is made if it is not there.
        force: Whether the files of another run there may be replaced.
        found_as: ``module:attribute`` of the suite, if it was named like this.
    """

    folder: str | os.PathLike[str]
    force: bool = False
    found_as: str = ""


class StoredAnswers(NamedTuple):
    """The answers of a model, or of one of its samples, in the folder of a run.

    Args:
        answers: Task to answer.
        sample: The model, and the number of the sample (0 if it has only one).
    """

    answers: dict[str, str]
    sample: tuple[str, int]


class RunFolder:
    """The locked folder of one run.

    Args:
        target: The folder, and whether the files of another run in it may be replaced.
        setting: The setting of the run.
        semantics: The semantics, whose quirks and limits are written to ``run.json``.
        extend: Whether a complete run of the same setting may be extended by models and answers.
        content: Hash of the contents of the tasks (see :attr:`eai.Suite.content`).
        rules: Rules that plans are checked against.

    Attributes:
        path: The folder.
        records: The record file, which is written when the run ends, complete or not.
        is_complete: Whether the folder held a complete run before.
        journal: The journal, which holds records as they come.

    Raises:
        OutputExistsError: If there is another or a complete run and ``force`` is off.
        InputError: If the folder cannot be made or written, has the name of a file, or another
            process writes there.
    """

    def __init__(
        self,
        target: RunTarget,
        setting: Setting,
        semantics: Semantics,
        *,
        extend: bool = False,
        content: str = "",
        rules: Sequence[Rule] = (),
    ) -> None:
        """Make and lock the folder, and read the state of the run that is resumed or extended."""
        self.path, self._is_new_folder = make_folder(target.folder)
        self.records = self.path / "records.jsonl"
        self._force = target.force
        # Everything that determines the records. A run is resumed only if all of it is equal.
        self._manifest: dict[str, object] = {
            "suite": setting.suite,
            "version": setting.version,
            "ability": setting.ability,
            "semantics": setting.semantics,
            "quirks": sorted(semantics.quirks),
            "budget": asdict(semantics.budget),
        }
        if content:
            self._manifest["content"] = content
        if rules:
            self._manifest["rules"] = [rule.as_record() for rule in rules]
        self._found_as = target.found_as
        self._has_begun = False
        self._has_finished = False
        self._previous_manifest: Mapping[str, object] = {}
        self.is_complete = False
        # Before the journal is opened, since ``force`` starts a new one.
        self._refuse_other_run(extend=extend)
        self.journal = Journal(self.path / _JOURNAL, fresh=target.force)
        # Unfinished files of a run that was killed: the journal is locked, so no other run writes
        # here now.
        unfinished = tuple(f".{name}." for name in FILES)
        for file in self.path.glob(".*.part"):
            if file.name.startswith(unfinished):
                file.unlink(missing_ok=True)

    def restore(self, key: Callable[[str, str | None], bytes]) -> None:
        """Copy the records of the run to extend into the journal.

        Args:
            key: Returns the key of a record, a hash of all that determines it, from its task and
                answer.

        Raises:
            OutputExistsError: If they were changed since they were written.
        """
        if not self.is_complete:
            return
        if records_digest(self.records) != self._previous_manifest.get("digest"):
            self._refuse("a run whose records were changed")
        is_same_version = self._previous_manifest.get("eai") == __version__
        with self.records.open("rb") as stream:
            for line in stream:
                record = record_from_json(line, where=str(self.records))
                # Records of another version get no key, so their answers are evaluated again.
                record_key = b""
                if is_same_version:
                    record_key = key(record.task, _answer_of(record))
                json_text = line.decode("ascii").rstrip()
                self.journal.put(record.task, record.label, record_key, json_text)

    def stored_answers(self, models: Iterable[str]) -> dict[str, StoredAnswers]:
        """Return the stored answers of models that are not given again, by label.

        Args:
            models: Labels of the models, or samples, whose answers are given.
        """
        given_labels = set(models)
        # Of a run that was interrupted only those count that it had taken from the run before it:
        # the answers of the others are given again.
        manifest_key = "models" if self.is_complete else "kept"
        stored_answers: dict[str, StoredAnswers] = {}
        for label in map(str, self._list_in_previous_manifest(manifest_key)):
            if label not in given_labels:
                stored_answers[label] = self._stored_answers_of(label)
        return stored_answers

    def _stored_answers_of(self, label: str) -> StoredAnswers:
        """Return the stored answers of a model, or of one of its samples."""
        answers: dict[str, str] = {}
        # A label is the name of the model, unless a record says that it is one of its samples.
        sample = (label, 0)
        for line in self.journal.lines(label):
            record = record_from_json(line)
            sample = (record.model, record.epoch)
            answer = _answer_of(record)
            if answer is not None:
                answers[record.task] = answer
        return StoredAnswers(answers, sample)

    def _list_in_previous_manifest(self, key: str) -> list[object]:
        """Return a list from the previous ``run.json``, or an empty one."""
        value = self._previous_manifest.get(key)
        if isinstance(value, list):
            return value
        return []

    @property
    def models(self) -> Sequence[str]:
        """Labels of the models, or samples, that are in the run already."""
        return [str(model) for model in self._list_in_previous_manifest("models")]

    def notes_of(self, models: Iterable[str]) -> list[str]:
        """Return the notes of the previous run that are about some models."""
        beginnings = tuple(f"{model}: " for model in models)
        notes = [str(note) for note in self._list_in_previous_manifest("notes")]
        return [note for note in notes if note.startswith(beginnings)]

    def begin(
        self,
        models: Sequence[str],
        tasks: Sequence[str] | None = None,
        *,
        count: int | None = None,
        kept: Iterable[str] = (),
        answered: bool = False,
    ) -> None:
        """Write the models and tasks of the run to ``run.json``.

        Args:
            models: Labels of the models, or samples.
            tasks: Identifiers of the tasks, if only some of the suite's are evaluated.
            count: Number of records that there will be, if that is known.
            kept: Labels of the models whose answers come from the run that is extended.
            answered: Whether the tasks are those that have an answer, so that others may follow.

        Raises:
            OutputExistsError: If the run that goes on is about other models or tasks.
            InputError: If the folder cannot be written.
        """
        chosen_tasks = None if tasks is None else list(tasks)
        # A run is resumed with the same tasks, and with the same models or additional ones.
        if self._previous_manifest:
            has_other_tasks = not answered and self._previous_manifest.get("tasks") != chosen_tasks
            lacks_models = not set(self.models) <= set(models)
            if has_other_tasks or lacks_models:
                self._refuse("files of another run")
        self._manifest["models"] = list(models)
        if chosen_tasks is not None:
            self._manifest["tasks"] = chosen_tasks
        self._manifest["kept"] = list(kept)
        self._write_manifest(complete=False, count=count)
        self._has_begun = True

    def _refuse_other_run(self, *, extend: bool) -> None:
        """Refuse a folder with another run, and read the data to resume this one.

        Args:
            extend: Whether a complete run of the same setting may be extended.

        Raises:
            OutputExistsError: If there are files of another run, or a complete run that may not be
                extended.
        """
        if self._force or not any((self.path / name).exists() for name in FILES):
            return
        previous = self._read_manifest()
        is_complete = self._is_complete(previous)
        if "content" not in previous:  # the run was written by a version that did not note it
            self._manifest.pop("content", None)
        settings = {"rules": None, **self._manifest}  # no rules are a setting, too
        differing_keys = [key for key, value in settings.items() if previous.get(key) != value]
        is_same_run = "complete" in previous and not differing_keys
        if is_same_run and (extend or not is_complete):
            self._previous_manifest = previous
            self.is_complete = is_complete
            return
        if not is_complete:
            self._refuse("files of another run")
        if differing_keys:
            difference = _describe_difference(differing_keys[0], previous, self._manifest)
            self._refuse(f"a complete run of {difference}")
        self._refuse("a complete run")

    def _read_manifest(self) -> Mapping[str, object]:
        """Return the contents of ``run.json``, or an empty mapping if unreadable."""
        try:
            manifest = load_json((self.path / "run.json").read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        if isinstance(manifest, dict):
            return manifest
        return {}

    def _is_complete(self, manifest: Mapping[str, object]) -> bool:
        """Return whether a run is marked as complete and has all its records."""
        if not manifest.get("complete"):
            return False
        count = manifest.get("records")
        if not isinstance(count, int):  # written by a version that did not note the number
            return True
        lines = 0
        with suppress(OSError), self.records.open("rb") as stream:
            lines = sum(line.endswith(b"\n") for line in stream)
        return lines >= count

    def _refuse(self, problem: str) -> NoReturn:
        """Raise an error about the contents of the folder.

        Args:
            problem: Description of what is there.
        """
        files = ", ".join(name for name in FILES if (self.path / name).exists())
        verb = "are" if problem.startswith("files") else "is"
        raise OutputExistsError(
            f"there {verb} {problem} in the folder ({files})",
            where=str(self.path),
            mend="choose another folder, or allow overwriting (force=True, --force)",
        )

    def _write_manifest(
        self, *, complete: bool, count: int | None, notes: Sequence[str] = ()
    ) -> None:
        """Write ``run.json``."""
        content = {
            **self._manifest,
            "eai": __version__,
            "complete": complete,
            "records": count,
            "notes": list(notes),
        }
        # Not in the manifest, as a resumed run may find the same suite in another way.
        if self._found_as:
            content["found_as"] = self._found_as
        with replacing(self.path / "run.json", force=True) as stream:
            json.dump(content, stream, indent=1)
            stream.write("\n")

    def save(self, lines: Iterable[bytes]) -> None:
        """Write the record file.

        Raises:
            InputError: If it cannot be written.
        """
        with replacing_file(self.records, force=True) as part, part.open("wb") as stream:
            stream.writelines(b"%s\n" % line for line in lines)

    def has_same_report(self, report: Report) -> bool:
        """Return whether the previous run was complete with the same models and notes.

        Records are not compared: they are the same if no answer was evaluated again.
        """
        if not self.is_complete or not all((self.path / name).is_file() for name in FILES):
            return False
        previous = self._previous_manifest
        is_same_version = previous.get("eai") == __version__
        has_same_notes = previous.get("notes") == list(report.notes)
        has_same_models = previous.get("models") == self._manifest["models"]
        return is_same_version and has_same_notes and has_same_models

    def finish(self, report: Report, reader: Reader | None = None, *, same: bool = False) -> None:
        """Write tables and page unless they are unchanged, and mark the run as complete.

        The records have been saved before.
        """
        if not same:
            report.to_csv(self.path / "table.csv", force=True)
            report.to_latex(self.path / "table.tex", force=True)
            report.to_html(self.path / "report.html", force=True, reader=reader)
        del self._manifest["kept"]
        self._manifest["digest"] = records_digest(self.records)
        self._write_manifest(complete=True, count=len(report.records), notes=report.notes)
        self._has_finished = True

    def close(self) -> None:
        """Save the records of an interrupted run, and unlock the folder."""
        try:
            # The journal is kept, so that the run can go on; the record file is for whoever looks.
            if self._has_begun and not self._has_finished:
                with self.journal:
                    self.save(self.journal.lines())
        finally:
            self.journal.close(remove=self._has_finished or not self._has_begun)
        if self._is_new_folder and not self._has_begun:
            with suppress(OSError):  # somebody else wrote to it meanwhile
                self.path.rmdir()


def _describe_difference(
    key: str, previous: Mapping[str, object], current: Mapping[str, object]
) -> str:
    """Return in words how an entry of ``run.json`` differs between two runs."""
    if key == "content":
        return "tasks that were changed since"
    if key == "rules":
        return "other rules"
    old = str(previous.get(key))
    new = str(current.get(key))
    # The text behind the name of the semantics says which tasks are evaluated.
    if key == "semantics" and old.partition(" (")[0] == new.partition(" (")[0]:
        return f"other tasks or settings ({old}, not {new})"
    return f"other {key} ({old}, not {new})"


def _answer_of(record: Record) -> str | None:
    """Return the answer that a record is about; None if there was none."""
    if record.result.status != "evaluated" and not record.output:
        return None
    if record.usage:
        return Answer(record.output, record.usage)
    return record.output
