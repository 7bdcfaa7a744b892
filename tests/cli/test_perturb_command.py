"""``eai perturb``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pddl_blocks import write_suite

from eai.cli import main
from eai.predictions import load_predictions

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["eai", *map(str, arguments)])
        code: object = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        assert isinstance(code, int)
        return code, out, err

    return call


def test_predictions_and_labels_are_written(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    code, out, _ = run("perturb", "household", "--kind", "drop", "--seed", 4, "-o", file)
    assert code == 0
    assert out.startswith("76 wrong plans (76 drop) written to")
    lines = (tmp_path / "wrong.labels.jsonl").read_text().splitlines()
    labels = [json.loads(line) for line in lines]
    assert {label["edit"] for label in labels} == {"drop"}
    assert list(load_predictions(file).items) == [label["id"] for label in labels]


def test_files_are_not_written_over(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text("mine")
    code, _, err = run("perturb", "household", "-o", file)
    assert code == 3
    assert "--force" in err
    assert file.read_text() == "mine"
    assert run("perturb", "household", "-o", file, "--force")[0] == 0


@pytest.mark.parametrize("more", [(), ("--questions",)])
def test_a_folder_is_not_written_over(run: Run, more: tuple[str, ...]) -> None:
    code, _, err = run("perturb", "household", "-o", ".", *more)
    assert code == 3
    assert "folder" in err


@pytest.mark.parametrize("more", [(), ("--questions",)])
def test_tasks_without_reference_plans_are_refused_or_counted(
    run: Run, tmp_path: Path, more: tuple[str, ...]
) -> None:
    folder = write_suite(tmp_path / "blocks")
    suite, file = f"pddl:{folder}", tmp_path / "wrong.jsonl"
    code, _, err = run("perturb", suite, "--kind", "drop", "-o", file, *more)
    assert code == 0
    assert "left out: 1 task without" in err
    (folder / "plans" / "instance-2.plan").unlink()
    code, _, err = run("perturb", suite, "-o", file, "--force", *more)
    assert code == 3
    assert "reference plan" in err


def test_an_unknown_kind_is_an_error(run: Run, tmp_path: Path) -> None:
    code, _, err = run("perturb", "household", "--kind", "crash", "-o", tmp_path / "x.jsonl")
    assert code == 3
    assert "hallucinate_action" in err
    assert not (tmp_path / "x.jsonl").exists()
