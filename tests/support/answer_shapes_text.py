"""Plans as Markdown, and as lines with something before or behind each step."""

# ruff: noqa: RUF001 - letters of other scripts are what is written here

from __future__ import annotations

from collections.abc import Sequence

from answer_steps import (
    Shape,
    Step,
    each_line,
    fenced,
    keyed,
    keys_for,
    reason,
    vary,
)

ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")

TEXT_SHAPES: dict[str, Shape] = {}


def shape(function: Shape) -> Shape:
    """Register a shape by the name of its function."""
    TEXT_SHAPES[function.__name__] = function
    return function


# Markdown


@shape
def table_of_calls(steps: Sequence[Step]) -> str:
    rows = each_line(
        steps, lambda number, step: f"| {number} | `{step.call}` | {reason(number, steps)} |"
    )
    return f"| Step | Action | Reason |\n|:---:|:---|:---|\n{rows}\n\nThat completes the task."


@shape
def table_of_parts(steps: Sequence[Step]) -> str:
    width = max(len(step.arguments) for step in steps)
    titles = ["Step", "Action", *map(str.title, keys_for(width)), "Why"]
    rows = []
    for number, step in enumerate(steps, start=1):
        cells = [*step.arguments, *["-"] * (width - len(step.arguments))]
        rows.append(" | ".join([str(number), step.name, *cells, reason(number, steps)]))
    lines = [" | ".join(titles), " | ".join(["---"] * len(titles)), *rows]
    return "\n".join(f"| {line} |" for line in lines)


@shape
def table_reason_first(steps: Sequence[Step]) -> str:
    rows = each_line(
        steps, lambda number, step: f"| {reason(number, steps)} | {number} | **{step.call}** |"
    )
    return f"| Why | No. | What |\n| --- | --- | --- |\n{rows}"


@shape
def headings_with_parts(steps: Sequence[Step]) -> str:
    def section(number: int, step: Step) -> str:
        rows = [f"### Step {number}", f"- **Action:** {step.name}"]
        rows += [f"- **{key.title()}:** {value}" for key, value in keyed(step).items()]
        rows.append(f"- **Reason:** {reason(number, steps)}\n")
        return "\n".join(rows)

    return each_line(steps, section)


@shape
def headings_with_call(steps: Sequence[Step]) -> str:
    title = vary(steps, "## My plan", "## Solution", "# Task plan")
    sections = each_line(
        steps,
        lambda number, step: (
            f"### {number}.\n"
            f"- Preconditions: everything before is done\n"
            f"- Action: `{step.call}`\n"
            f"- Effects: as described for this action\n"
        ),
    )
    return f"{title}\n\n{sections}"


@shape
def headings_are_steps(steps: Sequence[Step]) -> str:
    return each_line(
        steps, lambda number, step: f"## {number}. {step.call}\n\n{reason(number, steps)}.\n"
    )


