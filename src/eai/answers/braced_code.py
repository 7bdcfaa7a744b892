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

from eai.text import lazy_pattern

MAX_DEPTH = 5
"""Maximum nesting of calls of functions."""
MAX_LINES = 1_000
"""Maximum number of lines that are written out."""

_FUNCTION = lazy_pattern(
    r"^[ \t]*(?:(?:export|async|function|func|fun|fn|public|private|static|void|bool|boolean|int)"
    r"[ ]+){0,4}(?P<name>[A-Za-z_]\w{0,60})[ ]?\((?P<parameters>[\w, :&*<>\[\]]{0,80})\)"
    r"[ \t]*\n?[ \t]*"
    r"\{(?P<body>(?:[^{}]|\$?\{[\w:?]{0,30}\}){0,4000})\}[ \t;]*$",
    re.MULTILINE,
)
"""A function in braces, without other braces in it: ``walk() { echo "$1"; }``."""
_STATEMENT = lazy_pattern(r";(?![ \t]*(?://|#))|\n")
"""The end of a statement; a comment behind it belongs to it."""
_TELLS = lazy_pattern(
    r"(?:echo|printf?|println|puts|(?:std::)?cout|fmt\.\w+|console\.\w+|System\.out\.\w+|sleep|return|exit|#|//|:$|$)(?![^\n]*\w\()"
)
"""A statement that only prints words, and calls nothing else."""
_PRINTS = lazy_pattern(r"(?:echo|print\w*|puts|console\.\w+)\b")
_ARGUMENT = lazy_pattern(r"\$\{?\w+")
"""An argument or a variable of the shell."""
_TOLD_TEXT = lazy_pattern(r"(?:echo|print\w*|console\.log)\b[ (]*([\"'])([^\"'\n]+)\1\)?$")
"""A statement that prints a text."""
_RETURNS = lazy_pattern(r"return\b(?![^\n]*\w\()")
_TAKES = lazy_pattern(
    r"(?:local|const|let|var)?[ ]*(?P<name>\w+)=[\"']?\$\{?(?P<number>\d)\}?[\"']?$"
)
"""The name that an argument gets in the shell: ``local target=$1``."""
_FOR_EACH = lazy_pattern(
    r"^[ \t]*for \((?:final )?[\w<>]{1,30} \w+ : \w+\) \{[^{}]{0,300}\}[ \t]*$"
    r"|^[ \t]*\w+\.forEach\s*(?:\{[^{}\n]*\}"
    r"|\(\s*\(?[\w, ]{1,40}\)?\s*=>\s*(?:\{[^{}]{0,300}\}|[^{}\n]{1,200})\s*\);?)[ \t]*$",
    re.MULTILINE,
)
"""A loop over a list of steps in Kotlin, JavaScript or Java: ``for (Step step : plan) { ... }``."""
_AROUND_STEPS = lazy_pattern(
    r"""
    ^[ \t]*try[ ]?\{[ \t]*$
    |^[ \t]*\}(?:\s{0,20}(?:catch|finally)[ ]?(?:\([^()\n]{0,60}\)[ ]?)?
        \{(?:[^{}]|\$?\{[^{}]{0,60}\}){0,500}\}){1,2}[ \t;]*$   # what is done on a failure
    |^[ \t]*(?:await[ ])?(?:delay|sleep|wait)\(\d{1,6}\)[ \t;]*$  # a pause
    |\b(?:const|let|var)[ ]\w{1,60}[ ]?=[ ]?(?=await[ ])         # the name of a result
    """,
    re.MULTILINE | re.VERBOSE,
)
"""Code around the steps of a program in JavaScript that is no step itself."""
_ARGUMENTS_OF_MAIN = lazy_pattern(
    r"(?<=\b[Mm]ain\()[Ss]tring\s?(?:\[\]\s?\w+|\w+\[\])(?=\))"
    r"|\b[A-Z]\w{0,40} (?P<name>[a-z]\w{0,40});(?=\s{1,40}(?P=name)\.\w)"
)
"""The parameter of main in Java or C#, ``String[] args``; in C++ what acts, ``Robot robot;``."""
_NEW = lazy_pattern(r"(?<=[(,\[\s])new (?=[A-Z]\w{0,40}\([\"'])")
"""The keyword of a step that is an argument: ``plan.add(new Action("walk", "hall"))``."""
_NAME = lazy_pattern(r"\$\{?(\w+)\}?|\b(\w+)\b")
_CALL = lazy_pattern(r"[ \t]*(?:await[ ])?(?:this\.)?(?P<name>[A-Za-z_]\w{0,60})(?P<rest>[^\n]*)")


