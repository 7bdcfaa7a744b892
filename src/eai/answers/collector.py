"""The plans of a document: steps of lines and values, put together where they visibly go on."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain

from eai.answers.candidate_plan import Plan
from eai.answers.candidates import CandidateCollector
from eai.answers.choice import (
    begins_new_try,
    is_final,
    is_rejected,
    rejects_list_above,
    remarks_on_try,
)
from eai.answers.conditions import names_case
from eai.answers.continuation import Between, are_at_a_time, carries_on, lead_further
from eai.answers.decisions import names_option
from eai.answers.document import Block, Document
from eai.answers.failures import marks_failure, reports_failure
from eai.answers.grammar import StepGrammar
from eai.answers.items import (
    LONGEST_LINE,
    LineReading,
    Step,
    ValueReading,
    are_alike,
    are_same,
    is_same_step,
)
from eai.answers.keys import is_aside_key, is_object_key
from eai.answers.parts import number_of_part
from eai.answers.plan import shorten, words_of
from eai.answers.program import BEFORE_LIST, BULLET, Program, indent_of, runs_variable
from eai.answers.retractions import sentences_of
from eai.answers.sentences import sentence_end, third_person
from eai.answers.stated_goals import gaps_at_goals, is_goal_behind_list
from eai.answers.step_edits import labels_correction, replaced_step
from eai.answers.step_remarks import read_remark
from eai.answers.taken_out import NEEDLESS, TAKEN
from eai.answers.told_steps import find_told_clause
from eai.answers.unclear import has_number, is_like_call, is_like_step
from eai.answers.unclear_lines import UnclearLines, bullet_of
from eai.answers.values import Group, Item, Pair, Text
from eai.text import has_words, lazy_pattern, line_start

_ARGUMENT_TAGS = frozenset(["arg", "argument", "arg_value", "parameter", "param"])
"""Elements that hold an argument of a call: a number in one counts no step."""
_MENTIONED = re.compile(
    r"[`\"'*]{0,3}[ \t]{1,3}(?:is|are|was|were|would|will|can|could|should|does|did|has|had)\b"
)
_IF_NOT = re.compile(r"\s*if\s*\(?\s*(?:not\b|!)")
_ASSIGNS = re.compile(r"\s*(?:(?:const|let|var|auto)\s+)?\w+\s*:?=\s*(?:await\s+)?")
_REASON = re.compile(r"\b(?:because|since|otherwise|so that|in order)\b", re.IGNORECASE)
_HEADS_STEP = re.compile(r"\W*(?:step|action)\s+\d", re.IGNORECASE)
_VERSION = re.compile(r"\W*v?\d{1,4}\.\d{1,4}\.\d")
"""A heading that is a version, ``## 1.0.2``, whose last part numbers no step."""
_LEADS_ON = re.compile(r"\b(?:of|like|as|try|say|propose|suggest)\W*$", re.IGNORECASE)
"""The end of a line whose sentence goes on in the next line."""
_EXTENDS = re.compile(r"\.(?:append|extend|push|add|insert)\s*\(\W*$|\+=\W*$")
_WHO = r"(?:i|we|you|it|he|she|the robot|the agent)"
_DONE_BEFORE = re.compile(
    r"\b(?:having|after|once|when|upon|following|as soon as|now that|since)"
    rf"(?: {_WHO}(?:['\u2019](?:s|re|ve|m))?)?"
    r"(?: (?:have|has|had|is|are|am|was|just|now|first|been|having|done|with|the|that"
    r"|(?:finish|complet)(?:es|e|ed|ing)?))*[\s*_`\"']*$",
    re.IGNORECASE,
)
"""Words before a step that take it for done: "after it has", "once it is done"."""
_IS_DOING = re.compile(
    r"\b(?:(?:is|am|are)(?: now| currently)?|(?:['\u2019](?:s|m|re))(?: now| currently))\s*$",
    re.IGNORECASE,
)
"""Words before a step that may be a state: "is now" sitting."""
_AROUND_VERB = re.compile(
    # "once it has finished walking", "once it has walked", "upon walking"
    r"\b(?:after|once|when|upon|as soon as|now that)"
    rf" (?:{_WHO}(?:['\u2019](?:s|re|ve|m))? )?(?:(?:have|has|had|is|are|am|was|just|now|having) )"
    r"{0,3}(?:finish(?:es|ed|ing)?|complet(?:es|ed|ing)|done)(?: with)?(?= [a-z]{2,20}ing\b)"
    rf"|\b(?:after|once|when|as soon as|now that) {_WHO}"
    r"(?:['\u2019](?:s|ve)| (?:have|has|had)) (?P<done>[a-z]{2,20})\b"
    r"|\b(?:upon|following)(?= [a-z]{2,20}ing\b)"
    # "starts by walking", "begins its journey by walking", "proceeds to walk"
    r"|\b(?:start|begin|continue|finish|end)(?:s|es)? (?:off |out |(?:its|their|my|our|the)"
    r"(?: [a-z]{3,12}){1,2} )?(?:by|with) (?P<gerund>[a-z]{2,20}ing)\b"
    r"|\b(?:proceeds?|go(?:es)? on|moves? on) to (?P<base>[a-z]{2,20})\b",
    re.IGNORECASE,
)
"""Words around a verb that say only when in a plan its step is taken."""
_MAY_BE_AROUND_VERB = (
    "after", "once", "when", "upon", "soon as", "now that", "following", "start", "begin",
    "continue", "finish", "end", "proceed", "on to",
)  # fmt: skip
"""A line without any of these has no such words, which is quickly seen."""
_THERE = re.compile(
    r"(?<!\bonce )(?<!\bwhen )(?<!\bfrom )\bthere\b(?! (?:is|are|was|were|will)\b)"
    r"|\b(?:on|onto|in|into|inside|at) (?:top of )?it\b",
    re.IGNORECASE,
)
_WHERE_BEFORE = re.compile(r"\b(?:where|there)\b[^.;:!?\n]{0,30}$", re.IGNORECASE)
"""Words behind, and before, a step for the place to which a step before went."""
_BETWEEN_CLAUSES = re.compile(r"[,;:\n]|[.!?](?:\s|$)|\b(?:and|then)\b", re.IGNORECASE)
_MAX_DONE = 80
"""Number of characters before a step in which words that take it for done stand."""
_TAKEN_FOR_DONE = re.compile(
    rf"\b(?:once|when|after|as soon as) {_WHO}"
    r"(?: have| has| had|['\u2019](?:ve|s)) (?P<done>(?:[^,.;]|\.(?=\S)){3,80}),\s*"
    r"(?:(?:i|we|you|it|he|she|then|the robot|the agent)\s+){0,2}$",
    re.IGNORECASE,
)
"""A clause that takes a step for done: "Once you have walked to the door,"."""
_IS_HEADING = re.compile(r"(?:(?:the|my|new) )?(?:plan|steps|actions|sequence)$", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"\b(?:after|with|by|at|in) (?:the|this|that) (?:last|final) (?:step|action)\b", re.IGNORECASE
)
"""Words that point to the last step of a plan that stands above them."""
_IN_HAND = re.compile(
    r"[\W_]*((?:current (?:sub-?task|step|action|move)|sub-?task)[\W_]*:)",
    re.IGNORECASE,
)
"""The label of the step in hand, which the plan above it has already: ``SUBTASK: Walk ...``."""
_NAMES_STEP = re.compile(
    r"\W*(?:the|my|our) (?:very )?(?:first|second|third|fourth|fifth|next to last|last|final)"
    r" (?:step|action|move)\b",
    re.IGNORECASE,
)
_IS_SUBJECT = re.compile(
    r"[^\w(]*(?:(?:the )?step [^\w(]*)?(?:[^\W\d][\w.-]*)?\([^()\n]*\)"
    r"[`*\]\"')]{0,4}\s+(?:then |also |only |already )?"
    r"(?:is|was|has|comes|goes|makes|does|gets|lets|sets|puts|needs|brings|ensures|allows|enables"
    r"|provides|prepares|completes|satisfies|achieves|establishes|guarantees|moves|leads|requires"
    r"|takes|serves)\b(?!\s*[:(])"
    r"|\W*(?:after|once|upon|following|with|without|before|thanks to|given)\s[`*\"']{0,4}"
    r"(?:[^\W\d][\w.-]*)?\([^()\n]*\)[`*\"']{0,4},\s(?![^\n]*\()",
    re.IGNORECASE,
)
"""The begin of a sentence about a call: ``WALK(hall) comes first``, ``After WALK(hall), ...``."""
_CHANGES_STEP = re.compile(
    rf"\b(?:not|never|no|wrong|again|twice|instead|missing|forgotten|replaced|optional|if|unless"
    rf"|unsafe|needless|{TAKEN}|{NEEDLESS})\b|n['\u2019]t\b",
    re.IGNORECASE,
)
"""Words of a sentence that may change the step of which it speaks."""
_DENIES_LIST = re.compile(
    r"(?:(?:but|yet) (?:it|that|this|they) )?"
    r"(?:(?:would|will|could|can|does|is|are|was|were)(?: (?:not|never)|n['\u2019]t)|cannot"
    r"|(?:would|will) (?:fail|break|violate)|(?:fails|breaks|violates)(?= \w)"
    r"|(?:is|are|would be) (?:wrong|invalid|too))\b(?! (?:be )?(?:skipped|omitted|left|only|just))"
)
"""The end of a sentence that a list interrupts: "Doing only", the list, "would not be enough."."""
_STEP_ACTS = re.compile(
    r"\W*(?:then |and |so )?(?:step|action) \d{1,4} (?:then |only |just )?[a-z]{2,}s\b",
    re.IGNORECASE,
)
"""The begin of a sentence that says what a step does: "Step 2 opens the door"."""
_TELLS_PLAN = re.compile(
    r"\W*(?:[^\W\d_]+,? ){0,3}(?:i|we|(?:the |my )?(?:robot|agent))\b(?![.:=(\[])", re.IGNORECASE
)
"""The begin of a line that says who acts; that of ``robot.find("Desk")`` does not."""
_TELLS_STEP = lazy_pattern(r"\W*(?:i|we|(?:the |my )?(?:robot|agent))\b", re.IGNORECASE)
"""The begin of a line that says who acts, without a word such as "then" before it."""
_TITLE = lazy_pattern(
    r"[ \t]{0,3}(?:#{1,6}[ \t][^\n]*|(?:[-*+][ \t]+)?(\*\*|__)[^\n]*\1[ \t:]*)$", re.MULTILINE
)
"""A line that is a heading, or bold as a whole."""
MAX_NEAR = 5
"""Maximum number of steps between a step to a place and one there."""
MAX_RETOLD = 200
"""Maximum number of steps of a list that are compared with the sentences below it."""
_SAYS_WHY = re.compile(
    r"[^\n]*?\)[`*)\],\s]{1,6}(?:is|was|has|makes|ensures|brings|puts|lets|serves|only|may look)\b",
    re.IGNORECASE,
)
"""A step and its purpose: ``(WALK(hall)) is needed``."""
_SENTENCE_END = re.compile(r"[.!?]\s+(?=[^\W\d])")
_IT_IS_ROBOT = lazy_pattern(r"^([^\n]{0,200}\brobot\b[^.!?\n]{0,200}[.!?]\s)It(?=\s)")
_ANNOUNCED = re.compile(r"(?<=[^\s\d][.!?;])\s+(?=([^.!?:;()]{2,60}):)")


