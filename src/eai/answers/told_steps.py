"""Clauses that may be steps of actions which the task does not have.

Examples are "walk to the hall, sweep the floor" and "I fiddle with the lamp".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from eai.answers.line_begin import read_line_begin
from eai.answers.object_grammar import ObjectGrammar
from eai.answers.plan import EXPLAINING, FILLERS, HEADINGS, PARTICLES, STATING, WORDS, words_of
from eai.answers.sentences import sentence_end
from eai.answers.surfaces import Mention, Surfaces

EXPLAINED = re.compile(r"[`*_\"')]*(?:\s{0,2}:|\s[*_]{0,3}[-\u2013\u2014][*_]{0,3}\s)")
"""A sign right behind the step of an item, behind which the step is explained."""
_TAKES_IT = re.compile(
    rf"\w+\s(?:(?:{'|'.join(sorted(PARTICLES))})\s)?(?:it|them)\b", re.IGNORECASE
)
"""A clause whose verb has a pronoun as its object: "take it", "switch on it"."""
_VERB_AND_NOUN = re.compile(
    r"([^\W\d_]+)\s+(?:to\s|in\s|on\s)?(?:the|an?|its|his|her|their|my|your)\s\w", re.IGNORECASE
)
_WORD_BEFORE_OBJECT = re.compile(
    r"(?:^|;\s*|(?:,|->|\u2192|\b(?:and|then|first|please))\s+)(?:(?:and|then|first|please),?\s+){0,4}"
    r"([^\W\d_]{2,20})\s+(?:(?:to|the|an?)\s+){0,2}$",
    re.IGNORECASE,
)
"""A sign or "and", and the only word of a clause before its object: ``, sweep the``."""
_SAME_VERB = re.compile(
    r"[\s,;.]{0,4}(?:(?:and|then|finally|after that)\b[\s,]{1,3}){1,3}"
    r"(?:(?:back|over|on|up|straight)\s)?(?:to|into|towards?)\s(?:(?:the|an?|your)\s)?",
    re.IGNORECASE,
)
"""Words between a step and the object of another one that has no verb: ``, then to the``."""
_LISTED = re.compile(
    r"(?<![)\]}>])(?:\s(?:with|using|in)\s(?:\w+\s){1,2}(?:hand|arm|gripper|other))?"
    r"(?:\s?,\s{0,2}(?:and\s)?|\s(?:and|&|\+|plus|as well as)\s)"
    r"(?:then\s|also\s)?(?:(?:the|an?|your)\s)?",
    re.IGNORECASE,
)
"""Words between the object of a step and one more: "wash the cup and the"."""
_GOES_TO = re.compile(r"\s(?:to|into|towards?)\b", re.IGNORECASE)
"""Words behind a verb of going."""
_HOW_OR_WHERE = re.compile(
    r"\s(?:at once|together|with|using|in|from|at|on|off|near|next to|inside|by)\b", re.IGNORECASE
)
"""Words behind the last of several objects that say how or where something is done to all."""
_MAX_BEFORE = 60
"""Number of characters before an object in which the sign, the word and an article stand."""
_MAX_CLAUSE = 200
"""Number of characters behind a verb in which its object stands."""
_BETWEEN_OBJECTS = re.compile(
    rf"\s+(?:(?:{'|'.join(sorted(PARTICLES | WORDS['side_words']))})\s+){{0,3}}"
)
_CLAUSE_END = re.compile(r"\s*(?:[,;.]|->|\u2192|\b(?:and|then)\b|$)")
_NO_VERBS = HEADINGS | PARTICLES | STATING | FILLERS | EXPLAINING | WORDS["prepositions"]
"""Words before an object that are no verbs: ``, near the door``."""
_SUBJECT_AND_VERB = re.compile(
    r"""
    (?:^|[.!?;,:]\s{1,4}|\b(?:and|then)\s)\s{0,8}
    (?:[\w ]{1,30},\s)?(?:(?:and|then|now|next|first|finally)\s){0,4}
    (?:i|we|you|(?:the[ ])?(?:robot|agent))\s
    (?:(?:will|should|must|can|also|then|now|first|next|just|(?:needs?|has|have|going)[ ]to)\s
      |[a-z]{2,12}ly\s){0,4}
    (?P<verb>[a-z]{2,20})\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The begin of a clause that says who acts, up to its verb."""
_STATIVE = STATING | FILLERS | WORDS["stative"]
"""Verbs behind which no step is told: "I see the lamp"."""


def find_told_clause(text: str, begin: int, stop: int, surfaces: Surfaces) -> str:
    """Return the first clause that tells a step with an unknown verb and an object; or "".

    Args:
        text: A line.
        begin: Where the clause may begin.
        stop: Where it must end.
        surfaces: The names of the task.
    """
    for subject_and_verb in _SUBJECT_AND_VERB.finditer(text, begin, stop):
        verb = subject_and_verb["verb"].lower()
        if verb in _STATIVE or surfaces.sentences.has_verb(verb):
            continue
        end = min(
            sentence_end(text, subject_and_verb.end()), stop, subject_and_verb.end() + _MAX_CLAUSE
        )
        clause = text[subject_and_verb.start("verb") : end]
        names = surfaces.find_mentions(clause)
        if names and not names[0].is_action:
            return clause.strip()
    return ""


def tells_step_before(
    text: str, stop: int, mentions: Sequence[Mention], surfaces: Surfaces
) -> bool:
    """Whether a line may tell a step of an unknown action before an offset."""
    told = find_told_clause(text, 0, stop, surfaces)
    return bool(told or _find_word_and_object(text, 0, stop, mentions))


def find_unread_clause(
    grammar: ObjectGrammar,
    text: str,
    span: tuple[int, int],
    mentions: Sequence[Mention],
    *,
    is_numbered: bool,
) -> str:
    """Return the first clause behind a step that may be a step of an unknown action; or "".

    Such a clause begins with a verb, and names an object or "it"; or it consists of one word and an
    object.

    Args:
        grammar: Knows where a step ends.
        text: The line.
        span: Where the step ends, and where the next one begins or the line ends.
        mentions: The names in the line.
        is_numbered: Whether the line has a number. Then sentences behind the step explain it.
    """
    begin, stop = span
    is_explained = EXPLAINED.match(text, begin) is not None
    if is_numbered and is_explained:
        return ""
    if is_numbered:
        stop = min(stop, grammar.end_of_step(text, begin), sentence_end(text, begin))
    surfaces = grammar.surfaces
    for clause in surfaces.sentences.find_clauses(text, begin, stop):
        names = [mention for mention in mentions if clause.start <= mention.start < clause.stop]
        if any(mention.is_action for mention in names):
            continue  # known actions are read, or left out for a reason, by others
        is_step = bool(names) or _TAKES_IT.match(text, clause.start, clause.stop) is not None
        is_step = is_step or _has_unknown_object(text[clause.start : clause.stop], surfaces)
        if is_step or _is_only_verb(text[clause.start : clause.stop], surfaces):
            return text[clause.start : clause.stop].strip()
    unknown = _find_word_and_object(text, begin, stop, mentions)
    if unknown or is_explained:
        return unknown
    told = find_told_clause(text, begin, stop, surfaces)
    return told if told and read_line_begin(text, surfaces).subject else ""


def _has_unknown_object(clause: str, surfaces: Surfaces) -> bool:
    """Whether a clause is an action of the task with an unknown noun: "washes the spoons"."""
    verb = _VERB_AND_NOUN.match(clause)
    if verb is None:
        return False
    action = surfaces.actions.get(surfaces.sentences.bases.get(verb[1].lower(), ""))
    return action is not None and action.max_objects > 0


def _is_only_verb(clause: str, surfaces: Surfaces) -> bool:
    """Whether a clause is the verb of an action without its object: "sits", "sits down"."""
    words = words_of(clause)
    verb = surfaces.sentences.bases.get(words[0]) if words else None
    # "Has" alone is no step, though "have a seat" is one.
    if verb is None or len(words) > 2 or (len(words) == 1 and verb not in surfaces.actions):
        return False
    # "I'm going to switch it on" begins with no step.
    return words[-1] != "to" and PARTICLES.issuperset(words[1:])


def is_listed_object(text: str, begin: int, mentions: Sequence[Mention], index: int) -> bool:
    """Whether an object is one more of a verb: "the plate" of "wash the cup and the plate".

    Args:
        text: A line.
        begin: Where the step before ends.
        mentions: The names in the line.
        index: Index of the object among them.
    """
    mention = mentions[index]
    if mention.is_action or not _LISTED.fullmatch(text, begin, mention.start):
        return False
    # "the light, light.34" names one object twice.
    if mentions[index - 1].name == mention.name:
        return False
    end = mention.end
    patterns_behind = (_CLAUSE_END, _LISTED, _HOW_OR_WHERE)
    return any(pattern.match(text, end) for pattern in patterns_behind)


def is_next_place(text: str, step: tuple[int, int], mention: Mention) -> bool:
    """Whether an object is one more place to go to: "the light" of "walk to A, then to the light".

    Args:
        text: A line.
        step: Where the name of the action of the step before begins, and where the step ends.
        mention: The object.
    """
    begin, end = step
    if mention.is_action or _GOES_TO.search(text, begin, end) is None:
        return False
    return _SAME_VERB.fullmatch(text, end, mention.start) is not None


def _find_word_and_object(text: str, begin: int, stop: int, mentions: Sequence[Mention]) -> str:
    """Return the first clause between two offsets that is one word before objects; or "".

    The word may be the verb of the step before, which is not said again: "then to the door".

    Args:
        text: The line.
        begin: Where the step before ends.
        stop: Where the next step begins, or the line ends.
        mentions: The names in the line, in order.
    """
    first = bisect_right(mentions, begin, key=attrgetter("start"))
    for index in range(first, len(mentions)):
        mention = mentions[index]
        if mention.start >= stop:
            return ""
        if mention.is_action:
            continue
        is_listed = is_listed_object(text, begin, mentions, index)
        if is_listed or _SAME_VERB.fullmatch(text, begin, mention.start):
            return text[begin : mention.end].strip(" ,;.")
        search_start = max(begin, mention.start - _MAX_BEFORE)
        word_before = _WORD_BEFORE_OBJECT.search(text, search_start, mention.start)
        if (
            word_before is None
            or word_before[1].lower() in _NO_VERBS
            or word_before.end() < mention.start
        ):
            continue
        end = mention.end
        for other in mentions[index + 1 :]:
            if other.is_action or not _BETWEEN_OBJECTS.fullmatch(text, end, other.start):
                break
            end = other.end
        if _CLAUSE_END.match(text, end):
            return text[word_before.start(1) : end]
    return ""
