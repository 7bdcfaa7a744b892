"""Runs as the evaluators of EmbodiedBench leave them, and its published trajectories, as episodes.

Layouts, each below ``running/ENVIRONMENT/RUN/`` and packed as zip or not:

- ``SUBSET/episode_N_step_S.json``, rows of an episode, with ``SUBSET/results/
  episode_N_final_res.json`` (EB-ALFRED, EB-Habitat; EB-Navigation since 2026),
- ``SUBSET/episode_N.json``, to which reruns are appended (EB-Navigation in 2025),
- ``SUBSET/results/episode_N_res.json`` with ``planner_output_episode_N.txt`` (EB-Manipulation),
- ``episode_N.json`` without a subset: what the environment writes without the evaluator,
- one list of trajectories in a JSON file, as the authors publish them.

What a run says of itself (``config.txt``, ``summary.json``) goes into the metadata of its records.
All runs of a task are kept: one is the episode, the others are ``earlier``. Every other file below
the path is left out with a reason.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

from eai.contract import LeftOut, PredictionProblem, Raw
from eai.errors import InputError
from eai.nesting import decoding, load_json
from eai.suites.embodiedbench.layouts import (
    SUBSETS,
    RunConfig,
    best_sampling,
    count_matches,
    environment_named,
    read_config,
    sampling_of,
)
from eai.suites.embodiedbench.skills import (
    ALFRED,
    HABITAT,
    MANIPULATION,
    NAVIGATION,
    STEPS,
    read_feedback,
    skill_named,
)

_MOST = 1 << 28
"""Bytes of one file, and of all in a zip, that are read, unpacked."""
_TEXT = 100_000
"""Characters of an answer that are kept; what stands behind them is no plan."""
_HUGE = 1e9
"""Numbers of this size or larger, and NaN, count as missing."""
_HEAD = 1 << 12
"""Bytes of a file that are looked at to see what it is."""
_NO_STEP: dict[float | None, str] = {-1: "unparsable", -2: "empty_plan"}
_ROW_NUMBERS = (
    *("env_step", "distance", "task_progress", "task_success", "action_id", "reward"),
    *("episode_elapsed_seconds", "was_prev_action_invalid", "predicate_task_success"),
)
_LISTS = (".json", ".jsonl")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".mp4", ".webm", ".avi")
_MODULES = {ALFRED: "alfred", HABITAT: "habitat", NAVIGATION: "navigation"}
"""The environments whose tasks are known by the SHA-256 of their instructions."""


# ------------------------------------------------------------------ files


class RunFile(NamedTuple):
    """One file of a source: its path with slashes, and how its content is read."""

    name: str
    content: Callable[[], bytes]

    @property
    def text(self) -> str:
        """The whole text."""
        return self.content().decode("utf-8-sig", "replace")


class EpisodeFile(NamedTuple):
    """Role, episode number and steps, as the name of an episode's file gives them.

    The role is ``"log"``, ``"final"`` or ``"outputs"``; the steps are -1 if they are not named.
    """

    role: str
    number: int
    steps: int = -1


_NAMES = (
    ("log", re.compile(r"episode_(\d{1,5})(?:_step_(\d{1,6}))?\.json")),
    ("final", re.compile(r"episode_(\d{1,5})_(?:final_)?res\.json")),
    ("outputs", re.compile(r"planner_output_episode_(\d{1,5})\.txt")),
)


def episode_file(name: str) -> EpisodeFile | None:
    """Return what a file's name says of an episode; None if it is no file of one."""
    for role, pattern in _NAMES:
        match = pattern.fullmatch(name)
        if match is not None:
            steps = match[2] if role == "log" else None
            return EpisodeFile(role, int(match[1]), -1 if steps is None else int(steps))
    return None


def _in_subset(path: PurePosixPath) -> bool:
    """Whether a file of an episode lies where an evaluator writes it: below a subset."""
    named = episode_file(path.name)
    if named is None:
        return False
    folder = path.parent.parent if path.parent.name == "results" else path.parent
    return folder.name in SUBSETS and (named.role == "log") is (path.parent.name != "results")


def _begins_as_trajectories(head: bytes) -> bool:
    named = b'"eval_set"' in head and b'"episode_id"' in head
    return named and head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")


def _begins_as_rows(head: bytes) -> bool:
    """Whether a file begins like a log of an environment."""
    return b'"env_feedback"' in head and b'"action_description"' in head


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_HEAD)


