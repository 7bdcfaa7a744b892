"""When an episode ends before its goal is reached: policies, any number of them together.

A limit looks at the turns after every turn and may name a reason to end the episode. Limits are
asked in their order, and the first that ends the episode names the reason. All numbers are
arguments; those of AsgardBench are given by its suite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from eai.errors import InputError
from eai.interaction.episode import End, Turn

__all__ = [
    "Check",
    "ConsecutiveFailures",
    "HardLimit",
    "Limit",
    "Milestones",
    "NewObjects",
    "Renewal",
    "Repeats",
    "SoftLimit",
]

Check = Callable[[Sequence[Turn]], str]
"""Called after every turn with all turns so far; returns the reason to end, or nothing."""

Renewal = Callable[[Sequence[Turn], int], bool]
"""Called with all turns so far and the number of turns at the last extension (0 if there was
none); says whether a soft limit is extended."""


class Limit(Protocol):
    """A policy that may end an episode."""

    def begin(self) -> Check:
        """Return what checks one episode."""
        ...


@dataclass(frozen=True, slots=True)
class HardLimit:
    """At most so many turns.

    Args:
        most: How many. A rule that ends an episode when its turns *exceed* n allows n + 1.
        reason: What the end is called.

    Raises:
        InputError: If the number is not positive.
    """

    most: int
    reason: str = End.MAX_STEPS.value

    def __post_init__(self) -> None:
        _positive(self.most, "turns")

    def begin(self) -> Check:
        """See :meth:`Limit.begin`."""
        return lambda turns: self.reason if len(turns) >= self.most else ""


@dataclass(frozen=True, slots=True)
class SoftLimit:
    """At most so many turns, unless there is reason to go on.

    When the limit is reached and any of the renewals says so, it is raised; otherwise the
    episode ends.

    Args:
        most: How many turns.
        extension: By how much it is raised.
        renewals: What is a reason to go on (:class:`Milestones`, :class:`NewObjects`).
        reason: What the end is called.

    Raises:
        InputError: If a number is not positive.
    """

    most: int
    extension: int
    renewals: tuple[Renewal, ...]
    reason: str = End.MAX_STEPS.value

    def __post_init__(self) -> None:
        _positive(self.most, "turns")
        _positive(self.extension, "more turns")

    def begin(self) -> Check:
        """See :meth:`Limit.begin`."""
        most, extended = self.most, 0

        def check(turns: Sequence[Turn]) -> str:
            nonlocal most, extended
            if len(turns) < most:
                return ""
            if not any(renewal(turns, extended) for renewal in self.renewals):
                return self.reason
            most, extended = most + self.extension, len(turns)
            return ""

        return check


@dataclass(frozen=True, slots=True)
class Milestones:
    """Renews a soft limit if one of some actions was done since the last extension.

    Args:
        names: Names of the actions; upper and lower case are the same.
    """

    names: tuple[str, ...]

    def __call__(self, turns: Sequence[Turn], extended: int) -> bool:
        """See :data:`Renewal`."""
        wanted = {name.lower() for name in self.names}
        return any(
            turn.success
            and turn.reply.action is not None
            and turn.reply.action.name.lower() in wanted
            for turn in turns[extended:]
        )


@dataclass(frozen=True, slots=True)
class NewObjects:
    """Renews a soft limit if the last actions name an object that those before them do not.

    Args:
        window: How many actions are the last ones, and how many before them are looked at.

    Raises:
        InputError: If the number is not positive.
    """

    window: int

    def __post_init__(self) -> None:
        _positive(self.window, "actions")

    def __call__(self, turns: Sequence[Turn], _extended: int) -> bool:
        """See :data:`Renewal`."""
        before = _named(turns[-2 * self.window : -self.window])
        return not _named(turns[-self.window :]) <= before


@dataclass(frozen=True, slots=True)
class Repeats:
    """Ends an episode in which the same action, or cycle of actions, is repeated.

    Args:
        most: So many times in a row are too many.
        longest: How many actions a cycle has at most; None for any number.
        reason: What the end is called.

    Raises:
        InputError: If a number is too small.
    """

    most: int
    longest: int | None = None
    reason: str = End.MAX_REPEATS.value

    def __post_init__(self) -> None:
        if self.most < 2:
            raise InputError(f"{self.most} repetitions", expected="a whole number from 2")
        if self.longest is not None:
            _positive(self.longest, "actions in a cycle")

    def begin(self) -> Check:
        """See :meth:`Limit.begin`."""
        return lambda turns: self.reason if self._repeated(turns) else ""

    def _repeated(self, turns: Sequence[Turn]) -> bool:
        names = [turn.named for turn in turns]
        longest = len(names) // self.most
        if self.longest is not None:
            longest = min(longest, self.longest)
        return any(self._cycles(names, length) for length in range(1, longest + 1))

    def _cycles(self, names: Sequence[str], length: int) -> bool:
        last = names[-length * self.most :]
        return last[length:] == last[:-length]


@dataclass(frozen=True, slots=True)
class ConsecutiveFailures:
    """Ends an episode with many failures in a row; an answer without an action is one.

    Args:
        most: So many are too many.
        reason: What the end is called.

    Raises:
        InputError: If the number is not positive.
    """

    most: int
    reason: str = End.MAX_FAILURES.value

    def __post_init__(self) -> None:
        _positive(self.most, "failures")

    def begin(self) -> Check:
        """See :meth:`Limit.begin`."""
        return lambda turns: self.reason if self._failed(turns) else ""

    def _failed(self, turns: Sequence[Turn]) -> bool:
        return len(turns) >= self.most and not any(turn.success for turn in turns[-self.most :])


def _named(turns: Iterable[Turn]) -> set[str]:
    return {
        name
        for turn in turns
        if turn.reply.action is not None
        for name in turn.reply.action.arguments
    }


def _positive(number: int, what: str) -> None:
    if number < 1:
        raise InputError(f"{number} {what}", expected="a whole number from 1")
