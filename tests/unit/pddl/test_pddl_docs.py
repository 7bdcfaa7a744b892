"""What docs/pddl.md lists is complete."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from eai.pddl.issues import IssueKind

PAGE = (Path(__file__).parents[3] / "docs" / "pddl.md").read_text(encoding="utf-8")


def test_every_kind_of_issue_is_listed() -> None:
    listed = set(re.findall(r"`([a-z]+-[a-z]+)`", PAGE))
    assert set(get_args(IssueKind)) <= listed
