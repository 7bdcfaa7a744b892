"""Scripts of the shell, and programs in JavaScript, with their functions written out.

``step_1() { robot walk hall; }`` and ``step_1`` say one step. As in programs in Python
(:mod:`eai.answers.unrolled_code`) nothing is run: a call is replaced by the body of its function,
and what depends on more than the arguments of calls leaves the text as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

MAX_DEPTH = 5
"""Maximum nesting of calls of functions."""
MAX_LINES = 1_000
"""Maximum number of lines that are written out."""

_FUNCTION = re.compile(
    r"^[ \t]*(?:(?:export|async|function|public|private|static|void|bool|boolean)[ ]+){0,4}"
    r"(?P<name>[A-Za-z_]\w{0,60})[ ]?\((?P<parameters>[\w, ]{0,80})\)[ \t]*\n?[ \t]*"
    r"\{(?P<body>(?:[^{}]|\$\{\w{1,30}\}){0,4000})\}[ \t;]*$",
    re.MULTILINE,
)
"""A function in braces, without other braces in it: ``walk() { echo "$1"; }``."""
_STATEMENT = re.compile(r"[;\n]")
_TELLS = re.compile(
    r"(?:echo|printf?|println|console\.\w+|System\.out\.\w+|sleep|return|exit|#|//|:$|$)(?![^\n]*\w\()"
)
"""A statement that does nothing but tell what is done, in words that are no call."""
_RETURNS = re.compile(r"return\b(?![^\n]*\w\()")
_TAKES = re.compile(
    r"(?:local|const|let|var)?[ ]*(?P<name>\w+)=[\"']?\$\{?(?P<number>\d)\}?[\"']?$"
)
"""The name that an argument gets in the shell: ``local target=$1``."""
_NAME = re.compile(r"\$\{?(\w+)\}?|\b(\w+)\b")
_CALL = re.compile(r"[ \t]*(?:await[ ])?(?:this\.)?(?P<name>[A-Za-z_]\w{0,60})(?P<rest>[^\n]*)")


@dataclass(frozen=True, slots=True)
class _Function:
    """A function: the names of its parameters and its statements."""

    parameters: Sequence[str]
    statements: Sequence[str]

    @classmethod
    def of(cls, found: re.Match[str]) -> _Function:
        """Return the function that is found in a text."""
        parameters = [word.split()[-1] for word in found["parameters"].split(",") if word.strip()]
        parts = map(str.strip, _STATEMENT.split(found["body"]))
        return cls(parameters, [part for part in parts if part])

    @property
    def only_tells(self) -> bool:
        """Whether it only tells what is done, so that each call of it is a step."""
        return all(_TELLS.match(part) or _TAKES.match(part) for part in self.statements)

    def written_out(self, arguments: Sequence[str]) -> Iterator[str]:
        """Yield its statements with the arguments of a call in place of names and numbers."""
        parameters = dict(zip(self.parameters, arguments, strict=False))
        names = {str(number): argument for number, argument in enumerate(arguments, start=1)}
        for statement in self.statements:
            taken = _TAKES.match(statement)
            if taken is not None:
                names[taken["name"]] = names.get(taken["number"], "")
                continue
            if _RETURNS.match(statement):
                return  # the script goes on behind the call
            yield _NAME.sub(
                lambda found: names.get(found[1]) or parameters.get(found[2], found[0]), statement
            )


def with_functions_in_place(text: str) -> str:
    r"""Return an answer with the functions in braces of its scripts in place of their calls.

    Example:
        >>> with_functions_in_place("go() { walk $1; }\ngo hall\ngo bath").split()
        ['walk', 'hall', 'walk', 'bath']
    """
    functions = {found["name"]: _Function.of(found) for found in _FUNCTION.finditer(text)}
    if not functions:
        return text
    bodies = {name: each for name, each in functions.items() if not each.only_tells}
    lines = _FUNCTION.sub("", text).split("\n")
    written = list(islice(_lines(lines, bodies, frozenset(), 0), MAX_LINES + 1))
    called = {name for name in bodies if any(name == line.called for line in written)}
    if len(called) < len(bodies) or len(written) > MAX_LINES:
        return text
    return "\n".join(line.text for line in written if line.called is None)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that is written out, or the function that is called instead of one."""

    text: str
    called: str | None = None


def _lines(
    lines: Sequence[str], functions: Mapping[str, _Function], within: frozenset[str], depth: int
) -> Iterator[_Line]:
    """Yield lines with the bodies of functions in place of their calls."""
    for line in lines:
        call = _CALL.match(line)
        own = functions.get(call["name"]) if call is not None else None
        if call is None or own is None or call["name"] in within or depth > MAX_DEPTH:
            yield _Line(line)
            continue
        yield _Line("", call["name"])
        statements = list(own.written_out(_arguments(call["rest"])))
        yield from _lines(statements, functions, within | {call["name"]}, depth + 1)


def _arguments(written: str) -> list[str]:
    """Return the arguments of a call: ``("hall", "cup");``, in the shell ``hall "cup"``."""
    bare = written.strip().rstrip(";").strip()
    if bare.startswith("(") and bare.endswith(")"):
        return [part.strip(" \"'") for part in bare[1:-1].split(",") if part.strip()]
    return [quoted or plain for quoted, plain in re.findall(r"[\"']([^\"']*)[\"']|(\S+)", bare)]
