"""Comparison of names: spelling, aliases, handles, and marks (colour, side) that must agree.

The table is data (``domains/robobench/names.json``); its hash stands in every report.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from eai.data import read_json, read_text
from eai.errors import InputError

Resolver = Callable[[str, str], str]
"""Decides what the table leaves open: is a name of the plan the same as one of the gold plan?
``"no"``, ``"related"`` or ``"same"``."""

NONE = "none"
UNKNOWN = "unknown"

_MAX_CHARACTERS = 500
"""Characters of a name that are read."""
_MAX_KEPT = 1 << 12
"""Maximum number of names that are kept: answers bring any number of them."""
_WORD = re.compile(r"[^\W_]+")
# A number that stands for an object of the picture: "object 3", "#3".
_ID = re.compile(r"(?:(?:object|obj|id|item|point|number|label|marker|no) )?0*(\d+)")
# An angle: "90 degrees".
_DEGREES = re.compile(r"(\d+) ?(?:degrees?|deg)")


class Name(NamedTuple):
    """A name in the normal form in which names are compared.

    The relation is where it is relative to what follows (``"left_of"``); empty if it names a thing.
    """

    relation: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return "_".join((self.relation, *self.words) if self.relation else self.words)


_TABLE = "domains/robobench/names.json"


@cache
def table() -> Mapping[str, Any]:
    """Return the table of names, with lookup tables that are derived from it."""
    names = {**read_json(_TABLE)}
    phrases: dict[tuple[str, ...], tuple[str, ...]] = {}
    for preferred, *aliases in names["aliases"]:
        for alias in aliases:
            phrases[_alias(alias)] = _alias(preferred)
    names["phrases"] = phrases
    names["direction"] = _invert(names["directions"])
    names["kinds"] = _invert(names["veto"])
    names["joined"], names["compounds"] = _compounds(names)
    relations = {**names["relations"], **dict.fromkeys(names["drop_before"], "")}
    # "on top of" has to be tried before "on".
    longest_first = sorted(relations, key=lambda phrase: -len(phrase.split()))
    names["before"] = [(tuple(phrase.split()), relations[phrase]) for phrase in longest_first]
    return names


def _invert(words_of: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return the key of each word in the lists of a mapping."""
    keys = {}
    for key, words in words_of.items():
        for word in words:
            keys[word] = key
    return keys


def _compounds(names_table: Mapping[str, Any]) -> tuple[dict[str, tuple[str, ...]], frozenset[str]]:
    """Return the table's names that may be written as one word or as two.

    Returns:
        Names of several words by how they are spelled in one; and the names of one word.
    """
    names = [*names_table["hinged"], *names_table["door_of"], *names_table["categories"]]
    for aliases in names_table["aliases"]:
        names += aliases
    for members in names_table["categories"].values():
        names += members
    one_word_names = frozenset(name for name in names if " " not in name)
    words_by_joined_name = {}
    for name in names:
        joined_name = name.replace(" ", "")
        # A joined spelling that is another name of the table keeps its meaning.
        if " " in name and joined_name not in one_word_names:
            words_by_joined_name[joined_name] = tuple(name.split())
    return words_by_joined_name, one_word_names


def _alias(text: str) -> tuple[str, ...]:
    """Return the words of an alias as names have them: the last one in the singular."""
    *words, last = text.split()
    return (*words, _singular(last))


@cache
def table_hash() -> str:
    """Return the first digits of the SHA-256 of the table."""
    return hashlib.sha256(read_text(_TABLE).encode()).hexdigest()[:12]


@lru_cache(maxsize=1 << 14)
def name_of(text: str) -> Name:
    """Return the normal form of a name.

    Example:
        >>> str(name_of("the edges of the table"))
        'table_edge'
    """
    name_table = table()
    all_words = _WORD.findall(text[:_MAX_CHARACTERS].casefold())
    words = [word for word in all_words if word not in name_table["articles"]]
    words = respell(words, name_table["joined"], name_table["compounds"])
    # This comes first, because "object" is removed later: "object 3" is object number 3.
    number = _ID.fullmatch(" ".join(words))
    if number:
        return Name("", (number[1],))
    relation, words = _split_relation(words)
    words = _resolve_genitives(words)
    words = [name_table["words"].get(word, word) for word in words]
    words = _without_ending(words)
    if words:
        words[-1] = _singular(words[-1])
    words = _without_door(words)
    return Name(relation, tuple(_with_full_name(words)))


