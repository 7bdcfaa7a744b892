"""Runs as the evaluators of EmbodiedBench leave them, and its published trajectories, as episodes.

Layouts, each below ``running/ENVIRONMENT/RUN/`` and packed as zip or not:

- ``SUBSET/episode_N_step_S.json``, rows of an episode, with ``SUBSET/results/
  episode_N_final_res.json`` (EB-ALFRED, EB-Habitat; EB-Navigation since 2026),
- ``SUBSET/episode_N.json``, to which reruns are appended (EB-Navigation in 2025),
- ``SUBSET/results/episode_N_res.json`` with ``planner_output_episode_N.txt`` (EB-Manipulation),
- ``episode_N.json`` without a subset: what the environment writes without the evaluator,
- one list of trajectories in a JSON file, as the authors publish them.

The description of a run (``config.txt``, ``summary.json``) goes into the metadata of its records.
All runs of a task are kept: one is the episode, the others are ``earlier``. Every other file below
the path is left out with a reason.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import BadZipFile, ZipFile

from eai.contract import LeftOut, PredictionProblem, Raw
from eai.errors import InputError
from eai.suites.embodiedbench.layouts import (
    RunConfig,
    Sampling,
    best_sampling,
    count_matches,
    environment_named,
    read_config,
    sampling_of,
)
from eai.suites.embodiedbench.run_files import (
    LIST_SUFFIXES,
    SUBSETS,
    EpisodeFile,
    RunFile,
    begins_as_rows,
    begins_as_trajectories,
    episode_file,
    files_in_folder,
    files_in_zip,
    in_subset,
    is_log,
    reader_of,
    subset_folder,
)
from eai.suites.embodiedbench.run_rows import (
    MAX_ANSWER_CHARACTERS,
    RunReader,
    decode_json,
    digest,
    instruction_of,
    number_of,
    read_results,
    runs_in,
)
from eai.suites.embodiedbench.run_tasks import environment_of_rows, task_digests
from eai.suites.embodiedbench.run_trajectories import trajectory_episodes
from eai.suites.embodiedbench.skills import MANIPULATION

_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".mp4", ".webm", ".avi")
_NO_TASK = 1000
"""Added to the number of an episode beyond the tasks of its run: no task has such an index."""
_MAX_ROWS_FILES = 20
"""Number of files of a subset that are enough to tell the environment by their rows."""


# ------------------------------------------------------------------ from files to episodes


@dataclass
class _SubsetFolder:
    """The files of one subset of one run.

    Args:
        path: Its folder.
        subset: The name of the folder; empty if the files lie in no subset.
        label: Name of the model.
        named_model: The folder of the run, if it names another model than the configuration.
        run_models: All models that configurations of the run name, if they are several.
        is_single: Whether one log was asked for, not its folder.
    """

    path: str
    subset: str
    episodes: dict[int, dict[str, EpisodeFile]] = field(default_factory=dict)
    files: dict[str, RunFile] = field(default_factory=dict)
    config: RunConfig = field(default_factory=RunConfig)
    config_file: str = ""
    summary: Mapping[str, Any] | None = None
    summary_file: str = ""
    environment: str = ""
    label: str = ""
    named_model: str = ""
    run_models: tuple[str, ...] = ()
    is_single: bool = False

    @property
    def run(self) -> str:
        """The folder of the run."""
        return self.path.rpartition("/")[0] if self.subset else self.path


def run_episodes(path: Path) -> Iterator[Raw]:
    """Yield the episodes in a folder, zip or file of runs, and problems with its files."""
    if path.suffix == ".zip":
        try:
            with ZipFile(path) as archive:
                yield from _source_episodes(path, files_in_zip(archive, path), is_archive=True)
        except (BadZipFile, EOFError, RuntimeError, NotImplementedError) as error:
            raise InputError(f"the zip is damaged ({error})", where=str(path)) from error
    elif path.is_file() and not is_log(path):
        yield from trajectory_episodes(RunFile(str(path), reader_of(path)))
    else:
        yield from _source_episodes(path, files_in_folder(path), is_archive=False)


def _source_episodes(path: Path, files: Sequence[RunFile], *, is_archive: bool) -> Iterator[Raw]:
    """Yield the episodes and lists of trajectories of a folder or zip, and omitted files.

    Args:
        path: The folder, zip or file.
        files: The files in it.
        is_archive: Whether it is a zip.
    """
    source = _Source.sort(files)
    if not source.folders and not source.lists:
        raise InputError(
            "there is no run in it",
            where=str(path),
            expected="SUBSET/episode_N_step_S.json, SUBSET/episode_N.json or SUBSET/results/...",
        )
    folders = list(source.folders.values())
    for folder in folders:
        folder.environment = environment_of(folder)
        folder.is_single = path.is_file() and not is_archive
    # A label depends on the labels of all other runs, so that all are named before one is read.
    _name_models(folders)
    raws: list[Raw] = []
    for folder in folders:
        raws += _folder_episodes(folder)
    if is_archive:
        _note_other_models(raws)
    yield from raws
    for file in source.lists:
        yield from trajectory_episodes(file)
    yield from source.left_out


@dataclass
class _Source:
    """The files of a source, sorted by their role.

    Args:
        folders: Subsets of runs by their folder.
        configs: Configurations by their folder.
        summaries: Summaries by the folder of the subset that they are of.
        lists: Published lists of trajectories.
        pictures: Number of pictures and videos by folder.
        left_out: Every other file, and why.
    """

    folders: dict[str, _SubsetFolder] = field(default_factory=dict)
    configs: dict[str, RunFile] = field(default_factory=dict)
    summaries: dict[str, RunFile] = field(default_factory=dict)
    lists: list[RunFile] = field(default_factory=list)
    pictures: Counter[str] = field(default_factory=Counter)
    left_out: list[LeftOut] = field(default_factory=list)

    @classmethod
    def sort(cls, files: Iterable[RunFile]) -> _Source:
        """Sort files into subsets of runs, lists of trajectories and omitted files."""
        source = cls()
        for file in files:
            source._add(file)
        for folder, count in source.pictures.items():
            source.left_out.append(LeftOut("pictures and videos", folder, count=count))
        source.left_out += source._without_episodes()
        for subset in source.folders.values():
            _read_config_and_summary(subset, source.configs, source.summaries)
        return source

    def _add(self, file: RunFile) -> None:
        """Sort one file by its name, and by its content only if the name is ambiguous."""
        path = PurePosixPath(file.name)
        named = episode_file(path.name)
        if named is not None and _is_of_episode(file, path, named):
            self._add_to_episode(file, path, named)
        elif path.name == "config.txt":
            self.configs[str(path.parent)] = file
        elif path.name in ("summary.json", "summary_all.json") and path.parent.name == "results":
            self.summaries[str(path.parent.parent)] = file
        elif path.suffix.lower() in _PICTURES:
            self.pictures[_picture_folder(path)] += 1
        elif path.suffix in LIST_SUFFIXES and begins_as_trajectories(file.head):
            self.lists.append(file)
        else:
            reason = "not a file that an evaluator of EmbodiedBench writes"
            # The remaining files are omitted with a reason, never in silence.
            if path.name.startswith("summary"):
                reason = "a summary of several subsets: those of each subset are checked"
            self.left_out.append(LeftOut(reason, file.name))

    def _add_to_episode(self, file: RunFile, path: PurePosixPath, named: EpisodeFile) -> None:
        """Add a file to the episode with its number, in the folder of its subset.

        Args:
            file: The file.
            path: Its path.
            named: What its name says: number, steps and kind of file.
        """
        folder_path = subset_folder(path)
        subset = folder_path.name if folder_path.name in SUBSETS else ""
        key = str(folder_path)
        folder = self.folders.setdefault(key, _SubsetFolder(key, subset))
        folder.episodes.setdefault(named.number, {})[file.name] = named
        folder.files[file.name] = file

    def _without_episodes(self) -> Iterator[LeftOut]:
        """Yield the configurations and summaries that belong to no episode."""
        for folder, file in self.configs.items():
            if not any(f"{path}/".startswith(f"{folder}/") for path in self.folders):
                yield LeftOut("the configuration of a run without episodes", file.name)
        for folder, file in self.summaries.items():
            if folder not in self.folders:
                yield LeftOut("the summary of a subset without episodes", file.name)


def _is_of_episode(file: RunFile, path: PurePosixPath, named: EpisodeFile) -> bool:
    """Whether a file that is named like one of an episode is one."""
    if in_subset(path):
        return True
    return named.role == "log" and begins_as_rows(file.head)


def _picture_folder(picture: PurePosixPath) -> str:
    """Return the folder of the subset or run that a picture belongs to."""
    for parent in picture.parents:
        if parent.name in ("images", "video"):
            return str(parent)
    return str(picture.parent)


def _read_config_and_summary(
    folder: _SubsetFolder, configs: Mapping[str, RunFile], summaries: Mapping[str, RunFile]
) -> None:
    """Read the nearest configuration file and the summary of a run.

    Args:
        folder: The folder of the subset, which is changed.
        configs: Folder to the configuration file in it.
        summaries: Folder to the summary of its results.
    """
    own_path = PurePosixPath(folder.path)
    # Evaluators write one configuration for a run, above the folders of its subsets.
    for parent in (own_path, *own_path.parents):
        config = configs.get(str(parent))
        if config is not None:
            folder.config = read_config(config.text[:MAX_ANSWER_CHARACTERS])
            folder.config_file = config.name
            break
    summary = summaries.get(folder.path)
    if summary is not None:
        values = decode_json(summary.text)
        folder.summary_file = summary.name
        folder.summary = values if isinstance(values, dict) else {}


def environment_of(folder: _SubsetFolder) -> str:
    """Return the environment of a run, by its folders or else by its rows."""
    for part in reversed(PurePosixPath(folder.run).parts):
        environment = environment_named(part)
        if environment:
            return environment
    # No folder is named after an environment, as where a user moved the logs.
    rows: list[Mapping[str, Any]] = []
    for name in sorted(folder.files)[:_MAX_ROWS_FILES]:
        rows += _rows_in(folder.files[name].text)
    return environment_of_rows(rows)


def _rows_in(text: str) -> list[Mapping[str, Any]]:
    """Return the JSON objects in a file: a single one, or one on each line of a log."""
    lines = [text]
    if decode_json(text) is None:
        lines = text.splitlines()
    rows: list[Mapping[str, Any]] = []
    for line in lines:
        row = decode_json(line) if line.strip() else None
        if isinstance(row, dict):
            rows.append(row)
    return rows


def _name_models(folders: Iterable[_SubsetFolder]) -> None:
    """Set the label of each folder: its model and experiment, and the run if two share these.

    A run of several models gets the list of them, too.
    """
    folders_by_run: dict[str, list[_SubsetFolder]] = defaultdict(list)
    for folder in folders:
        folder.label = _label_of_run(folder)
        folders_by_run[folder.run].append(folder)
    ambiguous_runs = _runs_with_shared_subsets(folders)
    for run, run_folders in folders_by_run.items():
        models = {folder.config.model for folder in run_folders if folder.config.model}
        # All folders of a run get the longer label, so that its subsets stay together.
        suffix = ""
        if run in ambiguous_runs:
            suffix = f" ({'/'.join(PurePosixPath(run).parts[-3:])})"
        for folder in run_folders:
            folder.label += suffix
            if len(models) > 1:
                folder.run_models = tuple(sorted(models))


def _runs_with_shared_subsets(folders: Iterable[_SubsetFolder]) -> set[str]:
    """Return the runs that share a label, an environment and a subset with another run.

    Two runs may share a label, but not these three: they would be taken for one run.
    """
    runs_of_subset: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for folder in folders:
        runs_of_subset[folder.label, folder.environment, folder.subset].add(folder.run)
    ambiguous_runs: set[str] = set()
    for runs in runs_of_subset.values():
        if len(runs) > 1:
            ambiguous_runs |= runs
    return ambiguous_runs


def _label_of_run(folder: _SubsetFolder) -> str:
    """Return the label of a run, such as ``MODEL_EXPERIMENT``, from its folder or configuration.

    The configuration decides if it has another model than the folder. If the folder is named in the
    way of the evaluators, its label is kept in ``folder.named_model``.
    """
    path_parts = _own_folders(folder)
    label = path_parts[-1] if path_parts else ""
    if folder.environment == MANIPULATION:
        # EB-Manipulation has a folder for the model, and one for the experiment in it.
        label = "/".join(path_parts)
    label = label or "unnamed"
    model, experiment = folder.config.model, folder.config.experiment
    if not model or model in label:
        return label
    if path_parts and experiment and path_parts[-1].endswith(experiment):
        folder.named_model = label
    return f"{model}_{experiment}" if experiment else model


def _own_folders(folder: _SubsetFolder) -> Sequence[str]:
    """Return the folders of a run below that of its environment, or else only the last one."""
    parts = PurePosixPath(folder.run).parts
    for position in reversed(range(len(parts))):
        if environment_named(parts[position]):
            return parts[position + 1 :]
    return parts[-1:]


def _note_other_models(raws: Sequence[Raw]) -> None:
    """Record which other models a submission has, in one episode of each model and environment.

    For a model in the same environment its tasks are recorded. For a model that shares no
    environment with this one its environments are recorded.
    """
    items = [raw[1] for raw in raws if isinstance(raw, tuple) and isinstance(raw[1], dict)]
    if len({item["model"] for item in items}) < 2:
        return
    tasks_by_model: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    first_items: dict[tuple[str, str], dict[str, Any]] = {}
    for item in items:
        environment = json.loads(item["output"])["metadata"]["environment"]
        task = item["id"].partition("@")[0]  # without the digest of its instruction
        tasks_by_model[environment][item["model"]].add(task)
        first_items.setdefault((environment, item["model"]), item)
    environments = {model: _environments_of(model, tasks_by_model) for _, model in first_items}
    # One record of each model is enough, because an audit reads all records together.
    for (environment, model), item in first_items.items():
        record = json.loads(item["output"])
        tasks_of_others = _tasks_of_other_models(tasks_by_model[environment], model)
        if tasks_of_others:
            record["metadata"]["other_models"] = tasks_of_others
        foreign_environments = _foreign_environments(environments, model)
        if foreign_environments:
            record["metadata"]["other_environments"] = foreign_environments
        item["output"] = json.dumps(record, ensure_ascii=False)


def _tasks_of_other_models(tasks: Mapping[str, Iterable[str]], model: str) -> dict[str, list[str]]:
    """Return the sorted tasks of each model but the given one."""
    return {name: sorted(own_tasks) for name, own_tasks in tasks.items() if name != model}


def _foreign_environments(environments: Mapping[str, set[str]], model: str) -> dict[str, list[str]]:
    """Return the environments of each model that shares none with the given model."""
    foreign = {}
    for name, own_environments in environments.items():
        if environments[model].isdisjoint(own_environments):
            foreign[name] = sorted(own_environments)
    return foreign


def _environments_of(label: str, tasks: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the environments in which the model of a label has runs, under any label."""
    model = _model_of(label)
    environments = set()
    for environment, labels in tasks.items():
        if any(_model_of(candidate) == model for candidate in labels):
            environments.add(environment)
    return environments


