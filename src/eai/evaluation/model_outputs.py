"""A folder with what models answered to everything: ``SUITE/ABILITY/MODEL.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from eai.contract.registry import suites as known_suites
from eai.errors import nearest
from eai.predictions import Predictions, is_prediction_file, load_all


def answers_in(folder: Path, models: Sequence[str] = ()) -> dict[str, Predictions]:
    """Return the answers of each model, or of each of its samples, to one ability of a suite.

    Raises:
        InputError: If some cannot be read.
    """
    if not folder.is_dir() or not any(folder.iterdir()):
        return {}
    return {of.label: of for of in load_all(folder) if not models or of.model in models}


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
    found = []
    for folder, kind, known, besides in folders:
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.name in (*known, *besides) or path.name.startswith((".", "_")):
                continue
            if own is not None and own.resolve().is_relative_to(path.resolve()):
                continue
            if path.is_dir():
                close = nearest(path.name, known)
                meant = f"did you mean {' or '.join(map(repr, close))}?" if close else ""
                meant = meant or f"known: {', '.join(known) or 'none that can be evaluated'}"
                found.append(f"{path}: skipped, there is no {kind} of this name here; {meant}")
            elif is_prediction_file(path):
                found.append(f"{path}: skipped, files lie in folders SUITE/ABILITY")
    return found
