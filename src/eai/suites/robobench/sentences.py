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
    direct_object, phrases = _phrases(words_behind, topic)
    if tool:
        phrases.insert(0, ("with", tool))
    skill, direct_object, phrases = _join_particle(skill, verb, direct_object, phrases)
    if squeezed(direct_object) in words()["robot"]:
        direct_object = ""  # "move the gripper to the cup"
    roles = skills().get(skill, ())
    arguments_by_role: dict[int, str] = {}
    if skill in ("push", "pull", "turn"):
        direct_object, arguments_by_role = _split_directions(direct_object, roles)
    _fill_roles(arguments_by_role, phrases, roles)
    role = _role_of_direct_object(skill, verb, roles, arguments_by_role)
    if direct_object and role is not None:
        arguments_by_role[role] = _resolve_pronoun(direct_object, topic)
    if skill in ("press", "move_to") and arguments_by_role:
        # If no object is named, the arm that presses or moves holds nothing.
        arguments_by_role.setdefault(0, NO_OBJECT)
    return skill, [arguments_by_role[role] for role in sorted(arguments_by_role)]


def _fill_roles(
    arguments_by_role: dict[int, str], phrases: Sequence[tuple[str, str]], roles: Sequence[str]
) -> None:
    """Add the names of phrases with prepositions to the roles that they can have.

    Args:
        arguments_by_role: The arguments so far, by index of their role; changed in place.
        phrases: Preposition and name of each phrase; a name without a free role is left out.
        roles: The roles of the skill.
    """
    for preposition, name in phrases:
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
    skill: str, verb: str, direct_object: str, phrases: list[tuple[str, str]]
) -> tuple[str, str, list[tuple[str, str]]]:
    """Return the skill of a verb with a particle after its object, as in "turn the lamp on".

    Args:
        skill: The skill that the verb names.
        verb: The verb as it is written.
        direct_object: The object behind the verb.
        phrases: Preposition and name of each further phrase.

    Returns:
        The skill of verb and particle, the object without the particle, and the other phrases.
    """
    object_before, _, last_word = direct_object.rpartition(" ")
    particle = last_word.lower()
    if skill == "turn" and particle in ("on", "off"):
        return f"turn_{particle}", object_before, phrases
    if skill == "turn" and not direct_object and phrases and phrases[0][0] in ("on", "off"):
        return f"turn_{phrases[0][0]}", phrases[0][1], phrases[1:]
    # "pull the plug out of the socket" is a skill of its own.
    if skill == "pull" and any(preposition == "out of" for preposition, _ in phrases):
        return "pullout", direct_object, phrases
    if squeezed(verb).startswith("pick") and particle == "up":
        return skill, object_before, phrases
    return skill, direct_object, phrases


def _read_turn(words_behind: str, topic: str) -> list[str]:
    """Return object, direction and state of a phrase like "the tap anticlockwise to open".

    The list is empty if no direction is named behind the first word; the state may be missing.

    Args:
        words_behind: The words behind the verb.
        topic: The object that "it" means.
    """
    all_words = _WORDS_OF_NAMES.findall(words_behind[:400])
    direction_indices = [index for index, word in enumerate(all_words) if direction_of(word)]
    # Of several directions the last one counts. The first word is part of the object's name.
    if not direction_indices or direction_indices[-1] == 0:
        return []
    direction_index = direction_indices[-1]
    fillers = words()["states_of_turning"]
    object_words = all_words[:direction_index]
    while object_words and object_words[-1].lower() in fillers:
        object_words.pop()
    arguments = [_name_in(" ".join(object_words), topic), all_words[direction_index]]
    words_after = all_words[direction_index + 1 :]
    state_words = [word for word in words_after if word.lower() not in fillers]
    if state_words:
        arguments.append(" ".join(state_words))
    return arguments


def _phrases(words_behind: str, topic: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the direct object of a sentence, and (preposition, name) for each further phrase.

    Example:
        >>> _phrases("the water from the kettle into the cup", "")
        ('water', [('from', 'kettle'), ('into', 'cup')])
    """
    pieces = PREPOSITION.split(_REMARK.sub(" ", words_behind[:1_000]))
    direct_object = _name_in(pieces[0], topic)
    phrases: list[tuple[str, str]] = []
    for preposition, phrase in zip(pieces[1::2], pieces[2::2], strict=True):
        name = _name_in(phrase, topic)
        relation = _RELATION.search(preposition)
        if name and relation:
            name = f"{relation[0].lower()} {name}"
        if name:
            phrases.append((" ".join(preposition.lower().split()), name))
        elif preposition.lower() in ("on", "off") and not phrases:
            direct_object = f"{direct_object} {preposition}"  # "turn the lamp on"
    return direct_object, phrases


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
    """Return the index of a free role that fits a preposition, or None if the skill has none.

    Args:
        preposition: The preposition.
        roles: The roles of the skill.
        arguments_by_role: The arguments so far, by index of their role.
    """
    if preposition in _TOOLS:
        fitting_roles: tuple[str, ...] = ("tool",)
    elif preposition in _SOURCES:
        # "From" and the like: a thing is taken out of a container, or off an arm.
        fitting_roles = ("container", "arm", "target")
    else:
        fitting_roles = ("target", "arm", "direction")
        if "target" not in roles:
            fitting_roles = (*fitting_roles, "container")
    for fitting_role in fitting_roles:
        for index, role in enumerate(roles):
            if role == fitting_role and index not in arguments_by_role:
                return index
    return None


def _split_directions(direct_object: str, roles: Sequence[str]) -> tuple[str, dict[int, str]]:
    """Return a name without the directions and states around it, and those by index of role.

    Example:
        >>> _split_directions("drawer open", skills()["pull"])
        ('drawer', {1: 'open'})
    """
    name_words = direct_object.split()
    has_article = len(name_words) > 2 and name_words[1].lower() in ("the", "a", "an")
    if has_article and _roles_of_direction(name_words[0]):
        name_words = [*name_words[2:], name_words[0]]  # "pull open the drawer"
    arguments_by_role: dict[int, str] = {}
    while len(name_words) > 1:
        fitting_roles = _roles_of_direction(name_words[-1])
        free_roles = []
        for index, role in enumerate(roles):
            if role in fitting_roles and index not in arguments_by_role:
                free_roles.append(index)
        if not free_roles:
            break
        arguments_by_role[free_roles[0]] = name_words.pop()
    return " ".join(name_words), arguments_by_role


def _roles_of_direction(word: str) -> list[str]:
    """Return the roles that a word can have as a direction or state."""
    roles: list[str] = []
    if direction_of(word):
        roles.append("direction")
    if sense_of(word) is not None:
        roles.append("state")
    if roles:
        roles.append("target")  # the role of a direction in "push" and "pull"
    return roles