@dataclass(frozen=True, slots=True)
class _Function:
    """A function of a script.

    Args:
        name: Its name.
        parameters: Names of its parameters.
        statements: Its statements.
    """

    name: str
    parameters: Sequence[str]
    statements: Sequence[str]

    @classmethod
    def from_definition(cls, definition: re.Match[str]) -> _Function:
        """Return the function that a text defines."""
        parameters: list[str] = []
        for parameter in definition["parameters"].split(","):
            if parameter.strip():
                name, colon, _ = parameter.partition(":")
                parameters.append(name.split()[-1] if colon else parameter.split()[-1])
        statements = map(str.strip, _STATEMENT.split(definition["body"]))
        return cls(
            definition["name"], parameters, [statement for statement in statements if statement]
        )

    @property
    def only_tells(self) -> bool:
        """Whether it only prints what is done, so that each call of it is a step; not ``main``.

        What it prints may be the call itself: ``FIND(x) { print("FIND(" + x + ")") }``.
        """
        quoted_call = re.compile(rf"(?<=[\"'`]){re.escape(self.name)}\(")
        statements = [quoted_call.sub(" ", statement) for statement in self.statements]
        is_main = self.name.lower() == "main"
        return not is_main and all(_TELLS.match(part) or _TAKES.match(part) for part in statements)

    @property
    def told_text(self) -> str:
        """The only text that it prints, if that depends on nothing; "" if there is none."""
        texts = [match[2] for match in map(_TOLD_TEXT.match, self.statements) if match is not None]
        is_constant = len(texts) == 1 and "$" not in texts[0] and not self.parameters
        return texts[0] if is_constant else ""

    def _is_told_beside(self, statement: str) -> bool:
        """Whether a statement prints the arguments that another one of the body uses."""
        arguments = set(_ARGUMENT.findall(statement)) if _PRINTS.match(statement) else set()
        others = [other for other in self.statements if not _PRINTS.match(other)]
        return bool(arguments) and any(
            arguments.issubset(_ARGUMENT.findall(other)) for other in others
        )

    def body_with_arguments(self, arguments: Sequence[str]) -> Iterator[str]:
        """Yield its statements up to a ``return``, with the arguments of a call put in.

        In the shell, an argument is named by its number, ``$1``, or by a variable that a statement
        such as ``local target=$1`` sets.
        """
        parameters = dict(zip(self.parameters, arguments, strict=False))
        variables = {str(number): argument for number, argument in enumerate(arguments, start=1)}

        def value_of_name(word: re.Match[str]) -> str:
            name = word[1] or word[2]
            return variables.get(word[1]) or parameters.get(name, word[0])

        for statement in self.statements:
            if self._is_told_beside(statement):
                continue
            assignment = _TAKES.match(statement)
            if assignment is not None:
                variables[assignment["name"]] = variables.get(assignment["number"], "")
                continue
            if _RETURNS.match(statement):
                return  # the script goes on behind the call
            yield _NAME.sub(value_of_name, statement)


