"""Shapes of RoboBench plans for one arm."""

# ruff: noqa: RUF001 - letters of other scripts are what is written here

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from answer_steps import REASONS, dumped, element, fenced


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


def one_arm(function: RoboShape) -> RoboShape:
    """Register a shape for one arm."""
    ONE_ARM[function.__name__] = function
    return function


def each_skill(
    plan: Sequence[Skill], write: Callable[[int, Skill], str], between: str = "\n"
) -> str:
    """Return the steps, each written with its number from 1, with something between them."""
    return between.join(write(number, skill) for number, skill in enumerate(plan, start=1))


def _numbered(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"{number}. {skill}")


def _why(number: int, plan: Sequence[Skill]) -> str:
    return REASONS[(number + len(str(plan[0]))) % len(REASONS)]


def quoted_objects(skill: Skill) -> str:
    """Return arguments as strings of Python."""
    return ", ".join(f'"{argument}"' for argument in skill.arguments)


# One arm: lines


@one_arm
def numbered_lines(plan: Sequence[Skill]) -> str:
    return _numbered(plan)


@one_arm
def bullets(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda _, skill: f"- {skill}")


@one_arm
def step_labels(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"Step {number}: {skill}")


@one_arm
def bold_labels_in_backticks(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"**{number}.** `{skill}`")


@one_arm
def dashes_one_per_line(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"{number}-{skill}")


@one_arm
def semicolons(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda _, skill: str(skill), "; ") + "."


@one_arm
def arrows(plan: Sequence[Skill]) -> str:
    return "Plan: " + each_skill(plan, lambda _, skill: str(skill), " → ")


@one_arm
def reasons_behind(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"{number}. {skill} – {_why(number, plan)}")


@one_arm
def reasons_before(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"{number}. ({_why(number, plan)}) {skill}")


@one_arm
def reasons_below(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"{number}. {skill}\n   - {_why(number, plan)}")


@one_arm
def headings(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"### Step {number}\n- Action: {skill}\n")


@one_arm
def headings_with_parts(plan: Sequence[Skill]) -> str:
    return each_skill(
        plan,
        lambda number, skill: (
            f"### Step {number}\n- Skill: {skill.name}\n- Arguments: {', '.join(skill.arguments)}\n"
        ),
    )


@one_arm
def thought_action(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"Thought: {_why(number, plan)}\nAction: {skill}")


@one_arm
def checklist(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda _, skill: f"- [ ] {skill}")


@one_arm
def clock_times(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"[00:{3 * number:02d}] {skill}")


@one_arm
def emoji_digits(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"{number}\ufe0f\u20e3 {skill}")


@one_arm
def block_quote(plan: Sequence[Skill]) -> str:
    return each_skill(plan, lambda number, skill: f"> {number}) {skill}")


@one_arm
def chinese_labels(plan: Sequence[Skill]) -> str:
    rows = each_skill(plan, lambda number, skill: f"步骤{number}：{skill}")
    return f"好的，计划如下：\n{rows}\n完成。"


@one_arm
def full_width_signs(plan: Sequence[Skill]) -> str:
    wide = str.maketrans("(),", "（），")
    return each_skill(plan, lambda number, skill: f"{number}、{str(skill).translate(wide)}；")


@one_arm
def escaped_underscores(plan: Sequence[Skill]) -> str:
    return _numbered(plan).replace("_", "\\_")


# One arm: names and calls in other forms


@one_arm
def square_brackets(plan: Sequence[Skill]) -> str:
    return each_skill(
        plan, lambda number, skill: f"{number}. {skill.name}[{', '.join(skill.arguments)}]"
    )


@one_arm
def upper_case(plan: Sequence[Skill]) -> str:
    return each_skill(
        plan, lambda number, skill: f"{number}. {skill.name.upper()}({', '.join(skill.arguments)})"
    )


@one_arm
def camel_case(plan: Sequence[Skill]) -> str:
    def line(number: int, skill: Skill) -> str:
        name = skill.name.title().replace("_", "")
        return f"{number}. {name}({', '.join(skill.arguments)})"

    return each_skill(plan, line)


@one_arm
def blanks_in_skills(plan: Sequence[Skill]) -> str:
    def line(number: int, skill: Skill) -> str:
        name = skill.name.replace("_", " ").capitalize()
        return f"{number}. {name} ({', '.join(skill.arguments)})"

    return each_skill(plan, line)


@one_arm
def blanks_in_objects(plan: Sequence[Skill]) -> str:
    def line(number: int, skill: Skill) -> str:
        objects = ", ".join(argument.replace("_", " ") for argument in skill.arguments)
        return f"{number}-{skill.name}({objects})"

    return each_skill(plan, line, ", ")


@one_arm
def quoted_arguments(plan: Sequence[Skill]) -> str:
    return each_skill(
        plan, lambda number, skill: f"{number}. {skill.name}({quoted_objects(skill)})"
    )


@one_arm
def name_then_arguments(plan: Sequence[Skill]) -> str:
    return each_skill(
        plan, lambda number, skill: f"{number}. {skill.name}: {', '.join(skill.arguments)}"
    )


