"""Literals with a truth value behind them: ``on(lamp) = false`` says ``!on(lamp)``."""

from __future__ import annotations

import re

_SIGNS = ("=", ":", ">", "\u2192", " is ")
_VALUED = re.compile(
    r"(?<![\w.])(?P<literal>[A-Za-z][\w-]{0,60}(?:\.[\w-]{1,60}){0,4}[ ]?\([^()\n]{1,200}\))"
    r"[`*\"']{0,3}"
    r"\s{0,3}(?:={1,3}|:|->|\u2192|\bis\b)\s{0,3}[`*\"']{0,3}"
    r"(?:(?P<false>false|no|0)|true|yes|1)\b(?![.\w(])",
    re.IGNORECASE,
)


def with_negation(text: str) -> str:
    """Return a text of the same length in which a sign of negation stands for a truth value."""
    if "(" not in text or not any(sign in text for sign in _SIGNS):
        return text
    return _VALUED.sub(_signed, text)


def _signed(match: re.Match[str]) -> str:
    sign = "!" if match["false"] else ""
    return f"{sign}{match['literal']}".ljust(len(match[0]))
