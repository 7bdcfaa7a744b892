"""Reading the action of an answer.

The last line ``Action: NAME ARGUMENTS`` counts. The text after ``Plan:`` and ``Memory:`` is told to
the agent again. An answer that cannot be read is no exception but a reply with a code: the turn is
a failure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from eai.answers import LONGEST, likely_actions, shorten, tokens_of
from eai.diagnosis import ErrorKind
from eai.errors import EaiError, InputError, ModelError, nearest
from eai.nesting import load_json
from eai.plugins import place_of, said_by
from eai.text import counted
from eai.world import Action

Message = dict[str, str]
"""One message: ``role`` (``"user"`` or ``"assistant"``), ``content``, and ``image``, a PNG in base
64, where there is one."""

Agent = Callable[[Sequence[Message]], str]
"""A function from a list of messages to an answer."""


def checked_answer(answer: object) -> str:
    """Return the answer of an agent after checking that it is text.

    Raises:
        InputError: If it is something else: the agent is invalid.
    """
    if isinstance(answer, str):
        return answer
    raise InputError(
        f"an answer is {type(answer).__name__}, not text",
        expected="an agent that returns what it answers as str",
    )


def ask_agent(agent: Agent, messages: Sequence[Message]) -> str:
    """Return the answer of a user's agent, reporting its errors as the agent's.

    Raises:
        ModelError: If it raised an exception of its own, such as a ``TimeoutError`` of its
            client. Errors of ``eai`` are passed on.
    """
    try:
        return agent(messages)
    except EaiError:
        raise
    except Exception as error:
        problem = f"the agent raised {said_by(error)}"
        error_place = place_of(error)
        if error_place is not None:
            problem = f"{error_place}: {problem}"
        raise ModelError(problem) from error


@dataclass(frozen=True, slots=True)
class Reply:
    """The action in an answer, with the plan and notes beside it.

    Args:
        action: The action; None if there is none that could be tried.
        written: The action as it is written; empty if none is.
        plan: Plan of the agent after the action, in its own words.
        memory: Notes of the agent, in its own words.
        code: Reason why no action can be tried: ``"parsing"``, ``"action_hallucination"``,
            ``"object_hallucination"`` or ``"argument_number"``; empty if one can.
        message: The reason as a sentence.
    """

    action: Action | None
    written: str = ""
    plan: str = ""
    memory: str = ""
    code: str = ""
    message: str = ""

    def refused(self, kind: ErrorKind, message: str) -> Reply:
        """Return the reply without its action, and with the reason."""
        return replace(self, action=None, code=kind.value, message=message)


def action_tools(actions: Mapping[str, int]) -> list[dict[str, object]]:
    """Return actions as tools of OpenAI's chat protocol.

    Args:
        actions: Name of an action to the number of its arguments.
    """
    tools: list[dict[str, object]] = []
    for name, count in sorted(actions.items()):
        names = [f"object{number}" for number in range(1, count + 1)]
        properties = {}
        for argument in names:
            properties[argument] = {"type": "string", "description": "name of it"}
        parameters = {"type": "object", "properties": properties, "required": names}
        function = {"name": name, "description": f"The action {name}.", "parameters": parameters}
        tools.append({"type": "function", "function": function})
    return tools


def called_actions(calls: Iterable[tuple[str, object]]) -> str:
    """Return tool calls as an answer with a line ``Action:`` for each.

    Args:
        calls: Pairs of a tool's name and its arguments, which may be JSON.
    """
    lines = []
    for name, arguments in calls:
        value = arguments
        if isinstance(arguments, str):
            with suppress(ValueError):
                value = load_json(arguments)
        argument_values = [value]
        if isinstance(value, Mapping):
            # Arguments are sorted by name ("object1", "object2"), since models change their order.
            argument_values = [value[key] for key in sorted(value, key=str)]
        # A call putin(object1="cup", object2="sink") is the line "Action: PUTIN cup sink".
        lines.append(" ".join(("Action:", name.upper(), *map(str, argument_values))))
    return "\n".join(lines)


_MAX_LINE = 200
"""Maximum number of characters of a line with an action."""
_THOUGHTS = re.compile(r"<(think|thinking)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
"""The thoughts of a model before its answer; it may not come to the end of them."""
_TAG = re.compile(r"</?(?:answer|action|plan|memory)>", re.IGNORECASE)
"""Marks around parts of an answer, which are taken out."""
# Beginnings of the parts of an answer, with marks around them: "**Next action:** ", "> Plan:".
_HEAD = re.compile(
    r"[\s>*_#`\-]*(?:(?:my|next|final)\s+)?(action|plan|memory|remember)[*_`]*\s*:[*_`]*[ \t]*",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"[A-Z][A-Z_]+\b")
"""Beginning of a line that is an action, as in ``PUT cup table``."""
_NAME = r"[^\W\d](?:[\w\u0300-\u036f\-@#$%&+]|\.(?=\S))*"
"""The name of an action, as PDDL allows it; a dot within it (``pick.up``) ends no sentence.