# One arm: code


@one_arm
def python_calls(plan: Sequence[Skill]) -> str:
    return fenced(
        each_skill(plan, lambda _, skill: f"{skill.name}({quoted_objects(skill)})"), "python"
    )


@one_arm
def robot_methods(plan: Sequence[Skill]) -> str:
    rows = each_skill(plan, lambda _, skill: f"robot.{skill.name}({quoted_objects(skill)})")
    return fenced(f"robot = Robot()\n{rows}", "python")


@one_arm
def python_function(plan: Sequence[Skill]) -> str:
    rows = each_skill(plan, lambda _, skill: f"    {skill.name}({quoted_objects(skill)})")
    return fenced(f"def plan():\n{rows}\n\nplan()", "python")


@one_arm
def python_comments(plan: Sequence[Skill]) -> str:
    rows = each_skill(
        plan,
        lambda number, skill: f"{skill.name}({quoted_objects(skill)})  # {_why(number, plan)}",
    )
    return fenced(rows, "python")


@one_arm
def append_calls(plan: Sequence[Skill]) -> str:
    rows = each_skill(plan, lambda _, skill: f'plan.append("{skill}")')
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
    return each_skill(
        plan, lambda _, skill: dumped({"function": skill.name, "args": list(skill.arguments)})
    )


@one_arm
def json_text_value(plan: Sequence[Skill]) -> str:
    return dumped({"answer": each_skill(plan, lambda number, skill: f"{number}-{skill}", ", ")})


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

    return each_skill(plan, call)


@one_arm
def yaml_texts(plan: Sequence[Skill]) -> str:
    return "plan:\n" + each_skill(plan, lambda _, skill: f"  - {skill}")


@one_arm
def yaml_mappings(plan: Sequence[Skill]) -> str:
    rows = each_skill(
        plan,
        lambda _, skill: f"- skill: {skill.name}\n  args: [{', '.join(skill.arguments)}]",
    )
    return fenced(rows, "yaml")


@one_arm
def xml_steps(plan: Sequence[Skill]) -> str:
    rows = each_skill(plan, lambda number, skill: element("step", str(skill), n=number))
    return f"<plan>\n{rows}\n</plan>"


@one_arm
def xml_attributes(plan: Sequence[Skill]) -> str:
    rows = each_skill(
        plan, lambda _, skill: element("step", skill=skill.name, args=", ".join(skill.arguments))
    )
    return f"<plan>\n{rows}\n</plan>"


@one_arm
def csv_rows(plan: Sequence[Skill]) -> str:
    return "step,action\n" + each_skill(plan, lambda number, skill: f'{number},"{skill}"')


@one_arm
def table_of_calls(plan: Sequence[Skill]) -> str:
    rows = each_skill(
        plan, lambda number, skill: f"| {number} | `{skill}` | {_why(number, plan)} |"
    )
    return f"| Step | Action | Reason |\n| --- | --- | --- |\n{rows}"


@one_arm
def table_of_parts(plan: Sequence[Skill]) -> str:
    rows = each_skill(
        plan, lambda number, skill: f"| {number} | {skill.name} | {', '.join(skill.arguments)} |"
    )
    return f"| Step | Skill | Arguments |\n| --- | --- | --- |\n{rows}"


@one_arm
def html_list(plan: Sequence[Skill]) -> str:
    return element("ol", each_skill(plan, lambda _, skill: element("li", str(skill)), ""))


@one_arm
def latex_items(plan: Sequence[Skill]) -> str:
    rows = each_skill(plan, lambda _, skill: r"\item " + str(skill).replace("_", r"\_"))
    return f"\\begin{{enumerate}}\n{rows}\n\\end{{enumerate}}"


# One arm: around the plan


@one_arm
def thinking_before(plan: Sequence[Skill]) -> str:
    return f"<think>Maybe {plan[-1]} first? No.</think>\n{_numbered(plan)}"


@one_arm
def answer_tag(plan: Sequence[Skill]) -> str:
    inner = each_skill(plan, lambda number, skill: f"{number}-{skill}", ", ")
    return f"The scene shows what is needed.\n{element('answer', inner)}"


@one_arm
def draft_then_final(plan: Sequence[Skill]) -> str:
    draft = _numbered(plan[::-1])
    return f"Draft:\n{draft}\n\nThe order is wrong. Final plan:\n{_numbered(plan)}"


@one_arm
def corrected_behind(plan: Sequence[Skill]) -> str:
    first = each_skill(plan[-1:], lambda number, skill: f"{number}-{skill}", ", ")
    whole = each_skill(plan, lambda number, skill: f"{number}-{skill}", ", ")
    return f"{first}\n\nWait, that leaves steps out. The corrected plan is: {whole}"


@one_arm
def plan_then_note(plan: Sequence[Skill]) -> str:
    return f"{_numbered(plan)}\n\nNote: {plan[-1]} alone would not be enough."


@one_arm
def end_token(plan: Sequence[Skill]) -> str:
    return f"{_numbered(plan)}<|im_end|>"
