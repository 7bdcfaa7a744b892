"""The suite LongAct, and the condition that is printed beside every score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from eai.acting import EpisodeRules
from eai.contract import Ability, Suite, episode_of
from eai.errors import UnknownNameError
from eai.files import content_hash
from eai.report import Report
from eai.semantics import Semantics
from eai.simulators import Environment
from eai.simulators.thor.houses import HouseEnvironment
from eai.suites.longact.acting import checklist_of, episode_rules, load_task
from eai.suites.longact.analysis import Logged, by_scenario, error_shares, progress
from eai.suites.longact.episodes import (
    WORDINGS,
    LongActEpisode,
    distinct,
    read_episodes,
    shipped_episodes,
)
from eai.table import Table
from eai.task import Task

CONDITION = "LongAct-style episodes by eai, symbolic house, textual observation, estimated steps"
"""Text printed beside every score: none is comparable with a published one."""


class LongAct(Suite):
    """Long household days under the published rules of LongAct (arXiv 2605.14504).

    Its houses, episodes and checklists are not published: these are made by this package, and no
    score stands beside a published one. Every episode has a detailed and a concise instruction
    (``"tidy-017/detailed"``).

    Args:
        episodes: Own ones: a file or folder (see
            :func:`~eai.suites.longact.episodes.read_episodes`), or what
            :func:`~eai.suites.longact.generator.generate_episodes` makes; by default the 300 that
            ship.

    Raises:
        SchemaError: If a file has another shape, or two episodes have the same name.
        InputError: If there is no such file.
    """

    name = "longact"
    title = "LongAct: 300 household days, 9 goals each, acted in step by step in symbolic houses"
    abilities: Mapping[str, Ability] = {
        "interaction": Ability(
            view="eai.suites.longact.view:VIEW", oracle="eai.suites.longact.oracle:oracle"
        )
    }

    def __init__(self, episodes: str | Path | Iterable[LongActEpisode] | None = None) -> None:
        """Read episodes of one's own; the 300 shipped ones are read on first use."""
        self.version = CONDITION
        self._own: tuple[LongActEpisode, ...] | None = None
        if episodes is None:
            return
        if isinstance(episodes, (str, Path)):
            episodes = read_episodes(episodes)
        self.version = f"{CONDITION}; own episodes"
        self._own = distinct(episodes)

    @cached_property
    def episodes(self) -> Mapping[str, LongActEpisode]:
        """The episodes by name, in their order."""
        chosen = shipped_episodes() if self._own is None else self._own
        return {episode.id: episode for episode in chosen}

    @property
    def content(self) -> str:
        """A hash of episodes of one's own."""
        return "" if self._own is None else content_hash(self._own)

    def plans(self, semantics: Semantics) -> None:
        """Return None: there are no plans as a whole."""

    def task_ids(self) -> Sequence[str]:
        """Return the identifiers of all tasks: all detailed ones, then all concise ones."""
        return tuple(f"{name}/{wording}" for wording in WORDINGS for name in self.episodes)

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the tasks of each wording and of each scenario."""
        groups: dict[str, list[str]] = {wording: [] for wording in WORDINGS}
        for task in self.task_ids():
            name, wording = task.split("/")
            groups[wording].append(task)
            groups.setdefault(self.episodes[name].scenario, []).append(task)
        return groups

    def task(self, task_id: str) -> Task:
        """Load one task."""
        name, _, wording = task_id.rpartition("/")
        if wording not in WORDINGS or name not in self.episodes:
            raise UnknownNameError("task", task_id, self.task_ids())
        return load_task(self.episodes[name], wording)

    def analyses(
        self, report: Report, logs: Mapping[tuple[str, str], Sequence[Mapping[str, object]]]
    ) -> Sequence[Table]:
        """Return metrics by scenario, errors of failed items, and progress over steps."""
        semantics = self.semantics("strict")
        logged: dict[str, list[Logged]] = {}
        for record in report.records:
            task = self.task(record.task)
            episode = episode_of(
                self, task, record.output, ability=record.ability, semantics=semantics
            )
            # An answer that cannot be read leads to no episode.
            if episode is not None:
                log = logs.get((record.model, record.task), ())
                logged.setdefault(record.model, []).append((task, episode, log))
        return by_scenario(report), error_shares(logged), progress(logged)

    def environment(self, task: Task, semantics: Semantics) -> Environment:  # noqa: ARG002
        """Set up the house of a task."""
        return HouseEnvironment(checklist_of(task).house)

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:  # noqa: ARG002
        """Say what an episode of a task is: limits, goal, how answers are read."""
        wording = task.id.rpartition("/")[2]
        return episode_rules(checklist_of(task), wording, instruction=task.instruction)
