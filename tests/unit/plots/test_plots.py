"""Pictures: what is drawn, what is refused, and that names steer nothing."""

import sys
from pathlib import Path

import pytest
from needs import package
from report_samples import SOLVED, STOPPED, record, sample_report

import eai
from eai.diagnosis import ErrorKind, Finding, Result
from eai.errors import InputError, MissingExtraError
from eai.evaluation.overview import Overview
from eai.plots import (
    plot_abilities,
    plot_categories,
    plot_comparison,
    plot_errors,
    plot_success_by_length,
    plot_truth,
)
from eai.report import Report

package("matplotlib", extra="plot")

WHITE = (1.0, 1.0, 1.0, 1.0)
SUITE = eai.suite("household")
TASK = SUITE.task("studio-01")
GOOD = '[{"WALK": ["light", "34"]}, {"SWITCHON": ["light", "34"]}]'


@pytest.fixture(scope="module")
def report() -> Report:
    """Two models on two tasks of the embedded suite."""
    answers = {"good": {"studio-01": GOOD}, "$bad_": {"studio-01": "no plan"}}
    return eai.evaluate("household", answers)


def texts(figure: object) -> set[str]:
    """All texts of a figure."""
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    assert isinstance(figure, Figure)
    return {each.get_text() for each in figure.findobj(Text) if isinstance(each, Text)}


def test_errors_are_bars_that_add_up_to_all_items(report: Report) -> None:
    figure = plot_errors(report)
    widths = dict.fromkeys(report.models, 0.0)
    for bar in figure.axes[0].patches:
        row = round(bar.get_y() + bar.get_height() / 2)  # type: ignore[attr-defined]
        widths[report.models[row]] += bar.get_width()  # type: ignore[attr-defined]
    assert widths == pytest.approx({"good": 100, "$bad_": 100})
    assert {"solved", "no answer", "parsing"} <= texts(figure)


@pytest.mark.parametrize("kind", ErrorKind)
def test_the_bar_of_every_kind_of_error_can_be_seen(kind: ErrorKind) -> None:
    failed = Result("evaluated", findings=(Finding(kind, "as it is"),))
    [bar] = plot_errors(Report([record(failed)])).axes[0].patches
    assert bar.get_facecolor() != WHITE


def test_a_step_that_is_only_superfluous_is_not_what_stopped_an_item() -> None:
    said = texts(plot_errors(Report([record(STOPPED)])))
    assert "wrong order" in said
    assert "additional step" not in said


def test_success_is_drawn_for_bins_of_plan_lengths(report: Report) -> None:
    figure = plot_success_by_length(report, SUITE, bins=3)
    ticks = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert len(ticks) == 3
    assert ticks[0].startswith("1")


def test_the_largest_categories_come_first(report: Report) -> None:
    figure = plot_categories(report, most=5)
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    sizes = [int(name.rpartition("(")[2].rstrip(")")) for name in names]
    assert len(names) == 5
    assert sizes == sorted(sizes, reverse=True)
    assert any("smaller ones not drawn" in each for each in texts(figure))


def test_titles_say_what_is_seen(report: Report) -> None:
    for draw, said in ((plot_errors, "How answers end"), (plot_categories, "Tasks solved in each")):
        [title] = [text for text in texts(draw(report)) if "suite household" in text]
        assert title.startswith(said)


def of_models(number: int) -> Report:
    """Models of which each solves two tasks more than the last."""
    return Report(
        record(SOLVED if task < 2 * model else STOPPED, model=f"m{model}", task=str(task))
        for model in range(number)
        for task in range(2 * number)
    )


def test_few_models_are_compared_with_intervals_and_many_in_a_matrix() -> None:
    few = plot_comparison(of_models(5).compare()).axes[0]
    assert len(few.get_yticklabels()) == 10
    full = [line.get_markerfacecolor() != "white" for line in few.lines if line.get_marker() == "o"]
    compared = of_models(5).compare()
    assert full == [each.significant for each in compared.differences]
    many = plot_comparison(of_models(6).compare())
    [image] = many.axes[0].images
    assert image.get_size() == (6, 6)
    assert "-17" in texts(many)
    with pytest.raises(InputError, match="no difference in other"):
        plot_comparison(compared, metric="other")


def test_a_matrix_of_a_comparison_is_coloured_in_a_notebook() -> None:
    text = of_models(4).compare()._repr_html_()
    assert 'background: rgb(0 114 178 / 0.25)">+25</td>' in text
    assert 'background: rgb(213 94 0 / 0.25)">-25</td>' in text


def test_the_truth_of_a_goal_is_drawn_over_time(report: Report) -> None:
    solved = next(each for each in report.of("good") if each.task == "studio-01")
    assert texts(plot_truth(solved))
    with pytest.raises(InputError, match="there is no picture of studio-02"):
        plot_truth(next(each for each in report.of("good") if each.task == "studio-02"))


@pytest.mark.heavy
def test_abilities_are_a_radar_of_at_least_three_metrics(report: Report) -> None:
    overview = Overview(
        {
            "household": {
                "action_sequencing": report,
                "goal_interpretation": eai.evaluate(
                    "household",
                    {"good": {"studio-01": "{}"}},
                    ability="goal_interpretation",
                ),
            }
        }
    )
    assert "good" in texts(plot_abilities(overview, "household"))
    with pytest.raises(InputError, match="0 metrics of the suite 'elsewhere'"):
        plot_abilities(overview, "elsewhere")


def test_names_with_dollars_are_shown_as_they_are(report: Report, tmp_path: Path) -> None:
    figure = plot_errors(report)
    figure.savefig(tmp_path / "errors.png")
    assert r"\$bad_" in texts(figure)


def test_nothing_is_not_drawn() -> None:
    with pytest.raises(InputError, match="nothing to draw"):
        plot_categories(Report([]))


def test_without_matplotlib_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match="pip install matplotlib"):
        plot_errors(sample_report())
