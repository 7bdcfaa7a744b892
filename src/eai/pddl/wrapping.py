"""What models and chat programs put around PDDL: fences, escapes, prose.

Everything is replaced by the same number of other characters, so that all places stay true.
"""

from __future__ import annotations

import re

from eai.pddl.sources import Source

__all__ = ["FENCE", "plain_source", "unfence"]

FENCE = re.compile(r"(?:```+|~~~+)[ \t]*[A-Za-z]*(?=\s|\(|$|\W)")
"""A markdown fence with the name of its language."""

_ESCAPE = re.compile(r"\\+(?:u[0-9A-Fa-f]{4}|[A-Za-z\"'/])?")


def _unescaped(text: str) -> str:
    r"""Replace the escapes of JSON strings: ``\n`` by a blank and a line break, others by blanks.

    Args:
        text: Text in which no backslash means itself, as in PDDL.
    """
    return _ESCAPE.sub(_plain, text) if "\\" in text else text


def _plain(found: re.Match[str]) -> str:
    end = "\n" if found[0][-1] == "n" else " "
    return " " * (len(found[0]) - 1) + end


def plain_source(text: str, name: str) -> Source:
    """Return a text without escapes as a source.

    Places are told in the text as it was written, unless that is a single line: then its escapes
    say where its lines end.

    Args:
        text: The text.
        name: How messages call it.
    """
    plain = _unescaped(text)
    several = plain is not text and "\n" in text.strip()
    return Source(plain, name, text if several else None)


def unfence(text: str) -> str:
    """Replace markdown fences by blanks."""
    return FENCE.sub(lambda found: " " * len(found[0]), text)
