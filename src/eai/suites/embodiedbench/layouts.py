"""How the published evaluators of EmbodiedBench lay out a run, and which tasks a run has.

Sources: the evaluators and environments of the repository at b247936 (February 2025), f8e3d4d
(April 2026) and fc59f554 (later in 2026). The differences that matter for reading are one line
each in :data:`LAYOUTS`; what a run says of itself stands in its ``config.txt``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from eai.nesting import load_json, load_literal
from eai.suites.embodiedbench.skills import ALFRED, HABITAT, MANIPULATION, NAVIGATION


@dataclass(frozen=True)
class RunLayout:
    """The files and names by which one evaluator stores a run.

    Args:
        folder: Name of the folder of all its runs, ``running/FOLDER/...``.
        size: Number of tasks of a subset.
        sampling: Which tasks ``down_sample_ratio`` r keeps: ``"every"`` is every round(1/r)-th,
            ``"up"`` and ``"down"`` the first size * r, rounded up or down.
        selects: Whether the evaluator obeys ``selected_indexes`` in some version.
        smaller: Sizes of the subsets that have fewer tasks.
    """

    folder: str
    size: int
    sampling: str
    selects: bool
    smaller: Mapping[str, int] = field(default_factory=dict)

    def size_of(self, subset: str) -> int:
        """Return the number of tasks of a subset."""
        return self.smaller.get(subset, self.size)


LAYOUTS: Mapping[str, RunLayout] = {
    ALFRED: RunLayout("eb_alfred", 50, "every", selects=True),
    HABITAT: RunLayout("eb_habitat", 50, "up", selects=False),
    NAVIGATION: RunLayout("eb_nav", 60, "every", selects=True),
    MANIPULATION: RunLayout("eb_manipulation", 48, "down", selects=False,
                         smaller={"visual_appearance": 36}),
}  # fmt: skip
_LETTERS = 6
"""The benchmark's short names (``eb-nav``) are the first letters of the long ones."""
SETTINGS = (
    *("n_shots", "language_only", "chat_history", "multistep", "multiview", "visual_icl"),
    *("detection_box", "env_feedback", "resolution", "memory_compression"),
)
"""Options that make two subsets of one run runs of different settings."""


def environment_named(text: str) -> str:
    """Return the environment for a name (``eb-nav``, ``EB_Alfred``), or "" if there is none."""
    plain = text.strip().lower().replace("_", "-")
    for environment in LAYOUTS:
        if plain.startswith(environment[:_LETTERS]):
            return environment
    return ""


# ------------------------------------------------------------------ config.txt


@dataclass(frozen=True)
class RunConfig:
    """The stored configuration of a run. Values that the run does not state are empty.

    Args:
        model: Name of the model, without the organisation in front of it.
        experiment: Name of the experiment.
        ratio: ``down_sample_ratio``; 1 if all tasks were run.
        selected: 0-based indexes of the tasks that were run.
        start: Index of the first task that was run (EB-Habitat).
        subsets: The subsets of the whole run, as they are spelled there.
        settings: The options of :data:`SETTINGS`, as text.
    """

    model: str = ""
    experiment: str = ""
    ratio: float = 1.0
    selected: tuple[int, ...] = ()
    start: int = 0
    subsets: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_partial(self) -> bool:
        """Whether it says that not all tasks were to be run."""
        return self.ratio < 1 or bool(self.selected) or self.start > 0

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, for a record."""
        return asdict(self)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any] | None) -> RunConfig:
        """Return the configuration that :meth:`to_dict` wrote."""
        fields = dict(value or {})
        for name in ("selected", "subsets"):  # JSON made lists of them
            fields[name] = tuple(fields.get(name, ()))
        return cls(**fields)


def read_config(text: str) -> RunConfig:
    """Read a ``config.txt``: a Python dictionary as the evaluators write it, or JSON, or lines."""
    values = _config_values(text)
    # Names of models may begin with an organisation: "org/model".
    name = str(values.get("model_name") or "")
    ratio = _as_number(values.get("down_sample_ratio"), 1.0)
    # Any other number takes no samples.
    if not 0 < ratio < 1:
        ratio = 1.0
    subsets = _as_list(values.get("eval_sets"))
    settings = {}
    for key in SETTINGS:
        if key in values:
            settings[key] = _setting(values[key])
    return RunConfig(
        model=name.rsplit("/", 1)[-1],
        experiment=str(values.get("exp_name") or ""),
        ratio=ratio,
        selected=tuple(_integers(values.get("selected_indexes"))),
        start=int(_as_number(values.get("start_epi_index"), 0)),
        subsets=tuple(str(subset) for subset in subsets),
        settings=settings,
    )


_LINE = re.compile(r"^\s*-*['\"]?(\w+)['\"]?\s*[:=]\s*(.*?),?\s*$", re.MULTILINE)
"""One ``key: value`` or ``key=value`` of a configuration that is neither Python nor JSON."""


def _config_values(text: str) -> Mapping[str, Any]:
    """Return the key-value pairs of a configuration in any of its three forms."""
    for load in (load_literal, load_json):
        try:
            value = load(text.strip())
        except ValueError:
            continue
        if isinstance(value, dict):
            return value
    return {key: _plain_value(written) for key, written in _LINE.findall(text)}


def _plain_value(written: str) -> object:
    """Return a Python literal's value, or else the text without its quotes."""
    try:
        value: object = load_literal(written)
    except ValueError:
        return written.strip("'\"")
    return value


