"""Audit recorded runs: each episode, and each subset as a whole.

Every finding names its file and line. The description of a run (``config.txt``) decides what its
files have to contain. Nothing is guessed: what a log does not decide is no finding.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from eai.acting import RecordedEpisode
from eai.contract import AuditFinding, Suite
from eai.errors import InputError
from eai.suites.embodiedbench.checks import CHECKS, HABITS, id_shift, is_finished
from eai.suites.embodiedbench.layouts import (
    LAYOUTS,
    RunConfig,
    Sampling,
    best_sampling,
    count_matches,
    sampling_of,
)
from eai.suites.embodiedbench.recorded import EpisodeLog
from eai.suites.embodiedbench.run_files import SUBSETS
from eai.suites.embodiedbench.skills import ALFRED, MANIPULATION, NAVIGATION, STEPS

# Difference of numbers that comes from writing and reading them alone.
_CLOSE = 1e-6
_ENOUGH = 3
"""Minimum number of episodes, or rows, of which something is told that could be chance in fewer."""
_LONG_OUTPUT = 200
"""Minimum number of characters of planner outputs that are not the same by chance."""
_MIN_OLD_MEAN = -1
"""Lowest mean that a summary can have: a step that broke off has a reward of -1."""


@dataclass(frozen=True)
class Audited:
    """A recorded episode together with its task.

    Args:
        name: Its identifier as it was written.
        task: The task by the instruction, else by the number.
        numbered: The task by the number alone.
    """

    name: str
    task: str
    numbered: str
    log: EpisodeLog

    @property
    def about(self) -> Mapping[str, Any]:
        """Metadata that the reader of runs stored beside the record."""
        return self.log.record.metadata

    @property
    def file(self) -> str:
        """The file that it was read from."""
        return str(self.about.get("file", ""))

    @property
    def folder(self) -> str:
        """The folder of its subset."""
        return str(self.about.get("folder", ""))

    @property
    def subset(self) -> str:
        """The subset that its file lies in."""
        return self.numbered.partition("/")[0]

    @cached_property
    def config(self) -> RunConfig | None:
        """Configuration of the run (``config.txt``); None if the run has none."""
        value = self.about.get("config")
        return RunConfig.from_dict(value) if value else None


def _episodes_of_suite(suite: Suite, items: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Return the items that are recorded episodes of a suite."""
    for name, text in items.items():
        # Inside of a text of a record quotes are escaped, so that this is the record's own.
        if f'"environment": "{suite.name}"' in text:
            yield name, text


def audit(suite: Suite, items: Mapping[str, str]) -> Iterator[AuditFinding]:
    """Yield the problems in recorded episodes of a suite's tasks.

    Args:
        suite: The suite.
        items: Identifier of an episode to its record as JSON.
    """
    episodes: list[Audited] = []
    for name, text in _episodes_of_suite(suite, items):
        task = suite.canonical_id(name)
        try:
            log = EpisodeLog(suite.name, RecordedEpisode.from_json(text)).check()
        except InputError as error:
            yield AuditFinding("unreadable", task, error.what, str(error.where or ""))
            continue
        task_by_number = suite.canonical_id(name.partition("@")[0])
        episodes.append(Audited(name, task, task_by_number, log))
    if not episodes:
        return
    episodes_by_folder: dict[str, list[Audited]] = defaultdict(list)
    for episode in episodes:
        episodes_by_folder[episode.folder].append(episode)
    yield from _find_mixed_runs(episodes, episodes_by_folder)
    # A task may have episodes in two folders, so this set is shared by all folders.
    seen_tasks: dict[str, str] = {}
    for folder_episodes in episodes_by_folder.values():
        sampling, note = _infer_sampling(suite, folder_episodes)
        if note:
            first = folder_episodes[0]
            yield AuditFinding("config", first.subset, note, first.folder)
        findings = list(_check_folder(suite, folder_episodes, sampling, seen_tasks))
        yield from _leave_out_habits(findings, folder_episodes)
    yield from _find_missing_episodes(suite, episodes_by_folder, seen_tasks)
    for folder_episodes in episodes_by_folder.values():
        yield from _check_summary(suite.name, folder_episodes)
    yield from _find_copies(episodes)
    yield from _find_mixed_versions(suite.name, episodes)


