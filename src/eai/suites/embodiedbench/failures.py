"""Measures of an episode, its kinds of failure, and the report of both.

Source: EmbodiedBench (arXiv 2502.09560), section 5, Tables 2 and 3, and the appendix on errors.
Which kinds of failure a log decides :data:`ERRORS` says; there they were found by hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from eai.acting import Episode, Turn
from eai.diagnosis import Measure
from eai.report import PARTS, Score, Tally, View, by_group
from eai.suites.embodiedbench.skills import EMPTY_PLAN, mismatches, read_output, shipped
from eai.table import Column, Table
from eai.task import Task


class Kind(NamedTuple):
    """A kind of failure: its class in the paper, or ``"beside"`` if the paper has none.

    ``decided``: whether a log decides it (``"certain"``, ``"partly"`` or ``"no"``); ``where``: the
    environments in which it is looked for.
    """

    group: str
    decided: str
    where: tuple[str, ...]


SUBSETS: dict[str, str] = shipped("view.json")["subsets"]
"""The subsets, in the order of the paper's tables, with their headings."""
MEANS: dict[str, tuple[str, str]] = shipped("view.json")["means"]
"""Means over episodes: shares in percent, but steps, actions and errors as they are."""
ERRORS = {name: Kind(*row) for name, row in shipped("view.json")["errors"].items()}
"""The kinds of failure; ``spatial_understanding`` needs pictures and is never claimed."""

_GROWING = 3
"""So many moves in a row away from the target are a failure of spatial reasoning."""
_CLOSE, _FAR = 1.5, 0.5
"""Metres: who came this close and ended so much farther did not act accurately."""
_KINDS = {
    "wrong_order": "wrong_order",
    "additional_step": "additional_step",
    "silent_drop": "silent_drop",
    "missing_step": "missing_steps",
}
"""Code of a step that was not done, and the kind of failure that it shows."""


class EpisodeFailure(NamedTuple):
    """One failure of an episode: a key of :data:`ERRORS`, and its step, or 0 for the whole."""

    kind: str
    text: str
    step: int = 0


def groups_of(task: Task) -> tuple[str, ...]:
    """Return the subset of a task, as reports call it."""
    return (task.name.removesuffix("_relationship"),)


def failures(
    environment: str, episode: Episode, distances: Sequence[float | None] = ()
) -> Iterator[EpisodeFailure]:
    """Yield the failures that an episode and its distances to the target reveal.

    Args:
        environment: Name of the environment.
        episode: The episode.
        distances: Distances to the target after each turn, in metres.
    """
    failed_actions: set[str] = set()  # since the last action that succeeded
    for turn in episode.turns:
        yield from _failures_of_turn(environment, turn)
        if turn.success:
            failed_actions = set()
            continue
        if turn.reply.action is None:
            continue
        if turn.named in failed_actions:
            yield EpisodeFailure("reflection_error", f"{turn.named} failed before", turn.number)
        failed_actions.add(turn.named)
    if not episode.success:
        recorded = [distance for distance in distances if distance is not None]
        yield from _failures_of_whole(episode, recorded)


def _failures_of_turn(environment: str, turn: Turn) -> Iterator[EpisodeFailure]:
    """Yield the failures that a single turn reveals, in its plan and in its action."""
    # The plan is in the answer of its first turn only.
    if "executable_plan" in turn.answer:
        plan = read_output(turn.answer).plan
        for position in mismatches(environment, plan):
            number, words = plan[position - 1]
            yield EpisodeFailure("action_id_mismatch", f"{number} is not {words!r}", turn.number)
    text = f"{turn.named}: {turn.result.message}"
    if turn.code in _KINDS:
        yield EpisodeFailure(_KINDS[turn.code], text, turn.number)
    elif not turn.success and turn.reply.action is not None:
        yield EpisodeFailure("invalid_action", text, turn.number)
    if turn.code in ("absent", "object_hallucination"):
        text = f"{turn.named}: there is no such object"
        yield EpisodeFailure("hallucination", text, turn.number)


def _failures_of_whole(episode: Episode, distances: Sequence[float]) -> Iterator[EpisodeFailure]:
    """Yield the failures that only an unsolved episode as a whole reveals.

    ``distances`` are those to the target, in metres, as far as they are recorded.
    """
    if any(turn.code == EMPTY_PLAN for turn in episode.turns):
        yield EpisodeFailure("wrong_termination_decision", "an empty plan ended the episode")
    shares = [turn.goal.share for turn in episode.turns if turn.goal is not None]
    if shares and max(shares) > shares[-1]:
        yield EpisodeFailure("condition_lost", "conditions of the goal were met and lost again")
    for _ in range(_walks_away(distances)):
        yield EpisodeFailure("spatial_reasoning", f"{_GROWING} moves away from the target")
    nearest = min(distances, default=math.inf)
    # The last distance is that of the end, however often the target was passed.
    if nearest <= _CLOSE and distances[-1] - nearest > _FAR:
        text = f"it came within {nearest:.2f} m and went away again"
        yield EpisodeFailure("inaccurate_action", text)


def _walks_away(distances: Sequence[float]) -> int:
    """Count how often several moves in a row led away from the target.

    A move that changes no distance (a turn, a look) neither counts nor begins the count anew.
    """
    walks = 0
    moves_away = 0
    for before, after in pairwise(distances):
        if after < before:
            moves_away = 0
        elif after > before:
            moves_away += 1
            walks += moves_away == _GROWING  # a longer walk is still one
    return walks


