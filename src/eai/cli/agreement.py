"""``eai judges``: scores beside those that language models, or people, gave the same answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from eai.agents import collect_answers
from eai.agents.prompts import Prompt
from eai.cli import options as opt
from eai.cli.documents import Shown
from eai.cli.reading import Part, naming_suite_of
from eai.contract import Suite, extension
from eai.integrations.openai_chat import ChatAgent
from eai.report import Record, suite_of, verdict_tables
from eai.semantics import Semantics
from eai.table import Table

app = typer.Typer()
_commands = typer.Typer(
    no_args_is_help=True, help="Compare scores with those of another evaluator."
)
app.add_typer(_commands, name="judges")


@app.callback()
def _group() -> None:
    """Keep the group a group."""


@_commands.callback()
def _scores() -> None:
    """Compare scores with those of another evaluator."""


class _Judge(opt.OptionGroup):
    """Options for a model that acts as judge."""

    evaluator: Annotated[
        str | None,
        typer.Option(
            "--judge", help="Model behind an OpenAI-compatible endpoint that gives the scores."
        ),
    ] = None
    prompt: Annotated[
        Path | None,
        opt.path_option(
            "The prompt: your copy of a published one, with {question}, {gold}, {dag} and {plan} "
            "where these go; without them they follow it."
        ),
    ] = None
    output: Annotated[
        Path | None,
        opt.output_option("Write the model's answers; run it again to resume."),
    ] = None
    base_url: opt.BaseUrl = None

    def template(self) -> str:
        """Return the prompt template of the judge, or "" without a judge.

        Raises:
            BadParameter: If a model has no prompt, or no place for its answers.
        """
        if self.evaluator is None:
            return ""
        if self.prompt is None or self.output is None:
            raise typer.BadParameter("--judge needs --prompt and -o")
        return self.prompt.read_text("utf-8")

    def ask(self, questions: Iterable[Prompt], path: Path, *, force: bool) -> None:
        """Ask the model, and write its answers to a file."""
        model = self.evaluator or ""
        agent = ChatAgent(model, base_url=self.base_url, options={"temperature": 0})
        collect_answers(agent, questions, path=path, model=model, force=force)


@opt.command(
    _commands,
    "eai judges agree run scores.json",
    "eai judges agree run --judge gpt-4o --prompt official.txt -o scores.jsonl",
)
def agree(
    run: opt.RunPath,
    *,
    scores: Annotated[
        list[Path] | None,
        opt.path_argument("SCORES", "Their scores: JSON, JSON Lines or CSV, with ids."),
    ] = None,
    judge: _Judge,
    model: opt.Model = None,
    part: Part,
    shown: Shown,
) -> None:
    """Agreement with another evaluator: equal scores, kappa, and where scores differ.

    RoboBench compares scores of plans; every other suite compares whether tasks are solved.
    """
    template = judge.template()
    if judge.evaluator is None and not scores:
        raise typer.BadParameter("name a file of scores, or --judge a model that gives them")
    tables: list[Table] = []
    models = [model] if model else None
    for report in part.reports(run, models).values():
        for name in report.models:
            records = report.of_models([name]).records
            with naming_suite_of(run):
                suite = suite_of(records[0], part.own)
            files = list(scores or ())
            if judge.evaluator is not None and judge.output is not None:
                path = _file_of_model(judge.output, name, is_only=len(report.models) == 1)
                judge.ask(_judge_prompts(suite, records, template), path, force=shown.force)
                # The answers of a judge are compared like a file of scores that the user names.
                files.append(path)
            for file in files:
                tables += _agreement_tables(suite, records, file)
    shown.tables(tables)


def _file_of_model(path: Path, model: str, *, is_only: bool) -> Path:
    """Return the file for a judge's answers about one model: "scores.jsonl", "scores_gpt.jsonl"."""
    if is_only:
        return path
    return path.with_stem(f"{path.stem}_{model}")


def _agreement_tables(suite: Suite, records: Sequence[Record], scores: Path) -> Iterable[Table]:
    """Return tables that compare a file of scores with one model's records."""
    judges = extension("eai.judges", suite)
    if judges is None:
        return verdict_tables(records, scores, suite.canonical_id)
    answers = {record.task: record.output for record in records}
    version = suite.official_version
    semantics = Semantics.spelled(records[0].semantics, suite.quirks, version=version)
    tables: Iterable[Table] = judges(suite, answers, semantics, scores)
    return tables


def _judge_prompts(suite: Suite, records: Iterable[Record], template: str) -> Iterator[Prompt]:
    """Yield the judge's prompt for each answer.

    Args:
        suite: The suite.
        records: The answers; those that were not evaluated have no question.
        template: The published prompt, with ``{question}``, ``{gold}``, ``{dag}`` and ``{plan}``
            where these go. Parts without a place in it are added below it.
    """
    for record in records:
        if record.output is None or record.result.status != "evaluated":
            continue
        task = suite.task(record.task)
        values = {
            "question": task.instruction,
            "gold": task.goal.text,
            "plan": record.output,
            "dag": str(task.metadata.get("dag") or ""),
        }
        complete_template = template
        if "{plan}" not in template:
            # A template without places is an instruction only: all four stand below it.
            for name in values:
                complete_template += f"\n\n{name}:\n{{{name}}}"
        prompt = _fill_template(complete_template, values)
        yield Prompt(record.task, suite.name, record.ability, prompt)


def _fill_template(template: str, values: Mapping[str, str]) -> str:
    """Return a template with names in braces replaced by values.

    All at once: a value may have braces itself, which stay as they are.
    """
    pattern = re.compile("|".join(f"{{{name}}}" for name in values))
    return pattern.sub(lambda match: values[match[0][1:-1]], template)