class Collector(CandidateCollector[Plan]):
    """Puts the steps of a document together to plans.

    Blocks are read in their order. Each adds steps to the current plan, begins another plan, or is
    remembered as text between the plan and the steps that follow.

    Args:
        grammar: Reads the steps of a line or a value.
        document: The answer.
        in_sentences: Whether a line may have steps behind sentences without any.
        starts: Offsets of blocks that begin a plan, whatever stands before them.
    """

    def __init__(
        self,
        grammar: StepGrammar,
        document: Document,
        *,
        in_sentences: bool = False,
        starts: frozenset[int] = frozenset(),
    ) -> None:
        """Begin without a plan; :meth:`read_plans` reads the document."""
        super().__init__(Plan, document, starts)
        self.grammar = grammar
        self.in_sentences = in_sentences
        self.program = Program(grammar, document.text)
        self.unclear = UnclearLines(document)
        # Number of the line above the next step, and where the line is if it is a heading.
        self.heading_number: int | None = None
        self.heading_offset = -1
        # Sentences of the values of keys such as "choice".
        self.decisions: list[str] = []

    def read_plans(self) -> Iterator[Plan]:
        """Yield the plans in the order of the document."""
        parted_blocks = _part_at_framing_sentences(self.document.blocks)
        blocks: Iterator[Block] = map(self.with_plain_order, parted_blocks)
        if self.in_sentences:
            blocks = chain.from_iterable(map(self.split_before_steps, blocks))
        for block in blocks:
            if _is_left_out(block):
                continue
            self.enter_regions(block)
            line = self.line_of(block)
            if self.program.is_never_reached(line):
                continue
            if block.value is not None:
                self.add_value(block, block.value)
            else:
                self.add_line(block)
            if block.fence is not None or self.program.defined:
                self.program.end_run(line)
        self.unclear.note_below(self.current)
        yield from self.candidates

    def with_plain_order(self, block: Block) -> Block:
        """Return a line with few words around the verbs that say when their steps are taken."""
        if block.value is not None:
            return block
        lowered_text = block.text.lower()
        if block.text.isascii() and not any(word in lowered_text for word in _MAY_BE_AROUND_VERB):
            return block
        text = _AROUND_VERB.sub(self.plain_words, block.text)
        return block if text == block.text else Block(block.at, text, None, block.regions)

    def plain_words(self, words: re.Match[str]) -> str:
        """Return "after walks" for "once it has walked", and "walk" for "proceed to walk".

        They are filled up with blanks to the same length. "Once it has water" stays as it is.
        """
        sentences = self.grammar.surfaces.sentences
        if words["gerund"] or words["base"]:
            verb = sentences.bases.get((words["gerund"] or words["base"]).lower(), "")
            is_third_person = words[0].split()[0].lower().endswith("s")
            form = third_person(verb) if is_third_person else verb
            return form.rjust(len(words[0])) if verb else words[0]
        verb = sentences.verb_of_participle(words["done"] or "")
        if words["done"] and not verb:
            return words[0]
        conjunction = "after" if len(words[0]) > len("upon") else "once"
        form = f" {third_person(verb)}" if verb else ""
        return f"{conjunction}{form}".ljust(len(words[0]))

    def split_before_steps(self, block: Block) -> Iterator[Block]:
        """Yield a line in two parts if its steps stand behind sentences without any.

        An example is "Sure, that is easy! Walk to the hall and open the door."
        """
        if block.value is None:
            # "There was a robot. It walked to the hall": the pronoun means the robot.
            text = _IT_IS_ROBOT.sub(r"\1He", block.text, count=1)
            block = Block(block.at, text, None, block.regions)
        begin = self.find_first_sentence_with_steps(block)
        if begin == 0:
            yield block
            return
        text = block.text
        yield Block(block.at, text[:begin].rstrip(), None, block.regions)
        colon = text.find(":", begin)
        if colon >= 0 and _ANSWERS.search(text, 0, colon):
            begin = colon + 1  # the label of an answer to a question presents no final plan
        yield Block(block.at + begin, text[begin:], None, block.regions)

    def find_first_sentence_with_steps(self, block: Block) -> int:
        """Return where in a line the first sentence with steps begins.

        0 if the line begins with its steps, has none, or may tell one before them.
        """
        text = block.text
        if block.value is not None or len(text) > LONGEST_LINE:
            return 0
        reading = self.grammar.read_line(text, 0)
        # "Reasoning: the hand must be free. Putting down the cup ensures it." explains to its end.
        if reading.steps or reading.is_aside:
            return 0
        for gap in _SENTENCE_END.finditer(text):
            begin = gap.end()
            if self.may_tell_step(text[:begin]):
                return 0
            if self.grammar.read_line(text[begin:], 0).steps:
                return begin
        return 0

    def may_tell_step(self, sentences: str) -> bool:
        """Whether sentences may tell a step: they have an action, or begin with a verb.

        An example without an action of the task is "I go to the hall".
        """
        surfaces = self.grammar.surfaces
        present = surfaces.sentences.in_present(sentences)
        mentions = surfaces.add_split_actions(
            present, surfaces.find_mentions(present), is_inflected=True
        )
        if any(mention.is_action for mention in mentions):
            return True
        if find_told_clause(sentences, 0, len(sentences), surfaces):
            return True
        text = f". {sentences}"
        for clause in surfaces.sentences.find_clauses(text, 0, len(text)):
            if surfaces.objects_in(text[clause.start : clause.stop]):
                return True
        return False

    def line_of(self, block: Block) -> str:
        """Return the text of a line, or the begin of the line on which a value stands."""
        if block.value is None:
            return block.text
        text = self.document.text
        return text[line_start(text, block.at) : block.at]

    def enter_regions(self, block: Block) -> bool:
        """Note that a fence or a framing element begins or ends; return False if none does."""
        is_closed = any(kind == "block" for kind, _ in self.regions)
        if not super().enter_regions(block):
            return False
        self.between.is_closed = self.between.is_closed or is_closed
        self.program.ended = None
        return True

    @property
    def last_step(self) -> Step | None:
        """The last step of the current plan; None if there is no plan, or it has no steps."""
        if self.current is None or not self.current.items:
            return None
        return self.current.items[-1]

    def begin_candidate(self, block: Block, *framing: str) -> Plan:
        """Begin a plan at a block.

        Args:
            block: The block of its first steps.
            framing: Words of the block that frame the plan.
        """
        heading = self.between.last_words
        names = [region.name.replace("_", " ") for region in block.tags]
        decisive_names = [name for name in names if is_final(name) or is_rejected(name)]
        self.unclear.note_below(self.current)
        plan = super().begin_candidate(block, *framing, *decisive_names)
        plan.heading = heading
        return plan

    def add_value(self, block: Block, value: Group) -> None:
        """Add a value: a plan, or some of the steps of a plan whose steps are values."""
        words_before = block.text.strip()
        is_mentioned = words_before != "" and _MENTIONED.match(self.document.text, block.end)
        if self.current is not None and is_mentioned:
            # "Note that {...} is not needed": the value is the subject of a sentence.
            self.current.notes[f"not read: {shorten(words_before)}"] = None
            return
        readings = self.grammar.read_plans(value)
        if value.kind == "object" and self.grammar.surfaces.find_action(words_before) is not None:
            words_before = ""
            # ``walk {"to": "hall"}`` is one step, unless the object has steps itself.
            if not any(step.is_known for reading in readings for step in reading.steps):
                value = _as_call(block, value)
                block = Block(block.at, "", value, block.regions)
                readings = self.grammar.read_plans(value)
        self.program.define_function(block.text)
        if words_before and self.add_steps_before_value(block):
            words_before = ""
        if any(reading.steps for reading in readings):
            self.add_readings(block, readings, words_before)
        else:
            self.add_value_without_steps(block, value, readings, words_before)

    def add_readings(
        self, block: Block, readings: Sequence[ValueReading], words_before: str
    ) -> None:
        """Add the plans of a value.

        Args:
            block: The block of the value.
            readings: The plans in it, one of which has steps.
            words_before: The words before it on its line; empty if they were read as steps.
        """
        is_only = len(readings) == 1
        if readings[0].decision:
            self.decisions.append(readings[0].decision)
        for reading in readings:
            self.add_reading(block, reading, words_before, is_only=is_only)
            words_before = ""  # the words before a value speak of its first plan

    def add_steps_before_value(self, block: Block) -> bool:
        """Add the steps that stand before a value on its line; return False if there are none."""
        begin = block.at - len(block.text)
        reading = self.grammar.read_line(block.text, begin)
        # "root.add_children([" is code around the value.
        is_code = any(step.is_cut and not step.is_known for step in reading.steps)
        if not reading.steps or is_code:
            return False
        if reading.steps[-1].pronoun_place >= 0:
            return False  # "turn it on: [fridge.40]"
        self.add_steps(Block(begin, block.text, None, block.regions), reading)
        return True

    def add_value_without_steps(
        self, block: Block, value: Group, readings: Sequence[ValueReading], words_before: str
    ) -> None:
        """Add a value without steps: the objects of the step before it, or an empty plan.

        Args:
            block: The block of the value.
            value: The value.
            readings: The plans in it, none of which has steps.
            words_before: The words before it on its line; empty if they were read as steps.
        """
        if block.text.strip() and not words_before and self.current is not None:
            self.add_objects_behind_step(self.current, block, value)
            return
        # {"plan": []} says that nothing has to be done; {} may stand for no objects.
        is_empty_plan = bool(value.items) and any(reading.is_empty for reading in readings)
        if not is_empty_plan and self.completes_step_before(block, value):
            return
        reading = readings[-1] if readings else None
        if reading is None or (self.current is not None and not reading.is_only_empty):
            self.note_unclear_value(block, words_before)
            self.between.words.append(words_before)
            return
        plan = self.begin_candidate(block, words_before)
        plan.end = block.end
        plan.unread = reading.unread
        plan.is_empty = reading.is_only_empty
        plan.is_cut = plan.is_empty and value.cut
        self.current = None

    def add_objects_behind_step(self, current: Plan, block: Block, value: Group) -> None:
        """Add the objects in a value to the step before it on its line: ``walk: {"to": "hall"}``.

        Args:
            current: The plan whose last step stands before the value.
            block: The block of the value.
            value: The value.
        """
        last_step = current.items[-1]
        # "WALK(hall) [cost: 2]" names its objects already.
        if last_step.lacks_objects or self.document.text[block.at] != "[":
            last_step.arguments = self.grammar.objects_completing(last_step, value)
        current.end = block.end

    def note_unclear_value(self, block: Block, words_before: str) -> None:
        """Remember a value of objects as an unclear line if its words may be an unknown action.

        ``turn it on: [fridge.40]`` amid steps may be a step.

        Args:
            block: The block of the value.
            words_before: The words before the value on its line.
        """
        word_count = len(words_of(words_before))
        is_about_objects = is_object_key(words_before) or is_aside_key(words_before)
        if self.current is None or not 0 < word_count < 6 or is_about_objects:
            return
        line = self.document.text[block.at - len(block.text) : block.end]
        if "\n" not in line and is_like_step(
            words_before.rstrip(": "), names_object=word_count > 1
        ):
            unclear_line = Block(block.end - len(line), line, None, block.regions)
            reading = LineReading(is_like_step=True)
            self.unclear.remember_line(
                unclear_line, reading, self.current, self.between, is_code=False
            )

    def completes_step_before(self, block: Block, value: Group) -> bool:
        """Add the objects in a value to the step before it; return False if they are not its own.

        The value behind a step without objects may be an object such as ``{}``.
        """
        current = self.current
        if current is None or not current.items:
            return False
        last_step = current.items[-1]
        takes_none = last_step.max_objects == 0
        if not last_step.lacks_objects and not (takes_none and value.kind == "object"):
            return False
        objects = self.grammar.objects_completing(last_step, value)
        if last_step.lacks_objects and objects:
            last_step.arguments = objects
        current.end = block.end
        self.between.words = []
        return bool(objects) or takes_none

    def add_reading(
        self, block: Block, reading: ValueReading, words_before: str, *, is_only: bool
    ) -> None:
        """Add one plan of a value: to the current plan if it carries that on, else as a new plan.

        Args:
            block: The block of the value.
            reading: The plan under one key of the value.
            words_before: The words before the value on its line.
            is_only: Whether the value holds no other plan.
        """
        self.between.is_extended = _EXTENDS.search(words_before) is not None
        # Another try breaks the plan, but a heading such as "Part 2:" goes on.
        has_break = any(map(begins_new_try, [*self.between.words, words_before]))
        is_carried_on = (
            is_only
            and carries_on(
                self.current, reading.steps, self.between, as_value=True, heading=words_before
            )
            and (not has_break or number_of_part(words_before) > 0)
        )
        replaced_number = self.number_of_replaced_step(words_before)
        plan = self.current
        if plan is None or replaced_number or not is_carried_on:
            plan = self.begin_candidate(block, _frame_of(words_before, reading.key))
            plan.replaces = replaced_number
        plan.heading = self.between.last_words or words_before or plan.heading
        self.unclear.add_lines_behind_to(plan)
        self.unclear.lines_below = []
        self.between.words = []
        self.between.is_parted = True
        self.add_steps_of_value(plan, block, reading)

    def add_steps_of_value(self, plan: Plan, block: Block, reading: ValueReading) -> None:
        """Add the steps of a value to a plan, with its unread texts, its notes and its repairs."""
        self.program.replace_names(reading.steps)
        plan.add_steps(reading.steps)
        if are_at_a_time(reading.steps):
            plan.regions += len(reading.steps)
        plan.ends_with_value = True
        plan.unread += reading.unread
        plan.notes |= reading.notes
        if reading.left_out:
            left_out = ", ".join(map(shorten, list(reading.left_out)[:10]))
            plan.notes[f"not read: {left_out}"] = None
        for repair in self.document.repairs.get(block.at, ()):
            plan.notes[repair] = None
        plan.is_cut = plan.is_cut or reading.is_cut
        plan.end = block.end

    def add_line(self, block: Block) -> None:
        """Add a line: steps, objects of the step before it, or words that frame what follows."""
        is_code = _is_code(block)
        reading = self.grammar.read_line(block.text, block.at, is_code=is_code)
        text = block.text
        if len(text) > self.grammar.longest_line:
            # A paragraph: what frames a plan stands at its begin or at its end.
            text = f"{text[:200]} {text[-200:]}"
        if self.program.should_skip(text) or self.program.take_definitions(text):
            return
        if is_code and self.program.is_commented_out(text):
            self.between.words = []  # the words before the comment framed it
            return
        reading.steps = [step for step in reading.steps if not self.document.is_struck(step.at)]
        has_known_step = any(step.is_known for step in reading.steps)
        if reading.steps and not has_known_step and remarks_on_try(text):
            reading = LineReading()
        # Calls of functions that the answer defines are no steps; their bodies are read.
        if any(map(self.program.is_call_of_own, reading.steps)):
            return
        if reading.steps:
            self.add_steps_of_line(block, text, reading)
        else:
            self.add_line_without_steps(block, text, reading, is_code=is_code)

    def add_steps_of_line(self, block: Block, text: str, reading: LineReading) -> None:
        """Add the steps of a line, unless the line only speaks of them.

        Args:
            block: The line.
            text: Its text, shortened if it is a paragraph.
            reading: Its steps.
        """
        if self.speaks_of_steps(block, reading):
            return
        only_speaks = self.narrates_list(text, reading.steps) or self.runs_list(text, reading.steps)
        if self.current is not None and only_speaks:
            self.current.notes[f"not read: {shorten(text.strip())}"] = None
            return
        reading.steps[-1].is_failed = marks_failure(text)
        self.add_steps(block, reading)
        if _IF_NOT.match(text):
            self.program.skip_below(text)  # what is done should the step fail

    def narrates_list(self, text: str, steps: Sequence[Step]) -> bool:
        """Whether steps are told by sentences that speak of the list above them.

        Such a sentence is in the first or third person, "The robot opens the door", and no step of
        the list is. What will be done, "I will open the door", has to be in the list, unless it
        stands below the title of its step.

        Args:
            text: The line.
            steps: Its steps.
        """
        last_step = self.last_step
        if self.current is None or last_step is None or last_step.is_narrated:
            return False
        if steps[0].number is not None:
            return self._says_what_item_does(text, last_step)
        may_name_goal = self.heading_number is None and not self.regions
        if may_name_goal and is_goal_behind_list(text, steps, self.current):
            return True
        if last_step.number is None and last_step.form == "words":
            return False
        if all(step.is_narrated for step in steps):
            return True
        are_told = all(step.form == "words" and step.number is None for step in steps)
        if not are_told or _TELLS_PLAN.match(text) is None:
            return False
        if _TELLS_STEP.match(text) and self._is_title(last_step, text):
            return True
        return _are_in_order(steps, self.current)

    def _says_what_item_does(self, text: str, last_step: Step) -> bool:
        """Whether a numbered line is no item of the list above, but says what an item does.

        An example is "Step 2 opens the door", where the items of the list are written otherwise.
        """
        line_of_last_step = line_start(self.document.text, last_step.at)
        is_alike = _STEP_ACTS.match(self.document.text, line_of_last_step) is not None
        return _STEP_ACTS.match(text) is not None and not is_alike

    def _is_title(self, step: Step, text_below: str) -> bool:
        """Whether a call is the title of the text below it: ``**walk(hall)**``, ``1. walk(hall)``.

        Below an item with a number, only a bullet belongs to it.
        """
        if step.form != "call" or step.lacks_objects:
            return False
        text = self.document.text
        if step.number is not None and text_below.lstrip()[:1] in ("-", "*", "+", "\u2022"):
            return True
        return _TITLE.match(text, line_start(text, step.at)) is not None

    def runs_list(self, text: str, steps: Sequence[Step]) -> bool:
        """Whether a call only runs the list above it, in a task that has RUN: ``run(plan)``."""
        current = self.current
        if current is None or not current.ends_with_value or not current.items:
            return False
        if not is_like_call(text):
            return False
        first_offset = current.items[0].at
        text_before = self.document.text[max(first_offset - BEFORE_LIST, 0) : first_offset]
        objects = self.grammar.surfaces.objects
        return all(runs_variable(step, text_before, objects) for step in steps)

    def add_line_without_steps(
        self, block: Block, text: str, reading: LineReading, *, is_code: bool
    ) -> None:
        """Add a line without steps: objects or the failure of the step above, or other words."""
        robot_reading = self.read_robot_narration(block, text)
        if robot_reading is not None:
            self.add_steps_of_line(block, text, robot_reading)
            return
        if self.denies_list_above(block):
            return
        self.note_failure(block, text)
        if self.current is not None and not is_code and names_case(text):
            # "If it rains:" amid the steps, and below it what is done then.
            self.current.unread.append(Text(text.strip(), block.at, block.end))
            return
        if self.completes_step(block, reading):
            return
        if reading.is_aside and _ends_with_colon(text):
            self.skip_explanations_below(text)
        elif reading.is_aside and _LEADS_ON.search(text) and is_rejected(text):
            self.break_plan(text)  # "Check: one might think of", and what is thought of
        elif not (reading.is_aside or reading.is_negated):
            self.add_framing_line(block, text, reading, is_code=is_code)

    def speaks_of_steps(self, block: Block, reading: LineReading) -> bool:
        """Whether a line speaks of its steps instead of telling to take them."""
        if reading.number is not None:
            return False
        if self.current is not None and _POINTS_BACK.search(block.text):
            return len(reading.steps) == 1 and self.current.has_step(reading.steps[0])
        if self.current is not None and self.explains_step(block, reading, self.current):
            return True
        remark = read_remark(block.text, self.grammar)
        return remark is not None and remark.tells_no_step

    def explains_step(self, block: Block, reading: LineReading, current: Plan) -> bool:
        """Whether a line says why a step of a plan is taken: ``The first step (...) is needed``.

        Where the plan itself consists of such sentences, the line is another step of it. A sentence
        that begins with the step itself, ``WALK(hall) comes first``, is not laid out like the plan.
        """
        step = reading.steps[0]
        if _IS_SUBJECT.match(block.text) and _CHANGES_STEP.search(block.text) is None:
            text_between = self.document.text[current.end : block.at]
            is_apart = "\n\n" in text_between or step.place != current.items[-1].place
            return is_apart and all(map(current.has_step, reading.steps))
        if len(reading.steps) != 1 or not _NAMES_STEP.match(block.text):
            return False
        # Behind the cheap test: a list of thousands of steps would be gone through for each line.
        if not current.has_step(step):
            return False
        text = self.document.text
        if _NAMES_STEP.match(text, line_start(text, current.items[-1].at)):
            return False
        return _SAYS_WHY.match(block.text, step.at - block.at) is not None

    def denies_list_above(self, block: Block) -> bool:
        """Strike the plan above a line if that ends a sentence around it: "... would not do."."""
        current = self.current
        if current is None or not current.items or _DENIES_LIST.match(block.text) is None:
            return False
        if has_words(self.document.text[current.end : block.at]):
            return False
        current.is_struck = True
        current.end = block.end
        self.current = None
        # Sentences behind the denial may frame the next plan: "So do this:".
        self.between = Between(words=sentences_of(block.text)[1:])
        return True

    def note_failure(self, block: Block, text: str) -> None:
        """Mark the step right above a line as failed if the line says so."""
        current = self.current
        if current is None or not current.items or _ends_with_colon(text):
            return
        text_between = self.document.text[current.end : block.at]
        if not has_words(text_between) and reports_failure(text):
            current.items[-1].is_failed = True

    def number_of_replaced_step(self, words_before: str) -> int:
        """Return the number of the step of the current plan that the next one replaces; 0 if none.

        Args:
            words_before: The words before the next step on its line: "Step 3 should be:".
        """
        if self.current is None:
            return 0
        number = replaced_step(f"{self.between.last_words} {words_before}")
        # The current plan may be a correction itself, and the step one of the plan before it.
        return number if self.current.replaces or number <= len(self.current.items) else 0

    def completes_step(self, block: Block, reading: LineReading) -> bool:
        """Add the objects in a line to the step above; return False if that step lacks none."""
        current = self.current
        if current is None or not current.items or not reading.completion or reading.is_aside:
            return False
        last_step = current.items[-1]
        if not (last_step.lacks_objects or last_step.is_cut):
            return False
        objects = reading.completion
        if last_step.max_objects >= 0:
            objects = objects[: max(last_step.max_objects - len(last_step.arguments), 0)]
        last_step.arguments += objects
        last_step.keys += [reading.label] * len(objects)
        action = self.grammar.surfaces.by_name.get(last_step.name)
        if action is not None and len(last_step.keys) == action.max_objects:
            named_objects = list(zip(last_step.keys, last_step.arguments, strict=True))
            last_step.arguments = self.grammar.in_order(named_objects, action)
        last_step.is_cut = False
        current.end = block.end
        return True

    def skip_explanations_below(self, heading: str) -> None:
        """Skip the lines that explain below a line with a colon, or let it end the plan above it.

        Lines are skipped below a bullet, or below a heading that is indented more than the plan.
        """
        is_bullet = BULLET.match(heading) is not None
        current = self.current
        if current is not None and (is_bullet or indent_of(heading) > current.indent):
            self.program.skip_below(heading, has_bullets=not is_bullet)
        elif len(heading) < 80:
            self.break_plan(heading)

    def break_plan(self, text: str) -> None:
        """Let a line end the plan above it and frame the plan below it."""
        self.between.is_broken = True
        self.between.words = [text.strip()]

    def add_framing_line(
        self, block: Block, text: str, reading: LineReading, *, is_code: bool
    ) -> None:
        """Add a line without steps: a heading, the end of the plan above, or an unclear step.

        Args:
            block: The line.
            text: Its text, shortened if it is a paragraph.
            reading: What it looks like; it has no steps.
            is_code: Whether it stands in a program.
        """
        stripped_text = text.strip()
        if stripped_text.strip("-*_=") == "":
            # A rule, unless it is an empty bullet.
            self.between.is_parted = self.between.is_parted or len(stripped_text) > 2
            return
        may_break = not self.heads_next_step(text, reading)
        if may_break and self.rejects_plan_above(block):
            return
        has_break = may_break and begins_new_try(text)
        is_part = number_of_part(text) > 0
        self.remember_number(block, text, None if has_break or is_part else reading.number)
        if self.current is not None and has_break:
            self.between.is_broken = True
            self.unclear.note_below(self.current)
        elif not self.document.strikes_words(text, block.at) and not is_part:
            self.unclear.remember_line(block, reading, self.current, self.between, is_code=is_code)
        # The number of a step frames nothing; that of a part or an option does.
        is_frame = is_part or names_option(text) or replaced_step(text) > 0
        is_numbering = reading.number is not None and not is_frame
        if not is_numbering and has_words(text):
            self.add_words(stripped_text)

    def heads_next_step(self, text: str, reading: LineReading) -> bool:
        """Whether a line is the numbered heading of the next step, whatever else it says.

        An example is "Step 6 (otherwise the rest would fail):".
        """
        if self.current is None or reading.number != self.current.last_number + 1:
            return False
        return _HEADS_STEP.match(text) is not None

    def rejects_plan_above(self, block: Block) -> bool:
        """Let a paragraph end the plan above it if it says that it fails: "This leaves it off."."""
        current, text = self.current, self.document.text
        is_paragraph = text[: block.at].endswith("\n\n") and text.startswith("\n\n", block.end)
        if current is None or len(current.items) < 2 or not is_paragraph:
            return False
        if begins_new_try(block.text) or not rejects_list_above(block.text):
            return False
        current.remark += f"{block.text.strip()}\n"
        self.between.is_broken = True
        self.unclear.note_below(current)
        return True

    def remember_number(self, block: Block, text: str, number: int | None) -> None:
        """Remember the number of a line without a step for the step below it.

        Args:
            block: The line.
            text: Its text.
            number: Its number; None if it has none.
        """
        is_argument = bool(block.regions) and block.regions[-1].name in _ARGUMENT_TAGS
        self.heading_number = None if is_argument or _VERSION.match(text) else number
        is_heading = _HEADS_STEP.match(text) is not None and not is_like_call(text)
        self.heading_offset = block.at if is_heading else -1

    @staticmethod
    def is_explanation(current: Plan, steps: Sequence[Step]) -> bool:
        """Whether the steps of a line only explain the last step of a plan.

        They do if the step is numbered and the line is an indented sentence below it, without a
        number: "You pick up the cup" below ``1. pick(cup)``. Below an order, "The robot picks up
        the cup" explains it, too.
        """
        last_step = current.items[-1]
        first_step = steps[0]
        if first_step.number is not None or first_step.form != "words":
            return False
        if last_step.number is None and (last_step.is_narrated or not first_step.is_narrated):
            return False
        if last_step.only_names(first_step):
            return False
        indent_above = int(last_step.place.partition(" ")[0] or 0)
        indent = int(first_step.place.partition(" ")[0] or 0)
        return indent > indent_above and not any(map(has_number, first_step.arguments))

    def replace_pronoun(self, current: Plan, block: Block, reading: LineReading) -> None:
        """Replace the pronoun in the first step of a line by an object of the step above."""
        meant = self.grammar.resolve_pronoun(reading.steps[0], current.items[-1])
        if meant:
            current.notes[f"'it' was read as {meant}"] = None
        elif not reading.unread:
            reading.unread = block.text.strip()

    def add_steps(self, block: Block, reading: LineReading) -> None:
        """Add the steps of a line: to the current plan if they carry it on, else to a new plan."""
        steps = reading.steps
        begin = reading.replaced_at if reading.replaced_at >= 0 else steps[0].at
        words_before = block.text[: max(begin - block.at, 0)]
        if _IF_NOT.match(words_before) or _ASSIGNS.fullmatch(words_before):
            words_before = ""
        # The only step of a line has the number of the line above it, if only that has one.
        if len(steps) == 1 and steps[0].number is None and self.heading_number is not None:
            steps[0].number = self.heading_number
            self.unclear.forget_heading(self.heading_offset, self.current)
        self.heading_number = None
        self.program.replace_names(steps)
        is_final = self.is_final_plan(words_before, reading)
        if self.repeats_plan(block, steps) and not is_final:
            return
        self.order_steps_taken_for_done(block, steps)
        self.name_places(block, reading)
        self.note_unknown_clause(words_before, reading)
        is_carried_on = self.continues_with_line(block, steps, words_before)
        if is_carried_on and self.current is not None and steps[0].pronoun_place >= 0:
            self.replace_pronoun(self.current, block, reading)
        plan = self.choose_plan(block, steps, words_before, is_carried_on=is_carried_on)
        self.add_line_to_plan(plan, block, reading)

    def continues_with_line(self, block: Block, steps: Sequence[Step], words_before: str) -> bool:
        """Whether the steps of a line belong to the current plan.

        Args:
            block: The line.
            steps: Its steps.
            words_before: The words before the first step.
        """
        current = self.current
        if block.at in self.starts or self.begins_other_list(block, steps[0]):
            return False
        self.between.is_extended = _EXTENDS.search(words_before) is not None
        self.between.is_adjacent = current is not None and block.at <= current.end + 1
        as_value = current is not None and current.ends_with_value and _is_bare_list(block, steps)
        return carries_on(current, steps, self.between, as_value=as_value)

    def begins_other_list(self, block: Block, step: Step) -> bool:
        """Whether a step without a number begins a list below a paragraph that ends another list.

        Both lists have bullets, or are calls. The paragraph does not say that the plan goes on.
        """
        current, text = self.current, self.document.text
        if current is None or len(current.items) < 2 or step.number is not None:
            return False
        step_before_last, last_step = current.items[-2:]
        is_list = (last_step.form, last_step.place) == (step.form, step.place)
        if not is_list or (step.form != "call" and step.place.endswith(" ")):
            return False
        # In a log, words stand between any two steps.
        if text.count("\n", step_before_last.at, last_step.at) != 1:
            return False
        text_between = text[current.end : block.at]
        is_paragraph = text_between.startswith("\n\n") and text_between.rstrip(" ").endswith("\n\n")
        sentences = sentences_of(text_between.strip())
        return is_paragraph and has_words(text_between) and not lead_further(sentences)

    def read_robot_narration(self, block: Block, text: str) -> LineReading | None:
        """Return the steps of a line in which "it" is the robot of the line above.

        Below "The robot walks to the door.", "It opens the door." is a step. Below the order "Push
        the button.", the same line says what the step does: None is returned.
        """
        if self.current is None or not self.current.items or not text.startswith("It "):
            return None
        if not self.current.items[-1].is_narrated:
            return None
        reading = self.grammar.read_line(f"I {text[2:]}", block.at)
        return reading if reading.steps else None

    def note_unknown_clause(self, words_before: str, reading: LineReading) -> None:
        """Leave a clause unread that takes a step for done with objects that no step before has."""
        done_clause = _TAKEN_FOR_DONE.search(words_before)
        if done_clause is None:
            return
        steps_before = self.current.items if self.current is not None else []
        objects = set(self.grammar.surfaces.objects_in(done_clause["done"]))
        if objects and not any(objects & set(step.arguments) for step in steps_before):
            reading.unread = reading.unread or done_clause[0].strip(" ,")

    def order_steps_taken_for_done(self, block: Block, steps: list[Step]) -> None:
        """Leave out steps that a line takes for done, if they are among the last two steps told.

        "After wiping the mirror, it walks back" tells the step before again. "It walks back after
        wiping the mirror" names the steps in another order, if the second is not told before.
        """
        told_before = self.current.items[-2:] if self.current is not None else []
        ordered_steps: list[Step] = []
        begin = 0
        for step in steps:
            index = max(step.at - block.at, 0)
            words_before = block.text[begin:index]
            begin = index
            is_done = _DONE_BEFORE.search(words_before[-_MAX_DONE:]) is not None
            if ordered_steps and _IS_DOING.search(words_before) is not None:
                is_done = are_alike(step, ordered_steps[-1])
            told_steps = [*told_before, *ordered_steps][-2:]
            is_told = is_done and any(are_alike(step, told) for told in told_steps)
            if is_told and (ordered_steps or step is not steps[-1]):
                continue
            if is_done and ordered_steps and _BETWEEN_CLAUSES.search(words_before) is None:
                ordered_steps.insert(-1, step)
            else:
                ordered_steps.append(step)
        steps[:] = ordered_steps

    def name_places(self, block: Block, reading: LineReading) -> None:
        """Give each step with "there" in place of an object the place to which the robot went."""
        steps_before = self.current.items[-MAX_NEAR:] if self.current is not None else []
        steps = reading.steps
        ends = [step.at - block.at for step in steps[1:]] + [len(block.text)]
        for step, end in zip(steps, ends, strict=True):
            near_steps = steps_before[-MAX_NEAR:]
            steps_before = [*near_steps, step]
            action = self.grammar.surfaces.by_name.get(step.name)
            if action is None or len(step.arguments) != action.most_named - 1:
                continue
            place = next(filter(None, map(self.grammar.place_of, reversed(near_steps))), "")
            if not place:
                continue
            begin = max(step.at - block.at, 0)
            stop = min(sentence_end(block.text, begin), end)
            text_before = block.text[max(begin - _MAX_DONE, 0) : begin]
            is_there = _THERE.search(block.text, begin, stop) or (
                step.lacks_objects and _WHERE_BEFORE.search(text_before)
            )
            is_open = step.form == "words" and step.pronoun_place < 0
            if is_open and is_there and place not in step.arguments:
                step.arguments.append(place)
                reading.notes.append(f"'there' was read as {place}")

    def repeats_plan(self, block: Block, steps: Sequence[Step]) -> bool:
        """Whether the steps of a line are those of the current plan, or explain its last one."""
        current = self.current
        if current is None or not current.items:
            return False
        label = _IN_HAND.match(block.text) if len(steps) == 1 else None
        if label is not None and self.document.text.count(label[1]) == 1:
            # A step that the plan does not have is no pointer into it, but another step.
            return current.has_step(steps[0])
        # "The robot is now sitting on it" says what the last step has led to.
        is_state = _IS_DOING.search(block.text[: max(steps[0].at - block.at, 0)]) is not None
        if is_state and len(steps) == 1 and are_alike(steps[0], current.items[-1]):
            return True
        are_all_steps = len(steps) > 1 and are_same(current.items, steps)
        return are_all_steps or self.is_explanation(current, steps)

    def is_final_plan(self, words_before: str, reading: LineReading) -> bool:
        """Whether a line tells the whole current plan as the final one, in full.

        It is a plan of its own then: the words above it that were not understood do not matter.
        """
        current = self.current
        if current is None or reading.unread or len(reading.steps) < 2:
            return False
        return is_final(words_before) and are_same(current.items, reading.steps)

    def choose_plan(
        self, block: Block, steps: Sequence[Step], words_before: str, *, is_carried_on: bool
    ) -> Plan:
        """Return the plan that the steps of a line belong to: the current one, or a new one.

        Args:
            block: The line.
            steps: Its steps.
            words_before: The words before the first step.
            is_carried_on: Whether the steps carry on the current plan, as far as the text between
                them says.
        """
        number = steps[0].number
        is_next_item = is_carried_on and number is not None and number > 1
        is_framed = not is_next_item and _frames_steps(words_before)
        replaced_number = self.number_of_replaced_step(words_before)
        current = self.current
        if current is not None and is_carried_on and not is_framed and not replaced_number:
            self.add_seam(block)
            self.unclear.add_lines_behind_to(current, steps[0].section, steps[0].number)
            current.heading = self.between.last_words or current.heading
            self.between.words = []
            return current
        is_label = is_framed or labels_correction(words_before)
        plan = self.begin_candidate(block, words_before if is_label else "")
        plan.replaces = replaced_number
        if is_framed and not is_final(words_before):
            plan.frame = words_before  # whatever stands before it
        return plan

    def add_line_to_plan(self, plan: Plan, block: Block, reading: LineReading) -> None:
        """Add the steps of a line to a plan, with the unread lines above the first of its steps."""
        steps = reading.steps
        self.add_unclear_lines_above(plan, block, steps)
        if reading.unread:
            plan.unread.append(Text(reading.unread, block.at, block.end))
        is_list = _is_bare_list(block, steps)
        is_apart = self.between.is_parted or is_list or not plan.items
        if is_apart and are_at_a_time(steps):
            plan.regions += len(steps)
        self.between.is_parted = False
        plan.add_steps(steps)
        plan.steps_beside += reading.steps_beside
        plan.ends_with_value = is_list
        plan.indent = indent_of(block.text)
        for note in reading.notes:
            plan.notes[note] = None
        plan.end = block.end

    def add_unclear_lines_above(self, plan: Plan, block: Block, steps: Sequence[Step]) -> None:
        """Add unclear lines to a new plan, and forget those that its next line makes out of date.

        An unclear line may have been meant as a step, but was not understood. Lines right above the
        first line of a plan belong to it if they are items of the same list: they have its bullet,
        or the numbers before its number. For the lines that follow, the bullet and the number of
        this line are remembered.

        Args:
            plan: The plan, before the steps of the line are added to it.
            block: The line.
            steps: Its steps.
        """
        unclear = self.unclear
        section = steps[0].section
        unclear.lines_above = [
            line for line in unclear.lines_above if not line.is_heading_of(section)
        ]
        unclear.lines_below = []
        is_new_plan = not plan.items
        if is_new_plan:
            for text in unclear.texts_listed_before(plan, block, steps):
                plan.unclear_lines.append((0, text))
        unclear.last_item = bullet_of(block.text), steps[-1].number


