"""Messages as frameworks of agents print them, with their words and calls of tools alone.

LangGraph, LangChain and AutoGen print a message as a call in Python, ``AIMessage(content="...")``,
or as a block of lines with the name of a tool, the id of the call and its arguments. What the agent
said stays, and each call becomes an object of JSON; what others said to it is left out.
"""

from __future__ import annotations

import ast
import json
import re

from eai.answers.object_grammar import closing_bracket
from eai.nesting import load_program

MAX_MESSAGE = 20_000
"""Maximum number of characters of a message that is written as a call."""

_SUGGESTED = re.compile(
    r"^[^\n]{0,60}\(to [\w -]{1,60}\):[ \t]*\n\s*|"  # who speaks to whom
    r"^\*{3,}[ ]?Suggested (?:tool|function) call(?: \([^()\n]{1,80}\))?: (?P<name>[\w.-]{1,60})"
    r"[ ]?\*{3,}[ \t]*\nArguments:[ \t]*\n(?P<arguments>[^*]{0,4000}?)\n\*{3,}[ \t]*$",
    re.MULTILINE,
)
"""A call of a tool as AutoGen prints it."""
_HEAD = re.compile(r"^={5,} ?(?P<speaker>[A-Z]\w{0,20}) Message ?={5,}[ \t]*$", re.MULTILINE)
"""The head of a message of LangChain, which says who speaks."""
_LISTED_CALLS = re.compile(r"^Tool Calls:[ \t]*\n", re.MULTILINE)
_LISTED_CALL = re.compile(
    r"[ ]{1,4}(?P<name>[\w.-]{1,60}) \([^()\n]{1,80}\)[ \t]*\n"
    r"[ ]{1,4}Call ID:[^\n]*\n[ ]{1,4}Args:[ \t]*(?:\n|$)"
    r"(?P<arguments>(?:[ ]{4,8}\w{1,40}:[^\n]*(?:\n|$))*)"
)
"""A call of a tool below "Tool Calls:"."""
_CALLED = re.compile(r"\b(?:(?P<speaker>[A-Z]\w{0,40})Message|FunctionCall|ToolCall)\(")
"""The begin of a message, or of a call of a tool, that is printed as a call."""
_OTHERS = frozenset(
    ["Human", "System", "Tool", "User", "Function", "FunctionExecutionResult", "ToolCallExecution"]
)
"""Speakers, and kinds of messages, that are not what the agent says."""
_MARKED_TAG = re.compile(
    r"<\|open\|>(?P<opened>[a-z]\w{0,20})(?:[ ]\w{1,20}=(?P<name>\"[^\"<>\n]{0,80}\"))?"
    r"(?:[ ]\w{1,20}=\"[^\"<>\n]{0,80}\"){0,5}<\|sep\|>"
    r"|<\|close\|>(?P<closed>[a-z]\w{0,20})<\|sep\|>"
)
"""The begin or the end of an element in special tokens, as Kimi writes its calls."""


def with_said_messages(text: str) -> str:
    """Return an answer with the words and calls of the messages that frameworks print in it."""
    # Rare signs are looked for first, as most answers have none of these and may be long.
    if "|" in text and "<|sep|>" in text:
        text = _MARKED_TAG.sub(_plain_tag, text)
    if "***" in text and "Suggested" in text:
        text = _SUGGESTED.sub(_suggested_call, text)
    if "====" in text and "= Ai Message =" in text:
        text = _said_blocks(text)
    if "(" in text and ("Message(" in text or "Call(" in text):
        text = _said_calls(text)
    return text


def _plain_tag(found: re.Match[str]) -> str:
    """Return ``<|open|>call tool="walk" index="1"<|sep|>`` as an element of XML, with its name."""
    if found["closed"]:
        return f"</{found['closed']}>"
    named = f" name={found['name']}" if found["name"] else ""
    return f"<{found['opened']}{named}>"


def _suggested_call(found: re.Match[str]) -> str:
    """Return a call that AutoGen prints as an object; nothing for the line of its speaker."""
    if found["name"] is None:
        return ""
    return _written_call(found["name"], found["arguments"].strip() or "{}")


def _written_call(name: str, arguments: str) -> str:
    """Return a call as an object of JSON; the arguments are one already."""
    return f'{{"name": {json.dumps(name)}, "arguments": {arguments}}}'


def _said_blocks(text: str) -> str:
    """Return what the agent says in messages below heads such as ``== Ai Message ==``."""
    heads = list(_HEAD.finditer(text))
    said = [text[: heads[0].start()]] if heads else [text]
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        if head["speaker"] not in _OTHERS:
            said.append(_with_listed_calls(text[head.end() : end]))
    return "\n".join(said)


def _with_listed_calls(message: str) -> str:
    """Return a message with the calls below "Tool Calls:" as objects of JSON."""
    head = _LISTED_CALLS.search(message)
    if head is None:
        return message
    pieces = [message[: head.start()]]
    place = head.end()
    while call := _LISTED_CALL.match(message, place):
        arguments: dict[str, str] = {}
        for line in call["arguments"].splitlines():
            key, _, value = line.partition(":")
            arguments[key.strip()] = value.strip()
        pieces.append(_written_call(call["name"], json.dumps(arguments)) + "\n")
        place = call.end()
    return "".join([*pieces, message[place:]])


def _said_calls(text: str) -> str:
    """Return an answer with messages that are printed as calls replaced by their content.

    Frameworks print ``TextMessage(source='planner', content='WALK(fridge)')`` for what was said.
    """
    pieces: list[str] = []
    begin = 0
    while call := _CALLED.search(text, begin):
        limit = call.end() + MAX_MESSAGE
        end = closing_bracket(text, call.end(), ")", limit, is_program=True) + 1
        if not end:
            break
        printed = text[call.start() : end]
        content = _said_in_call(printed, call["speaker"])
        pieces.append(text[begin : call.start()])
        pieces.append(printed if content is None else content)
        begin = end
    pieces.append(text[begin:])
    return "".join(pieces)


def _said_in_call(written: str, speaker: str | None) -> str | None:
    """Return what a message says that is printed as a call; None if it is no such message.

    Only literals are looked at; nothing is evaluated.
    """
    try:
        statement = load_program(written).body[0]
    except ValueError:
        return None
    tree = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(tree, ast.Call) or tree.args:
        return None
    fields = {keyword.arg: keyword.value for keyword in tree.keywords}
    if speaker is None:
        return _said_call(fields)
    content = _text_of(fields.get("content"))
    if content is None:
        return None
    if speaker in _OTHERS:
        return ""
    return content if content.strip() else None


def _said_call(fields: dict[str | None, ast.expr]) -> str | None:
    """Return ``FunctionCall(name="walk", arguments="{...}")`` as an object of JSON."""
    name = _text_of(fields.get("name"))
    arguments = _text_of(fields.get("arguments"))
    if name is None or arguments is None or arguments.strip()[:1] != "{":
        return None
    return _written_call(name, arguments)


def _text_of(node: ast.expr | None) -> str | None:
    """Return the text that a literal of Python is; None if it is another value."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value) if is_text and isinstance(node, ast.Constant) else None
