"""Steps in sentences: verbs apart from their words, hands, types, pronouns, what is not known."""

from __future__ import annotations

import pytest

from eai.answers import PlanReading, bind, read_answer
from eai.suites.pddl import Pddl
from eai.task import Vocabulary

HOUSE = Vocabulary(
    {"walk": 1, "grab": 1, "open": 1, "switchon": 1, "putback": 2, "puton": 1},
    {},
    frozenset(["hall.1", "cup.2", "fridge.3", "bed.4"]),
    {"hall": ("hall.1",), "cup": ("cup.2",), "fridge": ("fridge.3",), "bed": ("bed.4",)},
)
HANDS = Vocabulary(
    {
        "navigate_to": 1,
        "left_grasp": 1,
        "right_grasp": 1,
        "left_place_inside": 1,
        "right_place_inside": 1,
        "right_place_nextto": 1,
        "clean": 1,
    },
    {},
    frozenset(["rag_0", "bucket_0", "car_0"]),
    {"rag": ("rag_0",), "bucket": ("bucket_0",), "car": ("car_0",)},
)
LOGISTICS = """
(define (domain logistics)
  (:types truck airplane - vehicle package vehicle place city)
  (:predicates (at ?o ?p) (in ?p ?v))
  (:action load-truck :parameters (?what - package ?truck - truck ?where - place)
    :effect (in ?what ?truck))
  (:action load-airplane :parameters (?what - package ?plane - airplane ?where - place)
    :effect (in ?what ?plane))
  (:action fly-airplane :parameters (?plane - airplane ?from ?to - place)
    :effect (at ?plane ?to))
  (:action drive-truck :parameters (?truck - truck ?from ?to - place ?city - city)
    :effect (at ?truck ?to)))
"""
BLOCKS = """
(define (domain blocks)
  (:types block)
  (:predicates (on ?x ?y) (holding ?x) (clear ?x))
  (:action pick-up :parameters (?x - block) :effect (holding ?x))
  (:action put-down :parameters (?x - block) :effect (clear ?x))
  (:action stack :parameters (?x ?y - block) :effect (on ?x ?y))
  (:action unstack :parameters (?x ?y - block) :effect (holding ?x)))
"""


def pddl_names(domain: str, name: str, objects: str) -> Vocabulary:
    """Return the names of a PDDL task without phrases."""
    problem = f"(define (problem p) (:domain {name}) (:objects {objects}) (:init) (:goal (and)))"
    return Pddl.from_texts(name, domain, {"p": problem}).task("p").readable


TRUCKS = pddl_names(
    LOGISTICS, "logistics", "p1 - package t1 - truck a1 - airplane l1 l2 - place c1 - city"
)
TABLE = pddl_names(BLOCKS, "blocks", "a b c - block")


def actions(text: str, names: Vocabulary) -> tuple[list[str], PlanReading]:
    """Return the actions that are read and bound, and the reading."""
    reading = read_answer(text, names)
    return [str(action) for action in bind(reading, names).actions], reading


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        (
            HOUSE,
            "Walk to the fridge, open it, grab the cup.",
            ["walk(fridge.3)", "open(fridge.3)", "grab(cup.2)"],
        ),
        (
            HOUSE,
            "The robot walks to the cup, grabs it and puts it back on the bed.",
            ["walk(cup.2)", "grab(cup.2)", "putback(cup.2, bed.4)"],
        ),
        (
            HOUSE,
            "First, I walk to the cup. After that I grab it. Then I switch the fridge on.",
            ["walk(cup.2)", "grab(cup.2)", "switchon(fridge.3)"],
        ),
        (
            HANDS,
            "1. Grasp the rag with the right hand.\n2. Clean the car.\n"
            "3. Place the rag in the bucket with the right hand.",
            ["right_grasp(rag_0)", "clean(car_0)", "right_place_inside(bucket_0)"],
        ),
        (
            HANDS,
            "Navigate to the rag, grasp it with the right hand and place it next to the car"
            " with the right hand.",
            ["navigate_to(rag_0)", "right_grasp(rag_0)", "right_place_nextto(car_0)"],
        ),
        (
            TRUCKS,
            "At l1, load p1 into t1. Drive t1 to l2 from l1 in city c1. Load the package p1"
            " into airplane a1 at l2. Fly a1 to l1 from l2.",
            [
                "load-truck(p1, t1, l1)",
                "drive-truck(t1, l1, l2, c1)",
                "load-airplane(p1, a1, l2)",
                "fly-airplane(a1, l2, l1)",
            ],
        ),
        (
            TABLE,
            "Unstack a from b. Put a down on the table. Pick up c and stack it onto b.",
            ["unstack(a, b)", "put-down(a)", "pick-up(c)", "stack(c, b)"],
        ),
    ],
)
def test_sentences_of_the_vocabulary_are_steps(
    names: Vocabulary, text: str, expected: list[str]
) -> None:
    found, reading = actions(text, names)
    assert found == expected
    assert reading.problems == ()


@pytest.mark.parametrize(
    ("names", "text", "unread"),
    [
        (HOUSE, "Walk to the fridge, open it, lift the cup.", "lift the cup"),
        (HOUSE, "Walk to the cup, grab it, and return it to the bed.", "return it to the bed"),
        (HOUSE, "Walk to the fridge. Lift the cup. Open the fridge.", "Lift the cup"),
        (HANDS, "Clean the car, then grasp the rag.", "grasp the rag"),
        (TABLE, "Unstack a from b, put it down, and pick up c.", "put it"),
    ],
)
def test_a_clause_that_is_not_understood_is_a_problem(
    names: Vocabulary, text: str, unread: str
) -> None:
    _, reading = actions(text, names)
    assert reading.status == "partial"
    assert unread in [problem.written for problem in reading.problems]


