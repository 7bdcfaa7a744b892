"""Recorded episodes of EmbodiedBench: four layouts, scores, and the audit of logs and tables."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from command_line import call
from embodiedbench_logs import (
    EMPTY,
    UNREAD,
    planner,
    row,
    summary,
    write_moves,
    write_poses,
    write_skills,
)

import eai
from eai.contract.registry import suites
from eai.errors import InputError, UnknownNameError
from eai.predictions import load_all
from eai.suites.embodiedbench import (
    alfred,
    habitat,
    manipulation,
    navigation,
    published_results,
    run_files,
    texts,
)
from eai.suites.embodiedbench.recorded import FALLBACK
from eai.suites.embodiedbench.skills import (
    mismatches,
    read_feedback as read,
    read_output,
    repair_2025_02,
    repair_2025_03,
    shipped,
    skills,
    word_feedback as word,
)
from eai.suites.embodiedbench.suite import EBAlfred, EBHabitat, EBManipulation, EBNavigation
from eai.suites.embodiedbench.tables import audit_table

HABITAT = EBHabitat()
NAVIGATION = EBNavigation()
FAR = word("eb-habitat", "place.far")
HELD = word("eb-habitat", "done.pick", x="toy airplane")
PUT = word("eb-habitat", "done.place")


def carried(**last: Any) -> list[dict[str, Any]]:
    """What solves the first task of EB-Habitat."""
    return [
        row(1, 7, "navigate to the table 2"),
        row(2, 47, "pick up the toy airplane", env_feedback=HELD),
        row(3, 54, "place at the right counter in the kitchen", success=0.0, env_feedback=FAR),
        row(4, 10, "navigate to the right counter in the kitchen"),
        row(
            5,
            54,
            "place at the right counter in the kitchen",
            **{"env_feedback": PUT, "task_success": 1.0, "task_progress": 1.0, **last},
        ),
    ]


def kinds(path: Path) -> list[str]:
    (loaded,) = load_all(path)
    suites = (HABITAT, NAVIGATION, EBManipulation())
    found = [each for suite in suites for each in suite.audit(loaded.items)]
    return [each.kind for each in found if each.kind != "missing"]


def test_a_run_folder_is_evaluated_by_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "gpt_x"
    write_skills(folder, "base", 1, carried(), {"task_success": 1.0, "task_progress": 1.0})
    report = eai.evaluate("eb-habitat", folder, ability="recorded", semantics="official")
    (record,) = [each for each in report.records if each.result.status == "evaluated"]
    assert (record.model, record.task, record.result.success) == ("gpt_x", "base/0", True)
    measured = {each.kind: each.amount / each.base for each in record.result.measures}
    assert measured["env_steps"] == 0.05
    assert measured["error_missing_steps"] == 1
    strict = eai.evaluate("eb-habitat", folder, ability="recorded", semantics="strict")
    assert len(strict.records) == 300
    assert [each.task for each in strict.records if each.result.success] == ["base/0"]
    assert kinds(folder) == []


def test_an_empty_plan_resets_progress_only_where_the_quirk_is_on(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    rows = [row(1, 7, "navigate to the table 2", task_progress=0.5), {**EMPTY, "reasoning": "{}"}]
    write_skills(folder, "base", 1, rows, {"task_success": 0.0, "task_progress": 0.0})
    (loaded,) = load_all(folder)
    (text,) = loaded.items.values()
    task = HABITAT.task("base/0")

    def progress(without: Sequence[str]) -> float:
        semantics = HABITAT.semantics("official", without=without)
        result = HABITAT.evaluate("recorded", task, text, semantics)
        (found,) = [each for each in result.measures if each.kind == "progress"]
        return found.amount / found.base

    assert (progress([]), progress(["progress_reset"])) == (0.0, 0.5)
    assert progress(["whole_state_subgoals"]) == 0.0
    result = HABITAT.evaluate("recorded", task, text, HABITAT.semantics("official"))
    assert "wrong_termination_decision" in {
        each.kind.removeprefix("error_") for each in result.measures if each.amount
    }
    assert kinds(folder) == ["progress_reset"]


def test_numbers_of_the_files_of_results_count_where_the_log_is_believed(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    finals = [
        {"task_success": 1.0, "num_steps": 5, "planner_steps": 3, "num_invalid_actions": 1},
        {"task_success": 0.0, "num_steps": 9, "planner_steps": 5, "num_invalid_actions": 4},
    ]
    for number, final in enumerate(finals, start=1):
        write_skills(folder, "base", number, carried(), final)
    report = eai.evaluate("eb-habitat", folder, ability="recorded", semantics="official")
    means = summary(finals)
    shown = {score.key: score.value for score in report.metrics("m")}
    assert shown["task_success_rate"] == 100 * means["task_success"]
    for key, name in (("env_steps", "num_steps"), ("planner_steps", "planner_steps")):
        assert shown[key] == pytest.approx(means[name])


def test_means_of_every_other_layout_are_those_of_the_published_summary(tmp_path: Path) -> None:
    finals = [
        {"task_success": n, "num_steps": 2 + n, "planner_steps": 1 + n, "avg_reward": 0.25 * n}
        | {"reward": [0, n], "planner_output_error": 1 - n}
        for n in (0, 1)
    ]
    for number, final in enumerate(finals, start=1):
        write_poses(tmp_path / "eb_manipulation" / "m", number, final, planner())
    record = navigation.records()["base/0"]
    for number, success in ((1, 1.0), (2, 0.0)):
        rows = [{**each, "task_success": success} for each in moved(record, [0, 1])]
        write_moves(tmp_path / "eb_nav" / "m", "base", number, rows)
    listed: list[dict[str, Any]] = [
        {"eval_set": "base", "episode_id": n, "success": n % 2, "model_name": "m", "trajectory": []}
        for n in (1, 2)
    ]
    (tmp_path / "listed.json").write_text(json.dumps(listed))
    means = {key: value for key, value in summary(finals).items() if key != "reward"}
    for name, path in (
        ("eb-manipulation", tmp_path / "eb_manipulation"),
        ("eb-navigation", tmp_path / "eb_nav"),
        ("eb-habitat", tmp_path / "listed.json"),
    ):
        report = eai.evaluate(name, path, ability="recorded", semantics="official")
        shown = {score.key: score.value for score in report.metrics("m")}
        assert shown["task_success_rate"] == 50 == 100 * means["task_success"]
        if name == "eb-manipulation":
            assert shown["env_steps"] == means["num_steps"] == 2.5
            assert shown["planner_steps"] == means["planner_steps"] == 1.5
            assert shown["format_errors"] == means["planner_output_error"] == 0.5
            assert shown["reward"] == 100 * means["avg_reward"] == 12.5


def test_a_success_that_was_not_reached_is_mis_scored(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    rows = carried()
    wrong = [*rows[:3], row(4, 12, "navigate to the sofa"), row(5, 56, "place at the sofa")]
    wrong[-1] |= {"task_success": 1.0, "task_progress": 1.0, "env_feedback": PUT}
    write_skills(folder, "base", 1, wrong)
    assert kinds(folder) == ["mis-scored"]
    (loaded,) = load_all(folder)
    (text,) = loaded.items.values()
    task = HABITAT.task("base/0")
    official = HABITAT.evaluate("recorded", task, text, HABITAT.semantics("official"))
    strict = HABITAT.evaluate("recorded", task, text, HABITAT.semantics("strict"))
    assert (official.success, strict.success) == (True, False)
    assert any("the log says" in note for note in strict.notes)


def planted(kind: str) -> list[dict[str, Any]]:  # noqa: C901, PLR0912 (one fault after the other)
    """A log with one fault of a kind."""
    rows, sofa = carried(), (12, "navigate to the sofa")
    if kind == "id_words":
        rows[0]["action_id"] = 8
    elif kind == "feedback_flag":
        rows[0]["last_action_success"] = 0.0
        rows.insert(1, row(1.5, 7, "navigate to the table 2"))
    elif kind == "unknown_feedback":
        rows[0]["env_feedback"] = "All is well."
    elif kind == "after_success":
        rows.append(row(6, *sofa, task_success=1.0, task_progress=1.0))
    elif kind == "step_limit":
        rows = [*(row(n, *sofa) for n in range(1, 31)), *rows]
        for n, each in enumerate(rows, start=1):
            each["env_step"] = n
    elif kind == "interrupted":
        del rows[3:]
    elif kind == "invalid_limit":
        rows[2:2] = [UNREAD] * 11
    elif kind == "gap":
        rows[0]["env_step"], rows[1]["env_step"] = 2, 3
        for n, each in enumerate(rows[2:], start=4):
            each["env_step"] = n
    elif kind == "seconds":
        for n, each in enumerate(rows):
            each["episode_elapsed_seconds"] = [1.5, 3.5, 2.5, 4.5, 5.5][n]
    elif kind == "unplanned":
        rows[1]["reasoning"] = planner((48, "pick up the strawberry"))
    elif kind == "impossible":
        rows.insert(3, row(4, 54, "place at the right counter in the kitchen", env_feedback=PUT))
        for n, each in enumerate(rows, start=1):
            each["env_step"] = n
    elif kind == "progress":
        rows[-1]["task_progress"] = 0.4
    elif kind == "repair":
        text = planner((12, "x"), reasoning="the robots' table")
        rows.insert(3, {**UNREAD, "reasoning": text})
    return rows


KINDS = [
    *("id_words", "feedback_flag", "unknown_feedback", "after_success", "step_limit"),
    *("interrupted", "invalid_limit", "progress", "repair", "gap", "seconds", "unplanned"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_the_audit_finds_what_was_planted_and_nothing_else(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    write_skills(folder, "base", 1, planted(kind))
    assert set(kinds(folder)) == {kind}


def test_one_bad_row_never_loses_an_episode(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    log = write_skills(folder, "base", 1, carried())
    lines = log.read_text().splitlines()
    log.write_text("\n".join([lines[0], "[1, 2", "7", *lines[1:], '{"cut": ']))
    assert set(kinds(folder)) == {"damaged"}
    (loaded,) = load_all(folder)
    assert json.loads(next(iter(loaded.items.values())))["success"] is True


def quoted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same rows, with numbers as lists of one and as texts."""
    listed = ("env_step", "last_action_success", "task_success")
    return [
        {**each, **{name: [each[name]] for name in listed}, "action_id": str(each["action_id"])}
        for each in rows
    ]


