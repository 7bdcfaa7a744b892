"""The command line: words to functions to renderings, and nothing else.

Results go to standard output, everything else to standard error. Exit codes: 0 fine, 1 what was
evaluated or checked is not good enough, 2 wrong use of the command, 3 an input cannot be used, data
is missing, or a module of the user's raised something, 4 a mistake of this program, 130
interrupted, 141 nobody reads the standard output any more.
"""

from __future__ import annotations

from traceback import format_exception
from typing import Annotated

import typer

from eai.cli import acting, analyze, evaluate, plans, runs, tasks
from eai.cli.output import let_go, say, stop, tolerate, warn, write_error
from eai.errors import EaiError
from eai.plugins import place_of, said_by
from eai.version import __version__

__all__ = ["app", "main"]

app = typer.Typer(
    name="eai",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
"""All commands; a chapter for each of the modules beside this one."""

for chapter in (evaluate, runs, analyze, plans, acting, tasks):
    app.add_typer(chapter.app)


def _version(wanted: bool) -> None:
    if wanted:
        say(__version__)
        raise typer.Exit


@app.callback()
def _eai(
    version: Annotated[  # the callback has done it
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Evaluate what a language model decided: would its plan work, and if not, why not?"""


def main() -> None:
    """Run the command line; errors of the user are printed without a traceback."""
    tolerate()
    try:
        app(prog_name="eai")
    except EaiError as error:
        stop(str(error), 3)
    except MemoryError:
        stop("this needs more memory than there is\n  to mend it: take fewer or smaller files", 3)
    except OSError as error:
        let_go()
        file = f"{error.filename}: " if error.filename else ""
        stop(f"{file}{error.strerror or error}", 3)
    except Exception as error:
        write_error("".join(format_exception(error)).rstrip())
        place = place_of(error)
        if place is None:
            warn("this is a mistake in eai, not in what you gave it: report it with these lines")
            raise SystemExit(4) from error
        warn(f"{place}: {said_by(error)}\n  this is a mistake there, not in eai")
        raise SystemExit(3) from error
