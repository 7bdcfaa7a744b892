"""How many plans are evaluated per second, and in how much memory, from a thousand to a million.

    python benchmarks/speed/scale.py                       # 1,000 and 10,000 plans, all ways
    python benchmarks/speed/scale.py 1000000 --ways 2      # a million, in two processes
    python benchmarks/speed/scale.py 100000 --ways 2 dask  # and on two local Dask workers
    python benchmarks/speed/scale.py 100000 --kill 20      # killed after 20 s, then resumed
    python benchmarks/speed/scale.py 100000 --ways 1 dask --kill-worker 20  # one of two workers

The tasks are those of the household suite, again and again under other names; the plans of a
hundred models are reference plans, three in eight of them with a step left out, exchanged or moved.
Each way runs in processes of its own. Printed are seconds by the clock and of processor time, plans
per second of both, the memory of all its processes together at its highest (resident set, sampled
every tenth of a second; pages that processes share count for each), and a checksum of the records.
Ways: `memory` (everything in memory), `scores` (the same, and nothing is written), a number of
processes, `dask`. Linux only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import eai
from eai.suites.household import Household, samples
from eai.world import Action

MODELS = 100
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
SOURCE = Path(str(samples()[0])).parent


def written(plan: list[Action]) -> str:
    """A plan in the form that the prompts ask for."""
    steps = []
    for step in plan:
        parts = [part for name in step.arguments for part in name.rsplit(".", 1)]
        steps.append({step.name.upper(): parts})
    return json.dumps(steps)


def varied(plan: list[Action], objects: list[str], dice: random.Random) -> list[Action]:
    """The plan, or one with a step left out, exchanged or moved."""
    at, kind = dice.randrange(len(plan)), dice.randrange(8)
    rest = [*plan[:at], *plan[at + 1 :]]
    if kind == 0:
        return rest
    if kind == 1:
        other = Action(plan[at].name, tuple(dice.choice(objects) for _ in plan[at].arguments))
        return [*plan[:at], other, *plan[at + 1 :]]
    if kind == 2:
        rest.insert(dice.randrange(len(rest) + 1), plan[at])
        return rest
    return plan


def write(folder: Path, plans: int) -> None:
    """Write a suite and the answers of its models, so many plans in all."""
    models = min(MODELS, plans)
    tasks = plans // models
    suite = Household()
    ids = suite.task_ids()
    lines = (SOURCE / "tasks.jsonl").read_text("utf-8").splitlines()
    for name in ("manifest.json", "homes.json"):
        shutil.copy(SOURCE / name, folder)
    with (folder / "tasks.jsonl").open("w", encoding="utf-8") as stream:
        for number in range(tasks):
            task = {**json.loads(lines[number % len(lines)]), "id": f"task-{number:07d}"}
            stream.write(f"{json.dumps(task)}\n")
    loaded = [suite.task(name) for name in ids]
    known = [(list(task.plans[0]), sorted(task.vocabulary.objects)) for task in loaded]
    (folder / "answers").mkdir()
    for model in range(models):
        dice = random.Random(model)  # noqa: S311
        with (folder / "answers" / f"model-{model:03d}.jsonl").open("w") as stream:
            for number in range(tasks):
                text = written(varied(*known[number % len(known)], dice))
                stream.write(f"{json.dumps({'id': f'task-{number:07d}', 'output': text})}\n")


def kill(worker: Any) -> None:  # noqa: ANN401  # of Dask, which need not be there
    """Kill a process of Dask that evaluates; its nanny starts another one."""
    os.kill(worker.pid, signal.SIGKILL)
    print(f"killed worker {worker.pid}", flush=True)


def evaluate(folder: Path, output: Path, way: str, kill_worker: float | None = None) -> None:
    """Evaluate the plans in one way; kill one of Dask's workers after so many seconds."""
    suite, answers = Household(folder), folder / "answers"
    if way == "scores":
        eai.evaluate(suite, answers)
    elif way == "memory":
        eai.evaluate(suite, answers, output=output)
    elif way == "dask":
        from dask.distributed import Client, LocalCluster

        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            if kill_worker is not None:
                threading.Timer(kill_worker, kill, [cluster.workers[0]]).start()
            eai.evaluate(suite, answers, output=output, workers=client.get_executor())
    else:
        eai.evaluate(suite, answers, output=output, workers=int(way))