def _model_of(label: str) -> str:
    """Return the model's name in a label, which stands before the experiment's name.

    Example:
        >>> _model_of("GPT-4o_baseline"), _model_of("gpt-4o (eb_alfred/run 2)")
        ('gpt-4o', 'gpt-4o')
    """
    return re.split(r"[_/ ]", label)[0].lower()


def _folder_episodes(folder: _SubsetFolder) -> Iterator[Raw]:
    """Yield the episodes of one subset of one run, or a problem if its subset is unknown."""
    # All episodes are read first, as their instructions together tell the subset and the sampling.
    episodes = {number: _read_episode(folder, files) for number, files in folder.episodes.items()}
    instructions = _instruction_digests(episodes)
    subset = SUBSETS.get(folder.subset) or _subset_of(folder, instructions)
    if not subset:
        reason = "no folder, configuration or instruction says of which subset it is"
        yield PredictionProblem(reason, folder.path, folder.label)
        return
    sampling = _sampling_of(folder, subset, instructions)
    # Rows of another task in a file must not displace the episode that has a file of its own.
    displaced: list[Raw] = []
    for number, episode in sorted(episodes.items()):
        index = _task_index(number, sampling)
        # Episodes count from 1, tasks from 0.
        own_item, *foreign_items = _episode_items(
            folder, f"{subset}/episode_{index + 1}", number, episode
        )
        yield from episode.problems
        yield own_item
        displaced += foreign_items
    yield from displaced


