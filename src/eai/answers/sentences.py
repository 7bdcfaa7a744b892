"""Steps in sentences: "With the left hand, put the rag inside the bucket".

The name of an action is split into words: a verb, words that belong to it (``switch on``,
``load truck``), and perhaps the hand that is used (``left_grasp``). A clause is a step of the
action if it has the verb and, anywhere behind the verb, the other words. A word that only names the
type of an object may be missing. The objects of the clause are those of the step, in an order that
the types of the parameters and prepositions such as "to" allow. If two actions fit equally well,
the clause is no step.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise, permutations
from typing import NamedTuple, Protocol

from eai.answers.cleaning import blank_out
from eai.answers.plan import CONNECTIVES, HANDS, PARTICLES, VERBS, words_of

MAX_ORDERED = 6
"""Maximum number of objects whose orders are tried out."""
IT = "it"
"""It stands among the objects of a step for one of a step before."""
PRONOUN = re.compile(r"(?<!where )\b(?:it|them|that|this)\b", re.IGNORECASE)
"""A word that may stand for an object of the step before."""

_PRONOUN_BEHIND_VERB = re.compile(r"\s+(?:it|them|that|this)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SENTENCE_END = re.compile(r"\n|;(?!\w)|[.!?](?:\s|$)|\s(?=\((?:so that|because|in order to)\b)")
_NEW_CLAUSE = re.compile(
    r"(?:[,.!?|+]\s|;\s?|\s/\s|->|[=~]?>\s|[\u2192\u27a1\u21d2]\ufe0f?|\b(?:and|then|before|after"
    r"|while|where|followed by)\b|\s(?=\(?\d{1,4}[.)]\s))\s*(?:\(?\d{1,4}[.):]{1,2}\s*)?"
    rf"(?:(?:{'|'.join(sorted(CONNECTIVES))}|there|i|we|you|will|had|also|it|he|she|just"
    r"|simply|should|must|(?:needs?|has|have|had|going) to|after (?:that|this)"
    r"|(?:start|begin|continue|proceed|finish|end)(?:e?s|ed|n?ing)? (?:by|to)|began by"
    r"|(?!(?:possib|probab|hopeful|optional|supp)ly\b)[a-z]{4,12}ly"
    r"|(?:(?:the|an?) )?(?:robot|agent))\b"
    r"(?:['\u2019](?:ll|m)\b)?(?:(?: am| is| are|['\u2019](?:m|s|re)) going to\b)?[\s,]*)*"
    r"[*_`]{0,3}(?=([^\W\d_]+))",
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
_HAS_OBJECT = re.compile(
    r"\s*(?:(?:the|an?|one|some|this|that|its|his|her|their|my|your)\s+)?$", re.IGNORECASE
)
"""Text between a verb and its object. "Take care of the cup" does not say what is taken."""
_LIST_GAP = re.compile(
    r"\s*(?:,\s*(?:and\s)?|and\s|&\s|as well as\s)\s*(?:(?:the|an?)\s+)?", re.IGNORECASE
)
"""Words between two objects of a list."""
_EXPLAINING_SIGN = re.compile(r"[*_`]{0,3}:\s|\s[-\u2013\u2014]{1,2}\s|\s\((?![\w.]+(?: \d+)?\))")
"""A sign behind the objects of a step, behind which it is explained."""
_DETERMINER = re.compile(r"\b(?:the|an?|this|that|each|every|no)\s$", re.IGNORECASE)
"""A word before a noun: the "point" of "at this point" is no verb."""
_MORE_OBJECTS = re.compile(
    r"\s*,?\s*(?:and|or|then|as well as|in|inside|at|from|on|near|next to|beside|by|with|using)\b"
    r"|,\s",
    re.IGNORECASE,
)
"""Words behind the only object of a step, and before one more or its place."""
_ROLES = frozenset(["from", "to", "into", "onto", "source", "destination"])
_PLACE_FIRST = re.compile(
    r"\b(?:at|in|inside|on|from|with|using)\b(?:\s[^\W\d_]+){0,3}\s*$", re.IGNORECASE
)
"""Words before an object that is named before the verb: "At the depot, load ..."."""
_JOINED_PREPOSITIONS = {("next", "to"): "nextto", ("on", "top"): "ontop"}


class Parameter(NamedTuple):
    """A parameter of an action.

    Args:
        name: Its name.
        takes: Whether an object may be its value.
        kinds: Names of its types.
    """

    name: str
    takes: Callable[[str], bool]
    kinds: frozenset[str]


class Signature(Protocol):
    """The parameters of actions, where a task has types."""

    def parameters(self, action: str) -> Sequence[Parameter]:
        """Return the parameters of an action."""


class NamedObject(NamedTuple):
    """An object that a line names, with begin and end of its name."""

    name: str
    start: int
    end: int


class Clause(NamedTuple):
    """Begin and end of a clause in its line."""

    start: int
    stop: int


class ClauseStep(NamedTuple):
    """A step that a clause says.

    Args:
        action: Name of the action.
        objects: Its objects, in the order of its parameters; ``"it"`` for a pronoun.
        start: Where the step begins in the line.
        verb_end: Where its verb ends.
        end: Where the step ends.
        saying: The words that it has instead of the action's name; empty if it has the name.
        listed: Further objects in the place of the first: "put the cup and the fork on the table".
    """

    action: str
    objects: tuple[str, ...]
    start: int
    verb_end: int
    end: int
    saying: str = ""
    listed: tuple[str, ...] = ()


class _Form(NamedTuple):
    """A way to say an action.

    Args:
        action: Name of the action.
        max_objects: Number of its objects.
        words: The words behind its verb: ``("on",)`` of "switch on".
        hand: The hand that is used; empty if none is named.
        saying: The words in full if they are not the action's name: "turn on" for SWITCHON.
    """

    action: str
    max_objects: int
    words: tuple[str, ...]
    hand: str
    saying: str = ""


def third_person(verb: str) -> str:
    """Return a verb as it stands behind "he": ``walks``, ``pushes``."""
    if verb == "have":
        return "has"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"


def inflected_forms(verb: str) -> Iterator[str]:
    """Yield the forms of a verb that say a step: ``walk``, ``walks``, ``walking``."""
    yield verb
    yield third_person(verb)
    if verb.endswith("ie"):
        yield f"{verb[:-2]}ying"
    elif verb.endswith("e") and not verb.endswith("ee"):
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
_PARTICIPLES = {"drunk": "drink", "eaten": "eat", "taken": "take", "woken": "wake"}
"""Participles that are neither regular nor as long as the past: "put" is its own verb."""
_PAST = re.compile(
    rf"\b(?:(?P<regular>[^\W\d_]{{2,20}})ed|(?P<other>{'|'.join(_IRREGULAR)}))\b",
    re.IGNORECASE,
)
"""A word that may be the past of a verb."""
_BEFORE_PARTICIPLE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|gets?|got)(?: then| now| also| finally| \w+ly)?\s$",
    re.IGNORECASE,
)
"""Words before the participle of a passive: "the door is then opened"."""
_VERB_FORMS = frozenset(form for verb in VERBS for form in inflected_forms(verb))
MAX_SENTENCE = 500
"""Maximum number of characters in which the end of a sentence is looked for.

