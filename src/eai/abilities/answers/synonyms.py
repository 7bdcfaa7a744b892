"""Names that look like another name, or mean the same: what a model may have meant.

The verbs of everyday language are grouped by meaning; to each group belong the actions that are
offered for it where a task has them. Names of objects are compared by their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from eai.errors import nearest

__all__ = ["likely_actions", "likely_objects"]

MOST = 3
"""So many names are offered at most."""
MOST_KEPT = 4000
"""So many results are remembered: many answers of a model have the same mistakes."""
ALMOST = 0.85
"""Likeness above which a name is a misspelling."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_HANDS = ("left", "right")

_MEANINGS = (
    ("approach drive go goto head navigate navigateto run runto travel travelto walk walkto"
     " walktowards", ("walk navigateto goto moveto go find move",)),
    ("activate enable lighton poweron start switchon toggleon turnon",
     ("switchon toggleon turnon activate",)),
    ("deactivate disable extinguish lightoff poweroff shutdown shutoff stop switchoff toggleoff"
     " turnoff", ("switchoff toggleoff turnoff deactivate",)),
    ("collect fetch get grab grasp hold lift obtain pick pickup take",
     ("grab grasp pickup take pick",)),
    ("deposit lay place placeat placeon placeonto placeontop position put putat putback putdown"
     " putonto putontop return set setdown",
     ("putback placeontop putontop put place puton", "putin placeinside putinside placein")),
    ("insert placein placeinside placeinto putin putinside putinto store",
     ("putin placeinside putinside placein put",)),
    ("discard drop letgo release", ("drop release",)),
    ("open unlock", ("open",)),
    ("close shut", ("close",)),
    ("connect plugin", ("plugin",)),
    ("disconnect plugoff plugout unplug", ("plugout",)),
    ("clean rinse scrub wash wipe", ("wash clean", "wipe")),
    ("chop cut slice", ("cut slice",)),
    ("examine gaze inspect look lookat observe see view watch", ("lookat look", "watch")),
    ("sit sitdown siton", ("sit",)),
    ("lay lie liedown lieon", ("lie",)),
    ("getup rise stand standup", ("standup stand",)),
    ("awake awaken wake wakeup", ("wakeup",)),
    ("fill pour pourin pourinto", ("pour fill",)),
    ("dress wear", ("puton wear",)),
    ("takeoff undress", ("putoff takeoff",)),
    ("boil cook heat", ("cook",)),
    ("sip drink", ("drink",)),
    ("consume eat", ("eat",)),
)  # fmt: skip
_OFFERS: dict[str, tuple[str, ...]] = {}
for _verbs, _offered in reversed(_MEANINGS):
    _OFFERS |= dict.fromkeys(_verbs.split(), _offered)

_SAME = (
    "couch settee sofa",
    "basin sink washbasin",
    "bin dustbin garbagecan trashbin trashcan wastebasket",
    "closet cupboard wardrobe",
    "cabinet cupboard",
    "bookcase bookshelf shelf shelves",
    "cooker hob oven range stove",
    "electricrefrigerator fridge icebox refrigerator",
    "faucet tap",
    "cellphone mobile phone smartphone telephone",
    "computer laptop pc",
    "screen television televisionset telly tv",
    "agent character human man me person robot self user woman you",
    "book novel",
    "carpet mat rug",
    "cup glass mug",
    "jacket coat",
    "pants trousers",
    "jumper pullover sweater",
    "laundrymachine washer washingmachine",
    "blind curtain drape",
    "bedsidetable nightstand",
    "dishcloth rag towel",
    "hoover vacuum vacuumcleaner",
)
_ALIKE: dict[str, set[str]] = {}
for _group in _SAME:
    for _noun in _group.split():
        _ALIKE.setdefault(_noun, set()).update(_group.split())


def likely_actions(name: str, known: Iterable[str]) -> list[str]:
    """Return the actions that a name may mean: of the same meaning, else spelled alike.

    Args:
        name: What is written where the name of an action should be; words behind a verb are
            left out of account (``turn off the light``).
        known: The names of the actions.
    """
    return list(_likely_actions(name, tuple(known)))


@lru_cache(MOST_KEPT)
def _likely_actions(name: str, known: tuple[str, ...]) -> list[str]:
    names = sorted(known)
    by_key: dict[str, list[str]] = {}
    for each in names:
        by_key.setdefault(_key(_words(each)), []).append(each)
    words = _words(name)
    for length in range(len(words), 0, -1):
        found = _meant(_key(words[:length]), by_key)
        if found:
            return found[:MOST]
    return nearest(name, names)


def _meant(key: str, by_key: dict[str, list[str]]) -> list[str]:
    """The actions with a name, else those that are offered for its meaning."""
    if key in by_key:
        return by_key[key]
    slots = (
        next((by_key[each] for each in slot.split() if each in by_key), [])
        for slot in _OFFERS.get(key, ())
    )
    return [name for slot in slots for name in slot]


def _key(words: Sequence[str]) -> str:
    """A name without the hand that is used and without the word "object"."""
    words = words[1:] if len(words) > 1 and words[0] in _HANDS else words
    return "".join(words).removesuffix("object")


@lru_cache(MOST_KEPT)
def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def likely_objects(name: str, known: Iterable[str]) -> list[str]:
    """Return the names of objects or classes that a name may mean.

    Names that mean the same come first (``couch`` for ``sofa``), then a misspelled name, then
    names with the same words and more (``table_lamp`` for ``lamp``) or fewer and names that end
    in the same word, else those that look like it.

    Args:
        name: What is written; without an id.
        known: The names, without ids.
    """
    return list(_likely_objects(name, tuple(known)))


@lru_cache(MOST_KEPT)
def _likely_objects(name: str, known: tuple[str, ...]) -> list[str]:
    import difflib

    names = sorted(known)
    alike = _ALIKE.get("".join(_words(name)), ())
    same = [each for each in names if "".join(_words(each)) in alike]
    if same:
        return same[:MOST]
    near = nearest(name, names)
    if near and difflib.SequenceMatcher(None, near[0].lower(), name.lower()).ratio() > ALMOST:
        return near
    words = _words(name)
    if not words:
        return near
    divided = [(each, _words(each)) for each in names]
    whole = set(words)
    parts = [each for each, own in divided if own and (whole <= {*own} or whole >= {*own})]
    heads = [each for each, own in divided if own and own[-1] == words[-1]]
    found = dict.fromkeys([*sorted(parts, key=len)[: MOST - 1], *heads])
    return list(found)[:MOST] or near
