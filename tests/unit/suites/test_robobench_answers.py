"""Forms of answers from which plans of RoboBench are read."""

from __future__ import annotations

import pytest

from eai.suites.robobench import judge_plan
from eai.suites.robobench.plans import Step, read_answer

CUT = "pick_up(knife), cut(knife, bread, board), place(knife, table)"
TWO_ARMS = "left:grasp(tray), right:hold(cup), left:place(tray, shelf), right:no_ops"


def steps_of(text: str) -> str:
    return ", ".join(map(str, read_answer(text).steps))


@pytest.mark.parametrize(
    "text",
    [
        "1-pick_up(knife), 2-cut(knife, bread, board), 3-place(knife, table)",
        "1. pick_up[knife]\n2. cut[knife, bread, board]\n3. place[knife, table]",
        "1. Pick up (knife)\n2. Cut (knife, bread, board)\n3. Place (knife, table)",
        "1. pick_up: knife\n2. cut: knife, bread, board\n3. place: knife, table",
        "pick\\_up(knife)\ncut(knife, bread, board)\nplace(knife, table)",
        "robot.pickUp('knife')\nrobot.cut('knife', 'bread', 'board')\n"
        "robot.place('knife', 'table')",
        "pick_up(knife)\ncut(target=board, object=bread, tool=knife)\nplace(knife, table)",
        '[{"skill": "pick_up", "args": ["knife"]},'
        ' {"skill": "cut", "args": ["knife", "bread", "board"]},'
        ' {"skill": "place", "args": ["knife", "table"]}]',
        '[{"pick_up": "knife"},'
        ' {"cut": {"object": "bread", "tool": "knife", "target": "board"}},'
        ' {"place": ["knife", "table"]}]',
        "- skill: pick_up\n  object: knife\n- skill: cut\n  object: bread\n  tool: knife\n"
        "  target: board\n- skill: place\n  object: knife\n  target: table",
        "| Skill | Arguments |\n| --- | --- |\n| pick_up | knife |\n"
        "| cut | knife, bread, board |\n| place | knife, table |",
        'pick_up.call(object="knife"); cut.call(tool="knife", object="bread", target="board");'
        ' place.call(object="knife", target="table")',
        "Pick up the knife. Cut the bread on the board with the knife. Put the knife on the table.",
        "Pick up the knife, use the knife to cut the bread on the board,"
        " and place the knife on the table.",
    ],
)
def test_forms_of_one_arm(text: str) -> None:
    assert steps_of(text) == CUT


@pytest.mark.parametrize(
    "text",
    [
        "1. L: grasp(tray) | R: hold(cup)\n2. L: place(tray, shelf) | R: no_ops",
        "1. [left] grasp(tray), [right] hold(cup)\n2. [left] place(tray, shelf), [right] no_ops",
        "1. grasp(tray) [left], hold(cup) [right]\n2. place(tray, shelf) [left], no_ops() [right]",
        "left_arm.grasp('tray')\nright_arm.hold('cup')\nleft_arm.place('tray', 'shelf')\n"
        "right_arm.no_ops()",
        '[{"left": "grasp(tray)", "right": "hold(cup)"},'
        ' {"left": "place(tray, shelf)", "right": "-"}]',
        '[{"action": "grasp(tray)", "arm": "left"},'
        ' {"arm": "right", "skill": "hold", "args": ["cup"]},'
        ' {"skill": "place", "object": "tray", "target": "shelf", "arm": "left"},'
        ' {"arm": "right", "skill": "no_ops"}]',
        "| Left arm | Right arm |\n| --- | --- |\n| grasp(tray) | hold(cup) |\n"
        "| place(tray, shelf) | - |",
        "Left arm:\n1. grasp(tray)\n2. place(tray, shelf)\n\nRight arm:\n1. hold(cup)\n2. no_ops",
        "Grasp the tray with the left hand. Hold the cup with the right hand."
        "\nThe left arm places the tray on the shelf. The right arm waits.",
    ],
)
def test_forms_of_two_arms(text: str) -> None:
    assert steps_of(text) == TWO_ARMS


def test_both_arms_are_two_steps_of_one_line() -> None:
    assert read_answer("1. both arms: grasp(tray)").steps == (
        Step(1, "grasp", ("tray",), "left"),
        Step(1, "grasp", ("tray",), "right"),
    )


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Move the gripper to the mug.", "move_to(none, mug)"),
        ("Move the mug to the sink.", "move_to(mug, sink)"),
        ("Press the start button.", "press(none, start button)"),
        ("Pour water from the kettle into the cup.", "pour(kettle, water, cup)"),
        ("Pull open the drawer.", "pull(drawer, open)"),
        ("Push the drawer closed.", "push(drawer, closed)"),
        ("Turn the tap anticlockwise to open it.", "turn(tap, anticlockwise, open)"),
        ("Pull the plug out of the socket.", "pullout(plug, socket)"),
        ("Turn the lamp on.", "turn_on(lamp)"),
        ("Pick up the mug and place it on the tray.", "pick_up(mug), place(mug, tray)"),
        ("Turn left, then go forward to the sofa.", "turn_left(), go_forward(sofa)"),
        ("Grasp the left edge of the towel.", "grasp(left edge of the towel)"),
        (
            "Grasp the cloth, wipe the dust off the shelf with it, and place it in the basket.",
            "grasp(cloth), wipe(cloth, dust, shelf), place(cloth, basket)",
        ),
        (
            "grasp jug -> pour milk from the jug into the glass \u2192 place jug on the tray",
            "grasp(jug), pour(jug, milk, glass), place(jug, tray)",
        ),
        (
            "The left hand grasps the pan while the right hand grasps the lid of the pan.",
            "left:grasp(pan), right:grasp(lid of the pan)",
        ),
        ("Hold the bottle while opening it.", "hold(bottle)"),
    ],
)
def test_sentences(text: str, steps: str) -> None:
    assert steps_of(text) == steps


