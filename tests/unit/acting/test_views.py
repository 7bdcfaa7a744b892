"""Partial observation: what is left out, and what is remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import eai
from eai.acting import (
    ClosedHidden,
    HiddenUntilLooked,
    Memory,
    Message,
    Nearby,
    SameRoom,
    View,
)
from eai.acting.views import Viewed
from eai.simulators import Capabilities, Observation, SeenObject, StepResult
from eai.world import Action, State


def thing(name: str, inside: str = "", relation: str = "", **properties: object) -> SeenObject:
    kind = "room" if name in ("kitchen", "bath") else name
    return SeenObject(name, kind, properties, inside, relation)


def house(
    *, focus: str = "", held: tuple[str, ...] = (), opened: bool = False, me: str = "kitchen"
) -> Observation:
    """A kitchen with a fridge and a table, a bath with a sink."""
    return Observation(
        (
            thing("kitchen"),
            thing("bath"),
            thing("me", me, "in"),
            thing("fridge", "kitchen", "in", open=opened),
            thing("bowl", "fridge", "in", dirty=True),
            thing("egg", "bowl", "in"),
            thing("vase", "fridge", "on"),
            thing("table", "kitchen", "in"),
            thing("cup", "table", "on", dirty=False),
            thing("fork", "table", "on"),
            thing("sink", "bath", "in"),
        ),
        held,
        focus,
    )


def names(view: View, *wholes: Observation) -> set[str]:
    """What is seen at the last of several moments."""
    view.begin()
    for whole in wholes:
        seen = view.see(whole, whole)
    return {each.name for each in seen.objects}


ROOMS = {"kitchen", "bath"}


def test_another_room_is_not_seen() -> None:
    everything = {each.name for each in house().objects}
    assert names(SameRoom("me", "room"), house()) == everything - {"sink"}
    assert names(SameRoom("me", "room"), house(me="bath")) == ROOMS | {"me", "sink"}


def test_what_is_held_goes_along() -> None:
    seen = names(SameRoom("me", "room"), house(me="bath", held=("bowl",)))
    assert seen == ROOMS | {"me", "sink", "bowl", "egg"}


def test_what_is_shut_in_is_not_seen_but_what_is_on_top_is() -> None:
    everything = {each.name for each in house().objects}
    assert names(ClosedHidden(), house()) == everything - {"bowl", "egg"}
    assert names(ClosedHidden(), house(opened=True)) == everything


def test_nearby_is_what_is_looked_at_and_what_is_beside_it() -> None:
    assert names(Nearby(), house(focus="cup")) == {"cup", "table", "fork"}
    assert names(Nearby(), house(focus="table", held=("egg",))) >= {"table", "cup", "fork", "egg"}
    rooms = Nearby(frozenset({"room"}))
    assert names(rooms, house()) == ROOMS
    assert names(rooms, house(focus="table")) == ROOMS | {"table", "cup", "fork"}
    assert "fridge" in names(Nearby(), house(focus="table"))


def test_a_property_is_seen_once_its_object_was_looked_at() -> None:
    view = HiddenUntilLooked(frozenset({"dirty"}))

    def dirty(whole: Observation, name: str) -> object:
        seen = {each.name: each for each in view.see(whole, whole).objects}
        return seen[name].properties.get("dirty")

    view.begin()
    assert dirty(house(), "cup") is None
    assert dirty(house(focus="table"), "cup") is False
    assert dirty(house(), "cup") is False
    assert dirty(house(), "bowl") is None
    assert dirty(house(held=("bowl",)), "bowl") is True
    view.begin()
    assert dirty(house(), "cup") is None


def test_memory_keeps_what_was_seen_as_it_was_seen() -> None:
    view, hidden = Memory(), ClosedHidden()
    view.begin()
    for opened in (True, False):
        whole = house(opened=opened)
        seen = view.see(whole, hidden.see(whole, whole))
    found = {each.name: each for each in seen.objects}
    assert found["bowl"].properties == {"dirty": True, "remembered": True}
    assert found["fridge"].properties == {"open": False}
    assert [each.name for each in seen.objects] == [each.name for each in house().objects]
    view.begin()
    whole = house()
    assert "bowl" not in {e.name for e in view.see(whole, hidden.see(whole, whole)).objects}


def test_memory_keeps_what_is_there_no_more() -> None:
    view = Memory()
    view.begin()
    view.see(house(), house())
    seen = view.see(Observation(), Observation())
    assert len(seen.objects) == len(house().objects)


class Playback:
    """An environment that shows one observation after the other."""

    actions: Mapping[str, int] = {"GO": 0}

    def __init__(self, *shown: Observation) -> None:
        self.capabilities = Capabilities()
        self._shown = shown
        self._at = 0

    def reset(self) -> Observation:
        self._at = 0
        return self._shown[0]

    def step(self, action: Action) -> StepResult:
        self._at += 1
        return StepResult(True, self._shown[self._at], resolved=action)

    def state(self) -> State:
        raise NotImplementedError


def test_policies_are_applied_in_a_row_and_start_anew_with_every_episode() -> None:
    inner = Playback(house(opened=True), house())
    viewed = Viewed(inner, (SameRoom("me", "room"), ClosedHidden(), Memory()))
    assert viewed.capabilities == Capabilities(hidden_state=True)
    assert viewed.actions == inner.actions
    first = {each.name for each in viewed.reset().objects}
    assert "bowl" in first
    assert "sink" not in first
    result = viewed.step(Action("GO"))
    assert result.success
    assert {each.name for each in result.observation.objects} == first
    inner.reset()
    assert "bowl" in {each.name for each in viewed.reset().objects}


@pytest.mark.parametrize("name", ["household", "asgardbench"])
def test_who_is_blind_goes_by_the_instruction_and_the_feedback(name: str) -> None:
    sent: list[str] = []

    def agent(messages: Sequence[Message]) -> str:
        sent.append(messages[-1]["content"])
        return "Action: DANCE"

    suite = eai.suite(name)
    task = next(iter(suite.task_ids()))
    options: dict[str, Any] = {"view": "blind", "semantics": "strict"}
    acted = eai.interact(suite, task, agent, feedback="detailed", **options)
    assert acted.episode.turns
    assert not any("What you see now" in text for text in sent)
    assert "DANCE" in sent[1]
    assert suite.task(task).instruction in sent[0]
    assert eai.interact(suite, task, "oracle", **options).success
