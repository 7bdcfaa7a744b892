"""Commands on plans of models: repair, causes, perturb."""

from __future__ import annotations

import json as jsons
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import eai
from eai.cli import options as opt
from eai.cli.output import tell, warn
from eai.cli.reading import (
    answer_in,
    chosen_record,
    chosen_tasks,
    find_modules_here,
    is_run,
    named_suite,
    named_task,
    naming_suite_of,
)
from eai.contract import PLANS, Suite, refuse_without
from eai.errors import InputError
from eai.files import refuse_existing, replacing
from eai.perturbation import failure_questions, perturb_suite
from eai.planning import RepairBounds
from eai.report import suite_of
from eai.suites import SAMPLES
from eai.text import counted

if TYPE_CHECKING:
    from eai.task import Task

app = typer.Typer()


_SuiteOrRun = Annotated[
    str, typer.Argument(metavar="SUITE", help="A suite, or module:attribute; or a run.")
]
_TaskName = Annotated[str, typer.Argument(metavar="TASK", help="The task; see `eai tasks SUITE`.")]
_Answer = Annotated[
    Path | None,
    opt.path_argument(
        "ANSWER",
        "A file with the answer of a model, or with its answers to all tasks; - is "
        "standard input. Leave it out for a run, which has the answers.",
    ),
]
_OwnSuite = Annotated[
    str | None,
    typer.Option(
        "--suite",
        help="Suite of a run that is not registered as an entry point: module:attribute.",
    ),
]


@opt.command(
    app,
    f"eai repair {SAMPLES} TASK answer.txt",
    "eai repair run TASK --model gpt",
    f"cat answer.txt | eai repair {SAMPLES} TASK -",
)
def repair(
    suite: _SuiteOrRun,
    task: _TaskName,
    answer: _Answer = None,
    model: opt.Model = None,
    own: _OwnSuite = None,
    edits: Annotated[int, typer.Option(help="Maximum number of edits to search for.")] = 3,
    rules: opt.Rules = None,
    json: opt.Json = False,
) -> None:
    """Find the fewest edits that make a plan work; exit code 1 if it needs any.

    With --rules, the plan has to keep them, too.
    """
    problem, text = _task_and_plan(suite, task, answer, model, own, command="repair")
    repaired = eai.repair(problem, text, bounds=RepairBounds(edits=edits), rules=rules)
    document: dict[str, object] = {}
    for name in ("distance", "optimal", "bound", "score", "untried", "notes"):
        document[name] = getattr(repaired, name)
    for name in ("edits", "repaired"):
        value = getattr(repaired, name)
        document[name] = None if value is None else list(map(str, value))
    lines = [str(repaired)]
    if repaired.repaired is not None and repaired.edits:
        lines.append("the repaired plan:")
        for number, step in enumerate(repaired.repaired, start=1):
            lines.append(f"  {number}. {step}")
    tell(document, "\n".join(lines), json=json)
    # 0: the plan works as it is; None: no repair was found.
    if repaired.distance != 0:
        raise typer.Exit(1)


@opt.command(
    app,
    f"eai causes {SAMPLES} TASK answer.txt",
    "eai causes run TASK --model gpt --rules rules.jsonl",
)
def causes(
    suite: _SuiteOrRun,
    task: _TaskName,
    answer: _Answer = None,
    model: opt.Model = None,
    own: _OwnSuite = None,
    rules: opt.Rules = None,
    json: opt.Json = False,
) -> None:
    """Explain which steps of a plan its goal, its failure and broken rules rest on."""
    problem, text = _task_and_plan(suite, task, answer, model, own, command="causes")
    explained = eai.causes(problem, text, rules=rules)
    tell(explained.as_dict(), str(explained), json=json)


def _task_and_plan(
    suite: str,
    task: str,
    answer: Path | None,
    model: str | None,
    own_suite: str | None,
    *,
    command: str,
) -> tuple[Task, str]:
    """Return a task and the plan for it that a file or a run has."""
    if is_run(suite):
        # What stands behind the task of a run is most likely the name of a model.
        if answer is not None:
            mend = f"eai {command} {shlex.join([suite, task])} --model {shlex.quote(str(answer))}"
            raise InputError("a run has the answers already", where=suite, mend=mend)
        return _plan_in_run(Path(suite), task, model, own_suite, command=command)
    chosen = named_suite(suite)
    refuse_without(chosen)
    problem = named_task(chosen, task)
    if answer is None:
        raise typer.BadParameter(
            f"the file with the answer is missing: eai {command} {suite} {task} FILE, or - for "
            "standard input"
        )
    return problem, answer_in(answer, problem.id, suite=chosen, model=model)


