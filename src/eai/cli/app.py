"""The command line: arguments to functions to renderings, and nothing else.

Results go to standard output, everything else to standard error. Exit codes: 0 fine, 1 what was
checked has errors, 2 wrong use of the command, 3 an input cannot be used, 4 data is missing or
cannot be had, 130 interrupted.
"""

from __future__ import annotations

import atexit
import gc
import sys
from functools import cache
from typing import Annotated

import typer

from eai.errors import DataError, EaiError

__all__ = ["application", "main"]


def _version(shown: bool) -> None:
    if shown:
        from eai import __version__

        typer.echo(__version__)
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Root of all commands."""


@cache
def application() -> typer.Typer:
    """Build the command with all its subcommands."""
    from eai.cli import (
        analyze,
        ask,
        check,
        data,
        evaluate,
        explain,
        perturb,
        plan,
        prompts,
        replan,
        suites,
    )

    app = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        help="Says whether a plan written by a language model would work, and if not, why.",
    )
    app.callback()(_root)
    for module in (
        evaluate,
        explain,
        analyze,
        check,
        plan,
        perturb,
        prompts,
        ask,
        replan,
        suites,
        data,
    ):
        module.register(app)
    return app


def main() -> None:
    """Run the command line; errors of the user are printed without a traceback."""
    from eai.cli.output import let_go, tolerate

    # Collecting garbage would take a sixth of a short command: imports make next to none, and
    # Python's last collection looks at every object.
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
    tolerate()
    try:
        application()()
    except DataError as error:
        _stop(str(error), 4)
    except EaiError as error:
        _stop(str(error), 3)
    except MemoryError:
        _stop("this needs more memory than there is\n  to mend it: take fewer or smaller files", 3)
    except OSError as error:
        let_go()
        place = f"{error.filename}: " if error.filename else ""
        _stop(f"{place}{error.strerror or error}", 3)
    except KeyboardInterrupt:
        _stop("interrupted", 130)


def _stop(message: str, code: int) -> None:
    from eai.cli.output import warn

    warn(message)
    sys.exit(code)
