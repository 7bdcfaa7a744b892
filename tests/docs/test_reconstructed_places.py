"""The figure on reconstructed places that the page about EmbodiedBench states."""

from __future__ import annotations

import re
import runpy

import pytest
from docs_pages import ROOT


def test_the_share_of_right_receptacles_is_that_of_rooms_not_used_for_constants(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = ROOT / "benchmarks" / "agreement" / "embodiedbench_rooms.py"
    runpy.run_path(str(path))["figures"]()
    printed = re.search(
        r"of (\d+) objects.*other rooms: type right ([\d.]+)%", capsys.readouterr().out, re.DOTALL
    )
    assert printed is not None
    page = (ROOT / "docs" / "embodiedbench.md").read_text("utf-8")
    assert f"{printed[2]} % of {printed[1]} recorded objects" in page
