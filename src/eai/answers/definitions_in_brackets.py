"""Definitions in Lisp beside a plan that is one of them: ``(define (plan) ...)``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from eai.answers.brackets import closing_bracket
from eai.answers.cleaning import blank_out
from eai.answers.plan import HEADINGS

_DEFINE = re.compile(r"^[ \t]*\(define\s+\(?\s*(?P<name>[\w-]+)", re.MULTILINE | re.IGNORECASE)


def without_other_definitions(text: str) -> str:
    """Return a text with blanks in place of all definitions but those of plans.

    If no definition is that of a plan, the text stays as it is.

    Args:
        text: A text such as ``(define (walk x) ...)`` and ``(define (plan) (walk hall))``.
    """
    others: list[tuple[int, int]] = []
    has_plan = False
    for name, begin, end in _find_definitions(text):
        if name.lower().replace("-", "_") in HEADINGS:
            has_plan = True
        else:
            others.append((begin, end))
    return blank_out(text, others) if has_plan else text


def _find_definitions(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield name, begin and end of each outermost definition whose brackets are closed."""
    end = 0
    for definition in _DEFINE.finditer(text):
        if definition.start() < end:
            continue
        close = closing_bracket(text, text.index("(", definition.start()) + 1, ")")
        if close < 0:
            return  # all others stand inside of it
        end = close + 1
        yield definition["name"], definition.start(), end
