"""What agents of AsgardBench say and hear: under `official` as in the published program."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from asgard_episodes import OFFICIAL, STRICT
from asgardbench_rooms import COFFEE, TELEVISION, kitchen, take
from needs import facts, recordings

from eai.acting import Feedback
from eai.acting.episode import episode_measures, turn_kind
from eai.acting.turns import Acting
from eai.semantics import Semantics
from eai.suites.asgardbench.gate import ACTIONS
from eai.suites.asgardbench.instances import rules
from eai.suites.asgardbench.quirks import QUIRKS, TALKING
from eai.suites.asgardbench.room import Refusal
from eai.suites.asgardbench.suite import AsgardBench

SUITE = AsgardBench()
KITCHEN = SUITE.task(COFFEE)
FORMS = ("asgardbench_ai2thor", "answer_forms.json")


def acting(
    answers: Sequence[str],
    semantics: Semantics = OFFICIAL,
    *,
    task: str = COFFEE,
    feedback: Feedback = "detailed",
    carried: bool = True,
) -> Acting:
    found = SUITE.task(task)
    one = Acting(
        SUITE.environment(found, semantics),
        SUITE.episode_rules(found, semantics),
        feedback=feedback,
        carried=carried,
    )
    for answer in answers:
        if not one.finished:
            one.submit(answer)
    return one


def heard(one: Acting) -> str:
    (message,) = one.messages
    return message["content"]


def history(one: Acting) -> list[str]:
    told = heard(one).partition("## Actions so far\n")[2]
    return told.partition("\n\n")[0].splitlines()


def read(answer: str, semantics: Semantics = OFFICIAL) -> str:
    """The action that is tried; empty if the environment knows none of that name."""
    action = SUITE.episode_rules(KITCHEN, semantics).read(answer).action
    if action is None or action.name not in ACTIONS:
        return ""
    known = set(action.arguments) <= KITCHEN.vocabulary.objects
    return f"{action.name} {' '.join(action.arguments)}" if known else ""


@pytest.mark.parametrize(
    ("answer", "official", "strict"),
    [
        ("Action: FIND Mug", "FIND Mug", "FIND Mug"),
        ("Action: FIND mug", "FIND Mug", "FIND Mug"),
        ("Action: find Mug", "", "FIND Mug"),
        ("I will do Action: FIND Mug because", "FIND Mug", ""),
        ("Action: PUT Mug in CounterTop", "PUT Mug", ""),
        ("Action: FIND Mug\nAction: OPEN Fridge", "OPEN Fridge", "OPEN Fridge"),
        ("Action: FIND Mug <answer>Action: OPEN Fridge</answer>", "OPEN Fridge", "OPEN Fridge"),
        ("Action: FIND Mug <answer>none</answer>", "", "FIND Mug"),
        ("Action: FIND\nMug", "FIND Mug", ""),
        ("**Action:** FIND Mug", "", "FIND Mug"),
        ("Action: PICKUP(Mug)", "", "PICKUP Mug"),
        ("FIND Mug", "", "FIND Mug"),
        ("Action: FIND StoveKnob", "", ""),
    ],
)
def test_an_action_is_read_as_the_published_program_reads_it(
    answer: str, official: str, strict: str
) -> None:
    assert read(answer) == official
    assert read(answer, STRICT) == strict


@recordings(*FORMS)
def test_all_recorded_forms_of_answers_are_read_as_recorded() -> None:
    forms = json.loads(facts(*FORMS).read_text("utf-8"))
    assert len(forms) == 24
    assert [
        row for row in forms if (read(row["answer"]) or "INVALID_RESPONSE") != row["published"]
    ] == []


@pytest.mark.parametrize(
    ("answer", "official", "strict"),
    [
        ("Action: FIND Zebra", "undoable", "invalid_object"),
        ("Action: GOTO Mug", "unparsable", "invalid_action"),
        ("Action: GOTO Zebra", "undoable", "invalid_action"),
        ("Action: GOTO BreadSliced", "undoable", "invalid_action"),
        ("nothing to be read", "undoable", "unparsable"),
        ("", "undoable", "unparsable"),
    ],
)
def test_what_an_answer_that_is_none_counts_as(answer: str, official: str, strict: str) -> None:
    assert turn_kind(acting([answer]).turns[0]) == official
    assert turn_kind(acting([answer], STRICT).turns[0]) == strict


def test_what_was_sliced_is_the_only_invalid_object() -> None:
    environment = kitchen(COFFEE, "official", places={"Bread": "CounterTop"})
    for text in ("PICKUP Knife", "SLICE Bread"):
        assert take(environment, text).success
    gone = take(environment, "FIND Bread")
    assert (gone.code, gone.kind) == ("ALREADY_SLICED", "object_hallucination")


def test_one_failed_turn_is_an_error_for_every_object_that_was_tried() -> None:
    cabinets = len(kitchen(COFFEE).room.instances("Cabinet"))
    assert cabinets > 5
    for semantics, errors in ((OFFICIAL, cabinets), (STRICT, 1)):
        one = acting(["Action: PICKUP Cabinet", "Action: FIND Mug"], semantics)
        measures = {
            each.kind: (each.amount, each.base)
            for each in episode_measures(one.episode, refusals={})
        }
        assert measures["undoable"] == (errors, 2)
        assert measures["valid"] == (2 - errors, 2)


def test_unknown_objects_extend_the_soft_limit() -> None:
    """Between them something is done, so that there are not ten failures in a row."""
    answers = [
        f"Action: FIND {name}" for n in range(20) for name in ("Sofa", "Floor", f"Zebra{n // 4}")
    ]
    ends = [acting(answers, semantics, task=TELEVISION) for semantics in (OFFICIAL, STRICT)]
    assert [(len(one.turns), one.episode.end) for one in ends] == [
        (21, "max_steps"),
        (15, "max_steps"),
    ]


def test_answers_that_cannot_be_read_are_the_same_action_again() -> None:
    answers = [f"no action {n}" for n in range(12)]
    assert acting(answers).episode.end == "max_repeats"
    assert acting(answers, STRICT).episode.end == "max_failures"


def test_turns_without_an_action_are_left_out_of_the_history() -> None:
    answers = ["Action: FIND Mug", "well", "", "Action: GOTO Zebra"]
    assert history(acting(answers, feedback="simple")) == [
        "0. FIND Mug: Success",
        "1. empty_response: Failure",
        "2. GOTO Zebra: Failure",
    ]
    assert len(history(acting(answers, STRICT))) == 4


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (
            ["FIND Fridge", "PICKUP Fridge"],
            "You cannot pick up object of type Fridge as it is not pickupable.",
        ),
        (["PICKUP Egg", "PICKUP Mug"], "Cannot pick up Mug while holding Egg."),
        (["PICKUP Egg", "PUT Fridge"], "Cannot PUT in Fridge as it is closed. Open it first."),
        (["PICKUP Egg", "PUT Toaster"], "Cannot PUT Egg in Toaster as they are not compatible."),
        (["TOGGLE_ON CoffeeMachine"], "Cannot toggle CoffeeMachine as it contains a Egg."),
        (["TOGGLE_ON Faucet"], "Cannot toggle Faucet as SinkBasin contains a Bread."),
        (["GOTO Mug"], "Response from model is in invalid format."),
    ],
)
def test_detailed_feedback_is_worded_as_published(answers: list[str], told: str) -> None:
    where = {"Bread": "SinkBasin", "Mug": "CounterTop"}
    if "CoffeeMachine" in answers[0]:
        where["Egg"] = "CoffeeMachine"
    environment = kitchen(COFFEE, "official", places=where)
    results = [take(environment, answer) for answer in answers]
    assert results[-1].message == told


def test_every_refusal_of_the_published_tests_has_its_feedback() -> None:
    for known in rules().feedback:
        action, _, code = known.rpartition(" ")
        assert action in ("", *ACTIONS)
        assert Refusal(code)


def test_without_memory_the_plan_is_still_told() -> None:
    answers = ["Plan: wash it\nMemory: it was red\nAction: FIND Mug"]
    for semantics, plan in ((OFFICIAL, True), (STRICT, False)):
        text = heard(acting(answers, semantics, carried=False))
        assert ("wash it" in text) is plan
        assert "it was red" not in text


def test_the_baseline_tells_what_the_hand_holds_and_that_containers_are_clean() -> None:
    from eai.acting import Situation
    from eai.simulators import Observation
    from eai.suites.asgardbench.episodes import AsgardBrief

    nothing = Situation((), Observation(), Observation())
    (message,) = AsgardBrief("Make coffee", ("Mug",), common_sense=False)(nothing)
    assert "one thing at a time" in message["content"]
    assert "into or onto something dirty" in message["content"]
    assert "Only what is in sight" not in message["content"]


def test_each_quirk_of_talking_can_be_switched_off() -> None:
    for quirk in TALKING:
        without = Semantics.of("official", QUIRKS, without=[quirk])
        one = acting(
            ["well", "Action: GOTO Mug", "Action: FIND Zebra", "Action: FIND Mug"], without
        )
        assert [turn.success for turn in one.turns] == [False, False, False, True]
        assert heard(one)
