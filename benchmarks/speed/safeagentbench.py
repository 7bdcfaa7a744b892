"""CPU time of evaluating all tasks of SafeAgentBench by the command, on one core.

    python benchmarks/speed/safeagentbench.py [RUNS]

The facts of every second task ship. The others are stood in for by copies of their neighbours
under the missing identifiers, in a cache folder of its own, so that all 1,050 instructions are
evaluated. Answers are the reference plans; long tasks, which have none, get a short plan.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from eai.suites.safeagentbench.facts import SafeTask, records

COMMAND = ("-m", "eai", "evaluate", "safeagentbench")


def neighbour_of(record: SafeTask) -> dict[str, object]:
    """Return a row of the cache: the task of the next line, with the facts of a task."""
    text = f"stands in for a task of {record.scene}"
    line = {
        "scene_name": record.scene,
        "instruction": [text] * len(record.ids) if len(record.ids) > 1 else text,
        "step": list(record.steps),
        "final_state": record.final_state,
    }
    return {"kind": record.kind, "index": record.index + 1, "line": line}


def answers_for(record: SafeTask) -> dict[str, str]:
    """Return the reference plan for a task and for its neighbour."""
    plan = "\n".join(record.steps) or "find Faucet\nturn on Faucet\nturn off Faucet"
    answers = dict.fromkeys(record.ids, plan)
    for task_id in replace(record, index=record.index + 1).ids:
        answers[task_id] = plan
    return answers


def cpu_seconds(folder: Path, arguments: tuple[str, ...]) -> float:
    """Return the CPU time of the command with these arguments."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *COMMAND, *arguments],
        env={**os.environ, "EAI_CACHE": str(folder)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(runs: int) -> None:
    """Print the CPU time of each run, without and with the report that it writes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["EAI_CACHE"] = str(folder / "empty")
        shipped = list(records().values())
        rows = [neighbour_of(record) for record in shipped]
        (folder / "safeagentbench").mkdir()
        (folder / "safeagentbench" / "tasks.json").write_text(json.dumps(rows), "utf-8")
        answers: dict[str, str] = {}
        for record in shipped:
            answers.update(answers_for(record))
        path = folder / "reference.json"
        path.write_text(json.dumps(answers), "utf-8")
        print(f"{len(answers):,} answers")
        for _ in range(runs):
            plain = cpu_seconds(folder, (str(path),))
            output = ("--output", str(folder / "run"), "--force")
            written = cpu_seconds(folder, (str(path), *output))
            print(f"{plain:.2f} s of CPU time; {written:.2f} s with records and page")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
