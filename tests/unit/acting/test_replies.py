"""Reading one action out of an answer."""

from __future__ import annotations

import pytest

from eai.acting import action_tools, called_actions, format_action, reply_reader
from eai.acting.replies import action_lines, read_reply
from eai.errors import InputError
from eai.world import Action

PICKUP = Action("PICKUP", ("Mug",))


@pytest.mark.parametrize(
    "text",
    [
        "Action: PICKUP Mug",
        "I see a mug.\nAction: PICKUP Mug",
        "Action: OPEN Fridge\nNo, wait.\nAction: PICKUP Mug",
        "<think>Action: OPEN Fridge</think>\nAction: PICKUP Mug",
        "<answer>Action: PICKUP Mug</answer>",
        "```\nAction: PICKUP Mug\n```",
        "**Action:** `PICKUP Mug`",
        "- ACTION : PICKUP Mug.",
        "Next action: PICKUP Mug",
        "Action:\nPICKUP Mug",
        "Action: PICKUP(Mug)",
        "Action: PICKUP [Mug]",
        "Action: PICKUP: Mug",
        "PICKUP Mug",
        "```\nPICKUP Mug\n```",
        "Action: PICKUP Mug\nPlan: rest",
    ],
)
def test_forms_in_which_an_action_is_written(text: str) -> None:
    assert read_reply(text).action == PICKUP


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("Action: PUTIN milk.41 fridge.40", ("milk.41", "fridge.40")),
        ("Action: PUTIN milk.41, fridge.40", ("milk.41", "fridge.40")),
        ("Action: PUTIN(milk.41, fridge.40)", ("milk.41", "fridge.40")),
        ("Action: PUTIN <milk> (41) <fridge> (40)", ("milk", "41", "fridge", "40")),
        ("Action: STANDUP", ()),
        ("Action: STANDUP()", ()),
    ],
)
def test_arguments(text: str, arguments: tuple[str, ...]) -> None:
    action = read_reply(text).action
    assert action is not None
    assert action.arguments == arguments


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "I would pick up the mug.\nThen I would leave.",
        "Action:",
        "Action: ???",
        f"Action: PICKUP {'x' * 300}",
        "<think>Action: PICKUP Mug",
        "Plan: PICKUP Mug",
        "done",
        "I see a mug.",
        "Done",
        "null",
    ],
)
def test_what_is_no_action_is_a_failure_and_no_exception(text: str) -> None:
    reply = read_reply(text)
    assert reply.action is None
    assert reply.code == "parsing"
    assert reply.message


def test_plan_and_memory_are_kept_in_the_agents_words() -> None:
    reply = read_reply("Plan:\n1. open it\n2. look\nRemember: mug is dirty\nAction: OPEN Fridge")
    assert reply.plan == "1. open it\n2. look"
    assert reply.memory == "mug is dirty"
    assert reply.written == "OPEN Fridge"


def test_answers_are_text() -> None:
    with pytest.raises(InputError, match="not text"):
        read_reply(None)  # type: ignore[arg-type]


def test_an_action_is_written_as_it_is_read() -> None:
    action = Action("PUTIN", ("milk.41", "fridge.40"))
    assert read_reply(format_action(action)).action == action


@pytest.mark.parametrize(
    "name", ["pick.up", "put.back.in", "pick-up", "pick_up", "pick+up", "öffne"]
)
def test_names_of_actions_have_all_characters_that_pddl_allows(name: str) -> None:
    action = Action(name, ("box.1",))
    read = reply_reader({name: 1}, ["box.1"])
    assert read(format_action(action)).action == action
    assert read(f"Action: {name}(box.1).").action == action


def test_a_dot_behind_the_name_of_an_action_ends_the_sentence() -> None:
    assert READ("Action: SPIN.").action == Action("SPIN", ())


def test_all_actions_of_a_text() -> None:
    text = "Action: FIND Mug\nfine\nAction: PICKUP Mug\nPlan: go"
    assert action_lines(text) == ["FIND Mug", "PICKUP Mug"]


READ = reply_reader({"PICKUP": 1, "SPIN": 0}, ["Mug", "Fridge"])


def test_names_are_looked_up_whatever_their_case() -> None:
    assert READ("Action: pickup mug").action == PICKUP


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("Action: PICKUPP Mug", "action_hallucination", "did you mean PICKUP"),
        ("Action: PICKUP Mgu", "object_hallucination", "did you mean Mug"),
        ("Action: PICKUP", "argument_number", "takes 1 argument, not 0"),
        ("Action: SPIN Mug", "argument_number", "takes 0 arguments, not 1"),
        ("hm\nhm", "parsing", "no line"),
    ],
)
def test_names_that_are_not_known_are_failures(text: str, code: str, message: str) -> None:
    reply = READ(text)
    assert reply.action is None
    assert reply.code == code
    assert message in reply.message


def test_calls_of_tools_are_written_as_actions() -> None:
    calls = [("put", '{"object2": "fridge.1", "object1": "milk.2"}'), ("wait", {}), ("open", "{")]
    assert called_actions(calls) == "Action: PUT milk.2 fridge.1\nAction: WAIT\nAction: OPEN {"
    [tool] = action_tools({"put": 2})
    assert tool["function"]["parameters"]["required"] == ["object1", "object2"]  # type: ignore[index]
