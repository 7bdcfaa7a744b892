"""The order of objects that have keys, by the names and the types of an action's parameters."""

from __future__ import annotations

from collections.abc import Sequence

from eai.answers.keys import are_numbered, in_order_of_roles
from eai.answers.sentences import NamedObject, Parameter, order_by_parameters
from eai.answers.values import plain_key


def in_order_of_parameters(
    named_objects: Sequence[tuple[str, str]], parameters: Sequence[Parameter]
) -> list[str] | None:
    """Return named objects in the order of an action's parameters; None if nothing tells it.

    A key that is the name of a parameter says which parameter its object is. Types decide about
    the other objects, and where several orders fit them, the roles that the keys tell.

    Args:
        named_objects: The key of each object, with its name as the task has it; the key of an
            argument without a keyword is empty.
        parameters: The parameters of the action.

    Examples:
        >>> anything = lambda name: True
        >>> cart, start = (Parameter(name, anything, frozenset()) for name in ("c", "from"))
        >>> in_order_of_parameters([("from", "lobby"), ("c", "trolley")], [cart, start])
        ['trolley', 'lobby']
    """
    objects_by_index, others = _split_by_keys(named_objects, parameters)
    indices = range(len(parameters))
    open_indices = [index for index in indices if index not in objects_by_index]
    if not open_indices:
        # What no parameter takes is no object too many: {"timeout": 10}.
        surplus = [name for _, name in others if any(each.takes(name) for each in parameters)]
        return [objects_by_index[index] for index in indices] + surplus
    if len(others) != len(open_indices):
        return None
    ordered_others = _in_order_of_types(others, [parameters[index] for index in open_indices])
    if ordered_others is None and not objects_by_index:
        return None
    if ordered_others is None:
        ordered_others = [name for _, name in in_order_of_roles(others)]
    objects_by_index |= zip(open_indices, ordered_others, strict=True)
    return [objects_by_index[index] for index in indices]


def _split_by_keys(
    named_objects: Sequence[tuple[str, str]], parameters: Sequence[Parameter]
) -> tuple[dict[int, str], list[tuple[str, str]]]:
    """Return the objects whose keys name parameters, by the indices of these, and all others."""
    index_of_key = {_bare_key(each.name): index for index, each in enumerate(parameters)}
    objects_by_index: dict[int, str] = {}
    others: list[tuple[str, str]] = []
    for key, name in named_objects:
        index = index_of_key.get(_bare_key(key))
        if index is None or index in objects_by_index:
            others.append((key, name))
        else:
            objects_by_index[index] = name
    return objects_by_index, others


def names_parameter(key: str, parameters: Sequence[Parameter]) -> bool:
    """Whether a key is the name of a parameter; Python writes ``from_`` for ``from``."""
    return any(_bare_key(parameter.name) == _bare_key(key) for parameter in parameters)


def _bare_key(key: str) -> str:
    """Return a key as it is compared with names of parameters."""
    return plain_key(key).strip("_")


def _in_order_of_types(
    named_objects: Sequence[tuple[str, str]], parameters: Sequence[Parameter]
) -> list[str] | None:
    """Return objects in the order of their roles if the types allow it, else in the only other one.

    None if no order fits the types or several do, or if the keys do not tell objects apart: then
    the order in which they are written counts.

    Args:
        named_objects: The key of each object, with its name.
        parameters: As many parameters.
    """
    keys = {plain_key(key) for key, _ in named_objects}
    if "" in keys or len(keys) < len(named_objects) or are_numbered(named_objects):
        return None
    objects = [NamedObject(name, 0, 0) for _, name in in_order_of_roles(named_objects)]
    order = order_by_parameters(parameters, objects, "")
    if order is None or not order[1]:
        return None
    return order[0]
