"""The exit codes that docs/command-line.md promises, and what goes to which stream."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

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
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
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
    assert err.startswith(told) if told else err == ""


@pytest.mark.parametrize("kind", [ZeroDivisionError, RecursionError, KeyError])
def test_a_mistake_of_the_program_says_so(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours: dict[str, Any] = {"Raised": kind}
    exec(compile("def run(_): raise Raised('mine')", app.__file__, "exec"), ours)
    monkeypatch.setattr(app, "run", ours["run"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 4
    err = capsys.readouterr().err
    assert err.startswith("Traceback")
    assert kind.__name__ in err
    assert err.splitlines()[-1].startswith("eai: this is a mistake in eai")


def test_a_mistake_of_somebody_else_is_told_with_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(monkeypatch, ZeroDivisionError("mine")) == 3
    err = capsys.readouterr().err
    assert err.startswith("Traceback")
    *_, place, remark = err.splitlines()
    assert place.startswith(f"eai: {__file__}:")
    assert place.endswith(": ZeroDivisionError: mine")
    assert remark == "  this is a mistake there, not in eai"


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


@pytest.mark.skipif(os.name == "nt", reason="Windows has no word for a pipe that nobody reads")
@pytest.mark.parametrize("words", [["prompts", "household"], ["suites"], ["tasks", "household"]])
def test_whoever_has_read_enough_is_told_nothing_more(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "eai", *words], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")
