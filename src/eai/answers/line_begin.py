"""The begin of a line: its number, its time, bullets, labels and words that say nothing yet."""

from __future__ import annotations

import re
from dataclasses import dataclass

from eai.answers.items import TALKING
from eai.answers.languages import CONJUNCTIONS, CONNECTIVES
from eai.answers.number_words import ORDINALS
from eai.answers.object_grammar import CALL
from eai.answers.plan import WORDS, words_of
from eai.answers.step_edits import BECOMES, REPLACE
from eai.answers.surfaces import Surfaces
from eai.answers.unclear import DOUBT

ORDER_WORDS = (
    f"{ORDINALS} last after that once done {' '.join(sorted(WORDS['connectives'] - {'and'}))}"
)
"""Words that say only where in the order of steps a step stands."""
_LEADING = frozenset(ORDER_WORDS.split()) | WORDS["leading"]
"""Words before a step that say only when it is, that it is one, or who takes it."""
_SUBJECTS = frozenset(["i", "we", "he", "she", "it", "robot", "agent", "bot", "assistant"])
"""Words for who acts; "you" tells somebody to do so."""
_INTENDING = frozenset(["should", "must", "will", "would", "ll", "can", "need", "needs", "let"])
"""Words between who acts and the verb of a step that is still to be taken."""
_FOREIGN_LETTER = r"\u0370-\u1fff\u3040-\u9fff\uac00-\ud7af"
"""Letters of scripts in which no action of a task is named."""
_NUMBER = re.compile(
    rf"\(?\[?#?(\d{{1,6}})(?:\.(\d{{1,3}}))?(?:/\d{{1,6}}|/(?=\s))?\u00b0?"
    rf"(?=[\s.):,\]|\-_*{_FOREIGN_LETTER}]|$)[.):\]]*"
)
"""``1.``, ``(2)``, ``2.1)``, ``3/5``: what follows must not be part of a name."""
_TIME = re.compile(
    r"[\[(]?(?:t\s*=\s*)?(\d{1,6}(?::\d\d){1,2}|\d{1,7}\.\d{1,6}(?=\s*:)|\d{1,6}(?:\.\d+)?(?=\s?s\b))(?:\s?s\b)?"
    r"(?:\s?[-\u2013\u2014]\s?(?:t\s*=\s*)?\d{1,6}(?:\.\d+)?\s?s\b)?[\])]?\s*[:|-]?"
)
"""``00:56``, ``t=3s``, ``0.500:``, ``t=0s-5s:``."""
_LOG = re.compile(
    r"\W{0,2}\d{4}-\d\d-\d\d[T ](\d\d:\d\d:\d\d)(?:[.,]\d{1,6})?Z?\]?\s{1,4}"
    r"(?:\[?[A-Z]{4,8}\]?\b\s{0,4})?"
    r"(?:\[[\w.: -]{1,40}\]\s{0,4}|[\w.]{1,40}\s?[:-]\s{1,4})?[:-]?\s*"
)
"""The part of a log's line before its message."""
_BELOW_ZERO = re.compile(r"\s*-(\d{1,6})(?:\.0+)?\s?:\s?(?=\()")
"""A time below zero before a step of PDDL: ``-2.0: (walk hall)``."""
_NAMED_NUMBER = re.compile(
    # "so 3.5" has a measure, "step 3.5" a number of an item.
    r"(?!(?!(?i:step|action|move|task|part|phase|stage|item)s?\b)[^\W\d_]+[ _#-]{0,2}\d{1,6}\.\d)"
    r"[^\W\d_]+(?:[_#-]{0,2}| {0,8}#?)(\d{1,6})\b(?:\s*(?:/|of)\s*\d+)?\s*[.):\-_*]*"
)
"""``Step 3:``, ``Action #2 of 5 -``."""
LABEL = re.compile(r"[*_`\"']*([^\W\d][\w '/-]{0,40}?)[*_`\"']*\s*[:=](?!=)[*_`]*\s*")
"""``**Action:**``, ``result =``."""
_BOLD_TITLE = re.compile(r"([^\W\d][\w '/-]{0,40}?)[.!](?:\*\*|__)\s+")
"""A title before a sentence: ``**Television.** The robot walks ...``."""
_MARKS = re.compile(
    # Bullets, headings, boxes to tick, items of LaTeX, opening quotes, negative numbers.
    r"(?:[^\w\s(\[{<\"'#/]|#{1,6}\s|\s|\[[ xX✓✔]\]|\\item\b|[\"'](?=\W|\d{1,4}[.):]\s)"
    r"|<\w{1,20}>(?=\s{0,3}\[)|[(\[]-\d{1,3}(?=[,)\]]))+"
    rf"|[{_FOREIGN_LETTER}]+"
    r"|\(?(?:[a-zA-Z]|[ivxIVX]{1,5})[.)](?=\s)"  # a letter: "a)", "iv."
    # The hash of a commit, with a digit and a letter at least: "a44e2c4".
    r"|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?=\s)"
)
"""Bullets and other signs, words of another script, a letter of a list, the hash of a commit."""
_CLAUSE = re.compile(
    r"(?:once|as soon as|now that|when|after)\s"
    r"(?:(?:that|this|it|everything|(?:the )?(?:previous|last|first) (?:step|action)"
    r"|step \d{1,3})\s(?:is|has been|was) (?:done|finished|completed?|over|accomplished|achieved)"
    r"|(?:you are |i am |it is |the robot is )?there|doing (?:so|this|that|it)|this|that),\s*"
    r"|(?:with|using) (?:the|your|my|its) (?:left|right)(?: (?:hand|arm|gripper))?,\s*"
    r"|(?:to (?:begin|start|finish|conclude)(?: with)?|first of all|in the (?:beginning|end)"
    r"|as (?:a|the) (?:first|next|second|last|final) step),\s*"
    r"|(?:one|that|this|earlier this|later that) (?:[a-z]+ )?(?:day|morning|afternoon|evening"
    r"|night)\b,?\s*"
    r"|(?:in the (?:past|present)(?: tense)?|once upon a time|yesterday|long ago|earlier"
    r"|earlier today|today)\b,?\s*"
    r"|(?:dear|hello|hi|hey) (?:[a-z]+ )?[a-z]+[,!]\s*"
    r"|(?:(?:soon|shortly) (?:after(?:wards?)?|thereafter)|later(?: on)?"
    r"|at (?:this|that) (?:point|time|moment)|without (?:any |further )?(?:delay|hesitation|ado)"
    r"|as a result|meanwhile)\b,?\s*"
    r"|so,? (?=(?:the )?(?:robot|agent|i|we|it|he|she)\b)|an? (?=(?:robot|agent)\b)",
    re.IGNORECASE,
)
"""Words before a step that say only when or with which hand it is taken."""
_PURPOSE = re.compile(
    r"(?:(?:in order )?to|if you (?:want|need) to)\s"
    r"(?P<purpose>(?!(?:the|an?|my|your)\b)[^,:.()\n]{3,80}),\s",
    re.IGNORECASE,
)
"""A clause before a step that says what it is for."""
_REASON = re.compile(
    r"(?:because|since|as|while|once|now that|when|given that|seeing that|although|even though"
    r"|though|so that|in order to|to)\s[^,:()\n]{1,100},\s*"
    r"|[^,:()\n]{1,100}[,;]\s(?:and )?(?:so|therefore|thus|hence)[\s,]+",
    re.IGNORECASE,
)
"""A clause before the step of an item that says why it is taken, or when: ``As it is dark,``."""
_ONCE = re.compile(
    r"(?:(?:once|now that|as soon as) (?:i|you|we|it|the robot)"
    r"|(?:when|after) (?:i|you|we|it|the robot)(?: ha(?:ve|s|d)|['\u2019](?:ve|s)))\b",
    re.IGNORECASE,
)
"""The begin of a clause that says of any step when it is taken: ``Once I have it,``."""
_NO_REASON = re.compile(
    r"\b(?:if|unless|whether|either|or|not|never|no|cannot|avoid|instead|already|skip|example)\b"
    r"|n['\u2019]t\b|\?",
    re.IGNORECASE,
)
"""Words with which a clause may make the step behind it another one, or none."""
IN_STATE = re.compile(
    r"\b(?:am|is|are|was|were|be|been|being|gets?|got|(?:'|\u2019)s)(?: \w+ly| now| all)?\s+$",
    re.IGNORECASE,
)
"""Words before one that says how something is: "now that it is open"."""
_REPLACEMENT = re.compile(
    r"(?:(?:please|so|then|just|oops|sorry|but|and|actually)\W{1,9}){0,5}"
    r"(?:(?:(?:an? |the )?(?:typo|mistake|error|slip) in )?steps?\s+#?\d{1,4}(?:[:,;]? it)?\s+"
    rf"{BECOMES}|{REPLACE}"
    r"\s+(?:the )?step\s+#?\d{1,4}\s+(?:with|by|to|as))"
    # Not "should be done before step 2".
    r":?\s+[\"'`*_(\[]{0,3}(?!.*\b(?:steps?|earlier|later|before|after|first|last)\b)",
    re.IGNORECASE,
)
"""Words before a step that takes the place of another one, which a colon may follow."""
BULLET = re.compile(r"\s*[-*+\u2022]\s")
_OWNER = "(?:the|its|his|her|my|our|your|their)"
_SETTING_OUT = re.compile(
    r"(?:be sure to|make sure to|make sure you|remember to"
    r"|(?:(?:start|begin|continue|finish|end)(?:e?s|ed|n?ing)?|began) by(?=\s[a-z]{2,20}ing\b)"
    r"|(?:starts?|begins?|started|began)(?=\s[a-z]{2,20}ing\b)"
    r"|(?:is|am|are|was|were) (?:supposed|expected|asked|instructed|told|required|meant) to"
    r"|it(?:'s| is) (?:now )?time to|try to"
    r"|it (?:is|was|has been) (?:then |also |further |finally )?"
    r"(?:agreed|decided|resolved|planned|settled|noted) (?:that|to)"
    rf"|{_OWNER} (?:next|last|final|following|{'|'.join(ORDINALS.split())})"
    r" (?:step|action|thing|move|task|job)(?: (?:it|he|she|the robot) does)?"
    r" (?:here |now |to do )?is(?: to)?|what (?:comes|i do|you do) next is(?: to)?"
    r"|(?:follow|obey|execute|perform|complete|fulfill?|carr(?:y|ie)|take)(?:e?s|e?d|ing)?(?: out)?"
    rf" {_OWNER} (?:plan|instruction|command|order|step|action|task|request)"
    r"(?: to|(?: of)?(?=\s[a-z]{2,20}ing\b)| and(?= then\b))"
    r"|(?:i|you|we|it|he|she)['\u2019](?:d|ll)(?: (?:like|want|need) to)?"
    r"|(?:(?:i|you|we|it|he|she|(?:the )?robot)(?:['\u2019](?:m|re|s)| am| are| is) )?going to"
    r"|(?:can|could|would|will) you (?:please|kindly)(?: help me(?: to)?)?"
    r"|(?P<narrated>i|we|it|he|she|(?:the )?(?:robot|agent))(?: am| are| is|['\u2019](?:m|re|s))"
    r"(?: now| currently| then|(?= (?!sitting|lying|standing)))(?=\s[a-z]{2,20}ing\b)"
    r"|(?:i|we) (?:want|need|(?:would|['\u2019]d) like) (?:you|it|the robot) to"
    r"|let['\u2019]s|let me|i (?:still )?(?:remember|recall)(?=\s[a-z]{2,20}ing\b))\s",
    re.IGNORECASE,
)
"""Words with a verb of their own before a step that say only that it is one."""
_QUOTED = re.compile(
    r"\s*(?:\"[^\W\d_]+(?:, [^\"\n]+|[^\"\n(]+ [^\"\n]+)[.!?]\""
    r"|\((?:[^\W\d_]+ [^()\n]+[.!]|(?i:(?:the )?robot|i|we|he|she|it) [^()\n]+)\))\s*"
)
"""A line that is a sentence in quotes, what somebody says to the robot, or in brackets."""
_CIRCUMSTANCE = re.compile(
    r"(?:once )?(?:at|in|on|near|from|by|beside|with|without|to|upon|next to|there|full of)\b"
    r"[^,:()\n]{0,50},\s"
    r"(?=(?:the |our |my )?(?:[a-z]+ )?(?:robot|agent)\b|(?:i|it|we|you|he|she)\b)",
    re.IGNORECASE,
)
"""Where, how or why something is done, before who does it."""
_GO_TO = re.compile(r"go to\b", re.IGNORECASE)
"""It says a step: "go to the hall". In "go open the door", the first word says nothing."""
_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_CONNECTIVE = re.compile(rf"(?:{CONJUNCTIONS}\s+)?(?:{CONNECTIVES})(?!\w)", re.IGNORECASE)


