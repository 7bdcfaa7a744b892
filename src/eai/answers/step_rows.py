"""The steps of a line from its first action on, and what the words between them say.

Behind a step may stand the next one, a reason, an explanation, a clause that is not understood, or
the same step in another form. The words between two actions decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from eai.answers.brackets import closing_bracket
from eai.answers.choice import breaks, is_rejected
from eai.answers.items import LONGEST_LINE, LineReading, Step
from eai.answers.languages import CONJUNCTIONS, CONNECTIVES
from eai.answers.line_begin import BULLET, ORDER_WORDS, begin_of
from eai.answers.plan import shorten, words_of
from eai.answers.sentences import PRONOUN, sentence_end
from eai.answers.surfaces import Mention
from eai.answers.told_steps import EXPLAINED, is_listed_object, unread_clause
from eai.answers.unclear import DOUBT
from eai.text import has_words

if TYPE_CHECKING:
    from eai.answers.grammar import StepGrammar

CONNECTING = re.compile(
    rf"(?:[^\w#/]|\d|\b(?:{'|'.join(ORDER_WORDS.split())}|and|afterwards|which|step|action|"
    r"object|target|name|arguments|args|parameters|input|i|you|we|will|should|go|the|robot|also|to"
    rf"|do|it|followed by|s\d{{1,3}})\b|{CONNECTIVES}|{CONJUNCTIONS})*",
    re.IGNORECASE,
)
_TIME_BEHIND = re.compile(r",\s?(\d{1,4})\)")
"""The time of a step of a logic program, behind it: ``occurs(walk(hall), 1)``."""
_NEXT_WRAPPER = re.compile(r"[\s,\d).;]*\b(\w+\()")
"""The end of one call around a step, and the begin of the next: ``,1). occurs(``."""
MAX_REMARK = 5
"""Maximum number of words of a remark behind a step in words."""
_LOOSE = re.compile(
    r"[\s*_,]*(?:results?|leads?|is|are|was|will|would|makes?|achieves?|completes?)\b"
)
_UNLESS = re.compile(r"[^\w\n]*\bunless\b", re.IGNORECASE)
"""Words behind a step of which nobody knows whether it is taken: ", unless it rains"."""
_DASH = re.compile(r"\s[*_]{0,3}[-\u2013\u2014][*_]{0,3}\s")
RESTATES = re.compile(r"[\s*_.]*(?::|->|\u2192|=)[\s*_]*`[\s`*_]*")
_UNKNOWN_CONNECTIVE = re.compile(r"[`*]*[,;]\s+[^\W\d_]+\s+[`*]*")
"""A comma and one word before a call: ``OPEN(door), whereupon CLOSE(door)``."""
_SENTENCE = re.compile(r"[.!]\s+(?=[A-Z])")
_MAX_BETWEEN = 120
"""Maximum number of characters between two steps of a sentence."""
_REASON_IN_BRACKETS = re.compile(
    r"\(\s*(?:to|so|for|because|in order|after|once|as soon as)\b[^)]*$", re.IGNORECASE
)
"""Words before a verb that gives a reason or a time: "go to the hall (to place the mug)"."""
OPENS_BRACKET = re.compile(r"[\s*_.]*[(\[][\s`*_]*")
"""Signs between a step in words and its call in brackets: ``Walk to the hall (WALK(hall))``."""
_AND = re.compile(r"\b(?:and|as well as|plus)\b|[&+]", re.IGNORECASE)
"""A link between the last two of several objects of a verb."""


def next_action(mentions: Sequence[Mention], index: int, end: int) -> int | None:
    """Return the index of the first action behind a mention that begins behind an offset."""
    for following in range(index + 1, len(mentions)):
        if mentions[following].is_action and mentions[following].start >= end:
            return following
    return None


def is_call_in_brackets(text: str, mention: Mention) -> bool:
    """Whether an action is the name of a call that fills the brackets around it.

    A whole skill, NAV(sink), is one name that has the bracket in it.
    """
    begin = text.find("(", mention.start, mention.end + 1)
    if begin < 0:
        return False
    close = closing_bracket(text, begin + 1, ")")
    return close >= 0 and text[close + 1 :].lstrip("`*_ ")[:1] in (")", "]")


class StepRow:
    """Reads the steps of a line from an action on, and the unread words between them.

    Args:
        grammar: Reads single steps.
        text: The line.
        at: Its offset in the answer.
        mentions: The names in it.
        is_numbered: Whether the line has a number. Then sentences behind the step explain it.

    Attributes:
        reading: The steps so far, what was understood, and what was not.
        end: Where the last step ends.
        stop: Where the next action begins; the end of the line behind the last one.
    """

    def __init__(
        self,
        grammar: StepGrammar,
        text: str,
        at: int,
        mentions: Sequence[Mention],
        *,
        is_numbered: bool = True,
    ) -> None:
        self.grammar = grammar
        self.text = text
        self.at = at
        self.mentions = mentions
        self.is_numbered = is_numbered
        self.reading = LineReading()
        self.end = 0
        self.stop = 0

    def read(self, first: int) -> LineReading:
        """Return the steps from the action on that is the mention with an index."""
        text = self.text
        reading = self.reading
        index: int | None = first
        while index is not None:
            index += self.grammar.is_around_step(text, self.mentions, index)
            self._add_step(index)
            self._add_steps_of_listed_objects(index)
            index = next_action(self.mentions, index, self.end)
            self.stop = len(text) if index is None else self.mentions[index].start
            unknown = self.grammar.unknown
            steps, self.end = unknown.behind(text, self.at, (self.end, self.stop), self._last)
            reading.steps += steps
            if _UNLESS.match(text, self.end):
                self._leave_unread(text)
            if index is not None and not self._goes_on(index):
                if not self.is_numbered and len(text) <= LONGEST_LINE:
                    self._add_next_sentence()
                return reading
        behind = text[self.end :]
        if self._last.form == "words" and len(words_of(behind)) > MAX_REMARK:
            self._last.is_loose = _LOOSE.match(behind) is not None
        self._note_unread()
        return reading

    @property
    def _last(self) -> Step:
        """The last step so far."""
        return self.reading.steps[-1]

    def _leave_unread(self, written: str) -> None:
        """Note words as unread, unless some before them are."""
        self.reading.unread = self.reading.unread or written.strip(" \t,;")

    def _add_step(self, index: int) -> None:
        """Add the step of the action that is the mention with an index."""
        text = self.text
        mention = self.mentions[index]
        step, self.end = self.grammar.step_at(text, self.at, self.mentions, index)
        stop = min(self.end + 12, max(sentence_end(text, mention.end), self.end))
        self._replace_pronoun(step, mention.end, stop)
        # "occurs(walk(hall), 1)": in logic programs the time stands behind the step.
        time = _TIME_BEHIND.match(text, self.end)
        if time is not None and text[: mention.start].endswith("("):
            step.number = int(time[1])
        self.reading.steps.append(step)

    def _add_steps_of_listed_objects(self, index: int) -> None:
        """Add a step for each further object of the last verb: "wash the cup and the plate".

        Objects with nothing but commas between them are too many objects of one step.

        Args:
            index: Index of the verb among the mentions.
        """
        step = self._last
        if step.form != "words" or step.max_objects != 1 or len(step.arguments) != 1:
            return
        end = self.end
        listed: list[Step] = []
        has_and = False
        for position in range(index + 1, len(self.mentions)):
            mention = self.mentions[position]
            if mention.start < end:
                continue
            if not is_listed_object(self.text, end, self.mentions, position):
                break
            has_and = _AND.search(self.text, end, mention.start) is not None
            at = self.at + mention.start
            listed.append(replace(step, arguments=[mention.name], at=at))
            end = mention.end
        if has_and:
            self.reading.steps += listed
            self.end = end

    def _add_next_sentence(self) -> None:
        """Add the steps of the next sentence if it begins with one: "Once that is done, ..."."""
        sentence = self.text[sentence_end(self.text, self.end) + 1 :].lstrip()
        at = self.at + len(self.text) - len(sentence)
        begin = begin_of(sentence, self.grammar.surfaces)
        if begin.number is not None or DOUBT.search(sentence[: begin.end]):
            return
        following = self.grammar.line(sentence, at)
        if not following.steps or following.steps[0].at > at + begin.end:
            return
        first = following.steps[0]
        if first.pronoun_place >= 0 and not self.grammar.take_meant(first, self._last):
            self._leave_unread(sentence)
        self.reading.steps += following.steps
        self.reading.notes += following.notes
        self.reading.unread = self.reading.unread or following.unread

    def _goes_on(self, index: int) -> bool:
        """Whether the next action, the mention with an index, is a step as well.

        Unread words before it are noted. The last step is dropped if the action only restates it.
        """
        text, begin, stop = self.text, self.end, self.stop
        mention = self.mentions[index]
        if _REASON_IN_BRACKETS.search(text, begin, stop) or self._only_explains(index):
            return False
        wrapper = _NEXT_WRAPPER.fullmatch(text, begin, stop)
        if wrapper is not None and wrapper[1] in text[:begin]:
            return True
        if not CONNECTING.fullmatch(text, begin, stop):
            return self._begins_clause(index)
        if self.is_numbered and _DASH.search(text, begin, stop):
            return False
        if OPENS_BRACKET.fullmatch(text, begin, stop) and is_call_in_brackets(text, mention):
            self._restate(mention)
        elif len(self.reading.steps) == 1 and RESTATES.fullmatch(text, begin, stop):
            self.reading.steps.clear()  # "Find a Mug: find(Mug)" says one step in two ways
        return True

    def _only_explains(self, index: int) -> bool:
        """Whether an action behind a colon or a dash belongs to an explanation of the step.

        "2. OPEN(door): finally, the robot will open the door" has one step. If the explanation may
        be another step, "OPEN(door) - close the window", a note says so.
        """
        text = self.text
        if not EXPLAINED.match(text, self.end):
            return False
        step, _ = self.grammar.step_at(text, 0, self.mentions, index)
        if step.says_same(self._last):
            return True  # "find a cup - find a cup in the kitchen"
        mention = self.mentions[index]
        is_call = text[mention.end : mention.end + 1] == "("
        if is_call or not CONNECTING.fullmatch(text, self.end, self.stop):
            return False
        # "OPEN(door): Move it." has one step, "OPEN(door): then walk to the hall" may have two.
        is_right_behind = not has_words(text[self.end : self.stop])
        is_of_one_step = self._last.form == "call" or BULLET.match(text) is not None
        if not (self.is_numbered or (is_of_one_step and is_right_behind)):
            return False
        end = sentence_end(text, mention.end)
        if is_right_behind and (step.is_whole or PRONOUN.search(text, mention.end, end)):
            self.reading.notes.append(f"not read: {shorten(text[mention.start :].strip())}")
        return True

    def _begins_clause(self, index: int) -> bool:
        """Whether an action behind other words is a step, or else the step before is talk."""
        text = self.text
        mention = self.mentions[index]
        is_clause = self._is_next_clause(mention)
        if not is_clause:
            self._last.is_loose = self._last.form == "words"
        if is_clause or text[mention.end : mention.end + 1] != "(":
            self._note_unread()
        elif _UNKNOWN_CONNECTIVE.fullmatch(text, self.end, self.stop):
            self._leave_unread(text[self.end :])
        if not is_clause and self._is_doubted_step(index):
            self._leave_unread(text[mention.start :])
        return is_clause

    def _is_doubted_step(self, index: int) -> bool:
        """Whether a whole step begins a clause of its own, behind words that raise a doubt.

        An example is "Walk to the hall before it gets dark, then open the door". In a numbered
        line it explains the step.
        """
        mention = self.mentions[index]
        is_far = mention.start - self.end > LONGEST_LINE
        if self.is_numbered or is_far or not self._begins_at_clause(mention):
            return False
        step, _ = self.grammar.step_at(self.text, 0, self.mentions, index)
        return bool(step.arguments) and step.is_whole

    def _begins_at_clause(self, mention: Mention) -> bool:
        """Whether an action is the first word of a clause behind the last step."""
        clauses = self.grammar.surfaces.sentences.clauses(self.text, self.end, mention.end)
        return any(clause.start == mention.start for clause in clauses)

    def _restate(self, mention: Mention) -> None:
        """Drop the last step if it is in words and the call in brackets behind it says the same.

        A call of another action is another step. As it is not clear which one is meant, the line is
        unread.
        """
        if self._last.form != "words":
            return
        action = self.grammar.surfaces.action(self.text[mention.start : mention.end])
        if action is not None and _is_same_action(action.name, self._last.name):
            self.reading.steps.pop()
        else:
            self._leave_unread(self.text)

    def _note_unread(self) -> None:
        """Note the first clause behind the last step that may be a step of an unknown action."""
        if not self.reading.unread:
            span = self.end, self.stop
            numbered = self.is_numbered
            self.reading.unread = unread_clause(
                self.grammar, self.text, span, self.mentions, is_numbered=numbered
            )

    def _is_next_clause(self, mention: Mention) -> bool:
        """Whether an action behind other words begins a clause of the same sentence, or a sentence.

        In a numbered line only the sentence of the step counts, as the others explain it.
        """
        text = self.text
        between = text[self.end : self.stop]
        if not self.is_numbered:
            # Sentences in between do no harm, unless they reject what follows.
            sentences, between = _parted_at_sentence(between)
            if sentences and (is_rejected(sentences, is_alone=True) or breaks(sentences)):
                return False
        if len(between) > _MAX_BETWEEN or DOUBT.search(between):
            return False
        end_of_step = min(self.grammar.end_of_step(text, self.end), sentence_end(text, self.end))
        is_explained = EXPLAINED.match(text, self.end) is not None
        if self.is_numbered and (is_explained or end_of_step < self.stop):
            return False
        return self._begins_at_clause(mention)

    def _replace_pronoun(self, step: Step, begin: int, stop: int) -> None:
        """Replace the pronoun in a step by an object of a step before it in the line.

        Without such a step, an object that stands before the action in the line may be meant:
        "Once I am near the light, I switch it on."

        Args:
            step: The step, which is changed.
            begin: Where the words behind its action begin.
            stop: Where they end.
        """
        pronoun = PRONOUN.search(self.text, begin, stop)
        if pronoun is None or not step.lacks_objects:
            return
        objects = [mention for mention in self.mentions if not mention.is_action]
        if step.pronoun_place < 0:
            behind = [mention.start for mention in objects if mention.start >= begin]
            is_first = bool(behind) and pronoun.start() < behind[0]
            step.pronoun_place = 0 if is_first else len(step.arguments)
        steps = self.reading.steps
        with_objects = [before for before in steps if self.grammar.objects_named_by(before)]
        if with_objects:
            before = with_objects[-1]
        else:
            named = {mention.name for mention in objects if mention.end <= begin}
            if len(named) != 1:
                return  # an object of the line before may be meant
            before = Step("", [*named], step.at)
        meant = self.grammar.take_meant(step, before)
        if meant:
            self.reading.notes.append(f"'{pronoun[0].lower()}' was read as {meant}")
        else:
            written = self.text[begin - len(step.written) : pronoun.end()]
            self.reading.unread = written.strip()


def _is_same_action(name: str, other: str) -> bool:
    """Whether two names are those of one action; of whole skills in words the verb decides."""
    if name == other:
        return True
    is_skill = " " in name or " " in other
    verbs = [words_of(each.replace("_", " "))[:1] for each in (name, other)]
    return is_skill and verbs[0] == verbs[1]


def _parted_at_sentence(text: str) -> tuple[str, str]:
    """Return the whole sentences of a text, and the begin of the next one behind them."""
    begin = 0
    for end in _SENTENCE.finditer(text):
        begin = end.end()
    return text[:begin], text[begin:]