# ------------------------------------------------------------------ episodes


def _check_folder(
    suite: Suite, episodes: Sequence[Audited], sampling: Sampling | None, seen: dict[str, str]
) -> Iterator[AuditFinding]:
    """Check the episodes of one subset of a run, and add their tasks to ``seen``."""
    tasks = frozenset(suite.task_ids())
    episodes_of_tasks: list[Audited] = []
    for episode in episodes:
        if episode.task in tasks:
            episodes_of_tasks.append(episode)
            yield from _check_episode(suite, episode, sampling, seen)
        else:
            yield AuditFinding("foreign", episode.task, "there is no such task", episode.file)
    yield from _find_missing_files(suite.name, episodes_of_tasks)


def _check_episode(
    suite: Suite, episode: Audited, sampling: Sampling | None, seen: dict[str, str]
) -> Iterator[AuditFinding]:
    """Check one episode and earlier runs of it, and add its task to ``seen``."""
    task = episode.task
    where = episode.file
    expected = _expected_task(suite, episode, sampling)
    if task != expected:
        yield AuditFinding("foreign", task, f"its log is in the file of {expected}", where)
    elif episode.about.get("foreign"):
        # The task of these rows is unknown, so they cannot be checked any further.
        yield AuditFinding("foreign", task, "some rows have another instruction", where)
        return
    earlier_runs = episode.about.get("earlier", ())
    if earlier_runs:
        yield AuditFinding("duplicate", task, f"{len(earlier_runs) + 1} runs of it", where)
    elif task in seen:
        yield AuditFinding("duplicate", task, f"another one is in {seen[task]}", where)
    seen[task] = where
    for run in earlier_runs:
        earlier_log = EpisodeLog(suite.name, RecordedEpisode.from_json(json.dumps(run)))
        yield from _check_run(task, earlier_log)
    yield from _check_run(task, episode.log)


def _find_missing_files(environment: str, episodes: Sequence[Audited]) -> Iterator[AuditFinding]:
    """Yield episodes without a file that most episodes of their subset have.

    Args:
        environment: The environment.
        episodes: The episodes of one subset.
    """
    with_results = sum(bool(episode.log.final) for episode in episodes)
    with_outputs = sum(bool(episode.about.get("planner")) for episode in episodes)
    most_have_results = 2 * with_results > len(episodes)
    most_have_outputs = 2 * with_outputs > len(episodes)
    for episode in episodes:
        if episode.about.get("foreign"):
            continue
        task, file = episode.task, episode.file
        has_results = bool(episode.log.final)
        # An interrupted episode has no results, so their absence is not a fault of the file.
        if most_have_results and not has_results and is_finished(episode.log):
            yield AuditFinding("results", task, "there are no results of this episode", file)
        if most_have_outputs and not episode.about.get("planner"):
            yield AuditFinding("results", task, "there are no outputs of its planner", file)
        if not episode.log.record.steps and not _may_have_no_steps(environment, episode):
            yield AuditFinding("interrupted", task, "there is no step", file)


def _may_have_no_steps(environment: str, episode: Audited) -> bool:
    """Whether results without a step are no fault: there is no log, or its first row is cut."""
    if not episode.log.final:
        return False
    return environment == MANIPULATION or "cut_line" in episode.about


def _leave_out_habits(
    findings: Sequence[AuditFinding], episodes: Sequence[Audited]
) -> Iterator[AuditFinding]:
    """Leave out findings that most episodes of a subset share because of how a program counts."""
    tasks: dict[str, set[str]] = defaultdict(set)
    for finding in findings:
        tasks[finding.kind].add(finding.task)
    habits = {kind for kind in HABITS & tasks.keys() if _is_habit(kind, len(tasks[kind]), episodes)}
    for finding in findings:
        if finding.kind not in habits:
            yield finding


def _is_habit(kind: str, tasks: int, episodes: Sequence[Audited]) -> bool:
    """Return whether a kind of finding concerns at least half of the episodes.

    Args:
        kind: The kind of finding.
        tasks: Number of tasks with such a finding.
        episodes: The episodes of the subset.
    """
    if kind == "ended_early":
        # Other failed episodes of the run must show that it continues to the limit.
        failed = sum(not episode.log.flag for episode in episodes)
        return 2 * tasks >= failed
    return len(episodes) >= _ENOUGH and 2 * tasks > len(episodes)


