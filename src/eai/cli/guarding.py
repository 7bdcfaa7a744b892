"""Commands on rules: guard a server of tools, replay a log, check a file of rules."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated

import typer

from eai.cli import options as opt
from eai.cli.output import say
from eai.errors import InputError
from eai.nesting import load_json
from eai.suites import SAMPLES

app = typer.Typer()


@opt.command(
    app,
    "eai guard --rules rules.jsonl --log guard.jsonl -- python server.py",
    "eai guard replay guard.jsonl",
)
def guard(
    words: Annotated[
        list[str],
        typer.Argument(metavar="COMMAND", help="The server, or: replay LOG.", show_default=False),
    ],
    rules: Annotated[Path | None, opt.path_option("The rules.", metavar="RULES")] = None,
    log: Annotated[
        Path | None, opt.path_option("Add every decision to this file.", metavar="LOG")
    ] = None,
    types: Annotated[
        str, typer.Option(help='Patterns of types of values, as JSON: \'{"path": "/*"}\'.')
    ] = "{}",
    unknown: Annotated[
        str, typer.Option(help="pass or refuse: calls of tools that the server does not list.")
    ] = "pass",
) -> None:
    """Refuse calls that break rules, between an MCP client and a server; or replay a log.

    A log that is there already is resumed. Replaying ends with exit code 1 if a decision differs.
    """
    # Two forms of one command: --rules RULES -- SERVER, and replay LOG.
    is_replay = len(words) == 2 and words[0] == "replay"
    if is_replay and (rules is not None or log is not None):
        raise typer.BadParameter("replay LOG takes no --rules and no --log: a log has its rules")
    if rules is None:
        if not is_replay:
            raise typer.BadParameter("--rules RULES -- COMMAND, or: replay LOG")
        _replay(Path(words[1]))
        return
    from eai.guard import Guard, resume
    from eai.integrations.mcp_guard import run_proxy

    patterns = _patterns(types)
    # An empty file, as mktemp creates it, is not a log to resume.
    if log is not None and log.exists() and log.stat().st_size:
        guarding = resume(log)
        guarding.check_same(rules)
    else:
        guarding = Guard(rules, types=patterns, unknown=unknown, log=log)
    exit_code = run_proxy(guarding, words)
    if exit_code:
        raise typer.Exit(1)


def _patterns(text: str) -> dict[str, str]:
    """Return the pattern of each type in a JSON object: ``{"path": "/*"}``."""
    try:
        patterns = load_json(text)
    except ValueError as error:
        raise InputError("--types is not JSON", where=text[:200]) from error
    if not isinstance(patterns, dict):
        raise InputError("--types is no object", where=text[:200], expected='{"path": "/*"}')
    return {str(name): str(pattern) for name, pattern in patterns.items()}


def _replay(log: Path) -> None:
    """Repeat the decisions of a log, print those that differ, and exit with code 1 if any do."""
    from eai.guard import replay

    guarding, differences = replay(log)
    for line in differences:
        say(line)
    kept_rules = json_module.dumps(guarding.kept())
    say(f"{guarding.steps} actions; {len(differences)} decisions differ; kept: {kept_rules}")
    if differences:
        raise typer.Exit(1)


@opt.command(app, f"eai rules check rules.jsonl --suite {SAMPLES}")
def rules(
    action: Annotated[str, typer.Argument(metavar="check", help="The word check.")],
    file: Annotated[Path, opt.path_argument("FILE", "The rules.")],
    suite: Annotated[str, typer.Option(help="The suite whose tasks they are for.")],
    task: Annotated[list[str] | None, typer.Option(help="A task; by default all of them.")] = None,
    budget: Annotated[
        str,
        typer.Option(
            help="Limits of the search for a safe plan, for each task: states=1000 or none."
        ),
    ] = "states=2000",
) -> None:
    """Check rules against the goals of a suite's tasks; exit code 1 if some cannot be kept.

    Which tasks a rule applies in, whether a reference plan triggers it, which rules contradict or
    imply each other, and whether a plan reaches the goal and keeps all rules.
    """
    if action != "check":
        raise typer.BadParameter(f"the action is {action!r}; there is one: check")
    import eai
    from eai.budget import Budget
    from eai.contract import check_rules
    from eai.logic import load_rules
    from eai.runs.rule_checks import check_against

    chosen_suite = eai.suite(suite)
    loaded = load_rules(file)
    task_ids = list(task or chosen_suite.task_ids())
    check_rules(loaded, chosen_suite, task_ids)
    result = check_against(loaded, chosen_suite, task_ids, Budget.parse(budget))
    say(str(result))
    if result.has_conflict:
        raise typer.Exit(1)