@pytest.mark.parametrize(
    "text",
    [
        "1. Walk to the fridge so that you can take the cup.\n2. Open the fridge.",
        "1. Walk to the fridge. Take care that the cup stays.\n2. Open the fridge.",
        "1. Walk to the fridge (it holds the cup).\n2. Open it.",
    ],
)
def test_words_that_explain_a_step_are_none(text: str) -> None:
    found, reading = actions(text, HOUSE)
    assert found == ["walk(fridge.3)", "open(fridge.3)"]
    assert reading.problems == ()


def test_the_hand_that_is_not_named_is_not_guessed() -> None:
    reading = read_answer("1. Grasp the rag\n2. Clean the car", HANDS)
    assert reading.status == "partial"
    assert [str(step) for step in reading.steps] == ["Clean(car)"]


@pytest.mark.parametrize(
    "text",
    [
        'digraph plan {\n  b [label="grab cup.2"];\n  a [label="walk cup.2"];\n  a -> b;\n}',
        "```mermaid\ngraph TD\nA[walk(cup.2)] --> B[grab(cup.2)]\n```",
        "1. Preparation\n   1.1 walk(cup.2)\n2. Main part\n   2.1 grab(cup.2)",
        '{"actions": ["walk", "grab"], "arguments": [["cup.2"], ["cup.2"]]}',
        "2025-03-04 09:00:01,101 INFO  [run] walk cup.2\n"
        "2025-03-04 09:00:02,101 INFO  [run] grab cup.2",
        "<details><summary>Reasoning</summary>\n\nNot open(cup.2).\n\n</details>\n\n"
        "1. walk(cup.2)\n2. grab(cup.2)",
        '<a><action name="walk" object="cup.2"/><b><action name="grab" object="cup.2"/></b></a>',
    ],
)
def test_diagrams_sections_and_other_frames_of_steps_are_read(text: str) -> None:
    found, reading = actions(text, HOUSE)
    assert found == ["walk(cup.2)", "grab(cup.2)"]
    assert reading.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "grab cup.2 <- walk cup.2",
        'digraph g { a -> b; a -> c; a [label="walk cup.2"]; b [label="grab cup.2"]; }',
        "Die folgenden Schritte bitte nicht ausführen:\n1. walk(cup.2)\n2. grab(cup.2)",
        'A plan usually looks like this: "walk(cup.2); grab(cup.2)". I give no plan.',
    ],
)
def test_what_does_not_say_one_plan_is_a_problem(text: str) -> None:
    assert actions(text, HOUSE)[1].problems


@pytest.mark.parametrize(
    "reason",
    [
        "so that we can reach the bed.4",
        ", which leaves room for the bed.4",
        "(because of the bed.4)",
        "in order to make space on the bed.4",
        "- this keeps it away from the bed.4",
    ],
)
def test_a_reason_that_names_another_object_leaves_the_step_its_own(reason: str) -> None:
    answer = f"1. Grab the cup.2.\n2. Put the cup.2 back onto the fridge.3 {reason}.\n"
    plan = bind(read_answer(answer, HOUSE), HOUSE)
    assert [str(action).lower() for action in plan.actions] == [
        "grab(cup.2)",
        "putback(cup.2, fridge.3)",
    ]


@pytest.mark.parametrize(
    "line", ["2. Hoist the cup.2 so it is up.", "Use the cup.2 with the bed.4."]
)
def test_a_command_that_is_not_understood_is_a_problem(line: str) -> None:
    reading = read_answer(f"1. Grab the cup.2.\n{line}\n3. Walk to the bed.4.\n", HOUSE)
    assert reading.problems


@pytest.mark.parametrize(
    "text",
    [
        "1. Unstack block a and block b.\n2. Put down a.",
        "You should unstack a and b. Then, put down a.",
        "Stack both a and b on c.",
        "- stack a and then b",
    ],
)
def test_objects_whose_roles_are_left_open_are_a_problem(text: str) -> None:
    assert actions(text, TABLE)[1].problems


@pytest.mark.parametrize(
    "text",
    [
        "1. Unstack a from b.",
        "1. **Unstack a and b** - `unstack(a, b)`",
        "Unstack block a and block b.\nunstack(a, b)",
        "# Unstack a and b\nunstack(a, b)",
        "Thought: I unstack a and b.\nAction: unstack a b",
        "UNSTACK a and b",
        "1. unstack: a and b",
    ],
)
def test_roles_of_objects_are_told_by_words_or_by_a_second_telling(text: str) -> None:
    steps, reading = actions(text, TABLE)
    assert (steps, reading.problems) == (["unstack(a, b)"], ())


def test_types_and_mutual_verbs_leave_no_role_open() -> None:
    assert actions("Load p1 and t1 at l1.", TRUCKS)[0] == ["load-truck(p1, t1, l1)"]
    wires = Vocabulary({"connect": 2}, {}, frozenset(["cup.2", "bed.4"]), {})
    assert actions("1. Connect cup.2 and bed.4.", wires)[0] == ["connect(cup.2, bed.4)"]
