"""Everything that models answered: a folder ``SUITE/ABILITY/MODEL.json``, or a submission.

A submission is what the Embodied Agent Interface challenge takes: a folder or a zip with a model's
files ``SUITE_ABILITY_outputs.json``, such as ``virtualhome_action_sequencing_outputs.json``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from eai.contract import ABILITIES
from eai.contract.registry import suites as known_suites
from eai.errors import nearest
from eai.files import folder_of
from eai.predictions import (
    Entry,
    Predictions,
    is_prediction_file,
    load_all,
    load_entry,
    stem_of,
    zip_entries,
)

_HIDDEN = (".", "__MACOSX")


def answers_in(
    root: Path,
    suite: str,
    ability: str,
    models: Sequence[str] = (),
    is_task: Callable[[str], bool] | None = None,
) -> dict[str, Predictions]:
    """Return the answers of each model, or of each of its samples, to one ability of a suite.

    Args:
        root: The folder with a folder for each suite, or a submission.
        suite: Name of the suite.
        ability: Name of the ability.
        models: Only these; all if empty.
        is_task: Whether a text is an identifier of a task, which tells what names the tasks.

    Raises:
        InputError: If some cannot be read.
    """
    folder = root / folder_of(suite) / ability
    found: Iterable[Predictions] = ()
    if folder.is_dir():
        found = load_all(folder, is_task=is_task) if any(folder.iterdir()) else ()
    else:
        entry = submitted(root).get((folder_of(suite), ability))
        if entry is not None:
            found = [_of_submission(each, entry, root) for each in load_entry(entry, is_task)]
    return {of.label: of for of in found if not models or of.model in models}


def submitted(root: Path) -> dict[tuple[str, str], Entry]:
    """Return the files of a submission by suite and ability; none if it is something else.

    They may lie in one folder inside it, as they do where the folder itself was packed.
    """
    found: dict[tuple[str, str], Entry] = {}
    for entry in _entries(root):
        match = _submission_name().fullmatch(entry.name)
        if match is not None:
            found.setdefault((match["suite"], match["ability"]), entry)
    return found


def submission_name(suite: str, ability: str) -> str:
    """Return the name that a file has in a submission."""
    return f"{folder_of(suite)}_{ability}_outputs.json"


def _submission_name() -> re.Pattern[str]:
    names = (folder_of(origin.name) for origin in known_suites().origins())
    suites = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    abilities = "|".join(ABILITIES)
    return re.compile(rf"(?P<suite>{suites})_(?P<ability>{abilities})_outputs\.json(\.gz)?")


def _entries(root: Path) -> list[Entry]:
    """Return the files of a folder or a zip, and of folders right inside."""
    if root.is_file():
        entries = zip_entries(root) or []
        return [entry for entry in entries if not entry.member.startswith(_HIDDEN)]
    if not root.is_dir():
        return []
    paths = [*sorted(root.glob("*_outputs.json*")), *sorted(root.glob("*/*_outputs.json*"))]
    return [Entry(path) for path in paths if path.is_file()]


def _of_submission(predictions: Predictions, entry: Entry, root: Path) -> Predictions:
    """Name a model that its file does not name after the submission."""
    if predictions.model != stem_of(entry.name):
        return predictions
    return replace(predictions, model=stem_of(root.resolve().name))


def _beside(root: Path, files: Iterable[Entry]) -> Iterator[str]:
    """Say which files of a zip are no files of a submission."""
    names = set(map(str, files))
    for entry in _entries(root) if root.is_file() else ():
        if str(entry) not in names:
            yield f"{entry}: skipped, it is no file of a submission"


def skipped_in(
    root: Path, abilities: Mapping[str, Sequence[str]], *, own: Path | None = None
) -> list[str]:
    """Say which folders and files of predictions are not read, and what they may be meant for.

    Folders of other suites that there are were left out on purpose, and are not named.
    """
    others = {origin.name for origin in known_suites().origins()} - abilities.keys()
    folders = [(root, "suite", [*abilities], others)]
    folders += [
        (root / suite, f"ability of {suite}", [*names], set[str]())
        for suite, names in abilities.items()
    ]
    files = submitted(root)
    read = {entry.path.parent for entry in files.values()}
    read |= {entry.path for entry in files.values()}
    found = list(_beside(root, files.values()))
    for folder, kind, known, besides in folders:
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.name in (*known, *besides) or path.name.startswith((*_HIDDEN, "_")):
                continue
            if own is not None and own.resolve().is_relative_to(path.resolve()):
                continue
            if path in read:
                continue
            if path.is_dir():
                close = nearest(path.name, known)
                meant = f"did you mean {' or '.join(map(repr, close))}?" if close else ""
                meant = meant or f"known: {', '.join(known) or 'none that can be evaluated'}"
                found.append(f"{path}: skipped, there is no {kind} of this name here; {meant}")
            elif is_prediction_file(path):
                found.append(f"{path}: skipped, files lie in folders SUITE/ABILITY")
    return found
