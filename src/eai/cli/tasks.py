"""Commands about suites, tasks and data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eai import analyses
from eai.abilities import prompts as sections, rules, scenes
from eai.cli import options as opt
from eai.cli.documents import Shown
from eai.cli.output import print_json, progress, say, show, tell, warn, write_error
from eai.cli.reading import chosen_tasks, named_suite, named_task
from eai.contract import Suite, check_suite, extension
from eai.contract.check import MAX_TASKS
from eai.contract.registry import blaming, suite as find_suite, suites as all_suites
from eai.errors import DataError, EaiError, InputError
from eai.logic import Atom, atoms
from eai.plugins import Origin
from eai.suites import SAMPLES
from eai.suites.shared import data
from eai.task import Task
from eai.text import counted, printable_line

if TYPE_CHECKING:
    from eai.contract import Store, Suite

app = typer.Typer()
_data = typer.Typer(no_args_is_help=True, help="Fetch and check published benchmark data.")


@opt.command(app, "eai suites", "eai suites --json")
def suites(json: opt.Json = False) -> None:
    """List the suites: name, number of tasks, abilities, package."""
    found = [_described(origin) for origin in all_suites().origins()]
    if json:
        print_json({"suites": found})
        return
    from rich.table import Table
    from rich.text import Text

    table = Table("suite", "tasks", "abilities", "what it is", box=None, pad_edge=False)
    for each in found:
        tasks = f"none ({each['problem']})" if each["tasks"] is None else str(each["tasks"])
        about = f"{each['title']} [{each['package']}]".strip()
        cells = (each["name"], tasks, ", ".join(each["abilities"]) or "-", about)
        table.add_row(*(Text(printable_line(cell)) for cell in cells))
    show(table)


def _described(origin: Origin) -> dict[str, Any]:
    """Return the row of a suite: its size, what is wrong with it, or how to get its tasks."""
    said = {"name": origin.name, "package": origin.package, "title": "", "abilities": []}
    try:
        found = find_suite(origin.name)
        said |= {"title": found.title, "abilities": list(found.abilities)}
        with blaming("suite", origin.name):
            return {**said, "tasks": len(found.task_ids()), "problem": None}
    except DataError as error:
        return {**said, "tasks": None, "problem": error.mend or error.what}
    except EaiError as error:
        return {**said, "tasks": None, "problem": error.what}


@opt.command(app, f"eai tasks {SAMPLES} --limit 5", f"eai tasks {SAMPLES} TASK --json")
def tasks(
    suite: opt.SuiteName,
    task: Annotated[
        str | None,
        typer.Argument(metavar="TASK", help="The task to describe; by default all are listed."),
    ] = None,
    tasks: opt.Tasks = None,
    group: opt.Group = None,
    limit: opt.Limit = None,
    json: opt.Json = False,
) -> None:
    """List the tasks of a suite with their instructions, or describe one.

    For one task, show the goal, the objects with their states and positions at the start, and the
    actions with the number of objects that each takes. Answers use these names. In a large world
    only the objects of the goal and the agent are shown; --json lists all.
    """
    chosen = named_suite(suite)
    if task is not None:
        described = named_task(chosen, task)
        if json:
            print_json(_task_document(described, chosen))
        else:
            say(_task_text(described, chosen))
        return
    names = chosen_tasks(chosen, tasks, group=group, limit=limit) or chosen.task_ids()
    lines = [_listed(chosen, name) for name in names]
    if json:
        print_json({"suite": chosen.name, "tasks": lines})
        return
    width = max((len(line["id"]) for line in lines), default=0)
    for line in lines:
        say(f"{line['id']:<{width}}  {line['name']}: {line['instruction']}")
    if not lines:
        warn(f"the suite {chosen.name} has no tasks")


def _task_document(task: Task, suite: Suite) -> dict[str, object]:
    """Return everything that an answer may name, and what is true of it at the start."""
    return {
        "suite": suite.name,
        "id": task.id,
        "name": task.name,
        "instruction": task.instruction,
        "goal": _goal(task),
        "objects": scenes.states(task),
        "types": _types(task),
        "relations": scenes.facts(task),
        "actions": dict(sorted(task.vocabulary.actions.items())),
    }


def _listed(suite: Suite, name: str) -> dict[str, str]:
    """Return the line of a task in a list; a mistake in it does not hide the others."""
    try:
        found = suite.task(name)
    except InputError as error:
        return {"id": name, "name": "cannot be used", "instruction": error.what}
    return {"id": name, "name": found.name, "instruction": " ".join(found.instruction.split())}


_MOST = 40
"""So many relations are all shown."""


def _task_text(task: Task, suite: Suite) -> str:
    """Return a task as text; of many relations, those about the goal, or those that change."""
    seen = scenes.states(task)
    unseen = f"They are seen only while acting: eai interact {suite.name}"
    parts = [
        f"{suite.name} {task.id}: {task.name}\n{task.instruction}",
        sections.section("Goal", _goal(task)),
        sections.section("Objects", scenes.objects(task, _types(task)) if seen else unseen),
        *([sections.section("Relations", *_relations(task))] if seen else []),
        sections.section("Actions", rules(task).text),
    ]
    return "\n\n".join(parts)


def _types(task: Task) -> dict[str, str]:
    """Object to type; empty if all have the same, which then says nothing."""
    universe = task.start.universe
    types = universe.objects
    return types if len(set(types.values())) > 1 else {}


def _goal(task: Task) -> str:
    return task.goal.text or sections.final_conditions(task)


def _relations(task: Task) -> list[str]:
    """Return the facts of a scene as bullets, and how many were left out of a long list."""
    facts = scenes.facts(task)
    if len(facts) <= _MOST:
        return [scenes.bullets(facts)]
    objects = _objects_of_goal(task)
    if objects:
        shown = scenes.facts(task, about=objects | {task.agent})
        whose = "of other objects"
    else:
        domain = task.start.layout.domain
        shown = scenes.facts(task, hidden=domain.predicates.keys() - domain.fluents)
        whose = "which no action changes"
    number = len(facts) - len(shown)
    left_out = ""
    if number:
        left_out = f"and {number} more, {whose}: --json lists all"
    return [scenes.bullets(shown), left_out]


def _objects_of_goal(task: Task) -> set[str]:
    """Return the objects that the goal of a task names."""
    formulas = []
    if task.goal.formula is not None:
        formulas.append(task.goal.formula)
    else:
        for option in task.goal.final:
            formulas += [formula for _, formula in option]
    names: set[str] = set()
    for formula in formulas:
        for atom in atoms(formula):
            if isinstance(atom, Atom):
                names.update(map(str, atom.terms))
    return names & task.vocabulary.objects


@opt.command(_data, "eai data fetch eai", "eai data fetch eai --from downloaded.whl")
def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the data: eai.")],
    source: Annotated[
        Path | None, opt.path_option("Take this file, or folder, instead of asking pip.", "--from")
    ] = None,
    force: opt.Force = False,
    json: opt.Json = False,
) -> None:
    """Fetch the data, check it against its pinned SHA-256 and make it quick to read."""
    if name in data.FOLDERS:
        number = data.store_folder(name, source)
        said = f"{counted(number, 'task')} converted"
        tell({"name": name, "converted": number}, said, json=json)
        return
    release = data.find_release(name)
    write_error(f"{release.distribution} {release.version}: {release.about} ({release.licence})")
    with _progress("fetching") as step:
        path = data.fetch(release, source=source, force=force, progress=step)
    converted = 0
    for store in _stores(release):
        with _progress(f"converting {store.name}") as step:
            converted += store.fill(progress=step, force=force)
    tell({"name": name, "path": path, "converted": converted}, str(path), json=json)
    if converted:
        write_error(f"{counted(converted, 'task')} converted")


def _stores(release: data.DataRelease) -> Iterator[Store]:
    for name in release.suites:
        suite = find_suite(name)
        stores = extension("eai.stores", suite)
        yield from stores(suite) if stores is not None else ()


@opt.command(_data, "eai data verify eai")
def verify(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the data: eai.")],
    json: opt.Json = False,
) -> None:
    """Check the data, and what was made from it, by their hashes; fail if anything differs."""
    release = data.find_release(name)
    found = data.located(release)
    changed = [path for store in _stores(release) for path in store.verify()]
    lines = [*(f"{path}: changed; rebuilt when it is read" for path in changed), str(found)]
    tell({"name": name, "path": found, "changed": changed}, "\n".join(lines), json=json)
    if changed:
        raise typer.Exit(1)


@contextmanager
def _progress(label: str) -> Iterator[Callable[[str, int, int], None] | None]:
    with progress(label) as step:
        yield step and (lambda _what, done, total: step(done, total))


@opt.command(_data, "eai data path eai")
def path(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the data: eai.")],
    json: opt.Json = False,
) -> None:
    """Print where the data is; fail if it was not fetched."""
    found = data.located(data.find_release(name))
    tell({"name": name, "path": found}, str(found), json=json)


@opt.command(_data, f"eai data lint {SAMPLES}")
def lint(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Which data (eai), or the name of a suite.")
    ],
    *,
    shown: Shown,
) -> None:
    """List faulty annotations: plans that cannot be executed, goals that are not reached."""
    chosen = data.RELEASES[name].suites if name in data.RELEASES else (name,)
    table = analyses.annotation_faults([named_suite(each) for each in chosen])
    if shown.json or shown.csv is not None:
        shown.tables([table])
    else:
        show(table)


@opt.command(_data, f"eai data check {SAMPLES}", "eai data check module:attribute --json")
def check(
    name: opt.SuiteName,
    max_tasks: Annotated[
        int, typer.Option(min=1, help="Maximum number of tasks that are loaded and evaluated.")
    ] = MAX_TASKS,
    json: opt.Json = False,
) -> None:
    """List everything that is wrong with a suite of your own; fail if anything is."""
    problems = check_suite(named_suite(name), max_tasks=max_tasks)
    lines = [str(problem) for problem in problems] or [f"{name}: nothing is wrong"]
    document = {"suite": name, "problems": [asdict(problem) for problem in problems]}
    tell(document, "\n".join(lines), json=json)
    if problems:
        raise typer.Exit(1)


app.add_typer(_data, name="data")
