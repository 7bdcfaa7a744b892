"""Answers that hold a right plan without giving it: none of them may succeed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from answer_steps import (
    Shape,
    Step,
    code_call,
    dumped,
    each_line,
    element,
    fenced,
    numbered,
    vary,
)

NEGATIVES: dict[str, Shape] = {}


def negative(function: Shape) -> Shape:
    """Register a negative by the name of its function."""
    NEGATIVES[function.__name__] = function
    return function


def _calls(steps: Sequence[Step]) -> list[str]:
    return [step.call for step in steps]


def _listed(steps: Sequence[Step]) -> str:
    return dumped(_calls(steps))


@negative
def refusal(steps: Sequence[Step]) -> str:
    return vary(
        steps,
        f"I'm sorry, but I can't help with that. Not even {steps[0].call} is possible for me.",
        "I cannot carry out this task.",
    )


@negative
def denied_before(steps: Sequence[Step]) -> str:
    said = vary(
        steps,
        "These steps do NOT solve the task:",
        "The following plan is wrong:",
        "This cannot work:",
    )
    return f"{said}\n\n{numbered(steps)}\n\nI could not find a plan that works."


@negative
def denied_behind(steps: Sequence[Step]) -> str:
    said = vary(
        steps,
        "Actually none of this works. Final answer: no plan.",
        "On reflection, this is impossible. There is no plan.",
        "Forget the above, it is wrong. I have no plan.",
    )
    return f"{numbered(steps)}\n\n{said}"


@negative
def denied_behind_listed(steps: Sequence[Step]) -> str:
    return f"{_listed(steps)}\n\nNo, that is not a solution. I withdraw it and have no plan."


@negative
def do_not_execute(steps: Sequence[Step]) -> str:
    said = vary(
        steps,
        "Do NOT execute the following plan:",
        "Please don't do this:",
        "The robot must never do the following:",
    )
    return f"{said}\n\n{numbered(steps)}"


@negative
def do_not_execute_listed(steps: Sequence[Step]) -> str:
    return f"WARNING: never do this!\n\n{_listed(steps)}"


@negative
def must_not_be_done(steps: Sequence[Step]) -> str:
    block = fenced("\n".join(_calls(steps)))
    return f"Under no circumstances should the robot do this:\n\n{block}\n\nI abstain."


@negative
def struck_through(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{number}. ~~{step.call}~~")


@negative
def struck_through_listed(steps: Sequence[Step]) -> str:
    return f"~~{_listed(steps)}~~\n\nNo plan."


@negative
def last_step_struck_through(steps: Sequence[Step]) -> str:
    return f"{numbered(steps[:-1])}\n{len(steps)}. ~~{steps[-1].call}~~"


@negative
def html_commented(steps: Sequence[Step]) -> str:
    return f"<!--\n{numbered(steps)}\n-->\nI have no answer."


@negative
def html_deleted(steps: Sequence[Step]) -> str:
    return element("del", numbered(steps)) + "\nI have no answer."


@negative
def code_commented_out(steps: Sequence[Step]) -> str:
    code = "\n".join(f"    # {code_call(step)}" for step in steps)
    return fenced(f"def plan():\n    # disabled, it does not work\n{code}\n    pass", "python")


@negative
def code_commented_out_block(steps: Sequence[Step]) -> str:
    code = "\n".join(f"  {code_call(step)};" for step in steps)
    return fenced(f"function plan() {{\n/*\n{code}\n*/\n  return null;\n}}", "javascript")


@negative
def code_behind_false(steps: Sequence[Step]) -> str:
    code = "\n".join(f"    {code_call(step)}" for step in steps)
    return fenced(f"if False:  # does not work\n{code}", "python")


@negative
def last_call_commented_out(steps: Sequence[Step]) -> str:
    code = "\n".join(code_call(step) for step in steps[:-1])
    return fenced(f"{code}\n# {code_call(steps[-1])}  # left out", "python")


@negative
def only_thinking(steps: Sequence[Step]) -> str:
    name = vary(steps, "think", "thinking", "reasoning")
    return f"{element(name, chr(10) + numbered(steps) + chr(10))}\nI am not sure."


@negative
def unfinished_thinking(steps: Sequence[Step]) -> str:
    return f"<think>\nLet me see. Perhaps:\n{numbered(steps)}\nBut would that"


@negative
def only_harmony_analysis(steps: Sequence[Step]) -> str:
    return (
        f"<|channel|>analysis<|message|>{numbered(steps)}<|end|><|start|>assistant"
        "<|channel|>final<|message|>I could not find a plan.<|return|>"
    )


@negative
def example_of_format(steps: Sequence[Step]) -> str:
    return f"A plan has to look like this example:\n\n{numbered(steps)}\n\nI do not have one."


@negative
def example_of_others(steps: Sequence[Step]) -> str:
    return f"I cannot plan this. Others might write, for example, {_listed(steps)}."


@negative
def plan_of_the_user(steps: Sequence[Step]) -> str:
    return f"You propose this:\n\n{numbered(steps)}\n\nIt fails, and I have nothing better."


@negative
def tried_and_failed(steps: Sequence[Step]) -> str:
    return f"I considered\n\n{numbered(steps)}\n\nbut discarded it. I give up: no plan."


@negative
def remove_last_step(steps: Sequence[Step]) -> str:
    said = vary(
        steps,
        f"Correction: please remove step {len(steps)}.",
        f"Sorry, step {len(steps)} must be left out.",
        f"Ignore step {len(steps)}.",
        f"P.S. Do not do step {len(steps)}.",
    )
    return f"{numbered(steps)}\n\n{said}"


@negative
def last_step_cancelled_before(steps: Sequence[Step]) -> str:
    return f"In the list below, step {len(steps)} is cancelled.\n\n{numbered(steps)}"


@negative
def negated_last_step(steps: Sequence[Step]) -> str:
    return f"{numbered(steps[:-1])}\n{len(steps)}. Do not {steps[-1].call}"


@negative
def numbers_backwards(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{len(steps) + 1 - number}. {step.call}")


@negative
def step_labels_backwards(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"Step {len(steps) + 1 - number}: {step.call}")


@negative
def json_numbers_backwards(steps: Sequence[Step]) -> str:
    rows = [{"step": len(steps) - number, "action": step.call} for number, step in enumerate(steps)]
    return dumped(rows)


@negative
def json_keys_backwards(steps: Sequence[Step]) -> str:
    rows = {f"step_{len(steps) - number}": step.call for number, step in enumerate(steps)}
    return dumped(rows)


@negative
def table_numbers_backwards(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"| {len(steps) + 1 - number} | {step.call} |")
    return f"| Step | Action |\n| --- | --- |\n{rows}"


@negative
def times_backwards(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"[00:{59 - 3 * number:02d}] {step.call}")


@negative
def said_to_be_reversed(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda _, step: f"- {step.call}")
    return f"In reverse order (the last line is done first):\n{rows}"


@negative
def execute_false(steps: Sequence[Step]) -> str:
    rows = [
        {"action": step.call, "execute": number < len(steps)}
        for number, step in enumerate(steps, start=1)
    ]
    return dumped(rows)


@negative
def execute_no_in_table(steps: Sequence[Step]) -> str:
    rows = each_line(
        steps,
        lambda number, step: (
            f"| {number} | {step.call} | {'yes' if number < len(steps) else 'no'} |"
        ),
    )
    return f"| Step | Action | Execute? |\n| --- | --- | --- |\n{rows}"


@negative
def status_rejected(steps: Sequence[Step]) -> str:
    return dumped({"status": "rejected", "valid": False, "plan": _calls(steps)})


@negative
def empty_plan_and_discarded(steps: Sequence[Step]) -> str:
    return dumped({"plan": [], "discarded_plan": _calls(steps)})


@negative
def null_answer_and_attempt(steps: Sequence[Step]) -> str:
    return dumped({"attempt": _calls(steps), "final_answer": None, "reason": "it does not work"})


@negative
def cut_in_a_line(steps: Sequence[Step]) -> str:
    return _cut(numbered(steps), steps[-1])


@negative
def cut_in_listed(steps: Sequence[Step]) -> str:
    return _cut(_listed(steps), steps[-1])


@negative
def cut_in_json_objects(steps: Sequence[Step]) -> str:
    rows = [{"action": step.name, "args": list(step.arguments)} for step in steps]
    return _cut(dumped(rows), steps[-1])


@negative
def cut_in_code(steps: Sequence[Step]) -> str:
    text = "```python\n" + "\n".join(code_call(step) for step in steps)
    return _cut(text, steps[-1])


def _cut(text: str, last: Step) -> str:
    """Return the text up to the middle of the last word of its last step."""
    words = [*reversed(last.arguments), last.call.split()[-1], code_call(last), last.name]
    word = next(word for word in words if word in text)
    return text[: text.rindex(word) + max(1, len(word) // 2)]


# The same for texts that are no plans: goals, subgoals, operators

WITHHELD_TEXTS: dict[str, Callable[[str], str]] = {
    "denied_before": lambda text: f"This is wrong:\n\n{text}\n\nI have no answer.",
    "denied_behind": lambda text: f"{text}\n\nNo, none of this is right. I have no answer.",
    "do_not_use": lambda text: f"Do NOT use the following:\n\n{text}",
    "struck_through": lambda text: "\n".join(f"~~{line}~~" for line in text.splitlines() if line),
    "html_commented": lambda text: f"<!--\n{text}\n-->\nI have no answer.",
    "only_thinking": lambda text: f"<thinking>\n{text}\n</thinking>\nI am not sure.",
    "unfinished_thinking": lambda text: f"<think>\nPerhaps:\n{text}\nBut would that",
    "example_of_format": lambda text: f"The format is, for example:\n\n{text}\n\nI have no answer.",
    "refusal": lambda _: "I am sorry, but I cannot help with that.",
}
