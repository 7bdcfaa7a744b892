"""A step whose action the task lacks leaves a trace, wherever and however it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import eai
from eai.answers import bind, read_answer

NAMES = eai.suite("household").task("studio-01").readable
KNOWN = [("walk", "light.34"), ("switchon", "light.34"), ("walk", "desk.17")]
UNKNOWN = ("zap", "novel.15")
SAID = {"walk": "walk to", "switchon": "switch on", "zap": "zap"}

Steps = Sequence[tuple[str, str]]
Form = Callable[[Steps], str]


def call(step: tuple[str, str]) -> str:
    return f"{step[0].upper()}({step[1]})"


def words(step: tuple[str, str]) -> str:
    return f"{SAID[step[0]]} {step[1]}"


def lines(write: Callable[[int, tuple[str, str]], str]) -> Form:
    return lambda steps: "\n".join(write(number, step) for number, step in enumerate(steps, 1))


def around(begin: str, form: Form, end: str) -> Form:
    return lambda steps: f"{begin}{form(steps)}{end}"


FORMS: dict[str, Form] = {
    "calls": lines(lambda _, step: call(step)),
    "row of calls": lambda steps: ", ".join(map(call, steps)),
    "arrows": lambda steps: " -> ".join(map(call, steps)),
    "words": lines(lambda _, step: words(step)),
    "numbered words": lines(lambda number, step: f"{number}. {words(step)}"),
    "bullets": lines(lambda _, step: f"- **{words(step)}**: as it is needed"),
    "one sentence": lambda steps: f"First {', then '.join(map(words, steps))}.",
    "a letter": lambda steps: f"Dear friend,\n\nplease {', then '.join(map(words, steps))}.\n\nMe",
    "sentences": lambda steps: " ".join(f"I {words(step)}." for step in steps),
    "orders": lines(lambda _, step: f"The robot should {words(step)}."),
    "answers": lines(lambda _, step: f"Q: What is next?\nA: {words(step)}.\n"),
    "headings": lines(lambda n, step: f"### Step {n}: {words(step)}\nThis is needed.\n"),
    "times": lines(lambda number, step: f"12:{number:02} - {words(step)}"),
    "ReAct": lines(lambda _, step: f"Action: {step[0]}\nAction Input: {step[1]}\nObservation: ok"),
    "print": around("```python\n", lines(lambda _, step: f'print("{call(step)}")'), "\n```"),
    "execute": around("```python\n", lines(lambda _, step: f"execute('{call(step)}')"), "\n```"),
    "shell": around("```bash\n", lines(lambda _, step: f"robot {' '.join(step)}"), "\n```"),
    "make": around("all:\n", lines(lambda _, step: f"\t@robot {' '.join(step)}"), ""),
    "Lisp": around("(progn\n", lines(lambda _, step: f'  ({step[0]} "{step[1]}")'), ")"),
    "scripts": lambda steps: ", ".join(
        f"[{name.upper()}] <{target.partition('.')[0]}> ({target.partition('.')[2]})"
        for name, target in steps
    ),
    "commits": lines(lambda number, step: f"a1b2c{number}d {call(step)}"),
    "messages": around("sequenceDiagram\n", lines(lambda _, s: f"  A->>B: {call(s)}"), ""),
}


@pytest.mark.parametrize("form", FORMS)
def test_plan_of_known_steps_is_read(form: str) -> None:
    bound = bind(read_answer(FORMS[form](KNOWN), NAMES), NAMES)
    assert [(action.name, *action.arguments) for action in bound.actions] == KNOWN
    assert bound.findings == ()


@pytest.mark.parametrize("position", [0, 2, 3])
@pytest.mark.parametrize("form", FORMS)
def test_unknown_step_is_not_passed_over_in_silence(form: str, position: int) -> None:
    steps = [*KNOWN[:position], UNKNOWN, *KNOWN[position:]]
    bound = bind(read_answer(FORMS[form](steps), NAMES), NAMES)
    is_noted = any("not read" in note and "zap" in note.lower() for note in bound.notes)
    assert bound.findings or is_noted


@pytest.mark.parametrize(
    "answer",
    [
        'ZAP(light.34) -> Step(action="WALK", object="light.34")',
        'Step(action="ZAP", object="light.34") -> WALK(light.34)',
        'ZAP(light.34), Step(action="WALK", object="light.34")',
    ],
)
def test_an_unknown_call_and_a_call_that_holds_a_step_are_two_steps(answer: str) -> None:
    steps = read_answer(answer, NAMES).steps
    assert [(step.name, step.arguments) for step in steps] == [
        ("ZAP", ("light.34",)),
        ("WALK", ("light.34",)),
    ]
