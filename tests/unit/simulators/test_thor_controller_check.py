"""`tools/thor_controller_check.py` over a player that has the symbolic world behind it."""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from fake_thor_player import Answer, StageClient
from fake_thor_stages import Symbolic

from eai.simulators.thor_controller.client import Connection

SCRIPT = Path(__file__).parents[3] / "tools" / "thor_controller_check.py"
compare = runpy.run_path(str(SCRIPT))["compare"]


@pytest.mark.heavy
def test_the_symbolic_world_agrees_with_itself() -> None:
    found = compare(lambda scene: Connection(StageClient(Symbolic(), scene)), steps=30)
    *_, (name, steps, outcomes, codes, states) = found.rows()
    assert (name, steps >= 30) == ("all", True)
    assert outcomes == codes == states == steps
    assert found.differing == []


@pytest.mark.heavy
def test_a_player_that_does_something_else_is_found_out() -> None:
    class Stuck(Symbolic):
        def act(self, request: Mapping[str, Any]) -> Answer:
            if request["action"] == "OpenObject":
                return Answer(self._objects(), error="failed to open/close successfully")
            return super().act(request)

    found = compare(lambda scene: Connection(StageClient(Stuck(), scene)), steps=20)
    *_, (_, steps, outcomes, _, states) = found.rows()
    assert outcomes < steps
    assert states < steps
    assert any("MOTION_BLOCKED, not done" in line for line in found.differing)
