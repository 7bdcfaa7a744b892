"""``eai audit``: faults in recorded runs and in tables of results."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer

from eai.cli import options as opt
from eai.cli.output import print_json, say
from eai.cli.reading import is_run, named_suite
from eai.contract import (
    Audit,
    AuditFinding,
    LeftOut,
    PredictionProblem,
    Suite,
    extension,
    needed_extension,
)
from eai.contract.registry import suite as find_suite, suites
from eai.errors import InputError
from eai.plugins import announced
from eai.predictions import Predictions, load_all
from eai.text import counted

app = typer.Typer()


@opt.command(
    app,
    "eai audit running/ENVIRONMENT/MODEL",
    "eai audit submission.zip --json",
    "eai audit --table results.csv --suite SUITE",
)
def audit(
    path: Annotated[
        Path | None, opt.path_argument("PATH", "A folder of runs, a log, trajectories, or a zip.")
    ] = None,
    table: Annotated[
        Path | None, opt.path_option("Audit a table of results (CSV) instead.", "--table")
    ] = None,
    suite: Annotated[
        str | None, typer.Option(help="The suite; by default every suite that can read such runs.")
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on", help="Exit code 1 if there is a finding of this kind (or `any`)."
        ),
    ] = None,
    show_left_out: Annotated[
        bool, typer.Option("--show-left-out", help="List the files that were not used.")
    ] = False,
    json: opt.Json = False,
) -> None:
    """List faults in recorded runs: missing, foreign, interrupted or mis-scored episodes.

    Below the findings stands the success rate that the logs claim, once out of the episodes that
    were found and once out of all tasks.
    """
    # Exactly one of the two.
    if (path is None) is (table is None):
        raise InputError("nothing to audit", expected="either PATH or --table FILE")
    if path is not None and is_run(path):
        mend = f"audit the logs that it was evaluated from; eai report {path} prints its table"
        raise InputError("this is a run of eai", where=str(path), mend=mend)
    audited = _AuditResult()
    if table is not None:
        for finding in _findings_in_table(table, suite):
            audited.findings.append(("", finding))
    elif path is not None:
        audited = _audit_runs(path, suite)
    if json:
        print_json(audited.document())
    else:
        _say_findings(audited.findings)
        _say_rates(audited.rates)
        _say_left_out(audited.left_out, listed=show_left_out)
    if _has_kind(audited.findings, fail_on or ()):
        raise typer.Exit(1)


def _has_kind(findings: Sequence[tuple[str, AuditFinding]], kinds: Sequence[str]) -> bool:
    """Return whether a finding is of one of some kinds; ``any`` stands for all of them."""
    if "any" in kinds:
        return bool(findings)
    return any(finding.kind in kinds for _, finding in findings)


def _say_findings(findings: Sequence[tuple[str, AuditFinding]]) -> None:
    """Print a line for each finding, and the number of findings of each kind."""
    counts: Counter[str] = Counter()
    for model, finding in findings:
        counts[finding.kind] += 1
        subject = finding.task
        if model:
            subject = f"{model}: {finding.task}"
        say(f"{finding.where or '-'}: {finding.kind}: {subject}: {finding.message}")
    summary = counted(len(findings), "finding")
    if counts:
        amounts = [f"{kind} {count}" for kind, count in counts.most_common()]
        summary += f": {', '.join(amounts)}"
    say(summary)


def _say_rates(rates: Mapping[str, Mapping[str, Any]]) -> None:
    """Print the success rates that the logs claim."""
    for name, row in rates.items():
        say(
            f"{name}: solved {row['files']:.1f} % of the episodes found, "
            f"{row['tasks']:.1f} % of all tasks"
        )


def _findings_in_table(path: Path, suite: str | None) -> Iterator[AuditFinding]:
    """Yield the problems in a table of results, found by the suite that audits tables."""
    # A suite takes rows that do not name one for its own; here nobody has chosen it.
    rows = [{**row, "suite": row.get("suite", suite or "")} for row in _table_rows(path)]
    auditing_suite, audits = _suite_with_table_audit(suite)
    if audits.table is None:
        raise InputError(f"the suite {auditing_suite.name!r} has no tables of results to audit")
    for finding in audits.table(auditing_suite, rows):
        yield finding._replace(where=f"{path}, {finding.where}")


def _suite_with_table_audit(name: str | None) -> tuple[Suite, Audit]:
    """Return the named suite, or the first one that audits tables, with its audits."""
    if not name:
        return next((suite, audits) for suite, audits in _auditing_suites() if audits.table)
    suite = named_suite(name)
    return suite, needed_extension("eai.audits", suite, lacks="has nothing to audit")


_DELIMITERS = (",", ";", "\t", "|")


def _table_rows(path: Path) -> list[dict[str, str]]:
    """Read a table: CSV with any usual delimiter, or the first table of a Markdown file."""
    expected = "CSV or a Markdown table with a line of headings"
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        if any(line.strip().startswith("|") for line in lines):
            lines = _rows_of_markdown(lines)
        headings = ""
        if lines:
            headings = lines[0]
        # Headings rarely have these characters in them, unlike cells.
        delimiter = max(_DELIMITERS, key=headings.count)
        rows = list(csv.DictReader(lines, delimiter=delimiter))
    except (UnicodeDecodeError, csv.Error) as error:
        text = f"it is not a table in UTF-8 ({error})"
        raise InputError(text, where=str(path), expected=expected) from error
    if not rows:
        raise InputError("there is no row in it", where=str(path), expected=expected)
    return list(map(_plain_row, rows))


def _rows_of_markdown(lines: Iterable[str]) -> list[str]:
    """Return the rows of a Markdown table without its outer bars and its rule."""
    rows = []
    for line in lines:
        row = line.strip()
        is_rule = set(row) <= set("|-: ")
        if row.startswith("|") and not is_rule:
            rows.append(row.strip("|"))
    return rows


def _plain_row(row: Mapping[str | None, str | None]) -> dict[str, str]:
    """Return the cells of a row by heading, without Markdown padding and emphasis."""
    plain_row = {}
    for heading, cell in row.items():
        if heading:  # cells beyond the headings stand under None
            # " **GPT-4o** " -> "GPT-4o"
            plain_row[heading.strip(" *`")] = (cell or "").strip(" *`")
    return plain_row


@dataclass
class _AuditResult:
    """The result of an audit: faults, rates and unused files.

    Args:
        findings: The faults, each with its model.
        rates: Model and suite to the rates that the logs claim, in percent of the episodes found
            and of all tasks.
        left_out: The files that were not used.
    """

    findings: list[tuple[str, AuditFinding]] = field(default_factory=list)
    rates: dict[str, dict[str, Any]] = field(default_factory=dict)
    left_out: dict[LeftOut, None] = field(default_factory=dict)

    def document(self) -> dict[str, object]:
        """Return the result as a JSON value."""
        findings = []
        for model, finding in self.findings:
            findings.append({"model": model, **finding._asdict()})
        left_out = [asdict(file) for file in self.left_out]
        return {"findings": findings, "rates": self.rates, "left_out": left_out}


def _audit_runs(path: Path, suite: str | None) -> _AuditResult:
    """Audit recorded runs.

    Args:
        path: The runs.
        suite: Name of the suite; by default every suite that audits such runs.
    """
    only_suite = None
    if suite:
        only_suite = named_suite(suite)
        needed_extension("eai.audits", only_suite, lacks="has nothing to audit")
    auditing_suites = _auditing_suites(only_suite)
    audited = _AuditResult()
    # Models of one source share its problems, which are reported once.
    reported: set[PredictionProblem] = set()
    for predictions in load_all(path):
        for problem in predictions.problems:
            if isinstance(problem, LeftOut):
                audited.left_out[problem] = None
            elif problem not in reported:
                reported.add(problem)
                unreadable = AuditFinding("unreadable", "-", problem.message, problem.where)
                audited.findings.append((predictions.model, unreadable))
        _audit_episodes(predictions, auditing_suites, audited)
    # Without an error, a file of another kind would look like a log without faults.
    if not audited.findings and not audited.rates:
        names = ", ".join(suite.name for suite, _ in auditing_suites)
        raise InputError(
            "there is no recorded episode here",
            where=str(path),
            expected=f"the logs of a run in {names}",
            mend="eai evaluate SUITE FILE evaluates answers",
        )
    return audited


def _audit_episodes(
    predictions: Predictions,
    auditing_suites: Iterable[tuple[Suite, Audit]],
    audited: _AuditResult,
) -> None:
    """Audit a model's episodes with every suite that may have recorded them.

    Args:
        predictions: The episodes.
        auditing_suites: The suites, with their audits.
        audited: The findings and the rates are added to it.
    """
    model = predictions.model
    claimed_shares: list[dict[str, float]] = []
    for suite, audits in auditing_suites:
        for finding in audits.episodes(suite, predictions.items):
            audited.findings.append((model, finding))
        counts_by_group = audits.rates(suite, predictions.items)
        if not counts_by_group:
            continue
        shares = _claimed_shares(counts_by_group)
        claimed_shares.append(shares)
        audited.rates[f"{model} {suite.name}"] = {**shares, "groups": dict(counts_by_group)}
    # A benchmark of several environments publishes their mean, too.
    if len(claimed_shares) > 1:
        audited.rates[f"{model} mean"] = {
            "files": fmean(shares["files"] for shares in claimed_shares),
            "tasks": fmean(shares["tasks"] for shares in claimed_shares),
        }


def _claimed_shares(counts_by_group: Mapping[str, Sequence[int]]) -> dict[str, float]:
    """Return the solved share in percent, of found episodes and of all tasks.

    >>> _claimed_shares({"base": (9, 50, 50), "complex": (7, 48, 50)})["tasks"]
    16.0

    Args:
        counts_by_group: Group to the numbers of solved episodes, of episodes, and of tasks.
    """
    solved = sum(counts[0] for counts in counts_by_group.values())
    episodes = sum(counts[1] for counts in counts_by_group.values())
    tasks = sum(counts[2] for counts in counts_by_group.values())
    return {"files": _percent(solved, episodes), "tasks": _percent(solved, tasks)}


def _percent(number: float, total: float) -> float:
    """Return a share in percent; 0 of nothing."""
    return 100 * number / max(total, 1)


def _auditing_suites(only_suite: Suite | None = None) -> list[tuple[Suite, Audit]]:
    """Return the suites that audit recorded episodes, with their audits."""
    candidates = []
    if only_suite is not None:
        candidates.append(only_suite)
    else:
        for name in announced("eai.audits"):
            # A scheme ("pddl") is not a suite without a path.
            if suites().announces(name):
                candidates.append(find_suite(name))
    auditing_suites = []
    for suite in candidates:
        audits = extension("eai.audits", suite)
        if audits is not None:
            auditing_suites.append((suite, audits))
    return auditing_suites


def _say_left_out(left_out: Iterable[LeftOut], *, listed: bool) -> None:
    """Print how many files were unused and why, with their names if requested."""
    counts: Counter[str] = Counter()
    for file in left_out:
        counts[file.message] += file.count
        if listed:
            say(f"{file.where}: left out: {file.message}")
    for reason, count in counts.items():
        say(f"{counted(count, 'file')} left out: {reason}")
