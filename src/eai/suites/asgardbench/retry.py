"""Trying the instances of a type in turn.

The published benchmark tries one instance after the other until one lets the action be done;
the error of the last one is reported. Before it puts something into another instance it takes
the agent there and opens it; what refused and is open is closed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from eai.suites.asgardbench.refusals import Failed

__all__ = ["Tried", "in_turn"]


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of trying.

    Args:
        name: The instance with which it was done; the last one that was tried if with none.
        failed: Why not with the first one; None if it was done.
        last: Why not with the last one; None if it was done.
    """

    name: str
    failed: Failed | None = None
    last: Failed | None = None


def in_turn(
    names: Iterable[str],
    attempt: Callable[[str], Failed | None],
    *,
    before: Callable[[str], None] | None = None,
    after: Callable[[str], None] | None = None,
) -> Tried:
    """Try instances until the action is done.

    Args:
        names: The instances, at least one.
        attempt: Does the action with one; returns why it could not.
        before: What is done before every attempt but the first.
        after: What is done after an attempt that failed.
    """
    first: Failed | None = None
    tried = Tried("")
    for name in names:
        if first is not None and before is not None:
            before(name)
        failed = attempt(name)
        if failed is None:
            return Tried(name)
        if after is not None:
            after(name)
        first = first or failed
        tried = Tried(name, first, failed)
    return tried
