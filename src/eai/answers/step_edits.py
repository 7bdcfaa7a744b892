"""Sentences around a plan that take steps out of it, or change it otherwise: "Skip step 3".

A step is taken out only by an order ("Leave out the last step.") or by a plain statement ("Step 3
is unnecessary."). A sentence that forbids it, asks about it, or says when it would be done leaves
the plan as it is: "Without step 3 the goal would not hold".
"""

from __future__ import annotations

import re

from eai.answers.number_words import NUMBER_WORDS, ORDINALS
from eai.answers.retractions import QUESTION_MARKS, sentences_of
from eai.answers.taken_out import NEEDLESS, TAKE_OUT, TAKEN
from eai.text import lazy_pattern

_NUMBERS = (
    r"#?\d{1,4}(?: ?(?:-|\u2013|to|through) ?#?\d{1,4}"
    r"|(?: {0,3}(?:,|;|and|&|plus|also|as well as)){1,4} {0,3}(?:steps? )?#?\d{1,4}){0,20}"
)
"""Numbers of steps: ``3``, ``1, and also step 5``, ``2 to 4``."""
_BEFORE_LAST = r"(?:penultimate|(?:second|next)[ -]to[ -](?:the )?last|last but one)"
_ORDINAL = (
    rf"(?:(?:very )?(?:{_BEFORE_LAST}|{'|'.join(ORDINALS.split())}|\d{{1,4}}(?:st|nd|rd|th)"
    r"|last|final))"
)
_NAME = (
    rf"(?:(?:the )?(?:steps?|actions?)\s+(?:numbers? )?{_NUMBERS}|numbers? {_NUMBERS}"
    rf"|the {_ORDINAL}(?:(?:,| and) (?:the )?{_ORDINAL}){{0,5}} (?:step|action|one)s?"
    r"|the (?:first|last|final) (?:\w+|\d{1,4}) (?:step|action)s)\b"
)
"""The name of one or several steps: ``steps 2 and 3``, ``number 2``, ``the last two steps``."""
_DO = r"(?:do|execute|run|perform|take|carry out|follow|include|use|apply|keep)"
_MUST = r"(?:can|should|must|may|has|have|needs?|is|are|was|were|will|ought)"
_TAKES_OUT = lazy_pattern(
    # What is dropped or removed in step 3 may be an object.
    rf"\b{TAKE_OUT}\s(?:(?:(?:the|also|out|only|just|all|of|both|\w+ly) )*)(?P<ordered>{_NAME})"
    r"|\b(?:ignore|skip|omit|exclude|cancel|strike|delete|cross out|leave out)\b[^.\n]{0,20}?"
    rf"(?P<ignored>{_NAME})"
    rf"|\b(?:leave|take|cross|strike|cut) (?P<left>{_NAME}) (?:out|away|off)\b"
    rf"|(?:\bnot|n['\u2019]t|\bnever) {_DO} (?P<denied>{_NAME})",
    re.IGNORECASE,
)
"""Words that tell to take a step out."""
_IS_OUT = lazy_pattern(
    r"(?<!\bin )(?<!\bof )(?<!\bat )(?<!\bby )(?<!\bfrom )(?<!\bafter )(?<!\bbefore )(?<!\bbehind )"
    rf"(?<!\bbut )\b(?P<name>{_NAME})\W{{0,3}}(?:above |also |actually |too )?"
    rf"(?:\W{{1,3}}|{_MUST}\b(?:(?!\b(?:not|never|be no)\b|n['\u2019]t\b)[^.,\n]){{0,20}}?)\b"
    rf"(?:{TAKEN}|{NEEDLESS}|void"
    r"|(?:not|no longer) (?:be )?(?:needed|necessary|executed|required|valid|done))\b"
    rf"|\b(?P<unneeded>{_NAME}) (?:isn|aren|wasn|weren)['\u2019]t"
    r" (?:needed|necessary|required|valid)\b",
    re.IGNORECASE,
)
"""A statement that a step is taken out."""
_EXCEPTION = lazy_pattern(
    r"\b(?:except(?: for)?|excluding|without|all but|everything but|but not|other than|apart from)"
    rf" (?P<name>{_NAME})",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?:\W|please |so |then |now |just |(?:i|we|you) (?:will |shall |should |must )?)*"
    rf"{_DO}\b",
    re.IGNORECASE,
)
"""The begin of a sentence that tells to take the other steps."""
_OTHER_STEPS = re.compile(
    r"\b(?:all|everything|every|each|the (?:plan|steps?|answer))"
    r"(?: (?:of|these|those|them|the|above|below|listed|other|steps?|actions?|plan))* $",
    re.IGNORECASE,
)
"""The steps of which one is an exception, right before the exception."""
_NEEDED = re.compile(
    r"\W*(?:is|are|must be|should be|has to be|have to be|to be)\b(?: \w+ly)? (?:needed|necessary"
    r"|required|executed|done|performed|run|used|kept|taken|valid|correct|right|part)\b",
    re.IGNORECASE,
)
_IF = re.compile(
    r"\b(?:if|unless|when(?:ever)?(?! (?:execut|runn|carry|follow|perform|do)ing)|in case|provided"
    r"|suppos(?:e|ing)|assum(?:e|ing)|as long as)\b|^\W*(?:had|were)\b",
    re.IGNORECASE,
)
"""Words of a sentence about what is only so in some case."""
_MOOD = re.compile(r"\b(?:were|would|could|might)\b|['\u2019]d\b", re.IGNORECASE)
_OTHER_CLAUSE = re.compile(r"[,:;(\u2014]|\b(?:because|since|as|so|otherwise)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\b(?:not|never|no|nothing|nobody|cannot|neither|nor|nicht|kein\w*)\b|n['\u2019]t\b)"
    r"(?!.*\b(?:but|so)\b)[^,;:]{0,30}$"
    r"|\b(?:dangerous|wrong|risky|mistake|error|bad|unsafe|unwise|tempting|fatal|pointless)"
    r"\b[^,;:]{0,20}\bto $",
    re.IGNORECASE,
)
"""Words before "skip step 3" by which it is not said to skip it: "never", "it is wrong to"."""
_ONLY_AT_TIMES = re.compile(
    r"\b(?:before|after|until|while|twice|again|yet|too|alone|more than)\b", re.IGNORECASE
)
_MAX_CLAUSE = 150
"""Number of characters before and behind an edit that may belong to its clause."""
_IS_PAST = re.compile(r"\b(?:was|were|had|has been|have been)\b", re.IGNORECASE)
_BEYOND = (
    r"\b(?:everything|anything|all|the rest|the steps) (?:\w+ )?(?:after|behind|before|from|until)"
    rf" {_NAME}"
)
_OTHER_EDIT = lazy_pattern(
    r"\b(?:before|after|between|behind) steps?\s+#?\d{1,4}\b[^.\n]{0,20}"
    r"\b(?:add|insert|put in|include)\b"
    r"|\b(?:add|insert)\b[^\n]{1,80}\b(?:before|after|between|behind) steps?\s+#?\d{1,4}\b"
    r"|\bonly\s+(?:the )?steps?\s+#?\d{1,4}\b[^.\n]{0,20}\b(?:needed|necessary|required)\b"
    r"|\bsteps?\s+#?\d{1,4} (?:is|was) an? (?:mistake|error)\b[^\n]{0,10}"
    r"\b(?:remove|drop|skip|delete|omit)\b"
    r"|\b(?:swap|exchange|reorder|replace|insert|move|change)\b[^.\n]{0,30}\bsteps?\s+\d"
    r"|\bsteps?\s+\d{1,4}\b[^.;\n]{0,25}\b(?:instead|swapped|replaced)\b"
    r"|\bsteps?\s+\d{1,4}\b[^.;\n]{0,12}\b(?:should|must|has to|needs to|goes|comes?|belongs?"
    r"|moved|before|after)\b[^.;\n]{0,12}\b(?:before|after|steps?|\d{1,4})\b"
    r"|\bsteps?\s+\d{1,4}\b[^.\n]{0,12}\b(?:should|must|has to"
    r"|needs to)\b[^.\n]{0,20}\b(?:first|last|earlier"
    r"|later)\b"
    r"|\bsteps?\s+\d{1,4}\b[^.\n]{0,12}\b(?:should|must|has to|needs to) (?:be|read|say)\b\W{0,4}"
    r"[^\W\d]\w{0,30}[(:<\[]"
    rf"|{_BEYOND} (?:can|should|must|may|is|are)\b[^.\n]{{0,12}}\b"
    rf"(?:{TAKEN}|{NEEDLESS}|not needed)\b"
    rf"|\b{TAKE_OUT} {_BEYOND}",
    re.IGNORECASE,
)
_REPLACED = lazy_pattern(
    r"\bsteps?\s+#?(\d{1,4})\b[^.\n:]{0,20}\b(?:(?:should|must|has to|needs to|ought to) (?:be|read"
    r"|say)|is now|becomes)\b\W*$"
    r"|\b(?:replace|change|correct|fix|rewrite)\s+(?:the )?steps?\s+#?(\d{1,4})\b[^.\n]{0,20}"
    r"\b(?:with|by|to|as)\b\W*$",
    re.IGNORECASE,
)
"""Words before a step that takes the place of another one."""
_ABBREVIATED = re.compile(r"\b(?:no|nr)\. ?(?=\d)", re.IGNORECASE)
_MAY_EDIT = re.compile(
    r"\b(?:steps?|actions?|numbers?|no\.|nr\.)\s+(?:numbers? )?#?\d"
    rf"|\b(?:{_ORDINAL}|first|last) (?:\w+ )?(?:and the \w+ )?(?:step|action|one)s?\b",
    re.IGNORECASE,
)
"""Cheap to look for: a sentence without the name of a step takes none out."""


