"""Which tasks a run of EmbodiedBench has, and whose it is, by its configuration and files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest
from embodiedbench_logs import UNREAD, row, write_poses, write_skills

import eai
from eai.contract import AuditFinding, needed_extension
from eai.predictions import load_all
from eai.suites.embodiedbench.layouts import (
    RunConfig,
    best_sampling,
    environment_named,
    read_config,
    sampling_of,
)
from eai.suites.embodiedbench.mending import count_outputs, unread_texts

TASKS = [str(number // 2) for number in range(60)]
"""Digests of instructions, of which two tasks each have the same."""


def audited(suite: str, episodes: Mapping[str, str]) -> list[AuditFinding]:
    chosen = eai.suite(suite)
    return list(needed_extension("eai.audits", chosen).episodes(chosen, episodes))


def test_a_configuration_is_python_json_or_lines() -> None:
    values = {
        "model_name": "org/m",
        "down_sample_ratio": 0.1,
        "selected_indexes": [3, 7],
        "eval_sets": ["base"],
    }
    lines = "\n".join(f"{key}: {value}" for key, value in values.items())
    for text in (str(values), json.dumps(values), lines):
        config = read_config(text)
        found = config.model, config.ratio, config.selected, config.subsets
        assert found == ("m", 0.1, (3, 7), ("base",))


def test_the_short_names_of_the_benchmark_are_known() -> None:
    names = ("eb-nav", "EB_ALFRED", "eb_hab", "eb-man", "other")
    assert [environment_named(name) for name in names] == [
        *("eb-navigation", "eb-alfred", "eb-habitat", "eb-manipulation", ""),
    ]


@pytest.mark.parametrize(
    ("environment", "ratio", "indexes"),
    [
        ("eb-navigation", 0.1, range(0, 60, 10)),
        ("eb-alfred", 0.3, range(0, 50, 3)),
        ("eb-habitat", 0.33, range(17)),
        ("eb-manipulation", 0.2, range(9)),
    ],
)
def test_each_evaluator_samples_in_its_own_way(
    environment: str, ratio: float, indexes: range
) -> None:
    found = sampling_of(environment, "base", RunConfig(ratio=ratio))
    assert list(found.indexes) == list(indexes)
    assert found.numbers == set(range(1, len(indexes) + 1))


def test_without_a_configuration_the_instructions_say_every_how_many_tasks() -> None:
    every_tenth = {number: TASKS[10 * (number - 1)] for number in range(1, 7)}
    assert list(best_sampling(every_tenth, TASKS).indexes) == list(range(0, 60, 10))
    all_of_them = dict(enumerate(TASKS, start=1))
    assert list(best_sampling({**all_of_them, 3: "foreign"}, TASKS).indexes) == list(range(60))
    assert list(best_sampling({1: TASKS[0], 2: TASKS[10]}, TASKS).indexes) == list(range(60))


def test_outputs_of_a_planner_are_counted() -> None:
    outputs = '{"a": 1}\n{"b": "robots" cup"}\nI cannot.\n{"c": 2}\n'
    assert count_outputs(outputs) == 2
    assert len(unread_texts(outputs)) == 1


def test_manipulation_has_its_own_names_of_subsets(tmp_path: Path) -> None:
    folder = tmp_path / "eb_manipulation" / "m" / "x"
    final = {"task_success": 1.0, "reward": [1.0], "action_success": [1.0], "num_steps": 1}
    for subset in ("visual", "complex"):
        write_poses(folder / "made", 1, final, "")
        (folder / "made" / "base").rename(folder / subset)
    (loaded,) = load_all(tmp_path)
    assert (loaded.model, sorted(loaded.items)) == (
        "m/x",
        ["complex_instruction/episode_1", "visual_appearance/episode_1"],
    )


def test_environments_of_two_models_in_one_zip_are_named(tmp_path: Path) -> None:
    rows = [row(1, 7, "navigate to the table 2")]
    for environment, model in (("eb_habitat", "a"), ("eb_alfred", "b")):
        write_skills(tmp_path / environment / f"{model}_x", "base", 1, rows)
    with ZipFile(tmp_path / "sent.zip", "w") as archive:
        for path in tmp_path.rglob("*.json"):
            archive.write(path, path.relative_to(tmp_path))
    kinds = {
        each.kind
        for loaded in load_all(tmp_path / "sent.zip")
        for each in audited("eb-habitat", loaded.items)
    }
    assert "mixed_models" in kinds


def test_one_log_has_no_missing_episodes(tmp_path: Path) -> None:
    log = write_skills(tmp_path / "eb_habitat" / "m", "base", 1, [UNREAD] * 10)
    (loaded,) = load_all(log)
    found = [each.kind for each in audited("eb-habitat", loaded.items)]
    assert "missing" not in found


def test_what_most_episodes_have_is_how_their_program_counts(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    for number in range(1, 5):
        seconds = [3.0, 2.0] if number < 4 else [2.0, 3.0]
        rows = [
            row(step, 7, "navigate to the table 2", episode_elapsed_seconds=seconds[step - 1])
            for step in (1, 2)
        ]
        write_skills(folder, "base", number, rows)
    (loaded,) = load_all(folder)
    found = [each.kind for each in audited("eb-habitat", loaded.items)]
    assert "seconds" not in found


def test_a_file_that_is_not_used_is_left_out_with_a_reason(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    write_skills(folder, "base", 1, [UNREAD] * 10)
    (folder / "base" / "notes.json").write_text(json.dumps({"a": 1}))
    (loaded,) = load_all(folder)
    assert [Path(each.where).name for each in loaded.problems] == ["notes.json"]


@pytest.mark.parametrize("name", ["trajectory.json", "trajectories.jsonl"])
def test_a_folder_of_one_trajectory_is_read(name: str, tmp_path: Path) -> None:
    steps = [{"action": [7, "navigate to the table 2"], "action_success": 1.0}]
    trajectory = {
        "model_name": "m",
        "eval_set": "common",
        "episode_id": 3,
        "success": 0.0,
        "trajectory": [{"reasoning_and_reflection": "", "executable_plan": steps}],
    }
    (tmp_path / name).write_text(json.dumps(trajectory) + "\n")
    (loaded,) = load_all(tmp_path)
    assert (loaded.model, list(loaded.items)) == ("m", ["common_sense/episode_3"])


@pytest.mark.parametrize("results", [True, False])
@pytest.mark.parametrize("characters", [1, 40, 150, 300])
def test_a_last_line_that_is_cut_off_is_no_fault(
    characters: int, results: bool, tmp_path: Path
) -> None:
    rows = [row(step, 7, "navigate to the table 2") for step in range(1, 31)]
    final = {"task_success": 0.0, "num_steps": 30} if results else None
    log = write_skills(tmp_path / "eb_habitat" / "m", "base", 1, rows, final)
    log.write_text(log.read_text().rstrip()[:-characters])
    assert _kinds(tmp_path) == {"missing"}


@pytest.mark.parametrize("results", [True, False])
def test_a_log_that_breaks_off_before_its_end_is_interrupted(results: bool, tmp_path: Path) -> None:
    rows = [row(step, 7, "navigate to the table 2") for step in range(1, 31)]
    final = {"task_success": 0.0, "num_steps": 30} if results else None
    log = write_skills(tmp_path / "eb_habitat" / "m", "base", 1, rows, final)
    text = log.read_text()
    log.write_text(text[: len(text) // 2])
    assert _kinds(tmp_path) == {"missing", "interrupted"}


def _kinds(path: Path) -> set[str]:
    (loaded,) = load_all(path)
    return {each.kind for each in audited("eb-habitat", loaded.items)}