def holds_runs(path: Path) -> bool:
    """Whether a path is a folder, a zip or a file of runs."""
    if path.is_dir():
        logs = (each for each in path.rglob("*episode_*") if each.is_file())
        if any(_is_log(each) for each in logs):
            return True
        return any(_is_trajectory_file(each) for each in [*path.glob("*"), *path.glob("*/*")])
    if path.suffix == ".zip":
        try:
            with ZipFile(path) as archive:
                return any(_in_subset(PurePosixPath(name)) for name in archive.namelist())
        except (BadZipFile, OSError):
            return False
    if _is_log(path):
        return True
    return _is_trajectory_file(path)


def _is_trajectory_file(path: Path) -> bool:
    return path.suffix in _LISTS and path.is_file() and _begins_as_trajectories(_head(path))


def _is_log(path: Path) -> bool:
    whole = PurePosixPath(path.absolute().as_posix())
    if _in_subset(whole):
        return True
    named = episode_file(path.name)
    return named is not None and named.role == "log" and _begins_as_rows(_head(path))


def _unpacked(path: Path) -> list[RunFile]:
    """The files of a folder; of a single log the files of the same episode."""
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.is_file())
    else:
        named = episode_file(path.name)
        folder = path.absolute().parent
        run = folder.parent if folder.name == "results" else folder
        others = [run / "config.txt"]
        if named is not None:
            others += [
                each
                for each in sorted((run / "results").glob("*"))
                if (found := episode_file(each.name)) and found.number == named.number
            ]
        files = [path, *(each for each in others if each.is_file() and each != path)]
    return [RunFile(each.absolute().as_posix(), _reader(each)) for each in files]


def _reader(path: Path) -> Callable[[], bytes]:
    def content() -> bytes:
        with path.open("rb") as stream:  # to ask for more than there is takes the time for it
            return stream.read(min(_MOST, path.stat().st_size))

    return content


def _packed(archive: ZipFile, path: Path) -> list[RunFile]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    outside = [e.filename for e in entries if e.filename[:1] == "/" or ".." in e.filename]
    if outside:
        raise InputError(f"the zip is refused: {outside[0]!r} leads out of it", where=str(path))
    if sum(entry.file_size for entry in entries) > _MOST:
        raise InputError("the zip is refused: it is too large unpacked", where=str(path))

    def reader(name: str) -> Callable[[], bytes]:
        def content() -> bytes:
            with archive.open(name) as stream:
                return stream.read(_MOST)

        return content

    names = sorted(entry.filename for entry in entries)
    return [RunFile(name, reader(name)) for name in names]


# ------------------------------------------------------------------ from files to episodes


