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
    Selection,
    answer_in,
    chosen_record,
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


class _Plan(opt.OptionGroup):
    """Options for one plan: in a file, or of a model in a run."""

    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help="A suite, or module:attribute; or a run.")
    ]
    task: Annotated[str, typer.Argument(metavar="TASK", help="The task; see `eai tasks SUITE`.")]
    answer: Annotated[
        Path | None,
        opt.path_argument(
            "ANSWER",
            "A file with the answer of a model, or with its answers to all tasks; - is "
            "standard input. Leave it out for a run, which has the answers.",
        ),
    ] = None
    model: opt.Model = None
    own_suite: Annotated[
        str | None,
        typer.Option(
            "--suite",
            help="Suite of a run that is not registered as an entry point: module:attribute.",
        ),
    ] = None

    def with_task(self, *, command: str) -> tuple[Task, str]:
        """Return the task and the plan for it."""
        if is_run(self.suite):
            # The word behind the task of a run is most likely the name of a model.
            if self.answer is not None:
                named = shlex.join([self.suite, self.task])
                mend = f"eai {command} {named} --model {shlex.quote(str(self.answer))}"
                raise InputError("a run has the answers already", where=self.suite, mend=mend)
            return self._in_run(command=command)
        chosen_suite = named_suite(self.suite)
        refuse_without(chosen_suite)
        problem = named_task(chosen_suite, self.task)
        if self.answer is None:
            raise typer.BadParameter(
                f"the file with the answer is missing: eai {command} {self.suite} {self.task} "
                "FILE, or - for standard input"
            )
        return problem, answer_in(self.answer, problem.id, suite=chosen_suite, model=self.model)

    def _in_run(self, *, command: str) -> tuple[Task, str]:
        """Return the task and a model's plan for it in a run."""
        run = Path(self.suite)
        find_modules_here(self.own_suite)
        names = {"model": self.model, "task": self.task}
        record = chosen_record(run, names, command=command)
        if record.ability != PLANS:
            raise InputError(
                f"the answers are for {record.ability}; they are not plans",
                where=str(run),
                expected=f"a run of {PLANS}",
            )
        with naming_suite_of(run):
            suite = suite_of(record, self.own_suite)
            return suite.task(record.task), record.output


@opt.command(
    app,
    f"eai repair {SAMPLES} TASK answer.txt",
    "eai repair run TASK --model gpt",
    f"cat answer.txt | eai repair {SAMPLES} TASK -",
)
def repair(
    plan: _Plan,
    *,
    edits: Annotated[int, typer.Option(help="Maximum number of edits to search for.")] = 3,
    rules: opt.Rules = None,
    json: opt.Json = False,
) -> None:
    """Find the fewest edits that make a plan work; exit code 1 if it needs any.

    With --rules, the plan has to keep them, too.
    """
    task, text = plan.with_task(command="repair")
    repaired = eai.repair(task, text, bounds=RepairBounds(edits=edits), rules=rules)
    document: dict[str, object] = {}
    for name in ("distance", "optimal", "bound", "score", "untried", "notes"):
        document[name] = getattr(repaired, name)
    for name in ("edits", "repaired"):
        value = getattr(repaired, name)
        document[name] = None if value is None else list(map(str, value))
    lines = [str(repaired)]
    if repaired.repaired is not None and repaired.edits:
        lines.append("the repaired plan:")
        for step_number, step in enumerate(repaired.repaired, start=1):
            lines.append(f"  {step_number}. {step}")
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
    plan: _Plan,
    *,
    rules: opt.Rules = None,
    json: opt.Json = False,
) -> None:
    """Explain which steps of a plan its goal, its failure and broken rules rest on."""
    task, text = plan.with_task(command="causes")
    explained = eai.causes(task, text, rules=rules)
    tell(explained.as_dict(), str(explained), json=json)