def _plan_in_run(
    run: Path, task: str, model: str | None, own_suite: str | None, *, command: str
) -> tuple[Task, str]:
    """Return a task of a run and the plan that a model gave for it."""
    find_modules_here(own_suite)
    record = chosen_record(run, {"model": model, "task": task}, command=command)
    if record.ability != PLANS:
        raise InputError(
            f"the answers are for {record.ability}; they are not plans",
            where=str(run),
            expected=f"a run of {PLANS}",
        )
    with naming_suite_of(run):
        suite = suite_of(record, own_suite)
        return suite.task(record.task), record.output


@opt.command(
    app,
    f"eai perturb {SAMPLES} -o wrong.jsonl",
    f"eai perturb {SAMPLES} --kind missing_step --limit 20 -o missing.jsonl",
)
def perturb(
    suite: opt.SuiteName,
    output: Annotated[Path, opt.output_option("Predictions (JSON Lines).")],
    kind: Annotated[
        str,
        typer.Option(
            help="Change made to every plan (drop, move, swap, duplicate, insert, "
            "replace_object, replace_action, hallucinate_action, hallucinate_object, "
            "argument_number, break_text; any: drawn for every task), or the kind of error "
            "that results (missing_step, ...)."
        ),
    ] = "any",
    seed: opt.Seed = 0,
    labels: Annotated[
        Path | None,
        opt.output_option(
            "Labels; by default beside the predictions, with .labels before the ending.", "--labels"
        ),
    ] = None,
    harmless: Annotated[
        bool, typer.Option("--harmless", help="Also take plans that solve their tasks.")
    ] = False,
    questions: Annotated[
        bool,
        typer.Option("--questions", help="Write questions about the error in a plan instead."),
    ] = False,
    tasks: opt.Tasks = None,
    group: opt.Group = None,
    limit: opt.Limit = None,
    force: opt.Force = False,
    json: opt.Json = False,
) -> None:
    """Inject a known error into each reference plan; write answers and labels.

    Each wrong plan is evaluated under strict semantics; plans that do not fail in the
    intended way are left out.
    """
    source = named_suite(suite)
    refuse_existing(output, force=force)
    # "wrong.jsonl" -> "wrong.labels.jsonl"
    label_file = labels or output.with_suffix(f".labels{output.suffix}")
    if not questions:
        refuse_existing(label_file, force=force)
    names = chosen_tasks(source, tasks, group=group, limit=limit)
    if names is None:
        names = list(source.task_ids())
    if questions:
        _write_questions(source, names, seed, output, json=json)
        return
    plans = list(perturb_suite(source, kind, seed=seed, harmful=not harmless, tasks=names))
    _say_left_out(source, names, [plan.task for plan in plans])
    _write_lines(output, [plan.prediction() for plan in plans])
    _write_lines(label_file, [plan.label() for plan in plans])
    by_edit = Counter(plan.fault.edit for plan in plans)
    edits = [f"{count} {edit}" for edit, count in sorted(by_edit.items())]
    summary = (
        f"{counted(len(plans), 'wrong plan')} ({', '.join(edits) or 'nothing'}) written to "
        f"{output}, labels to {label_file}"
    )
    document = {"plans": len(plans), "edits": by_edit, "predictions": output, "labels": label_file}
    tell(document, summary, json=json)


def _write_questions(
    suite: Suite, names: Sequence[str], seed: int, output: Path, *, json: bool
) -> None:
    """Write questions about what is wrong with plans, and say how many there are."""
    questions = list(failure_questions(suite, seed=seed, tasks=names))
    _say_left_out(suite, names, [question.task for question in questions])
    _write_lines(output, [question.as_dict() for question in questions])
    summary = f"{counted(len(questions), 'question')} written to {output}"
    tell({"questions": len(questions)}, summary, json=json)


def _say_left_out(suite: Suite, names: Sequence[str], made: Collection[str]) -> None:
    """Say for how many tasks there is no wrong plan, and why.

    Raises:
        InputError: If no task has a reference plan.
    """
    done = frozenset(made)
    left_out = [name for name in names if name not in done]
    # Two reasons: the task has no plan that could be spoiled, or none of the edits spoils it.
    without = [name for name in left_out if not suite.task(name).plans]
    if names and len(without) == len(names):
        raise InputError(
            f"no task of these {len(names)} has a reference plan",
            where=suite.name,
            expected="tasks with reference plans, of which wrong ones are made",
        )
    if without:
        warn(f"left out: {counted(len(without), 'task')} without a reference plan")
    others = len(left_out) - len(without)
    if others:
        warn(f"left out: {counted(others, 'task')} whose plan could not be made wrong as asked")


def _write_lines(path: Path, documents: Iterable[Mapping[str, object]]) -> None:
    """Write documents as JSON Lines."""
    with replacing(path, force=True) as stream:
        for document in documents:
            stream.write(f"{jsons.dumps(document)}\n")
