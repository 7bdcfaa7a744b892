"""Numbers of skills beside their words: they number no steps, and no objects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import eai
from eai.suites.embodiedbench.skills import skills

SUITE = eai.suite("eb-habitat")
NUMBERS = [9, 28, 10, 54, 7]
WORDS = [skills("eb-habitat")[number].words for number in NUMBERS]


def steps(answer: str) -> tuple[str, ...] | None:
    task = SUITE.task(next(iter(SUITE.task_ids())))
    plan = SUITE.evaluate("action_sequencing", task, answer, SUITE.semantics("strict")).plan
    return None if plan is None else tuple(map(str, plan))


@pytest.mark.parametrize(
    "form",
    [
        lambda number, words: f"[{number}, '{words}']",
        lambda number, words: f"({number}) {words}",
        lambda number, words: f'{{"id": {number}, "skill": "{words}"}}',
        lambda number, words: f"execute({number}, '{words}')",
        lambda number, words: f"Action ID: {number}\nAction: {words}",
        lambda number, words: f"- {words} (id {number})",
        lambda number, words: f"- {words} [{number}]",
    ],
)
def test_numbers_of_skills_do_not_part_a_plan(form: Callable[[int, str], str]) -> None:
    answer = "\n".join(map(form, NUMBERS, WORDS))
    assert steps(answer) == steps("\n".join(WORDS))


def test_a_skill_without_a_number_is_a_step_all_the_same() -> None:
    suite = eai.suite("eb-alfred")
    task, semantics = suite.task("base/0"), suite.semantics("strict")
    for answer in (
        "[79, 'find a Sink']\n[-1, 'find a Cup_2']\n[2, 'find a Faucet']",
        '[[79, "find a Sink"], [-1, "find a Cup_2"], [2, "find a Faucet"]]',
        "(79) find a Sink\n(-1) find a Cup_2\n(2) find a Faucet",
    ):
        plan = suite.evaluate("action_sequencing", task, answer, semantics).plan
        assert plan is not None
        assert len(plan) == 3
