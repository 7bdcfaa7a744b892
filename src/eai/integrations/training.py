"""Scores for trainers of language models: the rules that hold whatever form a trainer calls.

A row of another task has no score. A row that cannot be scored never stops training: it is worth
0, is marked as broken, counted and logged. A score is finite, its parts always have the same names,
and nothing here is shared between processes, so threads and Ray actors may score at the same time.
"""

from __future__ import annotations

import logging
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from eai.contract import Suite, given_suite
from eai.integrations.answer_text import last_answer
from eai.rewards import Reward, Weights
from eai.rewards.completions import text_of
from eai.semantics import Semantics

PARTS = ("solved", "goals", "way", "left", "broken")
"""Names of the parts of every score: an :class:`eai.rewards.Attempt`, and whether it failed."""
LOGGED = 20
"""Number of different problems that are logged, each when it first occurs."""

_logger = logging.getLogger("eai.training")


@dataclass(frozen=True, slots=True)
class RowScore:
    """The score of a row.

    Args:
        value: The reward, in [0, 1].
        parts: The parts of the reward by :data:`PARTS`; 0 and 1 for no and yes.
        reason: Why it could not be scored; empty if it was.
    """

    value: float = 0.0
    parts: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))
    reason: str = ""

    @property
    def broken(self) -> bool:
        """Return whether the row could not be scored: its value then says nothing."""
        return bool(self.reason)


class RowScorer:
    """Scores rows of a data set, which may also contain rows of other suites.

    Args:
        suite: The name of a suite, ``module:attribute``, or a suite object.
        ability: The ability that the answers are about, as for :class:`eai.Reward`.
        kind: ``"graded"``, ``"repair"`` or ``"binary"``.
        semantics: When a task counts as solved.
        weights: The weights of a graded reward.
        rules: A file of rules that answers have to keep on the way, as for :class:`eai.Reward`.

    Attributes:
        counts: How many rows were ``scored``, ``broken`` and of ``other`` tasks, in this process.

    Raises:
        InputError: If the arguments do not fit each other. Mistakes in the configuration are
            reported here, before training begins.
        DataMissingError: If the suite's data was not fetched.
    """

    def __init__(
        self,
        suite: str | Suite,
        ability: str | None = None,
        *,
        kind: str = "graded",
        semantics: str | Semantics = "strict",
        weights: Weights | None = None,
        rules: object = None,
    ) -> None:
        self.reward = Reward(
            suite, ability, kind=kind, semantics=semantics, weights=weights, rules=rules
        )
        # Trainers name the column of a log after the function.
        self.__name__ = self.reward.__name__
        self._tasks = frozenset(given_suite(suite).task_ids())
        self.counts: Counter[str] = Counter()
        self._logged: set[str] = set()
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, object]:
        """Return the state without counts and lock: another process has its own."""
        return {**vars(self), "counts": Counter(), "_logged": set(), "_lock": None}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self._lock = threading.Lock()

    def score(self, task: object, completion: object) -> RowScore | None:
        """Return the score of a row, or None for a task of another suite.

        Args:
            task: The value of the data set's column: the identifier of a task. None, and whatever
                is no identifier of the suite, is another task's.
            completion: The model's output, without the prompt: text, or messages of which the last
                one of the assistant counts.
        """
        return self.score_by(task, lambda: text_of(completion))

    def score_by(self, task: object, read: Callable[[], str | None]) -> RowScore | None:
        """Return the score of a row whose answer is extracted by a function, or None.

        Args:
            task: As for :meth:`score`.
            read: Returns the answer. If it raises an error, the row is a broken one.
        """
        name = self._task_of_suite(task)
        if name is None:
            self._count("other")
            return None
        try:
            # All code that may fail is in this block, also that which reads the answer.
            text = read()
            answer = None
            if text is not None:
                # Some trainers hand over the whole conversation as one text.
                answer = last_answer(text)
            attempt = self.reward.attempt(name, answer)
            value = float(self.reward.value(attempt))
            if not math.isfinite(value):
                return self._broken_row(f"task {name!r}: the reward is {value}")
        except Exception as error:  # noqa: BLE001  # no row may end days of training
            return self._broken_row(f"task {name!r}: {type(error).__name__}: {error}")
        self._count("scored")
        parts = {"goals": attempt.goals, "way": attempt.way, "left": attempt.left}
        return RowScore(value, {"solved": float(attempt.solved), **parts, "broken": 0.0})

    def _task_of_suite(self, task: object) -> str | None:
        """Return the identifier of a task of the suite, or None."""
        if not isinstance(task, str):
            return None
        if task in self._tasks:
            return task
        self._log(f"rows of {task!r} are left to other rewards: it is no task of the suite")
        return None

    def _broken_row(self, reason: str) -> RowScore:
        """Return the score of a row that could not be scored, and log why."""
        self._count("broken")
        self._log(f"a row could not be scored: {reason}")
        return RowScore(parts={**dict.fromkeys(PARTS, 0.0), "broken": 1.0}, reason=reason)

    def _count(self, kind: str) -> None:
        """Count a row as ``scored``, ``broken`` or ``other``."""
        with self._lock:
            self.counts[kind] += 1

    def _log(self, problem: str) -> None:
        """Log each problem once, up to a maximum number."""
        with self._lock:
            if problem in self._logged or len(self._logged) >= LOGGED:
                return
            self._logged.add(problem)
        _logger.warning(problem)


_MAX_SCORERS = 16
"""Maximum number of scorers that a process keeps; then all are made anew."""
_SCORERS: dict[tuple[object, ...], RowScorer] = {}
"""The scorers of this process by their arguments."""
_MAKING = threading.Lock()
"""Held while a scorer is made, so that two threads do not make the same one."""


def scorer(suite: str, ability: str | None = None, **options: Any) -> RowScorer:  # noqa: ANN401
    """Return this process' scorer for these arguments, for trainers that keep no object."""
    # Options are sorted, as the same ones in another order are the same scorer.
    arguments = (suite, ability, *sorted(options.items()))
    # Trainers ask for every row in many threads, so a scorer that is there is found without a lock.
    known_scorer = _SCORERS.get(arguments)
    if known_scorer is not None:
        return known_scorer
    with _MAKING:
        known_scorer = _SCORERS.get(arguments)
        if known_scorer is None:
            known_scorer = RowScorer(suite, ability, **options)
            if len(_SCORERS) >= _MAX_SCORERS:
                _SCORERS.clear()
            _SCORERS[arguments] = known_scorer
        return known_scorer


def known_rewards(scores: Iterable[RowScore | None]) -> list[float | None]:
    """Return the rewards of rows, with None for those that are broken or of other suites."""
    rewards: list[float | None] = []
    for score in scores:
        if score is None or score.broken:
            rewards.append(None)
        else:
            rewards.append(score.value)
    return rewards


def mean_parts(scores: Iterable[RowScore | None]) -> dict[str, float]:
    """Return the mean of each part over the scored rows, or 0 without any."""
    sums = dict.fromkeys(PARTS, 0.0)
    count = 0
    for score in scores:
        if score is None:
            continue
        count += 1
        for name in PARTS:
            sums[name] += score.parts[name]
    return {name: total / max(count, 1) for name, total in sums.items()}


def named_parts(prefix: str, parts: Mapping[str, float]) -> dict[str, float]:
    """Return parts by names that no other reward has: trainers mix values of equal names."""
    return {f"{prefix}/{name}": value for name, value in parts.items()}
