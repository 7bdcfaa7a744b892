"""The exit codes that docs/command-line.md promises, and what goes to which stream."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from needs import on

from eai import cli
from eai.cli import main
from eai.errors import DataMissingError, EaiError
from eai.suites.household import samples


def ended(monkeypatch: pytest.MonkeyPatch, raised: BaseException | None) -> int:
    """Exit code of a command that ends with this exception."""

    def check_files(_files: object) -> dict[str, list[object]]:
        if raised is not None:
            raise raised
        return {}

    monkeypatch.setattr("eai.pddl.check_files", check_files)
    monkeypatch.setattr(sys, "argv", ["eai", "check", "file"])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


@pytest.mark.parametrize(
    ("raised", "code", "told"),
    [
        (None, 0, ""),
        (SystemExit(1), 1, ""),
        (SystemExit(2), 2, ""),
        (EaiError("no such thing", mend="look again"), 3, "eai: no such thing\n"),
        (DataMissingError("not fetched"), 3, "eai: not fetched"),
        (PermissionError(13, "not yours", "file"), 3, "eai: file: not yours"),
        (MemoryError(), 3, "eai: this needs more memory"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_how_a_command_ends(
    raised: BaseException | None,
    code: int,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("eai.cli.program.let_go", lambda: None)
    assert ended(monkeypatch, raised) == code
    out, err = capsys.readouterr()
    assert out == ("" if raised else "0 errors and 0 warnings in 1 file\n")
    assert err.startswith(told) if told else err == ""


@pytest.mark.parametrize("kind", [ZeroDivisionError, RecursionError, KeyError])
def test_a_mistake_of_the_program_says_so(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours: dict[str, Any] = {"Raised": kind}
    exec(compile("def check_files(_): raise Raised('mine')", cli.__file__, "exec"), ours)
    monkeypatch.setattr(sys, "argv", ["eai", "check", "file"])
    monkeypatch.setattr("eai.pddl.check_files", ours["check_files"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 4
    err = capsys.readouterr().err
    assert err.startswith("Traceback")
    assert kind.__name__ in err
    assert err.splitlines()[-1].startswith("eai: this is a bug in eai")


def test_a_mistake_of_somebody_else_is_told_with_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(monkeypatch, ZeroDivisionError("mine")) == 3
    err = capsys.readouterr().err
    assert err.startswith("Traceback")
    *_, place, remark = err.splitlines()
    assert place.startswith(f"eai: {__file__}:")
    assert place.endswith(": ZeroDivisionError: mine")
    assert remark == "  this is a bug there, not in eai"


@pytest.mark.heavy
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


@pytest.mark.heavy
@on(os.name != "nt")  # which has no word for a pipe that nobody reads
@pytest.mark.parametrize(
    "words",
    [
        ["suites"],
        *(pytest.param([w, "household"], marks=pytest.mark.heavy) for w in ("prompts", "tasks")),
    ],
)
def test_whoever_has_read_enough_is_told_nothing_more(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "eai", *words], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")
