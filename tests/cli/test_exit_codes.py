"""The exit codes that docs/command-line.md promises, and what goes to which stream."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from eai.cli import app, main
from eai.errors import DataMissingError, EaiError
from eai.suites.household import samples


def ended(monkeypatch: pytest.MonkeyPatch, raised: BaseException | None) -> int:
    """Exit code of a command that ends with this exception."""

    def run(_words: object) -> None:
        if raised is not None:
            raise raised

    monkeypatch.setattr(app, "run", run)
    try:
        main()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


@pytest.mark.parametrize(
    ("raised", "code", "told"),
    [
        (None, 0, ""),
        (SystemExit(1), 1, ""),
        (SystemExit(2), 2, ""),
        (EaiError("no such thing", mend="look again"), 3, "eai: no such thing\n  to mend it: look"),
        (DataMissingError("not fetched"), 3, "eai: not fetched"),
        (PermissionError(13, "not yours", "file"), 3, "eai: file: not yours"),
        (MemoryError(), 3, "eai: this needs more memory"),
        (KeyboardInterrupt(), 130, "eai: interrupted"),
    ],
)
def test_how_a_command_ends(
    raised: BaseException | None,
    code: int,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    if isinstance(raised, OSError):
        monkeypatch.setattr(app, "let_go", lambda: None)
    assert ended(monkeypatch, raised) == code
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(told)


@pytest.mark.parametrize("raised", [ZeroDivisionError("mine"), RecursionError(), KeyError("k")])
def test_a_mistake_of_the_program_says_so(
    raised: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(monkeypatch, raised) == 4
    err = capsys.readouterr().err
    assert err.startswith("Traceback")
    assert type(raised).__name__ in err
    assert err.splitlines()[-1].startswith("eai: this is a mistake in eai")


def test_nothing_but_the_table_is_written_to_pipes(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "eai", "evaluate", "household", str(samples()[0])],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "100"},
    )
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout
    assert b"Task SR" in done.stdout
