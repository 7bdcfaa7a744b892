"""The conditions of AsgardBench: prompts, ablations, and what a frame shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import call

import eai
from eai.acting import Feedback
from eai.acting.turns import Acting
from eai.errors import ChecksumError, DataMissingError, InputError, SchemaError, UnknownNameError
from eai.semantics import Semantics
from eai.suites.asgardbench.published import render_template, section_of, store, templates
from eai.suites.asgardbench.quirks import QUIRKS
from eai.suites.asgardbench.suite import AsgardBench

SUITE = AsgardBench()
TASK = SUITE.task("cook__Egg_FloorPlan13_V1")
STRICT = Semantics.of("strict", QUIRKS)
MAIN = """## A comment.
[--------
*       | {include:rules.prompt}
--------]
[--------
*       | <<CACHE_BOUNDARY>>
        |
        | Task: {task_description}
        | Objects: {objects_in_scene}
--------]
[--------
A1      | FIRST
A0 T0   | {img_ref}
A0 T1   | only text
--------]
A0      | HISTORY
        | {action_history}
A0 S1   | PLAN {suggested_plan_sequence}
A0 R1   | MEMORY {memories}
"""
RULES = """*       | # RULES #
C1      | - common sense
Fsd     | - feedback
"""
ANSWER = """<think>Action: FIND Egg</think>
<answer>
SUGGESTED PLAN SEQUENCE:
1. FIND Pan
2. FIND {include:rules.prompt}

THINGS TO REMEMBER:
- a pan
Action: FIND Pan
</answer>"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path / "cache"))
    templates.cache_clear()
    folder = tmp_path / "checkout" / "AsgardBench" / "Data" / "prompts"
    folder.mkdir(parents=True)
    (folder / "main_prompt.prompt").write_text(MAIN)
    (folder / "rules.prompt").write_text(RULES)
    return tmp_path / "checkout"


def sent(
    *prompt: str,
    answers: tuple[str, ...] = (ANSWER,),
    feedback: Feedback = "simple",
    view: str = "",
    carried: bool = True,
) -> str:
    rules = SUITE.episode_rules(TASK, STRICT)
    acting = Acting(
        SUITE.environment(TASK, STRICT),
        rules.prompted(prompt),
        feedback=feedback,
        carried=carried,
        views=rules.views[view]() if view else (),
    )
    for answer in answers:
        acting.submit(answer)
    (message,) = acting.messages
    return message["content"]


def test_the_published_prompt_has_the_lines_of_its_condition(checkout: Path) -> None:
    assert store(checkout) == 108
    first = sent("published", answers=(), view="blind")
    assert first.startswith("# RULES #\n- common sense\n- feedback\n\nTask: ")
    assert first.endswith("FIRST")
    assert "HISTORY" not in first
    text = sent("published", "no-common-sense", feedback="none", view="blind")
    assert "common sense" not in text
    assert "- feedback" not in text
    assert text.endswith(
        "only text\nHISTORY\n0. FIND Pan\n\nPLAN 1. FIND Pan\n2. FIND {include:rules.prompt}\n"
        "MEMORY - a pan"
    )
    assert "0. FIND Pan  Success" in sent("published", view="blind")
    assert "PLAN" not in sent("no-plan", "published", view="blind")
    assert "MEMORY" not in sent("published", view="blind", carried=False)
    assert "## What you see now" in sent("published")


def test_detailed_feedback_gives_reasons(checkout: Path) -> None:
    store(checkout)
    text = sent("published", answers=("Action: PUT Pan", "nonsense"), feedback="detailed")
    assert "0. PUT Pan  Failure: nothing is held" in text
    assert "\n1. " not in text.partition("HISTORY")[2].partition("PLAN")[0]


