"""Several answers to each task: pass@k, means, and intervals over tasks."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from command_line import call
from hypothesis import given, strategies as st
from needs import package

import eai
from eai.diagnosis import Result
from eai.errors import InputError
from eai.predictions import load_all, load_predictions
from eai.report import PassAt, Record, Report
from eai.report.statistics import ratio_interval

RIGHT = "FIND light.34\nSWITCHON light.34"
TASKS = ["studio-01", "studio-02", "studio-03"]
SAMPLED: list[dict[str, Any]] = [
    {"id": "studio-01", "output": RIGHT, "epoch": 1},
    {"id": "studio-01", "output": "no", "epoch": 2},
    {"id": "studio-02", "outputs": ["no", "no"]},
    {"id": "studio-03", "outputs": ["no"]},
]


def evaluated(items: object = SAMPLED, **options: Any) -> Report:
    return eai.evaluate("household", items, tasks=TASKS, **options)


def value(report: Report, key: str) -> float | None:
    return {metric.key: metric.value for metric in report.metrics(report.models[0])}[key]


def test_samples_of_a_model_are_one_row_with_pass_at_k() -> None:
    report = evaluated({"m": SAMPLED})
    assert report.models == ("m",)
    assert report.samples("m") == 2
    assert value(report, "task_success_rate") == pytest.approx(100 / 6)
    assert value(report, "pass@1") == pytest.approx(100 / 6)
    assert value(report, "pass@2") == pytest.approx(100 / 3)
    assert "n = 3 tasks with 2 samples each (1 unanswered" in str(report)
    assert "each with all its samples" in str(report)


def test_tasks_count_not_samples() -> None:
    many = [{"id": task, "outputs": [RIGHT] * 20} for task in TASKS]
    [once] = (m for m in evaluated(SAMPLED).metrics("unnamed") if m.key == "task_success_rate")
    assert once.unit == "samples"
    # One of two answers to the first task, none of the other four.
    bounds = ratio_interval({(1, 2): 1, (0, 2): 2})
    assert bounds is not None
    assert once.interval == (100 * bounds[0], 100 * bounds[1])
    [all_alike] = (m for m in evaluated(many).metrics("unnamed") if m.key == "pass@20")
    assert all_alike.value == pytest.approx(100 / 3)


def test_repetitions_change_nothing_about_significance() -> None:
    one = [{"id": task, "output": RIGHT} for task in TASKS]
    other = [{"id": task, "output": "no"} for task in TASKS]
    [once] = evaluated({"a": one, "b": other}).compare().differences
    again = {
        name: [{"id": each["id"], "outputs": [each["output"]] * 4} for each in items]
        for name, items in (("a", one), ("b", other))
    }
    [repeated] = evaluated(again).compare(metrics=["task_success_rate"]).differences
    assert repeated.tasks == once.tasks == 3
    assert repeated.difference == once.difference
    assert repeated.p_value == once.p_value


def test_a_folder_with_samples_is_read_back_and_extended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    first = evaluated({"m": SAMPLED}, output=folder)
    read = eai.read_run(folder).all[0]
    assert str(read).splitlines()[1:] == str(first).splitlines()[1:]
    both = evaluated({"n": {"studio-01": RIGHT}}, output=folder)
    assert both.models == ("m", "n")
    assert [both.samples(model) for model in both.models] == [2, 1]
    assert both.tally("m") == first.tally("m")
    monkeypatch.setattr("eai.runs.run._MAX_IN_MEMORY", 1)
    stored = evaluated({"m": SAMPLED, "n": {"studio-01": RIGHT}}, output=tmp_path / "stored")
    assert [len(stored.of(model)) for model in stored.models] == [6, 3]
    assert value(stored, "pass@2") == value(first, "pass@2")
    assert [r.label for r in stored.of("m")] == ["m #1"] * 3 + ["m #2"] * 3


def test_samples_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    file.write_text("\n".join(map(json.dumps, SAMPLED)))
    words = ("--tasks", ",".join(TASKS), "-o", tmp_path / "run")
    assert "pass@2" in call("evaluate", "household", file, *words).stdout
    ranked = call("leaderboard", tmp_path / "run", "--metric", "pass@2")
    assert "n=3" in ranked.stdout
    assert "33.3" in ranked.stdout
    refused = call("explain", tmp_path / "run", "studio-01")
    assert "--model 'm #2'" in str(refused.exception)
    told = call("explain", tmp_path / "run", "studio-01", "--model", "m #1").stdout
    assert "Verdict: solved" in told


def test_samples_are_told_apart_by_number_in_any_source(tmp_path: Path) -> None:
    pandas = package("pandas", extra="pandas")
    resps = [["a", "b"]]
    sources: list[object] = [
        [{"id": "t", "output": "a", "epoch": 1}, {"id": "t", "output": "b", "epoch": 2}],
        [{"id": "t", "outputs": ["a", "b"]}],
        [{"doc": {"id": "t"}, "resps": resps}],
        pandas.DataFrame({"id": ["t", "t"], "output": ["a", "b"], "epoch": [1, 2]}),
    ]
    for source in sources:
        found = [(of.model, of.epoch, dict(of.items)) for of in load_all(source)]
        assert found == [("unnamed", 1, {"t": "a"}), ("unnamed", 2, {"t": "b"})]
    assert load_predictions(sources[1]).items == {"t": "a"}
    file = tmp_path / "m.jsonl"
    file.write_text(json.dumps({"id": "t", "outputs": ["a", "b"], "model": "other"}))
    assert [of.label for of in load_all({"mine": file})] == ["mine #1", "mine #2"]


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"finish_reason": "length"}, "cut off"),
        ({"finish_reason": "content_filter"}, "content_filter"),
        ({"stop_reason": "refusal"}, "refus"),
        ({"finish_reason": "stop", "refusal": True}, "refus"),
    ],
)
def test_an_answer_that_did_not_end_by_itself_is_named(
    stated: dict[str, object], words: str
) -> None:
    item = {"id": "studio-01", "output": "FIND li", **stated}
    [note] = [n for n in evaluated([item]).notes if "studio-01" in n]
    assert words in note


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.integers(1, 7))
def test_pass_at_k_is_the_share_of_draws_with_a_right_answer(right: list[bool], k: int) -> None:
    records = [
        Record(
            "s", "1", "a", "strict", "m", "t", "n", "", Result("evaluated", success=each), epoch=n
        )
        for n, each in enumerate(right)
    ]
    draws = [any(draw) for draw in combinations(right, k)]
    found = PassAt(k).score(records).value
    expected = 100 * sum(draws) / len(draws) if draws else None
    assert found == (None if expected is None else pytest.approx(expected))


def test_pass_at_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="pass@0"):
        PassAt(0)


def test_samples_of_a_model_need_not_be_given_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = []
    given = [("m", RIGHT, 1), ("other", "no", 1), ("m", "no", 2)]
    for number, (model, answer, epoch) in enumerate(given):
        files.append(tmp_path / f"{number}.jsonl")
        row = {"output": answer, "model": model, "epoch": epoch}
        files[-1].write_text("".join(json.dumps({"id": task, **row}) + "\n" for task in TASKS))
    in_memory = evaluated(files)
    monkeypatch.setattr("eai.runs.run._MAX_IN_MEMORY", 1)
    for report in (in_memory, evaluated(files)):
        assert [record.model for record in report.of("m")] == ["m"] * 6
        assert [len(side.tasks) for side in report.sides.values()] == [3, 3]
