"""The folder of a run: what lies in it, and what may be written there."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from eai.errors import InputError, OutputExistsError
from eai.files import FILES, given_path, replacing
from eai.nesting import load_json
from eai.report import Record, Report, Setting, record_from_json, records_digest
from eai.runs.journal import Journal
from eai.version import __version__

if TYPE_CHECKING:
    from typing import TypeGuard

    from eai.logic import Rule
    from eai.report import Reader
    from eai.semantics import Semantics

_JOURNAL = ".journal.sqlite3"


_EXPECTED = "the path of a folder, which need not exist"

_OF_FILES = re.compile(r".*\.(csv|html?|jsonl?|md|parquet|pdf|tex|txt|zip)(\.gz)?", re.IGNORECASE)


def made_folder(given: str | os.PathLike[str]) -> tuple[Path, bool]:
    """Return the folder that a caller gave for a run, and whether it was made for it.

    Raises:
        InputError: If it is no path, is empty, has the name of a file, or cannot be made.
    """
    path = given_path(given, what="a folder")
    if not os.fspath(given):
        raise InputError(
            "the name of the output folder is empty",
            expected="the path of a folder",
            mend="check that the variable that holds it is set",
        )
    refuse_file_name(path)
    there = os.path.isdir(path)  # noqa: PTH112  # may not look
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        # Path.is_file would raise where one may not look.
        file = next((p for p in (path, *path.parents) if os.path.isfile(p)), None)  # noqa: PTH113
        if file is not None:
            raise InputError(
                "this is a file" if file == path else f"{file} is a file",
                where=str(path),
                expected=_EXPECTED,
                mend="output (--output, -o) takes a folder: name a new one, such as "
                f"{file.stem}-run",
            ) from error
        raise InputError(
            f"the folder cannot be made: {getattr(error, 'strerror', None) or error}",
            where=str(path),
            expected=_EXPECTED,
            mend="choose a folder in which you have write permission",
        ) from error
    return path, not there


def refuse_file_name(path: Path) -> None:
    """See that a folder for results is not called like a file, unless it is there.

    Raises:
        InputError: If it is: then a file is meant, or its folder.
    """
    if os.path.exists(path) or not _OF_FILES.fullmatch(path.name):  # noqa: PTH110  # may not look
        return
    folder = path.parent if path.parent.name else f"{path.stem}-run"
    raise InputError(
        "this is the name of a file",
        where=str(path),
        expected=_EXPECTED,
        mend=f"output (--output, -o) takes a folder, for the page and all else: {folder}",
    )


class RunFolder:
    """The folder of a run: nobody else writes to it, and no other run lies in it.

    Args:
        path: The folder; it is made if it is not there.
        setting: What is run.
        semantics: Under which semantics: its quirks and all limits of its budget are written down.
        force: Whether the files of another run in it may be replaced.
        extend: Whether a complete run of the same setting may be extended by models and answers.
        content: A hash of what the tasks are made of (see :attr:`eai.Suite.content`).
        found_as: ``module:attribute`` of the suite, if it was named like this; for messages.
        rules: Rules that plans are checked against.

    Attributes:
        path: The folder.
        records: The record file, which is written when the run ends, complete or not.
        is_complete: Whether a complete run was there before.
        journal: Where the records are as they come.

    Raises:
        OutputExistsError: If there is another or a complete run and ``force`` is off.
        InputError: If the folder cannot be made or written, has the name of a file, or another
            process writes there.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        setting: Setting,
        semantics: Semantics,
        *,
        force: bool = False,
        extend: bool = False,
        content: str = "",
        found_as: str = "",
        rules: Sequence[Rule] = (),
    ) -> None:
        self.path, self._made = made_folder(path)
        self.records = self.path / "records.jsonl"
        self._force = force
        self._manifest: dict[str, object] = {
            "suite": setting.suite,
            "version": setting.version,
            "ability": setting.ability,
            "semantics": setting.semantics,
            "quirks": sorted(semantics.quirks),
            "budget": asdict(semantics.budget),
            **({"content": content} if content else {}),
            **({"rules": list(map(_written, rules))} if rules else {}),
        }
        self._found_as = found_as
        self._begun = self._finished = False
        self._before: Mapping[str, object] = {}
        self.is_complete = False
        self._refuse_others(extend=extend)
        self.journal = Journal(self.path / _JOURNAL, fresh=force)
        for left in self.path.glob(".*.part"):  # by a run that was killed; no other is here now
            if left.name.startswith(tuple(f".{name}." for name in FILES)):
                left.unlink(missing_ok=True)

    def restore(self, key: Callable[[str, str | None], bytes]) -> None:
        """Take the records of the complete run that is extended into the journal.

        Args:
            key: Returns the hash of all that the record of an answer to a task is made of.

        Raises:
            OutputExistsError: If they were changed since they were written.
        """
        if not self.is_complete:
            return
        if records_digest(self.records) != self._before.get("digest"):
            self._refuse("a run whose records were changed")
        with self.records.open("rb") as stream:
            same = self._before.get("eai") == __version__
            for line in stream:
                record = record_from_json(line, where=str(self.records))
                known = key(record.task, _answer(record)) if same else b""
                self.journal.put(record.task, record.label, known, line.decode("ascii").rstrip())

    def kept(self, models: Iterable[str]) -> dict[str, tuple[dict[str, str], tuple[str, int]]]:
        """Return the answers of models that are in the run already and are not given now.

        Args:
            models: Labels of the models, or samples, whose answers are given.

        Returns:
            Label to the answers, and to the model and the number of its sample.
        """
        there = self._before.get("models" if self.is_complete else "kept")
        given = set(models)
        absent = [str(each) for each in there if each not in given] if _listed(there) else []
        found: dict[str, tuple[dict[str, str], tuple[str, int]]] = {}
        for label in absent:
            records = list(map(record_from_json, self.journal.lines(label)))
            answers = ((record.task, _answer(record)) for record in records)
            of = (records[0].model, records[0].epoch) if records else (label, 0)
            found[label] = {task: answer for task, answer in answers if answer is not None}, of
        return found

    @property
    def models(self) -> Sequence[str]:
        """Labels of the models, or samples, that are in the run already."""
        there = self._before.get("models")
        return [str(model) for model in there] if _listed(there) else []

    def notes_of(self, models: Iterable[str]) -> list[str]:
        """Return what the run said about models before."""
        notes, names = self._before.get("notes"), tuple(f"{model}: " for model in models)
        before = map(str, notes) if _listed(notes) else ()
        return [note for note in before if note.startswith(names)]

    def begin(
        self,
        models: Sequence[str],
        tasks: Sequence[str] | None = None,
        *,
        count: int | None = None,
        kept: Iterable[str] = (),
        answered: bool = False,
    ) -> None:
        """Say whose answers are evaluated.

        Args:
            models: Names of the models.
            tasks: Identifiers of the tasks, if only some of the suite's are evaluated.
            count: How many records there will be, if that is known.
            kept: Those of the models whose answers are those of the run that is extended.
            answered: Whether the tasks are those that have an answer, so that others may follow.

        Raises:
            OutputExistsError: If the run that goes on is about other models or tasks.
            InputError: If the folder cannot be written.
        """
        chosen = None if tasks is None else list(tasks)
        others = not answered and self._before.get("tasks") != chosen
        if self._before and (others or not set(self.models) <= set(models)):
            self._refuse("files of another run")
        self._manifest["models"] = list(models)
        if chosen is not None:
            self._manifest["tasks"] = chosen
        self._manifest["kept"] = list(kept)
        self._write_manifest(complete=False, count=count)
        self._begun = True

    def _refuse_others(self, *, extend: bool) -> None:
        there = [name for name in FILES if (self.path / name).exists()]
        if self._force or not there:
            return
        found: object = None
        with suppress(OSError, ValueError):
            found = load_json((self.path / "run.json").read_text("utf-8"))
        before = found if isinstance(found, dict) else {}
        complete, count = bool(before.get("complete")), before.get("records")
        if complete and isinstance(count, int):  # unless there are fewer records than there were
            lines = 0
            with suppress(OSError), self.records.open("rb") as stream:
                lines = sum(line.endswith(b"\n") for line in stream)
            complete = lines >= count
        if "content" not in before:  # written before it was noted
            self._manifest.pop("content", None)
        asked = {"rules": None, **self._manifest}  # no rules are a setting, too
        other = [key for key in asked if before.get(key) != asked[key]]
        same = "complete" in before and not other
        if not same or (complete and not extend):
            what = "a complete run" if complete else "files of another run"
            if complete and other:
                what += f" of {_difference(other[0], before, self._manifest)}"
            self._refuse(what)
        self._before, self.is_complete = before, complete

    def _refuse(self, what: str) -> NoReturn:
        there = ", ".join(name for name in FILES if (self.path / name).exists())
        raise OutputExistsError(
            f"there is {what} in the folder ({there})",
            where=str(self.path),
            mend="choose another folder, or allow overwriting (force=True, --force)",
        )

    def _write_manifest(
        self, *, complete: bool, count: int | None, notes: Sequence[str] = ()
    ) -> None:
        content = {
            **self._manifest,
            "eai": __version__,
            "complete": complete,
            "records": count,
            "notes": list(notes),
            **({"found_as": self._found_as} if self._found_as else {}),
        }
        with replacing(self.path / "run.json", force=True) as stream:
            json.dump(content, stream, indent=1)
            stream.write("\n")

    def save(self, lines: Iterable[bytes]) -> None:
        """Write the record file.

        Raises:
            InputError: If it cannot be written.
        """
        with replacing(self.records, force=True) as stream:
            stream.writelines(f"{line.decode('ascii')}\n" for line in lines)

    def is_same(self, report: Report) -> bool:
        """Whether a complete run is there that says the same of the same models.

        The records are the same if none was evaluated again.
        """
        there = self.is_complete and all((self.path / name).is_file() for name in FILES)
        said = [self._before.get(key) for key in ("eai", "notes", "models")]
        return there and said == [__version__, [*report.notes], self._manifest["models"]]

    def finish(self, report: Report, reader: Reader | None = None, *, same: bool = False) -> None:
        """Write the tables and the page, unless they are the same, and mark the run as complete.

        The records are saved.
        """
        if not same:
            report.to_csv(self.path / "table.csv", force=True)
            report.to_latex(self.path / "table.tex", force=True)
            report.to_html(self.path / "report.html", force=True, reader=reader)
        del self._manifest["kept"]
        self._manifest["digest"] = records_digest(self.records)
        self._write_manifest(complete=True, count=len(report.records), notes=report.notes)
        self._finished = True

    def close(self) -> None:
        """Save the records of a run that was interrupted, and let others write here."""
        try:
            if self._begun and not self._finished:
                with self.journal:
                    self.save(self.journal.lines())
        finally:
            self.journal.close(remove=self._finished or not self._begun)
        if self._made and not self._begun:
            with suppress(OSError):  # somebody else wrote to it meanwhile
                self.path.rmdir()


def _difference(key: str, before: Mapping[str, object], now: Mapping[str, object]) -> str:
    """In what a run that is there differs from the one that is asked for."""
    if key == "content":
        return "tasks that were changed since"
    if key == "rules":
        return "other rules"
    there, asked = str(before.get(key)), str(now.get(key))
    # What stands behind the name of the semantics says which tasks are evaluated.
    if key == "semantics" and there.partition(" (")[0] == asked.partition(" (")[0]:
        return f"other tasks or settings ({there}, not {asked})"
    return f"other {key} ({there}, not {asked})"


def _written(rule: Rule) -> dict[str, object]:
    """Return a rule as it stands in a file of rules."""
    return {
        "name": rule.name,
        "formula": rule.formula,
        **({"tasks": list(rule.tasks)} if rule.tasks else {}),
        **({"text": rule.text} if rule.text else {}),
    }


def _listed(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _answer(record: Record) -> str | None:
    """The answer that a record is about; None if there was none."""
    absent = record.result.status != "evaluated" and not record.output
    return None if absent else record.output
