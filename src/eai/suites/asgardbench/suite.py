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
    """Count failed tasks and all tasks of each family."""
    everything = "summary_fails_all" in semantics
    found: dict[str, tuple[int, int]] = {}
    for result in results:
        failed = everything or not result.success
        for family in result.groups:
            failures, tasks = found.get(family, (0, 0))
            found[family] = failures + failed, tasks + 1
    return found


def _follow(suite: Suite, task: Task, record: RecordedEpisode, semantics: Semantics) -> Episode:
    """Return what happened in a recorded episode: as its log says, or by what was done."""
    record = logs.coded(record)
    if "log_trusted" in semantics and "benchmark" in record.metadata:
        return logs.logged(task.id, record)
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
        self._own: Mapping[str, Instance] | None = None
        self.version = f"published instances, {CONDITION}"
        if own is not None:
            self._own = found = dict[str, Instance]()
            self.version = f"own instances, {CONDITION}"
            for one in own:
                if one.id in found:
                    what = f"two instances are called {one.id!r}"
                    raise SchemaError(what, expected="a unique name for each")
                found[one.id] = one

    @property
    def content(self) -> str:
        """A hash of instances of one's own."""
        return "" if self._own is None else content_hash(self._own.values())

    def plans(self, semantics: Semantics) -> None:
        """There are no plans as a whole."""

    @property
    def instances(self) -> Mapping[str, Instance]:
        """The instances by name, in their order."""
        return instances() if self._own is None else self._own

    def task_ids(self) -> Sequence[str]:
        """Identifiers of all tasks, in the order of the benchmark."""
        return tuple(self.instances)

    def task(self, task_id: str) -> Task:
        """Load one task."""
        return load_task(look_up("task", task_id, self.instances))

    def audit(self, episodes: Mapping[str, str]) -> Iterator[AuditFinding]:
        """Yield what is out of order in runs of the published evaluator."""
        yield from logs.audit(self.instances, episodes)

    def rates(self, episodes: Mapping[str, str]) -> Mapping[str, tuple[int, int, int]]:
        """Return for each family: solved episodes as logs say, episodes, tasks."""
        own, found = logs.own_episodes(episodes), dict[str, tuple[int, int, int]]()
        for name, one in self.instances.items() if own else ():
            solved, there, tasks = found.get(one.family, (0, 0, 0))
            solved += name in own and bool(own[name].success)
            found[one.family] = solved, there + (name in own), tasks + 1
        return found


AUDIT = Audit(AsgardBench.audit, AsgardBench.rates)
