"""Measures of an episode, its kinds of failure, and the report of both.

Source: EmbodiedBench (arXiv 2502.09560), section 5, Tables 2 and 3, and the appendix on errors.
Which kinds of failure a log decides :data:`ERRORS` says; there they were found by hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from eai.acting import Episode
from eai.diagnosis import Measure
from eai.report import PARTS, Score, Tally, View, by_group
from eai.suites.embodiedbench.skills import mismatches, read_output, shipped
from eai.table import Column, Table
from eai.task import Task


class Kind(NamedTuple):
    """A kind of failure: its class in the paper, or ``"beside"`` them.

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
EMPTY_PLAN = "empty_plan"
_GROWING = 3
"""So many moves in a row away from the target are a failure of spatial reasoning."""
_CLOSE, _FAR = 1.5, 0.5
"""Metres: who came this close and ended so much farther did not act accurately."""
_KINDS = {each: each for each in ("wrong_order", "additional_step", "silent_drop")}
_KINDS["missing_step"] = "missing_steps"


class EpisodeFailure(NamedTuple):
    """One failure of an episode: a key of :data:`ERRORS`; the step is 0 if it is of the whole."""

    kind: str
    text: str
    step: int = 0


def groups_of(task: Task) -> tuple[str, ...]:
    """The subset of a task, as reports call it."""
    return (task.name.removesuffix("_relationship"),)


def failures(
    environment: str, episode: Episode, distances: Sequence[float | None] = ()
) -> Iterator[EpisodeFailure]:
    """Yield the failures of an episode, as far as it and the distances to its target show them."""
    failed: set[str] = set()
    for turn in episode.turns:
        plan = read_output(turn.answer).plan if "executable_plan" in turn.answer else ()
        for place in mismatches(environment, plan):
            number, words = plan[place - 1]
            yield EpisodeFailure("action_id_mismatch", f"{number} is not {words!r}", turn.number)
        text = f"{turn.named}: {turn.result.message}"
        if turn.code in _KINDS:
            yield EpisodeFailure(_KINDS[turn.code], text, turn.number)
        elif not turn.success and turn.reply.action is not None:
            yield EpisodeFailure("invalid_action", text, turn.number)
        if turn.code in ("absent", "object_hallucination"):
            yield EpisodeFailure(
                "hallucination", f"{turn.named}: there is no such object", turn.number
            )
        if turn.success:
            failed = set()
        elif turn.reply.action is not None:
            if turn.named in failed:
                yield EpisodeFailure("reflection_error", f"{turn.named} failed before", turn.number)
            failed.add(turn.named)
    if not episode.success:
        yield from _unsolved(episode, [each for each in distances if each is not None])


def _unsolved(episode: Episode, distances: Sequence[float]) -> Iterator[EpisodeFailure]:
    """Yield the failures that an episode shows as a whole."""
    if any(turn.code == EMPTY_PLAN for turn in episode.turns):
        yield EpisodeFailure("wrong_termination_decision", "an empty plan ended the episode")
    shares = [turn.goal.share for turn in episode.turns if turn.goal is not None]
    if shares and max(shares) > shares[-1]:
        yield EpisodeFailure("condition_lost", "conditions of the goal were met and lost again")
    growing = 0  # moves away from the target since the last one towards it
    for before, now in pairwise(distances):
        if now > before:
            growing += 1
        elif now < before:
            growing = 0
        if growing == _GROWING:
            yield EpisodeFailure("spatial_reasoning", f"{_GROWING} moves away from the target")
    near = min(distances, default=math.inf)
    if near <= _CLOSE and distances[-1] - near > _FAR:
        text = f"it came within {near:.2f} m and went away again"
        yield EpisodeFailure("inaccurate_action", text)


def measures(
    environment: str,
    episode: Episode,
    *,
    distances: Sequence[float | None] = (),
    more: Sequence[EpisodeFailure] = (),
    progress: float | None = None,
    reward: object = None,
) -> tuple[Measure, ...]:
    """Measure an episode, for :data:`VIEW`.

    Numbers that are no shares (steps, actions, errors) are out of 100, so that their mean is
    shown as it is. Invalid actions are out of environment steps (appendix, metrics). Distances are
    those to the target after each turn, in metres; progress is by default the share of the goal's
    conditions that are met, of those that the start did not meet.
    """
    turns = [turn for turn in episode.turns if turn.code != EMPTY_PLAN]
    steps = sum(turn.reply.action is not None for turn in turns)
    invalid = sum(not turn.success for turn in turns)
    if progress is None:
        progress = _goal_progress(episode)
    found = [
        Measure("env_steps", steps, 100),
        Measure("planner_steps", max((turn.answered for turn in episode.turns), default=0), 100),
        Measure("invalid_actions", invalid, 100),
        Measure("format_errors", sum(turn.reply.action is None for turn in turns), 100),
        Measure("progress", round(progress * 10**6), 10**6),
    ]
    if steps:
        found.append(Measure("invalid_ratio", invalid, steps))
    if isinstance(reward, (int, float)) and math.isfinite(reward):
        found.append(Measure("reward", round(reward * 10**6), 10**6))
    kinds = {failure.kind for failure in (*more, *failures(environment, episode, distances))}
    for name, error in ERRORS.items():
        if environment in error.where:
            found.append(Measure(f"error_{name}", int(name in kinds), 1))
    return tuple(found)


def _goal_progress(episode: Episode) -> float:
    """Return the share of the goal's conditions that are met, without those met at the start."""
    at_start = episode.begun.conditions if episode.begun else ()
    met_at_start = {condition.text for condition in at_start if condition.met}
    asked = [
        condition for condition in episode.goal.conditions if condition.text not in met_at_start
    ]
    if not asked:
        return float(episode.success)
    return sum(condition.met for condition in asked) / len(asked)


# ------------------------------------------------------------------ the report


def _metrics(counts: Tally) -> list[Score]:
    solved, sizes = counts.grouped_success, counts.grouped
    known = [name for name in SUBSETS if sizes.get(name)]
    overall = sum(PARTS * solved.get(name, 0) // sizes[name] for name in known)
    found = [
        Score("goal", "task_success_rate", "Task SR", counts.success, counts.tasks, "tasks"),
        Score("goal", "overall", "Mean of subsets", overall, PARTS * len(known), "means"),
    ]
    for name, heading in SUBSETS.items():
        key, label = f"subset_{name}", heading.replace("\n", " ")
        found.append(Score("subset", key, label, solved.get(name, 0), sizes.get(name, 0), "tasks"))
    found += [Score.mean(counts, "means", key, label) for key, (label, _) in MEANS.items()]
    errors = ((f"error_{key}", key.replace("_", " ")) for key in ERRORS)
    return found + [Score.mean(counts, "errors", key, label) for key, label in errors]


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