@shape
def nested_phases(steps: Sequence[Step]) -> str:
    half = max(1, len(steps) // 2)
    lines = ["1. **Preparation**"]
    lines += [f"   {chr(96 + number)}. {step.call}" for number, step in enumerate(steps[:half], 1)]
    lines.append("2. **Completion**")
    lines += [f"   {chr(96 + number)}. {step.call}" for number, step in enumerate(steps[half:], 1)]
    return "\n".join(lines)


@shape
def nested_numbers(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"   1.{number} {step.call}")
    return f"1. Do the task:\n{rows}"


@shape
def reasons_as_sub_bullets(steps: Sequence[Step]) -> str:
    return each_line(
        steps, lambda number, step: f"{number}. `{step.call}`\n   - {reason(number, steps)}"
    )


@shape
def effects_below_steps(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: (
            f"{number}. {step.call}\n"
            f"   * Precondition: {reason(number, steps)}\n"
            f"   * Effect: the state changes as intended"
        ),
    )


@shape
def checklist_ticked(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda _, step: f"- [x] {step.call}")


@shape
def checklist_open(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"* [ ] **{number}.** {step.call}")
    return f"**To do**\n\n{rows}"


@shape
def check_marks(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda _, step: f"✅ {step.call}")


@shape
def bold_labels(steps: Sequence[Step]) -> str:
    return each_line(
        steps, lambda number, step: f"**Step {number}:** `{step.call}` – {reason(number, steps)}."
    )


@shape
def block_quote(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"> {number}. {step.call}")
    return f"The plan:\n\n{rows}"


@shape
def escaped_markdown(steps: Sequence[Step]) -> str:
    def escaped(number: int, step: Step) -> str:
        call = step.call
        for sign in "_()[]":
            call = call.replace(sign, f"\\{sign}")
        return f"{number}\\. {call}"

    return each_line(steps, escaped)


@shape
def fence_for_each_step(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: f"**Step {number}** ({reason(number, steps)}):\n{fenced(step.call)}\n",
    )


@shape
def rules_between_steps(steps: Sequence[Step]) -> str:
    return "\n\n---\n\n".join(
        f"**{number}** {step.call}" for number, step in enumerate(steps, start=1)
    )


@shape
def bullets_with_dashes(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"• {step.call} — {reason(number, steps)}")


@shape
def plain_fence_with_title(steps: Sequence[Step]) -> str:
    calls = "\n".join(step.call for step in steps)
    return f"Plan ({len(steps)} steps)\n\n{fenced(calls, 'text')}\n\nLet me know how it goes!"


# Lines with something before or behind


@shape
def numbers_in_parentheses(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"({number}) {step.call};")


@shape
def letters(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{chr(96 + number)}) {step.call}")


@shape
def roman_numbers(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{ROMANS[number - 1]}. {step.call}")


@shape
def step_of_total(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"Step {number}/{len(steps)}: {step.call}")


@shape
def numbers_from_zero(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"[{number - 1}] {step.call}")


@shape
def reason_before(steps: Sequence[Step]) -> str:
    return each_line(
        steps, lambda number, step: f"{number}. Because {reason(number, steps)}: {step.call}"
    )


@shape
def reason_behind(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"- {step.call}, because {reason(number, steps)}")


@shape
def reason_on_next_line(steps: Sequence[Step]) -> str:
    return each_line(
        steps, lambda number, step: f"{step.call}\n    Reason: {reason(number, steps)}"
    )


@shape
def clock_times(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"[00:{5 * number:02d}] {step.call}")


@shape
def planner_times(steps: Sequence[Step]) -> str:
    rows = each_line(
        steps,
        lambda number, step: (
            f"{number - 1}.000: ({' '.join((step.name.lower(), *step.arguments))}) [1.000]"
        ),
    )
    return f"{rows}\n; cost = {len(steps)} (unit cost)"


@shape
def durations(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{number}. {step.call} (about {number + 1} s)")


@shape
def confidences(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{number}. {step.call} [{99 - number} %]")


@shape
def log_lines(steps: Sequence[Step]) -> str:
    return each_line(
        steps, lambda number, step: f"2026-01-05 10:00:{number:02d} INFO executor: {step.call}"
    )


@shape
def status_behind(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{number}. {step.call} ... OK")


@shape
def outcome_below(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{number}. {step.call}\n   → result: as expected")


@shape
def added_lines_of_a_diff(steps: Sequence[Step]) -> str:
    rows = "\n".join(f"+{step.call}" for step in steps)
    return fenced(f"--- /dev/null\n+++ b/plan.txt\n@@ -0,0 +1,{len(steps)} @@\n{rows}", "diff")


@shape
def emoji_digits(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{_keycap(number)} {step.call}")


def _keycap(number: int) -> str:
    return "".join(f"{digit}\ufe0f\u20e3" for digit in str(number))


@shape
def emoji_arrows(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda _, step: f"➡️ {step.call}")


@shape
def script_of_virtualhome(steps: Sequence[Step]) -> str:
    def line(_: int, step: Step) -> str:
        objects = []
        for argument in step.arguments:
            name, dot, number = argument.partition(".")
            objects.append(f"<{name}> ({number})" if dot else f"<{name}>")
        return " ".join([f"[{step.name}]", *objects])

    return each_line(steps, line)
