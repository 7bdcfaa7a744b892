"""Shapes of RoboBench plans for two arms, and plans in sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from answer_robobench import RoboShape, Skill, each_skill, quoted_objects
from answer_steps import dumped, element, fenced

NO_OBJECT = "none"  # a skill that acts on its target with an empty gripper

TWO_ARMS: dict[str, RoboShape] = {}  # steps in any order, each of one arm
PAIRS: dict[str, RoboShape] = {}  # a step of the left arm, then one of the right, and so on
SENTENCES: dict[str, RoboShape] = {}  # steps whose skills can be said in words


def two_arms(function: RoboShape) -> RoboShape:
    """Register a shape for two arms."""
    TWO_ARMS[function.__name__] = function
    return function


def pairs(function: RoboShape) -> RoboShape:
    """Register a shape in which both arms act at a time."""
    PAIRS[function.__name__] = function
    return function


def sentences(function: RoboShape) -> RoboShape:
    """Register a shape in words."""
    SENTENCES[function.__name__] = function
    return function


# Two arms, each step with its arm


def _arm_lines(plan: Sequence[Skill], write: Callable[[Skill], str]) -> str:
    return each_skill(plan, lambda number, skill: f"{number}. {write(skill)}")


@two_arms
def arm_and_colon(plan: Sequence[Skill]) -> str:
    return _arm_lines(plan, lambda skill: f"{skill.arm}: {skill}")


@two_arms
def arm_in_brackets(plan: Sequence[Skill]) -> str:
    return _arm_lines(plan, lambda skill: f"[{skill.arm}] {skill}")


@two_arms
def arm_in_parentheses_before(plan: Sequence[Skill]) -> str:
    return _arm_lines(plan, lambda skill: f"({skill.arm} arm) {skill}")


@two_arms
def arm_in_parentheses_behind(plan: Sequence[Skill]) -> str:
    return _arm_lines(plan, lambda skill: f"{skill} (with the {skill.arm} arm)")


@two_arms
def bold_arm(plan: Sequence[Skill]) -> str:
    return _arm_lines(plan, lambda skill: f"**{skill.arm.title()} arm:** `{skill}`")


@two_arms
def arm_named_hand(plan: Sequence[Skill]) -> str:
    return _arm_lines(plan, lambda skill: f"{skill.arm.title()} hand: {skill}")


@two_arms
def initials(plan: Sequence[Skill]) -> str:
    return _arm_lines(plan, lambda skill: f"{skill.arm[0].upper()}: {skill}")


@two_arms
def arm_as_owner(plan: Sequence[Skill]) -> str:
    return _arm_lines(plan, lambda skill: f"{skill.arm}.{skill}")


@two_arms
def arm_as_object_in_code(plan: Sequence[Skill]) -> str:
    rows = each_skill(
        plan, lambda _, skill: f"{skill.arm}_arm.{skill.name}({quoted_objects(skill)})"
    )
    return fenced(rows, "python")


@two_arms
def arm_as_keyword(plan: Sequence[Skill]) -> str:
    def call(_: int, skill: Skill) -> str:
        given = [*(f'"{argument}"' for argument in skill.arguments), f'arm="{skill.arm}"']
        return f"{skill.name}({', '.join(given)})"

    return fenced(each_skill(plan, call), "python")


@two_arms
def json_arm_key(plan: Sequence[Skill]) -> str:
    rows = [
        {"arm": skill.arm, "skill": skill.name, "args": list(skill.arguments)} for skill in plan
    ]
    return dumped(rows)


@two_arms
def json_arm_and_call(plan: Sequence[Skill]) -> str:
    rows = [
        {"step": number, "arm": skill.arm, "action": str(skill)}
        for number, skill in enumerate(plan, start=1)
    ]
    return fenced(dumped(rows, indent=1), "json")


@two_arms
def table_with_arm(plan: Sequence[Skill]) -> str:
    rows = each_skill(plan, lambda number, skill: f"| {number} | {skill.arm} | {skill} |")
    return f"| Step | Arm | Action |\n| --- | --- | --- |\n{rows}"


# Two arms at a time


def _pairs(plan: Sequence[Skill]) -> list[tuple[Skill, Skill]]:
    return list(zip(plan[::2], plan[1::2], strict=True))


def _pair_lines(plan: Sequence[Skill], write: Callable[[int, Skill, Skill], str]) -> str:
    return "\n".join(write(i, left, right) for i, (left, right) in enumerate(_pairs(plan), 1))


@pairs
def published_form(plan: Sequence[Skill]) -> str:
    return _pair_lines(plan, lambda i, left, right: f"{i}-left:{left}, right:{right}")


@pairs
def initials_and_bar(plan: Sequence[Skill]) -> str:
    return _pair_lines(plan, lambda i, left, right: f"{i}. L: {left} | R: {right}")


@pairs
def arms_and_semicolon(plan: Sequence[Skill]) -> str:
    return _pair_lines(plan, lambda i, left, right: f"{i}. Left arm: {left}; right arm: {right}")


@pairs
def arms_behind(plan: Sequence[Skill]) -> str:
    return _pair_lines(plan, lambda i, left, right: f"{i}. {left} [left], {right} [right]")


@pairs
def arms_below_a_heading(plan: Sequence[Skill]) -> str:
    return _pair_lines(
        plan, lambda i, left, right: f"**Step {i}**\n- Left arm: {left}\n- Right arm: {right}\n"
    )


@pairs
def table_of_arms(plan: Sequence[Skill]) -> str:
    rows = _pair_lines(plan, lambda i, left, right: f"| {i} | {left} | {right} |")
    return f"| Step | Left arm | Right arm |\n| --- | --- | --- |\n{rows}"


@pairs
def json_left_right(plan: Sequence[Skill]) -> str:
    rows = [
        {"step": number, "left": str(left), "right": str(right)}
        for number, (left, right) in enumerate(_pairs(plan), start=1)
    ]
    return dumped({"plan": rows})


@pairs
def json_left_right_objects(plan: Sequence[Skill]) -> str:
    rows = [
        {
            side: {"skill": skill.name, "args": list(skill.arguments)}
            for side, skill in zip(("left_arm", "right_arm"), pair, strict=True)
        }
        for pair in _pairs(plan)
    ]
    return fenced(dumped(rows, indent=2), "json")


@pairs
def yaml_left_right(plan: Sequence[Skill]) -> str:
    return "steps:\n" + _pair_lines(
        plan, lambda _, left, right: f"  - left: {left}\n    right: {right}"
    )


@pairs
def xml_left_right(plan: Sequence[Skill]) -> str:
    return _pair_lines(
        plan,
        lambda i, left, right: element(
            "step", element("left", str(left)) + element("right", str(right)), n=i
        ),
    )


@pairs
def parallel_calls(plan: Sequence[Skill]) -> str:
    def call(skill: Skill) -> str:
        return f"{skill.arm}.{skill.name}({quoted_objects(skill)})"

    rows = _pair_lines(plan, lambda _, left, right: f"parallel({call(left)}, {call(right)})")
    return fenced(rows, "python")


@pairs
def simultaneously(plan: Sequence[Skill]) -> str:
    return _pair_lines(
        plan, lambda i, left, right: f"{i}. At the same time, left: {left} and right: {right}"
    )


# Sentences

WORDS = {
    "pick_up": "pick up the {0}",
    "grasp": "grasp the {0}",
    "place": "place the {0} at the {1}",
    "insert": "insert the {0} into the {1}",
    "pullout": "pull the {0} out of the {1}",
    "press": "press the {1}",
    "pour": "pour the {1} from the {0} into the {2}",
    "stir": "stir the {1} in the {2} with the {0}",
    "cut": "cut the {1} on the {2} with the {0}",
    "scoop": "scoop the {1} from the {2} with the {0}",
    "wipe": "wipe the {1} off the {2} with the {0}",
    "turn_left": "turn left",
    "turn_right": "turn right",
    "turn_back": "turn back",
    "go_forward": "go forward to the {0}",
}


def can_be_said(plan: Sequence[Skill]) -> bool:
    """Say whether every skill of a plan has words, and none has an arm."""
    return all(not skill.arm and (skill.name in WORDS or skill.name == "move_to") for skill in plan)


def _said(skill: Skill) -> str:
    arguments = [argument.replace("_", " ") for argument in skill.arguments]
    if skill.name == "move_to":
        words = "move to the {1}" if arguments[0] == NO_OBJECT else "move the {0} to the {1}"
        return words.format(*arguments)
    return WORDS[skill.name].format(*arguments)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


@sentences
def numbered_sentences(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"{number}. {_capital(_said(skill))}.")


@sentences
def sentences_in_a_row(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda _, skill: f"{_capital(_said(skill))}.", " ")


@sentences
def first_then_finally(plan: Sequence[Skill]) -> str:
    def sentence(number: int, skill: Skill) -> str:
        word = "First" if number == 1 else "Then"
        if number == len(plan) > 1:
            word = "Finally"
        return f"{word}, {_said(skill)}."

    return each_skill(plan, sentence, " ")


@sentences
def robot_should(plan: Sequence[Skill]) -> str:
    return each_skill(
        plan, lambda number, skill: f"Step {number}: The robot should {_said(skill)}."
    )


@sentences
def json_sentences(plan: Sequence[Skill]) -> str:
    return dumped({"steps": [_capital(_said(skill)) for skill in plan]})


@sentences
def sentence_then_call(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"{number}. {_capital(_said(skill))}: `{skill}`")