Accents may stand behind their letters: the capital of the one character ``ǰ`` is a ``J`` and an
accent."""
# "PUT cup table", "put(cup, table)", "put[cup, table]", "PUT: cup table".
_ACTION = re.compile(rf"({_NAME})\s*(?:\((.*)\)|\[(.*)\]|:?\s+(\S.*))?")


def format_action(action: Action) -> str:
    """Return an action as a line that :func:`read_reply` reads.

    >>> format_action(Action("put", ("cup.1", "table.2")))
    'Action: PUT cup.1 table.2'
    """
    return f"Action: {' '.join((action.name.upper(), *action.arguments))}"


def read_reply(text: str) -> Reply:
    """Return the action, plan and notes of an answer, without checking names.

    Thoughts (``<think>``), fences and emphasis around the lines are tolerated, as are the forms
    ``NAME(x, y)`` and ``NAME x, y``. An answer of a single line needs no ``Action:`` if it
    begins with a name in capitals.

    Args:
        text: Text of the agent.

    Returns:
        The reply. Its action has the name and the arguments as they are written.

    Raises:
        InputError: If the answer is not text.
    """
    # An answer without headings may be the action alone: "PUT cup table".
    text_by_heading = _text_by_heading(checked_answer(text)[:LONGEST])
    reply = Reply(
        None, plan=text_by_heading.get("plan", ""), memory=text_by_heading.get("memory", "")
    )
    line = text_by_heading.get("action")
    if not text_by_heading:
        line = _only_line(text)
    if line is None:
        return reply.refused(ErrorKind.PARSING, "there is no line 'Action: NAME ARGUMENTS'")
    line = line.strip(" \t*`\"'").rstrip(".;").strip()
    action_match = None
    written_action = f"{line[:_MAX_LINE]}..."
    # A longer text is not an action, and the pattern would take long to reject it.
    if len(line) <= _MAX_LINE:
        action_match = _ACTION.fullmatch(line)
        written_action = line
    reply = replace(reply, written=written_action)
    if action_match is None:
        return reply.refused(ErrorKind.PARSING, f"{shorten(line)} is not an action")
    # The pattern has a group for each form of arguments: "(x, y)", "[x, y]" and "x, y".
    name, *argument_groups = action_match.groups()
    arguments = ""
    for argument_group in argument_groups:
        if argument_group is not None:
            arguments = argument_group
            break
    return replace(reply, action=Action(name, _argument_words(arguments)))


def _argument_words(text: str) -> tuple[str, ...]:
    """Return the arguments of an action without brackets and quotes.

    >>> _argument_words("<cup>, 'sink'")
    ('cup', 'sink')
    """
    words = []
    for token in tokens_of(text):
        for word in token.split():
            bare = word.strip("<>()[]\"'`")
            if bare:
                words.append(bare)
    return tuple(words)


def _only_line(text: str) -> str | None:
    """Return an answer's only line if it begins with a name in capitals, or None."""
    lines = [line.strip(" \t`") for line in _lines_without_thoughts(text)]
    lines = [line for line in lines if line]
    if len(lines) == 1 and _CAPITALS.match(lines[0]):
        return lines[0]
    return None


