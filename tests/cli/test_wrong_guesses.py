"""What a new user gets wrong, and what the answer to it says about the next step."""

from __future__ import annotations

import io
import json
import shlex
import shutil
from pathlib import Path

import pytest
from command_line import call
from report_samples import record, write_records

import eai
from eai.diagnosis import Result
from eai.errors import InputError, OutputExistsError, SameNameError, UnknownNameError
from eai.suites.household import samples


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of one model, and files that are none of what is wanted."""
    folder = tmp_path_factory.mktemp("home")
    eai.evaluate("household", samples()[0], output=folder / "run")
    (folder / "empty.jsonl").touch()
    (folder / "folder").mkdir()
    (folder / "page.html").touch()
    (folder / "letter.jsonl").write_text("Dear all,\n")
    (folder / "strangers.jsonl").write_text(json.dumps({"id": "moon-1", "output": "[]"}) + "\n")
    (folder / "headings.csv").write_text("id,output\n")
    (folder / "outputs" / "household").mkdir(parents=True)
    (folder / "answers.jsonl").write_text(json.dumps({"id": "flat-17", "output": "[]"}) + "\n")
    (folder / "f.jsonl").write_text(json.dumps({"id": "studio-01", "output": "[]"}) + "\n")
    (folder / "answers").mkdir()
    (folder / "answers" / "f.jsonl").write_bytes((folder / "f.jsonl").read_bytes())
    (folder / "answer.txt").write_text("I have no idea.")
    return folder


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("evaluate houshold", 3, "did you mean 'household'?"),
        ("evaluate moon", 3, "eai suites lists them"),
        ("evaluate letter.jsonl", 3, "eai evaluate SUITE letter.jsonl"),
        ("evaluate household absent.jsonl", 3, "check the path"),
        ("evaluate household empty.jsonl", 3, "write a line for each answer"),
        ("evaluate household folder", 3, "there is no file of predictions in this folder"),
        ("evaluate household letter.jsonl", 3, "letter.jsonl:1: there is no prediction"),
        ("evaluate household headings.csv", 3, "a line for each answer"),
        ("evaluate household moon.pddl", 3, "eai check reads PDDL"),
        ("evaluate household run/table.csv", 3, "hint: eai report run"),
        ("evaluate household outputs", 3, "eai evaluate household --model-outputs outputs"),
        ("evaluate household --model-outputs outputs/household", 3, "folder above: outputs"),
        ("evaluate household --model-outputs outptus", 3, "did you mean 'outputs'?"),
        ("evaluate household --model-outputs nowhere", 3, "there is no such folder"),
        ("evaluate household --workers 0", 3, "leave it out to evaluate in this process"),
        ("evaluate household *.json", 3, "no file fits this pattern: see what there is in '.'"),
        ("evaluate household --model-outputs answers", 3, "out: eai evaluate household answers"),
        ("evaluate household strangers.jsonl", 3, "identifiers such as studio-01"),
        ("evaluate household run", 3, "hint: eai report run"),
        ("evaluate household --ability plans", 3, "there is no ability named 'plans'"),
        ("evaluate household --ability planning", 3, "for plans it is action_sequencing"),
        ("evaluate household --semantics lenient", 3, "hint: name one of them"),
        ("evaluate household --fail-under success=80", 3, "or 'task_success_rate'?"),
        ("explain run flat-17 --model gamma", 3, "hint: name one of them"),
        ("interact household flat-01 --agent gpt4", 3, "with --model gpt4"),
        ("repair household moon answer.txt", 3, "eai tasks household lists them"),
        ("evaluate household --semantics offical", 3, "did you mean 'official'?"),
        ("evaluate household --semantics official -o run", 3, "choose another folder"),
        (
            "evaluate household -o letter.jsonl",
            3,
            "takes a folder: name a new one, such as letter-run",
        ),
        ("evaluate household -o new/report.html", 3, "for the page and all else: new"),
        ("evaluate household -o my.html", 3, "for the page and all else: my-run"),
        ("evaluate household --model-outputs . -o x.CSV", 3, "this is the name of a file"),
        ("interact household flat-01 -o x.jsonl.gz", 3, "this is the name of a file"),
        ("evaluate household -o letter.jsonl/x", 3, "letter.jsonl is a file"),
        ("interact household flat-01 -o letter.jsonl", 3, "takes a folder"),
        ("perturb household -o folder", 3, "name a file in it"),
        ("evaluate asgardbench", 3, "has no sample answers"),
        ("evaluate household --model me", 2, "NAME=FILE gives it another name"),
        ("evaluate household --fail-under task=80", 3, "expected: action_goal, "),
        ("evaluate household --fail-under 80", 2, "METRIC=VALUE, such as task_success_rate=80"),
        ("evaluate household --fail-under x=1 --ability plan", 3, "no ability named 'plan'"),
        ("evaluate household --no-regression-vs nowhere", 3, "there are runs in run"),
        ("explain nowhere", 3, "there are runs in run"),
        ("explain folder", 3, "eai evaluate SUITE FILE --output FOLDER"),
        ("explain run", 3, "hint: eai explain run "),
        ("explain flat-17 run", 3, "there are runs in run"),
        ("explain household flat-17", 3, "there are runs in run"),
        ("plan household flat-17", 3, "a PDDL file"),
        ("explain run 17", 3, "or 'flat-17' or"),
        ("explain answers.jsonl", 3, "eai evaluate SUITE answers.jsonl --output RUN"),
        ("explain empty.jsonl", 3, "--output FOLDER makes a run"),
        ("explain run flat-1", 3, "did you mean 'flat-01'"),
        ("explain run flat-17 --model carful", 3, "there is no model named 'carful'"),
        ("compare run", 3, "another run: eai compare RUN OTHER"),
        ("compare run run --metric success", 3, "expected: action_goal, "),
        ("compare run run --draws 0", 3, "a whole number from 1"),
        ("compare run run --seed -1", 3, "a whole number from 0"),
        ("report run --model samples_careful", 2, "name other files"),
        ("report run/records.jsonl --repairs", 2, "add --html FILE"),
        ("report run --csv run/table.csv", 3, "choose another path"),
        ("export run --organization me --developer x", 2, "'x' is not MODEL=NAME"),
        ("export run --organization me --developer x=y", 3, "there is no model named 'x'"),
        ("view page.html", 3, "there is no record in this file"),
        ("view f.jsonl", 3, "eai evaluate SUITE f.jsonl --output RUN"),
        ("view rnu", 3, "did you mean run?"),
        ("explain ./folder/../rnu flat-17", 3, "did you mean "),
        ("repair ./rnu flat-17", 3, "did you mean 'run'?"),
        ("view folder", 3, "there is no run here"),
        ("repair household flat-17 absent.txt", 3, "one answer of a model"),
        ("repair household flat-17 answer.txt", 3, "there is no plan in the answer"),
        ("repair household flat-1 answer.txt", 3, "did you mean"),
        ("repair household flat-17 folder", 3, "name a file in this folder"),
        ("repair household answer.txt flat-17", 3, "eai tasks household lists them"),
        ("repair household 17 answer.txt", 3, "or 'flat-17' or"),
        ("repair asgardbench x answer.txt", 3, "eai interact asgardbench"),
        ("replan asgardbench", 3, "a suite that evaluates action_sequencing"),
        ("perturb asgardbench -o x.jsonl", 3, "eai interact asgardbench"),
        ("analyze mixed household x.json", 3, "a suite that evaluates transition_modeling"),
        ("analyze statistics run", 3, "name a suite; this is a run: eai report run"),
        ("check folder", 3, "name the files in it: folder/*.pddl"),
        ("check anser.txt", 3, "did you mean 'answer.txt'"),
        ("ask household --model m -o x.jsonl --limit -1", 2, "--limit"),
        ("data fetch virtualhome", 3, "eai brings virtualhome and behavior"),
        ("export run --organization me -o letter.jsonl", 3, "cannot be written: Not a directory"),
        ("interact household flat-01 --agent me", 3, "oracle, random, scripted:FILE"),
        ("replan household flat-01 --agent me", 3, "expected: module:attribute, oracle"),
        ("evaluate household f.jsonl --model gpt", 2, "NAME=FILE gives it another name"),
        ("evaluate household gpt=f.jsonl answers.jsonl", 2, "each file its own name"),
        ("evaluate household a=f.jsonl a=answers.jsonl", 2, "each file its own name"),
        ("evaluate household gpt=absent.jsonl", 3, "gpt=absent.jsonl: cannot be read"),
        ("prompts asgardbench", 3, "eai interact asgardbench --model NAME"),
        ("perturb household -o nowhere/x.jsonl", 3, "create the folder"),
        ("data fetch eay", 3, "did you mean 'eai'?"),
    ],
)
def test_a_wrong_guess_is_answered_with_what_to_do(
    words: str, code: int, told: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    done = call(*words.split())
    assert done.exit_code == code
    assert told in done.told
    assert done.stdout == ""


def test_a_model_is_named_before_its_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    done = call("evaluate", "household", "gpt=f.jsonl", "llama=answers.jsonl", "--json")
    assert list(json.loads(done.stdout)["models"]) == ["gpt", "llama"]


@pytest.mark.heavy
def test_a_folder_that_is_called_like_a_file_is_taken_if_it_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "page.html"
    folder.mkdir()
    eai.evaluate("household", samples()[0], output=folder)
    assert (folder / "report.html").is_file()
    assert call("evaluate", "household", samples()[0], "-q", "-o", tmp_path / "run-1.2")[0] == 0


def test_an_analysis_without_rows_says_so(tmp_path: Path) -> None:
    write_records(tmp_path / "records.jsonl", [record(Result("evaluated"))])
    done = call("analyze", "parts", tmp_path)
    assert done.exit_code == 0
    assert "this run has no data for this analysis" in done.stderr


def test_without_a_task_an_answer_that_failed_is_the_example(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    assert call("evaluate", "household", "f.jsonl", "answers.jsonl", "-q", "-o", tmp_path)[0] == 0
    told = str(call("explain", tmp_path).exception)
    assert "which of the 152 records?" in told
    assert "several answered it (f, answers); for instance studio-01 (f), flat-17 (answers)" in told
    assert f"eai explain {tmp_path} studio-01 --model f" in told


def test_a_run_that_is_compared_with_itself_is_said_to_be_the_same(home: Path) -> None:
    done = call("compare", home / "run", home / "run" / "records.jsonl", "--draws", 20)
    assert (done.exit_code, len(done.stderr.splitlines())) == (0, 1)
    assert done.stderr.startswith("eai: both runs are the same; eai compare RUN ")


class Terminal(io.StringIO):
    """A stream that says that somebody reads it."""

    def isatty(self) -> bool:
        return True


def test_without_a_folder_it_is_said_how_to_get_the_page(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    assert call("evaluate", "household", "f.jsonl").stderr == ""
    monkeypatch.setattr("io.StringIO", Terminal)
    told = "eai: --output RUN also writes the page; then eai explain RUN TASK tells why\n"
    assert call("evaluate", "household", "f.jsonl").stderr.endswith(told)
    for silent in ("-q", "--json", f"--output={tmp_path / 'run'}"):
        assert told not in call("evaluate", "household", "f.jsonl", silent).stderr


def test_a_folder_of_several_runs_names_them(tmp_path: Path) -> None:
    eai.evaluate("household", samples()[0], output=tmp_path / "all" / "household")
    done = call("report", tmp_path / "all")
    assert str(tmp_path / "all" / "household") in str(done.exception)


def test_a_run_that_was_interrupted_says_so(tmp_path: Path) -> None:
    eai.evaluate("household", samples()[0], output=tmp_path)
    manifest = tmp_path / "run.json"
    manifest.write_text(manifest.read_text().replace('"complete": true', '"complete": false'))
    shown = call("report", tmp_path / "records.jsonl").stdout
    assert "the run is not complete" in " ".join(shown.split())
    (tmp_path / "records.jsonl").unlink()
    told = str(call("report", tmp_path).exception)
    assert "this run has no records yet" in told
    assert "the same eai evaluate again" in told


@pytest.mark.heavy
@pytest.mark.parametrize("workers", [(), ("--workers", "1")])
def test_a_run_that_was_cut_says_how_much_is_there_and_goes_on(
    workers: tuple[str, ...], tmp_path: Path
) -> None:
    words = ("evaluate", "household", samples()[0], "-q", "-o", tmp_path, *workers)
    assert call(*words).exit_code == 0
    records = tmp_path / "records.jsonl"
    whole = records.read_bytes()
    assert json.loads((tmp_path / "run.json").read_text())["records"] == 76
    records.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    shown = " ".join(call("report", tmp_path).stdout.split())
    assert "3 of 76 records are left" in shown
    assert call(*words).exit_code == 0
    assert records.read_bytes() == whole
    assert call(*words).exit_code == 0  # there is nothing left to do
    assert records.read_bytes() == whole


def test_without_any_run_it_is_said_how_to_make_one(tmp_path: Path) -> None:
    done = call("explain", tmp_path / "nowhere")
    assert "eai evaluate SUITE FILE --output FOLDER" in str(done.exception)


def test_files_of_the_same_model_are_named_on_the_command_line(tmp_path: Path) -> None:
    line = json.dumps({"id": "studio-01", "output": "[]", "model": "m"}) + "\n"
    paths = [tmp_path / f"{name}.jsonl" for name in ("ok", "rate", "third")]
    for path in paths:
        path.write_text(line)
    error = call("evaluate", "household", *paths).exception
    assert isinstance(error, SameNameError)
    assert error.mend is not None
    command = shlex.split(error.mend.partition(": ")[2])
    done = call(*command[1:], "--json")
    assert list(json.loads(done.stdout)["models"]) == ["ok", "rate", "third"]


def test_a_key_that_may_hold_the_answers_is_named(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(
        json.dumps({"room": "studio-01", "model": "m", "plan": "[WALK] <light> (1)"}) + "\n"
    )
    error = call("evaluate", "household", path).exception
    assert isinstance(error, InputError)
    options = ("--id-field", "room", "--field", "plan")
    assert " ".join(options) in str(error.mend)
    assert call("evaluate", "household", path, *options, "-q").exit_code == 0


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_an_item_without_an_answer_lacks_it(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"one.{ending}"
    path.write_text('{"id": 1}')
    error = call("evaluate", "household", path).exception
    assert isinstance(error, InputError)
    assert "no output to '1'" in error.what


def test_a_run_of_other_tasks_is_told_from_one_of_other_semantics(
    home: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(home / "run", run)
    words = ("evaluate", "household", samples()[0], "-o", run)
    tasks = call(*words, "--tasks", "answered").exception
    semantics = call(*words, "--semantics", "official").exception
    assert isinstance(tasks, OutputExistsError)
    assert isinstance(semantics, OutputExistsError)
    assert "answered tasks" in tasks.what
    assert "other semantics" not in tasks.what
    assert "other semantics" in semantics.what


OWN_SUITE = """
from eai.suites.household import Household

