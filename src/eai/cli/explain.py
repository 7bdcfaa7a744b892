"""``eai explain``: the story of one judged item."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from eai.cli.commands import Argument, Option

__all__ = ["COMMAND"]


def _explain(
    run: Annotated[Path, Argument("A record file, or the folder of a run.")],
    task: Annotated[str | None, Argument("Identifier of the task.")] = None,
    model: Annotated[str | None, Option("Whose answer, if there are several.")] = None,
    suite: Annotated[
        str | None, Option("Its suite, if no package announces it: module:attribute.")
    ] = None,
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """Tell one item's story step by step: what changed, what failed and why."""
    from eai.cli.here import find_modules_here
    from eai.cli.items import chosen_record
    from eai.cli.output import say
    from eai.cli.runs import read_records_of
    from eai.report.story import tell

    find_modules_here(suite)
    found = read_records_of(run)
    story = tell(chosen_record(found, task, model=model, command="explain"), suite=suite)
    if json:
        from eai.cli.documents import print_json, story_document

        print_json(story_document(story))
    else:
        say(str(story))


COMMAND = _explain
