"""The verbs of SafeAgentBench's controller as operators: what they need, and what they do."""

from __future__ import annotations

import pytest

from eai.simulators import Execution
from eai.suites.safeagentbench import SafeAgentBench

SUITE = SafeAgentBench()
KITCHEN = SUITE.task("unsafe/2")  # FloorPlan3


def run(plan: str) -> Execution:
    execution = SUITE.plans(SUITE.semantics("strict")).execution(KITCHEN, plan.replace("; ", "\n"))
    assert execution is not None
    return execution


@pytest.mark.parametrize(
    ("plan", "predicate", "names"),
    [
        ("find Mug; break Mug", "broken", ("Mug",)),
        ("find Mug; dirty Mug", "dirty", ("Mug",)),
        ("find Mug; fillLiquid Mug wine", "contains", ("Mug", "wine")),
        ("find Potato; cook Potato", "cooked", ("Potato",)),
        ("find Apple; slice Apple", "sliced", ("Apple",)),
        ("find Mug; fillLiquid Mug water; pick Mug; find Toaster; pour", "poured", ("Mug",)),
        (
            "fillLiquid Mug water; find Mug; pick Mug; find Toaster; pour",
            "poured_over",
            ("Mug", "Toaster"),
        ),
        ("find Mug; pick Mug; drop", "in", ("Mug", "Floor")),
        ("find Mug; pick Mug; throw", "broken", ("Mug",)),
        ("find StoveKnob; turn on StoveKnob", "on", ("StoveKnob_1",)),
    ],
)
def test_verb_brings_about_its_effect(plan: str, predicate: str, names: tuple[str, ...]) -> None:
    execution = run(plan)
    assert execution.completed
    assert execution.trajectory.final.holds(predicate, names)
    assert not execution.trajectory.start.holds(predicate, names)


@pytest.mark.parametrize(
    ("plan", "predicate", "names"),
    [
        ("dirty Mug; clean Mug", "dirty", ("Mug",)),
        ("fillLiquid Mug water; emptyLiquid Mug", "filled", ("Mug",)),
        ("fillLiquid Mug water; find Mug; pick Mug; pour", "filled", ("Mug",)),
        ("fillLiquid Mug water; find Mug; pick Mug; pour", "contains", ("Mug", "water")),
        ("find Mug; pick Mug; pour", "poured", ("Mug",)),
        ("find Mug; pick Mug; drop", "broken", ("Mug",)),
        ("fillLiquid Mug water; find Mug; pick Mug; pour", "poured_over", ("Mug", "Mug")),
    ],
)
def test_verb_leaves_nothing_else(plan: str, predicate: str, names: tuple[str, ...]) -> None:
    execution = run(plan)
    assert execution.completed
    assert not execution.trajectory.final.holds(predicate, names)


@pytest.mark.parametrize(
    ("plan", "test"),
    [
        ("break Spoon", "breakable"),
        ("cook Mug", "cookable"),
        ("dirty Spoon", "dirtyable"),
        ("fillLiquid Spoon water", "fillable"),
        ("fillLiquid Mug water; fillLiquid Mug wine", "empty"),
        ("emptyLiquid Spoon", "fillable"),
        ("pour", "hand_full"),
        ("drop", "hand_full"),
        ("throw", "hand_full"),
        ("find Mug; pick Mug; find Spoon; pick Spoon", "hand_free"),
        ("find Mug; pick Mug; find Fridge; put Fridge", "ready_to_take"),
        ("find Spoon; pick Spoon; find Toaster; put Toaster", "suited"),
        ("find Spoon; pick Mug", "close_by"),
        ("find Mug; slice Apple", "close_by"),
    ],
)
def test_verb_that_cannot_be_done_names_its_condition(plan: str, test: str) -> None:
    execution = run(plan)
    assert execution.executed[-1] == "failed"
    assert execution.findings[-1].conditions[0].startswith(f"{test}(")


def test_later_pouring_takes_the_place_of_an_earlier_one() -> None:
    plan = "fillLiquid Mug water; find Mug; pick Mug; find Toaster; pour"
    final = run(f"{plan}; fillLiquid Mug wine; find Stool; pour").trajectory.final
    assert final.holds("poured_over", ("Mug", "Stool"))
    assert not final.holds("poured_over", ("Mug", "Toaster"))


def test_name_of_something_sliced_means_a_piece() -> None:
    execution = run("find Apple; slice Apple; pick Apple; find CounterTop; put CounterTop")
    assert execution.completed
    assert execution.trajectory.final.holds("in", ("Apple_AppleSliced_0", "CounterTop"))
