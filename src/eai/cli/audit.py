"""``eai audit``: faults in recorded runs and in tables of results."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
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
from eai.predictions import load_all
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
    if (path is None) is (table is None):
        raise InputError("nothing to audit", expected="either PATH or --table FILE")
    if path is not None and is_run(path):
        mend = f"audit the logs that it was evaluated from; eai report {path} prints its table"
        raise InputError("this is a run of eai", where=str(path), mend=mend)
    rates: dict[str, dict[str, Any]] = {}
    left_out: dict[LeftOut, None] = {}
    if table is not None:
        findings = [("", each) for each in _of_table(table, suite)]
    elif path is not None:
        findings = list(_of_runs(path, suite, rates, left_out))
    if json:
        listed = [{"model": model, **each._asdict()} for model, each in findings]
        unused = [asdict(each) for each in left_out]
        print_json({"findings": listed, "rates": rates, "left_out": unused})
    else:
        for model, each in findings:
            of = f"{model}: " if model else ""
            say(f"{each.where or '-'}: {each.kind}: {of}{each.task}: {each.message}")
        counts = Counter(each.kind for _, each in findings)
        shown = ", ".join(f"{kind} {number}" for kind, number in counts.most_common())
        say(f"{counted(len(findings), 'finding')}{': ' if shown else ''}{shown}")
        for name, row in rates.items():
            say(
                f"{name}: solved {row['files']:.1f} % of the episodes found, "
                f"{row['tasks']:.1f} % of all tasks"
            )
        _say_left_out(left_out, listed=show_left_out)
    wanted = set(fail_on or ())
    if any(each.kind in wanted or "any" in wanted for _, each in findings):
        raise typer.Exit(1)


def _of_table(path: Path, suite: str | None) -> Iterator[AuditFinding]:
    # A suite takes rows that do not name one for its own; here nobody has chosen it.
    rows = [{**row, "suite": row.get("suite", suite or "")} for row in _table_rows(path)]
    if suite:
        chosen, audits = (
            named_suite(suite),
            needed_extension("eai.audits", named_suite(suite), lacks="has nothing to audit"),
        )
    else:
        chosen, audits = next((own, audits) for own, audits in _audited() if audits.table)
    if audits.table is None:
        raise InputError(f"the suite {chosen.name!r} has no tables of results to audit")
    for each in audits.table(chosen, rows):
        yield each._replace(where=f"{path}, {each.where}")


_DELIMITERS = (",", ";", "\t", "|")


def _table_rows(path: Path) -> list[dict[str, str]]:
    """Read a table: CSV with any usual delimiter, or the first table of a Markdown file."""
    expected = "CSV or a Markdown table with a line of headings"
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        piped = [line.strip() for line in lines if line.strip().startswith("|")]
        if piped:
            lines = [line.strip("|") for line in piped if not set(line) <= set("|-: ")]
        first = lines[0] if lines else ""
        delimiter = max(_DELIMITERS, key=first.count)
        rows = list(csv.DictReader(lines, delimiter=delimiter))
    except (UnicodeDecodeError, csv.Error) as error:
        text = f"it is not a table in UTF-8 ({error})"
        raise InputError(text, where=str(path), expected=expected) from error
    if not rows:
        raise InputError("there is no row in it", where=str(path), expected=expected)
    # Cells beyond the headings stand under None; Markdown pads and emphasizes its cells.
    return [
        {key.strip(" *`"): (cell or "").strip(" *`") for key, cell in row.items() if key}
        for row in rows
    ]


def _of_runs(
    path: Path,
    suite: str | None,
    rates: dict[str, dict[str, Any]],
    left_out: dict[LeftOut, None],
) -> Iterator[tuple[str, AuditFinding]]:
    """Yield the findings with their models; note what the logs claim, and files left out."""
    chosen = _audited(named_suite(suite) if suite else None)
    # Models of one source share its problems, which are reported once.
    reported: set[PredictionProblem] = set()
    for of in load_all(path):
        for problem in of.problems:
            if isinstance(problem, LeftOut):
                left_out[problem] = None
            elif problem not in reported:
                reported.add(problem)
                yield of.model, AuditFinding("unreadable", "-", problem.message, problem.where)
        claimed: list[tuple[float, float]] = []
        for each, audits in chosen:
            yield from ((of.model, finding) for finding in audits.episodes(each, of.items))
            found = audits.rates(each, of.items)
            if found:
                solved, episodes, tasks = map(sum, zip(*found.values(), strict=True))
                claimed.append((100 * solved / max(episodes, 1), 100 * solved / max(tasks, 1)))
                shares = dict(zip(("files", "tasks"), claimed[-1], strict=True))
                rates[f"{of.model} {each.name}"] = {**shares, "groups": dict(found)}
        if len(claimed) > 1:
            means = map(fmean, zip(*claimed, strict=True))
            rates[f"{of.model} mean"] = dict(zip(("files", "tasks"), means, strict=True))


def _audited(only: Suite | None = None) -> list[tuple[Suite, Audit]]:
    """Return the suites that audit recorded episodes, each with its audits."""
    made = [only]
    if only is None:
        made = [find_suite(name) for name in announced("eai.audits") if suites().announces(name)]
    audits = [(suite, extension("eai.audits", suite)) for suite in made if suite is not None]
    return [(suite, audit) for suite, audit in audits if audit is not None]


def _say_left_out(left_out: Iterable[LeftOut], *, listed: bool) -> None:
    counts: Counter[str] = Counter()
    for each in left_out:
        counts[each.message] += each.count
        if listed:
            say(f"{each.where}: left out: {each.message}")
    for reason, count in counts.items():
        say(f"{counted(count, 'file')} left out: {reason}")
