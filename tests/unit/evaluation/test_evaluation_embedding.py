"""Evaluating from other programs: models by name, suites of one's own, processes and threads."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import eai
from eai.contract import Ability
from eai.errors import EaiError, InputError, OutputExistsError, UnknownNameError
from eai.runs import journal
from eai.suites.household import Household, samples

PLAN = '[{"WALK": ["light", "34"]}]'


@pytest.fixture(scope="module")
def suite() -> Household:
    return Household()


def test_several_models_are_given_by_name(suite: Household) -> None:
    report = eai.evaluate(
        suite,
        {
            "gpt": {"studio-01": PLAN, "studio-02": None},
            "llama": [("studio-01", PLAN)],
            "empty": {},
            "values": {"studio-01": [{"WALK": ["light", "34"]}]},
        },
    )
    assert report.models == ("gpt", "llama", "empty", "values")
    one, *_ = (report.of(model)[0].result for model in ("gpt", "llama"))
    assert report.of("values")[0].result == one
    assert [report.tally(model).missing for model in report.models] == [75, 75, 76, 75]


class Renamed(Household):
    """A suite whose release has another task in the place of an older one."""

    abilities: Mapping[str, Ability] = {
        "action_sequencing": Ability(former={"cellar-01": "studio-01"}),
        "goal_interpretation": Household.abilities["goal_interpretation"],
    }


@pytest.mark.parametrize("workers", [None, 1])
def test_an_answer_to_a_former_task_counts_for_the_one_in_its_place(workers: int | None) -> None:
    said = "m: 1 prediction (cellar-01) read as answers to the tasks that replaced theirs"
    for answers in ({"cellar-01": PLAN}, {"cellar-01": PLAN, "studio-01": None}):
        report = eai.evaluate(Renamed(), {"m": answers}, workers=workers)
        assert report.of("m")[0].output == PLAN
        assert any(said in note for note in report.notes)
    report = eai.evaluate(Renamed(), {"m": {"cellar-01": PLAN, "studio-01": ""}}, workers=workers)
    assert report.of("m")[0].output == ""
    assert any("m: 1 prediction (cellar-01) left out" in note for note in report.notes)


@pytest.mark.heavy
def test_a_former_task_has_no_say_in_other_abilities() -> None:
    answers = {"cellar-01": "{}", "studio-01": "{}"}
    report = eai.evaluate(Renamed(), {"m": answers}, ability="goal_interpretation")
    assert any("(cellar-01) left out: no such task" in note for note in report.notes)


@pytest.mark.parametrize("nothing", [{}, [], {"m": {}}, {"m": {}, "n": []}, iter(())])
@pytest.mark.parametrize("workers", [None, 1])
def test_no_predictions_at_all_are_an_error(
    suite: Household, nothing: object, workers: int | None
) -> None:
    with pytest.raises(InputError, match="there are no predictions"):
        eai.evaluate(suite, nothing, workers=workers)


def test_answers_that_are_null_are_missing_answers(suite: Household) -> None:
    report = eai.evaluate(suite, {"studio-01": None})
    [model] = report.models
    assert report.tally(model).missing == report.tally(model).tasks == len(suite.task_ids())
    assert report.notes[1] == "unnamed: item 1: the output of 'studio-01' is None, not text"


@pytest.mark.parametrize("workers", [None, 1])
def test_a_model_whose_answers_are_all_null_has_a_row(
    suite: Household, tmp_path: Path, workers: int | None
) -> None:
    path = tmp_path / "two.jsonl"
    items = [
        {"id": "studio-01", "model": "m1", "output": PLAN},
        {"id": "studio-01", "model": "m2", "output": None},
    ]
    path.write_text("\n".join(map(json.dumps, items)))
    report = eai.evaluate(suite, path, workers=workers)
    assert report.models == ("m1", "m2")
    assert [report.tally(model).missing for model in report.models] == [75, 76]
    assert report.notes[2:] == ("m2: two.jsonl:2: the output of 'studio-01' is None, not text",)


@pytest.mark.parametrize("source", [[{"task": "studio-01", "plan": "[]"}], [{"task": "x"}] * 2])
def test_objects_with_other_keys_are_no_answers_by_task(suite: Household, source: object) -> None:
    with pytest.raises(InputError, match="there is no output to") as caught:
        eai.evaluate(suite, source)
    assert caught.value.where == "item 1"


def test_one_object_with_other_keys_is_told_from_answers(suite: Household) -> None:
    with pytest.raises(InputError, match="found 'plan', 'task'"):
        eai.evaluate(suite, {"task": "studio-01", "plan": "[]"})


def test_identifiers_that_are_nearly_right_are_named(suite: Household) -> None:
    with pytest.raises(InputError, match="did you mean 'studio-01'"):
        eai.evaluate(suite, {"studio_01": "[]"})
    report = eai.evaluate(suite, {"studio-01": PLAN, "studio_02": "[]", "moon": "[]"})
    assert report.notes[1] == (
        "unnamed: 2 predictions (studio_02, moon) left out: no such task; did you mean 'studio-02'?"
    )


def test_files_of_a_folder_that_cannot_be_used_are_named(suite: Household, tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_text(json.dumps({"id": "studio-01", "output": PLAN}))
    (tmp_path / "bad.jsonl").write_text("oops\n")
    for name in ("answers.csv", "notes.txt", ".hidden"):
        (tmp_path / name).write_text("")
    report = eai.evaluate(suite, tmp_path)
    assert report.models == ("good",)
    # Three are named, all are counted.
    assert [note.partition(":")[0] for note in report.notes[2:]] == [
        "answers.csv",
        "bad.jsonl",
        ".hidden",
    ]
    assert report.notes[1].startswith("left out: 4 files")
    (tmp_path / "good.jsonl").unlink()
    with pytest.raises(InputError, match=r"answers\.csv: it is empty"):
        eai.evaluate(suite, tmp_path)


def test_answers_to_other_tasks_only_are_an_error(suite: Household) -> None:
    with pytest.raises(InputError, match="none of the 2 predictions is for a task") as caught:
        eai.evaluate(suite, {"27_2": "[]", "850_1": "[]"})
    assert "studio-01" in str(caught.value)
    assert "27_2, 850_1" in str(caught.value)


def test_long_identifiers_are_cut_in_notes(suite: Household) -> None:
    report = eai.evaluate(suite, {"studio-01": PLAN, "x" * 100_000 + "\x1b": "[]"})
    assert len(report.notes[1]) < 200
    assert "\x1b" not in report.notes[1]


def test_the_report_does_not_tell_where_the_files_lie(suite: Household, tmp_path: Path) -> None:
    written = []
    for name in ("one", "another"):
        path = tmp_path / name / "m.jsonl"
        path.parent.mkdir()
        path.write_text(json.dumps({"id": "studio-01", "output": PLAN}) + "\noops\n")
        eai.evaluate(suite, path, output=tmp_path / name / "run")
        files = sorted((tmp_path / name / "run").iterdir())
        written.append([file.read_bytes() for file in files])
        assert not any(str(tmp_path).encode() in content for content in written[-1])
    assert written[0] == written[1]


def test_problems_of_a_file_are_told_once(suite: Household, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    items = [{"id": "studio-01", "output": PLAN, "model": f"m{i}"} for i in range(4)]
    path.write_text("\n".join(map(json.dumps, items)) + "\noops\n")
    [*_, note] = eai.evaluate(suite, path).notes
    assert note == "all.jsonl:5: the line is not JSON (Expecting value)"


def test_many_notes_are_counted_in_the_report_and_kept_in_the_run(
    suite: Household, tmp_path: Path
) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text(json.dumps({"id": "studio-01", "output": PLAN}) + "\n" + "oops\n" * 500)
    report = eai.evaluate(suite, path, output=tmp_path / "run")
    assert len(report.notes) == 5
    for name in ("table.csv", "table.tex", "report.html"):
        text = (tmp_path / "run" / name).read_text("utf-8")
        assert text.count("the line is not JSON") == 3, name
        assert "500 rows (500 unreadable)" in text
    assert json.loads((tmp_path / "run" / "run.json").read_text())["notes"] == list(report.notes)


def test_one_quirk_needs_no_list(suite: Household) -> None:
    report = eai.evaluate(suite, {"studio-01": PLAN}, semantics="official", without="grab_memory")
    assert report.setting.semantics.startswith("official -grab_memory")


@pytest.mark.parametrize("wrong", [5, None, "os:getcwd", "json:loads", "os:", ":", Household])
def test_what_is_no_suite(wrong: str) -> None:
    with pytest.raises(EaiError):
        eai.evaluate(wrong, {"studio-01": PLAN})


def test_semantics_of_another_type(suite: Household) -> None:
    with pytest.raises(UnknownNameError):
        eai.evaluate(suite, {"studio-01": PLAN}, semantics=5)  # type: ignore[arg-type]


def test_a_suite_is_found_by_module_and_attribute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_suites.py").write_text(
        "from eai.suites.household import Household\n"
        "class Mine(Household):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.name = 'mine'\n"
        "ready = Mine()\n"
        "class Box:\n"
        "    suite = ready\n"
        "def broken():\n"
        "    raise RuntimeError('not today')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("my_suites:Mine", "my_suites:ready", "my_suites:Box.suite"):
        report = eai.evaluate(name, {"studio-01": PLAN})
        assert report.setting.suite == "mine"
    with pytest.raises(InputError, match="RuntimeError: not today"):
        eai.evaluate("my_suites:broken", {"studio-01": PLAN})
    record = report.records[0]
    with pytest.raises(InputError, match="no installed package registers"):
        eai.explain(record)
    assert str(eai.explain(record, suite="my_suites:Mine")).startswith("mine studio-01")
    with pytest.raises(InputError, match="of the suite 'mine', not of 'household'"):
        eai.explain(record, suite="household")


def _evaluate(model: str) -> eai.Report:
    return eai.evaluate("household", {model: {"studio-01": PLAN}})


def _fail(name: str) -> object:
    return eai.suite(name)


@pytest.mark.heavy
def test_reports_and_errors_cross_processes() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        [report] = pool.map(_evaluate, ["gpt"])
        with pytest.raises(UnknownNameError) as caught:
            pool.map(_fail, ["hausehold"])
    here = _evaluate("gpt")
    assert [r.result for r in report.records] == [r.result for r in here.records]
    assert str(report) == str(here)
    assert report._repr_html_() == here._repr_html_()
    assert caught.value.suggestions == ["household"]


@pytest.mark.heavy
def test_tasks_can_be_sent_and_evaluated_elsewhere(suite: Household) -> None:
    task = pickle.loads(pickle.dumps(suite.task("studio-01")))
    result = suite.evaluate("action_sequencing", task, PLAN, suite.semantics("strict"))
    [first, *_] = eai.evaluate(suite, {"studio-01": PLAN}).records
    assert result == first.result


@pytest.mark.heavy
def test_threads_do_not_disturb_each_other(suite: Household) -> None:
    answers = samples()[:1]
    expected = str(eai.evaluate(suite, answers))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: str(eai.evaluate(suite, answers)), range(4)))
    assert set(found) == {expected}


_RUN = """
import pathlib, sys, eai
from eai.suites.household import samples
tasks = ["studio-01", "studio-02", "flat-17", "cottage-12"]
folder = pathlib.Path(sys.argv[1])
eai.evaluate("household", samples(), tasks=tasks, semantics="official", output=folder)
"""


@pytest.mark.heavy
def test_files_do_not_depend_on_the_surroundings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    more = {"PYTHONHASHSEED": "77", "TZ": "Asia/Kolkata", "LC_ALL": "de_DE.UTF-8"}
    subprocess.run([sys.executable, "-c", _RUN, there], env={**os.environ, **more}, check=True)
    monkeypatch.setattr(sys, "argv", ["", str(here)])
    exec(_RUN, {})
    assert {path.name: path.read_bytes() for path in here.iterdir()} == {
        path.name: path.read_bytes() for path in there.iterdir()
    }


def test_two_runs_cannot_write_to_one_folder(suite: Household, tmp_path: Path) -> None:
    told = []

    def meanwhile(done: int, _total: int) -> None:
        if done == 1:
            with pytest.raises(InputError, match="another run is writing") as caught:
                eai.evaluate(suite, {"studio-01": PLAN}, output=tmp_path, force=True)
            told.append(caught.value.mend)

    eai.evaluate(suite, {"studio-01": PLAN}, output=tmp_path, progress=meanwhile)
    assert told
    with pytest.raises(OutputExistsError, match="a complete run"):
        eai.evaluate(suite, {"studio-01": PLAN}, output=tmp_path, semantics="official")
    eai.evaluate(suite, {"studio-01": PLAN}, output=tmp_path, semantics="official", force=True)


def test_a_run_of_other_models_does_not_resume(suite: Household, tmp_path: Path) -> None:
    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        eai.evaluate(suite, {"gpt": {"studio-01": PLAN}}, output=tmp_path, progress=stop)
    with pytest.raises(OutputExistsError, match="another run"):
        eai.evaluate(suite, {"llama": {"studio-01": PLAN}}, output=tmp_path)


def test_what_is_damaged_does_not_resume(suite: Household, tmp_path: Path) -> None:
    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        eai.evaluate(suite, {"studio-01": PLAN}, output=tmp_path, progress=stop)
    (tmp_path / ".journal.sqlite3").write_text("oops")
    with pytest.raises(InputError, match="the files of an interrupted run are damaged") as caught:
        eai.evaluate(suite, {"studio-01": PLAN}, output=tmp_path)
    assert "start over" in str(caught.value.mend)
    assert eai.evaluate(suite, {"studio-01": PLAN}, output=tmp_path, force=True).records


def test_files_of_somebody_else_are_kept(suite: Household, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("mine")
    with pytest.raises(OutputExistsError, match="files of another run"):
        eai.evaluate(suite, {"studio-01": PLAN}, output=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize("output", ["", "a\0b", "x" * 300, "/dev/null/run"])
def test_what_cannot_be_a_folder(suite: Household, output: str) -> None:
    with pytest.raises(InputError) as caught:
        eai.evaluate(suite, {"studio-01": PLAN}, output=output)
    assert caught.value.mend


def test_a_full_disk_is_told(
    suite: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = journal._open_database

    def small(path: Path | None) -> sqlite3.Connection:
        file = opened(path)
        file.execute("PRAGMA max_page_count = 12")
        return file

    monkeypatch.setattr(journal, "_open_database", small)
    monkeypatch.setattr(journal, "_COMMIT_INTERVAL_S", -1)  # each record is written at once
    with pytest.raises(InputError, match="disk is full") as caught:
        eai.evaluate(suite, {"studio-01": PLAN}, output=tmp_path)
    assert "free some space" in str(caught.value.mend)
    monkeypatch.undo()
    assert eai.evaluate(suite, {"studio-01": PLAN}, output=tmp_path).records
