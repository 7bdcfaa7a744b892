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
# A word that means what the sentence before is about.
_PRONOUN = re.compile(r"(?:it|them|this|that)", re.IGNORECASE)
# Words that explain a thing and do not name it: "(red)", "which is on the table".
_REMARK = re.compile(
    r"\([^()]*\)|\bwhich\b.*|\bthat (?:is|are|was)\b.*|\bwhile\b.*|[*`\"\u201c\u201d]"
)
# Words before a name that are not part of it: "the", "up the".
_ARTICLES = re.compile(r"^(?:\s*\b(?:the|a|an|its|your|down|up to|up)\b(?=\s))+", re.IGNORECASE)
# Blanks are matched from the first of them only: from each they would take quadratic time.
_ADVERB = re.compile(
    r"(?:(?<!\s)\s+|\b)(?:carefully|gently|slowly|firmly|securely|safely|quickly|fully|completely"
    r"|neatly|properly)\b\s*"
    r"|(?<!\s)\s+(?:back|again|first|together|there)\W*\Z",
    re.IGNORECASE,
)
# A colon behind a step, behind which it is explained: "grasp the cup: it is empty".
_EXPLAINED = re.compile(r"(?<=[^\W_])[*_]{0,2}\s?:[*_]{0,2}\s")
_WORDS_OF_NAMES = re.compile(r"[\w'-]+")


def read_sentence(
    words_behind: str, skill: str, verb: str, *, tool: str, topic: str
) -> tuple[str, list[str]]:
    """Return the skill and arguments of a sentence like "cut the bread with the knife".

    Args:
        words_behind: The words behind the verb.
        skill: The skill that the verb names.
        verb: The verb as it is written.
        tool: The tool that is named before the verb: "use the knife to".
        topic: The object that "it" means.
    """
    words_behind = _EXPLAINED.split(words_behind, maxsplit=1)[0]
    if skill == "turn":
        arguments = _read_turn(words_behind, topic)
        if arguments:
            return skill, arguments
    direct, positions = _phrases(words_behind, topic)
    if tool:
        positions.insert(0, ("with", tool))
    skill, direct, positions = _join_particle(skill, verb, direct, positions)
    if squeezed(direct) in words()["robot"]:
        direct = ""  # "move the gripper to the cup"
    roles = skills().get(skill, ())
    arguments_by_role: dict[int, str] = {}
    if skill in ("push", "pull", "turn"):
        direct, arguments_by_role = _split_directions(direct, roles)
    _fill_roles(arguments_by_role, positions, roles)
    role = _role_of_direct_object(skill, verb, roles, arguments_by_role)
    if direct and role is not None:
        arguments_by_role[role] = _resolve_pronoun(direct, topic)
    if skill in ("press", "move_to") and arguments_by_role:
        # Who presses, or moves, holds nothing if no object is named.
        arguments_by_role.setdefault(0, NO_OBJECT)
    return skill, [arguments_by_role[role] for role in sorted(arguments_by_role)]


def _fill_roles(
    arguments_by_role: dict[int, str], positions: Sequence[tuple[str, str]], roles: Sequence[str]
) -> None:
    """Add the names of phrases with prepositions to the roles that they can have.

    Args:
        arguments_by_role: The arguments so far, by index of their role; changed in place.
        positions: Preposition and name of each phrase; a name without a free role is left out.
        roles: The roles of the skill.
    """
    for preposition, name in positions:
        role = _role_behind(preposition, roles, arguments_by_role)
        if role is not None:
            arguments_by_role.setdefault(role, name)


def _role_of_direct_object(
    skill: str, verb: str, roles: Sequence[str], arguments_by_role: Mapping[int, str]
) -> int | None:
    """Return the free role of the object after a verb, or None if there is none.

    Args:
        skill: The skill.
        verb: The verb as it is written.
        roles: The roles of the skill.
        arguments_by_role: The arguments so far, by index of their role.
    """
    free_roles: list[int] = []
    for index, role in enumerate(roles):
        if role in DIRECT and index not in arguments_by_role:
            free_roles.append(index)
    if not free_roles:
        return None
    if skill == "move_to" and squeezed(verb).endswith("to"):
        return free_roles[-1]  # "move to the table" names where, not what is carried
    return free_roles[0]


def _join_particle(
    skill: str, verb: str, direct: str, positions: list[tuple[str, str]]
) -> tuple[str, str, list[tuple[str, str]]]:
    """Join a verb with a particle after its object, as in "turn the lamp on".

    Args:
        skill: The skill that the verb names.
        verb: The verb as it is written.
        direct: The object behind the verb.
        positions: Preposition and name of each further phrase.

    Returns:
        The skill of both, the object without the particle, and the phrases with prepositions.
    """
    object_before, _, last_word = direct.rpartition(" ")
    particle = last_word.lower()
    if skill == "turn" and particle in ("on", "off"):
        return f"turn_{particle}", object_before, positions
    if skill == "turn" and not direct and positions and positions[0][0] in ("on", "off"):
        return f"turn_{positions[0][0]}", positions[0][1], positions[1:]
    # "pull the plug out of the socket" is a skill of its own.
    if skill == "pull" and any(preposition == "out of" for preposition, _ in positions):
        return "pullout", direct, positions
    if squeezed(verb).startswith("pick") and particle == "up":
        return skill, object_before, positions
    return skill, direct, positions


