"""The published notation of subgoals, as the parser of ``eai-eval`` 1.0.5 takes it.

That parser looks for tokens where they fit. No blank is needed behind a keyword, so
``notdusty(rag.0)`` is ``not dusty(rag.0)``, and a keyword where a primitive has to be is the name
of one: ``or(rag.0)`` has an unknown predicate, it is not malformed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from eai.errors import ParseError
from eai.logic import parse_formula
from eai.logic.formula import And, Atom, Formula, Not, Or, Then

__all__ = ["parse_subgoals"]

_QUANTIFIER = re.compile(r"\b(?:forall|exists|forn)\b(?!\s*\()")
_BLANK = re.compile(r"[ \t\f\r\n]*")
_OBJECT = re.compile(r"[a-zA-Z_-]\w*(?:\.[0-9]+)?")
_OBJECTS = rf"{_OBJECT.pattern}(?:~,~{_OBJECT.pattern})*~"
_PRIMITIVE = re.compile(rf"([a-zA-Z_-]\w*)~\(~((?:{_OBJECTS})?)\)".replace("~", _BLANK.pattern))

_Read = tuple[Formula, int]
"""A formula and the offset of what stands behind it."""


def parse_subgoals(text: str) -> Formula:
    """Parse subgoals that are joined by ``then``.

    Args:
        text: The subgoals.

    Raises:
        ParseError: If the published evaluator cannot parse the text.
    """
    if _QUANTIFIER.search(text):
        return parse_formula(text, dialect="eai", source="subgoals")
    reader = _Reader(text)
    try:
        found = reader.sequence(0)
    except RecursionError:
        raise reader.error("the formula is nested too deeply") from None
    if found is None or reader.behind(found[1]) < len(text):
        raise reader.error("this does not belong here")
    return found[0]


class _Reader:
    """Reads a text from left to right; what is read comes with where to go on, or is None."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._furthest = 0

    def error(self, what: str) -> ParseError:
        """The error at the furthest place that was reached."""
        return ParseError(what, text=self._text, position=self._furthest, source="subgoals")

    def behind(self, at: int) -> int:
        """Where to go on behind blanks."""
        blank = _BLANK.match(self._text, at)
        at = blank.end() if blank else at
        self._furthest = max(self._furthest, at)
        return at

    def sequence(self, at: int) -> _Read | None:
        """Read ``a then b``."""
        return self._joined(at, "then", self._disjunction, Then)

    def _disjunction(self, at: int) -> _Read | None:
        return self._joined(at, "or", self._conjunction, Or)

    def _conjunction(self, at: int) -> _Read | None:
        return self._joined(at, "and", self._unary, And)

    def _joined(
        self,
        at: int,
        word: str,
        part: Callable[[int], _Read | None],
        join: Callable[[tuple[Formula, ...]], Formula],
    ) -> _Read | None:
        parts: list[Formula] = []
        begin: int | None = at
        while begin is not None:
            found = part(begin)
            if found is None:
                return None
            parts.append(found[0])
            at = found[1]
            begin = self._past(word, at)
        return (parts[0] if len(parts) == 1 else join(tuple(parts))), at

    def _unary(self, at: int) -> _Read | None:
        for way in (self._negation, self._enclosed, self._primitive):
            found = way(at)
            if found is not None:
                return found
        return None

    def _negation(self, at: int) -> _Read | None:
        begin = self._past("not", at)
        found = None if begin is None else self._unary(begin)
        return None if found is None else (Not(found[0]), found[1])

    def _enclosed(self, at: int) -> _Read | None:
        begin = self._past("(", at)
        found = None if begin is None else self.sequence(begin)
        end = None if found is None else self._past(")", found[1])
        return None if found is None or end is None else (found[0], end)

    def _primitive(self, at: int) -> _Read | None:
        found = _PRIMITIVE.match(self._text, self.behind(at))
        if found is None:
            return None
        return Atom(found[1], tuple(_OBJECT.findall(found[2]))), found.end()

    def _past(self, word: str, at: int) -> int | None:
        at = self.behind(at)
        return at + len(word) if self._text.startswith(word, at) else None
