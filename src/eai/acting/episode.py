"""Episodes: their turns, their history in words, their measures, and limits that end them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, Protocol, get_args

from eai.acting.replies import Reply
from eai.diagnosis import ErrorKind, GoalStatus, Measure
from eai.errors import InputError, check_name
from eai.simulators import Observation, StepResult

_KINDS = {kind.value: kind for kind in ErrorKind}


class End(str, Enum):
    """Reasons why an episode ends. A limit may define another reason."""

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
    """The agent made the maximum number of calls of its model."""
    AGENT_FAILURE = "agent_failure"
    """A live model could not be asked; nobody's failure."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: an answer, the action read from it, and the result.

    Args:
        number: 1-based number of the turn.
        answer: Text of the agent; of an answer with several actions the line of this one, from
            which the same action is read again.
        reply: The actions that were read from the answer.
        result: Result of the action. If no action could be read, nothing was done, and the result
            has the code and the message of the reply.
        answered: 1-based number of the answer that it came from.
        goal: Status of the goal after it; None if it was not evaluated.
        dropped: Number of further actions of its answer that were not tried, because it failed or
            the episode ended with it.
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
        """Whether an action was taken and succeeded."""
        return self.result.success

    @property
    def code(self) -> str:
        """Code of the failure; empty if it succeeded."""
        return self.result.code

    @property
    def fault(self) -> ErrorKind | None:
        """The kind of error, if the result or the code of the failure says it; else None."""
        return self.result.kind or _KINDS.get(self.result.code)

    @property
    def named(self) -> str:
        """The action as text; if none could be read, the answer without blanks around it."""
        if self.reply.action is None:
            return self.answer.strip()
        return str(self.reply.action)


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode.

    Args:
        task: Identifier of the task.
        start: The observation at the start.
        turns: The turns, in order.
        end: Reason why it ended (:class:`End`, or that of a limit); empty if it goes on.
        goal: Status of the goal at the end.
        note: A sentence about the end; mostly empty.
        begun: Status of the goal at the start; None if it was not evaluated.
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
"""Detail of the feedback on actions."""

FEEDBACK: tuple[Feedback, ...] = get_args(Feedback)
"""All kinds of feedback, the least detailed first."""


def check_feedback(feedback: str) -> None:
    """Refuse an unknown kind of feedback.

    Raises:
        UnknownNameError: If there is none.
    """
    check_name("feedback", feedback, FEEDBACK)


def history(turns: Iterable[Turn], feedback: Feedback) -> list[str]:
    """Return a line for every turn with the action and its feedback.

    Args:
        turns: The turns.
        feedback: ``"none"``: the action; ``"simple"``: also whether it succeeded; ``"detailed"``:
            also the reason of a failure.
    """
    lines = []
    for turn in turns:
        # With detailed feedback: "3. OPEN Fridge: Failure: it is open already".
        line = f"{turn.number}. {turn.reply.written or '(no action could be read)'}"
        if feedback != "none":
            outcome = "Success" if turn.success else "Failure"
            line += f": {outcome}"
        if feedback == "detailed" and not turn.success and turn.result.message:
            line += f": {turn.result.message}"
        lines.append(line)
    return lines


_KIND_BY_FAULT = {
    ErrorKind.ACTION_HALLUCINATION: "invalid_action",
    ErrorKind.OBJECT_HALLUCINATION: "invalid_object",
    ErrorKind.PARSING: "unparsable",
}
"""Kind of error to the kind of turn that has it (:func:`turn_kind`)."""
_KINDS_OF_TURNS = ("valid", "undoable", "invalid_object", "invalid_action", "unparsable")
"""Kinds of turns, in the order in which they are reported."""


def turn_kind(turn: Turn) -> str:
    """Return the kind of a turn, in the words of AsgardBench (section 4.1.1).

    The kinds are ``"valid"``, ``"unparsable"`` (no action could be read), ``"invalid_action"`` and
    ``"invalid_object"`` (unknown names), and ``"undoable"`` (tried, but failed).
    """
    if turn.success:
        return "valid"
    if turn.fault in _KIND_BY_FAULT:
        return _KIND_BY_FAULT[turn.fault]
    if turn.reply.action is None:
        return "unparsable"
    return "undoable"


