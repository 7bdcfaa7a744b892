"""Shapes of RoboBench plans: one arm, two arms, and sentences."""

# ruff: noqa: RUF001 - letters of other scripts are what is written here

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from support.answer_steps import REASONS, dumped, element, fenced

NO_OBJECT = "none"  # a skill that acts on its target with an empty gripper


@dataclass(frozen=True)
class Skill:
    """A step of a gold plan; the arm is empty in plans for one arm."""

    name: str  # "pick_up"
    arguments: tuple[str, ...]  # ("carrot",)
    arm: str = ""  # "left"

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"


RoboShape = Callable[[Sequence[Skill]], str]
ONE_ARM: dict[str, RoboShape] = {}
TWO_ARMS: dict[str, RoboShape] = {}  # steps in any order, each of one arm
PAIRS: dict[str, RoboShape] = {}  # a step of the left arm, then one of the right, and so on
SENTENCES: dict[str, RoboShape] = {}  # steps whose skills can be said in words


def one_arm(function: RoboShape) -> RoboShape:
    """Register a shape for one arm."""
    ONE_ARM[function.__name__] = function
    return function


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


def _each(plan: Sequence[Skill], write: Callable[[int, Skill], str], between: str = "\n") -> str:
    return between.join(write(number, skill) for number, skill in enumerate(plan, start=1))


def _numbered(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"{number}. {skill}")


def _why(number: int, plan: Sequence[Skill]) -> str:
    return REASONS[(number + len(str(plan[0]))) % len(REASONS)]


def _quoted(skill: Skill) -> str:
    return ", ".join(f'"{argument}"' for argument in skill.arguments)


# One arm: lines


@one_arm
def numbered_lines(plan: Sequence[Skill]) -> str:
    return _numbered(plan)


@one_arm
def bullets(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda _, skill: f"- {skill}")


@one_arm
def step_labels(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"Step {number}: {skill}")


@one_arm
def bold_labels_in_backticks(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"**{number}.** `{skill}`")


@one_arm
def dashes_one_per_line(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"{number}-{skill}")


@one_arm
def semicolons(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda _, skill: str(skill), "; ") + "."


@one_arm
def arrows(plan: Sequence[Skill]) -> str:
    return "Plan: " + _each(plan, lambda _, skill: str(skill), " → ")


@one_arm
def reasons_behind(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"{number}. {skill} – {_why(number, plan)}")


@one_arm
def reasons_before(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"{number}. ({_why(number, plan)}) {skill}")


@one_arm
def reasons_below(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"{number}. {skill}\n   - {_why(number, plan)}")


@one_arm
def headings(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"### Step {number}\n- Action: {skill}\n")


@one_arm
def headings_with_parts(plan: Sequence[Skill]) -> str:
    return _each(
        plan,
        lambda number, skill: (
            f"### Step {number}\n- Skill: {skill.name}\n- Arguments: {', '.join(skill.arguments)}\n"
        ),
    )


@one_arm
def thought_action(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"Thought: {_why(number, plan)}\nAction: {skill}")


@one_arm
def checklist(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda _, skill: f"- [ ] {skill}")


@one_arm
def clock_times(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"[00:{3 * number:02d}] {skill}")


@one_arm
def emoji_digits(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"{number}\ufe0f\u20e3 {skill}")


@one_arm
def block_quote(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"> {number}) {skill}")


@one_arm
def chinese_labels(plan: Sequence[Skill]) -> str:
    rows = _each(plan, lambda number, skill: f"步骤{number}：{skill}")
    return f"好的，计划如下：\n{rows}\n完成。"


@one_arm
def full_width_signs(plan: Sequence[Skill]) -> str:
    wide = str.maketrans("(),", "（），")
    return _each(plan, lambda number, skill: f"{number}、{str(skill).translate(wide)}；")


@one_arm
def escaped_underscores(plan: Sequence[Skill]) -> str:
    return _numbered(plan).replace("_", "\\_")


# One arm: names and calls in other forms


@one_arm
def square_brackets(plan: Sequence[Skill]) -> str:
    return _each(
        plan, lambda number, skill: f"{number}. {skill.name}[{', '.join(skill.arguments)}]"
    )


@one_arm
def upper_case(plan: Sequence[Skill]) -> str:
    return _each(
        plan, lambda number, skill: f"{number}. {skill.name.upper()}({', '.join(skill.arguments)})"
    )


@one_arm
def camel_case(plan: Sequence[Skill]) -> str:
    def line(number: int, skill: Skill) -> str:
        name = skill.name.title().replace("_", "")
        return f"{number}. {name}({', '.join(skill.arguments)})"

    return _each(plan, line)


@one_arm
def blanks_in_skills(plan: Sequence[Skill]) -> str:
    def line(number: int, skill: Skill) -> str:
        name = skill.name.replace("_", " ").capitalize()
        return f"{number}. {name} ({', '.join(skill.arguments)})"

    return _each(plan, line)