def with_functions_in_place(text: str) -> str:
    r"""Return an answer in which the calls of its scripts are replaced by the functions' bodies.

    Example:
        >>> with_functions_in_place("go() { walk $1; }\ngo hall\ngo bath").split()
        ['walk', 'hall', 'walk', 'bath']
    """
    # Most answers are no programs, and long: signs that only programs have are looked for first.
    if ".forEach" in text or "for (" in text:
        text = _FOR_EACH.sub(_blanks_instead_of, text)
    if "await " in text or "catch" in text:
        text = _AROUND_STEPS.sub(_blanks_instead_of, text)
        text = text.replace("Async(", "(")  # await robot.WalkAsync("hall")
    if "ain(" in text:
        text = _ARGUMENTS_OF_MAIN.sub(_blanks_instead_of, text)
    if "new " in text:
        text = _NEW.sub("    ", text)
    text = text.replace("println!(", " println(")
    return _with_bodies_in_place(text) if "{" in text else text


def _blanks_instead_of(part: re.Match[str]) -> str:
    """Return a part of a text with a blank for each of its characters but the ends of lines."""
    return re.sub(r"[^\n]", " ", part[0])


def _with_bodies_in_place(text: str) -> str:
    """Return a text with the bodies of its functions in place of their calls.

    A program begins with its function ``main``. The text stays as it is if a function is not
    called, or if it would be too long.
    """
    functions = {
        match["name"]: _Function.from_definition(match) for match in _FUNCTION.finditer(text)
    }
    main_name = next((name for name in functions if name.lower() == "main"), None)
    if not functions or list(functions) == [main_name]:
        return text
    script = _without_definitions(text, main_name).split("\n")
    called: set[str] = set()
    lines = list(islice(_write_out_lines(script, functions, called, frozenset()), MAX_LINES + 1))
    followed = {name for name, function in functions.items() if not function.only_tells}
    if len(lines) > MAX_LINES or not called.issuperset(followed):
        return text
    return "\n".join(line for line in lines if line is not None)


def _without_definitions(text: str, main_name: str | None) -> str:
    """Return a script without the definitions of its functions.

    If nothing calls its function ``main``, a call of it takes the place of its definition.

    Args:
        text: The script.
        main_name: Name of that function as the script writes it; None if there is none.
    """
    script = _FUNCTION.sub("", text)
    if main_name is None:
        return script
    if re.search(rf"^[ \t]*(?:await )?{main_name}\b", script, re.MULTILINE) is not None:
        return script

    def call_of_main(definition: re.Match[str]) -> str:
        return f"{main_name}()" if definition["name"] == main_name else ""

    return _FUNCTION.sub(call_of_main, text)


def _write_out_lines(
    lines: Sequence[str],
    functions: Mapping[str, _Function],
    called: set[str],
    functions_around: frozenset[str],
) -> Iterator[str | None]:
    """Yield lines, with the body of a function in place of each call of it, behind None.

    Args:
        lines: The lines of a script.
        functions: The functions of the script by their names.
        called: Receives the names of the functions that are written out.
        functions_around: Names of the functions in which the lines stand. Calls of these stay, so
            that a function that calls itself is written out once.
    """
    for line in lines:
        call = _CALL.match(line)
        function = functions.get(call["name"]) if call is not None else None
        is_around = function is not None and function.name in functions_around
        if call is None or function is None or is_around or len(functions_around) > MAX_DEPTH:
            yield line
        elif function.only_tells:
            # Each call of it is a step itself, which its text may name.
            if function.told_text and not call["rest"].strip("(); \t"):
                yield f"# {function.told_text}"
            yield line
        else:
            called.add(function.name)
            yield None  # so that calls of functions without statements are counted, too
            statements = list(function.body_with_arguments(_arguments_of_call(call["rest"])))
            around = functions_around | {function.name}
            yield from _write_out_lines(statements, functions, called, around)


def _arguments_of_call(written: str) -> list[str]:
    """Return the arguments of a call: ``("hall", "cup");``, in the shell ``hall "cup"``."""
    bare = written.strip().rstrip(";").strip()
    if bare.startswith("(") and bare.endswith(")"):
        return [part.strip(" \"'") for part in bare[1:-1].split(",") if part.strip()]
    return [quoted or plain for quoted, plain in re.findall(r"[\"']([^\"']*)[\"']|(\S+)", bare)]
