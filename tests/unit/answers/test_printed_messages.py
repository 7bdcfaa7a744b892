"""Responses and messages as Python prints them."""

from __future__ import annotations

import pytest
from studio_answers import PLAN, actions

import eai
from eai.answers import read_answer

NAMES = eai.suite("household").task("studio-01").readable
SAID = "1. WALK(light.34)\n2. SWITCHON(light.34)"
PRINTED = [
    "ChatCompletion(id='c1', choices=[Choice(finish_reason='stop', index=0, message="
    f"ChatCompletionMessage(content={SAID!r}, role='assistant'))], model='m')",
    f"Message(id='m', content=[TextBlock(citations=None, text={SAID!r})], role='assistant')",
    "GenerateContentResponse(candidates=[Candidate(content=Content(parts=[Part(text="
    f"{SAID!r})], role='model'), finish_reason=<FinishReason.STOP: 'STOP'>)])",
    "[Call(id='a', function=Function(arguments='{\"object\": \"light.34\"}', name='walk'))]",
    f"AIMessage(content={SAID!r}, additional_kwargs={{}}, response_metadata={{'n': 3}})",
]


@pytest.mark.parametrize("printed", PRINTED)
def test_a_printed_response_is_a_problem_that_names_it(printed: str) -> None:
    [problem, *_] = read_answer(printed, NAMES).problems
    assert "as Python prints it" in problem.message


def test_other_calls_with_keywords_are_steps() -> None:
    assert actions("walk(object='light.34')\nswitchon(object='light.34')") == PLAN
