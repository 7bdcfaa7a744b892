"""Names made of an action and an object, and more languages of programs, tables and diagrams."""

from __future__ import annotations

from itertools import pairwise

import pytest

import eai
from eai.answers import bind, read_answer
from eai.diagnosis import ErrorKind
from eai.task import Vocabulary

NAMES = eai.suite("household").task("studio-01").readable
PLAN = ["walk(light.34)", "switchon(light.34)"]

KOTLIN = """fun walk(x: String) = println("WALK $x")

fun main() {
    walk("light.34")
    switchOn("light.34")
}"""
RUST = """fn main() {
    go("light.34");
    println!("SWITCHON(light.34)");
}

fn go(place: &str) {
    println!("WALK({})", place);
}"""
VERSIONS = """# Changelog
## 1.0.1
- **WALK(light.34)**: The robot starts there.
## 1.0.2
- **SWITCHON(light.34)**: The light is on."""
RADIO = """Dispatcher: "Good day, robot. I need you to walk to the light. Over."
Robot: "Roger. Over."
Dispatcher: "Now, I need you to switch it on. Over."
Robot: "Roger. Over.\""""


@pytest.mark.parametrize(
    "answer",
    [
        "walkLight(34)\nswitchOnLight(34)",
        "[walkLight(34), switchOn_light(34)]",
        "```ts\nawait robot.walkLight(34);\nawait robot.switchOnLight(34);\n```",
        f"```kotlin\n{KOTLIN}\n```",
        # nodes named by whole calls
        "```mermaid\ngraph TD\n    start --> WALK(light.34)\n    WALK(light.34) --> "
        "SWITCHON(light.34)\n    SWITCHON(light.34) --> stop([End])\n```",
        "digraph {\n  WALK(light.34) -> SWITCHON(light.34);\n}",
        "graph TD\n  walk(light.34) --> switch-on(light.34)\n  switch-on(light.34) --> End",
        VERSIONS,
        RADIO,
        # code that is nothing but comments
    ],
)
def test_form_is_read(answer: str) -> None:
    reading = read_answer(answer, NAMES)
    assert not reading.problems
    assert [str(action) for action in bind(reading, NAMES).actions] == PLAN


def test_name_with_an_object_that_is_not_there_is_a_hallucination() -> None:
    found = bind(read_answer("walkLight(999)", NAMES), NAMES).findings
    assert ErrorKind.ACTION_HALLUCINATION in [finding.kind for finding in found]


def test_functions_of_rust_that_print_are_steps_where_they_are_called() -> None:
    reading = read_answer(f"```rust\n{RUST}\n```", NAMES)
    assert not reading.problems
    assert [step.name.lower() for step in reading.steps] == ["walk", "switchon"]


@pytest.mark.parametrize("answer", ["1. move_to(desk.17)", "move_to(desk.17)"])
def test_moving_to_a_place_is_no_moving_of_it(answer: str) -> None:
    assert bind(read_answer(answer, NAMES), NAMES).actions == ()


def test_sentence_about_moving_to_a_place_is_a_walk() -> None:
    actions = bind(read_answer("Move to desk.17.", NAMES), NAMES).actions
    assert [str(action) for action in actions] == ["walk(desk.17)"]


def test_moving_an_object_is_a_step() -> None:
    actions = bind(read_answer("1. Move the desk.17", NAMES), NAMES).actions
    assert [str(action) for action in actions] == ["move(desk.17)"]


def test_comments_beside_code_are_no_plan() -> None:
    code = "# WALK(light.34)\npass"
    assert read_answer(f"```python\n{code}\n```", NAMES).steps == ()


FERRY = Vocabulary({"sail": 2, "board": 2}, {}, frozenset({"north", "south", "c1"}), {})


@pytest.mark.parametrize(
    "table",
    [
        "step,action,objects\n1,sail,south;north\n2,board,c1;north",
        'step,action,objects\n1,sail,"south;north"\n2,board,"c1;north"',
        "action;arg1;arg2\nsail;south;north\nboard;c1;north",
    ],
)
def test_cells_of_a_table_may_be_parted_by_semicolons(table: str) -> None:
    reading = read_answer(table, FERRY)
    assert not reading.problems
    assert [str(step) for step in reading.steps] == ["sail(south, north)", "board(c1, north)"]


def test_call_that_stands_twice_in_a_diagram_is_two_steps() -> None:
    calls = ["WALK(light.34)", "SWITCHON(light.34)", "WALK(bed.20)", "WALK(light.34)"]
    arrows = "\n".join(f"  {first} --> {second}" for first, second in pairwise(calls))
    reading = read_answer(f"graph LR\n{arrows}", NAMES)
    assert [str(step) for step in reading.steps] == calls
    branched = read_answer(f"graph LR\n{arrows}\n  WALK(bed.20) --> SWITCHON(light.34)", NAMES)
    assert branched.problems
