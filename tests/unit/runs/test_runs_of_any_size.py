"""Runs whose answers and records stay on disk: the same bytes, by whomever they are evaluated."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from needs import on

import eai
from eai.errors import EaiError, InputError, OutputExistsError
from eai.report import Record
from eai.suites.household import Household, samples

FILES = ("records.jsonl", "run.json", "table.csv", "table.tex", "report.html")
CAREFUL = samples()[:1]


def content(folder: Path) -> dict[str, bytes]:
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    return {name: (folder / name).read_bytes() for name in FILES}


def timeless(report: eai.Report) -> list[Record]:
    return [replace(record, seconds=0.0) for record in report.records]


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run leaves that holds everything in memory."""
    folder = tmp_path_factory.mktemp("usual")
    eai.evaluate("household", CAREFUL, output=folder)
    return content(folder)


@pytest.mark.heavy
def test_one_process_and_two_write_the_same_bytes(tmp_path: Path, usual: dict[str, bytes]) -> None:
    for workers in (1, 2):
        output = tmp_path / str(workers)
        report = eai.evaluate("household", CAREFUL, output=output, workers=workers)
        assert content(output) == usual
        assert report.models == ("samples_careful",)


@pytest.mark.heavy
def test_any_executor_will_do(tmp_path: Path, usual: dict[str, bytes]) -> None:
    with ThreadPoolExecutor(3) as executor:
        eai.evaluate(Household(), CAREFUL, output=tmp_path, workers=executor)
    assert content(tmp_path) == usual


def test_without_a_folder_nothing_is_left() -> None:
    report = eai.evaluate("household", CAREFUL, workers=1)
    assert timeless(report) == timeless(eai.evaluate("household", CAREFUL))


@pytest.mark.heavy
def test_progress_counts_answers() -> None:
    for workers in (None, 2):
        steps: list[tuple[int, int]] = []
        eai.evaluate("household", CAREFUL, progress=lambda *s: steps.append(s), workers=workers)  # noqa: B023
        assert steps == [(done, 76) for done in range(1, 77)]


class StoppedError(Exception):
    """The run was interrupted."""


@contextmanager
def stopping(after: int) -> Iterator[Callable[[int, int], None]]:
    """Progress that ends the run when so many answers are evaluated."""

    def progress(done: int, _: int) -> None:
        if done >= after:
            raise StoppedError

    with pytest.raises(StoppedError):
        yield progress


@pytest.mark.parametrize(
    "ways",
    [
        *((None, 1), (1, None)),
        *(pytest.param(ways, marks=pytest.mark.heavy) for ways in ((1, 2), (2, 1), (None, 2))),
    ],
)
def test_an_interrupted_run_goes_on_in_any_way(
    ways: tuple[int | None, int | None], tmp_path: Path, usual: dict[str, bytes]
) -> None:
    first, second = ways
    with stopping(30) as progress:
        eai.evaluate("household", CAREFUL, output=tmp_path, workers=first, progress=progress)
    there = (tmp_path / "records.jsonl").read_bytes()
    assert there
    assert usual["records.jsonl"].startswith(there)
    eai.evaluate("household", CAREFUL, output=tmp_path, workers=second)
    assert content(tmp_path) == usual


KILLED = """
import os, signal, sys
import eai
from eai.suites.household import samples

def progress(done, total):
    if done >= 30:
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    eai.evaluate("household", samples()[:1], output=sys.argv[1], workers=2, progress=progress)
"""


@pytest.mark.heavy
@on(sys.platform != "win32")  # which has no such signal
def test_a_killed_run_goes_on(tmp_path: Path, usual: dict[str, bytes]) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    output = tmp_path / "run"
    done = subprocess.run(
        [sys.executable, str(script), str(output)], capture_output=True, check=False
    )
    assert done.returncode == -signal.SIGKILL  # and its workers ended: they hold its streams
    assert not json.loads((output / "run.json").read_text())["complete"]
    eai.evaluate("household", CAREFUL, output=output, workers=2)
    assert content(output) == usual


