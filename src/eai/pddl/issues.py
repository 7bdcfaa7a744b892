"""What a check of a domain or problem finds."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal

from eai.errors import nearest

__all__ = ["Issue", "IssueKind", "suggestion"]

IssueKind = Literal[
    "undeclared-type",
    "undeclared-predicate",
    "undeclared-function",
    "undeclared-object",
    "unbound-variable",
    "repeated-variable",
    "mistyped-variable",
    "wrong-arity",
    "ill-typed",
    "loosely-typed",
    "cyclic-types",
    "repeated-object",
    "derived-effect",
    "derived-initial",
    "derived-head",
    "derived-recursion",
    "negative-cost",
    "temporal-condition",
    "unused-parameter",
    "other-domain",
]


@dataclass(frozen=True, slots=True)
class Issue:
    """One finding.

    Args:
        kind: What sort of finding it is.
        message: One sentence without a full stop.
        where: The part of the domain or problem: ``action grab, effect``.
        severity: An ``"error"`` makes the model meaningless; a ``"warning"`` does not.
        subject: The part of the model that is meant: a formula, effect, variable, operator, or
            ``(kind, name)`` for a declared name.
        argument: Which argument of the subject is meant; None for all of it.
        expected: What would be right.
        name: The name that is not known, if that is the matter.
        known: The names that are known in its place.
        advice: How to repair it, if no known name is near.
    """

    kind: IssueKind
    message: str
    where: str
    severity: Literal["error", "warning"] = "error"
    subject: object = field(default=None, compare=False, repr=False)
    argument: int | None = None
    expected: str | None = None
    name: str | None = None
    known: Collection[str] = field(default=(), compare=False, repr=False)
    advice: str | None = None

    @property
    def mend(self) -> str | None:
        """How to repair it: the nearest known names, else the advice.

        Looked up when it is asked for, because a text can have very many unknown names.
        """
        near = None if self.name is None else suggestion(self.name, self.known)
        return near or self.advice

    def __str__(self) -> str:
        mend = self.mend
        note = f" ({mend})" if mend else ""
        return f"{self.severity}: {self.where}: {self.message}{note}"


def suggestion(name: str, known: Iterable[str]) -> str | None:
    """Return ``did you mean a or b?`` for the known names nearest to ``name``, if any is near."""
    close = nearest(name, known)
    return f"did you mean {' or '.join(map(repr, close))}?" if close else None
