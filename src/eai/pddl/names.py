"""How names are spelled in PDDL text.

PDDL's own names are a letter followed by letters, digits, ``-`` and ``_`` (Fox & Long 2003,
appendix A). The reader here also takes full stops and leading digits or underscores, because
objects of scene graphs have them; external planners may not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from eai.errors import InputError

__all__ = ["RESERVED", "Spelling", "spell_legally"]

RESERVED = frozenset(
    {"and", "or", "not", "imply", "forall", "exists", "when", "=", "either"}
    | {"increase", "decrease", "assign", "scale-up", "scale-down", "preference"}
    | {"always", "sometime", "within", "at-most-once", "sometime-after", "sometime-before"}
)
"""Words that cannot name a predicate or function, because they build conditions and effects."""

_READABLE = re.compile(r"[0-9.]*[a-z_][a-z0-9_.-]*")
_VARIABLE = re.compile(r"[a-z0-9_][a-z0-9_.-]*")
_FORBIDDEN = re.compile(r"[^a-z0-9_-]")


class Spelling:
    """Spells the names of one text.

    Args:
        legal: Whether to replace what PDDL forbids; otherwise names stay as they are.
    """

    def __init__(self, *, legal: bool) -> None:
        self.legal = legal
        self._taken: dict[tuple[str, str], str] = {}

    def spell(self, kind: str, name: str) -> str:
        """Spell a name.

        Args:
            kind: What it names (``"object"``, ``"predicate"``, ...): names of different kinds
                may be the same.
            name: The name in the model.

        Raises:
            InputError: The name cannot be written, or two names would become the same.
        """
        spelled = _legal(name) if self.legal else name
        if not self.legal and not _readable(kind, name):
            raise InputError(
                f"the {kind} name {name!r} cannot be written in PDDL",
                expected="letters in lower case, digits, '-', '_' and '.', and no PDDL word",
                mend="write with legal_names=True, which replaces what is forbidden",
            )
        other = self._taken.setdefault((kind, spelled), name)
        if other != name:
            raise InputError(
                f"the {kind}s {other!r} and {name!r} would both be written as {spelled!r}",
                mend="rename one of them",
            )
        return spelled


def spell_legally(names: Iterable[str]) -> dict[str, str]:
    """Return how ``legal_names=True`` writes names, to find them again in a planner's answer.

    Args:
        names: Names of one kind.

    Returns:
        Every name with its spelling: lower case; a character that PDDL forbids becomes ``_``;
        what does not begin with a letter gets an ``n`` in front, a PDDL word a ``_`` behind.

    Raises:
        InputError: Two names would become the same.
    """
    spelling = Spelling(legal=True)
    return {name: spelling.spell("name", name) for name in names}


def _readable(kind: str, name: str) -> bool:
    if kind == "variable":
        return _VARIABLE.fullmatch(name) is not None
    if kind in {"predicate", "function"} and name in RESERVED:
        return False
    return _READABLE.fullmatch(name) is not None


def _legal(name: str) -> str:
    spelled = _FORBIDDEN.sub("_", name.lower())
    if not spelled[:1].isalpha():
        spelled = f"n{spelled}"
    return f"{spelled}_" if spelled in RESERVED else spelled