def processes(root: int) -> Iterator[tuple[int, float, int]]:
    """Number, processor seconds and resident bytes of a process and those below it."""
    below: dict[int, list[int]] = {}
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(") ", 1)[1].split()
        except (OSError, IndexError):
            continue
        below.setdefault(int(fields[1]), []).append(int(entry.name))
        found[int(entry.name)] = (int(fields[11]) + int(fields[12])) / TICKS, int(fields[21]) * PAGE
    waiting = [root]
    while waiting:
        number = waiting.pop()
        waiting += below.get(number, ())
        if number in found:
            yield number, *found[number]


def watched(
    folder: Path,
    output: Path,
    way: str,
    *,
    kill_after: float | None = None,
    kill_worker: float | None = None,
) -> tuple[float, ...]:
    """Seconds, processor seconds and highest bytes of one run in processes of its own."""
    command = [sys.executable, __file__, "--evaluate", str(folder), str(output), way]
    if kill_worker is not None:
        command += ["--kill-worker", str(kill_worker)]
    begun, cpu, most = time.monotonic(), dict[int, float](), 0
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            seen = list(processes(process.pid))
            cpu.update((number, seconds) for number, seconds, _ in seen)
            most = max(most, sum(size for *_, size in seen))
            if kill_after is not None and time.monotonic() - begun > kill_after:
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.1)
    return time.monotonic() - begun, sum(cpu.values()), most


def show(plans: int, way: str, measured: tuple[float, ...], output: Path) -> None:
    """Print what was measured, and a checksum of the records."""
    clock, cpu, most = measured
    print(
        f"{plans:>9,} plans  {way:>6}  {clock:7.1f} s ({plans / clock:6,.0f}/s)"
        f"  {cpu:7.1f} s of processors ({plans / cpu:6,.0f}/s)  {most / 1e6:6.0f} MB"
        f"  records {checksum(output)}",
        flush=True,
    )


def checksum(output: Path) -> str:
    """The beginning of the SHA-256 of a run's records; "-" if it wrote none."""
    found = hashlib.sha256()
    if not output.exists():
        return "-"
    with (output / "records.jsonl").open("rb") as stream:
        while chunk := stream.read(1 << 20):
            found.update(chunk)
    return found.hexdigest()[:12]


def main() -> None:
    """Write plans and evaluate them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("plans", nargs="*", type=int, default=[1_000, 10_000])
    parser.add_argument("--ways", nargs="+", default=["scores", "memory", "1", "2", "dask"])
    parser.add_argument("--kill", type=float, help="seconds after which a run is killed")
    parser.add_argument(
        "--kill-worker", type=float, help="seconds after which one of Dask's workers is killed"
    )
    parser.add_argument("--evaluate", nargs=3, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.evaluate:
        data, output, way = chosen.evaluate
        evaluate(Path(data), Path(output), way, chosen.kill_worker)
        return
    for plans in chosen.plans:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write(folder, plans)
            for way in chosen.ways:
                output = folder / f"run {way}"
                measured = watched(folder, output, way, kill_worker=chosen.kill_worker)
                show(plans, way, measured, output)
                if chosen.kill:
                    output = folder / f"killed {way}"
                    first = watched(folder, output, way, kill_after=chosen.kill)
                    left = (output / ".journal.sqlite3").stat().st_size
                    print(f"killed after {first[0]:.1f} s: {left / 1e6:,.0f} MB of journal")
                    show(plans, way, watched(folder, output, way), output)


if __name__ == "__main__":
    main()