def test_without_a_checkout_the_published_prompt_is_missed_by_name(
    checkout: Path, tmp_path: Path
) -> None:
    with pytest.raises(DataMissingError, match="eai data fetch asgardbench --from CHECKOUT"):
        sent("published")
    with pytest.raises(InputError, match="main_prompt"):
        store(tmp_path / "cache")
    (checkout / "AsgardBench" / "Data" / "prompts" / "rules.prompt").unlink()
    with pytest.raises(SchemaError, match="includes rules"):
        store(checkout)
    with pytest.raises(SchemaError, match="x:1"):
        render_template({"x": "no condition"}, "x", {})


def test_a_prompt_that_was_changed_is_refused(checkout: Path, tmp_path: Path) -> None:
    store(checkout)
    kept = tmp_path / "cache" / "asgardbench" / "prompts.json"
    value = json.loads(kept.read_text())
    kept.write_text(json.dumps({**value, "files": {**value["files"], "rules.prompt": ""}}))
    with pytest.raises(ChecksumError):
        sent("published")


def test_the_condition_says_which_prompt(checkout: Path) -> None:
    out = call("data", "fetch", "asgardbench", "--from", str(checkout)).output
    assert out == "108 tasks converted\n"
    digest = templates()[0][:8]
    played = eai.interact(
        SUITE, TASK, ["Action: FIND Egg"], view="blind", prompt=("published", "no-plan")
    )
    assert played.prompt == ("published", "no-plan", f"sha256 {digest}")
    assert json.loads(played.to_json())["prompt"] == [*played.prompt]
    printed = call(
        *("interact", "asgardbench", TASK.id, "--agent", "random", "--json", "--view", "blind"),
        *("--prompt", "published", "--prompt", "no-plan"),
    ).output
    assert f"random (view blind, prompt published no-plan sha256 {digest})" in printed


def test_our_own_prompt_can_be_without_plan_and_common_sense() -> None:
    answer = "Plan: cook it\nMemory: a pan\nAction: FIND Pan"
    whole, less = sent(answers=(answer,)), sent("no-plan", "no-common-sense", answers=(answer,))
    assert "Plan: all steps" in whole
    assert "## Your plan" in whole
    assert "in sight" in whole
    assert "Plan: all steps" not in less
    assert "## Your plan" not in less
    assert "## What you wanted to remember\na pan" in less
    assert "is not in sight" not in less
    with pytest.raises(UnknownNameError, match="no-plan"):
        sent("no-plans")


@pytest.mark.parametrize(
    ("answer", "title", "found"),
    [
        (ANSWER, "things to remember", "- a pan"),
        ("Suggested plan sequence:\n1. FIND X", "suggested plan sequence", "1. FIND X"),
        ("nothing", "things to remember", ""),
    ],
)
def test_sections_of_an_answer(answer: str, title: str, found: str) -> None:
    assert section_of(answer, title) == found


def test_a_frame_shows_a_part_of_what_is_in_sight() -> None:
    def types(view: str) -> list[set[str]]:
        acting = Acting(
            SUITE.environment(TASK, STRICT), rules, views=rules.views[view]() if view else ()
        )
        seen = []
        for kind in ("Egg", "SinkBasin", "Fridge"):
            acting.submit(f"Action: FIND {kind}")
            seen.append({thing.name for thing in acting.observation.objects})
            assert any(thing.type == kind for thing in acting.observation.objects)
        return seen

    rules = SUITE.episode_rules(TASK, STRICT)
    for frame, whole in zip(types("frame"), types(""), strict=True):
        assert frame < whole
        assert 1 <= len(frame) <= 16


def test_what_is_held_is_in_the_frame() -> None:
    rules = SUITE.episode_rules(TASK, STRICT)
    acting = Acting(SUITE.environment(TASK, STRICT), rules, views=rules.views["frame"]())
    for line in ("FIND Egg", "PICKUP Egg", "FIND Fridge"):
        assert acting.submit(f"Action: {line}").success
    assert "Egg" in {thing.type for thing in acting.observation.objects}
