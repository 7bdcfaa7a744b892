"""Every command shows examples in its help, and each of them is a command that can be read."""

import shlex
from collections.abc import Iterator
from typing import Any

import click
import pytest
import typer

from eai.cli import app


def commands(command: Any, *words: str) -> Iterator[tuple[str, Any]]:
    """Every command without commands of its own, by the words that call it."""
    built = command.built() if hasattr(command, "built") else command
    for name, inner in getattr(built, "commands", {}).items():
        yield from commands(inner, *words, name)
    if not hasattr(built, "commands"):
        yield " ".join(words), built


ROOT = typer.main.get_command(app)
COMMANDS = dict(commands(ROOT))


def examples(command: click.Command) -> list[str]:
    """The lines of code below the help of a command."""
    lines = (command.epilog or "").partition("```sh\n")[2].partition("```")[0].splitlines()
    return [line for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_examples_that_can_be_read(name: str) -> None:
    found = examples(COMMANDS[name])
    assert found
    for line in found:
        call = line.rpartition("| ")[2]
        words = shlex.split(call)[1 + len(name.split()) :]
        assert call.startswith(f"eai {name}"), line
        COMMANDS[name].make_context(name, words)
