"""The second stage of reading, for goals: the goals in a text.

A goal is a state of an object, a relation between two objects, or an action. The vocabulary of the
task decides which word is what, so that ``ON(tv)``, ``tv: ON``, ``["tv", "ON"]``,
``{"name": "tv", "state": "ON"}`` and "the tv must be ON" are the same goal. A name that the task
does not have is part of a goal only where the form leaves no doubt: in a section, in a list, or
beside known names.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from eai.abilities.goal_interpretation.names import GoalNames, ReadGoal
from eai.abilities.goal_interpretation.words import KIND_KEYS, is_aside, is_head, kind_of, role_of
from eai.answers import shorten, with_negation
from eai.answers.plan import NOTHING
from eai.answers.values import key_words, plain_key
from eai.text import has_words, lazy_pattern

MAX_TEXT = 20_000
"""Maximum number of characters of a text in which goals are looked for."""

_KIND_MARK = lazy_pattern(r"[(\[]\s*(\w+)(?:[ _-]goals?)?\s*[)\]]")
_KEYED = lazy_pattern(r"[\"']?([^\W\d][\w ]{0,30}?)[\"']?\s*[:=]\s*[\"']?([^\"',:=;{}()]{1,200})")
_CALL = lazy_pattern(r"([^\W\d][\w.\-]{0,60}(?: [\w\-]{1,30}){0,2})?(\s?)\(([^()]{0,400})\)")
_BRACKETS = lazy_pattern(r"\([^()]{0,400}\)")
_LONGEST_BEFORE_BRACKET = 124
"""Maximum number of characters of a match of ``_CALL`` before its bracket: a name of 61, two words
of 31 with the blanks before them, and a blank."""
MAX_NAME = 70
"""Maximum number of characters before a term among which its object is looked for."""
_OWNER = lazy_pattern(r"([^\W\d][\w.\-]*)\(\s*\Z")
_KEYWORD = lazy_pattern(r"^\s*\w+\s*=\s*")
_NOT = lazy_pattern(r"\b(?:not|no longer|never|¬)\b|n't\b|¬|~(?!~)", re.IGNORECASE)
_NOT_BEFORE = lazy_pattern(
    r"(?:\bnot\s*\(?|(?:[¬!]|(?<!~)~|\\neg\b|\\lnot\b)\s*(?:\\\w{1,20}\s*\{|[({])?)\s*[`\"']?\Z",
    re.IGNORECASE,
)
_LONGEST_NEGATION = 100
"""Maximum number of characters before a name and its blanks in which its negation begins."""
_NOT_FIRST = lazy_pattern(r"\s*not\b", re.IGNORECASE)
_AND = lazy_pattern(r"[\s,&]*(?:\band\b)?[\s,&]*(?:\bthe\b|\ba\b)?\s*", re.IGNORECASE)
_PARTED = lazy_pattern(r"[,;]|\band\b", re.IGNORECASE)
# A row of blanks is looked at from its beginning only: it may be long.
_PARTS = lazy_pattern(
    r"(?:(?<!\s)\s+)?(?:->|=>|\u2192|[:=,|;])\s*|(?<!\s)\s+(?:is|are|must be|should be)\s+"
)
_CONNECTIVE = lazy_pattern(r"\b(?:and|then)\b", re.IGNORECASE)
_LONE = lazy_pattern(r"(?<!\w)(?:(?!\b(?:and|then)\b)[\w \-])+", re.IGNORECASE)
"""Words without a sign or a connective between them; they begin where a word does."""
_IS_FALSE = lazy_pattern(r"(?<=\w)\s*={1,2}\s*false\W*\Z", re.IGNORECASE)
"""The end of an attribute that shall be false: ``lamp.on = False``."""
_REMARK = lazy_pattern(r"[:(]|\s[-\u2013\u2014]\s")
_CLAUSE = lazy_pattern(r";|[.!?](?=\s|$)|\n")
_BEFORE_ACTION = lazy_pattern(
    r"^(?!.*\b(?:no|not|never|without|optional)\b).*\bactions?\b\W{0,3}"
    r"(?:called |named |to |of )?\W{0,2}$",
    re.IGNORECASE | re.DOTALL,
)
"""Words right before a name that say that it is an action: "the action WATCH has to be taken"."""
_PREPOSITIONS = frozenset({"on", "in", "at", "to", "off", "under", "near", "by"})
_STATE_VERB = lazy_pattern(
    r"\b(?:is|are|be|was|were|been|being|stays?|remains?|keep|keeps|kept|turn\w*|switch\w*|power\w*"
    r"|put|set|leave|left|still|now|not|both|all|must|should|stay|remain)\W*\Z",
    re.IGNORECASE,
)
"""The words before the state of an object: "the lamp is still on"."""
_COMPLEMENT = lazy_pattern(
    r"\s+(?!(?:and|or|at|by|when|while|after|before|so|too|again|now|for|with|in|as|because|since|to"
    r"|the end)\b)[^\W\d]",
    re.IGNORECASE,
)
"""A noun behind a preposition, as in "depends on him"."""
_REMARK_ON_TERM = lazy_pattern(
    r"\s+\(?(?P<remark>(?:which|that|so|because|since|as|for|should|must|has to|have to"
    r"|needs? to|will|shall|is (?:required|needed|necessary|asked|wanted|also)|and so on)\b.*)\Z",
    re.IGNORECASE,
)
_DENIES = lazy_pattern(
    r"\b(?:not|no|never|nothing|without|already|skip\w*|left|omit\w*|drop\w*|remov\w*|wrong|fail\w*"
    r"|un\w+|if|unless|would|could|might)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_LEFT_OUT = lazy_pattern(
    r"\)\s+(?:is|was|are|were|has been)\s+(?:skipped|omitted|dropped|removed|ignored|left out)\b",
    re.IGNORECASE,
)
_MARKUP = lazy_pattern(r"[`*]")
_CODE = lazy_pattern(r"`([^`\n]{1,200})`")
_CODE_ROW = lazy_pattern(
    r"`[^`\n]{1,200}`(?:\s?(?:,\s?(?:and\s)?|and\s|&\s?)`[^`\n]{1,200}`)+", re.IGNORECASE
)
"""Pieces of code with only commas and "and" between them."""
_ACTION_BEHIND_SIGN = lazy_pattern(
    r"(?::|->|=>|\u2192|\u2014|\u2013)\s*[*_`]*([A-Z][A-Z_]+)[*_`.]*\s*\Z"
)
"""A name in capitals behind a sign, at the end of an item."""
_NOTHING_ELSE = lazy_pattern(r"\bnothing (?:else|more)\b", re.IGNORECASE)


class _Span(NamedTuple):
    """A name of the task in a clause, with the offsets of its begin and end."""

    start: int
    end: int
    name: str


@dataclass(slots=True)
class _NamesInClause:
    """The names of the task in a clause, in order; one may be an action and a predicate as well.

    Args:
        actions: The names of actions.
        objects: The names of objects.
        predicates: The names of predicates that are no objects.
    """

    actions: list[_Span] = field(default_factory=list)
    objects: list[_Span] = field(default_factory=list)
    predicates: list[_Span] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Term:
    """A name with something in brackets: ``must not be ON(tv)``.

    Args:
        written: The name, with up to two words before it.
        has_gap: Whether a blank stands before the bracket, as before a remark.
        inside: The text in the brackets.
        arguments: What stands between the commas in it, without keywords and quotes.
        is_negated: Whether "not" or a sign for it stands right before the name.
        at: Offset in the answer.
        fills_text: Whether the text in which it stands holds nothing else.
    """

    written: str
    has_gap: bool
    inside: str
    arguments: tuple[str, ...]
    is_negated: bool
    at: int
    fills_text: bool

    @classmethod
    def of_match(cls, match: re.Match[str], at: int) -> _Term:
        """Return the term of a match of ``_CALL``.

        ``not ON(tv.1, power=high)`` has the name ``ON``, is negated, and has the arguments ``tv.1``
        and ``high``.

        Args:
            match: The match; its groups are the words before the bracket, a gap, and what is
                inside.
            at: Offset of the text in the answer.
        """
        written = match[1] or ""
        parts = [_KEYWORD.sub("", part).strip(" \"'[]") for part in match[3].split(",")]
        last_word = written.split()[-1] if written.strip() else ""
        # The name is the last word before the bracket; a negation may stand before it.
        name_at = match.start() + len(written) - len(last_word)
        end_of_words = len(match.string[:name_at].rstrip())
        search_start = max(end_of_words - _LONGEST_NEGATION, 0)
        return cls(
            written,
            has_gap=bool(match[2]),
            inside=match[3],
            arguments=tuple(filter(None, parts)),
            is_negated=_NOT_BEFORE.search(match.string, search_start, name_at) is not None,
            at=at + match.start(),
            fills_text=match[0].strip() == match.string.strip(" .;`"),
        )

    @property
    def words(self) -> list[str]:
        """The words before the bracket."""
        return self.written.split()

    @property
    def last_word(self) -> str:
        """The word right before the bracket; empty if there is none."""
        words = self.words
        return words[-1] if words else ""


class GoalGrammar:
    """Reads goals of one task.

    Its methods take the kind of the section in which a text stands (empty if there is none), the
    text and its offset. ``meant`` and ``sure`` say that its form or place leaves no doubt that a
    goal is there, so that its names may be unknown.

    Args:
        names: The names of the task.
    """

    def __init__(self, names: GoalNames) -> None:
        self.names = names

    # -------------------------------------------------------------- words

    def goal_of_words(
        self, kind: str, words: Sequence[str], at: int, *, sure: bool = True
    ) -> ReadGoal | None:
        """Return the goal that consists of some words, of which one is the predicate."""
        negated = bool(words) and words[0].lower() == "not"
        if negated:
            words = words[1:]
        words = [word for word in words if word not in NOTHING]
        if not words:
            return None
        if kind == "action" or (not kind and len(words) == 1):
            goal = self._action_of_words(words, at, sure=sure and kind == "action")
            return None if goal is None else replace(goal, negated=negated)
        if len(words) == 1:
            return None
        # The predicate may stand first ("ON tv") or between its objects ("cup ON table").
        position = self._predicate_position(words)
        predicate = words[position]
        objects = (*words[:position], *words[position + 1 :])
        if not sure and not self._is_known(predicate, objects):
            return None
        return self._literal(predicate, objects, negated, at)

    def _action_of_words(self, words: Sequence[str], at: int, *, sure: bool) -> ReadGoal | None:
        """Return the action that some words name; None if they name none.

        ``sure`` says that the first word is meant as an action even if the task has no such one.
        """
        actions = [word for word in words if self.names.is_action(word)]
        if actions:
            name = actions[0]
        elif sure:
            name = words[0]
        else:
            return None
        others = tuple(word for word in words if word is not name)
        return ReadGoal("action", name, others, position=at)

    def _predicate_position(self, words: Sequence[str]) -> int:
        """Return the index of the word that is the predicate; the others are its objects.

        It should take as many objects as there are; a word that is no object is preferred.
        """
        is_object = [bool(self.names.objects(word)) for word in words]
        fitting: list[int] = []
        for position, word in enumerate(words):
            if self.names.has_predicate(word, len(words) - 1):
                fitting.append(position)
        if not fitting:
            # The only word that is no object, behind an object: "cup BESIDE table".
            is_lone = is_object[0] and is_object.count(False) == 1
            return is_object.index(False) if is_lone else 0
        # A word may be a predicate and an object, as "computer" is in VirtualHome: the one that
        # leaves most objects counts.
        for position in fitting:
            if not is_object[position]:
                return position
        return fitting[0]

    def _is_known(self, predicate: str, objects: Sequence[str]) -> bool:
        """Return whether the task has a predicate and all of its objects."""
        has_predicate = self.names.has_predicate(predicate, len(objects))
        return has_predicate and all(map(self.names.objects, objects))

    @staticmethod
    def _literal(name: str, objects: tuple[str, ...], negated: bool, at: int) -> ReadGoal:
        """Return a state of one object, or a relation of several."""
        kind = "state" if len(objects) == 1 else "relation"
        return ReadGoal(kind, name, objects, negated, position=at)

    # -------------------------------------------------------------- texts

    def text(self, kind: str, text: str, at: int, *, meant: bool = False) -> list[ReadGoal]:
        """Return the goals in a text.

        Args:
            kind: The kind of the section around the text; empty if there is none.
            text: The text.
            at: Its offset in the answer.
            meant: Whether it stands where only goals do, so that unknown names are goals, too.
        """
        if len(text) > MAX_TEXT or is_head(text):
            return []
        original_text = text
        text = with_negation(_MARKUP.sub(" ", text))
        is_false = _IS_FALSE.search(text)
        if is_false is not None:
            goals_before = self.text(kind, text[: is_false.start()], at, meant=meant)
            return [goal.opposite() for goal in goals_before]
        mark = _KIND_MARK.search(text)
        marked_kind = None if mark is None else kind_of(mark[1])
        if mark is not None and marked_kind is not None:
            kind = marked_kind or kind
            # Blanks in place of the mark keep the offsets behind it.
            text = text[: mark.start()] + " " * len(mark[0]) + text[mark.end() :]
        # The surest forms first: each is tried only where those before find nothing.
        goals = self._listed_actions(kind, text, at)
        goals = goals or self._keyed(kind, text, at)
        goals = goals or self._with_terms(kind, text, at, meant=meant)
        goals = goals or self._in_parts(kind, text, at, sure=False)
        goals = goals or self._mentioned(kind, text, at)
        if goals and not kind:
            goals += self._actions_in_code(original_text, goals, at)
        if meant:
            goals = goals or self._in_parts(kind, text, at, sure=True)
            goals = goals or self._between_objects(text, at)
        return goals

    def _actions_in_code(self, text: str, goals: Sequence[ReadGoal], at: int) -> list[ReadGoal]:
        """Return the actions that stand in code among goals in code: "`ON(tv)` and `READ`".

        Args:
            text: The text, with its signs for code.
            goals: The goals that were read in it.
            at: Its offset in the answer.
        """
        actions: list[ReadGoal] = []
        named = {goal.name for goal in goals}
        for row in _CODE_ROW.finditer(text):
            pieces = list(_CODE.finditer(text, row.start(), row.end()))
            if not any("(" in piece[1] for piece in pieces):
                continue
            for piece in pieces:
                if piece[1] not in named and self._is_only_action(piece[1]):
                    actions.append(ReadGoal("action", piece[1], position=at + piece.start(1)))
        return actions

    def action_behind_words(self, text: str, at: int) -> list[ReadGoal]:
        """Return the action at the end of an item: "This comes last, therefore: READ".

        Empty if there is none, or if the words before it may deny it.
        """
        action = _ACTION_BEHIND_SIGN.search(text)
        if action is None or not self._is_only_action(action[1]):
            return []
        words_before = _NOTHING_ELSE.sub("", text[: action.start()])
        if _DENIES.search(words_before) is not None:
            return []
        return [ReadGoal("action", action[1], position=at + action.start(1))]

    def _is_only_action(self, name: str) -> bool:
        """Whether a word in capitals names an action, and no state or object."""
        is_other = self.names.arities(name) or self.names.objects(name)
        return name.isupper() and self.names.is_action(name) and not is_other

    def _between_objects(self, text: str, at: int) -> list[ReadGoal]:
        """Return the relation of an unknown name between two objects: ``character TO kitchen``."""
        words = text.strip(" .`-*").split()
        if len(words) != 3 or not words[1].isidentifier():
            return []
        first, name, last = words
        if not (self.names.objects(first) and self.names.objects(last)):
            return []
        return [self._literal(name, (first, last), False, at)]

    def _listed_actions(self, kind: str, text: str, at: int) -> list[ReadGoal]:
        """Return the actions of a text in a section of actions that only lists actions.

        In ``WATCH, FLY`` a word in capitals beside a known action is one that the task does not
        have.
        """
        if kind != "action":
            return []
        separators = list(_PARTED.finditer(text))
        begins = [0, *(separator.end() for separator in separators)]
        ends = [*(separator.start() for separator in separators), len(text)]
        actions: list[ReadGoal] = []
        has_known = False
        for begin, end in zip(begins, ends, strict=True):
            name = text[begin:end].strip(" .*`\"'")
            is_known = self.names.is_action(name)
            if not is_known and not (name.isidentifier() and name.isupper()):
                return []
            has_known |= is_known
            actions.append(ReadGoal("action", name, position=at + text.index(name, begin)))
        return actions if has_known and len(actions) > 1 else []

    def begins_with_term(self, text: str) -> bool:
        """Whether a text begins with a term of the task: ``ON(tv) which is asked for``."""
        term = _CALL.match(text.lstrip(" `*"))
        if term is None or term[1] is None or term[2]:
            return False
        objects = [name.strip() for name in term[3].split(",")]
        return bool(self.names.arities(term[1])) and all(map(self.names.objects, objects))

    def has_only_goals(self, text: str) -> bool:
        """Whether a text says hardly more than names of the task."""
        if _LEFT_OUT.search(text):
            return False
        remaining_text = _without_remark(text)
        for mention in reversed(self.names.mentions(remaining_text)):
            remaining_text = remaining_text[: mention.start] + remaining_text[mention.end :]
        return len(_words(remaining_text)) < 3

    def _keyed(self, kind: str, text: str, at: int) -> list[ReadGoal]:
        """Return the goal in a text such as ``name="tv", state="ON"``.

        Pairs are a goal only if their keys say what plays which role. Empty if they do not, or if
        too many words stand before the first pair, so that it is a sentence.
        """
        if ":" not in text and "=" not in text:
            return []
        matches = list(_KEYED.finditer(text))
        if not matches:
            return []
        before = text[: matches[0].start()].rstrip()
        if len(_words(before)) > 3 and before[-1] not in "({[":
            return []
        parts: list[tuple[str, str]] = []
        for match in matches:
            key = match[1]
            if role_of(key) and not is_aside(key):
                parts.append((key, match[2].strip()))
        # One pair alone makes a goal only if it names an action.
        has_action = any(role_of(key) == "act" for key, _ in parts)
        if len(parts) < 2 and not has_action:
            return []
        if any(self.names.is_known(key) for key, _ in parts):
            return []
        goals = self.goals_of_roles(kind, parts, at)
        is_read = all(goal.name for goal in goals)
        return goals if is_read else []

    def _in_parts(self, kind: str, text: str, at: int, *, sure: bool) -> list[ReadGoal]:
        """Return the goal in names between signs: ``tv: ON``, ``edge,cup,ON,table``.

        A first name such as ``edge`` says the kind of the goal. All names have to be names of the
        task, unless the text is sure to be a goal: then one of them is enough.

        Args:
            kind: The kind of the section around the text.
            text: The text.
            at: Its offset in the answer.
            sure: Whether the text is sure to be a goal.
        """
        parts = [part.strip(" .\"'()[]") for part in _PARTS.split(text)]
        kind_of_row = kind_of(parts[0])
        if kind_of_row:
            kind = kind_of_row
            parts = parts[1:]
            sure = sure or len(parts) > 1
        words = [part for part in parts if has_words(part)]
        # A relation has three names, the longest goal there is; more names are a sentence.
        if len(words) > 3:
            return []
        known_words = [word for word in words if self.names.is_known(word)]
        if not known_words:
            return []
        if len(known_words) < len(words) and not sure:
            return []
        if kind == "action" and all(map(self.names.is_action, words)):
            return [ReadGoal("action", word, position=at) for word in words]
        goal = self.goal_of_words(kind, words, at, sure=sure)
        return [] if goal is None else [goal]

    def _with_terms(self, kind: str, text: str, at: int, *, meant: bool) -> list[ReadGoal]:
        """Return the terms in a text, ``ON(tv)`` or ``(on tv)``, and actions beside them.

        In ``ON(tv) and WATCH`` the word between two terms or behind the last one may name an
        action.
        """
        goals: list[ReadGoal] = []
        start = 0
        for match in _calls_in(text):
            goal = self._term(kind, match, at, meant=meant)
            if goal is None:
                continue
            goals += self._lone_actions(text, start, _end_of_words_before(text, match), at)
            goals.append(goal)
            start = match.end()
        # A text without any term names no actions in this way.
        if goals:
            goals += self._lone_actions(text, start, len(text), at)
        return goals

    def _lone_actions(self, text: str, start: int, end: int, at: int) -> Iterator[ReadGoal]:
        """Yield the actions that stand alone between commas and the like."""
        for match in _LONE.finditer(text, start, end):
            name = match[0].strip()
            if self.names.is_action(name):
                yield ReadGoal("action", name, position=at + match.start())

    def _term(self, kind: str, match: re.Match[str], at: int, *, meant: bool) -> ReadGoal | None:
        """Return the goal that a name with brackets is, ``ON(tv)``; None if it is none.

        Args:
            kind: The kind of the section around the term.
            match: The name, the words before it and the text in its brackets.
            at: Offset of the matched text in the answer.
            meant: Whether the text stands where only goals do.
        """
        term = _Term.of_match(match, at)
        # The words before a name belong to it where it is a name with them: "holds rh(..)".
        words = term.words
        names = [" ".join(words[-count:]) for count in range(len(words), 0, -1)]
        literal = self._known_literal(term, names) or self._literal_in_object(match, term, names)
        if literal is not None:
            return literal
        if kind in ("", "action"):
            for name in names:
                if self.names.is_action(name):
                    return ReadGoal("action", name, term.arguments, position=term.at)
        kind_of_call = kind_in_name(term.last_word)
        if kind_of_call:  # "NodeGoal('tv', 'ON')"
            return self.goal_of_words(kind_of_call, term.arguments, term.at)
        return self._goal_in_brackets(term) or self._unknown_term(kind, term, meant=meant)

    def _known_literal(self, term: _Term, names: Sequence[str]) -> ReadGoal | None:
        """Return a term as the goal of the first of some names that is a predicate of its arity.

        "ON (tv)" is a goal; "the lamp is on (see above)" only has a remark behind a predicate.
        """
        arguments = term.arguments
        is_remark = term.has_gap and not all(map(self.names.objects, arguments))
        if is_remark:
            return None
        for name in names:
            if self.names.has_predicate(name, len(arguments)):
                return self._literal(name, arguments, term.is_negated, term.at)
        return None

    def _literal_in_object(
        self, match: re.Match[str], term: _Term, names: Sequence[str]
    ) -> ReadGoal | None:
        """Return the goal of a term in the brackets of its first object: ``cup(inside(fridge))``.

        Args:
            match: The match of the term.
            term: The term.
            names: The names that the term may have, the likeliest first.
        """
        before = match.string[: match.start()][-MAX_NAME:]
        outer = _OWNER.search(before)
        is_closed = match.string[match.end() :].startswith(")")
        if not outer or not is_closed or not self.names.objects(outer[1]):
            return None
        arguments = (outer[1], *term.arguments)
        for name in names:
            if self.names.has_predicate(name, len(arguments)):
                return self._literal(name, arguments, term.is_negated, term.at)
        return None

    def _goal_in_brackets(self, term: _Term) -> ReadGoal | None:
        """Return the goal whose predicate stands in the brackets as well: ``not (ON tv)``.

        None if the brackets hold no goal. Two negations cancel each other: ``not (not ON tv)``.
        """
        inside = term.inside
        is_not = term.last_word.lower() == "not"
        names_inside = [inside[m.start : m.end] for m in self.names.mentions(inside)]
        can_be_literal = not term.words or term.has_gap or is_not
        if can_be_literal and len(names_inside) > 1:
            goal = self.goal_of_words("", names_inside, term.at, sure=False)
            if goal is not None:
                is_negated_before = term.is_negated or is_not
                is_negated_inside = _NOT_FIRST.match(inside) is not None
                return replace(goal, negated=is_negated_before != is_negated_inside)
        return None if term.words else self._unknown_literal_in_brackets(term)

    def _unknown_literal_in_brackets(self, term: _Term) -> ReadGoal | None:
        """Return the goal of a name that the task lacks, before objects that it has.

        ``(unknown tv)`` is such a goal.
        """
        words = term.inside.split()
        if len(words) not in (2, 3):
            return None
        name, *objects = words
        if not name.isidentifier() or self.names.objects(name):
            return None
        if not all(map(self.names.objects, objects)):
            return None
        return self._literal(name, tuple(objects), term.is_negated, term.at)

    def _unknown_term(self, kind: str, term: _Term, *, meant: bool) -> ReadGoal | None:
        """Return the goal of a term whose name the task does not have; None if it is talk.

        ``FLYING(cup.2)`` is a goal with a wrong predicate, which is reported as an error. ``see
        (above)`` is talk: it neither fills its text nor mentions an object.
        """
        if not term.words or term.has_gap or not term.arguments:
            return None
        is_alone = meant and term.fills_text
        if not is_alone and not any(map(self.names.objects, term.arguments)):
            return None
        name = term.written.removeprefix("not ")
        if kind == "action":
            return ReadGoal("action", name, term.arguments, position=term.at)
        is_negated = term.is_negated or name != term.written
        return self._literal(name, term.arguments, is_negated, term.at)

    def _mentioned(self, kind: str, text: str, at: int) -> list[ReadGoal]:
        """Return the goals that a text says in words of the vocabulary.

        It is cut into clauses first, at commas, full stops and connectives, so that predicates find
        their objects in their own clause: "the tv is ON, the door is OPEN".
        """
        goals: list[ReadGoal] = []
        start = 0
        clause_ends = [separator.start() for separator in _CLAUSE.finditer(text)]
        for end in (*clause_ends, len(text)):
            clause = text[start:end]
            if has_words(clause):
                goals += self._in_clause(kind, clause, at + start)
            start = end
        return goals

    def _in_clause(self, kind: str, clause: str, at: int) -> list[ReadGoal]:
        """Return the goals of a clause that names predicates and objects, or actions.

        "the cup is ON the table" names ``ON`` and two objects, "WATCH" an action. Without a section
        of actions, a clause names actions only if it says that they are, or has no other words.

        Args:
            kind: The kind of the section around the clause.
            clause: The clause.
            at: Its offset in the answer.
        """
        names = self._names_in(clause)
        if kind == "action":
            return self._actions(clause, names.actions, at)
        has_only_actions = not names.objects and all(
            span in names.actions for span in names.predicates
        )
        if not kind and has_only_actions:
            names_actions = self.has_only_goals(clause) or _says_action(clause, names.actions)
            if names_actions:
                return self._actions(clause, names.actions, at)
        return self._literals_of_clause(clause, names, at)

    def _names_in(self, clause: str) -> _NamesInClause:
        """Return the names of the task in a clause, by what they are names of."""
        names = _NamesInClause()
        for mention in self.names.mentions(clause):
            name = clause[mention.start : mention.end]
            span = _Span(mention.start, mention.end, name)
            # A name may be that of an action and of a state: OPEN.
            if self.names.is_action(name):
                names.actions.append(span)
            if self.names.objects(name):
                names.objects.append(span)
            elif self.names.arities(name):
                names.predicates.append(span)
        return names

    def _literals_of_clause(self, clause: str, names: _NamesInClause, at: int) -> list[ReadGoal]:
        """Return the goals of a clause, each predicate with the objects before or behind it.

        Objects behind a predicate are its own up to the next predicate. Of those before it, the
        last one that no earlier predicate has taken comes first.

        Args:
            clause: The clause.
            names: The names in it.
            at: Its offset in the answer.
        """
        predicates = names.predicates
        objects = names.objects
        if not predicates:
            return []
        # "ON the lamp and OPEN the cup": objects stand behind their predicates, not before them.
        is_predicate_first = bool(objects) and predicates[0] < objects[0]
        goals: list[ReadGoal] = []
        taken: set[_Span] = set()  # objects behind earlier predicates
        limits = [span.start for span in predicates[1:]]
        negations = [negation.span() for negation in _NOT.finditer(clause)]
        for predicate, limit in zip(predicates, (*limits, len(clause)), strict=True):
            after = [span for span in objects if predicate.end <= span.start < limit]
            before: Sequence[_Span] = ()
            if not is_predicate_first or not after:
                before = _objects_before(predicate, objects, taken)
            # A negation belongs to the predicate if it stands between its subject and itself.
            start = before[-1].start if before else predicate.start
            words_from = before[-1].end if before else 0
            is_negated = _has_span_between(negations, words_from, predicate.start)
            if not after and _belongs_to_verb(clause, predicate, before):
                continue
            for arguments in self._objects_of(clause, predicate, before, after):
                if not before:
                    taken.update(after[: len(arguments)])
                goals.append(self._literal(predicate.name, arguments, is_negated, at + start))
        return goals

    def _objects_of(
        self,
        clause: str,
        predicate: _Span,
        before: Sequence[_Span],
        after: Sequence[_Span],
    ) -> list[tuple[str, ...]]:
        """Return the objects of each goal with a predicate, from those before and behind it.

        "The cup is ON the table" has one goal with two objects, "the lamp and the tv are ON" has
        two goals with one object each.
        """
        arities = self.names.arities(predicate.name)
        if 2 in arities:
            if before and after and not _PARTED.search(clause, predicate.end, after[0].start):
                return [(before[-1].name, after[0].name)]
            if len(after) > 1:
                return [(after[0].name, after[1].name)]
            if len(before) > 1 and 1 not in arities:
                return [(before[-2].name, before[-1].name)]
        if 1 not in arities:
            return []
        if before:
            return [(span.name,) for span in _last_enumeration(clause, before)]
        return [(after[0].name,)] if after else []

    def _actions(self, clause: str, actions: Sequence[_Span], at: int) -> list[ReadGoal]:
        """Return the actions that a clause names, up to a remark behind the first.

        In "WATCH, because one has to LOOK at it" the second word explains the first.
        """
        if not actions:
            return []
        remark = _REMARK.search(clause, actions[0].end)
        limit = len(clause) if remark is None else remark.start()
        goals: list[ReadGoal] = []
        for action in actions:
            if action.start < limit:
                goals.append(ReadGoal("action", action.name, position=at + action.start))
        return goals

    # -------------------------------------------------------------- parts with keys

    def goals_of_roles(
        self, kind: str, named: Iterable[tuple[str, str]], at: int, *, negated: bool = False
    ) -> list[ReadGoal]:
        """Return the goals of an object whose keys say what its values are in a goal.

        Args:
            kind: The kind of the section; may be empty.
            named: Keys and values.
            at: Offset of the object.
            negated: Whether the goals are negated.

        Returns:
            The goals, at least an unreadable one; none if all values are dots and the like.
        """
        pairs = [(key, value.strip()) for key, value in named]
        kind = self._kind_of_pairs(kind, pairs)
        by_role = self._values_by_role(pairs)
        if not by_role:
            return []
        if kind == "action" and self._are_of_literal(by_role):
            kind = ""  # under "actions" a state of an object is a state nevertheless
        if kind in ("", "action"):
            actions = _actions_of_roles(kind, by_role)
            if actions:
                return [ReadGoal("action", name, position=at) for name in actions]
        goals = self._literals_of_roles(kind, by_role, at)
        if not goals:
            text = ", ".join(f"{key}: {value}" for key, value in pairs)
            return [unread_goal(kind, text, at)]
        if negated:
            return [replace(goal, negated=True) for goal in goals]
        return goals

    def _kind_of_pairs(self, kind: str, pairs: Iterable[tuple[str, str]]) -> str:
        """Return the kind of goal that one of some pairs tells, else the kind of the section."""
        # Of several kinds the last one counts, as of keys that are written twice in JSON.
        for key, value in pairs:
            kind = self._told_kind(key, value) or kind
        return kind

    def _values_by_role(self, pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
        """Return the values of pairs by the roles that their keys give them in a goal.

        A key without a role has the role ``""``. Pairs that only tell a kind are left out, and so
        are values that stand for nothing.
        """
        by_role: dict[str, list[str]] = {}
        for key, value in pairs:
            if self._told_kind(key, value) is None and value not in NOTHING and has_words(value):
                by_role.setdefault(role_of(key), []).append(value)
        return by_role

    def _told_kind(self, key: str, value: str) -> str | None:
        """Return the kind of goal that a pair such as ``type: node goal`` tells; None for others.

        The kind is empty if the pair only says that it is a goal.
        """
        if plain_key(key) not in KIND_KEYS or self.names.objects(value):
            return None
        return kind_of(value)

    def _are_of_literal(self, by_role: Mapping[str, Sequence[str]]) -> bool:
        """Whether parts are those of a state or relation, whose name is that of no action."""
        if by_role.keys().isdisjoint(("object", "subject", "from", "to")):
            return False
        names = by_role.get("predicate", ())
        return bool(names) and not any(map(self.names.is_action, names))

    def _literals_of_roles(
        self, kind: str, by_role: Mapping[str, Sequence[str]], at: int
    ) -> list[ReadGoal]:
        """Return the states or relations with some predicates and objects.

        Objects are put in order by their roles: ``{"to": "table", "from": "cup"}`` is cup, table.
        """
        predicates = by_role.get("predicate", ())
        others = by_role.get("", ())
        objects: list[str] = []
        for role in ("subject", "from", "object", "arguments", "to"):
            objects += by_role.get(role, ())
        # Where there is one end of a relation, there must be another.
        has_end = "from" in by_role or "to" in by_role
        lacks_end = has_end and len(objects) < 2
        if predicates and objects and not lacks_end:
            return [self._literal(name, tuple(objects), False, at) for name in predicates]
        if lacks_end and not others:
            return []
        words = [*predicates, *objects, *others]
        if len(words) == 1:
            return self.text(kind, words[0], at, meant=True)
        goal = self.goal_of_words(kind, words, at, sure=False)
        return [] if goal is None else [goal]


def _objects_before(
    predicate: _Span, objects: Sequence[_Span], taken: Collection[_Span]
) -> Sequence[_Span]:
    """Return the objects before a predicate, without those that belong to another predicate.

    "ON the lamp, and the door is OPEN": the lamp has its predicate already. Where all of them are
    taken, they are shared.
    """
    before = [span for span in objects if span.end <= predicate.start]
    return [span for span in before if span not in taken] or before


def _has_span_between(spans: Sequence[tuple[int, int]], begin: int, end: int) -> bool:
    """Whether one of several spans, in order, lies between two offsets."""
    index = bisect_left(spans, (begin, 0))
    return index < len(spans) and spans[index][1] <= end


def kind_in_name(name: str) -> str:
    """Return the kind of goal that the name of a call says: ``NodeGoal``, ``goals.add_edge``."""
    for word in key_words(name.rpartition(".")[2]):
        kind = kind_of(word)
        if kind:
            return kind
    return ""


def _says_action(clause: str, actions: Sequence[_Span]) -> bool:
    """Whether a clause says of the first name of an action that it is one."""
    # Elsewhere a name may be any word: the head "Goal type" of a table names the action TYPE.
    return bool(actions) and _BEFORE_ACTION.match(clause[: actions[0].start]) is not None


def _last_enumeration(clause: str, spans: Sequence[_Span]) -> list[_Span]:
    """Return the last name and those before it that only "and" or a comma parts from it."""
    enumeration = [spans[-1]]
    for span in reversed(spans[:-1]):
        if not _AND.fullmatch(clause, span.end, enumeration[0].start):
            break
        enumeration.insert(0, span)
    return enumeration


def _calls_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of ``_CALL``: brackets, with the words before them if there are any.

    Only the words right before brackets are looked at, since a long text has more.
    """
    end_of_last = 0
    for brackets in _BRACKETS.finditer(text):
        begin = max(end_of_last, brackets.start() - _LONGEST_BEFORE_BRACKET)
        if match := _CALL.search(text, begin):
            yield match
            end_of_last = match.end()


