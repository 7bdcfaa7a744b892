"""The objects of a step that is written with keys: ``{"action": "walk", "to": "hall"}``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eai.answers.keys import (
    decode_if_encoded,
    in_order_of_roles,
    is_object_key,
    texts_of,
    texts_under_keys,
)
from eai.answers.plan import CALLING, NOTHING, WORDS
from eai.answers.surfaces import squeezed
from eai.answers.values import Pair, Text, is_object

if TYPE_CHECKING:
    from eai.answers.grammar import StepGrammar
    from eai.answers.surfaces import ActionForm
    from eai.answers.value_steps import CollectedSteps

MAX_NAME_LENGTH = 60
"""Maximum number of characters of an unknown name of an action; a longer text is a sentence."""
SCHEMA_KEYS = WORDS["schema_keys"]
"""Keys of wrappers, which may be names of actions as well."""


class StepsOfKind:
    """Reads the steps of one kind of values.

    Args:
        collected: The plans of the value that is being read; steps are added to them.
    """

    def __init__(self, collected: CollectedSteps) -> None:
        """Add steps to these plans, read by their grammar."""
        self.collected = collected
        self.grammar = collected.grammar


def objects_of_parts(
    grammar: StepGrammar, parts: Sequence[Pair], action: ActionForm | None
) -> list[str]:
    """Return the objects of a step that stand under keys beside its action.

    Args:
        grammar: Reads the objects in a text.
        parts: The keys and values beside the action, without explanations.
        action: The action; None if it is unknown.
    """
    max_objects = -1 if action is None else action.max_objects
    parts = [pair for pair in parts if not (isinstance(pair.value, Text) and pair.text in NOTHING)]
    arguments = arguments_of_action(grammar, parts, action)
    named_objects = _texts_by_key(arguments or parts)
    named_objects = grammar.without_labels(named_objects, action)
    objects = grammar.objects_in_brackets(
        ", ".join(grammar.in_order(named_objects, action)), action
    )
    if arguments or action is None:
        return objects
    # No key says that objects stand under it: names of the task are preferred to other words.
    texts = ", ".join(
        grammar.in_order_of_parameters(named_objects, action)
        or [text for _, text in in_order_of_roles(named_objects)]
    )
    mentions = grammar.surfaces.find_mentions(texts)
    if not mentions:
        return objects[:max_objects]
    return [mention.name for mention in mentions if not mention.is_action][: action.most_named]


def arguments_of_action(
    grammar: StepGrammar, parts: Sequence[Pair], action: ActionForm | None
) -> Sequence[Pair]:
    """Return the parts whose keys say that objects stand under them.

    The names of the action's parameters say so as well. If just these are missing, objects may
    stand under any key. A key ``id`` is not one of them if it is the identifier of the call, or if
    the step has all its objects without it.

    Args:
        grammar: Knows the parameters of the action.
        parts: The keys and values beside the action.
        action: The action; None if it is unknown.
    """
    arguments = [
        pair for pair in parts if holds_arguments(pair) or grammar.names_parameter(pair, action)
    ]
    max_objects = -1 if action is None else action.max_objects
    without_id = [pair for pair in arguments if pair.name != "id"]
    if len(without_id) < len(arguments) and (
        _has_id_of_call(arguments) or _are_all_objects(grammar, without_id, max_objects)
    ):
        arguments = without_id
    return _with_object_under_other_key(grammar, arguments, parts, max_objects)


def _texts_by_key(pairs: Sequence[Pair]) -> list[tuple[str, str]]:
    """Return the keys of some pairs, each with the texts under it: ``("to", "hall")``."""
    texts_by_key: list[tuple[str, str]] = []
    for pair in pairs:
        # A text may hold a value: "args": "[\"light\", \"411\"]".
        value = decode_if_encoded(pair.value)
        if is_object(value):
            texts_by_key += texts_under_keys(value)
        else:
            texts_by_key.append((pair.key.value, ", ".join(texts_of(value))))
    return [(key, texts) for key, texts in texts_by_key if texts and texts not in NOTHING]


def _with_object_under_other_key(
    grammar: StepGrammar, arguments: Sequence[Pair], parts: Sequence[Pair], max_objects: int
) -> Sequence[Pair]:
    """Return the arguments of a step, with objects under any key if just these are missing.

    Beside ``object`` and ``target``, a third object may stand under any key. Without arguments,
    nothing tells which parts hold objects.
    """
    if not arguments:
        return []
    objects = grammar.surfaces.objects
    other_objects = [
        pair for pair in parts if squeezed(pair.text) in objects and pair not in arguments
    ]
    if len(arguments) + len(other_objects) != max_objects:
        return arguments
    return [pair for pair in parts if pair in arguments or pair in other_objects]


def _are_all_objects(grammar: StepGrammar, parts: Sequence[Pair], max_objects: int) -> bool:
    """Whether parts name as many objects as a step takes, each of them with its number."""
    texts = ", ".join(text for pair in parts for text in texts_of(pair.value))
    objects = grammar.surfaces.objects_in(texts)
    return len(objects) == max_objects and grammar.surfaces.classes.isdisjoint(objects)


def _has_id_of_call(arguments: Sequence[Pair]) -> bool:
    """Whether a key ``id`` among the arguments is the identifier of the call, not of an object.

    ``{"id": "call_1", "arguments": ...}`` has the identifier of a call, ``{"object": "light",
    "id": "411"}`` that of an object.
    """
    ids = [pair.text for pair in arguments if pair.name == "id" and isinstance(pair.value, Text)]
    if not ids:
        return False
    return not ids[0].isdigit() or any(pair.name in CALLING for pair in arguments)


def holds_arguments(pair: Pair) -> bool:
    """Whether a key such as ``object``, ``to`` or ``args`` says that objects stand under it."""
    return is_object_key(pair.key.value) or pair.name in CALLING


def written_pair(pair: Pair) -> Text:
    """Return a pair as one text, for a message."""
    values = ", ".join(texts_of(pair.value))
    return Text(f"{pair.key.value}: {values}", pair.key.at, pair.key.end, quoted=True)
