"""Goals of the household suite say what their instructions ask for: no short cut solves them."""

from __future__ import annotations

import pytest

from eai.suites.household import Household

SUITE = Household()

SHORTCUTS = {
    "studio-09": (  # by hand, and the machine runs empty
        "walk(washing_machine.80)\nswitchon(washing_machine.80)\n"
        "walk(laundry_basket.81)\nwash(socks.82)\nwash(trousers.83)"
    ),
    "house-07": "walk(kitchen_counter.58)\nwash(kitchen_counter.58)",  # without the rag
    "flat-15": "walk(sink.403)\ngrab(soap.408)\nwipe(mirror.404)",  # with the soap
}


@pytest.mark.parametrize("name", SHORTCUTS)
def test_a_short_cut_can_be_executed_but_does_not_solve_the_task(name: str) -> None:
    evaluated = SUITE.evaluate(
        "action_sequencing", SUITE.task(name), SHORTCUTS[name], SUITE.semantics("strict")
    )
    assert evaluated.executable
    assert all(goal.met for goal in evaluated.goals)
    assert not evaluated.success
    assert "never holds" in evaluated.findings[-1].message
