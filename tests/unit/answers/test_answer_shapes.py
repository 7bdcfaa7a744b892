"""Shapes of answers, written by somebody who knows models and not the reader, are read rightly."""

from __future__ import annotations

import json

import pytest
from answer_shapes import DECISIONS, NEGATIVES, SHAPES, Step
from answer_words import in_words

import eai
from eai.answers import read_answer
from eai.world import Action

SUITE = eai.suite("household")
STRICT = SUITE.semantics("strict")
TASKS = tuple(map(SUITE.task, ("studio-02", "studio-04", "studio-12")))


def written(plan: tuple[Action, ...]) -> list[Step]:
    """Return the steps of a plan in the notation of the suite, and in words."""
    steps = []
    for action in plan:
        name = action.name.upper()
        call = f"{name}({', '.join(action.arguments)})"
        words = in_words(action.name, action.arguments)
        steps.append(Step(name, action.arguments, call, words))
    return steps


PLANS = [(task, written(task.plans[0])) for task in TASKS]


def succeeds(task: eai.Task, text: str) -> bool:
    return SUITE.evaluate("action_sequencing", task, text, STRICT).success


@pytest.mark.parametrize("name", list(SHAPES))
def test_a_right_plan_is_read_in_every_shape(name: str) -> None:
    shape = SHAPES[name]
    for task, steps in PLANS:
        assert succeeds(task, shape(steps)), task.id


def decides_rightly(name: str, task: eai.Task, steps: list[Step]) -> None:
    for wrong in (steps[:-1], steps[::-1]):
        assert succeeds(task, DECISIONS[name](steps, wrong)), task.id
        assert not succeeds(task, DECISIONS[name](wrong, steps)), task.id


@pytest.mark.parametrize(("number", "name"), list(enumerate(DECISIONS)), ids=list(DECISIONS))
def test_of_two_plans_the_one_that_is_meant_is_run(number: int, name: str) -> None:
    """Each shape with one task, which changes from shape to shape."""
    decides_rightly(name, *PLANS[number % len(PLANS)])


@pytest.mark.heavy
@pytest.mark.parametrize("name", list(DECISIONS))
def test_of_two_plans_the_one_that_is_meant_is_run_in_every_task(name: str) -> None:
    for task, steps in PLANS:
        decides_rightly(name, task, steps)


@pytest.mark.parametrize("name", list(NEGATIVES))
def test_a_plan_that_is_not_given_as_the_answer_is_not_run(name: str) -> None:
    for task, steps in PLANS:
        assert not succeeds(task, NEGATIVES[name](steps)), task.id


CALLS = [
    ("WALK(fridge.40)", 'bot.perform(skill="WALK", target="fridge.40")'),
    ("PUTIN(juice.44, fridge.40)", 'bot.perform(skill="PUTIN", item="juice.44", to="fridge.40")'),
]
READABLE = SUITE.task("studio-02").readable


def read(text: str) -> list[str]:
    return [str(step).upper() for step in read_answer(text, READABLE).steps]


@pytest.mark.parametrize("key", ["call", "do", "next", "invoke"])
def test_a_call_as_text_under_the_only_key_of_an_object_is_a_step(key: str) -> None:
    text = json.dumps([{key: call} for call, _ in CALLS])
    assert read(text) == [call.upper() for call, _ in CALLS]
    assert read(json.dumps([{key: "WALK(fridge.40)"}, {key: "FLY(fridge.40)"}])) == [
        "WALK(FRIDGE.40)",
        "FLY(FRIDGE.40)",
    ]


@pytest.mark.parametrize("key", ["rejected", "do_not", "previous_action", "goal", "object"])
def test_a_call_as_text_under_a_key_that_denies_or_tells_is_no_step(key: str) -> None:
    assert read(json.dumps({key: "WALK(fridge.40)"})) == []


@pytest.mark.parametrize("between", ["\n", "; ", ", then "])
def test_a_general_function_with_named_arguments_is_the_step_that_they_name(between: str) -> None:
    text = between.join(by_name for _, by_name in CALLS)
    assert read(text) == [call.upper() for call, _ in CALLS]


def test_a_general_function_keeps_an_unknown_action() -> None:
    text = 'bot.act(action="WALK", to="fridge.40")\nbot.act(action="FLY", to="fridge.40")'
    assert read(text) == ["WALK(FRIDGE.40)", "FLY(FRIDGE.40)"]