@dataclass
class _SubsetFolder:
    """The files of one subset of one run.

    Args:
        path: Its folder.
        subset: The name of the folder; empty if the files lie in no subset.
        label: What the model is called.
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
    """Yield the episodes of a folder, a zip or a file of runs; what is wrong is a problem."""
    if path.suffix != ".zip":
        single = path.is_file() and not _is_log(path)
        if single:
            yield from _trajectories(RunFile(str(path), _reader(path)))
            return
        yield from _source_episodes(path, _unpacked(path), is_archive=False)
        return
    try:
        with ZipFile(path) as archive:
            yield from _source_episodes(path, _packed(archive, path), is_archive=True)
    except (BadZipFile, EOFError, RuntimeError, NotImplementedError) as error:
        raise InputError(f"the zip is damaged ({error})", where=str(path)) from error


def _source_episodes(path: Path, files: Sequence[RunFile], *, is_archive: bool) -> Iterator[Raw]:
    folders, lists, left_out = _sorted_files(files)
    if not folders and not lists:
        raise InputError(
            "there is no run in it",
            where=str(path),
            expected="SUBSET/episode_N_step_S.json, SUBSET/episode_N.json or SUBSET/results/...",
        )
    for folder in folders:
        folder.environment = environment_of(folder)
        folder.is_single = path.is_file() and not is_archive
    _name_models(folders)
    raws: list[Raw] = []
    for folder in folders:
        raws += _folder_episodes(folder)
    if is_archive:
        _note_other_models(raws)
    yield from raws
    for file in lists:
        yield from _trajectories(file)
    yield from left_out


def _sorted_files(
    files: Sequence[RunFile],
) -> tuple[list[_SubsetFolder], list[RunFile], list[LeftOut]]:
    """Sort files into subsets of runs, lists of trajectories, and what is left out and why."""
    folders: dict[str, _SubsetFolder] = {}
    configs: dict[str, RunFile] = {}
    summaries: dict[str, RunFile] = {}
    lists: list[RunFile] = []
    left_out: list[LeftOut] = []
    pictures: Counter[str] = Counter()
    for file in files:
        place = PurePosixPath(file.name)
        parent = place.parent
        named = episode_file(place.name)
        bare = named is not None and named.role == "log" and not _in_subset(place)
        if named is not None and (
            _in_subset(place) or (bare and _begins_as_rows(file.content()[:_HEAD]))
        ):
            path = parent.parent if parent.name == "results" else parent
            subset = path.name if path.name in SUBSETS else ""
            folder = folders.setdefault(str(path), _SubsetFolder(str(path), subset))
            folder.episodes.setdefault(named.number, {})[file.name] = named
            folder.files[file.name] = file
        elif place.name == "config.txt":
            configs[str(parent)] = file
        elif place.name in ("summary.json", "summary_all.json") and parent.name == "results":
            summaries[str(parent.parent)] = file
        elif place.suffix.lower() in _PICTURES:
            pictures[_picture_folder(place)] += 1
        elif place.suffix in _LISTS and _begins_as_trajectories(file.content()[:_HEAD]):
            lists.append(file)
        else:
            reason = "not a file that an evaluator of EmbodiedBench writes"
            if place.name.startswith("summary"):
                reason = "a summary of several subsets: those of each subset are checked"
            left_out.append(LeftOut(reason, file.name))
    for where, count in pictures.items():
        left_out.append(LeftOut("pictures and videos", where, count=count))
    left_out += _without_episodes(folders, configs, summaries)
    for folder in folders.values():
        _add_own_words(folder, configs, summaries)
    return list(folders.values()), lists, left_out


def _without_episodes(
    folders: Iterable[str], configs: Mapping[str, RunFile], summaries: Mapping[str, RunFile]
) -> Iterator[LeftOut]:
    """Yield the configurations and summaries that belong to no episode."""
    for where, file in configs.items():
        if not any(f"{path}/".startswith(f"{where}/") for path in folders):
            yield LeftOut("the configuration of a run without episodes", file.name)
    for where, file in summaries.items():
        if where not in folders:
            yield LeftOut("the summary of a subset without episodes", file.name)


def _picture_folder(picture: PurePosixPath) -> str:
    """The folder of the subset or run that a picture belongs to."""
    for parent in picture.parents:
        if parent.name in ("images", "video"):
            return str(parent)
    return str(picture.parent)


def _add_own_words(
    folder: _SubsetFolder, configs: Mapping[str, RunFile], summaries: Mapping[str, RunFile]
) -> None:
    """Read what a run says of itself: the nearest configuration, and the summary."""
    for place in (PurePosixPath(folder.path), *PurePosixPath(folder.path).parents):
        if str(place) in configs:
            folder.config = read_config(configs[str(place)].text[:_TEXT])
            folder.config_file = configs[str(place)].name
            break
    if folder.path in summaries:
        summary = _decoded(summaries[folder.path].text)
        folder.summary_file = summaries[folder.path].name
        folder.summary = summary if isinstance(summary, dict) else {}


def environment_of(folder: _SubsetFolder) -> str:
    """Return the environment of a run: by its folders, else by what its rows hold."""
    for part in reversed(PurePosixPath(folder.run).parts):
        named = environment_named(part)
        if named:
            return named
    rows: list[Mapping[str, Any]] = []
    for name in sorted(folder.files)[:20]:
        text = folder.files[name].text
        lines = text.splitlines() if _decoded(text) is None else [text]
        found = (_decoded(line) for line in lines if line.strip())
        rows += [row for row in found if isinstance(row, dict)]
    return environment_of_rows(rows)


def environment_of_rows(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the environment that rows were written by: by their keys, else by their words."""
    if any("distance" in row for row in rows):
        return NAVIGATION
    if any(isinstance(row.get("action_success"), list) for row in rows):
        return MANIPULATION
    if any("subgoal_reward" in row or "lang_goal" in row for row in rows):
        return HABITAT
    words = [str(row.get("action_description") or row.get("action") or "") for row in rows]
    return environment_of_words(words)


def environment_of_words(words: Iterable[str]) -> str:
    """Return the environment that knows most of some names of actions; empty if none does.

    The spelling decides between environments that share words: EB-ALFRED writes its types in
    capitals ("pick up the Mug"), EB-Habitat its categories in small letters.
    """
    known: Counter[str] = Counter()
    for text in words:
        if text.startswith("["):
            known[MANIPULATION] += 2
        for environment in (ALFRED, HABITAT, NAVIGATION):
            skill = skill_named(environment, text)
            if skill is not None:
                known[environment] += 2 if skill.words.rstrip(".") == text.rstrip(".") else 1
    return known.most_common(1)[0][0] if known else ""


