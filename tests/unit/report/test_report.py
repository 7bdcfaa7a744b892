"""The report as an object: grouping, counting, the data frame, and refusing mixtures."""

import subprocess
import sys
from dataclasses import replace

import pytest
from report_samples import SOLVED, STOPPED, record, sample_report

from eai.diagnosis import Result
from eai.errors import InputError, MissingExtraError, UnknownNameError
from eai.report import Record, Report, Setting
from eai.report.tables import small_print

OTHER = record(SOLVED, task="t2")


def test_models_keep_the_order_of_their_first_records() -> None:
    report = Report([record(SOLVED, model=m, task=t) for t in "xy" for m in ("zeta", "alpha")])
    assert report.models == ("zeta", "alpha")
    assert [each.task for each in report.of("alpha")] == ["x", "y"]


def test_counts_and_metrics_are_per_model() -> None:
    report = sample_report()
    assert report.tally("alpha").tasks == 4
    assert report.metrics("beta & co")[0].value == 100.0
    assert report.official_summary("alpha")["goal_evaluation"]["task_success_rate"] == 25.0


def test_failures_are_what_was_not_solved_and_not_excluded() -> None:
    report = sample_report()
    assert [each.task for each in report.failures()] == ["t1", "t2", "t3"]
    assert [each.task for each in report.failures("alpha", missing=False)] == ["t1", "t2"]
    assert report.failures("beta & co") == ()
    assert Report([record(Result("excluded"))]).failures() == ()


def test_failures_with_an_answer_come_before_those_without() -> None:
    missing = [record(Result("missing"), task=f"t{number}") for number in range(3)]
    answered = record(Result("evaluated"), task="t9")
    other = record(Result("evaluated"), task="t0", model="other")
    report = Report([*missing, answered, other])
    assert report.failures() == (answered, other, *missing)
    assert report.failures(missing=False) == (answered, other)


def test_collections_of_records_are_shown_in_short() -> None:
    report = Report(
        record(Result("evaluated", success=n < 40), task=f"t{n}", output="x" * 9999)
        for n in range(342)
    )
    assert repr(report.records) == "<342 records of alpha: 302 not solved, 40 solved>"
    assert repr(report.failures()) == "<302 records of alpha: 302 not solved>"
    assert repr(report.records[0]) == (
        "<Record: household t0 (action_sequencing) of alpha, solved>"
    )
    assert len(report.failures()._repr_html_()) < 5_000
    assert repr(Report([]).failures()) == "<0 records of 0 models>"


def test_the_setting_is_read_from_the_records() -> None:
    report = sample_report()
    assert report.setting == Setting(
        "household", "1.0", "action_sequencing", "official (eai-eval 1.0.5)"
    )
    assert repr(report) == (
        "<Report: 10 records of 2 models, suite household 1.0, ability action_sequencing, "
        "semantics official (eai-eval 1.0.5)>"
    )


@pytest.mark.parametrize(
    "other",
    [
        replace(OTHER, suite="virtualhome"),
        replace(OTHER, version="2.0"),
        replace(OTHER, ability="goal_interpretation"),
        replace(OTHER, semantics="strict"),
    ],
)
def test_records_of_different_runs_are_not_mixed(other: Record) -> None:
    with pytest.raises(InputError, match="cannot mix"):
        Report([record(SOLVED), other])


def test_records_must_fit_the_given_setting() -> None:
    with pytest.raises(InputError, match="cannot mix"):
        Report([record(SOLVED)], setting=Setting("virtualhome"))


def test_two_records_of_one_task_are_refused() -> None:
    with pytest.raises(InputError, match="two records of the task 't1'"):
        Report([record(SOLVED), record(STOPPED)])


def test_an_unknown_model_gets_a_suggestion() -> None:
    report = sample_report()
    for ask in (report.tally, report.of, report.metrics, report.failures):
        with pytest.raises(UnknownNameError, match="did you mean 'alpha'"):
            ask("alhpa")


def test_the_data_frame_has_a_row_a_model_and_the_papers_columns() -> None:
    frame = sample_report().table()
    assert list(frame.index) == ["alpha", "beta & co"]
    assert list(frame.columns) == [
        "Task SR",
        "State Goal",
        "Relation Goal",
        "Action Goal",
        "Total Goal",
        "Execution SR",
        "Parsing",
        "Hallucination",
        "Predicate-Arg Num",
        "Wrong Order",
        "Missing Step",
        "Affordance",
        "Additional Step",
        "Tasks",
        "Excluded",
        "Missing",
        "State Goals",
        "Relation Goals",
        "Action Goals",
        "Total Goals",
    ]
    assert frame.loc["alpha", ["Task SR", "Total Goal", "Tasks"]].tolist() == [
        25.0,
        pytest.approx(100 * 4 / 12),
        4,
    ]
    assert frame.attrs["semantics"] == "official (eai-eval 1.0.5)"
    assert frame.attrs["package_version"] == "0.1.0"


def test_undefined_values_are_nan_in_the_data_frame() -> None:
    frame = Report([record(replace(SOLVED, goals=()))]).table()
    assert frame["Action Goal"].isna().all()
    assert Report([]).table().empty


def test_without_pandas_the_install_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match="pip install pandas"):
        sample_report().table()


def test_the_package_version_is_known_or_said_to_be_unknown() -> None:
    assert Report([]).package_version


def test_a_report_loads_nothing_heavy_until_it_is_shown() -> None:
    check = (
        "import sys, eai.report.report; heavy = {'pandas', 'pydantic', 'rich'};"
        "sys.exit(' '.join(heavy & sys.modules.keys()) or None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("count", [0, 1, 19, 20, 21, 40])
def test_twenty_notes_are_listed_and_the_others_counted(count: int) -> None:
    notes = [f"note number {number}" for number in range(count)]
    plain = small_print(Report([record(SOLVED)]))
    lines = small_print(Report([record(SOLVED)], notes))[len(plain) :]
    assert lines[:20] == notes[:20]
    assert len(lines) == min(count, 20) + (count > 20)
    if count > 20:
        assert lines[20].startswith(f"{count - 20} ")


@pytest.mark.parametrize(("count", "named"), [(2, 2), (10, 10), (11, 10), (15, 10)])
def test_ten_models_are_named_before_a_note_about_them(count: int, named: int) -> None:
    models = [f"m{number:02}" for number in range(count)]
    records = [record(SOLVED, model=model) for model in models]
    line = small_print(Report(records, [f"{model}: it is slow" for model in models]))[-1]
    names, _, text = line.partition(": ")
    assert text == "it is slow"
    assert names.split(" and ")[0].split(", ") == models[:named]
    assert (" and " in names) is (count > named)
