"""Arguments and options that commands share: the same name means the same thing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

from typer import Argument, BadParameter, Option, Typer

_OUTPUT = "Output"
_TASKS = "Tasks"


def command(
    app: Typer, *lines: str, name: str | None = None
) -> Callable[[Callable[..., None]], object]:
    """Return a decorator that makes a function a command with examples in its help.

    A parameter whose type is an :class:`OptionGroup` stands for the options of the group. So
    ``def plan(suite: SuiteName, shown: Shown)`` has the argument SUITE and the options of
    ``Shown``, and is called with ``shown=Shown(...)``.

    Args:
        app: The group of commands.
        lines: Examples; a comment behind one stands above it: ``"eai view run  # as a page"``.
        name: Name of the command; by default that of the function.
    """

    def add(function: Callable[..., None]) -> object:
        return app.command(name, epilog=_examples(lines))(_with_single_options(function))

    return add


class OptionGroup:
    """Options that belong together: each annotated attribute is one, its value the default.

    A dataclass would do as well, but making one takes as long as importing a module, and a command
    has several.
    """

    def __init__(self, **values: Any) -> None:  # noqa: ANN401
        """Set the options that are given; all others keep their defaults."""
        vars(self).update(values)


def _with_single_options(function: Callable[..., None]) -> Callable[..., None]:
    """Return a function that takes the options of its groups one by one."""
    parameters: list[Parameter] = []
    groups: dict[str, type[OptionGroup]] = {}  # by name of the parameter
    names_in_group: dict[str, list[str]] = {}
    for parameter in signature(function, eval_str=True).parameters.values():
        annotation = parameter.annotation
        options = [parameter]
        if isinstance(annotation, type) and issubclass(annotation, OptionGroup):
            options = _options_of(annotation)
            groups[parameter.name] = annotation
            names_in_group[parameter.name] = [option.name for option in options]
        for option in options:
            parameters.append(option.replace(kind=Parameter.KEYWORD_ONLY))

    @wraps(function)
    def call(**values: Any) -> None:  # noqa: ANN401
        for name, group in groups.items():
            group_values = {option: values.pop(option) for option in names_in_group[name]}
            values[name] = group(**group_values)
        function(**values)

    # Typer reads the options of a command from the signature of its function.
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {option.name: option.annotation for option in parameters}
    return call


def _options_of(group: type[OptionGroup]) -> list[Parameter]:
    """Return the options of a group as command parameters."""
    # Each annotation is read in the module of the class that it stands in, which may be a base
    # class in another module.
    options = []
    for name, annotation in get_type_hints(group, include_extras=True).items():
        default = getattr(group, name, Parameter.empty)
        options.append(
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        )
    return options


def _examples(lines: Iterable[str]) -> str:
    """Return examples as Markdown shell blocks, with comments above their lines."""
    block = []
    for line in lines:
        example, _, comment = line.partition("  #")
        if comment:
            block.append(f"#{comment}")
        block.append(example.rstrip())
    return "\n".join(["**Examples**", "", "```sh", *block, "```"])


def path(word: str) -> Path:
    """Read the name of a file or folder: an empty one is no name of the current folder."""
    if not word:
        raise BadParameter("the name is empty; check that the variable that holds it is set")
    return Path(word)


def finite(number: float | None) -> float | None:
    """Return the number of an option, which may be neither infinite nor NaN; None if not given.

    Python reads both as numbers; a limit would not limit, and a request would fail.
    """
    if number is not None and not math.isfinite(number):
        raise BadParameter(f"{number} is not a finite number")
    return number


def path_argument(metavar: str, help: str) -> Any:  # noqa: A002, ANN401
    """Return an argument that is a file or a folder."""
    return Argument(metavar=metavar, help=help, parser=path)


def path_option(
    help: str,  # noqa: A002
    *names: str,
    metavar: str = "FILE",
    panel: str | None = None,
) -> Any:  # noqa: ANN401
    """Return an option that is a file or a folder."""
    return Option(*names, metavar=metavar, help=help, parser=path, rich_help_panel=panel)


def output_option(help: str, *names: str, metavar: str = "FILE") -> Any:  # noqa: A002, ANN401
    """Return an option that says where something is written; by default ``--output``."""
    return path_option(help, *(names or ("--output", "-o")), metavar=metavar, panel=_OUTPUT)


def _suite_names(incomplete: str) -> list[str]:
    """Return the names of suites with a prefix, for completion."""
    from eai.contract.registry import suites  # commands without a suite do without it

    names = [origin.name for origin in suites().origins()]
    return [name for name in names if name.startswith(incomplete)]


SuiteName = Annotated[
    str,
    Argument(
        metavar="SUITE",
        help="Name of a suite (see `eai suites`), or module:attribute.",
        autocompletion=_suite_names,
    ),
]
TaskNames = Annotated[
    list[str] | None, Argument(metavar="TASKS", help="Tasks, as with --tasks; by default all.")
]
Tasks = Annotated[
    list[str] | None,
    Option(
        "--tasks",
        metavar="IDS",
        help="Only these tasks: identifiers separated by commas; may be repeated.",
        rich_help_panel=_TASKS,
    ),
]
Group = Annotated[
    str | None,
    Option(
        "--group",
        help="Only the tasks of this group (a subset, a family); the beginning of its name is "
        "enough.",
        rich_help_panel=_TASKS,
    ),
]
Limit = Annotated[
    int | None, Option("--limit", min=1, help="Only the first N tasks.", rich_help_panel=_TASKS)
]
Ability = Annotated[
    str | None,
    Option("--ability", help="By default action_sequencing, or the suite's only ability."),
]
Answers = Annotated[
    str | None,
    Option(
        "--answers",
        help="Format of published answers: 2024 is the format of the paper, without ids.",
    ),
]
Semantics = Annotated[
    str | None, Option("--semantics", help="official or strict; by default what the suite prefers.")
]
RunPath = Annotated[
    Path, path_argument("RUN", "The folder of a run or of a part of it, or a record file.")
]
RunSuite = Annotated[
    str | None,
    Option(
        "--suite",
        help="Only this suite of the run; module:attribute if it is not registered as an "
        "entry point.",
    ),
]
RunAbility = Annotated[str | None, Option("--ability", help="Only this ability of the run.")]
Model = Annotated[str | None, Option("--model", help="Only this model, where several answered.")]
Models = Annotated[list[str] | None, Option("--model", help="Only this model; may be repeated.")]
Metrics = Annotated[
    list[str] | None,
    Option(
        "--metric",
        metavar="KEY",
        help="This metric, or module:attribute of one of your own; may be repeated; by "
        "default the headline metric of each ability.",
    ),
]
Seed = Annotated[int, Option("--seed", help="The same seed gives the same result.")]
LiveModel = Annotated[
    str | None, Option("--model", help="Name of a model behind an OpenAI-compatible endpoint.")
]
BaseUrl = Annotated[
    str | None, Option("--base-url", help="Address of the endpoint; by default OPENAI_BASE_URL.")
]
Wording = Annotated[
    Literal["own", "official"],
    Option("--prompts", help="Prompts in our own words, or those of the published release."),
]
Csv = Annotated[Path | None, output_option("Also write the rows to this file.", "--csv")]
Html = Annotated[Path | None, output_option("Write a page.", "--html")]
Latex = Annotated[Path | None, output_option("Write the tables as LaTeX.", "--latex")]
Wide = Annotated[
    bool,
    Option("--wide", help="LaTeX tables across both columns of a paper.", rich_help_panel=_OUTPUT),
]
Markdown = Annotated[Path | None, output_option("Write the tables as Markdown.", "--markdown")]
Rules = Annotated[
    Path | None, path_option("Rules (LTL) that plans have to keep on the way.", "--rules")
]
Force = Annotated[
    bool, Option("--force", help="Overwrite existing files.", rich_help_panel=_OUTPUT)
]
Json = Annotated[bool, Option("--json", help="Print one JSON document.", rich_help_panel=_OUTPUT)]
Quiet = Annotated[
    bool, Option("--quiet", "-q", help="No progress bar, no table.", rich_help_panel=_OUTPUT)
]


_FILES = "Files of predictions"


class Fields(OptionGroup):
    """Options for the keys of a row, where they are not found automatically."""

    field: Annotated[
        str | None,
        Option(
            metavar="PATH",
            help="Where the answers stand in a row, such as extracted_llm_plan or "
            "response.body.text; a dot leads into an object or a list.",
            rich_help_panel=_FILES,
        ),
    ] = None
    id_field: Annotated[
        str | None,
        Option(
            metavar="PATH",
            help="Where the identifiers of tasks stand in a row.",
            rich_help_panel=_FILES,
        ),
    ] = None
    model_field: Annotated[
        str | None,
        Option(
            metavar="PATH",
            help="Where the names of models stand in a row.",
            rich_help_panel=_FILES,
        ),
    ] = None

    @property
    def has_fields(self) -> bool:
        """Whether any of these keys is given."""
        return any((self.field, self.id_field, self.model_field))


class Lines(OptionGroup):
    """Options for where lines are written."""

    output: Annotated[Path | None, output_option("A file; by default standard output.")] = None
    force: Force = False


class Printed(OptionGroup):
    """Options for overwriting files and for printing."""

    force: Force = False
    json: Json = False
    quiet: Quiet = False


ShowLeftOut = Annotated[
    bool,
    Option(
        "--show-left-out",
        help="List every file and row that was left out, with the reason.",
        rich_help_panel=_FILES,
    ),
]