def _read_turn(words_behind: str, topic: str) -> list[str]:
    """Return object, direction and state of a phrase like "the tap anticlockwise to open".

    The list is empty if no direction is named behind the first word; the state may be missing.

    Args:
        words_behind: The words behind the verb.
        topic: The object that "it" means.
    """
    all_words = _WORDS_OF_NAMES.findall(words_behind[:400])
    positions = [index for index, word in enumerate(all_words) if direction_of(word)]
    # Of several directions the last one counts; the first word is that of an object.
    direction = positions[-1] if positions else 0
    if direction == 0:
        return []
    fillers = words()["states_of_turning"]
    names = all_words[:direction]
    while names and names[-1].lower() in fillers:
        names.pop()
    arguments = [_name_in(" ".join(names), topic), all_words[direction]]
    state = [word for word in all_words[direction + 1 :] if word.lower() not in fillers]
    if state:
        arguments.append(" ".join(state))
    return arguments


def _phrases(words_behind: str, topic: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the direct object of a sentence, and (preposition, name) for each further phrase.

    Example:
        >>> _phrases("the water from the kettle into the cup", "")
        ('water', [('from', 'kettle'), ('into', 'cup')])
    """
    pieces = PREPOSITION.split(_REMARK.sub(" ", words_behind[:1_000]))
    direct = _name_in(pieces[0], topic)
    positions: list[tuple[str, str]] = []
    for preposition, phrase in zip(pieces[1::2], pieces[2::2], strict=True):
        name = _name_in(phrase, topic)
        relation = _RELATION.search(preposition)
        if name and relation:
            name = f"{relation[0].lower()} {name}"
        if name:
            positions.append((" ".join(preposition.lower().split()), name))
        elif preposition.lower() in ("on", "off") and not positions:
            direct = f"{direct} {preposition}"  # "turn the lamp on"
    return direct, positions


def _name_in(phrase: str, topic: str) -> str:
    """Return the name in a phrase: up to a comma, without articles; the topic for "it"."""
    bare = phrase.strip(" \t.,:;!|").split(",")[0]
    bare = _ADVERB.sub(" ", _ARTICLES.sub("", bare)).strip(" \t.,:;!'")
    return _resolve_pronoun(bare, topic)


def _resolve_pronoun(name: str, topic: str) -> str:
    """Return the topic for "it", if there is a topic; any other name as it is."""
    return topic if topic and _PRONOUN.fullmatch(name) else name


def _role_behind(
    preposition: str, roles: Sequence[str], arguments_by_role: Mapping[int, str]
) -> int | None:
    """Return the free role for a preposition, or None if the skill has none.

    Args:
        preposition: The preposition.
        roles: The roles of the skill.
        arguments_by_role: The arguments so far, by index of their role.
    """
    if preposition in _TOOLS:
        kinds: tuple[str, ...] = ("tool",)
    elif preposition in _SOURCES:
        # "From" and the like: a thing is taken out of a container, or off an arm.
        kinds = ("container", "arm", "target")
    else:
        kinds = ("target", "arm", "direction")
        if "target" not in roles:
            kinds = (*kinds, "container")
    for kind in kinds:
        for index, role in enumerate(roles):
            if role == kind and index not in arguments_by_role:
                return index
    return None


def _split_directions(direct: str, roles: Sequence[str]) -> tuple[str, dict[int, str]]:
    """Return a name without directions and states around it, and these by role.

    Example:
        >>> _split_directions("drawer open", skills()["pull"])
        ('drawer', {1: 'open'})
    """
    name_words = direct.split()
    has_article = len(name_words) > 2 and name_words[1].lower() in ("the", "a", "an")
    if has_article and _kinds_of_direction(name_words[0]):
        name_words = [*name_words[2:], name_words[0]]  # "pull open the drawer"
    arguments_by_role: dict[int, str] = {}
    while len(name_words) > 1:
        kinds = _kinds_of_direction(name_words[-1])
        free_roles = []
        for index, kind in enumerate(roles):
            if kind in kinds and index not in arguments_by_role:
                free_roles.append(index)
        if not free_roles:
            break
        arguments_by_role[free_roles[0]] = name_words.pop()
    return " ".join(name_words), arguments_by_role


def _kinds_of_direction(word: str) -> list[str]:
    """Return the roles that a word can have as a direction or state."""
    kinds: list[str] = []
    if direction_of(word):
        kinds.append("direction")
    if sense_of(word) is not None:
        kinds.append("state")
    if kinds:
        kinds.append("target")  # skills that push and pull call a direction so
    return kinds