def _instruction_digests(episodes: Mapping[int, _Episode]) -> dict[int, str]:
    """Return the digest of each episode's last instruction, by number, where there is one."""
    digests: dict[int, str] = {}
    for number, episode in episodes.items():
        if episode.runs and episode.runs[-1].instruction:
            digests[number] = digest(episode.runs[-1].instruction)
    return digests


def _task_index(number: int, sampling: Sampling | None) -> int:
    """Return the index of an episode's task, or one above all tasks if it has none."""
    if sampling is None:
        return number - 1
    index = sampling.index_of(number)
    if index is None:
        return _NO_TASK + number
    return index


def _sampling_of(
    folder: _SubsetFolder, subset: str, instructions: Mapping[int, str]
) -> Sampling | None:
    """Return which tasks a run has, or None if its environment is unknown.

    The configuration of the run says it. Without a configuration, the digests of the logged
    instructions are compared with the digests of the tasks.

    Args:
        folder: The folder of the subset.
        subset: Name of the subset.
        instructions: Number of an episode to the digest of its instruction.
    """
    if not folder.environment:
        return None
    tasks = task_digests(folder.environment, subset)
    if tasks and not folder.config_file:
        return best_sampling(instructions, tasks)
    return sampling_of(folder.environment, subset, folder.config)