IN_COLUMNS = ["WALK(FRIDGE.40)", "PUTIN(JUICE.44, FRIDGE.40)", "STANDUP()"]


@pytest.mark.parametrize(
    "columns",
    [
        {
            "verb": ["WALK", "PUTIN", "STANDUP"],
            "args": [["fridge.40"], ["juice.44", "fridge.40"], []],
        },
        {
            "action": ["WALK", "PUTIN", "STANDUP"],
            "object": ["fridge.40", "juice.44", None],
            "destination": [None, "fridge.40", None],
            "why": ["to be near", "to cool it", "to rest"],
        },
        {
            "skill": {"2": "STANDUP", "0": "WALK", "1": "PUTIN"},
            "args": {"0": "fridge.40", "1": "juice.44, fridge.40", "2": None},
        },
    ],
)
def test_the_columns_of_a_table_are_put_together_to_steps(columns: dict[str, object]) -> None:
    assert read(json.dumps(columns)) == IN_COLUMNS


def test_a_step_beside_columns_is_a_problem() -> None:
    columns = {"action": ["WALK"], "object": ["fridge.40"], "later": "OPEN(fridge.40)"}
    assert read_answer(json.dumps(columns), READABLE).problems


def test_columns_of_different_length_are_not_put_together() -> None:
    columns = {"action": ["WALK", "OPEN"], "object": ["fridge.40"]}
    assert read_answer(json.dumps(columns), READABLE).problems


@pytest.mark.parametrize(
    "table",
    [
        "| No. | 1 | 2 | 3 |\n|---|---|---|---|\n| Verb | WALK | PUTIN | STANDUP |\n"
        "| Objects | fridge.40 | juice.44, fridge.40 | |",
        "| Skill | WALK | PUTIN | STANDUP |\n|---|---|---|---|\n"
        "| Item | fridge.40 | juice.44 | - |\n| Target | - | fridge.40 | - |",
    ],
)
def test_a_table_with_a_step_in_each_column_is_read(table: str) -> None:
    assert read(table) == IN_COLUMNS


@pytest.mark.parametrize(
    "table",
    [
        "Nr;Handlung;Ding\n1;WALK;fridge.40\n2;PUTIN;juice.44, fridge.40\n3;STANDUP;",
        "verb;object;target;why\nWALK;fridge.40;;to be near\nPUTIN;juice.44;fridge.40;\nSTANDUP;;;",
        "| \u00c9tape | Verbe | Chose |\n|---|---|---|\n| 1 | WALK | fridge.40 |\n"
        "| 2 | PUTIN | juice.44, fridge.40 |\n| 3 | STANDUP | |",
    ],
)
def test_tables_divided_by_semicolons_and_with_heads_in_other_languages(table: str) -> None:
    assert read(table) == IN_COLUMNS


def test_an_unknown_action_in_a_row_with_semicolons_is_kept() -> None:
    table = "verb;object\nWALK;fridge.40\nFLY;fridge.40"
    assert read(table) == ["WALK(FRIDGE.40)", "FLY(FRIDGE.40)"]


def test_lines_of_steps_with_semicolons_are_no_table() -> None:
    assert read("sleep; standup\nstandup; sit") == ["SLEEP()", "STANDUP()", "STANDUP()", "SIT()"]


NOTEBOOK = 'In [7]: walk("fridge.40")\n   ...: open("fridge.40")\nOut[7]: %s'


def test_a_transcript_of_a_notebook_is_not_read() -> None:
    assert read_answer(NOTEBOOK % "True", READABLE).problems


@pytest.mark.parametrize(
    "line", ["\\State %s(%s)", "\\STATE $%s(%s)$", "\\State \\Call{%s}{%s}", "\\item %s(%s)"]
)
def test_the_lines_of_an_algorithm_in_latex_are_steps(line: str) -> None:
    steps = [("WALK", "fridge.40"), ("GRAB", "drinking\\_glass.59"), ("FLY", "fridge.40")]
    body = "\n".join(line % step for step in steps)
    text = f"\\begin{{algorithmic}}[1]\n{body}\n\\end{{algorithmic}}"
    assert read(text) == ["WALK(FRIDGE.40)", "GRAB(DRINKING_GLASS.59)", "FLY(FRIDGE.40)"]
