"""Plans that are told twice, in the passive, in diagrams, in programs, or with words of doubt."""

from __future__ import annotations

import pytest

import eai
from eai.answers import PlanReading, bind, read_answer
from eai.task import Vocabulary

HOUSE = Vocabulary(
    {"walk": 1, "grab": 1, "open": 1, "run": 1, "switchoff": 1, "putback": 2, "sleep": 0},
    {},
    frozenset(["hall.1", "cup.2", "cup.7", "fridge.3", "bed.4", "lamp.5"]),
    {
        "hall": ("hall.1",),
        "cup": ("cup.2", "cup.7"),
        "fridge": ("fridge.3",),
        "bed": ("bed.4",),
        "lamp": ("lamp.5",),
    },
)
PLAN = ["walk(fridge.3)", "open(fridge.3)", "grab(cup.7)"]


def actions(text: str) -> tuple[list[str], PlanReading]:
    """Return the actions that are read and bound, and the reading."""
    reading = read_answer(text, HOUSE)
    return [str(action) for action in bind(reading, HOUSE).actions], reading


@pytest.mark.parametrize(
    "text",
    [
        "# 1. WALK to the fridge\nWALK(fridge.3)\n\n# 2. OPEN it\nOPEN(fridge.3)\n\n"
        "# 3. GRAB a cup\nGRAB(cup.7)",
        "Walk to the fridge:\n`walk(fridge.3)`\nOpen the fridge:\n`open(fridge.3)`\n"
        "Grab the cup:\n`grab(cup.7)`",
        "1. Walk to the fridge\n   Command: walk(fridge.3)\n2. Open the fridge\n"
        "   Command: open(fridge.3)\n3. Grab the cup\n   Command: grab(cup.7)",
        "walk(fridge.3)\nWalk to the fridge.\nopen(fridge.3)\nOpen the fridge.\ngrab(cup.7)",
        "- walk to fridge.3 — Walk to fridge.3\n- open fridge.3 — Open fridge.3\n"
        "- grab cup.7 — Grab cup.7",
        "1. **walk(fridge.3)**: At first, go there.\n2. **open(fridge.3)**: Then it is open.\n"
        "3. **grab(cup.7)**: Finally, the robot will grab the cup.",
    ],
)
def test_a_step_in_words_beside_its_call_is_one_step(text: str) -> None:
    found, reading = actions(text)
    assert found == PLAN
    assert reading.problems == ()


def test_steps_of_two_numbers_may_be_about_two_objects_of_a_class() -> None:
    found, _ = actions("1. Grab the cup\n2. grab(cup.7)")
    assert found == ["grab(cup.2)", "grab(cup.7)"]


@pytest.mark.parametrize(
    "text",
    [
        "1. fridge.3 is walked to.\n2. Fridge.3 is opened.\n3. Cup.7 is grabbed.",
        "First, the fridge.3 was walked to. Then the fridge.3 was opened by the robot, and"
        " finally cup.7 was grabbed.",
        "The robot walks to fridge.3. Fridge.3 is then opened. Cup.7 is grabbed.",
        "1. I walk to fridge.3.\n2. It is opened.\n3. Cup.7 is grabbed.",
    ],
)
def test_a_plan_in_the_passive_is_read(text: str) -> None:
    found, reading = actions(text)
    assert found == PLAN
    assert reading.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "Walk to fridge.3.\nOpen fridge.3. Now fridge.3 is opened.\nGrab cup.7.",
        "1. walk(fridge.3)\n2. open(fridge.3)\n3. grab(cup.7)\nThen the lamp is switched off.",
        "1. Walk to fridge.3.\n2. Open fridge.3.\n3. Grab cup.7.\nThen the lamp is switched off.",
        "Walk to fridge.3. Open fridge.3. Grab cup.7. Fridge.3 is opened.",
    ],
)
def test_a_state_in_the_passive_is_no_step(text: str) -> None:
    assert actions(text)[0] == PLAN


@pytest.mark.parametrize(
    "text",
    [
        "The goal is that fridge.3 is opened and that cup.7 is grabbed.",
        "If fridge.3 is opened, cup.7 is grabbed.",
        "Fridge.3 is inspected, fridge.3 is opened, and cup.7 is grabbed.",
        "Fridge.3 is walked to and opened. Cup.7 is grabbed.",
    ],
)
def test_passive_sentences_that_tell_no_whole_plan_are_none(text: str) -> None:
    assert actions(text)[0] == []


