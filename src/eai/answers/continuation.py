"""Whether steps carry on the plan before them, or begin another one.

Candidates are never joined unless they visibly go on: by their numbers, by headings of parts, by
words such as "Then:", or because nothing but blank lines stands between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eai.answers.choice import is_rejected, leads_to_plan, was_proposed_before
from eai.answers.parts import are_parts, number_of_part

if TYPE_CHECKING:
    # Goals are put together by the same rules, and need no plan.
    from eai.answers.candidate_plan import Plan
    from eai.answers.items import Step

_GOES_ON = re.compile(
    r"\W*(?:and )?(?:then|next|after (?:that|this)|afterwards|finally|(?:to )?continue|continuing"
    r"|(?:second|third|last|next) (?:part|half|phase)|(?:part|phase) [2-9])\b",
    re.IGNORECASE,
)
"""A heading above more steps of the same plan."""


_AGAIN = re.compile(
    r"\W*(?:(?:and|now|do (?:it|this|so|the same)) ){0,3}(?:again|once more|repeat)\b"
    r"|.{0,40}\b(?:second|third|fourth|next|last|other) (?:time|round|trip|lap|run)\b",
    re.IGNORECASE,
)
"""Words above steps that are really taken twice."""


def goes_on(heading: str) -> bool:
    """Whether the words above steps say that they go on, or are taken once more."""
    if _GOES_ON.match(heading) or number_of_part(heading) > 0:
        return not is_rejected(heading)
    return _AGAIN.match(heading) is not None


_LEADS_FURTHER = re.compile(
    r"\W*(?:after|afterwards|also|and|at|back|before|behind|continu\w+|done|finally|first|for|from|go"
    r"|good|having|in|inside|last|lastly|near|next|now|ok|okay|once|on to|second|step|then|third"
    r"|upon|when|while|with)\b(?!.*\b(?:this|instead)\b)"
    r"|.*\b(?:now|next|then|finally|further|continue|remain\w*|the rest|other half|so far)\b"
    r"|.*\b(?:is|are|has|have)(?: been)? (?!(?:wrong|not|still|missing|too)\b)(?:\w+ed|made|done"
    r"|open|shut|ready|reached|there|here|free|on|off|in hand|clean|met|set)\b",
    re.IGNORECASE,
)
"""Words between two lists without numbers by which the second one goes on where the first ends."""


def lead_further(sentences: Sequence[str]) -> bool:
    """Whether the words between two lists say that a plan goes on: "Now the light is on."."""
    return any(goes_on(sentence) or _LEADS_FURTHER.match(sentence) for sentence in sentences)


@dataclass(slots=True)
class Between:
    """The text between the current plan and the steps that are read next.

    Args:
        words: Headings and sentences.
        is_parted: Whether there is a rule, or the begin or end of a fence.
        is_adjacent: Whether there is no line at all.
        is_extended: Whether ``plan.append(`` stands before the steps.
        is_broken: Whether words end the plan, or begin an explanation.
        is_closed: Whether a block that is marked as a plan ends.
    """

    words: list[str] = field(default_factory=list)
    is_parted: bool = False
    is_adjacent: bool = False
    is_extended: bool = False
    is_broken: bool = False
    is_closed: bool = False

    @property
    def last_words(self) -> str:
        """The last heading or sentence; empty if there is none."""
        return self.words[-1] if self.words else ""


def carries_on(
    current: Plan | None,
    steps: Sequence[Step],
    between: Between,
    *,
    as_value: bool,
    heading: str = "",
) -> bool:
    """Decide whether steps belong to the plan before them, or begin another one.

    The rules go from the surest sign to the weakest: the next part of a plan, numbers, words that
    end the plan, and last the layout. If the steps begin the next part of the plan, its numbers may
    start again from 1.

    Args:
        current: The plan before the steps; None if there is none.
        steps: The steps of a line or a value.
        between: The text between the plan and the steps.
        as_value: Whether the steps are a value, such as ``["walk(door)"]``.
        heading: The words above the steps; by default the last words of ``between``.
    """
    if current is None or not current.items:
        return False
    step = steps[0]
    if _is_next_part(current, steps, heading or between.last_words, as_value=as_value):
        current.forget_numbers()
        between.is_broken = False
        return True
    if step.number is not None and step.number in current.numbers:
        return _may_repeat_number(current, step, between)
    if _begins_other_list(current, step, between) or _ends_before(current, step, between):
        return False
    if between.is_extended or not (between.is_parted or as_value):
        return True  # nothing but lines stand between them
    if _GOES_ON.match(between.last_words) and not is_rejected(between.last_words):
        # "Then:" goes on, unless the plan is told again from its first step.
        return not step.says_same(current.items[0])
    return _is_next_number(current, step) or _continues_layout(
        current, steps, between, as_value=as_value
    )


def _is_next_number(current: Plan, step: Step) -> bool:
    """Whether a step has the number behind the last one of a plan."""
    return step.number is not None and step.number == current.last_number + 1


def _ends_before(current: Plan, step: Step, between: Between) -> bool:
    """Whether words or the end of a block end a plan; only a step with the next number goes on."""
    is_ended = between.is_broken or between.is_closed
    if is_ended and not _is_next_number(current, step):
        return True
    lead_in = between.last_words
    if goes_on(lead_in):
        return False
    # "Earlier I wrote:" stands above a plan that was only proposed.
    if lead_in.rstrip("*_ ").endswith(":") and was_proposed_before(current.heading):
        return True
    # "To be executed:" and the first step of the plan once more.
    is_other = lead_in.strip() != current.heading.strip()
    return is_other and leads_to_plan(lead_in) and step.says_same(current.items[0])


def _may_repeat_number(current: Plan, step: Step, between: Between) -> bool:
    """Whether a step belongs to a plan, although another step of the plan has its number.

    Two arms act at the same time: ``3. left: grasp(tray)``, ``3. right: grasp(tray)``. And a list
    in Markdown may have the number 1 before every line.
    """
    if step.actor != "" and step.number == current.items[-1].number:
        return True
    return len(current.numbers) == 1 and between.is_adjacent


def _begins_other_list(current: Plan, step: Step, between: Between) -> bool:
    """Whether a step begins another list, because only the plan or only the step is numbered.

    A call below a heading is none of the sentences above it, "The robot walks to the hall.".
    """
    if between.words and step.form == "call" and current.items[-1].is_narrated:
        return True
    if step.number is not None:
        # ``3. open(door)`` below two steps without numbers goes on.
        return not current.numbers and step.number != len(current.items) + 1
    if not current.numbered == len(current.items) > 1:
        return False
    # Behind a blank line, a step that a numbered plan has already is only named again.
    if not (between.words or (not between.is_adjacent and current.has_step(step))):
        return False
    # Bullets that are indented more than a numbered list belong to it.
    indent = int(step.place.partition(" ")[0] or 0)
    return indent <= current.indent


def _continues_layout(
    current: Plan, steps: Sequence[Step], between: Between, *, as_value: bool
) -> bool:
    """Whether steps behind a rule or a fence are laid out like the plan before them."""
    is_alike = as_value == current.ends_with_value
    is_plan_of_single_steps = current.regions == len(current.items)
    if is_alike and is_plan_of_single_steps and are_at_a_time(steps):
        return True  # each step stands in a fence or a value of its own
    # Above a fence stands its step in words: "1. Walk to the door".
    is_below_heading = between.is_parted and current.items[-1].form == "heading"
    if not is_below_heading or len(steps) != 1:
        return False
    return says_less_or_same(current.items[-1], steps[0])


def _is_next_part(current: Plan, steps: Sequence[Step], heading: str, *, as_value: bool) -> bool:
    """Whether steps are the next part of a plan, although their numbers begin anew.

    They are if the number 2.1 follows 1.4, or if their heading follows that of the part before, as
    ``## Phase 2`` does ``## Phase 1``. Other headings of the same rank separate parts of a numbered
    list only if they do not say what kind of thing stands below them.
    """
    first_step = steps[0]
    last_step = current.items[-1]
    if first_step.number == 1 and first_step.section == last_step.section + 1 > 1:
        return True
    if not heading or not current.heading:
        return False
    if first_step.actor != last_step.actor:
        return False
    # The second phase may begin where the first one did, at the same place.
    is_numbered_part = 0 < number_of_part(current.heading) < number_of_part(heading)
    if first_step.says_same(current.items[0]) and not is_numbered_part:
        return False  # the plan is told again
    is_numbered_list = first_step.number == 1 and bool(current.numbers) and not as_value
    return (is_numbered_list or number_of_part(heading) > 0) and are_parts(current.heading, heading)


def are_at_a_time(steps: Sequence[Step]) -> bool:
    """Whether steps may be taken at the same time: a single one, or one of each of several arms."""
    actors = {step.actor for step in steps}
    return len(steps) == 1 or ("" not in actors and len(actors) == len(steps))


def says_less_or_same(step: Step, other: Step) -> bool:
    """Whether two steps have the same action and objects; either may leave out the objects."""
    if step.name != other.name:
        return False
    return step.says_same(other) or not step.arguments or not other.arguments