def _name_models(folders: Iterable[_SubsetFolder]) -> None:
    """Name each run after its model and experiment; those of one name stay apart."""
    runs: dict[str, list[_SubsetFolder]] = defaultdict(list)
    for folder in folders:
        folder.label = _label(folder)
        runs[folder.run].append(folder)
    run_folders: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for folder in folders:
        run_folders[folder.label, folder.environment, folder.subset].add(folder.run)
    for run, own in runs.items():
        models = {folder.config.model for folder in own if folder.config.model}
        if len(models) > 1:
            for folder in own:
                folder.run_models = tuple(sorted(models))
        twice = any(len(run_folders[each.label, each.environment, each.subset]) > 1 for each in own)
        if twice:
            for folder in own:
                folder.label += f" ({'/'.join(PurePosixPath(run).parts[-3:])})"


def _label(folder: _SubsetFolder) -> str:
    parts = PurePosixPath(folder.run).parts
    below = [at for at, part in enumerate(parts) if environment_named(part)]
    own = parts[below[-1] + 1 :] if below else parts[-1:]
    # EB-Manipulation has a folder for the model, and one for the experiment in it.
    label = "/".join(own) if folder.environment == MANIPULATION else (own or ("",))[-1]
    label = label or "unnamed"
    model, experiment = folder.config.model, folder.config.experiment
    if not model or model in label:
        return label
    if own and experiment and own[-1].endswith(experiment):
        # The folder is named as the evaluator does it, but for another model.
        folder.named_model = label
    return f"{model}_{experiment}" if experiment else model


def _note_other_models(raws: Sequence[Raw]) -> None:
    """Note in the records of a submission which other models have episodes in it.

    Of the same environment their tasks are noted; of models that share no environment with this one
    the names of theirs.
    """
    items = [raw[1] for raw in raws if isinstance(raw, tuple) and isinstance(raw[1], dict)]
    if len({item["model"] for item in items}) < 2:
        return
    tasks: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    firsts: dict[tuple[str, str], dict[str, Any]] = {}
    for item in items:
        environment = json.loads(item["output"])["metadata"]["environment"]
        tasks[environment][item["model"]].add(item["id"].partition("@")[0])
        firsts.setdefault((environment, item["model"]), item)
    for (environment, model), item in firsts.items():
        record = json.loads(item["output"])
        others = {name: sorted(ids) for name, ids in tasks[environment].items() if name != model}
        if others:
            record["metadata"]["other_models"] = others
        own = _environments_of(model, tasks)
        elsewhere = {
            other: sorted(_environments_of(other, tasks))
            for _, other in firsts
            if own.isdisjoint(_environments_of(other, tasks))
        }
        if elsewhere:
            record["metadata"]["other_environments"] = elsewhere
        item["output"] = json.dumps(record, ensure_ascii=False)


def _environments_of(label: str, tasks: Mapping[str, Iterable[str]]) -> set[str]:
    """The environments that runs of a model are of; its name stands before the experiment's."""
    model = re.split(r"[_/ ]", label)[0].lower()
    return {
        environment
        for environment, labels in tasks.items()
        if any(re.split(r"[_/ ]", other)[0].lower() == model for other in labels)
    }


def _folder_episodes(folder: _SubsetFolder) -> Iterator[Raw]:
    subset = SUBSETS.get(folder.subset, "")
    read = {number: _read_episode(folder, files) for number, files in folder.episodes.items()}
    instructions = {
        number: _digest(episode.runs[-1].instruction)
        for number, episode in read.items()
        if episode.runs and episode.runs[-1].instruction
    }
    if not subset:
        subset = _subset_of(folder, instructions)
    if not subset:
        reason = "no folder, configuration or instruction says of which subset it is"
        yield PredictionProblem(reason, folder.path, folder.label)
        return
    sampling = None
    if folder.environment:
        sampling = sampling_of(folder.environment, subset, folder.config)
        tasks = _task_digests(folder.environment, subset)
        if tasks and not folder.config_file:
            sampling = best_sampling(instructions, tasks)
    # Rows of another task in a file must not displace the episode that has a file of its own.
    displaced: list[Raw] = []
    for number, episode in sorted(read.items()):
        index = number - 1 if sampling is None else sampling.index_of(number)
        if index is None:
            # Beyond the tasks of the run: a number that no task has.
            index = 1000 + number
        own, *others = _episode_items(folder, subset, number, index, episode)
        yield from episode.problems
        yield own
        displaced += others
    yield from displaced


