"""Steps as sentences say them: "With the left hand, put the rag inside the bucket".

The name of an action is split into words: a verb, words that belong to it (``switch on``,
``load truck``) and perhaps the hand that is used (``left_grasp``). A clause says the action if it
has the verb and, in any place behind it, the other words; a word that only names the type of one
of its objects may be left out. The objects of the clause are those of the step, in the order of
the parameters that their types and prepositions allow. Where two actions would do, none is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple, Protocol

from eai.answers.plan import CONNECTIVES, HANDS, PARTICLES, VERBS, words_of

MAX_ORDERED = 6
"""Maximum number of objects whose orders are tried out."""
IT = "it"
"""It stands among the objects of a step for one of a step before."""
PRONOUN = re.compile(r"\b(?:it|them|that|this)\b", re.IGNORECASE)
"""A word that may stand for an object of the step before."""

_PRONOUN_BEHIND_VERB = re.compile(r"\s+(?:it|them|that|this)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SENTENCE_END = re.compile(r"[;\n]|[.!?](?:\s|$)|\s(?=\((?:so that|because|in order to)\b)")
_NEW_CLAUSE = re.compile(
    r"(?:[,;.!?|+]\s|\s/\s|->|[=~]?>\s|[\u2192\u27a1\u21d2]\ufe0f?|\b(?:and|then|before|after"
    r"|while|where|followed by)\b|\s(?=\(?\d{1,4}[.)]\s))\s*(?:\(?\d{1,4}[.):]{1,2}\s*)?"
    rf"(?:(?:{'|'.join(sorted(CONNECTIVES))}|i|we|you|will|also|it|he|she|just|simply"
    r"|going to|after (?:that|this)|(?:the )?(?:robot|agent))\b(?:['\u2019](?:ll|m)\b)?[\s,]*)*"
    r"(?=([^\W\d_]+))",
    re.IGNORECASE,
)
_SAID_HAND = r"\b{hand}\b(?:[ -](?:hand(?:ed(?:ly)?)?|arm|gripper)\b)?[)\]]?"
_ALSO_SAID = {
    "in": "in|into|inside",
    "inside": "inside(?: of)?|into|in",
    "into": "into|in|inside",
    "on": "on|onto|on top of",
    "onto": "onto|on|on top of",
    "ontop": r"on ?top(?: of)?|onto|on",
    "nextto": "next to|beside",
    "off": "off",
}
"""Prepositions of names of actions, and those that say the same in a sentence."""
_REASON = re.compile(
    r"[\s*_`]*[,;]?\s*(?:\(|\u2014|\u2013|--?\s)?[\s*_`]*"
    r"(?:so\b|because\b|since\b|as\b|in order\b|for\b|which\b|that way\b|this\b|thus\b|thereby\b"
    r"|to (?:be|free|have|let|make|allow|enable|prepare|get|reach|avoid)\b"
    r"|(?:and )?then (?:the|your|my|it|you|i|we)\b[^,;.()]*\b(?:is|are|can|will|becomes?)\b)",
    re.IGNORECASE,
)
"""Words behind the objects of a step that begin a reason or a result: ``, so you can ...``."""
_ROLES = frozenset(["from", "to", "into", "onto", "source", "destination"])
_PLACE_FIRST = re.compile(
    r"\b(?:at|in|inside|on|from|with|using)\b(?:\s[^\W\d_]+){0,3}\s*$", re.IGNORECASE
)
"""Words before an object that is named before the verb: "At the depot, load ..."."""
_JOINED_PREPOSITIONS = {("next", "to"): "nextto", ("on", "top"): "ontop"}


class Parameter(NamedTuple):
    """A parameter of an action: its name, and which objects it may be."""

    name: str
    takes: Callable[[str], bool]
    kinds: frozenset[str]


class Signature(Protocol):
    """The parameters of actions, where a task has types."""

    def parameters(self, action: str) -> Sequence[Parameter]:
        """Return the parameters of an action."""


class NamedObject(NamedTuple):
    """An object that a clause names, and where."""

    name: str
    start: int
    end: int


class Clause(NamedTuple):
    """Where a clause begins and ends."""

    start: int
    stop: int


class Said(NamedTuple):
    """A step that a clause says: its action, its objects, and its place."""

    action: str
    objects: tuple[str, ...]
    start: int
    verb_end: int
    end: int


class _Form(NamedTuple):
    """A way to say an action: the words behind its verb, and the hand that is used."""

    action: str
    max_objects: int
    words: tuple[str, ...]
    hand: str


def inflected(verb: str) -> Iterator[str]:
    """Yield the forms of a verb that say a step: ``walk``, ``walks``, ``walking``."""
    yield verb
    yield f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"
    if verb.endswith("e") and not verb.endswith("ee"):
        yield f"{verb[:-1]}ing"
    else:
        yield f"{verb}ing"
        yield f"{verb}{verb[-1]}ing"


_IRREGULAR = {
    "ate": "eat", "brought": "bring", "drank": "drink", "found": "find", "got": "get",
    "held": "hold", "lay": "lie", "ran": "run", "sat": "sit", "slept": "sleep", "stood": "stand",
    "swept": "sweep", "took": "take", "went": "go", "woke": "wake",
}  # fmt: skip
"""Past forms of verbs that are no longer than the verbs."""
_PAST = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbe )(?<!\bbeen )(?<!\bbeing )(?<!\bgets )"
    rf"\b(?:(?P<regular>[^\W\d_]{{2,20}})ed|(?P<other>{'|'.join(_IRREGULAR)}))\b",
    re.IGNORECASE,
)
"""A word that may be the past of a verb, and no participle of a passive."""
_VERB_FORMS = frozenset(form for verb in VERBS for form in inflected(verb))
MAX_SENTENCE = 1_000
"""Maximum number of characters in which the end of a sentence is looked for.

