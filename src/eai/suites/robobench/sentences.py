"""Steps in sentences: prepositions say which role a name has.

"Pour the water from the kettle into the cup" is ``pour(kettle, water, cup)``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from eai.answers import squeezed
from eai.suites.robobench.names import direction_of, sense_of
from eai.suites.robobench.vocabulary import NO_OBJECT, skills, words

PREPOSITION = re.compile(
    r"(?<![\w-])((?:(?:to|on|at) the )?(?:left|right|back|front)(?: side)? of|in front of"
    r"|behind|beside"
    r"|out of|off of|away from|on top of|next to|close to|from|off|to|into|onto|inside|in"
    r"|on|at|towards?|over|upon|under|against|across|around|near|with|using|as)(?![\w-])",
    re.IGNORECASE,
)
DIRECT = frozenset(("object", "target", "carried", "contents", "character", "text", "container"))
"""Roles of what is named right behind a verb."""
_TOOLS = frozenset(("with", "using"))
_SOURCES = frozenset(("from", "off", "out of", "off of", "away from"))
_RELATION = re.compile(
    r"(?:left|right|back|front)\b.*\bof|in front of|behind|beside", re.IGNORECASE
)
"""Prepositions that say where beside a thing; they belong to the name of the place."""
_PRONOUN = re.compile(r"(?:it|them|this|that)", re.IGNORECASE)
_REMARK = re.compile(
    r"\([^()]*\)|\bwhich\b.*|\bthat (?:is|are|was)\b.*|\bwhile\b.*|[*`\"\u201c\u201d]"
)
_ARTICLES = re.compile(r"^(?:\s*\b(?:the|a|an|its|your|down|up to|up)\b(?=\s))+", re.IGNORECASE)
# Blanks are matched from the first of them only: from each they would take quadratic time.
_ADVERB = re.compile(
    r"(?:(?<!\s)\s+|\b)(?:carefully|gently|slowly|firmly|securely|safely|quickly|fully|completely"
    r"|neatly|properly)\b\s*"
    r"|(?<!\s)\s+(?:back|again|first|together|there)\W*\Z",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(r"(?<=[^\W_])[*_]{0,2}\s?:[*_]{0,2}\s")
_WORDS_OF_NAMES = re.compile(r"[\w'-]+")


def read_sentence(
    said: str, skill: str, written: str, *, tool: str, topic: str
) -> tuple[str, list[str]]:
    """Return the skill of a sentence and its arguments: "cut the bread with the knife".

    Args:
        said: What stands behind the verb.
        skill: The skill that the verb names.
        written: The verb.
        tool: What is named before the verb: "use the knife to".
        topic: What "it" means.
    """
    said = _EXPLAINED.split(said, maxsplit=1)[0]
    if skill == "turn" and (turned := _turned(said, topic)):
        return skill, turned
    direct, positions = _phrases(said, topic)
    if tool:
        positions.insert(0, ("with", tool))
    skill, direct, positions = _meant_skill(skill, written, direct, positions)
    if squeezed(direct) in words()["robot"]:
        direct = ""  # "move the gripper to the cup"
    roles = skills().get(skill, ())
    filled: dict[int, str] = {}
    if skill in ("push", "pull", "turn"):
        direct, filled = _without_directions(direct, roles)
    for word, phrase in positions:
        role = _place_of(word, roles, filled)
        if role is not None:
            filled.setdefault(role, phrase)
    free = [at for at, role in enumerate(roles) if at not in filled and role in DIRECT]
    if skill == "move_to" and squeezed(written).endswith("to"):
        free = free[-1:]
    if direct and free:
        filled[free[0]] = _meant(direct, topic)
    if skill in ("press", "move_to") and filled:
        filled.setdefault(0, NO_OBJECT)
    return skill, [filled[at] for at in sorted(filled)]


def _meant_skill(
    skill: str, written: str, direct: str, positions: list[tuple[str, str]]
) -> tuple[str, str, list[tuple[str, str]]]:
    """Return a skill whose verb has its particle behind the object: "turn the lamp on"."""
    rest, _, last = direct.rpartition(" ")
    if skill == "turn" and last.lower() in ("on", "off"):
        return f"turn_{last.lower()}", rest, positions
    if skill == "turn" and not direct and positions and positions[0][0] in ("on", "off"):
        return f"turn_{positions[0][0]}", positions[0][1], positions[1:]
    if skill == "pull" and any(word == "out of" for word, _ in positions):
        return "pullout", direct, positions
    if squeezed(written).startswith("pick") and last.lower() == "up":
        return skill, rest, positions
    return skill, direct, positions


def _turned(said: str, topic: str) -> list[str]:
    """Return object, direction and state of "the tap anticlockwise to open"."""
    said_words = _WORDS_OF_NAMES.findall(said[:400])
    ways = [at for at, word in enumerate(said_words) if at and direction_of(word)]
    if not ways:
        return []
    fillers = words()["states_of_turning"]
    names, states = said_words[: ways[-1]], said_words[ways[-1] + 1 :]
    while names and names[-1].lower() in fillers:
        names.pop()
    state = " ".join(word for word in states if word.lower() not in fillers)
    return [_named(" ".join(names), topic), said_words[ways[-1]], *filter(None, [state])]


def _phrases(said: str, topic: str) -> tuple[str, list[tuple[str, str]]]:
    """Return what a sentence names first, and what it names behind each preposition."""
    pieces = PREPOSITION.split(_REMARK.sub(" ", said[:1_000]))
    direct = _named(pieces[0], topic)
    positions = []
    for word, phrase in zip(pieces[1::2], pieces[2::2], strict=True):
        named = _named(phrase, topic)
        relation = _RELATION.search(word)
        if named and relation:
            named = f"{relation[0].lower()} {named}"
        if named:
            positions.append((" ".join(word.lower().split()), named))
        elif word.lower() in ("on", "off") and not positions:
            direct = f"{direct} {word}"  # "turn the lamp on"
    return direct, positions


def _named(phrase: str, topic: str) -> str:
    """Return the name in a phrase: up to a comma, without articles; what "it" means."""
    bare = phrase.strip(" \t.,:;!|").split(",")[0]
    bare = _ADVERB.sub(" ", _ARTICLES.sub("", bare)).strip(" \t.,:;!'")
    return _meant(bare, topic)


def _meant(name: str, topic: str) -> str:
    """Return what a name means, which may be "it"."""
    return topic if topic and _PRONOUN.fullmatch(name) else name


def _place_of(word: str, roles: Sequence[str], filled: Mapping[int, str]) -> int | None:
    """Return which argument stands behind a preposition; None if the skill has none for it."""
    if word in _TOOLS:
        kinds: tuple[str, ...] = ("tool",)
    elif word in _SOURCES:
        kinds = ("container", "arm", "target")
    else:
        kinds = ("target", "arm", "direction")
        if "target" not in roles:
            kinds = (*kinds, "container")
    for kind in kinds:
        for at, role in enumerate(roles):
            if role == kind and at not in filled:
                return at
    return None


def _without_directions(direct: str, roles: Sequence[str]) -> tuple[str, dict[int, str]]:
    """Return a name without the directions and states around it: "the drawer open"."""
    found: dict[int, str] = {}
    named = direct.split()
    if (
        len(named) > 2
        and named[1].lower() in ("the", "a", "an")
        and (direction_of(named[0]) or sense_of(named[0]) is not None)
    ):
        named = [*named[2:], named[0]]  # "pull open the drawer"
    while len(named) > 1:
        is_direction = direction_of(named[-1]) != ""
        is_state = sense_of(named[-1]) is not None
        kinds = [kind for kind, fits in (("direction", is_direction), ("state", is_state)) if fits]
        if kinds:
            kinds.append("target")
        role = next((at for at, r in enumerate(roles) if r in kinds and at not in found), None)
        if role is None:
            break
        found[role] = named.pop()
    return " ".join(named), found