def _subset_of(folder: _SubsetFolder, instructions: Mapping[int, str]) -> str:
    """The subset of logs that lie in none: by the configuration, the instructions, or the name.

    Subsets share instructions, so that their order counts; if that does not decide, the folder's
    name does (the default of the environment is ``test_base``).
    """
    if len(folder.config.subsets) == 1:
        return SUBSETS.get(folder.config.subsets[0], "")
    name = PurePosixPath(folder.path).name
    endings = [subset for subset in SUBSETS if name.endswith(f"_{subset}")]
    by_name = SUBSETS[max(endings, key=len)] if endings else ""
    best, most = by_name, 0
    for subset in dict.fromkeys(SUBSETS.values()):
        tasks = _task_digests(folder.environment, subset)
        matches = count_matches(best_sampling(instructions, tasks), instructions, tasks)
        if matches > most or (matches == most and matches and subset == by_name):
            best, most = subset, matches
    return best


@cache
def _task_digests(environment: str, subset: str) -> Sequence[str]:
    """The digest of the instruction of each task of a subset; empty if they are not known."""
    module = _MODULES.get(environment)
    if module is None:
        return ()
    records = import_module(f"{__package__}.{module}").records()
    inside = [name for name in records if name.partition("/")[0] == subset]
    return tuple(records[f"{subset}/{index}"].sha256 for index in range(len(inside)))


# ------------------------------------------------------------------ one episode


@dataclass
class _RunReader:
    """One run of a task, while it is read."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    instruction: str = ""
    file: str = ""
    named_steps: int = -1
    notes: list[str] = field(default_factory=list)
    success: bool | None = None
    answer: str = ""
    answered: int = 0
    cut: int = 0
    cut_line: int = 0
    done_step: float = 0
    last: float = 0

    def add(self, row: Mapping[str, Any], line: int, *, new_answer: bool) -> None:
        """Add a row of a log: a step, or an answer that is none."""
        raw = row.get("reasoning") or ""
        text = raw if isinstance(raw, str) else json.dumps(raw)
        numbers = {name: _number(row[name]) for name in _ROW_NUMBERS if name in row}
        no_step = "outside" if is_done_row(row) else _NO_STEP.get(numbers.get("action_id"), "")
        fresh = new_answer or text != self.answer or bool(no_step) or not self.steps
        self.answered += fresh
        self.cut += fresh and len(text) > _TEXT
        self.answer = text
        words = row.get("action_description", row.get("action")) or ""
        step = {
            "action": "" if no_step else str(words),
            "success": bool(_number(row.get("last_action_success"))),
            "feedback": str(row.get("env_feedback") or ""),
            "answered": self.answered,
        }
        if None in numbers.values():
            self.notes.append(f"{line}: a value is not a number (null, NaN, infinite)")
            numbers = {name: each for name, each in numbers.items() if each is not None}
        self.steps.append(step)
        self.rows.append({"line": line, **numbers})
        if no_step:
            step["code"] = no_step
        if fresh:  # of an answer that is no step nobody is to read one
            (step if step["action"] else self.rows[-1])["text"] = text[:_TEXT]
        self.instruction = self.instruction or _instruction(row)
        if "task_success" in numbers:
            self.success = bool(numbers["task_success"])
        self.last = numbers.get("env_step") or self.last

    def record(self, name: str, model: str, more: Mapping[str, Any]) -> dict[str, Any]:
        """Return the run as a recorded episode."""
        about = {**more, "instruction": self.instruction, "file": self.file, "rows": self.rows}
        extra = {
            "notes": self.notes,
            "cut": self.cut,
            "cut_line": self.cut_line,
            "done_step": self.done_step,
        }
        about |= {key: value for key, value in extra.items() if value}
        if self.named_steps >= 0:
            about["named_steps"] = self.named_steps
        return {
            "task": name,
            "metadata": about,
            "steps": self.steps,
            "success": self.success,
            "model": model,
            "recorder": "EmbodiedBench",
        }

    def item(self, name: str, model: str, more: Mapping[str, Any]) -> Raw:
        """Return the run as a prediction, which the digest of its instruction names, too."""
        name += f"@{_digest(self.instruction)}" if self.instruction else ""
        record = json.dumps(self.record(name, model, more), ensure_ascii=False)
        record = record.encode("utf-8", "replace").decode()  # some halves of signs stand alone
        return self.file, {"id": name, "output": record, "model": model}


@dataclass
class _Episode:
    """All that a run left of the episode of one number."""

    runs: list[_RunReader] = field(default_factory=list)
    final: dict[str, Any] = field(default_factory=dict)
    final_file: str = ""
    outputs: str = ""
    first_file: str = ""
    problems: list[PredictionProblem] = field(default_factory=list)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _instruction(row: Mapping[str, Any]) -> str:
    return str(row.get("instruction") or "")


def _number(value: object) -> float | None:
    """The number that is meant, also by a list of one or in quotes; None if there is none."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    elif isinstance(value, str):
        value = _decoded(value.lower())
    known = isinstance(value, (int, float)) and abs(value) < _HUGE
    return value if known else None  # type: ignore[return-value]


