"""Tokens and costs that answers state: kept in records, summed in tables, never made up."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from command_line import call

import eai
from eai.acting import Answer
from eai.report import Leaderboard, read_records, record_from_json, record_to_json
from eai.runs import run as run_module

SOLVED = '["FIND light.34", "SWITCHON light.34"]'
TASKS = ("studio-01", "studio-02", "flat-17")


def row(task: str, usage: object = None, **keys: object) -> dict[str, object]:
    line: dict[str, object] = {"id": task, "output": SOLVED, "model": "gpt", **keys}
    if usage is not None:
        line["usage"] = usage
    return line


def answers(path: Path, *rows: Mapping[str, object]) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in rows), "utf-8")
    return path


@pytest.fixture
def partial(tmp_path: Path) -> Path:
    """Three answers, two of which state what they used."""
    return answers(
        tmp_path / "gpt.jsonl",
        row("studio-01", {"prompt_tokens": 800, "cost": 0.1, "details": {"cached": 3}}),
        row("studio-02", {"prompt_tokens": 212, "cost": 0.2}),
        row("flat-17"),
    )


def table_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "table.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_records_have_the_usage_that_the_answers_state(partial: Path, tmp_path: Path) -> None:
    eai.evaluate("household", partial, tasks=TASKS, output=tmp_path / "run")
    usage = {record.task: dict(record.usage) for record in read_records(tmp_path / "run")}
    assert usage == {
        "studio-01": {"prompt_tokens": 800, "cost": 0.1},
        "studio-02": {"prompt_tokens": 212, "cost": 0.2},
        "flat-17": {},
    }


def test_a_table_sums_usage_and_says_how_many_answers_state_it(
    partial: Path, tmp_path: Path
) -> None:
    report = eai.evaluate("household", partial, tasks=TASKS, output=tmp_path / "run")
    [of_gpt] = table_of(tmp_path / "run")
    assert (of_gpt["usage.prompt_tokens"], of_gpt["usage.prompt_tokens.answers"]) == ("1012", "2")
    # Three tenths, not 0.30000000000000004.
    assert (of_gpt["usage.cost"], of_gpt["usage.cost.answers"]) == ("0.3", "2")
    assert of_gpt["answers"] == "3"
    assert "1012 (2 of 3 answers)" in str(report)
    assert "1012 (2 of 3 answers)" in (tmp_path / "run" / "report.html").read_text("utf-8")
    assert "1012 (2 of 3" in (tmp_path / "run" / "table.tex").read_text("utf-8")


def test_a_whole_sum_has_no_mark(tmp_path: Path) -> None:
    file = answers(tmp_path / "gpt.jsonl", row("studio-01", {"cost": 0.00001}))
    board = eai.evaluate("household", file, tasks=["studio-01", "studio-02"])
    # The second task has no answer, so that there is nothing that could have been stated.
    assert "1e-05" in str(board)
    assert "of 1 answers" not in str(board)


def test_without_usage_nothing_has_a_column_or_a_key_about_it(tmp_path: Path) -> None:
    plain = answers(tmp_path / "gpt.jsonl", row("studio-01", finish_reason="stop"))
    report = eai.evaluate("household", plain, tasks="answered", output=tmp_path / "run")
    assert "usage" not in (tmp_path / "run" / "records.jsonl").read_text("utf-8")
    [of_gpt] = table_of(tmp_path / "run")
    assert not [name for name in of_gpt if "usage" in name or name == "answers"]
    assert "Tokens" not in str(report)
    assert [name for name in Leaderboard([report]).rows.rows[0] if "cost" in name] == []


@pytest.mark.parametrize(
    "usage",
    [
        {"cost": -1},
        {"cost": float("nan")},
        {"cost": float("inf")},
        {"cost": True},
        {"cost": "0.1"},
        {"cost": None},
        {"prompt_tokens": 10**400},
        {},
        [],
        "0.1",
        7,
    ],
)
def test_what_is_no_amount_is_no_usage(usage: object, tmp_path: Path) -> None:
    file = answers(tmp_path / "gpt.jsonl", row("studio-01", usage))
    [record] = eai.evaluate("household", file, tasks="answered").records
    assert record.result.success
    assert not record.usage


@pytest.mark.parametrize(
    "line",
    [
        {
            "custom_id": "studio-01",
            "response": {
                "status_code": 200,
                "body": {
                    "choices": [{"message": {"role": "assistant", "content": SOLVED}}],
                    "usage": {"prompt_tokens": 5, "completion_tokens": 2},
                },
            },
        },
        {
            "custom_id": "studio-01",
            "result": {
                "type": "succeeded",
                "message": {
                    "role": "assistant",
                    "content": [{"type": "text", "text": SOLVED}],
                    "usage": {"prompt_tokens": 5, "completion_tokens": 2},
                },
            },
        },
    ],
    ids=["a batch of OpenAI", "a batch of Anthropic"],
)
def test_the_usage_in_replies_of_batches_is_kept(line: dict[str, Any], tmp_path: Path) -> None:
    [record] = eai.evaluate(
        "household", answers(tmp_path / "gpt.jsonl", line), tasks="answered"
    ).records
    assert record.result.success
    assert record.usage == {"prompt_tokens": 5, "completion_tokens": 2}


def test_the_usage_of_one_request_with_several_samples_counts_once(tmp_path: Path) -> None:
    line = {"id": "studio-01", "outputs": [SOLVED, "no"], "usage": {"prompt_tokens": 5}}
    report = eai.evaluate("household", answers(tmp_path / "m.jsonl", line), tasks="answered")
    assert [dict(record.usage) for record in report.records] == [{"prompt_tokens": 5}, {}]


def test_an_extended_run_keeps_the_usage_of_models_that_are_not_given_again(
    partial: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    before = eai.evaluate("household", partial, tasks=TASKS, output=folder)
    again = eai.evaluate("household", partial, tasks=TASKS, output=folder)
    assert again.evaluated_now == 0
    other = {"other": {"studio-01": SOLVED}}
    both = eai.evaluate("household", other, tasks=TASKS, output=folder)
    assert both.evaluated_now == len(TASKS)
    lines = [list(map(record_to_json, report.of("gpt"))) for report in (before, both)]
    assert lines[0] == lines[1]
    assert both.usage("gpt").sum("prompt_tokens") == 1012
    assert both.usage("other").sum("prompt_tokens") is None


def test_answers_that_state_more_than_before_are_recorded_again(
    partial: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    eai.evaluate("household", partial, tasks=TASKS, output=folder)
    whole = answers(
        partial,
        row("studio-01", {"prompt_tokens": 800, "cost": 0.1}),
        row("studio-02", {"prompt_tokens": 212, "cost": 0.2}),
        row("flat-17", {"prompt_tokens": 1}),
    )
    report = eai.evaluate("household", whole, tasks=TASKS, output=folder)
    assert report.evaluated_now == 1
    assert report.usage("gpt").stated("prompt_tokens") == 3


def test_a_run_with_workers_has_the_same_records(partial: Path, tmp_path: Path) -> None:
    for workers in (1, 2):
        eai.evaluate(
            "household", partial, tasks=TASKS, output=tmp_path / str(workers), workers=workers
        )
    files = [tmp_path / str(workers) / "records.jsonl" for workers in (1, 2)]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_run_that_is_too_large_for_memory_sums_the_same(
    partial: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = eai.evaluate("household", partial, tasks=TASKS)
    monkeypatch.setattr(run_module, "_MAX_IN_MEMORY", 1)
    large = eai.evaluate("household", partial, tasks=TASKS)
    assert str(large) == str(small)
    assert large.usage("gpt").cell("cost") == "0.3 (2 of 3 answers)"


def test_a_leaderboard_has_a_column_of_costs(partial: Path, tmp_path: Path) -> None:
    other = answers(tmp_path / "other.jsonl", {"id": "studio-01", "output": SOLVED})
    board = Leaderboard([eai.evaluate("household", [partial, other], tasks=TASKS)])
    costs = {row["model"]: row["cost"] for row in board.rows.rows}
    assert costs == {"gpt": "0.3 (2 of 3 answers)", "other": None}
    stated = {row["model"]: row["usage.cost.answers"] for row in board.counts.rows}
    assert stated == {"gpt": 2, "other": 0}


def test_json_of_a_report_has_the_sums(partial: Path, tmp_path: Path) -> None:
    eai.evaluate("household", partial, tasks=TASKS, output=tmp_path / "run")
    document = json.loads(call("report", str(tmp_path / "run"), "--json").stdout)
    of_gpt = document["models"]["gpt"]
    assert of_gpt["answers"] == 3
    assert of_gpt["usage"]["prompt_tokens"] == {"sum": 1012, "answers": 2}


def test_lines_of_records_come_back_with_their_usage(partial: Path) -> None:
    for record in eai.evaluate("household", partial, tasks=TASKS).records:
        line = record_to_json(record)
        assert record_from_json(line).usage == record.usage
        assert record_to_json(record_from_json(line)) == line


def test_an_episode_has_the_usage_of_all_its_answers(tmp_path: Path) -> None:
    replies = iter(["Action: FIND light.34", "Action: SWITCHON light.34"])

    def agent(_: object) -> str:
        return Answer(next(replies), {"prompt_tokens": 100, "cost": 0.25})

    episode = eai.interact("household", "studio-01", agent)
    assert episode.record().usage == {"prompt_tokens": 200, "cost": 0.5}
    # A transcript is a prediction, which is evaluated with the same usage.
    transcript = answers(tmp_path / "transcripts.jsonl", json.loads(episode.to_json("gpt")))
    [again] = eai.evaluate("household", transcript, ability="interaction", tasks="answered").records
    assert again.usage == episode.record().usage


def test_an_amount_that_an_answer_of_an_episode_does_not_state_is_not_summed() -> None:
    replies = iter(
        [
            Answer("Action: FIND light.34", {"prompt_tokens": 100, "cost": 0.25}),
            Answer("Action: SWITCHON light.34", {"prompt_tokens": 100}),
        ]
    )
    episode = eai.interact("household", "studio-01", lambda _: next(replies))
    assert episode.record().usage == {"prompt_tokens": 200}


def test_an_answer_with_several_actions_is_paid_for_once() -> None:
    texts = [
        "Action: WALK light.34\nAction: OPEN light.34",
        "Action: WALK light.34\nAction: SWITCHON light.34",
    ]
    paid = [Answer(text, {"prompt_tokens": 100}) for text in texts]
    episode = eai.interact("household", "studio-01", paid, actions=3)
    assert [turn.answered for turn in episode.episode.turns] == [1, 1, 2, 2]
    assert episode.record().usage == {"prompt_tokens": 200}


def test_a_dialogue_counts_each_attempt_up_to_the_one_that_is_recorded() -> None:
    replies = iter(['["FIND light.34"]', SOLVED])

    def agent(_: object) -> str:
        return Answer(next(replies), {"prompt_tokens": 100})

    dialogue = eai.replan("household", "studio-01", agent)
    assert dialogue.record(attempt=1).usage == {"prompt_tokens": 100}
    assert dialogue.record().usage == {"prompt_tokens": 200}
