"""How deep things may be nested, and room on the stack to walk them.

Nested structures (formulas, JSON, lists of Python) are walked by recursion, and Python ends a
recursion at 1,000 frames, those of the caller included. Two rules keep a verdict from depending
on its caller:

- Depth is *counted*, and what exceeds the limit is refused before anything walks it.
- Whatever walks as deep as the limits admit has :data:`FRAMES` frames for it, whoever calls:
  :func:`on_own_stack` moves a call from a deep stack to a thread of its own. The few walks
  that go deeper take no frames at all (:func:`recursively`).
"""

from __future__ import annotations

import ast
import contextvars
import functools
import json
import re
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Mapping
from typing import Any, TypeVar, cast

NESTING_LIMIT = 250
"""Maximum number of operators, objects or lists inside each other."""

FRAMES = 850
"""Frames that the deepest walk may take; Python's limit is 1,000 frames."""

_SHALLOW = 100
"""A call from a stack of fewer frames stays there."""

_AnyCallable = TypeVar("_AnyCallable", bound=Callable[..., Any])
_Value = TypeVar("_Value")

Steps = Generator[tuple[Any, ...], Any, _Value]
"""A recursion that asks for its recursive calls by yielding their arguments."""

# A quote that is never closed runs to the end, so that no text is scanned twice.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def on_own_stack(function: _AnyCallable) -> _AnyCallable:
    """Give a function enough stack for its recursion, whatever the depth of its caller.

    If the stack is deep, the function is called in a new thread in the caller's context, while the
    caller waits. From a shallow stack, which is the usual case, a call takes half a microsecond
    longer.
    """

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        """Call the function, in a thread if the stack is deep."""
        try:
            sys._getframe(_SHALLOW)  # noqa: SLF001 - no other way asks for the depth so cheaply
        except ValueError:  # the stack has fewer frames
            return function(*arguments, **named)
        return _in_thread(functools.partial(function, *arguments, **named))

    return cast("_AnyCallable", call)


def _in_thread(function: Callable[[], Any]) -> Any:  # noqa: ANN401
    """Call a function in a new thread, whose stack is empty, and return its value."""
    context = contextvars.copy_context()
    results: list[Any] = []
    errors: list[BaseException] = []

    def work() -> None:
        """Call the function; keep what it returns or raises."""
        try:
            results.append(context.run(function))
        except BaseException as error:  # noqa: BLE001 - it is raised again where it belongs
            errors.append(error)

    # The caller waits, so nothing runs at the same time; a daemon does not outlive the program.
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join()
    if errors:
        raise errors.pop()
    return results[0]


def recursively(function: Callable[..., Steps[_Value]]) -> Callable[..., _Value]:
    """Give a recursion of any depth the form of a function.

    For what nests deeper than the limits: one that goes as deep as there are objects or letters.

    Args:
        function: A generator that yields the arguments of each recursive call, as a tuple, is sent
            its value, and returns its own.

    Examples:
        >>> @recursively
        ... def depth(value):
        ...     inner = 0
        ...     for item in value:
        ...         inner = max(inner, (yield (item,)))
        ...     return 1 + inner
        >>> depth([[], [[]]])
        3
    """

    @functools.wraps(function)
    def call(*arguments: Any) -> _Value:  # noqa: ANN401
        # The calls that wait for each other, innermost last, and the value for the innermost.
        pending = [function(*arguments)]
        value: Any = None
        while True:
            try:
                wanted = pending[-1].send(value)
            except StopIteration as ended:  # noqa: PERF203 - each call ends with it
                pending.pop()
                value = ended.value
                if not pending:
                    return cast("_Value", value)
            else:
                pending.append(function(*wanted))
                value = None

    return call


