"""Answers of models out of the replies of an endpoint, which is not trusted.

Servers that follow OpenAI's chat protocol more or less send one JSON object, or the same in pieces
although no stream was asked for. Everything else is a reply without an answer, which a
:class:`~eai.errors.ModelError` describes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from eai.acting import Answer, called_actions, usage_amounts
from eai.errors import ModelError
from eai.nesting import load_json
from eai.text import short


def read_reply(body: bytes) -> Answer:
    """Return the answer in the body of a reply.

    Args:
        body: A chat completion as JSON, or as server-sent events.

    Returns:
        The text of the model, with its number of tokens and the reason why it ended; empty if it
        wrote nothing.

    Raises:
        ModelError: If there is no answer in it; with the server's message, if it has one.
    """
    text = body.decode(errors="replace").strip()
    if text.startswith(("data:", "event:", ":")):
        return _answer_of_stream(list(_events(text)))
    reply = _parse_object(text)
    choice = _first_choice(reply)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise ModelError("the reply has a choice without a message")
    return _answer_of_message(message, reply, choice)


def _parse_object(text: str) -> dict[str, Any]:
    """Return the JSON object in a reply, or raise an error, whatever the HTTP status."""
    try:
        reply = load_json(text)
    except ValueError:
        raise ModelError(f"the reply is no JSON: {short(text, 200)}") from None
    if not isinstance(reply, dict):
        raise ModelError(f"the reply is no chat completion: {short(text, 200)}")
    # {"error": {"message": "..."}}, {"error": "..."}, or null in a reply with an answer.
    error = reply.get("error")
    if error:
        message = error
        if isinstance(error, dict):
            message = error.get("message", error)
        raise ModelError(f"the endpoint answered with an error: {short(str(message), 300)}")
    return reply


def _first_choice(reply: dict[str, Any]) -> dict[str, Any]:
    """Return the first choice of a chat completion or chunk, as only one was requested."""
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices:
        raise ModelError("the reply has no choices")
    if not isinstance(choices[0], dict):
        raise ModelError("the reply has a choice that is no object")
    return choices[0]


def _events(text: str) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream: lines such as ``data: {"choices": ...}``."""
    for line in text.splitlines():
        data = line.removeprefix("data:").strip()
        if line.startswith("data:") and data not in ("", "[DONE]"):
            yield _parse_object(data)


def _answer_of_stream(events: list[dict[str, Any]]) -> Answer:
    """Return the answer assembled from the events of a stream."""
    text_pieces: list[str] = []
    refusal_pieces: list[str] = []
    reasoning_pieces: list[str] = []
    calls: dict[int, dict[str, str]] = {}
    finish_reason: object = None
    has_choice = False
    reply: dict[str, Any] = {}
    for event in events:
        if event.get("usage"):
            reply["usage"] = event["usage"]
        if event.get("model"):
            reply["model"] = event["model"]
        if not event.get("choices"):
            continue  # the last event has only the numbers of tokens
        choice = _first_choice(event)
        has_choice = True
        # Only the last piece says why the answer ended; a later null does not undo it.
        finish_reason = choice.get("finish_reason") or finish_reason
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            continue
        text_pieces.append(_text_of_message(delta))
        refusal_pieces.append(_text_at(delta, "refusal"))
        reasoning_pieces.append(_text_at(delta, *_REASONING))
        # Name and arguments of a call come in pieces as well, each with the index of its call.
        for call_index, name, arguments in _function_calls(delta):
            call = calls.setdefault(call_index, {"name": "", "arguments": ""})
            call["name"] += name
            call["arguments"] += arguments
    if not has_choice:
        raise ModelError("the reply has no choices")
    tool_calls = [{"function": call} for _, call in sorted(calls.items())]
    message = {
        "content": "".join(text_pieces),
        "refusal": "".join(refusal_pieces),
        "reasoning_content": "".join(reasoning_pieces),
        "tool_calls": tool_calls,
    }
    return _answer_of_message(message, reply, {"finish_reason": finish_reason})


def _answer_of_message(
    message: dict[str, Any], reply: dict[str, Any], choice: dict[str, Any]
) -> Answer:
    """Return the answer in a message, with what the endpoint states about it.

    Args:
        message: The message.
        reply: The whole reply, which has the token counts and the name of the model.
        choice: The choice with the message, which has the finish reason.
    """
    calls = [(name, arguments) for _, name, arguments in _function_calls(message)]
    content = _text_of_message(message)
    # A refusal comes in the place of the content, and is what the model answered. Some servers
    # send the same text in both places.
    refusal = _text_at(message, "refusal")
    refusal_text = "" if refusal == content else refusal
    texts = filter(None, (content, refusal_text, called_actions(calls)))
    token_counts: dict[str, float] = {}
    usage = reply.get("usage")
    if isinstance(usage, dict):
        token_counts = usage_amounts(usage)
    finish_reason = choice.get("finish_reason")
    if not isinstance(finish_reason, str):
        finish_reason = ""
    details: dict[str, str | bool] = {
        "served_model": _text_at(reply, "model"),
        "reasoning_content": _text_at(message, *_REASONING),
        "refusal": bool(refusal.strip()),
    }
    stated = {name: detail for name, detail in details.items() if detail}
    return Answer("\n".join(texts), token_counts, finish_reason, stated)


_REASONING = ("reasoning_content", "reasoning")
"""Where servers send what a model thought: vLLM and DeepSeek, OpenRouter."""


def _text_at(fields: dict[str, Any], *keys: str) -> str:
    """Return the first text under one of several keys; "" if there is none."""
    for key in keys:
        text = fields.get(key)
        if isinstance(text, str) and text:
            return text
    return ""


def _text_of_message(message: dict[str, Any]) -> str:
    """Return the text of a message, which some servers send in parts."""
    content = message.get("content")
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise ModelError("the content of the reply is no text")
    texts = [part.get("text") for part in content if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def _function_calls(message: dict[str, Any]) -> Iterator[tuple[int, str, str]]:
    """Yield (index, name, arguments) for each function call of a message.

    Calls in another form than the protocol's are passed over. Parts of a call that are missing or
    no texts are empty, or are written as JSON.
    """
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return
    for position, call in enumerate(calls):
        if not isinstance(call, dict) or not isinstance(call.get("function"), dict):
            continue
        # The pieces of a streamed call have its index; a whole call has its position in the list.
        call_index = call.get("index")
        if not isinstance(call_index, int):
            call_index = position
        name = call["function"].get("name")
        if not isinstance(name, str):
            name = ""
        arguments = call["function"].get("arguments")
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments or {})
        yield call_index, name, arguments