@pytest.mark.parametrize(
    "text",
    [
        "Walk to fridge.3 before it gets late, then open fridge.3.",
        "Walk to fridge.3 without a sound and open fridge.3.",
        "Walk to fridge.3. Alternatively, do this. Walk to the hall and open fridge.3.",
        "1. walk(fridge.3), unless it snows\n2. open(fridge.3)",
        "Walk to fridge.3 unless you are there.",
        '["walk(fridge.3)", 5, "open(fridge.3)"]',
        "The order is random.\n1. walk(fridge.3)\n2. open(fridge.3)",
        "The order of the steps does not matter:\n- walk(fridge.3)\n- open(fridge.3)",
    ],
)
def test_words_of_doubt_amid_a_plan_are_problems(text: str) -> None:
    assert actions(text)[1].problems


@pytest.mark.parametrize(
    "text",
    [
        "Walk to fridge.3. Do not forget anything. Then open fridge.3. Be careful. Grab cup.7.",
        "Can you do it for me? Please walk to fridge.3. Please open fridge.3. Please grab cup.7.",
        "One evening, the robot walked to fridge.3, opened fridge.3 and grabbed cup.7.",
        "1. Walk to the fridge located at position 3.\n2. Open the fridge.\n"
        "3. Grab the cup at position 7.",
        "The fourth step is walk to fridge.3.\nThe fifth step is open fridge.3.\n"
        "The tenth step is grab cup.7.",
        "RUN walk(fridge.3)\nRUN open(fridge.3)\nRUN grab(cup.7)",
        "1. walk(fridge.3)\n2. open(fridge.3)\n3. grab(cup.7)\n"
        "4. Walk off. (This step is implied, and so it is not necessary.)",
        "1. walk to fridge.3 2. open fridge.3 3. grab the cup.7",
    ],
)
def test_sentences_around_steps_change_nothing(text: str) -> None:
    found, reading = actions(text)
    assert found == PLAN
    assert reading.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "Once you have walked to fridge.3, open it. Grab cup.7.",
        "Walk to fridge.3.\nAs soon as you have walked to the fridge, open fridge.3.\nGrab cup.7.",
        "Walk to fridge.3.\nOpen fridge.3.\nWhen the robot has opened the fridge, it grabs cup.7.",
    ],
)
def test_a_step_that_is_taken_for_done_is_a_step_unless_it_was_told(text: str) -> None:
    assert actions(text)[0] == PLAN


@pytest.mark.parametrize(
    "text",
    [
        "The robot walks to fridge.3.\nThen it opens fridge.3.\nFinally, it grabs cup.7.",
        "The robot walks to fridge.3.\nIt opens fridge.3.\nIt grabs cup.7.",
        "1. It walks to fridge.3.\n2. It opens fridge.3.\n3. It grabs cup.7.",
        "There was a robot. One day it walked to fridge.3. Then it opened fridge.3. In the end,"
        " it grabbed cup.7. It was happy.",
        "walk(fridge.3)\nIt walks to the fridge.\nopen(fridge.3)\nIt opens it.\ngrab(cup.7)",
    ],
)
def test_what_it_does_is_a_step_where_it_is_the_robot(text: str) -> None:
    assert actions(text)[0] == PLAN


def test_what_it_does_is_no_step_below_an_order() -> None:
    found, _ = actions("Walk to fridge.3.\nIt opens fridge.3.\nGrab cup.7.")
    assert found == ["walk(fridge.3)", "grab(cup.7)"]


def test_a_sentence_before_the_steps_that_may_tell_one_is_not_passed_over() -> None:
    assert actions("I hurry to fridge.3. I open fridge.3.")[0] == []


@pytest.mark.parametrize(
    "text",
    [
        'digraph p {\n  1 [label="walk(fridge.3)"];\n  2 [label="open(fridge.3)"];\n'
        '  3 [label="grab(cup.7)"];\n  1 -> 2 -> 3;\n}',
        'digraph p {\n  a [label="walk(fridge.3)"];\n  b [label="open(fridge.3)"];\n'
        '  c [label="grab(cup.7)"];\n  a -> b [label="next"];\n  b -> c [label="next"];\n}',
    ],
)
def test_labels_of_nodes_are_steps(text: str) -> None:
    found, reading = actions(text)
    assert found == PLAN
    assert reading.problems == ()


def test_labels_of_arrows_may_be_steps_and_are_a_problem() -> None:
    text = 'digraph p {\n  b -> c [label="open(fridge.3)"];\n  a -> b [label="walk(fridge.3)"];\n}'
    assert actions(text)[1].problems


