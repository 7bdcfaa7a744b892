"""Messages as frameworks of agents print them, with their words and calls of tools alone.

LangGraph, LangChain and AutoGen print a message as a call in Python, ``AIMessage(content="...")``,
or as a block of lines with the name of a tool, the id of the call and its arguments. What the agent
said stays, and each call becomes an object of JSON; what others said to it is left out.
"""

from __future__ import annotations

import ast
import json
import re

from eai.answers.brackets import closing_bracket
from eai.nesting import load_program
from eai.text import lazy_pattern

MAX_MESSAGE = 20_000
"""Maximum number of characters of a message that is written as a call."""

_SUGGESTED = lazy_pattern(
    r"^[^\n]{0,60}\(to [\w -]{1,60}\):[ \t]*\n\s*|"  # who speaks to whom
    r"^\*{3,}[ ]?Suggested (?:tool|function) call(?: \([^()\n]{1,80}\))?: (?P<name>[\w.-]{1,60})"
    r"[ ]?\*{3,}[ \t]*\nArguments:[ \t]*\n(?P<arguments>[^*]{0,4000}?)\n\*{3,}[ \t]*$",
    re.MULTILINE,
)
"""A call of a tool as AutoGen prints it."""
_HEAD = lazy_pattern(r"^={5,} ?(?P<speaker>[A-Z]\w{0,20}) Message ?={5,}[ \t]*$", re.MULTILINE)
"""The head of a message of LangChain, which says who speaks."""
_LISTED_CALLS = lazy_pattern(r"^Tool Calls:[ \t]*\n", re.MULTILINE)
_LISTED_CALL = lazy_pattern(
    r"[ ]{1,4}(?P<name>[\w.-]{1,60}) \([^()\n]{1,80}\)[ \t]*\n"
    r"[ ]{1,4}Call ID:[^\n]*\n[ ]{1,4}Args:[ \t]*(?:\n|$)"
    r"(?P<arguments>(?:[ ]{4,8}\w{1,40}:[^\n]*(?:\n|$))*)"
)
"""A call of a tool below "Tool Calls:"."""
_CALLED = lazy_pattern(r"\b(?:(?P<speaker>[A-Z]\w{0,40})Message|FunctionCall|ToolCall)\(")
"""The begin of a message, or of a call of a tool, that is printed as a call."""
_OTHERS = frozenset(
    ["Human", "System", "Tool", "User", "Function", "FunctionExecutionResult", "ToolCallExecution"]
)
"""Speakers, and kinds of messages, that are not what the agent says."""
_MARKED_TAG = lazy_pattern(
    r"<\|open\|>(?P<opened>[a-z]\w{0,20})(?:[ ]\w{1,20}=(?P<name>\"[^\"<>\n]{0,80}\"))?"
    r"(?:[ ]\w{1,20}=\"[^\"<>\n]{0,80}\"){0,5}<\|sep\|>"
    r"|<\|close\|>(?P<closed>[a-z]\w{0,20})<\|sep\|>"
)
"""The begin or the end of an element in special tokens, as Kimi writes its calls."""


def extract_said_messages(text: str) -> str:
    """Return an answer with the words and calls of the messages that frameworks print in it."""
    # Rare signs are looked for first, as most answers have none of these and may be long.
    if "|" in text and "<|sep|>" in text:
        text = _MARKED_TAG.sub(_plain_tag, text)
    if "***" in text and "Suggested" in text:
        text = _SUGGESTED.sub(_suggested_call, text)
    if "====" in text and "= Ai Message =" in text:
        text = _blocks_of_agent(text)
    if "(" in text and ("Message(" in text or "Call(" in text):
        text = _replace_printed_messages(text)
    return text


def _plain_tag(match: re.Match[str]) -> str:
    """Return ``<|open|>call tool="walk" index="1"<|sep|>`` as an element of XML, with its name."""
    if match["closed"]:
        return f"</{match['closed']}>"
    named = f" name={match['name']}" if match["name"] else ""
    return f"<{match['opened']}{named}>"


