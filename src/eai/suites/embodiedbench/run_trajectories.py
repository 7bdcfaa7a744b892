"""The trajectories that the authors of EmbodiedBench publish: one list for a run, as episodes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from eai.contract import LeftOut, PredictionProblem, Raw
from eai.errors import InputError
from eai.suites.embodiedbench.layouts import environment_named
from eai.suites.embodiedbench.run_files import SUBSETS, RunFile
from eai.suites.embodiedbench.run_rows import (
    MAX_ANSWER_CHARACTERS,
    RunReader,
    decode_json,
    digest,
    instruction_of,
    number_of,
)
from eai.suites.embodiedbench.run_tasks import environment_of_rows, task_digests

_MAX_LOOKED_AT = 100
"""Number of trajectories that are enough to tell the environment by the words of their actions."""


def trajectory_episodes(file: RunFile) -> Iterator[Raw]:
    """Yield the episodes of a published list of trajectories."""
    values = _trajectory_values(file.text)
    if not values:
        raise InputError(
            "it is not a list of trajectories",
            where=file.name,
            expected='[{"eval_set": ..., "episode_id": ..., "trajectory": [...]}, ...]',
        )
    episodes = [value for value in values if isinstance(value, dict)]
    # Some lists count their episodes from 0; the files of a run count from 1.
    counts_from_zero = any(number_of(episode.get("episode_id")) == 0 for episode in episodes)
    number_offset = 1 if counts_from_zero else 0
    environment = _environment_of(file.name, episodes)
    without_subset: list[LeftOut] = []
    for position, episode in enumerate(values):
        where = f"{file.name}:[{position}]"
        run = _trajectory(episode, where)
        if run is None:
            yield PredictionProblem("it is not a trajectory", where)
            continue
        named_subset = _spelled_subset(str(episode.get("eval_set", "")))
        subset = named_subset or _subset_with(environment, run.instruction)
        if not subset:
            without_subset.append(LeftOut("a trajectory that names no subset", where))
            continue
        number = int(number_of(episode.get("episode_id")) or 0) + number_offset
        model = str(episode.get("model_name") or "unnamed")
        metadata = {
            "environment": environment,
            "folder": file.name,
            "number": number,
            "trajectory": True,
            "has_log": True,
            "input": str(episode.get("input") or "")[:MAX_ANSWER_CHARACTERS],
        }
        yield run.item(f"{subset}/episode_{number}", model, metadata)
    yield from without_subset


def _trajectory_values(text: str) -> list[Any]:
    """Return the trajectories in a text: a JSON list, a single one, or one on each line."""
    value = decode_json(text)
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return [value] if "trajectory" in value else []
    values = [decode_json(line) for line in text.splitlines() if line.strip()]
    if any(isinstance(line_value, dict) for line_value in values):
        return values
    return []


def _subset_with(environment: str, instruction: str) -> str:
    """Return the subset with an instruction, or "" if no or several subsets have it."""
    own_digest = digest(instruction)
    candidates = []
    for subset in dict.fromkeys(SUBSETS.values()):
        if own_digest in task_digests(environment, subset):
            candidates.append(subset)
    return candidates[0] if len(candidates) == 1 else ""


def _environment_of(name: str, episodes: Sequence[Mapping[str, Any]]) -> str:
    """Return the environment of a list of trajectories by its path, subsets or actions."""
    for part in (PurePosixPath(name).stem, *reversed(PurePosixPath(name).parts)):
        named = environment_named(part)
        if named:
            return named
    if episodes:
        named = environment_named(str(episodes[0].get("eval_set", "")))
        if named:
            return named
    # Neither the name nor the subsets tell, but the names of the actions do.
    rows = []
    for episode in episodes[:_MAX_LOOKED_AT]:
        run = _trajectory(episode, "")
        if run is None:
            continue
        for step, row in zip(run.steps, run.rows, strict=True):
            rows.append({**row, "action_description": step["action"]})
    return environment_of_rows(rows)


def _spelled_subset(text: str) -> str:
    """Return the subset that a text names in any known spelling."""
    plain = text.strip().lower().replace("-", "_").replace(" ", "_")
    spelled = [name for name in SUBSETS if name in plain]
    # The tables have the first words alone: common, long.
    spelled += [name for name in SUBSETS if plain and name.startswith(f"{plain}_")]
    if not spelled:
        return ""
    # The longest: "complex_instruction" is not to be read as "complex".
    return SUBSETS[max(spelled, key=len)]


def _trajectory(episode: object, where: str) -> RunReader | None:
    """Return one trajectory as a run, or None if it has no list of answers."""
    if not isinstance(episode, dict) or not isinstance(episode.get("trajectory"), list):
        return None
    run = RunReader(instruction=instruction_of(episode), file=where)
    for answer in episode["trajectory"]:
        _add_answer(run, answer)
    run.success = bool(number_of(episode.get("success")))
    return run


def _add_answer(run: RunReader, answer: object) -> None:
    """Add the steps of an answer to a run, or a row without action if it has none."""
    fields = answer if isinstance(answer, dict) else {}
    plan = fields.get("executable_plan")
    line = len(run.steps) + 1
    if isinstance(plan, list) and plan:
        text = json.dumps({key: fields[key] for key in fields if key != "input_image_path"})
        for offset, step in enumerate(plan):
            run.add(_row_of_step(step, text), line + offset, new_answer=offset == 0)
    elif isinstance(plan, list):
        run.add({"action_id": -2}, line, new_answer=True)  # a plan without steps
    elif not plan:
        run.add({"action_id": -1}, line, new_answer=True)  # an answer that was not read


def _row_of_step(step: object, text: str) -> dict[str, Any]:
    """Return a step of a trajectory as the row of a log."""
    fields = step if isinstance(step, dict) else {}
    number: Any = None
    words: Any = fields.get("action")
    # In most environments an action is its number with its words: [12, "find a Mug"].
    if isinstance(words, list) and len(words) == 2:
        number, words = words
    row = {
        "action_description": words,
        "last_action_success": fields.get("action_success", 0),
        "env_feedback": fields.get("env_feedback", ""),
        "reasoning": text,
    }
    if number is not None:
        row["action_id"] = number
    if fields.get("distance") is not None:
        row["distance"] = fields["distance"]
    return row
