"""Facts in words: "the red block is on the table" is ``(ontable a)``, by a table of phrases.

A text is cut into clauses (at commas, "and", ends of sentences and lines), and a clause is a fact
if it is one of the phrases of a predicate with an object in each slot. Nothing is guessed: a clause
that is no fact is returned as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from eai.logic import Atom
from eai.pddl import Domain

_OPTIONAL = frozenset(("the", "a", "an", "currently", "now"))
"""Words of a phrase that an answer may leave out."""
# Where a clause ends; a point only before a blank, as names may have one.
_CLAUSE_END = re.compile(r"[,;:\n]|\.(?=\s|$)|\band\b", re.IGNORECASE)
_AROUND = " \t\r*`\"'-\u2022.)("
"""Characters around a clause that are no part of it: bullets, emphasis, brackets."""
# Words by which a clause says that a fact does not hold.
_NEGATION = re.compile(r"\b(?:not|no longer|isn't|aren't|never)\b", re.IGNORECASE)
# The number of an item in a list: "1. ", "2) ".
_NUMBERING = re.compile(r"^\s*\d+[.)]\s+")
_INTRODUCTION = r"(?:.*\b(?:that|then|so)\s+)?"
"""Words before a fact in its clause: "as a result we have that"."""
_LETTER = re.compile("[A-Z]")
"""In the name of an object and its phrase, a capital letter stands for a number."""


class FactReading(NamedTuple):
    """The facts that were read from a text, and the parts that were not understood.

    Args:
        facts: The facts, in the order in which they stand.
        unread: Clauses that are no facts.
    """

    facts: tuple[Atom, ...]
    unread: tuple[str, ...]


class _NumberedPhrase(NamedTuple):
    """A phrase of many objects, such as ``location_N_M``.

    Args:
        pattern: Matches the phrase, with a group for each number.
        name: The name of the objects, such as ``lN-M``.
        letters: The letters of the name that the groups stand for, in their order.
    """

    pattern: re.Pattern[str]
    name: str
    letters: str


@dataclass(frozen=True)
class FactWords:
    """The wording of a domain's facts, used in both directions.

    Args:
        predicates: Predicate to its phrases, with ``{}`` for each object.
        objects: Object to its phrase (``"a": "red block"``); a capital letter is a number:
            ``"lN-M": "location_N_M"``.
        names: Objects that are called by their names as well.
    """

    predicates: Mapping[str, Sequence[str]]
    objects: Mapping[str, str]
    names: Collection[str] = ()

    @classmethod
    def of(
        cls,
        domain: Domain,
        predicates: Mapping[str, Sequence[str]],
        objects: Mapping[str, str],
        names: Collection[str] = (),
    ) -> FactWords:
        """Return the wording of a domain. A predicate without a phrase keeps its own name.

        Args:
            domain: The domain.
            predicates: Predicate to the phrases for its facts.
            objects: Object to its phrase.
            names: Names of objects that have no phrase.
        """
        phrases = {
            name: predicates.get(name, [" ".join((name, *["{}"] * predicate.arity))])
            for name, predicate in domain.predicates.items()
        }
        return cls(phrases, objects, frozenset(names))

    def read(self, text: str) -> FactReading:
        """Return the facts that a text states, in brackets or else clause by clause.

        A fact that is said not to hold is neither read nor reported as unread.
        """
        facts = list(self._facts_in_brackets(text))
        if facts:
            # They are removed, because their commas and blanks do not separate clauses.
            text = self._bracket.sub(",", text)
        unread_clauses: list[str] = []
        subject = ""  # of the last clause that named one
        for part in _CLAUSE_END.split(text):
            clause = _NUMBERING.sub("", part).strip(_AROUND)
            if not clause or _NEGATION.search(clause):
                continue
            fact = self._fact(clause)
            if fact is None and subject:
                # "the red block is on the table and clear"
                fact = self._fact(f"{subject} is {clause}")
            subject = self._subject(clause) or subject
            if fact is None:
                unread_clauses.append(clause)
            else:
                facts.append(fact)
        return FactReading(tuple(dict.fromkeys(facts)), tuple(unread_clauses))

    def object(self, written: str) -> str | None:
        """Return the object with a phrase, or None if there is none."""
        phrase = " ".join(written.lower().split())
        if phrase in self._object_by_phrase:
            return self._object_by_phrase[phrase]
        # "location_2_3" for the object "l2-3", whose phrase is "location_N_M".
        for numbered in self._numbered:
            match = numbered.pattern.fullmatch(phrase)
            if match is not None:
                number_of_letter = dict(zip(numbered.letters, match.groups(), strict=True))
                characters = [number_of_letter.get(letter, letter) for letter in numbered.name]
                return "".join(characters)
        return None

    def _fact(self, clause: str) -> Atom | None:
        """Return the fact of a clause like "the red block is clear", or None."""
        for name, pattern in self._clauses:
            match = pattern.fullmatch(clause)
            if match is not None:
                return self._atom(name, match.groups())
        return None

    def _subject(self, clause: str) -> str:
        """Return the object with which a clause begins; empty if it begins with none."""
        match = self._first_object.match(clause)
        return match[0].strip() if match else ""

    def _facts_in_brackets(self, text: str) -> Iterator[Atom]:
        """Yield the facts that a text writes as ``(on a b)`` or ``on(a, b)``."""
        for match in self._bracket.finditer(text):
            name = match["predicate"] or match["called"]
            objects = match["objects"] or match["arguments"] or ""
            fact = self._atom(name, objects.replace(",", " ").split())
            if fact is not None:
                yield fact

    def _atom(self, predicate: str, phrases: Sequence[str]) -> Atom | None:
        """Return a fact about named objects, or None if a phrase names no object."""
        objects: list[str] = []
        for phrase in phrases:
            name = self.object(phrase)
            if name is None:
                return None
            objects.append(name)
        return Atom(predicate.lower(), tuple(objects))

    @cached_property
    def _object_by_phrase(self) -> Mapping[str, str]:
        """Phrase to the object that it names: "red block", "red" (if unambiguous), or "b1"."""
        object_by_phrase: dict[str, str] = {}
        objects_by_short_phrase: dict[str, list[str]] = {}
        for name, phrase in self.objects.items():
            if _LETTER.search(name):
                continue  # a pattern that stands for the phrases of many objects
            object_by_phrase[phrase.lower()] = name
            short_phrase = phrase.lower().rpartition(" ")[0]
            objects_by_short_phrase.setdefault(short_phrase, []).append(name)
        # "the red one" means the red block only if nothing else is red.
        for short_phrase, names in objects_by_short_phrase.items():
            if short_phrase and len(names) == 1:
                object_by_phrase.setdefault(short_phrase, names[0])
        for name in self.names:
            object_by_phrase.setdefault(name.lower(), name)
        return object_by_phrase

    @cached_property
    def _numbered(self) -> Sequence[_NumberedPhrase]:
        """Patterns of phrases with a letter for a number: ``object a`` may mean ``object 1``."""
        numbered = []
        for name, phrase in self.objects.items():
            letters = "".join(_LETTER.findall(phrase))
            if letters:
                pattern = re.compile(_LETTER.sub(r"(\\d+)", re.escape(phrase)), re.IGNORECASE)
                numbered.append(_NumberedPhrase(pattern, name, letters))
        return numbered

    @cached_property
    def _any_object(self) -> str:
        """A pattern for the names and phrases of all objects, with longer ones first.

        Of two alternatives a regular expression takes the first that fits, so a phrase has to stand
        before its own beginning.
        """
        patterns: list[str] = []
        for phrase in self.objects.values():
            pattern = _LETTER.sub(r"\\d+", re.escape(phrase))
            if r"\d" in pattern:
                patterns.append(pattern)
        exact = sorted(self._object_by_phrase, key=len, reverse=True)
        return "|".join([*patterns, *map(re.escape, exact)]) or "(?!)"

    @cached_property
    def _first_object(self) -> re.Pattern[str]:
        """Pattern of an object at the beginning of a text, with or without an article."""
        return re.compile(rf"(?:(?:the|a)\s+)?(?:{self._any_object})\b", re.IGNORECASE)

    @cached_property
    def _clauses(self) -> Sequence[tuple[str, re.Pattern[str]]]:
        """Predicate and pattern of a clause for each phrase, longer phrases first."""
        names_and_phrases: list[tuple[str, str]] = []
        for name, phrases in self.predicates.items():
            names_and_phrases += [(name, phrase) for phrase in phrases]
        # The longest phrase first: "is on the table" must not be read as "is on".
        names_and_phrases.sort(key=lambda name_and_phrase: -len(name_and_phrase[1]))
        return [(name, self._clause(phrase)) for name, phrase in names_and_phrases]

    def _clause(self, phrase: str) -> re.Pattern[str]:
        """Return the pattern of a sentence: ``the {} is on top of the {}``, with objects in it.

        Words that models leave out (:data:`_OPTIONAL`) may be missing.
        """
        parts = [_INTRODUCTION]
        for word in re.findall(r"\{\}|[^\s{}]+", phrase.lower()):
            if word == "{}":
                parts.append(rf"(?:(?:the|a)\s+)?({self._any_object})(?:\s+|$)")
            elif word in _OPTIONAL:
                parts.append(rf"(?:{word}\s+)?")
            else:
                parts.append(rf"{re.escape(word)}(?:\s+|$)")
        return re.compile("".join(parts), re.IGNORECASE)

    @cached_property
    def _bracket(self) -> re.Pattern[str]:
        """The pattern of a fact in brackets, which matches nothing without predicates."""
        # Longer names first, because "on" would match the beginning of "on-table".
        names = "|".join(sorted(map(re.escape, self.predicates), key=len, reverse=True)) or "(?!)"
        return re.compile(
            rf"""\( \s* (?P<predicate>{names}) (?P<objects>(?:\s+[\w-]+)*) \s* \)   # (on a b)
               | \b (?P<called>{names}) \( (?P<arguments>[\w\s,-]*) \)              # on(a, b)
            """,
            re.IGNORECASE | re.VERBOSE,
        )