def _resolve_genitives(words: list[str]) -> list[str]:
    """Return words with owners in front: "edge of table" is "table edge"."""
    while "of" in words[1:-1]:
        position = words.index("of", 1)
        words = [*words[position + 1 :], *words[:position]]
    return words


def _without_door(words: list[str]) -> list[str]:
    """Return words without "door" at their end, if the door is that of a machine.

    The door of a machine is opened to open the machine: both are one name.
    """
    if words[-1:] != ["door"]:
        return words
    owner = " ".join(_with_full_name(words[:-1])[-2:])
    if owner.endswith(tuple(table()["door_of"])):
        return words[:-1]
    return words


def _split_relation(words: list[str]) -> tuple[str, list[str]]:
    """Return the relation at the start of a name, such as "left of", and the other words."""
    for phrase, relation in table()["before"]:
        if len(words) > len(phrase) and tuple(words[: len(phrase)]) == phrase:
            return relation, words[len(phrase) :]
    return "", words


def _without_ending(words: list[str]) -> list[str]:
    """Return a name without a last word that adds nothing, unless there is no other."""
    for ending in table()["drop_after"]:
        last = ending.split()
        if len(words) > len(last) and _singular(words[-1]) == last[-1]:
            return words[: -len(last)]
    return words


def respell(
    words: Sequence[str], joined: Mapping[str, tuple[str, ...]], compounds: Container[str]
) -> list[str]:
    """Return the words of a name in the spelling of a table, which joins or separates some.

    Args:
        words: The words of the name.
        joined: Joined spelling to the separate words that the table has for it.
        compounds: Words that the table joins.

    Example:
        >>> respell(["waterbottle", "window", "sill"], {"waterbottle": ("water", "bottle")},
        ...           {"windowsill"})
        ['water', 'bottle', 'windowsill']
    """
    separated: list[str] = []
    for word in words:
        singular = _singular(word)
        separated += joined.get(word) or joined.get(singular) or (word,)
    respelled: list[str] = []
    for word in separated:
        # The word before it may be a compound already.
        compound = respelled[-1] + word if respelled else ""
        if compound and (compound in compounds or _singular(compound) in compounds):
            respelled[-1] = compound
        else:
            respelled.append(word)
    return respelled


def _singular(word: str) -> str:
    """Return a word without the ending of a plural; not of "glass", "bus" or "tennis"."""
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui":
        return word[:-1]
    return word


def _with_full_name(words: list[str]) -> list[str]:
    """Return words in which a short name at the end is replaced by the object's full name.

    Example:
        >>> _with_full_name(["old", "bulb"])
        ['old', 'light', 'bulb']
    """
    # The longest name first: "washing machine" is another object than "machine".
    for size in (3, 2, 1):
        if len(words) < size:
            continue
        full_name = table()["phrases"].get(tuple(words[-size:]))
        if full_name is None:
            continue
        # A bulb is a light bulb, unless it is called so already.
        is_longer = len(full_name) > size
        if is_longer and tuple(words[-len(full_name) :]) == full_name:
            return words
        return [*words[:-size], *full_name]
    return words


def direction_of(text: str) -> str:
    """Return the direction that a word means; empty if it means none."""
    direction: str = table()["direction"].get(_plain(text), "")
    return direction


def _plain(text: str) -> str:
    """Return the words of a text in small letters, without "the"."""
    return " ".join(word for word in _WORD.findall(text.casefold()) if word != "the")


def opposite(direction: str) -> str:
    """Return the opposite of a direction, or the direction itself if it has none."""
    for first, second in table()["opposites"]:
        if direction == first:
            return str(second)
        if direction == second:
            return str(first)
    return direction


def sense_of(text: str) -> bool | None:
    """Return True for a word like open or on, False for closed or off, None for others."""
    plain = _plain(text)
    if plain in table()["yes"]:
        return True
    if plain in table()["no"]:
        return False
    return None


def value_of(text: str) -> str:
    """Return the normal form of a direction, a state or an angle."""
    sense = sense_of(text)
    if sense is not None:
        return "yes" if sense else "no"
    angle = _DEGREES.fullmatch(_plain(text))
    if angle:
        return angle[1]
    return direction_of(text) or str(name_of(text))


