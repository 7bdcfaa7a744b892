"""One episode: its turns, what is said of them, what is counted, and when it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, Protocol, get_args

from eai.acting.replies import Reply
from eai.diagnosis import ErrorKind, GoalStatus, Measure
from eai.errors import InputError, check_name
from eai.simulators import Observation, StepResult

_KINDS = {kind.value: kind for kind in ErrorKind}


class End(str, Enum):
    """Why an episode ended. A limit may name a reason of its own instead."""

    SUCCESS = "success"
    """All goals are met."""
    MAX_STEPS = "max_steps"
    """A limit on the number of turns."""
    MAX_REPEATS = "max_repeats"
    """The same actions again and again."""
    MAX_FAILURES = "max_failures"
    """Too many failures in a row."""
    NO_MORE_ANSWERS = "no_more_answers"
    """Answers that were written beforehand are used up."""
    MAX_CALLS = "max_calls"
    """The agent asked its model as often as it may in one episode."""
    AGENT_FAILURE = "agent_failure"
    """A live model could not be asked; nobody's failure."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: an answer, what was read out of it, and what came of it.

    Args:
        answer: What the agent wrote; of an answer with several actions the line of this one,
            from which the same action is read again.
        result: What came of its action. If no action could be read, nothing was done, and the
            result has the code and the message of the reply.
        answered: 1-based number of the answer that it came from.
        goal: How far the goal is reached after it; None where nobody looked.
        dropped: How many more actions of its answer were not tried, because it failed or
            because the episode ended with it.
    """

    number: int
    answer: str
    reply: Reply
    result: StepResult
    answered: int = 0
    goal: GoalStatus | None = None
    dropped: int = 0

    @property
    def success(self) -> bool:
        """Whether an action was taken and done."""
        return self.result.success

    @property
    def code(self) -> str:
        """Why it failed, as a code; empty if it did not."""
        return self.result.code

    @property
    def fault(self) -> ErrorKind | None:
        """The kind of error, if the result or the code of the failure says it; else None."""
        return self.result.kind or _KINDS.get(self.result.code)

    @property
    def named(self) -> str:
        """The action as text; if none could be read, the answer without blanks around it."""
        return self.answer.strip() if self.reply.action is None else str(self.reply.action)


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode.

    Args:
        end: Why it ended (:class:`End`, or the reason of a limit); empty if it goes on.
        goal: How far the goal is reached at the end.
        note: What there is to say about the end, as a sentence; mostly nothing.
        begun: How far the goal was reached at the start; None where nobody looked.
    """

    task: str
    start: Observation
    turns: tuple[Turn, ...]
    end: str
    goal: GoalStatus
    note: str = ""
    begun: GoalStatus | None = None

    @property
    def success(self) -> bool:
        """Whether the task is solved."""
        return self.goal.reached


Feedback = Literal["none", "simple", "detailed"]
"""How much an agent is told of what came of its actions."""

FEEDBACK: tuple[Feedback, ...] = get_args(Feedback)
"""All of them, the least telling first."""


def check_feedback(feedback: str) -> None:
    """See that there is such a feedback.

    Raises:
        UnknownNameError: If there is none.
    """
    check_name("feedback", feedback, FEEDBACK)


def history(turns: Iterable[Turn], feedback: Feedback) -> list[str]:
    """One line for every turn: the action, and as much as the agent is told of it.

    Args:
        turns: The turns.
        feedback: ``"none"``: the action; ``"simple"``: also whether it was done; ``"detailed"``:
            also why not.
    """
    lines = []
    for turn in turns:
        said = "" if feedback == "none" else ": Success" if turn.success else ": Failure"
        if said == ": Failure" and feedback == "detailed" and turn.result.message:
            said += f": {turn.result.message}"
        action = turn.reply.written or "(no action could be read)"
        lines.append(f"{turn.number}. {action}{said}")
    return lines


_UNREAD = {
    ErrorKind.ACTION_HALLUCINATION: "invalid_action",
    ErrorKind.OBJECT_HALLUCINATION: "invalid_object",
    ErrorKind.PARSING: "unparsable",
}
_COUNTED = ("valid", "undoable", "invalid_object", "invalid_action", "unparsable")


def turn_kind(turn: Turn) -> str:
    """Return what became of a turn, in the words of AsgardBench (section 4.1.1).

    ``"valid"``; ``"unparsable"`` (no action could be read), ``"invalid_action"`` and
    ``"invalid_object"`` (there is none of that name); ``"undoable"`` (it was tried in vain).
    """
    if turn.success:
        return "valid"
    unread = "unparsable" if turn.reply.action is None else "undoable"
    return unread if turn.fault is None else _UNREAD.get(turn.fault, unread)


def episode_measures(
    episode: Episode, *, reference_steps: int | None = None, refusals: Mapping[str, str]
) -> tuple[Measure, ...]:
    """Measure an episode.

    Args:
        episode: The episode.
        reference_steps: How many steps the task takes; None if nobody knows.
        refusals: Code of a failed turn to the reason under which it is counted; those that are
            not there are counted as ``"other"``.

    Returns:
        For each kind of turn (see :func:`turn_kind`) its share of the turns; the same for each
        reason why turns are undoable (``"undoable_hand"``); ``"goals_reached"``: the share of
        the goal's conditions that are met; ``"step_ratio"``: turns to reference steps, if the
        task is solved.
    """
    turns, conditions = episode.turns, episode.goal.conditions
    found: list[Measure] = []
    if conditions:
        found.append(Measure("goals_reached", sum(c.met for c in conditions), len(conditions)))
    if episode.success and reference_steps:
        found.append(Measure("step_ratio", len(turns), reference_steps))
    if not turns:
        return tuple(found)
    kinds, reasons = Counter[str](), Counter[str]()
    for turn in turns:
        kind, codes = turn_kind(turn), turn.result.errors or (turn.code,)
        if kind != "valid":
            kinds[kind] += len(codes)
        if kind == "undoable":
            reasons.update(refusals.get(code, "other") for code in codes)
    kinds["valid"] = len(turns) - kinds.total()
    shares = {kind: kinds[kind] for kind in _COUNTED}
    named = dict.fromkeys((*refusals.values(), "other"))
    shares |= {f"undoable_{reason}": reasons[reason] for reason in named}
    return (*found, *(Measure(kind, count, len(turns)) for kind, count in shares.items()))


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
        codes: Codes of failures with which they count as done.
    """

    names: tuple[str, ...]
    codes: frozenset[str] = frozenset()

    def __call__(self, turns: Sequence[Turn], extended: int) -> bool:
        """See :data:`Renewal`."""
        wanted = {name.lower() for name in self.names}
        return any(
            (turn.success or turn.code in self.codes)
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

        def check(turns: Sequence[Turn]) -> str:
            names = [turn.named for turn in turns]
            longest = min(len(names) // self.most, self.longest or len(names))
            lasts = ((names[-length * self.most :], length) for length in range(1, longest + 1))
            return self.reason if any(last[n:] == last[:-n] for last, n in lasts) else ""

        return check


@dataclass(frozen=True, slots=True)
class ConsecutiveFailures:
    """Ends an episode with many failures in a row; an answer without an action is one.

    Args:
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

        def check(turns: Sequence[Turn]) -> str:
            failed = not any(turn.success for turn in turns[-self.most :])
            return self.reason if failed and len(turns) >= self.most else ""

        return check


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
