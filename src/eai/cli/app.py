"""The command line: arguments to functions to renderings, and nothing else.

Results go to standard output, everything else to standard error. Exit codes: 0 fine, 1 nothing
was judged, 2 wrong use of the command, 3 an input cannot be used, 4 data is missing.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from eai.errors import DataError, EaiError

__all__ = ["app", "main"]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Says whether a plan written by a language model would work, and if not, why.",
)


def _version(shown: bool) -> None:
    if shown:
        from eai import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Root of all commands."""


def main() -> None:
    """Run the command line; errors of the user are printed without a traceback."""
    from eai.cli import data, evaluate, explain, suites

    for module in (evaluate, explain, suites, data):
        module.register(app)
    try:
        app()
    except DataError as error:
        typer.echo(f"eai: {error}", err=True)
        sys.exit(4)
    except EaiError as error:
        typer.echo(f"eai: {error}", err=True)
        sys.exit(3)
    except KeyboardInterrupt:
        typer.echo("eai: interrupted", err=True)
        sys.exit(130)
