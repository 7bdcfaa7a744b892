"""The Python code of the how-to pages has no type error, for whoever copies it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from docs_pages import PAGES, ROOT, blocks, name_of
from needs import package

RECIPES = [page for page in PAGES if page.parent.name == "how-to" or page.name == "tutorial.md"]


@pytest.mark.heavy
def test_recipes_have_no_type_errors(tmp_path: Path) -> None:
    package("mypy", extra="dev")
    for page in RECIPES:
        code = [
            b.text
            for b in blocks(page)
            if b.language == "python" and b.order not in ("skip", "file")
        ]
        module = name_of(page).removesuffix(".md").replace("/", "_").replace("-", "_")
        (tmp_path / f"{module}.py").write_text("\n".join(code), "utf-8")
        for block in blocks(page):
            if block.order == "file" and block.language == "python":
                (tmp_path / block.detail).write_text(block.text, "utf-8")
    options = ("--config-file=", "--explicit-package-bases", "--ignore-missing-imports")
    quiet = ("--follow-imports=silent", f"--cache-dir={tmp_path / 'cache'}", "--no-error-summary")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *quiet, "."],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
