"""Programs whose comments say the steps: ``# Walk to the hall`` above ``goThere();``.

A call without arguments names no object, and one that prints a text does nothing. The comment right
above it, or behind it on its line, may name the step.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from eai.answers.document import Document

_COMMENT = re.compile(r"^[ \t]*(?:#+|//+)(?=.*\w)", re.MULTILINE)
"""The sign before a comment in code."""
_CALL = re.compile(
    r"[ \t]*(?:await )?(?:(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*\(\s*\)\s*;?|[A-Za-z_]\w*"
    r"|(?P<prints>(?:print|echo|console\.log)\b[^\n]*?))[ \t]*(?:(?:#|//)(?P<words>.*\w.*))?"
)
"""A call without arguments, or of a function that prints; the shell writes its name alone."""


def with_comments_for_calls(document: Document, *, only_prints: bool) -> tuple[str, int]:
    """Return the text of a document with comments in place of the calls below them.

    Args:
        document: The answer.
        only_prints: Whether only calls that print a text count, not ``pass`` or ``goThere()``.

    Returns:
        The text, and the number of calls; 0 if a call without arguments has no comment.
    """
    text = document.text
    call_count = 0
    for fence in document.regions:
        if fence.kind != "fence":
            continue
        code = text[fence.start : fence.end]
        lines_of_code = code.split("\n")
        # The marks of the fence are gone, so that the other comments have to go as well.
        lines = [
            " " * len(line) if line.lstrip().startswith(("#", "//")) else line
            for line in lines_of_code
        ]
        for index, line in enumerate(lines_of_code):
            call = _CALL.fullmatch(line) if line.strip() else None
            if call is None or (only_prints and not call["prints"]):
                continue
            lines[index] = " " * len(line)
            call_count += 1
            if call["words"]:
                lines[index] = " " * call.start("words") + call["words"]
                continue
            comment_index = _index_above(lines_of_code, index)
            comment = _COMMENT.match(lines_of_code[comment_index]) if comment_index >= 0 else None
            if comment is not None:
                words = lines_of_code[comment_index][comment.end() :]
                lines[comment_index] = " " * comment.end() + words
            elif call["prints"]:
                call_count -= 1
            else:
                return text, 0
        text = text[: fence.start] + "\n".join(lines) + text[fence.end :]
    return text, call_count


def _index_above(lines: Sequence[str], index: int) -> int:
    """Return the index of the last line above another one that is not blank; -1 if none is."""
    index -= 1
    while index >= 0 and not lines[index].strip():
        index -= 1
    return index
