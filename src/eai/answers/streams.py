"""Messages that a provider's interface gives in parts: streams of events, and calls of ChatGLM3.

A log of a stream has a word or a piece of an argument in each event. Only all of them together are
an answer: the text that was said, and the calls of tools, each as an object of JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from eai.nesting import load_json

_EVENT = re.compile(
    r"^(?:(?:(?:event|id|retry):[^\n]*|:[^\n]*)\n){0,6}"  # its other fields, and comments
    r"data:[ ]?(\{[^\n]*|\[DONE\])[ \t\r]*$",
    re.MULTILINE,
)
"""An event of a stream: a line of data, and the lines of its other fields."""
_OTHER_FIELD = re.compile(r"^event:[^\n]*$", re.MULTILINE)
_CALL_IN_FENCE = re.compile(
    r"^(?:<\|assistant\|>)?[ \t]*([A-Za-z_]\w{0,60})[ \t]*\n"  # the name of the tool
    r"```(?:python)?[ \t]*\n[ \t]*tool_call\((.*)\)[ \t]*\n```[ \t]*$",
    re.MULTILINE,
)
"""The name of a tool, and below it its arguments as those of ``tool_call``."""


def join_message_parts(text: str) -> str:
    """Return an answer in which the pieces that an interface sends are joined to one message.

    Three kinds of logs are known: one object of JSON in each line, events behind ``data:``, and
    calls of ChatGLM3 (``tool_call(...)`` in a fence). Any other text is returned unchanged.
    """
    text = _with_joined_chunks(text)
    if "tool_call(" in text:
        text = _CALL_IN_FENCE.sub(r"\1(\2)", text)
    return _with_joined_events(text)


def _with_joined_events(text: str) -> str:
    """Return a text in which one message stands in place of all events of a stream.

    The text before the first event and behind the last one stays. A text whose events hold no
    message is returned unchanged: ``data: {...}`` may just be a key and its value.
    """
    if "data:" not in text:
        return text
    events = list(_EVENT.finditer(text))
    message = _Message()
    for event in events:
        message.add_event_text(event[1])
    full_message = message.full_text()
    if not full_message:
        return text
    text_before = text[: events[0].start()]
    text_behind = _EVENT.sub("", text[events[0].end() :])
    text_behind = _OTHER_FIELD.sub("", text_behind)
    return f"{text_before}{full_message}\n{text_behind.strip()}"


def _with_joined_chunks(text: str) -> str:
    """Return the message of a log whose lines are objects of JSON.

    A line is ``{"message": {"content": "1. WA"}, "done": false}``. A text with any other line, or
    that ends amid the message, is returned unchanged.
    """
    if text.lstrip()[:1] != "{" or '"done"' not in text:
        return text
    chunks = _chunks_of_lines(text)
    if len(chunks) < 2 or not chunks[-1]["done"]:
        return text
    message = _Message()
    for chunk in chunks:
        message.add_delta(_as_object(chunk.get("message", {"content": chunk.get("response")})))
    return message.full_text() or text


def _chunks_of_lines(text: str) -> list[Mapping[str, Any]]:
    """Return the objects in the lines of a text, if each says whether the message is done.

    The list is empty if one line is anything else. Blank lines do not count.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    # A look at the signs is cheaper than to parse a long answer up to the line that is none.
    if not all(line.startswith("{") and '"done"' in line for line in lines):
        return []
    chunks: list[Mapping[str, Any]] = []
    for line in lines:
        try:
            chunk = _as_object(load_json(line))
        except ValueError:
            return []
        if not isinstance(chunk.get("done"), bool):
            return []
        chunks.append(chunk)
    return chunks


@dataclass(slots=True)
class _Message:
    """A message that is put together from the events of a stream.

    Args:
        words: The pieces of its text.
        names: Key of a call to the name of its tool. The key is the index of the call.
        arguments: Key of a call to the pieces of its arguments.
        is_cut: Whether the stream ends inside an event.
    """

    words: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    arguments: dict[str, str] = field(default_factory=dict)
    is_cut: bool = False

    def add_event_text(self, data: str) -> None:
        """Add an event in JSON; nothing behind a broken one is part of the message."""
        if self.is_cut or data == "[DONE]":
            return
        try:
            event = load_json(data)
        except ValueError:
            self.is_cut = bool(self.words or self.names)
        else:
            self.add_event(_as_object(event))

    def add_event(self, event: Mapping[str, Any]) -> None:
        """Add an event: a chunk of a chat completion, or a delta of a block or a response."""
        choices = event.get("choices")
        if isinstance(choices, list):
            for choice in choices[:1]:
                self.add_delta(_as_object(_as_object(choice).get("delta")))
            return
        # Events of other interfaces have the index of the block or the output.
        call_key = str(event.get("index", event.get("output_index", "")))
        block = _as_object(event.get("content_block", event.get("item")))
        self._add_words(block.get("text"))
        self._begin_call(call_key, block.get("name"))
        delta = event.get("delta")
        if isinstance(delta, dict):
            self._add_words(delta.get("text"))
            self._add_arguments(call_key, delta.get("partial_json"))
        elif "arguments" in str(event.get("type")):
            self._add_arguments(call_key, delta)
        else:
            self._add_words(delta)

    def add_delta(self, delta: Mapping[str, Any]) -> None:
        """Add the delta of a chunk of a chat completion."""
        self._add_words(delta.get("content"))
        calls = delta.get("tool_calls")
        if not isinstance(calls, list):
            return
        for call in calls:
            key = str(_as_object(call).get("index", len(self.names)))
            function = _as_object(_as_object(call).get("function"))
            self._begin_call(key, function.get("name"))
            self._add_arguments(key, function.get("arguments"))

    def _add_words(self, words: object) -> None:
        """Add a piece of the text, if it is one."""
        if isinstance(words, str):
            self.words.append(words)

    def _begin_call(self, key: str, name: object) -> None:
        """Remember the name of a call, if it is one."""
        if isinstance(name, str) and name:
            self.names.setdefault(key, name)

    def _add_arguments(self, key: str, piece: object) -> None:
        """Add a piece of the arguments of a call, or all of them as an object."""
        if isinstance(piece, str):
            self.arguments[key] = self.arguments.get(key, "") + piece
        elif isinstance(piece, dict):
            self.arguments[key] = json.dumps(piece)

    def full_text(self) -> str:
        """Return the words, and below them the calls in JSON; arguments that are cut stay so."""
        calls: list[str] = []
        for key, name in self.names.items():
            arguments = self.arguments.get(key) or "{}"
            calls.append(f'{{"name": {json.dumps(name)}, "arguments": {arguments}}}')
        if self.is_cut and calls:
            calls = [f"[{', '.join(calls)},"]  # as a list that ends amid its items
        words = "".join(self.words)
        return "\n".join([words, *calls] if words.strip() else calls)


def _as_object(value: object) -> Mapping[str, Any]:
    """Return an object of JSON; an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}
