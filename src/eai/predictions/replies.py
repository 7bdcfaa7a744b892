"""Texts of models, out of the objects in which an API, an engine or a trainer returned them.

:data:`BODIES` has a line for each form. Forms nest (a response has choices, a choice a message, a
message parts), so a line says only where the next form begins. An object that is none of them was
not wrapped around an answer: it *is* an answer that somebody parsed, and is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from eai.predictions.values import Patterns, fields_of, first_at, is_list, values_at

_MAX_DEPTH = 8
"""Maximum number of forms inside each other; the deepest known have five."""


class ModelReply(NamedTuple):
    """One answer of a model.

    Args:
        text: The text of the answer.
        stopped: Why it ended, as the producer calls it (``"stop"``, ``"MAX_TOKENS"``).
        is_refusal: Whether the text stands where OpenAI's protocols have a refusal.
    """

    text: str
    stopped: str = ""
    is_refusal: bool = False


_STOPPED = (
    "finish_reason|stop_reason|finishReason|stopReason|completionReason|done_reason|"
    "incomplete_details.reason"
)


class Body(NamedTuple):
    """A format in which answers are returned.

    Args:
        name: Name of the function that returns it.
        marks: Paths that all lead to something; several alternatives are divided by ``|``.
        answer: Where its answers are; several are samples.
    """

    name: str
    marks: str
    answer: str


BODIES = (
    Body("HTTP response", "status_code body", "body"),
    Body("OpenAI chat completions and completions", "choices.0", "choices.*"),
    Body("Gemini response", "candidates.0", "candidates.*"),
    Body("OpenAI Responses", "output.0.type", "output"),
    Body("Bedrock Converse", "output.message", "output.message"),
    Body("Bedrock Titan", "results.0.outputText", "results.*.outputText"),
    Body("Bedrock Llama", "generation stop_reason|prompt_token_count", "generation"),
    Body("Anthropic message, chat message", "role content", "content"),
    Body("content in parts", "content.0.type|content.0.text", "content"),
    Body("Gemini content", "parts", "parts"),
    Body("LangChain message, serialised", "lc kwargs.content", "kwargs.content"),
    Body("LangChain message, stored", "type data.content", "data.content"),
    Body("LangChain message", "type content id|additional_kwargs|response_metadata", "content"),
    Body("LangChain result", "generations.0", "generations.*"),
    Body("chat choice, Ollama chat", "message.content|message.role", "message"),
    Body("MT-bench choice", "turns.0", "turns.0"),
    Body("Gemini candidate", "content.parts|content.role", "content"),
    Body("vLLM RequestOutput", "outputs.0.text", "outputs.*"),
    Body("HELM result", "completions.0.text", "completions.*"),
    Body("text-generation-inference", "generated_text", "generated_text"),
    Body("promptfoo response", "output tokenUsage|cached|cost", "output"),
    Body("Ollama generate", "response done|model|created_at", "response"),
    Body("Anthropic completion", "completion stop_reason|stop", "completion"),
    Body("completion choice", "text finish_reason|index|logprobs|logprob|token_ids|tokens", "text"),
    Body("lighteval response", "text.0 text_post_processed|input_tokens|output_tokens", "text.*"),
    Body("DSPy, Cohere", "text generation_id|response_id|message|generation_info", "text"),
)
"""Forms of answers, the first that fits is read."""
_PATTERNS = Patterns(BODIES, [body.marks for body in BODIES])

_OWN_ROLES = {"assistant", "gpt", "model", "ai", "bot", "chatgpt"}
_TEXT_PARTS = {"text", "output_text", "message"}
"""Types of parts that are the answer."""
_OTHER_PARTS = {
    *("thinking", "redacted_thinking", "reasoning", "reasoning_content", "refusal"),
    *("tool_use", "tool_call", "tool_result", "server_tool_use", "function_call", "function"),
    *("web_search_call", "file_search_call", "code_interpreter_call", "computer_call", "mcp_call"),
    *("image", "image_url", "input_image", "audio", "document", "citation", "data"),
}
"""Types of parts that are no answer. A list with other types is no message: it may be a plan."""
_PLAIN_WRAPPERS = ("text", "content", "generated_text", "completion", "output_text")
"""Keys that only wrap a text if they are the only key of an object."""


def replies_in(value: object) -> list[ModelReply] | None:
    """Return the answers in a value: texts, or the formats of APIs and trainers, or None.

    Args:
        value: A text; the response of an API, one of its choices or messages; a list of messages,
            of which the last one of the model counts; a list of parts, of which reasoning and
            calls of tools are left out.

    Returns:
        One entry for each sample; none if the model said nothing; None if the value is no form of
        an answer.

    Examples:
        >>> replies_in({"choices": [{"message": {"role": "assistant", "content": "walk"}}]})
        [ModelReply(text='walk', stopped='', is_refusal=False)]
        >>> replies_in({"WALK": ["light"]}) is None
        True
    """
    return _replies_at_depth(value, "", 0)


def _replies_at_depth(value: object, stopped: str, depth: int) -> list[ModelReply] | None:
    """Return the answers that a value holds (see :func:`replies_in`).

    Args:
        value: The value.
        stopped: Why the answer ended, as a form around it says.
        depth: Number of forms around it.
    """
    if isinstance(value, str):
        return [ModelReply(value, stopped)]
    if depth > _MAX_DEPTH:
        return None
    if is_list(value):
        return _replies_in_list(value, stopped, depth + 1)
    fields = fields_of(value)
    if not fields:
        return None
    reason = first_at(fields, _STOPPED)
    if isinstance(reason, str):
        stopped = reason  # the innermost form knows best
    refusal = _refusal_of_message(fields)
    if refusal:
        return [ModelReply(refusal, stopped, is_refusal=True)]
    body = _PATTERNS.first(fields)
    if body is not None:
        return _replies_of_each(values_at(fields, body.answer), stopped, depth)
    # {"text": "..."}: a single key with a text, whose name has no meaning.
    key, text = next(iter(fields.items()))
    if len(fields) == 1 and key in _PLAIN_WRAPPERS and isinstance(text, str):
        return [ModelReply(text, stopped)]
    if _is_without_content(fields):
        return []
    return None


def _replies_of_each(values: Iterable[object], stopped: str, depth: int) -> list[ModelReply]:
    """Return the answers in all elements, each as a separate sample.

    Args:
        values: The elements.
        stopped: Why the answers ended, as a form around them says.
        depth: Number of forms around them.
    """
    all_replies: list[ModelReply] = []
    for value in values:
        replies = _replies_at_depth(value, stopped, depth + 1)
        if replies is not None:
            all_replies += replies
    return all_replies


def _replies_in_list(value: Sequence[object], stopped: str, depth: int) -> list[ModelReply] | None:
    """Return the answers in a list of messages, message parts or samples, or None.

    Args:
        value: The list.
        stopped: Why the answer ended, as a form around the list says.
        depth: Number of forms around the elements.
    """
    if not value:
        return None
    objects = [fields_of(element) for element in value]
    messages = [fields for fields in objects if fields is not None and _is_message(fields)]
    if len(messages) == len(value):
        return _last_message_of_model(messages, stopped, depth)
    if all(_is_text_or_part(element) for element in value):
        if not any(objects):  # a list of texts may be an answer in itself: the caller knows
            return None
        text = "".join(_text_of_part(element) for element in value)
        refusal = "".join(_refusal_of_part(element) for element in value)
        if refusal.strip() and not text:
            return [ModelReply(refusal, stopped, is_refusal=True)]
        return [ModelReply(text, stopped)]
    if None not in objects:
        return _replies_of_samples(value, stopped, depth)
    # [[message, message]]: a list around the only sample.
    if len(value) == 1 and is_list(value[0]) and value[0]:
        return _replies_at_depth(value[0], stopped, depth)
    return None


def _last_message_of_model(
    messages: Sequence[Mapping[object, object]], stopped: str, depth: int
) -> list[ModelReply]:
    """Return the last message of the model with content, or nothing.

    Args:
        messages: The messages of a conversation.
        stopped: Why the answer ended, as a form around it says.
        depth: Number of forms around the messages.
    """
    own_messages = list(filter(_is_message_of_model, messages))
    for fields in reversed(own_messages):
        content = fields.get("content", fields.get("value", fields.get("parts")))
        if _refusal_of_message(fields):
            content = fields  # the whole message, whose text is the refusal
        replies = _replies_at_depth(content, stopped, depth)
        if replies and replies[0].text:
            return replies
    if own_messages:
        return [ModelReply("", stopped)]
    return []  # a conversation that has the questions only


def _replies_of_samples(
    value: Sequence[object], stopped: str, depth: int
) -> list[ModelReply] | None:
    """Return the answers in a list of objects, or None if one is not an answer.

    Args:
        value: The list.
        stopped: Why the answers ended, as a form around them says.
        depth: Number of forms around the list.
    """
    samples: list[ModelReply] = []
    for element in value:
        replies = _replies_at_depth(element, stopped, depth)
        if replies is None:
            return None
        samples += replies
    return samples


def _is_text_or_part(value: object) -> bool:
    return isinstance(value, str) or _is_part(fields_of(value))


def _is_message(fields: Mapping[object, object]) -> bool:
    """Return whether an object is a message, with a role and some content."""
    if fields.keys().isdisjoint(("content", "value", "parts", "tool_calls", "refusal")):
        return False
    role = fields.get("role", fields.get("from"))
    if role is None and "content" in fields:
        # LangChain writes the role as a type; other types are those of parts.
        return fields.get("type") in ("human", "ai", "system", "tool")
    return isinstance(role, str)


def _is_message_of_model(fields: Mapping[object, object]) -> bool:
    """Return whether a message is the model's, by its role under any of the usual keys."""
    role = fields.get("role", fields.get("from", fields.get("type")))
    return str(role).lower() in _OWN_ROLES


