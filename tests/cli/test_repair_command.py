"""``eai repair``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from eai.cli import main


def _repair(
    answer: str, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[object, str]:
    file = path / "answer.txt"
    file.write_text(answer, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["eai", "repair", "household", "studio-01", str(file)])
    code: object = 0
    try:
        main()
    except SystemExit as stop:
        code = stop.code
    return code, capsys.readouterr().out


def test_edits_and_the_plan_after_them_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = _repair('[{"WALK": ["light.34"]}]', tmp_path, monkeypatch, capsys)
    assert code == 1
    assert out.splitlines() == [
        "1 edit would make the plan work, no fewer:",
        "  insert switchon(light.34) before step 2 (missing step, cannot be done without)",
        "the repaired plan:",
        "  1. walk(light.34)",
        "  2. switchon(light.34)",
    ]


def test_names_that_do_not_exist_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = '[{"WALK": ["light.34"]}, {"IGNITE": ["light.34"]}]'
    _, out = _repair(answer, tmp_path, monkeypatch, capsys)
    assert "replace step 2, ignite(light.34), by switchon(light.34) (wrong action" in out


def test_plan_that_works_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'
    assert _repair(answer, tmp_path, monkeypatch, capsys) == (0, "the plan works\n")
