"""Words before and behind a plan that name its goal: "To read the book, follow these steps:".

A goal is named in the words of a step which the plan has. Such words are a step more only if they
are written like the steps around them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from eai.answers.candidate_plan import Plan
from eai.answers.choice import is_final
from eai.answers.items import Step, is_same_step
from eai.answers.plan import ACTION_KEYS, shorten, words_of
from eai.text import line_around, line_start

_MIN_STEPS = 3
"""Number of steps with the goal, below which nothing tells the goal from a step."""
_MAX_STEPS = 200
"""Number of steps above which a plan is not searched for its goal, which takes quadratic time."""
_SPEAKS_OF_GOAL = re.compile(
    r"^\W*(?:(?:in order )?to (?!(?:begin|start|continue|finish|conclude|end|complete)\b)|how to\b"
    r"|for (?:the|your|this)\b|(?:with|by|after|following) (?:following )?(?:all )?(?:this|these"
    r"|the (?:plan|steps))\b|once (?:the |this |all |you |it |the robot )|this (?:allows?|lets?"
    r"|enables?|ensures?|way|plan|will)\b|these (?:steps|actions)\b|enjoy\b|remember to\b"
    r"|make sure\b|now,? (?:the robot|you|it|i|we) (?:can|is|are)\b)"
    r"|\b(?:task|goal|aim|objective|mission|title|scene|subject|purpose|topic|plan|these steps"
    r"|how to|let['\u2019]s|can|able|wants?|wanted|asked|easy|helps?|allows?|result|hope)\b",
    re.IGNORECASE,
)
"""Words of a sentence that says what a plan is for, or what came of it."""
_IN_ORDER = re.compile(
    r"\W*(?:and |but )?(?:then|next|finally|lastly|after(?:wards| that)?)\b",
    re.IGNORECASE,
)
"""Words before one more step."""
_MAX_LINE = 2_000
_SENTENCE_END = re.compile(r"[.!?:][*_]{0,2}([ ]+)(?=[*_]{0,2}[A-Z])")
_BEFORE_PLAN = re.compile(
    r"\W*(?:(?:okay|ok|sure|certainly|alright)\W+)?(?:"
    r"(?:(?:in order )?to|for) [^,:]{1,80}, [^:]{1,60}:$"
    r"|(?:here is |here's |this is )?how to [^:]{1,80}:$"
    r"|(?:the |my |our )?(?:goal|task|objective|aim|mission|purpose|title|scene|subject)\b"
    r"[^:.]{0,40}(?:\bis\b|:)"
    r"|i (?:can|will|'ll) (?:help|read|do)\b|(?:the )?(?:robot|agent|user|i|we) wants?\b"
    r"|(?:this|the following|these) (?:plan|steps?|sequence|actions)\b|you (?:asked|want)"
    r"|let['\u2019]s (?:get|make|have|help)\b|before (?:the robot|i|you|we|it) can\b"
    r"|in this (?:plan|scene|story|task)\b)",
    re.IGNORECASE,
)
"""A sentence before a plan that says what it is for."""
_LABEL = re.compile(r"\W*(?:the |my |our )?\w+[*_]{0,2}:[*_]{0,2} ", re.IGNORECASE)
_BEHIND_PLAN = re.compile(
    r"\W*(?:(?:after|with|by|following|through) (?:following )?(?:all )?(?:this|these|the) "
    r"(?:plan|steps?|sequence|actions)\b|this (?:allows?|lets?|enables?|ensures?|way)\b"
    r"|i hope\b|(?:the|as a) result\b|(?:the )?(?:robot|agent) is (?:now )?\w+ing\b"
    r"|now,? (?:the robot|you|it|i|we) (?:can|is|are)\b|remember to\b|enjoy\b)",
    re.IGNORECASE,
)
"""A sentence behind a plan that says what came of it."""
_ABOUT_GOAL = re.compile(
    r"\b(?:to|for|how|goal|task|objective|aim|mission|purpose|title|scene|subject|i|robot|agent|you"
    r"|this|these|the|let|before|after|with|by|now|remember|enjoy|result)\b",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?:]\s")


def gaps_at_goals(line: str) -> list[tuple[int, int]]:
    """Return begin and end of the blanks that part a sentence about the goal from those beside it.

    Args:
        line: A line. Only its first sentence, or one behind others, can be about the goal.
    """
    if len(line) > _MAX_LINE or _ABOUT_GOAL.search(line) is None:
        return []
    ends = [(end.start(1), end.end(1)) for end in _SENTENCE_END.finditer(line)]
    starts = [0, *(end for _, end in ends)]
    is_goal = [start > 0 and _BEHIND_PLAN.match(line, start) is not None for start in starts]
    # Behind a sentence about what came of the steps so far, the plan may go on.
    gaps = [gap for gap, sides in zip(ends, pairwise(is_goal), strict=True) if any(sides)]
    # The colon behind a label, "Goal:", ends no sentence.
    ends = ends[1:] if _LABEL.match(line) else ends
    if ends and _BEFORE_PLAN.match(line[: ends[0][0]]) is not None and ends[0] not in gaps:
        gaps.insert(0, ends[0])
    return gaps


def leave_out_stated_goal(plan: Plan, text: str) -> None:
    """Leave out the first and the last sentence of a plan if they only name its goal; note them.

    Args:
        plan: A plan, whose steps are changed.
        text: The answer.
    """
    # In a plan of two steps, either may be the goal of the other.
    if not _MIN_STEPS <= len(plan.items) <= _MAX_STEPS:
        return
    first, *others = _parted_by_lines(plan.items, text)
    if others and _names_goal(first, others, text):
        _leave_out(plan, first, text)
    else:
        _leave_out_sentence(plan, text, is_first=True)
    *others, last = _parted_by_lines(plan.items, text)
    if others and _names_goal(last, others[::-1], text):
        _leave_out(plan, last, text)
    else:
        _leave_out_sentence(plan, text, is_first=False)


def is_goal_behind_list(text: str, steps: Sequence[Step], plan: Plan) -> bool:
    """Whether a line behind a list with numbers, bullets or calls says its steps again.

    Args:
        text: The line.
        steps: The steps of the line.
        plan: The plan above it.
    """
    if not _MIN_STEPS - 1 <= len(plan.items) <= _MAX_STEPS or _begins_step(text):
        return False
    # A list of bullets behind the plan tells it once more, perhaps without its mistakes.
    if steps[0].place.partition(" ")[2]:
        return False
    are_words = all(step.form == "words" and step.number is None for step in steps)
    if not are_words or not _is_other_layout(steps[0], plan.items):
        return False
    return _are_told(steps, plan.items)


def _begins_step(line: str) -> bool:
    """Whether a line begins as one more step does, "Then walk", "Action:", or as a final plan."""
    label, colon, _ = line.partition(":")
    is_action = colon != "" and not ACTION_KEYS.isdisjoint(words_of(label))
    return is_action or _IN_ORDER.match(line) is not None or is_final(label)


def _parted_by_lines(steps: Sequence[Step], text: str) -> list[list[Step]]:
    """Return steps in lists, one for each line."""
    lines: list[list[Step]] = [[steps[0]]]
    for step_before, step in pairwise(steps):
        if "\n" in text[step_before.at : step.at]:
            lines.append([])
        lines[-1].append(step)
    return lines


def _names_goal(line: Sequence[Step], others: Sequence[Sequence[Step]], text: str) -> bool:
    """Whether a line at an end of a plan only names its goal.

    Args:
        line: The steps of the line.
        others: The steps of the other lines; the line next to it comes first.
        text: The answer.
    """
    other_steps = [step for other in others for step in other]
    if not all(step.form in ("words", "heading") and step.number is None for step in line):
        return False
    if len(other_steps) < _MIN_STEPS - 1 or not _are_told(line, other_steps):
        return False
    if _is_other_layout(line[0], other_steps):
        return not _begins_step(_line_of(line[0], text))
    words = _line_of(line[0], text)
    if _begins_step(words) or not _SPEAKS_OF_GOAL.search(words):
        return False
    # A goal stands apart from steps that stand together.
    is_apart = _is_parted(line, others[0], text) or line[0].form == "heading"
    are_together = not any(_is_parted(*neighbours, text) for neighbours in pairwise(others))
    return is_apart and are_together


def _are_told(steps: Sequence[Step], others: Sequence[Step]) -> bool:
    """Whether others have all of some steps."""
    return all(any(is_same_step(step, other) for other in others) for step in steps)


def _is_other_layout(step: Step, others: Sequence[Step]) -> bool:
    """Whether a step in words stands beside items with numbers or bullets, or beside calls."""
    if all(other.number is not None for other in others):
        return True
    if all(other.form not in ("words", "heading") for other in others):
        return True
    # Items of one list begin with the same bullet.
    bullets = {other.place.partition(" ")[2] for other in others}
    return len(bullets) == 1 and bullets not in ({""}, {step.place.partition(" ")[2]})


def _is_parted(steps: Sequence[Step], others: Sequence[Step], text: str) -> bool:
    """Whether a blank line stands between the steps of two lines."""
    first, last = sorted((steps[0].at, others[0].at))
    return re.search(r"\n[ \t]*\n", text[first:last]) is not None


def _line_of(step: Step, text: str) -> str:
    """Return the line of a step."""
    begin, end = line_around(text, step.at)
    return text[begin:end]


def _leave_out_sentence(plan: Plan, text: str, *, is_first: bool) -> None:
    """Leave out the only step of the first or last sentence if that speaks of the goal."""
    step = plan.items[0 if is_first else -1]
    others = plan.items[1:] if is_first else plan.items[:-1]
    if step.form != "words" or step.number is not None or not _are_told([step], others):
        return
    neighbour = others[0 if is_first else -1]
    if is_first:
        # A sentence before its own, "These are the steps. Find the cup.", says nothing of it.
        ends = [end.end() for end in _END.finditer(text, line_start(text, step.at), step.at)]
        begin = ends[-1] if ends else line_start(text, step.at)
        ends = [end.end() for end in _END.finditer(text, step.at, neighbour.at)]
        sentence = text[begin : ends[0]] if ends else ""
    else:
        ends = [end.end() for end in _END.finditer(text, neighbour.at, step.at)]
        sentence = text[ends[-1] : step.at] if ends else ""
    if not sentence or "\n" in sentence or _begins_step(sentence):
        return
    if _SPEAKS_OF_GOAL.search(sentence):
        _leave_out(plan, [step], text)


def _leave_out(plan: Plan, steps: Sequence[Step], text: str) -> None:
    """Leave steps out of a plan, and note it."""
    plan.notes[f"not read: {shorten(_line_of(steps[0], text).strip())}"] = None
    plan.items = [step for step in plan.items if all(step is not other for other in steps)]