@dataclass(slots=True)
class LineBegin:
    """The begin of a line, before its words.

    Args:
        end: Offset in the line at which its words begin.
        number: The number before them; of ``2.1`` the last part. None if there is none.
        section: The first part of a number such as ``2.1``; 0 if there is none.
        time: The time before them, in the unit of the answer. None if there is none.
        is_aside: Whether a label says that the line only explains: ``Reason:``.
        subject: The word for who takes the step, in a sentence such as "The robot walks ...".
        purpose: The purpose before the step: "read the book" of "To read the book, walk ...".
    """

    end: int = 0
    number: int | None = None
    section: int = 0
    time: float | None = None
    is_aside: bool = False
    subject: str = ""
    purpose: str = ""


def read_line_begin(line: str, surfaces: Surfaces) -> LineBegin:
    """Return the number, time and label of a line, and where its words begin.

    The parts may follow each other in any order, ``- [ ] **Step 2:** 3) First,``. So all kinds are
    tried at the end of the last part, until none fits. The name of an action is never a part: where
    the task has an action "then", that word is not passed over.

    Args:
        line: The line.
        surfaces: The names of the task.
    """
    begin = _begin_of_log(line)
    while begin.end < len(line):
        end_before = begin.end
        is_passed = (
            _take_replacement(line, begin, surfaces)
            or _take_mark(line, begin)
            or _take_time(line, begin)
            or _take_number(line, begin)
            or _take_named_number(line, begin, surfaces)
            or _take_label(line, begin, surfaces)
            or _take_purpose(line, begin, surfaces)
            or _take_reason(line, begin, surfaces)
            or _take_circumstance(line, begin, surfaces)
            or _take_connective(line, begin, surfaces)
            or _take_leading_word(line, begin, surfaces)
        )
        if not is_passed or begin.is_aside or begin.end == end_before:
            return begin
    return begin


