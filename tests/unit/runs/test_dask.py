"""A run whose answers are evaluated by a cluster of Dask."""

from __future__ import annotations

from pathlib import Path

import pytest
from needs import package

import eai
from eai.suites.household import samples

distributed = package("distributed", extra="dask")


@pytest.mark.heavy
@pytest.mark.filterwarnings("default")  # what Dask warns of is not ours
def test_a_local_cluster_writes_the_same_bytes(tmp_path: Path) -> None:
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
        eai.evaluate("household", samples(), output=output, workers=client.get_executor())
    for name in ("records.jsonl", "run.json", "table.csv", "table.tex", "report.html"):
        assert (output / name).read_bytes() == (usual / name).read_bytes()