def action_lines(text: str) -> list[str]:
    """Return the text after every ``Action:``, in order."""
    texts = []
    for line in _lines_without_thoughts(text):
        head = _HEAD.match(line)
        if head is not None and head[1].lower() == "action":
            texts.append(line[head.end() :])
    return texts


def _lines_without_thoughts(text: str) -> list[str]:
    """Return the lines of an answer without thoughts; tags are line breaks."""
    return _TAG.sub("\n", _THOUGHTS.sub("\n", text)).splitlines()


def _text_by_heading(text: str) -> dict[str, str]:
    """Return the last part of an answer under each heading.

    The lines ``Plan: go on`` and ``Action: OPEN fridge`` become ``{"plan": "go on", "action":
    "OPEN fridge"}``.
    """
    lines_by_heading: dict[str, list[str]] = {}
    current_lines: list[str] = []  # lines before the first heading go nowhere
    for line in _lines_without_thoughts(text):
        heading = _HEAD.match(line)
        if heading is not None:
            heading_name = heading[1].lower()
            if heading_name == "remember":
                heading_name = "memory"
            current_lines = [line[heading.end() :]]
            lines_by_heading[heading_name] = current_lines
        elif not line.strip().startswith("```"):
            current_lines.append(line)
    texts = {
        heading_name: "\n".join(lines).strip() for heading_name, lines in lines_by_heading.items()
    }
    if "action" in lines_by_heading:
        action_lines = [line for line in lines_by_heading["action"] if line.strip()]
        texts["action"] = action_lines[0] if action_lines else ""
    return texts


def reply_reader(actions: Mapping[str, int], objects: Iterable[str]) -> Callable[[str], Reply]:
    """Return a reader of replies that resolves names, ignoring case.

    The reader returns the action in the spelling of ``actions`` and ``objects``, or a reply with
    the reason why it has no action.

    Args:
        actions: Name of an action to the number of its arguments.
        objects: Names that an argument may be.
    """
    names = _ReplyNames(
        actions,
        {name.lower(): name for name in actions},
        {name.lower(): name for name in objects},
    )

    @lru_cache(64)  # agents often give the same answer again
    def read(text: str) -> Reply:
        """Return the action of an answer in the spelling of the task, or why there is none."""
        return names.look_up(read_reply(text))

    return read


@dataclass(frozen=True)
class _ReplyNames:
    """The names that a reply may use.

    Args:
        arities: Name of an action to the number of its arguments.
        actions: Name of an action in small letters to its spelling.
        objects: Name of an object in small letters to its spelling.
    """

    arities: Mapping[str, int]
    actions: Mapping[str, str]
    objects: Mapping[str, str]

    def look_up(self, reply: Reply) -> Reply:
        """Return a reply with its action in the task's spelling, or with an error."""
        action = reply.action
        if action is None:
            return reply
        # Unknown names are reported before wrong numbers of arguments, as they explain more.
        name = self.actions.get(action.name.lower())
        if name is None:
            return _refuse_name(reply, ErrorKind.ACTION_HALLUCINATION, action.name, self.arities)
        for written_name in action.arguments:
            if written_name.lower() not in self.objects:
                known_names = self.objects.values()
                return _refuse_name(
                    reply, ErrorKind.OBJECT_HALLUCINATION, written_name, known_names
                )
        arity = self.arities[name]
        if len(action.arguments) != arity:
            message = f"{name} takes {counted(arity, 'argument')}, not {len(action.arguments)}"
            return reply.refused(ErrorKind.ARGUMENT_NUMBER, message)
        object_names = tuple(self.objects[written.lower()] for written in action.arguments)
        return replace(reply, action=Action(name, object_names))


def _refuse_name(reply: Reply, kind: ErrorKind, name: str, known_names: Iterable[str]) -> Reply:
    """Return a reply that is refused because of an unknown name, with similar names."""
    if kind is ErrorKind.ACTION_HALLUCINATION:
        # An action is sought by its meaning as well: who writes GRAB means PICK.
        noun = "action"
        similar = likely_actions(name, known_names)
    else:
        noun = "object"
        similar = nearest(name, known_names)
    message = f"there is no {noun} {shorten(name)}"
    if similar:
        message += f"; did you mean {' or '.join(similar)}?"
    return reply.refused(kind, message)
