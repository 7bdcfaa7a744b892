"""A record names a suite, but it is data: it does not choose what is imported."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from report_samples import SOLVED, record

from eai.report import Report


@pytest.mark.parametrize("name", ["found_beside:SUITE", "found_beside", "pddl:found_beside"])
def test_a_suite_that_a_record_names_is_not_imported(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "found_beside.py").write_text("SUITE = None\n", "utf-8")
    monkeypatch.delitem(sys.modules, "found_beside", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    report = Report([replace(record(SOLVED), suite=name)])
    assert report.suite_at_hand is None
    assert "found_beside" not in sys.modules