def test_two_runs_cannot_write_to_one_folder(tmp_path: Path, usual: dict[str, bytes]) -> None:
    def progress(done: int, total: int) -> None:
        assert done <= total
        with pytest.raises(InputError, match="another run is writing"):
            eai.evaluate("household", CAREFUL, output=tmp_path, workers=1)

    eai.evaluate("household", CAREFUL, output=tmp_path, workers=1, progress=progress)
    assert content(tmp_path) == usual


def test_a_run_does_not_go_on_under_other_semantics(tmp_path: Path) -> None:
    answers = {"studio-01": "[]", "studio-02": "[]"}
    with stopping(1) as progress:
        eai.evaluate("household", answers, output=tmp_path, workers=1, progress=progress)
    with pytest.raises(OutputExistsError, match="files of another run"):
        eai.evaluate("household", answers, output=tmp_path, workers=1, semantics="official")
    answers["studio-01"] = "{}"
    eai.evaluate("household", answers, output=tmp_path, workers=1, force=True)
    first = (tmp_path / "records.jsonl").read_text().splitlines()[0]
    assert json.loads(first)["output"] == "{}"


def test_answers_that_cannot_be_read_leave_nothing_behind(tmp_path: Path) -> None:
    for wrong in ("nowhere.jsonl", {"no-such-task": "[]"}):
        with pytest.raises(InputError):
            eai.evaluate("household", wrong, output=tmp_path / "run", workers=1)
        assert not (tmp_path / "run").exists()


def test_what_is_left_out_is_said_in_the_same_words(tmp_path: Path) -> None:
    path = tmp_path / "model.jsonl"
    items = [("studio-01", "[]"), (" studio-01", "{}"), ("studio-01", "[1]"), ("x", ""), ("x", "")]
    path.write_text("".join(f"{json.dumps({'id': i, 'output': o})}\n" for i, o in items) + "{\n")
    usual = eai.evaluate("household", path)
    assert len(usual.notes) == 7
    streamed = eai.evaluate("household", path, workers=1)
    assert streamed.notes == usual.notes
    assert timeless(streamed) == timeless(usual)


class Mistaken(Household):
    """The household suite, with tasks that cannot be used."""

    broken: tuple[str, ...] = ("studio-03",)

    def task(self, task_id: str) -> eai.Task:
        if task_id in self.broken:
            raise InputError("no good", where="tasks.jsonl:3")
        return super().task(task_id)


def test_tasks_with_mistakes_are_left_out_in_the_same_words() -> None:
    usual = eai.evaluate(Mistaken(), CAREFUL)
    assert usual.notes == (
        "task studio-03 left out: the task cannot be used: tasks.jsonl:3: no good",
    )
    assert eai.evaluate(Mistaken(), CAREFUL, workers=1).notes == usual.notes


def test_a_suite_that_cannot_be_used_is_an_error() -> None:
    class Useless(Mistaken):
        broken = tuple(Household().task_ids())

    with pytest.raises(InputError, match="no good"):
        eai.evaluate(Useless(), CAREFUL, workers=1)


@pytest.mark.parametrize("wrong", [0, -1, True, 1.5, "2"])
def test_a_number_of_workers_is_a_number(wrong: int) -> None:
    with pytest.raises(InputError, match="not a number of workers"):
        eai.evaluate("household", CAREFUL, workers=wrong)


def test_a_suite_that_cannot_travel_is_named_or_stays_here() -> None:
    class Local(Household):
        pass

    with pytest.raises(InputError, match="cannot be sent to another process"):
        eai.evaluate(Local(), CAREFUL, workers=2)
    assert eai.evaluate(Local(), CAREFUL, workers=1).records


class Broken(Executor):
    """An executor whose workers end before their work is done."""

    def submit(self, *_: object, **__: object) -> Future[object]:  # type: ignore[override]
        future: Future[object] = Future()
        future.set_exception(BrokenExecutor("ended"))
        return future


def test_a_worker_that_ends_is_no_result(tmp_path: Path, usual: dict[str, bytes]) -> None:
    with pytest.raises(EaiError, match="a worker ended before its work was done"):
        eai.evaluate("household", CAREFUL, output=tmp_path, workers=Broken())
    eai.evaluate("household", CAREFUL, output=tmp_path, workers=1)
    assert content(tmp_path) == usual


