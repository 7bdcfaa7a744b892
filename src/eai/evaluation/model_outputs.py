"""Answers of models to many abilities: a folder ``SUITE/ABILITY/MODEL.json``, or a submission.

A submission is what the Embodied Agent Interface challenge takes: a folder or a zip with a model's
files ``SUITE_ABILITY_outputs.json``, such as ``virtualhome_action_sequencing_outputs.json``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from eai.contract import ABILITIES
from eai.contract.registry import suites as known_suites
from eai.errors import did_you_mean, nearest
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

# Beginnings of what systems add to folders and archives: ".DS_Store", "__MACOSX/...".
_HIDDEN = (".", "__MACOSX")


def answers_in(
    root: Path,
    suite: str,
    ability: str,
    models: Sequence[str] = (),
    is_task: Callable[[str], bool] | None = None,
) -> dict[str, Predictions]:
    """Return the answers of each model or sample to one ability of a suite.

    Args:
        root: The folder with a folder for each suite, or a submission.
        suite: Name of the suite.
        ability: Name of the ability.
        models: Models to read; all if empty.
        is_task: Returns whether a text is an identifier of a task, by which the field of
            identifiers is found.

    Raises:
        InputError: If some cannot be read.
    """
    folder = root / folder_of(suite) / ability
    loaded: Iterable[Predictions] = ()
    if folder.is_dir():
        # To load an empty folder would be an error; here it is one without answers yet.
        if any(folder.iterdir()):
            loaded = load_all(folder, is_task=is_task)
    else:
        entry = submitted(root).get((folder_of(suite), ability))
        if entry is not None:
            parts = load_entry(entry, is_task)
            loaded = [_named_after_submission(part, entry, root) for part in parts]
    answers = {}
    for part in loaded:
        if not models or part.model in models:
            answers[part.label] = part
    return answers


def submitted(root: Path) -> dict[tuple[str, str], Entry]:
    """Return the files of a submission by (suite, ability), or none for another folder.

    They may be in one folder inside it, as they are where the folder itself was packed.
    """
    files: dict[tuple[str, str], Entry] = {}
    for entry in _files_in(root):
        match = _submission_pattern().fullmatch(entry.name)
        if match is not None:
            # Of two files for one ability the outer one counts: `_files_in` lists it first.
            files.setdefault((match["suite"], match["ability"]), entry)
    return files


def submission_name(suite: str, ability: str) -> str:
    """Return the name that a file has in a submission."""
    return f"{folder_of(suite)}_{ability}_outputs.json"


def _submission_pattern() -> re.Pattern[str]:
    """Return the pattern of the names of files in a submission."""
    # Long names first, as one may be the beginning of another.
    names = (folder_of(origin.name) for origin in known_suites().origins())
    suites = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    abilities = "|".join(ABILITIES)
    return re.compile(rf"(?P<suite>{suites})_(?P<ability>{abilities})_outputs\.json(\.gz)?")


def _files_in(root: Path) -> list[Entry]:
    """Return the files in a folder or zip and in its direct subfolders."""
    if root.is_file():
        entries = zip_entries(root) or []
        return [entry for entry in entries if not entry.member.startswith(_HIDDEN)]
    if not root.is_dir():
        return []
    paths = [*sorted(root.glob("*_outputs.json*")), *sorted(root.glob("*/*_outputs.json*"))]
    return [Entry(path) for path in paths if path.is_file()]


def _named_after_submission(predictions: Predictions, entry: Entry, root: Path) -> Predictions:
    """Return predictions, named after the submission if their file names no model."""
    # The name of the file says only suite and ability, so it would be the name of every model.
    if predictions.model != stem_of(entry.name):
        return predictions
    return replace(predictions, model=stem_of(root.resolve().name))


def _lines_on_other_files(root: Path, files: Iterable[Entry]) -> Iterator[str]:
    """Yield a line for each file of a zip that does not belong to the submission."""
    if not root.is_file():
        return
    names = set(map(str, files))
    for entry in _files_in(root):
        if str(entry) not in names:
            yield f"{entry}: skipped, it is no file of a submission"


class _FolderLevel(NamedTuple):
    """A folder of predictions with the names that it may contain.

    Args:
        folder: The folder.
        kind: The noun for its names: ``"suite"``, or ``"ability of SUITE"``.
        known: Names that are read.
        ignored: Names that were left out on purpose, and are not reported.
    """

    folder: Path
    kind: str
    known: Sequence[str]
    ignored: Collection[str] = ()

    def unexpected(self, expected_paths: Collection[Path]) -> Iterator[Path]:
        """Yield the paths in the folder with other names, except for hidden and expected ones."""
        if not self.folder.is_dir():
            return
        expected_names = {*self.known, *self.ignored}
        for path in sorted(self.folder.iterdir()):
            if path.name in expected_names or path.name.startswith((*_HIDDEN, "_")):
                continue
            if path not in expected_paths and path.resolve() not in expected_paths:
                yield path


def lines_on_skipped_files(
    root: Path, abilities: Mapping[str, Sequence[str]], *, output: Path | None = None
) -> list[str]:
    """Return a line for each file of predictions that is skipped, with a hint.

    Folders of other suites that there are were left out on purpose, and are not named.

    Args:
        root: The folder or submission.
        abilities: Suites that are read, each with its abilities.
        output: The folder of the reports, which may lie inside and is not named.
    """
    other_suites = {origin.name for origin in known_suites().origins()} - abilities.keys()
    levels = [_FolderLevel(root, "suite", [*abilities], other_suites)]
    for suite, names in abilities.items():
        levels.append(_FolderLevel(root / suite, f"ability of {suite}", [*names]))
    entries = submitted(root).values()
    expected_paths: set[Path] = set()
    for entry in entries:
        expected_paths.update((entry.path, entry.path.parent))
    if output is not None:
        # The folder itself, and those around it.
        expected_paths.update((output.resolve(), *output.resolve().parents))
    lines = list(_lines_on_other_files(root, entries))
    for level in levels:
        for path in level.unexpected(expected_paths):
            line = _line_on_skipped(path, level)
            if line:
                lines.append(line)
    return lines


def _line_on_skipped(path: Path, level: _FolderLevel) -> str:
    """Return the line about a skipped folder or file, or "" for anything else."""
    if path.is_dir():
        similar = nearest(path.name, level.known)
        hint = f"known: {', '.join(level.known) or 'none that can be evaluated'}"
        if similar:
            hint = did_you_mean(similar)
        return f"{path}: skipped, there is no {level.kind} of this name here; {hint}"
    if is_prediction_file(path):
        return f"{path}: skipped, files lie in folders SUITE/ABILITY"
    return ""
