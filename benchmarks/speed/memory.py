"""How much memory answers leave behind, for every suite, ability and semantics, by hand.

    python benchmarks/speed/memory.py [--answers 3000] [--only SUITE/ABILITY/SEMANTICS ...]
    python benchmarks/speed/memory.py --rewards 1000000

Evaluates different answers, of the kind that an ability asks for and no longer than 5,000
characters, to twenty tasks, in one process; printed is the resident memory after each tenth of
them. It is flat but for what is kept on purpose: of transition modeling the last 1,024 operators
and 256 answers. With `--rewards`, so many ordinary plans (reference plans of household tasks, with
steps left out, exchanged and moved) get graded rewards instead. Linux only.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from pathlib import Path

from hostile import FITTING, KINDS, SUITES, Target, suite_of, targets, words_of
from scale import varied, written

from eai.rewards import Reward
from eai.suites.household import Household

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
        kind = KINDS[FITTING.get(target.ability, "json")]
        answer = kind(dice, words_of(target.suite, task.id))[:LONGEST]
        suite.evaluate(target.ability, task, f"{answer} {number}", semantics)
        if (number + 1) % (count // 10) == 0:
            after.append(resident())
    return after


def reward(count: int) -> None:
    """Give so many plans rewards; print the memory after each tenth, and the processor time."""
    suite, dice, solved, spent = Household(), random.Random(0), 0, 0.0  # noqa: S311
    tasks = [suite.task(name) for name in suite.task_ids()]
    known = [(task, list(task.plans[0]), sorted(task.vocabulary.objects)) for task in tasks]
    score = Reward(suite)
    for tenth in range(1, 11):
        for _ in range(count // 1000):
            task, plan, objects = dice.choice(known)
            once = (varied(plan, objects, dice) or plan for _ in range(100))
            plans = [written(varied(each, objects, dice)) for each in once]
            begun = time.process_time()
            solved += sum(value == 1 for value in score.score(task.id, plans))
            spent += time.process_time() - begun
        done = tenth * (count // 1000) * 100
        print(
            f"{done:>9,} plans, {solved:,} solved, {spent:.0f} s, {resident():.0f} MB", flush=True
        )


def main() -> None:
    """Evaluate and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=int, default=3_000)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rewards", type=int)
    options = parser.parse_args()
    if options.rewards:
        reward(options.rewards)
        return
    count = max(10, options.answers)
    for target in targets([name for name in SUITES if name != "readers"]):
        if options.only and str(target) not in options.only:
            continue
        shown = ", ".join(f"{each:.0f}" for each in evaluate(target, count))
        print(f"{target!s:52}{shown} MB", flush=True)


if __name__ == "__main__":
    main()
