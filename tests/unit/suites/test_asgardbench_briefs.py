"""What an agent of AsgardBench is told before a turn."""

from asgard_episodes import STRICT

from eai.acting import Feedback, Situation
from eai.acting.turns import Acting
from eai.simulators import Observation, SeenObject
from eai.suites.asgardbench.episodes import AsgardBrief, seen_lines
from eai.suites.asgardbench.gate import ACTIONS as GATE
from eai.suites.asgardbench.suite import AsgardBench

SUITE = AsgardBench()
EGG = SUITE.task("cook__Egg_FloorPlan13_V1")


def told(answers: list[str], feedback: Feedback = "simple", *, carried: bool = True) -> str:
    acting = Acting(
        SUITE.environment(EGG, STRICT),
        SUITE.episode_rules(EGG, STRICT),
        feedback=feedback,
        carried=carried,
    )
    for answer in answers:
        acting.submit(answer)
    (message,) = acting.messages
    return message["content"]


def test_the_actions_are_those_of_the_gate() -> None:
    told_of = told([]).partition("## Actions\n")[2].partition("\n\n")[0]
    assert {line.partition(":")[0] for line in told_of.splitlines()[1:]} == {
        f"- {name}" for name in GATE
    }


def test_task_actions_types_and_rules_come_first() -> None:
    text = told([])
    assert text.index(EGG.instruction) < text.index("## Actions") < text.index("## Rules")
    assert "one thing at a time" in text
    assert "Only what is in sight" in text
    assert ", ".join(sorted(EGG.vocabulary.objects)) in text


def test_what_comes_first_stays_the_same() -> None:
    before, after = told([]), told(["Action: FIND Egg"])
    assert after.startswith(before[: before.index("## What you see now")])


def test_common_sense_can_be_left_out() -> None:
    brief = AsgardBrief(EGG.instruction, ("Egg",), common_sense=False)
    (message,) = brief(Situation((), Observation(), Observation()))
    assert "one thing at a time" in message["content"]
    assert "Only what is in sight" not in message["content"]


def test_what_is_seen_is_told_by_types() -> None:
    now = told(["Action: FIND Egg"]).partition("## What you see now\n")[2]
    assert now.splitlines()[-1] in ("You look at: Egg", "You look at: CounterTop")
    assert "In the hand: nothing" in now
    assert "_" not in now


def test_what_was_seen_earlier_can_be_kept_in_view() -> None:
    rules = SUITE.episode_rules(EGG, STRICT)
    for views, kept in (((), False), (rules.views["memory"](), True)):
        acting = Acting(SUITE.environment(EGG, STRICT), rules, views=views)
        for kind in ("Fridge", "Toaster"):
            acting.submit(f"Action: FIND {kind}")
        now = acting.messages[0]["content"].partition("## What you see now\n")[2]
        assert ("- Fridge, on Floor: closed, remembered" in now) is kept


def test_an_observation_in_words() -> None:
    seen = Observation(
        (
            SeenObject("Mug_1", "Mug", {"dirty": True, "liquid": ""}, "Sink_1", "in"),
            SeenObject("Sink_1", "SinkBasin"),
            SeenObject("Cabinet_1", "Cabinet", {"open": False}),
            SeenObject("Cabinet_2", "Cabinet", {"open": False}),
            SeenObject("Cup_1", "Cup", {"dirty": False, "liquid": "water"}, "Table_9", "on"),
            SeenObject("Knob_1", "StoveKnob", {"on": True}),
        ),
        ("Cup_1",),
        "Sink_1",
    )
    assert seen_lines(seen, ("Cabinet", "Cup", "Mug", "SinkBasin")) == [
        "- Mug, in SinkBasin: dirty, empty",
        "- SinkBasin",
        "- Cabinet: closed (2 of them)",
        "- Cup: clean, with water in it",
        "In the hand: Cup",
        "You look at: SinkBasin",
    ]
    assert seen_lines(Observation(), ()) == ["(nothing)", "In the hand: nothing"]


def test_feedback_tells_as_much_as_it_shall() -> None:
    failing = ["Action: SLICE Egg"]
    none, simple, detailed = (told(failing, level) for level in ("none", "simple", "detailed"))
    assert "1. SLICE Egg\n" in none
    assert "1. SLICE Egg: Failure\n" in simple
    assert "1. SLICE Egg: Failure: " in detailed


def test_plan_and_notes_are_carried_over() -> None:
    answer = "Plan: crack it\nMemory: the Egg is found\nAction: FIND Egg"
    assert "the Egg is found" in told([answer])
    assert "crack it" in told([answer])
    assert "the Egg is found" not in told([answer], carried=False)
