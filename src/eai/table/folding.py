"""Lines of a text in a table: where they may end, and how wide they are in a terminal."""

from __future__ import annotations

import re

_PIECES = re.compile(r"(?<=\s)(?=\S)|(?<=[-_./:,;=&)])(?=[^\W\d_])")
"""Positions where a line may end: behind a blank, or punctuation before a letter (``my_model``).
Numbers and versions stay whole."""


def _cell_len(text: str) -> int:
    """Return the width of a text in a terminal, where some letters take two columns or none."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len  # tables seldom have such letters

    return cell_len(text)


def longest_piece(text: str) -> int:
    """Return the width of the longest piece of a text that may not be split."""
    return max((_cell_len(piece.rstrip()) for piece in _PIECES.split(text)), default=0)


def fold_text(text: str, width: int) -> str:
    """Return the text in lines of at most a width, apart from unbreakable pieces."""
    lines = [""]
    for piece in _PIECES.split(text):
        if lines[-1] and _cell_len((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)
