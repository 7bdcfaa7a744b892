"""The command line: arguments to functions to renderings, and nothing else.

Report go to standard output, everything else to standard error. Exit codes: 0 fine, 1 what was
judged or checked is not good enough, 2 wrong use of the command, 3 an input cannot be used, data is
missing, or a module of the user's raised something, 4 a mistake of this program, 130 interrupted,
141 nobody reads the standard output any more.
"""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from eai.cli.commands import Function, Group, UsageError
from eai.cli.output import leave, let_go, say, tolerate, warn, write_error
from eai.errors import EaiError

if TYPE_CHECKING:
    from eai.cli.parsers import Parser

__all__ = ["COMMANDS", "main", "parser_of_all", "program", "run"]

_ABOUT = "Says whether a plan written by a language model would work, and if not, why."

COMMANDS = (
    "evaluate",
    "explain",
    "compare",
    "report",
    "view",
    "export",
    "analyze",
    "repair",
    "perturb",
    "prompts",
    "ask",
    "replan",
    "interact",
    "check",
    "plan",
    "suites",
    "tasks",
    "data",
    "completion",
)
"""Names of the commands; each has a module here, in which it is called ``COMMAND``."""

_PIPE_CLOSED = 141
"""What shells say of a program that writes to a pipe that nobody reads any more (128 + SIGPIPE)."""

_MISTAKE = "this is a mistake in eai, not in what you gave it: report it with the lines above"


def program() -> None:
    """Run the command line in a process of its own, which ends at once when that is done."""
    done: list[bool] = []
    # To take every object apart would take a twentieth of a short command. What is registered first
    # is called last, after everything else was cleaned up; coverage and debuggers came before.
    if sys.gettrace() is None:
        atexit.register(lambda: leave() if done else None)
    main()
    done.append(True)


def main() -> None:
    """Run the command line; errors of the user are printed without a traceback."""
    # Collecting garbage would take a sixth of a short command: imports make next to none, and
    # Python's last collection looks at every object.
    gc.set_threshold(500_000)
    atexit.register(gc.freeze)
    tolerate()
    try:
        run(sys.argv[1:])
    except EaiError as error:
        _stop(str(error), 3)
    except MemoryError:
        _stop("this needs more memory than there is\n  to mend it: take fewer or smaller files", 3)
    except BrokenPipeError:
        # Whoever reads has enough, as with eai prompts household | head.
        let_go()
        sys.exit(_PIPE_CLOSED)
    except OSError as error:
        let_go()
        place = f"{error.filename}: " if error.filename else ""
        _stop(f"{place}{error.strerror or error}", 3)
    except KeyboardInterrupt:
        _stop("interrupted", 130)
    except Exception as error:
        raise SystemExit(_told(error)) from error


def _told(error: Exception) -> int:
    """Say whose mistake it is, of a module that the user named or of this program."""
    from traceback import format_exception

    from eai.plugins import place_of, said_by

    write_error("".join(format_exception(error)).rstrip())
    place = place_of(error)
    if place is None:
        warn(_MISTAKE)
        return 4
    warn(f"{place}: {said_by(error)}\n  this is a mistake there, not in eai")
    return 3


def run(words: Sequence[str]) -> None:
    """Run a command.

    Args:
        words: Its name and what comes behind it.

    Raises:
        SystemExit: If that is not how it is used (2), or with what the command says (1).
    """
    name, *rest = words or ("",)
    if name in COMMANDS:
        _run(f"eai {name}", _command(name), rest)
    elif name == "help" and rest:
        run([*rest, "--help"])
    elif name == "--version":
        from eai.version import __version__

        say(__version__)
    else:
        _choose("eai", parser_of_all, COMMANDS, name)


def parser_of_all() -> Parser:
    """Make the parser of the whole command line, for its help and for completion."""
    from eai.cli.parsers import parser

    made = parser("eai", Group(_ABOUT, {name: _command(name) for name in COMMANDS}))
    made.add_argument("--version", action="store_true", help="Print the version.")
    return made


def _command(name: str) -> Function | Group:
    command: Function | Group = import_module(f"eai.cli.{name}").COMMAND
    return command


def _run(path: str, command: Function | Group, words: Sequence[str]) -> None:
    if not isinstance(command, Group):
        _call(path, command, words)
        return
    name, *rest = words or ("",)
    if name in command.members:
        _run(f"{path} {name}", command.members[name], rest)
    else:
        from eai.cli.parsers import parser

        _choose(path, partial(parser, path, command), command.members, name)


def _call(path: str, function: Function, words: Sequence[str]) -> None:
    from eai.cli.parsers import parser

    reader = parser(path, function)
    try:
        function(**reader.words(words))
    except UsageError as error:
        _refuse(reader.format_usage(), path, str(error))


def _choose(path: str, make: Callable[[], Parser], known: Iterable[str], name: str) -> None:
    """Tell which commands there are, because none was named."""
    if name in ("--help", "-h", "help"):
        say(make().format_help().rstrip())
    elif name:
        from eai.cli.guesses import wrong_command

        usage = f"usage: {path} [OPTIONS] COMMAND [ARGS]...\n"
        _refuse(usage, path, wrong_command(path, name, known))
    else:
        write_error(make().format_help().rstrip())
        sys.exit(2)


def _refuse(usage: str, path: str, message: str) -> NoReturn:
    write_error(f"{usage}{path}: {message}\nTry '{path} --help'.")
    sys.exit(2)


def _stop(message: str, code: int) -> NoReturn:
    warn(message)
    sys.exit(code)
