"""The items of RoboBench's plans: a skill, the names that stand in its roles, and perhaps an arm.

Skills are known; objects are any words, so that roles decide where a name ends: commas in a call,
prepositions in a sentence ("pour the water from the kettle into the cup"). Lines, values, drafts
and choices are read as for all plans (:mod:`eai.answers`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from eai.answers import (
    CONNECTING,
    RESTATES,
    VERBS,
    ActionForm,
    Brackets,
    Group,
    LineReading,
    Mention,
    Node,
    Step,
    StepGrammar,
    Text,
    ValueReading,
    may_precede_step,
    shorten,
    squeezed,
    words_of,
)
from eai.suites.robobench.sentences import DIRECT, PREPOSITION, read_sentence
from eai.suites.robobench.values import arguments_in, as_calls
from eai.suites.robobench.vocabulary import (
    ARMS,
    NO_OBJECT,
    keyed_arguments,
    order_by_roles,
    side_of,
    skills,
    words,
)

# ------------------------------------------------------------------ arms

# Words for the arm that is meant.
_SIDE = r"(?:left\s*(?:and|&|\+|/)\s*right|left|right|both|two|bimanual|dual)"
# Words for an arm.
_NOUN = r"(?:[ _-]?(?:arm|hand|gripper|manipulator)s?\b)"
_ARM = re.compile(
    rf"""
      [\[(]\s*(?:(?:with|using|by|use)\s+)?(?:(?:the|its|your)\s+)?    # [left] (with the left arm)
        (?P<bracketed>{_SIDE}|[LR](?![a-z])){_NOUN}?\s*[\])]
    | (?:,\s*|(?<!\s)\s*)?                     # all blanks of a run at once, as it may be long
        ["']?\b(?:arm|hand|gripper|side)\b["']?\s*[=:]\s*               # arm="left" in a call
        ["']?(?P<keyword>{_SIDE}){_NOUN}?["']?(?:\s*,(?=\s*\w))?
    | (?<![\w.\u2705\u2714])(?<![\u2705\u2714]\s)                        # Left arm: or left =
        ["']?(?P<label>{_SIDE}{_NOUN}?|[LR])["']?
        \s{{0,2}}[*_]{{0,2}}\s?[:=](?!=)[*_]{{0,2}}
    | (?<!\w)(?P<owner>{_SIDE}){_NOUN}?[._](?=[A-Za-z]\w*\s?\()         # left_arm.grasp(cup)
    | (?<!from\s)(?<!to\s)(?<!from\sthe\s)(?<!to\sthe\s)                 # with the left hand
      (?:\b(?:with|using|use|by|in|have|let)\s+)?(?:\b(?:the|its|your|his|robot's)\s+)?
      (?<!\w)(?P<named>{_SIDE}){_NOUN}(?:\s+(?:should|must|will|to)\b)*,?
    | (?:(?<=[|,;\t/&.):\-])|^)\s*(?P<cell>{_SIDE})                        # 1,left,grasp(cup)
        (?:\s*[|,;\t]|\s(?=\s*(?:\w+\s?\(|no_?ops?\b)))
    """,
    re.VERBOSE | re.IGNORECASE,
)
# The inside of brackets that only names an arm: "with the left hand".
_NAMES_ARM = re.compile(
    rf"(?:(?:with|by|using)\s+)?(?:the\s+)?(?:{_SIDE}{_NOUN}?|[LR])", re.IGNORECASE
)
# Words that may accompany an arm on a line without steps: "Plan for the ... arm:".
_ONLY_ARM = re.compile(
    r"(?:\W|\d|\b(?:for|the|plan|steps?|actions?|sequence|arm|hand|gripper)\b)*", re.IGNORECASE
)


# The separator between two steps of a sentence: ", and then carefully", "->". Behind "while" it is
# one if another arm is named there, in whose place are blanks.
_VERB_BEFORE = re.compile(
    r"""
    (?:[,;.]\s* | (?:-+>|=+>|\u2192)\s* | \swhile\s{4,}
      | \s(?:and|then|next|finally)\s+ | \s\d{1,6}\s{0,2}[-.):]\s*
    )+ (?:\w+ly\s+)?\Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WHILE_THE_OTHER_ARM = re.compile(r",?\swhile\s{4,}(?:\w+ly\s+)?", re.IGNORECASE)
# A clause between two steps whose verb names no skill: ", fill it with water".
_OTHER_CLAUSE = re.compile(
    r"""
    (?:[,;.]\s{1,3}|\b(?:and|then)\s)(?:(?:and|then|next|finally)\s){0,2}\s{0,20}
    (?P<clause>(?P<verb>[a-z]{3,12})\s(?:the|an?|it|them)\b[^,;.]{0,60})
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A tool that is named before its verb: "use the knife to".
_USE = re.compile(
    r"\b(?:use|using|with)\s+(?:the\s+|a\s+)?([\w\s-]{1,40}?)\s*(?:,|\bto\b)\s*$", re.IGNORECASE
)
# A tool that is named before the verb of the next step.
_USE_NEXT = re.compile(rf"(?:[,;.]|\s(?:and|then)\s)[^,;.]{{0,9}}{_USE.pattern}", re.IGNORECASE)
# A heading before the arguments: "args:".
_LABEL = re.compile(
    r"^[\s|,;*`-]*(?:args?|arguments?|parameters?|params?|objects?)\s*[:=]\s*", re.IGNORECASE
)
# An arrow between a skill and its arguments.
_LEADING_ARROW = re.compile(r"^[\s`]*(?:-+>|=+>|\u2192)")
# Between two arguments in code spans of their own.
_BETWEEN_TICKS = re.compile(r"`\s+`")
_BRACKETS = re.compile(r"\([^()]*\)")
# A line that states the task and is not a step: "Task: grasp the cup".
_TOPIC = re.compile(
    r"\W*(?:task|goal|objective|instruction|question|scene|image|state)s?\W*:", re.IGNORECASE
)
# Characters behind a skill in which its arguments are sought.
_LONGEST_SENTENCE = 400
_LONGEST_REMARK = 1_000
"""Characters between two steps of a line: what is further away does not go on from the first."""
_OWN_NUMBER = re.compile(
    r"(?:(?:^|[,;.|>/\u2192])\s*[*_]*|(?<=\s)(?=\d{1,6}-))(\d{1,6})\s{0,2}[-.):]\s*[\"'`*]*\s*$"
)
"""The number of a step inside a line; "the cup 1: pick_up(cup_1)" has none."""
_LISTED = re.compile(r"((?:[ \t]+[^\s()\[\]]+)+)[ \t]*\)")
"""The arguments of a step of a planner: ``(place apple bowl)``."""
_COST = re.compile(r"\s*\(\d{1,6}\)\s*$")
"""The cost that a planner writes behind a step."""
# Between a skill and its brackets: "Grasp (cup)", and a tool of Llama: "grasp.call(object=cup)".
_BEFORE_BRACKETS = re.compile(r"(?: |\}|\.(?:call|invoke|run|execute))(?=\()")
# Behind a skill this is another name: the skill "cut" in "cut_board".
_NAME_GOES_ON = re.compile(r"_[^\W\d_]")
# An argument of a command: "--object cup".
_FLAG = re.compile(r"--?([a-z]\w*)[ =]([^\s-][^\s]*)")
# A skill in the spelling of the list, "pick_up", or in capitals.
_NATIVE = re.compile(r"[a-z]+_\w+|[A-Z_]+")


# A quick test, since few lines name an arm.
_MAY_NAME_ARM = re.compile(r"left|right|both|two|dual|biman|\b[LR]\b", re.IGNORECASE)
# The number of the next line of a plan: "2-".
_NUMBER_BETWEEN = re.compile(r"(?<!\w)\d{1,6}\s{0,2}[-.):]")
# A line with one argument, perhaps behind its role: "tool: knife".
_ARGUMENT = re.compile(
    r"""
    [\s>*+\-]*(?![\s>*+\-])                        # all of them at once, as they may be many
    (?:([A-Za-z]\w{2,12})\**\s?[:=]\**\s*)?         # tool:
    ([\"'`]?\w[\w\s'\"`,-]{0,80})
    """,
    re.VERBOSE,
)
_PRONOUNS = frozenset(("it", "them"))
_DIRECTED = _PRONOUNS | {"up"}


class SkillGrammar(StepGrammar):
    """Reads steps of RoboBench."""

    longest_line = 5_000
    remembers_lines = False  # a line may speak of the object of the line before
    reads_sentences = True
    topic = ""  # what "it" means
    heading_arm = ""
    below_heading = 0  # steps since the heading that names an arm
    last: Step | None = None
    labelled: list[tuple[str, str]] = []  # noqa: RUF012 - begun anew with each step

    # -------------------------------------------------------------- lines

    def read_line(
        self, text: str, offset: int, *, is_code: bool = False, is_step_expected: bool = False
    ) -> LineReading:
        """Return the steps on a line, each with its arm.

        Args:
            text: The line, such as ``2-left: grasp(cup)``.
            offset: Position of the line in the answer.
            is_code: Whether the line is in a block of code.
            is_step_expected: Whether the answer says that the plan stands here.
        """
        if _TOPIC.match(text[:200]):
            return LineReading(is_aside=True)
        arm_mentions = self._find_arms(text)
        armless_text = text
        for start, end, _ in arm_mentions:
            # Blanks in place of an arm keep all positions.
            armless_text = armless_text[:start] + " " * (end - start) + armless_text[end:]
        if arm_mentions and _ONLY_ARM.fullmatch(armless_text):
            return self._arm_alone(arm_mentions[-1][2], is_heading=":" not in armless_text)
        if self._add_labelled_argument(armless_text):
            return LineReading(is_aside=True)
        reading = super().read_line(
            armless_text, offset, is_code=is_code, is_step_expected=is_step_expected
        )
        indentation = len(text) - len(text.lstrip())
        for step in reading.steps:
            # The number of a step stands right before it, also within a line.
            step_start = step.at - offset
            number = _OWN_NUMBER.search(armless_text, max(0, step_start - 40), step_start)
            if number is not None:
                step.number = int(number[1])
            step.place = f"{indentation}"
            # Below a heading for an arm the lines of both arms are numbered alike.
            if self.heading_arm and not arm_mentions and step.number is None:
                self.below_heading += 1
                step.number = self.below_heading
        reading.steps = self._with_arms(reading.steps, arm_mentions, offset, armless_text)
        if reading.steps:
            self.last = reading.steps[-1]
            self.labelled = []
        return reading

    def _find_arms(self, text: str) -> list[tuple[int, int, str]]:
        """Return (start, end, arm) of each place where a line names the arm of a step.

        Inside the brackets of a call an arm counts only as a keyword: ``grasp(cup, arm=left)``.
        """
        if _MAY_NAME_ARM.search(text) is None or len(text) > self.longest_line:
            return []
        spans_of_brackets: list[tuple[int, int]] = []
        for mention in self.surfaces.find_mentions(text):
            brackets = self._brackets_behind(text, mention)
            if brackets is not None:
                spans_of_brackets.append((brackets.start, brackets.end))
        arm_mentions: list[tuple[int, int, str]] = []
        for match in _ARM.finditer(text):
            # The name of the group that matched says how the arm is named.
            group = match.lastgroup or ""
            position = match.start(group)
            is_in_call = any(start <= position < end for start, end in spans_of_brackets)
            if group == "keyword" or not is_in_call:
                arm_mentions.append((match.start(), match.end(), side_of(match[group])))
        return arm_mentions

    def _arm_alone(self, arm: str, *, is_heading: bool) -> LineReading:
        """Read a line that has only an arm: that of the step before, or of the steps below."""
        if not is_heading and self.last is not None and not (self.last.actor or self.heading_arm):
            self.last.actor = arm
        else:
            self.heading_arm = arm
            self.below_heading = 0
        return LineReading()

    def _add_labelled_argument(self, text: str) -> bool:
        """Add ``tool: knife`` to the last step, and return whether that is possible."""
        step = self.last
        match = _ARGUMENT.fullmatch(text)
        if step is None or match is None:
            return False
        label = (match[1] or "").lower()
        # Other labels, such as "reason", are not arguments.
        if label not in skills().get(step.name, ()):
            return False
        self.labelled.append((label, match[2].strip(" \t\"'`")))
        step.arguments = order_by_roles(step.name, self.labelled)
        return True

    def _with_arms(
        self,
        steps: Sequence[Step],
        arm_mentions: Sequence[tuple[int, int, str]],
        at: int,
        text: str,
    ) -> list[Step]:
        """Return the steps of a line with their arms. A step of both arms becomes two steps.

        Args:
            steps: The steps of the line.
            arm_mentions: Start, end and arm of each place of the line that names an arm.
            at: Position of the line in the answer.
            text: The line without its arms.
        """
        if not steps:
            return []
        # Either all arms of a line stand before their steps, or all behind them.
        first_step_start = steps[0].at - at
        is_before = bool(arm_mentions) and arm_mentions[0][0] < first_step_start
        steps_with_arms: list[Step] = []
        for step in steps:
            arm = self._nearest_arm(arm_mentions, step.at - at, text, is_before=is_before)
            step.actor = arm or step.actor or self.heading_arm
            if step.actor != "both":
                steps_with_arms.append(step)
                continue
            for each_arm in ARMS:
                copy = replace(step, actor=each_arm, arguments=[*step.arguments])
                steps_with_arms.append(copy)
        return steps_with_arms

    @staticmethod
    def _nearest_arm(
        arm_mentions: Sequence[tuple[int, int, str]],
        position: int,
        text: str,
        *,
        is_before: bool,
    ) -> str:
        """Return the arm named nearest to a step on the given side, or "" if there is none.

        Args:
            arm_mentions: Start, end and arm of each place of the line that names an arm.
            position: Position of the step in the line.
            text: The line without its arms.
            is_before: Whether arms stand before their steps in this line.
        """
        if not is_before:
            for start, _, arm in arm_mentions:
                if start >= position:
                    return arm
            return ""
        for start, end, arm in reversed(arm_mentions):
            if start < position:
                # A number between arm and step begins the next line of the plan.
                return "" if _NUMBER_BETWEEN.search(text, end, position) else arm
        return ""

    def _first_action(
        self, text: str, lead: int, mentions: Sequence[Mention], *, is_numbered: bool
    ) -> int | None:
        """Return the index of the first skill of a line: at its start, or else the first call.

        Args:
            text: The line.
            lead: Where its words begin, behind bullet and number.
            mentions: Where it names skills.
            is_numbered: Whether the line has a number.
        """
        for index, mention in enumerate(mentions):
            if not _is_done(text[: mention.start]):
                return None
            # Only the first mention that may be a step decides.
            if self._may_be_step(text, mention):
                is_first = self._begins_line(text, lead, mention, is_numbered=is_numbered)
                return index if is_first else None
        return None

    def _begins_line(self, text: str, lead: int, mention: Mention, *, is_numbered: bool) -> bool:
        """Return whether a skill is the first step of a line, and not mentioned in a remark.

        Args:
            text: The line.
            lead: Where the words of the line begin, behind its bullet and number.
            mention: Where the line names the skill.
            is_numbered: Whether the line has a number.
        """
        text_before = text[lead : mention.start] if lead <= mention.start else ""
        words_before = words_of(text_before)
        is_call = self._brackets_behind(text, mention) is not None
        if text.rstrip(" *_").endswith(":") and not is_call:
            # "Grasp:" is a heading above its arguments, but "Grasp the cup:" is not.
            has_words_behind = any(map(str.isalpha, text[mention.end :]))
            return not has_words_behind and not words_before
        if may_precede_step(text_before) or _USE.search(text_before):
            return True
        if words()["before_steps"].issuperset(words_before):
            return True
        if not is_call:
            return False
        if len(words_before) < 3 and words()["referring"].isdisjoint(words_before):
            return True  # "Erst pick_up(cup)"
        line_before = text[: mention.start]
        if is_numbered or _OWN_NUMBER.search(line_before, max(0, len(line_before) - 40)):
            return True
        stripped = line_before.rstrip(" \t0123456789-.`*\"'([")
        return stripped.endswith((":", ">", "\u2192", "=", "|", ",", ")"))

    def call_behind_words(self, text: str, mentions: Sequence[Mention]) -> int | None:
        """Return the index of a call after words and a colon, unless they state a condition."""
        index = super().call_behind_words(text, mentions)
        if index is None or not _is_done(text[: mentions[index].start]):
            return None
        return index

    def _may_be_step(self, text: str, mention: Mention) -> bool:
        """Return whether a mention of a skill may be a step.

        In an answer with calls, only skills in their exact form or with brackets are steps.
        """
        if _NAME_GOES_ON.match(text, mention.end):
            return False  # cutting_board
        if mention.name == "observation" and text[mention.end : mention.end + 1] == ":":
            return False  # an observation that the robot is given between its actions
        if self.reads_sentences or self.surfaces.by_name[mention.name].max_objects == 0:
            return True
        written = text[mention.start : mention.end]
        return (
            _NATIVE.fullmatch(written) is not None
            or self._brackets_behind(text, mention) is not None
        )

    def _read_known_steps(
        self,
        text: str,
        at: int,
        mentions: Sequence[Mention],
        first: int,
        *,
        is_numbered: bool = True,  # noqa: ARG002 - a line without a number is read alike
    ) -> LineReading:
        """Return the steps of a line, beginning with its first skill.

        Args:
            text: The line.
            at: Position of the line in the answer.
            mentions: Where the line names skills.
            first: Index of the first one that is a step.
            is_numbered: Not used here.
        """
        steps: list[Step] = []
        end = -1
        for index in range(first, len(mentions)):
            mention = mentions[index]
            if mention.start < end or not self._may_be_step(text, mention):
                continue
            if steps and not self._is_next_step(text, end, mention):
                continue
            # "Grasp the cup: `grasp(cup)`": the call repeats the sentence, and replaces it.
            if len(steps) == 1 and RESTATES.fullmatch(text, end, mention.start):
                steps.clear()
            step, end = self._step(text, at, mentions, index)
            steps.append(step)
        notes: list[str] = []
        for step, next_step in zip_longest(steps, steps[1:]):
            if step.form == "words":
                stop = len(text) if next_step is None else next_step.at - at
                notes += _unread_clauses(text, step.at - at, stop)
        return LineReading(steps, notes=notes)

    def _is_next_step(self, text: str, end: int, mention: Mention) -> bool:
        """Return whether a skill after a step is the next step and not part of a remark."""
        between = text[end : mention.start]
        if len(between) > _LONGEST_REMARK or not _is_done(between):
            return False
        if CONNECTING.fullmatch(_USE.sub("", between).replace("/", " ")):
            return True
        if _WHILE_THE_OTHER_ARM.fullmatch(between):
            return True
        if self._brackets_behind(text, mention) is None:
            return False
        listed_words = words_of(between)
        # One or two words may stand between two calls: "and then".
        if len(listed_words) < 3:
            return not words()["referring"].intersection(listed_words)
        return _OWN_NUMBER.search(between) is not None

    def _step(
        self, text: str, at: int, mentions: Sequence[Mention], index: int
    ) -> tuple[Step, int]:
        """Return the step of a mentioned skill, and the offset where it ends.

        It is a call (``grasp(cup)``), a skill without arguments, a step of a planner
        (``(grasp cup)``), or a sentence.

        Args:
            text: The line.
            at: Position of the line in the answer.
            mentions: Where the line names skills.
            index: Index of the skill in question.
        """
        mention = mentions[index]
        action = self.surfaces.by_name[mention.name]
        written = text[mention.start : mention.end]
        step = Step(action.name, [], at + mention.start, action.max_objects, written=written)
        call = self._brackets_behind(text, mention)
        if call is not None:
            if squeezed(written) != squeezed(action.name):
                # A call of another word than a skill's counts as it is written, with any arguments.
                step.name = written
                step.max_objects = -1
            step.form = "call"
            step.is_cut = not call.is_closed
            step.arguments = _called_with(text[call.start : call.end], action.name)
            self.topic = _topic(step) or self.topic
            return step, call.end + 1
        if action.max_objects == 0:
            return step, mention.end
        planner_arguments = _LISTED.match(text, mention.end)
        if planner_arguments is not None and text[: mention.start].endswith("("):
            step.form = "pddl"
            step.arguments = planner_arguments[1].split()
            return step, planner_arguments.end()
        end_of_sentence = self._end_of_sentence(text, mention, mentions[index + 1 :])
        words_behind = text[mention.end : end_of_sentence]
        self._read_arguments(step, text, mention, words_behind)
        # "Wipe the crumbs off with it": what "it" means there, it means in the next step, too.
        has_pronoun = not _PRONOUNS.isdisjoint(words_of(words_behind))
        keeps_topic = self.topic in step.arguments and has_pronoun
        if not keeps_topic:
            self.topic = _topic(step) or self.topic
        return step, mention.end + len(words_behind.rstrip(" \t,"))

    def _end_of_sentence(self, text: str, mention: Mention, later: Sequence[Mention]) -> int:
        """Return the end of a skill's sentence: a full stop, or the next skill.

        Args:
            text: The line.
            mention: Where the skill is named.
            later: Where skills are named behind it.
        """
        words_behind = text[mention.end : mention.end + _LONGEST_SENTENCE]
        stop = mention.end + self.end_of_step(words_behind, 0)
        for following in later:
            start = following.start
            if start >= stop:
                break
            if not self._may_be_step(text, following):
                continue
            # "..., then cut", or "... and use the knife to cut".
            verb = _VERB_BEFORE.search(text, max(mention.end, start - 40), start)
            verb = verb or _USE_NEXT.search(text, max(mention.end, start - 80), start)
            if verb is not None:
                stop = verb.start()
        return stop

    def _read_arguments(self, step: Step, text: str, mention: Mention, behind: str) -> None:
        """Add the arguments after a skill to its step: flags, a list, or names in a sentence.

        Args:
            step: The step, which is changed.
            text: The line.
            mention: Where the line names the skill.
            behind: The text from there to the end of the step.
        """
        behind = _BETWEEN_TICKS.sub(", ", _LEADING_ARROW.sub(" ", _LABEL.sub(": ", behind)))
        flags = [(flag[1], flag[2].strip("\"'")) for flag in _FLAG.finditer(behind)]
        step.arguments = order_by_roles(step.name, flags) or self._read_list(
            behind, step.max_objects
        )
        if step.arguments:
            return
        # "Use the knife to cut the bread" names the tool before the verb.
        tool = _USE.search(text, max(0, mention.start - 80), mention.start)
        step.name, step.arguments = read_sentence(
            behind, step.name, step.written, tool=tool[1] if tool else "", topic=self.topic
        )
        step.max_objects = len(skills().get(step.name, ()))

    def describe_stepless(
        self, text: str, lead: int, mentions: Sequence[Mention], reading: LineReading
    ) -> None:
        """Classify a line without a step.

        Bare words may be the missing arguments of the last step.

        Args:
            text: The line.
            lead: Where its words begin, behind bullet and number.
            mentions: Where it names skills.
            reading: The reading of the line, which is changed.
        """
        label = _ARGUMENT.fullmatch(text)
        if self.last is not None and self.last.lacks_objects and label is not None and not label[1]:
            reading.completion = re.split(r"\s{2,}|,\s*", label[2].strip())
        else:
            super().describe_stepless(text, lead, mentions, reading)

    def _brackets_behind(self, text: str, mention: Mention) -> Brackets | None:
        """Return the start and end of the brackets after a skill, and whether they are closed."""
        call = super()._brackets_behind(text, mention)
        between = _BEFORE_BRACKETS.match(text, mention.end)
        if call is None and between is not None:
            call = super()._brackets_behind(text, mention._replace(end=between.end()))
            if call is not None and _NAMES_ARM.fullmatch(text, call.start, call.end):
                return None  # "Pick up (left arm) the cup"
        return call

    def objects_in_brackets(self, inside: str, action: ActionForm | None) -> list[str]:  # noqa: ARG002 - all are kept
        """Return the arguments of a call as they are written."""
        return [name for _, name in keyed_arguments(inside)]

    def in_order(
        self, named_objects: Sequence[tuple[str, str]], action: ActionForm | None
    ) -> list[str]:
        """Return arguments that have keys in the order of the roles of their skill."""
        if action is None:
            return super().in_order(named_objects, action)
        return order_by_roles(action.name, named_objects)

    @staticmethod
    def _read_list(behind: str, max_objects: int) -> list[str]:
        """Return the arguments after a skill if they are a list without brackets, else none.

        Example:
            >>> SkillGrammar._read_list(": cup, tray", 2)
            ['cup', 'tray']
        """
        if max_objects < 1:
            return []
        in_angles = re.findall(r"<([^<>]{1,80})>", behind[:400])
        if len(in_angles) == max_objects:
            return in_angles
        listed = _COST.sub("", behind).strip(" \t*`.,:-\u2192|\"'")
        if not listed or len(listed) > 200 or PREPOSITION.search(listed):
            return []
        has_pronoun = not _DIRECTED.isdisjoint(words_of(listed))
        if has_pronoun or listed.lower().startswith(("the ", "a ")):
            return []  # a sentence
        arguments = [argument.strip() for argument in re.split(r"[,|\u2192]|->", listed)]
        if len(arguments) != max_objects:
            arguments = listed.split()
        if len(arguments) != max_objects:
            return []
        # A single word may begin a sentence, unless a colon stands before it.
        has_colon = behind.lstrip("* `").startswith(":")
        return arguments if len(arguments) > 1 or has_colon else []

    def objects_completing(self, step: Step, node: Node) -> list[str]:
        """Return the arguments of a step that a following value has, in order of roles."""
        arguments = arguments_in(node)
        if arguments:
            return order_by_roles(step.name, arguments)
        return super().objects_completing(step, node)

    def read_plans(self, group: Group) -> list[ValueReading]:
        """Return the plans in a value (see :class:`StepGrammar`)."""
        plain = as_calls(group, "")
        if isinstance(plain, Text):
            plain = Group("list", group.at, group.end, [plain], cut=group.cut)
        return super().read_plans(plain)


class CallGrammar(SkillGrammar):
    """Reads the steps of an answer with calls, whose sentences are only explanations."""

    reads_sentences = False


def _unread_clauses(text: str, begin: int, stop: int) -> list[str]:
    """Return a note on each clause between two steps that may be a step of no known skill."""
    notes: list[str] = []
    for clause in _OTHER_CLAUSE.finditer(text, begin, stop):
        verb = clause["verb"].lower()
        if not VERBS.isdisjoint((verb, verb.removesuffix("s"), verb.removesuffix("es"))):
            notes.append(f"not read: {shorten(clause['clause'].strip())}")
    return notes


def _is_done(before: str) -> bool:
    """Return whether a step after some words is to be done: neither denied nor conditional.

    "Do not grasp the cup" is denied; "(if the cup is full) grasp it" sets a case.
    """
    in_brackets = " ".join(_BRACKETS.findall(before))
    outside = words_of(_BRACKETS.sub(" ", before))
    is_denied = not words()["not_done"].isdisjoint(outside)
    has_case = not words()["cases"].isdisjoint(words_of(in_brackets))
    return not is_denied and not has_case


def _called_with(inside: str, skill: str) -> list[str]:
    """Return the arguments of a call in the order of the roles that it names."""
    arguments = keyed_arguments(inside)
    if all(key for key, _ in arguments):
        return order_by_roles(skill, arguments)
    return [argument for _, argument in arguments]


def _topic(step: Step) -> str:
    """Return the object that "it" refers to after a step, or "" if there is none."""
    for role, name in zip(skills().get(step.name, ()), step.arguments, strict=False):
        if role in DIRECT and name != NO_OBJECT:
            return name
    return ""
