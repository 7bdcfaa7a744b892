"""Decisions of a guard, and calls as it reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eai.errors import InputError
from eai.guard.monitors import value_text
from eai.logic import ActionAtom, parse_formula
from eai.nesting import load_json, on_own_stack
from eai.world import Action

ALLOWED = "allowed"
"""Code of a decision that allows an action."""
BREAKS = "breaks"
"""The action itself, or the state that it leads to, breaks a rule, whatever follows."""
UNKEEPABLE = "unkeepable"
"""No continuation keeps the rule any more."""
PRECONDITION = "precondition"
"""The action cannot be done in the world."""
UNKNOWN = "unknown"
"""A tool or an action that is not declared."""
UNREADABLE = "unreadable"
"""The call is no call: broken JSON, or arguments whose order is not known."""
TOO_LARGE = "too_large"
"""The call's arguments are larger than the guard looks at, or it remembers too many values."""
CODES = (ALLOWED, BREAKS, UNKEEPABLE, PRECONDITION, UNKNOWN, UNREADABLE, TOO_LARGE)
"""All codes of decisions."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision about an action before it is taken.

    Args:
        allowed: Whether it may be done.
        code: The kind of reason, one of :data:`CODES`.
        rule: Name of the rule that decided; empty if none did.
        reason: Why, in words.
        remedy: What can be done instead.
        basis: The basis of an ``"unkeepable"``: ``"automaton"`` or ``"search"``.
        warnings: Names of the rules of severity ``"warning"`` that it breaks.
    """

    allowed: bool
    code: str = ALLOWED
    rule: str = ""
    reason: str = ""
    remedy: str = ""
    basis: str = ""
    warnings: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.allowed

    def __str__(self) -> str:
        """Return the decision as a text for the agent."""
        if self.allowed:
            return "allowed"
        text = "refused"
        if self.rule:
            text += f" by rule {self.rule!r}"
        text += f" ({self.code}): {self.reason}"
        if self.remedy:
            text += f"; {self.remedy}"
        return text

    def as_record(self) -> dict[str, object]:
        """Return the decision as a JSON value without empty fields."""
        names = ("code", "rule", "reason", "remedy", "basis")
        values: dict[str, object] = {"allowed": self.allowed}
        values.update({name: getattr(self, name) for name in names if getattr(self, name)})
        if self.warnings:
            values["warnings"] = list(self.warnings)
        return values


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool, or an action of a world.

    Args:
        name: The tool or action.
        arguments: Its values: by name, or in their order.
    """

    name: str
    arguments: Mapping[str, Any] | tuple[Any, ...] = ()

    def __str__(self) -> str:
        if isinstance(self.arguments, Mapping):
            named = self.arguments.items()
            texts = [f"{name}={value_text(value)}" for name, value in named]
        else:
            texts = list(map(value_text, self.arguments))
        return f"{self.name}({', '.join(texts)})"


class UnreadableCallError(InputError):
    """Raised for a value that is not a call."""


def read_call(action: object, arguments: object = None) -> Call:
    """Return the call in any of the usual forms.

    Args:
        action: An :class:`~eai.world.Action`, a name, ``"name(a, b)"``, a tuple of a name and
            values, or a tool call in the format of OpenAI or Anthropic.
        arguments: The values, if ``action`` is a name: a mapping, a sequence, or JSON text.

    Raises:
        UnreadableCallError: If it is none of these.
    """
    if isinstance(action, Call):
        return action
    if isinstance(action, Action):
        return Call(action.name, action.arguments)
    if isinstance(action, str):
        if arguments is None and "(" in action:
            return _call_from_text(action)
        return Call(action, _decode_arguments(arguments))
    if isinstance(action, Mapping):
        return _call_from_mapping(action)
    if isinstance(action, (tuple, list)) and action and isinstance(action[0], str):
        return Call(action[0], tuple(action[1:]))
    return _call_from_object(action)


def _call_from_text(text: str) -> Call:
    """Return the call in a text like ``"name(a, b)"``.

    It is read as a formula of rules, so names may be written in all ways that rules may.
    """
    try:
        atom = parse_formula(text)
    except InputError as error:
        raise UnreadableCallError(f"{text[:200]!r} is no call") from error
    name = getattr(atom, "name", "")
    if atom.operands or not name:
        raise UnreadableCallError(f"{text[:200]!r} is no call")
    return Call(name, tuple(map(str, atom.terms)))


def _call_from_mapping(call: Mapping[str, Any]) -> Call:
    """Return the call in a mapping of OpenAI, Anthropic or MCP.

    OpenAI has the name and the arguments (JSON text) under ``function``; Anthropic has ``name`` and
    ``input``, MCP ``name`` and ``arguments``.
    """
    function = call.get("function")
    if isinstance(function, Mapping):
        call = function
    name = call.get("name")
    if not isinstance(name, str):
        raise UnreadableCallError("the call has no name")
    for key in ("arguments", "input"):
        if key in call:
            return Call(name, _decode_arguments(call[key]))
    return Call(name)


def _call_from_object(call: object) -> Call:
    """Return the call in an object of a client library."""
    inner = getattr(call, "function", call)
    name = getattr(inner, "name", None)
    if not isinstance(name, str):
        raise UnreadableCallError(f"{type(call).__name__} is no call")
    for key in ("arguments", "input"):
        if hasattr(inner, key):
            return Call(name, _decode_arguments(getattr(inner, key)))
    return Call(name)


@on_own_stack
def _decode_arguments(value: object) -> Mapping[str, Any] | tuple[Any, ...]:
    """Return arguments, decoded if they are JSON text: ``'{"path": "/etc"}'``."""
    if isinstance(value, str):
        # Clients send an empty text for a call without arguments.
        if not value.strip():
            return ()
        try:
            value = load_json(value)
        except ValueError as error:
            raise UnreadableCallError("the arguments are not JSON") from error
    if value is None:
        return ()
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) for name in value):
            raise UnreadableCallError("a name of an argument is no text")
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return tuple(value)
    raise UnreadableCallError("the arguments are no object")


def call_record(call: Call) -> dict[str, object]:
    """Return a call as a JSON value in the form that rules compare."""
    if isinstance(call.arguments, Mapping):
        named = {name: value_text(value) for name, value in call.arguments.items()}
        return {"name": call.name, "arguments": named}
    return {"name": call.name, "arguments": [value_text(value) for value in call.arguments]}


def count_characters(call: Call, limit: int) -> int:
    """Return the approximate number of characters in a call, counted up to a limit."""
    # Iterative, since a hostile value may be nested deeper than the stack allows.
    size = len(call.name)
    pending: list[object] = [call.arguments]
    while pending and size <= limit:
        value = pending.pop()
        size += 1
        if isinstance(value, (str, bytes)):
            size += len(value)
        elif isinstance(value, int):
            size += value.bit_length() // 3  # a decimal digit has a little more than three bits
        elif isinstance(value, Mapping):
            pending.extend(value.keys())
            pending.extend(value.values())
        elif isinstance(value, (list, tuple, set, frozenset)):
            # A long list is over the limit by its length alone, and is not copied.
            size += len(value)
            if size <= limit:
                pending.extend(value)
    return size


def json_line(value: object) -> str:
    """Return a JSON value as one line of ASCII."""
    return json.dumps(value, ensure_ascii=True, sort_keys=False) + "\n"


def action_atom(call: Call) -> ActionAtom:
    """Return an action of a world as a proposition."""
    return ActionAtom(call.name, tuple(map(str, call.arguments)))