def _decoded(text: str) -> Any:  # noqa: ANN401
    try:
        return load_json(text)
    except ValueError:
        return None


_DONE = re.compile(
    r"(?:Last action )?Done(?: executed successfully\.?| is invalid\b.*)?", re.DOTALL
)


def is_done_row(row: Mapping[str, Any]) -> bool:
    """Whether the evaluator of February 2025 wrote a row when it stopped EB-Navigation.

    It calls the simulator's ``Done`` and names the last of the skills beside it, for an action
    that is out of range and for one behind the last step.
    """
    if "distance" not in row:
        return False
    said = (row.get("env_feedback"), row.get("action_description"), row.get("action"))
    return any(isinstance(each, str) and _DONE.fullmatch(each.strip()) for each in said)


def _read_episode(folder: _SubsetFolder, files: Mapping[str, EpisodeFile]) -> _Episode:
    """Read the files of one number, logs of fewer steps first."""
    episode = _Episode(first_file=next(iter(files)))
    for name, named in sorted(files.items(), key=lambda item: (item[1].steps, item[0])):
        text = folder.files[name].text
        if named.role == "log":
            episode.runs += _runs(name, text, named.steps)
        elif named.role == "outputs":
            episode.outputs = text
        else:
            episode.final_file = name
            episode.final = _final(name, text, folder.label, episode.problems)
    return episode


_COUNTED = (
    *("task_success", "task_progress", "avg_reward", "num_steps", "planner_steps"),
    *("num_invalid_actions", "num_invalid_action_ratio", "planner_output_error"),
)
"""The numbers of a file of results that an evaluation shows."""


def _final(name: str, text: str, label: str, problems: list[PredictionProblem]) -> dict[str, Any]:
    """The file of results of an episode; a value that is none is a problem, and left out."""
    value = _decoded(text)
    if not isinstance(value, dict):
        problems.append(PredictionProblem("the results are not a JSON object", name, label))
        return {}
    numbers = {key: _number(value[key]) for key in _COUNTED if key in value}
    if None in numbers.values():
        message = "a value is not a number (null, NaN, infinite)"
        problems.append(PredictionProblem(message, name, label))
    seconds = _number(value.get("episode_elapsed_seconds"))
    final = {**value, **numbers, "episode_elapsed_seconds": seconds}
    return {key: each for key, each in final.items() if each is not None}


def _runs(file: str, text: str, named_steps: int) -> Iterator[_RunReader]:
    """The runs in a file of rows: steps that begin anew, or another instruction, begin one."""
    run, blank = _RunReader(file=file, named_steps=named_steps), True
    rows = text.split("\n")
    if text.lstrip()[:1] == "[" and isinstance(whole := _decoded(text), list):
        rows = [json.dumps(row) for row in whole]
    for line, written in enumerate(rows, start=1):
        if not written.strip():
            blank = True
            continue
        row = _decoded(written)
        if not isinstance(row, dict):
            is_last = line == len(rows) and written.lstrip().startswith("{")
            if is_last and (run.steps or line == 1):
                # Only the last line lacks its end: the run was stopped while it was written.
                run.cut_line = line
                _add_cut_row(run, written, line, new_answer=blank)
            else:
                run.notes.append(f"{line}: the line is cut off, or not a JSON object")
            continue
        if is_done_row(row) and len(run.steps) >= STEPS[NAVIGATION]:
            run.done_step = _number(row.get("env_step")) or STEPS[NAVIGATION] + 1
            continue
        step = _number(row.get("env_step"))
        other = (_instruction(row) or run.instruction) != run.instruction
        again = step is not None and bool(run.rows) and step <= run.last
        if run.steps and (again or (other and run.instruction)):
            yield run
            run = _RunReader(file=file, named_steps=named_steps)
        run.add(row, line, new_answer=blank and "distance" in row)
        blank = False
    if run.steps or run.notes or run.cut_line:
        yield run