def _expected_task(suite: Suite, episode: Audited, sampling: Sampling | None) -> str:
    """Return the task that a file should hold, by its number and the run's configuration.

    Args:
        suite: The suite.
        episode: The episode in the file.
        sampling: Which tasks the run has; None if that is unknown.
    """
    number = episode.about.get("number")
    if sampling is None or not isinstance(number, int) or episode.about.get("trajectory"):
        return episode.numbered
    index = sampling.index_of(number)
    if index is None:
        return episode.numbered
    return suite.canonical_id(f"{episode.subset}/{index}")


def _check_run(task: str, log: EpisodeLog) -> Iterator[AuditFinding]:
    """Yield the faults of one run, with the file and line of each."""
    about = log.record.metadata
    # A fault in every third row is a habit of the program that wrote the log, and not reported.
    max_count_of_habit = max(1, len(log.rows) / _ENOUGH)
    for check in CHECKS:
        faults = list(check(log, task))
        counts = Counter(fault.kind for fault in faults)
        for kind, text, row in faults:
            if kind not in HABITS or counts[kind] <= max_count_of_habit:
                yield AuditFinding(kind, task, text, _place_of_row(log, row))
    for note in about.get("notes", ()):
        line, _, message = str(note).partition(": ")
        yield AuditFinding("damaged", task, message, f"{about.get('file', '')}:{line}")


def _place_of_row(log: EpisodeLog, row: int) -> str:
    """Return the file and line of a row. A negative row number stands for the results."""
    file = str(log.record.metadata.get("file", ""))
    if row < 0:
        return str(log.record.metadata.get("final_file") or file)
    if row < len(log.rows):
        return f"{file}:{log.rows[row].get('line', '')}"
    return file


# ------------------------------------------------------------------ which tasks


def _infer_sampling(suite: Suite, episodes: Sequence[Audited]) -> tuple[Sampling | None, str]:
    """Return which tasks a subset should have, and a note if its configuration is wrong.

    The tasks follow from the configuration, such as every tenth one. Since episodes are numbered
    from 1 on in any case, the instructions in the logs are compared with those of the tasks.

    Returns:
        The sampling, and the note or "". The sampling is None for a list of trajectories, which
        does not say which tasks it should have.
    """
    environment = suite.name
    subset = episodes[0].subset
    if any(episode.about.get("trajectory") for episode in episodes):
        return None, ""
    # All episodes of a run have the same configuration, if they have one.
    configs = [episode.config for episode in episodes if episode.config]
    config = configs[0] if configs else None
    by_config = sampling_of(environment, subset, config or RunConfig())
    instructions = _instructions(suite, episodes)
    records = suite.records  # type: ignore[attr-defined]
    size = LAYOUTS[environment].size_of(subset)
    tasks = [records[f"{subset}/{index}"].sha256 for index in range(size)]
    # The configuration is believed unless another sampling explains more of the instructions.
    by_instructions = best_sampling(instructions, tasks)
    matches_of_config = count_matches(by_config, instructions, tasks)
    if count_matches(by_instructions, instructions, tasks) <= matches_of_config:
        return by_config, ""
    if config is None:
        return by_instructions, ""
    stride = by_instructions.indexes[1]
    text = f"down_sample_ratio is {config.ratio:g}, but its tasks are every {stride}."
    return by_instructions, text


def _instructions(suite: Suite, episodes: Sequence[Audited]) -> dict[int, str]:
    """Return the digest of the instruction of each episode whose task is known by it."""
    digests: dict[int, str] = {}
    for episode in episodes:
        digest = episode.name.partition("@")[2]
        number = episode.about.get("number")
        record = suite.records.get(episode.task)  # type: ignore[attr-defined]
        if record is not None and record.sha256 == digest and isinstance(number, int):
            digests[number] = digest
    return digests