def removed_steps(text_before: str, text_behind: str, step_count: int) -> tuple[list[int], bool]:
    """Return the numbers of steps that a text takes out, and whether it edits the plan otherwise.

    Numbers that the plan does not have are returned as well.

    Args:
        text_before: The words before a plan.
        text_behind: The words behind it: "Skip steps 2 and 3", "swap steps 1 and 2".
        step_count: Number of steps of the plan.
    """
    numbers: list[int] = []
    has_other_edit = any(map(_OTHER_EDIT.search, (text_before, text_behind)))
    for text, is_behind in ((text_before, False), (text_behind, True)):
        # "no. 3" would end a sentence.
        for sentence in sentences_of(_ABBREVIATED.sub("number ", text)):
            if not _MAY_EDIT.search(sentence):
                continue
            # "The last step was unnecessary" before a plan is about an earlier one.
            if not is_behind and _IS_PAST.search(sentence):
                continue
            for name in _names_of_removed_steps(sentence):
                numbers += _numbers_named(name, step_count)
    return numbers, has_other_edit


def _names_of_removed_steps(sentence: str) -> list[str]:
    """Return the names of the steps that a sentence takes out: ``["steps 2 and 3"]``."""
    is_question = sentence.rstrip("* ").endswith(QUESTION_MARKS)
    if is_question or _IF.search(sentence):
        return []
    names: list[str] = []
    for pattern in (_TAKES_OUT, _IS_OUT):
        for edit in pattern.finditer(sentence):
            if _is_said(sentence, edit):
                names.append(str(edit[edit.lastgroup or 0]))
    # "Skip step 2, but not step 3" names the steps itself: the exception belongs to it.
    if names:
        return names
    exception = _EXCEPTION.search(sentence)
    if exception is not None and _leaves_out_exception(sentence, exception):
        return [exception["name"]]
    return []


