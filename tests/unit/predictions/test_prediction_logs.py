"""Logs that other tools wrote are read as predictions: the fixtures are real ones."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from needs import OLDER_PYTHON, package

import eai
from eai.errors import InputError, MissingExtraError
from eai.predictions import Predictions, load_all, load_predictions

FIXTURES = Path(__file__).parents[2] / "fixtures"
INSPECT = FIXTURES / "inspect"
HARNESS = FIXTURES / "lm_eval" / "some__model-7b"
GENERATED = next(HARNESS.glob("samples_household_*"))
RANKED = next(HARNESS.glob("samples_choice_*"))

PLAN = '[{"WALK": ["light", "34"]}, {"SWITCHON": ["light", "34"]}]'
LONG = "no plan " + "x" * 200


def log() -> Any:
    return json.loads((INSPECT / "named.json").read_text("utf-8"))


def packed(path: Path, written: Any, *, header: str = "header.json") -> Path:
    """A log as it was packed before zstandard was."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for sample in reversed(written["samples"]):
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample))
        archive.writestr(header, json.dumps({**written, "samples": None}))
    return path


def test_a_log_of_inspect_in_json() -> None:
    answers = {"studio-01": PLAN, "studio-02": LONG}
    assert load_predictions(INSPECT / "named.json") == Predictions("mockllm/model", answers)


def test_a_log_of_inspect_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log()), "utf-8")
    assert load_predictions(path) == load_predictions(INSPECT / "named.json")


def test_the_metadata_name_the_tasks_of_numbered_samples() -> None:
    if sys.version_info < (3, 14):
        package("zipfile_zstd", extra="logs")
    answers = {"studio-01": PLAN, "studio-02": LONG}
    assert load_predictions(INSPECT / "numbered.eval") == Predictions("mockllm/model", answers)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason=OLDER_PYTHON)
def test_what_is_missing_to_unpack_a_log_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zipfile_zstd", None)
    with pytest.raises(MissingExtraError, match="pip install zipfile-zstd"):
        load_predictions(INSPECT / "numbered.eval")


@pytest.mark.parametrize("header", ["header.json", "_journal/start.json"])
def test_an_older_archive_and_one_of_a_run_that_goes_on(tmp_path: Path, header: str) -> None:
    path = packed(tmp_path / "a.eval", log(), header=header)
    assert load_predictions(path).items == {"studio-01": PLAN, "studio-02": LONG}


def test_one_odd_name_of_a_sample_does_not_lose_a_log(tmp_path: Path) -> None:
    path = packed(tmp_path / "odd.eval", log())
    sample = json.dumps({"id": "studio-03", "epoch": 1, "output": {"completion": PLAN}})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(f"samples/x_epoch_{'9' * 5000}.json", sample)
        archive.writestr("samples/\u0663\n_epoch_\u0663.json", sample)
    answers = {"studio-01": PLAN, "studio-02": LONG, "studio-03": PLAN}
    assert load_predictions(path).items == answers


def test_epochs_are_samples_whichever_ended_first(tmp_path: Path) -> None:
    for path in (
        INSPECT / "epochs.json",
        packed(tmp_path / "e.eval", json.loads((INSPECT / "epochs.json").read_text("utf-8"))),
    ):
        found = load_predictions(path)
        assert found.items == {"studio-01": PLAN}
        assert (found.epoch, found.problems) == (1, [])
        assert [each.epoch for each in load_all(path)] == [1, 2]


def test_a_sample_that_ended_in_an_error_is_no_answer(tmp_path: Path) -> None:
    written = log()
    written["samples"][1] |= {"error": {"message": "out of money"}, "output": {"choices": []}}
    found = load_predictions(packed(tmp_path / "a.eval", written))
    assert list(found.items) == ["studio-01"]
    assert "out of money" in found.problems[0].message


def test_reasoning_is_no_part_of_an_answer(tmp_path: Path) -> None:
    written = log()
    parts = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": PLAN}]
    written["samples"][1]["output"] = {"choices": [{"message": {"content": parts}}]}
    assert load_predictions(packed(tmp_path / "a.eval", written)).items["studio-02"] == PLAN


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"samples": None}, "header only"),
        ({"samples": [{"epoch": 1, "output": {"completion": "x"}}]}, "the id is None"),
    ],
)
def test_logs_without_answers(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**log(), **change}), "utf-8")
    with pytest.raises(InputError, match=message):
        load_predictions(path)


def test_a_damaged_archive_is_an_error_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "cut.eval"
    path.write_bytes((INSPECT / "numbered.eval").read_bytes()[:-100])
    with pytest.raises(InputError, match=r"cut\.eval: the log is damaged or cut off"):
        load_predictions(path)


def test_another_archive_is_none_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "other.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "x")
    with pytest.raises(InputError, match="no file of predictions"):
        load_predictions(path)


def test_samples_of_the_harness_count_once_whatever_was_filtered() -> None:
    answers = {"studio-01": PLAN, "studio-02": "no plan"}
    assert load_predictions(GENERATED) == Predictions("some__model-7b", answers)
    lines = GENERATED.read_text("utf-8").splitlines()
    assert len(lines) == 4  # two documents, two filters


def test_a_folder_of_the_harness_is_read_without_its_results(tmp_path: Path) -> None:
    shutil.copy(GENERATED, tmp_path)
    results = tmp_path / GENERATED.name.replace("samples_household", "results")
    results.with_suffix(".json").write_text('{"model_name": "some/model-7b"}', "utf-8")
    (found,) = load_all(tmp_path)
    assert found.model == "some/model-7b"
    assert len(found) == 2


def test_a_folder_of_the_harness_is_one_model_whatever_else_was_asked() -> None:
    (found,) = load_all(HARNESS)
    assert found.items == load_predictions(GENERATED).items
    assert ["ranks choices" in each.message for each in found.problems] == [True, True]


def test_samples_in_memory() -> None:
    samples = [json.loads(line) for line in GENERATED.read_text("utf-8").splitlines()]
    assert load_predictions(samples).items == load_predictions(GENERATED).items
    flat = [{**sample, "resps": sample["resps"][0]} for sample in samples]
    assert load_predictions(flat).items == load_predictions(GENERATED).items


def test_ranked_choices_are_no_answers() -> None:
    with pytest.raises(InputError, match="'studio-01' has no generated text, but ranks choices"):
        load_predictions(RANKED)


def test_a_row_that_names_no_task_says_what_it_has() -> None:
    with pytest.raises(InputError, match="found 'question' in 'doc'"):
        load_predictions([{"doc_id": 0, "doc": {"question": "?"}, "resps": [["x"]]}])


def test_a_given_name_is_that_of_the_one_model_in_a_file() -> None:
    named = {"first": INSPECT / "named.json", "second": INSPECT / "epochs.json"}
    assert [found.label for found in load_all(named)] == ["first", "second #1", "second #2"]


@pytest.mark.parametrize("path", [INSPECT / "named.json", GENERATED], ids=["inspect", "harness"])
def test_logs_are_evaluated(path: Path) -> None:
    report = eai.evaluate("household", path)
    (model,) = report.models
    assert report.tally(model).success == 1
    assert report.tally(model).missing == report.tally(model).tasks - 2
