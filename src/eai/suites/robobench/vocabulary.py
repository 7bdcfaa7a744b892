"""The skills of RoboBench, their written forms, and the arguments of calls."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from eai.answers import SIGNALS, ActionForm, Surfaces, in_order_of_roles, plain_key, squeezed
from eai.data import read_json

ARMS = ("left", "right")
NO_OBJECT = "none"
# Other words for an arm, as letters and digits.
_SIDES = {"l": "left", "r": "right", "two": "both", "bimanual": "both", "dual": "both"}
_DASHES = ("-", "\u2013", "\u2014", "/")
_AROUND = ' \t"`'
"""Characters around an argument that are not part of it."""
_MAX_UNLISTED = 50
"""Maximum number of names that an answer uses like skills."""
# The key of an argument: "object=", "'tool':".
_KEYWORD = re.compile(r"\s*[\"']?([A-Za-z_]\w{0,30})[\"']?\s*[=:]\s*(?=\S)")
# A name before a bracket, of one word or two: "grasp(", "pick up (".
_CALLED = re.compile(r"(?<!\w)([^\W\d]\w{2,30}|[a-z]{2,12} [a-z]{2,5})\s?[(\[]", re.IGNORECASE)
_NUMBERED = re.compile(
    r"""(?:(?<![\w.])\d{1,9}\s{0,2}[-.):]\s{0,2}                   # 3-
          (?:\w{1,20}(?:[ _](?:arm|hand))?\s{0,2}:\s{0,2})?       # 3-left:
        | \b(?:left|right)(?:[ _](?:arm|hand))?\s{0,2}:\s{0,2})   # right:
        (?P<skill>[^\W\d]\w{0,60})\(""",
    re.VERBOSE,
)


@cache
def words() -> Mapping[str, Any]:
    """Return the verbs for skills in sentences, and words that change a sentence's meaning."""
    listed: dict[str, Any] = {}
    for key, value in read_json("domains/robobench/words.json").items():
        listed[key] = frozenset(value.split()) if isinstance(value, str) else value
    return listed


@cache
def skills() -> Mapping[str, tuple[str, ...]]:
    """Return the skills with the roles of their arguments; those of annotators come last."""
    listed = read_json("domains/robobench/skills.json")
    return {name: tuple(roles) for name, roles in listed.items()}


@cache
def skill_surfaces(unlisted: tuple[str, ...] = ()) -> Surfaces:
    """Return the written forms of skills, and of names that an answer uses like skills.

    Beside ``pick_up`` there are the forms of sentences: "pick up", "picks up", "picking up".
    """
    forms = [(name, ActionForm(name, len(roles))) for name, roles in skills().items()]
    names_of_phrases = [*((name, name) for name in skills()), *words()["skills"].items()]
    for phrase, name in names_of_phrases:
        verb, _, particle = phrase.replace("_", " ").partition(" ")
        form = ActionForm(name, len(skills()[name]))
        for inflected in (verb, *_inflect(verb)):
            forms.append((f"{inflected}{particle}", form))
    # How many arguments an unlisted name takes is not known (-1).
    forms += [(name, ActionForm(name, -1)) for name in unlisted]
    return Surfaces(forms, ())


def _inflect(verb: str) -> tuple[str, str]:
    """Return the forms of a verb in "it moves" and "moving"."""
    ending = "es" if verb.endswith(("s", "sh", "ch", "o")) else "s"
    stem = verb.removesuffix("e")
    if stem in ("cut", "put", "plug", "unplug", "stir"):
        stem += stem[-1]
    return f"{verb}{ending}", f"{stem}ing"


def side_of(written: str) -> str:
    """Return ``"left"``, ``"right"`` or ``"both"`` if a text names an arm, else "".

    Example:
        >>> side_of("3-Left arm"), side_of("bimanual"), side_of("cup")
        ('left', 'both', '')
    """
    # Without the number of a step and a noun: "3-Left arm" -> "left".
    side = re.sub(r"^\d+|(?:arm|hand|gripper|manipulator)s?$", "", squeezed(written))
    if side in (*ARMS, "both"):
        return side
    if side in ("leftright", "leftandright"):
        return "both"
    return _SIDES.get(side, "")


def unlisted_skills(text: str) -> tuple[str, ...]:
    """Return unknown names that an answer uses like skills: numbered, or with an arm."""
    names = set()
    for match in _NUMBERED.finditer(text):
        name = match["skill"]
        if name.lower() not in SIGNALS and squeezed(name) not in _skill_names():
            names.add(name)
    return tuple(sorted(names))[:_MAX_UNLISTED]


def has_calls(text: str) -> bool:
    """Whether an answer calls a skill by its name: ``grasp(cup)``, ``PickUp[cup]``."""
    return any(squeezed(call[1]) in _skill_names() for call in _CALLED.finditer(text))


@cache
def _skill_names() -> frozenset[str]:
    return frozenset(map(squeezed, skills()))


def arguments_of_call(text: str, start: int) -> tuple[tuple[str, ...], int, bool]:
    """Return the arguments after an opening bracket, their end, and whether the bracket closes.

    A call does not go on behind its line: there the closing bracket was forgotten.

    Args:
        text: The text.
        start: Position behind the bracket that opens.

    Example:
        >>> arguments_of_call("place(cup, on (red) tray) and", 6)
        (('cup', 'on (red) tray'), 25, True)
    """
    depth = 0  # of brackets inside an argument
    argument_start = start
    arguments: list[str] = []
    for position in range(start, len(text)):
        character = text[position]
        if character == "(":
            depth += 1
        elif character == ")" and depth:
            depth -= 1
        elif character in ",)" and not depth:
            arguments.append(text[argument_start:position].strip(_AROUND))
            argument_start = position + 1
            if character == ")":
                is_empty = arguments == [""]
                return () if is_empty else tuple(arguments), position + 1, True
        elif character == "\n":
            return (*arguments, text[argument_start:position].strip(_AROUND)), position, False
    return (*arguments, text[argument_start:].strip(_AROUND)), len(text), False


def keyed_arguments(inside: str) -> list[tuple[str, str]]:
    """Return the arguments of a call as (key, value), with "" for a missing key."""
    keyed = []
    for argument in arguments_of_call(f"{inside})", 0)[0]:
        key = ""
        value = argument
        match = _KEYWORD.match(argument)
        if match:
            key, value = match[1], argument[match.end() :]
        # A quoted argument is the same name as one without quotes.
        value = value.strip(' \t"`*')
        if len(value) > 1 and value[0] == value[-1] == "'":
            value = value[1:-1]
        keyed.append((key, value))
    return [] if keyed == [("", "")] else keyed


def order_by_roles(skill: str, keyed: Sequence[tuple[str, str]]) -> list[str]:
    """Return the arguments of a call in the order of the skill's roles.

    If the keys name all roles, these decide. If a key has no meaning ("third", "detail"), the
    arguments stay in their order.

    Args:
        skill: The skill, as it is written.
        keyed: Key and value of each argument, in their order.

    Example:
        >>> order_by_roles("place", [("target", "tray"), ("object", "cup")])
        ['cup', 'tray']
    """
    form = skill_surfaces().find_action(skill)
    roles: Sequence[str] = ()
    if form is not None:
        roles = skills()[form.name]
    values_by_key = {plain_key(key): value for key, value in keyed}
    are_keys_unique = len(values_by_key) == len(keyed)
    if roles and are_keys_unique and values_by_key.keys() == set(roles):
        return [values_by_key[role] for role in roles]
    known_keys = {*roles, *words()["general_keys"]}
    has_unknown_key = not values_by_key.keys() <= known_keys
    if has_unknown_key and len(keyed) == len(roles):
        return [value for _, value in keyed]
    values = [value for _, value in in_order_of_roles(keyed) if value]
    if len(values) > len(roles):
        # A dash stands for an argument that is left out.
        values = [value for value in values if value.strip() not in _DASHES]
    return values