def _as_number(value: object, default: float) -> float:
    """Return the finite number in a value or a text, or the default if there is none."""
    if isinstance(value, str):
        value = _plain_value(value)
    if isinstance(value, (int, float)) and math.isfinite(value):
        return float(value)
    return default


def _as_list(value: object) -> Sequence[object]:
    """Return the entries of a list, or of a text with entries between commas."""
    if isinstance(value, str):
        entries = [entry.strip(" '\"[]") for entry in value.split(",")]
        return [entry for entry in entries if entry]
    return list(value) if isinstance(value, (list, tuple)) else []


def _integers(value: object) -> list[int]:
    numbers = [_as_number(entry, -1) for entry in _as_list(value)]
    return [int(number) for number in numbers if number >= 0]


def _setting(value: object) -> str:
    """Return one spelling for the ways to say the same: 0, False and "0"."""
    if isinstance(value, bool):
        return str(int(value))
    return {"false": "0", "true": "1"}.get(str(value).strip().lower(), str(value).strip())


# ------------------------------------------------------------------ which tasks a run has


@dataclass(frozen=True)
class Sampling:
    """The rule that maps an episode of a run to its task, and says which tasks a run has.

    Args:
        indexes: Index of the task of each episode; episode N is number N - 1 of these.
        numbers: Numbers of the episodes that should be there.
    """

    indexes: Sequence[int]
    numbers: frozenset[int]

    def index_of(self, number: int) -> int | None:
        """Return the index of the task of an episode; None if there is no such episode."""
        if 1 <= number <= len(self.indexes):
            return self.indexes[number - 1]
        return None


def sampling_of(environment: str, subset: str, config: RunConfig) -> Sampling:
    """Return which tasks of a subset a run has, according to its configuration.

    Args:
        environment: Name of the environment.
        subset: Name of the subset.
        config: The configuration of the run.
    """
    layout = LAYOUTS[environment]
    size = layout.size_of(subset)
    if config.ratio == 1 or layout.sampling == "every":
        # The evaluator computes the distance first, so that a ratio of 0.4 keeps every second task.
        indexes = range(0, size, max(1, round(1 / config.ratio)))
    elif layout.sampling == "up":
        indexes = range(math.ceil(size * config.ratio))
    else:
        indexes = range(int(size * config.ratio))
    numbers = frozenset(range(1 + config.start, len(indexes) + 1))
    if config.selected:
        # Evaluators that ignore this option run all tasks, so additional episodes are not a fault.
        numbers = frozenset(index + 1 for index in config.selected if index < len(indexes))
    return Sampling(indexes, numbers)


def sampled_every(size: int, stride: int) -> Sampling:
    """Return the tasks of a run that has every task at a distance of ``stride``."""
    indexes = range(0, size, stride)
    return Sampling(indexes, frozenset(range(1, len(indexes) + 1)))


_ENOUGH = 3
"""Episodes from which the tasks of a run without a configuration are told."""


def count_matches(sampling: Sampling, instructions: Mapping[int, str], tasks: Sequence[str]) -> int:
    """Return how many episodes have the instruction of the task expected for them.

    Args:
        sampling: Which task each episode is.
        instructions: Digest of the instruction of each episode, by its number.
        tasks: Digest of the instruction of each task of the subset.
    """
    matches = 0
    for number, digest in instructions.items():
        index = sampling.index_of(number)
        matches += index is not None and tasks[index] == digest
    return matches


def best_sampling(instructions: Mapping[int, str], tasks: Sequence[str]) -> Sampling:
    """Return the sampling that fits the instructions of a run's episodes best.

    A run that keeps every tenth task numbers its episodes from 1 on. All tasks are the answer
    unless another distance explains more episodes, and most of them. The arguments are those of
    :func:`count_matches`.
    """
    best = sampled_every(len(tasks), 1)
    max_matches = count_matches(best, instructions, tasks)
    needed = max(_ENOUGH, len(instructions) / 2)
    # Of two strides that explain equally many episodes, the smaller one leaves fewer tasks out.
    for stride in range(2, len(tasks) // 2):
        candidate = sampled_every(len(tasks), stride)
        matches = count_matches(candidate, instructions, tasks)
        if matches > max_matches and matches >= needed:
            best, max_matches = candidate, matches
    return best