ODD: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "numbers are listed and quoted": (quoted(carried()), []),
    "a step is numbered beyond all numbers": (
        [{**carried()[0], "env_step": 10**400}],
        ["interrupted", "damaged"],
    ),
    "texts are null": (
        [{**each, "instruction": None, "reasoning": None} for each in carried()],
        [],
    ),
    "half a sign": ([{**each, "instruction": "carry \ud800"} for each in carried()], []),
    "an infinite share": (carried(task_progress=float("inf")), ["damaged"]),
    "rows behind an empty plan": ([EMPTY, *carried()], ["after_end"]),
    "actions are null": (
        [{**each, "action_description": None} for each in carried()],
        ["mis-scored"],
    ),
    "another instruction before": (
        [{**carried()[0], "instruction": "another"}, *carried()],
        ["foreign"],
    ),
}


@pytest.mark.parametrize("odd", ODD)
def test_odd_rows_are_read_or_named(odd: str, tmp_path: Path) -> None:
    rows, expected = ODD[odd]
    folder = tmp_path / "eb_habitat_old" / "m"
    log = write_skills(folder, "base", 1, rows)
    log.write_bytes(b"\xef\xbb\xbf" + log.read_bytes())
    assert kinds(folder) == expected
    assert call("audit", folder).exit_code == 0
    report = eai.evaluate("eb-habitat", folder, ability="recorded", tasks="answered")
    assert [each.result.status for each in report.records] == ["evaluated"]


