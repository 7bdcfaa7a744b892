"""Runs are logged as the page says, where the logger is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs_pages import blocks
from needs import package

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "embed.md"


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_a_run_is_logged_to_mlflow_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package("mlflow")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    code = [block.text for block in blocks(PAGE) if block.language == "python"]
    [first] = [text for text in code if "def numbers(" in text]
    [logged] = [text for text in code if "import mlflow" in text]
    exec(compile(first + logged, str(PAGE), "exec"), {})  # our own page
    [value] = (tmp_path / "mlruns").rglob("metrics/task_success_rate")
    assert value.read_text().split()[1] == "100.0"
    assert list((tmp_path / "mlruns").rglob("artifacts/records.jsonl"))