def _find_missing_episodes(
    suite: Suite, folders: Mapping[str, Sequence[Audited]], seen: Mapping[str, str]
) -> Iterator[AuditFinding]:
    """Yield the tasks without an episode, in subsets that have episodes of other tasks.

    Args:
        suite: The suite.
        folders: Folder to its episodes.
        seen: The tasks that have an episode.
    """
    all_episodes = list(chain.from_iterable(folders.values()))
    if all(episode.about.get("single") for episode in all_episodes):
        return  # one log was asked for
    expected: set[str] = set()
    accounted_for = set(seen)
    for episodes in folders.values():
        sampling, _ = _infer_sampling(suite, episodes)
        if sampling is None:
            continue  # a list of trajectories does not say which tasks it should have
        subset = episodes[0].subset
        for number in sampling.numbers:
            expected.add(suite.canonical_id(f"{subset}/{sampling.index_of(number)}"))
        accounted_for |= _tasks_of_other_models(suite, episodes)
    missing = expected - accounted_for
    for task in suite.task_ids():
        if task in missing:
            yield AuditFinding("missing", task, "there is no episode of this task", "")


def _tasks_of_other_models(suite: Suite, episodes: Sequence[Audited]) -> set[str]:
    """Return the tasks for which other models of the same submission have episodes."""
    tasks: set[str] = set()
    for episode in episodes:
        tasks_by_model = episode.about.get("other_models", {})
        for name in chain.from_iterable(tasks_by_model.values()):
            tasks.add(suite.canonical_id(name))
    return tasks


# ------------------------------------------------------------------ whose run it is


def _find_mixed_runs(
    episodes: Sequence[Audited], folders: Mapping[str, Sequence[Audited]]
) -> Iterator[AuditFinding]:
    """Yield parts of several models or settings that are stored as one run."""
    own_names = {episode.name.partition("@")[0] for episode in episodes}
    for episode in episodes:
        yield from _parts_of_other_models(episode, own_names)
    # Setting to its values, each with the first folder that has it.
    settings: dict[str, dict[str, str]] = defaultdict(dict)
    for folder, inside in folders.items():
        yield from _check_config(folder, inside[0])
        config = inside[0].config
        if config is None:
            continue
        for key, value in config.settings.items():
            settings[key].setdefault(value, folder)
    for key, values in settings.items():
        if len(values) > 1:
            text = f"{key} differs between its subsets: {', '.join(values)}"
            yield AuditFinding("settings", "-", text, list(values.values())[-1])


def _parts_of_other_models(episode: Audited, own_names: AbstractSet[str]) -> Iterator[AuditFinding]:
    """Yield findings for models of the same submission that cover the remaining tasks.

    If two models ran the same tasks, these are two runs and no finding. ``own_names`` are the tasks
    of this run.
    """
    for model, names in episode.about.get("other_models", {}).items():
        if own_names.isdisjoint(names):
            text = f"{len(names)} other tasks of this submission are of another model: {model}"
            yield AuditFinding("mixed_models", "-", text, episode.file)
    for model, environments in episode.about.get("other_environments", {}).items():
        text = f"{', '.join(environments)} of this submission is of another model: {model}"
        yield AuditFinding("mixed_models", "-", text, episode.file)


def _check_config(folder: str, first: Audited) -> Iterator[AuditFinding]:
    """Yield a finding if a configuration names another model or subset than the folder."""
    if first.about.get("run_models"):
        models = ", ".join(first.about["run_models"])
        text = f"its configurations name several models: {models}"
        yield AuditFinding("mixed_models", first.subset, text, folder)
    named = first.about.get("named_model")
    config = first.config
    if config is None:
        return
    # Noted only where folder and configuration differ.
    if named:
        text = f"config.txt names {config.model}, the folder {named}"
        yield AuditFinding("mixed_models", first.subset, text, folder)
    spelled = str(first.about.get("spelled", ""))
    if spelled and config.subsets and not _names_subset(config.subsets, spelled):
        text = f"config.txt lists {', '.join(config.subsets)}, the folder is {spelled}"
        yield AuditFinding("subset", first.subset, text, folder)


def _names_subset(listed: Sequence[str], spelled: str) -> bool:
    """Whether a list of subsets names one, in whatever spelling."""

    def plain(name: str) -> str:
        return SUBSETS.get(name, name).removesuffix("_relationship")

    return any(plain(name) == plain(spelled) for name in listed)


# ------------------------------------------------------------------ summary.json