def measures(
    environment: str,
    episode: Episode,
    *,
    distances: Sequence[float | None] = (),
    more: Sequence[EpisodeFailure] = (),
    progress: float | None = None,
    reward: object = None,
) -> tuple[Measure, ...]:
    """Return the measures of an episode for :data:`VIEW`.

    Args:
        environment: Name of its environment, which decides which failures are searched.
        episode: The episode.
        distances: Distances to the target after each turn, in metres.
        more: Failures that the episode alone does not show.
        progress: The progress; by default the share of conditions that became true, among those of
            the goal that were not met at the start.
        reward: Its reward; left out if it is not a finite number.

    Returns:
        The measures. Reports show percentages, so counts (steps, actions, errors) are out of 100.
        Invalid actions are out of environment steps (appendix, metrics).
    """
    # An empty plan ends the episode in a turn that is neither a step nor a failed answer.
    turns = [turn for turn in episode.turns if turn.code != EMPTY_PLAN]
    n_steps = sum(turn.reply.action is not None for turn in turns)
    n_invalid = sum(not turn.success for turn in turns)
    n_answers = max((turn.answered for turn in episode.turns), default=0)
    if progress is None:
        progress = _goal_progress(episode)
    all_measures = [
        Measure("env_steps", n_steps, 100),
        Measure("planner_steps", n_answers, 100),
        Measure("invalid_actions", n_invalid, 100),
        Measure("format_errors", len(turns) - n_steps, 100),
        Measure("progress", round(progress * 10**6), 10**6),
    ]
    if n_steps:
        all_measures.append(Measure("invalid_ratio", n_invalid, n_steps))
    if isinstance(reward, (int, float)) and math.isfinite(reward):
        all_measures.append(Measure("reward", round(reward * 10**6), 10**6))
    # A kind counts once for an episode, however often it occurs.
    kinds = {failure.kind for failure in (*more, *failures(environment, episode, distances))}
    for name, error in ERRORS.items():
        if environment in error.where:
            all_measures.append(Measure(f"error_{name}", int(name in kinds), 1))
    return tuple(all_measures)


def _goal_progress(episode: Episode) -> float:
    """Return the share of the goal's conditions that became true, not counting the start."""
    met_at_start: set[str] = set()
    if episode.begun:
        met_at_start = {condition.text for condition in episode.begun.conditions if condition.met}
    unmet_at_start = [
        condition for condition in episode.goal.conditions if condition.text not in met_at_start
    ]
    if not unmet_at_start:
        # There is no share of nothing, so success counts as full progress.
        return float(episode.success)
    n_met = sum(condition.met for condition in unmet_at_start)
    return n_met / len(unmet_at_start)


# ------------------------------------------------------------------ the report


def _metrics(counts: Tally) -> list[Score]:
    """Return the scores of a report: success, by subset, means over episodes, and failures."""
    scores = [
        Score("goal", "task_success_rate", "Task SR", counts.success, counts.tasks, "tasks"),
        _mean_of_subsets(counts),
    ]
    # All subsets are listed, so that tables of different runs have the same columns.
    for name, heading in SUBSETS.items():
        label = heading.replace("\n", " ")
        solved = counts.grouped_success.get(name, 0)
        tasks = counts.grouped.get(name, 0)
        scores.append(Score("subset", f"subset_{name}", label, solved, tasks, "tasks"))
    for key, (label, _) in MEANS.items():
        scores.append(Score.mean(counts, "means", key, label))
    for kind in ERRORS:
        scores.append(Score.mean(counts, "errors", f"error_{kind}", kind.replace("_", " ")))
    return scores


def _mean_of_subsets(counts: Tally) -> Score:
    """Return the paper's average success rate, in which subsets weigh the same, not tasks.

    Each rate is a whole number of parts (:data:`eai.report.PARTS`), so that the sum is exact.
    """
    rates = []
    for name in SUBSETS:
        tasks = counts.grouped.get(name, 0)
        if tasks:
            rates.append(PARTS * counts.grouped_success.get(name, 0) // tasks)
    return Score("goal", "overall", "Mean of subsets", sum(rates), PARTS * len(rates), "means")


def _basis(counts: Tally) -> str:
    ends = ", ".join(f"{name} {number}" for name, number in counts.outcomes.items())
    return f"the means over episodes; ends: {ends or 'none'}"


_BY_SUBSET = [
    Column("task_success_rate", short="Task SR", ranged=True),
    Column("overall", short="Mean of\nsubsets"),
    *(Column(f"subset_{key}", short=head, ranged=True) for key, head in SUBSETS.items()),
]
_BY_KIND = [
    Column(f"error_{key}", short=key.replace("_", "\n"), span=kind.group)
    for key, kind in ERRORS.items()
]
_TABLES = {
    "Success by subset (%, counts below)": _BY_SUBSET,
    "Episodes (shares in %, numbers in the mean)": [
        Column(key, short=head) for key, (_, head) in MEANS.items()
    ],
    "Kinds of failure (% of episodes)": _BY_KIND,
}

VIEW = View(
    metrics=_metrics,
    tables=tuple(
        Table(title, caption=title.partition(" (")[0], columns=tuple(columns))
        for title, columns in _TABLES.items()
    ),
    groups={"goal": "Goal", "subset": "Subsets", "means": "Means", "errors": "Kinds of failure"},
    errors=("errors",),
    basis=_basis,
    summary=lambda counts: by_group(_metrics(counts)),
)
"""How acting and recorded episodes are reported."""
