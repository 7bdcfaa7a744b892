"""In a chat the last plan of the assistant is the answer, whatever plans stand before it."""

from __future__ import annotations

import json

import pytest

import eai
from eai.answers import read_answer

NAMES = eai.suite("household").task("studio-02").readable
OTHER = "1. walk(fridge.40)\n2. open(fridge.40)"
PLAN = ["walk(light.34)", "switchon(light.34)"]
ANSWER = f"1. {PLAN[0]}\n2. {PLAN[1]}"


def message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


@pytest.mark.parametrize(
    "text",
    [
        f"User: my plan is\n{OTHER}\nIs it right?\n\nAssistant: No, do\n{ANSWER}\n\nUser: Thanks!",
        f"user: light, please\nassistant:\n{OTHER}\nuser: no, wrong\nassistant:\n{ANSWER}",
        f"Human: light, please\nAI:\n{ANSWER}\nHuman: I thought of\n{OTHER}",
        f"Planner:\n{OTHER}\nCritic: The light stays off.\nPlanner:\n{ANSWER}",
    ],
)
def test_the_last_plan_of_the_assistant_counts(text: str) -> None:
    reading = read_answer(text, NAMES)
    assert [str(step) for step in reading.steps] == PLAN
    assert not reading.problems


@pytest.mark.parametrize(
    "messages",
    [
        [message("user", OTHER), message("assistant", ANSWER)],
        [message("assistant", ANSWER), message("user", f"I would do\n{OTHER}")],
        [message("assistant", OTHER), message("user", "no"), message("assistant", ANSWER)],
    ],
)
def test_the_last_message_with_a_plan_counts(messages: list[dict[str, str]]) -> None:
    reading = read_answer(json.dumps(messages), NAMES)
    assert [str(step) for step in reading.steps] == PLAN


def test_messages_that_go_on_are_one_plan() -> None:
    messages = [
        message("assistant", "walk(fridge.40)\nopen(fridge.40)"),
        message("user", "Done."),
        message("assistant", "\n".join(PLAN)),
    ]
    reading = read_answer(json.dumps(messages), NAMES)
    assert [str(step) for step in reading.steps] == ["walk(fridge.40)", "open(fridge.40)", *PLAN]


def test_numbered_tries_in_a_list_are_several_plans() -> None:
    tries = [
        {"try": 1, "steps": ["walk(fridge.40)", "open(fridge.40)"]},
        {"try": 2, "steps": PLAN},
    ]
    assert [str(step) for step in read_answer(json.dumps(tries), NAMES).steps] == PLAN


@pytest.mark.parametrize(
    ("speaker", "other"),
    [
        ("Student", "Teacher"),
        ("**Alice**", "**Bob**"),
        ("Agent A", "Agent B"),
        ("Robot", "Critic"),
        ("- You", "- Me"),
    ],
)
@pytest.mark.parametrize(
    "form",
    [
        "{speaker}: walk(fridge.40), open(fridge.40)\n{other}: No. {line}",
        "{speaker}: walk(fridge.40), open(fridge.40).\n{other}: Not quite: {answer}",
        "{speaker}:\n{plan}\n\n{other}: No, that is wrong. It should be:\n{answer}",
        "{speaker}:\n{plan}\n{other}: That won't work!\n{answer}\n{speaker}: Thanks!",
        "{speaker}:\n{plan}\n{other}: No.\n{speaker}:\n{answer}\n{other}: Yes.",
    ],
)
def test_a_plan_that_another_speaker_rejects_is_not_read(
    speaker: str, other: str, form: str
) -> None:
    text = form.format(
        speaker=speaker, other=other, plan=OTHER, answer=ANSWER, line=", ".join(PLAN)
    )
    reading = read_answer(text, NAMES)
    assert [str(step) for step in reading.steps] == PLAN
    assert not reading.problems


@pytest.mark.parametrize(
    "words",
    ["No.", "No. Step 2 should be close(fridge.40).", "Wrong. Use close(fridge.40) as step 2."],
)
def test_a_plan_that_is_rejected_and_not_replaced_as_a_whole_is_a_problem(words: str) -> None:
    assert read_answer(f"Student:\n{OTHER}\n\nTeacher: {words}", NAMES).status == "partial"


@pytest.mark.parametrize("words", ["No, thanks.", "No problem.", "No step fails.", "Yes."])
def test_other_words_of_a_speaker_reject_no_plan(words: str) -> None:
    reading = read_answer(f"Student:\n{ANSWER}\n\nTeacher: {words}", NAMES)
    assert [str(step) for step in reading.steps] == PLAN
    assert not reading.problems


def test_a_speaker_who_rejects_one_of_several_turns_rejects_no_plan() -> None:
    turns = [f"Agent: {step}" for step in PLAN]
    text = "\n".join([turns[0], "Env: Failed.", turns[0], "Env: Done.", turns[1], "Env: Done."])
    assert [str(step) for step in read_answer(text, NAMES).steps][-2:] == PLAN