def _add_cut_row(run: _RunReader, written: str, line: int, *, new_answer: bool) -> None:
    """Add what a row says that is cut off, if that is enough to know what was done."""
    row = pairs_before_cut(written)
    words, feedback = row.get("action_description"), row.get("env_feedback")
    if not isinstance(words, str) or not isinstance(feedback, str):
        return
    if "last_action_success" not in row:
        # Keys that only one environment writes say whose feedback it is.
        environment = HABITAT if "was_prev_action_invalid" in row else ALFRED
        environment = NAVIGATION if "distance" in row else environment
        row["last_action_success"] = bool(read_feedback(environment, feedback).success)
    row.setdefault("env_step", run.last + 1)
    row.setdefault("reasoning", run.answer)
    if is_done_row(row) and len(run.steps) >= STEPS[NAVIGATION]:
        run.done_step = STEPS[NAVIGATION] + 1
        return
    run.add(row, line, new_answer=new_answer and "distance" in row)


def pairs_before_cut(written: str) -> dict[str, Any]:
    """Return the pairs of a JSON object that are whole, of a text that breaks off.

    Example:
        >>> pairs_before_cut('{"action_id": 4, "text": "I t')
        {'action_id': 4}
    """
    decode = decoding(json.JSONDecoder(), written)
    pairs: dict[str, Any] = {}
    at = written.find("{") + 1
    try:
        while True:
            at = _skip_blanks(written, at)
            key, at = decode(at)
            at = _skip_blanks(written, at)
            if written[at] != ":" or not isinstance(key, str):
                return pairs
            value, at = decode(_skip_blanks(written, at + 1))
            at = _skip_blanks(written, at)
            if written[at] != ",":  # a number that is the last may be cut, too
                return pairs
            pairs[key] = value
            at += 1
    except (ValueError, IndexError):
        return pairs


def _skip_blanks(text: str, at: int) -> int:
    while text[at].isspace():
        at += 1
    return at


def _episode_items(
    folder: _SubsetFolder, subset: str, number: int, index: int, episode: _Episode
) -> Iterator[Raw]:
    """Yield the episode of one number, and behind it those with another instruction."""
    runs, final, label = episode.runs, episode.final, folder.label
    if not runs and not final:
        yield PredictionProblem("there is no row in it", episode.first_file, label)
        return
    has_log = bool(runs)
    if has_log and not any(run.instruction for run in runs):
        # Rows of answers that could not be read have no instruction.
        runs[-1].instruction = _instruction(final)
    if not runs:
        solved = bool(_number(final.get("task_success")))
        runs = [
            _RunReader(instruction=_instruction(final), file=episode.final_file, success=solved)
        ]
    name = f"{subset}/episode_{index + 1}"
    more: dict[str, Any] = {
        "environment": folder.environment,
        "config": folder.config.to_dict() if folder.config_file else None,
        "folder": folder.path,
        "number": number,
        "spelled": folder.subset,
        "has_log": has_log,
        "single": folder.is_single,
        "named_model": folder.named_model,
        "run_models": folder.run_models,
    }
    if folder.summary is not None:
        more["summary"] = {"file": folder.summary_file, "values": folder.summary}
    if episode.outputs:
        more["planner"] = episode.outputs
    groups: dict[str, list[_RunReader]] = {}
    for run in runs:
        groups.setdefault(run.instruction, []).append(run)
    main = groups.pop(runs[-1].instruction)
    main = _last_by_results(main, final)
    own: dict[str, Any] = {}
    if final:
        own = {"final": final, "final_file": episode.final_file}
    for kept, about in ((main, own), *((each, {"foreign": True}) for each in groups.values())):
        earlier = [run.record(name, label, {}) for run in kept[:-1]]
        repeated = {"earlier": earlier} if earlier else {}
        yield kept[-1].item(name, label, {**more, **about, **repeated})


def _last_by_results(runs: list[_RunReader], final: Mapping[str, Any]) -> list[_RunReader]:
    """Put that run last which the results are of, where several files say their steps.

    A rerun of EB-ALFRED or EB-Habitat that takes another number of steps leaves a second log.
    """
    files = {run.file for run in runs}
    fits = [run for run in runs if run.named_steps == final.get("num_steps")]
    if len(files) > 1 and len(fits) == 1:
        return [*(run for run in runs if run is not fits[0]), fits[0]]
    return runs


# ------------------------------------------------------------------ trajectories


