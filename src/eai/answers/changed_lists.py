"""Programs that change the list of steps before they run it: ``steps.remove("open(door)")``."""

from __future__ import annotations

import re

from eai.text import line_start

_ASSIGNMENT = re.compile(r"\b([A-Za-z_]\w{0,60})(?: ?: ?[\w\[\], ]{1,40})? ?:?= ?[\[(]?\s*\Z")
"""The begin of a statement that gives a list its name: ``steps = [``."""
_REMOVAL = re.compile(
    r"^[ \t]*[A-Za-z_]\w{0,60}\.(?:remove|discard)\(\s*[\"']\w{1,60}[( ]", re.MULTILINE
)
"""The begin of a call that takes a step out of a list: ``steps.remove("open(door)``."""
_MAX_NAME = 120
"""Number of characters before a list in which its name is looked for."""


def change_of_list(text: str, begin: int, end: int) -> str:
    """Return the code by which a program changes a list that it has assigned; empty if none does.

    Code that adds to the list is read elsewhere.

    Args:
        text: The program.
        begin: Offset of the list.
        end: Offset behind it.
    """
    assignment = _ASSIGNMENT.search(text, max(0, begin - _MAX_NAME), begin)
    if assignment is None:
        removal = _REMOVAL.match(text, line_start(text, begin))
        return removal[0] if removal is not None else ""
    name = re.escape(assignment[1])
    change = re.compile(
        rf"\b(?:reversed|sorted|filter|random\.sample|random\.shuffle|shuffle)\([^()\n]{{0,60}}\b{name}\b"
        rf"|\b{name}\.(?:remove|reverse|sort|clear|splice|shift|slice|filter|toReversed)\("
        rf"|(?m:^{name}\.pop\()"
        rf"|\b{name}\[(?!\s*:\s*\])[^\[\]\n]{{0,20}}:[^\[\]\n]{{0,20}}\]|\bdel {name}\["
    ).search(text, end)
    return change[0] if change is not None else ""