def episode_measures(
    episode: Episode, *, reference_steps: int | None = None, refusals: Mapping[str, str]
) -> tuple[Measure, ...]:
    """Return the measures of an episode.

    Args:
        episode: The episode.
        reference_steps: Number of steps of a reference solution; None if it is not known.
        refusals: Code of a failed turn to the reason under which it is counted; other codes are
            counted as ``"other"``.

    Returns:
        For each kind of turn (see :func:`turn_kind`) its share of the turns; the same for each
        reason why turns are undoable (``"undoable_hand"``); ``"goals_reached"``: the share of
        the goal's conditions that are met; ``"step_ratio"``: turns to reference steps, if the
        task is solved.
    """
    # Measures that are undefined for an episode are left out of all means.
    turns = episode.turns
    conditions = episode.goal.conditions
    measures: list[Measure] = []
    if conditions:
        met = sum(condition.met for condition in conditions)
        measures.append(Measure("goals_reached", met, len(conditions)))
    if episode.success and reference_steps:
        measures.append(Measure("step_ratio", len(turns), reference_steps))
    if turns:
        measures += _turn_measures(turns, refusals)
    return tuple(measures)


def _turn_measures(turns: Sequence[Turn], refusals: Mapping[str, str]) -> Iterator[Measure]:
    """Yield the share of each kind of turn, and of each reason for impossible turns."""
    count_by_kind = Counter[str]()
    count_by_reason = Counter[str]()
    for turn in turns:
        kind = turn_kind(turn)
        if kind == "valid":
            continue
        # The published evaluator of AsgardBench counts an error for each object that it tried.
        error_codes = turn.result.errors or (turn.code,)
        count_by_kind[kind] += len(error_codes)
        if kind == "undoable":
            count_by_reason.update(refusals.get(code, "other") for code in error_codes)
    # Errors are counted for each object, so this may be less than the number of valid turns.
    count_by_kind["valid"] = len(turns) - count_by_kind.total()
    for kind in _KINDS_OF_TURNS:
        yield Measure(kind, count_by_kind[kind], len(turns))
    for reason in dict.fromkeys((*refusals.values(), "other")):
        yield Measure(f"undoable_{reason}", count_by_reason[reason], len(turns))


Check = Callable[[Sequence[Turn]], str]
"""Called after every turn with all turns so far; returns the reason to end, or nothing."""

Renewal = Callable[[Sequence[Turn], int], bool]
"""Called with all turns so far and the number of turns at the last extension (0 if there was
none); returns whether a soft limit is extended."""


class Limit(Protocol):
    """A rule that may end an episode."""

    def begin(self) -> Check:
        """Return the check of one episode."""
        ...


@dataclass(frozen=True, slots=True)
class HardLimit:
    """A limit on the number of turns.

    Args:
        most: Maximum number. A rule that ends an episode when its turns *exceed* n allows n + 1.
        reason: Name of the end.

    Raises:
        InputError: If the number is not positive.
    """

    most: int
    reason: str = End.MAX_STEPS.value

    def __post_init__(self) -> None:
        _refuse_non_positive(self.most, "turns")

    def begin(self) -> Check:
        """Return the check of one episode (see :meth:`Limit.begin`)."""
        return lambda turns: self.reason if len(turns) >= self.most else ""


@dataclass(frozen=True, slots=True)
class SoftLimit:
    """A limit on the number of turns that can be extended.

    When the limit is reached and any of the renewals holds, it is raised; otherwise the episode
    ends. It may be raised any number of times, so a hard limit belongs beside it.

    Args:
        most: Maximum number of turns at first.
        extension: Number of turns by which it is raised.
        renewals: Reasons to go on (:class:`Milestones`, :class:`NewObjects`).
        reason: Name of the end.

    Raises:
        InputError: If a number is not positive.
    """

    most: int
    extension: int
    renewals: tuple[Renewal, ...]
    reason: str = End.MAX_STEPS.value

    def __post_init__(self) -> None:
        _refuse_non_positive(self.most, "turns")
        _refuse_non_positive(self.extension, "more turns")

    def begin(self) -> Check:
        """Return the check of one episode (see :meth:`Limit.begin`)."""
        max_turns = self.most
        turns_at_extension = 0

        def check(turns: Sequence[Turn]) -> str:
            nonlocal max_turns, turns_at_extension
            if len(turns) < max_turns:
                return ""
            if not any(renewal(turns, turns_at_extension) for renewal in self.renewals):
                return self.reason
            # Only progress after this extension counts for the next one.
            max_turns += self.extension
            turns_at_extension = len(turns)
            return ""

        return check


