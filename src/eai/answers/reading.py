"""Plans out of answers: document, items, choice, one after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eai.answers.amended_plans import joined_actors, leave_out_agent, with_replaced_steps
from eai.answers.candidate_plan import Plan
from eai.answers.choice import (
    choose,
    is_final,
    is_rejected,
    is_reversed,
    removed_items,
    says_failure,
)
from eai.answers.collector import Collector, may_be_parted
from eai.answers.document import (
    MAX_LINES,
    Document,
    Nesting,
    unwrapped,
)
from eai.answers.empty_answers import says_empty
from eai.answers.failures import without_repeated_failures
from eai.answers.flow import whole_steps
from eai.answers.grammar import StepGrammar
from eai.answers.items import Step
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
from eai.answers.retractions import takes_back
from eai.answers.settled_plan import settle
from eai.answers.shortened_plans import steps_kept
from eai.answers.step_remarks import announces_addition, remark_that_changes
from eai.answers.surfaces import Surfaces, squeezed
from eai.answers.values import Text
from eai.text import counted

MAX_STEPS = 3_000
"""Maximum number of steps of a plan."""
AROUND = "text around the plan"
"""The note on an answer that says more than its plan."""
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
    reader = _Reader(surfaces, Nesting(), in_words, grammar or StepGrammar)
    # Plans of planners may be long; an answer in a household is not.
    is_planning = surfaces is not None and surfaces.signature is not None
    max_steps = MAX_LINES if is_planning else MAX_STEPS
    return _finished(document, reader.plan(document), max_steps)


@dataclass(slots=True)
class _Chosen:
    """The candidate that was chosen in a document."""

    plan: Plan | None
    rule: str = ""
    problems: list[AnswerProblem] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    count: int = 0
    is_said_empty: bool = False


class _Reader:
    """Reads the plan of an answer, and of the strings in it that hold answers themselves.

    Args:
        surfaces: The names of the task; None if any name may be that of an action.
        nesting: How deep what is read stands in strings of others.
        in_words: Reads a step in words, where the task says what its actions are called.
        grammar: Reads the steps of a line or a value.
    """

    def __init__(
        self,
        surfaces: Surfaces | None,
        nesting: Nesting,
        in_words: Callable[[str], InWords | None] | None = None,
        grammar: type[StepGrammar] = StepGrammar,
    ) -> None:
        self.surfaces = surfaces
        self.nesting = nesting
        self.in_words = in_words
        self.grammar = grammar(surfaces, self.nested, in_words)
        self.without_steps: set[str] = set()
        """Strings that were read already and hold no steps; the reader of values asks again."""

    def nested(self, text: Text) -> list[Step] | None:
        """Return the steps of a string that holds JSON or several lines; None if there are none."""
        value = unwrapped(text.value).strip()  # a string of JSON may hold another
        document = None if value in self.without_steps else self.nesting.document_in(value)
        if document is None:
            return None
        grammar = type(self.grammar)
        inner = _Reader(self.surfaces, self.nesting.inner(), self.in_words, grammar)
        chosen = inner.plan(document)
        if chosen.plan is None or chosen.problems or not chosen.plan.items:
            self.without_steps.add(value)
            return None
        for step in chosen.plan.items:
            step.at = text.at
        return chosen.plan.items

    def plan(self, document: Document) -> _Chosen:
        """Choose the plan that a document means."""
        chosen = self._chosen(document)
        plan = chosen.plan
        if chosen.is_said_empty or chosen.notes:  # a plan may be edited to nothing
            return chosen
        known: list[Step] = []
        is_read = False
        if plan is not None:
            known = [step for step in plan.items if step.is_known]
            is_read = bool(known) and not chosen.problems
            is_sure = is_read and (plan.is_formal or known[0].form != "words")
            is_more_wrong = len(chosen.problems) > len(plan.unread)
            if is_sure or is_more_wrong or plan.is_cut or plan.ends_with_value:
                return chosen
        elif chosen.count > 0:
            return chosen  # all plans are refused
        has_steps_at = sorted(step.at for step in known) if is_read else []
        if not may_be_parted(document, self.grammar, has_steps_at):
            told = _Chosen(None)
        else:
            told = self._chosen(document, in_sentences=True)
        told_steps = [] if told.plan is None or told.problems else told.plan.items
        has_known_step = any(step.is_known for step in told_steps)
        if plan is not None and is_read:
            # "Okay. I walk to the door." may be a step of the plan that stands around the line.
            is_amid = _is_part_of(known, told_steps) and all(
                step.at < plan.end or step.number for step in told_steps
            )
            return told if is_amid and len(told_steps) > len(known) else chosen
        if has_known_step and _is_part_of(known, told_steps):
            return replace(told, rule=told.rule or "amid words")
        steps = whole_steps(document, self.grammar, chosen.problems)
        if len(steps) < 2 or not _is_part_of(known, steps):
            return chosen
        found = Plan(steps, "", steps[0].at, steps[-1].at + len(steps[-1].written))
        return _Chosen(found, "amid words", count=1)

    def _chosen(self, document: Document, *, in_sentences: bool = False) -> _Chosen:
        """Choose the plan that the lines and values of a document mean.

        Args:
            document: The answer.
            in_sentences: Whether sentences without steps are parted from those behind them.
        """
        plans = self._plans_in(document, in_sentences=in_sentences)
        count = len(plans.of_the_task)
        if not plans.pool:
            return _Chosen(
                None, problems=[no_step(text.value, text.at) for text in plans.unread[:3]]
            )
        is_marked = any(plan.is_marked for plan in plans.pool)
        if plans.empty is not None and plans.empty.is_marked and not is_marked:
            return _Chosen(plans.empty, "marked", count=len(plans.pool), is_said_empty=True)
        plan, rule = plans.choose(plans.pool)
        if plans.of_the_task and says_empty(plans.behind, are_done=plan is None):
            end = len(document.text)
            empty_plan = Plan([], "", end, end, is_empty=True)
            return _Chosen(empty_plan, "final", count=count, is_said_empty=True)
        if plan is None:
            return _Chosen(None, rule, count=count)
        rule = rule or _rule_over_values(plan, plans)
        self._spell(plan, document)
        if takes_back(plans.behind or _behind_last_step(plan, document)) and not is_final(
            plan.frame
        ):
            return _Chosen(None, "not rejected", count=count)
        chosen = _Chosen(plan, rule, count=count)
        self._note_problems(plan, plans, chosen)
        return chosen

    def _plans_in(self, document: Document, *, in_sentences: bool) -> _Plans:
        """Return the plans of a document."""
        collector = Collector(self.grammar, document, in_sentences=in_sentences)
        candidates = with_replaced_steps(joined_actors(collector.plans()))
        for candidate in candidates:
            settle(candidate, self.surfaces)
            leave_out_agent(candidate, self.surfaces)
        with_steps = [plan for plan in candidates if plan.items]
        empty = [plan for plan in candidates if not plan.items and plan.is_empty]
        return _Plans(
            document,
            with_steps,
            self._of_the_task(with_steps),
            empty[-1] if empty else None,
            [text for plan in candidates for text in plan.unread],
            collector.decisions,
        )

    def _note_problems(self, plan: Plan, plans: _Plans, chosen: _Chosen) -> None:
        """Report what the answer says against its plan, and steps that were not read."""
        document = plans.document
        _edit(plan, f"{plans.before[-400:]}\n{plans.behind}", chosen)
        ends_before = [other.end for other in plans.with_steps if other.end <= plan.at]
        spans = max(ends_before, default=0), plan.at, plan.end
        remark = remark_that_changes(plan.items, spans, document, self.grammar)
        if remark is not None:
            message = f"{shorten(remark.text)} says something else of a step than the plan"
            chosen.problems.append(AnswerProblem(message, plan.end))
        plan.items, failed = without_repeated_failures(plan.items)
        for step in failed:
            message = f"the answer says that {shorten(str(step.as_read()))} failed"
            chosen.problems.append(AnswerProblem(message, step.at))
        if _is_backward(plan, document):
            message = "the steps are said to be in reverse order"
            chosen.problems.append(AnswerProblem(message, plan.at))
        chosen.problems += [no_step(text.value, text.at) for text in plan.unread]
        _look_beside(plan, plans, chosen)

    def _of_the_task(self, plans: list[Plan]) -> list[Plan]:
        """Return the plans that have an action of the task, without those that abbreviate others.

        What has no action of the task is a plan only where nothing else is.
        """
        known = [each for each in plans if each.has_known_step or is_final(each.frame)] or plans
        if self.surfaces is None or len(known) < 2:
            return known
        return _without_abbreviated(known, self.surfaces.objects)

    def _spell(self, plan: Plan, document: Document) -> None:
        """Mark the last step of a plan if it is cut; give names of PDDL as the task has them."""
        if self.surfaces is None:
            return
        _mark_cut(plan, document, self.surfaces)
        if self.surfaces.predicates:
            for step in plan.items:
                step.written = ""


@dataclass(frozen=True, slots=True)
class _Plans:
    """The plans of a document.

    Args:
        document: The answer.
        with_steps: Those that have steps.
        of_the_task: Those of them that have actions of the task, if any has.
        empty: The last one that says that nothing has to be done; None if none does.
        unread: What of them was not read.
        decisions: Sentences of the values of keys such as ``choice``.
    """

    document: Document
    with_steps: list[Plan]
    of_the_task: list[Plan]
    empty: Plan | None
    unread: list[Text]
    decisions: Sequence[str]

    @property
    def pool(self) -> list[Plan]:
        """The plans that may be meant: the empty one only if there is no other."""
        return self.of_the_task or [plan for plan in (self.empty,) if plan is not None]

    @property
    def before(self) -> str:
        """The text before the first of them."""
        return self.document.text[: min(plan.at for plan in self.pool)]

    @property
    def behind(self) -> str:
        """The text behind the last of them."""
        return self.document.text[max(plan.end for plan in self.pool) :]

    def choose(self, plans: Sequence[Plan]) -> tuple[Plan | None, str]:
        """Return which of some plans is meant, and the rule that says so."""
        return choose(plans, self.behind, "\n".join((self.before, *self.decisions)))


def _rule_over_values(plan: Plan, plans: _Plans) -> str:
    """Return the rule that prefers a plan to values without any action of the task.

    Such a value is no other plan, but it was passed over. Empty if there is none.
    """
    passed_over = [other for other in plans.with_steps if other not in plans.of_the_task]
    if not any(other.ends_with_value for other in passed_over):
        return ""
    over_all, rule = plans.choose(plans.with_steps)
    return rule if over_all is plan else "last"


def _is_backward(plan: Plan, document: Document) -> bool:
    """Whether a plan is said to be in reverse order, or is written so: ``OPEN(x) <- WALK(x)``."""
    written = document.text[plan.at : plan.end]
    return is_reversed(plan.frame) or _BACKWARD_ARROW.search(written) is not None


def _behind_last_step(plan: Plan, document: Document) -> str:
    """Return the last line of a plan in words from its last step on."""
    last = plan.items[-1] if plan.items else None
    if last is None or last.number is not None or plan.ends_with_value:
        return ""
    return document.text[last.at : plan.end]


_BACKWARD_ARROW = re.compile(r"[\w)\]`\"'] {0,2}(?:<-{1,2}(?!>)|\u2190) {0,2}[\w(`\"']")


def _without_abbreviated(plans: list[Plan], known: Mapping[str, str]) -> list[Plan]:
    """Return plans without those that tell another one again, with names that nobody knows.

    Models summarise "Unstack the orange block from the blue block" as ``Unstack(O, B)``.
    """

    def has_unknown_object(plan: Plan) -> bool:
        names = [name for step in plan.items for name in step.arguments]
        return any(squeezed(name) not in known for name in names)

    clear = [_names_of_actions(plan) for plan in plans if not has_unknown_object(plan)]
    kept: list[Plan] = []
    for plan in plans:
        if not has_unknown_object(plan) or _names_of_actions(plan) not in clear:
            kept.append(plan)
    return kept


def _names_of_actions(plan: Plan) -> list[str]:
    """Return the names of the actions of a plan, in order."""
    return [step.name for step in plan.items]


def _mark_cut(plan: Plan, document: Document, surfaces: Surfaces) -> None:
    """Mark the last step as cut if the answer ends with the begin of a longer action's name.

    "place at the counter in the kit" is not "place at the counter", though the task has that, too.
    """
    if not plan.items or plan.items[-1].form != "words":
        return
    last = plan.items[-1]
    written = squeezed(document.text[last.at :]) if len(document.text) - last.at < 200 else ""
    if written and written not in surfaces.actions and written != squeezed(last.name):
        last.is_cut |= any(form.startswith(written) for form in surfaces.actions)


def _is_part_of(steps: Sequence[Step], others: Sequence[Step]) -> bool:
    """Whether steps stand among others in the same order."""
    rest = iter(others)
    return all(any(step.says_same(other) for other in rest) for step in steps)


def _edit(plan: Plan, tail: str, chosen: _Chosen) -> None:
    """Take out the steps that the text behind a plan removes."""
    numbers, other = removed_items(tail)
    if other:
        chosen.problems.append(AnswerProblem("the text behind the plan changes it", plan.end))
    wanted = {number for number in numbers if 0 < number <= len(plan.items)}
    if len(wanted) < len(set(numbers)):
        chosen.problems.append(
            AnswerProblem("the text behind the plan removes a step that is not there", plan.end)
        )
    kept = steps_kept(tail)
    if kept is not None and kept < len(plan.items):
        message = f"the answer says that only {counted(kept, 'step')} of the plan shall be taken"
        chosen.problems.append(AnswerProblem(message, plan.end))
    if wanted:
        plan.items = [step for place, step in enumerate(plan.items, start=1) if place not in wanted]
        named = ", ".join(map(str, sorted(wanted)))
        chosen.notes[f"removed as the answer says: step {named}"] = None


def _look_beside(plan: Plan, plans: _Plans, chosen: _Chosen) -> None:
    """Report steps outside the plan that may belong to it."""
    if is_final(plan.frame) or plan.is_marked:
        return
    for other in plans.with_steps:
        is_refused = other.is_struck or is_rejected(other.frame) or says_failure(other.remark)
        if other is plan or is_refused:
            continue
        step = other.items[0]
        is_added = other.at > plan.at and announces_addition(other.frame)
        is_told_again = any(own.says_same(step) for own in plan.items) and not is_added
        if step.is_weak or is_told_again:
            continue
        if is_added or _may_belong(other, plan, plans.document):
            text = shorten(str(step.as_read()))
            message = f"{text} is a step outside the plan"
            chosen.problems.append(AnswerProblem(message, step.at, text))


def _may_belong(other: Plan, plan: Plan, document: Document) -> bool:
    """Whether another candidate may be a part of the plan that was chosen."""
    step = other.items[0]
    if len(other.items) > 1:
        # A second plan is a matter of choice, but not one of which no action is known.
        return not other.has_known_step and step.form in ("key", "object", "list")
    if step.form != "words":
        return other.is_formal or step.form in ("call", "script", "pddl")
    # A step in words counts if it is whole and stands right behind the plan.
    if not step.arguments or step.lacks_objects or other.is_partial or other.at <= plan.at:
        return False
    return not any(map(str.isalnum, document.text[plan.end : other.at]))


def _finished(document: Document, chosen: _Chosen, max_steps: int) -> PlanReading:
    """Return what was chosen with the positions of the whole answer."""
    cleaned = document.cleaned
    notes = dict.fromkeys(cleaned.notes)
    problems = [*chosen.problems, *document.problems]
    plan = chosen.plan
    steps: tuple[ReadStep, ...] = ()
    status = "none"
    if plan is not None:
        if plan.is_cut or any(step.is_cut for step in plan.items):
            problems.append(AnswerProblem("the answer ends in the middle of a step", plan.end))
        steps = tuple(step.as_read() for step in plan.items if not step.is_cut)
        status = "chosen" if chosen.rule else "clean"
        notes |= _notes_on_plan(plan, document, chosen)
        if not steps and not problems:
            notes["the plan has no steps"] = None
    elif not problems and not cleaned.problems:
        problems.append(_why_no_plan(document, chosen))
    if len(steps) > max_steps:
        message = f"the plan has more than {max_steps:,} steps"
        problems.append(AnswerProblem(message, steps[max_steps].position))
        steps = steps[:max_steps]
    if problems and plan is not None:
        status = "partial"
    listed = tuple(_listed(problems))
    reading = PlanReading(steps, listed, tuple(notes), status=status, rule=chosen.rule)
    if cleaned.offset or cleaned.gaps:
        reading = reading.moved(cleaned.place)
    if cleaned.problems:
        # Their positions are those of the whole answer already.
        reading = replace(reading, problems=(*reading.problems, *cleaned.problems))
    return reading


def _notes_on_plan(plan: Plan, document: Document, chosen: _Chosen) -> dict[str, None]:
    """Return what is noted of a plan: repairs, whether text is around it, and what chose it."""
    notes = plan.notes | chosen.notes
    around = document.text[: plan.at] + document.text[plan.end :]
    if any(map(str.isalnum, around)):
        notes[AROUND] = None
    if chosen.rule:
        notes[f"{counted(chosen.count, 'plan')} in the answer; chosen by: {chosen.rule}"] = None
    return notes


def _listed(problems: list[AnswerProblem]) -> list[AnswerProblem]:
    """Return the first problems, and how many more there are."""
    if len(problems) <= MAX_PROBLEMS:
        return problems
    more = counted(len(problems) - MAX_PROBLEMS, "more problem")
    return [*problems[:MAX_PROBLEMS], AnswerProblem(f"{more} not listed")]


def _why_no_plan(document: Document, chosen: _Chosen) -> AnswerProblem:
    """Return the problem of an answer without a plan: taken back, empty, or none is in it."""
    if chosen.count:
        return AnswerProblem("the answer takes its plan back", written="")
    text = document.text.strip()
    if not text:
        return AnswerProblem(EMPTY)
    return AnswerProblem(NO_PLAN, written=text.partition("\n")[0])
