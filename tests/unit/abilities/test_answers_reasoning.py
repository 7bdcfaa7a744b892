"""Reasoning that is marked as such is not read, however a model marks it."""

from __future__ import annotations

import pytest

from eai.answers import read_plan

THOUGHT, ANSWER = '[{"WALK": ["light"]}]', '[{"GRAB": ["cup"]}]'

MARKS = [
    ("<think>", "</think>"),
    ("<THINK>", "</THINK>"),
    ("<Thinking>", "</Thinking>"),
    ("< thoughts >", "</ thoughts >"),
    ('<think id="1">', "</think>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("[THINK]", "[/THINK]"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
    (
        "<|channel|>analysis<|message|>",
        "<|end|><|start|>assistant<|channel|>final<|message|>",
    ),
]


@pytest.mark.parametrize(("begin", "end"), MARKS)
def test_only_what_stands_behind_marked_reasoning_is_read(begin: str, end: str) -> None:
    reading = read_plan(f"{begin}{THOUGHT}{end}{ANSWER}")
    assert [str(step) for step in reading.steps] == ["GRAB(cup)"]
    assert reading.problems == ()


@pytest.mark.parametrize(("begin", "end"), MARKS)
def test_a_plan_in_reasoning_alone_is_no_answer(begin: str, end: str) -> None:
    assert read_plan(f"{begin}{THOUGHT}{end}").problems[0].message == "the answer is empty"
    cut = read_plan(f"{begin}{THOUGHT}")
    assert cut.steps == ()
    assert cut.problems[0].message == "the answer ends inside its reasoning"


@pytest.mark.parametrize("text", ["[Think] of it: {}", "I think <b>so</b>: {}", "<analyse> {}"])
def test_other_words_in_brackets_mark_no_reasoning(text: str) -> None:
    assert [str(step) for step in read_plan(text.format(ANSWER)).steps] == ["GRAB(cup)"]
