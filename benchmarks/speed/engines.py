"""Compare what each planner solves through `eai` with what its own command solves, by hand.

    python benchmarks/speed/engines.py FOLDER results.jsonl
    python benchmarks/speed/engines.py FOLDER results.jsonl --engines pyperplan kairos
        --time-limit 30

FOLDER holds one folder of PDDL files for each domain, as collections of the planning competitions
do. Each planner gets each problem twice: by its own command, with the files as they are, and by
``eai.plan``, which validates the plan. Both get the same processor time and memory. What its own
command does not end in time is not asked again. Results are appended to the file as they come; a
problem that is in it already is left out, so that a run can go on later.

The table that is printed is the one of `docs/planners.md`: problems that the command solves, that
`eai` solves, that only one of them solves; the processor time of both and the cost of the plans
of `eai` for what both solve; and the problems that `eai` says the planner refuses. The reasons of
refusals follow, most frequent first.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from planners import competition

from eai.planning import Outcome, PlanningResult, plan
from eai.planning.engines.fast_downward import FastDownward

ENGINES = ("fast-downward", "kairos", "pyperplan", "unified:enhsp")

# What a user of unified-planning writes: its reader, and the engine by its name.
_UNIFIED = """
import sys
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import OneshotPlanner, get_environment

get_environment().credits_stream = None
problem = PDDLReader().parse_problem(sys.argv[2], sys.argv[3])
with OneshotPlanner(name=sys.argv[1]) as planner:
    found = planner.solve(problem)
print(found.status.name)
if found.plan is None:
    sys.exit(1)
with open("plan", "w") as file:
    file.write(str(found.plan))
"""


@dataclass(frozen=True)
class Ended:
    """How a planner's own command ended.

    Args:
        is_solved: Whether it wrote a plan.
        is_out_of_time: Whether it used all of its processor time.
        seconds: Processor time, with that of its own children.
        said: Its last line.
    """

    is_solved: bool
    is_out_of_time: bool
    seconds: float
    said: str


def own_command(engine: str, domain: Path, problem: Path) -> list[str]:
    """Return the command that a user of a planner would give, without ``eai``."""
    scripts = Path(sys.executable).parent
    if engine == "pyperplan":
        return [str(scripts / "pyperplan"), "-s", "gbf", "-H", "hff", str(domain), str(problem)]
    if engine == "kairos":
        options = ["--no-anytime", "--threads", "1", "--timeout", "100000", "--output", "plan"]
        return [str(scripts / "kairos"), str(domain), str(problem), *options]
    if engine == "fast-downward":
        from eai.planning.engines.fast_downward import driver_of_wheel

        alias = [*FastDownward().arguments, "--plan-file", "plan"]
        return [sys.executable, str(driver_of_wheel()), *alias, str(domain), str(problem)]
    if engine == "unified:enhsp":
        from up_enhsp.enhsp_planner import ENHSP_JAR

        # The options of its package, and a heap within the limit of the process.
        options = ["-h", "hadd", "-s", "gbfs", "-npm", "-sp", "plan"]
        files = ["-o", str(domain), "-f", str(problem)]
        return ["java", "-Xmx3000m", "-jar", ENHSP_JAR, *files, *options]
    name = engine.removeprefix("unified:")
    return [sys.executable, "-c", _UNIFIED, name, str(domain), str(problem)]


def run_own_command(
    engine: str, domain: Path, problem: Path, time_limit: float, memory_limit: float
) -> Ended:
    """Run a planner's own command on copies of the files."""
    with tempfile.TemporaryDirectory() as folder:
        # pyperplan writes its plan beside the problem.
        copies = Path(folder, "domain.pddl"), Path(folder, "problem.pddl")
        for copy, file in zip(copies, (domain, problem), strict=True):
            copy.write_bytes(file.read_bytes())
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = subprocess.run(
            own_command(engine, *copies),
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": "0"},  # as `eai` sets it
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            preexec_fn=partial(_limit, time_limit, memory_limit),
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        plans = [*Path(folder).glob("plan*"), *Path(folder).glob("*.soln")]
    lines = f"{ended.stdout}\n{ended.stderr}".strip().splitlines()
    said = lines[-1] if lines else f"exit code {ended.returncode}"
    # The system ends it by SIGXCPU, then SIGKILL; a planner that starts others ends by itself.
    is_out_of_time = ended.returncode in (-24, -9) or seconds >= 0.9 * time_limit
    # The system's limit holds for each process, and a planner may start several.
    is_solved = bool(plans) and seconds <= time_limit
    return Ended(is_solved, is_out_of_time, seconds, said)


def _limit(time_limit: float, memory_limit: float) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(time_limit), int(time_limit) + 1))
    size = int(memory_limit * 1e6)
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def compare(
    engine: str, domain: Path, problem: Path, time_limit: float, memory_limit: float
) -> dict[str, Any]:
    """Return what a planner makes of a problem, by its own command and by ``eai.plan``."""
    own = run_own_command(engine, domain, problem, time_limit, memory_limit)
    found = None
    if own.is_solved or not own.is_out_of_time:
        found = plan(
            domain.read_text("utf-8"),
            problem.read_text("utf-8"),
            engine=engine,
            time_limit=time_limit,
            memory_limit=memory_limit,
        )
    return {"own": vars(own), "eai": None if found is None else _record(found)}


