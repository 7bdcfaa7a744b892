"""The command line: arguments to functions to renderings, and nothing else.

Results go to standard output, everything else to standard error. Exit codes: 0 fine, 2 wrong
use of the command, 3 an input cannot be used, 4 data is missing or cannot be had.
"""

from __future__ import annotations

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
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Root of all commands."""


@cache
def application() -> typer.Typer:
    """Build the command with all its subcommands."""
    from eai.cli import data, evaluate, explain, suites

    app = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        help="Says whether a plan written by a language model would work, and if not, why.",
    )
    app.callback()(_root)
    for module in (evaluate, explain, suites, data):
        module.register(app)
    return app


def main() -> None:
    """Run the command line; errors of the user are printed without a traceback."""
    try:
        application()()
    except DataError as error:
        typer.echo(f"eai: {error}", err=True)
        sys.exit(4)
    except EaiError as error:
        typer.echo(f"eai: {error}", err=True)
        sys.exit(3)
    except KeyboardInterrupt:
        typer.echo("eai: interrupted", err=True)
        sys.exit(130)
