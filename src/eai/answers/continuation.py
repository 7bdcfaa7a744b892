"""Whether steps carry on the plan before them, or begin another one.

Candidates are never joined unless they visibly go on: by their numbers, by headings of parts, by
words such as "Then:", or because nothing but blank lines stands between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from eai.answers.candidate_plan import Plan
from eai.answers.choice import is_rejected
from eai.answers.items import Step
from eai.answers.parts import are_parts, part_of

_GOES_ON = re.compile(
    r"\W*(?:and )?(?:then|next|after (?:that|this)|afterwards|finally|(?:to )?continue|continuing"
    r"|(?:second|third|last|next) (?:part|half|phase)|(?:part|phase) [2-9])\b",
    re.IGNORECASE,
)
"""A heading of what goes on with the steps before it."""


@dataclass(slots=True)
class Between:
    """Everything between the current plan and the steps that are read next.

    Args:
        words: The words that frame what follows: headings and sentences.
        is_parted: Whether a rule or a fence stands between them.
        is_adjacent: Whether no line stands between them.
        is_extended: Whether ``plan.append(`` stands before the steps.
        is_broken: Whether words end the plan, or begin an explanation.
        is_closed: Whether a block that is marked as a plan is over.
    """

    words: list[str] = field(default_factory=list)
    is_parted: bool = False
    is_adjacent: bool = False
    is_extended: bool = False
    is_broken: bool = False
    is_closed: bool = False

    @property
    def last_words(self) -> str:
        """The words right before what follows; empty if there are none."""
        return self.words[-1] if self.words else ""


def carries_on(
    current: Plan | None,
    steps: Sequence[Step],
    between: Between,
    *,
    as_value: bool,
    heading: str = "",
) -> bool:
    """Decide whether steps carry on a plan; let its next part begin if they do so.

    The rules go from the surest sign to the weakest: a next part, numbers, what broke the plan,
    and only then what stands between the plan and the steps.

    Args:
        current: The plan; None if there is none.
        steps: The steps of a line or of a value.
        between: Everything between the plan and the steps.
        as_value: Whether they are a value, such as ``["walk(door)"]``.
        heading: The words above them; by default the last words that frame what follows.
    """
    if current is None or not current.items:
        return False
    step = steps[0]
    heading = heading or between.last_words
    is_next_section = step.number == 1 and step.section == current.items[-1].section + 1 > 1
    if is_next_section or (
        heading != "" and _is_next_part(current, steps, heading, as_value=as_value)
    ):
        current.forget_numbers()
        between.is_broken = False
        return True
    if step.number is not None and step.number in current.numbers:
        return _may_repeat_number(current, step, between)
    if _begins_other_list(current, step, between):
        return False
    is_next = step.number is not None and step.number == current.last_number + 1
    if (between.is_broken or between.is_closed) and not is_next:
        return False
    is_line_below = not between.is_parted and not as_value
    if is_line_below or between.is_extended:
        return True
    if _GOES_ON.match(between.last_words) and not is_rejected(between.last_words):
        # "Then:" goes on, unless the plan is told again from its first step.
        return not step.says_same(current.items[0])
    return is_next or _continues_layout(current, steps, between, as_value=as_value)


def _may_repeat_number(current: Plan, step: Step, between: Between) -> bool:
    """Return whether a step carries on a plan in which another step has its number.

    Two arms may act at a time: ``3. left: grasp(tray)``, ``3. right: grasp(tray)``. And
    Markdown allows a list in which every line has the same number, ``1.``.
    """
    if step.actor != "" and step.number == current.items[-1].number:
        return True
    return len(current.numbers) == 1 and between.is_adjacent


def _begins_other_list(current: Plan, step: Step, between: Between) -> bool:
    """Return whether only one of a plan and a step is numbered, so that they are two lists."""
    if step.number is not None:
        # ``3. open(door)`` behind two steps without numbers goes on.
        return not current.numbers and step.number != len(current.items) + 1
    if not between.words or not current.numbered == len(current.items) > 1:
        return False
    # Bullets that are deeper than a numbered list belong to it, whatever words are between.
    indent = int(step.place.partition(" ")[0] or 0)
    return indent <= current.indent


def _continues_layout(
    current: Plan, steps: Sequence[Step], between: Between, *, as_value: bool
) -> bool:
    """Return whether steps behind a rule or a fence are laid out like the plan before it."""
    is_alike = as_value == current.ends_with_value
    has_single_steps = current.regions == len(current.items)
    if is_alike and has_single_steps and are_at_a_time(steps):
        return True  # each step stands in a fence or a value of its own
    # A heading in words, "1. Walk to the door", and what it means in a fence below it.
    is_below_heading = between.is_parted and current.items[-1].form == "heading"
    if not is_below_heading or len(steps) != 1:
        return False
    return says_less_or_same(current.items[-1], steps[0])


def _is_next_part(current: Plan, steps: Sequence[Step], heading: str, *, as_value: bool) -> bool:
    """Whether a heading makes steps the next part of a plan, though their numbers begin anew.

    ``## Phase 2`` does behind ``## Phase 1``. Other headings of the same rank do for lists of
    lines, if neither says anything about what stands below it.
    """
    above, below = current.heading, heading
    is_other_arm = steps[0].actor != current.items[-1].actor
    if not above or is_other_arm or steps[0].says_same(current.items[0]):
        return False
    is_listed = steps[0].number == 1 and bool(current.numbers) and not as_value
    return (is_listed or part_of(below) > 0) and are_parts(above, below)


def are_at_a_time(steps: Sequence[Step]) -> bool:
    """Whether steps are one, or those of several arms at a time."""
    actors = [step.actor for step in steps]
    return len(steps) == 1 or ("" not in actors and len(set(actors)) == len(actors))


def says_less_or_same(step: Step, again: Step) -> bool:
    """Whether one of two steps says what the other says, perhaps without its objects."""
    if step.name != again.name:
        return False
    return step.says_same(again) or not step.arguments or not again.arguments