def test_results_without_a_log_are_believed_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    log = write_skills(folder, "base", 1, carried(), {"task_success": "0.0", "num_steps": 5})
    log.unlink()
    (loaded,) = load_all(folder)
    assert kinds(folder) == ["interrupted"]
    assert HABITAT.rates(loaded.items)["base"] == (0, 1, 50)
    (text,) = loaded.items.values()
    result = HABITAT.evaluate("recorded", HABITAT.task("base/0"), text, HABITAT.semantics("strict"))
    assert (result.success, result.notes) == (False, ())


def test_what_is_not_in_the_room_may_be_found_in_a_record(tmp_path: Path) -> None:
    suite = eai.suite("eb-alfred")
    write_skills(tmp_path / "eb_alf" / "m", "base", 1, [row(1, 0, "find a Cart")])
    report = eai.evaluate(suite, tmp_path / "eb_alf", ability="recorded", tasks="answered")
    (record,) = report.records
    assert "1 steps have another outcome" in " ".join(record.result.notes)


def test_all_runs_of_a_file_are_kept_and_the_last_counts(tmp_path: Path) -> None:
    folder = tmp_path / "eb_nav" / "m"
    record = navigation.records()["base/0"]
    first = moved(record, [5, 5])
    second = moved(record, [0, 0])
    write_moves(folder, "base", 1, first, second)
    (loaded,) = load_all(folder)
    (text,) = loaded.items.values()
    kept = json.loads(text)
    assert [len(run["steps"]) for run in kept["metadata"]["earlier"]] == [2]
    assert kept["metadata"]["rows"][0]["action_id"] == 0
    assert [step["answered"] for step in kept["steps"]] == [1, 2]
    assert sorted(kinds(folder)) == ["duplicate", "interrupted", "interrupted"]