def _trajectories(file: RunFile) -> Iterator[Raw]:
    """The episodes of a published list of trajectories."""
    episodes = _trajectory_values(file.text)
    if not episodes:
        raise InputError(
            "it is not a list of trajectories",
            where=file.name,
            expected='[{"eval_set": ..., "episode_id": ..., "trajectory": [...]}, ...]',
        )
    known = [each for each in episodes if isinstance(each, dict)]
    from_zero = 0 in (_number(each.get("episode_id")) for each in known)
    environment = _environment_of_trajectories(file.name, known)
    items: list[Raw] = []
    left_out: list[LeftOut] = []
    for place, episode in enumerate(episodes):
        where = f"{file.name}:[{place}]"
        run = _trajectory(episode, where) if isinstance(episode, dict) else None
        if run is None:
            items.append(PredictionProblem("it is not a trajectory", where))
            continue
        subset = _spelled_subset(str(episode.get("eval_set", "")))
        subset = subset or _subset_with(environment, run.instruction)
        if not subset:
            left_out.append(LeftOut("a trajectory that names no subset", where))
            continue
        number = int(_number(episode.get("episode_id")) or 0) + from_zero
        model = str(episode.get("model_name") or "unnamed")
        more = {
            "environment": environment,
            "folder": file.name,
            "number": number,
            "trajectory": True,
            "has_log": True,
            "input": str(episode.get("input") or "")[:_TEXT],
        }
        items.append(run.item(f"{subset}/episode_{number}", model, more))
    yield from items
    yield from left_out


def _trajectory_values(text: str) -> list[Any]:
    """The trajectories in a list, one alone, or one a line."""
    value = _decoded(text)
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return [value] if "trajectory" in value else []
    values = [_decoded(line) for line in text.splitlines() if line.strip()]
    return values if any(isinstance(each, dict) for each in values) else []


def _subset_with(environment: str, instruction: str) -> str:
    """The subset that has an instruction; empty if none or several have it."""
    digest = _digest(instruction)
    subsets = dict.fromkeys(SUBSETS.values())
    found = [each for each in subsets if digest in _task_digests(environment, each)]
    return found[0] if len(found) == 1 else ""


def _environment_of_trajectories(name: str, episodes: Sequence[Mapping[str, Any]]) -> str:
    for part in (PurePosixPath(name).stem, *reversed(PurePosixPath(name).parts)):
        named = environment_named(part)
        if named:
            return named
    for episode in episodes[:1]:
        named = environment_named(str(episode.get("eval_set", "")))
        if named:
            return named
    rows = []
    for episode in episodes[:100]:
        run = _trajectory(episode, "")
        for step, row in zip(run.steps, run.rows, strict=True) if run else ():
            rows.append({**row, "action_description": step["action"]})
    return environment_of_rows(rows)


def _spelled_subset(said: str) -> str:
    """The subset that a text names, as any evaluator or the tables spell it, the longest first."""
    plain = said.strip().lower().replace("-", "_").replace(" ", "_")
    spelled = [name for name in SUBSETS if name in plain]
    # The tables have the first words alone: common, long.
    spelled += [name for name in SUBSETS if plain and name.startswith(f"{plain}_")]
    return SUBSETS[max(spelled, key=len)] if spelled else ""


def _trajectory(episode: Mapping[str, Any], where: str) -> _RunReader | None:
    answers = episode.get("trajectory")
    if not isinstance(answers, list):
        return None
    run = _RunReader(instruction=_instruction(episode), file=where)
    for answer in answers:
        steps = answer.get("executable_plan") if isinstance(answer, dict) else None
        text = ""
        if steps:
            text = json.dumps({k: v for k, v in answer.items() if k != "input_image_path"})
        for n, step in enumerate(steps if isinstance(steps, list) else ()):
            run.add(_trajectory_row(step, text), len(run.steps) + 1, new_answer=n == 0)
        if not steps:
            empty = {"action_id": -2 if isinstance(steps, list) else -1}
            run.add(empty, len(run.steps) + 1, new_answer=True)
    run.success = bool(_number(episode.get("success")))
    return run


def _trajectory_row(step: object, text: str) -> dict[str, Any]:
    """A step of a trajectory as the row of a log."""
    known = step if isinstance(step, dict) else {}
    number: Any = None
    words: Any = known.get("action")
    if isinstance(words, list) and len(words) == 2:
        number, words = words
    row = {
        "action_description": words,
        "last_action_success": known.get("action_success", 0),
        "env_feedback": known.get("env_feedback", ""),
        "reasoning": text,
    }
    more = {"action_id": number, "distance": known.get("distance")}
    return {**row, **{name: each for name, each in more.items() if each is not None}}
