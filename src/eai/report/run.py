"""A run's folder: records that grow, and the files that are made of them at the end.

``run.json`` says what is run and whether it is complete. A run that was interrupted goes on
where it stopped, if it is the same run; a complete one is not touched unless it may be replaced.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from eai.errors import InputError, OutputExistsError
from eai.report.files import replacing
from eai.report.records import Record, RecordWriter
from eai.report.report import Report, Setting

__all__ = ["RunFolder"]

_FILES = ("records.jsonl", "table.csv", "table.tex", "report.html", "run.json")


class RunFolder:
    """The folder that a run writes to.

    Args:
        path: The folder; it is made if it is not there.
        setting: What is run.
        quirks: Names of the quirks that are on.
        force: Whether the files of another run in it may be replaced.

    Attributes:
        before: Records that an interrupted run left, by model and task.

    Raises:
        OutputExistsError: If there is another or a complete run and ``force`` is off.
        InputError: If the folder cannot be made or written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        setting: Setting,
        *,
        quirks: frozenset[str] = frozenset(),
        force: bool = False,
    ) -> None:
        self.path = Path(path)
        self._manifest = {
            "suite": setting.suite,
            "version": setting.version,
            "ability": setting.ability,
            "semantics": setting.semantics,
            "quirks": sorted(quirks),
        }
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"the folder cannot be made: {error.strerror}", where=str(self.path)
            ) from error
        resume = not force and self._resumable()
        self._write_manifest(complete=False)
        records = self.path / "records.jsonl"
        self._writer = RecordWriter(records, force=not resume, resume=resume, seconds=False)
        self.before: dict[tuple[str, str], Record] = {
            (record.model, record.task): record for record in self._writer.before
        }

    def _resumable(self) -> bool:
        there = [name for name in _FILES if (self.path / name).exists()]
        if not there:
            return False
        found = self._read_manifest()
        complete = found.pop("complete", True)
        if complete is False and found == self._manifest:
            return True
        what = "a complete run" if complete else "another run"
        raise OutputExistsError(
            f"there is {what} in the folder ({', '.join(there)})",
            where=str(self.path),
            mend="choose another folder, or allow overwriting (force=True, --force)",
        )

    def _read_manifest(self) -> dict[str, object]:
        try:
            found = json.loads((self.path / "run.json").read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write_manifest(self, *, complete: bool) -> None:
        with replacing(self.path / "run.json", force=True) as stream:
            json.dump({**self._manifest, "complete": complete}, stream, indent=1)
            stream.write("\n")

    def write(self, record: Record) -> None:
        """Append one record."""
        self._writer.write(record)

    def close(self) -> None:
        """Close the record file; a second call does nothing."""
        self._writer.close()

    def finish(self, report: Report) -> None:
        """Write the tables and the page, and mark the run as complete."""
        self.close()
        report.to_csv(self.path / "table.csv", force=True)
        report.to_latex(self.path / "table.tex", force=True)
        report.to_html(self.path / "report.html", force=True)
        self._write_manifest(complete=True)