def _take_replacement(line: str, begin: LineBegin, surfaces: Surfaces) -> bool:
    """Pass over ``Step 3 should be`` before the step that takes the place of the third one."""
    match = _REPLACEMENT.match(line, begin.end)
    if match is None:
        return False
    mentions = surfaces.find_mentions(line[match.end() :])
    if not mentions or mentions[0].start or not mentions[0].is_action:
        return False  # "Step 3 should be removed"
    begin.end = match.end()
    return True


def _begin_of_log(line: str) -> LineBegin:
    """Return the begin of a line with the date of a log, or with a time below zero."""
    log = _LOG.match(line)
    if log is not None:
        return LineBegin(log.end(), time=_time_as_number(log[1]))
    below_zero = _BELOW_ZERO.match(line)
    if below_zero is not None:
        # A number serves as well: only the order of times counts.
        return LineBegin(below_zero.end(), number=-int(below_zero[1]))
    return LineBegin()


def _take_mark(line: str, begin: LineBegin) -> bool:
    """Pass over a sign, or words that say only that a step follows: ``Once that is done,``.

    Signs are bullets, words of another script, ``a)``, and the hash of a commit.
    """
    for pattern in (_MARKS, _CLAUSE, _SETTING_OUT):
        mark = pattern.match(line, begin.end)
        if mark is not None:
            begin.end = mark.end()
            if pattern is _SETTING_OUT and mark["narrated"]:
                begin.subject = words_of(mark["narrated"])[-1]  # "The robot is walking to the hall"
            return True
    is_whole = begin.end == len(line) - len(line.lstrip()) and _QUOTED.fullmatch(line) is not None
    # What somebody says: ``Robot: "Now, I walk to the hall"``.
    is_said = line[begin.end] in "\"'" and line[: begin.end].rstrip(" *_").endswith(":")
    begin.end += is_whole or is_said
    return is_whole or is_said