def _check_summary(environment: str, episodes: Sequence[Audited]) -> Iterator[AuditFinding]:
    """Yield numbers of a summary that the results of its episodes do not give."""
    summary = episodes[0].about.get("summary")
    if not summary:
        return
    subset = episodes[0].subset
    values = summary["values"]
    file = str(summary["file"])
    finals = [episode.log.final for episode in episodes if episode.log.final]
    if not values:
        yield AuditFinding("unreadable", subset, "it is no JSON object", file)
        return
    # The evaluator of EB-Manipulation sums up in a way of its own, and says where it wrote.
    if environment == MANIPULATION:
        for text in _manipulation_summary(values, finals):
            yield AuditFinding("summary", subset, text, file)
        yield from _check_save_path(episodes[0], values, file)
        return
    for text in _mean_summary(values, finals):
        yield AuditFinding("summary", subset, text, file)


def _plain_number(value: object) -> float | None:
    """Return the number that a summary states, perhaps in a list of one, or None."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, (bool, int, float)) and math.isfinite(value):
        return float(value)
    return None


class _SummaryMean(NamedTuple):
    """A mean that a summary states, with the numbers that it should average.

    Args:
        stated: The mean as the summary states it.
        total: Sum of the numbers in the files of results.
        files: Number of these files that have one.
    """

    stated: float
    total: float
    files: int

    @property
    def mean(self) -> float:
        """Mean of the numbers in the files of results."""
        return self.total / self.files

    @property
    def of_old_summary(self) -> float:
        """The number that one more file must have had for the stated mean to be right."""
        return self.stated * (self.files + 1) - self.total


def _mean_summary(values: Mapping[str, Any], finals: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the stated means that differ from those of all results (``average_json_values``)."""
    faults: list[str] = []
    means: dict[str, _SummaryMean] = {}
    for key, value in values.items():
        numbers = _numbers_under(key, finals)
        if not numbers:
            continue  # a text has no mean
        stated = _plain_number(value)
        if stated is None:
            faults.append(f"{key} is {value!r}, the mean of {len(numbers)} episodes is a number")
            continue
        mean = _SummaryMean(stated, sum(numbers), len(numbers))
        means[key] = mean
        if abs(stated - mean.mean) > _CLOSE * max(1, abs(mean.mean)):
            text = f"{key} is {stated:g}, the mean of {len(numbers)} episodes {mean.mean:g}"
            faults.append(text)
    if faults and _includes_old_summary(means):
        return []
    return faults


