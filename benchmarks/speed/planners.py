"""Compare planners on the official planning problems, side by side, by hand.

    python benchmarks/speed/planners.py eai_eval-1.0.5-py3-none-any.whl
    python benchmarks/speed/planners.py FOLDER --engines eai eai-optimal --every 10 --time-limit 20

    python benchmarks/speed/planners.py FOLDER --ipc --time-limit 60 --only gripper depot

The first argument is the published wheel, or the folder that it was unpacked into. Printed for
each environment and engine, as the rows of a table: how planning ended (plans are run in our
engine before they count), processor time of all tasks together (reading the text included; of
other engines the whole process) and the median of one, the steps of all plans. Then the reference
plans are run, and the command `eai plan` is timed on a few tasks.

With ``--ipc`` the folder holds one folder of PDDL files for each domain, as collections of the
planning competitions do. Printed for each problem are how the first two engines end, their
processor time and plan lengths, side by side, then the totals: what the second solves and the first
does not, the most time that the first takes beyond it, and the mean ratio of plan lengths. With
``--solved`` the first plans only where the second has found a plan, which these totals are about.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from eai.pddl import parse_domain, parse_problem
from eai.planning import Outcome, PlanningResult, plan, validate
from eai.world import Action

Place = Union[Path, zipfile.Path]
RESOURCES = "virtualhome_eval/resources"
ENVIRONMENTS = ("virtualhome", "behavior")


@dataclass(frozen=True)
class Environment:
    """The problems of one environment.

    Args:
        name: Its name.
        domain: Text of the domain.
        problems: Task to text of its problem.
        gold: Task to the steps of its reference plan.
    """

    name: str
    domain: str
    problems: dict[str, str]
    gold: dict[str, list[str]]


def read(source: Path, name: str) -> Environment:
    """Read one environment from the wheel or its folder."""
    top: Place = source if source.is_dir() else zipfile.Path(source)
    folder = top / RESOURCES / name
    if not folder.exists():
        folder = top / name
    problems = {file.name[: -len(".pddl")]: file.read_text("utf-8") for file in files(folder)}
    gold = json.loads((folder / "gold_pddl_plan.json").read_text("utf-8"))
    domain = (folder / f"{name}.pddl").read_text("utf-8")
    return Environment(name, domain, dict(sorted(problems.items())), gold)


def files(folder: Place) -> Iterator[Place]:
    """Yield the problem files of an environment."""
    pending: list[Place] = [folder / "problem_pddl"]
    while pending:
        for entry in pending.pop().iterdir():
            if entry.is_dir():
                pending.append(entry)
            elif entry.name.endswith(".pddl"):
                yield entry


def row(environment: Environment, engine: str, results: Sequence[PlanningResult]) -> str:
    """Say what an engine made of an environment, as a row of a table."""
    ends = Counter(result.outcome for result in results)
    proved = ends.pop(Outcome.UNSOLVABLE, 0)
    solved = ends.pop(Outcome.SOLVED, 0)
    others = ", ".join(f"{count} {end.value}" for end, count in sorted(ends.items())) or "-"
    seconds = [result.seconds for result in results]
    steps = sum(len(result.plan or ()) for result in results if result.solved)
    cells = (
        environment.name,
        engine,
        f"{solved}/{len(results)}",
        str(proved),
        others,
        f"{sum(seconds):.1f}",
        f"{statistics.median(seconds):.3f}",
        str(steps),
    )
    return f"| {' | '.join(cells)} |"


def valid_plans(environment: Environment) -> tuple[int, float]:
    """Run the reference plans; how many are valid, and milliseconds for one."""
    domain, valid = parse_domain(environment.domain), 0
    problems = {name: parse_problem(environment.problems[name]) for name in environment.gold}
    start = time.process_time()
    for name, steps in environment.gold.items():
        actions = [Action(first, tuple(rest)) for first, *rest in map(str.split, steps)]
        valid += validate(domain, problems[name], actions).valid
    return valid, 1000 * (time.process_time() - start) / len(environment.gold)


def whole_process(environment: Environment, names: Sequence[str]) -> float:
    """Median seconds of processor time of the command ``eai plan``, its start included."""
    spent = []
    with tempfile.TemporaryDirectory() as folder:
        domain, problem = Path(folder, "domain.pddl"), Path(folder, "problem.pddl")
        domain.write_text(environment.domain, encoding="utf-8")
        for name in names:
            problem.write_text(environment.problems[name], encoding="utf-8")
            command = [sys.executable, "-m", "eai", "plan", str(domain), str(problem)]
            before = os.times()
            subprocess.run(command, capture_output=True, check=False)
            after = os.times()
            spent.append(
                after.children_user
                + after.children_system
                - before.children_user
                - before.children_system
            )
    return statistics.median(spent)


def competition(folder: Path) -> Iterator[tuple[str, Path, Path]]:
    """Yield the problems of a collection: a name, the file of the domain, that of the problem.

    The domain of ``p01.pddl`` is ``p01-domain.pddl``, ``domain-p01.pddl`` or ``domain_p01.pddl`` if
    there is one, else ``domain.pddl``.
    """
    for problem in sorted(folder.glob("*/*.pddl")):
        if "domain" in problem.stem:
            continue
        names = problem.stem, problem.stem.partition("-")[0]
        others = sorted(problem.parent.glob("*domain*.pddl"))
        own = [each for each in others if each.stem.replace("domain", "").strip("-_") in names]
        domain = own[0] if own else problem.parent / "domain.pddl"
        if domain.is_file():
            yield f"{problem.parent.name}/{problem.stem}", domain, problem


def print_side_by_side(
    folder: Path, engines: Sequence[str], only: Sequence[str], solved: bool, limits: dict[str, Any]
) -> None:
    """Plan for the problems of a collection with two engines, and print a table."""
    print(f"| problem | {engines[0]} | CPU s | steps | {engines[1]} | CPU s | steps |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    missed, extra, ratios, count = [], 0.0, [], 0
    for name, domain, problem in competition(folder):
        if only and not any(part in name for part in only):
            continue
        texts = domain.read_text("utf-8"), problem.read_text("utf-8")
        second = plan(*texts, engine=engines[1], **limits)
        if solved and not second.solved:
            print(f"| {name} | - | - | - | {second.outcome.value} | {second.seconds:.2f} | - |")
            continue
        first = plan(*texts, engine=engines[0], **limits)
        cells = [name]
        for found in (first, second):
            steps = str(len(found.plan)) if found.plan is not None else "-"
            cells += [f"{found.outcome.value} ({found.engine})", f"{found.seconds:.2f}", steps]
        print(f"| {' | '.join(cells)} |", flush=True)
        if second.solved:
            count += 1
            extra = max(extra, first.seconds - second.seconds)
            if first.plan and second.plan:
                ratios.append(len(first.plan) / len(second.plan))
            else:
                missed.append(name)
    print(f"{engines[1]} solves {count}, of these {engines[0]} does not solve {missed or 'none'}")
    print(f"{engines[0]} takes at most {extra:.1f} s of processor time more for one of them")
    if ratios:
        print(f"its plans are {statistics.mean(ratios):.2f} times as long on average")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("source", type=Path, help="the wheel of eai-eval 1.0.5, or its folder")
    parser.add_argument("--engines", nargs="+", default=["eai", "fast-downward"])
    parser.add_argument("--environments", nargs="+", default=ENVIRONMENTS)
    parser.add_argument("--ipc", action="store_true", help="the folder is a collection of domains")
    parser.add_argument("--only", nargs="+", default=[], help="parts of names of problems of it")
    parser.add_argument("--solved", action="store_true", help="only what the second engine solves")
    parser.add_argument("--every", type=int, default=1, help="take every n-th problem only")
    parser.add_argument("--time-limit", type=float, default=20.0)
    parser.add_argument("--memory-limit", type=float, default=2000.0)
    asked = parser.parse_args()
    limits = {"time_limit": asked.time_limit, "memory_limit": asked.memory_limit}
    if asked.ipc:
        print_side_by_side(asked.source, asked.engines, asked.only, asked.solved, limits)
        return
    print(
        "| environment | engine | solved | no plan (proved) | other ends | CPU s | median | steps |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    environments = [read(asked.source, name) for name in asked.environments]
    for environment in environments:
        names = list(environment.problems)[:: asked.every]
        for engine in asked.engines:
            results = [
                plan(environment.domain, environment.problems[name], engine=engine, **limits)
                for name in names
            ]
            print(row(environment, engine, results), flush=True)
    for environment in environments:
        valid, spent = valid_plans(environment)
        print(
            f"{environment.name}: {valid} of {len(environment.gold)} reference plans are valid, "
            f"{spent:.2f} ms a plan"
        )
        names = list(environment.problems)[:: max(1, len(environment.problems) // 5)][:5]
        print(f"  the command, its start included: {whole_process(environment, names):.2f} s")


if __name__ == "__main__":
    main()