def _subset_of(folder: _SubsetFolder, instructions: Mapping[int, str]) -> str:
    """Return the subset of logs outside a subset folder, by configuration or instructions.

    It is the subset with the most tasks that have the instructions of the logs, in their order. If
    that does not decide, the name of the folder does, such as ``test_base``.

    Args:
        folder: The folder.
        instructions: Number of an episode to the digest of its instruction.
    """
    if len(folder.config.subsets) == 1:
        return SUBSETS.get(folder.config.subsets[0], "")
    # "test_long_horizon" ends with the name of a subset.
    folder_name = PurePosixPath(folder.path).name
    suffixes = [subset for subset in SUBSETS if folder_name.endswith(f"_{subset}")]
    named_subset = SUBSETS[max(suffixes, key=len)] if suffixes else ""
    best_subset = named_subset
    max_matches = 0
    for subset in dict.fromkeys(SUBSETS.values()):
        tasks = task_digests(folder.environment, subset)
        n_matches = count_matches(best_sampling(instructions, tasks), instructions, tasks)
        # Subsets share instructions, so several may match equally well.
        is_tie_for_name = n_matches == max_matches > 0 and subset == named_subset
        if n_matches > max_matches or is_tie_for_name:
            best_subset = subset
            max_matches = n_matches
    return best_subset


