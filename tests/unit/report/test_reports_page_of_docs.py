"""The code of docs/reports.md runs as it stands."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "reports.md"


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {})
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"run.jsonl", "table.csv", "table.tex", "report.html"}
