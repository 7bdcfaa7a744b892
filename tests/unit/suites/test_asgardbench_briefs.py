"""What an agent of AsgardBench is told before a turn."""

from asgard_episodes import STRICT
from eai.interaction.acting import Acting
from eai.interaction.feedback import Feedback
from eai.interaction.protocol import Observation
from eai.interaction.rules import Situation
from eai.suites.asgardbench.briefs import ACTIONS, COMMON_SENSE, RULES, KitchenBrief
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
    assert set(ACTIONS) == set(GATE)


def test_task_actions_types_and_rules_come_first() -> None:
    text = told([])
    assert text.index(EGG.instruction) < text.index("## Actions") < text.index("## Rules")
    assert all(rule in text for rule in (*RULES, *COMMON_SENSE))
    assert ", ".join(sorted(EGG.vocabulary.objects)) in text


def test_what_comes_first_stays_the_same() -> None:
    before, after = told([]), told(["Action: FIND Egg"])
    assert after.startswith(before[: before.index("## What you see now")])


def test_common_sense_can_be_left_out() -> None:
    brief = KitchenBrief(EGG.instruction, ("Egg",), common_sense=False)
    (message,) = brief(Situation((), Observation(), Observation()))
    assert all(rule in message["content"] for rule in RULES)
    assert not any(rule in message["content"] for rule in COMMON_SENSE)


def test_what_is_found_is_seen_and_names_a_type() -> None:
    text = told(["Action: FIND Egg"])
    now = text[text.index("## What you see now") :]
    assert "Egg" in now


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