def _is_part(fields: Mapping[object, object] | None) -> bool:
    """Return whether an object is a part of a message or an item of a response."""
    if fields is None:
        return False
    if isinstance(fields.get("type"), str) and len(fields) > 1:
        return fields["type"] in _TEXT_PARTS | _OTHER_PARTS
    is_gemini = "thought" in fields or "functionCall" in fields or "thoughtSignature" in fields
    return is_gemini or (set(fields) == {"text"} and isinstance(fields["text"], str))


def _text_of_part(part: object) -> str:
    """Return the text of a message part, or "" for reasoning, tool calls and images."""
    if isinstance(part, str):
        return part
    fields = fields_of(part) or {}
    if fields.get("type", "text") not in _TEXT_PARTS or fields.get("thought") is True:
        return ""
    # Providers call the text of a part differently, and some wrap it in parts once more.
    text = fields.get("text", fields.get("content"))
    if isinstance(text, str):
        return text
    if is_list(text):
        return "".join(map(_text_of_part, text))
    return ""


def _refusal_of_message(fields: Mapping[object, object]) -> str:
    """Return the refusal in the place of a message's content, or ""."""
    # Without a role and a content it is no message, but perhaps an answer with this key.
    if fields.get("content") or {"role", "content"}.isdisjoint(fields):
        return ""
    refusal = fields.get("refusal")
    if not isinstance(refusal, str) or not refusal.strip():
        return ""
    return refusal


def _refusal_of_part(part: object) -> str:
    """Return the text of a refusal among the parts of a message, or ""."""
    # {"type": "message", "content": [...]} wraps the parts of a response once more.
    fields = fields_of(part) or {}
    content = fields.get("content")
    if fields.get("type") == "message" and is_list(content):
        return "".join(map(_refusal_of_part, content))
    refusal = fields.get("refusal")
    if fields.get("type") != "refusal" or not isinstance(refusal, str):
        return ""
    return refusal


def _is_without_content(fields: Mapping[object, object]) -> bool:
    """Return whether an object is a message or choice without content."""
    for key in ("content", "message", "text"):
        if key in fields and fields[key] is None and {"role", "finish_reason"} & fields.keys():
            return True
    return False
