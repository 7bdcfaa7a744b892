"""The steps of a line from its first action on, and what the words between them say.

Behind a step may stand the next one, a reason, an explanation, a clause that is not understood, or
the same step in another form. The words between two actions decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from eai.answers.brackets import closing_bracket
from eai.answers.choice import begins_new_try, is_rejected
from eai.answers.conditions import has_condition_behind
from eai.answers.items import (
    LONGEST_LINE,
    LineReading,
    Step,
    are_alike,
    is_same_action,
    is_same_step,
    tells_same_step,
)
from eai.answers.languages import CONJUNCTIONS, CONNECTIVES
from eai.answers.line_begin import BULLET, IN_STATE, ORDER_WORDS, read_line_begin
from eai.answers.object_grammar import AND
from eai.answers.plan import shorten, words_of
from eai.answers.retractions import denies_question
from eai.answers.sentences import PRONOUN, sentence_end
from eai.answers.surfaces import Mention, squeezed
from eai.answers.told_steps import EXPLAINED, find_unread_clause, is_listed_object, is_next_place
from eai.answers.unclear import DOUBT
from eai.text import has_words

if TYPE_CHECKING:
    from eai.answers.grammar import StepGrammar

CONNECTING = re.compile(
    rf"(?:[^\w#/]|\d|\b(?:{'|'.join(ORDER_WORDS.split())}|and|afterwards|which|step|action|"
    r"object|target|name|arguments|args|parameters|input|i|you|we|will|should|go|the|there|robot|also"
    r"|(?:is|are|am|(?<=['\u2019])(?:s|re|m)) going(?= to)"
    rf"|to|do|it|followed by|s\d{{1,3}})\b|{CONNECTIVES}|{CONJUNCTIONS})*",
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
_SHARES_OBJECT = re.compile(
    r"\s?(?:to|at|on|for|towards?)?,?\s(?:(?:and|then|or|&)\s){0,2}", re.IGNORECASE
)
"""Words between two verbs with one object: "walk to and open the door"."""
_CORRECTS = re.compile(
    r"\W*(?:no, |sorry\b|oops\b|correction\b|wait, |i mean\b|make that\b|scr(?:atch|ap) that\b)",
    re.IGNORECASE,
)
"""Words right behind a step that put another one in its place: "- no, make that open(door)"."""
_DASH = re.compile(r"\s[*_]{0,3}[-\u2013\u2014][*_]{0,3}\s")
RESTATES = re.compile(r"[\s*_.]*(?::|->|\u2192|=)[\s*_]*`[\s`*_]*")
_UNKNOWN_CONNECTIVE = re.compile(r"[`*]*[,;]\s+[^\W\d_]+\s+[`*]*")
"""A comma and one word before a call: ``OPEN(door), whereupon CLOSE(door)``."""
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z])")
_SEES = re.compile(
    r"\b(?:saw|sees?|notic(?:es?|ed)|spot(?:s|ted)?|reach(?:es|ed)?)\s(?:the\s|an?\s)?$",
    re.IGNORECASE,
)
"""Words before an object that is spoken of next: "it saw the lamp and switched it on"."""
_MARKS = frozenset(" \t*_`\"'([")
"""Blanks, marks around a call, and brackets around words that explain it."""
_MAX_STATE = 30
"""Number of characters before an adjective in which the words that make it one stand."""
_LISTS_OBJECT = re.compile(r"(?:\s\w{1,8})?:\s*[\[({<]")
"""Text behind a pronoun that names an object besides."""
_OTHER_CLAUSE = re.compile(
    r"\b(?:after|as|because|before|if|since|so|unless|until|when|while)\b", re.IGNORECASE
)
"""A word between an action and the pronoun of another clause."""
_PRONOUN_OF_CLAUSE = re.compile(
    r"\s+(it|them)\b,?\s(?:and|then|if|so|before|after|because)\b", re.IGNORECASE
)
"""A pronoun right behind an action, and the begin of another clause."""
_NEAR = 12
"""Number of characters behind an action in which a pronoun is its object: "sit on it"."""
_MAX_BETWEEN = 120
"""Maximum number of characters between two steps of a sentence."""
_REASON_IN_BRACKETS = re.compile(
    r"\(\s*(?:to|so|for|because|in order|after|once|as soon as)\b[^)]*$", re.IGNORECASE
)
"""Words before a verb that gives a reason or a time: "go to the hall (to place the mug)"."""
OPENS_BRACKET = re.compile(r"[\s*_.]*[(\[][\s`*_]*")
"""Signs between a step in words and its call in brackets: ``Walk to the hall (WALK(hall))``."""
_SAYS_AGAIN = re.compile(r"[^(\[:=;.>\u2192]*(?:[(\[:=]|(?P<arrow>->|\u2192))[\s`*_]*")
"""Unknown objects of a step, and a sign before the same step in other words."""


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


def is_other_step_in_words(call: Step, text_between: str, step: Step) -> bool:
    """Whether words right behind a call, with no sign between, say another step than it.

    "WALK(hall) Walk to the hall" is one step, and "WALK(hall) Open the door" may be two.

    Args:
        call: The step before.
        text_between: What stands between it and the words.
        step: The step of the words.
    """
    if call.form != "call" or not _MARKS.issuperset(text_between):
        return False
    # Words in brackets have the form of a step of PDDL.
    return step.form in ("words", "pddl") and not tells_same_step(step, call)


class StepRow:
    """Reads the steps of a line from an action on, and the unread words between them.

    Args:
        grammar: Reads single steps.
        text: The line.
        offset: Its offset in the answer.
        mentions: The names in it.
        is_numbered: Whether the line has a number. Then sentences behind the step explain it.

    Attributes:
        reading: The steps so far, what was understood, and what was not.
        last_step_end: Where the last step ends.
        next_action_start: Where the next action begins; the end of the line behind the last one.
    """

    def __init__(
        self,
        grammar: StepGrammar,
        text: str,
        offset: int,
        mentions: Sequence[Mention],
        *,
        is_numbered: bool = True,
    ) -> None:
        """Begin without steps; :meth:`read_steps` adds them to ``reading``."""
        self.grammar = grammar
        self.text = text
        self.offset = offset
        self.mentions = mentions
        self.is_numbered = is_numbered
        self.reading = LineReading()
        self.last_step_end = 0
        self.next_action_start = 0

    def read_steps(self, first_index: int) -> LineReading:
        """Return the steps from the action on that is the mention with an index."""
        text = self.text
        reading = self.reading
        mention_index: int | None = first_index
        while mention_index is not None:
            mention_index += self.grammar.is_around_step(text, self.mentions, mention_index)
            self._add_step(mention_index)
            self._add_steps_of_listed_objects(mention_index)
            mention_index = self._next_action(mention_index)
            self.next_action_start = (
                len(text) if mention_index is None else self.mentions[mention_index].start
            )
            unknown_steps = self.grammar.unknown
            steps, self.last_step_end = unknown_steps.read_steps_behind(
                text, self.offset, (self.last_step_end, self.next_action_start), self._last_step
            )
            reading.steps += steps
            if self._is_taken_back():
                self._leave_unread(text)
            # Only now are all objects of the step known that "walk to and open the door" shares.
            self._share_object()
            if mention_index is not None and not self._continues_with_action(mention_index):
                is_last = self.is_numbered or len(text) > LONGEST_LINE
                has_next_sentence = not is_last and self._add_next_sentence()
                if not (is_last or has_next_sentence or BULLET.match(text)):
                    self._note_step_behind_sentence(mention_index)
                return reading
        text_behind = text[self.last_step_end :]
        if self._last_step.form == "words" and len(words_of(text_behind)) > MAX_REMARK:
            self._last_step.is_loose = _LOOSE.match(text_behind) is not None
        self._note_unread()
        if self.is_numbered:
            self._note_steps_of_next_sentences()
        return reading

    def _next_action(self, index: int) -> int | None:
        """Return the index of the next action behind a mention; "which is close" names none."""
        following = next_action(self.mentions, index, self.last_step_end)
        while following is not None:
            start = self.mentions[following].start
            if not IN_STATE.search(self.text, max(start - _MAX_STATE, 0), start):
                break
            following = next_action(self.mentions, following, self.last_step_end)
        return following

    @property
    def _last_step(self) -> Step:
        """The last step so far."""
        return self.reading.steps[-1]

    def _is_taken_back(self) -> bool:
        """Whether words right behind the last step leave it open or deny it: "? No."."""
        if has_condition_behind(self.text, self.last_step_end):
            return True
        if _CORRECTS.match(self.text, self.last_step_end):
            return True
        return "?" in self.text and denies_question(self.text[self.last_step_end :])

    def _leave_unread(self, written: str) -> None:
        """Note words as unread, unless some before them are."""
        self.reading.unread = self.reading.unread or written.strip(" \t,;")

    def _add_step(self, mention_index: int) -> None:
        """Add the step of the action that is the mention with an index."""
        text = self.text
        mention = self.mentions[mention_index]
        step, self.last_step_end = self.grammar.step_at(
            text, self.offset, self.mentions, mention_index
        )
        self._prefer_pronoun(step, mention.end)
        pronoun_end = min(
            self.last_step_end + _NEAR, max(sentence_end(text, mention.end), self.last_step_end)
        )
        self._replace_pronoun(step, mention.end, pronoun_end)
        # "occurs(walk(hall), 1)": in logic programs the time stands behind the step.
        time_match = _TIME_BEHIND.match(text, self.last_step_end)
        if time_match is not None and text[: mention.start].endswith("("):
            step.number = int(time_match[1])
        self.reading.steps.append(step)
        if mention.clause_step is not None and mention.clause_step.saying:
            note = f"'{mention.clause_step.saying}' was read as {step.name}"
            self.reading.notes.append(note)
        for name in () if mention.clause_step is None else mention.clause_step.listed:
            self.reading.steps.append(replace(step, arguments=[name, *step.arguments[1:]]))

    def _add_steps_of_listed_objects(self, index: int) -> None:
        """Add a step for each further object of the last verb: "wash the cup and the plate".

        So are further places added, "walk to the hall, then to the door". Objects with nothing but
        commas between them are too many objects of one step.

        Args:
            index: Index of the verb among the mentions.
        """
        step = self._last_step
        if step.form != "words" or step.max_objects != 1 or len(step.arguments) != 1:
            return
        end = self.last_step_end
        listed: list[Step] = []
        has_and = False
        for position in range(index + 1, len(self.mentions)):
            mention = self.mentions[position]
            # The verb's own object is one of the mentions.
            if mention.start < end:
                continue
            if is_next_place(self.text, (self.mentions[index].start, end), mention):
                has_and = True
            elif is_listed_object(self.text, end, self.mentions, position):
                # Only the last link counts: "the cup, the plate and the fork".
                has_and = AND.search(self.text, end, mention.start) is not None
            else:
                break
            at = self.offset + mention.start
            listed.append(replace(step, arguments=[mention.name], at=at))
            end = mention.end
        if has_and:
            self.reading.steps += listed
            self.last_step_end = end

    def _share_object(self) -> None:
        """Give the last steps that lack their only object that of the step behind them.

        An example is "walk to and open the door".
        """
        for step_behind, step in pairwise(reversed(self.reading.steps)):
            if step.arguments or step.max_objects != 1 or step.pronoun_place >= 0:
                return
            if step_behind.max_objects != 1 or not step_behind.is_whole:
                return
            begin = step.at - self.offset + len(step.written)
            if not _SHARES_OBJECT.fullmatch(self.text, begin, step_behind.at - self.offset):
                return
            step.arguments = list(step_behind.arguments)

    def _add_next_sentence(self) -> bool:
        """Add the steps of the next sentence if it begins with one: "Once that is done, ...".

        Return False if it does not.
        """
        sentence = self.text[sentence_end(self.text, self.last_step_end) + 1 :].lstrip()
        offset = self.offset + len(self.text) - len(sentence)
        begin = read_line_begin(sentence, self.grammar.surfaces)
        if begin.number is not None or DOUBT.search(sentence[: begin.end]):
            return False
        next_reading = self.grammar.read_line(sentence, offset)
        if not next_reading.steps or next_reading.steps[0].at > offset + begin.end:
            return False
        first_step = next_reading.steps[0]
        if first_step.pronoun_place >= 0 and not self.grammar.resolve_pronoun(
            first_step, self._last_step
        ):
            self._leave_unread(sentence)
        self.reading.steps += next_reading.steps
        self.reading.notes += next_reading.notes
        self.reading.unread = self.reading.unread or next_reading.unread
        return True

    def _note_step_behind_sentence(self, index: int) -> None:
        """Leave a whole step unread that stands amid a later sentence: "Without delay it opens".

        Behind a verb in "-ing" an object only says how something is done: "by closing the door".

        Args:
            index: Index of the mention that is the action.
        """
        end = sentence_end(self.text, self.last_step_end)
        for later_index in range(index, len(self.mentions)):
            mention = self.mentions[later_index]
            is_gerund = self.text[mention.start : mention.end].endswith("ing")
            if not mention.is_action or mention.start < end or is_gerund:
                continue
            step, _ = self.grammar.step_at(self.text, 0, self.mentions, later_index)
            if step.form == "words" and step.is_whole and step.arguments:
                self._leave_unread(self.text[mention.start :])
                return

    def _continues_with_action(self, index: int) -> bool:
        """Whether the next action, the mention with an index, is a step as well.

        Unread words before it are noted. The last step is dropped if the action only restates it.
        """
        text, begin, stop = self.text, self.last_step_end, self.next_action_start
        mention = self.mentions[index]
        if self._names_next_step(index):
            self.reading.steps.pop()  # "Walk - WALK(hall)"
            return True
        if _REASON_IN_BRACKETS.search(text, begin, stop) or self._is_explanation(index):
            return False
        wrapper = _NEXT_WRAPPER.fullmatch(text, begin, stop)
        if wrapper is not None and wrapper[1] in text[:begin]:
            return True
        if not CONNECTING.fullmatch(text, begin, stop):
            return self._begins_clause(index)
        if self.is_numbered and _DASH.search(text, begin, stop):
            return False
        if OPENS_BRACKET.fullmatch(text, begin, stop) and is_call_in_brackets(text, mention):
            self._drop_restated_step(mention)
        elif len(self.reading.steps) == 1 and RESTATES.fullmatch(text, begin, stop):
            self.reading.steps.clear()  # "Find a Mug: find(Mug)" says one step in two ways
        elif self._is_said_exactly(index):
            self.reading.steps.pop()
        elif self._is_other_step_behind_call(index):
            self._leave_unread(text)
        return True

    def _names_next_step(self, index: int) -> bool:
        """Whether the last step only names the action of the call behind it: "Nav: nav(sofa)".

        Args:
            index: Index of the mention that is the name of the call.
        """
        last_step = self._last_step
        begin = last_step.at - self.offset + len(last_step.written)
        if has_words(self.text[begin : self.next_action_start]):
            return False
        step, _ = self.grammar.step_at(self.text, 0, self.mentions, index)
        is_same_word = squeezed(step.written.partition("(")[0]) == squeezed(last_step.written)
        is_named = last_step.is_bare and step.is_whole and is_same_word
        return is_named or last_step.only_names(step)

    def _is_said_exactly(self, index: int) -> bool:
        """Whether an action says the last step in the names of the task, as that does not.

        "WALK zum Flur (WALK hall.3)" is one step, and so is "Walk to the hall -> WALK hall.3".
        """
        last_step, surfaces = self._last_step, self.grammar.surfaces
        begin = last_step.at - self.offset + len(last_step.written)
        sign = _SAYS_AGAIN.fullmatch(self.text, begin, self.next_action_start)
        if sign is None or last_step.form != "words":
            return False
        step, _ = self.grammar.step_at(self.text, 0, self.mentions, index)
        is_exact = step.is_whole and all(map(surfaces.objects_in, step.arguments))
        if not is_exact or not last_step.arguments:
            return False
        if is_same_step(last_step, step):
            return True
        is_unknown = not any(map(surfaces.objects_in, last_step.arguments))
        # A whole skill that is written as a call, nav(sink), has words as its name.
        names = (step.name, step.written.partition("(")[0])
        is_same = any(is_same_action(name, last_step.name) for name in names)
        return is_unknown and not sign["arrow"] and is_same

    def _is_other_step_behind_call(self, index: int) -> bool:
        """Whether an action is that of words right behind a call, which say another step.

        Args:
            index: Index of the mention that is the action of the words.
        """
        text, mention = self.text, self.mentions[index]
        # The words in the brackets of a call would be looked through twice.
        has_brackets = text[mention.end : mention.end + 2].lstrip().startswith("(")
        if self._last_step.form != "call" or has_brackets:
            return False
        step, _ = self.grammar.step_at(text, 0, self.mentions, index)
        # STANDUP behind a call is a step that takes no object, as exact as the call.
        has_object = bool(step.arguments) or " " in step.written
        has_object = has_object or PRONOUN.match(text, mention.end + 1) is not None
        text_between = text[self.last_step_end : self.next_action_start]
        return has_object and is_other_step_in_words(self._last_step, text_between, step)

    def _is_explanation(self, index: int) -> bool:
        """Whether an action behind a colon or a dash belongs to an explanation of the step.

        "2. OPEN(door): finally, the robot will open the door" has one step. If the explanation may
        be another step, "OPEN(door) - close the window", a note says so.
        """
        text = self.text
        if not EXPLAINED.match(text, self.last_step_end):
            return False
        step, _ = self.grammar.step_at(text, 0, self.mentions, index)
        if are_alike(step, self._last_step):
            self._last_step.is_unordered &= step.form == "words"
            return True  # "find a cup - find a cup in the kitchen"
        mention = self.mentions[index]
        is_call = text[mention.end : mention.end + 1] == "("
        if is_call or not CONNECTING.fullmatch(text, self.last_step_end, self.next_action_start):
            return False
        # "OPEN(door): Move it." has one step, "OPEN(door): then walk to the hall" may have two.
        is_right_behind = not has_words(text[self.last_step_end : self.next_action_start])
        is_of_one_step = self._last_step.form == "call" or BULLET.match(text) is not None
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
            self._last_step.is_loose = self._last_step.form == "words"
        if is_clause or text[mention.end : mention.end + 1] != "(":
            self._note_unread()
        elif _UNKNOWN_CONNECTIVE.fullmatch(text, self.last_step_end, self.next_action_start):
            self._leave_unread(text[self.last_step_end :])
        if not is_clause:
            self._note_steps_beside(index)
        return is_clause

    def _note_steps_beside(self, index: int) -> None:
        """Note the whole steps of a sentence that is not read on from an action.

        A step that begins a clause of its own is unread: "Walk to the hall before it gets dark,
        then open the door". In a numbered line, and behind words such as "so that you can", a step
        may only explain the one before.

        Args:
            index: Index of the mention that is the action.
        """
        text = self.text
        end = max(sentence_end(text, self.last_step_end), self.mentions[index].end)
        mention_index: int | None = index
        while mention_index is not None and self.mentions[mention_index].start < end:
            mention = self.mentions[mention_index]
            step, step_end = self.grammar.step_at(text, self.offset, self.mentions, mention_index)
            if step.lacks_objects and PRONOUN.search(text, mention.end, mention.end + _NEAR):
                step.pronoun_place = max(step.pronoun_place, 0)
            if step.pronoun_place >= 0:
                self.grammar.resolve_pronoun(step, self._last_step)
            if step.is_whole and step.arguments:
                if not self.is_numbered and self._begins_at_clause(mention):
                    self._leave_unread(text[mention.start :])
                    return
                self.reading.steps_beside.append(step)
            mention_index = next_action(self.mentions, mention_index, max(step_end, mention.end))

    def _note_steps_of_next_sentences(self) -> None:
        """Note the whole steps that the sentences behind an item tell: "The robot opens it"."""
        end = sentence_end(self.text, self.last_step_end)
        if has_words(self.text[end:]):
            steps = self.grammar.whole_steps(self.text[end:], self.offset + end)
            self.reading.steps_beside += [step for step in steps if step.arguments]

    def _begins_at_clause(self, mention: Mention) -> bool:
        """Whether an action is the first word of a clause behind the last step."""
        clauses = self.grammar.surfaces.sentences.find_clauses(
            self.text, self.last_step_end, mention.end
        )
        return any(clause.start == mention.start for clause in clauses)

    def _drop_restated_step(self, mention: Mention) -> None:
        """Drop the last step if it is in words and the call in brackets behind it says the same.

        A call of another action is another step. As it is not clear which one is meant, the line is
        unread.
        """
        if self._last_step.form != "words":
            return
        action = self.grammar.surfaces.find_action(self.text[mention.start : mention.end])
        if action is not None and is_same_action(action.name, self._last_step.name):
            self.reading.steps.pop()
        else:
            self._leave_unread(self.text)

    def _note_unread(self) -> None:
        """Note the first clause behind the last step that may be a step of an unknown action."""
        begin = self.last_step_end
        while not self.reading.unread:
            span = begin, self.next_action_start
            numbered = self.is_numbered
            clause = find_unread_clause(
                self.grammar, self.text, span, self.mentions, is_numbered=numbered
            )
            if not self._tells_last_step(clause):
                self.reading.unread = clause
                return
            begin = self.text.index(clause, begin) + len(clause)

    def _tells_last_step(self, clause: str) -> bool:
        """Whether a clause only says the last step again: "walks to it" behind "Walk to it"."""
        steps = self.grammar.read_line(clause, 0).steps if clause else []
        return len(steps) == 1 and is_same_step(steps[0], self._last_step)

    def _is_next_clause(self, mention: Mention) -> bool:
        """Whether an action behind other words begins a clause of the same sentence, or a sentence.

        In a numbered line only the sentence of the step counts, as the others explain it.
        """
        text = self.text
        text_between = text[self.last_step_end : self.next_action_start]
        if not self.is_numbered:
            # Sentences in between do no harm, unless they reject what follows.
            sentences, text_between = _parted_at_sentence(text_between)
            if sentences and (is_rejected(sentences, is_alone=True) or begins_new_try(sentences)):
                return False
        if len(text_between) > _MAX_BETWEEN or DOUBT.search(text_between):
            return False
        end_of_step = min(
            self.grammar.end_of_step(text, self.last_step_end),
            sentence_end(text, self.last_step_end),
        )
        is_explained = EXPLAINED.match(text, self.last_step_end) is not None
        if self.is_numbered and (is_explained or end_of_step < self.next_action_start):
            return False
        return self._begins_at_clause(mention)

    def _prefer_pronoun(self, step: Step, begin: int) -> None:
        """Take an object of the next clause from a step that has a pronoun: "open it and, if ...".

        Args:
            step: The step, which is changed.
            begin: Where the words behind its action begin.
        """
        pronoun = _PRONOUN_OF_CLAUSE.match(self.text, begin)
        if pronoun is not None and step.form == "words" and step.max_objects == 1:
            step.arguments = []
            self.last_step_end = pronoun.end(1)

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
        if _OTHER_CLAUSE.search(self.text, begin, pronoun.start()):
            return  # "walk before it gets dark"
        if _LISTS_OBJECT.match(self.text, pronoun.end()):
            self._leave_unread(self.text)  # "turn it on: [fridge.40]"
            return
        if step.pronoun_place < 0:
            step.pronoun_place = self._place_of_pronoun(step, pronoun.start(), begin)
        earlier_step = self._step_meant_by_pronoun(step, begin)
        if earlier_step is None:
            return  # an object of the line before may be meant
        object_meant = self.grammar.resolve_pronoun(step, earlier_step)
        if object_meant:
            self.reading.notes.append(f"'{pronoun[0].lower()}' was read as {object_meant}")
        else:
            written = self.text[begin - len(step.written) : pronoun.end()]
            self.reading.unread = written.strip()

    def _place_of_pronoun(self, step: Step, pronoun_start: int, begin: int) -> int:
        """Return the place of a pronoun among the objects of a step: before or behind the others.

        Args:
            step: The step.
            pronoun_start: Where the pronoun begins.
            begin: Where the words behind the action begin.
        """
        starts_behind = [mention.start for mention in self._objects if mention.start >= begin]
        is_first = bool(starts_behind) and pronoun_start < starts_behind[0]
        return 0 if is_first else len(step.arguments)

    def _step_meant_by_pronoun(self, step: Step, begin: int) -> Step | None:
        """Return a step with the object that a pronoun may stand for; None if none is in the line.

        Args:
            step: The step with the pronoun.
            begin: Where the words behind its action begin.
        """
        objects_before = [mention for mention in self._objects if mention.end <= begin]
        for mention in reversed(objects_before):
            if _SEES.search(self.text[: mention.start]):
                return Step("", [mention.name], step.at)
        for earlier_step in reversed(self.reading.steps):
            if self.grammar.objects_named_by(earlier_step):
                return earlier_step
        names_before = {mention.name for mention in objects_before}
        return Step("", [*names_before], step.at) if len(names_before) == 1 else None

    @property
    def _objects(self) -> list[Mention]:
        """The objects that the line names."""
        return [mention for mention in self.mentions if not mention.is_action]


def _parted_at_sentence(text: str) -> tuple[str, str]:
    """Return the whole sentences of a text, and the begin of the next one behind them."""
    begin = 0
    for end in _SENTENCE.finditer(text):
        begin = end.end()
    return text[:begin], text[begin:]