def _is_said(sentence: str, edit: re.Match[str]) -> bool:
    """Whether a sentence orders or states an edit; "could be skipped" and "never skip" do not."""
    before = sentence[max(0, edit.start() - _MAX_CLAUSE) : edit.start()]
    behind = sentence[edit.end() : edit.end() + _MAX_CLAUSE]
    # Words of another clause, "if it is dark, ...", do not change what this one says.
    clause = f"{_OTHER_CLAUSE.split(before)[-1]} {edit[0]} {_OTHER_CLAUSE.split(behind)[0]}"
    if _MOOD.search(clause) or _DENIED.search(before):
        return False
    return edit.lastgroup != "denied" or _ONLY_AT_TIMES.search(behind) is None


def _leaves_out_exception(sentence: str, exception: re.Match[str]) -> bool:
    """Whether a sentence takes all steps but some: "do everything except step 3"."""
    before, behind = sentence[: exception.start()], sentence[exception.end() :]
    is_at_end = not re.search(r"\w", behind)
    if not is_at_end and not _NEEDED.match(behind):
        return False
    if _MOOD.search(sentence) or _DENIED.search(before):
        return False
    if not re.search(r"\w", before) or _ORDER.match(sentence):
        return True
    return _OTHER_STEPS.search(before[-_MAX_CLAUSE:]) is not None


def _numbers_named(name: str, step_count: int) -> list[int]:
    """Return the numbers in the name of steps: "step 1 and 3 to 5", "the last two steps"."""
    words = name.lower()
    numbers: list[int] = []
    for first, last in re.findall(r"(\d+)(?: ?(?:-|\u2013|to|through) ?#?(\d+))?", words):
        numbers += range(int(first), int(last or first) + 1)
    several = re.search(r"\b(first|last|final) (\w+) (?:step|action)s", words)
    if several is not None:
        count = int(several[2]) if several[2].isdigit() else NUMBER_WORDS.get(several[2], 0)
        if several[1] == "first":
            return list(range(1, count + 1))
        return list(range(step_count - count + 1, step_count + 1))
    # "first" without an article is an adverb: "First remove step 3".
    if not words.startswith("the "):
        return numbers
    words, before_last_count = re.subn(_BEFORE_LAST, " ", words)
    if before_last_count:
        numbers.append(step_count - 1)
    for word in re.findall(r"[a-z]+", words):
        if word in ("last", "final"):
            numbers.append(step_count)
        elif word in NUMBER_WORDS and word != "one":
            numbers.append(NUMBER_WORDS[word])
    return numbers


def replaced_step(words_before: str) -> int:
    """Return the number of the step that the next one replaces; 0 if there is none.

    Args:
        words_before: The words before the next step, such as "Step 3 should be:".
    """
    replacement = _REPLACED.search(words_before[-200:])
    return int(replacement[1] or replacement[2]) if replacement is not None else 0