def _record(found: PlanningResult) -> dict[str, Any]:
    return {
        "outcome": found.outcome.value,
        "reason": found.reason,
        "cost": found.cost,
        "seconds": found.seconds,
    }


def row(engine: str, results: Sequence[dict[str, Any]]) -> str:
    """Return what came of all problems with one planner, as a row of the table."""

    def is_solved(result: dict[str, Any]) -> bool:
        return bool(result["eai"]) and result["eai"]["outcome"] == Outcome.SOLVED.value

    own = [result for result in results if result["own"]["is_solved"]]
    ours = [result for result in results if is_solved(result)]
    both = [result for result in own if is_solved(result)]
    refused = [
        result
        for result in results
        if result["eai"] and result["eai"]["outcome"] == Outcome.REJECTED.value
    ]
    cells = (
        f"`{engine}`",
        str(len(results)),
        str(len(own)),
        str(len(ours)),
        str(len(own) - len(both)),
        str(len(ours) - len(both)),
        f"{sum(result['own']['seconds'] for result in both):.0f}",
        f"{sum(result['eai']['seconds'] for result in both):.0f}",
        f"{sum(result['eai']['cost'] for result in both):,.0f}",
        str(len(refused)),
    )
    return f"| {' | '.join(cells)} |"


HEAD = (
    "| engine | problems | its command solves | `eai` solves | only the command | only `eai` "
    "| CPU s, command | CPU s, `eai` | cost | refused |"
)


def main() -> None:
    """Compare, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path, help="a collection of domains")
    parser.add_argument("results", type=Path, help="file of the results, extended")
    parser.add_argument("--engines", nargs="+", default=ENGINES)
    parser.add_argument("--time-limit", type=float, default=30.0, help="seconds of processor time")
    parser.add_argument("--memory-limit", type=float, default=4000.0, help="megabytes")
    asked = parser.parse_args()
    results: dict[tuple[str, str], dict[str, Any]] = {}
    if asked.results.exists():
        for line in asked.results.read_text("utf-8").splitlines():
            known = json.loads(line)
            results[known["engine"], known["problem"]] = known
    for engine in asked.engines:
        for name, domain, problem in competition(asked.folder):
            if (engine, name) in results:
                continue
            compared = compare(engine, domain, problem, asked.time_limit, asked.memory_limit)
            result = {"engine": engine, "problem": name, **compared}
            results[engine, name] = result
            with asked.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + os.linesep)
    print(HEAD)
    print("| --- |" + " ---: |" * 9)
    for engine in asked.engines:
        print(row(engine, [each for (asked_of, _), each in results.items() if asked_of == engine]))
    for engine in asked.engines:
        reasons = Counter(
            each["eai"]["reason"].splitlines()[0]
            for (asked_of, _), each in results.items()
            if asked_of == engine and each["eai"] and each["eai"]["outcome"] == "rejected"
        )
        for reason, count in reasons.most_common():
            print(f"{engine}: {count} refused: {reason}")


if __name__ == "__main__":
    main()