def _end_of_words_before(text: str, term: re.Match[str]) -> int:
    """Return where the words before a term end: at a connective, which is none of them.

    In ``READ and ON(tv)`` the match of the term begins with the word before the connective.
    """
    end = term.start()
    for connective in _CONNECTIVE.finditer(text, term.start(), term.end(1)):
        end = connective.start()
    return end


def _actions_of_roles(kind: str, by_role: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return the names of the actions among the parts of a goal.

    Args:
        kind: The kind of the section in which the goal stands. In the one for actions a goal
            without a word for its action is the action itself: "predicate" or "object" names it.
        by_role: The words, by what they stand for.
    """
    actions = by_role.get("act", ())
    if actions or kind != "action":
        return actions
    predicates = by_role.get("predicate")
    if predicates:
        return predicates
    objects = by_role.get("object", ())
    return objects[:1]


def _belongs_to_verb(clause: str, predicate: _Span, before: Sequence[_Span]) -> bool:
    """Whether a preposition belongs to a verb, and is no state: "the chair depends on him"."""
    if predicate.name not in _PREPOSITIONS or not _COMPLEMENT.match(clause, predicate.end):
        return False
    words_before = clause[before[-1].end if before else 0 : predicate.start]
    return has_words(words_before) and _STATE_VERB.search(words_before) is None


def _without_remark(text: str) -> str:
    """Return a text without the words behind a term that only explain it.

    ``ON(tv) so that it works`` says no more than ``ON(tv)``, ``ON(tv) was left out`` does.
    """
    stripped_text = text.strip(" `*")
    call = _CALL.match(stripped_text)
    if call is None or call[2]:
        return text
    remark = _REMARK_ON_TERM.match(stripped_text, call.end())
    if remark is None or _DENIES.search(remark["remark"]):
        return text
    return stripped_text[: call.end()]


def unread_goal(kind: str, text: str, at: int) -> ReadGoal:
    """Return a goal that cannot be read."""
    return ReadGoal(kind, "", text=shorten(text), position=at)


def _words(text: str) -> list[str]:
    """Return the words and numbers of a text."""
    return re.findall(r"\w+", text)