def is_hinged(name: Name) -> bool:
    """Whether something opens and closes rather than being moved: a drawer, a door."""
    return " ".join(name.words[-2:]) in table()["hinged"] or _head(name) in table()["hinged"]


def is_lid(name: Name) -> bool:
    """Whether something that is turned up or down opens and closes: a lid, a book."""
    return _head(name) in table()["lids"]


def is_cover(name: Name) -> bool:
    """Whether something shuts what it lies on or belongs to: a lid, a door."""
    return _head(name) in table()["covers"]


def is_box(name: Name) -> bool:
    """Whether something may have a lid: a box, a pot."""
    return _head(name) in table()["covered"]


def is_covered(name: Name, cover: Name) -> bool:
    """Whether something may be shut by a cover: a box by a lid, a machine by a door."""
    if _head(cover) == "door":
        return " ".join(name.words).endswith(tuple(table()["door_of"]))
    return is_box(name)


def without_cover(name: Name) -> Name:
    """Return what a cover belongs to by its name: the box, of the box lid."""
    return Name(name.relation, name.words[:-1])


def is_switched(text: str) -> bool:
    """Whether a state means that something runs or not, rather than that it is open."""
    plain = _plain(text)
    return plain in table()["on"] or plain in table()["off"]


def is_machine(name: Name) -> bool:
    """Whether something has a door and runs: a washing machine."""
    return " ".join(name.words).endswith(tuple(table()["door_of"]))


def is_container(name: Name) -> bool:
    """Whether things may be shut in something that opens."""
    return not name.relation and _head(name) not in table()["not_containers"]


def whole(name: Name) -> Name:
    """Return the object that a part belongs to: the towel for its left edge.

    A name without a part is returned as it is.
    """
    kind_of_word = table()["kinds"]
    part_words = table()["parts"]
    if not any(word in part_words for word in name.words[1:]):
        return name
    whole_words = []
    for word in name.words:
        if word not in part_words and kind_of_word.get(word) != "side":
            whole_words.append(word)
    if not whole_words:
        return name
    return Name("", tuple(whole_words))


def _head(name: Name) -> str:
    """Return the last word of a name, which says what kind of thing it is; empty if none does."""
    return name.words[-1] if name.words else ""


def contradicts(name: Name, other: Name) -> bool:
    """Return whether two names differ in relation, number, colour, side, order or size."""
    if name.relation != other.relation or name.words == () or other.words == ():
        return True
    if name.words[-1].isdigit() or other.words[-1].isdigit():
        return name.words != other.words
    attributes, other_attributes = _attributes(name), _attributes(other)
    # Only common kinds are compared: "the red cup" may be "the cup".
    common_kinds = attributes.keys() & other_attributes.keys()
    return any(attributes[kind] != other_attributes[kind] for kind in common_kinds)


def _attributes(name: Name) -> dict[str, tuple[str, ...]]:
    """Return the attributes in a name by kind: colour, side, order, size and number.

    "Second red cup" has the order "second" and the colour "red".
    """
    attributes: dict[str, tuple[str, ...]] = {}
    for word in name.words[:-1]:
        kind = "number" if word.isdigit() else table()["kinds"].get(word, "")
        if kind:
            attributes[kind] = (*attributes.get(kind, ()), word)
    return attributes


def closeness(name: Name, expected: Name, *, loose: bool = False, marked: bool = False) -> str:
    """Return whether two names are the same, related or unrelated by the table.

    Args:
        name: One name.
        expected: The name that it is compared with.
        loose: Whether members of a category, and parts and wholes, are the same (first release).
        marked: Whether colour, side, order, size and number have to be said alike.

    Returns:
        ``"same"``, ``"related"`` or ``"no"``.
    """
    if name == expected:
        return "same"
    if contradicts(name, expected):
        return "no"
    # The last word of a name says what it is; the words before it only describe it.
    heads = {_head(name), _head(expected)}
    if len(heads) == 1:
        # "cup" may be the "red cup", but a "tea cup" is not the "red cup".
        words, expected_words = set(name.words), set(expected.words)
        is_nested = words <= expected_words or expected_words <= words
        if is_nested and (not marked or _attributes(name) == _attributes(expected)):
            return "same"
        return "related"
    if not heads.isdisjoint(table()["generic"]):  # "the object" may be anything
        return "related"
    if whole(name) == whole(expected) or _is_category_of(_head(name), _head(expected)):
        return "same" if loose else "related"
    # Two members of one category: an apple and a pear.
    if any(heads.issubset(members) for members in table()["categories"].values()):
        return "related"
    return "no"


