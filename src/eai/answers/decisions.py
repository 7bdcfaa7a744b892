"""Sentences that decide for one of several candidates: "I go with plan A", "not plan B".

An option is named by a letter or a number, "plan A", or by its place, "the former". A sentence
decides for the first option behind its verb that it does not rule out. Where sentences only rule
options out, the one that is left is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from eai.answers.number_words import NUMBER_WORDS
from eai.answers.plan import REJECTING_SIGNS, word_sets
from eai.answers.retractions import QUESTION_MARKS, sentences_of
from eai.text import lazy_pattern

OPTIONS = (
    r"(?:option|plan|answer|version|approach|candidate|alternative|variant|list|attempt|trial"
    r"|branch|proposal)"
)
"""Nouns for one of several candidates, which a letter or a number behind them names."""
_OPTION = lazy_pattern(
    rf"\b(?:{OPTIONS}|solution|sequence)[ _]{{1,2}}#?"
    r"(?P<behind>[a-z]\d{0,2}|\d|one|two|three)\b(?!['\u2019])"
    r"|\b(?P<ordinal>first|second|third|1st|2nd|3rd|former|latter|upper|lower)\b"
    r"(?= (?:of|option|plan|answer|version|one|list|approach|is|sequence|candidate|solution)\b)"
    # "I prefer the former", "so the former it is"
    r"|\bthe (?P<alone>first|second|third|former|latter)"
    r"(?=\W*$|[,;.]| (?:it|because|since|for|as|can|cannot|will|works|fails|counts)\b)",
    re.IGNORECASE,
)
_BARE_OPTION = re.compile(
    r"(?<![\w'])[(\[]?(?P<bare>[A-D]|(?<=[(\[])[a-d1-9])[)\]]?(?![\w'\u2019])"
)
"""An option that is only a letter or a number: "My choice: (a)"."""
_ARTICLE = lazy_pattern(r"a (?!(?:and|as|because|for|instead|is|it|only|or|since|then|will)\b)\w")
"""No option: "we plan a sequence of actions"."""
_VERBS = "|".join(sorted(word_sets("choice")["decides"]))
_BEFORE_BARE_OPTION = lazy_pattern(
    rf"(?:^|[:,;]|\b(?:{_VERBS}|so|not|for|with|to|is|be|but|then|hence))[\W_]{{0,4}}$",
    re.IGNORECASE,
)
"""Words before an option without a noun; the B of "object B" is another thing."""
_DECIDES = lazy_pattern(
    rf"\b(?:{_VERBS})\b|\bgo(?:ing)? with\b"
    r"|\bstick(?:ing)? (?:to|with)\b|\bopt(?:ing)? for\b|\bthe one (?:to|that|which|i|you|we)\b",
    re.IGNORECASE,
)
_NEGATED = lazy_pattern(r"(?:\b(?:not|never)|n['\u2019]t) (?:\w+ )?$", re.IGNORECASE)
"""Words before a verb that decides for nothing."""
_EXAMINES = lazy_pattern(
    r"\b(?:make sure|ensure|check|verify|examine|see (?:if|whether)|whether)\b", re.IGNORECASE
)
"""Words of a sentence that leaves a question open: "check whether plan A works"."""
_IN_SOME_CASE = lazy_pattern(
    r"\b(?:if (?!i (?:had|have) to\b)|in case\b|unless\b|in an emergency\b)", re.IGNORECASE
)
"""Words of a sentence that decides only if something is so."""
_RULES_OUT = lazy_pattern(
    r"(?:\b(?:not|never|without|(?:instead|in place) of|rather than|discard|reject|ignore|drop)"
    r"|n['\u2019]t)\b(?![^,;.:]*\b(?:but|only)\b)[^,;.:]{0,25}$",
    re.IGNORECASE,
)
"""Words before an option that is ruled out: "do not use plan B"."""
_IS_RULED_OUT = lazy_pattern(
    r"[^;.\w]{1,3}(?:(?:which|that|i|we|do|is|was) ?){0,3}(?:\bnot|n['\u2019]t|\bnever)"
    rf" (?:\w+ )?(?:{_VERBS})\b"
    rf"|[^,;.\w{REJECTING_SIGNS}]{{1,4}}(?:no|false|[{REJECTING_SIGNS}])(?=\W*$|\s?[/,;|])"
    r"|[^,;.:\w]{1,3}(?:fails\b|cannot\b"
    r"|(?:can|could|does|did|do|will|would|is|was)(?: not\b|n['\u2019]t\b)(?! (?:only|just|fail))"
    r"|(?:is |was )?(?:my )?(?:second|third|next|last)[- ](?:best|choice)"
    r"|(?:is|was) (?:\w+ly )?(?:just|only|merely|wrong|worse|flawed|invalid|incorrect"
    r"|a (?:backup|fallback|draft|mistake|sketch))\b(?! (?:\w+ )?(?:one|right|correct)\b))",
    re.IGNORECASE,
)
"""Words behind an option that is ruled out: "plan B is only for emergencies", "plan B: no"."""
_FILLING = lazy_pattern(
    r"\W*(?:(?:so|then|hence|thus|and|but|therefore|it is|it['\u2019]s|not|the|of course"
    r"|yes|no|true|false|please|for me|definitely|clearly)\b\W*)*",
    re.IGNORECASE,
)
"""Text around options in a sentence that only names them: "Plan A it is, not plan B"."""
_MAX_BEHIND = 2_000
"""Number of characters behind all candidates in which a decision is looked for."""
_MAX_BEFORE = 1_000
"""Number of characters before all candidates in which a decision is looked for."""
_NUMBERED_LABELS = NUMBER_WORDS | {
    "former": 1, "latter": 2, "upper": 1, "lower": 2, "1st": 1, "2nd": 2, "3rd": 3,
}  # fmt: skip
_LEAVES_OPEN = lazy_pattern(
    r"(?:\bnot|n['\u2019]t|\bcannot|\bno idea|\bunsure|\buncertain|\bunclear"
    # ", which" speaks of something before it.
    r"|\bhard to (?:say|tell))\b[^.\n]{0,40}\b(?<!, )(?:which|between)\b"
    r"|\b(?:undecided|(?:flip|toss) a coin|up to you)\b"
    r"|\bone of (?:these|those|them|the)\b[^.:\n]{0,30}\b(?:is|must be|works?)\b"
    r"[^.:\n]{0,30}(?:[.!,]|$)"
    r"|\beither (?:one|of|plan|option|may|might|could)\b[^.\n]{0,20}\b(?:may|might|could)\b"
    r"|\bcould be either\b|\bwhich (?:one|of|plan|option|list)\b[^.?\n]{0,60}\?"
    r"|\blet me know which\b|\b(?:choice|decision)s? (?:is|are)? ?(?:to|yours)\b"
    r"|(?:^|[.;,] |\bplease )(?:you )?(?:choose|decide|pick|select|take)"
    r"(?: (?:one|either|any|whichever\b.*|(?:for )?yourself|between .*))?\W*$",
    re.IGNORECASE | re.MULTILINE,
)
"""Words that leave it to the reader which of several plans is meant."""


def leaves_choice_open(text: str) -> bool:
    """Whether words around several plans do not say which is meant: "I do not know which one"."""
    return _LEAVES_OPEN.search(text) is not None


def names_option(line: str) -> bool:
    """Whether a line has the name of one of several candidates: "Version 2", "Plan B"."""
    return _OPTION.search(line) is not None


def index_decided_for(frames: Sequence[str], text_before: str, text_behind: str) -> int | None:
    """Return the index of the candidate for which the text around all of them decides, or None.

    The last sentence behind the candidates is asked first, the first one before them last.

    Args:
        frames: The words before each candidate, which may name it.
        text_before: The text before the first candidate.
        text_behind: The text behind the last one.
    """
    if len(frames) < 2:
        return None
    labels = [_label_in_frame(frame, number) for number, frame in enumerate(frames, start=1)]
    sentences_behind = sentences_of(text_behind[:_MAX_BEHIND])[::-1]
    sentences_before = sentences_of(text_before[-_MAX_BEFORE:])
    # The first sentence that decides counts; those that only rule options out are collected.
    headings = (frame.rpartition("\n")[2] for frame in frames)
    named_out = chain.from_iterable(_options_of(line, may_be_bare=False)[1] for line in headings)
    ruled_out = {_index_of_label(_plain_label(option), labels) for option in named_out}
    for position, sentence in enumerate(chain(sentences_behind, sentences_before)):
        # Above the candidates, the name of an option may be a heading.
        is_behind = position < len(sentences_behind)
        options, options_out = _options_of(sentence, may_be_bare=is_behind)
        option = _option_decided_for(sentence, options, may_be_bare=is_behind)
        index = None if option is None else _index_of_label(_plain_label(option), labels)
        if index is not None:
            return index
        ruled_out |= {_index_of_label(_plain_label(option), labels) for option in options_out}
    remaining = [index for index in range(len(labels)) if index not in ruled_out]
    return remaining[0] if len(remaining) == 1 else None


def _index_of_label(label: str, labels: Sequence[str]) -> int | None:
    """Return the index of the candidate with a label, else of that in its place: 1 for "b"."""
    if label in labels:
        return labels.index(label)
    # "Plan 2" may mean the second of plans that have no labels, but not "Plan B" of A and C.
    are_lettered = any(map(str.isalpha, labels))
    place = int(label) if label.isdigit() else "abcd".find(label) + 1
    if not 0 < place <= len(labels) or (are_lettered and label.isalpha()):
        return None
    return place - 1


def _options_of(
    sentence: str, *, may_be_bare: bool
) -> tuple[list[re.Match[str]], list[re.Match[str]]]:
    """Return the options that a sentence names: those that may be meant, and those ruled out.

    A question, or a sentence about what is only so in some case, decides nothing.

    Args:
        sentence: The sentence.
        may_be_bare: Whether an option may be a letter or a number alone.
    """
    if sentence.rstrip("* ").endswith(QUESTION_MARKS) or _IN_SOME_CASE.search(sentence):
        return [], []
    named = [
        option
        for option in _OPTION.finditer(sentence)
        if not _ARTICLE.match(sentence, option.end() - 1)
    ]
    if not named and may_be_bare:
        bare = _BARE_OPTION.finditer(sentence)
        named = [
            option for option in bare if _BEFORE_BARE_OPTION.search(sentence[: option.start()])
        ]
    options_out = [option for option in named if _is_ruled_out(sentence, option)]
    return [option for option in named if option not in options_out], options_out


def _is_ruled_out(sentence: str, option: re.Match[str]) -> bool:
    """Whether the words around an option say that it is not the one."""
    if _RULES_OUT.search(sentence[: option.start()]):
        return True
    # "the first list is only a draft": the noun belongs to the option.
    behind = re.sub(r"^ (?:list|one|of these|plan|option)\b", "", sentence[option.end() :])
    return _IS_RULED_OUT.match(behind) is not None


def _option_decided_for(
    sentence: str, options: Sequence[re.Match[str]], *, may_be_bare: bool
) -> re.Match[str] | None:
    """Return the option for which a sentence decides; None if for none.

    It is the first option behind the verb, "Plan B fails, so I go with Plan A"; if there is none
    behind it, the first option of the sentence: "Plan A is best". A sentence without a verb decides
    if it only names options: "Plan A, not plan B."

    Args:
        sentence: The sentence.
        options: The options in it that are not ruled out.
        may_be_bare: Whether it may have no verb.
    """
    if not options:
        return None
    verb = _deciding_verb(_EXAMINES.split(sentence)[0], options)
    if verb is None:
        rest = _BARE_OPTION.sub(" ", _OPTION.sub(" ", sentence))
        return options[0] if may_be_bare and _FILLING.fullmatch(rest) else None
    for option in options:
        if option.start() >= verb.start():
            return option
    return options[0]


def _deciding_verb(sentence: str, options: Sequence[re.Match[str]]) -> re.Match[str] | None:
    """Return the first word of a sentence that decides; None if there is none.

    Words inside of the names of options do not count: "answer" decides, but not in "Answer 2".
    """
    for verb in _DECIDES.finditer(sentence):
        if _NEGATED.search(sentence, 0, verb.start()):
            continue  # "not recommended"
        if not any(option.start() <= verb.start() < option.end() for option in options):
            return verb
    return None


def _plain_label(option: re.Match[str]) -> str:
    """Return the label in the name of an option: ``"a"`` of "Plan A", ``"1"`` of "first plan"."""
    label = str(option[option.lastgroup or 0]).lower()
    return str(_NUMBERED_LABELS.get(label, label))


def _label_in_frame(frame: str, position: int) -> str:
    """Return the label of a candidate: the last one in its frame, else its position from 1."""
    labels = [_plain_label(option) for option in _OPTION.finditer(frame[-200:])]
    return labels[-1] if labels else str(position)
