"""The pages on installing and citing agree with the metadata of the project."""

from __future__ import annotations

import re
import sys

import pytest
from docs_pages import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CITING = (ROOT / "docs" / "about.md").read_text("utf-8")


@pytest.mark.parametrize("field", ["title", "version"])
def test_the_bibtex_entry_agrees_with_the_citation_file(field: str) -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    match = re.search(rf'^{field}: "?([^"\n]+)"?$', citation, re.MULTILINE)
    assert match is not None
    assert match[1] in CITING


def test_every_extra_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    explained = (ROOT / "docs" / "install.md").read_text("utf-8")
    extras = project["optional-dependencies"]
    assert [extra for extra in extras if f"`{extra}`" not in explained] == []
