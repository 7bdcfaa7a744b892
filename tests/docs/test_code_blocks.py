"""What the README and the pages of the documentation show is true."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs_pages import PAGES, Reader, blocks, name_of

FIRST_READ = {"README", "tutorial"}
"""Pages that are run each time; together the examples of all others take minutes."""
RUN = [
    pytest.param(page, marks=[] if page.stem in FIRST_READ else [pytest.mark.heavy])
    for page in PAGES
    if {block.language for block in blocks(page)} & {"python", "sh"}
]


@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_the_examples_of_a_page_run(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Reader(monkeypatch, capsys, tmp_path).follow(page)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```python\nassert 1 == 2, 'one'\n```\n", "one"),
        ("```python\nprint('a')\n```\n\n```text\nb\n```\n", "'b' is not printed there"),
        ("```python\nprint('a\\nb')\n```\n\n```text\nb\na\n```\n", "'a' is not printed there"),
        ("```sh\neai explain nowhere\n```\n", "eai explain nowhere"),
        ("```python\n", "not closed"),
    ],
)
def test_a_page_that_says_something_wrong_is_found_out(
    text: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, "utf-8")
    with pytest.raises(AssertionError, match=message):
        Reader(monkeypatch, capsys, tmp_path).follow(page)


def test_a_block_is_left_out_only_by_a_comment_that_says_why(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- skip: no network -->\n```sh\nx\n```\n\n```sh\ny\n```\n", "utf-8")
    assert [(block.order, block.detail) for block in blocks(page)] == [
        ("skip", "no network"),
        ("", ""),
    ]