@one_arm
def blanks_in_objects(plan: Sequence[Skill]) -> str:
    def line(number: int, skill: Skill) -> str:
        objects = ", ".join(argument.replace("_", " ") for argument in skill.arguments)
        return f"{number}-{skill.name}({objects})"

    return _each(plan, line, ", ")


@one_arm
def quoted_arguments(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"{number}. {skill.name}({_quoted(skill)})")


@one_arm
def name_then_arguments(plan: Sequence[Skill]) -> str:
    return _each(
        plan, lambda number, skill: f"{number}. {skill.name}: {', '.join(skill.arguments)}"
    )


# One arm: code


@one_arm
def python_calls(plan: Sequence[Skill]) -> str:
    return fenced(_each(plan, lambda _, skill: f"{skill.name}({_quoted(skill)})"), "python")


@one_arm
def robot_methods(plan: Sequence[Skill]) -> str:
    rows = _each(plan, lambda _, skill: f"robot.{skill.name}({_quoted(skill)})")
    return fenced(f"robot = Robot()\n{rows}", "python")


@one_arm
def python_function(plan: Sequence[Skill]) -> str:
    rows = _each(plan, lambda _, skill: f"    {skill.name}({_quoted(skill)})")
    return fenced(f"def plan():\n{rows}\n\nplan()", "python")


@one_arm
def python_comments(plan: Sequence[Skill]) -> str:
    rows = _each(
        plan, lambda number, skill: f"{skill.name}({_quoted(skill)})  # {_why(number, plan)}"
    )
    return fenced(rows, "python")


@one_arm
def append_calls(plan: Sequence[Skill]) -> str:
    rows = _each(plan, lambda _, skill: f'plan.append("{skill}")')
    return fenced(f"plan = []\n{rows}", "python")


@one_arm
def python_tuples(plan: Sequence[Skill]) -> str:
    return f"plan = {[(skill.name, *skill.arguments) for skill in plan]!r}"


# One arm: data


@one_arm
def json_texts(plan: Sequence[Skill]) -> str:
    return dumped([str(skill) for skill in plan])


@one_arm
def json_plan_key(plan: Sequence[Skill]) -> str:
    return fenced(dumped({"plan": [str(skill) for skill in plan]}, indent=2), "json")


@one_arm
def json_number_keys(plan: Sequence[Skill]) -> str:
    return dumped({f"step_{number}": str(skill) for number, skill in enumerate(plan, start=1)})


@one_arm
def json_skill_args(plan: Sequence[Skill]) -> str:
    return dumped([{"skill": skill.name, "args": list(skill.arguments)} for skill in plan])


@one_arm
def json_step_action_parameters(plan: Sequence[Skill]) -> str:
    rows = [
        {"step": number, "action": skill.name, "parameters": list(skill.arguments)}
        for number, skill in enumerate(plan, start=1)
    ]
    return fenced(dumped({"plan": rows}, indent=2), "json")


@one_arm
def json_step_and_reason(plan: Sequence[Skill]) -> str:
    rows = [
        {"step": number, "action": str(skill), "reason": _why(number, plan)}
        for number, skill in enumerate(plan, start=1)
    ]
    return dumped(rows)


@one_arm
def json_lists(plan: Sequence[Skill]) -> str:
    return dumped([[skill.name, *skill.arguments] for skill in plan])


@one_arm
def json_lines(plan: Sequence[Skill]) -> str:
    return _each(
        plan, lambda _, skill: dumped({"function": skill.name, "args": list(skill.arguments)})
    )


@one_arm
def json_text_value(plan: Sequence[Skill]) -> str:
    return dumped({"answer": _each(plan, lambda number, skill: f"{number}-{skill}", ", ")})


@one_arm
def openai_tool_calls(plan: Sequence[Skill]) -> str:
    calls = []
    for number, skill in enumerate(plan, start=1):
        given = {f"arg{place}": value for place, value in enumerate(skill.arguments, start=1)}
        function = {"name": skill.name, "arguments": dumped(given)}
        calls.append({"id": f"call_{number}", "type": "function", "function": function})
    return dumped({"role": "assistant", "content": None, "tool_calls": calls})


@one_arm
def qwen_tool_calls(plan: Sequence[Skill]) -> str:
    def call(_: int, skill: Skill) -> str:
        given = {f"arg{place}": value for place, value in enumerate(skill.arguments, start=1)}
        return element("tool_call", f"\n{dumped({'name': skill.name, 'arguments': given})}\n")

    return _each(plan, call)


@one_arm
def yaml_texts(plan: Sequence[Skill]) -> str:
    return "plan:\n" + _each(plan, lambda _, skill: f"  - {skill}")


@one_arm
def yaml_mappings(plan: Sequence[Skill]) -> str:
    rows = _each(
        plan,
        lambda _, skill: f"- skill: {skill.name}\n  args: [{', '.join(skill.arguments)}]",
    )
    return fenced(rows, "yaml")


@one_arm
def xml_steps(plan: Sequence[Skill]) -> str:
    rows = _each(plan, lambda number, skill: element("step", str(skill), n=number))
    return f"<plan>\n{rows}\n</plan>"


