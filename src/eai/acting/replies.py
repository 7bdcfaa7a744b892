"""Reading one action out of an answer.

The last line ``Action: NAME ARGUMENTS`` counts. What stands behind ``Plan:`` and ``Memory:``
is what the agent wants to be told again. What cannot be read is no exception but a reply with a
code: the turn is a failure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
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
"""Answers a list of messages."""


class Answer(str):
    """What a live model wrote, with what its endpoint says of it.

    Attributes:
        usage: Tokens, and the cost if it is stated, by the endpoint's names
            (``{"prompt_tokens": 812, ..., "cost": 0.0021}``).
        finish_reason: Why the model stopped (``"stop"``, ``"length"``); empty if nothing says it.
    """

    __slots__ = ("finish_reason", "usage")

    def __new__(  # noqa: PYI034
        cls, text: str, usage: Mapping[str, float] | None = None, finish_reason: str = ""
    ) -> Answer:
        """Make an answer of its text."""
        new = super().__new__(cls, text)
        new.usage = dict(usage or {})
        new.finish_reason = finish_reason
        return new

    def __getnewargs__(self) -> tuple[str, dict[str, float], str]:  # type: ignore[override]
        """What it is pickled by."""
        return str(self), self.usage, self.finish_reason

    usage: dict[str, float]
    finish_reason: str


def add_usage(total: dict[str, float], usage: Mapping[str, float]) -> None:
    """Add what an answer took to a sum, by the endpoint's names."""
    for name, amount in usage.items():
        total[name] = total.get(name, 0) + amount


def checked_answer(answer: object) -> str:
    """Return what an agent answered, if it is text.

    Raises:
        InputError: If it is something else: the agent is none.
    """
    if isinstance(answer, str):
        return answer
    raise InputError(
        f"an answer is {type(answer).__name__}, not text",
        expected="an agent that returns what it answers as str",
    )


def ask_agent(agent: Agent, messages: Sequence[Message]) -> str:
    """Return what an agent of somebody else answers.

    Raises:
        ModelError: If it raised an exception of its own, such as a ``TimeoutError`` of its
            client. Errors of ``eai`` are passed on.
    """
    try:
        return agent(messages)
    except EaiError:
        raise
    except Exception as error:
        place = place_of(error)
        where = "" if place is None else f"{place}: "
        raise ModelError(f"{where}the agent raised {said_by(error)}") from error


@dataclass(frozen=True, slots=True)
class Reply:
    """What was read out of an answer.

    Args:
        action: The action; None if there is none that could be tried.
        written: The action as it is written; empty if none is.
        plan: What the agent wants to do after it, in its own words.
        memory: What it wants to remember, in its own words.
        code: Why no action can be tried: ``"parsing"``, ``"action_hallucination"``,
            ``"object_hallucination"`` or ``"argument_number"``; empty if one can.
        message: The same as a sentence.
    """

    action: Action | None
    written: str = ""
    plan: str = ""
    memory: str = ""
    code: str = ""
    message: str = ""

    def refused(self, kind: ErrorKind, message: str) -> Reply:
        """The same reply without its action, and why."""
        return replace(self, action=None, code=kind.value, message=message)


def action_tools(actions: Mapping[str, int]) -> list[dict[str, object]]:
    """Describe actions as tools of OpenAI's chat protocol, for models that act by calling tools.

    Args:
        actions: Name of an action to the number of its arguments.
    """
    tools: list[dict[str, object]] = []
    for name, count in sorted(actions.items()):
        names = [f"object{number}" for number in range(1, count + 1)]
        properties = {each: {"type": "string", "description": "name of it"} for each in names}
        parameters = {"type": "object", "properties": properties, "required": names}
        function = {"name": name, "description": f"The action {name}.", "parameters": parameters}
        tools.append({"type": "function", "function": function})
    return tools


def called_actions(calls: Iterable[tuple[str, object]]) -> str:
    """Write calls of tools as an answer, a line ``Action:`` for each."""
    lines = []
    for name, given in calls:
        try:
            value: object = load_json(given) if isinstance(given, str) else given
        except ValueError:
            value = {"": given}
        named = value.items() if isinstance(value, Mapping) else [("", value)]
        words = (str(each) for _, each in sorted(named, key=lambda pair: str(pair[0])))
        lines.append(" ".join(("Action:", name.upper(), *words)))
    return "\n".join(lines)


_LONGEST = 200
"""A line with more characters is no action."""
_THOUGHTS = re.compile(r"<(think|thinking)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?(?:answer|action|plan|memory)>", re.IGNORECASE)
_HEAD = re.compile(
    r"[\s>*_#`\-]*(?:(?:my|next|final)\s+)?(action|plan|memory|remember)[*_`]*\s*:[*_`]*[ \t]*",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"[A-Z][A-Z_]+\b")