# ------------------------------------------------------------------ one episode


@dataclass
class _Episode:
    """All files that a run stored for the episode of one number.

    Args:
        final: Values of its file of results.
        outputs: Text of its file of planner outputs.
        first_file: Name of any of its files, for messages.
    """

    runs: list[RunReader] = field(default_factory=list)
    final: Mapping[str, Any] = field(default_factory=dict)
    final_file: str = ""
    outputs: str = ""
    first_file: str = ""
    problems: list[PredictionProblem] = field(default_factory=list)


def _read_episode(folder: _SubsetFolder, files: Mapping[str, EpisodeFile]) -> _Episode:
    """Read the files of one number, logs of fewer steps first."""
    episode = _Episode(first_file=next(iter(files)))
    # By steps, then by name: of several runs the last one counts, so the longest log comes last.
    for name, named in sorted(files.items(), key=lambda item: (item[1].steps, item[0])):
        text = folder.files[name].text
        if named.role == "log":
            episode.runs += runs_in(name, text, named.steps)
        elif named.role == "outputs":
            episode.outputs = text
        else:
            results = read_results(text)
            episode.final_file = name
            episode.final = results.values
            for problem in results.problems:
                episode.problems.append(PredictionProblem(problem, name, folder.label))
    return episode


def _episode_items(
    folder: _SubsetFolder, name: str, number: int, episode: _Episode
) -> Iterator[Raw]:
    """Yield the episode of one number, followed by runs with other instructions.

    Args:
        folder: The folder of the subset.
        name: Name of the task.
        number: Number of the episode, from 1.
        episode: All files of this number.
    """
    label = folder.label
    if not episode.runs and not episode.final:
        yield PredictionProblem("there is no row in it", episode.first_file, label)
        return
    metadata = _shared_metadata(folder, number, episode)
    runs = episode.runs or [_run_of_results(episode)]
    if not any(run.instruction for run in runs):
        # Rows of answers that could not be read have no instruction.
        runs[-1].instruction = instruction_of(episode.final)
    # A file may hold runs of several tasks. The last run belongs to the task of the file.
    runs_by_instruction: dict[str, list[RunReader]] = {}
    for run in runs:
        runs_by_instruction.setdefault(run.instruction, []).append(run)
    own_runs = _last_by_results(runs_by_instruction.pop(runs[-1].instruction), episode.final)
    own_metadata = dict(metadata)
    if episode.final:
        own_metadata |= {"final": episode.final, "final_file": episode.final_file}
    yield _with_earlier(own_runs, name, label, own_metadata)
    for foreign_runs in runs_by_instruction.values():
        yield _with_earlier(foreign_runs, name, label, {**metadata, "foreign": True})


