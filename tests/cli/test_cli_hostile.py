"""The command line with hostile input, narrow terminals, full disks and interruptions."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import command_line
import pytest
from needs import on
from report_samples import write_records

import eai
from eai.report import Record

PLAN = '[{"WALK": ["light", "34"]}]'
HOSTILE = "\x1b[2J\x1b]0;owned\x07m\u2192\u202e"


def call(
    *arguments: object,
    cwd: Path | None = None,
    stdin: str | None = None,
    stdout: int = subprocess.PIPE,
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "eai", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100", **environment},
        input=None if stdin is None else stdin.encode(),
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )


def line(task: str = "studio-01", output: object = PLAN, **more: object) -> str:
    return json.dumps({"id": task, "output": output, **more}) + "\n"


@pytest.fixture(scope="module")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a model and names in an answer that try to steer a terminal."""
    folder = tmp_path_factory.mktemp("hostile")
    answer = json.dumps([{"W\u00c4LK": ["\x1b[2Jlight\ud800", "34"]}])
    eai.evaluate("household", {HOSTILE: {"studio-01": answer}}, output=folder)
    return folder


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("encoding", "task"),
    [
        ("utf-8", "studio-01"),
        pytest.param("latin-1", "nowhere", marks=pytest.mark.heavy),
        pytest.param("ascii", "", marks=pytest.mark.heavy),
    ],
)
def test_nothing_steers_the_terminal(hostile_run: Path, encoding: str, task: str) -> None:
    model = ["--model", "gpt"] if not task else []
    done = call("explain", hostile_run, task or "studio-01", *model, PYTHONIOENCODING=encoding)
    assert done.returncode == (0 if task == "studio-01" else 3)
    assert b"Traceback" not in done.stderr
    for output in (done.stdout, done.stderr):
        text = output.decode(encoding)
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
    assert b"<U+001B>[2J" in done.stdout + done.stderr or task == "nowhere"


def test_a_narrow_terminal_gets_narrow_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my-model.jsonl").write_text(line())
    monkeypatch.setenv("COLUMNS", "40")
    shown = command_line.call("evaluate", "household", tmp_path / "my-model.jsonl").stdout
    assert any(text.startswith("my-model") for text in shown.splitlines())
    assert "Task SR" in shown
    assert max(map(len, shown.splitlines())) <= 40
    assert "\u2026" not in shown


@pytest.mark.heavy
@on(Path("/dev/stdin").exists())
def test_standard_input_can_be_piped() -> None:
    done = call("evaluate", "household", "/dev/stdin", stdin=line())
    assert done.returncode == 0, done.stderr
    assert b"75 unanswered" in done.stdout


@pytest.mark.heavy
@pytest.mark.parametrize(
    "arguments",
    [
        ("suites",),
        pytest.param(("evaluate", "household"), marks=pytest.mark.heavy),
        pytest.param(("--version",), marks=pytest.mark.heavy),
    ],
)
@on(Path("/dev/full").exists())
def test_a_full_disk_under_the_output(arguments: tuple[str, ...]) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        done = call(*arguments, stdout=full)
    finally:
        os.close(full)
    assert done.returncode == 3
    what, hint = done.stderr.decode().splitlines()
    assert what == "eai: No space left on device"
    assert hint.strip().startswith("hint: ")


def test_an_empty_name_is_not_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.jsonl").write_text(line())
    monkeypatch.chdir(tmp_path)
    for arguments in (("",), ("a.jsonl", "--output", "")):
        done = command_line.call("evaluate", "household", *arguments)
        assert done.exit_code == 2
        assert "the name is empty" in done.told
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_file_called_minus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "-").write_text(line())
    monkeypatch.chdir(tmp_path)
    assert command_line.call("evaluate", "household", "-").exit_code == 0


