"""Commands about suites, tasks and data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from eai.cli.reading import Selection, named_suite, named_task
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
    rows = [_describe_suite(origin) for origin in all_suites().origins()]
    if json:
        print_json({"suites": rows})
        return
    from rich.table import Table
    from rich.text import Text

    table = Table("suite", "tasks", "abilities", "what it is", box=None, pad_edge=False)
    for row in rows:
        task_count = str(row["tasks"])
        if row["tasks"] is None:
            task_count = f"none ({row['problem']})"
        description = f"{row['title']} [{row['package']}]".strip()
        cells = (row["name"], task_count, ", ".join(row["abilities"]) or "-", description)
        table.add_row(*(Text(printable_line(cell)) for cell in cells))
    show(table)


def _describe_suite(origin: Origin) -> dict[str, Any]:
    """Return name, package, title, abilities, number of tasks, and problem of a suite.

    The number is None if tasks cannot be listed; the problem then says why, or how to get them.
    """
    row: dict[str, Any] = {
        "name": origin.name,
        "package": origin.package,
        "title": "",
        "abilities": [],
    }
    # A suite that fails is still listed, with the fields that are known so far.
    try:
        suite = find_suite(origin.name)
        row["title"] = suite.title
        row["abilities"] = list(suite.abilities)
        with blaming("suite", origin.name):
            return {**row, "tasks": len(suite.task_ids()), "problem": None}
    except DataError as error:
        return {**row, "tasks": None, "problem": error.mend or error.what}
    except EaiError as error:
        return {**row, "tasks": None, "problem": error.what}


@opt.command(app, f"eai tasks {SAMPLES} --limit 5", f"eai tasks {SAMPLES} TASK --json")
def tasks(
    suite: opt.SuiteName,
    task: Annotated[
        str | None,
        typer.Argument(metavar="TASK", help="The task to describe; by default all are listed."),
    ] = None,
    *,
    selection: Selection,
    json: opt.Json = False,
) -> None:
    """List the tasks of a suite with their instructions, or describe one.

    For one task, show the goal, the objects with their states and positions at the start, and the
    actions with the number of objects that each takes. Answers use these names. In a large world
    only the objects of the goal and the agent are shown; --json lists all.
    """
    chosen_suite = named_suite(suite)
    if task is not None:
        described = named_task(chosen_suite, task)
        if json:
            print_json(_task_document(described, chosen_suite))
        else:
            say(_task_text(described, chosen_suite))
        return
    names = selection.of(chosen_suite) or chosen_suite.task_ids()
    lines = [_list_entry(chosen_suite, name) for name in names]
    if json:
        print_json({"suite": chosen_suite.name, "tasks": lines})
        return
    # Names of categories begin in one column.
    width = max((len(line["id"]) for line in lines), default=0)
    for line in lines:
        say(f"{line['id']:<{width}}  {line['name']}: {line['instruction']}")
    if not lines:
        warn(f"the suite {chosen_suite.name} has no tasks")


def _task_document(task: Task, suite: Suite) -> dict[str, object]:
    """Return a task as JSON: all names for answers, and the facts at the start."""
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


def _list_entry(suite: Suite, name: str) -> dict[str, str]:
    """Return the list entry of a task. An error in one task does not affect the others."""
    try:
        task = suite.task(name)
    except InputError as error:
        return {"id": name, "name": "cannot be used", "instruction": error.what}
    return {"id": name, "name": task.name, "instruction": " ".join(task.instruction.split())}


_MAX_RELATIONS = 40
"""Maximum number of relations that are all shown."""


def _task_text(task: Task, suite: Suite) -> str:
    """Return a task as text. Of many relations, only relevant ones are included."""
    parts = [
        f"{suite.name} {task.id}: {task.name}\n{task.instruction}",
        sections.section("Goal", _goal(task)),
    ]
    if scenes.states(task):
        parts.append(sections.section("Objects", scenes.objects(task, _types(task))))
        parts.append(sections.section("Relations", *_relations(task)))
    else:
        hint = f"They are seen only while acting: eai interact {suite.name}"
        parts.append(sections.section("Objects", hint))
    parts.append(sections.section("Actions", rules(task).text))
    return "\n\n".join(parts)


def _types(task: Task) -> dict[str, str]:
    """Return the type of each object, or nothing if all have the same type."""
    types = task.start.universe.objects
    if len(set(types.values())) <= 1:
        return {}
    return types


def _goal(task: Task) -> str:
    """Return the goal as it is written, or the conditions of the final state."""
    return task.goal.text or sections.final_conditions(task)


def _relations(task: Task) -> list[str]:
    """Return the facts of a scene as bullets, and the number of omitted ones."""
    facts = scenes.facts(task)
    if len(facts) <= _MAX_RELATIONS:
        return [scenes.bullets(facts)]
    # What the goal names says most; a goal that names nothing ("all lights are off") leaves what
    # actions can change.
    objects = _objects_of_goal(task)
    if objects:
        # Relations of the agent, to its place and to what it holds, are always included.
        relevant_facts = scenes.facts(task, about=objects | {task.agent})
        reason = "of other objects"
    else:
        domain = task.start.layout.domain
        relevant_facts = scenes.facts(task, hidden=domain.predicates.keys() - domain.fluents)
        reason = "which no action changes"
    number_omitted = len(facts) - len(relevant_facts)
    omission = ""
    if number_omitted:
        omission = f"and {number_omitted} more, {reason}: --json lists all"
    return [scenes.bullets(relevant_facts), omission]


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
    # Terms may also be variables, which are not names.
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
        number_converted = data.store_folder(name, source)
        message = f"{counted(number_converted, 'task')} converted"
        tell({"name": name, "converted": number_converted}, message, json=json)
        return
    release = data.find_release(name)
    # Everything but the path goes to standard error, so that the output can be used in scripts.
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
    """Yield the stores into which the data of a release is converted."""
    for name in release.suites:
        suite = find_suite(name)
        stores_of = extension("eai.stores", suite)
        if stores_of is not None:
            yield from stores_of(suite)


@opt.command(_data, "eai data verify eai")
def verify(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the data: eai.")],
    json: opt.Json = False,
) -> None:
    """Check the data, and what was made from it, by their hashes; fail if anything differs."""
    release = data.find_release(name)
    folder = data.located(release)
    changed: list[Path] = []
    for store in _stores(release):
        changed += store.verify()
    lines = [f"{path}: changed; rebuilt when it is read" for path in changed]
    lines.append(str(folder))
    tell({"name": name, "path": folder, "changed": changed}, "\n".join(lines), json=json)
    if changed:
        raise typer.Exit(1)


@contextmanager
def _progress(label: str) -> Iterator[Callable[[str, int, int], None] | None]:
    """Show a progress bar during the block, and yield its callback."""
    with progress(label) as step:
        if step is None:
            yield None
        else:
            # The name of the file changes too quickly to be read on a bar.
            yield lambda _file, done, total: step(done, total)


@opt.command(_data, "eai data path eai")
def path(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the data: eai.")],
    json: opt.Json = False,
) -> None:
    """Print where the data is; fail if it was not fetched."""
    location = data.located(data.find_release(name))
    tell({"name": name, "path": location}, str(location), json=json)


@opt.command(_data, f"eai data lint {SAMPLES}")
def lint(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Which data (eai), or the name of a suite.")
    ],
    *,
    shown: Shown,
) -> None:
    """List faulty annotations: plans that cannot be executed, goals that are not reached."""
    suite_names: Sequence[str] = (name,)
    if name in data.RELEASES:
        suite_names = data.RELEASES[name].suites
    table = analyses.annotation_faults(map(named_suite, suite_names))
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
