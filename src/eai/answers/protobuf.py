"""Messages of Gemini as protobuf prints them, with their calls as objects of JSON.

``function_call { name: "walk" args { fields { key: "object" value { string_value: "hall" } } } }``
says the same as ``{"name": "walk", "arguments": {"object": "hall"}}``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

_CALL = re.compile(r"\b(?:parts\s{0,9}\{\s{0,99})?function_call\s{0,9}\{")
_TOKEN = re.compile(
    r"\s*(?:(?P<close>\})|(?P<name>[A-Za-z_]\w*)\s*"
    r"(?:(?P<open>:?\s*\{)|:\s*(?P<value>\"(?:[^\"\\\n]|\\.)*\"|[\w.+-]+)))"
)
"""The end of a message, the begin of one, or a field with its value."""
_CLOSING = re.compile(r"\s*\}")
_MAX_FIELDS = 200
"""Maximum number of fields and brackets of a call."""


@dataclass(slots=True)
class _Message:
    """A message: the values of its fields, and the messages in it, by their names."""

    values: dict[str, str] = field(default_factory=dict)
    messages: dict[str, list[_Message]] = field(default_factory=dict)

    def message_under(self, name: str) -> _Message:
        """Return the message under a name; an empty one if there is none."""
        found = self.messages.get(name)
        return found[0] if found else _Message()


def with_plain_calls(text: str) -> str:
    """Return an answer in which calls that protobuf prints are in JSON; a call that is cut stays.

    ``function_call { name: "walk" }`` is how some clients print the call of a tool.
    """
    if "function_call" not in text:
        return text
    text_pieces: list[str] = []
    last_end = 0
    while call := _CALL.search(text, last_end):
        message, end = _read_message(text, call.end())
        name = message.values.get("name") if message is not None else None
        if message is None or name is None:
            break
        if call[0].startswith("parts"):
            closing = _CLOSING.match(text, end)
            end = closing.end() if closing else end
        fields = message.message_under("args").messages.get("fields", ())
        arguments = ", ".join(map(_argument_as_json, fields))
        text_pieces.append(text[last_end : call.start()])
        text_pieces.append(f'{{"name": {name}, "arguments": {{{arguments}}}}}')
        last_end = end
    return "".join([*text_pieces, text[last_end:]])


def _read_message(text: str, begin: int) -> tuple[_Message | None, int]:
    """Return the message in brackets and its end; None if it is cut or too long.

    Args:
        text: The text.
        begin: Offset behind its opening bracket.
    """
    outermost = _Message()
    open_messages = [outermost]
    end = begin
    for _ in range(_MAX_FIELDS):
        token = _TOKEN.match(text, end)
        if token is None:
            return None, end
        end = token.end()
        if token["close"]:
            open_messages.pop()
            if not open_messages:
                return outermost, end
        elif token["open"]:
            inner_message = _Message()
            open_messages[-1].messages.setdefault(token["name"], []).append(inner_message)
            open_messages.append(inner_message)
        else:
            open_messages[-1].values[token["name"]] = token["value"]
    return None, end


def _argument_as_json(entry: _Message) -> str:
    """Return an argument of a call as a pair of JSON: ``"object": "hall"``."""
    return (
        f"{entry.values.get('key', json.dumps(''))}: {_value_as_json(entry.message_under('value'))}"
    )


def _value_as_json(value: _Message) -> str:
    """Return a value as JSON: a string, a number, or a list of such."""
    list_messages = value.messages.get("list_value")
    if list_messages:
        items = list_messages[0].messages.get("values", ())
        return f"[{', '.join(map(_value_as_json, items))}]"
    return next(iter(value.values.values()), "null")
