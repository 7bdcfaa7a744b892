"""Answers with two plans, of which one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

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
        "First thoughts:\n\n{o}\n\nThis falls short of the goal. So the answer is:\n\n{c}",
        "A naive attempt would be\n\n{o}\n\nbut it misses something. My actual plan is\n\n{c}",
    ),
    "final_then_draft": (
        "Final plan:\n\n{c}\n\nFor the record, the draft that it replaces:\n\n{o}",
        "Final answer:\n\n{c}\n\nMy earlier draft, which is now obsolete, was:\n\n{o}",
        "Answer:\n\n{c}\n\n(Superseded version, for reference only:)\n\n{o}",
    ),
    "option_a": (
        "Option A:\n\n{c}\n\nOption B:\n\n{o}\n\nFinal decision: Option A.",
        "Plan A:\n\n{c}\n\nPlan B:\n\n{o}\n\nPlan B fails, so I go with Plan A.",
        "Candidate A:\n\n{c}\n\nCandidate B:\n\n{o}\n\nI choose Candidate A.",
    ),
    "option_b": (
        "Option A:\n\n{o}\n\nOption B:\n\n{c}\n\nFinal decision: Option B.",
        "Plan A:\n\n{o}\n\nPlan B:\n\n{c}\n\nPlan A fails, so I go with Plan B.",
        "Candidate A:\n\n{o}\n\nCandidate B:\n\n{c}\n\nI choose Candidate B.",
    ),
    "option_1_said_first": (
        "I recommend Option 1.\n\n**Option 1**\n\n{c}\n\n**Option 2**\n\n{o}",
        "Of the two, use Option 1.\n\n### Option 1\n\n{c}\n\n### Option 2\n\n{o}",
        "The first of these two plans is the one to use.\n\n1st plan:\n\n{c}\n\n2nd plan:\n\n{o}",
    ),
    "plan_and_rejected": (
        "Plan:\n\n{c}\n\nRejected plan:\n\n{o}",
        "Chosen plan:\n\n{c}\n\nDiscarded:\n\n{o}",
        "Accepted plan:\n\n{c}\n\nPlan that I ruled out:\n\n{o}",
    ),
    "rejected_and_plan": (
        "Rejected plan:\n\n{o}\n\nPlan:\n\n{c}",
        "Discarded:\n\n{o}\n\nChosen plan:\n\n{c}",
        "Plan that I ruled out:\n\n{o}\n\nAccepted plan:\n\n{c}",
    ),
    "plan_and_alternative": (
        "Plan:\n\n{c}\n\nAlternative (not recommended):\n\n{o}",
        "My answer:\n\n{c}\n\nAn alternative that I decided against:\n\n{o}",
        "Best plan:\n\n{c}\n\nA weaker alternative, which I do not suggest:\n\n{o}",
    ),
    "example_before": (
        "Example of the format, for another task:\n\n{o}\n\nPlan for this task:\n\n{c}",
        "As in the example\n\n{o}\n\nI write the plan for your task like this:\n\n{c}",
        "The instructions show this example:\n\n{o}\n\nFor the task at hand, the plan is:\n\n{c}",
    ),
    "corrected": (
        "{o}\n\nWait, that is wrong. Corrected plan:\n\n{c}",
        "{o}\n\nHold on, this would fail. The whole plan again, corrected:\n\n{c}",
        "{o}\n\nSorry, I made a mistake above. Here is the fixed plan:\n\n{c}",
        "{o}\n\nActually, scratch that. The right plan is:\n\n{c}",
    ),
    "instead_of": (
        "Instead of\n\n{o}\n\ndo this:\n\n{c}",
        "Rather than the following\n\n{o}\n\nexecute this:\n\n{c}",
        "Do not do\n\n{o}\n\nbut rather\n\n{c}",
    ),
    "headings": (
        "## Draft\n\n{o}\n\n## Final plan\n\n{c}",
        "## First attempt\n\n{o}\n\n## Final answer\n\n{c}",
        "### Initial plan\n\n{o}\n\n### Revised plan\n\n{c}",
    ),
    "headings_final_first": (
        "## Final plan\n\n{c}\n\n## Discarded attempt\n\n{o}",
        "## Answer\n\n{c}\n\n## Earlier attempt (wrong)\n\n{o}",
        "## Solution\n\n{c}\n\n## Appendix: a plan that does not work\n\n{o}",
    ),
    "attempts": (
        "Attempt 1:\n\n{o}\n\nThis fails.\n\nAttempt 2:\n\n{c}\n\nThis works.",
        "Version 1:\n\n{o}\n\nVersion 2 (improved, use this one):\n\n{c}",
        "Try #1\n\n{o}\n\nGoal not reached.\n\nTry #2\n\n{c}\n\nGoal reached.",
    ),
    "previous_plan": (
        "The previous plan was:\n\n{o}\n\nIt failed. The new plan:\n\n{c}",
        "You executed this before:\n\n{o}\n\nSince it did not work, here is a revised plan:\n\n{c}",
        "Last time I answered\n\n{o}\n\nwhich was rejected. My new answer:\n\n{c}",
    ),
    "not_this_behind": (
        "{c}\n\nDo NOT do this instead:\n\n{o}",
        "{c}\n\nThe following would be wrong:\n\n{o}",
        "{c}\n\nNever do the following:\n\n{o}",
    ),
    "not_enough_behind": (
        "Answer:\n\n{c}\n\nNote that this would not be enough:\n\n{o}",
        "Final answer:\n\n{c}\n\nA common mistake is:\n\n{o}",
        "My plan:\n\n{c}\n\nBy contrast, this would fail:\n\n{o}",
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
