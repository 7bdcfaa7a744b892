"""All abilities at once: which answers are taken, and the row that they make."""

import shutil
from pathlib import Path

import pytest
from command_line import call

from eai.diagnosis import Match, Result
from eai.errors import InputError, UnknownNameError
from eai.evaluation.overview import Overview, evaluate_outputs
from eai.report import Record, Report
from eai.suites.household import samples

SOLVED = Result("evaluated", success=True, executable=True)
FAILED = Result("evaluated")
INTERPRETED = Result("evaluated", matches=(Match("state", 1, 1, 0),))
MODELED = Result(
    "evaluated", success=True, matches=(Match("object_states", 1, 0, 1),), groups=("object_states",)
)


def report(ability: str, *results: Result) -> Report:
    return Report(
        Record("world", "1", ability, "strict", "model", str(number), "name", "text", result)
        for number, result in enumerate(results)
    )


FULL = Overview(
    {
        "world": {
            "goal_interpretation": report("goal_interpretation", INTERPRETED),
            "action_sequencing": report("action_sequencing", SOLVED, FAILED),
            "subgoal_decomposition": report("subgoal_decomposition", SOLVED),
            "transition_modeling": report("transition_modeling", MODELED),
        }
    }
)


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    folder = tmp_path / "household" / "action_sequencing"
    folder.mkdir(parents=True)
    for path in samples():
        shutil.copy(path, folder)
    return tmp_path


def test_the_average_weighs_four_abilities_alike() -> None:
    f1 = 100 * 2 / 3
    mean = FULL.row("model")["Average", "Module SR", "world"]
    assert mean == pytest.approx((f1 + 50 + 100 + (f1 + 100) / 2) / 4)


def test_there_is_no_average_if_an_ability_is_missing() -> None:
    reports = dict(FULL.reports["world"])
    del reports["subgoal_decomposition"]
    row = Overview({"world": reports}).row("model")
    assert row["Average", "Module SR", "world"] is None


def test_the_row_has_the_columns_of_table_3() -> None:
    row = FULL.row("model")
    assert row["Action Seq.", "Task SR", "world"] == 50.0
    assert len(row) == 8
    assert FULL.table().loc["model", ("Transition M.", "Planner SR", "world")] == 100.0


def test_an_unknown_model_has_an_empty_row() -> None:
    assert set(FULL.row("nobody").values()) == {None}


@pytest.mark.heavy
def test_answers_are_found_by_suite_and_ability(outputs: Path) -> None:
    overview = evaluate_outputs(["household"], outputs)
    assert set(overview.models) == {path.stem for path in samples()}
    assert overview.value(
        "household", "action_sequencing", "task_success_rate", model="samples_careful"
    ) == pytest.approx(100 * 62 / 76)


def test_one_model_can_be_chosen(outputs: Path) -> None:
    assert evaluate_outputs(["household"], outputs, models=["samples_chatty"]).models == (
        "samples_chatty",
    )


def test_a_folder_without_answers_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no answers") as caught:
        evaluate_outputs(["household"], tmp_path)
    assert "household/action_sequencing" in str(caught.value)


@pytest.mark.heavy
def test_the_command_prints_the_row(outputs: Path, tmp_path: Path) -> None:
    arguments = ["evaluate", "household", "--model-outputs", str(outputs)]
    chosen = ["--model", "samples_careful", "--output", str(tmp_path / "out")]
    result = call(*arguments, *chosen)
    assert result.exit_code == 0, result.output
    assert "81.6" in result.output
    assert (tmp_path / "out" / "household" / "action_sequencing" / "report.html").exists()


def test_a_model_without_a_folder_of_outputs_is_a_wrong_use() -> None:
    result = call("evaluate", "household", "--model", "x")
    assert result.exit_code == 2


def test_a_file_that_is_left_out_by_its_name_is_named(outputs: Path) -> None:
    folder = outputs / "household" / "action_sequencing"
    shutil.copy(samples()[0], folder / "mine_outputs.json")
    overview = evaluate_outputs(["household"], outputs, limit=2)
    assert overview.models == ("mine",)
    [note] = [note for note in overview.notes if "left out" in note]
    assert note.startswith("household action_sequencing: samples_careful.jsonl: ")


@pytest.mark.heavy
def test_folders_that_are_not_read_are_named_with_what_may_be_meant(outputs: Path) -> None:
    shutil.copytree(outputs / "household", outputs / "houshold")
    shutil.copytree(outputs / "household" / "action_sequencing", outputs / "household" / "plans")
    shutil.copy(samples()[0], outputs / "household")
    for name in ("virtualhome", ".git", "out"):  # another suite, what is hidden, the results
        (outputs / name).mkdir()
    overview = evaluate_outputs(["household"], outputs, output=outputs / "out" / "all")
    told = "\n".join(overview.skipped)
    assert len(overview.skipped) == 3
    assert f"{outputs / 'houshold'}: skipped" in told
    assert "no suite of this name here; did you mean 'household'?" in told
    assert f"{outputs / 'household' / 'plans'}: skipped, there is no ability of household" in told
    assert f"{samples()[0].name}: skipped, files lie in folders SUITE/ABILITY" in told
    assert "skipped" in overview._repr_html_()


def test_a_model_that_is_not_found_is_named(outputs: Path) -> None:
    overview = evaluate_outputs(["household"], outputs, models=["samples_chatty", "gamma"])
    assert overview.skipped == ("there are no answers of gamma",)
    with pytest.raises(UnknownNameError, match="no model named 'chatty'") as caught:
        evaluate_outputs(["household"], outputs, models=["chatty"])
    assert "did you mean 'samples_chatty'?" in str(caught.value)


def test_nothing_but_a_misspelled_folder_is_an_error_that_names_it(outputs: Path) -> None:
    (outputs / "household").rename(outputs / "houshold")
    with pytest.raises(InputError, match="no answers") as caught:
        evaluate_outputs(["household"], outputs)
    assert "did you mean 'household'?" in str(caught.value)


def test_the_command_names_what_it_skips_on_standard_error(outputs: Path) -> None:
    shutil.copytree(outputs / "household", outputs / "houshold")
    for extra in ([], ["--quiet"]):
        done = call("evaluate", "household", "--model-outputs", outputs, *extra)
        assert done.exit_code == 0
        assert "eai: " in done.stderr
        assert "did you mean 'household'?" in done.stderr
        assert "skipped" not in done.stdout