_NAME = r"[^\W\d](?:[\w\-@#$%&+]|\.(?=\S))*"
"""The name of an action, as PDDL allows it; a dot within it (``pick.up``) ends no sentence."""
_ACTION = re.compile(rf"({_NAME})\s*(?:\((.*)\)|\[(.*)\]|:?\s+(\S.*))?")


def format_action(action: Action) -> str:
    """Write an action as the line that :func:`read_reply` reads."""
    return f"Action: {' '.join((action.name.upper(), *action.arguments))}"


def read_reply(text: str) -> Reply:
    """Read the action, the plan and the notes out of an answer; no name is looked up.

    Thoughts (``<think>``), fences and emphasis around the lines are tolerated, as are the forms
    ``NAME(x, y)`` and ``NAME x, y``. An answer of a single line needs no ``Action:`` if it
    begins with a name in capitals.

    Args:
        text: What the agent wrote.

    Returns:
        The reply. Its action has the name and the words behind it as they are written.

    Raises:
        InputError: If the answer is not text.
    """
    parts = _parts(checked_answer(text)[:LONGEST])
    reply = Reply(None, plan=parts.get("plan", ""), memory=parts.get("memory", ""))
    line = parts.get("action")
    if not parts:  # the only line, if it is meant as an action
        first, *more = [*filter(None, (each.strip(" \t`") for each in _lines(text))), ""]
        line = first if more == [""] and _CAPITALS.match(first) else None
    if line is None:
        return reply.refused(ErrorKind.PARSING, "there is no line 'Action: NAME ARGUMENTS'")
    line = line.strip(" \t*`\"'").rstrip(".;").strip()
    reply = replace(reply, written=line if len(line) <= _LONGEST else f"{line[:_LONGEST]}...")
    found = _ACTION.fullmatch(line) if len(line) <= _LONGEST else None
    if found is None:
        return reply.refused(ErrorKind.PARSING, f"{shorten(line)} is not an action")
    words = next((part for part in found.groups()[1:] if part is not None), "")
    bare = (word.strip("<>()[]\"'`") for token in tokens_of(words) for word in token.split())
    return replace(reply, action=Action(found[1], tuple(filter(None, bare))))


def action_lines(text: str) -> list[str]:
    """What stands behind every ``Action:`` of a text, in order."""
    heads = ((line, _HEAD.match(line)) for line in _lines(text))
    return [line[head.end() :] for line, head in heads if head and head[1].lower() == "action"]


def _lines(text: str) -> list[str]:
    return _TAG.sub("\n", _THOUGHTS.sub("\n", text)).splitlines()


def _parts(text: str) -> dict[str, str]:
    """Heading to what stands behind it, the last one of each; of an action only its line."""
    parts: dict[str, list[str]] = {}
    now: list[str] = []
    for line in _lines(text):
        head = _HEAD.match(line)
        if head is not None:
            name = head[1].lower()
            parts["memory" if name == "remember" else name] = now = [line[head.end() :]]
        elif not line.strip().startswith("```"):
            now.append(line)
    found = {name: "\n".join(inside).strip() for name, inside in parts.items()}
    if "action" in parts:
        found["action"] = next(filter(str.strip, parts["action"]), "")
    return found


def reply_reader(actions: Mapping[str, int], objects: Iterable[str]) -> Callable[[str], Reply]:
    """Make a reader that looks the names up; upper and lower case are the same.

    Args:
        actions: Name of an action to the number of its arguments.
        objects: Names that an argument may be.

    Returns:
        What reads an answer: the action in the spelling of ``actions`` and ``objects``, or the
        reason why there is none.
    """
    known_actions = {name.lower(): name for name in actions}
    known_objects = {name.lower(): name for name in objects}

    @lru_cache(64)
    def read(text: str) -> Reply:
        reply = read_reply(text)
        if reply.action is None:
            return reply
        name = known_actions.get(reply.action.name.lower())
        if name is None:
            return _unknown(reply, ErrorKind.ACTION_HALLUCINATION, reply.action.name, actions)
        for word in reply.action.arguments:
            if word.lower() not in known_objects:
                names = known_objects.values()
                return _unknown(reply, ErrorKind.OBJECT_HALLUCINATION, word, names)
        given, arity = len(reply.action.arguments), actions[name]
        if given != arity:
            message = f"{name} takes {counted(arity, 'argument')}, not {given}"
            return reply.refused(ErrorKind.ARGUMENT_NUMBER, message)
        words = (known_objects[word.lower()] for word in reply.action.arguments)
        return replace(reply, action=Action(name, tuple(words)))

    return read


def _unknown(reply: Reply, kind: ErrorKind, name: str, known: Iterable[str]) -> Reply:
    action = kind is ErrorKind.ACTION_HALLUCINATION
    near = likely_actions(name, known) if action else nearest(name, known)
    advice = f"; did you mean {' or '.join(near)}?" if near else ""
    return reply.refused(
        kind, f"there is no {'action' if action else 'object'} {shorten(name)}{advice}"
    )
