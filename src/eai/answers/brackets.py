"""The bracket that closes another one."""

from __future__ import annotations

import re
import sys

_STRING = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
_BRACKETS = {")": re.compile(r"[()]"), "]": re.compile(r"[\[\]]")}
_BRACKETS_OF_PROGRAM = re.compile(rf"[()]|{_STRING}", re.DOTALL)


def closing_bracket(
    text: str, begin: int, closer: str, limit: int = sys.maxsize, *, is_program: bool = False
) -> int:
    """Return the offset of the bracket that closes an open one; -1 if none does.

    Args:
        text: The text.
        begin: Offset behind the bracket that is open.
        closer: The bracket that closes it: ``)`` or ``]``.
        limit: Offset at which the search ends.
        is_program: Whether brackets in strings do not count.

    Examples:
        >>> closing_bracket("walk(at(hall)) now", 5, ")")
        13
    """
    brackets = _BRACKETS_OF_PROGRAM if is_program else _BRACKETS[closer]
    depth = 1
    for sign in brackets.finditer(text, begin, limit):
        if sign[0] == closer:
            depth -= 1
        elif len(sign[0]) == 1:
            depth += 1
        if depth == 0:
            return sign.start()
    return -1
