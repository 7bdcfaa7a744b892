"""The suite AsgardBench, and why its scores do not stand beside published ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from eai.acting import Episode, RecordedEpisode, recorded_episode
from eai.contract import Ability, Audit, AuditFinding, Suite
from eai.diagnosis import Result
from eai.errors import SchemaError, look_up
from eai.files import content_hash
from eai.semantics import Quirk, Semantics
from eai.suites.asgardbench import logs
from eai.suites.asgardbench.episodes import load_task
from eai.suites.asgardbench.instances import Instance, instances
from eai.suites.asgardbench.quirks import OFFICIAL_VERSION, QUIRKS
from eai.task import Task

CONDITION = "textual observation"
"""Under which condition agents act here: they read what is seen."""


def failed_by_family(results: Iterable[Result], semantics: Semantics) -> dict[str, tuple[int, int]]:
    """Return (failed tasks, all tasks) for each family of tasks."""
    fails_all = "summary_fails_all" in semantics
    counts: dict[str, tuple[int, int]] = {}
    for result in results:
        is_failed = fails_all or not result.success
        for family in result.groups:
            failures, tasks = counts.get(family, (0, 0))
            counts[family] = failures + is_failed, tasks + 1
    return counts


def _follow(suite: Suite, task: Task, record: RecordedEpisode, semantics: Semantics) -> Episode:
    """Return what happened in a recorded episode, from its log or by running its actions again.

    Args:
        suite: The suite.
        task: The task.
        record: The recorded episode.
        semantics: The semantics of the environment.
    """
    # Logs have messages of failures, and both semantics need codes.
    record = logs.with_error_codes(record)
    # A record in the general format has no log of the benchmark, so it is always repeated.
    if "log_trusted" in semantics and "benchmark" in record.metadata:
        return logs.episode_of_log(task.id, record)
    rules = suite.episode_rules(task, semantics)
    return recorded_episode(suite.environment(task, semantics), record, rules=rules, task=task)


class AsgardBench(Suite):
    """Household tasks of AsgardBench in the symbolic AI2-THOR, acted in step by step.

    Agents read what is seen (condition: textual observation), where those of the benchmark look
    at pictures: no score stands beside a published one.

    Args:
        own: Other instances than the published ones, as
            :func:`~eai.suites.asgardbench.instances.read_instances` reads them.

    Raises:
        SchemaError: If two of them have the same name.
    """

    name = "asgardbench"
    title = f"AsgardBench, 108 tasks acted in step by step; condition: {CONDITION}"
    default_semantics = "official"
    abilities: Mapping[str, Ability] = {
        "interaction": Ability(
            acting="eai.suites.asgardbench.episodes",
            oracle="eai.suites.asgardbench.oracle:AsgardOracle",
        ),
        "recorded": Ability(follow=_follow),
    }
    quirks: Mapping[str, Quirk] = QUIRKS
    official_version = OFFICIAL_VERSION

    def __init__(self, own: Iterable[Instance] | None = None) -> None:
        """Keep instances of one's own; the published ones are read when they are needed."""
        self._own: dict[str, Instance] | None = None
        self.version = f"published instances, {CONDITION}"
        if own is None:
            return
        self.version = f"own instances, {CONDITION}"
        self._own = {}
        # A second instance of the same name would hide the first one.
        for instance in own:
            if instance.id in self._own:
                text = f"two instances are called {instance.id!r}"
                raise SchemaError(text, expected="a unique name for each")
            self._own[instance.id] = instance

    @property
    def content(self) -> str:
        """A hash of instances of one's own."""
        return "" if self._own is None else content_hash(self._own.values())

    def plans(self, semantics: Semantics) -> None:
        """Return None: there are no plans as a whole."""

    @property
    def instances(self) -> Mapping[str, Instance]:
        """The instances by name, in their order."""
        return instances() if self._own is None else self._own

    def task_ids(self) -> Sequence[str]:
        """Return the identifiers of all tasks, in the order of the benchmark."""
        return tuple(self.instances)

    def task(self, task_id: str) -> Task:
        """Load one task."""
        return load_task(look_up("task", task_id, self.instances))

    def audit(self, episodes: Mapping[str, str]) -> Iterator[AuditFinding]:
        """Yield what is out of order in runs of the published evaluator."""
        yield from logs.audit(self.instances, episodes)

    def rates(self, episodes: Mapping[str, str]) -> Mapping[str, tuple[int, int, int]]:
        """Return (solved episodes as logged, episodes, tasks) for each family of tasks."""
        own_episodes = logs.own_episodes(episodes)
        if not own_episodes:
            return {}
        rates: dict[str, tuple[int, int, int]] = {}
        # All tasks are counted, so that a family without an episode has a rate of 0.
        for name, instance in self.instances.items():
            n_solved, n_episodes, n_tasks = rates.get(instance.family, (0, 0, 0))
            if name in own_episodes:
                n_episodes += 1
                n_solved += int(bool(own_episodes[name].success))
            rates[instance.family] = n_solved, n_episodes, n_tasks + 1
        return rates


AUDIT = Audit(AsgardBench.audit, AsgardBench.rates)
