"""The written forms of a task's actions and objects, and where a text mentions them.

Names are compared by their letters and digits only, and the longest run of neighbouring words
that is a name wins. So ``light.34``, ``light 34``, ``Light (34)``, ``switch on``, ``SWITCH_ON`` and
whole skills such as "pick up the Mug" need no rule of their own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from eai.answers.cleaning import blank_out
from eai.answers.idioms import is_idiom
from eai.answers.number_words import NUMBER_WORDS, ORDINALS
from eai.answers.plan import HANDS, PARTICLES, answer_words, words_of
from eai.answers.sentences import ClauseStep, NamedObject, Sentences, Signature
from eai.text import lazy_pattern

if TYPE_CHECKING:
    from eai.task import Vocabulary

MAX_WORDS = 8
"""Maximum number of words that are joined to one name, unless the task has longer names."""

_MAX_REMEMBERED = 1_000
"""Maximum number of characters of a text whose mentions are remembered."""
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+|[^\W\d_A-Za-z\u00c0-\u024f]+|\d+")
_BEFORE_ID = frozenset(["id", "no", "number", "at", "position", "location"])
"""They may stand between the name of an object and its id: "the light (id: 64)"."""
_TO_ID = frozenset(["with", "the", "its", "whose", "is", "located"]) | _BEFORE_ID
"""Words on the way to an id: "the light with the id 64"."""
_MAX_TO_ID = 3
_SAME_AGAIN = re.compile(
    r"(?P<comma>,)?\s*[(\[]?\s*(?:(?:i\.e\.|namely|called|named|labell?ed|located at|that is|is|=|:"
    r"|(?:with |by )?(?:the |its )?(?:id|name|identifier)(?: is)?|object)[\s:=,]{1,3}){0,3}"
    r"[`'\"*<\u201c\u2018]{0,3}",
    re.IGNORECASE,
)
"""Text between the class of an object and its name: "the light (light.64)"."""
_ARTICLE = re.compile(r"\b(?:the|a|an|this|that)\s(?:\w+\s)?$", re.IGNORECASE)
GOING = frozenset(["go", "navigate", "run", "walk"])
_FUSED = ("in", "on", "off", "out", "back")
"""Particles with which the names of actions end that are no ways of going."""
_SAME_WITH: dict[str, frozenset[str]] = {
    "to": GOING,
    "toward": GOING,
    "towards": GOING,
    "up": frozenset(["clean", "grab", "lift", "open", "pick", "take"]),
    "on": frozenset(["lie", "press", "sit", "sleep", "step", "type"]),
    "in": frozenset(["lie", "sit", "sleep"]),
    "down": frozenset(["lie", "sit"]),
    "at": frozenset(["look", "point"]),
}
"""Words behind a verb, and the verbs that mean the same without them; "move to" is not MOVE."""
# A verb in the present is filled up with blanks to the length of its past: "move  to".
_TO = re.compile(r"[ _-] {0,5}to(?:wards?)?(?![^\W_])", re.IGNORECASE)
_SAID_NAME = re.compile(r"[^\W\d_]+[ _-][^\W\d_]+")
"""A name of two words without brackets: "walk_to"."""
_FAR_BEFORE = 300
"""Number of characters before the number of a step in which that of the step before stands."""
_NUMBER = re.compile(r"(\d{1,6})[.):]")
"""The number of a step."""
_NUMBERS_STEP = re.compile(r"\d{1,6}[.)] [^\W\d]")
"""The number of a step, and the begin of the step."""
_BEGINS_IN_BRACKETS = re.compile(r"(?:^|[:.\n])[ \t]*\(1\)")
"""The first number of steps that are numbered in brackets: ``(1) find a Cup (2) take it``."""
_BREAK = re.compile(r"[\n;\[\]{}|]|[.?!:]\s|,\s*(?=\D)")
"""Text between two words that parts their names, unless the second is a number."""


@lru_cache(maxsize=1 << 14)
def squeezed(text: str) -> str:
    """Return the letters and digits of a text, in small letters."""
    return "".join(_WORD.findall(text.lower()))


def _hand_and_key(name: str) -> tuple[str, str]:
    """Return the hand and the rest of the name of an action: ``left_grasp``; no hand is "".

    The rest is squeezed.
    """
    hand, _, rest = name.partition("_")
    if hand in HANDS:
        return hand, squeezed(rest)
    return "", squeezed(name)


class Mention(NamedTuple):
    """An action or an object that a text names.

    Args:
        is_action: Whether it is an action.
        name: Its name, or that of a class of objects.
        start: Where its name begins in the text.
        end: Where its name ends.
        clause_step: The whole step, if a clause has the words of an action in several places.
    """

    is_action: bool
    name: str
    start: int
    end: int
    clause_step: ClauseStep | None = None


def _index_of_id(words: list[tuple[str, int, int]], index: int) -> int:
    """Return the index of the id to which words lead, "(id: 64)"; the same index if to none."""
    if words[index][0] not in _TO_ID:
        return index
    id_index = index
    last_index = min(index + _MAX_TO_ID, len(words) - 1)
    while id_index <= last_index and words[id_index][0] in _TO_ID:
        id_index += 1
    if id_index > last_index:
        return index
    leads_to_id = words[id_index - 1][0] in _BEFORE_ID and words[id_index][0].isdigit()
    return id_index if leads_to_id else index


_JOINED = lazy_pattern(r"(?:[_-][^\W_]+){1,8}")
"""Words that are joined to the name before them."""
_SIDES = frozenset(["both", *HANDS])
"""Words of the name of a class that are no noun: ``hands_both``."""
_DETERMINES = lazy_pattern(
    r"\b(?:the|an?|this|that|your|my|its|his|her|their|both)\s$", re.IGNORECASE
)
"""A word before a noun."""
_ENDS_NOUN = lazy_pattern(
    r"[_(\-'\u2019]|\.\w|\s?[(#]?\d"
    r"|\s(?!(?:after|again|and|are|at|back|because|before|by|carefully|down|first|for|from|if|in|into"
    r"|is|near|next|now|off|on|once|onto|or|so|that|then|to|twice|until|up|using|when|which|while"
    r"|with)\b)\w"
)
"""Text behind or before a word that is part of a longer name: "the lamp shade", "the lamp.99"."""
_LONGEST_ORDINAL = 15
"""Maximum number of characters of an ordinal and the blank behind it."""
_ORDINAL = lazy_pattern(
    rf"(?<![^\W_])({'|'.join(ORDINALS.split()[1:])}|\d{{1,2}}(?:nd|rd|th)) $", re.IGNORECASE
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z]+$)")
_ENDINGS = (
    "object", "item", "location", "position", "target", "destination",
    "to", "toward", "towards", "up",
)  # fmt: skip
"""Ends of single words that may say an action and more: ``OpenObject``, ``WalkTo``."""
_OF_OBJECT = re.compile(
    r"(?<=[a-z])[ _-]?(?:(?:At|To|In|On|Into|Onto)?(?:Location|Position|Target|Destination)|Object"
    r"|Item)$"
    r"|(?<=[a-zA-Z])(?:(?:_(?:at|to|in|on|into|onto))?_(?:location|position|target|destination)"
    r"|_object|_item)$"
    r"|(?<=[A-Z])_(?:OBJECT|ITEM)$"
)
"""The end of a name that says no more than that the action has an object: ``OpenObject``."""
_UNKNOWN_ID = re.compile(
    r"[._](?P<joined>\d{1,6})\b(?![._]\d)|>?\s?\(\s?(?P<bracketed>\d{1,6})\s?\)"
    r"|\s?#(?P<marked>\d{1,6})\b"
)
"""An id behind the class of an object: ``.999``, ``(999)``, ``> (999)``, ``#999``."""


