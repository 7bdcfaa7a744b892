"""``eai compare``, ``report``, ``view``, ``export`` and the gates of ``eai evaluate``."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from command_line import call
from needs import extra, on

import eai
from eai.cli.serving import RunServer, run_files
from eai.errors import InputError, OutputExistsError
from eai.suites.household import samples

CAREFUL, CHATTY, HASTY = map(str, samples())


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "all"
    eai.evaluate("household", samples(), output=folder)
    return folder


@pytest.fixture(scope="module")
def careful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "careful"
    eai.evaluate("household", CAREFUL, output=folder)
    return folder


@pytest.mark.heavy
def test_models_of_a_run_are_compared(run: Path, tmp_path: Path) -> None:
    csv = tmp_path / "rows.csv"
    done = call("compare", run, "--metric", "task_success_rate", "--csv", csv, "--json")
    found = json.loads(done.stdout)
    assert [(each["first"], each["second"]) for each in found["differences"]] == [
        ("samples_careful", "samples_chatty"),
        ("samples_careful", "samples_hasty"),
        ("samples_chatty", "samples_hasty"),
    ]
    assert "samples_careful has the higher Task SR" in found["differences"][0]["conclusion"]
    assert len(csv.read_text().splitlines()) == 4
    assert isinstance(call("compare", run, "--csv", csv).exception, OutputExistsError)


def test_runs_are_compared_and_models_chosen(run: Path, careful: Path) -> None:
    done = call("compare", run, careful)
    assert "samples_careful (first) and samples_careful (second) do not differ significantly" in (
        " ".join(done.stdout.split())
    )
    words = ("--model", "samples_hasty", "--model", "samples_chatty", "--json")
    [first] = json.loads(call("compare", run, *words).stdout)["differences"]
    assert (first["first"], first["second"]) == ("samples_hasty", "samples_chatty")


def test_models_are_compared_over_the_tasks_that_both_answered(run: Path) -> None:
    words = ("compare", run, "--metric", "task_success_rate", "--json")
    found = json.loads(call(*words).stdout)
    assert (
        "Only one of samples_careful and samples_chatty answered 3 tasks of 76"
        in (found["notes"][0])
    )
    found = json.loads(call(*words, "--answered").stdout)
    assert found["differences"][0]["tasks"] == 73
    assert found["notes"][0] == (
        "Left out: 3 tasks that samples_careful and samples_chatty did not both answer."
    )


@pytest.mark.heavy
def test_files_of_a_run_are_written_anew(run: Path) -> None:
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    for name in ("table.csv", "table.tex", "report.html"):
        (run / name).unlink()
    done = call("report", run)
    assert done.exit_code == 0
    assert "samples_chatty.jsonl:44: duplicate id 'house-08'" in (" ".join(done.stdout.split()))
    assert {path.name: path.read_bytes() for path in run.iterdir()} == before


def test_a_report_of_one_model_is_written_elsewhere(run: Path, tmp_path: Path) -> None:
    csv, tex, text = (tmp_path / f"a.{ending}" for ending in ("csv", "tex", "md"))
    files = ("--csv", csv, "--latex", tex, "--markdown", text)
    words = ("--model", "samples_hasty", *files, "--json")
    found = json.loads(call("report", run / "records.jsonl", *words).stdout)
    rate = found["models"]["samples_hasty"]["metrics"]["task_success_rate"]
    assert (rate["numerator"], rate["denominator"]) == (33, 76)
    assert list(found["models"]) == ["samples_hasty"]
    assert csv.read_text().count("\n") == 2
    assert "samples\\_hasty" in tex.read_text()
    assert "samples\\_careful" not in tex.read_text()
    assert "| samples" in text.read_text()


def test_a_run_on_disk_is_the_same_run(careful: Path, tmp_path: Path) -> None:
    words = ("--workers", 1, "-q", "--no-regression-vs", careful, "-o", tmp_path / "run")
    assert call("evaluate", "household", CAREFUL, *words) == (0, "", "", None)
    for name in ("records.jsonl", "table.csv", "report.html"):
        assert (tmp_path / "run" / name).read_bytes() == (careful / name).read_bytes()


def test_a_page_with_repairs(tmp_path: Path) -> None:
    answers = tmp_path / "short.jsonl"
    plan = '[{"WALK": ["light", "34"]}]'
    answers.write_text(json.dumps({"id": "studio-01", "output": plan}) + "\n")
    eai.evaluate("household", answers, output=tmp_path / "run")
    plain = (tmp_path / "run" / "report.html").read_bytes()
    assert call("report", tmp_path / "run", "--repairs", "-q").output == ""
    assert (tmp_path / "run" / "report.html").read_bytes() != plain


def test_a_run_of_a_suite_that_is_gone_still_has_a_page(run: Path, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    lines = (run / "records.jsonl").read_text().splitlines(keepends=True)[:3]
    records.write_text("".join(lines).replace('"suite":"household"', '"suite":"gone"'))
    done = call("report", records, "--html", tmp_path / "page.html", "-q")
    assert "the page does not show what steps change" in done.stderr
    assert (tmp_path / "page.html").exists()
    again = ("--html", tmp_path / "page.html", "--force", "--suite", "household")
    assert isinstance(call("report", records, *again).exception, InputError)


@extra("tables", "pyarrow")
def test_columns_of_a_run_are_reported_as_its_lines(run: Path, tmp_path: Path) -> None:
    done = call("export", run, "--parquet", "-o", tmp_path / "columns", "--json")
    [file] = json.loads(done.stdout)["files"]
    assert file == str(tmp_path / "columns" / "records.parquet")
    for command in ("report", "leaderboard"):
        of_lines = call(command, run / "records.jsonl", "--json")
        assert json.loads(of_lines.stdout)
        for name in (file, tmp_path / "columns"):
            assert call(command, name, "--json") == of_lines
    again = ("export", run, "--parquet", "-o", tmp_path / "columns")
    assert isinstance(call(*again).exception, OutputExistsError)
    assert call(*again, "--force").stdout == f"{file}\n"


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--parquet", "--organization", "Us"),
        ("--parquet", "--relationship", "other"),
        ("--parquet", "--url", ""),
        ("--parquet", "--model", "a"),
    ],
)
def test_an_export_has_one_format(run: Path, words: tuple[str, ...]) -> None:
    assert call("export", run, *words).exit_code == 2
    assert not (run / "records.parquet").exists()


def test_a_run_is_exported(careful: Path, tmp_path: Path) -> None:
    words = ("--organization", "Us", "--developer", "samples_careful=Them", "--timestamp", 1)
    done = call("export", careful, *words, "-o", tmp_path, "--json")
    [file] = json.loads(done.stdout)["files"]
    found = json.loads(Path(file).read_text())
    assert found["model_info"]["developer"] == "Them"
    assert found["source_metadata"]["source_organization_name"] == "Us"
    assert isinstance(call("export", careful, *words, "-o", tmp_path).exception, OutputExistsError)
    assert call("export", careful, *words, "-o", tmp_path, "--force").stdout == f"{file}\n"


@pytest.fixture
def server(run: Path) -> Iterator[RunServer]:
    with RunServer(run_files(run)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def fetch(address: str, **headers: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as error:
        error.close()
        return error.code, b""


def test_only_the_files_of_the_run_are_served(run: Path, server: RunServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert fetch(server.address) == (200, (run / "report.html").read_bytes())
    assert fetch(f"{server.address}table.csv?x=1") == (200, (run / "table.csv").read_bytes())
    (run.parent / "secret.txt").write_text("secret")
    for name in ("../secret.txt", "%2e%2e/secret.txt", "/etc/passwd", "nothing", "."):
        assert fetch(server.address + name)[0] == 404
    assert fetch(server.address, Host="elsewhere.example")[0] == 403


def test_a_run_that_goes_away_while_it_is_served_is_said_to_be_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "report.html"
    page.write_text("page")
    with RunServer(run_files(tmp_path)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page.unlink()
        with pytest.raises(urllib.error.HTTPError, match="404") as caught:
            urllib.request.urlopen(server.address)
        with caught.value as reply:
            assert b"the run is gone; end this with Ctrl-C" in reply.read()
        server.shutdown()
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"eai: {page}: No such file or directory; the run is gone")


def test_a_connection_that_is_reset_ends_nothing(
    run: Path, server: RunServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in (b"", b"GET / HTTP/1.1\r\nHost: ", b"GET /records.jsonl HTTP/1.1\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(text)
    assert fetch(server.address) == (200, (run / "report.html").read_bytes())
    assert capsys.readouterr().err == ""


@on(os.name == "posix")  # links need rights elsewhere
def test_links_that_lead_out_of_a_run_are_not_followed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (run / "table.csv").symlink_to(tmp_path / "secret.txt")
    (run / "report.html").write_text("page")
    assert list(run_files(run)) == ["report.html"]


@pytest.mark.heavy
@on(os.name == "posix")
def test_view_prints_the_address_until_it_is_interrupted(careful: Path) -> None:
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from eai.cli import main; main()"
    )
    command = [sys.executable, "-c", code, "view", str(careful), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        address = process.stdout.readline().decode().strip()
        assert fetch(address)[0] == 200
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    told = b"eai: open it in a browser; Ctrl-C ends\neai: no longer served\n"
    assert (process.returncode, said) == (0, told)


def test_a_run_under_a_floor_fails_and_says_by_how_much() -> None:
    floors = ("--fail-under", "task_success_rate=70", "--fail-under", "total_goal=10")
    done = call("evaluate", "household", CAREFUL, HASTY, "-q", *floors)
    assert done.exit_code == 1
    assert done.stderr == (
        "eai: samples_hasty: task_success_rate is 43.4 %, 26.6 points under 70\n"
    )
    assert call("evaluate", "household", CAREFUL, "-q", *floors) == (0, "", "", None)


def test_a_metric_out_of_nothing_passes_no_gate() -> None:
    gate = ("--tasks", "studio-01", "--fail-under", "action_goal=0")
    done = call("evaluate", "household", HASTY, "-q", *gate)
    assert done.exit_code == 1
    assert "action_goal is undefined (0/0), so it cannot reach 0 %" in done.stderr


def test_a_floor_may_be_under_a_metric_that_only_some_runs_have(tmp_path: Path) -> None:
    sampled = tmp_path / "sampled.jsonl"
    sampled.write_text('{"id": "studio-01", "outputs": ["[]", "[]"]}\n')
    gate = ("--tasks", "studio-01", "-q", "--fail-under")
    assert "pass@2 is 0.0 %" in call("evaluate", "household", sampled, *gate, "pass@2=50").stderr
    assert call("evaluate", "household", sampled, *gate, "pass@2=0").exit_code == 0
    done = call("evaluate", "household", HASTY, *gate, "path_goal=1")
    assert done.stderr == "eai: path_goal was not measured: no task of this run has it\n"
    assert done.exit_code == 1


def test_a_regression_fails_and_says_which_metric(careful: Path) -> None:
    done = call("evaluate", "household", HASTY, "--json", "--no-regression-vs", careful)
    assert done.exit_code == 1
    first, second = done.stderr.splitlines()
    assert first.startswith(f"eai: task_success_rate is significantly worse than in {careful}: ")
    assert second.startswith("eai: execution_success_rate is significantly worse than in ")
    assert len(json.loads(done.stdout)["failures"]) == 2


@pytest.mark.heavy
@pytest.mark.parametrize("answers", [CAREFUL, CHATTY])
def test_what_is_better_or_as_good_is_no_regression(answers: str, tmp_path: Path) -> None:
    eai.evaluate("household", HASTY, output=tmp_path / "hasty")
    done = call("evaluate", "household", answers, "-q", "--no-regression-vs", tmp_path / "hasty")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "worse" not in done.stderr


def test_a_baseline_has_to_fit(careful: Path) -> None:
    vs = ("-q", "--no-regression-vs", careful)
    other = call("evaluate", "household", CAREFUL, "--semantics", "official", *vs)
    assert "the run was evaluated as" in str(other.exception)
    ability = call("evaluate", "household", CAREFUL, "--ability", "goal_interpretation", *vs)
    assert "expected: a run of household, goal_interpretation" in str(ability.exception)


OWN = """
from dataclasses import replace

