"""Commands on runs that were written: report, leaderboard, view, compare, explain, export."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

import eai
from eai.cli import options as opt
from eai.cli.documents import Shown, comparison_document, explanation_document, report_document
from eai.cli.output import print_json, progress, show, tell, warn
from eai.cli.reading import (
    Part,
    chosen_record,
    naming_suite_of,
    parts_of,
    record_file,
    records_of,
    run_folder,
    with_own,
)
from eai.cli.serving import run_files, serve
from eai.errors import EaiError, InputError, UnknownNameError, check_name
from eai.evaluation.overview import published_of, write_first_page
from eai.files import RECORD_COLUMNS, runs_in, writing_to
from eai.integrations.every_eval_ever import Publisher, export as export_report
from eai.report import (
    Comparison,
    Details,
    Leaderboard,
    Published,
    Reader,
    Record,
    Report,
    Setting,
    merged,
    read_published,
    reader_of,
    run_description,
)
from eai.table import Cell, Table
from eai.text import counted

app = typer.Typer()


class _Files(opt.OptionGroup):
    """Options for writing tables and for printing them."""

    html: opt.Html = None
    csv: opt.Csv = None
    latex: opt.Latex = None
    markdown: opt.Markdown = None
    wide: opt.Wide = False
    force: opt.Force = False
    json: opt.Json = False
    quiet: opt.Quiet = False

    def path_by_format(self) -> dict[str, Path]:
        """Return the requested files by format: ``{"csv": Path("table.csv")}``."""
        options = {
            "html": self.html,
            "csv": self.csv,
            "latex": self.latex,
            "markdown": self.markdown,
        }
        return {name: path for name, path in options.items() if path is not None}

    def write_leaderboard(self, board: Leaderboard) -> None:
        """Write a leaderboard to the requested files, and print it."""
        if self.wide and self.latex is None:
            raise typer.BadParameter("--wide is about LaTeX: add --latex FILE")
        if self.html is not None:
            board.to_html(self.html, force=self.force)
        if self.csv is not None:
            board.to_csv(self.csv, force=self.force)
        if self.latex is not None:
            board.to_latex(self.latex, force=self.force, wide=self.wide)
        if self.markdown is not None:
            board.to_markdown(self.markdown, force=self.force)
        if self.json:
            rows = list(map(dict, board.counts.rows))
            print_json({"rows": rows, "notes": list(board.rows.notes)})
        elif not self.quiet:
            show(board)


@opt.command(
    app,
    "eai report run                                   # the table; rewrites the run's files",
    "eai report run --model gpt --latex table.tex --markdown table.md",
    "eai report run --metric mine:terse               # with a metric of your own in mine.py",
    "eai report runs/all --ability goal_interpretation  # a part of a run of many abilities",
)
def report(
    run: opt.RunPath,
    *,
    model: opt.Models = None,
    repairs: Annotated[
        bool,
        typer.Option(
            "--repairs", help="Also show a minimal repair of every plan on the page that failed."
        ),
    ] = False,
    part: Part,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="module:attribute",
            help="A metric of your own besides the others, also on the page; may be repeated.",
        ),
    ] = None,
    files: _Files,
) -> None:
    """Print the table of a run, and rewrite its tables and its page.

    Without names of files, the run's own are overwritten: table.csv, table.tex, report.html. Those
    that cannot be written are named on standard error.
    For a run of several abilities, the table is the leaderboard.
    """
    parts = part.reports(run, model)
    reports, keys = with_own(parts.values(), metric)
    _check_metrics(keys or (), reports)
    # The same folders, now each with the report that has the user's own metrics.
    parts = dict(zip(parts, reports, strict=True))
    path_by_format = files.path_by_format()
    page = _PageOptions(part.suite, repairs=repairs, shows_progress=not files.quiet)
    # By default, the run's own files are rewritten. A single record file has none.
    if not path_by_format and run.is_dir():
        if model:
            raise typer.BadParameter(
                "--model would leave models out of the run's own files: name other files"
            )
        is_printing_enough = not (repairs or files.wide)
        unwritten = _UnwrittenFiles(may_be_left=is_printing_enough)
        _rewrite_run_files(run, parts, page, unwritten, wide=files.wide)
        unwritten.warn_of_all()
    elif repairs and files.html is None:
        raise typer.BadParameter("--repairs goes on a page: add --html FILE")
    if len(parts) > 1:
        files.write_leaderboard(Leaderboard(reports, keys or ()))
        return
    [only_report] = parts.values()
    _write_files(only_report, path_by_format, page, wide=files.wide, force=files.force)
    if files.json:
        print_json(report_document(only_report))
    elif not files.quiet:
        show(only_report)


def _check_metrics(keys: Iterable[str], reports: Iterable[Report]) -> None:
    """Raise an error for a metric that no report has."""
    known_keys: set[str] = set()
    for part_report in reports:
        known_keys.update(score.key for score in part_report.view.scores())
    for key in keys:
        check_name("metric", key, sorted(known_keys))


@dataclass(frozen=True)
class _PageOptions:
    """Options for the items on a page: the answers, with the effects of their steps.

    Args:
        suite: The suite, if the report does not lead to it.
        repairs: Whether the fewest edits that mend each plan are shown.
        shows_progress: Whether a bar is shown while the page is written.
    """

    suite: str | None
    repairs: bool
    shows_progress: bool


def _write_files(
    report: Report, files: Mapping[str, Path], page: _PageOptions, *, wide: bool, force: bool
) -> None:
    """Write a report to the requested files.

    Args:
        report: The report.
        files: Format (``"html"``, ``"latex"``, ``"csv"``, ``"markdown"``) to the file.
        page: Options for the page.
        wide: Whether LaTeX tables span both columns of a paper.
        force: Whether existing files may be replaced.
    """
    for output_format, path in files.items():
        if output_format == "html":
            _write_page(report, path, page, force=force)
        elif output_format == "csv":
            report.to_csv(path, force=force)
        elif output_format == "latex":
            report.to_latex(path, force=force, wide=wide)
        else:
            report.to_markdown(path, force=force)


def _write_page(report: Report, path: Path, page: _PageOptions, *, force: bool) -> None:
    """Write a report as HTML, with a progress bar."""
    label = f"{report.setting.suite} {report.setting.ability}: items of the page"
    with progress(label, shown=page.shows_progress) as step:
        reader = _reader_with_bar(report, page.suite, repairs=page.repairs, step=step)
        report.to_html(path, force=force, reader=reader)


def _rewrite_run_files(
    run: Path,
    parts: Mapping[Path, Report],
    page: _PageOptions,
    unwritten: _UnwrittenFiles,
    *,
    wide: bool,
) -> None:
    """Rewrite the files of a run.

    Args:
        run: The folder of the run.
        parts: The folder of each part, with its report.
        page: Options for the pages of the parts.
        unwritten: Records the files that cannot be written.
        wide: Whether LaTeX tables span both columns of a paper.
    """
    for folder, report in parts.items():
        for output_format, name in _OWN_FILES.items():
            path = folder / name
            with unwritten.recorded(path):
                _write_files(report, {output_format: path}, page, wide=wide, force=True)
    # A run of several abilities has a page above those of its parts.
    if run not in parts:
        with unwritten.recorded(run / "report.html"):
            write_first_page(eai.read_run(run), run)


_OWN_FILES = {"html": "report.html", "csv": "table.csv", "latex": "table.tex"}
"""Files in the folder of a run, by their formats."""


@dataclass
class _UnwrittenFiles:
    """Files of a run that could not be rewritten, for instance in a read-only folder.

    Args:
        may_be_left: Whether the table is printed nevertheless; else it is an error.
    """

    may_be_left: bool
    files: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def recorded(self, path: Path) -> Iterator[None]:
        """Record a file if writing it in the block fails."""
        try:
            yield
        except InputError as error:
            # Only a refusal of the system may be passed over, not a mistake in the report.
            is_refused_by_system = isinstance(error.__cause__, OSError)
            if not (is_refused_by_system and self.may_be_left):
                raise
            self.files[str(path)] = error.what

    def warn_of_all(self) -> None:
        """Print which files are unchanged, and why."""
        if not self.files:
            return
        reasons = ", ".join(dict.fromkeys(self.files.values()))
        warn(
            f"not rewritten: {', '.join(self.files)} ({reasons}); "
            "--html, --csv, --latex and --markdown write files elsewhere"
        )


def _reader_with_bar(
    report: Report, suite: str | None, *, repairs: bool, step: Callable[[int, int], None] | None
) -> Reader | None:
    """Return a function that computes item details with a progress bar, or None.

    Args:
        report: The report.
        suite: The suite, if the report does not lead to it.
        repairs: Whether it finds the fewest edits that mend a plan, too.
        step: Shows on a bar how many answers are read.
    """
    try:
        reader = reader_of(report, suite, repairs=repairs)
    except EaiError as error:
        if suite is not None or repairs:
            raise
        warn(
            f"the page does not show what steps change: {error.what} (name the suite with --suite)"
        )
        return None
    if reader is None or step is None:
        return reader
    # Answers are read while the page is written, so their number is the progress of the page.
    numbers = count(1)

    def read_with_bar(record: Record) -> Details | None:
        details = reader(record)
        step(next(numbers), len(report.records))
        return details

    return read_with_bar


@opt.command(
    app,
    "eai leaderboard runs/all                         # a row a model, a column an ability",
    "eai leaderboard runs/a runs/b --latex board.tex  # fits a column of a paper; --wide: both",
    "eai leaderboard runs/all --metric overall_f1 --metric task_success_rate --average",
)
def leaderboard(
    runs: Annotated[list[Path], opt.path_argument("RUN", "Folders of runs, or of parts of them.")],
    *,
    model: opt.Models = None,
    part: Part,
    metric: opt.Metrics = None,
    average: Annotated[
        bool, typer.Option("--average", help="Also the mean over all columns.")
    ] = False,
    published: Annotated[
        Path | None,
        opt.path_option(
            "Published results to add: 'suite' for those that come with the suites, or CSV "
            "with model, suite, ability, metric, value, semantics, source."
        ),
    ] = None,
    files: _Files,
) -> None:
    """Rank the models of one or more runs: one row per model, one column per suite and ability.

    The models of runs under the same conditions share a column; other conditions
    have a column of their own.
    """
    all_reports: list[Report] = []
    for run in runs:
        all_reports += part.reports(run, model).values()
    reports, keys = with_own(all_reports, metric)
    published_rows: Sequence[Published] = ()
    is_own_file = published is not None and str(published) != "suite"
    if published is not None:
        published_rows = read_published(published) if is_own_file else published_of(reports)
    board = Leaderboard(merged(reports), keys or (), average, published_rows)
    # A suite has numbers of many metrics; whoever gives a file wants to see all of its rows.
    if is_own_file and board.unused:
        first = board.unused[0]
        warn(
            f"left out: {counted(len(board.unused), 'published number')} of no column, such as "
            f"that of {first.suite} {first.ability} {first.metric}"
        )
    files.write_leaderboard(board)


@opt.command(app, "eai view run")
def view(
    run: opt.RunPath,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address only.")
    ] = False,
) -> None:
    """Serve a run's page to this machine only, and print the address; Ctrl-C ends it.

    Only the files of the run are served, on a free port.
    """
    folder = run_folder(run)
    files = run_files(folder)
    if "report.html" not in files:
        records_of(run)  # says what to do if there is no run
        raise InputError("this run has no page", where=str(run), mend=f"eai report {folder}")
    serve(files, browser=not no_browser)


class _ComparisonOptions(opt.OptionGroup):
    """Options for comparing models."""

    metric: opt.Metrics = None
    answered: Annotated[
        bool,
        typer.Option(
            "--answered",
            help="Only tasks that both models answered; by default a missing answer is a failure.",
        ),
    ] = False
    draws: Annotated[
        int, typer.Option(help="Exchanges drawn for a p-value where all are too many to count.")
    ] = 10_000
    seed: opt.Seed = 0


@opt.command(
    app,
    "eai compare run                                  # the models of one run",
    "eai compare run --model gpt --model llama        # with intervals and conclusions",
    "eai compare before after --metric task_success_rate",
)
def compare(
    run: opt.RunPath,
    other: Annotated[
        Path | None,
        opt.path_argument(
            "OTHER", "Another run; without it, the models of the first are compared."
        ),
    ] = None,
    *,
    model: opt.Models = None,
    part: Part,
    comparing: _ComparisonOptions,
    shown: Shown,
) -> None:
    """Compare models task by task: differences, intervals, significance tests.

    With one run, its models are compared in pairs. With two runs, each model is compared with
    itself, or with every model of the other run if no name is in both. Four or more models are
    shown as a matrix.
    """
    reports, keys = with_own(part.reports(run, model).values(), comparing.metric)
    # Reports of the other run by suite and ability, under which they are looked up.
    other_reports: dict[tuple[str, str], Report] = {}
    if other is not None:
        if run_folder(run).resolve() == run_folder(other).resolve():
            warn("both runs are the same; eai compare RUN compares the models of one run")
        reports_of_other, _ = with_own(part.reports(other, model).values(), comparing.metric)
        other_reports = {_suite_and_ability(report): report for report in reports_of_other}
    settings: list[Setting] = []
    comparisons: list[Comparison] = []
    for report, counterpart, metrics in _reports_to_compare(reports, other_reports, keys):
        comparison = report.compare(
            counterpart,
            metrics=metrics,
            answered=comparing.answered,
            draws=comparing.draws,
            seed=comparing.seed,
        )
        settings.append(report.setting)
        comparisons.append(comparison)
    if not comparisons:
        raise InputError(
            "there is nothing to compare",
            where=str(run),
            expected="an ability that has the metric, and two models, or one model in both runs",
        )
    if shown.csv is not None:
        table = comparisons[0].rows
        if len(reports) > 1:
            table = _joined_rows(settings, comparisons)
        table.to_csv(shown.csv, force=shown.force)
    if shown.json:
        documents = list(map(comparison_document, comparisons))
        if len(reports) == 1:
            print_json(documents[0])
        else:
            print_json({"comparisons": documents})
        return
    for comparison in comparisons:
        show(comparison)


def _joined_rows(settings: Sequence[Setting], comparisons: Sequence[Comparison]) -> Table:
    """Return the differences in all parts of a run as one table."""
    parts = []
    for setting, comparison in zip(settings, comparisons, strict=True):
        columns: dict[str, Cell] = {"suite": setting.suite, "ability": setting.ability}
        parts.append((columns, comparison.rows))
    return Table.joined("", parts)


def _suite_and_ability(report: Report) -> tuple[str, str]:
    """Return the suite and the ability of a report, by which reports of two runs are matched."""
    return report.setting.suite, report.setting.ability


def _reports_to_compare(
    reports: Sequence[Report],
    other_reports: Mapping[tuple[str, str], Report],
    metrics: Sequence[str] | None,
) -> Iterator[tuple[Report, Report | None, Sequence[str] | None]]:
    """Yield (report, counterpart in the other run, metrics to compare).

    The counterpart is None if the models of one report are compared. A single report is always
    yielded, so that the comparison can tell what is wrong with it.

    Args:
        reports: The reports of the first run.
        other_reports: The reports of the other run, by suite and ability; empty for one run.
        metrics: Keys of the metrics to compare; None for all.
    """
    for report in reports:
        counterpart = other_reports.get(_suite_and_ability(report))
        # A second run of another ability is passed on, so that the comparison says what differs.
        if len(reports) == 1:
            if counterpart is None:
                counterpart = next(iter(other_reports.values()), None)
            yield report, counterpart, metrics
            continue
        if other_reports and counterpart is None:
            continue
        if not other_reports and len(report.models) < 2:
            continue
        if metrics is None:
            yield report, counterpart, None
            continue
        known_keys = {score.key for score in report.view.scores()}
        own_metrics = [key for key in metrics if key in known_keys]
        if own_metrics:
            yield report, counterpart, own_metrics


@opt.command(app, "eai explain run TASK --model gpt")
def explain(
    run: opt.RunPath,
    task: Annotated[
        str | None, typer.Argument(metavar="TASK", help="Identifier of the task.")
    ] = None,
    *,
    model: opt.Model = None,
    part: Part,
    rules: opt.Rules = None,
    json: opt.Json = False,
) -> None:
    """Explain one evaluated answer step by step: what changed, what failed and why."""
    names = {"suite": part.suite, "ability": part.ability, "model": model, "task": task}
    record = chosen_record(run, names, command="explain")
    applied_rules: object = rules
    if rules is None and record.result.rules:
        applied_rules = _rules_of_run(run, record)
    with naming_suite_of(run):
        explanation = eai.explain(record, suite=part.own, rules=applied_rules)
    tell(explanation_document(explanation), str(explanation), json=json)


def _rules_of_run(run: Path, record: Record) -> Sequence[object] | None:
    """Return the rules of a run on which a record has verdicts, or None if it has none.

    Rules of the task itself are known without the run.
    """
    # By their names: a run may have had other rules for other parts.
    judged_names = {rule.name for rule in record.result.rules}
    rules: dict[str, object] = {}
    folders = [run.parent]  # of a record file
    if not run.is_file():
        folders = runs_in(run)
    for folder in folders:
        for rule in run_description(folder).get("rules") or ():
            if rule["name"] in judged_names:
                rules[rule["name"]] = rule
    return list(rules.values()) or None


class _PublisherOptions(opt.OptionGroup):
    """Options for the metadata of a published run."""

    organization: Annotated[
        str | None, typer.Option(help="Who ran the evaluation; required without --parquet.")
    ] = None
    relationship: Annotated[
        Literal["first_party", "third_party", "collaborative", "other"] | None,
        typer.Option(help="Relationship of who ran it to who made the model; by default other."),
    ] = None
    url: Annotated[str | None, typer.Option(help="Address of who ran it.")] = None
    developer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL=NAME",
            help="Who made a model; by default the part of its name before a slash.",
        ),
    ] = None
    timestamp: Annotated[
        float | None,
        typer.Option(
            callback=opt.finite, help="When it was run, in seconds since 1970; by default now."
        ),
    ] = None

    @property
    def is_given(self) -> bool:
        """Whether any of the options is given."""
        return any(value is not None for value in vars(self).values())

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments of the export.

        Raises:
            BadParameter: If it is not said who ran the evaluation.
        """
        if self.organization is None:
            raise typer.BadParameter(
                "--organization NAME says who ran the evaluation (or --parquet)"
            )
        publisher = Publisher(self.organization, self.relationship or "other", self.url or "")
        developers = _read_developers(self.developer or ())
        return {"publisher": publisher, "developers": developers, "timestamp": self.timestamp}


