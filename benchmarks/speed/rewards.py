"""Print how many graded rewards a second batches of answers get, by how often texts repeat.

    python benchmarks/speed/rewards.py [--suites household,virtualhome,behavior] [--batches 4]
        [--against CHECKOUT] [--calls]

A batch has 26 answers to each of 76 tasks: the reference plan with up to three edits, as lines of
calls, numbered lines of words, or a JSON list. A quarter or three quarters of the texts of a task
are distinct, or all. A `Reward` has seen some batches before the one that is measured, in other
edits. CPU seconds of one process; beside it, how many times as long an answer takes as `json.loads`
of the same texts as JSON, which tells how fast the machine is. `--against` measures another
checkout of the library, turn by turn. `--calls` prints instead how long 8,192 answers take in one
call, in a call for each, and in calls from a pool of threads, beside a pool that does nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import eai
from eai.rewards import Reward
from eai.task import Task
from eai.world import Action

TASKS = 76
PER_TASK = 26
SHARES = (0.25, 0.75, 1.0)
ROUNDS = 5
LATENCY_ROWS = 8_192
THREADS = 16
Rows = list[tuple[str, str]]


def written(plan: Sequence[Action], shape: int) -> str:
    """Return a plan in one of three shapes."""
    calls = [f"{step.name.upper()}({', '.join(step.arguments)})" for step in plan]
    if shape == 0:
        return "\n".join(calls)
    if shape == 1:
        words = (f"{step.name.upper()} {' '.join(step.arguments)}" for step in plan)
        return "\n".join(f"{number}. {line}" for number, line in enumerate(words, start=1))
    return json.dumps(calls)


def edited(task: Task, dice: random.Random) -> list[Action]:
    """Return the reference plan with up to three edits."""
    plan, objects = list(task.plans[0]), sorted(task.vocabulary.objects)
    for _ in range(dice.choice([0, 1, 1, 2, 2, 3])):
        if not plan:
            break
        place, edit = dice.randrange(len(plan)), dice.randrange(4)
        step = plan[place]
        if edit == 0:
            del plan[place]
        elif edit == 1:
            plan.insert(dice.randrange(len(plan)), plan.pop(place))
        elif edit == 2:
            plan[place] = Action(step.name, tuple(dice.choice(objects) for _ in step.arguments))
        else:
            plan.insert(place, plan[dice.randrange(len(plan))])
    return plan


def batch(tasks: Sequence[Task], share: float, seed: int) -> Rows:
    """Return the rows of a batch: tasks and answers."""
    dice = random.Random(seed)  # noqa: S311
    rows: Rows = []
    for task in tasks:
        count = max(1, int(PER_TASK * share))
        texts = [written(edited(task, dice), dice.randrange(3)) for _ in range(count)]
        rows += [(task.id, texts[n] if share == 1 else dice.choice(texts)) for n in range(PER_TASK)]
    dice.shuffle(rows)
    return rows


def seconds(reward: Reward, rows: Rows) -> float:
    """Return the CPU seconds that a batch takes."""
    names, texts = map(list, zip(*rows, strict=True))
    start = time.process_time()
    reward.score(names, texts)
    return time.process_time() - start


def loading(rows: Rows) -> float:
    """Return the CPU seconds of `json.loads` of the answers as JSON lists of lines."""
    texts = [json.dumps(text.split("\n")) for _, text in rows]
    start = time.process_time()
    for text in texts:
        json.loads(text)
    return time.process_time() - start


def chosen_tasks(name: str) -> list[Task]:
    """Return the tasks of a suite that batches are about."""
    suite = eai.suite(name)
    ids = Reward(name).tasks()
    random.Random(0).shuffle(ids)  # noqa: S311
    return [task for task in map(suite.task, ids) if task.plans][:TASKS]


def measured(name: str, batches: int) -> list[tuple[float, float]]:
    """Return, for each share of distinct texts, answers a second and times `json.loads`."""
    suite, found = eai.suite(name), []
    tasks = chosen_tasks(name)
    for share in SHARES:
        rounds = []
        for number in range(ROUNDS):
            reward = Reward(suite)  # an object: nothing of the round before is remembered
            for seed in range(batches):
                seconds(reward, batch(tasks, share, 1000 * number + seed))
            rows = batch(tasks, share, 1000 * number + 999)
            taken = seconds(reward, rows)
            rounds.append((len(rows) / taken, taken / loading(rows)))
        found.append(sorted(rounds)[ROUNDS // 2])
    return found


def elsewhere(checkout: Path, name: str, batches: int) -> list[tuple[float, float]]:
    """Return what :func:`measured` returns, of another checkout of the library."""
    paths = [str(checkout / "src"), str(Path(__file__).parent)]
    code = (
        f"import json, sys; sys.path[:0] = {paths!r};"
        f"import rewards; print(json.dumps(rewards.measured({name!r}, {batches})))"
    )
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return [(rate, times) for rate, times in json.loads(done.stdout)]


def print_latencies(name: str, batches: int) -> None:
    """Print how long many answers take by the way in which they are scored, in wall time."""
    tasks = chosen_tasks(name)
    rows: Rows = []
    while len(rows) < LATENCY_ROWS:
        rows += batch(tasks, SHARES[0], 999 + len(rows))
    names, texts = map(list, zip(*rows[:LATENCY_ROWS], strict=True))

    def in_pool(score: Callable[[str, str], object]) -> None:
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(score, names, texts))

    def one(reward: Reward) -> Callable[[str, str], object]:
        return lambda task, text: reward.score(task, [text])

    ways: dict[str, Callable[[Reward], object]] = {
        "one call": lambda reward: reward.score(names, texts),
        "a call for each": lambda reward: list(map(one(reward), names, texts)),
        f"{THREADS} threads": lambda reward: in_pool(one(reward)),
        f"{THREADS} threads that do nothing": lambda _: in_pool(lambda _task, _text: 0.0),
    }
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(ROUNDS):
        for way, act in ways.items():
            reward = Reward(eai.suite(name))
            for seed in range(batches):
                seconds(reward, batch(tasks, SHARES[0], 1000 * number + seed))
            start = time.perf_counter()
            act(reward)
            taken[way].append(time.perf_counter() - start)
    whole = sorted(taken["one call"])[ROUNDS // 2]
    for way, times in taken.items():
        median = sorted(times)[ROUNDS // 2]
        each = median / LATENCY_ROWS * 1e6
        print(f"{name:12} {way:28} {median:.3f} s, {each:5.1f} us each, {median / whole:.1f} times")


def main() -> None:
    """Print a row for each suite and share of distinct texts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--suites", default="household")
    parser.add_argument("--batches", type=int, default=4, help="batches before the measured one")
    parser.add_argument("--against", type=Path, help="another checkout of the library")
    parser.add_argument("--calls", action="store_true", help="print latencies instead")
    arguments = parser.parse_args()
    if arguments.calls:
        for name in arguments.suites.split(","):
            print_latencies(name, arguments.batches)
        return
    print(f"{'suite':12} {'distinct':>8} {'a second':>9} {'x json.loads':>12}   other checkout")
    for name in arguments.suites.split(","):
        rows = measured(name, arguments.batches)
        others: Sequence[tuple[float, float] | None] = [None] * len(rows)
        if arguments.against is not None:
            others = elsewhere(arguments.against, name, arguments.batches)
        for share, (rate, times), other in zip(SHARES, rows, others, strict=True):
            line = f"{name:12} {share:8.0%} {rate:9,.0f} {times:12.1f}"
            if other is not None:
                line += f"   {other[0]:,.0f} a second, {other[1]:.1f} x json.loads"
            print(line)


if __name__ == "__main__":
    main()
