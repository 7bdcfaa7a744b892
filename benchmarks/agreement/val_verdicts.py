"""Compare verdicts on altered plans without numbers with those of VAL; print counts, by hand.

    python benchmarks/agreement/val_verdicts.py ARCHIVE --val .../Validate [--plans 6] [--seed 1]

ARCHIVE is a zip file of planning tasks: folders with a ``domain.pddl`` and one or more problems.
Each task for which a plan is found within a few seconds gives the plan and `--plans` copies of it
with one step left out, doubled, moved, or with an argument of another step. Verdict and failing
step have to be VAL's. Every plan on which the two part is printed; the exit code is 1 if there is
one.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from eai import pddl
from eai.errors import EaiError
from eai.planning import plan, validate
from eai.world import Action

Plan = Sequence[Action]
Verdict = tuple[bool, int | None]

SECONDS = 2
_STEP = re.compile(r"Checking next happening \(time (\d+)\)")


def main() -> None:
    """Print how many verdicts and failing steps are those of VAL."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("archive", type=Path)
    parser.add_argument("--val", required=True, help="VAL's program Validate")
    parser.add_argument("--tasks", type=int, default=60)
    parser.add_argument("--plans", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)  # noqa: S311 - a sample, no secret
    counts: Counter[str] = Counter()
    tasks = list(texts(zipfile.ZipFile(options.archive)))
    dice.shuffle(tasks)
    for name, domain_text, problem_text in tasks[: options.tasks]:
        domain = pddl.parse_domain(domain_text)
        problem = pddl.parse_problem(problem_text, domain=domain)
        try:
            found = plan(domain, problem, time_limit=SECONDS)
        except EaiError as error:
            counts[f"no plan: {type(error).__name__}"] += 1
            continue
        if not found.plan:
            counts["no plan in time"] += 1
            continue
        counts["tasks with a plan"] += 1
        plans = [found.plan, *(altered(found.plan, dice) for _ in range(options.plans))]
        with tempfile.TemporaryDirectory() as folder:
            judge = Val(options.val, Path(folder), domain_text, problem_text)
            for steps in plans:
                result = validate(domain, problem, steps)
                outcome = compared((result.valid, result.step), judge.verdict(steps))
                counts[outcome] += 1
                if "DIFFERS" in outcome:
                    print(f"{outcome}: {name}: {' '.join(map(pddl_step, steps))}")
        print(f"{name}: {len(plans)} plans", file=sys.stderr)
    for what, number in sorted(counts.items()):
        print(f"{number:7,} {what}")
    sys.exit(any("DIFFERS" in what for what in counts))


def texts(archive: zipfile.ZipFile) -> Iterator[tuple[str, str, str]]:
    """Yield the name, domain and problem of each task whose domain has its own file name."""
    names = archive.namelist()
    for name in names:
        folder = name.partition("/")[0]
        domain = f"{folder}/domain.pddl"
        if domain in names and "domain" not in name.partition("/")[2]:
            yield name, archive.read(domain).decode(), archive.read(name).decode()


def altered(steps: Plan, dice: random.Random) -> Plan:
    """Return a copy of a plan with one change."""
    changed = list(steps)
    position = dice.randrange(len(changed))
    step = changed[position]
    change = dice.choice(["leave out", "double", "move", "argument"])
    if change == "double":
        changed.insert(dice.randrange(len(changed) + 1), step)
    elif change == "argument" and step.arguments:
        objects = [name for other in steps for name in other.arguments]
        arguments = list(step.arguments)
        arguments[dice.randrange(len(arguments))] = dice.choice(objects)
        changed[position] = Action(step.name, tuple(arguments))
    else:
        changed.pop(position)
        if change == "move":
            changed.insert(dice.randrange(len(changed) + 1), step)
    return changed


class Val:
    """Asks VAL about plans for one task.

    Args:
        program: Its program.
        folder: A folder for files.
        domain: The domain's text.
        problem: The problem's text.
    """

    def __init__(self, program: str, folder: Path, domain: str, problem: str) -> None:
        self._program = program
        self._folder = folder
        (folder / "domain.pddl").write_text(domain)
        (folder / "problem.pddl").write_text(problem)

    def verdict(self, steps: Plan) -> Verdict | None:
        """Return the verdict, with the failing step if VAL names one; None if it has none."""
        (self._folder / "plan.txt").write_text("\n".join(map(pddl_step, steps)) + "\n")
        command = [self._program, "-v", "domain.pddl", "problem.pddl", "plan.txt"]
        output = subprocess.run(
            command, cwd=self._folder, capture_output=True, text=True, check=False, timeout=600
        ).stdout
        if "Plan valid" in output:
            return True, None
        if "Plan failed because of unsatisfied precondition" in output:
            before = output.partition("Plan failed because")[0]
            return False, int(_STEP.findall(before)[-1])
        if "Goal not satisfied" in output or "Plan invalid" in output or "failed" in output:
            return False, None
        return None


def pddl_step(step: Action) -> str:
    """Return a step as it stands in a plan."""
    return f"({' '.join((step.name, *step.arguments))})"


def compared(ours: Verdict, theirs: Verdict | None) -> str:
    """Return how two verdicts on a plan compare."""
    if theirs is None:
        return "no verdict of VAL"
    if ours[0] is not theirs[0]:
        return f"verdict DIFFERS: {ours} here, {theirs} by VAL"
    if theirs[1] is None:
        return "same verdict"
    if ours[1] != theirs[1]:
        return f"failing step DIFFERS: {ours[1]} here, {theirs[1]} by VAL"
    return "same verdict, same failing step"


if __name__ == "__main__":
    main()
