"""Whatever goal the schema accepts, the oracle of own tasks has a plan or a reason."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import eai
from eai.contract.lint import lint_suite
from eai.errors import InputError
from eai.suites.thor import ThorTasks, ThorTasksDocument
from eai.suites.thor.document import STATES, room

ROOMS = ("FloorPlan1", "FloorPlan4", "FloorPlan201", "FloorPlan408")

usual = settings(
    max_examples=12,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
thorough = settings(usual, max_examples=400)


def fitting_states(scene_name: str, word: str) -> list[str]:
    """The states that the first object of a name or a type can be in."""
    scene = room(scene_name)
    one = next(each for each in scene.objects if word in (each.name, each.type))
    has_knob = any(one.name in each.controls for each in scene.objects)
    return [
        state
        for state, (_, _, needs) in STATES.items()
        if needs in one.affordances or (needs == "toggleable" and has_knob)
    ]


def receptacles(scene_name: str) -> list[str]:
    """Types in or on which something can be."""
    objects = room(scene_name).objects
    return sorted({one.type for one in objects if "receptacle" in one.affordances})


@st.composite
def wanted(draw: st.DrawFn, scene_name: str, depth: int = 0) -> dict[str, Any]:
    """One entry of a goal; most entries ask for states that the object can be in."""
    objects = room(scene_name).objects
    names = sorted({each for one in objects for each in (one.name, one.type)})
    word = draw(st.sampled_from(receptacles(scene_name) if depth else names))
    fitting = fitting_states(scene_name, word)
    is_odd = not fitting or draw(st.integers(0, 9)) == 0
    states = st.sampled_from([*STATES] if is_odd else fitting)
    made: dict[str, Any] = {"object": word, "is": draw(st.lists(states, max_size=2))}
    if draw(st.integers(0, 5)) == 0:
        made["count"] = draw(st.integers(2, 4))
    place = draw(st.integers(0, 3 if depth < 2 else 2))
    if place == 1:
        made["in"] = draw(st.sampled_from(receptacles(scene_name)))
    elif place == 3:
        made["in"] = draw(wanted(scene_name, depth + 1))
    return made


@st.composite
def changes(draw: st.DrawFn, scene_name: str) -> dict[str, Any]:
    """How one object differs at the start."""
    kinds = sorted({one.type for one in room(scene_name).objects})
    word = draw(st.sampled_from(kinds))
    made: dict[str, Any] = {"object": word, "is": []}
    fitting = fitting_states(scene_name, word)
    if fitting:
        made["is"] = draw(st.lists(st.sampled_from(fitting), max_size=2))
    if draw(st.booleans()):
        made["in"] = draw(st.sampled_from(receptacles(scene_name)))
    return made


@st.composite
def tasks(draw: st.DrawFn) -> dict[str, Any]:
    """A task as its author would write it, possible or not."""
    scene_name = draw(st.sampled_from(ROOMS))
    return {
        "id": "one",
        "scene": scene_name,
        "instruction": "Do it.",
        "goal": draw(st.lists(wanted(scene_name), min_size=1, max_size=3)),
        "start": draw(st.lists(changes(scene_name), max_size=2)),
    }


def check_has_a_plan_or_a_reason(task: dict[str, Any]) -> None:
    suite = ThorTasks(ThorTasksDocument.model_validate({"tasks": [task]}))
    faults = [*lint_suite(suite)]
    try:
        loaded = suite.task("one")
    except InputError:
        assert [fault.kind for fault in faults] == ["task"]
        return
    if loaded.plans:
        assert [fault for fault in faults if fault.grave] == []
        assert eai.interact(suite, "one", "oracle").success
        return
    assert [fault.message for fault in faults if fault.grave] == [loaded.no_plan]
    assert loaded.no_plan
    if all(fault.kind != "trivial" for fault in faults):
        episode = eai.interact(suite, "one", "oracle").episode
        assert episode.end == "agent_failure"
        assert loaded.no_plan in episode.note


@given(tasks())
@usual
def test_every_goal_has_a_plan_or_a_reason(task: dict[str, Any]) -> None:
    check_has_a_plan_or_a_reason(task)


@pytest.mark.heavy
@given(tasks())
@thorough
def test_many_goals_have_a_plan_or_a_reason(task: dict[str, Any]) -> None:
    check_has_a_plan_or_a_reason(task)
