"""The parts of a step with named parts: which of them hold objects, and which objects these are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eai.answers.keys import fitting_roles, in_order_of_roles, is_object_key, texts_of
from eai.answers.plan import CALLING, NOTHING, WORDS
from eai.answers.surfaces import squeezed
from eai.answers.values import Pair, Text, encoded

if TYPE_CHECKING:
    from eai.answers.grammar import StepGrammar

MAX_NAME_LENGTH = 60
"""Maximum number of characters of an unknown name of an action; a longer text is a sentence."""
SCHEMA_KEYS = WORDS["schema_keys"]
"""Keys of wrappers, which may be names of actions as well."""


def objects_of_parts(
    grammar: StepGrammar, parts: Sequence[Pair], max_objects: int, optional: int = 0
) -> list[str]:
    """Return the objects in the parts of a step.

    Args:
        grammar: Reads the objects.
        parts: The pairs beside the action, without asides.
        max_objects: Number of objects that the action takes; -1 if it is unknown.
        optional: Number of objects that may be named besides.
    """
    most_named = max_objects + optional
    parts = [p for p in parts if not isinstance(p.value, Text) or p.text not in NOTHING]
    called = [pair for pair in parts if holds_arguments(pair)]
    plain = [pair for pair in called if pair.name != "id"]
    has_id = len(plain) < len(called)
    if has_id and (_id_of_call(called) or _are_whole(grammar, plain, max_objects)):
        called = plain
    chosen = _with_others(grammar, called, parts, max_objects) or list(parts)
    named: list[tuple[str, str]] = []
    for pair in chosen:
        # A text may be a value of its own: "args": "[\"light\", \"411\"]".
        inside = encoded(pair.value) if isinstance(pair.value, Text) else None
        written = ", ".join(texts_of(pair.value if inside is None else inside))
        if written and written not in NOTHING:
            named.append((pair.key.value, written))
    named = grammar.without_labels(named, max_objects)
    objects = grammar.inside(", ".join(fitting_roles(named, most_named)), most_named)
    if called or max_objects < 0:
        return objects
    # No key says that objects stand under it: names of the task are preferred to other words.
    texts = ", ".join(text for _, text in in_order_of_roles(named))
    mentions = grammar.surfaces.mentions(texts)
    if not mentions:
        return objects[:max_objects]
    return [mention.name for mention in mentions if not mention.is_action][:most_named]


def _with_others(
    grammar: StepGrammar, called: Sequence[Pair], parts: Sequence[Pair], max_objects: int
) -> list[Pair]:
    """Return the parts with the objects of a step, those under unknown keys where one lacks.

    Beside ``object`` and ``target`` a third object may stand under any key.
    """
    objects = grammar.surfaces.objects
    others = [p for p in parts if squeezed(p.text) in objects and p not in called]
    if not called or len(called) + len(others) != max_objects:
        return list(called)
    return [pair for pair in parts if pair in called or pair in others]


def _are_whole(grammar: StepGrammar, parts: Sequence[Pair], max_objects: int) -> bool:
    """Whether parts name as many objects as a step takes, each with its number."""
    texts = ", ".join(text for pair in parts for text in texts_of(pair.value))
    named = grammar.surfaces.objects_in(texts)
    return len(named) == max_objects and grammar.surfaces.classes.isdisjoint(named)


def _id_of_call(called: Sequence[Pair]) -> bool:
    """Whether a key ``id`` beside the arguments is that of the call, not of an object.

    ``{"id": "call_1", "arguments": ...}`` has the id of a call, ``{"object": "light",
    "id": "411"}`` that of an object.
    """
    has_arguments = any(pair.name in CALLING for pair in called)
    ids = [pair.text for pair in called if pair.name == "id" and isinstance(pair.value, Text)]
    return bool(ids) and (has_arguments or not ids[0].isdigit())


def holds_arguments(pair: Pair) -> bool:
    """Whether the objects of a step stand under a key such as ``object``, ``to`` or ``args``."""
    return is_object_key(pair.key.value) or pair.name in CALLING


def written_pair(pair: Pair) -> Text:
    """Return a pair as one text, for a message."""
    values = ", ".join(texts_of(pair.value))
    return Text(f"{pair.key.value}: {values}", pair.key.at, pair.key.end, quoted=True)