@pytest.mark.heavy
def test_a_suite_in_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from eai.suites.household import Household\n"
        "class Mine(Household):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.name = 'mine'\n"
    )
    (tmp_path / "a.jsonl").write_text(line())
    program = [sys.executable, "-c", "from eai.cli import main; main()"]
    for arguments in (
        ["evaluate", "mine:Mine", "a.jsonl", "-o", "run"],
        ["explain", "run", "studio-01", "--suite", "mine:Mine"],
    ):
        done = subprocess.run(
            [*program, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONSAFEPATH": "1"},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.heavy
@pytest.mark.parametrize(
    "command", [("explain",), pytest.param(("analyze", "factors"), marks=pytest.mark.heavy)]
)
def test_a_record_does_not_choose_what_is_imported(
    command: tuple[str, ...], tmp_path: Path, hostile_run: Path
) -> None:
    (tmp_path / "evil.py").write_text("open('was_here', 'w').close()\n")
    [record, *_] = eai.read_records(hostile_run / "records.jsonl")
    write_records(tmp_path / "r.jsonl", [_with(record, suite="evil:x")])
    done = call(*command, tmp_path / "r.jsonl", cwd=tmp_path)
    assert done.returncode == 3
    assert b"no installed package registers" in done.stderr
    assert not (tmp_path / "was_here").exists()


def test_a_record_of_another_version_says_so(hostile_run: Path) -> None:
    [record, *_] = eai.read_records(hostile_run / "records.jsonl")
    story = str(eai.explain(_with(record, version="0.0.1")))
    assert "note: evaluated with version 0.0.1 of the suite" in story


def _with(record: Record, **changes: str) -> Record:
    from dataclasses import replace

    return replace(record, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("content", [b"", b"{", b'{"suite":"household"', b"\n\n"])
def test_a_file_without_records(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "records.jsonl"
    path.write_bytes(content)
    done = command_line.call("explain", tmp_path, "studio-01", "--model", "gpt")
    assert done.exit_code == 3
    assert "there is no record in this file" in done.told


def test_a_record_file_that_was_cut_is_told_about(tmp_path: Path, hostile_run: Path) -> None:
    whole = (hostile_run / "records.jsonl").read_bytes()
    (tmp_path / "records.jsonl").write_bytes(whole.splitlines(keepends=True)[0] + b'{"suite":')
    done = command_line.call("explain", tmp_path)
    assert done.exit_code == 0
    assert "records.jsonl:2: the last line is cut off" in done.stderr


def test_the_question_which_record_comes_with_an_answer(hostile_run: Path) -> None:
    done = command_line.call("explain", hostile_run)
    assert done.exit_code == 3
    assert "hint: eai explain " in done.told


_MAIN = """
import signal, time
from eai.cli import main
from eai.suites.household import Household

evaluate = Household.evaluate

def slowly(*given):
    time.sleep(0.002)
    return evaluate(*given)

Household.evaluate = slowly
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A file of answers that takes a moment to evaluate, and the files of a run of it."""
    folder = tmp_path_factory.mktemp("long")
    answers = folder / "answers.jsonl"
    tasks = eai.suite("household").task_ids()
    answers.write_text("".join(line(task, model=f"m{i}") for i in range(9) for task in tasks))
    eai.evaluate("household", answers, output=folder / "run")
    return answers, {path.name: path.read_bytes() for path in (folder / "run").iterdir()}


@on(os.name == "posix")
@pytest.mark.heavy
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_was_stopped_goes_on(
    tmp_path: Path, kind: signal.Signals, long_run: tuple[Path, dict[str, bytes]]
) -> None:
    answers, whole = long_run
    run = tmp_path / "run"
    command = ["evaluate", "household", str(answers), "-o", str(run), "-q"]
    process = subprocess.Popen([sys.executable, "-c", _MAIN, *command], stderr=subprocess.PIPE)
    while not (run / "run.json").exists():
        assert process.poll() is None
        time.sleep(0.01)
    journal = run / ".journal.sqlite3"
    before = journal.stat().st_size
    while journal.stat().st_size < before + 50_000:  # it grows by records now
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(kind)
    _, said = process.communicate()
    assert process.returncode == (130 if kind == signal.SIGINT else -kind)
    if kind == signal.SIGINT:
        assert said == b"eai: interrupted; the same command resumes where it stopped\n"
        assert 0 < len((run / "records.jsonl").read_bytes()) < len(whole["records.jsonl"])
    assert not json.loads((run / "run.json").read_text())["complete"]
    assert call(*command).returncode == 0
    assert {path.name: path.read_bytes() for path in run.iterdir()} == whole