class _ExportFiles(opt.OptionGroup):
    """Options for the files of an exported run."""

    output: Annotated[
        Path | None,
        opt.output_option(
            "Folder in which the folder data is made, by default here.", metavar="FOLDER"
        ),
    ] = None
    force: opt.Force = False


@opt.command(
    app,
    'eai export run --organization "Our lab" --developer gpt=OpenAI',
    "eai export run --parquet                         # run/records.parquet; report reads it",
)
def export(
    run: opt.RunPath,
    *,
    parquet: Annotated[
        bool,
        typer.Option(
            "--parquet",
            help="Write the records as columns: records.parquet, by default in the run's folder.",
        ),
    ] = False,
    publishing: _PublisherOptions,
    files: _ExportFiles,
    model: opt.Models = None,
    part: Part,
    json: opt.Json = False,
) -> None:
    """Write a run in the format of Every Eval Ever 0.3, and print the names of the files.

    With --parquet the records of every part of the run become a table of typed columns, from which
    other programs read the columns that they need (extra tables).
    """
    written: list[Path] = []
    if parquet:
        # Columns are those of whole files of records, so nothing can be chosen among them.
        chooses_records = any(option is not None for option in (model, part.suite, part.ability))
        if publishing.is_given or chooses_records:
            raise typer.BadParameter(
                "--parquet writes all records of a run: leave out all options but --output, --force"
            )
        written += _export_columns(run, files.output, force=files.force)
    else:
        options = publishing.options()
        reports = list(part.reports(run, model).values())
        _check_developers(options["developers"], reports)
        folder = files.output or Path()
        for part_report in reports:
            written += export_report(part_report, folder, force=files.force, **options)
    tell({"files": written}, "\n".join(map(str, written)), json=json)


