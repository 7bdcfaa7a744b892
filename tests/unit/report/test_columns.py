"""Files of columns: every record comes back, and so does what is known about their run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from needs import extra
from report_samples import EXCLUDED, GARBLED, MISSING, SOLVED, STOPPED, record, write_records

import eai
from eai.diagnosis import Match, Measure, RuleVerdict
from eai.errors import InputError, OutputExistsError, SchemaError
from eai.report import Record, read_records, record_to_json, write_columns
from eai.report.records import CHANGED, INCOMPLETE, UNCHECKED
from eai.suites.household import samples

pytestmark = extra("tables", "pyarrow")

FULL = replace(
    SOLVED,
    matches=(Match("state", 1, 2, -1),),
    groups=("long", "kitchen"),
    measures=(Measure("undoable", -3, 7),),
    rules=(
        RuleVerdict("dry", kept=False, step=2, facts=("wet(a)",), reason="it is wet"),
        RuleVerdict("shut", kept=True, at_stake=False),
    ),
    outcome="max_steps",
)
ODD_TEXTS = ("", "\0", "\ud83d alone", "\ud83d\ude00", "caf\u00e9 \u2028", "\\ud83d", '{"a": "\n"}')
ALL = (
    *(
        record(result, task=f"t{number}")
        for number, result in enumerate((SOLVED, STOPPED, GARBLED, MISSING, EXCLUDED, FULL))
    ),
    *(record(SOLVED, task=f"o{number}", output=text) for number, text in enumerate(ODD_TEXTS)),
    replace(record(FULL, task="s"), epoch=1),
    replace(record(FULL, task="s"), epoch=2),
    replace(record(SOLVED, task="u1"), usage={"prompt_tokens": 812.0, "cost": 0.0021}),
    replace(record(SOLVED, task="u2", output="\ud83d"), usage={"odd \udc00 name": 1e-9}, epoch=1),
    replace(record(SOLVED, task="lone \udc00"), name="\udfff"),
)


def written(
    folder: Path, about: Mapping[str, object] | None = None, records: Sequence[Record] = ALL
) -> Path:
    """Write records as those of a run, and as columns; return the file of these."""
    lines = folder / "records.jsonl"
    write_records(lines, records)
    if about:
        (folder / "run.json").write_text(json.dumps(about), "utf-8")
    return write_columns(lines, folder / "records.parquet", force=True).path


def parquet() -> Any:
    return import_module("pyarrow.parquet")


def rewritten(path: Path, table: Any) -> None:
    """Write other columns over a file, with all that it says about itself."""
    about = parquet().read_metadata(path).metadata
    with parquet().ParquetWriter(path, table.schema) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({b"eai": about[b"eai"]})


def lines_of(records: Sequence[Record]) -> list[str]:
    return [record_to_json(each) for each in records]


def test_every_record_comes_back_with_the_same_line(tmp_path: Path) -> None:
    found = read_records(written(tmp_path))
    assert lines_of(found.records) == lines_of(ALL)
    assert found.digest == read_records(tmp_path / "records.jsonl").digest


def test_records_are_the_same_in_groups_of_any_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eai.report.columns._GROUP_BYTES", 1_500)
    monkeypatch.setattr("eai.report.columns._BATCH_ROWS", 2)
    path = written(tmp_path)
    assert parquet().ParquetFile(path).num_row_groups > 2
    assert lines_of(read_records(path).records) == lines_of(ALL)


def test_a_file_without_records_has_all_columns(tmp_path: Path) -> None:
    path = written(tmp_path, records=())
    assert len(read_records(path)) == 0
    assert "formula_holds" in parquet().read_schema(path).names


def test_columns_have_types_and_texts_are_dictionaries(tmp_path: Path) -> None:
    table = parquet().read_table(written(tmp_path))
    types = {field.name: str(field.type) for field in table.schema}
    for name in ("model", "task", "output", "status", "formula"):
        assert types[name] == "dictionary<values=string, indices=int32, ordered=0>"
    assert types["line"] == "string"
    assert types["success"] == "bool"
    assert types["plan"] == "list<element: string>"
    assert "step: int64" in types["findings"]
    assert table["success"].to_pylist() == [each.result.success for each in ALL]
    assert table["plan"].to_pylist() == [list(each.result.plan) for each in ALL]
    # Only lines with texts that are no UTF-8 are stored a second time, as they are.
    lone = [number for number, line in enumerate(table["line"].to_pylist()) if line is not None]
    assert [ALL[number].task for number in lone] == ["o2", "u2", "lone \udc00"]


def test_a_run_is_as_whole_as_its_lines(tmp_path: Path) -> None:
    digest = read_records(_lines(tmp_path)).digest
    count = len(ALL)
    whole = {"complete": True, "records": count, "digest": digest}
    for about, beginning in (
        (whole, ""),
        ({**whole, "complete": False, "records": count + 1}, INCOMPLETE),
        ({**whole, "digest": "00"}, CHANGED),
        ({"complete": True}, UNCHECKED),
    ):
        path = written(tmp_path, about)
        for columns in (path, Path(copy(path, tmp_path / "moved.parquet"))):
            found = read_records(columns)
            assert found.about == about
            assert found.warning == read_records(tmp_path / "records.jsonl").warning
            assert found.warning[: len(beginning)] == beginning
            assert bool(found.warning) is bool(beginning)


def _lines(folder: Path) -> Path:
    write_records(folder / "records.jsonl", ALL)
    return folder / "records.jsonl"


def test_a_changed_row_is_noticed(tmp_path: Path) -> None:
    digest = read_records(_lines(tmp_path)).digest
    path = written(tmp_path, {"complete": True, "records": len(ALL), "digest": digest})
    assert read_records(path).warning == ""
    table = parquet().read_table(path)
    success = table["success"].to_pylist()
    success[1] = not success[1]
    place = table.column_names.index("success")
    rewritten(path, table.set_column(place, "success", [success]))
    assert read_records(path).warning.startswith(CHANGED)


def test_columns_of_a_run_that_went_on_are_noticed(tmp_path: Path) -> None:
    digest = read_records(_lines(tmp_path)).digest
    path = written(tmp_path, {"complete": True, "records": len(ALL), "digest": digest})
    longer = {"complete": True, "records": len(ALL) + 1, "digest": "11"}
    (tmp_path / "run.json").write_text(json.dumps(longer), "utf-8")
    found = read_records(path)
    assert found.warning.startswith(CHANGED)
    assert f"{len(ALL)} of {len(ALL) + 1} records" in found.warning


def test_a_record_of_an_older_version_is_no_changed_record(tmp_path: Path) -> None:
    # A key with the default value may be absent: the line that is written anew is longer.
    value = json.loads(record_to_json(ALL[0]))
    del value["result"]["outcome"]
    lines = tmp_path / "records.jsonl"
    lines.write_text(json.dumps(value) + "\n", "utf-8")
    about = {"complete": True, "records": 1, "digest": read_records(lines).digest}
    (tmp_path / "run.json").write_text(json.dumps(about), "utf-8")
    path = write_columns(lines, tmp_path / "records.parquet").path
    assert read_records(path).warning == ""
    assert read_records(path).records == (ALL[0],)


def test_a_folder_with_columns_only_is_a_run(tmp_path: Path) -> None:
    answers = {"some": {"studio-01": '[{"WALK": ["light", "34"]}]'}}
    eai.evaluate("household", answers, output=tmp_path)
    before = read_records(tmp_path)
    write_columns(tmp_path / "records.jsonl", tmp_path / "records.parquet")
    (tmp_path / "records.jsonl").unlink()
    found = read_records(tmp_path)
    assert found.path == tmp_path / "records.parquet"
    assert found.records == before.records
    assert found.warning == ""
    assert list(eai.read_run(tmp_path).reports) == ["household"]


def test_what_is_no_file_of_records_is_refused(tmp_path: Path) -> None:
    pa = import_module("pyarrow")
    other = tmp_path / "other.parquet"
    parquet().write_table(pa.table({"model": ["a"]}), other)
    with pytest.raises(InputError):
        read_records(other)
    other.write_text("no Parquet", "utf-8")
    with pytest.raises(InputError):
        read_records(other)
    path = written(tmp_path)
    with pytest.raises(OutputExistsError):
        write_columns(tmp_path / "records.jsonl", path)
    with pytest.raises(InputError):
        write_columns(path, tmp_path / "again.parquet")
    fewer = parquet().read_table(path).drop_columns(["plan"])
    rewritten(path, fewer)
    with pytest.raises(SchemaError):
        read_records(path)


def test_a_number_that_is_too_large_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    result = replace(SOLVED, measures=(Measure("way", 1 << 70, 1),))
    write_records(tmp_path / "records.jsonl", [record(result)])
    with pytest.raises(InputError):
        write_columns(tmp_path / "records.jsonl", tmp_path / "records.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["records.jsonl"]


def test_sample_answers_are_reported_alike(tmp_path: Path) -> None:
    report = eai.evaluate("household", samples(), output=tmp_path)
    path = write_columns(tmp_path / "records.jsonl", tmp_path / "records.parquet").path
    found = read_records(path)
    assert sorted(lines_of(found.records)) == sorted(lines_of(report.records))
    assert found.warning == ""


@pytest.mark.parametrize("content", [b"", b"PAR1", b"nothing of the kind" * 9])
def test_a_file_that_is_no_parquet_is_refused_with_the_reason(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "records.parquet"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_records(path)
    assert "Parquet" in caught.value.what


def test_a_file_from_before_there_were_usages_is_read(tmp_path: Path) -> None:
    records = [record(SOLVED, task=f"t{number}") for number in range(3)]
    path = written(tmp_path, records=records)
    table = parquet().read_table(path)
    rewritten(path, table.drop_columns(["usage"]))
    assert list(read_records(path)) == records


@pytest.mark.parametrize("row_number", [1, 2, 5])
def test_a_row_that_is_no_record_is_named_by_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row_number: int
) -> None:
    monkeypatch.setattr("eai.report.columns._BATCH_ROWS", 2)
    records = [record(SOLVED, task=f"t{number}") for number in range(5)]
    path = written(tmp_path, records=records)
    table = parquet().read_table(path)
    tasks = table.column("task").to_pylist()
    tasks[row_number - 1] = None
    rewritten(path, table.drop_columns(["task"]).append_column("task", [tasks]))
    with pytest.raises(SchemaError) as caught:
        read_records(path)
    assert str(caught.value.where) == f"{path}, row {row_number}"
