"""How much memory answers leave behind, for every suite, ability and semantics, by hand.

    python benchmarks/memory.py [--answers 3000] [--only SUITE/ABILITY/SEMANTICS ...]

Evaluates different answers, of the kind that an ability asks for and no longer than 5,000
characters, to twenty tasks, in one process; printed is the resident memory after each tenth of
them. It is flat but for what is kept on purpose: of transition modeling the last 1,024 operators
and 256 answers. Linux only.
"""

from __future__ import annotations

import argparse
import random
import resource
from pathlib import Path

from hostile import FITTING, KINDS, SUITES, Target, suite_of, targets

TASKS = 20
LONGEST = 5_000


def resident() -> float:
    """Megabytes of memory that this process has now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def evaluate(target: Target, count: int) -> list[float]:
    """Evaluate so many answers; return the memory after each tenth of them."""
    suite = suite_of(target.suite)
    semantics, names = suite.semantics(target.semantics), suite.task_ids()[:TASKS]
    after = []
    for number in range(count):
        task = suite.task(names[number % len(names)])
        dice = random.Random(f"{target} {number}")  # noqa: S311 - nothing is secret
        answer = KINDS[FITTING.get(target.ability, "json")](dice, task)[:LONGEST]
        suite.evaluate(target.ability, task, f"{answer} {number}", semantics)
        if (number + 1) % (count // 10) == 0:
            after.append(resident())
    return after


def main() -> None:
    """Evaluate and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=int, default=3_000)
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    count = max(10, options.answers)
    for target in targets([name for name in SUITES if name != "readers"]):
        if options.only and str(target) not in options.only:
            continue
        shown = ", ".join(f"{each:.0f}" for each in evaluate(target, count))
        print(f"{target!s:52}{shown} MB", flush=True)


if __name__ == "__main__":
    main()
