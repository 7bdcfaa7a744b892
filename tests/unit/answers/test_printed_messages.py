"""Responses and messages as Python prints them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from studio_answers import PLAN, actions

from eai.answers.printed_messages import extract_printed_messages

SAID = "1. WALK(light.34)\n2. SWITCHON(light.34)"
PRINTED = [
    "ChatCompletion(id='c1', choices=[Choice(finish_reason='stop', index=0, message="
    f"ChatCompletionMessage(content={SAID!r}, role='assistant'))], model='m')",
    f"Message(id='m', content=[TextBlock(citations=None, text={SAID!r})], role='assistant')",
    "GenerateContentResponse(candidates=[Candidate(content=Content(parts=[Part(text="
    f"{SAID!r})], role='model'), finish_reason=<FinishReason.STOP: 'STOP'>)])",
    f"AIMessage(content={SAID!r}, additional_kwargs={{}}, response_metadata={{'n': 3}})",
]


@pytest.mark.parametrize("printed", PRINTED)
def test_a_printed_response_is_read_as_what_it_says(printed: str) -> None:
    assert extract_printed_messages(printed) == SAID
    assert actions(printed) == PLAN


def test_messages_of_the_user_are_no_answer() -> None:
    asked = "Message(role='user', content='OPEN(door)')"
    printed = f"Chat(messages=[{asked}, Message(role='assistant', content={SAID!r})])"
    assert extract_printed_messages(printed) == SAID


@pytest.mark.parametrize(
    "text", ["WALK(light.34)", "Walk(object='light.34')", "Plan(content=[", "Step(text=1)"]
)
def test_other_texts_stay(text: str) -> None:
    assert extract_printed_messages(text) == text


@given(st.text(max_size=80))
def test_any_text_can_be_printed(said: str) -> None:
    printed = f"Message(content={said!r}, role='assistant')"
    assert extract_printed_messages(printed) == (said or printed)
