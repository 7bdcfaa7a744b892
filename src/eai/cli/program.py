"""The command line: words to functions to renderings, and nothing else.

Results go to standard output, everything else to standard error. Exit codes: 0 fine, 1 what was
evaluated or checked is not good enough, 2 wrong use of the command, 3 an input cannot be used, data
is missing, or a module of the user's raised something, 4 a mistake of this program, 130
interrupted, 141 nobody reads the standard output any more.
"""

from __future__ import annotations

from importlib import import_module
from traceback import format_exception
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from eai.cli.output import let_go, say, stop, tolerate, warn, write_error
from eai.errors import EaiError
from eai.plugins import place_of, said_by
from eai.version import __version__

_COMMANDS = {
    "evaluate": {
        "evaluate": "Evaluate predictions and print the table; with --output also write records "
        "and reports."
    },
    "runs": {
        "report": "Print the table of a run; write its tables and its page anew.",
        "view": "Serve a run's page to this machine only, and print the address; Ctrl-C ends it.",
        "compare": "Compare models task by task: differences, intervals, tests, what can be "
        "concluded.",
        "explain": "Explain one evaluated answer step by step: what changed, what failed and why.",
        "export": "Write a run as Every Eval Ever 0.3 wants it, and print the names of the files.",
    },
    "analyze": {"analyze": "Analyse evaluated answers, and datasets."},
    "plans": {
        "repair": "Find the fewest edits that make a plan work; exit code 1 if it does not work as "
        "it is.",
        "perturb": "Inject a known error into each reference plan; write answers and labels.",
    },
    "planning": {
        "plan": "Print a plan as PDDL planners do; exit code 1 if there is no plan that was "
        "checked.",
        "check": "Print every mistake in PDDL files with its place; exit code 1 if there is an "
        "error.",
    },
    "acting": {
        "prompts": "Write a prompt for every task as JSON Lines: id, suite, ability, prompt.",
        "ask": "Ask a model and write its answers; the same command goes on where it stopped.",
        "replan": "Let an agent plan, tell it what was wrong, let it plan again; print first and "
        "last attempts.",
        "interact": "Let an agent act in tasks step by step, and print the table; --output also "
        "writes files.",
    },
    "tasks": {
        "suites": "List the suites: name, number of tasks, abilities, where they come from.",
        "tasks": "List the tasks of a suite: identifier, name, instruction; or say what there is "
        "in one.",
        "data": "Fetch published benchmark data; show where it is; check it.",
    },
}
"""Each module beside this one: its commands, with the first sentence of their help."""


class Named(TyperCommand):
    """A command of which only the name is known until it is called: then its module is imported.

    All others would be imported and built for nothing, which takes longer than many commands.
    """

    def __init__(self, module: str, name: str, help: str) -> None:  # noqa: A002
        super().__init__(name, help=help)
        self._module = module

    def built(self) -> Any:  # noqa: ANN401
        """Return the command, or the group of commands, with its parameters."""
        module = import_module(f"eai.cli.{self._module}")
        return typer.main.get_group(module.app).commands[str(self.name)]

    def make_context(self, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        """Read the words after the name as the command itself does."""
        return self.built().make_context(*arguments, **options)


class _Commands(TyperGroup):
    def __init__(self, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**options)
        for module, commands in _COMMANDS.items():
            for name, about in commands.items():
                self.add_command(Named(module, name, about))


app = typer.Typer(
    name="eai",
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
"""All commands."""


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
        stop("this needs more memory than there is\n  hint: take fewer or smaller files", 3)
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
