"""Plans out of answers: document, items, choice, one after the other."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eai.answers.amended_plans import join_lists_of_actors, leave_out_agent, with_replaced_steps
from eai.answers.candidate_plan import Plan
from eai.answers.changed_lists import change_of_list
from eai.answers.choice import (
    OF_SINGLE_ITEM,
    choose,
    is_final,
    is_rejected,
    is_reversed,
    is_unordered,
    says_failure,
)
from eai.answers.cleaning import Cleaned
from eai.answers.collector import Collector, may_be_parted
from eai.answers.commented_calls import with_comments_for_calls
from eai.answers.decisions import leaves_choice_open
from eai.answers.document import (
    MAX_LINES,
    Document,
    Nesting,
    open_document,
    unwrap_message,
)
from eai.answers.empty_answers import says_empty
from eai.answers.failures import without_repeated_failures
from eai.answers.flow import find_whole_steps
from eai.answers.grammar import StepGrammar
from eai.answers.items import Step, are_same, is_same_step
from eai.answers.passed_over import find_passed_over, find_unknown_told, holds_offset
from eai.answers.phrases import InWords
from eai.answers.plan import (
    EMPTY,
    NO_PLAN,
    AnswerProblem,
    PlanReading,
    ReadStep,
    no_step,
    shorten,
)
from eai.answers.retractions import QUESTION_MARKS, denies_below, sentences_of, takes_back
from eai.answers.settled_plan import settle_steps
from eai.answers.shortened_plans import steps_kept
from eai.answers.stated_goals import leave_out_stated_goal
from eai.answers.step_edits import labels_correction, removed_steps, replaced_step
from eai.answers.step_remarks import announces_addition, remark_that_changes
from eai.answers.surfaces import Surfaces, squeezed
from eai.answers.values import Text
from eai.answers.voices import in_active_voice, may_be_passive
from eai.text import counted, has_words

MAX_STEPS = 1_500
"""Maximum number of steps of a plan."""
MAX_DECISION = 500
"""Number of characters around several plans in which an answer may leave it open which is meant."""
_SURE_RULES = ("marked", "decided", "final")
MAX_REMARK = 2_000
"""Number of characters behind a plan in which the answer may say that its order means nothing."""
AROUND = "text around the plan"
"""The note on an answer that says more than its plan."""
MAX_BESIDE = 50
"""Maximum number of steps beside those of the plan that are looked for in it."""
MAX_PROBLEMS = 100
"""Maximum number of problems that are listed for one answer."""


def read_document(
    document: Document,
    surfaces: Surfaces | None,
    in_words: Callable[[str], InWords | None] | None = None,
    *,
    grammar: type[StepGrammar] | None = None,
) -> PlanReading:
    """Return the plan in a document; see :func:`eai.answers.read_with`."""
    reader = _Reader(grammar or StepGrammar, surfaces, in_words, Nesting())
    # Plans of planners may be long; an answer in a household is not.
    is_planning = surfaces is not None and surfaces.signature is not None
    max_steps = MAX_LINES if is_planning else MAX_STEPS
    return _finish_reading(document, reader.choose_plan(document), max_steps)


@dataclass(slots=True)
class _Chosen:
    """The plan that was chosen in a document.

    Args:
        plan: The plan; None if there is none, or all are rejected.
        rule: The rule that chose it; empty if there was nothing to choose.
        problems: Parts of the answer that contradict it or were not read.
        notes: Edits that the answer made to it.
        count: Number of plans in the document.
        is_said_empty: Whether the answer says that nothing has to be done.
        offsets: Offsets of the steps of all plans in the document.
    """

    plan: Plan | None
    rule: str = ""
    problems: list[AnswerProblem] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    count: int = 0
    is_said_empty: bool = False
    offsets: list[int] = field(default_factory=list)

    @property
    def known_steps(self) -> list[Step]:
        """The steps of the plan whose action the task has."""
        return [] if self.plan is None else [step for step in self.plan.items if step.is_known]

    @property
    def is_read(self) -> bool:
        """Whether the plan has a step of the task, and nothing was found against it."""
        return bool(self.known_steps) and not self.problems

    def add_problem(self, message: str, offset: int) -> None:
        """Add a problem of the part of the answer at an offset."""
        self.problems.append(AnswerProblem(message, offset))

    def add_unread_step(self, sentence: str, offset: int) -> None:
        """Add the problem that a sentence may tell a step at an offset, which was not read."""
        self.add_problem(f"{shorten(sentence)} may tell a step, and was not read as one", offset)


class _Reader:
    """Reads the plan of an answer, and of the strings in it that are answers themselves.

    Args:
        grammar_class: Class whose object reads the steps of a line or a value.
        surfaces: The names of the task; None if any name may be that of an action.
        in_words: Reads a step in words; None if the task has no words for its actions.
        nesting: Number of strings around the text that is read, and how many more may be read.
    """

    def __init__(
        self,
        grammar_class: type[StepGrammar],
        surfaces: Surfaces | None,
        in_words: Callable[[str], InWords | None] | None,
        nesting: Nesting,
    ) -> None:
        """Make the grammar, which asks this reader for the steps in strings."""
        self.grammar_class = grammar_class
        self.surfaces = surfaces
        self.in_words = in_words
        self.nesting = nesting
        self.grammar = grammar_class(surfaces, self.steps_in_string, in_words)
        # The reader of values asks for the same string several times.
        self.strings_without_steps: set[str] = set()

    def steps_in_string(self, text: Text) -> list[Step] | None:
        """Return the steps of a string that holds JSON or several lines; None if there are none."""
        value = unwrap_message(text.value).strip()  # a string of JSON may hold another
        if value in self.strings_without_steps:
            return None
        document = self.nesting.document_in(value)
        if document is None:
            return None
        inner_reader = _Reader(
            self.grammar_class, self.surfaces, self.in_words, self.nesting.deeper()
        )
        chosen = inner_reader.choose_plan(document)
        if chosen.plan is None or chosen.problems or not chosen.plan.items:
            self.strings_without_steps.add(value)
            return None
        for step in chosen.plan.items:
            step.at = text.at
        return chosen.plan.items

    def choose_plan(self, document: Document) -> _Chosen:
        """Choose the plan that a document means.

        Steps are looked for in whole lines and values, then in single sentences, and last amid
        any words. A later reading counts only if it has all known steps of the first reading.
        """
        chosen = self._choose_voice(document)
        if chosen.plan is not None and chosen.is_read and self.surfaces is not None:
            self._note_unknown_told(document, chosen, chosen.plan)
        return chosen

    def _note_unknown_told(self, document: Document, chosen: _Chosen, plan: Plan) -> None:
        """Report sentences around a told plan that may tell steps of unknown actions."""
        for sentence in find_unknown_told(plan, chosen.offsets, document, self.grammar):
            chosen.add_unread_step(sentence.value, sentence.at)

    def _choose_voice(self, document: Document) -> _Chosen:
        """Choose the plan among the readings of a document by lines, sentences and comments."""
        chosen = self._told_plan(document)
        chosen = self._told_in_comments(document, chosen) or chosen
        if self.surfaces is None or _is_settled(chosen):
            return chosen
        for is_inflected in (False, True) if may_be_passive(document.text) else ():
            told_plan = self._told_in_passive(document, chosen, is_inflected=is_inflected)
            if told_plan is not None:
                return told_plan
        self._note_passed_over(document, chosen)
        return chosen

    def _note_passed_over(self, document: Document, chosen: _Chosen) -> None:
        """Report the steps of sentences around a told plan that the reader of lines passed over."""
        if chosen.plan is None or not chosen.is_read:
            return
        for step, sentence in find_passed_over(chosen.plan, chosen.offsets, document, self.grammar):
            chosen.add_unread_step(sentence, step.at)

    def _told_in_comments(self, document: Document, reading_of_code: _Chosen) -> _Chosen | None:
        """Return the reading of the comments above calls without arguments, which say the steps."""
        plan = reading_of_code.plan
        are_whole = plan is not None and all(
            step.is_whole and not step.is_cut for step in plan.items
        )
        text, call_count = with_comments_for_calls(document, only_prints=plan is None)
        is_read = are_whole and not reading_of_code.problems
        if not call_count or (is_read and len(reading_of_code.known_steps) >= call_count):
            return None
        reading = self._told_plan(open_document(text))
        if reading.plan is None or not reading.is_read or len(reading.plan.items) != call_count:
            return None
        if not all(step.is_whole for step in reading.plan.items):
            return None
        reading.plan.notes["the comments above the calls say the steps"] = None
        return reading

    def _told_in_passive(
        self, document: Document, active_reading: _Chosen, *, is_inflected: bool
    ) -> _Chosen | None:
        """Return the reading of a plan with steps in the passive voice: "the door is opened".

        None unless it has all known steps of the active reading, and more. Behind "open the door",
        the same sentence only says what that step has done, and is no step.

        Args:
            document: The answer.
            active_reading: The reading of the sentences in the active voice.
            is_inflected: Whether the others are sentences such as "the robot walks", not orders.
        """
        assert self.surfaces is not None  # noqa: S101 - the caller looked
        active_text = in_active_voice(document.text, self.surfaces, is_inflected=is_inflected)
        if active_text == document.text:
            return None
        passive_reading = self._told_plan(open_document(active_text))
        if passive_reading.plan is None or not passive_reading.is_read:
            return None
        steps = _without_results(passive_reading.plan.items, active_reading.known_steps)
        if len(steps) < 2 or len(steps) <= len(active_reading.known_steps):
            return None
        if not _is_part_of(active_reading.known_steps, steps):
            return None
        passive_reading.plan.items[:] = steps
        return replace(passive_reading, rule=passive_reading.rule or "amid words")

    def _told_plan(self, document: Document) -> _Chosen:
        """Choose the plan in sentences of the active voice; see :meth:`choose_plan`."""
        chosen = self._choose_in_blocks(document)
        if _is_settled(chosen):
            return chosen
        by_sentence = self._told_in_sentences(document, chosen)
        if by_sentence is not None or chosen.is_read:
            return by_sentence or chosen
        steps = find_whole_steps(document, self.grammar, chosen.problems)
        if len(steps) < 2 or not _is_part_of(chosen.known_steps, steps):
            return chosen
        end = steps[-1].at + len(steps[-1].written)
        return _Chosen(Plan(steps, "", steps[0].at, end), "amid words", count=1)

    def _told_in_sentences(self, document: Document, first_reading: _Chosen) -> _Chosen | None:
        """Return the reading by single sentences; None if the first reading has to stay.

        It has to have all known steps of the first reading. If that is whole, it also has to tell
        more steps amid the plan.
        """
        first_plan = first_reading.plan if first_reading.is_read else None
        positions = (
            [] if first_plan is None else sorted(step.at for step in first_reading.known_steps)
        )
        if not may_be_parted(document, self.grammar, positions):
            return None
        reading = self._choose_in_blocks(document, in_sentences=True)
        if reading.plan is None or not reading.is_read:
            return None
        steps = reading.plan.items
        if not _is_part_of(first_reading.known_steps, steps):
            return None
        if first_plan is None:
            return replace(reading, rule=reading.rule or "amid words")
        is_longer = len(steps) > len(first_reading.known_steps)
        return reading if is_longer and _are_amid(steps, first_plan) else None

    def _choose_in_blocks(self, document: Document, *, in_sentences: bool = False) -> _Chosen:
        """Choose among the plans in the lines and values of a document.

        Args:
            document: The answer.
            in_sentences: Whether the steps of a line may stand behind sentences without steps.
        """
        plans = self._plans_in(document, in_sentences=in_sentences)
        if not plans.pool:
            problems = [no_step(text.value, text.at) for text in plans.unread[:3]]
            return _Chosen(None, problems=problems)
        if plans.is_only_empty_marked:
            return _Chosen(plans.empty, "marked", count=len(plans.pool), is_said_empty=True)
        count = len(plans.of_the_task)
        plan, rule = plans.choose_among(plans.pool)
        # The last words may say that nothing has to be done, whatever lists stand above them.
        if plans.of_the_task and says_empty(plans.text_behind, are_done=plan is None):
            end = len(document.text)
            empty_plan = Plan([], "", end, end, is_empty=True)
            return _Chosen(empty_plan, "final", count=count, is_said_empty=True)
        if plan is None:
            return _Chosen(None, rule, count=count)
        rule = rule or _rule_over_values(plan, plans)
        self._adapt_to_task(plan, document)
        text_behind = plans.text_behind or _behind_last_step(plan, document)
        is_question = document.text[: plan.end].rstrip().endswith(QUESTION_MARKS)
        is_denied = takes_back(text_behind, is_question=is_question)
        if plan is plans.pool[0]:
            is_denied = is_denied or denies_below(plans.text_before[-MAX_DECISION:])
        if is_denied and not is_final(plan.frame):
            return _Chosen(None, "not rejected", count=count)
        offsets = [step.at for candidate in plans.with_steps for step in candidate.items]
        chosen = _Chosen(plan, rule, count=count, offsets=sorted(offsets))
        self._note_problems(plan, plans, chosen)
        return chosen

    def _plans_in(self, document: Document, *, in_sentences: bool) -> _Plans:
        """Return the plans of a document; see :meth:`_choose_in_blocks`."""
        collector = Collector(self.grammar, document, in_sentences=in_sentences)
        plans = list(collector.read_plans())
        starts = collector.offsets_told_again(_said_by_step)
        if starts:
            collector = Collector(self.grammar, document, in_sentences=in_sentences, starts=starts)
            plans = list(collector.read_plans())
        candidates = with_replaced_steps(join_lists_of_actors(plans))
        for candidate in candidates:
            settle_steps(candidate, self.surfaces, document.text)
            if not candidate.is_formal:
                leave_out_stated_goal(candidate, document.text)
            leave_out_agent(candidate, self.surfaces)
        with_steps = [plan for plan in candidates if plan.items]
        with_steps = [
            plan
            for index, plan in enumerate(with_steps)
            if index == 0 or not _names_some_again(plan, with_steps[index - 1])
        ]
        empty = [plan for plan in candidates if not plan.items and plan.is_empty]
        return _Plans(
            document,
            with_steps,
            self._of_the_task(with_steps),
            empty[-1] if empty else None,
            [text for plan in candidates for text in plan.unread],
            collector.decisions,
            {} if self.surfaces is None else self.surfaces.objects,
        )

    def _note_problems(self, plan: Plan, plans: _Plans, chosen: _Chosen) -> None:
        """Note why an answer does not leave the chosen plan as it is written, or not all of it.

        Args:
            plan: The chosen plan; steps that the answer removes, or repeats as failed, are taken
                out.
            plans: All plans of the answer.
            chosen: Receives the problems.
        """
        text = plans.document.text
        text_behind = f"{_words_amid(plan, plans.document)}\n{plans.text_behind}"
        _apply_edits(plan, plans.text_before[-400:], text_behind, chosen)
        # Words about a plan before this one are not about this one.
        ends_before = [earlier.end for earlier in plans.with_steps if earlier.end <= plan.at]
        text_before = text[max(ends_before, default=0) : plan.at]
        remark = remark_that_changes(plan.items, text_before, text[plan.end :], self.grammar)
        if remark is not None:
            message = f"{shorten(remark.text)} says something else of a step than the plan"
            chosen.add_problem(message, plan.end)
        plan.items, failed = without_repeated_failures(plan.items)
        for step in failed:
            message = f"the answer marks {shorten(str(step.as_read()))} as failed or rejected"
            chosen.add_problem(message, step.at)
        _note_order(plan, text, chosen)
        change = change_of_list(text, plan.at, plan.end)
        if change:
            chosen.add_problem(
                f"the program changes its list of steps: {shorten(change)}", plan.end
            )
        chosen.problems += [no_step(unread.value, unread.at) for unread in plan.unread]
        cut_behind = [other for other in plans.with_steps if other.is_cut and other.at > plan.at]
        if not plan.is_marked and any(other.ends_with_value for other in cut_behind):
            chosen.add_problem("the answer ends in the middle of another plan", plan.end)
        if chosen.rule not in ("marked", "decided") and _begins_amid(plan, plans):
            chosen.add_problem("the plan begins with a later step of another plan", plan.at)
        _note_steps_outside(plan, plans, chosen)
        others = [other for other in plans.pool if not are_same(other.items, plan.items)]
        text_around = f"{plans.text_before[-MAX_DECISION:]}\n{plans.text_behind[:MAX_DECISION]}"
        if others and chosen.rule not in _SURE_RULES and leaves_choice_open(text_around):
            chosen.add_problem("the answer does not say which of its plans is meant", plan.at)

    def _of_the_task(self, plans: list[Plan]) -> list[Plan]:
        """Return the plans that have an action of the task or are presented as final.

        If there are none, all plans are returned. Plans that only repeat another plan in short are
        left out.
        """
        relevant = [plan for plan in plans if plan.has_known_step or is_final(plan.frame)]
        relevant = _without_highlights(relevant or plans)
        if self.surfaces is None or len(relevant) < 2:
            return relevant
        return _without_abbreviated(relevant, self.surfaces.objects)

    def _adapt_to_task(self, plan: Plan, document: Document) -> None:
        """Mark the last step of a plan if it is cut; in PDDL, name actions as the task does."""
        if self.surfaces is None:
            return
        _mark_cut(plan, document, self.surfaces)
        if self.surfaces.predicates:
            for step in plan.items:
                step.written = ""


_NAMES_OBJECT = re.compile(r"\b(?:an?|the) (?!object in hand)\w")
"""An object in the words of a skill; what is in hand is not the same at every step."""


def _said_by_step(step: Step) -> tuple[str, ...] | None:
    """Return the actor, the action and the objects of a step; None if it has no objects.

    "Move forward" may be repeated in every part of a plan. A whole skill, "find a Mug", has its
    object in its name.
    """
    if not step.arguments and _NAMES_OBJECT.search(step.name) is None:
        return None
    return step.actor, squeezed(step.name), *map(squeezed, step.arguments)


def _are_amid(steps: Sequence[Step], plan: Plan) -> bool:
    """Whether steps stand before the end of a plan, or have numbers.

    "Okay. I walk to the door." may be a step of the plan that stands around the line.
    """
    return all(step.at < plan.end or step.number for step in steps)


def _without_results(steps: Sequence[Step], active_steps: Sequence[Step]) -> list[Step]:
    """Return steps without the sentences that only say what a step has done.

    Such a sentence says the same as a step in the active voice, or as the step right before it. In
    a list with numbers, sentences without a number speak of the list.

    Args:
        steps: The steps in both voices.
        active_steps: Those in the active voice.
    """
    active_steps_left = deque(active_steps)
    are_numbered = bool(active_steps) and all(step.number is not None for step in active_steps)
    kept_steps: list[Step] = []
    for step in steps:
        if active_steps_left and step.says_same(active_steps_left[0]):
            active_steps_left.popleft()
            kept_steps.append(step)
            continue
        is_result = any(map(step.says_same, [*active_steps, *kept_steps[-1:]]))
        if not is_result and not (are_numbered and step.number is None):
            kept_steps.append(step)
    return kept_steps


def _is_settled(chosen: _Chosen) -> bool:
    """Whether the plan in the lines and values of a document needs no other reading.

    It does not if it is read to its end and not in words, if more of the answer could not be read
    than the plan, or if the answer itself empties, edits or rejects its plans.
    """
    plan = chosen.plan
    if chosen.is_said_empty or chosen.notes:
        return True
    if plan is None:
        return chosen.count > 0
    is_sure = chosen.is_read and (plan.is_formal or chosen.known_steps[0].form != "words")
    has_other_problems = len(chosen.problems) > len(plan.unread)
    return is_sure or has_other_problems or plan.is_cut or plan.ends_with_value


@dataclass(frozen=True, slots=True)
class _Plans:
    """The plans of a document.

    Args:
        document: The answer.
        with_steps: The plans that have steps.
        of_the_task: Those with actions of the task, or all if none has any.
        empty: The last plan that says that nothing has to be done; None if there is none.
        unread: Texts of all plans that may be steps and were not read.
        decisions: Sentences that decide between plans, from keys such as ``choice``.
        objects: Names of the task's objects; empty if any word may be one.
    """

    document: Document
    with_steps: list[Plan]
    of_the_task: list[Plan]
    empty: Plan | None
    unread: list[Text]
    decisions: Sequence[str]
    objects: Mapping[str, str]

    @property
    def pool(self) -> list[Plan]:
        """The plans that may be meant: the empty one only if there is no other."""
        if self.of_the_task or self.empty is None:
            return self.of_the_task
        return [self.empty]

    @property
    def is_only_empty_marked(self) -> bool:
        """Whether the empty plan stands in a tag for answers, and no plan of the pool does."""
        if self.empty is None or not self.empty.is_marked:
            return False
        return not any(plan.is_marked for plan in self.pool)

    @property
    def text_before(self) -> str:
        """The text before the first plan of the pool."""
        return self.document.text[: min(plan.at for plan in self.pool)]

    @property
    def text_behind(self) -> str:
        """The text behind the last plan of the pool."""
        return self.document.text[max(plan.end for plan in self.pool) :]

    def choose_among(self, plans: Sequence[Plan]) -> tuple[Plan | None, str]:
        """Return the plan that is meant among some, and the rule that chose it."""
        return choose(plans, self.text_behind, "\n".join((self.text_before, *self.decisions)))


def _rule_over_values(plan: Plan, plans: _Plans) -> str:
    """Return the rule that prefers a plan to values without any action of the task.

    Such a value is no plan, but a reader of the notes should know that it was passed over. Empty
    if there is none.
    """
    passed_over = [other for other in plans.with_steps if other not in plans.of_the_task]
    if not any(other.ends_with_value for other in passed_over):
        return ""
    chosen_of_all, rule = plans.choose_among(plans.with_steps)
    return rule if chosen_of_all is plan else "last"


def _behind_last_step(plan: Plan, document: Document) -> str:
    """Return the rest of a plan in sentences, from its last step on; empty for other plans."""
    last_step = plan.items[-1] if plan.items else None
    if last_step is None or last_step.number is not None or plan.ends_with_value:
        return ""
    return document.text[last_step.at : plan.end]


_MOOD = re.compile(r"\b(?:would|could|might|if|not|never|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_BACKWARD_ARROW = re.compile(r"[\w)\]`\"'] {0,2}(?:<-{1,2}(?!>)|\u2190) {0,2}[\w(`\"']")
"""An arrow from the step that comes later: ``OPEN(door) <- WALK(hall)``."""


def _without_abbreviated(plans: list[Plan], objects: Mapping[str, str]) -> list[Plan]:
    """Return plans without those that repeat another plan in short.

    Models summarise "Unstack the orange block from the blue block" as ``Unstack(O, B)``. Such a
    plan has the actions of the full plan, with objects that the task does not have.

    Args:
        plans: The plans.
        objects: Names of the task's objects.
    """
    are_short = [_has_unknown_object(plan, objects) for plan in plans]
    # Sets, as an answer may hold a thousand plans.
    actions_in_full = {
        _names_of_actions(plan)
        for plan, is_short in zip(plans, are_short, strict=True)
        if not is_short
    }
    remaining: list[Plan] = []
    for plan, is_short in zip(plans, are_short, strict=True):
        if not is_short or _names_of_actions(plan) not in actions_in_full:
            remaining.append(plan)
    return remaining


_HIGHLIGHTS = re.compile(
    r"\b(?:important|key|main|crucial|critical|essential|central|decisive)(?: \w+)?"
    r" (?:steps?|actions?|parts?|moves?|points?)\b|\bhighlights\b",
    re.IGNORECASE,
)
"""Words over some of the steps of a plan that was told before."""


def _without_highlights(plans: list[Plan]) -> list[Plan]:
    """Return plans without those that only list the most important steps of the plan before."""
    remaining = plans[:1]
    for plan in plans[1:]:
        plan_before = remaining[-1]
        # As many steps as before are the whole plan again; then its last telling counts.
        is_part = len(plan.items) < len(plan_before.items) and _is_part_of(
            plan.items, plan_before.items
        )
        if not (is_part and _HIGHLIGHTS.search(plan.frame[-200:])):
            remaining.append(plan)
    return remaining


def _has_unknown_object(plan: Plan, objects: Mapping[str, str]) -> bool:
    """Whether a step of a plan names an object that is not among some."""
    names = [name for step in plan.items for name in step.arguments]
    return any(squeezed(name) not in objects for name in names)


def _names_of_actions(plan: Plan) -> tuple[str, ...]:
    """Return the names of the actions of a plan, in order."""
    return tuple(step.name for step in plan.items)


def _mark_cut(plan: Plan, document: Document, surfaces: Surfaces) -> None:
    """Mark the last step as cut if the answer ends within the longer name of another action.

    "place at the counter in the kit" is not "place at the counter", even if the task has that.
    """
    last_step = plan.items[-1] if plan.items else None
    if last_step is None or last_step.form != "words" or len(document.text) - last_step.at >= 200:
        return
    squeezed_end = squeezed(document.text[last_step.at :])
    if (
        not squeezed_end
        or squeezed_end in surfaces.actions
        or squeezed_end == squeezed(last_step.name)
    ):
        return
    if any(form.startswith(squeezed_end) for form in surfaces.actions):
        last_step.is_cut = True


def _is_part_of(steps: Sequence[Step], longer: Sequence[Step]) -> bool:
    """Whether all of some steps are among the steps of a longer list, in the same order."""
    steps_left = iter(longer)
    # Each search goes on behind the step that the last one came to.
    return all(any(step.says_same(candidate) for candidate in steps_left) for step in steps)


def _names_some_again(plan: Plan, plan_before: Plan) -> bool:
    """Whether a list without words before it only names some steps of the plan above it again.

    A single step may have a label: "Final action:".
    """
    has_label = len(plan.items) == 1 and OF_SINGLE_ITEM.search(plan.frame) is not None
    is_framed = plan.frame != "" and not (has_label and is_final(plan.frame))
    if is_framed or plan_before.remark or plan.is_formal or plan_before.is_formal:
        return False
    is_shorter = len(plan.items) < len(plan_before.items)
    return is_shorter and not plan_before.is_struck and _is_part_of(plan.items, plan_before.items)


def _words_amid(plan: Plan, document: Document) -> str:
    """Return the lines between the first and the last step of a plan that hold none of its steps.

    They may change it: "Wait, step 3 is not needed. I go on:".
    """
    offsets = sorted(step.at for step in plan.items)
    if len(offsets) < 2 or len(document.blocks) > MAX_STEPS:
        return ""
    return "\n".join(
        block.text
        for block in document.blocks
        if block.value is None and offsets[0] < block.at < offsets[-1] and not block.is_struck
        if not holds_offset(block.at, block.end, offsets)
        # The steps below such a label are in their places already.
        if not (labels_correction(block.text) or replaced_step(block.text))
    )


def _apply_edits(plan: Plan, text_before: str, text_behind: str, chosen: _Chosen) -> None:
    """Take steps out of a plan as the text around it says, "Skip step 3"; report other edits.

    Args:
        plan: The chosen plan, which is changed.
        text_before: The words before all plans.
        text_behind: The words behind them.
        chosen: Receives the problems and the notes.
    """
    numbers, has_other_edit = removed_steps(text_before, text_behind, len(plan.items))
    if has_other_edit:
        chosen.add_problem("the text behind the plan changes it", plan.end)
    removed = {number for number in numbers if 0 < number <= len(plan.items)}
    if len(removed) < len(set(numbers)):
        chosen.add_problem("the text behind the plan removes a step that is not there", plan.end)
    count_to_take = steps_kept(f"{text_before}\n{text_behind}")
    if count_to_take is not None and count_to_take < len(plan.items):
        steps_to_take = counted(count_to_take, "step")
        message = f"the answer says that only {steps_to_take} of the plan shall be taken"
        chosen.add_problem(message, plan.end)
    if removed:
        steps = enumerate(plan.items, start=1)
        plan.items = [step for number, step in steps if number not in removed]
        listed = ", ".join(map(str, sorted(removed)))
        chosen.notes[f"removed as the answer says: step {listed}"] = None


def _note_order(plan: Plan, text: str, chosen: _Chosen) -> None:
    """Report that an answer says its steps in reverse order, or in none.

    Args:
        plan: The chosen plan.
        text: The answer.
        chosen: Receives the problems.
    """
    text_behind = text[plan.end : plan.end + MAX_REMARK]
    # "In reverse order it would fail" leaves the order as it is.
    orders = [each for each in sentences_of(text_behind) if not _MOOD.search(each)]
    if is_reversed("\n".join((plan.frame, *orders))) or _BACKWARD_ARROW.search(
        text, plan.at, plan.end
    ):
        chosen.add_problem("the steps are said to be in reverse order", plan.at)
    if is_unordered(f"{plan.frame}\n{text_behind}"):
        chosen.add_problem("the steps are said to be in no order", plan.at)


def _note_steps_outside(plan: Plan, plans: _Plans, chosen: _Chosen) -> None:
    """Report first steps of plans that were not chosen and may belong to the chosen plan."""
    if is_final(plan.frame) or plan.is_marked:
        return
    for candidate in plans.with_steps:
        if candidate is plan or _is_refused(candidate) or candidate.items[0].is_weak:
            continue
        step = candidate.items[0]
        is_added = candidate.at > plan.at and announces_addition(candidate.frame)
        is_other_step = not plan.has_step(step)
        if is_added or (is_other_step and _may_belong(candidate, plan, plans)):
            text = shorten(str(step.as_read()))
            message = f"{text} is a step outside the plan"
            chosen.problems.append(AnswerProblem(message, step.at, text))


def _begins_amid(plan: Plan, plans: _Plans) -> bool:
    """Whether a numbered plan begins with a later step of another one, of which it is a part."""
    numbers = [step.number for step in plan.items]
    if None in numbers or not numbers or min(number or 0 for number in numbers) < 2:
        return False
    return any(
        1 in earlier.numbers and numbers[0] in earlier.numbers
        for earlier in plans.with_steps
        if earlier.at < plan.at and not earlier.is_struck
    )


def _is_refused(plan: Plan) -> bool:
    """Whether an answer says that a plan does not count, or did not work."""
    return plan.is_struck or is_rejected(plan.frame) or says_failure(plan.remark)


def _may_belong(candidate: Plan, plan: Plan, plans: _Plans) -> bool:
    """Whether a candidate that was not chosen may be a part of the chosen plan."""
    step = candidate.items[0]
    if len(candidate.items) > 1:
        # A second plan is a matter of choice, but not one of which no action is known.
        return not candidate.has_known_step and step.form in ("key", "object", "list")
    if step.form != "words":
        return candidate.is_formal or step.form in ("call", "script", "pddl")
    if not step.arguments or step.lacks_objects or candidate.is_partial:
        return False
    # A whole step in words, with objects of the task, counts only right behind the plan.
    is_behind = candidate.at > plan.at
    text_between = plans.document.text[plan.end : candidate.at]
    return (
        is_behind
        and not has_words(text_between)
        and not (plans.objects and _has_unknown_object(candidate, plans.objects))
    )


def _finish_reading(document: Document, chosen: _Chosen, max_steps: int) -> PlanReading:
    """Return the reading of an answer: the steps of the chosen plan, with notes and problems.

    Args:
        document: The answer.
        chosen: The plan that was chosen in it.
        max_steps: Maximum number of steps; more of them are a problem.
    """
    problems = _all_problems(document, chosen)
    notes = dict.fromkeys(document.cleaned.notes)
    steps: tuple[ReadStep, ...] = ()
    if chosen.plan is not None:
        # The rest of a cut step may be another step: "go to the hall" of "... hall cupboard".
        steps = tuple(step.as_read() for step in chosen.plan.items if not step.is_cut)
        notes |= _notes_on_plan(chosen.plan, document, chosen)
        if not steps and not problems:
            notes["the plan has no steps"] = None
    if len(steps) > max_steps:
        message = f"the plan has more than {max_steps:,} steps"
        problems.append(AnswerProblem(message, steps[max_steps].position))
        steps = steps[:max_steps]
    status = _status_of_reading(chosen, has_problems=bool(problems or document.cleaned.problems))
    reading = PlanReading(
        steps, tuple(_first_problems(problems)), tuple(notes), status, chosen.rule
    )
    return _in_whole_answer(reading, document.cleaned)


def _all_problems(document: Document, chosen: _Chosen) -> list[AnswerProblem]:
    """Return the problems of the chosen plan and of the text; the reason if there is no plan."""
    problems = [*chosen.problems, *document.problems]
    plan = chosen.plan
    if plan is None:
        if not problems and not document.cleaned.problems:
            problems.append(_why_no_plan(document, chosen))
    elif plan.is_cut or any(step.is_cut for step in plan.items):
        problems.append(AnswerProblem("the answer ends in the middle of a step", plan.end))
    return problems


def _in_whole_answer(reading: PlanReading, cleaned: Cleaned) -> PlanReading:
    """Return a reading of a cleaned text with the positions of the answer, and its problems."""
    if cleaned.offset or cleaned.gaps:
        reading = reading.moved(cleaned.place)
    if cleaned.problems:
        # Their positions are those of the whole answer already.
        reading = replace(reading, problems=(*reading.problems, *cleaned.problems))
    return reading


def _status_of_reading(chosen: _Chosen, *, has_problems: bool) -> str:
    """Return the status of a reading; see :class:`PlanReading`."""
    if chosen.plan is None:
        return "none"
    if has_problems:
        return "partial"
    return "chosen" if chosen.rule else "clean"


def _notes_on_plan(plan: Plan, document: Document, chosen: _Chosen) -> dict[str, None]:
    """Return the notes on a plan: its repairs, text around it, and the rule that chose it."""
    notes = plan.notes | chosen.notes
    for step in plan.steps_beside[:MAX_BESIDE]:
        if not any(is_same_step(step, taken) for taken in plan.items):
            notes[f"named beside a step and not read as one: {step.as_read()}"] = None
    around = document.text[: plan.at] + document.text[plan.end :]
    if has_words(around):
        notes[AROUND] = None
    if chosen.rule:
        notes[f"{counted(chosen.count, 'plan')} in the answer; chosen by: {chosen.rule}"] = None
    return notes


def _first_problems(problems: list[AnswerProblem]) -> list[AnswerProblem]:
    """Return the first problems, and how many more there are."""
    if len(problems) <= MAX_PROBLEMS:
        return problems
    more = counted(len(problems) - MAX_PROBLEMS, "more problem")
    return [*problems[:MAX_PROBLEMS], AnswerProblem(f"{more} not listed")]


def _why_no_plan(document: Document, chosen: _Chosen) -> AnswerProblem:
    """Return the problem of an answer without a plan: taken back, empty, or simply none."""
    if chosen.count:
        return AnswerProblem("the answer takes its plan back", written="")
    text = document.text.strip()
    if not text:
        return AnswerProblem(EMPTY)
    return AnswerProblem(NO_PLAN, written=text.partition("\n")[0])
