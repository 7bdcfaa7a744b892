"""Commands on plans of models: repair, perturb."""

from __future__ import annotations

import json as jsons
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

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

app = typer.Typer()


@opt.command(
    app,
    f"eai repair {SAMPLES} TASK answer.txt",
    "eai repair run TASK --model gpt",
    f"cat answer.txt | eai repair {SAMPLES} TASK -",
)
def repair(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help="A suite, or module:attribute; or a run.")
    ],
    task: Annotated[str, typer.Argument(metavar="TASK", help="The task; see `eai tasks SUITE`.")],
    answer: Annotated[
        Path | None,
        opt.path_argument(
            "ANSWER",
            "A file with the answer of a model, or with its answers to all tasks; - is "
            "standard input. Leave it out for a run, which has the answers.",
        ),
    ] = None,
    model: opt.Model = None,
    own: Annotated[
        str | None,
        typer.Option(
            "--suite",
            help="Suite of a run that is not registered as an entry point: module:attribute.",
        ),
    ] = None,
    edits: Annotated[int, typer.Option(help="Maximum number of edits to search for.")] = 3,
    json: opt.Json = False,
) -> None:
    """Find the fewest edits that make a plan work; exit code 1 if it needs any."""
    if is_run(suite):
        if answer is not None:
            mend = f"eai repair {shlex.join([suite, task])} --model {shlex.quote(str(answer))}"
            raise InputError("a run has the answers already", where=suite, mend=mend)
        find_modules_here(own)
        record = chosen_record(Path(suite), {"model": model, "task": task}, command="repair")
        if record.ability != PLANS:
            raise InputError(
                f"the answers are for {record.ability}; they are not plans",
                where=suite,
                expected=f"a run of {PLANS}",
            )
        with naming_suite_of(Path(suite)):
            problem = suite_of(record, own).task(record.task)
        text = record.output
    else:
        chosen = named_suite(suite)
        refuse_without(chosen)
        problem = named_task(chosen, task)
        if answer is None:
            raise typer.BadParameter(
                f"the file with the answer is missing: eai repair {suite} {task} FILE, or - for "
                "standard input"
            )
        text = answer_in(answer, problem.id, suite=chosen, model=model)
    found = eai.repair(problem, text, bounds=RepairBounds(edits=edits))
    kept = ("distance", "optimal", "bound", "score", "untried")
    document = {name: getattr(found, name) for name in kept}
    for name, value in (("edits", found.edits), ("repaired", found.repaired)):
        document[name] = None if value is None else list(map(str, value))
    lines = [str(found)]
    if found.repaired is not None and found.edits:
        steps = (f"  {number}. {step}" for number, step in enumerate(found.repaired, start=1))
        lines += ["the repaired plan:", *steps]
    tell(document, "\n".join(lines), json=json)
    if found.distance != 0:
        raise typer.Exit(1)


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
    found = named_suite(suite)
    refuse_existing(output, force=force)
    beside = labels or output.with_suffix(f".labels{output.suffix}")
    if not questions:
        refuse_existing(beside, force=force)
    chosen = chosen_tasks(found, tasks, group=group, limit=limit)
    names = list(found.task_ids() if chosen is None else chosen)
    if questions:
        asked = list(failure_questions(found, seed=seed, tasks=names))
        _say_left_out(found, names, {each.task for each in asked})
        _write(output, (each.as_dict() for each in asked))
        said = f"{counted(len(asked), 'question')} written to {output}"
        tell({"questions": len(asked)}, said, json=json)
        return
    made = list(perturb_suite(found, kind, seed=seed, harmful=not harmless, tasks=names))
    _say_left_out(found, names, {each.task for each in made})
    _write(output, (each.prediction() for each in made))
    _write(beside, (each.label() for each in made))
    done = Counter(each.fault.edit for each in made)
    reported = ", ".join(f"{count} {edit}" for edit, count in sorted(done.items())) or "nothing"
    plans = counted(len(made), "wrong plan")
    said = f"{plans} ({reported}) written to {output}, labels to {beside}"
    document = {"plans": len(made), "edits": done, "predictions": output, "labels": beside}
    tell(document, said, json=json)


def _say_left_out(suite: Suite, names: Sequence[str], made: Collection[str]) -> None:
    """Say for how many tasks there is no wrong plan, and why.

    Raises:
        InputError: If no task has a reference plan.
    """
    left_out = [name for name in names if name not in made]
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


def _write(path: Path, lines: Iterable[Mapping[str, object]]) -> None:
    with replacing(path, force=True) as stream:
        stream.writelines(f"{jsons.dumps(line)}\n" for line in lines)
