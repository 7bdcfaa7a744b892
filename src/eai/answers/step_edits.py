"""Sentences around a plan that take steps out of it, or change it otherwise: "Skip step 3".

A step is taken out only by an order ("Leave out the last step.") or by a plain statement ("Step 3
is unnecessary."). A sentence that forbids it, asks about it, or says when it would be done leaves
the plan as it is: "Without step 3 the goal would not hold".
"""

from __future__ import annotations

import re

from eai.answers.number_words import NUMBER_WORDS, ORDINALS
from eai.answers.retractions import QUESTION_MARKS, sentences_of
from eai.answers.taken_out import LEFT_OUT, NEEDLESS, TAKE_OUT, TAKEN
from eai.text import lazy_pattern

_NUMBERS = (
    r"#?\d{1,4}(?: ?(?:-|\u2013|to|through) ?#?\d{1,4}"
    r"|(?: {0,3}(?:,|;|and|&|plus|also|as well as)){1,4} {0,3}(?:steps? )?#?\d{1,4}){0,20}"
)
"""Numbers of steps: ``3``, ``1, and also step 5``, ``2 to 4``."""
_COUNT = rf"\d{{1,4}}|{'|'.join(NUMBER_WORDS)}"
_BEFORE_LAST = (
    r"(?:penultimate|(?:second|next)[ -](?:to|from)[ -](?:the )?last"
    r"|last (?:(?:step|action|one) )?but one)"
)
_ORDINAL = (
    rf"(?:(?:very )?(?:{_BEFORE_LAST}|{'|'.join(ORDINALS.split())}|\d{{1,4}}(?:st|nd|rd|th)"
    r"|last|final))"
)
_NAME = (
    rf"(?:(?:the )?(?:steps?|actions?|items?)\s+(?:numbers? )?{_NUMBERS}|numbers? {_NUMBERS}"
    r"|the last (?:step|action|one) but one|the (?:step|action|one) before the last(?: one)?"
    rf"|the {_ORDINAL}(?:(?:,| and) (?:the )?{_ORDINAL}){{0,5}} (?:step|action|one)s?"
    r"|the (?:first|last|final|middle) (?:\w+|\d{1,4}) (?:step|action)s)\b"
)
"""The name of one or several steps: ``steps 2 and 3``, ``number 2``, ``the last two steps``."""
_SOME_NAMED = rf"(?:{_NAME}|{_NUMBERS}|the (?:first|last)(?: (?:{_COUNT}))?)"
"""The same in a sentence that leaves no doubt about steps: "do just 1 and 2", "the first three"."""
_DO = r"(?:do|execute|run|perform|take|carry out|follow|include|use|apply|keep)"
_MUST = r"(?:can|should|must|may|has|have|needs?|is|are|was|were|will|ought)"
_TAKES_OUT = lazy_pattern(
    # What is dropped or removed in step 3 may be an object.
    rf"\b(?:{TAKE_OUT}|forget(?: about)?|discard|minus|no need for|do without)\s"
    rf"(?:(?:(?:the|also|out|only|just|all|of|both|\w+ly) )*)(?P<ordered>{_NAME})"
    r"|\b(?:ignore|skip|omit|exclude|cancel|strike|delete|cross out|leave out)\b[^.\n]{0,20}?"
    rf"(?P<ignored>{_NAME})"
    rf"|\b(?:leave|take|cross|strike|cut) (?P<left>{_NAME}) (?:out|away|off|undone)\b"
    rf"|(?:\bnot|n['\u2019]t|\bnever) {_DO} (?P<denied>{_NAME})",
    re.IGNORECASE,
)
"""Words that tell to take a step out."""
_IS_OUT = lazy_pattern(
    r"(?<!\bin )(?<!\bof )(?<!\bat )(?<!\bby )(?<!\bfrom )(?<!\bafter )(?<!\bbefore )(?<!\bbehind )"
    rf"(?<!\bbut )\b(?P<name>{_NAME})\W{{0,3}}(?:above |also |actually |too )?"
    rf"(?:\W{{1,3}}|{_MUST}\b(?:(?!\b(?:not|never|be no)\b|n['\u2019]t\b)[^.,\n]){{0,20}}?)\b"
    rf"(?:{TAKEN}|{NEEDLESS}"
    r"|(?:can|may|has to|must|should) go(?=\W*$)|a (?:slip|mistake|typo)|(?:does|do) not count"
    r"|(?:not|no longer) (?:be )?(?:needed|necessary|executed|required|valid|done|there"
    r"|(?:a )?part of (?:the|my|this) plan))\b"
    rf"|(?P<marked>{_NAME})(?:\s?[:\u2013-]\s?(?:skip|omit|removed?)(?=\W*$)"
    r"|\W{0,3}[\u274c\u2717\u2718])"
    rf"|\b(?:removed|skipped|omitted|excluded|dropped)(?: steps?)?:\s?"
    rf"(?P<listed>{_NAME}|{_NUMBERS})(?=\W*$)"
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
_NEEDED_WORDS = (
    r"(?: \w+ly)? (?:needed|necessary|required|executed|done|performed|run|used|kept|taken|meant"
    r"|valid|correct|right|part)\b"
)
_ONLY = r"(?:only|just|nothing but|no more than)"
_KEEPS = lazy_pattern(
    rf"\b(?:{_ONLY} {_DO}|{_DO} {_ONLY}) (?P<told>{_SOME_NAMED})(?=\W*(?:please\b\W*)?$)"
    rf"|\b{_ONLY} (?P<named>{_NAME})(?=\W*(?:please\b\W*)?$"
    rf"| (?:counts?|matters?)\b| (?:is|are|must be|should be|shall be|will be){_NEEDED_WORDS})"
    rf"|\b{_DO} (?P<alone>{_SOME_NAMED}) (?:only|alone|and (?:nothing|no) (?:else|more))(?=\W*$)"
    rf"|(?P<enough>{_NAME}) (?:alone )?(?:suffices?|will (?:do|suffice)(?=\W*$)"
    r"|(?:is|are) (?:all|enough|sufficient)\b)"
    rf"|\b(?:{TAKE_OUT}|discard) (?:all|every|each|everything)\b[^.\n]{{0,12}}\b(?:but|except|save)"
    rf"(?: for)? (?P<spared>{_SOME_NAMED})(?=\W*$)",
    re.IGNORECASE,
)
"""Words that take all steps out but some: "only do steps 1 and 2", "step 1 is enough"."""
_AGAIN = r"(?:again|once more|one more time|twice|thrice|(?:two|three|four|five|\d{1,3}) times)"
_HARMLESS = (
    r"(?:after|and|are|because|before|both|but|by|check|consider|during|explain|for|from|if|into"
    r"|keep|like|mark|mind|not|note|once|only|remember|see|since|that|the|this|until|upon|verify"
    rf"|when|while|with|without|{_DO})\b"
)
"""Words before the name of a step that do not change it."""
_CHANGES = lazy_pattern(
    r"\b(?:swap|exchange|interchange|switch|transpose|reorder|rearrange|reverse|flip|merge|combine"
    rf"|split|repeat|repeating|redo|redoing|postpone|delay)\b[^.\n]{{0,30}}?{_NAME}"
    rf"|^\W*(?:\w+,? ){{0,2}}(?:put|move|shift|bring) {_NAME}"
    rf"|\b{_DO} {_NAME},? {_AGAIN}"
    rf"|\b(?:start|begin) (?:with|at|from) (?!(?:the )?(?:steps? 1\b|first)){_NAME}"
    rf"|(?<!ed ){_NAME},?"
    r" (?:(?:should|must|needs? to|has to|have to|is|are|will|comes?|happens?) )?(?:to )?"
    rf"(?:be )?(?:(?:done|executed|performed|run|taken|repeated|happen|come) )?{_AGAIN}(?=\W*$)"
    rf"|{_NAME} (?:should|must|need to|have to) (?:trade|change|swap) places\b"
    rf"|\b(?:stop|halt|quit|end|finish)s? (?:right )?before {_NAME}"
    rf"|^\W*(?:(?:please|then|so|now|just) )*(?:{TAKE_OUT}|discard) (?:the|that|this) \w+"
    r" (?:step|action)\b"
    # A verb that is not known, with steps as its object: "I retract step 4".
    r"|^\W*(?:(?:please|kindly|then|so|now|just|but|and|actually)\W+)*"
    r"(?:(?:i|we|you)(?:['\u2019](?:d|ll))? (?:(?:will|can|may|should|must|want to|have to) )?)?"
    rf"(?!{_HARMLESS})[a-z]{{3,}}(?<!ing)(?<!ed)(?<![^s]s) (?:yourself )?{_NAME}(?=\W*$|[,;:.])",
    re.IGNORECASE,
)
"""An order that changes a plan otherwise: "swap the last two steps", "do step 2 once more"."""
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
    rf"\W*(?:is|are|must be|should be|has to be|have to be|to be)\b{_NEEDED_WORDS}", re.IGNORECASE
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
_MAX_BEHIND = 2_000
"""Number of characters behind a plan in which a correction is looked for."""
_MAX_CLAUSE = 150
"""Number of characters before and behind an edit that may belong to its clause."""
_IS_PAST = re.compile(r"\b(?:was|were|had|has been|have been)\b", re.IGNORECASE)
_BEYOND = (
    r"\b(?:everything|anything|all|the rest|the steps) (?:\w+ )?(?:after|behind|before|from|until)"
    rf" {_NAME}"
)
_NAMED_BY_PLACE = rf"\bthe (?:{_ORDINAL}|first|last|final)(?: (?:step|action|one)s?)?\b"
_OTHER_EDIT = lazy_pattern(
    rf"\b{_DO} (?:all|everything|it all|the (?:whole|entire|full|plan|list|steps))\b"
    rf"[^.\n]{{0,20}}{_AGAIN}|"
    r"\b(?:before|after|between|behind) steps?\s+#?\d{1,4}\b[^.\n]{0,20}"
    r"\b(?:add|insert|put in|include)\b"
    r"|\b(?:add|insert)\b[^\n]{1,80}\b(?:before|after|between|behind) steps?\s+#?\d{1,4}\b"
    r"|\bsteps?\s+#?\d{1,4} (?:is|was) an? (?:mistake|error)\b[^\n]{0,10}"
    r"\b(?:remove|drop|skip|delete|omit)\b"
    r"|\b(?:swap|exchange|reorder|replace|insert|move|change)\b(?:[^.\n]|\.(?=\w)){0,40}\bsteps?\s+\d"
    r"|\bsteps?\s+\d{1,4}\b(?:[^.;\n]|\.(?=\w)){0,40}\b(?:instead|swapped|replaced)\b"
    r"|\bsteps?\s+\d{1,4}\b[^.;\n]{0,12}\b(?:should|must|has to|needs to|goes|comes?|belongs?"
    r"|moved|before|after)\b[^.;\n]{0,12}\b(?:before|after|steps?|\d{1,4})\b"
    r"|\bsteps?\s+\d{1,4}\b[^.\n]{0,12}\b(?:should|must|has to"
    r"|needs to)\b[^.\n]{0,20}\b(?:first|last|earlier"
    r"|later)\b"
    r"|\bsteps?\s+\d{1,4}\b[^.\n]{0,12}\b(?:should|must|has to|needs to) (?:be|read|say)\b\W{0,4}"
    r"[^\W\d]\w{0,30}[(:<\[]"
    rf"|{_NAMED_BY_PLACE} and (?:with )?{_NAMED_BY_PLACE}[^.\n]{{0,12}}\b(?:have to|must|should"
    r"|need to|ought to|are to) (?:be )?(?:swap|exchange|interchange|switch|transpose|trade|flip"
    r"|change)\w*\b"
    rf"|{_NAMED_BY_PLACE}[^.\n]{{0,12}}\b(?:has to|must|should|needs to|ought to|is to) (?:be )?"
    rf"(?:swap|exchange|interchange|switch|trade)\w*\b[^.\n]{{0,20}}{_NAMED_BY_PLACE}"
    rf"|{_BEYOND} (?:can|should|must|may|is|are)\b[^.\n]{{0,12}}\b"
    rf"(?:{TAKEN}|{NEEDLESS}|not needed)\b"
    rf"|\b{TAKE_OUT} {_BEYOND}",
    re.IGNORECASE,
)
_FOREIGN_STEP = (
    r".*(?:(?:schritte?|pasos?|\u00e9tapes?|pass[oi]s?|\u0448\u0430\u0433[\u0438\u0430]?"
    r"|\u6b65\u9aa4?|\u30b9\u30c6\u30c3\u30d7|\ub2e8\uacc4)\s?\d|\u7b2c\s?\d{1,3}\s?\u6b65)"
)
_CORRECTS = lazy_pattern(
    r"^\W*(?:(?:oops|sorry|wait)\W+)?(?:correction|corrigend\w+|errat(?:um|a)|typo|edit)\b"
    r"(?!\W*(?:no|none|nothing|not)\b)\W+\w"
    r"|^\W*(?:(?:please|so|but|and|oops|sorry|actually|edit|p\.?\s?s)\W+)*"
    r"(?:(?:replace|substitute|swap|exchange)\b[^\n]{1,60}\b(?:by|with|for)\b"
    r"|use\b[^\n]{1,60}(?:\binstead of\b|, not\b)|instead of\b[^,\n]{1,60},\s*(?:use|take)\b"
    r"|for \S+ read \S)"
    r"|\bi (?:actually )?meant\b[^\n]*(?:\bnot\b|\binstead\b|\bin steps?\b)"
    r"|\bwhere(?:ver)? (?:i|it) (?:wrote|said|says)\b"
    rf"|{_NAME} (?:should use|should have (?:been|used)|is (?:actually )?about"
    r"|needs (?!to)[^\n]* instead"
    r"|(?:is|was|are|were|has|have|contains?) (?:(?:an?|the|some) )?(?:wrong|incorrect|mistake"
    r"|error|typo)s?)\b"
    rf"|\b(?:mistake|error|typo)s? in {_NAME}"
    # "Schritt 3 entf\u00e4llt": in other languages the steps are not looked for.
    rf"|(?={_FOREIGN_STEP})(?=.*(?:{LEFT_OUT}))",
    re.IGNORECASE,
)
"""A sentence behind a plan that corrects it: "Correction: ...", "use the cup, not the mug"."""
_ORDER_SAID = lazy_pattern(
    r"\bsteps?\s+#?(?P<step>\d{1,4})\b(?P<between>[^.;\n\d]{0,60})"
    r"\b(?P<relation>before|precedes?|after|follows?)\s(?:the )?steps?\s+#?(?P<other>\d{1,4})\b"
    r"|\bsteps?\s+#?(?P<placed>\d{1,4})\b[^.;\n\d]{0,25}\b(?:be|come|stay|remain)s?(?: the)?"
    r" (?P<place>first|last)\b",
    re.IGNORECASE,
)
"""A sentence that says which of two steps comes first."""
BECOMES = r"(?:(?:should|must|has to|needs to|ought to) (?:\w+ly )?(?:be|read|say)|is now|becomes)"
"""Words between a step and the one that takes its place: "step 3 should be ..."."""
REPLACE = "(?:replace|change|correct|fix|rewrite)"
_MENDED = (
    r"(?:amended|changed|corrected|edited|fixed|mended|rectified|replaced|revised|rewritten"
    r"|updated)"
)
"""Words for a step that took the place of another one."""
_MENDING = (
    r"(?:amendments?|changes?|corrections?|corrigend(?:um|a)|edits?|errat(?:um|a)|fix(?:es)?"
    r"|replacements?|revisions?|updates?)"
)
"""Labels of what takes the place of something else."""
_STEP_WORD = r"(?:action|item|line|number|step)"
_REPLACED = lazy_pattern(
    rf"(?:\bsteps?\s+#?(\d{{1,4}})\b(?:[:,;]? it)?[^.\n:]{{0,20}}\b{BECOMES}\b"
    rf"|\b{REPLACE}"
    r"\s+(?:the )?steps?\s+#?(\d{1,4})\b[^.\n]{0,20}"
    r"\b(?:with|by|to|as)\b"
    # A correction of step 3, or a mistake in it.
    rf"|\b(?:{_MENDING}|error|mistake|slip|typo) ?\(?"
    rf"(?:(?:(?:of|to|for|in|at) )?(?:the )?{_STEP_WORD}\s+|(?:of|to|for|in|at) )#?"
    r"(\d{1,4})\b(?=\W{0,4}:)"
    # The corrected step 3, or step 3 with a mark of it.
    rf"|\b(?:{_MENDED}|amend|correct|make|new|replace|revise|right|update) (?:version of )?"
    rf"(?:the )?{_STEP_WORD}\s+#?(\d{{1,4}})\b(?=\W{{0,4}}:)"
    rf"|\b{_STEP_WORD}\s+#?(\d{{1,4}})\W{{1,3}}(?:is |was )?(?:{_MENDED}|{_MENDING})\b"
    r"(?=\W{0,4}:))"
    # The number of the item that is the correction.
    r"\W*(?:(?:step\s+)?#?\d{1,4}\W*)?$",
    re.IGNORECASE,
)
"""Words before a step that takes the place of another one."""
_CORRECTION_LABEL = lazy_pattern(
    # "There is a mistake in steps 2 and 3", or a sentence before the label.
    rf"(?:[^\n]{{1,60}}\b(?:error|mistake|slip|typo)s? (?:in|at) {_NAME}"
    r"|(?:[^\n]{1,100}[.!:,]\s{1,3})?[^\w\n]{0,8}"
    r"(?:(?:actually|and|but|here(?:['\u2019]s| is| are)|my|oops|please|small|so|sorry|the|wait"
    rf"|with this)\b\W{{1,4}}){{0,4}}(?:{_MENDING}|(?:{_MENDED}|replace(?: with| by)?)"
    r"(?: (?:actions?|items?|lines?|steps?))?)"
    # What is corrected.
    r"(?: ?\(?(?:(?:of|to|for|in) )?"
    r"(?:(?:(?:an?|the|my|this|that|above) ){0,3}(?:plan|list|answer|mistake)"
    rf"|(?:the )?{_NAME}))?(?: above)?)\W*(?:(?:step )?\d{{1,4}}\W*)?",
    re.IGNORECASE,
)
"""A label of steps that take the place of those with their numbers: ``Correction:``."""
_OF_STEP = re.compile(
    r"\b(?:(?:action|item|line|step)s?|amendments|changes|corrections|corrigenda|edits|errata|fixes"
    r"|replacements|revisions|updates)\b",
    re.IGNORECASE,
)
"""Words of a label that speaks of single steps: ``Corrected step:``, ``Corrections:``."""
_ABBREVIATED = re.compile(r"\b(?:no|nr)\. ?(?=\d)", re.IGNORECASE)
_MAY_EDIT = re.compile(
    r"\b(?:steps?|actions?|numbers?|no\.|nr\.)\s+(?:numbers? )?#?\d"
    rf"|\b(?:{_ORDINAL}|first|last) (?:\w+ )?(?:and the \w+ )?(?:step|action|one)s?\b"
    r"|\b(?:removed|skipped|omitted|excluded|dropped)\b"
    r"|\bitems? \d|\b(?:but|only|just|before|do) (?:do )?(?:\d|the (?:first|last)\b)"
    rf"|\b(?:{TAKE_OUT}|discard)\b.{{0,200}}\b(?:step|action)s?\b",
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
    texts = [_without_order_of_plan(text, step_count) for text in (text_before, text_behind)]
    has_other_edit = any(map(_edits_otherwise, texts)) or _corrects(text_behind, step_count)
    for text, is_behind in zip(texts, (False, True), strict=True):
        # "no. 3" would end a sentence.
        for sentence in sentences_of(_ABBREVIATED.sub("number ", text)):
            if not _may_edit(sentence, is_behind=is_behind):
                continue
            removed = _numbers_of_removed_steps(sentence, step_count)
            numbers += removed
            if not removed and any(
                _is_said(sentence, edit) for edit in _CHANGES.finditer(sentence)
            ):
                has_other_edit = True
    return numbers, has_other_edit


def _without_order_of_plan(text: str, step_count: int) -> str:
    """Return a text without what it says of the order of steps, if the plan has that order."""

    def blank_if_same(said: re.Match[str]) -> str:
        if said["placed"]:
            place = 1 if said["place"].lower() == "first" else step_count
            return "" if int(said["placed"]) == place else said[0]
        is_before = said["relation"].lower() in ("before", "precede", "precedes")
        is_denied = _DENIED.search(said["between"]) is not None
        is_order = (int(said["step"]) < int(said["other"])) == (is_before != is_denied)
        return "" if is_order else said[0]

    return _ORDER_SAID.sub(blank_if_same, text)


def _edits_otherwise(text: str) -> bool:
    """Whether a text changes a plan, and does not forbid it: "do not swap steps 1 and 2"."""
    for edit in _OTHER_EDIT.finditer(text):
        if not _DENIED.search(text[max(0, edit.start() - _MAX_CLAUSE) : edit.start()]):
            return True
    return False


_CORRECTION = re.compile(
    r"^\W*(?:(?:oops|sorry|wait)\W+)?(?:correction|corrigend\w+|errat(?:um|a)|edit)\b\W+",
    re.IGNORECASE,
)
"""The label of a correction."""


def _corrects(text_behind: str, step_count: int) -> bool:
    """Whether a sentence behind a plan corrects an object or a step of it."""
    for sentence in sentences_of(text_behind[:_MAX_BEHIND]):
        # "Correction: leave out step 3" takes a step out, and nothing else.
        edit = _CORRECTION.sub("", sentence)
        is_removal = edit != sentence and _may_edit(edit, is_behind=True)
        is_removal = is_removal and bool(_numbers_of_removed_steps(edit, step_count))
        correction = _CORRECTS.search(edit if is_removal else sentence)
        if correction is not None and not _IF.search(sentence) and _is_said(sentence, correction):
            return True
    return False


def _may_edit(sentence: str, *, is_behind: bool) -> bool:
    """Whether a sentence names steps, and is no question and not about some case only.

    Args:
        sentence: The sentence.
        is_behind: Whether it stands behind the plan. "The last step was unnecessary" before a plan
            is about an earlier one.
    """
    if not _MAY_EDIT.search(sentence) or (not is_behind and _IS_PAST.search(sentence)):
        return False
    is_question = sentence.rstrip("* ").endswith(QUESTION_MARKS)
    return not is_question and _IF.search(sentence) is None


def _numbers_of_removed_steps(sentence: str, step_count: int) -> list[int]:
    """Return the numbers of the steps that a sentence takes out."""
    for edit in _KEEPS.finditer(sentence):
        if _is_said(sentence, edit):
            kept = _numbers_named(str(edit[edit.lastgroup or 0]), step_count)
            return [number for number in range(1, step_count + 1) if number not in kept]
    numbers: list[int] = []
    for name in _names_of_removed_steps(sentence):
        numbers += _numbers_named(name, step_count)
    return numbers


def _names_of_removed_steps(sentence: str) -> list[str]:
    """Return the names of the steps that a sentence takes out: ``["steps 2 and 3"]``."""
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
    is_at_end = re.fullmatch(r"\W*(?:please\W*)?", behind) is not None
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
    several = re.search(rf"\b(first|last|final|middle) (?!but\b)({_COUNT})\b", words)
    if several is not None:
        count = int(several[2]) if several[2].isdigit() else NUMBER_WORDS[several[2]]
        return _numbers_at(several[1], count, step_count)
    # "first" without an article is an adverb: "First remove step 3".
    if not words.startswith("the "):
        return numbers
    words, before_last_count = re.subn(rf"{_BEFORE_LAST}|before the last", " ", words)
    if before_last_count:
        numbers.append(step_count - 1)
    for word in re.findall(r"[a-z]+", words):
        if word in ("last", "final"):
            numbers.append(step_count)
        elif word in NUMBER_WORDS and word != "one":
            numbers.append(NUMBER_WORDS[word])
    return numbers


def _numbers_at(place: str, count: int, step_count: int) -> list[int]:
    """Return the numbers of the first, the last or the middle steps of a plan.

    0, which no step has, is returned if a plan with that many steps has no middle ones.
    """
    if place == "first":
        return list(range(1, count + 1))
    if place != "middle":
        return list(range(step_count - count + 1, step_count + 1))
    first, remainder = divmod(step_count - count, 2)
    return [0] if remainder else list(range(first + 1, first + count + 1))


def replaced_step(words_before: str) -> int:
    """Return the number of the step that the next one replaces; 0 if there is none.

    Args:
        words_before: The words before the next step, such as "Step 3 should be:".
    """
    replacement = _REPLACED.search(words_before[-200:])
    return int(replacement[replacement.lastindex or 0]) if replacement is not None else 0


def labels_correction(words_before: str) -> bool:
    """Whether words label steps that take the place of those with their numbers: "Correction:"."""
    label = words_before.rstrip().rpartition("\n")[2]
    return len(label) < _MAX_CLAUSE and _CORRECTION_LABEL.fullmatch(label) is not None


def names_step(words_before: str) -> bool:
    """Whether the last line of some words speaks of steps, not of a plan: "Corrected step:"."""
    return _OF_STEP.search(words_before.rstrip().rpartition("\n")[2]) is not None