class Killed(Executor):
    """An executor whose fork server was killed."""

    def submit(self, *_: object, **__: object) -> Future[object]:  # type: ignore[override]
        raise ConnectionRefusedError(111, "Connection refused")


def test_a_killed_fork_server_is_told(tmp_path: Path) -> None:
    with pytest.raises(EaiError, match="a worker ended before its work was done"):
        eai.evaluate("household", CAREFUL, output=tmp_path, workers=Killed())


def test_what_a_killed_run_left_half_written_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".report.html.123.part").write_text("half")
    (tmp_path / ".mine.part").write_text("mine")
    eai.evaluate("household", {"studio-01": "[]"}, output=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*FILES, ".mine.part"])


TASKS = [f"studio-0{number}" for number in range(1, 7)]
"""What of a run is evaluated before it is interrupted, and after."""


class InterruptedRunError(Exception):
    """A run is interrupted."""


@pytest.fixture
def interrupted(tmp_path: Path) -> Path:
    def stop(done: int, _: int) -> None:
        if done == 4:
            raise InterruptedRunError

    with pytest.raises(InterruptedRunError):
        eai.evaluate("household", CAREFUL, output=tmp_path, tasks=TASKS, progress=stop)
    return tmp_path


def altered(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / ".journal.sqlite3")) as journal:
        for statement in statements:
            journal.execute(statement)
        journal.commit()


@pytest.mark.parametrize(
    "statement",
    [
        """UPDATE records SET line = CAST(
            replace(CAST(line AS TEXT), '"success":true', '"success":false') AS BLOB)""",
        "UPDATE records SET line = CAST('{}' AS BLOB)",
        "UPDATE records SET line = 7, model = NULL",
        "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END",
        "CREATE VIEW v AS SELECT 1",
        "DROP TABLE records",
        "ALTER TABLE records ADD COLUMN more",
    ],
)
def test_a_journal_that_was_changed_is_told(interrupted: Path, statement: str) -> None:
    altered(interrupted, statement)
    with pytest.raises(InputError, match="the files of an interrupted run are damaged") as caught:
        eai.evaluate("household", CAREFUL, output=interrupted, tasks=TASKS)
    assert "force=True" in str(caught.value)
    report = eai.evaluate("household", CAREFUL, output=interrupted, tasks=TASKS, force=True)
    assert timeless(report) == timeless(eai.evaluate("household", CAREFUL, tasks=TASKS))


def test_a_journal_as_it_was_left_goes_on(interrupted: Path) -> None:
    seen: list[int] = []
    eai.evaluate(
        "household",
        CAREFUL,
        output=interrupted,
        tasks=TASKS,
        progress=lambda done, _: seen.append(done),
    )
    assert seen == [1, 2, 3, 4, 5, 6]
    assert content(interrupted)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"complete": ' * 100_000, "null", "\0"])
def test_a_hostile_manifest_is_something_of_another_run(interrupted: Path, text: str) -> None:
    (interrupted / "run.json").write_text(text)
    with pytest.raises(OutputExistsError, match="files of another run"):
        eai.evaluate("household", CAREFUL, output=interrupted, tasks=TASKS)


@pytest.mark.parametrize("said", ["disk I/O error", "locking protocol"])
def test_a_file_system_without_locks_has_a_journal(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses: list[str] = []
    real = sqlite3.connect

    class Refusing(sqlite3.Connection):
        def execute(self, *_: object) -> sqlite3.Cursor:
            raise sqlite3.OperationalError(said)

    def connect(address: str, **options: Any) -> sqlite3.Connection:
        addresses.append(address.rpartition("?")[2])
        factory = sqlite3.Connection if address.endswith("?nolock=1") else Refusing
        return real(address, factory=factory, **options)

    monkeypatch.setattr(sqlite3, "connect", connect)
    eai.evaluate("household", {"studio-01": "[]"}, output=tmp_path)
    assert addresses[-1] == "nolock=1"
    assert content(tmp_path)