@one_arm
def xml_attributes(plan: Sequence[Skill]) -> str:
    rows = _each(
        plan, lambda _, skill: element("step", skill=skill.name, args=", ".join(skill.arguments))
    )
    return f"<plan>\n{rows}\n</plan>"


@one_arm
def csv_rows(plan: Sequence[Skill]) -> str:
    return "step,action\n" + _each(plan, lambda number, skill: f'{number},"{skill}"')


@one_arm
def table_of_calls(plan: Sequence[Skill]) -> str:
    rows = _each(plan, lambda number, skill: f"| {number} | `{skill}` | {_why(number, plan)} |")
    return f"| Step | Action | Reason |\n| --- | --- | --- |\n{rows}"


@one_arm
def table_of_parts(plan: Sequence[Skill]) -> str:
    rows = _each(
        plan, lambda number, skill: f"| {number} | {skill.name} | {', '.join(skill.arguments)} |"
    )
    return f"| Step | Skill | Arguments |\n| --- | --- | --- |\n{rows}"


@one_arm
def html_list(plan: Sequence[Skill]) -> str:
    return element("ol", _each(plan, lambda _, skill: element("li", str(skill)), ""))


@one_arm
def latex_items(plan: Sequence[Skill]) -> str:
    rows = _each(plan, lambda _, skill: r"\item " + str(skill).replace("_", r"\_"))
    return f"\\begin{{enumerate}}\n{rows}\n\\end{{enumerate}}"


# One arm: around the plan


@one_arm
def thinking_before(plan: Sequence[Skill]) -> str:
    return f"<think>Maybe {plan[-1]} first? No.</think>\n{_numbered(plan)}"


@one_arm
def answer_tag(plan: Sequence[Skill]) -> str:
    inner = _each(plan, lambda number, skill: f"{number}-{skill}", ", ")
    return f"The scene shows what is needed.\n{element('answer', inner)}"


@one_arm
def draft_then_final(plan: Sequence[Skill]) -> str:
    draft = _numbered(plan[::-1])
    return f"Draft:\n{draft}\n\nThe order is wrong. Final plan:\n{_numbered(plan)}"


@one_arm
def corrected_behind(plan: Sequence[Skill]) -> str:
    first = _each(plan[-1:], lambda number, skill: f"{number}-{skill}", ", ")
    whole = _each(plan, lambda number, skill: f"{number}-{skill}", ", ")
    return f"{first}\n\nWait, that leaves steps out. The corrected plan is: {whole}"


@one_arm
def plan_then_note(plan: Sequence[Skill]) -> str:
    return f"{_numbered(plan)}\n\nNote: {plan[-1]} alone would not be enough."


@one_arm
def end_token(plan: Sequence[Skill]) -> str:
    return f"{_numbered(plan)}<|im_end|>"


# Two arms, each step with its arm


def _arm_lines(plan: Sequence[Skill], write: Callable[[Skill], str]) -> str:
    return _each(plan, lambda number, skill: f"{number}. {write(skill)}")


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
    rows = _each(plan, lambda _, skill: f"{skill.arm}_arm.{skill.name}({_quoted(skill)})")
    return fenced(rows, "python")


@two_arms
def arm_as_keyword(plan: Sequence[Skill]) -> str:
    def call(_: int, skill: Skill) -> str:
        given = [*(f'"{argument}"' for argument in skill.arguments), f'arm="{skill.arm}"']
        return f"{skill.name}({', '.join(given)})"

    return fenced(_each(plan, call), "python")


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
    rows = _each(plan, lambda number, skill: f"| {number} | {skill.arm} | {skill} |")
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
    rows = _pair_lines(
        plan,
        lambda _, left, right: (
            f"parallel(left.{left.name}({_quoted(left)}), right.{right.name}({_quoted(right)}))"
        ),
    )
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
    return _each(plan, lambda number, skill: f"{number}. {_capital(_said(skill))}.")


@sentences
def sentences_in_a_row(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda _, skill: f"{_capital(_said(skill))}.", " ")


@sentences
def first_then_finally(plan: Sequence[Skill]) -> str:
    def sentence(number: int, skill: Skill) -> str:
        word = "First" if number == 1 else "Then"
        if number == len(plan) > 1:
            word = "Finally"
        return f"{word}, {_said(skill)}."

    return _each(plan, sentence, " ")


@sentences
def robot_should(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"Step {number}: The robot should {_said(skill)}.")


@sentences
def json_sentences(plan: Sequence[Skill]) -> str:
    return dumped({"steps": [_capital(_said(skill)) for skill in plan]})


@sentences
def sentence_then_call(plan: Sequence[Skill]) -> str:
    return _each(plan, lambda number, skill: f"{number}. {_capital(_said(skill))}: `{skill}`")


ROBOBENCH: dict[str, RoboShape] = {**ONE_ARM, **TWO_ARMS, **PAIRS, **SENTENCES}