def _suggested_call(call: re.Match[str]) -> str:
    """Return a call that AutoGen prints as an object of JSON; nothing for its speaker's line."""
    if call["name"] is None:
        return ""
    return _as_json(call["name"], call["arguments"].strip() or "{}")


def _as_json(name: str, arguments: str) -> str:
    """Return a call as an object of JSON.

    Args:
        name: Name of the tool.
        arguments: Its arguments, in JSON.
    """
    return f'{{"name": {json.dumps(name)}, "arguments": {arguments}}}'


def _blocks_of_agent(text: str) -> str:
    """Return the text before the first message, and the messages of the agent.

    A message stands below a head such as ``== Ai Message ==``.
    """
    heads = list(_HEAD.finditer(text))
    if not heads:
        return text
    messages = [text[: heads[0].start()]]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=True):
        if head["speaker"] not in _OTHERS:
            messages.append(_with_listed_calls(text[head.end() : end]))
    return "\n".join(messages)


def _with_listed_calls(message: str) -> str:
    """Return a message with the calls below "Tool Calls:" as objects of JSON."""
    head = _LISTED_CALLS.search(message)
    if head is None:
        return message
    text_pieces = [message[: head.start()]]
    call_start = head.end()
    while call := _LISTED_CALL.match(message, call_start):
        arguments: dict[str, str] = {}
        for line in call["arguments"].splitlines():
            key, _, value = line.partition(":")
            arguments[key.strip()] = value.strip()
        text_pieces.append(_as_json(call["name"], json.dumps(arguments)) + "\n")
        call_start = call.end()
    return "".join([*text_pieces, message[call_start:]])


def _replace_printed_messages(text: str) -> str:
    """Return an answer with messages that are printed as calls replaced by their content.

    Frameworks print ``TextMessage(source='planner', content='WALK(fridge)')`` for what was said.
    """
    text_pieces: list[str] = []
    last_end = 0
    while call := _CALLED.search(text, last_end):
        limit = call.end() + MAX_MESSAGE
        end = closing_bracket(text, call.end(), ")", limit, is_program=True) + 1
        if not end:
            break
        printed = text[call.start() : end]
        content = _content_of_printed_call(printed, call["speaker"])
        text_pieces.append(text[last_end : call.start()])
        text_pieces.append(printed if content is None else content)
        last_end = end
    text_pieces.append(text[last_end:])
    return "".join(text_pieces)


def _content_of_printed_call(printed_call: str, speaker: str | None) -> str | None:
    """Return the content of a message, or a call of a tool, that is printed as a call of Python.

    It is empty for messages to the agent, and None if the text is no such call. Only literals are
    looked at; nothing is evaluated.

    Args:
        printed_call: The call: ``TextMessage(source='planner', content='WALK(fridge)')``.
        speaker: The kind of message, ``Text``; None for the call of a tool.
    """
    try:
        statement = load_program(printed_call).body[0]
    except ValueError:
        return None
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or call.args:
        return None
    fields = {keyword.arg: keyword.value for keyword in call.keywords}
    if speaker is None:
        return _call_as_json(fields)
    content = _text_of(fields.get("content"))
    if content is None:
        return None
    if speaker in _OTHERS:
        return ""
    return content if content.strip() else None


def _call_as_json(fields: dict[str | None, ast.expr]) -> str | None:
    """Return ``FunctionCall(name="walk", arguments="{...}")`` as an object of JSON.

    None if a field is missing.
    """
    name = _text_of(fields.get("name"))
    arguments = _text_of(fields.get("arguments"))
    if name is None or arguments is None or arguments.strip()[:1] != "{":
        return None
    return _as_json(name, arguments)


def _text_of(node: ast.expr | None) -> str | None:
    """Return the string that a literal of Python is; None if it is another value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None