_BODY = ['walk("fridge.3")', 'open("fridge.3")', 'grab("cup.7")']


@pytest.mark.parametrize(
    "text",
    [
        "public class Robot {\n  public static void main(String[] args) {\n    "
        + ";\n    ".join(_BODY)
        + ";\n  }\n}",
        "class Robot\n{\n  static void Main(string[] args)\n  {\n    "
        + ";\n    ".join(_BODY)
        + ";\n  }\n}",
        "public class Robot {\n  public static void main(String[] args) {\n"
        '    System.out.println("Step 1: walk(fridge.3)");\n'
        '    System.out.println("Step 2: open(fridge.3)");\n'
        '    System.out.println("Step 3: grab(cup.7)");\n  }\n}',
        "```cpp\n#include <iostream>\n\nvoid walk(const std::string& to) {\n"
        '  std::cout << "walking to " << to << std::endl;\n}\n\nint main() {\n  '
        + ";\n  ".join(_BODY)
        + ";\n  return 0;\n}\n```",
        "10 REM walk to the fridge\n20 walk(fridge.3)\n30 REM open the fridge\n40 open(fridge.3)\n"
        "50 REM grab the cup\n60 grab(cup.7)\n70 END",
        "if walk to fridge.3 then\n  if open fridge.3 then\n    grab cup.7\n  end if\nend if",
        "(define (walk x)\n  (move-to x)\n  (open x))\n\n(define (plan)\n  (walk fridge.3)\n"
        "  (open fridge.3)\n  (grab cup.7))",
    ],
)
def test_the_steps_of_programs_and_files_are_read(text: str) -> None:
    found, reading = actions(text)
    assert found == PLAN
    assert reading.problems == ()


def test_an_item_below_the_heading_of_a_step_tells_how_it_is_done() -> None:
    found, reading = actions(
        "### Step 1: Walk to fridge.3\n- **Action:** Move the wheels towards the fridge.\n\n"
        "### Step 2: Open fridge.3\n- **Action:** Pull with the arm.\n\n"
        "### Step 3: Grab cup.7\n- **Action:** Close the fingers.\n"
    )
    assert found == PLAN
    assert reading.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "1. **Walk to fridge.3**\n2. **Tug the fridge.3 open**\n3. **Grab cup.7**",
        "### 1. Walk to fridge.3\nIt is far.\n### 2. Tug the fridge.3 open\n### 3. Grab cup.7\n",
    ],
)
def test_a_numbered_heading_between_steps_that_is_not_understood_is_a_problem(text: str) -> None:
    assert actions(text)[1].status == "partial"


@pytest.mark.parametrize(
    "text",
    [
        "1. **Reach the fridge.3**\n   - walk(fridge.3)\n   - open(fridge.3)\n"
        "2. **Fetch the cup.7**\n   - grab(cup.7)",
        "1. **Reach the fridge.3**\n1. walk(fridge.3)\n2. open(fridge.3)\n"
        "2. **Fetch the cup.7**\n3. grab(cup.7)",
    ],
)
def test_a_numbered_heading_of_several_steps_is_none(text: str) -> None:
    found, reading = actions(text)
    assert found == PLAN
    assert reading.problems == ()


def test_a_list_in_a_row_with_an_object_too_many_is_a_problem() -> None:
    assert actions('["walk", "fridge.3", "open", "fridge.3", "hall.1"]')[1].problems


def test_a_whole_skill_in_words_and_its_call_in_brackets_are_one_step() -> None:
    habitat = eai.suite("eb-habitat")
    task = habitat.task("base/0")
    answer = "1. Navigate to the sofa (NAV(sofa))\n2. **Navigate to the sink** (`NAV(sink)`)"
    strict = habitat.semantics("strict")
    record = habitat.evaluate("action_sequencing", task, answer, strict)
    assert list(map(str, record.plan)) == ["nav(sofa)", "nav(sink)"]


@pytest.mark.parametrize("behind", ["on the bed.4", "at bed.4"])
def test_an_object_behind_a_call_that_lacks_one_belongs_to_it(behind: str) -> None:
    found, reading = actions(f"1. grab(cup.7)\n2. putback(cup.7) {behind}\n3. walk(hall.1) with it")
    assert found == ["grab(cup.7)", "putback(cup.7, bed.4)", "walk(hall.1)"]
    assert not reading.problems
