"""``eai label-steps``: a row for every step of answers, for process reward models."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from eai.cli import options as opt
from eai.cli.output import warn
from eai.cli.reading import named_suite
from eai.errors import InputError, MissingExtraError
from eai.files import refuse_existing, replacing
from eai.predictions import load_all
from eai.rewards import StepJudge
from eai.suites import SAMPLES
from eai.text import counted

app = typer.Typer()

_TABLE = ".parquet"


@opt.command(
    app,
    f"eai label-steps {SAMPLES} answers.jsonl -o steps.jsonl",
    f"eai label-steps {SAMPLES} answers.jsonl -o steps.parquet",
)
def label_steps(
    suite: opt.SuiteName,
    answers: Annotated[Path, opt.path_argument("ANSWERS", "A file or folder of answers.")],
    output: Annotated[Path, opt.output_option("JSON Lines, or a table (.parquet).")],
    force: opt.Force = False,
) -> None:
    """Write a row for every step of answers: its label, distances, reward and place in the text.

    Labels are shortest, detour, dead end, lost, invalid, not reached and unknown. Answers of which
    no step was read are counted.
    """
    chosen_suite = named_suite(suite)
    rows = _StepRows(
        StepJudge(chosen_suite), set(chosen_suite.task_ids()), chosen_suite.canonical_id
    )
    if output.suffix == _TABLE:
        # A table is written at the end, so it is refused before answers are labelled.
        refuse_existing(output, force=force)
        _write_table(list(rows.rows_of(answers)), output)
    else:
        with replacing(output, force=force) as stream:
            for row in rows.rows_of(answers):
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    warn(
        f"{counted(rows.steps, 'step')} of {counted(rows.answers, 'answer')} written to {output}; "
        f"no step was read in {rows.unread}, and {rows.foreign} are of no task of the suite"
    )


class _StepRows:
    """Computes the rows of a file of answers.

    Args:
        judge: Labels the steps of an answer.
        tasks: Identifiers of the suite's tasks.
        canonical: Returns the identifier that another spelling means.

    Attributes:
        answers: Number of answers to tasks of the suite so far.
        steps: Number of their steps.
        unread: Number of answers of which no step was read.
        foreign: Number of answers to other tasks.
    """

    def __init__(self, judge: StepJudge, tasks: set[str], canonical: Callable[[str], str]) -> None:
        """Set all counts to zero."""
        self._judge = judge
        self._tasks = tasks
        self._canonical = canonical
        self.answers = 0
        self.steps = 0
        self.unread = 0
        self.foreign = 0

    def rows_of(self, path: Path) -> Iterator[dict[str, Any]]:
        """Yield a row for each step of the answers in a file or folder, and update the counts.

        Answers to tasks that the suite does not have are counted and passed over.
        """
        for predictions in load_all(path):
            for name, answer in predictions.items.items():
                # Answers may spell it otherwise: "scene_1_27_2" is the task "27_2" of VirtualHome.
                task = self._canonical(name)
                if task not in self._tasks:
                    self.foreign += 1
                    continue
                self.answers += 1
                steps = self._judge(task, answer).steps
                self.steps += len(steps)
                if not steps:
                    self.unread += 1
                for step in steps:
                    begin, end = step.span
                    source = {"task": task, "model": predictions.label, "text": answer[begin:end]}
                    yield {**source, **step.as_dict()}


def _write_table(rows: list[dict[str, Any]], output: Path) -> None:
    """Write rows as a Parquet file."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("pyarrow", extra="tables", purpose="writing Parquet") from error
    if not rows:
        raise InputError("there is no step to write", where=str(output), expected="JSON Lines")
    parquet.write_table(pa.Table.from_pylist(rows), output)