def _check_developers(developers: Iterable[str], reports: Iterable[Report]) -> None:
    """Raise an error if a developer is named for a model that no report has."""
    models: set[str] = set()
    for report in reports:
        models.update(report.models)
    for name in developers:
        if name not in models:
            raise UnknownNameError("model", name, models, where="--developer")


def _read_developers(words: Iterable[str]) -> dict[str, str]:
    """Return the developer of each model from words like ``MODEL=NAME``."""
    developers = {}
    for word in words:
        # A name of a model may have an equals sign in it, a developer's hardly.
        model, _, developer = word.rpartition("=")
        if not (model and developer):
            raise typer.BadParameter(f"--developer: {word!r} is not MODEL=NAME")
        developers[model] = developer
    return developers


def _export_columns(run: Path, output: Path | None, *, force: bool) -> list[Path]:
    """Write the records of a run as Parquet files, and return their paths.

    Raises:
        InputError: If there is no run, or several parts would become one file.
    """
    from eai.report import write_columns  # takes pydantic

    sources = [record_file(part) for part in parts_of(run)]
    if output is not None and len(sources) > 1:
        raise InputError(
            f"the run has {len(sources)} parts, and each becomes a file of this name",
            where=str(output),
            mend="leave --output out, or name a part: " + str(sources[0].parent),
        )
    files = []
    for source in sources:
        folder = output or source.parent
        with writing_to(folder):
            folder.mkdir(parents=True, exist_ok=True)
        written = write_columns(source, folder / RECORD_COLUMNS, force=force)
        if written.warning:
            warn(written.warning)
        files.append(written.path)
    return files
