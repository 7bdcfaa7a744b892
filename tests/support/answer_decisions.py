"""Answers with two plans of which one is chosen, and answers that hold a plan but give none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from support.answer_steps import (
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

Decision = Callable[[Sequence[Step], Sequence[Step]], str]
"""Writes the chosen plan and the other one into one answer."""


# Two plans in one answer


def _json(steps: Sequence[Step]) -> str:
    return dumped([step.call for step in steps])


def _bullets(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda _, step: f"- {step.call}")


def _fence(steps: Sequence[Step]) -> str:
    return fenced("\n".join(step.call for step in steps))


def _json_fence(steps: Sequence[Step]) -> str:
    rows = [{"action": step.name, "args": list(step.arguments)} for step in steps]
    return fenced(dumped(rows, indent=1), "json")


def _tag(steps: Sequence[Step]) -> str:
    return element("plan", f"\n{numbered(steps)}\n")


def _table(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"| {number} | {step.call} |")
    return f"| Step | Action |\n| --- | --- |\n{rows}"


FORMS: dict[str, Shape] = {
    "lines": numbered,
    "bullets": _bullets,
    "fence": _fence,
    "json": _json,
    "json_fence": _json_fence,
    "tag": _tag,
    "table": _table,
}

# The wording varies by the plan: {c} is the chosen plan, {o} the other one.
KINDS: dict[str, tuple[str, ...]] = {
    "draft_then_final": (
        "Draft:\n\n{o}\n\nThis draft does not work. Final answer:\n\n{c}",
        "Here is a first draft.\n\n{o}\n\nI see a mistake in it. My final plan:\n\n{c}",
    ),
    "final_then_draft": (
        "Final plan:\n\n{c}\n\nFor the record, the draft that it replaces:\n\n{o}",
        "Final answer:\n\n{c}\n\nMy earlier draft, which is now obsolete, was:\n\n{o}",
    ),
    "option_a": (
        "Option A:\n\n{c}\n\nOption B:\n\n{o}\n\nFinal decision: Option A.",
        "Plan A:\n\n{c}\n\nPlan B:\n\n{o}\n\nPlan B fails, so I go with Plan A.",
    ),
    "option_b": (
        "Option A:\n\n{o}\n\nOption B:\n\n{c}\n\nFinal decision: Option B.",
        "Plan A:\n\n{o}\n\nPlan B:\n\n{c}\n\nPlan A fails, so I go with Plan B.",
    ),
    "option_1_said_first": (
        "I recommend Option 1.\n\n**Option 1**\n\n{c}\n\n**Option 2**\n\n{o}",
        "Of the two, use Option 1.\n\n### Option 1\n\n{c}\n\n### Option 2\n\n{o}",
    ),
    "plan_and_rejected": (
        "Plan:\n\n{c}\n\nRejected plan:\n\n{o}",
        "Chosen plan:\n\n{c}\n\nDiscarded:\n\n{o}",
    ),
    "rejected_and_plan": (
        "Rejected plan:\n\n{o}\n\nPlan:\n\n{c}",
        "Discarded:\n\n{o}\n\nChosen plan:\n\n{c}",
    ),
    "plan_and_alternative": (
        "Plan:\n\n{c}\n\nAlternative (not recommended):\n\n{o}",
        "My answer:\n\n{c}\n\nAn alternative that I decided against:\n\n{o}",
    ),
    "example_before": (
        "Example of the format, for another task:\n\n{o}\n\nPlan for this task:\n\n{c}",
        "As in the example\n\n{o}\n\nI write the plan for your task like this:\n\n{c}",
    ),
    "corrected": (
        "{o}\n\nWait, that is wrong. Corrected plan:\n\n{c}",
        "{o}\n\nHold on, this would fail. The whole plan again, corrected:\n\n{c}",
    ),
    "instead_of": (
        "Instead of\n\n{o}\n\ndo this:\n\n{c}",
        "Rather than the following\n\n{o}\n\nexecute this:\n\n{c}",
    ),
    "headings": (
        "## Draft\n\n{o}\n\n## Final plan\n\n{c}",
        "## First attempt\n\n{o}\n\n## Final answer\n\n{c}",
    ),
    "headings_final_first": (
        "## Final plan\n\n{c}\n\n## Discarded attempt\n\n{o}",
        "## Answer\n\n{c}\n\n## Earlier attempt (wrong)\n\n{o}",
    ),
    "attempts": (
        "Attempt 1:\n\n{o}\n\nThis fails.\n\nAttempt 2:\n\n{c}\n\nThis works.",
        "Version 1:\n\n{o}\n\nVersion 2 (improved, use this one):\n\n{c}",
    ),
    "previous_plan": (
        "The previous plan was:\n\n{o}\n\nIt failed. The new plan:\n\n{c}",
        "You executed this before:\n\n{o}\n\nSince it did not work, here is a revised plan:\n\n{c}",
    ),
    "not_this_behind": (
        "{c}\n\nDo NOT do this instead:\n\n{o}",
        "{c}\n\nThe following would be wrong:\n\n{o}",
    ),
    "not_enough_behind": (
        "Answer:\n\n{c}\n\nNote that this would not be enough:\n\n{o}",
        "Final answer:\n\n{c}\n\nA common mistake is:\n\n{o}",
    ),
}


def _decision(kind: str, form: str) -> Decision:
    def write(chosen: Sequence[Step], other: Sequence[Step]) -> str:
        block = FORMS[form]
        # Both plans together choose the wording, so that it does not tell which is right.
        template = vary([*chosen, *other], *KINDS[kind])
        return template.format(c=block(chosen), o=block(other))

    return write


DECISIONS: dict[str, Decision] = {
    f"{kind}/{form}": _decision(kind, form) for kind, form in product(KINDS, FORMS)
}


def decision(function: Decision) -> Decision:
    """Register a decision by the name of its function."""
    DECISIONS[function.__name__] = function
    return function


def _calls(steps: Sequence[Step]) -> list[str]:
    return [step.call for step in steps]


@decision
def json_draft_final(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return dumped({"draft": _calls(other), "final": _calls(chosen)})


@decision
def json_plan_rejected(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return dumped({"plan": _calls(chosen), "rejected_plan": _calls(other)})


@decision
def json_rejected_plan(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return fenced(dumped({"rejected": _calls(other), "plan": _calls(chosen)}, indent=2), "json")


@decision
def json_plan_alternatives(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return dumped({"plan": _calls(chosen), "alternatives": [_calls(other)]})


@decision
def json_choice(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return dumped({"options": {"A": _calls(chosen), "B": _calls(other)}, "choice": "A"})


@decision
def json_choice_of_the_second(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return dumped({"options": {"A": _calls(other), "B": _calls(chosen)}, "choice": "B"})


@decision
def json_selected_flags(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    candidates = [
        {"plan": _calls(chosen), "selected": True},
        {"plan": _calls(other), "selected": False},
    ]
    return dumped({"candidates": candidates}, indent=1)


@decision
def json_initial_and_revised(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return dumped(
        {
            "initial_plan": _calls(other),
            "critique": "It leaves the goal unmet.",
            "revised_plan": _calls(chosen),
        }
    )


@decision
def json_example_and_answer(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return dumped({"example": _calls(other), "answer": _calls(chosen)})


@decision
def tags_draft_final(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    draft = element("draft", f"\n{numbered(other)}\n")
    return f"{draft}\n{element('final', chr(10) + numbered(chosen) + chr(10))}"


@decision
def tags_answer_then_rejected(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    answer = element("answer", f"\n{numbered(chosen)}\n")
    return f"{answer}\n{element('rejected', chr(10) + numbered(other) + chr(10))}"


@decision
def tag_answer_then_note(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return f"{element('answer', _json(chosen))}\n\nNote: {_json(other)} alone would not do."


@decision
def thinking_then_answer(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return f"{element('think', chr(10) + numbered(other) + chr(10))}\n{numbered(chosen)}"


@decision
def struck_lines_then_plan(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    struck = each_line(other, lambda number, step: f"~~{number}. {step.call}~~")
    return f"{struck}\n\n{numbered(chosen)}"


@decision
def plan_then_struck_lines(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    struck = each_line(other, lambda number, step: f"{number}. ~~{step.call}~~")
    return f"{numbered(chosen)}\n\nWhat I first had in mind:\n\n{struck}"


@decision
def html_deletion(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    old = "".join(element("li", element("del", step.call)) for step in other)
    new = "".join(element("li", element("ins", step.call)) for step in chosen)
    return element("ol", old) + "\n" + element("ol", new)


@decision
def html_comment(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return f"<!-- old version:\n{numbered(other)}\n-->\n{numbered(chosen)}"


@decision
def plan_then_html_comment(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return f"{_json(chosen)}\n<!-- {_json(other)} -->"


@decision
def commented_out_code(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    old = "\n".join(f"# {code_call(step)}" for step in other)
    new = "\n".join(code_call(step) for step in chosen)
    return fenced(f"# old version, fails:\n{old}\n\n{new}", "python")


@decision
def commented_out_block(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    old = "\n".join(f"{code_call(step)};" for step in other)
    new = "\n".join(f"{code_call(step)};" for step in chosen)
    return fenced(f"/*\n{old}\n*/\n{new}", "javascript")


@decision
def diff_minus_plus(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    old = "\n".join(f"-{step.call}" for step in other)
    new = "\n".join(f"+{step.call}" for step in chosen)
    return fenced(
        f"--- a/plan.txt\n+++ b/plan.txt\n@@ -1,{len(other)} +1,{len(chosen)} @@\n{old}\n{new}",
        "diff",
    )


@decision
def code_executes_second(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    code = f"plan_a = {_calls(other)!r}\nplan_b = {_calls(chosen)!r}\nexecute(plan_b)"
    return fenced(code, "python")


@decision
def code_executes_first(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    code = f"plan_a = {_calls(chosen)!r}\nplan_b = {_calls(other)!r}\nexecute(plan_a)"
    return fenced(code, "python")


@decision
def code_assigned_again(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    code = f"plan = {_calls(other)!r}\n# forgets something, so:\nplan = {_calls(chosen)!r}"
    return fenced(code, "python")


@decision
def table_of_two_columns(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    rows = []
    for number in range(max(len(chosen), len(other))):
        left = other[number].call if number < len(other) else ""
        right = chosen[number].call if number < len(chosen) else ""
        rows.append(f"| {number + 1} | {left} | {right} |")
    head = "| Step | Rejected plan | Final plan |\n| --- | --- | --- |\n"
    return head + "\n".join(rows)


@decision
def two_tables_marked(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    return f"**Plan A** ✅ (use this)\n\n{_table(chosen)}\n\n**Plan B** ❌\n\n{_table(other)}"


@decision
def yaml_draft_final(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    old = "\n".join(f"  - {step.call}" for step in other)
    new = "\n".join(f"  - {step.call}" for step in chosen)
    return f"final_plan:\n{new}\ndiscarded_plan:\n{old}"


@decision
def plan_tags_and_evaluation(chosen: Sequence[Step], other: Sequence[Step]) -> str:
    first = element("plan", f"\n{numbered(other)}\n", id=1, valid="false")
    second = element("plan", f"\n{numbered(chosen)}\n", id=2, valid="true")
    return f"{first}\n{second}"


# A right plan that is not the answer. None of them may succeed.

NEGATIVES: dict[str, Shape] = {}


def negative(function: Shape) -> Shape:
    """Register a negative by the name of its function."""
    NEGATIVES[function.__name__] = function
    return function


@negative
def refusal(steps: Sequence[Step]) -> str:
    return vary(
        steps,
        f"I'm sorry, but I can't help with that. Not even {steps[0].call} is possible for me.",
        "I cannot carry out this task.",
    )


@negative
def denied_before(steps: Sequence[Step]) -> str:
    said = vary(steps, "These steps do NOT solve the task:", "The following plan is wrong:")
    return f"{said}\n\n{numbered(steps)}\n\nI could not find a plan that works."


@negative
def denied_behind(steps: Sequence[Step]) -> str:
    said = vary(
        steps,
        "Actually none of this works. Final answer: no plan.",
        "On reflection, this is impossible. There is no plan.",
    )
    return f"{numbered(steps)}\n\n{said}"


@negative
def denied_behind_json(steps: Sequence[Step]) -> str:
    return f"{_json(steps)}\n\nNo, that is not a solution. I withdraw it and have no plan."


@negative
def do_not_execute(steps: Sequence[Step]) -> str:
    return f"Do NOT execute the following plan:\n\n{numbered(steps)}"


@negative
def do_not_execute_json(steps: Sequence[Step]) -> str:
    return f"WARNING: never do this!\n\n{_json(steps)}"


@negative
def must_not_be_done(steps: Sequence[Step]) -> str:
    return f"Under no circumstances should the robot do this:\n\n{_fence(steps)}\n\nI abstain."


@negative
def struck_through(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{number}. ~~{step.call}~~")


@negative
def struck_through_json(steps: Sequence[Step]) -> str:
    return f"~~{_json(steps)}~~\n\nNo plan."


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
    return f"I cannot plan this. Others might write, for example, {_json(steps)}."


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
def cut_in_json(steps: Sequence[Step]) -> str:
    return _cut(_json(steps), steps[-1])


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


def _decided_text(kind: str) -> Callable[[str, str], str]:
    def write(chosen: str, other: str) -> str:
        wordings = KINDS[kind]
        template = wordings[(len(chosen) + len(other)) % len(wordings)]
        for word, replacement in (("plan", "answer"), ("Plan", "Answer"), ("execute", "use")):
            template = template.replace(word, replacement)
        return template.format(c=chosen, o=other)

    return write


DECIDED_TEXTS: dict[str, Callable[[str, str], str]] = {
    kind: _decided_text(kind) for kind in KINDS if kind != "previous_plan"
}

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
