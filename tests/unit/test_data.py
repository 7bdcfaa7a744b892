"""The files that come with the package."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

import pytest

import eai
from eai.data import sections

ROOT = Path(eai.__file__).parents[2]
FILES = sorted(
    file for folder in ("grammars", "src", "tasks") for file in (ROOT / folder).rglob("*.ini")
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_sections_are_those_that_configparser_reads(file: Path) -> None:
    text = file.read_text("utf-8")
    parser = ConfigParser(
        delimiters=("=",), comment_prefixes=("#",), allow_no_value=True, interpolation=None
    )
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # names keep their case
    parser.read_string(text)
    expected = {
        name: {key: value or "" for key, value in parser[name].items()}
        for name in parser.sections()
    }
    assert sections(text) == expected


def test_indented_lines_go_on_with_a_value() -> None:
    assert sections("[a]\nb = c\n  d\n# e\n\nf\n[g]\n") == {"a": {"b": "c\nd", "f": ""}, "g": {}}
