"""What formulas speak about: variables, objects, and the names that have to stand in quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Union

from eai.logic.dialects import fold


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable and the types of the objects that it ranges over.

    Args:
        name: Name without the question mark.
        types: Type names; an object of any of them (or of a subtype) is in range.
    """

    name: str
    types: tuple[str, ...] = ("object",)

    def __str__(self) -> str:
        return self.name


Term = Union[Variable, str]


class Binding(dict[str, str]):
    """Variable name to object name."""

    def without(self, names: Iterable[str]) -> Binding:
        """Return a copy for the inside of a quantifier, whose variables hide those outside."""
        inner = Binding(self)
        for name in names:
            inner.pop(name, None)
        return inner


WORDS: dict[str, type[Any]] = {}
"""Every word of the notation that is an operator, to its class; each class enters its own."""

_OTHER_WORDS = re.compile(
    "forn|forpairs|fornpairs|exactly|at-?least|at-?most|at-end|at-most-once|sometime-after"
    "|sometime-before|within|always-within|hold-during|hold-after",
    re.IGNORECASE,
)
_GLUED = re.compile("[XFG]+")
_PLAIN = re.compile(r"\w+(?:[-.]\w+)*")


def is_reserved(name: str) -> bool:
    """Whether a name has to stand in quotes, because without them it is a word of the notation."""
    known = name in WORDS or name.lower() in WORDS or _GLUED.fullmatch(name)
    return bool(known or _OTHER_WORDS.fullmatch(name))


@lru_cache(maxsize=1 << 14)
def format_name(name: str) -> str:
    """Return a predicate, action or object name as it is written in a formula.

    A name that is no plain word, or that is a keyword, is put into double quotes.
    """
    if (
        _PLAIN.fullmatch(name)
        and not is_reserved(name)
        and all(fold(each) == each for each in name)
    ):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