def _shared_metadata(folder: _SubsetFolder, number: int, episode: _Episode) -> dict[str, Any]:
    """Return the metadata that all records of one number share.

    Args:
        folder: The folder of the subset.
        number: Number of the episode, from 1.
        episode: All files of this number.
    """
    about: dict[str, Any] = {
        "environment": folder.environment,
        "config": folder.config.to_dict() if folder.config_file else None,
        "folder": folder.path,
        "number": number,
        "spelled": folder.subset,
        "has_log": bool(episode.runs),
        "single": folder.is_single,
        "named_model": folder.named_model,
        "run_models": folder.run_models,
    }
    # Absent keys keep records small; readers ask for them with a default.
    if folder.summary is not None:
        about["summary"] = {"file": folder.summary_file, "values": folder.summary}
    if episode.outputs:
        about["planner"] = episode.outputs
    return about


def _run_of_results(episode: _Episode) -> RunReader:
    """Return a run without steps, for an episode of which only the results are stored."""
    return RunReader(
        instruction=instruction_of(episode.final),
        file=episode.final_file,
        success=bool(number_of(episode.final.get("task_success"))),
    )


def _with_earlier(
    runs: Sequence[RunReader], name: str, label: str, about: Mapping[str, Any]
) -> Raw:
    """Return the last of several runs of a task, with the earlier ones in its metadata.

    Args:
        runs: The runs, the one that counts last.
        name: Name of the task.
        label: Name of the model.
        about: Metadata of the record.
    """
    *earlier, last = runs
    if not earlier:
        return last.item(name, label, about)
    records = [run.record(name, label, {}) for run in earlier]
    return last.item(name, label, {**about, "earlier": records})


def _last_by_results(runs: list[RunReader], final: Mapping[str, Any]) -> list[RunReader]:
    """Return runs with that one last to which the results belong, by the number of steps.

    A rerun of EB-ALFRED or EB-Habitat that takes another number of steps leaves a second log.
    """
    files = {run.file for run in runs}
    candidates = [run for run in runs if run.named_steps == final.get("num_steps")]
    if len(files) < 2 or len(candidates) != 1:
        return runs
    (last,) = candidates
    return [*(run for run in runs if run is not last), last]
