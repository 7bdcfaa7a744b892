"""The command line: words to functions to renderings, and nothing else.

Results go to standard output, everything else to standard error. Exit codes: 0 fine, 1 what was
evaluated or checked is not good enough, 2 wrong use of the command, 3 an input cannot be used, data
is missing, or a module of the user's raised something, 4 a mistake of this program, 130
interrupted, 141 nobody reads the standard output any more.
"""

from __future__ import annotations

import atexit
import gc
from importlib import import_module
from traceback import format_exception
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from eai.cli.output import let_go, say, stop, tolerate, warn, write_error
from eai.errors import EaiError
from eai.files import FREE_SPACE, is_full
from eai.version import __version__

_COMMANDS = {
    "Evaluate answers": {
        "evaluate": "Evaluate predictions and print the table; with --output also write records "
        "and reports.",
        "check-predictions": "Count the answers that are there, missing, doubled or unreadable; "
        "evaluate nothing.",
        "prompts": "Write a prompt for every task as JSON Lines: id, suite, ability, prompt.",
        "ask": "Ask a model and write its answers; run it again to resume.",
    },
    "Results": {
        "report": "Print the table of a run, and rewrite its tables and its page.",
        "view": "Serve a run's page to this machine only, and print the address; Ctrl-C ends it.",
        "leaderboard": "Rank the models of one or more runs: one row per model, one column per "
        "suite and ability.",
        "compare": "Compare models task by task: differences, intervals, significance tests.",
        "explain": "Explain one evaluated answer step by step: what changed, what failed and why.",
        "analyze": "Analyse evaluated answers and datasets.",
        "export": "Write a run in the format of Every Eval Ever 0.3, and print the names of the "
        "files.",
    },
    "Agents": {
        "interact": "Let an agent act in tasks step by step, and print the table; --output also "
        "writes files.",
        "replan": "Let an agent correct its plans after feedback; print first and last attempts.",
    },
    "Plans and PDDL": {
        "validate": "Say whether plans work and, if not, why; exit code 1 if any plan fails.",
        "plan": "Find a plan and print it as PDDL planners do; exit code 1 if none is found.",
        "repair": "Find the fewest edits that make a plan work; exit code 1 if it needs any.",
        "causes": "Explain which steps of a plan its goal, its failure and broken rules rest on.",
        "check": "Print every mistake in PDDL files with its place; exit code 1 if there is an "
        "error.",
        "perturb": "Inject a known error into each reference plan; write answers and labels.",
        "label-steps": "Write a row for every step of answers: its label, distances, reward and "
        "place in the text.",
        "questions": "Write questions about a planning task as JSON Lines, each with an answer "
        "that is right.",
        "compare-problems": "Say whether problems are the same but for names; exit code 1 if one "
        "is not.",
        "compare-domains": "Say whether domains are the same but for names; exit code 1 if one is "
        "not.",
        "guard": "Refuse calls that break rules, between an MCP client and a server; or replay a "
        "log.",
        "rules": "Check rules against the goals of a suite's tasks; exit code 1 if some cannot be "
        "kept.",
        "mcp": "Serve agents: check, validate, repair and make plans (Model Context Protocol).",
    },
    "Runs and scores made elsewhere": {
        "audit": "List faults in recorded runs: missing, foreign, interrupted or mis-scored "
        "episodes.",
        "judges": "Compare scores with those of another evaluator.",
    },
    "Suites and data": {
        "suites": "List the suites: name, number of tasks, abilities, package.",
        "tasks": "List the tasks of a suite with their instructions, or describe one.",
        "data": "Fetch and check published benchmark data.",
    },
}
"""Each part of the help: its commands, and what they do."""

_MODULES = {
    "evaluate": ("evaluate",),
    "coverage": ("check-predictions",),
    "acting": ("prompts", "ask", "interact", "replan"),
    "runs": ("report", "view", "leaderboard", "compare", "explain", "export"),
    "analyze": ("analyze",),
    "planning": ("validate", "plan", "check", "compare-problems", "compare-domains", "mcp"),
    "plans": ("repair", "causes", "perturb"),
    "steps": ("label-steps",),
    "questions": ("questions",),
    "guarding": ("guard", "rules"),
    "audit": ("audit",),
    "agreement": ("judges",),
    "tasks": ("suites", "tasks", "data"),
}
"""Modules beside this one, each with its commands."""


class Named(TyperCommand):
    """A command whose module is imported when it is called.

    All others would be imported and built for nothing, which takes longer than many commands.
    """

    def __init__(self, module: str, name: str, help: str, panel: str) -> None:  # noqa: A002
        super().__init__(name, help=help, rich_help_panel=panel)
        self._module = module

    def built(self) -> Any:  # noqa: ANN401
        """Return the command, or the group of commands, with its parameters."""
        module = import_module(f"eai.cli.{self._module}")
        module.app.rich_markup_mode = app.rich_markup_mode  # it has no parent to take it from
        return typer.main.get_group(module.app).commands[str(self.name)]

    def make_context(self, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        """Read the words after the name as the command itself does."""
        return self.built().make_context(*arguments, **options)


class _Commands(TyperGroup):
    """The group of all commands, which imports none of their modules."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401
        """Add every command by its name, help and module."""
        super().__init__(**options)
        module_by_command: dict[str, str] = {}
        for module, names in _MODULES.items():
            module_by_command.update(dict.fromkeys(names, module))
        for panel, commands in _COMMANDS.items():
            for name, help_text in commands.items():
                self.add_command(Named(module_by_command[name], name, help_text, panel))


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
    """Print the version and end, if it is asked for."""
    if wanted:
        say(__version__)
        raise typer.Exit


@app.callback()
def _eai(
    version: Annotated[  # the callback has done it
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Check the plans of language models symbolically: do they work, and if not, why not?"""


def main() -> None:
    """Run the command line; errors of the user are printed without a traceback."""
    # At exit Python looks for cycles among all objects once more, which takes 0.02 s. Files are
    # closed by then, and the process gives all memory back.
    atexit.register(gc.freeze)
    tolerate()
    try:
        app(prog_name="eai")
    except EaiError as error:
        stop(str(error), 3)
    except MemoryError:
        stop("this needs more memory than there is\n  hint: take fewer or smaller files", 3)
    except OSError as error:
        let_go()
        message = str(error.strerror or error)
        if error.filename:
            message = f"{error.filename}: {message}"
        if is_full(error):
            message += f"\n  hint: {FREE_SPACE}"
        stop(message, 3)
    except Exception as error:
        from eai.plugins import place_of, said_by  # only now

        write_error("".join(format_exception(error)).rstrip())
        location = place_of(error)
        if location is None:
            warn("this is a bug in eai, not in your input: report it with these lines")
            raise SystemExit(4) from error
        warn(f"{location}: {said_by(error)}\n  this is a bug there, not in eai")
        raise SystemExit(3) from error