def load_json(text: str | bytes, **options: Any) -> Any:  # noqa: ANN401
    """Return the value of a JSON text, as :func:`json.loads` does.

    Raises:
        json.JSONDecodeError: If it is not JSON, or has more than :data:`NESTING_LIMIT` lists and
            objects inside each other.
        ValueError: If it is not text in Unicode, or a number in it is too long.
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    if _may_be_deep(text):
        _check_depth(text, 0)
    return json.loads(text, **options)


class RepeatedKeyError(ValueError):
    """Raised if a JSON object has a key twice.

    Args:
        key: The key.
    """

    def __init__(self, key: str) -> None:
        super().__init__(f"{key!r} is given twice")
        self.key = key


def load_unambiguous_json(text: str | bytes) -> Any:  # noqa: ANN401
    """Return the value of a JSON text that somebody wrote by hand.

    Python keeps the last value of a key that is given twice: a rule or a goal would be dropped
    without a word.

    Raises:
        RepeatedKeyError: If an object has a key twice.
        ValueError: As :func:`load_json` does.

    Examples:
        >>> load_unambiguous_json('{"goal": "F a", "goal": "F b"}')
        Traceback (most recent call last):
            ...
        eai.nesting.RepeatedKeyError: 'goal' is given twice
    """
    return load_json(text, object_pairs_hook=_table_of_pairs)


def _table_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs of a JSON object as a dictionary; raise an error for a repeated key."""
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise RepeatedKeyError(key)
        table[key] = value
    return table


def decoding(decoder: json.JSONDecoder, text: str) -> Callable[[int], tuple[Any, int]]:
    """Return a function that decodes the value at an offset of a text.

    It raises what :func:`load_json` does. A text with many values is looked through once.
    """
    may_be_deep = _may_be_deep(text)

    def decode(start: int) -> tuple[Any, int]:
        """Return the value that begins at a place, and its end."""
        if may_be_deep:
            _check_depth(text, start)
        return decoder.raw_decode(text, start)

    return decode


def check_value(value: object) -> None:
    """Raise an error for a value that is nested too deeply to be written as JSON.

    Raises:
        ValueError: If more than :data:`NESTING_LIMIT` containers are inside each other.
    """
    level = [value]
    for _ in range(NESTING_LIMIT + 1):
        # What occurs twice is looked at once: else lists that share their items would take
        # exponential time.
        inner: dict[int, object] = {}
        for container in level:
            if isinstance(container, Mapping):
                inner.update((id(item), item) for item in container.values())
            elif isinstance(container, (list, tuple)):
                inner.update((id(item), item) for item in container)
        if not inner:
            return
        level = list(inner.values())
    raise ValueError(_TOO_DEEP)


def load_literal(text: str) -> Any:  # noqa: ANN401
    """Return the value of a Python literal, as :func:`ast.literal_eval` does.

    Raises:
        ValueError: If it is none.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _literal(text)
    # Python's parser counts brackets (at most 200) and uses no Python frames for them, so literals
    # are never refused here. Only long chains of operators are, which are not literals.
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError(f"this is no literal: {error}") from None


def load_program(text: str) -> ast.Module:
    """Return the syntax tree of a Python program with limited nesting.

    Raises:
        ValueError: If the text is not a program, or is nested more than :data:`NESTING_LIMIT` deep.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = _program(text)
    # Python's parser counts its own depth, which is many times the limit below: what it gives up
    # is refused here in any case, from whatever stack.
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError(f"this is no program: {error}") from None
    # Level by level, so that the depth is counted and not found out by the stack.
    level: list[ast.AST] = [tree]
    for _ in range(NESTING_LIMIT + 1):
        children: list[ast.AST] = []
        for node in level:
            children += ast.iter_child_nodes(node)
        if not children:
            return tree
        level = children
    raise ValueError(_TOO_DEEP)


_literal = on_own_stack(ast.literal_eval)
_program = on_own_stack(ast.parse)

_TOO_DEEP = f"nested more than {NESTING_LIMIT} levels deep"


def _check_depth(text: str, start: int) -> None:
    """Check the nesting depth of the value at an offset by counting brackets."""
    # Strings are matched as a whole, so that brackets in them do not count.
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text, start):
        token = match[0]
        if token in ("[", "{"):
            depth += 1
            if depth > NESTING_LIMIT:
                raise json.JSONDecodeError(_TOO_DEEP, text, match.start())
        elif token in ("]", "}"):
            depth -= 1
            if depth <= 0:
                return


def _may_be_deep(text: str) -> bool:
    """Return whether brackets have to be counted, which a quick test usually excludes."""
    if text.count("[") + text.count("{") <= NESTING_LIMIT:
        return False
    brackets = text.encode("utf-8", "surrogatepass").translate(None, _NO_BRACKETS)
    # Leaving out the innermost pairs of one kind makes the depth less by one at most.
    for depth in range(0, 16, 2):
        if depth + len(brackets) <= NESTING_LIMIT:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return True
