"""Plans out of answers: document, items, choice, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from eai.answers.choice import (
    ANSWER_TAGS,
    Candidate,
    breaks,
    choose,
    is_final,
    is_rejected,
    removed_items,
    takes_back,
)
from eai.answers.cleaning import Cleaned
from eai.answers.document import Block, Document, document_of, open_document
from eai.answers.grammar import LineReading, Step, StepGrammar, ValueReading, is_aside_key
from eai.answers.plan import (
    EMPTY,
    HEADINGS,
    NO_PLAN,
    AnswerProblem,
    PlanReading,
    ReadStep,
    no_step,
    shorten,
)
from eai.answers.surfaces import Surfaces
from eai.answers.values import Text
from eai.errors import InputError
from eai.task import Vocabulary
from eai.text import counted

MAX_STEPS = 3_000
"""Maximum number of steps of a plan."""
MAX_PROBLEMS = 100
"""Maximum number of problems that are listed for one answer."""
MAX_NESTING = 4
"""Maximum depth of texts in strings in texts."""
MAX_STRINGS = 200
"""Maximum number of strings of one answer that are read as texts of their own."""


@dataclass(slots=True)
class Plan(Candidate[Step]):
    """A plan that an answer may mean.

    Args:
        unread: What stands where a step is expected and is none.
        notes: What was understood or left out.
        values: Number of values of one step each of which it consists.
        is_empty: Whether it is a plan without steps.
    """

    unread: list[Text] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    values: int = 0
    is_empty: bool = False


def read_plan(text: str) -> PlanReading:
    """Return the plan in an answer of which no names are known: only what is clearly a step is read.

    Nothing in an answer raises an error, and nothing is evaluated. The time is linear in the length
    of the text; of very long answers only the first part is read, which is a problem.

    Args:
        text: What the model wrote.

    Returns:
        The steps in order, what could not be read, and what was repaired. Offsets count the
        characters of ``text`` from 0. If there are problems, the steps are those that could be
        read; of a step into which the end of the answer cuts, nothing is given.

    Raises:
        InputError: If ``text`` is not a string.
    """
    return read_with(text, None)


def read_answer(text: str, vocabulary: Vocabulary) -> PlanReading:
    """Return the plan in an answer, read by the names of its task.

    Args:
        text: What the model wrote.
        vocabulary: The names that the answer may use. If it has a reader of its own, that one reads.
    """
    if vocabulary.reader is not None:
        own: PlanReading = vocabulary.reader(text)
        return own
    return read_with(text, surfaces_of(vocabulary))


_KEPT: dict[int, tuple[Vocabulary, Surfaces]] = {}
"""Surfaces by the identity of the vocabulary, which is kept with them so that it stays the same."""
MAX_KEPT = 256


def surfaces_of(vocabulary: Vocabulary) -> Surfaces:
    """Return the written forms of a vocabulary; those of the last vocabularies are kept."""
    kept = _KEPT.get(id(vocabulary))
    if kept is not None:
        return kept[1]
    if len(_KEPT) >= MAX_KEPT:
        _KEPT.clear()
    surfaces = Surfaces.of(vocabulary)
    _KEPT[id(vocabulary)] = vocabulary, surfaces
    return surfaces


def read_with(text: str, surfaces: Surfaces | None) -> PlanReading:
    """Read the plan out of an answer, by the names of a task.

    Args:
        text: What the model wrote.
        surfaces: The names of the task; None if any name may be that of an action.
    """
    if not isinstance(text, str):
        raise InputError(
            f"an answer is {type(text).__name__}, not text", expected="what the model wrote, as str"
        )
    reader = _Reader(surfaces, 0, [MAX_STRINGS])
    document = open_document(text)
    return _finished(document, reader.plan(document))


@dataclass(slots=True)
class _Chosen:
    """What was chosen in a document."""

    plan: Plan | None
    rule: str = ""
    problems: list[AnswerProblem] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    count: int = 0


class _Reader:
    def __init__(self, surfaces: Surfaces | None, depth: int, strings: list[int]) -> None:
        self.surfaces = surfaces
        self.depth = depth
        self.strings = strings
        self.grammar = StepGrammar(surfaces, self.nested)

    def nested(self, text: Text) -> list[Step] | None:
        """Return the steps of a string that holds JSON or several lines; None if there are none."""
        value = text.value.strip()
        is_encoded = value[:1] in ("[", "{") and value[-1:] in ("]", "}")
        is_text = "\n" in value or "```" in value or "<answer" in value
        if not (is_encoded or is_text) or self.depth >= MAX_NESTING or self.strings[0] <= 0:
            return None
        self.strings[0] -= 1
        inner = _Reader(self.surfaces, self.depth + 1, self.strings)
        document = document_of(Cleaned(value, 0, {}, [], [], []))
        chosen = inner.plan(document)
        if chosen.plan is None or chosen.problems or not chosen.plan.items:
            return None
        for step in chosen.plan.items:
            step.at = text.at
        return chosen.plan.items

    def plan(self, document: Document) -> _Chosen:
        """Choose the plan that a document means."""
        candidates = list(_Collector(self.grammar, document).plans())
        for candidate in candidates:
            _settle(candidate, is_free=self.surfaces is None)
        full = [each for each in candidates if each.items]
        empty = [each for each in candidates if not each.items and each.is_empty]
        pool = full or empty[-1:]
        if not pool:
            unread = [text for each in candidates for text in each.unread]
            return _Chosen(None, problems=[no_step(text.value, text.at) for text in unread[:3]])
        last = max(each.end for each in pool)
        tail = document.text[last:]
        plan, rule = choose(pool, tail)
        chosen = _Chosen(plan, rule, count=len(full))
        if plan is None:
            return chosen
        if takes_back(tail) and not is_final(plan.frame):
            return _Chosen(None, "not rejected", count=len(full))
        _edit(plan, tail, chosen)
        chosen.problems += [no_step(text.value, text.at) for text in plan.unread]
        _look_beside(plan, full, chosen)
        return chosen


class _Collector:
    """Puts the steps of a document together to plans."""

    def __init__(self, grammar: StepGrammar, document: Document) -> None:
        self.grammar = grammar
        self.document = document
        self.candidates: list[Plan] = []
        self.current: Plan | None = None
        self.pending: list[str] = []
        self.passed: list[tuple[Text, bool]] = []
        self.place: tuple[object, ...] = ()

    def plans(self) -> Iterator[Plan]:
        """Yield the plans in the order of the document."""
        for block in self.document.blocks:
            if any(r.kind == "tag" and is_aside_key(r.name) and r.name not in ("step", "task") for r in block.regions):
                continue
            place = tuple((r.kind, r.start) for r in block.regions if _frames_blocks(r.kind, r.name))
            if place != self.place:
                self.end_region(place)
                self.place = place
            if block.value is not None:
                self.add_value(block)
            else:
                self.add_line(block)
        yield from self.candidates

    def end_region(self, place: tuple[object, ...]) -> None:
        """Begin a new candidate, except where each step has a fence of its own."""
        if self.current is not None and not (
            len(self.current.items) == self.current.values and self.current.values
        ):
            if self.current.is_formal and len(self.current.items) == 1:
                self.current.values = 1
            else:
                self.current = None

    def begin(self, block: Block, frame: str) -> Plan:
        """Begin a candidate at a block."""
        words = [frame, *(r.name.replace("_", " ") for r in block.regions if r.kind == "tag")]
        plan = Plan(
            [],
            "\n".join(filter(None, [*self.pending[-3:], *words])),
            block.at,
            block.at,
            is_marked=any(r.kind == "tag" and r.name in ANSWER_TAGS for r in block.regions),
            is_struck=block.is_in("struck") or block.is_in("comment"),
            is_formal=block.value is not None or block.fence is not None,
        )
        self.candidates.append(plan)
        self.pending = []
        self.passed = []
        return plan

    def add_value(self, block: Block) -> None:
        """Take in a value: a plan, or one step of a plan whose steps are values."""
        assert block.value is not None  # noqa: S101 - the caller looked
        readings = self.grammar.values(block.value)
        readings = [reading for reading in readings if reading.steps or reading.is_empty or reading.unread]
        lead = block.text.strip()
        if not any(reading.steps for reading in readings):
            if readings and readings[-1].is_empty and not readings[-1].unread:
                plan = self.begin(block, lead)
                plan.is_empty, plan.end, plan.is_cut = True, block.end, block.value.cut
                self.current = None
            elif readings and self.current is None:
                plan = self.begin(block, lead)
                plan.unread = readings[-1].unread
                plan.end = block.end
                self.current = None
            else:
                self.pending.append(lead)
            return
        for reading in readings:
            self.add_reading(block, reading, lead, is_only=len(readings) == 1)
            lead = ""

    def add_reading(self, block: Block, reading: ValueReading, lead: str, *, is_only: bool) -> None:
        current = self.current
        goes_on = (
            current is not None
            and is_only
            and len(reading.steps) == 1
            and current.values == len(current.items)
            and current.values > 0
            and not any(map(breaks, [*self.pending, lead]))
        )
        if not goes_on or current is None:
            frame = " ".join(filter(None, (lead, reading.key.replace("_", " "))))
            current = self.begin(block, frame)
        else:
            self.pending = []
        current.items += reading.steps
        current.unread += reading.unread
        current.notes |= reading.notes
        if reading.left_out:
            current.notes["not read: " + ", ".join(map(shorten, list(reading.left_out)[:10]))] = None
        for repair in self.document.repairs.get(block.at, ()):
            current.notes[repair] = None
        current.is_cut = current.is_cut or reading.is_cut
        current.end = block.end
        current.values += is_only and len(reading.steps) == 1
        self.current = current

    def add_line(self, block: Block) -> None:
        """Take in a line: steps, a part of the step before, or words that frame what follows."""
        text = block.text
        is_code = block.fence is not None and block.fence.name not in ("text", "markdown", "md", "")
        reading = self.grammar.line(text, block.at, is_code=is_code or (block.fence is not None and text.lstrip().startswith("#")))
        if reading.steps:
            self.add_steps(block, reading)
            return
        current = self.current
        if current is not None and current.items and reading.completion and not reading.is_aside:
            last = current.items[-1]
            if last.lacks_objects or last.is_cut:
                missing = max(last.max_objects - len(last.arguments), 0)
                last.arguments += reading.completion[:missing] if last.max_objects >= 0 else reading.completion
                last.is_cut = False
                current.end = block.end
                return
        if reading.is_aside:
            if text.rstrip(" *_").endswith(":") and len(text) < 80:
                self.current = None  # a heading: what follows explains
                self.pending = [text.strip()]
            return
        if text.strip().strip("-*_=") == "":
            self.current = None if text.strip().startswith(("---", "***", "___", "===")) else current
            return
        if current is not None and breaks(text):
            self.current = None
            self.passed = []
        elif current is not None and reading.looks_listed:
            self.passed.append((Text(text.strip(), block.at, block.end), True))
        if any(map(str.isalnum, text)):
            self.pending.append(text.strip())

    def add_steps(self, block: Block, reading: LineReading) -> None:
        """Take in the steps of a line."""
        lead = block.text[: max(reading.steps[0].at - block.at, 0)]
        number = reading.steps[0].number
        framed = is_final(lead) or is_rejected(lead)
        current = self.current
        restarts = number is not None and current is not None and self.restarts(current, number)
        denied = is_rejected(lead) and not is_final(lead)
        if current is None or restarts or framed:
            current = self.begin(block, lead if framed else "")
            if denied:
                current.frame = lead
        else:
            current.unread += [text for text, _ in self.passed]
            self.passed = []
            self.pending = []
        current.items += reading.steps
        for note in reading.notes:
            current.notes[note] = None
        current.end = block.end
        self.current = current

    @staticmethod
    def restarts(current: Plan, number: int) -> bool:
        """Whether a number begins another list: one that the current list has already."""
        numbers = [step.number for step in current.items if step.number is not None]
        if not numbers:
            return number == 1 and bool(current.items)
        if set(numbers) == {number}:
            return False  # every item has the same number, as Markdown allows
        return number in numbers


def _frames_blocks(kind: str, name: str) -> bool:
    """Whether a region parts what stands in it from what stands around it."""
    if kind != "tag":
        return True
    return name in ANSWER_TAGS or bool(is_rejected(name.replace("_", " ")) or is_final(name.replace("_", " ")))


def _settle(plan: Plan, *, is_free: bool) -> None:
    """Decide about doubtful steps, steps that are told twice, and their order."""
    known_forms = {step.form for step in plan.items if step.is_known}
    kept: list[Step] = []
    for step in plan.items:
        is_sure = step.is_known or is_free or step.form in known_forms or not step.is_weak and (
            plan.is_formal or step.form in ("call", "script", "pddl")
        )
        if not is_sure and not step.arguments:
            continue
        if kept and kept[-1].form != step.form and _tells_again(kept, step):
            continue
        kept.append(step)
    if any(not step.is_known for step in kept) and not any(step.is_known for step in kept):
        # Not one action of the task: only what is nothing but steps is a plan.
        kept = kept if is_free or plan.is_formal or len(kept) > 1 or kept[0].form != "words" else []
    full = [step for step in kept if step.max_objects <= 0 or step.arguments]
    if len(full) < len(kept) <= 2 * len(full):
        headings = [step for step in kept if step not in full]
        if not plan.is_formal and all(step.form == "words" for step in headings):
            kept = full
    plan.items = kept
    _order(plan)


def _tells_again(kept: list[Step], step: Step) -> bool:
    """Whether a step says again what the one before says; the fuller one stays."""
    last = kept[-1]
    if last.name != step.name:
        return False
    if last.says_same(step) or not step.arguments:
        return True
    if not last.arguments or last.lacks_objects:
        kept[-1] = step
        return True
    return False


def _order(plan: Plan) -> None:
    """Put steps in the order of their numbers, if each has one and they are all there."""
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


def _edit(plan: Plan, tail: str, chosen: _Chosen) -> None:
    """Take out the steps that the text behind a plan removes."""
    numbers, other = removed_items(tail)
    if other:
        chosen.problems.append(AnswerProblem("the text behind the plan changes it", plan.end))
    wanted = {number for number in numbers if 0 < number <= len(plan.items)}
    if len(wanted) < len(set(numbers)):
        chosen.problems.append(AnswerProblem("the text behind the plan removes a step that is not there", plan.end))
    if wanted:
        plan.items = [step for place, step in enumerate(plan.items, start=1) if place not in wanted]
        named = ", ".join(map(str, sorted(wanted)))
        chosen.notes[f"removed as the answer says: step {named}"] = None


def _look_beside(plan: Plan, full: Sequence[Plan], chosen: _Chosen) -> None:
    """Report steps outside the plan that may belong to it."""
    for other in full:
        if other is plan or other.is_struck or len(other.items) > 1 or is_rejected(other.frame):
            continue
        step = other.items[0]
        said = any(each.says_same(step) for each in plan.items)
        is_near = not step.is_weak and (other.is_formal or step.form in ("call", "script", "pddl"))
        if not said and is_near and not is_final(plan.frame) and not plan.is_marked:
            text = shorten(str(step.as_read()))
            chosen.problems.append(AnswerProblem(f"{text} is a step outside the plan", step.at, text))


def _finished(document: Document, chosen: _Chosen) -> PlanReading:
    """Return what was chosen with the places of the whole answer."""
    cleaned = document.cleaned
    notes = dict.fromkeys(cleaned.notes)
    problems = [*chosen.problems, *document.problems]
    plan = chosen.plan
    steps: tuple[ReadStep, ...] = ()
    status = "none"
    if plan is not None:
        notes |= plan.notes
        notes |= chosen.notes
        cut = next((step for step in plan.items if step.is_cut), None)
        if cut is not None or plan.is_cut:
            problems.append(AnswerProblem("the answer ends in the middle of a step", plan.end))
        steps = tuple(step.as_read() for step in plan.items if not step.is_cut)
        if any(map(str.isalnum, document.text[: plan.at])) or any(map(str.isalnum, document.text[plan.end :])):
            notes["text around the plan"] = None
        status = "chosen" if chosen.rule else "clean"
        if chosen.rule:
            notes[f"{counted(chosen.count, 'plan')} in the answer; chosen by: {chosen.rule}"] = None
        if not steps and not problems:
            notes["the plan has no steps"] = None
    elif not problems and not cleaned.problems:
        if chosen.count:
            problems.append(AnswerProblem("the answer takes its plan back", written=""))
        elif not document.text.strip():
            problems.append(AnswerProblem(EMPTY))
        else:
            written = document.text.strip().partition("\n")[0]
            problems.append(AnswerProblem(NO_PLAN, written=written))
    if len(steps) > MAX_STEPS:
        problems.append(AnswerProblem(f"the plan has more than {MAX_STEPS:,} steps", steps[MAX_STEPS].position))
        steps = steps[:MAX_STEPS]
    if problems and plan is not None:
        status = "partial"
    if len(problems) > MAX_PROBLEMS:
        more = counted(len(problems) - MAX_PROBLEMS, "more problem")
        problems = [*problems[:MAX_PROBLEMS], AnswerProblem(f"{more} not listed")]
    found = PlanReading(steps, tuple(problems), tuple(notes), status=status, rule=chosen.rule)
    if cleaned.offset or cleaned.gaps:
        found = found.moved(cleaned.place)
    if cleaned.problems:
        from dataclasses import replace

        found = replace(found, problems=(*found.problems, *cleaned.problems))
    return found