def _take_time(line: str, begin: LineBegin) -> bool:
    """Pass over a time, and remember it; only the first one is a time."""
    match = _TIME.match(line, begin.end) if begin.time is None else None
    if match is None:
        return False
    begin.time = _time_as_number(match[1])
    begin.end = match.end()
    return True


def _take_number(line: str, begin: LineBegin) -> bool:
    """Pass over a number, and remember the first one."""
    match = _NUMBER.match(line, begin.end)
    if match is None:
        return False
    if begin.number is None:
        begin.section = int(match[1]) if match[2] else 0
        begin.number = int(match[2] or match[1])
    begin.end = match.end()
    return True


def _take_named_number(line: str, begin: LineBegin, surfaces: Surfaces) -> bool:
    """Pass over ``Step 3:``, and remember the number; ``Observation 3:`` begins an aside."""
    match = _NAMED_NUMBER.match(line, begin.end)
    if match is None or surfaces.find_mentions(match[0]):
        return False  # "light 34" is an object
    if not TALKING.isdisjoint(words_of(match[0])):
        begin.is_aside = True
        return True
    is_speaker = not _SUBJECTS.isdisjoint(words_of(match[0]))  # "Robot 2: ..."
    if begin.number is None and not is_speaker:
        begin.number = int(match[1])
    begin.end = match.end()
    return True


