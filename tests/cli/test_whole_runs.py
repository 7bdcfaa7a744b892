"""Commands on a run of several abilities, and on any part of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command_line import call
from pddl_blocks import PLAN, write_suite

import eai
from eai.cli.serving import run_files
from eai.errors import InputError, UnknownNameError
from eai.suites.household import samples

GOALS = '{"id": "studio-01", "output": "{\\"node goals\\": []}"}\n'


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two abilities, three models in one and one in the other."""
    outputs, run = tmp_path_factory.mktemp("outputs"), tmp_path_factory.mktemp("all") / "run"
    folder = outputs / "household" / "action_sequencing"
    folder.mkdir(parents=True)
    for path in samples():
        shutil.copy(path, folder)
    (outputs / "household" / "goal_interpretation").mkdir()
    (outputs / "household" / "goal_interpretation" / "samples_careful.jsonl").write_text(GOALS)
    words = ("household", "--model-outputs", outputs, "--limit", 25, "-o", run, "-q")
    assert call("evaluate", *words).exit_code == 0
    return run


@pytest.mark.heavy
def test_the_first_page_leads_to_the_reports(run: Path) -> None:
    page = (run / "report.html").read_text()
    assert "Leaderboard" in page
    for ability in ("action_sequencing", "goal_interpretation"):
        assert f'href="household/{ability}/report.html"' in page
        assert (run / "household" / ability / "report.html").exists()
    served = run_files(run)
    assert "report.html" in served
    assert "household/goal_interpretation/report.html" in served


def test_the_leaderboard_has_a_column_for_each_ability(run: Path, tmp_path: Path) -> None:
    done = call("leaderboard", run, "--csv", tmp_path / "board.csv")
    assert done.exit_code == 0
    assert "samples_careful" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert (tmp_path / "board.csv").read_text().count("\n") == 1 + 3 + 1
    rows = json.loads(call("leaderboard", run, "--model", "samples_careful", "--json").stdout)[
        "rows"
    ]
    assert [row["ability"] for row in rows] == ["goal_interpretation", "action_sequencing"]


def test_a_part_is_chosen_by_its_folder_or_by_name(run: Path) -> None:
    part = run / "household" / "goal_interpretation"
    for words in ((part,), (run, "--ability", "goal_interpretation")):
        found = json.loads(call("report", *words, "--json").stdout)
        assert found["ability"] == "goal_interpretation"
    assert isinstance(call("report", run, "--ability", "oops").exception, UnknownNameError)


def test_the_report_of_all_is_the_leaderboard(run: Path) -> None:
    for path in (run / "report.html", run / "household" / "action_sequencing" / "report.html"):
        path.unlink()
    done = call("report", run)
    assert done.exit_code == 0
    assert "Leaderboard" in done.stdout
    assert (run / "report.html").exists()
    assert (run / "household" / "action_sequencing" / "report.html").exists()


def test_each_ability_with_two_models_is_compared(run: Path) -> None:
    [found] = json.loads(call("compare", run, "--json").stdout)["comparisons"]
    assert {each["metric"] for each in found["differences"]} == {"task_success_rate"}
    both = json.loads(call("compare", run, run.parent / "run" / ".", "--json").stdout)
    assert len(both["comparisons"]) == 2
    words = ("--metric", "overall_f1")
    assert isinstance(call("compare", run, *words).exception, InputError)


def test_all_parts_go_to_one_file(run: Path, tmp_path: Path) -> None:
    for number, words in enumerate((("analyze", "intervals"), ("compare",))):
        file = tmp_path / f"{number}.csv"
        assert call(*words, run, "--csv", file).exit_code == 0
        head, *rows = file.read_text().splitlines()
        assert head.startswith("suite,ability,")
        assert all(row.startswith("household,") for row in rows)
    assert "household,goal_interpretation," in (tmp_path / "0.csv").read_text()


def test_one_item_of_all_is_explained(run: Path) -> None:
    words = ("explain", run, "studio-01", "--model", "samples_careful")
    error = call(*words).exception
    assert isinstance(error, InputError)
    assert "--suite and --ability" in str(error)
    done = call(*words, "--ability", "action_sequencing")
    assert done.stdout.startswith("household studio-01")


def test_analyses_take_each_part(run: Path) -> None:
    done = call("analyze", "errors", run)
    assert "household action_sequencing: " in done.stdout
    assert "household goal_interpretation: " in done.stdout


def test_a_whole_run_is_exported(run: Path, tmp_path: Path) -> None:
    files = json.loads(
        call("export", run, "--organization", "Lab", "-o", tmp_path, "--json").stdout
    )
    assert len(files["files"]) == 4


def test_the_same_in_python(run: Path) -> None:
    whole = eai.read_run(run)
    assert list(whole.reports["household"]) == ["goal_interpretation", "action_sequencing"]
    assert whole.leaderboard().models[0] == "samples_careful"
    part = eai.read_run(run / "household" / "action_sequencing")
    assert list(part.reports["household"]) == ["action_sequencing"]
    with pytest.raises(InputError, match="no run here"):
        eai.read_run(run.parent.parent / "nowhere")


def test_a_suite_that_is_named_by_a_path_is_a_part_like_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_suite(Path("some/blocks"))
    answers = Path("outputs/pddl:some_blocks/action_sequencing/m.jsonl")
    answers.parent.mkdir(parents=True)
    answers.write_text(json.dumps({"id": "2", "output": PLAN}))
    done = call("evaluate", "pddl:some/blocks", "--model-outputs", "outputs", "-o", "all")
    assert done.exit_code == 0
    assert "skipped" not in done.stderr
    assert list(eai.read_run("all").reports) == ["pddl:some/blocks"]
    assert 'href="pddl%3Asome_blocks/action_sequencing/report.html"' in Path(
        "all/report.html"
    ).read_text("utf-8")
    told = call("explain", "all", "instance-2", "--suite", "pddl:some/blocks").stdout
    assert "Verdict: solved" in told
    monkeypatch.chdir(tmp_path / "some")
    lost = str(call("explain", "../all", "instance-2").exception)
    assert "--suite pddl:PATH" in lost
    found = call("explain", "../all", "instance-2", "--suite", "pddl:blocks").stdout
    assert "Verdict: solved" in found


def test_suites_have_the_same_order_whenever_the_leaderboard_is_made(tmp_path: Path) -> None:
    for name, task in (("household", "studio-01"), ("eb-habitat", "base/0")):
        folder = tmp_path / "outputs" / name / "action_sequencing"
        folder.mkdir(parents=True)
        (folder / "m.jsonl").write_text(json.dumps({"id": task, "output": "[]"}) + "\n")
    words = ("--model-outputs", tmp_path / "outputs", "--limit", 1, "-o", tmp_path / "run", "-q")
    assert call("evaluate", "household", "eb-habitat", *words).exit_code == 0
    again = tmp_path / "again.csv"
    assert call("leaderboard", tmp_path / "run", "--csv", again, "-q").exit_code == 0
    assert again.read_text() == (tmp_path / "run" / "leaderboard.csv").read_text()