def _with_unknown_id(mention: Mention, text: str) -> Mention:
    """Return the mention of a class, extended by an id behind it that no object of the task has.

    "walk to fridge.999" and "walk to the fridge (999)" name an object that is not there, not any
    fridge.
    """
    match = _UNKNOWN_ID.match(text, mention.end)
    if match is None:
        return mention
    id_number = match["joined"] or match["bracketed"] or match["marked"]
    if _is_number_of_next(text, mention.end, text.index(id_number, mention.end)):
        return mention
    return mention._replace(name=f"{mention.name}.{id_number}", end=match.end())


def _rest_of_name(text: str, end: int) -> str:
    """Return what is joined to a name by ``_`` or ``-``: the ``_door`` of "fridge_door"."""
    if text[end : end + 1] not in ("_", "-"):
        return ""
    match = _JOINED.match(text, end)
    return "" if match is None else match[0]


def _closes_call(text: str, start: int, end: int) -> bool:
    """Whether a call ends between two words: the 4 of "find(light) 4. open(door)" is no id."""
    if ")" not in text[start:end]:
        return False
    bracket = text.rfind("(", 0, start)
    return bracket > 0 and text[bracket - 1].isalnum()


def _tells_name_of(mention: Mention, other: Mention, text: str) -> bool:
    """Whether two mentions are one object: first its class, then its name.

    An example is "the light (light.64)".
    """
    if mention.is_action or other.is_action:
        return False
    class_name = squeezed(mention.name)
    name = squeezed(other.name)
    if class_name == name or name.rstrip("0123456789") != class_name:
        return False
    text_between = _SAME_AGAIN.fullmatch(text, mention.end, other.start)
    if text_between is None:
        return False
    # In "wash(mug, mug.216)" the comma may part two objects.
    return text_between["comma"] is None or _ARTICLE.search(text[: mention.start]) is not None