@dataclass(frozen=True, slots=True)
class Milestones:
    """Extends a soft limit if one of some actions succeeded since the last extension.

    Args:
        names: Names of the actions; upper and lower case are the same.
        codes: Codes of failures with which they count as successful.
    """

    names: tuple[str, ...]
    codes: frozenset[str] = frozenset()

    def __call__(self, turns: Sequence[Turn], extended: int) -> bool:
        """Return whether one of the actions succeeded (see :data:`Renewal`)."""
        names = {name.lower() for name in self.names}
        for turn in turns[extended:]:
            action = turn.reply.action
            is_milestone = turn.success or turn.code in self.codes
            if is_milestone and action is not None and action.name.lower() in names:
                return True
        return False


@dataclass(frozen=True, slots=True)
class NewObjects:
    """Extends a soft limit if the last actions name an object for the first time.

    Args:
        window: Number of the last actions, and of the earlier ones that they are compared with.

    Raises:
        InputError: If the number is not positive.
    """

    window: int

    def __post_init__(self) -> None:
        _refuse_non_positive(self.window, "actions")

    def __call__(self, turns: Sequence[Turn], _extended: int) -> bool:
        """Return whether a new object is named (see :data:`Renewal`)."""
        # The window before the last one; in the first turns it is empty, so that any object is new.
        before = _objects_named(turns[-2 * self.window : -self.window])
        return not _objects_named(turns[-self.window :]) <= before


@dataclass(frozen=True, slots=True)
class Repeats:
    """A limit on repetitions of the same action or cycle of actions.

    With ``most=3`` the last turns ``a, a, a`` end an episode, as do ``a, b, a, b, a, b``. A check
    takes time proportional to the number of turns, times that of the cycle lengths.

    Args:
        most: Number of times in a row at which the episode ends.
        longest: Maximum number of actions of a cycle; None for any number.
        reason: Name of the end.

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
            _refuse_non_positive(self.longest, "actions in a cycle")

    def begin(self) -> Check:
        """Return the check of one episode (see :meth:`Limit.begin`)."""

        def check(turns: Sequence[Turn]) -> str:
            """Return the reason to end the episode, or an empty text."""
            names = [turn.named for turn in turns]
            # Longer cycles do not fit into these turns as often as required.
            longest = min(len(names) // self.most, self.longest or len(names))
            for length in range(1, longest + 1):
                last_names = names[-length * self.most :]
                # A sequence repeats a cycle if it equals itself, shifted by the cycle's length.
                if last_names[length:] == last_names[:-length]:
                    return self.reason
            return ""

        return check


@dataclass(frozen=True, slots=True)
class ConsecutiveFailures:
    """A limit on consecutive failures, among them answers without an action.

    Args:
        most: Number of failures at which the episode ends.
        reason: Name of the end.

    Raises:
        InputError: If the number is not positive.
    """

    most: int
    reason: str = End.MAX_FAILURES.value

    def __post_init__(self) -> None:
        _refuse_non_positive(self.most, "failures")

    def begin(self) -> Check:
        """Return the check of one episode (see :meth:`Limit.begin`)."""

        def check(turns: Sequence[Turn]) -> str:
            # Fewer turns than the limit are not that many failures in a row.
            last_turns = turns[-self.most :]
            if len(turns) < self.most or any(turn.success for turn in last_turns):
                return ""
            return self.reason

        return check


def _objects_named(turns: Iterable[Turn]) -> set[str]:
    """Return the objects in the actions of some turns."""
    names = set[str]()
    for turn in turns:
        if turn.reply.action is not None:
            names.update(turn.reply.action.arguments)
    return names


def _refuse_non_positive(number: int, noun: str) -> None:
    """Refuse a number below 1."""
    if number < 1:
        raise InputError(f"{number} {noun}", expected="a whole number from 1")
