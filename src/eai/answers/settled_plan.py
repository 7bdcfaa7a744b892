"""The steps that a plan really has, once all of it is read.

A line alone does not say whether an unknown name is a step, a heading names the step below it, or a
step is told again. The lines around it do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from eai.answers.candidate_plan import Plan
from eai.answers.continuation import says_less_or_same
from eai.answers.items import Step, are_alike, is_same_step, tells_same_step
from eai.answers.plan import shorten, words_of
from eai.answers.sentences import sentence_end
from eai.answers.surfaces import Surfaces, squeezed
from eai.answers.unclear import is_like_call, leaves_out
from eai.answers.values import Text
from eai.text import line_around


def settle_steps(plan: Plan, surfaces: Surfaces | None, text: str) -> None:
    """Decide which lines and values of a plan are its steps, and in which order.

    Code around the steps, headings above them and steps that are told twice are left out. Lines
    that may be steps and are not understood become ``plan.unread``.

    Args:
        plan: A plan with everything that may be one of its steps; it is changed.
        surfaces: The names of the task; None if any name may be that of an action.
        text: The answer.
    """
    _leave_out_mark_of_end(plan)
    if surfaces is not None:
        _leave_out_talk(plan, surfaces, text)
    steps = _steps_meant(plan, surfaces)
    # Lines of titles explain the steps beside them; other unclear lines may be steps.
    if not _are_titles(plan):
        plan.unread += [text for _, text in plan.unclear_lines]
    plan.unread += _unordered_steps(steps, plan.items, text)
    plan.unread.sort(key=lambda text: text.at)
    if not plan.is_formal and all(
        step.is_bare and step.form == "words" and step.number is None and step.is_known
        for step in steps
    ):
        steps = []  # "I would first walk over and have a look" is no plan
    plan.items = steps
    has_unclear_step = any(step.is_cut or step.lacks_objects or step.is_loose for step in steps)
    plan.is_partial = bool(plan.unread) or has_unclear_step
    plan.is_loose = bool(steps) and all(step.is_loose for step in steps)
    _order_steps(plan)


def _unordered_steps(steps: Sequence[Step], told_steps: Sequence[Step], text: str) -> list[Text]:
    """Return the words of steps that leave open which of their objects has which role.

    "Unstack b and c" is sure if the steps that are told, of which some are left out, say it in
    order as well: ``unstack(b, c)``.
    """
    ordered = [told for told in told_steps if not told.is_unordered]
    unordered: list[Text] = []
    for step in steps:
        if step.is_unordered and not any(map(step.says_same, ordered)):
            end = min(line_around(text, step.at)[1], sentence_end(text, step.at))
            unordered.append(Text(text[step.at : end], step.at, end))
    return unordered


def _steps_meant(plan: Plan, surfaces: Surfaces | None) -> list[Step]:
    """Return the steps of a plan without code, headings, and steps that are told twice.

    Args:
        plan: The plan; code that may have been meant as a step is added to its unread texts.
        surfaces: The names of the task; None if any name may be that of an action.
    """
    steps = _without_names_of_steps(_fitting_steps(plan, surfaces))
    # Headings go first: without steps that are told twice they would not alternate with steps.
    steps = _without_explanations(steps, plan)
    steps = _without_headings(steps)
    steps = _without_repetitions(steps, surfaces)
    if plan.is_formal:
        return steps
    is_only_unknown = len(steps) == 1 and not steps[0].is_known and steps[0].form == "words"
    if is_only_unknown and surfaces is not None:
        return []  # words alone may say anything
    return steps


_MARK_OF_END = re.compile(
    r"\W*(?:(?:step\s?|action\s?)?#?\d{1,4}\W+)?(?:end|stop|done|finish|finished)\b\W*",
    re.IGNORECASE,
)
"""An item that only marks the end of the list: ``6. END``, ``- stop()``."""


def _leave_out_mark_of_end(plan: Plan) -> None:
    """Forget the last unclear line of a plan if it is behind all steps and only ends the list."""
    if not plan.unclear_lines:
        return
    steps_before, text = plan.unclear_lines[-1]
    if steps_before == len(plan.items) and _MARK_OF_END.fullmatch(text.value):
        plan.unclear_lines.pop()


_MAX_WORDS_BESIDE = 3
"""Maximum number of words beside the name of an action without objects: "Now go to sleep."."""
_IN_VALUE = re.compile(r".*[\[{\"=]|[-\s]*\w+:\s")
"""Text before a step that stands in a value: ``action: walk``."""


def _leave_out_talk(plan: Plan, surfaces: Surfaces, text: str) -> None:
    """Leave out sentences before and behind a list that only have the verb of an action.

    "Grab a coffee first" above numbered steps and "Watch the magic happen." below them name no
    object of the task, and are written otherwise than the list. Around sentences, they have to name
    nothing at all and to be a paragraph of their own.
    """
    items = [index for index, step in enumerate(plan.items) if _is_item(step)]
    has_list = bool(items)
    if not has_list:
        items = [index for index, step in enumerate(plan.items) if step.arguments]
    if not items or len(items) == len(plan.items):
        return
    first, last = items[0], items[-1]
    last_line = line_around(text, plan.items[last].at)
    item_lines = {line_around(text, plan.items[first].at), last_line}
    talk: set[int] = set()
    for index in (*range(first), *range(last + 1, len(plan.items))):
        step = plan.items[index]
        start, end = line = line_around(text, step.at)
        is_paragraph = text[:start].endswith("\n\n") or text.startswith("\n\n", end)
        if line in item_lines or not (has_list or is_paragraph):
            continue
        is_in_value = _IN_VALUE.match(text[start : step.at]) is not None
        if _is_only_talk(step, surfaces, text[start:end]) and not is_in_value:
            talk.add(index)
            plan.notes[f"not read: {shorten(text[start:end].strip())}"] = None
    plan.items = [step for index, step in enumerate(plan.items) if index not in talk]
    if talk and max(talk) > last:
        # What it says of the plan, "Drop all after step 1", is looked for behind the plan.
        plan.end = min(plan.end, last_line[1])


def _is_item(step: Step) -> bool:
    """Whether a step has a number or a bullet, or is no sentence."""
    return step.number is not None or step.form != "words" or not step.place.endswith(" ")


def _is_only_talk(step: Step, surfaces: Surfaces, line: str) -> bool:
    """Whether a sentence outside of a list names no object, not even with a pronoun."""
    if not step.is_known or step.pronoun_place >= 0:
        return False
    if step.max_objects == 0:
        return len(words_of(line)) > len(words_of(step.written)) + _MAX_WORDS_BESIDE
    return not any(squeezed(name) in surfaces.objects for name in step.arguments)


@dataclass(frozen=True, slots=True)
class _Writing:
    """How a plan writes the actions of the task.

    A step with an unknown name is told from code and other words by this.

    Args:
        forms: Forms of the known steps: ``"call"``, ``"words"``; empty if no step is known.
        styles: Styles of those that are calls: ``"robot.name"``, ``"NAME"``.
        is_free: Whether the task has no names, so that no step is known.
    """

    forms: frozenset[str]
    styles: frozenset[str]
    is_free: bool

    @classmethod
    def from_steps(cls, steps: Sequence[Step], surfaces: Surfaces | None) -> _Writing:
        """Return how the known steps among some steps are written."""
        known = [step for step in steps if step.is_known]
        styles = (step.style for step in known if step.form == "call" and not _runs_steps(step))
        return cls(frozenset(step.form for step in known), frozenset(styles), surfaces is None)

    def matches(self, step: Step) -> bool:
        """Whether a step is written like the known steps, so that its unknown name may be right."""
        if step.is_weak and step.arguments and not self.is_free:
            return step.style in self.styles or (not self.styles and step.style == "NAME")
        return step.is_known or not self.forms or step.form in self.forms

    def may_end_plan(self, step: Step) -> bool:
        """Whether the first or last step is more than a call around a plan, such as ``reset()``."""
        if _runs_steps(step) and step.style not in self.styles:
            return False
        is_like_step = bool(step.arguments) or step.style.endswith("NAME")
        if step.form == "pddl" and self.forms == {"pddl"}:
            return True
        return not step.is_weak or (step.style in self.styles and is_like_step)


_RUNNER = re.compile(
    r"(?:\w+[._])?(?:api|client|conn(?:ection)?|controller|engine|env(?:ironment)?|executor|mission"
    r"|pipeline|plan|planner|program|queue|runner|scheduler|script|sequence|session|sim(?:ulator)?"
    r"|simulation|system|task|tree|world)\.name",
    re.IGNORECASE,
)
"""The style of a method of something that takes or runs steps: ``plan.name``."""


def _runs_steps(step: Step) -> bool:
    """Whether a step without objects is a method of what runs the plan: ``env.close()``."""
    return not step.arguments and step.lacks_objects and _RUNNER.fullmatch(step.style) is not None


def _fitting_steps(plan: Plan, surfaces: Surfaces | None) -> list[Step]:
    """Return the steps of a plan without code between and around them.

    Code has a name that the task does not have, in another form than the known steps. If it may
    have been meant as a step, it is noted as unread.
    """
    writing = _Writing.from_steps(plan.items, surfaces)
    if writing.forms:
        _leave_out_ends(plan, writing)
    known_indices = [index for index, step in enumerate(plan.items) if step.is_known]
    fitting: list[Step] = []
    for index, step in enumerate(plan.items):
        if writing.matches(step):
            fitting.append(step)
            continue
        is_between = bool(known_indices) and known_indices[0] < index < known_indices[-1]
        written = str(step.as_read())
        if _may_be_meant(step, fitting, writing, is_between=is_between):
            plan.unread.append(Text(written, step.at, step.at))
        else:
            plan.notes[f"not read: {shorten(written)}"] = None
    return fitting


def _without_repetitions(steps: Sequence[Step], surfaces: Surfaces | None) -> list[Step]:
    """Return steps without those that tell the step above again in another form or indentation."""
    told_once: list[Step] = []
    for index, step in enumerate(steps):
        # The step above counts even if it was left out itself.
        step_above = steps[index - 1]
        is_written_otherwise = (step_above.form, step_above.place) != (step.form, step.place)
        if told_once and is_written_otherwise and _tells_again(told_once[-1], step, surfaces):
            if _names_more(step, told_once[-1]):
                step.number = told_once[-1].number if step.number is None else step.number
                told_once[-1] = step
        else:
            told_once.append(step)
    return told_once


def _without_explanations(steps: list[Step], plan: Plan) -> list[Step]:
    """Return steps without the words below numbered steps, if these mostly say the same in words.

    "Move the robot to the bed" below ``Step 1: WALK(bed)`` is no step where "Pick up the book"
    stands below ``Step 2: GRAB(book)``, and so on.

    Args:
        steps: The steps of the plan.
        plan: The plan; a note says what is left out.
    """
    numbered = [step for step in steps if step.number is not None]
    pairs = [
        (step_above, step)
        for step_above, step in pairwise(steps)
        if step.form == "words" and step.number is None and step_above.number is not None
    ]
    are_whole = not any(step.lacks_objects for step in numbered)
    if not are_whole or len(numbered) + len(pairs) < len(steps):
        return steps
    others = [step for step_above, step in pairs if not are_alike(step_above, step)]
    if not 0 < 2 * len(others) < len(pairs):
        return steps
    for step in others:
        plan.notes[f"not read: {shorten(str(step.as_read()))}"] = None
    return [step for step in steps if step not in others]


def _leave_out_ends(plan: Plan, writing: _Writing) -> None:
    """Leave out calls such as ``reset()`` before and ``shutdown()`` behind all other steps."""
    steps = plan.items
    inner_indices = [index for index, step in enumerate(steps) if writing.may_end_plan(step)]
    if not inner_indices:
        return
    left_out = steps[: inner_indices[0]] + steps[inner_indices[-1] + 1 :]
    plan.items = steps[inner_indices[0] : inner_indices[-1] + 1]
    if left_out:
        plan.notes[f"not read: {', '.join(str(step.as_read()) for step in left_out)}"] = None


def _may_be_meant(
    step: Step, steps_before: Sequence[Step], writing: _Writing, *, is_between: bool
) -> bool:
    """Whether a step of an unknown name may belong to the plan around it.

    Args:
        step: The step, written otherwise than the known steps of the plan.
        steps_before: The steps of the plan before it.
        writing: How the known steps of the plan are written.
        is_between: Whether it stands between two known steps.
    """
    is_next = (
        step.number is not None
        and bool(steps_before)
        and steps_before[-1].number == step.number - 1
    )
    if is_next or (not step.is_weak and step.form in ("script", "words")):
        return True
    is_code = step.is_weak and any("." in style for style in (step.style, *writing.styles))
    return is_between and (not is_code or step.style.endswith("NAME"))


def _are_titles(plan: Plan) -> bool:
    """Whether the unclear lines of a plan are titles: one in words above or below each step."""
    step_count = len(plan.items)
    if step_count < 2:
        return False
    for _, text in plan.unclear_lines:
        if is_like_call(text.value) or leaves_out(text.value):
            return False
    steps_before = [position for position, _ in plan.unclear_lines]
    return steps_before in (list(range(step_count)), list(range(1, step_count + 1)))


def _without_names_of_steps(steps: list[Step]) -> list[Step]:
    """Return steps without words such as "Walk" that only name the step above or below."""
    remaining: list[Step] = []
    for index, step in enumerate(steps):
        neighbours = steps[max(index - 1, 0) : index] + steps[index + 1 : index + 2]
        if not any(map(step.only_names, neighbours)):
            remaining.append(step)
    return remaining


def _without_headings(steps: list[Step]) -> list[Step]:
    """Return steps without headings in words that stand above the step that they name.

    A step in bold above another one, ``**find(cup)**`` above ``**pick(cup)**``, is no heading.
    """
    remaining: list[Step] = []
    for index, step in enumerate(steps):
        step_below = steps[index + 1] if index + 1 < len(steps) else step
        is_above_step = step.form == "heading" and step_below.form != "heading"
        if not (is_above_step and _is_heading_of(step, step_below)):
            remaining.append(step)
    return remaining


def _is_heading_of(heading: Step, step_below: Step) -> bool:
    """Whether a heading names the step below it, perhaps as a whole skill in words.

    "Pick up the Mug" stands above ``pick(Mug)``. It is the name of an action in EmbodiedBench.
    """
    if says_less_or_same(heading, step_below):
        return True
    verb, _, words_behind = heading.name.partition(" ")
    is_skill = bool(words_behind) and not heading.arguments
    return is_skill and squeezed(verb) == squeezed(step_below.name.partition(" ")[0])


def _tells_again(step_before: Step, step: Step, surfaces: Surfaces | None) -> bool:
    """Whether a step tells the step before it again, perhaps with other words for its objects.

    Args:
        step_before: The step before.
        step: The step, which is written in another form or elsewhere.
        surfaces: The names of the task; None if any name may be that of an action.
    """
    if step_before.actor != step.actor:
        return False
    has_same_number = _has_same_number(step_before, step)
    if squeezed(step_before.name) != squeezed(step.name):
        return has_same_number and tells_same_step(step, step_before)
    if step_before.says_same(step):
        return has_same_number
    if not step.arguments or _names_more(step, step_before):
        return True
    if has_same_number and is_same_step(step, step_before):
        return True
    # A heading may have the names of the objects, and the line below it letters of its own.
    if surfaces is None:
        return True
    if not surfaces.objects:
        return False  # any word may be an object
    return any(squeezed(name) not in surfaces.objects for name in step.arguments)


def _names_more(step: Step, step_before: Step) -> bool:
    """Whether a step names objects that the same step before it lacks, or names by their class."""
    if not step.arguments or step_before.says_same(step):
        return False
    if not step_before.arguments or step_before.lacks_objects:
        return True
    return _has_same_number(step_before, step) and is_same_step(step_before, step)


def _has_same_number(step_before: Step, step: Step) -> bool:
    """Whether two steps stand under one number, as far as they have any.

    "Walk to the bed" above WALK(bed.91) is one step. Under two numbers, two beds may be meant.
    """
    return None in (step_before.number, step.number) or step_before.number == step.number


def _order_steps(plan: Plan) -> None:
    """Sort steps by their times, or by their numbers if these have no gap; note if that matters."""
    step_count = len(plan.items)
    times = {step.time for step in plan.items if step.time is not None}
    if len(times) == step_count:
        _sort_steps(plan, lambda step: step.time or 0.0, "times")
        return
    # Times may have gaps. A gap between numbers means that a step is missing.
    numbers = {step.number for step in plan.items if step.number is not None}
    if len(numbers) == step_count > 1 and max(numbers) - min(numbers) == step_count - 1:
        _sort_steps(plan, lambda step: step.number or 0, "numbers")


def _sort_steps(plan: Plan, key: Callable[[Step], float], kind: str) -> None:
    """Sort the steps of a plan; note it if their order changes."""
    ordered = sorted(plan.items, key=key)
    if ordered != plan.items:
        plan.items = ordered
        plan.notes[f"the steps were put in the order of their {kind}"] = None