import eai
from eai.report import view_of
from eai.suites.household import Household


@eai.metric
def terse(record):
    return len(record.output) < 200


class Viewed(Household):
    name = "viewed"

    abilities = {
        name: ability._replace(view=view_of(name).with_metrics([terse]))
        for name, ability in Household.abilities.items()
    }
"""


@pytest.mark.heavy
def test_a_report_written_anew_keeps_the_metrics_of_its_own_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "viewed.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert call("evaluate", "viewed:Viewed", CAREFUL, "--output", "run").exit_code == 0
    written = Path("run/table.tex").read_text()
    assert "Terse" in written
    assert call("report", "run", "--suite", "viewed:Viewed").exit_code == 0
    assert Path("run/table.tex").read_text() == written
    done = call("leaderboard", "run", "--suite", "viewed:Viewed", "--metric", "terse")
    assert done.exit_code == 0, done.stderr


@pytest.mark.heavy
def test_a_run_that_may_only_be_read_has_a_table(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Path.open

    def refusing(path: Path, mode: str = "r", *arguments: object, **options: object) -> object:
        if "w" in mode:
            raise PermissionError(13, "Permission denied")
        return usual(path, mode, *arguments, **options)  # type: ignore[call-overload]

    table = call("report", run).stdout
    monkeypatch.setattr(Path, "open", refusing)
    done = call("report", run)
    assert (done.exit_code, done.stdout) == (0, table)
    assert all(str(run / name) in done.stderr for name in ("table.csv", "table.tex", "report.html"))
    assert isinstance(call("report", run, "--repairs").exception, InputError)


def test_latex_across_both_columns(run: Path, tmp_path: Path) -> None:
    for command in ("report", "leaderboard"):
        path = tmp_path / f"{command}.tex"
        assert call(command, run, "--latex", path, "--wide", "-q").exit_code == 0
        assert r"\begin{table*}" in path.read_text()
    assert call("leaderboard", run, "--wide").exit_code == 2