def _are_in_order(steps: Sequence[Step], plan: Plan) -> bool:
    """Whether all of some steps are among the first steps of a plan, in the same order."""
    steps_of_plan = iter(plan.items[:MAX_RETOLD])
    # Each search goes on behind the step that the last one came to.
    return all(any(is_same_step(step, other) for other in steps_of_plan) for step in steps)


def _is_left_out(block: Block) -> bool:
    """Whether a block is struck through, a comment, or in an aside such as ``<thought>``."""
    names = {region.name for region in block.tags} - {"step", "task"}
    return block.is_struck or any(map(is_aside_key, names))


def _part_at_framing_sentences(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks; a line is divided where a framing sentence begins: "... Final answer: ..."."""
    for block in blocks:
        text = block.text
        gaps = [] if block.value is not None else gaps_at_goals(text)
        if block.value is None and ":" in text:
            gaps += [
                gap.span()
                for gap in _ANNOUNCED.finditer(text)
                if _is_framing_heading(gap[1]) and not _ANSWERS.search(text, 0, gap.end(1))
            ]
        start = 0
        for gap_start, gap_end in sorted(gaps):
            yield Block(block.at + start, text[start:gap_start], None, block.regions)
            start = gap_end
        yield block if start == 0 else Block(block.at + start, text[start:], None, block.regions)


_ANSWERS = lazy_pattern(r"\?[\s*_\"']{0,8}(?:answer|a)\s?\d{0,3}[\s*_:]*$", re.IGNORECASE)
"""The end of a question, and the label of its answer: ``What comes next? Answer:``."""


def _is_framing_heading(heading: str) -> bool:
    """Whether words before a colon head a plan, or present it as final or rejected."""
    return is_final(heading) or is_rejected(heading) or _IS_HEADING.match(heading) is not None


def _frames_steps(lead: str) -> bool:
    """Whether the words before a step present it as final or rejected.

    A reason, ``3. because the final answer ...``, frames nothing.
    """
    if _REASON.search(lead) or _ANSWERS.search(lead):
        return False
    return is_final(lead) or is_rejected(lead)


def _is_bare_list(block: Block, steps: Sequence[Step]) -> bool:
    """Whether a line is the list of an action without objects: ``[sleep]`` after ``[walk, x]``.

    A skill in words, ``[find a cup]``, has an object.
    """
    bare = block.text.strip()
    if bare[:1] + bare[-1:] != "[]" or len(steps) != 1:
        return False
    return not steps[0].arguments and " " not in steps[0].name


def _frame_of(words_before: str, key: str) -> str:
    """Return the words that frame a value: those before it, and its key if it decides or counts.

    The key "plan" says no more than that the value is one.
    """
    name = key.replace("_", " ")
    if is_final(name) or is_rejected(name) or names_option(name):
        return f"{words_before} {name}".strip()
    return words_before


def _as_call(block: Block, value: Group) -> Group:
    """Return an object behind the name of an action, ``walk {"to": "hall"}``, as one object."""
    begin = block.at - len(block.text)
    name = Text(block.text.strip(), begin, block.at, quoted=True)
    pairs: list[Item] = [
        Pair(Text("action", begin, begin), name),
        Pair(Text("arguments", block.at, block.at), value),
    ]
    return Group("object", block.at, value.end, pairs, cut=value.cut, is_open=value.is_open)


def _ends_with_colon(line: str) -> bool:
    """Whether a line ends with a colon, perhaps before the marks of bold text."""
    return line.rstrip(" *_").endswith(":")


def _is_code(block: Block) -> bool:
    """Whether a line stands in the fence of a program, in which ``#`` begins a comment."""
    fence = block.fence
    if fence is None:
        return False
    if fence.name in ("markdown", "md"):
        return False
    return fence.name not in ("text", "") or block.text.lstrip().startswith("#")


def may_be_parted(document: Document, grammar: StepGrammar, positions: Sequence[int] = ()) -> bool:
    """Whether a line has several sentences, and a verb of an action of the task.

    Args:
        document: The answer.
        grammar: Reads the steps of a line.
        positions: Offsets of the steps that were read, in order; lines with one of them are not
            looked at.
    """
    has_verb = grammar.surfaces.sentences.has_verb
    for block in document.blocks:
        is_read = bisect_left(positions, block.at) < bisect_left(positions, block.end)
        if is_read or block.value is not None or _SENTENCE_END.search(block.text) is None:
            continue
        if has_verb(block.text):
            return True
    return False