def _take_label(line: str, begin: LineBegin, surfaces: Surfaces) -> bool:
    """Pass over a label, ``Action:``; ``Reason:`` makes the line an aside."""
    match = LABEL.match(line, begin.end) or _BOLD_TITLE.match(line, begin.end)
    if match is None:
        return False
    mentions = surfaces.find_all_mentions(match[0])
    if any(mention.is_action for mention in mentions):
        return False  # "Turn on the lamp: ..." is a step, and explained
    words = words_of(match[1])
    if not words or words[0] in ("if", "unless", "else", "otherwise"):
        return False  # "If it is off: switch it on"
    # "result = walk(hall)" is a step whose result is kept.
    is_assigned = match[0].rstrip().endswith("=") and CALL.match(line, match.end())
    if not (TALKING.isdisjoint(words) or "action" in words or is_assigned):
        begin.is_aside = True
        return True
    begin.end = match.end()
    return True


def _take_purpose(line: str, begin: LineBegin, surfaces: Surfaces) -> bool:
    """Pass over a purpose before a step: ``To read the book, walk to the shelf``.

    Who acts, or a step, must follow at once.
    """
    purpose = _PURPOSE.match(line, begin.end)
    if line[: begin.end].rstrip()[-1:].isalpha():
        return False  # "You have to walk to the hall, ..."
    if purpose is None or DOUBT.search(purpose["purpose"]) is not None:
        return False
    word = _WORD.match(line, purpose.end())
    if word is None:
        return False
    is_subject = word[0].lower() in ("the", "you", *_SUBJECTS, *ORDER_WORDS.split())
    if not (is_subject or _begins_step(line, word, surfaces)):
        return False
    begin.purpose = purpose["purpose"]
    begin.end = purpose.end()
    return True


def _take_reason(line: str, begin: LineBegin, surfaces: Surfaces) -> bool:
    """Pass over the clause of an item that says why its step is taken: ``As it is dark,``.

    A step must follow at once, and the clause must neither name one nor make it conditional.
    """
    is_item = begin.number is not None or BULLET.match(line) is not None
    if not is_item and _ONCE.match(line, begin.end) is None:
        return False
    reason = _REASON.match(line, begin.end)
    if reason is None or _NO_REASON.search(reason[0]):
        return False
    for mention in surfaces.find_mentions(reason[0]):
        if mention.is_action and not IN_STATE.search(reason[0][: mention.start]):
            return False
    word = _WORD.match(line, reason.end())
    while word is not None and word[0].lower() in _LEADING:
        if surfaces.find_action(word[0]) is not None:
            break
        word = _WORD.match(line, word.end() + 1)
    if word is None or not _begins_step(line, word, surfaces):
        return False
    begin.end = reason.end()
    return True


def _take_circumstance(line: str, begin: LineBegin, surfaces: Surfaces) -> bool:
    """Pass over words before who acts that name no step: ``At the desk, the robot ...``."""
    circumstance = _CIRCUMSTANCE.match(line, begin.end)
    if circumstance is None:
        return False
    words = circumstance[0]
    is_doubtful = DOUBT.search(words) is not None or _NO_REASON.search(words) is not None
    if is_doubtful or surfaces.names_action(words) or surfaces.sentences.has_verb(words):
        return False
    begin.end = circumstance.end()
    return True


def _begins_step(line: str, word: re.Match[str], surfaces: Surfaces) -> bool:
    """Whether a word of a line is a verb of steps, or begins the name of an action."""
    if surfaces.sentences.is_verb(word[0]):
        return True
    mentions = surfaces.find_mentions(line[word.start() :])
    return bool(mentions) and mentions[0].is_action and mentions[0].start == 0


def _take_connective(line: str, begin: LineBegin, surfaces: Surfaces) -> bool:
    """Pass over words of any language such as ``Zum Schluss``, unless they name an action."""
    match = _CONNECTIVE.match(line, begin.end)
    if match is None or surfaces.find_action(match[0]) is not None:
        return False
    begin.end = match.end()
    return True


def _take_leading_word(line: str, begin: LineBegin, surfaces: Surfaces) -> bool:
    """Pass over a word such as "then", "please" or "robot", unless it is an action of the task."""
    match = _WORD.match(line, begin.end)
    if match is None or match[0].lower() not in _LEADING:
        return False
    if surfaces.find_action(match[0]) is not None or _GO_TO.match(line, begin.end):
        return False
    begin.end = match.end()
    word = match[0].lower()
    if word in _SUBJECTS and line[match.end() : match.end() + 1] == " ":
        begin.subject = word
    elif word in _INTENDING:
        begin.subject = ""
    return True


def _time_as_number(written: str) -> float:
    """Return a time as a number of its smallest unit: 56 for ``"00:56"``, 1.5 for ``"1.500"``."""
    seconds = 0.0
    for part in written.split(":"):
        seconds = seconds * 60 + float(part)
    return seconds
