"""Least repairs of damaged reference plans and of real answers, on the official tasks, by hand.

    python benchmarks/agreement/repair.py                                # damaged plans, every kind
    python benchmarks/agreement/repair.py --faults 2                     # two faults in each
    python benchmarks/agreement/repair.py --answers FOLDER              # real answers, by suite
    python benchmarks/agreement/repair.py --every 10 --suites behavior   # a sample

FOLDER holds `virtualhome/action_sequencing/*` and `behavior/action_sequencing/*`. For each kind of
fault: how many plans were damaged, how many edits their repair has, in how many cases these are
more than were made, whether the repair was proved to be the least, and the time. No reference plans
are given to the search unless `--references` is. For real answers: how many edits each needs, and
the mistakes that the edits stand for beside the kind of error that the paper's rules find first.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import eai
from eai.abilities.plans import repair
from eai.contract import Suite
from eai.errors import InputError
from eai.perturbation import perturb
from eai.planning import Repair, RepairBounds
from eai.predictions import load_predictions
from eai.simulators import Simulator, VirtualHomeSimulator
from eai.simulators.virtualhome import VARIATIONS
from eai.task import Task

KINDS = (
    "drop",
    "move",
    "swap",
    "duplicate",
    "insert",
    "replace_object",
    "replace_action",
    "hallucinate_action",
    "hallucinate_object",
    "argument_number",
)
MADE = {"swap": 2}
"""How many edits a fault is; one, if it is not here."""


@dataclass
class Job:
    """One plan or answer to be repaired.

    Args:
        suite: Name of the suite.
        task: Identifier of the task.
        source: The kind of fault, or the model.
        answer: The answer; empty for a damaged reference plan.
        faults: How many faults are made.
        references: Whether the search may look at the reference plans.
        official: Whether the world behaves like that of the published evaluator.
        edits: Most edits that are searched for.
        actions: How many actions may be tried.
    """

    suite: str
    task: str
    source: str
    answer: str = ""
    faults: int = 1
    references: bool = False
    official: bool = False
    edits: int = 3
    actions: int = 300_000


@dataclass
class Line:
    """What came of one job."""

    job: Job
    status: str
    distance: int | None = None
    proved: bool = False
    seconds: float = 0.0
    evaluated: str = ""
    edits: list[tuple[str, str]] = field(default_factory=list)
    change: str = ""
    text: str = ""


@lru_cache
def suite_of(name: str) -> Suite:
    """A suite, made once."""
    return eai.suite(name)


@lru_cache
def works(suite: str, task: str, official: bool) -> bool:
    """Whether the reference plan of a task reaches the goal."""
    found = suite_of(suite).task(task)
    return mend(found, found.plans[0], official=official, bounds=RepairBounds(edits=0)).found


def mend(task: Task, plan: object, *, official: bool, bounds: RepairBounds) -> Repair:
    """Repair a plan or an answer."""
    simulator: Simulator | None = VirtualHomeSimulator(VARIATIONS) if official else None
    return repair(task, plan, simulator=simulator, bounds=bounds)  # type: ignore[arg-type]


def run(job: Job) -> Line:
    """Do one job."""
    task = suite_of(job.suite).task(job.task)
    if not job.references:
        task = replace(task, plans=()) if job.answer else task
    try:
        return answered(job, task) if job.answer else damaged(job, task)
    except InputError as error:
        return Line(job, "not made" if not job.answer else "unreadable", text=str(error))


def damaged(job: Job, task: Task) -> Line:
    """Damage the reference plan and repair it."""
    if not works(job.suite, job.task, job.official):
        return Line(job, "reference fails")
    plan, change = task.plans[0], ""
    for fault in range(job.faults):
        wrong = perturb(
            suite_of(job.suite), task, plan, job.source, seed=fault + 1, harmful=not fault
        )
        plan, change = wrong.plan, f"{change}{'; ' if change else ''}{wrong.fault.change}"
    return timed(job, task if job.references else replace(task, plans=()), plan, change)


def timed(job: Job, task: Task, plan: object, change: str = "") -> Line:
    """Repair and take the time."""
    start = time.process_time()
    found = mend(task, plan, official=job.official, bounds=RepairBounds(job.edits, job.actions))
    seconds = time.process_time() - start
    edits = [
        (edit.mistake, {True: "yes", False: "no"}.get(edit.necessary, "?"))  # type: ignore[arg-type]
        for edit in found.edits or ()
    ]
    line = Line(job, "repaired" if found.found else "not found", found.distance, found.optimal)
    return replace(line, seconds=seconds, edits=edits, change=change, text=str(found))


def answered(job: Job, task: Task) -> Line:
    """Repair an answer, and evaluate it by the paper's rules."""
    suite = suite_of(job.suite)
    strict = suite.semantics("strict")
    result = suite.evaluate("action_sequencing", suite.task(job.task), job.answer, strict)
    if result.status != "evaluated":
        return Line(job, result.status)
    kinds = [str(finding.kind) for finding in result.findings]
    # Additional steps do no harm: what stops the plan, or what it misses, says more.
    harmful = [kind for kind in kinds if kind != "additional_step"]
    line = timed(job, task, job.answer)
    return replace(line, evaluated="none" if result.success else (harmful or kinds)[0])