def _numbers_under(key: str, finals: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return the numbers under a key of all result files, or none if one is not a number."""
    numbers: list[float] = []
    for final in finals:
        if key in final:
            number = _plain_number(final[key])
            if number is None:
                return []
            numbers.append(number)
    return numbers


def _includes_old_summary(means: Mapping[str, _SummaryMean]) -> bool:
    """Return whether stated means are over the episodes and one earlier summary.

    A second run averages all JSON files in the folder, the summary of the first run among them.
    The earlier summary must be possible: its success is that of a whole number of episodes.
    """
    success = means.get("task_success")
    if success is None or len(means) < _ENOUGH:
        return False
    n_solved = success.of_old_summary * success.files
    is_whole_number = abs(n_solved - round(n_solved)) < 1e-4
    if not is_whole_number or not 0 <= round(n_solved) <= success.files:
        return False
    if any(mean.of_old_summary < _MIN_OLD_MEAN for mean in means.values()):
        return False
    n_changed = 0
    for mean in means.values():
        if abs(mean.stated - mean.mean) > _CLOSE * max(1, abs(mean.stated)):
            n_changed += 1
    # A summary among the files changes nearly every mean; a typing error changes one.
    return n_changed > len(means) / 2


def _manipulation_summary(
    values: Mapping[str, Any], finals: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Return stated counts that differ from the results (``print_task_eval_results``)."""
    faults = []
    for key, number in _manipulation_counts(finals).items():
        stated = _plain_number(values.get(key))
        if stated is not None and abs(stated - number) > _CLOSE:
            faults.append(
                f"{key} is {stated:g}, by the results of {len(finals)} episodes {number:g}"
            )
    # A rate must be a whole number of tasks: 0.33 of 50 tasks is not.
    total = _plain_number(values.get("total_num_tasks"))
    rate = values.get("success_rate")
    if total and isinstance(rate, float):
        solved = rate * total
        if abs(solved - round(solved)) > 1e-3:
            faults.append(f"success_rate {rate:g} is no share of {total:g} tasks")
    return faults


def _manipulation_counts(finals: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return the counts of a summary of EB-Manipulation, from the files of results."""
    solved = 0
    answers = 0
    with_errors = 0
    for final in finals:
        solved += final.get("task_success") == 1
        answers += final.get("planner_steps", 0)
        with_errors += final.get("planner_output_error", 0) > 0
    episodes = max(len(finals), 1)  # the published program has rates of 0 for no episode
    return {
        "total_num_tasks": float(len(finals)),
        "num_success": float(solved),
        "success_rate": solved / episodes,
        "avg_planner_steps": answers / episodes,
        "output_format_error": float(with_errors),
    }


def _check_save_path(
    episode: Audited, values: Mapping[str, Any], file: str
) -> Iterator[AuditFinding]:
    """Yield differences between a folder and the path that its summary was written to.

    Args:
        episode: An episode of the folder.
        values: The summary, whose ``save_path`` is ``.../MODEL/EXPERIMENT/SUBSET``.
        file: Name of the summary's file.
    """
    stated = PurePosixPath(str(values.get("save_path") or "")).parts
    actual = PurePosixPath(episode.folder).parts
    if not stated or stated[-1] not in SUBSETS:
        return
    if actual[-1:] != stated[-1:]:
        text = f"it was written for the subset {stated[-1]}"
        yield AuditFinding("subset", episode.subset, text, file)
    root = "eb_manipulation"
    if root not in actual or root not in stated:
        return
    stated_run = stated[stated.index(root) + 1 : -1]
    actual_run = actual[actual.index(root) + 1 : -1]
    if len(stated_run) != 2 or len(actual_run) != 2:
        return
    stated_model, stated_experiment = stated_run
    model, experiment = actual_run
    # If the experiment differs as well, the whole folder was moved, which is not a fault.
    if experiment == stated_experiment and model != stated_model:
        text = f"it was written for the model {stated_model}, the folder is of {model}"
        yield AuditFinding("mixed_models", episode.subset, text, file)


# ------------------------------------------------------------------ copies and versions


def _find_copies(episodes: Sequence[Audited]) -> Iterator[AuditFinding]:
    """Yield episodes that are copies of another task's: equal actions at equal microseconds."""
    first: dict[str, Audited] = {}
    for episode in episodes:
        fingerprint = _fingerprint(episode.log)
        if not fingerprint:
            continue
        other = first.setdefault(fingerprint, episode)
        if other is not episode and other.task != episode.task:
            text = f"the same actions and seconds as {other.task}"
            yield AuditFinding("copied", episode.task, text, episode.file)


def _fingerprint(log: EpisodeLog) -> str:
    """Return a key that different episodes never share; empty if the log allows none.

    The key is made of all times, answers and actions. A log allows none if too little is in it, or
    if its clock has only milliseconds, so that episodes may agree by chance.
    """
    if log.record.steps:
        return _fingerprint_of_steps(log)
    return _fingerprint_of_results(log)


def _fingerprint_of_steps(log: EpisodeLog) -> str:
    """Return the key of an episode with a log of its steps; empty if there are too few rows."""
    if len(log.rows) < _ENOUGH:
        return ""
    seconds = [row.get("episode_elapsed_seconds") for row in log.rows]
    steps = [(step.action, step.text) for step in log.record.steps]
    return _fingerprint_from(seconds, steps)


def _fingerprint_of_results(log: EpisodeLog) -> str:
    """Return the key of an episode of EB-Manipulation; empty if its outputs are too short.

    Such an episode has no log of its steps, only outputs and results.
    """
    outputs = str(log.record.metadata.get("planner", ""))
    if len(outputs) < _LONG_OUTPUT:
        return ""
    results = [outputs, log.final.get("reward"), log.final.get("action_success")]
    return _fingerprint_from([log.final.get("episode_elapsed_seconds")], results)


def _fingerprint_from(seconds: Sequence[object], actions: Sequence[object]) -> str:
    """Return times and actions as a key; empty without times of a precise clock."""
    measured = [second for second in seconds if isinstance(second, float)]
    if not measured or any(map(_is_whole_milliseconds, measured)):
        return ""
    return json.dumps([seconds, actions])


def _is_whole_milliseconds(seconds: float) -> bool:
    """Return whether a time has no digits behind the milliseconds."""
    return abs(round(seconds, 3) - seconds) < 1e-9


def _find_mixed_versions(environment: str, episodes: Sequence[Audited]) -> Iterator[AuditFinding]:
    """Yield a finding if different versions of the evaluator wrote the episodes of a run."""
    # A sign is a detail of the logs that tells versions apart.
    version_counts_by_sign: dict[str, Counter[str]] = defaultdict(Counter)
    first_file: dict[tuple[str, str], str] = {}
    for episode in episodes:
        for sign, version in _version_signs(environment, episode):
            version_counts_by_sign[sign][version] += 1
            first_file.setdefault((sign, version), episode.file)
    for sign, version_counts in version_counts_by_sign.items():
        if len(version_counts) < 2:
            continue
        # A file of the rarest version is named, as it most likely comes from another run.
        rarest = min(version_counts, key=version_counts.__getitem__)
        versions = ", ".join(f"{version} ({count})" for version, count in version_counts.items())
        yield AuditFinding("version", "-", f"{sign}: {versions}", first_file[sign, rarest])


def _version_signs(environment: str, episode: Audited) -> Iterator[tuple[str, str]]:
    """Yield (sign, version) for each sign that tells versions of an evaluator apart."""
    log = episode.log
    if environment == ALFRED:
        numbered = [row for row in log.rows if isinstance(row.get("action_id"), int)]
        if len(numbered) >= _ENOUGH:
            yield "numbers of skills", "later 2026" if id_shift(log) else "2025"
    elif environment == NAVIGATION and log.rows and not episode.about.get("trajectory"):
        yield from _navigation_signs(log)


def _navigation_signs(log: EpisodeLog) -> Iterator[tuple[str, str]]:
    """Yield (sign, version) for each sign that tells versions of EB-Navigation apart.

    Versions differ in the names of files, in the words for actions, and in what ends an episode
    that fails: in February 2025 a row ``Done`` behind the last step.
    """
    about = log.record.metadata
    yield "layout", "later 2026" if "named_steps" in about else "2025"
    wording = _navigation_wording(log)
    if wording:
        yield "feedback", wording
    environment_steps = sum(bool(step.action) for step in log.record.steps)
    if environment_steps == STEPS[NAVIGATION] and not log.flag and log.final:
        yield "last step", "February 2025" if about.get("done_step") else "since June 2025"


def _navigation_wording(log: EpisodeLog) -> str:
    """Return the version that the wording of feedback belongs to, or "" without an action.

    The simulator writes "MoveAhead"; in later 2026 skills are named, "Move forward".
    """
    version = ""
    for step in log.record.steps:
        if not step.action or not step.success:
            continue
        if step.feedback.startswith(("Last action Move ", "Last action Rotate ")):
            return "later 2026"
        if step.feedback.startswith(("Last action Move", "Last action Rotate")):
            version = "2025"
    return version


# ------------------------------------------------------------------ rates


def rates(suite: Suite, items: Mapping[str, str]) -> dict[str, tuple[int, int, int]]:
    """Return (solved episodes, episodes, tasks) for each subset; empty without any episode.

    Args:
        suite: The suite.
        items: Identifier to record; of several episodes of a task the first counts.
    """
    remaining_tasks = set(suite.task_ids())
    counts = {group: (0, 0, len(ids)) for group, ids in suite.groups().items()}
    for name, text in _episodes_of_suite(suite, items):
        task = suite.canonical_id(name)
        log = EpisodeLog(suite.name, RecordedEpisode.from_json(text))
        if task not in remaining_tasks or log.record.metadata.get("foreign"):
            continue
        remaining_tasks.remove(task)  # the first episode of a task counts, as in an evaluation
        subset = task.partition("/")[0]
        n_solved, n_episodes, n_tasks = counts[subset]
        counts[subset] = n_solved + int(log.flag), n_episodes + 1, n_tasks
    has_episodes = any(n_episodes for _, n_episodes, _ in counts.values())
    return counts if has_episodes else {}
