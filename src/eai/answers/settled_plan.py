"""The steps that a plan really has, once all of it is read.

A line alone does not say whether an unknown name is a step, a heading names the step below it, or a
step is told again. The lines around it do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eai.answers.candidate_plan import Plan
from eai.answers.continuation import says_less_or_same
from eai.answers.items import Step
from eai.answers.surfaces import Surfaces, squeezed
from eai.answers.unclear import is_like_call, leaves_out
from eai.answers.values import Text


def settle(plan: Plan, surfaces: Surfaces | None) -> None:
    """Decide about doubtful steps, steps that are told twice, and their order."""
    _leave_out_mark_of_end(plan)
    # Headings go before steps that are told twice, which would break their turns.
    kept = _without_repetitions(_without_headings(_fitting_steps(plan, surfaces)), surfaces)
    if kept and not any(step.is_known for step in kept):
        # Not one action of the task: only what is nothing but steps is a plan.
        is_plan = surfaces is None or plan.is_formal or len(kept) > 1 or kept[0].form != "words"
        kept = kept if is_plan else []
    if not plan.is_formal:
        kept = _without_names_of_steps(kept)
    if not _are_titles(plan):
        plan.unread += [text for _, text in plan.unclear_lines]
    plan.unread.sort(key=lambda text: text.at)
    if not plan.is_formal and all(map(_is_only_a_verb, kept)):
        kept = []  # "I would first walk over and have a look" is no plan
    plan.items = kept
    plan.is_partial = bool(plan.unread) or any(
        step.is_cut or step.lacks_objects or step.is_loose for step in kept
    )
    plan.is_loose = bool(kept) and all(step.is_loose for step in kept)
    _order(plan)


_MARK_OF_END = re.compile(
    r"\W*(?:(?:step\s?|action\s?)?#?\d{1,4}\W+)?(?:end|stop|done|finish|finished)\b\W*",
    re.IGNORECASE,
)
"""An item that only marks the end of the list: ``6. END``, ``- stop()``."""


def _leave_out_mark_of_end(plan: Plan) -> None:
    """Forget the last doubtful line of a plan if it stands behind all steps and ends the list."""
    if not plan.unclear_lines:
        return
    place, text = plan.unclear_lines[-1]
    if place == len(plan.items) and _MARK_OF_END.fullmatch(text.value):
        plan.unclear_lines.pop()


@dataclass(frozen=True, slots=True)
class _Writing:
    """How the known steps of a plan are written, by which others are told from code and talk.

    Args:
        forms: Their forms; empty if no step is known.
        styles: The styles of those that are calls.
        is_free: Whether the task has no names, so that no step is known.
    """

    forms: frozenset[str]
    styles: frozenset[str]
    is_free: bool

    @classmethod
    def of(cls, steps: Sequence[Step], surfaces: Surfaces | None) -> _Writing:
        """Return how the known ones of some steps are written."""
        known = [step for step in steps if step.is_known]
        styles = (step.style for step in known if step.form == "call")
        return cls(frozenset(step.form for step in known), frozenset(styles), surfaces is None)

    def fits(self, step: Step) -> bool:
        """Whether a step is written like them, and so is one, whatever its name."""
        if step.is_weak and step.arguments and not self.is_free:
            return step.style in self.styles or (not self.styles and step.style == "NAME")
        return step.is_known or not self.forms or step.form in self.forms

    def may_end_plan(self, step: Step) -> bool:
        """Whether a step is more than a call such as ``reset()`` around a plan."""
        is_like_step = bool(step.arguments) or step.style.endswith("NAME")
        return not step.is_weak or (step.style in self.styles and is_like_step)


def _fitting_steps(plan: Plan, surfaces: Surfaces | None) -> list[Step]:
    """Return the steps of a plan without what is code.

    A name that the task does not have, in another form than the steps around it, is left out; if it
    may have been meant as a step, it counts as unread.
    """
    writing = _Writing.of(plan.items, surfaces)
    if writing.forms:
        _leave_out_ends(plan, writing)
    known = [place for place, step in enumerate(plan.items) if step.is_known]
    kept: list[Step] = []
    for place, step in enumerate(plan.items):
        if not writing.fits(step):
            is_amid = bool(known) and known[0] < place < known[-1]
            if _may_be_meant(step, kept, writing, is_amid=is_amid):
                plan.unread.append(Text(str(step.as_read()), step.at, step.at))
            continue
        kept.append(step)
    return kept


def _without_repetitions(steps: Sequence[Step], surfaces: Surfaces | None) -> list[Step]:
    """Return steps without those that tell again, in another form or place, what is above them."""
    kept: list[Step] = []
    for place, step in enumerate(steps):
        # The step before it counts, even if that only told again what was said before.
        before = steps[place - 1]
        is_elsewhere = bool(kept) and (before.form, before.place) != (step.form, step.place)
        if not (is_elsewhere and _tells_again(kept, step, surfaces)):
            kept.append(step)
    return kept


def _leave_out_ends(plan: Plan, writing: _Writing) -> None:
    """Leave out calls such as ``reset()`` before and ``shutdown()`` behind all other steps."""
    ends = [place for place, step in enumerate(plan.items) if writing.may_end_plan(step)]
    if not ends:
        return
    left_out = [*plan.items[: ends[0]], *plan.items[ends[-1] + 1 :]]
    plan.items = plan.items[ends[0] : ends[-1] + 1]
    if left_out:
        plan.notes[f"not read: {', '.join(str(step.as_read()) for step in left_out)}"] = None


def _may_be_meant(step: Step, kept: Sequence[Step], writing: _Writing, *, is_amid: bool) -> bool:
    """Whether a step of an unknown name may belong to the plan around it."""
    is_next = step.number is not None and bool(kept) and kept[-1].number == step.number - 1
    if is_next or (not step.is_weak and step.form in ("script", "words")):
        return True
    is_code = step.is_weak and any("." in style for style in (step.style, *writing.styles))
    return is_amid and (not is_code or step.style.endswith("NAME"))


def _are_titles(plan: Plan) -> bool:
    """Whether the doubtful lines of a plan say in words beside each step what it does."""
    positions = [place for place, _ in plan.unclear_lines]
    count = len(plan.items)
    if count < 2 or any(
        is_like_call(text.value) or leaves_out(text.value) for _, text in plan.unclear_lines
    ):
        return False
    return positions in (list(range(count)), list(range(1, count + 1)))


def _without_names_of_steps(steps: list[Step]) -> list[Step]:
    """Return steps without words such as "Walk" that only name the step beside them."""
    kept: list[Step] = []
    for place, step in enumerate(steps):
        is_bare = step.form == "words" and step.max_objects > 0 and not step.arguments
        beside = [*steps[max(place - 1, 0) : place], *steps[place + 1 : place + 2]]
        if is_bare and any(other.name == step.name and other.arguments for other in beside):
            continue
        kept.append(step)
    return kept


def _without_headings(steps: list[Step]) -> list[Step]:
    """Return steps without headings in words, where each stands above the step that it names.

    A step in bold above another one, ``**find(cup)**`` above ``**pick(cup)**``, is no heading.
    """
    headings, below = steps[::2], steps[1::2]
    are_headings = [step.form == "heading" for step in steps]
    is_in_turns = are_headings == [True, False] * len(below)
    return below if is_in_turns and all(map(_heads, headings, below)) else steps


def _heads(heading: Step, below: Step) -> bool:
    """Whether a heading names the step below it: in EmbodiedBench also as a skill in words.

    "Pick up the Mug" stands above ``pick(Mug)``, of which it is a skill's whole name.
    """
    if says_less_or_same(heading, below):
        return True
    verb, _, rest = heading.name.partition(" ")
    is_skill = bool(rest) and not heading.arguments
    return is_skill and squeezed(verb) == squeezed(below.name.partition(" ")[0])


def _is_only_a_verb(step: Step) -> bool:
    """Whether a step may as well be a verb of a sentence: no object and no number is with it."""
    in_words = step.form == "words" and step.number is None
    return in_words and step.is_known and step.max_objects > 0 and not step.arguments


def _tells_again(kept: list[Step], step: Step, surfaces: Surfaces | None) -> bool:
    """Whether a step says again what the one before says; the fuller one stays."""
    last = kept[-1]
    if squeezed(last.name) != squeezed(step.name) or last.actor != step.actor:
        return False
    if last.says_same(step) or not step.arguments:
        return True
    if not last.arguments or last.lacks_objects:
        step.number = last.number if step.number is None else step.number
        kept[-1] = step
        return True
    # The heading has the objects' names, the line below letters of its own for them.
    known = surfaces.objects if surfaces is not None else {}
    if surfaces is not None and not known:
        return False  # objects are any words
    return any(squeezed(each) not in known for each in step.arguments)


def _order(plan: Plan) -> None:
    """Put steps in the order of their numbers or times, if each has one and they are all there."""
    times = [step.time for step in plan.items if step.time is not None]
    if len(times) == len(plan.items) and len(set(times)) == len(times):
        ordered = sorted(plan.items, key=lambda step: step.time or 0.0)
        if ordered != plan.items:
            plan.items = ordered
            plan.notes["the steps were put in the order of their times"] = None
        return
    numbers = [step.number for step in plan.items]
    if None in numbers or len(set(numbers)) < len(numbers) or len(numbers) < 2:
        return
    ordered = sorted(plan.items, key=lambda step: step.number or 0)
    if ordered == plan.items:
        return
    first = ordered[0].number or 0
    if [step.number for step in ordered] == list(range(first, first + len(ordered))):
        plan.items = ordered
        plan.notes["the steps were put in the order of their numbers"] = None