def moved(record: navigation.NavigationRecord, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Rows of moves of 0.3 m; distances are those of the poses."""
    known = skills("eb-navigation")
    poses = navigation.replay(record, [(n, True, None) for n in numbers])
    return [
        row(n, number, known[number].words, instruction="x", distance=pose.distance,
            env_feedback=f"Last action {known[number].verb} executed successfully.",
            task_success=float(pose.distance <= 1))
        for n, (number, pose) in enumerate(zip(numbers, poses, strict=True), start=1)
    ]  # fmt: skip


def test_distances_of_another_task_say_whose_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "eb_nav" / "m"
    other = navigation.records()["base/3"]
    rows = moved(other, [0, 1] * 10)
    write_moves(folder, "base", 1, rows)
    (loaded,) = load_all(folder)
    (found,) = [each for each in NAVIGATION.audit(loaded.items) if each.kind == "foreign"]
    assert "base/3" in found.message


def test_success_of_navigation_is_a_matter_of_distance(tmp_path: Path) -> None:
    folder = tmp_path / "eb_nav" / "m"
    rows = moved(navigation.records()["base/0"], [0, 1] * 10)
    rows[-1]["task_success"] = 1.0
    write_moves(folder, "base", 1, rows)
    assert kinds(folder) == ["mis-scored"]
    (loaded,) = load_all(folder)
    (text,) = loaded.items.values()
    task = NAVIGATION.task("base/0")
    for choice, solved in (("official", True), ("strict", False)):
        semantics = NAVIGATION.semantics(choice)
        assert NAVIGATION.evaluate("recorded", task, text, semantics).success is solved


def test_a_success_by_a_random_action_is_none_under_strict(tmp_path: Path) -> None:
    record = navigation.records()["base/0"]
    rows = moved(record, [0, 1])
    marker = {"reasoning_and_reflection": FALLBACK, "language_plan": FALLBACK}
    answers: dict[str, tuple[Any, bool]] = {
        "the evaluator says so": (marker, False),
        "the plan is empty": ({"executable_plan": []}, False),
        "prose": ("I go on.", True),
        "JSON without a plan": ({"reasoning_and_reflection": "I go on."}, True),
    }
    for name, (reasoning, solved) in answers.items():
        folder = tmp_path / name / "eb_nav" / "m"
        rows[-1] |= {"distance": 0.5, "task_success": 1.0, "reasoning": reasoning}
        write_moves(folder, "base", 1, rows)
        result = recorded(NAVIGATION, folder, "strict")
        assert result.success is solved
        measured = {each.kind for each in result.measures if each.amount}
        assert ("error_random_fallback" in measured) is not solved
        assert ("random_fallback" in kinds(folder)) is not solved


def test_results_of_manipulation_are_read_without_steps(tmp_path: Path) -> None:
    suite = eai.suite("eb-manipulation")
    folder = tmp_path / "eb_manipulation" / "m"
    plan = [[50, 50, 20, 0, 60, 90, 1], [50, 50, 20, 0, 60, 90, 0]]
    final = {"reward": [0, 0], "action_success": [1, 1], "task_success": 0, "num_steps": 2}
    write_poses(folder, 1, final, json.dumps({"executable_plan": plan}))
    report = eai.evaluate(suite, folder, ability="recorded", tasks="answered")
    assert [each.result.success for each in report.records] == [False]
    assert kinds(folder) == []


def test_published_trajectories_are_read(tmp_path: Path) -> None:
    steps = [
        {"step_id": n, "action": [r["action_id"], r["action_description"]],
         "action_success": r["last_action_success"], "env_feedback": r["env_feedback"]}
        for n, r in enumerate(carried())
    ]  # fmt: skip
    episode = {
        "model_name": "gpt", "eval_set": "base", "episode_id": 1, "instruction": "carry it",
        "success": 1, "trajectory": [{"reasoning_and_reflection": "r", "executable_plan": steps}],
    }  # fmt: skip
    path = tmp_path / "trajectories.json"
    path.write_text(json.dumps([episode, {"eval_set": "base"}, 7]))
    (loaded,) = load_all(path)
    assert loaded.model == "gpt"
    assert len(loaded.problems) == 2
    report = eai.evaluate("eb-habitat", path, ability="recorded", tasks="answered")
    assert [(each.task, each.result.success) for each in report.records] == [("base/0", True)]


def test_a_zip_is_read_and_one_that_leads_out_of_itself_refused(tmp_path: Path) -> None:
    log = write_skills(tmp_path / "eb_habitat" / "m", "base", 1, carried())
    for name, good in (
        ("eb_habitat/m/base/episode_1_step_5.json", True),
        ("../base/episode_1_step_5.json", False),
    ):
        path = tmp_path / f"{good}.zip"
        with ZipFile(path, "w") as archive:
            archive.write(log, name)
        if good:
            assert [of.model for of in load_all(path)] == ["m"]
        else:
            with pytest.raises(InputError, match="leads out of it"):
                load_all(path)


def test_a_run_of_another_environment_is_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    write_skills(folder, "base", 1, carried())
    (loaded,) = load_all(folder)
    (text,) = loaded.items.values()
    result = NAVIGATION.evaluate(
        "recorded", NAVIGATION.task("base/0"), text, NAVIGATION.semantics("official")
    )
    assert result.status == "excluded"
    assert "eb-habitat" in result.notes[0]


def written(**texts: str) -> str:
    base = {
        "visual_state_description": "A table.",
        "reasoning_and_reflection": "I go.",
        "language_plan": "Go.",
    }
    return json.dumps({**base, **texts, "executable_plan": [{"action_id": 1, "action_name": "go"}]})


R, L, V = "reasoning_and_reflection", "language_plan", "visual_state_description"
BROKEN_TWICE = [
    written(**{L: "Take the robots' cup to it."}),
    written(**{V: "The plates' rims are red."}),
    written(**{L: "The cup is Anna's."}),
    written(**{V: "It is the robot's."}),
    written(**{L: "Go to the 'red' cup now."}),
    written(**{V: "A 'sink' and a cup."}),
]
BROKEN_ONCE = [
    written(**{R: "It doesn't move."}),
    written(**{R: "I can't see it."}),
    written(**{L: "We'll go there."}),
    written(**{V: "They're on the table."}),
    written(**{R: "The robots' table is full."}),
    written(**{R: "I look for the 'red' cup."}),
]
FINE = [
    written(),
    written(**{R: "The robot's hand is empty."}),
    written(**{L: "Take the cup's lid now."}),
    written(**{V: "A table, a sink."}),
    written(**{L: 'Go to the "sink" now.'}),
    written(**{R: "Nothing left."}),
]


def test_the_published_repair_breaks_valid_json_and_ours_does_not() -> None:
    for text in (*BROKEN_TWICE, *BROKEN_ONCE, *FINE):
        assert read_output(text).status == "ok"
        assert not read_output(text).repaired
    february = [
        read_output(text, repair_2025_02).status != "ok"
        for text in BROKEN_TWICE + BROKEN_ONCE + FINE
    ]
    march = [
        read_output(text, repair_2025_03).status != "ok"
        for text in BROKEN_TWICE + BROKEN_ONCE + FINE
    ]
    assert february == [True] * 12 + [False] * 6
    assert march == [True] * 6 + [False] * 12


def test_texts_around_a_plan_are_read_and_said_to_be_repaired() -> None:
    text = f"Here it is:\n```json\n{planner((7, 'navigate to the table 2'))}\n```"
    assert read_output(text).repaired
    assert read_output("no").status == "json_decode_error"
    assert read_output("{}").status == "missing_key"
    assert mismatches("eb-habitat", read_output(planner((11, "navigate to the table 1"))).plan) == [
        1
    ]


def test_feedback_is_read_by_the_templates_that_it_is_worded_by() -> None:
    assert (read("eb-habitat", HELD).key, read("eb-habitat", HELD).success) == ("done.pick", True)
    assert read("eb-habitat", FAR).success is False
    assert read("eb-habitat", "Something else.").key == "unknown"
    hidden = word("eb-alfred", "pick.hidden", x="Mug", r="Cabinet_2", tail="Go and open it.")
    assert read("eb-alfred", hidden).key == "pick.hidden"


def test_plans_are_checked_by_their_geometry() -> None:
    plan = [(50, 50, 20, 0, 60, 90, 1), (50, 50, 20, 0, 60, 90, 0), (80, 20, 130, 0, 60, 90, 1)]
    objects = manipulation.listed_objects("{'object 1': [50, 52, 19]}")
    assert [each.kind for each in manipulation.lint_plan(plan, objects)] == [
        "invalid_action",
        "inaccurate_action",
    ]


def test_the_audit_of_tables_finds_the_known_faults_and_no_other() -> None:
    rows = published_results()
    for source, cells, averages in (("paper", 3, 3), ("website", 3, 6)):
        faults = [fault for row in rows if row["source"] == source for fault in row["faults"]]
        assert sum("not a possible rate" in fault for fault in faults) == cells
        assert sum("not the mean" in fault for fault in faults) == averages
    assert all(low <= row["avg"] <= high for row in rows for low, high in [row["interval"]])


def test_published_rates_stand_beside_recorded_runs_only() -> None:
    from eai.suites.embodiedbench import published_rows

    rows = published_rows()
    assert {row.ability for row in rows} == {"recorded"}
    assert {row.suite for row in rows} <= {origin.name for origin in suites().origins()}
    paper = [row for row in rows if row[:2] == ("GPT-4o", "eb-alfred") and "paper" in row.source]
    assert {row.metric: row.value for row in paper} == {
        "task_success_rate": 56.3,
        "progress": 65.1,
        "env_steps": 16.3,
        "planner_steps": 4.4,
        "subset_base": 64,
        "subset_common_sense": 54,
        "subset_complex_instruction": 68,
        "subset_visual_appearance": 46,
        "subset_spatial": 52,
        "subset_long_horizon": 54,
        "format_errors": 0.0067,
    }
    assert {row.semantics for row in rows} == {str(HABITAT.semantics("official"))}


def test_every_published_table_is_returned() -> None:
    sizes = {name: len(published_results(name)) for name in shipped("results.json")}
    assert sizes.pop("success_rate") > sizes["subgoal_success_rate"]
    assert all(sizes.values())
    (alfred_, poses) = published_results("failures")
    assert (alfred_["planning"], alfred_["missing_steps"]) == (55, 23)
    assert poses["wrong_recognition"] == 22
    with pytest.raises(UnknownNameError, match="table"):
        published_results("prices")


def test_a_table_is_audited_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text(
        "model,env,base,common,complex,visual,spatial,long,avg\na,EB-ALFRED,40,41,40,40,40,40,40.2\n"
    )
    done = call("audit", "--table", str(path), "--fail-on", "cell")
    assert done.exit_code == 1
    assert "41.0 is not a possible rate of 50 tasks" in done.stdout
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert [each.kind for each in audit_table(rows)] == ["cell"]
    odd = [{"env": "eb_alfred", "base": "110"}, {"env": "EB-ALFRED", "base": "40,0", "avg": "40 %"}]
    assert [each.message for each in audit_table(odd)] == [
        "110.0 is not a possible rate of 50 tasks; the nearest is 100.0"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "model;env;avg\nx;EB-ALFRED;56,2\n",
        "environment,success_rate\neb-alf,0.5625\n",
        "| Model | EB-ALFRED | EB-Nav |\n| --- | --- | --- |\n| **x** | 56.2 | 55.0 |\n",
        "model,EB-ALFRED Avg,Base,Common\nx,64.2,64,64\n",
    ],
)
def test_tables_of_other_forms_are_audited(text: str, tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    path.write_text(text)
    assert len(json.loads(call("audit", "--table", str(path), "--json").stdout)["findings"]) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"model,env,avg\n", "there is no row in it"),
        (b"model,base,avg\nx,10,10\n", "no column names the suite"),
        (b"model,env,steps\nx,EB-ALFRED,10\n", "no column has rates"),
        (b"| model | avg |\n|---|---|\n| x | 10 |\n", "no column names the suite"),
        (b"\xff\xfe\x00", "not a table in UTF-8"),
    ],
)
def test_a_table_that_cannot_be_audited_is_refused(
    content: bytes, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(content)
    assert said in call("audit", "--table", path).told


def test_runs_are_audited_from_the_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    write_skills(folder, "base", 1, carried(task_success=0.0, task_progress=0.0))
    done = call("audit", str(folder), "--json", "--fail-on", "mis-scored")
    found = json.loads(done.stdout)
    (fault,) = [each for each in found["findings"] if each["kind"] == "mis-scored"]
    assert fault["where"].endswith("episode_1_step_5.json:5")
    assert found["rates"]["m eb-habitat"]["groups"]["base"] == [0, 1, 50]


def test_a_zip_of_the_challenge_is_scored_by_its_files_and_by_the_tasks(tmp_path: Path) -> None:
    rows = [row(1, 0, "find a Cart", env_feedback="done")]
    for number, solved in ((1, 1.0), (2, 0.0)):
        last = [{**each, "task_success": solved} for each in rows]
        write_skills(tmp_path / "eb_alfred" / "m", "base", number, last)
    record = navigation.records()["base/0"]
    won = {**moved(record, [0])[0], "distance": 0.5, "task_success": 1.0}
    write_moves(tmp_path / "eb_nav" / "m", "base", 1, [won])
    path = tmp_path / "submission.zip"
    with ZipFile(path, "w") as archive:
        for log in tmp_path.rglob("*.json"):
            archive.write(log, log.relative_to(tmp_path))
    rates = json.loads(call("audit", str(path), "--json").stdout)["rates"]
    assert rates["m eb-alfred"]["files"] == 50
    assert rates["m eb-navigation"]["files"] == 100
    assert rates["m mean"]["files"] == 75  # what the organisers compute: files that are found
    assert rates["m mean"]["tasks"] == pytest.approx(100 / 300)


def test_instructions_are_joined_by_their_digests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path / "cache"))
    text = "Bring the plane to the counter, please."
    record = habitat.records()["base/0"]
    digest = hashlib.sha256(text.encode()).hexdigest()
    monkeypatch.setattr(habitat, "records", lambda: {"base/0": replace(record, sha256=digest)})
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "base.pickle").write_bytes(pickle.dumps([{"instruction": text}]))
    texts.instructions.cache_clear()
    assert texts.store(checkout) == 1
    assert texts.instructions() == {digest: text}
    (checkout / "more.pickle").write_bytes(pickle.dumps(Path("x")))
    with pytest.raises(InputError, match="refused"):
        texts.store(checkout)
    (checkout / "more.pickle").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(InputError, match="git-lfs"):
        texts.store(checkout)
    texts.instructions.cache_clear()


def test_the_published_surface_stands_before_a_symbolic_world_and_behind_it() -> None:
    from eai.simulators.embodiedbench_gym import ForEmbodiedBench, FromEmbodiedBench
    from eai.suites.embodiedbench.habitat import HabitatEnvironment, world

    semantics = HABITAT.semantics("official")
    task = HABITAT.task("base/0")
    goal = task.goal.formula
    assert goal is not None
    theirs = ForEmbodiedBench(
        HABITAT.environment(task, semantics),
        [(skill.words, HabitatEnvironment.action_of(skill)) for skill in skills("eb-habitat")],
        instruction=task.instruction,
        reached=lambda now: (world().holds(now.state(), goal), 0.0),
    )
    theirs.reset()
    for number in (7, 47, 10, 54):
        _, reward, ended, info = theirs.step(number, "why")
    assert (reward, ended, info["task_success"], info["env_step"]) == (1.0, True, 1.0, 4)
    again = FromEmbodiedBench(theirs)
    again.reset()
    from eai.world import Action

    assert again.step(Action("navigate to the table 2")).success
    assert not again.step(Action("pick up the ball of nothing")).success
    failed = again.step(Action("place at the sofa"))
    assert not failed.success
    assert "not holding" in failed.message


def recorded(suite: Any, folder: Path, choice: str, **options: Any) -> Any:
    """The result on the only episode of a folder."""
    (loaded,) = load_all(folder)
    ((name, text),) = loaded.items.items()
    semantics = suite.semantics(choice, **options)
    return suite.evaluate("recorded", suite.task(suite.canonical_id(name)), text, semantics)


def test_a_number_out_of_range_ends_an_episode_only_in_2025(tmp_path: Path) -> None:
    folder = tmp_path / "eb_nav" / "m"
    rows = moved(navigation.records()["base/0"], [0, 1, 0])
    rows[1] |= {"reasoning": planner((8, "jump"))}
    rows[-1] |= {"distance": 0.5, "task_success": 1.0}
    write_moves(folder, "base", 1, rows)
    solved = {}
    for name, without in (("2025", []), ("2026", ["id_range_2025"])):
        result = recorded(NAVIGATION, folder, "official", without=without)
        steps = next(each.amount for each in result.measures if each.kind == "env_steps")
        solved[name] = result.success, steps
    assert solved == {"2025": (False, 1), "2026": (True, 3)}
    assert "version" in kinds(folder)


def test_actions_behind_a_failed_one_count_only_where_the_plan_goes_on(tmp_path: Path) -> None:
    steps = [
        {"action": [50, 50, 20, 0, 60, 90, grip], "action_success": done, "env_feedback": ""}
        for grip, done in ((1, 1), (0, 0), (1, 1))
    ]
    episode = {
        "model_name": "gpt", "eval_set": "base", "episode_id": 1, "instruction": "pick it",
        "success": 1, "trajectory": [{"executable_plan": steps}],
    }  # fmt: skip
    path = tmp_path / "trajectories.json"
    path.write_text(json.dumps([episode]))
    suite = eai.suite("eb-manipulation")
    found = {}
    for choice in ("official", "strict"):
        result = recorded(suite, path, choice)
        found[choice] = (
            result.success,
            next(each.amount for each in result.measures if each.kind == "env_steps"),
        )
    assert found == {"official": (True, 3), "strict": (False, 2)}


def test_a_zip_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = write_skills(tmp_path / "eb_habitat" / "m", "base", 1, carried())
    path = tmp_path / "bomb.zip"
    with ZipFile(path, "w") as archive:
        archive.write(log, "eb_habitat/m/base/episode_1_step_5.json")
    monkeypatch.setattr(run_files, "MAX_FILE_BYTES", 100)
    with pytest.raises(InputError, match="too large"):
        load_all(path)


def test_ten_megabytes_of_reasoning_are_one_answer(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    rows = carried()
    rows[0]["reasoning"] = "I think. " * (10 << 20 >> 3)
    write_skills(folder, "base", 1, rows)
    assert kinds(folder) == []
    (loaded,) = load_all(folder)
    assert sum(map(len, loaded.items.values())) < 1 << 18
    notes = recorded(HABITAT, folder, "official").notes
    assert "answers of more than 100,000 characters, of which the rest is left out: 1" in notes


def test_distances_that_are_no_numbers_are_said_and_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "eb_nav" / "m"
    rows = moved(navigation.records()["base/0"], [0, 1] * 10)
    rows[3]["distance"] = float("nan")
    write_moves(folder, "base", 1, rows)
    assert kinds(folder) == ["damaged"]
    assert recorded(NAVIGATION, folder, "strict").status == "evaluated"


def test_unknown_numbers_are_found_and_those_of_an_episode_decided_by_words(tmp_path: Path) -> None:
    folder = tmp_path / "eb_habitat" / "m"
    write_skills(folder, "base", 1, [{**carried()[0], "action_id": 700}, *carried()[1:]])
    assert kinds(folder) == ["id_words"]
    suite = EBAlfred()
    for words, found in (("find a Cabinet_2", []), ("fly away", ["id_words"])):
        folder = tmp_path / words / "eb_alfred" / "m"
        rows = [row(n, 190, "find a Cabinet_2") for n in range(1, 30)]
        write_skills(folder, "base", 1, [*rows, row(30, 190, words)])
        (loaded,) = load_all(folder)
        seen = {each.kind for each in suite.audit(loaded.items)} - {"missing"}
        assert sorted(seen) == found


def test_empty_folders_are_refused_and_models_told_apart(tmp_path: Path) -> None:
    (tmp_path / "eb_habitat" / "empty" / "base").mkdir(parents=True)
    with pytest.raises(InputError):
        load_all(tmp_path / "eb_habitat" / "empty")
    for name in ("one", "two"):
        write_skills(tmp_path / "eb_habitat" / name, "base", 1, carried())
    assert [of.model for of in load_all(tmp_path / "eb_habitat")] == ["one", "two"]


def test_instructions_of_a_whole_checkout_are_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path / "cache"))
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for module in (alfred, habitat, navigation):
        texts_of = {name: f"{module.__name__}: do {name}" for name in module.records()}
        made = {
            name: replace(record, sha256=hashlib.sha256(texts_of[name].encode()).hexdigest())
            for name, record in module.records().items()
        }
        monkeypatch.setattr(module, "records", lambda made=made: made)
        listed = [{"instruction": text} for text in texts_of.values()]
        if module is habitat:
            (checkout / "habitat.pickle").write_bytes(pickle.dumps({"episodes": listed}))
        else:
            path = checkout / f"{module.__name__}.json"
            path.write_text(json.dumps({"tasks": listed}))
    texts.instructions.cache_clear()
    assert texts.store(checkout) == 900
    assert len(texts.instructions()) == 900
    texts.instructions.cache_clear()
