"""Reports in the format of Every Eval Ever, checked against its published schemas."""

import hashlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from jsonschema.protocols import Validator
from report_samples import EXCLUDED, MISSING, SOLVED, record, sample_report

import eai
from eai.errors import InputError, OutputExistsError, UnknownNameError
from eai.integrations.every_eval_ever import Publisher, export
from eai.report import Report

SCHEMAS = Path(__file__).parents[2] / "fixtures" / "every_eval_ever"
PUBLISHER = Publisher("A laboratory", "third_party", "https://example.org")
ANSWER = '[{"WALK": ["light", "34"]}, {"SWITCHON": ["light", "34"]}]'


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def follows(schema: str) -> Validator:
    """What is asked for the faults of an instance."""
    found = read(SCHEMAS / schema)
    validator = jsonschema.validators.validator_for(found)
    validator.check_schema(found)
    return validator(found)


def rows(folder: Path, aggregate: dict[str, Any]) -> list[dict[str, Any]]:
    text = (folder / aggregate["detailed_evaluation_results"]["file_path"]).read_text("utf-8")
    assert (
        hashlib.sha256(text.encode()).hexdigest()
        == (aggregate["detailed_evaluation_results"]["checksum"])
    )
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(params=["action_sequencing", "goal_interpretation"])
def report(request: pytest.FixtureRequest) -> Report:
    answers = {"openai/gpt": {"studio-01": ANSWER}, "mine $%": {"studio-02": "no plan"}}
    return eai.evaluate("household", answers, ability=request.param)


@pytest.mark.heavy
def test_files_follow_the_published_schemas(report: Report, tmp_path: Path) -> None:
    written = export(report, tmp_path, publisher=PUBLISHER, timestamp=1_700_000_000.0)
    assert len(written) == 2
    whole, single = follows("eval.schema.json"), follows("instance_level_eval.schema.json")
    for path in written:
        aggregate = read(path)
        whole.validate(aggregate)
        found = rows(tmp_path, aggregate)
        assert len(found) == aggregate["detailed_evaluation_results"]["total_rows"] == 76
        for row in found:
            single.validate(row)
            assert row["evaluation_id"] == aggregate["evaluation_id"]


def test_numbers_have_their_counts_and_intervals(tmp_path: Path) -> None:
    report = eai.evaluate("household", {"openai/gpt": {"studio-01": ANSWER}})
    [path] = export(report, tmp_path, publisher=PUBLISHER, timestamp=0.0)
    assert path.relative_to(tmp_path).parts[:4] == ("data", "household", "openai", "gpt")
    success = read(path)["evaluation_results"][0]
    assert success["score_details"]["score"] == pytest.approx(100 / 76)
    assert success["score_details"]["details"]["numerator"] == "1"
    assert success["score_details"]["uncertainty"]["num_samples"] == 76
    assert success["metric_config"]["lower_is_better"] is False
    first = rows(tmp_path, read(path))[0]
    assert first["input"]["raw"] == eai.suite("household").task(first["sample_id"]).instruction
    assert first["evaluation"] == {"score": 1.0, "is_correct": True}
    assert first["evaluation_result_id"] == success["evaluation_result_id"]


def test_what_may_exceed_100_percent_says_so_and_errors_are_better_low(tmp_path: Path) -> None:
    [path, _] = export(sample_report(), tmp_path, publisher=PUBLISHER, timestamp=0.0)
    configs = {
        each["metric_config"]["metric_name"]: each["metric_config"]
        for each in read(path)["evaluation_results"]
    }
    assert configs["Additional Step"]["max_score"] == "Infinity"
    assert configs["Additional Step"]["lower_is_better"] is True


def test_missing_answers_are_rows_and_excluded_tasks_are_not(tmp_path: Path) -> None:
    report = Report([record(SOLVED), record(MISSING, task="t2"), record(EXCLUDED, task="t3")])
    [path] = export(report, tmp_path, publisher=PUBLISHER, timestamp=0.0)
    found = rows(tmp_path, read(path))
    assert [(row["sample_id"], row["error"]) for row in found] == [
        ("t1", None),
        ("t2", "no prediction"),
    ]


def test_the_same_report_and_time_give_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        export(sample_report(), tmp_path / name, publisher=PUBLISHER, timestamp=5.0)
    one, two = (sorted((tmp_path / name).rglob("*.json*")) for name in ("one", "two"))
    assert [p.read_bytes() for p in one] == [p.read_bytes() for p in two]
    with pytest.raises(OutputExistsError):
        export(sample_report(), tmp_path / "one", publisher=PUBLISHER, timestamp=5.0)


def test_names_of_models_stay_inside_the_folder(tmp_path: Path) -> None:
    report = Report([record(SOLVED, model="../../etc/passwd")])
    [path] = export(report, tmp_path / "in", publisher=PUBLISHER, timestamp=0.0)
    assert (tmp_path / "in").resolve() in path.resolve().parents


@pytest.mark.parametrize(
    "name", ["m" * 5000, "\u0153" * 5000, "\U00020000" * 300, "a\ud800", "..." * 99]
)
def test_any_name_of_a_model_is_written(name: str, tmp_path: Path) -> None:
    report = Report([record(SOLVED, model=name), record(SOLVED, model=f"{name} too")])
    written = export(report, tmp_path, publisher=PUBLISHER, timestamp=0.0)
    assert len({path.name for path in written}) == 2
    for path in written:
        assert read(path)["model_info"]["name"].startswith(name)


def test_an_unknown_relationship_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="friend"):
        export(sample_report(), tmp_path, publisher=Publisher("me", "friend"))


def test_a_report_does_not_choose_what_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "named_by_a_record.py").write_text("import sys\n")
    monkeypatch.syspath_prepend(tmp_path)
    report = Report([replace(record(SOLVED), suite="named_by_a_record:suite")])
    [path] = export(report, tmp_path, publisher=PUBLISHER, timestamp=0.0)
    assert "named_by_a_record" not in sys.modules
    assert rows(tmp_path, read(path))[0]["input"]["reference"] == []


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (
            {"prompt_tokens": 12.0, "completion_tokens": 5.0, "cost": 0.25},
            {"input_tokens": 12, "output_tokens": 5, "total_tokens": 17},
        ),
        (
            {"input_tokens": 12.0, "output_tokens": 5.0, "total_tokens": 20.0},
            {"input_tokens": 12, "output_tokens": 5, "total_tokens": 20},
        ),
        ({"prompt_tokens": 12.0}, None),
        ({}, None),
    ],
)
def test_tokens_have_the_names_of_the_format(
    usage: dict[str, float], tokens: dict[str, int] | None, tmp_path: Path
) -> None:
    report = Report([replace(record(SOLVED), usage=usage)])
    [path] = export(report, tmp_path, publisher=PUBLISHER, timestamp=0.0)
    [row] = rows(tmp_path, read(path))
    follows("instance_level_eval.schema.json").validate(row)
    assert row.get("token_usage") == tokens
    assert row["metadata"].get("cost") == ("0.25" if "cost" in usage else None)


def test_who_ran_the_evaluation_has_a_name(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        export(sample_report(), tmp_path, publisher=Publisher(" "))


def test_a_developer_of_a_model_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        export(sample_report(), tmp_path, publisher=PUBLISHER, developers={"nobody": "me"})
