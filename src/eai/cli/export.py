"""``eai export``: a run in the exchange format of Every Eval Ever."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from eai.cli.commands import Argument, Option, UsageError

__all__ = ["COMMAND"]


def _export(
    run: Annotated[Path, Argument("A record file, or the folder of a run.")],
    organization: Annotated[str, Option("Who ran the evaluation.")],
    relationship: Annotated[
        Literal["first_party", "third_party", "collaborative", "other"],
        Option("Of who ran it to who made the model."),
    ] = "other",
    url: Annotated[str, Option("Address of who ran it.")] = "",
    developer: Annotated[
        list[str] | None,
        Option("Who made a model: MODEL=NAME; by default what stands before a slash in its name."),
    ] = None,
    timestamp: Annotated[
        float | None, Option("When it was run, in seconds since 1970; by default now.")
    ] = None,
    output: Annotated[
        Path, Option("The folder in which the folder data is made.", ("--output", "-o"))
    ] = Path(),
    force: Annotated[bool, Option("Write over files.")] = False,
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """Write a run as Every Eval Ever 0.3 wants it, and print the names of the files."""
    from eai.cli.output import say
    from eai.cli.runs import read_run
    from eai.integrations.every_eval_ever import Publisher, export

    report = read_run(run)
    developers = dict(map(_developer, developer or ()))
    for model in developers:
        report.of(model)
    files = export(
        report,
        output,
        publisher=Publisher(organization, relationship, url),
        developers=developers,
        timestamp=timestamp,
        force=force,
    )
    if json:
        from eai.cli.documents import print_json

        print_json({"files": files})
        return
    for file in files:
        say(str(file))


def _developer(word: str) -> tuple[str, str]:
    # A name of a model may have an equals sign in it, a developer's hardly.
    model, given, name = word.rpartition("=")
    if not (given and model and name):
        raise UsageError(f"argument --developer: {word!r} is not MODEL=NAME")
    return model, name


COMMAND = _export