def suite():
    made = Household()
    made.name = "hospital"
    return made
"""


def test_the_suite_of_a_run_is_named_as_it_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wards.py").write_text(OWN_SUITE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    words = ("evaluate", "wards:suite", samples()[0], "--limit", 2, "-o", "run", "-q")
    assert call(*words).exit_code == 0
    for command in (("explain", "run"), ("repair", "run"), ("analyze", "factors", "run")):
        task = () if command[0] == "analyze" else ("studio-01",)
        error = call(*command, *task).exception
        assert isinstance(error, UnknownNameError)
        assert error.mend == "add --suite wards:suite"
        assert call(*command, *task, "--suite", "wards:suite").exception is None


def test_objects_are_listed_with_their_types() -> None:
    described = json.loads(call("tasks", "household", "studio-01", "--json").stdout)
    assert described["types"]["kitchen.2"] == "room"
    assert "- kitchen.2 (room)" in call("tasks", "household", "studio-01").stdout


def test_who_validates_an_answer_to_a_suite_is_led_to_repair(home: Path) -> None:
    path = home / "answers.jsonl"
    error = call("validate", "household", "flat-17", path).exception
    assert isinstance(error, InputError)
    assert str(error.mend).endswith(f"eai repair household flat-17 {path}")


def test_an_audit_of_answers_is_no_audit_without_findings(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "studio-01", "output": "[]"}\n', "utf-8")
    for options in ((), ("--suite", "eb-alfred")):
        done = call("audit", answers, *options)
        assert done.exit_code == 3
        assert "no recorded episode" in done.told
    assert "nothing to audit" in call("audit", answers, "--suite", "household").told


@pytest.mark.parametrize("command", ["compare-domains", "compare-problems"])
def test_a_folder_without_definitions_is_said_to_have_none(tmp_path: Path, command: str) -> None:
    domain = tmp_path / "domain.pddl"
    domain.write_text("(define (domain d) (:predicates (p)))", "utf-8")
    problem = tmp_path / "problem.pddl"
    problem.write_text("(define (problem q) (:domain d) (:init) (:goal (p)))", "utf-8")
    folder = tmp_path / "empty"
    folder.mkdir()
    files = [domain] if command == "compare-domains" else [domain, problem]
    done = call(command, *files, folder)
    assert done.exit_code == 3
    assert "plan" not in done.told


@pytest.mark.parametrize("option", ["--rules", "--log"])
def test_a_log_of_a_guard_is_replayed_with_its_own_rules(tmp_path: Path, option: str) -> None:
    file = tmp_path / "rules.jsonl"
    file.write_text('{"name": "off", "formula": "G !on(light.34)"}\n', "utf-8")
    done = call("guard", option, file, "replay", tmp_path / "guard.jsonl")
    assert done.exit_code == 2
    assert "a log has its rules" in done.told