def jobs(options: argparse.Namespace) -> Iterator[Job]:
    """Everything to be done."""
    for name in options.suites:
        suite = suite_of(name)
        names = ("references", "official", "edits", "actions")
        shared: dict[str, Any] = {each: getattr(options, each) for each in names}
        if options.answers:
            yield from answers(suite, options, shared)
            continue
        for task in list(suite.task_ids())[options.offset :: options.every]:
            for kind in options.kinds:
                yield Job(name, task, kind, faults=options.faults, **shared)


def answers(suite: Suite, options: argparse.Namespace, shared: dict[str, Any]) -> Iterator[Job]:
    """The answers of a folder with a file for each model."""
    known = set(suite.task_ids())
    folder = options.answers / suite.name / "action_sequencing"
    for path in sorted(folder.iterdir()):
        items = list(load_predictions(path).items.items())
        for raw, text in items[options.offset :: options.every]:
            task = suite.canonical_id(raw)
            if task in known and text:
                yield Job(suite.name, task, path.name.partition(".json")[0], text, **shared)


def report(lines: list[Line]) -> None:
    """Print one table for each suite."""
    for name in dict.fromkeys(line.job.suite for line in lines):
        own = [line for line in lines if line.job.suite == name]
        print(f"\n{name}: {len(own)} jobs, {dict(Counter(line.status for line in own))}")
        print(f"{'':28}    n   0 edits    1    2    3   4+ none  more proved  median ms  worst s")
        for source in [*dict.fromkeys(line.job.source for line in own), "all"]:
            table_row(source, [line for line in own if source in ("all", line.job.source)])
        necessity = Counter(n for line in own if line.distance for _, n in line.edits)
        print(f"edits on every least repair: {dict(necessity)}")


def table_row(source: str, lines: list[Line]) -> None:
    """Print one row."""
    done = [line for line in lines if line.status in ("repaired", "not found")]
    if not done:
        return
    counts = Counter(min(line.distance, 4) for line in done if line.distance is not None)
    made = [MADE.get(line.job.source, 1) * line.job.faults for line in done]
    more = sum(
        line.distance is None or line.distance > most
        for line, most in zip(done, made, strict=True)
        if not line.job.answer
    )
    seconds = [line.seconds for line in done]
    none = sum(line.distance is None for line in done)
    cells = "".join(f"{counts[number]:5}" for number in range(1, 5))
    print(
        f"{source:28}{len(done):5}{counts[0]:10}{cells}{none:5}{more:6}"
        f"{sum(line.proved for line in done):7}"
        f"{1000 * statistics.median(seconds):11.0f}{max(seconds):9.2f}"
    )


def confusion(lines: Iterable[Line]) -> None:
    """Print the rules' first error beside the mistakes of the least repair."""
    pairs = Counter(
        (
            line.job.suite,
            line.evaluated,
            "+".join(sorted({kind for kind, _ in line.edits})) or "none",
        )
        for line in lines
        if line.distance is not None and line.distance <= line.job.edits
    )
    for (suite, evaluated, edits), number in sorted(pairs.items()):
        print(f"{suite:12} {evaluated:24} {edits:50} {number:5}")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--suites", nargs="+", default=["virtualhome", "behavior"])
    parser.add_argument("--answers", type=Path, help="a folder with answers of models")
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--faults", type=int, default=1)
    parser.add_argument("--edits", type=int, default=3, help="most edits that are searched for")
    parser.add_argument("--actions", type=int, default=300_000, help="how many may be tried")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--references", action="store_true")
    parser.add_argument("--official", action="store_true", help="the published world")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--slow", type=float, default=2.0, help="print what takes more seconds")
    parser.add_argument("--output", type=Path, help="write a line of JSON for each job")
    options = parser.parse_args()
    todo = list(jobs(options))
    print(f"{len(todo):,} jobs", flush=True)
    if options.processes == 1:
        lines = [run(job) for job in todo]
    else:
        with ProcessPoolExecutor(options.processes) as pool:
            lines = list(pool.map(run, todo, chunksize=20))
    for line in lines:
        most = MADE.get(line.job.source, 1) * line.job.faults
        late = line.status == "repaired" and (line.distance or 0) > most and not line.job.answer
        if line.seconds > options.slow or late or line.status == "not found":
            print(f"{line.job.task} {line.job.source} {line.seconds:.2f} s: {line.change or ''}")
    report(lines)
    if options.answers:
        confusion(lines)
    if options.output:
        text = [json.dumps({**vars(line), "job": vars(line.job)}) for line in lines]
        options.output.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
