"""Subgoals in a text or in a value: formulas over the names of a task.

A subgoal is a formula: literals such as ``ON(light.411)``, joined by connectives. In a text it is
the longest run of literals with nothing but connectives between them; what stands around it is
talk. In a value a list is a sequence of subgoals, a list inside it a conjunction, and an object a
literal in parts or a subgoal with what explains it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from eai.answers import (
    EXPLAINING,
    HEADINGS,
    ActionForm,
    Group,
    Mention,
    Node,
    Pair,
    Surfaces,
    Text,
    is_framing_key,
    is_list,
    is_numbering,
    key_words,
    squeezed,
    with_negation,
    word_sets,
    words_of,
)
from eai.task import Vocabulary
from eai.text import has_words

LONGEST = 4_000
"""Maximum number of characters of a line in which subgoals are looked for."""
LONGEST_PREFIX = 400
"""Maximum number of characters of negations and quantifiers before a literal."""
MAX_DEPTH = 12
"""Maximum nesting of a value in which subgoals are looked for."""
_WORDS = word_sets("subgoals")
PLAN_KEYS = ("output", "subgoals", "subgoal_plan", "plan", "steps")
"""Keys of the list that is meant, the surest first."""
_ASKED = frozenset({"necessity_to_use_action", "actions_to_include"})
"""Keys beside the list that the published prompts ask for."""
_ASIDE = EXPLAINING | _WORDS["aside"]
_HEADS = _WORDS["heads"]
_TERMS = _WORDS["terms"]
_DENYING = _WORDS["denying"]
_HOLDING = _WORDS["holding"]
_PLURALS = _WORDS["plurals"]
_RATING = _WORDS["rating"]
_BAD = _WORDS["bad"]
_TRUTH = ("true", "yes", "1")
_FALSEHOOD = ("false", "no", "0")
_JOINING = {"and": "and", "all_of": "and", "all": "and", "or": "or", "any_of": "or", "any": "or"}
_LISTS = HEADINGS | frozenset(PLAN_KEYS)

_WORDY = "and|or|not|then|iff|implies|xor|next|until|release|since|always|eventually|globally"
_QUANTIFIER = (
    r"(?:forall|exists|forn|forpairs|fornpairs|exactly|at[ -]?least|at[ -]?most|[\u2200\u2203])"
)
_KEYWORDS = rf"(?:{_WORDY}|{_QUANTIFIER})(?![\w.-])"
_ATOM = re.compile(
    rf"(?<![\w.])(?!{_KEYWORDS})([^\W\d][\w-]*(?:\.[\w-]+)*)[ \t]*\(([^()\n;]*)\)", re.IGNORECASE
)
_LABELLED_NOT = re.compile(r"^(\W*not):[ \t](?=[\w(])", re.IGNORECASE)
"""A negation before a literal: ``not: on(lamp.3)``."""
_GLUE = re.compile(
    rf"""(?:
        [\s()*`"'_\u00ab\u00bb\u201c\u201d]                    # brackets, and marks around them
      | \b(?:{_WORDY})(?![\w.-])                               # connectives and operators in words
      | \b(?-i:[XFGURWMYOHZ]+)\b
      | &&? | \|\|? | /\\ | \\/ | [!~^\u00ac\u2227\u2228]      # connectives in signs
      | <?-{{1,2}}>|<?=>|[\u2190-\u21ff\u27f0-\u27ff]          # arrows
      | [,;]
      | {_QUANTIFIER}\b[^()\n]{{0,200}}?[.:,]\s*(?=\(|not\b|!|\w+\()
      | {_QUANTIFIER}\([^()\n]{{0,200}}?,\s*(?=\w+\(|not\b)
    )*""",
    re.VERBOSE | re.IGNORECASE,
)
_CONNECTS = re.compile(r"[^\s()*`\"'_\u00ab\u00bb\u201c\u201d]")
"""A word in the glue between items, so that it is more than brackets and marks."""
_PREFIX = re.compile(
    rf"(?:(?:\b(?:not|next|always|eventually|globally)(?![\w.-])|\b(?-i:[XFG]+)(?=\s)|[!~\u00ac(]"
    rf"|{_QUANTIFIER}\b[^()\n]{{0,200}}?[.:,]\s*(?=\()|{_QUANTIFIER}\([^()\n]{{0,200}}?,\s*)[\s`\"'*_]*)+$",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[`*\"\u00ab\u00bb\u201c\u201d]|(?<!\w)['_]+|['_]+(?!\w)")
_SEQUENCE = re.compile(r"\s*(?:-{1,2}>|=>|[\u2192\u21d2\u27f6\u27f9]|;)\s*")
_SEQUENCE_OR_COMMA = re.compile(rf"{_SEQUENCE.pattern}|\s*,\s*")
_QUOTED_COMMA = re.compile(r"[\"'`]\s*,\s*[\"'`]")
_COMMA = re.compile(r"\s*,\s*(?:and\b)?\s*")
_CLOSING_BRACKET = re.compile(r"[\s`*\"']*\)")
_REMARK = re.compile(r"(\)[ \t,;]*)\(([^()\n]*)\)")
"""A remark in brackets behind a literal."""
_MEMBER = re.compile(r"\s*[,;][^,;()\n]*[,;]\s*")
"""Words between two literals that stand there as a member of their list."""
_DENIED = re.compile(r"(?:\bdo(?:es)?|\bmust|\bshould|\bdid|\bcan)\s+$", re.IGNORECASE)
_FOREIGN_AND = re.compile(
    r"(?<=\))\s*(?:\b(?:und|et|y|e|och|en)\b|\u0438|\u548c|\u4e14|\u5e76\u4e14|\u304b\u3064)\s*(?=\w+\s*\()"
)
"""The word for "and" in other languages, between two literals."""
_ID = re.compile(r"\d")
_GOING_ON = frozenset({"then", "next", "after", "afterwards", "finally", "lastly"})
"""Words between two literals of which the second is to hold later."""
_STEPPING = _WORDS["stepping"]
"""Words that may stand before a subgoal, or between two of them, and say nothing of their own."""
_WORDS_OF_LITERAL = frozenset({"not", "literal", "args", "is"})
"""Words before a predicate that belong to its literal: ``literal: on, args: cup.2``."""
_AGENT = re.compile(r"(?:character|agent|robot)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,30}")
_WITH_SUBJECT = re.compile(
    r"(?<![\w.(,])([^\W\d][\w.\-]{0,60})\s(?:is\s)?([^\W\d]\w{0,40})\(([^()\n]{1,200})\)"
)
"""An object before a predicate with brackets: ``cup.2 is on(shelf.4)``."""
_NUMBER = re.compile(
    r"(?<![\w.])#?\(?([0-9]{1,4})(?:\.([0-9]{1,3})(?=[\s.)]))?(?![\w%])"
    r"|[^\W\d_]+[ _#-]{0,2}([0-9]{1,4})\b"
)
_LISTED = re.compile(
    r"""[\s>|]*(?:
        [-*+\u2022\u2013\u25aa\u2610-\u2612]                # a bullet or a box
      | \(?\[?[0-9]{1,4}[.):\],]                            # 1. (1) [1] 1,
      | \(?(?:[a-z]|[ivx]{1,4})[.)](?=\s)                  # a) iv.
      | \[[ xX]\]
      | \W*[^\W\d_]+[ _\#-]{0,2}[0-9]{1,4}\W*[.:)=]        # Subgoal 1:
    )""",
    re.VERBOSE,
)


@dataclass(slots=True)
class Item:
    """One subgoal.

    Args:
        text: The formula, in the notation of :mod:`eai.logic`.
        at: Offset of its first character.
        number: The number before it.
        is_whole: Whether the line or string holds nothing else.
        is_known: Whether it has a name of the task, or no names are known.
        is_formula: Whether it is one; else it stands where a subgoal is expected and is none.
    """

    text: str
    at: int
    number: int | None = None
    is_whole: bool = True
    is_known: bool = True
    is_formula: bool = True


@dataclass(slots=True)
class Listed:
    """Subgoals of a value under one key; a value with several lists has several.

    Args:
        key: The keys that frame them.
        items: The subgoals, in order.
        at: Offset of the list.
        left_out: Keys whose values were not read.
        beside: What looks like subgoals and stands beside the list.
        is_cut: Whether the answer ends inside it.
        is_list: Whether they stand in a list or under numbers, so that each is a whole subgoal.
    """

    key: str = ""
    items: list[Item] = field(default_factory=list)
    at: int = 0
    left_out: list[str] = field(default_factory=list)
    beside: list[Text] = field(default_factory=list)
    is_cut: bool = field(kw_only=True)
    is_list: bool = False


_ListsOfPair = tuple[Pair, list[Listed]]
"""A pair of an object, and the lists of subgoals in its value."""

_PHASES = frozenset(["phases", "stages", "parts", "segments", "sections", "milestones"])
"""Keys over lists of subgoals that follow each other."""


def _one_after_the_other(lists: list[Listed]) -> list[Listed]:
    """Return the lists of the phases of a plan as a single one."""
    if len(lists) < 2:
        return lists
    # Without this each phase would be another answer, and the last one the chosen one.
    joined_list = Listed("", [], lists[0].at, is_cut=lists[-1].is_cut, is_list=True)
    for listed in lists:
        joined_list.items += listed.items
        joined_list.left_out += listed.left_out
        joined_list.beside += listed.beside
    return [joined_list]


_CONTINUES = re.compile(r"(?:and|or|then)\b", re.IGNORECASE)


def _join_continuations(items: Sequence[Item]) -> list[Item]:
    """Return the items of a list; one that begins with a connective is joined to the one before.

    ``["on(lamp.3)", "and clean(cup.2)"]`` is one subgoal.
    """
    joined_items: list[Item] = []
    for item in items:
        if joined_items and item.number is None and _CONTINUES.match(item.text):
            joined_items[-1].text = f"{joined_items[-1].text} {item.text}"
        else:
            joined_items.append(item)
    return joined_items


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of a task, by their letters and digits and as they are spelled.

    Args:
        vocabulary: Where they come from.
        surfaces: The names by their letters and digits.
        spelled: The names of actions and predicates as they are looked up.
        objects: The names of objects in small letters.
    """

    vocabulary: Vocabulary | None
    surfaces: Surfaces
    spelled: frozenset[str]
    objects: frozenset[str]


_KEPT: dict[int, _Names] = {}
"""Names by the identity of the vocabulary, which is kept with them so that it stays the same."""
_MAX_KEPT = 256


def _names_of(vocabulary: Vocabulary | None) -> _Names:
    """Return the names of a vocabulary, prepared for looking up what an answer writes.

    Preparing them costs more than reading a short answer, and all answers to a task share one
    vocabulary, so the names of the last ``_MAX_KEPT`` vocabularies are cached.
    """
    cached_names = _KEPT.get(id(vocabulary))
    if cached_names is not None:
        return cached_names
    arities: dict[str, int] = {}
    objects: list[str] = []
    if vocabulary is not None:
        arities = {**vocabulary.actions, **vocabulary.predicates}
        objects = [*sorted(vocabulary.objects), *vocabulary.classes]
    surfaces = Surfaces(
        ((name, ActionForm(name, count)) for name, count in arities.items()),
        ((name, name) for name in objects),
    )
    if len(_KEPT) >= _MAX_KEPT:
        # To empty the whole cache is cheap and rare; to drop the oldest entry would need an order.
        _KEPT.clear()
    spelled_names = frozenset(map(_spelled, arities))
    lowercase_objects = frozenset(name.lower() for name in objects)
    _KEPT[id(vocabulary)] = _Names(vocabulary, surfaces, spelled_names, lowercase_objects)
    return _KEPT[id(vocabulary)]


@dataclass(frozen=True, slots=True)
class _LiteralInWords:
    """A literal whose names stand one after the other: ``ON lamp.3``, "cup.2 is on shelf.4".

    Args:
        predicate: The name of its predicate.
        terms: The names of its objects.
        subject: The object, or the agent, that stands before the predicate.
        number_of_names: Number of names that belong to it.
    """

    predicate: Mention
    terms: Sequence[Mention]
    subject: Sequence[Mention]
    number_of_names: int

    def words_before(self, text: str, start: int) -> list[str]:
        """Return the words of a text from an offset to the predicate, without names."""
        words: list[str] = []
        for subject in self.subject:
            words += _plain_words(text[start : subject.start])
            start = subject.end
        return words + _plain_words(text[start : self.predicate.start])


def _is_glued(text: str, start: int, end: int) -> bool:
    """Return whether nothing but brackets and connectives stands between two offsets.

    In a row of a table ``|`` is no connective, since it parts cells.
    """
    glue = _GLUE.match(text, start)
    if glue is None or glue.end() < end:
        return False
    is_row = text.lstrip().startswith("|")
    return not is_row or "|" not in text[start:end]


def _start_of_run(text: str, earliest: int, first_literal: int) -> int:
    """Return where a run of literals begins, with the negations and brackets before it.

    Args:
        text: The text.
        earliest: The offset after the run before.
        first_literal: The offset of the first literal of the run.
    """
    earliest = max(earliest, first_literal - LONGEST_PREFIX)
    prefix_match = _PREFIX.search(text, earliest, first_literal)
    start = first_literal if prefix_match is None else prefix_match.start()
    if text[start] == "(" and text[start - 1 : start].isalnum():
        # The bracket of a call around it: "goal(on(cup.2))".
        prefix = text[start:first_literal]
        start += len(prefix) - len(prefix.lstrip("(\"'` "))
    return start


def _lead_to_literal(words: Sequence[str]) -> bool:
    """Return whether words may stand before a literal and say nothing of their own.

    "After" tells an order that is not that of the words, so that it may not stand there.
    """
    return _STEPPING.issuperset(set(words) - _WORDS_OF_LITERAL) and words[-1:] != ["after"]


def _terms_of_predicate(
    subject: Sequence[Mention], following: Sequence[Mention], arity: int
) -> Sequence[Mention]:
    """Return the names that are the objects of a predicate.

    These are the subject and as many following names as the arity allows. An agent is no object of
    a predicate with one object: "the robot wipes table.1".

    Args:
        subject: The name before the predicate; empty if there is none.
        following: The names behind the predicate.
        arity: The number of objects that the predicate has.
    """
    has_one_object = arity == 1 and following and not following[0].is_action
    if subject and has_one_object and _AGENT.match(subject[0].name):
        return following[:1]
    return [*subject, *following[: max(arity - len(subject), 0)]]


def _is_statement(text: str, subject: Mention, predicate: Mention) -> bool:
    """Return whether a subject and a predicate behind it are a whole statement.

    "Lamp.3 is on" and "lamp.3 ON" are statements; "the lamp.3 on" may go on.
    """
    is_in_capitals = text[predicate.start : predicate.end].isupper()
    return is_in_capitals or bool(_plain_words(text[subject.end : predicate.start]))


class SubgoalGrammar:
    """Reads subgoals of one task.

    In its methods ``at`` is the offset of a text in the answer, ``depth`` the number of values that
    are around a value, and ``splits`` says whether arrows separate subgoals.

    Args:
        vocabulary: The names of the task; None if any name may be that of a predicate.
        nested: Reads the lists of subgoals of a text in a string.
    """

    def __init__(self, vocabulary: Vocabulary | None, nested: Callable[[Text], list[Item]]) -> None:
        self.is_free = vocabulary is None
        self.nested = nested
        names = _names_of(vocabulary)
        self.surfaces = names.surfaces
        self._spelled = names.spelled
        self._objects = names.objects

    # -------------------------------------------------------------- texts

    def read_line(self, text: str, offset: int, *, splits: bool = True) -> list[Item]:
        """Return the subgoals in a line of text, in order.

        ``1. not on(lamp.3) -> clean(cup.2)`` holds the subgoals ``not on(lamp.3)`` and
        ``clean(cup.2)``. Words around them are talk, and a line that only talks about its literals
        has no subgoal.

        Args:
            text: The line.
            offset: Its offset in the answer.
            splits: Whether arrows and semicolons separate subgoals; else arrows are implications.
        """
        if len(text) > LONGEST:
            return []
        text = self._with_plain_literals(text)
        runs = list(self.literal_runs(text))
        if not runs:
            return self._in_words(text, offset)
        items, end_of_items = self._items_of_runs(text, runs, offset, splits=splits)
        first_start, _ = runs[0]
        text_before = text[:first_start]
        words_before = _plain_words(text_before)
        if self._is_talk(text, text_before, end_of_items):
            return []
        if words_before[-1:] == ["if"] and _LISTED.match(text):
            return [Item(text.strip(), offset, is_known=False)]  # a condition is no subgoal
        is_whole = not words_before and not _without_marks(text[end_of_items:])
        for item in items:
            item.is_whole = is_whole
        written_number = _NUMBER.search(text_before)
        # "1. on(cup.2) -> clean(cup.2)" numbers the line, not one of its two subgoals.
        if written_number and len(items) == 1:
            items[0].number = _written_number(written_number)
        return items

    def _with_plain_literals(self, text: str) -> str:
        """Return a line with its literals in the notation of formulas.

        ``cup.2 is on(shelf.4) und clean(cup.2)`` becomes ``on(cup.2,shelf.4)   &  clean(cup.2)``.
        The length stays the same, so offsets in the line stay those in the answer.
        """
        text = _FOREIGN_AND.sub(lambda match: "&".center(len(match[0])), text)
        text = _LABELLED_NOT.sub(r"\1  ", self._without_remarks(with_negation(text)))
        if self.is_free:
            return text
        return _WITH_SUBJECT.sub(self._with_subject, text)

    def begins_with_literal(self, text: str) -> bool:
        """Return whether a literal stands first in a line."""
        first_run = next(self.literal_runs(text), None)
        return first_run is not None and not has_words(text[: first_run[0]])

    @staticmethod
    def _is_talk(text: str, text_before: str, end_of_items: int) -> bool:
        """Return whether a line only talks about its literals: ``We must not on(cup.2) yet``.

        Args:
            text: The line.
            text_before: The part of the line before its first literal.
            end_of_items: The offset at which its last literal ends.
        """
        lead_words = _plain_words(text_before)
        if not _EXPLAINS.isdisjoint(lead_words) or _DENIED.search(text_before):
            return True
        if _LISTED.match(text):
            return False  # an item of a list may be surrounded by words
        # "Goal: on(cup.2)"; with more words before the colon it is a sentence.
        is_label = text_before.rstrip(" *_`\"'([{<").endswith((":", "=")) and len(lead_words) < 5
        if not is_label and not _STEPPING.issuperset(lead_words):
            return True
        # "on(cup.2) is needed" is talk, but "on(cup.2), as it is needed" has a remark at its end.
        has_words_after = _without_marks(text[end_of_items:])[:1].isalpha()
        return has_words_after and text[end_of_items : end_of_items + 1] not in ".,;:("

    def _items_of_runs(
        self, text: str, runs: Sequence[tuple[int, int]], offset: int, *, splits: bool
    ) -> tuple[list[Item], int]:
        """Return the subgoals of the runs of literals in a line, and where the last one ends.

        Runs belong together if only connectives stand between them. Other words may stand between
        two commas, as a member of the same list: in ``on(cup.2), be happy, clean(cup.2)`` the words
        ``be happy`` become an item that is no formula, so that the reader can report them.

        Args:
            text: The line.
            runs: Start and end of each run of literals.
            offset: The offset of the line in the answer.
            splits: Whether arrows and semicolons separate subgoals.
        """
        items: list[Item] = []
        end_of_items = 0
        for start, end in runs:
            text_between = text[end_of_items:start]
            if items and not self._only_connects(text_between):
                if _MEMBER.fullmatch(text_between) is None:
                    # The rest of the line is talk.
                    break
                if _EXPLAINS.isdisjoint(_plain_words(text_between)):
                    member = text_between.strip(" ,;")
                    member_offset = offset + end_of_items + text_between.find(member)
                    items.append(Item(member, member_offset, is_known=False, is_formula=False))
            items += self._split_run(text, start, end, offset, splits=splits)
            end_of_items = end
        return items, end_of_items

    def _without_remarks(self, text: str) -> str:
        """Blank out remarks in brackets after literals.

        ``on(cup.2) (done)`` becomes ``on(cup.2)`` and blanks: the length stays, and with it all
        offsets. Brackets that mention a name of the task are no remark but a part of the formula.
        """
        if self.is_free:
            return text

        def blank(match: re.Match[str]) -> str:
            has_word = any(map(str.isalpha, match[2]))
            if not has_word or self.surfaces.find_mentions(match[2]):
                return match[0]
            return match[1] + " " * (len(match[0]) - len(match[1]))

        return _REMARK.sub(blank, text)

    def literal_runs(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield start and end of the runs of literals in a text.

        Between the literals of a run stand only brackets and connectives: ``not (on(cup.2) and
        clean(cup.2))`` is one run, with the negation before it.
        """
        run_start = run_end = -1  # of the current run; -1 if there is none
        for atom in _ATOM.finditer(text):
            is_literal = self._may_be_literal(atom)
            is_glued = run_end >= 0 and _is_glued(text, run_end, atom.start())
            # Something that follows a connective was meant as a literal, so the run goes on and the
            # parser reports it.
            if is_glued and (is_literal or _CONNECTS.search(text[run_end : atom.start()])):
                run_end = atom.end()
                continue
            if not is_literal:
                continue
            if run_end >= 0:
                yield self._balanced(text, run_start, run_end)
            run_start = _start_of_run(text, max(run_end, 0), atom.start())
            run_end = atom.end()
        if run_end >= 0:
            yield self._balanced(text, run_start, run_end)

    def _may_be_literal(self, atom: re.Match[str]) -> bool:
        """Return whether a name with something in brackets is a literal, not a remark or code.

        ``on(cup.2)`` is a literal. ``above(cup.2)`` has an unknown predicate but an object of the
        task, so it counts as a literal and is reported. ``print("cup")`` and ``cup (white)`` are no
        literals.
        """
        terms = [term.strip() for term in atom[2].split(",")]
        if self.surfaces.find_action(atom[1]) is not None:
            return True
        if any(quote in atom[2] for quote in "\"'=[{") or not all(terms):
            return False
        if self.is_free:
            return True
        return any(_ID.search(term) or squeezed(term) in self.surfaces.objects for term in terms)

    @staticmethod
    def _balanced(text: str, start: int, end: int) -> tuple[int, int]:
        """Return a span of a text, extended or shortened so that its brackets are balanced.

        For the literals of ``(not (on(cup.2)))`` the span is extended to the last bracket, and for
        ``(on(cup.2)`` without a closing bracket it begins behind the first.
        """
        unclosed = text.count("(", start, end) - text.count(")", start, end)
        while unclosed < 0 and start > 0 and text[start - 1] in "( \t":
            start -= 1
            if text[start] == "(":
                unclosed += 1
        while unclosed > 0 and (match := _CLOSING_BRACKET.match(text, end)):
            end = match.end()
            unclosed -= 1
        while unclosed > 0 and text[start] == "(":
            start += 1
            unclosed -= 1
        return start, end

    @staticmethod
    def _only_connects(between: str) -> bool:
        """Return whether words between two subgoals of a line only connect them: ``and then``."""
        return _STEPPING.issuperset(_plain_words(between))

    def _split_run(
        self, text: str, start: int, end: int, offset: int, *, splits: bool
    ) -> list[Item]:
        """Return the subgoals of a run of literals, split at arrows and semicolons."""
        separator = _SEQUENCE
        # "Subgoals: on(cup.2), clean(cup.2)" lists two; elsewhere a comma is an "and".
        is_label = text[:start].rstrip(" *_`\"'([{<").endswith(":")
        if _QUOTED_COMMA.search(text, start, end) or (is_label and not _LISTED.match(text)):
            separator = _SEQUENCE_OR_COMMA
        spans = _pieces_between(text[start:end], separator) if splits else [(0, end - start)]
        items: list[Item] = []
        for piece_start, piece_end in spans:
            written = text[start + piece_start : start + piece_end]
            if has_words(written):
                items.append(self.normalized_item(written, offset + start + piece_start))
        return items

    def normalized_item(self, written: str, offset: int) -> Item:
        """Return one subgoal, written in the notation of formulas and with the names of the task.

        ``**on(cup 2)**, clean(cup_2)`` becomes ``on(cup.2) and clean(cup.2)``.
        """
        text = written
        if _MARKS.search(text) and '("' not in text.replace(" ", ""):
            text = _MARKS.sub("", text)
        # Commas outside of brackets join conditions of the same subgoal.
        spans = _pieces_between(text, _COMMA)
        if len(spans) > 1:
            pieces = [text[start:end].strip() for start, end in spans]
            text = " and ".join(filter(None, pieces))
        # "and then" says an order, as "then" alone does.
        text = re.sub(r"\band\s+then\b", "then", text)
        has_known_name = True
        if not self.is_free:
            names = [atom[1] for atom in _ATOM.finditer(text)]
            has_known_name = any(map(self.is_name, names))
            text = _ATOM.sub(self._respell, text)
        start = offset + len(written) - len(written.lstrip())
        return Item(text.strip().strip(" \t,;"), start, is_known=has_known_name)

    def _respell(self, atom: re.Match[str]) -> str:
        """Return a literal with its names as the task spells them; as it is if they are so.

        ``On(cup 2)`` becomes ``On(cup.2)``: letter case is left for the parser.
        """
        form = self.surfaces.find_action(atom[1])
        is_spelled = form is None or _spelled(atom[1]) in self._spelled
        name = atom[1] if form is None or is_spelled else form.name
        written_terms = [term.strip() for term in atom[2].split(",")]
        terms = [self._object_name(term.strip("\"'<>")) for term in written_terms]
        if name == atom[1] and terms == written_terms:
            return atom[0]  # blanks included
        return _literal(name, terms)

    def _object_name(self, written: str) -> str:
        """Return the name of an object as the task spells it; an unknown one as it is."""
        # Where the task has underscores, dots are looked up as they are; not the other way round.
        if not self._objects.isdisjoint((written.lower(), _spelled(written))):
            return written
        return self.surfaces.objects.get(squeezed(written), written)

    def _in_words(self, text: str, offset: int) -> list[Item]:
        """Return the subgoal in a text that names predicates and objects one after the other.

        ``ON lamp.3`` is read as ``on(lamp.3)``; "Reason: on lamp.3" explains and is not read.
        """
        literal = self.literal_in_words(text)
        if literal is None:
            return []
        label, colon, _ = text.partition(":")
        if colon and not _EXPLAINS.isdisjoint(words_of(label)):
            return []  # "Reason: the lamp on"
        start = offset + len(text) - len(text.lstrip())
        return [Item(literal, start, self.number(text), is_whole=False)]

    def literal_in_words(self, text: str) -> str | None:
        """Return the literals that a text names in words, joined by ``and`` or ``then``.

        ``ON lamp.3 and then CLEAN cup.2`` is ``ON(lamp.3) then CLEAN(cup.2)``.

        Returns:
            The formula; None if the text has other words than those of literals.
        """
        if self.is_free or len(text) > LONGEST:
            return None
        mentions = self.surfaces.find_mentions(text)
        # "The robot wipes table.1": verbs get their base form, which the task may have as a name.
        if not any(mention.is_action for mention in mentions):
            text = _WORD.sub(self._base_form, text)
            mentions = self.surfaces.find_mentions(text)
        formula_parts: list[str] = []
        position = 0
        end_of_last = 0
        while position < len(mentions):
            literal = self._literal_among(mentions, position, text)
            if literal is None:
                return None
            words_before = literal.words_before(text, end_of_last)
            if not _lead_to_literal(words_before):
                return None
            if formula_parts:
                formula_parts.append("and" if _GOING_ON.isdisjoint(words_before) else "then")
            names = [term.name for term in literal.terms]
            is_denied = "not" in words_before
            formula_parts.append(_literal(literal.predicate.name, names, is_denied=is_denied))
            position += literal.number_of_names
            end_of_last = mentions[position - 1].end
        return " ".join(formula_parts) or None

    def _literal_among(
        self, mentions: Sequence[Mention], position: int, text: str
    ) -> _LiteralInWords | None:
        """Return the literal that begins with the name at a position; None if there is none.

        An object may stand before its predicate, "cup.2 is on shelf.4", and so may the agent: "the
        robot wipes table.1".

        Args:
            mentions: The names in the text, in order.
            position: The index of the first name to look at.
            text: The text.
        """
        subject: list[Mention] = []
        if not mentions[position].is_action:
            subject = [mentions[position]]
            position += 1
        if position >= len(mentions):
            return None
        predicate, *following = mentions[position:]
        form = self.surfaces.find_action(text[predicate.start : predicate.end])
        if form is None or not predicate.is_action:
            return None
        arity = form.max_objects
        # "Lamp.3 is on" is a literal, but "the lamp.3 on" may continue.
        is_subject_alone = subject and arity == 1 and not following
        if is_subject_alone and not _is_statement(text, subject[0], predicate):
            return None
        terms = _terms_of_predicate(subject, following, arity)
        if len(terms) != arity:
            return None
        # Only objects with an id count: "clean the cup" may be any sentence.
        for term in terms:
            if term.is_action or not _ID.search(text[term.start : term.end]):
                return None
        number_of_names = len({*subject, predicate, *terms})
        return _LiteralInWords(predicate, terms, subject, number_of_names)

    def _base_form(self, word: re.Match[str]) -> str:
        """Return the verb of which a word is a form, of the same length: ``push`` of "pushes"."""
        base = self.surfaces.sentences.bases.get(word[0].lower(), word[0])
        return base.ljust(len(word[0]))  # no form is shorter than its base

    def _with_subject(self, match: re.Match[str]) -> str:
        """Return the literal in which an object before the brackets is the first one.

        ``cup.2 is on(shelf.4)`` becomes ``on(cup.2,shelf.4)``. Other matches stay as written.

        Args:
            match: A match of ``_WITH_SUBJECT``: an object, a predicate, the text in its brackets.
        """
        subject, name, arguments = match.groups()
        form = self.surfaces.find_action(name)
        is_object = squeezed(subject) in self.surfaces.objects
        if form is None or not is_object or form.max_objects != arguments.count(",") + 2:
            return match[0]
        return f"{name}({subject},{arguments})".ljust(len(match[0]))

    def is_aside(self, text: str) -> bool:
        """Return whether a line is a short label such as ``Reason:`` with an explanation."""
        label, colon, explanation = text.partition(":")
        if not colon or not explanation.strip(" *_") or len(label) >= 40:
            return False
        return not _EXPLAINS.isdisjoint(words_of(label))

    @staticmethod
    def number(text: str) -> int | None:
        """Return the number with which a line begins."""
        match = _NUMBER.match(text.strip(" \t*-#"))
        return _written_number(match) if match else None

    def looks_listed(self, text: str) -> bool:
        """Whether a line is an item of a list, or names an object with its id."""
        if _STEPPING.issuperset(_plain_words(text)):
            return False  # a number, or the head of an item
        return _LISTED.match(text) is not None or re.search(r"\w[._]\d+\b", text) is not None

    def is_name(self, text: str) -> bool:
        """Whether a text is nothing but the name of a predicate or action."""
        return self.surfaces.find_action(text) is not None

    # -------------------------------------------------------------- values

    def values(self, group: Group, text: str) -> list[Listed]:
        """Return the lists of subgoals in a value."""
        self.text = text
        return self._lists_in(group, 0)

    def _lists_in(self, node: Node | None, depth: int) -> list[Listed]:
        """Return the lists of subgoals in any value.

        A text is a list of the subgoals in its lines, a call such as ``on(cup.2)`` a list of one;
        objects and lists are searched by methods of their own.
        """
        if node is None or depth > MAX_DEPTH:
            return []
        if isinstance(node, Text):
            # A string may hold a document or several lines; otherwise it is a single line.
            nested = self.nested(node) or self._items_of_lines(node)
            items = nested or self.read_line(node.value, node.at)
            if not items:
                return []
            return [Listed("", items, node.at, is_cut=node.cut, is_list=bool(nested))]
        if node.kind == "object" or (node.kind == "call" and self._as_literal(node) is None):
            return self._lists_of_object(node, depth)
        if node.kind == "call":
            item = self.normalized_item(self._source(node), node.at)
            return [Listed("", [item], node.at, is_cut=node.cut)]
        return self._lists_of_list(node, depth)

    def _items_of_lines(self, node: Text) -> list[Item]:
        """Return the subgoals of a string with one in each of its lines; else none."""
        lines = [line for line in node.value.split("\n") if line.strip()]
        items_of_lines = [self.read_line(line, node.at) for line in lines] if len(lines) > 1 else []
        return list(chain.from_iterable(items_of_lines)) if all(items_of_lines) else []

    def _lists_of_list(self, node: Group, depth: int) -> list[Listed]:
        """Return the subgoals of a list, or those of the lists in it if it has none of its own.

        A list is one of four things, and they are tried in this order: a literal in parts (``["on",
        "cup.2"]``), brackets around another list, a set, and a sequence of subgoals.
        """
        members = node.members
        literal = self._literal_of_list(members)
        if literal is not None:
            return [Listed("", [Item(literal, node.at)], node.at, is_cut=node.cut)]
        if len(members) == 1 and (is_list(members[0]) or _is_numbered_row(members[0])):
            inner_lists = self._lists_in(members[0], depth + 1)
            for listed in inner_lists:
                listed.is_cut = listed.is_cut or node.cut
            return inner_lists
        member_items = [
            self.read_member(member, depth + 1, is_alone=len(members) == 1) for member in members
        ]
        subgoals = [item for item in member_items if item is not None]
        is_set = self.text[node.at : node.at + 1] == "{"
        if is_set and subgoals and len(subgoals) == len(member_items):
            # {"on(lamp.3)", "clean(cup.2)"}: a set has no order, so that it is a conjunction.
            conjunction = _joined(subgoals, "and")
            return [Listed("", [Item(conjunction.text, node.at)], node.at, is_cut=node.cut)]
        if any(item.is_formula for item in subgoals):
            return [self._list_of_members(node, members, member_items)]
        lists: list[Listed] = []
        for member in members:
            lists += self._lists_in(member, depth + 1)
        return lists

    def _list_of_members(
        self, node: Group, members: Sequence[Node], member_items: Sequence[Item | None]
    ) -> Listed:
        """Return a list in which each member is a subgoal of its own.

        Args:
            node: The list.
            members: Its members.
            member_items: The subgoal of each member; None for a member without one.
        """
        # Continuations are joined before members get their numbers, so a numbered member is joined,
        # too.
        items = _join_continuations([item for item in member_items if item is not None])
        unread: list[Text] = []
        for item, member in zip(member_items, members, strict=True):
            if not isinstance(member, Group):
                continue
            if item is None:
                if next(self._literals_in(member), None) is not None:
                    unread.append(Text(self._source(member), member.at, member.end))
            elif member.kind == "object":
                item.number = _number_in(member)
        return Listed("", items, node.at, beside=unread, is_cut=node.cut, is_list=True)

    def read_member(self, node: Node, depth: int, *, is_alone: bool = False) -> Item | None:
        """Return a member of a list as one subgoal; None if it is no subgoal.

        Args:
            node: The member: a text, a literal as a call or in parts, or a conjunction as a list.
            depth: How many values are around it.
            is_alone: Whether it is the only member.
        """
        if depth > MAX_DEPTH:
            return None
        if isinstance(node, Text):
            return self._read_entry(node, is_alone=is_alone)
        if node.kind == "call":
            if self._as_literal(node) is not None:
                return self.normalized_item(self._source(node), node.at)
            return self._subgoal_of_object(node, depth)
        if node.kind == "object":
            return self._subgoal_of_object(node, depth)
        members = node.members
        if len(members) == 2 and _is_label(members[0]):
            # ("subgoal_1", "on(lamp)") is the subgoal "on(lamp)".
            return self.read_member(members[1], depth + 1, is_alone=True)
        literal = self._literal_of_list(members)
        if literal is not None:
            return Item(literal, node.at)
        return self._joined_members(node, "and", depth)

    def _joined_members(self, node: Group, connective: str, depth: int) -> Item | None:
        """Join the members of a list to one subgoal.

        All members are read, even after one without a subgoal, because strings that were read count
        against a limit.

        Returns:
            The subgoal; None if the list is empty or a member is no subgoal.
        """
        member_items = [self.read_member(member, depth + 1) for member in node.members]
        formulas = [item for item in member_items if item is not None and item.is_formula]
        if not formulas or len(formulas) < len(member_items):
            return None
        return _joined(formulas, connective)

    def _read_entry(self, node: Text, *, is_alone: bool) -> Item | None:
        """Return a string in a list as one subgoal.

        Each entry of a list is meant as a subgoal. So a string without a formula is kept as it is
        written and marked as no formula; without it the list would look complete.

        Args:
            node: The string.
            is_alone: Whether it is the only one in its list, so that arrows may separate subgoals
                in it.
        """
        value = node.value.strip()
        if not value or value[0] in "[{":
            return None
        if len(value) > LONGEST:
            return Item(value, node.at, is_formula="(" in value)
        value = self._without_remarks(with_negation(value)).strip()
        # Most strings are exactly one formula.
        runs = list(self.literal_runs(value))
        if len(runs) == 1:
            start, end = runs[0]
            if start == 0 and not value[end:].strip(" .,;"):
                return self.normalized_item(value.rstrip(" .,;"), node.at)
        if self.is_name(value):
            return Item(value, node.at)
        items = self.read_line(value, node.at, splits=is_alone)
        if items and all(_is_entry_of(item, value) for item in items):
            return _joined(items, "then")
        in_words = self.literal_in_words(value)
        if in_words is not None:
            return Item(in_words, node.at)
        is_formula = self.is_free and "(" in value
        return Item(value, node.at, is_known=False, is_formula=is_formula)

    def _subgoal_of_object(self, node: Group, depth: int) -> Item | None:
        """Return a JSON object as one subgoal; None if it is no subgoal.

        It is a literal in parts (``{"predicate": "on", "object": "cup.2"}``), or it has a subgoal
        under one of its keys (``{"step": 1, "subgoal": "on(cup.2)"}``).
        """
        literal = self._literal_in_object(node)
        if literal is not None:
            return Item(literal, node.at)
        subgoals = self._subgoals_by_key(node, depth)
        if not subgoals:
            return None
        # A key such as "goal" says which value is the subgoal; without such a key it is the first.
        _, chosen = subgoals[0]
        for key, subgoal in subgoals:
            if not _SUBGOAL_KEYS.isdisjoint(key_words(key)):
                chosen = subgoal
                break
        chosen.at = node.at
        return chosen

    def _subgoals_by_key(self, node: Group, depth: int) -> list[tuple[str, Item]]:
        """Return the keys of a JSON object that hold one subgoal each, with their subgoals.

        Nothing is returned if a key holds a list of subgoals, because the object is then not a
        single subgoal.
        """
        subgoals: list[tuple[str, Item]] = []
        for pair in node.pairs:
            key = pair.name
            # Most such keys describe the object, but "type" and "status" may hold a predicate.
            may_hold_subgoal = not _is_aside(key) or key in ("type", "status")
            if pair.value is None or not may_hold_subgoal:
                continue
            is_plural = key in _LISTS or not _PLURALS.isdisjoint(key_words(key))
            if is_plural and is_list(pair.value):
                return []
            subgoal = self._subgoal_under(key, pair.value, depth)
            if subgoal is None or not subgoal.is_formula:
                continue
            if key == "not":
                subgoal = Item(f"not ({subgoal.text})", node.at)
            subgoals.append((key, subgoal))
        return subgoals

    def _subgoal_under(self, key: str, value: Node, depth: int) -> Item | None:
        """Return the subgoal under a key of an object; None if there is none.

        A name alone is none (``{"type": "on"}``). Some keys join what stands in their list:
        ``{"any_of": ["on(lamp.3)", "on(cup.2)"]}``.
        """
        if isinstance(value, Text) and self.is_name(value.value):
            return None
        if key in _JOINING and isinstance(value, Group):
            return self._joined_members(value, _JOINING[key], depth)
        return self.read_member(value, depth + 1)

    def _literal_of_list(self, members: Sequence[Node]) -> str | None:
        """Return the literal of a list of a predicate and its objects; None if it is another list.

        ``["not", "on", "cup.2"]`` becomes ``not on(cup.2)``.
        """
        texts = [member.value.strip() for member in members if isinstance(member, Text)]
        if len(texts) < 2 or len(texts) < len(members):
            return None
        is_denied = texts[0].lower() == "not"
        if is_denied:
            del texts[0]
        if any("(" in text for text in texts):
            return None
        predicate, *terms = texts
        form = self.surfaces.find_action(predicate)
        if form is None:
            return None
        for term in terms:
            # Two names of predicates are two subgoals, not a literal.
            if self.is_name(term) and squeezed(term) not in self.surfaces.objects:
                return None
        return _literal(form.name, map(self._object_name, terms), is_denied=is_denied)

    def _literal_in_object(self, node: Group) -> str | None:
        """Return the literals of a JSON object that has predicates and objects under its keys.

        Its keys are roles (``{"predicate": "on", "args": ["cup.2"], "value": false}``) or the
        predicates themselves (``{"on": "cup.2", "clean": "cup.2"}``). None for other JSON objects.
        """
        literal_parts = _LiteralParts()
        for pair in node.pairs:
            if pair.value is not None:
                self._add_literal_part(literal_parts, pair, pair.value)
        if literal_parts.head is None:
            # Without a predicate under a role, the keys may be predicates themselves.
            if literal_parts.literals and not literal_parts.terms:
                return " and ".join(literal_parts.literals)
            return self._literal_of_values(node)
        if len(literal_parts.terms) != max(literal_parts.head.max_objects, 0):
            return self._literal_of_values(node)
        terms = map(self._object_name, literal_parts.terms)
        return _literal(literal_parts.head.name, terms, is_denied=literal_parts.is_denied)

    def _add_literal_part(self, parts: _LiteralParts, pair: Pair, value: Node) -> None:
        """Add the part of a literal that a key of a JSON object holds; other keys are ignored.

        A part is the predicate (``"predicate": "on"``), an object (``"args": ["cup.2"]``), the
        truth value (``"holds": false``), or a whole literal (``"on": "cup.2"``).

        Args:
            parts: The parts of the literal so far; changed here.
            pair: The key and its value.
            value: The value.
        """
        words_of_key = set(pair.words)
        texts = _texts_in(value)
        is_name_of_predicate = len(texts) == 1 and self.is_name(texts[0])
        if parts.head is None and words_of_key & _HEADS and is_name_of_predicate:
            parts.head = self.surfaces.find_action(texts[0])
            return
        if texts and words_of_key & _DENYING:
            parts.is_denied = texts[0].lower() in _TRUTH  # "negated": "true"
            return
        if texts and words_of_key & _HOLDING:
            parts.is_denied = texts[0].lower() in _FALSEHOOD  # "holds": "false"
            return
        # Any other key is a role of the objects under it, or a predicate itself.
        names: list[str] = []
        for text in filter(None, texts):
            names += [name.strip() for name in text.split(",")]
        are_objects = all(squeezed(name) in self.surfaces.objects for name in names)
        predicate = None
        if names and are_objects:
            predicate = self.surfaces.find_action(pair.key.value)
        if predicate is not None:
            parts.literals.append(_literal(predicate.name, map(self._object_name, names)))
        elif words_of_key & _TERMS or ("name" in words_of_key and are_objects):
            parts.terms += names

    def _literal_of_values(self, node: Group) -> str | None:
        """Return the literal of a JSON object with a predicate and all its objects as values.

        ``{"a": "on", "b": "cup.2", "c": "table.1"}`` becomes ``on(cup.2, table.1)``: the keys are
        ignored, as they may be wrong, and so are numbers. None if there are other values.
        """
        texts: list[str] = []
        for pair in node.pairs:
            if pair.value:
                texts += _texts_in(pair.value)
        objects: list[str] = []
        predicates: list[str] = []
        for text in texts:
            if not text or text.isdigit():
                continue
            if squeezed(text) in self.surfaces.objects:
                objects.append(text)
            else:
                predicates.append(text)
        if len(predicates) != 1 or not objects:
            return None
        form = self.surfaces.find_action(predicates[0])
        if form is None or len(objects) != form.max_objects:
            return None
        return _literal(form.name, map(self._object_name, objects))

    def _lists_of_object(self, node: Group, depth: int) -> list[Listed]:
        """Return the lists of subgoals in a JSON object.

        The first case that applies decides:

        1. ``{"valid": false, ...}`` is rejected by its author.
        2. ``{"output": [...]}`` has the key that the prompt asks for.
        3. ``{"subgoal_1": ..., "subgoal_2": ...}`` is a list under numbers.
        4. ``{"predicate": "on", "args": ["cup.2"]}`` is itself one subgoal.
        5. In any other object each key frames the lists under it.
        """
        pairs = node.pairs
        # All values are read first, because the cases depend on the subgoals under each key.
        lists_of_pairs = [(pair, self._lists_under(pair, depth)) for pair in pairs]
        pairs_with_subgoals: list[_ListsOfPair] = []
        for pair, lists in lists_of_pairs:
            if lists and not _is_aside(pair.key.value):
                pairs_with_subgoals.append((pair, lists))
        if any(map(_is_rated_bad, pairs)):
            return self._lists_framed_by_keys(node, pairs_with_subgoals, "rejected ")
        keys = [pair.key.value for pair, _ in pairs_with_subgoals]
        own_list = _own_pair(lists_of_pairs)
        if own_list is not None and not any(map(is_framing_key, keys)):
            return self._lists_of_own_key(node, own_list, pairs)
        if keys and all(is_numbering(_unnumbered(key)) for key in keys):
            return [self._list_of_numbered_keys(node, pairs, depth)]
        subgoal = None
        if not any(_is_listing(pair, lists) for pair, lists in pairs_with_subgoals):
            subgoal = self._subgoal_of_object(node, depth)
        if subgoal is None:
            return self._lists_framed_by_keys(node, pairs_with_subgoals, "")
        unrepeated = self._unrepeated_subgoals(subgoal, pairs_with_subgoals)
        return [Listed("", [subgoal], node.at, beside=unrepeated, is_cut=node.cut)]

    def _lists_under(self, pair: Pair, depth: int) -> list[Listed]:
        """Return the lists of subgoals under a key; phases of a plan are one list together."""
        lists = self._lists_in(pair.value, depth + 1)
        return _one_after_the_other(lists) if pair.name in _PHASES else lists

    @staticmethod
    def _unrepeated_subgoals(
        subgoal: Item, pairs_with_subgoals: Sequence[_ListsOfPair]
    ) -> list[Text]:
        """Return the subgoals under the keys of an object that its main subgoal does not contain.

        They are reported, so that no subgoal is lost if the object is read as a single one.

        Args:
            subgoal: The subgoal as which the object was read.
            pairs_with_subgoals: Its keys, with the lists of subgoals under each.
        """
        text_of_subgoal = squeezed(subgoal.text)
        unrepeated: list[Text] = []
        for _, lists in pairs_with_subgoals:
            for listed in lists:
                for item in listed.items:
                    if item.is_whole and squeezed(item.text) not in text_of_subgoal:
                        unrepeated.append(Text(item.text, item.at, item.at))
        return unrepeated

    @staticmethod
    def _lists_framed_by_keys(
        node: Group, pairs_with_subgoals: Sequence[_ListsOfPair], frame: str
    ) -> list[Listed]:
        """Return the lists under the keys of an object, each framed by its key.

        The frame later helps to choose between lists, ``{"draft": [...], "final": [...]}``.
        """
        lists: list[Listed] = []
        for pair, lists_of_pair in pairs_with_subgoals:
            for listed in lists_of_pair:
                listed.key = f"{frame}{pair.key.value} {listed.key}".strip()
                listed.is_cut = listed.is_cut or node.cut
                lists.append(listed)
        return lists

    def _lists_of_own_key(
        self, node: Group, own_pair: _ListsOfPair, pairs: Sequence[Pair]
    ) -> list[Listed]:
        """Return the lists under the key that the prompt asks for.

        Subgoals under other keys are noted in the last list, so that they can be reported.

        Args:
            node: The JSON object.
            own_pair: The key that the prompt asks for, with the lists under it.
            pairs: All keys of the object, with their values.
        """
        own_key_pair, lists = own_pair
        # An empty list is an answer as well: it has no subgoal.
        if not lists:
            lists = [Listed("", [], own_key_pair.key.at, is_cut=node.cut, is_list=True)]
        unread_pairs: list[Pair] = []
        for pair in pairs:
            if pair is not own_key_pair and pair.name not in _ASKED:
                unread_pairs.append(pair)
        for listed in lists:
            listed.key = f"{own_key_pair.key.value} {listed.key}".strip()
            listed.is_cut = listed.is_cut or node.cut
            listed.left_out += [pair.key.value for pair in unread_pairs]
        for pair in unread_pairs:
            lists[-1].beside += self._subgoals_in_unread(pair)
        return lists

    def _subgoals_in_unread(self, pair: Pair) -> list[Text]:
        """Return the texts that look like subgoals under a key that is not read."""
        key = pair.key.value
        if key.isupper() and isinstance(pair.value, Group):
            return [pair.key]  # "ONTOP": ["cup.2", "table.1"]
        if _is_aside(key) or not _STATING.isdisjoint(key_words(key)):
            return []
        return list(self._literals_in(pair.value))

    def _literals_in(self, node: Node | None) -> Iterator[Text]:
        """Yield the texts in a value that look like subgoals, and the calls that are literals."""
        if isinstance(node, Text):
            if any(item.is_whole for item in self.read_line(node.value, node.at)):
                yield node
        elif node is not None and self._as_literal(node) is not None:
            yield Text(self._source(node), node.at, node.end)
        elif node is not None:
            for value in node.values:
                yield from self._literals_in(value)

    def _list_of_numbered_keys(self, node: Group, pairs: Sequence[Pair], depth: int) -> Listed:
        """Return the subgoals under keys with numbers: ``{"subgoal_1": "on(cup.2)"}``.

        Keys without a number are skipped, and the order is that of the text. Each subgoal
        remembers its number, so that numbers that are missing can be noticed.
        """
        listed = Listed("", [], node.at, is_cut=node.cut, is_list=True)
        for pair in pairs:
            if pair.value is None or not is_numbering(_unnumbered(pair.key.value)):
                continue
            unit = self.read_member(pair.value, depth + 1)
            if unit is not None:
                unit.number = int(re.sub(r"\D", "", pair.key.value) or 0)
                listed.items.append(unit)
        return listed

    def _as_literal(self, node: Group) -> str | None:
        """Return the source of a call that is a literal, ``on(cup.2)``; None if it is another call.

        Calls with keywords or with calls inside are code: ``goal(on(cup.2))``, ``act(name="on")``.
        """
        if node.kind != "call" or node.name is None:
            return None
        for item in node.items:
            if isinstance(item, Pair) or (isinstance(item, Text) and "(" in item.value):
                return None
        if self.is_free or self.is_name(node.name.value) or _ATOM.fullmatch(self._source(node)):
            return self._source(node)
        return None

    def _source(self, node: Group) -> str:
        """Return a value as the answer writes it."""
        return self.text[node.at : node.end]


_EXPLAINS = EXPLAINING | _WORDS["explaining"]
_STATING = _WORDS["stating"]
_SUBGOAL_KEYS = frozenset({"subgoal", "goal", "formula", "condition"})
"""Words of the keys under which an object has its subgoal."""


@dataclass(slots=True)
class _LiteralParts:
    """The parts of a literal that the keys of an object name.

    Args:
        head: The predicate under a key such as ``predicate``; None if there is none.
        terms: The objects under keys such as ``args``.
        literals: The literals of keys that are predicates themselves.
        is_denied: Whether a key says that the literal is false.
    """

    head: ActionForm | None = None
    terms: list[str] = field(default_factory=list)
    literals: list[str] = field(default_factory=list)
    is_denied: bool = False


def _is_listing(pair: Pair, lists: Sequence[Listed]) -> bool:
    """Return whether a list of whole subgoals stands under a key, and not one of alternatives."""
    if _JOINING.get(pair.name) == "or" or not lists[0].is_list:
        return False
    has_lines = isinstance(pair.value, Text) and "\n" in pair.value.value.strip()
    return is_list(pair.value) or has_lines


def _own_pair(lists_of_pairs: Iterable[_ListsOfPair]) -> _ListsOfPair | None:
    """Return the pair of the list that is meant: the first of ``PLAN_KEYS`` that is there.

    None if the surest key that is there holds no list or object. Of a key that is written twice
    the last pair counts, as in JSON.
    """
    by_key = {pair.name: (pair, lists) for pair, lists in lists_of_pairs}
    for key in PLAN_KEYS:
        if key in by_key:
            return by_key[key] if isinstance(by_key[key][0].value, Group) else None
    return None


def _is_entry_of(item: Item, line: str) -> bool:
    """Return whether a subgoal in a string of a list is what the string stands for."""
    if not item.is_formula:
        return False
    if item.is_whole or item.number is not None or item.text in line:
        return True
    return _LISTED.match(line) is not None


def _is_rated_bad(pair: Pair) -> bool:
    """Whether a pair such as ``"valid": false`` says that the object around it is not meant."""
    value = pair.value
    if not isinstance(value, Text) or _RATING.isdisjoint(pair.words):
        return False
    return value.value.strip().lower() in _BAD


def _texts_in(node: Node) -> list[str]:
    """Return a text, or the texts of a list."""
    if isinstance(node, Text):
        return [node.value.strip()]
    texts: list[str] = []
    for item in node.items:
        if isinstance(item, Text):
            texts.append(item.value.strip())
        elif isinstance(item, Pair) and isinstance(item.value, Text):
            value = item.value.value.strip()
            # {"lamp": 3} is the object lamp.3; under other keys stands the object itself.
            texts.append(f"{item.key.value}.{value}" if value.isdigit() else value)
    return texts


def _literal(name: str, terms: Iterable[str], *, is_denied: bool = False) -> str:
    """Return a literal as a formula writes it: ``not on(cup.2)``."""
    literal = f"{name}({', '.join(terms)})"
    return f"not {literal}" if is_denied else literal


def _spelled(name: str) -> str:
    """Return a name in small letters with underscores, as it is looked up."""
    return name.strip().replace(".", "_").lower()


def _written_number(match: re.Match[str]) -> int:
    """Return the number before a subgoal; those of a section follow each other: 2.1, 2.2."""
    if match[2]:
        return 1_000 * int(match[1]) + int(match[2])
    return int(match[1] or match[3])


def _without_marks(text: str) -> str:
    """Return the text around a literal without brackets, quotes and punctuation at its ends."""
    return text.strip(" \t.,;:!)]}`*\"'|_\u00bb\u201d\\")


def _plain_words(text: str) -> list[str]:
    """Return the words of a text without numbers."""
    return re.findall(r"[^\W\d_]+", text.lower())


def _is_aside(key: str) -> bool:
    """Return whether the value under a key explains or describes, and is no subgoal."""
    return not _ASIDE.isdisjoint(key_words(key))


def _is_numbered_row(node: Node) -> bool:
    """Whether a value is an object with several subgoals by number, as the row of a table."""
    pairs = node.pairs if isinstance(node, Group) and node.kind == "object" else []
    return len(pairs) > 1 and all(is_numbering(_unnumbered(pair.key.value)) for pair in pairs)


def _unnumbered(key: str) -> str:
    """Return a key with the words for subgoals taken for ``step``."""
    return re.sub(
        r"(?i)^(?:sub[ _-]?goals?|goal|state|stage|milestone|s|g)(?=[ _-]?#?\d)",
        "step",
        key.strip(),
    )


def _is_label(node: Node) -> bool:
    """Whether a value only numbers what stands beside it."""
    return isinstance(node, Text) and is_numbering(_unnumbered(node.value))


_NUMBER_WORDS = frozenset({"step", "number", "index", "order", "id", "no"})
"""Words of the keys under which an object has its number."""
_NUMBER_KEYS = ("#", "subgoal", "nr")
_MAX_DIGITS = 6


def _number_in(node: Group) -> int | None:
    """Return the number of an object that is one subgoal: ``{"step": "2", "goal": ...}``."""
    for pair in node.pairs:
        if not isinstance(pair.value, Text) or not pair.value.value.isdigit():
            continue
        has_number_word = not _NUMBER_WORDS.isdisjoint(pair.words)
        if has_number_word or pair.name in _NUMBER_KEYS:
            return int(pair.value.value[:_MAX_DIGITS])
    return None


_NEEDS_BRACKETS = re.compile(r"\b(?:or|then|implies|iff|xor)\b|[|;>\u2228\u2192]", re.IGNORECASE)
"""A connective that binds less than ``and``."""


def _joined(items: Sequence[Item], connective: str) -> Item:
    """Join subgoals to one, each in brackets if its connectives bind less tightly than ``and``.

    ``a(x) or b(x)`` and ``c(x)`` become ``(a(x) or b(x)) and c(x)``.
    """
    if len(items) == 1:
        return items[0]
    texts: list[str] = []
    for item in items:
        needs_brackets = _NEEDS_BRACKETS.search(item.text) is not None
        texts.append(f"({item.text})" if needs_brackets else item.text)
    # One name of the task is enough to see that a formula was meant.
    is_known = any(item.is_known for item in items)
    return Item(f" {connective} ".join(texts), items[0].at, is_known=is_known)


def joined(items: Iterable[Item]) -> Item:
    """Return the conjunction of subgoals, with the number of the first."""
    subgoals = list(items)
    conjunction = _joined(subgoals, "and")
    conjunction.number = subgoals[0].number
    return conjunction


def _pieces_between(text: str, separator: re.Pattern[str]) -> list[tuple[int, int]]:
    """Return begin and end of the pieces of a text between separators outside of brackets.

    ``on(cup.2, table.1), clean(cup.2)`` has two pieces between commas: the comma inside the
    brackets separates arguments.
    """
    pieces: list[tuple[int, int]] = []
    depth = 0
    piece_start = offset = 0
    while offset < len(text):
        if text[offset] in "()":
            depth += 1 if text[offset] == "(" else -1
        # An empty match would separate nothing, and again at the same offset.
        elif depth == 0 and (match := separator.match(text, offset)) and match.end() > offset:
            pieces.append((piece_start, offset))
            piece_start = offset = match.end()
            continue
        offset += 1
    return [*pieces, (piece_start, len(text))]
