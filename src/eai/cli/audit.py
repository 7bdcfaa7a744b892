"""``eai audit``: faults in recorded runs and in tables of results."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer

from eai.cli import options as opt
from eai.cli.output import print_json, say
from eai.cli.reading import is_run, named_suite
from eai.contract import Audit, AuditFinding, Suite, extension, needed_extension
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
    if table is not None:
        findings = [("", each) for each in _of_table(table, suite)]
    elif path is not None:
        findings = list(_of_runs(path, suite, rates))
    if json:
        listed = [{"model": model, **each._asdict()} for model, each in findings]
        print_json({"findings": listed, "rates": rates})
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
    wanted = set(fail_on or ())
    if any(each.kind in wanted or "any" in wanted for _, each in findings):
        raise typer.Exit(1)


def _of_table(path: Path, suite: str | None) -> Iterator[AuditFinding]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        text = f"it is not a table in UTF-8 ({error})"
        raise InputError(text, where=str(path), expected="CSV with a line of headings") from error
    headings = {str(key).strip().lower() for key in (rows[0] if rows else ())}
    if suite is None and headings.isdisjoint(("environment", "env", "suite")):
        raise InputError(
            "no column names the suite of a row" if rows else "there is no row in it",
            where=str(path),
            expected="comma-separated rows with a column `suite` or `environment`",
            mend="--suite NAME names the suite of all rows",
        )
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


def _of_runs(
    path: Path, suite: str | None, rates: dict[str, dict[str, Any]]
) -> Iterator[tuple[str, AuditFinding]]:
    """Yield the findings with their models, and note what the logs claim."""
    chosen = _audited(named_suite(suite) if suite else None)
    for of in load_all(path):
        for problem in of.problems:
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