def _is_category_of(word: str, other: str) -> bool:
    """Whether one of two words is a category (fruit) that the other one (apple) belongs to."""
    categories = table()["categories"]
    return other in categories.get(word, ()) or word in categories.get(other, ())


class NameMap:
    """Maps the names in a plan to those in a gold plan.

    The resolver decides what the table leaves open; ``asked`` counts how often.
    """

    def __init__(
        self,
        gold: Iterable[str],
        *,
        loose: bool = False,
        marked: bool = False,
        resolver: Resolver | None = None,
    ) -> None:
        """Collect the names of the gold plan and how it spells them."""
        # A set of names that keeps their order.
        self._gold: dict[Name, None] = {}
        # The spelling of the gold plan: joined spelling of two words to the words, and all words.
        self._joined: dict[str, tuple[str, ...]] = {}
        self._compounds: set[str] = set()
        for text in gold:
            self._add(self._spell_as_gold(name_of(text)))
        self._loose = loose
        self._marked = marked
        self._resolver = resolver
        # Cache of names, and the number of questions to the resolver.
        self._kept: dict[str, Name] = {}
        self.asked = 0

    def _add(self, name: Name) -> None:
        """Add a name of the gold plan and its spelling of pairs of words."""
        self._gold[name] = None
        self._compounds.update(name.words)
        for first, second in pairwise(name.words):
            self._joined[first + second] = (first, second)

    def _spell_as_gold(self, name: Name) -> Name:
        """Return a name in the gold plan's spelling: ``window sill`` for ``windowsill``."""
        words_by_joined_name = {}
        for joined_name, separate_words in self._joined.items():
            # A gold plan with both spellings of a name keeps both.
            if joined_name not in self._compounds:
                words_by_joined_name[joined_name] = separate_words
        words = respell(name.words, words_by_joined_name, self._compounds)
        if words == list(name.words):
            return name
        return Name(name.relation, tuple(_with_full_name(words)))

    def __call__(self, text: str) -> Name:
        """Return the gold plan's name for an object, or the plan's own name if there is none."""
        name = self._kept.get(text)
        if name is None:
            name = self._resolve(text)
            if len(self._kept) < _MAX_KEPT:
                self._kept[text] = name
        return name

    def related_name(self, text: str) -> Name | None:
        """Return a related name of the gold plan for a name without a match, or None."""
        name = self(text)
        if name in self._gold or not name.words:
            return None
        for gold in self._gold:
            if gold.words and closeness(name, gold) == "related":
                return gold
        return None

    def _resolve(self, text: str) -> Name:
        """Return the gold plan's name for a text, or the normal form of the text itself.

        If exactly one name of the gold plan means the same by the table of names, it is that one.
        Otherwise the resolver is asked.
        """
        name = self._spell_as_gold(name_of(text))
        if name in self._gold or name.words == (NONE,) or name.words[-1:] == (UNKNOWN,):
            return name
        if not name.words or name.words[-1].isdigit():
            return name  # a number is the handle of one object, and of no other
        candidates = []
        for gold in self._gold:
            if closeness(name, gold, loose=self._loose, marked=self._marked) == "same":
                candidates.append(gold)
        if len(candidates) == 1:
            return candidates[0]
        return self._by_resolver(text, name) or name

    def _by_resolver(self, text: str, name: Name) -> Name | None:
        """Return the first name of the gold plan that the resolver considers equal, or None.

        Raises:
            InputError: If the resolver says none of ``"no"``, ``"related"`` and ``"same"``.
        """
        if self._resolver is None:
            return None
        for gold in self._gold:
            # Each question costs: what cannot be the same is not asked.
            if contradicts(name, gold):
                continue
            self.asked += 1
            answer = self._resolver(text, str(gold))
            if answer not in ("no", "related", "same"):
                raise InputError(
                    f"the resolver of names said {answer!r} of {text!r} and {str(gold)!r}",
                    expected="'no', 'related' or 'same'",
                )
            if answer == "same":
                return gold
        return None
