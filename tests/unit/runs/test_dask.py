"""A run whose answers are evaluated by a cluster of Dask."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from needs import package

import eai
from eai.suites.household import samples

distributed = package("distributed", extra="dask")


@pytest.mark.heavy
@pytest.mark.filterwarnings("default")  # what Dask warns of is not ours
def test_a_local_cluster_writes_the_same_bytes_although_a_worker_is_killed(tmp_path: Path) -> None:
    usual, output = tmp_path / "usual", tmp_path / "cluster"
    eai.evaluate("household", samples(), output=usual)
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
            local_directory=str(tmp_path),
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        lost = cluster.workers[0].pid

        def kill_one(done: int, _count: int) -> None:
            if done == 1:  # most batches are evaluated by now, and half of their results are lost
                os.kill(lost, signal.SIGKILL)

        executor = client.get_executor()
        eai.evaluate("household", samples(), output=output, workers=executor, progress=kill_one)
        assert cluster.workers[0].pid != lost  # another process has taken its place
    for name in ("records.jsonl", "run.json", "table.csv", "table.tex", "report.html"):
        assert (output / name).read_bytes() == (usual / name).read_bytes()