@pytest.mark.parametrize(
    "text",
    [
        "Do not do any of this: pick_up(cup), place(cup, tray)",
        "1-pick_up(cup), 2-place(cup, tray)\n\nNone of this works, I have no plan.",
        "<think>1-pick_up(cup), 2-place(cup, tray)</think> I am not sure.",
        "~~pick_up(cup)~~\n~~place(cup, tray)~~",
        "I cannot help with that.",
        "If the cup were free: 1-pick_up(cup), 2-place(cup, tray)",
    ],
)
def test_plans_that_are_not_given_are_unread(text: str) -> None:
    assert judge_plan("1-pick_up(cup), 2-place(cup, tray)", text).problem


def test_conditions_and_corrections_are_no_further_steps() -> None:
    plan = "1-pick_up(cup), 2-place(cup, tray)"
    assert steps_of(f"{plan}. If the door were closed: pull(door, open).") == (
        "pick_up(cup), place(cup, tray)"
    )
    draft = "1-pick_up(mug), 2-place(mug, tray)"
    assert steps_of(f"{draft}\n\nWait, that is the mug. The corrected plan is: {plan}") == (
        "pick_up(cup), place(cup, tray)"
    )


def test_sentences_beside_calls_explain_them() -> None:
    text = "Pick up the cup first.\n\n1. pick_up(cup)\n2. place(cup, tray)\n\nPlace it gently."
    assert steps_of(text) == "pick_up(cup), place(cup, tray)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Grasp the cloth, wipe the mirror with it, and place it in the basket.",
            "grasp(cloth), wipe(cloth, mirror), place(cloth, basket)",
        ),
        (
            "Pick up the cup and place it on the tray, then push the drawer and pull it.",
            "pick_up(cup), place(cup, tray), push(drawer), pull(drawer)",
        ),
    ],
)
def test_it_means_the_same_thing_all_along(text: str, expected: str) -> None:
    assert steps_of(text) == expected


@pytest.mark.parametrize("arrow", ["->", "=>", "\u2192"])
def test_arrows_part_steps_in_words(arrow: str) -> None:
    text = f"pick up the spoon {arrow} stir the tea {arrow} place the spoon on the saucer"
    assert steps_of(text) == "pick_up(spoon), stir(tea), place(spoon, saucer)"
    assert steps_of(f"place {arrow} spoon, saucer") == "place(spoon, saucer)"


def test_a_step_of_the_other_arm_behind_while_is_a_step() -> None:
    text = "The left arm holds the jar while the right arm grasps the lid. Then the right arm "
    expected = "left:hold(jar), right:grasp(lid), right:place(lid, table)"
    assert steps_of(f"{text}places the lid on the table.") == expected
    assert steps_of("Push the cart while holding the tray.") == "push(cart)"


@pytest.mark.parametrize("method", ["call", "invoke", "run"])
def test_a_method_of_a_tool_is_no_argument(method: str) -> None:
    text = f'grasp.{method}(object="drawer"); place.{method}(object="cup", target="tray")'
    assert steps_of(text) == "grasp(drawer), place(cup, tray)"
    assert steps_of(f"<|python_tag|>{text}") == "grasp(drawer), place(cup, tray)"


@pytest.mark.parametrize(
    ("remark", "expected"),
    [
        ("If the lamp were on, step 1 could be skipped.", "press(switch), grasp(cup)"),
        ("Unless somebody watches, step 2 would be dropped.", "press(switch), grasp(cup)"),
        ("Skip step 1 when the lamp is on.", "press(switch), grasp(cup)"),
        ("Skip step 1. If you like, go on.", "grasp(cup)"),
        ("Step 1 is not needed.", "grasp(cup)"),
    ],
)
def test_what_holds_in_some_case_takes_no_step_out(remark: str, expected: str) -> None:
    assert steps_of(f"1. press(switch)\n2. grasp(cup)\n\n{remark}") == expected


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("Pick up the cup, fill it with water, and place it on the table.", True),
        ("The left arm holds the jar. Then the left arm lifts the jar.", True),
        ("Pick up the cup and place it on the table, so that it is safe.", False),
        ("Grasp the rag. Wipe the table with it. The table is clean.", False),
    ],
)
def test_a_clause_about_no_skill_is_noted(text: str, unread: bool) -> None:
    assert any(note.startswith("not read") for note in read_answer(text).notes) is unread
