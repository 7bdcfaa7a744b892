"""The examples of the documentation run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from eai.pddl.issues import IssueKind

PAGE = (Path(__file__).parents[3] / "docs" / "pddl.md").read_text(encoding="utf-8")


def test_the_examples_run() -> None:
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, names)
    assert "(on mug_1 top)" in str(names["text"])


def test_every_kind_of_issue_is_listed() -> None:
    listed = set(re.findall(r"`([a-z]+-[a-z]+)`", PAGE))
    assert set(get_args(IssueKind)) <= listed
