"""A disk that becomes full ends a run in one error, and the run goes on when there is space."""

from __future__ import annotations

import errno
import gc
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import eai
from eai.cli import program
from eai.errors import InputError
from eai.files import replacing
from eai.runs.folder import RunFolder
from eai.runs.journal import Journal
from eai.suites.household import Household

ANSWERS = {"studio-01": "[]", "studio-02": "[]"}


@pytest.fixture
def unraisable(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Errors that Python cannot raise anywhere, of which it prints a traceback."""
    found: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", found.append)
    return found


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def full_after_a_line(folder: RunFolder, lines: Iterable[bytes]) -> None:
    """Save the records of a run on a disk that has space for one of them."""
    with replacing(folder.records, force=True) as stream:
        for line in lines:
            stream.write(line.decode())
            full()


@pytest.fixture
def suite() -> Household:
    return Household()


def test_lines_that_were_not_read_to_the_end_outlive_their_journal(
    unraisable: list[object],
) -> None:
    journal = Journal()
    for task in ("a", "b"):
        journal.put(task, "model", b"key", "{}")
    lines = journal.lines()
    next(lines)
    journal.close()
    del lines
    gc.collect()
    assert not unraisable


def test_a_disk_that_becomes_full_while_records_are_saved_is_told_once(
    suite: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unraisable: list[object]
) -> None:
    monkeypatch.setattr(RunFolder, "save", full_after_a_line)
    with pytest.raises(InputError) as caught:
        eai.evaluate(suite, ANSWERS, output=tmp_path / "run")
    assert caught.value.mend is not None
    del caught
    gc.collect()
    assert not unraisable
    monkeypatch.undo()
    eai.evaluate(suite, ANSWERS, output=tmp_path / "run")
    eai.evaluate(suite, ANSWERS, output=tmp_path / "other")
    for name in ("table.csv", "table.tex"):
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_ends_any_command_with_one_sentence(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(**_: object) -> None:
        raise OSError(number, "No space left on device", "some.csv")

    monkeypatch.setattr(program, "app", command)
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert ended.value.code == 3
    said = capsys.readouterr().err
    assert "some.csv" in said
    assert "hint:" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "write",
    [
        lambda report, path: report.to_csv(path),
        lambda report, path: report.to_latex(path),
        lambda report, path: report.to_html(path),
    ],
    ids=["csv", "latex", "html"],
)
def test_reports_are_written_whole_or_not_at_all(
    write: Callable[[eai.Report, Path], object],
    suite: Household,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = eai.evaluate(suite, {"studio-01": "[]"})
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError) as caught:
        write(report, tmp_path / "file")
    assert caught.value.mend is not None
    assert not list(tmp_path.iterdir())
