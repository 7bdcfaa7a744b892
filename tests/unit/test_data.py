"""The files that come with the package."""

from __future__ import annotations

from eai.data import sections


def test_indented_lines_go_on_with_a_value() -> None:
    assert sections("[a]\nb = c\n  d\n# e\n\nf\n[g]\n") == {"a": {"b": "c\nd", "f": ""}, "g": {}}
