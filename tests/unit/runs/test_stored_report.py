"""Reports whose records stay on disk: what they say is what other reports say."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

import pytest

import eai
from eai.errors import UnknownNameError
from eai.report import Report
from eai.runs import run
from eai.runs.stored import StoredReport
from eai.suites.household import samples


@pytest.fixture(scope="module")
def usual() -> Report:
    report = eai.evaluate("household", samples())
    return Report([replace(record, seconds=0.0) for record in report.records], report.notes)


@pytest.fixture(scope="module")
def stored() -> Report:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "_MAX_IN_MEMORY", 100)
        return eai.evaluate("household", samples(), workers=1)


@pytest.mark.heavy
def test_counts_are_those_of_the_records(usual: Report, stored: Report) -> None:
    assert isinstance(stored, StoredReport)
    assert stored.models == usual.models
    for model in usual.models:
        assert stored.tally(model) == usual.tally(model)
        assert stored.metrics(model) == usual.metrics(model)
        assert stored.failures(model) == usual.failures(model)
    assert str(stored) == str(usual)
    assert repr(stored) == repr(usual)
    assert stored.table().equals(usual.table())


@pytest.mark.heavy
def test_records_are_read_when_they_are_asked_for(usual: Report, stored: Report) -> None:
    assert len(stored.records) == len(usual.records) == 228
    assert list(stored.records) == list(usual.records)
    for index in (0, 1, 7, 8, 9, 76, 227, -1, -228):
        assert stored.records[index] == usual.records[index]
    for part in (slice(0), slice(5), slice(70, 90), slice(-3, None), slice(None, None, -19)):
        assert list(stored.records[part]) == list(usual.records[part])
        assert len(stored.records[part]) == len(usual.records[part])
    assert stored.records[10:20][2:][1] == usual.records[13]
    for model in usual.models:
        assert list(stored.of(model)) == list(usual.of(model))
        assert stored.of(model)[3] == usual.of(model)[3]
    with pytest.raises(IndexError):
        _ = stored.records[228]
    with pytest.raises(UnknownNameError):
        stored.of("nobody")


def test_models_are_compared(usual: Report, stored: Report) -> None:
    assert stored.compare(draws=100).table().equals(usual.compare(draws=100).table())


@pytest.mark.heavy
def test_files_are_the_same(tmp_path: Path, usual: Report, stored: Report) -> None:
    for report, folder in ((usual, tmp_path / "usual"), (stored, tmp_path / "stored")):
        folder.mkdir()
        report.to_csv(folder / "table.csv")
        report.to_html(folder / "report.html")
    for name in ("table.csv", "report.html"):
        assert (tmp_path / "usual" / name).read_bytes() == (tmp_path / "stored" / name).read_bytes()


def test_what_lies_in_no_folder_goes_with_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_MAX_IN_MEMORY", 10)
    report = eai.evaluate("household", samples()[:1], workers=1)
    assert isinstance(report, StoredReport)
    path = report.path
    assert path.exists()
    del report
    gc.collect()
    assert not path.parent.exists()
