"""``eai completion``: what makes a shell complete commands, options and files."""

from __future__ import annotations

import argparse
from typing import Annotated, Literal

from eai.cli.commands import Argument

__all__ = ["COMMAND"]


def _completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Argument("Which shell.")],
) -> None:
    """Print a script that completes commands, options, suites and files in a shell."""
    import shtab

    from eai.cli.app import parser_of_all
    from eai.cli.output import say
    from eai.registry import suites

    made = parser_of_all()
    _complete(made, [origin.name for origin in suites().origins()], shtab.FILE)
    say(shtab.complete(made, shell))


def _complete(made: argparse.ArgumentParser, suites: list[str], files: object) -> None:
    """Say what the arguments of all commands may be: names of suites, or files."""
    for action in made._actions:  # noqa: SLF001 - there is no other way to list them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for member in action.choices.values():
                _complete(member, suites, files)
        elif action.dest == "suite":
            action.choices = suites
        elif getattr(action, "is_path", False):
            action.complete = files  # type: ignore[attr-defined]


COMMAND = _completion