Without it a long line of steps is searched to its end for each of them.
"""


def _last_before(sorted_offsets: Sequence[int], offset: int) -> int:
    """Return the last of some offsets that is not behind another; 0 if there is none."""
    count = bisect_right(sorted_offsets, offset)
    return sorted_offsets[count - 1] if count else 0


def sentence_end(text: str, offset: int) -> int:
    """Return where the sentence around an offset ends."""
    limit = min(offset + MAX_SENTENCE, len(text))
    end = _SENTENCE_END.search(text, offset, limit)
    return limit if end is None else end.start()


def order_by_parameters(
    parameters: Sequence[Parameter], objects: Sequence[NamedObject], text: str
) -> tuple[list[str], bool] | None:
    """Return objects in the order of the parameters of an action, and whether their types fit.

    A preposition that is the name of a parameter (``from``, ``to``) tells which parameter the
    object behind it is. Otherwise objects keep the order of the text if the types allow it, else
    the only order that the types allow. None if they allow several.

    Args:
        parameters: The parameters of the action, as many as there are objects.
        objects: The objects, in the order of the text.
        text: The sentence.
    """
    names = [named_object.name for named_object in objects]
    placed_objects = _placed_by_prepositions(parameters, objects, text)

    def fits(order: Sequence[str]) -> bool:
        for index, (parameter, name) in enumerate(zip(parameters, order, strict=True)):
            if name != IT and not parameter.takes(name):
                return False
            if placed_objects.get(index, name) != name:
                return False
        return True

    if fits(names):
        return names, True
    if len(names) > MAX_ORDERED:
        return None
    orders = {order for order in permutations(names) if fits(order)}
    # Objects that may change places stay in the order of the text.
    possible_orders = [
        order for order in orders if placed_objects or _keeps_order(order, names, parameters)
    ]
    if len(possible_orders) == 1:
        return list(possible_orders[0]), True
    return None if orders else (names, False)


def _placed_by_prepositions(
    parameters: Sequence[Parameter], objects: Sequence[NamedObject], text: str
) -> dict[int, str]:
    """Return index of a parameter to the object behind the preposition that is its name."""
    index_of_parameter = {
        parameter.name.lower(): index for index, parameter in enumerate(parameters)
    }
    object_by_index: dict[int, str] = {}
    begin = 0
    for named_object in objects:
        words = words_of(text[begin : named_object.start])[-2:]
        indices = [index_of_parameter[word] for word in words if word in index_of_parameter]
        if indices and words_of(parameters[indices[-1]].name)[0] in _ROLES:
            object_by_index[indices[-1]] = named_object.name
        begin = named_object.end
    return object_by_index


def _keeps_order(
    order: Sequence[str], names: Sequence[str], parameters: Sequence[Parameter]
) -> bool:
    """Whether objects that fit the same parameters stand in the order of the text.

    Args:
        order: The objects in the order of the parameters.
        names: The objects in the order of the text.
        parameters: The parameters.
    """
    for first_index in range(len(order)):
        for second_index in range(first_index + 1, len(order)):
            first, second = order[first_index], order[second_index]
            if names.index(first) <= names.index(second):
                continue
            # The text names them the other way round. Only their types may force that.
            if parameters[first_index].takes(second) and parameters[second_index].takes(first):
                return False
    return True


def _is_other_word(text: str, word: re.Match[str]) -> bool:
    """Whether a word with the letters of a verb is a noun, "the wash", or in "find out"."""
    if word[0].lower().startswith("find") and text.startswith(" out ", word.end()):
        return True
    return _DETERMINER.search(text, max(word.start() - 8, 0), word.start()) is not None


class Sentences:
    """Reads steps out of clauses, by the names of a task.

    Args:
        actions: Written forms of the actions, each with the name of the action and the number of
            its objects.
        sayings: The same for what else sentences call the actions.
        signature: The parameters of the actions, if they are known.
    """

    def __init__(
        self,
        actions: Iterable[tuple[str, str, int]],
        sayings: Iterable[tuple[str, str, int]] = (),
        signature: Signature | None = None,
    ) -> None:
        """Index the forms of the actions by their verbs."""
        self.signature = signature
        self._forms: dict[str, list[_Form]] = {}
        self.bases: dict[str, str] = {}
        for form, name, count in actions:
            if count >= 0:
                self._add_action(form, name, count)
        for saying, name, count in sayings:
            self._add_action(saying, name, count, is_saying=True)

    def _add_action(
        self, written: str, name: str, max_objects: int, *, is_saying: bool = False
    ) -> None:
        """Add the forms of an action: a verb, words behind it, and perhaps a hand before it.

        Args:
            written: A written form of the action: ``left_grasp``, ``switchon``.
            name: Name of the action.
            max_objects: Number of its objects.
            is_saying: Whether the form is not the name of the action: ``turn on``.
        """
        words = [word.lower() for word in _NAME_WORD.findall(written)]
        if not words:
            return
        has_hand = words[0] in HANDS and len(words) > 1
        hand = words.pop(0) if has_hand else ""
        verb, *words_behind = words
        saying = written if is_saying else ""
        form = _Form(name, max_objects, _join_prepositions(words_behind), hand, saying)
        self._add_form(verb, form)
        if words_behind:
            return
        # "switchon" is also said as "switch ... on".
        for particle in PARTICLES:
            stem = verb.removesuffix(particle)
            if stem != verb and len(stem) > 1:
                self._add_form(stem, _Form(name, max_objects, (particle,), hand))

    def _add_form(self, verb: str, form: _Form) -> None:
        """Add a form of an action under its verb, and the inflected forms of the verb."""
        for base in inflected_forms(verb):
            self.bases.setdefault(base, verb)
        self._forms.setdefault(verb, []).append(form)

    def find_clause_end(self, text: str, offset: int, name_starts: Sequence[int] = ()) -> int:
        """Return where the clause around an offset ends: before the next verb or sentence.

        Args:
            text: A line.
            offset: The offset.
            name_starts: Where objects are named. The "washing" of a washing machine is no verb.
        """
        stop = sentence_end(text, offset)
        for clause in _NEW_CLAUSE.finditer(text, offset, stop):
            if self.is_verb(clause[1]) and clause.start(1) not in name_starts:
                return clause.start()
        return stop

    def find_clauses(self, text: str, begin: int, stop: int) -> Iterator[Clause]:
        """Yield the clauses between two offsets that begin with a verb behind another clause."""
        for clause in _NEW_CLAUSE.finditer(text, begin, stop):
            if self.is_verb(clause[1]):
                end = self.find_clause_end(text, clause.start(1))
                yield Clause(clause.start(1), min(end, stop))

    def in_present(self, text: str) -> str:
        """Return a text of the same length with verbs in the present instead of the past."""
        return _PAST.sub(self._present_of, text)

    def _present_of(self, past: re.Match[str]) -> str:
        """Return the verb of a past form, filled up with blanks; the same word if it has none."""
        word = past[0]
        if _BEFORE_PARTICIPLE.search(past.string[max(past.start() - 30, 0) : past.start()]):
            return word
        if past["other"]:
            return _IRREGULAR[word.lower()].ljust(len(word))
        verb = self._verb_of_stem(past["regular"].lower())
        return verb.ljust(len(word)) if verb else word

    def _verb_of_stem(self, stem: str) -> str:
        """Return the verb of an action whose past is a stem and "ed"; empty if there is none."""
        candidates = [stem, f"{stem}e"]  # opened, moved
        if stem[-1:] == stem[-2:-1]:
            candidates.append(stem[:-1])  # grabbed
        for verb in candidates:
            if self.bases.get(verb) == verb:
                return verb
        return ""

    def verb_of_participle(self, word: str) -> str:
        """Return the verb of an action whose participle a word is: ``opened``; empty if none."""
        word = word.lower()
        verb = _IRREGULAR.get(word) or _PARTICIPLES.get(word, word)
        if word.endswith("ed"):
            verb = self._verb_of_stem(word[:-2])
        return verb if self.bases.get(verb) == verb else ""

    def has_verb(self, text: str) -> bool:
        """Whether a text has a verb of an action, in any form."""
        return any(word in self.bases for word in words_of(self.in_present(text)))

    def is_verb(self, word: str) -> bool:
        """Whether a word is a verb that steps begin with."""
        return word.lower() in _VERB_FORMS or word.lower() in self.bases

    def find_steps(
        self,
        text: str,
        objects: Sequence[NamedObject],
        actions: Sequence[tuple[int, int]],
        *,
        is_inflected: bool = False,
    ) -> Iterator[ClauseStep]:
        """Yield the steps in the clauses of a line.

        Args:
            text: The line.
            objects: The objects that it names, in order.
            actions: Begin and end of each name of an action, in which no verb is looked for.
            is_inflected: Whether forms such as "walks" and "walking" count.
        """
        if not self._forms:
            return
        line: _Line | None = None
        clause_start = 0  # behind the last sentence, and behind the last step
        for word in _WORD.finditer(text):
            verb = word[0].lower()
            if is_inflected:
                verb = self.bases.get(verb, "")
            forms = self._forms.get(verb)
            if forms is None or word.start() < clause_start:
                continue
            # A verb in a name is no verb: "the stop button", "washing_machine"; nor is a noun.
            if _is_other_word(text, word):
                continue
            line = line or _Line.of(text, objects, actions)  # it takes time, and few have a verb
            if word.start() in line.name_offsets:
                continue
            clause_start = max(clause_start, _last_before(line.sentence_ends, word.start()))
            step = self._step_of_verb(line, word, forms, clause_start, is_inflected=is_inflected)
            if step is not None:
                yield step
                clause_start = step.end

    def _step_of_verb(
        self,
        line: _Line,
        verb: re.Match[str],
        forms: Sequence[_Form],
        begin: int,
        *,
        is_inflected: bool,
    ) -> ClauseStep | None:
        """Return the step in the clause of a verb; None if there is none, or it is not clear which.

        Args:
            line: The line.
            verb: The verb.
            forms: The forms of actions with this verb.
            begin: Where the clause begins.
            is_inflected: Whether forms such as "walks" and "walking" count.
        """
        clause_end = self.find_clause_end(line.text, verb.end(), line.object_starts)
        # "Put the cup back: PUTBACK(cup)": what stands behind the sign is another clause.
        has_hand = any(form.hand for form in forms)
        sign = None if has_hand else _EXPLAINING_SIGN.search(line.text, verb.end(), clause_end)
        if sign is not None and line.objects_between(verb.end() + 1, sign.start()):
            clause_end = sign.start()
        clause_objects = line.objects_between(begin, clause_end)
        bare_text = line.bare_text[:clause_end]
        clause = _Clause(bare_text, begin, verb.start(), verb.end(), clause_objects)
        ranked_steps: list[tuple[int, ClauseStep]] = []
        for form in forms:
            ranked_step = (
                self._step_of_form(form, clause) if form.max_objects or is_inflected else None
            )
            if ranked_step is not None:
                ranked_steps.append(ranked_step)
        # Where two actions fit equally well, none is meant.
        best_rank = max((rank for rank, _ in ranked_steps), default=0)
        best_steps = {step.action: step for rank, step in ranked_steps if rank == best_rank}
        return next(iter(best_steps.values())) if len(best_steps) == 1 else None

    def _step_of_form(self, form: _Form, clause: _Clause) -> tuple[int, ClauseStep] | None:
        """Return the rank of the step that a form of an action makes of a clause, and the step.

        A step ranks higher if the types of its objects fit, after that by how many letters of its
        words are written, and last by how many objects it has. None if words, a hand or objects of
        the form are missing, or if the types leave the order of the objects open.
        """
        parameters = self.signature.parameters(form.action) if self.signature else ()
        # "put the cup on the table": the words of the form are around and between the objects.
        words = _words_behind(form, clause, parameters)
        hand_end = _end_of_hand(form.hand, clause)
        if words is None or hand_end < 0:
            return None
        named = _objects_of_form(form, clause, words, parameters)
        if len(named.objects) != form.max_objects or not _fits_saying(form, clause, words, named):
            return None
        names, types_fit = [each.name for each in named.objects], True
        if parameters:
            # "Fill the cup with water" and "pour water into the cup" have the same parameters.
            order = order_by_parameters(parameters, named.objects, clause.bare)
            if order is None:
                return None
            names, types_fit = order
        # A word that is only implied needs the types as evidence that this action is meant.
        if words.is_implied and not types_fit:
            return None
        # "Put it back on the shelf" says more than "put it back".
        rank = _MAX_WRITTEN * words.written + len(names) + (_FITTING if types_fit else 0)
        step = ClauseStep(
            form.action,
            tuple(names),
            named.start,
            clause.verb_end,
            max([words.end, hand_end, named.end]),
            form.saying,
            tuple(named.listed),
        )
        return rank, step


class _Line(NamedTuple):
    """A line, and what is found in it once for all its verbs.

    Args:
        text: The line.
        bare_text: The line with blanks in place of objects.
        objects: The objects that it names, in order.
        object_starts: Where each of them begins.
        name_offsets: The offsets inside of names.
        sentence_ends: Where each of its sentences ends.
    """

    text: str
    bare_text: str
    objects: Sequence[NamedObject]
    object_starts: Sequence[int]
    name_offsets: Collection[int]
    sentence_ends: Sequence[int]

    @classmethod
    def of(
        cls, text: str, objects: Sequence[NamedObject], actions: Sequence[tuple[int, int]]
    ) -> _Line:
        """Return a line with the objects and the names of actions in it."""
        spans = [(each.start, each.end) for each in objects]
        return cls(
            text,
            blank_out(text, spans),
            objects,
            [start for start, _ in spans],
            {offset for span in (*actions, *spans) for offset in range(*span)},
            [end.end() for end in _SENTENCE_END.finditer(text)],
        )

    def objects_between(self, begin: int, end: int) -> Sequence[NamedObject]:
        """Return the objects that begin between two offsets."""
        first = bisect_left(self.object_starts, begin)
        return self.objects[first : bisect_left(self.object_starts, end)]


class _Clause(NamedTuple):
    """A clause with a verb.

    Args:
        bare: The line up to the end of the clause, with blanks in place of objects.
        begin: Where the clause begins.
        verb_start: Where its verb begins.
        verb_end: Where its verb ends.
        objects: The objects that it names.
    """

    bare: str
    begin: int
    verb_start: int
    verb_end: int
    objects: Sequence[NamedObject]

    def objects_behind(self) -> list[NamedObject]:
        """Return the objects behind the verb."""
        return [each for each in self.objects if each.start >= self.verb_end]

    def objects_of_step(self, max_objects: int, words_end: int) -> list[NamedObject]:
        """Return the objects behind the verb; if they are too many, those of one step.

        A reason may name more of them, and so may a place, "the cup on the table", or more steps
        of the same verb, "the cup and the plate".

        Args:
            max_objects: Number of objects that the action takes.
            words_end: Where the words of the action end, which may stand behind an object.
        """
        objects = self.objects_behind()
        if not 0 < max_objects < len(objects):
            return objects
        end = objects[max_objects - 1].end
        between = self.bare[end : objects[max_objects].start]
        between_behind_words = self.bare[max(end, words_end) : objects[max_objects].start]
        is_over = _REASON.match(between) or (
            max_objects == 1 and _MORE_OBJECTS.match(between_behind_words)
        )
        return objects[:max_objects] if is_over else objects

    def listed_objects(self, objects: Sequence[NamedObject]) -> list[NamedObject]:
        """Return the objects between the first and the place of all: "the fork" of "... on it".

        None are returned if anything but commas and "and" stands between those before the place.
        """
        gaps = [self.bare[first.end : second.start] for first, second in pairwise(objects[:-1])]
        if not gaps or not all(map(_LIST_GAP.fullmatch, gaps)) or gaps[-1].strip() == ",":
            return []
        return list(objects[1:-1])


class _Words(NamedTuple):
    """The words of an action behind its verb, as a clause has them.

    Args:
        end: Where the last of them ends.
        written: Number of letters that are written.
        is_implied: Whether one is missing and names the type of an object.
    """

    end: int
    written: int
    is_implied: bool


class _ObjectsOfForm(NamedTuple):
    """The objects that a clause names for a form of an action.

    Args:
        objects: The objects, in the order of the text.
        listed: The names of further objects in the place of the first.
        start: Where the step begins: at its verb, or at a place before that.
        end: Where the last object behind the verb ends; 0 if there is none.
    """

    objects: list[NamedObject]
    listed: list[str]
    start: int
    end: int


def _objects_of_form(
    form: _Form, clause: _Clause, words: _Words, parameters: Sequence[Parameter]
) -> _ObjectsOfForm:
    """Return the objects of a clause, those of a place before the verb among them.

    Args:
        form: The form of the action.
        clause: The clause.
        words: The words of the form in the clause.
        parameters: The parameters of the action, if they are known.
    """
    objects = _objects_behind_verb(form, clause, words)
    is_listing = form.max_objects == 2 and not (form.hand or parameters)
    listed = clause.listed_objects(objects) if is_listing else []
    objects = [each for each in objects if each not in listed]
    end = max((each.end for each in objects), default=0)
    start = clause.verb_start
    if parameters and len(objects) < form.max_objects:
        # "On the table, put the cup": a place may stand before the verb.
        objects_before = [each for each in clause.objects if each.end <= clause.verb_start]
        place = objects_before and _PLACE_FIRST.search(
            clause.bare, clause.begin, objects_before[0].start
        )
        if place:
            start = place.start()
            objects = [*objects_before, *objects]
    return _ObjectsOfForm(objects, [each.name for each in listed], start, end)


_MAX_WRITTEN = 100
"""Rank of a written letter, above any number of objects."""
_FITTING = 100_000
"""Rank of a step whose objects are of the right types, above any number of letters."""


def _words_behind(form: _Form, clause: _Clause, parameters: Sequence[Parameter]) -> _Words | None:
    """Return the words of an action behind its verb; None if one is neither written nor implied."""
    end = clause.verb_end
    letter_count = 0
    is_implied = False
    for word in form.words:
        pattern = re.compile(rf"\b(?:{_ALSO_SAID.get(word, word)})\b", re.IGNORECASE)
        match = pattern.search(clause.bare, end)
        if match is not None:
            end = match.end()
            letter_count += len(match[0])
        elif any(word in parameter.kinds for parameter in parameters):
            is_implied = True
        else:
            return None
    return _Words(end, letter_count, is_implied)


def _objects_behind_verb(form: _Form, clause: _Clause, words: _Words) -> list[NamedObject]:
    """Return the objects behind the verb of a clause, with a pronoun that stands for one."""
    if not form.hand:
        objects = clause.objects_of_step(form.max_objects, words.end)
    else:
        objects = clause.objects_behind()
        if form.words and len(objects) > form.max_objects:
            # "Put the cup on the table with the left hand": the cup is held already.
            objects = [named_object for named_object in objects if named_object.start >= words.end]
        objects = objects[: form.max_objects]
        if len(objects) == form.max_objects:
            return objects  # a pronoun is the object that is held
    # Behind the verb a pronoun is an object: "put it on the bed" is not "put on the bed".
    pronoun = _PRONOUN_BEHIND_VERB.match(clause.bare, clause.verb_end)
    if pronoun is None and len(objects) < form.max_objects:
        pronoun = PRONOUN.search(clause.bare, clause.verb_end)
    if pronoun is None:
        return objects
    pronoun_object = NamedObject(IT, pronoun.start(), pronoun.end())
    return sorted([*objects, pronoun_object], key=lambda named_object: named_object.start)


def _end_of_hand(hand: str, clause: _Clause) -> int:
    """Return where a clause names a hand behind its verb.

    0 if no hand is needed or it is named before the verb, -1 if the clause does not name it.
    """
    if not hand:
        return 0
    pattern = re.compile(_SAID_HAND.format(hand=hand), re.IGNORECASE)
    match_behind = pattern.search(clause.bare, clause.verb_end)
    if match_behind is not None:
        return match_behind.end()
    return 0 if pattern.search(clause.bare, clause.begin, clause.verb_start) else -1


def _fits_saying(form: _Form, clause: _Clause, words: _Words, named: _ObjectsOfForm) -> bool:
    """Whether a clause is written as a saying may be; True for the names of actions.

    Calls and scripts need the name of the action. The object of a saying of one word stands right
    behind it: "take the cup", and so does that of "return to". Other words may stand behind the
    object: "pick the cup up".
    """
    if not form.saying:
        return True
    sign_before = clause.bare[: clause.verb_start][-1:]
    if sign_before in ("[", "<") or clause.bare[words.end : words.end + 1] == "(":
        return False
    if form.words:
        return form.words[-1] != "to" or named.objects[-1].start >= words.end
    object_start = named.objects[0].start
    return _HAS_OBJECT.match(clause.bare, clause.verb_end, object_start) is not None


def _join_prepositions(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a name, with prepositions of two words as one: ``next to``."""
    joined: list[str] = []
    for word in words:
        pair = (joined[-1], word) if joined else ("", word)
        if pair in _JOINED_PREPOSITIONS:
            joined[-1] = _JOINED_PREPOSITIONS[pair]
        else:
            joined.append(word)
    return tuple(joined)