class _FaultOptions(opt.OptionGroup):
    """Options for the errors to inject, and for the output."""

    kind: Annotated[
        str,
        typer.Option(
            help="Change made to every plan (drop, move, swap, duplicate, insert, "
            "replace_object, replace_action, hallucinate_action, hallucinate_object, "
            "argument_number, break_text; any: drawn for every task), or the kind of error "
            "that results (missing_step, ...)."
        ),
    ] = "any"
    seed: opt.Seed = 0
    labels: Annotated[
        Path | None,
        opt.output_option(
            "Labels; by default beside the predictions, with .labels before the ending.", "--labels"
        ),
    ] = None
    harmless: Annotated[
        bool, typer.Option("--harmless", help="Also take plans that solve their tasks.")
    ] = False
    questions: Annotated[
        bool,
        typer.Option("--questions", help="Write questions about the error in a plan instead."),
    ] = False


@opt.command(
    app,
    f"eai perturb {SAMPLES} -o wrong.jsonl",
    f"eai perturb {SAMPLES} --kind missing_step --limit 20 -o missing.jsonl",
)
def perturb(
    suite: opt.SuiteName,
    output: Annotated[Path, opt.output_option("Predictions (JSON Lines).")],
    *,
    faults: _FaultOptions,
    selection: Selection,
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
    label_file = faults.labels or output.with_suffix(f".labels{output.suffix}")
    if not faults.questions:
        refuse_existing(label_file, force=force)
    task_ids = selection.of(source)
    if task_ids is None:
        task_ids = list(source.task_ids())
    if faults.questions:
        _write_questions(source, task_ids, faults.seed, output, json=json)
        return
    plans = list(
        perturb_suite(
            source, faults.kind, seed=faults.seed, harmful=not faults.harmless, tasks=task_ids
        )
    )
    _say_left_out(source, task_ids, [plan.task for plan in plans])
    _write_lines(output, [plan.prediction() for plan in plans])
    _write_lines(label_file, [plan.label() for plan in plans])
    # With --kind any, which edits were drawn; else all are of one kind.
    edit_counts = Counter(plan.fault.edit for plan in plans)
    edits = [f"{count} {edit}" for edit, count in sorted(edit_counts.items())]
    summary = (
        f"{counted(len(plans), 'wrong plan')} ({', '.join(edits) or 'nothing'}) written to "
        f"{output}, labels to {label_file}"
    )
    document = {
        "plans": len(plans),
        "edits": edit_counts,
        "predictions": output,
        "labels": label_file,
    }
    tell(document, summary, json=json)


def _write_questions(
    suite: Suite, task_ids: Sequence[str], seed: int, output: Path, *, json: bool
) -> None:
    """Write questions about wrong plans, and print their number."""
    questions = list(failure_questions(suite, seed=seed, tasks=task_ids))
    _say_left_out(suite, task_ids, [question.task for question in questions])
    _write_lines(output, [question.as_dict() for question in questions])
    summary = f"{counted(len(questions), 'question')} written to {output}"
    tell({"questions": len(questions)}, summary, json=json)


def _say_left_out(suite: Suite, task_ids: Sequence[str], perturbed_ids: Collection[str]) -> None:
    """Print for how many tasks no wrong plan was made, and why.

    Args:
        suite: The suite.
        task_ids: Identifiers of all tasks that were to be perturbed.
        perturbed_ids: Identifiers of the tasks that have a wrong plan now.

    Raises:
        InputError: If no task has a reference plan.
    """
    perturbed = frozenset(perturbed_ids)
    left_out = [task_id for task_id in task_ids if task_id not in perturbed]
    # Two reasons: the task has no plan that could be spoiled, or none of the edits spoils it.
    without_plan = [task_id for task_id in left_out if not suite.task(task_id).plans]
    if task_ids and len(without_plan) == len(task_ids):
        raise InputError(
            f"no task of these {len(task_ids)} has a reference plan",
            where=suite.name,
            expected="tasks with reference plans, of which wrong ones are made",
        )
    if without_plan:
        warn(f"left out: {counted(len(without_plan), 'task')} without a reference plan")
    number_unspoiled = len(left_out) - len(without_plan)
    if number_unspoiled:
        tasks = counted(number_unspoiled, "task")
        warn(f"left out: {tasks} whose plan could not be made wrong as asked")


def _write_lines(path: Path, documents: Iterable[Mapping[str, object]]) -> None:
    """Write documents as JSON Lines."""
    with replacing(path, force=True) as stream:
        for document in documents:
            stream.write(f"{jsons.dumps(document)}\n")