def _is_number_of_next(text: str, end: int, offset: int) -> bool:
    """Whether a number behind a name numbers the next step: ``1. find the Cup, 2. take it``.

    Args:
        text: The text.
        end: Where the name ends.
        offset: Where the number begins.
    """
    text_between = text[end:offset]
    if _closes_call(text, end, offset):
        return True  # "1 find(Cup) 2 take(Cup)"
    in_brackets = text_between.endswith("(")
    # "1. find the Cup 2. take it": "Cup 2" could be another cup.
    heads_step = text_between.isspace() and _NUMBERS_STEP.match(text, offset)
    may_begin_step = in_brackets or _BREAK.search(text_between) or heads_step
    number = _NUMBER.match(text, offset) if may_begin_step else None
    if number is None:
        return False
    if in_brackets and _end_of_first_bracketed(text) > offset:
        return False  # "6. find the Cup (7)": the identifier of the cup
    text_before = text[max(offset - _FAR_BEFORE, 0) : offset]
    return any(f"{int(number[1]) - 1}{sign}" in text_before for sign in ".):")


@lru_cache(maxsize=16)
def _end_of_first_bracketed(text: str) -> float:
    """Return where the first number of steps that are numbered in brackets ends, else infinity.

    It is asked for every number in brackets of a text, so the text is searched once.
    """
    match = _BEGINS_IN_BRACKETS.search(text)
    return inf if match is None else match.end()


def _goes_on(action: ActionForm, text: str, end: int) -> bool:
    """Whether a name goes on: "pick up the Book" of "... Book_2", or "find" of "find out"."""
    if text.startswith(" out ", end) and squeezed(action.name) == "find":
        return True
    return action.is_skill_in_words and _rest_of_name(text, end) != ""


def _ends_contraction(text: str, start: int, end: int) -> bool:
    """Whether a word is the end of another behind an apostrophe: the "s" of "that's"."""
    return end - start < 3 and start > 1 and text[start - 1] == "'" and text[start - 2].isalpha()


@dataclass(frozen=True, slots=True)
class ActionForm:
    """An action that a written form stands for.

    Args:
        name: Name of the action.
        max_objects: Maximum number of objects that stand behind it.
        optional: Number of objects that may be named besides, before them: what is put, where the
            action puts whatever is in hand.
    """

    name: str
    max_objects: int
    optional: int = 0

    @property
    def most_named(self) -> int:
        """Maximum number of objects that are named, those included that need not be."""
        return self.max_objects + self.optional

    @property
    def is_skill_in_words(self) -> bool:
        """Whether it is a whole skill, whose words name its object: "pick up the Book"."""
        return self.max_objects == 0 and " " in self.name