Without it a long line of steps is searched to its end for each of them.
"""


def sentence_end(text: str, place: int) -> int:
    """Return where the sentence ends in which a place is."""
    limit = min(place + MAX_SENTENCE, len(text))
    found = _SENTENCE_END.search(text, place, limit)
    return found.start() if found else limit


def ordered(
    parameters: Sequence[Parameter], objects: Sequence[NamedObject], text: str
) -> tuple[list[str], bool] | None:
    """Return objects in the order of the parameters of an action, and whether their types fit.

    A preposition that is the name of a parameter (``from``, ``to``) says which one an object is.
    Otherwise the order of the text holds if the types allow it, and after that the only one that
    they allow. None if they allow several.
    """
    names = [each.name for each in objects]
    # By its place among the parameters: the object behind that parameter's preposition.
    placed = _placed_by_prepositions(parameters, objects, text)

    def fits(order: Sequence[str]) -> bool:
        for place, (parameter, name) in enumerate(zip(parameters, order, strict=True)):
            if name != IT and not parameter.takes(name):
                return False
            if placed.get(place, name) != name:
                return False
        return True

    if fits(names):
        return names, True
    if len(names) > MAX_ORDERED:
        return None
    orders = {order for order in permutations(names) if fits(order)}
    # Objects that may change places stay in the order of the text.
    kept = [order for order in orders if placed or _keeps_order(order, names, parameters)]
    if len(kept) == 1:
        return list(kept[0]), True
    return None if orders else (names, False)


def _placed_by_prepositions(
    parameters: Sequence[Parameter], objects: Sequence[NamedObject], text: str
) -> dict[int, str]:
    """Return the objects before which a preposition is the name of a parameter, by its place."""
    by_name = {each.name.lower(): place for place, each in enumerate(parameters)}
    placed: dict[int, str] = {}
    begin = 0
    for each in objects:
        before = words_of(text[begin : each.start])[-2:]
        role = next((by_name[word] for word in reversed(before) if word in by_name), None)
        if role is not None and words_of(parameters[role].name)[0] in _ROLES:
            placed[role] = each.name
        begin = each.end
    return placed


def _keeps_order(
    order: Sequence[str], names: Sequence[str], parameters: Sequence[Parameter]
) -> bool:
    """Whether objects that fit the same parameters stand in the order of the text."""
    for first in range(len(order)):
        for second in range(first + 1, len(order)):
            is_swapped = names.index(order[first]) > names.index(order[second])
            one, other = parameters[first], parameters[second]
            if is_swapped and one.takes(order[second]) and other.takes(order[first]):
                return False
    return True


class Sentences:
    """Reads steps out of clauses, by the names of a task.

    Args:
        actions: Written form of an action, its name and its number of objects.
        signature: The parameters of the actions, if they are known.
    """

    def __init__(
        self, actions: Iterable[tuple[str, str, int]], signature: Signature | None = None
    ) -> None:
        self.signature = signature
        self._forms: dict[str, list[_Form]] = {}
        self.bases: dict[str, str] = {}
        for form, name, count in actions:
            words = [word.lower() for word in _NAME_WORD.findall(form)]
            if not words or count < 0:
                continue
            hand = ""
            if words[0] in HANDS and len(words) > 1:
                hand = words.pop(0)
            verb, *rest = words
            self._add(verb, _Form(name, count, _prepositions(rest), hand))
            if rest:
                continue
            # "switchon" is also said as "switch ... on".
            for particle in PARTICLES:
                stem = verb.removesuffix(particle)
                if stem != verb and len(stem) > 1:
                    self._add(stem, _Form(name, count, (particle,), hand))

    def _add(self, verb: str, form: _Form) -> None:
        """Add a way to say an action under its verb, whose inflected forms are remembered."""
        for base in inflected(verb):
            self.bases.setdefault(base, verb)
        self._forms.setdefault(verb, []).append(form)

    def clause_end(self, text: str, place: int, names: Sequence[int] = ()) -> int:
        """Return where the clause ends in which a place is: before the next verb or sentence.

        Args:
            text: A line.
            place: The place.
            names: Where objects are named: a washing machine is no verb.
        """
        stop = sentence_end(text, place)
        for found in _NEW_CLAUSE.finditer(text, place, stop):
            if self.is_verb(found[1]) and found.start(1) not in names:
                return found.start()
        return stop

    def clauses(self, text: str, begin: int, stop: int) -> Iterator[Clause]:
        """Yield the clauses of a text that begin with a verb behind another clause."""
        for found in _NEW_CLAUSE.finditer(text, begin, stop):
            if self.is_verb(found[1]):
                end = self.clause_end(text, found.start(1))
                yield Clause(found.start(1), min(end, stop))

    def in_present(self, text: str) -> str:
        """Return a text of the same length with verbs in the present instead of the past."""
        return _PAST.sub(self._present, text)

    def _present(self, found: re.Match[str]) -> str:
        """Return the verb of which a word is the past, filled up with blanks; else the word."""
        if found["other"]:
            return _IRREGULAR[found[0].lower()].ljust(len(found[0]))
        stem = found["regular"].lower()
        for verb in (stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem):
            if self.bases.get(verb) == verb:
                return verb.ljust(len(found[0]))
        return found[0]

    def has_verb(self, text: str) -> bool:
        """Whether a text has a verb of an action, in any form."""
        return any(word in self.bases for word in words_of(self.in_present(text)))

    def is_verb(self, word: str) -> bool:
        """Whether a word is a verb that steps begin with."""
        return word.lower() in _VERB_FORMS or word.lower() in self.bases

    def said(
        self,
        text: str,
        objects: Sequence[NamedObject],
        actions: Sequence[tuple[int, int]],
        *,
        is_inflected: bool = False,
    ) -> Iterator[Said]:
        """Yield the steps that the clauses of a text say.

        Args:
            text: A line.
            objects: The objects that it names, in order.
            actions: Where whole names of actions stand; there nothing is looked for.
            is_inflected: Whether forms such as "walks" and "walking" count.
        """
        if not self._forms:
            return
        named = [*actions, *((each.start, each.end) for each in objects)]
        bounds = [found.end() for found in _SENTENCE_END.finditer(text)]
        begin = 0  # of the clause: behind the last sentence, and the last step
        for word in _WORD.finditer(text):
            verb = word[0].lower()
            if is_inflected:
                verb = self.bases.get(verb, "")
            forms = self._forms.get(verb)
            at = word.start()
            if forms is None or at < begin or any(start <= at < end for start, end in named):
                continue
            begin = max([begin, *(bound for bound in bounds if bound <= at)])
            step = self._meant(text, word, forms, objects, begin, is_inflected=is_inflected)
            if step is not None:
                yield step
                begin = step.end

    def _meant(
        self,
        text: str,
        verb: re.Match[str],
        forms: Sequence[_Form],
        objects: Sequence[NamedObject],
        begin: int,
        *,
        is_inflected: bool,
    ) -> Said | None:
        """Return the step that the clause behind a verb says; None if it is not clear which."""
        stop = self.clause_end(text, verb.end(), [each.start for each in objects])
        bare = _without(text[:stop], objects)
        named = [each for each in objects if begin <= each.start < stop]
        clause = _Clause(bare, begin, verb.start(), verb.end(), named)
        candidates: list[tuple[int, Said]] = []
        for form in forms:
            found = self._fitting(form, clause) if form.max_objects or is_inflected else None
            if found is not None:
                candidates.append(found)
        best = max((rank for rank, _ in candidates), default=0)
        meant = {said.action: said for rank, said in candidates if rank == best}
        return next(iter(meant.values())) if len(meant) == 1 else None

    def _fitting(self, form: _Form, clause: _Clause) -> tuple[int, Said] | None:
        """Return the step of a form that a clause says, ranked by the words that are written.

        None if words, a hand or objects of the form are missing, or the types of objects forbid it.
        """
        parameters = self.signature.parameters(form.action) if self.signature else ()
        words = _words_behind(form, clause, parameters)
        if words is None:
            return None
        hand_end = _end_of_hand(form.hand, clause)
        if hand_end < 0:
            return None
        objects = _objects_behind_verb(form, clause, words)
        end = max([words.end, hand_end, *(each.end for each in objects)])
        start = clause.verb_start
        # "On the table, put the cup": a place may stand before the verb.
        before = clause.objects_before() if parameters and len(objects) < form.max_objects else []
        if before and (found := _PLACE_FIRST.search(clause.bare, clause.begin, before[0].start)):
            start = found.start()
            objects = [*before, *objects]
        if len(objects) != form.max_objects:
            return None
        names = [each.name for each in objects]
        rank = words.written
        if not parameters:
            return rank + _FITTING, Said(form.action, tuple(names), start, clause.verb_end, end)
        order = ordered(parameters, objects, clause.bare)
        if order is None:
            return None
        names, fits = order
        if fits:
            rank += _FITTING
        elif words.is_implied:
            return None
        return rank, Said(form.action, tuple(names), start, clause.verb_end, end)


class _Clause(NamedTuple):
    """A clause with a verb: its text without objects, and the objects that it names."""

    bare: str
    begin: int
    verb_start: int
    verb_end: int
    objects: list[NamedObject]

    def objects_behind(self) -> list[NamedObject]:
        return [each for each in self.objects if each.start >= self.verb_end]

    def objects_before_reason(self, most: int) -> list[NamedObject]:
        """Return the objects behind the verb; of too many, those before a reason or a result."""
        objects = self.objects_behind()
        if not 0 < most < len(objects):
            return objects
        between = self.bare[objects[most - 1].end : objects[most].start]
        return objects[:most] if _REASON.match(between) else objects

    def objects_before(self) -> list[NamedObject]:
        return [each for each in self.objects if each.end <= self.verb_start]


class _Words(NamedTuple):
    """Where the words of an action end, how many letters are written, if any is implied."""

    end: int
    written: int
    is_implied: bool


_FITTING = 1_000
"""Rank of a step whose objects are of the right types, above any number of letters."""


def _words_behind(form: _Form, clause: _Clause, parameters: Sequence[Parameter]) -> _Words | None:
    """Find the words of an action behind its verb; None if one is neither written nor implied."""
    end, written, is_implied = clause.verb_end, 0, False
    for word in form.words:
        pattern = re.compile(rf"\b(?:{_ALSO_SAID.get(word, word)})\b", re.IGNORECASE)
        found = pattern.search(clause.bare, end)
        if found is not None:
            end = found.end()
            written += len(found[0])
        elif any(word in parameter.kinds for parameter in parameters):
            is_implied = True
        else:
            return None
    return _Words(end, written, is_implied)


def _objects_behind_verb(form: _Form, clause: _Clause, words: _Words) -> list[NamedObject]:
    """Return the objects behind the verb of a clause, with the pronoun that stands for one."""
    objects = clause.objects_before_reason(form.max_objects)
    if form.hand:
        if form.words and len(objects) > form.max_objects:
            # "Put the cup on the table with the left hand": the cup is held already.
            objects = [each for each in objects if each.start >= words.end]
        objects = objects[: form.max_objects]
        if len(objects) == form.max_objects:
            return objects  # a pronoun is the object that is held
    # Behind the verb a pronoun is an object: "put it on the bed" is not "put on the bed".
    pronoun = _PRONOUN_BEHIND_VERB.match(clause.bare, clause.verb_end)
    if pronoun is None and len(objects) < form.max_objects:
        pronoun = PRONOUN.search(clause.bare, clause.verb_end)
    if pronoun is None:
        return objects
    it = NamedObject(IT, pronoun.start(), pronoun.end())
    return sorted([*objects, it], key=lambda each: each.start)


def _end_of_hand(hand: str, clause: _Clause) -> int:
    """Return where a clause names a hand; 0 if before its verb or not needed, -1 if nowhere."""
    if not hand:
        return 0
    pattern = re.compile(_SAID_HAND.format(hand=hand), re.IGNORECASE)
    behind = pattern.search(clause.bare, clause.verb_end)
    if behind is not None:
        return behind.end()
    return 0 if pattern.search(clause.bare, clause.begin, clause.verb_start) else -1


def _prepositions(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a name, those that are one preposition joined: ``next to``."""
    joined: list[str] = []
    for word in words:
        pair = (joined[-1], word) if joined else ("", word)
        if pair in _JOINED_PREPOSITIONS:
            joined[-1] = _JOINED_PREPOSITIONS[pair]
        else:
            joined.append(word)
    return tuple(joined)


def _without(text: str, objects: Sequence[NamedObject]) -> str:
    """Return a text of the same length in which no object is named."""
    for each in objects:
        if each.start < len(text):
            text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    return text
