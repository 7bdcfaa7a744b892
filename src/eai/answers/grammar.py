"""The second stage of reading, for plans: the steps in a line or in a value.

A step is an action of the task with the objects behind it. The vocabulary decides what belongs to
it, so that ``1. WALK kitchen - so that I am there``, ``{"do": "walk", "where": "kitchen"}``,
``walk(to=kitchen)`` and a row of a table are the same step. A name that the task does not have is
part of a step only where its form leaves no doubt: in a call, a script, or beside steps of the same
form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from eai.answers.cleaning import blank_out
from eai.answers.conditions import depends_on_case
from eai.answers.corrected_steps import drop_replaced_step
from eai.answers.items import LONGEST_LINE, LineReading, Step, ValueReading
from eai.answers.line_begin import read_line_begin
from eai.answers.object_grammar import CALL, ObjectGrammar
from eai.answers.phrases import InWords
from eai.answers.plan import PARTICLES, STATING, WORDS, shorten, words_of
from eai.answers.repetitions import repetition_at_end
from eai.answers.sentences import sentence_end
from eai.answers.step_rows import MAX_REMARK, StepRow, is_call_in_brackets, next_action
from eai.answers.stepless_lines import BEGINS_WITH_OTHER, describe_line
from eai.answers.surfaces import Mention, Surfaces, squeezed
from eai.answers.taken_out import may_tell_step, takes_out
from eai.answers.told_steps import find_told_clause
from eai.answers.unclear import DOUBT, INSTEAD_OF, has_number, is_like_step
from eai.answers.unknown_steps import UnknownSteps
from eai.answers.value_steps import CollectedSteps, plan_in_thoughts
from eai.answers.values import Group, Text
from eai.text import lazy_pattern

LONGEST_ROW = 20_000
"""Maximum number of characters of a line that is a row of calls."""
_CODE = re.compile(
    r"(?:[\w, ]{1,60}=\s*)?(?:(?:await|yield"
    r"|return|new)\s+)?(?:[A-Za-z_]\w*(?:\.\d{1,9})?\s*[.=(+]+\s*)+(?:\d{1,4}\s*,\s*)?[\[({\"']*\s*"
)
_CALL_WITHOUT_ARGUMENTS = re.compile(
    r"\s*(?:await\s+)?(?:[A-Za-z_]\w*\.)*(?P<name>[A-Za-z_]\w{2,80})\(\s*\)\s*;?\s*"
)
_WORD_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_MAX_WORDS_OF_NAME = 10
"""Maximum number of words in the name of a call that says a step."""
_JOINED_CALLS = re.compile(r"\)*\s*(?:and|&&)\s+\(*(?:await\s+)?")
_OPENING = re.compile(r"[\[({<\"'*`_]*")
_STATE_IN_BRACKETS = re.compile(
    r"[\W\d]*\((?:the )?(?:(?:initial|start(?:ing)?|final|end|goal|current) (?:state|configuration"
    r"|situation|reached|achieved)\b[^()]*|(?:start|begin|end|goal):[^()]*)\)\W*",
    re.IGNORECASE,
)
"""An item that only says where a plan begins or ends: ``0. (Initial state: idle)``."""
_SURE_COMMENT = re.compile(r"\s*#\s+[-*]\s|\s{2,}#{1,2}\s")
"""An item of a list in YAML that is commented out, ``#  - OPEN(door)``, or an indented comment."""
_QUESTION_LABEL = re.compile(r"\s*[*_]{0,2}Q(?:uestion)?\s?\d{0,3}[*_]{0,2}:")
"""The label of a question: ``Q1:``."""
_END_BEFORE_COMMENT = lazy_pattern(r";(?=\s{0,20}(?://|/\*|#\s))")
"""The end of a statement before a comment, which belongs to it: ``walk(hall); // Go there``."""
_REM = re.compile(r"\s*(?:\d{1,5}\s+)?REM\b")
"""A comment in BASIC, perhaps behind the number of its line."""
_COMMENT = re.compile(r"\s*(?:#|//|--|%|;|/\*|<!--)")
_HEADING = re.compile(
    r"\s*(?:#{1,6}\s|(?:\d{1,4}[.)]\s*)?(?:\*\*|__)"
    r"(?!(?:\w+ )?(?:robot|agent|assistant|bot)\b\W*:))",
    re.IGNORECASE,
)
"""The begin of a heading; ``**Robot:**`` says who speaks."""
_TELLS_CALL = lazy_pattern(
    r"[\s*`_]*(?::|-+|\u2013|\u2014)[\s*`_]*(?:(?:the |my )?(?:robot|agent)|i|we|it|this)\b",
    re.IGNORECASE,
)
"""Words behind a call that tell what it does: ``: The robot will ...``."""
_CONDITION = re.compile(r"\b(?:if|unless|in case|suppose|supposing|assuming)\b", re.IGNORECASE)
_EITHER = re.compile(
    r"""[)\w>][\s`*,;.]{0,4}                   # what stands before: the end of a step
        (?:\b(?:(?:and/)?or|(?:or[ ])?(?:else|otherwise|alternatively))\b
        |\s/\s(?:\d{1,4}[.):]\s)?)
        [\s`*(\[<"',]{0,4}$                   # up to the begin of the other step
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Words before a step that may be meant instead of the one before it."""
_LONGEST_EITHER = 30
"""Maximum number of characters of these words with what stands around them."""
_OR_WORDS = (" or ", " / ")
_OR_SIGNS = (" or ", "/", "other")
_OR_OBJECT = re.compile(
    r"[\w)][,\s]{0,2}(?:\b(?:and/)?or\s+(?:to\s+)?(?:(?:the|an?|your)\s+)?|\s?/\s?(?:the\s+)?)$",
    re.IGNORECASE,
)
"""Words before an object that may be meant instead of the one before it."""
_OTHER_OBJECT = lazy_pattern(r"\b(?:an)?other\s+$", re.IGNORECASE)
"""Words before an object that is not the one of a step before it."""
_SAYS_ABILITY = re.compile(
    r"\W*(?:(?:the |an? |this |my )?(?:robot|agent)|it) (?:can|is (?:able to|capable of))\b",
    re.IGNORECASE,
)
"""The begin of a line that says which actions there are: "The robot can walk, open and grab."."""
_SAYS_PURPOSE = re.compile(r"[\s*_#>]*(?:(?:in order )?to|for)\s[^\n]*,\s", re.IGNORECASE)
"""The begin of a heading that says what a plan is for."""
_ELSE_WORDS = (" else ", "otherwise", "alternatively")
"""A line without any of these words names no alternative, which is quickly seen."""
_CALL_BEHIND_DASH = re.compile(
    r"\)[`*]{0,3} [-\u2013\u2014] [`*]{0,3}([A-Z][A-Z_]{0,40})\([^()\n]*\)[`*.]{0,4}$"
)
_SURE_CODE = re.compile(
    r"\s*(?:(?:async\s+)?def\s+\w+\s*\(|class\s+\w+\s*[:({]|import\s+[\w.]+|from\s+[\w.]+\s+import\b"
    r"|(?i:(?:\d{1,4}[:.)]?\s+)?(?:end[ _]?(?:procedure|program|function|algorithm)"
    r"|procedure \w+))\s*(?:\(.*\))?:?\s*$"
    r"|assert\b|@\w+\s*$|(?:export\s+)?(?:async\s+)?function\s+\w*\s*\(|if\s+__name__"
    r"|(?P<called>(?:asyncio|subprocess|console|logger|logging|time|os|sys|json|print|say|speak)\b\.?\w*\())"
)
"""Lines of programs that are no step, wherever they stand, unless a step is handed over."""
_CHECK = re.compile(r"\s*(?:if|assert|elif|return)\b\s*\(?\s*(?:not\b|!)?\s*\(?\s*(?=[\w.]+\s*\()")
"""Code before a step whose result a program checks or returns."""
_CHECK_IN_WORDS = re.compile(
    r"\s*(?:if|elif|else if)\s+(?P<step>[^\W\d][^()\n]{2,100}?)\s*(?:\bthen\b:?|:|\{)\s*",
    re.IGNORECASE,
)
_AROUND_STEP = re.compile(r"\w{0,20}\(\s*[\"'`]\s*\(?|\s?`")
"""Code between the name of a function, or a verb, and the step that is handed to it."""
_CODE_LINE = re.compile(
    r"\s*(?:async\s+)?(?:def|class|for|while|if|elif|else|import|from|return|assert|with|try|except"
    r"|@\w+|raise|pass|print)\b(?!.*\bthen\b)[^.]*[:)]?\s*$"
)
_ATTACHED = re.compile(r"[^\W\d][\w\-]*\(")
_REFUSED = re.compile(
    r"\bis(?: not|n't) (?:allowed|correct|necessary|needed|possible|required|right|valid)\b"
    r"(?:.*?\bso\b[ :,]*(?P<instead>.*))?",
    re.IGNORECASE,
)
"""A step that is taken back, and the one that takes its place."""
_NEXT = re.compile(
    r"(?:;|[,.;]?\s{1,9}(?:and )?then\b|\s(?=\d{1,6}[.)]\s))[\s\d.)*]{0,20}", re.IGNORECASE
)
"""Text between two steps in words."""
_ASIDE = re.compile(r"\([^()]*\)")
_REFERS_BACK = re.compile(r"\b(?:it|this|that|which)\W*$", re.IGNORECASE)
"""Words before a verb that says what a step does: "it opens the fridge"."""
_TELLS_OF_DOING = lazy_pattern(
    r"[^\W\d_]{2,20}ing\b[^,;.:]{1,60}\s(?:needs?|requires?|takes|makes|lets|allows|helps|ensures"
    r"|leads|means|is|was)\b",
    re.IGNORECASE,
)
"""A sentence about what an action is like: "Opening the fridge needs a free hand."."""
_QUESTION = re.compile(
    # "Could you please open the door?" asks for a step.
    r"[\W\d]*(?!(?:can|could|would|will) you (?:please|kindly)\b)"
    r"(?:should|shall|may|can|could|would|do|does|did|is|are|have|has|must|will)"
    r" (?:i|we|you|the|it|he|she|they|this|that)\b",
    re.IGNORECASE,
)
_NEGATIONS = WORDS["negations"]


class StepGrammar(ObjectGrammar):
    """Reads steps of one task.

    Args:
        surfaces: The names of the task; None if any name may be that of an action.
        nested: Reads the steps of a text in a string; None if there are none.
        in_words: Reads a step in words, where a task says what its actions are called.
    """

    longest_line = LONGEST_LINE
    remembers_lines = True
    """Whether a line reads the same wherever it stands in an answer."""

    def __init__(
        self,
        surfaces: Surfaces | None,
        nested: Callable[[Text], list[Step] | None],
        in_words: Callable[[str], InWords | None] | None = None,
    ) -> None:
        """Keep how strings and words are read; names are read by the base class."""
        super().__init__(surfaces)
        self.unknown = UnknownSteps(self)
        self.nested = nested
        self.in_words = in_words
        self._readings: dict[tuple[str, bool, bool], tuple[int, LineReading]] = {}

    # -------------------------------------------------------------- lines

    def read_line(
        self, text: str, offset: int, *, is_code: bool = False, is_step_expected: bool = False
    ) -> LineReading:
        """Return the steps of a line; if it has none, what else it looks like.

        The stages of reading ask for the same lines, and answers repeat lines: each is read once.

        Args:
            text: The line.
            offset: Its offset in the answer.
            is_code: Whether it stands in a code fence, where ``#`` begins a comment.
            is_step_expected: Whether it stands where a step is expected, as in a list of JSON.
        """
        key = (text, is_code, is_step_expected)
        remembered = self._readings.get(key)
        if remembered is not None:
            read_at, reading = remembered
            return reading.moved(offset - read_at)
        reading = self._read_new_line(
            text, offset, is_code=is_code, is_step_expected=is_step_expected
        )
        if self.remembers_lines:
            self._readings[key] = (offset, reading.moved(0))
        return reading

    def _read_new_line(
        self, text: str, offset: int, *, is_code: bool, is_step_expected: bool
    ) -> LineReading:
        """Return the reading of a line that is not remembered; see :meth:`read_line`."""
        if len(text) > self.longest_line and not self._begins_with_call(text):
            may_be_step = is_like_step(text[:LONGEST_LINE].lstrip(), names_object=False)
            return LineReading(is_like_step=may_be_step)
        text = _END_BEFORE_COMMENT.sub(" ", text)
        begin = read_line_begin(text, self.surfaces)
        reading = LineReading(
            number=begin.number,
            section=begin.section,
            time=begin.time,
            is_aside=begin.is_aside,
        )
        if text.rstrip().endswith("?") and _QUESTION.match(text):
            question = self.read_line(
                text.rstrip(" ?"), offset, is_code=is_code, is_step_expected=is_step_expected
            )
            if question.steps:
                reading.is_negated = True  # "Should I open the door?" is no step
                return reading
        # Comments and code go before steps, as they may name actions as well.
        if self._read_aside(text, offset, reading, is_code=is_code):
            return reading
        if self._read_code(text, offset, reading, is_code=is_code):
            return reading
        if self.in_words is not None and self._read_words(text, offset, begin.end, reading):
            drop_replaced_step(text, offset, reading, self._steps_of_line)
            _drop_step_taken_out(text, offset, reading)
            _report_condition(text, offset, reading)
            return reading
        mentions = self.surfaces.find_all_mentions(text)
        if begin.purpose:
            # Its actions are no steps, but a pronoun may mean an object of the purpose.
            mentions = [each for each in mentions if each.start >= begin.end or not each.is_action]
        has_action = self._add_steps(
            text, offset, begin.end, mentions, reading, is_step_expected=is_step_expected
        )
        is_denied = not has_action and _denies_action(text, mentions)
        reading.is_negated = is_denied and not reading.steps
        drop_replaced_step(text, offset, reading, self._steps_of_line)
        _drop_steps_of_other_meaning(text, offset, reading)
        _mark_steps(text, reading, is_code=is_code, is_narrated=begin.subject != "")
        if len(reading.steps) == 1:
            self._take_name_in_explanation(reading.steps[0], mentions)
        if not reading.steps:
            self.describe_stepless(text, begin.end, mentions, reading)
            _drop_step_taken_out(text, offset, reading)
            names_other = bool(mentions) and BEGINS_WITH_OTHER.match(text) is not None
            told_clause = find_told_clause(text, 0, len(text), self.surfaces)
            reading.is_told = names_other or told_clause != ""
        else:
            self._note_nouns(text, mentions, reading)
            # "Read the book" of "To read the book, walk to the shelf" is no step.
            reading.steps_beside += self.whole_steps(begin.purpose, offset)
            _report_alternatives(text, mentions, reading, reading.steps[0].at - offset)
            # Code branches, and "if you want to read" is a purpose.
            _report_condition(text, offset, reading, is_sure=is_code or begin.purpose != "")
            _report_repetition(text, reading)
        return reading

    def _steps_of_line(self, text: str, offset: int) -> list[Step]:
        """Return the steps of a line, or of a part of it, at an offset of the answer."""
        return self.read_line(text, offset).steps

    def _note_nouns(self, text: str, mentions: Sequence[Mention], reading: LineReading) -> None:
        """Note which objects of the steps of a line are called by their nouns alone: "the lamp"."""
        taken = {argument for step in reading.steps for argument in step.arguments}
        for mention in mentions:
            noun = text[mention.start : mention.end]
            name = self.surfaces.class_by_noun.get(noun.lower())
            if name is not None and name == mention.name and name in taken:
                reading.notes.append(f"{shorten(noun)} was read as {name}")

    def _take_name_in_explanation(self, step: Step, mentions: Sequence[Mention]) -> None:
        """Give a step the object that its line names in full: "Walk to the hall: go to hall.3".

        Args:
            step: The only step of a line; it is changed if it has the class of the object.
            mentions: The names in the line.
        """
        for index, argument in enumerate(step.arguments):
            if argument not in self.surfaces.classes:
                continue
            names = {
                mention.name
                for mention in mentions
                if not mention.is_action
                and mention.name not in self.surfaces.classes
                and squeezed(mention.name).rstrip("0123456789") == squeezed(argument)
            }
            if len(names) == 1 and step.form in ("words", "heading"):
                step.arguments[index] = names.pop()

    def describe_stepless(
        self, text: str, words_start: int, mentions: Sequence[Mention], reading: LineReading
    ) -> None:
        """Note what a line without steps looks like: a heading, a command, an ending.

        Args:
            text: The line.
            words_start: Where its words begin, behind number, bullet and label.
            mentions: The names in it.
            reading: Receives what the line looks like.
        """
        describe_line(text, words_start, mentions, reading)

    def _read_aside(self, text: str, offset: int, reading: LineReading, *, is_code: bool) -> bool:
        """Read a line that is a comment or a reason; return False if it is neither.

        The steps behind a numbered reason, ``1. Because it is dark: find a lamp``, are read.

        Args:
            text: The line.
            offset: Its offset in the answer.
            reading: The begin of the line; receives its steps, or that it is an aside.
            is_code: Whether it stands in a code fence, where ``#`` begins a comment.
        """
        if not reading.is_aside:
            reading.is_aside = _is_comment(text, is_code=is_code)
            return reading.is_aside
        if reading.number is not None:
            reading.steps = self._steps_behind_reason(text, offset)
        if reading.steps:
            reading.is_aside = False
            for step in reading.steps:
                step.number = reading.number
        return True

    def _read_code(self, text: str, offset: int, reading: LineReading, *, is_code: bool) -> bool:
        """Read a line that is code around steps; return False if it may be a step itself.

        A step whose result the code checks, or that it hands to a function, is read.

        Args:
            text: The line.
            offset: Its offset in the answer.
            reading: Receives the steps, or that the line is an aside.
            is_code: Whether the line stands in a code fence.
        """
        bare_text = text.strip()
        ends_with_colon = bare_text.endswith(":")
        begins_block = bare_text.endswith((":", "{", "then"))
        if is_code or begins_block or bare_text.startswith("return "):
            reading.steps = self._checked_steps(text, offset, is_code=is_code)
            if reading.steps:
                return True
        program = _SURE_CODE.match(text)
        if program is not None:
            end = program.end()
            if program["called"] and text[end : end + 1].isalpha():
                reading.steps = self._call_in_code(text, offset, end, is_code=is_code)
            reading.is_aside = not reading.steps
            return True
        if _CODE_LINE.match(text) and (is_code or ends_with_colon):
            reading.is_aside = not bare_text.startswith(("for", "while"))
            return True
        return False

    def _add_steps(
        self,
        text: str,
        offset: int,
        words_start: int,
        mentions: Sequence[Mention],
        reading: LineReading,
        *,
        is_step_expected: bool,
    ) -> bool:
        """Add the steps of a line; return whether it begins with an action of the task.

        Steps of the task are looked for first, then sentences about them ("the robot walks"), and
        last steps of unknown actions.

        Args:
            text: The line.
            offset: Its offset in the answer.
            words_start: Where its words begin, behind number, bullet and label.
            mentions: The names in it.
            reading: Receives the steps; it has the number of the line.
            is_step_expected: Whether the line stands where a step is expected.
        """
        is_numbered = reading.number is not None
        reading.steps = self._step_in_name(text, offset)
        if reading.steps:
            return True
        first_index = self._first_action(text, words_start, mentions, is_numbered=is_numbered)
        # A number promises a step, so words may stand before it: "1. First of all: walk(hall)".
        if first_index is None and is_numbered:
            first_index = self.call_behind_words(text, mentions)
        if first_index is not None:
            known = self._read_known_steps(
                text, offset, mentions, first_index, is_numbered=is_numbered
            )
            if known.unread and not is_numbered:
                # "It has to walk to the hall. Then it opens the door." has verbs of both kinds.
                inflected = LineReading()
                self._add_inflected(text, offset, words_start, inflected)
                known = max(known, inflected, key=lambda each: len(each.steps))
            reading.take_over(known)
            return True
        self._add_inflected(text, offset, words_start, reading)
        if not reading.steps:
            reading.steps = self.unknown.read_steps(
                text, offset, words_start, is_step_expected=is_step_expected
            )
        if not reading.steps and is_numbered:
            reading.steps = self._steps_behind_reason(text, offset)
        return False

    def _step_in_name(self, text: str, offset: int) -> list[Step]:
        """Return the step that the name of a call without arguments says: ``putCupInSink();``.

        Words of the name that neither belong to the step nor are particles make it another name.
        """
        call = _CALL_WITHOUT_ARGUMENTS.fullmatch(text) if "(" in text else None
        if call is None or self.surfaces.find_action(call["name"]) is not None:
            return []
        words = _WORD_OF_NAME.findall(call["name"])
        if not 1 < len(words) <= _MAX_WORDS_OF_NAME:
            return []
        sentence = " ".join(words)
        steps = self.read_line(sentence, offset + call.start("name")).steps
        if len(steps) != 1 or not steps[0].is_whole:
            return []
        if not set(self.surfaces.objects_in(sentence)).issubset(steps[0].arguments):
            return []
        mentions = self.surfaces.find_all_mentions(sentence)
        rest = blank_out(sentence, [(mention.start, mention.end) for mention in mentions])
        return steps if PARTICLES.issuperset(words_of(rest)) else []

    def _add_inflected(
        self, text: str, offset: int, words_start: int, reading: LineReading
    ) -> None:
        """Add the steps of a sentence such as "The robot walks to the hall and opened it".

        Its verbs are put in the present if it has more steps then.
        """
        if _speaks_of_step_above(text[:words_start]) or _TELLS_OF_DOING.match(text, words_start):
            return
        readings: list[LineReading] = []
        for sentence in dict.fromkeys((text, self.surfaces.sentences.in_present(text))):
            mentions_in_one_piece = self.surfaces.find_mentions(sentence)
            mentions = self.surfaces.add_split_actions(
                sentence, mentions_in_one_piece, is_inflected=True
            )
            first_index = self._first_action(sentence, words_start, mentions, is_numbered=False)
            if first_index is not None:
                readings.append(
                    self._read_known_steps(
                        sentence, offset, mentions, first_index, is_numbered=False
                    )
                )
        if readings:
            # "It began by walking to the hall. Then it opened the door" has two steps.
            reading.take_over(max(readings, key=lambda each: len(each.steps)))

    def _checked_steps(self, text: str, offset: int, *, is_code: bool) -> list[Step]:
        """Return the steps whose result a line of code checks: ``if not WALK("hall"):``."""
        check = _CHECK.match(text)
        if check is None:
            return self._checked_in_words(text, offset)
        return self._call_in_code(text, offset, check.end(), is_code=is_code)

    def _checked_in_words(self, text: str, offset: int) -> list[Step]:
        """Return the step in words whose result a line checks: ``if find a cup then``."""
        check = _CHECK_IN_WORDS.fullmatch(text)
        if check is None or not STATING.isdisjoint(words_of(check["step"])):
            return []
        begin = offset + check.start("step")
        steps = self.read_line(check["step"], begin).steps
        is_step = len(steps) == 1 and steps[0].is_whole and steps[0].at == begin
        return steps if is_step else []

    def _call_in_code(
        self, text: str, offset: int, call_start: int, *, is_code: bool
    ) -> list[Step]:
        """Return the steps that are called in a line of code, ``walk(hall) and open(door)``.

        Args:
            text: The line.
            offset: Its offset in the answer.
            call_start: Where in the line the first call must begin.
            is_code: Whether the line stands in a code fence.
        """
        if self.in_words is not None:
            call = text[call_start:].rstrip(" \t:{")
            return self.read_line(call, offset + call_start, is_code=is_code).steps
        mentions = self.surfaces.find_mentions(text)
        index = next_action(mentions, -1, call_start)
        if index is None or not may_precede_step(text[call_start : mentions[index].start]):
            return []
        step, step_end = self.step_at(text, offset, mentions, index)
        # A whole skill, find("Mug"), is one name that has the bracket in it.
        is_call = step.form == "call" or "(" in text[call_start : mentions[index].end]
        if not is_call or step.lacks_objects or step.is_cut:
            return []
        joining_word = _JOINED_CALLS.match(text, step_end)
        if joining_word is None:
            return [step]
        return [step, *self._call_in_code(text, offset, joining_word.end(), is_code=is_code)]

    def _read_words(self, text: str, offset: int, words_start: int, reading: LineReading) -> bool:
        """Add the steps of a line in words; return False if it has none, or begins with brackets.

        Args:
            text: The line.
            offset: Its offset in the answer.
            words_start: Where its words begin, behind number, bullet and label.
            reading: Receives the steps; it has number and time of the line.
        """
        assert self.in_words is not None  # noqa: S101 - the caller looked
        line_words = text[words_start:]
        if line_words[:1] in ("(", "[", "{") or _ATTACHED.match(line_words):
            return False
        refusal = _REFUSED.search(_ASIDE.sub("", line_words))
        if refusal is not None and self.in_words(line_words) is not None:
            reading.is_negated = True  # "pick up b is not possible, so pick up c"
            words_start += len(line_words) - len(refusal["instead"] or "")
        for begin, end in self._parts_with_a_step(text, words_start):
            part = text[begin:end]
            step_in_words, part_offset = self._meant_in_words(part)
            if step_in_words is None or not step_in_words.name:
                reading.looks_listed = step_in_words is not None and not reading.steps
                break
            step = _step_in_words(step_in_words, offset + begin + part_offset, reading)
            step.place = _layout_of(text)
            reading.steps.append(step)
            if step_in_words.note:
                reading.notes.append(f"{shorten(part.strip())}: {step_in_words.note}")
        return bool(reading.steps) or reading.is_negated

    def _parts_with_a_step(self, text: str, words_start: int) -> Iterator[tuple[int, int]]:
        """Yield begin and end of each part of a line in which a step in words may stand.

        "Then", a semicolon or a number parts them. The number itself belongs to no part.

        Args:
            text: The line.
            words_start: Where its words begin, behind number, bullet and label.
        """
        begin = words_start
        for gap in _NEXT.finditer(text, words_start):
            yield begin, gap.start()
            begin = gap.end()
            next_gap = _NEXT.search(text, begin)
            end = len(text) if next_gap is None else next_gap.start()
            begin += read_line_begin(text[begin:end], self.surfaces).end
        yield begin, len(text)

    def _meant_in_words(self, written: str) -> tuple[InWords | None, int]:
        """Return the step that some words mean, and the offset of its first word.

        Without the brackets, which mostly explain, each part between colons is tried. Then the
        whole text is, brackets included. If none is a step, the reading of the first part is
        returned, which has no name.
        """
        assert self.in_words is not None  # noqa: S101 - the caller looked
        first_reading: InWords | None = None
        offset = 0
        without_brackets = _ASIDE.sub(lambda aside: " " * len(aside[0]), written)
        for part in without_brackets.split(":"):
            reading = self.in_words(part)
            if reading is not None and reading.name:
                return reading, offset
            first_reading = first_reading or reading
            offset += len(part) + 1
        whole_reading = self.in_words(written)
        if whole_reading is not None and whole_reading.name:
            return whole_reading, 0
        return first_reading or whole_reading, 0

    def _begins_with_call(self, text: str) -> bool:
        """Whether a line that is too long for one step may be a row of calls."""
        if len(text) > LONGEST_ROW:
            return False
        begin = text[:LONGEST_LINE]
        mentions = self.surfaces.find_mentions(begin[:100])
        words_start = read_line_begin(begin, self.surfaces).end
        first_index = self._first_action(begin, words_start, mentions, is_numbered=False)
        if first_index is None:
            return False
        return begin[mentions[first_index].end :].lstrip("`*\"'")[:1] in ("(", "[")

    def _first_action(
        self, text: str, words_start: int, mentions: Sequence[Mention], *, is_numbered: bool
    ) -> int | None:
        """Return the index of the mention that is the first step of a line; None if there is none.

        Args:
            text: The line.
            words_start: Where its words begin, behind number, bullet and label.
            mentions: The names in it.
            is_numbered: Whether it has a number. Then a few words may stand before the action.
        """
        action_indices = [index for index, mention in enumerate(mentions) if mention.is_action]
        if not action_indices:
            return None
        # What stands before the lead may name an action, "now that it is open,", or be one that
        # looks like a label: "(a)" is a letter of a list, or the action "a".
        behind_lead = [index for index in action_indices if mentions[index].start >= words_start]
        first_index = (behind_lead or action_indices)[0]
        words_before = text[words_start : mentions[first_index].start]
        if may_precede_step(words_before) and _NEGATIONS.isdisjoint(words_of(words_before)):
            return (
                first_index + 1 if self.is_around_step(text, mentions, first_index) else first_index
            )
        if is_numbered and not _is_denial_or_talk(words_before):
            return first_index if _is_sure_behind_words(text, mentions, first_index) else None
        return None

    def is_around_step(self, text: str, mentions: Sequence[Mention], index: int) -> bool:
        """Whether an action only says to take the whole step behind it.

        Examples are ``run("WALK(hall)")`` and "Run `WALK(hall)`".
        """
        if index + 1 >= len(mentions) or not mentions[index + 1].is_action:
            return False
        outer, inner = mentions[index : index + 2]
        is_call = text[inner.end : inner.end + 1] == "("
        takes_objects = self.surfaces.by_name[outer.name].max_objects > 0
        # "RUN WALK(hall)": an action without its objects, and a call.
        is_before_call = is_call and takes_objects and text[outer.end : inner.start] == " "
        if not (is_before_call or _AROUND_STEP.fullmatch(text, outer.end, inner.start)):
            return False
        step, _ = self.step_at(text, 0, mentions, index + 1)
        return not (step.lacks_objects or step.is_cut)

    def _steps_behind_reason(self, text: str, offset: int) -> list[Step]:
        """Return the steps behind a reason and a colon: ``1. Because it is dark: find a lamp``."""
        mentions = self.surfaces.find_mentions(text)
        call_index = self.call_behind_words(text, mentions)
        if call_index is not None:
            return self._read_known_steps(text, offset, mentions, call_index).steps
        start = text.rfind(": ") + 2
        if start < 2 or _CONDITION.search(text[:start]):
            return []
        return self.whole_steps(text[start:], offset + start)

    def whole_steps(self, text: str, offset: int) -> list[Step]:
        """Return the steps of a part of a line that have all their objects."""
        steps = self.read_line(text, offset).steps if text else []
        return [step for step in steps if step.is_whole]

    def call_behind_words(self, text: str, mentions: Sequence[Mention]) -> int | None:
        """Return the index of the mention that is a call behind words: ``1. Go there: WALK(hall)``.

        A colon or an arrow stands before it, or brackets stand around it. None if there is none.
        """
        for index, mention in enumerate(mentions):
            if not mention.is_action or text[mention.end : mention.end + 1] != "(":
                continue
            text_before = text[: mention.start].rstrip("`*\"' ")
            if text_before.endswith((":", "-", "\u2013", "\u2014", "\u2192", ">", "=")):
                return index
            is_behind_bracket = (
                text_before.endswith(("(", "[")) and DOUBT.search(text_before) is None
            )
            if is_behind_bracket and is_call_in_brackets(text, mention):
                return index
        return None

    def _read_known_steps(
        self,
        text: str,
        offset: int,
        mentions: Sequence[Mention],
        first_index: int,
        *,
        is_numbered: bool = True,
    ) -> LineReading:
        """Return the steps of a line from an action on; see :class:`eai.answers.step_rows.StepRow`.

        Args:
            text: The line.
            offset: Its offset in the answer.
            mentions: The names in it.
            first_index: Index of the mention that is the first action.
            is_numbered: Whether the line has a number.
        """
        return StepRow(self, text, offset, mentions, is_numbered=is_numbered).read_steps(
            first_index
        )

    # -------------------------------------------------------------- values

    def read_plans(self, group: Group) -> list[ValueReading]:
        """Return the plans in a value: one, or one for each key that holds a plan of its own."""
        collected = CollectedSteps(self)
        collected.read_value(group, 0)
        readings = collected.finish(group)
        plan = None if readings else plan_in_thoughts(group)
        if plan is None:
            return readings
        collected.read_value(plan.value, 1)
        return collected.finish(group)


def _is_comment(text: str, *, is_code: bool) -> bool:
    """Whether a line is a comment, or only says where a plan begins or ends: ``(goal reached)``.

    Args:
        text: The line.
        is_code: Whether it stands in a code fence, where ``#`` begins a comment.
    """
    if text.lstrip().startswith(("//", ";")) or _SURE_COMMENT.match(text) or _REM.match(text):
        return True
    if _QUESTION_LABEL.match(text):
        return True
    if is_code and _COMMENT.match(text):
        return True
    return _STATE_IN_BRACKETS.fullmatch(text) is not None


def _drop_steps_of_other_meaning(text: str, offset: int, reading: LineReading) -> None:
    """Drop the steps that explain a call, that are a heading, or that the line takes out.

    Args:
        text: The line.
        offset: Its offset in the answer.
        reading: The line with its steps, which are changed.
    """
    steps = reading.steps
    if "? " in text:
        steps[:] = [step for step in steps if not _is_asked(text, step.at - offset)]
    if len(steps) > 1 and steps[0].form == "call" and not steps[0].lacks_objects:
        end_of_call = text.find(")", steps[0].at - offset) + 1
        are_words = all(step.form == "words" for step in steps[1:])
        if are_words and _TELLS_CALL.match(text, end_of_call):
            del steps[1:]  # "WALK(hall): The robot will move to the hall."
    if _is_heading_in_words(text, steps):
        steps.clear()  # "Read this list from right to left:"
    if all(step.lacks_objects for step in steps) and _SAYS_ABILITY.match(text):
        steps.clear()
    _drop_step_taken_out(text, offset, reading)


def _drop_step_taken_out(text: str, offset: int, reading: LineReading) -> None:
    """Drop the only step of a line, known or not, if the line takes it out: ``[OMITTED] ...``.

    Where the words may as well tell what the step does, the line is left unread.

    Args:
        text: The line.
        offset: Its offset in the answer.
        reading: The line with its steps, which are changed.
    """
    steps = reading.steps
    if not steps and not (reading.looks_listed or reading.is_like_step):
        return
    if reading.replaced_at >= 0:
        return  # "(replaced)" is said of the step that was dropped
    if len(steps) < 2 and takes_out(text, steps[0].at - offset if steps else 0):
        if may_tell_step(text):
            reading.unread = text.strip()
            return
        steps.clear()
        reading.is_negated = True
        reading.looks_listed = reading.is_like_step = reading.is_command = False


def _is_asked(text: str, offset: int) -> bool:
    """Whether the sentence around an offset of a line is a question: "Should I open the door?"."""
    begin = max(text.rfind(sign, 0, offset) for sign in (". ", "! ", "? ")) + 1
    end = sentence_end(text, offset)
    return text[end : end + 1] == "?" and _QUESTION.match(text, begin) is not None


def _report_condition(
    text: str, offset: int, reading: LineReading, *, is_sure: bool = False
) -> None:
    """Leave a line unread whose steps are only taken in some case: "If it rains:", "Otherwise:".

    Args:
        text: The line.
        offset: Its offset in the answer.
        reading: The line with its steps.
        is_sure: Whether its words make nothing conditional.
    """
    if is_sure or not reading.steps:
        return
    if depends_on_case(text, reading.steps[-1].at - offset):
        reading.unread = text.strip()


def _report_repetition(text: str, reading: LineReading) -> None:
    """Leave a line unread that takes its step several times: ``press(bell) twice``."""
    repetition = repetition_at_end(text)
    if repetition is None or len(reading.steps) != 1:
        return
    # x2 may be an object.
    if squeezed(repetition[0]) not in map(squeezed, reading.steps[0].arguments):
        reading.unread = text.strip()


def _mark_steps(text: str, reading: LineReading, *, is_code: bool, is_narrated: bool) -> None:
    """Give the steps of a line its number, time and layout; only the first of them is numbered.

    Args:
        text: The line.
        reading: The steps, with number and time of the line.
        is_code: Whether the line stands in a program, where ``#`` begins no heading.
        is_narrated: Whether it says who takes the steps: "The robot walks".
    """
    is_heading = not is_code and _HEADING.match(text) is not None
    layout = _layout_of(text)
    number = reading.number
    for index, step in enumerate(reading.steps):
        is_numbered = index == 0 and number is not None
        if is_numbered or step.number is None:
            step.number = number if index == 0 else None
            step.section = reading.section
        step.is_narrated = step.is_narrated or (is_narrated and step.form == "words")
        if is_heading and step.form == "words":
            step.form = "heading"
        step.time = reading.time
        step.place = layout
    if len(reading.steps) > 1:
        reading.number = None


def _names_alternative(text: str, mentions: Sequence[Mention]) -> bool:
    """Return whether a second step, behind "or" or a dash, may be meant instead of the first."""
    has_two_calls = text.count(")") > 1
    call_behind_dash = _CALL_BEHIND_DASH.search(text) if has_two_calls else None
    if call_behind_dash is not None:
        starts = [mention.start for mention in mentions]
        if call_behind_dash.start(1) not in starts:
            return True
    lowered_text = text.lower()
    has_or = any(word in lowered_text for word in _OR_WORDS)
    has_else = any(word in lowered_text for word in _ELSE_WORDS)
    # "OPEN(door) if it is shut, otherwise GRAB(key)" is about a condition, and read as such.
    if not has_or and (not has_else or _CONDITION.search(text)):
        return False
    starts = [mention.start for mention in mentions if mention.is_action]
    starts += [call.start() for call in CALL.finditer(text)]
    return any(_EITHER.search(text[max(start - _LONGEST_EITHER, 0) : start]) for start in starts)


def _notes_on_objects(text: str, mentions: Sequence[Mention], begin: int) -> list[str]:
    """Return notes if the objects of a line may be others: "walk to the bed or the couch".

    Args:
        text: The line.
        mentions: The names in it.
        begin: Where its first step begins.
    """
    lowered_text = text.lower()
    if not any(sign in lowered_text for sign in _OR_SIGNS):
        return []
    notes: dict[str, None] = {}
    for mention in mentions:
        if mention.is_action or mention.start < begin:
            continue
        words_before = text[max(mention.start - _LONGEST_EITHER, 0) : mention.start]
        if _OR_OBJECT.search(words_before):
            notes[f"an alternative is not read: {shorten(text.strip())}"] = None
        if _OTHER_OBJECT.search(words_before):
            notes[f"'other' is not read: {shorten(text.strip())}"] = None
    return [*notes]


def _report_alternatives(
    text: str, mentions: Sequence[Mention], reading: LineReading, begin: int
) -> None:
    """Leave a line of calls unread whose last one may be meant instead; note it in words.

    So are objects noted that may be others than those which were read.

    Args:
        text: The line.
        mentions: The names in it.
        reading: The line with its steps.
        begin: Where its first step begins.
    """
    if not _names_alternative(text, mentions):
        reading.notes += _notes_on_objects(text, mentions, begin)
    elif reading.steps[-1].form != "words" or reading.steps[-1].is_whole:
        reading.unread = text.strip()
    else:
        reading.notes.append(f"an alternative is not read: {shorten(text.strip())}")


def _step_in_words(reading_of_words: InWords, offset: int, reading: LineReading) -> Step:
    """Return the step that some words mean, with number and time of its line.

    Args:
        reading_of_words: The action and the objects that the words mean.
        offset: Offset of the words in the answer.
        reading: The line.
    """
    objects = list(reading_of_words.arguments)
    step = Step(reading_of_words.name, objects, offset, len(objects))
    step.number = reading.number
    step.time = reading.time
    # An item with a number is a step, whatever is wrong with it; a sentence may only mention one.
    step.is_loose = "more objects" in reading_of_words.note and reading.number is None
    return step


def _is_sure_behind_words(text: str, mentions: Sequence[Mention], index: int) -> bool:
    """Whether an action behind other words of a numbered line is a step.

    It is if its name has a bracket, or if an object with a number stands behind it.
    """
    mention = mentions[index]
    # "find a Mug" is one name, of which FIND(Mug) is another form.
    if "(" in text[mention.start : mention.end + 1]:
        return True
    has_object_behind = index + 1 < len(mentions) and not mentions[index + 1].is_action
    return has_object_behind and has_number(text[mention.start :])


def _speaks_of_step_above(words_before: str) -> bool:
    """Whether the words before a verb refer to a step above: "It opens the fridge".

    Behind a number or other words, "then it opens the fridge", the robot does it.
    """
    if _REFERS_BACK.search(words_before) is None:
        return False
    words = words_of(words_before)
    return len(words) == 1 or words[-1] != "it"


def _is_heading_in_words(text: str, steps: Sequence[Step]) -> bool:
    """Whether the only step of a line is a verb of a heading: "Run the following five steps:".

    So is the purpose of the plan: "To watch the film, follow these steps:".
    """
    if len(steps) != 1 or steps[0].form != "words" or not text.rstrip("*_ ").endswith(":"):
        return False
    if _SAYS_PURPOSE.match(text) or text.rstrip("*_ ").endswith("as follows:"):
        return True
    return not steps[0].arguments and steps[0].max_objects > 0 and len(words_of(text)) > MAX_REMARK


def _is_denial_or_talk(before: str) -> bool:
    """Whether the words before an action deny it, or are a sentence about something else."""
    words = words_of(before)
    if not _NEGATIONS.isdisjoint(words) or "n't" in before or "n\u2019t" in before:
        return True
    if _INSTEAD_OF.search(before):
        return True
    return len(words) > 7 or not STATING.isdisjoint(set(words) - {"i", "you", "we", "will"})


_INSTEAD_OF = re.compile(rf"\b{INSTEAD_OF}\W*$", re.IGNORECASE)
_POINTS_TO_PLAN = re.compile(
    r"\W*(?:this|these|that|those|any of|the (?:following|plan|steps?|list|sequence|actions?))\b",
    re.IGNORECASE,
)


def _denies_action(text: str, mentions: Sequence[Mention]) -> bool:
    """Whether a line says not to take its first action."""
    actions = [mention for mention in mentions if mention.is_action]
    if not actions or _POINTS_TO_PLAN.match(text, actions[0].end):
        return False  # "Do not run this." speaks of a plan, though "run" is an action as well
    words = set(words_of(text[: actions[0].start]))
    return not _NEGATIONS.isdisjoint(words) or "don" in words


_LAST_BRANCH = re.compile(r"[\u2514\u2570]|[`\\]--")
"""The sign before the last branch of a drawn tree: ``\u2514\u2500\u2500``."""


def _layout_of(line: str) -> str:
    """Return the indentation and the bullet of a line: ``"4 -"``."""
    bare = line.lstrip()
    bullet = "" if bare[:1].isalnum() else bare[:1]
    if _LAST_BRANCH.match(bare):
        bullet = "|" if bare[0].isascii() else "\u251c"  # as before the other branches
    return f"{len(line) - len(bare)} {bullet}"


def may_precede_step(text: str) -> bool:
    """Whether a text holds nothing but brackets, quotes, or code such as ``robot.do(``."""
    return _OPENING.fullmatch(text) is not None or _CODE.fullmatch(text) is not None