class Surfaces:
    """Written forms of the actions and objects of one task.

    Args:
        actions: Written form to the action; forms are compared by :func:`squeezed`.
        objects: Written form to what it is called in a step that is read: an object, or a class
            of objects whose member is chosen later.
        signature: The parameters of the actions, if they are known.
    """

    def __init__(
        self,
        actions: Iterable[tuple[str, ActionForm]],
        objects: Iterable[tuple[str, str]],
        signature: Signature | None = None,
    ) -> None:
        """Index the written forms, so that a text is searched for all of them at once."""
        actions = list(actions)
        objects = list(objects)
        self.actions: dict[str, ActionForm] = {}
        self.objects: dict[str, str] = {}
        # Forms that only differ in case or signs, by their written form.
        self._exact_actions: dict[str, ActionForm] = {}
        self._exact_objects: dict[str, str] = {}
        self._written: list[tuple[str, str, int]] = []
        self._sayings: list[tuple[str, str, int]] = []
        # Optional objects make several written forms of one action.
        for form, action in actions:
            for count in range(action.max_objects, action.most_named + 1):
                self._written.append((form, action.name, count))
        self.signature = signature
        for form, action in actions:
            if self.actions.setdefault(squeezed(form), action) is not action:
                self._exact_actions[form] = action
        for form, name in objects:
            if self.objects.setdefault(squeezed(form), name) != name:
                self._exact_objects[form] = name
        # They are set by those who make the forms of a task with classes or predicates.
        self.classes: frozenset[str] = frozenset()
        self.members: Mapping[str, Sequence[str]] = {}
        self.predicates: frozenset[str] = frozenset()
        self.by_name: dict[str, ActionForm] = {}
        for action in (*self._exact_actions.values(), *self.actions.values()):
            self.by_name[action.name] = action
        # A name of signs only has no letters to be found by.
        self.actions.pop("", None)
        self.objects.pop("", None)
        self._max_words = MAX_WORDS
        for form, _ in (*actions, *objects):
            self._max_words = max(self._max_words, len(_WORD.findall(form)))
        self._sorted_forms = sorted({*self.actions, *self.objects})
        # Two letters rule out most words of a sentence.
        self._beginnings = frozenset(form[:2] for form in self._sorted_forms)
        # The rules of a line ask for the names in the same few texts again and again.
        self._mentions_in_short = lru_cache(maxsize=32)(self._search_mentions)

    @classmethod
    def from_vocabulary(cls, vocabulary: Vocabulary) -> Surfaces:
        """Return the forms of a vocabulary: its names, and the classes of its objects."""
        actions = [(name, ActionForm(name, count)) for name, count in vocabulary.actions.items()]
        objects = [(name, name) for name in sorted(vocabulary.objects)]
        classes = [(name, name) for name in vocabulary.classes]
        made = cls(actions, [*objects, *classes])
        made.classes = frozenset(vocabulary.classes)
        made.members = vocabulary.classes
        made.add_sayings(vocabulary.actions)
        return made

    def add_sayings(self, actions: Mapping[str, int]) -> None:
        """Let sentences call actions as people do: "turn on the lamp" for SWITCHON(lamp).

        It has to be called before a text is read.

        Args:
            actions: Names of actions, each with the number of its objects.
        """
        actions_by_key: dict[str, list[tuple[str, str]]] = {}
        for name in actions:
            hand, key = _hand_and_key(name)
            actions_by_key.setdefault(key, []).append((hand, name))
        for phrase, keys in answer_words("sayings").items():
            own = actions_by_key.get(squeezed(phrase), [])
            own_counts = [actions[name] for _, name in own]
            known_keys = [key for key in keys.split() if key in actions_by_key]
            for hand, name in actions_by_key[known_keys[0]] if known_keys else ():
                # "Put on the coat" is PUTON where a task has that, "put it on the bed" is not.
                if actions[name] not in own_counts:
                    self._sayings.append((f"{hand} {phrase}".strip(), name, actions[name]))

    @cached_property
    def class_by_noun(self) -> Mapping[str, str]:
        """The classes that a sentence may call by their noun alone: "lamp" for ``table_lamp``.

        A noun of several classes, or one that the task uses as a name, stands for none.
        """
        classes_by_noun: dict[str, list[str]] = {}
        for name in sorted(self.classes):
            words = [word for word in words_of(name.replace("_", " ")) if word not in _SIDES]
            if len(name.split("_")) > 1 and words:
                classes_by_noun.setdefault(words[-1], []).append(name)
        return {
            noun: names[0]
            for noun, names in classes_by_noun.items()
            if len(names) == 1 and noun not in self.objects and noun not in self.actions
        }

    @cached_property
    def sentences(self) -> Sentences:
        """How clauses say the actions."""
        return Sentences(self._written, self._sayings, self.signature)

    def action_of_form(self, written: str) -> ActionForm | None:
        """Return the action whose form a whole text is."""
        return self._exact_actions.get(written) or self.actions.get(squeezed(written))

    def find_action(self, written: str) -> ActionForm | None:
        """Return the action that a text names; "walk to" is WALK, but "move to" is not MOVE."""
        action = self.action_of_form(written)
        if action is not None:
            return action
        written_without_object = _OF_OBJECT.sub("", written)
        if written_without_object != written:
            return self.find_action(written_without_object)
        written = _CAMEL.sub(" ", written)
        if _SAID_NAME.fullmatch(written) is None:
            return None
        verb, _, preposition = re.sub(r"[ _-]+", " ", written.lower()).rpartition(" ")
        return self.actions.get(verb) if verb in _SAME_WITH.get(preposition, ()) else None

    def is_object(self, written: str) -> bool:
        """Return whether a whole text is the name or number of an object, and of no action."""
        if written.isdigit():
            return True
        form = squeezed(written)
        return form in self.objects and form not in self.actions

    def _means_going(self, action: ActionForm, text: str, end: int) -> bool:
        """Whether "to" behind the verb of an action makes it another one: "move to the hall".

        It does where the action is not one of going, and the task has such an action.
        """
        key = squeezed(action.name)
        # "Plugin to the socket" goes nowhere.
        if _TO.match(text, end) is None or key.startswith(tuple(GOING)) or key.endswith(_FUSED):
            return False
        return action.max_objects == 1 and not GOING.isdisjoint(self.actions)

    def find_mentions(self, text: str) -> Sequence[Mention]:
        """Return the actions and objects that a text names, in order; of several the longest name.

        The time is linear in the length of the text: no more words are joined than names have.
        """
        if len(text) <= _MAX_REMEMBERED:
            return self._mentions_in_short(text)
        return self._search_mentions(text)

    def _search_mentions(self, text: str) -> Sequence[Mention]:
        """Return the actions and objects that a text names, in order."""
        words = [(word[0].lower(), *word.span()) for word in _WORD.finditer(text)]
        if "'" in text:
            # "That's it" does not name an action "sit".
            words = [word for word in words if not _ends_contraction(text, word[1], word[2])]
        mentions: list[Mention] = []
        word_index = 0
        while word_index < len(words):
            first_word = words[word_index]
            is_noun = first_word[0] in self.class_by_noun
            if len(first_word[0]) > 1 and first_word[0][:2] not in self._beginnings and not is_noun:
                word_index += 1
                continue
            mention, word_index = self._longest_mention_at(text, words, word_index)
            if mention is None and is_noun:
                mention = self._mention_by_noun(text, *first_word)
            if mention is None:
                continue
            if mention.name in self.classes and not mention.is_action:
                mention = _with_unknown_id(mention, text)
            if not mention.is_action:
                mention = self._with_ordinal(mention, text)
                mention = self._with_unknown_rest(mention, text)
                while word_index < len(words) and words[word_index][1] < mention.end:
                    word_index += 1
            if mentions and _tells_name_of(mentions[-1], mention, text):
                mention = mention._replace(start=mentions.pop().start)
            mentions.append(mention)
        return tuple(mentions)

    def _mention_by_noun(self, text: str, noun: str, start: int, end: int) -> Mention | None:
        """Return the class that a sentence calls by its noun, "the lamp"; None if it is no noun."""
        if not _DETERMINES.search(text, max(start - 6, 0), start) or _ENDS_NOUN.match(text, end):
            return None
        return Mention(False, self.class_by_noun[noun], start, end)

    def _with_ordinal(self, mention: Mention, text: str) -> Mention:
        """Return the mention of an object, extended by an ordinal before it: "the second cup".

        It is the second object of a class, or the one with the number 2. If the task has none, the
        words name an unknown object, not any cup.
        """
        # Most words end with other letters, which is known faster than by a pattern.
        if text[max(mention.start - 2, 0) : mention.start] not in ("d ", "h "):
            return mention
        ordinal = _ORDINAL.search(text, max(mention.start - _LONGEST_ORDINAL, 0), mention.start)
        if ordinal is None or text[mention.end - 1].isdigit():
            return mention
        digits = ordinal[1].rstrip("ndrth")
        number = int(digits) if digits.isdigit() else NUMBER_WORDS[ordinal[1].lower()]
        members = self.members.get(mention.name, ())
        name = text[ordinal.start() : mention.end]
        if number <= len(members):
            name = members[number - 1]
        return Mention(
            False,
            self.objects.get(squeezed(f"{mention.name}{number}"), name),
            ordinal.start(),
            mention.end,
        )

    def _with_unknown_rest(self, mention: Mention, text: str) -> Mention:
        """Return the mention of an object, extended by what is joined to its name.

        "Walk to fridge_door" names an object that is not there, not the fridge. In
        "cup_in_fridge" the rest names something else.
        """
        rest = _rest_of_name(text, mention.end)
        if not rest or self._goes_on_with_names(rest, text[: mention.start]):
            return mention
        end = mention.end + len(rest)
        return mention._replace(name=text[mention.start : end], end=end)

    def _goes_on_with_names(self, rest: str, text_before: str) -> bool:
        """Whether what is joined to an object is nothing but names of the task and particles.

        Two names in a row, "fridge_door", are those of two objects only if they have numbers, or
        if they stand in a step that is written as one word, "put_cup_table".
        """
        mentions = self._search_mentions(rest)
        words = words_of(blank_out(rest, [(each.start, each.end) for each in mentions]))
        are_known = all(each.is_action or squeezed(each.name) in self.objects for each in mentions)
        if not are_known or not PARTICLES.issuperset(words):
            return False
        is_step = bool(words) or text_before.endswith(("_", "-"))
        return is_step or all(rest[each.end - 1].isdigit() for each in mentions)

    def names_action(self, text: str) -> bool:
        """Whether a text names an action."""
        return any(mention.is_action for mention in self.find_mentions(text))

    def objects_in(self, text: str) -> list[str]:
        """Return the objects that a text names, in order."""
        return [mention.name for mention in self.find_mentions(text) if not mention.is_action]

    def find_all_mentions(self, text: str) -> Sequence[Mention]:
        """Return the names in a line, with those of actions whose words stand apart in it."""
        return self.add_split_actions(text, self.find_mentions(text))

    def add_split_actions(
        self, text: str, mentions: Sequence[Mention], *, is_inflected: bool = False
    ) -> Sequence[Mention]:
        """Return the names in a line, with the actions whose words stand apart: "switch it on".

        Args:
            text: The line.
            mentions: The names that stand in it in one piece.
            is_inflected: Whether forms such as "walks" and "walking" count as well.
        """
        objects: list[NamedObject] = []
        actions: list[tuple[int, int]] = []
        for mention in mentions:
            if mention.is_action:
                actions.append((mention.start, mention.end))
            else:
                objects.append(NamedObject(mention.name, mention.start, mention.end))
        steps = self.sentences.find_steps(text, objects, actions, is_inflected=is_inflected)
        split_actions: list[Mention] = []
        for step in steps:
            verb = _WORD.match(text, step.start)
            action = self.by_name[step.action]
            # What a saying means is sure: "move to" is one of going.
            if step.saying or verb is None or not self._means_going(action, text, verb.end()):
                split_actions.append(Mention(True, step.action, step.start, step.verb_end, step))
        if split_actions:
            mentions = sorted([*mentions, *split_actions], key=lambda mention: mention.start)
        starts = [named_object.start for named_object in objects]
        return [
            mention
            for mention in mentions
            if not (mention.is_action and is_idiom(text, mention.start, mention.end, starts))
        ]

    def _longest_mention_at(
        self, text: str, words: list[tuple[str, int, int]], first_index: int
    ) -> tuple[Mention | None, int]:
        """Return the longest name that begins at a word, and the index of the word behind it.

        Args:
            text: The text.
            words: Its words in small letters, each with begin and end.
            first_index: Index of the first word of the name.
        """
        # "washing machine" is longer than "washing": words are joined while a name may go on.
        joined, start, _ = words[first_index]
        longest_mention: Mention | None = None
        next_index = first_index + 1
        last_index = first_index
        while True:
            end = words[last_index][2]
            mention = self._mention_of_form(
                joined, text, start, end, is_one_word=last_index == first_index
            )
            words_inside = range(first_index + 1, last_index + 1)
            if mention is not None and not self._ends_in_object(mention, text, words, words_inside):
                longest_mention = mention
                next_index = last_index + 1
            last_index += 1
            if last_index >= len(words) or last_index >= first_index + self._max_words:
                return longest_mention, next_index
            if not self._begins_name(joined):
                return longest_mention, next_index
            last_index = _index_of_id(words, last_index)  # "the light (id: 64)"
            word, word_start, _ = words[last_index]
            joined += word
            if word.isdigit():
                is_separated = _is_number_of_next(text, words[last_index - 1][2], word_start)
            else:
                is_separated = _BREAK.search(text, words[last_index - 1][2], word_start) is not None
            if is_separated:
                return longest_mention, next_index

    def _ends_in_object(
        self, mention: Mention, text: str, words: list[tuple[str, int, int]], inside: range
    ) -> bool:
        """Whether a skill ends inside the name of an object: "find Bread" of "find Bread 2".

        Args:
            mention: The name that may be a skill.
            text: The text.
            words: Its words in small letters, each with begin and end.
            inside: Indices of the words of the name behind the first one.
        """
        if not mention.is_action or not self.by_name[mention.name].is_skill_in_words:
            return False
        for index in inside:
            object_mention, _ = self._longest_mention_at(text, words, index)
            if object_mention is not None and not object_mention.is_action:
                return object_mention.end > mention.end
        return False

    def _begins_name(self, joined: str) -> bool:
        """Whether an object or action has a form that begins with some joined words."""
        index = bisect_left(self._sorted_forms, joined)
        return index < len(self._sorted_forms) and self._sorted_forms[index].startswith(joined)

    def _mention_of_form(
        self, joined: str, text: str, start: int, end: int, *, is_one_word: bool
    ) -> Mention | None:
        """Return the object, or else the action, whose form some joined words are; None if none."""
        object_name = self.objects.get(joined)
        if object_name is not None:
            if self._exact_objects:
                object_name = self._exact_objects.get(text[start:end], object_name)
            return Mention(False, object_name, start, end)
        action = self.actions.get(joined)
        if action is None and is_one_word and joined.endswith(_ENDINGS):
            action = self.find_action(text[start:end])
        if action is None or _goes_on(action, text, end) or self._means_going(action, text, end):
            return None
        if self._exact_actions:
            action = self._exact_actions.get(text[start:end], action)
        return Mention(True, action.name, start, end)
