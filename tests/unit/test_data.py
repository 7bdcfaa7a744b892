"""The files that come with the package."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import eai
from eai.data import read_text, sections

SHIPPED = [f"tasks/{name}/quirks.ini" for name in ("virtualhome", "behavior", "transition", "pddl")]
SHIPPED += ["grammars/answers.ini", "grammars/languages.ini"]
WORDS = st.sampled_from(["a", "B c", "x=y", "#", "# no", "[z]", "1:2", "", "é;"])
BLANK_OR_COMMENT = ["", "  ", "# note", "  # note"]


def as_configparser_reads(text: str) -> dict[str, dict[str, str]]:
    parser = ConfigParser(
        delimiters=("=",), comment_prefixes=("#",), allow_no_value=True, interpolation=None
    )
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(text)
    return {
        name: {key: each or "" for key, each in parser.items(name)} for name in parser.sections()
    }


def test_indented_lines_go_on_with_a_value() -> None:
    assert sections("[a]\nb = c\n  d\n# e\n\nf\n[g]\n") == {"a": {"b": "c\nd", "f": ""}, "g": {}}


@pytest.mark.parametrize("path", SHIPPED)
def test_files_are_read_as_the_standard_library_does(path: str) -> None:
    text = read_text(path)
    assert sections(text) == as_configparser_reads(text)


def test_entry_points_are_read_as_the_standard_library_does() -> None:
    text = Path(eai.__file__).with_name("entry_points.ini").read_text("utf-8")
    assert sections(text) == as_configparser_reads(text)


@given(
    st.dictionaries(
        st.sampled_from(["one", "two words", "_3"]),
        st.dictionaries(
            st.sampled_from(["k", "Key", "two words", "a-b"]),
            st.tuples(st.lists(WORDS, min_size=1, max_size=3), st.sampled_from(BLANK_OR_COMMENT)),
        ),
    )
)
def test_sections_are_those_of_the_standard_library(
    written: dict[str, dict[str, tuple[list[str], str]]],
) -> None:
    lines = []
    for name, entries in written.items():
        lines.append(f"[{name}]")
        for key, (values, between) in entries.items():
            first, *others = values
            lines += [f"{key} = {first}", *(f"    v{value}" for value in others), between]
    text = "\n".join(lines)
    assert sections(text) == as_configparser_reads(text)
