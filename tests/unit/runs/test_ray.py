"""A run whose answers are evaluated by Ray, with the executor of ``docs/speed.md``."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import pytest
from docs_pages import ROOT, blocks
from needs import package

import eai
from eai.suites.household import samples


def documented_executor() -> Executor:
    """Return the executor that the documentation defines, from its own lines."""
    page = ROOT / "docs" / "speed.md"
    [code] = [block.text for block in blocks(page) if "class RayExecutor" in block.text]
    names: dict[str, Any] = {}
    exec(code.partition("eai.evaluate")[0], names)
    executor: Executor = names["RayExecutor"]()
    return executor


@pytest.mark.heavy
@pytest.mark.filterwarnings("default")  # what Ray warns of is not ours
def test_ray_writes_the_same_bytes_although_a_worker_is_killed(tmp_path: Path) -> None:
    ray = package("ray", extra="ray")
    usual, output = tmp_path / "usual", tmp_path / "ray"
    eai.evaluate("household", samples(), output=usual)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    killed: list[int] = []

    def process() -> int:  # in here, so that it is sent itself: workers do not know this module
        return os.getpid()

    def kill_one(done: int, _count: int) -> None:
        if done == 1:
            killed.append(executor.submit(process).result())
            os.kill(killed[0], signal.SIGKILL)

    try:
        executor = documented_executor()
        eai.evaluate("household", samples(), output=output, workers=executor, progress=kill_one)
    finally:
        ray.shutdown()
    assert killed
    assert killed != [os.getpid()]
    for name in ("records.jsonl", "run.json", "table.csv", "table.tex", "report.html"):
        assert (output / name).read_bytes() == (usual / name).read_bytes()
